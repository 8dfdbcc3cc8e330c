/* Command lists: recorded as given, checked and executed in order. Recording copies its arguments and never fails; what is
 * wrong is found at execution, with the number of the command. */
#include "sim/draw.h"
#include "sim/cache.h"
#include "sim/device.h"
#include <stdio.h>
#include <string.h>

enum command_type {
	COMMAND_RENDER_TARGETS,
	COMMAND_CLEAR_COLOR,
	COMMAND_CLEAR_DEPTH,
	COMMAND_DEPTH_STENCIL_FLAGS,
	COMMAND_STENCIL_REF,
	COMMAND_DEPTH_BOUNDS,
	COMMAND_RESOLVE,
	COMMAND_BEGIN_QUERY,
	COMMAND_END_QUERY,
	COMMAND_RESOLVE_QUERY,
	COMMAND_VIEWPORT,
	COMMAND_SCISSOR,
	COMMAND_SAMPLE_POSITIONS,
	COMMAND_PSO,
	COMMAND_CACHED_PSO,
	COMMAND_TOPOLOGY,
	COMMAND_VERTEX_BUFFER,
	COMMAND_INDEX_BUFFER,
	COMMAND_BLEND_FACTOR,
	COMMAND_ROOT_CONSTANTS,
	COMMAND_ROOT_BUFFER,
	COMMAND_ROOT_TABLE,
	COMMAND_GENERATE_MIPS,
	COMMAND_COPY,
	COMMAND_DRAW,
	COMMAND_BIND_POINT,
	COMMAND_DISPATCH,
	COMMAND_INDIRECT
};
static const char *const command_names[] = {
	[COMMAND_RENDER_TARGETS] = "render_targets",
	[COMMAND_CLEAR_COLOR] = "clear_color",
	[COMMAND_CLEAR_DEPTH] = "clear_depth",
	[COMMAND_DEPTH_STENCIL_FLAGS] = "depth_stencil_flags",
	[COMMAND_STENCIL_REF] = "stencil_ref",
	[COMMAND_DEPTH_BOUNDS] = "depth_bounds",
	[COMMAND_RESOLVE] = "resolve",
	[COMMAND_BEGIN_QUERY] = "begin_query",
	[COMMAND_END_QUERY] = "end_query",
	[COMMAND_RESOLVE_QUERY] = "resolve_query",
	[COMMAND_VIEWPORT] = "viewport",
	[COMMAND_SCISSOR] = "scissor",
	[COMMAND_SAMPLE_POSITIONS] = "sample_positions",
	[COMMAND_PSO] = "pso",
	[COMMAND_CACHED_PSO] = "cached_pso",
	[COMMAND_TOPOLOGY] = "topology",
	[COMMAND_VERTEX_BUFFER] = "vertex_buffer",
	[COMMAND_INDEX_BUFFER] = "index_buffer",
	[COMMAND_BLEND_FACTOR] = "blend_factor",
	[COMMAND_ROOT_CONSTANTS] = "root_constants",
	[COMMAND_ROOT_BUFFER] = "root_cbv, root_srv or root_uav",
	[COMMAND_ROOT_TABLE] = "root_table",
	[COMMAND_GENERATE_MIPS] = "generate_mips",
	[COMMAND_COPY] = "copy",
	[COMMAND_DRAW] = "draw",
	[COMMAND_BIND_POINT] = "root_bind_point",
	[COMMAND_DISPATCH] = "dispatch",
	[COMMAND_INDIRECT] = "indirect",
};

struct command {
	uint8_t type;                  /* enum command_type */
	uint32_t number, first, count; /* slot, parameter or number of targets; a range where there is one */
	struct kiln_resource *resource, *source;
	struct kiln_query_heap *queries;
	struct kiln_pso *pso;          /* or the fallback of a cached one */
	struct kiln_cached_pso *cached;
	const struct kiln_descriptor_heap *heap;
	struct kiln_target_view view;  /* of a clear; the depth buffer */
	uint64_t offset;
	union {
		struct kiln_target_view targets[KILN_RENDER_TARGETS_MAX];
		float rgba[4];
		struct kiln_viewport viewports[KILN_VIEWPORTS_MAX];
		struct kiln_rect scissors[KILN_VIEWPORTS_MAX];
		struct kiln_sample_position positions[SAMPLES_MAX];
		struct vertex_view view;
		uint32_t constants[DRAW_ROOT_CONSTANTS_MAX];
		struct draw_call draw;
	} u;
};
struct kiln_commands {
	struct command *list;
	size_t count, cap;
};

/* ---- recording ---- */

struct kiln_commands *kiln_commands_create(struct kiln_device *d)
{
	(void)d;
	return mem_alloc(sizeof(struct kiln_commands));
}

void kiln_commands_destroy(struct kiln_commands *c)
{
	if (!c)
		return;
	mem_free(c->list);
	mem_free(c);
}

static struct command *add(struct kiln_commands *c, enum command_type type)
{
	struct command *cmd = ARRAY_PUSH(c->list, c->count, c->cap);

	cmd->type = (uint8_t)type;
	return cmd;
}

void kiln_cmd_render_target_views(struct kiln_commands *c, uint32_t count, const struct kiln_target_view *views,
	const struct kiln_target_view *depth)
{
	struct command *cmd = add(c, COMMAND_RENDER_TARGETS);

	cmd->count = count;
	if (depth)
		cmd->view = *depth;
	for (uint32_t i = 0; i < count && i < KILN_RENDER_TARGETS_MAX; i++)
		cmd->u.targets[i] = views[i];
}

void kiln_cmd_render_targets(
	struct kiln_commands *c, uint32_t count, struct kiln_resource *const *targets, struct kiln_resource *depth)
{
	struct command *cmd = add(c, COMMAND_RENDER_TARGETS);

	cmd->count = count;
	cmd->view.resource = depth;
	for (uint32_t i = 0; i < count && i < KILN_RENDER_TARGETS_MAX; i++)
		cmd->u.targets[i].resource = targets[i];
}

void kiln_cmd_clear_color_view(struct kiln_commands *c, const struct kiln_target_view *view, const float rgba[4])
{
	struct command *cmd = add(c, COMMAND_CLEAR_COLOR);

	cmd->view = *view;
	memcpy(cmd->u.rgba, rgba, sizeof cmd->u.rgba);
}

void kiln_cmd_clear_color(struct kiln_commands *c, struct kiln_resource *target, const float rgba[4])
{
	kiln_cmd_clear_color_view(c, &(struct kiln_target_view){.resource = target}, rgba);
}

void kiln_cmd_clear_depth_stencil_view(
	struct kiln_commands *c, const struct kiln_target_view *view, uint32_t flags, float value, uint8_t stencil)
{
	struct command *cmd = add(c, COMMAND_CLEAR_DEPTH);

	cmd->view = *view;
	cmd->number = flags;
	cmd->count = stencil;
	memcpy(cmd->u.rgba, &value, sizeof value);
}

void kiln_cmd_clear_depth_view(struct kiln_commands *c, const struct kiln_target_view *view, float value)
{
	kiln_cmd_clear_depth_stencil_view(c, view, KILN_CLEAR_DEPTH, value, 0);
}

void kiln_cmd_clear_depth(struct kiln_commands *c, struct kiln_resource *depth, float value)
{
	kiln_cmd_clear_depth_stencil(c, depth, KILN_CLEAR_DEPTH, value, 0);
}

void kiln_cmd_clear_depth_stencil(
	struct kiln_commands *c, struct kiln_resource *depth, uint32_t flags, float value, uint8_t stencil)
{
	kiln_cmd_clear_depth_stencil_view(c, &(struct kiln_target_view){.resource = depth}, flags, value, stencil);
}

void kiln_cmd_depth_stencil_flags(struct kiln_commands *c, uint32_t flags)
{
	add(c, COMMAND_DEPTH_STENCIL_FLAGS)->number = flags;
}

void kiln_cmd_stencil_ref(struct kiln_commands *c, uint8_t front, uint8_t back)
{
	struct command *cmd = add(c, COMMAND_STENCIL_REF);

	cmd->first = front;
	cmd->count = back;
}

void kiln_cmd_depth_bounds(struct kiln_commands *c, float min, float max)
{
	struct command *cmd = add(c, COMMAND_DEPTH_BOUNDS);

	memcpy(&cmd->u.rgba[0], &min, sizeof min);
	memcpy(&cmd->u.rgba[1], &max, sizeof max);
}

void kiln_cmd_resolve(
	struct kiln_commands *c, struct kiln_resource *dst, struct kiln_resource *src, uint32_t format, enum kiln_resolve_mode mode)
{
	struct command *cmd = add(c, COMMAND_RESOLVE);

	cmd->resource = dst;
	cmd->source = src;
	cmd->first = format;
	cmd->number = (uint32_t)mode;
}

static struct command *add_query(
	struct kiln_commands *c, enum command_type type, struct kiln_query_heap *h, uint32_t first, uint32_t count)
{
	struct command *cmd = add(c, type);

	cmd->queries = h;
	cmd->first = first;
	cmd->count = count;
	return cmd;
}

void kiln_cmd_begin_query(struct kiln_commands *c, struct kiln_query_heap *h, uint32_t index)
{
	add_query(c, COMMAND_BEGIN_QUERY, h, index, 1);
}

void kiln_cmd_end_query(struct kiln_commands *c, struct kiln_query_heap *h, uint32_t index)
{
	add_query(c, COMMAND_END_QUERY, h, index, 1);
}

void kiln_cmd_resolve_query(struct kiln_commands *c, struct kiln_query_heap *h, uint32_t first, uint32_t count,
	struct kiln_resource *buffer, uint64_t offset)
{
	struct command *cmd = add_query(c, COMMAND_RESOLVE_QUERY, h, first, count);

	cmd->resource = buffer;
	cmd->offset = offset;
}

void kiln_cmd_viewports(struct kiln_commands *c, uint32_t count, const struct kiln_viewport *v)
{
	struct command *cmd = add(c, COMMAND_VIEWPORT);

	cmd->count = count;
	if (count && count <= KILN_VIEWPORTS_MAX)
		memcpy(cmd->u.viewports, v, count * sizeof *v);
}

void kiln_cmd_scissors(struct kiln_commands *c, uint32_t count, const struct kiln_rect *r)
{
	struct command *cmd = add(c, COMMAND_SCISSOR);

	cmd->count = count;
	if (count && count <= KILN_VIEWPORTS_MAX)
		memcpy(cmd->u.scissors, r, count * sizeof *r);
}

void kiln_cmd_viewport(struct kiln_commands *c, const struct kiln_viewport *v) { kiln_cmd_viewports(c, 1, v); }

void kiln_cmd_scissor(struct kiln_commands *c, const struct kiln_rect *r) { kiln_cmd_scissors(c, 1, r); }

void kiln_cmd_sample_positions(
	struct kiln_commands *c, uint32_t samples, uint32_t pixels, const struct kiln_sample_position *positions)
{
	struct command *cmd = add(c, COMMAND_SAMPLE_POSITIONS);

	cmd->first = samples;
	cmd->count = pixels;
	if (positions && (uint64_t)samples * pixels <= SAMPLES_MAX)
		memcpy(cmd->u.positions, positions, samples * pixels * sizeof *positions);
}

void kiln_cmd_pso(struct kiln_commands *c, struct kiln_pso *p) { add(c, COMMAND_PSO)->pso = p; }

void kiln_cmd_cached_pso(struct kiln_commands *c, struct kiln_cached_pso *p, enum kiln_cache_mode mode,
	struct kiln_pso *fallback)
{
	struct command *to = add(c, COMMAND_CACHED_PSO);

	to->cached = p;
	to->number = mode;
	to->pso = fallback;
}

void kiln_cmd_topology(struct kiln_commands *c, enum kiln_topology t) { add(c, COMMAND_TOPOLOGY)->number = (uint32_t)t; }

void kiln_cmd_vertex_buffer(
	struct kiln_commands *c, uint32_t slot, struct kiln_resource *buffer, uint32_t offset, uint32_t size, uint32_t stride)
{
	struct command *cmd = add(c, COMMAND_VERTEX_BUFFER);

	cmd->number = slot;
	cmd->u.view = (struct vertex_view){.buffer = buffer, .offset = offset, .size = size, .stride = stride};
}

void kiln_cmd_index_buffer(
	struct kiln_commands *c, struct kiln_resource *buffer, uint32_t offset, uint32_t size, uint32_t format)
{
	struct command *cmd = add(c, COMMAND_INDEX_BUFFER);

	cmd->number = format;
	cmd->u.view = (struct vertex_view){.buffer = buffer, .offset = offset, .size = size};
}

void kiln_cmd_blend_factor(struct kiln_commands *c, const float rgba[4])
{
	static const float ones[4] = {1.0f, 1.0f, 1.0f, 1.0f};

	memcpy(add(c, COMMAND_BLEND_FACTOR)->u.rgba, rgba ? rgba : ones, sizeof ones);
}

void kiln_cmd_root_constants(
	struct kiln_commands *c, uint32_t parameter, uint32_t first, uint32_t count, const uint32_t *values)
{
	struct command *cmd = add(c, COMMAND_ROOT_CONSTANTS);

	cmd->number = parameter;
	cmd->first = first;
	cmd->count = count;
	if (count && count <= DRAW_ROOT_CONSTANTS_MAX)
		memcpy(cmd->u.constants, values, count * sizeof *values);
}

/* kind: enum root_argument_kind */
static void root_buffer(
	struct kiln_commands *c, uint32_t kind, uint32_t parameter, struct kiln_resource *buffer, uint32_t offset)
{
	struct command *cmd = add(c, COMMAND_ROOT_BUFFER);

	cmd->number = parameter;
	cmd->count = kind;
	cmd->first = offset;
	cmd->resource = buffer;
}

void kiln_cmd_root_cbv(struct kiln_commands *c, uint32_t parameter, struct kiln_resource *buffer, uint32_t offset)
{
	root_buffer(c, ROOT_CBV, parameter, buffer, offset);
}

void kiln_cmd_root_srv(struct kiln_commands *c, uint32_t parameter, struct kiln_resource *buffer, uint32_t offset)
{
	root_buffer(c, ROOT_SRV, parameter, buffer, offset);
}

void kiln_cmd_root_uav(struct kiln_commands *c, uint32_t parameter, struct kiln_resource *buffer, uint32_t offset)
{
	root_buffer(c, ROOT_UAV, parameter, buffer, offset);
}

void kiln_cmd_root_table(
	struct kiln_commands *c, uint32_t parameter, struct kiln_descriptor_heap *heap, uint32_t first)
{
	struct command *cmd = add(c, COMMAND_ROOT_TABLE);

	cmd->number = parameter;
	cmd->first = first;
	cmd->heap = heap;
}

void kiln_cmd_generate_mips(struct kiln_commands *c, struct kiln_resource *r, uint32_t format)
{
	struct command *cmd = add(c, COMMAND_GENERATE_MIPS);

	cmd->resource = r;
	cmd->number = format;
}

void kiln_cmd_copy(struct kiln_commands *c, struct kiln_resource *dst, uint32_t dst_subresource, struct kiln_resource *src,
	uint32_t src_subresource)
{
	struct command *cmd = add(c, COMMAND_COPY);

	cmd->resource = dst;
	cmd->number = dst_subresource;
	cmd->source = src;
	cmd->first = src_subresource;
}

void kiln_cmd_draw(
	struct kiln_commands *c, uint32_t vertices, uint32_t instances, uint32_t first_vertex, uint32_t first_instance)
{
	add(c, COMMAND_DRAW)->u.draw = (struct draw_call){
		.count = vertices, .instances = instances, .first = first_vertex, .first_instance = first_instance};
}

void kiln_cmd_draw_indexed(struct kiln_commands *c, uint32_t indices, uint32_t instances, uint32_t first_index,
	int32_t base_vertex, uint32_t first_instance)
{
	add(c, COMMAND_DRAW)->u.draw = (struct draw_call){.indexed = true,
		.count = indices,
		.instances = instances,
		.first = first_index,
		.base_vertex = base_vertex,
		.first_instance = first_instance};
}

void kiln_cmd_root_bind_point(struct kiln_commands *c, bool compute) { add(c, COMMAND_BIND_POINT)->number = compute; }

void kiln_cmd_dispatch(struct kiln_commands *c, uint32_t x, uint32_t y, uint32_t z)
{
	const uint32_t groups[3] = {x, y, z};

	memcpy(add(c, COMMAND_DISPATCH)->u.constants, groups, sizeof groups);
}

void kiln_cmd_indirect(struct kiln_commands *c, enum kiln_indirect what, struct kiln_resource *arguments, uint32_t offset,
	uint32_t count, uint32_t stride)
{
	struct command *cmd = add(c, COMMAND_INDIRECT);

	cmd->number = what;
	cmd->resource = arguments;
	cmd->offset = offset;
	cmd->count = count;
	cmd->first = stride;
}

/* ---- execution ---- */

struct execution {
	struct kiln_device *device;
	struct draw_state state;
	struct kiln_counters sum;      /* of the draws so far */
	struct kiln_cached_pso *unready; /* in its place draws use the fallback, or are skipped where the pipeline is NULL */
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

/* One mip of a slice lies in one piece: its texels, samples counted. */
static size_t target_texels(const struct target *t)
{
	return (size_t)t->width * t->height * t->resource->desc.SampleDesc.Count;
}

static bool run_clear_color(struct execution *x, const struct command *c)
{
	uint8_t pixel[16] = {0};
	struct target t;
	size_t bytes;

	if (!clear_target(x, c, FORMAT_CAN_RENDER, &t))
		return false;
	bytes = t.format->bits / 8;
	color_block_clear(t.format, c->u.rgba, pixel);
	for (uint32_t slice = 0; slice < t.slices; slice++) {
		uint8_t *at = target_texel(&t, slice, 0, 0, 0);

		for (size_t i = 0; i < target_texels(&t); i++)
			memcpy(at + i * bytes, pixel, bytes);
	}
	return true;
}

static bool run_clear_depth(struct execution *x, const struct command *c)
{
	bool depth = c->number & KILN_CLEAR_DEPTH, stencil = c->number & KILN_CLEAR_STENCIL;
	struct target t;
	size_t bytes;

	if (!clear_target(x, c, FORMAT_CAN_DEPTH, &t))
		return false;
	if (c->number & ~3u || !c->number)
		return invalid(x, "clear flags are DEPTH (1) and STENCIL (2)");
	if (depth && !(c->u.rgba[0] >= 0 && c->u.rgba[0] <= 1))
		return invalid(x, "a depth clear value outside [0, 1]");
	bytes = t.format->bits / 8;
	for (uint32_t slice = 0; slice < t.slices; slice++) {
		uint8_t *at = target_texel(&t, slice, 0, 0, 0);

		for (size_t i = 0; i < target_texels(&t); i++)
			depth_clear(t.format, depth, c->u.rgba[0], stencil, (uint8_t)c->count, at + i * bytes);
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
		ok &= viewport_check(x->state.where, &c->u.viewports[i], x->diags);
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
	ok = draw_run(&x->state, call, &x->device->desc, record, x->diags);
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
	mem_free(x);
	return ok;
}

const struct draw_record *sim_draw_records(const struct kiln_device *d, size_t *count)
{
	*count = d->record_count;
	return d->records;
}
