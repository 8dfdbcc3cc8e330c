/* Channel codes and binary32 bits, both ways (pso/convert.h). Why the arithmetic is exact:
 * - norm to float divides two integers below 2^24, which binary32 holds, once: correctly rounded.
 * - float to norm multiplies a 24-bit significand by at most 2^24 - 1 in binary64: 48 bits, exact; so is adding 0.5 to it.
 * - denormals-are-zero may turn a binary32 denormal into 0 on its way to binary64; every rule here gives 0 for both.
 * Everything else is integer code. */
#include "pso/convert.h"

enum { F32_INF = 0x7F800000, F16_NAN = 0x7E00, F16_MAX = 0x7BFF, F16_INF = 0x7C00 };

static uint32_t ones(unsigned bits)
{
	return bits >= 32 ? ~0u : (1u << bits) - 1;
}

uint32_t convert_f16_to_f32(uint32_t h)
{
	uint32_t sign = (h & 0x8000) << 16, exponent = h >> 10 & 31, mantissa = h & 0x3FF;
	if (exponent == 31)
		return sign | F32_INF | mantissa << 13;
	if (exponent == 0) /* a denormal half is a normal float */
		return sign | float_bits((float)mantissa / 16777216.0f);
	return sign | (exponent + 112) << 23 | mantissa << 13;
}

uint32_t convert_f32_to_f16(uint32_t f)
{
	uint32_t sign = f >> 16 & 0x8000, magnitude = f & 0x7FFFFFFF, exponent = magnitude >> 23;
	if (magnitude > F32_INF)
		return F16_NAN;
	if (magnitude == F32_INF)
		return sign | F16_INF;
	if (exponent >= 143) /* 65536 and up: toward zero is the largest finite */
		return sign | F16_MAX;
	if (exponent >= 113)
		return sign | (magnitude - (112u << 23)) >> 13;
	if (exponent < 103) /* below the smallest denormal */
		return sign;
	return sign | ((magnitude & 0x7FFFFF) | 0x800000) >> (126 - exponent);
}

/* 11 and 10-bit floats are halves without a sign and with a shorter mantissa; cutting twice toward zero is cutting once. */
uint32_t convert_small_to_f32(uint32_t code, unsigned bits)
{
	return convert_f16_to_f32(code << (15 - bits));
}

uint32_t convert_f32_to_small(uint32_t f, unsigned bits)
{
	uint32_t h = convert_f32_to_f16(f);
	return h & 0x8000 ? 0 : h >> (15 - bits);
}

uint32_t convert_unorm_to_f32(uint32_t code, unsigned bits)
{
	return float_bits((float)code / (float)ones(bits));
}

uint32_t convert_f32_to_unorm(uint32_t f, unsigned bits)
{
	if (f > F32_INF) /* negative or NaN */
		return 0;
	if (f >= 0x3F800000)
		return ones(bits);
	return (uint32_t)((double)bits_float(f) * ones(bits) + 0.5);
}

uint32_t convert_snorm_to_f32(uint32_t code, unsigned bits)
{
	int32_t largest = (int32_t)ones(bits - 1), value = (int32_t)convert_sign_extend(code, bits);
	return float_bits((float)(value < -largest ? -largest : value) / (float)largest);
}

uint32_t convert_f32_to_snorm(uint32_t f, unsigned bits)
{
	uint32_t magnitude = f & 0x7FFFFFFF;
	if (magnitude > F32_INF)
		return 0;
	uint32_t code = convert_f32_to_unorm(magnitude, bits - 1); /* the rule is symmetric */
	return f >> 31 ? (0 - code) & ones(bits) : code;
}

uint32_t convert_sign_extend(uint32_t code, unsigned bits)
{
	uint32_t sign = 1u << (bits - 1);
	return ((code & ones(bits)) ^ sign) - sign;
}

uint32_t convert_clamp_uint(uint32_t value, unsigned bits)
{
	return value > ones(bits) ? ones(bits) : value;
}

uint32_t convert_clamp_sint(uint32_t value, unsigned bits)
{
	int32_t v = (int32_t)value, largest = (int32_t)ones(bits - 1);
	int32_t clamped = v > largest ? largest : v < -largest - 1 ? -largest - 1 : v;
	return (uint32_t)clamped & ones(bits);
}

void convert_sharedexp_to_f32(uint32_t code, uint32_t rgb[3])
{
	float scale = bits_float(((code >> 27) + 103) << 23); /* 2^(E - 15 - 9) */
	for (unsigned c = 0; c < 3; c++)
		rgb[c] = float_bits((float)(code >> 9 * c & 511) * scale);
}

/* x >= 0 and below 2^32 to the nearest integer, ties to even. */
static uint32_t nearest(double x)
{
	uint32_t whole = (uint32_t)x;
	double rest = x - whole;
	return whole + (rest > 0.5 || (rest == 0.5 && whole & 1));
}

uint32_t convert_f32_to_sharedexp(const uint32_t rgb[3])
{
	uint32_t value[3], largest = 0;
	for (unsigned c = 0; c < 3; c++) {
		value[c] = rgb[c] > F32_INF ? 0 : rgb[c] > 0x477F8000 ? 0x477F8000 : rgb[c]; /* 65408 */
		largest = value[c] > largest ? value[c] : largest;
	}
	/* The exponent that puts the largest channel in [256, 512); 0 where that is below 2^-16. */
	int exponent = (int)(largest >> 23) - 111;
	exponent = exponent < 0 ? 0 : exponent;
	double scale = bits_float((uint32_t)(151 - exponent) << 23);
	if (nearest(bits_float(largest) * scale) == 512) {
		exponent++;
		scale /= 2;
	}
	uint32_t code = (uint32_t)exponent << 27;
	for (unsigned c = 0; c < 3; c++)
		code |= nearest(bits_float(value[c]) * scale) << 9 * c;
	return code;
}

uint32_t convert_f32_to_uint(uint32_t f)
{
	if (f > F32_INF)
		return 0;
	return f >= 0x4F800000 ? ~0u : nearest(bits_float(f)); /* 2^32 */
}

uint32_t convert_f32_to_sint(uint32_t f)
{
	uint32_t magnitude = f & 0x7FFFFFFF;
	if (magnitude > F32_INF)
		return 0;
	bool large = magnitude >= 0x4F000000; /* 2^31 */
	if (f >> 31)
		return large ? 0x80000000 : 0 - nearest(bits_float(magnitude));
	return large ? 0x7FFFFFFF : nearest(bits_float(magnitude));
}
