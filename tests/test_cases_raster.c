/* Public bug reports as tests, part F: the rasteriser; and C45, inverted viewports. */
#include "tests/cases.h"

static struct isa_program *vs(void) { return vs_through(ISA_F32, ISA_INTERP_CONSTANT); }
static struct isa_program *ps(void) { return ps_color(ISA_F32, ISA_INTERP_CONSTANT); }

/* A rig whose draws count pixels: no depth, nothing culled. */
static void open_counting(struct rig *r, uint32_t size)
{
	rig_open_sized(r, F(R32_FLOAT), size);
	r->state.RasterizerState.CullMode = KILN_CULL_NONE;
}

static void triangle(struct rig *r, const float at[3][4])
{
	float v[3][8];

	for (int k = 0; k < 3; k++) {
		memcpy(v[k], at[k], 4 * sizeof(float));
		for (int c = 4; c < 8; c++)
			v[k][c] = 1;
	}
	pso(r, vs(), ps());
	draw(r, (const float (*)[8])v, 3);
}

/* x snaps to 257/256 and y to -1/256: the edge crosses column 0.5 at 127/256, and the centre is inside. The second has
 * no area after snapping: no pixel, and back-facing. */
Test(cases, C62_eight_subpixel_bits)
{
	static const float one[3][4] = {{-1, 1.01f, 0, 1}, {1.01f, -1, 0, 1}, {-1, -1, 0, 1}};
	static const float sliver[3][4] = {{10 / 16.0f - 1, 1 - 10 / 16.0f, 0, 1}, {10.0019f / 16.0f - 1, 1 - 10 / 16.0f, 0, 1},
		{10 / 16.0f - 1, 1 - 20 / 16.0f, 0, 1}};
	static const uint32_t culls[] = {KILN_CULL_NONE, KILN_CULL_BACK};
	struct rig r;

	open_counting(&r, 1);
	triangle(&r, one);
	run(&r);
	cr_assert_eq(r.counters.pixels_written, 1);
	rig_close(&r);
	for (size_t i = 0; i < ARRAY_COUNT(culls); i++) {
		open_counting(&r, 32);
		r.state.RasterizerState.CullMode = culls[i];
		triangle(&r, sliver);
		run(&r);
		cr_assert_eq(r.counters.pixels_written, 0);
		cr_assert_eq(r.counters.primitives_culled, 1);
		rig_close(&r);
	}
}

Test(cases, C63_big_coordinates)
{
	static const float big[] = {1e5f, 1e30f};
	static const float over[3][4] = {{-3, 9, 0, 1}, {9, -3, 0, 1}, {-3, -3, 0, 1}};
	struct kiln_resource *wide;
	struct rig r;

	for (size_t i = 0; i < ARRAY_COUNT(big); i++) {
		const float at[3][4] = {{-1, -1, 0, 1}, {big[i], -1, 0, 1}, {-1, big[i], 0, 1}};

		open_counting(&r, 64);
		triangle(&r, at);
		run(&r);
		cr_assert_eq(r.counters.pixels_written, 4096, "%g: %llu", (double)big[i],
			(unsigned long long)r.counters.pixels_written);
		rig_close(&r);
	}
	open_counting(&r, SIZE);
	wide = r.buffers[r.buffer_count++] = kiln_texture_create(r.device, "wide",
		&(struct kiln_texture_desc){.Format = F(R32_FLOAT), .Width = 16384, .Height = 2}, r.diags);
	kiln_cmd_render_targets(r.list, 1, &wide, NULL);
	kiln_cmd_viewport(r.list, &(struct kiln_viewport){0, 0, 16384, 2, 0, 1});
	kiln_cmd_scissor(r.list, &(struct kiln_rect){0, 0, 16384, 2});
	triangle(&r, over);
	run(&r);
	cr_assert_eq(r.counters.pixels_written, 2 * 16384);
	rig_close(&r);
}

/* Depth clip off does not switch off the clip at w = 0. */
Test(cases, C64_no_positive_w)
{
	static const struct { float at[3][4]; uint64_t pixels; } rows[] = {
		{{{-2, -1, 0.5f, 1}, {2, -1, 0.5f, 1}, {0, 2, 0, -1}}, 64}, {{{0}}, 0},
		{{{-1, 1, 0.5f, -1}, {3, 1, 0.5f, -1}, {-1, -3, 0.5f, -1}}, 0}};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct rig r;

		open_counting(&r, SIZE);
		r.state.RasterizerState.DepthClipEnable = false;
		triangle(&r, rows[i].at);
		run(&r);
		cr_assert_eq(r.counters.pixels_written, rows[i].pixels, "row %zu", i);
		cr_assert_eq(r.counters.ps_invocations == 0, rows[i].pixels == 0, "row %zu", i);
		rig_close(&r);
	}
}

/* Each component of each vertex; a clip distance drops its primitive, a cull distance counts as negative: alone it does not
 * drop one whose other vertices are inside. */
Test(cases, C65_nan_and_infinity)
{
	for (int i = 0; i < 4 * 3 * 2; i++) {
		float at[3][4] = {{-1, 1, 0.5f, 1}, {3, 1, 0.5f, 1}, {-1, -3, 0.5f, 1}};
		bool infinite = i / 12;
		struct rig r;

		at[i % 3][i / 3 % 4] = bits_float(infinite ? 0x7f800000 : NAN_BITS);
		open_counting(&r, SIZE);
		triangle(&r, (const float (*)[4])at);
		run(&r);
		cr_assert(infinite || r.counters.pixels_written == 0, "vertex %d component %d", i % 3, i / 3 % 4);
		rig_close(&r);
	}
	for (int cull = 0; cull < 3; cull++) {
		static const float at[3][8] = {{-1, 1, 0.5f, 1, 1, 1, 1, 1}, {3, 1, 0.5f, 1, 1, 1, 1, 1},
			{-1, -3, 0.5f, 1, 1, 1, 1, 1}};
		struct isa_program *v = vs();
		float nan_at[3][8];
		struct rig r;

		memcpy(nan_at, at, sizeof at);
		for (int k = 0; k < (cull == 2 ? 3 : 1); k++)
			nan_at[k][7] = bits_float(NAN_BITS);
		io(v, v->outputs, &v->output_count, "SV_Distance", cull ? ISA_SEM_CULL_DISTANCE : ISA_SEM_CLIP_DISTANCE, ISA_F32,
			ISA_INTERP_LINEAR, 1);
		EMIT(v, exp, IMM(ISA_PARAM0 + 2), IMM(ISA_FORM_32_abgr), IMM(1), V(7), OFF, OFF, OFF);
		open_counting(&r, SIZE);
		pso(&r, v, ps());
		draw(&r, (const float (*)[8])nan_at, 3);
		run(&r);
		cr_assert_eq(r.counters.pixels_written, cull == 1 ? 64 : 0, "row %d", cull);
		rig_close(&r);
	}
}

Test(cases, C67_scissor_edges)
{
	static const struct { struct kiln_rect rect; uint64_t pixels; } rows[] = {
		{{1, 3, 6, 4}, 5}, {{3, 1, 4, 6}, 5}, {{1, 1, 7, 7}, 36}, {{5, 5, 6, 6}, 1}, {{4, 2, 4, 7}, 0}, {{2, 4, 7, 4}, 0},
		{{6, 1, 2, 7}, 0}, {{1, 6, 7, 2}, 0}, {{0, 0, 9, 99}, 64}, {{-7, -7, INT32_MAX, INT32_MAX}, 64},
		{{INT32_MIN, INT32_MIN, 3, 5}, 15}, {{7, 7, INT32_MAX, INT32_MAX}, 1}, {{8, 0, 9, 9}, 0}};
	static const float screen[3][4] = {{-1, 1, 0.5f, 1}, {3, 1, 0.5f, 1}, {-1, -3, 0.5f, 1}};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		const struct kiln_rect *c = &rows[i].rect;
		struct rig r;

		open_counting(&r, SIZE);
		kiln_cmd_scissor(r.list, c);
		triangle(&r, screen);
		run(&r);
		cr_assert_eq(r.counters.pixels_written, rows[i].pixels, "row %zu", i);
		for (int k = 0; k < SIZE * SIZE; k++) {
			int x = k % SIZE, y = k / SIZE;
			bool in = x >= c->left && x < c->right && y >= c->top && y < c->bottom;

			cr_assert_eq(value(r.color, x, y, 0), in, "row %zu: pixel %d, %d", i, x, y);
		}
		rig_close(&r);
	}
}
