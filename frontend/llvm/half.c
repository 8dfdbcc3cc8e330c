/* Native 16-bit floats: a half stands in the low 16 bits of a word whose upper bits mean nothing. Arithmetic converts to
 * binary32, which is exact, computes there and rounds once more, to nearest even: for + - * / and square root that is the
 * half operation itself, since 24 bits are more than twice 11. Half denormals are normal in binary32, so that its flushing
 * does not touch them. */
#include "frontend/llvm/llvm.h"

/* What makes a half of a float by conversion (fptrunc, typed loads, interpolated inputs): towards zero, as D3D converts to
 * smaller floats (facts 4, 5.3). */
static const enum isa_op convert = ISA_cvt_f16_f32;

bool lower_is_half(const struct lower *l, LLVMTypeRef t)
{
	return l->p->flags & ISA_NATIVE_16BIT && LLVMGetTypeKind(t) == LLVMHalfTypeKind;
}

struct isa_operand lower_float(struct lower *l, LLVMValueRef v)
{
	struct isa_operand o = lower_operand(l, v);
	if (!lower_is_half(l, LLVMTypeOf(v)))
		return o;
	return o.file == ISA_LIT ? op_lit(isa_f16_to_f32(o.value)) : emit1(l, ISA_cvt_f32_f16, o);
}

struct isa_operand lower_rounded(struct lower *l, struct isa_operand o, LLVMTypeRef t)
{
	return lower_is_half(l, t) ? emit1(l, ISA_cvt_f16_f32_rne, o) : o;
}

struct isa_operand lower_converted(struct lower *l, struct isa_operand o, LLVMTypeRef t)
{
	return lower_is_half(l, t) ? emit1(l, convert, o) : o;
}
