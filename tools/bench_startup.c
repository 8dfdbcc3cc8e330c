/* kiln bench startup: this program started anew with --version, from the start to its end: what a process costs that does not
 * need LLVM. */
#include "tools/bench.h"
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

struct arguments {
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
	case ARGP_KEY_ARG: argp_error(state, "there is nothing to name"); return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static bool start(void)
{
	char name[] = "kiln", version[] = "--version", *const argv[] = {name, version, NULL};
	char *const environment[] = {NULL};
	posix_spawn_file_actions_t quiet;
	int status = -1;
	pid_t pid;

	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	bool ok = posix_spawn(&pid, "/proc/self/exe", &quiet, NULL, argv, environment) == 0;
	posix_spawn_file_actions_destroy(&quiet);
	return ok && waitpid(pid, &status, 0) == pid && status == 0;
}

int bench_startup(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"times", 'n', "N", 0, "How often (200)", 0},
		{"json", 'j', NULL, 0, "Report as JSON", 0},
		{0}};
	static const struct argp argp = {options, parse, NULL,
		"How long starting this program takes.\vExample: kiln bench startup", 0, 0, 0};
	struct arguments a = {.times = 200};
	struct kiln_diags *diags = kiln_diags_create();
	struct bench_series s = {.name = "startup", .doc = "kiln --version, start to end"};
	bool ok = true;

	argp_parse(&argp, argc, argv, 0, 0, &a);
	for (unsigned i = 0; i < a.times && ok; i++) {
		uint64_t begin = bench_now();

		ok = start();
		bench_add(&s, bench_now() - begin);
	}
	if (!ok)
		diag_add(diags, DIAG_FILE_READ, "/proc/self/exe", "this program cannot be started again");
	if (a.json)
		print_json(json_pack("{s:o, s:o}", "series", bench_json(&s, 1), "diagnostics", json_diags(diags)));
	else if (ok)
		bench_print(&s, 1);
	print_diags(stderr, diags);
	bench_finish(&s, 1);
	kiln_diags_destroy(diags);
	return ok ? EXIT_DONE : EXIT_MISUSE;
}
