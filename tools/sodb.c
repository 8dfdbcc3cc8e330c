/* kiln sodb: the PSOs of scenes and databases as one State Object Database. */
#include "tools/sodb.h"
#include "tools/scene_options.h"
#include "tools/tools.h"

struct arguments {
	char **inputs;
	int count;
	const char *output;
	struct sodb_application app;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case 'o': a->output = arg; return 0;
	case 'e': a->app.exe = arg; return 0;
	case 'n': a->app.name = arg; return 0;
	case ARGP_KEY_ARGS:
		a->inputs = state->argv + state->next;
		a->count = state->argc - state->next;
		return 0;
	case ARGP_KEY_NO_ARGS: argp_usage(state); return 0;
	case ARGP_KEY_END:
		if (!a->output)
			argp_error(state, "-o names the database to write");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* Nothing is written where any of the input is bad: a PSO would be missing silently. */
static bool is_whole(const struct pso_set *s)
{
	bool whole = true;
	for (size_t i = 0; i < s->file_count; i++) {
		print_diags(stderr, s->files[i].diags);
		whole &= !s->files[i].failed;
	}
	for (size_t i = 0; i < s->entry_count; i++) {
		print_diags(stderr, s->entries[i].diags);
		whole &= !s->entries[i].broken;
	}
	return whole;
}

int verb_sodb(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"output", 'o', "FILE", 0, "The database to write", 0},
		{"exe", 'e', "NAME", 0, "The application's executable, as the database names it", 0},
		{"name", 'n', "NAME", 0, "The application's name, as the database names it", 0},
		{0}};
	static const struct argp argp = {options, parse, "SCENE.yaml|FILE.sodb...",
		"Write the PSOs of scenes and databases as one State Object Database; derived ones as the full PSOs that they are.\v"
		"Example: kiln sodb scenes/blend-zoo.yaml -o blend-zoo.sodb", NULL, 0, 0};
	static const struct kiln_device_desc device;
	struct arguments a = {0};
	struct pso_set s;
	argp_parse(&argp, argc, argv, 0, 0, &a);
	struct kiln_diags *d = kiln_diags_create();
	pso_set_load(&s, &device, a.inputs, (size_t)a.count);
	bool ok = is_whole(&s) && sodb_write(&s, &a.app, a.output, d);
	print_diags(stderr, d);
	if (ok)
		printf("%s: %zu PSOs, %zu shaders\n", a.output, s.entry_count, s.shader_count);
	kiln_diags_destroy(d);
	pso_set_close(&s);
	return ok ? EXIT_DONE : EXIT_MISUSE;
}
