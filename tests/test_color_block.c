/* The colour block: slot bits in, texel bits out. Expected bits are by hand from the rules (conversions,
 * blending, the worked cases) and, for the blend table, exact sums and products of powers of two in binary64. */
#include "sim/sim.h"
#include <criterion/criterion.h>
#include <string.h>
#include <xmmintrin.h>

#define FAIL_IF(bad, ...) do { if (bad) cr_assert_fail(__VA_ARGS__); } while (0)
#define F(name) KILN_FORMAT_##name
#define PATTERN 0xDEADBEEFu
#define PAIR(low, high) ((uint32_t)(high) << 16 | (low))

static void flush_mode(void) { _mm_setcsr(0x9FC0); } /* as fp_enter() */

static struct color_target target(uint32_t format, enum isa_export_form form)
{
	struct color_target t = {.format = format_info(format), .blend.RenderTargetWriteMask = 15};
	t.required = (struct export_choice){.form = (uint8_t)form, .channels = 15, .type = EXPORT_FLOAT};
	t.required.bits = form >= ISA_FORM_fp16_abgr && form <= ISA_FORM_sint16_abgr ? 16 : 32;
	return t;
}

/* One pixel between guard bytes. */
static void draw(const struct color_target *t, const uint32_t slot[4], const uint32_t slot1[4], uint32_t pixel[4])
{
	uint8_t memory[48];
	memset(memory, 0xA5, sizeof memory);
	memcpy(memory + 16, pixel, t->format->bits / 8);
	flush_mode();
	color_block_pixel(t, slot, slot1, memory + 16);
	memcpy(pixel, memory + 16, t->format->bits / 8);
	for (unsigned i = 0; i < sizeof memory; i++)
		FAIL_IF((i < 16 || i >= 16u + t->format->bits / 8) && memory[i] != 0xA5, "%s: byte %d outside", t->format->name,
			(int)i - 16);
}

/* ---- each format from the values of the rules ---- */

/* A value: its binary32 bits, what the shader's conversion exports (fp16 toward zero, unorm16, snorm16), and the codes that
 * memory then holds. */
static const struct {
	const char *name;
	uint32_t f32;
	uint16_t fp16, unorm16, snorm16;
	uint8_t unorm8, srgb8;
	uint16_t unorm10;
	uint8_t unorm2;
} values[] = {
	{"0", 0, 0, 0, 0, 0, 0, 0, 0},
	{"1", 0x3F800000, 0x3C00, 0xFFFF, 0x7FFF, 255, 255, 1023, 3},
	{"-0", 0x80000000, 0x8000, 0, 0, 0, 0, 0, 0},
	{"-1", 0xBF800000, 0xBC00, 0, 0x8001, 0, 0, 0, 0},
	{"0.5", 0x3F000000, 0x3800, 0x8000, 0x4000, 128, 188, 512, 2},
	{"1/3", 0x3EAAAAAB, 0x3555, 0x5555, 0x2AAA, 85, 156, 341, 1},
	{"65504", 0x477FE000, 0x7BFF, 0xFFFF, 0x7FFF, 255, 255, 1023, 3},
	{"65520", 0x477FF000, 0x7BFF, 0xFFFF, 0x7FFF, 255, 255, 1023, 3},
	{"INF", 0x7F800000, 0x7C00, 0xFFFF, 0x7FFF, 255, 255, 1023, 3},
	{"-INF", 0xFF800000, 0xFC00, 0, 0x8001, 0, 0, 0, 0},
	{"NaN", 0x7FC00000, 0x7E00, 0, 0, 0, 0, 0, 0},
	{"smallest float", 1, 0, 0, 0, 0, 0, 0, 0},
	{"smallest half", 0x33800000, 1, 0, 0, 0, 0, 0, 0},
	{"513/1023, cut", 0x3F005F74, 0x3802, 0x805F, 0x4030, 128, 188, 512, 2}, /* C05: 512 through fp16, ideally 513 */
	{"224/255, cut", 0x3F607F38, 0x3B03, 0xE07F, 0x703F, 223, 241, 897, 3},  /* C05: 223 through fp16, ideally 224 */
};

static uint32_t export_word(enum isa_export_form form, unsigned v)
{
	switch (form) {
	case ISA_FORM_fp16_abgr: return values[v].fp16;
	case ISA_FORM_unorm16_abgr: return values[v].unorm16;
	case ISA_FORM_snorm16_abgr: return values[v].snorm16;
	default: return values[v].f32;
	}
}

static uint32_t bytes(unsigned r, unsigned g, unsigned b, unsigned a)
{
	return r | g << 8 | b << 16 | a << 24;
}

/* What the format holds for values r g b a, first word lowest. */
static void expected(uint32_t format, const unsigned v[4], uint32_t out[4])
{
	unsigned r = v[0], g = v[1], b = v[2], a = v[3];
	memset(out, 0, 4 * sizeof *out);
	switch (format) {
	case F(R8G8B8A8_UNORM):
		out[0] = bytes(values[r].unorm8, values[g].unorm8, values[b].unorm8, values[a].unorm8);
		break;
	case F(R8G8B8A8_UNORM_SRGB):
		out[0] = bytes(values[r].srgb8, values[g].srgb8, values[b].srgb8, values[a].unorm8);
		break;
	case F(B8G8R8A8_UNORM):
		out[0] = bytes(values[b].unorm8, values[g].unorm8, values[r].unorm8, values[a].unorm8);
		break;
	case F(R10G10B10A2_UNORM):
		out[0] = values[r].unorm10 | (uint32_t)values[g].unorm10 << 10 | (uint32_t)values[b].unorm10 << 20 |
			(uint32_t)values[a].unorm2 << 30;
		break;
	case F(R16G16B16A16_UNORM):
		out[0] = PAIR(values[r].unorm16, values[g].unorm16);
		out[1] = PAIR(values[b].unorm16, values[a].unorm16);
		break;
	case F(R16G16B16A16_SNORM):
		out[0] = PAIR(values[r].snorm16, values[g].snorm16);
		out[1] = PAIR(values[b].snorm16, values[a].snorm16);
		break;
	case F(R16G16B16A16_FLOAT):
		out[0] = PAIR(values[r].fp16, values[g].fp16);
		out[1] = PAIR(values[b].fp16, values[a].fp16);
		break;
	default: /* 32-bit channels hold the very bits */
		for (unsigned c = 0; c < format_info(format)->bits / 32u; c++)
			out[c] = values[v[c]].f32;
	}
}

Test(color_block, values)
{
	static const struct { uint32_t format; enum isa_export_form form; } rows[] = {
		{F(R8G8B8A8_UNORM), ISA_FORM_fp16_abgr}, {F(R8G8B8A8_UNORM_SRGB), ISA_FORM_fp16_abgr},
			{F(B8G8R8A8_UNORM), ISA_FORM_fp16_abgr},
		{F(R10G10B10A2_UNORM), ISA_FORM_fp16_abgr}, {F(R16G16B16A16_UNORM), ISA_FORM_unorm16_abgr},
		{F(R16G16B16A16_SNORM), ISA_FORM_snorm16_abgr}, {F(R16G16B16A16_FLOAT), ISA_FORM_fp16_abgr},
			{F(R32_FLOAT), ISA_FORM_32_r},
		{F(R32G32_FLOAT), ISA_FORM_32_gr}, {F(R32G32B32A32_FLOAT), ISA_FORM_32_abgr}, {F(R32_UINT), ISA_FORM_32_r}};
	for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
		struct color_target t = target(rows[i].format, rows[i].form);
		for (unsigned v = 0; v < ARRAY_COUNT(values); v++) {
			unsigned pick[4];
			uint32_t word[4], slot[4], pixel[4] = {~0u, ~0u, ~0u, ~0u}, want[4];
			for (unsigned c = 0; c < 4; c++) {
				pick[c] = (v + c) % ARRAY_COUNT(values);
				word[c] = export_word(rows[i].form, pick[c]);
			}
			memcpy(slot, word, sizeof slot);
			if (t.required.bits == 16) {
				slot[0] = PAIR(word[0], word[1]);
				slot[1] = PAIR(word[2], word[3]);
				slot[2] = slot[3] = PATTERN;
			}
			draw(&t, slot, NULL, pixel);
			expected(rows[i].format, pick, want);
			FAIL_IF(memcmp(pixel, want, t.format->bits / 8), "%s from %s and the next: %08X %08X, not %08X %08X",
				t.format->name, values[v].name, pixel[0], pixel[1], want[0], want[1]);
		}
	}
}

/* k/255 and k/1023 come back as k through the half export. */
Test(color_block, grids)
{
	static const struct { uint32_t format; unsigned steps; } grids[] = {{F(R8_UNORM), 255}, {F(R10G10B10A2_UNORM), 1023}};
	for (unsigned i = 0; i < ARRAY_COUNT(grids); i++) {
		struct color_target t = target(grids[i].format, ISA_FORM_fp16_abgr);
		for (unsigned k = 0; k <= grids[i].steps; k++) {
			uint32_t half = 0, pixel[4] = {0}, slot[4];
			while (half < 0x3C00) { /* largest half not above k / steps, compared as integers */
				uint32_t e = (half + 1) >> 10, m = (half + 1) & 1023;
				uint64_t scaled = e ? (uint64_t)(m | 1024) << (e - 1) : m; /* times 2^24 */
				if (scaled * grids[i].steps > (uint64_t)k << 24)
					break;
				half++;
			}
			slot[0] = slot[1] = PAIR(half, half);
			slot[2] = slot[3] = 0;
			draw(&t, slot, NULL, pixel);
			FAIL_IF((pixel[0] & (grids[i].steps == 255 ? 255u : 1023u)) != k, "%u/%u", k, grids[i].steps);
		}
	}
}

/* ---- decoding ---- */

Test(color_block, decode)
{
	static const uint32_t slot[4] = {PAIR(0x3C00, 0x8001), PAIR(0xFFFF, 0x7C00), 0x12345678, 0x9ABCDEF0};
	static const struct { enum isa_export_form form; enum export_type type; bool missing; uint32_t rgba[4]; } rows[] = {
		{ISA_FORM_zero, EXPORT_NONE, false, {0, 0, 0, 0x3F800000}},
		{ISA_FORM_32_r, EXPORT_FLOAT, false, {0x80013C00, 0, 0, 0x3F800000}},
		{ISA_FORM_32_r, EXPORT_UINT, false, {0x80013C00, 0, 0, 1}},
		{ISA_FORM_32_gr, EXPORT_FLOAT, false, {0x80013C00, 0x7C00FFFF, 0, 0x3F800000}},
		{ISA_FORM_32_gr, EXPORT_FLOAT, true, {0x80013C00, 0x7C00FFFF, 0, 0x9ABCDEF0}},
		{ISA_FORM_32_ar, EXPORT_FLOAT, false, {0x80013C00, 0, 0, 0x9ABCDEF0}},
		{ISA_FORM_32_abgr, EXPORT_FLOAT, false, {0x80013C00, 0x7C00FFFF, 0x12345678, 0x9ABCDEF0}},
		{ISA_FORM_fp16_abgr, EXPORT_FLOAT, false, {0x3F800000, 0xB3800000, 0xFFFFE000, 0x7F800000}},
		{ISA_FORM_unorm16_abgr, EXPORT_UNORM, false, {0x3E700000 + 0xF0, 0x3F000180, 0x3F800000, 0x3EF80000 + 0xF8}},
		{ISA_FORM_snorm16_abgr, EXPORT_SNORM, false, {0x3EF001E0, 0xBF800000, 0xB8000100, 0x3F7801F0}},
		{ISA_FORM_uint16_abgr, EXPORT_UINT, false, {0x3C00, 0x8001, 0xFFFF, 0x7C00}},
		{ISA_FORM_sint16_abgr, EXPORT_SINT, false, {0x3C00, 0xFFFF8001, 0xFFFFFFFF, 0x7C00}}};
	for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
		struct export_choice e = {.form = (uint8_t)rows[i].form, .type = (uint8_t)rows[i].type,
			.alpha_missing = rows[i].missing};
		uint32_t got[4];
		flush_mode();
		color_block_decode(&e, slot, got);
		for (unsigned c = 0; c < 4; c++)
			FAIL_IF(got[c] != rows[i].rgba[c], "row %u channel %u: %08X, not %08X", i, c, got[c], rows[i].rgba[c]);
	}
}

/* ---- blending ---- */

/* Operands and, for each factor, its value in R G B A: worked out by hand, all powers of two and sums of few. */
static const float src[4] = {0.5f, 2, -1, 0.25f}, dst[4] = {4, 0.5f, 1, 0.875f}, src1[4] = {0.125f, 3, 1, 0.0625f};
static const float constant[4] = {2, 0.25f, -0.5f, 0.375f};
static const struct { uint32_t factor; double value[4]; } factors[] = {
	{KILN_BLEND_ZERO, {0, 0, 0, 0}}, {KILN_BLEND_ONE, {1, 1, 1, 1}},
	{KILN_BLEND_SRC_COLOR, {0.5, 2, -1, 0.25}}, {KILN_BLEND_INV_SRC_COLOR, {0.5, -1, 2, 0.75}},
	{KILN_BLEND_SRC_ALPHA, {0.25, 0.25, 0.25, 0.25}}, {KILN_BLEND_INV_SRC_ALPHA, {0.75, 0.75, 0.75, 0.75}},
	{KILN_BLEND_DEST_ALPHA, {0.875, 0.875, 0.875, 0.875}}, {KILN_BLEND_INV_DEST_ALPHA, {0.125, 0.125, 0.125, 0.125}},
	{KILN_BLEND_DEST_COLOR, {4, 0.5, 1, 0.875}}, {KILN_BLEND_INV_DEST_COLOR, {-3, 0.5, 0, 0.125}},
	{KILN_BLEND_SRC_ALPHA_SAT, {0.125, 0.125, 0.125, 1}},
	{KILN_BLEND_BLEND_FACTOR, {2, 0.25, -0.5, 0.375}}, {KILN_BLEND_INV_BLEND_FACTOR, {-1, 0.75, 1.5, 0.625}},
	{KILN_BLEND_SRC1_COLOR, {0.125, 3, 1, 0.0625}}, {KILN_BLEND_INV_SRC1_COLOR, {0.875, -2, 0, 0.9375}},
	{KILN_BLEND_SRC1_ALPHA, {0.0625, 0.0625, 0.0625, 0.0625}},
		{KILN_BLEND_INV_SRC1_ALPHA, {0.9375, 0.9375, 0.9375, 0.9375}},
	{KILN_BLEND_ALPHA_FACTOR, {0.375, 0.375, 0.375, 0.375}}, {KILN_BLEND_INV_ALPHA_FACTOR, {0.625, 0.625, 0.625, 0.625}},
};

static double result(uint32_t op, double s, double sf, double d, double df)
{
	switch (op) {
	case KILN_BLEND_OP_ADD: return s * sf + d * df;
	case KILN_BLEND_OP_SUBTRACT: return s * sf - d * df;
	case KILN_BLEND_OP_REV_SUBTRACT: return d * df - s * sf;
	case KILN_BLEND_OP_MIN: return s < d ? s : d;
	default: return s > d ? s : d;
	}
}

/* Every factor on both sides under every operation; the alpha equation has its own. */
Test(color_block, blend_table)
{
	enum { N = ARRAY_COUNT(factors) };
	struct color_target t = target(F(R32G32B32A32_FLOAT), ISA_FORM_32_abgr);
	t.blend.BlendEnable = t.dual_source = true;
	memcpy(t.blend_factor, constant, sizeof constant);
	for (unsigned i = 0; i < N * N * 5; i++) {
		unsigned s = i % N, d = i / N % N, op = i / N / N + 1, sa = (s + 5) % N, da = (d + 7) % N, opa = (op + 1) % 5 + 1;
		t.blend.SrcBlend = factors[s].factor;
		t.blend.DestBlend = factors[d].factor;
		t.blend.BlendOp = op;
		t.blend.SrcBlendAlpha = factors[sa].factor;
		t.blend.DestBlendAlpha = factors[da].factor;
		t.blend.BlendOpAlpha = opa;
		uint32_t slot[4], slot1[4];
		float pixel[4];
		memcpy(slot, src, sizeof slot);
		memcpy(slot1, src1, sizeof slot1);
		memcpy(pixel, dst, sizeof pixel);
		draw(&t, slot, slot1, (uint32_t *)(void *)pixel);
		for (unsigned c = 0; c < 4; c++) {
			double want = result(c == 3 ? opa : op, (double)src[c], factors[c == 3 ? sa : s].value[c], (double)dst[c],
				factors[c == 3 ? da : d].value[c]);
			FAIL_IF((double)pixel[c] != want, "factors %u %u op %u channel %u: %g, not %g", factors[c == 3 ? sa : s].factor,
				factors[c == 3 ? da : d].factor, c == 3 ? opa : op, c, (double)pixel[c], want);
		}
	}
}

#define BLEND(s, d, o, sa, da, oa) .blend = {.BlendEnable = true, .SrcBlend = KILN_BLEND_##s, .DestBlend = KILN_BLEND_##d, \
	.BlendOp = KILN_BLEND_OP_##o, .SrcBlendAlpha = KILN_BLEND_##sa, .DestBlendAlpha = KILN_BLEND_##da, \
	.BlendOpAlpha = KILN_BLEND_OP_##oa, .RenderTargetWriteMask = 15}
#define ALL(s, d, o) BLEND(s, d, o, s, d, o)
#define FP16 .form = ISA_FORM_fp16_abgr
#define F32 .form = ISA_FORM_32_abgr
static const struct blend_case {
	const char *name;
	uint32_t format;
	enum isa_export_form form;
	struct kiln_render_target_blend_desc blend;
	float constant[4];
	uint32_t slot[4], before[4], after[4];
} cases[] = {
	{"C19 constant alpha", F(R8G8B8A8_UNORM), FP16, BLEND(ZERO, INV_ALPHA_FACTOR, ADD, ZERO, INV_BLEND_FACTOR, ADD),
		{0.5f, 0.5f, 0.5f, 0.25f}, {0}, {0xFFFFFFFF}, {0xBFBFBFBF}},
	{"C22 MIN", F(R8G8B8A8_UNORM), FP16, ALL(ZERO, ZERO, MIN), .slot = {PAIR(0x3400, 0x3400), PAIR(0x3400, 0x3400)},
		.before = {0x80808080}, .after = {0x40404040}},
	{"C22 MAX", F(R8G8B8A8_UNORM), FP16, ALL(ZERO, ZERO, MAX), .slot = {PAIR(0x3400, 0x3400), PAIR(0x3400, 0x3400)},
		.before = {0x80808080}, .after = {0x80808080}},
	{"C22 MIN of NaN and 0.5", F(R32_FLOAT), F32, ALL(ZERO, ZERO, MIN), .slot = {0x7FC00001}, .before = {0x3F000000},
		.after = {0x3F000000}},
	{"C22 MAX of NaN and 0.5", F(R32_FLOAT), F32, ALL(ZERO, ZERO, MAX), .slot = {0xFFC00001}, .before = {0x3F000000},
		.after = {0x3F000000}},
	{"MIN of 0.5 and NaN", F(R32_FLOAT), F32, ALL(ONE, ONE, MIN), .slot = {0x3F000000}, .before = {0x7F800001},
		.after = {0x3F000000}},
	{"MAX of two NaNs", F(R32_FLOAT), F32, ALL(ONE, ONE, MAX), .slot = {0xFFC00001}, .before = {0x7F800001},
		.after = {0x7FC00000}},
	{"MIN of zeros", F(R32G32_FLOAT), F32, ALL(ONE, ONE, MIN), .slot = {0, 0x80000000}, .before = {0x80000000, 0},
		.after = {0x80000000, 0x80000000}},
	{"MAX of zeros", F(R32G32_FLOAT), F32, ALL(ONE, ONE, MAX), .slot = {0, 0x80000000}, .before = {0x80000000, 0},
		.after = {0, 0}},
	{"C23 a: source above 1", F(R8G8B8A8_UNORM), FP16, ALL(ONE, ONE, SUBTRACT),
		.slot = {PAIR(0x4400, 0x4400), PAIR(0x4400, 0x4400)}, .before = {0x80808080}, .after = {0x7F7F7F7F}},
	{"C23 b: alpha above 1", F(R8G8B8A8_UNORM), FP16, ALL(ONE, INV_SRC_ALPHA, ADD),
		.slot = {PAIR(0x3A00, 0x3A00), PAIR(0x3A00, 0x4000)}, .before = {0xFFFFFFFF}, .after = {0xFFBFBFBF}},
	{"C23 c: constant above 1", F(R8G8B8A8_UNORM), FP16, ALL(BLEND_FACTOR, ZERO, ADD), {2, 2, 2, 2},
		{PAIR(0x3400, 0x3400), PAIR(0x3400, 0x3400)}, {0}, {0x40404040}},
	{"C24 b: no clamp on float", F(R16G16B16A16_FLOAT), FP16, BLEND(ONE, INV_SRC_ALPHA, ADD, ONE, ZERO, ADD),
		.slot = {PAIR(0x3A00, 0x3A00), PAIR(0x3A00, 0x4000)}, .before = {0x3C003C00, 0x3C003C00},
			.after = {0xB400B400, 0x4000B400}},
	{"C24 c: no clamp of the constant", F(R16G16B16A16_FLOAT), FP16, ALL(BLEND_FACTOR, ZERO, ADD), {2, 2, 2, 2},
		{PAIR(0x3400, 0x3400), PAIR(0x3400, 0x3400)}, {0}, {0x38003800, 0x38003800}},
	{"C25 half blend", F(R16G16B16A16_FLOAT), FP16, BLEND(SRC_ALPHA, INV_SRC_ALPHA, ADD, ONE, ZERO, ADD),
		.slot = {PAIR(0x3800, 0x3666), PAIR(0x3C66, 0x3666)}, .before = {0x44194400, 0x4400},
			.after = {0x413C4133, 0x366641AE}},
	{"C25 exact twin", F(R16G16B16A16_FLOAT), FP16, BLEND(SRC_ALPHA, INV_SRC_ALPHA, ADD, ONE, ZERO, ADD),
		.slot = {PAIR(0x3E00, 0x3E00), PAIR(0x3E00, 0x3800)}, .before = {0x44004400, 0x4400},
			.after = {0x41804180, 0x38004180}},
	{"C26 no alpha reads 1", F(R8G8_UNORM), FP16, ALL(DEST_ALPHA, ZERO, ADD), .slot = {PAIR(0x37F7, 0x37F7)},
		.after = {0x7F7F}},
	{"C26 5:6:5", F(B5G6R5_UNORM), FP16, ALL(INV_DEST_ALPHA, ZERO, ADD),
		.slot = {PAIR(0x3C00, 0x3C00), PAIR(0x3C00, 0x3C00)}, .before = {0xFFFF}, .after = {0}},
	{"C26 11:11:10", F(R11G11B10_FLOAT), FP16, ALL(INV_DEST_ALPHA, ZERO, ADD),
		.slot = {PAIR(0x3C00, 0x3C00), PAIR(0x3C00, 0x3C00)}, .before = {0x781E03C0}, .after = {0}},
	{"C27 linear blend", F(R8G8B8A8_UNORM_SRGB), FP16, BLEND(SRC_ALPHA, INV_SRC_ALPHA, ADD, ONE, ZERO, ADD),
		.slot = {PAIR(0x3C00, 0x3C00), PAIR(0x3C00, 0x3800)}, .before = {0x80808080}, .after = {0x80CDCDCD}},
	{"C27 sum", F(R8G8B8A8_UNORM_SRGB), FP16, BLEND(ONE, ONE, ADD, ONE, ZERO, ADD),
		.slot = {PAIR(0x2A8F, 0x2A8F), PAIR(0x2A8F, 0)}, .before = {0x00404040}, .after = {0x005A5A5A}},
	{"C29 negative to 0", F(R11G11B10_FLOAT), FP16, ALL(ONE, ONE, SUBTRACT),
		.slot = {PAIR(0x3400, 0x4000), PAIR(0x3C00, 0x3C00)}, .before = {0x781E03C0}, .after = {0x001E0000}},
	{"C34 second -1", F(R8_SNORM), FP16, ALL(ZERO, ONE, ADD), .before = {0x80}, .after = {0x81}},
	{"C35 two bits of alpha", F(R10G10B10A2_UNORM), FP16, BLEND(INV_DEST_ALPHA, ZERO, ADD, ZERO, ONE, ADD),
		.slot = {PAIR(0x3C00, 0x3C00), PAIR(0x3C00, 0x3C00)}, .before = {0x40000000},
			.after = {0x40000000 | 682 << 20 | 682 << 10 | 682}},
	{"SNORM: 1 - x reaches 2", F(R16G16B16A16_SNORM), F32, BLEND(ZERO, INV_SRC_ALPHA, ADD, ONE, ZERO, ADD),
		.slot = {0, 0, 0, 0xC0000000}, .before = {0x20002000, 0x2000}, .after = {0x40004000, 0x80014000}},
	{"NaN is 0 on UNORM", F(R8G8B8A8_UNORM), FP16, ALL(ONE, ONE, ADD), .slot = {PAIR(0x7E00, 0xFE00), PAIR(0x7D01, 0x7E00)},
		.before = {0x80808080}, .after = {0x80808080}},
	{"0 * INF", F(R32_FLOAT), F32, ALL(ZERO, ONE, ADD), .slot = {0x7F800000}, .before = {0x3F800000},
		.after = {0x7FC00000}},
	{"0 * NaN", F(R32_FLOAT), F32, ALL(ONE, ZERO, ADD), .slot = {0x3F800000}, .before = {0xFF812345},
		.after = {0x7FC00000}},
	{"INF - INF in half", F(R16G16B16A16_FLOAT), FP16, ALL(ONE, ONE, SUBTRACT), .slot = {PAIR(0x7C00, 0x3C00), PAIR(0, 0)},
		.before = {0x7C007C00, 0}, .after = {0xFC007E00, 0}},
	{"overflow in half stays finite", F(R16G16B16A16_FLOAT), FP16, ALL(ONE, ONE, ADD), .slot = {PAIR(0x7BFF, 0xFBFF), 0},
		.before = {0xFBFF7BFF, 0}, .after = {0xFBFF7BFF, 0}},
	{"half denormals stay", F(R16G16B16A16_FLOAT), FP16, ALL(ONE, ONE, ADD), .slot = {PAIR(1, 0), PAIR(0x8001, 0)},
		.before = {0x00010001, 0x03FF0001}, .after = {0x00010002, 0x03FF0000}},
	{"float denormals flush", F(R32G32_FLOAT), F32, ALL(ONE, ONE, ADD), .slot = {0x00000001, 0x00800001},
		.before = {0x00000001, 0x80800000}, .after = {0, 0}},
	{"each step rounds", F(R32_FLOAT), F32, ALL(SRC_COLOR, ONE, SUBTRACT), .slot = {0x3F800800}, .before = {0x3F801000},
		.after = {0}},
	{"-0 - -0", F(R32_FLOAT), F32, ALL(ONE, ONE, REV_SUBTRACT), .slot = {0x80000000}, .before = {0x80000000}, .after = {0}},
};

Test(color_block, blend_cases)
{
	for (unsigned i = 0; i < ARRAY_COUNT(cases); i++) {
		struct color_target t = target(cases[i].format, cases[i].form);
		uint32_t pixel[4];
		t.blend = cases[i].blend;
		memcpy(t.blend_factor, cases[i].constant, sizeof t.blend_factor);
		memcpy(pixel, cases[i].before, sizeof pixel);
		draw(&t, cases[i].slot, NULL, pixel);
		FAIL_IF(memcmp(pixel, cases[i].after, t.format->bits / 8), "%s: %08X %08X, not %08X %08X", cases[i].name,
			pixel[0], pixel[1], cases[i].after[0], cases[i].after[1]);
	}
}

/* Two sources: both are decoded in the form of target 0, and both are clamped. Colour src0 * src1 + dst * (1 - src1),
 * alpha dst * (1 - src1): with src1 = (0.5, 4, -1, 0.25) on UNORM that is as (0.5, 1, 0, 0.25). */
Test(color_block, dual_source)
{
	struct color_target t = target(F(R8G8B8A8_UNORM), ISA_FORM_fp16_abgr);
	uint32_t slot[4] = {PAIR(0x3C00, 0x3800), PAIR(0x3800, 0x3C00)}, pixel[4] = {0x80000033};
	uint32_t slot1[4] = {PAIR(0x3800, 0x4400), PAIR(0xBC00, 0x3400)};
	t.dual_source = true;
	t.blend = (struct kiln_render_target_blend_desc){true, false, KILN_BLEND_SRC1_COLOR, KILN_BLEND_INV_SRC1_COLOR,
		KILN_BLEND_OP_ADD, KILN_BLEND_ZERO, KILN_BLEND_INV_SRC1_ALPHA, KILN_BLEND_OP_ADD, 0, 15};
	draw(&t, slot, slot1, pixel); /* 0.5 + 0.2 * 0.5, 0.5, 0, 128/255 * 0.75 */
	cr_assert_eq(pixel[0], 0x60008099u, "%08X", pixel[0]);
}

/* ---- what an export mismatch looks like: only the form decides ---- */

Test(color_block, mismatch)
{
	static const struct {
		const char *name;
		uint32_t format;
		enum isa_export_form form;
		uint8_t channels;
		uint32_t slot[4], after[4];
	} rows[] = {
		/* R exported in 32_r, G wanted: the pattern is green */
		{"green masked", F(R32G32_FLOAT), ISA_FORM_32_gr, 3, {0x3F800000, 0xDEADBEEF, 0xDEADBEEF, 0xDEADBEEF},
			{0x3F800000, 0xDEADBEEF}},
		/* unorm16 RGBA exported, 32-bit float wanted: words 0 and 1 as floats, the rest pattern */
		{"unorm as float", F(R16G16B16A16_UNORM), ISA_FORM_32_abgr, 15, {0x3F000000, 0x3F800000, 0xDEADBEEF, 0xDEADBEEF},
			{0xFFFF8000, 0}},
		/* 32-bit exported, fp16 wanted: halves of the first two words; the lower ones are 0 */
		{"float as half", F(R16G16B16A16_FLOAT), ISA_FORM_fp16_abgr, 15, {0x3F800000, 0x3F000000, 0, 0},
			{0x3F800000, 0x3F000000}},
		/* halves that nobody exported read 0xBEEF and 0xDEAD: negative, 0 on UNORM */
		{"pattern in UNORM", F(R8G8B8A8_UNORM), ISA_FORM_fp16_abgr, 15, {0x3C003C00, 0xDEADBEEF, 0xDEADBEEF, 0xDEADBEEF},
			{0x0000FFFF}},
		{"channels not exported stay", F(R8G8B8A8_UNORM), ISA_FORM_fp16_abgr, 5, {0x3C003C00, 0x3C003C00}, {0xA5FFA5FF}},
		{"nothing exported", F(R32_FLOAT), ISA_FORM_zero, 0, {0}, {0xA5A5A5A5}},
	};
	for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
		struct color_target t = target(rows[i].format, rows[i].form);
		uint32_t pixel[4] = {0xA5A5A5A5, 0xA5A5A5A5, 0xA5A5A5A5, 0xA5A5A5A5};
		t.required.channels = rows[i].channels;
		draw(&t, rows[i].slot, NULL, pixel);
		FAIL_IF(memcmp(pixel, rows[i].after, t.format->bits / 8), "%s: %08X %08X", rows[i].name, pixel[0], pixel[1]);
	}
	/* Alpha missing: dst * SRC_ALPHA with alpha 0xDEADBEEF = -0xADBEEF * 2^39 */
	struct color_target t = target(F(R32G32_FLOAT), ISA_FORM_32_abgr);
	t.blend = (struct kiln_render_target_blend_desc){true, false, KILN_BLEND_ZERO, KILN_BLEND_SRC_ALPHA, KILN_BLEND_OP_ADD,
		KILN_BLEND_ONE, KILN_BLEND_ZERO, KILN_BLEND_OP_ADD, 0, 15};
	uint32_t slot[4] = {0x3F800000, 0x3F800000, 0xDEADBEEF, 0xDEADBEEF}, pixel[4] = {0x3F800000, 0x3F000000};
	draw(&t, slot, NULL, pixel);
	FAIL_IF(pixel[0] != 0xDEADBEEF || pixel[1] != 0xDE2DBEEF, "alpha missing: %08X %08X", pixel[0], pixel[1]);
}

/* ---- masks, integers, logic, copies, clears ---- */

Test(color_block, write_mask)
{
	for (unsigned mask = 0; mask < 16; mask++) {
		struct color_target t = target(F(R8G8B8A8_UNORM), ISA_FORM_fp16_abgr);
		uint32_t slot[4] = {0x3C003C00, 0x3C003C00, 0, 0}, pixel[4] = {0x50505050}, want = 0;
		t.blend.RenderTargetWriteMask = mask;
		for (unsigned c = 0; c < 4; c++)
			want |= (mask >> c & 1 ? 0xFFu : 0x50u) << 8 * c;
		draw(&t, slot, NULL, pixel);
		FAIL_IF(pixel[0] != want, "mask %u: %08X", mask, pixel[0]);
	}
	struct color_target t = target(F(R8_SNORM), ISA_FORM_fp16_abgr); /* C34: not even the second -1 is touched */
	uint32_t slot[4] = {0}, pixel[4] = {0x80};
	t.blend.RenderTargetWriteMask = 0;
	draw(&t, slot, NULL, pixel);
	cr_assert_eq(pixel[0], 0x80u);
}

Test(color_block, integers)
{
	static const struct { uint32_t format; enum isa_export_form form; uint32_t slot[4], after[4]; } rows[] = {
		{F(R32_UINT), ISA_FORM_32_r, {0x7F800001}, {0x7F800001}}, /* C38 */
		{F(R32G32B32A32_SINT), ISA_FORM_32_abgr, {0x7F800001, ~0u, 0x80000000, 1}, {0x7F800001, ~0u, 0x80000000, 1}},
		{F(R8G8B8A8_UINT), ISA_FORM_uint16_abgr, {PAIR(0, 255), PAIR(256, 0xFFFF)}, {0xFFFFFF00}},
		{F(R8G8B8A8_SINT), ISA_FORM_sint16_abgr, {PAIR(127, 128), PAIR(0xFF80, 0x8000)}, {0x80807F7F}},
		{F(R10G10B10A2_UINT), ISA_FORM_uint16_abgr, {PAIR(1023, 1024), PAIR(5, 4)}, {0xC05FFFFF}},
		{F(R16G16_UINT), ISA_FORM_uint16_abgr, {PAIR(0xFFFF, 0x8000)}, {0x8000FFFF}},
		{F(R16G16_SINT), ISA_FORM_sint16_abgr, {PAIR(0xFFFF, 0x8000)}, {0x8000FFFF}}};
	for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
		struct color_target t = target(rows[i].format, rows[i].form);
		uint32_t pixel[4] = {0};
		draw(&t, rows[i].slot, NULL, pixel);
		FAIL_IF(memcmp(pixel, rows[i].after, t.format->bits / 8), "row %u: %08X", i, pixel[0]);
	}
	struct color_target t = target(F(R16G16B16A16_FLOAT), ISA_FORM_fp16_abgr); /* copies keep NaN payloads */
	uint32_t slot[4] = {PAIR(0x7D01, 0xFFFF), PAIR(0x7C01, 0xFE23)}, pixel[4] = {0};
	draw(&t, slot, NULL, pixel);
	FAIL_IF(pixel[0] != slot[0] || pixel[1] != slot[1], "half copy: %08X %08X", pixel[0], pixel[1]);
}

Test(color_block, logic)
{
	static const uint8_t truth[16] = {0x0, 0xF, 0x3, 0xC, 0x5, 0xA, 0x1, 0xE, 0x7, 0x8, 0x6, 0x9, 0x2, 0x4, 0xB, 0xD};
	for (unsigned op = 0; op < 16; op++) { /* source 0011 and destination 0101 in every nibble */
		struct color_target t = target(F(R8G8B8A8_UINT), ISA_FORM_uint16_abgr);
		uint32_t slot[4] = {0x00330033, 0x01330033}, pixel[4] = {0x55555555}; /* alpha is wider: its low bits count */
		t.blend.LogicOpEnable = true;
		t.blend.LogicOp = op;
		draw(&t, slot, NULL, pixel);
		FAIL_IF(pixel[0] != truth[op] * 0x11111111u, "op %u: %08X", op, pixel[0]);
	}
}

Test(color_block, clear)
{
	static const struct { uint32_t format; uint32_t rgba[4], after[4]; } rows[] = { /* C37 and the conversion rules */
		{F(R8_UNORM), {0x3F000000}, {128}}, {F(R16_UNORM), {0x3F000000}, {32768}}, {F(R8_SNORM), {0xBF000000}, {0xC0}},
		{F(B5G6R5_UNORM), {0x3F000000, 0x3F000000, 0x3F000000}, {16 << 11 | 32 << 5 | 16}},
		{F(R8G8B8A8_UNORM_SRGB), {0x3F000000, 0x3F800000, 0, 0x3F000000}, {0x8000FFBC}},
		{F(R16_FLOAT), {0x35800000}, {0x10}}, {F(R16_FLOAT), {0x33800000}, {1}},
		{F(R32G32_FLOAT), {0x00000001, 0xFFC12345}, {0x00000001, 0xFFC12345}},
		{F(R32_UINT), {0x4B800001}, {0x01000002}}, {F(R32_UINT), {0x4F800000}, {~0u}}, {F(R32_UINT), {0x7FC00000}, {0}},
		{F(R32_UINT), {0xBF800000}, {0}}, {F(R8_UINT), {0x49742400}, {255}}, {F(R16_SINT), {0xCB800001}, {0x8000}},
		{F(R32_SINT), {0xCB800001}, {0xFEFFFFFE}}, {F(R32_SINT), {0x4F000000}, {0x7FFFFFFF}},
			{F(R32_SINT), {0xFF800000}, {0x80000000}},
		{F(R32G32_SINT), {0x3FC00000, 0xC0200000}, {2, 0xFFFFFFFE}},  /* 1.5 and -2.5: ties to even */
		{F(R32G32_UINT), {0x40200000, 0x40333333}, {2, 3}},           /* 2.5 and 2.8 */
	};
	for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
		const struct format_info *f = format_info(rows[i].format);
		float rgba[4];
		uint32_t pixel[4] = {~0u, ~0u, ~0u, ~0u};
		memcpy(rgba, rows[i].rgba, sizeof rgba);
		flush_mode();
		color_block_clear(f, rgba, (uint8_t *)pixel);
		FAIL_IF(memcmp(pixel, rows[i].after, f->bits / 8), "row %u, %s: %08X", i, f->name, pixel[0]);
	}
}

/* A shared exponent target blends like any float: nothing is clamped to [0, 1]. 1 + 2 = 3: 256 at exponent 16 becomes 384 at 17. */
Test(color_block, shared_exponent)
{
	const uint32_t slot[4] = {0x40000000, 0x40000000, 0x40000000, 0x3F800000};
	struct color_target t = target(F(R9G9B9E5_SHAREDEXP), ISA_FORM_32_abgr);
	uint32_t pixel[4] = {0x84020100};
	t.blend.BlendEnable = true;
	t.blend.SrcBlend = t.blend.DestBlend = t.blend.SrcBlendAlpha = t.blend.DestBlendAlpha = KILN_BLEND_ONE;
	t.blend.BlendOp = t.blend.BlendOpAlpha = KILN_BLEND_OP_ADD;
	draw(&t, slot, NULL, pixel);
	cr_assert_eq(pixel[0], 0x8E030180u, "0x%08X", pixel[0]);
}
