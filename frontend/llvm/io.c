/* Inputs and outputs. storeOutput may stand anywhere; all exports are made once, at the end, where every lane exports
 * what it last stored. */
#include "frontend/llvm/llvm.h"
#include <string.h>

/* ---- places ---- */

struct place {
	const struct fe_element *element;
	uint32_t component;
	LLVMValueRef row;
};

static bool find_place(struct lower *l, LLVMValueRef call, const struct fe_element *elements, size_t count,
	struct place *out)
{
	uint64_t id, column;
	if (!lower_constant_int(LLVMGetOperand(call, 1), &id) || id >= count)
		return lower_invalid(l, "signature element that does not exist");
	out->element = &elements[id];
	if (!lower_constant_int(LLVMGetOperand(call, 3), &column) || column >= out->element->cols)
		return lower_invalid(l, "component past its signature element");
	out->component = (uint32_t)column;
	out->row = LLVMGetOperand(call, 2);
	return true;
}

/* A constant row, checked; false if it is a register, or wrong. */
static bool constant_row(struct lower *l, const struct place *at, uint32_t *row)
{
	uint64_t n;
	*row = 0;
	if (!lower_constant_int(at->row, &n))
		return false;
	if (n >= at->element->rows)
		lower_invalid(l, "row past its signature element");
	*row = (uint32_t)n;
	return !l->failed;
}

/* ---- inputs ---- */

/* A load instruction without the slot and component it reads. */
struct load {
	enum isa_op op;
	unsigned count;                    /* operands behind the component */
	struct isa_operand place[2];
};

static struct isa_operand load_slot(struct lower *l, LLVMTypeRef t, const struct load *load, uint32_t slot,
	uint32_t component)
{
	struct isa_operand at[4] = {op_imm(slot), op_imm(component), load->place[0], load->place[1]};
	l->p->inputs[slot].used |= (uint8_t)(1u << component);
	return lower_converted(l, emit_op(l, load->op, 2 + load->count, at), t);
}

static void load_element(struct lower *l, LLVMValueRef call, const struct load *load)
{
	struct place at;
	uint32_t row;
	if (!find_place(l, call, l->meta->inputs, l->meta->input_count, &at))
		return;
	if (constant_row(l, &at, &row)) {
		lower_result(l, call, load_slot(l, LLVMTypeOf(call), load, at.element->first_slot + row, at.component));
		return;
	}
	struct isa_operand index = lower_operand(l, at.row);
	struct isa_operand chosen = load_slot(l, LLVMTypeOf(call), load, at.element->first_slot, at.component);
	for (uint32_t r = 1; r < at.element->rows; r++) {
		struct isa_operand word = load_slot(l, LLVMTypeOf(call), load, at.element->first_slot + r, at.component);
		chosen = emit3(l, ISA_cndmask, word, chosen, emit2(l, ISA_cmp_eq_u32, index, op_lit(r)));
	}
	lower_result(l, call, chosen);
}

void io_load_input(struct lower *l, LLVMValueRef call) { load_element(l, call, &(struct load){.op = ISA_ld_in}); }

void io_interpolate(struct lower *l, LLVMValueRef call, enum isa_op op, unsigned count, const struct isa_operand *place)
{
	struct load load = {.op = op, .count = count};
	for (unsigned i = 0; i < count; i++)
		load.place[i] = place[i];
	load_element(l, call, &load);
}

/* ---- outputs ---- */

/* Does every lane that reaches the exit pass here, once, so that a value stored here is what it exports? */
static bool is_passed_once(const struct cfg *g, uint32_t node)
{
	uint32_t n = g->exit;
	if (g->nodes[node].loop != CFG_NONE || g->nodes[n].idom == CFG_NONE)
		return false;
	while (n > node)
		n = g->nodes[n].idom;
	return n == node;
}

static void mark_output(struct lower *l, uint32_t slot, uint32_t component, LLVMValueRef value)
{
	struct output *o = &l->outputs[slot][component];
	l->p->outputs[slot].used |= (uint8_t)(1u << component);
	o->stores++;
	o->only = o->stores == 1 ? value : NULL;
}

static bool is_store(LLVMValueRef i)
{
	static const char name[] = "dx.op.storeOutput.";
	size_t length;
	return LLVMGetInstructionOpcode(i) == LLVMCall && LLVMIsAFunction(LLVMGetCalledValue(i)) &&
		!strncmp(LLVMGetValueName2(LLVMGetCalledValue(i), &length), name, sizeof name - 1) && LLVMGetNumArgOperands(i) == 5;
}

static void find_outputs(struct lower *l, uint32_t node)
{
	bool once = is_passed_once(l->cfg, node);
	for (LLVMValueRef i = LLVMGetFirstInstruction(l->cfg->nodes[node].block); i; i = LLVMGetNextInstruction(i)) {
		struct place at;
		uint32_t row;
		if (!is_store(i))
			continue;
		if (!find_place(l, i, l->meta->outputs, l->meta->output_count, &at))
			return;
		bool fixed = constant_row(l, &at, &row);
		for (uint32_t r = 0; r < at.element->rows; r++)
			if (!fixed || r == row)
				mark_output(l, at.element->first_slot + r, at.component, fixed && once ? LLVMGetOperand(i, 4) : NULL);
	}
}

/* An output that several calls write, or one in a branch, is a register, first 0: a lane that never stores exports that.
 * The others are their value. */
void io_begin(struct lower *l)
{
	l->outputs = arena_array(l->a, l->p->output_count, sizeof *l->outputs);
	for (uint32_t n = 0; n < l->cfg->node_count && !l->failed; n++)
		if (l->cfg->nodes[n].block)
			find_outputs(l, n);
	for (size_t s = 0; s < l->p->output_count; s++)
		for (unsigned c = 0; c < 4; c++) {
			struct output *o = &l->outputs[s][c];
			if (!o->stores || o->only)
				continue;
			o->at = op_reg(lower_reg(l));
			emit(l, ISA_mov, 2, (struct isa_operand[]){o->at, op_lit(0)});
		}
}

static void store(struct lower *l, struct output *o, struct isa_operand word)
{
	if (o->only)
		o->at = word;
	else
		emit(l, ISA_mov, 2, (struct isa_operand[]){o->at, word});
}

void io_store_output(struct lower *l, LLVMValueRef call)
{
	struct place at;
	uint32_t row;
	LLVMValueRef value = LLVMGetOperand(call, 4);
	if (!find_place(l, call, l->meta->outputs, l->meta->output_count, &at))
		return;
	uint32_t slot = at.element->first_slot;
	bool is_signed = l->p->outputs[slot].type == ISA_I16 || l->p->outputs[slot].type == ISA_I32;
	bool half = lower_is_half(l, LLVMTypeOf(value));
	struct isa_operand word = half ? lower_float(l, value) : lower_extended(l, value, is_signed);
	if (constant_row(l, &at, &row)) {
		store(l, &l->outputs[slot + row][at.component], word);
		return;
	}
	struct isa_operand index = lower_operand(l, at.row);
	for (uint32_t r = 0; r < at.element->rows && !l->failed; r++) {
		struct isa_operand old = l->outputs[slot + r][at.component].at, same = emit2(l, ISA_cmp_eq_u32, index, op_lit(r));
		emit(l, ISA_cndmask, 4, (struct isa_operand[]){old, word, old, same});
	}
}

/* ---- exports ---- */

struct export {
	struct isa_operand at[4];
	uint32_t mask;
};

/* Puts a slot's written components into the export, from its first component or from where it sits in its register. */
static void gather(struct lower *l, struct export *e, size_t slot, unsigned first)
{
	for (unsigned c = 0; c < 4 && first + c < 4; c++)
		if (l->outputs[slot][c].stores) {
			e->at[first + c] = l->outputs[slot][c].at;
			e->mask |= 1u << (first + c);
		}
}

static void emit_export(struct lower *l, enum isa_op op, uint32_t target, uint32_t form, const struct export *e)
{
	struct isa_operand at[7] = {op_imm(target), op_imm(form), op_imm(e->mask), e->at[0], e->at[1], e->at[2], e->at[3]};
	if (e->mask)
		emit(l, op, 7, at);
}

/* Clip and cull distances fill one or two signature registers; each is one position export behind the position. */
static void export_distances(struct lower *l)
{
	const struct isa_program *p = l->p;
	uint32_t regs[2] = {CFG_NONE, CFG_NONE};
	struct export e[2] = {{{{0}}, 0}, {{{0}}, 0}};
	for (size_t s = 0; s < p->output_count; s++) {
		const struct isa_io *io = &p->outputs[s];
		if (io->semantic != ISA_SEM_CLIP_DISTANCE && io->semantic != ISA_SEM_CULL_DISTANCE)
			continue;
		unsigned k = regs[0] == CFG_NONE || regs[0] == io->reg ? 0 : 1;
		if (k == 1 && regs[1] != CFG_NONE && regs[1] != io->reg) {
			lower_invalid(l, "more than two registers of clip and cull distances");
			return;
		}
		regs[k] = io->reg;
		gather(l, &e[k], s, io->start_col);
	}
	for (unsigned k = 0; k < 2; k++)
		emit_export(l, ISA_exp, ISA_POS0 + 1 + k, ISA_FORM_32_abgr, &e[k]);
}

static void export_vertex(struct lower *l)
{
	const struct isa_program *p = l->p;
	for (size_t s = 0; s < p->output_count; s++)
		if (p->outputs[s].semantic == ISA_SEM_POSITION) {
			struct export e = {0};
			gather(l, &e, s, 0);
			emit_export(l, ISA_exp, ISA_POS0, ISA_FORM_32_abgr, &e);
		}
	export_distances(l);
	for (size_t s = 0; s < p->output_count; s++) {
		struct export e = {0};
		gather(l, &e, s, 0);
		if (s >= ISA_TARGET_COUNT - ISA_PARAM0) {
			lower_unsupported(l, "more than %d output registers", ISA_TARGET_COUNT - ISA_PARAM0);
			return;
		}
		emit_export(l, ISA_exp, ISA_PARAM0 + (uint32_t)s, ISA_FORM_32_abgr, &e);
	}
}

/* What the colour block is told of a component type; 16-bit ones are kept in words. */
static uint32_t export_type(uint8_t type)
{
	switch (type) {
	case ISA_U32: case ISA_U16: return ISA_U32;
	case ISA_I32: case ISA_I16: return ISA_I32;
	default: return ISA_F32;
	}
}

static void export_color(struct lower *l, uint32_t target)
{
	const struct isa_program *p = l->p;
	struct export e = {0};
	uint32_t type = ISA_F32;
	for (size_t s = 0; s < p->output_count; s++)
		if (p->outputs[s].semantic == ISA_SEM_TARGET && p->outputs[s].reg == target) {
			gather(l, &e, s, p->outputs[s].start_col);
			type = export_type(p->outputs[s].type);
		}
	emit_export(l, ISA_exp_sym, ISA_MRT0 + target, type, &e);
}

/* Depth in R, stencil in G, coverage in B; the form is the smallest 32-bit one that holds what is written. */
static void export_depth(struct lower *l)
{
	struct isa_program *p = l->p;
	struct export e = {0};
	for (size_t s = 0; s < p->output_count; s++) {
		unsigned channel = 4;
		switch (p->outputs[s].semantic) {
		case ISA_SEM_DEPTH: case ISA_SEM_DEPTH_LE: case ISA_SEM_DEPTH_GE: channel = 0; break;
		case ISA_SEM_STENCIL_REF: channel = 1; break;
		case ISA_SEM_COVERAGE: channel = 2; break;
		}
		if (channel == 4 || !l->outputs[s][0].stores)
			continue;
		static const uint32_t flags[] = {ISA_WRITES_DEPTH, ISA_WRITES_STENCIL, ISA_WRITES_COVERAGE};
		p->flags |= flags[channel];
		e.at[channel] = l->outputs[s][0].at;
		e.mask |= 1u << channel;
	}
	uint32_t form = e.mask & 4 ? ISA_FORM_32_abgr : e.mask & 2 ? ISA_FORM_32_gr : ISA_FORM_32_r;
	emit_export(l, ISA_exp, ISA_MRTZ, form, &e);
}

void io_exports(struct lower *l)
{
	if (l->p->stage == ISA_VERTEX) {
		export_vertex(l);
		return;
	}
	for (size_t s = 0; s < l->p->output_count; s++)
		if (l->p->outputs[s].semantic == ISA_SEM_TARGET && l->p->outputs[s].reg >= 8) {
			lower_invalid(l, "SV_Target%u", l->p->outputs[s].reg);
			return;
		}
	for (uint32_t target = 0; target < 8; target++)
		export_color(l, target);
	export_depth(l);
}
