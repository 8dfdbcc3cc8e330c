/* The machine: device, command lists, geometry, raster, depth, colour block. Entries grouped by file. */
#ifndef KILN_SIM_SIM_H
#define KILN_SIM_SIM_H
#include "isa/isa.h"
#include "pso/pso.h"
#include <kiln/kiln.h>

enum { MIPS_MAX = 15 };
/* Where one mip of one array slice lies; pitches in bytes. */
struct subresource {
	size_t offset, row_pitch, slice_pitch;     /* offset: from the array slice's start; slice_pitch: between depth slices */
};
/* A texture or a buffer. Texels are stored as the format says, samples of a texel one after another, without gaps: row
 * after row, depth slice after depth slice, mip after mip, array slice after array slice (D3D12's order of
 * subresources). */
struct kiln_resource {
	struct kiln_device *device;
	char *name;
	bool is_texture;
	struct kiln_texture_desc desc;             /* textures; zeros replaced by their meaning */
	const struct format_info *format;          /* NULL for buffers */
	uint8_t *data;
	size_t size, row_pitch;                    /* of everything; of subresource 0 */
	size_t array_pitch;                        /* between array slices */
	struct subresource mips[MIPS_MAX];
};

/* ---- resource.c: memory of textures and buffers ---- */
uint32_t mip_size(uint32_t size, uint32_t mip);                      /* halved and rounded down, at least 1 */
uint32_t resource_slices(const struct kiln_resource *r);             /* array slices; 1 of a 3D texture */
uint32_t resource_depth(const struct kiln_resource *r, uint32_t mip); /* depth slices; 1 of other than 3D textures */
/* Ranges are the caller's affair. */
uint8_t *resource_texel(const struct kiln_resource *r, uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z,
	uint32_t sample);
uint8_t *resource_subresource(const struct kiln_resource *r, uint32_t subresource); /* its first byte */

/* ---- mips.c ---- */
bool resource_generate_mips(struct kiln_resource *r, uint32_t format, const char *where, struct kiln_diags *diags);

/* ---- color_block.c: decode the export slot, clamp, blend, pack ---- */
struct color_target {                              /* one render target as a draw sees it; built once a draw */
	const struct format_info *format;
	struct kiln_render_target_blend_desc blend;    /* RenderTarget[0]'s where blending is not independent */
	struct export_choice required;                 /* the form in which this state decodes the slot */
	float blend_factor[4];
	bool dual_source;                              /* blend reads the second output */
	float alpha_scale;                             /* of the source, for alpha-antialiased lines; 0: none */
	const uint8_t *codes;                          /* color_block_codes() */
};
/* The 8-bit code of each half that may be exported, where that is all there is to a pixel; else NULL. Found from the other
 * fields; nothing is compiled. */
const uint8_t *color_block_codes(const struct color_target *t);
/* One pixel. slot: the four words of the target's export slot, words that nobody exported hold the pattern; slot1: of the second
 * output when dual_source, else NULL. pixel: the texel in memory, read and written. */
void color_block_pixel(const struct color_target *t, const uint32_t slot[4], const uint32_t slot1[4], uint8_t *pixel);
/* The slot as four words RGBA: float bits for float, unorm and snorm forms, integers otherwise. */
void color_block_decode(const struct export_choice *e, const uint32_t slot[4], uint32_t rgba[4]);
/* A clear value converted directly, without an export. */
void color_block_clear(const struct format_info *f, const float rgba[4], uint8_t *pixel);

/* ---- blend.c: what the colour block computes with ---- */
struct blend_operands {                            /* decoded to float and clamped as the target needs */
	float src[4], src1[4], dst[4], constant[4];
};
/* Float bits; arithmetic NaN is 0x7FC00000. */
void blend_equation(const struct kiln_render_target_blend_desc *b, const struct blend_operands *in, uint32_t out[4]);
float blend_min(float a, float b);                 /* the number wins over NaN, -0 < +0 */
float blend_max(float a, float b);
uint32_t blend_logic(uint32_t op, uint32_t src, uint32_t dst); /* enum kiln_logic_op */

/* ---- depth.c ---- */
struct depth_target {                              /* the depth buffer as a draw sees it; built once a draw */
	const struct format_info *format;              /* NULL: no depth buffer bound; every test passes */
	struct kiln_depth_stencil_desc state;
	float bounds[2];                               /* DepthBoundsTestEnable: of the stored depth */
	bool depth_read_only, stencil_read_only;       /* flags of the view: that plane is not written */
};
struct depth_fragment {
	float z;                                       /* interpolated or exported, not yet clamped */
	float min_depth, max_depth;                    /* of the viewport; the first is larger where it is inverted */
	bool back;                                     /* back-facing: BackFace's operations */
	uint8_t ref;                                   /* stencil reference */
};
/* Bounds, stencil and depth test of one sample; writes what the state says. texel may be NULL when format is. */
bool depth_stencil_test(const struct depth_target *t, const struct depth_fragment *f, uint8_t *texel);
bool depth_writes(const struct depth_target *t);   /* some sample may be changed: depth or stencil */
bool depth_writes_stencil(const struct depth_target *t);
/* One texel of a clear; a plane that is not cleared, or that the format has not, stays. */
void depth_clear(const struct format_info *f, bool depth, float z, bool stencil, uint8_t value, uint8_t *texel);

/* ---- resolve.c ---- */
bool resolve_run(const char *where, struct kiln_resource *dst, const struct kiln_resource *src, uint32_t format,
	uint32_t mode, struct kiln_diags *diags);     /* format 0: the source's */

/* ---- query.c: the counters given are those of the execution so far ---- */
bool query_begin(const char *where, struct kiln_query_heap *h, uint32_t index, const struct kiln_counters *now,
	struct kiln_diags *diags);
bool query_end(const char *where, struct kiln_query_heap *h, uint32_t index, const struct kiln_counters *now,
	struct kiln_diags *diags);
bool query_resolve(const char *where, const struct kiln_query_heap *h, uint32_t first, uint32_t count,
	struct kiln_resource *buffer, uint64_t offset, struct kiln_diags *diags);
void query_forget(struct kiln_query_heap *h);      /* queries begun are so no more */

/* ---- device.c: what the public objects need of others ---- */
/* Container -> program, so that a build or a test without LLVM can bring its own. NULL: diagnostics added. */
typedef struct isa_program *sim_compile_fn(void *user, const uint8_t *data, size_t size, const char *where,
	const struct kiln_device_desc *desc, struct kiln_diags *diags);
struct sim_compiler {
	sim_compile_fn *compile;
	void *user;
};
/* A device compiles through the frontend until told otherwise. */
void sim_device_set_compiler(struct kiln_device *d, const struct sim_compiler *compiler);
/* A shader from a program made by hand (copied), for tests and tools that read ISA text. */
struct kiln_shader *sim_shader_from_program(struct kiln_device *d, const char *name, const struct isa_program *p);
/* The program of a shader as compiled; lives as long as the shader. */
const struct isa_program *sim_shader_program(const struct kiln_shader *s);
/* The pipeline of a PSO; lives as long as the PSO. */
const struct pipeline *sim_pso_pipeline(const struct kiln_pso *p);

/* ---- execute.c: what each draw did, for timing ---- */
/* One packet: counters of this draw alone, and the sums over its waves. */
struct draw_record {
	struct kiln_counters counters;
	struct isa_record vs, ps, cs;
	uint64_t exports[ISA_FORM_COUNT];              /* colour exports by hardware form, a wave each */
};
/* Of the last kiln_execute(), in submission order, draws that were refused left out; valid until the next one. */
const struct draw_record *sim_draw_records(const struct kiln_device *d, size_t *count);

/* ---- private to the folder (draw.h): input.c, geometry.c, clip.c, setup.c, raster.c, shade.c ---- */
#endif
