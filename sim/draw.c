/* The driver of a draw: looks up what the stages need once (which outputs feed which inputs, targets, whether depth goes
 * early), runs the stages, gives counters. The state has passed draw_check(). Assumes fp_enter(). */
#include "sim/draw.h"
#include <string.h>

void record_take(struct isa_record *sum, struct isa_wave *w)
{
	for (int i = 0; i < ISA_UNIT_COUNT; i++) {
		sum->issues[i] += w->record.issues[i];
		sum->lanes[i] += w->record.lanes[i];
	}
	sum->branches += w->record.branches;
	sum->divergent_branches += w->record.divergent_branches;
	sum->kills += w->record.kills;
	memset(&w->record, 0, sizeof w->record);
}

uint64_t record_issues(const struct isa_record *r)
{
	uint64_t sum = 0;

	for (int i = 0; i < ISA_UNIT_COUNT; i++)
		sum += r->issues[i];
	return sum;
}

static bool is_noperspective(uint8_t interp)
{
	return interp == ISA_INTERP_NOPERSPECTIVE || interp == ISA_INTERP_NOPERSPECTIVE_CENTROID ||
		   interp == ISA_INTERP_NOPERSPECTIVE_SAMPLE;
}

/* Integers cannot be interpolated; what declares no mode follows its type. */
static enum varying_kind varying_kind(const struct isa_io *in)
{
	if (in->interp == ISA_INTERP_CONSTANT || (in->type != ISA_F32 && in->type != ISA_F16))
		return VARYING_CONSTANT;
	return is_noperspective(in->interp) ? VARYING_NOPERSPECTIVE : VARYING_LINEAR;
}

static enum varying_place varying_place(uint8_t interp)
{
	switch (interp) {
	case ISA_INTERP_LINEAR_CENTROID:
	case ISA_INTERP_NOPERSPECTIVE_CENTROID: return PLACE_CENTROID;
	case ISA_INTERP_LINEAR_SAMPLE:
	case ISA_INTERP_NOPERSPECTIVE_SAMPLE: return PLACE_SAMPLE;
	default: return PLACE_CENTER;
	}
}

/* Weights of the primitive's own vertices: an attribute that the vertices differ in, so that clipping keeps it right. */
static void link_barycentrics(struct draw *d, struct varying *v, bool noperspective)
{
	if (d->attr_count == DRAW_VARYINGS_MAX)
		return;
	v->kind = noperspective ? VARYING_NOPERSPECTIVE : VARYING_LINEAR;
	v->attr = (uint8_t)d->attr_count;
	d->attr_noperspective[d->attr_count] = noperspective;
	d->barycentrics |= 1u << d->attr_count++;
}

static void link_varyings(struct draw *d)
{
	const struct isa_program *ps = d->pipeline->ps;

	for (size_t i = 0; ps && i < ps->input_count && i < ISA_IO_MAX; i++) {
		const struct isa_io *in = &ps->inputs[i];
		struct varying *v = &d->varyings[d->varying_count++];

		v->slot = (uint8_t)i;
		v->place = (uint8_t)varying_place(in->interp);
		switch (in->semantic) {
		case ISA_SEM_POSITION:
			v->kind = VARYING_POSITION;
			continue;
		case ISA_SEM_IS_FRONT_FACE:
			v->kind = VARYING_FRONT_FACE;
			continue;
		case ISA_SEM_PRIMITIVE_ID:
			v->kind = VARYING_PRIMITIVE_ID;
			continue;
		case ISA_SEM_COVERAGE:
			v->kind = VARYING_COVERAGE;
			continue;
		case ISA_SEM_BARYCENTRICS:
			link_barycentrics(d, v, is_noperspective(in->interp));
			continue;
		}
		if (d->pipeline->ps_param[i] >= 32 || d->attr_count == DRAW_VARYINGS_MAX)
			continue; /* unfed: zero */
		v->kind = (uint8_t)varying_kind(in);
		v->attr = (uint8_t)d->attr_count;
		d->attr_constant[d->attr_count] = v->kind == VARYING_CONSTANT;
		d->attr_noperspective[d->attr_count] = v->kind == VARYING_NOPERSPECTIVE;
		d->attr_slot[d->attr_count++] = d->pipeline->ps_param[i];
	}
}

/* What the pixel program reads, and where weights are needed for it. */
static void link_reads(struct draw *d)
{
	const struct isa_program *ps = d->pipeline->ps;

	for (size_t i = 0; ps && i < ps->inst_count; i++) {
		const struct isa_inst *in = &ps->insts[i];

		if (in->op == ISA_ld_in && in->at[1].value < d->varying_count)
			d->varyings[in->at[1].value].read |= (uint8_t)(1u << (in->at[2].value & 3));
		if (in->op == ISA_ld_sys)
			d->sys_read |= 1u << in->at[1].value;
		d->centroids |= in->op == ISA_interp_centroid;
	}
	for (uint32_t i = 0; i < d->varying_count; i++) {
		const struct varying *v = &d->varyings[i];
		bool depth = v->kind == VARYING_POSITION && v->read & 12, weighed = v->kind == VARYING_LINEAR || v->kind == VARYING_NOPERSPECTIVE;

		if (depth || (weighed && v->read))
			d->places |= (uint8_t)(1u << v->place);
		d->centroids |= v->read && v->place == PLACE_CENTROID;
	}
}

/* Outputs that the fixed stages read beside the position. */
static void link_outputs(struct draw *d)
{
	const struct isa_program *vs = d->pipeline->vs;

	d->viewport_slot = d->slice_slot = 0xff;
	for (size_t i = 0; i < vs->output_count && i < 32; i++) {
		if (vs->outputs[i].semantic == ISA_SEM_VIEWPORT_INDEX)
			d->viewport_slot = (uint8_t)i;
		if (vs->outputs[i].semantic == ISA_SEM_RT_ARRAY_INDEX)
			d->slice_slot = (uint8_t)i;
		for (uint8_t c = 0; c < vs->outputs[i].cols; c++) {
			if (vs->outputs[i].semantic == ISA_SEM_CLIP_DISTANCE && d->clip_count < DRAW_DISTANCES_MAX) {
				d->clip_from[d->clip_count].slot = (uint8_t)i;
				d->clip_from[d->clip_count++].component = c;
			}
			if (vs->outputs[i].semantic == ISA_SEM_CULL_DISTANCE && d->cull_count < DRAW_DISTANCES_MAX) {
				d->cull_from[d->cull_count].slot = (uint8_t)i;
				d->cull_from[d->cull_count++].component = c;
			}
		}
	}
}

static int32_t floor_pixel(double x)
{
	int32_t i = (int32_t)x; /* viewports are within +-65536 */

	return i > x ? i - 1 : i;
}

static void narrow(struct pixel_bounds *b, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
	b->x0 = b->x0 > x0 ? b->x0 : x0;
	b->y0 = b->y0 > y0 ? b->y0 : y0;
	b->x1 = b->x1 < x1 ? b->x1 : x1;
	b->y1 = b->y1 < y1 ? b->y1 : y1;
}

/* Scissor, the viewport's implicit scissor (edges rounded down, sums not rounded), and the extents of the targets in use. */
static struct pixel_bounds pixel_bounds(const struct draw *d, unsigned viewport)
{
	const struct kiln_viewport *v = &d->state->viewports[viewport];
	const struct kiln_rect *s = &d->state->scissors[viewport];
	struct pixel_bounds b = {0, 0, 16384, 16384};
	double top = v->TopLeftY, bottom = top + v->Height; /* an inverted viewport has them exchanged */

	narrow(&b, s->left, s->top, s->right, s->bottom);
	narrow(&b, floor_pixel(v->TopLeftX), floor_pixel(top < bottom ? top : bottom), floor_pixel((double)v->TopLeftX + v->Width),
		floor_pixel(top < bottom ? bottom : top));
	for (uint32_t i = 0; i < KILN_RENDER_TARGETS_MAX; i++) {
		if (d->color_on[i])
			narrow(&b, 0, 0, (int32_t)d->state->targets[i].width, (int32_t)d->state->targets[i].height);
	}
	if (d->depth.format)
		narrow(&b, 0, 0, (int32_t)d->state->depth.width, (int32_t)d->state->depth.height);
	if (!d->sample_mask)
		b.x1 = b.x0; /* no sample may be written: not even depth */
	return b;
}

static void link_targets(struct draw *d)
{
	const struct kiln_graphics_pipeline_desc *desc = &d->pipeline->desc;

	d->depth = (struct depth_target){.state = desc->DepthStencilState,
		.format = d->state->depth.resource && desc->DSVFormat ? d->state->depth.format : NULL,
		.bounds = {d->state->depth_bounds[0], d->state->depth_bounds[1]},
		.depth_read_only = d->state->depth_flags & KILN_DSV_READ_ONLY_DEPTH,
		.stencil_read_only = d->state->depth_flags & KILN_DSV_READ_ONLY_STENCIL};
	for (int i = 0; i < KILN_VIEWPORTS_MAX; i++) {
		d->depth_range[i][0] = d->state->viewports[i].MinDepth;
		d->depth_range[i][1] = d->state->viewports[i].MaxDepth;
	}
	for (uint32_t i = 0; i < desc->NumRenderTargets && d->pipeline->ps; i++) {
		struct color_target *t = &d->color[i];

		d->color_on[i] = d->state->targets[i].resource && desc->RTVFormats[i] && d->pipeline->required[i].form != ISA_FORM_zero;
		if (!d->color_on[i])
			continue;
		t->format = d->state->targets[i].format;
		t->blend = desc->BlendState.RenderTarget[desc->BlendState.IndependentBlendEnable ? i : 0];
		t->required = d->pipeline->required[i];
		memcpy(t->blend_factor, d->state->blend_factor, sizeof t->blend_factor);
		t->dual_source = i == 0 && pipeline_is_dual_source(desc);
		d->color_on[i] = (t->blend.RenderTargetWriteMask & 15) != 0;
		t->codes = color_block_codes(t);
	}
}

/* As many slices as the target with the fewest has. */
static void link_slices(struct draw *d)
{
	d->slices = d->depth.format ? d->state->depth.slices : UINT32_MAX;
	for (uint32_t i = 0; i < KILN_RENDER_TARGETS_MAX; i++) {
		if (d->color_on[i] && d->state->targets[i].slices < d->slices)
			d->slices = d->state->targets[i].slices;
	}
}

/* Without targets SampleMask has nothing to mask (FS 3.5.6.4). */
static void link_samples(struct draw *d)
{
	const struct kiln_graphics_pipeline_desc *desc = &d->pipeline->desc;
	uint32_t forced = desc->RasterizerState.ForcedSampleCount, count = forced ? forced : desc->SampleDesc.Count;
	bool uav_only = !desc->NumRenderTargets && !desc->DSVFormat;

	if (d->state->positions.count)
		d->samples = d->state->positions;
	else if (desc->SampleDesc.Quality == 0xfffffffe && !forced)
		sample_pattern_center(count, &d->samples);
	else
		sample_pattern_standard(count, &d->samples);
	d->forced_samples = forced != 0;
	d->output_mask = (uav_only ? ~0u : desc->SampleMask) & ((1u << desc->SampleDesc.Count) - 1);
	d->sample_mask = !forced ? d->output_mask : d->output_mask ? (1u << d->samples.count) - 1 : 0;
}

/* SV_DepthGreaterEqual or LessEqual with a test that what fails before fails after as well. */
static bool is_conservative(const struct draw *d)
{
	const struct isa_program *ps = d->pipeline->ps;
	uint32_t func = d->depth.state.DepthFunc;
	bool less = func == KILN_COMPARISON_LESS || func == KILN_COMPARISON_LESS_EQUAL;
	bool greater = func == KILN_COMPARISON_GREATER || func == KILN_COMPARISON_GREATER_EQUAL;

	for (size_t i = 0; i < ps->output_count; i++) {
		if ((ps->outputs[i].semantic == ISA_SEM_DEPTH_GE && less) || (ps->outputs[i].semantic == ISA_SEM_DEPTH_LE && greater))
			return true;
	}
	return false;
}

/* Early where the program cannot tell: no depth or stencil of its own, and nothing that may drop a sample after it was
 * written. */
static enum depth_order depth_order(const struct draw *d)
{
	uint32_t flags = d->pipeline->ps ? d->pipeline->ps->flags : ISA_EARLY_DEPTH;
	bool drops = flags & (ISA_USES_DISCARD | ISA_WRITES_COVERAGE) || d->pipeline->desc.BlendState.AlphaToCoverageEnable;
	bool more = d->depth.state.StencilEnable || d->depth.state.DepthBoundsTestEnable; /* what else a test may change or see */

	if (flags & ISA_EARLY_DEPTH)
		return DEPTH_EARLY;
	if (flags & ISA_SIDE_EFFECTS)
		return DEPTH_LATE;
	if (!(flags & (ISA_WRITES_DEPTH | ISA_WRITES_STENCIL)))
		return drops && depth_writes(&d->depth) ? DEPTH_LATE : DEPTH_EARLY;
	return flags & ISA_WRITES_DEPTH && !more && is_conservative(d) ? DEPTH_EARLY_AND_LATE : DEPTH_LATE;
}

static bool has_loop(const struct isa_program *p)
{
	for (size_t i = 0; i < p->inst_count; i++) {
		if (p->insts[i].op == ISA_loop)
			return true;
	}
	return false;
}

/* Whatever was in a target is replaced as a whole, nothing else comes of a pixel, and the program can neither run out of budget
 * nor miss a descriptor. */
static bool is_opaque(const struct draw *d)
{
	const struct isa_program *ps = d->pipeline->ps;

	if (!d->uncounted || !ps || ps->flags & (ISA_USES_DISCARD | ISA_WRITES_COVERAGE | ISA_WRITES_DEPTH | ISA_WRITES_STENCIL) ||
		d->depth.format || d->clip_count || d->forced_samples || d->pipeline->desc.BlendState.AlphaToCoverageEnable ||
		d->sample_mask != (1u << d->samples.count) - 1 || ps->resource_count || has_loop(ps) || ps->inst_count > d->budget)
		return false;
	for (uint32_t i = 0; i < KILN_RENDER_TARGETS_MAX; i++) {
		const struct color_target *t = &d->color[i];
		unsigned stored = d->color_on[i] ? format_stored(t->format) : 0;

		if (d->color_on[i] && (t->blend.BlendEnable || t->blend.LogicOpEnable ||
			(t->blend.RenderTargetWriteMask & t->required.channels & stored) != stored))
			return false;
	}
	return true;
}

bool draw_run(const struct draw_state *state, const struct draw_call *call, const struct kiln_device_desc *desc,
	struct bins *bins, bool uncounted, struct draw_record *record, struct kiln_diags *diags)
{
	struct draw *d = mem_alloc(sizeof *d);
	const struct pipeline *p = state->pipeline;
	bool ok;

	d->state = state;
	d->pipeline = p;
	d->call = *call;
	d->budget = desc->budget;
	d->uncounted = uncounted;
	d->pattern = desc->unexported_pattern;
	d->record = record;
	d->diags = diags;
	d->vs_env = (struct constant_env){.draw = d, .program = p->vs, .root = p->root, .arguments = state->root};
	d->ps_env = (struct constant_env){.draw = d, .program = p->ps, .root = p->root, .arguments = state->root};
	bindings_open(&d->vs_env);
	bindings_open(&d->ps_env);
	record->counters.draws = 1;
	link_varyings(d);
	link_reads(d);
	link_outputs(d);
	link_targets(d);
	link_slices(d);
	link_samples(d);
	for (unsigned i = 0; i < KILN_VIEWPORTS_MAX; i++)
		d->bounds[i] = pixel_bounds(d, i);
	d->depth_order = (uint8_t)depth_order(d);
	d->forced_early = p->ps && p->ps->flags & ISA_EARLY_DEPTH;
	d->rasterizes = p->ps || p->desc.DepthStencilState.DepthEnable || p->desc.DepthStencilState.StencilEnable;
	d->fetch = vertex_fetch_create(d);
	bins_lend(bins, d);
	d->opaque = is_opaque(d);
	d->bins = bins_open(bins, d) ? bins : NULL;
	ok = geometry_run(d) && shade_flush(d);
	if (d->bins)
		bins_close(bins);
	vertex_fetch_destroy(d->fetch);
	ok &= bindings_report(&d->vs_env, diags);
	ok &= bindings_report(&d->ps_env, diags);
	bindings_close(&d->vs_env);
	bindings_close(&d->ps_env);
	mem_free(d);
	record->counters.instructions = record_issues(&record->vs) + record_issues(&record->ps);
	return ok;
}
