/* dx.op calls that read what a stage is given (inputs, also at other places; system values) or say what it gives. */
#include "frontend/llvm/dxop.h"

/* ---- inputs and outputs ---- */

void dxop_load_input(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	if (lower_check_word(l, LLVMTypeOf(call), dxop_name(l, call, row)))
		io_load_input(l, call);
}

void dxop_store_output(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	if (lower_check_word(l, LLVMTypeOf(dxop_argument(call, 3)), dxop_name(l, call, row)))
		io_store_output(l, call);
}

/* The place follows the component: offsets, or a sample, or nothing. */
void dxop_interpolate(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand place[2] = {{0}};
	unsigned count = dxop_operand_count(row) - 3;
	if (!lower_check_word(l, LLVMTypeOf(call), dxop_name(l, call, row)))
		return;
	if (l->p->stage != ISA_PIXEL) {
		lower_invalid(l, "%s outside a pixel shader", dxop_name(l, call, row));
		return;
	}
	for (unsigned i = 0; i < count; i++)
		place[i] = lower_operand(l, dxop_argument(call, 3 + i));
	io_interpolate(l, call, (enum isa_op)row->first, count, place);
}

void dxop_attribute_at_vertex(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	uint64_t vertex;
	if (!lower_check_word(l, LLVMTypeOf(call), dxop_name(l, call, row)))
		return;
	if (l->p->stage != ISA_PIXEL || !lower_constant_int(dxop_argument(call, 3), &vertex) || vertex > 2) {
		lower_invalid(l, "%s: there is no such vertex", dxop_name(l, call, row));
		return;
	}
	struct isa_operand place = op_imm((uint32_t)vertex);
	io_interpolate(l, call, (enum isa_op)row->first, 1, &place);
}

/* ---- system values and discard ---- */

void dxop_discard(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	l->p->flags |= ISA_USES_DISCARD;
	emit(l, (enum isa_op)row->first, 1, (struct isa_operand[]){lower_operand(l, dxop_argument(call, 0))});
}

void dxop_system_value(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand value = emit1(l, (enum isa_op)row->first, op_imm((uint32_t)row->second));
	if (row->second == ISA_SYS_sample_index)
		l->p->flags |= ISA_SAMPLE_FREQUENCY;
	if (row->second == ISA_SYS_helper)
		value = emit2(l, ISA_cmp_ne_u32, value, op_lit(0));
	lower_result(l, call, value);
}

/* ---- groups of threads ---- */

/* The component of a three-dimensional index; the system values of x, y and z follow each other. */
void dxop_thread_value(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	uint64_t component;
	if (!lower_constant_int(dxop_argument(call, 0), &component) || component > 2) {
		lower_invalid(l, "%s: there is no such component", dxop_name(l, call, row));
		return;
	}
	lower_result(l, call, emit1(l, (enum isa_op)row->first, op_imm((uint32_t)(row->second + (int)component))));
}

/* Memory is in order for everybody, so that fences are nothing: what is left is waiting for the group. */
static void wait_for_group(struct lower *l, LLVMValueRef call, const struct dxop *row, unsigned argument, uint64_t bit)
{
	uint64_t mode;
	if (!lower_constant_int(dxop_argument(call, argument), &mode))
		lower_invalid(l, "%s: the mode is not a constant", dxop_name(l, call, row));
	else if (mode & bit)
		emit(l, (enum isa_op)row->first, 0, NULL);
}

void dxop_barrier(struct lower *l, LLVMValueRef call, const struct dxop *row) { wait_for_group(l, call, row, 0, 1); }
void dxop_barrier_by_memory(struct lower *l, LLVMValueRef call, const struct dxop *row) { wait_for_group(l, call, row, 1, 1); }
