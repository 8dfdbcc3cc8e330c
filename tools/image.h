/* PNG out; image.c says how a target becomes 8-bit RGB. */
#ifndef KILN_TOOLS_IMAGE_H
#define KILN_TOOLS_IMAGE_H
#include <kiln/kiln.h>

/* The file appears whole or not at all; false: diagnostic added. */
bool image_write(const char *path, const struct kiln_resource *r, struct kiln_diags *d);
#endif
