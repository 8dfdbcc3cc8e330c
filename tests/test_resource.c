/* Memory of textures and buffers: layouts, writing, mips, copies, and the clears of views, against values worked out by hand
 * from D3D12's subresource order, the format rules (facts section 4) and include/kiln/kiln.h. */
#include "sim/sim.h"
#include <criterion/criterion.h>
#include <string.h>

static struct kiln_device *device;
static struct kiln_diags *diags;

static void open_device(void)
{
	device = kiln_device_create(NULL);
	diags = kiln_diags_create();
}

static void close_device(void)
{
	kiln_diags_destroy(diags);
	kiln_device_destroy(device);
}

static struct kiln_resource *texture(struct kiln_texture_desc desc)
{
	struct kiln_resource *r = kiln_texture_create(device, "t", &desc, diags);

	cr_assert_not_null(r, "%s", kiln_diags_count(diags) ? kiln_diags_get(diags, 0)->text : "");
	return r;
}

#define DESC(format, w, h, d, mips, samples, dimension) \
	{KILN_FORMAT_##format, w, h, d, mips, {samples, 0}, KILN_DIMENSION_##dimension}

TestSuite(resource, .init = open_device, .fini = close_device);

Test(resource, layouts)
{
	static const struct {
		struct kiln_texture_desc desc;
		uint32_t count, at;           /* subresources, and the one that is looked at */
		size_t offset;
		struct kiln_subresource want; /* width, height, depth, size, pitches */
	} rows[] = {
		{DESC(R8G8B8A8_UNORM, 5, 3, 2, 3, 0, DEFAULT), 6, 0, 0, {5, 3, 1, 60, 20, 60}},
		{DESC(R8G8B8A8_UNORM, 5, 3, 2, 3, 0, DEFAULT), 6, 1, 60, {2, 1, 1, 8, 8, 8}},
		{DESC(R8G8B8A8_UNORM, 5, 3, 2, 3, 0, DEFAULT), 6, 2, 68, {1, 1, 1, 4, 4, 4}},
		{DESC(R8G8B8A8_UNORM, 5, 3, 2, 3, 0, DEFAULT), 6, 3, 72, {5, 3, 1, 60, 20, 60}},
		{DESC(R8G8B8A8_UNORM, 5, 3, 2, 3, 0, DEFAULT), 6, 4, 132, {2, 1, 1, 8, 8, 8}},
		{DESC(R8_UINT, 4, 2, 3, 3, 0, TEXTURE3D), 3, 0, 0, {4, 2, 3, 24, 4, 8}},
		{DESC(R8_UINT, 4, 2, 3, 3, 0, TEXTURE3D), 3, 1, 24, {2, 1, 1, 2, 2, 2}},
		{DESC(R8_UINT, 4, 2, 3, 3, 0, TEXTURE3D), 3, 2, 26, {1, 1, 1, 1, 1, 1}},
		{DESC(R16_FLOAT, 7, 0, 3, 3, 0, TEXTURE1D), 9, 7, 58, {3, 1, 1, 6, 6, 6}},
		{DESC(R32G32B32_FLOAT, 2, 2, 6, 2, 1, TEXTURE2D), 12, 11, 348, {1, 1, 1, 12, 12, 12}},
		{DESC(R8G8B8A8_UNORM, 2, 2, 2, 1, 4, TEXTURE2D), 2, 1, 64, {2, 2, 1, 64, 32, 64}},
		{DESC(R32G8X24_TYPELESS, 3, 1, 1, 1, 1, TEXTURE2D), 1, 0, 0, {3, 1, 1, 24, 24, 24}},
		{DESC(B5G6R5_UNORM, 16384, 1, 1, 15, 1, TEXTURE2D), 15, 14, 65532, {1, 1, 1, 2, 2, 2}},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_resource *r = texture(rows[i].desc);
		struct kiln_subresource got;
		const uint8_t *first = kiln_resource_data(r, NULL, NULL);
		const uint8_t *at = kiln_resource_subresource_data(r, rows[i].at, &got);
		const struct kiln_subresource *w = &rows[i].want;

		cr_expect_eq(kiln_resource_subresources(r), rows[i].count, "row %zu", i);
		cr_expect_eq(at - first, (ptrdiff_t)rows[i].offset, "row %zu: at %td", i, at - first);
		cr_expect(got.Width == w->Width && got.Height == w->Height && got.Depth == w->Depth && got.size == w->size &&
				got.row_pitch == w->row_pitch && got.slice_pitch == w->slice_pitch,
			"row %zu: %u x %u x %u, %zu, %zu, %zu", i, got.Width, got.Height, got.Depth, got.size, got.row_pitch,
			got.slice_pitch);
		cr_expect_null(kiln_resource_subresource_data(r, rows[i].count, NULL));
		kiln_resource_destroy(r);
	}
	struct kiln_resource *b = kiln_buffer_create(device, "b", 10, "0123456789");
	struct kiln_subresource got;
	cr_expect_arr_eq(kiln_resource_subresource_data(b, 0, &got), "0123456789", 10);
	cr_expect(got.Width == 10 && got.Height == 1 && got.size == 10 && got.row_pitch == 10);
	cr_expect_eq(kiln_resource_subresources(b), 1);
	kiln_resource_destroy(b);
}

Test(resource, refused_descriptions)
{
	static const struct kiln_texture_desc rows[] = {
		DESC(R8_UNORM, 4, 4, 1, 4, 0, DEFAULT),         /* 4 -> 2 -> 1 are three mips */
		DESC(R8_UNORM, 4, 2, 8, 5, 0, TEXTURE3D),       /* 8 -> 4 -> 2 -> 1 are four */
		DESC(R8_UNORM, 2049, 1, 1, 1, 0, TEXTURE3D), DESC(R8_UNORM, 1, 1, 2049, 1, 0, DEFAULT),
		DESC(R8_UNORM, 8, 2, 1, 1, 0, TEXTURE1D), DESC(D32_FLOAT, 2, 2, 2, 1, 0, TEXTURE3D),
		DESC(R8_UNORM, 4, 4, 1, 2, 4, DEFAULT), DESC(R8_UNORM, 4, 1, 1, 1, 2, TEXTURE1D), DESC(R8_UNORM, 4, 4, 1, 1, 6, DEFAULT),
		DESC(R32G32B32_FLOAT, 4, 4, 1, 1, 4, DEFAULT), DESC(BC7_TYPELESS, 4, 4, 1, 1, 0, DEFAULT),
		DESC(NV12, 4, 4, 1, 1, 0, DEFAULT),
		DESC(R10G10B10_XR_BIAS_A2_UNORM, 4, 4, 1, 1, 0, DEFAULT), DESC(R8G8_B8G8_UNORM, 4, 4, 1, 1, 0, DEFAULT),
		DESC(R32G32B32A32_FLOAT, 16384, 16384, 1, 1, 0, DEFAULT), {KILN_FORMAT_R8_UNORM, 1, 1, 1, 1, {1, 0}, 5},
		{KILN_FORMAT_R8_UNORM, 1, 1, 1, 1, {1, 0}, 1},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		kiln_diags_clear(diags);
		cr_expect_null(kiln_texture_create(device, "t", &rows[i], diags), "row %zu", i);
		cr_expect(kiln_diags_has(diags, DIAG_TEXTURE_DESC_INVALID), "row %zu", i);
	}
}

static uint32_t code_at(struct kiln_resource *r, uint32_t subresource, size_t byte)
{
	return ((const uint8_t *)kiln_resource_subresource_data(r, subresource, NULL))[byte];
}

Test(resource, writing)
{
	struct kiln_resource *r = texture((struct kiln_texture_desc)DESC(R8_UINT, 3, 2, 2, 2, 0, TEXTURE3D));
	struct kiln_resource *array = texture((struct kiln_texture_desc)DESC(R8_UINT, 2, 2, 3, 2, 0, DEFAULT));
	struct kiln_resource *many = texture((struct kiln_texture_desc)DESC(R8_UINT, 2, 2, 1, 1, 4, DEFAULT));
	struct kiln_resource *typeless = texture((struct kiln_texture_desc)DESC(R8_TYPELESS, 2, 2, 1, 1, 1, DEFAULT));
	struct kiln_resource *b = kiln_buffer_create(device, "b", 4, "abcd");
	/* rows 5 bytes apart, depth slices 12 */
	static const uint8_t data[] = {1, 2, 3, 0, 0, 4, 5, 6, 0, 0, 0, 0, 7, 8, 9, 0, 0, 10, 11, 12};
	uint32_t rgba[4];

	cr_assert(kiln_texture_write(r, 0, data, 5, 12, diags));
	for (unsigned i = 0; i < 12; i++)
		cr_expect_eq(code_at(r, 0, i), i + 1);
	cr_assert(kiln_texture_write(r, 1, "\x21", 0, 0, diags));
	cr_expect_eq(code_at(r, 1, 0), 0x21);
	cr_assert(kiln_resource_subresource_texel(r, 0, 2, 1, 1, 0, rgba));
	cr_expect(rgba[0] == 12 && rgba[1] == 0 && rgba[3] == 1);
	cr_assert(kiln_resource_subresource_texel(r, 1, 0, 0, 0, 0, rgba));
	cr_expect_eq(rgba[0], 0x21);
	cr_expect_not(kiln_resource_subresource_texel(r, 1, 1, 0, 0, 0, rgba));
	cr_expect_not(kiln_resource_subresource_texel(r, 0, 0, 0, 2, 0, rgba));
	cr_expect_not(kiln_resource_subresource_texel(r, 2, 0, 0, 0, 0, rgba));
	cr_expect_not(kiln_resource_texel(typeless, 0, 0, rgba));
	cr_expect_not(kiln_resource_texel(b, 0, 0, rgba));

	cr_assert(kiln_texture_write(array, 4, "wxyz", 0, 0, diags)); /* slice 2, mip 0 */
	cr_expect_arr_eq(kiln_resource_subresource_data(array, 4, NULL), "wxyz", 4);
	cr_expect(code_at(array, 2, 0) == 0 && code_at(array, 3, 0) == 0 && code_at(array, 5, 0) == 0);
	cr_assert(kiln_buffer_write(b, 1, "XY", 2, diags));
	cr_expect_arr_eq(kiln_resource_data(b, NULL, NULL), "aXYd", 4);
	cr_assert(kiln_buffer_write(b, 4, NULL, 0, diags));
	cr_assert_eq(kiln_diags_count(diags), 0);

	cr_expect_not(kiln_texture_write(array, 6, "wxyz", 0, 0, diags));
	cr_expect_not(kiln_texture_write(array, 0, "wxyz", 1, 0, diags));
	cr_expect_not(kiln_texture_write(r, 0, data, 3, 5, diags));
	cr_expect_not(kiln_texture_write(many, 0, "wxyz", 0, 0, diags));
	cr_expect_not(kiln_texture_write(b, 0, "wxyz", 0, 0, diags));
	cr_expect_not(kiln_buffer_write(b, 3, "XY", 2, diags));
	cr_expect_not(kiln_buffer_write(b, SIZE_MAX, "XY", 2, diags));
	cr_expect_not(kiln_buffer_write(r, 0, "XY", 2, diags));
	cr_assert_eq(kiln_diags_count(diags), 8);
	for (size_t i = 0; i < 8; i++)
		cr_expect_eq(kiln_diags_get(diags, i)->number, DIAG_RESOURCE_WRITE_INVALID);
	kiln_resource_destroy(r);
	kiln_resource_destroy(array);
	kiln_resource_destroy(many);
	kiln_resource_destroy(typeless);
	kiln_resource_destroy(b);
}

/* ---- mips ---- */

/* A row of texels halved: the codes above and below. */
Test(resource, mips_of_rows)
{
	static const struct {
		uint32_t format, view, width;
		uint8_t above[16], want[8];
		size_t bytes;
	} rows[] = {
		/* (0 + 255) / 2 = 127.5 rounds up; (3 + 4) / 2 likewise */
		{KILN_FORMAT_R8_UNORM, 0, 4, {0, 255, 3, 4}, {128, 4}, 2},
		/* five to two: (2 a + 2 b + c) / 5 and (c + 2 d + 2 e) / 5: (20 + 40 + 30) / 5 = 18 and (30 + 80 + 100) / 5 = 42 */
		{KILN_FORMAT_R8_UNORM, 0, 5, {10, 20, 30, 40, 50}, {18, 42}, 2},
		/* three to one is the plain mean: 104 / 3 = 34.67 */
		{KILN_FORMAT_R8_UNORM, 0, 3, {1, 3, 100}, {35}, 1},
		/* linear 0 and 1 meet at 0.5, which is sRGB code 188 (187.52); alpha is linear */
		{KILN_FORMAT_R8G8B8A8_UNORM_SRGB, 0, 2, {0, 255, 0, 0, 255, 255, 0, 255}, {188, 255, 0, 128}, 4},
		/* the same memory as UNORM */
		{KILN_FORMAT_R8G8B8A8_UNORM_SRGB, KILN_FORMAT_R8G8B8A8_UNORM, 2, {0, 255, 0, 0, 255, 255, 0, 255}, {128, 255, 0, 128}, 4},
		{KILN_FORMAT_R8_TYPELESS, KILN_FORMAT_R8_SNORM, 2, {0x7f, 0xfe}, {63}, 1}, /* (127 - 2) / 2 = 62.5 */
		/* half 1 and 1 + 2^-10: the mean 1 + 2^-11 is no half and goes toward zero */
		{KILN_FORMAT_R16_FLOAT, 0, 2, {0x00, 0x3c, 0x01, 0x3c}, {0x00, 0x3c}, 2},
		{KILN_FORMAT_R32_FLOAT, 0, 2, {0, 0, 0x80, 0x3f, 0, 0, 0x40, 0x40}, {0, 0, 0, 0x40}, 4}, /* 1 and 3: 2 */
		{KILN_FORMAT_R32_FLOAT, 0, 2, {0, 0, 0xc0, 0x7f, 0, 0, 0x40, 0x40}, {0, 0, 0xc0, 0x7f}, 4}, /* NaN */
		{KILN_FORMAT_R32_FLOAT, 0, 2, {0xff, 0xff, 0x7f, 0x7f, 0xff, 0xff, 0x7f, 0x7f}, {0xff, 0xff, 0x7f, 0x7f}, 4},
		/* 2^-16 (denormal half 0x0100) and 0: 2^-17 */
		{KILN_FORMAT_R16_FLOAT, 0, 2, {0x00, 0x01, 0x00, 0x00}, {0x80, 0x00}, 2},
		/* 5-6-5: R 31 and 0, G 63 and 1, B 0 and 2: 15.5 -> 16, 32, 1 */
		{KILN_FORMAT_B5G6R5_UNORM, 0, 2, {0xe0, 0xff, 0x22, 0x00}, {0x01, 0x84}, 2},
		{KILN_FORMAT_R9G9B9E5_SHAREDEXP, 0, 2, {0x00, 0x01, 0x00, 0x80, 0x00, 0x01, 0x00, 0x80}, {0x00, 0x01, 0x00, 0x80}, 4},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_resource *r =
			texture((struct kiln_texture_desc){.Format = rows[i].format, .Width = rows[i].width, .Height = 1, .MipLevels = 2});
		const uint8_t *got;

		cr_assert(kiln_texture_write(r, 0, rows[i].above, 0, 0, diags));
		cr_assert(kiln_texture_generate_mips(r, rows[i].view, diags), "row %zu", i);
		got = kiln_resource_subresource_data(r, 1, NULL);
		for (size_t k = 0; k < rows[i].bytes; k++)
			cr_expect_eq(got[k], rows[i].want[k], "row %zu byte %zu: %u", i, k, got[k]);
		kiln_resource_destroy(r);
	}
	cr_assert_eq(kiln_diags_count(diags), 0);
}

static void write_floats(struct kiln_resource *r, uint32_t subresource, const float *v)
{
	cr_assert(kiln_texture_write(r, subresource, v, 0, 0, diags));
}

static float float_at(struct kiln_resource *r, uint32_t subresource, size_t i)
{
	float f;

	memcpy(&f, (const uint8_t *)kiln_resource_subresource_data(r, subresource, NULL) + 4 * i, 4);
	return f;
}

Test(resource, mips_of_planes_volumes_and_arrays)
{
	/* 3x3 to 1x1: all nine alike; 2x3 to 1x1: six alike */
	struct kiln_resource *r = texture((struct kiln_texture_desc)DESC(R32_FLOAT, 3, 3, 1, 2, 1, DEFAULT));
	write_floats(r, 0, (const float[]){1, 2, 3, 4, 5, 6, 7, 8, 18});
	cr_assert(kiln_texture_generate_mips(r, 0, diags));
	cr_expect_eq(float_at(r, 1, 0), 6); /* 54 / 9 */
	kiln_resource_destroy(r);

	/* 5x2 to 2x1 to 1x1: columns as in mips_of_rows, rows alike; the last from the one above it */
	r = texture((struct kiln_texture_desc)DESC(R32_FLOAT, 5, 2, 1, 3, 1, DEFAULT));
	write_floats(r, 0, (const float[]){10, 20, 30, 40, 50, 110, 120, 130, 140, 150});
	cr_assert(kiln_texture_generate_mips(r, 0, diags));
	cr_expect(float_at(r, 1, 0) == 68 && float_at(r, 1, 1) == 92 && float_at(r, 2, 0) == 80);
	kiln_resource_destroy(r);

	/* 2x2x3 to 1x1x1: depth 3 to 1 weighs alike */
	r = texture((struct kiln_texture_desc)DESC(R32_FLOAT, 2, 2, 3, 2, 1, TEXTURE3D));
	write_floats(r, 0, (const float[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
	cr_assert(kiln_texture_generate_mips(r, 0, diags));
	cr_expect_eq(float_at(r, 1, 0), 6.5f);
	kiln_resource_destroy(r);

	/* each slice for itself */
	r = texture((struct kiln_texture_desc)DESC(R32_FLOAT, 2, 2, 2, 2, 1, DEFAULT));
	write_floats(r, 0, (const float[]){1, 2, 3, 6});
	write_floats(r, 2, (const float[]){10, 20, 30, 60});
	cr_assert(kiln_texture_generate_mips(r, 0, diags));
	cr_expect(float_at(r, 1, 0) == 3 && float_at(r, 3, 0) == 30);
	kiln_resource_destroy(r);
	cr_assert_eq(kiln_diags_count(diags), 0);
}

Test(resource, mips_refused)
{
	static const struct {
		struct kiln_texture_desc desc;
		uint32_t view;
	} rows[] = {
		{DESC(R8_UINT, 2, 2, 1, 2, 1, DEFAULT), 0}, {DESC(D32_FLOAT, 2, 2, 1, 2, 1, DEFAULT), 0},
		{DESC(R32_TYPELESS, 2, 2, 1, 2, 1, DEFAULT), 0}, {DESC(R32_TYPELESS, 2, 2, 1, 2, 1, DEFAULT), KILN_FORMAT_R16G16_FLOAT},
		{DESC(R8_UNORM, 2, 2, 1, 2, 1, DEFAULT), KILN_FORMAT_R8_SNORM}, {DESC(R8_UNORM, 2, 2, 1, 2, 1, DEFAULT), 999},
		{DESC(R8_UNORM, 2, 2, 1, 1, 4, DEFAULT), 0},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_resource *r = texture(rows[i].desc);

		kiln_diags_clear(diags);
		cr_expect_not(kiln_texture_generate_mips(r, rows[i].view, diags), "row %zu", i);
		cr_expect(kiln_diags_has(diags, DIAG_MIPS_INVALID), "row %zu", i);
		kiln_resource_destroy(r);
	}
	struct kiln_resource *b = kiln_buffer_create(device, "b", 4, NULL);
	cr_expect_not(kiln_texture_generate_mips(b, 0, diags));
	cr_expect_not(kiln_texture_generate_mips(b, KILN_FORMAT_R8_UNORM, diags));
	kiln_resource_destroy(b);
}

/* ---- commands on views ---- */

Test(resource, clears_of_views)
{
	/* two slices, two mips: mip 1 of slice 1 is subresource 3 */
	struct kiln_resource *color = texture((struct kiln_texture_desc)DESC(R8_TYPELESS, 2, 2, 2, 2, 1, DEFAULT));
	struct kiln_resource *depth = texture((struct kiln_texture_desc)DESC(R16_TYPELESS, 1, 1, 3, 1, 1, DEFAULT));
	struct kiln_resource *volume = texture((struct kiln_texture_desc)DESC(R8_UNORM, 1, 1, 4, 1, 1, TEXTURE3D));
	struct kiln_resource *whole = texture((struct kiln_texture_desc)DESC(R8_UNORM, 2, 1, 2, 2, 1, DEFAULT));
	struct kiln_commands *c = kiln_commands_create(device);
	const float one[4] = {1, 1, 1, 1};
	struct kiln_target_view v = {color, {.Format = KILN_FORMAT_R8_UNORM, .MostDetailedMip = 1, .FirstArraySlice = 1}};

	kiln_cmd_clear_color_view(c, &v, one);
	v = (struct kiln_target_view){depth, {.Format = KILN_FORMAT_D16_UNORM, .FirstArraySlice = 1, .ArraySize = 1}};
	kiln_cmd_clear_depth_view(c, &v, 1);
	v = (struct kiln_target_view){volume, {.FirstArraySlice = 1, .ArraySize = 2}};
	kiln_cmd_clear_color_view(c, &v, one);
	kiln_cmd_clear_color(c, whole, one);
	cr_assert(kiln_execute(device, c, NULL, diags), "%s", kiln_diags_count(diags) ? kiln_diags_get(diags, 0)->text : "");
	for (uint32_t s = 0; s < 4; s++)
		cr_expect_eq(code_at(color, s, 0), s == 3 ? 255 : 0, "subresource %u", s);
	cr_expect_arr_eq(kiln_resource_data(depth, NULL, NULL), "\0\0", 2);
	cr_expect_arr_eq(kiln_resource_subresource_data(depth, 1, NULL), "\xff\xff", 2);
	cr_expect_arr_eq(kiln_resource_subresource_data(depth, 2, NULL), "\0\0", 2);
	cr_expect_arr_eq(kiln_resource_data(volume, NULL, NULL), "\0\xff\xff\0", 4);
	/* the whole texture is mip 0 of all slices, as D3D12's default view */
	cr_expect(code_at(whole, 0, 1) == 255 && code_at(whole, 1, 0) == 0 && code_at(whole, 2, 0) == 255);
	kiln_commands_destroy(c);
	kiln_resource_destroy(color);
	kiln_resource_destroy(depth);
	kiln_resource_destroy(volume);
	kiln_resource_destroy(whole);
}

Test(resource, copies_and_mips_in_order)
{
	struct kiln_resource *a = texture((struct kiln_texture_desc)DESC(R8G8_UNORM, 2, 2, 1, 2, 1, DEFAULT));
	struct kiln_resource *b = texture((struct kiln_texture_desc)DESC(R8G8_UINT, 1, 1, 4, 1, 1, DEFAULT));
	struct kiln_commands *c = kiln_commands_create(device);

	kiln_cmd_clear_color(c, a, (const float[4]){1, 0, 0, 0});
	kiln_cmd_generate_mips(c, a, 0);
	kiln_cmd_copy(c, b, 2, a, 1);
	cr_assert(kiln_execute(device, c, NULL, diags));
	cr_expect(code_at(b, 2, 0) == 255 && code_at(b, 2, 1) == 0 && code_at(b, 1, 0) == 0 && code_at(b, 3, 0) == 0);
	kiln_commands_destroy(c);
	kiln_resource_destroy(a);
	kiln_resource_destroy(b);
}

/* Each row: a command that is refused, and the number of its diagnostic. */
static struct kiln_resource *t, *buffer;
static void copy_itself(struct kiln_commands *c) { kiln_cmd_copy(c, t, 0, t, 0); }
static void copy_sizes(struct kiln_commands *c) { kiln_cmd_copy(c, t, 1, t, 0); }
static void copy_nothing(struct kiln_commands *c) { kiln_cmd_copy(c, t, 0, NULL, 0); }
static void copy_past(struct kiln_commands *c) { kiln_cmd_copy(c, t, 4, t, 0); }
static void copy_kinds(struct kiln_commands *c) { kiln_cmd_copy(c, t, 0, buffer, 0); }
static void mips_of_nothing(struct kiln_commands *c) { kiln_cmd_generate_mips(c, NULL, 0); }
static void mips_of_integers(struct kiln_commands *c) { kiln_cmd_generate_mips(c, t, KILN_FORMAT_R8_UINT); }
static void target(struct kiln_commands *c, struct kiln_view_desc view)
{
	kiln_cmd_render_target_views(c, 1, &(struct kiln_target_view){t, view}, NULL);
}
static void target_mip(struct kiln_commands *c) { target(c, (struct kiln_view_desc){.MostDetailedMip = 2}); }
static void target_slices(struct kiln_commands *c)
{
	target(c, (struct kiln_view_desc){.FirstArraySlice = 1, .ArraySize = 2});
}
static void target_slice(struct kiln_commands *c) { target(c, (struct kiln_view_desc){.FirstArraySlice = 2}); }
static void target_format(struct kiln_commands *c) { target(c, (struct kiln_view_desc){.Format = KILN_FORMAT_R8G8_UNORM}); }
static void target_class(struct kiln_commands *c) { target(c, (struct kiln_view_desc){.Format = KILN_FORMAT_R8_SNORM}); }
static void target_cube(struct kiln_commands *c)
{
	target(c, (struct kiln_view_desc){.ViewDimension = KILN_VIEW_TEXTURECUBE});
}
static void target_buffer(struct kiln_commands *c) { kiln_cmd_render_targets(c, 1, &buffer, NULL); }
static void target_twice(struct kiln_commands *c)
{
	const struct kiln_target_view v[] = {{t, {.ArraySize = 0}}, {t, {.FirstArraySlice = 1, .ArraySize = 1}}};

	kiln_cmd_render_target_views(c, 2, v, NULL);
}
static void color_as_depth(struct kiln_commands *c) { kiln_cmd_clear_depth(c, t, 1); }
static void clear_nothing(struct kiln_commands *c) { kiln_cmd_clear_color(c, NULL, (const float[4]){0}); }

Test(resource, refused_commands)
{
	static const struct {
		void (*record)(struct kiln_commands *);
		uint32_t number;
	} rows[] = {
		{copy_itself, 5042}, {copy_sizes, 5042}, {copy_nothing, 5042}, {copy_past, 5042}, {copy_kinds, 5042},
		{mips_of_nothing, 5014}, {mips_of_integers, 5041}, {target_mip, 5030}, {target_slices, 5030}, {target_slice, 5030},
		{target_format, 5010}, {target_class, 5010}, {target_cube, 5030}, {target_buffer, 5010}, {target_twice, 5010},
		{color_as_depth, 5010}, {clear_nothing, 5010},
	};

	t = texture((struct kiln_texture_desc)DESC(R8_UNORM, 2, 2, 2, 2, 1, DEFAULT));
	buffer = kiln_buffer_create(device, "b", 4, NULL);
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_commands *c = kiln_commands_create(device);

		rows[i].record(c);
		kiln_diags_clear(diags);
		cr_expect_not(kiln_execute(device, c, NULL, diags), "row %zu", i);
		cr_expect(kiln_diags_has(diags, rows[i].number), "row %zu: %u", i,
			kiln_diags_count(diags) ? kiln_diags_get(diags, 0)->number : 0);
		kiln_commands_destroy(c);
	}
	kiln_resource_destroy(t);
	kiln_resource_destroy(buffer);
}

/* ---- formats ---- */

Test(resource, casts)
{
#define CAST(a, b, may) {KILN_FORMAT_##a, KILN_FORMAT_##b, may}
	static const struct { uint16_t of, as; bool ok; } rows[] = {
		CAST(R8G8B8A8_TYPELESS, R8G8B8A8_SNORM, true),
		CAST(R8G8B8A8_UNORM, R8G8B8A8_UNORM_SRGB, true),
		CAST(R8G8B8A8_UNORM, R8G8B8A8_UINT, true),
		CAST(R8G8B8A8_SINT, R8G8B8A8_UNORM, true),
		CAST(R8G8B8A8_UNORM, R8G8B8A8_SNORM, false),
		CAST(R8G8B8A8_UNORM, R8G8B8A8_TYPELESS, false),
		CAST(R8G8B8A8_TYPELESS, B8G8R8A8_UNORM, false),
		CAST(B8G8R8A8_TYPELESS, B8G8R8A8_UNORM, true),
		CAST(B8G8R8A8_UNORM, B8G8R8A8_UNORM_SRGB, true),
		CAST(B8G8R8X8_UNORM_SRGB, B8G8R8A8_UNORM, false),
		CAST(B8G8R8X8_TYPELESS, B8G8R8X8_UNORM, true),
		CAST(R32_TYPELESS, D32_FLOAT, true),
		CAST(D32_FLOAT, R32_FLOAT, false),
		CAST(R32_UINT, R32_FLOAT, false),
		CAST(R32_FLOAT, R32_UINT, false),
		CAST(R24G8_TYPELESS, X24_TYPELESS_G8_UINT, true),
		CAST(R32G8X24_TYPELESS, R32_FLOAT_X8X24_TYPELESS, true),
		CAST(R24G8_TYPELESS, R32_FLOAT, false),
		CAST(R11G11B10_FLOAT, R10G10B10A2_UNORM, false),
		CAST(R10G10B10A2_TYPELESS, R10G10B10A2_UINT, true),
		CAST(R8_TYPELESS, A8_UNORM, false),
		CAST(A8_UNORM, A8_UNORM, true),
		CAST(B5G6R5_UNORM, B5G5R5A1_UNORM, false),
		CAST(R16_TYPELESS, D16_UNORM, true),
		{999, 999, false},
	};
#undef CAST

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		cr_expect_eq(format_castable(rows[i].of, rows[i].as), rows[i].ok, "row %zu", i);
}
