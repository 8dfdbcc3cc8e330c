/* The shader corpus for tests: calls back for every container of tests/corpus/cso with its bytes and DXC's text dump. */
#ifndef KILN_TESTS_CORPUS_H
#define KILN_TESTS_CORPUS_H
#include "isa/base.h"
#include <criterion/criterion.h>
#include <glob.h>
#include <string.h>

enum { CORPUS_COUNT = 67, CORPUS_FILE_MAX = 1 << 20 };
struct corpus_file {
	const char *name;        /* "ps_depth" */
	uint8_t *data;
	size_t size;
	char *dump;              /* DXC's own text of it */
};

static inline void corpus_read(const char *path, uint8_t **data, size_t *size)
{
	struct kiln_diags *diags = kiln_diags_create();
	cr_assert(file_read(path, CORPUS_FILE_MAX, data, size, diags), "%s", path);
	kiln_diags_destroy(diags);
}

/* Free with mem_free. */
static inline uint8_t *corpus_container(const char *name, size_t *size)
{
	char path[4096];
	uint8_t *data;
	snprintf(path, sizeof path, "%s/tests/corpus/cso/%s.cso", KILN_SOURCE_DIR, name);
	corpus_read(path, &data, size);
	return data;
}

/* Gives how many containers there were. */
static inline size_t corpus_each(void (*visit)(const struct corpus_file *, void *user), void *user)
{
	glob_t list;
	cr_assert_eq(glob(KILN_SOURCE_DIR "/tests/corpus/cso/*.cso", 0, NULL, &list), 0);
	size_t count = list.gl_pathc;
	for (size_t i = 0; i < count; i++) {
		char name[256], path[4096];
		uint8_t *text;
		size_t text_size;
		snprintf(name, sizeof name, "%s", strrchr(list.gl_pathv[i], '/') + 1);
		*strrchr(name, '.') = '\0';
		struct corpus_file f = {.name = name};
		corpus_read(list.gl_pathv[i], &f.data, &f.size);
		snprintf(path, sizeof path, "%s/tests/corpus/asm/%s.txt", KILN_SOURCE_DIR, name);
		corpus_read(path, &text, &text_size);
		f.dump = mem_alloc(text_size + 1);
		memcpy(f.dump, text, text_size);
		visit(&f, user);
		mem_free(text);
		mem_free(f.data);
		mem_free(f.dump);
	}
	globfree(&list);
	return count;
}
#endif
