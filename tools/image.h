/* PNG out, where image.c says how a target becomes 8-bit RGB, and PNG in, as 8-bit RGBA. */
#ifndef KILN_TOOLS_IMAGE_H
#define KILN_TOOLS_IMAGE_H
#include <kiln/kiln.h>

enum { IMAGE_SIDE_MAX = 16384, IMAGE_PIXELS_MAX = 1 << 26 };

/* Rows from the top, four bytes a pixel: R, G, B, A. */
struct image {
	uint32_t width, height;
	uint8_t *rgba;
};

/* The file appears whole or not at all; false: diagnostic added. */
bool image_write(const char *path, const struct kiln_resource *r, struct kiln_diags *d);
bool image_write_rgb(const char *path, uint32_t width, uint32_t height, const uint8_t *rgb, struct kiln_diags *d);
/* A PNG of 8 bits a channel, gray or RGB, alpha 255 where it has none. False: diagnostic added, image empty. */
bool image_read(const char *path, struct image *image, struct kiln_diags *d);
void image_finish(struct image *image);
#endif
