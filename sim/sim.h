/* The machine: device, command lists, geometry, raster, depth, colour block. Entries grouped by file. */
#ifndef KILN_SIM_SIM_H
#define KILN_SIM_SIM_H
#include "isa/isa.h"
#include "pso/pso.h"
#include <kiln/kiln.h>

/* A texture or a buffer. Texels are stored as the format says, row after row, mip 0 first. */
struct kiln_resource {
	struct kiln_device *device;
	char *name;
	bool is_texture;
	struct kiln_texture_desc desc;             /* textures */
	const struct format_info *format;
	uint8_t *data;
	size_t size, row_pitch;
};

/* ---- color_block.c: decode the export slot, clamp, blend, pack ---- */
struct color_target {                              /* one render target as a draw sees it; built once a draw */
	const struct format_info *format;
	struct kiln_render_target_blend_desc blend;    /* RenderTarget[0]'s where blending is not independent */
	struct export_choice required;                 /* the form in which this state decodes the slot */
	float blend_factor[4];
	bool dual_source;                              /* blend reads the second output */
};
/* One pixel. slot: the four words of the target's export slot, words that nobody exported hold the pattern; slot1: of the second
 * output when dual_source, else NULL. pixel: the texel in memory, read and written. */
void color_block_pixel(const struct color_target *t, const uint32_t slot[4], const uint32_t slot1[4], uint8_t *pixel);
/* The slot as four words RGBA: float bits for float, unorm and snorm forms, integers otherwise. */
void color_block_decode(const struct export_choice *e, const uint32_t slot[4], uint32_t rgba[4]);
/* A clear value converted directly, without an export. */
void color_block_clear(const struct format_info *f, const float rgba[4], uint8_t *pixel);

/* ---- depth.c ---- */
struct depth_target {
	const struct format_info *format;              /* NULL: no depth buffer bound */
	struct kiln_depth_stencil_desc state;
	float min_depth, max_depth;                    /* of the viewport */
};
/* Tests and, if the state says so, writes. z is the interpolated or exported depth, not yet clamped. texel may be NULL when format is. */
bool depth_test(const struct depth_target *t, float z, uint8_t *texel);

/* ---- the rest of the folder is private to the files that the sim helper writes: device.c, commands.c, draw.c, geometry.c, clip.c,
 * raster.c, shade.c ---- */
#endif
