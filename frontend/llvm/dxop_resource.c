/* dx.op calls on resources without a sampler: handles, constant buffers, buffers, texels, atomics. */
#include "frontend/llvm/dxop.h"

/* ---- handles: known at compile time, but for the place in an array ---- */

#define HEAP_HANDLE UINT32_MAX /* in place of a resource: a descriptor of a heap, not annotated yet */

/* index is a register of the space; the place counts from 0. An index that is not said to differ from lane to lane is
 * one for the wave: where it does differ, all lanes get the first one's resource, as scalar descriptors do. */
static void define_handle(struct lower *l, LLVMValueRef call, size_t resource, LLVMValueRef index, LLVMValueRef non_uniform)
{
	const struct isa_resource *r = &l->p->resources[resource];
	struct isa_operand place = lower_operand(l, index);
	uint64_t differs = 0;
	lower_constant_int(non_uniform, &differs);
	if (place.file == ISA_LIT) {
		place.value -= r->lower;
		if (place.value >= r->count) {
			lower_invalid(l, "resource register %u is outside its range", place.value + r->lower);
			return;
		}
	} else if (r->count > 1) {
		if (!differs)
			place = emit1(l, ISA_readfirst, place);
		if (r->lower)
			place = emit2(l, ISA_sub_u32, place, op_lit(r->lower));
	}
	struct value *v = lower_define(l, call, VALUE_HANDLE);
	v->reg = (uint32_t)resource;
	v->index = r->count == 1 ? op_off() : place;
}

static bool is_heap(const struct isa_resource *r) { return r->flags & ISA_RESOURCE_HEAP; }

void dxop_create_handle(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	uint64_t cls, id;
	if (!lower_constant_int(dxop_argument(call, 0), &cls) || !lower_constant_int(dxop_argument(call, 1), &id)) {
		lower_invalid(l, "%s: class and range are not constants", dxop_name(l, call, row));
		return;
	}
	for (size_t i = 0; i < l->p->resource_count; i++)
		if (!is_heap(&l->p->resources[i]) && l->p->resources[i].cls == cls && l->meta->resource_ids[i] == id) {
			define_handle(l, call, i, dxop_argument(call, 2), dxop_argument(call, 3));
			return;
		}
	lower_invalid(l, "%s: no such resource", dxop_name(l, call, row));
}

static bool binding_field(LLVMValueRef binding, unsigned i, uint64_t *out)
{
	*out = 0;
	if (LLVMIsNull(binding))
		return true;
	LLVMValueRef field = LLVMIsConstant(binding) ? LLVMGetAggregateElement(binding, i) : NULL;
	return field && lower_constant_int(field, out);
}

void dxop_create_handle_from_binding(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	enum { LOWER, UPPER, SPACE, CLASS, FIELDS };
	uint64_t field[FIELDS];
	for (unsigned i = 0; i < FIELDS; i++)
		if (!binding_field(dxop_argument(call, 0), i, &field[i])) {
			lower_invalid(l, "%s: the binding is not a constant", dxop_name(l, call, row));
			return;
		}
	for (size_t i = 0; i < l->p->resource_count; i++) {
		const struct isa_resource *r = &l->p->resources[i];
		if (!is_heap(r) && r->cls == field[CLASS] && r->space == field[SPACE] && r->lower == field[LOWER]) {
			define_handle(l, call, i, dxop_argument(call, 1), dxop_argument(call, 2));
			return;
		}
	}
	lower_invalid(l, "%s: no such resource", dxop_name(l, call, row));
}

/* What the descriptor is, only annotateHandle says; until then the handle names no resource. */
void dxop_create_handle_from_heap(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand place = lower_operand(l, dxop_argument(call, 0));
	uint64_t differs = 0;
	(void)row;
	lower_constant_int(dxop_argument(call, 2), &differs);
	if (place.file != ISA_LIT && !differs)
		place = emit1(l, ISA_readfirst, place);
	struct value *v = lower_define(l, call, VALUE_HANDLE);
	v->reg = HEAP_HANDLE;
	v->index = place;
}

/* The program's resource that stands for the heap seen as descriptors of this kind; made where there is none. */
static uint32_t heap_resource(struct lower *l, const struct isa_resource *like)
{
	struct isa_program *p = l->p;
	for (size_t i = 0; i < p->resource_count; i++) {
		const struct isa_resource *r = &p->resources[i];
		if (is_heap(r) && r->cls == like->cls && r->kind == like->kind && r->type == like->type && r->flags == like->flags &&
			r->stride_or_size == like->stride_or_size)
			return (uint32_t)i;
	}
	struct isa_resource *grown = arena_array(&p->arena, p->resource_count + 1, sizeof *grown);
	if (p->resource_count)
		memcpy(grown, p->resources, p->resource_count * sizeof *grown);
	grown[p->resource_count] = *like;
	p->resources = grown;
	return (uint32_t)p->resource_count++;
}

/* Facts 8.8: the properties' two words. */
static bool read_properties(LLVMValueRef properties, struct isa_resource *out)
{
	enum { UAV = 1 << 12, ROV = 1 << 13, COHERENT = 1 << 14, COMPARISON_OR_COUNTER = 1 << 15 };
	uint64_t first, second;
	if (!binding_field(properties, 0, &first) || !binding_field(properties, 1, &second))
		return false;
	*out = (struct isa_resource){.name = "", .kind = (uint8_t)first, .flags = ISA_RESOURCE_HEAP, .count = UINT32_MAX};
	out->cls = out->kind == ISA_KIND_SAMPLER ? ISA_SAMPLER : out->kind == ISA_KIND_CBUFFER ? ISA_CBV : first & UAV ? ISA_UAV : ISA_SRV;
	out->flags |= (first & ROV ? 2 : 0) | (first & COHERENT ? 4 : 0);
	if (first & COMPARISON_OR_COUNTER)
		out->flags |= out->cls == ISA_SAMPLER ? 8 : 1;
	if (out->kind == ISA_KIND_STRUCTURED_BUFFER || out->kind == ISA_KIND_CBUFFER)
		out->stride_or_size = (uint32_t)second;
	else if (out->kind != ISA_KIND_RAW_BUFFER && out->kind != ISA_KIND_SAMPLER)
		out->type = (uint8_t)second;
	return out->kind > 0 && out->kind <= ISA_KIND_TBUFFER;
}

static unsigned kind_of(const struct isa_resource *r)
{
	unsigned shape = 0;
	if (r->kind >= ISA_KIND_TEXTURE_1D && r->kind <= ISA_KIND_TEXTURE_CUBE_ARRAY)
		shape = DXOP_IMAGE;
	else if (isa_is_buffer(r))
		shape = DXOP_BUFFER;
	return 1u << r->cls | shape;
}

bool dxop_handle(struct lower *l, LLVMValueRef call, unsigned i, const struct dxop *row, unsigned kinds, struct value *out)
{
	enum { CLASSES = DXOP_SRV | DXOP_UAV | DXOP_CBV | DXOP_SAMPLER, SHAPES = DXOP_IMAGE | DXOP_BUFFER };
	const struct value *handle = lower_find(l, dxop_argument(call, i));
	if (!handle || handle->kind != VALUE_HANDLE)
		return lower_unsupported(l, "%s on a handle that is chosen at run time", dxop_name(l, call, row));
	*out = *handle;
	if (out->reg == HEAP_HANDLE)
		return lower_invalid(l, "%s on a handle without annotateHandle", dxop_name(l, call, row));
	const struct isa_resource *r = &l->p->resources[out->reg];
	unsigned is = kind_of(r);
	if (is & kinds & CLASSES && (!(kinds & SHAPES) || is & kinds & SHAPES))
		return true;
	return lower_invalid(l, "%s on resource '%s' of class %s and kind %s", dxop_name(l, call, row), r->name,
		isa_resource_class_names[r->cls], isa_resource_kind_names[r->kind]);
}

void dxop_annotate_handle(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	const struct value *from = lower_find(l, dxop_argument(call, 0));
	struct value handle = {0};
	struct isa_resource like;
	if (from && from->kind == VALUE_HANDLE && from->reg == HEAP_HANDLE) {
		handle = *from;
		if (!read_properties(dxop_argument(call, 1), &like)) {
			lower_invalid(l, "%s: properties of no resource", dxop_name(l, call, row));
			return;
		}
		handle.reg = heap_resource(l, &like);
		*lower_define(l, call, VALUE_HANDLE) = handle;
		return;
	}
	if (dxop_handle(l, call, 0, row, DXOP_SRV | DXOP_UAV | DXOP_CBV | DXOP_SAMPLER, &handle))
		*lower_define(l, call, VALUE_HANDLE) = handle;
}

/* ---- constant buffers ---- */

/* Native 16-bit types take two bytes in memory; min-precision ones a word. */
static bool is_packed(const struct lower *l, LLVMTypeRef t)
{
	bool narrow = dxop_type_letter(t) == 'h' || dxop_type_letter(t) == 'w';
	return l->p->flags & ISA_NATIVE_16BIT && narrow;
}

/* Words of one row into reg, reg + step, …; those not wanted are off. */
static void load_row(struct lower *l, const struct value *handle, struct isa_operand index, uint32_t reg, uint32_t step,
	uint32_t wanted)
{
	struct isa_operand at[7] = {{0}};
	for (unsigned i = 0; i < 4; i++)
		at[i] = wanted >> i & 1 ? op_reg(reg + i * step) : op_off();
	at[4] = op_imm(handle->reg);
	at[5] = handle->index;
	at[6] = index;
	emit(l, ISA_ld_cb, 7, at);
}

void dxop_cbuffer_load_legacy(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	LLVMTypeRef t = LLVMTypeOf(call);
	struct value handle = {0};
	if (!dxop_handle(l, call, 0, row, DXOP_CBV, &handle))
		return;
	unsigned fields = LLVMCountStructElementTypes(t);
	LLVMTypeRef element = LLVMStructGetTypeAtIndex(t, 0);
	bool wide = lower_is_wide(element);
	if (!wide && !lower_check_word(l, element, dxop_name(l, call, row)))
		return;
	if (fields != (wide ? 2 : is_packed(l, element) ? 8 : 4)) {
		lower_invalid(l, "%s of %s", dxop_name(l, call, row), lower_type_name(l, t));
		return;
	}
	struct isa_operand index = lower_operand(l, dxop_argument(call, 1));
	uint32_t used = dxop_used_fields(call), reg = dxop_define_fields(l, call, wide ? 4 : fields), wanted = used & 15;
	if (wide) /* two words to a field */
		wanted = (used & 1 ? 3 : 0) | (used & 2 ? 12 : 0);
	for (unsigned i = 0; fields == 8 && i < 4; i++) /* two to a word */
		wanted = (wanted & ~(1u << i)) | (uint32_t)((used >> 2 * i & 3) != 0) << i;
	if (wanted)
		load_row(l, &handle, index, reg, fields == 8 ? 2 : 1, wanted);
	for (unsigned i = 1; i < fields && fields == 8; i += 2)
		if (used >> i & 1)
			emit(l, ISA_lshr_b32, 3, (struct isa_operand[]){op_reg(reg + i), op_reg(reg + i - 1), op_lit(16)});
}

/* By byte offset: the row that holds it, then its word, then its half of that. */
void dxop_cbuffer_load(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	LLVMTypeRef t = LLVMTypeOf(call);
	struct value handle = {0};
	if (!dxop_handle(l, call, 0, row, DXOP_CBV, &handle) || !lower_check_word(l, t, dxop_name(l, call, row)))
		return;
	bool packed = is_packed(l, t);
	if (!packed && dxop_type_letter(t) != 'f' && dxop_type_letter(t) != 'i') {
		lower_unsupported(l, "%s of %s", dxop_name(l, call, row), lower_type_name(l, t));
		return;
	}
	struct isa_operand offset = lower_operand(l, dxop_argument(call, 1));
	uint32_t reg = l->p->vgprs;
	l->p->vgprs += 4;
	if (offset.file == ISA_LIT) {
		unsigned word = offset.value / 4 % 4;
		load_row(l, &handle, op_lit(offset.value / 16), reg, 1, 1u << word);
		bool high = packed && offset.value & 2;
		lower_result(l, call, high ? emit2(l, ISA_lshr_b32, op_reg(reg + word), op_lit(16)) : op_reg(reg + word));
		return;
	}
	load_row(l, &handle, emit2(l, ISA_lshr_b32, offset, op_lit(4)), reg, 1, 15);
	struct isa_operand word = emit3(l, ISA_bfe_u32, op_lit(2), op_lit(2), offset), chosen = op_reg(reg);
	for (uint32_t i = 1; i < 4; i++)
		chosen = emit3(l, ISA_cndmask, op_reg(reg + i), chosen, emit2(l, ISA_cmp_eq_u32, word, op_lit(i)));
	if (packed) /* by 0 or 16: the offset is even, and shifts take five bits */
		chosen = emit2(l, ISA_lshr_b32, chosen, emit2(l, ISA_lshl_b32, emit2(l, ISA_and_b32, offset, op_lit(2)), op_lit(3)));
	lower_result(l, call, chosen);
}

/* ---- loads ---- */

enum { STATUS = 4, COMPONENTS = 15 }; /* the field of a ResRet behind its components; those */

/* All that is there is mapped: Kiln has no tiled resources. */
void dxop_check_mapped(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	(void)row;
	lower_result(l, call, op_lit(UINT32_MAX));
}

/* The registers of a ResRet; its status is set. */
static uint32_t define_loaded(struct lower *l, LLVMValueRef call, uint32_t used)
{
	uint32_t reg = dxop_define_fields(l, call, STATUS + 1);
	if (used >> STATUS & 1)
		emit(l, ISA_mov, 2, (struct isa_operand[]){op_reg(reg + STATUS), op_lit(1)});
	return reg;
}

void dxop_emit_load(struct lower *l, LLVMValueRef call, const struct dxop *row, enum isa_op op, unsigned count,
	struct isa_operand *at)
{
	LLVMTypeRef t = LLVMTypeOf(call);
	if (LLVMCountStructElementTypes(t) != STATUS + 1) {
		lower_invalid(l, "%s of %s", dxop_name(l, call, row), lower_type_name(l, t));
		return;
	}
	if (!lower_check_word(l, LLVMStructGetTypeAtIndex(t, 0), dxop_name(l, call, row)))
		return;
	LLVMTypeRef element = LLVMStructGetTypeAtIndex(t, 0);
	uint32_t used = dxop_used_fields(call), reg = define_loaded(l, call, used);
	for (unsigned i = 0; i < STATUS; i++)
		at[i] = used >> i & 1 ? op_reg(lower_is_half(l, element) ? lower_reg(l) : reg + i) : op_off();
	if (used & COMPONENTS)
		emit(l, op, count, at);
	for (unsigned i = 0; i < STATUS && lower_is_half(l, element); i++)
		if (used >> i & 1)
			emit(l, ISA_mov, 2, (struct isa_operand[]){op_reg(reg + i), lower_converted(l, at[i], element)});
}

/* A coordinate with its offset in texels. */
static struct isa_operand texel_coordinate(struct lower *l, LLVMValueRef coordinate, LLVMValueRef offset)
{
	struct isa_operand c = dxop_optional(l, coordinate);
	if (c.file == ISA_OFF || LLVMIsUndef(offset) || LLVMIsNull(offset))
		return c;
	return emit2(l, ISA_add_u32, c, lower_operand(l, offset));
}

void dxop_texture_load(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	enum { MIP = 1, COORDINATE, OFFSET = 5 };
	struct isa_operand at[10];
	struct value image = {0};
	if (!dxop_handle(l, call, 0, row, DXOP_SRV | DXOP_UAV | DXOP_IMAGE, &image))
		return;
	at[4] = op_imm(image.reg);
	at[5] = image.index;
	for (unsigned i = 0; i < 3; i++)
		at[6 + i] = texel_coordinate(l, dxop_argument(call, COORDINATE + i), dxop_argument(call, OFFSET + i));
	if (at[6].file == ISA_OFF)
		at[6] = op_lit(0);
	at[9] = dxop_optional(l, dxop_argument(call, MIP));
	dxop_emit_load(l, call, row, ISA_image_load, 10, at);
}

static bool is_typed(const struct isa_resource *r)
{
	return r->kind != ISA_KIND_RAW_BUFFER && r->kind != ISA_KIND_STRUCTURED_BUFFER;
}

/* Two bytes i times further on: raw buffers count bytes in x, structured ones in y. */
static void packed_place(struct lower *l, const struct isa_resource *r, struct isa_operand at[2], unsigned i)
{
	struct isa_operand *bytes = r->kind == ISA_KIND_RAW_BUFFER ? &at[0] : &at[1];
	if (bytes->file == ISA_OFF)
		*bytes = op_lit(0);
	if (bytes->file == ISA_LIT)
		bytes->value += 2 * i;
	else if (i)
		*bytes = emit2(l, ISA_add_u32, *bytes, op_lit(2 * i));
}

static void packed_load(struct lower *l, LLVMValueRef call, const struct isa_operand load[8])
{
	uint32_t used = dxop_used_fields(call), reg = define_loaded(l, call, used);
	for (unsigned i = 0; i < STATUS; i++) {
		struct isa_operand at[5] = {op_reg(reg + i), load[4], load[5], load[6], load[7]};
		if (!(used >> i & 1))
			continue;
		packed_place(l, &l->p->resources[load[4].value], &at[3], i);
		emit(l, ISA_buffer_load_u16, 5, at);
	}
}

/* Four numbers of 64 bits, two to an access. */
static void wide_load(struct lower *l, LLVMValueRef call, struct isa_operand at[8])
{
	uint32_t used = dxop_used_fields(call), reg = dxop_define_fields(l, call, 2 * STATUS + 1);
	if (used >> STATUS & 1)
		emit(l, ISA_mov, 2, (struct isa_operand[]){op_reg(reg + 2 * STATUS), op_lit(1)});
	for (unsigned i = 0; i < STATUS; i += 2) {
		for (unsigned w = 0; w < 4; w++)
			at[w] = used >> (i + w / 2) & 1 ? op_reg(reg + 2 * i + w) : op_off();
		if (i)
			packed_place(l, &l->p->resources[at[4].value], &at[6], 8);
		if (used >> i & 3)
			emit(l, ISA_buffer_load, 8, at);
	}
}

/* Typed buffers by element, raw ones by byte, structured ones by structure and byte: the operands say the same. What a
 * mask leaves out nobody reads. */
void dxop_buffer_load(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand at[8];
	struct value buffer = {0};
	if (!dxop_handle(l, call, 0, row, DXOP_SRV | DXOP_UAV | DXOP_BUFFER, &buffer))
		return;
	at[4] = op_imm(buffer.reg);
	at[5] = buffer.index;
	at[6] = lower_operand(l, dxop_argument(call, 1));
	at[7] = dxop_optional(l, dxop_argument(call, 2));
	LLVMTypeRef t = LLVMTypeOf(call);
	bool untyped = !is_typed(&l->p->resources[buffer.reg]) && LLVMCountStructElementTypes(t) == STATUS + 1;
	if (untyped && is_packed(l, LLVMStructGetTypeAtIndex(t, 0)))
		packed_load(l, call, at);
	else if (untyped && lower_is_wide(LLVMStructGetTypeAtIndex(t, 0)))
		wide_load(l, call, at);
	else
		dxop_emit_load(l, call, row, ISA_buffer_load, 8, at);
}

void dxop_get_dimensions(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct value from = {0};
	if (!dxop_handle(l, call, 0, row, DXOP_SRV | DXOP_UAV | DXOP_IMAGE | DXOP_BUFFER, &from))
		return;
	uint32_t used = dxop_used_fields(call), reg = dxop_define_fields(l, call, 4);
	struct isa_operand at[7] = {{0}};
	for (unsigned i = 0; i < 4; i++)
		at[i] = used >> i & 1 ? op_reg(reg + i) : op_off();
	at[4] = op_imm(from.reg);
	at[5] = from.index;
	at[6] = dxop_optional(l, dxop_argument(call, 1));
	if (used & 15)
		emit(l, ISA_image_get_resinfo, 7, at);
}

/* ---- stores ---- */

/* Argument i as the word that memory gets; a typed view's component type says how a narrow integer widens. */
static struct isa_operand stored_word(struct lower *l, LLVMValueRef call, unsigned i, const struct dxop *row,
	const struct isa_resource *r)
{
	enum { METADATA_U16 = 3, METADATA_U32 = 5 };
	LLVMValueRef v = dxop_argument(call, i);
	if (!lower_check_word(l, LLVMTypeOf(v), dxop_name(l, call, row)))
		return op_off();
	if (lower_is_half(l, LLVMTypeOf(v)) && is_typed(r))
		return lower_float(l, v);
	return lower_extended(l, v, r->type != METADATA_U16 && r->type != METADATA_U32);
}

/* The mask and the four words, those that the mask names; `first` is the first value's argument. */
static bool store_words(struct lower *l, LLVMValueRef call, const struct dxop *row, const struct isa_resource *r,
	unsigned first, struct isa_operand *mask, struct isa_operand *words)
{
	uint64_t bits;
	if (!lower_constant_int(dxop_argument(call, first + 4), &bits) || bits > 15)
		return lower_invalid(l, "%s: the mask is not a constant", dxop_name(l, call, row));
	*mask = op_imm((uint32_t)bits);
	for (unsigned i = 0; i < 4; i++)
		words[i] = bits >> i & 1 ? stored_word(l, call, first + i, row, r) : op_off();
	l->p->flags |= ISA_SIDE_EFFECTS;
	return !l->failed;
}

void dxop_texture_store(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	enum { COORDINATE = 1, VALUE = 4, SAMPLE = 9 };
	struct isa_operand at[11];
	struct value image = {0};
	if (!dxop_handle(l, call, 0, row, DXOP_UAV | DXOP_IMAGE, &image) ||
		!store_words(l, call, row, &l->p->resources[image.reg], VALUE, &at[2], &at[7]))
		return;
	at[0] = op_imm(image.reg);
	at[1] = image.index;
	at[3] = lower_operand(l, dxop_argument(call, COORDINATE));
	at[4] = dxop_optional(l, dxop_argument(call, COORDINATE + 1));
	at[5] = dxop_optional(l, dxop_argument(call, COORDINATE + 2));
	at[6] = dxop_operand_count(row) > SAMPLE ? lower_operand(l, dxop_argument(call, SAMPLE)) : op_off();
	emit(l, ISA_image_store, 11, at);
}

static void packed_store(struct lower *l, const struct isa_operand store[9])
{
	for (unsigned i = 0; i < 4; i++) {
		struct isa_operand at[5] = {store[0], store[1], store[3], store[4], store[5 + i]};
		if (!(store[2].value >> i & 1))
			continue;
		packed_place(l, &l->p->resources[store[0].value], &at[2], i);
		emit(l, ISA_buffer_store_b16, 5, at);
	}
}

/* Four numbers of 64 bits, two to an access. */
static void wide_store(struct lower *l, LLVMValueRef call, const struct dxop *row, const struct value *buffer)
{
	enum { VALUE = 3, MASK = 7 };
	struct isa_operand at[9] = {op_imm(buffer->reg), buffer->index};
	uint64_t mask;
	if (!lower_constant_int(dxop_argument(call, MASK), &mask) || mask > 15) {
		lower_invalid(l, "%s: the mask is not a constant", dxop_name(l, call, row));
		return;
	}
	at[3] = lower_operand(l, dxop_argument(call, 1));
	at[4] = dxop_optional(l, dxop_argument(call, 2));
	l->p->flags |= ISA_SIDE_EFFECTS;
	for (unsigned i = 0; i < 4; i += 2) {
		uint32_t words = 0;
		for (unsigned k = 0; k < 2; k++) {
			bool on = mask >> (i + k) & 1;
			struct pair p = on ? lower_pair(l, dxop_argument(call, VALUE + i + k)) : (struct pair){op_off(), op_off()};
			at[5 + 2 * k] = p.lo;
			at[6 + 2 * k] = p.hi;
			words |= on ? 3u << 2 * k : 0;
		}
		if (i)
			packed_place(l, &l->p->resources[buffer->reg], &at[3], 8);
		at[2] = op_imm(words);
		if (words)
			emit(l, ISA_buffer_store, 9, at);
	}
}

void dxop_buffer_store(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand at[9];
	struct value buffer = {0};
	if (!dxop_handle(l, call, 0, row, DXOP_UAV | DXOP_BUFFER, &buffer))
		return;
	if (!is_typed(&l->p->resources[buffer.reg]) && lower_is_wide(LLVMTypeOf(dxop_argument(call, 3)))) {
		wide_store(l, call, row, &buffer);
		return;
	}
	if (!store_words(l, call, row, &l->p->resources[buffer.reg], 3, &at[2], &at[5]))
		return;
	at[0] = op_imm(buffer.reg);
	at[1] = buffer.index;
	at[3] = lower_operand(l, dxop_argument(call, 1));
	at[4] = dxop_optional(l, dxop_argument(call, 2));
	if (!is_typed(&l->p->resources[buffer.reg]) && is_packed(l, LLVMTypeOf(dxop_argument(call, 3))))
		packed_store(l, at);
	else
		emit(l, ISA_buffer_store, 9, at);
}

/* ---- atomics ---- */

/* Image and buffer rows differ in how many coordinates they have: these arguments, from `first`. */
static unsigned atomic_place(struct lower *l, LLVMValueRef call, unsigned first, bool image, struct isa_operand *at)
{
	at[0] = lower_operand(l, dxop_argument(call, first));
	for (unsigned i = 1; i < (image ? 3u : 2u); i++)
		at[i] = dxop_optional(l, dxop_argument(call, first + i));
	return image ? 3 : 2;
}

static bool atomic_resource(struct lower *l, LLVMValueRef call, const struct dxop *row, struct isa_operand *at, bool *image)
{
	struct value from = {0};
	if (!dxop_handle(l, call, 0, row, DXOP_UAV | DXOP_IMAGE | DXOP_BUFFER, &from) ||
		!lower_check_word(l, LLVMTypeOf(call), dxop_name(l, call, row)))
		return false;
	*image = kind_of(&l->p->resources[from.reg]) & DXOP_IMAGE;
	at[0] = op_imm(from.reg);
	at[1] = from.index;
	l->p->flags |= ISA_SIDE_EFFECTS;
	return true;
}

/* The result is always there: what stood in memory, for each lane in its turn. */
static void emit_atomic(struct lower *l, LLVMValueRef call, enum isa_op op, unsigned count, struct isa_operand *at)
{
	at[0] = op_reg(lower_reg(l));
	emit(l, op, count, at);
	lower_result(l, call, at[0]);
}

/* The operation's number is the row's. */
void dxop_atomic(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	enum { OPERATIONS = 9 };
	struct isa_operand at[8];
	uint64_t operation;
	bool image;
	if (!lower_constant_int(dxop_argument(call, 1), &operation) || operation >= OPERATIONS) {
		lower_invalid(l, "%s: there is no such operation", dxop_name(l, call, row));
		return;
	}
	if (!atomic_resource(l, call, row, &at[1], &image))
		return;
	at[3] = op_imm((uint32_t)operation);
	unsigned n = 4 + atomic_place(l, call, 2, image, &at[4]);
	at[n++] = lower_operand(l, dxop_argument(call, 5));
	emit_atomic(l, call, image ? ISA_image_atomic : ISA_buffer_atomic, n, at);
}

void dxop_compare_exchange(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	struct isa_operand at[8];
	bool image;
	if (!atomic_resource(l, call, row, &at[1], &image))
		return;
	unsigned n = 3 + atomic_place(l, call, 1, image, &at[3]);
	at[n++] = lower_operand(l, dxop_argument(call, 4));
	at[n++] = lower_operand(l, dxop_argument(call, 5));
	emit_atomic(l, call, image ? ISA_image_atomic_cmpswap : ISA_buffer_atomic_cmpswap, n, at);
}

void dxop_update_counter(struct lower *l, LLVMValueRef call, const struct dxop *row)
{
	uint64_t step;
	struct value buffer = {0};
	if (!dxop_handle(l, call, 0, row, DXOP_UAV | DXOP_BUFFER, &buffer))
		return;
	if (!lower_constant_int(dxop_argument(call, 1), &step) || (step != 1 && step != 255)) {
		lower_invalid(l, "%s: the step is neither 1 nor -1", dxop_name(l, call, row));
		return;
	}
	l->p->flags |= ISA_SIDE_EFFECTS;
	struct isa_operand at[4] = {op_off(), op_imm(buffer.reg), buffer.index, op_imm(step == 1)};
	emit_atomic(l, call, ISA_buffer_counter, 4, at);
}
