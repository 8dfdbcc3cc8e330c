/* Running the `kiln` program from a test, in a folder of its own. */
#ifndef KILN_TESTS_CLI_H
#define KILN_TESTS_CLI_H
#include "isa/base.h"
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCENE(name) KILN_SOURCE_DIR "/scenes/" name ".yaml"
#define CSO(name) KILN_SOURCE_DIR "/tests/corpus/cso/" name ".cso"

enum { ARGS_MAX = 8, TEXT_MAX = 1 << 22 };
struct result {
	int code;                          /* 128 + signal where it died */
	char *out, *err;
};
static char folder[] = "kiln-test-cli-XXXXXX";
static char folder_path[4096];

static inline void make_folder(void)
{
	const char *base = getenv("TMPDIR");
	snprintf(folder_path, sizeof folder_path, "%s/%s", base ? base : P_tmpdir, folder);
	cr_assert_not_null(mkdtemp(folder_path));
	cr_assert_eq(chdir(folder_path), 0);
}

static inline size_t files_in_folder(const char *pattern)
{
	glob_t g;
	size_t n = glob(pattern, GLOB_PERIOD, NULL, &g) ? 0 : g.gl_pathc;
	for (size_t i = 0; n && i < g.gl_pathc; i++) {
		const char *name = g.gl_pathv[i];
		n -= !strcmp(name, ".") || !strcmp(name, "..");
	}
	globfree(&g);
	return n;
}

static inline void remove_folder(void)
{
	glob_t g;
	if (!glob("*", GLOB_PERIOD, NULL, &g))
		for (size_t i = 0; i < g.gl_pathc; i++)
			unlink(g.gl_pathv[i]);
	globfree(&g);
	cr_expect_eq(chdir("/"), 0);
	cr_expect_eq(rmdir(folder_path), 0, "%s still holds something", folder_path);
}

static inline char *text_of(int fd)
{
	char *text = mem_alloc(TEXT_MAX);
	ssize_t n = pread(fd, text, TEXT_MAX - 1, 0);
	cr_assert(n >= 0);
	close(fd);
	return text;
}

static inline int unnamed_file(void)
{
	FILE *f = tmpfile();
	cr_assert_not_null(f);
	int fd = dup(fileno(f));
	fclose(f);
	return fd;
}

static inline struct result run(const char *const *args)
{
	char *argv[ARGS_MAX + 2] = {KILN_BINARY_DIR "/kiln"};
	for (size_t i = 0; i < ARGS_MAX && args[i]; i++)
		argv[i + 1] = mem_string(args[i]);
	int out = unnamed_file(), err = unnamed_file(), status = 0;
	pid_t child = fork();
	if (!child) {
		dup2(out, 1);
		dup2(err, 2);
		execv(argv[0], argv);
		_exit(127);
	}
	waitpid(child, &status, 0);
	for (size_t i = 1; argv[i]; i++)
		mem_free(argv[i]);
	return (struct result){WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(out), text_of(err)};
}

static inline void finish(struct result *r)
{
	mem_free(r->out);
	mem_free(r->err);
}

static inline void put_file(const char *name, const void *data, size_t size)
{
	FILE *f = fopen(name, "wb");
	cr_assert(f && fwrite(data, 1, size, f) == size && !fclose(f));
}
#endif
