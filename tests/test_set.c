/* Many PSOs through the program: kiln check and plan say the same whatever the order of PSOs, of files and however many
 * threads; SARIF has what its schema requires. */
#include "tests/cli.h"
#include "tests/title.h"
#include "tools/pso_set.h"
#include <jansson.h>

static void put_title(const char *name, uint32_t count, uint32_t seed, uint32_t shuffle)
{
	FILE *f = fopen(name, "wb");
	cr_assert(f);
	title_write(f, KILN_SOURCE_DIR "/tests/corpus/cso", count, seed, shuffle);
	cr_assert_eq(fclose(f), 0);
}

static void expect_same(const struct result *a, const struct result *b, const char *what)
{
	cr_expect_eq(a->code, b->code, "%s", what);
	cr_expect_str_eq(a->out, b->out, "%s", what);
	cr_expect_str_eq(a->err, b->err, "%s", what);
}

/* ---- order and threads ---- */

Test(set, order_and_threads_change_nothing)
{
	static const struct { const char *what, *args[ARGS_MAX]; int code; } rows[] = {
		{"check", {"check"}, 1}, {"check as JSON", {"check", "--json"}, 1}, {"check as SARIF", {"check", "--sarif"}, 1},
		{"supersets", {"check", "--accept-superset"}, 1}, {"plan", {"plan"}, 0}, {"plan as JSON", {"plan", "--json"}, 0},
		{"plan with supersets", {"plan", "--accept-superset"}, 0},
	};
	make_folder();
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		const char *args[2][ARGS_MAX] = {{NULL}};
		struct result r[2];
		for (unsigned k = 0; k < 2; k++) {
			size_t n = 0;
			put_title("a.yaml", 160, 1, k ? 5 : 0);
			put_title("b.yaml", 40, 2, k ? 6 : 0);
			for (; rows[i].args[n]; n++)
				args[k][n] = rows[i].args[n];
			args[k][n++] = "--threads";
			args[k][n++] = k ? "8" : "1";
			args[k][n++] = k ? "b.yaml" : "a.yaml";
			args[k][n++] = k ? "a.yaml" : "b.yaml";
			r[k] = run(args[k]);
		}
		cr_expect_eq(r[0].code, rows[i].code, "%s: exit %d", rows[i].what, r[0].code);
		cr_expect(strstr(r[0].out, "material_0001"), "%s", rows[i].what);
		expect_same(&r[0], &r[1], rows[i].what);
		finish(&r[0]), finish(&r[1]);
	}
	remove_folder();
}

/* ---- the same verdicts as the device's ---- */

static void print_said(const struct kiln_diags *d, struct buf *out)
{
	for (size_t i = 0; i < kiln_diags_count(d); i++) {
		const struct kiln_diag *g = kiln_diags_get(d, i);
		buf_printf(out, "%u %s: %s\n", g->number, g->where, g->text);
	}
}

/* Every scene: a set without lint refuses and says what the device does, which makes code. */
Test(set, check_is_what_the_device_does)
{
	static const struct scene_options options;
	size_t psos = 0;
	glob_t g;
	cr_assert_eq(glob(KILN_SOURCE_DIR "/scenes/*.yaml", 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct pso_set s;
		struct scene scene;
		struct kiln_diags *d = kiln_diags_create();
		cr_assert(scene_open(&scene, g.gl_pathv[i], d) && scene_create(&scene, &options, d), "%s", g.gl_pathv[i]);
		pso_set_open(&s, &options.device, &g.gl_pathv[i], 1, 1);
		pso_set_check(&s, 1, false);
		cr_assert_eq(s.entry_count, scene.pso_count);
		for (size_t k = 0; k < scene.pso_count; k++) {
			struct buf a = {0}, b = {0};
			print_said(scene.psos[k].diags, &a);
			print_said(s.entries[k].diags, &b);
			cr_expect_eq(s.entries[k].made, scene.psos[k].pso != NULL, "%s %s", g.gl_pathv[i], scene.psos[k].name);
			cr_expect_str_eq(buf_text(&a), buf_text(&b), "%s", g.gl_pathv[i]);
			buf_finish(&a), buf_finish(&b);
			psos++;
		}
		pso_set_close(&s);
		scene_close(&scene);
		kiln_diags_destroy(d);
	}
	cr_expect(psos > 150);
	globfree(&g);
}

/* ---- what the reports hold ---- */

/* Every diagnostic in the text stands in the SARIF log too, with all that the schema of SARIF 2.1.0 requires. */
static size_t check_log(json_t *log)
{
	json_t *runs = json_object_get(log, "runs"), *run_, *result, *tool;
	size_t i, k, results = 0;
	cr_expect_str_eq(json_string_value(json_object_get(log, "version")), "2.1.0");
	cr_expect(json_is_string(json_object_get(log, "$schema")));
	cr_expect_eq(json_array_size(runs), 1);
	json_array_foreach(runs, i, run_) {
		tool = json_object_get(json_object_get(run_, "tool"), "driver");
		json_t *rules = json_object_get(tool, "rules");
		cr_expect_str_eq(json_string_value(json_object_get(tool, "name")), "kiln");
		json_array_foreach(json_object_get(run_, "results"), k, result) {
			const char *level = json_string_value(json_object_get(result, "level"));
			const char *rule = json_string_value(json_object_get(result, "ruleId"));
			json_t *index = json_object_get(result, "ruleIndex");
			json_t *at = json_array_get(json_object_get(result, "locations"), 0);
			json_t *artifact = json_object_get(json_object_get(at, "physicalLocation"), "artifactLocation");
			json_t *named = json_array_get(rules, (size_t)json_integer_value(index));
			cr_expect(json_is_string(json_object_get(json_object_get(result, "message"), "text")));
			cr_expect(level && (!strcmp(level, "error") || !strcmp(level, "warning") || !strcmp(level, "note")));
			cr_expect(rule && !strcmp(rule, json_string_value(json_object_get(named, "id"))), "%s", rule);
			cr_expect(json_is_string(json_object_get(artifact, "uri")));
			results++;
		}
	}
	return results;
}

static size_t count_words(const char *text, const char *word)
{
	size_t n = 0;
	for (const char *at = text; (at = strstr(at, word)); at++)
		n++;
	return n;
}

Test(set, sarif)
{
	static const char *const sarif[ARGS_MAX] = {"check", "--sarif", "a b.yaml", SCENE("export-alpha-missing")};
	static const char *const text[ARGS_MAX] = {"check", "a b.yaml", SCENE("export-alpha-missing")};
	make_folder();
	put_title("a b.yaml", 60, 3, 0);
	struct result log = run(sarif), plain = run(text);
	json_t *j = json_loads(log.out, 0, NULL);
	cr_assert(j, "%s", log.out);
	cr_expect_eq(log.code, plain.code);
	cr_expect_eq(check_log(j), count_words(plain.err, "remedy: "));
	cr_expect(strstr(log.out, "\"a%20b.yaml\"") && strstr(log.out, "\"KILN3900\""));
	cr_expect_str_eq(log.err, "");
	json_decref(j);
	finish(&log), finish(&plain);
	put_file("bad.yaml", "kiln: 2\n", 8);
	static const char *const bad[ARGS_MAX] = {"check", "--sarif", "bad.yaml"};
	log = run(bad);
	j = json_loads(log.out, 0, NULL);
	cr_expect_eq(log.code, 2);
	cr_expect(j && check_log(j) && strstr(log.out, "\"startLine\": 1"), "%s", log.out);
	json_decref(j);
	finish(&log);
	remove_folder();
}

Test(set, commands)
{
	static const struct { const char *args[ARGS_MAX]; int code; const char *out, *err; } rows[] = {
		{{"plan", "--help"}, 0, "Example: kiln plan", ""},
		{{"plan"}, 2, "", "Usage"},
		{{"plan", "missing.yaml"}, 2, "0 PSOs", "9001"},
		{{"plan", "--threads", "257", "missing.yaml"}, 2, "", "--threads"},
		{{"check", "--threads", "-1", "missing.yaml"}, 2, "", "--threads"},
		{{"plan", SCENE("export-green-masked")}, 0, "2 PSOs: 2 bases, 0 derived", ""},
		{{"plan", SCENE("export-green-masked")}, 0, "RenderTargetWriteMask, 0x1 in the base and now 0xf", ""},
		{{"plan", "--accept-superset", SCENE("export-green-masked")}, 0, "2 PSOs: 1 bases, 1 derived", ""},
		{{"plan", "--accept-superset", SCENE("export-green-masked")}, 0, "  base: BlendState (the base exports more)", ""},
		{{"plan", "--json", SCENE("export-green-masked")}, 0, "\"field\": \"exports\"", ""},
	};
	make_folder();
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct result r = run(rows[i].args);
		cr_expect_eq(r.code, rows[i].code, "row %zu: exit %d", i, r.code);
		cr_expect(strstr(r.out, rows[i].out), "row %zu: %s", i, r.out);
		cr_expect(strstr(r.err, rows[i].err), "row %zu: %s", i, r.err);
		finish(&r);
	}
	remove_folder();
}
