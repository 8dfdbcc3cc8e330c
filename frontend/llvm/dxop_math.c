/* dx.op calls that are arithmetic on the lane's own words: one instruction each, or a few. */
#include "frontend/llvm/dxop.h"

/* ---- one instruction ---- */

/* An operation on 64-bit numbers; false: it is none. */
static bool wide_op(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	LLVMValueRef arguments[4];
	if (!lower_is_wide(LLVMTypeOf(dxop_argument(call, 0))))
		return false;
	for (unsigned i = 0; i < dxop_operand_count(row); i++)
		arguments[i] = dxop_argument(call, i);
	if (!lower_wide_call(l, call, (enum isa_op)row->first, dxop_operand_count(row), arguments))
		lower_unsupported(l, "%s on %s", dxop_name(l, call, row), lower_type_name(l, LLVMTypeOf(arguments[0])));
	return true;
}

static void simple_op(struct lower *l, LLVMValueRef call, const struct dxop *row, bool narrow, bool is_signed)
{
	struct isa_operand sources[4];
	const char *name = dxop_name(l, call, row);
	if (wide_op(l, call, row) || !lower_check_word(l, LLVMTypeOf(call), name))
		return;
	for (unsigned i = 0; i < dxop_operand_count(row); i++) {
		LLVMTypeRef t = LLVMTypeOf(dxop_argument(call, i));
		if (!lower_check_word(l, t, name))
			return;
		if (!narrow && LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) < 32) {
			lower_unsupported(l, "%s on %s", name, lower_type_name(l, t));
			return;
		}
		sources[i] = lower_is_half(l, t) ? lower_float(l, dxop_argument(call, i))
			: lower_extended(l, dxop_argument(call, i), is_signed);
	}
	struct isa_operand d = emit_op(l, (enum isa_op)row->first, dxop_operand_count(row), sources);
	lower_result(l, call, lower_rounded(l, d, LLVMTypeOf(call)));
}

void dxop_simple(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	simple_op(l, call, row, false, false);
}

void dxop_simple_signed(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	simple_op(l, call, row, true, true);
}

void dxop_simple_unsigned(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	simple_op(l, call, row, true, false);
}

void dxop_derivative(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	l->p->flags |= ISA_USES_DERIVATIVES;
	simple_op(l, call, row, false, false);
}

/* The fraction stays below 1: rounded to half, the smallest negative numbers would give that. */
void dxop_fract(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	enum { ONE = 0x3c00 };
	if (!lower_is_half(l, LLVMTypeOf(call))) {
		dxop_simple(l, call, row);
		return;
	}
	struct isa_operand d = emit1(l, (enum isa_op)row->first, lower_float(l, dxop_argument(call, 0)));
	d = lower_rounded(l, d, LLVMTypeOf(call));
	lower_result(l, call, emit3(l, ISA_cndmask, op_lit(ONE - 1), d, emit2(l, ISA_cmp_eq_u32, d, op_lit(ONE))));
}

/* a * b + c, rounded after each operation. */
static struct isa_operand mad(struct lower *l, LLVMTypeRef t, struct isa_operand a, struct isa_operand b,
	struct isa_operand c)
{
	if (!lower_is_half(l, t))
		return emit3(l, ISA_mad_f32, a, b, c);
	struct isa_operand product = emit1(l, ISA_cvt_f32_f16, lower_rounded(l, emit2(l, ISA_mul_f32, a, b), t));
	return lower_rounded(l, emit2(l, ISA_add_f32, product, c), t);
}

void dxop_fmad(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	if (wide_op(l, call, row) || !lower_check_word(l, LLVMTypeOf(call), dxop_name(l, call, row)))
		return;
	struct isa_operand at[3];
	for (unsigned i = 0; i < 3; i++)
		at[i] = lower_float(l, dxop_argument(call, i));
	lower_result(l, call, mad(l, LLVMTypeOf(call), at[0], at[1], at[2]));
}

/* Products are summed from x to w. */
void dxop_dot(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	unsigned n = dxop_operand_count(row) / 2;
	LLVMTypeRef t = LLVMTypeOf(call);
	if (!lower_check_word(l, t, dxop_name(l, call, row)))
		return;
	struct isa_operand x0 = lower_float(l, dxop_argument(call, 0)), x1 = lower_float(l, dxop_argument(call, n));
	struct isa_operand sum = lower_rounded(l, emit2(l, ISA_mul_f32, x0, x1), t);
	for (unsigned i = 1; i < n; i++) {
		struct isa_operand a = lower_float(l, dxop_argument(call, i)), b = lower_float(l, dxop_argument(call, n + i));
		sum = mad(l, t, a, b, lower_is_half(l, t) ? emit1(l, ISA_cvt_f32_f16, sum) : sum);
	}
	lower_result(l, call, sum);
}

/* Products of halves are exact in binary32. */
void dxop_dot2_add(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand at[5];
	(void)row;
	for (unsigned i = 0; i < 5; i++)
		at[i] = lower_float(l, dxop_argument(call, i));
	struct isa_operand sum = emit3(l, ISA_mad_f32, at[2], at[4], emit2(l, ISA_mul_f32, at[1], at[3]));
	lower_result(l, call, emit2(l, ISA_add_f32, sum, at[0]));
}

void dxop_dot4_add(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand a = lower_operand(l, dxop_argument(call, 1)), b = lower_operand(l, dxop_argument(call, 2));
	lower_result(l, call, emit3(l, (enum isa_op)row->first, a, b, lower_operand(l, dxop_argument(call, 0))));
}

/* Mode 0 extends the bytes by zeros, 1 by their sign. */
void dxop_unpack(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	uint64_t mode;
	if (!lower_constant_int(dxop_argument(call, 0), &mode) || mode > 1 || LLVMCountStructElementTypes(LLVMTypeOf(call)) != 4) {
		lower_invalid(l, "%s: there is no such way to unpack", dxop_name(l, call, row));
		return;
	}
	struct isa_operand word = lower_operand(l, dxop_argument(call, 1));
	uint32_t reg = dxop_define_fields(l, call, 4);
	for (uint32_t i = 0; i < 4; i++)
		emit(l, mode ? ISA_bfe_i32 : ISA_bfe_u32, 4, (struct isa_operand[]){op_reg(reg + i), op_lit(8), op_lit(8 * i), word});
}

/* Mode 0 takes low bytes; 1 and 2 clamp signed numbers to the byte's unsigned or signed range. */
void dxop_pack(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	static const int32_t range[3][2] = {{0, 0}, {0, 255}, {-128, 127}};
	struct isa_operand word = op_lit(0);
	uint64_t mode;
	if (!lower_constant_int(dxop_argument(call, 0), &mode) || mode > 2) {
		lower_invalid(l, "%s: there is no such way to pack", dxop_name(l, call, row));
		return;
	}
	for (uint32_t i = 0; i < 4; i++) {
		struct isa_operand x = lower_extended(l, dxop_argument(call, 1 + i), true);
		if (mode) {
			x = emit2(l, ISA_max_i32, x, op_lit((uint32_t)range[mode][0]));
			x = emit2(l, ISA_min_i32, x, op_lit((uint32_t)range[mode][1]));
		}
		word = emit_op(l, ISA_bfi_b32, 4, (struct isa_operand[]){op_lit(8), op_lit(8 * i), x, word});
	}
	lower_result(l, call, word);
}

/* Only native 16-bit types have the bits. */
void dxop_bitcast16(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	if (l->p->flags & ISA_NATIVE_16BIT)
		lower_result(l, call, lower_operand(l, dxop_argument(call, 0)));
	else
		lower_unsupported(l, "%s of min-precision values", dxop_name(l, call, row));
}

/* The sign bit alone, of a NaN too. */
void dxop_abs(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	if (lower_is_half(l, LLVMTypeOf(call)))
		lower_result(l, call, emit2(l, ISA_and_b32, lower_operand(l, dxop_argument(call, 0)), op_lit(0x7fff)));
	else
		dxop_simple(l, call, row);
}

/* Finite, with an exponent: a half denormal would pass as a binary32 number. */
void dxop_is_normal(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	LLVMValueRef v = dxop_argument(call, 0);
	if (!lower_is_half(l, LLVMTypeOf(v))) {
		dxop_simple(l, call, row);
		return;
	}
	struct isa_operand exponent = emit2(l, ISA_and_b32, lower_operand(l, v), op_lit(0x7c00));
	exponent = emit2(l, ISA_sub_u32, exponent, op_lit(0x400));
	lower_result(l, call, emit2(l, ISA_cmp_lt_u32, exponent, op_lit(0x7800)));
}

/* Reversing, counting and searching bits; narrow numbers are extended first. */
void dxop_bits(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	LLVMTypeRef t = LLVMTypeOf(dxop_argument(call, 0));
	if (wide_op(l, call, row) || !lower_check_word(l, t, dxop_name(l, call, row)))
		return;
	unsigned width = LLVMGetIntTypeWidth(t);
	bool from_top = row->first == ISA_ffbh_u32 || row->first == ISA_ffbh_i32;
	struct isa_operand x = lower_extended(l, dxop_argument(call, 0), row->first == ISA_ffbh_i32);
	struct isa_operand d = emit1(l, (enum isa_op)row->first, x);
	if (width < 32 && row->first == ISA_bfrev_b32)
		d = emit2(l, ISA_lshr_b32, d, op_lit(32 - width));
	if (width < 32 && from_top) { /* the extension's bits do not count; none found stays ~0 */
		struct isa_operand none = emit2(l, ISA_cmp_eq_u32, d, op_lit(UINT32_MAX));
		d = emit2(l, ISA_or_b32, none, emit2(l, ISA_sub_u32, d, op_lit(32 - width)));
	}
	lower_result(l, call, d);
}

/* ---- doubles and their words ---- */

/* Two words that become one number. */
void dxop_make_double(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	(void)row;
	struct pair p = {lower_operand(l, dxop_argument(call, 0)), lower_operand(l, dxop_argument(call, 1))};
	lower_pair_result(l, call, p);
}

/* A number as two fields; or, as another type of 64 bits, the same pair. */
void dxop_split_double(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	(void)row;
	lower_pair_result(l, call, lower_pair(l, dxop_argument(call, 0)));
}

void dxop_from_double(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct pair p = lower_pair(l, dxop_argument(call, 0));
	lower_result(l, call, emit2(l, (enum isa_op)row->first, p.lo, p.hi));
}

/* ---- several results ---- */

void dxop_two_outs(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand a = lower_operand(l, dxop_argument(call, 0)), b = lower_operand(l, dxop_argument(call, 1));
	uint32_t used = dxop_used_fields(call), reg = dxop_define_fields(l, call, 2);
	if (used & 1)
		emit(l, (enum isa_op)row->first, 3, (struct isa_operand[]){op_reg(reg), a, b});
	if (used & 2)
		emit(l, (enum isa_op)row->second, 3, (struct isa_operand[]){op_reg(reg + 1), a, b});
}

/* A sum below one of its terms has carried; a difference borrows where the first is below the second. */
void dxop_carry(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand a = lower_operand(l, dxop_argument(call, 0)), b = lower_operand(l, dxop_argument(call, 1));
	uint32_t reg = dxop_define_fields(l, call, 2);
	struct isa_operand sum = op_reg(reg), out = op_reg(reg + 1);
	bool add = row->first == ISA_add_u32;
	emit(l, (enum isa_op)row->first, 3, (struct isa_operand[]){sum, a, b});
	emit(l, ISA_cmp_lt_u32, 3, (struct isa_operand[]){out, add ? sum : a, add ? a : b});
}
