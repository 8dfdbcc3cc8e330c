/* Image instructions for a wave: operands -> loads, stores and atomics of texels, and requests to the sampler. Stores and atomics
 * go in lane order; LOD by derivatives is that of a quad (lanes 4 q: top left, top right, bottom left, bottom right). */
#include "sim/texture.h"

/* One row a view dimension: axes of a texel, where its slice stands among the coordinates (0: there is none). */
static const struct shape {
	uint8_t axes, slice;
	bool multisampled;
} shapes[] = {
	[KILN_VIEW_TEXTURE1D] = {1, 0, false},
	[KILN_VIEW_TEXTURE1DARRAY] = {1, 1, false},
	[KILN_VIEW_TEXTURE2D] = {2, 0, false},
	[KILN_VIEW_TEXTURE2DARRAY] = {2, 2, false},
	[KILN_VIEW_TEXTURE2DMS] = {2, 0, true},
	[KILN_VIEW_TEXTURE2DMSARRAY] = {2, 2, true},
	[KILN_VIEW_TEXTURE3D] = {3, 0, false},
	[KILN_VIEW_TEXTURECUBE] = {2, 2, false},      /* as an array of faces */
	[KILN_VIEW_TEXTURECUBEARRAY] = {2, 2, false},
};

static float source_float(const struct isa_access *a, unsigned operand, unsigned lane)
{
	return bits_float(access_source(a, operand, lane));
}

static const struct view *find_view(const struct isa_access *a, const struct bindings *b, unsigned operand, unsigned lane)
{
	const struct view *v = b->view(b->user, a->inst->at[operand].value, access_source(a, operand + 1, lane));

	return v && v->resource && v->resource->is_texture ? v : NULL;
}

/* ---- texels by integer coordinates ---- */

struct texel_place {
	int32_t at[3];
	uint32_t slice, mip, sample;
};

/* Coordinates at operands first to first + 2, mip or sample at last. */
static struct texel_place place(
	const struct isa_access *a, const struct view *v, unsigned first, unsigned last, unsigned lane)
{
	const struct shape *s = &shapes[v->dimension];
	uint32_t level = access_source(a, last, lane);
	struct texel_place p = {.mip = s->multisampled ? 0 : level, .sample = s->multisampled ? level : 0};

	for (unsigned i = 0; i < s->axes; i++)
		p.at[i] = (int32_t)access_source(a, first + i, lane);
	if (s->slice)
		p.slice = access_source(a, first + s->slice, lane);
	return p;
}

static void load(const struct isa_access *a, const struct bindings *b, unsigned lane)
{
	const struct view *v = find_view(a, b, ISA_IMAGE, lane);
	uint32_t rgba[4] = {0};

	if (v) {
		struct texel_place p = place(a, v, 6, 9, lane);

		texel_load(v, p.mip, p.at[0], p.at[1], p.at[2], p.slice, p.sample, rgba);
	}
	for (unsigned c = 0; c < 4; c++)
		a->result[c][lane] = rgba[c];
}

/* Where a store or atomic goes; NULL: outside. */
static uint8_t *writable(const struct isa_access *a, const struct view *v, unsigned first, unsigned last, unsigned lane)
{
	struct texel_place p = place(a, v, first, last, lane);

	return texel_address(v, 0, p.at[0], p.at[1], p.at[2], p.slice, last ? p.sample : 0);
}

static void store(const struct isa_access *a, const struct bindings *b, unsigned lane)
{
	const struct view *v = find_view(a, b, 0, lane);
	uint8_t *at = v ? writable(a, v, 3, 6, lane) : NULL;
	uint32_t rgba[4];

	for (unsigned c = 0; c < 4; c++)
		rgba[c] = access_source(a, 7 + c, lane);
	if (at)
		format_pack(v->format, rgba, 15, at);
}

static void atomic(const struct isa_access *a, const struct bindings *b, unsigned lane)
{
	bool swap = a->inst->op == ISA_image_atomic_cmpswap;
	const struct view *v = find_view(a, b, 1, lane);
	uint8_t *at = v && v->format->bits == 32 ? writable(a, v, swap ? 3 : 4, 0, lane) : NULL;

	if (at)
		access_atomic(a, lane, swap, 7, at);
}

/* Width, height, depth or slices (cubes: cubes) or samples, and mips. A mip that there is not has no size. */
static void resinfo(const struct isa_access *a, const struct bindings *b, unsigned lane)
{
	const struct view *v = find_view(a, b, ISA_IMAGE, lane);
	uint32_t mip = access_source(a, 6, lane), info[4] = {0};

	if (v) {
		const struct shape *s = &shapes[v->dimension];
		const struct kiln_texture_desc *d = &v->resource->desc;
		bool cube = v->dimension == KILN_VIEW_TEXTURECUBE, cubes = v->dimension == KILN_VIEW_TEXTURECUBEARRAY;
		uint32_t slices = cubes ? v->slices / 6 : v->slices;

		info[3] = s->multisampled ? d->SampleDesc.Count : v->mips;
		if (mip < v->mips) {
			info[0] = mip_size(d->Width, v->first_mip + mip);
			info[1] = s->axes > 1 ? mip_size(d->Height, v->first_mip + mip) : s->slice ? slices : 0;
			if (s->axes == 3)
				info[2] = v->slices < resource_depth(v->resource, v->first_mip + mip) ? v->slices
					: resource_depth(v->resource, v->first_mip + mip);
			else if (s->axes == 2 && s->slice && !cube)
				info[2] = slices;
		}
	}
	for (unsigned c = 0; c < 4; c++)
		a->result[c][lane] = info[c];
}

/* ---- sampling ---- */

/* One row a sampling instruction: its operands from ISA_IMAGE_MORE on; 0: none. */
static const struct sampling {
	uint16_t op;
	uint8_t reference, bias, lod, derivatives, min_lod;
	bool zero;                    /* LOD 0 */
} samplings[] = {
	{.op = ISA_image_sample, .min_lod = 15},
	{.op = ISA_image_sample_b, .bias = 15, .min_lod = 16},
	{.op = ISA_image_sample_l, .lod = 15},
	{.op = ISA_image_sample_d, .derivatives = 15, .min_lod = 21},
	{.op = ISA_image_sample_c, .reference = 15, .min_lod = 16},
	{.op = ISA_image_sample_c_lz, .reference = 15, .zero = true},
	{.op = ISA_image_sample_c_b, .reference = 15, .bias = 16, .min_lod = 17},
	{.op = ISA_image_sample_c_l, .reference = 15, .lod = 16},
	{.op = ISA_image_sample_c_d, .reference = 15, .derivatives = 16, .min_lod = 22},
	{.op = ISA_image_gather4, .zero = true},
	{.op = ISA_image_gather4_c, .reference = 16, .zero = true},
	{.op = ISA_image_get_lod},
};

/* Differences over the quad of the lane, the same for its four lanes. */
static void quad_derivatives(const struct isa_access *a, unsigned coordinate, unsigned lane, struct sample_request *r)
{
	unsigned first = lane & ~3u;

	for (unsigned i = 0; i < 3; i++) {
		float at = source_float(a, coordinate + i, first);

		r->ddx[i] = source_float(a, coordinate + i, first + 1) - at;
		r->ddy[i] = source_float(a, coordinate + i, first + 2) - at;
	}
}

static struct sample_request request(
	const struct isa_access *a, const struct sampling *s, unsigned coordinate, unsigned count, unsigned lane)
{
	struct sample_request r = {.has_lod = s->lod || s->zero, .compare = s->reference != 0};

	for (unsigned i = 0; i < count; i++)
		r.coordinate[i] = source_float(a, coordinate + i, lane);
	for (unsigned i = 0; i < 3 && count == 4; i++)
		r.offset[i] = (int32_t)access_source(a, ISA_IMAGE_OFFSET + i, lane);
	r.reference = s->reference ? source_float(a, s->reference, lane) : 0;
	r.bias = s->bias ? source_float(a, s->bias, lane) : 0;
	r.lod = s->lod ? source_float(a, s->lod, lane) : 0;
	r.min_lod = s->min_lod ? source_float(a, s->min_lod, lane) : 0;
	for (unsigned i = 0; i < 3 && s->derivatives; i++) {
		r.ddx[i] = source_float(a, s->derivatives + i, lane);
		r.ddy[i] = source_float(a, s->derivatives + 3 + i, lane);
	}
	if (!r.has_lod && !s->derivatives)
		quad_derivatives(a, coordinate, lane, &r);
	return r;
}

static void sample(const struct isa_access *a, const struct bindings *b, const struct sampling *s, unsigned lane)
{
	bool lod = s->op == ISA_image_get_lod;
	unsigned image = lod ? 1 : ISA_IMAGE;
	const struct view *v = find_view(a, b, image, lane);
	const struct kiln_sampler_desc *sampler =
		b->sampler(b->user, a->inst->at[image + 2].value, access_source(a, image + 3, lane));
	struct sample_request r = request(a, s, image + 4, lod ? 3 : 4, lane);
	uint32_t rgba[4] = {0};

	if (!v || !sampler)
		return; /* zeros */
	if (lod) {
		a->result[0][lane] = float_bits(sampler_lod(v, sampler, &r, a->inst->at[8].value));
		return;
	}
	if (s->op == ISA_image_gather4 || s->op == ISA_image_gather4_c)
		sampler_gather(v, sampler, &r, a->inst->at[ISA_IMAGE_MORE].value & 3, rgba);
	else
		sampler_sample(v, sampler, &r, rgba);
	for (unsigned c = 0; c < 4; c++)
		a->result[c][lane] = rgba[c];
}

void image_access(const struct isa_access *a, const struct bindings *b)
{
	bool effect = a->inst->op == ISA_image_store || a->inst->op == ISA_image_atomic ||
				  a->inst->op == ISA_image_atomic_cmpswap;
	const struct sampling *s = NULL;

	for (size_t i = 0; i < ARRAY_COUNT(samplings); i++) {
		if (samplings[i].op == a->inst->op)
			s = &samplings[i];
	}
	for (unsigned lane = 0; lane < a->lanes; lane++) {
		if (!((effect ? a->exec & a->live : a->exec) >> lane & 1))
			continue;
		if (s) {
			sample(a, b, s, lane);
			continue;
		}
		switch (a->inst->op) {
		case ISA_image_load: load(a, b, lane); break;
		case ISA_image_store: store(a, b, lane); break;
		case ISA_image_atomic:
		case ISA_image_atomic_cmpswap: atomic(a, b, lane); break;
		case ISA_image_get_resinfo: resinfo(a, b, lane); break;
		}
	}
}
