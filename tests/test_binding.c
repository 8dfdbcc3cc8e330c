/* From a shader's registers to memory: root signatures with tables, ranges, offsets and visibilities, constant buffers and
 * buffers of every kind, and what is refused before or while a draw runs. */
#include "tests/bind_rig.h"

static const struct kiln_view_desc as_float = {.Format = KILN_FORMAT_R32_FLOAT};

static struct kiln_resource *one_float(struct bench *b, float value) { return buffer(&b->r, &value, sizeof value); }

/* ---- constant buffers from tables ---- */

/* Registers b2 to b4 stand at offsets 1 to 3 of a table that starts at descriptor 5. */
Test(binding, constant_buffers)
{
	static const struct {
		uint32_t reg, count, element, row, size;
		float want[4];
	} rows[] = {
		{2, 1, 0, 0, 0, {0, 1, 2, 3}}, {2, 1, 0, 1, 0, {4, 5, 6, 7}}, {3, 1, 0, 0, 0, {64, 65, 66, 67}},
		{2, 3, 1, 2, 0, {72, 73, 74, 75}}, {2, 3, 2, 0, 0, {0, 0, 0, 0}},      /* null descriptor */
		{2, 1, 0, 1, 24, {4, 5, 0, 0}}, {2, 1, 0, 2, 24, {0, 0, 0, 0}},        /* past the view */
		{3, 1, 0, 15, 0, {124, 125, 126, 127}}, {3, 1, 0, 16, 0, {0, 0, 0, 0}}, /* past the buffer */
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct root_range ranges[] = {RANGE(0, 1, 0, 0), RANGE(2, 3, 2, 1)};
		struct isa_resource r = RES(CBV, CBUFFER, 0, rows[i].reg, rows[i].count);
		struct kiln_resource *data;
		float numbers[128];
		struct bench b;

		for (int k = 0; k < 128; k++)
			numbers[k] = (float)k;
		bench_open(&b);
		data = buffer(&b.r, numbers, sizeof numbers);
		cr_assert(kiln_descriptor_cbv(b.views, 6, data, 0, rows[i].size, b.r.diags));
		cr_assert(kiln_descriptor_cbv(b.views, 7, data, 256, 0, b.r.diags));
		cr_assert(kiln_descriptor_cbv(b.views, 8, NULL, 0, 0, b.r.diags));
		use(&b, vs(), ps_cbuffer(r, LIT(rows[i].element), rows[i].row), &TABLE(ranges), 1, NULL, 0);
		kiln_cmd_root_table(b.r.list, 0, b.views, 5);
		expect(&b, rows[i].want, "constant buffer");
		cr_expect_eq(kiln_diags_count(b.r.diags), 0, "row %zu", i);
		bench_close(&b);
	}
}

Test(binding, buffer_views)
{
	static const struct {
		uint8_t kind;
		uint32_t stride, x;
		struct isa_operand y;
		struct kiln_view_desc view;
		bool root;                    /* a root descriptor from byte 8 on */
		float want[4];
	} rows[] = {
		{ISA_KIND_TYPED_BUFFER, 0, 2, {0}, {.Format = KILN_FORMAT_R32G32_FLOAT, .FirstElement = 1}, false, {6, 7, 0, 1}},
		{ISA_KIND_TYPED_BUFFER, 0, 1, {0}, {.Format = KILN_FORMAT_R32_FLOAT, .NumElements = 1}, false, {0, 0, 0, 1}},
		{ISA_KIND_RAW_BUFFER, 0, 8, {0}, {.FirstElement = 2, .NumElements = 5}, false, {4, 5, 6, 0}},
		{ISA_KIND_RAW_BUFFER, 0, 4, {0}, {.Format = KILN_FORMAT_R32_TYPELESS}, false, {1, 2, 3, 4}},
		{ISA_KIND_STRUCTURED_BUFFER, 12, 1, {ISA_LIT, 4}, {.StructureByteStride = 12, .FirstElement = 1}, false, {7, 8, 9, 10}},
		{ISA_KIND_RAW_BUFFER, 0, 4, {0}, {0}, true, {3, 4, 5, 6}},
		{ISA_KIND_STRUCTURED_BUFFER, 12, 2, {ISA_LIT, 8}, {0}, true, {10, 11, 12, 13}},
	};
	float numbers[16];

	for (int k = 0; k < 16; k++)
		numbers[k] = (float)k;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct isa_resource r = {.name = "t", .cls = ISA_SRV, .kind = rows[i].kind, .lower = 1, .count = 1,
			.type = rows[i].kind == ISA_KIND_TYPED_BUFFER ? F32 : 0, .stride_or_size = rows[i].stride};
		struct root_range ranges[] = {RANGE(0, 1, 1, 0)};
		struct root_parameter parameters[] = {
			{.type = 1, .reg = 9, .num_constants = 1}, rows[i].root ? (struct root_parameter){.type = 3, .reg = 1} : TABLE(ranges)};
		struct kiln_resource *data;
		struct bench b;

		bench_open(&b);
		data = buffer(&b.r, numbers, sizeof numbers);
		use(&b, vs(), ps_buffer(r, OFF, rows[i].x, rows[i].y), parameters, 2, NULL, 0);
		if (rows[i].root) {
			kiln_cmd_root_srv(b.r.list, 1, data, 8);
		} else {
			srv(&b, 0, data, rows[i].view);
			kiln_cmd_root_table(b.r.list, 1, b.views, 0);
		}
		expect(&b, rows[i].want, "buffer");
		cr_expect_eq(kiln_diags_count(b.r.diags), 0, "row %zu", i);
		bench_close(&b);
	}
}

/* Two tables feed t0: one the vertex shader, one the pixel shader. */
Test(binding, visibility)
{
	struct root_range ranges[] = {RANGE(0, 1, 0, 0)};
	struct root_parameter parameters[] = {TABLE(ranges), TABLE(ranges)};
	struct isa_resource r = RES(SRV, TYPED_BUFFER, F32, 0, 1);
	struct isa_program *v;
	struct bench b;

	parameters[0].visibility = 1;
	parameters[1].visibility = 5;
	bench_open(&b);
	/* position as it is, the colour's first component from t0, the second from the vertex */
	v = program(ISA_VERTEX);
	set_resources(v, &r, 1);
	io(v, v->inputs, &v->input_count, "POSITION", ISA_SEM_ARBITRARY, ISA_F32, 0, 4);
	io(v, v->outputs, &v->output_count, "SV_Position", ISA_SEM_POSITION, ISA_F32, ISA_INTERP_NOPERSPECTIVE, 4);
	io(v, v->outputs, &v->output_count, "COLOR", ISA_SEM_ARBITRARY, ISA_F32, ISA_INTERP_LINEAR, 4);
	load(v, 0, 4, 0);
	EMIT(v, exp, IMM(ISA_POS0), IMM(ISA_FORM_32_abgr), IMM(15), V(0), V(1), V(2), V(3));
	EMIT(v, buffer_load, V(4), V(5), V(6), V(7), IMM(0), OFF, LIT(0), OFF);
	EMIT(v, exp, IMM(ISA_PARAM0 + 1), IMM(ISA_FORM_32_abgr), IMM(15), V(4), V(5), V(6), V(7));
	struct isa_program *p = ps_of(&r, 1);
	load(p, 1, 1, 1);
	EMIT(p, buffer_load, V(0), OFF, OFF, OFF, IMM(0), OFF, LIT(0), OFF);
	EMIT(p, mov, V(2), LIT(0));
	EMIT(p, mov, V(3), LIT(0));
	srv(&b, 0, one_float(&b, 10), as_float);
	srv(&b, 1, one_float(&b, 20), as_float);
	use(&b, v, ps_end(p), parameters, 2, NULL, 0);
	kiln_cmd_root_table(b.r.list, 0, b.views, 0);
	kiln_cmd_root_table(b.r.list, 1, b.views, 1);
	expect(&b, (const float[4]){20, 10, 0, 0}, "visibility");
	bench_close(&b);
}

/* An index that the shader computes: bounded and unbounded arrays, what is not there, what changes between draws. */
Test(binding, arrays)
{
	static const struct {
		uint32_t count, element;
		float want[4];
		uint32_t number;              /* of the warning or, where the draw counts as refused, the error */
	} rows[] = {
		{3, 0, {10, 0, 0, 1}, 0}, {3, 1, {20, 0, 0, 1}, 0}, {3, 2, {0, 0, 0, 0}, 5039}, {3, 3, {0, 0, 0, 0}, 5039},
		{0xffffffff, 1, {20, 0, 0, 1}, 0}, {0xffffffff, 3, {0, 0, 0, 0}, 0}, {0xffffffff, 14, {0, 0, 0, 0}, 5039},
		{0xffffffff, 4, {0}, 5035}, {0xffffffff, 5, {0}, 5035},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct root_range ranges[] = {RANGE(0, rows[i].count, 7, 0)};
		struct isa_resource r = RES(SRV, TYPED_BUFFER, F32, 7, rows[i].count);
		struct bench b;

		bench_open(&b);
		srv(&b, 2, one_float(&b, 10), as_float);
		srv(&b, 3, one_float(&b, 20), as_float);
		srv(&b, 5, NULL, (struct kiln_view_desc){0});
		cr_assert(kiln_descriptor_uav(b.views, 6, one_float(&b, 30), &as_float, NULL, 0, b.r.diags));
		srv(&b, 7, one_float(&b, 40), (struct kiln_view_desc){0}); /* raw, not typed */
		use(&b, vs(), ps_buffer(r, LIT(rows[i].element), 0, OFF), &TABLE(ranges), 1, NULL, 0);
		kiln_cmd_root_table(b.r.list, 0, b.views, 2);
		if (rows[i].number == 5035) {
			draw(&b.r, half, 3);
			cr_expect_not(kiln_execute(b.r.device, b.r.list, NULL, b.r.diags), "row %zu", i);
		} else {
			expect(&b, rows[i].want, "array");
		}
		cr_expect_eq(kiln_diags_count(b.r.diags), rows[i].number != 0, "row %zu", i);
		cr_expect(!rows[i].number || kiln_diags_has(b.r.diags, rows[i].number), "row %zu", i);
		bench_close(&b);
	}
}

/* A UAV of the root and one of a table, written by every covered pixel, helpers left out. */
Test(binding, uavs)
{
	for (int root = 0; root < 2; root++) {
		struct root_range ranges[] = {RANGE(1, 1, 2, 0)};
		struct root_parameter parameter = root ? (struct root_parameter){.type = 4, .reg = 2} : TABLE(ranges);
		struct isa_resource r = RES(UAV, RAW_BUFFER, 0, 2, 1);
		struct isa_program *p = ps_of(&r, 1);
		struct kiln_resource *data;
		struct bench b;

		p->flags |= ISA_SIDE_EFFECTS;
		EMIT(p, buffer_store, IMM(0), OFF, IMM(3), LIT(4), OFF, LIT(0x11), LIT(0x22), LIT(0x33), LIT(0x44));
		for (unsigned c = 0; c < 4; c++)
			EMIT(p, mov, V(c), LIT(0));
		bench_open(&b);
		data = buffer(&b.r, NULL, 32);
		use(&b, vs(), ps_end(p), &parameter, 1, NULL, 0);
		if (root) {
			kiln_cmd_root_uav(b.r.list, 0, data, 8);
		} else {
			cr_assert(kiln_descriptor_uav(b.views, 0, data, &(struct kiln_view_desc){.FirstElement = 2}, NULL, 0, b.r.diags));
			kiln_cmd_root_table(b.r.list, 0, b.views, 0);
		}
		draw(&b.r, half, 3);
		run(&b.r);
		const uint32_t want[8] = {0, 0, 0, 0x11, 0x22, 0, 0, 0};
		cr_expect_arr_eq(kiln_resource_data(data, NULL, NULL), want, sizeof want);
		bench_close(&b);
	}
}

/* ---- what is refused before the draw ---- */

static void nothing(struct bench *b) { (void)b; }
static void other_heap(struct bench *b) { kiln_cmd_root_table(b->r.list, 0, b->samplers, 0); }
static void at_the_end(struct bench *b) { kiln_cmd_root_table(b->r.list, 0, b->views, 15); }
static void unset(struct bench *b) { kiln_cmd_root_table(b->r.list, 0, b->views, 0); }
static void view(struct bench *b, struct kiln_resource *r, struct kiln_view_desc d)
{
	srv(b, 1, r, d);
	kiln_cmd_root_table(b->r.list, 0, b->views, 0);
}
#define BUFFER_VIEW(name, ...) \
	static void name(struct bench *b) { view(b, buffer(&b->r, NULL, 16), (struct kiln_view_desc){__VA_ARGS__}); }
BUFFER_VIEW(typed, .Format = KILN_FORMAT_R32_FLOAT)
BUFFER_VIEW(of_integers, .Format = KILN_FORMAT_R8_UINT)
BUFFER_VIEW(raw, .Format = 0)
BUFFER_VIEW(stride_4, .StructureByteStride = 4)
BUFFER_VIEW(stride_8, .StructureByteStride = 8)
static void null(struct bench *b) { view(b, NULL, (struct kiln_view_desc){0}); }
static void of_texture(struct bench *b) { view(b, pixel(b, 1), (struct kiln_view_desc){0}); }
static void a_uav(struct bench *b)
{
	cr_assert(kiln_descriptor_uav(b->views, 1, one_float(b, 1), &as_float, NULL, 0, b->r.diags));
	kiln_cmd_root_table(b->r.list, 0, b->views, 0);
}

Test(binding, refused_draws)
{
	static const struct {
		uint8_t kind;
		void (*set)(struct bench *);
		uint32_t number;
	} rows[] = {
		{ISA_KIND_TYPED_BUFFER, typed, 0}, {ISA_KIND_TYPED_BUFFER, null, 0}, {ISA_KIND_TYPED_BUFFER, nothing, 5032},
		{ISA_KIND_TYPED_BUFFER, other_heap, 5035}, {ISA_KIND_TYPED_BUFFER, at_the_end, 5034},
		{ISA_KIND_TYPED_BUFFER, unset, 5033}, {ISA_KIND_TYPED_BUFFER, a_uav, 5035}, {ISA_KIND_TYPED_BUFFER, of_integers, 5036},
		{ISA_KIND_TYPED_BUFFER, of_texture, 5035}, {ISA_KIND_TYPED_BUFFER, raw, 5035}, {ISA_KIND_RAW_BUFFER, typed, 5035},
		{ISA_KIND_RAW_BUFFER, stride_4, 5035}, {ISA_KIND_RAW_BUFFER, raw, 0}, {ISA_KIND_STRUCTURED_BUFFER, raw, 5035},
		{ISA_KIND_STRUCTURED_BUFFER, stride_4, 5035}, {ISA_KIND_STRUCTURED_BUFFER, typed, 5035},
		{ISA_KIND_STRUCTURED_BUFFER, stride_8, 0},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct isa_resource r = {.name = "b", .cls = ISA_SRV, .kind = rows[i].kind, .count = 1,
			.type = rows[i].kind == ISA_KIND_TYPED_BUFFER ? F32 : 0,
			.stride_or_size = rows[i].kind == ISA_KIND_STRUCTURED_BUFFER ? 8 : 0};
		struct root_range ranges[] = {RANGE(0, 4, 0, 1)};
		bool ok;
		struct bench b;

		bench_open(&b);
		use(&b, vs(), ps_buffer(r, OFF, 0, LIT(0)), &TABLE(ranges), 1, NULL, 0);
		rows[i].set(&b);
		draw(&b.r, half, 3);
		ok = kiln_execute(b.r.device, b.r.list, NULL, b.r.diags);
		cr_expect_eq(ok, rows[i].number == 0 || rows[i].number == 5036, "row %zu", i);
		cr_expect_eq(kiln_diags_count(b.r.diags), rows[i].number != 0, "row %zu: %zu", i, kiln_diags_count(b.r.diags));
		cr_expect(!rows[i].number || kiln_diags_has(b.r.diags, rows[i].number), "row %zu: %u", i,
			kiln_diags_count(b.r.diags) ? kiln_diags_get(b.r.diags, 0)->number : 0);
		bench_close(&b);
	}
}

/* Root descriptors and root constants where they are not set, and samplers of the wrong kind. */
Test(binding, root_descriptors_not_set)
{
	static const struct { uint8_t type, cls, kind; } rows[] = {
		{3, ISA_SRV, ISA_KIND_RAW_BUFFER}, {4, ISA_UAV, ISA_KIND_RAW_BUFFER}, {3, ISA_SRV, ISA_KIND_STRUCTURED_BUFFER}};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct isa_resource r = {.name = "b", .cls = rows[i].cls, .kind = rows[i].kind, .count = 1, .stride_or_size = 4};
		struct root_parameter parameter = {.type = rows[i].type};
		struct bench b;

		bench_open(&b);
		use(&b, vs(), ps_buffer(r, OFF, 0, LIT(0)), &parameter, 1, NULL, 0);
		if (rows[i].type == 3)
			kiln_cmd_root_uav(b.r.list, 0, buffer(&b.r, NULL, 4), 0); /* of the wrong kind */
		draw(&b.r, half, 3);
		cr_expect_not(kiln_execute(b.r.device, b.r.list, NULL, b.r.diags), "row %zu", i);
		cr_expect(kiln_diags_has(b.r.diags, DIAG_ROOT_PARAMETER_NOT_SET), "row %zu", i);
		bench_close(&b);
	}
}

/* Both shaders may carry a root signature; it must be the same. */
Test(binding, embedded_root_signatures_differ)
{
	static const uint32_t words[] = {2, 0, 24, 0, 24, 1};
	struct bench b;

	for (int same = 0; same < 2; same++) {
		struct kiln_shader *s[2];
		struct kiln_pso_desc d = {.name = "test"};
		struct kiln_pso *made;

		bench_open(&b);
		s[0] = shader(&b.r, vs());
		s[1] = shader(&b.r, ps_color(ISA_F32, ISA_INTERP_LINEAR));
		for (int i = 0; i < 2; i++) {
			s[i]->root = mem_alloc(s[i]->root_size = sizeof words);
			memcpy(s[i]->root, words, sizeof words);
		}
		s[1]->root[20] ^= same ? 0 : 2;
		d.state = b.r.state;
		d.VS = s[0];
		d.PS = s[1];
		made = kiln_pso_create(b.r.device, &d, b.r.diags);
		cr_expect_eq(made != NULL, same);
		cr_expect_eq(kiln_diags_has(b.r.diags, DIAG_ROOT_SIGNATURES_DIFFER), !same);
		kiln_pso_destroy(made);
		bench_close(&b);
	}
}
