/* Command lists, execution: each command is checked and carried out in order; what is wrong is said with the command's
 * number and name, and ends it. */
#include "sim/cache.h"
#include "sim/commands.h"
#include "sim/device.h"
#include <stdio.h>
#include <string.h>

static const char *const command_names[] = {
#define X(type, name) [COMMAND_##type] = name,
	COMMANDS(X)
#undef X
};

struct execution {
	struct kiln_device *device;
	struct draw_state state;
	struct kiln_counters sum;      /* of the draws so far */
	struct kiln_cached_pso *unready; /* in its place draws use the fallback, or are skipped where the pipeline is NULL */
	struct bins *bins;             /* made by the first draw */
	bool uncounted;                /* neither the caller nor a query sees counters */
	struct kiln_diags *diags;
	bool root_of_compute;          /* whose root arguments are set */
	const struct pipeline *compute;
	struct root_argument compute_root[DRAW_ROOT_PARAMETERS_MAX];
};

static bool invalid(struct execution *x, const char *text)
{
	diag_add(x->diags, DIAG_COMMAND_INVALID, x->state.where, "%s", text);
	return false;
}

static bool run_render_targets(struct execution *x, const struct command *c)
{
	struct target targets[KILN_RENDER_TARGETS_MAX] = {{0}}, depth;

	if (c->count > KILN_RENDER_TARGETS_MAX)
		return invalid(x, "more than eight render targets");
	for (uint32_t i = 0; i < c->count; i++) {
		if (!target_resolve(&c->u.targets[i], FORMAT_CAN_RENDER, x->state.where, x->diags, &targets[i]))
			return false;
		for (uint32_t k = 0; k < i; k++) {
			if (targets_overlap(&targets[i], &targets[k])) {
				diag_add(x->diags, DIAG_TARGET_INVALID, x->state.where, "'%s' is bound to two target slots",
					targets[i].resource->name);
				return false;
			}
		}
	}
	if (!target_resolve(&c->view, FORMAT_CAN_DEPTH, x->state.where, x->diags, &depth))
		return false;
	memcpy(x->state.targets, targets, sizeof x->state.targets);
	x->state.depth = depth;
	x->state.depth_flags = 0;
	return true;
}

/* What a clear fills; false: not there. */
static bool clear_target(struct execution *x, const struct command *c, unsigned caps, struct target *t)
{
	if (c->view.resource)
		return target_resolve(&c->view, caps, x->state.where, x->diags, t);
	diag_add(x->diags, DIAG_TARGET_INVALID, x->state.where, "there is no texture to clear");
	return false;
}

/* The part of a clear's rectangle that lies in the target. */
static struct pixel_bounds cleared(const struct command *c, const struct target *t)
{
	int32_t width = (int32_t)t->width, height = (int32_t)t->height;

	return (struct pixel_bounds){c->rect.left > 0 ? c->rect.left : 0, c->rect.top > 0 ? c->rect.top : 0,
		c->rect.right < width ? c->rect.right : width, c->rect.bottom < height ? c->rect.bottom : height};
}

static bool run_clear_color(struct execution *x, const struct command *c)
{
	uint8_t pixel[16] = {0};
	struct pixel_bounds b;
	struct target t;
	size_t bytes;

	if (!clear_target(x, c, FORMAT_CAN_RENDER, &t))
		return false;
	bytes = t.format->bits / 8;
	b = cleared(c, &t);
	color_block_clear(t.format, c->u.rgba, pixel);
	for (uint32_t slice = 0; slice < t.slices; slice++) {
		for (int32_t y = b.y0; y < b.y1 && b.x0 < b.x1; y++) {
			uint8_t *at = target_texel(&t, slice, (uint32_t)b.x0, (uint32_t)y, 0);
			size_t texels = (size_t)(b.x1 - b.x0) * t.resource->desc.SampleDesc.Count; /* side by side */

			for (size_t i = 0; i < texels; i++)
				memcpy(at + i * bytes, pixel, bytes);
		}
	}
	return true;
}

static bool run_clear_depth(struct execution *x, const struct command *c)
{
	bool depth = c->number & KILN_CLEAR_DEPTH, stencil = c->number & KILN_CLEAR_STENCIL;
	struct pixel_bounds b;
	struct target t;
	size_t bytes;

	if (!clear_target(x, c, FORMAT_CAN_DEPTH, &t))
		return false;
	if (c->number & ~3u || !c->number)
		return invalid(x, "clear flags are DEPTH (1) and STENCIL (2)");
	if (depth && !(c->u.rgba[0] >= 0 && c->u.rgba[0] <= 1))
		return invalid(x, "a depth clear value outside [0, 1]");
	bytes = t.format->bits / 8;
	b = cleared(c, &t);
	for (uint32_t slice = 0; slice < t.slices; slice++) {
		for (int32_t y = b.y0; y < b.y1 && b.x0 < b.x1; y++) {
			uint8_t *at = target_texel(&t, slice, (uint32_t)b.x0, (uint32_t)y, 0);
			size_t texels = (size_t)(b.x1 - b.x0) * t.resource->desc.SampleDesc.Count;

			for (size_t i = 0; i < texels; i++)
				depth_clear(t.format, depth, c->u.rgba[0], stencil, (uint8_t)c->count, at + i * bytes);
		}
	}
	return true;
}

static bool run_depth_stencil_flags(struct execution *x, const struct command *c)
{
	if (c->number & ~3u)
		return invalid(x, "flags of a depth-stencil view are READ_ONLY_DEPTH (1) and READ_ONLY_STENCIL (2)");
	x->state.depth_flags = c->number;
	return true;
}

static bool run_viewports(struct execution *x, const struct command *c)
{
	bool ok = true;

	if (c->count > KILN_VIEWPORTS_MAX)
		return invalid(x, "more than 16 viewports");
	for (uint32_t i = 0; i < c->count; i++)
		ok &= viewport_check(x->state.where, &c->u.viewports[i], x->device->desc.inverted_viewports, x->diags);
	memcpy(x->state.viewports, c->u.viewports, sizeof x->state.viewports);
	return ok;
}

static bool run_scissors(struct execution *x, const struct command *c)
{
	if (c->count > KILN_VIEWPORTS_MAX)
		return invalid(x, "more than 16 scissors");
	memcpy(x->state.scissors, c->u.scissors, sizeof x->state.scissors);
	return true;
}

static bool run_sample_positions(struct execution *x, const struct command *c)
{
	uint32_t samples = c->first, pixels = c->count;
	struct sample_pattern p = {.count = (uint8_t)samples};

	if ((samples || pixels) && (!samples || samples > SAMPLES_MAX || samples & (samples - 1) || (pixels != 1 && pixels != 4) ||
								   samples * pixels > SAMPLES_MAX))
		return invalid(x, "sample positions for 1, 2, 4, 8 or 16 samples and 1 or 4 pixels, 16 in all, are taken");
	for (uint32_t i = 0; i < 4 * samples; i++) {
		const struct kiln_sample_position *at = &c->u.positions[pixels == 4 ? i : i % samples];

		if (at->X < -8 || at->X > 7 || at->Y < -8 || at->Y > 7)
			return invalid(x, "a sample position is -8 to 7, in 1/16 pixel");
		p.at[i / samples][i % samples][0] = at->X;
		p.at[i / samples][i % samples][1] = at->Y;
	}
	x->state.positions = p;
	return true;
}

/* The part of the view that lies inside the buffer; past its end reads are out of bounds. */
static bool clamp_view(struct execution *x, struct vertex_view *v)
{
	if (!v->buffer)
		return true;
	if (v->buffer->is_texture)
		return invalid(x, "a texture in place of a buffer");
	if (v->offset > v->buffer->size)
		v->size = v->offset = 0;
	if (v->size > v->buffer->size - v->offset)
		v->size = (uint32_t)(v->buffer->size - v->offset);
	return true;
}

static bool run_vertex_buffer(struct execution *x, const struct command *c)
{
	struct vertex_view v = c->u.view;

	if (c->number >= KILN_VERTEX_BUFFERS_MAX)
		return invalid(x, "vertex buffer slots go from 0 to 31");
	if (v.stride > 2048)
		return invalid(x, "a vertex stride above 2048");
	if (!clamp_view(x, &v))
		return false;
	x->state.vertices[c->number] = v;
	return true;
}

static bool run_index_buffer(struct execution *x, const struct command *c)
{
	struct vertex_view v = c->u.view;

	if (v.buffer && c->number != KILN_FORMAT_R16_UINT && c->number != KILN_FORMAT_R32_UINT) {
		diag_add(x->diags, DIAG_INDEX_BUFFER_FORMAT_INVALID, x->state.where, "format number %u", c->number);
		return false;
	}
	if (!clamp_view(x, &v))
		return false;
	v.stride = c->number == KILN_FORMAT_R16_UINT ? 2 : 4;
	x->state.indices = v;
	return true;
}

static struct root_argument *root_argument(struct execution *x, uint32_t parameter)
{
	return &(x->root_of_compute ? x->compute_root : x->state.root)[parameter % DRAW_ROOT_PARAMETERS_MAX];
}

static bool run_root_constants(struct execution *x, const struct command *c)
{
	struct root_argument *a = root_argument(x, c->number);

	if (c->number >= DRAW_ROOT_PARAMETERS_MAX)
		return invalid(x, "root parameters go from 0 to 63");
	if (c->count > DRAW_ROOT_CONSTANTS_MAX || c->first > DRAW_ROOT_CONSTANTS_MAX - c->count)
		return invalid(x, "root constants past the 64th");
	if (a->kind != ROOT_CONSTANTS)
		*a = (struct root_argument){.kind = ROOT_CONSTANTS};
	memcpy(a->constants + c->first, c->u.constants, c->count * sizeof *a->constants);
	return true;
}

static bool run_root_buffer(struct execution *x, const struct command *c)
{
	static const char *const names[] = {[ROOT_CBV] = "CBV", [ROOT_SRV] = "SRV", [ROOT_UAV] = "UAV"};
	uint32_t align = c->count == ROOT_CBV ? 256 : 4;

	if (c->number >= DRAW_ROOT_PARAMETERS_MAX)
		return invalid(x, "root parameters go from 0 to 63");
	if (!c->resource || c->resource->is_texture || c->first % align || c->first >= c->resource->size) {
		diag_add(x->diags, DIAG_COMMAND_INVALID, x->state.where,
			"a root %s needs a buffer and an offset inside it that is a multiple of %u", names[c->count], align);
		return false;
	}
	*root_argument(x, c->number) =
		(struct root_argument){.kind = (uint8_t)c->count, .buffer = c->resource, .offset = c->first};
	return true;
}

static bool run_root_table(struct execution *x, const struct command *c)
{
	if (c->number >= DRAW_ROOT_PARAMETERS_MAX)
		return invalid(x, "root parameters go from 0 to 63");
	if (!c->heap || c->first >= c->heap->count)
		return invalid(x, "a root table needs a heap and a first descriptor that it has");
	*root_argument(x, c->number) = (struct root_argument){.kind = ROOT_TABLE, .heap = c->heap, .first = c->first};
	return true;
}

static bool run_descriptor_heaps(struct execution *x, const struct command *c)
{
	if ((c->heap && c->heap->type != KILN_HEAP_CBV_SRV_UAV) || (c->samplers && c->samplers->type != KILN_HEAP_SAMPLER))
		return invalid(x, "a heap of the other type");
	x->state.heaps[0] = c->heap;
	x->state.heaps[1] = c->samplers;
	return true;
}

static bool run_copy(struct execution *x, const struct command *c)
{
	struct kiln_resource *to = c->resource, *from = c->source;
	struct kiln_subresource a = {0}, b = {0};
	const void *source = from ? kiln_resource_subresource_data(from, c->first, &b) : NULL;

	if (!to || !source || !kiln_resource_subresource_data(to, c->number, &a) || (to == from && c->number == c->first)) {
		diag_add(x->diags, DIAG_COPY_INVALID, x->state.where, "subresource %u of '%s' to subresource %u of '%s'", c->first,
			from ? from->name : "(null)", c->number, to ? to->name : "(null)");
		return false;
	}
	if (to->is_texture != from->is_texture || a.Width != b.Width || a.Height != b.Height || a.Depth != b.Depth ||
		to->desc.SampleDesc.Count != from->desc.SampleDesc.Count ||
		(to->is_texture && !format_same_family(to->format->number, from->format->number))) {
		diag_add(x->diags, DIAG_COPY_INVALID, x->state.where,
			"'%s' has %u x %u x %u of %s, '%s' has %u x %u x %u of %s, or the sample counts differ", from->name, b.Width,
			b.Height, b.Depth, from->is_texture ? from->format->name : "bytes", to->name, a.Width, a.Height, a.Depth,
			to->is_texture ? to->format->name : "bytes");
		return false;
	}
	memcpy(resource_subresource(to, c->number), source, a.size);
	return true;
}

static void sum_counters(struct kiln_counters *sum, const struct kiln_counters *c)
{
#define X(name, unit, meaning) sum->name += c->name;
	KILN_COUNTERS(X)
#undef X
}

static bool run_cached_pso(struct execution *x, const struct command *c)
{
	struct kiln_pso *pso;

	x->unready = NULL;
	x->state.pipeline = NULL;
	if (!c->cached)
		return true;
	if (c->number == KILN_CACHE_WAIT) {
		size_t before = kiln_diags_errors(x->diags);

		pso = kiln_cached_pso_wait(c->cached, x->diags);
		if (kiln_diags_errors(x->diags) > before)
			return false;
	} else {
		pso = kiln_cached_pso_poll(c->cached);
	}
	if (!pso) {
		x->unready = c->cached;
		pso = c->number == KILN_CACHE_WAIT ? NULL : c->pso;
	}
	x->state.pipeline = pso ? pso->pipeline : NULL;
	return true;
}

static bool run_draw(struct execution *x, const struct draw_call *call)
{
	struct draw_record *record;
	bool ok;

	if (x->unready) {
		cache_count_draw(x->unready, x->state.pipeline != NULL);
		if (!x->state.pipeline)
			return true;
	}
	if (!draw_check(&x->state, call, x->diags))
		return false;
	record = ARRAY_PUSH(x->device->records, x->device->record_count, x->device->record_cap);
	if (!x->bins)
		x->bins = bins_create(x->device->desc.threads);
	ok = draw_run(&x->state, call, &x->device->desc, x->bins, x->uncounted, record, x->diags);
	sum_counters(&x->sum, &record->counters);
	return ok;
}

static bool run_dispatch(struct execution *x, const uint32_t groups[3])
{
	struct draw_state *s = mem_alloc(sizeof *s);
	struct draw_record *record;
	bool ok;

	memcpy(s->where, x->state.where, sizeof s->where);
	s->pipeline = x->compute;
	memcpy(s->root, x->compute_root, sizeof s->root);
	memcpy(s->heaps, x->state.heaps, sizeof s->heaps);
	ok = dispatch_check(s, groups, x->diags);
	if (ok) {
		record = ARRAY_PUSH(x->device->records, x->device->record_count, x->device->record_cap);
		ok = dispatch_run(s, groups, &x->device->desc, record, x->diags);
		sum_counters(&x->sum, &record->counters);
	}
	mem_free(s);
	return ok;
}

static bool run_indirect_call(struct execution *x, enum kiln_indirect what, const uint32_t a[5])
{
	if (what == KILN_INDIRECT_DISPATCH)
		return run_dispatch(x, a);
	if (what == KILN_INDIRECT_DRAW)
		return run_draw(x, &(struct draw_call){.count = a[0], .instances = a[1], .first = a[2], .first_instance = a[3]});
	return run_draw(x, &(struct draw_call){.indexed = true, .count = a[0], .instances = a[1], .first = a[2],
		.base_vertex = (int32_t)a[3], .first_instance = a[4]});
}

static bool run_indirect(struct execution *x, const struct command *c)
{
	static const uint8_t sizes[] = {[KILN_INDIRECT_DRAW] = 16, [KILN_INDIRECT_DRAW_INDEXED] = 20, [KILN_INDIRECT_DISPATCH] = 12};
	uint32_t size = c->number < ARRAY_COUNT(sizes) ? sizes[c->number] : 0, count = c->count;

	if (!size || !c->resource || c->resource->is_texture || c->offset % 4 || (count > 1 && (c->first < size || c->first % 4)))
		return invalid(x, "indirect arguments need a buffer, an offset and a stride that are multiples of 4");
	if (count && c->offset + (uint64_t)(count - 1) * c->first + size > c->resource->size)
		return invalid(x, "indirect arguments past the end of their buffer");
	for (uint32_t i = 0; i < count; i++) {
		uint32_t words[5] = {0};

		memcpy(words, c->resource->data + c->offset + (size_t)i * c->first, size);
		if (!run_indirect_call(x, (enum kiln_indirect)c->number, words))
			return false;
	}
	return true;
}

static bool run(struct execution *x, const struct command *c)
{
	switch ((enum command_type)c->type) {
	case COMMAND_RENDER_TARGETS:
		return run_render_targets(x, c);
	case COMMAND_CLEAR_COLOR:
		return run_clear_color(x, c);
	case COMMAND_CLEAR_DEPTH:
		return run_clear_depth(x, c);
	case COMMAND_DEPTH_STENCIL_FLAGS:
		return run_depth_stencil_flags(x, c);
	case COMMAND_STENCIL_REF:
		x->state.stencil_ref[0] = (uint8_t)c->first;
		x->state.stencil_ref[1] = (uint8_t)c->count;
		return true;
	case COMMAND_DEPTH_BOUNDS:
		memcpy(x->state.depth_bounds, c->u.rgba, sizeof x->state.depth_bounds);
		return true;
	case COMMAND_RESOLVE:
		return resolve_run(x->state.where, c->resource, c->source, c->first, c->number, x->diags);
	case COMMAND_BEGIN_QUERY:
		return query_begin(x->state.where, c->queries, c->first, &x->sum, x->diags);
	case COMMAND_END_QUERY:
		return query_end(x->state.where, c->queries, c->first, &x->sum, x->diags);
	case COMMAND_RESOLVE_QUERY:
		return query_resolve(x->state.where, c->queries, c->first, c->count, c->resource, c->offset, x->diags);
	case COMMAND_VIEWPORT:
		return run_viewports(x, c);
	case COMMAND_SCISSOR:
		return run_scissors(x, c);
	case COMMAND_SAMPLE_POSITIONS:
		return run_sample_positions(x, c);
	case COMMAND_PSO:
		if (c->pso && c->pso->pipeline->cs) {
			x->compute = c->pso->pipeline;
			return true;
		}
		x->state.pipeline = c->pso ? c->pso->pipeline : NULL;
		x->unready = NULL;
		return true;
	case COMMAND_CACHED_PSO:
		return run_cached_pso(x, c);
	case COMMAND_TOPOLOGY:
		x->state.topology = c->number;
		return true;
	case COMMAND_VERTEX_BUFFER:
		return run_vertex_buffer(x, c);
	case COMMAND_INDEX_BUFFER:
		return run_index_buffer(x, c);
	case COMMAND_BLEND_FACTOR:
		memcpy(x->state.blend_factor, c->u.rgba, sizeof c->u.rgba);
		return true;
	case COMMAND_ROOT_CONSTANTS:
		return run_root_constants(x, c);
	case COMMAND_ROOT_BUFFER:
		return run_root_buffer(x, c);
	case COMMAND_ROOT_TABLE:
		return run_root_table(x, c);
	case COMMAND_DESCRIPTOR_HEAPS:
		return run_descriptor_heaps(x, c);
	case COMMAND_GENERATE_MIPS:
		return c->resource ? resource_generate_mips(c->resource, c->number, x->state.where, x->diags)
						   : invalid(x, "there is no texture to make mips of");
	case COMMAND_COPY:
		return run_copy(x, c);
	case COMMAND_DRAW:
		return run_draw(x, &c->u.draw);
	case COMMAND_BIND_POINT:
		x->root_of_compute = c->number;
		return true;
	case COMMAND_DISPATCH:
		return run_dispatch(x, c->u.constants);
	case COMMAND_INDIRECT:
		return run_indirect(x, c);
	}
	return false;
}

bool kiln_execute(
	struct kiln_device *d, const struct kiln_commands *c, struct kiln_counters *counters, struct kiln_diags *diags)
{
	struct execution *x = mem_alloc(sizeof *x);
	unsigned saved = fp_enter();
	bool ok = true;

	x->device = d;
	x->diags = diags;
	for (int i = 0; i < 4; i++)
		x->state.blend_factor[i] = 1; /* D3D12's default */
	x->state.depth_bounds[1] = 1;
	d->record_count = 0;
	x->uncounted = !counters;
	for (size_t i = 0; i < c->count; i++)
		x->uncounted &= c->list[i].type != COMMAND_BEGIN_QUERY && c->list[i].type != COMMAND_END_QUERY;
	for (size_t i = 0; i < c->count && ok; i++) {
		const struct pipeline *p = x->state.pipeline;

		snprintf(x->state.where, sizeof x->state.where, "command %zu (%s)%s%s", i, command_names[c->list[i].type],
			c->list[i].type == COMMAND_DRAW && p ? ", PSO " : "", c->list[i].type == COMMAND_DRAW && p ? p->name : "");
		ok = run(x, &c->list[i]);
	}
	for (size_t i = 0; i < c->count; i++)
		query_forget(c->list[i].queries);
	if (counters)
		*counters = x->sum;
	fp_leave(saved);
	if (x->bins)
		bins_destroy(x->bins);
	mem_free(x);
	return ok;
}

const struct draw_record *sim_draw_records(const struct kiln_device *d, size_t *count)
{
	*count = d->record_count;
	return d->records;
}
