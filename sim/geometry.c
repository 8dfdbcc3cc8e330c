/* Geometry: a draw's vertices -> shaded vertices -> triangles in submission order -> clip.c.
 * Triangles are gathered in batches of BATCH_TRIANGLES, over instances; in a batch each (index, instance) is shaded once,
 * in the order of first use, a wave at a time. */
#include "sim/draw.h"
#include <string.h>

struct batch_triangle {
	uint16_t v[3];
	uint32_t primitive_id;
};
struct batch {
	struct isa_wave *wave;
	uint32_t vertex_count, triangle_count;
	uint32_t index[BATCH_VERTICES], instance[BATCH_VERTICES];
	uint16_t slots[BATCH_SLOTS];  /* vertex + 1; 0 = free */
	struct batch_triangle triangles[BATCH_TRIANGLES];
	struct vertex *vertices;
};

/* Open addressing; a batch never fills half of the slots. */
static uint16_t batch_vertex(struct batch *b, uint32_t index, uint32_t instance)
{
	uint32_t h = index * 2654435761u + instance * 2246822519u;

	h ^= h >> 15;
	for (;; h++) {
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
static void clear_outputs(struct isa_wave *w)
{
	memset(w->out[ISA_POS0], 0, sizeof w->out[0]);
	memset(w->out[ISA_PARAM0], 0, (ISA_TARGET_COUNT - ISA_PARAM0) * sizeof w->out[0]);
}

/* Every output slot is a param export; position and distances are exported to pos targets as well. */
static uint32_t output_word(const struct isa_wave *w, unsigned slot, unsigned component, unsigned lane)
{
	return w->out[ISA_PARAM0 + slot % 32][component][lane];
}

static void read_lane(const struct draw *d, const struct isa_wave *w, unsigned lane, struct vertex *v)
{
	for (int c = 0; c < 4; c++)
		v->position[c] = bits_float(w->out[ISA_POS0][c][lane]);
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
	clear_outputs(b->wave);
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

	for (uint32_t i = 0; i < b->vertex_count; i += size) {
		if (!shade_wave(d, i, b->vertex_count - i < size ? b->vertex_count - i : size))
			return false;
	}
	for (uint32_t i = 0; i < b->triangle_count; i++) {
		const struct batch_triangle *t = &b->triangles[i];
		const struct vertex *v[3] = {&b->vertices[t->v[0]], &b->vertices[t->v[1]], &b->vertices[t->v[2]]};

		d->record->counters.primitives_in++;
		if (!d->rasterizes)
			continue;
		d->record->counters.primitives_clipper++;
		if (!clip_triangle(d, v, t->primitive_id))
			return false;
	}
	b->vertex_count = b->triangle_count = 0;
	memset(b->slots, 0, sizeof b->slots);
	return true;
}

/* Vertices in stream order; an odd triangle of a strip winds the other way, its first vertex stays the leading one. */
static bool batch_triangle(struct draw *d, const uint32_t index[3], uint32_t instance, bool odd, uint32_t primitive_id)
{
	struct batch *b = d->batch;
	struct batch_triangle *t;
	uint16_t v[3];

	if (b->triangle_count == BATCH_TRIANGLES && !batch_flush(d))
		return false;
	for (int i = 0; i < 3; i++)
		v[i] = batch_vertex(b, index[i], instance);
	t = &b->triangles[b->triangle_count++];
	*t = (struct batch_triangle){.v = {v[0], v[odd ? 2 : 1], v[odd ? 1 : 2]}, .primitive_id = primitive_id};
	return true;
}

static bool is_cut(const struct draw *d, uint32_t index)
{
	switch (d->pipeline->desc.IBStripCutValue) {
	case KILN_STRIP_CUT_0xFFFF: return index == 0xffff;
	case KILN_STRIP_CUT_0xFFFFFFFF: return index == 0xffffffff;
	default: return false;
	}
}

/* One instance: incomplete triangles at a cut or at the end are dropped and take no primitive id. */
static bool assemble(struct draw *d, uint32_t instance)
{
	bool strip = d->state->topology == KILN_TOPOLOGY_TRIANGLESTRIP, odd = false;
	uint32_t window[3], held = 0, primitive_id = 0;

	for (uint32_t k = 0; k < d->call.count; k++) {
		uint32_t index = d->call.indexed ? index_fetch(d, k) : k;

		if (d->call.indexed && is_cut(d, index)) {
			held = 0;
			odd = false;
			continue;
		}
		d->record->counters.vertices++;
		window[held++] = index;
		if (held < 3)
			continue;
		if (!batch_triangle(d, window, instance, odd, primitive_id++))
			return false;
		held = 0;
		if (strip) {
			window[0] = window[1];
			window[1] = window[2];
			held = 2;
			odd = !odd;
		}
	}
	return true;
}

bool geometry_run(struct draw *d)
{
	struct batch *b = mem_alloc(sizeof *b);
	uint64_t vertices = (uint64_t)d->call.count * d->call.instances;
	bool ok = true;

	d->batch = b;
	b->wave = isa_wave_create(d->pipeline->vs);
	b->vertices = mem_array(vertices < BATCH_VERTICES ? vertices : BATCH_VERTICES, sizeof *b->vertices);
	for (uint32_t i = 0; i < d->call.instances && vertices && ok; i++)
		ok = assemble(d, i);
	ok = ok && batch_flush(d);
	isa_wave_destroy(b->wave);
	mem_free(b->vertices);
	mem_free(b);
	d->batch = NULL;
	return ok;
}
