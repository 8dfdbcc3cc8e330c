/* kiln bench compile: DXIL -> ISA of every container of a folder, in this process, warm: each is compiled once before it is
 * timed. What cannot be compiled, such as stages that Kiln has not, is left out and counted. */
#include "tools/bench.h"
#include <glob.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
	const char *folder;
	unsigned times;
	bool json;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'n':
		a->times = (unsigned)strtoul(arg, NULL, 10);
		if (!a->times || a->times > 100000)
			argp_error(state, "--times takes 1 to 100000, not '%s'", arg);
		return 0;
	case 'j': a->json = true; return 0;
	case ARGP_KEY_ARG: a->folder = arg; return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* False: it does not compile. */
static bool time_container(const char *path, const struct arguments *a, struct bench_series *s, struct kiln_diags *diags)
{
	struct kiln_device *d = kiln_device_create(&(struct kiln_device_desc){.in_process = true});
	struct kiln_diags *said = kiln_diags_create();
	uint8_t *data = NULL;
	size_t size;
	bool ok = file_read(path, FILE_BYTES_MAX, &data, &size, diags);

	for (unsigned i = 0; ok && i <= a->times; i++) {
		uint64_t start = bench_now();
		struct kiln_shader *shader = kiln_shader_create(d, path, data, size, said);

		ok = shader != NULL;
		if (ok && i)
			bench_add(s, bench_now() - start);
		kiln_shader_destroy(shader);
	}
	mem_free(data);
	kiln_diags_destroy(said);
	kiln_device_destroy(d);
	return ok;
}

int bench_compile(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"times", 'n', "N", 0, "How often each container is compiled (20)", 0},
		{"json", 'j', NULL, 0, "Report as JSON", 0},
		{0}};
	static const struct argp argp = {options, parse, "[FOLDER]",
		"How long DXIL takes to become ISA: each container of a folder (tests/corpus/cso).\vExample: kiln bench compile scenes/shaders",
		0, 0, 0};
	struct arguments a = {.folder = "tests/corpus/cso", .times = 20};
	struct kiln_diags *diags = kiln_diags_create();
	struct bench_series s = {.name = "compile", .doc = "container to ISA"};
	char pattern[4096];
	size_t left_out = 0;
	glob_t found;

	argp_parse(&argp, argc, argv, 0, 0, &a);
	snprintf(pattern, sizeof pattern, "%s/*.cso", a.folder);
	if (glob(pattern, 0, NULL, &found))
		diag_add(diags, DIAG_FILE_READ, a.folder, "there is no container (*.cso)");
	else {
		for (size_t i = 0; i < found.gl_pathc; i++)
			left_out += !time_container(found.gl_pathv[i], &a, &s, diags);
		globfree(&found);
	}
	bool ok = !kiln_diags_errors(diags);
	if (a.json)
		print_json(json_pack("{s:o, s:I, s:o}", "series", bench_json(&s, 1), "left_out", (json_int_t)left_out, "diagnostics",
			json_diags(diags)));
	else if (ok) {
		bench_print(&s, 1);
		printf("%zu containers left out: they do not compile\n", left_out);
	}
	print_diags(stderr, diags);
	bench_finish(&s, 1);
	kiln_diags_destroy(diags);
	return ok ? EXIT_DONE : EXIT_MISUSE;
}
