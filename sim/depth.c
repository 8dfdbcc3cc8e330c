/* The depth test of one pixel. Takes the fragment's depth from wherever it comes; clamps it to the viewport's range,
 * converts it to the buffer's format, compares it with what is stored, and writes it where the state says so. Stencil
 * is no affair of this file; its bits stay as they are. */
#include "sim/sim.h"
#include <string.h>

static bool passes(uint32_t func, bool less, bool equal, bool unordered)
{
	bool greater = !less && !equal && !unordered;
	switch (func) {
	case KILN_COMPARISON_NEVER: return false;
	case KILN_COMPARISON_LESS: return less;
	case KILN_COMPARISON_EQUAL: return equal;
	case KILN_COMPARISON_LESS_EQUAL: return less || equal;
	case KILN_COMPARISON_GREATER: return greater;
	case KILN_COMPARISON_NOT_EQUAL: return !equal;
	case KILN_COMPARISON_GREATER_EQUAL: return greater || equal;
	default: return true;
	}
}

/* min(max, max(min, z)) in which NaN loses. An inverted viewport has its ends exchanged. */
static float clamp_depth(const struct depth_target *t, float z)
{
	float low = t->min_depth, high = t->max_depth;
	if (low > high) {
		low = t->max_depth;
		high = t->min_depth;
	}
	z = z > low ? z : low;
	return z < high ? z : high;
}

bool depth_test(const struct depth_target *t, float z, uint8_t *texel)
{
	const struct format_info *f = t->format;
	if (!f || f->numeric != FORMAT_DEPTH || !t->state.DepthEnable)
		return true;
	uint32_t low_bits = 0, code = format_depth_to_bits(f, clamp_depth(t, z));
	unsigned bits = f->channel[0].bits;
	memcpy(&low_bits, texel, f->bits < 32 ? 2 : 4);
	uint32_t keep = bits == 24 ? 0xFF000000 : 0, stored = low_bits & ~keep;
	bool pass;
	if (bits == 32) {
		float a = bits_float(code), b = bits_float(stored);
		pass = passes(t->state.DepthFunc, a < b, a == b, a != a || b != b);
	} else {
		pass = passes(t->state.DepthFunc, code < stored, code == stored, false);
	}
	if (pass && t->state.DepthWriteMask) {
		low_bits = (low_bits & keep) | code;
		memcpy(texel, &low_bits, f->bits < 32 ? 2 : 4);
	}
	return pass;
}
