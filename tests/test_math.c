/* The numbers of isa.def, row by row through the interpreter: hand-written words for every pure row, and libm in binary64
 * (never our own output) for the functions that have a tolerance. */
#include "isa/isa.h"
#include <criterion/criterion.h>
#include <math.h>

enum { NAN_BITS = 0x7fc00000, LANES = 64 };
#define INF 0x7f800000u
#define NINF 0xff800000u
#define ONE 0x3f800000u
#define HALF 0x3f000000u
#define TWO 0x40000000u
#define NEG 0x80000000u
#define ALL 0xffffffffu

/* ---- one instruction over words ---- */

static struct isa_operand reg(uint32_t r) { return (struct isa_operand){ISA_V, r}; }

/* d[i] = op(a[i], b[i], c[i], e[i]) */
static void run_words(enum isa_op op, size_t count, const uint32_t (*src)[4], uint32_t *d)
{
	struct isa_program *p = isa_program_create();
	p->stage = ISA_COMPUTE;
	p->threads[0] = p->threads[1] = p->threads[2] = 1;
	p->vgprs = 5;
	p->wave_size = LANES;
	struct isa_inst *in = isa_append(p, op);
	for (unsigned k = 0; k < isa_info[op].count; k++)
		in->at[k] = reg(k);
	isa_append(p, ISA_endpgm);
	struct isa_wave *w = isa_wave_create(p);
	struct isa_env env = {0};
	unsigned saved = fp_enter();
	for (size_t first = 0; first < count; first += LANES) {
		size_t n = count - first < LANES ? count - first : LANES;
		isa_wave_reset(p, w, ~0ull, ~0ull);
		for (size_t l = 0; l < n; l++)
			for (unsigned k = 0; k < 4; k++)
				w->v[k + 1][l] = src[first + l][k];
		w->budget = 2;
		cr_assert_eq(isa_run(p, w, &env), ISA_DONE);
		memcpy(d + first, w->v[0], n * sizeof *d);
	}
	fp_leave(saved);
	isa_wave_destroy(w);
	isa_program_destroy(p);
}

/* The same by scalar registers: the row's other path. */
static uint32_t run_scalar(enum isa_op op, const uint32_t src[4])
{
	struct isa_program *p = isa_program_create();
	p->stage = ISA_COMPUTE;
	p->threads[0] = p->threads[1] = p->threads[2] = 1;
	p->sgprs = 2;
	p->allocated = true;
	struct isa_inst *in = isa_append(p, op);
	in->at[0] = (struct isa_operand){ISA_S, 1};
	for (unsigned k = 1; k < isa_info[op].count; k++)
		in->at[k] = (struct isa_operand){ISA_LIT, src[k - 1]};
	isa_append(p, ISA_endpgm);
	struct isa_wave *w = isa_wave_create(p);
	struct isa_env env = {0};
	unsigned saved = fp_enter();
	isa_wave_reset(p, w, 1, 1);
	w->budget = 2;
	cr_assert_eq(isa_run(p, w, &env), ISA_DONE);
	fp_leave(saved);
	uint32_t d = w->s[1];
	isa_wave_destroy(w);
	isa_program_destroy(p);
	return d;
}

/* ---- every pure row by hand ---- */

struct row { enum isa_op op; uint32_t want, a, b, c, e; };
static const struct row rows[] = {
	/* words */
	{ISA_mov, 0x7f800001, 0x7f800001, 0, 0, 0}, {ISA_mov, 1, 1, 0, 0, 0},
	{ISA_cndmask, 5, 5, 6, ALL, 0}, {ISA_cndmask, 6, 5, 6, 0, 0}, {ISA_cndmask, 5, 5, 6, 1, 0},
	{ISA_cndmask, 1, 1, 2, NEG, 0},
	{ISA_not_b32, 0xedcba987, 0x12345678, 0, 0, 0},
	{ISA_and_b32, 0x00f00000, 0x0ff00000, 0x00ff0000 & 0x00f00000, 0, 0}, {ISA_and_b32, 8, 12, 10, 0, 0},
	{ISA_or_b32, 14, 12, 10, 0, 0}, {ISA_xor_b32, 6, 12, 10, 0, 0},
	{ISA_lshl_b32, 0x80000000, 1, 31, 0, 0}, {ISA_lshl_b32, 1, 1, 32, 0, 0}, {ISA_lshl_b32, 2, 1, 0xffffffe1, 0, 0},
	{ISA_lshr_b32, 1, NEG, 31, 0, 0}, {ISA_lshr_b32, NEG, NEG, 32, 0, 0}, {ISA_lshr_b32, 0x40000000, NEG, 33, 0, 0},
	{ISA_ashr_i32, ALL, NEG, 31, 0, 0}, {ISA_ashr_i32, NEG, NEG, 64, 0, 0}, {ISA_ashr_i32, 0x3fffffff, 0x7fffffff, 1, 0, 0},
	{ISA_add_u32, 0, ALL, 1, 0, 0}, {ISA_sub_u32, ALL, 0, 1, 0, 0},
	{ISA_mul_lo_u32, 1, ALL, ALL, 0, 0}, {ISA_mul_lo_u32, 0, 0x10000, 0x10000, 0, 0},
	{ISA_mul_hi_u32, 0xfffffffe, ALL, ALL, 0, 0}, {ISA_mul_hi_u32, 1, 0x10000, 0x10000, 0, 0},
	{ISA_mul_hi_i32, 0, ALL, ALL, 0, 0}, {ISA_mul_hi_i32, 0x40000000, NEG, NEG, 0, 0}, {ISA_mul_hi_i32, ALL, ALL, 1, 0, 0},
	{ISA_mad_u32, 23, 4, 5, 3, 0}, {ISA_mad_u32, 0, ALL, 2, 2, 0},
	{ISA_div_u32, 3, 10, 3, 0, 0}, {ISA_div_u32, ALL, 10, 0, 0, 0}, {ISA_div_u32, 0, NEG, ALL, 0, 0},
	{ISA_rem_u32, 1, 10, 3, 0, 0}, {ISA_rem_u32, ALL, 10, 0, 0, 0}, {ISA_rem_u32, NEG, NEG, ALL, 0, 0},
	{ISA_div_i32, (uint32_t)-3, (uint32_t)-10, 3, 0, 0}, {ISA_div_i32, NEG, NEG, ALL, 0, 0},
	{ISA_div_i32, ALL, NEG, 0, 0, 0},
	{ISA_div_i32, (uint32_t)-3, 10, (uint32_t)-3, 0, 0},
	{ISA_rem_i32, ALL, (uint32_t)-10, 3, 0, 0}, {ISA_rem_i32, 0, NEG, ALL, 0, 0}, {ISA_rem_i32, ALL, 7, 0, 0, 0},
	{ISA_rem_i32, 1, 10, (uint32_t)-3, 0, 0},
	{ISA_min_u32, 1, ALL, 1, 0, 0}, {ISA_max_u32, ALL, ALL, 1, 0, 0}, {ISA_min_i32, ALL, ALL, 1, 0, 0},
	{ISA_max_i32, 1, ALL, 1, 0, 0}, {ISA_min_i32, NEG, NEG, 0x7fffffff, 0, 0},
	{ISA_max_i32, 0x7fffffff, NEG, 0x7fffffff, 0, 0},
	{ISA_bfe_u32, 0x34, 8, 8, 0x00123456, 0}, {ISA_bfe_u32, 0, 0, 4, ALL, 0}, {ISA_bfe_u32, 0, 32, 4, ALL, 0},
	{ISA_bfe_u32, 0xf, 8, 28, ALL, 0}, {ISA_bfe_u32, 0xf, 4, 36, 0xf0, 0}, {ISA_bfe_u32, 0x7fffffff, 31, 0, ALL, 0},
	{ISA_bfe_i32, 0x34, 8, 8, 0x00123456, 0}, {ISA_bfe_i32, 0xffffff80, 8, 0, 0x80, 0}, {ISA_bfe_i32, 0, 0, 0, ALL, 0},
	{ISA_bfe_i32, 0xfffffff8, 8, 28, NEG, 0}, {ISA_bfe_i32, ALL, 1, 31, NEG, 0},
	{ISA_bfe_i32, ALL, 4, 27, 0x78000000, 0}, {ISA_bfe_u32, 15, 4, 27, 0xf8000000, 0},
	{ISA_bfi_b32, 0xffff12ff, 8, 8, 0x12, ALL}, {ISA_bfi_b32, 0x55, 0, 3, ALL, 0x55},
	{ISA_bfi_b32, 0xf0000000, 8, 28, ALL, 0},
	{ISA_bfi_b32, 0x55, 32, 0, ALL, 0x55},
	{ISA_bfrev_b32, 0x80000000, 1, 0, 0, 0}, {ISA_bfrev_b32, 0x1e6a2c48, 0x12345678, 0, 0, 0},
	{ISA_bcnt_u32, 32, ALL, 0, 0, 0}, {ISA_bcnt_u32, 0, 0, 0, 0, 0}, {ISA_bcnt_u32, 13, 0x12345678, 0, 0, 0},
	{ISA_ffbl_b32, 0, 1, 0, 0, 0}, {ISA_ffbl_b32, 31, NEG, 0, 0, 0}, {ISA_ffbl_b32, ALL, 0, 0, 0, 0},
	{ISA_ffbl_b32, 3, 0x18, 0, 0, 0},
	{ISA_ffbh_u32, 31, 1, 0, 0, 0}, {ISA_ffbh_u32, 0, NEG, 0, 0, 0}, {ISA_ffbh_u32, ALL, 0, 0, 0, 0},
	{ISA_ffbh_i32, 31, 1, 0, 0, 0}, {ISA_ffbh_i32, 1, NEG, 0, 0, 0}, {ISA_ffbh_i32, ALL, 0, 0, 0, 0},
	{ISA_ffbh_i32, ALL, ALL, 0, 0, 0},
	{ISA_msad_u8, 100 + 1 + 16 + 255, 0x0010ff01, 0x88000000, 100, 0}, {ISA_msad_u8, 7, 0, ALL, 7, 0},
	{ISA_msad_u8, 254, 0x01010000 & 0x00ff0000, 0x00ff0000, 0, 0},
	/* comparisons */
	{ISA_cmp_eq_u32, ALL, 3, 3, 0, 0}, {ISA_cmp_eq_u32, 0, 0, NEG, 0, 0}, {ISA_cmp_ne_u32, 0, 3, 3, 0, 0},
	{ISA_cmp_ne_u32, ALL, 0, NEG, 0, 0},
	{ISA_cmp_lt_u32, ALL, 1, ALL, 0, 0}, {ISA_cmp_lt_u32, 0, 1, 1, 0, 0}, {ISA_cmp_le_u32, ALL, 1, 1, 0, 0},
	{ISA_cmp_le_u32, 0, ALL, 1, 0, 0},
	{ISA_cmp_lt_i32, ALL, ALL, 1, 0, 0}, {ISA_cmp_lt_i32, 0, 1, NEG, 0, 0}, {ISA_cmp_le_i32, ALL, NEG, NEG, 0, 0},
	{ISA_cmp_le_i32, 0, 1, ALL, 0, 0},
	{ISA_cmp_eq_f32, ALL, 0, NEG, 0, 0}, {ISA_cmp_eq_f32, ALL, 1, NEG | 5, 0, 0},
	{ISA_cmp_eq_f32, 0, NAN_BITS, NAN_BITS, 0, 0},
	{ISA_cmp_ne_f32, ALL, NAN_BITS, NAN_BITS, 0, 0}, {ISA_cmp_ne_f32, 0, 0x007fffff, 0, 0, 0},
	{ISA_cmp_ne_f32, ALL, ONE, TWO, 0, 0},
	{ISA_cmp_lt_f32, ALL, ONE, TWO, 0, 0}, {ISA_cmp_lt_f32, 0, 0, 1, 0, 0}, {ISA_cmp_lt_f32, 0, NAN_BITS, TWO, 0, 0},
	{ISA_cmp_lt_f32, ALL, NINF, INF, 0, 0}, {ISA_cmp_lt_f32, 0, NEG, 0, 0, 0},
	{ISA_cmp_le_f32, ALL, ONE, ONE, 0, 0}, {ISA_cmp_le_f32, ALL, 1, 0, 0, 0}, {ISA_cmp_le_f32, 0, ONE, NAN_BITS, 0, 0},
	{ISA_cmp_le_f32, 0, TWO, ONE, 0, 0},
	{ISA_cmp_u_f32, ALL, ONE, 0xffc00001, 0, 0}, {ISA_cmp_u_f32, ALL, 0x7f800001, 0, 0, 0},
	{ISA_cmp_u_f32, 0, INF, NINF, 0, 0},
	/* arithmetic; a denormal is a zero of its sign, a NaN is one NaN */
	{ISA_add_f32, 0x40400000, ONE, TWO, 0, 0}, {ISA_add_f32, NAN_BITS, INF, NINF, 0, 0}, {ISA_add_f32, 0, NEG, 0, 0, 0},
	{ISA_add_f32, NEG, NEG, NEG, 0, 0}, {ISA_add_f32, 0, 0x007fffff, 0x007fffff, 0, 0},
	{ISA_add_f32, NEG, NEG | 1, NEG, 0, 0},
	{ISA_add_f32, NAN_BITS, 0xffc12345, ONE, 0, 0}, {ISA_add_f32, NAN_BITS, 0x7f800001, ONE, 0, 0},
	{ISA_add_f32, INF, 0x7f7fffff, 0x7f7fffff, 0, 0},
	{ISA_add_f32, 0x4b800000, 0x4b800000, ONE, 0, 0}, {ISA_add_f32, 0x4b800002, 0x4b800001, ONE, 0, 0}, /* ties to even */
	{ISA_sub_f32, 0xbf800000, ONE, TWO, 0, 0}, {ISA_sub_f32, NAN_BITS, INF, INF, 0, 0}, {ISA_sub_f32, 0, ONE, ONE, 0, 0},
	{ISA_sub_f32, 0, 0x00800001, 0x00800000, 0, 0},
	{ISA_sub_f32, NEG, 0x00800000, 0x00800001, 0, 0}, /* a denormal difference */
	{ISA_mul_f32, 0x40c00000, TWO, 0x40400000, 0, 0}, {ISA_mul_f32, NAN_BITS, INF, 0, 0, 0},
	{ISA_mul_f32, NEG, NEG, ONE, 0, 0},
	{ISA_mul_f32, 0, 0x00800000, HALF, 0, 0}, {ISA_mul_f32, NEG, 0x80800000, HALF, 0, 0},
	{ISA_mul_f32, NAN_BITS, INF, 1, 0, 0},
	{ISA_div_f32, HALF, ONE, TWO, 0, 0}, {ISA_div_f32, 0x3eaaaaab, ONE, 0x40400000, 0, 0}, {ISA_div_f32, INF, ONE, 0, 0, 0},
	{ISA_div_f32, NINF, ONE, NEG, 0, 0}, {ISA_div_f32, NAN_BITS, 0, 0, 0, 0}, {ISA_div_f32, INF, ONE, 1, 0, 0},
	{ISA_div_f32, 0, ONE, INF, 0, 0},
	{ISA_rem_f32, ONE, 0x40e00000, TWO, 0, 0}, {ISA_rem_f32, 0xbf800000, 0xc0e00000, TWO, 0, 0},
	{ISA_rem_f32, NAN_BITS, ONE, 0, 0, 0},
	{ISA_rem_f32, NAN_BITS, INF, ONE, 0, 0}, {ISA_rem_f32, ONE, ONE, INF, 0, 0}, {ISA_rem_f32, NEG, 0xc0000000, TWO, 0, 0},
	{ISA_rem_f32, NAN_BITS, ONE, NAN_BITS, 0, 0}, {ISA_rem_f32, NAN_BITS, ONE, 1, 0, 0},
	{ISA_rem_f32, ONE, 0x40e00000, 0xc0400000, 0, 0},
	{ISA_rem_f32, 0, 0x00e00000, 0x00800000, 0, 0}, {ISA_rem_f32, NEG, 0x80e00000, 0x00800000, 0, 0}, /* denormal */
	{ISA_mad_f32, 0x40e00000, TWO, 0x40400000, ONE, 0}, /* below: a fused one would give -2^-46 */
	{ISA_mad_f32, 0, 0x3f800001, 0x3f7ffffe, 0xbf800000, 0},
	{ISA_min_f32, ONE, ONE, TWO, 0, 0}, {ISA_min_f32, ONE, NAN_BITS, ONE, 0, 0}, {ISA_min_f32, ONE, ONE, 0x7f800001, 0, 0},
	{ISA_min_f32, NEG, 0, NEG, 0, 0}, {ISA_min_f32, NEG, NEG, 0, 0, 0},
	{ISA_min_f32, NAN_BITS, 0xffc00000, 0x7f800001, 0, 0}, {ISA_min_f32, NINF, NINF, ONE, 0, 0},
	{ISA_max_f32, TWO, ONE, TWO, 0, 0}, {ISA_max_f32, ONE, NAN_BITS, ONE, 0, 0}, {ISA_max_f32, ONE, ONE, 0xffffffff, 0, 0},
	{ISA_max_f32, 0, 0, NEG, 0, 0}, {ISA_max_f32, 0, NEG, 0, 0, 0}, {ISA_max_f32, NAN_BITS, 0xffc00000, 0x7f800001, 0, 0},
	{ISA_max_f32, NEG, NEG, NINF, 0, 0},
	{ISA_sat_f32, HALF, HALF, 0, 0, 0}, {ISA_sat_f32, ONE, INF, 0, 0, 0}, {ISA_sat_f32, 0, NINF, 0, 0, 0},
	{ISA_sat_f32, 0, NAN_BITS, 0, 0, 0},
	{ISA_sat_f32, 0, NEG, 0, 0, 0}, {ISA_sat_f32, 0, 1, 0, 0, 0}, {ISA_sat_f32, ONE, ONE, 0, 0, 0},
	{ISA_sat_f32, 0x3f7fffff, 0x3f7fffff, 0, 0, 0},
	{ISA_abs_f32, ONE, 0xbf800000, 0, 0, 0}, {ISA_abs_f32, 0x7f800001, 0xff800001, 0, 0, 0},
	{ISA_abs_f32, 1, NEG | 1, 0, 0, 0},
	{ISA_neg_f32, 0xbf800000, ONE, 0, 0, 0}, {ISA_neg_f32, NEG, 0, 0, 0, 0}, {ISA_neg_f32, 0xff800001, 0x7f800001, 0, 0, 0},
	{ISA_fract_f32, HALF, 0x3fc00000, 0, 0, 0}, {ISA_fract_f32, 0x3f400000, 0xbe800000, 0, 0, 0},
	{ISA_fract_f32, NAN_BITS, INF, 0, 0, 0},
	{ISA_fract_f32, 0x3f7fffff, 0xb0000000, 0, 0, 0}, {ISA_fract_f32, 0, NEG | 1, 0, 0, 0},
	{ISA_fract_f32, 0, 0x4b800001, 0, 0, 0}, {ISA_fract_f32, NAN_BITS, 0xffc00000, 0, 0, 0},
	{ISA_rndne_f32, 0, HALF, 0, 0, 0}, {ISA_rndne_f32, TWO, 0x3fc00000, 0, 0, 0}, {ISA_rndne_f32, NEG, 0xbf000000, 0, 0, 0},
	{ISA_rndne_f32, TWO, 0x40200000, 0, 0, 0},
	{ISA_rndne_f32, NEG, NEG, 0, 0, 0}, {ISA_rndne_f32, INF, INF, 0, 0, 0}, {ISA_rndne_f32, NAN_BITS, 0xffc00000, 0, 0, 0},
	{ISA_rndne_f32, 0x4b000000, 0x4affffff, 0, 0, 0}, {ISA_rndne_f32, 0x4b000001, 0x4b000001, 0, 0, 0},
	{ISA_floor_f32, ONE, 0x3fc00000, 0, 0, 0}, {ISA_floor_f32, 0xc0000000, 0xbfc00000, 0, 0, 0},
	{ISA_floor_f32, NEG, NEG, 0, 0, 0}, {ISA_floor_f32, NEG, NEG | 1, 0, 0, 0},
	{ISA_floor_f32, 0xbf800000, 0x80800000, 0, 0, 0}, {ISA_floor_f32, NINF, NINF, 0, 0, 0},
	{ISA_floor_f32, NAN_BITS, 0x7f800001, 0, 0, 0}, {ISA_floor_f32, 0, 0x3f7fffff, 0, 0, 0},
	{ISA_ceil_f32, TWO, 0x3fc00000, 0, 0, 0}, {ISA_ceil_f32, 0xbf800000, 0xbfc00000, 0, 0, 0},
	{ISA_ceil_f32, NEG, 0xbf000000, 0, 0, 0}, {ISA_ceil_f32, 0, 1, 0, 0, 0},
	{ISA_ceil_f32, ONE, 0x00800000, 0, 0, 0}, {ISA_ceil_f32, NAN_BITS, 0xffc00000, 0, 0, 0},
	{ISA_ceil_f32, INF, INF, 0, 0, 0},
	{ISA_trunc_f32, ONE, 0x3fffffff, 0, 0, 0}, {ISA_trunc_f32, 0xbf800000, 0xbfffffff, 0, 0, 0},
	{ISA_trunc_f32, NEG, 0xbf7fffff, 0, 0, 0}, {ISA_trunc_f32, NAN_BITS, 0xffc00001, 0, 0, 0},
	{ISA_trunc_f32, NINF, NINF, 0, 0, 0},
	{ISA_sqrt_f32, TWO, 0x40800000, 0, 0, 0}, {ISA_sqrt_f32, NEG, NEG, 0, 0, 0},
	{ISA_sqrt_f32, NAN_BITS, 0xbf800000, 0, 0, 0}, {ISA_sqrt_f32, INF, INF, 0, 0, 0},
	{ISA_sqrt_f32, 0x3fb504f3, TWO, 0, 0, 0}, {ISA_sqrt_f32, NEG, NEG | 1, 0, 0, 0},
	{ISA_sqrt_f32, NAN_BITS, NINF, 0, 0, 0},
	{ISA_rsq_f32, HALF, 0x40800000, 0, 0, 0}, {ISA_rsq_f32, INF, 0, 0, 0, 0}, {ISA_rsq_f32, NINF, NEG, 0, 0, 0},
	{ISA_rsq_f32, 0, INF, 0, 0, 0}, {ISA_rsq_f32, NAN_BITS, 0xbf800000, 0, 0, 0},
	/* functions: the words that have no tolerance */
	{ISA_exp_f32, ONE, 0, 0, 0, 0}, {ISA_exp_f32, ONE, NEG, 0, 0, 0}, {ISA_exp_f32, INF, INF, 0, 0, 0},
	{ISA_exp_f32, 0, NINF, 0, 0, 0}, {ISA_exp_f32, NAN_BITS, 0xffc00000, 0, 0, 0},
	{ISA_exp_f32, 0x41000000, 0x40400000, 0, 0, 0}, {ISA_exp_f32, INF, 0x43000000, 0, 0, 0},
	{ISA_exp_f32, 0x00800000, 0xc2fc0000, 0, 0, 0}, {ISA_exp_f32, 0, 0xc2fe0000, 0, 0, 0},
	{ISA_log_f32, 0x40400000, 0x41000000, 0, 0, 0}, {ISA_log_f32, NINF, 0, 0, 0, 0}, {ISA_log_f32, NINF, NEG, 0, 0, 0},
	{ISA_log_f32, NINF, 1, 0, 0, 0}, {ISA_log_f32, NAN_BITS, 0xbf800000, 0, 0, 0},
	{ISA_log_f32, INF, INF, 0, 0, 0}, {ISA_log_f32, 0, ONE, 0, 0, 0}, {ISA_log_f32, 0xc2fc0000, 0x00800000, 0, 0, 0},
	{ISA_log_f32, NAN_BITS, NINF, 0, 0, 0},
	{ISA_sin_f32, 0, 0, 0, 0, 0}, {ISA_sin_f32, NEG, NEG, 0, 0, 0}, {ISA_sin_f32, NAN_BITS, INF, 0, 0, 0},
	{ISA_sin_f32, NAN_BITS, NINF, 0, 0, 0}, {ISA_sin_f32, NAN_BITS, 0x7f800001, 0, 0, 0},
	{ISA_cos_f32, ONE, 0, 0, 0, 0}, {ISA_cos_f32, ONE, NEG, 0, 0, 0}, {ISA_cos_f32, NAN_BITS, INF, 0, 0, 0},
	{ISA_cos_f32, NAN_BITS, 0xffc00000, 0, 0, 0}, {ISA_cos_f32, ONE, 1, 0, 0, 0},
	{ISA_tan_f32, 0, 0, 0, 0, 0}, {ISA_tan_f32, NEG, NEG, 0, 0, 0}, {ISA_tan_f32, NAN_BITS, INF, 0, 0, 0},
	{ISA_asin_f32, NEG, NEG, 0, 0, 0}, {ISA_asin_f32, 0x3fc90fdb, ONE, 0, 0, 0},
	{ISA_asin_f32, NAN_BITS, 0x3f800001, 0, 0, 0}, {ISA_asin_f32, NAN_BITS, NAN_BITS, 0, 0, 0},
	{ISA_acos_f32, 0, ONE, 0, 0, 0}, {ISA_acos_f32, 0x40490fdb, 0xbf800000, 0, 0, 0},
	{ISA_acos_f32, NAN_BITS, 0xbf800001, 0, 0, 0}, {ISA_acos_f32, 0x3fc90fdb, 0, 0, 0, 0},
	{ISA_atan_f32, NEG, NEG, 0, 0, 0}, {ISA_atan_f32, 0x3fc90fdb, INF, 0, 0, 0}, {ISA_atan_f32, 0xbfc90fdb, NINF, 0, 0, 0},
	{ISA_atan_f32, 0x3f490fdb, ONE, 0, 0, 0}, {ISA_atan_f32, NAN_BITS, 0xffc00000, 0, 0, 0},
	{ISA_sinh_f32, NEG, NEG, 0, 0, 0}, {ISA_sinh_f32, INF, INF, 0, 0, 0}, {ISA_sinh_f32, NINF, 0xc2c80000, 0, 0, 0},
	{ISA_sinh_f32, NAN_BITS, 0xffc00000, 0, 0, 0},
	{ISA_cosh_f32, ONE, 0, 0, 0, 0}, {ISA_cosh_f32, INF, NINF, 0, 0, 0}, {ISA_cosh_f32, NAN_BITS, 0xffc00000, 0, 0, 0},
	{ISA_tanh_f32, NEG, NEG, 0, 0, 0}, {ISA_tanh_f32, ONE, INF, 0, 0, 0}, {ISA_tanh_f32, 0xbf800000, NINF, 0, 0, 0},
	{ISA_tanh_f32, NAN_BITS, 0xffc00000, 0, 0, 0},
	/* classes: of the bits, so denormals are not zeros */
	{ISA_is_nan_f32, ALL, 0xff800001, 0, 0, 0}, {ISA_is_nan_f32, 0, NINF, 0, 0, 0}, {ISA_is_inf_f32, ALL, NINF, 0, 0, 0},
	{ISA_is_inf_f32, 0, 0x7f800001, 0, 0, 0},
	{ISA_is_finite_f32, ALL, 0xff7fffff, 0, 0, 0}, {ISA_is_finite_f32, 0, INF, 0, 0, 0},
	{ISA_is_finite_f32, 0, NAN_BITS, 0, 0, 0}, {ISA_is_finite_f32, ALL, 1, 0, 0, 0},
	{ISA_is_normal_f32, ALL, 0x80800000, 0, 0, 0}, {ISA_is_normal_f32, 0, 0x007fffff, 0, 0, 0},
	{ISA_is_normal_f32, 0, 0, 0, 0, 0}, {ISA_is_normal_f32, 0, INF, 0, 0, 0}, {ISA_is_normal_f32, ALL, 0x7f7fffff, 0, 0, 0},
	/* conversions */
	{ISA_cvt_f32_i32, 0xcf000000, NEG, 0, 0, 0}, {ISA_cvt_f32_i32, 0xbf800000, ALL, 0, 0, 0},
	{ISA_cvt_f32_i32, 0x4b800000, 0x01000001, 0, 0, 0}, {ISA_cvt_f32_i32, 0x4b800002, 0x01000003, 0, 0, 0},
	{ISA_cvt_f32_i32, 0x4f000000, 0x7fffffff, 0, 0, 0},
	{ISA_cvt_f32_u32, 0x4f000000, NEG, 0, 0, 0}, {ISA_cvt_f32_u32, 0x4f800000, ALL, 0, 0, 0},
	{ISA_cvt_f32_u32, 0x4f000000, 0x80000080, 0, 0, 0}, {ISA_cvt_f32_u32, 0x4f000001, 0x80000081, 0, 0, 0},
	{ISA_cvt_f32_u32, 0x4f000002, 0x80000180, 0, 0, 0},
	{ISA_cvt_i32_f32, 1, 0x3fffffff, 0, 0, 0}, {ISA_cvt_i32_f32, ALL, 0xbfffffff, 0, 0, 0},
	{ISA_cvt_i32_f32, 0x7fffffff, 0x4f000000, 0, 0, 0}, {ISA_cvt_i32_f32, 0x7fffff80, 0x4effffff, 0, 0, 0},
	{ISA_cvt_i32_f32, NEG, 0xcf000000, 0, 0, 0}, {ISA_cvt_i32_f32, NEG, NINF, 0, 0, 0},
	{ISA_cvt_i32_f32, 0x7fffffff, INF, 0, 0, 0}, {ISA_cvt_i32_f32, 0, 0xffc00000, 0, 0, 0},
	{ISA_cvt_i32_f32, 0, 1, 0, 0, 0},
	{ISA_cvt_u32_f32, 1, 0x3fffffff, 0, 0, 0}, {ISA_cvt_u32_f32, 0, 0xbfffffff, 0, 0, 0},
	{ISA_cvt_u32_f32, ALL, 0x4f800000, 0, 0, 0}, {ISA_cvt_u32_f32, 0xffffff00, 0x4f7fffff, 0, 0, 0},
	{ISA_cvt_u32_f32, NEG, 0x4f000000, 0, 0, 0},
	{ISA_cvt_u32_f32, ALL, INF, 0, 0, 0}, {ISA_cvt_u32_f32, 0, NINF, 0, 0, 0}, {ISA_cvt_u32_f32, 0, NAN_BITS, 0, 0, 0},
	/* 1*5 - 2*6 + 127*2 - 128*3 = -137; unsigned 1*5 + 254*6 + 127*2 + 128*3 = 2167 */
	{ISA_dot4_i32_i8, 100u - 137u, 0x807ffe01, 0x03020605, 100, 0}, {ISA_dot4_u32_u8, 2267, 0x807ffe01, 0x03020605, 100, 0},
	{ISA_dot4_i32_i8, 4, ALL, ALL, 0, 0}, {ISA_dot4_u32_u8, 260099, ALL, ALL, ALL, 0},
	{ISA_cvt_f16_f32_rne, 0x3c00, ONE, 0, 0, 0}, {ISA_cvt_f16_f32_rne, 0x7c00, INF, 0, 0, 0},
	{ISA_cvt_f16_f32_rne, 0xfc00, NINF, 0, 0, 0}, {ISA_cvt_f16_f32_rne, 0x7e00, 0xffc00000, 0, 0, 0},
	/* 65519.996 is the last below the tie at 65520, which goes to infinity */
	{ISA_cvt_f16_f32_rne, 0x7bff, 0x477fefff, 0, 0, 0}, {ISA_cvt_f16_f32_rne, 0xfc00, 0xc77ff000, 0, 0, 0},
	/* 1 + 2^-11 is a tie to 1, 1 + 3 * 2^-11 one to 1 + 2^-9; a bit more goes up; 2 - 2^-12 carries into the exponent */
	{ISA_cvt_f16_f32_rne, 0x3c00, 0x3f801000, 0, 0, 0}, {ISA_cvt_f16_f32_rne, 0x3c02, 0x3f803000, 0, 0, 0},
	{ISA_cvt_f16_f32_rne, 0x3c01, 0x3f801001, 0, 0, 0}, {ISA_cvt_f16_f32_rne, 0x4000, 0x3ffff000, 0, 0, 0},
	/* denormals: 2^-24; 2^-25 a tie to 0; a bit more; 3 * 2^-25 a tie to 2^-23; 1023.5 * 2^-24 up to the least normal */
	{ISA_cvt_f16_f32_rne, 1, 0x33800000, 0, 0, 0}, {ISA_cvt_f16_f32_rne, 0x8000, 0xb3000000, 0, 0, 0},
	{ISA_cvt_f16_f32_rne, 1, 0x33000001, 0, 0, 0}, {ISA_cvt_f16_f32_rne, 2, 0x33c00000, 0, 0, 0},
	{ISA_cvt_f16_f32_rne, 0x400, 0x387fe000, 0, 0, 0}, {ISA_cvt_f16_f32_rne, 0, 0x32ffffff, 0, 0, 0},
	{ISA_cvt_f16_f32, 0x3c00, ONE, 0, 0, 0}, {ISA_cvt_f16_f32, 0x7bff, 0x477fffff, 0, 0, 0},
	{ISA_cvt_f16_f32, 0xfbff, 0xff7fffff, 0, 0, 0}, {ISA_cvt_f16_f32, 0x7c00, INF, 0, 0, 0},
	{ISA_cvt_f16_f32, 0xfc00, NINF, 0, 0, 0}, {ISA_cvt_f16_f32, 0x7bff, 0x47800000, 0, 0, 0}, /* 65536 */
	{ISA_cvt_f16_f32, 0xfbff, 0xc7800000, 0, 0, 0},
	{ISA_cvt_f16_f32, 0x7e00, 0xffc00000, 0, 0, 0}, {ISA_cvt_f16_f32, 1, 0x33800000, 0, 0, 0},
	{ISA_cvt_f16_f32, 0, 0x337fffff, 0, 0, 0}, {ISA_cvt_f16_f32, 0x8000, NEG | 1, 0, 0, 0},
	{ISA_cvt_f16_f32, 0x3ff, 0x387fffff, 0, 0, 0}, {ISA_cvt_f16_f32, 0x3555, 0x3eaaaaab, 0, 0, 0},
	{ISA_cvt_f32_f16, ONE, 0x3c00, 0, 0, 0}, {ISA_cvt_f32_f16, 0x33800000, 0xffff0001, 0, 0, 0},
	{ISA_cvt_f32_f16, NINF, 0xfc00, 0, 0, 0}, {ISA_cvt_f32_f16, 0x477fe000, 0x7bff, 0, 0, 0},
	{ISA_cvt_f32_f16, NEG, 0x8000, 0, 0, 0}, {ISA_cvt_f32_f16, NAN_BITS, 0x7e00, 0, 0, 0},
	{ISA_cvt_pkrtz_f16_f32, 0xc0003c00, ONE, 0xc0000000, 0, 0},
	{ISA_cvt_pkrtz_f16_f32, 0x7e00fbff, 0xc77fffff, 0xffffffff, 0, 0},
	{ISA_cvt_pknorm_u16_f32, 0xffff0000, 0xbf800000, TWO, 0, 0}, {ISA_cvt_pknorm_u16_f32, 0x8000, HALF, NAN_BITS, 0, 0},
	{ISA_cvt_pknorm_u16_f32, 0x00005555, 0x3eaaaaab, 1, 0, 0}, {ISA_cvt_pknorm_u16_f32, 0x0000ffff, INF, NINF, 0, 0},
	{ISA_cvt_pknorm_i16_f32, 0x80017fff, ONE, 0xbf800000, 0, 0},
	{ISA_cvt_pknorm_i16_f32, 0xc0004000, HALF, 0xbf000000, 0, 0}, {ISA_cvt_pknorm_i16_f32, 0x80017fff, INF, NINF, 0, 0},
	{ISA_cvt_pknorm_i16_f32, 0, NAN_BITS, NEG, 0, 0},
	{ISA_cvt_pk_u16_u32, 0xffff1234, 0x1234, 0x10000, 0, 0}, {ISA_cvt_pk_u16_u32, 0xffffffff, 0xffff, ALL, 0, 0},
	{ISA_cvt_pk_i16_i32, 0x80007fff, 0x8000, NEG, 0, 0}, {ISA_cvt_pk_i16_i32, 0xffff8000, 0xffff8000, ALL, 0, 0},
	{ISA_cvt_pk_i16_i32, 0x7fff8000, 0xffff7fff, 0x7fffffff, 0, 0},
};

Test(math, rows_by_hand)
{
	bool seen[ISA_OP_COUNT] = {false};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		const struct row *r = &rows[i];
		const uint32_t src[1][4] = {{r->a, r->b, r->c, r->e}};
		uint32_t d;
		run_words(r->op, 1, src, &d);
		cr_expect_eq(d, r->want, "case %zu: %s %08x %08x %08x %08x: %08x, want %08x", i, isa_info[r->op].name, r->a, r->b,
			r->c, r->e, d, r->want);
		d = run_scalar(r->op, src[0]);
		cr_expect_eq(d, r->want, "case %zu: scalar %s: %08x, want %08x", i, isa_info[r->op].name, d, r->want);
		seen[r->op] = true;
	}
	for (int op = 0; op < ISA_OP_COUNT; op++)
		cr_expect(seen[op] || isa_info[op].kind != ISA_KIND_PURE, "%s has no case", isa_info[op].name);
}

/* ---- functions against libm ---- */

static uint64_t next(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Distance from the binary64 value in units of the last place of its binary32 neighbours. */
static double ulps(float got, double want)
{
	if (isinf(want) || isinf(got))
		return (double)got == want || (float)want == got ? 0 : INFINITY;
	int e;
	frexp(want, &e);
	return fabs((double)got - want) / ldexp(1.0, (e < -125 ? -125 : e) - 24);
}

struct function { enum isa_op op; double (*libm)(double); float low, high; double ulps; };
static const struct function functions[] = { /* tighter than D3D's 2^-21 relative (8 ulps of 2^-24) and 0.0008 absolute */
	{ISA_exp_f32, exp2, -126, 128, 0.51}, {ISA_log_f32, log2, 1.1754944e-38f, 3.4e38f, 0.51},
	{ISA_log_f32, log2, 0.5f, 2, 0.51},
	{ISA_sin_f32, sin, -320, 320, 0.51}, {ISA_cos_f32, cos, -320, 320, 0.51}, {ISA_tan_f32, tan, -320, 320, 0.51},
	{ISA_sin_f32, sin, -3.4e38f, 3.4e38f, 0.51}, {ISA_cos_f32, cos, -3.4e38f, 3.4e38f, 0.51},
	{ISA_tan_f32, tan, -3.4e38f, 3.4e38f, 0.51},
	{ISA_asin_f32, asin, -1, 1, 0.51}, {ISA_acos_f32, acos, -1, 1, 0.51}, {ISA_atan_f32, atan, -100, 100, 0.51},
	{ISA_atan_f32, atan, -3.4e38f, 3.4e38f, 0.51}, {ISA_sinh_f32, sinh, -89, 89, 0.51}, {ISA_cosh_f32, cosh, -89, 89, 0.51},
	{ISA_tanh_f32, tanh, -20, 20, 0.51}, {ISA_sinh_f32, sinh, -2, 2, 0.51}, {ISA_tanh_f32, tanh, -2, 2, 0.51},
	{ISA_sqrt_f32, sqrt, 0, 3.4e38f, 0.5},
};

enum { POINTS = 1 << 17 };

/* A third evenly over the range, a third over all exponents, a third around multiples of pi/4. */
static uint32_t argument(const struct function *f, uint64_t *seed)
{
	float x;
	do {
		unsigned way = (unsigned)(next(seed) >> 20) % 3;
		uint64_t r = next(seed);
		if (way == 0)
			x = (float)(f->low + ((double)f->high - f->low) * ((double)(r >> 11) / 9007199254740992.0));
		else if (way == 1)
			x = bits_float((uint32_t)r);
		else
			x = bits_float(float_bits((float)((double)(r % 1000) * 0.78539816339744831)) + (uint32_t)(r >> 40) % 7 - 3);
	} while (!(x >= f->low && x <= f->high) || (x != 0 && fabsf(x) < 1.1754944e-38f));
	return float_bits(x);
}

static void check_function(const struct function *f)
{
	uint32_t (*src)[4] = mem_array(POINTS, sizeof *src), *d = mem_array(POINTS, sizeof *d);
	uint64_t seed = 0x9e3779b97f4a7c15u;
	double worst = 0;
	for (size_t i = 0; i < POINTS; i++)
		src[i][0] = argument(f, &seed);
	run_words(f->op, POINTS, (const uint32_t (*)[4])src, d);
	for (size_t i = 0; i < POINTS; i++) {
		float x = bits_float(src[i][0]), got = bits_float(d[i]);
		double want = f->libm((double)x), error = ulps(got, want);
		if (fabs(want) < 1.1754943508222875e-38 && got == 0)
			continue; /* a denormal result is zero */
		worst = error > worst ? error : worst;
		cr_assert(error <= f->ulps, "%s(%a) = %a, libm %a: %g ulps", isa_info[f->op].name, x, got, want, error);
		if (f->op == ISA_sin_f32 || f->op == ISA_cos_f32)
			cr_assert(got >= -1 && got <= 1);
	}
	cr_log_info("%s: worst %g ulps\n", isa_info[f->op].name, worst);
	mem_free(src);
	mem_free(d);
}

Test(math, functions_against_libm)
{
	for (size_t i = 0; i < ARRAY_COUNT(functions); i++)
		check_function(&functions[i]);
}

Test(math, random_arithmetic)
{
	uint32_t (*src)[4] = mem_array(POINTS, sizeof *src), *d = mem_array(POINTS, sizeof *d);
	uint64_t seed = 88172645463325252u;
	for (size_t i = 0; i < POINTS; i++) { /* normal, not too far apart */
		uint64_t r = next(&seed);
		src[i][0] = ((uint32_t)r & 0x9fffffff) | 0x20000000;
		src[i][1] = ((uint32_t)(r >> 32) & 0x9fffffff) | 0x20000000;
	}
	run_words(ISA_rem_f32, POINTS, (const uint32_t (*)[4])src, d);
	for (size_t i = 0; i < POINTS; i++) {
		float a = bits_float(src[i][0]), b = bits_float(src[i][1]);
		float want = fmodf(a, b);
		want = fpclassify(want) == FP_SUBNORMAL ? copysignf(0, want) : want;
		cr_assert_eq(d[i], float_bits(want), "fmod(%a, %a) = %a", a, b, bits_float(d[i]));
	}
	for (size_t i = 0; i < POINTS; i++) { /* binary64 sums and products of binary32 numbers round twice to the same */
		src[i][0] = (src[i][0] & 0x80ffffff) | 0x3c000000;
		src[i][1] = (src[i][1] & 0x80ffffff) | 0x3c000000;
	}
	run_words(ISA_add_f32, POINTS, (const uint32_t (*)[4])src, d);
	for (size_t i = 0; i < POINTS; i++)
		cr_assert_eq(d[i], float_bits((float)((double)bits_float(src[i][0]) + bits_float(src[i][1]))));
	run_words(ISA_mul_f32, POINTS, (const uint32_t (*)[4])src, d);
	for (size_t i = 0; i < POINTS; i++)
		cr_assert_eq(d[i], float_bits((float)((double)bits_float(src[i][0]) * bits_float(src[i][1]))));
	mem_free(src);
	mem_free(d);
}

/* ---- half ---- */

/* By value: sign, exponent and mantissa as the format defines them. */
static double half_value(uint32_t h)
{
	double m = h & 0x3ff, v = h >> 10 & 31 ? ldexp(1024 + m, (int)(h >> 10 & 31) - 25) : ldexp(m, -24);
	return h & 0x8000 ? -v : v;
}

Test(math, every_half)
{
	for (unsigned saved = 2; saved-- > 0;) { /* in both modes of MXCSR the same */
		unsigned csr = fp_enter();
		if (saved)
			fp_leave(csr);
		for (uint32_t h = 0; h < 0x10000; h++) {
			uint32_t f = isa_f16_to_f32(h);
			bool nan = (h & 0x7fff) > 0x7c00;
			if ((h & 0x7c00) != 0x7c00)
				cr_assert_eq((double)bits_float(f), half_value(h), "half %04x", h);
			else
				cr_assert_eq(f, nan ? (uint32_t)NAN_BITS : (h & 0x8000) << 16 | INF);
			cr_assert_eq(isa_f32_to_f16_rtz(f), nan ? 0x7e00u : h, "half %04x", h);
		}
		fp_leave(csr);
	}
}

Test(math, half_toward_zero)
{
	uint64_t seed = 88172645463325252u;
	for (size_t i = 0; i < 4 * POINTS; i++) {
		uint32_t f = (uint32_t)next(&seed);
		if (i & 1)
			f = (f & 0x8fffffff) | 0x30000000; /* where halves are */
		float x = bits_float(f);
		if (isnan(x))
			continue;
		uint32_t h = isa_f32_to_f16_rtz(f);
		cr_assert_eq(h >> 15, f >> 31);
		cr_assert_eq((h & 0x7fff) == 0x7c00, isinf(x) != 0);
		if (isinf(x))
			continue;
		double a = fabs((double)x);
		cr_assert(fabs(half_value(h)) <= a, "%a -> %04x", x, h);
		cr_assert((h & 0x7fff) == 0x7bff || fabs(half_value(h + 1)) > a, "%a -> %04x", x, h);
	}
}

/* ---- 16-bit norm: nearest code, by the definition ---- */

Test(math, norm16)
{
	uint32_t (*src)[4] = mem_array(POINTS, sizeof *src), *d = mem_array(POINTS, sizeof *d);
	for (size_t i = 0; i < POINTS; i++) /* every code, and every boundary between two with its neighbours */
		src[i][0] = float_bits((float)(((double)(i / 2) + 0.5) / 65535.0)) + (uint32_t)(i % 3) - 1;
	run_words(ISA_cvt_pknorm_u16_f32, POINTS, (const uint32_t (*)[4])src, d);
	for (size_t i = 0; i < POINTS; i++) {
		double scaled = (double)bits_float(src[i][0]) * 65535.0;
		uint32_t want = scaled >= 65535 ? 65535 : (uint32_t)floor(scaled + 0.5);
		cr_assert_eq(d[i], want, "%a: %u", bits_float(src[i][0]), d[i]);
	}
	for (size_t i = 0; i < POINTS; i++)
		src[i][0] = (float_bits((float)(((double)(i / 2 % 32768) + 0.5) / 32767.0)) + (uint32_t)(i % 3) - 1) |
			(i & 1 ? NEG : 0);
	run_words(ISA_cvt_pknorm_i16_f32, POINTS, (const uint32_t (*)[4])src, d);
	for (size_t i = 0; i < POINTS; i++) {
		double x = bits_float(src[i][0]), scaled = fabs(x) > 1 ? 32767 : fabs(x) * 32767.0;
		int code = (int)floor(scaled + 0.5);
		cr_assert_eq(d[i], (uint32_t)(x < 0 ? -code : code) & 0xffff, "%a: %x", x, d[i]);
	}
	mem_free(src);
	mem_free(d);
}
