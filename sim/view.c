/* Views: a resource and a kiln_view_desc -> what a shader sees (struct view) or what is drawn to (struct target). Takes any
 * description; what comes out lies inside the resource and reads it in a format that it allows. */
#include "sim/draw.h"

static bool refuse(const char *where, struct kiln_diags *diags, const struct kiln_resource *r, const char *what)
{
	diag_add(diags, DIAG_VIEW_INVALID, where, "'%s': %s", r->name, what);
	return false;
}

static const struct kiln_view_desc whole;

/* ---- parts of a texture ---- */

/* One row a view dimension: resources that it fits, and what it shows of their slices. */
static const struct {
	uint8_t resource;             /* enum kiln_dimension; 0: no dimension of a texture's view */
	bool array, multisampled, cube;
} dimensions[] = {
	[KILN_VIEW_TEXTURE1D] = {KILN_DIMENSION_TEXTURE1D, false, false, false},
	[KILN_VIEW_TEXTURE1DARRAY] = {KILN_DIMENSION_TEXTURE1D, true, false, false},
	[KILN_VIEW_TEXTURE2D] = {KILN_DIMENSION_TEXTURE2D, false, false, false},
	[KILN_VIEW_TEXTURE2DARRAY] = {KILN_DIMENSION_TEXTURE2D, true, false, false},
	[KILN_VIEW_TEXTURE2DMS] = {KILN_DIMENSION_TEXTURE2D, false, true, false},
	[KILN_VIEW_TEXTURE2DMSARRAY] = {KILN_DIMENSION_TEXTURE2D, true, true, false},
	[KILN_VIEW_TEXTURE3D] = {KILN_DIMENSION_TEXTURE3D, false, false, false},
	[KILN_VIEW_TEXTURECUBE] = {KILN_DIMENSION_TEXTURE2D, false, false, true},
	[KILN_VIEW_TEXTURECUBEARRAY] = {KILN_DIMENSION_TEXTURE2D, true, false, true},
};

static uint32_t own_dimension(const struct kiln_resource *r)
{
	bool array = r->desc.DepthOrArraySize > 1, multisampled = r->desc.SampleDesc.Count > 1;

	switch (r->desc.Dimension) {
	case KILN_DIMENSION_TEXTURE1D: return array ? KILN_VIEW_TEXTURE1DARRAY : KILN_VIEW_TEXTURE1D;
	case KILN_DIMENSION_TEXTURE3D: return KILN_VIEW_TEXTURE3D;
	}
	if (multisampled)
		return array ? KILN_VIEW_TEXTURE2DMSARRAY : KILN_VIEW_TEXTURE2DMS;
	return array ? KILN_VIEW_TEXTURE2DARRAY : KILN_VIEW_TEXTURE2D;
}

static const char *dimension_fault(const struct kiln_resource *r, uint32_t dimension)
{
	if (dimension >= ARRAY_COUNT(dimensions) || !dimensions[dimension].resource)
		return "the ViewDimension is none of a texture";
	if (dimensions[dimension].resource != r->desc.Dimension)
		return "the ViewDimension is of another kind of texture";
	if (dimensions[dimension].multisampled != (r->desc.SampleDesc.Count > 1))
		return "multisampled textures are viewed as TEXTURE2DMS, others are not";
	if (dimensions[dimension].cube && r->desc.Width != r->desc.Height)
		return "the faces of a cube are squares";
	return NULL;
}

/* [first, first + *count) of total; 0 or ~0 is all from there, as many as unit divides. */
static bool resolve_range(uint32_t first, uint32_t *count, uint32_t total, uint32_t unit)
{
	if (first >= total)
		return false;
	if (*count == 0 || *count == UINT32_MAX)
		*count = (total - first) / unit * unit;
	return *count && *count % unit == 0 && *count <= total - first;
}

static const char *slices_fault(
	const struct kiln_resource *r, const struct kiln_view_desc *d, uint32_t dimension, uint32_t *count)
{
	bool cube = dimensions[dimension].cube, array = dimensions[dimension].array;

	*count = d->ArraySize;
	if (!array && (*count == 0 || *count == UINT32_MAX))
		*count = cube ? 6 : 1;
	if (!array && *count != (cube ? 6u : 1u))
		return "an ArraySize for a ViewDimension that is no array";
	if (!resolve_range(d->FirstArraySlice, count, resource_slices(r), cube ? 6 : 1))
		return cube ? "a cube is six faces of those that there are" : "array slices that there are not";
	return NULL;
}

static const struct format_info *view_format(const struct kiln_resource *r, const struct kiln_view_desc *d)
{
	const struct format_info *f = d->Format ? format_info(d->Format) : r->format;

	return f && format_castable(r->format->number, f->number) ? f : NULL;
}

static bool refuse_format(const char *where, struct kiln_diags *diags, const struct kiln_resource *r,
	const struct kiln_view_desc *d, const char *use)
{
	const struct format_info *f = d->Format ? format_info(d->Format) : r->format;

	diag_add(diags, DIAG_VIEW_INVALID, where, "'%s' (%s) cannot be %s in format %s (%u)", r->name,
		r->format ? r->format->name : "a buffer", use, f ? f->name : "?", d->Format);
	return false;
}

/* ---- what shaders see ---- */

static bool resolve_swizzle(uint32_t mapping, uint8_t swizzle[4])
{
	uint32_t m = mapping ? mapping : 0x1688;

	for (int c = 0; c < 4; c++) {
		swizzle[c] = m >> 3 * c & 7;
		if (swizzle[c] > 5)
			return false;
	}
	return m & 0x1000 && m < 0x2000;
}

static bool view_buffer(struct kiln_resource *r, const struct kiln_view_desc *d, unsigned caps, const char *where,
	struct kiln_diags *diags, struct view *v)
{
	bool raw = !d->StructureByteStride && (!d->Format || d->Format == KILN_FORMAT_R32_TYPELESS);
	const struct format_info *f = raw || d->StructureByteStride ? NULL : format_info(d->Format);
	uint64_t bytes = 4, count = d->NumElements;

	if (d->ViewDimension > KILN_VIEW_BUFFER)
		return refuse(where, diags, r, "a buffer viewed as a texture");
	if (d->StructureByteStride && (d->StructureByteStride % 4 || d->StructureByteStride > 2048 || d->Format))
		return refuse(where, diags, r, "a StructureByteStride is a multiple of 4 up to 2048, with Format UNKNOWN");
	if (!raw && !d->StructureByteStride && (!f || !(f->caps & caps) || f->caps & FORMAT_COMPRESSED))
		return refuse_format(where, diags, r, d, caps == FORMAT_CAN_UAV ? "a typed UAV" : "a typed SRV");
	if (!raw)
		bytes = f ? f->bits / 8 : d->StructureByteStride;
	if (d->FirstElement > r->size / bytes || count > r->size / bytes - d->FirstElement) {
		diag_add(diags, DIAG_VIEW_INVALID, where, "'%s': elements %llu to %llu of %llu", r->name,
			(unsigned long long)d->FirstElement, (unsigned long long)(d->FirstElement + count),
			(unsigned long long)(r->size / bytes));
		return false;
	}
	count = count ? count : r->size / bytes - d->FirstElement;
	v->dimension = KILN_VIEW_BUFFER;
	v->format = f;
	v->offset = d->FirstElement * bytes;
	v->size = count * bytes;
	v->stride = raw ? 0 : (uint32_t)bytes;
	return true;
}

static bool view_texture(struct kiln_resource *r, const struct kiln_view_desc *d, unsigned caps, const char *where,
	struct kiln_diags *diags, struct view *v)
{
	uint32_t dimension = d->ViewDimension ? d->ViewDimension : own_dimension(r);
	const struct format_info *f = view_format(r, d);
	const char *fault = dimension_fault(r, dimension);
	bool uav = caps == FORMAT_CAN_UAV;

	v->mips = uav ? 1 : d->MipLevels;
	if (!fault && r->desc.Dimension != KILN_DIMENSION_TEXTURE3D)
		fault = slices_fault(r, d, dimension, &v->slices);
	if (fault)
		return refuse(where, diags, r, fault);
	if (!f || !(f->caps & caps))
		return refuse_format(where, diags, r, d, uav ? "a UAV" : "an SRV");
	if (!resolve_range(d->MostDetailedMip, &v->mips, r->desc.MipLevels, 1))
		return refuse(where, diags, r, "mip levels that there are not");
	if (!(d->ResourceMinLODClamp >= 0))
		return refuse(where, diags, r, "a ResourceMinLODClamp below 0");
	v->dimension = (uint8_t)dimension;
	v->format = f;
	v->first_mip = d->MostDetailedMip;
	v->first_slice = d->FirstArraySlice;
	v->min_lod = d->ResourceMinLODClamp;
	if (r->desc.Dimension != KILN_DIMENSION_TEXTURE3D)
		return true;
	v->slices = uav ? d->ArraySize : resource_depth(r, v->first_mip);
	v->first_slice = uav ? d->FirstArraySlice : 0;
	return !uav || resolve_range(d->FirstArraySlice, &v->slices, resource_depth(r, v->first_mip), 1) ||
		   refuse(where, diags, r, "depth slices that there are not");
}

/* What describes part of the other kind of resource would be lost without a word. */
static const char *foreign_fields(const struct kiln_resource *r, const struct kiln_view_desc *d)
{
	if (r->is_texture)
		return d->FirstElement || d->NumElements || d->StructureByteStride ? "elements or a stride of a texture" : NULL;
	return d->MostDetailedMip || d->MipLevels || d->FirstArraySlice || d->ArraySize || d->ResourceMinLODClamp != 0
		? "mips or slices of a buffer" : NULL;
}

static bool resolve(struct kiln_resource *r, const struct kiln_view_desc *desc, unsigned caps, const char *where,
	struct kiln_diags *diags, struct view *out)
{
	const struct kiln_view_desc *d = desc ? desc : &whole;
	struct view v = {.resource = r};
	const char *fault;

	if (!r) {
		*out = v;
		return true;
	}
	fault = foreign_fields(r, d);
	if (fault)
		return refuse(where, diags, r, fault);
	if (!resolve_swizzle(d->Shader4ComponentMapping, v.swizzle))
		return refuse(where, diags, r, "a Shader4ComponentMapping of unknown components");
	if (!(r->is_texture ? view_texture(r, d, caps, where, diags, &v) : view_buffer(r, d, caps, where, diags, &v)))
		return false;
	*out = v;
	return true;
}

bool view_srv(struct kiln_resource *r, const struct kiln_view_desc *desc, const char *where, struct kiln_diags *diags,
	struct view *out)
{
	return resolve(r, desc, FORMAT_CAN_LOAD, where, diags, out);
}

bool view_uav(struct kiln_resource *r, const struct kiln_view_desc *desc, const char *where, struct kiln_diags *diags,
	struct view *out)
{
	if (r && r->is_texture && r->desc.SampleDesc.Count > 1)
		return refuse(where, diags, r, "a multisampled texture has no UAV");
	return resolve(r, desc, FORMAT_CAN_UAV, where, diags, out);
}

/* ---- what is drawn to ---- */

bool target_resolve(const struct kiln_target_view *view, unsigned caps, const char *where, struct kiln_diags *diags,
	struct target *out)
{
	const struct kiln_view_desc *d = &view->view;
	struct kiln_resource *r = view->resource;
	const char *what = caps == FORMAT_CAN_RENDER ? "colour target" : "depth buffer", *fault;
	struct target t = {.resource = r, .mip = d->MostDetailedMip, .first_slice = d->FirstArraySlice};
	uint32_t dimension, levels = 1;

	if (!r) {
		*out = t;
		return true;
	}
	t.format = r->is_texture ? view_format(r, d) : NULL;
	if (!t.format || !(t.format->caps & caps)) {
		diag_add(diags, DIAG_TARGET_INVALID, where, "'%s' (%s) is no %s in format %s", r->name,
			r->is_texture ? r->format->name : "buffer", what, t.format ? t.format->name : "?");
		return false;
	}
	dimension = d->ViewDimension ? d->ViewDimension : own_dimension(r);
	fault = dimension_fault(r, dimension);
	if (!fault && dimensions[dimension].cube)
		fault = "targets are slices of an array, not cubes";
	if (!fault && !resolve_range(t.mip, &levels, r->desc.MipLevels, 1))
		fault = "a mip level that there is not";
	t.slices = d->ArraySize;
	if (!fault && r->desc.Dimension != KILN_DIMENSION_TEXTURE3D)
		fault = slices_fault(r, d, dimension, &t.slices);
	else if (!fault && !resolve_range(t.first_slice, &t.slices, resource_depth(r, t.mip), 1))
		fault = "depth slices that there are not";
	if (fault)
		return refuse(where, diags, r, fault);
	t.width = mip_size(r->desc.Width, t.mip);
	t.height = mip_size(r->desc.Height, t.mip);
	*out = t;
	return true;
}

static bool ranges_meet(uint32_t a, uint32_t a_count, uint32_t b, uint32_t b_count)
{
	return a < b + b_count && b < a + a_count;
}

bool targets_overlap(const struct target *a, const struct target *b)
{
	return a->resource && a->resource == b->resource && a->mip == b->mip &&
		   ranges_meet(a->first_slice, a->slices, b->first_slice, b->slices);
}

uint8_t *target_texel(const struct target *t, uint32_t slice, uint32_t x, uint32_t y, uint32_t sample)
{
	bool volume = t->resource->desc.Dimension == KILN_DIMENSION_TEXTURE3D;
	uint32_t at = t->first_slice + slice;

	return resource_texel(t->resource, t->mip, volume ? 0 : at, x, y, volume ? at : 0, sample);
}

static bool reads_target(const struct view *v, const struct target *t)
{
	if (t->resource != v->resource || t->mip < v->first_mip || t->mip >= v->first_mip + v->mips)
		return false;
	return ranges_meet(v->first_slice, v->slices, t->first_slice, t->slices);
}

bool view_is_target(const struct draw_state *s, const struct view *v)
{
	const struct kiln_graphics_pipeline_desc *d = &s->pipeline->desc;
	const struct kiln_depth_stencil_desc *ds = &d->DepthStencilState;

	if (!v->resource || !v->resource->is_texture)
		return false;
	for (uint32_t i = 0; s->pipeline->ps && i < d->NumRenderTargets; i++) {
		if (d->RTVFormats[i] && s->targets[i].resource && reads_target(v, &s->targets[i]))
			return true;
	}
	if (!d->DSVFormat || !s->depth.resource || !reads_target(v, &s->depth))
		return false;
	return (ds->DepthEnable && ds->DepthWriteMask && !(s->depth_flags & KILN_DSV_READ_ONLY_DEPTH)) ||
		   (ds->StencilEnable && ds->StencilWriteMask && !(s->depth_flags & KILN_DSV_READ_ONLY_STENCIL));
}
