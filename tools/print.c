/* Diagnostics and JSON on their way out. */
#include "tools/tools.h"
#include <string.h>

static const char *const severities[] = {"info", "warning", "error"};

static void print_caret(FILE *to, const struct kiln_diag *g)
{
	fprintf(to, "  %s\n  ", g->excerpt);
	for (unsigned i = 1; i < g->column && g->excerpt[i - 1]; i++)
		fputc(g->excerpt[i - 1] == '\t' ? '\t' : ' ', to);
	fprintf(to, "^\n");
}

void print_diags(FILE *to, const struct kiln_diags *d)
{
	for (size_t i = 0; i < kiln_diags_count(d); i++) {
		const struct kiln_diag *g = kiln_diags_get(d, i);
		if (g->line)
			fprintf(to, "%s:%u:%u: ", g->where, g->line, g->column);
		else if (*g->where)
			fprintf(to, "%s: ", g->where);
		fprintf(to, "%s %u %s: %s\n", severities[g->severity], g->number, g->name, g->text);
		if (g->excerpt)
			print_caret(to, g);
		if (*g->remedy)
			fprintf(to, "  remedy: %s\n", g->remedy);
	}
}

json_t *json_text(const char *s, size_t size)
{
	json_t *j = json_stringn(s, size);
	if (j)
		return j;
	char *ascii = mem_alloc(size + 1);
	for (size_t i = 0; i < size; i++)
		ascii[i] = (unsigned char)s[i] < 0x80 ? s[i] : '?';
	j = json_stringn(ascii, size);
	mem_free(ascii);
	return j;
}

json_t *json_diags(const struct kiln_diags *d)
{
	json_t *list = json_array();
	for (size_t i = 0; i < kiln_diags_count(d); i++) {
		const struct kiln_diag *g = kiln_diags_get(d, i);
		json_t *j = json_pack("{s:i, s:s, s:s, s:o, s:o, s:o}", "number", (int)g->number, "severity",
			severities[g->severity], "name", g->name, "where", json_text(g->where, strlen(g->where)), "text",
			json_text(g->text, strlen(g->text)), "remedy", json_text(g->remedy, strlen(g->remedy)));
		if (j && g->line) {
			json_object_set_new(j, "line", json_integer(g->line));
			json_object_set_new(j, "column", json_integer(g->column));
		}
		if (j)
			json_array_append_new(list, j);
	}
	return list;
}

void print_json(json_t *j)
{
	json_dumpf(j, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(j);
}

int exit_for_diags(const struct kiln_diags *d)
{
	int code = EXIT_DONE;
	for (size_t i = 0; i < kiln_diags_count(d); i++) {
		const struct kiln_diag *g = kiln_diags_get(d, i);
		if (g->severity != KILN_ERROR)
			continue;
		if (g->number != DIAG_DXIL_UNSUPPORTED && g->number != DIAG_STAGE_UNSUPPORTED)
			return EXIT_MISUSE;
		code = EXIT_REFUSED;
	}
	return code;
}

bool read_input(const char *path, uint8_t **data, size_t *size, struct kiln_diags *d)
{
	return file_read(path, FILE_BYTES_MAX, data, size, d);
}
