/* The format table and its conversions against an oracle written from the rules' text by other means: layouts are parsed
 * from the formats' names, norms and sRGB are computed in x87 long double, smaller floats are looked up among all values.
 * Everything runs twice: with denormals on, and with flush-to-zero and denormals-are-zero, which must change nothing. */
#include "pso/format.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmmintrin.h>

#define FAIL_IF(bad, ...) do { if (bad) cr_assert_fail(__VA_ARGS__); } while (0)

/* ---- the oracle ---- */

enum kind { NORM, SIGNED_NORM, UNSIGNED, SIGNED, REAL, GAMMA, SHARED, OTHER };
struct channel { unsigned bits, at; };
struct layout { enum kind kind; unsigned bits; struct channel ch[4]; };

/* "B5G5R5A1_UNORM": channels from the lowest bit up. Depth and stencil are R and G; X is skipped. */
static struct layout parse(const char *name)
{
	static const struct { const char *end; enum kind kind; } kinds[] = {{"UNORM_SRGB", GAMMA}, {"UNORM_S8_UINT", NORM},
		{"FLOAT_S8X24_UINT", REAL}, {"UNORM_X8_TYPELESS", NORM}, {"FLOAT_X8X24_TYPELESS", REAL}, {"G8X24_UINT", UNSIGNED},
		{"G8_UINT", UNSIGNED}, {"UNORM", NORM}, {"SNORM", SIGNED_NORM}, {"UINT", UNSIGNED}, {"SINT", SIGNED},
			{"FLOAT", REAL},
		{"SHAREDEXP", SHARED}};
	struct layout l = {.kind = OTHER};
	if (!strncmp(name, "BC", 2) || strstr(name, "8_B8") || strstr(name, "8_G8R") || strstr(name, "8_G8B") ||
		strstr(name, "XR_BIAS"))
		return l;
	const char *bar = strchr(name, '_');
	for (unsigned i = 0; bar && l.kind == OTHER && i < ARRAY_COUNT(kinds); i++)
		if (strlen(name) > strlen(kinds[i].end) && !strcmp(name + strlen(name) - strlen(kinds[i].end), kinds[i].end))
			l.kind = kinds[i].kind;
	for (const char *p = name; l.kind != OTHER && *p; p++) {
		static const char letters[] = "RGBADS";
		char *end;
		unsigned bits = (unsigned)strtoul(p + 1, &end, 10);
		if (end == p + 1)
			continue;
		const char *letter = strchr(letters, *p);
		unsigned c = letter ? (unsigned)(letter - letters) : 9;
		if (c < 6 && !(l.kind == SHARED && *p == 'E'))
			l.ch[c == 4 ? 0 : c == 5 ? 1 : c] = (struct channel){bits, l.bits};
		l.bits += bits;
		p = end - 1;
	}
	if (strstr(name, "X24_TYPELESS_G8") || strstr(name, "X32_TYPELESS_G8"))
		l.ch[0].bits = 0;
	return l;
}

static long double value_of(uint32_t bits)
{
	uint32_t e = bits >> 23 & 255, m = bits & 0x7FFFFF;
	long double magnitude = e == 255 ? (m ? (long double)NAN : (long double)INFINITY)
		: ldexpl((long double)(e ? m | 0x800000 : m), (int)(e ? e : 1) - 150);
	return bits >> 31 ? -magnitude : magnitude;
}
static bool bits_nan(uint32_t b) { return (b & 0x7FFFFFFF) > 0x7F800000; }

/* Value of a float with a 5-bit exponent and m mantissa bits; finite codes only. */
static long double small_value(uint32_t code, unsigned m)
{
	uint32_t e = code >> m & 31, f = code & ((1u << m) - 1);
	return ldexpl((long double)(e ? f | 1u << m : f), (int)(e ? e : 1) - 15 - (int)m);
}
/* Binary search for the largest value that is not above: that is rounding toward zero. */
static uint32_t small_code(uint32_t f, unsigned m, bool has_sign)
{
	uint32_t infinity = 31u << m, sign = has_sign && f >> 31 ? infinity + (1u << m) : 0;
	if (bits_nan(f))
		return infinity | 1u << (m - 1);
	if (f >> 31 && !has_sign)
		return 0;
	long double x = fabsl(value_of(f));
	if (isinf(x))
		return sign | infinity;
	uint32_t low = 0, high = infinity - 1;
	while (low < high) {
		uint32_t middle = (low + high + 1) / 2;
		if (small_value(middle, m) <= x)
			low = middle;
		else
			high = middle - 1;
	}
	return sign | low;
}

static long double gamma_decode(long double c)
{
	return c <= 0.04045L ? c / 12.92L : powl((c + 0.055L) / 1.055L, 2.4L);
}
static long double gamma_encode(long double x)
{
	return x <= 0.0031308L ? 12.92L * x : 1.055L * powl(x, 1 / 2.4L) - 0.055L;
}
static uint32_t norm_code(long double x, long double lowest, unsigned bits)
{
	x = isnan(x) ? 0 : x > 1 ? 1 : x < lowest ? lowest : x;
	long double scaled = x * (long double)((1ull << bits) - 1);
	return (uint32_t)(int32_t)truncl(scaled + (x < 0 ? -0.5L : 0.5L));
}

static enum kind channel_kind(const struct format_info *f, const struct layout *l, unsigned c)
{
	if (f->numeric == FORMAT_DEPTH)
		return c ? UNSIGNED : l->kind;
	return l->kind == GAMMA && c == 3 ? NORM : l->kind;
}

static uint32_t encode(enum kind kind, unsigned bits, uint32_t word)
{
	uint32_t mask = (uint32_t)((1ull << bits) - 1);
	int64_t s = (int32_t)word, high = (1ll << (bits - 1)) - 1;
	switch (kind) {
	case NORM: return norm_code(value_of(word), 0, bits);
	case SIGNED_NORM: return norm_code(value_of(word), -1, bits - 1) & mask;
	case GAMMA: {
		long double x = bits_nan(word) ? 0 : value_of(word);
		return norm_code(gamma_encode(x > 1 ? 1 : x < 0 ? 0 : x), 0, bits);
	}
	case UNSIGNED: return word > mask ? mask : word;
	case SIGNED: return (uint32_t)(s > high ? high : s < -high - 1 ? -high - 1 : s) & mask;
	default: return bits == 32 ? word : small_code(word, bits == 16 ? 10 : bits - 5, bits == 16);
	}
}

static uint32_t decode(enum kind kind, unsigned bits, uint32_t code)
{
	int64_t s = code >> (bits - 1) ? (int64_t)code - (1ll << bits) : (int64_t)code, high = (1ll << (bits - 1)) - 1;
	unsigned m = bits == 16 ? 10 : bits - 5;
	switch (kind) {
	case NORM: return float_bits((float)((long double)code / (long double)((1ull << bits) - 1)));
	case SIGNED_NORM: return float_bits((float)((long double)(s < -high ? -high : s) / (long double)high));
	case GAMMA: return float_bits((float)gamma_decode(code / 255.0L));
	case UNSIGNED: return code;
	case SIGNED: return (uint32_t)s;
	default: break;
	}
	if (bits == 32)
		return code;
	uint32_t sign = bits == 16 ? code >> 15 << 31 : 0;
	if ((code >> m & 31) == 31)
		return sign | 0x7F800000 | (code & ((1u << m) - 1)) << (23 - m);
	return sign | float_bits((float)small_value(code & ((32u << m) - 1), m));
}

/* The smallest exponent at which the largest channel still rounds to nine bits. */
static uint32_t shared_code(const uint32_t rgb[3])
{
	long double v[3], largest = 0;
	for (unsigned c = 0; c < 3; c++) {
		v[c] = bits_nan(rgb[c]) || rgb[c] >> 31 ? 0 : fminl(value_of(rgb[c]), 65408);
		largest = fmaxl(largest, v[c]);
	}
	int e = 0;
	while (nearbyintl(ldexpl(largest, 24 - e)) > 511)
		e++;
	uint32_t code = (uint32_t)e << 27;
	for (unsigned c = 0; c < 3; c++)
		code |= (uint32_t)nearbyintl(ldexpl(v[c], 24 - e)) << 9 * c;
	return code;
}

/* ---- bits of an element, one at a time ---- */

static uint32_t get(const uint8_t *element, struct channel at)
{
	uint32_t v = 0;
	for (unsigned i = 0; i < at.bits; i++)
		v |= (uint32_t)(element[(at.at + i) / 8] >> (at.at + i) % 8 & 1) << i;
	return v;
}
static void put(uint8_t *element, struct channel at, uint32_t v)
{
	for (unsigned i = 0; i < at.bits; i++) {
		uint8_t bit = (uint8_t)(1u << (at.at + i) % 8), *byte = &element[(at.at + i) / 8];
		*byte = v >> i & 1 ? *byte | bit : *byte & (uint8_t)~bit;
	}
}

static uint32_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(*state >> 32);
}

/* Bit patterns of all kinds: raw, around [-2, 2], and the values where rules change. */
static uint32_t next_word(uint64_t *state)
{
	static const uint32_t edges[] = {0, 0x80000000, 1, 0x80000001, 0x7FFFFF, 0x800000, 0x3F800000, 0xBF800000, 0x3F7FFFFF,
		0x3F800001, 0x3F000000, 0x3EAAAAAB, 0x477FE000, 0x477FF000, 0x477FFFFF, 0x47800000, 0x7F7FFFFF, 0x7F800000,
			0xFF800000,
		0x7FC00000, 0xFFC00000, 0x7F800001, 0x33800000, 0x337FFFFF, 0x38800000, 0x387FFFFF, 0x3B4D2E1C, 0x477F8000,
			0x477F7FFF,
		0x37800000, 0x33000000, 0x32FFFFFF, 255, 256, 65535, 65536, 127, 128, 0xFFFFFF80, 0xFFFFFF7F, 0xFFFF8000,
			0xFFFF7FFF};
	uint32_t r = next_random(state);
	switch (r & 3) {
	case 0: return next_random(state);
	case 1: return edges[next_random(state) % ARRAY_COUNT(edges)];
	case 2: return (next_random(state) & 0x83FFFFFF) | 0x3C000000;
	default: return (next_random(state) & 0x8FFFFFFF) | 0x30000000;
	}
}

static const unsigned modes[] = {0x1F80, 0x9FC0}; /* default; flush-to-zero and denormals-are-zero */

/* A format that converts, or NULL. */
static const struct format_info *row(uint32_t number, struct layout *l)
{
	const struct format_info *f = format_info(number);
	if (!f)
		return NULL;
	*l = parse(f->name);
	return l->kind == OTHER ? NULL : f;
}

/* ---- tests ---- */

Test(format, table)
{
	static const char *const names[] = {
#define X(name, number) [number] = #name,
		KILN_FORMATS(X)
#undef X
	};
	unsigned converted = 0;
	for (uint32_t i = 0; i < 300; i++) {
		const struct format_info *f = format_info(i);
		bool named = i < ARRAY_COUNT(names) && names[i];
		FAIL_IF((f != NULL) != named, "row %u", i);
		if (!f)
			continue;
		char prefixed[80];
		snprintf(prefixed, sizeof prefixed, "DXGI_FORMAT_%s", f->name);
		FAIL_IF(strcmp(f->name, names[i]) || f->number != i, "%u is %s", i, f->name);
		FAIL_IF(format_find(f->name) != (int)i || format_find(prefixed) != (int)i, "find %s", f->name);
		struct layout l;
		if (!row(i, &l))
			continue;
		converted++;
		FAIL_IF(l.bits != f->bits, "%s: %u bits, not %u", f->name, f->bits, l.bits);
		for (unsigned c = 0; c < 4; c++)
			FAIL_IF(l.ch[c].bits != f->channel[c].bits || (l.ch[c].bits && l.ch[c].at != f->channel[c].shift),
				"%s channel %u: %u at %u", f->name, c, f->channel[c].bits, f->channel[c].shift);
	}
	cr_assert_eq(converted, 61, "%u formats convert", converted);
	cr_assert_eq(format_find("R8G8B8A8"), -1);
	cr_assert_eq(format_find(""), -1);
	cr_assert_eq(format_find("DXGI_FORMAT_"), -1);
	cr_assert_null(format_info(66));
	cr_assert_null(format_info(~0u));
}

Test(format, capabilities)
{
	enum { SAMPLED = FORMAT_CAN_LOAD | FORMAT_CAN_FILTER, UAV = FORMAT_CAN_UAV | FORMAT_CAN_LOAD };
	static const struct { const char *name; unsigned can; } rows[] = {
		{"UNKNOWN", 0}, {"R8G8B8A8_TYPELESS", 0}, {"NV12", 0}, {"R10G10B10_XR_BIAS_A2_UNORM", 0},
		{"R8G8B8A8_UNORM", FORMAT_CAN_VERTEX | FORMAT_CAN_RENDER | FORMAT_CAN_BLEND | SAMPLED | UAV},
		{"R8G8B8A8_UNORM_SRGB", FORMAT_CAN_RENDER | FORMAT_CAN_BLEND | FORMAT_CAN_LOAD | FORMAT_CAN_FILTER},
		{"R32_UINT", FORMAT_CAN_VERTEX | FORMAT_CAN_INDEX | FORMAT_CAN_RENDER | FORMAT_CAN_LOGIC | UAV},
		{"R32G32B32A32_SINT", FORMAT_CAN_VERTEX | FORMAT_CAN_RENDER | FORMAT_CAN_LOAD | FORMAT_CAN_UAV},
		{"R32G32B32_FLOAT", FORMAT_CAN_VERTEX | FORMAT_CAN_LOAD | FORMAT_CAN_FILTER},
		{"D32_FLOAT", FORMAT_CAN_DEPTH}, {"D24_UNORM_S8_UINT", FORMAT_CAN_DEPTH}, {"D16_UNORM", FORMAT_CAN_DEPTH},
		{"R9G9B9E5_SHAREDEXP", FORMAT_CAN_RENDER | FORMAT_CAN_BLEND | SAMPLED | FORMAT_CAN_UAV},
		{"A4B4G4R4_UNORM", FORMAT_CAN_LOAD | FORMAT_CAN_FILTER},
		{"BC7_UNORM", FORMAT_CAN_LOAD | FORMAT_CAN_FILTER | FORMAT_COMPRESSED},
	};
	for (unsigned i = 0; i < ARRAY_COUNT(rows); i++)
		FAIL_IF(format_info((uint32_t)format_find(rows[i].name))->caps != rows[i].can, "%s", rows[i].name);
	for (uint32_t i = 0; i < KILN_FORMAT_END; i++) { /* blending and logic need a target; nobody is both */
		const struct format_info *f = format_info(i);
		unsigned both = FORMAT_CAN_BLEND | FORMAT_CAN_LOGIC;
		FAIL_IF(f && f->caps & both && (!(f->caps & FORMAT_CAN_RENDER) || (f->caps & both) == both), "%s", f->name);
	}
	cr_assert_eq(format_stored(format_info(KILN_FORMAT_A8_UNORM)), 8u);
	cr_assert_eq(format_stored(format_info(KILN_FORMAT_B5G6R5_UNORM)), 7u);
	cr_assert_eq(format_stored(format_info(KILN_FORMAT_B8G8R8X8_UNORM)), 7u);
}

static void check_unpack(const struct format_info *f, const struct layout *l, const uint8_t *element)
{
	uint32_t got[4], want[4] = {0, 0, 0, l->kind == UNSIGNED || l->kind == SIGNED ? 1 : 0x3F800000};
	for (unsigned c = 0; c < 4; c++) {
		if (l->ch[c].bits && l->kind == SHARED)
			want[c] = float_bits((float)ldexpl((long double)get(element, l->ch[c]),
				(int)get(element, (struct channel){5, 27}) - 24));
		else if (l->ch[c].bits)
			want[c] = decode(channel_kind(f, l, c), l->ch[c].bits, get(element, l->ch[c]));
	}
	format_unpack(f, element, got);
	for (unsigned c = 0; c < 4; c++)
		FAIL_IF(got[c] != want[c], "%s channel %u: code 0x%X reads 0x%08X, not 0x%08X", f->name, c,
			get(element, l->ch[c]), got[c], want[c]);
}

/* A read and a write give the same bits but for the second -1.0, NaN payloads, and another exponent for shared ones. */
static void check_round_trip(const struct format_info *f, const struct layout *l, const uint8_t *element)
{
	uint32_t rgba[4];
	uint8_t back[16] = {0};
	format_unpack(f, element, rgba);
	format_pack(f, rgba, 15, back);
	for (unsigned c = 0; c < 4 && l->kind != SHARED; c++) {
		unsigned bits = l->ch[c].bits;
		uint32_t want = bits ? get(element, l->ch[c]) : 0;
		enum kind kind = channel_kind(f, l, c);
		if (!bits || (kind == REAL && bits < 32 && bits_nan(rgba[c])))
			continue;
		if (kind == SIGNED_NORM && want == 1u << (bits - 1))
			want++;
		FAIL_IF(get(back, l->ch[c]) != want, "%s channel %u: 0x%X comes back as 0x%X", f->name, c, want,
			get(back, l->ch[c]));
	}
}

/* Every code of every channel of 16 bits or less, in all channels at once, the rest random; random codes in wider ones. */
Test(format, every_code)
{
	for (unsigned mode = 0; mode < ARRAY_COUNT(modes); mode++) {
		for (uint32_t i = 0; i < KILN_FORMAT_END; i++) {
			struct layout l;
			const struct format_info *f = row(i, &l);
			uint64_t state = i;
			for (uint32_t code = 0; f && code < 65536; code++) {
				uint8_t element[16];
				for (unsigned b = 0; b < sizeof element; b++)
					element[b] = (uint8_t)next_random(&state);
				if (l.bits == 16)
					put(element, (struct channel){16, 0}, code);
				else if (l.bits == 8)
					put(element, (struct channel){8, 0}, code);
				else
					for (unsigned c = 0; c < 4; c++)
						put(element, l.ch[c], l.ch[c].bits <= 16 ? code : next_word(&state));
				_mm_setcsr(modes[mode]);
				check_unpack(f, &l, element);
				check_round_trip(f, &l, element);
				_mm_setcsr(modes[0]);
			}
		}
	}
}

static void check_pack(const struct format_info *f, const struct layout *l, const uint32_t rgba[4], unsigned mask,
	unsigned mode)
{
	uint8_t got[16], want[16];
	memset(got, 0xA5, sizeof got);
	memset(want, 0xA5, sizeof want);
	if (l->kind == SHARED)
		put(want, (struct channel){32, 0}, shared_code(rgba));
	for (unsigned c = 0; c < 4 && l->kind != SHARED; c++)
		if (mask >> c & 1 && l->ch[c].bits)
			put(want, l->ch[c], encode(channel_kind(f, l, c), l->ch[c].bits, rgba[c]));
	_mm_setcsr(modes[mode]);
	format_pack(f, rgba, mask, got);
	_mm_setcsr(modes[0]);
	for (unsigned c = 0; c < 4; c++)
		FAIL_IF(get(got, l->ch[c]) != get(want, l->ch[c]), "%s channel %u: 0x%08X is stored as 0x%X, not 0x%X", f->name,
			c, rgba[c], get(got, l->ch[c]), get(want, l->ch[c]));
	FAIL_IF(memcmp(got, want, sizeof got), "%s: bits outside mask %u are changed", f->name, mask);
}

/* A million words into each format of one word's width or more, fewer into narrow ones; all halves into all. */
Test(format, pack, .timeout = 300)
{
	for (uint32_t i = 0; i < KILN_FORMAT_END; i++) {
		struct layout l;
		const struct format_info *f = row(i, &l);
		uint64_t state = 7 + i;
		for (unsigned n = 0, count = l.bits >= 32 ? 250000 : 100000; f && n < count; n++) {
			uint32_t rgba[4];
			for (unsigned c = 0; c < 4; c++)
				rgba[c] = n < 65536 ? decode(REAL, 16, (n * 4 + c) & 0xFFFF) : next_word(&state);
			unsigned mask = l.kind == SHARED ? 15 : n % 5 ? 15 : next_random(&state) & 15;
			check_pack(f, &l, rgba, mask, n & 1);
		}
	}
}

/* Every step of the sRGB curve, one binary32 below and at it, found through the code's own answers and the oracle's. */
Test(format, srgb_steps)
{
	const struct format_info *f = format_info(KILN_FORMAT_R8G8B8A8_UNORM_SRGB);
	struct layout l = parse(f->name);
	for (unsigned code = 0; code < 255; code++) {
		uint32_t low = 0, high = 0x3F800000;
		while (high - low > 1) {
			uint32_t middle = low + (high - low) / 2, words[4] = {middle, 0, 0, 0};
			uint8_t pixel[4] = {0};
			format_pack(f, words, 1, pixel);
			if (pixel[0] > code)
				high = middle;
			else
				low = middle;
		}
		uint32_t rgba[4] = {low, high, low - 1, high};
		check_pack(f, &l, rgba, 15, code & 1);
	}
}

struct worked { uint32_t format; uint32_t rgba[4]; uint32_t words[4]; };
/* By hand, from the rules and the worked cases. */
static const struct worked worked[] = {
	{KILN_FORMAT_R9G9B9E5_SHAREDEXP, {0x7F7FFFFF, 0xFF7FFFFF, 0x7F7FFFFF, 0}, {0xFFFC01FF}},
	{KILN_FORMAT_R9G9B9E5_SHAREDEXP, {0x7F800000, 0xFF800000, 0, 0}, {0xF80001FF}},
	{KILN_FORMAT_R9G9B9E5_SHAREDEXP, {0x3F800000, 0, 0x7FC00000, 0}, {16u << 27 | 256}},
	{KILN_FORMAT_R9G9B9E5_SHAREDEXP, {0x3F7FFFFF, 0x3F000000, 0, 0}, {16u << 27 | 128 << 9 | 256}}, /* the carry */
	{KILN_FORMAT_R11G11B10_FLOAT, {0xBF800000, 0x80000000, 0xFF800000, 0}, {0}},
	{KILN_FORMAT_R11G11B10_FLOAT, {0x7FC00000, 0x3F800000, 0x7FC00000, 0}, {0xFC000000 | 0x3C0 << 11 | 0x7E0}},
	{KILN_FORMAT_R11G11B10_FLOAT, {0x35800000, 0x36000000, 0x36000000, 0}, {0x00401001}}, /* 2^-20, 2^-19, 2^-19 */
	{KILN_FORMAT_R11G11B10_FLOAT, {0x7F7FFFFF, 0x7F800000, 0x47800000, 0}, {0x3DFu << 22 | 0x7C0 << 11 | 0x7BF}},
	{KILN_FORMAT_R16G16_FLOAT, {0x477FF000, 0xC77FF000, 0, 0}, {0xFBFF7BFF}},             /* 65520 */
	{KILN_FORMAT_R16G16_FLOAT, {0x35800000, 0x33800000, 0, 0}, {0x00010010}},
	{KILN_FORMAT_R10G10B10A2_UNORM, {0x3F000000, 0x3E800000, 0x3F400000, 0x3E23D70A}, {0x2FF40200}}, /* .5 .25 .75 .16 */
	{KILN_FORMAT_R10G10B10A2_UNORM, {0, 0, 0, 0x3F000000}, {0x80000000}},
	{KILN_FORMAT_R8G8B8A8_SNORM, {0xBF800000, 0x3F000000, 0xBF000000, 0x7FC00000}, {0x00C04081}},
	{KILN_FORMAT_R8G8B8A8_UNORM_SRGB, {0x3F000000, 0x3E3851EC, 0x391D4952, 0x3F000000}, {0x800076BC}},
	{KILN_FORMAT_D24_UNORM_S8_UINT, {0x3F000000, 0x1FF, 0, 0}, {0xFF800000}},
	{KILN_FORMAT_R8_UINT, {0x100, 0, 0, 0}, {0xFF}},
	{KILN_FORMAT_R16G16_SINT, {0xFFFF0000, 0x00010000, 0, 0}, {0x7FFF8000}},
	{KILN_FORMAT_B5G6R5_UNORM, {0x3F000000, 0x3F000000, 0x3F000000, 0}, {16u << 11 | 32 << 5 | 16}},
	{KILN_FORMAT_B8G8R8A8_UNORM, {0x3F800000, 0x3EAAAAAB, 0, 0x3F800000}, {0xFFFF5500}},
	{KILN_FORMAT_R32G32B32A32_FLOAT, {0x7F800001, 1, 0x80000000, 0xFFFFFFFF}, {0x7F800001, 1, 0x80000000, 0xFFFFFFFF}},
};

Test(format, worked)
{
	for (unsigned i = 0; i < ARRAY_COUNT(worked); i++) {
		const struct format_info *f = format_info(worked[i].format);
		uint32_t got[4] = {0};
		format_pack(f, worked[i].rgba, 15, got);
		for (unsigned w = 0; w < 4; w++)
			FAIL_IF(got[w] != worked[i].words[w], "row %u, %s: 0x%08X, not 0x%08X", i, f->name, got[w], worked[i].words[w]);
	}
}

/* Formats without a conversion read as nothing stored and keep their bytes. */
Test(format, not_converted)
{
	for (uint32_t i = 0; i < KILN_FORMAT_END; i++) {
		struct layout l;
		const struct format_info *f = format_info(i);
		if (!f || row(i, &l))
			continue;
		uint8_t bytes[16], before[16];
		uint32_t rgba[4] = {0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000};
		memset(bytes, 0x5A, sizeof bytes);
		memcpy(before, bytes, sizeof bytes);
		format_pack(f, rgba, 15, bytes);
		FAIL_IF(memcmp(before, bytes, sizeof bytes), "%s is written", f->name);
		format_unpack(f, bytes, rgba);
		FAIL_IF(rgba[0] || rgba[1] || rgba[2] || rgba[3] != 0x3F800000, "%s is read", f->name);
	}
}

Test(format, depth)
{
	static const struct { uint32_t format; float z; uint32_t code; } rows[] = {
		{KILN_FORMAT_D16_UNORM, 1.0f, 0xFFFF}, {KILN_FORMAT_D16_UNORM, 0.5f, 0x8000},
			{KILN_FORMAT_D24_UNORM_S8_UINT, 0.5f, 0x800000},
		{KILN_FORMAT_D24_UNORM_S8_UINT, 1.0f, 0xFFFFFF}, {KILN_FORMAT_D32_FLOAT, 0.25f, 0x3E800000},
		{KILN_FORMAT_D32_FLOAT_S8X24_UINT, 1.0f, 0x3F800000}};
	for (unsigned i = 0; i < ARRAY_COUNT(rows); i++)
		cr_assert_eq(format_depth_to_bits(format_info(rows[i].format), rows[i].z), rows[i].code, "row %u", i);
	const struct format_info *d24 = format_info(KILN_FORMAT_D24_UNORM_S8_UINT);
	for (uint32_t code = 0; code < 1u << 24; code += 7) {
		float z = format_bits_to_depth(d24, code);
		FAIL_IF(float_bits(z) != decode(NORM, 24, code), "D24 0x%X reads %a", code, (double)z);
		FAIL_IF(format_depth_to_bits(d24, z) != encode(NORM, 24, float_bits(z)), "D24 0x%X", code);
	}
}

/* docs/formats.md is the table's own text; where it is not, the text it should be is left in the build folder. */
Test(format, docs)
{
	struct buf text = {0};
	uint8_t *data = NULL;
	size_t size = 0;
	struct kiln_diags *diags = kiln_diags_create();
	format_docs(&text);
	bool read = file_read(KILN_SOURCE_DIR "/docs/formats.md", 1 << 20, &data, &size, diags);
	bool same = read && size == text.size && !memcmp(data, text.data, size);
	if (!same)
		file_write(KILN_BINARY_DIR "/formats.md", text.data, text.size, diags);
	mem_free(data);
	buf_finish(&text);
	kiln_diags_destroy(diags);
	cr_assert(same, "docs/formats.md is stale: copy %s/formats.md", KILN_BINARY_DIR);
}
