/* Compute shaders of the corpus, run as dispatches on waves of 32 and 64: memory afterwards against C written from their
 * HLSL, and what goes wrong: endless loops, groups that are too many, missing bindings. */
#include "sim/sim.h"
#include "tests/corpus.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

enum { BUFFERS_MAX = 4, WORDS_MAX = 4096 };
struct bench {
	struct kiln_device *device;
	struct kiln_diags *diags;
	struct kiln_shader *shader;
	struct kiln_pso *pso;
	struct kiln_commands *list;
	struct kiln_descriptor_heap *heap;
	struct kiln_resource *buffers[BUFFERS_MAX];
	struct kiln_counters counters;
	uint32_t parameter;                 /* next one of the default root signature */
};

static void complain(const struct bench *b, const char *what)
{
	for (size_t i = 0; i < kiln_diags_count(b->diags); i++)
		fprintf(stderr, "%u %s\n", kiln_diags_get(b->diags, i)->number, kiln_diags_get(b->diags, i)->text);
	cr_assert_fail("%s", what);
}

static void begin(struct bench *b, const char *name, unsigned wave)
{
	size_t size;
	uint8_t *data = corpus_container(name, &size);
	*b = (struct bench){.diags = kiln_diags_create()};
	b->device = kiln_device_create(&(struct kiln_device_desc){.wave_size = wave, .in_process = true, .budget = 1 << 16});
	b->shader = kiln_shader_create(b->device, name, data, size, b->diags);
	if (!b->shader)
		complain(b, name);
	b->pso = kiln_compute_pso_create(b->device, &(struct kiln_compute_pso_desc){.name = name, .CS = b->shader}, b->diags);
	if (!b->pso)
		complain(b, name);
	b->list = kiln_commands_create(b->device);
	b->heap = kiln_descriptor_heap_create(b->device, KILN_HEAP_CBV_SRV_UAV, BUFFERS_MAX, b->diags);
	kiln_cmd_pso(b->list, b->pso);
	kiln_cmd_root_bind_point(b->list, true);
	mem_free(data);
}

static void finish(struct bench *b)
{
	kiln_commands_destroy(b->list);
	kiln_descriptor_heap_destroy(b->heap);
	for (size_t i = 0; i < BUFFERS_MAX; i++)
		kiln_resource_destroy(b->buffers[i]);
	kiln_pso_destroy(b->pso);
	kiln_shader_destroy(b->shader);
	kiln_device_destroy(b->device);
	kiln_diags_destroy(b->diags);
}

static void constants(struct bench *b, const void *data, size_t size)
{
	uint8_t bytes[256] = {0};
	memcpy(bytes, data, size);
	b->buffers[b->parameter] = kiln_buffer_create(b->device, "constants", sizeof bytes, bytes);
	kiln_cmd_root_cbv(b->list, b->parameter, b->buffers[b->parameter], 0);
	b->parameter++;
}

/* The next table of the default root signature. */
static void bind(struct bench *b, bool uav, const void *data, size_t words, struct kiln_view_desc desc)
{
	uint32_t i = b->parameter++;
	b->buffers[i] = kiln_buffer_create(b->device, "buffer", 4 * words, data);
	bool ok = uav ? kiln_descriptor_uav(b->heap, i, b->buffers[i], &desc, NULL, 0, b->diags)
		: kiln_descriptor_srv(b->heap, i, b->buffers[i], &desc, b->diags);
	if (!ok)
		complain(b, "descriptor");
	kiln_cmd_root_table(b->list, i, b->heap, i);
}

static const struct kiln_view_desc raw;
static struct kiln_view_desc structured(uint32_t stride) { return (struct kiln_view_desc){.StructureByteStride = stride}; }

static const uint32_t *run(struct bench *b, uint32_t x, uint32_t y, unsigned buffer)
{
	kiln_cmd_dispatch(b->list, x, y, 1);
	if (!kiln_execute(b->device, b->list, &b->counters, b->diags))
		complain(b, "kiln_execute");
	return kiln_resource_data(b->buffers[buffer], NULL, NULL);
}

/* ---- the shaders, from their HLSL ---- */

/* Each group of 64 words becomes its running sums. */
static void barrier_loop(unsigned wave)
{
	struct bench b;
	uint32_t in[128], sum = 0;
	begin(&b, "cf_barrier_loop", wave);
	for (uint32_t i = 0; i < 128; i++)
		in[i] = i * i + 3;
	bind(&b, true, in, 128, raw);
	const uint32_t *out = run(&b, 2, 1, 0);
	for (uint32_t i = 0; i < 128; i++) {
		sum = (i % 64 ? sum : 0) + in[i];
		cr_expect_eq(out[i], sum, "wave %u, word %u", wave, i);
	}
	cr_expect(b.counters.dispatches == 1 && b.counters.cs_invocations == 128 && b.counters.cs_waves == 128 / wave);
	finish(&b);
}

/* A lock taken by one lane at a time: all 32 lanes of both groups are in the list, each once. */
static void compare_exchange_spin(unsigned wave)
{
	struct bench b;
	uint32_t in[128] = {0};
	uint64_t seen = 0;
	begin(&b, "cf_compare_exchange_spin", wave);
	bind(&b, true, in, 128, raw);
	const uint32_t *out = run(&b, 2, 1, 0);
	cr_expect(out[0] == 0 && out[1] == 64, "wave %u: lock %u, count %u", wave, out[0], out[1]);
	for (uint32_t i = 0; i < 64; i++)
		seen |= 1ull << (out[2 + i] & 63);
	cr_expect_eq(seen, ~0ull, "wave %u", wave);
	finish(&b);
}

/* Sums of 128 floats, as the tree adds them; small integers, so that every order is exact. */
static void reduce(unsigned wave)
{
	struct bench b;
	float in[384], want[3] = {0};
	uint32_t zeros[3] = {0};
	begin(&b, "cs_reduce", wave);
	for (uint32_t i = 0; i < 384; i++)
		want[i / 128] += in[i] = (float)(i % 100) - 7;
	bind(&b, false, in, 384, structured(4));
	bind(&b, true, zeros, 3, structured(4));
	const uint32_t *out = run(&b, 3, 1, 1);
	for (uint32_t i = 0; i < 3; i++)
		cr_expect_eq(out[i], float_bits(want[i]), "wave %u, group %u", wave, i);
	finish(&b);
}

struct particle { float pos[3], age, vel[3]; uint32_t seed; };
static void step(struct particle *p, float dt, const float attractor[2])
{
	float d[2] = {attractor[0] - p->pos[0], attractor[1] - p->pos[1]};
	float dot = d[0] * d[0] + d[1] * d[1], scale = dt / (dot > 0.01f ? dot : 0.01f);
	for (int c = 0; c < 2; c++)
		p->vel[c] += d[c] * scale;
	for (int c = 0; c < 3; c++) {
		p->vel[c] *= 0.999f;
		p->pos[c] += p->vel[c] * dt;
	}
	p->age += dt;
	if (p->age <= 4)
		return;
	p->seed = p->seed * 1664525u + 1013904223u;
	*p = (struct particle){{(float)(p->seed >> 9) / 8388608.0f - 0.5f, 0, 0}, 0, {0}, p->seed};
}

static void particles(unsigned wave)
{
	struct bench b;
	struct particle in[70], want[70];
	struct { float dt; uint32_t count; float attractor[2]; } c = {0.25f, 69, {0.5f, -0.25f}};
	begin(&b, "cs_particles", wave);
	for (uint32_t i = 0; i < 70; i++) {
		in[i] = (struct particle){{(float)i / 32, 1 - (float)i / 16, 2}, (float)i / 17, {(float)i, -1, 0.125f}, i * 77};
		want[i] = in[i];
		if (i < 69)
			step(&want[i], c.dt, c.attractor);
	}
	constants(&b, &c, sizeof c);
	bind(&b, true, in, sizeof in / 4, structured(32));
	const uint32_t *out = run(&b, 2, 1, 1);
	for (uint32_t i = 0; i < 70; i++) {
		struct particle got;
		memcpy(&got, out + 8 * i, sizeof got);
		for (int k = 0; k < 3; k++)
			cr_expect(fabsf(got.pos[k] - want[i].pos[k]) < 1e-5f && fabsf(got.vel[k] - want[i].vel[k]) < 1e-4f,
				"wave %u, particle %u", wave, i);
		cr_expect(got.age == want[i].age && got.seed == want[i].seed, "wave %u, particle %u", wave, i);
	}
	finish(&b);
}

/* One sphere of radius 1 at (0, 0, 5) from the origin: the middle ray hits at z = 4; the corner ray of -1, -1, 1 misses. */
static void early_out(unsigned wave)
{
	struct bench b;
	float spheres[8] = {0, 0, 5, 1, 100, 0, 0, 1};
	struct { uint32_t count; float eye[3]; } c = {2, {0, 0, 0}};
	uint32_t *room = mem_array(64 * 64 * 4, 4);
	begin(&b, "cf_early_out_function", wave);
	constants(&b, &c, sizeof c);
	bind(&b, false, spheres, 8, structured(16));
	bind(&b, true, room, 64 * 64 * 4, structured(16));
	const uint32_t *out = run(&b, 8, 8, 2);
	const uint32_t *middle = out + 4 * (32 * 64 + 32), *corner = out;
	cr_expect(middle[0] == 0 && fabsf(bits_float(middle[2]) - 4) < 1e-5f && middle[3] == 0, "wave %u: %g %g", wave,
		(double)bits_float(middle[2]), (double)bits_float(middle[3]));
	cr_expect(corner[2] == 0 && corner[3] == float_bits(-1));
	mem_free(room);
	finish(&b);
}

/* Lanes leave the loop on trip id & 15; those who stay count each other, those who leave theirs. Behind it all are there. */
static void wave_in_breaking_loop(unsigned wave)
{
	struct bench b;
	uint32_t zeros[128] = {0};
	begin(&b, "cf_wave_in_breaking_loop", wave);
	bind(&b, true, zeros, 128, structured(8));
	const uint32_t *out = run(&b, 1, 1, 0);
	for (uint32_t id = 0; id < 64; id++) {
		uint32_t each = wave / 16, trips = id & 15, sum = 1000 * each;
		for (uint32_t i = 0; i < trips; i++)
			sum += each * (15 - i);
		cr_expect(out[2 * id] == sum && out[2 * id + 1] == trips, "wave %u, thread %u: %u, not %u", wave, id, out[2 * id], sum);
	}
	finish(&b);
}

/* 64-bit integers and doubles as C has them. */
static void wide(unsigned wave)
{
	struct bench b;
	uint64_t u[32];
	double d[32];
	begin(&b, "cs_int64_double", wave);
	for (uint32_t i = 0; i < 32; i++) {
		u[i] = (uint64_t)i * 0x123456789ABCDEFu ^ 0xF0F0u << i % 16;
		d[i] = (double)i * 0.37 - 1.5;
	}
	bind(&b, true, u, 64, structured(8));
	bind(&b, true, d, 64, structured(8));
	run(&b, 1, 1, 0);
	const uint32_t *words = kiln_resource_data(b.buffers[0], NULL, NULL), *reals = kiln_resource_data(b.buffers[1], NULL, NULL);
	for (uint32_t i = 0; i < 32; i++) {
		uint64_t x = u[i], want = (x * 0x9E3779B97F4A7C15ull) ^ ((x >> 29) + (x << 3)), got;
		double y = d[i], real = y * y + 1.0 / (y + 2.0), is;
		memcpy(&got, words + 2 * i, 8);
		memcpy(&is, reals + 2 * i, 8);
		cr_expect(got == want && is == real, "wave %u, thread %u: %llx, not %llx; %a, not %a", wave, i, (unsigned long long)got,
			(unsigned long long)want, is, real);
	}
	finish(&b);
}

static void wave_operations(unsigned wave)
{
	struct bench b;
	uint32_t zeros[256] = {0};
	begin(&b, "cs_wave", wave);
	bind(&b, true, zeros, 256, structured(16));
	const uint32_t *out = run(&b, 1, 1, 0);
	for (uint32_t id = 0; id < 64; id++) {
		uint32_t lane = id % wave, first = id - lane, most = 0, before = 0;
		for (uint32_t k = 0; k < wave; k++) {
			uint32_t v = (first + k) * 7 % 13;
			most = v > most ? v : most;
			before += k < lane && v > 5;
		}
		uint32_t want[4] = {lane, most, before, (first + (lane + 1) % wave) * 7 % 13};
		cr_expect_arr_eq(out + 4 * id, want, sizeof want, "wave %u, thread %u", wave, id);
	}
	finish(&b);
}

Test(compute, corpus)
{
	for (unsigned wave = 32; wave <= 64; wave += 32) {
		barrier_loop(wave);
		compare_exchange_spin(wave);
		reduce(wave);
		particles(wave);
		early_out(wave);
		wave_operations(wave);
		wave_in_breaking_loop(wave);
		wide(wave);
	}
}

/* ---- indirect, and what goes wrong ---- */

Test(compute, indirect)
{
	struct bench b;
	uint32_t in[64], arguments[4] = {9, 1, 1, 1};
	begin(&b, "cf_barrier_loop", 64);
	for (uint32_t i = 0; i < 64; i++)
		in[i] = 1;
	bind(&b, true, in, 64, raw);
	b.buffers[3] = kiln_buffer_create(b.device, "arguments", sizeof arguments, arguments);
	kiln_cmd_indirect(b.list, KILN_INDIRECT_DISPATCH, b.buffers[3], 4, 1, 0);
	cr_assert(kiln_execute(b.device, b.list, &b.counters, b.diags));
	const uint32_t *out = kiln_resource_data(b.buffers[0], NULL, NULL);
	cr_expect(out[63] == 64 && b.counters.cs_invocations == 64);
	kiln_cmd_indirect(b.list, KILN_INDIRECT_DISPATCH, b.buffers[3], 8, 1, 0);
	cr_expect(!kiln_execute(b.device, b.list, &b.counters, b.diags) && kiln_diags_has(b.diags, DIAG_COMMAND_INVALID));
	finish(&b);
}

/* The lock is never free: every lane spins until the budget is spent, however long that takes in seconds. */
Test(compute, a_spinning_shader_ends)
{
	struct bench b;
	uint32_t in[128] = {1};
	begin(&b, "cf_compare_exchange_spin", 64);
	bind(&b, true, in, 128, raw);
	kiln_cmd_dispatch(b.list, 1, 1, 1);
	cr_expect(!kiln_execute(b.device, b.list, &b.counters, b.diags));
	cr_expect_eq(kiln_diags_get(b.diags, 0)->number, DIAG_ISA_BUDGET);
	finish(&b);
}

Test(compute, refused)
{
	struct bench b;
	uint32_t in[64] = {0};
	begin(&b, "cf_barrier_loop", 64);
	kiln_cmd_dispatch(b.list, 1, 1, 1);
	bool ran = kiln_execute(b.device, b.list, NULL, b.diags);
	cr_expect(!ran && kiln_diags_has(b.diags, DIAG_COMMAND_LIST_DESCRIPTOR_TABLE_NOT_SET), "%d %u", ran,
		kiln_diags_count(b.diags) ? kiln_diags_get(b.diags, 0)->number : 0);
	finish(&b);
	begin(&b, "cf_barrier_loop", 64);
	bind(&b, true, in, 64, raw);
	kiln_cmd_dispatch(b.list, 65536, 1, 1);
	cr_expect(!kiln_execute(b.device, b.list, NULL, b.diags) && kiln_diags_has(b.diags, DIAG_COMMAND_INVALID));
	kiln_cmd_pso(b.list, NULL);
	finish(&b);
	begin(&b, "cf_barrier_loop", 64);
	struct kiln_commands *empty = kiln_commands_create(b.device);
	kiln_cmd_dispatch(empty, 1, 1, 1);
	cr_expect(!kiln_execute(b.device, empty, NULL, b.diags) && kiln_diags_has(b.diags, DIAG_DRAW_NO_PSO));
	kiln_commands_destroy(empty);
	cr_expect_null(kiln_compute_pso_create(b.device, &(struct kiln_compute_pso_desc){.name = "none"}, b.diags));
	cr_expect(kiln_diags_has(b.diags, DIAG_CREATECOMPUTEPIPELINESTATE_INVALID_SHADER));
	finish(&b);
}
