/* Samplers, views and descriptor heaps of scenes: reading them, and making the heaps once the resources are there. */
#include "tools/scene.h"
#include <float.h>

enum { DESCRIPTORS_MAX = 65536 };

/* ---- samplers ---- */

#define KIND(name, n) {name, n}, {"COMPARISON_" name, 0x80 | (n)}, {"MINIMUM_" name, 0x100 | (n)}, {"MAXIMUM_" name, 0x180 | (n)}
const struct yaml_name scene_filters[] = {KIND("MIN_MAG_MIP_POINT", 0), KIND("MIN_MAG_POINT_MIP_LINEAR", 1),
	KIND("MIN_POINT_MAG_LINEAR_MIP_POINT", 4), KIND("MIN_POINT_MAG_MIP_LINEAR", 5), KIND("MIN_LINEAR_MAG_MIP_POINT", 0x10),
	KIND("MIN_LINEAR_MAG_POINT_MIP_LINEAR", 0x11), KIND("MIN_MAG_LINEAR_MIP_POINT", 0x14), KIND("MIN_MAG_MIP_LINEAR", 0x15),
	KIND("MIN_MAG_ANISOTROPIC_MIP_POINT", 0x54), KIND("ANISOTROPIC", 0x55), {0}};
#undef KIND
const struct yaml_name scene_addresses[] = {{"WRAP", 1}, {"MIRROR", 2}, {"CLAMP", 3}, {"BORDER", 4}, {"MIRROR_ONCE", 5}, {0}};

struct kiln_sampler_desc scene_sampler_default(void)
{
	return (struct kiln_sampler_desc){.AddressU = 1, .AddressV = 1, .AddressW = 1, .MaxAnisotropy = 16,
		.ComparisonFunc = KILN_COMPARISON_LESS_EQUAL, .MaxLOD = FLT_MAX};
}

static void read_border(struct yaml *y, struct fy_node *n, void *at) { yaml_floats(y, n, 4, 4, at); }

#define DESC(field) offsetof(struct kiln_sampler_desc, field)
static const struct yaml_field sampler_fields[] = {
	SCENE_SAMPLER_FIELDS(0), {"BorderColor", YAML_CUSTOM, DESC(BorderColor), NULL, read_border, false}};

void scene_read_samplers(struct scene *s, struct fy_node *map)
{
	void *prev = NULL;
	struct fy_node_pair *pair;
	if (!yaml_expect_map(&s->yaml, map))
		return;
	s->samplers = arena_array(&s->yaml.arena, (size_t)fy_node_mapping_item_count(map) + 1, sizeof *s->samplers);
	while ((pair = fy_node_mapping_iterate(map, &prev))) {
		struct scene_sampler *to = &s->samplers[s->sampler_count++];
		to->name = yaml_string(&s->yaml, fy_node_pair_key(pair));
		to->desc = scene_sampler_default();
		yaml_fields(&s->yaml, fy_node_pair_value(pair), sampler_fields, ARRAY_COUNT(sampler_fields), &to->desc);
	}
}

/* ---- views ---- */

static const struct yaml_name view_dimensions[] = {{"BUFFER", KILN_VIEW_BUFFER}, {"TEXTURE1D", KILN_VIEW_TEXTURE1D},
	{"TEXTURE1DARRAY", KILN_VIEW_TEXTURE1DARRAY}, {"TEXTURE2D", KILN_VIEW_TEXTURE2D},
	{"TEXTURE2DARRAY", KILN_VIEW_TEXTURE2DARRAY}, {"TEXTURE2DMS", KILN_VIEW_TEXTURE2DMS},
	{"TEXTURE2DMSARRAY", KILN_VIEW_TEXTURE2DMSARRAY}, {"TEXTURE3D", KILN_VIEW_TEXTURE3D}, {"TEXTURECUBE", KILN_VIEW_TEXTURECUBE},
	{"TEXTURECUBEARRAY", KILN_VIEW_TEXTURECUBEARRAY}, {0}};

static void read_u64(struct yaml *y, struct fy_node *n, void *at)
{
	uint32_t v = 0;
	yaml_u32(y, n, &v);
	*(uint64_t *)at = v;
}

#define VIEW(field) offsetof(struct scene_view, field)
static const struct yaml_field view_fields[] = {
	{"Resource", YAML_STRING, VIEW(name), NULL, NULL, false}, {"Format", YAML_FORMAT, VIEW(desc.Format), NULL, NULL, false},
	{"ViewDimension", YAML_ENUM, VIEW(desc.ViewDimension), view_dimensions, NULL, false},
	{"Shader4ComponentMapping", YAML_U32, VIEW(desc.Shader4ComponentMapping), NULL, NULL, false},
	{"MostDetailedMip", YAML_U32, VIEW(desc.MostDetailedMip), NULL, NULL, false},
	{"MipSlice", YAML_U32, VIEW(desc.MostDetailedMip), NULL, NULL, false},
	{"MipLevels", YAML_U32, VIEW(desc.MipLevels), NULL, NULL, false},
	{"FirstArraySlice", YAML_U32, VIEW(desc.FirstArraySlice), NULL, NULL, false},
	{"ArraySize", YAML_U32, VIEW(desc.ArraySize), NULL, NULL, false},
	{"ResourceMinLODClamp", YAML_F32, VIEW(desc.ResourceMinLODClamp), NULL, NULL, false},
	{"FirstElement", YAML_CUSTOM, VIEW(desc.FirstElement), NULL, read_u64, false},
	{"NumElements", YAML_U32, VIEW(desc.NumElements), NULL, NULL, false},
	{"StructureByteStride", YAML_U32, VIEW(desc.StructureByteStride), NULL, NULL, false},
	{"CounterResource", YAML_STRING, VIEW(counter), NULL, NULL, false},
	{"CounterOffsetInBytes", YAML_U32, VIEW(counter_offset), NULL, NULL, false},
	{"Offset", YAML_U32, VIEW(offset), NULL, NULL, false}, {"SizeInBytes", YAML_U32, VIEW(size), NULL, NULL, false},
};

void scene_read_view(struct yaml *y, struct fy_node *n, struct scene_view *v)
{
	v->node = n;
	if (n && fy_node_is_mapping(n))
		yaml_fields(y, n, view_fields, ARRAY_COUNT(view_fields), v);
	else
		v->name = yaml_string(y, n);
}

void scene_check_view(struct scene *s, const struct scene_view *v, bool texture, bool buffer)
{
	const char *names[] = {v->name, v->counter};
	for (size_t i = 0; i < 2; i++) {
		const struct scene_resource *r = names[i] ? SCENE_FIND(s, resources, resource_count, names[i]) : NULL;
		if (names[i] && (!r || (r->is_texture ? !texture || i : !buffer)))
			yaml_error(&s->yaml, v->node, DIAG_SCENE_REFERENCE, "there is no %s '%s'",
				i || !texture ? "buffer" : buffer ? "resource" : "texture", names[i]);
	}
}

/* ---- heaps ---- */

/* A bare name is a sampler, or else a resource to read; a mapping says which kind of descriptor it makes. */
static void read_descriptor(struct scene *s, struct fy_node *n, struct scene_descriptor *d)
{
	static const struct yaml_name kinds[] = {{"SRV", SCENE_SRV}, {"UAV", SCENE_UAV}, {"CBV", SCENE_CBV_VIEW},
		{"Sampler", SCENE_SAMPLER}, {0}};
	struct yaml *y = &s->yaml;
	void *prev = NULL;
	d->view.node = n;
	if (n && fy_node_is_scalar(n)) {
		const char *name = yaml_string(y, n);
		d->kind = name && SCENE_FIND(s, samplers, sampler_count, name) ? SCENE_SAMPLER : SCENE_SRV;
		d->view.name = name;
	} else if (yaml_expect_map(y, n) && fy_node_mapping_item_count(n) == 1) {
		struct fy_node_pair *pair = fy_node_mapping_iterate(n, &prev);
		if (!yaml_enum(y, fy_node_pair_key(pair), kinds, &d->kind))
			return;
		scene_read_view(y, fy_node_pair_value(pair), &d->view);
	} else if (n && fy_node_is_mapping(n) && fy_node_mapping_item_count(n))
		yaml_error(y, n, DIAG_SCENE_TYPE, "one descriptor an item is taken");
	if (d->kind == SCENE_SAMPLER && (!d->view.name || !SCENE_FIND(s, samplers, sampler_count, d->view.name)))
		yaml_error(y, n, DIAG_SCENE_REFERENCE, "there is no sampler '%s'", d->view.name ? d->view.name : "");
	else if (d->kind != SCENE_SAMPLER)
		scene_check_view(s, &d->view, d->kind != SCENE_CBV_VIEW, true);
}

static void read_heap(struct scene *s, struct fy_node *n, struct scene_heap *h)
{
	void *prev = NULL;
	struct fy_node *item;
	if (!yaml_expect_list(&s->yaml, n, 1, DESCRIPTORS_MAX))
		return;
	h->list = arena_array(&s->yaml.arena, (size_t)fy_node_sequence_item_count(n), sizeof *h->list);
	while ((item = fy_node_sequence_iterate(n, &prev))) {
		struct scene_descriptor *d = &h->list[h->count++];
		read_descriptor(s, item, d);
		if (d->kind == SCENE_UNSET)
			continue;
		if (h->typed && h->samplers != (d->kind == SCENE_SAMPLER))
			yaml_error(&s->yaml, item, DIAG_SCENE_TYPE, "samplers have a heap of their own");
		h->samplers = d->kind == SCENE_SAMPLER;
		h->typed = true;
	}
}

void scene_read_heaps(struct scene *s, struct fy_node *map)
{
	void *prev = NULL;
	struct fy_node_pair *pair;
	if (!yaml_expect_map(&s->yaml, map))
		return;
	s->heaps = arena_array(&s->yaml.arena, (size_t)fy_node_mapping_item_count(map) + 1, sizeof *s->heaps);
	while ((pair = fy_node_mapping_iterate(map, &prev))) {
		struct scene_heap *h = &s->heaps[s->heap_count++];
		h->name = yaml_string(&s->yaml, fy_node_pair_key(pair));
		read_heap(s, fy_node_pair_value(pair), h);
	}
}

/* ---- making ---- */

bool scene_write_descriptor(const struct scene *s, struct kiln_descriptor_heap *heap, uint32_t index,
	const struct scene_descriptor *d, struct kiln_diags *diags)
{
	const struct scene_view *v = &d->view;
	struct kiln_resource *r = scene_resource(s, v->name);
	switch ((enum scene_descriptor_kind)d->kind) {
	case SCENE_UNSET: return true;
	case SCENE_SRV: return kiln_descriptor_srv(heap, index, r, &v->desc, diags);
	case SCENE_UAV:
		return kiln_descriptor_uav(heap, index, r, &v->desc, scene_resource(s, v->counter), v->counter_offset, diags);
	case SCENE_CBV_VIEW: return kiln_descriptor_cbv(heap, index, r, v->offset, v->size, diags);
	case SCENE_SAMPLER: {
		const struct scene_sampler *sampler = SCENE_FIND(s, samplers, sampler_count, v->name);
		return kiln_descriptor_sampler(heap, index, &sampler->desc, diags);
	}
	}
	return true;
}

bool scene_make_heaps(struct scene *s, struct kiln_diags *diags)
{
	for (size_t i = 0; i < s->heap_count; i++) {
		struct scene_heap *h = &s->heaps[i];
		h->heap = kiln_descriptor_heap_create(s->device, h->samplers ? KILN_HEAP_SAMPLER : KILN_HEAP_CBV_SRV_UAV,
			(uint32_t)h->count, diags);
		for (size_t k = 0; h->heap && k < h->count; k++)
			if (!scene_write_descriptor(s, h->heap, (uint32_t)k, &h->list[k], diags)) {
				yaml_error(&s->yaml, h->list[k].view.node, DIAG_SCENE_DESCRIPTOR, "descriptor %zu of heap '%s' cannot be made",
					k, h->name);
				return false;
			}
		if (!h->heap)
			return false;
	}
	return true;
}
