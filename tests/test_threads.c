/* Bins and threads: what a target holds is the count of triangles over each pixel, by the scan-line form of the top-left rule,
 * and neither bytes nor counters change with the number of threads. */
#include "sim/device.h"
#include "tests/draw_rig.h"

enum { SIDE = 320, TRIANGLES = 6000 };
static const uint32_t thread_counts[] = {1, 2, 8};

static uint32_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

/* Corners in 1/256 pixel: mostly small, some as large as the target, some slivers, some far outside. */
static void random_corners(uint64_t *s, int n, int32_t x[3], int32_t y[3])
{
	const int32_t side = SIDE * 256, reach = n % 50 == 0 ? side : n % 7 == 0 ? 30000 : 1500;
	int32_t cx = (int32_t)(next(s) % (uint32_t)side), cy = (int32_t)(next(s) % (uint32_t)side);

	for (int i = 0; i < 3; i++) {
		x[i] = cx + (int32_t)(next(s) % (uint32_t)(2 * reach)) - reach;
		y[i] = n % 11 == 0 ? cy + i : cy + (int32_t)(next(s) % (uint32_t)(2 * reach)) - reach;
	}
}

static bool oracle_inside(const int32_t x[3], const int32_t y[3], int64_t px, int64_t py)
{
	int crossings = 0;

	for (int i = 0; i < 3; i++) {
		int a = i, b = (i + 1) % 3;

		if (y[a] > y[b])
			a = (i + 1) % 3, b = i;
		if (y[a] <= py && py < y[b] && (py - y[a]) * ((int64_t)x[b] - x[a]) <= (px - x[a]) * ((int64_t)y[b] - y[a]))
			crossings++;
	}
	return crossings & 1;
}

static void count_pixels(const int32_t x[3], const int32_t y[3], uint32_t *expected)
{
	for (int py = 0; py < SIDE; py++) {
		int32_t cy = py * 256 + 128;

		if ((cy < y[0] && cy < y[1] && cy < y[2]) || (cy > y[0] && cy > y[1] && cy > y[2]))
			continue;
		for (int px = 0; px < SIDE; px++)
			expected[py * SIDE + px] += oracle_inside(x, y, px * 256 + 128, cy);
	}
}

struct outcome {
	bool ok;
	float *color;
	struct kiln_counters counters;
	size_t diagnostics;
};

/* Writes COLOR; where its third component is above 1/2 after many more instructions. */
static struct isa_program *ps_slow_where_blue(void)
{
	struct isa_program *p = ps_begin(ISA_F32, ISA_INTERP_LINEAR);

	p->labels = 1;
	load(p, 1, 4, 0);
	EMIT(p, block, IMM(0));
	EMIT(p, cmp_le_f32, V(4), V(2), LIT(0x3f000000));
	EMIT(p, br_if, IMM(0), V(4));
	for (int i = 0; i < 30; i++)
		EMIT(p, add_f32, V(5), V(0), V(1));
	EMIT(p, end, IMM(0));
	ps_export(p, ISA_F32, 15, 0);
	return p;
}

/* All corners have x exactly: 320 is five times a power of two, so window coordinates are set by a viewport of 512. */
static struct outcome draw_all(uint32_t threads, float (*v)[8], unsigned count, uint64_t budget, bool depth,
	struct isa_program *ps)
{
	struct outcome out = {.color = mem_array(SIDE * SIDE * 4, sizeof(float))};
	struct rig r;

	rig_open_sized(&r, KILN_FORMAT_R32G32B32A32_FLOAT, SIDE);
	r.device->desc.threads = threads;
	r.device->desc.budget = budget;
	kiln_cmd_viewport(r.list, &(struct kiln_viewport){0, 0, 512, 512, 0, 1});
	r.state.RasterizerState.CullMode = KILN_CULL_NONE;
	r.state.RasterizerState.DepthClipEnable = false;
	r.state.DepthStencilState.DepthEnable = depth;
	r.state.BlendState.RenderTarget[0].BlendEnable = !depth;
	r.state.BlendState.RenderTarget[0].DestBlend = KILN_BLEND_ONE;
	pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps);
	draw(&r, (const float(*)[8])v, count);
	out.ok = kiln_execute(r.device, r.list, &out.counters, r.diags);
	out.diagnostics = kiln_diags_errors(r.diags);
	memcpy(out.color, kiln_resource_data(r.color, NULL, NULL), SIDE * SIDE * 4 * sizeof(float));
	rig_close(&r);
	return out;
}

/* first: what one thread gave. */
static void expect_same(const struct outcome *first, const struct outcome *now, uint32_t threads)
{
	cr_expect_eq(memcmp(first->color, now->color, SIDE * SIDE * 4 * sizeof(float)), 0, "bytes of %u threads", threads);
	cr_expect_eq(memcmp(&first->counters, &now->counters, sizeof now->counters), 0, "counters of %u threads", threads);
	cr_expect_eq(first->ok, now->ok);
	cr_expect_eq(first->diagnostics, now->diagnostics);
}

Test(threads, pixels_are_the_definition_whoever_draws_them)
{
	float(*v)[8] = mem_array(TRIANGLES * 3, sizeof *v);
	uint32_t *expected = mem_array(SIDE * SIDE, sizeof *expected);
	struct outcome first[2];
	uint64_t s = 3, covered = 0;

	for (int n = 0; n < TRIANGLES; n++) {
		int32_t x[3], y[3];

		random_corners(&s, n, x, y);
		count_pixels(x, y, expected);
		for (int i = 0; i < 3; i++) {
			const float row[8] = {(float)x[i] / 65536 - 1, 1 - (float)y[i] / 65536, (float)(n % 97) / 128, 1, 1, (float)(n % 5), 0, 1};

			memcpy(v[3 * n + i], row, sizeof row);
		}
	}
	for (size_t t = 0; t < ARRAY_COUNT(thread_counts); t++) {
		struct outcome blended = draw_all(thread_counts[t], v, TRIANGLES * 3, 1 << 20, false, ps_color(ISA_F32, ISA_INTERP_LINEAR));
		struct outcome tested = draw_all(thread_counts[t], v, TRIANGLES * 3, 1 << 20, true, ps_color(ISA_F32, ISA_INTERP_LINEAR));

		cr_assert(blended.ok && tested.ok);
		for (int i = 0; t == 0 && i < SIDE * SIDE; i++) {
			cr_assert_eq((uint32_t)blended.color[4 * i], expected[i], "pixel %d, %d: %g triangles, expected %u", i % SIDE, i / SIDE,
				(double)blended.color[4 * i], expected[i]);
			covered += expected[i];
		}
		if (t == 0) {
			first[0] = blended, first[1] = tested;
			cr_expect_eq(blended.counters.ps_invocations, covered);
			continue;
		}
		expect_same(&first[0], &blended, thread_counts[t]);
		expect_same(&first[1], &tested, thread_counts[t]);
		mem_free(blended.color);
		mem_free(tested.color);
	}
	cr_expect_gt(covered, 1000000);
	mem_free(first[0].color);
	mem_free(first[1].color);
	mem_free(expected);
	mem_free(v);
}

/* Where nobody counts, what later primitives of a draw cover need not be drawn; the bytes are those of when somebody does. */
Test(threads, covered_layers)
{
	enum { LAYERS = 40 };
	static float v[3 * LAYERS][8];
	struct kiln_counters counters;
	uint64_t s = 9;

	for (int n = 0; n < LAYERS; n++) {
		for (int i = 0; i < 3; i++) {
			const float full[3][2] = {{-1, 3}, {3, -1}, {-1, -1}};
			bool covers = n % 8 == 3;
			const float row[8] = {covers ? full[i][0] : (float)(next(&s) % 512) / 256 - 1,
				covers ? full[i][1] : (float)(next(&s) % 512) / 256 - 1, 0, 1, (float)n, (float)(i + n), 1, 1};

			memcpy(v[3 * n + i], row, sizeof row);
		}
	}
	for (int blend = 0; blend < 2; blend++) {
		struct rig r;
		float *counted = mem_array(SIDE * SIDE * 4, sizeof *counted);

		rig_open_sized(&r, KILN_FORMAT_R32G32B32A32_FLOAT, SIDE);
		r.state.RasterizerState.CullMode = KILN_CULL_NONE;
		r.state.BlendState.RenderTarget[0].BlendEnable = blend;
		r.state.BlendState.RenderTarget[0].DestBlend = KILN_BLEND_ONE;
		kiln_cmd_render_targets(r.list, 1, &r.color, NULL);
		kiln_cmd_clear_color(r.list, r.color, (const float[4]){0, 0, 0, 0});
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_color(ISA_F32, ISA_INTERP_LINEAR));
		draw(&r, (const float(*)[8])v, 3 * LAYERS);
		cr_assert(kiln_execute(r.device, r.list, &counters, r.diags));
		memcpy(counted, kiln_resource_data(r.color, NULL, NULL), SIDE * SIDE * 4 * sizeof *counted);
		cr_expect_gt(counters.ps_invocations, 5u * SIDE * SIDE);
		cr_assert(kiln_execute(r.device, r.list, NULL, r.diags));
		cr_expect_eq(memcmp(counted, kiln_resource_data(r.color, NULL, NULL), SIDE * SIDE * 4 * sizeof *counted), 0, "blend %d", blend);
		mem_free(counted);
		rig_close(&r);
	}
}

/* A wave that runs out of budget ends the draw. It does so in the fifth column of tiles, where blue passes 1/2: the tiles before
 * are drawn, those after as far as the architecture says, whoever draws them; and it is said once. */
Test(threads, out_of_budget)
{
	static float v[3][8] = {{-1, 1, 0, 1, 1, 1, 0, 1}, {3, 1, 0, 1, 1, 1, 2, 1}, {-1, -3, 0, 1, 1, 1, 0, 1}};
	struct outcome first = {0};

	for (size_t t = 0; t < ARRAY_COUNT(thread_counts); t++) {
		struct outcome now = draw_all(thread_counts[t], v, 3, 25, false, ps_slow_where_blue());

		if (t == 0)
			first = now;
		expect_same(&first, &now, thread_counts[t]);
		cr_expect(!now.ok && now.diagnostics == 1, "%zu diagnostics", now.diagnostics);
		for (int x = 0; x < SIDE; x += 64)
			cr_expect_eq(now.color[4 * x], x < 256 ? 1 : 0, "pixel %d", x);
		if (t)
			mem_free(now.color);
	}
	mem_free(first.color);
}
