/* Multisampled draws: where depth, inputs and coverage of each sample come from, what keeps a sample from being written, and
 * resolves. Expected values by hand from the rules (facts 1.8, 3.2); positions are written out here once more. */
#include "tests/draw_rig.h"

static const int8_t standard[5][16][2] = {
	{{0, 0}},
	{{4, 4}, {-4, -4}},
	{{-2, -6}, {6, -2}, {-6, 2}, {2, 6}},
	{{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}},
	{{1, 1}, {-1, -3}, {-3, 2}, {4, -1}, {-5, -2}, {2, 5}, {5, 3}, {3, -5}, {-2, 6}, {0, -7}, {-4, -6}, {-6, 4}, {-8, 0},
		{7, -4},
		{6, 7}, {-7, -8}},
};

/* All of the target; COLOR.x and .y are window x and y, z is window x / 16. */
static const float whole[3][8] = {
	{-1, 1, 0, 1, 0, 0, 1, 1}, {3, 1, 1, 1, 16, 0, 1, 1}, {-1, -3, 0, 1, 0, 16, 1, 1},
};
/* Window x below 2.5: the left half of pixel column 2. */
static const float left[6][8] = {
	{-1, 1, 0, 1, 0, 0, 1, 1}, {-0.375f, 1, 0, 1, 2.5f, 0, 1, 1}, {-1, -1, 0, 1, 0, 8, 1, 1},
	{-1, -1, 0, 1, 0, 8, 1, 1}, {-0.375f, 1, 0, 1, 2.5f, 0, 1, 1}, {-0.375f, -1, 0, 1, 2.5f, 8, 1, 1},
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

/* Each sample has the depth of its own place, and all have the colour of the pixel's centre; at sample frequency an
 * input that says so has its sample's place, SV_Position too. */
Test(multisample, depth_and_inputs_a_sample)
{
	for (int i = 0; i < 10; i++) {
		unsigned count = 1u << i / 2;
		bool each = i & 1;
		uint8_t mode = each ? ISA_INTERP_LINEAR_SAMPLE : ISA_INTERP_LINEAR;
		struct isa_program *ps = ps_begin(ISA_F32, mode);
		struct rig r;

		rig_open_samples(&r, KILN_FORMAT_R32G32B32A32_FLOAT, SIZE, count);
		r.state.DepthStencilState.DepthEnable = true;
		ps->flags = each ? ISA_SAMPLE_FREQUENCY : 0;
		if (each)
			ps->inputs[0].interp = ISA_INTERP_NOPERSPECTIVE_SAMPLE;
		load(ps, 1, 2, 0);
		load(ps, 0, 2, 2);
		ps_export(ps, ISA_F32, 15, 0);
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps);
		draw(&r, whole, 3);
		run(&r);
		for (unsigned at = 0; at < SIZE * SIZE * count; at++) {
			int x = (int)(at / count % SIZE), y = (int)(at / count / SIZE);
			unsigned s = at % count;
			float px = (float)x + 0.5f, py = (float)y + 0.5f;
			float sx = px + standard[i / 2][s][0] / 16.0f, sy = py + standard[i / 2][s][1] / 16.0f;

			cr_assert_eq(sample_value(r.depth, x, y, s, 0), sx / 16, "%u samples: depth %d, %d, %u is %g", count, x, y, s,
				(double)sample_value(r.depth, x, y, s, 0));
			for (int c = 0; c < 4; c++)
				cr_assert_eq(sample_value(r.color, x, y, s, c), c & 1 ? (each ? sy : py) : (each ? sx : px),
					"%u samples: channel %d at %d, %d, %u", count, c, x, y, s);
		}
		cr_assert_eq(r.counters.ps_invocations, SIZE * SIZE * (each ? count : 1), "%u samples: %llu", count,
			(unsigned long long)r.counters.ps_invocations);
		cr_assert_eq(r.counters.samples_passed, SIZE * SIZE * count);
		cr_assert_eq(r.counters.pixels_written, SIZE * SIZE * count);
		rig_close(&r);
	}
}

/* The edge lies on column 2's centre: left of it are samples 0 and 2 of four. SampleMask takes its bits away, and so does
 * SV_Coverage; at sample frequency the input has one bit. */
Test(multisample, coverage)
{
	static const struct { const char *name; uint32_t mask, output, input; bool each; uint32_t written; } rows[] = {
		{"all", ~0u, ~0u, 5, false, 5}, {"sample mask", 0xfffffff4, ~0u, 4, false, 4},
		{"sample mask with no bit left", 0xa, ~0u, 0, false, 0}, {"SV_Coverage", ~0u, 0xfffffff1, 5, false, 1},
		{"both", 4, 0xd, 4, false, 4}, {"sample frequency", ~0u, ~0u, 0, true, 5},
		{"sample frequency, SV_Coverage", ~0u, 4, 0, true, 4}, {"SV_Coverage 0", ~0u, 0, 5, false, 0},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct isa_program *ps = ps_system(ISA_SYS_coverage);
		struct rig r;

		if (rows[i].output != ~0u) {
			EMIT(ps, exp, IMM(ISA_MRTZ), IMM(ISA_FORM_32_abgr), IMM(4), OFF, OFF, LIT(rows[i].output), OFF);
			io(ps, ps->outputs, &ps->output_count, "SV_Coverage", ISA_SEM_COVERAGE, ISA_U32, 0, 1);
			ps->flags |= ISA_WRITES_COVERAGE;
		}
		ps->flags |= rows[i].each ? ISA_SAMPLE_FREQUENCY : 0;
		rig_open_samples(&r, KILN_FORMAT_R32_UINT, SIZE, 4);
		r.state.DepthStencilState.DepthEnable = true;
		r.state.SampleMask = rows[i].mask;
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps);
		draw(&r, left, 6);
		run(&r);
		for (unsigned s = 0; s < 4; s++) {
			bool in = rows[i].written >> s & 1;
			uint32_t want = !in ? 0 : 0x10000 | (rows[i].each ? 1u << s : rows[i].input);

			cr_assert_eq(sample_word(r.color, 2, 3, s, 0), want, "%s, sample %u: %x", rows[i].name, s,
				sample_word(r.color, 2, 3, s, 0));
			cr_assert_eq(sample_value(r.depth, 2, 3, s, 0) < 1, in, "%s, depth of sample %u", rows[i].name, s);
			cr_assert_eq(sample_word(r.color, 3, 3, s, 0), 0);
		}
		rig_close(&r);
	}
}

/* Covered whole, centroid is the centre; in part, the first covered sample that the mask lets through. */
Test(multisample, centroid)
{
	static const struct { uint32_t mask; float whole, part; } rows[] = {
		{~0u, 0.5f, 0.5f - 2 / 16.0f}, {4, 0.5f, 0.5f - 6 / 16.0f}, {6, 0.5f, 0.5f - 6 / 16.0f}};

	for (size_t i = 0; i < ARRAY_COUNT(rows) * 2; i++) {
		bool pulled = i & 1;
		struct isa_program *ps = ps_begin(ISA_F32, pulled ? ISA_INTERP_LINEAR : ISA_INTERP_LINEAR_CENTROID);
		struct rig r;

		rig_open_samples(&r, KILN_FORMAT_R32_FLOAT, SIZE, 4);
		r.state.SampleMask = rows[i / 2].mask;
		if (pulled)
			EMIT(ps, interp_centroid, V(0), IMM(1), IMM(0));
		else
			load(ps, 1, 1, 0);
		ps_export(ps, ISA_F32, 1, 0);
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps);
		draw(&r, left, 6);
		run(&r);
		cr_assert_eq(sample_value(r.color, 0, 1, 2, 0), rows[i / 2].whole, "row %zu: %g", i,
			(double)sample_value(r.color, 0, 1, 2, 0));
		cr_assert_eq(sample_value(r.color, 2, 3, 2, 0), 2 + rows[i / 2].part, "row %zu: %g", i,
			(double)sample_value(r.color, 2, 3, 2, 0));
		rig_close(&r);
	}
}

/* Inputs at other places: moved by the low four bits, signed; at a sample; at a vertex of the primitive. */
Test(multisample, inputs_elsewhere)
{
	static const struct { enum isa_op op; uint32_t a, b; float want; } rows[] = {
		{ISA_interp_snapped, 0, 0, 3.5f}, {ISA_interp_snapped, 7, 0, 3.9375f}, {ISA_interp_snapped, 8, 0, 3},
		{ISA_interp_snapped, 15, 0, 3.4375f}, {ISA_interp_snapped, 0x12, 0, 3.625f}, {ISA_interp_snapped, 0, 8, 3.5f},
		{ISA_interp_sample, 0, 0, 3.375f}, {ISA_interp_sample, 1, 0, 3.875f}, {ISA_interp_sample, 2, 0, 3.125f},
		{ISA_interp_sample, 3, 0, 3.625f}, {ISA_interp_sample, 4, 0, 3.5f}, {ISA_interp_sample, 0xffffffff, 0, 3.5f},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct isa_program *ps = ps_begin(ISA_F32, ISA_INTERP_LINEAR);
		struct rig r;

		rig_open_samples(&r, KILN_FORMAT_R32_FLOAT, SIZE, 4);
		if (rows[i].op == ISA_interp_sample)
			EMIT(ps, interp_sample, V(0), IMM(1), IMM(0), LIT(rows[i].a));
		else
			EMIT(ps, interp_snapped, V(0), IMM(1), IMM(0), LIT(rows[i].a), LIT(rows[i].b));
		ps_export(ps, ISA_F32, 1, 0);
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps);
		draw(&r, whole, 3);
		run(&r);
		cr_assert_eq(sample_value(r.color, 3, 5, 0, 0), rows[i].want, "row %zu: %g", i,
			(double)sample_value(r.color, 3, 5, 0, 0));
		rig_close(&r);
	}
	for (uint32_t k = 0; k < 3; k++) { /* through a near plane that cuts vertex 0 off */
		static const float cut[3][8] = {{-1, 1, -0.5f, 1, 10, 0, 0, 0}, {3, 1, 0.5f, 1, 20, 0, 0, 0},
			{-1, -3, 0.5f, 1, 30, 0, 0, 0}};
		struct isa_program *ps = ps_begin(ISA_F32, ISA_INTERP_CONSTANT);
		struct rig r;

		rig_open(&r, KILN_FORMAT_R32_FLOAT);
		EMIT(ps, ld_vertex, V(0), IMM(1), IMM(0), IMM(k));
		ps_export(ps, ISA_F32, 1, 0);
		pso(&r, vs_through(ISA_F32, ISA_INTERP_CONSTANT), ps);
		draw(&r, cut, 3);
		run(&r);
		cr_assert_eq(r.counters.primitives_clipped, 1);
		cr_assert_eq(value(r.color, 5, 5, 0), 10 * (float)(k + 1), "vertex %u: %g", k, (double)value(r.color, 5, 5, 0));
		rig_close(&r);
	}
}

/* Of n samples the first floor(alpha n + dither), the dither 7/8 3/8 1/8 5/8 over a quad. Written out for four samples. */
Test(multisample, alpha_to_coverage)
{
	static const struct { uint32_t alpha; uint8_t covered[4]; } rows[] = {
		{0x00000000, {0, 0, 0, 0}}, {0xbf800000, {0, 0, 0, 0}}, {0x7fc00000, {0, 0, 0, 0}}, {0xff800000, {0, 0, 0, 0}},
		{0x3f800000, {15, 15, 15, 15}}, {0x40000000, {15, 15, 15, 15}}, {0x7f800000, {15, 15, 15, 15}},
		{0x3f000000, {3, 3, 3, 3}},                                    /* 2 + dither */
		{0x3d000000, {1, 0, 0, 0}},                                    /* 1/8 + dither */
		{0x3e200000, {1, 1, 0, 1}},                                    /* 5/8 + dither */
		{0x3f700000, {15, 15, 7, 15}},                                 /* 30/8 + dither */
	};
	static const struct { const char *name; uint32_t format; bool color, depth_output, coverage_output; } cases[] = {
		{"float4", KILN_FORMAT_R32G32B32A32_FLOAT, true, false, false},
			{"no alpha", KILN_FORMAT_R8_UNORM, true, false, false},
		{"no colour target", KILN_FORMAT_R8_UNORM, false, false, false},
			{"SV_Depth", KILN_FORMAT_R16_UNORM, true, true, false},
		{"SV_Coverage switches it off", KILN_FORMAT_R8_UNORM, true, false, true},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows) * ARRAY_COUNT(cases); i++) {
		size_t row = i % ARRAY_COUNT(rows), k = i / ARRAY_COUNT(rows);
		struct isa_program *ps = ps_begin(ISA_F32, ISA_INTERP_CONSTANT);
		float v[3][8];
		struct rig r;

		memcpy(v, whole, sizeof v);
		for (int c = 0; c < 3; c++) {
			v[c][4] = 1;
			v[c][7] = bits_float(rows[row].alpha);
		}
		rig_open_samples(&r, cases[k].format, SIZE, 4);
		r.state.BlendState.AlphaToCoverageEnable = true;
		r.state.DepthStencilState.DepthEnable = true;
		if (!cases[k].color) {
			r.state.NumRenderTargets = 0;
			r.state.RTVFormats[0] = KILN_FORMAT_UNKNOWN;
			kiln_cmd_render_targets(r.list, 0, NULL, r.depth);
		}
		load(ps, 1, 4, 0);
		ps_export(ps, ISA_F32, 15, 0);
		if (cases[k].depth_output) {
			EMIT(ps, exp, IMM(ISA_MRTZ), IMM(ISA_FORM_32_r), IMM(1), LIT(0x3e000000), OFF, OFF, OFF);
			io(ps, ps->outputs, &ps->output_count, "SV_Depth", ISA_SEM_DEPTH, ISA_F32, 0, 1);
			ps->flags |= ISA_WRITES_DEPTH;
		}
		if (cases[k].coverage_output) {
			EMIT(ps, exp, IMM(ISA_MRTZ), IMM(ISA_FORM_32_abgr), IMM(4), OFF, OFF, LIT(6), OFF);
			io(ps, ps->outputs, &ps->output_count, "SV_Coverage", ISA_SEM_COVERAGE, ISA_U32, 0, 1);
			ps->flags |= ISA_WRITES_COVERAGE;
		}
		pso(&r, vs_through(ISA_F32, ISA_INTERP_CONSTANT), ps);
		draw(&r, (const float (*)[8])v, 3);
		run(&r);
		for (unsigned at = 0; at < 16; at++) {
			int x = 4 + (int)(at & 1), y = 2 + (int)(at >> 1 & 1);
			unsigned s = at / 4, want = cases[k].coverage_output ? 6 : rows[row].covered[at & 3];
			float z = sample_value(r.depth, x, y, s, 0);

			cr_assert_eq(z < 1, want >> s & 1, "%s, row %zu: pixel %u, sample %u", cases[k].name, row, at & 3, s);
			cr_assert(z == 1 || !cases[k].depth_output || z == 0.125f);
			cr_assert_eq(cases[k].color && sample_value(r.color, x, y, s, 0) == 1, cases[k].color && want >> s & 1,
				"%s, row %zu: pixel %u, sample %u", cases[k].name, row, at & 3, s);
		}
		rig_close(&r);
	}
}

/* Each sample blends with what it holds: two halves of a pixel covered one after the other, then all. */
Test(multisample, blending)
{
	struct rig r;

	rig_open_samples(&r, KILN_FORMAT_R32G32B32A32_FLOAT, SIZE, 4);
	r.state.BlendState.RenderTarget[0].BlendEnable = true;
	r.state.BlendState.RenderTarget[0].DestBlend = KILN_BLEND_ONE;
	pso(&r, vs_through(ISA_F32, ISA_INTERP_CONSTANT), ps_color(ISA_F32, ISA_INTERP_CONSTANT));
	draw(&r, left, 6);
	draw(&r, left, 6);
	draw(&r, whole, 3);
	run(&r);
	for (unsigned s = 0; s < 4; s++)
		cr_assert_eq(sample_value(r.color, 2, 6, s, 2), s & 1 ? 1 : 3, "sample %u", s);
	rig_close(&r);
}

/* A forced count finds coverage with its own pattern; a target of one sample is written once where any sample is covered.
 * SampleMask is about the target's samples: its bit 0 counts here (FS 3.5.6.2). */
Test(multisample, forced_sample_count)
{
	static const struct { uint32_t count, mask, whole, part; } rows[] = {
		{4, ~0u, 15, 5}, {8, ~0u, 255, 0x3a}, {1, ~0u, 1, 0}, {4, 0xb, 15, 5}, {4, 0xa, 0, 0}};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_pso_desc d;
		struct rig r;

		rig_open(&r, KILN_FORMAT_R32_UINT);
		r.state.RasterizerState.ForcedSampleCount = rows[i].count;
		r.state.SampleMask = rows[i].mask;
		d = (struct kiln_pso_desc){.name = "forced", .state = r.state,
			.VS = shader(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR)),
			.PS = shader(&r, ps_system(ISA_SYS_coverage))};
		r.psos[r.pso_count] = kiln_pso_create(r.device, &d, r.diags);
		cr_assert_not_null(r.psos[r.pso_count]);
		kiln_cmd_pso(r.list, r.psos[r.pso_count++]);
		kiln_cmd_render_targets(r.list, 1, &r.color, NULL);
		draw(&r, left, 6);
		run(&r);
		cr_assert_eq(word(r.color, 0, 1, 0), rows[i].whole ? 0x10000 | rows[i].whole : 0, "row %zu: %x", i, word(r.color, 0, 1, 0));
		cr_assert_eq(word(r.color, 2, 3, 0), rows[i].part ? 0x10000 | rows[i].part : 0, "row %zu: %x", i,
			word(r.color, 2, 3, 0));
		rig_close(&r);
	}
}

/* A PSO without a depth format, as forced counts want it, drawing `left`. */
static void draw_forced(struct rig *r, struct isa_program *ps)
{
	struct kiln_pso_desc d = {.name = "forced", .state = r->state,
		.VS = shader(r, vs_through(ISA_F32, ISA_INTERP_LINEAR)), .PS = shader(r, ps)};

	r->psos[r->pso_count] = kiln_pso_create(r->device, &d, r->diags);
	if (!r->psos[r->pso_count])
		complain(r, "kiln_pso_create");
	kiln_cmd_pso(r->list, r->psos[r->pso_count++]);
	kiln_cmd_render_targets(r->list, 1, &r->color, NULL);
	draw(r, left, 6);
	run(r);
}

/* Under a forced count centroid takes no notice of SampleMask, and alpha and SV_Coverage are about the target's samples (FS
 * 3.5.6.2). Samples 0 and 2 of column 2 are covered; the mask, 5, would take 1 and 3 out. Queries count covered samples. */
Test(multisample, forced_centroid)
{
	struct isa_program *ps = ps_begin(ISA_F32, ISA_INTERP_LINEAR_CENTROID);
	struct rig r;

	rig_open(&r, KILN_FORMAT_R32_FLOAT);
	r.state.RasterizerState.ForcedSampleCount = 4;
	r.state.SampleMask = 1 | 4;
	load(ps, 1, 1, 0);
	ps_export(ps, ISA_F32, 1, 0);
	draw_forced(&r, ps);
	cr_assert_eq(value(r.color, 0, 1, 0), 0.5f, "%g", (double)value(r.color, 0, 1, 0));
	cr_assert_eq(value(r.color, 2, 3, 0), 2.5f - 2 / 16.0f, "%g", (double)value(r.color, 2, 3, 0));
	cr_assert_eq(r.counters.samples_passed, SIZE * (4 + 4 + 2));
	rig_close(&r);
}

/* One forced sample, at the centre, over a target of four: the pixel is covered or not, and what is written of it is up to
 * SampleMask, SV_Coverage and alpha (0.5 of four samples, with a dither of 3/8 at odd x, even y: the first two). */
Test(multisample, one_forced_sample)
{
	static const struct { uint32_t mask, exported; bool alpha; uint32_t written; } rows[] = {
		{~0u, ~0u, false, 15}, {6, ~0u, false, 6}, {~0u, 9, false, 9}, {6, 3, false, 2}, {6, 9, false, 0},
		{~0u, ~0u, true, 3}, {6, ~0u, true, 2}};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct isa_program *ps = ps_begin(ISA_F32, ISA_INTERP_LINEAR);
		struct rig r;

		rig_open_samples(&r, KILN_FORMAT_R32G32B32A32_FLOAT, SIZE, 4);
		r.state.RasterizerState.ForcedSampleCount = 1;
		r.state.SampleMask = rows[i].mask;
		r.state.BlendState.AlphaToCoverageEnable = rows[i].alpha;
		for (unsigned c = 0; c < 4; c++)
			EMIT(ps, mov, V(c), LIT(0x3f000000));
		ps_export(ps, ISA_F32, 15, 0);
		if (rows[i].exported != ~0u) {
			EMIT(ps, exp, IMM(ISA_MRTZ), IMM(ISA_FORM_32_abgr), IMM(4), OFF, OFF, LIT(rows[i].exported), OFF);
			io(ps, ps->outputs, &ps->output_count, "SV_Coverage", ISA_SEM_COVERAGE, ISA_U32, 0, 1);
			ps->flags |= ISA_WRITES_COVERAGE;
		}
		draw_forced(&r, ps);
		for (unsigned s = 0; s < 4; s++) {
			cr_assert_eq(sample_value(r.color, 1, 2, s, 0), rows[i].written >> s & 1 ? 0.5f : 0, "row %zu: sample %u", i, s);
			cr_assert_eq(sample_value(r.color, 2, 2, s, 0), 0, "row %zu: sample %u", i, s);
		}
		rig_close(&r);
	}
}

/* A PSO without targets: SampleMask has nothing to mask (FS 3.5.6.4). With a target of which nothing is written it has. */
Test(multisample, sample_mask_without_targets)
{
	for (int targets = 0; targets < 2; targets++) {
		struct isa_program *ps = program(ISA_PIXEL);
		struct rig r;

		EMIT(ps, mov, V(0), LIT(0));
		rig_open(&r, KILN_FORMAT_R32_FLOAT);
		r.state.NumRenderTargets = (uint32_t)targets;
		r.state.RTVFormats[0] = targets ? KILN_FORMAT_R32_FLOAT : KILN_FORMAT_UNKNOWN;
		r.state.SampleMask = 0;
		draw_forced(&r, ps);
		cr_assert_eq(r.counters.ps_invocations, targets ? 0 : 2 * SIZE, "%d targets: %llu", targets,
			(unsigned long long)r.counters.ps_invocations);
		rig_close(&r);
	}
}

/* ---- resolve ---- */

static void fill(struct kiln_resource *t, const void *samples)
{
	memcpy(t->data, samples, t->size);
}

Test(multisample, resolve)
{
	static const struct { const char *name; uint32_t format, mode, samples, bytes; uint8_t in[32], out[16]; } rows[] = {
		{"unorm", KILN_FORMAT_R8_UNORM, 3, 2, 1, {0, 255}, {128}},      /* 127.5 rounds up */
		{"unorm, 4", KILN_FORMAT_R8_UNORM, 3, 4, 1, {1, 1, 1, 2}, {1}},
		{"unorm, 4", KILN_FORMAT_R8_UNORM, 3, 4, 1, {1, 1, 2, 2}, {2}},
		{"snorm: -128 is -127, ties away", KILN_FORMAT_R8_SNORM, 3, 2, 1, {0x80, 0x82}, {0x81}}, /* -126.5 */
		{"snorm", KILN_FORMAT_R8_SNORM, 3, 2, 1, {0xff, 0x02}, {0x01}}, /* 0.5 */
		{"unorm16", KILN_FORMAT_R16_UNORM, 3, 2, 2, {0xff, 0xff, 0xfe, 0xff}, {0xff, 0xff}},
		{"10:10:10:2", KILN_FORMAT_R10G10B10A2_UNORM, 3, 2, 4, {0xff, 0x03, 0, 0x40, 0, 0, 0, 0xc0}, {0, 0x02, 0, 0x80}},
		{"sRGB: 0 and 1 average to 188, alpha to 128", KILN_FORMAT_R8G8B8A8_UNORM_SRGB, 3, 2, 4,
			{0, 255, 64, 0, 255, 255, 64, 255}, {188, 255, 64, 128}},
		{"half: 1 and 2", KILN_FORMAT_R16_FLOAT, 3, 2, 2, {0, 0x3c, 0, 0x40}, {0, 0x3e}},
		{"half: INF", KILN_FORMAT_R16_FLOAT, 3, 2, 2, {0, 0x7c, 0, 0x40}, {0, 0x7c}},
		{"float: 1 and 1.5", KILN_FORMAT_R32_FLOAT, 3, 2, 4, {0, 0, 0x80, 0x3f, 0, 0, 0xc0, 0x3f}, {0, 0, 0xa0, 0x3f}},
		{"float MAX: NaN loses", KILN_FORMAT_R32_FLOAT, 2, 2, 4, {0, 0, 0xc0, 0x7f, 0, 0, 0x80, 0x3f}, {0, 0, 0x80, 0x3f}},
		{"float MIN", KILN_FORMAT_R32_FLOAT, 1, 2, 4, {0, 0, 0x80, 0xbf, 0, 0, 0x80, 0x3f}, {0, 0, 0x80, 0xbf}},
		{"uint MAX", KILN_FORMAT_R8_UINT, 2, 4, 1, {3, 200, 7, 9}, {200}}, {"uint MIN", KILN_FORMAT_R8_UINT, 1, 4, 1,
			{3, 200, 7, 9}, {3}},
		{"sint MIN", KILN_FORMAT_R8_SINT, 1, 4, 1, {3, 200, 7, 9}, {200}},
		{"D24S8: depth averaged, stencil of sample 0", KILN_FORMAT_D24_UNORM_S8_UINT, 3, 2, 4,
			{1, 0, 0, 7, 4, 0, 0, 9}, {3, 0, 0, 7}},
		{"D24S8 MAX", KILN_FORMAT_D24_UNORM_S8_UINT, 2, 2, 4, {1, 0, 0, 9, 4, 0, 0, 7}, {4, 0, 0, 9}},
		{"D16 MIN", KILN_FORMAT_D16_UNORM, 1, 2, 2, {9, 0, 0, 1}, {9, 0}},
		{"D32S8 MIN", KILN_FORMAT_D32_FLOAT_S8X24_UINT, 1, 2, 8,
			{0, 0, 0x80, 0x3f, 5, 0, 0, 0, 0, 0, 0, 0x3f, 6, 0, 0, 0}, {0, 0, 0, 0x3f, 5, 0, 0, 0}},
		{"two channels", KILN_FORMAT_R8G8_UNORM, 3, 2, 2, {10, 20, 20, 40}, {15, 30}},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_resource *src, *dst;
		struct rig r;

		rig_open(&r, KILN_FORMAT_R8_UNORM);
		src = rig_texture(&r, rows[i].format, 1, rows[i].samples);
		dst = rig_texture(&r, rows[i].format, 1, 1);
		cr_assert_eq(src->size, rows[i].samples * rows[i].bytes);
		fill(src, rows[i].in);
		kiln_cmd_resolve(r.list, dst, src, 0, (enum kiln_resolve_mode)rows[i].mode);
		run(&r);
		for (uint32_t b = 0; b < rows[i].bytes; b++)
			cr_assert_eq(dst->data[b], rows[i].out[b], "%s, byte %u: %u, expected %u", rows[i].name, b, dst->data[b],
				rows[i].out[b]);
		rig_close(&r);
	}
}

/* Typeless textures through a format: as sRGB, 0 and 1 average to 188; as UNORM to 128. Without one it is refused. */
Test(multisample, resolve_through_a_format)
{
	static const struct { uint32_t format; int byte; } rows[] = {{KILN_FORMAT_R8G8B8A8_UNORM_SRGB, 188},
		{KILN_FORMAT_R8G8B8A8_UNORM, 128}, {0, -1}, {KILN_FORMAT_R32_FLOAT, -1}};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_resource *src, *dst;
		struct rig r;

		rig_open(&r, KILN_FORMAT_R8_UNORM);
		src = rig_texture(&r, KILN_FORMAT_R8G8B8A8_TYPELESS, 1, 2);
		dst = rig_texture(&r, KILN_FORMAT_R8G8B8A8_TYPELESS, 1, 1);
		memset(src->data + 4, 255, 4);
		kiln_cmd_resolve(r.list, dst, src, rows[i].format, KILN_RESOLVE_AVERAGE);
		cr_assert_eq(kiln_execute(r.device, r.list, NULL, r.diags), rows[i].byte >= 0, "row %zu", i);
		cr_assert(rows[i].byte < 0 || dst->data[0] == rows[i].byte, "row %zu: %u", i, dst->data[0]);
		rig_close(&r);
	}
}
