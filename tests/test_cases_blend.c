/* Public bug reports as tests, parts B and C: blend arithmetic and conversions, from a vertex's bits through the export to
 * the bytes of the target. */
#include "tests/cases.h"
#include "pso/convert.h"
#include <math.h>
#include <xmmintrin.h>

/* One draw over one texel. The blend state is COPY where `blend` says nothing. */
struct row {
	const char *name;
	uint32_t format;
	struct kiln_render_target_blend_desc blend;
	uint32_t color[4];
	uint8_t before[16], after[16];
	float factor[4];
};

static void check_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct row *row = &rows[i];
		struct rig r;

		rig_open(&r, row->format);
		preset(r.color, row->before);
		r.state.BlendState.RenderTarget[0] = row->blend;
		kiln_cmd_blend_factor(r.list, row->factor);
		use_constant_pso(&r, row->format);
		shoot(&r, &row->color, 1);
		run(&r);
		for (unsigned b = 0; b < r.color->format->bits / 8u; b++)
			cr_assert_eq(texel_of(r.color, 0)[b], row->after[b], "%s: byte %u is %02x, expected %02x", row->name, b,
				texel_of(r.color, 0)[b], row->after[b]);
		rig_close(&r);
	}
}
#define CHECK(...) do { \
		static const struct row checked[] = {__VA_ARGS__}; \
		check_rows(checked, ARRAY_COUNT(checked)); \
	} while (0)

enum { QUARTER = 0x3e800000, THREE_QUARTERS = 0x3f400000, TWO = 0x40000000, FOUR = 0x40800000 };
#define NEGATIVE(bits) ((uint32_t)(bits) | 0x80000000u)

/* Factors are ignored, and NaN loses: S 17.1 governs MIN and MAX, 17.5 the arithmetic operations. */
Test(cases, C22_min_and_max)
{
	CHECK({"MIN", F(R8G8B8A8_UNORM), ALL(ZERO, ZERO, MIN), {QUARTER, QUARTER, QUARTER, QUARTER}, {128, 128, 128, 128},
			  {64, 64, 64, 64}, {0}},
		{"MAX", F(R8G8B8A8_UNORM), ALL(ZERO, ZERO, MAX), {QUARTER, QUARTER, QUARTER, QUARTER}, {128, 128, 128, 128},
			{128, 128, 128, 128}, {0}},
		{"MIN of NaN", F(R32_FLOAT), ALL(ZERO, ZERO, MIN), {NAN_BITS}, {0, 0, 0, 0x3f}, {0, 0, 0, 0x3f}, {0}},
		{"MAX of NaN", F(R32_FLOAT), ALL(ZERO, ZERO, MAX), {NAN_BITS}, {0, 0, 0, 0x3f}, {0, 0, 0, 0x3f}, {0}},
		{"ADD of NaN", F(R32_FLOAT), ALL(ZERO, ONE, ADD), {NAN_BITS}, {0, 0, 0, 0x3f}, {0, 0, 0xc0, 0x7f}, {0}}, );
}

Test(cases, C23_source_is_clamped_first)
{
	CHECK({"a", F(R8G8B8A8_UNORM), ALL(ONE, ONE, SUBTRACT), {FOUR, FOUR, FOUR, FOUR}, {128, 128, 128, 128},
			  {127, 127, 127, 127}, {0}},
		{"b", F(R8G8B8A8_UNORM), ALL(ONE, INV_SRC_ALPHA, ADD), {THREE_QUARTERS, THREE_QUARTERS, THREE_QUARTERS, TWO},
			{255, 255, 255, 255}, {191, 191, 191, 255}, {0}},
		{"c", F(R8G8B8A8_UNORM), ALL(BLEND_FACTOR, ZERO, ADD), {QUARTER, QUARTER, QUARTER, QUARTER}, {9, 9, 9, 9},
			{64, 64, 64, 64}, {2, 2, 2, 2}}, );
}

/* One blend state, two targets. */
Test(cases, C24_the_clamp_is_a_target)
{
	static const struct { struct kiln_render_target_blend_desc blend; uint32_t color[4]; uint8_t unorm[4],
		half[8]; } rows[] = {
		{ALL(BLEND_FACTOR, ZERO, ADD), {QUARTER, QUARTER, QUARTER, QUARTER}, {64, 64, 64, 64},
			{0, 0x38, 0, 0x38, 0, 0x38, 0, 0x38}},
		{ALL(ONE, INV_SRC_ALPHA, ADD), {THREE_QUARTERS, THREE_QUARTERS, THREE_QUARTERS, TWO}, {191, 191, 191, 255},
			{0, 0xb4, 0, 0xb4, 0, 0xb4, 0, 0x3c}}, /* -0.25; alpha 2 + 1 (1 - 2) = 1 */
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_resource *t[2];
		struct rig r;
		struct isa_program *ps = ps_color(ISA_F32, ISA_INTERP_CONSTANT);

		rig_open(&r, F(R8G8B8A8_UNORM));
		t[0] = rig_texture(&r, F(R8G8B8A8_UNORM), SIZE, 1);
		t[1] = rig_texture(&r, F(R16G16B16A16_FLOAT), SIZE, 1);
		preset(t[0], "\xff\xff\xff\xff");
		preset(t[1], "\0\x3c\0\x3c\0\x3c\0\x3c");
		r.state.NumRenderTargets = 2;
		r.state.RTVFormats[1] = F(R16G16B16A16_FLOAT);
		r.state.BlendState.RenderTarget[0] = rows[i].blend;
		EMIT(ps, exp_sym, IMM(ISA_MRT0 + 1), IMM(ISA_F32), IMM(15), V(0), V(1), V(2), V(3));
		io(ps, ps->outputs, &ps->output_count, "SV_Target", ISA_SEM_TARGET, ISA_F32, 0, 4);
		ps->outputs[1].index = ps->outputs[1].reg = 1;
		pso(&r, vs_through(ISA_F32, ISA_INTERP_CONSTANT), ps);
		kiln_cmd_render_targets(r.list, 2, t, NULL);
		kiln_cmd_blend_factor(r.list, (const float[4]){2, 2, 2, 2});
		shoot(&r, &rows[i].color, 1);
		run(&r);
		cr_assert(!memcmp(texel_of(t[0], 0), rows[i].unorm, 4), "row %zu", i);
		cr_assert(!memcmp(texel_of(t[1], 0), rows[i].half, 8), "row %zu", i);
		rig_close(&r);
	}
}

/* 0.5 * 0.4 + 4 * 0.6 = 2.6 and so on. G: the target holds 4.1 as 0x4419; 0x413C, one code off allowed. */
Test(cases, C25_hdr_alpha_blend)
{
	const uint32_t color[1][4] = {{HALF, float_bits(0.4f), float_bits(1.1f), float_bits(0.4f)}};
	const struct kiln_render_target_blend_desc b = ALL(SRC_ALPHA, INV_SRC_ALPHA, ADD);
	uint16_t got[4];
	struct rig r;

	rig_open(&r, F(R16G16B16A16_FLOAT));
	preset(r.color, "\x00\x44\x19\x44\x00\x44\x00\x3c");
	r.state.BlendState.RenderTarget[0] = b;
	use_constant_pso(&r, F(R16G16B16A16_FLOAT));
	shoot(&r, color, 1);
	run(&r);
	memcpy(got, texel_of(r.color, 0), sizeof got);
	cr_assert(got[0] == 0x4133 && got[2] == 0x41AE && got[1] >= 0x413B && got[1] <= 0x413D, "%x %x %x", got[0], got[1],
		got[2]);
	rig_close(&r);
	CHECK({"exact twin", F(R16_FLOAT), ALL(SRC_ALPHA, INV_SRC_ALPHA, ADD), {0x3fc00000, 0, 0, HALF}, {0x00, 0x44},
		{0x80, 0x41},
		{0}});
}

Test(cases, C26_alpha_of_a_format_without_is_one)
{
	CHECK({"DEST_ALPHA", F(R8G8_UNORM), ALL(DEST_ALPHA, ZERO, ADD), {0x3efefeff, 0, 0, ONE}, {9, 9}, {127, 0}, {0}},
		{"5:6:5", F(B5G6R5_UNORM), ALL(INV_DEST_ALPHA, ZERO, ADD), {ONE, ONE, ONE, ONE}, {0xff, 0xff}, {0, 0}, {0}},
		{"11:11:10", F(R11G11B10_FLOAT), ALL(INV_DEST_ALPHA, ZERO, ADD), {ONE, ONE, ONE, ONE}, {0xc0, 0x03, 0x1e, 0x78},
			{0, 0, 0, 0},
			{0}}, );
}

/* decode(128) = 0.21586; half way to 1 encodes as 205. decode(64) twice encodes as 90. */
Test(cases, C27_srgb_blends_in_linear_light)
{
	const double x = pow((64 / 255.0 + 0.055) / 1.055, 2.4);
	const uint32_t linear_64 = float_bits((float)x);
	const struct row sum = {"ONE ONE", F(R8G8B8A8_UNORM_SRGB), ALL(ONE, ONE, ADD), {linear_64, linear_64, linear_64, 0},
		{64, 64, 64, 0}, {90, 90, 90, 0}, {0}};

	CHECK({"half way", F(R8G8B8A8_UNORM_SRGB), BLEND(SRC_ALPHA, INV_SRC_ALPHA, ADD, ONE, ZERO, ADD), {ONE, ONE, ONE, HALF},
			  {128, 128, 128, 0}, {205, 205, 205, 128}, {0}},
		{"alpha is linear", F(R8G8B8A8_UNORM_SRGB), COPY, {0, 0, 0, HALF}, {1, 1, 1, 1}, {0, 0, 0, 128}, {0}});
	check_rows(&sum, 1);
}

/* The value in brackets of the case is also allowed; decode by libm. */
Test(cases, C28_srgb_points_and_round_trip)
{
	static const struct { float x; uint8_t code, also; } rows[] = {{0, 0, 0}, {0.00015f, 0, 1}, {0.00016f, 1, 0},
		{0.001f, 3, 3},
		{0.0031308f, 10, 10}, {0.01f, 25, 26}, {0.05f, 63, 63}, {0.18f, 118, 118}, {0.2f, 124, 123}, {0.5f, 188, 187},
		{0.9f, 243, 244}, {0.999f, 255, 255}, {1, 255, 255}, {1.5f, 255, 255}, {-1, 0, 0}};
	static uint32_t colors[272][4];
	struct rig r;

	for (unsigned k = 0; k < 256; k++) {
		double c = k / 255.0;
		colors[k][0] = float_bits((float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4)));
	}
	for (unsigned k = 0; k < ARRAY_COUNT(rows); k++)
		colors[256 + k][0] = float_bits(rows[k].x);
	colors[271][0] = NAN_BITS;
	rig_open_sized(&r, F(R8G8B8A8_UNORM_SRGB), 17);
	use_constant_pso(&r, F(R8G8B8A8_UNORM_SRGB));
	shoot(&r, (const uint32_t (*)[4])colors, 272);
	run(&r);
	for (unsigned k = 0; k < 256; k++)
		cr_assert_eq(texel_of(r.color, k)[0], k, "%u came back as %u", k, texel_of(r.color, k)[0]);
	for (unsigned k = 0; k < ARRAY_COUNT(rows); k++)
		cr_assert(texel_of(r.color, 256 + k)[0] == rows[k].code || texel_of(r.color, 256 + k)[0] == rows[k].also, "%g: %u",
			(double)rows[k].x, texel_of(r.color, 256 + k)[0]);
	cr_assert_eq(texel_of(r.color, 271)[0], 0);
	rig_close(&r);
}

Test(cases, C29_small_floats_have_no_sign)
{
	uint32_t got;
	struct rig r;

	/* (1, 1, 1): exponent 15 each; 0.25 - 1 and 1 - 1 are 0, 2 - 1 is 1 */
	CHECK({"SUBTRACT", F(R11G11B10_FLOAT), ALL(ONE, ONE, SUBTRACT), {QUARTER, TWO, ONE, 0}, {0xc0, 0x03, 0x1e, 0x78},
			  {0, 0, 0x1e, 0}, {0}},
		{"negative", F(R11G11B10_FLOAT), COPY, {NEGATIVE(ONE), 0x80000000, 0xff800000, 0}, {9, 9, 9, 9}, {0, 0, 0, 0}, {0}},
		{"denormals", F(R11G11B10_FLOAT), COPY, {0x35800000, 0x36000000, 0x36000000, 0}, {9, 9, 9, 9},
			{0x01, 0x10, 0x40, 0x00},
			{0}}, );
	rig_open(&r, F(R11G11B10_FLOAT));
	use_constant_pso(&r, F(R11G11B10_FLOAT));
	shoot(&r, &(const uint32_t[4]){NAN_BITS, ONE, NAN_BITS, 0}, 1);
	run(&r);
	memcpy(&got, texel_of(r.color, 0), 4);
	cr_assert((got >> 6 & 31) == 31 && got & 63, "R %08x", got);
	cr_assert((got >> 11 & 0x7ff) == 0x3c0, "G %08x", got);
	cr_assert(got >> 27 == 31 && got >> 22 & 31, "B %08x", got);
	rig_close(&r);
}

/* Of 0x100, wider than the format, the low bits count: COPY stores 0. */
Test(cases, C30_logic_operations)
{
	static const uint32_t colors[1][4] = {{0x0f, 0x0f, 0x0f, 0x0f}}, wide[1][4] = {{0x100, 0x100, 0x100, 0x100}};

	for (int copy = 0; copy < 2; copy++) {
		struct rig r;

		rig_open(&r, F(R8G8B8A8_UINT));
		preset(r.color, "\x3c\x3c\x3c\x3c");
		r.state.BlendState.RenderTarget[0].LogicOpEnable = true;
		r.state.BlendState.RenderTarget[0].LogicOp = copy ? KILN_LOGIC_OP_COPY : KILN_LOGIC_OP_XOR;
		use_constant_pso(&r, F(R8G8B8A8_UINT));
		shoot(&r, copy ? wide : colors, 1);
		run(&r);
		cr_assert(!memcmp(texel_of(r.color, 0), copy ? "\0\0\0\0" : "\x33\x33\x33\x33", 4), "copy %d", copy);
		r.state.BlendState.IndependentBlendEnable = true;
		expect_pso(&r, ps_color(ISA_U32, ISA_INTERP_LINEAR), 3403, "C30 iv: independent");
		r.state.BlendState.IndependentBlendEnable = false;
		r.state.BlendState.RenderTarget[0].BlendEnable = true;
		expect_pso(&r, ps_color(ISA_U32, ISA_INTERP_LINEAR), 3403, "C30 iii: with blending");
		r.state.BlendState.RenderTarget[0].BlendEnable = false;
		r.state.RTVFormats[0] = F(R8G8B8A8_UNORM);
		expect_pso(&r, ps_color(ISA_F32, ISA_INTERP_LINEAR), 3678, "C30 ii: UNORM");
		rig_close(&r);
	}
}

/* The caller's MXCSR flushes denormals; halves keep theirs. 1 is the smallest binary32 denormal: moved it stays,
 * multiplied it is 0. */
Test(cases, C32_denormals)
{
	static const uint32_t tiny[2][4] = {{0x35800000}, {0x33800000}}, bit[1][4] = {{1, 0, 0, 0}};
	static const uint16_t halves[2] = {0x0010, 0x0001};
	unsigned saved = _mm_getcsr();

	_mm_setcsr(saved | 0x8040);
	for (int i = 0; i < 2; i++) {
		const float color[4] = {bits_float(tiny[i][0])};
		uint16_t drawn, cleared;
		struct rig r;

		rig_open(&r, F(R16_FLOAT));
		kiln_cmd_clear_color(r.list, r.color, color);
		use_constant_pso(&r, F(R16_FLOAT));
		shoot(&r, &tiny[i], 1);
		run(&r);
		memcpy(&drawn, texel_of(r.color, 0), 2);
		memcpy(&cleared, texel_of(r.color, 1), 2);
		cr_assert(drawn == halves[i] && cleared == halves[i], "%04x %04x", drawn, cleared);
		rig_close(&r);
		rig_open(&r, F(R32_FLOAT));
		struct isa_program *ps = ps_begin(ISA_F32, ISA_INTERP_CONSTANT);
		load(ps, 1, 1, 0);
		if (i)
			EMIT(ps, mul_f32, V(0), V(0), LIT(ONE));
		ps_export(ps, ISA_F32, 1, 0);
		preset(r.color, "\x7f\x7f\x7f\x7f");
		pso(&r, vs_through(ISA_F32, ISA_INTERP_CONSTANT), ps);
		shoot(&r, bit, 1);
		run(&r);
		cr_assert_eq(word(r.color, 0, 0, 0), i ? 0 : 1);
		rig_close(&r);
	}
	_mm_setcsr(saved);
}

Test(cases, C34_snorm)
{
	struct kiln_render_target_blend_desc masked = COPY;
	struct row keep = {"masked", F(R8_SNORM), COPY, {ONE}, {0x80}, {0x80}, {0}};

	CHECK({"-1", F(R8_SNORM), COPY, {NEGATIVE(ONE)}, {9}, {0x81}, {0}},
		{"-2", F(R8_SNORM), COPY, {NEGATIVE(TWO)}, {9}, {0x81}, {0}},
		{"0.5", F(R8_SNORM), COPY, {HALF}, {9}, {0x40}, {0}},
			{"-0.5", F(R8_SNORM), COPY, {NEGATIVE(HALF)}, {9}, {0xc0}, {0}},
		{"1", F(R8_SNORM), COPY, {ONE}, {9}, {0x7f}, {0}}, {"NaN", F(R8_SNORM), COPY, {NAN_BITS}, {9}, {0}, {0}},
		{"the second -1 is read, the first written", F(R8_SNORM), ALL(ZERO, ONE, ADD), {ONE}, {0x80}, {0x81}, {0}}, );
	masked.RenderTargetWriteMask = 0;
	keep.blend = masked;
	check_rows(&keep, 1);
}

Test(cases, C35_two_bits_of_alpha)
{
	static const struct { float alpha; uint32_t code; } rows[] = {{0.16f, 0}, {0.17f, 1}, {0.49f, 1}, {0.5f, 2}, {0.83f, 2},
		{0.84f, 3}};
	uint32_t colors[6][4];
	struct rig r;

	for (size_t i = 0; i < 6; i++)
		memcpy(colors[i], (uint32_t[4]){HALF, QUARTER, THREE_QUARTERS, float_bits(rows[i].alpha)}, sizeof colors[i]);
	rig_open(&r, F(R10G10B10A2_UNORM));
	use_constant_pso(&r, F(R10G10B10A2_UNORM));
	shoot(&r, (const uint32_t (*)[4])colors, 6);
	run(&r);
	for (unsigned i = 0; i < 6; i++) {
		uint32_t got;

		memcpy(&got, texel_of(r.color, i), 4);
		cr_assert_eq(got, 512u | 256u << 10 | 767u << 20 | rows[i].code << 30, "%g: %08x", (double)rows[i].alpha, got);
	}
	rig_close(&r);
	/* 1 - 1/3 = 682/1023 in each channel */
	CHECK({"factor 2/3", F(R10G10B10A2_UNORM), BLEND(INV_DEST_ALPHA, ZERO, ADD, ZERO, ONE, ADD), {ONE, ONE, ONE, ONE},
		{0, 0, 0, 0x40}, {0xaa, 0xaa, 0xaa, 0x6a}, {0}});
}

/* The capability is on: a partial mask is refused, clears clamp to 511 * 2^7. */
Test(cases, C36_shared_exponent)
{
	static const struct { float rgba[4]; uint32_t want; } rows[] = {
		{{3.402823466e38f, -3.402823466e38f, 3.402823466e38f, 0}, 0xFFFC01FF}, {{INFINITY, -INFINITY, 0, 0}, 0xF80001FF}};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		uint32_t got;
		struct rig r;

		rig_open(&r, F(R9G9B9E5_SHAREDEXP));
		expect_pso(&r, ps_color(ISA_F32, ISA_INTERP_LINEAR), 0, "C36 mask ALL");
		r.state.BlendState.RenderTarget[0].RenderTargetWriteMask = 3;
		expect_pso(&r, ps_color(ISA_F32, ISA_INTERP_LINEAR), 3982, "C36 mask RG");
		kiln_cmd_clear_color(r.list, r.color, rows[i].rgba);
		run(&r);
		memcpy(&got, texel_of(r.color, 0), 4);
		cr_assert_eq(got, rows[i].want, "%08x", got);
		rig_close(&r);
	}
}

Test(cases, C37_clear_and_draw_agree)
{
	static const struct { uint32_t format; float x; uint32_t want; } both[] = {{F(R8_UNORM), 0.5f, 128},
		{F(R16_UNORM), 0.5f, 32768}, {F(R8_SNORM), -0.5f, 0xC0}, {F(B5G6R5_UNORM), 0.5f, 16 | 32 << 5 | 16 << 11}};
	static const struct { uint32_t format; uint32_t x, want; } clears[] = {{F(R32_UINT), 0x4B800001, 0x01000002},
		{F(R32_UINT), 0x4F800000, 0xFFFFFFFF}, {F(R32_UINT), NAN_BITS, 0}, {F(R32_UINT), 0xBF800000, 0},
		{F(R8_UINT), 0x49742400, 255}, {F(R16_SINT), 0xCB800001, 0x8000}};

	for (size_t i = 0; i < ARRAY_COUNT(both) + ARRAY_COUNT(clears); i++) {
		bool draws = i < ARRAY_COUNT(both);
		size_t k = draws ? i : i - ARRAY_COUNT(both);
		float x = draws ? both[k].x : bits_float(clears[k].x);
		const uint32_t color[1][4] = {{float_bits(x), float_bits(x), float_bits(x), ONE}};
		uint32_t want = draws ? both[k].want : clears[k].want, drawn = 0, cleared = 0;
		struct rig r;

		rig_open(&r, draws ? both[k].format : clears[k].format);
		kiln_cmd_clear_color(r.list, r.color, (const float[4]){x, x, x, 1});
		use_constant_pso(&r, r.state.RTVFormats[0]);
		if (draws)
			shoot(&r, color, 1);
		run(&r);
		memcpy(&drawn, texel_of(r.color, 0), r.color->format->bits / 8u);
		memcpy(&cleared, texel_of(r.color, 1), r.color->format->bits / 8u);
		cr_assert(drawn == want && cleared == want, "row %zu: drawn %x, cleared %x", i, drawn, cleared);
		rig_close(&r);
	}
}

Test(cases, C38_wide_integers)
{
	CHECK({"uint", F(R32_UINT), COPY, {0x7F800001}, {0}, {0x01, 0, 0x80, 0x7f}, {0}},
		{"uint", F(R32_UINT), COPY, {0xFFFFFFFF}, {0}, {0xff, 0xff, 0xff, 0xff}, {0}},
		{"uint", F(R32_UINT), COPY, {0x80000000}, {0}, {0, 0, 0, 0x80}, {0}},
		{"sint4", F(R32G32B32A32_SINT), COPY, {0x7F800001, 0xFFFFFFFF, 0x80000000, 1}, {0},
			{0x01, 0, 0x80, 0x7f, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0x80, 1, 0, 0, 0}, {0}}, );
}

/* The clean refusal. */
Test(cases, C39_float_output_to_a_uint_target)
{
	struct rig r;

	rig_open(&r, F(R8_UINT));
	expect_pso(&r, ps_color(ISA_F32, ISA_INTERP_LINEAR), 3677, "C39");
	rig_close(&r);
}

/* ---- end to end: what is stored is the conversion of the export's own bits ---- */

/* A channel behind the export: what the slot holds and the colour block decodes. */
static uint32_t exported(uint8_t form, uint32_t word)
{
	switch (form) {
	case ISA_FORM_fp16_abgr: return convert_f16_to_f32(convert_f32_to_f16(word));
	case ISA_FORM_unorm16_abgr: return convert_unorm_to_f32(convert_f32_to_unorm(word, 16), 16);
	case ISA_FORM_snorm16_abgr: return convert_snorm_to_f32(convert_f32_to_snorm(word, 16), 16);
	case ISA_FORM_uint16_abgr: return convert_clamp_uint(word, 16);
	case ISA_FORM_sint16_abgr: return convert_sign_extend(convert_clamp_sint(word, 16), 16);
	default: return word;
	}
}

Test(cases, every_format_end_to_end)
{
	enum { COLORS = 49 };
	uint32_t colors[COLORS][4];
	uint64_t seed = 7;
	unsigned formats = 0;

	for (uint32_t format = 1; format < KILN_FORMAT_END; format++) {
		const struct format_info *f = format_info(format);
		struct rig r;
		uint8_t form;

		if (!f || !(f->caps & FORMAT_CAN_RENDER))
			continue;
		for (unsigned k = 0; k < COLORS * 4; k++) {
			uint32_t bits;

			seed = seed * 6364136223846793005u + 1442695040888963407u;
			bits = (uint32_t)(seed >> 32);
			if (f->numeric == FORMAT_UINT || f->numeric == FORMAT_SINT)
				bits = k & 1 ? bits >> (k % 31) : (uint32_t)((int32_t)bits >> (k % 31));
			else if ((k & 3) == 3 || (bits & 0x7f800000) == 0x7f800000)
				bits = float_bits((float)((double)bits / 2147483648.0 - 0.5)); /* near the norm range */
			colors[k / 4][k % 4] = bits;
		}
		rig_open_sized(&r, format, 7);
		use_constant_pso(&r, format);
		form = sim_pso_pipeline(r.psos[0])->baked[0].form;
		shoot(&r, (const uint32_t (*)[4])colors, COLORS);
		run(&r);
		for (unsigned k = 0; k < COLORS; k++) {
			uint8_t want[16] = {0};
			uint32_t words[4];

			for (unsigned c = 0; c < 4; c++)
				words[c] = exported(form, colors[k][c]);
			format_pack(f, words, 15, want);
			cr_assert(!memcmp(texel_of(r.color, k), want, f->bits / 8u), "%s, colour %u", f->name, k);
		}
		rig_close(&r);
		formats++;
	}
	cr_assert_geq(formats, 40);
}
