/* The format table (rows: pso/format.def) and elements to and from four words. Takes format numbers or names and
 * element bytes; gives rows and words. Assumes a little-endian host. Block, video and scan-out formats are not
 * converted: they read as nothing stored, and writing them writes nothing; their capabilities keep them from getting
 * here. */
#include "pso/format.h"
#include "pso/convert.h"
#include <string.h>

/* Short names for the table's last column. */
enum { VB = FORMAT_CAN_VERTEX, IB = FORMAT_CAN_INDEX, RT = FORMAT_CAN_RENDER, BL = FORMAT_CAN_BLEND, LO = FORMAT_CAN_LOGIC,
	DS = FORMAT_CAN_DEPTH, LD = FORMAT_CAN_LOAD, FI = FORMAT_CAN_FILTER, UA = FORMAT_CAN_UAV, BC = FORMAT_COMPRESSED };

static const struct format_info formats[KILN_FORMAT_END] = {
#define FORMAT(id, dxgi, size, kind, r, r_at, g, g_at, b, b_at, a, a_at, can) \
	[dxgi] = {.name = #id, .number = dxgi, .bits = size, .numeric = FORMAT_##kind, .caps = can, \
		.channel = {{r, r_at}, {g, g_at}, {b, b_at}, {a, a_at}}},
#include "pso/format.def"
};
/* Each row has the number of its name, and each name has a row (two rows of one number do not compile). */
#define FORMAT(id, dxgi, ...) _Static_assert(KILN_FORMAT_##id == (dxgi), #id);
#include "pso/format.def"
enum {
	NAMES = 0
#define X(name, number) + 1
	KILN_FORMATS(X)
#undef X
	, ROWS = 0
#define FORMAT(...) + 1
#include "pso/format.def"
};
_Static_assert((int)NAMES == (int)ROWS, "a format without a row");

const struct format_info *format_info(uint32_t format)
{
	return format < KILN_FORMAT_END && formats[format].name ? &formats[format] : NULL;
}

int format_find(const char *name)
{
	static const char prefix[] = "DXGI_FORMAT_";
	if (!strncmp(name, prefix, sizeof prefix - 1))
		name += sizeof prefix - 1;
	for (int i = 0; i < KILN_FORMAT_END; i++)
		if (formats[i].name && !strcmp(formats[i].name, name))
			return i;
	return -1;
}

/* The families, as ranges of DXGI numbers that open with the typeless format; the two that do not stand apart. */
static uint32_t family(uint32_t format)
{
	static const uint8_t first[] = {1, 5, 9, 15, 19, 23, 26, 27, 33, 39, 44, 48, 53, 60, 65, 70, 73, 76, 79, 82, 85, 94, 97, 100};
	uint32_t found = 0;

	switch (format) {
	case KILN_FORMAT_B8G8R8A8_UNORM:
	case KILN_FORMAT_B8G8R8A8_UNORM_SRGB:
		return KILN_FORMAT_B8G8R8A8_TYPELESS;
	case KILN_FORMAT_B8G8R8X8_UNORM:
	case KILN_FORMAT_B8G8R8X8_UNORM_SRGB:
		return KILN_FORMAT_B8G8R8X8_TYPELESS;
	}
	for (size_t i = 0; i < ARRAY_COUNT(first) && first[i] <= format; i++)
		found = first[i];
	return found && formats[found].numeric == FORMAT_TYPELESS && found < KILN_FORMAT_AYUV ? found : format;
}

bool format_same_family(uint32_t a, uint32_t b) { return family(a) == family(b); }

bool format_is_texture(const struct format_info *f)
{
	if (f->caps & FORMAT_COMPRESSED)
		return false;
	return f->caps & (FORMAT_CAN_RENDER | FORMAT_CAN_DEPTH | FORMAT_CAN_LOAD) ||
		   (f->numeric == FORMAT_TYPELESS && format_stored(f));
}

/* What a cast may change between: the sign of integers and norms' integers, sRGB; UNORM and SNORM never. */
static bool classes_castable(enum format_numeric of, enum format_numeric as)
{
	bool integer = as == FORMAT_UINT || as == FORMAT_SINT;

	switch (of) {
	case FORMAT_TYPELESS: return true;
	case FORMAT_UNORM:
	case FORMAT_SRGB: return as == FORMAT_UNORM || as == FORMAT_SRGB || integer;
	case FORMAT_SNORM: return as == FORMAT_SNORM || integer;
	case FORMAT_UINT:
	case FORMAT_SINT: return as != FORMAT_FLOAT && as != FORMAT_DEPTH && as != FORMAT_TYPELESS;
	default: return false;
	}
}

bool format_castable(uint32_t of, uint32_t as)
{
	const struct format_info *a = format_info(of), *b = format_info(as);

	if (!a || !b)
		return false;
	return of == as || (family(of) == family(as) && classes_castable(a->numeric, b->numeric));
}

unsigned format_stored(const struct format_info *f)
{
	unsigned stored = 0;
	for (unsigned c = 0; c < 4; c++)
		stored |= (unsigned)(f->channel[c].bits != 0) << c;
	return stored;
}

/* What channel c holds where the format mixes: sRGB alpha is linear, depth formats hold depth and stencil. */
static enum format_numeric channel_numeric(const struct format_info *f, unsigned c)
{
	if (f->numeric == FORMAT_SRGB)
		return c == 3 ? FORMAT_UNORM : FORMAT_SRGB;
	if (f->numeric == FORMAT_DEPTH)
		return c == 1 ? FORMAT_UINT : f->channel[c].bits == 32 ? FORMAT_FLOAT : FORMAT_UNORM;
	return f->numeric;
}

static uint32_t channel_to_word(enum format_numeric numeric, uint32_t code, unsigned bits)
{
	switch (numeric) {
	case FORMAT_UNORM: return convert_unorm_to_f32(code, bits);
	case FORMAT_SNORM: return convert_snorm_to_f32(code, bits);
	case FORMAT_SRGB: return convert_srgb_to_f32(code);
	case FORMAT_SINT: return convert_sign_extend(code, bits);
	case FORMAT_FLOAT: return bits == 32 ? code : bits == 16 ? convert_f16_to_f32(code) : convert_small_to_f32(code, bits);
	default: return code;
	}
}

static uint32_t word_to_channel(enum format_numeric numeric, uint32_t word, unsigned bits)
{
	switch (numeric) {
	case FORMAT_UNORM: return convert_f32_to_unorm(word, bits);
	case FORMAT_SNORM: return convert_f32_to_snorm(word, bits);
	case FORMAT_SRGB: return convert_f32_to_srgb(word);
	case FORMAT_UINT: return convert_clamp_uint(word, bits);
	case FORMAT_SINT: return convert_clamp_sint(word, bits);
	case FORMAT_FLOAT: return bits == 32 ? word : bits == 16 ? convert_f32_to_f16(word) : convert_f32_to_small(word, bits);
	default: return word;
	}
}

static bool is_converted(const struct format_info *f)
{
	return f->numeric != FORMAT_TYPELESS && f->numeric != FORMAT_XR_BIAS && !(f->caps & FORMAT_COMPRESSED);
}

static uint32_t channel_ones(struct format_channel c)
{
	return c.bits == 32 ? ~0u : (1u << c.bits) - 1;
}

/* The two formats that most targets and textures have, without the table; true: done. The same functions do the converting. */
static bool unpack_common(const struct format_info *f, const void *src, uint32_t rgba[4])
{
	uint8_t byte[4];
	uint16_t half[4];

	if (f->number == KILN_FORMAT_R8G8B8A8_UNORM) {
		memcpy(byte, src, sizeof byte);
		for (unsigned c = 0; c < 4; c++)
			rgba[c] = float_bits((float)byte[c] / 255.0f);
		return true;
	}
	if (f->number == KILN_FORMAT_R16G16B16A16_FLOAT) {
		memcpy(half, src, sizeof half);
		for (unsigned c = 0; c < 4; c++)
			rgba[c] = convert_f16_to_f32(half[c]);
		return true;
	}
	if (f->number == KILN_FORMAT_R32G32B32A32_FLOAT) {
		memcpy(rgba, src, 16);
		return true;
	}
	return false;
}

static bool pack_common(const struct format_info *f, const uint32_t rgba[4], void *dst)
{
	uint8_t byte[4];
	uint16_t half[4];

	if (f->number == KILN_FORMAT_R8G8B8A8_UNORM) {
		for (unsigned c = 0; c < 4; c++)
			byte[c] = (uint8_t)convert_f32_to_unorm(rgba[c], 8);
		memcpy(dst, byte, sizeof byte);
		return true;
	}
	if (f->number == KILN_FORMAT_R16G16B16A16_FLOAT) {
		for (unsigned c = 0; c < 4; c++)
			half[c] = (uint16_t)convert_f32_to_f16(rgba[c]);
		memcpy(dst, half, sizeof half);
		return true;
	}
	return false;
}

void format_unpack(const struct format_info *f, const void *src, uint32_t rgba[4])
{
	if (unpack_common(f, src, rgba))
		return;
	bool integer = f->numeric == FORMAT_UINT || f->numeric == FORMAT_SINT;
	rgba[0] = rgba[1] = rgba[2] = 0;
	rgba[3] = integer ? 1 : 0x3F800000;
	if (!is_converted(f))
		return;
	uint32_t element[4] = {0};
	memcpy(element, src, f->bits / 8);
	if (f->numeric == FORMAT_SHAREDEXP) {
		convert_sharedexp_to_f32(element[0], rgba);
		return;
	}
	for (unsigned c = 0; c < 4; c++) {
		struct format_channel at = f->channel[c];
		uint32_t code = element[at.shift / 32] >> at.shift % 32 & channel_ones(at);
		if (at.bits)
			rgba[c] = channel_to_word(channel_numeric(f, c), code, at.bits);
	}
}

/* One exponent for three channels: those that are not written are read and written back. */
static void pack_sharedexp(const uint32_t rgba[4], unsigned mask, uint32_t *element)
{
	uint32_t rgb[3];
	convert_sharedexp_to_f32(*element, rgb);
	for (unsigned c = 0; c < 3; c++)
		if (mask >> c & 1)
			rgb[c] = rgba[c];
	*element = convert_f32_to_sharedexp(rgb);
}

void format_pack(const struct format_info *f, const uint32_t rgba[4], unsigned mask, void *dst)
{
	if (mask == 15 && pack_common(f, rgba, dst))
		return;
	mask &= format_stored(f);
	if (!is_converted(f) || !mask)
		return;
	uint32_t element[4] = {0};
	memcpy(element, dst, f->bits / 8);
	for (unsigned c = 0; c < 4 && f->numeric != FORMAT_SHAREDEXP; c++) {
		struct format_channel at = f->channel[c];
		if (!(mask >> c & 1))
			continue;
		uint32_t *word = &element[at.shift / 32], code = word_to_channel(channel_numeric(f, c), rgba[c], at.bits);
		*word = (*word & ~(channel_ones(at) << at.shift % 32)) | code << at.shift % 32;
	}
	if (f->numeric == FORMAT_SHAREDEXP)
		pack_sharedexp(rgba, mask, element);
	memcpy(dst, element, f->bits / 8);
}

uint32_t format_depth_to_bits(const struct format_info *f, float z)
{
	return word_to_channel(channel_numeric(f, 0), float_bits(z), f->channel[0].bits);
}

float format_bits_to_depth(const struct format_info *f, uint32_t code)
{
	return bits_float(channel_to_word(channel_numeric(f, 0), code, f->channel[0].bits));
}
