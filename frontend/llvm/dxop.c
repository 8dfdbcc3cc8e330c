/* dx.op calls: each is checked against its row of dxop.def (number, class, types), then its handler emits it. A row
 * without a handler is an operation that Kiln knows and does not execute yet. */
#include "frontend/llvm/dxop.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- operands and results ---- */

unsigned dxop_operand_count(const struct dxop *row) { return (unsigned)strlen(row->operands); }
LLVMValueRef dxop_argument(LLVMValueRef call, unsigned i) { return LLVMGetOperand(call, i + 1); }

const char *dxop_name(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	size_t length;
	const char *function = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
	return arena_printf(l->a, "%.*s (%u)", (int)(6 + strlen(row->class_name)), function, row->number);
}

void dxop_unsupported(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	lower_unsupported(l, "%s", dxop_name(l, call, row));
}

/* The letter of a scalar type, or 0. */
char dxop_type_letter(LLVMTypeRef t)
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

struct isa_operand dxop_optional(struct lower *l, LLVMValueRef v)
{
	return LLVMIsUndef(v) ? op_off() : lower_operand(l, v);
}

/* Fields of an aggregate that someone extracts. */
uint32_t dxop_used_fields(LLVMValueRef call)
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
uint32_t dxop_define_fields(struct lower *l, LLVMValueRef call, unsigned width)
{
	struct value *v = lower_define(l, call, VALUE_REG);
	v->reg = l->p->vgprs;
	v->width = (uint8_t)width;
	l->p->vgprs += width;
	return v->reg;
}

/* ---- rows and their check ---- */

static const struct dxop rows[] = {
#define DXOP(number, class_name, overloads, result, operands, handler, first, second) \
	{number, #class_name, overloads, result, operands, dxop_##handler, first, second},
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
			(dxop_type_letter(t) && strchr(row->overloads, dxop_type_letter(t)));
	case 'H': case 'B': case 'r': case 'R': case 'C': case 'T': case 'K': case 'D': case 'P': case '4': case 'S': case 'V':
		return kind == LLVMStructTypeKind;
	case 'p':
		return kind == LLVMPointerTypeKind;
	case 'e':
		return true;
	default:
		return dxop_type_letter(t) == letter;
	}
}

static bool check_call(struct lower *l, LLVMValueRef call, const char *function, const struct dxop *row)
{
	size_t class_length = strlen(row->class_name);
	LLVMTypeRef overload = NULL;
	char behind = strncasecmp(function + 6, row->class_name, class_length) ? '?' : function[6 + class_length];
	if (behind && behind != '.')
		return lower_invalid(l, "%s called with the number of dx.op.%s (%u)", function, row->class_name, row->number);
	if (LLVMGetNumArgOperands(call) != dxop_operand_count(row) + 1)
		return lower_invalid(l, "%s (%u): wrong number of operands", function, row->number);
	for (unsigned i = 0; i < dxop_operand_count(row); i++)
		if (!matches(row, row->operands[i], LLVMTypeOf(dxop_argument(call, i)), &overload))
			return lower_invalid(l, "%s (%u): operand %u is of type %s", function, row->number, i + 1,
				lower_type_name(l, LLVMTypeOf(dxop_argument(call, i))));
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
