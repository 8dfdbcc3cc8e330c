/* dx.op calls: each is checked against its row of dxop.def (number, class, types), then its handler emits it. A row
 * without a handler is an operation that Kiln knows and does not execute yet. */
#include "frontend/llvm/llvm.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct dxop;
typedef void dxop_handler(struct lower *l, LLVMValueRef call, const struct dxop *row);
struct dxop {
	uint32_t number;
	const char *class_name, *overloads, *result, *operands;
	dxop_handler *handler;
	int first, second;
};

static unsigned operand_count(const struct dxop *row) { return (unsigned)strlen(row->operands); }
static LLVMValueRef argument(LLVMValueRef call, unsigned i) { return LLVMGetOperand(call, i + 1); }

/* "dx.op.sample (60)" */
static const char *row_name(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	size_t length;
	const char *function = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
	return arena_printf(l->a, "%.*s (%u)", (int)(6 + strlen(row->class_name)), function, row->number);
}

static void unsupported(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	lower_unsupported(l, "%s", row_name(l, call, row));
}

/* The letter of a scalar type, or 0. */
static char type_letter(LLVMTypeRef t)
{
	switch (LLVMGetTypeKind(t)) {
	case LLVMVoidTypeKind: return 'v';
	case LLVMHalfTypeKind: return 'h';
	case LLVMFloatTypeKind: return 'f';
	case LLVMDoubleTypeKind: return 'd';
	case LLVMIntegerTypeKind:
		switch (LLVMGetIntTypeWidth(t)) {
		case 1: return '1';
		case 8: return 'c';
		case 16: return 'w';
		case 32: return 'i';
		case 64: return 'l';
		}
		return 0;
	default: return 0;
	}
}

/* ---- one instruction ---- */

static void simple_op(struct lower *l, LLVMValueRef call, const struct dxop *row, bool narrow, bool is_signed)
{
	struct isa_operand sources[4];
	const char *name = row_name(l, call, row);
	if (!lower_check_word(l, LLVMTypeOf(call), name))
		return;
	for (unsigned i = 0; i < operand_count(row); i++) {
		LLVMTypeRef t = LLVMTypeOf(argument(call, i));
		if (!lower_check_word(l, t, name))
			return;
		if (!narrow && LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) < 32) {
			lower_unsupported(l, "%s on %s", name, lower_type_name(l, t));
			return;
		}
		sources[i] = lower_extended(l, argument(call, i), is_signed);
	}
	lower_result(l, call, emit_op(l, (enum isa_op)row->first, operand_count(row), sources));
}

static void simple(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	simple_op(l, call, row, false, false);
}

static void simple_signed(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	simple_op(l, call, row, true, true);
}

static void simple_unsigned(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	simple_op(l, call, row, true, false);
}

static void derivative(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	l->p->flags |= ISA_USES_DERIVATIVES;
	simple_op(l, call, row, false, false);
}

/* Products are summed from x to w. */
static void dot(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	unsigned n = operand_count(row) / 2;
	if (!lower_check_word(l, LLVMTypeOf(call), row_name(l, call, row)))
		return;
	struct isa_operand x0 = lower_operand(l, argument(call, 0)), x1 = lower_operand(l, argument(call, n));
	struct isa_operand sum = emit2(l, ISA_mul_f32, x0, x1);
	for (unsigned i = 1; i < n; i++)
		sum = emit3(l, ISA_mad_f32, lower_operand(l, argument(call, i)), lower_operand(l, argument(call, n + i)), sum);
	lower_result(l, call, sum);
}

static void discard(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	l->p->flags |= ISA_USES_DISCARD;
	emit(l, (enum isa_op)row->first, 1, (struct isa_operand[]){lower_operand(l, argument(call, 0))});
}

static void system_value(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand value = emit1(l, (enum isa_op)row->first, op_imm((uint32_t)row->second));
	if (row->second == ISA_SYS_sample_index)
		l->p->flags |= ISA_SAMPLE_FREQUENCY;
	if (row->second == ISA_SYS_helper)
		value = emit2(l, ISA_cmp_ne_u32, value, op_lit(0));
	lower_result(l, call, value);
}

/* ---- several results ---- */

/* Fields of an aggregate that someone extracts. */
static uint32_t used_fields(LLVMValueRef call)
{
	uint32_t used = 0;
	for (LLVMUseRef u = LLVMGetFirstUse(call); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		if (!LLVMIsAExtractValueInst(user) || LLVMGetNumIndices(user) != 1 || LLVMGetIndices(user)[0] >= 32)
			return UINT32_MAX;
		used |= 1u << LLVMGetIndices(user)[0];
	}
	return used;
}

/* Fresh registers, one a field. */
static uint32_t define_fields(struct lower *l, LLVMValueRef call, unsigned width)
{
	struct value *v = lower_define(l, call, VALUE_REG);
	v->reg = l->p->vgprs;
	v->width = (uint8_t)width;
	l->p->vgprs += width;
	return v->reg;
}

static void two_outs(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand a = lower_operand(l, argument(call, 0)), b = lower_operand(l, argument(call, 1));
	uint32_t used = used_fields(call), reg = define_fields(l, call, 2);
	if (used & 1)
		emit(l, (enum isa_op)row->first, 3, (struct isa_operand[]){op_reg(reg), a, b});
	if (used & 2)
		emit(l, (enum isa_op)row->second, 3, (struct isa_operand[]){op_reg(reg + 1), a, b});
}

/* A sum below one of its terms has carried; a difference borrows where the first is below the second. */
static void carry(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand a = lower_operand(l, argument(call, 0)), b = lower_operand(l, argument(call, 1));
	uint32_t reg = define_fields(l, call, 2);
	struct isa_operand sum = op_reg(reg), out = op_reg(reg + 1);
	bool add = row->first == ISA_add_u32;
	emit(l, (enum isa_op)row->first, 3, (struct isa_operand[]){sum, a, b});
	emit(l, ISA_cmp_lt_u32, 3, (struct isa_operand[]){out, add ? sum : a, add ? a : b});
}

/* ---- inputs and outputs ---- */

static void load_input(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	if (lower_check_word(l, LLVMTypeOf(call), row_name(l, call, row)))
		io_load_input(l, call);
}

static void store_output(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	if (lower_check_word(l, LLVMTypeOf(argument(call, 3)), row_name(l, call, row)))
		io_store_output(l, call);
}

/* ---- handles: known at compile time, but for the place in an array ---- */

/* index is a register of the space, so that it counts from 0. */
static void define_handle(struct lower *l, LLVMValueRef call, size_t resource, LLVMValueRef index)
{
	const struct isa_resource *r = &l->p->resources[resource];
	struct isa_operand place = lower_operand(l, index);
	if (place.file == ISA_LIT) {
		place.value -= r->lower;
		if (place.value >= r->count) {
			lower_invalid(l, "resource register %u is outside its range", place.value + r->lower);
			return;
		}
	} else if (r->lower)
		place = emit2(l, ISA_sub_u32, place, op_lit(r->lower));
	struct value *v = lower_define(l, call, VALUE_HANDLE);
	v->reg = (uint32_t)resource;
	v->index = r->count == 1 ? op_off() : place;
}

static void create_handle(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	uint64_t cls, id;
	if (!lower_constant_int(argument(call, 0), &cls) || !lower_constant_int(argument(call, 1), &id)) {
		lower_invalid(l, "%s: class and range are not constants", row_name(l, call, row));
		return;
	}
	for (size_t i = 0; i < l->p->resource_count; i++)
		if (l->p->resources[i].cls == cls && l->meta->resource_ids[i] == id) {
			define_handle(l, call, i, argument(call, 2));
			return;
		}
	lower_invalid(l, "%s: no such resource", row_name(l, call, row));
}

static bool binding_field(LLVMValueRef binding, unsigned i, uint64_t *out)
{
	*out = 0;
	if (LLVMIsNull(binding))
		return true;
	LLVMValueRef field = LLVMIsConstant(binding) ? LLVMGetAggregateElement(binding, i) : NULL;
	return field && lower_constant_int(field, out);
}

static void create_handle_from_binding(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	enum { LOWER, UPPER, SPACE, CLASS, FIELDS };
	uint64_t field[FIELDS];
	for (unsigned i = 0; i < FIELDS; i++)
		if (!binding_field(argument(call, 0), i, &field[i])) {
			lower_invalid(l, "%s: the binding is not a constant", row_name(l, call, row));
			return;
		}
	for (size_t i = 0; i < l->p->resource_count; i++) {
		const struct isa_resource *r = &l->p->resources[i];
		if (r->cls == field[CLASS] && r->space == field[SPACE] && r->lower == field[LOWER]) {
			define_handle(l, call, i, argument(call, 1));
			return;
		}
	}
	lower_invalid(l, "%s: no such resource", row_name(l, call, row));
}

static const struct value *find_handle(struct lower *l, LLVMValueRef call, unsigned i, const struct dxop *row)
{
	const struct value *handle = lower_find(l, argument(call, i));
	if (handle && handle->kind == VALUE_HANDLE)
		return handle;
	lower_unsupported(l, "%s on a handle that is chosen at run time", row_name(l, call, row));
	return NULL;
}

static void annotate_handle(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	const struct value *from = find_handle(l, call, 0, row);
	if (!from)
		return;
	struct value copy = *from;
	*lower_define(l, call, VALUE_HANDLE) = copy;
}

/* ---- constant buffers ---- */

static const struct value *find_cbuffer(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	const struct value *handle = find_handle(l, call, 0, row);
	if (!handle || l->p->resources[handle->reg].cls == ISA_CBV)
		return handle;
	lower_invalid(l, "%s: the handle is no constant buffer", row_name(l, call, row));
	return NULL;
}

/* Words of one row into reg, reg + 1, …; those not wanted are off. */
static void load_row(struct lower *l, const struct value *handle, struct isa_operand index, uint32_t reg, uint32_t wanted)
{
	struct isa_operand at[7] = {{0}};
	for (unsigned i = 0; i < 4; i++)
		at[i] = wanted >> i & 1 ? op_reg(reg + i) : op_off();
	at[4] = op_imm(handle->reg);
	at[5] = handle->index;
	at[6] = index;
	emit(l, ISA_ld_cb, 7, at);
}

static void cbuffer_load_legacy(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	LLVMTypeRef t = LLVMTypeOf(call);
	const struct value *from = find_cbuffer(l, call, row);
	if (!from)
		return;
	if (LLVMCountStructElementTypes(t) != 4) {
		lower_unsupported(l, "%s of %s", row_name(l, call, row), lower_type_name(l, t));
		return;
	}
	if (!lower_check_word(l, LLVMStructGetTypeAtIndex(t, 0), row_name(l, call, row)))
		return;
	struct value handle = *from;
	struct isa_operand index = lower_operand(l, argument(call, 1));
	uint32_t wanted = used_fields(call) & 15, reg = define_fields(l, call, 4);
	if (wanted)
		load_row(l, &handle, index, reg, wanted);
}

/* By byte offset: the row that holds it, then its word. */
static void cbuffer_load(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	const struct value *from = find_cbuffer(l, call, row);
	LLVMTypeRef t = LLVMTypeOf(call);
	if (!from || !lower_check_word(l, t, row_name(l, call, row)))
		return;
	if (type_letter(t) != 'f' && type_letter(t) != 'i') {
		lower_unsupported(l, "%s of %s", row_name(l, call, row), lower_type_name(l, t));
		return;
	}
	struct value handle = *from;
	struct isa_operand offset = lower_operand(l, argument(call, 1));
	uint32_t reg = l->p->vgprs;
	l->p->vgprs += 4;
	if (offset.file == ISA_LIT) {
		unsigned word = offset.value / 4 % 4;
		load_row(l, &handle, op_lit(offset.value / 16), reg, 1u << word);
		lower_result(l, call, op_reg(reg + word));
		return;
	}
	load_row(l, &handle, emit2(l, ISA_lshr_b32, offset, op_lit(4)), reg, 15);
	struct isa_operand word = emit3(l, ISA_bfe_u32, op_lit(2), op_lit(2), offset), chosen = op_reg(reg);
	for (uint32_t i = 1; i < 4; i++)
		chosen = emit3(l, ISA_cndmask, op_reg(reg + i), chosen, emit2(l, ISA_cmp_eq_u32, word, op_lit(i)));
	lower_result(l, call, chosen);
}

/* ---- rows and their check ---- */

static const struct dxop rows[] = {
#define DXOP(number, class_name, overloads, result, operands, handler, first, second) \
	{number, #class_name, overloads, result, operands, handler, first, second},
#include "frontend/llvm/dxop.def"
};
enum { DXOP_END = 312 }; /* numbers from here on are not DXIL's */

static const struct dxop *find_row(uint64_t number)
{
	size_t low = 0, high = ARRAY_COUNT(rows);
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (rows[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < ARRAY_COUNT(rows) && rows[low].number == number ? &rows[low] : NULL;
}

static bool is_reserved(uint64_t n)
{
	return (n >= 226 && n <= 237) || (n >= 259 && n <= 261) || (n >= 290 && n <= 302) || (n >= 305 && n <= 308) ||
		n >= DXOP_END;
}

/* *overload is the first overloaded type met, with which the others must agree. */
static bool matches(const struct dxop *row, char letter, LLVMTypeRef t, LLVMTypeRef *overload)
{
	LLVMTypeKind kind = LLVMGetTypeKind(t);
	switch (letter) {
	case 'o':
		if (!*overload)
			*overload = t;
		if (*overload != t)
			return false;
		return strpbrk(row->overloads, "ux") || kind == LLVMVectorTypeKind ||
			(type_letter(t) && strchr(row->overloads, type_letter(t)));
	case 'H': case 'B': case 'r': case 'R': case 'C': case 'T': case 'K': case 'D': case 'P': case '4': case 'S': case 'V':
		return kind == LLVMStructTypeKind;
	case 'p':
		return kind == LLVMPointerTypeKind;
	case 'e':
		return true;
	default:
		return type_letter(t) == letter;
	}
}

static bool check_call(struct lower *l, LLVMValueRef call, const char *function, const struct dxop *row)
{
	size_t class_length = strlen(row->class_name);
	LLVMTypeRef overload = NULL;
	char behind = strncasecmp(function + 6, row->class_name, class_length) ? '?' : function[6 + class_length];
	if (behind && behind != '.')
		return lower_invalid(l, "%s called with the number of dx.op.%s (%u)", function, row->class_name, row->number);
	if (LLVMGetNumArgOperands(call) != operand_count(row) + 1)
		return lower_invalid(l, "%s (%u): wrong number of operands", function, row->number);
	for (unsigned i = 0; i < operand_count(row); i++)
		if (!matches(row, row->operands[i], LLVMTypeOf(argument(call, i)), &overload))
			return lower_invalid(l, "%s (%u): operand %u is of type %s", function, row->number, i + 1,
				lower_type_name(l, LLVMTypeOf(argument(call, i))));
	if (!matches(row, row->result[0], LLVMTypeOf(call), &overload))
		return lower_invalid(l, "%s (%u): the result is of type %s", function, row->number,
			lower_type_name(l, LLVMTypeOf(call)));
	return true;
}

void lower_dxop(struct lower *l, LLVMValueRef call, const char *function)
{
	uint64_t number;
	if (!LLVMGetNumArgOperands(call) || !lower_constant_int(LLVMGetOperand(call, 0), &number)) {
		lower_invalid(l, "%s: the operation's number is not a constant", function);
		return;
	}
	const struct dxop *row = find_row(number);
	if (row && check_call(l, call, function, row))
		row->handler(l, call, row);
	else if (!row && is_reserved(number))
		lower_invalid(l, "%s: no operation has the number %u", function, (unsigned)number);
	else if (!row)
		lower_unsupported(l, "%s (%u)", function, (unsigned)number);
}
