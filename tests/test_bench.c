/* kiln bench: that it runs what it names and says what it cannot; how long things take is no test's affair. */
#include "tests/cli.h"
#include <jansson.h>

TestSuite(bench, .init = make_folder, .fini = remove_folder);

Test(bench, what_is_not_there_is_misuse)
{
	static const char *const rows[][7] = {
		{"bench"}, {"bench", "nothing"}, {"bench", "scenes", "nothing"}, {"bench", "scenes", "--times", "0"},
		{"bench", "scenes", "--folder", "nowhere", "fill"}, {"bench", "compile", "nowhere"}, {"bench", "startup", "x"},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct result r = run(rows[i]);

		cr_expect(r.code == 2 && *r.err, "row %zu: code %d", i, r.code);
		finish(&r);
	}
}

Test(bench, startup_and_compile_count_what_they_did)
{
	static const char *const startup[] = {"bench", "startup", "--times", "3", "--json", NULL};
	struct result r = run(startup);
	json_t *j = json_loads(r.out, 0, NULL);

	cr_assert_eq(r.code, 0);
	cr_expect_eq(json_integer_value(json_object_get(json_array_get(json_object_get(j, "series"), 0), "times")), 3);
	json_decref(j);
	finish(&r);
#ifdef KILN_HAS_LLVM
	static const char *const compile[] = {"bench", "compile", "--times", "2", "--json", KILN_SOURCE_DIR "/scenes/bench", NULL};

	r = run(compile);
	j = json_loads(r.out, 0, NULL);
	cr_assert_eq(r.code, 0);
	cr_expect_eq(json_integer_value(json_object_get(json_array_get(json_object_get(j, "series"), 0), "times")), 8 * 2);
	cr_expect_eq(json_integer_value(json_object_get(j, "left_out")), 0);
	json_decref(j);
	finish(&r);
#endif
}
