/* The blend equation and the logic operation of one pixel. Takes operands that the colour block decoded and clamped;
 * gives what it packs. binary32 under the caller's MXCSR (fp_enter), in one order: source times its factor, destination
 * times its factor, then the sum or difference; each step rounds once. A factor of zero still multiplies, so 0 * INF is
 * NaN; an arithmetic NaN has the bits 0x7FC00000. MIN and MAX take no factors; a number wins over NaN, and -0 is less
 * than +0. */
#include "sim/sim.h"

/* Factor of channel c (3 is alpha) as D3D12 numbers them. */
static float factor(uint32_t which, const struct blend_operands *in, unsigned c)
{
	switch (which) {
	case KILN_BLEND_ONE: return 1.0f;
	case KILN_BLEND_SRC_COLOR: return in->src[c];
	case KILN_BLEND_INV_SRC_COLOR: return 1.0f - in->src[c];
	case KILN_BLEND_SRC_ALPHA: return in->src[3];
	case KILN_BLEND_INV_SRC_ALPHA: return 1.0f - in->src[3];
	case KILN_BLEND_DEST_ALPHA: return in->dst[3];
	case KILN_BLEND_INV_DEST_ALPHA: return 1.0f - in->dst[3];
	case KILN_BLEND_DEST_COLOR: return in->dst[c];
	case KILN_BLEND_INV_DEST_COLOR: return 1.0f - in->dst[c];
	case KILN_BLEND_SRC_ALPHA_SAT: return c == 3 ? 1.0f : blend_min(1.0f - in->dst[3], in->src[3]);
	case KILN_BLEND_BLEND_FACTOR: return in->constant[c];
	case KILN_BLEND_INV_BLEND_FACTOR: return 1.0f - in->constant[c];
	case KILN_BLEND_SRC1_COLOR: return in->src1[c];
	case KILN_BLEND_INV_SRC1_COLOR: return 1.0f - in->src1[c];
	case KILN_BLEND_SRC1_ALPHA: return in->src1[3];
	case KILN_BLEND_INV_SRC1_ALPHA: return 1.0f - in->src1[3];
	case KILN_BLEND_ALPHA_FACTOR: return in->constant[3];
	case KILN_BLEND_INV_ALPHA_FACTOR: return 1.0f - in->constant[3];
	default: return 0.0f;
	}
}

static bool is_nan(float x)
{
	return (float_bits(x) & 0x7FFFFFFF) > 0x7F800000;
}

float blend_min(float a, float b)
{
	if (is_nan(a) || is_nan(b))
		return is_nan(a) ? b : a;
	return a < b || (a == b && float_bits(a) >> 31) ? a : b;
}

float blend_max(float a, float b)
{
	if (is_nan(a) || is_nan(b))
		return is_nan(a) ? b : a;
	return a > b || (a == b && !(float_bits(a) >> 31)) ? a : b;
}

static float equation(uint32_t op, float src, float src_factor, float dst, float dst_factor)
{
	switch (op) {
	case KILN_BLEND_OP_SUBTRACT: return src * src_factor - dst * dst_factor;
	case KILN_BLEND_OP_REV_SUBTRACT: return dst * dst_factor - src * src_factor;
	case KILN_BLEND_OP_MIN: return blend_min(src, dst);
	case KILN_BLEND_OP_MAX: return blend_max(src, dst);
	default: return src * src_factor + dst * dst_factor;
	}
}

void blend_equation(const struct kiln_render_target_blend_desc *b, const struct blend_operands *in, uint32_t out[4])
{
	for (unsigned c = 0; c < 4; c++) {
		bool alpha = c == 3;
		float s = factor(alpha ? b->SrcBlendAlpha : b->SrcBlend, in, c);
		float d = factor(alpha ? b->DestBlendAlpha : b->DestBlend, in, c);
		float result = equation(alpha ? b->BlendOpAlpha : b->BlendOp, in->src[c], s, in->dst[c], d);
		out[c] = is_nan(result) ? 0x7FC00000 : float_bits(result);
	}
}

uint32_t blend_logic(uint32_t op, uint32_t s, uint32_t d)
{
	switch (op) {
	case KILN_LOGIC_OP_CLEAR: return 0;
	case KILN_LOGIC_OP_SET: return ~0u;
	case KILN_LOGIC_OP_COPY: return s;
	case KILN_LOGIC_OP_COPY_INVERTED: return ~s;
	case KILN_LOGIC_OP_INVERT: return ~d;
	case KILN_LOGIC_OP_AND: return s & d;
	case KILN_LOGIC_OP_NAND: return ~(s & d);
	case KILN_LOGIC_OP_OR: return s | d;
	case KILN_LOGIC_OP_NOR: return ~(s | d);
	case KILN_LOGIC_OP_XOR: return s ^ d;
	case KILN_LOGIC_OP_EQUIV: return ~(s ^ d);
	case KILN_LOGIC_OP_AND_REVERSE: return s & ~d;
	case KILN_LOGIC_OP_AND_INVERTED: return ~s & d;
	case KILN_LOGIC_OP_OR_REVERSE: return s | ~d;
	case KILN_LOGIC_OP_OR_INVERTED: return ~s | d;
	default: return d;
	}
}
