/* The sampler and texel loads against values worked out by hand from the rules (facts section 6): address modes, filters, LOD, shapes,
 * cubes, comparison, gather, formats. */
#include "sim/cube.h"
#include "sim/texture.h"
#include <criterion/criterion.h>
#include <string.h>

enum { POINT = 0, LINEAR = 0x14, MIP_LINEAR = 0x1, MAG_LINEAR = 4, MIN_LINEAR = 16, ANISOTROPIC = 0x55 };
enum { COMPARE = 0x80, MINIMUM = 0x100, MAXIMUM = 0x180 };

static struct kiln_device *device;
static struct kiln_diags *diags;
static unsigned saved;

static void begin(void)
{
	device = kiln_device_create(NULL);
	diags = kiln_diags_create();
	saved = fp_enter();
}

static void end(void)
{
	fp_leave(saved);
	kiln_diags_destroy(diags);
	kiln_device_destroy(device);
}

TestSuite(sampler, .init = begin, .fini = end);

static struct kiln_resource *make(struct kiln_texture_desc d)
{
	struct kiln_resource *r = kiln_texture_create(device, "t", &d, diags);

	cr_assert_not_null(r);
	return r;
}

static struct kiln_resource *make_floats(uint32_t width, uint32_t height, const float *texels)
{
	struct kiln_resource *r = make((struct kiln_texture_desc){.Format = KILN_FORMAT_R32_FLOAT, .Width = width, .Height = height});

	cr_assert(kiln_texture_write(r, 0, texels, 0, 0, diags));
	return r;
}

static struct view view_of(struct kiln_resource *r, uint32_t dimension)
{
	struct view v;

	cr_assert(view_srv(r, &(struct kiln_view_desc){.ViewDimension = dimension}, "", diags, &v));
	return v;
}

static struct kiln_sampler_desc state(uint32_t filter, uint32_t mode)
{
	return (struct kiln_sampler_desc){.Filter = filter, .AddressU = mode, .AddressV = mode, .AddressW = mode, .MaxLOD = 100,
		.MaxAnisotropy = 16, .ComparisonFunc = KILN_COMPARISON_LESS, .BorderColor = {7, 0, 0, 1}};
}

static float sample(const struct view *v, const struct kiln_sampler_desc *s, struct sample_request r)
{
	uint32_t rgba[4];

	sampler_sample(v, s, &r, rgba);
	return bits_float(rgba[0]);
}

#define AT(...) (struct sample_request){.coordinate = {__VA_ARGS__}, .has_lod = true}

Test(sampler, address_modes)
{
	static const struct { uint32_t filter, mode; float u; int32_t offset; float want; } rows[] = {
		{POINT, 1, -0.1f, 0, 40}, {POINT, 1, 1.3f, 0, 20}, {POINT, 1, 0, 0, 10}, {POINT, 1, 1, 0, 10}, {POINT, 1, 0.3f, -3, 30},
		{POINT, 2, -0.1f, 0, 10}, {POINT, 2, 1.1f, 0, 40}, {POINT, 2, 2.1f, 0, 10}, {POINT, 2, -1.1f, 0, 40}, {POINT, 2, 0.9f, 2, 30},
		{POINT, 3, -5, 0, 10}, {POINT, 3, 5, 0, 40}, {POINT, 3, 1e30f, 0, 40}, {POINT, 3, 0.5f, 0, 30}, {POINT, 3, 0.4999f, 0, 20},
		{POINT, 4, -0.01f, 0, 7}, {POINT, 4, 1, 0, 7}, {POINT, 4, 0.99f, 0, 40}, {POINT, 4, 0.99f, 1, 7},
		{POINT, 5, -0.3f, 0, 20}, {POINT, 5, -2, 0, 40}, {POINT, 5, 1.5f, 0, 40}, {POINT, 5, 0, -1, 10},
		{LINEAR, 3, 0.5f, 0, 25}, {LINEAR, 3, 0.25f, 0, 15}, {LINEAR, 3, 0.375f, 0, 20}, {LINEAR, 3, 0, 0, 10},
		{LINEAR, 1, 0, 0, 25}, {LINEAR, 1, 1, 0, 25}, {LINEAR, 2, 0, 0, 10}, {LINEAR, 4, 0, 0, 8.5f}, {LINEAR, 4, 1, 0, 23.5f},
		{LINEAR, 3, 0.25f, 1, 25}, {LINEAR, 4, 0.25f, 3, 23.5f}, {LINEAR, 5, -0.25f, 0, 15},
		/* the weight has eight bits: a quarter of a step is none, three quarters are one: 25 + 10 / 256 */
		{LINEAR, 3, 0.5f + 0.25f / 1024, 0, 25}, {LINEAR, 3, 0.5f + 0.75f / 1024, 0, 25.0390625f},
	};
	struct kiln_resource *r = make_floats(4, 1, (const float[]){10, 20, 30, 40});
	struct view v = view_of(r, KILN_VIEW_TEXTURE2D);

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_sampler_desc s = state(rows[i].filter, rows[i].mode);
		struct sample_request q = AT(rows[i].u, 0.5f);

		q.offset[0] = rows[i].offset;
		cr_expect_eq(sample(&v, &s, q), rows[i].want, "row %zu: %g", i, (double)sample(&v, &s, q));
	}
	/* texel coordinates; NaN and infinity are somewhere and no crash */
	struct kiln_sampler_desc s = state(LINEAR, 3);
	s.Flags = 2;
	cr_expect_eq(sample(&v, &s, AT(2, 0)), 25);
	for (uint32_t mode = 1; mode <= 5; mode++) {
		s = state(LINEAR, mode);
		sample(&v, &s, AT(bits_float(0x7fc00000), bits_float(0x7f800000)));
		sample(&v, &s, AT(bits_float(0xff800000), -1e38f));
	}
	kiln_resource_destroy(r);
}

Test(sampler, shapes)
{
	struct kiln_resource *plane = make_floats(2, 2, (const float[]){0, 1, 2, 3});
	struct kiln_resource *line = make((struct kiln_texture_desc){.Format = KILN_FORMAT_R32_FLOAT, .Width = 2,
		.DepthOrArraySize = 3, .Dimension = KILN_DIMENSION_TEXTURE1D});
	struct kiln_resource *volume = make((struct kiln_texture_desc){.Format = KILN_FORMAT_R32_FLOAT, .Width = 2, .Height = 2,
		.DepthOrArraySize = 2, .Dimension = KILN_DIMENSION_TEXTURE3D});
	struct kiln_resource *array = make((struct kiln_texture_desc){.Format = KILN_FORMAT_R32_FLOAT, .Width = 1, .Height = 1,
		.DepthOrArraySize = 4});
	struct kiln_sampler_desc s = state(LINEAR, 3);
	struct view v = view_of(plane, 0);

	for (uint32_t i = 0; i < 4; i++) {
		const float x = (float)i * 10;

		cr_assert(kiln_texture_write(array, i, &x, 0, 0, diags));
		cr_assert(i == 3 || kiln_texture_write(line, i, (const float[]){x, x + 1}, 0, 0, diags));
	}
	cr_assert(kiln_texture_write(volume, 0, (const float[]){0, 1, 2, 3, 4, 5, 6, 7}, 0, 0, diags));
	cr_expect_eq(sample(&v, &s, AT(0.5f, 0.5f)), 1.5f);
	cr_expect_eq(sample(&v, &s, AT(0.25f, 0.5f)), 1);
	cr_expect_eq(sample(&v, &s, AT(0.375f, 0.375f)), 0.75f); /* 0.25 of a texel both ways: 0.25 + 2 * 0.25 */
	v = view_of(volume, 0);
	cr_expect_eq(sample(&v, &s, AT(0.5f, 0.5f, 0.5f)), 3.5f);
	cr_expect_eq(sample(&v, &s, AT(0.25f, 0.25f, 0.5f)), 2);
	v = view_of(line, 0);
	cr_expect_eq(sample(&v, &s, AT(0.5f, 1)), 10.5f);
	v = view_of(array, 0);
	/* nearest even, clamped */
	cr_expect_eq(sample(&v, &s, AT(0.5f, 0.5f, 0.5f)), 0);
	cr_expect_eq(sample(&v, &s, AT(0.5f, 0.5f, 1.5f)), 20);
	cr_expect_eq(sample(&v, &s, AT(0.5f, 0.5f, 2.51f)), 30);
	cr_expect_eq(sample(&v, &s, AT(0.5f, 0.5f, -3)), 0);
	cr_expect_eq(sample(&v, &s, AT(0.5f, 0.5f, 1e9f)), 30);
	kiln_resource_destroy(plane);
	kiln_resource_destroy(line);
	kiln_resource_destroy(volume);
	kiln_resource_destroy(array);
}

/* Four mips of 8x8; mip m is all m + 1, but texel 0 of mip 0, which is 101. */
static struct kiln_resource *mipped(void)
{
	struct kiln_resource *r = make((struct kiln_texture_desc){.Format = KILN_FORMAT_R32_FLOAT, .Width = 8, .Height = 8,
		.MipLevels = 4});

	for (uint32_t m = 0; m < 4; m++) {
		float texels[64];

		for (int i = 0; i < 64; i++)
			texels[i] = (float)m + 1;
		texels[0] = m ? texels[0] : 101;
		cr_assert(kiln_texture_write(r, m, texels, 0, 0, diags));
	}
	return r;
}

Test(sampler, levels)
{
	static const struct { uint32_t filter; float lod, sampler_bias, bias, min, max, clamp, op_clamp, want; } rows[] = {
		{POINT, 0.49f, 0, 0, 0, 100, 0, 0, 1}, {POINT, 0.5f, 0, 0, 0, 100, 0, 0, 2}, {POINT, 9, 0, 0, 0, 100, 0, 0, 4},
		{POINT, -3, 0, 0, 0, 100, 0, 0, 1}, {MIP_LINEAR, 0.5f, 0, 0, 0, 100, 0, 0, 1.5f}, {MIP_LINEAR, 1.25f, 0, 0, 0, 100, 0, 0, 2.25f},
		{MIP_LINEAR, 2.75f, 0, 0, 0, 100, 0, 0, 3.75f}, {MIP_LINEAR, 3.5f, 0, 0, 0, 100, 0, 0, 4},
		{MIP_LINEAR, 0, 0.5f, 0, 0, 100, 0, 0, 1.5f}, {MIP_LINEAR, 0, 0.5f, 1, 0, 100, 0, 0, 2.5f},
		{MIP_LINEAR, 10, 0, -99, 0, 100, 0, 0, 1},                                 /* the instruction's bias is at least -16 */
		{MIP_LINEAR, 0, 0, 0, 1.5f, 100, 0, 0, 2.5f}, {MIP_LINEAR, 3, 0, 0, 0, 1, 0, 0, 2}, {MIP_LINEAR, 0, 0, 0, 2, 1, 0, 0, 3}, /* MinLOD wins */
		{MIP_LINEAR, 0, 0, 0, 0, 100, 1.5f, 0, 2.5f}, {MIP_LINEAR, 0, 0, 0, 0, 100, 0, 2.25f, 3.25f},
	};
	struct kiln_resource *r = mipped();
	struct view v = view_of(r, 0), part;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_sampler_desc s = state(rows[i].filter, 3);
		struct sample_request q = AT(0.9f, 0.9f);

		s.MipLODBias = rows[i].sampler_bias;
		s.MinLOD = rows[i].min;
		s.MaxLOD = rows[i].max;
		v.min_lod = rows[i].clamp;
		q.lod = rows[i].lod;
		q.bias = rows[i].bias;
		q.min_lod = rows[i].op_clamp;
		cr_expect_eq(sample(&v, &s, q), rows[i].want, "row %zu: %g", i, (double)sample(&v, &s, q));
	}
	/* magnified up to LOD 0, minified above: between texel 0 and its neighbours only one of the filters blends */
	struct kiln_sampler_desc s = state(MIN_LINEAR, 3);
	struct sample_request q = AT(0.1f, 0.0625f);
	v.min_lod = 0;
	cr_expect_eq(sample(&v, &s, q), 101);
	q.lod = 0.01f;
	cr_expect(sample(&v, &s, q) < 101 && sample(&v, &s, q) > 1);
	s = state(MAG_LINEAR, 3);
	cr_expect_eq(sample(&v, &s, q), 101);
	/* a view from mip 1 on: its clamp counts from the resource's mip 0 */
	cr_assert(view_srv(r, &(struct kiln_view_desc){.MostDetailedMip = 1, .MipLevels = 2, .ResourceMinLODClamp = 1.5f}, "", diags, &part));
	s = state(MIP_LINEAR, 3);
	cr_expect_eq(sample(&part, &s, AT(0.9f, 0.9f)), 2.5f);
	q.lod = 7;
	cr_expect_eq(sample(&part, &s, q), 3);
	kiln_resource_destroy(r);
}

/* LOD of derivatives on a 64x64 texture. */
Test(sampler, footprints)
{
	static const struct { uint32_t filter, anisotropy; float dx[2], dy[2], want; } rows[] = {
		{LINEAR, 1, {1, 0}, {0, 1}, 0}, {LINEAR, 1, {2, 0}, {0, 2}, 1}, {LINEAR, 1, {2, 0}, {0, 8}, 3}, {LINEAR, 1, {0.5f, 0}, {0, 0.25f}, -1},
		{LINEAR, 1, {0, 4}, {0, 0}, 2},
		{ANISOTROPIC, 16, {4, 0}, {0, 1}, 0},   /* ratio 4, minor 1 */
		{ANISOTROPIC, 2, {8, 0}, {0, 1}, 2},    /* ratio held at 2: minor 8 / 2 */
		{ANISOTROPIC, 16, {8, 0}, {0, 2}, 1}, {ANISOTROPIC, 16, {0.5f, 0}, {0, 0.25f}, -2}, {ANISOTROPIC, 16, {2, 0}, {0, 2}, 1},
		{ANISOTROPIC, 16, {16, 0}, {0, 0}, 0},  /* no area: 16 to 1 */
	};
	struct kiln_resource *r = make((struct kiln_texture_desc){.Format = KILN_FORMAT_R32_FLOAT, .Width = 64, .Height = 64, .MipLevels = 7});
	struct view v = view_of(r, 0);

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_sampler_desc s = state(rows[i].filter, 1);
		struct sample_request q = {.ddx = {rows[i].dx[0] / 64, rows[i].dx[1] / 64}, .ddy = {rows[i].dy[0] / 64, rows[i].dy[1] / 64}};

		s.MaxAnisotropy = rows[i].anisotropy;
		cr_expect_eq(sampler_lod(&v, &s, &q, false), rows[i].want, "row %zu: %g", i, (double)sampler_lod(&v, &s, &q, false));
		cr_expect_eq(sampler_lod(&v, &s, &q, true), rows[i].want < 0 ? 0 : rows[i].want, "row %zu", i);
	}
	/* probes lie along the longer axis: columns 0 and 1 alternate, eight texels of one row average to a half */
	float stripes[64 * 64];
	for (int i = 0; i < 64 * 64; i++)
		stripes[i] = (float)(i & 1);
	cr_assert(kiln_texture_write(r, 0, stripes, 0, 0, diags));
	struct kiln_sampler_desc s = state(ANISOTROPIC, 1);
	struct sample_request q = {.coordinate = {0.5f, 0.5f}, .ddx = {8.0f / 64, 0}, .ddy = {0, 1.0f / 64}};
	cr_expect_eq(sample(&v, &s, q), 0.5f);
	for (int i = 0; i < 64 * 64; i++)
		stripes[i] = 0.1f;
	cr_assert(kiln_texture_write(r, 0, stripes, 0, 0, diags));
	cr_expect_eq(sample(&v, &s, q), 0.1f); /* a constant stays constant */
	kiln_resource_destroy(r);
}

Test(sampler, reductions_comparison_gather)
{
	struct kiln_resource *r = make_floats(2, 2, (const float[]){0.25f, 0.75f, -2, 3});
	struct view v = view_of(r, 0);
	struct kiln_sampler_desc s = state(LINEAR | MINIMUM, 3);
	struct sample_request q = AT(0.5f, 0.5f);
	uint32_t rgba[4];

	cr_expect_eq(sample(&v, &s, q), -2);
	cr_expect_eq(sample(&v, &s, AT(0.5f, 0.25f)), 0.25f); /* the row below weighs nothing */
	s.Filter = LINEAR | MAXIMUM;
	cr_expect_eq(sample(&v, &s, q), 3);
	cr_expect_eq(sample(&v, &s, AT(0.25f, 0.5f)), 0.25f);
	s.Filter = LINEAR | COMPARE;
	q.compare = true;
	static const struct { uint32_t function; float reference, want; } rows[] = {
		{KILN_COMPARISON_LESS, 0.5f, 0.5f}, {KILN_COMPARISON_LESS, -3, 1}, {KILN_COMPARISON_GREATER, 0.3f, 0.5f},
		{KILN_COMPARISON_LESS_EQUAL, 0.75f, 0.5f}, {KILN_COMPARISON_EQUAL, 3, 0.25f}, {KILN_COMPARISON_NOT_EQUAL, 3, 0.75f},
		{KILN_COMPARISON_GREATER_EQUAL, 0.25f, 0.5f}, {KILN_COMPARISON_ALWAYS, 0, 1}, {KILN_COMPARISON_NEVER, 0, 0},
	};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		s.ComparisonFunc = rows[i].function;
		q.reference = rows[i].reference;
		cr_expect_eq(sample(&v, &s, q), rows[i].want, "row %zu", i);
	}
	/* (-,+) (+,+) (+,-) (-,-) */
	q = AT(0.5f, 0.5f);
	sampler_gather(&v, &s, &q, 0, rgba);
	cr_expect(bits_float(rgba[0]) == -2 && bits_float(rgba[1]) == 3 && bits_float(rgba[2]) == 0.75f && bits_float(rgba[3]) == 0.25f);
	sampler_gather(&v, &s, &q, 3, rgba);
	cr_expect_eq(bits_float(rgba[2]), 1);
	s.ComparisonFunc = KILN_COMPARISON_LESS;
	q.compare = true;
	q.reference = 0.5f;
	sampler_gather(&v, &s, &q, 0, rgba);
	cr_expect(rgba[0] == 0 && rgba[1] == 0x3f800000 && rgba[2] == 0x3f800000 && rgba[3] == 0);
	kiln_resource_destroy(r);
}

/* ---- cubes ---- */

/* The centre of a texel in half texels from the cube's centre, from D3D's table of faces, written out. */
static void centre(unsigned face, int32_t x, int32_t y, int32_t n, int32_t p[3])
{
	int32_t s = 2 * x + 1 - n, t = 2 * y + 1 - n;

	switch (face) {
	case 0: p[0] = n, p[1] = -t, p[2] = -s; break;
	case 1: p[0] = -n, p[1] = -t, p[2] = s; break;
	case 2: p[0] = s, p[1] = n, p[2] = t; break;
	case 3: p[0] = s, p[1] = -n, p[2] = -t; break;
	case 4: p[0] = s, p[1] = -t, p[2] = n; break;
	default: p[0] = -s, p[1] = -t, p[2] = -n; break;
	}
}

Test(sampler, cube_edges)
{
	enum { N = 3 };

	for (unsigned face = 0; face < 6; face++) {
		for (int edge = 0; edge < 4; edge++) {
			for (int32_t k = 0; k < N; k++) {
				int32_t x = edge == 0 ? 0 : edge == 1 ? N - 1 : k, y = edge == 2 ? 0 : edge == 3 ? N - 1 : k, a[3], b[3], far = 0;
				struct cube_texel t = {face, edge == 0 ? -1 : edge == 1 ? N : x, edge == 2 ? -1 : edge == 3 ? N : y};

				cube_fold(&t, N);
				cr_assert(t.face < 6 && t.face != face && t.x >= 0 && t.x < N && t.y >= 0 && t.y < N);
				centre(face, x, y, N, a);
				centre(t.face, t.x, t.y, N, b);
				for (int i = 0; i < 3; i++)
					far += (a[i] - b[i]) * (a[i] - b[i]);
				/* across a right-angled edge, half a texel from it on both sides: 1 + 1 */
				cr_expect_eq(far, 2, "face %u edge %d texel %d: face %u (%d, %d)", face, edge, k, t.face, t.x, t.y);
			}
		}
	}
}

Test(sampler, cubes)
{
	static const struct { float at[3]; float point, linear; } rows[] = {
		{{1, 0, 0}, 0, 0}, {{-1, 0, 0}, 1, 1}, {{0, 1, 0}, 2, 2}, {{0, -1, 0}, 3, 3}, {{0, 0, 1}, 4, 4}, {{0, 0, -1}, 5, 5},
		{{1, 1, 0}, 2, 1}, {{1, 0, 1}, 4, 2}, {{0, -1, -1}, 5, 4}, {{1, 1, 1}, 4, 2}, {{-2, -2, -2}, 5, 3}, {{0, 3, 1}, 2, 2},
	};
	struct kiln_resource *r = make((struct kiln_texture_desc){.Format = KILN_FORMAT_R32_FLOAT, .Width = 2, .Height = 2,
		.DepthOrArraySize = 12});
	struct view v = view_of(r, KILN_VIEW_TEXTURECUBE), array = view_of(r, KILN_VIEW_TEXTURECUBEARRAY);
	struct kiln_sampler_desc point = state(POINT, 1), linear = state(LINEAR, 1);

	for (uint32_t face = 0; face < 12; face++) {
		const float x = (float)face, texels[4] = {x, x, x, x};

		cr_assert(kiln_texture_write(r, face, texels, 0, 0, diags));
	}
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct sample_request q = AT(rows[i].at[0], rows[i].at[1], rows[i].at[2]);

		cr_expect_eq(sample(&v, &point, q), rows[i].point, "row %zu: %g", i, (double)sample(&v, &point, q));
		cr_expect_eq(sample(&v, &linear, q), rows[i].linear, "row %zu: %g", i, (double)sample(&v, &linear, q));
		q.coordinate[3] = 1;
		cr_expect_eq(sample(&array, &point, q), rows[i].point + 6, "row %zu", i);
	}
	/* which way a face's texels run: right is -z and down is -y on +X */
	cr_assert(kiln_texture_write(r, 0, (const float[]){10, 20, 30, 40}, 0, 0, diags));
	cr_expect_eq(sample(&v, &point, AT(1, 0.5f, 0.5f)), 10);
	cr_expect_eq(sample(&v, &point, AT(1, 0.5f, -0.5f)), 20);
	cr_expect_eq(sample(&v, &point, AT(1, -0.5f, 0.5f)), 30);
	cr_expect_eq(sample(&v, &point, AT(1, -0.5f, -0.5f)), 40);
	kiln_resource_destroy(r);
}

/* ---- formats ---- */

#define F(x) {.f = x}
#define U(x) {.u = x}
Test(sampler, formats)
{
	static const struct {
		uint32_t format;
		uint8_t bytes[16];
		union { float f; uint32_t u; } want[4];
	} rows[] = {
		{KILN_FORMAT_R8_UNORM, {51}, {F(0.2f), F(0), F(0), F(1)}},
		{KILN_FORMAT_A8_UNORM, {255}, {F(0), F(0), F(0), F(1)}},
		{KILN_FORMAT_R8_SNORM, {0x80}, {F(-1), F(0), F(0), F(1)}},
		{KILN_FORMAT_R8G8_UNORM, {0, 255}, {F(0), F(1), F(0), F(1)}},
		{KILN_FORMAT_R8G8B8A8_UNORM, {255, 0, 51, 102}, {F(1), F(0), F(0.2f), F(0.4f)}},
		{KILN_FORMAT_R8G8B8A8_UNORM_SRGB, {255, 0, 255, 51}, {F(1), F(0), F(1), F(0.2f)}},
		{KILN_FORMAT_B8G8R8A8_UNORM, {255, 0, 51, 102}, {F(0.2f), F(0), F(1), F(0.4f)}},
		{KILN_FORMAT_B8G8R8X8_UNORM, {255, 0, 51, 102}, {F(0.2f), F(0), F(1), F(1)}},
		{KILN_FORMAT_R8G8B8A8_UINT, {1, 2, 3, 4}, {U(1), U(2), U(3), U(4)}},
		{KILN_FORMAT_R8_SINT, {0xff}, {U(0xffffffff), U(0), U(0), U(1)}},
		{KILN_FORMAT_R16_FLOAT, {0x00, 0x3c}, {F(1), F(0), F(0), F(1)}},
		{KILN_FORMAT_R16_UNORM, {0xff, 0xff}, {F(1), F(0), F(0), F(1)}},
		{KILN_FORMAT_R16G16B16A16_FLOAT, {0, 0x40, 0, 0xc0, 0, 0x38, 1, 0}, {F(2), F(-2), F(0.5f), U(0x33800000)}}, /* 2^-24 */
		{KILN_FORMAT_R32G32B32A32_FLOAT, {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40, 0, 0, 0x80, 0x40}, {F(1), F(2), F(3), F(4)}},
		{KILN_FORMAT_R32G32B32_FLOAT, {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40}, {F(1), F(2), F(3), F(1)}},
		{KILN_FORMAT_R10G10B10A2_UNORM, {0xff, 0x03, 0, 0xc0}, {F(1), F(0), F(0), F(1)}},
		{KILN_FORMAT_R11G11B10_FLOAT, {0xc0, 0x03, 0, 0}, {F(1), F(0), F(0), F(1)}}, /* exponent 15, mantissa 0 */
		{KILN_FORMAT_R9G9B9E5_SHAREDEXP, {0x00, 0x01, 0x00, 0x80}, {F(1), F(0), F(0), F(1)}}, /* 256 / 512 * 2 */
		{KILN_FORMAT_B5G6R5_UNORM, {0x1f, 0xf8}, {F(1), F(0), F(1), F(1)}},
		{KILN_FORMAT_B5G5R5A1_UNORM, {0xe0, 0x83}, {F(0), F(1), F(0), F(1)}},
		{KILN_FORMAT_B4G4R4A4_UNORM, {0x3f, 0x0f}, {F(1), F(0.2f), F(1), F(0)}},
		{KILN_FORMAT_R24_UNORM_X8_TYPELESS, {0xff, 0xff, 0xff, 0x12}, {F(1), F(0), F(0), F(1)}},
		{KILN_FORMAT_X24_TYPELESS_G8_UINT, {0, 0, 0, 0x12}, {U(0), U(0x12), U(0), U(1)}},
		{KILN_FORMAT_R32_UINT, {4, 3, 2, 1}, {U(0x01020304), U(0), U(0), U(1)}},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_resource *r = make((struct kiln_texture_desc){.Format = rows[i].format, .Width = 1, .Height = 1});
		struct kiln_sampler_desc s = state(LINEAR, 1);
		struct view v = view_of(r, 0);
		uint32_t loaded[4], sampled[4];

		cr_assert(kiln_texture_write(r, 0, rows[i].bytes, 0, 0, diags));
		cr_assert(texel_load(&v, 0, 0, 0, 0, 0, 0, loaded));
		sampler_sample(&v, &s, &(struct sample_request){.coordinate = {0.3f, 0.7f}, .has_lod = true}, sampled);
		for (int c = 0; c < 4; c++) {
			cr_expect_eq(loaded[c], rows[i].want[c].u, "row %zu channel %d: %08x", i, c, loaded[c]);
			cr_expect_eq(sampled[c], rows[i].want[c].u, "row %zu channel %d: %08x sampled", i, c, sampled[c]);
		}
		kiln_resource_destroy(r);
	}
}

/* What lies outside reads zeros and the format's defaults; mappings apply to both. */
Test(sampler, loads_outside)
{
	static const int32_t outside[][6] = { /* mip, x, y, z, slice, sample */
		{1, 0, 0, 0, 0, 0}, {0, 2, 0, 0, 0, 0}, {0, -1, 0, 0, 0, 0}, {0, 0, 2, 0, 0, 0}, {0, 0, 0, 0, 2, 0}, {0, 0, 0, 0, 0, 1},
		{-1, 0, 0, 0, 0, 0}, {0, INT32_MIN, INT32_MAX, 0, 0, 0}};
	struct kiln_resource *r = make((struct kiln_texture_desc){.Format = KILN_FORMAT_R8G8_UINT, .Width = 2, .Height = 2,
		.DepthOrArraySize = 2});
	struct view v = view_of(r, 0);
	uint32_t rgba[4];

	cr_assert(kiln_texture_write(r, 1, "\1\2\3\4\5\6\7\10", 0, 0, diags));
	for (size_t i = 0; i < ARRAY_COUNT(outside); i++) {
		const int32_t *o = outside[i];

		cr_expect_not(texel_load(&v, (uint32_t)o[0], o[1], o[2], o[3], (uint32_t)o[4], (uint32_t)o[5], rgba), "row %zu", i);
		cr_expect(rgba[0] == 0 && rgba[1] == 0 && rgba[2] == 0 && rgba[3] == 1, "row %zu", i);
	}
	cr_assert(texel_load(&v, 0, 1, 0, 0, 1, 0, rgba));
	cr_expect(rgba[0] == 3 && rgba[1] == 4 && rgba[2] == 0 && rgba[3] == 1);
	cr_assert(view_srv(r, &(struct kiln_view_desc){.Shader4ComponentMapping = 0x1000 | 1 | 0 << 3 | 5 << 6 | 4 << 9}, "", diags, &v));
	cr_assert(texel_load(&v, 0, 1, 0, 0, 1, 0, rgba));
	cr_expect(rgba[0] == 4 && rgba[1] == 3 && rgba[2] == 1 && rgba[3] == 0);
	kiln_resource_destroy(r);
}
