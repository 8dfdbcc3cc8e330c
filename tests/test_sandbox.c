/* The lowering process: every way it can end, seen from outside, with a module that misbehaves on purpose
 * (sandbox_module.c). No zombie, no open file and no byte on our stderr is left behind. */
#include "frontend/frontend.h"
#include "tests/corpus.h"
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature) /* clang */
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__) /* gcc */
#define ADDRESS_SANITIZER
#endif

static void use_module(void)
{
	setenv("KILN_LLVM", KILN_SANDBOX_MODULE, 1);
}

static int open_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	int count = 0;
	cr_assert_not_null(d);
	while (readdir(d))
		count++;
	closedir(d);
	return count;
}

static const struct row {
	const char *where;
	uint32_t number;   /* 0: a program */
	const char *says;
} rows[] = {
	{"plain", 0, NULL},
	{"segv", DIAG_LOWERING_DIED, "signal 11"},
	{"abort", DIAG_LOWERING_DIED, "signal 6"},
	{"status", DIAG_LOWERING_DIED, "status 3"},
	{"silent", DIAG_LOWERING_DIED, "without a whole answer"},
	{"lie", DIAG_LOWERING_DIED, "without a whole answer"},
	{"mute", DIAG_LOWERING_DIED, "without saying why"},
	{"hang", DIAG_LOWERING_LIMIT, "1 s of CPU time"},
#ifndef ADDRESS_SANITIZER /* its allocator has reserved its address space long before */
	{"eat", DIAG_LOWERING_LIMIT, "256 MiB"},
#endif
	{"refuse", DIAG_DXIL_UNSUPPORTED, "operation Foo at wave size 32"},
	{"noise", 0, NULL},
	{"files", 0, NULL},
	{"plain", 0, NULL},
};

/* Gives the program; the diagnostics are compared with the row. */
static struct isa_program *compile(const struct row *row, const uint8_t *data, size_t size)
{
	struct kiln_diags *diags = kiln_diags_create();
	struct fe_options o = {.wave_size = 32, .cpu_seconds = strcmp(row->where, "hang") == 0 ? 1 : 20, .memory_mib = 256};
	struct isa_program *p = fe_compile(data, size, row->where, &o, diags);
	const struct kiln_diag *d = kiln_diags_get(diags, 0);
	cr_expect_eq(p == NULL, row->number != 0, "%s: %s", row->where, d ? d->text : "");
	cr_expect_eq(kiln_diags_count(diags), row->number != 0, "%s: %s", row->where, d ? d->text : "");
	if (d)
		cr_expect(d->number == row->number && strstr(d->text, row->says), "%s: %u %s", row->where, d->number, d->text);
	kiln_diags_destroy(diags);
	return p;
}

Test(sandbox, every_end, .init = use_module, .timeout = 60)
{
	size_t size;
	uint8_t *data = corpus_container("vs_position_color", &size);
	FILE *output = tmpfile();
	cr_assert_not_null(output);
	int quiet = fileno(output), old[2] = {dup(1), dup(2)};
	isa_program_destroy(compile(&rows[0], data, size)); /* the module is loaded: what it opens is open now */
	int files = open_files();
	dup2(quiet, 1);
	dup2(quiet, 2);
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		isa_program_destroy(compile(&rows[i], data, size));
	struct stat st;
	cr_expect(fstat(quiet, &st) == 0 && st.st_size == 0, "the lowering process wrote %ld bytes to our output",
		(long)st.st_size);
	dup2(old[0], 1);
	dup2(old[1], 2);
	cr_expect_eq(open_files(), files, "files left open");
	cr_expect(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a child is left");
	for (int i = 0; i < 2; i++)
		close(old[i]);
	fclose(output);
	mem_free(data);
}

static int *exits; /* shared with children */
static void count_exit(void)
{
	++*exits;
}

/* The host's exit handlers, and so its unwritten stdio buffers, are the host's alone. */
Test(sandbox, exit_handlers_stay_ours, .init = use_module, .timeout = 60)
{
	size_t size;
	uint8_t *data = corpus_container("vs_position_color", &size);
	exits = mmap(NULL, sizeof *exits, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	cr_assert(exits != MAP_FAILED && atexit(count_exit) == 0);
	isa_program_destroy(compile(&rows[0], data, size));
	cr_expect_eq(*exits, 0);
	mem_free(data);
}

/* Far more than a pipe holds, and every word of it. */
Test(sandbox, large_answer, .init = use_module, .timeout = 60)
{
	size_t size;
	uint8_t *data = corpus_container("vs_position_color", &size);
	const struct row row = {"big", 0, NULL};
	struct isa_program *p = compile(&row, data, size);
	cr_assert_not_null(p);
	cr_assert_eq(p->constant_count, 1 << 20);
	for (uint32_t i = 0; i < 1 << 20; i++)
		cr_assert_eq(p->constants[i], i * 2654435761u, "word %u", i);
	isa_program_destroy(p);
	mem_free(data);
}

/* Asked for, the lowering runs here: the module sees this process's id. */
Test(sandbox, in_process, .init = use_module)
{
	size_t size;
	uint8_t *data = corpus_container("vs_position_color", &size);
	struct kiln_diags *diags = kiln_diags_create();
	for (int in_process = 0; in_process < 2; in_process++) {
		struct fe_options o = {.in_process = in_process};
		char id[32];
		snprintf(id, sizeof id, "process %ld", (long)getpid());
		kiln_diags_clear(diags);
		cr_expect_null(fe_compile(data, size, "process", &o, diags));
		cr_assert_eq(kiln_diags_count(diags), 1);
		cr_expect_eq(strcmp(kiln_diags_get(diags, 0)->text, id) == 0, in_process, "%s", kiln_diags_get(diags, 0)->text);
		isa_program_destroy(fe_compile(data, size, "plain", &o, diags));
		cr_expect_eq(kiln_diags_count(diags), 1);
	}
	kiln_diags_destroy(diags);
	mem_free(data);
}

/* A host that lets the kernel reap its children. */
Test(sandbox, children_ignored, .init = use_module, .timeout = 60)
{
	static const struct row died = {"segv", DIAG_LOWERING_DIED, "without a whole answer"};
	size_t size;
	uint8_t *data = corpus_container("vs_position_color", &size);
	signal(SIGCHLD, SIG_IGN);
	isa_program_destroy(compile(&rows[0], data, size));
	isa_program_destroy(compile(&died, data, size));
	signal(SIGCHLD, SIG_DFL);
	mem_free(data);
}

/* The locks of the allocator of these compilers' AddressSanitizer do not survive a fork beside other threads; glibc's do. */
#ifndef ADDRESS_SANITIZER
static void *compile_often(void *user)
{
	size_t size;
	uint8_t *data = corpus_container("vs_position_color", &size);
	const struct row refused = {"refuse", DIAG_DXIL_UNSUPPORTED, "operation Foo"};
	const struct row died = {"status", DIAG_LOWERING_DIED, "status 3"};
	for (int i = 0; i < 10; i++) {
		isa_program_destroy(compile(&rows[0], data, size));
		isa_program_destroy(compile(&refused, data, size));
		isa_program_destroy(compile(&died, data, size));
	}
	mem_free(data);
	return user;
}

Test(sandbox, many_threads, .init = use_module, .timeout = 60)
{
	pthread_t threads[6];
	for (size_t i = 0; i < ARRAY_COUNT(threads); i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, compile_often, NULL), 0);
	for (size_t i = 0; i < ARRAY_COUNT(threads); i++)
		pthread_join(threads[i], NULL);
}
#endif

/* The loader: one clear diagnostic, every time it is asked. */
Test(sandbox, no_module)
{
	size_t size;
	uint8_t *data = corpus_container("vs_position_color", &size);
	setenv("KILN_LLVM", "/nonexistent/libkiln-llvm.so", 1);
	const struct row row = {"plain", DIAG_LLVM_MISSING, "/nonexistent/libkiln-llvm.so: no such file"};
	cr_expect_null(compile(&row, data, size));
	cr_expect_null(compile(&row, data, size));
	mem_free(data);
}

Test(sandbox, another_library)
{
	size_t size;
	uint8_t *data = corpus_container("vs_position_color", &size);
	setenv("KILN_LLVM", "/lib/x86_64-linux-gnu/libm.so.6", 1);
	const struct row row = {"plain", DIAG_LLVM_MISSING, "no module of Kiln"};
	if (access(getenv("KILN_LLVM"), F_OK) == 0)
		cr_expect_null(compile(&row, data, size));
	mem_free(data);
}
