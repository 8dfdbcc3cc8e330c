/* One channel between its code and binary32 bits, by the format rules. Integer code or exactly rounded arithmetic
 * throughout, so that the result depends neither on MXCSR (flush-to-zero, denormals-are-zero) nor on the compiler. A
 * parameter bits is 1 to 24 where nothing else is said. */
#ifndef KILN_PSO_CONVERT_H
#define KILN_PSO_CONVERT_H
#include "isa/base.h"

/* ---- convert.c ---- */
uint32_t convert_f16_to_f32(uint32_t h);                     /* exact; NaN keeps its payload */
uint32_t convert_f32_to_f16(uint32_t f);                     /* toward zero, finite overflow 0x7BFF, NaN 0x7E00 */
uint32_t convert_small_to_f32(uint32_t code, unsigned bits); /* 11 or 10 bits, no sign */
uint32_t convert_f32_to_small(uint32_t f, unsigned bits);    /* negative 0, NaN stays NaN */
uint32_t convert_unorm_to_f32(uint32_t code, unsigned bits);
uint32_t convert_f32_to_unorm(uint32_t f, unsigned bits);    /* NaN 0, clamp, scale, + 0.5, truncate */
uint32_t convert_snorm_to_f32(uint32_t code, unsigned bits);
uint32_t convert_f32_to_snorm(uint32_t f, unsigned bits);    /* never the most negative code */
uint32_t convert_sign_extend(uint32_t code, unsigned bits);  /* here bits may be 32 */
uint32_t convert_clamp_uint(uint32_t value, unsigned bits);  /* likewise */
uint32_t convert_clamp_sint(uint32_t value, unsigned bits);  /* likewise; gives a code of so many bits */
void convert_sharedexp_to_f32(uint32_t code, uint32_t rgb[3]);
uint32_t convert_f32_to_sharedexp(const uint32_t rgb[3]);    /* NaN and negative 0, at most 65408, nearest even */
/* The integer nearest to a float (ties to even), clamped to 32 bits; NaN 0. */
uint32_t convert_f32_to_uint(uint32_t f);
uint32_t convert_f32_to_sint(uint32_t f);

/* ---- srgb.c ---- */
uint32_t convert_srgb_to_f32(uint32_t code);                 /* 8 bits */
uint32_t convert_f32_to_srgb(uint32_t f);
#endif
