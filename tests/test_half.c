/* Native 16-bit types: tests/lowering/half.hlsl runs on the interpreter; what has to come out is computed here in double,
 * which holds sums, differences and products of halves exactly, and rounded to half by ldexp and rint. */
#include "frontend/frontend.h"
#include "tests/corpus.h"
#include <criterion/criterion.h>
#include <math.h>

enum { CASES = 16, ROUNDS = 24 };
static const uint32_t constants[2][4] = {
	{0, 0x3555u << 16 | 0x3c00u, 0xfffeu << 16 | 0x8001u, 0}, /* op; h0 = 1, h1 = 0.3333; i0 = -32767, u0 = 65534 */
	{0xc000u << 16 | 0x0001u, 0xfff9u << 16 | 0x7bffu, 0, 0}, /* row = 2^-24, -2, 65504; last = -7 */
};

/* ---- half numbers in double ---- */

static double value(uint32_t h)
{
	int e = (int)(h >> 10 & 31), m = (int)(h & 0x3ff);
	double v = e == 31 ? (m ? (double)NAN : (double)INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
	return h & 0x8000 ? -v : v;
}

static uint32_t encode(double x, bool to_zero)
{
	uint32_t sign = signbit(x) ? 0x8000 : 0;
	double m = fabs(x);
	int e;
	if (isnan(x))
		return 0x7e00;
	if (isinf(x) || (!to_zero && m >= 65520))
		return sign | 0x7c00;
	if (m == 0)
		return sign;
	if (m >= 65536)
		return sign | 0x7bff;
	frexp(m, &e);
	e = e - 1 < -14 ? -14 : e - 1;
	double q = ldexp(m, 10 - e);
	return sign | (uint32_t)(((e + 14) << 10) + (int)(to_zero ? floor(q) : rint(q)));
}
static uint32_t half(double x) { return encode(x, false); }
static double rounded(double x) { return value(half(x)); }

static double smaller(double a, double b) { return isnan(a) || (b == a && signbit(b)) || b < a ? b : a; }
static double larger(double a, double b) { return isnan(a) || (b == a && !signbit(b)) || b > a ? b : a; }
static double product_sum(double a, double b, double c) { return rounded(rounded(a * b) + c); }
static double clamped(double x, double low, double high)
{
	return isnan(x) ? 0 : x < low ? low : x > high ? high : trunc(x);
}
static uint32_t fraction(double a)
{
	uint32_t r = half(a - floor(a));
	return r == 0x3c00 ? 0x3bff : r; /* stays below 1 */
}

/* ---- integers ---- */

static int32_t as_signed(uint32_t x) { return (int32_t)(x & 0x7fff) - (int32_t)(x & 0x8000); }
static uint32_t wrap_signed(int64_t x) { return (uint32_t)as_signed((uint32_t)x); }
static uint32_t highest(uint32_t x)
{
	for (uint32_t i = 16; i-- > 0;)
		if (x >> i & 1)
			return i;
	return UINT32_MAX;
}
static uint32_t lowest(uint32_t x)
{
	for (uint32_t i = 0; i < 16; i++)
		if (x >> i & 1)
			return i;
	return UINT32_MAX;
}
static uint32_t ones(uint32_t x)
{
	uint32_t n = 0;
	for (; x; x >>= 1)
		n += x & 1;
	return n;
}
static uint32_t reversed(uint32_t x)
{
	uint32_t r = 0;
	for (unsigned i = 0; i < 16; i++)
		r |= (x >> i & 1) << (15 - i);
	return r;
}

/* ---- the cases of half.hlsl ---- */

static void put(uint32_t out[4], uint32_t r, uint32_t g, uint32_t b, uint32_t a)
{
	const uint32_t c[4] = {r, g, b, a};
	memcpy(out, c, sizeof c);
}

static void expect_float(unsigned op, const uint32_t v[4], uint32_t out[4])
{
	double a = value(v[0]), b = value(v[1]), c = value(v[2]);
	switch (op) {
	case 0: put(out, half(a + b), half(a - b), half(a * b), half(a / b)); break;
	case 1:
		put(out, half(product_sum(a, b, c)), half(product_sum(b, c, rounded(a * b))), half(sqrt(a)),
			half(product_sum(c, b, product_sum(b, a, rounded(a * c)))));
		break;
	case 2: put(out, half(smaller(a, b)), half(larger(a, b)), v[0] & 0x7fff, (v[0] ^ 0x8000) & 0xffff); break;
	case 3:
		put(out, encode((double)bits_float(v[3]), true), half(floor(a)), fraction(a), half(a > 0 ? (a < 1 ? a : 1) : 0));
		break;
	case 4: put(out, isnan(a) ? 0x7fc00000 : float_bits((float)a), a < b, a == b, a != b); break;
	case 5:
		put(out, (uint32_t)(int32_t)clamped(a, -2147483648.0, 2147483647.0), (uint32_t)clamped(a, 0, 4294967295.0),
			(uint32_t)(int32_t)clamped(a, -32768, 32767), (uint32_t)clamped(a, 0, 65535));
		break;
	case 6: {
		int32_t n;
		memcpy(&n, &v[3], sizeof n);
		put(out, half(n), half(v[3]), half(as_signed(v[0])), half(v[0] & 0xffff));
		break;
	}
	case 7: put(out, isnan(a) != 0, isinf(a) != 0, isfinite(a) != 0, a >= b); break;
	case 15: put(out, half(fmod(a, b)), half(1 / a), half(a - rounded(b * c)), half(1 / b)); break;
	}
}

static void expect_integer(unsigned op, const uint32_t v[4], uint32_t out[4])
{
	uint32_t x = v[0] & 0xffff, y = v[1] & 0xffff;
	int32_t s = as_signed(x), t = as_signed(y);
	static const uint32_t table[4] = {0x3e00, 0xc080, 0x7bff, 1}; /* half.hlsl's numbers */
	switch (op) {
	case 8: put(out, wrap_signed(s + t), wrap_signed((int64_t)s * t), wrap_signed(s / as_signed(y | 1)),
		wrap_signed((s - (s < 0 ? (1 << (y & 15)) - 1 : 0)) / (1 << (y & 15)))); break;
	case 9: put(out, x / (y | 1), x % (y | 1), x << (y & 15) & 0xffff, x >> (y & 15)); break;
	case 10: put(out, (uint32_t)(s < t ? s : t), x > y ? x : y, s < t, x < y); break;
	case 11: put(out, reversed(x), ones(x), highest(x), lowest(x)); break;
	case 12: put(out, highest(s < 0 ? ~x & 0xffff : x), s < t ? x : y, half(rint(value(x))), half(trunc(value(x)))); break;
	case 13: put(out, table[v[2] & 3], half(value(0x3c00) + value(0x3555)), (uint32_t)-32767, 65534); break;
	case 14: put(out, 1, 0xc000, 0x7bff, (uint32_t)-7); break;
	}
}

/* ---- running ---- */

static uint32_t random_state = 0x2545f491;
static uint32_t random_word(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state;
}

/* Half the words are what trips conversions: zeros, denormals, the largest, infinity, NaN, ties. The upper bits are
 * noise. */
static uint32_t input_word(void)
{
	static const uint32_t special[] = {0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
		0x7e00, 0x3555, 0x3c01, 0x4000, 0x0bff, 0x6800, 0x6801, 0x3800};
	uint32_t noise = random_word() << 16, pick = random_word();
	return noise | (pick & 1 ? special[(pick >> 8) % ARRAY_COUNT(special)] : pick >> 16);
}

static uint32_t input_float(void)
{
	static const float special[] = {65504, 65519.99f, 65520, 1e9f, -1e9f, 5.9e-8f, 2.9e-8f, 1.00097f, -0.0f, 6.0e-5f, INFINITY};
	uint32_t pick = random_word();
	return pick & 1 ? float_bits(special[(pick >> 8) % ARRAY_COUNT(special)]) : random_word() % 140000 << (pick >> 28);
}

static void read_row(void *user, unsigned resource, uint32_t array_index, uint32_t row, uint32_t out[4])
{
	(void)resource, (void)array_index;
	memset(out, 0, 16);
	if (row < 2)
		memcpy(out, constants[row], 16);
	if (row == 0)
		out[0] = *(const unsigned *)user;
}

static void run_case(const struct isa_program *p, struct isa_wave *w, unsigned op)
{
	const struct isa_env env = {.user = &op, .cbuffer_row = read_row};
	isa_wave_reset(p, w, UINT32_MAX, UINT32_MAX);
	for (unsigned l = 0; l < 32; l++) {
		for (unsigned c = 0; c < 3; c++)
			w->in[0][c][l] = input_word();
		w->in[0][3][l] = input_float();
	}
	w->budget = 1 << 16;
	unsigned saved = fp_enter();
	cr_assert_eq(isa_run(p, w, &env), ISA_DONE);
	fp_leave(saved);
	for (unsigned l = 0; l < 32; l++) {
		const uint32_t v[4] = {w->in[0][0][l], w->in[0][1][l], w->in[0][2][l], w->in[0][3][l]};
		uint32_t want[4] = {0};
		if (op < 8 || op == 15)
			expect_float(op, v, want);
		else
			expect_integer(op, v, want);
		for (unsigned c = 0; c < 4; c++)
			cr_expect_eq(w->out[ISA_MRT0][c][l], want[c],
				"case %u result %u of %04x %04x %04x %08x: %08x, not %08x", op, c,
				v[0] & 0xffff, v[1] & 0xffff, v[2] & 0xffff, v[3], w->out[ISA_MRT0][c][l], want[c]);
	}
}

Test(half, arithmetic)
{
	const struct fe_options options = {.wave_size = 32, .in_process = true};
	struct kiln_diags *diags = kiln_diags_create();
	uint8_t *data;
	size_t size;
	corpus_read(KILN_SOURCE_DIR "/tests/lowering/half.cso", &data, &size);
	struct isa_program *p = fe_compile(data, size, "half", &options, diags);
	cr_assert(p, "%s", kiln_diags_count(diags) ? kiln_diags_get(diags, 0)->text : "");
	cr_expect(p->flags & ISA_NATIVE_16BIT);
	struct isa_wave *w = isa_wave_create(p);
	for (unsigned op = 0; op < CASES; op++)
		for (unsigned round = 0; round < ROUNDS; round++)
			run_case(p, w, op);
	isa_wave_destroy(w);
	isa_program_destroy(p);
	mem_free(data);
	kiln_diags_destroy(diags);
}
