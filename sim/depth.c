/* Depth bounds, stencil and depth of one sample. Takes the fragment's depth from wherever it comes; clamps it to the
 * viewport's range, converts it to the buffer's format, compares it with what is stored, and writes depth and stencil
 * where the state says so. A sample outside the bounds changes nothing, not even stencil. Assumes binary32 as
 * fp_enter() sets it. */
#include "sim/sim.h"
#include <string.h>

/* A texel's planes as stored codes. */
struct planes {
	uint32_t depth, stencil;
};

static bool has_stencil(const struct format_info *f) { return f->channel[1].bits != 0; }

static struct planes load(const struct format_info *f, const uint8_t *texel)
{
	uint32_t word[2] = {0};

	memcpy(word, texel, f->bits / 8);
	if (f->bits == 64)
		return (struct planes){word[0], word[1] & 0xff};
	if (has_stencil(f))
		return (struct planes){word[0] & 0xffffff, word[0] >> 24};
	return (struct planes){word[0], 0};
}

/* The bits beside the planes (X24) stay as they are. */
static void store(const struct format_info *f, struct planes p, uint8_t *texel)
{
	uint8_t stencil = (uint8_t)p.stencil;

	if (f->bits == 64) {
		memcpy(texel, &p.depth, 4);
		texel[4] = stencil;
		return;
	}
	if (has_stencil(f))
		p.depth |= p.stencil << 24;
	memcpy(texel, &p.depth, f->bits / 8);
}

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
static float clamp_depth(const struct depth_fragment *in)
{
	float z = in->z, low = in->min_depth, high = in->max_depth;
	if (low > high) {
		low = in->max_depth;
		high = in->min_depth;
	}
	z = z > low ? z : low;
	return z < high ? z : high;
}

static bool depth_passes(const struct depth_target *t, uint32_t code, uint32_t stored)
{
	if (t->format->channel[0].bits < 32)
		return passes(t->state.DepthFunc, code < stored, code == stored, false);
	float a = bits_float(code), b = bits_float(stored);
	return passes(t->state.DepthFunc, a < b, a == b, a != a || b != b);
}

/* The stored depth against the range; NaN as a bound is 0, and a range of which the ends are exchanged holds nothing. */
static bool within_bounds(const struct depth_target *t, uint32_t stored)
{
	float z = format_bits_to_depth(t->format, stored), low = t->bounds[0], high = t->bounds[1];
	low = low == low ? low : 0;
	high = high == high ? high : 0;
	return z >= low && z <= high;
}

static uint32_t stencil_op(uint32_t op, uint32_t stored, uint32_t ref)
{
	switch (op) {
	case KILN_STENCIL_ZERO: return 0;
	case KILN_STENCIL_REPLACE: return ref;
	case KILN_STENCIL_INCR_SAT: return stored < 255 ? stored + 1 : 255;
	case KILN_STENCIL_DECR_SAT: return stored ? stored - 1 : 0;
	case KILN_STENCIL_INVERT: return ~stored;
	case KILN_STENCIL_INCR: return stored + 1;
	case KILN_STENCIL_DECR: return stored - 1;
	default: return stored;
	}
}

/* Depth alone, as floats: most depth buffers. */
static bool plain_test(const struct depth_target *t, const struct depth_fragment *in, uint8_t *texel)
{
	float z = clamp_depth(in), stored;
	bool pass;

	memcpy(&stored, texel, sizeof stored);
	pass = passes(t->state.DepthFunc, z < stored, z == stored, z != z || stored != stored);
	if (pass && t->state.DepthWriteMask && !t->depth_read_only)
		memcpy(texel, &z, sizeof z);
	return pass;
}

bool depth_stencil_test(const struct depth_target *t, const struct depth_fragment *in, uint8_t *texel)
{
	const struct kiln_depth_stencil_desc *s = &t->state;
	const struct format_info *f = t->format;
	if (!f || f->numeric != FORMAT_DEPTH)
		return true;
	if (f->number == KILN_FORMAT_D32_FLOAT && s->DepthEnable && !s->DepthBoundsTestEnable)
		return plain_test(t, in, texel);
	struct planes was = load(f, texel), now = was;
	if (s->DepthBoundsTestEnable && !within_bounds(t, was.depth))
		return false;
	const struct kiln_depth_stencilop_desc *face = in->back ? &s->BackFace : &s->FrontFace;
	bool stencil_on = s->StencilEnable && has_stencil(f), stencil_pass = true, depth_pass = true;
	if (stencil_on) {
		uint32_t ref = in->ref & s->StencilReadMask & 0xff, stored = was.stencil & s->StencilReadMask;
		stencil_pass = passes(face->StencilFunc, ref < stored, ref == stored, false);
	}
	if (s->DepthEnable) {
		uint32_t code = format_depth_to_bits(f, clamp_depth(in));
		depth_pass = depth_passes(t, code, was.depth);
		if (stencil_pass && depth_pass && s->DepthWriteMask && !t->depth_read_only)
			now.depth = code;
	}
	if (stencil_on && !t->stencil_read_only) {
		uint32_t op = !stencil_pass ? face->StencilFailOp : depth_pass ? face->StencilPassOp : face->StencilDepthFailOp;
		uint32_t mask = s->StencilWriteMask & 0xff;
		now.stencil = (was.stencil & ~mask) | (stencil_op(op, was.stencil, in->ref) & mask);
	}
	if (now.depth != was.depth || now.stencil != was.stencil)
		store(f, now, texel);
	return stencil_pass && depth_pass;
}

static bool face_writes(const struct kiln_depth_stencilop_desc *f)
{
	return f->StencilFailOp != KILN_STENCIL_KEEP || f->StencilDepthFailOp != KILN_STENCIL_KEEP ||
		f->StencilPassOp != KILN_STENCIL_KEEP;
}

bool depth_writes(const struct depth_target *t)
{
	const struct kiln_depth_stencil_desc *s = &t->state;
	if (!t->format)
		return false;
	return (s->DepthEnable && s->DepthWriteMask && !t->depth_read_only) || depth_writes_stencil(t);
}

bool depth_writes_stencil(const struct depth_target *t)
{
	const struct kiln_depth_stencil_desc *s = &t->state;
	return t->format && has_stencil(t->format) && s->StencilEnable && s->StencilWriteMask & 0xff && !t->stencil_read_only &&
		(face_writes(&s->FrontFace) || face_writes(&s->BackFace));
}

void depth_clear(const struct format_info *f, bool depth, float z, bool stencil, uint8_t value, uint8_t *texel)
{
	struct planes p = load(f, texel);
	if (depth)
		p.depth = format_depth_to_bits(f, z);
	if (stencil && has_stencil(f))
		p.stencil = value;
	store(f, p, texel);
}
