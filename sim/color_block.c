/* The colour block: one pixel from the export slot to memory. Takes the target's state and the slot's bits; gives a
 * changed texel. The slot is decoded in the form that the state requires, whatever the shader put there: that is what
 * makes an export mismatch visible and the same each time. Order: decode, clamp to the range of a norm target, blend
 * (sRGB in linear light) or logic operation, convert, store the channels that the write mask lets through, the format
 * stores and the shader exports. Assumes binary32 as fp_enter() sets it. */
#include "sim/sim.h"
#include "pso/convert.h"
#include <pthread.h>
#include <string.h>

static const uint32_t one = 0x3F800000;

static uint32_t half_of(const uint32_t slot[4], unsigned c)
{
	return slot[c / 2] >> c % 2 * 16 & 0xFFFF;
}

static uint32_t decode_16(uint8_t form, uint32_t code)
{
	switch (form) {
	case ISA_FORM_fp16_abgr: return convert_f16_to_f32(code);
	case ISA_FORM_unorm16_abgr: return convert_unorm_to_f32(code, 16);
	case ISA_FORM_snorm16_abgr: return convert_snorm_to_f32(code, 16);
	case ISA_FORM_sint16_abgr: return convert_sign_extend(code, 16);
	default: return code;
	}
}

/* Words that a 32-bit form carries. Alpha is at its own place in all of them. */
static unsigned words_of(uint8_t form)
{
	switch (form) {
	case ISA_FORM_32_r: return 1;
	case ISA_FORM_32_gr: return 3;
	case ISA_FORM_32_ar: return 9;
	case ISA_FORM_32_abgr: return 15;
	default: return 0;
	}
}

/* A channel that the form cannot carry is 0, alpha 1; but alpha that the state needs and HLSL never writes is the slot's
 * word, which holds the pattern of what was not exported. */
void color_block_decode(const struct export_choice *e, const uint32_t slot[4], uint32_t rgba[4])
{
	bool small = e->form >= ISA_FORM_fp16_abgr && e->form <= ISA_FORM_sint16_abgr;
	bool integer = e->type == EXPORT_UINT || e->type == EXPORT_SINT;
	unsigned words = words_of(e->form) | (e->alpha_missing ? 8 : 0);
	for (unsigned c = 0; c < 4; c++) {
		uint32_t absent = c < 3 ? 0 : integer ? 1 : one;
		rgba[c] = small ? decode_16(e->form, half_of(slot, c)) : words >> c & 1 ? slot[c] : absent;
	}
}

/* The range of a norm target, which source colours and the blend factor get before blending; NaN is 0. SNORM's 1 - x is
 * left as it comes. Float targets take what there is. */
static void clamp_to_target(const struct format_info *f, float rgba[4])
{
	if (f->numeric == FORMAT_FLOAT || f->numeric == FORMAT_SHAREDEXP)
		return;
	float lowest = f->numeric == FORMAT_SNORM ? -1.0f : 0.0f;
	for (unsigned c = 0; c < 4; c++) {
		float x = rgba[c];
		rgba[c] = x > 1.0f ? 1.0f : x >= lowest ? x : x < lowest ? lowest : 0.0f;
	}
}

static void blend(const struct color_target *t, const uint32_t src[4], const uint32_t slot1[4], const uint8_t *pixel,
	uint32_t out[4])
{
	struct blend_operands in = {{0}, {0}, {0}, {0}};
	uint32_t src1[4] = {0}, dst[4];
	if (t->dual_source && slot1)
		color_block_decode(&t->required, slot1, src1);
	format_unpack(t->format, pixel, dst);
	memcpy(in.src, src, sizeof in.src);
	memcpy(in.src1, src1, sizeof in.src1);
	memcpy(in.dst, dst, sizeof in.dst);
	memcpy(in.constant, t->blend_factor, sizeof in.constant);
	clamp_to_target(t->format, in.src);
	clamp_to_target(t->format, in.src1);
	clamp_to_target(t->format, in.constant);
	blend_equation(&t->blend, &in, out);
}

/* Logic operations work on the format's own bits; a source that is wider gives its low bits. */
static void logic(const struct color_target *t, uint32_t rgba[4], const uint8_t *pixel)
{
	uint32_t dst[4];
	format_unpack(t->format, pixel, dst);
	for (unsigned c = 0; c < 4; c++) {
		unsigned bits = t->format->channel[c].bits;
		uint32_t code = blend_logic(t->blend.LogicOp, rgba[c], dst[c]);
		rgba[c] = bits == 32 ? code : code & ((1u << bits) - 1);
	}
}

/* Half floats that nothing changes on their way are stored bit for bit, NaN payloads too. */
static bool is_half_copy(const struct color_target *t)
{
	return !t->alpha_scale && t->required.form == ISA_FORM_fp16_abgr && t->format->numeric == FORMAT_FLOAT &&
		!t->blend.BlendEnable && t->format->channel[0].bits == 16;
}

static void store_halves(const struct format_info *f, const uint32_t slot[4], unsigned mask, uint8_t *pixel)
{
	for (unsigned c = 0; c < 4; c++) {
		uint16_t code = (uint16_t)half_of(slot, c);
		if (mask >> c & 1)
			memcpy(pixel + f->channel[c].shift / 8, &code, sizeof code);
	}
}

/* As a shader's multiply: NaN is canonical. */
static uint32_t scaled_alpha(const struct color_target *t, uint32_t alpha)
{
	float x = bits_float(alpha) * t->alpha_scale;
	return x == x ? float_bits(x) : 0x7fc00000;
}

/* ---- halves to 8-bit norms, unblended: the commonest of all, by table; the table is made with the functions that are used else ---- */

static uint8_t unorm8_of_half[1 << 16];
static pthread_once_t unorm8_made = PTHREAD_ONCE_INIT;

static void make_unorm8(void)
{
	for (uint32_t h = 0; h < 1 << 16; h++)
		unorm8_of_half[h] = (uint8_t)convert_f32_to_unorm(convert_f16_to_f32(h), 8);
}

const uint8_t *color_block_codes(const struct color_target *t)
{
	unsigned mask = t->blend.RenderTargetWriteMask & t->required.channels;

	if (t->format->number != KILN_FORMAT_R8G8B8A8_UNORM || t->required.form != ISA_FORM_fp16_abgr || (mask & 15) != 15 ||
		t->blend.BlendEnable || t->blend.LogicOpEnable)
		return NULL;
	pthread_once(&unorm8_made, make_unorm8);
	return unorm8_of_half;
}

static void store_codes(const uint8_t *codes, const uint32_t slot[4], uint8_t *pixel)
{
	pixel[0] = codes[slot[0] & 0xffff];
	pixel[1] = codes[slot[0] >> 16];
	pixel[2] = codes[slot[1] & 0xffff];
	pixel[3] = codes[slot[1] >> 16];
}

void color_block_pixel(const struct color_target *t, const uint32_t slot[4], const uint32_t slot1[4], uint8_t *pixel)
{
	const struct format_info *f = t->format;
	if (!f)
		return;
	if (t->codes && !t->alpha_scale) {
		store_codes(t->codes, slot, pixel);
		return;
	}
	unsigned mask = t->blend.RenderTargetWriteMask & format_stored(f) & t->required.channels;
	if (!mask)
		return;
	if (is_half_copy(t)) {
		store_halves(f, slot, mask, pixel);
		return;
	}
	uint32_t rgba[4], result[4];
	color_block_decode(&t->required, slot, rgba);
	bool integer = f->numeric == FORMAT_UINT || f->numeric == FORMAT_SINT;
	if (t->alpha_scale && !integer)
		rgba[3] = scaled_alpha(t, rgba[3]);
	if (t->blend.BlendEnable && !integer) {
		blend(t, rgba, slot1, pixel, result);
		format_pack(f, result, mask, pixel);
		return;
	}
	if (t->blend.LogicOpEnable && f->numeric == FORMAT_UINT)
		logic(t, rgba, pixel);
	format_pack(f, rgba, mask, pixel);
}

void color_block_clear(const struct format_info *f, const float rgba[4], uint8_t *pixel)
{
	uint32_t words[4];
	for (unsigned c = 0; c < 4; c++) {
		memcpy(&words[c], &rgba[c], sizeof words[c]);
		if (f->numeric == FORMAT_UINT)
			words[c] = convert_f32_to_uint(words[c]);
		else if (f->numeric == FORMAT_SINT)
			words[c] = convert_f32_to_sint(words[c]);
	}
	format_pack(f, words, 15, pixel);
}
