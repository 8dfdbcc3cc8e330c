/* LLVM instructions to ISA on virtual registers: a table row for whatever is one instruction, a function for the rest.
 * i1 is 0 or ~0. Integers below 32 bits are kept in a word whose upper bits mean nothing; who looks at them extends
 * first. half without native 16-bit support is binary32 (facts section 8.10); with it, see half.c. undef and poison are
 * 0. */
#include "frontend/llvm/llvm.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- reporting ---- */

static bool report(struct lower *l, enum diag_id id, const char *fmt, va_list args)
{
	char text[512];
	vsnprintf(text, sizeof text, fmt, args);
	if (!l->failed)
		diag_add(l->sink->diags, id, l->sink->where, "%s", text);
	l->failed = true;
	return false;
}

bool lower_unsupported(struct lower *l, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	report(l, DIAG_DXIL_UNSUPPORTED, fmt, args);
	va_end(args);
	return false;
}

bool lower_invalid(struct lower *l, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	report(l, DIAG_DXIL_INVALID, fmt, args);
	va_end(args);
	return false;
}

char *lower_type_name(struct lower *l, LLVMTypeRef t)
{
	char *text = LLVMPrintTypeToString(t), *copy = arena_string(l->a, text);
	LLVMDisposeMessage(text);
	return copy;
}

/* ---- emitting ---- */

uint32_t lower_reg(struct lower *l) { return l->p->vgprs++; }
struct isa_operand op_reg(uint32_t reg) { return (struct isa_operand){ISA_V, reg}; }
struct isa_operand op_lit(uint32_t bits) { return (struct isa_operand){ISA_LIT, bits}; }
struct isa_operand op_imm(uint32_t number) { return (struct isa_operand){ISA_IMM, number}; }
struct isa_operand op_off(void) { return (struct isa_operand){ISA_OFF, 0}; }

void emit(struct lower *l, enum isa_op op, unsigned count, const struct isa_operand *at)
{
	struct isa_inst *in = isa_append(l->p, op);
	for (unsigned i = 0; i < count; i++)
		in->at[i] = at[i];
}

struct isa_operand emit_op(struct lower *l, enum isa_op op, unsigned count, const struct isa_operand *sources)
{
	struct isa_operand at[ISA_OPERANDS_MAX] = {op_reg(lower_reg(l))};
	for (unsigned i = 0; i < count; i++)
		at[i + 1] = sources[i];
	emit(l, op, count + 1, at);
	return at[0];
}

struct isa_operand emit1(struct lower *l, enum isa_op op, struct isa_operand a) { return emit_op(l, op, 1, &a); }
struct isa_operand emit2(struct lower *l, enum isa_op op, struct isa_operand a, struct isa_operand b)
{
	return emit_op(l, op, 2, (struct isa_operand[]){a, b});
}
struct isa_operand emit3(struct lower *l, enum isa_op op, struct isa_operand a, struct isa_operand b,
	struct isa_operand c)
{
	return emit_op(l, op, 3, (struct isa_operand[]){a, b, c});
}

/* ---- types ---- */

static unsigned int_width(LLVMTypeRef t) { return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0; }

bool lower_check_word(struct lower *l, LLVMTypeRef t, const char *operation)
{
	switch (LLVMGetTypeKind(t)) {
	case LLVMFloatTypeKind:
	case LLVMHalfTypeKind:
		return true;
	case LLVMIntegerTypeKind: {
		unsigned w = LLVMGetIntTypeWidth(t);
		if (w == 1 || w == 8 || w == 16 || w == 32)
			return true;
		return lower_unsupported(l, "%s on i%u", operation, w);
	}
	default:
		return lower_unsupported(l, "%s on %s", operation, lower_type_name(l, t));
	}
}

/* ---- values ---- */

struct value *lower_define(struct lower *l, LLVMValueRef v, enum value_kind kind)
{
	ptr_map_set(&l->numbers, l->a, v, (uint32_t)l->value_count);
	struct value *to = ARRAY_PUSH(l->values, l->value_count, l->value_cap);
	to->kind = (uint8_t)kind;
	return to;
}

void lower_result(struct lower *l, LLVMValueRef v, struct isa_operand o)
{
	if (o.file != ISA_V)
		o = emit1(l, ISA_mov, o);
	struct value *to = lower_define(l, v, VALUE_REG);
	to->reg = o.value;
	to->width = 1;
}

const struct value *lower_find(struct lower *l, LLVMValueRef v)
{
	uint32_t n;
	return ptr_map_get(&l->numbers, v, &n) ? &l->values[n] : NULL;
}

bool lower_constant_int(LLVMValueRef v, uint64_t *out)
{
	*out = 0;
	if (!v || !LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
		return false;
	*out = LLVMConstIntGetZExtValue(v);
	return true;
}

static bool constant_word(const struct lower *l, LLVMValueRef v, uint32_t *bits)
{
	LLVMTypeRef t = LLVMTypeOf(v), word = NULL;
	LLVMContextRef c = LLVMGetTypeContext(t);
	uint64_t n;
	*bits = 0;
	if (LLVMIsUndef(v) || LLVMIsNull(v))
		return true; /* poison counts as undef */
	if (lower_constant_int(v, &n)) {
		*bits = LLVMGetIntTypeWidth(t) < 32 ? (uint32_t)LLVMConstIntGetSExtValue(v) : (uint32_t)n;
		return true;
	}
	if (!LLVMIsAConstantFP(v))
		return false;
	word = LLVMGetTypeKind(t) == LLVMHalfTypeKind ? LLVMInt16TypeInContext(c) : LLVMInt32TypeInContext(c);
	if (!lower_constant_int(LLVMConstBitCast(v, word), &n)) /* bits, so that NaNs and denormals stay what they are */
		return false;
	*bits = LLVMGetTypeKind(t) == LLVMHalfTypeKind && !lower_is_half(l, t) ? isa_f16_to_f32((uint32_t)n) : (uint32_t)n;
	return true;
}

struct isa_operand lower_operand(struct lower *l, LLVMValueRef v)
{
	const struct value *known = lower_find(l, v);
	uint32_t bits;
	if (known && known->kind == VALUE_REG && known->width == 1)
		return op_reg(known->reg);
	if (!LLVMIsConstant(v))
		lower_invalid(l, "an operand is used before it is defined, or is not a number");
	else if (!lower_check_word(l, LLVMTypeOf(v), "constant"))
		;
	else if (constant_word(l, v, &bits))
		return op_lit(bits);
	else
		lower_unsupported(l, "constant expression of type %s", lower_type_name(l, LLVMTypeOf(v)));
	return op_lit(0);
}

struct isa_operand lower_extended(struct lower *l, LLVMValueRef v, bool is_signed)
{
	struct isa_operand o = lower_operand(l, v);
	unsigned width = int_width(LLVMTypeOf(v));
	uint32_t mask = width < 32 ? (1u << width) - 1 : UINT32_MAX;
	if (!width || width >= 32 || (width == 1 && is_signed))
		return o; /* i1 is sign-extended already */
	if (o.file == ISA_LIT) /* literals are sign-extended */
		return is_signed ? o : op_lit(o.value & mask);
	return is_signed ? emit3(l, ISA_bfe_i32, op_lit(width), op_lit(0), o) : emit2(l, ISA_and_b32, o, op_lit(mask));
}

/* ---- arithmetic: a row each ---- */

enum extend { KEEP, SIGNED, UNSIGNED, FLOAT };
static const struct binary_row {
	LLVMOpcode opcode;
	const char *name;
	enum isa_op op;
	uint8_t a, b;   /* enum extend: how operands below 32 bits are widened; FLOAT results are rounded again */
	bool boolean;   /* allowed on i1 */
} binary_rows[] = {
	{LLVMAdd, "add", ISA_add_u32, KEEP, KEEP, false},      {LLVMSub, "sub", ISA_sub_u32, KEEP, KEEP, false},
	{LLVMMul, "mul", ISA_mul_lo_u32, KEEP, KEEP, false},   {LLVMUDiv, "udiv", ISA_div_u32, UNSIGNED, UNSIGNED, false},
	{LLVMURem, "urem", ISA_rem_u32, UNSIGNED, UNSIGNED, false}, {LLVMSDiv, "sdiv", ISA_div_i32, SIGNED, SIGNED, false},
	{LLVMSRem, "srem", ISA_rem_i32, SIGNED, SIGNED, false}, {LLVMShl, "shl", ISA_lshl_b32, KEEP, KEEP, false},
	{LLVMLShr, "lshr", ISA_lshr_b32, UNSIGNED, KEEP, false}, {LLVMAShr, "ashr", ISA_ashr_i32, SIGNED, KEEP, false},
	{LLVMAnd, "and", ISA_and_b32, KEEP, KEEP, true},       {LLVMOr, "or", ISA_or_b32, KEEP, KEEP, true},
	{LLVMXor, "xor", ISA_xor_b32, KEEP, KEEP, true},       {LLVMFAdd, "fadd", ISA_add_f32, FLOAT, FLOAT, false},
	{LLVMFSub, "fsub", ISA_sub_f32, FLOAT, FLOAT, false},    {LLVMFMul, "fmul", ISA_mul_f32, FLOAT, FLOAT, false},
	{LLVMFDiv, "fdiv", ISA_div_f32, FLOAT, FLOAT, false},    {LLVMFRem, "frem", ISA_rem_f32, FLOAT, FLOAT, false},
};

static struct isa_operand widened(struct lower *l, LLVMValueRef v, enum extend how)
{
	if (how == FLOAT)
		return lower_float(l, v);
	return how == KEEP ? lower_operand(l, v) : lower_extended(l, v, how == SIGNED);
}

static const struct binary_row *find_binary(LLVMOpcode opcode)
{
	for (size_t i = 0; i < ARRAY_COUNT(binary_rows); i++)
		if (binary_rows[i].opcode == opcode)
			return &binary_rows[i];
	return NULL;
}

/* The sign bit alone, of a NaN too. */
static struct isa_operand negated(struct lower *l, LLVMValueRef v)
{
	struct isa_operand o = lower_operand(l, v);
	return lower_is_half(l, LLVMTypeOf(v)) ? emit2(l, ISA_xor_b32, o, op_lit(0x8000)) : emit1(l, ISA_neg_f32, o);
}

static void lower_binary(struct lower *l, LLVMValueRef v, const struct binary_row *row)
{
	LLVMTypeRef t = LLVMTypeOf(v);
	unsigned width = int_width(t);
	if (!lower_check_word(l, t, row->name))
		return;
	if (width == 1 && !row->boolean) {
		lower_unsupported(l, "%s on i1", row->name);
		return;
	}
	struct isa_operand a = widened(l, LLVMGetOperand(v, 0), row->a), b = widened(l, LLVMGetOperand(v, 1), row->b);
	if (row->opcode == LLVMFSub && a.file == ISA_LIT && a.value == 0x80000000) {
		lower_result(l, v, negated(l, LLVMGetOperand(v, 1))); /* -0 - x is how LLVM 3.7 writes -x */
		return;
	}
	if (width == 16 && (row->op == ISA_lshl_b32 || row->op == ISA_lshr_b32 || row->op == ISA_ashr_i32))
		b = b.file == ISA_LIT ? op_lit(b.value & 15) : emit2(l, ISA_and_b32, b, op_lit(15));
	lower_result(l, v, lower_rounded(l, emit2(l, row->op, a, b), t));
}

/* ---- comparisons ---- */

static void lower_icmp(struct lower *l, LLVMValueRef v)
{
	static const struct { enum isa_op op; bool swap, is_signed; } rows[] = {
		[LLVMIntEQ - LLVMIntEQ] = {ISA_cmp_eq_u32, false, false},  [LLVMIntNE - LLVMIntEQ] = {ISA_cmp_ne_u32, false, false},
		[LLVMIntUGT - LLVMIntEQ] = {ISA_cmp_lt_u32, true, false},  [LLVMIntUGE - LLVMIntEQ] = {ISA_cmp_le_u32, true, false},
		[LLVMIntULT - LLVMIntEQ] = {ISA_cmp_lt_u32, false, false},
		[LLVMIntULE - LLVMIntEQ] = {ISA_cmp_le_u32, false, false},
		[LLVMIntSGT - LLVMIntEQ] = {ISA_cmp_lt_i32, true, true},   [LLVMIntSGE - LLVMIntEQ] = {ISA_cmp_le_i32, true, true},
		[LLVMIntSLT - LLVMIntEQ] = {ISA_cmp_lt_i32, false, true},  [LLVMIntSLE - LLVMIntEQ] = {ISA_cmp_le_i32, false, true},
	};
	unsigned row = (unsigned)LLVMGetICmpPredicate(v) - LLVMIntEQ;
	LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(v, 0));
	if (!lower_check_word(l, t, "icmp"))
		return;
	bool is_signed = rows[row].is_signed || int_width(t) == 1; /* booleans are 0 and ~0 on both sides */
	struct isa_operand a = lower_extended(l, LLVMGetOperand(v, 0), is_signed);
	struct isa_operand b = lower_extended(l, LLVMGetOperand(v, 1), is_signed);
	lower_result(l, v, rows[row].swap ? emit2(l, rows[row].op, b, a) : emit2(l, rows[row].op, a, b));
}

static struct isa_operand compare_floats(struct lower *l, enum isa_op op, LLVMValueRef x, LLVMValueRef y)
{
	if (lower_is_wide(LLVMTypeOf(x)))
		return lower_pair_compare(l, op, lower_pair(l, x), lower_pair(l, y));
	struct isa_operand a = lower_float(l, x);
	return emit2(l, op, a, lower_float(l, y));
}

/* A predicate is one comparison, perhaps with its operands swapped, perhaps negated; two take a second one. */
static void lower_fcmp(struct lower *l, LLVMValueRef v)
{
	static const struct { enum isa_op op; bool swap, negate; } rows[] = {
		[LLVMRealOEQ] = {ISA_cmp_eq_f32, false, false}, [LLVMRealOGT] = {ISA_cmp_lt_f32, true, false},
		[LLVMRealOGE] = {ISA_cmp_le_f32, true, false},  [LLVMRealOLT] = {ISA_cmp_lt_f32, false, false},
		[LLVMRealOLE] = {ISA_cmp_le_f32, false, false}, [LLVMRealONE] = {ISA_cmp_lt_f32, false, false},
		[LLVMRealORD] = {ISA_cmp_u_f32, false, true},   [LLVMRealUNO] = {ISA_cmp_u_f32, false, false},
		[LLVMRealUEQ] = {ISA_cmp_eq_f32, false, false}, [LLVMRealUGT] = {ISA_cmp_le_f32, false, true},
		[LLVMRealUGE] = {ISA_cmp_lt_f32, false, true},  [LLVMRealULT] = {ISA_cmp_le_f32, true, true},
		[LLVMRealULE] = {ISA_cmp_lt_f32, true, true},   [LLVMRealUNE] = {ISA_cmp_ne_f32, false, false},
	};
	LLVMRealPredicate predicate = LLVMGetFCmpPredicate(v);
	LLVMValueRef x = LLVMGetOperand(v, 0), y = LLVMGetOperand(v, 1);
	if (!lower_is_wide(LLVMTypeOf(x)) && !lower_check_word(l, LLVMTypeOf(x), "fcmp"))
		return;
	if (predicate == LLVMRealPredicateFalse || predicate == LLVMRealPredicateTrue) {
		lower_result(l, v, op_lit(predicate == LLVMRealPredicateTrue ? UINT32_MAX : 0));
		return;
	}
	bool swap = rows[predicate].swap;
	struct isa_operand d = compare_floats(l, rows[predicate].op, swap ? y : x, swap ? x : y);
	if (predicate == LLVMRealONE)
		d = emit2(l, ISA_or_b32, d, compare_floats(l, ISA_cmp_lt_f32, y, x));
	if (predicate == LLVMRealUEQ)
		d = emit2(l, ISA_or_b32, d, compare_floats(l, ISA_cmp_u_f32, x, y));
	if (rows[predicate].negate)
		d = emit1(l, ISA_not_b32, d);
	lower_result(l, v, d);
}

/* ---- casts ---- */

/* Towards zero, clamped to the integer's range. */
static struct isa_operand to_integer(struct lower *l, LLVMValueRef from, LLVMTypeRef to, bool is_signed)
{
	struct isa_operand d = emit1(l, is_signed ? ISA_cvt_i32_f32 : ISA_cvt_u32_f32, lower_float(l, from));
	if (!(l->p->flags & ISA_NATIVE_16BIT) || int_width(to) != 16)
		return d;
	if (!is_signed)
		return emit2(l, ISA_min_u32, d, op_lit(65535));
	return emit2(l, ISA_max_i32, emit2(l, ISA_min_i32, d, op_lit(32767)), op_lit((uint32_t)-32768));
}

static struct isa_operand cast_word(struct lower *l, LLVMOpcode opcode, LLVMValueRef from, LLVMTypeRef to)
{
	switch (opcode) {
	case LLVMTrunc:
		if (int_width(to) > 1)
			return lower_operand(l, from);
		return emit3(l, ISA_bfe_i32, op_lit(1), op_lit(0), lower_operand(l, from));
	case LLVMZExt:
		return lower_extended(l, from, false);
	case LLVMSExt:
		return lower_extended(l, from, true);
	case LLVMUIToFP:
		return lower_rounded(l, emit1(l, ISA_cvt_f32_u32, lower_extended(l, from, false)), to);
	case LLVMSIToFP:
		return lower_rounded(l, emit1(l, ISA_cvt_f32_i32, lower_extended(l, from, true)), to);
	case LLVMFPToUI:
		return to_integer(l, from, to, false);
	case LLVMFPToSI:
		return to_integer(l, from, to, true);
	case LLVMFPTrunc: /* a half that is kept as float is one already */
		return lower_converted(l, lower_float(l, from), to);
	case LLVMFPExt:
		return lower_float(l, from);
	default: /* bitcast of equal words */
		return lower_operand(l, from);
	}
}

static void lower_cast(struct lower *l, LLVMValueRef v, LLVMOpcode opcode)
{
	static const struct { LLVMOpcode opcode; const char *name; } names[] = {
		{LLVMTrunc, "trunc"}, {LLVMZExt, "zext"}, {LLVMSExt, "sext"}, {LLVMUIToFP, "uitofp"}, {LLVMSIToFP, "sitofp"},
		{LLVMFPToUI, "fptoui"}, {LLVMFPToSI, "fptosi"}, {LLVMFPTrunc, "fptrunc"}, {LLVMFPExt, "fpext"},
		{LLVMBitCast, "bitcast"},
	};
	LLVMValueRef from = LLVMGetOperand(v, 0);
	LLVMTypeRef to = LLVMTypeOf(v);
	const char *name = "cast";
	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		if (names[i].opcode == opcode)
			name = names[i].name;
	if (!lower_check_word(l, LLVMTypeOf(from), name) || !lower_check_word(l, to, name))
		return;
	bool half = LLVMGetTypeKind(to) == LLVMHalfTypeKind || LLVMGetTypeKind(LLVMTypeOf(from)) == LLVMHalfTypeKind;
	if (opcode == LLVMBitCast && half && !(l->p->flags & ISA_NATIVE_16BIT)) {
		lower_unsupported(l, "bitcast of min-precision half");
		return;
	}
	lower_result(l, v, cast_word(l, opcode, from, to));
}

/* ---- the others ---- */

static void lower_select(struct lower *l, LLVMValueRef v)
{
	if (!lower_check_word(l, LLVMTypeOf(v), "select"))
		return;
	struct isa_operand condition = lower_operand(l, LLVMGetOperand(v, 0));
	struct isa_operand yes = lower_operand(l, LLVMGetOperand(v, 1)), no = lower_operand(l, LLVMGetOperand(v, 2));
	lower_result(l, v, emit3(l, ISA_cndmask, yes, no, condition));
}

/* Registers of a struct's fields before field `end`. */
static unsigned words_before(LLVMTypeRef t, unsigned end)
{
	unsigned words = 0;
	for (unsigned i = 0; i < end; i++)
		words += lower_words(LLVMStructGetTypeAtIndex(t, i));
	return words;
}

static void lower_extractvalue(struct lower *l, LLVMValueRef v)
{
	LLVMValueRef aggregate = LLVMGetOperand(v, 0);
	const struct value *from = lower_find(l, aggregate);
	LLVMTypeRef t = LLVMTypeOf(v), whole = LLVMTypeOf(aggregate);
	if (!lower_is_wide(t) && !lower_check_word(l, t, "extractvalue"))
		return;
	bool undefined = LLVMIsUndef(aggregate);
	if (!undefined && (!from || from->kind != VALUE_REG || LLVMGetNumIndices(v) != 1 ||
		LLVMGetTypeKind(whole) != LLVMStructTypeKind)) {
		lower_unsupported(l, "extractvalue from %s", lower_type_name(l, whole));
		return;
	}
	uint32_t at = undefined ? 0 : words_before(whole, LLVMGetIndices(v)[0]);
	if (!undefined && at + lower_words(t) > from->width)
		lower_invalid(l, "extractvalue past the end");
	else if (lower_is_wide(t))
		lower_pair_result(l, v, undefined ? (struct pair){op_lit(0), op_lit(0)}
			: (struct pair){op_reg(from->reg + at), op_reg(from->reg + at + 1)});
	else
		lower_result(l, v, undefined ? op_lit(0) : op_reg(from->reg + at));
}

static void lower_call(struct lower *l, LLVMValueRef v)
{
	static const char *const ignored[] = {"llvm.lifetime.", "llvm.dbg.", "llvm.assume", "llvm.donothing"};
	LLVMValueRef callee = LLVMGetCalledValue(v);
	size_t length = 0;
	const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
	if (!strncmp(name, "dx.op.", 6)) {
		lower_dxop(l, v, name);
		return;
	}
	for (size_t i = 0; i < ARRAY_COUNT(ignored); i++)
		if (!strncmp(name, ignored[i], strlen(ignored[i])))
			return;
	lower_unsupported(l, "call of %s", length ? name : "a function pointer");
}

/* Nothing sees the result and nothing else happens: DXC leaves such loads in at -Od. */
static bool is_dead(LLVMValueRef v, LLVMOpcode opcode)
{
	if (LLVMGetFirstUse(v))
		return false;
	return opcode != LLVMCall && opcode != LLVMStore && !LLVMIsATerminatorInst(v) && opcode != LLVMAtomicRMW &&
		opcode != LLVMAtomicCmpXchg && opcode != LLVMFence;
}

static void unsupported_instruction(struct lower *l, LLVMValueRef v)
{
	char *text = LLVMPrintValueToString(v);
	lower_unsupported(l, "LLVM instruction '%.200s'", text + strspn(text, " "));
	LLVMDisposeMessage(text);
}

static void lower_instruction(struct lower *l, LLVMValueRef v)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
	const struct binary_row *row = find_binary(opcode);
	if (is_dead(v, opcode) || lower_wide(l, v, opcode))
		return;
	if (row) {
		lower_binary(l, v, row);
		return;
	}
	switch (opcode) {
	case LLVMFNeg:
		if (lower_check_word(l, LLVMTypeOf(v), "fneg"))
			lower_result(l, v, negated(l, LLVMGetOperand(v, 0)));
		return;
	case LLVMICmp: lower_icmp(l, v); return;
	case LLVMFCmp: lower_fcmp(l, v); return;
	case LLVMTrunc: case LLVMZExt: case LLVMSExt: case LLVMUIToFP: case LLVMSIToFP: case LLVMFPToUI: case LLVMFPToSI:
	case LLVMFPTrunc: case LLVMFPExt: case LLVMBitCast:
		lower_cast(l, v, opcode);
		return;
	case LLVMSelect: lower_select(l, v); return;
	case LLVMExtractValue: lower_extractvalue(l, v); return;
	case LLVMAlloca: lower_alloca(l, v); return;
	case LLVMGetElementPtr: lower_gep(l, v); return;
	case LLVMLoad: lower_load(l, v); return;
	case LLVMStore: lower_store(l, v); return;
	case LLVMAtomicRMW: case LLVMAtomicCmpXchg: lower_atomic(l, v); return;
	case LLVMCall: lower_call(l, v); return;
	case LLVMPHI: case LLVMBr: case LLVMSwitch: case LLVMRet: return; /* structure.c has these */
	case LLVMFreeze:
		if (lower_check_word(l, LLVMTypeOf(v), "freeze"))
			lower_result(l, v, lower_operand(l, LLVMGetOperand(v, 0)));
		return;
	default: unsupported_instruction(l, v);
	}
}

void lower_block(struct lower *l, LLVMBasicBlockRef block)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !l->failed; i = LLVMGetNextInstruction(i))
		lower_instruction(l, i);
}

/* ---- phis ---- */

static LLVMValueRef if_phi(LLVMValueRef i) { return i && LLVMGetInstructionOpcode(i) == LLVMPHI ? i : NULL; }
static LLVMValueRef first_phi(LLVMBasicBlockRef b) { return if_phi(LLVMGetFirstInstruction(b)); }
static LLVMValueRef next_phi(LLVMValueRef i) { return if_phi(LLVMGetNextInstruction(i)); }

/* Words of a phi: DXC merges whole rows of constant buffers. 0: reported. */
static unsigned phi_width(struct lower *l, LLVMTypeRef t)
{
	enum { FIELDS_MAX = 16 };
	if (LLVMGetTypeKind(t) != LLVMStructTypeKind)
		return lower_is_wide(t) ? 2 : lower_check_word(l, t, "phi");
	unsigned fields = LLVMCountStructElementTypes(t);
	for (unsigned i = 0; i < fields; i++) {
		LLVMTypeRef field = LLVMStructGetTypeAtIndex(t, i);
		if (fields > FIELDS_MAX || (!lower_is_wide(field) && !lower_check_word(l, field, "phi"))) {
			lower_unsupported(l, "phi on %s", lower_type_name(l, t));
			return 0;
		}
	}
	return words_before(t, fields);
}

/* Phis get the first registers, so that tables over them are small. */
static void define_phis(struct lower *l)
{
	for (size_t n = 0; n < l->cfg->node_count && !l->failed; n++) {
		LLVMBasicBlockRef b = l->cfg->nodes[n].block;
		for (LLVMValueRef i = b ? first_phi(b) : NULL; i; i = next_phi(i)) {
			unsigned width = LLVMGetFirstUse(i) ? phi_width(l, LLVMTypeOf(i)) : 0;
			if (!width)
				continue;
			struct value *v = lower_define(l, i, VALUE_REG);
			v->reg = l->p->vgprs;
			v->width = (uint8_t)width;
			l->p->vgprs += width;
		}
	}
	l->phi_regs = l->p->vgprs;
	l->readers = arena_array(l->a, l->phi_regs, sizeof *l->readers);
	l->writer = arena_array(l->a, l->phi_regs, sizeof *l->writer);
}

struct copy {
	uint32_t to;
	struct isa_operand from;
};

/* Field f of an incoming value. */
static struct isa_operand phi_source(struct lower *l, LLVMValueRef v, unsigned width, unsigned f)
{
	const struct value *known = lower_find(l, v);
	if (width == 1)
		return lower_operand(l, v);
	if (known && known->kind == VALUE_REG && known->width == width)
		return op_reg(known->reg + f);
	if (lower_is_wide(LLVMTypeOf(v)))
		return f ? lower_pair(l, v).hi : lower_pair(l, v).lo;
	if (!LLVMIsUndef(v) && !LLVMIsNull(v))
		lower_unsupported(l, "phi of constant %s", lower_type_name(l, LLVMTypeOf(v)));
	return op_lit(0);
}

static size_t collect_copies(struct lower *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to, struct copy *copies)
{
	size_t count = 0;
	for (LLVMValueRef i = first_phi(to); i; i = next_phi(i)) {
		const struct value *phi = lower_find(l, i);
		unsigned k = 0, incoming = LLVMCountIncoming(i);
		while (phi && k < incoming && LLVMGetIncomingBlock(i, k) != from)
			k++;
		if (!phi || k == incoming)
			continue;
		uint32_t reg = phi->reg, width = phi->width;
		for (unsigned f = 0; f < width; f++) {
			struct isa_operand source = phi_source(l, LLVMGetIncomingValue(i, k), width, f);
			if (source.file != ISA_V || source.value != reg + f)
				copies[count++] = (struct copy){reg + f, source};
		}
	}
	return count;
}

/* The copies happen at once: one goes when nobody waits to read its target; what is left are cycles, each broken by
 * saving one target. */
static void sequentialise(struct lower *l, struct copy *copies, size_t count)
{
	uint32_t *readers = l->readers, *writer = l->writer; /* of a register: copies that read it; copy + 1 that writes it */
	uint32_t *ready = arena_array(l->a, count, sizeof *ready);
	size_t ready_count = 0;
	for (size_t i = 0; i < count; i++) {
		writer[copies[i].to] = (uint32_t)i + 1;
		if (copies[i].from.file == ISA_V && copies[i].from.value < l->phi_regs)
			readers[copies[i].from.value]++;
	}
	for (size_t i = 0; i < count; i++)
		if (!readers[copies[i].to])
			ready[ready_count++] = (uint32_t)i;
	for (size_t next = 0;;) {
		if (!ready_count) {
			while (next < count && !writer[copies[next].to])
				next++;
			if (next == count)
				return;
			struct isa_operand saved = emit1(l, ISA_mov, op_reg(copies[next].to));
			for (size_t i = 0; i < count; i++)
				if (copies[i].from.file == ISA_V && copies[i].from.value == copies[next].to && writer[copies[i].to])
					copies[i].from = saved;
			readers[copies[next].to] = 0;
			ready[ready_count++] = (uint32_t)next;
		}
		const struct copy *c = &copies[ready[--ready_count]];
		emit(l, ISA_mov, 2, (struct isa_operand[]){op_reg(c->to), c->from});
		writer[c->to] = 0;
		if (c->from.file == ISA_V && c->from.value < l->phi_regs && !--readers[c->from.value] && writer[c->from.value])
			ready[ready_count++] = writer[c->from.value] - 1;
	}
}

void lower_phi_copies(struct lower *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	size_t words = 0;
	for (LLVMValueRef i = first_phi(to); i; i = next_phi(i)) {
		const struct value *phi = lower_find(l, i);
		words += phi ? phi->width : 0;
	}
	if (!words)
		return;
	struct copy *copies = arena_array(l->a, words, sizeof *copies);
	size_t count = collect_copies(l, from, to, copies);
	if (!l->failed && count)
		sequentialise(l, copies, count);
}

/* ---- the function ---- */

bool lower_function(struct lower *l)
{
	define_phis(l);
	if (!l->failed)
		memory_begin(l, LLVMGetGlobalParent(l->meta->entry));
	if (!l->failed)
		io_begin(l);
	if (!l->failed && structure_function(l))
		io_exports(l);
	if (!l->failed)
		emit(l, ISA_endpgm, 0, NULL);
	mem_free(l->values);
	return !l->failed;
}
