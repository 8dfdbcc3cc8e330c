/* Takes a file; gives libfyaml's nodes and typed values, or diagnostics with a place. */
#include "tools/yaml.h"
#include "pso/format.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 16 << 20, DEPTH_MAX = 32, SCALARS_MAX = 1 << 20 }; /* libfyaml takes some 400 bytes a scalar */

/* ---- places ---- */

/* A collection stands where its first scalar does. */
static struct fy_token *first_token(struct fy_node *n)
{
	for (int depth = 0; n && depth <= DEPTH_MAX; depth++) {
		void *prev = NULL;
		if (fy_node_is_scalar(n))
			return fy_node_get_scalar_token(n);
		if (fy_node_is_sequence(n)) {
			n = fy_node_sequence_iterate(n, &prev);
			continue;
		}
		struct fy_node_pair *p = fy_node_mapping_iterate(n, &prev);
		n = p ? fy_node_pair_key(p) : NULL;
	}
	return NULL;
}

/* An empty collection has no scalar: it stands where its name does. */
static struct fy_token *name_token(struct fy_node *n)
{
	struct fy_node *parent = n ? fy_node_get_parent(n) : NULL;
	struct fy_node_pair *pair;
	void *prev = NULL;
	if (!parent || !fy_node_is_mapping(parent))
		return parent ? first_token(parent) : NULL;
	while ((pair = fy_node_mapping_iterate(parent, &prev)))
		if (fy_node_pair_value(pair) == n)
			return first_token(fy_node_pair_key(pair));
	return NULL;
}

static char *source_line(struct yaml *y, unsigned line)
{
	const char *at = y->text;
	for (unsigned i = 1; i < line && at; i++) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	size_t length = at ? strcspn(at, "\r\n") : 0;
	return arena_printf(&y->arena, "%.*s", (int)(length < 160 ? length : 160), at ? at : "");
}

static void error_at(struct yaml *y, unsigned line, unsigned column, enum diag_id id, const char *text)
{
	y->failed = true;
	diag_add_at(y->diags, id, y->path, line, column, line ? source_line(y, line) : NULL, "%s", text);
}

void yaml_error(struct yaml *y, struct fy_node *n, enum diag_id id, const char *fmt, ...)
{
	char text[512];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	struct fy_token *token = first_token(n);
	token = token ? token : name_token(n);
	const struct fy_mark *m = token ? fy_token_start_mark(token) : NULL;
	error_at(y, m ? (unsigned)m->line + 1 : 1, m ? (unsigned)m->column + 1 : 1, id, text);
}

/* ---- opening ---- */

static bool is_utf8(const uint8_t *s, size_t n, size_t *bad)
{
	for (size_t i = 0; i < n;) {
		unsigned more = s[i] < 0x80 ? 0 : s[i] >> 5 == 6 ? 1 : s[i] >> 4 == 14 ? 2 : s[i] >> 3 == 30 ? 3 : 9;
		*bad = i;
		if (more == 9 || more >= n - i || !s[i])
			return false;
		for (unsigned k = 1; k <= more; k++)
			if (s[i + k] >> 6 != 2)
				return false;
		i += more + 1;
	}
	return true;
}

struct cursor {
	unsigned line, column;
};

static struct cursor place_of(const char *text, size_t at)
{
	struct cursor c = {1, 1};
	for (size_t i = 0; i < at; i++) {
		c.line += text[i] == '\n';
		c.column = text[i] == '\n' ? 1 : c.column + 1;
	}
	return c;
}

/* Depth by brackets, and by dashes and indentation of block style: an upper bound, so that deep text never reaches
 * anything recursive. */
static bool too_deep(const char *text, size_t size, size_t *where)
{
	unsigned brackets = 0;
	char quote = 0;
	for (size_t i = 0, column = 0, dashes = 0; i < size; i++, column++) {
		char c = text[i];
		if (c == '\n') {
			column = (size_t)-1;
			dashes = 0;
			quote = 0;
			continue;
		}
		if (quote) {
			quote = c == quote ? 0 : quote;
			continue;
		}
		if (c == '#' && (!i || text[i - 1] == ' ' || text[i - 1] == '\n')) {
			while (i + 1 < size && text[i + 1] != '\n')
				i++;
			continue;
		}
		if (c == '"' || c == '\'')
			quote = c;
		brackets += c == '[' || c == '{';
		brackets -= brackets && (c == ']' || c == '}');
		dashes += (c == '-' || c == '?') && i + 1 < size && text[i + 1] == ' ';
		*where = i;
		if (brackets > DEPTH_MAX || dashes > DEPTH_MAX)
			return true;
	}
	return false;
}

/* At least as many scalars as there are, so that a short file cannot make libfyaml take all memory. */
static size_t count_scalars(const char *text, size_t size)
{
	size_t count = 1;
	for (size_t i = 0; i < size; i++)
		count += text[i] == ',' || text[i] == ':' || text[i] == '\n' || (text[i] == '-' && text[i + 1] == ' ');
	return count;
}

/* Where a second document starts. A line that starts with --- or ... is always a marker: no scalar may hold it. */
static bool has_second_document(const char *text, size_t size, size_t *where)
{
	bool started = false, ended = false;
	for (size_t i = 0; i < size; i += strcspn(text + i, "\n") + 1) {
		const char *line = text + i;
		bool start = !strncmp(line, "---", 3) && strchr(" \t\r\n", line[3]);
		bool end = !strncmp(line, "...", 3) && strchr(" \t\r\n", line[3]);
		bool blank = line[strspn(line, " \t\r")] == '\n' || !line[strspn(line, " \t\r")] || line[strspn(line, " \t")] == '#';
		*where = i;
		if (ended ? !blank && !end : start && started)
			return true;
		ended |= end && started;
		started |= !blank && !end && *line != '%';
	}
	return false;
}

static void report_syntax(struct yaml *y, struct fy_diag *diag)
{
	void *prev = NULL;
	struct fy_diag_error *e = diag ? fy_diag_errors_iterate(diag, &prev) : NULL;
	if (!e) {
		error_at(y, 1, 1, DIAG_SCENE_EMPTY, "the file holds no YAML node");
		return;
	}
	enum diag_id id = strstr(e->msg, "depth") ? DIAG_SCENE_DEPTH : DIAG_SCENE_SYNTAX;
	error_at(y, e->line > 0 ? (unsigned)e->line : 1, e->column > 0 ? (unsigned)e->column : 1, id, e->msg);
}

static bool check_text(struct yaml *y)
{
	size_t bad = 0;
	if (strspn(y->text, " \t\r\n") == y->size) {
		error_at(y, 1, 1, DIAG_SCENE_EMPTY, "the file holds nothing");
		return false;
	}
	if (!is_utf8((const uint8_t *)y->text, y->size, &bad)) {
		struct cursor c = place_of(y->text, bad);
		diag_add_at(y->diags, DIAG_SCENE_ENCODING, y->path, c.line, c.column, NULL, "byte 0x%02x is not UTF-8 text",
			(unsigned)(uint8_t)y->text[bad]);
		return false;
	}
	if (too_deep(y->text, y->size, &bad)) {
		struct cursor c = place_of(y->text, bad);
		diag_add_at(y->diags, DIAG_SCENE_DEPTH, y->path, c.line, c.column, NULL, "nested deeper than %d", DEPTH_MAX);
		return false;
	}
	if (has_second_document(y->text, y->size, &bad)) {
		struct cursor c = place_of(y->text, bad);
		error_at(y, c.line, c.column, DIAG_SCENE_DOCUMENTS, "a second YAML document starts here");
		return false;
	}
	if (count_scalars(y->text, y->size) > SCALARS_MAX) {
		error_at(y, 1, 1, DIAG_SCENE_DATA, "more than a million values in the file");
		return false;
	}
	return true;
}

struct key { const char *text; size_t size, place; struct fy_node *node; };
static int by_text(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int order = x->size != y->size ? (x->size < y->size ? -1 : 1) : memcmp(x->text, y->text, x->size);
	return order ? order : x->place < y->place ? -1 : 1;
}

/* libfyaml compares every key with every other, which thousands of PSOs do not bear. */
static void refuse_repeated(struct yaml *y, struct fy_node *map)
{
	void *prev = NULL;
	struct fy_node_pair *pair;
	size_t count = 0;
	struct key *keys = mem_array((size_t)fy_node_mapping_item_count(map), sizeof *keys);
	while ((pair = fy_node_mapping_iterate(map, &prev))) {
		struct key k = {.place = count, .node = fy_node_pair_key(pair)};
		k.text = k.node && fy_node_is_scalar(k.node) ? fy_node_get_scalar(k.node, &k.size) : NULL;
		if (k.text)
			keys[count++] = k;
	}
	qsort(keys, count, sizeof *keys, by_text);
	for (size_t i = 1; i < count; i++)
		if (keys[i].size == keys[i - 1].size && !memcmp(keys[i].text, keys[i - 1].text, keys[i].size))
			yaml_error(y, keys[i].node, DIAG_SCENE_REPEATED, "'%.*s' stands here twice", (int)keys[i].size, keys[i].text);
	mem_free(keys);
}

/* Anchors would let a short file describe a huge scene; no scene needs them. */
static void refuse_aliases(struct yaml *y, struct fy_node *n)
{
	void *prev = NULL;
	struct fy_node *item;
	struct fy_node_pair *pair;
	if (fy_node_is_alias(n) || fy_node_get_anchor(n)) {
		yaml_error(y, n, DIAG_SCENE_ALIAS, "anchors and aliases are not taken");
		return;
	}
	if (fy_node_is_sequence(n)) {
		while ((item = fy_node_sequence_iterate(n, &prev)))
			refuse_aliases(y, item);
	} else if (fy_node_is_mapping(n)) {
		refuse_repeated(y, n);
		while ((pair = fy_node_mapping_iterate(n, &prev)))
			refuse_aliases(y, fy_node_pair_value(pair));
	}
}

bool yaml_open_text(struct yaml *y, const char *path, const uint8_t *text, size_t size, struct kiln_diags *diags)
{
	*y = (struct yaml){.path = path, .diags = diags, .size = size};
	y->text = mem_alloc(size + 1);
	if (size)
		memcpy(y->text, text, size);
	if (!check_text(y)) {
		y->failed = true;
		return false;
	}
	struct fy_diag_cfg quiet = {.fp = NULL, .level = FYET_ERROR, .module_mask = ~0u};
	struct fy_diag *diag = fy_diag_create(&quiet);
	fy_diag_set_collect_errors(diag, true);
	struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_ALLOW_DUPLICATE_KEYS, .diag = diag};
	y->doc = fy_document_build_from_string(&cfg, y->text, y->size);
	if (!y->doc)
		report_syntax(y, diag);
	else
		refuse_aliases(y, fy_document_root(y->doc));
	fy_diag_destroy(diag);
	return !y->failed;
}

bool yaml_open(struct yaml *y, const char *path, struct kiln_diags *diags)
{
	uint8_t *data = NULL;
	size_t size = 0;
	if (!file_read(path, TEXT_MAX, &data, &size, diags)) {
		*y = (struct yaml){.path = path, .diags = diags, .failed = true};
		return false;
	}
	bool ok = yaml_open_text(y, path, data, size, diags);
	mem_free(data);
	return ok;
}

void yaml_forget(struct yaml *y)
{
	if (y->doc)
		fy_document_destroy(y->doc);
	mem_free(y->text);
	y->doc = NULL;
	y->text = NULL;
}

void yaml_close(struct yaml *y)
{
	yaml_forget(y);
	arena_finish(&y->arena);
}

/* ---- scalars ---- */

/* The scalar's text, NUL-terminated, in the arena. */
static const char *scalar(struct yaml *y, struct fy_node *n, const char *what)
{
	size_t length = 0;
	const char *s = n && fy_node_is_scalar(n) ? fy_node_get_scalar(n, &length) : NULL;
	if (!s) {
		yaml_error(y, n, DIAG_SCENE_TYPE, "%s is expected here", what);
		return NULL;
	}
	return arena_printf(&y->arena, "%.*s", (int)(length < 4096 ? length : 4096), s);
}

const char *yaml_string(struct yaml *y, struct fy_node *n) { return scalar(y, n, "text"); }

bool yaml_u32(struct yaml *y, struct fy_node *n, uint32_t *out)
{
	const char *s = scalar(y, n, "a whole number"), *digits = s;
	char *end;
	if (!s)
		return false;
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	digits += strspn(s, hex ? "0123456789abcdefABCDEFxX" : "0123456789");
	if (*s == '-' && strspn(s + 1, "0123456789") == strlen(s + 1) && s[1]) {
		yaml_error(y, n, DIAG_SCENE_RANGE, "%s is negative; 0 to 4294967295 is taken", s);
		return false;
	}
	if (!*s || *digits) {
		yaml_error(y, n, DIAG_SCENE_TYPE, "'%s' is no whole number", s);
		return false;
	}
	errno = 0;
	unsigned long long v = strtoull(s, &end, hex ? 16 : 10);
	if (errno || v > UINT32_MAX) {
		yaml_error(y, n, DIAG_SCENE_RANGE, "%s is too large; 0 to 4294967295 is taken", s);
		return false;
	}
	*out = (uint32_t)v;
	return true;
}

bool yaml_i32(struct yaml *y, struct fy_node *n, int32_t *out)
{
	const char *s = scalar(y, n, "a whole number");
	char *end;
	if (!s)
		return false;
	errno = 0;
	long long v = strtoll(s, &end, 0);
	if (end == s || *end) {
		yaml_error(y, n, DIAG_SCENE_TYPE, "'%s' is no whole number", s);
		return false;
	}
	if (errno || v < INT32_MIN || v > INT32_MAX) {
		yaml_error(y, n, DIAG_SCENE_RANGE, "%s does not fit 32 bits", s);
		return false;
	}
	*out = (int32_t)v;
	return true;
}

bool yaml_f32(struct yaml *y, struct fy_node *n, float *out)
{
	static const struct yaml_name special[] = {{".inf", 0x7f800000}, {"-.inf", 0xff800000}, {".nan", 0x7fc00000}, {0}};
	const char *s = scalar(y, n, "a number");
	char *end;
	if (!s)
		return false;
	for (const struct yaml_name *k = special; k->name; k++)
		if (!strcmp(s, k->name)) {
			*out = bits_float(k->value);
			return true;
		}
	errno = 0;
	float v = strtof(s, &end);
	if (end == s || *end || strpbrk(s, "nNxX")) {
		yaml_error(y, n, DIAG_SCENE_TYPE, "'%s' is no number", s);
		return false;
	}
	if (errno == ERANGE && (v > 1.0f || v < -1.0f)) {
		yaml_error(y, n, DIAG_SCENE_RANGE, "%s is too large for a 32-bit float", s);
		return false;
	}
	*out = v;
	return true;
}

static bool yaml_bool(struct yaml *y, struct fy_node *n, bool *out)
{
	const char *s = scalar(y, n, "true or false");
	if (s && strcmp(s, "true") && strcmp(s, "false")) {
		yaml_error(y, n, DIAG_SCENE_TYPE, "'%s' is neither true nor false", s);
		return false;
	}
	*out = s && *s == 't';
	return s != NULL;
}

bool yaml_enum(struct yaml *y, struct fy_node *n, const struct yaml_name *names, uint32_t *out)
{
	const char *s = scalar(y, n, "a name");
	for (const struct yaml_name *k = names; s && k->name; k++)
		if (!strcmp(s, k->name)) {
			*out = k->value;
			return true;
		}
	if (s) {
		char list[256] = "";
		for (const struct yaml_name *k = names; k->name && strlen(list) + strlen(k->name) + 3 < sizeof list; k++)
			strcat(strcat(list, k == names ? "" : ", "), k->name);
		yaml_error(y, n, DIAG_SCENE_NAME, "'%s' is none of: %s", s, list);
	}
	return false;
}

static void read_format(struct yaml *y, struct fy_node *n, uint32_t *out)
{
	const char *s = scalar(y, n, "a format");
	int f = s ? format_find(s) : 0;
	if (f < 0)
		yaml_error(y, n, DIAG_SCENE_NAME, "'%s' is no DXGI format", s);
	else
		*out = (uint32_t)f;
}

/* 0 to 15 and beyond (validation has its say), ALL, or letters of RGBA. */
static void read_mask(struct yaml *y, struct fy_node *n, uint32_t *out)
{
	static const struct yaml_name words[] = {{"ALL", 15}, {"RED", 1}, {"GREEN", 2}, {"BLUE", 4}, {"ALPHA", 8}, {"NONE", 0}, {0}};
	const char *s = scalar(y, n, "a write mask");
	uint32_t mask = 0;
	for (const struct yaml_name *k = words; s && k->name; k++)
		if (!strcmp(s, k->name)) {
			*out = k->value;
			return;
		}
	if (s && *s && strspn(s, "RGBA") == strlen(s)) {
		for (; *s; s++)
			mask |= *s == 'R' ? 1 : *s == 'G' ? 2 : *s == 'B' ? 4 : 8;
		*out = mask;
	} else if (s)
		yaml_u32(y, n, out);
}

/* ---- collections ---- */

bool yaml_expect_map(struct yaml *y, struct fy_node *n)
{
	if (n && fy_node_is_mapping(n))
		return true;
	yaml_error(y, n, DIAG_SCENE_TYPE, "a mapping (name: value) is expected here");
	return false;
}

bool yaml_expect_list(struct yaml *y, struct fy_node *n, size_t min, size_t max)
{
	if (!n || !fy_node_is_sequence(n)) {
		yaml_error(y, n, DIAG_SCENE_TYPE, "a list is expected here");
		return false;
	}
	size_t count = (size_t)fy_node_sequence_item_count(n);
	if (count >= min && count <= max)
		return true;
	yaml_error(y, n, DIAG_SCENE_RANGE, "%zu items; %zu to %zu are taken", count, min, max);
	return false;
}

void yaml_floats(struct yaml *y, struct fy_node *n, size_t min, size_t max, float *out)
{
	void *prev = NULL;
	struct fy_node *item;
	if (!yaml_expect_list(y, n, min, max))
		return;
	while ((item = fy_node_sequence_iterate(n, &prev)))
		yaml_f32(y, item, out++);
}

bool yaml_has(struct fy_node *map, const char *name)
{
	return fy_node_is_mapping(map) && fy_node_mapping_lookup_by_string(map, name, FY_NT) != NULL;
}

void yaml_value(struct yaml *y, struct fy_node *n, const struct yaml_field *f, void *base)
{
	void *at = (char *)base + f->offset;
	switch (f->kind) {
	case YAML_U32: yaml_u32(y, n, at); break;
	case YAML_I32: yaml_i32(y, n, at); break;
	case YAML_F32: yaml_f32(y, n, at); break;
	case YAML_BOOL: yaml_bool(y, n, at); break;
	case YAML_STRING: *(const char **)at = yaml_string(y, n); break;
	case YAML_ENUM: yaml_enum(y, n, f->names, at); break;
	case YAML_FORMAT: read_format(y, n, at); break;
	case YAML_MASK: read_mask(y, n, at); break;
	case YAML_CUSTOM: f->read(y, n, at); break;
	}
}

void yaml_keep(struct yaml *y, struct fy_node *n, void *at)
{
	(void)y;
	*(struct fy_node **)at = n;
}

/* The field's place among all tables' fields; SIZE_MAX: none. */
static size_t field_place(const struct yaml_table *tables, size_t count, const char *name)
{
	for (size_t t = 0, place = 0; t < count; t++)
		for (size_t i = 0; i < tables[t].count; i++, place++)
			if (!strcmp(name, tables[t].fields[i].name))
				return place;
	return SIZE_MAX;
}

void yaml_tables(struct yaml *y, struct fy_node *map, const struct yaml_table *tables, size_t count)
{
	void *prev = NULL;
	struct fy_node_pair *pair;
	uint64_t seen = 0;
	if (!yaml_expect_map(y, map))
		return;
	while ((pair = fy_node_mapping_iterate(map, &prev))) {
		const char *name = scalar(y, fy_node_pair_key(pair), "a field name");
		size_t place = name ? field_place(tables, count, name) : SIZE_MAX, t = 0, i = place;
		if (!name)
			continue;
		if (place == SIZE_MAX) {
			yaml_error(y, fy_node_pair_key(pair), DIAG_SCENE_UNKNOWN_FIELD, "there is no field '%s' here", name);
			continue;
		}
		while (i >= tables[t].count)
			i -= tables[t++].count;
		if (seen >> place & 1)
			yaml_error(y, fy_node_pair_key(pair), DIAG_SCENE_REPEATED, "'%s' stands here twice", name);
		else
			yaml_value(y, fy_node_pair_value(pair), &tables[t].fields[i], tables[t].base);
		seen |= 1ull << place;
	}
	for (size_t t = 0, place = 0; t < count; t++)
		for (size_t i = 0; i < tables[t].count; i++, place++)
			if (tables[t].fields[i].needed && !(seen >> place & 1))
				yaml_error(y, map, DIAG_SCENE_MISSING, "'%s' is missing here", tables[t].fields[i].name);
}

void yaml_fields(struct yaml *y, struct fy_node *map, const struct yaml_field *fields, size_t count, void *base)
{
	yaml_tables(y, map, &(struct yaml_table){fields, count, base}, 1);
}
