/* Resolve: a multisampled texture -> one of a sample a texel. Takes two textures of one size that a format can view.
 * The average is plain (facts 1.8): of norm codes exactly, rounded to nearest with ties away from zero, as a draw
 * rounds; of other channels summed in sample order in binary64, divided, and converted as a draw's colour is. Assumes
 * fp_enter(). */
#include "sim/sim.h"
#include "pso/convert.h"

static bool is_integer(const struct format_info *f) { return f->numeric == FORMAT_UINT || f->numeric == FORMAT_SINT; }

static bool can_view(const struct format_info *f, const struct kiln_resource *r)
{
	return f && f->numeric != FORMAT_TYPELESS && format_castable(r->format->number, f->number);
}

static bool check(const char *where, const struct kiln_resource *dst, const struct kiln_resource *src,
	const struct format_info *f, uint32_t mode, struct kiln_diags *diags)
{
	const char *wrong = NULL;

	if (!dst || !src || !dst->is_texture || !src->is_texture)
		wrong = "a resolve takes two textures";
	else if (src->desc.SampleDesc.Count < 2 || dst->desc.SampleDesc.Count != 1)
		wrong = "the source of a resolve has several samples, its destination one";
	else if (dst->desc.Width != src->desc.Width || dst->desc.Height != src->desc.Height ||
			 resource_slices(dst) != resource_slices(src))
		wrong = "the textures of a resolve differ in size or slices";
	else if (!can_view(f, src) || !can_view(f, dst))
		wrong = "the format of a resolve views both textures; typeless ones need one that is not";
	else if (mode < KILN_RESOLVE_MIN || mode > KILN_RESOLVE_AVERAGE)
		wrong = "the mode of a resolve is MIN (1), MAX (2) or AVERAGE (3)";
	else if (mode == KILN_RESOLVE_AVERAGE && is_integer(f))
		wrong = "integer formats have no average; use MIN or MAX";
	if (wrong)
		diag_add(diags, DIAG_COMMAND_INVALID, where, "%s", wrong);
	return !wrong;
}

/* What a channel's words mean; of depth formats stencil is an integer. */
static enum format_numeric channel_numeric(const struct format_info *f, unsigned c)
{
	if (f->numeric == FORMAT_DEPTH)
		return c == 1 ? FORMAT_UINT : f->channel[0].bits == 32 ? FORMAT_FLOAT : FORMAT_UNORM;
	return f->numeric == FORMAT_SRGB && c == 3 ? FORMAT_UNORM : (enum format_numeric)f->numeric;
}

/* Unpacking a norm code and packing it again gives the code: sums of codes are exact. */
static uint32_t average_norm(const uint32_t *word, unsigned count, bool is_signed, unsigned bits)
{
	int64_t sum = 0, n = count;

	for (unsigned i = 0; i < count; i++)
		sum += is_signed ? (int32_t)convert_sign_extend(convert_f32_to_snorm(word[i], bits), bits)
						 : (int64_t)convert_f32_to_unorm(word[i], bits);
	sum = sum < 0 ? -((-2 * sum + n) / (2 * n)) : (2 * sum + n) / (2 * n);
	if (is_signed)
		return convert_snorm_to_f32((uint32_t)sum & (bits == 32 ? ~0u : (1u << bits) - 1), bits);
	return convert_unorm_to_f32((uint32_t)sum, bits);
}

static uint32_t average_float(const uint32_t *word, unsigned count)
{
	double sum = 0;
	float mean;

	for (unsigned i = 0; i < count; i++)
		sum += (double)bits_float(word[i]);
	mean = (float)(sum / count);
	return mean == mean ? float_bits(mean) : 0x7fc00000;
}

static bool better(uint32_t a, uint32_t b, enum format_numeric numeric, bool max)
{
	if (numeric == FORMAT_UINT)
		return max ? a > b : a < b;
	if (numeric == FORMAT_SINT)
		return max ? (int32_t)a > (int32_t)b : (int32_t)a < (int32_t)b;
	float best = max ? blend_max(bits_float(a), bits_float(b)) : blend_min(bits_float(a), bits_float(b));
	return float_bits(best) == a;
}

static uint32_t resolve_channel(
	const struct format_info *f, unsigned c, const uint32_t *word, unsigned count, uint32_t mode)
{
	enum format_numeric numeric = channel_numeric(f, c);
	uint32_t best = word[0];

	if (mode == KILN_RESOLVE_AVERAGE) {
		if (numeric == FORMAT_UNORM || numeric == FORMAT_SNORM)
			return average_norm(word, count, numeric == FORMAT_SNORM, f->channel[c].bits);
		return numeric == FORMAT_UINT ? best : average_float(word, count);
	}
	for (unsigned i = 1; i < count; i++)
		best = better(word[i], best, numeric, mode == KILN_RESOLVE_MAX) ? word[i] : best;
	return best;
}

static void resolve_texel(struct kiln_resource *dst, const struct kiln_resource *src, const struct format_info *f,
	uint32_t slice, uint32_t x, uint32_t y, uint32_t mode)
{
	unsigned count = src->desc.SampleDesc.Count;
	uint32_t words[4][16], rgba[4];

	for (unsigned s = 0; s < count; s++) {
		format_unpack(f, resource_texel(src, 0, slice, x, y, 0, s), rgba);
		for (unsigned c = 0; c < 4; c++)
			words[c][s] = rgba[c];
	}
	for (unsigned c = 0; c < 4; c++)
		rgba[c] = f->channel[c].bits ? resolve_channel(f, c, words[c], count, mode) : 0;
	format_pack(f, rgba, 15, resource_texel(dst, 0, slice, x, y, 0, 0));
}

bool resolve_run(const char *where, struct kiln_resource *dst, const struct kiln_resource *src, uint32_t format,
	uint32_t mode, struct kiln_diags *diags)
{
	const struct format_info *f = format_info(format || !src || !src->is_texture ? format : src->format->number);

	if (!check(where, dst, src, f, mode, diags))
		return false;
	for (uint32_t slice = 0; slice < resource_slices(src); slice++) {
		for (uint32_t y = 0; y < src->desc.Height; y++) {
			for (uint32_t x = 0; x < src->desc.Width; x++)
				resolve_texel(dst, src, f, slice, x, y, mode);
		}
	}
	return true;
}
