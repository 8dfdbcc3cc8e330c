/* The colour block's own conversions, pixel by pixel and without a shader: every half into each format, every code of each
 * format of 16 bits or less out to memory and through the blender, ten million random floats into each wider format (fewer
 * under a sanitizer). The oracle is written from the rules' text in binary64, where each of its steps is exact, and takes
 * the layouts from its own table; it shares no code with Kiln. */
#include "sim/sim.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <xmmintrin.h>

#define FAIL_IF(bad, ...) do { if (bad) cr_assert_fail(__VA_ARGS__); } while (0)
#if defined(__SANITIZE_ADDRESS__)
enum { FLOATS = 100000, HALF_STEP = 7 };
#else
enum { FLOATS = 10000000, HALF_STEP = 1 };
#endif

/* ---- formats, by the names' own grammar ---- */

enum kind { UNORM, SNORM, UINT, SINT, HALF, SMALL, SRGB, SHARED, RAW };
struct layout {
	uint32_t format;
	enum kind kind;
	uint8_t size;                    /* bytes */
	struct { uint8_t bits, at; } c[4];
};
#define F(name) KILN_FORMAT_##name
static const struct layout layouts[] = {
	{F(R8_UNORM), UNORM, 1, {{8, 0}}}, {F(A8_UNORM), UNORM, 1, {{0, 0}, {0, 0}, {0, 0}, {8, 0}}},
	{F(R8_SNORM), SNORM, 1, {{8, 0}}}, {F(R8_UINT), UINT, 1, {{8, 0}}}, {F(R8_SINT), SINT, 1, {{8, 0}}},
	{F(R8G8_UNORM), UNORM, 2, {{8, 0}, {8, 8}}}, {F(R8G8_SNORM), SNORM, 2, {{8, 0}, {8, 8}}},
	{F(R8G8_UINT), UINT, 2, {{8, 0}, {8, 8}}}, {F(R8G8_SINT), SINT, 2, {{8, 0}, {8, 8}}},
	{F(R16_UNORM), UNORM, 2, {{16, 0}}}, {F(R16_SNORM), SNORM, 2, {{16, 0}}}, {F(R16_UINT), UINT, 2, {{16, 0}}},
	{F(R16_SINT), SINT, 2, {{16, 0}}}, {F(R16_FLOAT), HALF, 2, {{16, 0}}},
	{F(B5G6R5_UNORM), UNORM, 2, {{5, 11}, {6, 5}, {5, 0}}}, {F(B5G5R5A1_UNORM), UNORM, 2, {{5, 10}, {5, 5}, {5, 0}, {1, 15}}},
	{F(B4G4R4A4_UNORM), UNORM, 2, {{4, 8}, {4, 4}, {4, 0}, {4, 12}}},
	{F(R8G8B8A8_UNORM), UNORM, 4, {{8, 0}, {8, 8}, {8, 16}, {8, 24}}}, {F(R8G8B8A8_UNORM_SRGB), SRGB, 4, {{8, 0}, {8, 8}, {8, 16}, {8, 24}}},
	{F(R8G8B8A8_SNORM), SNORM, 4, {{8, 0}, {8, 8}, {8, 16}, {8, 24}}}, {F(R8G8B8A8_UINT), UINT, 4, {{8, 0}, {8, 8}, {8, 16}, {8, 24}}},
	{F(R8G8B8A8_SINT), SINT, 4, {{8, 0}, {8, 8}, {8, 16}, {8, 24}}}, {F(B8G8R8A8_UNORM), UNORM, 4, {{8, 16}, {8, 8}, {8, 0}, {8, 24}}},
	{F(B8G8R8X8_UNORM), UNORM, 4, {{8, 16}, {8, 8}, {8, 0}}}, {F(B8G8R8A8_UNORM_SRGB), SRGB, 4, {{8, 16}, {8, 8}, {8, 0}, {8, 24}}},
	{F(B8G8R8X8_UNORM_SRGB), SRGB, 4, {{8, 16}, {8, 8}, {8, 0}}},
	{F(R10G10B10A2_UNORM), UNORM, 4, {{10, 0}, {10, 10}, {10, 20}, {2, 30}}}, {F(R10G10B10A2_UINT), UINT, 4, {{10, 0}, {10, 10}, {10, 20}, {2, 30}}},
	{F(R11G11B10_FLOAT), SMALL, 4, {{11, 0}, {11, 11}, {10, 22}}}, {F(R9G9B9E5_SHAREDEXP), SHARED, 4, {{9, 0}, {9, 9}, {9, 18}}},
	{F(R16G16_UNORM), UNORM, 4, {{16, 0}, {16, 16}}}, {F(R16G16_SNORM), SNORM, 4, {{16, 0}, {16, 16}}}, {F(R16G16_UINT), UINT, 4, {{16, 0}, {16, 16}}},
	{F(R16G16_SINT), SINT, 4, {{16, 0}, {16, 16}}}, {F(R16G16_FLOAT), HALF, 4, {{16, 0}, {16, 16}}},
	{F(R32_FLOAT), RAW, 4, {{32, 0}}}, {F(R32_UINT), UINT, 4, {{32, 0}}}, {F(R32_SINT), SINT, 4, {{32, 0}}},
	{F(R16G16B16A16_UNORM), UNORM, 8, {{16, 0}, {16, 16}, {16, 32}, {16, 48}}}, {F(R16G16B16A16_SNORM), SNORM, 8, {{16, 0}, {16, 16}, {16, 32}, {16, 48}}},
	{F(R16G16B16A16_UINT), UINT, 8, {{16, 0}, {16, 16}, {16, 32}, {16, 48}}}, {F(R16G16B16A16_SINT), SINT, 8, {{16, 0}, {16, 16}, {16, 32}, {16, 48}}},
	{F(R16G16B16A16_FLOAT), HALF, 8, {{16, 0}, {16, 16}, {16, 32}, {16, 48}}}, {F(R32G32_FLOAT), RAW, 8, {{32, 0}, {32, 32}}},
	{F(R32G32_UINT), UINT, 8, {{32, 0}, {32, 32}}}, {F(R32G32_SINT), SINT, 8, {{32, 0}, {32, 32}}},
	{F(R32G32B32A32_FLOAT), RAW, 16, {{32, 0}, {32, 32}, {32, 64}, {32, 96}}}, {F(R32G32B32A32_UINT), UINT, 16, {{32, 0}, {32, 32}, {32, 64}, {32, 96}}},
	{F(R32G32B32A32_SINT), SINT, 16, {{32, 0}, {32, 32}, {32, 64}, {32, 96}}},
};

static uint32_t get(const uint8_t *element, unsigned bits, unsigned at)
{
	uint64_t word = 0;
	memcpy(&word, element + at / 32 * 4, 4);
	return (uint32_t)(word >> at % 32 & ((1ull << bits) - 1));
}

/* ---- the oracle ---- */

static double value_of(uint32_t bits)
{
	int e = (int)(bits >> 23 & 255);
	double m = bits & 0x7FFFFF, magnitude = e == 255 ? (m > 0 ? (double)NAN : (double)INFINITY)
		: ldexp(e ? m + 0x800000 : m, (e ? e : 1) - 150);
	return bits >> 31 ? -magnitude : magnitude;
}
static double half_value(uint32_t h)
{
	int e = (int)(h >> 10 & 31);
	double m = h & 0x3FF, magnitude = e == 31 ? (m > 0 ? (double)NAN : (double)INFINITY) : ldexp(e ? m + 1024 : m, (e ? e : 1) - 25);
	return h >> 15 ? -magnitude : magnitude;
}
/* Toward zero into 5 bits of exponent and m of mantissa; finite values stay finite; NaN is any code above infinity. */
static uint32_t small_code(double x, unsigned m)
{
	double a = fabs(x);
	int e;
	if (isnan(x) || isinf(x))
		return 31u << m | isnan(x);
	if (a >= ldexp(2 - ldexp(1, -(int)m), 15))
		return (31u << m) - 1;
	if (a < ldexp(1, -14))
		return (uint32_t)floor(ldexp(a, 14 + (int)m));
	double f = frexp(a, &e); /* [0.5, 1) */
	return ((uint32_t)(e + 14) << m) + (uint32_t)floor(ldexp(2 * f - 1, (int)m));
}
static uint32_t norm_code(double x, double lowest, unsigned bits)
{
	x = isnan(x) ? 0 : x > 1 ? 1 : x < lowest ? lowest : x;
	double scaled = x * (double)((1u << (lowest < 0 ? bits - 1 : bits)) - 1);
	return (uint32_t)(int32_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5) & ((1u << bits) - 1);
}

static float srgb_step[256];          /* the least float that gives each code */
static unsigned srgb_formula(double x)
{
	double e = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
	return (unsigned)(e * 255 + 0.5);
}
static void find_srgb_steps(void)
{
	for (unsigned code = 1; code < 256; code++) {
		uint32_t low = 0, high = 0x3F800000;
		while (high - low > 1) {
			uint32_t middle = low + (high - low) / 2;
			*(srgb_formula(value_of(middle)) >= code ? &high : &low) = middle;
		}
		memcpy(&srgb_step[code], &high, 4);
	}
}
static uint32_t srgb_code(double x)
{
	unsigned low = 0, high = 255;
	while (low < high) {
		unsigned middle = (low + high + 1) / 2;
		if (x >= (double)srgb_step[middle])
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* The least exponent at which the largest channel, rounded to nearest even, fits nine bits. */
static void shared_codes(const double x[4], uint32_t out[3], uint32_t *exponent)
{
	double c[3], most = 0;
	for (unsigned i = 0; i < 3; i++) {
		c[i] = isnan(x[i]) || x[i] < 0 ? 0 : x[i] > 65408 ? 65408 : x[i];
		most = c[i] > most ? c[i] : most;
	}
	for (*exponent = 0; rint(ldexp(most, 24 - (int)*exponent)) > 511; ++*exponent)
		;
	for (unsigned i = 0; i < 3; i++)
		out[i] = (uint32_t)rint(ldexp(c[i], 24 - (int)*exponent));
}

static uint32_t code_of(const struct layout *l, unsigned c, uint32_t word, double x)
{
	unsigned bits = l->c[c].bits;
	int64_t s = (int32_t)word, most = (1ll << (bits - 1)) - 1;
	switch (l->kind) {
	case UNORM: return norm_code(x, 0, bits);
	case SNORM: return norm_code(x, -1, bits);
	case SRGB: return c == 3 ? norm_code(x, 0, 8) : srgb_code(x);
	case UINT: return bits < 32 && word >> bits ? (uint32_t)((1ull << bits) - 1) : word;
	case SINT: return (uint32_t)(s > most ? most : s < -most - 1 ? -most - 1 : s) & (uint32_t)((1ull << bits) - 1);
	case HALF: return small_code(x, 10) | (word >> 31 && !isnan(x)) << 15;
	case SMALL: return x < 0 || word >> 31 ? (isnan(x) ? 31u << (bits - 5) | 1 : 0) : small_code(x, bits - 5);
	default: return word;
	}
}

static void check(const struct layout *l, const uint32_t words[4], const double x[4], const uint8_t *pixel)
{
	const char *name = format_info(l->format)->name;
	if (l->kind == SHARED) {
		uint32_t want[3], e;
		shared_codes(x, want, &e);
		for (unsigned c = 0; c < 3; c++)
			FAIL_IF(get(pixel, 9, 9 * c) != want[c], "%s of %a %a %a: channel %u", name, x[0], x[1], x[2], c);
		FAIL_IF(get(pixel, 5, 27) != e, "%s of %a %a %a: exponent", name, x[0], x[1], x[2]);
		return;
	}
	for (unsigned c = 0; c < 4; c++) {
		unsigned bits = l->c[c].bits;
		if (!bits)
			continue;
		uint32_t got = get(pixel, bits, l->c[c].at), want = code_of(l, c, words[c], x[c]);
		bool nan = isnan(x[c]) && (l->kind == HALF || l->kind == SMALL);
		uint32_t infinity = nan ? 31u << (bits - (l->kind == HALF ? 6 : 5)) : 0;
		FAIL_IF(nan ? (got & 0x7FFF) <= infinity : got != want, "%s channel %u of 0x%08X: 0x%X, not 0x%X", name, c,
			words[c], got, want);
	}
}

/* ---- what goes in ---- */

static struct color_target target(const struct layout *l, uint8_t form)
{
	struct color_target t = {.format = format_info(l->format), .blend.RenderTargetWriteMask = 15};
	t.required = (struct export_choice){.form = form, .channels = 15, .bits = form == ISA_FORM_fp16_abgr ? 16 : 32};
	t.required.type = l->kind == UINT ? EXPORT_UINT : l->kind == SINT ? EXPORT_SINT : EXPORT_FLOAT;
	return t;
}

static uint64_t next(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	return *s ^= *s << 17;
}
/* Any bits; small magnitudes; [0, 1) and its negative; around 65504; and for integers small numbers. */
static uint32_t random_word(uint64_t *s, const struct layout *l)
{
	uint64_t r = next(s);
	uint32_t bits = (uint32_t)(r >> 32);
	float f = (float)(bits >> 8) * 0x1p-24f;
	switch (r & 7) {
	case 0: return bits;
	case 1: f *= 70000.0f; break;
	case 2: f = -f; break;
	case 3: f *= 0x1p-14f; break;
	case 4: f *= 0x1p-22f; break;
	default: break;
	}
	if (l->kind == UINT || l->kind == SINT)
		return r & 8 ? bits >> (r >> 8 & 31) : bits;
	memcpy(&bits, &f, 4);
	return bits;
}

Test(conversions, random_floats, .timeout = 600)
{
	find_srgb_steps();
	for (size_t i = 0; i < ARRAY_COUNT(layouts); i++) {
		const struct layout *l = &layouts[i];
		struct color_target t = target(l, ISA_FORM_32_abgr);
		uint64_t state = 0x9E3779B97F4A7C15u + i;
		unsigned channels = 0;
		for (unsigned c = 0; c < 4; c++)
			channels += l->c[c].bits > 0;
		for (unsigned n = 0; n < FLOATS / channels; n++) {
			uint32_t words[4];
			uint8_t pixel[16] = {0};
			double x[4];
			for (unsigned c = 0; c < 4; c++) {
				words[c] = l->c[c].bits ? random_word(&state, l) : 0;
				x[c] = value_of(words[c]);
			}
			_mm_setcsr(0x9FC0);
			color_block_pixel(&t, words, NULL, pixel);
			_mm_setcsr(0x1F80);
			check(l, words, x, pixel);
		}
	}
}

/* Every half, exported as such. */
Test(conversions, halves, .timeout = 300)
{
	find_srgb_steps();
	for (size_t i = 0; i < ARRAY_COUNT(layouts); i++) {
		const struct layout *l = &layouts[i];
		struct color_target t = target(l, ISA_FORM_fp16_abgr);
		for (uint32_t h = 0; h < 0x10000 && l->kind != UINT && l->kind != SINT; h += HALF_STEP) {
			uint32_t slot[4] = {h << 16 | h, h << 16 | h, 0, 0}, sign = h >> 15 << 31, words[4] = {sign, sign, sign, sign};
			double v = half_value(h), x[4] = {v, v, v, v};
			float f = (float)v;
			uint8_t pixel[16] = {0};
			if (l->kind == RAW && isnan(v))
				continue;
			if (l->kind == RAW)
				for (unsigned c = 0; c < 4; c++)
					memcpy(&words[c], &f, 4);
			_mm_setcsr(0x9FC0);
			color_block_pixel(&t, slot, NULL, pixel);
			_mm_setcsr(0x1F80);
			check(l, words, x, pixel);
			FAIL_IF(l->kind == HALF && get(pixel, 16, 0) != h, "0x%04X is copied as 0x%04X", h, get(pixel, 16, 0));
		}
	}
}

static double decoded(const struct layout *l, unsigned c, uint32_t code)
{
	double top = (double)((1u << (l->kind == SNORM ? l->c[c].bits - 1 : l->c[c].bits)) - 1);
	int32_t s = code >> (l->c[c].bits - 1) & 1 ? (int32_t)(code - (1u << l->c[c].bits)) : (int32_t)code;
	return l->kind == HALF ? half_value(code) : l->kind == UNORM ? code / top : s < -top ? -1 : s / top;
}

/* Every element of formats of up to 16 bits: its value goes to its code; and what the blender reads it writes back. */
Test(conversions, codes, .timeout = 300)
{
	for (size_t i = 0; i < ARRAY_COUNT(layouts); i++) {
		const struct layout *l = &layouts[i];
		for (uint32_t element = 0; l->size <= 2 && element < 1u << 8 * l->size; element += HALF_STEP) {
			struct color_target t = target(l, ISA_FORM_32_abgr), through = t;
			uint32_t words[4] = {0}, zeros[4] = {0}, want = 0;
			uint8_t pixel[4] = {0}, kept[4] = {0};
			bool nan = false;
			through.blend.BlendEnable = true;
			through.blend.SrcBlend = through.blend.SrcBlendAlpha = KILN_BLEND_ZERO;
			through.blend.DestBlend = through.blend.DestBlendAlpha = KILN_BLEND_ONE;
			through.blend.BlendOp = through.blend.BlendOpAlpha = KILN_BLEND_OP_ADD;
			for (unsigned c = 0; c < 4; c++) {
				unsigned bits = l->c[c].bits;
				if (!bits)
					continue;
				uint32_t code = element >> l->c[c].at & ((1u << bits) - 1), least = 1u << (bits - 1);
				float f = (float)decoded(l, c, code);
				memcpy(&words[c], &f, 4);
				if (l->kind == UINT || l->kind == SINT)
					words[c] = l->kind == SINT && code & least ? code - 2 * least : code;
				nan |= f != f;
				want |= (l->kind == SNORM && code == least ? least + 1 : code) << l->c[c].at;
			}
			memcpy(kept, &element, 4);
			_mm_setcsr(0x9FC0);
			color_block_pixel(&t, words, NULL, pixel);
			color_block_pixel(&through, zeros, NULL, kept);
			_mm_setcsr(0x1F80);
			if (nan) /* payloads are free */
				continue;
			FAIL_IF(get(pixel, 16, 0) != want, "%s 0x%X: written 0x%X", format_info(l->format)->name, element, get(pixel, 16, 0));
			if (l->kind == UINT || l->kind == SINT)
				continue; /* integers are not blended */
			want = l->kind == HALF && element == 0x8000 ? 0 : want; /* -0 + 0 is +0 */
			FAIL_IF(get(kept, 16, 0) != want, "%s 0x%X: kept 0x%X", format_info(l->format)->name, element, get(kept, 16, 0));
		}
	}
}
