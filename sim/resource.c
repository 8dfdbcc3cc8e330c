/* Buffers and textures: made zeroed and without gaps (sim.h says in which order), written and read by subresource. */
#include "sim/sim.h"
#include <string.h>

enum { TEXTURE_SIZE_MAX = 16384, VOLUME_SIZE_MAX = 2048, SLICES_MAX = 2048 };
#define RESOURCE_BYTES_MAX ((uint64_t)1 << 31)

/* ---- layout ---- */

uint32_t mip_size(uint32_t size, uint32_t mip) { return size >> mip ? size >> mip : 1; }

uint32_t resource_slices(const struct kiln_resource *r)
{
	return r->desc.Dimension == KILN_DIMENSION_TEXTURE3D ? 1 : r->desc.DepthOrArraySize;
}

uint32_t resource_depth(const struct kiln_resource *r, uint32_t mip)
{
	return r->desc.Dimension == KILN_DIMENSION_TEXTURE3D ? mip_size(r->desc.DepthOrArraySize, mip) : 1;
}

uint8_t *resource_texel(const struct kiln_resource *r, uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z,
	uint32_t sample)
{
	const struct subresource *s = &r->mips[mip];
	size_t texel = (size_t)x * r->desc.SampleDesc.Count + sample;

	return r->data + slice * r->array_pitch + s->offset + z * s->slice_pitch + y * s->row_pitch + texel * (r->format->bits / 8);
}

uint8_t *resource_subresource(const struct kiln_resource *r, uint32_t subresource)
{
	if (!r->is_texture)
		return r->data;
	return resource_texel(r, subresource % r->desc.MipLevels, subresource / r->desc.MipLevels, 0, 0, 0, 0);
}

/* Fills in pitches; gives the bytes of everything. Sizes are in range, so nothing wraps in 64 bits. */
static uint64_t lay_out(struct kiln_resource *r)
{
	uint64_t at = 0, texel = (uint64_t)r->desc.SampleDesc.Count * (r->format->bits / 8);

	for (uint32_t m = 0; m < r->desc.MipLevels; m++) {
		struct subresource *s = &r->mips[m];

		s->offset = at;
		s->row_pitch = mip_size(r->desc.Width, m) * texel;
		s->slice_pitch = s->row_pitch * mip_size(r->desc.Height, m);
		at += (uint64_t)s->slice_pitch * resource_depth(r, m);
	}
	r->array_pitch = at;
	r->row_pitch = r->mips[0].row_pitch;
	return at * resource_slices(r);
}

/* ---- making ---- */

struct kiln_resource *kiln_buffer_create(struct kiln_device *d, const char *name, size_t size, const void *data)
{
	struct kiln_resource *r;

	if (size > RESOURCE_BYTES_MAX)
		return NULL;
	r = mem_alloc(sizeof *r);
	r->device = d;
	r->name = mem_string(name ? name : "buffer");
	r->data = mem_alloc(size);
	r->size = r->row_pitch = size;
	if (data && size)
		memcpy(r->data, data, size);
	return r;
}

static uint32_t mips_max(const struct kiln_texture_desc *t)
{
	uint32_t size = t->Width > t->Height ? t->Width : t->Height, count = 1;

	if (t->Dimension == KILN_DIMENSION_TEXTURE3D && t->DepthOrArraySize > size)
		size = t->DepthOrArraySize;
	for (; size > 1; size >>= 1)
		count++;
	return count;
}

/* NULL, or what is wrong with a description whose zeros were replaced. */
static const char *desc_fault(const struct kiln_texture_desc *t, const struct format_info *f)
{
	bool volume = t->Dimension == KILN_DIMENSION_TEXTURE3D;
	uint32_t size = volume ? VOLUME_SIZE_MAX : TEXTURE_SIZE_MAX;

	if (t->Dimension < KILN_DIMENSION_TEXTURE1D || t->Dimension > KILN_DIMENSION_TEXTURE3D)
		return "the dimension is no D3D12_RESOURCE_DIMENSION of a texture";
	if (!t->Width || !t->Height || t->Width > size || t->Height > size || t->DepthOrArraySize > SLICES_MAX)
		return volume ? "each side of a 3D texture is 1 to 2048" : "sides are 1 to 16384, array slices 1 to 2048";
	if (t->Dimension == KILN_DIMENSION_TEXTURE1D && t->Height != 1)
		return "the height of a 1D texture is 1";
	if (t->MipLevels > mips_max(t))
		return "there are more mip levels than the sides have halves";
	if (f->caps & FORMAT_CAN_DEPTH && volume)
		return "a 3D texture cannot be of a depth format";
	return NULL;
}

/* Counts that D3D12 has; Quality names the standard or the centre pattern, which are the PSO's affair. */
static const char *samples_fault(const struct kiln_texture_desc *t, const struct format_info *f)
{
	uint32_t count = t->SampleDesc.Count, quality = t->SampleDesc.Quality;

	if (count > 16 || count & (count - 1) || (quality && quality < 0xfffffffe))
		return "the sample count is 1, 2, 4, 8 or 16, the quality 0";
	if (count > 1 && (t->Dimension != KILN_DIMENSION_TEXTURE2D || t->MipLevels > 1))
		return "a multisampled texture is 2D and has one mip level";
	if (count > 1 && !(f->caps & (FORMAT_CAN_RENDER | FORMAT_CAN_DEPTH)) && f->numeric != FORMAT_TYPELESS)
		return "a multisampled texture is of a renderable or depth format";
	return NULL;
}

static bool check_texture(const char *name, struct kiln_texture_desc *t, struct kiln_diags *diags)
{
	const struct format_info *f = format_info(t->Format);
	const char *fault;

	if (!f || !format_is_texture(f)) {
		diag_add(diags, DIAG_TEXTURE_DESC_INVALID, name, "format %s (%u) cannot be loaded, rendered to or a depth buffer%s",
			f ? f->name : "?", t->Format, f && f->caps & FORMAT_COMPRESSED ? ": Kiln has no block formats yet" : "");
		return false;
	}
	fault = desc_fault(t, f);
	if (!fault)
		fault = samples_fault(t, f);
	if (!fault)
		return true;
	diag_add(diags, DIAG_TEXTURE_DESC_INVALID, name, "%u x %u x %u texels of %s, %u mips, %u samples: %s", t->Width,
		t->Height, t->DepthOrArraySize, f->name, t->MipLevels, t->SampleDesc.Count, fault);
	return false;
}

struct kiln_resource *kiln_texture_create(
	struct kiln_device *d, const char *name, const struct kiln_texture_desc *desc, struct kiln_diags *diags)
{
	struct kiln_resource *r = mem_alloc(sizeof *r);
	struct kiln_texture_desc *t = &r->desc;
	uint64_t size;

	*t = *desc;
	t->Dimension = t->Dimension ? t->Dimension : KILN_DIMENSION_TEXTURE2D;
	t->DepthOrArraySize = t->DepthOrArraySize ? t->DepthOrArraySize : 1;
	t->MipLevels = t->MipLevels ? t->MipLevels : 1;
	t->SampleDesc.Count = t->SampleDesc.Count ? t->SampleDesc.Count : 1;
	if (t->Dimension == KILN_DIMENSION_TEXTURE1D && !t->Height)
		t->Height = 1;
	if (!check_texture(name ? name : "texture", t, diags)) {
		mem_free(r);
		return NULL;
	}
	r->device = d;
	r->is_texture = true;
	r->format = format_info(t->Format);
	size = lay_out(r);
	if (size > RESOURCE_BYTES_MAX) {
		diag_add(diags, DIAG_TEXTURE_DESC_INVALID, name ? name : "texture", "its texels take %llu bytes",
			(unsigned long long)size);
		mem_free(r);
		return NULL;
	}
	r->name = mem_string(name ? name : "texture");
	r->size = size;
	r->data = mem_alloc(size);
	return r;
}

void kiln_resource_destroy(struct kiln_resource *r)
{
	if (!r)
		return;
	mem_free(r->name);
	mem_free(r->data);
	mem_free(r);
}

/* ---- reading and writing ---- */

uint32_t kiln_resource_subresources(const struct kiln_resource *r)
{
	return r->is_texture ? r->desc.MipLevels * resource_slices(r) : 1;
}

const void *kiln_resource_subresource_data(
	const struct kiln_resource *r, uint32_t subresource, struct kiln_subresource *layout)
{
	struct kiln_subresource buffer = {(uint32_t)r->size, 1, 1, r->size, r->size, r->size};
	uint32_t mip;

	if (subresource >= kiln_resource_subresources(r))
		return NULL;
	if (!r->is_texture) {
		if (layout)
			*layout = buffer;
		return r->data;
	}
	mip = subresource % r->desc.MipLevels;
	if (layout) {
		layout->Width = mip_size(r->desc.Width, mip);
		layout->Height = mip_size(r->desc.Height, mip);
		layout->Depth = resource_depth(r, mip);
		layout->row_pitch = r->mips[mip].row_pitch;
		layout->slice_pitch = r->mips[mip].slice_pitch;
		layout->size = layout->slice_pitch * layout->Depth;
	}
	return resource_subresource(r, subresource);
}

const void *kiln_resource_data(const struct kiln_resource *r, size_t *size, size_t *row_pitch)
{
	struct kiln_subresource layout = {0};
	const void *data = kiln_resource_subresource_data(r, 0, &layout);

	if (size)
		*size = layout.size;
	if (row_pitch)
		*row_pitch = layout.row_pitch;
	return data;
}

bool kiln_resource_subresource_texel(const struct kiln_resource *r, uint32_t subresource, uint32_t x, uint32_t y, uint32_t z,
	uint32_t sample, uint32_t rgba[4])
{
	struct kiln_subresource layout;
	unsigned saved;

	if (!r->is_texture || r->format->numeric == FORMAT_TYPELESS || !kiln_resource_subresource_data(r, subresource, &layout))
		return false;
	if (x >= layout.Width || y >= layout.Height || z >= layout.Depth || sample >= r->desc.SampleDesc.Count)
		return false;
	saved = fp_enter();
	format_unpack(r->format,
		resource_texel(r, subresource % r->desc.MipLevels, subresource / r->desc.MipLevels, x, y, z, sample), rgba);
	fp_leave(saved);
	return true;
}

bool kiln_resource_sample(const struct kiln_resource *r, uint32_t x, uint32_t y, uint32_t sample, uint32_t rgba[4])
{
	return kiln_resource_subresource_texel(r, 0, x, y, 0, sample, rgba);
}

bool kiln_resource_texel(const struct kiln_resource *r, uint32_t x, uint32_t y, uint32_t rgba[4])
{
	return kiln_resource_subresource_texel(r, 0, x, y, 0, 0, rgba);
}

static bool refuse_write(const struct kiln_resource *r, struct kiln_diags *diags, const char *what)
{
	diag_add(diags, DIAG_RESOURCE_WRITE_INVALID, r->name, "%s", what);
	return false;
}

bool kiln_texture_write(struct kiln_resource *r, uint32_t subresource, const void *data, size_t row_pitch,
	size_t slice_pitch, struct kiln_diags *diags)
{
	struct kiln_subresource to;
	const uint8_t *from = data;
	uint8_t *at;

	if (!r->is_texture)
		return refuse_write(r, diags, "a buffer takes kiln_buffer_write()");
	if (r->desc.SampleDesc.Count > 1)
		return refuse_write(r, diags, "a multisampled texture is written by drawing alone");
	if (!kiln_resource_subresource_data(r, subresource, &to)) {
		diag_add(diags, DIAG_RESOURCE_WRITE_INVALID, r->name, "subresource %u of %u", subresource,
			kiln_resource_subresources(r));
		return false;
	}
	row_pitch = row_pitch ? row_pitch : to.row_pitch;
	slice_pitch = slice_pitch ? slice_pitch : row_pitch * to.Height;
	if (row_pitch < to.row_pitch || slice_pitch < row_pitch * (to.Height - 1) + to.row_pitch)
		return refuse_write(r, diags, "rows or depth slices of the data overlap: a pitch is too small");
	at = resource_subresource(r, subresource);
	for (uint32_t z = 0; z < to.Depth; z++) {
		for (uint32_t y = 0; y < to.Height; y++)
			memcpy(at + z * to.slice_pitch + y * to.row_pitch, from + z * slice_pitch + y * row_pitch, to.row_pitch);
	}
	return true;
}

bool kiln_buffer_write(struct kiln_resource *r, size_t offset, const void *data, size_t size, struct kiln_diags *diags)
{
	if (r->is_texture)
		return refuse_write(r, diags, "a texture takes kiln_texture_write()");
	if (offset > r->size || size > r->size - offset) {
		diag_add(diags, DIAG_RESOURCE_WRITE_INVALID, r->name, "bytes %zu to %zu of %zu", offset, offset + size, r->size);
		return false;
	}
	if (size)
		memcpy(r->data + offset, data, size);
	return true;
}
