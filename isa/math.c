/* Half conversions by integers, and the transcendental functions: evaluated in binary64 with + - * / and square root alone,
 * rounded to binary32 once, so that no libm and no compiler has a say. Series are Taylor's, on ranges so short that their
 * error lies below binary32's. MXCSR as fp_enter() sets it: denormal arguments are zero, denormal results too. */
#include "isa/math.h"
#include "isa/isa.h"
#include <emmintrin.h>

static const double exp_terms[] = {1.0, 1.0, 0.5, 0.16666666666666666, 0.041666666666666664, 0.008333333333333333,
	0.001388888888888889, 0.0001984126984126984, 2.48015873015873e-05, 2.7557319223985893e-06, 2.755731922398589e-07,
	2.505210838544172e-08, 2.08767569878681e-09, 1.6059043836821613e-10};
static const double log_terms[] = {2.0, 0.6666666666666666, 0.4, 0.2857142857142857, 0.2222222222222222,
	0.18181818181818182, 0.15384615384615385, 0.13333333333333333, 0.11764705882352941, 0.10526315789473684,
	0.09523809523809523, 0.08695652173913043, 0.08};
static const double sin_terms[] = {1.0, -0.16666666666666666, 0.008333333333333333, -0.0001984126984126984,
	2.7557319223985893e-06, -2.505210838544172e-08, 1.6059043836821613e-10, -7.647163731819816e-13,
	2.8114572543455206e-15};
static const double cos_terms[] = {1.0, -0.5, 0.041666666666666664, -0.001388888888888889, 2.48015873015873e-05,
	-2.755731922398589e-07, 2.08767569878681e-09, -1.1470745597729725e-11, 4.779477332387385e-14};
static const double atan_terms[] = {1.0, -0.3333333333333333, 0.2, -0.14285714285714285, 0.1111111111111111,
	-0.09090909090909091, 0.07692307692307693, -0.06666666666666667, 0.058823529411764705, -0.05263157894736842,
	0.047619047619047616, -0.043478260869565216, 0.04, -0.037037037037037035, 0.034482758620689655, -0.03225806451612903,
	0.030303030303030304, -0.02857142857142857, 0.02702702702702703, -0.02564102564102564};
static const double sinh_terms[] = {1.0, 0.16666666666666666, 0.008333333333333333, 0.0001984126984126984,
	2.7557319223985893e-06, 2.505210838544172e-08, 1.6059043836821613e-10, 7.647163731819816e-13, 2.8114572543455206e-15};

static const uint32_t nan_bits = 0x7fc00000;

/* ---- MXCSR ---- */

unsigned fp_enter(void)
{
	unsigned saved = _mm_getcsr();
	_mm_setcsr(0x1f80 | 0x8040); /* all exceptions masked, to nearest; flush to zero, denormals are zero */
	return saved;
}

void fp_leave(unsigned saved) { _mm_setcsr(saved); }

/* ---- half ---- */

uint32_t isa_f32_to_f16_rtz(uint32_t f)
{
	uint32_t sign = f >> 16 & 0x8000, magnitude = f & 0x7fffffff;
	if (magnitude > 0x7f800000)
		return 0x7e00;
	if (magnitude == 0x7f800000)
		return sign | 0x7c00;
	if (magnitude >= 0x47800000) /* 65536: finite overflow gives the largest */
		return sign | 0x7bff;
	if (magnitude >= 0x38800000) /* 2^-14: normal */
		return sign | (magnitude - 0x38000000) >> 13;
	uint32_t exponent = magnitude >> 23;
	if (exponent < 103) /* below 2^-24 */
		return sign;
	return sign | ((magnitude & 0x7fffff) | 0x800000) >> (126 - exponent);
}

static uint32_t shift_to_even(uint32_t x, unsigned by) { return (x + (1u << (by - 1)) - 1 + (x >> by & 1)) >> by; }

uint32_t isa_f32_to_f16_rne(uint32_t f)
{
	uint32_t sign = f >> 16 & 0x8000, magnitude = f & 0x7fffffff;
	if (magnitude > 0x7f800000)
		return 0x7e00;
	if (magnitude >= 0x477ff000) /* 65520, half way to what comes behind the largest */
		return sign | 0x7c00;
	if (magnitude >= 0x38800000) /* 2^-14: normal */
		return sign | shift_to_even(magnitude - 0x38000000, 13);
	uint32_t exponent = magnitude >> 23;
	if (exponent < 102) /* below 2^-25 */
		return sign;
	return sign | shift_to_even((magnitude & 0x7fffff) | 0x800000, 126 - exponent);
}

uint32_t isa_f16_to_f32(uint32_t h)
{
	uint32_t sign = (h & 0x8000) << 16, exponent = h >> 10 & 31, mantissa = h & 0x3ff;
	if (exponent == 31)
		return mantissa ? nan_bits : sign | 0x7f800000;
	if (exponent)
		return sign | (exponent + 112) << 23 | mantissa << 13;
	if (!mantissa)
		return sign;
	unsigned shift = (unsigned)__builtin_clz(mantissa) - 21;
	return sign | (113 - shift) << 23 | (mantissa << shift & 0x3ff) << 13;
}

/* ---- binary64 pieces ---- */

static double series(const double *terms, unsigned count, double x)
{
	double sum = terms[count - 1];
	for (unsigned i = count - 1; i-- > 0;)
		sum = sum * x + terms[i];
	return sum;
}
#define SERIES(terms, x) series(terms, ARRAY_COUNT(terms), x)

static double square_root(double x) { return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(x))); }
static double magnitude(double x) { return x < 0.0 ? -x : x; }

static double power_of_2(int n)
{
	union { uint64_t u; double d; } v = {.u = (uint64_t)(n + 1023) << 52};
	return v.d;
}

/* To nearest even; |x| below 2^51. */
static double nearest(double x) { return x + 0x1.8p52 - 0x1.8p52; }

static uint32_t round_once(double x)
{
	float f = (float)x;
	return f == f ? float_bits(f) : nan_bits;
}

static uint32_t with_sign(uint32_t word, uint32_t of) { return (word & 0x7fffffff) | (of & 0x80000000); }

/* e^x, |x| below 700 */
static double exponential(double x)
{
	double n = nearest(x * 0x1.71547652b82fep+0);
	double r = x - n * 0x1.62e42fee00000p-1 - n * 0x1.a39ef35793c76p-33;
	return SERIES(exp_terms, r) * power_of_2((int)n);
}

/* ---- exponent and logarithm ---- */

uint32_t FEXP2(uint32_t bits)
{
	float x = bits_float(bits);
	if (x != x)
		return nan_bits;
	if (x >= 128.0f)
		return 0x7f800000;
	if (x < -126.0f)
		return 0; /* the result would be denormal */
	double n = nearest(x), r = (x - n) * 0x1.62e42fefa39efp-1;
	return round_once(SERIES(exp_terms, r) * power_of_2((int)n));
}

uint32_t FLOG2(uint32_t bits)
{
	uint32_t m = bits & 0x7fffffff;
	if (m > 0x7f800000)
		return nan_bits;
	if (m < 0x00800000)
		return 0xff800000;
	if (bits & 0x80000000)
		return nan_bits;
	if (m == 0x7f800000)
		return bits;
	/* x = 2^e * f, f from sqrt(1/2) to sqrt(2): log f = 2 atanh((f - 1) / (f + 1)) */
	int e = (int)((m - 0x3f3504f3) >> 23) - (m < 0x3f3504f3 ? 512 : 0);
	double f = bits_float(m - ((uint32_t)e << 23)), s = (f - 1.0) / (f + 1.0);
	return round_once(e + s * SERIES(log_terms, s * s) * 0x1.71547652b82fep+0);
}

uint32_t isa_log2_f32(uint32_t x) { return FLOG2(x); }

/* ---- sine, cosine, tangent ---- */

/* 2/pi, as words behind the binary point; the first stands before it. */
static const uint32_t two_over_pi[] = {0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
	0xfe5163ab, 0xdebbc561, 0xb7246e3a};

static uint64_t two_over_pi_bits(unsigned at)
{
	const uint32_t *w = &two_over_pi[at / 32];
	uint64_t both = (uint64_t)w[0] << 32 | w[1];
	return at % 32 ? both << at % 32 | w[2] >> (32 - at % 32) : both;
}

/* As below, for |x| from 2^20 (Payne and Hanek): x = m * 2^e, and of 2/pi only the 128 bits count that give no multiple
 * of 4 quadrants and leave 62 bits of fraction; the nearest a float gets to a multiple of pi/2 is 2^-30. */
static double reduce_large(float x, unsigned *quadrant)
{
	uint32_t bits = float_bits(x), m = (bits & 0x7fffff) | 0x800000, at = (bits >> 23 & 255) - 150 - 2 + 32;
	uint64_t hi = two_over_pi_bits(at), lo = two_over_pi_bits(at + 64);
	/* 2 bits of quadrant, 62 of fraction */
	uint64_t turns = m * hi + ((m * (lo >> 32) + (m * (lo & 0xffffffff) >> 32)) >> 32);
	uint64_t n = (turns + (1ull << 61)) >> 62;
	double r = (double)(int64_t)(turns - (n << 62)) * 0x1.921fb54442d18p-62;
	*quadrant = (unsigned)(x < 0.0f ? 0 - n : n) & 3;
	return x < 0.0f ? -r : r;
}

/* x = quadrant * pi/2 + r, |r| to pi/4. pi/2 in two parts, the first of 33 bits, so that its product with n is exact. */
static double reduce(float x, unsigned *quadrant)
{
	if (magnitude(x) >= 0x1p20)
		return reduce_large(x, quadrant);
	double n = nearest(x * 0x1.45f306dc9c883p-1);
	*quadrant = (unsigned)(int64_t)n & 3;
	return x - n * 1.5707963267341256 - n * 6.0771005065061922e-11;
}

static double sine(double r) { return r * SERIES(sin_terms, r * r); }
static double cosine(double r) { return SERIES(cos_terms, r * r); }

static uint32_t sine_of_quadrant(uint32_t bits, unsigned ahead)
{
	unsigned quadrant;
	double r = reduce(bits_float(bits), &quadrant), v;
	quadrant = (quadrant + ahead) & 3;
	v = quadrant & 1 ? cosine(r) : sine(r);
	return round_once(quadrant & 2 ? -v : v);
}

uint32_t FSIN(uint32_t x)
{
	if ((x & 0x7fffffff) >= 0x7f800000)
		return nan_bits;
	return x & 0x7f800000 ? sine_of_quadrant(x, 0) : x & 0x80000000; /* zero keeps its sign */
}

uint32_t FCOS(uint32_t x) { return (x & 0x7fffffff) >= 0x7f800000 ? nan_bits : sine_of_quadrant(x, 1); }

uint32_t FTAN(uint32_t x)
{
	unsigned quadrant;
	if ((x & 0x7fffffff) >= 0x7f800000)
		return nan_bits;
	if (!(x & 0x7f800000))
		return x & 0x80000000;
	double r = reduce(bits_float(x), &quadrant), s = sine(r), c = cosine(r);
	return round_once(quadrant & 1 ? -c / s : s / c);
}

/* ---- inverse functions ---- */

/* x >= 0, infinity too. Down to tan(pi/8) by the angle of the reciprocal and by pi/4. */
static double arc_tangent(double x)
{
	if (x > 1.0)
		return 0x1.921fb54442d18p+0 - arc_tangent(1.0 / x);
	if (x > 0.41421356237309503) {
		double t = (x - 1.0) / (x + 1.0);
		return 0x1.921fb54442d18p-1 + t * SERIES(atan_terms, t * t);
	}
	return x * SERIES(atan_terms, x * x);
}

uint32_t FATAN(uint32_t x)
{
	float f = bits_float(x & 0x7fffffff);
	return f == f ? with_sign(round_once(arc_tangent(f)), x) : nan_bits;
}

uint32_t FASIN(uint32_t x)
{
	double f = bits_float(x & 0x7fffffff);
	if (!(f <= 1.0))
		return nan_bits;
	return with_sign(round_once(f == 1.0 ? 0x1.921fb54442d18p+0 : arc_tangent(f / square_root((1.0 - f) * (1.0 + f)))), x);
}

uint32_t FACOS(uint32_t x)
{
	double f = bits_float(x);
	if (!(f >= -1.0 && f <= 1.0))
		return nan_bits;
	return round_once(f == -1.0 ? 0x1.921fb54442d18p+1 : 2.0 * arc_tangent(square_root((1.0 - f) / (1.0 + f))));
}

/* ---- hyperbolic functions ---- */

uint32_t FSINH(uint32_t x)
{
	double f = bits_float(x & 0x7fffffff);
	if (f != f)
		return nan_bits;
	if (f > 100.0)
		return with_sign(0x7f800000, x);
	double e = exponential(f);
	return with_sign(round_once(f < 1.0 ? f * SERIES(sinh_terms, f * f) : (e - 1.0 / e) * 0.5), x);
}

uint32_t FCOSH(uint32_t x)
{
	double f = bits_float(x & 0x7fffffff);
	if (f != f)
		return nan_bits;
	if (f > 100.0)
		return 0x7f800000;
	double e = exponential(f);
	return round_once((e + 1.0 / e) * 0.5);
}

uint32_t FTANH(uint32_t x)
{
	double f = bits_float(x & 0x7fffffff);
	if (f != f)
		return nan_bits;
	if (f > 20.0)
		return with_sign(0x3f800000, x);
	double e = exponential(f), s = f < 1.0 ? f * SERIES(sinh_terms, f * f) : (e - 1.0 / e) * 0.5;
	return with_sign(round_once(s / ((e + 1.0 / e) * 0.5)), x);
}

/* ---- remainder: exact, by long division of the significands ---- */

uint32_t FREM(uint32_t a, uint32_t b)
{
	uint32_t x = a & 0x7fffffff, y = b & 0x7fffffff;
	if (x >= 0x7f800000 || y > 0x7f800000 || y < 0x00800000)
		return nan_bits;
	if (x < 0x00800000)
		return a & 0x80000000;
	if (x < y)
		return a;
	uint32_t m = (x & 0x7fffff) | 0x800000, n = (y & 0x7fffff) | 0x800000;
	int exponent = (int)(y >> 23);
	for (int steps = (int)(x >> 23) - exponent; steps; steps--)
		m = (m >= n ? m - n : m) << 1;
	m = m >= n ? m - n : m;
	if (!m)
		return a & 0x80000000;
	unsigned shift = (unsigned)__builtin_clz(m) - 8;
	exponent -= (int)shift;
	if (exponent < 1)
		return a & 0x80000000; /* denormal */
	return (a & 0x80000000) | (uint32_t)exponent << 23 | (m << shift & 0x7fffff);
}
