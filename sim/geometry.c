/* Geometry: a draw's vertices -> shaded vertices -> primitives in submission order -> clip.c.
 * Primitives are gathered in batches of BATCH_PRIMITIVES, over instances; in a batch each (index, instance) is shaded once,
 * in the order of first use, a wave at a time. */
#include "sim/draw.h"
#include <string.h>

struct batch_primitive {
	uint16_t v[3];
	uint8_t count;
	uint32_t primitive_id;
};
struct batch {
	struct isa_wave *wave;
	uint32_t vertex_count, primitive_count;
	uint32_t index[BATCH_VERTICES], instance[BATCH_VERTICES];
	uint16_t slots[BATCH_SLOTS];  /* vertex + 1; 0 = free */
	struct batch_primitive primitives[BATCH_PRIMITIVES];
	struct vertex *vertices;      /* of this batch */
	struct vertex *held;          /* of all batches since the bins were emptied, this one the last */
	size_t held_max, held_cap;    /* that this draw may have; that there is room for */
	const struct pipeline *pipeline; /* that wave is of */
};

enum { HELD_VERTICES = 4 * BATCH_VERTICES };

bool geometry_owns(const struct draw *d, const struct vertex *v)
{
	return v >= d->batch->held && v < d->batch->held + d->batch->held_max;
}

static uint32_t hash(uint32_t index, uint32_t instance)
{
	uint32_t h = index * 2654435761u + instance * 2246822519u;

	return h ^ h >> 15;
}

/* Few vertices are taken out one by one: each has its slot at its hash or behind it, and all between are taken as well. */
static void forget_slots(struct batch *b)
{
	if (b->vertex_count > BATCH_SLOTS / 32) {
		memset(b->slots, 0, sizeof b->slots);
		return;
	}
	for (uint32_t i = 0; i < b->vertex_count; i++) {
		for (uint32_t h = hash(b->index[i], b->instance[i]); b->slots[h % BATCH_SLOTS]; h++)
			b->slots[h % BATCH_SLOTS] = 0;
	}
}

/* Open addressing; a batch never fills more than three quarters of the slots. */
static uint16_t batch_vertex(struct batch *b, uint32_t index, uint32_t instance)
{
	for (uint32_t h = hash(index, instance);; h++) {
		uint16_t *slot = &b->slots[h % BATCH_SLOTS];

		if (!*slot) {
			b->index[b->vertex_count] = index;
			b->instance[b->vertex_count] = instance;
			*slot = (uint16_t)++b->vertex_count;
		}
		if (b->index[*slot - 1] == index && b->instance[*slot - 1] == instance)
			return (uint16_t)(*slot - 1);
	}
}

/* Outputs that a program declares and does not write read 0. */
static void clear_outputs(const struct isa_program *vs, struct isa_wave *w)
{
	size_t count = vs->output_count < 32 ? vs->output_count : 32;

	memset(w->out[ISA_POS0], 0, sizeof w->out[0]);
	memset(w->out[ISA_PARAM0], 0, count * sizeof w->out[0]);
}

/* Every output slot is a param export; position and distances are exported to pos targets as well. */
static uint32_t output_word(const struct isa_wave *w, unsigned slot, unsigned component, unsigned lane)
{
	return w->out[ISA_PARAM0 + slot % 32][component][lane];
}

static uint32_t array_index(const struct isa_wave *w, uint8_t slot, unsigned lane)
{
	return slot < 32 ? output_word(w, slot, 0, lane) : 0;
}

static void read_lane(const struct draw *d, const struct isa_wave *w, unsigned lane, struct vertex *v)
{
	for (int c = 0; c < 4; c++)
		v->position[c] = bits_float(w->out[ISA_POS0][c][lane]);
	v->viewport = array_index(w, d->viewport_slot, lane);
	v->slice = array_index(w, d->slice_slot, lane);
	for (uint32_t i = 0; i < d->clip_count; i++)
		v->clip[i] = bits_float(output_word(w, d->clip_from[i].slot, d->clip_from[i].component, lane));
	for (uint32_t i = 0; i < d->cull_count; i++)
		v->cull[i] = bits_float(output_word(w, d->cull_from[i].slot, d->cull_from[i].component, lane));
	for (uint32_t i = 0; i < d->attr_count; i++) {
		for (unsigned c = 0; c < 4; c++)
			v->attr[i][c] = output_word(w, d->attr_slot[i], c, lane);
	}
}

static bool shade_wave(struct draw *d, uint32_t first, uint32_t count)
{
	struct batch *b = d->batch;
	const struct isa_program *vs = d->pipeline->vs;
	struct isa_env env = {.user = &d->vs_env, .cbuffer_row = constant_row, .access = resource_access};
	uint64_t exec = count == 64 ? ~0ull : (1ull << count) - 1;
	enum isa_result result;

	isa_wave_reset(vs, b->wave, exec, exec);
	b->wave->budget = d->budget;
	clear_outputs(vs, b->wave);
	for (uint32_t i = 0; i < count; i++) {
		vertex_fetch_lane(d->fetch, b->wave, i, b->index[first + i], b->instance[first + i]);
		b->wave->sys[ISA_SYS_start_vertex][i] = d->call.indexed ? (uint32_t)d->call.base_vertex : d->call.first;
		b->wave->sys[ISA_SYS_start_instance][i] = d->call.first_instance;
	}
	result = isa_run(vs, b->wave, &env);
	d->record->counters.vs_waves++;
	d->record->counters.vs_invocations += count;
	record_take(&d->record->vs, b->wave);
	if (result == ISA_OUT_OF_BUDGET) {
		diag_add(d->diags, DIAG_ISA_BUDGET, d->state->where, "a vertex wave issued more than %llu instructions",
			(unsigned long long)d->budget);
		return false;
	}
	for (uint32_t i = 0; i < count; i++)
		read_lane(d, b->wave, i, &b->vertices[first + i]);
	return true;
}

static bool batch_flush(struct draw *d)
{
	struct batch *b = d->batch;
	uint32_t size = d->pipeline->vs->wave_size;

	if ((size_t)(b->vertices - b->held) + b->vertex_count > b->held_max) {
		if (!bins_flush(d))
			return false;
		b->vertices = b->held;
	}
	for (uint32_t i = 0; i < b->vertex_count; i += size) {
		if (!shade_wave(d, i, b->vertex_count - i < size ? b->vertex_count - i : size))
			return false;
	}
	for (uint32_t i = 0; i < b->primitive_count; i++) {
		const struct batch_primitive *p = &b->primitives[i];
		const struct vertex *v[3] = {&b->vertices[p->v[0]], &b->vertices[p->v[1]], &b->vertices[p->v[2]]};

		d->record->counters.primitives_in++;
		if (!d->rasterizes)
			continue;
		d->record->counters.primitives_clipper++;
		if (!clip_primitive(d, v, p->count, p->primitive_id))
			return false;
	}
	if (d->bins)
		b->vertices += b->vertex_count;
	forget_slots(b);
	b->vertex_count = b->primitive_count = 0;
	return true;
}

static uint32_t vertex_index(const struct draw *d, uint32_t k)
{
	return d->call.indexed ? index_fetch(d, k) : k;
}

static bool batch_primitive(struct draw *d, uint32_t first, const struct assembled *a, uint32_t instance,
	uint32_t primitive_id)
{
	struct batch *b = d->batch;
	struct batch_primitive *p;
	uint16_t v[PRIMITIVE_VERTICES_MAX];

	if (b->primitive_count == BATCH_PRIMITIVES && !batch_flush(d))
		return false;
	for (int i = 0; i < a->count; i++)
		v[i] = batch_vertex(b, vertex_index(d, first + a->at[i]), instance);
	p = &b->primitives[b->primitive_count++];
	*p = (struct batch_primitive){.count = a->real_count, .primitive_id = primitive_id};
	for (int i = 0; i < a->real_count; i++)
		p->v[i] = v[a->real[i]];
	return true;
}

static bool is_cut(const struct draw *d, uint32_t index)
{
	if (!d->call.indexed)
		return false;
	switch (d->pipeline->desc.IBStripCutValue) {
	case KILN_STRIP_CUT_0xFFFF: return index == 0xffff;
	case KILN_STRIP_CUT_0xFFFFFFFF: return index == 0xffffffff;
	default: return false;
	}
}

/* One instance: incomplete primitives at a cut or at the end are dropped and take no primitive id. */
static bool assemble(struct draw *d, uint32_t instance)
{
	uint32_t primitive_id = 0;

	for (uint32_t first = 0, end; first < d->call.count; first = end + 1) {
		uint32_t n;

		for (end = first; end < d->call.count && !is_cut(d, vertex_index(d, end)); end++)
			d->record->counters.vertices++;
		n = assembly_count(d->state->topology, end - first);
		for (uint32_t i = 0; i < n; i++) {
			struct assembled a;

			assembly_get(d->state->topology, i, n, &a);
			if (!batch_primitive(d, first, &a, instance, primitive_id++))
				return false;
		}
	}
	return true;
}

/* Room for the draw's vertices; what an earlier draw left is used again. */
static void batch_prepare(struct batch *b, const struct draw *d, uint64_t vertices)
{
	b->held_max = vertices < HELD_VERTICES ? vertices : HELD_VERTICES;
	if (b->held_max > b->held_cap || !b->held) {
		mem_free(b->held);
		b->held = mem_array(b->held_max, sizeof *b->held);
		b->held_cap = b->held_max;
	}
	b->vertices = b->held;
	if (b->pipeline != d->pipeline) {
		isa_wave_destroy(b->wave);
		b->wave = isa_wave_create(d->pipeline->vs);
		b->pipeline = d->pipeline;
	}
	if (b->vertex_count) { /* a draw that was stopped left them */
		b->vertex_count = b->primitive_count = 0;
		memset(b->slots, 0, sizeof b->slots);
	}
}

struct batch *batch_create(void) { return mem_alloc(sizeof(struct batch)); }

void batch_destroy(struct batch *b)
{
	isa_wave_destroy(b->wave);
	mem_free(b->held);
	mem_free(b);
}

bool geometry_run(struct draw *d)
{
	uint64_t vertices = (uint64_t)d->call.count * d->call.instances;
	bool ok = true;

	batch_prepare(d->batch, d, vertices);
	for (uint32_t i = 0; i < d->call.instances && vertices && ok; i++)
		ok = assemble(d, i);
	return ok && batch_flush(d) && bins_flush(d);
}
