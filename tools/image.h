/* Pictures of targets. */
#ifndef KILN_TOOLS_IMAGE_H
#define KILN_TOOLS_IMAGE_H
#include <kiln/kiln.h>

/* False: diagnostic added, no file. */
bool image_write(const char *path, const struct kiln_resource *r, struct kiln_diags *d);
#endif
