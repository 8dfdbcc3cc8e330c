/* Lint: warnings about a pipeline that works, for what it does in vain or slowly. Takes a pipeline that was made or checked;
 * judges what its code exports and what its state makes of it. Rates: console peak rates of the colour block, in pixels a
 * clock. */
#include "pso/pso.h"

struct lint {
	const struct pipeline *p;
	struct kiln_diags *diags;
	struct export_outputs outputs;
	bool dual;
};
struct lint_target {
	unsigned i;
	const struct format_info *format;
	const struct kiln_render_target_blend_desc *blend;
	const struct export_choice *exported; /* by the code */
	unsigned written, stored;             /* channels: by HLSL; by format and write mask */
	unsigned source;                      /* the symbolic exports that feed it go to this target */
};

static void print_channels(struct buf *out, unsigned channels)
{
	for (unsigned c = 0; c < 4; c++)
		if (channels >> c & 1)
			buf_put(out, &"RGBA"[c], 1);
}

/* ---- targets that nobody writes, and values that the mask drops ---- */
static void lint_unwritten(const struct lint *l, const struct lint_target *t)
{
	if (!t->written && t->stored)
		diag_add(l->diags, DIAG_KILN_LINT_TARGET_UNWRITTEN, l->p->name,
			"target %u (%s) lets writes through, but the pixel shader does not write SV_Target%u", t->i, t->format->name,
			t->i);
}

static void lint_masked(const struct lint *l, const struct lint_target *t)
{
	unsigned stored = format_stored(t->format), wasted = t->written & stored & ~t->blend->RenderTargetWriteMask;
	struct buf text = {0};
	/* alpha that blending or coverage reads is no waste */
	if (t->exported->channels & 8)
		wasted &= ~8u;
	if (!wasted)
		return;
	print_channels(&text, wasted);
	diag_add(l->diags, DIAG_KILN_LINT_EXPORT_MASKED, l->p->name,
		"target %u: the pixel shader computes %s of SV_Target%u and the write mask 0x%x drops it", t->i, buf_text(&text),
		t->i, t->blend->RenderTargetWriteMask & 15);
	buf_finish(&text);
}

/* ---- alpha exported for nothing ---- */
/* Every export of alpha to this target is the literal 1.0. */
static bool is_opaque(const struct isa_program *ps, unsigned target)
{
	bool any = false;
	for (size_t i = 0; i < ps->inst_count; i++) {
		const struct isa_inst *in = &ps->insts[i];
		if (in->op != ISA_exp_sym || in->at[0].value != target || !(in->at[2].value & 8))
			continue;
		if (in->at[6].file != ISA_LIT || in->at[6].value != 0x3f800000)
			return false;
		any = true;
	}
	return any;
}

static void lint_alpha(const struct lint *l, const struct lint_target *t)
{
	const struct kiln_graphics_pipeline_desc *d = &l->p->desc;
	bool covers = t->i == 0 && d->BlendState.AlphaToCoverageEnable, reads = export_reads_alpha(t->blend);
	const char *why = NULL;
	if (!(t->exported->channels & 8) || t->stored & 8)
		return;
	if (covers && d->SampleDesc.Count > 1)
		return;
	if (reads)
		why = is_opaque(l->p->ps_symbolic, t->source) && !l->dual ? "what blending reads is 1 in every pixel" : NULL;
	else
		why = covers ? "alpha-to-coverage has no effect with one sample" : "it is neither stored nor read";
	if (why)
		diag_add(l->diags, DIAG_KILN_LINT_ALPHA_FOR_NOTHING, l->p->name, "target %u (%s): alpha is exported and %s", t->i,
			t->format->name, why);
}

/* ---- blending ---- */
/* ONE, ZERO, ADD of all that is stored: the result is the source. */
static bool is_neutral(const struct kiln_render_target_blend_desc *b, unsigned stored)
{
	bool color = b->SrcBlend == KILN_BLEND_ONE && b->DestBlend == KILN_BLEND_ZERO && b->BlendOp == KILN_BLEND_OP_ADD;
	bool alpha = b->SrcBlendAlpha == KILN_BLEND_ONE && b->DestBlendAlpha == KILN_BLEND_ZERO &&
				 b->BlendOpAlpha == KILN_BLEND_OP_ADD;
	return (color || !(stored & 7)) && (alpha || !(stored & 8));
}

/* How many clocks a blended pixel takes of a colour block, and why. */
static unsigned clocks_blended(const struct lint_target *t, const char **why)
{
	*why = "128-bit targets run at a quarter";
	if (t->format->bits == 128)
		return 4;
	*why = t->format->bits == 64 ? "64-bit targets blend at half rate" : "32_abgr exports are taken at half rate";
	return t->format->bits == 64 || t->exported->form == ISA_FORM_32_abgr ? 2 : 1;
}

static void lint_blend(const struct lint *l, const struct lint_target *t)
{
	const char *why;
	unsigned clocks = clocks_blended(t, &why);
	if (!t->blend->BlendEnable || !t->stored)
		return;
	if (is_neutral(t->blend, t->stored))
		diag_add(l->diags, DIAG_KILN_LINT_BLEND_NEUTRAL, l->p->name,
			"target %u blends by ONE, ZERO and ADD: the result is the source, the target is read for nothing", t->i);
	if (clocks > 1)
		diag_add(l->diags, DIAG_KILN_LINT_BLEND_SLOW, l->p->name,
			"target %u (%s) blends at 1/%u of the full rate: %s", t->i, t->format->name, clocks, why);
}

void pipeline_lint(const struct pipeline *p, struct kiln_diags *diags)
{
	struct lint l = {.p = p, .diags = diags, .dual = pipeline_is_dual_source(&p->desc)};
	if (!p->ps_symbolic)
		return; /* depth only: targets are not touched */
	export_scan(p->ps_symbolic, &l.outputs);
	for (unsigned i = 0; i < p->desc.NumRenderTargets; i++) {
		struct export_input in;
		pipeline_export_input(&p->desc, &l.outputs, i, &in);
		if (in.format == KILN_FORMAT_UNKNOWN || p->required[i].unsupported)
			continue;
		struct lint_target t = {.i = i, .format = format_info(in.format), .blend = pipeline_blend(&p->desc, i),
			.exported = &p->baked[i], .written = in.written, .source = i};
		t.stored = format_stored(t.format) & t.blend->RenderTargetWriteMask;
		lint_unwritten(&l, &t);
		if (!t.written)
			continue;
		lint_masked(&l, &t);
		lint_alpha(&l, &t);
		lint_blend(&l, &t);
	}
}
