/* kiln run: scenes, or folders of them, executed and checked; targets as PNG, outcomes as JUnit. */
#include "pso/format.h"
#include "sim/sim.h"
#include "tools/image.h"
#include "tools/pso_set.h"
#include "tools/junit.h"
#include "tools/scene.h"
#include "tools/scene_options.h"
#include "tools/tools.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct arguments {
	struct scene_arguments scene;
	const char *output, *junit, *library_path;
	struct kiln_library *library;
	bool stats;
};

/* What the scenes leave behind. */
struct report {
	json_t *list;
	struct junit junit;
	int code;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case ARGP_KEY_INIT: state->child_inputs[0] = &a->scene; return 0;
	case 'o': a->output = arg; return 0;
	case 'x': a->junit = arg; return 0;
	case 's': a->stats = true; return 0;
	case 'l': a->library_path = arg; return 0;
	case 't': a->scene.device.threads = pso_threads_argument(arg, state); return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* ---- pictures ---- */

static bool names(const char *name, const char *other) { return other && !strcmp(name, other); }

/* A colour target; one that is resolved is shown as what it was resolved into. A typeless one has no colours of its own. */
static bool is_target(const struct scene *s, const struct scene_resource *r)
{
	bool bound = false;
	if (!r->is_texture || format_info(r->desc.Format)->numeric == FORMAT_TYPELESS)
		return false;
	for (size_t i = 0; i < s->command_count; i++) {
		const struct scene_command *c = &s->commands[i];
		for (uint32_t k = 0; c->op == SCENE_TARGETS && k < c->count; k++)
			bound |= names(r->name, c->views[k].name);
		if (c->op == SCENE_RESOLVE && (names(r->name, c->names[0]) || names(r->name, c->names[1])))
			return names(r->name, c->names[0]);
	}
	return bound;
}

static size_t count_targets(const struct scene *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->resource_count; i++)
		n += is_target(s, &s->resources[i]);
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
		if (!is_target(s, r))
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

static void raise_code(struct report *report, int code) { report->code = code > report->code ? code : report->code; }

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
	for (size_t i = 0; i < s->pso_count + s->compute_count; i++) {
		struct buf b = {0};
		diags_encode(i < s->pso_count ? s->psos[i].diags : s->compute[i - s->pso_count].diags, &b);
		diags_decode(out, b.data, b.size);
		buf_finish(&b);
	}
}

static void run_scene(const struct arguments *a, const char *path, struct report *report)
{
	struct scene s;
	struct kiln_diags *d = kiln_diags_create();
	const struct scene_options o = {a->scene.device, a->library};
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
	const char *failure = !ok ? "did not run" : failed ? "failed" : written ? NULL : "ran, not written";
	junit_case(&report->junit, path, failure, d);
	raise_code(report, !ok || !written ? EXIT_MISUSE : failed ? EXIT_REFUSED : EXIT_DONE);
	if (a->scene.json) {
		j = json_pack("{s:o, s:b, s:I, s:O, s:o, s:o}", "scene", json_text(path, strlen(path)), "ran", ok,
			"failed_expectations", (json_int_t)failed, "images", images, "counters", counters_json(&s.counters),
			"diagnostics", json_diags(d));
		json_array_append_new(report->list, j);
	} else {
		printf("%s: %s\n", path, failure ? failure : "passed");
		for (size_t i = 0; i < json_array_size(images); i++)
			printf("  wrote %s\n", json_string_value(json_array_get(images, i)));
		if (ok && a->stats)
			print_counters(&s.counters);
	}
	print_diags(stderr, d);
	json_decref(images);
	scene_close(&s);
	kiln_diags_destroy(d);
}

/* ---- folders ---- */

static bool is_folder(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int is_scene(const struct dirent *e)
{
	const char *dot = strrchr(e->d_name, '.');
	return *e->d_name != '.' && !strcmp(dot ? dot : "", ".yaml");
}

/* By bytes, whatever the locale. */
static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static void refuse_folder(const struct arguments *a, const char *path, enum diag_id id, const char *why,
	struct report *report)
{
	struct kiln_diags *d = kiln_diags_create();
	diag_add(d, id, path, "%s", why);
	junit_case(&report->junit, path, "did not run", d);
	raise_code(report, EXIT_MISUSE);
	if (a->scene.json)
		json_array_append_new(report->list, json_pack("{s:o, s:b, s:o}", "scene", json_text(path, strlen(path)),
			"ran", 0, "diagnostics", json_diags(d)));
	print_diags(stderr, d);
	kiln_diags_destroy(d);
}

static void run_folder(const struct arguments *a, const char *path, struct report *report)
{
	struct dirent **entries = NULL;
	int count = scandir(path, &entries, is_scene, by_name);
	if (count < 0)
		refuse_folder(a, path, DIAG_FILE_READ, strerror(errno), report);
	if (count == 0)
		refuse_folder(a, path, DIAG_SCENE_FOLDER_EMPTY, "the folder holds no scene", report);
	for (int i = 0; i < count; i++) {
		struct buf scene = {0};
		bool slash = path[strlen(path) - 1] == '/';
		buf_printf(&scene, "%s%s%s", path, slash ? "" : "/", entries[i]->d_name);
		run_scene(a, buf_text(&scene), report);
		buf_finish(&scene);
		free(entries[i]);
	}
	free(entries);
}

static void write_junit(const char *path, struct report *report)
{
	struct kiln_diags *d = kiln_diags_create();
	if (!junit_write(&report->junit, path, d))
		raise_code(report, EXIT_MISUSE);
	print_diags(stderr, d);
	kiln_diags_destroy(d);
}

static bool open_library(struct arguments *a)
{
	struct kiln_diags *d = kiln_diags_create();
	if (a->library_path)
		a->library = kiln_library_open(a->library_path, d);
	print_diags(stderr, d);
	kiln_diags_destroy(d);
	return !a->library_path || a->library;
}

static void close_library(struct arguments *a) { kiln_library_close(a->library); }

int verb_run(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"output", 'o', "DIR", 0, "Write the render targets there as PNG", 0},
		{"junit", 'x', "FILE", 0, "Write a JUnit report there", 0},
		{"stats", 's', NULL, 0, "Print the counters", 0},
		{"threads", 't', "N", 0, "Threads; 0 (default): one a processor. Results are the same", 0},
		{"library", 'l', "FILE", 0, "Load the PSOs that this pack holds (kiln pack) instead of compiling them", 0},
		{0}};
	static const struct argp_child children[] = {{&scene_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {options, parse, "SCENE.yaml|FOLDER...",
		"Run scenes, or all *.yaml of a folder by name, and check what they expect.\v"
		"Example: kiln run scenes/simple-lighting.yaml -o out --stats", children, 0, 0};
	struct arguments a = {0};
	struct report report = {.list = json_array()};
	argp_parse(&argp, argc, argv, 0, 0, &a);
	bool ready = open_library(&a);
	report.code = ready ? EXIT_DONE : EXIT_MISUSE;
	for (int i = 0; ready && i < a.scene.count; i++)
		(is_folder(a.scene.inputs[i]) ? run_folder : run_scene)(&a, a.scene.inputs[i], &report);
	if (a.scene.json)
		print_json(report.list);
	else
		json_decref(report.list);
	if (a.junit)
		write_junit(a.junit, &report);
	junit_finish(&report.junit);
	close_library(&a);
	return report.code;
}
