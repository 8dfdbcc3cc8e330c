/* The plan of a set of PSOs: the fewest of them that must be created as bases, so that each of the others derives legally
 * from one. Takes valid PSOs; gives a recipe for each. Bases are PSOs of the set: none is invented.
 *
 * Why this is exact without a search. Two PSOs can be base and derived only where they agree on all that a derive cannot
 * override: the set falls into groups. Within a group "b serves d" is a relation on exports alone: for every target b
 * exports the same as d needs (or, with supersets accepted, at least that, of the same type and width), and alpha that d
 * needs and nobody writes is already missing in b. It is reflexive and transitive. In such an order every element lies
 * below a maximal one, a maximal element is served only by its equals, and so the smallest set of bases has one PSO of
 * each class of maximal equals. Taken by falling weight (how much is exported, how much is missing), whatever no base so
 * far serves is such a class's first: whoever serves it weighs as much and is its equal.
 *
 * All ties go by name, so that the order of the set changes nothing. */
#include "pso/pso.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *const plan_field_names[PLAN_FIELD_COUNT] = {
#define X(name, text) text,
	PLAN_FIELDS(X)
#undef X
};

/* Words of the key, from the first of each field; exports last, since supersets may differ in them. */
enum {
	KEY_ROOT, KEY_VS, KEY_PS, KEY_LAYOUT, KEY_TOPOLOGY, KEY_STRIP_CUT, KEY_SAMPLES, KEY_DSV = KEY_SAMPLES + 2, KEY_TARGETS,
	KEY_EXPORTS = KEY_TARGETS + 1 + KILN_RENDER_TARGETS_MAX, KEY_MISSING = KEY_EXPORTS + KILN_RENDER_TARGETS_MAX, KEY_WORDS
};
struct node {
	const struct plan_pso *pso;
	uint32_t index;
	uint32_t key[KEY_WORDS];
	struct export_choice exports[KILN_RENDER_TARGETS_MAX];
	unsigned missing;                 /* targets whose alpha is read and not written */
	unsigned weight;
};

/* ---- input layouts as numbers ---- */
struct layouts {
	struct arena arena;
	struct layout { const uint8_t *bytes; size_t size; uint32_t hash; } *list;
	uint32_t count;
	size_t cap;
	uint32_t *slots, slot_count;      /* number + 1; 0: free */
};

static void put_element(struct buf *out, const struct kiln_input_element_desc *e)
{
	const uint32_t words[] = {e->SemanticIndex, e->Format, e->InputSlot, e->AlignedByteOffset, e->InputSlotClass,
		e->InstanceDataStepRate};
	for (const char *s = e->SemanticName; *s; s++)
		buf_put(out, &(char){(char)toupper((unsigned char)*s)}, 1);
	buf_put(out, "", 1);
	for (size_t i = 0; i < ARRAY_COUNT(words); i++)
		buf_u32(out, words[i]);
}

static void put_layout(struct buf *out, const struct kiln_graphics_pipeline_desc *d)
{
	struct kiln_input_element_desc elements[KILN_INPUT_ELEMENTS_MAX];
	if (d->NumInputElements)
		memcpy(elements, d->InputElementDescs, d->NumInputElements * sizeof *elements);
	pipeline_resolve_layout(d, elements);
	for (uint32_t i = 0; i < d->NumInputElements; i++)
		put_element(out, &elements[i]);
}

static uint32_t fnv1a(const uint8_t *data, size_t size)
{
	uint32_t h = 0x811c9dc5;
	for (size_t i = 0; i < size; i++)
		h = (h ^ data[i]) * 0x01000193;
	return h;
}

static uint32_t layout_number(struct layouts *l, const struct buf *b)
{
	uint32_t hash = fnv1a(b->data, b->size), at = hash & (l->slot_count - 1);
	for (; l->slots[at]; at = (at + 1) & (l->slot_count - 1)) {
		const struct layout *has = &l->list[l->slots[at] - 1];
		if (has->hash == hash && has->size == b->size && (!b->size || !memcmp(has->bytes, b->data, b->size)))
			return l->slots[at] - 1;
	}
	*ARRAY_PUSH(l->list, l->count, l->cap) = (struct layout){arena_copy(&l->arena, b->data, b->size), b->size, hash};
	l->slots[at] = l->count;
	return l->count - 1;
}

/* ---- nodes ---- */
static void set_exports(struct node *n, enum kiln_export_policy policy)
{
	pipeline_choose(n->pso->desc, n->pso->outputs, policy, n->exports);
	for (unsigned i = 0; i < KILN_RENDER_TARGETS_MAX; i++) {
		const struct export_choice *e = &n->exports[i];
		n->key[KEY_EXPORTS + i] = e->form | (uint32_t)e->channels << 8 | (uint32_t)e->type << 16 | (uint32_t)e->bits << 24;
		n->missing |= (unsigned)e->alpha_missing << i;
		n->weight += (unsigned)e->alpha_missing;
		for (unsigned c = e->form == ISA_FORM_zero ? 0 : e->channels; c; c &= c - 1)
			n->weight++;
	}
	n->key[KEY_MISSING] = n->missing;
}

static void set_key(struct node *n, uint32_t layout)
{
	const struct kiln_graphics_pipeline_desc *d = n->pso->desc;
	uint32_t *k = n->key;
	k[KEY_ROOT] = n->pso->root;
	k[KEY_VS] = n->pso->vs;
	k[KEY_PS] = n->pso->ps;
	k[KEY_LAYOUT] = layout;
	k[KEY_TOPOLOGY] = d->PrimitiveTopologyType;
	k[KEY_STRIP_CUT] = d->IBStripCutValue;
	k[KEY_SAMPLES] = d->SampleDesc.Count;
	k[KEY_SAMPLES + 1] = d->SampleDesc.Quality;
	k[KEY_DSV] = d->DSVFormat;
	k[KEY_TARGETS] = d->NumRenderTargets;
	for (unsigned i = 0; i < d->NumRenderTargets; i++)
		k[KEY_TARGETS + 1 + i] = d->RTVFormats[i];
}

static struct node *make_nodes(const struct plan_pso *list, uint32_t count, enum kiln_export_policy policy)
{
	struct node *nodes = mem_array(count, sizeof *nodes);
	struct layouts l = {.slot_count = 16};
	struct buf bytes = {0};
	while (l.slot_count / 2 < count && l.slot_count < 1u << 31)
		l.slot_count *= 2;
	l.slots = mem_array(l.slot_count, sizeof *l.slots);
	for (uint32_t i = 0; i < count; i++) {
		struct node *n = &nodes[i];
		*n = (struct node){.pso = &list[i], .index = i};
		bytes.size = 0;
		put_layout(&bytes, n->pso->desc);
		set_key(n, layout_number(&l, &bytes));
		set_exports(n, policy);
	}
	buf_finish(&bytes);
	mem_free(l.slots);
	mem_free(l.list);
	arena_finish(&l.arena);
	return nodes;
}

/* ---- the order ---- */
static bool serves(const struct node *base, const struct node *n, bool accept_superset)
{
	if (n->missing & ~base->missing)
		return false;
	for (unsigned i = 0; i < KILN_RENDER_TARGETS_MAX; i++) {
		const struct export_choice *b = &base->exports[i], *e = &n->exports[i];
		if (!export_same(b, e) && !(accept_superset && export_is_superset(b, e)))
			return false;
	}
	return true;
}

static int by_key(const void *a, const void *b, size_t words)
{
	const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;
	int order = memcmp(x->key, y->key, words * sizeof *x->key);
	if (!order && x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return order ? order : strcmp(x->pso->name, y->pso->name);
}
static int by_state(const void *a, const void *b) { return by_key(a, b, KEY_EXPORTS); }
static int by_exports(const void *a, const void *b) { return by_key(a, b, KEY_MISSING); }

static struct node **sorted(struct node *nodes, uint32_t count, int (*order)(const void *, const void *))
{
	struct node **list = mem_array(count, sizeof(struct node *));
	for (uint32_t i = 0; i < count; i++)
		list[i] = &nodes[i];
	qsort(list, count, sizeof(struct node *), order);
	return list;
}

/* ---- recipes ---- */
static bool same_target(const struct kiln_render_target_blend_desc *a, const struct kiln_render_target_blend_desc *b)
{
	return a->BlendEnable == b->BlendEnable && a->LogicOpEnable == b->LogicOpEnable && a->SrcBlend == b->SrcBlend &&
		   a->DestBlend == b->DestBlend && a->BlendOp == b->BlendOp && a->SrcBlendAlpha == b->SrcBlendAlpha &&
		   a->DestBlendAlpha == b->DestBlendAlpha && a->BlendOpAlpha == b->BlendOpAlpha && a->LogicOp == b->LogicOp &&
		   a->RenderTargetWriteMask == b->RenderTargetWriteMask;
}

/* As every target sees it: where blending is not independent, target 0's description is all of them. */
static bool same_blend(const struct kiln_graphics_pipeline_desc *a, const struct kiln_graphics_pipeline_desc *b)
{
	for (unsigned i = 0; i < KILN_RENDER_TARGETS_MAX; i++)
		if (!same_target(pipeline_blend(a, i), pipeline_blend(b, i)))
			return false;
	return a->BlendState.AlphaToCoverageEnable == b->BlendState.AlphaToCoverageEnable;
}

static bool same_rasterizer(const struct kiln_rasterizer_desc *a, const struct kiln_rasterizer_desc *b)
{
	return a->FillMode == b->FillMode && a->CullMode == b->CullMode &&
		a->FrontCounterClockwise == b->FrontCounterClockwise && float_bits(a->DepthBias) == float_bits(b->DepthBias) &&
		float_bits(a->DepthBiasClamp) == float_bits(b->DepthBiasClamp) &&
		float_bits(a->SlopeScaledDepthBias) == float_bits(b->SlopeScaledDepthBias) &&
		a->DepthClipEnable == b->DepthClipEnable && a->MultisampleEnable == b->MultisampleEnable &&
		a->AntialiasedLineEnable == b->AntialiasedLineEnable &&
		a->LineRasterizationMode == b->LineRasterizationMode && a->ForcedSampleCount == b->ForcedSampleCount &&
		a->ConservativeRaster == b->ConservativeRaster;
}

static bool same_face(const struct kiln_depth_stencilop_desc *a, const struct kiln_depth_stencilop_desc *b)
{
	return a->StencilFailOp == b->StencilFailOp && a->StencilDepthFailOp == b->StencilDepthFailOp &&
		   a->StencilPassOp == b->StencilPassOp && a->StencilFunc == b->StencilFunc;
}

static bool same_depth(const struct kiln_depth_stencil_desc *a, const struct kiln_depth_stencil_desc *b)
{
	return a->DepthEnable == b->DepthEnable && a->DepthWriteMask == b->DepthWriteMask && a->DepthFunc == b->DepthFunc &&
		   a->StencilEnable == b->StencilEnable && a->StencilReadMask == b->StencilReadMask &&
		   a->StencilWriteMask == b->StencilWriteMask && same_face(&a->FrontFace, &b->FrontFace) &&
		   same_face(&a->BackFace, &b->BackFace) && a->DepthBoundsTestEnable == b->DepthBoundsTestEnable;
}

static unsigned overrides_of(const struct kiln_graphics_pipeline_desc *base, const struct kiln_graphics_pipeline_desc *d)
{
	bool limits =
		base->ShaderLimits.VSWaves == d->ShaderLimits.VSWaves && base->ShaderLimits.PSWaves == d->ShaderLimits.PSWaves;
	return (same_blend(base, d) ? 0u : PLAN_BLEND) |
		   (same_rasterizer(&base->RasterizerState, &d->RasterizerState) ? 0u : PLAN_RASTERIZER) |
		   (same_depth(&base->DepthStencilState, &d->DepthStencilState) ? 0u : PLAN_DEPTH_STENCIL) |
		   (base->SampleMask == d->SampleMask ? 0u : PLAN_SAMPLE_MASK) | (limits ? 0u : PLAN_LIMITS);
}

static void set_recipe(struct plan *plan, const struct node *n, const struct node *base)
{
	plan->recipes[n->index] = (struct plan_recipe){.base = base->index,
		.overrides = overrides_of(base->pso->desc, n->pso->desc),
		.superset = memcmp(&n->key[KEY_EXPORTS], &base->key[KEY_EXPORTS], KILN_RENDER_TARGETS_MAX * sizeof *n->key) != 0,
		.near = UINT32_MAX};
}

/* Within one group, by falling weight: bases move to the front of `bases`, which holds *count of all groups so far. */
static void plan_group(struct plan *plan, struct node **group, size_t size, bool accept_superset, struct node **bases)
{
	size_t first = plan->base_count;
	for (size_t i = 0; i < size; i++) {
		size_t b = first;
		while (b < plan->base_count && !serves(bases[b], group[i], accept_superset))
			b++;
		if (b == plan->base_count)
			bases[plan->base_count++] = group[i];
		set_recipe(plan, group[i], bases[b]);
	}
}

/* ---- the near base: one that differs in a single field ---- */
/* Where a field stands in the key; exports follow from pixel shader and formats, and differ with them. */
static const struct { uint8_t first, count; bool with_exports; } places[PLAN_FIELD_COUNT] = {
	[PLAN_EXPORTS] = {KEY_EXPORTS, 0, true},
	[PLAN_STRIP_CUT] = {KEY_STRIP_CUT, 1, false},
	[PLAN_TOPOLOGY] = {KEY_TOPOLOGY, 1, false},
	[PLAN_SAMPLES] = {KEY_SAMPLES, 2, false},
	[PLAN_DSV] = {KEY_DSV, 1, false},
	[PLAN_TARGETS] = {KEY_TARGETS, 1 + KILN_RENDER_TARGETS_MAX, true},
	[PLAN_LAYOUT] = {KEY_LAYOUT, 1, false},
	[PLAN_ROOT] = {KEY_ROOT, 1, false},
	[PLAN_PS] = {KEY_PS, 1, true},
	[PLAN_VS] = {KEY_VS, 1, false},
};

static int by_whole_key(const void *a, const void *b)
{
	const struct node *x = a, *y = b;
	int order = memcmp(x->key, y->key, sizeof x->key);
	return order ? order : strcmp(x->pso->name, y->pso->name);
}

/* copies: one of each base, its key blanked where the field stands; equal neighbours differ in the field alone. */
static void find_near(struct plan *plan, struct node *copies, uint32_t count, enum plan_field field)
{
	for (uint32_t i = 0; i < count; i++) {
		memset(&copies[i].key[places[field].first], 0, places[field].count * sizeof *copies->key);
		if (places[field].with_exports)
			memset(&copies[i].key[KEY_EXPORTS], 0, (KEY_WORDS - KEY_EXPORTS) * sizeof *copies->key);
	}
	qsort(copies, count, sizeof *copies, by_whole_key);
	for (uint32_t i = 0, first = 0; i < count; i++) {
		if (memcmp(copies[i].key, copies[first].key, sizeof copies->key))
			first = i;
		uint32_t other = i > first ? first : i + 1; /* the first by name, and for that one the second */
		bool found = other < count && !memcmp(copies[i].key, copies[other].key, sizeof copies->key);
		struct plan_recipe *r = &plan->recipes[copies[i].index];
		if (found && r->near == UINT32_MAX) {
			r->near = copies[other].index;
			r->field = (uint8_t)field;
		}
	}
}

void plan_make(
	struct plan *plan, const struct plan_pso *list, uint32_t count, enum kiln_export_policy policy, bool accept_superset)
{
	size_t words = accept_superset ? KEY_EXPORTS : KEY_MISSING;
	struct node *nodes = make_nodes(list, count, policy);
	struct node **order = sorted(nodes, count, accept_superset ? by_state : by_exports);
	struct node **bases = mem_array(count, sizeof(struct node *));
	*plan = (struct plan){.recipes = mem_array(count, sizeof *plan->recipes)};
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && !memcmp(order[i]->key, order[end]->key, words * sizeof *nodes->key);)
			end++;
		plan_group(plan, order + i, end - i, accept_superset, bases);
	}
	struct node *copies = mem_array(plan->base_count, sizeof *copies);
	for (unsigned field = 0; field < PLAN_FIELD_COUNT; field++) {
		for (uint32_t i = 0; i < plan->base_count; i++)
			copies[i] = *bases[i];
		find_near(plan, copies, plan->base_count, (enum plan_field)field);
	}
	mem_free(copies);
	mem_free(bases);
	mem_free(order);
	mem_free(nodes);
}

void plan_finish(struct plan *plan)
{
	mem_free(plan->recipes);
	*plan = (struct plan){0};
}
