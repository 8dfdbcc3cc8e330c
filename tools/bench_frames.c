/* kiln bench scenes: how long a frame of each fixed scene takes: the first one, with its shaders and PSO made, and the best and
 * the median of those that follow. */
#include "tools/bench.h"
#include "tools/pso_set.h"
#include <stdlib.h>
#include <string.h>

enum { SCENES_MAX = 16 };

struct arguments {
	struct bench_options options;
	const struct bench_scene *scenes[SCENES_MAX];
	size_t scene_count;
	bool json;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'n':
		a->options.times = (unsigned)strtoul(arg, NULL, 10);
		if (!a->options.times || a->options.times > 100000)
			argp_error(state, "--times takes 1 to 100000, not '%s'", arg);
		return 0;
	case 'f': a->options.folder = arg; return 0;
	case 'o': a->options.output = arg; return 0;
	case 't': a->options.device.threads = pso_threads_argument(arg, state); return 0;
	case 'j': a->json = true; return 0;
	case ARGP_KEY_ARG:
		if (a->scene_count == SCENES_MAX)
			argp_error(state, "too many scenes");
		a->scenes[a->scene_count] = bench_scene_find(arg);
		if (!a->scenes[a->scene_count++])
			argp_error(state, "there is no scene '%s'", arg);
		return 0;
	case ARGP_KEY_END:
		for (size_t i = 0; !a->scene_count || (i && bench_scene_at(i)); i++)
			a->scenes[a->scene_count++] = bench_scene_at(i);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static double ms(uint64_t ns) { return (double)ns / 1e6; }

static void report(const struct bench_scene *c, struct bench_series *s, uint64_t first, json_t *list)
{
	uint64_t min = bench_quantile(s, 0), median = bench_quantile(s, 0.5);

	if (list)
		json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:I, s:I}", "scene", c->name, "frames", (json_int_t)s->count,
			"min_ns", (json_int_t)min, "median_ns", (json_int_t)median, "first_ns", (json_int_t)first));
	else
		printf("%-8s %8zu %12.3f %12.3f %12.3f\n", c->name, s->count, ms(min), ms(median), ms(first));
	fflush(stdout);
}

int bench_frames(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"times", 'n', "N", 0, "Frames after the first (5)", 0},
		{"folder", 'f', "FOLDER", 0, "Where the shaders are (scenes/bench)", 0},
		{"output", 'o', "FOLDER", 0, "Write the last frame of each scene as FOLDER/SCENE.png", 0},
		{"threads", 't', "N", 0, "Threads; 0 (default): one a processor", 0},
		{"json", 'j', NULL, 0, "Report as JSON, nanoseconds", 0},
		{0}};
	static const struct argp argp = {options, parse, "[SCENE...]",
		"How long a frame of the fixed scenes takes: fill, blend, alu, tris, tex, draws. tests/bench-vulkan.sh runs them on a "
		"Vulkan driver as well.\vExample: kiln bench scenes --times 5 fill tris",
		0, 0, 0};
	struct arguments a = {.options = {.times = 5, .folder = "scenes/bench", .device = {.in_process = true}}};
	struct kiln_diags *diags = kiln_diags_create();
	bool ok = true;

	argp_parse(&argp, argc, argv, 0, 0, &a);
	json_t *list = a.json ? json_array() : NULL;
	if (!list)
		printf("%-8s %8s %12s %12s %12s\n", "scene", "frames", "min, ms", "median, ms", "first, ms");
	for (size_t i = 0; i < a.scene_count && ok; i++) {
		struct bench_series frames = {.name = a.scenes[i]->name};
		uint64_t first = 0;

		ok = bench_scene_run(a.scenes[i], &a.options, &frames, &first, diags);
		if (ok)
			report(a.scenes[i], &frames, first, list);
		bench_finish(&frames, 1);
	}
	if (list)
		print_json(json_pack("{s:o, s:o}", "scenes", list, "diagnostics", json_diags(diags)));
	print_diags(stderr, diags);
	kiln_diags_destroy(diags);
	return ok ? EXIT_DONE : EXIT_MISUSE;
}
