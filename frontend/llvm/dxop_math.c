/* dx.op calls that are arithmetic on the lane's own words: one instruction each, or a few. */
#include "frontend/llvm/dxop.h"

/* ---- one instruction ---- */

static void simple_op(struct lower *l, LLVMValueRef call, const struct dxop *row, bool narrow, bool is_signed)
{
	struct isa_operand sources[4];
	const char *name = dxop_name(l, call, row);
	if (!lower_check_word(l, LLVMTypeOf(call), name))
		return;
	for (unsigned i = 0; i < dxop_operand_count(row); i++) {
		LLVMTypeRef t = LLVMTypeOf(dxop_argument(call, i));
		if (!lower_check_word(l, t, name))
			return;
		if (!narrow && LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) < 32) {
			lower_unsupported(l, "%s on %s", name, lower_type_name(l, t));
			return;
		}
		sources[i] = lower_extended(l, dxop_argument(call, i), is_signed);
	}
	lower_result(l, call, emit_op(l, (enum isa_op)row->first, dxop_operand_count(row), sources));
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

/* Products are summed from x to w. */
void dxop_dot(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	unsigned n = dxop_operand_count(row) / 2;
	if (!lower_check_word(l, LLVMTypeOf(call), dxop_name(l, call, row)))
		return;
	struct isa_operand x0 = lower_operand(l, dxop_argument(call, 0)), x1 = lower_operand(l, dxop_argument(call, n));
	struct isa_operand sum = emit2(l, ISA_mul_f32, x0, x1);
	for (unsigned i = 1; i < n; i++)
		sum = emit3(l, ISA_mad_f32, lower_operand(l, dxop_argument(call, i)), lower_operand(l, dxop_argument(call, n + i)), sum);
	lower_result(l, call, sum);
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
