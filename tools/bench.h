/* What the subjects of kiln bench share. Time is measured here alone: nothing else in Kiln looks at a clock. */
#ifndef KILN_TOOLS_BENCH_H
#define KILN_TOOLS_BENCH_H
#include "tools/tools.h"

/* One thing that was done again and again: nanoseconds of each time. */
struct bench_series {
	const char *name, *doc;
	uint64_t *ns;
	size_t count, cap;
};
uint64_t bench_now(void);                            /* nanoseconds of CLOCK_MONOTONIC */
void bench_add(struct bench_series *s, uint64_t ns);
/* Sorted and looked at; 0 where nothing was measured. share: 0.5 is the median. */
uint64_t bench_quantile(struct bench_series *s, double share);
void bench_print(struct bench_series *list, size_t count);
json_t *bench_json(struct bench_series *list, size_t count);
void bench_finish(struct bench_series *list, size_t count);

/* ---- bench_pso.c ---- */
int bench_pso(int argc, char **argv);
#endif
