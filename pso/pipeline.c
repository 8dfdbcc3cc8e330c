/* The driver: programs + state -> a baked pipeline. Validates, links stages, chooses the export form of each target, patches
 * the pixel program. Takes ISA with symbolic exports; gives an immutable, reference-counted object. */
#include "pso/pso.h"
#include <string.h>

const struct kiln_render_target_blend_desc *pipeline_blend(const struct kiln_graphics_pipeline_desc *d, unsigned i)
{
	return &d->BlendState.RenderTarget[d->BlendState.IndependentBlendEnable ? i : 0];
}

uint32_t pipeline_line_mode(const struct kiln_rasterizer_desc *r)
{
	if (r->LineRasterizationMode != KILN_LINE_ALIASED)
		return r->LineRasterizationMode;
	if (r->MultisampleEnable)
		return KILN_LINE_QUADRILATERAL_WIDE;
	return r->AntialiasedLineEnable ? KILN_LINE_ALPHA_ANTIALIASED : KILN_LINE_ALIASED;
}

bool pipeline_is_dual_source(const struct kiln_graphics_pipeline_desc *d)
{
	return export_is_dual_source(pipeline_blend(d, 0));
}

void pipeline_export_input(
	const struct kiln_graphics_pipeline_desc *d, const struct export_outputs *outputs, unsigned i, struct export_input *in)
{
	const struct kiln_render_target_blend_desc *b = pipeline_blend(d, i);
	/* As in D3D12, a format that cannot be rendered to counts as not bound. */
	bool bound = i < d->NumRenderTargets && format_info(d->RTVFormats[i])->caps & FORMAT_CAN_RENDER;
	*in = (struct export_input){
		.format = bound ? d->RTVFormats[i] : KILN_FORMAT_UNKNOWN,
		.write_mask = b->RenderTargetWriteMask & 15,
		.written = outputs->written[i],
		.type = outputs->type[i],
		.blend = b->BlendEnable,
		.alpha_read = export_reads_alpha(b),
		.alpha_to_coverage = i == 0 && d->BlendState.AlphaToCoverageEnable,
	};
}

void pipeline_choose(const struct kiln_graphics_pipeline_desc *d, const struct export_outputs *outputs,
	enum kiln_export_policy policy, struct export_choice choice[KILN_RENDER_TARGETS_MAX])
{
	struct export_input in;
	for (unsigned i = 0; i < KILN_RENDER_TARGETS_MAX; i++) {
		pipeline_export_input(d, outputs, i, &in);
		choice[i] = export_choose(&in, policy);
	}
	if (!pipeline_is_dual_source(d))
		return;
	/* Both sources are exported alike, each as far as HLSL writes it; alpha is missing from the one whose alpha is read. */
	unsigned reads = export_alpha_sources(pipeline_blend(d, 0));
	bool exported = choice[0].form != ISA_FORM_zero;
	choice[1] = choice[0];
	choice[1].reason = "second source of dual-source blending, in the form of target 0";
	choice[0].alpha_missing = choice[0].alpha_missing && (reads & 1 || d->BlendState.AlphaToCoverageEnable);
	choice[1].channels &= outputs->written[1];
	choice[1].alpha_missing = exported && reads & 2 && !(outputs->written[1] & 8);
	if (!choice[1].channels)
		choice[1].form = choice[1].type = choice[1].bits = 0;
}

static void copy_desc(struct pipeline *p, const struct kiln_graphics_pipeline_desc *d)
{
	p->desc = *d;
	struct kiln_input_element_desc *e = arena_array(&p->arena, d->NumInputElements, sizeof *e);
	for (uint32_t i = 0; i < d->NumInputElements; i++) {
		e[i] = d->InputElementDescs[i];
		e[i].SemanticName = arena_string(&p->arena, e[i].SemanticName);
	}
	p->desc.InputElementDescs = e;
}

static void warn_alpha(const struct pipeline *p, struct kiln_diags *diags)
{
	for (unsigned i = 0; i < KILN_RENDER_TARGETS_MAX; i++)
		if (p->baked[i].alpha_missing)
			diag_add(diags, DIAG_EXPORT_ALPHA_MISSING, p->name,
				"target %u: blending or alpha-to-coverage reads the alpha of SV_Target%u, which the pixel shader does not "
				"write",
				i, i);
}

struct root_signature *root_signature_copy(const struct root_signature *from)
{
	struct root_signature *r = mem_alloc(sizeof *r);
	*r = (struct root_signature){.version = from->version,
		.flags = from->flags,
		.parameter_count = from->parameter_count,
		.sampler_count = from->sampler_count};
	r->parameters = arena_copy(&r->arena, from->parameters, from->parameter_count * sizeof *r->parameters);
	r->samplers = arena_copy(&r->arena, from->samplers, from->sampler_count * sizeof *r->samplers);
	for (size_t i = 0; i < r->parameter_count; i++)
		r->parameters[i].ranges = arena_copy(
			&r->arena, from->parameters[i].ranges, from->parameters[i].range_count * sizeof *r->parameters[i].ranges);
	return r;
}

static struct root_signature *default_root(const struct pipeline_inputs *in)
{
	const struct isa_program *programs[] = {in->vs, in->ps};
	return root_signature_default(programs, in->ps ? 2 : 1);
}

/* Copies of the linked programs; packed ones are linked anew. */
static void set_programs(struct pipeline *p, const struct pipeline_inputs *in, struct kiln_diags *diags)
{
	if (!in->pack_signature || !in->ps) {
		p->vs = isa_program_copy(in->vs);
		p->ps_symbolic = in->ps ? isa_program_copy(in->ps) : NULL;
		return;
	}
	struct pipeline_inputs packed = *in;
	struct kiln_diags *said = kiln_diags_create(); /* the same as the first time */
	signature_pack(in->vs, in->ps, p->ps_param, p->name, &p->vs, &p->ps_symbolic, diags);
	packed.vs = p->vs;
	packed.ps = p->ps_symbolic;
	pipeline_link(&packed, p, said);
	kiln_diags_destroy(said);
}

/* State, layout, links and exports: everything but code and root signature. */
static bool prepare(const struct pipeline_inputs *in, struct pipeline *p, struct kiln_diags *diags)
{
	if (!pipeline_validate(in, diags))
		return false;
	p->references = 1;
	p->default_root = !in->root;
	p->name = arena_string(&p->arena, in->name ? in->name : "PSO");
	p->policy = in->policy;
	copy_desc(p, in->desc);
	if (!pipeline_link(in, p, diags))
		return false;
	export_scan(in->ps, &p->outputs);
	pipeline_choose(&p->desc, &p->outputs, p->policy, p->baked);
	for (unsigned i = 0; i < KILN_RENDER_TARGETS_MAX; i++)
		p->export_slot[i] =
			p->baked[i].form == ISA_FORM_zero || (i == 1 && pipeline_is_dual_source(&p->desc)) ? 0xff : (uint8_t)i;
	memcpy(p->required, p->baked, sizeof p->required);
	warn_alpha(p, diags);
	return true;
}

struct pipeline *pipeline_create(const struct pipeline_inputs *in, struct kiln_diags *diags)
{
	struct pipeline *p = mem_alloc(sizeof *p);
	if (!prepare(in, p, diags)) {
		arena_finish(&p->arena);
		mem_free(p);
		return NULL;
	}
	set_programs(p, in, diags);
	p->root = in->root ? root_signature_copy(in->root) : default_root(in);
	if (p->ps_symbolic)
		p->ps = export_patch(p->ps_symbolic, p->baked);
	return p;
}

/* ---- the same without code, for whoever judges thousands ---- */
bool pipeline_check(const struct pipeline_inputs *in, struct pipeline *p, struct kiln_diags *diags)
{
	*p = (struct pipeline){0};
	if (!prepare(in, p, diags)) {
		arena_finish(&p->arena);
		return false;
	}
	if (in->pack_signature && in->ps) { /* for what is said of it */
		signature_pack(in->vs, in->ps, p->ps_param, p->name, &p->vs, &p->ps_symbolic, diags);
		isa_program_destroy(p->vs);
		isa_program_destroy(p->ps_symbolic);
	}
	p->vs = (struct isa_program *)in->vs;
	p->ps_symbolic = (struct isa_program *)in->ps;
	p->root = in->root ? (struct root_signature *)in->root : default_root(in);
	return true;
}

void pipeline_check_end(const struct pipeline_inputs *in, struct pipeline *p)
{
	if (!in->root)
		root_signature_destroy(p->root);
	arena_finish(&p->arena);
}

struct isa_program *pipeline_required_program(const struct pipeline *p)
{
	return p->ps_symbolic ? export_patch(p->ps_symbolic, p->required) : NULL;
}

void pipeline_release(struct pipeline *p)
{
	if (!p || --p->references)
		return;
	if (p->base) {
		pipeline_release(p->base); /* owner of programs and root signature */
	} else {
		isa_program_destroy(p->vs);
		isa_program_destroy(p->ps);
		isa_program_destroy(p->ps_symbolic);
		isa_program_destroy(p->cs);
		root_signature_destroy(p->root);
	}
	arena_finish(&p->arena);
	mem_free(p);
}
