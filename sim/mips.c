/* Mip generation: each level from the level above it as stored, by a box filter in linear space. include/kiln/kiln.h
 * gives the exact rules. Assumes fp_enter(). */
#include "sim/sim.h"

/* The texels of one axis that a texel covers, and how much of each, in units that make the weights whole. */
struct span {
	uint32_t first, count, weight[3];
};

static struct span cover(uint32_t size, uint32_t i)
{
	uint32_t half = size / 2;

	if (size == 1)
		return (struct span){0, 1, {1}};
	if (size % 2 == 0)
		return (struct span){2 * i, 2, {1, 1}};
	return (struct span){2 * i, 3, {half - i, half, i + 1}};
}

static uint32_t total(const struct span *s)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < s->count; i++)
		sum += s->weight[i];
	return sum;
}

static uint32_t mean_bits(double sum, double weight)
{
	float f = (float)(sum / weight);

	return f == f ? float_bits(f) : 0x7fc00000;
}

/* One texel of mip `mip`, which is not 0. */
static void filter_texel(const struct kiln_resource *r, const struct format_info *f, uint32_t mip, uint32_t slice,
	const uint32_t at[3], uint32_t rgba[4])
{
	struct span x = cover(mip_size(r->desc.Width, mip - 1), at[0]), y = cover(mip_size(r->desc.Height, mip - 1), at[1]);
	struct span z = cover(resource_depth(r, mip - 1), at[2]);
	double sum[4] = {0}, weight = (double)total(&x) * total(&y) * total(&z);

	for (uint32_t k = 0; k < z.count; k++) {
		for (uint32_t j = 0; j < y.count; j++) {
			for (uint32_t i = 0; i < x.count; i++) {
				double w = (double)x.weight[i] * y.weight[j] * z.weight[k];
				uint32_t words[4];

				format_unpack(f, resource_texel(r, mip - 1, slice, x.first + i, y.first + j, z.first + k, 0), words);
				for (int c = 0; c < 4; c++)
					sum[c] += w * (double)bits_float(words[c]);
			}
		}
	}
	for (int c = 0; c < 4; c++)
		rgba[c] = mean_bits(sum[c], weight);
}

static void filter_level(struct kiln_resource *r, const struct format_info *f, uint32_t mip, uint32_t slice)
{
	uint32_t width = mip_size(r->desc.Width, mip), height = mip_size(r->desc.Height, mip), depth = resource_depth(r, mip);
	uint32_t rgba[4];

	for (uint32_t z = 0; z < depth; z++) {
		for (uint32_t y = 0; y < height; y++) {
			for (uint32_t x = 0; x < width; x++) {
				filter_texel(r, f, mip, slice, (const uint32_t[3]){x, y, z}, rgba);
				format_pack(f, rgba, 15, resource_texel(r, mip, slice, x, y, z, 0));
			}
		}
	}
}

bool resource_generate_mips(struct kiln_resource *r, uint32_t format, const char *where, struct kiln_diags *diags)
{
	const struct format_info *f = !r->is_texture ? NULL : format ? format_info(format) : r->format;

	if (!f || !format_castable(r->format->number, f->number) || !(f->caps & FORMAT_CAN_FILTER)) {
		diag_add(diags, DIAG_MIPS_INVALID, where, "mips of '%s' (%s) in format %s", r->name,
			r->is_texture ? r->format->name : "a buffer", f ? f->name : "?");
		return false;
	}
	if (r->desc.SampleDesc.Count > 1) {
		diag_add(diags, DIAG_MIPS_INVALID, where, "'%s' is multisampled", r->name);
		return false;
	}
	for (uint32_t slice = 0; slice < resource_slices(r); slice++) {
		for (uint32_t mip = 1; mip < r->desc.MipLevels; mip++)
			filter_level(r, f, mip, slice);
	}
	return true;
}

bool kiln_texture_generate_mips(struct kiln_resource *r, uint32_t format, struct kiln_diags *diags)
{
	unsigned saved = fp_enter();
	bool ok = resource_generate_mips(r, format, r->name, diags);

	fp_leave(saved);
	return ok;
}
