/* Pipelines: derivation. Refusals with target, kind, cause and remedy; the design's reference cases word for word; what
 * passes with the mismatch ignored or supersets accepted; and any values at all. */
#include "tests/pso_rig.h"

/* Two patchings of one program differ in export lines alone. */
static bool is_export_line(const char *line) { return strstr(line, "exp ") || strstr(line, "cvt_pk"); }

static void strip_exports(struct buf *text, struct buf *out)
{
	for (char *line = strtok(buf_text(text), "\n"); line; line = strtok(NULL, "\n"))
		if (!is_export_line(line))
			buf_printf(out, "%s\n", line);
}

Test(derive, text_diff_is_exports)
{
	struct setup setup, *s = begin(&setup);
	s->d.RTVFormats[0] = KILN_FORMAT_R16G16B16A16_UNORM;
	struct pipeline *base = create(s);
	cr_assert(base, "%s", all_text(s->diags));
	struct kiln_blend_desc blend = s->d.BlendState;
	blend.RenderTarget[0].BlendEnable = true;
	const struct kiln_derived_pipeline_desc desc = {.BlendState = &blend};
	const struct pipeline_options ignore = {.ignore_export_mismatch = true};
	struct pipeline *p = pipeline_derive(base, "blended", &desc, &ignore, s->diags);
	cr_assert(p, "%s", all_text(s->diags));
	struct isa_program *required = pipeline_required_program(p);
	cr_expect(isa_validate(required, "required", s->diags), "%s", all_text(s->diags));
	struct buf a = {0}, b = {0}, a_rest = {0}, b_rest = {0};
	isa_disassemble(p->ps, &a);
	isa_disassemble(required, &b);
	cr_expect(strcmp(buf_text(&a), buf_text(&b)) != 0);
	strip_exports(&a, &a_rest);
	strip_exports(&b, &b_rest);
	cr_expect(a_rest.size > 20 && strcmp(buf_text(&a_rest), buf_text(&b_rest)) == 0, "%s\n---\n%s", buf_text(&a_rest),
		buf_text(&b_rest));
	buf_finish(&a), buf_finish(&b), buf_finish(&a_rest), buf_finish(&b_rest);
	isa_program_destroy(required);
	pipeline_release(base);
	pipeline_release(p); /* the derived one keeps the base alive */
	end(s);
}

/* ---- derivation ---- */
enum verdict { SAME, GARBAGE, HARMLESS, ALPHA };
static const uint32_t verdict_numbers[] = {0, 3900, 3901, 3905};

/* A base and a derive that differ in blend state alone. Factors 0: the defaults. */
struct side {
	bool blend;
	uint32_t src, dest, mask;
	bool coverage;
};
static const struct {
	const char *what;
	uint32_t format;
	unsigned written;
	struct side base, derived;
	enum verdict verdict;
	const char *words[5]; /* all in the diagnostic's text */
	const char *remedy;
} derives[] = {
	/* the design's reference cases */
	{"float4 to R32G32_FLOAT, then blending that reads alpha", KILN_FORMAT_R32G32_FLOAT, 15, {false, 0, 0, 15, false},
		{true, KILN_BLEND_SRC_ALPHA, KILN_BLEND_ONE, 15, false}, GARBAGE,
		{"target 0", "32_gr RG float32", "32_abgr RGA float32", "CB expects alpha, shader exports none",
			"BlendState.RenderTarget[0].SrcBlend = SRC_ALPHA"},
		"32_abgr RGA float32"},
	{"float4 to R16G16B16A16_UNORM, then blending", KILN_FORMAT_R16G16B16A16_UNORM, 15, {false, 0, 0, 15, false},
		{true, KILN_BLEND_ONE, KILN_BLEND_ONE, 15, false}, GARBAGE,
		{"target 0", "unorm16_abgr RGBA unorm16", "32_abgr RGBA float32", "CB expects 16 or 32-bit float",
			"BlendState.RenderTarget[0].BlendEnable"},
		"leave BlendEnable"},
	{"float2 to R32G32_FLOAT with mask RED, then ALL", KILN_FORMAT_R32G32_FLOAT, 3, {false, 0, 0, 1, false},
		{false, 0, 0, 15, false}, GARBAGE,
		{"target 0", "32_r R float32", "32_gr RG float32", "only red exported, green would be garbage",
			"BlendState.RenderTarget[0].RenderTargetWriteMask"},
		"leave RenderTargetWriteMask"},
	/* what an opaque 8-bit base allows */
	{"RGBA8, then blending", KILN_FORMAT_R8G8B8A8_UNORM, 15, {false, 0, 0, 15, false},
		{true, KILN_BLEND_SRC_ALPHA, KILN_BLEND_INV_SRC_ALPHA, 15, false}, SAME, {NULL}, NULL},
	{"RGBA8, then alpha-to-coverage", KILN_FORMAT_R8G8B8A8_UNORM, 15, {false, 0, 0, 15, false}, {false, 0, 0, 15, true},
		SAME, {NULL}, NULL},
	{"R32_FLOAT, then alpha-to-coverage", KILN_FORMAT_R32_FLOAT, 15, {false, 0, 0, 15, false}, {false, 0, 0, 15, true},
		GARBAGE, {"32_r R float32", "32_ar RA float32", "CB expects alpha", "BlendState.AlphaToCoverageEnable"},
		"AlphaToCoverageEnable"},
	{"R8, then a destination factor that reads alpha", KILN_FORMAT_R8_UNORM, 15, {false, 0, 0, 15, false},
		{true, KILN_BLEND_ONE, KILN_BLEND_INV_SRC_ALPHA, 15, false}, GARBAGE,
		{"fp16_abgr R float16", "fp16_abgr RA float16", "BlendState.RenderTarget[0].DestBlend = INV_SRC_ALPHA"}, NULL},
	{"mask 0, then ALL", KILN_FORMAT_R8G8B8A8_UNORM, 15, {false, 0, 0, 0, false}, {false, 0, 0, 15, false}, GARBAGE,
		{"base exports nothing", "nothing exported, red, green, blue, alpha would be garbage", "RenderTargetWriteMask"},
		NULL},
	{"mask 0, then ALL and blending of a 16-bit norm", KILN_FORMAT_R16_UNORM, 15, {false, 0, 0, 0, false},
		{true, 2, 2, 15, false}, GARBAGE, {"base exports nothing", "RenderTargetWriteMask"}, NULL},
	/* harmless: the base exports more */
	{"mask ALL, then RED", KILN_FORMAT_R32G32_FLOAT, 15, {false, 0, 0, 15, false}, {false, 0, 0, 1, false}, HARMLESS,
		{"target 0", "32_gr RG float32", "32_r R float32", "harmless", "RenderTargetWriteMask"}, "--accept-superset"},
	{"mask ALL, then 0", KILN_FORMAT_R8G8B8A8_UNORM, 15, {false, 0, 0, 15, false}, {false, 0, 0, 0, false}, HARMLESS,
		{"requires nothing", "harmless"}, "--accept-superset"},
	{"alpha read, then not", KILN_FORMAT_R32G32_FLOAT, 15, {true, KILN_BLEND_SRC_ALPHA, KILN_BLEND_ONE, 15, false},
		{true, KILN_BLEND_ONE, KILN_BLEND_ONE, 15, false}, HARMLESS, {"no longer reads source alpha"}, NULL},
	{"16-bit norm blended, then not: float is read as unorm", KILN_FORMAT_R16G16B16A16_UNORM, 15, {true, 2, 2, 15, false},
		{false, 0, 0, 15, false}, GARBAGE,
		{"CB expects 16-bit unorm, shader exports 32-bit float", "BlendEnable, now FALSE"}, NULL},
	/* alpha that HLSL never writes */
	{"float2 to R32G32_FLOAT, then alpha is read", KILN_FORMAT_R32G32_FLOAT, 3, {false, 0, 0, 15, false},
		{true, KILN_BLEND_SRC_ALPHA, KILN_BLEND_ONE, 15, false}, ALPHA,
		{"target 0", "garbage", "CB expects alpha", "SrcBlend = SRC_ALPHA"}, "SV_Target0"},
	{"the base already read alpha that is not there", KILN_FORMAT_R32G32_FLOAT, 3,
		{true, KILN_BLEND_SRC_ALPHA, KILN_BLEND_ONE, 15, false}, {true, KILN_BLEND_ONE, KILN_BLEND_SRC_ALPHA, 15, false},
		SAME, {NULL}, NULL},
};

static void set_side(struct kiln_blend_desc *blend, const struct side *side)
{
	struct kiln_render_target_blend_desc *b = &blend->RenderTarget[0];
	b->BlendEnable = side->blend;
	b->SrcBlend = side->src ? side->src : KILN_BLEND_ONE;
	b->DestBlend = side->dest ? side->dest : KILN_BLEND_ZERO;
	b->RenderTargetWriteMask = side->mask;
	blend->AlphaToCoverageEnable = side->coverage;
}

static void check_verdict(size_t i, const struct pipeline *p, const struct kiln_diags *diags)
{
	uint32_t number = verdict_numbers[derives[i].verdict];
	const struct kiln_diag *g = find(diags, number);
	cr_expect((p != NULL) == (derives[i].verdict == SAME), "%s: %s%s", derives[i].what, p ? "created" : "refused",
		all_text(diags));
	cr_expect(kiln_diags_errors(diags) == (number != 0), "%s:%s", derives[i].what, all_text(diags));
	cr_assert(!number || g, "%s: no %u in%s", derives[i].what, number, all_text(diags));
	if (!g)
		return;
	cr_expect(strstr(g->text, derives[i].verdict == HARMLESS ? "harmless" : "garbage"), "%s: %s", derives[i].what, g->text);
	cr_expect(strstr(g->where, "'derived'") && strstr(g->where, "'base'"), "%s", g->where);
	for (size_t w = 0; w < 5 && derives[i].words[w]; w++)
		cr_expect(strstr(g->text, derives[i].words[w]), "%s: no '%s' in: %s", derives[i].what, derives[i].words[w], g->text);
	cr_expect(!derives[i].remedy || strstr(g->remedy, derives[i].remedy), "%s: no '%s' in: %s", derives[i].what,
		derives[i].remedy, g->remedy);
}

Test(derive, derive_verdicts)
{
	for (size_t i = 0; i < ARRAY_COUNT(derives); i++) {
		const struct output o = {0, derives[i].written, ISA_F32};
		struct setup s;
		start(&s, derives[i].format, &o, 1);
		set_side(&s.d.BlendState, &derives[i].base);
		struct pipeline *base = create(&s);
		cr_assert(base, "%s:%s", derives[i].what, all_text(s.diags));
		struct kiln_blend_desc blend = s.d.BlendState;
		set_side(&blend, &derives[i].derived);
		const struct kiln_derived_pipeline_desc desc = {.BlendState = &blend};

		kiln_diags_clear(s.diags);
		struct pipeline *p = pipeline_derive(base, "derived", &desc, NULL, s.diags);
		check_verdict(i, p, s.diags);
		cr_expect(!p || (p->ps == base->ps && p->vs == base->vs && p->root == base->root && p->base == base &&
							base->references == 2));
		pipeline_release(p);

		kiln_diags_clear(s.diags);
		const struct pipeline_options accept = {.accept_superset = true};
		p = pipeline_derive(base, "derived", &desc, &accept, s.diags);
		cr_expect(
			(p != NULL) == (derives[i].verdict == SAME || derives[i].verdict == HARMLESS), "%s accepted", derives[i].what);
		cr_expect((find(s.diags, 3903) != NULL) == (derives[i].verdict == HARMLESS), "%s", derives[i].what);
		pipeline_release(p);

		kiln_diags_clear(s.diags);
		const struct pipeline_options ignore = {.ignore_export_mismatch = true};
		p = pipeline_derive(base, "derived", &desc, &ignore, s.diags);
		cr_assert(p, "%s ignored:%s", derives[i].what, all_text(s.diags));
		cr_expect((find(s.diags, 3902) != NULL) == (derives[i].verdict != SAME) && kiln_diags_errors(s.diags) == 0, "%s",
			derives[i].what);
		bool differs = derives[i].verdict == GARBAGE || derives[i].verdict == HARMLESS;
		cr_expect(export_same(&p->baked[0], &base->baked[0]) && export_same(&p->baked[0], &p->required[0]) == !differs);
		cr_expect(p->required[0].alpha_missing == (derives[i].verdict == ALPHA || base->baked[0].alpha_missing));
		pipeline_release(p);
		cr_expect(base->references == 1);
		pipeline_release(base);
		end(&s);
	}
}

Test(derive, derive_other_state)
{
	struct setup setup, *s = begin(&setup);
	s->d.DSVFormat = KILN_FORMAT_D32_FLOAT;
	struct pipeline *base = create(s);
	cr_assert(base, "%s", all_text(s->diags));
	struct kiln_rasterizer_desc raster = s->d.RasterizerState;
	struct kiln_depth_stencil_desc depth = s->d.DepthStencilState;
	const uint32_t mask = 0x5555;
	const struct kiln_shader_limits limits = {3, 7};
	raster.CullMode = KILN_CULL_NONE;
	depth.DepthEnable = true;
	struct kiln_derived_pipeline_desc desc = {NULL, &raster, &depth, &mask, &limits};
	struct pipeline *p = pipeline_derive(base, "all", &desc, NULL, s->diags);
	cr_assert(p && kiln_diags_count(s->diags) == 0, "%s", all_text(s->diags));
	cr_expect(p->desc.RasterizerState.CullMode == KILN_CULL_NONE && p->desc.DepthStencilState.DepthEnable);
	cr_expect(p->desc.SampleMask == mask && p->desc.ShaderLimits.VSWaves == 3 && p->desc.ShaderLimits.PSWaves == 7);
	cr_expect(base->desc.SampleMask == 0xffffffff && !base->desc.DepthStencilState.DepthEnable, "the base keeps its state");
	/* its own state is validated */
	raster.CullMode = 9;
	depth.DepthFunc = 77;
	cr_expect(!pipeline_derive(base, "bad", &desc, NULL, s->diags));
	cr_expect(find(s->diags, 3096) && find(s->diags, 3101), "%s", all_text(s->diags));
	/* nothing overridden */
	desc = (struct kiln_derived_pipeline_desc){0};
	struct pipeline *again = pipeline_derive(p, "again", &desc, NULL, s->diags);
	cr_expect(again && again->desc.SampleMask == mask && again->base == base, "state of the derived, base of the base");
	pipeline_release(base);
	pipeline_release(p);
	pipeline_release(again);
	end(s);
}

/* blend on an integer target and second outputs that do not exist are refused, not run */
Test(derive, derive_refuses_its_own_state)
{
	static const struct {
		uint32_t format, type, src, number;
	} rows[] = {
		{KILN_FORMAT_R8G8B8A8_UINT, ISA_U32, KILN_BLEND_ONE, 3676},
		{KILN_FORMAT_R8G8B8A8_UNORM, ISA_F32, KILN_BLEND_SRC1_COLOR, 3913},
		{KILN_FORMAT_R8G8B8A8_UNORM, ISA_F32, 99, 3111},
	};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		const struct output o = {0, 15, rows[i].type};
		struct setup s;
		start(&s, rows[i].format, &o, 1);
		struct pipeline *base = create(&s);
		cr_assert(base, "%s", all_text(s.diags));
		struct kiln_blend_desc blend = s.d.BlendState;
		blend.RenderTarget[0].BlendEnable = true;
		blend.RenderTarget[0].SrcBlend = rows[i].src;
		const struct kiln_derived_pipeline_desc desc = {.BlendState = &blend};
		const struct pipeline_options ignore = {.ignore_export_mismatch = true};
		cr_expect(!pipeline_derive(base, "derived", &desc, &ignore, s.diags));
		cr_expect(find(s.diags, rows[i].number), "%u:%s", rows[i].number, all_text(s.diags));
		cr_expect(base->references == 1);
		pipeline_release(base);
		end(&s);
	}
}

/* A derive from a derive is held against what the first base exports; a second source that a derive newly needs is garbage.
 */
Test(derive, derive_chains_and_second_source)
{
	static const struct output outputs[] = {{0, 15, ISA_F32}, {1, 15, ISA_F32}};
	struct setup s;
	start(&s, KILN_FORMAT_R32G32_FLOAT, outputs, 2);
	struct pipeline *base = create(&s);
	cr_assert(base, "%s", all_text(s.diags));
	struct kiln_blend_desc blend = s.d.BlendState;
	const struct kiln_derived_pipeline_desc desc = {.BlendState = &blend};
	const struct pipeline_options accept = {.accept_superset = true};
	blend.RenderTarget[0].RenderTargetWriteMask = 1;
	struct pipeline *red = pipeline_derive(base, "red", &desc, &accept, s.diags);
	cr_assert(red, "%s", all_text(s.diags));
	cr_expect(red->required[0].form == ISA_FORM_32_r && red->baked[0].form == ISA_FORM_32_gr);
	blend.RenderTarget[0].RenderTargetWriteMask = 15;
	struct pipeline *both = pipeline_derive(red, "both", &desc, NULL, s.diags);
	cr_expect(both && both->base == base, "the base exports green:%s", all_text(s.diags));
	kiln_diags_clear(s.diags);
	blend.RenderTarget[0].BlendEnable = true;
	blend.RenderTarget[0].DestBlend = KILN_BLEND_SRC1_COLOR;
	cr_expect(!pipeline_derive(red, "dual", &desc, NULL, s.diags));
	const struct kiln_diag *g = find(s.diags, 3900);
	cr_expect(g && strstr(g->text, "target 0, second source") && strstr(g->text, "garbage") &&
				  strstr(g->text, "BlendState.RenderTarget[0].DestBlend = SRC1_COLOR"),
		"%s", all_text(s.diags));
	pipeline_release(both);
	pipeline_release(red);
	pipeline_release(base);
	end(&s);
}

/* Each target of several is reported under its own number, with the field that independent blending gives it. */
Test(derive, derive_names_each_target)
{
	static const struct output outputs[] = {{0, 15, ISA_F32}, {1, 15, ISA_F32}, {2, 15, ISA_F32}};
	struct setup s;
	start(&s, KILN_FORMAT_R8G8B8A8_UNORM, outputs, 3);
	s.d.NumRenderTargets = 3;
	s.d.RTVFormats[1] = KILN_FORMAT_R32_FLOAT;
	s.d.RTVFormats[2] = KILN_FORMAT_R16G16_UNORM;
	struct pipeline *base = create(&s);
	cr_assert(base, "%s", all_text(s.diags));
	struct kiln_blend_desc blend = s.d.BlendState;
	blend.IndependentBlendEnable = true;
	blend.RenderTarget[1].BlendEnable = true;
	blend.RenderTarget[1].SrcBlend = KILN_BLEND_SRC_ALPHA;
	blend.RenderTarget[2].BlendEnable = true;
	const struct kiln_derived_pipeline_desc desc = {.BlendState = &blend};
	cr_expect(!pipeline_derive(base, "derived", &desc, NULL, s.diags));
	cr_assert(kiln_diags_count(s.diags) == 2, "%s", all_text(s.diags));
	const struct kiln_diag *a = kiln_diags_get(s.diags, 0), *b = kiln_diags_get(s.diags, 1);
	cr_expect(strstr(a->text, "target 1:") && strstr(a->text, "RenderTarget[1].SrcBlend = SRC_ALPHA"), "%s", a->text);
	cr_expect(strstr(b->text, "target 2:") && strstr(b->text, "RenderTarget[2].BlendEnable"), "%s", b->text);
	pipeline_release(base);
	end(&s);
}

/* ---- any values at all ---- */
static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static uint32_t odd_value(uint32_t *state)
{
	static const uint32_t values[] = {
		0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 31, 32, 33, 255, 256, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
	uint32_t r = next_random(state);
	return r & 1 ? values[(r >> 8) % ARRAY_COUNT(values)] : r >> 8 & 127;
}

#define DESC(field) offsetof(struct kiln_graphics_pipeline_desc, field)
#define BLEND0(field) DESC(BlendState.RenderTarget[0].field)
static const size_t word_fields[] = {BLEND0(SrcBlend), BLEND0(DestBlend), BLEND0(BlendOp), BLEND0(SrcBlendAlpha),
	BLEND0(DestBlendAlpha), BLEND0(BlendOpAlpha), BLEND0(LogicOp), BLEND0(RenderTargetWriteMask),
	DESC(BlendState.RenderTarget[1].RenderTargetWriteMask), DESC(BlendState.RenderTarget[1].SrcBlend), DESC(SampleMask),
	DESC(RasterizerState.FillMode), DESC(RasterizerState.CullMode), DESC(RasterizerState.DepthBias),
	DESC(RasterizerState.DepthBiasClamp), DESC(RasterizerState.SlopeScaledDepthBias),
	DESC(RasterizerState.ForcedSampleCount), DESC(RasterizerState.ConservativeRaster),
	DESC(DepthStencilState.DepthWriteMask), DESC(DepthStencilState.DepthFunc), DESC(DepthStencilState.StencilReadMask),
	DESC(DepthStencilState.FrontFace.StencilFunc), DESC(DepthStencilState.BackFace.StencilPassOp), DESC(NumInputElements),
	DESC(IBStripCutValue), DESC(PrimitiveTopologyType), DESC(NumRenderTargets), DESC(RTVFormats[0]), DESC(RTVFormats[1]),
	DESC(RTVFormats[7]), DESC(DSVFormat), DESC(SampleDesc.Count), DESC(SampleDesc.Quality), DESC(ShaderLimits.VSWaves)};
static const size_t flag_fields[] = {BLEND0(BlendEnable), BLEND0(LogicOpEnable),
	DESC(BlendState.RenderTarget[1].BlendEnable), DESC(BlendState.AlphaToCoverageEnable),
	DESC(BlendState.IndependentBlendEnable), DESC(DepthStencilState.DepthEnable), DESC(DepthStencilState.StencilEnable)};
#define ELEMENT(field) offsetof(struct kiln_input_element_desc, field)
static const size_t element_fields[] = {ELEMENT(SemanticIndex), ELEMENT(Format), ELEMENT(InputSlot),
	ELEMENT(AlignedByteOffset), ELEMENT(InputSlotClass), ELEMENT(InstanceDataStepRate)};

static void disturb(struct setup *s, uint32_t *state)
{
	for (unsigned n = 1 + next_random(state) % 3; n; n--) {
		uint32_t word = odd_value(state), pick = next_random(state);
		bool flag = true;
		if (pick & 1)
			memcpy((char *)&s->d + word_fields[(pick >> 8) % ARRAY_COUNT(word_fields)], &word, sizeof word);
		else if (pick & 2)
			memcpy((char *)&s->d + flag_fields[(pick >> 8) % ARRAY_COUNT(flag_fields)], &flag, sizeof flag);
		else
			memcpy((char *)&s->e[pick >> 2 & 3] + element_fields[(pick >> 8) % ARRAY_COUNT(element_fields)], &word,
				sizeof word);
	}
}

/* Refused exactly when there is an error; what is created holds together, and so does what derives from it. */
Test(derive, any_values)
{
	static const struct output outputs[] = {{0, 15, ISA_F32}, {1, 7, ISA_F32}};
	struct setup s;
	uint32_t state = 1, created = 0, derived = 0;
	for (unsigned i = 0; i < 20000; i++) {
		start(&s, KILN_FORMAT_R16G16B16A16_UNORM, outputs, 2);
		disturb(&s, &state);
		s.policy = (enum kiln_export_policy)(i % 3);
		struct pipeline *p = create(&s);
		cr_assert((p == NULL) == (kiln_diags_errors(s.diags) > 0), "%u:%s", i, all_text(s.diags));
		if (p) {
			cr_assert(isa_validate(p->ps, "patched", s.diags), "%u:%s", i, all_text(s.diags));
			disturb(&s, &state);
			const struct kiln_derived_pipeline_desc desc = {
				&s.d.BlendState, &s.d.RasterizerState, &s.d.DepthStencilState, &s.d.SampleMask, &s.d.ShaderLimits};
			const struct pipeline_options options = {.ignore_export_mismatch = i & 1, .accept_superset = i & 2};
			kiln_diags_clear(s.diags);
			struct pipeline *q = pipeline_derive(p, "derived", &desc, &options, s.diags);
			cr_assert((q == NULL) == (kiln_diags_errors(s.diags) > 0), "%u:%s", i, all_text(s.diags));
			for (unsigned t = 0; q && t < 8 && !options.ignore_export_mismatch && !options.accept_superset; t++)
				cr_assert(export_same(&q->baked[t], &q->required[t]), "%u target %u", i, t);
			struct isa_program *required = q ? pipeline_required_program(q) : NULL;
			cr_assert(!required || isa_validate(required, "required", s.diags), "%u:%s", i, all_text(s.diags));
			isa_program_destroy(required);
			pipeline_release(q);
			derived += q != NULL;
		}
		pipeline_release(p);
		created += p != NULL;
		end(&s);
	}
	cr_expect(
		created > 2000 && created < 18000 && derived > 500 && derived < created, "%u created, %u derived", created, derived);
}
