/* Command lists, recording: arguments are copied, nothing is judged, nothing fails. execute.c finds what is wrong. */
#include "sim/commands.h"
#include <kiln/cache.h>
#include <string.h>

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

static const struct kiln_rect everywhere = {0, 0, INT32_MAX, INT32_MAX};

/* A command for each rectangle. */
void kiln_cmd_clear_color_rects(struct kiln_commands *c, const struct kiln_target_view *view, const float rgba[4],
	uint32_t count, const struct kiln_rect *rects)
{
	for (uint32_t i = 0; i < (count ? count : 1); i++) {
		struct command *cmd = add(c, COMMAND_CLEAR_COLOR);

		cmd->view = *view;
		cmd->rect = count ? rects[i] : everywhere;
		memcpy(cmd->u.rgba, rgba, sizeof cmd->u.rgba);
	}
}

void kiln_cmd_clear_color_view(struct kiln_commands *c, const struct kiln_target_view *view, const float rgba[4])
{
	kiln_cmd_clear_color_rects(c, view, rgba, 0, NULL);
}

void kiln_cmd_clear_color(struct kiln_commands *c, struct kiln_resource *target, const float rgba[4])
{
	kiln_cmd_clear_color_view(c, &(struct kiln_target_view){.resource = target}, rgba);
}

void kiln_cmd_clear_depth_stencil_rects(struct kiln_commands *c, const struct kiln_target_view *view, uint32_t flags,
	float value, uint8_t stencil, uint32_t count, const struct kiln_rect *rects)
{
	for (uint32_t i = 0; i < (count ? count : 1); i++) {
		struct command *cmd = add(c, COMMAND_CLEAR_DEPTH);

		cmd->view = *view;
		cmd->rect = count ? rects[i] : everywhere;
		cmd->number = flags;
		cmd->count = stencil;
		memcpy(cmd->u.rgba, &value, sizeof value);
	}
}

void kiln_cmd_clear_depth_stencil_view(
	struct kiln_commands *c, const struct kiln_target_view *view, uint32_t flags, float value, uint8_t stencil)
{
	kiln_cmd_clear_depth_stencil_rects(c, view, flags, value, stencil, 0, NULL);
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

void kiln_cmd_descriptor_heaps(
	struct kiln_commands *c, struct kiln_descriptor_heap *resources, struct kiln_descriptor_heap *samplers)
{
	struct command *cmd = add(c, COMMAND_DESCRIPTOR_HEAPS);

	cmd->heap = resources;
	cmd->samplers = samplers;
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
