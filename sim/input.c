/* Input assembly: vertex and index fetch. Addresses wrap at 32 bits; what lies past the end of a view reads as zero bytes
 * (so channels the format lacks keep their default), an unbound slot as zero words (facts section 2). Assumes a linked
 * pipeline: element offsets are resolved. */
#include "sim/draw.h"

enum fetch_kind { FETCH_ZERO, FETCH_VERTEX_ID, FETCH_INSTANCE_ID, FETCH_ELEMENT };
struct fetch_slot {
	uint8_t kind;                 /* enum fetch_kind */
	bool per_instance;
	uint32_t step, offset;
	const struct format_info *format;
	struct vertex_view view;
};
struct vertex_fetch {
	uint32_t first_vertex, first_instance;
	size_t count;
	struct fetch_slot slots[ISA_IO_MAX];
};

static struct fetch_slot element_slot(const struct draw *d, uint32_t element)
{
	const struct kiln_input_element_desc *in = &d->pipeline->desc.InputElementDescs[element];
	const struct vertex_view *view = &d->state->vertices[in->InputSlot % KILN_VERTEX_BUFFERS_MAX];

	if (!view->buffer)
		return (struct fetch_slot){.kind = FETCH_ZERO};
	return (struct fetch_slot){.kind = FETCH_ELEMENT, .per_instance = in->InputSlotClass == KILN_PER_INSTANCE,
		.step = in->InstanceDataStepRate, .offset = in->AlignedByteOffset,
		.format = format_info(in->Format), .view = *view};
}

struct vertex_fetch *vertex_fetch_create(const struct draw *d)
{
	struct vertex_fetch *f = mem_alloc(sizeof *f);
	const struct isa_program *vs = d->pipeline->vs;

	f->first_vertex = d->call.indexed ? (uint32_t)d->call.base_vertex : d->call.first;
	f->first_instance = d->call.first_instance;
	f->count = vs->input_count < ISA_IO_MAX ? vs->input_count : ISA_IO_MAX;
	for (size_t i = 0; i < f->count; i++) {
		if (vs->inputs[i].semantic == ISA_SEM_VERTEX_ID)
			f->slots[i].kind = FETCH_VERTEX_ID;
		else if (vs->inputs[i].semantic == ISA_SEM_INSTANCE_ID)
			f->slots[i].kind = FETCH_INSTANCE_ID;
		else if (d->pipeline->vs_layout[i] < d->pipeline->desc.NumInputElements)
			f->slots[i] = element_slot(d, d->pipeline->vs_layout[i]);
	}
	return f;
}

void vertex_fetch_destroy(struct vertex_fetch *f)
{
	mem_free(f);
}

static void fetch_element(const struct vertex_fetch *f, const struct fetch_slot *s, uint32_t vertex, uint32_t instance,
	uint32_t rgba[4])
{
	static const uint8_t zeros[16];
	uint32_t bytes = s->format->bits / 8, element;
	uint32_t at;

	if (!s->per_instance)
		element = f->first_vertex + vertex;
	else
		element = f->first_instance + (s->step ? instance / s->step : 0);
	at = s->view.stride * element + s->offset;
	if ((uint64_t)at + bytes > s->view.size)
		format_unpack(s->format, zeros, rgba);
	else
		format_unpack(s->format, s->view.buffer->data + s->view.offset + at, rgba);
}

void vertex_fetch_lane(const struct vertex_fetch *f, struct isa_wave *w, unsigned lane, uint32_t vertex, uint32_t instance)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct fetch_slot *s = &f->slots[i];
		uint32_t rgba[4] = {0};

		switch ((enum fetch_kind)s->kind) {
		case FETCH_ZERO: break;
		case FETCH_VERTEX_ID: rgba[0] = vertex; break;
		case FETCH_INSTANCE_ID: rgba[0] = instance; break;
		case FETCH_ELEMENT: fetch_element(f, s, vertex, instance, rgba); break;
		}
		for (int c = 0; c < 4; c++)
			w->in[i][c][lane] = rgba[c];
	}
}

uint32_t index_fetch(const struct draw *d, uint32_t k)
{
	const struct vertex_view *v = &d->state->indices;
	uint64_t at = ((uint64_t)d->call.first + k) * v->stride;
	const uint8_t *p;

	if (at + v->stride > v->size)
		return 0;
	p = v->buffer->data + v->offset + at;
	if (v->stride == 2)
		return (uint32_t)p[0] | (uint32_t)p[1] << 8;
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
