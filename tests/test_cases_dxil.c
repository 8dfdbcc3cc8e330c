/* Public bug reports as tests, part E: loading and lowering DXIL. Shaders of tests/cases, compiled by DXC. */
#include "tests/cases.h"
#include "tests/corpus.h"
#include "frontend/frontend.h"

static struct kiln_shader *load_case(struct rig *r, const char *name)
{
	char path[4096];
	uint8_t *data;
	size_t size;

	snprintf(path, sizeof path, "%s/tests/cases/%s.cso", KILN_SOURCE_DIR, name);
	corpus_read(path, &data, &size);
	r->shaders[r->shader_count] = kiln_shader_create(r->device, name, data, size, r->diags);
	mem_free(data);
	if (!r->shaders[r->shader_count])
		complain(r, name);
	return r->shaders[r->shader_count++];
}

/* A PSO of the rig's state with these shaders, set; NULL: refused. */
static struct kiln_pso *case_pso(struct rig *r, const char *ps)
{
	struct kiln_pso_desc d = {.name = ps, .state = r->state, .VS = load_case(r, "screen.vs"), .PS = load_case(r, ps)};

	d.state.NumInputElements = 0;
	r->psos[r->pso_count] = kiln_pso_create(r->device, &d, r->diags);
	if (!r->psos[r->pso_count])
		complain(r, ps);
	kiln_cmd_pso(r->list, r->psos[r->pso_count]);
	return r->psos[r->pso_count++];
}

static void draw_case(struct rig *r)
{
	kiln_cmd_draw(r->list, 3, 1, 0, 0);
	run(r);
}

/* The base exports halves; a full PSO for 32-bit channels exports 32 bits. */
Test(cases, C02_another_target_format)
{
	for (int wide = 0; wide < 2; wide++) {
		struct rig r;

		rig_open(&r, wide ? F(R32G32B32A32_FLOAT) : F(R8G8B8A8_UNORM));
		case_pso(&r, "c02.ps");
		draw_case(&r);
		for (int c = 0; c < 4; c++)
			cr_assert_eq(word(r.color, 3, 3, c), wide ? 0x3F801000 : 0x3F800000, "channel %d: %08x", c,
				word(r.color, 3, 3, c));
		rig_close(&r);
	}
}

Test(cases, C40_saturate_min_max_casts)
{
	static const uint32_t want[2][4] = {{0, 0x40000000, 0x40000000, 0}, {0, 0x4F000000, 0, 0}};

	for (uint32_t pick = 0; pick < 2; pick++) {
		const uint32_t constants[] = {0, NAN_BITS, 0x4F32D05E, pick, 0}; /* 3e9 */
		struct rig r;

		rig_open(&r, F(R32G32B32A32_FLOAT));
		case_pso(&r, "c40.ps");
		kiln_cmd_root_cbv(r.list, 0, buffer(&r, constants, sizeof constants), 0);
		draw_case(&r);
		for (int c = 0; c < 4; c++)
			cr_assert_eq(word(r.color, 3, 3, c), want[pick][c], "%u, channel %d: %08x", pick, c, word(r.color, 3, 3, c));
		rig_close(&r);
	}
}

/* RT3 has its value; the others, declared and never stored, keep theirs: no StoreOutput, no write. */
Test(cases, C48_array_of_which_one_row_is_stored)
{
	for (int alone = 0; alone < 2; alone++) {
		struct kiln_resource *t[5] = {0};
		struct rig r;

		rig_open(&r, F(R8G8B8A8_UNORM));
		r.state.NumRenderTargets = 5;
		for (int i = 0; i < 5; i++) {
			t[i] = rig_texture(&r, F(R8G8B8A8_UNORM), SIZE, 1);
			preset(t[i], "\x11\x11\x11\x11");
			r.state.RTVFormats[i] = alone && i != 3 ? F(UNKNOWN) : F(R8G8B8A8_UNORM);
		}
		case_pso(&r, "c48.ps");
		kiln_cmd_render_targets(r.list, 5, t, NULL);
		draw_case(&r);
		for (int i = 0; i < 5; i++)
			cr_assert(!memcmp(texel_of(t[i], 9), i == 3 ? "\x00\xff\x00\xff" : "\x11\x11\x11\x11", 4), "target %d", i);
		rig_close(&r);
	}
}

/* Declared xyzw, stored xy: red and green are exact, blue and alpha as nothing was exported: the target keeps them. */
Test(cases, C49_usage_mask_wider_than_what_is_stored)
{
	static const uint32_t formats[] = {F(R8G8_UNORM), F(R8G8B8A8_UNORM)};

	for (size_t i = 0; i < ARRAY_COUNT(formats); i++) {
		struct rig r;

		rig_open(&r, formats[i]);
		preset(r.color, "\x11\x22\x33\x44");
		case_pso(&r, "c49.ps");
		draw_case(&r);
		cr_assert(!memcmp(texel_of(r.color, 9), "\xff\x80\x33\x44", r.color->format->bits / 8u), "format %zu", i);
		cr_assert_eq(kiln_diags_has(r.diags, DIAG_CREATEGRAPHICSPIPELINESTATE_PS_OUTPUT_RT_OUTPUT_MISMATCH), i == 1);
		rig_close(&r);
	}
}

/* Depth 0.25, target 2 twos, target 0 sevens; coverage lets x < 4 through. */
Test(cases, C50_rows_element_ids_and_targets)
{
	struct kiln_resource *t[3] = {0};
	struct rig r;

	rig_open(&r, F(R32G32B32A32_FLOAT));
	r.state.DepthStencilState.DepthEnable = true;
	r.state.DSVFormat = F(D32_FLOAT);
	r.state.NumRenderTargets = 3;
	for (int i = 0; i < 3; i++) {
		t[i] = rig_texture(&r, F(R32G32B32A32_FLOAT), SIZE, 1);
		r.state.RTVFormats[i] = F(R32G32B32A32_FLOAT);
	}
	case_pso(&r, "c50.ps");
	kiln_cmd_render_targets(r.list, 3, t, r.depth);
	draw_case(&r);
	for (int x = 0; x < SIZE; x++) {
		cr_assert_eq(value(t[0], x, 2, 1), x < 4 ? 7 : 0);
		cr_assert_eq(value(t[1], x, 2, 1), 0);
		cr_assert_eq(value(t[2], x, 2, 1), x < 4 ? 2 : 0);
		cr_assert_eq(value(r.depth, x, 2, 0), x < 4 ? 0.25f : 1);
	}
	rig_close(&r);
}

Test(cases, C52_nan_tests_survive)
{
	static const uint32_t constants[4] = {0, 0, ONE, 0};
	struct rig r;

	rig_open(&r, F(R32G32B32A32_FLOAT));
	case_pso(&r, "c52.ps");
	kiln_cmd_root_cbv(r.list, 0, buffer(&r, constants, sizeof constants), 0);
	draw_case(&r);
	for (int c = 0; c < 3; c++)
		cr_assert_eq(value(r.color, 3, 3, c), 2, "channel %d", c);
	rig_close(&r);
}

/* What has no value is 0, each time; the rest is exact. */
Test(cases, C53_undef)
{
	for (uint32_t turns = 0; turns < 3; turns += 2) {
		const uint32_t constants[4] = {turns};
		struct rig r;

		rig_open(&r, F(R32G32B32A32_FLOAT));
		case_pso(&r, "c53.ps");
		kiln_cmd_root_cbv(r.list, 0, buffer(&r, constants, sizeof constants), 0);
		draw_case(&r);
		for (int k = 0; k < SIZE * SIZE; k++) {
			int x = k % SIZE, y = k / SIZE;

			cr_assert_eq(value(r.color, x, y, 0), turns ? (float)x + 0.5f : 0, "pixel %d", k);
			cr_assert(value(r.color, x, y, 1) == 1 && value(r.color, x, y, 2) == 2 && value(r.color, x, y, 3) == 3);
		}
		rig_close(&r);
	}
}

/* The buffer is a ramp of 16-bit numbers: number k at byte 2 k. */
Test(cases, C55_native_16_bit_rows)
{
	uint16_t ramp[128];
	struct rig r;

	for (unsigned k = 0; k < ARRAY_COUNT(ramp); k++)
		ramp[k] = (uint16_t)(0x3c00 + k);
	rig_open(&r, F(R32G32B32A32_UINT));
	case_pso(&r, "c55_native.ps");
	kiln_cmd_root_cbv(r.list, 0, buffer(&r, ramp, sizeof ramp), 0);
	draw_case(&r);
	cr_assert_eq(word(r.color, 3, 3, 0), 0x3c04);     /* b.x: byte 8 */
	cr_assert_eq(word(r.color, 3, 3, 1), 0x3c03);     /* a.w: byte 6 */
	cr_assert_eq(word(r.color, 3, 3, 2), 0x3c093c08); /* c: byte 16 */
	cr_assert_eq(word(r.color, 3, 3, 3), 0x3c07);     /* b.w: byte 14 */
	rig_close(&r);
}

/* The same ramp: a double at byte 24, and the second of a row of two at byte 40. */
Test(cases, C55_double_rows)
{
	uint16_t ramp[128];
	struct rig r;

	for (unsigned k = 0; k < ARRAY_COUNT(ramp); k++)
		ramp[k] = (uint16_t)(0x3c00 + k);
	rig_open(&r, F(R32G32B32A32_UINT));
	case_pso(&r, "c55_double.ps");
	kiln_cmd_root_cbv(r.list, 0, buffer(&r, ramp, sizeof ramp), 0);
	draw_case(&r);
	cr_assert_eq(word(r.color, 3, 3, 0), 0x3c0d3c0c); /* d: bytes 24 to 31 */
	cr_assert_eq(word(r.color, 3, 3, 1), 0x3c0f3c0e);
	cr_assert_eq(word(r.color, 3, 3, 2), 0x3c153c14); /* e.y: bytes 40 to 47 */
	cr_assert_eq(word(r.color, 3, 3, 3), 0x3c173c16);
	rig_close(&r);
}

/* A number of the bitcode is changed in place and the container signed anew; in bitcode it stands as twice its value in eight
 * bits. It compiles where text is NULL, else that is part of what is said. */
struct change { const char *file; size_t bit; unsigned was, now; const char *text; };

static void expect_changed(const struct change *c)
{
	struct kiln_diags *diags = kiln_diags_create();
	struct isa_program *p;
	char path[4096];
	uint8_t *data;
	size_t size;

	snprintf(path, sizeof path, "%s/tests/cases/%s.cso", KILN_SOURCE_DIR, c->file);
	corpus_read(path, &data, &size);
	for (size_t b = 0; b < 8; b++) {
		size_t at = c->bit + b;

		cr_assert_eq(data[at / 8] >> at % 8 & 1, 2 * c->was >> b & 1, "%s was compiled anew: find the place", path);
		data[at / 8] = (uint8_t)((data[at / 8] & ~(1u << at % 8)) | (2 * c->now >> b & 1) << at % 8);
	}
	fe_container_digest(data, size, data + 4);
	p = fe_compile(data, size, c->file, &(struct fe_options){0}, diags);
	cr_assert_eq(p != NULL, c->text == NULL, "%s, %u", c->file, c->now);
	cr_assert(!c->text || kiln_diags_has(diags, DIAG_DXIL_INVALID), "%s, %u", c->file, c->now);
	cr_assert(!c->text || strstr(kiln_diags_get(diags, 0)->text, c->text), "%s, %u: %s", c->file, c->now,
		kiln_diags_get(diags, 0)->text);
	isa_program_destroy(p);
	mem_free(data);
	kiln_diags_destroy(diags);
}

Test(cases, C56_hostile_signatures)
{
	static const struct change rows[] = {
		{"c56.ps", 14807, 7, 7, NULL}, {"c56.ps", 14807, 7, 8, "SV_Target8"}, {"c56.ps", 14807, 7, 32, "SV_Target32"},
		{"c56.ps", 14807, 7, 63, "SV_Target63"}, {"c56.ps", 20088, 3, 4, "component past its signature element"},
		{"c50.ps", 21690, 3, 9, "signature element that does not exist"}};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		expect_changed(&rows[i]);
}

/* t[3] in t4 to t6 holds 40, 41, 42: t[1] is 41, whichever way its handle is made, and its index is 5. */
Test(cases, C54_index_of_a_handle)
{
	static const char *const files[] = {"c54_60.ps", "c54_66.ps"};
	static const struct change rows[] = {
		{"c54_60.ps", 19324, 5, 5, NULL}, {"c54_60.ps", 19324, 5, 7, "register 7 is outside its range"},
		{"c54_60.ps", 19324, 5, 3, "register 3 is outside its range"},
		{"c54_66.ps", 20668, 5, 5, NULL}, {"c54_66.ps", 20668, 5, 7, "register 7 is outside its range"},
		{"c54_66.ps", 20668, 5, 3, "register 3 is outside its range"}};

	for (size_t i = 0; i < ARRAY_COUNT(files); i++) {
		struct kiln_descriptor_heap *heap;
		struct rig r;

		rig_open(&r, F(R32G32B32A32_FLOAT));
		heap = kiln_descriptor_heap_create(r.device, KILN_HEAP_CBV_SRV_UAV, 3, r.diags);
		for (uint32_t k = 0; k < 3; k++) {
			struct kiln_resource *t = rig_texture(&r, F(R32_UINT), 1, 1);

			cr_assert(kiln_texture_write(t, 0, &(uint32_t){40 + k}, 0, 0, r.diags));
			cr_assert(kiln_descriptor_srv(heap, k, t, NULL, r.diags));
		}
		case_pso(&r, files[i]);
		kiln_cmd_root_table(r.list, 0, heap, 0);
		draw_case(&r);
		cr_expect_eq(value(r.color, 3, 3, 0), 41.0f, "%s: %g", files[i], (double)value(r.color, 3, 3, 0));
		kiln_descriptor_heap_destroy(heap);
		rig_close(&r);
	}
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		expect_changed(&rows[i]);
}

/* Min-precision members take 32 bits each; DXC's reflection has c at byte 16, a row of its own. */
Test(cases, C55_constant_buffer_rows)
{
	static const float floats[8] = {1.5f, 2.5f, 9, 9, 3.5f}, want[3] = {1.5f, 2.5f, 3.5f};
	struct rig r;

	rig_open(&r, F(R32G32B32A32_FLOAT));
	case_pso(&r, "c55_min.ps");
	kiln_cmd_root_cbv(r.list, 0, buffer(&r, floats, sizeof floats), 0);
	draw_case(&r);
	for (int c = 0; c < 3; c++)
		cr_assert_eq(value(r.color, 3, 3, c), want[c], "channel %d", c);
	rig_close(&r);
}

Test(cases, C60_last_write_wins_and_discard_after_write)
{
	struct rig r;

	rig_open(&r, F(R8G8B8A8_UNORM));
	preset(r.color, "\x11\x22\x33\x44");
	case_pso(&r, "c60.ps");
	draw_case(&r);
	for (unsigned k = 0; k < SIZE * SIZE; k++) {
		const char *want = k / SIZE & 1 ? "\x11\x22\x33\x44" : k % SIZE >= 4 ? "\x00\xff\x00\x80" : "\xff\x00\x00\x80";

		cr_assert(!memcmp(texel_of(r.color, k), want, 4), "pixel %u", k);
	}
	rig_close(&r);
}
