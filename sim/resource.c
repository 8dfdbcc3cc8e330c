/* Buffers and textures: made zeroed, rows without padding. */
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

static bool check_texture(const char *name, const struct kiln_texture_desc *t, struct kiln_diags *diags)
{
	const struct format_info *f = format_info(t->Format);

	if (!f || !(f->caps & (FORMAT_CAN_RENDER | FORMAT_CAN_DEPTH))) {
		diag_add(diags, DIAG_TEXTURE_DESC_INVALID, name, "format %s (%u) is neither renderable nor a depth format",
			f ? f->name : "?", t->Format);
		return false;
	}
	if (!t->Width || !t->Height || t->Width > TEXTURE_SIZE_MAX || t->Height > TEXTURE_SIZE_MAX ||
		(uint64_t)t->Width * t->Height * (f->bits / 8) > RESOURCE_BYTES_MAX) {
		diag_add(diags, DIAG_TEXTURE_DESC_INVALID, name, "%u x %u texels of %s", t->Width, t->Height, f->name);
		return false;
	}
	if (t->DepthOrArraySize > 1 || t->MipLevels > 1 || t->SampleDesc.Count > 1) {
		diag_add(diags, DIAG_DRAW_UNSUPPORTED, name, "textures with several slices, mip levels or samples (%u, %u, %u)",
			t->DepthOrArraySize, t->MipLevels, t->SampleDesc.Count);
		return false;
	}
	return true;
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
	r->desc.DepthOrArraySize = r->desc.MipLevels = r->desc.SampleDesc.Count = 1;
	r->format = format_info(desc->Format);
	r->row_pitch = (size_t)desc->Width * (r->format->bits / 8);
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

bool kiln_resource_texel(const struct kiln_resource *r, uint32_t x, uint32_t y, uint32_t rgba[4])
{
	const uint8_t *texel;
	unsigned saved;

	if (!r->is_texture || x >= r->desc.Width || y >= r->desc.Height)
		return false;
	saved = fp_enter();
	texel = r->data + y * r->row_pitch + x * (size_t)(r->format->bits / 8);
	if (r->format->caps & FORMAT_CAN_DEPTH) {
		uint32_t code = 0;

		memcpy(&code, texel, r->format->bits < 32 ? r->format->bits / 8 : 4);
		if (r->format->number == KILN_FORMAT_D24_UNORM_S8_UINT)
			code &= 0xffffff;
		rgba[0] = float_bits(format_bits_to_depth(r->format, code));
		rgba[1] = rgba[2] = 0;
		rgba[3] = 0x3f800000;
	} else {
		format_unpack(r->format, texel, rgba);
	}
	fp_leave(saved);
	return true;
}
