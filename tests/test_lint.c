/* Lint: what is warned of each state, by hand; nothing is said of states that are fine. */
#include "tests/pso_rig.h"

enum {
	ONE = KILN_BLEND_ONE,
	ZERO = KILN_BLEND_ZERO,
	SRC_ALPHA = KILN_BLEND_SRC_ALPHA,
	INV_SRC_ALPHA = KILN_BLEND_INV_SRC_ALPHA
};
enum { UNWRITTEN = 6101, MASKED = 6102, ALPHA = 6103, SLOW = 6104, NEUTRAL = 6105 };

/* One target on a program that writes these channels of it; factors for colour, ONE and ZERO for alpha. */
static const struct {
	const char *what;
	uint32_t format, written, mask;
	bool blend;
	uint32_t src, dest;
	bool coverage;
	uint32_t samples;
	bool opaque;                       /* alpha is the literal 1 */
	uint32_t numbers[3];               /* of lint */
	const char *words;                 /* of the first one's text */
} states[] = {
	{"plain", KILN_FORMAT_R8G8B8A8_UNORM, 15, 15, false, ONE, ZERO, false, 1, false, {0}, NULL},
	{"over", KILN_FORMAT_R8G8B8A8_UNORM, 15, 15, true, SRC_ALPHA, INV_SRC_ALPHA, false, 1, false, {0}, NULL},
	{"fp16 of 32 bits", KILN_FORMAT_R16G16_FLOAT, 15, 15, true, ONE, ONE, false, 1, false, {0}, NULL},
	/* nobody writes it */
	{"no output", KILN_FORMAT_R8G8B8A8_UNORM, 0, 15, false, ONE, ZERO, false, 1, false, {UNWRITTEN}, "SV_Target0"},
	{"no output, masked", KILN_FORMAT_R8G8B8A8_UNORM, 0, 0, false, ONE, ZERO, false, 1, false, {0}, NULL},
	{"no output that is stored", KILN_FORMAT_R8_UNORM, 0, 14, false, ONE, ZERO, false, 1, false, {0}, NULL},
	/* computed and masked */
	{"mask red", KILN_FORMAT_R8G8B8A8_UNORM, 15, 1, false, ONE, ZERO, false, 1, false, {MASKED}, "computes GBA"},
	{"mask nothing", KILN_FORMAT_R8G8B8A8_UNORM, 15, 0, false, ONE, ZERO, false, 1, false, {MASKED}, "computes RGBA"},
	{"masked and not written", KILN_FORMAT_R8G8B8A8_UNORM, 1, 1, false, ONE, ZERO, false, 1, false, {0}, NULL},
	{"masked and not stored", KILN_FORMAT_R32G32_FLOAT, 15, 3, false, ONE, ZERO, false, 1, false, {0}, NULL},
	{"alpha masked, but read", KILN_FORMAT_R8G8B8A8_UNORM, 15, 7, true, SRC_ALPHA, ONE, false, 1, false, {0}, NULL},
	/* alpha for nothing */
	{"coverage of one sample", KILN_FORMAT_R11G11B10_FLOAT, 15, 15, false, ONE, ZERO, true, 1, false, {ALPHA}, "one sample"},
	{"coverage of four", KILN_FORMAT_R11G11B10_FLOAT, 15, 15, false, ONE, ZERO, true, 4, false, {0}, NULL},
	{"alpha 1 blended", KILN_FORMAT_R11G11B10_FLOAT, 15, 15, true, SRC_ALPHA, INV_SRC_ALPHA, false, 1, true, {ALPHA},
		"is 1"},
	{"alpha blended", KILN_FORMAT_R11G11B10_FLOAT, 15, 15, true, SRC_ALPHA, INV_SRC_ALPHA, false, 1, false, {0}, NULL},
	{"alpha 1 stored", KILN_FORMAT_R8G8B8A8_UNORM, 15, 15, true, SRC_ALPHA, INV_SRC_ALPHA, false, 1, true, {0}, NULL},
	/* rates: 64-bit targets 1/2, 128-bit 1/4, 32_abgr 1/2, the rest 1 */
	{"64 bits", KILN_FORMAT_R16G16B16A16_FLOAT, 15, 15, true, ONE, ONE, false, 1, false, {SLOW},
		"1/2 of the full rate: 64-bit"},
	{"64 bits, not blended", KILN_FORMAT_R16G16B16A16_FLOAT, 15, 15, false, ONE, ONE, false, 1, false, {0}, NULL},
	{"128 bits", KILN_FORMAT_R32G32B32A32_FLOAT, 15, 15, true, ONE, ONE, false, 1, false, {SLOW}, "1/4 of the full rate"},
	{"32 bits by 32_abgr", KILN_FORMAT_R16G16_UNORM, 15, 15, true, SRC_ALPHA, ONE, false, 1, false, {SLOW}, "32_abgr"},
	{"32 bits by 32_gr", KILN_FORMAT_R16G16_UNORM, 15, 15, true, ONE, ONE, false, 1, false, {0}, NULL},
	/* blending that does nothing */
	{"one, zero, add", KILN_FORMAT_R8G8B8A8_UNORM, 15, 15, true, ONE, ZERO, false, 1, false, {NEUTRAL}, "read for nothing"},
	{"one, zero, add, slow", KILN_FORMAT_R16G16B16A16_UNORM, 15, 15, true, ONE, ZERO, false, 1, false, {NEUTRAL, SLOW},
		"read for nothing"},
	{"masked blending", KILN_FORMAT_R8G8B8A8_UNORM, 0, 0, true, ONE, ZERO, false, 1, false, {0}, NULL},
};

static void make_opaque(struct isa_program *ps)
{
	for (size_t i = 0; i < ps->inst_count; i++)
		if (ps->insts[i].op == ISA_exp_sym)
			ps->insts[i].at[6] = (struct isa_operand){ISA_LIT, 0x3f800000};
}

static void expect_numbers(
	const struct kiln_diags *d, const uint32_t *numbers, size_t count, const char *words, const char *what)
{
	size_t found = 0;
	for (size_t i = 0; i < kiln_diags_count(d); i++) {
		const struct kiln_diag *g = kiln_diags_get(d, i);
		bool expected = found < count && numbers[found] == g->number;
		cr_expect(expected, "%s: %u %s", what, g->number, g->text);
		cr_expect(!expected || found || strstr(g->text, words), "%s: %s", what, g->text);
		cr_expect_str_eq(g->where, "base");
		found += expected;
	}
	cr_expect(found == count || !numbers[found], "%s: %u is missing", what, numbers[found]);
}

Test(lint, states)
{
	for (size_t i = 0; i < ARRAY_COUNT(states); i++) {
		const struct output output = {0, states[i].written, ISA_F32};
		struct setup setup, *s = &setup;
		struct pipeline p;
		start(s, states[i].format, &output, states[i].written != 0);
		struct kiln_render_target_blend_desc *b = &s->d.BlendState.RenderTarget[0];
		b->BlendEnable = states[i].blend;
		b->SrcBlend = states[i].src;
		b->DestBlend = states[i].dest;
		b->RenderTargetWriteMask = states[i].mask;
		s->d.BlendState.AlphaToCoverageEnable = states[i].coverage;
		s->d.SampleDesc.Count = states[i].samples;
		if (states[i].opaque)
			make_opaque(s->ps);
		const struct pipeline_inputs in = {"base", &s->d, s->vs, s->ps, NULL, KILN_EXPORT_CONSOLE, false};
		cr_assert(pipeline_check(&in, &p, s->diags), "%s: %s", states[i].what, all_text(s->diags));
		kiln_diags_clear(s->diags);
		pipeline_lint(&p, s->diags);
		expect_numbers(s->diags, states[i].numbers, 3, states[i].words ? states[i].words : "", states[i].what);
		pipeline_check_end(&in, &p);
		end(s);
	}
}

/* Mesa exports alpha of every format in a 16-bit form; a derived PSO is judged by what its base exports; no pixel shader,
 * no lint. */
Test(lint, policies_derived_and_depth_only)
{
	struct setup setup, *s = begin(&setup);
	s->d.RTVFormats[0] = KILN_FORMAT_R16G16_FLOAT;
	const struct pipeline_inputs in = {"base", &s->d, s->vs, s->ps, NULL, KILN_EXPORT_MESA_GFX7, false};
	struct pipeline p;
	cr_assert(pipeline_check(&in, &p, s->diags));
	pipeline_lint(&p, s->diags);
	cr_expect(
		find(s->diags, ALPHA) && strstr(find(s->diags, ALPHA)->text, "neither stored nor read"), "%s", all_text(s->diags));
	struct kiln_blend_desc blend = s->d.BlendState;
	blend.RenderTarget[0].BlendEnable = true;
	const struct kiln_derived_pipeline_desc desc = {.BlendState = &blend};
	struct pipeline *derived = pipeline_derive(&p, "derived", &desc, NULL, s->diags);
	cr_assert(derived, "%s", all_text(s->diags));
	kiln_diags_clear(s->diags);
	pipeline_lint(derived, s->diags);
	cr_expect(find(s->diags, NEUTRAL), "%s", all_text(s->diags));
	cr_expect_str_eq(find(s->diags, NEUTRAL)->where, "derived");
	pipeline_release(derived);
	pipeline_check_end(&in, &p);
	kiln_diags_clear(s->diags);
	const struct pipeline_inputs depth = {"depth", &s->d, s->vs, NULL, NULL, KILN_EXPORT_CONSOLE, false};
	cr_assert(pipeline_check(&depth, &p, s->diags));
	pipeline_lint(&p, s->diags);
	cr_expect_eq(kiln_diags_count(s->diags), 0, "%s", all_text(s->diags));
	pipeline_check_end(&depth, &p);
	end(s);
}

/* pipeline_check says what pipeline_create says. */
Test(lint, check_is_create)
{
	static const uint32_t formats[] = {KILN_FORMAT_R8G8B8A8_UNORM, KILN_FORMAT_R8G8B8A8_UINT, KILN_FORMAT_BC1_UNORM, 9999};
	for (size_t i = 0; i < ARRAY_COUNT(formats); i++)
		for (unsigned broken = 0; broken < 3; broken++) {
			struct setup setup, *s = begin(&setup);
			struct kiln_diags *d = kiln_diags_create();
			struct pipeline p;
			s->d.RTVFormats[0] = formats[i];
			s->d.NumInputElements = broken == 1 ? 1 : 2;
			s->d.RasterizerState.CullMode = broken == 2 ? 9 : 1;
			const struct pipeline_inputs in = {"base", &s->d, s->vs, s->ps, NULL, KILN_EXPORT_CONSOLE, false};
			struct pipeline *made = pipeline_create(&in, s->diags);
			bool ok = pipeline_check(&in, &p, d);
			cr_expect_eq(ok, made != NULL);
			char text[8192];
			snprintf(text, sizeof text, "%s", all_text(d));
			cr_expect_str_eq(text, all_text(s->diags));
			if (ok)
				pipeline_check_end(&in, &p);
			pipeline_release(made);
			kiln_diags_destroy(d);
			end(s);
		}
}
