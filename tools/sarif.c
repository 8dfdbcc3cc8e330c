/* Takes a checked set; gives SARIF. PSOs are logical locations, "PSO" of their file, so that a result stays the same result
 * when lines move; only mistakes in a scene's text have a line. */
#include "tools/sarif.h"
#include "tools/tools.h"
#include <string.h>

static const struct { uint32_t number; const char *severity, *name, *remedy; } rules[] = {
#define DIAG(number, severity, name, remedy) {number, #severity, #name, remedy},
#include "isa/diag.def"
};

static const char *level_of(enum kiln_severity s)
{
	return s == KILN_ERROR ? "error" : s == KILN_WARNING ? "warning" : "note";
}

static json_t *rules_json(void)
{
	json_t *list = json_array();
	for (size_t i = 0; i < ARRAY_COUNT(rules); i++) {
		const char *level = rules[i].severity[0] == 'E' ? "error" : rules[i].severity[0] == 'W' ? "warning" : "note";
		json_array_append_new(list,
			json_pack("{s:o, s:s, s:{s:s}, s:{s:s}, s:{s:s}}", "id", json_sprintf("KILN%u", rules[i].number), "name",
				rules[i].name, "shortDescription", "text", rules[i].name, "help", "text", rules[i].remedy,
				"defaultConfiguration", "level", level));
	}
	return list;
}

/* A relative or absolute URI reference (RFC 3986): bytes with a meaning of their own, and all that are not ASCII,
 * escaped. */
static json_t *uri_of(const char *path)
{
	struct buf b = {0};
	for (const uint8_t *c = (const uint8_t *)path; *c; c++)
		if ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || strchr("-._~/", *c))
			buf_put(&b, c, 1);
		else
			buf_printf(&b, "%%%02X", *c);
	json_t *j = json_string(buf_text(&b));
	buf_finish(&b);
	return j;
}

static size_t rule_index(uint32_t number)
{
	size_t i = 0;
	while (i + 1 < ARRAY_COUNT(rules) && rules[i].number != number)
		i++;
	return i;
}

static json_t *result_json(const struct pso_file *f, const char *pso, const struct kiln_diag *g)
{
	json_t *physical = json_pack("{s:{s:o}}", "artifactLocation", "uri", uri_of(f->path));
	json_t *location = json_pack("{s:o}", "physicalLocation", physical);
	if (g->line && !strcmp(g->where, f->path))
		json_object_set_new(physical, "region", json_pack("{s:i, s:i}", "startLine", (int)g->line, "startColumn",
			(int)(g->column ? g->column : 1)));
	if (pso) {
		struct buf full = {0};
		buf_printf(&full, "%s: %s", f->path, pso);
		json_object_set_new(location, "logicalLocations", json_pack("[{s:o, s:o, s:s}]", "name", json_text(pso, strlen(pso)),
			"fullyQualifiedName", json_text(buf_text(&full), full.size), "kind", "object"));
		buf_finish(&full);
	}
	struct buf text = {0};
	buf_printf(&text, "%s%s%s", g->where, *g->where ? ": " : "", g->text);
	json_t *j = json_pack("{s:o, s:I, s:s, s:{s:o}, s:[o]}", "ruleId", json_sprintf("KILN%u", g->number), "ruleIndex",
		(json_int_t)rule_index(g->number), "level", level_of(g->severity), "message", "text",
		json_text(buf_text(&text), text.size), "locations", location);
	buf_finish(&text);
	return j;
}

static void add_results(json_t *list, const struct pso_file *f, const char *pso, const struct kiln_diags *d)
{
	for (size_t i = 0; i < kiln_diags_count(d); i++)
		json_array_append_new(list, result_json(f, pso, kiln_diags_get(d, i)));
}

json_t *sarif_log(const struct pso_set *s)
{
	json_t *results = json_array();
	for (size_t i = 0; i < s->file_count; i++) {
		const struct pso_file *f = &s->files[i];
		uint32_t *order = pso_set_sorted(s, f);
		add_results(results, f, NULL, f->diags);
		for (uint32_t k = 0; k < f->count; k++)
			add_results(results, f, s->entries[order[k]].name, s->entries[order[k]].diags);
		mem_free(order);
	}
	return json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:o}]}", "$schema",
		"https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs", "tool", "driver", "name", "kiln",
		"semanticVersion", kiln_version(), "rules", rules_json(), "results", results);
}
