/* The one file that holds stb_image's code, PNG alone and without stdio; its warnings are not ours. No allocation of it may
 * pass a bound, whatever a chunk's length or a packed stream promises: decoding then fails. */
#include "tools/image.h"
#include <stdlib.h>
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"

enum { ALLOCATION_MAX = 16 * IMAGE_PIXELS_MAX };
static void *bounded_alloc(size_t size) { return size <= ALLOCATION_MAX ? malloc(size) : NULL; }
static void *bounded_resize(void *old, size_t size) { return size <= ALLOCATION_MAX ? realloc(old, size) : NULL; }

#define STBI_MALLOC(size) bounded_alloc(size)
#define STBI_REALLOC(old, size) bounded_resize(old, size)
#define STBI_FREE(old) free(old)
#define STBI_MAX_DIMENSIONS IMAGE_SIDE_MAX
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
