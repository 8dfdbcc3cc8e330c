/* dx.op calls that see other lanes: wave and quad operations (the rows' helpers say which lanes take part). */
#include "frontend/llvm/dxop.h"

static struct isa_operand emit0(struct lower *l, enum isa_op op) { return emit_op(l, op, 0, NULL); }

/* Lanes where a condition holds, as two words. */
static void ballot(struct lower *l, struct isa_operand condition, struct isa_operand out[2])
{
	out[0] = op_reg(lower_reg(l));
	out[1] = op_reg(lower_reg(l));
	emit(l, ISA_wave_ballot, 3, (struct isa_operand[]){out[0], out[1], condition});
}

static bool constant(struct lower *l, LLVMValueRef call, unsigned i, const struct dxop *row, unsigned count, uint32_t *out)
{
	uint64_t n;
	*out = 0;
	if (!lower_constant_int(dxop_argument(call, i), &n) || n >= count)
		return lower_invalid(l, "%s: there is no such operation", dxop_name(l, call, row));
	*out = (uint32_t)n;
	return true;
}

void dxop_wave_lane(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	(void)row;
	lower_result(l, call, emit0(l, ISA_wave_lane));
}

void dxop_wave_size(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	(void)row;
	lower_result(l, call, op_lit(l->p->wave_size));
}

void dxop_wave_is_first(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand lane = emit0(l, ISA_wave_lane);
	(void)row;
	lower_result(l, call, emit2(l, ISA_cmp_eq_u32, lane, emit1(l, ISA_readfirst, lane)));
}

/* No lane where it is false, or some where it is true. */
static struct isa_operand vote(struct lower *l, struct isa_operand condition, bool all)
{
	struct isa_operand lanes[2];
	ballot(l, all ? emit1(l, ISA_not_b32, condition) : condition, lanes);
	return emit2(l, all ? ISA_cmp_eq_u32 : ISA_cmp_ne_u32, emit2(l, ISA_or_b32, lanes[0], lanes[1]), op_lit(0));
}

void dxop_wave_any(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	(void)row;
	lower_result(l, call, vote(l, lower_operand(l, dxop_argument(call, 0)), false));
}

void dxop_wave_all(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	(void)row;
	lower_result(l, call, vote(l, lower_operand(l, dxop_argument(call, 0)), true));
}

void dxop_wave_all_equal(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	LLVMValueRef v = dxop_argument(call, 0);
	if (!lower_check_word(l, LLVMTypeOf(v), dxop_name(l, call, row)))
		return;
	bool real = LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind;
	struct isa_operand x = real ? lower_float(l, v) : lower_extended(l, v, true);
	struct isa_operand same = emit2(l, real ? ISA_cmp_eq_f32 : ISA_cmp_eq_u32, x, emit1(l, ISA_readfirst, x));
	lower_result(l, call, vote(l, same, true));
}

/* Waves have at most 64 lanes: of the four words two are zero. */
static void define_mask(struct lower *l, LLVMValueRef call, const struct isa_operand lanes[2])
{
	uint32_t used = dxop_used_fields(call), reg = dxop_define_fields(l, call, 4);
	for (unsigned i = 0; i < 4; i++)
		if (used >> i & 1)
			emit(l, ISA_mov, 2, (struct isa_operand[]){op_reg(reg + i), i < 2 ? lanes[i] : op_lit(0)});
}

void dxop_wave_ballot(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand lanes[2];
	(void)row;
	ballot(l, lower_operand(l, dxop_argument(call, 0)), lanes);
	define_mask(l, call, lanes);
}

void dxop_wave_match(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	LLVMValueRef v = dxop_argument(call, 0);
	if (!lower_check_word(l, LLVMTypeOf(v), dxop_name(l, call, row)))
		return;
	struct isa_operand lanes[2] = {op_reg(lower_reg(l)), op_reg(lower_reg(l))};
	struct isa_operand word = lower_is_half(l, LLVMTypeOf(v)) ? lower_float(l, v) : lower_extended(l, v, true);
	emit(l, ISA_wave_match, 3, (struct isa_operand[]){lanes[0], lanes[1], word});
	define_mask(l, call, lanes);
}

/* ---- reading ---- */

/* The row on the value's one or two words. */
static void read_words(struct lower *l, LLVMValueRef call, const struct dxop *row, struct isa_operand place)
{
	LLVMValueRef v = dxop_argument(call, 0);
	bool wide = lower_is_wide(LLVMTypeOf(v));
	unsigned count = place.file == ISA_OFF ? 1 : 2;
	if (!wide && !lower_check_word(l, LLVMTypeOf(v), dxop_name(l, call, row)))
		return;
	struct pair from = wide ? lower_pair(l, v) : (struct pair){lower_operand(l, v), op_off()};
	struct isa_operand lo = emit_op(l, (enum isa_op)row->first, count, (struct isa_operand[]){from.lo, place});
	if (!wide) {
		lower_result(l, call, lo);
		return;
	}
	struct isa_operand hi = emit_op(l, (enum isa_op)row->first, count, (struct isa_operand[]){from.hi, place});
	lower_pair_result(l, call, (struct pair){lo, hi});
}

/* `first` reads x at the place that the second argument gives, if there is one. */
void dxop_read_lane(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	unsigned count = dxop_operand_count(row);
	if (row->first == ISA_quad_read)
		l->p->flags |= ISA_USES_DERIVATIVES;
	read_words(l, call, row, count > 1 ? lower_operand(l, dxop_argument(call, 1)) : op_off());
}

/* Across X, Y, the diagonal: the lanes' numbers differ in bit 0, bit 1, both. */
void dxop_quad_op(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	uint32_t op;
	if (!constant(l, call, 1, row, 3, &op))
		return;
	l->p->flags |= ISA_USES_DERIVATIVES;
	read_words(l, call, row, op_imm(op + 1));
}

void dxop_quad_vote(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	uint32_t all;
	if (!constant(l, call, 1, row, 2, &all))
		return;
	enum isa_op join = all ? ISA_and_b32 : ISA_or_b32;
	struct isa_operand d = lower_operand(l, dxop_argument(call, 0));
	d = emit2(l, join, d, emit2(l, ISA_quad_swap, d, op_imm(1)));
	l->p->flags |= ISA_USES_DERIVATIVES;
	lower_result(l, call, emit2(l, join, d, emit2(l, ISA_quad_swap, d, op_imm(2))));
}

/* ---- counts and sums ---- */

static struct isa_operand below(struct lower *l, const struct isa_operand lanes[2])
{
	return emit2(l, ISA_mbcnt, lanes[0], lanes[1]);
}

void dxop_wave_count(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand lanes[2];
	(void)row;
	ballot(l, lower_operand(l, dxop_argument(call, 0)), lanes);
	struct isa_operand low = emit1(l, ISA_bcnt_u32, lanes[0]);
	lower_result(l, call, emit2(l, ISA_add_u32, low, emit1(l, ISA_bcnt_u32, lanes[1])));
}

void dxop_wave_prefix_count(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand lanes[2];
	(void)row;
	ballot(l, lower_operand(l, dxop_argument(call, 0)), lanes);
	lower_result(l, call, below(l, lanes));
}

void dxop_wave_multi_prefix_count(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand lanes[2];
	(void)row;
	ballot(l, lower_operand(l, dxop_argument(call, 0)), lanes);
	for (unsigned i = 0; i < 2; i++)
		lanes[i] = emit2(l, ISA_and_b32, lanes[i], lower_operand(l, dxop_argument(call, 1 + i)));
	lower_result(l, call, below(l, lanes));
}

enum combination { SUM, PRODUCT, MIN, MAX, AND, OR, XOR, COMBINATIONS };
static const enum isa_wave_op operations[COMBINATIONS][4] = { /* signed, unsigned, float, half */
	[SUM] = {ISA_WAVE_add_u32, ISA_WAVE_add_u32, ISA_WAVE_add_f32, ISA_WAVE_add_f16},
	[PRODUCT] = {ISA_WAVE_mul_u32, ISA_WAVE_mul_u32, ISA_WAVE_mul_f32, ISA_WAVE_mul_f16},
	[MIN] = {ISA_WAVE_min_i32, ISA_WAVE_min_u32, ISA_WAVE_min_f32, ISA_WAVE_min_f32},
	[MAX] = {ISA_WAVE_max_i32, ISA_WAVE_max_u32, ISA_WAVE_max_f32, ISA_WAVE_max_f32},
	[AND] = {ISA_WAVE_and_b32, ISA_WAVE_and_b32}, [OR] = {ISA_WAVE_or_b32, ISA_WAVE_or_b32},
	[XOR] = {ISA_WAVE_xor_b32, ISA_WAVE_xor_b32},
};

static void combine_wide(struct lower *l, LLVMValueRef call, const struct dxop *row, enum combination how, bool is_unsigned)
{
	bool real = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMIntegerTypeKind;
	struct pair p = lower_pair(l, dxop_argument(call, 0));
	if (real && how >= AND) {
		lower_invalid(l, "%s on %s", dxop_name(l, call, row), lower_type_name(l, LLVMTypeOf(call)));
		return;
	}
	struct isa_operand at[] = {op_imm(operations[how][real ? 2 : is_unsigned]), p.lo, p.hi};
	enum isa_op op = row->first == ISA_wave_reduce ? ISA_wave_reduce_b64 : ISA_wave_scan_b64;
	lower_pair_result(l, call, emit_pair(l, op, 3, at));
}

/* emits op, then the value, then the words behind it. Extremes of halves are found as floats. */
static void combine(struct lower *l, LLVMValueRef call, const struct dxop *row, enum combination how, bool is_unsigned,
	const struct isa_operand *behind)
{
	LLVMTypeRef t = LLVMTypeOf(call);
	LLVMValueRef v = dxop_argument(call, 0);
	if (lower_is_wide(t) && row->first != ISA_wave_multi_scan) {
		combine_wide(l, call, row, how, is_unsigned);
		return;
	}
	if (!lower_check_word(l, t, dxop_name(l, call, row)))
		return;
	bool real = LLVMGetTypeKind(t) != LLVMIntegerTypeKind, half = lower_is_half(l, t), extreme = how == MIN || how == MAX;
	if (real && how >= AND) {
		lower_invalid(l, "%s on %s", dxop_name(l, call, row), lower_type_name(l, t));
		return;
	}
	struct isa_operand at[5] = {op_reg(lower_reg(l)), op_imm(operations[how][real ? half ? 3 : 2 : is_unsigned])};
	at[2] = extreme && half ? lower_float(l, v) : real ? lower_operand(l, v) : lower_extended(l, v, !is_unsigned);
	for (unsigned i = 3; i < isa_info[row->first].count; i++)
		at[i] = behind[i - 3];
	emit(l, (enum isa_op)row->first, isa_info[row->first].count, at);
	lower_result(l, call, extreme ? lower_rounded(l, at[0], t) : at[0]);
}

void dxop_wave_op(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	static const enum combination kinds[] = {SUM, PRODUCT, MIN, MAX};
	uint32_t kind, is_unsigned;
	if (constant(l, call, 1, row, 4, &kind) && constant(l, call, 2, row, 2, &is_unsigned))
		combine(l, call, row, kinds[kind], is_unsigned, NULL);
}

void dxop_wave_bit(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	static const enum combination kinds[] = {AND, OR, XOR};
	uint32_t kind;
	if (constant(l, call, 1, row, 3, &kind))
		combine(l, call, row, kinds[kind], true, NULL);
}

void dxop_wave_multi_prefix(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	static const enum combination kinds[] = {SUM, AND, OR, XOR, PRODUCT};
	uint32_t kind, is_unsigned;
	if (!constant(l, call, 5, row, 5, &kind) || !constant(l, call, 6, row, 2, &is_unsigned))
		return;
	const struct isa_operand mask[] = {lower_operand(l, dxop_argument(call, 1)), lower_operand(l, dxop_argument(call, 2))};
	combine(l, call, row, kinds[kind], is_unsigned, mask);
}
