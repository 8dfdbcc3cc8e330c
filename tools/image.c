/* A target as a PNG of 8 bits a channel. Norm and float channels are clamped to [0, 1] and rounded; sRGB targets keep their
 * codes; integers are scaled by the largest value of their width, negative ones are 0; a channel that the format does not store is 0.
 * Of a multisampled target sample 0 is shown (a scene resolves for more); of a depth buffer depth alone. Alpha is left out, since what blends in a viewer is not what was stored. */
#include "tools/image.h"
#include "pso/format.h"
#include "sim/sim.h"
#include <stb/stb_image_write.h>

static void collect(void *context, void *data, int size) { buf_put(context, data, (size_t)size); }

static uint8_t scaled(uint32_t word, unsigned bits, bool is_signed)
{
	uint64_t max = bits > is_signed ? (1ull << (bits - is_signed)) - 1 : 1;
	if (is_signed && word >> 31)
		return 0;
	return word < max ? (uint8_t)((word * 510ull + max) / (2 * max)) : 255;
}

static uint8_t channel(const struct format_info *f, unsigned c, uint32_t word, uint8_t stored)
{
	if (!f->channel[c].bits)
		return 0;
	if (f->numeric == FORMAT_UINT || f->numeric == FORMAT_SINT)
		return scaled(word, f->channel[c].bits, f->numeric == FORMAT_SINT);
	if (f->numeric == FORMAT_SRGB)
		return stored;
	float x = bits_float(word);
	return x > 0.0f ? x < 1.0f ? (uint8_t)(x * 255.0f + 0.5f) : 255 : 0;
}

bool image_write(const char *path, const struct kiln_resource *r, struct kiln_diags *d)
{
	uint32_t w = r->desc.Width, h = r->desc.Height, rgba[4];
	uint8_t *pixels = mem_array((size_t)w * h, 3);
	for (uint32_t y = 0; y < h; y++)
		for (uint32_t x = 0; x < w; x++) {
			const uint8_t *texel = resource_texel(r, 0, 0, x, y, 0, 0);
			kiln_resource_texel(r, x, y, rgba);
			for (unsigned c = 0; c < 3; c++)
				pixels[((size_t)y * w + x) * 3 + c] =
					channel(r->format, c, rgba[c], texel[r->format->channel[c].shift / 8]);
		}
	bool ok = image_write_rgb(path, w, h, pixels, d);
	mem_free(pixels);
	return ok;
}

bool image_write_rgb(const char *path, uint32_t width, uint32_t height, const uint8_t *rgb, struct kiln_diags *d)
{
	struct buf png = {0};
	bool ok = stbi_write_png_to_func(collect, &png, (int)width, (int)height, 3, rgb, (int)width * 3) != 0;
	ok = ok && file_write(path, png.data, png.size, d);
	buf_finish(&png);
	return ok;
}
