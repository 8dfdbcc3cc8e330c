/* Diagnostics: what Kiln says of bad input, refusals and warnings. Each has a number that never changes meaning
 * (docs/diagnostics.md lists them all). */
#ifndef KILN_DIAG_H
#define KILN_DIAG_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
#ifndef KILN_API
#define KILN_API __attribute__((visibility("default")))
#endif

enum kiln_severity { KILN_INFO, KILN_WARNING, KILN_ERROR };

/* One diagnostic. Strings belong to the list; none is NULL but where said. */
struct kiln_diag {
	uint32_t number;             /* 1000s ISA, 2000s containers and DXIL, 3000s PSO, 4000s scenes, 5000s draws,
	                              * 6000s sets of PSOs, 9000s files */
	enum kiln_severity severity;
	const char *name;            /* stable name, UPPER_CASE */
	const char *where;           /* what it is about; "" if nothing more is known */
	unsigned line, column;       /* place in the text file `where`, from 1; 0 if it is no text file */
	const char *excerpt;         /* the source line, or NULL */
	const char *text;            /* one sentence: what is wrong */
	const char *remedy;          /* one sentence: what to do */
};

/* A list of diagnostics in the order they were found. Not thread-safe: one list a thread. */
struct kiln_diags;
KILN_API struct kiln_diags *kiln_diags_create(void);
KILN_API void kiln_diags_destroy(struct kiln_diags *d);                 /* NULL is fine */
KILN_API size_t kiln_diags_count(const struct kiln_diags *d);
KILN_API const struct kiln_diag *kiln_diags_get(const struct kiln_diags *d, size_t i); /* NULL past the end */
KILN_API bool kiln_diags_has(const struct kiln_diags *d, uint32_t number);
KILN_API size_t kiln_diags_errors(const struct kiln_diags *d);          /* how many are KILN_ERROR */
KILN_API void kiln_diags_clear(struct kiln_diags *d);
#ifdef __cplusplus
}
#endif
#endif
