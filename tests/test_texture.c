/* Image instructions of a wave, and what the sampler does at the ends of its ranges, against values worked out by hand from the
 * rules (facts section 6). The plain cases of the sampler stand in test_sampler.c. */
#include "sim/texture.h"
#include <criterion/criterion.h>
#include <string.h>

enum { POINT = 0, MIP_LINEAR = 1, LINEAR = 0x14, TRILINEAR = 0x15, ANISOTROPIC = 0x55, COMPARE = 0x80, MINIMUM = 0x100, MAXIMUM = 0x180 };
enum { WRAP = 1, MIRROR, CLAMP, BORDER, MIRROR_ONCE };

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

TestSuite(texture, .init = begin, .fini = end);

static struct kiln_resource *make(struct kiln_texture_desc d)
{
	struct kiln_resource *r = kiln_texture_create(device, "t", &d, diags);

	cr_assert_not_null(r);
	return r;
}

#define MAKE(...) make((struct kiln_texture_desc){__VA_ARGS__})

static void fill(struct kiln_resource *r, uint32_t subresource, const void *texels)
{
	cr_assert(kiln_texture_write(r, subresource, texels, 0, 0, diags));
}

static struct view srv(struct kiln_resource *r, struct kiln_view_desc d)
{
	struct view v;

	cr_assert(view_srv(r, &d, "", diags, &v));
	return v;
}

static struct kiln_sampler_desc state(uint32_t filter, uint32_t mode)
{
	return (struct kiln_sampler_desc){.Filter = filter, .AddressU = mode, .AddressV = mode, .AddressW = mode, .MaxLOD = 100,
		.MaxAnisotropy = 16, .ComparisonFunc = KILN_COMPARISON_EQUAL, .BorderColor = {7, 7, 7, 7}};
}

#define AT(...) (struct sample_request){.coordinate = {__VA_ARGS__}, .has_lod = true}

static float sample(const struct view *v, const struct kiln_sampler_desc *s, struct sample_request r)
{
	uint32_t rgba[4];

	sampler_sample(v, s, &r, rgba);
	return bits_float(rgba[0]);
}

/* ---- addresses ---- */

/* Four texels 10 20 30 40 along each axis in turn; the border is 7. */
Test(texture, address_modes_of_each_axis)
{
	static const struct { uint32_t filter; float at; float want[5]; /* wrap, mirror, clamp, border, once */ } rows[] = {
		{POINT, -0.1f, {40, 10, 10, 7, 10}},      /* texel -1 */
		{POINT, 1.1f, {10, 40, 40, 7, 40}},       /* 4 */
		{POINT, 1.6f, {30, 20, 40, 7, 40}},       /* 6: 6 - 4; 7 - 6 */
		{POINT, -1.35f, {30, 30, 10, 7, 40}},     /* -6: 8 - 6; 8 - 6; 5 is past the end */
		{POINT, -1e-30f, {40, 10, 10, 7, 10}},    /* below 0, however little */
		{POINT, 0x1p30f, {10, 10, 40, 7, 40}},    /* an even integer */
		{LINEAR, 0, {25, 10, 10, 8.5f, 10}},      /* -1 and 0, half each */
		{LINEAR, 1.5f, {25, 25, 40, 7, 40}},      /* 5 and 6 */
		{LINEAR, -0.8125f, {12.5f, 37.5f, 10, 7, 37.5f}}, /* -3.25 - 0.5: -4 with 3/4, -3 with 1/4 */
	};
	static const float texels[4] = {10, 20, 30, 40};
	struct kiln_resource *axes[3] = {
		MAKE(.Format = KILN_FORMAT_R32_FLOAT, .Width = 4, .Dimension = KILN_DIMENSION_TEXTURE1D),
		MAKE(.Format = KILN_FORMAT_R32_FLOAT, .Width = 1, .Height = 4),
		MAKE(.Format = KILN_FORMAT_R32_FLOAT, .Width = 1, .Height = 1, .DepthOrArraySize = 4, .Dimension = KILN_DIMENSION_TEXTURE3D)};

	for (unsigned axis = 0; axis < 3; axis++) {
		struct view v;

		fill(axes[axis], 0, texels);
		v = srv(axes[axis], (struct kiln_view_desc){0});
		for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
			for (uint32_t mode = WRAP; mode <= MIRROR_ONCE; mode++) {
				struct kiln_sampler_desc s = state(rows[i].filter, CLAMP);
				struct sample_request q = AT(0, 0, 0);
				float got;

				*(axis == 0 ? &s.AddressU : axis == 1 ? &s.AddressV : &s.AddressW) = mode;
				q.coordinate[axis] = rows[i].at;
				got = sample(&v, &s, q);
				cr_expect_eq(got, rows[i].want[mode - 1], "axis %u row %zu mode %u: %g", axis, i, mode, (double)got);
			}
		}
		kiln_resource_destroy(axes[axis]);
	}
}

/* Clamped to the format's range and not rounded to its codes; integers to nearest even; missing channels have defaults. */
Test(texture, borders)
{
#define F(x) {.f = x}
#define U(x) {.u = x}
	static const struct {
		uint32_t format, flags;
		union { float f; uint32_t u; } border[4], want[4];
	} rows[] = {
		{KILN_FORMAT_R8G8B8A8_UNORM, 0, {F(2), F(-1), F(0.3f), F(0.5f)}, {F(1), F(0), F(0.3f), F(0.5f)}},
		{KILN_FORMAT_R8G8B8A8_UNORM_SRGB, 0, {F(0.3f), F(0.01f), F(1), F(0)}, {F(0.3f), F(0.01f), F(1), F(0)}},
		{KILN_FORMAT_R8_UNORM, 0, {F(0.25f), F(1), F(1), F(0)}, {F(0.25f), F(0), F(0), F(1)}},
		{KILN_FORMAT_A8_UNORM, 0, {F(1), F(1), F(1), F(0.5f)}, {F(0), F(0), F(0), F(0.5f)}},
		{KILN_FORMAT_R16G16_SNORM, 0, {F(-3), F(3), F(1), F(0)}, {F(-1), F(1), F(0), F(1)}},
		{KILN_FORMAT_R16G16B16A16_FLOAT, 0, {F(1e6f), F(-1e6f), F(0.1f), F(2)}, {F(65504), F(-65504), F(0.1f), F(2)}},
		{KILN_FORMAT_R11G11B10_FLOAT, 0, {F(1e9f), F(-1), F(1e9f), F(0)}, {F(65024), F(0), F(64512), F(1)}},
		{KILN_FORMAT_R9G9B9E5_SHAREDEXP, 0, {F(1e9f), F(-1), F(3), F(0)}, {F(65408), F(0), F(3), F(1)}},
		{KILN_FORMAT_R32G32_FLOAT, 0, {F(1e30f), F(-5), F(1), F(1)}, {F(1e30f), F(-5), F(0), F(1)}},
		{KILN_FORMAT_R8G8B8A8_UINT, 0, {F(300), F(-5), F(2.5f), F(1e20f)}, {U(255), U(0), U(2), U(255)}},
		{KILN_FORMAT_R8G8_SINT, 0, {F(-200), F(200), F(1), F(7)}, {U(0xffffff80), U(127), U(0), U(1)}},
		{KILN_FORMAT_R32_UINT, 1, {U(0x80000007), U(1), U(1), U(9)}, {U(0x80000007), U(0), U(0), U(1)}},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_resource *r = MAKE(.Format = rows[i].format, .Width = 2, .Height = 2);
		struct view v = srv(r, (struct kiln_view_desc){0});
		struct kiln_sampler_desc s = state(LINEAR, BORDER);
		uint32_t rgba[4];

		memcpy(s.BorderColor, rows[i].border, sizeof s.BorderColor);
		s.Flags = rows[i].flags;
		sampler_sample(&v, &s, &AT(-1, 0.5f), rgba);
		for (int c = 0; c < 4; c++)
			cr_expect_eq(rgba[c], rows[i].want[c].u, "row %zu channel %d: %08x", i, c, rgba[c]);
		kiln_resource_destroy(r);
	}
}

/* ---- filters ---- */

/* Integers are never weighed, neither between texels nor between mips, and come through whole. */
Test(texture, integers_are_not_filtered)
{
	static const uint32_t fine[4] = {0x80000001, 5, 6, 7}, coarse = 0xffffffff;
	struct kiln_resource *r = MAKE(.Format = KILN_FORMAT_R32_UINT, .Width = 2, .Height = 2, .MipLevels = 2);
	struct view v = srv(r, (struct kiln_view_desc){0});
	struct kiln_sampler_desc s = state(TRILINEAR, CLAMP);
	struct sample_request q = AT(0.4f, 0.4f);
	uint32_t rgba[4];

	fill(r, 0, fine);
	fill(r, 1, &coarse);
	q.lod = 0.4f;
	sampler_sample(&v, &s, &q, rgba);
	cr_expect_eq(rgba[0], 0x80000001);
	q.lod = 0.6f;
	sampler_sample(&v, &s, &q, rgba);
	cr_expect_eq(rgba[0], 0xffffffff);
	s = state(ANISOTROPIC, CLAMP);
	q = (struct sample_request){.coordinate = {0.4f, 0.4f}, .ddx = {1, 0}, .ddy = {0, 0.01f}};
	s.MaxLOD = 0;
	sampler_sample(&v, &s, &q, rgba);
	cr_expect_eq(rgba[0], 0x80000001);
	kiln_resource_destroy(r);
}

/* Equal texels give that texel; where a weight is 0 the other texel is not looked at; a number wins over NaN in MIN and MAX. */
Test(texture, special_texels)
{
	static const uint32_t bits[] = {0x3dcccccd, 0xff7fffff, 0x7f800000, 0x80000000, 0x00800000};
	struct kiln_resource *r = MAKE(.Format = KILN_FORMAT_R32_FLOAT, .Width = 2, .Height = 2);
	struct view v = srv(r, (struct kiln_view_desc){0});
	struct kiln_sampler_desc s = state(LINEAR, WRAP);

	for (size_t i = 0; i < ARRAY_COUNT(bits); i++) {
		const uint32_t texels[4] = {bits[i], bits[i], bits[i], bits[i]};

		fill(r, 0, texels);
		cr_expect_eq(float_bits(sample(&v, &s, AT(0.37f, 0.61f))), bits[i], "texel %08x", bits[i]);
	}
	fill(r, 0, (const uint32_t[]){0x3f800000, 0x7fc00000, 0x7fc00000, 0x40000000});
	s = state(LINEAR, CLAMP);
	cr_expect_eq(sample(&v, &s, AT(0.25f, 0.25f)), 1);
	cr_expect_eq(float_bits(sample(&v, &s, AT(0.3f, 0.25f))), 0x7fc00000);
	s.Filter = LINEAR | MINIMUM;
	cr_expect_eq(sample(&v, &s, AT(0.5f, 0.5f)), 1);
	s.Filter = LINEAR | MAXIMUM;
	cr_expect_eq(sample(&v, &s, AT(0.5f, 0.5f)), 2);
	kiln_resource_destroy(r);
}

/* Squares of x, in texels of each mip; the probes of a footprint lie evenly along its longer side. */
Test(texture, anisotropic_probes)
{
	static const struct { float dx, dy; uint32_t max; float want; } rows[] = {
		{8, 1, 16, 997.5f},    /* ratio 8, LOD 0: texels 28 to 35: 7980 / 8 */
		{1, 8, 16, 992.5f},    /* along y: 31 and 32, half each */
		{32, 1, 4, 13.5f},     /* held at 4, minor 8, LOD 3: texels 2 to 5: (4 + 9 + 16 + 25) / 4 */
		{4, 0.5f, 16, 993.5f}, /* ratio 8, minor 0.5: 4 probes, magnified: texels 30 to 33 */
		{4, 4, 16, 56.5f},     /* ratio 1, LOD 2: 7 and 8, half each */
	};
	struct kiln_resource *r = MAKE(.Format = KILN_FORMAT_R32_FLOAT, .Width = 64, .Height = 64, .MipLevels = 7);
	struct view v = srv(r, (struct kiln_view_desc){0});

	for (uint32_t m = 0; m < 7; m++) {
		float texels[64 * 64];

		for (uint32_t i = 0; i < 64 * 64; i++)
			texels[i] = (float)((i & (63 >> m)) * (i & (63 >> m)));
		fill(r, m, texels);
	}
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_sampler_desc s = state(ANISOTROPIC, CLAMP);
		struct sample_request q = {.coordinate = {0.5f, 0.5f}, .ddx = {rows[i].dx / 64, 0}, .ddy = {0, rows[i].dy / 64}};

		s.MaxAnisotropy = rows[i].max;
		cr_expect_eq(sample(&v, &s, q), rows[i].want, "row %zu: %g", i, (double)sample(&v, &s, q));
	}
	kiln_resource_destroy(r);
}

/* Faces of 4x4 of one value each: +X 8, +Y 2, +Z 5, -Z 5. */
Test(texture, cube_edge_and_corner)
{
	static const float values[6] = {8, 0, 2, 0, 5, 5};
	struct kiln_resource *r = MAKE(.Format = KILN_FORMAT_R32_FLOAT, .Width = 4, .Height = 4, .DepthOrArraySize = 6);
	struct view v = srv(r, (struct kiln_view_desc){.ViewDimension = KILN_VIEW_TEXTURECUBE});
	struct kiln_sampler_desc s = state(LINEAR, BORDER); /* modes do not count */

	for (uint32_t face = 0; face < 6; face++) {
		float texels[16];

		for (int i = 0; i < 16; i++)
			texels[i] = values[face];
		fill(r, face, texels);
	}
	/* u = 0.96875, 3.875 - 0.5 texels: 3 with 5/8 and, past the edge, -Z with 3/8: 5 + 1.875 */
	cr_expect_eq(sample(&v, &s, AT(1, 0, -0.9375f)), 6.875f);
	/* both -1/4: (0,0) 9/16, +Z and +Y 3/16, none at the corner, whose 1/16 is split: 4.5 + 0.9375 + 0.375 + 15 / 48 */
	cr_expect_eq(sample(&v, &s, AT(1, 0.875f, 0.875f)), 6.125f);
	/* far from the edges and of any length */
	cr_expect_eq(sample(&v, &s, AT(1000, 1, 1)), 8);
	kiln_resource_destroy(r);
}

/* NaN never compares as larger, so a direction may meet a face at whose plane it does not point: there it counts as on the
 * edge, whatever the face's size. +X is 8, +Z 4, the other faces 0; gather's order is (-,+) (+,+) (+,-) (-,-). */
Test(texture, cube_directions_off_their_face)
{
	const float nan = bits_float(0x7fc00000), inf = bits_float(0x7f800000);
	const struct { float at[3]; uint32_t want[4]; } rows[] = {
		{{0, nan, 5}, {4, 8, 0, 4}},     /* +X: u = -5 / 0 is left of it, the edge to +Z; v = NaN is the top, at +Y */
		{{0, nan, inf}, {4, 8, 0, 4}},
		{{inf, inf, inf}, {0, 4, 0, 0}}, /* +Z, twice NaN: top left, between -X and +Y */
		{{0, 0, 0}, {0, 4, 0, 0}},
		{{inf, 0, 0}, {8, 8, 8, 8}},
	};
	struct kiln_resource *r = MAKE(.Format = KILN_FORMAT_R8_UINT, .Width = 100, .Height = 100, .DepthOrArraySize = 6);
	struct view v = srv(r, (struct kiln_view_desc){.ViewDimension = KILN_VIEW_TEXTURECUBE});
	struct kiln_sampler_desc s = state(LINEAR, CLAMP);

	memset(r->data, 8, 100 * 100);
	memset(r->data + 4 * 100 * 100, 4, 100 * 100);
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct sample_request q = AT(rows[i].at[0], rows[i].at[1], rows[i].at[2]);
		uint32_t rgba[4];

		sampler_gather(&v, &s, &q, 0, rgba);
		for (int c = 0; c < 4; c++)
			cr_expect_eq(rgba[c], rows[i].want[c], "row %zu texel %d: %u", i, c, rgba[c]);
		sampler_sample(&v, &s, &q, rgba);
		cr_expect_eq(rgba[0], rows[i].want[1], "row %zu: %u", i, rgba[0]);
	}
	kiln_resource_destroy(r);
}

/* References have the precision of norm formats: 0.3 is code 77 (76.5 + 0.5), 300 is 1. */
Test(texture, references)
{
	struct kiln_resource *r = MAKE(.Format = KILN_FORMAT_R8_UNORM, .Width = 2, .Height = 1);
	struct view v = srv(r, (struct kiln_view_desc){0});
	struct kiln_sampler_desc s = state(COMPARE, CLAMP);
	struct sample_request q = AT(0.25f, 0.5f);
	uint32_t rgba[4];

	fill(r, 0, (const uint8_t[]){77, 255});
	q.compare = true;
	q.reference = 0.3019f; /* 76.98 */
	cr_expect_eq(sample(&v, &s, q), 1);
	q.reference = 0.31f;   /* 79.05 */
	cr_expect_eq(sample(&v, &s, q), 0);
	q.coordinate[0] = 0.75f;
	q.reference = 300;
	cr_expect_eq(sample(&v, &s, q), 1);
	q.coordinate[0] = 0.5f;
	sampler_gather(&v, &s, &q, 0, rgba); /* left 77, right 255: (-,+) (+,+) (+,-) (-,-) */
	cr_expect(rgba[0] == 0 && rgba[1] == 0x3f800000 && rgba[2] == 0x3f800000 && rgba[3] == 0);
	kiln_resource_destroy(r);
}

/* ---- planes of depth buffers ---- */

Test(texture, depth_planes)
{
	static const struct { uint32_t resource, view; uint8_t bytes[8]; uint32_t want[4]; } rows[] = {
		{KILN_FORMAT_R32_TYPELESS, KILN_FORMAT_R32_FLOAT, {0, 0, 0, 0x3f}, {0x3f000000, 0, 0, 0x3f800000}},
		{KILN_FORMAT_R24G8_TYPELESS, KILN_FORMAT_R24_UNORM_X8_TYPELESS, {0xff, 0xff, 0xff, 0x7b}, {0x3f800000, 0, 0, 0x3f800000}},
		{KILN_FORMAT_R24G8_TYPELESS, KILN_FORMAT_X24_TYPELESS_G8_UINT, {1, 2, 3, 0x7b}, {0, 0x7b, 0, 1}},
		{KILN_FORMAT_R32G8X24_TYPELESS, KILN_FORMAT_R32_FLOAT_X8X24_TYPELESS, {0, 0, 0, 0x3f, 9}, {0x3f000000, 0, 0, 0x3f800000}},
		{KILN_FORMAT_R32G8X24_TYPELESS, KILN_FORMAT_X32_TYPELESS_G8X24_UINT, {0, 0, 0, 0x3f, 9}, {0, 9, 0, 1}},
		{KILN_FORMAT_R16_TYPELESS, KILN_FORMAT_R16_UNORM, {0xff, 0xff}, {0x3f800000, 0, 0, 0x3f800000}},
		{KILN_FORMAT_R8G8B8A8_TYPELESS, KILN_FORMAT_R8G8B8A8_SINT, {0xff, 1, 0x80, 0}, {0xffffffff, 1, 0xffffff80, 0}},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_resource *r = MAKE(.Format = rows[i].resource, .Width = 1, .Height = 1);
		struct view v = srv(r, (struct kiln_view_desc){.Format = rows[i].view});
		uint32_t rgba[4];

		memcpy(r->data, rows[i].bytes, r->size);
		cr_expect(texel_load(&v, 0, 0, 0, 0, 0, 0, rgba));
		for (int c = 0; c < 4; c++)
			cr_expect_eq(rgba[c], rows[i].want[c], "row %zu channel %d: %08x", i, c, rgba[c]);
		kiln_resource_destroy(r);
	}
}

/* ---- waves ---- */

struct wave {
	struct view view;
	struct kiln_sampler_desc sampler;
	struct isa_inst inst;
	uint32_t words[ISA_OPERANDS_MAX][ISA_LANES_MAX], result[4][ISA_LANES_MAX];
	const uint32_t *source[ISA_OPERANDS_MAX];
};

static const struct view *wave_view(void *user, unsigned resource, uint32_t element)
{
	cr_expect(resource == 3 && element == 0);
	return &((struct wave *)user)->view;
}

static const struct kiln_sampler_desc *wave_sampler(void *user, unsigned resource, uint32_t element)
{
	cr_expect(resource == 4 && element == 0);
	return &((struct wave *)user)->sampler;
}

/* Resources are 3, samplers 4; other operands are off. */
static void wave_begin(struct wave *w, enum isa_op op)
{
	const char *letters = isa_info[op].operands;
	unsigned resource = 3;

	memset(&w->inst, 0, sizeof w->inst);
	memset(w->source, 0, sizeof w->source);
	memset(w->result, 0, sizeof w->result);
	w->inst.op = op;
	for (unsigned i = 0; letters[i]; i++)
		if (letters[i] == 'r')
			w->inst.at[i] = (struct isa_operand){ISA_IMM, resource++};
}

static void wave_number(struct wave *w, unsigned operand, uint32_t value) { w->inst.at[operand] = (struct isa_operand){ISA_IMM, value}; }

static void wave_words(struct wave *w, unsigned operand, unsigned count, const uint32_t *words)
{
	memcpy(w->words[operand], words, count * sizeof *words);
	w->source[operand] = w->words[operand];
}

static void wave_floats(struct wave *w, unsigned operand, unsigned count, const float *x)
{
	memcpy(w->words[operand], x, count * sizeof *x);
	w->source[operand] = w->words[operand];
}

static void wave_run(struct wave *w, uint64_t exec, uint64_t live)
{
	const struct bindings b = {w, wave_view, wave_sampler};
	struct isa_access a = {.inst = &w->inst, .lanes = 32, .exec = exec, .live = exec & live, .result = w->result};

	memcpy(a.source, w->source, sizeof a.source);
	image_access(&a, &b);
}

static float wave_float(const struct wave *w, unsigned lane) { return bits_float(w->result[0][lane]); }

/* Mip m holds m. The first quad steps 4 texels a pixel (LOD 2), the second 16 (LOD 4). */
Test(texture, lod_of_quads)
{
	static const float u[8] = {0, 4 / 64.0f, 0, 4 / 64.0f, 0, 16 / 64.0f, 0, 16 / 64.0f};
	static const float v[8] = {0, 0, 4 / 64.0f, 4 / 64.0f, 0, 0, 16 / 64.0f, 16 / 64.0f};
	static const float one[8] = {1, 1, 1, 1, 1, 1, 1, 1}, five[8] = {5, 5, 5, 5, 5, 5, 5, 5};
	static const float step[8] = {8 / 64.0f, 8 / 64.0f, 8 / 64.0f, 8 / 64.0f, 8 / 64.0f, 8 / 64.0f, 8 / 64.0f, 8 / 64.0f};
	static const struct { enum isa_op op; unsigned more[2]; const float *value[2]; float want[2]; } rows[] = {
		{ISA_image_sample, {0}, {0}, {2, 4}},
		{ISA_image_sample, {15}, {five}, {5, 5}},               /* least LOD */
		{ISA_image_sample_b, {15}, {one}, {3, 5}},
		{ISA_image_sample_b, {15, 16}, {one, five}, {5, 5}},
		{ISA_image_sample_l, {15}, {one}, {1, 1}},
		{ISA_image_sample_d, {15, 19}, {step, step}, {3, 3}},
		{ISA_image_sample_d, {16, 21}, {step, five}, {5, 5}},
		{ISA_image_sample_d, {0}, {0}, {0, 0}},                 /* no derivatives: magnified */
	};
	struct kiln_resource *r = MAKE(.Format = KILN_FORMAT_R32_FLOAT, .Width = 64, .Height = 64, .MipLevels = 7);
	struct wave w = {.view = srv(r, (struct kiln_view_desc){0}), .sampler = state(TRILINEAR, WRAP)};

	for (uint32_t m = 0; m < 7; m++) {
		float texels[64 * 64];

		for (int i = 0; i < 64 * 64; i++)
			texels[i] = (float)m;
		fill(r, m, texels);
	}
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		wave_begin(&w, rows[i].op);
		wave_floats(&w, ISA_IMAGE_COORDINATE, 8, u);
		wave_floats(&w, ISA_IMAGE_COORDINATE + 1, 8, v);
		for (unsigned k = 0; k < 2; k++)
			if (rows[i].more[k])
				wave_floats(&w, rows[i].more[k], 8, rows[i].value[k]);
		wave_run(&w, 1u << 1 | 1u << 6, 0);              /* lanes that are off still stand at their coordinates */
		cr_expect_eq(wave_float(&w, 1), rows[i].want[0], "row %zu: %g", i, (double)wave_float(&w, 1));
		cr_expect_eq(wave_float(&w, 6), rows[i].want[1], "row %zu: %g", i, (double)wave_float(&w, 6));
		cr_expect_eq(w.result[3][6], 0x3f800000);
		cr_expect_eq(w.result[3][0], 0, "a lane that is off has a result");
	}
	for (uint32_t clamped = 0; clamped < 2; clamped++) {
		w.sampler.MaxLOD = 3;
		wave_begin(&w, ISA_image_get_lod);
		wave_floats(&w, 5, 8, u);
		wave_floats(&w, 6, 8, v);
		wave_number(&w, 8, clamped);
		wave_run(&w, 255, 0);
		cr_expect(wave_float(&w, 0) == 2 && wave_float(&w, 7) == (clamped ? 3 : 4), "%u", clamped);
	}
	kiln_resource_destroy(r);
}

Test(texture, sizes)
{
	static const struct { struct kiln_texture_desc t; struct kiln_view_desc v; uint32_t mip, want[4]; } rows[] = {
		{{.Format = KILN_FORMAT_R8_UNORM, .Width = 8, .MipLevels = 4, .Dimension = 2}, {0}, 1, {4, 0, 0, 4}},
		{{.Format = KILN_FORMAT_R8_UNORM, .Width = 8, .DepthOrArraySize = 5, .Dimension = 2}, {0}, 0, {8, 5, 0, 1}},
		{{.Format = KILN_FORMAT_R8_UNORM, .Width = 8, .Height = 6, .MipLevels = 3}, {.MostDetailedMip = 1}, 1, {2, 1, 0, 2}},
		{{.Format = KILN_FORMAT_R8_UNORM, .Width = 8, .Height = 6, .MipLevels = 3}, {0}, 3, {0, 0, 0, 3}},
		{{.Format = KILN_FORMAT_R8_UNORM, .Width = 8, .Height = 6, .DepthOrArraySize = 7}, {.FirstArraySlice = 2, .ArraySize = 3,
			.ViewDimension = KILN_VIEW_TEXTURE2DARRAY}, 0, {8, 6, 3, 1}},
		{{.Format = KILN_FORMAT_R8_UNORM, .Width = 8, .Height = 4, .DepthOrArraySize = 6, .MipLevels = 4, .Dimension = 4}, {0}, 1,
			{4, 2, 3, 4}},
		{{.Format = KILN_FORMAT_R8_UNORM, .Width = 8, .Height = 8, .DepthOrArraySize = 6}, {.ViewDimension = KILN_VIEW_TEXTURECUBE}, 0,
			{8, 8, 0, 1}},
		{{.Format = KILN_FORMAT_R8_UNORM, .Width = 8, .Height = 8, .DepthOrArraySize = 18},
			{.ViewDimension = KILN_VIEW_TEXTURECUBEARRAY, .FirstArraySlice = 6}, 0, {8, 8, 2, 1}},
		{{.Format = KILN_FORMAT_R8_UNORM, .Width = 8, .Height = 8, .SampleDesc = {4, 0}}, {0}, 0, {8, 8, 0, 4}},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_resource *r = make(rows[i].t);
		struct wave w = {.view = srv(r, rows[i].v)};

		wave_begin(&w, ISA_image_get_resinfo);
		wave_words(&w, 6, 1, &rows[i].mip);
		wave_run(&w, 1, 1);
		for (int c = 0; c < 4; c++)
			cr_expect_eq(w.result[c][0], rows[i].want[c], "row %zu: %d is %u", i, c, w.result[c][0]);
		kiln_resource_destroy(r);
	}
}

/* Slices and samples by coordinate; zeros and defaults outside; nothing from a null descriptor. */
Test(texture, loads)
{
	struct kiln_resource *ms = MAKE(.Format = KILN_FORMAT_R32_UINT, .Width = 2, .Height = 1, .SampleDesc = {2, 0});
	struct kiln_resource *volume = MAKE(.Format = KILN_FORMAT_R32_UINT, .Width = 1, .Height = 1, .DepthOrArraySize = 3, .Dimension = 4);
	struct kiln_resource *array = MAKE(.Format = KILN_FORMAT_R32_UINT, .Width = 2, .DepthOrArraySize = 2, .Dimension = 2);
	struct { struct kiln_resource *r; uint32_t words[4][3], want[3]; } rows[] = {
		{ms, {{0, 1, 1}, {0, 0, 0}, {0, 0, 0}, {1, 0, 2}}, {11, 12, 0}},      /* texel by texel, its samples in order */
		{volume, {{0, 0, 0}, {0, 0, 0}, {0, 2, 3}, {0, 0, 0}}, {10, 12, 0}},
		{array, {{1, 0, 0}, {0, 1, 2}, {9, 9, 9}, {0, 0, 0}}, {11, 12, 0}},    /* slice behind the axis; the third does not count */
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct wave w = {.view = srv(rows[i].r, (struct kiln_view_desc){0})};

		for (uint32_t k = 0, word; k < rows[i].r->size / 4; k++) {
			word = 10 + k;
			memcpy(rows[i].r->data + 4 * k, &word, 4);
		}
		wave_begin(&w, ISA_image_load);
		for (unsigned k = 0; k < 4; k++)
			wave_words(&w, 6 + k, 3, rows[i].words[k]);
		wave_run(&w, 7, 0);
		for (unsigned l = 0; l < 3; l++)
			cr_expect(w.result[0][l] == rows[i].want[l] && w.result[3][l] == 1, "row %zu lane %u: %u", i, l, w.result[0][l]);
		w.view = (struct view){0};
		memset(w.result, 0, sizeof w.result);
		wave_run(&w, 7, 0);
		cr_expect(w.result[0][0] == 0 && w.result[3][0] == 0, "a null descriptor reads %u", w.result[3][0]);
		kiln_resource_destroy(rows[i].r);
	}
}

Test(texture, stores_and_atomics)
{
	static const struct { uint32_t op, old, value, want; } rows[] = {
		{0, 5, 3, 8}, {0, 0xffffffff, 2, 1}, {1, 12, 10, 8}, {2, 12, 10, 14}, {3, 12, 10, 6},
		{4, 0xffffffff, 1, 0xffffffff}, {5, 0xffffffff, 1, 1}, {6, 0xffffffff, 1, 1}, {7, 0xffffffff, 1, 0xffffffff}, {8, 5, 6, 6},
	};
	static const uint32_t ones[4] = {1, 10, 100, 1000}, zeros[4] = {0}, x[4] = {0, 1, 2, 0xffffffff};
	static const float color[4][4] = {{0.2f, 1, 1, 1}, {0.4f, 1, 1, 1}, {0.6f, 1, 1, 1}, {0.8f, 1, 1, 1}};
	struct kiln_resource *r = MAKE(.Format = KILN_FORMAT_R32_UINT, .Width = 2, .Height = 1);
	struct kiln_resource *rgba = MAKE(.Format = KILN_FORMAT_R8G8B8A8_UNORM, .Width = 2, .Height = 1);
	struct wave w = {.view = {0}};
	uint32_t word;

	cr_assert(view_uav(r, NULL, "", diags, &w.view));
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		memcpy(r->data + 4, &rows[i].old, 4);
		wave_begin(&w, ISA_image_atomic);
		wave_number(&w, 3, rows[i].op);
		wave_words(&w, 4, 1, &x[1]);
		wave_words(&w, 7, 1, &rows[i].value);
		wave_run(&w, 1, 1);
		memcpy(&word, r->data + 4, 4);
		cr_expect(word == rows[i].want && w.result[0][0] == rows[i].old, "row %zu: %08x", i, word);
	}
	/* lane after lane; lane 2 has no side effects */
	memset(r->data, 0, 4);
	wave_begin(&w, ISA_image_atomic);
	wave_number(&w, 3, 0);
	wave_words(&w, 4, 4, zeros);
	wave_words(&w, 7, 4, ones);
	wave_run(&w, 15, 11);
	memcpy(&word, r->data, 4);
	cr_expect(word == 1011 && w.result[0][0] == 0 && w.result[0][1] == 1 && w.result[0][3] == 11);
	/* 1011 -> 10 by the lane that expects it */
	wave_begin(&w, ISA_image_atomic_cmpswap);
	wave_words(&w, 3, 2, zeros);
	wave_words(&w, 6, 2, (const uint32_t[]){1000, 1011});
	wave_words(&w, 7, 2, (const uint32_t[]){9, 10});
	wave_run(&w, 3, 3);
	memcpy(&word, r->data, 4);
	cr_expect(word == 10 && w.result[0][0] == 1011 && w.result[0][1] == 1011);
	/* 0.2 and 0.4 are codes 51 and 102; lanes 2 and 3 are outside */
	cr_assert(view_uav(rgba, NULL, "", diags, &w.view));
	wave_begin(&w, ISA_image_store);
	wave_number(&w, 2, 15);
	wave_words(&w, 3, 4, x);
	for (unsigned c = 0; c < 4; c++)
		wave_floats(&w, 7 + c, 4, (const float[]){color[0][c], color[1][c], color[2][c], color[3][c]});
	wave_run(&w, 15, 15);
	cr_expect(!memcmp(rgba->data, (const uint8_t[]){51, 255, 255, 255, 102, 255, 255, 255}, 8));
	kiln_resource_destroy(r);
	kiln_resource_destroy(rgba);
}
