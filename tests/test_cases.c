/* Public bug reports as tests, part A: export choice and the colour state of PSOs. What a derive cannot override (target
 * formats, sample count) is a full PSO for the pixels; a derive that would need another export is refused. */
#include "tests/cases.h"
#include "sim/cache.h"

static const uint32_t white[1][4] = {{ONE, ONE, ONE, ONE}};

/* A pixel program that writes these targets, each the constant COLOR. */
static struct isa_program *ps_targets(unsigned targets, uint8_t type)
{
	struct isa_program *p = program(ISA_PIXEL);

	io(p, p->inputs, &p->input_count, "SV_Position", ISA_SEM_POSITION, ISA_F32, ISA_INTERP_NOPERSPECTIVE, 4);
	io(p, p->inputs, &p->input_count, "COLOR", ISA_SEM_ARBITRARY, type, ISA_INTERP_CONSTANT, 4);
	load(p, 1, 4, 0);
	for (uint32_t i = 0; i < 8; i++) {
		if (!(targets >> i & 1))
			continue;
		io(p, p->outputs, &p->output_count, "SV_Target", ISA_SEM_TARGET, type, 0, 4);
		p->outputs[p->output_count - 1].index = p->outputs[p->output_count - 1].reg = i;
		EMIT(p, exp_sym, IMM(ISA_MRT0 + i), IMM(type), IMM(15), V(0), V(1), V(2), V(3));
	}
	return p;
}

static struct isa_program *vs(void) { return vs_through(ISA_F32, ISA_INTERP_CONSTANT); }

/* A target of the rig's size, each texel set to these bytes. */
static struct kiln_resource *target(struct rig *r, uint32_t format, const void *texel)
{
	struct kiln_resource *t = rig_texture(r, format, SIZE, 1);

	preset(t, texel);
	return t;
}

/* A target without alpha still has coverage from alpha. */
Test(cases, C03_alpha_to_coverage_without_target_alpha)
{
	static const struct { uint32_t alpha; unsigned least, most; } rows[] = {
		{0, 0, 0}, {0xbf800000, 0, 0}, {NAN_BITS, 0, 0}, {HALF, 1, 3}, {ONE, 4, 4}, {0x40000000, 4, 4}};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		const uint32_t color[1][4] = {{ONE, 0, 0, rows[i].alpha}};
		unsigned written = 0;
		struct rig r;

		rig_open_samples(&r, F(R8_UNORM), 1, 4);
		memset(r.color->data, 7, r.color->size);
		r.state.BlendState.AlphaToCoverageEnable = true;
		use_constant_pso(&r, F(R8_UNORM));
		shoot(&r, color, 1);
		run(&r);
		for (unsigned s = 0; s < 4; s++) {
			cr_assert(r.color->data[s] == 7 || r.color->data[s] == 0xff);
			written += r.color->data[s] == 0xff;
		}
		cr_assert(written >= rows[i].least && written <= rows[i].most, "row %zu: %u samples", i, written);
		rig_close(&r);
	}
}

/* The named, bounded price of FP16: 512 for an ideal 513, 223 for 224. Grid values come back exactly. */
Test(cases, C05_half_export_of_unorm)
{
	static uint32_t colors[1024][4];
	struct rig r;

	rig_open_sized(&r, F(R10G10B10A2_UNORM), 32);
	for (unsigned k = 0; k < 1024; k++)
		for (unsigned c = 0; c < 3; c++)
			colors[k][c] = float_bits((float)(k / 1023.0));
	use_constant_pso(&r, F(R10G10B10A2_UNORM));
	shoot(&r, (const uint32_t (*)[4])colors, 1024);
	run(&r);
	for (unsigned k = 0; k < 1024; k++) {
		uint32_t texel;

		memcpy(&texel, texel_of(r.color, k), 4);
		cr_assert_eq(texel, k | k << 10 | k << 20, "%u: %08x", k, texel);
	}
	rig_close(&r);
	rig_open_sized(&r, F(R8_UNORM), 17);
	for (unsigned k = 0; k < 256; k++)
		colors[k][0] = float_bits((float)(k / 255.0));
	colors[256][0] = 0x3F607F38;
	use_constant_pso(&r, F(R8_UNORM));
	shoot(&r, (const uint32_t (*)[4])colors, 257);
	run(&r);
	for (unsigned k = 0; k < 256; k++)
		cr_assert_eq(*texel_of(r.color, k), k, "%u: %u", k, *texel_of(r.color, k));
	cr_assert_eq(*texel_of(r.color, 256), 223);
	rig_close(&r);
	rig_open(&r, F(R10G10B10A2_UNORM));
	colors[0][0] = 0x3F005F74;
	use_constant_pso(&r, F(R10G10B10A2_UNORM));
	shoot(&r, (const uint32_t (*)[4])colors, 1);
	run(&r);
	cr_assert_eq(word(r.color, 0, 0, 0), float_bits((float)(512 / 1023.0)));
	rig_close(&r);
}

/* Target 1 blends and is not written by the shader: it stays, without an error. */
Test(cases, C07_fewer_outputs_than_targets)
{
	const struct kiln_render_target_blend_desc one = ALL(ONE, ONE, ADD);
	struct kiln_resource *t[2];
	struct rig r;

	rig_open(&r, F(R8G8B8A8_UNORM));
	t[0] = target(&r, F(R8G8B8A8_UNORM), "\x40\x40\x40\x40");
	t[1] = target(&r, F(R8G8B8A8_UNORM), "\x40\x40\x40\x40");
	r.state.NumRenderTargets = 2;
	r.state.RTVFormats[1] = F(R8G8B8A8_UNORM);
	r.state.BlendState.IndependentBlendEnable = true;
	r.state.BlendState.RenderTarget[1] = one;
	pso(&r, vs(), ps_targets(1, ISA_F32));
	kiln_cmd_render_targets(r.list, 2, t, NULL);
	shoot(&r, white, 1);
	run(&r);
	cr_assert(!memcmp(texel_of(t[0], 0), "\xff\xff\xff\xff", 4));
	for (unsigned k = 0; k < SIZE * SIZE; k++)
		cr_assert(!memcmp(texel_of(t[1], k), "\x40\x40\x40\x40", 4));
	cr_assert_eq(kiln_diags_errors(r.diags), 0);
	rig_close(&r);
}

/* Without a pixel shader colour stays, whatever is bound; without depth and stencil too, nothing is rasterised. */
Test(cases, C08_target_but_no_pixel_shader)
{
	for (int depth = 0; depth < 2; depth++) {
		struct kiln_resource *t;
		struct rig r;

		rig_open(&r, F(R8G8B8A8_UNORM));
		t = target(&r, F(R16_FLOAT), "\x12\x34");
		r.state.DepthStencilState.DepthEnable = depth;
		pso(&r, vs(), NULL);
		kiln_cmd_render_targets(r.list, 1, &t, r.depth);
		shoot(&r, white, 1);
		run(&r);
		cr_assert(!memcmp(texel_of(t, 0), "\x12\x34", 2));
		cr_assert_eq(value(r.depth, 0, 0, 0), depth ? 0.5f : 1);
		cr_assert_eq(r.counters.primitives_out, (uint64_t)depth);
		cr_assert_eq(r.counters.primitives_clipper, (uint64_t)depth);
		rig_close(&r);
	}
}

/* The mask names channels that the format has not: they are as if masked. */
Test(cases, C09_mask_outside_the_format)
{
	for (int i = 0; i < 6; i++) {
		struct rig r;
		struct isa_program *ps = ps_begin(ISA_F32, ISA_INTERP_CONSTANT);
		bool both = i >= 4; /* GREEN | BLUE */
		struct kiln_render_target_blend_desc b = ALL(ONE, ONE, ADD);

		b.BlendEnable = i & 1 && !both;
		b.RenderTargetWriteMask = both ? 6 : 4;
		rig_open(&r, F(R8G8_UNORM));
		preset(r.color, (const uint8_t[2]){10, 20});
		r.state.BlendState.RenderTarget[0] = b;
		load(ps, 1, 4, 0);
		ps_export(ps, ISA_F32, i & 2 ? 3 : 15, 0); /* with what is not stored, and without */
		pso(&r, vs(), ps);
		shoot(&r, white, 1);
		run(&r);
		cr_assert_eq(texel_of(r.color, 0)[0], 10);
		cr_assert_eq(texel_of(r.color, 0)[1], both ? 255 : 20, "row %d", i);
		rig_close(&r);
	}
}

Test(cases, C10_masked_channel_is_read)
{
	struct kiln_render_target_blend_desc b = ALL(DEST_ALPHA, ZERO, ADD);
	struct rig r;

	b.RenderTargetWriteMask = 1;
	rig_open(&r, F(R8G8B8A8_UNORM));
	preset(r.color, "\x20\x40\x60\x80");
	r.state.BlendState.RenderTarget[0] = b;
	use_constant_pso(&r, F(R8G8B8A8_UNORM));
	shoot(&r, white, 1);
	run(&r);
	cr_assert(!memcmp(texel_of(r.color, 0), "\x80\x40\x60\x80", 4));
	rig_close(&r);
}

/* Slots 1 to 7 are not looked at. */
Test(cases, C11_garbage_in_slots_that_do_not_count)
{
	struct kiln_resource *t[2];
	struct rig r;

	rig_open(&r, F(R8G8B8A8_UNORM));
	t[0] = target(&r, F(R8G8B8A8_UNORM), "\0\0\0\0");
	t[1] = target(&r, F(R8G8B8A8_UNORM), "\0\0\0\0");
	r.state.NumRenderTargets = 2;
	r.state.RTVFormats[1] = F(R8G8B8A8_UNORM);
	for (int i = 1; i < 8; i++) {
		struct kiln_render_target_blend_desc garbage = {true, true, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
		r.state.BlendState.RenderTarget[i] = garbage;
	}
	pso(&r, vs(), ps_targets(3, ISA_F32));
	kiln_cmd_render_targets(r.list, 2, t, NULL);
	shoot(&r, white, 1);
	run(&r);
	cr_assert(!memcmp(texel_of(t[0], 0), "\xff\xff\xff\xff", 4));
	cr_assert(!memcmp(texel_of(t[1], 0), "\xff\xff\xff\xff", 4));
	rig_close(&r);
}

Test(cases, C12_formats_past_the_count)
{
	struct rig r;

	rig_open(&r, F(R8G8B8A8_UNORM));
	r.state.RTVFormats[1] = F(R8G8B8A8_UNORM);
	expect_pso(&r, ps_color(ISA_F32, ISA_INTERP_LINEAR), 3655, "C12 entry 1 set");
	r.state.RTVFormats[1] = F(UNKNOWN);
	expect_pso(&r, ps_color(ISA_F32, ISA_INTERP_LINEAR), 0, "C12 entry 1 unknown");
	rig_close(&r);
}

/* Refused: neither format wins, and nothing is drawn. */
Test(cases, C13_view_of_another_format)
{
	struct kiln_resource *t;
	struct rig r;

	rig_open(&r, F(R8G8B8A8_UNORM));
	t = target(&r, F(R8G8B8A8_UNORM_SRGB), "\1\2\3\4");
	use_constant_pso(&r, F(R8G8B8A8_UNORM));
	kiln_cmd_render_targets(r.list, 1, &t, NULL);
	shoot(&r, white, 1);
	cr_assert_not(kiln_execute(r.device, r.list, &r.counters, r.diags));
	cr_assert(kiln_diags_has(r.diags, DIAG_RENDER_TARGET_FORMAT_MISMATCH_PIPELINE_STATE));
	cr_assert(!memcmp(texel_of(t, 0), "\1\2\3\4", 4));
	rig_close(&r);
}

/* Full PSOs have the pixels; derives of a base that exports red and green alone are refused, since alpha would be
 * garbage. */
Test(cases, C14_state_that_newly_reads_alpha)
{
	static const uint32_t color[1][4] = {{ONE, ONE, ONE, 0}};
	const struct kiln_render_target_blend_desc by_alpha = ALL(SRC_ALPHA, ZERO, ADD);

	for (int i = 0; i < 3; i++) {
		struct kiln_device *strict = kiln_device_create(NULL);
		struct kiln_diags *diags = kiln_diags_create();
		struct kiln_pso_desc base;
		struct kiln_pso *p, *derived;
		struct kiln_blend_desc blend;
		struct rig r;

		rig_open_samples(&r, i == 2 ? F(R8G8B8A8_UNORM) : F(R8G8_UNORM), SIZE, i == 0 ? 4 : 1);
		memset(r.color->data, 0x77, r.color->size);
		base = (struct kiln_pso_desc){.name = "base", .state = r.state, .VS = shader(&r, vs()),
			.PS = shader(&r, ps_color(ISA_F32, ISA_INTERP_CONSTANT))};
		base.state.BlendState.RenderTarget[0].RenderTargetWriteMask = i == 2 ? 3 : 15;
		blend = base.state.BlendState;
		blend.AlphaToCoverageEnable = i == 0;
		if (i == 1)
			blend.RenderTarget[0] = by_alpha;
		blend.RenderTarget[0].RenderTargetWriteMask = 15;
		p = kiln_pso_create(strict, &base, diags);
		cr_assert_not_null(p);
		derived = kiln_pso_derive(strict, p, "derived", &(struct kiln_derived_pipeline_desc){.BlendState = &blend}, diags);
		cr_assert_null(derived);
		cr_assert(kiln_diags_has(diags, DIAG_EXPORT_MISMATCH_GARBAGE));
		kiln_pso_destroy(p);
		r.state.BlendState = blend;
		use_constant_pso(&r, r.state.RTVFormats[0]);
		shoot(&r, color, 1);
		run(&r);
		if (i == 0)
			for (unsigned b = 0; b < 8; b++)
				cr_assert_eq(r.color->data[b], 0x77, "alpha 0 covers no sample");
		else
			cr_assert(!memcmp(texel_of(r.color, 0), i == 1 ? "\0\0" : "\xff\xff\xff\0", i == 1 ? 2 : 4), "row %d", i);
		rig_close(&r);
		kiln_diags_destroy(diags);
		kiln_device_destroy(strict);
	}
}

/* Integer targets do not blend; whether the shader has that output decides, not the mask. */
Test(cases, C15_blending_an_integer_target)
{
	const struct kiln_render_target_blend_desc add = ALL(ONE, ONE, ADD);
	struct rig r;

	rig_open(&r, F(R32_UINT));
	r.state.BlendState.RenderTarget[0] = add;
	expect_pso(&r, ps_targets(2, ISA_F32), 0, "C15 i: no SV_Target0");
	expect_pso(&r, ps_color(ISA_U32, ISA_INTERP_LINEAR), 3676, "C15 iii: mask ALL");
	r.state.BlendState.RenderTarget[0].RenderTargetWriteMask = 0;
	expect_pso(&r, ps_color(ISA_U32, ISA_INTERP_LINEAR), 3676, "C15 ii: mask 0");
	rig_close(&r);
}

/* The clean refusal: SRC1 factors need both outputs. */
Test(cases, C17_dual_source_with_one_output)
{
	struct kiln_render_target_blend_desc b = BLEND(SRC_COLOR, ZERO, ADD, SRC1_ALPHA, ZERO, ADD);
	struct rig r;

	rig_open(&r, F(R8G8B8A8_UNORM));
	r.state.BlendState.RenderTarget[0] = b;
	expect_pso(&r, ps_targets(1, ISA_F32), DIAG_DUAL_SOURCE_OUTPUT_MISSING, "C17 one output");
	expect_pso(&r, ps_targets(3, ISA_F32), 0, "C17 both outputs");
	rig_close(&r);
}

Test(cases, C18_colour_factor_in_an_alpha_slot)
{
	static const uint32_t bad[] = {KILN_BLEND_INV_SRC1_COLOR, KILN_BLEND_SRC_COLOR, KILN_BLEND_DEST_COLOR};
	static const uint32_t color[1][4] = {{ONE, ONE, ONE, HALF}};
	struct kiln_render_target_blend_desc b = ALL(ONE, ZERO, ADD);
	struct rig r;

	rig_open(&r, F(R8G8B8A8_UNORM));
	r.state.BlendState.RenderTarget[0] = b;
	for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
		r.state.BlendState.RenderTarget[0].DestBlendAlpha = bad[i];
		expect_pso(&r, ps_targets(3, ISA_F32), 3115, "C18 colour factor");
	}
	r.state.BlendState.RenderTarget[0].DestBlendAlpha = KILN_BLEND_ZERO;
	r.state.BlendState.RenderTarget[0].SrcBlendAlpha = KILN_BLEND_SRC_ALPHA_SAT; /* 1 */
	use_constant_pso(&r, F(R8G8B8A8_UNORM));
	shoot(&r, color, 1);
	run(&r);
	cr_assert_eq(texel_of(r.color, 0)[3], 128);
	rig_close(&r);
}

Test(cases, C19_constant_alpha)
{
	struct kiln_render_target_blend_desc rows[] = {BLEND(ZERO, INV_ALPHA_FACTOR, ADD, ZERO, INV_BLEND_FACTOR, ADD),
		BLEND(ZERO, INV_BLEND_FACTOR, ADD, ZERO, INV_BLEND_FACTOR, ADD)};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct rig r;

		rig_open(&r, F(R8G8B8A8_UNORM));
		preset(r.color, "\xff\xff\xff\xff");
		r.state.BlendState.RenderTarget[0] = rows[i];
		kiln_cmd_blend_factor(r.list, (const float[4]){0.5f, 0.5f, 0.5f, 0.25f});
		use_constant_pso(&r, F(R8G8B8A8_UNORM));
		shoot(&r, white, 1);
		run(&r);
		cr_assert(!memcmp(texel_of(r.color, 0), i ? "\x80\x80\x80\xbf" : "\xbf\xbf\xbf\xbf", 4), "row %zu", i);
		rig_close(&r);
	}
}

/* Formats that cannot be rendered to count as not bound, with a warning; UNKNOWN in slot 0 leaves its resource alone. */
Test(cases, C57_odd_target_formats)
{
	static const uint32_t odd[] = {F(BC6H_UF16), F(R32_TYPELESS), F(UNKNOWN)};

	for (size_t i = 0; i < ARRAY_COUNT(odd); i++) {
		struct kiln_resource *t[3];
		struct rig r;

		rig_open(&r, F(R8G8B8A8_UNORM));
		for (int k = 0; k < 3; k++) {
			t[k] = target(&r, F(R8G8B8A8_UNORM), "\x11\x22\x33\x44");
			r.state.RTVFormats[k] = k ? F(R8G8B8A8_UNORM) : odd[i];
		}
		r.state.NumRenderTargets = 3;
		pso(&r, vs(), ps_targets(7, ISA_F32));
		cr_assert_eq(kiln_diags_has(r.diags, DIAG_RENDER_TARGET_FORMAT_NOT_RENDERABLE), odd[i] != F(UNKNOWN));
		kiln_cmd_render_targets(r.list, 3, t, NULL);
		shoot(&r, white, 1);
		run(&r);
		for (int k = 0; k < 3; k++)
			cr_assert(!memcmp(texel_of(t[k], 0), k ? "\xff\xff\xff\xff" : "\x11\x22\x33\x44", 4), "row %zu, target %d",
				i, k);
		rig_close(&r);
	}
}

/* A full PSO has D3D12's defaults; a derive that names no part has the base's. */
Test(cases, C71_defaults)
{
	struct kiln_graphics_pipeline_desc d = kiln_graphics_pipeline_default();
	const struct kiln_render_target_blend_desc *b = d.BlendState.RenderTarget;
	const struct kiln_graphics_pipeline_desc *derived;
	struct kiln_pso *base;
	struct rig r;

	for (int i = 0; i < 8; i++)
		cr_assert(!b[i].BlendEnable && !b[i].LogicOpEnable && b[i].SrcBlend == KILN_BLEND_ONE &&
			b[i].DestBlend == KILN_BLEND_ZERO && b[i].BlendOp == KILN_BLEND_OP_ADD && b[i].SrcBlendAlpha == KILN_BLEND_ONE &&
			b[i].DestBlendAlpha == KILN_BLEND_ZERO && b[i].BlendOpAlpha == KILN_BLEND_OP_ADD &&
				b[i].RenderTargetWriteMask == 15);
	cr_assert(d.RasterizerState.CullMode == KILN_CULL_BACK && d.RasterizerState.FillMode == KILN_FILL_SOLID);
	cr_assert(d.RasterizerState.DepthClipEnable && !d.RasterizerState.FrontCounterClockwise);
	cr_assert(d.DepthStencilState.DepthEnable && d.DepthStencilState.DepthFunc == KILN_COMPARISON_LESS);
	cr_assert(d.DepthStencilState.DepthWriteMask == 1 && !d.DepthStencilState.StencilEnable);
	cr_assert(d.SampleDesc.Count == 1 && d.SampleMask == ~0u && d.NumRenderTargets == 0);
	rig_open(&r, F(R8G8B8A8_UNORM));
	r.state.RasterizerState.CullMode = KILN_CULL_FRONT;
	r.state.SampleMask = 5;
	base = pso(&r, vs(), ps_targets(1, ISA_F32));
	r.psos[r.pso_count] = kiln_pso_derive(r.device, base, "derived", &(struct kiln_derived_pipeline_desc){0}, r.diags);
	cr_assert_not_null(r.psos[r.pso_count]);
	derived = &sim_pso_pipeline(r.psos[r.pso_count++])->desc;
	cr_assert(derived->RasterizerState.CullMode == KILN_CULL_FRONT && derived->SampleMask == 5 &&
		derived->NumRenderTargets == 1);
	rig_close(&r);
}

static uint64_t hash_of(const struct kiln_cache_request *r)
{
	struct buf key = {0};
	uint64_t hash;

	cache_key(r, &key);
	hash = cache_hash(key.data, key.size);
	buf_finish(&key);
	return hash;
}

/* What is not looked at leaves hash and code alone; what is used changes the hash. */
Test(cases, C69_hash_of_used_state_alone)
{
	struct kiln_cache_request base = {.state = kiln_graphics_pipeline_default(), .VS = "vs", .VS_size = 2, .PS = "ps",
		.PS_size = 2, .root_signature = "rs", .root_signature_size = 2}, r;
	struct kiln_graphics_pipeline_desc *d = &r.state;
	uint64_t hashes[9], plain;

	base.state.NumRenderTargets = 2;
	base.state.RTVFormats[0] = base.state.RTVFormats[1] = F(R8G8B8A8_UNORM);
	plain = hash_of(&base);
	for (int i = 0; i < 7; i++) {
		char *text, *same;
		struct rig rig;

		r = base;
		switch (i) {
		case 0: d->BlendState.RenderTarget[0].SrcBlend = KILN_BLEND_SRC_ALPHA; break;
		case 1: d->BlendState.RenderTarget[0].BlendOpAlpha = 99; break;
		case 2: d->DepthStencilState.FrontFace.StencilPassOp = KILN_STENCIL_INVERT; break;
		case 3: d->DepthStencilState.StencilReadMask = 1; break;
		case 4: d->BlendState.RenderTarget[1].RenderTargetWriteMask = 3; break;
		case 5: d->BlendState.RenderTarget[7].BlendEnable = true; break; /* C11 */
		case 6: d->BlendState.RenderTarget[0].LogicOp = KILN_LOGIC_OP_XOR; break;
		}
		cr_assert_eq(hash_of(&r), plain, "ignored field %d", i);
		rig_open(&rig, F(R8G8B8A8_UNORM));
		rig.state.BlendState = base.state.BlendState;
		text = kiln_pso_disassemble(pso(&rig, vs(), ps_targets(3, ISA_F32)), false);
		rig.state.BlendState = d->BlendState;
		same = kiln_pso_disassemble(pso(&rig, vs(), ps_targets(3, ISA_F32)), false);
		cr_assert_str_eq(text, same, "ignored field %d", i);
		free(text);
		free(same);
		rig_close(&rig);
	}
	for (int i = 0; i < 9; i++) {
		r = base;
		switch (i) {
		case 0: d->BlendState.RenderTarget[0].RenderTargetWriteMask = 7; break;
		case 1: d->BlendState.AlphaToCoverageEnable = true; break;
		case 2: d->RTVFormats[1] = F(R8G8B8A8_UNORM_SRGB); break;
		case 3: d->SampleDesc.Count = 4; break;
		case 4: r.root_signature = "RS"; break;
		case 5: d->BlendState.RenderTarget[0].BlendEnable = true; break;
		case 6:
			d->BlendState.RenderTarget[0].BlendEnable = true;
			d->BlendState.RenderTarget[0].DestBlend = KILN_BLEND_ONE;
			break;
		case 7: d->DepthStencilState.DepthFunc = KILN_COMPARISON_ALWAYS; break;
		case 8: r.PS = "PS"; break;
		}
		hashes[i] = hash_of(&r);
		cr_assert_neq(hashes[i], plain, "used field %d", i);
		for (int k = 0; k < i; k++)
			cr_assert_neq(hashes[i], hashes[k], "used fields %d and %d", i, k);
	}
}

/* Any values in the fields that are numbers, NaN and -0 among them: what is read back writes the same bytes. */
Test(cases, C70_description_there_and_back)
{
	uint64_t seed = 1;

	for (int round = 0; round < 64; round++) {
		struct kiln_graphics_pipeline_desc d = kiln_graphics_pipeline_default(), back;
		float *const floats[] = {&d.RasterizerState.DepthBias, &d.RasterizerState.DepthBiasClamp,
			&d.RasterizerState.SlopeScaledDepthBias};
		uint32_t *const words[] = {&d.SampleMask, &d.RTVFormats[0], &d.RTVFormats[7], &d.DSVFormat, &d.NumRenderTargets,
			&d.BlendState.RenderTarget[3].SrcBlend, &d.BlendState.RenderTarget[7].RenderTargetWriteMask,
			&d.DepthStencilState.FrontFace.StencilFunc, &d.DepthStencilState.BackFace.StencilPassOp, &d.SampleDesc.Count,
			&d.SampleDesc.Quality, &d.ShaderLimits.VSWaves, &d.IBStripCutValue, &d.RasterizerState.ForcedSampleCount};
		static const uint32_t special[] = {0x7fc00000, 0x80000000, 0xff800000, 0x7f800001, 1};
		struct buf first = {0}, second = {0};
		struct arena arena = {0};

		for (size_t i = 0; i < ARRAY_COUNT(words); i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			*words[i] = (uint32_t)(seed >> 32);
		}
		for (size_t i = 0; i < ARRAY_COUNT(floats); i++)
			*floats[i] = bits_float(special[(unsigned)round % 5 + i < 5 ? (unsigned)round % 5 + i : i]);
		graphics_desc_write(&d, &first);
		struct reader r = {.data = first.data, .size = first.size};
		cr_assert(graphics_desc_read(&r, &arena, &back));
		graphics_desc_write(&back, &second);
		cr_assert(first.size == second.size && !memcmp(first.data, second.data, first.size), "round %d", round);
		cr_assert_eq(float_bits(back.RasterizerState.DepthBias), float_bits(d.RasterizerState.DepthBias));
		buf_finish(&first);
		buf_finish(&second);
		arena_finish(&arena);
	}
}
