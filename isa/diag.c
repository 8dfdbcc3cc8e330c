/* The list of diagnostics: rows of isa/diag.def joined with a place and a sentence, kept in the order they were found,
 * and its form for the pipe between the lowering child and its parent (that form is of one build: no version). */
#include "isa/base.h"
#include <stdio.h>

struct kiln_diags {
	struct arena arena;
	struct kiln_diag *list;
	size_t count, cap, errors;
};

struct row {
	uint32_t number;
	enum kiln_severity severity;
	const char *name, *remedy;
};
enum { DIAG_INFO = KILN_INFO, DIAG_WARNING = KILN_WARNING, DIAG_ERROR = KILN_ERROR };
static const struct row rows[] = {
#define DIAG(number, severity, name, remedy) {number, (enum kiln_severity)DIAG_##severity, #name, remedy},
#include "isa/diag.def"
};

static const struct row *find_row(uint32_t number)
{
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		if (rows[i].number == number)
			return &rows[i];
	return NULL;
}

struct kiln_diags *kiln_diags_create(void) { return mem_alloc(sizeof(struct kiln_diags)); }

void kiln_diags_destroy(struct kiln_diags *d)
{
	if (!d)
		return;
	kiln_diags_clear(d);
	mem_free(d);
}

size_t kiln_diags_count(const struct kiln_diags *d) { return d->count; }
const struct kiln_diag *kiln_diags_get(const struct kiln_diags *d, size_t i) { return i < d->count ? &d->list[i] : NULL; }
size_t kiln_diags_errors(const struct kiln_diags *d) { return d->errors; }

bool kiln_diags_has(const struct kiln_diags *d, uint32_t number)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->list[i].number == number)
			return true;
	return false;
}

void kiln_diags_clear(struct kiln_diags *d)
{
	arena_finish(&d->arena);
	mem_free(d->list);
	*d = (struct kiln_diags){0};
}

/* ---- adding ---- */

struct place {
	const char *where, *excerpt, *remedy; /* remedy NULL: the row's */
	unsigned line, column;
};

static void add(struct kiln_diags *d, enum diag_id id, const struct place *at, const char *fmt, va_list args)
{
	const struct row *row = find_row(id);
	va_list again;
	va_copy(again, args);
	int size = vsnprintf(NULL, 0, fmt, args);
	char *text = arena_alloc(&d->arena, (size_t)size + 1);
	vsnprintf(text, (size_t)size + 1, fmt, again);
	va_end(again);
	struct kiln_diag *to = ARRAY_PUSH(d->list, d->count, d->cap);
	to->number = row->number;
	to->severity = row->severity;
	to->name = row->name;
	to->where = arena_string(&d->arena, at->where ? at->where : "");
	to->line = at->line;
	to->column = at->column;
	to->excerpt = arena_string(&d->arena, at->excerpt);
	to->text = text;
	to->remedy = at->remedy ? arena_string(&d->arena, at->remedy) : row->remedy;
	d->errors += to->severity == KILN_ERROR;
}

void diag_add(struct kiln_diags *d, enum diag_id id, const char *where, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	add(d, id, &(struct place){.where = where}, fmt, args);
	va_end(args);
}

void diag_add_remedy(struct kiln_diags *d, enum diag_id id, const char *where, const char *remedy, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	add(d, id, &(struct place){.where = where, .remedy = remedy}, fmt, args);
	va_end(args);
}

void diag_add_at(struct kiln_diags *d, enum diag_id id, const char *file, unsigned line, unsigned column,
	const char *excerpt, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	add(d, id, &(struct place){.where = file, .line = line, .column = column, .excerpt = excerpt}, fmt, args);
	va_end(args);
}

/* ---- over a pipe: count, then number, line, column, has-excerpt and the strings of each ---- */

static void put_string(struct buf *out, const char *s) { buf_put(out, s, strlen(s) + 1); }

void diags_encode(const struct kiln_diags *d, struct buf *out)
{
	buf_u32(out, (uint32_t)d->count);
	for (size_t i = 0; i < d->count; i++) {
		const struct kiln_diag *g = &d->list[i];
		buf_u32(out, g->number);
		buf_u32(out, g->line);
		buf_u32(out, g->column);
		buf_u32(out, g->excerpt != NULL);
		put_string(out, g->where);
		put_string(out, g->excerpt ? g->excerpt : "");
		put_string(out, g->text);
		put_string(out, g->remedy);
	}
}

static void add_decoded(struct kiln_diags *d, enum diag_id id, const struct place *at, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	add(d, id, at, fmt, args);
	va_end(args);
}

static bool decode_one(struct kiln_diags *d, struct reader *r)
{
	uint32_t number = reader_u32(r);
	struct place at = {.line = reader_u32(r)};
	at.column = reader_u32(r);
	uint32_t has_excerpt = reader_u32(r);
	at.where = reader_string(r);
	const char *excerpt = reader_string(r), *text = reader_string(r);
	at.excerpt = has_excerpt ? excerpt : NULL;
	at.remedy = reader_string(r);
	if (r->failed || !find_row(number))
		return false;
	add_decoded(d, (enum diag_id)number, &at, "%s", text);
	return true;
}

bool diags_decode(struct kiln_diags *d, const uint8_t *data, size_t size)
{
	struct reader r = {.data = data, .size = size};
	uint32_t count = reader_u32(&r);
	for (uint32_t i = 0; i < count; i++)
		if (!decode_one(d, &r))
			return false;
	return !r.failed && r.at == size;
}
