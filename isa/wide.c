/* Helpers of rows on pairs of words: 64-bit integers and binary64, low word first. binary64 keeps its denormals (facts
 * 5.1): fp_enter()'s flushing is off while these run. An arithmetic NaN is 0x7FF8000000000000. */
#include "isa/exec.h"
#include "isa/math.h"

#define NAN_64 0x7ff8000000000000u
#define SIGN_64 0x8000000000000000u

static double number(uint64_t x)
{
	union { uint64_t u; double d; } v = {.u = x};
	return v.d;
}

static uint64_t bits(double x)
{
	union { double d; uint64_t u; } v = {.d = x};
	return x == x ? v.u : NAN_64;
}

static uint64_t yes(bool p) { return p ? ~(uint64_t)0 : 0; }
static uint64_t negate(uint64_t x) { return ~x + 1; }
static bool below(uint64_t a, uint64_t b) { return (a ^ SIGN_64) < (b ^ SIGN_64); }

/* ---- integers ---- */

static uint64_t divide_signed(uint64_t a, uint64_t b, bool remainder)
{
	uint64_t x = a & SIGN_64 ? negate(a) : a, y = b & SIGN_64 ? negate(b) : b;
	if (!b)
		return ~(uint64_t)0;
	if (remainder)
		return a & SIGN_64 ? negate(x % y) : x % y;
	return (a ^ b) & SIGN_64 ? negate(x / y) : x / y;
}

static uint64_t shift_arithmetic(uint64_t x, uint64_t by) { return x & SIGN_64 ? ~(~x >> by) : x >> by; }

/* ---- binary64 ---- */

static bool is_nan(uint64_t x) { return (x & ~SIGN_64) > 0x7ff0000000000000u; }
static uint64_t key(uint64_t x) { return x & SIGN_64 ? ~x : x | SIGN_64; }

/* A number wins over NaN, -0 < +0. */
static uint64_t extreme(uint64_t a, uint64_t b, bool larger)
{
	if (is_nan(a))
		return is_nan(b) ? NAN_64 : b;
	return is_nan(b) || (key(a) < key(b)) != larger ? a : b;
}

static uint64_t to_signed(double x)
{
	if (!(x > -0x1p63))
		return x != x ? 0 : SIGN_64;
	return x < 0x1p63 ? (uint64_t)(int64_t)x : ~SIGN_64;
}

static uint64_t to_unsigned(double x)
{
	if (!(x > 0.0))
		return 0;
	return x < 0x1p64 ? (uint64_t)x : ~(uint64_t)0;
}

static uint32_t to_signed32(double x)
{
	if (!(x > -0x1p31))
		return x != x ? 0 : 0x80000000u;
	return x < 0x1p31 ? (uint32_t)(int32_t)x : 0x7fffffffu;
}

static uint32_t to_unsigned32(double x)
{
	if (!(x > 0.0))
		return 0;
	return x < 0x1p32 ? (uint32_t)x : ~0u;
}

/* binary32 flushes its denormals, whichever way they come about. */
static uint32_t flushed(uint32_t x) { return x & 0x7f800000 ? x : x & 0x80000000; }
static double widened(uint32_t x) { return bits_float(flushed(x)); }
static uint32_t narrowed(double x) { return flushed(math_canonical((float)x)); }

static int64_t signed_of(uint64_t x) { return x & SIGN_64 ? -(int64_t)(negate(x) - 1) - 1 : (int64_t)x; }

/* ---- rows ---- */



static uint64_t wide_integer(unsigned op, uint64_t a, uint64_t b)
{
	switch (op) {
	case ISA_add_u64: return a + b;
	case ISA_sub_u64: return a - b;
	case ISA_mul_u64: return a * b;
	case ISA_div_u64: return b ? a / b : ~(uint64_t)0;
	case ISA_rem_u64: return b ? a % b : ~(uint64_t)0;
	case ISA_div_i64: return divide_signed(a, b, false);
	case ISA_rem_i64: return divide_signed(a, b, true);
	case ISA_lshl_b64: return a << (b & 63);
	case ISA_lshr_b64: return a >> (b & 63);
	case ISA_ashr_i64: return shift_arithmetic(a, b & 63);
	case ISA_min_u64: return a < b ? a : b;
	case ISA_max_u64: return a < b ? b : a;
	case ISA_min_i64: return below(a, b) ? a : b;
	case ISA_max_i64: return below(a, b) ? b : a;
	case ISA_cmp_eq_u64: return yes(a == b);
	case ISA_cmp_lt_u64: return yes(a < b);
	default: return yes(below(a, b)); /* cmp_lt_i64 */
	}
}

static uint64_t wide_float(unsigned op, uint64_t a, uint64_t b)
{
	double x = number(a), y = number(b);
	switch (op) {
	case ISA_add_f64: return bits(x + y);
	case ISA_mul_f64: return bits(x * y);
	case ISA_div_f64: return bits(x / y);
	case ISA_min_f64: return extreme(a, b, false);
	case ISA_max_f64: return extreme(a, b, true);
	case ISA_cmp_eq_f64: return yes(x == y);
	case ISA_cmp_lt_f64: return yes(x < y);
	case ISA_cmp_le_f64: return yes(x <= y);
	case ISA_cmp_u_f64: return yes(is_nan(a) || is_nan(b));
	case ISA_cvt_f64_f32: return bits(widened((uint32_t)a));
	case ISA_cvt_f64_i64: return bits((double)signed_of(a));
	case ISA_cvt_f64_u64: return bits((double)a);
	case ISA_cvt_f32_f64: return narrowed(x);
	case ISA_cvt_f32_i64: return float_bits((float)signed_of(a));
	case ISA_cvt_f32_u64: return float_bits((float)a);
	case ISA_cvt_i64_f64: return to_signed(x);
	case ISA_cvt_u64_f64: return to_unsigned(x);
	case ISA_cvt_i32_f64: return to_signed32(x);
	default: return to_unsigned32(x); /* cvt_u32_f64 */
	}
}

_Static_assert(ISA_cmp_lt_i64 < ISA_add_f64 && ISA_add_u64 < ISA_cmp_lt_i64, "integers first");
/* A call, so that no compiler moves arithmetic to the other side of a change of MXCSR. */
__attribute__((noinline)) uint64_t exec_wide(unsigned op, uint64_t a, uint64_t b)
{
	return op < ISA_add_f64 ? wide_integer(op, a, b) : wide_float(op, a, b);
}

/* Sources are pairs, but for a shift's count and a float, which are words. */
static uint64_t source(const struct exec *x, const struct isa_inst *in, unsigned at, unsigned lane)
{
	const struct isa_info *info = &isa_info[in->op];
	uint64_t word[2] = {0};
	for (unsigned i = 0; i < 2 && at + i < info->count; i++) {
		const struct isa_operand *o = &in->at[at + i];
		word[i] = o->file == ISA_V ? x->w->v[o->value][lane] : o->file == ISA_S ? x->w->s[o->value] : o->value;
	}
	return word[1] << 32 | word[0];
}

unsigned exec_keep_denormals(void)
{
	unsigned saved = _mm_getcsr();
	_mm_setcsr(saved & ~0x8040u);
	return saved;
}

void WIDE(const struct exec *x, const struct isa_inst *in)
{
	const struct isa_info *info = &isa_info[in->op];
	uint32_t words[2][ISA_LANES_MAX];
	bool scalar = false;
	unsigned saved = exec_keep_denormals();
	for (unsigned r = 0; r < info->results; r++)
		scalar |= in->at[r].file == ISA_S;
	for (unsigned l = 0; l < (scalar ? 1 : x->lanes); l++) {
		uint64_t d = exec_wide(in->op, source(x, in, info->results, l), source(x, in, info->results + 2u, l));
		words[0][l] = (uint32_t)d;
		words[1][l] = (uint32_t)(d >> 32);
	}
	fp_leave(saved);
	for (unsigned r = 0; r < info->results; r++) {
		if (in->at[r].file == ISA_S)
			x->w->s[in->at[r].value] = words[r][0];
		else
			exec_write(x, &in->at[r], words[r]);
	}
}
