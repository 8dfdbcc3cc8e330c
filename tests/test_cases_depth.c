/* Public bug reports as tests, part D: depth, stencil, coverage. */
#include "sim/device.h"
#include "tests/cases.h"

static const float screen[3][8] = {{-1, 1, 0.5f, 1, 1, 1, 1, 1}, {3, 1, 0.5f, 1, 1, 1, 1, 1}, {-1, -3, 0.5f, 1, 1, 1, 1, 1}};

/* At 0.5 a step is 2^-24: -64 of them are -2^-18, clamped to -2^-20. */
Test(cases, C42_bias_clamp)
{
	struct rig r;

	rig_open(&r, F(R32G32B32A32_FLOAT));
	r.state.DepthStencilState.DepthEnable = true;
	r.state.RasterizerState.DepthBias = -64;
	r.state.RasterizerState.DepthBiasClamp = -1.0f / (1 << 20);
	pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_color(ISA_F32, ISA_INTERP_LINEAR));
	draw(&r, screen, 3);
	run(&r);
	cr_assert_eq(word(r.depth, 3, 3, 0), 0x3EFFFFE0, "%08x", word(r.depth, 3, 3, 0));
	rig_close(&r);
}

/* An edge-on triangle in wireframe has no slope, or an infinite one: with factor 0 that gives no NaN. Lines take no bias. */
Test(cases, C42_edge_on_and_lines)
{
	static const float edge_on[3][8] = {{-1, 0.0625f, 0, 1, 1, 1, 1, 1}, {1, 0.0625f, 0.5f, 1, 1, 1, 1, 1},
		{0, 0.0625f, 1, 1, 1, 1, 1, 1}};
	static const float line[2][8] = {{-1, 0.0625f, 0.5f, 1, 1, 1, 1, 1}, {1, 0.0625f, 0.5f, 1, 1, 1, 1, 1}};

	for (int lines = 0; lines < 2; lines++) {
		unsigned drawn = 0;
		struct rig r;

		rig_open(&r, F(R32G32B32A32_FLOAT));
		r.state.DepthStencilState.DepthEnable = true;
		r.state.RasterizerState.CullMode = KILN_CULL_NONE;
		r.state.RasterizerState.FillMode = KILN_FILL_WIREFRAME;
		if (lines) {
			r.state.PrimitiveTopologyType = KILN_TOPOLOGY_TYPE_LINE;
			r.state.RasterizerState.DepthBias = 1000;
			r.state.RasterizerState.SlopeScaledDepthBias = 1;
			kiln_cmd_topology(r.list, KILN_TOPOLOGY_LINELIST);
		} else {
			r.state.RasterizerState.DepthBiasClamp = 1;
		}
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_color(ISA_F32, ISA_INTERP_LINEAR));
		draw(&r, lines ? line : edge_on, lines ? 2 : 3);
		run(&r);
		for (int k = 0; k < SIZE * SIZE; k++) {
			float z = value(r.depth, k % SIZE, k / SIZE, 0);

			cr_assert(z >= 0 && z <= 1, "pixel %d: %g", k, (double)z);
			cr_assert(!lines || z == 0.5f || z == 1, "pixel %d: %g", k, (double)z);
			drawn += z < 1;
		}
		cr_assert_geq(drawn, 6);
		rig_close(&r);
	}
}

/* The window that both readings satisfy: above the unbiased z by less than 4/65536. */
Test(cases, C43_bias_without_a_depth_buffer)
{
	struct isa_program *ps = ps_begin(ISA_F32, ISA_INTERP_LINEAR);
	struct kiln_pso_desc d;
	float z;
	struct rig r;

	rig_open(&r, F(R32_FLOAT));
	EMIT(ps, ld_in, V(0), IMM(0), IMM(2));
	ps_export(ps, ISA_F32, 1, 0);
	r.state.RasterizerState.DepthBias = 1;
	d = (struct kiln_pso_desc){.name = "bias", .state = r.state, .VS = shader(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR)),
		.PS = shader(&r, ps)};
	r.psos[r.pso_count++] = kiln_pso_create(r.device, &d, r.diags);
	cr_assert_not_null(r.psos[0]);
	kiln_cmd_pso(r.list, r.psos[0]);
	kiln_cmd_render_targets(r.list, 1, &r.color, NULL);
	draw(&r, screen, 3);
	run(&r);
	z = value(r.color, 3, 3, 0);
	cr_assert(z > 0.5f && z < 0.5f + 4 / 65536.0f, "%.9g", (double)z);
	rig_close(&r);
}

/* The capability is off: MinDepth above MaxDepth and negative sizes are refused. */
Test(cases, C45_inverted_viewports)
{
	static const struct kiln_viewport rows[] = {{0, 0, 8, 8, 1, 0}, {0, 8, 8, -8, 0, 1}};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct rig r;

		rig_open(&r, F(R32G32B32A32_FLOAT));
		kiln_cmd_viewport(r.list, &rows[i]);
		cr_assert_not(kiln_execute(r.device, r.list, NULL, r.diags));
		cr_assert(kiln_diags_has(r.diags, DIAG_VIEWPORT_INVALID), "row %zu", i);
		rig_close(&r);
	}
}

/* The capability is on: z = 0.25 lands at 1 - 0.25; a negative height turns the picture over: row y shows (y + 0.5) / H. */
Test(cases, C45_inverted_viewports_allowed)
{
	static const struct kiln_viewport depth = {0, 0, 8, 8, 1, 0}, height = {0, 8, 8, -8, 0, 1};
	/* two triangles, colour (ndc.y + 1) / 2 */
	static const float corners[6][2] = {{-1, 1}, {1, 1}, {-1, -1}, {-1, -1}, {1, 1}, {1, -1}};

	for (int flip = 0; flip < 2; flip++) {
		struct rig r;
		float v[6][8];

		rig_open(&r, F(R32G32B32A32_FLOAT));
		r.device->desc.inverted_viewports = true;
		r.state.DepthStencilState.DepthEnable = true;
		r.state.RasterizerState.CullMode = KILN_CULL_NONE;
		for (int i = 0; i < 6; i++)
			memcpy(v[i], (float[8]){corners[i][0], corners[i][1], 0.25f, 1, (corners[i][1] + 1) / 2, 0, 0, 1}, sizeof v[i]);
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_color(ISA_F32, ISA_INTERP_LINEAR));
		kiln_cmd_viewport(r.list, flip ? &height : &depth);
		draw(&r, (const float (*)[8])v, 6);
		run(&r);
		cr_expect_eq(word(r.depth, 3, 3, 0), flip ? 0x3E800000u : 0x3F400000u, "%08x", word(r.depth, 3, 3, 0));
		for (int y = 0; y < 8; y++) {
			float want = ((float)y + 0.5f) / 8, got = value(r.color, 3, y, 0);

			want = flip ? want : 1 - want;
			cr_expect(got > want - 1e-6f && got < want + 1e-6f, "flip %d, row %d: %g", flip, y, (double)got);
		}
		rig_close(&r);
	}
}

/* A rectangle over the left or the right half of pixel (3, 3); then all of it. */
Test(cases, C47_standard_pattern_and_centroid)
{
	static const struct { float x0, x1; uint32_t mask; float centroid; } rows[] = {
		{3, 3.5f, 0x5, 3.5f - 2 / 16.0f}, {3.5f, 4, 0xA, 3.5f + 6 / 16.0f}, {3, 4, 0xF, 3.5f}};

	for (size_t i = 0; i < ARRAY_COUNT(rows) * 2; i++) {
		float a = rows[i / 2].x0, b = rows[i / 2].x1, v[3][8];
		bool coverage = i & 1;
		struct isa_program *ps = ps_begin(coverage ? ISA_U32 : ISA_F32,
			coverage ? ISA_INTERP_CONSTANT : ISA_INTERP_LINEAR_CENTROID);
		struct rig r;

		/* one triangle with an edge at x = b or x = a, or none: no diagonal goes through the pixel */
		if (i / 2 == 0)
			memcpy(v, (float[3][8]){{b / 4 - 1, 9, 0, 1, b, 0, 0, 0}, {b / 4 - 1, -9, 0, 1, b, 0, 0, 0},
				{-9, 0, 0, 1, -32, 0, 0, 0}},
				sizeof v);
		else if (i / 2 == 1)
			memcpy(v, (float[3][8]){{a / 4 - 1, -9, 0, 1, a, 0, 0, 0}, {a / 4 - 1, 9, 0, 1, a, 0, 0, 0},
				{9, 0, 0, 1, 40, 0, 0, 0}},
				sizeof v);
		else
			memcpy(v, (float[3][8]){{-9, 9, 0, 1, -32, 0, 0, 0}, {9, 9, 0, 1, 40, 0, 0, 0}, {0, -9, 0, 1, 4, 0, 0, 0}},
				sizeof v);
		rig_open_samples(&r, coverage ? F(R32_UINT) : F(R32_FLOAT), SIZE, 4);
		if (coverage)
			EMIT(ps, ld_sys, V(0), IMM(ISA_SYS_coverage));
		else
			load(ps, 1, 1, 0);
		ps_export(ps, coverage ? ISA_U32 : ISA_F32, 1, 0);
		pso(&r, vs_through(coverage ? ISA_U32 : ISA_F32, ISA_INTERP_LINEAR), ps);
		draw(&r, (const float (*)[8])v, 3);
		run(&r);
		for (unsigned s = 0; s < 4; s++) {
			bool in = rows[i / 2].mask >> s & 1;
			uint32_t got = sample_word(r.color, 3, 3, s, 0);

			if (coverage)
				cr_assert_eq(got, in ? rows[i / 2].mask : 0, "row %zu, sample %u: %x", i, s, got);
			else if (in)
				cr_assert_float_eq(bits_float(got), rows[i / 2].centroid, 1e-5f, "row %zu, sample %u: %g", i, s,
					(double)bits_float(got));
		}
		rig_close(&r);
	}
}

/* The shader's reference replaces the API's; its low 8 bits count; forced early, it comes too late. */
Test(cases, C58_stencil_ref)
{
	static const struct { uint32_t exported; bool early; uint32_t want; } rows[] = {
		{7, false, 7}, {0x1FF, false, 0xFF}, {7, true, 1}};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		const struct kiln_depth_stencilop_desc replace = {KILN_STENCIL_REPLACE, KILN_STENCIL_REPLACE, KILN_STENCIL_REPLACE,
			KILN_COMPARISON_ALWAYS};
		struct isa_program *ps = ps_color(ISA_F32, ISA_INTERP_LINEAR);
		struct kiln_resource *depth;
		struct rig r;

		rig_open(&r, F(R32G32B32A32_FLOAT));
		depth = rig_texture(&r, F(D24_UNORM_S8_UINT), SIZE, 1);
		r.state.DSVFormat = F(D24_UNORM_S8_UINT);
		r.state.DepthStencilState.StencilEnable = true;
		r.state.DepthStencilState.StencilReadMask = r.state.DepthStencilState.StencilWriteMask = 0xff;
		r.state.DepthStencilState.FrontFace = r.state.DepthStencilState.BackFace = replace;
		EMIT(ps, exp, IMM(ISA_MRTZ), IMM(ISA_FORM_32_gr), IMM(2), OFF, LIT(rows[i].exported), OFF, OFF);
		io(ps, ps->outputs, &ps->output_count, "SV_StencilRef", ISA_SEM_STENCIL_REF, ISA_U32, 0, 1);
		ps->flags |= ISA_WRITES_STENCIL | (rows[i].early ? ISA_EARLY_DEPTH : 0);
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps);
		kiln_cmd_render_targets(r.list, 1, &r.color, depth);
		kiln_cmd_stencil_ref(r.list, 1, 2);
		draw(&r, screen, 3);
		run(&r);
		cr_assert_eq(word(depth, 3, 3, 1), rows[i].want, "row %zu: %u", i, word(depth, 3, 3, 1));
		rig_close(&r);
	}
}

Test(cases, C59_format_but_no_depth_buffer)
{
	const struct kiln_depth_stencilop_desc never = {KILN_STENCIL_ZERO, KILN_STENCIL_ZERO, KILN_STENCIL_ZERO,
		KILN_COMPARISON_NEVER};
	struct rig r;

	rig_open(&r, F(R32G32B32A32_FLOAT));
	r.state.DSVFormat = F(D24_UNORM_S8_UINT);
	r.state.DepthStencilState = (struct kiln_depth_stencil_desc){.DepthEnable = true, .DepthWriteMask = 1,
		.DepthFunc = KILN_COMPARISON_NEVER, .StencilEnable = true, .StencilReadMask = 0xff, .StencilWriteMask = 0xff,
		.FrontFace = never, .BackFace = never};
	pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_color(ISA_F32, ISA_INTERP_LINEAR));
	kiln_cmd_render_targets(r.list, 1, &r.color, NULL);
	draw(&r, screen, 3);
	run(&r);
	for (int k = 0; k < SIZE * SIZE; k++)
		cr_assert_eq(value(r.color, k % SIZE, k / SIZE, 0), 1, "pixel %d", k);
	rig_close(&r);
}
