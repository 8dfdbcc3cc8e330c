/* Text and binary form of programs: tests/isa_cases.txt both ways, every row of the table in it, refusals with their place,
 * round trips, damaged binaries with their checksum mended, and the base everything stands on. */
#include "isa/isa.h"
#include "timing/timing.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHECKSUM_AT = 12, CHECKED_FROM = 16 };

/* ---- the case file ---- */

struct lines { char *text, *next; };

static char *next_line(struct lines *l)
{
	char *line = l->next, *end = line ? strchr(line, '\n') : NULL;
	if (end)
		*end = 0;
	l->next = end ? end + 1 : NULL;
	return line && (end || *line) ? line : NULL;
}

static struct lines open_cases(void)
{
	uint8_t *data;
	size_t size;
	struct kiln_diags *d = kiln_diags_create();
	cr_assert(file_read(KILN_SOURCE_DIR "/tests/isa_cases.txt", 1 << 20, &data, &size, d));
	kiln_diags_destroy(d);
	return (struct lines){(char *)data, (char *)data};
}

static uint32_t crc32(const uint8_t *data, size_t size)
{
	uint32_t crc = ~0u;
	for (size_t i = 0; i < 8 * size; i++) {
		crc ^= data[i / 8] >> i % 8 & 1;
		crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
	}
	return ~crc;
}

static void mend_checksum(uint8_t *data, size_t size)
{
	uint32_t crc = crc32(data + CHECKED_FROM, size - CHECKED_FROM);
	for (int i = 0; i < 4; i++)
		data[CHECKSUM_AT + i] = (uint8_t)(crc >> 8 * i);
}

static void show(struct kiln_diags *d)
{
	for (size_t i = 0; i < kiln_diags_count(d); i++) {
		const struct kiln_diag *g = kiln_diags_get(d, i);
		fprintf(stderr, "%s:%u:%u: %u %s\n", g->where, g->line, g->column, g->number, g->text);
	}
}

static struct isa_program *assemble(struct buf *text)
{
	struct kiln_diags *d = kiln_diags_create();
	struct isa_program *p = isa_assemble(buf_text(text), text->size, "case", d);
	if (!p)
		show(d);
	cr_assert(p, "refused:\n%s", buf_text(text));
	kiln_diags_destroy(d);
	return p;
}

static bool same_encoding(const struct isa_program *a, const struct isa_program *b)
{
	struct buf x = {0}, y = {0};
	isa_program_encode(a, &x);
	isa_program_encode(b, &y);
	bool same = x.size == y.size && !memcmp(x.data, y.data, x.size);
	buf_finish(&x);
	buf_finish(&y);
	return same;
}

/* One program of the file: its text without the words, the words, and the instruction lines as they should print. */
struct program_case {
	struct buf text, words, print;
};

static void add_case_line(struct program_case *c, char *line)
{
	char *bar = strstr(line, " | ");
	if (!bar) {
		buf_printf(&c->text, "%s\n", line);
		return;
	}
	*bar = 0;
	buf_printf(&c->text, "%s\n", bar + 3);
	buf_printf(&c->print, "\t%s\n", bar + 3);
	for (char *end, *at = line; *at; at = end) {
		at += strspn(at, " ");
		uint32_t word = (uint32_t)strtoul(at, &end, 16);
		if (end == at)
			break;
		buf_u32(&c->words, word);
	}
}

/* Comments the case does not have are left out, such as floats behind literals. */
static void compare_print(const char *want, const char *code)
{
	while (*want) {
		size_t w = strcspn(want, "\n"), g = strcspn(code, "\n");
		const char *semicolon = memchr(code, ';', g);
		size_t shown = !memchr(want, ';', w) && semicolon ? (size_t)(semicolon - code) - 1 : g;
		cr_assert(w == shown && !memcmp(want, code, w), "want `%.*s`, got `%.*s`", (int)w, want, (int)shown, code);
		want += w + 1;
		code += g + 1;
	}
	cr_assert(!*code);
}

static void check_program_case(struct program_case *c)
{
	struct isa_program *p = assemble(&c->text);
	struct buf binary = {0}, text = {0};
	isa_program_encode(p, &binary);
	cr_assert(binary.size > c->words.size);
	uint8_t *code = binary.data + binary.size - c->words.size;
	for (size_t i = 0; i < c->words.size; i += 4)
		cr_assert(!memcmp(code + i, c->words.data + i, 4), "word %zu of\n%sis %02x%02x%02x%02x", i / 4,
			buf_text(&c->print), code[i + 3], code[i + 2], code[i + 1], code[i]);
	memcpy(code, c->words.data, c->words.size); /* the words of the file, not ours, are what is read back */
	mend_checksum(binary.data, binary.size);
	struct kiln_diags *d = kiln_diags_create();
	struct isa_program *q = isa_program_decode(binary.data, binary.size, "case", d);
	show(d);
	cr_assert(q && same_encoding(p, q));
	isa_disassemble(q, &text);
	compare_print(buf_text(&c->print), strchr(buf_text(&text), '\t'));
	struct isa_program *r = assemble(&text);
	cr_assert(same_encoding(p, r), "assembles to something else:\n%s", buf_text(&text));
	isa_program_destroy(p);
	isa_program_destroy(q);
	isa_program_destroy(r);
	kiln_diags_destroy(d);
	buf_finish(&binary);
	buf_finish(&text);
	buf_finish(&c->text);
	buf_finish(&c->words);
	buf_finish(&c->print);
}

/* Calls with each program of the file, or with each refusal and its first line. */
static unsigned each_program(void (*call)(struct program_case *c))
{
	struct lines l = open_cases();
	struct program_case c = {0};
	unsigned count = 0;
	bool inside = false;
	for (char *line = next_line(&l);; line = next_line(&l)) {
		bool heads = !line || !strcmp(line, "program") || !strncmp(line, "refuse ", 7);
		if (heads && inside) {
			call(&c);
			c = (struct program_case){0};
			count++;
		}
		if (!line)
			break;
		if (heads)
			inside = *line == 'p';
		else if (inside && *line && *line != '#')
			add_case_line(&c, line);
	}
	mem_free(l.text);
	return count;
}

Test(isa, cases_both_ways) { cr_assert_geq(each_program(check_program_case), 6); }

Test(isa, every_row_has_a_case)
{
	struct lines l = open_cases();
	bool seen[ISA_OP_COUNT] = {false};
	for (char *line; (line = next_line(&l));) {
		char *text = strstr(line, " | ");
		if (!text || *line == '#')
			continue;
		text += 3 + strspn(text + 3, "\t");
		text[strcspn(text, " ")] = 0;
		int op = isa_find(text);
		cr_assert(op >= 0, "%s", text);
		seen[op] = true;
	}
	for (int op = 0; op < ISA_OP_COUNT; op++)
		cr_expect(seen[op], "%s has no line in isa_cases.txt", isa_info[op].name);
	mem_free(l.text);
}

/* ---- refusals ---- */

static void check_refusal(char *head, struct buf *text)
{
	char *name = head + strlen("refuse "), *place = strchr(name, ' ') + 1, *message = strchr(place, ' ') + 1;
	place[-1] = message[-1] = 0;
	struct kiln_diags *d = kiln_diags_create();
	struct isa_program *p = isa_assemble(buf_text(text), text->size, "case", d);
	cr_assert(!p, "not refused: %s\n%s", message, buf_text(text));
	bool found = false;
	for (size_t i = 0; i < kiln_diags_count(d); i++) {
		const struct kiln_diag *g = kiln_diags_get(d, i);
		char at[32] = "-";
		if (g->line)
			snprintf(at, sizeof at, "%u:%u", g->line, g->column);
		found |= !strcmp(g->name, name) && !strcmp(at, place) && strstr(g->text, message);
		cr_assert(!g->line == !g->excerpt);
	}
	if (!found)
		show(d);
	cr_assert(found, "no %s at %s with `%s` for\n%s", name, place, message, buf_text(text));
	kiln_diags_destroy(d);
}

Test(isa, refusals)
{
	struct lines l = open_cases();
	struct buf text = {0};
	char *head = NULL;
	unsigned count = 0;
	for (char *line = next_line(&l);; line = next_line(&l)) {
		if (head && (!line || !*line)) {
			check_refusal(head, &text);
			text.size = 0;
			head = NULL;
			count++;
		}
		if (!line)
			break;
		if (!strncmp(line, "refuse ", 7))
			head = line;
		else if (head)
			buf_printf(&text, "%s\n", line);
	}
	cr_assert_geq(count, 50);
	buf_finish(&text);
	mem_free(l.text);
}

/* ---- any bytes are safe ---- */

/* Refused with a diagnostic, or the only encoding of what was read. */
static bool check_safe(const uint8_t *data, size_t size)
{
	struct kiln_diags *d = kiln_diags_create();
	struct isa_program *p = isa_program_decode(data, size, "damaged", d);
	cr_assert(p ? !kiln_diags_count(d) : kiln_diags_errors(d));
	if (p) {
		struct buf again = {0}, text = {0};
		isa_program_encode(p, &again);
		cr_assert(again.size == size && !memcmp(again.data, data, size), "read, and written back as something else");
		isa_disassemble(p, &text);
		struct isa_program *q = isa_assemble(buf_text(&text), text.size, "text", d);
		show(d);
		cr_assert(q && same_encoding(p, q), "%s", buf_text(&text));
		isa_program_destroy(q);
		buf_finish(&again);
		buf_finish(&text);
	}
	bool taken = p;
	isa_program_destroy(p);
	kiln_diags_destroy(d);
	return taken;
}

static void damage(struct program_case *c)
{
	struct isa_program *p = assemble(&c->text);
	struct buf b = {0};
	isa_program_encode(p, &b);
	cr_assert(check_safe(b.data, b.size));
	for (size_t size = 0; size < b.size; size++) {
		uint8_t *part = mem_alloc(size); /* of its own, so that a sanitizer sees its end */
		memcpy(part, b.data, size);
		cr_assert(!check_safe(part, size));
		if (size > CHECKED_FROM) {
			for (unsigned i = 0; i < 4; i++)
				part[8 + i] = (uint8_t)(size >> 8 * i);
			mend_checksum(part, size);
			check_safe(part, size);
		}
		mem_free(part);
	}
	for (size_t bit = 0; bit < 8 * b.size; bit++) {
		b.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
		cr_assert(!check_safe(b.data, b.size), "the checksum let bit %zu pass", bit);
		if (bit / 8 >= CHECKED_FROM) {
			mend_checksum(b.data, b.size);
			check_safe(b.data, b.size);
		}
		b.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
		mend_checksum(b.data, b.size);
	}
	isa_program_destroy(p);
	buf_finish(&b);
	buf_finish(&c->text);
	buf_finish(&c->words);
	buf_finish(&c->print);
}

Test(isa, damaged_binaries) { each_program(damage); }

/* Text damaged byte by byte: a diagnostic or a program, never a crash. */
static void damage_text(struct program_case *c)
{
	for (size_t i = 0; i < c->text.size; i++) {
		static const char bytes[] = {0, '"', '\\', ',', '9', '\n', '.', 'v', (char)0xff};
		char was = (char)c->text.data[i];
		struct kiln_diags *d = kiln_diags_create();
		c->text.data[i] = (uint8_t)bytes[i % sizeof bytes];
		struct isa_program *p = isa_assemble((char *)c->text.data, c->text.size, "damaged", d);
		cr_assert(p || kiln_diags_errors(d));
		isa_program_destroy(p);
		kiln_diags_destroy(d);
		c->text.data[i] = (uint8_t)was;
	}
	buf_finish(&c->text);
	buf_finish(&c->words);
	buf_finish(&c->print);
}

Test(isa, damaged_text) { each_program(damage_text); }

/* Every field of a program, none as it is by default. */
Test(isa, round_trip_of_all_fields)
{
	struct buf text = {0};
	buf_printf(&text, ".stage compute\n.wave 32\n.flags uses_derivatives|fp32_preserve\n.vgprs 9\n.sgprs 8\n"
		".labels 1\n.scratch 6\n.lds 512\n.threads 4 5 6\n.entry \"a\\\"b\\\\c\\x07\"\n"
		".input 0 \"A;B\" 4294967295 semantic group_id type u16 interp constant cols 2 start 1 used y precision 4 reg none\n"
		".output 0 \"\" 0 type f64 cols 1 used none reg 63\n"
		".resource 0 \"r\" class uav kind rawbuffer type 9 flags counter|root_constants space 1 lower 2 count 3 size 4 samples 5\n"
		".const 0x00000000 0xffffffff\nblock L0\nend L0\nendpgm\n");
	struct isa_program *p = assemble(&text);
	cr_assert_str_eq(p->name, "a\"b\\c\a");
	cr_assert(p->stage == ISA_COMPUTE && p->wave_size == 32 && p->flags == 576 && p->vgprs == 9 && p->sgprs == 8);
	cr_assert(p->labels == 1 && p->scratch == 6 && p->lds_bytes == 512 && p->allocated);
	cr_assert(p->threads[0] == 4 && p->threads[1] == 5 && p->threads[2] == 6);
	const struct isa_io *io = p->inputs;
	cr_assert(!strcmp(io->name, "A;B") && io->index == UINT32_MAX && io->semantic == ISA_SEM_GROUP_ID && io->type == ISA_U16);
	cr_assert(io->interp == 1 && io->cols == 2 && io->start_col == 1 && io->used == 2);
	cr_assert(io->min_precision == 4 && io->reg == UINT32_MAX);
	const struct isa_resource *r = p->resources;
	cr_assert(r->cls == ISA_UAV && r->kind == 11 && r->type == 9 && r->flags == 17 && r->space == 1 && r->lower == 2);
	cr_assert(r->count == 3 && r->stride_or_size == 4 && r->sample_count == 5 && p->constants[1] == UINT32_MAX);
	struct isa_program *copy = isa_program_copy(p);
	cr_assert(same_encoding(p, copy));
	isa_program_destroy(p);
	struct buf again = {0};
	isa_disassemble(copy, &again);
	struct isa_program *q = assemble(&again);
	cr_assert(same_encoding(copy, q));
	isa_program_destroy(copy);
	isa_program_destroy(q);
	buf_finish(&text);
	buf_finish(&again);
}

/* ---- documentation ---- */

static void check_page(const char *name, void (*print)(struct buf *out))
{
	struct buf want = {0}, path = {0};
	uint8_t *data;
	size_t size;
	struct kiln_diags *d = kiln_diags_create();
	print(&want);
	buf_printf(&path, "%s/docs/%s.md", KILN_SOURCE_DIR, name);
	cr_assert(file_read(buf_text(&path), 1 << 20, &data, &size, d));
	cr_expect(size == want.size && !memcmp(data, want.data, size),
		"docs/%s.md is stale: kiln docs %s > docs/%s.md", name, name, name);
	kiln_diags_destroy(d);
	mem_free(data);
	buf_finish(&want);
	buf_finish(&path);
}

Test(isa, docs_are_the_tables)
{
	check_page("isa", isa_docs);
	check_page("diagnostics", diag_docs);
	check_page("consoles", timing_docs);
}

Test(isa, diagnostics_have_numbers_of_their_own)
{
	static const uint32_t numbers[] = {
#define DIAG(number, severity, name, remedy) number,
#include "isa/diag.def"
	};
	for (size_t i = 0; i < ARRAY_COUNT(numbers); i++)
		for (size_t k = 0; k < i; k++)
			cr_expect_neq(numbers[i], numbers[k], "%u twice", numbers[i]);
}

/* ---- the base ---- */

Test(base, diagnostics_over_a_pipe)
{
	struct kiln_diags *a = kiln_diags_create(), *b = kiln_diags_create();
	diag_add(a, DIAG_FILE_READ, NULL, "plain %d", 1);
	diag_add_at(a, DIAG_ISA_SYNTAX, "x.isa", 3, 4, "mov v0", "placed");
	diag_add_remedy(a, DIAG_EXPORT_SUPERSET_ACCEPTED, "PSO", "own remedy", "%s", "note");
	struct buf out = {0};
	diags_encode(a, &out);
	cr_assert(diags_decode(b, out.data, out.size));
	cr_assert(kiln_diags_count(b) == 3 && kiln_diags_errors(b) == 2 && kiln_diags_has(b, 1001) && !kiln_diags_has(b, 1002));
	const struct kiln_diag *g = kiln_diags_get(b, 1);
	cr_assert(g->line == 3 && g->column == 4 && !strcmp(g->excerpt, "mov v0"));
	cr_assert(!strcmp(g->where, "x.isa") && !strcmp(g->name, "ISA_SYNTAX"));
	cr_assert(!strcmp(kiln_diags_get(b, 2)->remedy, "own remedy") && kiln_diags_get(b, 2)->severity == KILN_INFO);
	cr_assert(!kiln_diags_get(b, 0)->excerpt && !strcmp(kiln_diags_get(b, 0)->where, "") && !kiln_diags_get(b, 3));
	for (size_t size = 0; size < out.size; size++) {
		kiln_diags_clear(b);
		cr_assert(!diags_decode(b, out.data, size));
	}
	kiln_diags_destroy(a);
	kiln_diags_destroy(b);
	buf_finish(&out);
}

Test(base, reader_never_passes_the_end)
{
	static const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 'a', 0, 'b'};
	struct reader r = {.data = bytes, .size = sizeof bytes};
	cr_assert(reader_u8(&r) == 1 && reader_u16(&r) == 0x0302 && reader_u32(&r) == 0x07060504 && reader_u8(&r) == 8);
	cr_assert_str_eq(reader_string(&r), "a");
	cr_assert(!*reader_string(&r) && r.failed && !reader_u8(&r) && !reader_bytes(&r, 0));
	r = (struct reader){.data = bytes, .size = sizeof bytes};
	cr_assert(reader_u64(&r) == 0x0807060504030201u && !reader_bytes(&r, SIZE_MAX) && r.failed);
}

Test(base, arena_and_append)
{
	struct arena a = {0};
	uint8_t *all[200];
	for (size_t i = 0; i < 200; i++) {
		all[i] = arena_alloc(&a, 37 * i * i % 40000);
		cr_assert((uintptr_t)all[i] % _Alignof(max_align_t) == 0);
		memset(all[i], (int)i, 37 * i * i % 40000);
	}
	for (size_t i = 0; i < 200; i++)
		for (size_t k = 0; k < 37 * i * i % 40000; k++)
			cr_assert(all[i][k] == (uint8_t)i);
	cr_assert_str_eq(arena_printf(&a, "%s-%d", "x", 7), "x-7");
	arena_finish(&a);
	struct isa_program *p = isa_program_create();
	for (unsigned i = 0; i < 1000; i++)
		isa_append(p, ISA_mov)->at[1] = (struct isa_operand){ISA_LIT, i};
	for (unsigned i = 0; i < 1000; i++)
		cr_assert(p->insts[i].at[1].value == i && p->insts[i].op == ISA_mov);
	isa_program_destroy(p);
}

Test(base, files_appear_whole)
{
	char folder[] = "kiln-test-XXXXXX";
	cr_assert(mkdtemp(folder));
	struct buf path = {0}, bad = {0};
	buf_printf(&path, "%s/file", folder);
	buf_printf(&bad, "%s/none/file", folder);
	struct kiln_diags *d = kiln_diags_create();
	uint8_t *data;
	size_t size;
	cr_assert(file_write(buf_text(&path), "abc", 3, d) && file_read(buf_text(&path), 3, &data, &size, d));
	cr_assert(size == 3 && !memcmp(data, "abc", 3) && !kiln_diags_count(d));
	mem_free(data);
	cr_assert(!file_read(buf_text(&path), 2, &data, &size, d) && kiln_diags_has(d, DIAG_FILE_TOO_LARGE) && !data);
	cr_assert(!file_read("/dev/zero", 4096, &data, &size, d));
	cr_assert(!file_read(folder, 4096, &data, &size, d) && kiln_diags_has(d, DIAG_FILE_READ));
	cr_assert(!file_write(folder, "abc", 3, d) && !file_write(buf_text(&bad), "abc", 3, d));
	cr_assert(kiln_diags_has(d, DIAG_FILE_WRITE));
	cr_assert(file_write("/dev/null", "abc", 3, d));
	cr_assert(!unlink(buf_text(&path)) && !rmdir(folder), "something was left behind");
	kiln_diags_destroy(d);
	buf_finish(&path);
	buf_finish(&bad);
}
