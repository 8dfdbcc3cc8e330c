/* Descriptor heaps: arrays of views and samplers, each checked when it is written. */
#include "sim/device.h"

enum { DESCRIPTORS_MAX = 1000000, SAMPLERS_MAX = 2048, CBV_SIZE_MAX = 65536, CBV_ALIGN = 256 };

struct kiln_descriptor_heap *kiln_descriptor_heap_create(
	struct kiln_device *d, enum kiln_heap_type type, uint32_t count, struct kiln_diags *diags)
{
	uint32_t most = type == KILN_HEAP_SAMPLER ? SAMPLERS_MAX : DESCRIPTORS_MAX;
	struct kiln_descriptor_heap *h;

	if (((unsigned)type != KILN_HEAP_CBV_SRV_UAV && (unsigned)type != KILN_HEAP_SAMPLER) || !count || count > most) {
		diag_add(diags, DIAG_DESCRIPTOR_INVALID, "descriptor heap", "a heap of type %u with %u descriptors", (unsigned)type,
			count);
		return NULL;
	}
	h = mem_alloc(sizeof *h);
	h->device = d;
	h->type = (uint8_t)type;
	h->count = count;
	h->list = mem_array(count, sizeof *h->list);
	return h;
}

void kiln_descriptor_heap_destroy(struct kiln_descriptor_heap *h)
{
	if (!h)
		return;
	mem_free(h->list);
	mem_free(h);
}

/* Names the descriptor in diagnostics; NULL: it cannot hold this type. */
static struct descriptor *slot(struct kiln_descriptor_heap *h, uint32_t index, enum descriptor_type type, char where[32],
	struct kiln_diags *diags)
{
	bool samplers = h->type == KILN_HEAP_SAMPLER;

	snprintf(where, 32, "descriptor %u", index);
	if (index < h->count && samplers == (type == DESCRIPTOR_SAMPLER))
		return &h->list[index];
	if (index >= h->count)
		diag_add(diags, DIAG_DESCRIPTOR_INVALID, where, "the heap has %u descriptors", h->count);
	else
		diag_add(diags, DIAG_DESCRIPTOR_INVALID, where, "the heap is of type %s", samplers ? "SAMPLER" : "CBV_SRV_UAV");
	return NULL;
}

bool kiln_descriptor_srv(struct kiln_descriptor_heap *h, uint32_t index, struct kiln_resource *resource,
	const struct kiln_view_desc *desc, struct kiln_diags *diags)
{
	char where[32];
	struct descriptor *d = slot(h, index, DESCRIPTOR_SRV, where, diags);
	struct view v;

	if (!d || !view_srv(resource, desc, where, diags, &v))
		return false;
	*d = (struct descriptor){.type = DESCRIPTOR_SRV, .u = {.view = v}};
	return true;
}

bool kiln_descriptor_uav(struct kiln_descriptor_heap *h, uint32_t index, struct kiln_resource *resource,
	const struct kiln_view_desc *desc, struct kiln_resource *counter, uint64_t counter_offset, struct kiln_diags *diags)
{
	char where[32];
	struct descriptor *d = slot(h, index, DESCRIPTOR_UAV, where, diags);
	struct view v;

	if (!d || !view_uav(resource, desc, where, diags, &v))
		return false;
	if (counter && (counter->is_texture || counter_offset % 4 || counter->size < 4 || counter_offset > counter->size - 4 ||
					   !v.resource || v.resource->is_texture || v.format || !v.stride)) {
		diag_add(diags, DIAG_DESCRIPTOR_INVALID, where, "a counter is a word of a buffer, for a structured UAV");
		return false;
	}
	v.counter = counter;
	v.counter_offset = counter_offset;
	*d = (struct descriptor){.type = DESCRIPTOR_UAV, .u = {.view = v}};
	return true;
}

bool kiln_descriptor_cbv(struct kiln_descriptor_heap *h, uint32_t index, struct kiln_resource *buffer, uint64_t offset,
	uint32_t size, struct kiln_diags *diags)
{
	char where[32];
	struct descriptor *d = slot(h, index, DESCRIPTOR_CBV, where, diags);

	if (!d)
		return false;
	if (size > CBV_SIZE_MAX || offset % CBV_ALIGN || (buffer && (buffer->is_texture || offset >= buffer->size))) {
		diag_add(diags, DIAG_DESCRIPTOR_INVALID, where,
			"a CBV of %u bytes at %llu of '%s': the size is at most %d, the offset inside a buffer and a multiple of %d", size,
			(unsigned long long)offset, buffer ? buffer->name : "(null)", CBV_SIZE_MAX, CBV_ALIGN);
		return false;
	}
	*d = (struct descriptor){.type = DESCRIPTOR_CBV};
	if (!buffer)
		return true;
	d->u.cbv.buffer = buffer;
	d->u.cbv.offset = offset;
	d->u.cbv.size = size ? size : CBV_SIZE_MAX;
	if (d->u.cbv.size > buffer->size - offset)
		d->u.cbv.size = (uint32_t)(buffer->size - offset);
	return true;
}

bool kiln_descriptor_sampler(
	struct kiln_descriptor_heap *h, uint32_t index, const struct kiln_sampler_desc *desc, struct kiln_diags *diags)
{
	char where[32];
	struct descriptor *d = slot(h, index, DESCRIPTOR_SAMPLER, where, diags);
	/* the rules are those of static samplers, but for the border, which is free here */
	struct root_sampler s = {.words = {desc->Filter, desc->AddressU, desc->AddressV, desc->AddressW,
								 float_bits(desc->MipLODBias), desc->MaxAnisotropy, desc->ComparisonFunc, 0,
								 float_bits(desc->MinLOD), float_bits(desc->MaxLOD)},
		.flags = desc->Flags};
	const char *fault = root_sampler_fault(&s, 3);

	if (!d)
		return false;
	if (fault) {
		diag_add(diags, DIAG_DESCRIPTOR_INVALID, where, "sampler: %s", fault);
		return false;
	}
	*d = (struct descriptor){.type = DESCRIPTOR_SAMPLER, .u = {.sampler = *desc}};
	return true;
}
