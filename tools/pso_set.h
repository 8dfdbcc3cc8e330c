/* Many PSOs from scenes and databases, for the verbs that judge them or bake them: loaded, shaders compiled (equal ones
 * once), checked on several threads. What is said of a PSO depends on the files alone, never on their order or on
 * threads. */
#ifndef KILN_TOOLS_PSO_SET_H
#define KILN_TOOLS_PSO_SET_H
#include "pso/pso.h"
#include "tools/scene.h"
#include <argp.h>

#define PSO_NONE UINT32_MAX
enum { PSO_THREADS_MAX = 256 };

/* Shaders of equal bytes are one. */
struct pso_shader {
	const char *name;                 /* of those it was given under, the first by bytes */
	const uint8_t *data;
	size_t size;
	struct isa_program *program;      /* NULL: it did not compile, see diags */
	bool compiled;                    /* tried */
	const uint8_t *root;              /* the root signature in the container; NULL: none */
	size_t root_size;
	uint32_t root_number;
	struct kiln_diags *diags;
	struct export_outputs outputs;
};
/* Root signatures of equal bytes are one. */
struct pso_root {
	const char *name;
	const uint8_t *data;
	size_t size;
	struct root_signature *root;      /* NULL: malformed, see diags */
	struct kiln_diags *diags;
};
struct pso_entry {
	const char *name;
	uint32_t file;
	uint32_t base;                    /* entry that it derives from; PSO_NONE: a full PSO */
	uint32_t vs, ps, root;            /* PSO_NONE: none; root: that of the scene or the shaders */
	struct kiln_graphics_pipeline_desc desc;
	unsigned overrides;               /* enum plan_override: what a derived one gives */
	bool embedded;                    /* the root signature is that of the shaders */
	bool broken;                      /* what was read of it is no PSO, see diags */
	bool made;                        /* set by pso_set_check */
	struct kiln_diags *diags;         /* what was said of it */
};
struct pso_file {
	const char *path;
	const uint8_t *text;              /* a scene in memory, borrowed; NULL: the file holds it */
	size_t text_size;
	bool is_database, failed;         /* failed: it or one of its shaders is bad input */
	struct kiln_diags *diags;
	struct scene *scene;              /* of databases: NULL */
	uint32_t first, count;            /* its entries */
	uint32_t *shaders;                /* used in it, numbers of shaders */
	size_t shader_count, shader_cap;
};
struct pso_set {
	struct arena arena;
	struct kiln_device_desc device;
	struct pso_shader *shaders;
	struct pso_root *roots;
	struct pso_entry *entries;
	struct pso_file *files;
	size_t shader_count, shader_cap, root_count, root_cap, entry_count, entry_cap, file_count, file_cap;
	struct pso_index *shader_index, *root_index; /* by content */
};

/* Loads the files, by path, and compiles no shader. */
void pso_set_load(struct pso_set *s, const struct kiln_device_desc *device, char *const *paths, size_t count);
/* Loads the files, by path, and compiles their shaders. What cannot be read is a failed file. pso_set_close() ends it. */
void pso_set_open(
	struct pso_set *s, const struct kiln_device_desc *device, char *const *paths, size_t count, unsigned threads);
/* One scene in memory, as if it stood at that path; shaders that `compiled` has are not compiled again. */
void pso_set_open_text(
	struct pso_set *s, const struct pso_set *compiled, const char *path, const uint8_t *text, size_t size);
void pso_set_close(struct pso_set *s);
/* A shader or root signature by content; the bytes are borrowed until the set is closed. PSO_NONE where data is NULL. */
uint32_t pso_set_shader(struct pso_set *s, struct pso_file *file, const char *name, const uint8_t *data, size_t size);
uint32_t pso_set_root(struct pso_set *s, const char *name, const uint8_t *data, size_t size);
/* A fresh entry of the file being loaded. */
struct pso_entry *pso_set_entry(struct pso_set *s, const char *name);
/* The numbers of a file's entries, by name (equal names by place); free with mem_free. */
uint32_t *pso_set_sorted(const struct pso_set *s, const struct pso_file *file);
/* How an entry is named among several files: "scene.yaml: base", or "base" alone where there is one file. In the set's
 * arena. */
const char *pso_set_label(struct pso_set *s, const struct pso_entry *e);
void diags_append(struct kiln_diags *to, const struct kiln_diags *from);

/* ---- pso_compile.c ---- */
/* Compiles what is not compiled yet, in so many processes; to be called while the program has one thread. */
void pso_set_compile(struct pso_set *s, unsigned processes);

/* ---- pso_check.c ---- */
/* What a full PSO is made of. False: the entry, a stage or the root signature is no such, which is said. */
bool pso_set_inputs(struct pso_set *s, struct pso_entry *e, struct pipeline_inputs *in);
/* A derived one of its base (NULL: refused); the caller's. NULL: refused, diagnostics in the entry. */
struct pipeline *pso_set_derive(struct pso_set *s, struct pso_entry *e, struct pipeline *base);
/* Makes every entry as pso_create and pso_derive would, without code; with lint, warns of what works in vain. */
void pso_set_check(struct pso_set *s, unsigned threads, bool lint);
/* How many threads: 0 gives one a processor. */
unsigned pso_threads(unsigned asked);
unsigned pso_threads_argument(const char *arg, struct argp_state *state); /* of --threads */
/* Calls work(user, i) for i from 0 to count - 1, each once, on so many threads; each thread has Kiln's floating point. */
void pso_parallel(unsigned threads, size_t count, void (*work)(void *user, size_t i), void *user);
#endif
