/* Pipeline state in scenes: D3D12's field names into the structs of kiln/pso.h, by tables. */
#include "tools/scene.h"
#include <string.h>

#define COUNT(a) ARRAY_COUNT(a)

static const struct yaml_name blends[] = {{"ZERO", 1}, {"ONE", 2}, {"SRC_COLOR", 3}, {"INV_SRC_COLOR", 4}, {"SRC_ALPHA", 5},
	{"INV_SRC_ALPHA", 6}, {"DEST_ALPHA", 7}, {"INV_DEST_ALPHA", 8}, {"DEST_COLOR", 9}, {"INV_DEST_COLOR", 10},
	{"SRC_ALPHA_SAT", 11}, {"BLEND_FACTOR", 14}, {"INV_BLEND_FACTOR", 15}, {"SRC1_COLOR", 16}, {"INV_SRC1_COLOR", 17},
	{"SRC1_ALPHA", 18}, {"INV_SRC1_ALPHA", 19}, {"ALPHA_FACTOR", 20}, {"INV_ALPHA_FACTOR", 21}, {0}};
static const struct yaml_name blend_ops[] = {{"ADD", 1}, {"SUBTRACT", 2}, {"REV_SUBTRACT", 3}, {"MIN", 4}, {"MAX", 5}, {0}};
static const struct yaml_name logic_ops[] = {{"CLEAR", 0}, {"SET", 1}, {"COPY", 2}, {"COPY_INVERTED", 3}, {"NOOP", 4},
	{"INVERT", 5}, {"AND", 6}, {"NAND", 7}, {"OR", 8}, {"NOR", 9}, {"XOR", 10}, {"EQUIV", 11}, {"AND_REVERSE", 12},
	{"AND_INVERTED", 13}, {"OR_REVERSE", 14}, {"OR_INVERTED", 15}, {0}};
const struct yaml_name scene_comparisons[] = {{"NEVER", 1}, {"LESS", 2}, {"EQUAL", 3}, {"LESS_EQUAL", 4}, {"GREATER", 5},
	{"NOT_EQUAL", 6}, {"GREATER_EQUAL", 7}, {"ALWAYS", 8}, {0}};
static const struct yaml_name stencil_ops[] = {{"KEEP", 1}, {"ZERO", 2}, {"REPLACE", 3}, {"INCR_SAT", 4}, {"DECR_SAT", 5},
	{"INVERT", 6}, {"INCR", 7}, {"DECR", 8}, {0}};
static const struct yaml_name fills[] = {{"WIREFRAME", 2}, {"SOLID", 3}, {0}};
static const struct yaml_name culls[] = {{"NONE", 1}, {"FRONT", 2}, {"BACK", 3}, {0}};
static const struct yaml_name depth_masks[] = {{"ZERO", 0}, {"ALL", 1}, {0}};
static const struct yaml_name line_modes[] = {{"ALIASED", 0}, {"ALPHA_ANTIALIASED", 1}, {"QUADRILATERAL_WIDE", 2},
	{"QUADRILATERAL_NARROW", 3}, {0}};
static const struct yaml_name conservative[] = {{"OFF", 0}, {"ON", 1}, {0}};
static const struct yaml_name topology_types[] = {{"UNDEFINED", 0}, {"POINT", 1}, {"LINE", 2}, {"TRIANGLE", 3}, {"PATCH", 4}, {0}};
static const struct yaml_name strip_cuts[] = {{"DISABLED", 0}, {"0xFFFF", 1}, {"0xFFFFFFFF", 2}, {0}};
static const struct yaml_name input_classes[] = {{"PER_VERTEX_DATA", 0}, {"PER_INSTANCE_DATA", 1}, {0}};

#define TARGET(field) offsetof(struct kiln_render_target_blend_desc, field)
static const struct yaml_field target_fields[] = {
	{"BlendEnable", YAML_BOOL, TARGET(BlendEnable), NULL, NULL, false},
	{"LogicOpEnable", YAML_BOOL, TARGET(LogicOpEnable), NULL, NULL, false},
	{"SrcBlend", YAML_ENUM, TARGET(SrcBlend), blends, NULL, false},
	{"DestBlend", YAML_ENUM, TARGET(DestBlend), blends, NULL, false},
	{"BlendOp", YAML_ENUM, TARGET(BlendOp), blend_ops, NULL, false},
	{"SrcBlendAlpha", YAML_ENUM, TARGET(SrcBlendAlpha), blends, NULL, false},
	{"DestBlendAlpha", YAML_ENUM, TARGET(DestBlendAlpha), blends, NULL, false},
	{"BlendOpAlpha", YAML_ENUM, TARGET(BlendOpAlpha), blend_ops, NULL, false},
	{"LogicOp", YAML_ENUM, TARGET(LogicOp), logic_ops, NULL, false},
	{"RenderTargetWriteMask", YAML_MASK, TARGET(RenderTargetWriteMask), NULL, NULL, false},
};

static void read_targets(struct yaml *y, struct fy_node *n, void *at)
{
	struct kiln_render_target_blend_desc *target = at;
	void *prev = NULL;
	struct fy_node *item;
	if (!yaml_expect_list(y, n, 1, KILN_RENDER_TARGETS_MAX))
		return;
	while ((item = fy_node_sequence_iterate(n, &prev)))
		yaml_fields(y, item, target_fields, COUNT(target_fields), target++);
}

#define BLEND(field) offsetof(struct kiln_blend_desc, field)
static const struct yaml_field blend_fields[] = {
	{"AlphaToCoverageEnable", YAML_BOOL, BLEND(AlphaToCoverageEnable), NULL, NULL, false},
	{"IndependentBlendEnable", YAML_BOOL, BLEND(IndependentBlendEnable), NULL, NULL, false},
	{"RenderTarget", YAML_CUSTOM, BLEND(RenderTarget), NULL, read_targets, false},
};
#define RASTER(field) offsetof(struct kiln_rasterizer_desc, field)
static const struct yaml_field raster_fields[] = {
	{"FillMode", YAML_ENUM, RASTER(FillMode), fills, NULL, false},
	{"CullMode", YAML_ENUM, RASTER(CullMode), culls, NULL, false},
	{"FrontCounterClockwise", YAML_BOOL, RASTER(FrontCounterClockwise), NULL, NULL, false},
	{"DepthBias", YAML_F32, RASTER(DepthBias), NULL, NULL, false},
	{"DepthBiasClamp", YAML_F32, RASTER(DepthBiasClamp), NULL, NULL, false},
	{"SlopeScaledDepthBias", YAML_F32, RASTER(SlopeScaledDepthBias), NULL, NULL, false},
	{"DepthClipEnable", YAML_BOOL, RASTER(DepthClipEnable), NULL, NULL, false},
	{"MultisampleEnable", YAML_BOOL, RASTER(MultisampleEnable), NULL, NULL, false},
	{"AntialiasedLineEnable", YAML_BOOL, RASTER(AntialiasedLineEnable), NULL, NULL, false},
	{"LineRasterizationMode", YAML_ENUM, RASTER(LineRasterizationMode), line_modes, NULL, false},
	{"ForcedSampleCount", YAML_U32, RASTER(ForcedSampleCount), NULL, NULL, false},
	{"ConservativeRaster", YAML_ENUM, RASTER(ConservativeRaster), conservative, NULL, false},
};
#define STENCIL(field) offsetof(struct kiln_depth_stencilop_desc, field)
static const struct yaml_field stencil_fields[] = {
	{"StencilFailOp", YAML_ENUM, STENCIL(StencilFailOp), stencil_ops, NULL, false},
	{"StencilDepthFailOp", YAML_ENUM, STENCIL(StencilDepthFailOp), stencil_ops, NULL, false},
	{"StencilPassOp", YAML_ENUM, STENCIL(StencilPassOp), stencil_ops, NULL, false},
	{"StencilFunc", YAML_ENUM, STENCIL(StencilFunc), scene_comparisons, NULL, false},
};
static void read_stencil(struct yaml *y, struct fy_node *n, void *at)
{
	yaml_fields(y, n, stencil_fields, COUNT(stencil_fields), at);
}
#define DEPTH(field) offsetof(struct kiln_depth_stencil_desc, field)
static const struct yaml_field depth_fields[] = {
	{"DepthEnable", YAML_BOOL, DEPTH(DepthEnable), NULL, NULL, false},
	{"DepthWriteMask", YAML_ENUM, DEPTH(DepthWriteMask), depth_masks, NULL, false},
	{"DepthFunc", YAML_ENUM, DEPTH(DepthFunc), scene_comparisons, NULL, false},
	{"StencilEnable", YAML_BOOL, DEPTH(StencilEnable), NULL, NULL, false},
	{"StencilReadMask", YAML_U32, DEPTH(StencilReadMask), NULL, NULL, false},
	{"StencilWriteMask", YAML_U32, DEPTH(StencilWriteMask), NULL, NULL, false},
	{"FrontFace", YAML_CUSTOM, DEPTH(FrontFace), NULL, read_stencil, false},
	{"BackFace", YAML_CUSTOM, DEPTH(BackFace), NULL, read_stencil, false},
	{"DepthBoundsTestEnable", YAML_BOOL, DEPTH(DepthBoundsTestEnable), NULL, NULL, false},
};
#define SAMPLE(field) offsetof(struct kiln_sample_desc, field)
static const struct yaml_field sample_fields[] = {
	{"Count", YAML_U32, SAMPLE(Count), NULL, NULL, false},
	{"Quality", YAML_U32, SAMPLE(Quality), NULL, NULL, false},
};
#define LIMIT(field) offsetof(struct kiln_shader_limits, field)
static const struct yaml_field limit_fields[] = {
	{"VSWaves", YAML_U32, LIMIT(VSWaves), NULL, NULL, false},
	{"PSWaves", YAML_U32, LIMIT(PSWaves), NULL, NULL, false},
};
#define ELEMENT(field) offsetof(struct kiln_input_element_desc, field)
static const struct yaml_field element_fields[] = {
	{"SemanticName", YAML_STRING, ELEMENT(SemanticName), NULL, NULL, true},
	{"SemanticIndex", YAML_U32, ELEMENT(SemanticIndex), NULL, NULL, false},
	{"Format", YAML_FORMAT, ELEMENT(Format), NULL, NULL, true},
	{"InputSlot", YAML_U32, ELEMENT(InputSlot), NULL, NULL, false},
	{"AlignedByteOffset", YAML_U32, ELEMENT(AlignedByteOffset), NULL, NULL, false},
	{"InputSlotClass", YAML_ENUM, ELEMENT(InputSlotClass), input_classes, NULL, false},
	{"InstanceDataStepRate", YAML_U32, ELEMENT(InstanceDataStepRate), NULL, NULL, false},
};

static void read_blend(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_pso *p = at;
	p->has_blend = true;
	yaml_fields(y, n, blend_fields, COUNT(blend_fields), &p->state.BlendState);
}
static void read_raster(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_pso *p = at;
	p->has_raster = true;
	yaml_fields(y, n, raster_fields, COUNT(raster_fields), &p->state.RasterizerState);
}
static void read_depth(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_pso *p = at;
	p->has_depth = true;
	yaml_fields(y, n, depth_fields, COUNT(depth_fields), &p->state.DepthStencilState);
}
static void read_sample_mask(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_pso *p = at;
	p->has_mask = true;
	yaml_u32(y, n, &p->state.SampleMask);
}
static void read_limits(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_pso *p = at;
	p->has_limits = true;
	yaml_fields(y, n, limit_fields, COUNT(limit_fields), &p->state.ShaderLimits);
}
void scene_read_samples(struct yaml *y, struct fy_node *n, void *at)
{
	yaml_fields(y, n, sample_fields, COUNT(sample_fields), at);
}

static void read_layout(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_pso *p = at;
	void *prev = NULL;
	struct fy_node *item;
	if (!yaml_expect_list(y, n, 0, 1024))
		return;
	struct kiln_input_element_desc *list = arena_array(&y->arena, (size_t)fy_node_sequence_item_count(n), sizeof *list);
	while ((item = fy_node_sequence_iterate(n, &prev))) {
		struct kiln_input_element_desc *e = &list[p->state.NumInputElements++];
		e->AlignedByteOffset = ~0u;
		yaml_fields(y, item, element_fields, COUNT(element_fields), e);
	}
	p->state.InputElementDescs = list;
}

static void read_formats(struct yaml *y, struct fy_node *n, void *at)
{
	static const struct yaml_field one = {"", YAML_FORMAT, 0, NULL, NULL, false};
	struct kiln_graphics_pipeline_desc *state = &((struct scene_pso *)at)->state;
	void *prev = NULL;
	struct fy_node *item;
	if (!yaml_expect_list(y, n, 0, KILN_RENDER_TARGETS_MAX))
		return;
	while ((item = fy_node_sequence_iterate(n, &prev)))
		yaml_value(y, item, &one, &state->RTVFormats[state->NumRenderTargets++]);
}

#define PSO(field) offsetof(struct scene_pso, field)
#define OVERRIDES \
	{"BlendState", YAML_CUSTOM, 0, NULL, read_blend, false}, {"RasterizerState", YAML_CUSTOM, 0, NULL, read_raster, false}, \
	{"DepthStencilState", YAML_CUSTOM, 0, NULL, read_depth, false}, \
	{"SampleMask", YAML_CUSTOM, 0, NULL, read_sample_mask, false}, {"ShaderLimits", YAML_CUSTOM, 0, NULL, read_limits, false}
static const struct yaml_field pso_fields[] = {
	OVERRIDES,
	{"VS", YAML_STRING, PSO(vs), NULL, NULL, true},
	{"PS", YAML_STRING, PSO(ps), NULL, NULL, false},
	{"InputLayout", YAML_CUSTOM, 0, NULL, read_layout, false},
	{"IBStripCutValue", YAML_ENUM, PSO(state.IBStripCutValue), strip_cuts, NULL, false},
	{"PrimitiveTopologyType", YAML_ENUM, PSO(state.PrimitiveTopologyType), topology_types, NULL, false},
	{"RTVFormats", YAML_CUSTOM, 0, NULL, read_formats, false},
	{"DSVFormat", YAML_FORMAT, PSO(state.DSVFormat), NULL, NULL, false},
	{"SampleDesc", YAML_CUSTOM, PSO(state.SampleDesc), NULL, scene_read_samples, false},
};
static const struct yaml_field compute_fields[] = {{"CS", YAML_STRING, PSO(cs), NULL, NULL, true}};
static const struct yaml_field derived_fields[] = {{"base", YAML_STRING, PSO(base), NULL, NULL, true}, OVERRIDES};

/* ---- names: scenes may have thousands ---- */
static uint32_t *pso_slot(const struct scene *s, const char *name)
{
	uint32_t h = 0x811c9dc5;
	for (const char *c = name; *c; c++)
		h = (h ^ (uint8_t)*c) * 0x01000193;
	size_t at = h & (s->pso_slot_count - 1);
	while (s->pso_slots[at] && strcmp(s->psos[s->pso_slots[at] - 1].name, name))
		at = (at + 1) & (s->pso_slot_count - 1);
	return &s->pso_slots[at];
}

struct scene_pso *scene_find_pso(const struct scene *s, const char *name)
{
	uint32_t number = s->pso_slot_count ? *pso_slot(s, name) : 0;
	return number ? &s->psos[number - 1] : SCENE_FIND(s, compute, compute_count, name);
}

static void check_shader(struct scene *s, struct fy_node *n, const char *name)
{
	if (name && !SCENE_FIND(s, shaders, shader_count, name))
		yaml_error(&s->yaml, n, DIAG_SCENE_REFERENCE, "there is no shader '%s'", name);
}

static void read_pso(struct scene *s, struct fy_node *n, struct scene_pso *p)
{
	struct yaml *y = &s->yaml;
	if (!yaml_has(n, "base")) {
		p->state = kiln_graphics_pipeline_default();
		yaml_fields(y, n, pso_fields, COUNT(pso_fields), p);
		check_shader(s, n, p->vs);
		check_shader(s, n, p->ps);
		return;
	}
	struct fy_node *base_node = fy_node_mapping_lookup_by_string(n, "base", FY_NT);
	const char *base = yaml_string(y, base_node);
	uint32_t number = base ? *pso_slot(s, base) : 0;
	const struct scene_pso *from = p->from = number ? &s->psos[number - 1] : NULL;
	if (base && !from)
		yaml_error(y, base_node, DIAG_SCENE_REFERENCE, "there is no graphics PSO '%s' above", base);
	if (from)
		p->state = from->state; /* an override starts from the base's state */
	yaml_fields(y, n, derived_fields, COUNT(derived_fields), p);
}

static void read_compute(struct scene *s, struct fy_node *n, struct scene_pso *p)
{
	yaml_fields(&s->yaml, n, compute_fields, COUNT(compute_fields), p);
	check_shader(s, n, p->cs);
}

void scene_read_psos(struct scene *s, struct fy_node *map)
{
	void *prev = NULL;
	struct fy_node_pair *pair;
	if (!yaml_expect_map(&s->yaml, map))
		return;
	size_t count = (size_t)fy_node_mapping_item_count(map) + 1;
	s->psos = arena_array(&s->yaml.arena, count, sizeof *s->psos);
	s->compute = arena_array(&s->yaml.arena, count, sizeof *s->compute);
	for (s->pso_slot_count = 2; s->pso_slot_count < 2 * count;)
		s->pso_slot_count *= 2;
	s->pso_slots = arena_array(&s->yaml.arena, s->pso_slot_count, sizeof *s->pso_slots);
	while ((pair = fy_node_mapping_iterate(map, &prev))) {
		bool compute = yaml_has(fy_node_pair_value(pair), "CS");
		struct scene_pso *p = compute ? &s->compute[s->compute_count++] : &s->psos[s->pso_count++];
		p->name = yaml_string(&s->yaml, fy_node_pair_key(pair));
		p->diags = kiln_diags_create();
		if (!p->name)
			continue;
		if (compute) {
			read_compute(s, fy_node_pair_value(pair), p);
			continue;
		}
		read_pso(s, fy_node_pair_value(pair), p);
		*pso_slot(s, p->name) = (uint32_t)s->pso_count; /* from here on it can be a base */
	}
}
