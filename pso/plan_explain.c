/* Why a PSO cannot derive from another, in words: the field that no derive overrides, or what pipeline_derive() says of the
 * exports. */
#include "pso/pso.h"
#include <string.h>

static const char *format_name(uint32_t format) { return format_info(format) ? format_info(format)->name : "?"; }

/* ---- exports: the derive's own words ---- */
static void fill(struct pipeline *p, const struct plan_pso *from, enum kiln_export_policy policy)
{
	*p = (struct pipeline){.name = (char *)from->name, .desc = *from->desc, .policy = policy};
	pipeline_choose(&p->desc, from->outputs, policy, p->baked);
}

static void explain_exports(
	const struct plan_pso *of, const struct plan_pso *near, enum kiln_export_policy policy, struct buf *out)
{
	struct pipeline *pair = mem_array(2, sizeof *pair);
	struct kiln_diags *diags = kiln_diags_create();
	fill(&pair[0], near, policy);
	fill(&pair[1], of, policy);
	pipeline_compare(&pair[0], &pair[1], of->outputs, NULL, diags);
	for (size_t i = 0; i < kiln_diags_count(diags); i++) {
		const char *text = kiln_diags_get(diags, i)->text;
		size_t length = strlen(text);
		length -= length && text[length - 1] == '.';
		buf_printf(out, "%s%.*s", i ? "; " : "", (int)length, text);
	}
	kiln_diags_destroy(diags);
	mem_free(pair);
}

/* ---- the others ---- */
static void explain_targets(
	const struct kiln_graphics_pipeline_desc *d, const struct kiln_graphics_pipeline_desc *near, struct buf *out)
{
	bool first = true;
	if (d->NumRenderTargets != near->NumRenderTargets) {
		buf_printf(out, "NumRenderTargets is %u there and %u here", near->NumRenderTargets, d->NumRenderTargets);
		first = false;
	}
	for (unsigned i = 0; i < d->NumRenderTargets && i < near->NumRenderTargets; i++)
		if (d->RTVFormats[i] != near->RTVFormats[i]) {
			buf_printf(out, "%sRTVFormats[%u] is %s there and %s here", first ? "" : "; ", i,
				format_name(near->RTVFormats[i]), format_name(d->RTVFormats[i]));
			first = false;
		}
}

void plan_explain(const struct plan_pso *of, const struct plan_pso *near, enum plan_field field,
	enum kiln_export_policy policy, struct buf *out)
{
	static const char *const topologies[] = {"UNDEFINED", "POINT", "LINE", "TRIANGLE", "PATCH"};
	static const char *const cuts[] = {"DISABLED", "0xFFFF", "0xFFFFFFFF"};
	const struct kiln_graphics_pipeline_desc *d = of->desc, *n = near->desc;
	switch (field) {
	case PLAN_EXPORTS:
		explain_exports(of, near, policy, out);
		return;
	case PLAN_TARGETS:
		explain_targets(d, n, out);
		return;
	case PLAN_DSV:
		buf_printf(out, "DSVFormat is %s there and %s here", format_name(n->DSVFormat), format_name(d->DSVFormat));
		return;
	case PLAN_SAMPLES:
		buf_printf(out, "SampleDesc is %u of quality %u there and %u of quality %u here", n->SampleDesc.Count,
			n->SampleDesc.Quality, d->SampleDesc.Count, d->SampleDesc.Quality);
		return;
	case PLAN_TOPOLOGY:
		buf_printf(out, "PrimitiveTopologyType is %s there and %s here", topologies[n->PrimitiveTopologyType % 5],
			topologies[d->PrimitiveTopologyType % 5]);
		return;
	case PLAN_STRIP_CUT:
		buf_printf(
			out, "IBStripCutValue is %s there and %s here", cuts[n->IBStripCutValue % 3], cuts[d->IBStripCutValue % 3]);
		return;
	default:
		buf_printf(out, "%s is another", plan_field_names[field]);
		return;
	}
}
