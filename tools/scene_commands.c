/* Commands of a scene: each item of the list is one command with D3D12's name and its arguments' names. */
#include "tools/scene.h"
#include <string.h>

#define CMD(field) offsetof(struct scene_command, field)
#define N(i) CMD(number) + (i) * sizeof(uint32_t)
#define F(i) CMD(f) + (i) * sizeof(float)
#define R(i) CMD(rect) + (i) * sizeof(int32_t)

static const struct yaml_name topologies[] = {{"POINTLIST", 1}, {"LINELIST", 2}, {"LINESTRIP", 3}, {"TRIANGLELIST", 4},
	{"TRIANGLESTRIP", 5}, {"TRIANGLEFAN", 6}, {"LINELIST_ADJ", 10}, {"LINESTRIP_ADJ", 11}, {"TRIANGLELIST_ADJ", 12},
	{"TRIANGLESTRIP_ADJ", 13}, {0}};
static const struct yaml_name resolve_modes[] = {{"MIN", 1}, {"MAX", 2}, {"AVERAGE", 3}, {0}};

static void read_views(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_command *c = at;
	void *prev = NULL;
	struct fy_node *item;
	if (!yaml_expect_list(y, n, 0, KILN_RENDER_TARGETS_MAX))
		return;
	c->views = arena_array(&y->arena, KILN_RENDER_TARGETS_MAX, sizeof *c->views);
	while ((item = fy_node_sequence_iterate(n, &prev)))
		scene_read_view(y, item, &c->views[c->count++]);
}
static void read_view(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_view **v = at;
	*v = arena_array(&y->arena, 1, sizeof **v);
	scene_read_view(y, n, *v);
}

/* number[1]: which planes are cleared. */
static void read_clear_depth(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_command *c = at;
	yaml_f32(y, n, &c->f[0]);
	c->number[1] |= KILN_CLEAR_DEPTH;
}
static void read_clear_stencil(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_command *c = at;
	yaml_u32(y, n, &c->number[0]);
	c->number[1] |= KILN_CLEAR_STENCIL;
}
/* One reference for both faces. */
static void read_stencil_ref(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_command *c = at;
	if (yaml_u32(y, n, &c->number[0]))
		c->number[1] = c->number[0];
}

static void read_color(struct yaml *y, struct fy_node *n, void *at) { yaml_floats(y, n, 4, 4, ((struct scene_command *)at)->f); }

/* Numbers with a point or an exponent are floats, others integers. */
static void read_words(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_command *c = at;
	void *prev = NULL;
	struct fy_node *item;
	if (!yaml_expect_list(y, n, 1, 64))
		return;
	c->words = arena_array(&y->arena, 64, sizeof *c->words);
	while ((item = fy_node_sequence_iterate(n, &prev))) {
		const char *s = yaml_string(y, item);
		float f = 0;
		if (s && strpbrk(s, ".eE") && strncmp(s, "0x", 2)) {
			yaml_f32(y, item, &f);
			c->words[c->count++] = float_bits(f);
		} else if (s && *s == '-') {
			int32_t v = 0;
			yaml_i32(y, item, &v);
			c->words[c->count++] = (uint32_t)v;
		} else
			yaml_u32(y, item, &c->words[c->count++]);
	}
}

static const struct yaml_field targets[] = {
	{"RenderTargets", YAML_CUSTOM, 0, NULL, read_views, false},
	{"DepthStencil", YAML_CUSTOM, CMD(depth), NULL, read_view, false},
	{"ReadOnlyDepth", YAML_BOOL, CMD(read_only_depth), NULL, NULL, false},
	{"ReadOnlyStencil", YAML_BOOL, CMD(read_only_stencil), NULL, NULL, false}};
static const struct yaml_field stencil_refs[] = {
	{"FrontStencilRef", YAML_U32, N(0), NULL, NULL, true}, {"BackStencilRef", YAML_U32, N(1), NULL, NULL, true}};
static const struct yaml_field depth_bounds[] = {
	{"Min", YAML_F32, F(0), NULL, NULL, true}, {"Max", YAML_F32, F(1), NULL, NULL, true}};
static const struct yaml_field resolve[] = {
	{"DstResource", YAML_STRING, CMD(names), NULL, NULL, true},
	{"SrcResource", YAML_STRING, CMD(names) + sizeof(char *), NULL, NULL, true},
	{"Format", YAML_FORMAT, N(1), NULL, NULL, false},
	{"ResolveMode", YAML_ENUM, N(0), resolve_modes, NULL, false}};
#define VIEWPORT(field) offsetof(struct kiln_viewport, field)
static const struct yaml_field viewport[] = {
	{"TopLeftX", YAML_F32, VIEWPORT(TopLeftX), NULL, NULL, false}, {"TopLeftY", YAML_F32, VIEWPORT(TopLeftY), NULL, NULL, false},
	{"Width", YAML_F32, VIEWPORT(Width), NULL, NULL, true}, {"Height", YAML_F32, VIEWPORT(Height), NULL, NULL, true},
	{"MinDepth", YAML_F32, VIEWPORT(MinDepth), NULL, NULL, false}, {"MaxDepth", YAML_F32, VIEWPORT(MaxDepth), NULL, NULL, false}};
#define RECT(field) offsetof(struct kiln_rect, field)
static const struct yaml_field scissor[] = {
	{"left", YAML_I32, RECT(left), NULL, NULL, true}, {"top", YAML_I32, RECT(top), NULL, NULL, true},
	{"right", YAML_I32, RECT(right), NULL, NULL, true}, {"bottom", YAML_I32, RECT(bottom), NULL, NULL, true}};

static void read_viewport(struct yaml *y, struct fy_node *n, struct scene_command *c)
{
	c->viewports[c->count].MaxDepth = 1;
	yaml_fields(y, n, viewport, ARRAY_COUNT(viewport), &c->viewports[c->count++]);
}

static void read_scissor(struct yaml *y, struct fy_node *n, struct scene_command *c)
{
	yaml_fields(y, n, scissor, ARRAY_COUNT(scissor), &c->scissors[c->count++]);
}

/* One item, or a list of up to 16. */
static void read_items(struct yaml *y, struct fy_node *n, struct scene_command *c,
	void (*read)(struct yaml *y, struct fy_node *n, struct scene_command *c))
{
	void *prev = NULL;
	struct fy_node *item;
	if (!n || !fy_node_is_sequence(n)) {
		read(y, n, c);
		return;
	}
	if (!yaml_expect_list(y, n, 1, KILN_VIEWPORTS_MAX))
		return;
	while ((item = fy_node_sequence_iterate(n, &prev)))
		read(y, item, c);
}

static void read_viewports(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_command *c = at;
	c->viewports = arena_array(&y->arena, KILN_VIEWPORTS_MAX, sizeof *c->viewports);
	read_items(y, n, c, read_viewport);
}

static void read_scissors(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_command *c = at;
	c->scissors = arena_array(&y->arena, KILN_VIEWPORTS_MAX, sizeof *c->scissors);
	read_items(y, n, c, read_scissor);
}

static const struct yaml_field clear_color[] = {
	{"RenderTarget", YAML_CUSTOM, CMD(depth), NULL, read_view, true},
	{"ColorRGBA", YAML_CUSTOM, 0, NULL, read_color, true},
	{"Rects", YAML_CUSTOM, 0, NULL, read_scissors, false}};
static const struct yaml_field clear_depth[] = {
	{"DepthStencil", YAML_CUSTOM, CMD(depth), NULL, read_view, true},
	{"Depth", YAML_CUSTOM, 0, NULL, read_clear_depth, false},
	{"Stencil", YAML_CUSTOM, 0, NULL, read_clear_stencil, false},
	{"Rects", YAML_CUSTOM, 0, NULL, read_scissors, false}};

/* Pairs [X, Y]. */
static void read_positions(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_command *c = at;
	void *prev = NULL;
	struct fy_node *item;
	if (!yaml_expect_list(y, n, 0, 16))
		return;
	c->positions = arena_array(&y->arena, 16, sizeof *c->positions);
	while ((item = fy_node_sequence_iterate(n, &prev))) {
		float xy[2] = {0};
		yaml_floats(y, item, 2, 2, xy);
		for (int i = 0; i < 2; i++) {
			if (!(xy[i] >= -8 && xy[i] <= 7 && xy[i] == (float)(int)xy[i])) {
				yaml_error(y, item, DIAG_SCENE_RANGE, "a sample position is a whole number from -8 to 7");
				return;
			}
		}
		c->positions[c->count++] = (struct kiln_sample_position){(int8_t)xy[0], (int8_t)xy[1]};
	}
}
static const struct yaml_field positions[] = {
	{"NumSamplesPerPixel", YAML_U32, N(0), NULL, NULL, true}, {"NumPixels", YAML_U32, N(1), NULL, NULL, true},
	{"SamplePositions", YAML_CUSTOM, 0, NULL, read_positions, false}};
static const struct yaml_field vertex_buffer[] = {
	{"Slot", YAML_U32, N(0), NULL, NULL, false}, {"Buffer", YAML_STRING, CMD(names), NULL, NULL, true},
	{"Offset", YAML_U32, N(1), NULL, NULL, false}, {"SizeInBytes", YAML_U32, N(2), NULL, NULL, false},
	{"StrideInBytes", YAML_U32, N(3), NULL, NULL, true}};
static const struct yaml_field index_buffer[] = {
	{"Buffer", YAML_STRING, CMD(names), NULL, NULL, true}, {"Offset", YAML_U32, N(1), NULL, NULL, false},
	{"SizeInBytes", YAML_U32, N(2), NULL, NULL, false}, {"Format", YAML_FORMAT, N(3), NULL, NULL, true}};
static const struct yaml_field constants[] = {
	{"RootParameterIndex", YAML_U32, N(0), NULL, NULL, true}, {"SrcData", YAML_CUSTOM, 0, NULL, read_words, true},
	{"DestOffsetIn32BitValues", YAML_U32, N(1), NULL, NULL, false}};
static const struct yaml_field cbv[] = {
	{"RootParameterIndex", YAML_U32, N(0), NULL, NULL, true}, {"Buffer", YAML_STRING, CMD(names), NULL, NULL, true},
	{"Offset", YAML_U32, N(1), NULL, NULL, false}};
static const struct yaml_field table[] = {
	{"RootParameterIndex", YAML_U32, N(0), NULL, NULL, true}, {"Heap", YAML_STRING, CMD(names), NULL, NULL, true},
	{"Index", YAML_U32, N(1), NULL, NULL, false}};
static const struct yaml_field mips[] = {
	{"Resource", YAML_STRING, CMD(names), NULL, NULL, true}, {"Format", YAML_FORMAT, N(0), NULL, NULL, false}};
static const struct yaml_field copy[] = {
	{"DstResource", YAML_STRING, CMD(names), NULL, NULL, true}, {"DstSubresource", YAML_U32, N(0), NULL, NULL, false},
	{"SrcResource", YAML_STRING, CMD(names) + sizeof(char *), NULL, NULL, true},
	{"SrcSubresource", YAML_U32, N(1), NULL, NULL, false}};
static const struct yaml_field draw[] = {
	{"VertexCountPerInstance", YAML_U32, N(0), NULL, NULL, true}, {"InstanceCount", YAML_U32, N(1), NULL, NULL, false},
	{"StartVertexLocation", YAML_U32, N(2), NULL, NULL, false}, {"StartInstanceLocation", YAML_U32, N(3), NULL, NULL, false}};
static const struct yaml_field draw_indexed[] = {
	{"IndexCountPerInstance", YAML_U32, N(0), NULL, NULL, false}, {"InstanceCount", YAML_U32, N(1), NULL, NULL, false},
	{"StartIndexLocation", YAML_U32, N(2), NULL, NULL, false}, {"BaseVertexLocation", YAML_I32, R(0), NULL, NULL, false},
	{"StartInstanceLocation", YAML_U32, N(3), NULL, NULL, false}};
static const struct yaml_field dispatch[] = {
	{"ThreadGroupCountX", YAML_U32, N(0), NULL, NULL, true}, {"ThreadGroupCountY", YAML_U32, N(1), NULL, NULL, false},
	{"ThreadGroupCountZ", YAML_U32, N(2), NULL, NULL, false}};
static const struct yaml_field pso_value = {"", YAML_STRING, CMD(names), NULL, NULL, false};
static const struct yaml_field topology_value = {"", YAML_ENUM, N(0), topologies, NULL, false};
static const struct yaml_field stencil_value = {"", YAML_CUSTOM, 0, NULL, read_stencil_ref, false};
static const struct yaml_field viewports_value = {"", YAML_CUSTOM, 0, NULL, read_viewports, false};
static const struct yaml_field scissors_value = {"", YAML_CUSTOM, 0, NULL, read_scissors, false};
static const struct yaml_field color_value = {"", YAML_CUSTOM, 0, NULL, read_color, false};

/* What names[0] refers to. */
enum refers { REFERS_NOTHING, REFERS_TEXTURE, REFERS_BUFFER, REFERS_RESOURCE, REFERS_PSO, REFERS_HEAP };
static const struct command_row {
	const char *name;
	enum scene_op op;
	const struct yaml_field *fields;
	size_t count;                        /* 0: the value itself is the argument */
	enum refers refers;
	bool compute;
} rows[] = {
	{"OMSetRenderTargets", SCENE_TARGETS, targets, ARRAY_COUNT(targets), REFERS_TEXTURE, false},
	{"ClearRenderTargetView", SCENE_CLEAR_COLOR, clear_color, ARRAY_COUNT(clear_color), REFERS_TEXTURE, false},
	{"ClearDepthStencilView", SCENE_CLEAR_DEPTH, clear_depth, ARRAY_COUNT(clear_depth), REFERS_TEXTURE, false},
	{"OMSetStencilRef", SCENE_STENCIL_REF, &stencil_value, 0, REFERS_NOTHING, false},
	{"OMSetFrontAndBackStencilRef", SCENE_STENCIL_REF, stencil_refs, ARRAY_COUNT(stencil_refs), REFERS_NOTHING, false},
	{"OMSetDepthBounds", SCENE_DEPTH_BOUNDS, depth_bounds, ARRAY_COUNT(depth_bounds), REFERS_NOTHING, false},
	{"ResolveSubresource", SCENE_RESOLVE, resolve, ARRAY_COUNT(resolve), REFERS_TEXTURE, false},
	{"RSSetViewports", SCENE_VIEWPORT, &viewports_value, 0, REFERS_NOTHING, false},
	{"RSSetScissorRects", SCENE_SCISSOR, &scissors_value, 0, REFERS_NOTHING, false},
	{"SetSamplePositions", SCENE_SAMPLE_POSITIONS, positions, ARRAY_COUNT(positions), REFERS_NOTHING, false},
	{"SetPipelineState", SCENE_PSO, &pso_value, 0, REFERS_PSO, false},
	{"IASetPrimitiveTopology", SCENE_TOPOLOGY, &topology_value, 0, REFERS_NOTHING, false},
	{"IASetVertexBuffers", SCENE_VERTEX_BUFFER, vertex_buffer, ARRAY_COUNT(vertex_buffer), REFERS_BUFFER, false},
	{"IASetIndexBuffer", SCENE_INDEX_BUFFER, index_buffer, ARRAY_COUNT(index_buffer), REFERS_BUFFER, false},
	{"OMSetBlendFactor", SCENE_BLEND_FACTOR, &color_value, 0, REFERS_NOTHING, false},
	{"SetGraphicsRoot32BitConstants", SCENE_CONSTANTS, constants, ARRAY_COUNT(constants), REFERS_NOTHING, false},
	{"SetGraphicsRootConstantBufferView", SCENE_CBV, cbv, ARRAY_COUNT(cbv), REFERS_BUFFER, false},
	{"SetGraphicsRootShaderResourceView", SCENE_ROOT_SRV, cbv, ARRAY_COUNT(cbv), REFERS_BUFFER, false},
	{"SetGraphicsRootUnorderedAccessView", SCENE_ROOT_UAV, cbv, ARRAY_COUNT(cbv), REFERS_BUFFER, false},
	{"SetGraphicsRootDescriptorTable", SCENE_TABLE, table, ARRAY_COUNT(table), REFERS_HEAP, false},
	{"SetComputeRoot32BitConstants", SCENE_CONSTANTS, constants, ARRAY_COUNT(constants), REFERS_NOTHING, true},
	{"SetComputeRootConstantBufferView", SCENE_CBV, cbv, ARRAY_COUNT(cbv), REFERS_BUFFER, true},
	{"SetComputeRootShaderResourceView", SCENE_ROOT_SRV, cbv, ARRAY_COUNT(cbv), REFERS_BUFFER, true},
	{"SetComputeRootUnorderedAccessView", SCENE_ROOT_UAV, cbv, ARRAY_COUNT(cbv), REFERS_BUFFER, true},
	{"SetComputeRootDescriptorTable", SCENE_TABLE, table, ARRAY_COUNT(table), REFERS_HEAP, true},
	{"Bind", SCENE_BIND, NULL, 0, REFERS_NOTHING, false},
	{"GenerateMips", SCENE_MIPS, mips, ARRAY_COUNT(mips), REFERS_TEXTURE, false},
	{"CopySubresource", SCENE_COPY, copy, ARRAY_COUNT(copy), REFERS_RESOURCE, false},
	{"DrawInstanced", SCENE_DRAW, draw, ARRAY_COUNT(draw), REFERS_NOTHING, false},
	{"DrawIndexedInstanced", SCENE_DRAW_INDEXED, draw_indexed, ARRAY_COUNT(draw_indexed), REFERS_NOTHING, false},
	{"Dispatch", SCENE_DISPATCH, dispatch, ARRAY_COUNT(dispatch), REFERS_NOTHING, false},
};

static void check_reference(struct scene *s, struct fy_node *n, enum refers refers, const char *name)
{
	if (!name || refers == REFERS_NOTHING)
		return;
	if (refers == REFERS_PSO) {
		if (!scene_find_pso(s, name))
			yaml_error(&s->yaml, n, DIAG_SCENE_REFERENCE, "there is no PSO '%s'", name);
		return;
	}
	if (refers == REFERS_HEAP) {
		if (!SCENE_FIND(s, heaps, heap_count, name))
			yaml_error(&s->yaml, n, DIAG_SCENE_REFERENCE, "there is no heap '%s'", name);
		return;
	}
	const struct scene_resource *r = SCENE_FIND(s, resources, resource_count, name);
	if (!r || (refers != REFERS_RESOURCE && r->is_texture != (refers == REFERS_TEXTURE)))
		yaml_error(&s->yaml, n, DIAG_SCENE_REFERENCE, "there is no %s '%s'", refers == REFERS_TEXTURE ? "texture" : "buffer",
			name);
}

/* A stencil value is 8 bits, and a clear clears something. */
static void check_stencil(struct yaml *y, struct fy_node *n, const struct scene_command *c)
{
	if (c->op == SCENE_CLEAR_DEPTH && !c->number[1] && !y->failed)
		yaml_error(y, n, DIAG_SCENE_MISSING, "Depth, Stencil or both are needed");
	if ((c->op == SCENE_CLEAR_DEPTH && c->number[0] > 255) ||
		(c->op == SCENE_STENCIL_REF && (c->number[0] > 255 || c->number[1] > 255)))
		yaml_error(y, n, DIAG_SCENE_RANGE, "stencil values are 0 to 255");
}

static void read_command(struct scene *s, struct fy_node *n, struct scene_command *c)
{
	struct yaml *y = &s->yaml;
	void *prev = NULL;
	struct fy_node_pair *pair = yaml_expect_map(y, n) ? fy_node_mapping_iterate(n, &prev) : NULL;
	if (!pair)
		return;
	if (fy_node_mapping_iterate(n, &prev)) {
		yaml_error(y, n, DIAG_SCENE_TYPE, "one command an item is taken");
		return;
	}
	struct fy_node *key = fy_node_pair_key(pair), *value = fy_node_pair_value(pair);
	const char *name = yaml_string(y, key);
	for (size_t i = 0; name && i < ARRAY_COUNT(rows); i++) {
		if (strcmp(name, rows[i].name))
			continue;
		*c = (struct scene_command){.op = (uint8_t)rows[i].op, .compute = rows[i].compute};
		c->number[1] = rows[i].op == SCENE_DRAW || rows[i].op == SCENE_DRAW_INDEXED; /* one instance */
		c->number[0] = rows[i].op == SCENE_RESOLVE ? KILN_RESOLVE_AVERAGE
			: rows[i].op == SCENE_DRAW_INDEXED ? SCENE_ALL_INDICES : 0;
		if (c->op == SCENE_DISPATCH)
			c->number[1] = c->number[2] = 1;
		if (c->op == SCENE_BIND)
			scene_read_bindings(s, value, c);
		else if (c->op == SCENE_MIPS && value && fy_node_is_scalar(value))
			c->names[0] = yaml_string(y, value);
		else if (rows[i].count)
			yaml_fields(y, value, rows[i].fields, rows[i].count, c);
		else
			yaml_value(y, value, rows[i].fields, c);
		check_stencil(y, value, c);
		for (size_t k = 0; k < ARRAY_COUNT(c->names); k++)
			check_reference(s, value, rows[i].refers, c->names[k]);
		for (size_t k = 0; c->views && k < c->count; k++)
			scene_check_view(s, &c->views[k], true, false);
		if (c->depth)
			scene_check_view(s, c->depth, true, false);
		return;
	}
	if (name)
		yaml_error(y, key, DIAG_SCENE_UNKNOWN_FIELD, "there is no command '%s'", name);
}

void scene_read_commands(struct scene *s, struct fy_node *list)
{
	void *prev = NULL;
	struct fy_node *item;
	if (!yaml_expect_list(&s->yaml, list, 0, SCENE_NUMBERS_MAX))
		return;
	s->commands = arena_array(&s->yaml.arena, (size_t)fy_node_sequence_item_count(list) + 1, sizeof *s->commands);
	while ((item = fy_node_sequence_iterate(list, &prev)))
		read_command(s, item, &s->commands[s->command_count++]);
}
