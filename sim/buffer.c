/* Buffers in shaders: loads, stores and atomics of typed, raw and structured views, lane after lane. Takes any index.
 * Outside the view loads give 0 (typed ones the format's defaults for channels it lacks), stores are dropped, word by word
 * for raw and structured views (facts 5.5, 3.4); a null descriptor gives zeros. */
#include "sim/texture.h"

/* Where an access begins; false: outside the view as a whole. */
struct place { const struct view *view; uint64_t at; bool inside; };

/* index and offset are operands `at` and `at` + 1, the array's element the one behind the resource. */
static struct place find_place(const struct isa_access *a, const struct bindings *b, unsigned resource, unsigned at, unsigned lane)
{
	struct place p = {.view = b->view(b->user, a->inst->at[resource].value, access_source(a, resource + 1, lane))};
	uint64_t index = access_source(a, at, lane), offset = access_source(a, at + 1, lane);
	uint32_t unit = 1;

	if (!p.view || !p.view->resource)
		return (struct place){0};
	if (p.view->format)
		unit = p.view->format->bits / 8;
	else if (p.view->stride)
		unit = p.view->stride;
	p.at = index * unit + offset;
	p.inside = index < p.view->size / unit && p.at < p.view->size;
	return p;
}

/* Word i of a raw or structured access; NULL outside. */
static uint8_t *word_at(const struct place *p, unsigned i)
{
	uint64_t at = p->at + 4 * i;

	return p->inside && at + 4 <= p->view->size ? p->view->resource->data + p->view->offset + at : NULL;
}

static uint8_t *element_at(const struct place *p)
{
	return p->inside ? p->view->resource->data + p->view->offset + p->at : NULL;
}

/* ---- loads and stores ---- */

/* Channels that the format stores read 0 outside, the others their defaults. */
static void load_typed(const struct place *p, uint32_t rgba[4])
{
	static const uint8_t zeros[16];
	const uint8_t *element = element_at(p);
	uint32_t stored[6];

	format_unpack(p->view->format, element ? element : zeros, stored);
	stored[4] = 0;
	stored[5] = p->view->format->numeric == FORMAT_UINT || p->view->format->numeric == FORMAT_SINT ? 1 : 0x3f800000;
	for (unsigned c = 0; c < 4; c++)
		rgba[c] = stored[p->view->swizzle[c]];
}

static void load(const struct isa_access *a, const struct bindings *b, unsigned lane)
{
	struct place p = find_place(a, b, 4, 6, lane);
	uint32_t words[4] = {0};

	if (p.view && p.view->format) {
		load_typed(&p, words);
	} else {
		for (unsigned i = 0; i < 4 && p.view; i++) {
			const uint8_t *at = word_at(&p, i);

			if (at)
				memcpy(&words[i], at, 4);
		}
	}
	for (unsigned i = 0; i < 4; i++)
		a->result[i][lane] = words[i];
}

static void store(const struct isa_access *a, const struct bindings *b, unsigned lane)
{
	struct place p = find_place(a, b, 0, 3, lane);
	uint32_t words[4];

	for (unsigned i = 0; i < 4; i++)
		words[i] = access_source(a, 5 + i, lane);
	if (p.view && p.view->format) {
		if (p.inside)
			format_pack(p.view->format, words, 15, element_at(&p));
		return;
	}
	for (unsigned i = 0; i < 4 && p.view; i++) {
		uint8_t *at = a->inst->at[2].value >> i & 1 ? word_at(&p, i) : NULL;

		if (at)
			memcpy(at, &words[i], 4);
	}
}

/* Half a word, at any even byte. */
static uint8_t *half_at(const struct place *p)
{
	return p->view && p->inside && p->at + 2 <= p->view->size ? element_at(p) : NULL;
}

static void load_u16(const struct isa_access *a, const struct bindings *b, unsigned lane)
{
	struct place p = find_place(a, b, 1, 3, lane);
	const uint8_t *at = half_at(&p);

	a->result[0][lane] = at ? at[0] | (uint32_t)at[1] << 8 : 0;
}

static void store_b16(const struct isa_access *a, const struct bindings *b, unsigned lane)
{
	struct place p = find_place(a, b, 0, 2, lane);
	uint8_t *at = half_at(&p);
	uint32_t value = access_source(a, 4, lane);

	if (!at)
		return;
	at[0] = (uint8_t)value;
	at[1] = (uint8_t)(value >> 8);
}

/* ---- atomics ---- */

void access_atomic(const struct isa_access *a, unsigned lane, bool swap, unsigned value_operand, uint8_t *at)
{
	uint32_t old, value = access_source(a, value_operand, lane);

	memcpy(&old, at, 4);
	a->result[0][lane] = old;
	if (!swap)
		value = isa_atomic(a->inst->at[3].value, old, value);
	else if (old != access_source(a, value_operand - 1, lane))
		return;
	memcpy(at, &value, 4);
}

static void atomic(const struct isa_access *a, const struct bindings *b, unsigned lane)
{
	bool swap = a->inst->op == ISA_buffer_atomic_cmpswap;
	struct place p = find_place(a, b, 1, swap ? 3 : 4, lane);
	uint8_t *at = p.view ? word_at(&p, 0) : NULL;

	if (at)
		access_atomic(a, lane, swap, 6, at);
}

/* The hidden counter of append and consume buffers: counting up gives the value before, counting down the one after. */
static void counter(const struct isa_access *a, const struct bindings *b, unsigned lane)
{
	const struct view *v = b->view(b->user, a->inst->at[1].value, access_source(a, 2, lane));
	uint8_t *at = v && v->counter ? v->counter->data + v->counter_offset : NULL;
	bool up = a->inst->at[3].value;
	uint32_t old, value;

	if (!at)
		return;
	memcpy(&old, at, 4);
	value = up ? old + 1 : old - 1;
	a->result[0][lane] = up ? old : value;
	memcpy(at, &value, 4);
}

/* Elements, bytes or structures of the view. */
static void resinfo(const struct isa_access *a, const struct bindings *b, unsigned lane)
{
	const struct view *v = b->view(b->user, a->inst->at[4].value, access_source(a, 5, lane));

	if (v && v->resource)
		a->result[0][lane] = (uint32_t)(v->size / (v->format ? v->format->bits / 8u : v->stride ? v->stride : 1));
}

void buffer_access(const struct isa_access *a, const struct bindings *b)
{
	bool effect = a->inst->op != ISA_buffer_load && a->inst->op != ISA_buffer_load_u16 && a->inst->op != ISA_image_get_resinfo;
	uint64_t lanes = effect ? a->exec & a->live : a->exec;

	for (unsigned lane = 0; lane < a->lanes; lane++) {
		if (!(lanes >> lane & 1))
			continue;
		switch (a->inst->op) {
		case ISA_buffer_load: load(a, b, lane); break;
		case ISA_buffer_load_u16: load_u16(a, b, lane); break;
		case ISA_buffer_store: store(a, b, lane); break;
		case ISA_buffer_store_b16: store_b16(a, b, lane); break;
		case ISA_buffer_atomic:
		case ISA_buffer_atomic_cmpswap: atomic(a, b, lane); break;
		case ISA_buffer_counter: counter(a, b, lane); break;
		case ISA_image_get_resinfo: resinfo(a, b, lane); break;
		}
	}
}
