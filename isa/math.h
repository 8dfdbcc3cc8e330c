/* The primitives that the semantics of isa.def are written in: bits in, bits out. Private to isa/.
 *
 * binary32 arithmetic is the host's SSE under fp_enter()'s MXCSR; an arithmetic NaN is 0x7FC00000. The functions below the
 * line are evaluated in binary64 from IEEE operations alone and rounded once (math.c). */
#ifndef KILN_ISA_MATH_H
#define KILN_ISA_MATH_H
#include "isa/base.h"
#include <xmmintrin.h>

#define K(x) ((uint32_t)(x))
#define INLINE static inline __attribute__((unused))

INLINE uint32_t math_canonical(float x) { return x == x ? float_bits(x) : 0x7fc00000u; }

/* ---- words ---- */
INLINE bool NZ(uint32_t a) { return a != 0; }
INLINE uint32_t SEL(bool p, uint32_t a, uint32_t b) { return p ? a : b; }
INLINE uint32_t BOOL(bool p) { return 0u - (uint32_t)p; }
INLINE uint32_t AND(uint32_t a, uint32_t b) { return a & b; }
INLINE uint32_t OR(uint32_t a, uint32_t b) { return a | b; }
INLINE uint32_t XOR(uint32_t a, uint32_t b) { return a ^ b; }
INLINE uint32_t SHL(uint32_t a, uint32_t b) { return a << b; }
INLINE uint32_t SHR(uint32_t a, uint32_t b) { return a >> b; }
INLINE uint32_t SAR(uint32_t a, uint32_t b) { return a & 0x80000000u ? ~(~a >> b) : a >> b; }
INLINE uint32_t ADD(uint32_t a, uint32_t b) { return a + b; }
INLINE uint32_t SUB(uint32_t a, uint32_t b) { return a - b; }
INLINE uint32_t MUL(uint32_t a, uint32_t b) { return a * b; }
INLINE uint32_t MULHU(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a * b >> 32); }
INLINE uint32_t MULHS(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32); }
INLINE uint32_t UDIV(uint32_t a, uint32_t b) { return b ? a / b : ~0u; }
INLINE uint32_t UREM(uint32_t a, uint32_t b) { return b ? a % b : ~0u; }
INLINE uint32_t SDIV(uint32_t a, uint32_t b) { return b ? (uint32_t)((int64_t)(int32_t)a / (int32_t)b) : ~0u; }
INLINE uint32_t SREM(uint32_t a, uint32_t b) { return b ? (uint32_t)((int64_t)(int32_t)a % (int32_t)b) : ~0u; }
INLINE bool EQ(uint32_t a, uint32_t b) { return a == b; }
INLINE bool NE(uint32_t a, uint32_t b) { return a != b; }
INLINE bool ULT(uint32_t a, uint32_t b) { return a < b; }
INLINE bool ULE(uint32_t a, uint32_t b) { return a <= b; }
INLINE bool SLT(uint32_t a, uint32_t b) { return (int32_t)a < (int32_t)b; }
INLINE bool SLE(uint32_t a, uint32_t b) { return (int32_t)a <= (int32_t)b; }
INLINE uint32_t POPCOUNT(uint32_t a) { return (uint32_t)__builtin_popcount(a); }
INLINE uint32_t FFBL(uint32_t a) { return a ? (uint32_t)__builtin_ctz(a) : ~0u; }
INLINE uint32_t FFBH(uint32_t a) { return a ? (uint32_t)__builtin_clz(a) : ~0u; }
INLINE uint32_t BITREV(uint32_t a)
{
	a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
	a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
	a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(a);
}
/* width, offset, value */
INLINE uint32_t UBFE(uint32_t w, uint32_t o, uint32_t v)
{
	w &= 31;
	o &= 31;
	if (!w)
		return 0;
	return w + o < 32 ? v << (32 - w - o) >> (32 - w) : v >> o;
}
INLINE uint32_t IBFE(uint32_t w, uint32_t o, uint32_t v)
{
	w &= 31;
	o &= 31;
	if (!w)
		return 0;
	return w + o < 32 ? SAR(v << (32 - w - o), 32 - w) : SAR(v, o);
}
INLINE uint32_t BFI(uint32_t w, uint32_t o, uint32_t v, uint32_t old)
{
	uint32_t mask = ((1u << (w & 31)) - 1) << (o & 31);
	return (v << (o & 31) & mask) | (old & ~mask);
}
INLINE uint32_t MSAD(uint32_t ref, uint32_t src, uint32_t sum)
{
	for (unsigned i = 0; i < 32; i += 8) {
		uint32_t r = ref >> i & 255, s = src >> i & 255;
		sum += r ? (r > s ? r - s : s - r) : 0;
	}
	return sum;
}

INLINE uint32_t DOT4U(uint32_t a, uint32_t b, uint32_t sum)
{
	for (unsigned i = 0; i < 32; i += 8)
		sum += (a >> i & 255) * (b >> i & 255);
	return sum;
}
INLINE uint32_t DOT4I(uint32_t a, uint32_t b, uint32_t sum)
{
	for (unsigned i = 0; i < 32; i += 8)
		sum += IBFE(8, i, a) * IBFE(8, i, b);
	return sum;
}

/* ---- binary32 ---- */
INLINE uint32_t FADD(uint32_t a, uint32_t b) { return math_canonical(bits_float(a) + bits_float(b)); }
INLINE uint32_t FSUB(uint32_t a, uint32_t b) { return math_canonical(bits_float(a) - bits_float(b)); }
INLINE uint32_t FMUL(uint32_t a, uint32_t b) { return math_canonical(bits_float(a) * bits_float(b)); }
INLINE uint32_t FDIV(uint32_t a, uint32_t b) { return math_canonical(bits_float(a) / bits_float(b)); }
INLINE uint32_t FSQRT(uint32_t a) { return math_canonical(_mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(bits_float(a))))); }
INLINE bool FEQ(uint32_t a, uint32_t b) { return bits_float(a) == bits_float(b); }
INLINE bool FNE(uint32_t a, uint32_t b) { return bits_float(a) != bits_float(b); }
INLINE bool FLT(uint32_t a, uint32_t b) { return bits_float(a) < bits_float(b); }
INLINE bool FLE(uint32_t a, uint32_t b) { return bits_float(a) <= bits_float(b); }
INLINE bool FUNO(uint32_t a, uint32_t b) { return bits_float(a) != bits_float(a) || bits_float(b) != bits_float(b); }
INLINE bool math_is_nan(uint32_t a) { return (a & 0x7fffffff) > 0x7f800000; }
/* Words in the order of the numbers they are: -0 before +0. The chosen operand keeps its bits, denormals too. */
INLINE uint32_t math_key(uint32_t a) { return a & 0x80000000u ? ~a : a | 0x80000000u; }
INLINE uint32_t FMIN(uint32_t a, uint32_t b)
{
	if (math_is_nan(a))
		return math_is_nan(b) ? 0x7fc00000u : b;
	return math_is_nan(b) || math_key(a) < math_key(b) ? a : b;
}
INLINE uint32_t FMAX(uint32_t a, uint32_t b)
{
	if (math_is_nan(a))
		return math_is_nan(b) ? 0x7fc00000u : b;
	return math_is_nan(b) || math_key(a) > math_key(b) ? a : b;
}
INLINE uint32_t FSAT(uint32_t a)
{
	float x = bits_float(a);
	return x > 0.0f ? x < 1.0f ? a : 0x3f800000u : 0;
}
/* Below 2^23 the sum is rounded to an integer, to nearest even; from there on every float is one. */
INLINE uint32_t FRNDNE(uint32_t a)
{
	uint32_t sign = a & 0x80000000u, magnitude = a & 0x7fffffffu;
	if (magnitude >= 0x4b000000u)
		return magnitude > 0x7f800000u ? 0x7fc00000u : a;
	float r = bits_float(magnitude) + 8388608.0f;
	return float_bits(r - 8388608.0f) | sign;
}
INLINE uint32_t FFLOOR(uint32_t a)
{
	uint32_t r = FRNDNE(a);
	return FLT(a, r) ? FSUB(r, K(0x3f800000)) : r;
}
INLINE uint32_t FCEIL(uint32_t a)
{
	return math_is_nan(a) ? 0x7fc00000u : FFLOOR(a ^ 0x80000000u) ^ 0x80000000u;
}
INLINE uint32_t FTRUNC(uint32_t a)
{
	return math_is_nan(a) ? 0x7fc00000u : FFLOOR(a & 0x7fffffffu) | (a & 0x80000000u);
}
/* The difference rounds to 1 for the smallest negative numbers; the result stays below. */
INLINE uint32_t FFRACT(uint32_t a)
{
	uint32_t r = FSUB(a, FFLOOR(a));
	return r == 0x3f800000u ? 0x3f7fffffu : r;
}
INLINE uint32_t I2F(uint32_t a) { return float_bits((float)(int32_t)a); }
INLINE uint32_t U2F(uint32_t a) { return float_bits((float)a); }
INLINE uint32_t F2I(uint32_t a)
{
	float x = bits_float(a);
	if (!(x > -2147483648.0f))
		return x != x ? 0 : 0x80000000u;
	return x < 2147483648.0f ? (uint32_t)(int32_t)x : 0x7fffffffu;
}
INLINE uint32_t F2U(uint32_t a)
{
	float x = bits_float(a);
	if (!(x > 0.0f))
		return 0;
	return x < 4294967296.0f ? (uint32_t)x : ~0u;
}
/* Exact in binary64: a 24-bit number by a 16-bit one, plus a half. */
INLINE uint32_t F2UN16(uint32_t a)
{
	float x = bits_float(a);
	if (!(x > 0.0f))
		return 0;
	return x < 1.0f ? (uint32_t)((double)x * 65535.0 + 0.5) : 65535;
}
INLINE uint32_t F2SN16(uint32_t a)
{
	float x = bits_float(a);
	if (x != x)
		return 0;
	double c = x < -1.0f ? -1.0 : x > 1.0f ? 1.0 : (double)x;
	return (uint32_t)(int32_t)(c * 32767.0 + (c >= 0 ? 0.5 : -0.5)) & 0xffff;
}
INLINE uint32_t SATU16(uint32_t a) { return a < 65535 ? a : 65535; }
INLINE uint32_t SATI16(uint32_t a)
{
	int32_t x = (int32_t)a;
	return (uint32_t)(x < -32768 ? -32768 : x > 32767 ? 32767 : x) & 0xffff;
}

/* ---- math.c ---- */
uint32_t isa_f32_to_f16_rtz(uint32_t f);
uint32_t isa_f32_to_f16_rne(uint32_t f);
uint32_t isa_f16_to_f32(uint32_t h);
#define F2H isa_f32_to_f16_rtz
#define F2HN isa_f32_to_f16_rne
#define H2F isa_f16_to_f32
uint32_t FREM(uint32_t a, uint32_t b);
uint32_t FEXP2(uint32_t x);
uint32_t FLOG2(uint32_t x);
uint32_t FSIN(uint32_t x);
uint32_t FCOS(uint32_t x);
uint32_t FTAN(uint32_t x);
uint32_t FASIN(uint32_t x);
uint32_t FACOS(uint32_t x);
uint32_t FATAN(uint32_t x);
uint32_t FSINH(uint32_t x);
uint32_t FCOSH(uint32_t x);
uint32_t FTANH(uint32_t x);
#endif
