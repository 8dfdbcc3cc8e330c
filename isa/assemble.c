/* Text -> program: the inverse of isa/text.c, line by line, driven by the rows' operand strings and the tables of
 * fields. Takes any bytes. Registers and labels that no directive counts are counted here. An error is a diagnostic with
 * line and column; the rest of the line is skipped and the next one read, so that one run shows all of them. */
#include "isa/text.h"
#include <ctype.h>

enum { ERRORS_MAX = 20, EXCERPT_MAX = 200, WORD_MAX = 64 };

struct assembler {
	struct isa_program *p;
	const char *where;
	struct kiln_diags *diags;
	const char *line, *at, *end;    /* the line, its end without the newline */
	unsigned number, errors;
	bool failed;                    /* this line */
	bool counts_vgprs, counts_sgprs, counts_labels; /* no directive gave them */
	uint32_t vgprs, sgprs, labels;  /* as seen in operands */
	size_t input_cap, output_cap, resource_cap, constant_cap;
};

/* ---- errors and tokens ---- */

__attribute__((format(printf, 3, 4))) static void line_error(struct assembler *a, const char *at, const char *fmt, ...)
{
	if (a->failed)
		return;
	a->failed = true;
	if (a->errors++ >= ERRORS_MAX)
		return;
	char text[200], excerpt[EXCERPT_MAX + 1] = "";
	size_t size = (size_t)(a->end - a->line);
	memcpy(excerpt, a->line, size < EXCERPT_MAX ? size : EXCERPT_MAX);
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	diag_add_at(a->diags, DIAG_ISA_SYNTAX, a->where, a->number, (unsigned)(at - a->line) + 1, excerpt, "%s", text);
}

static void skip_space(struct assembler *a)
{
	while (a->at < a->end && (*a->at == ' ' || *a->at == '\t' || *a->at == '\r'))
		a->at++;
}

static bool at_end(struct assembler *a)
{
	skip_space(a);
	return a->at == a->end || *a->at == ';';
}

static bool take(struct assembler *a, char c)
{
	skip_space(a);
	if (a->at == a->end || *a->at != c)
		return false;
	a->at++;
	return true;
}

static bool is_word_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

/* Letters, digits, _ and dots; "" where there is none, or one longer than any that means something. */
static const char *take_word(struct assembler *a, char word[WORD_MAX])
{
	skip_space(a);
	const char *start = a->at;
	while (a->at < a->end && is_word_char(*a->at))
		a->at++;
	size_t size = (size_t)(a->at - start);
	word[0] = word[1] = 0; /* callers look behind a directive's dot */
	if (size < WORD_MAX) {
		memcpy(word, start, size);
		word[size] = 0;
	}
	return start;
}

static bool parse_number(const char *s, uint32_t *value)
{
	unsigned base = s[0] == '0' && s[1] == 'x' ? 16 : 10;
	uint64_t n = 0;
	s += base == 16 ? 2 : 0;
	if (!*s)
		return false;
	for (; *s; s++) {
		char c = (char)tolower((unsigned char)*s);
		unsigned digit = isdigit((unsigned char)c) ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 99;
		if (digit >= base || (n = n * base + digit) > UINT32_MAX)
			return false;
	}
	*value = (uint32_t)n;
	return true;
}

static uint32_t take_number(struct assembler *a, const char *what)
{
	char word[WORD_MAX];
	const char *start = take_word(a, word);
	uint32_t value = 0;
	if (!parse_number(word, &value))
		line_error(a, start, "%s: a number from 0 to 4294967295 is wanted", what);
	return value;
}

static int hex_digit(char c) { return isdigit((unsigned char)c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

/* One character behind a backslash: itself, or xNN. 0 is an error. */
static char take_escape(struct assembler *a)
{
	char c = a->at < a->end ? *a->at++ : 0;
	if (c == '"' || c == '\\')
		return c;
	if (c != 'x' || a->end - a->at < 2 || hex_digit(a->at[0]) < 0 || hex_digit(a->at[1]) < 0)
		return 0;
	a->at += 2;
	return (char)(hex_digit(a->at[-2]) << 4 | hex_digit(a->at[-1]));
}

static const char *take_string(struct assembler *a)
{
	struct buf text = {0};
	skip_space(a);
	const char *start = a->at, *result = "";
	bool ok = take(a, '"'), closed = false;
	while (ok && a->at < a->end && !closed) {
		char c = *a->at++;
		closed = c == '"';
		if (c == '\\')
			c = take_escape(a);
		ok = c != 0;
		if (ok && !closed)
			buf_put(&text, &c, 1);
	}
	if (ok && closed)
		result = arena_string(&a->p->arena, buf_text(&text));
	else
		line_error(a, start, "a string in double quotes is wanted");
	buf_finish(&text);
	return result;
}

/* ---- values ---- */

static bool parse_name(const char *word, const char *const *names, size_t count, uint32_t *value)
{
	for (*value = 0; *value < count; ++*value)
		if (names[*value] && !strcmp(names[*value], word))
			return true;
	return false;
}

/* Letters in their order, each once. */
static bool parse_mask(const char *word, const char *letters, uint32_t *value)
{
	*value = 0;
	if (!strcmp(word, "none"))
		return true;
	for (unsigned i = 0; i < 4; i++)
		if (*word == letters[i]) {
			*value |= 1u << i;
			word++;
		}
	return *value && !*word;
}

/* A word that is a prefix and a number: v12, L3. */
static bool parse_numbered(const char *word, const char *prefix, uint32_t *value)
{
	size_t size = strlen(prefix);
	return !strncmp(word, prefix, size) && isdigit((unsigned char)word[size]) && parse_number(word + size, value);
}

static bool parse_target(const char *word, uint32_t *value)
{
	for (size_t i = 0; i < TEXT_TARGETS; i++) {
		const struct text_target *t = &text_targets[i];
		uint32_t n = 0;
		bool ok = t->count == 1 ? !strcmp(word, t->name) : parse_numbered(word, t->name, &n) && n < t->count;
		if (ok) {
			*value = t->first + n;
			return true;
		}
	}
	return false;
}

static uint32_t take_flags(struct assembler *a, const struct text_field *f)
{
	uint32_t flags = 0;
	do {
		char word[WORD_MAX];
		const char *start = take_word(a, word);
		uint32_t bit;
		if (!parse_name(word, f->names, f->name_count, &bit)) {
			line_error(a, start, "`%s` is no flag of .%s", word, f->key);
			return 0;
		}
		flags |= 1u << bit;
	} while (take(a, '|'));
	return flags;
}

static uint32_t take_field_value(struct assembler *a, const struct text_field *f)
{
	char word[WORD_MAX];
	uint32_t value = 0;
	if (f->kind == TEXT_FLAGS)
		return take_flags(a, f);
	const char *start = take_word(a, word);
	bool ok = false;
	switch (f->kind) {
	case TEXT_NUMBER:
		ok = parse_number(word, &value);
		if (!strcmp(word, "none")) {
			value = UINT32_MAX;
			ok = true;
		}
		ok = ok && (f->size != 1 || value <= UINT8_MAX);
		break;
	case TEXT_NAME: ok = parse_name(word, f->names, f->name_count, &value); break;
	default: ok = parse_mask(word, "xyzw", &value); break;
	}
	if (!ok)
		line_error(a, start, "`%s` is no value for `%s`", word, f->key);
	return value;
}

static const struct text_field *find_field(const struct text_field *fields, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(fields[i].key, key))
			return &fields[i];
	return NULL;
}

/* `key value` up to the end of the line; what is not named is as the table says. */
static void take_fields(struct assembler *a, const struct text_field *fields, size_t count, void *object)
{
	for (size_t i = 0; i < count; i++)
		text_field_set(&fields[i], object, fields[i].absent);
	while (!a->failed && !at_end(a)) {
		char key[WORD_MAX];
		const char *start = take_word(a, key);
		const struct text_field *f = find_field(fields, count, key);
		if (!f)
			line_error(a, start, "there is no field `%s` here", key);
		else
			text_field_set(f, object, take_field_value(a, f));
	}
}

/* ---- directives ---- */

/* Room for one more element inside the arena. */
static void *list_grow(struct assembler *a, void *list, size_t count, size_t *cap, size_t size)
{
	if (count < *cap)
		return list;
	*cap = count ? 2 * count : 8;
	void *grown = arena_array(&a->p->arena, *cap, size);
	if (count)
		memcpy(grown, list, count * size);
	return grown;
}

static void check_position(struct assembler *a, const char *what, size_t want)
{
	skip_space(a);
	const char *start = a->at;
	if (take_number(a, what) != want)
		line_error(a, start, "%s %zu is next: they are numbered in order", what, want);
}

static void take_io(struct assembler *a, const char *what, struct isa_io **list, size_t *count, size_t *cap)
{
	struct isa_io io = {0};
	check_position(a, what, *count);
	io.name = take_string(a);
	io.index = take_number(a, "semantic index");
	take_fields(a, text_io_fields, TEXT_IO_FIELDS, &io);
	if (*count >= ISA_IO_MAX)
		line_error(a, a->line, "more than %u slots", ISA_IO_MAX);
	if (a->failed)
		return;
	*list = list_grow(a, *list, *count, cap, sizeof **list);
	(*list)[(*count)++] = io;
}

static void take_resource(struct assembler *a)
{
	struct isa_program *p = a->p;
	struct isa_resource r = {0};
	check_position(a, "resource", p->resource_count);
	r.name = take_string(a);
	take_fields(a, text_resource_fields, TEXT_RESOURCE_FIELDS, &r);
	if (a->failed)
		return;
	p->resources = list_grow(a, p->resources, p->resource_count, &a->resource_cap, sizeof r);
	p->resources[p->resource_count++] = r;
}

static void take_constants(struct assembler *a)
{
	struct isa_program *p = a->p;
	do {
		uint32_t word = take_number(a, "constant");
		p->constants = list_grow(a, p->constants, p->constant_count, &a->constant_cap, sizeof word);
		p->constants[p->constant_count++] = word;
	} while (!a->failed && !at_end(a));
}

static void take_directive(struct assembler *a)
{
	char key[WORD_MAX];
	const char *start = take_word(a, key);
	struct isa_program *p = a->p;
	const struct text_field *f = find_field(text_program_fields, TEXT_PROGRAM_FIELDS, key + 1);
	if (f) {
		text_field_set(f, p, take_field_value(a, f));
		a->counts_vgprs &= strcmp(f->key, "vgprs") != 0;
		a->counts_sgprs &= strcmp(f->key, "sgprs") != 0;
		a->counts_labels &= strcmp(f->key, "labels") != 0;
	} else if (!strcmp(key, ".threads")) {
		for (unsigned i = 0; i < 3; i++)
			p->threads[i] = take_number(a, "threads");
	} else if (!strcmp(key, ".virtual"))
		p->allocated = false;
	else if (!strcmp(key, ".entry"))
		p->name = take_string(a);
	else if (!strcmp(key, ".input"))
		take_io(a, "input", &p->inputs, &p->input_count, &a->input_cap);
	else if (!strcmp(key, ".output"))
		take_io(a, "output", &p->outputs, &p->output_count, &a->output_cap);
	else if (!strcmp(key, ".resource"))
		take_resource(a);
	else if (!strcmp(key, ".const"))
		take_constants(a);
	else
		line_error(a, start, "there is no directive `%s`", key);
}

/* ---- instructions ---- */

static void count_up(uint32_t *count, uint32_t value)
{
	if (value >= *count && value < UINT32_MAX)
		*count = value + 1;
}

static bool parse_register_operand(struct assembler *a, const char *word, struct isa_operand *o)
{
	if (!strcmp(word, "off")) {
		o->file = ISA_OFF;
		return true;
	}
	if (parse_numbered(word, "v", &o->value)) {
		o->file = ISA_V;
		count_up(&a->vgprs, o->value);
		return true;
	}
	if (parse_numbered(word, "s", &o->value)) {
		o->file = ISA_S;
		count_up(&a->sgprs, o->value);
		return true;
	}
	o->file = ISA_LIT;
	return parse_number(word, &o->value);
}

static bool parse_number_operand(struct assembler *a, char letter, const char *word, uint32_t *value)
{
	static const char components[4][2] = {"x", "y", "z", "w"};
	switch (letter) {
	case 'l':
		if (!parse_numbered(word, "L", value))
			return false;
		count_up(&a->labels, *value);
		return true;
	case 'n': return parse_numbered(word, "in", value);
	case 'r': return parse_numbered(word, "r", value);
	case 'p':
		for (*value = 0; *value < 4; ++*value)
			if (!strcmp(word, components[*value]))
				return true;
		return false;
	case 'k': return parse_name(word, isa_sysval_names, ISA_SYS_COUNT, value);
	case 't': return parse_target(word, value);
	case 'f': return parse_name(word, isa_form_names, ISA_FORM_COUNT, value);
	case 'g': return parse_name(word, text_lit_types, ARRAY_COUNT(text_lit_types), value);
	case 'm': return parse_mask(word, "rgba", value);
	default: return parse_number(word, value);
	}
}

static const char *wanted(char letter)
{
	switch (letter) {
	case 'd': case 'v': case 's': return "a register to write (v0, s0)";
	case 'o': return "a register to write, or off";
	case 'y': return "a register, a literal or off";
	case 'l': return "a label (L0)";
	case 'n': return "an input slot (in0)";
	case 'p': return "a component (x, y, z or w)";
	case 'r': return "a resource (r0)";
	case 'k': return "a system value";
	case 't': return "an export target (mrt0, mrtz, pos0, param0)";
	case 'f': return "an export form (fp16_abgr)";
	case 'm': return "channels (rgba) or none";
	case 'g': return "a component type (f32, i32, u32)";
	case 'i': return "a number";
	default: return "a register or a literal";
	}
}

/* What the letter lets stand here; the validator has the rest, which needs the whole program. */
static bool file_fits(char letter, unsigned file)
{
	switch (letter) {
	case 'd': case 's': case 'v': return file == ISA_V || file == ISA_S;
	case 'o': return file != ISA_LIT;
	case 'y': return true;
	default: return file != ISA_OFF;
	}
}

static void take_instruction(struct assembler *a)
{
	char word[WORD_MAX];
	const char *start = take_word(a, word);
	int op = isa_find(word);
	if (op < 0) {
		line_error(a, start, "there is no instruction `%s`", word);
		return;
	}
	struct isa_inst in = {.op = (uint16_t)op};
	const struct isa_info *info = &isa_info[op];
	for (unsigned k = 0; k < info->count && !a->failed; k++) {
		char letter = info->operands[k];
		struct isa_operand *o = &in.at[k];
		if (k && !text_is_head(info->operands[k - 1]) && !take(a, ',')) {
			line_error(a, a->at, "a comma and %s are wanted", wanted(letter));
			break;
		}
		start = take_word(a, word);
		o->file = ISA_IMM;
		bool ok = isa_is_number(letter) ? parse_number_operand(a, letter, word, &o->value) :
			parse_register_operand(a, word, o) && file_fits(letter, o->file);
		if (!ok)
			line_error(a, start, "%s is wanted", wanted(letter));
	}
	if (!a->failed)
		*isa_append(a->p, (enum isa_op)op) = in;
}

static void take_line(struct assembler *a)
{
	if (at_end(a))
		return;
	if (*a->at == '.')
		take_directive(a);
	else
		take_instruction(a);
	if (!a->failed && !at_end(a))
		line_error(a, a->at, "the line should end here");
}

static void finish_counts(struct assembler *a)
{
	struct isa_program *p = a->p;
	if (a->counts_vgprs)
		p->vgprs = p->allocated || a->vgprs > a->sgprs ? a->vgprs : a->sgprs; /* virtual ones are of one file */
	if (a->counts_sgprs)
		p->sgprs = p->allocated ? a->sgprs : 0;
	if (a->counts_labels)
		p->labels = a->labels;
	if (p->vgprs > ISA_VGPRS_MAX)
		p->allocated = false;
}

struct isa_program *isa_assemble(const char *text, size_t size, const char *where, struct kiln_diags *diags)
{
	struct isa_program *p = isa_program_create();
	struct assembler a = {.p = p, .where = where, .diags = diags, .counts_vgprs = true, .counts_sgprs = true,
		.counts_labels = true};
	p->allocated = true;
	for (size_t at = 0; at < size; at++) {
		const char *newline = memchr(text + at, '\n', size - at);
		a.line = a.at = text + at;
		a.end = newline ? newline : text + size;
		a.number++;
		a.failed = false;
		take_line(&a);
		at = (size_t)(a.end - text);
	}
	finish_counts(&a);
	if (!a.errors && isa_validate(p, where, diags))
		return p;
	isa_program_destroy(p);
	return NULL;
}
