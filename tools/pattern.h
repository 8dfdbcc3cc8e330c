/* Procedural pictures, so that a scene needs no image files: 8-bit codes from integer arithmetic alone, the same anywhere.
 * scenes/README.md states each formula. */
#ifndef KILN_TOOLS_PATTERN_H
#define KILN_TOOLS_PATTERN_H
#include <stdint.h>

enum pattern_kind { PATTERN_SOLID, PATTERN_CHECKER, PATTERN_GRADIENT, PATTERN_BRICKS, PATTERN_NOISE };
enum { PATTERN_COLORS_MAX = 16, PATTERN_OCTAVES_MAX = 8 };
struct pattern {
	uint32_t kind;                       /* enum pattern_kind */
	uint32_t cell[2];                    /* texels, at least 1 */
	uint32_t mortar, seed, octaves;
	uint8_t colors[PATTERN_COLORS_MAX][4];
	uint32_t color_count;                /* at least 1; 2 or 4 for gradients, 2 for bricks and noise */
};
/* rgba: width * height * depth pixels, rows from the top, slices one after another. level: the mip. */
void pattern_fill(const struct pattern *p, uint32_t width, uint32_t height, uint32_t depth, uint32_t level, uint8_t *rgba);
#endif
