/* 64-bit integers and doubles: tests/lowering/wide.hlsl runs on the interpreter; what has to come out is C's own 64-bit
 * arithmetic, with D3D's rules at the edges. */
#include "frontend/frontend.h"
#include "tests/corpus.h"
#include <criterion/criterion.h>
#include <math.h>

enum { CASES = 29, ROUNDS = 16, LANES = 32 };
static const double table[4] = {0.1, -3e300, 4e-320, 7};

struct lane { uint32_t v[4], w[4]; };

static uint64_t pair(const uint32_t *w) { return (uint64_t)w[1] << 32 | w[0]; }
static double real(uint64_t x)
{
	double d;
	memcpy(&d, &x, sizeof d);
	return d;
}
static int64_t as_signed(uint64_t x)
{
	int64_t n;
	memcpy(&n, &x, sizeof n);
	return n;
}
static uint64_t bits(double d)
{
	uint64_t x;
	memcpy(&x, &d, sizeof x);
	return isnan(d) ? 0x7ff8000000000000u : x;
}
static void both(uint32_t out[4], uint64_t x, uint64_t y)
{
	const uint32_t c[4] = {(uint32_t)x, (uint32_t)(x >> 32), (uint32_t)y, (uint32_t)(y >> 32)};
	memcpy(out, c, sizeof c);
}
static void reals(uint32_t out[4], double x, double y) { both(out, bits(x), bits(y)); }
static void four(uint32_t out[4], uint32_t r, uint32_t g, uint32_t b, uint32_t a)
{
	const uint32_t c[4] = {r, g, b, a};
	memcpy(out, c, sizeof c);
}

/* ---- D3D's rules ---- */

static uint64_t quotient(uint64_t a, uint64_t b) { return b ? a / b : UINT64_MAX; }
static uint64_t remainder_of(uint64_t a, uint64_t b) { return b ? a % b : UINT64_MAX; }
static bool overflows(uint64_t a, uint64_t b) { return as_signed(a) == INT64_MIN && b == UINT64_MAX; }
static uint64_t signed_quotient(uint64_t a, uint64_t b)
{
	return !b ? UINT64_MAX : overflows(a, b) ? a : (uint64_t)(as_signed(a) / as_signed(b));
}
static uint64_t signed_remainder(uint64_t a, uint64_t b)
{
	return !b ? UINT64_MAX : overflows(a, b) ? 0 : (uint64_t)(as_signed(a) % as_signed(b));
}
static uint64_t shift_signed(uint64_t x, unsigned by) { return x >> by | (x >> 63 && by ? ~(UINT64_MAX >> by) : 0); }
static uint32_t highest(uint64_t x)
{
	for (uint32_t i = 64; i-- > 0;)
		if (x >> i & 1)
			return i;
	return UINT32_MAX;
}
static uint32_t lowest(uint64_t x)
{
	for (uint32_t i = 0; i < 64; i++)
		if (x >> i & 1)
			return i;
	return UINT32_MAX;
}
static uint32_t ones(uint64_t x)
{
	uint32_t n = 0;
	for (; x; x >>= 1)
		n += x & 1;
	return n;
}
static uint64_t reversed(uint64_t x)
{
	uint64_t r = 0;
	for (unsigned i = 0; i < 64; i++)
		r |= (x >> i & 1) << (63 - i);
	return r;
}
static double smaller(double a, double b) { return isnan(a) || (a == b && signbit(b)) || b < a ? b : a; }
static double larger(double a, double b) { return isnan(a) || (a == b && !signbit(b)) || b > a ? b : a; }
static double truncated(double x, double low, double high)
{
	return isnan(x) ? 0 : x < low ? low : x > high ? high : trunc(x);
}
static uint32_t float_of(double x)
{
	float f = (float)x;
	uint32_t word = float_bits(f);
	return isnan(x) ? 0x7fc00000 : word & 0x7f800000 ? word : word & 0x80000000; /* denormals are flushed */
}
static uint64_t to_signed(double x)
{
	return isnan(x) ? 0 : x >= 0x1p63 ? INT64_MAX : x <= -0x1p63 ? (uint64_t)INT64_MIN : (uint64_t)(int64_t)x;
}
static uint64_t to_unsigned(double x) { return !(x > 0) ? 0 : x >= 0x1p64 ? UINT64_MAX : (uint64_t)x; }

/* ---- the cases of wide.hlsl ---- */

static void expect_integer(const struct lane *in, unsigned op, uint32_t out[4])
{
	uint64_t a = pair(in->v), b = pair(in->v + 2), word = in->w[1];
	int64_t s = as_signed(a), t = as_signed(b);
	switch (op) {
	case 0: both(out, a + b, a - b); break;
	case 1: both(out, a * b, quotient(a, b)); break;
	case 2: both(out, remainder_of(a, b), signed_quotient(a, b)); break;
	case 3: both(out, signed_remainder(a, b), a << (b & 63)); break;
	case 4: both(out, a >> (b & 63), shift_signed(a, b & 63)); break;
	case 5: both(out, a & ~b, (a | b) ^ 0x0123456789abcdefu); break;
	case 6: four(out, a < b, a <= b, s < t, s <= t); break;
	case 7: four(out, a == b, a != b, s > t, a >= b); break;
	case 8: both(out, a < b ? a : b, s > t ? a : b); break;
	case 9: four(out, ones(a), highest(a), lowest(a), highest(s < 0 ? ~a : a)); break;
	case 10: both(out, reversed(a), in->w[0] & 1 ? a : b); break;
	case 11: both(out, in->w[1] >> 31 ? word | 0xffffffff00000000u : word, word); break;
	}
}

static void expect_real(const struct lane *in, unsigned op, uint32_t out[4])
{
	uint64_t a = pair(in->v), b = pair(in->v + 2);
	double x = real(a), y = real(b), f = (double)bits_float(in->w[2]);
	switch (op) {
	case 12: reals(out, x + y, x - y); break;
	case 13: reals(out, x * y, x / y); break;
	case 14: reals(out, smaller(x, y), larger(x, y)); break;
	case 15: both(out, a & (UINT64_MAX >> 1), a ^ ~(UINT64_MAX >> 1)); break;
	case 16: four(out, x < y, x <= y, x == y, x != y); break;
	case 17:
		four(out, float_of(x), (uint32_t)(int32_t)truncated(x, INT32_MIN, INT32_MAX), (uint32_t)truncated(x, 0, UINT32_MAX),
			x > y);
		break;
	case 18: both(out, to_signed(x), to_unsigned(x)); break;
	case 19: reals(out, (double)as_signed(a), (double)a); break;
	case 20: four(out, float_bits((float)as_signed(a)), float_bits((float)a), 0, 0); break;
	case 21: reals(out, f, (double)(int32_t)as_signed(in->w[1] >> 31 ? in->w[1] | 0xffffffff00000000u : in->w[1])); break;
	case 22: {
		volatile double product = x * y;
		double saturated = y > 0 ? y < 1 ? y : 1 : 0;
		both(out, bits(product + 1), in->w[0] & 1 ? a : bits(saturated));
		break;
	}
	case 23: reals(out, 0.1, -9007199254740993.0); break; /* rounds to even */
	case 27: both(out, to_signed(f), to_unsigned(f)); break;
	case 28: reals(out, table[in->w[0] % 4], 0); break;
	}
}

static void expect_lanes(const struct lane *in, unsigned op, unsigned lane, uint32_t out[4])
{
	static const uint64_t array[3] = {UINT64_MAX - 4, 0x123456789abcdefu, 7};
	uint64_t sum = 0, before = 0, a = pair(in[lane].v), r = 1;
	for (unsigned l = 0; l < LANES; l++) {
		sum += pair(in[l].v);
		before += l < lane ? pair(in[l].v + 2) : 0;
	}
	for (uint32_t i = 0; i < (in[lane].w[0] & 7); i++)
		r = r * a + i;
	switch (op) {
	case 24: both(out, array[in[lane].w[0] % 3], sum); break;
	case 25: both(out, before, pair(in[0].v)); break;
	case 26: both(out, r, pair(in[lane ^ 1].v)); break;
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

static uint64_t random_number(bool is_real)
{
	static const uint64_t integers[] = {0, 1, UINT64_MAX, (uint64_t)1 << 63, INT64_MAX, 0x100000000u, 0xffffffffu,
		0x80000000u, 3};
	static const double doubles[] = {0, -0.0, 1, -1, 1e300, -1e300, 5e-324, 4e-320, (double)INFINITY, (double)NAN, 0x1p63,
		-0x1p63, 0x1p64, 2147483648.5, -2147483648.5, 4294967295.5, 0.1, 1e-40, 16777217};
	uint32_t pick = random_word();
	uint64_t wide = (uint64_t)random_word() << 32 | random_word();
	if (pick & 1)
		return is_real ? bits(doubles[(pick >> 8) % ARRAY_COUNT(doubles)]) : integers[(pick >> 8) % ARRAY_COUNT(integers)];
	return is_real ? bits((double)as_signed(wide) / 65536) : wide >> (pick >> 8) % 64;
}

static void read_row(void *user, unsigned resource, uint32_t array_index, uint32_t row, uint32_t out[4])
{
	(void)resource, (void)array_index;
	memset(out, 0, 16);
	if (row == 0)
		out[0] = *(const unsigned *)user;
	if (row == 2) /* 0.1, -(2^53 + 1) */
		both(out, bits(0.1), (uint64_t)-9007199254740993);
}

static void read_table(void *user, const struct isa_access *a)
{
	(void)user;
	cr_assert_eq(a->inst->op, ISA_buffer_load);
	for (unsigned l = 0; l < a->lanes; l++) {
		uint64_t word = bits(table[a->source[6][l] % 4]);
		a->result[0][l] = (uint32_t)word;
		a->result[1][l] = (uint32_t)(word >> 32);
	}
}

static void run_case(const struct isa_program *p, struct isa_wave *w, unsigned op)
{
	const struct isa_env env = {.user = &op, .cbuffer_row = read_row, .access = read_table};
	struct lane in[LANES];
	isa_wave_reset(p, w, UINT32_MAX, UINT32_MAX);
	for (unsigned l = 0; l < LANES; l++) {
		bool is_real = op >= 12 && op != 19 && op != 20 && op < 24;
		both(in[l].v, random_number(is_real), random_number(is_real));
		four(in[l].w, random_word(), random_word(), float_bits((float)real(random_number(true))), 0);
		in[l].w[2] = in[l].w[2] & 0x7f800000 ? in[l].w[2] : 0;
		for (unsigned c = 0; c < 4; c++) {
			w->in[0][c][l] = in[l].v[c];
			w->in[1][c][l] = in[l].w[c];
		}
	}
	w->budget = 1 << 16;
	unsigned saved = fp_enter();
	cr_assert_eq(isa_run(p, w, &env), ISA_DONE);
	fp_leave(saved);
	for (unsigned l = 0; l < LANES; l++) {
		uint32_t want[4] = {0};
		expect_integer(&in[l], op, want);
		expect_real(&in[l], op, want);
		expect_lanes(in, op, l, want);
		for (unsigned c = 0; c < 4; c++)
			cr_expect_eq(w->out[ISA_MRT0][c][l], want[c], "case %u result %u of %016llx %016llx: %08x, not %08x", op, c,
				(unsigned long long)pair(in[l].v), (unsigned long long)pair(in[l].v + 2), w->out[ISA_MRT0][c][l], want[c]);
	}
}

Test(wide, arithmetic)
{
	const struct fe_options options = {.wave_size = LANES, .in_process = true};
	struct kiln_diags *diags = kiln_diags_create();
	uint8_t *data;
	size_t size;
	corpus_read(KILN_SOURCE_DIR "/tests/lowering/wide.cso", &data, &size);
	struct isa_program *p = fe_compile(data, size, "wide", &options, diags);
	cr_assert(p, "%s", kiln_diags_count(diags) ? kiln_diags_get(diags, 0)->text : "");
	struct isa_wave *w = isa_wave_create(p);
	for (unsigned op = 0; op < CASES; op++)
		for (unsigned round = 0; round < ROUNDS; round++)
			run_case(p, w, op);
	isa_wave_destroy(w);
	isa_program_destroy(p);
	mem_free(data);
	kiln_diags_destroy(diags);
}
