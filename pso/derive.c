/* Derived pipelines: a baked pipeline + overrides of state -> a pipeline that shares its code, or a refusal. What the new
 * state needs of each target is chosen afresh and compared with what the base's code exports. A refusal says for each target
 * what is exported, what is required, whether the difference is garbage (the colour block would read what nobody exported)
 * or harmless (more is exported than is read, in the right form), which state field caused it, and what to change. Never
 * touches code. */
#include "pso/pso.h"
#include <string.h>

struct comparison {
	const struct pipeline *base; /* the one that was baked */
	const struct pipeline *derived;
	const struct pipeline_options *options;
	struct kiln_diags *diags;
	struct export_outputs outputs;
	const char *where;         /* made when there is something to say: most derives are silent */
	struct buf where_text;
	bool refused;
};

static const char *factor_name(uint32_t factor)
{
	static const char *const names[] = {"", "ZERO", "ONE", "SRC_COLOR", "INV_SRC_COLOR", "SRC_ALPHA", "INV_SRC_ALPHA",
		"DEST_ALPHA", "INV_DEST_ALPHA", "DEST_COLOR", "INV_DEST_COLOR", "SRC_ALPHA_SAT", "", "", "BLEND_FACTOR",
		"INV_BLEND_FACTOR", "SRC1_COLOR", "INV_SRC1_COLOR", "SRC1_ALPHA", "INV_SRC1_ALPHA", "ALPHA_FACTOR",
		"INV_ALPHA_FACTOR"};
	return factor < ARRAY_COUNT(names) ? names[factor] : "";
}

/* ---- which field of the new state is to blame ---- */
/* Undoes one change of `now` towards `was`; the cause is the first that alone brings the base's export back. */
enum cause { CAUSE_ALPHA, CAUSE_COVERAGE, CAUSE_MASK, CAUSE_BLEND, CAUSE_SEVERAL, CAUSE_SECOND_SOURCE };

static void undo(enum cause cause, const struct export_input *was, struct export_input *now)
{
	switch (cause) {
	case CAUSE_ALPHA:
		now->alpha_read = was->alpha_read;
		break;
	case CAUSE_COVERAGE:
		now->alpha_to_coverage = was->alpha_to_coverage;
		break;
	case CAUSE_MASK:
		now->write_mask = was->write_mask;
		break;
	default:
		now->blend = was->blend;
		now->alpha_read = was->alpha_read;
		break;
	}
}

static enum cause find_cause(const struct comparison *c, unsigned i)
{
	struct export_input was, now;
	pipeline_export_input(&c->base->desc, &c->outputs, i, &was);
	pipeline_export_input(&c->derived->desc, &c->outputs, i, &now);
	if (i == 1 && pipeline_is_dual_source(&c->base->desc) != pipeline_is_dual_source(&c->derived->desc))
		return CAUSE_SECOND_SOURCE;
	if (i == 1 && pipeline_is_dual_source(&c->derived->desc)) /* in target 0's form */
		return find_cause(c, 0);
	for (enum cause cause = CAUSE_ALPHA; cause < CAUSE_SEVERAL; cause++) {
		struct export_input in = now;
		undo(cause, &was, &in);
		struct export_choice choice = export_choose(&in, c->base->policy);
		if (export_same(&choice, &c->base->baked[i]) && choice.alpha_missing == c->base->baked[i].alpha_missing)
			return cause;
	}
	return CAUSE_SEVERAL;
}

/* "SrcBlend = SRC_ALPHA", and DestBlend, as far as they read alpha of a first or second source (bits of `sources`), or any
 * second source where sources is 0. */
static void print_factors(const struct kiln_render_target_blend_desc *b, unsigned k, unsigned sources, struct buf *out)
{
	const struct {
		const char *field;
		uint32_t factor;
	} fields[] = {{"SrcBlend", b->SrcBlend}, {"DestBlend", b->DestBlend}, {"SrcBlendAlpha", b->SrcBlendAlpha},
		{"DestBlendAlpha", b->DestBlendAlpha}};
	bool first = true;
	for (size_t i = 0; i < (sources ? 2 : ARRAY_COUNT(fields)); i++) {
		struct kiln_render_target_blend_desc alone = {
			.BlendEnable = true, .BlendOp = KILN_BLEND_OP_ADD, .SrcBlend = fields[i].factor};
		if (sources ? !(export_alpha_sources(&alone) & sources) : !export_is_dual_source(&alone))
			continue;
		buf_printf(out, "%sBlendState.RenderTarget[%u].%s = %s", first ? "" : " and ", k, fields[i].field,
			factor_name(fields[i].factor));
		first = false;
	}
}

/* No one field alone: all that differ. */
static void print_several(const struct kiln_graphics_pipeline_desc *was, const struct kiln_graphics_pipeline_desc *now,
	unsigned i, unsigned k, struct buf *out)
{
	const struct kiln_render_target_blend_desc *a = pipeline_blend(was, i), *b = pipeline_blend(now, i);
	buf_printf(out, "BlendState.RenderTarget[%u]:", k);
	if (a->BlendEnable != b->BlendEnable)
		buf_printf(out, " BlendEnable now %s,", b->BlendEnable ? "TRUE" : "FALSE");
	if (export_reads_alpha(b) != export_reads_alpha(a))
		buf_printf(out, " SrcBlend and DestBlend %s reading source alpha,", export_reads_alpha(b) ? "now" : "no longer");
	if (a->RenderTargetWriteMask != b->RenderTargetWriteMask)
		buf_printf(out, " RenderTargetWriteMask 0x%x in the base and now 0x%x,", a->RenderTargetWriteMask,
			b->RenderTargetWriteMask);
	if (was->BlendState.AlphaToCoverageEnable != now->BlendState.AlphaToCoverageEnable)
		buf_printf(out, " AlphaToCoverageEnable now %s,", now->BlendState.AlphaToCoverageEnable ? "TRUE" : "FALSE");
	buf_printf(out, " together");
}

static void print_cause(const struct comparison *c, unsigned i, enum cause cause, struct buf *out)
{
	const struct kiln_graphics_pipeline_desc *was = &c->base->desc, *now = &c->derived->desc;
	if (i == 1 && pipeline_is_dual_source(now) && cause != CAUSE_SECOND_SOURCE)
		i = 0;
	unsigned k = now->BlendState.IndependentBlendEnable ? i : 0;
	const struct kiln_render_target_blend_desc *a = pipeline_blend(was, i), *b = pipeline_blend(now, i);
	switch (cause) {
	case CAUSE_ALPHA:
		if (!export_reads_alpha(b)) {
			buf_printf(out, "BlendState.RenderTarget[%u], which no longer reads source alpha", k);
			break;
		}
		print_factors(b, k, export_alpha_sources(b), out);
		buf_printf(out, ", which reads source alpha");
		break;
	case CAUSE_COVERAGE:
		buf_printf(
			out, "BlendState.AlphaToCoverageEnable, now %s", now->BlendState.AlphaToCoverageEnable ? "TRUE" : "FALSE");
		break;
	case CAUSE_MASK:
		buf_printf(out, "BlendState.RenderTarget[%u].RenderTargetWriteMask, 0x%x in the base and now 0x%x", k,
			a->RenderTargetWriteMask, b->RenderTargetWriteMask);
		break;
	case CAUSE_BLEND:
		buf_printf(out, "BlendState.RenderTarget[%u].BlendEnable, now %s", k, b->BlendEnable ? "TRUE" : "FALSE");
		break;
	case CAUSE_SECOND_SOURCE:
		if (pipeline_is_dual_source(now))
			print_factors(pipeline_blend(now, 0), 0, 0, out);
		buf_printf(out, "%s",
			pipeline_is_dual_source(now) ? ", which needs a second source"
										 : "BlendState.RenderTarget[0], which no longer uses a second source");
		break;
	default:
		print_several(was, now, i, k, out);
		break;
	}
	if (was->BlendState.IndependentBlendEnable != now->BlendState.IndependentBlendEnable)
		buf_printf(out, " (IndependentBlendEnable is now %s)", now->BlendState.IndependentBlendEnable ? "TRUE" : "FALSE");
}

/* ---- what happens and what to change ---- */
static void print_channels(unsigned channels, struct buf *out)
{
	static const char *const names[] = {"red", "green", "blue", "alpha"};
	for (unsigned i = 0, first = 1; i < 4; i++)
		if (channels >> i & 1) {
			buf_printf(out, "%s%s", first ? "" : ", ", names[i]);
			first = 0;
		}
}

static void print_garbage(
	const struct export_choice *base, const struct export_choice *required, bool blend, struct buf *out)
{
	static const char *const types[] = {"nothing", "float", "unorm", "snorm", "uint", "sint"};
	unsigned missing = required->channels & ~base->channels;
	if (base->form == ISA_FORM_zero) {
		buf_printf(out, "nothing exported, ");
		print_channels(missing, out);
		buf_printf(out, " would be garbage");
	} else if (blend && (base->type == EXPORT_UNORM || base->type == EXPORT_SNORM) && required->type == EXPORT_FLOAT) {
		buf_printf(out, "CB expects 16 or 32-bit float, shader exports %u-bit %s", base->bits, types[base->type]);
	} else if (base->type != required->type || base->bits != required->bits) {
		buf_printf(out, "CB expects %u-bit %s, shader exports %u-bit %s", required->bits, types[required->type], base->bits,
			types[base->type]);
	} else if (missing == 8) {
		buf_printf(out, "CB expects alpha, shader exports none");
	} else {
		buf_printf(out, "only ");
		print_channels(base->channels, out);
		buf_printf(out, " exported, ");
		print_channels(missing, out);
		buf_printf(out, " would be garbage");
	}
}

static void print_remedy(
	const struct comparison *c, enum cause cause, bool harmless, const struct export_choice *required, struct buf *out)
{
	static const char *const leave[] = {
		[CAUSE_ALPHA] = "keep SrcBlend and DestBlend reading source alpha only where the base's do",
		[CAUSE_COVERAGE] = "leave AlphaToCoverageEnable as the base has it",
		[CAUSE_MASK] = "leave RenderTargetWriteMask as the base has it",
		[CAUSE_BLEND] = "leave BlendEnable as the base has it",
		[CAUSE_SEVERAL] = "leave these fields as the base has them",
		[CAUSE_SECOND_SOURCE] = "use SRC1 factors only where the base does",
	};
	if (harmless)
		buf_printf(out, "Accept supersets (--accept-superset), or ");
	buf_printf(out, "%sreate a base PSO with this blend state, whose export is then ", harmless ? "c" : "C");
	export_print(required, out);
	buf_printf(out, ", or %s ('%s').", leave[cause], c->base->name);
}

static void report(struct comparison *c, enum diag_id id, const char *remedy, const char *text)
{
	if (c->options->ignore_export_mismatch) {
		diag_add_remedy(c->diags, DIAG_EXPORT_MISMATCH_IGNORED, c->where, remedy, "%s", text);
		return;
	}
	diag_add_remedy(c->diags, id, c->where, remedy, "%s", text);
	c->refused = true;
}

static void compare_target(struct comparison *c, unsigned i)
{
	const struct export_choice *base = &c->base->baked[i], *required = &c->derived->required[i];
	bool same = export_same(base, required), harmless = export_is_superset(base, required);
	bool alpha = required->alpha_missing && !base->alpha_missing;
	bool second = i == 1 && (pipeline_is_dual_source(&c->base->desc) || pipeline_is_dual_source(&c->derived->desc));
	struct buf text = {0}, cause_text = {0}, remedy = {0};
	if (same && !alpha)
		return;
	if (!c->where) {
		buf_printf(&c->where_text, "PSO '%s' derived from '%s'", c->derived->name, c->base->name);
		c->where = buf_text(&c->where_text);
	}
	enum cause cause = find_cause(c, i);
	print_cause(c, i, cause, &cause_text);
	print_remedy(c, cause, harmless && !alpha, required, &remedy);
	if (!same) {
		buf_printf(&text, "target %u%s: base exports ", second ? 0 : i, second ? ", second source" : "");
		export_print(base, &text);
		buf_printf(&text, ", this state requires ");
		export_print(required, &text);
		buf_printf(&text, "; %s: ", harmless ? "harmless" : "garbage");
		if (harmless)
			buf_printf(&text, "the base exports more than the CB reads");
		else
			print_garbage(base, required, pipeline_blend(&c->derived->desc, second ? 0 : i)->BlendEnable, &text);
		buf_printf(&text, ". Caused by %s.", buf_text(&cause_text));
		if (harmless && c->options->accept_superset)
			diag_add(c->diags, DIAG_EXPORT_SUPERSET_ACCEPTED, c->where, "%s", buf_text(&text));
		else
			report(c, harmless ? DIAG_EXPORT_MISMATCH_HARMLESS : DIAG_EXPORT_MISMATCH_GARBAGE, buf_text(&remedy),
				buf_text(&text));
	}
	if (alpha) {
		text.size = remedy.size = 0;
		buf_printf(&text, "target %u%s: garbage: CB expects alpha, the pixel shader writes none. Caused by %s.",
			second ? 0 : i, second ? ", second source" : "", buf_text(&cause_text));
		buf_printf(&remedy,
			"Write alpha to SV_Target%u and create a base PSO with this blend state, or use state that does not read alpha.",
			i);
		report(c, DIAG_EXPORT_ALPHA_NEWLY_NEEDED, buf_text(&remedy), buf_text(&text));
	}
	buf_finish(&text);
	buf_finish(&cause_text);
	buf_finish(&remedy);
}

/* ---- the derived pipeline ---- */
static void apply(struct kiln_graphics_pipeline_desc *d, const struct kiln_derived_pipeline_desc *overrides)
{
	if (overrides->BlendState)
		d->BlendState = *overrides->BlendState;
	if (overrides->RasterizerState)
		d->RasterizerState = *overrides->RasterizerState;
	if (overrides->DepthStencilState)
		d->DepthStencilState = *overrides->DepthStencilState;
	if (overrides->SampleMask)
		d->SampleMask = *overrides->SampleMask;
	if (overrides->ShaderLimits)
		d->ShaderLimits = *overrides->ShaderLimits;
}

static struct pipeline *share(struct pipeline *from, const char *name, const struct kiln_derived_pipeline_desc *desc)
{
	struct pipeline *p = mem_alloc(sizeof *p);
	*p = *from; /* code, layout and root signature are the base's, which lives as long as this */
	p->references = 1;
	p->arena = (struct arena){0};
	p->name = arena_string(&p->arena, name ? name : "derived PSO");
	p->base = from->base ? from->base : from;
	p->base->references++;
	apply(&p->desc, desc);
	return p;
}

bool pipeline_compare(const struct pipeline *base, struct pipeline *derived, const struct export_outputs *outputs,
	const struct pipeline_options *options, struct kiln_diags *diags)
{
	static const struct pipeline_options none;
	struct comparison c = {.base = base, .derived = derived, .options = options ? options : &none, .diags = diags,
		.outputs = *outputs};
	pipeline_choose(&derived->desc, outputs, derived->policy, derived->required);
	for (unsigned i = 0; i < KILN_RENDER_TARGETS_MAX; i++)
		compare_target(&c, i);
	buf_finish(&c.where_text);
	return !c.refused;
}

struct pipeline *pipeline_derive(struct pipeline *base, const char *name, const struct kiln_derived_pipeline_desc *desc,
	const struct pipeline_options *options, struct kiln_diags *diags)
{
	struct pipeline *p = share(base, name, desc);
	const struct pipeline_inputs in = {p->name, &p->desc, p->vs, p->ps_symbolic, p->root, p->policy, false};
	if (pipeline_validate(&in, diags) && pipeline_compare(p->base, p, &p->outputs, options, diags))
		return p;
	pipeline_release(p);
	return NULL;
}
