/* UAVs in pixel shaders: what has effects and what has none (early depth, discard, helper lanes), in which order they come,
 * and rasteriser-ordered views. Shaders of tests/pixel_uav and of the corpus; numbers by hand from the HLSL beside them. */
#include "tests/draw_rig.h"
#include "tests/corpus.h"
#include "pso/pso.h"

enum { UAVS_MAX = 2, PIXELS = SIZE * SIZE };
struct bench {
	struct rig r;
	struct kiln_descriptor_heap *heap;
	struct kiln_resource *uav[UAVS_MAX];
};
static const struct kiln_view_desc raw, words = {.StructureByteStride = 4}, triples = {.StructureByteStride = 12};

/* Covers the viewport. */
#define FULL(...) {-1, 1, 0.5f, 1, __VA_ARGS__}, {3, 1, 0.5f, 1, __VA_ARGS__}, {-1, -3, 0.5f, 1, __VA_ARGS__}
/* As `half`: x + y < 7 of 8x8 pixels, 28 of them. */
#define HALF(...) {-1, 1, 0.5f, 1, __VA_ARGS__}, {1, 1, 0.5f, 1, __VA_ARGS__}, {-1, -1, 0.5f, 1, __VA_ARGS__}

static void open(struct bench *b)
{
	*b = (struct bench){0};
	rig_open(&b->r, KILN_FORMAT_R32G32B32A32_FLOAT);
	b->heap = kiln_descriptor_heap_create(b->r.device, KILN_HEAP_CBV_SRV_UAV, UAVS_MAX, b->r.diags);
	kiln_cmd_descriptor_heaps(b->r.list, b->heap, NULL);
}

static void done(struct bench *b)
{
	kiln_descriptor_heap_destroy(b->heap);
	rig_close(&b->r);
}

/* A draw without targets, but with a viewport of width x height. */
static void no_targets(struct bench *b, uint32_t width, uint32_t height)
{
	b->r.state.NumRenderTargets = 0;
	b->r.state.RTVFormats[0] = 0;
	kiln_cmd_render_targets(b->r.list, 0, NULL, NULL);
	kiln_cmd_viewport(b->r.list, &(struct kiln_viewport){0, 0, (float)width, (float)height, 0, 1});
	kiln_cmd_scissor(b->r.list, &(struct kiln_rect){0, 0, (int32_t)width, (int32_t)height});
}

static struct kiln_shader *compiled(struct bench *b, const char *folder, const char *name)
{
	char path[4096];
	uint8_t *data;
	size_t size;

	snprintf(path, sizeof path, "%s/tests/%s/%s.cso", KILN_SOURCE_DIR, folder, name);
	corpus_read(path, &data, &size);
	b->r.shaders[b->r.shader_count] = kiln_shader_create(b->r.device, name, data, size, b->r.diags);
	mem_free(data);
	if (!b->r.shaders[b->r.shader_count])
		complain(&b->r, name);
	return b->r.shaders[b->r.shader_count++];
}

static void use(struct bench *b, const char *folder, const char *name)
{
	struct kiln_pso_desc d = {.name = name, .state = b->r.state, .VS = compiled(b, "pixel_uav", "position.vs"),
		.PS = compiled(b, folder, name)};
	struct kiln_pso *made = kiln_pso_create(b->r.device, &d, b->r.diags);

	if (!made)
		complain(&b->r, name);
	b->r.psos[b->r.pso_count++] = made;
	kiln_cmd_pso(b->r.list, made);
}

/* UAV i of the shader: table i of its default root signature, or what it takes from the heap itself. */
static void bind(struct bench *b, uint32_t i, struct kiln_resource *to, struct kiln_view_desc view, struct kiln_resource *counter)
{
	b->uav[i] = to;
	if (!kiln_descriptor_uav(b->heap, i, to, &view, counter, 0, b->r.diags))
		complain(&b->r, "kiln_descriptor_uav");
	if (sim_pso_pipeline(b->r.psos[b->r.pso_count - 1])->root->parameter_count > i)
		kiln_cmd_root_table(b->r.list, i, b->heap, i);
}

static const uint32_t *memory(const struct bench *b, uint32_t i)
{
	return kiln_resource_data(b->uav[i], NULL, NULL);
}

/* ---- depth ---- */

/* The second draw fails the test: before a shader with [earlydepthstencil], behind one without. */
Test(pixel_uav, depth)
{
	static const float v[][8] = {HALF(1, 1, 1, 1)};

	for (int early = 0; early < 2; early++) {
		struct bench b;
		uint32_t sum = 0;

		open(&b);
		b.r.state.DepthStencilState.DepthEnable = true;
		b.r.state.DSVFormat = KILN_FORMAT_D32_FLOAT;
		use(&b, early ? "corpus/cso" : "pixel_uav", early ? "ps_early_depth" : "counter.ps");
		bind(&b, 0, buffer(&b.r, NULL, 4 * PIXELS), raw, NULL);
		if (!early)
			bind(&b, 1, buffer(&b.r, NULL, 4 * PIXELS), words, NULL);
		draw(&b.r, v, 3);
		draw(&b.r, v, 3);
		run(&b.r);
		for (int i = 0; i < PIXELS; i++)
			sum += memory(&b, 0)[i];
		cr_expect_eq(sum, early ? 28 : 56, "early %d: %u", early, sum);
		done(&b);
	}
}

/* Word 0: before the discard, word 1: behind it. Columns 0, 2, 4, 6 of x + y < 7 have 7 + 5 + 3 + 1 pixels; what is kept is
 * drawn. 10 quads have 12 helper lanes, which count nowhere. */
Test(pixel_uav, discard_and_helpers)
{
	static const float v[][8] = {HALF(1, 1, 1, 1)};
	struct bench b;

	open(&b);
	use(&b, "pixel_uav", "discard.ps");
	bind(&b, 0, buffer(&b.r, NULL, 8), raw, NULL);
	draw(&b.r, v, 3);
	run(&b.r);
	cr_expect(memory(&b, 0)[0] == 28 && memory(&b, 0)[1] == 16, "%u %u", memory(&b, 0)[0], memory(&b, 0)[1]);
	cr_expect_eq(b.r.counters.helper_lanes, 12);
	for (int x = 0; x < 7; x++)
		cr_expect_eq(value(b.r.color, x, 0, 0), x & 1 ? 0.0f : 1.0f, "column %d", x);
	done(&b);
}

/* ---- order ---- */

/* Three times everything and once a half, in one draw: the last drawing of a pixel finds all others counted. */
Test(pixel_uav, overdraw)
{
	static const float v[][8] = {FULL(0, 0, 0, 0), HALF(0, 0, 0, 0), FULL(0, 0, 0, 0), FULL(0, 0, 0, 0)};
	struct bench b;

	open(&b);
	no_targets(&b, SIZE, SIZE);
	use(&b, "pixel_uav", "counter.ps");
	bind(&b, 0, buffer(&b.r, NULL, 4 * PIXELS), raw, NULL);
	bind(&b, 1, buffer(&b.r, NULL, 4 * PIXELS), words, NULL);
	draw(&b.r, v, 12);
	run(&b.r);
	for (uint32_t y = 0; y < SIZE; y++) {
		for (uint32_t x = 0; x < SIZE; x++) {
			uint32_t want = x + y < 7 ? 4 : 3, count = memory(&b, 0)[8 * y + x], last = memory(&b, 1)[8 * y + x];

			cr_expect(count == want && last == want, "%u %u: %u, %u", x, y, count, last);
		}
	}
	done(&b);
}

/* Without targets the viewport alone is the bound. Of 100x2 pixels, pixel (x, y) counts in word 8 y + x. */
Test(pixel_uav, viewport_without_targets)
{
	static const float v[][8] = {FULL(0, 0, 0, 0)};
	struct bench b;

	open(&b);
	no_targets(&b, 100, 2);
	use(&b, "pixel_uav", "counter.ps");
	bind(&b, 0, buffer(&b.r, NULL, 4 * 120), raw, NULL);
	bind(&b, 1, buffer(&b.r, NULL, 4 * 120), words, NULL);
	draw(&b.r, v, 3);
	run(&b.r);
	for (uint32_t i = 0; i < 120; i++)
		cr_expect_eq(memory(&b, 0)[i], (i < 100) + (i >= 8 && i < 108), "word %u: %u", i, memory(&b, 0)[i]);
	done(&b);
}

/* Primitive after primitive, each pixel once in each. */
Test(pixel_uav, append)
{
	static const float v[][8] = {HALF(0, 0, 0, 0), FULL(0, 0, 0, 0), HALF(0, 0, 0, 0)};
	struct bench b;
	uint32_t seen[3][PIXELS] = {{0}}, before = 0;
	struct kiln_resource *counter;

	open(&b);
	no_targets(&b, SIZE, SIZE);
	use(&b, "pixel_uav", "append.ps");
	counter = buffer(&b.r, NULL, 4);
	bind(&b, 0, buffer(&b.r, NULL, 12 * 128), triples, counter);
	draw(&b.r, v, 9);
	run(&b.r);
	cr_assert_eq(*(const uint32_t *)kiln_resource_data(counter, NULL, NULL), 28 + 64 + 28);
	for (uint32_t i = 0; i < 28 + 64 + 28; i++) {
		const uint32_t *entry = memory(&b, 0) + 3 * i;

		cr_assert(entry[0] >= before && entry[0] < 3 && entry[1] < SIZE && entry[2] < SIZE, "entry %u", i);
		cr_assert_eq(seen[entry[0]][8 * entry[2] + entry[1]]++, 0, "entry %u comes twice", i);
		before = entry[0];
	}
	done(&b);
}

/* ---- rasteriser-ordered views ---- */

/* 8 -> 8 / 2 + 3 = 7 -> in the half 7 / 4 + 5 = 6.75 -> times 2 - 1: 12.5, elsewhere 13. One lost or out of turn gives others.
 * In 4x4 pixels the half is everything, and without the order all three would be in one wave. */
static const float blended[][8] = {FULL(3, 0, 0, 0.5f), HALF(5, 0, 0, 0.25f), FULL(-1, 0, 0, 2)};

static void programmable_blend(const char *shader_name, bool bytes, int32_t side)
{
	struct bench b;
	float start[PIXELS];
	struct kiln_resource *target;

	open(&b);
	for (int i = 0; i < PIXELS; i++)
		start[i] = 8;
	no_targets(&b, SIZE, SIZE);
	kiln_cmd_scissor(b.r.list, &(struct kiln_rect){0, 0, side, side});
	use(&b, "pixel_uav", shader_name);
	target = bytes ? buffer(&b.r, start, sizeof start) : rig_texture(&b.r, KILN_FORMAT_R32_FLOAT, SIZE, 1);
	cr_assert(bytes || kiln_texture_write(target, 0, start, 0, 0, b.r.diags));
	bind(&b, 0, target, bytes ? raw : (struct kiln_view_desc){0}, NULL);
	draw(&b.r, blended, 9);
	run(&b.r);
	for (int i = 0; i < PIXELS; i++) {
		int x = i % SIZE, y = i / SIZE;
		float want = x >= side || y >= side ? 8 : x + y < 7 ? 12.5f : 13, got = bits_float(memory(&b, 0)[i]);

		cr_expect_eq(got, want, "%s, %d: pixel %d %d is %g", shader_name, side, x, y, (double)got);
	}
	done(&b);
}

Test(pixel_uav, programmable_blend)
{
	for (int32_t side = 4; side <= SIZE; side += 4) {
		programmable_blend("rov.ps", false, side);
		programmable_blend("rov_bytes.ps", true, side);
		programmable_blend("rov_heap.ps", false, side);
	}
}

/* Four samples, a lane each: those of one pixel and primitive may share a wave, those of the next primitive may not. */
Test(pixel_uav, sample_frequency)
{
	struct bench b;
	float start[4 * 16];
	const struct kiln_texture_desc desc = {.Format = KILN_FORMAT_R32_FLOAT, .Width = 16, .Height = 4};
	struct kiln_resource *target;

	open(&b);
	for (int i = 0; i < 4 * 16; i++)
		start[i] = 8;
	no_targets(&b, SIZE, SIZE);
	kiln_cmd_scissor(b.r.list, &(struct kiln_rect){0, 0, 2, 2});
	b.r.state.SampleDesc.Count = 4;
	use(&b, "pixel_uav", "rov_sample.ps");
	target = b.r.buffers[b.r.buffer_count++] = kiln_texture_create(b.r.device, "samples", &desc, b.r.diags);
	cr_assert(target && kiln_texture_write(target, 0, start, 0, 0, b.r.diags));
	bind(&b, 0, target, (struct kiln_view_desc){0}, NULL);
	draw(&b.r, blended, 9);
	run(&b.r);
	for (int i = 0; i < 4 * 16; i++) {
		float got = bits_float(memory(&b, 0)[i]);

		cr_expect_eq(got, i % 16 < 8 && i < 32 ? 12.5f : 8, "texel %d %d is %g", i % 16, i / 16, (double)got);
	}
	cr_expect_eq(b.r.counters.ps_waves, 3);
	done(&b);
}
