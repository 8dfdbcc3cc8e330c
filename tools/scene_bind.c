/* The command Bind: resources by the names that the shaders of the current PSO give them, whatever its root signature. Each
 * name is looked up among the programs' resources, the root parameter that holds its register is found, and set: a root
 * descriptor, or a table, for which a heap of the table's size is made with all the named descriptors that it covers. */
#include "pso/pso.h"
#include "sim/sim.h"
#include "tools/scene.h"
#include <stdlib.h>

enum { TABLE_MAX = 65536 };

/* ---- reading ---- */

void scene_read_bindings(struct scene *s, struct fy_node *map, struct scene_command *c)
{
	struct yaml *y = &s->yaml;
	void *prev = NULL;
	struct fy_node_pair *pair;
	if (!yaml_expect_map(y, map))
		return;
	c->bindings = arena_array(&y->arena, (size_t)fy_node_mapping_item_count(map) + 1, sizeof *c->bindings);
	while ((pair = fy_node_mapping_iterate(map, &prev))) {
		struct scene_binding *b = &c->bindings[c->count++];
		b->name = yaml_string(y, fy_node_pair_key(pair));
		scene_read_view(y, fy_node_pair_value(pair), &b->view);
		b->is_sampler = b->view.name && SCENE_FIND(s, samplers, sampler_count, b->view.name);
		if (!b->is_sampler)
			scene_check_view(s, &b->view, true, true);
	}
}

/* ---- finding ---- */

/* t0, b1, s0, u3, and t0.2 in space 2. */
static bool is_register(const struct isa_resource *r, const char *name)
{
	static const char classes[] = "tubs";
	char *end = NULL;
	if (name[0] != classes[r->cls] || name[1] < '0' || name[1] > '9')
		return false;
	unsigned long reg = strtoul(name + 1, &end, 10), space = *end == '.' ? strtoul(end + 1, &end, 10) : 0;
	return !*end && reg == r->lower && space == r->space;
}

/* By its name, else by its register. */
static const struct isa_resource *find_in(const struct isa_program *p, const char *name)
{
	for (size_t k = 0; p && k < p->resource_count; k++)
		if (!strcmp(p->resources[k].name, name))
			return &p->resources[k];
	for (size_t k = 0; p && k < p->resource_count; k++)
		if (!(p->resources[k].flags & ISA_RESOURCE_HEAP) && is_register(&p->resources[k], name))
			return &p->resources[k];
	return NULL;
}

static const struct isa_resource *find_resource(const struct pipeline *p, const char *name)
{
	const struct isa_resource *r = find_in(p->cs ? p->cs : p->vs, name);
	return r ? r : find_in(p->ps, name);
}

/* The place in a table that holds the resource's first register. */
static bool range_holds(const struct root_range *range, const struct isa_resource *r, uint32_t *place)
{
	static const uint8_t types[] = {[ISA_SRV] = 0, [ISA_UAV] = 1, [ISA_CBV] = 2, [ISA_SAMPLER] = 3};
	if (range->type != types[r->cls] || range->space != r->space || r->lower < range->reg ||
		r->lower - range->reg >= range->count)
		return false;
	*place = range->offset + (r->lower - range->reg);
	return true;
}

static bool parameter_holds(const struct root_parameter *p, const struct isa_resource *r, uint32_t *place)
{
	static const uint8_t types[] = {[ISA_SRV] = ROOT_PARAMETER_SRV, [ISA_UAV] = ROOT_PARAMETER_UAV,
		[ISA_CBV] = ROOT_PARAMETER_CBV, [ISA_SAMPLER] = ROOT_PARAMETER_TYPES /* none holds it */};
	if (p->type != ROOT_PARAMETER_TABLE)
		return p->type == types[r->cls] && p->reg == r->lower && p->space == r->space;
	for (size_t i = 0; i < p->range_count; i++)
		if (range_holds(&p->ranges[i], r, place))
			return true;
	return false;
}

/* The resource of that name which the parameter holds for a stage that sees it. */
static const struct isa_resource *held(const struct pipeline *pipeline, const struct root_parameter *p, const char *name,
	uint32_t *place)
{
	const struct { const struct isa_program *program; uint8_t visibility; } stages[] = {{pipeline->vs, 1}, {pipeline->ps, 5},
		{pipeline->cs, 0}};
	for (size_t i = 0; i < ARRAY_COUNT(stages); i++) {
		const struct isa_resource *r = find_in(stages[i].program, name);
		if (r && (!p->visibility || p->visibility == stages[i].visibility) && parameter_holds(p, r, place))
			return r;
	}
	return NULL;
}

/* ---- setting ---- */

/* What the shader declares completes the view: its dimension, its stride. */
static struct scene_descriptor complete(const struct scene_binding *b, const struct isa_resource *r)
{
	static const uint8_t kinds[] = {[ISA_SRV] = SCENE_SRV, [ISA_UAV] = SCENE_UAV, [ISA_CBV] = SCENE_CBV_VIEW,
		[ISA_SAMPLER] = SCENE_SAMPLER};
	static const uint8_t dimensions[ISA_RESOURCE_KIND_COUNT] = {[ISA_KIND_TEXTURE_1D] = KILN_VIEW_TEXTURE1D,
		[ISA_KIND_TEXTURE_2D] = KILN_VIEW_TEXTURE2D, [ISA_KIND_TEXTURE_2DMS] = KILN_VIEW_TEXTURE2DMS,
		[ISA_KIND_TEXTURE_3D] = KILN_VIEW_TEXTURE3D, [ISA_KIND_TEXTURE_CUBE] = KILN_VIEW_TEXTURECUBE,
		[ISA_KIND_TEXTURE_1D_ARRAY] = KILN_VIEW_TEXTURE1DARRAY, [ISA_KIND_TEXTURE_2D_ARRAY] = KILN_VIEW_TEXTURE2DARRAY,
		[ISA_KIND_TEXTURE_2DMS_ARRAY] = KILN_VIEW_TEXTURE2DMSARRAY, [ISA_KIND_TEXTURE_CUBE_ARRAY] = KILN_VIEW_TEXTURECUBEARRAY};
	struct scene_descriptor d = {.kind = kinds[r->cls], .view = b->view};
	if (!d.view.desc.ViewDimension)
		d.view.desc.ViewDimension = dimensions[r->kind];
	if (r->kind == ISA_KIND_STRUCTURED_BUFFER && !d.view.desc.StructureByteStride)
		d.view.desc.StructureByteStride = r->stride_or_size;
	return d;
}

struct binder {
	struct scene *s;
	const struct scene_command *c;
	const struct pipeline *pipeline;
	struct kiln_commands *out;
	struct kiln_diags *diags;
	bool *done;                          /* [bindings]: some parameter holds it */
};

static bool fail(const struct binder *b, const struct scene_binding *at, const char *why)
{
	yaml_error(&b->s->yaml, at->view.node, DIAG_SCENE_DESCRIPTOR, "'%s': %s", at->name, why);
	return false;
}

static void set_root(const struct binder *b, uint32_t parameter, uint32_t type, const struct scene_view *v)
{
	struct kiln_resource *r = scene_resource(b->s, v->name);
	if (type == ROOT_PARAMETER_CBV)
		kiln_cmd_root_cbv(b->out, parameter, r, v->offset);
	else if (type == ROOT_PARAMETER_SRV)
		kiln_cmd_root_srv(b->out, parameter, r, v->offset);
	else
		kiln_cmd_root_uav(b->out, parameter, r, v->offset);
}

/* A heap as long as the last descriptor that is bound. */
static bool set_table(struct binder *b, uint32_t parameter, const struct root_parameter *p)
{
	uint32_t place, size = 0;
	bool samplers = false;
	for (uint32_t i = 0; i < b->c->count; i++) {
		const struct isa_resource *r = held(b->pipeline, p, b->c->bindings[i].name, &place);
		if (!r)
			continue;
		if (place >= TABLE_MAX)
			return fail(b, &b->c->bindings[i], "its place in the descriptor table is too far for Bind");
		size = place >= size ? place + 1 : size;
		samplers = r->cls == ISA_SAMPLER;
	}
	if (!size)
		return true;
	struct kiln_descriptor_heap *heap = kiln_descriptor_heap_create(b->s->device,
		samplers ? KILN_HEAP_SAMPLER : KILN_HEAP_CBV_SRV_UAV, size, b->diags);
	if (!heap)
		return false;
	*ARRAY_PUSH(b->s->bound, b->s->bound_count, b->s->bound_cap) = heap;
	for (uint32_t i = 0; i < b->c->count; i++) {
		const struct scene_binding *binding = &b->c->bindings[i];
		const struct isa_resource *r = held(b->pipeline, p, binding->name, &place);
		if (!r)
			continue;
		struct scene_descriptor d = complete(binding, r);
		if (!scene_write_descriptor(b->s, heap, place, &d, b->diags))
			return fail(b, binding, "this view cannot be made");
		b->done[i] = true;
	}
	kiln_cmd_root_table(b->out, parameter, heap, 0);
	return true;
}

static bool check_binding(const struct binder *b, const struct scene_binding *binding)
{
	const struct isa_resource *r = find_resource(b->pipeline, binding->name);
	if (!r)
		return fail(b, binding, "no shader of the PSO has a resource of this name or register");
	if ((r->cls == ISA_SAMPLER) != binding->is_sampler)
		return fail(b, binding, binding->is_sampler ? "a sampler is bound to a resource" : "a resource is bound to a sampler");
	const struct scene_resource *bound = binding->is_sampler || !binding->view.name ? NULL
		: SCENE_FIND(b->s, resources, resource_count, binding->view.name);
	if (bound && bound->is_texture && (r->cls == ISA_CBV || r->kind >= ISA_KIND_TYPED_BUFFER))
		return fail(b, binding, "a texture is bound where the shader has a buffer");
	return true;
}

static bool bind_all(struct binder *b)
{
	const struct root_signature *root = b->pipeline->root;
	uint32_t place;
	for (uint32_t i = 0; i < b->c->count; i++)
		if (!check_binding(b, &b->c->bindings[i]))
			return false;
	for (uint32_t k = 0; k < root->parameter_count; k++) {
		const struct root_parameter *p = &root->parameters[k];
		if (p->type == ROOT_PARAMETER_TABLE && !set_table(b, k, p))
			return false;
		for (uint32_t i = 0; p->type >= ROOT_PARAMETER_CBV && i < b->c->count; i++)
			if (held(b->pipeline, p, b->c->bindings[i].name, &place)) {
				set_root(b, k, p->type, &b->c->bindings[i].view);
				b->done[i] = true;
			}
	}
	for (uint32_t i = 0; i < b->c->count; i++)
		if (!b->done[i])
			return fail(b, &b->c->bindings[i], "no table or root descriptor of the root signature holds it");
	return true;
}

bool scene_bind(struct scene *s, const struct scene_command *c, const struct kiln_pso *pso, struct kiln_commands *out,
	struct kiln_diags *diags)
{
	struct binder b = {s, c, sim_pso_pipeline(pso), out, diags, mem_array(c->count + 1, sizeof(bool))};
	kiln_cmd_root_bind_point(out, b.pipeline->cs != NULL);
	bool ok = bind_all(&b);
	kiln_cmd_root_bind_point(out, false);
	mem_free(b.done);
	return ok;
}
