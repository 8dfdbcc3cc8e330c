/* A PNG file as 8-bit RGBA. The chunks are walked first: signature, lengths, CRCs, IHDR first and IEND last, since stb_image
 * looks at few of these, and the size is refused before anything of that size is allocated. stb_image then decodes. What
 * it would reduce to 8 bits (16 bits a channel) or look up without bounds (palettes) is refused. */
#include "isa/base.h"
#include "tools/image.h"
#include "tools/tools.h"
#include <stb/stb_image.h>

static uint32_t big_endian(struct reader *r)
{
	uint32_t v = 0;
	for (unsigned i = 0; i < 4; i++)
		v = v << 8 | reader_u8(r);
	return v;
}

/* CRC-32 of ISO 3309, as PNG has it. */
static uint32_t crc(const uint32_t table[256], const uint8_t *data, size_t size)
{
	uint32_t c = UINT32_MAX;
	for (size_t i = 0; i < size; i++)
		c = table[(c ^ data[i]) & 255] ^ c >> 8;
	return ~c;
}

static void crc_table(uint32_t table[256])
{
	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (unsigned bit = 0; bit < 8; bit++)
			table[i] = table[i] & 1 ? 0xEDB88320 ^ table[i] >> 1 : table[i] >> 1;
	}
}

static bool invalid(const char *path, const char *what, struct kiln_diags *d)
{
	diag_add(d, DIAG_IMAGE_INVALID, path, "%s", what);
	return false;
}

static bool check_header(const char *path, const uint8_t *data, uint32_t length, struct kiln_diags *d)
{
	struct reader r = {.data = data, .size = length};
	uint32_t width = big_endian(&r), height = big_endian(&r);
	uint8_t depth = reader_u8(&r), type = reader_u8(&r);
	if (length != 13)
		return invalid(path, "IHDR has not 13 bytes", d);
	if (!width || !height)
		return invalid(path, "the image has no pixels", d);
	if (width > IMAGE_SIDE_MAX || height > IMAGE_SIDE_MAX || (uint64_t)width * height > IMAGE_PIXELS_MAX)
		diag_add(d, DIAG_IMAGE_TOO_LARGE, path, "%u x %u pixels", width, height);
	else if (depth != 8 || type == 3)
		diag_add(d, DIAG_IMAGE_UNSUPPORTED, path, "%u bits a channel, colour type %u", depth, type);
	else
		return true;
	return false;
}

static bool check_chunks(const char *path, const uint8_t *data, size_t size, struct kiln_diags *d)
{
	static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
	struct reader r = {.data = data, .size = size};
	const uint8_t *start = reader_bytes(&r, sizeof signature);
	uint32_t table[256];
	if (!start || memcmp(start, signature, sizeof signature))
		return invalid(path, "no PNG signature", d);
	crc_table(table);
	for (bool first = true;; first = false) {
		uint32_t length = big_endian(&r);
		const uint8_t *chunk = length <= INT32_MAX ? reader_bytes(&r, (size_t)length + 4) : NULL;
		uint32_t stored = big_endian(&r);
		if (!chunk || r.failed)
			return invalid(path, "the file ends within a chunk", d);
		if (crc(table, chunk, (size_t)length + 4) != stored)
			return invalid(path, "a chunk's CRC does not match its bytes", d);
		if (first != !memcmp(chunk, "IHDR", 4))
			return invalid(path, "IHDR is not the first chunk, or not the only one", d);
		if (first && !check_header(path, chunk + 4, length, d))
			return false;
		if (!memcmp(chunk, "IEND", 4))
			return true;
	}
}

bool image_read(const char *path, struct image *image, struct kiln_diags *d)
{
	uint8_t *data = NULL;
	size_t size = 0;
	int width = 0, height = 0, channels = 0;
	*image = (struct image){0};
	if (!read_input(path, &data, &size, d))
		return false;
	if (check_chunks(path, data, size, d)) {
		image->rgba = stbi_load_from_memory(data, (int)size, &width, &height, &channels, 4);
		const char *reason = stbi_failure_reason();
		if (!image->rgba)
			diag_add(d, DIAG_IMAGE_INVALID, path, "the pixels cannot be decoded: %s", reason ? reason : "no reason given");
	}
	mem_free(data);
	image->width = (uint32_t)width;
	image->height = (uint32_t)height;
	return image->rgba != NULL;
}

void image_finish(struct image *image)
{
	mem_free(image->rgba);
	*image = (struct image){0};
}
