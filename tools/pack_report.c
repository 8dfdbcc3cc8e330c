/* What is in a pack, and what storing equal sections once has saved: as text and as JSON. */
#include "tools/pack.h"
#include <string.h>

const char *const pack_consoles[KILN_CONSOLE_COUNT] = {"none", "xbox-one", "xbox-series"};

void pack_entry_name(const char *path, const char *name, struct buf *out)
{
	const char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path, *dot = strrchr(stem, '.');
	buf_put(out, stem, dot && dot != stem ? (size_t)(dot - stem) : strlen(stem));
	if (name)
		buf_printf(out, "/%s", name);
	buf_text(out);
}

void pack_list_print(const struct pack *p)
{
	for (size_t i = 0; i < pack_count(p); i++)
		printf("%-8s %-12s %s\n", pack_kind_names[pack_kind_of(p, i)], pack_consoles[pack_console(p, i)], pack_name(p, i));
}

json_t *pack_list_json(const struct pack *p)
{
	json_t *list = json_array();
	for (size_t i = 0; i < pack_count(p); i++)
		json_array_append_new(list, json_pack("{s:o, s:s, s:s}", "name", json_text(pack_name(p, i), strlen(pack_name(p, i))),
			"kind", pack_kind_names[pack_kind_of(p, i)], "console", pack_consoles[pack_console(p, i)]));
	return list;
}

static void add(struct pack_kind_stats *sum, const struct pack_kind_stats *s)
{
	sum->count += s->count;
	sum->bytes += s->bytes;
	sum->unique += s->unique;
	sum->unique_bytes += s->unique_bytes;
	sum->stored_bytes += s->stored_bytes;
}

static void print_row(const char *name, const struct pack_kind_stats *s, const char *doc)
{
	printf("%-6s %9llu %12llu %9llu %12llu %12llu  %s\n", name, (unsigned long long)s->count, (unsigned long long)s->bytes,
		(unsigned long long)s->unique, (unsigned long long)s->unique_bytes, (unsigned long long)s->stored_bytes, doc);
}

static const char *const docs[PSO_SECTION_COUNT] = {
#define X(name, text, flags, doc) doc,
	PSO_SECTIONS(X)
#undef X
};

void pack_stats_print(const struct pack *p)
{
	struct pack_stats s;
	struct pack_kind_stats sum = {0};
	pack_stats(p, &s);
	printf("%llu base PSOs, %llu derived PSOs, %llu shaders\n", (unsigned long long)s.entries[PACK_BASE],
		(unsigned long long)s.entries[PACK_DERIVED], (unsigned long long)s.entries[PACK_SHADER]);
	printf("kind       count bytes before    unique   once, bytes bytes stored\n");
	for (unsigned i = 0; i < PSO_SECTION_COUNT; i++) {
		if (s.section[i].count)
			print_row(pso_section_names[i], &s.section[i], docs[i]);
		add(&sum, &s.section[i]);
	}
	print_row("all", &sum, "");
	printf("file: %llu bytes, of them %llu of tables and names\n", (unsigned long long)s.file_bytes,
		(unsigned long long)s.index_bytes);
}

static json_t *row_json(const char *name, const struct pack_kind_stats *s)
{
	return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I}", "kind", name, "count", (json_int_t)s->count, "bytes_before",
		(json_int_t)s->bytes, "unique", (json_int_t)s->unique, "bytes_once", (json_int_t)s->unique_bytes, "bytes_stored",
		(json_int_t)s->stored_bytes);
}

json_t *pack_stats_json(const struct pack *p)
{
	struct pack_stats s;
	struct pack_kind_stats sum = {0};
	json_t *rows = json_array();
	pack_stats(p, &s);
	for (unsigned i = 0; i < PSO_SECTION_COUNT; i++) {
		if (s.section[i].count)
			json_array_append_new(rows, row_json(pso_section_names[i], &s.section[i]));
		add(&sum, &s.section[i]);
	}
	return json_pack("{s:I, s:I, s:I, s:o, s:o, s:I, s:I}", "base", (json_int_t)s.entries[PACK_BASE], "derived",
		(json_int_t)s.entries[PACK_DERIVED], "shaders", (json_int_t)s.entries[PACK_SHADER], "kinds", rows, "all",
		row_json("all", &sum), "file_bytes", (json_int_t)s.file_bytes, "index_bytes", (json_int_t)s.index_bytes);
}
