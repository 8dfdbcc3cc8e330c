/* What the files of dx.op handlers share: a call, its row of dxop.def, and its handlers by family.
 *
 * dxop.c           the table and the check of a call against its row
 * dxop_math.c      arithmetic: one instruction or few
 * dxop_input.c     inputs, outputs, system values, discard
 * dxop_resource.c  handles, constant buffers, buffers, textures without a sampler, atomics
 * dxop_sample.c    textures with a sampler
 * dxop_wave.c      wave and quad operations */
#ifndef KILN_FRONTEND_DXOP_H
#define KILN_FRONTEND_DXOP_H
#include "frontend/llvm/llvm.h"

struct dxop;
typedef void dxop_handler(struct lower *l, LLVMValueRef call, const struct dxop *row);
struct dxop {
	uint32_t number;
	const char *class_name, *overloads, *result, *operands;
	dxop_handler *handler;
	int first, second;                 /* what the handler makes of them: see dxop.def */
};
#define DXOP(number, class_name, overloads, result, operands, handler, first, second) dxop_handler dxop_##handler;
#include "frontend/llvm/dxop.def"

/* ---- dxop.c ---- */
unsigned dxop_operand_count(const struct dxop *row);                    /* behind the number */
LLVMValueRef dxop_argument(LLVMValueRef call, unsigned i);              /* the same, from 0 */
const char *dxop_name(struct lower *l, LLVMValueRef call, const struct dxop *row); /* "dx.op.sample (60)" */
char dxop_type_letter(LLVMTypeRef t);                                   /* of a scalar type; 0 of others */
/* The word of an operand that may be left out: undef is off. */
struct isa_operand dxop_optional(struct lower *l, LLVMValueRef v);
uint32_t dxop_used_fields(LLVMValueRef call);                           /* of an aggregate: those that someone extracts */
uint32_t dxop_define_fields(struct lower *l, LLVMValueRef call, unsigned width); /* fresh registers, one a field */

/* ---- dxop_resource.c ---- */
enum { DXOP_SRV = 1 << ISA_SRV, DXOP_UAV = 1 << ISA_UAV, DXOP_CBV = 1 << ISA_CBV, DXOP_SAMPLER = 1 << ISA_SAMPLER,
	DXOP_IMAGE = 16, DXOP_BUFFER = 32 };
/* Argument i, a handle to a resource of one of these classes and, of SRVs and UAVs, shapes. False: reported. */
bool dxop_handle(struct lower *l, LLVMValueRef call, unsigned i, const struct dxop *row, unsigned kinds, struct value *out);
/* Defines a ResRet: `at` begins with four results, which become those fields that are used; then emits. What nobody reads
 * is not emitted. */
void dxop_emit_load(struct lower *l, LLVMValueRef call, const struct dxop *row, enum isa_op op, unsigned count,
	struct isa_operand *at);
#endif
