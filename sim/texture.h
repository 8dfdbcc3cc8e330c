/* The texture unit and buffers: what a resource instruction of a shader does. Private to sim.
 *
 * A view is a resolved descriptor: it names memory and how to read it; binding.c finds it for (resource, element) of a
 * program. image.c executes image_* rows, buffer.c buffer_* rows; both take any operands (out of range reads zeros,
 * facts 5.5 and 6.3). */
#ifndef KILN_SIM_TEXTURE_H
#define KILN_SIM_TEXTURE_H
#include "sim/sim.h"

/* One SRV or UAV. All zero: a null descriptor, which reads zeros and drops stores. */
struct view {
	struct kiln_resource *resource;
	const struct format_info *format;  /* typed views; NULL: raw and structured buffers */
	uint8_t dimension;                 /* enum kiln_view_dimension */
	uint8_t swizzle[4];                /* result channel -> 0-3 stored channel, 4 zero, 5 one */
	uint32_t first_mip, mips;          /* images */
	uint32_t first_slice, slices;      /* array slices (cubes: faces); depth slices of 3D */
	float min_lod;                     /* ResourceMinLODClamp, counted from the resource's mip 0 */
	uint64_t offset;                   /* buffers: first byte */
	uint64_t size;                     /* buffers: bytes in the view */
	uint32_t stride;                   /* structured buffers; typed: bytes an element; raw: 0 */
	struct kiln_resource *counter;     /* hidden counter of append and consume buffers, or NULL */
	uint64_t counter_offset;
};

/* ---- view.c: a description checked against its resource ---- */
/* desc NULL: all zero. resource NULL: a null descriptor. Nothing is touched where it fails. */
bool view_srv(struct kiln_resource *r, const struct kiln_view_desc *desc, const char *where, struct kiln_diags *diags,
	struct view *out);
bool view_uav(struct kiln_resource *r, const struct kiln_view_desc *desc, const char *where, struct kiln_diags *diags,
	struct view *out);

/* Where a program's resources are found. Both give NULL where nothing is bound. */
struct bindings {
	void *user;
	const struct view *(*view)(void *user, unsigned resource, uint32_t element);
	const struct kiln_sampler_desc *(*sampler)(void *user, unsigned resource, uint32_t element);
};

/* A lane's word of an operand; 0 where the operand is off. */
static inline uint32_t access_source(const struct isa_access *a, unsigned operand, unsigned lane)
{
	return a->source[operand] ? a->source[operand][lane] : 0;
}

/* ---- image.c: image_* rows for a wave ---- */
void image_access(const struct isa_access *a, const struct bindings *b);
/* ---- buffer.c: buffer_* rows, and image_get_resinfo of buffers ---- */
void buffer_access(const struct isa_access *a, const struct bindings *b);
/* One lane's atomic on the word at `at`, of an image or a buffer: the operation of operand 3, or with swap the comparison
 * with the operand before the value. The result is what stood there. */
void access_atomic(const struct isa_access *a, unsigned lane, bool swap, unsigned value_operand, uint8_t *at);

/* ---- texel.c: one texel ---- */
/* Integer coordinates in mip `mip` of the view (0 = its first), slice from its first; false outside (rgba then has zeros
 * and the format's defaults). Words as format_unpack gives them, swizzled. */
bool texel_load(const struct view *v, uint32_t mip, int32_t x, int32_t y, int32_t z, uint32_t slice, uint32_t sample,
	uint32_t rgba[4]);

/* Where that texel lies; NULL: outside. */
uint8_t *texel_address(const struct view *v, uint32_t mip, int32_t x, int32_t y, int32_t z, uint32_t slice, uint32_t sample);
/* Words as stored -> as the view's component mapping gives them. */
void texel_swizzle(const struct view *v, const uint32_t stored[4], uint32_t rgba[4]);

/* ---- sampler.c: addresses, LOD, filters ---- */
struct sample_request {
	float coordinate[4];               /* as the instruction has them; unused ones 0 */
	int32_t offset[3];
	float ddx[3], ddy[3];              /* of the coordinates, where lod is not given */
	bool has_lod;
	float lod, bias, min_lod;          /* min_lod: the instruction's clamp, else 0 */
	bool compare;
	float reference;
};
void sampler_sample(const struct view *v, const struct kiln_sampler_desc *s, const struct sample_request *r, uint32_t rgba[4]);
/* The four texels of component `channel`, in gather order. */
void sampler_gather(const struct view *v, const struct kiln_sampler_desc *s, const struct sample_request *r, unsigned channel,
	uint32_t rgba[4]);
/* CalculateLevelOfDetail; clamped to the view's mips and the sampler's range or not. */
float sampler_lod(const struct view *v, const struct kiln_sampler_desc *s, const struct sample_request *r, bool clamped);
#endif
