/* What a shader's resources are bound to: (resource, element) of a program -> entry of the root signature -> root
 * argument -> descriptor. Entries are found once a draw; elements of arrays, which an index chooses while the shader
 * runs, on demand.
 *
 * The draw has passed bindings_check(), so what is no array is there and fits. An element that is not there reads as a
 * null descriptor, and the first one is remembered for bindings_report(). */
#include "sim/draw.h"
#include "sim/device.h"
#include <string.h>

static const uint32_t unbounded = 0xffffffff;

struct bound {                    /* one resource of a program */
	struct root_entry entry;      /* of its first register */
	const struct root_argument *table; /* that a range of the entry lies in */
	struct view root;             /* root SRV or UAV */
	struct kiln_sampler_desc sampler; /* static sampler */
};

/* ---- root signature ---- */

static bool visible(uint32_t visibility, uint8_t stage)
{
	return visibility == 0 || visibility == (stage == ISA_VERTEX ? 1u : stage == ISA_PIXEL ? 5u : 0);
}

/* Registers [reg, reg + count) lie in [first, first + size). */
static bool holds(uint32_t first, uint32_t size, uint32_t reg, uint32_t count)
{
	uint64_t end = size == unbounded ? (uint64_t)1 << 32 : (uint64_t)first + size;

	return reg >= first && (uint64_t)reg + count <= end;
}

static bool parameter_serves(
	const struct root_parameter *p, const struct isa_resource *r, uint32_t count, const struct root_range **range)
{
	static const uint8_t range_class[] = {ISA_SRV, ISA_UAV, ISA_CBV, ISA_SAMPLER};
	static const uint8_t root_class[] = {[ROOT_PARAMETER_CONSTANTS] = ISA_CBV,
		[ROOT_PARAMETER_CBV] = ISA_CBV,
		[ROOT_PARAMETER_SRV] = ISA_SRV,
		[ROOT_PARAMETER_UAV] = ISA_UAV};

	*range = NULL;
	if (p->type != ROOT_PARAMETER_TABLE)
		return root_class[p->type] == r->cls && p->space == r->space && holds(p->reg, 1, r->lower, count);
	for (size_t i = 0; i < p->range_count; i++) {
		const struct root_range *g = &p->ranges[i];

		if (range_class[g->type] == r->cls && g->space == r->space && holds(g->reg, g->count, r->lower, count)) {
			*range = g;
			return true;
		}
	}
	return false;
}

struct root_entry root_entry_find(const struct root_signature *root, uint8_t stage, const struct isa_resource *r)
{
	uint32_t count = r->count == unbounded ? 1 : r->count;
	struct root_entry e = {.parameter = -1};

	for (size_t i = 0; i < root->parameter_count && i < DRAW_ROOT_PARAMETERS_MAX; i++) {
		if (visible(root->parameters[i].visibility, stage) &&
			parameter_serves(&root->parameters[i], r, count, &e.range)) {
			e.parameter = (int)i;
			return e;
		}
	}
	for (size_t i = 0; r->cls == ISA_SAMPLER && i < root->sampler_count; i++) {
		const struct root_sampler *s = &root->samplers[i];

		if (visible(s->visibility, stage) && s->space == r->space && holds(s->reg, 1, r->lower, count)) {
			e.sampler = s;
			return e;
		}
	}
	return e;
}


/* ---- the table of a draw ---- */

static struct kiln_sampler_desc static_sampler(const struct root_sampler *s)
{
	static const uint8_t colors[][2] = {{0, 0}, {0, 1}, {1, 1}, {0, 1}, {1, 1}}; /* of RGB and of A */
	uint32_t border = s->words[7];
	bool integer = border > 2 || s->flags & 1;
	struct kiln_sampler_desc d = {.Filter = s->words[0],
		.AddressU = s->words[1],
		.AddressV = s->words[2],
		.AddressW = s->words[3],
		.MipLODBias = bits_float(s->words[4]),
		.MaxAnisotropy = s->words[5],
		.ComparisonFunc = s->words[6],
		.MinLOD = bits_float(s->words[8]),
		.MaxLOD = bits_float(s->words[9]),
		.Flags = s->flags | integer};

	for (int c = 0; c < 4 && border < ARRAY_COUNT(colors); c++) {
		uint32_t one = colors[border][c == 3], word = integer ? one : one ? 0x3f800000u : 0;

		memcpy(&d.BorderColor[c], &word, sizeof word);
	}
	return d;
}

/* A root descriptor has no end of its own: it goes to the end of the buffer. */
static struct view root_view(const struct isa_resource *r, const struct root_argument *a)
{
	return (struct view){.resource = a->buffer,
		.dimension = KILN_VIEW_BUFFER,
		.swizzle = {0, 1, 2, 3},
		.offset = a->offset,
		.size = a->buffer->size - a->offset,
		.stride = r->kind == ISA_KIND_STRUCTURED_BUFFER ? r->stride_or_size : 0};
}

/* A heap that is indexed directly is a table of one range, which begins at its first descriptor. */
static const struct root_range whole_heap = {.count = 0xffffffff};

void bindings_open(struct constant_env *e)
{
	if (!e->program)
		return;
	for (int i = 0; i < 2; i++)
		if (e->draw->state->heaps[i])
			e->heaps[i] = (struct root_argument){.kind = ROOT_TABLE, .heap = e->draw->state->heaps[i]};
	e->bound = mem_array(e->program->resource_count, sizeof *e->bound);
	for (size_t i = 0; i < e->program->resource_count; i++) {
		const struct isa_resource *r = &e->program->resources[i];
		struct bound *b = &e->bound[i];
		const struct root_argument *a;

		if (r->flags & ISA_RESOURCE_HEAP) {
			b->entry.range = &whole_heap;
			b->table = &e->heaps[r->cls == ISA_SAMPLER];
			continue;
		}
		b->entry = root_entry_find(e->root, e->program->stage, r);
		if (b->entry.sampler)
			b->sampler = static_sampler(b->entry.sampler);
		if (b->entry.parameter < 0)
			continue;
		a = b->table = &e->arguments[b->entry.parameter];
		if (a->kind == ROOT_SRV || a->kind == ROOT_UAV)
			b->root = root_view(r, a);
	}
}

void bindings_close(struct constant_env *e) { mem_free(e->bound); }

/* ---- access ---- */

static void miss(struct constant_env *e, enum diag_id id, const char *fault, unsigned resource, uint32_t element)
{
	if (e->missed.fault)
		return;
	e->missed.fault = fault;
	e->missed.id = id;
	e->missed.resource = resource;
	e->missed.element = element;
}

/* The descriptor behind an element that comes from a table; NULL: there is none of this type. */
static const struct descriptor *table_descriptor(
	struct constant_env *e, unsigned resource, uint32_t element, enum descriptor_type type)
{
	const struct isa_resource *r = &e->program->resources[resource];
	const struct root_entry *entry = &e->bound[resource].entry;
	const struct root_argument *a = e->bound[resource].table;
	uint64_t at = (uint64_t)a->first + entry->range->offset + (r->lower - entry->range->reg) + element;

	if (element >= r->count)
		miss(e, DIAG_DESCRIPTOR_READ_UNSET, "the index is past the array", resource, element);
	else if (a->kind != ROOT_TABLE || at >= a->heap->count)
		miss(e, DIAG_DESCRIPTOR_READ_UNSET, "the descriptor is past the heap", resource, element);
	else if (a->heap->list[at].type == DESCRIPTOR_UNSET)
		miss(e, DIAG_DESCRIPTOR_READ_UNSET, "the descriptor was never written", resource, element);
	else if (a->heap->list[at].type != type)
		miss(e, DIAG_DESCRIPTOR_MISMATCH, "the descriptor is of another type", resource, element);
	else
		return &a->heap->list[at];
	return NULL;
}

static const struct view *find_view(void *user, unsigned resource, uint32_t element)
{
	struct constant_env *e = user;
	const struct isa_resource *r = &e->program->resources[resource];
	const struct bound *b = &e->bound[resource];
	const struct descriptor *d;
	const char *fault;

	if (b->entry.parameter < 0)
		return NULL;
	if (!b->entry.range)
		return element == 0 && b->root.resource ? &b->root : NULL;
	d = table_descriptor(e, resource, element, r->cls == ISA_UAV ? DESCRIPTOR_UAV : DESCRIPTOR_SRV);
	if (!d || !d->u.view.resource)
		return NULL;
	if (r->count == 1)
		return &d->u.view; /* checked before the draw */
	fault = view_fault(r, &d->u.view);
	if (fault)
		miss(e, DIAG_DESCRIPTOR_MISMATCH, fault, resource, element);
	else if (view_is_target(e->draw->state, &d->u.view))
		miss(e, DIAG_RESOURCE_READ_AND_TARGET, "it is a target of this draw as well", resource, element);
	else
		return &d->u.view;
	return NULL;
}

static const struct kiln_sampler_desc *find_sampler(void *user, unsigned resource, uint32_t element)
{
	struct constant_env *e = user;
	const struct bound *b = &e->bound[resource];
	const struct descriptor *d;

	if (b->entry.sampler)
		return element == 0 ? &b->sampler : NULL;
	if (b->entry.parameter < 0 || !b->entry.range)
		return NULL;
	d = table_descriptor(e, resource, element, DESCRIPTOR_SAMPLER);
	return d ? &d->u.sampler : NULL;
}

/* Words past the end read zeros. */
static void row_of(const uint8_t *data, uint64_t size, uint32_t row, uint32_t out[4])
{
	for (uint32_t i = 0; i < 4; i++) {
		uint64_t at = ((uint64_t)row * 4 + i) * 4;

		if (at + 4 <= size)
			memcpy(&out[i], data + at, 4);
	}
}

void constant_row(void *user, unsigned resource, uint32_t array_index, uint32_t row, uint32_t out[4])
{
	struct constant_env *e = user;
	const struct isa_resource *r = &e->program->resources[resource];
	const struct root_entry *entry = &e->bound[resource].entry;
	const struct root_argument *a;
	const struct descriptor *d;

	memset(out, 0, 4 * sizeof *out);
	if (array_index >= r->count || entry->parameter < 0)
		return;
	a = e->bound[resource].table;
	if (a->kind == ROOT_CONSTANTS) {
		row_of((const uint8_t *)a->constants, e->root->parameters[entry->parameter].num_constants * 4ull, row, out);
	} else if (a->kind == ROOT_CBV && a->offset < a->buffer->size) {
		row_of(a->buffer->data + a->offset, a->buffer->size - a->offset, row, out);
	} else if (entry->range) {
		d = table_descriptor(e, resource, array_index, DESCRIPTOR_CBV);
		if (d && d->u.cbv.buffer)
			row_of(d->u.cbv.buffer->data + d->u.cbv.offset, d->u.cbv.size, row, out);
	}
}

void resource_access(void *user, const struct isa_access *a)
{
	const struct constant_env *e = user;
	const struct bindings b = {.user = user, .view = find_view, .sampler = find_sampler};
	bool sizes = a->inst->op == ISA_image_get_resinfo;

	if (isa_info[a->inst->op].unit == ISA_UNIT_BUFFER ||
		(sizes && isa_is_buffer(&e->program->resources[a->inst->at[ISA_IMAGE].value])))
		buffer_access(a, &b);
	else
		image_access(a, &b);
}

bool bindings_report(const struct constant_env *e, struct kiln_diags *diags)
{
	const struct isa_resource *r;

	if (!e->missed.fault)
		return true;
	r = &e->program->resources[e->missed.resource];
	diag_add(diags, e->missed.id, e->draw->state->where, "%s[%u] (%c%u, space%u) of the %s shader: %s",
		*r->name ? r->name : "resource", e->missed.element, "tubs"[r->cls], r->lower + e->missed.element, r->space,
		isa_stage_names[e->program->stage], e->missed.fault);
	return e->missed.id == DIAG_DESCRIPTOR_READ_UNSET;
}

/* ---- does a view fit ---- */

const char *view_fault(const struct isa_resource *r, const struct view *v)
{
	static const uint8_t dimension[ISA_RESOURCE_KIND_COUNT] = {
		[ISA_KIND_TEXTURE_1D] = KILN_VIEW_TEXTURE1D,
		[ISA_KIND_TEXTURE_2D] = KILN_VIEW_TEXTURE2D,
		[ISA_KIND_TEXTURE_2DMS] = KILN_VIEW_TEXTURE2DMS,
		[ISA_KIND_TEXTURE_3D] = KILN_VIEW_TEXTURE3D,
		[ISA_KIND_TEXTURE_CUBE] = KILN_VIEW_TEXTURECUBE,
		[ISA_KIND_TEXTURE_1D_ARRAY] = KILN_VIEW_TEXTURE1DARRAY,
		[ISA_KIND_TEXTURE_2D_ARRAY] = KILN_VIEW_TEXTURE2DARRAY,
		[ISA_KIND_TEXTURE_2DMS_ARRAY] = KILN_VIEW_TEXTURE2DMSARRAY,
		[ISA_KIND_TEXTURE_CUBE_ARRAY] = KILN_VIEW_TEXTURECUBEARRAY,
		[ISA_KIND_TYPED_BUFFER] = KILN_VIEW_BUFFER,
		[ISA_KIND_RAW_BUFFER] = KILN_VIEW_BUFFER,
		[ISA_KIND_STRUCTURED_BUFFER] = KILN_VIEW_BUFFER,
		[ISA_KIND_TBUFFER] = KILN_VIEW_BUFFER,
	};

	if (!v->resource)
		return NULL; /* null descriptors serve all */
	if (r->kind >= ISA_RESOURCE_KIND_COUNT || dimension[r->kind] != v->dimension)
		return "the view is of another dimension";
	switch (r->kind) {
	case ISA_KIND_RAW_BUFFER: return v->format || v->stride ? "the view is not of a raw buffer" : NULL;
	case ISA_KIND_STRUCTURED_BUFFER:
		if (v->format || !v->stride)
			return "the view is not of a structured buffer";
		return v->stride != r->stride_or_size ? "the view has another StructureByteStride" : NULL;
	}
	return v->format ? NULL : "the view is not typed";
}
