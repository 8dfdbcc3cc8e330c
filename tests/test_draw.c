/* Draws with hand-made programs: pixels against values worked out by hand from the rules: coverage, interpolation, depth,
 * clipping, viewport, facing, blending order. */
#include "tests/draw_rig.h"

/* The attribute's x and y grow as window x and y do, so a pixel holds its centre; z and w are constant. */
Test(draw, coverage_and_interpolation)
{
	struct rig r;

	rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
	pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_color(ISA_F32, ISA_INTERP_LINEAR));
	draw(&r, half, 3);
	run(&r);
	for (int y = 0; y < SIZE; y++) {
		for (int x = 0; x < SIZE; x++) {
			bool in = x + y < 7;
			float want[4] = {in ? (float)x + 0.5f : 0, in ? (float)y + 0.5f : 0, in, in ? 7 : 0};

			for (int c = 0; c < 4; c++)
				cr_assert_eq(value(r.color, x, y, c), want[c], "pixel %d, %d channel %d: %g, expected %g", x, y, c,
					(double)value(r.color, x, y, c), (double)want[c]);
		}
	}
	cr_assert_eq(r.counters.draws, 1);
	cr_assert_eq(r.counters.vs_invocations, 3);
	cr_assert_eq(r.counters.quads, 10);
	cr_assert_eq(r.counters.ps_invocations, 28);
	cr_assert_eq(r.counters.helper_lanes, 12);
	cr_assert_eq(r.counters.ps_waves, 1);
	cr_assert_eq(r.counters.pixels_written, 28);
	cr_assert_eq(r.counters.exports, 1);
	rig_close(&r);
}

/* w = 1, 4, 1: at window x the weight of the second vertex is b = x/8; linear gives (b/4) / (1 - 3b/4), noperspective b.
 * SV_Position.w is 1 / (1 - 3b/4). Worked out at x = 0.5 (b = 1/16) and 3.5 (7/16): 1/61 and 7/43, w 64/61 and 64/43. */
Test(draw, perspective)
{
	static const float v[3][8] = {
		{-1, 1, 0.5f, 1, 0, 0, 0, 0}, {4, 4, 2, 4, 1, 0, 0, 0}, {-1, -1, 0.5f, 1, 0, 0, 0, 0},
	};
	static const struct { uint8_t interp; int x; float want; } rows[] = {
		{ISA_INTERP_LINEAR, 0, 1.0f / 61.0f}, {ISA_INTERP_LINEAR, 3, 7.0f / 43.0f}, {ISA_INTERP_LINEAR_CENTROID, 3,
		7.0f / 43.0f},
		{ISA_INTERP_NOPERSPECTIVE, 0, 1.0f / 16.0f}, {ISA_INTERP_NOPERSPECTIVE, 3, 7.0f / 16.0f}, {ISA_INTERP_CONSTANT, 3,
		0},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct rig r;
		struct isa_program *ps;

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		ps = ps_begin(ISA_F32, rows[i].interp);
		load(ps, 1, 1, 0);
		EMIT(ps, ld_in, V(1), IMM(0), IMM(0));
		EMIT(ps, ld_in, V(2), IMM(0), IMM(1));
		EMIT(ps, ld_in, V(3), IMM(0), IMM(3));
		ps_export(ps, ISA_F32, 15, 0);
		pso(&r, vs_through(ISA_F32, rows[i].interp), ps);
		draw(&r, v, 3);
		run(&r);
		cr_assert_eq(value(r.color, rows[i].x, 2, 0), rows[i].want, "row %zu: %.9g, expected %.9g", i,
			(double)value(r.color, rows[i].x, 2, 0), (double)rows[i].want);
		cr_assert_eq(value(r.color, 3, 2, 1), 3.5f);
		cr_assert_eq(value(r.color, 3, 2, 2), 2.5f);
		cr_assert_eq(value(r.color, 0, 2, 3), 64.0f / 61.0f);
		cr_assert_eq(value(r.color, 3, 2, 3), 64.0f / 43.0f);
		rig_close(&r);
	}
}

/* z = window x / 8; the first draw lies at 0.5, so the second is seen where x + 0.5 < 4. */
Test(draw, depth_less)
{
	static const float flat[3][8] = {{-1, 1, 0.5f, 1, 1, 1, 1, 1}, {3, 1, 0.5f, 1, 1, 1, 1, 1}, {-1, -3, 0.5f, 1, 1, 1, 1,
		1}};
	static const float ramp[3][8] = {{-1, 1, 0, 1, 2, 2, 2, 2}, {3, 1, 2, 1, 2, 2, 2, 2}, {-1, -3, 0, 1, 2, 2, 2, 2}};

	for (int late = 0; late < 2; late++) {
		struct rig r;
		struct isa_program *ps = ps_color(ISA_F32, ISA_INTERP_LINEAR);

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		r.state.DepthStencilState.DepthEnable = true;
		if (late) {
			EMIT(ps, kill, LIT(0)); /* discards nothing, but depth may no longer be written before shading */
			ps->flags = ISA_USES_DISCARD;
		}
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps);
		draw(&r, flat, 3);
		draw(&r, ramp, 3);
		run(&r);
		for (int y = 0; y < SIZE; y++) {
			for (int x = 0; x < SIZE; x++) {
				cr_assert_eq(value(r.color, x, y, 0), x < 4 ? 2 : 1, "pixel %d, %d", x, y);
				cr_assert_eq(value(r.depth, x, y, 0), x < 4 ? ((float)x + 0.5f) / 8 : 0.5f, "depth %d, %d", x, y);
			}
		}
		cr_assert_eq(r.counters.pixels_killed_early, late ? 0 : 32);
		cr_assert_eq(r.counters.pixels_killed_late, late ? 32 : 0);
		rig_close(&r);
	}
}

/* Kills x >= 4: neither colour nor depth is written there. SV_Depth replaces z, clamped to the viewport's range. */
Test(draw, discard_and_depth_output)
{
	static const float big[3][8] = {{-1, 1, 0.5f, 1, 1, 1, 1, 1}, {3, 1, 0.5f, 1, 1, 1, 1, 1}, {-1, -3, 0.5f, 1, 1, 1, 1,
		1}};
	struct rig r;
	struct isa_program *ps = ps_begin(ISA_F32, ISA_INTERP_LINEAR);

	rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
	r.state.DepthStencilState.DepthEnable = true;
	r.state.DepthStencilState.DepthFunc = KILN_COMPARISON_ALWAYS;
	load(ps, 0, 1, 0);
	EMIT(ps, cmp_le_f32, V(1), LIT(0x40800000), V(0));
	EMIT(ps, kill, V(1));
	EMIT(ps, mul_f32, V(0), V(0), LIT(0x3e800000)); /* x / 4: 1.125 at x = 4.5, but 0.875 at 3.5 */
	EMIT(ps, add_f32, V(0), V(0), LIT(0x3e800000)); /* + 0.25: 1.125 at 3.5 */
	EMIT(ps, exp, IMM(ISA_MRTZ), IMM(ISA_FORM_32_r), IMM(1), V(0), OFF, OFF, OFF);
	load(ps, 1, 4, 4);
	ps_export(ps, ISA_F32, 15, 4);
	ps->flags = ISA_USES_DISCARD | ISA_WRITES_DEPTH;
	io(ps, ps->outputs, &ps->output_count, "SV_Depth", ISA_SEM_DEPTH, ISA_F32, 0, 1);
	pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps);
	draw(&r, big, 3);
	run(&r);
	for (int x = 0; x < SIZE; x++) {
		float z = ((float)x + 0.5f) / 4 + 0.25f;

		cr_assert_eq(value(r.color, x, 5, 2), x < 4, "pixel %d", x);
		cr_assert_eq(value(r.depth, x, 5, 0), x < 4 ? (z < 1 ? z : 1) : 1, "depth %d", x);
	}
	cr_assert_eq(r.counters.pixels_discarded, 32);
	rig_close(&r);
}

/* What is left of a triangle at each plane, and triangles that are dropped whole. */
static bool inside_all(int x, int y) { return x >= 0 && y >= 0; }
static bool inside_none(int x, int y) { return x < 0 && y < 0; }
static bool inside_half_right(int x, int y) { return x >= 4 && x + y < 7; }
static bool inside_half_left(int x, int y) { return x < 4 && x + y < 7; }

Test(draw, clipping)
{
	const float nan = bits_float(0x7fc00000), inf = bits_float(0x7f800000);
	const struct { const char *name; float at[3][4]; bool (*inside)(int, int); bool clip_off; } rows[] = {
		{"near: z = ndc x, kept where x >= 4", {{-1, 1, -1, 1}, {1, 1, 1, 1}, {-1, -1, -1, 1}}, inside_half_right, false},
		{"far: z = 1 + ndc x, kept where x < 4", {{-1, 1, 0, 1}, {1, 1, 2, 1}, {-1, -1, 0, 1}}, inside_half_left, false},
		{"one vertex with w < 0: the edges diverge, all is covered", {{-1, 1, 0, 1}, {1, 1, 0, 1}, {0, -3, 0, -1}},
		inside_all, false},
		{"all w < 0", {{-1, 1, 0, -1}, {3, 1, 0, -1}, {-1, -3, 0, -1}}, inside_none, false},
		{"all w = 0", {{-1, 1, 0, 0}, {3, 1, 0, 0}, {-1, -3, 0, 0}}, inside_none, false},
		{"behind near", {{-1, 1, -1, 1}, {3, 1, -1, 1}, {-1, -3, -1, 1}}, inside_none, false},
		{"behind near, depth clip off", {{-1, 1, -1, 1}, {3, 1, -1, 1}, {-1, -3, -1, 1}}, inside_all, true},
		{"far beyond the guard band", {{-1e6f, 1e6f, 0, 1}, {1e6f, 1e6f, 0, 1}, {0, -1e7f, 0, 1}}, inside_all, false},
		{"huge", {{-1e30f, 1e30f, 0, 1}, {1e30f, 1e30f, 0, 1}, {0, -3e30f, 0, 1}}, inside_all, false},
		{"NaN x", {{nan, 1, 0, 1}, {3, 1, 0, 1}, {-1, -3, 0, 1}}, inside_none, false},
		{"NaN z", {{-1, 1, nan, 1}, {3, 1, 0, 1}, {-1, -3, 0, 1}}, inside_none, false},
		{"NaN w", {{-1, 1, 0, nan}, {3, 1, 0, 1}, {-1, -3, 0, 1}}, inside_none, false},
		{"infinite x", {{-inf, 1, 0, 1}, {3, 1, 0, 1}, {-1, -3, 0, 1}}, inside_none, false},
		{"no area", {{-1, 1, 0, 1}, {1, -1, 0, 1}, {0, 0, 0, 1}}, inside_none, false},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		float v[3][8] = {{0}};
		struct rig r;

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		r.state.RasterizerState.CullMode = KILN_CULL_NONE;
		r.state.RasterizerState.DepthClipEnable = !rows[i].clip_off;
		pso(&r, vs_through(ISA_F32, ISA_INTERP_CONSTANT), ps_color(ISA_F32, ISA_INTERP_CONSTANT));
		for (int k = 0; k < 3; k++) {
			memcpy(v[k], rows[i].at[k], sizeof rows[i].at[k]);
			v[k][4] = (float)(k + 5); /* constant: the leading vertex's 5 */
		}
		draw(&r, (const float (*)[8])v, 3);
		run(&r);
		for (int y = 0; y < SIZE; y++) {
			for (int x = 0; x < SIZE; x++)
				cr_assert_eq(value(r.color, x, y, 0), rows[i].inside(x, y) ? 5 : 0, "%s: pixel %d, %d is %g",
					rows[i].name, x, y,
					(double)value(r.color, x, y, 0));
		}
		cr_assert_eq(r.counters.primitives_in, 1);
		cr_assert_eq(r.counters.primitives_culled, rows[i].inside == inside_none, "%s", rows[i].name);
		rig_close(&r);
	}
}

/* Clipped at the near plane, attributes and depth are those of the whole triangle: z = ndc x, attribute = window x. With
 * another w at the second vertex, that still holds for noperspective, which is linear on the screen. */
Test(draw, clipping_keeps_attributes)
{
	static const struct { uint8_t mode; float w; } rows[] = {
		{ISA_INTERP_LINEAR, 1}, {ISA_INTERP_NOPERSPECTIVE, 1}, {ISA_INTERP_NOPERSPECTIVE, 2},
		{ISA_INTERP_NOPERSPECTIVE, 0.25f},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		float w = rows[i].w, v[3][8] = {{-1, 1, -1, 1, 0, 0, 0, 0}, {w, w, w, w, 8, 0, 0, 0}, {-1, -1, -1, 1, 0, 8, 0, 0}};
		struct rig r;

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		r.state.DepthStencilState.DepthEnable = true;
		pso(&r, vs_through(ISA_F32, rows[i].mode), ps_color(ISA_F32, rows[i].mode));
		draw(&r, (const float (*)[8])v, 3);
		run(&r);
		for (int x = 4; x < 7; x++) {
			cr_assert_float_eq(value(r.color, x, 0, 0), (float)x + 0.5f, 1e-5f, "row %zu pixel %d: %g", i, x,
				(double)value(r.color, x, 0, 0));
			cr_assert_float_eq(value(r.color, x, 0, 1), 0.5f, 1e-5f);
			cr_assert_float_eq(value(r.depth, x, 0, 0), ((float)x + 0.5f) / 4 - 1, 1e-5f, "row %zu depth %d", i, x);
		}
		cr_assert_eq(r.counters.primitives_clipped, 1);
		rig_close(&r);
	}
}

/* A quad over the whole viewport. Left and top edges belong to it; the viewport's implicit scissor rounds down. */
Test(draw, viewport_and_scissor)
{
	static const float v[6][8] = {
		{-1, 1, 0, 1, 1, 1, 1, 1}, {1, 1, 0, 1, 1, 1, 1, 1}, {-1, -1, 0, 1, 1, 1, 1, 1},
		{-1, -1, 0, 1, 1, 1, 1, 1}, {1, 1, 0, 1, 1, 1, 1, 1}, {1, -1, 0, 1, 1, 1, 1, 1},
	};
	static const struct { struct kiln_viewport view; struct kiln_rect scissor; int x0, y0, x1, y1; } rows[] = {
		{{0, 0, 8, 8, 0, 1}, {0, 0, 8, 8}, 0, 0, 8, 8},
		{{0, 0, 8, 8, 0, 1}, {2, 3, 5, 7}, 2, 3, 5, 7},
		{{0, 0, 8, 8, 0, 1}, {-5, -5, 100, 4}, 0, 0, 8, 4},
		{{2.5f, 0, 4, 8, 0, 1}, {0, 0, 8, 8}, 2, 0, 6, 8},
		{{2.25f, 1.25f, 4, 4, 0, 1}, {0, 0, 8, 8}, 2, 1, 6, 5},
		{{2.75f, 0, 4, 8, 0, 1}, {0, 0, 8, 8}, 3, 0, 6, 8}, /* 6.5 is inside 6.75, but floor(6.75) ends the scissor at 6 */
		{{-4, -4, 8, 8, 0, 1}, {0, 0, 8, 8}, 0, 0, 4, 4},
		{{0, 0, 8, 8, 0, 1}, {5, 5, 5, 8}, 0, 0, 0, 0},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct rig r;

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		kiln_cmd_viewport(r.list, &rows[i].view);
		kiln_cmd_scissor(r.list, &rows[i].scissor);
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_color(ISA_F32, ISA_INTERP_LINEAR));
		draw(&r, v, 6);
		run(&r);
		for (int y = 0; y < SIZE; y++) {
			for (int x = 0; x < SIZE; x++) {
				bool in = x >= rows[i].x0 && x < rows[i].x1 && y >= rows[i].y0 && y < rows[i].y1;

				cr_assert_eq(value(r.color, x, y, 0), in, "row %zu: pixel %d, %d", i, x, y);
			}
		}
		cr_assert_eq(kiln_diags_has(r.diags, DIAG_DRAW_NOTHING), i + 1 == ARRAY_COUNT(rows));
		rig_close(&r);
	}
}

/* half is clockwise on screen. SV_IsFrontFace lands in an R32_UINT target. */
Test(draw, facing_and_culling)
{
	static const struct { bool reversed, ccw; uint32_t cull; int drawn; uint32_t front; } rows[] = {
		{false, false, KILN_CULL_NONE, 1, 0xffffffff}, {false, false, KILN_CULL_BACK, 1, 0xffffffff},
		{false, false, KILN_CULL_FRONT, 0, 0}, {true, false, KILN_CULL_NONE, 1, 0}, {true, false, KILN_CULL_BACK, 0, 0},
		{true, false, KILN_CULL_FRONT, 1, 0}, {false, true, KILN_CULL_NONE, 1, 0}, {false, true, KILN_CULL_BACK, 0, 0},
		{true, true, KILN_CULL_BACK, 1, 0xffffffff}, {true, true, KILN_CULL_FRONT, 0, 0},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		float v[3][8];
		struct rig r;
		struct isa_program *ps = program(ISA_PIXEL);

		io(ps, ps->inputs, &ps->input_count, "SV_IsFrontFace", ISA_SEM_IS_FRONT_FACE, ISA_U32, ISA_INTERP_CONSTANT, 1);
		io(ps, ps->outputs, &ps->output_count, "SV_Target", ISA_SEM_TARGET, ISA_U32, 0, 1);
		load(ps, 0, 1, 0);
		EMIT(ps, and_b32, V(0), V(0), LIT(0xfffffff7));
		EMIT(ps, or_b32, V(0), V(0), LIT(8));
		ps_export(ps, ISA_U32, 1, 0);
		memcpy(v, half, sizeof v);
		if (rows[i].reversed) {
			memcpy(v[1], half[2], sizeof v[1]);
			memcpy(v[2], half[1], sizeof v[2]);
		}
		rig_open(&r, KILN_FORMAT_R32_UINT);
		r.state.RasterizerState.CullMode = rows[i].cull;
		r.state.RasterizerState.FrontCounterClockwise = rows[i].ccw;
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps);
		draw(&r, (const float (*)[8])v, 3);
		run(&r);
		cr_assert_eq(word(r.color, 2, 2, 0), rows[i].drawn ? rows[i].front | 8 : 0, "row %zu: %x", i, word(r.color, 2, 2,
			0));
		cr_assert_eq(r.counters.primitives_culled, !rows[i].drawn, "row %zu", i);
		rig_close(&r);
	}
}

/* Two triangles of one wave over the same pixels: 1 over 0 at half alpha is 0.5, then 0 over it 0.25. */
Test(draw, blending_in_submission_order)
{
	static const float v[6][8] = {
		{-1, 1, 0, 1, 1, 0, 0, 0.5f}, {1, 1, 0, 1, 1, 0, 0, 0.5f}, {-1, -1, 0, 1, 1, 0, 0, 0.5f},
		{-1, 1, 0, 1, 0, 0, 0, 0.5f}, {1, 1, 0, 1, 0, 0, 0, 0.5f}, {-1, -1, 0, 1, 0, 0, 0, 0.5f},
	};
	struct rig r;
	struct kiln_render_target_blend_desc *b = &r.state.BlendState.RenderTarget[0];

	rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
	b->BlendEnable = true;
	b->SrcBlend = KILN_BLEND_SRC_ALPHA;
	b->DestBlend = KILN_BLEND_INV_SRC_ALPHA;
	pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_color(ISA_F32, ISA_INTERP_LINEAR));
	draw(&r, v, 6);
	run(&r);
	for (int y = 0; y < SIZE; y++) {
		for (int x = 0; x < SIZE; x++)
			cr_assert_eq(value(r.color, x, y, 0), x + y < 7 ? 0.25f : 0, "pixel %d, %d: %g", x, y, (double)value(r.color,
				x, y, 0));
	}
	cr_assert_eq(r.counters.pixels_blended, 56);
	cr_assert_eq(r.counters.ps_waves, 2); /* 80 lanes of 64 */
	rig_close(&r);
}

/* Base: red alone is exported. Derived with mask ALL and the mismatch ignored: green is the pattern. */
Test(draw, export_mismatch_shows_the_pattern)
{
	struct kiln_blend_desc blend;
	struct kiln_pso *base, *derived;
	struct rig r;
	struct isa_program *ps;

	rig_open(&r, KILN_FORMAT_R32G32_FLOAT);
	blend = r.state.BlendState;
	r.state.BlendState.RenderTarget[0].RenderTargetWriteMask = 1;
	ps = ps_begin(ISA_F32, ISA_INTERP_LINEAR);
	load(ps, 1, 2, 0);
	ps_export(ps, ISA_F32, 3, 0);
	base = pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps);
	derived = kiln_pso_derive(r.device, base, "derived", &(struct kiln_derived_pipeline_desc){.BlendState = &blend},
		r.diags);
	if (!derived)
		complain(&r, "kiln_pso_derive");
	r.psos[r.pso_count++] = derived;
	kiln_cmd_pso(r.list, derived);
	draw(&r, half, 3);
	run(&r);
	cr_assert_eq(value(r.color, 2, 1, 0), 2.5f);
	cr_assert_eq(word(r.color, 2, 1, 1), 0xdeadbeef, "%08x", word(r.color, 2, 1, 1));
	cr_assert_eq(word(r.color, 7, 7, 1), 0);
	rig_close(&r);
}

/* A clip distance of ndc x keeps the right half; a cull distance below 0 at all vertices drops the triangle, at two of them
 * nothing; NaN in a clip distance drops it, in a cull distance counts as below 0. */
Test(draw, clip_and_cull_distances)
{
	const float nan = bits_float(0x7fc00000);
	const struct { uint8_t semantic; float at[3]; int from, to; } rows[] = {
		{ISA_SEM_CLIP_DISTANCE, {-1, 1, -1}, 4, 7}, {ISA_SEM_CLIP_DISTANCE, {1, -1, 1}, 0, 4}, {ISA_SEM_CLIP_DISTANCE, {1,
		nan, 1}, 0, 0},
		{ISA_SEM_CLIP_DISTANCE, {0, 0, 0}, 0, 7}, {ISA_SEM_CULL_DISTANCE, {-1, -1, -1}, 0, 0}, {ISA_SEM_CULL_DISTANCE,
		{-1, 0, -1}, 0, 7},
		{ISA_SEM_CULL_DISTANCE, {-1, nan, -1}, 0, 0},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		float v[3][8];
		struct rig r;
		struct isa_program *vs = vs_through(ISA_F32, ISA_INTERP_LINEAR);

		io(vs, vs->outputs, &vs->output_count, "SV_Distance", rows[i].semantic, ISA_F32, ISA_INTERP_LINEAR, 1);
		EMIT(vs, exp, IMM(ISA_PARAM0 + 2), IMM(ISA_FORM_32_abgr), IMM(1), V(7), OFF, OFF, OFF);
		memcpy(v, half, sizeof v);
		for (int k = 0; k < 3; k++)
			v[k][7] = rows[i].at[k];
		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		pso(&r, vs, ps_color(ISA_F32, ISA_INTERP_LINEAR));
		draw(&r, (const float (*)[8])v, 3);
		run(&r);
		for (int x = 0; x < SIZE; x++)
			cr_assert_eq(value(r.color, x, 0, 2), x >= rows[i].from && x < rows[i].to, "row %zu: pixel %d", i, x);
		rig_close(&r);
	}
}

/* SampleMask without bit 0 writes nothing, depth neither; no pixel shader writes depth alone. */
Test(draw, sample_mask_and_depth_only)
{
	for (int i = 0; i < 3; i++) {
		struct rig r;

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		r.state.DepthStencilState.DepthEnable = true;
		r.state.SampleMask = i == 1 ? 0xfffffffe : 0xffffffff;
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), i == 2 ? NULL : ps_color(ISA_F32, ISA_INTERP_LINEAR));
		draw(&r, half, 3);
		run(&r);
		cr_assert_eq(value(r.color, 1, 1, 2), i == 0, "case %d", i);
		cr_assert_eq(value(r.depth, 1, 1, 0), i == 1 ? 1 : 0.5f, "case %d", i);
		cr_assert_eq(r.counters.ps_waves, i == 0);
		rig_close(&r);
	}
}

/* SV_PrimitiveID through a strip with a cut: ids go on after it, winding starts anew, what is incomplete has none. Strip of
 * columns two pixels wide: vertices 2k above, 2k + 1 below. */
Test(draw, strip_cut_and_primitive_id)
{
	static const uint16_t indices[] = {0, 1, 0xffff, 0, 2, 1, 0xffff, 4, 6, 5, 7};
	float v[10][8] = {{0}};
	struct rig r;
	struct isa_program *ps = program(ISA_PIXEL);

	io(ps, ps->inputs, &ps->input_count, "SV_PrimitiveID", ISA_SEM_PRIMITIVE_ID, ISA_U32, ISA_INTERP_CONSTANT, 1);
	io(ps, ps->outputs, &ps->output_count, "SV_Target", ISA_SEM_TARGET, ISA_U32, 0, 1);
	load(ps, 0, 1, 0);
	EMIT(ps, or_b32, V(0), V(0), LIT(16));
	ps_export(ps, ISA_U32, 1, 0);
	for (int k = 0; k < 10; k++) {
		v[k][0] = (float)(k / 2) / 2 - 1;
		v[k][1] = k % 2 ? -1 : 1;
		v[k][3] = 1;
	}
	rig_open(&r, KILN_FORMAT_R32_UINT);
	r.state.IBStripCutValue = KILN_STRIP_CUT_0xFFFF;
	pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps);
	kiln_cmd_topology(r.list, KILN_TOPOLOGY_TRIANGLESTRIP);
	kiln_cmd_index_buffer(r.list, buffer(&r, indices, sizeof indices), 0, sizeof indices, KILN_FORMAT_R16_UINT);
	kiln_cmd_vertex_buffer(r.list, 0, buffer(&r, v, sizeof v), 0, sizeof v, sizeof *v);
	kiln_cmd_draw_indexed(r.list, ARRAY_COUNT(indices), 1, 0, 0, 0);
	run(&r);
	/* columns 0-1: triangle 0, above the diagonal; 2-3 nothing; 4-5: triangles 1 and 2 */
	for (int x = 0; x < SIZE; x++) {
		uint32_t above = x / 2 == 0 ? 16 : x / 2 == 2 ? 17 : 0, below = x / 2 == 2 ? 18 : 0;

		cr_assert_eq(word(r.color, x, 0, 0), above, "pixel %d: %u", x, word(r.color, x, 0, 0));
		cr_assert_eq(word(r.color, x, 7, 0), below, "pixel %d: %u", x, word(r.color, x, 7, 0));
	}
	cr_assert_eq(r.counters.primitives_in, 3);
	rig_close(&r);
}

/* A mesh of 3,200 triangles (several batches and many waves), its vertices moved at random and each with its own w: every
 * pixel is covered once, so adding 1 a triangle gives 1. Clipped: z = ndc x cuts off the left half, and still no pixel is
 * covered twice or missed. */
static void mesh(bool clipped)
{
	enum { CELLS = 40, EDGE = CELLS + 1, PIXELS = 64 };
	static float v[EDGE * EDGE][8];
	static uint32_t indices[CELLS * CELLS * 6];
	uint64_t seed = 3;
	size_t n = 0;
	struct rig r;

	for (int i = 0; i < EDGE * EDGE; i++) {
		float at[2] = {(float)(i % EDGE) / CELLS * 2.2f - 1.1f, 1.1f - (float)(i / EDGE) / CELLS * 2.2f}, w;

		for (int c = 0; c < 2; c++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			at[c] += (float)(seed >> 40) / 16777216.0f * 0.02f - 0.01f;
		}
		w = 0.5f + (float)(seed >> 44 & 255) / 64.0f;
		memcpy(v[i], (float[8]){at[0] * w, at[1] * w, (clipped ? at[0] : 0.5f) * w, w, 1, 1, 1, 1}, sizeof v[i]);
	}
	for (uint32_t y = 0; y < CELLS; y++) {
		for (uint32_t x = 0; x < CELLS; x++) {
			uint32_t a = y * EDGE + x;

			memcpy(&indices[n], (uint32_t[6]){a, a + 1, a + EDGE, a + 1, a + EDGE + 1, a + EDGE}, 6 * sizeof *indices);
			n += 6;
		}
	}
	rig_open_sized(&r, KILN_FORMAT_R32G32B32A32_FLOAT, PIXELS);
	r.state.BlendState.RenderTarget[0].BlendEnable = true;
	r.state.BlendState.RenderTarget[0].DestBlend = KILN_BLEND_ONE;
	r.state.RasterizerState.CullMode = KILN_CULL_NONE;
	pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_color(ISA_F32, ISA_INTERP_LINEAR));
	kiln_cmd_vertex_buffer(r.list, 0, buffer(&r, v, sizeof v), 0, sizeof v, sizeof *v);
	kiln_cmd_index_buffer(r.list, buffer(&r, indices, sizeof indices), 0, sizeof indices, KILN_FORMAT_R32_UINT);
	kiln_cmd_draw_indexed(r.list, (uint32_t)n, 1, 0, 0, 0);
	run(&r);
	for (int y = 0; y < PIXELS; y++) {
		for (int x = 0; x < PIXELS; x++) {
			float v1 = value(r.color, x, y, 0);

			cr_assert(v1 == (clipped && x < PIXELS / 2 ? 0 : 1), "clipped %d pixel %d, %d: %g", clipped, x, y, (double)v1);
		}
	}
	cr_assert_eq(r.counters.primitives_in, 3200);
	cr_assert_lt(r.counters.vs_invocations, 3200, "vertices are not reused");
	rig_close(&r);
}

Test(draw, mesh_covers_once)
{
	mesh(false);
	mesh(true);
}

/* The pixel shader writes targets 0 and 2; target 1 keeps its clear, target 2 takes green alone by its mask. */
Test(draw, several_targets)
{
	const struct kiln_texture_desc desc = {.Format = KILN_FORMAT_R32G32B32A32_FLOAT, .Width = SIZE, .Height = SIZE};
	struct kiln_resource *t[3];
	struct rig r;
	struct isa_program *ps = ps_begin(ISA_F32, ISA_INTERP_LINEAR);

	rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
	for (int i = 0; i < 3; i++) {
		t[i] = r.buffers[r.buffer_count++] = kiln_texture_create(r.device, "target", &desc, r.diags);
		r.state.RTVFormats[i] = desc.Format;
		kiln_cmd_clear_color(r.list, t[i], (const float[4]){9, 9, 9, 9});
	}
	r.state.NumRenderTargets = 3;
	r.state.BlendState.IndependentBlendEnable = true;
	r.state.BlendState.RenderTarget[2].RenderTargetWriteMask = 2;
	load(ps, 1, 4, 0);
	ps_export(ps, ISA_F32, 15, 0);
	EMIT(ps, exp_sym, IMM(ISA_MRT0 + 2), IMM(ISA_F32), IMM(15), V(3), V(2), V(1), V(0));
	io(ps, ps->outputs, &ps->output_count, "SV_Target", ISA_SEM_TARGET, ISA_F32, 0, 4);
	ps->outputs[1].index = ps->outputs[1].reg = 2;
	pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps);
	kiln_cmd_render_targets(r.list, 3, t, r.depth);
	draw(&r, half, 3);
	run(&r);
	/* COLOR is (x, y, 1, 7) at pixel (2, 1) */
	cr_assert(value(t[0], 2, 1, 0) == 2.5f && value(t[0], 2, 1, 1) == 1.5f);
	cr_assert(value(t[0], 2, 1, 2) == 1 && value(t[0], 2, 1, 3) == 7);
	for (int c = 0; c < 4; c++) {
		cr_assert_eq(value(t[1], 2, 1, c), 9);
		cr_assert_eq(value(t[2], 2, 1, c), c == 1 ? 1 : 9);
		cr_assert_eq(value(t[0], 7, 7, c), 9);
	}
	cr_assert_eq(r.counters.exports, 2);
	cr_assert_eq(r.counters.pixels_written, 56);
	rig_close(&r);
}

/* One sample: alpha of 1 and more covers, 0, less and NaN do not; between, alpha + dither from 1 on, and the dither of the
 * pixel drawn is 5/8. What is not covered writes no depth either. */
Test(draw, alpha_to_coverage)
{
	static const struct { uint32_t alpha; bool covered; } rows[] = {
		{0x3f800000, true}, {0x3c23d70a, false}, {0x3ec00000, true}, {0x3ebfffff, false}, {0x40000000, true}, {0, false},
			{0x80000000, false}, {0xbf800000, false},
		{0x7fc00000, false},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		float v[3][8];
		struct rig r;

		memcpy(v, half, sizeof v);
		for (int k = 0; k < 3; k++)
			v[k][7] = bits_float(rows[i].alpha);
		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		r.state.BlendState.AlphaToCoverageEnable = true;
		r.state.DepthStencilState.DepthEnable = true;
		pso(&r, vs_through(ISA_F32, ISA_INTERP_CONSTANT), ps_color(ISA_F32, ISA_INTERP_CONSTANT));
		draw(&r, (const float (*)[8])v, 3);
		run(&r);
		cr_assert_eq(value(r.color, 1, 1, 2), rows[i].covered, "row %zu", i);
		cr_assert_eq(value(r.depth, 1, 1, 0), rows[i].covered ? 0.5f : 1, "row %zu", i);
		rig_close(&r);
	}
}

/* Weights of the primitive's own vertices at pixel centres: window x / 8 is vertex 1's, y / 8 vertex 2's. With w = 4 at
 * vertex 1 they bend as a perspective input does (b/4 over 1 - 3b/4), not as a noperspective one; a near plane that
 * cuts a vertex off changes nothing. */
Test(draw, barycentrics)
{
	static const float flat[3][8] = {{-1, 1, 0.5f, 1}, {1, 1, 0.5f, 1}, {-1, -1, 0.5f, 1}};
	static const float deep[3][8] = {{-1, 1, 0.5f, 1}, {4, 4, 2, 4}, {-1, -1, 0.5f, 1}};
	static const float cut[3][8] = {{-1, 1, -0.25f, 1}, {1, 1, 0.75f, 1}, {-1, -1, 0.75f, 1}}; /* z = -1/4 + (x + y) / 8 */
	static const struct { const float (*v)[8]; uint8_t interp; float want[3]; } rows[] = {
		{flat, ISA_INTERP_LINEAR, {5 / 16.0f, 7 / 16.0f, 4 / 16.0f}},
			{flat, ISA_INTERP_NOPERSPECTIVE, {5 / 16.0f, 7 / 16.0f, 0.25f}},
		{deep, ISA_INTERP_NOPERSPECTIVE, {5 / 16.0f, 7 / 16.0f, 0.25f}},
		{deep, ISA_INTERP_LINEAR, {20 / 43.0f, 7 / 43.0f, 16 / 43.0f}},
			{cut, ISA_INTERP_LINEAR, {5 / 16.0f, 7 / 16.0f, 0.25f}},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct isa_program *ps = ps_begin(ISA_F32, ISA_INTERP_LINEAR);
		struct rig r;

		io(ps, ps->inputs, &ps->input_count, "SV_Barycentrics", ISA_SEM_BARYCENTRICS, ISA_F32, rows[i].interp, 3);
		load(ps, 2, 3, 0);
		EMIT(ps, mov, V(3), LIT(0x3f800000));
		ps_export(ps, ISA_F32, 15, 0);
		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps);
		draw(&r, rows[i].v, 3);
		run(&r);
		cr_assert_eq(value(r.color, 3, 1, 3), 1);
		for (int c = 0; c < 3; c++) /* at (3.5, 2): */
			cr_assert_float_eq((value(r.color, 3, 1, c) + value(r.color, 3, 2, c)) / 2, rows[i].want[c],
				i == 3 ? 1e-3f : 1e-6f,
				"row %zu, weight %d: %g", i, c, (double)(value(r.color, 3, 1, c) + value(r.color, 3, 2, c)) / 2);
		rig_close(&r);
	}
}
