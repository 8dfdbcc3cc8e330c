/* kiln check: the PSOs of scenes and databases, validated and linted without drawing. By file and name, whatever the order
 * they are given in and on however many threads. */
#include "tools/minimise.h"
#include "tools/sarif.h"
#include "tools/sodb.h"
#include "tools/scene_options.h"
#include "tools/tools.h"
#include <stdlib.h>
#include <string.h>

struct arguments {
	struct scene_arguments scene;
	unsigned threads;
	bool sarif;
	const char *minimise, *output;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case ARGP_KEY_INIT: state->child_inputs[0] = &a->scene; return 0;
	case 't': a->threads = pso_threads_argument(arg, state); return 0;
	case 's': a->sarif = true; return 0;
	case 'm': a->minimise = arg; return 0;
	case 'o': a->output = arg; return 0;
	case ARGP_KEY_END:
		if (!a->minimise != !a->output)
			argp_error(state, "--minimise and -o go together");
		if (a->minimise && (a->scene.count != 1 || sodb_is_database(a->scene.inputs[0])))
			argp_error(state, "--minimise takes one scene");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static json_t *verdict_json(const struct pso_set *s, const struct pso_entry *e)
{
	json_t *j = json_pack("{s:o, s:b, s:o}", "pso", json_text(e->name, strlen(e->name)), "refused", !e->made, "diagnostics",
		json_diags(e->diags));
	if (e->base != PSO_NONE)
		json_object_set_new(j, "base", json_string(s->entries[e->base].name));
	return j;
}

static void print_verdict(const struct pso_set *s, const char *path, const struct pso_entry *e)
{
	printf("%s: %s", path, e->name);
	if (e->base != PSO_NONE)
		printf(" (derived from %s)", s->entries[e->base].name);
	printf(": %s\n", e->made ? "made" : "refused");
	if (!kiln_diags_count(e->diags))
		return;
	fflush(stdout);
	print_diags(stderr, e->diags);
}

static json_t *file_json(const struct pso_set *s, const struct pso_file *f, const uint32_t *order)
{
	json_t *psos = json_array();
	for (uint32_t i = 0; i < f->count; i++)
		json_array_append_new(psos, verdict_json(s, &s->entries[order[i]]));
	return json_pack("{s:o, s:o, s:o}", f->is_database ? "database" : "scene", json_text(f->path, strlen(f->path)), "psos",
		psos, "diagnostics", json_diags(f->diags));
}

static int report(const struct arguments *a, const struct pso_set *s, const struct pso_file *f, json_t *list)
{
	uint32_t *order = pso_set_sorted(s, f);
	size_t refused = 0;
	for (uint32_t i = 0; i < f->count; i++)
		refused += !s->entries[order[i]].made;
	if (a->scene.json)
		json_array_append_new(list, file_json(s, f, order));
	for (uint32_t i = 0; !a->scene.json && !a->sarif && i < f->count; i++)
		print_verdict(s, f->path, &s->entries[order[i]]);
	print_diags(stderr, f->diags);
	mem_free(order);
	return f->failed ? EXIT_MISUSE : refused ? EXIT_REFUSED : EXIT_DONE;
}

static int report_all(const struct arguments *a, const struct pso_set *s)
{
	json_t *list = json_array();
	int code = EXIT_DONE;
	for (size_t i = 0; i < s->file_count; i++) {
		int one = report(a, s, &s->files[i], list);
		code = one > code ? one : code;
	}
	if (a->sarif)
		print_json(sarif_log(s));
	else if (a->scene.json)
		print_json(list);
	if (a->sarif || !a->scene.json)
		json_decref(list);
	return code;
}

static int cut(const struct arguments *a, const struct pso_set *s)
{
	struct kiln_diags *d = kiln_diags_create();
	bool read = s->entry_count || !s->files[0].failed;
	bool ok = read && minimise(s, a->minimise, a->output, d);
	if (!read)
		print_diags(stderr, s->files[0].diags);
	print_diags(stderr, d);
	kiln_diags_destroy(d);
	return ok ? EXIT_DONE : EXIT_MISUSE;
}

int verb_check(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"threads", 't', "N", 0, "Threads to work on; 0 (default): one a processor", 0},
		{"sarif", 's', NULL, 0, "Report as SARIF 2.1.0", 0},
		{"minimise", 'm', "PSO", 0, "Cut the scene to the smallest that shows this PSO's diagnostic (with -o)", 0},
		{"output", 'o', "SCENE.yaml", 0, "Where --minimise writes it", 0},
		{0}};
	static const struct argp_child children[] = {{&scene_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {options, parse, "SCENE.yaml|FILE.sodb...",
		"Validate the base and derived PSOs of scenes and databases, and warn of what works in vain or slowly.\v"
		"Example: kiln check scenes/export-alpha-missing.yaml", children, 0, 0};
	struct arguments a = {0};
	struct pso_set s;
	argp_parse(&argp, argc, argv, 0, 0, &a);
	pso_set_open(&s, &a.scene.device, a.scene.inputs, (size_t)a.scene.count, pso_threads(a.threads));
	pso_set_check(&s, pso_threads(a.threads), true);
	int code = a.minimise ? cut(&a, &s) : report_all(&a, &s);
	pso_set_close(&s);
	return code;
}
