/* Export patching: a program with symbolic colour exports + the choice for each target -> a program that converts and
 * exports in hardware forms. Nothing else changes: code that fed a dropped export stays, so that two patchings of one
 * program differ in export lines alone. Temporaries are two registers above the program's own (the allocator keeps
 * ISA_EXPORT_TEMPS free). */
#include "pso/pso.h"
#include <string.h>

enum { TARGET, TYPE_OR_FORM, MASK, SOURCE }; /* operands of exp_sym and exp */
enum { TEMPS = 2 };
_Static_assert(TEMPS <= (int)ISA_EXPORT_TEMPS, "temporaries reserved");

void export_scan(const struct isa_program *ps, struct export_outputs *out)
{
	*out = (struct export_outputs){0};
	for (size_t i = 0; ps && i < ps->inst_count; i++) {
		const struct isa_inst *in = &ps->insts[i];
		uint32_t target = in->at[TARGET].value;
		if (in->op != ISA_exp_sym || target >= KILN_RENDER_TARGETS_MAX)
			continue;
		out->written[target] |= (uint8_t)(in->at[MASK].value & 15);
		out->type[target] = (uint8_t)in->at[TYPE_OR_FORM].value;
	}
}

/* The packing instruction of a 16-bit form. */
static enum isa_op packing(unsigned form)
{
	switch (form) {
	case ISA_FORM_unorm16_abgr:
		return ISA_cvt_pknorm_u16_f32;
	case ISA_FORM_snorm16_abgr:
		return ISA_cvt_pknorm_i16_f32;
	case ISA_FORM_uint16_abgr:
		return ISA_cvt_pk_u16_u32;
	case ISA_FORM_sint16_abgr:
		return ISA_cvt_pk_i16_i32;
	default:
		return ISA_cvt_pkrtz_f16_f32;
	}
}

static struct isa_operand channel(const struct isa_inst *sym, unsigned mask, unsigned c)
{
	return mask >> c & 1 ? sym->at[SOURCE + c] : (struct isa_operand){.file = ISA_OFF};
}

/* Two channels into temporary t; the half that is not exported is 0 and the export's mask leaves it out. */
static void append_pack(
	struct isa_program *p, const struct isa_inst *sym, enum isa_op op, unsigned mask, unsigned c, uint32_t temp)
{
	struct isa_inst *in = isa_append(p, op);
	in->at[0] = (struct isa_operand){.file = ISA_V, .value = temp};
	for (unsigned i = 0; i < 2; i++) {
		in->at[1 + i] = channel(sym, mask, c + i);
		if (in->at[1 + i].file == ISA_OFF)
			in->at[1 + i] = (struct isa_operand){.file = ISA_LIT, .value = 0};
	}
}

static void append_export(
	struct isa_program *p, const struct isa_inst *sym, const struct export_choice *choice, uint32_t temp)
{
	unsigned mask = choice->channels & sym->at[MASK].value;
	bool packed = choice->bits == 16;
	if (!mask)
		return;
	for (unsigned pair = 0; packed && pair < 2; pair++)
		if (mask >> 2 * pair & 3)
			append_pack(p, sym, packing(choice->form), mask, 2 * pair, temp + pair);
	struct isa_inst *in = isa_append(p, ISA_exp);
	in->at[TARGET] = (struct isa_operand){.file = ISA_IMM, .value = sym->at[TARGET].value};
	in->at[TYPE_OR_FORM] = (struct isa_operand){.file = ISA_IMM, .value = choice->form};
	in->at[MASK] = (struct isa_operand){.file = ISA_IMM, .value = mask};
	for (unsigned c = 0; c < 4; c++) {
		if (!packed)
			in->at[SOURCE + c] = channel(sym, mask, c);
		else if (c < 2 && (mask >> 2 * c & 3))
			in->at[SOURCE + c] = (struct isa_operand){.file = ISA_V, .value = temp + c};
	}
}

struct isa_program *export_patch(const struct isa_program *ps, const struct export_choice choice[KILN_RENDER_TARGETS_MAX])
{
	struct isa_program *p = isa_program_copy(ps);
	const struct isa_inst *insts = p->insts; /* stay in the arena while the list is built anew */
	size_t count = p->inst_count;
	uint32_t temp = p->vgprs;
	bool exports = false;
	p->insts = NULL;
	p->inst_count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct isa_inst *in = &insts[i];
		if (in->op != ISA_exp_sym) {
			*isa_append(p, (enum isa_op)in->op) = *in;
			continue;
		}
		append_export(p, in, &choice[in->at[TARGET].value % KILN_RENDER_TARGETS_MAX], temp);
		exports = true;
	}
	/* Counted whatever the forms are, so that a program needs the same registers for every state. */
	p->vgprs += exports ? TEMPS : 0;
	p->flags |= ISA_PATCHED;
	return p;
}
