/* kiln run: scenes, executed and checked; targets as PNG. */
#include "sim/sim.h"
#include "tools/image.h"
#include "tools/scene.h"
#include "tools/scene_options.h"
#include "tools/tools.h"
#include <string.h>
#include <sys/stat.h>

struct arguments {
	struct scene_arguments scene;
	const char *output;
	bool stats;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case ARGP_KEY_INIT: state->child_inputs[0] = &a->scene; return 0;
	case 'o': a->output = arg; return 0;
	case 's': a->stats = true; return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* ---- pictures ---- */

static bool is_target(const struct scene *s, const char *name)
{
	for (size_t i = 0; i < s->command_count; i++)
		for (uint32_t k = 0; s->commands[i].op == SCENE_TARGETS && k < s->commands[i].count; k++)
			if (s->commands[i].names[k] && !strcmp(s->commands[i].names[k], name))
				return true;
	return false;
}

static size_t count_targets(const struct scene *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->resource_count; i++)
		n += is_target(s, s->resources[i].name);
	return n;
}

/* DIR/scene.png, or DIR/scene-target.png where there are several; -ignored is added where mismatches were. */
static bool write_targets(const struct arguments *a, const struct scene *s, json_t *images, struct kiln_diags *d)
{
	const char *slash = strrchr(s->yaml.path, '/'), *stem = slash ? slash + 1 : s->yaml.path;
	int length = (int)strcspn(stem, ".");
	bool several = count_targets(s) > 1, ok = true;
	mkdir(a->output, 0777);
	for (size_t i = 0; i < s->resource_count; i++) {
		const struct scene_resource *r = &s->resources[i];
		struct buf path = {0};
		if (!is_target(s, r->name))
			continue;
		buf_printf(&path, "%s/%.*s%s%s%s.png", a->output, length, stem, several ? "-" : "", several ? r->name : "",
			a->scene.device.ignore_export_mismatch ? "-ignored" : "");
		if (image_write(buf_text(&path), r->resource, d))
			json_array_append_new(images, json_text(buf_text(&path), path.size));
		else
			ok = false;
		buf_finish(&path);
	}
	return ok;
}

/* ---- one scene ---- */

static json_t *counters_json(const struct kiln_counters *c)
{
	json_t *j = json_object();
#define X(name, unit, meaning) json_object_set_new(j, #name, json_integer((json_int_t)c->name));
	KILN_COUNTERS(X)
#undef X
	return j;
}

static void print_counters(const struct kiln_counters *c)
{
#define X(name, unit, meaning) printf("  %-20s %12llu %-10s %s\n", #name, (unsigned long long)c->name, unit, meaning);
	KILN_COUNTERS(X)
#undef X
}

static void append_pso_diags(const struct scene *s, struct kiln_diags *out)
{
	for (size_t i = 0; i < s->pso_count; i++) {
		struct buf b = {0};
		diags_encode(s->psos[i].diags, &b);
		diags_decode(out, b.data, b.size);
		buf_finish(&b);
	}
}

static int run_scene(const struct arguments *a, const char *path, json_t *list)
{
	struct scene s;
	struct kiln_diags *d = kiln_diags_create();
	const struct scene_options o = {.device = a->scene.device};
	json_t *images = json_array(), *j = NULL;
	size_t failed = 0;
	bool ok = scene_open(&s, path, d) && scene_create(&s, &o, d), written = true;
	if (ok) {
		append_pso_diags(&s, d);
		ok = scene_execute(&s, d);
	}
	if (ok) {
		bool ignoring = a->scene.device.ignore_export_mismatch && s.has_expect_ignoring;
		failed = scene_check(&s, ignoring ? &s.expect_ignoring : &s.expect, d);
		written = !a->output || write_targets(a, &s, images, d);
	}
	if (a->scene.json) {
		j = json_pack("{s:o, s:b, s:I, s:O, s:o, s:o}", "scene", json_text(path, strlen(path)), "ran", ok,
			"failed_expectations", (json_int_t)failed, "images", images, "counters", counters_json(&s.counters),
			"diagnostics", json_diags(d));
		json_array_append_new(list, j);
	} else {
		printf("%s: %s\n", path, !ok ? "did not run" : failed ? "failed" : written ? "passed" : "ran, not written");
		for (size_t i = 0; i < json_array_size(images); i++)
			printf("  wrote %s\n", json_string_value(json_array_get(images, i)));
		if (ok && a->stats)
			print_counters(&s.counters);
	}
	print_diags(stderr, d);
	json_decref(images);
	scene_close(&s);
	kiln_diags_destroy(d);
	return !ok || !written ? EXIT_MISUSE : failed ? EXIT_REFUSED : EXIT_DONE;
}

int verb_run(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"output", 'o', "DIR", 0, "Write the render targets there as PNG", 0},
		{"stats", 's', NULL, 0, "Print the counters", 0},
		{0}};
	static const struct argp_child children[] = {{&scene_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {options, parse, "SCENE.yaml...",
		"Run scenes and check what they expect.\vExample: kiln run scenes/simple-lighting.yaml -o out --stats", children, 0, 0};
	struct arguments a = {0};
	int code = EXIT_DONE;
	argp_parse(&argp, argc, argv, 0, 0, &a);
	json_t *list = json_array();
	for (int i = 0; i < a.scene.count; i++) {
		int one = run_scene(&a, a.scene.inputs[i], list);
		code = one > code ? one : code;
	}
	if (a.scene.json)
		print_json(list);
	else
		json_decref(list);
	return code;
}
