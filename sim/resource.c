/* Buffers and textures: made zeroed, rows without padding. The samples of a texel lie one after another. */
#include "sim/sim.h"
#include <string.h>

enum { TEXTURE_SIZE_MAX = 16384 };
#define RESOURCE_BYTES_MAX ((uint64_t)1 << 31)

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

/* Counts that D3D12 has; Quality names the standard or the centre pattern, which are the PSO's affair. */
static bool check_samples(const char *name, const struct kiln_texture_desc *t, struct kiln_diags *diags)
{
	uint32_t count = t->SampleDesc.Count, quality = t->SampleDesc.Quality;

	if (count <= 16 && !(count & (count - 1)) && (quality == 0 || quality >= 0xfffffffe))
		return true;
	diag_add(diags, DIAG_TEXTURE_DESC_INVALID, name, "SampleDesc is Count %u, Quality %u", count, quality);
	return false;
}

static bool check_texture(const char *name, const struct kiln_texture_desc *t, struct kiln_diags *diags)
{
	const struct format_info *f = format_info(t->Format);
	uint32_t samples = t->SampleDesc.Count ? t->SampleDesc.Count : 1;

	if (!f || !(f->caps & (FORMAT_CAN_RENDER | FORMAT_CAN_DEPTH))) {
		diag_add(diags, DIAG_TEXTURE_DESC_INVALID, name, "format %s (%u) is neither renderable nor a depth format",
			f ? f->name : "?", t->Format);
		return false;
	}
	if (!t->Width || !t->Height || t->Width > TEXTURE_SIZE_MAX || t->Height > TEXTURE_SIZE_MAX ||
		(uint64_t)t->Width * t->Height * (f->bits / 8) * samples > RESOURCE_BYTES_MAX) {
		diag_add(diags, DIAG_TEXTURE_DESC_INVALID, name, "%u x %u texels of %s, %u samples each", t->Width, t->Height,
			f->name, samples);
		return false;
	}
	if (t->DepthOrArraySize > 1 || t->MipLevels > 1) {
		diag_add(diags, DIAG_DRAW_UNSUPPORTED, name, "textures with several slices or mip levels (%u, %u)",
			t->DepthOrArraySize, t->MipLevels);
		return false;
	}
	return check_samples(name, t, diags);
}

struct kiln_resource *kiln_texture_create(
	struct kiln_device *d, const char *name, const struct kiln_texture_desc *desc, struct kiln_diags *diags)
{
	struct kiln_resource *r;

	if (!check_texture(name ? name : "texture", desc, diags))
		return NULL;
	r = mem_alloc(sizeof *r);
	r->device = d;
	r->name = mem_string(name ? name : "texture");
	r->is_texture = true;
	r->desc = *desc;
	r->desc.DepthOrArraySize = r->desc.MipLevels = 1;
	if (!r->desc.SampleDesc.Count)
		r->desc.SampleDesc.Count = 1;
	r->format = format_info(desc->Format);
	r->row_pitch = (size_t)desc->Width * r->desc.SampleDesc.Count * (r->format->bits / 8);
	r->size = r->row_pitch * desc->Height;
	r->data = mem_alloc(r->size);
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

const void *kiln_resource_data(const struct kiln_resource *r, size_t *size, size_t *row_pitch)
{
	if (size)
		*size = r->size;
	if (row_pitch)
		*row_pitch = r->row_pitch;
	return r->data;
}

uint8_t *resource_texel(const struct kiln_resource *r, uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t sample)
{
	size_t bytes = r->format->bits / 8;

	(void)mip, (void)slice; /* textures have one of each */
	return r->data + y * r->row_pitch + ((size_t)x * r->desc.SampleDesc.Count + sample) * bytes;
}

bool kiln_resource_texel(const struct kiln_resource *r, uint32_t x, uint32_t y, uint32_t rgba[4])
{
	return kiln_resource_sample(r, x, y, 0, rgba);
}

bool kiln_resource_sample(const struct kiln_resource *r, uint32_t x, uint32_t y, uint32_t sample, uint32_t rgba[4])
{
	unsigned saved;

	if (!r->is_texture || x >= r->desc.Width || y >= r->desc.Height || sample >= r->desc.SampleDesc.Count)
		return false;
	saved = fp_enter();
	format_unpack(r->format, resource_texel(r, 0, 0, x, y, sample), rgba);
	fp_leave(saved);
	return true;
}
