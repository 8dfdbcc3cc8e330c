/* Program -> text: directives, then an instruction a line, indented by nesting. Takes any program, valid or not, since
 * the validator prints what it refuses. isa/assemble.c reads it back. */
#include "isa/text.h"

/* ---- the fields of directives ---- */

#define AT(type, member) offsetof(struct type, member), sizeof ((struct type *)0)->member
const struct text_field text_program_fields[TEXT_PROGRAM_FIELDS] = {
	{"stage", TEXT_NAME, AT(isa_program, stage), 0, true, isa_stage_names, ISA_STAGE_COUNT},
	{"wave", TEXT_NUMBER, AT(isa_program, wave_size), 64, true, NULL, 0},
	{"flags", TEXT_FLAGS, AT(isa_program, flags), 0, false, isa_flag_names, ISA_FLAG_COUNT},
	{"vgprs", TEXT_NUMBER, AT(isa_program, vgprs), 0, true, NULL, 0},
	{"sgprs", TEXT_NUMBER, AT(isa_program, sgprs), 0, true, NULL, 0},
	{"labels", TEXT_NUMBER, AT(isa_program, labels), 0, false, NULL, 0},
	{"scratch", TEXT_NUMBER, AT(isa_program, scratch), 0, false, NULL, 0},
	{"lds", TEXT_NUMBER, AT(isa_program, lds_bytes), 0, false, NULL, 0},
};
const struct text_field text_io_fields[TEXT_IO_FIELDS] = {
	{"semantic", TEXT_NAME, AT(isa_io, semantic), 0, false, isa_semantic_names, ISA_SEM_COUNT},
	{"type", TEXT_NAME, AT(isa_io, type), ISA_F32, true, isa_type_names, ISA_TYPE_COUNT},
	{"interp", TEXT_NAME, AT(isa_io, interp), 0, false, isa_interp_names, ISA_INTERP_COUNT},
	{"cols", TEXT_NUMBER, AT(isa_io, cols), 4, true, NULL, 0},
	{"start", TEXT_NUMBER, AT(isa_io, start_col), 0, false, NULL, 0},
	{"used", TEXT_MASK, AT(isa_io, used), 0, true, NULL, 0},
	{"precision", TEXT_NUMBER, AT(isa_io, min_precision), 0, false, NULL, 0},
	{"reg", TEXT_NUMBER, AT(isa_io, reg), UINT32_MAX, true, NULL, 0},
};
const struct text_field text_resource_fields[TEXT_RESOURCE_FIELDS] = {
	{"class", TEXT_NAME, AT(isa_resource, cls), 0, true, isa_resource_class_names, ISA_RESOURCE_CLASS_COUNT},
	{"kind", TEXT_NAME, AT(isa_resource, kind), 0, true, isa_resource_kind_names, ISA_RESOURCE_KIND_COUNT},
	{"type", TEXT_NUMBER, AT(isa_resource, type), 0, false, NULL, 0},
	{"flags", TEXT_FLAGS, AT(isa_resource, flags), 0, false, isa_resource_flag_names, ISA_RESOURCE_FLAG_COUNT},
	{"space", TEXT_NUMBER, AT(isa_resource, space), 0, true, NULL, 0},
	{"lower", TEXT_NUMBER, AT(isa_resource, lower), 0, true, NULL, 0},
	{"count", TEXT_NUMBER, AT(isa_resource, count), 1, true, NULL, 0},
	{"size", TEXT_NUMBER, AT(isa_resource, stride_or_size), 0, false, NULL, 0},
	{"samples", TEXT_NUMBER, AT(isa_resource, sample_count), 0, false, NULL, 0},
};
const struct text_target text_targets[TEXT_TARGETS] = {
	{"mrtz", ISA_MRTZ, 1}, {"mrt", ISA_MRT0, 8}, {"pos", ISA_POS0, 4}, {"param", ISA_PARAM0, 32},
};
const char *const text_lit_types[4] = {[ISA_U32] = "u32", [ISA_I32] = "i32", [ISA_F32] = "f32"};

uint32_t text_field_get(const struct text_field *f, const void *object)
{
	const char *at = (const char *)object + f->offset;
	uint32_t wide;
	return f->size == 1 ? *(const uint8_t *)at : (memcpy(&wide, at, sizeof wide), wide);
}

void text_field_set(const struct text_field *f, void *object, uint32_t value)
{
	char *at = (char *)object + f->offset;
	if (f->size == 1)
		*(uint8_t *)at = (uint8_t)value;
	else
		memcpy(at, &value, sizeof value);
}

bool text_is_head(char letter) { return strchr("tfgm", letter) != NULL; }

/* ---- values ---- */

static void print_name(struct buf *out, const char *const *names, size_t count, uint32_t value)
{
	if (value < count && names[value])
		buf_printf(out, "%s", names[value]);
	else
		buf_printf(out, "?%u", value);
}

static void print_mask(struct buf *out, const char *letters, uint32_t mask)
{
	if (!mask || mask > 15)
		buf_printf(out, mask ? "?%u" : "none", mask);
	else
		for (unsigned i = 0; i < 4; i++)
			buf_put(out, &letters[i], mask >> i & 1);
}

static void print_flags(struct buf *out, const struct text_field *f, uint32_t value)
{
	const char *between = "";
	for (unsigned i = 0; i < 32; i++)
		if (value >> i & 1) {
			buf_printf(out, "%s", between);
			print_name(out, f->names, f->name_count, i);
			between = "|";
		}
}

static void print_string(struct buf *out, const char *s)
{
	buf_printf(out, "\"");
	for (; s && *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (c < ' ' || c == 0x7f)
			buf_printf(out, "\\x%02x", c);
		else
			buf_printf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
	}
	buf_printf(out, "\"");
}

static void print_field(struct buf *out, const struct text_field *f, const void *object)
{
	uint32_t value = text_field_get(f, object);
	switch (f->kind) {
	case TEXT_NUMBER: buf_printf(out, value == UINT32_MAX ? "none" : "%u", value); break;
	case TEXT_NAME: print_name(out, f->names, f->name_count, value); break;
	case TEXT_MASK: print_mask(out, "xyzw", value); break;
	case TEXT_FLAGS: print_flags(out, f, value); break;
	}
}

static void print_fields(struct buf *out, const struct text_field *f, size_t count, const void *object)
{
	for (; count--; f++)
		if (f->always || text_field_get(f, object) != f->absent) {
			buf_printf(out, " %s ", f->key);
			print_field(out, f, object);
		}
	buf_printf(out, "\n");
}

/* ---- instructions ---- */

static void print_target(struct buf *out, uint32_t target)
{
	for (size_t i = 0; i < TEXT_TARGETS; i++) {
		const struct text_target *t = &text_targets[i];
		if (target >= t->first && target - t->first < t->count) {
			buf_printf(out, t->count == 1 ? "%s" : "%s%u", t->name, target - t->first);
			return;
		}
	}
	buf_printf(out, "?%u", target);
}

static void print_number(struct buf *out, char letter, uint32_t value)
{
	switch (letter) {
	case 'l': buf_printf(out, "L%u", value); break;
	case 'n': buf_printf(out, "in%u", value); break;
	case 'r': buf_printf(out, "r%u", value); break;
	case 'p': value < 4 ? buf_printf(out, "%c", "xyzw"[value]) : buf_printf(out, "?%u", value); break;
	case 'k': print_name(out, isa_sysval_names, ISA_SYS_COUNT, value); break;
	case 't': print_target(out, value); break;
	case 'f': print_name(out, isa_form_names, ISA_FORM_COUNT, value); break;
	case 'g': print_name(out, text_lit_types, ARRAY_COUNT(text_lit_types), value); break;
	case 'm': print_mask(out, "rgba", value); break;
	default: buf_printf(out, "%u", value);
	}
}

static void print_operand(struct buf *out, char letter, const struct isa_operand *o)
{
	switch (o->file) {
	case ISA_OFF: buf_printf(out, "off"); break;
	case ISA_V: buf_printf(out, "v%u", o->value); break;
	case ISA_S: buf_printf(out, "s%u", o->value); break;
	case ISA_LIT: buf_printf(out, o->value < 1024 ? "%u" : "0x%08x", o->value); break;
	default: print_number(out, letter, o->value);
	}
}

void isa_print_inst(const struct isa_program *p, const struct isa_inst *in, struct buf *out)
{
	(void)p; /* numbers are printed as they are; names of slots and resources stand in the directives */
	if (in->op >= ISA_OP_COUNT) {
		buf_printf(out, "?%u", in->op);
		return;
	}
	const struct isa_info *info = &isa_info[in->op];
	buf_printf(out, "%s", info->name);
	for (unsigned k = 0; k < info->count; k++) {
		buf_printf(out, k && !text_is_head(info->operands[k - 1]) ? ", " : " ");
		print_operand(out, info->operands[k], &in->at[k]);
	}
}

/* ---- comments: the shape of the control flow, literals as floats ---- */

struct open_label {
	uint32_t label;
	bool is_loop, is_if;
};
struct nesting {
	struct open_label *open;
	size_t depth, cap;
};

static bool is_branch(const struct isa_inst *in) { return in->op == ISA_br || in->op == ISA_br_if || in->op == ISA_br_ifn; }

static void comment_branch(struct buf *out, const struct nesting *n, const struct isa_inst *in)
{
	bool crosses_loop = false;
	for (size_t d = n->depth; d--;) {
		struct open_label *to = &n->open[d];
		if (to->label != in->at[0].value) {
			crosses_loop |= to->is_loop;
			continue;
		}
		if (to->is_loop || crosses_loop)
			buf_printf(out, " ; %s", to->is_loop ? "continue" : "break");
		else if (d + 1 == n->depth && in->op != ISA_br) {
			buf_printf(out, " ; if%s ", in->op == ISA_br_if ? " not" : "");
			print_operand(out, 'x', &in->at[1]);
			to->is_if = true;
		}
		return;
	}
}

/* Rows whose words may be floats or not; a literal of theirs between 2^-31 and 2^32 is taken for a float. */
static bool is_untyped(unsigned op) { return op == ISA_mov || op == ISA_cndmask || op == ISA_exp || op == ISA_exp_sym; }

static bool looks_like_float(uint32_t bits)
{
	uint32_t exponent = bits >> 23 & 0xff;
	return exponent >= 96 && exponent < 160;
}

static void comment_floats(struct buf *out, const struct isa_inst *in)
{
	const struct isa_info *info = &isa_info[in->op];
	const char *between = " ; ";
	bool typed = strstr(info->name, "_f32") && strncmp(info->name, "cvt_f32_", 8);
	for (unsigned k = info->results; k < info->count; k++)
		if (in->at[k].file == ISA_LIT && (typed || (is_untyped(in->op) && looks_like_float(in->at[k].value)))) {
			buf_printf(out, "%s%.9g", between, (double)bits_float(in->at[k].value));
			between = ", ";
		}
}

/* Opens and closes labels; gives how deep the line stands. Programs may be malformed. */
static size_t nest(struct nesting *n, const struct isa_inst *in)
{
	if (in->op == ISA_end && n->depth)
		return --n->depth;
	if (in->op != ISA_block && in->op != ISA_loop)
		return n->depth;
	struct open_label *open = ARRAY_PUSH(n->open, n->depth, n->cap);
	*open = (struct open_label){.label = in->at[0].value, .is_loop = in->op == ISA_loop};
	return n->depth - 1;
}

static void print_code(const struct isa_program *p, struct buf *out)
{
	struct nesting n = {0};
	for (size_t i = 0; i < p->inst_count; i++) {
		const struct isa_inst *in = &p->insts[i];
		for (size_t indent = 1 + nest(&n, in); indent--;)
			buf_printf(out, "\t");
		isa_print_inst(p, in, out);
		if (is_branch(in))
			comment_branch(out, &n, in);
		else if (in->op == ISA_end && n.cap && n.open[n.depth].is_if)
			buf_printf(out, i && p->insts[i - 1].op == ISA_br ? " ; else" : " ; end if");
		else if (in->op < ISA_OP_COUNT)
			comment_floats(out, in);
		buf_printf(out, "\n");
	}
	mem_free(n.open);
}

static void print_io(struct buf *out, const char *directive, const struct isa_io *io, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		buf_printf(out, ".%s %zu ", directive, i);
		print_string(out, io[i].name);
		buf_printf(out, " %u", io[i].index);
		print_fields(out, text_io_fields, TEXT_IO_FIELDS, &io[i]);
	}
}

void isa_disassemble(const struct isa_program *p, struct buf *out)
{
	for (size_t i = 0; i < TEXT_PROGRAM_FIELDS; i++) {
		const struct text_field *f = &text_program_fields[i];
		if (!f->always && text_field_get(f, p) == f->absent)
			continue;
		buf_printf(out, ".%s ", f->key);
		print_field(out, f, p);
		buf_printf(out, "\n");
	}
	if (p->threads[0] | p->threads[1] | p->threads[2])
		buf_printf(out, ".threads %u %u %u\n", p->threads[0], p->threads[1], p->threads[2]);
	if (!p->allocated)
		buf_printf(out, ".virtual\n");
	buf_printf(out, ".entry ");
	print_string(out, p->name);
	buf_printf(out, "\n");
	print_io(out, "input", p->inputs, p->input_count);
	print_io(out, "output", p->outputs, p->output_count);
	for (size_t i = 0; i < p->resource_count; i++) {
		buf_printf(out, ".resource %zu ", i);
		print_string(out, p->resources[i].name);
		print_fields(out, text_resource_fields, TEXT_RESOURCE_FIELDS, &p->resources[i]);
	}
	for (size_t i = 0; i < p->constant_count; i++)
		buf_printf(out, "%s0x%08x%s", i % 8 ? " " : ".const ", p->constants[i],
			i % 8 == 7 || i + 1 == p->constant_count ? "\n" : "");
	print_code(p, out);
}
