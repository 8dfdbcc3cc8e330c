/* Dispatches: groups one after another, x fastest; in a group its waves in order, each until it ends or comes to a
 * barrier, over and over until all have ended. So effects on memory happen in group, wave, lane order between barriers.
 *
 * A thread's lane follows from its flattened index; where the program takes derivatives and the group has even rows and
 * columns, quads of 2x2 threads take four lanes each, row by row (shader model 6.6). Group memory starts as zeros. */
#include "sim/draw.h"
#include "sim/device.h"

struct group {
	const struct isa_program *cs;
	struct isa_wave **waves;
	bool *ended;
	uint32_t wave_count, threads;
	uint32_t *lds;
};

static bool uses_quads(const struct isa_program *p)
{
	bool derivatives = p->flags & ISA_USES_DERIVATIVES;

	for (size_t i = 0; i < p->inst_count; i++) {
		switch (p->insts[i].op) {
		case ISA_image_sample: case ISA_image_sample_b: case ISA_image_sample_c: case ISA_image_sample_c_b: case ISA_image_get_lod:
			derivatives = true;
			break;
		}
	}
	return derivatives && p->threads[0] % 2 == 0 && p->threads[1] % 2 == 0;
}

/* The thread that runs as number n of its group. */
static void thread_of(const struct isa_program *p, bool quads, uint32_t n, uint32_t out[3])
{
	uint32_t x = p->threads[0], y = p->threads[1], plane = n % (x * y), quad = plane / 4;

	out[0] = quads ? quad % (x / 2) * 2 + (plane & 1) : plane % x;
	out[1] = quads ? quad / (x / 2) * 2 + (plane >> 1 & 1) : plane / x;
	out[2] = n / (x * y);
}

/* What does not change from group to group. */
static void place_threads(struct group *g)
{
	const uint32_t *t = g->cs->threads;
	bool quads = uses_quads(g->cs);

	for (uint32_t n = 0; n < g->threads; n++) {
		struct isa_wave *w = g->waves[n / g->cs->wave_size];
		unsigned lane = n % g->cs->wave_size;
		uint32_t at[3];

		thread_of(g->cs, quads, n, at);
		for (unsigned c = 0; c < 3; c++)
			w->sys[ISA_SYS_thread_in_group_x + c][lane] = at[c];
		w->sys[ISA_SYS_flat_thread_in_group][lane] = (at[2] * t[1] + at[1]) * t[0] + at[0];
	}
}

static void start_group(struct group *g, const uint32_t id[3], uint64_t budget)
{
	memset(g->lds, 0, g->cs->lds_bytes);
	for (uint32_t i = 0; i < g->wave_count; i++) {
		struct isa_wave *w = g->waves[i];
		uint32_t size = g->cs->wave_size, left = g->threads - i * size, count = left < size ? left : size;
		uint64_t exec = count == 64 ? ~0ull : (1ull << count) - 1;

		isa_wave_reset(g->cs, w, exec, exec);
		w->budget = budget;
		w->lds = g->lds;
		g->ended[i] = false;
		for (unsigned c = 0; c < 3; c++) {
			for (uint32_t lane = 0; lane < count; lane++) {
				w->sys[ISA_SYS_group_id_x + c][lane] = id[c];
				w->sys[ISA_SYS_thread_id_x + c][lane] = id[c] * g->cs->threads[c] + w->sys[ISA_SYS_thread_in_group_x + c][lane];
			}
		}
	}
}

/* False: a wave spent its budget. */
static bool run_group(struct group *g, const struct isa_env *env, struct draw_record *record)
{
	for (bool waiting = true; waiting;) {
		waiting = false;
		for (uint32_t i = 0; i < g->wave_count; i++) {
			enum isa_result result;

			if (g->ended[i])
				continue;
			result = isa_run(g->cs, g->waves[i], env);
			if (result == ISA_OUT_OF_BUDGET)
				return false;
			g->ended[i] = result == ISA_DONE;
			waiting |= result == ISA_BARRIER;
		}
	}
	for (uint32_t i = 0; i < g->wave_count; i++)
		record_take(&record->cs, g->waves[i]);
	record->counters.cs_waves += g->wave_count;
	record->counters.cs_invocations += g->threads;
	return true;
}

static struct group group_open(const struct isa_program *cs)
{
	struct group g = {.cs = cs, .threads = cs->threads[0] * cs->threads[1] * cs->threads[2]};

	g.wave_count = (g.threads + cs->wave_size - 1) / cs->wave_size;
	g.waves = mem_array(g.wave_count, sizeof(struct isa_wave *));
	g.ended = mem_array(g.wave_count, sizeof *g.ended);
	g.lds = mem_alloc(cs->lds_bytes);
	for (uint32_t i = 0; i < g.wave_count; i++)
		g.waves[i] = isa_wave_create(cs);
	place_threads(&g);
	return g;
}

static void group_close(struct group *g)
{
	for (uint32_t i = 0; i < g->wave_count; i++)
		isa_wave_destroy(g->waves[i]);
	mem_free(g->waves);
	mem_free(g->ended);
	mem_free(g->lds);
}

static bool run_groups(struct draw *d, const uint32_t count[3])
{
	struct isa_env env = {.user = &d->cs_env, .cbuffer_row = constant_row, .access = resource_access};
	struct group g = group_open(d->pipeline->cs);
	uint64_t total = (uint64_t)count[0] * count[1] * count[2];
	bool ok = true;

	for (uint64_t i = 0; i < total && ok; i++) {
		uint32_t id[3] = {(uint32_t)(i % count[0]), (uint32_t)(i / count[0] % count[1]),
			(uint32_t)(i / ((uint64_t)count[0] * count[1]))};

		start_group(&g, id, d->budget);
		ok = run_group(&g, &env, d->record);
		if (!ok)
			diag_add(d->diags, DIAG_ISA_BUDGET, d->state->where,
				"a wave of group (%u, %u, %u) issued more than %llu instructions", id[0], id[1], id[2],
				(unsigned long long)d->budget);
	}
	group_close(&g);
	return ok;
}

bool dispatch_check(const struct draw_state *state, const uint32_t count[3], struct kiln_diags *diags)
{
	enum { GROUPS_MAX = 65535 };

	if (!state->pipeline) {
		diag_add(diags, DIAG_DRAW_NO_PSO, state->where, "a dispatch with no compute PSO set");
		return false;
	}
	for (int i = 0; i < 3; i++) {
		if (count[i] > GROUPS_MAX) {
			diag_add(diags, DIAG_COMMAND_INVALID, state->where, "%u x %u x %u groups; at most %d each way", count[0], count[1],
				count[2], GROUPS_MAX);
			return false;
		}
	}
	return bindings_check(state, state->pipeline->cs, diags);
}

bool dispatch_run(const struct draw_state *state, const uint32_t count[3], const struct kiln_device_desc *desc,
	struct draw_record *record, struct kiln_diags *diags)
{
	struct draw *d = mem_alloc(sizeof *d);
	bool ok;

	d->state = state;
	d->pipeline = state->pipeline;
	d->budget = desc->budget;
	d->record = record;
	d->diags = diags;
	d->cs_env = (struct constant_env){.draw = d, .program = d->pipeline->cs, .root = d->pipeline->root, .arguments = state->root};
	record->counters.dispatches = 1;
	bindings_open(&d->cs_env);
	ok = run_groups(d, count);
	ok = bindings_report(&d->cs_env, diags) && ok;
	bindings_close(&d->cs_env);
	record->counters.instructions = record_issues(&record->cs);
	mem_free(d);
	return ok;
}
