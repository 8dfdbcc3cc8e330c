/* A render target or depth buffer as an 8-bit RGB PNG, for looking at; exact values are what `expect` is for.
 * Norm, float and depth channels are clamped to [0, 1] (NaN is 0) and rounded to 255 steps, sRGB codes are taken as stored,
 * integers are scaled by the largest value of their width, negative ones are 0. A lone channel is shown grey, channels that the
 * format lacks are 0, alpha is left out. */
#include "sim/sim.h"
#include "tools/image.h"
#include <stb/stb_image_write.h>

static uint8_t from_float(uint32_t word)
{
	float f = bits_float(word);
	if (!(f > 0.0f))
		return 0;
	return f >= 1.0f ? 255 : (uint8_t)(f * 255.0f + 0.5f);
}

static uint8_t from_integer(uint32_t word, unsigned bits, bool is_signed)
{
	uint64_t max = (1ull << (bits - is_signed)) - 1;
	if (is_signed && word >> 31)
		return 0;
	uint64_t v = word < max ? word : max;
	return (uint8_t)((v * 510 + max) / (2 * max));
}

/* The bits of a channel as stored; those of 8-bit formats. */
static uint8_t stored_code(const struct kiln_resource *r, uint32_t x, uint32_t y, unsigned c)
{
	const uint8_t *texel = r->data + y * r->row_pitch + (size_t)x * r->format->bits / 8;
	return texel[r->format->channel[c].shift / 8];
}

static uint8_t shown(const struct kiln_resource *r, uint32_t x, uint32_t y, const uint32_t words[4], unsigned c)
{
	const struct format_info *f = r->format;
	unsigned bits = f->channel[c].bits;
	if (!bits)
		return 0;
	if (f->numeric == FORMAT_SRGB && bits == 8)
		return stored_code(r, x, y, c);
	if (f->numeric == FORMAT_UINT || f->numeric == FORMAT_SINT)
		return from_integer(words[c], bits, f->numeric == FORMAT_SINT);
	return from_float(words[c]);
}

static void append(void *context, void *data, int size) { buf_put(context, data, (size_t)size); }

bool image_write(const char *path, const struct kiln_resource *r, struct kiln_diags *d)
{
	uint32_t width = r->desc.Width, height = r->desc.Height;
	bool grey = (format_stored(r->format) & 7) == 1;
	uint8_t *rgb = mem_array((size_t)width * height, 3), *to = rgb;
	for (uint32_t y = 0; y < height; y++)
		for (uint32_t x = 0; x < width; x++) {
			uint32_t words[4];
			kiln_resource_texel(r, x, y, words);
			for (unsigned c = 0; c < 3; c++)
				*to++ = shown(r, x, y, words, grey ? 0 : c);
		}
	struct buf png = {0};
	bool ok = stbi_write_png_to_func(append, &png, (int)width, (int)height, 3, rgb, (int)(width * 3)) != 0;
	if (!ok)
		diag_add(d, DIAG_FILE_WRITE, path, "the PNG encoder ran out of room");
	ok = ok && file_write(path, png.data, png.size, d);
	buf_finish(&png);
	mem_free(rgb);
	return ok;
}
