/* dx.op calls on a texture with a sampler. Their operands behind the handles stand in the order of the instructions' rows:
 * four coordinates, three offsets in texels, then what the operation adds. */
#include "frontend/llvm/dxop.h"

/* The handles, and the operands from the coordinates to the last; false: reported. */
static bool sample_operands(struct lower *l, LLVMValueRef call, const struct dxop *row, struct isa_operand *at)
{
	struct value image, sampler;
	if (!dxop_handle(l, call, 0, row, DXOP_SRV | DXOP_IMAGE, &image) || !dxop_handle(l, call, 1, row, DXOP_SAMPLER, &sampler))
		return false;
	at[ISA_IMAGE] = op_imm(image.reg);
	at[ISA_IMAGE_ELEMENT] = image.index;
	at[ISA_IMAGE_SAMPLER] = op_imm(sampler.reg);
	at[ISA_IMAGE_SAMPLER_ELEMENT] = sampler.index;
	for (unsigned i = 0; i < 4; i++)
		at[ISA_IMAGE_COORDINATE + i] = dxop_optional(l, dxop_argument(call, 2 + i));
	if (at[ISA_IMAGE_COORDINATE].file == ISA_OFF)
		at[ISA_IMAGE_COORDINATE] = op_lit(0);
	return true;
}

/* An offset of zero is none. */
static struct isa_operand offset(struct lower *l, LLVMValueRef v)
{
	return LLVMIsNull(v) ? op_off() : dxop_optional(l, v);
}

void dxop_sample(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand at[ISA_OPERANDS_MAX];
	const struct isa_info *info = &isa_info[row->first];
	if (!sample_operands(l, call, row, at))
		return;
	for (unsigned i = 0; i < 3; i++)
		at[ISA_IMAGE_OFFSET + i] = offset(l, dxop_argument(call, 6 + i));
	for (unsigned i = ISA_IMAGE_MORE; i < info->count; i++) {
		LLVMValueRef v = dxop_argument(call, 9 + i - ISA_IMAGE_MORE);
		at[i] = info->operands[i] == 'y' ? dxop_optional(l, v) : lower_operand(l, v);
	}
	dxop_emit_load(l, call, row, (enum isa_op)row->first, info->count, at);
}

/* The level comes from differences between the quad's lanes. */
void dxop_sample_implicit(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	l->p->flags |= ISA_USES_DERIVATIVES;
	dxop_sample(l, call, row);
}

void dxop_gather(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	enum { OFFSET = 6, CHANNEL = 8, REFERENCE };
	struct isa_operand at[ISA_OPERANDS_MAX];
	uint64_t channel;
	if (!lower_constant_int(dxop_argument(call, CHANNEL), &channel) || channel > 3) {
		lower_invalid(l, "%s: the channel is not one of four", dxop_name(l, call, row));
		return;
	}
	if (!sample_operands(l, call, row, at))
		return;
	at[ISA_IMAGE_OFFSET] = offset(l, dxop_argument(call, OFFSET));
	at[ISA_IMAGE_OFFSET + 1] = offset(l, dxop_argument(call, OFFSET + 1));
	at[ISA_IMAGE_OFFSET + 2] = op_off();
	at[ISA_IMAGE_MORE] = op_imm((uint32_t)channel);
	if (row->first == ISA_image_gather4_c)
		at[ISA_IMAGE_MORE + 1] = lower_operand(l, dxop_argument(call, REFERENCE));
	dxop_emit_load(l, call, row, (enum isa_op)row->first, isa_info[row->first].count, at);
}

void dxop_calculate_lod(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct value image, sampler;
	uint64_t clamped;
	if (!dxop_handle(l, call, 0, row, DXOP_SRV | DXOP_IMAGE, &image) || !dxop_handle(l, call, 1, row, DXOP_SAMPLER, &sampler))
		return;
	if (!lower_constant_int(dxop_argument(call, 5), &clamped)) {
		lower_invalid(l, "%s: clamped or not is not a constant", dxop_name(l, call, row));
		return;
	}
	struct isa_operand at[] = {op_reg(lower_reg(l)), op_imm(image.reg), image.index, op_imm(sampler.reg), sampler.index,
		lower_operand(l, dxop_argument(call, 2)), dxop_optional(l, dxop_argument(call, 3)),
		dxop_optional(l, dxop_argument(call, 4)), op_imm((uint32_t)clamped)};
	l->p->flags |= ISA_USES_DERIVATIVES;
	emit(l, ISA_image_get_lod, 9, at);
	lower_result(l, call, at[0]);
}
