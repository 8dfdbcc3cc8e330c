/* kiln check: base and derived PSOs of scenes, validated without drawing. */
#include "tools/scene.h"
#include "tools/scene_options.h"
#include "tools/tools.h"
#include <string.h>

static error_t parse(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	state->child_inputs[0] = state->input;
	return 0;
}

static json_t *verdict_json(const struct scene_pso *p)
{
	json_t *j = json_pack("{s:s, s:b, s:o}", "pso", p->name, "refused", p->pso == NULL, "diagnostics", json_diags(p->diags));
	if (p->base)
		json_object_set_new(j, "base", json_string(p->base));
	return j;
}

static void print_verdict(const char *path, const struct scene_pso *p)
{
	printf("%s: %s", path, p->name);
	if (p->base)
		printf(" (derived from %s)", p->base);
	printf(": %s\n", p->pso ? "made" : "refused");
	fflush(stdout);
	print_diags(stderr, p->diags);
}

static int check_scene(const struct scene_arguments *a, const char *path, json_t *list)
{
	struct scene s;
	struct kiln_diags *d = kiln_diags_create();
	const struct scene_options o = {.device = a->device};
	json_t *psos = json_array();
	bool ok = scene_open(&s, path, d) && scene_create(&s, &o, d);
	size_t refused = 0;
	for (size_t i = 0; ok && i < s.pso_count; i++) {
		refused += !s.psos[i].pso;
		json_array_append_new(psos, verdict_json(&s.psos[i]));
		if (!a->json)
			print_verdict(path, &s.psos[i]);
	}
	if (a->json)
		json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "scene", json_text(path, strlen(path)), "psos", psos, "diagnostics", json_diags(d)));
	else
		json_decref(psos);
	print_diags(stderr, d);
	scene_close(&s);
	kiln_diags_destroy(d);
	return !ok ? EXIT_MISUSE : refused ? EXIT_REFUSED : EXIT_DONE;
}

int verb_check(int argc, char **argv)
{
	static const struct argp_child children[] = {{&scene_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {NULL, parse, "SCENE.yaml...",
		"Validate the base and derived PSOs of scenes.\vExample: kiln check scenes/export-alpha-missing.yaml", children, 0, 0};
	struct scene_arguments a = {0};
	int code = EXIT_DONE;
	argp_parse(&argp, argc, argv, 0, 0, &a);
	json_t *list = json_array();
	for (int i = 0; i < a.count; i++) {
		int one = check_scene(&a, a.inputs[i], list);
		code = one > code ? one : code;
	}
	if (a.json)
		print_json(list);
	else
		json_decref(list);
	return code;
}
