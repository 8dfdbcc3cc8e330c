/* What the subjects of kiln bench share. Time is measured here alone: nothing else in Kiln looks at a clock. */
#ifndef KILN_TOOLS_BENCH_H
#define KILN_TOOLS_BENCH_H
#include "tools/tools.h"
#include <kiln/kiln.h>

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

/* ---- bench_scenes.c: the fixed scenes ---- */
enum bench_kind { BENCH_FULLSCREEN, BENCH_TEXTURED, BENCH_GRID, BENCH_CUBES };
struct bench_scene {
	const char *name, *vs, *ps;          /* shaders: files of the folder, without .cso */
	uint32_t format;                     /* enum kiln_format of the target */
	uint8_t kind;                        /* enum bench_kind */
	uint32_t layers;                     /* full-screen triangles */
	bool blend;
};
struct bench_options {
	struct kiln_device_desc device;
	const char *folder, *output;         /* shaders; where PNGs go, NULL: nowhere */
	unsigned times;                      /* frames after the first */
};
const struct bench_scene *bench_scene_find(const char *name); /* NULL: there is none */
const struct bench_scene *bench_scene_at(size_t i);           /* NULL: past the last */
/* *first: nanoseconds of the first frame, with shaders and PSO made. */
bool bench_scene_run(const struct bench_scene *c, const struct bench_options *o, struct bench_series *frames, uint64_t *first,
	struct kiln_diags *diags);

/* ---- bench_frames.c, bench_compile.c, bench_startup.c ---- */
int bench_frames(int argc, char **argv);
int bench_compile(int argc, char **argv);
int bench_startup(int argc, char **argv);
#endif
