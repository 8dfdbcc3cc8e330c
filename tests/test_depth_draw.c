/* Draws with depth and stencil: bias, which side of the shader the tests stand on, views that are read only, bounds, and the
 * queries that count. Values by hand (facts 1.9, 3.3). */
#include "tests/draw_rig.h"

/* Over the whole target: z 0.25 and 0.5 everywhere; z = window x / 16. */
static const float quarter[3][8] = {{-1, 1, 0.25f, 1, 1, 1, 1, 1}, {3, 1, 0.25f, 1, 1, 1, 1, 1},
	{-1, -3, 0.25f, 1, 1, 1, 1, 1}};
static const float middle[3][8] = {{-1, 1, 0.5f, 1, 1, 1, 1, 1}, {3, 1, 0.5f, 1, 1, 1, 1, 1}, {-1, -3, 0.5f, 1, 1, 1, 1, 1}};
static const float ramp[3][8] = {{-1, 1, 0, 1, 1, 1, 1, 1}, {3, 1, 1, 1, 1, 1, 1, 1}, {-1, -3, 0, 1, 1, 1, 1, 1}};

/* z = window x / 8, cut off at the far plane. */
static const float steep[3][8] = {{-1, 1, 0, 1, 1, 1, 1, 1}, {3, 1, 2, 1, 1, 1, 1, 1}, {-1, -3, 0, 1, 1, 1, 1, 1}};

static struct isa_program *vs(void) { return vs_through(ISA_F32, ISA_INTERP_LINEAR); }
static struct isa_program *ps(void) { return ps_color(ISA_F32, ISA_INTERP_LINEAR); }

/* Unorm steps are 1 / (2^n - 1); a float step is 2^-23 times the power of two at or below the largest z of the primitive. */
Test(depth_draw, bias)
{
	static const struct { const char *name; uint32_t format; const float (*v)[8]; float bias, clamp,
		slope; uint32_t want; } rows[] = {
		{"D16: 3 steps", KILN_FORMAT_D16_UNORM, quarter, 3, 0, 0, 16384 + 3},
		{"D24: 5 steps", KILN_FORMAT_D24_UNORM_S8_UINT, quarter, 5, 0, 0, 4194304 + 5},
		{"D24: -5 steps", KILN_FORMAT_D24_UNORM_S8_UINT, quarter, -5, 0, 0, 4194304 - 5},
		{"D32: 3 steps at 0.25", KILN_FORMAT_D32_FLOAT, quarter, 3, 0, 0, 0x3E800003},
		{"D32S8: 3 steps at 0.5", KILN_FORMAT_D32_FLOAT_S8X24_UINT, middle, 3, 0, 0, 0x3F000003},
		{"D32: no slope on a flat one", KILN_FORMAT_D32_FLOAT, middle, 0, 0, 1e9f, 0x3F000000},
		{"D32: slope 2/16", KILN_FORMAT_D32_FLOAT, ramp, 0, 0, 2, 0x3EB00000},              /* 3.5/16 + 1/8 */
		{"D32: slope 2/16, at most 1/16", KILN_FORMAT_D32_FLOAT, ramp, 0, 0.0625f, 2, 0x3E900000}, /* 3.5/16 + 1/16 */
		{"D32: slope -2/16, at least -1/16", KILN_FORMAT_D32_FLOAT, ramp, 0, -0.0625f, -2, 0x3E200000},
		{"D32: a clamp of 0 is none", KILN_FORMAT_D32_FLOAT, ramp, 0, 0, -2, 0x3DC00000},   /* 3.5/16 - 1/8 */
		{"D32: the largest z counts", KILN_FORMAT_D32_FLOAT, ramp, 1 << 20, 0, 0, 0x3EB00000}, /* 1: 2^20 2^-23 = 1/8 */
		{"D32: both", KILN_FORMAT_D32_FLOAT, ramp, 1 << 20, 0, 2, 0x3EF00000},              /* 3.5/16 + 1/4 */
		{"D32: one bias for all that clipping leaves", KILN_FORMAT_D32_FLOAT, steep, 1 << 20, 0, 0, 0x3F100000},
			/* 3.5/8 + 1/8 */
		{"D16: a clamp, both signs apart", KILN_FORMAT_D16_UNORM, quarter, -100, 0.5f, 0, 16384 - 100},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_resource *depth;
		struct rig r;

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		depth = rig_texture(&r, rows[i].format, SIZE, 1);
		r.state.DSVFormat = rows[i].format;
		r.state.DepthStencilState.DepthEnable = true;
		r.state.DepthStencilState.DepthFunc = KILN_COMPARISON_ALWAYS;
		r.state.RasterizerState.DepthBias = rows[i].bias;
		r.state.RasterizerState.DepthBiasClamp = rows[i].clamp;
		r.state.RasterizerState.SlopeScaledDepthBias = rows[i].slope;
		pso(&r, vs(), ps());
		kiln_cmd_render_targets(r.list, 1, &r.color, depth);
		draw(&r, rows[i].v, 3);
		run(&r);
		for (unsigned y = 0; y < SIZE; y++) {
			uint32_t got = 0;

			memcpy(&got, depth->data + (8 * y + 3) * (depth->format->bits / 8u), depth->format->bits < 32 ? 2 : 4);
			cr_assert_eq(got, rows[i].want, "%s, row %u: %08x, expected %08x", rows[i].name, y, got, rows[i].want);
		}
		rig_close(&r);
	}
}

/* A shader that exports depth 0.75, or discards all, or both, over a buffer of 1 or 0.125 with LESS. */
Test(depth_draw, order)
{
	static const struct {
		const char *name;
		uint8_t depth_semantic;       /* 0: none is exported */
		bool discards, forced;
		float before, after;
		bool drawn;
		unsigned early, late, waves;
	} rows[] = {
		{"plain", 0, false, false, 1, 0.5f, true, 0, 0, 1},
			{"plain, hidden", 0, false, false, 0.125f, 0.125f, false, 64, 0, 0},
		{"discard", 0, true, false, 1, 1, false, 0, 0, 1},
		{"discard, forced early: depth stands", 0, true, true, 1, 0.5f, false, 0, 0, 1},
		{"SV_Depth", ISA_SEM_DEPTH, false, false, 1, 0.75f, true, 0, 0, 1},
		{"SV_Depth, hidden", ISA_SEM_DEPTH, false, false, 0.125f, 0.125f, false, 0, 64, 1},
		{"SV_Depth, forced early: not looked at", ISA_SEM_DEPTH, false, true, 1, 0.5f, true, 0, 0, 1},
		{"SV_DepthGreaterEqual", ISA_SEM_DEPTH_GE, false, false, 1, 0.75f, true, 0, 0, 1},
		{"SV_DepthGreaterEqual, hidden before the shader", ISA_SEM_DEPTH_GE, false, false, 0.125f, 0.125f, false, 64, 0, 0},
		{"SV_DepthGreaterEqual, hidden by its own depth", ISA_SEM_DEPTH_GE, false, false, 0.625f, 0.625f, false, 0, 64, 1},
		{"SV_DepthLessEqual says nothing of LESS", ISA_SEM_DEPTH_LE, false, false, 0.125f, 0.125f, false, 0, 64, 1},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct isa_program *p = ps();
		struct rig r;

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		r.state.DepthStencilState.DepthEnable = true;
		if (rows[i].depth_semantic) {
			EMIT(p, exp, IMM(ISA_MRTZ), IMM(ISA_FORM_32_r), IMM(1), LIT(0x3f400000), OFF, OFF, OFF);
			io(p, p->outputs, &p->output_count, "SV_Depth", rows[i].depth_semantic, ISA_F32, 0, 1);
			p->flags |= ISA_WRITES_DEPTH;
		}
		if (rows[i].discards) {
			EMIT(p, kill, LIT(1));
			p->flags |= ISA_USES_DISCARD;
		}
		p->flags |= rows[i].forced ? ISA_EARLY_DEPTH : 0;
		pso(&r, vs(), p);
		kiln_cmd_clear_depth(r.list, r.depth, rows[i].before);
		draw(&r, middle, 3);
		run(&r);
		cr_assert_eq(value(r.depth, 3, 3, 0), rows[i].after, "%s: depth %g", rows[i].name, (double)value(r.depth, 3, 3, 0));
		cr_assert_eq(value(r.color, 3, 3, 0), rows[i].drawn, "%s", rows[i].name);
		cr_assert_eq(r.counters.pixels_killed_early, rows[i].early, "%s", rows[i].name);
		cr_assert_eq(r.counters.pixels_killed_late, rows[i].late, "%s", rows[i].name);
		cr_assert_eq(r.counters.ps_waves, rows[i].waves, "%s", rows[i].name);
		/* forced early, samples count before the shader */
		cr_assert_eq(r.counters.samples_passed, rows[i].drawn || rows[i].forced ? 64 : 0, "%s", rows[i].name);
		rig_close(&r);
	}
}

/* Depth bounds and stencil through commands: the stored 1 lies in [0.5, 1], not in [0, 0.5]; references a face; views
 * that are read only; flags are gone with the next targets. */
Test(depth_draw, state_of_commands)
{
	const struct kiln_depth_stencilop_desc replace = {KILN_STENCIL_KEEP, KILN_STENCIL_KEEP, KILN_STENCIL_REPLACE,
		KILN_COMPARISON_ALWAYS};
	static const struct { float low, high; uint32_t flags; bool back, again; uint32_t stencil; float depth; } rows[] = {
		{0.5f, 1, 0, false, false, 3, 0.25f}, {0.5f, 1, 0, true, false, 9, 0.25f}, {0, 0.5f, 0, false, false, 200, 1},
		{0.5f, 1, KILN_DSV_READ_ONLY_DEPTH, false, false, 3, 1},
			{0.5f, 1, KILN_DSV_READ_ONLY_STENCIL, false, false, 200, 0.25f},
		{0.5f, 1, 3, false, false, 200, 1}, {0.5f, 1, 3, false, true, 3, 0.25f},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_resource *depth;
		struct rig r;

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		depth = rig_texture(&r, KILN_FORMAT_D32_FLOAT_S8X24_UINT, SIZE, 1);
		r.state.DSVFormat = KILN_FORMAT_D32_FLOAT_S8X24_UINT;
		r.state.RasterizerState.CullMode = KILN_CULL_NONE;
		r.state.RasterizerState.FrontCounterClockwise = rows[i].back;
		r.state.DepthStencilState = (struct kiln_depth_stencil_desc){.DepthEnable = true, .DepthWriteMask = 1,
			.DepthFunc = KILN_COMPARISON_LESS, .StencilEnable = true, .StencilReadMask = 0xff, .StencilWriteMask = 0xff,
			.FrontFace = replace, .BackFace = replace, .DepthBoundsTestEnable = true};
		pso(&r, vs(), ps());
		kiln_cmd_render_targets(r.list, 1, &r.color, depth);
		kiln_cmd_clear_depth_stencil(r.list, depth, KILN_CLEAR_DEPTH | KILN_CLEAR_STENCIL, 1, 200);
		kiln_cmd_depth_stencil_flags(r.list, rows[i].flags);
		if (rows[i].again)
			kiln_cmd_render_targets(r.list, 1, &r.color, depth);
		kiln_cmd_stencil_ref(r.list, 3, 9);
		kiln_cmd_depth_bounds(r.list, rows[i].low, rows[i].high);
		draw(&r, quarter, 3);
		run(&r);
		cr_assert_eq(word(depth, 3, 3, 1), rows[i].stencil, "row %zu: stencil %u", i, word(depth, 3, 3, 1));
		cr_assert_eq(value(depth, 3, 3, 0), rows[i].depth, "row %zu: depth %g", i, (double)value(depth, 3, 3, 0));
		cr_assert_eq(value(r.color, 3, 3, 0), rows[i].low > 0, "row %zu", i);
		rig_close(&r);
	}
}

/* `half` covers 28 pixels. Queries of three kinds over the same draws; the second draw is hidden. */
Test(depth_draw, queries)
{
	static const enum kiln_query_type types[3] = {KILN_QUERY_OCCLUSION, KILN_QUERY_BINARY_OCCLUSION,
		KILN_QUERY_PIPELINE_STATISTICS};
	struct kiln_query_heap *h[3];
	struct kiln_pipeline_statistics s;
	uint64_t results[4];
	struct kiln_resource *out;
	struct rig r;

	rig_open_samples(&r, KILN_FORMAT_R32G32B32A32_FLOAT, SIZE, 2);
	r.state.DepthStencilState.DepthEnable = true;
	out = buffer(&r, NULL, 256);
	pso(&r, vs(), ps());
	for (int i = 0; i < 3; i++) {
		h[i] = kiln_query_heap_create(r.device, types[i], 2, r.diags);
		kiln_cmd_begin_query(r.list, h[i], 0);
	}
	draw(&r, middle, 3);
	kiln_cmd_end_query(r.list, h[0], 0);
	kiln_cmd_end_query(r.list, h[1], 0);
	kiln_cmd_begin_query(r.list, h[0], 1);
	kiln_cmd_begin_query(r.list, h[1], 1);
	draw(&r, half, 3); /* at 0.5: not less */
	for (int i = 0; i < 3; i++)
		kiln_cmd_end_query(r.list, h[i], i < 2);
	kiln_cmd_resolve_query(r.list, h[0], 0, 2, out, 0);
	kiln_cmd_resolve_query(r.list, h[1], 0, 2, out, 16);
	kiln_cmd_resolve_query(r.list, h[2], 0, 1, out, 64);
	run(&r);
	memcpy(results, out->data, sizeof results);
	memcpy(&s, out->data + 64, sizeof s);
	cr_assert(results[0] == 128 && results[1] == 0 && results[2] == 1 && results[3] == 0);
	cr_assert(s.IAVertices == 6 && s.IAPrimitives == 2 && s.VSInvocations == 6 && s.CInvocations == 2 && s.CPrimitives == 2);
	cr_assert(s.PSInvocations == 64 && s.GSInvocations == 0 && s.CSInvocations == 0);
	cr_assert_null(kiln_query_heap_create(r.device, (enum kiln_query_type)2, 1, r.diags));
	cr_assert_null(kiln_query_heap_create(r.device, KILN_QUERY_OCCLUSION, 0, r.diags));
	kiln_cmd_begin_query(r.list, h[0], 0);
	kiln_cmd_begin_query(r.list, h[0], 0);
	cr_assert_not(kiln_execute(r.device, r.list, NULL, r.diags), "begun twice");
	cr_assert(kiln_diags_has(r.diags, DIAG_QUERY_INVALID));
	for (int i = 0; i < 3; i++)
		kiln_query_heap_destroy(h[i]);
	rig_close(&r);
}

/* Rectangles, half open, cut off at the target: [1, 3) x [2, 4), what lies past the right edge, and two that are empty. */
Test(depth_draw, clears_of_rectangles)
{
	static const struct kiln_rect rects[] = {{1, 2, 3, 4}, {6, -5, 100, 1}, {4, 4, 4, 8}, {7, 5, 2, 8}};
	static const float one[4] = {1, 1, 1, 1}, two[4] = {2, 2, 2, 2};
	struct kiln_target_view view = {0};
	struct kiln_resource *depth;
	struct rig r;

	rig_open_samples(&r, KILN_FORMAT_R32G32B32A32_FLOAT, SIZE, 4);
	depth = rig_texture(&r, KILN_FORMAT_D32_FLOAT_S8X24_UINT, SIZE, 4);
	kiln_cmd_clear_color(r.list, r.color, one);
	view.resource = r.color;
	kiln_cmd_clear_color_rects(r.list, &view, two, 4, rects);
	kiln_cmd_clear_depth_stencil(r.list, depth, 3, 1, 200);
	view.resource = depth;
	kiln_cmd_clear_depth_stencil_rects(r.list, &view, KILN_CLEAR_DEPTH, 0.5f, 7, 4, rects);
	run(&r);
	for (unsigned at = 0; at < SIZE * SIZE * 4; at++) {
		int x = (int)(at / 4 % SIZE), y = (int)(at / 4 / SIZE);
		bool in = (x >= 1 && x < 3 && y >= 2 && y < 4) || (x >= 6 && y == 0);

		cr_assert_eq(sample_value(r.color, x, y, at % 4, 2), in ? 2 : 1, "colour %d, %d", x, y);
		cr_assert_eq(sample_value(depth, x, y, at % 4, 0), in ? 0.5f : 1, "depth %d, %d", x, y);
		cr_assert_eq(sample_word(depth, x, y, at % 4, 1), 200, "stencil %d, %d", x, y);
	}
	rig_close(&r);
}
