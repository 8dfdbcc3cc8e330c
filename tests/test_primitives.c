/* Primitives from end to end: assembly of every topology, what the leading vertex chooses, wireframe, clip distances a sample,
 * conservative rasterisation, sample positions and counts. Expected values by hand from the rules (facts 1.3 to 1.12). */
#include "sim/draw.h"
#include "tests/draw_rig.h"

/* All of the target as two triangles; COLOR.x is window x, .z 7. */
static const float whole[6][8] = {
	{-1, 1, 0, 1, 0, 0, 7, 0},
	{1, 1, 0, 1, 8, 0, 7, 0},
	{-1, -1, 0, 1, 0, 8, 7, 0},
	{-1, -1, 0, 1, 0, 8, 7, 0},
	{1, 1, 0, 1, 8, 0, 7, 0},
	{1, -1, 0, 1, 8, 8, 7, 0},
};
/* Window x below 2.5. */
static const float left[6][8] = {
	{-1, 1, 0, 1, 0, 0, 7, 0},
	{-0.375f, 1, 0, 1, 2.5f, 0, 7, 0},
	{-1, -1, 0, 1, 0, 8, 7, 0},
	{-1, -1, 0, 1, 0, 8, 7, 0},
	{-0.375f, 1, 0, 1, 2.5f, 0, 7, 0},
	{-0.375f, -1, 0, 1, 2.5f, 8, 7, 0},
};

static struct isa_program *ps_system(enum isa_sysval k)
{
	struct isa_program *p = program(ISA_PIXEL);

	io(p, p->outputs, &p->output_count, "SV_Target", ISA_SEM_TARGET, ISA_U32, 0, 1);
	EMIT(p, ld_sys, V(0), IMM(k));
	EMIT(p, or_b32, V(0), V(0), LIT(0x10000));
	ps_export(p, ISA_U32, 1, 0);
	return p;
}

/* Position and COLOR through, and COLOR.w once more under a system name. */
static struct isa_program *vs_system(const char *name, uint8_t semantic, uint8_t type)
{
	struct isa_program *p = vs_through(ISA_F32, ISA_INTERP_LINEAR);

	io(p, p->outputs, &p->output_count, name, semantic, type, ISA_INTERP_CONSTANT, 1);
	EMIT(p, exp, IMM(ISA_PARAM0 + 2), IMM(ISA_FORM_32_abgr), IMM(1), V(7), OFF, OFF, OFF);
	return p;
}

Test(primitives, assembly)
{
	static const struct {
		uint32_t topology, length, n, i;
		int count, real;
		uint32_t at[6], v[3];
	} rows[] = {
		{KILN_TOPOLOGY_POINTLIST, 3, 3, 2, 1, 1, {2}, {2}},
		{KILN_TOPOLOGY_LINELIST, 5, 2, 1, 2, 2, {2, 3}, {2, 3}},
		{KILN_TOPOLOGY_LINESTRIP, 4, 3, 2, 2, 2, {2, 3}, {2, 3}},
		{KILN_TOPOLOGY_TRIANGLELIST, 8, 2, 1, 3, 3, {3, 4, 5}, {3, 4, 5}},
		{KILN_TOPOLOGY_TRIANGLESTRIP, 5, 3, 0, 3, 3, {0, 1, 2}, {0, 1, 2}},
		{KILN_TOPOLOGY_TRIANGLESTRIP, 5, 3, 1, 3, 3, {1, 2, 3}, {1, 3, 2}},
		{KILN_TOPOLOGY_TRIANGLEFAN, 5, 3, 2, 3, 3, {0, 3, 4}, {3, 4, 0}},
		{KILN_TOPOLOGY_LINELIST_ADJ, 9, 2, 1, 4, 2, {4, 5, 6, 7}, {5, 6}},
		{KILN_TOPOLOGY_LINESTRIP_ADJ, 6, 3, 2, 4, 2, {2, 3, 4, 5}, {3, 4}},
		{KILN_TOPOLOGY_TRIANGLELIST_ADJ, 13, 2, 1, 6, 3, {6, 7, 8, 9, 10, 11}, {6, 8, 10}},
		{KILN_TOPOLOGY_TRIANGLESTRIP_ADJ, 6, 1, 0, 6, 3, {0, 1, 2, 5, 4, 3}, {0, 2, 4}},
		{KILN_TOPOLOGY_TRIANGLESTRIP_ADJ, 11, 3, 0, 6, 3, {0, 1, 2, 6, 4, 3}, {0, 2, 4}},
		{KILN_TOPOLOGY_TRIANGLESTRIP_ADJ, 11, 3, 1, 6, 3, {2, 5, 6, 8, 4, 0}, {2, 6, 4}},
		{KILN_TOPOLOGY_TRIANGLESTRIP_ADJ, 11, 3, 2, 6, 3, {4, 2, 6, 9, 8, 7}, {4, 6, 8}},
		{KILN_TOPOLOGY_TRIANGLESTRIP_ADJ, 5, 0, 0, 0, 0, {0}, {0}},
		{KILN_TOPOLOGY_LINELIST, 1, 0, 0, 0, 0, {0}, {0}},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct assembled a;

		cr_assert_eq(assembly_count(rows[i].topology, rows[i].length), rows[i].n, "row %zu", i);
		if (!rows[i].n)
			continue;
		assembly_get(rows[i].topology, rows[i].i, rows[i].n, &a);
		cr_assert(a.count == rows[i].count && a.real_count == rows[i].real, "row %zu", i);
		cr_assert_eq(memcmp(a.at, rows[i].at, a.count * sizeof a.at[0]), 0, "row %zu", i);
		for (int k = 0; k < a.real_count; k++)
			cr_assert_eq(a.at[a.real[k]], rows[i].v[k], "row %zu, vertex %d", i, k);
	}
}

/* COLOR.x of the leading vertex at three pixels; it is the vertex's number + 1. */
Test(primitives, leading_vertex)
{
	static const struct {
		uint8_t type;
		uint32_t topology;
		int count;
		float at[6][2];
		struct {
			int x, y;
			float v;
		} pixels[4];
	} rows[] = {
		{KILN_TOPOLOGY_TYPE_TRIANGLE, KILN_TOPOLOGY_TRIANGLEFAN, 4, {{0, 0}, {8, 0}, {8, 8}, {0, 8}},
			{{6, 1, 2}, {1, 6, 3}, {7, 0, 2}, {0, 7, 3}}},
		{KILN_TOPOLOGY_TYPE_TRIANGLE, KILN_TOPOLOGY_TRIANGLELIST_ADJ, 6, {{0, 0}, {4, 4}, {8, 0}, {4, 4}, {0, 8}, {4, 4}},
			{{0, 0, 1}, {6, 0, 1}, {0, 6, 1}, {7, 7, 0}}},
		{KILN_TOPOLOGY_TYPE_LINE, KILN_TOPOLOGY_LINESTRIP, 3, {{0.5f, 4.5f}, {4.5f, 4.5f}, {7.5f, 4.5f}},
			{{0, 4, 1}, {3, 4, 1}, {4, 4, 2}, {7, 4, 0}}},
		{KILN_TOPOLOGY_TYPE_LINE, KILN_TOPOLOGY_LINESTRIP_ADJ, 5, {{0, 0}, {0.5f, 4.5f}, {4.5f, 4.5f}, {7.5f, 4.5f}, {0, 0}},
			{{0, 4, 2}, {3, 4, 2}, {4, 4, 3}, {1, 1, 0}}},
		{KILN_TOPOLOGY_TYPE_POINT, KILN_TOPOLOGY_POINTLIST, 3, {{0.5f, 4.5f}, {4, 4}, {7.5f, 4.5f}},
			{{0, 4, 1}, {3, 3, 2}, {7, 4, 3}, {4, 4, 0}}},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		float v[6][8] = {{0}};
		struct rig r;

		for (int k = 0; k < rows[i].count; k++)
			memcpy(v[k], (float[8]){rows[i].at[k][0] / 4 - 1, 1 - rows[i].at[k][1] / 4, 0.5f, 1, (float)k + 1}, sizeof v[k]);
		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		r.state.PrimitiveTopologyType = rows[i].type;
		kiln_cmd_topology(r.list, (enum kiln_topology)rows[i].topology);
		pso(&r, vs_through(ISA_F32, ISA_INTERP_CONSTANT), ps_color(ISA_F32, ISA_INTERP_CONSTANT));
		draw(&r, (const float(*)[8])v, (unsigned)rows[i].count);
		run(&r);
		for (int k = 0; k < 4; k++)
			cr_assert_eq(
				value(r.color, rows[i].pixels[k].x, rows[i].pixels[k].y, 0), rows[i].pixels[k].v, "row %zu, pixel %d", i, k);
		rig_close(&r);
	}
}

/* Viewport 0 is the left half with depths 0 to 0.5, 1 the right half with 0.5 to 1; 2 was not set; 16 and above are 0. */
Test(primitives, viewport_index)
{
	static const struct {
		uint32_t index;
		int from, to;
		float depth;
	} rows[] = {
		{0, 0, 4, 0.25f},
		{1, 4, 8, 0.75f},
		{2, 0, 0, 1},
		{15, 0, 0, 1},
		{16, 0, 4, 0.25f},
		{0xffffffff, 0, 4, 0.25f},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		float v[6][8];
		struct rig r;

		memcpy(v, whole, sizeof v);
		for (int k = 0; k < 6; k++) {
			v[k][2] = 0.5f;
			v[k][7] = bits_float(
				k == 0 || k == 3 ? rows[i].index : 1 - (rows[i].index & 1)); /* the leading vertex alone says it */
		}
		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		r.state.DepthStencilState.DepthEnable = true;
		kiln_cmd_viewports(r.list, 2, (const struct kiln_viewport[]){{0, 0, 4, 8, 0, 0.5f}, {4, 0, 4, 8, 0.5f, 1}});
		kiln_cmd_scissors(r.list, 2, (const struct kiln_rect[]){{0, 0, 8, 8}, {0, 0, 8, 8}});
		pso(&r, vs_system("SV_ViewportArrayIndex", ISA_SEM_VIEWPORT_INDEX, ISA_U32), ps_color(ISA_F32, ISA_INTERP_LINEAR));
		draw(&r, (const float(*)[8])v, 6);
		run(&r);
		for (int x = 0; x < SIZE; x++) {
			bool in = x >= rows[i].from && x < rows[i].to;

			cr_assert_eq(value(r.color, x, 5, 2), in ? 7 : 0, "index %u, pixel %d", rows[i].index, x);
			cr_assert_eq(value(r.depth, x, 5, 0), in ? rows[i].depth : 1, "index %u, pixel %d", rows[i].index, x);
		}
		rig_close(&r);
	}
}

Test(primitives, slice_index)
{
	static const struct {
		uint32_t index, slice;
	} rows[] = {{0, 0}, {2, 2}, {3, 0}, {0xffffffff, 0}};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		const struct kiln_texture_desc t = {
			.Format = KILN_FORMAT_R32G32B32A32_FLOAT, .Width = SIZE, .Height = SIZE, .DepthOrArraySize = 3};
		struct kiln_resource *array;
		float v[6][8];
		struct rig r;

		memcpy(v, whole, sizeof v);
		for (int k = 0; k < 6; k++)
			v[k][7] = bits_float(rows[i].index);
		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		array = kiln_texture_create(r.device, "array", &t, r.diags);
		r.state.DepthStencilState.DepthEnable = false;
		kiln_cmd_render_targets(r.list, 1, &array, NULL);
		r.state.DSVFormat = KILN_FORMAT_UNKNOWN;
		struct kiln_pso_desc d = {.name = "slices",
			.state = r.state,
			.VS = shader(&r, vs_system("SV_RenderTargetArrayIndex", ISA_SEM_RT_ARRAY_INDEX, ISA_U32)),
			.PS = shader(&r, ps_color(ISA_F32, ISA_INTERP_LINEAR))};
		r.psos[r.pso_count++] = kiln_pso_create(r.device, &d, r.diags);
		cr_assert(r.psos[0]);
		kiln_cmd_pso(r.list, r.psos[0]);
		draw(&r, (const float(*)[8])v, 6);
		run(&r);
		for (uint32_t s = 0; s < 3; s++) {
			uint32_t rgba[4];

			cr_assert(kiln_resource_subresource_texel(array, s, 3, 3, 0, 0, rgba));
			cr_assert_eq(bits_float(rgba[2]), s == rows[i].slice ? 7 : 0, "index %u, slice %u", rows[i].index, s);
		}
		kiln_resource_destroy(array);
		rig_close(&r);
	}
}

/* The distance is window x - 2.5. In column 2 the samples at 6/16 and 2/16 right of the centre stay. */
Test(primitives, clip_distance_a_sample)
{
	float v[6][8];
	struct rig r;

	memcpy(v, whole, sizeof v);
	for (int k = 0; k < 6; k++)
		v[k][7] = v[k][4] - 2.5f;
	rig_open_samples(&r, KILN_FORMAT_R32G32B32A32_FLOAT, SIZE, 4);
	pso(&r, vs_system("SV_ClipDistance", ISA_SEM_CLIP_DISTANCE, ISA_F32), ps_color(ISA_F32, ISA_INTERP_LINEAR));
	draw(&r, (const float(*)[8])v, 6);
	run(&r);
	for (int x = 0; x < SIZE; x++) {
		for (unsigned s = 0; s < 4; s++)
			cr_assert_eq(
				sample_value(r.color, x, 3, s, 2), x > 2 || (x == 2 && (s & 1)) ? 7 : 0, "pixel %d, sample %u", x, s);
	}
	rig_close(&r);
}

/* A triangle (0, 0) (8, 0) (0, 8) whose z leaves the volume left of x = 4: the cut along x = 4 is no side. It is back-facing
 * in the second row, and culled in the third. */
Test(primitives, wireframe)
{
	static const float v[3][8] = {{-1, 1, -1, 1, 0, 0, 7, 0}, {1, 1, 1, 1, 0, 0, 7, 0}, {-1, -1, -1, 1, 0, 0, 7, 0}};

	for (int i = 0; i < 3; i++) {
		struct rig r;

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		r.state.RasterizerState.FillMode = KILN_FILL_WIREFRAME;
		r.state.RasterizerState.SlopeScaledDepthBias = 1; /* the triangle's slope, 1/4, for its sides too */
		r.state.DepthStencilState.DepthEnable = true;
		r.state.RasterizerState.CullMode = i == 2 ? KILN_CULL_BACK : KILN_CULL_NONE;
		r.state.RasterizerState.FrontCounterClockwise = i > 0;
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_color(ISA_F32, ISA_INTERP_LINEAR));
		draw(&r, v, 3);
		run(&r);
		for (int k = 0; k < SIZE * SIZE; k++) {
			int x = k % SIZE, y = k / SIZE;

			if (y > 0 && x + y != 7) /* the upper side lies on y = 0, the slanted one passes the centres of x + y = 7 */
				cr_assert_eq(value(r.color, x, y, 2), 0, "row %d: pixel %d, %d", i, x, y);
		}
		for (int x = 5; x < 7; x++)
			cr_assert_eq(value(r.color, x, 7 - x, 2), i < 2 ? 7 : 0, "row %d", i);
		cr_assert_eq(value(r.depth, 5, 2, 0), i < 2 ? 0.375f + 0.25f : 1, "row %d: %g", i, (double)value(r.depth, 5, 2, 0));
		cr_assert_eq(r.counters.primitives_out, i < 2 ? 2 : 0);
		rig_close(&r);
	}
}

/* A triangle between centres is drawn; pixels on its sides are not inside, nor those on the target's edge, where it ends. */
Test(primitives, conservative)
{
	static const float small[3][8] = {{-0.725f, 0.725f, 0, 1}, {-0.65f, 0.725f, 0, 1}, {-0.725f, 0.65f, 0, 1}};

	for (int i = 0; i < 2; i++) {
		struct rig r;

		rig_open(&r, KILN_FORMAT_R32_UINT);
		r.state.RasterizerState.ConservativeRaster = 1;
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_system(ISA_SYS_inner_coverage));
		draw(&r, i ? half : small, 3);
		run(&r);
		for (int k = 0; k < SIZE * SIZE; k++) {
			int x = k % SIZE, y = k / SIZE;
			bool hit = i ? x + y <= 8 : x == 1 && y == 1, inner = i && x > 0 && y > 0 && x + y < 6;

			cr_assert_eq(word(r.color, x, y, 0), hit ? 0x10000u + inner : 0, "row %d: pixel %d, %d: %x", i, x, y,
				word(r.color, x, y, 0));
		}
		rig_close(&r);
	}
}

/* One sample at the left edge of pixel column 2 is left of 2.5, one at its right edge is not; a count that differs is refused. */
Test(primitives, sample_positions)
{
	static const struct {
		struct kiln_sample_position at[4];
		uint32_t pixels;
		bool even, odd;
	} rows[] = {
		{{{-8, 0}}, 1, true, true},
		{{{7, 7}}, 1, false, false},
		{{{-8, 0}, {0, 0}, {7, 0}, {0, 0}}, 4, true, false},
	};
	struct rig r;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		kiln_cmd_sample_positions(r.list, 1, rows[i].pixels, rows[i].at);
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_color(ISA_F32, ISA_INTERP_LINEAR));
		draw(&r, left, 6);
		run(&r);
		cr_assert_eq(value(r.color, 2, 4, 2), rows[i].even ? 7 : 0, "row %zu", i);
		cr_assert_eq(value(r.color, 2, 3, 2), rows[i].odd ? 7 : 0, "row %zu", i);
		rig_close(&r);
	}
	for (int i = 0; i < 4; i++) {
		static const struct kiln_sample_position at[16] = {{0, 0}}, out = {8, 0};

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		kiln_cmd_sample_positions(r.list, i == 1 ? 3 : i == 2 ? 1 : 4, i == 3 ? 0 : 1, i == 2 ? &out : at);
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_color(ISA_F32, ISA_INTERP_LINEAR));
		draw(&r, left, 6);
		cr_assert_not(kiln_execute(r.device, r.list, NULL, r.diags));
		cr_assert(kiln_diags_has(r.diags, i ? 5014 : 5050), "row %d", i);
		rig_close(&r);
	}
}

/* Four samples of a target with one: the shader sees samples 0 and 2 of column 2, and the pixel is written once. */
Test(primitives, forced_sample_count)
{
	static const float edge[3][8] = {{-0.375f, 7, 0, 1}, {-0.375f, -7, 0, 1}, {-7.5f, 0, 0, 1}}; /* all left of x = 2.5 */
	struct rig r;

	rig_open(&r, KILN_FORMAT_R32_UINT);
	r.state.RasterizerState.ForcedSampleCount = 4;
	kiln_cmd_render_targets(r.list, 1, &r.color, NULL);
	struct kiln_pso_desc d = {.name = "forced",
		.state = r.state,
		.VS = shader(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR)),
		.PS = shader(&r, ps_system(ISA_SYS_coverage))};
	r.psos[r.pso_count++] = kiln_pso_create(r.device, &d, r.diags);
	if (!r.psos[0])
		complain(&r, "kiln_pso_create");
	kiln_cmd_pso(r.list, r.psos[0]);
	draw(&r, edge, 3);
	run(&r);
	for (int x = 0; x < SIZE; x++)
		cr_assert_eq(word(r.color, x, 6, 0),
			x < 2        ? 0x1000f
				: x == 2 ? 0x10005
						 : 0,
			"pixel %d: %x", x, word(r.color, x, 6, 0));
	rig_close(&r);
}
