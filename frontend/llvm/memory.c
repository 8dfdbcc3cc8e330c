/* Local arrays to scratch, constant globals to the program's constant table. Arrays and structs are flattened: each
 * scalar leaf is one dword, of 64 bits two. A pointer is an array (base, count) and an index, part constant, part
 * register. */
#include "frontend/llvm/llvm.h"
#include <string.h>

enum { DEPTH_MAX = 32, ADDRESS_LOCAL = 0, ADDRESS_GROUP = 3, GROUP_WORDS_MAX = 32768 / 4 };

/* ---- flattened types ---- */

/* Dwords of a type; false where a leaf does not fit one, or where there are too many. */
static bool flat_size(LLVMTypeRef t, unsigned depth, uint64_t *out)
{
	uint64_t inner, total = 0;
	if (depth > DEPTH_MAX)
		return false;
	switch (LLVMGetTypeKind(t)) {
	case LLVMFloatTypeKind:
	case LLVMHalfTypeKind:
		*out = 1;
		return true;
	case LLVMDoubleTypeKind:
		*out = 2;
		return true;
	case LLVMIntegerTypeKind:
		*out = lower_words(t);
		return LLVMGetIntTypeWidth(t) <= 32 || lower_is_wide(t);
	case LLVMArrayTypeKind:
	case LLVMVectorTypeKind: {
		uint64_t length = LLVMGetTypeKind(t) == LLVMArrayTypeKind ? LLVMGetArrayLength2(t) : LLVMGetVectorSize(t);
		if (!flat_size(LLVMGetElementType(t), depth + 1, &inner) || (inner && length > ISA_SCRATCH_MAX / inner))
			return false;
		*out = inner * length;
		return true;
	}
	case LLVMStructTypeKind:
		if (LLVMIsOpaqueStruct(t))
			return false;
		for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++) {
			if (!flat_size(LLVMStructGetTypeAtIndex(t, i), depth + 1, &inner))
				return false;
			total += inner;
		}
		*out = total;
		return total <= ISA_SCRATCH_MAX;
	default:
		return false;
	}
}

/* Bytes per dword hold only where all leaves are 32 bits: then LLVM's byte offsets mean dwords. */
static bool all_words(LLVMTypeRef t)
{
	switch (LLVMGetTypeKind(t)) {
	case LLVMArrayTypeKind:
		return all_words(LLVMGetElementType(t));
	case LLVMStructTypeKind:
		for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
			if (!all_words(LLVMStructGetTypeAtIndex(t, i)))
				return false;
		return true;
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(t) == 32;
	default:
		return LLVMGetTypeKind(t) == LLVMFloatTypeKind;
	}
}

/* ---- arrays ---- */

static struct value *define_pointer(struct lower *l, LLVMValueRef v, enum memory_space space, uint32_t base,
	uint32_t count)
{
	struct value *to = lower_define(l, v, VALUE_POINTER);
	to->space = (uint8_t)space;
	to->base = base;
	to->count = count;
	to->index = op_off();
	return to;
}

void lower_alloca(struct lower *l, LLVMValueRef v)
{
	LLVMTypeRef t = LLVMGetAllocatedType(v);
	uint64_t size, copies;
	if (!lower_constant_int(LLVMGetOperand(v, 0), &copies) || !copies || copies > ISA_SCRATCH_MAX ||
		!flat_size(t, 0, &size) || size * copies > ISA_SCRATCH_MAX - l->p->scratch) {
		lower_unsupported(l, "local variable of type %s", lower_type_name(l, t));
		return;
	}
	struct value *to = define_pointer(l, v, MEMORY_SCRATCH, l->p->scratch, (uint32_t)(size * copies));
	to->width = all_words(t);
	l->p->scratch += (uint32_t)(size * copies);
}

static bool fill_constants(struct lower *l, LLVMValueRef v, uint32_t **at, unsigned depth)
{
	LLVMTypeRef t = LLVMTypeOf(v);
	LLVMTypeKind kind = LLVMGetTypeKind(t);
	if (kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind || kind == LLVMVectorTypeKind) {
		uint64_t count = kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(t)
			: kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(t) : LLVMGetVectorSize(t);
		for (uint64_t i = 0; i < count; i++) {
			LLVMValueRef e = LLVMGetAggregateElement(v, (unsigned)i);
			if (!e || depth > DEPTH_MAX || !fill_constants(l, e, at, depth + 1))
				return false;
		}
		return true;
	}
	if (lower_is_wide(t)) {
		struct pair p = lower_pair(l, v);
		*(*at)++ = p.lo.value;
		*(*at)++ = p.hi.value;
		return !l->failed;
	}
	struct isa_operand word = lower_operand(l, v);
	*(*at)++ = word.value;
	return !l->failed;
}

static const char *global_name(LLVMValueRef v)
{
	size_t length;
	return LLVMGetValueName2(v, &length);
}

/* The first use of a groupshared variable gives it its place; it has no initial value. */
static const struct value *lower_group_variable(struct lower *l, LLVMValueRef v)
{
	LLVMTypeRef t = LLVMGlobalGetValueType(v);
	uint64_t size;
	if (!flat_size(t, 0, &size)) {
		lower_unsupported(l, "groupshared variable '%s' of type %s", global_name(v), lower_type_name(l, t));
		return NULL;
	}
	if (size > GROUP_WORDS_MAX - l->p->lds_bytes / 4) {
		lower_invalid(l, "groupshared variables need more than %d bytes", 4 * GROUP_WORDS_MAX);
		return NULL;
	}
	struct value *to = define_pointer(l, v, MEMORY_GROUP, l->p->lds_bytes / 4, (uint32_t)size);
	to->width = all_words(t);
	l->p->lds_bytes += 4 * (uint32_t)size;
	return to;
}

/* The first use of a constant global copies it to the table. */
static const struct value *lower_global(struct lower *l, LLVMValueRef v)
{
	LLVMTypeRef t = LLVMGlobalGetValueType(v);
	LLVMValueRef initial = LLVMGetInitializer(v);
	struct isa_program *p = l->p;
	uint64_t size;
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == ADDRESS_GROUP)
		return lower_group_variable(l, v);
	if (!LLVMIsGlobalConstant(v) || !initial || !flat_size(t, 0, &size) || size > ISA_SCRATCH_MAX) {
		lower_unsupported(l, "global variable '%s' of type %s", global_name(v), lower_type_name(l, t));
		return NULL;
	}
	uint32_t base = (uint32_t)p->constant_count;
	uint32_t *grown = arena_array(&p->arena, p->constant_count + size, sizeof *grown), *at = grown + base;
	if (base)
		memcpy(grown, p->constants, base * sizeof *grown);
	p->constants = grown;
	p->constant_count += size;
	if (!fill_constants(l, initial, &at, 0)) {
		lower_unsupported(l, "initial value of '%s'", global_name(v));
		return NULL;
	}
	struct value *to = define_pointer(l, v, MEMORY_CONSTANT, base, (uint32_t)size);
	to->width = all_words(t);
	return to;
}

/* Variables of the module that the shader may write, which DXC leaves at -Od: scratch, set at the program's start. */
void memory_begin(struct lower *l, LLVMModuleRef module)
{
	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g && !l->failed; g = LLVMGetNextGlobal(g)) {
		LLVMValueRef initial = LLVMGetInitializer(g);
		uint64_t size;
		if (LLVMIsGlobalConstant(g) || !initial || !LLVMGetFirstUse(g) ||
			LLVMGetPointerAddressSpace(LLVMTypeOf(g)) != ADDRESS_LOCAL)
			continue;
		if (!flat_size(LLVMGlobalGetValueType(g), 0, &size) || size > ISA_SCRATCH_MAX - l->p->scratch) {
			lower_unsupported(l, "global variable '%s' of type %s", global_name(g),
				lower_type_name(l, LLVMGlobalGetValueType(g)));
			return;
		}
		uint32_t *words = arena_array(l->a, size, sizeof *words), *at = words;
		if (!fill_constants(l, initial, &at, 0)) {
			lower_unsupported(l, "initial value of '%s'", global_name(g));
			return;
		}
		struct value *to = define_pointer(l, g, MEMORY_SCRATCH, l->p->scratch, (uint32_t)size);
		struct isa_operand base = op_imm(to->base), count = op_imm(to->count);
		to->width = all_words(LLVMGlobalGetValueType(g));
		l->p->scratch += (uint32_t)size;
		for (uint32_t i = 0; i < size; i++)
			emit(l, ISA_st_scratch, 4, (struct isa_operand[]){base, count, op_lit(i), op_lit(words[i])});
	}
}

/* ---- addresses ---- */

static bool add_index(struct lower *l, struct value *to, LLVMValueRef index, uint64_t stride)
{
	uint64_t n;
	if (lower_constant_int(index, &n)) {
		to->offset += (uint32_t)((uint64_t)LLVMConstIntGetSExtValue(index) * stride);
		return true;
	}
	if (!lower_check_word(l, LLVMTypeOf(index), "array index"))
		return false;
	struct isa_operand scaled = lower_extended(l, index, true);
	if (stride != 1)
		scaled = emit2(l, ISA_mul_lo_u32, scaled, op_lit((uint32_t)stride));
	to->index = to->index.file == ISA_OFF ? scaled : emit2(l, ISA_add_u32, to->index, scaled);
	return !l->failed;
}

/* Byte offsets are what LLVM's passes write for constant places in an array. */
static bool byte_offset(struct lower *l, struct value *to, LLVMValueRef index)
{
	uint64_t n;
	if (!lower_constant_int(index, &n) || n % 4 || !to->width)
		return lower_unsupported(l, "pointer arithmetic in bytes");
	to->offset += (uint32_t)(LLVMConstIntGetSExtValue(index) / 4);
	return true;
}

static bool step_into(struct lower *l, struct value *to, LLVMTypeRef *t, LLVMValueRef index)
{
	uint64_t n, size = 0, before = 0;
	if (LLVMGetTypeKind(*t) == LLVMStructTypeKind) {
		if (!lower_constant_int(index, &n) || n >= LLVMCountStructElementTypes(*t))
			return lower_invalid(l, "getelementptr past a struct");
		for (unsigned i = 0; i < n; i++) {
			flat_size(LLVMStructGetTypeAtIndex(*t, i), 0, &size);
			before += size;
		}
		to->offset += (uint32_t)before;
		*t = LLVMStructGetTypeAtIndex(*t, (unsigned)n);
		return true;
	}
	if (LLVMGetTypeKind(*t) != LLVMArrayTypeKind && LLVMGetTypeKind(*t) != LLVMVectorTypeKind)
		return lower_unsupported(l, "getelementptr into %s", lower_type_name(l, *t));
	*t = LLVMGetElementType(*t);
	return flat_size(*t, 0, &size) && add_index(l, to, index, size);
}

static const struct value *pointer(struct lower *l, LLVMValueRef v);

static bool resolve_gep(struct lower *l, LLVMValueRef v, struct value *to)
{
	LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
	const struct value *from = pointer(l, LLVMGetOperand(v, 0));
	uint64_t size;
	if (!from)
		return false;
	*to = *from;
	if (LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 8)
		return byte_offset(l, to, LLVMGetOperand(v, 1));
	if (!flat_size(t, 0, &size))
		return lower_unsupported(l, "getelementptr over %s", lower_type_name(l, t));
	if (!add_index(l, to, LLVMGetOperand(v, 1), size))
		return false;
	for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(v); i++)
		if (!step_into(l, to, &t, LLVMGetOperand(v, i)))
			return false;
	return true;
}

/* The array and index behind a pointer operand; constant expressions are resolved where they are used. */
static const struct value *pointer(struct lower *l, LLVMValueRef v)
{
	const struct value *known = lower_find(l, v);
	struct value gep;
	if (known && known->kind == VALUE_POINTER)
		return known;
	if (LLVMIsAGlobalVariable(v))
		return lower_global(l, v);
	if (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr) {
		if (!resolve_gep(l, v, &gep))
			return NULL;
		struct value *to = lower_define(l, v, VALUE_POINTER);
		*to = gep;
		return to;
	}
	lower_unsupported(l, "pointer that is neither a local array nor a constant table");
	return NULL;
}

void lower_gep(struct lower *l, LLVMValueRef v)
{
	struct value gep;
	if (resolve_gep(l, v, &gep))
		*lower_define(l, v, VALUE_POINTER) = gep;
}

/* ---- access ---- */

static struct isa_operand full_index(struct lower *l, const struct value *p)
{
	if (p->index.file == ISA_OFF)
		return op_lit(p->offset);
	return p->offset ? emit2(l, ISA_add_u32, p->index, op_lit(p->offset)) : p->index;
}

static struct isa_operand next_word(struct lower *l, struct isa_operand index)
{
	return index.file == ISA_LIT ? op_lit(index.value + 1) : emit2(l, ISA_add_u32, index, op_lit(1));
}

void lower_load(struct lower *l, LLVMValueRef v)
{
	static const enum isa_op loads[] = {
		[MEMORY_SCRATCH] = ISA_ld_scratch, [MEMORY_CONSTANT] = ISA_ld_const, [MEMORY_GROUP] = ISA_lds_load};
	const struct value *from = pointer(l, LLVMGetOperand(v, 0));
	bool wide = lower_is_wide(LLVMTypeOf(v));
	if (!from || (!wide && !lower_check_word(l, LLVMTypeOf(v), "load")))
		return;
	struct value p = *from;
	enum isa_op op = loads[p.space];
	struct isa_operand sources[] = {op_imm(p.base), op_imm(p.count), full_index(l, &p)}, low = emit_op(l, op, 3, sources);
	if (!wide) {
		lower_result(l, v, low);
		return;
	}
	sources[2] = next_word(l, sources[2]);
	lower_pair_result(l, v, (struct pair){low, emit_op(l, op, 3, sources)});
}

void lower_store(struct lower *l, LLVMValueRef v)
{
	LLVMValueRef word = LLVMGetOperand(v, 0);
	const struct value *to = pointer(l, LLVMGetOperand(v, 1));
	bool wide = lower_is_wide(LLVMTypeOf(word));
	if (!to || (!wide && !lower_check_word(l, LLVMTypeOf(word), "store")))
		return;
	if (to->space == MEMORY_CONSTANT) {
		lower_invalid(l, "store to a constant");
		return;
	}
	struct value p = *to;
	enum isa_op op = p.space == MEMORY_GROUP ? ISA_lds_store : ISA_st_scratch;
	struct pair words = wide ? lower_pair(l, word) : (struct pair){lower_operand(l, word), op_off()};
	struct isa_operand at[] = {op_imm(p.base), op_imm(p.count), full_index(l, &p), words.lo};
	emit(l, op, 4, at);
	if (!wide)
		return;
	at[2] = next_word(l, at[2]);
	at[3] = words.hi;
	emit(l, op, 4, at);
}

static bool atomic_op(LLVMValueRef v, uint32_t *out)
{
	switch (LLVMGetAtomicRMWBinOp(v)) {
	case LLVMAtomicRMWBinOpAdd: *out = ISA_ATOMIC_ADD; return true;
	case LLVMAtomicRMWBinOpAnd: *out = ISA_ATOMIC_AND; return true;
	case LLVMAtomicRMWBinOpOr: *out = ISA_ATOMIC_OR; return true;
	case LLVMAtomicRMWBinOpXor: *out = ISA_ATOMIC_XOR; return true;
	case LLVMAtomicRMWBinOpMin: *out = ISA_ATOMIC_MIN_I32; return true;
	case LLVMAtomicRMWBinOpMax: *out = ISA_ATOMIC_MAX_I32; return true;
	case LLVMAtomicRMWBinOpUMin: *out = ISA_ATOMIC_MIN_U32; return true;
	case LLVMAtomicRMWBinOpUMax: *out = ISA_ATOMIC_MAX_U32; return true;
	case LLVMAtomicRMWBinOpXchg: *out = ISA_ATOMIC_EXCHANGE; return true;
	default: return false;
	}
}

static void lower_swap(struct lower *l, LLVMValueRef v, const struct value *p)
{
	struct isa_operand compare = lower_operand(l, LLVMGetOperand(v, 1));
	struct value *to = lower_define(l, v, VALUE_REG);
	uint32_t reg = to->reg = l->p->vgprs;
	to->width = 2;
	l->p->vgprs += 2;
	emit(l, ISA_lds_atomic_cmpswap, 6, (struct isa_operand[]){op_reg(reg), op_imm(p->base), op_imm(p->count), full_index(l, p),
		compare, lower_operand(l, LLVMGetOperand(v, 2))});
	emit(l, ISA_cmp_eq_u32, 3, (struct isa_operand[]){op_reg(reg + 1), op_reg(reg), compare});
}

void lower_atomic(struct lower *l, LLVMValueRef v)
{
	const struct value *at = pointer(l, LLVMGetOperand(v, 0));
	LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(v, 1));
	uint32_t op = 0;
	if (!at)
		return;
	if (at->space != MEMORY_GROUP || LLVMGetTypeKind(t) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(t) != 32 ||
		(LLVMIsAAtomicRMWInst(v) && !atomic_op(v, &op))) {
		lower_unsupported(l, "atomic operation on %s", lower_type_name(l, t));
		return;
	}
	struct value p = *at;
	if (LLVMIsAAtomicCmpXchgInst(v)) {
		lower_swap(l, v, &p);
		return;
	}
	lower_result(l, v, emit_op(l, ISA_lds_atomic, 5, (struct isa_operand[]){op_imm(p.base), op_imm(p.count), op_imm(op),
		full_index(l, &p), lower_operand(l, LLVMGetOperand(v, 1))}));
}
