/* Runs every scene of scenes/ with the built `kiln`, as it is, with export mismatches ignored and with packed
 * signatures: each states the pixels,
 * counters and refusals that it expects, worked out by hand in the scene. */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static int run(const char *verb, const char *scene, const char *options)
{
	char line[2048];
	snprintf(line, sizeof line, "'%s/kiln' %s '%s' %s >/dev/null 2>&1", KILN_BINARY_DIR, verb, scene, options);
	int status = system(line);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(scenes, run_as_they_expect)
{
	static const char *const modes[] = {"", "--ignore-export-mismatch", "--pack-signature"};
	glob_t found;
	cr_assert_eq(glob(KILN_SOURCE_DIR "/scenes/*.yaml", 0, NULL, &found), 0);
	cr_assert_geq(found.gl_pathc, 5);
	for (size_t i = 0; i < found.gl_pathc; i++)
		for (size_t m = 0; m < 3; m++)
			cr_expect_eq(run("run", found.gl_pathv[i], modes[m]), 0, "%s %s", found.gl_pathv[i], modes[m]);
	globfree(&found);
}

/* check gives 1 for the three export mistakes, also though their scenes expect the refusal; 0 once mismatches are ignored. */
Test(scenes, check_refuses_the_export_mistakes)
{
	static const struct { const char *name; int code; } rows[] = {
		{"simple-triangle", 0}, {"simple-lighting", 0}, {"export-alpha-missing", 1}, {"export-unorm-blended", 1},
		{"export-green-masked", 1}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char path[1024];
		snprintf(path, sizeof path, "%s/scenes/%s.yaml", KILN_SOURCE_DIR, rows[i].name);
		cr_expect_eq(run("check", path, ""), rows[i].code, "%s", rows[i].name);
		cr_expect_eq(run("check", path, "--ignore-export-mismatch"), 0, "%s ignored", rows[i].name);
	}
}

/* The bytes that the alpha scene expects were made with 0xDEADBEEF: another pattern must fail. */
Test(scenes, expectations_can_fail)
{
	cr_expect_eq(run("run", KILN_SOURCE_DIR "/scenes/export-alpha-missing.yaml",
		"--ignore-export-mismatch --unexported-pattern 0x3f800000"), 1);
	cr_expect_eq(run("run", KILN_SOURCE_DIR "/scenes/export-green-masked.yaml",
		"--ignore-export-mismatch --unexported-pattern 0x3f800000"), 1);
}
