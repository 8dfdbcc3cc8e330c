/* Private to sim/commands.c and execute.c: a command as it was recorded. */
#ifndef KILN_SIM_COMMANDS_H
#define KILN_SIM_COMMANDS_H
#include "sim/draw.h"

/* Type, and the name that diagnostics give it. */
#define COMMANDS(X) \
	X(RENDER_TARGETS, "render_targets") \
	X(CLEAR_COLOR, "clear_color") \
	X(CLEAR_DEPTH, "clear_depth") \
	X(DEPTH_STENCIL_FLAGS, "depth_stencil_flags") \
	X(STENCIL_REF, "stencil_ref") \
	X(DEPTH_BOUNDS, "depth_bounds") \
	X(RESOLVE, "resolve") \
	X(BEGIN_QUERY, "begin_query") \
	X(END_QUERY, "end_query") \
	X(RESOLVE_QUERY, "resolve_query") \
	X(VIEWPORT, "viewport") \
	X(SCISSOR, "scissor") \
	X(SAMPLE_POSITIONS, "sample_positions") \
	X(PSO, "pso") \
	X(CACHED_PSO, "cached_pso") \
	X(TOPOLOGY, "topology") \
	X(VERTEX_BUFFER, "vertex_buffer") \
	X(INDEX_BUFFER, "index_buffer") \
	X(BLEND_FACTOR, "blend_factor") \
	X(ROOT_CONSTANTS, "root_constants") \
	X(ROOT_BUFFER, "root_cbv, root_srv or root_uav") \
	X(ROOT_TABLE, "root_table") \
	X(DESCRIPTOR_HEAPS, "descriptor_heaps") \
	X(GENERATE_MIPS, "generate_mips") \
	X(COPY, "copy") \
	X(DRAW, "draw") \
	X(BIND_POINT, "root_bind_point") \
	X(DISPATCH, "dispatch") \
	X(INDIRECT, "indirect")
enum command_type {
#define X(type, name) COMMAND_##type,
	COMMANDS(X)
#undef X
};

struct command {
	uint8_t type;                  /* enum command_type */
	uint32_t number, first, count; /* slot, parameter or number of targets; a range where there is one */
	struct kiln_resource *resource, *source;
	struct kiln_query_heap *queries;
	struct kiln_pso *pso;          /* or the fallback of a cached one */
	struct kiln_cached_pso *cached;
	const struct kiln_descriptor_heap *heap, *samplers;
	struct kiln_target_view view;  /* of a clear; the depth buffer */
	struct kiln_rect rect;         /* of a clear */
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
#endif
