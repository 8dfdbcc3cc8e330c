/* One texel through a view: bounds, conversion, component mapping. Takes any coordinates. */
#include "sim/texture.h"

static bool is_integer(const struct format_info *f) { return f->numeric == FORMAT_UINT || f->numeric == FORMAT_SINT; }

void texel_swizzle(const struct view *v, const uint32_t stored[4], uint32_t rgba[4])
{
	uint32_t one = v->format && is_integer(v->format) ? 1 : 0x3f800000;

	for (int c = 0; c < 4; c++)
		rgba[c] = v->swizzle[c] < 4 ? stored[v->swizzle[c]] : v->swizzle[c] == 4 ? 0 : one;
}

/* Zeros, and one as alpha where the format has none. */
static void texel_default(const struct view *v, uint32_t rgba[4])
{
	uint32_t stored[4] = {0};

	if (!(format_stored(v->format) & 8))
		stored[3] = is_integer(v->format) ? 1 : 0x3f800000;
	texel_swizzle(v, stored, rgba);
}

uint8_t *texel_address(
	const struct view *v, uint32_t mip, int32_t x, int32_t y, int32_t z, uint32_t slice, uint32_t sample)
{
	const struct kiln_resource *r = v->resource;
	bool volume = v->dimension == KILN_VIEW_TEXTURE3D;
	uint32_t level = v->first_mip + mip;

	if (mip >= v->mips || x < 0 || y < 0 || z < 0 || sample >= r->desc.SampleDesc.Count)
		return NULL;
	if ((uint32_t)x >= mip_size(r->desc.Width, level) || (uint32_t)y >= mip_size(r->desc.Height, level))
		return NULL;
	if (volume) {
		uint32_t depth = (uint32_t)z;

		if (depth >= v->slices || depth + v->first_slice >= resource_depth(r, level))
			return NULL;
		return resource_texel(r, level, 0, (uint32_t)x, (uint32_t)y, depth + v->first_slice, sample);
	}
	if (slice >= v->slices)
		return NULL;
	return resource_texel(r, level, v->first_slice + slice, (uint32_t)x, (uint32_t)y, 0, sample);
}

bool texel_load(const struct view *v, uint32_t mip, int32_t x, int32_t y, int32_t z, uint32_t slice, uint32_t sample,
	uint32_t rgba[4])
{
	const uint8_t *at = texel_address(v, mip, x, y, z, slice, sample);
	uint32_t stored[4];

	if (!at) {
		texel_default(v, rgba);
		return false;
	}
	format_unpack(v->format, at, stored);
	texel_swizzle(v, stored, rgba);
	return true;
}
