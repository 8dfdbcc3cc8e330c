/* Everything that can be wrong with a draw before it runs: missing or mismatched state, and what Kiln does not draw yet
 * (a number of its own, so that unsupported is never taken for invalid). */
#include "sim/draw.h"

static bool unsupported(const struct draw_state *s, struct kiln_diags *diags, const char *what)
{
	diag_add(diags, DIAG_DRAW_UNSUPPORTED, s->where, "%s", what);
	return false;
}

/* System values that would read or do something else than they say. */
static bool check_system_values(const struct draw_state *s, struct kiln_diags *diags)
{
	const struct isa_program *ps = s->pipeline->ps;
	bool ok = true;

	for (size_t i = 0; ps && i < ps->input_count; i++) {
		switch (ps->inputs[i].semantic) {
		case ISA_SEM_SHADING_RATE:
			ok = unsupported(s, diags, "SV_ShadingRate");
			break;
		}
	}
	return ok;
}

static bool check_topology(const struct draw_state *s, struct kiln_diags *diags)
{
	static const struct {
		const char *name;
		uint8_t type;
	} rows[] = {
		[KILN_TOPOLOGY_POINTLIST] = {"POINTLIST", KILN_TOPOLOGY_TYPE_POINT},
		[KILN_TOPOLOGY_LINELIST] = {"LINELIST", KILN_TOPOLOGY_TYPE_LINE},
		[KILN_TOPOLOGY_LINESTRIP] = {"LINESTRIP", KILN_TOPOLOGY_TYPE_LINE},
		[KILN_TOPOLOGY_TRIANGLELIST] = {"TRIANGLELIST", KILN_TOPOLOGY_TYPE_TRIANGLE},
		[KILN_TOPOLOGY_TRIANGLESTRIP] = {"TRIANGLESTRIP", KILN_TOPOLOGY_TYPE_TRIANGLE},
		[KILN_TOPOLOGY_TRIANGLEFAN] = {"TRIANGLEFAN", KILN_TOPOLOGY_TYPE_TRIANGLE},
		[KILN_TOPOLOGY_LINELIST_ADJ] = {"LINELIST_ADJ", KILN_TOPOLOGY_TYPE_LINE},
		[KILN_TOPOLOGY_LINESTRIP_ADJ] = {"LINESTRIP_ADJ", KILN_TOPOLOGY_TYPE_LINE},
		[KILN_TOPOLOGY_TRIANGLELIST_ADJ] = {"TRIANGLELIST_ADJ", KILN_TOPOLOGY_TYPE_TRIANGLE},
		[KILN_TOPOLOGY_TRIANGLESTRIP_ADJ] = {"TRIANGLESTRIP_ADJ", KILN_TOPOLOGY_TYPE_TRIANGLE},
	};

	if (s->topology >= ARRAY_COUNT(rows) || !rows[s->topology].name) {
		diag_add(diags, DIAG_DRAW_TOPOLOGY, s->where, "no topology is set that Kiln knows (number %u)", s->topology);
		return false;
	}
	if (rows[s->topology].type != s->pipeline->desc.PrimitiveTopologyType) {
		diag_add(diags, DIAG_DRAW_TOPOLOGY, s->where,
			"the topology is %s, which is not of the PSO's PrimitiveTopologyType %u", rows[s->topology].name,
			s->pipeline->desc.PrimitiveTopologyType);
		return false;
	}
	return true;
}

/* Sample positions that a command set stand for the PSO's, so there must be as many. */
static bool check_positions(const struct draw_state *s, struct kiln_diags *diags)
{
	const struct kiln_graphics_pipeline_desc *d = &s->pipeline->desc;
	uint32_t forced = d->RasterizerState.ForcedSampleCount, count = forced ? forced : d->SampleDesc.Count;

	if (!s->positions.count || s->positions.count == count)
		return true;
	diag_add(diags, DIAG_SAMPLE_POSITIONS_MISMATCH, s->where, "positions of %u samples are set, the PSO has %u",
		s->positions.count, count);
	return false;
}

static const char *format_name(uint32_t format)
{
	const struct format_info *f = format_info(format);

	return f ? f->name : "UNKNOWN";
}

/* With one sample the PSO's Quality says nothing. */
static bool same_samples(const struct kiln_sample_desc *pso, const struct kiln_sample_desc *texture)
{
	return pso->Count == texture->Count && (pso->Count == 1 || pso->Quality == texture->Quality);
}

static bool check_samples(const struct draw_state *s, const struct kiln_resource *r, enum diag_id id,
	struct kiln_diags *diags)
{
	const struct kiln_sample_desc *a = &s->pipeline->desc.SampleDesc, *b = &r->desc.SampleDesc;

	if (same_samples(a, b))
		return true;
	diag_add(diags, id, s->where, "'%s' has SampleDesc %u, quality %u, the PSO %u, quality %u", r->name, b->Count,
		b->Quality, a->Count, a->Quality);
	return false;
}

/* Targets that the PSO can write: none without a pixel shader, and none of a format that cannot be rendered to. */
static bool check_targets(const struct draw_state *s, struct kiln_diags *diags)
{
	const struct kiln_graphics_pipeline_desc *d = &s->pipeline->desc;
	uint32_t count = s->pipeline->ps ? d->NumRenderTargets : 0;
	bool ok = true;

	for (uint32_t i = 0; i < count && i < KILN_RENDER_TARGETS_MAX; i++) {
		uint32_t bound = s->targets[i].resource ? s->targets[i].format->number : KILN_FORMAT_UNKNOWN;

		if (!d->RTVFormats[i] || !(format_info(d->RTVFormats[i])->caps & FORMAT_CAN_RENDER))
			continue;
		if (d->RTVFormats[i] == bound) {
			ok &= check_samples(s, s->targets[i].resource, DIAG_RENDER_TARGET_SAMPLE_DESC_MISMATCH_PIPELINE_STATE, diags);
		} else {
			diag_add(diags, DIAG_RENDER_TARGET_FORMAT_MISMATCH_PIPELINE_STATE, s->where,
				"target %u is %s, the PSO's RTVFormats[%u] is %s", i, bound ? format_name(bound) : "not bound", i,
				format_name(d->RTVFormats[i]));
			ok = false;
		}
	}
	if (!d->DSVFormat || !s->depth.resource || !(format_info(d->DSVFormat)->caps & FORMAT_CAN_DEPTH))
		return ok; /* no depth buffer: its tests pass */
	if (s->depth.format->number != d->DSVFormat) {
		diag_add(diags, DIAG_DEPTH_STENCIL_FORMAT_MISMATCH_PIPELINE_STATE, s->where,
			"the depth buffer is %s, the PSO's DSVFormat is %s", s->depth.format->name,
			format_name(d->DSVFormat));
		return false;
	}
	return check_samples(s, s->depth.resource, DIAG_DEPTH_STENCIL_SAMPLE_DESC_MISMATCH_PIPELINE_STATE, diags) && ok;
}

static bool check_buffers(const struct draw_state *s, const struct draw_call *call, struct kiln_diags *diags)
{
	const struct kiln_graphics_pipeline_desc *d = &s->pipeline->desc;
	uint32_t warned = 0;

	for (size_t i = 0; i < s->pipeline->vs->input_count && i < ISA_IO_MAX; i++) {
		uint8_t e = s->pipeline->vs_layout[i];
		uint32_t slot = e < d->NumInputElements ? d->InputElementDescs[e].InputSlot % KILN_VERTEX_BUFFERS_MAX : 0;

		if (e >= d->NumInputElements || s->vertices[slot].buffer || warned & 1u << slot)
			continue;
		warned |= 1u << slot;
		diag_add(diags, DIAG_VERTEX_BUFFER_NOT_SET, s->where,
			"the vertex shader reads slot %u, where no vertex buffer is bound", slot);
	}
	if (call->indexed && !s->indices.buffer) {
		diag_add(diags, DIAG_INDEX_BUFFER_NOT_SET, s->where, "an indexed draw without an index buffer");
		return false;
	}
	if ((uint64_t)call->count * call->instances > 1u << 30) {
		diag_add(diags, DIAG_COMMAND_INVALID, s->where, "%u vertices in %u instances: Kiln takes 2^30 in one draw",
			call->count, call->instances);
		return false;
	}
	return true;
}

static bool check_viewport(const struct draw_state *s, struct kiln_diags *diags)
{
	const struct kiln_viewport *v = &s->viewports[0];
	const struct kiln_rect *r = &s->scissors[0];

	for (size_t i = 0; i < s->pipeline->vs->output_count; i++) {
		if (s->pipeline->vs->outputs[i].semantic == ISA_SEM_VIEWPORT_INDEX)
			return true; /* the first may well be empty */
	}
	if (!(v->Width > 0) || v->Height == 0)
		diag_add(diags, DIAG_DRAW_NOTHING, s->where, "the viewport is empty (%g x %g)", (double)v->Width, (double)v->Height);
	if (r->left >= r->right || r->top >= r->bottom)
		diag_add(diags, DIAG_DRAW_NOTHING, s->where, "the scissor is empty: [%d, %d) x [%d, %d)", r->left, r->right, r->top,
			r->bottom);
	return true;
}

static bool in_unit(float x) { return x >= 0 && x <= 1; }
static bool in_window(float x) { return x >= -32768 && x <= 32767; }

bool viewport_check(const char *where, const struct kiln_viewport *v, bool inverted, struct kiln_diags *diags)
{
	bool upright = v->Height >= 0 && v->MinDepth <= v->MaxDepth;

	if (in_window(v->TopLeftX) && in_window(v->TopLeftY) && in_window(v->TopLeftX + v->Width) &&
		in_window(v->TopLeftY + v->Height) && v->Width >= 0 && in_unit(v->MinDepth) && in_unit(v->MaxDepth) &&
		(upright || inverted))
		return true;
	diag_add(diags, DIAG_VIEWPORT_INVALID, where, "viewport at (%g, %g), size %g x %g, depth [%g, %g]", (double)v->TopLeftX,
		(double)v->TopLeftY, (double)v->Width, (double)v->Height, (double)v->MinDepth, (double)v->MaxDepth);
	return false;
}

bool draw_check(const struct draw_state *s, const struct draw_call *call, struct kiln_diags *diags)
{
	bool ok;

	if (!s->pipeline) {
		diag_add(diags, DIAG_DRAW_NO_PSO, s->where, "a draw with no PSO set");
		return false;
	}
	ok = check_system_values(s, diags);
	ok &= check_topology(s, diags);
	ok &= check_positions(s, diags);
	ok &= check_targets(s, diags);
	ok &= bindings_check(s, s->pipeline->vs, diags);
	ok &= bindings_check(s, s->pipeline->ps, diags);
	ok &= check_buffers(s, call, diags);
	return check_viewport(s, diags) && ok;
}
