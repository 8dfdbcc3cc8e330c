/* The format table: a row is everything about a DXGI format, and the conversions both ways by facts section 4.
 * Depends on isa/base.h alone. */
#ifndef KILN_PSO_FORMAT_H
#define KILN_PSO_FORMAT_H
#include "isa/base.h"
#include <kiln/format.h>

enum format_numeric { FORMAT_TYPELESS, FORMAT_UNORM, FORMAT_SNORM, FORMAT_UINT, FORMAT_SINT, FORMAT_FLOAT, FORMAT_SRGB,
	FORMAT_SHAREDEXP, FORMAT_XR_BIAS, FORMAT_DEPTH };
/* Capability bits: the columns of the facts' appendix A that Kiln uses. */
enum format_caps { FORMAT_CAN_VERTEX = 1, FORMAT_CAN_INDEX = 2, FORMAT_CAN_RENDER = 4, FORMAT_CAN_BLEND = 8,
	FORMAT_CAN_LOGIC = 16, FORMAT_CAN_DEPTH = 32, FORMAT_CAN_LOAD = 64, FORMAT_CAN_FILTER = 128, FORMAT_CAN_UAV = 256,
	FORMAT_COMPRESSED = 512 };
struct format_channel {
	uint8_t bits;      /* 0: the format does not store it */
	uint8_t shift;     /* first bit in the little-endian element */
};
struct format_info {
	const char *name;              /* without DXGI_FORMAT_ */
	uint16_t number;               /* DXGI number */
	uint16_t bits;                 /* per element (per block for BC formats) */
	uint8_t numeric;               /* enum format_numeric */
	uint16_t caps;                 /* enum format_caps */
	struct format_channel channel[4]; /* R G B A */
};
/* NULL for a number that is no format. */
const struct format_info *format_info(uint32_t format);
/* "R8G8B8A8_UNORM" or "DXGI_FORMAT_R8G8B8A8_UNORM"; -1 if there is none. */
int format_find(const char *name);
/* A texture can be of this format: it stores uncompressed texels that can be loaded, rendered to or tested, as it is or,
 * being typeless, in another format of its family. */
bool format_is_texture(const struct format_info *f);
/* May memory of format `of` be viewed as `as`? Both are of one family (the formats that share a typeless one), and where
 * `of` is not typeless itself, no float and no depth format changes, nor UNORM to SNORM or back. */
bool format_castable(uint32_t of, uint32_t as);
bool format_same_family(uint32_t a, uint32_t b);
/* Bit c set: channel c is stored. */
unsigned format_stored(const struct format_info *f);

/* An element as four 32-bit words: float bits for norm, float, sRGB and depth formats, integers for UINT, SINT and stencil.
 * Channels that are not stored read 0, 0, 0 and 1 (float 1.0 or integer 1). No denormal is flushed by a conversion;
 * binary32 channels are copied. */
void format_unpack(const struct format_info *f, const void *src, uint32_t rgba[4]);
/* The reverse, rounding and clamping by facts section 4; writes only the channels in mask (bit 0 = R), the others keep
 * their stored bits. */
void format_pack(const struct format_info *f, const uint32_t rgba[4], unsigned mask, void *dst);
/* Depth: float in [0,1] to the stored code and back (D16, D24, D32). */
uint32_t format_depth_to_bits(const struct format_info *f, float z);
float format_bits_to_depth(const struct format_info *f, uint32_t code);

/* ---- format_docs.c: docs/formats.md from the table ---- */
void format_docs(struct buf *out);
#endif
