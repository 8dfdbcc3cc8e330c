/* 64-bit integers and doubles: a pair of words in consecutive registers, the low one first. Takes LLVM instructions and
 * dx.op calls of which an operand or the result is such; the others are lower.c's. */
#include "frontend/llvm/llvm.h"

bool lower_is_wide(LLVMTypeRef t)
{
	return LLVMGetTypeKind(t) == LLVMDoubleTypeKind ||
		(LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 64);
}

unsigned lower_words(LLVMTypeRef t) { return lower_is_wide(t) ? 2 : 1; }

static bool is_double(LLVMTypeRef t) { return LLVMGetTypeKind(t) == LLVMDoubleTypeKind; }

struct pair lower_pair(struct lower *l, LLVMValueRef v)
{
	const struct value *known = lower_find(l, v);
	LLVMTypeRef word = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v)));
	uint64_t bits = 0;
	if (known && known->kind == VALUE_REG && known->width == 2)
		return (struct pair){op_reg(known->reg), op_reg(known->reg + 1)};
	if (LLVMIsUndef(v) || LLVMIsNull(v))
		bits = 0; /* poison counts as undef */
	else if (!LLVMIsConstant(v) || !lower_is_wide(LLVMTypeOf(v)))
		lower_invalid(l, "an operand is used before it is defined, or is no 64-bit number");
	else if (!lower_constant_int(LLVMIsAConstantFP(v) ? LLVMConstBitCast(v, word) : v, &bits))
		lower_unsupported(l, "constant expression of type %s", lower_type_name(l, LLVMTypeOf(v)));
	return (struct pair){op_lit((uint32_t)bits), op_lit((uint32_t)(bits >> 32))};
}

/* Both words in registers that follow each other. */
void lower_pair_result(struct lower *l, LLVMValueRef v, struct pair p)
{
	uint32_t reg = p.lo.value;
	if (p.lo.file != ISA_V || p.hi.file != ISA_V || p.hi.value != reg + 1) {
		reg = l->p->vgprs;
		l->p->vgprs += 2;
		emit(l, ISA_mov, 2, (struct isa_operand[]){op_reg(reg), p.lo});
		emit(l, ISA_mov, 2, (struct isa_operand[]){op_reg(reg + 1), p.hi});
	}
	struct value *to = lower_define(l, v, VALUE_REG);
	to->reg = reg;
	to->width = 2;
}

struct pair emit_pair(struct lower *l, enum isa_op op, unsigned count, const struct isa_operand *sources)
{
	struct isa_operand at[6] = {op_reg(lower_reg(l)), op_reg(lower_reg(l))};
	for (unsigned i = 0; i < count; i++)
		at[2 + i] = sources[i];
	emit(l, op, 2 + count, at);
	return (struct pair){at[0], at[1]};
}

static struct pair join(struct lower *l, enum isa_op op, struct pair a, struct pair b)
{
	return emit_pair(l, op, 4, (struct isa_operand[]){a.lo, a.hi, b.lo, b.hi});
}

static struct pair each(struct lower *l, enum isa_op op, struct pair a, struct pair b)
{
	return (struct pair){emit2(l, op, a.lo, b.lo), emit2(l, op, a.hi, b.hi)};
}

static struct pair negated(struct lower *l, struct pair p)
{
	return (struct pair){p.lo, emit2(l, ISA_xor_b32, p.hi, op_lit(0x80000000))};
}

static struct isa_operand compared(struct lower *l, enum isa_op op, struct pair a, struct pair b)
{
	return emit_op(l, op, 4, (struct isa_operand[]){a.lo, a.hi, b.lo, b.hi});
}

struct pair lower_pair_select(struct lower *l, struct isa_operand condition, struct pair yes, struct pair no)
{
	return (struct pair){emit3(l, ISA_cndmask, yes.lo, no.lo, condition), emit3(l, ISA_cndmask, yes.hi, no.hi, condition)};
}

/* ---- LLVM instructions ---- */

static const struct wide_row { LLVMOpcode opcode; enum isa_op op; } wide_rows[] = {
	{LLVMAdd, ISA_add_u64}, {LLVMSub, ISA_sub_u64}, {LLVMMul, ISA_mul_u64}, {LLVMUDiv, ISA_div_u64}, {LLVMURem, ISA_rem_u64},
	{LLVMSDiv, ISA_div_i64}, {LLVMSRem, ISA_rem_i64}, {LLVMFAdd, ISA_add_f64}, {LLVMFMul, ISA_mul_f64},
	{LLVMFDiv, ISA_div_f64},
};

static bool arithmetic(struct lower *l, LLVMValueRef v, LLVMOpcode opcode)
{
	struct pair a = lower_pair(l, LLVMGetOperand(v, 0)), b = lower_pair(l, LLVMGetOperand(v, 1));
	for (size_t i = 0; i < ARRAY_COUNT(wide_rows); i++)
		if (wide_rows[i].opcode == opcode) {
			lower_pair_result(l, v, join(l, wide_rows[i].op, a, b));
			return true;
		}
	switch (opcode) {
	case LLVMAnd: lower_pair_result(l, v, each(l, ISA_and_b32, a, b)); return true;
	case LLVMOr: lower_pair_result(l, v, each(l, ISA_or_b32, a, b)); return true;
	case LLVMXor: lower_pair_result(l, v, each(l, ISA_xor_b32, a, b)); return true;
	case LLVMFSub:
		if (a.lo.file == ISA_LIT && !a.lo.value && a.hi.value == 0x80000000) { /* -0 - x is how LLVM 3.7 writes -x */
			lower_pair_result(l, v, negated(l, b));
			return true;
		}
		lower_pair_result(l, v, join(l, ISA_add_f64, a, negated(l, b)));
		return true;
	case LLVMShl: case LLVMLShr: case LLVMAShr: {
		enum isa_op op = opcode == LLVMShl ? ISA_lshl_b64 : opcode == LLVMLShr ? ISA_lshr_b64 : ISA_ashr_i64;
		lower_pair_result(l, v, emit_pair(l, op, 3, (struct isa_operand[]){a.lo, a.hi, b.lo}));
		return true;
	}
	default: return lower_unsupported(l, "operation %d on %s", (int)opcode, lower_type_name(l, LLVMTypeOf(v)));
	}
}

static struct isa_operand equal(struct lower *l, struct pair a, struct pair b) { return compared(l, ISA_cmp_eq_u64, a, b); }

static bool compare_integers(struct lower *l, LLVMValueRef v)
{
	struct pair a = lower_pair(l, LLVMGetOperand(v, 0)), b = lower_pair(l, LLVMGetOperand(v, 1));
	LLVMIntPredicate p = LLVMGetICmpPredicate(v);
	enum isa_op less = p >= LLVMIntSGT ? ISA_cmp_lt_i64 : ISA_cmp_lt_u64;
	struct isa_operand d;
	switch (p) {
	case LLVMIntEQ: d = equal(l, a, b); break;
	case LLVMIntNE: d = emit1(l, ISA_not_b32, equal(l, a, b)); break;
	case LLVMIntUGT: case LLVMIntSGT: d = compared(l, less, b, a); break;
	case LLVMIntULT: case LLVMIntSLT: d = compared(l, less, a, b); break;
	case LLVMIntUGE: case LLVMIntSGE: d = emit1(l, ISA_not_b32, compared(l, less, a, b)); break;
	default: d = emit1(l, ISA_not_b32, compared(l, less, b, a)); break;
	}
	lower_result(l, v, d);
	return true;
}

struct isa_operand lower_pair_compare(struct lower *l, enum isa_op op, struct pair a, struct pair b)
{
	switch (op) { /* the row for binary32 */
	case ISA_cmp_eq_f32: return compared(l, ISA_cmp_eq_f64, a, b);
	case ISA_cmp_ne_f32: return emit1(l, ISA_not_b32, compared(l, ISA_cmp_eq_f64, a, b));
	case ISA_cmp_lt_f32: return compared(l, ISA_cmp_lt_f64, a, b);
	case ISA_cmp_le_f32: return compared(l, ISA_cmp_le_f64, a, b);
	default: return compared(l, ISA_cmp_u_f64, a, b);
	}
}

static struct pair extend(struct lower *l, LLVMValueRef from, bool is_signed)
{
	struct isa_operand lo = lower_extended(l, from, is_signed);
	return (struct pair){lo, is_signed ? emit2(l, ISA_ashr_i32, lo, op_lit(31)) : op_lit(0)};
}

static struct isa_operand one(struct lower *l, enum isa_op op, struct pair p)
{
	return emit2(l, op, p.lo, p.hi);
}

static struct pair two(struct lower *l, enum isa_op op, struct pair p)
{
	return emit_pair(l, op, 2, (struct isa_operand[]){p.lo, p.hi});
}

static struct pair widen_float(struct lower *l, LLVMValueRef from)
{
	struct isa_operand word = lower_float(l, from);
	return emit_pair(l, ISA_cvt_f64_f32, 1, &word);
}

/* To a pair from anything. */
static struct pair cast_to_pair(struct lower *l, LLVMOpcode opcode, LLVMValueRef from)
{
	bool wide = lower_is_wide(LLVMTypeOf(from)), is_signed = opcode == LLVMSIToFP || opcode == LLVMSExt;
	switch (opcode) {
	case LLVMZExt: case LLVMSExt: return extend(l, from, is_signed);
	case LLVMUIToFP: case LLVMSIToFP:
		return two(l, is_signed ? ISA_cvt_f64_i64 : ISA_cvt_f64_u64, wide ? lower_pair(l, from) : extend(l, from, is_signed));
	case LLVMFPExt: return widen_float(l, from);
	case LLVMFPToUI: case LLVMFPToSI:
		return two(l, opcode == LLVMFPToSI ? ISA_cvt_i64_f64 : ISA_cvt_u64_f64,
			wide ? lower_pair(l, from) : widen_float(l, from));
	default: return lower_pair(l, from); /* bitcast */
	}
}

/* To a word from a pair. */
static struct isa_operand cast_to_word(struct lower *l, LLVMOpcode opcode, struct pair from, LLVMTypeRef to)
{
	switch (opcode) {
	case LLVMTrunc:
		return LLVMGetIntTypeWidth(to) == 1 ? emit3(l, ISA_bfe_i32, op_lit(1), op_lit(0), from.lo) : from.lo;
	case LLVMUIToFP: return lower_converted(l, one(l, ISA_cvt_f32_u64, from), to);
	case LLVMSIToFP: return lower_converted(l, one(l, ISA_cvt_f32_i64, from), to);
	case LLVMFPTrunc: return lower_converted(l, one(l, ISA_cvt_f32_f64, from), to);
	case LLVMFPToUI: return one(l, ISA_cvt_u32_f64, from);
	default: return one(l, ISA_cvt_i32_f64, from); /* fptosi */
	}
}

static bool cast(struct lower *l, LLVMValueRef v, LLVMOpcode opcode)
{
	LLVMValueRef from = LLVMGetOperand(v, 0);
	LLVMTypeRef to = LLVMTypeOf(v);
	if (!lower_is_wide(to) && !lower_check_word(l, to, "cast"))
		return false;
	if (!lower_is_wide(LLVMTypeOf(from)) && !lower_check_word(l, LLVMTypeOf(from), "cast"))
		return false;
	if (lower_is_wide(to))
		lower_pair_result(l, v, cast_to_pair(l, opcode, from));
	else
		lower_result(l, v, cast_to_word(l, opcode, lower_pair(l, from), to));
	return true;
}

bool lower_wide(struct lower *l, LLVMValueRef v, LLVMOpcode opcode)
{
	LLVMTypeRef t = LLVMTypeOf(v);
	bool first = LLVMGetNumOperands(v) > 0 && lower_is_wide(LLVMTypeOf(LLVMGetOperand(v, 0)));
	if (!first && !lower_is_wide(t))
		return false;
	switch (opcode) {
	case LLVMICmp: return compare_integers(l, v);
	case LLVMTrunc: case LLVMZExt: case LLVMSExt: case LLVMUIToFP: case LLVMSIToFP: case LLVMFPToUI: case LLVMFPToSI:
	case LLVMFPTrunc: case LLVMFPExt: case LLVMBitCast:
		cast(l, v, opcode);
		return true;
	case LLVMFNeg: lower_pair_result(l, v, negated(l, lower_pair(l, LLVMGetOperand(v, 0)))); return true;
	case LLVMFreeze: lower_pair_result(l, v, lower_pair(l, LLVMGetOperand(v, 0))); return true;
	case LLVMSelect: {
		struct isa_operand condition = lower_operand(l, LLVMGetOperand(v, 0));
		struct pair yes = lower_pair(l, LLVMGetOperand(v, 1)), no = lower_pair(l, LLVMGetOperand(v, 2));
		lower_pair_result(l, v, lower_pair_select(l, condition, yes, no));
		return true;
	}
	case LLVMFCmp: case LLVMCall: case LLVMLoad: case LLVMStore: case LLVMPHI: case LLVMExtractValue: case LLVMSwitch:
	case LLVMAtomicRMW: case LLVMAtomicCmpXchg:
		return false;
	default:
		arithmetic(l, v, opcode);
		return true;
	}
}

/* ---- dx.op calls ---- */

static bool unary(struct lower *l, LLVMValueRef call, enum isa_op row, struct pair a)
{
	if (row == ISA_abs_f32)
		lower_pair_result(l, call, (struct pair){a.lo, emit2(l, ISA_and_b32, a.hi, op_lit(0x7fffffff))});
	else if (row == ISA_bfrev_b32)
		lower_pair_result(l, call, (struct pair){emit1(l, row, a.hi), emit1(l, row, a.lo)});
	else if (row == ISA_bcnt_u32)
		lower_result(l, call, emit2(l, ISA_add_u32, emit1(l, row, a.lo), emit1(l, row, a.hi)));
	else if (row == ISA_sat_f32) { /* a number wins over NaN: first the lower bound */
		struct pair zero = {op_lit(0), op_lit(0)}, limit = {op_lit(0), op_lit(0x3ff00000)};
		lower_pair_result(l, call, join(l, ISA_min_f64, join(l, ISA_max_f64, a, zero), limit));
	} else
		return false;
	return true;
}

/* The position of a bit: counted in the first word, or behind it in the second; ~0 if there is none. */
static struct isa_operand find_bit(struct lower *l, enum isa_op row, struct isa_operand first, struct isa_operand second)
{
	struct isa_operand behind = emit1(l, row, second), none = emit2(l, ISA_cmp_eq_u32, second, op_lit(0));
	behind = emit2(l, ISA_or_b32, emit2(l, ISA_add_u32, behind, op_lit(32)), none);
	return emit3(l, ISA_cndmask, emit1(l, row, first), behind, first);
}

static bool search(struct lower *l, LLVMValueRef call, enum isa_op row, struct pair a)
{
	if (row == ISA_ffbl_b32) {
		lower_result(l, call, find_bit(l, row, a.lo, a.hi));
		return true;
	}
	if (row == ISA_ffbh_i32) {
		struct isa_operand sign = emit2(l, ISA_ashr_i32, a.hi, op_lit(31));
		a = each(l, ISA_xor_b32, a, (struct pair){sign, sign});
	} else if (row != ISA_ffbh_u32)
		return false;
	lower_result(l, call, find_bit(l, ISA_ffbh_u32, a.hi, a.lo));
	return true;
}

bool lower_wide_call(struct lower *l, LLVMValueRef call, enum isa_op row, unsigned count, const LLVMValueRef *arguments)
{
	static const struct { enum isa_op word, pair; } binary[] = {
		{ISA_min_f32, ISA_min_f64}, {ISA_max_f32, ISA_max_f64}, {ISA_min_i32, ISA_min_i64}, {ISA_max_i32, ISA_max_i64},
		{ISA_min_u32, ISA_min_u64}, {ISA_max_u32, ISA_max_u64},
	};
	struct pair at[3];
	for (unsigned i = 0; i < count && i < 3; i++)
		at[i] = lower_pair(l, arguments[i]);
	if (count == 1)
		return unary(l, call, row, at[0]) || search(l, call, row, at[0]);
	for (size_t i = 0; count == 2 && i < ARRAY_COUNT(binary); i++)
		if (binary[i].word == row) {
			lower_pair_result(l, call, join(l, binary[i].pair, at[0], at[1]));
			return true;
		}
	if (count != 3 || (row != ISA_mad_f32 && row != ISA_mad_u32))
		return false;
	bool real = is_double(LLVMTypeOf(call));
	struct pair product = join(l, real ? ISA_mul_f64 : ISA_mul_u64, at[0], at[1]);
	lower_pair_result(l, call, join(l, real ? ISA_add_f64 : ISA_add_u64, product, at[2]));
	return true;
}
