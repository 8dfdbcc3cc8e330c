/* What the program says when its output has nowhere to go, and JSON of failures: a full disk, a folder that is a file, input
 * that is missing or whose name is no UTF-8. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#define KILN KILN_BINARY_DIR "/kiln"
#define SCENE KILN_SOURCE_DIR "/scenes/export-alpha-missing.yaml"

static int run(const char *arguments)
{
	char command[1024];
	snprintf(command, sizeof command, "%s %s", KILN, arguments);
	int status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(output, full_standard_output)
{
	static const char *const rows[] = {"--help >/dev/full", "--version >/dev/full", "docs isa >/dev/full 2>/dev/null",
		"check --json " SCENE " >/dev/full 2>/dev/null", "info missing --json >/dev/full 2>/dev/null"};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect_eq(run(rows[i]), 2, "%s", rows[i]);
}

Test(output, json_of_failures)
{
	static const char *const verbs[] = {"info", "compile", "disasm", "asm -o never", "run", "check"};
	static const char *const inputs[] = {"missing", "$(printf 'a\\377b')"};
	for (size_t i = 0; i < 2 * sizeof verbs / sizeof *verbs; i++) {
		char command[1024];
		snprintf(command, sizeof command, "%s %s --json %s 2>/dev/null", KILN, verbs[i / 2], inputs[i % 2]);
		FILE *f = popen(command, "r");
		json_t *j = json_loadf(f, 0, NULL);
		int status = pclose(f);
		const json_t *report = json_is_array(j) ? json_array_get(j, 0) : j;
		const json_t *diag = json_array_get(json_object_get(report, "diagnostics"), 0);
		cr_expect_eq(WEXITSTATUS(status), 2, "%s", command);
		cr_expect_eq(json_integer_value(json_object_get(diag, "number")), 9001, "%s", command);
		json_decref(j);
	}
}

/* The picture cannot be written: exit 2, and the report names no picture. */
Test(output, folder_that_is_a_file)
{
	FILE *f = popen(KILN " run --ignore-export-mismatch --json " SCENE " -o /dev/null 2>/dev/null", "r");
	json_t *j = json_loadf(f, 0, NULL);
	int status = pclose(f);
	cr_expect_eq(WEXITSTATUS(status), 2);
	cr_assert(json_is_array(j));
	cr_expect_eq(json_array_size(json_object_get(json_array_get(j, 0), "images")), 0);
	json_decref(j);
}
