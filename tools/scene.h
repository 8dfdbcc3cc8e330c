/* A scene: shaders, resources, pipelines, commands and expectations, read from YAML (scenes/README.md), then run. */
#ifndef KILN_TOOLS_SCENE_H
#define KILN_TOOLS_SCENE_H
#include "tools/yaml.h"
#include <kiln/kiln.h>

enum { SCENE_ITEMS_MAX = 4096, SCENE_NUMBERS_MAX = 65536, SCENE_DATA_MAX = 1 << 28 };

struct scene_shader {
	const char *name, *file;
	struct fy_node *node;
	uint8_t *data;
	size_t size;
	struct kiln_shader *shader;
};
struct scene_resource {
	const char *name;
	bool is_texture;
	struct kiln_texture_desc desc;
	uint8_t *data;                       /* buffers */
	size_t size;
	struct kiln_resource *resource;
};
struct scene_pso {
	const char *name, *base;             /* base: NULL for a full PSO */
	const struct scene_pso *from;        /* the PSO that base names */
	const char *vs, *ps;
	struct kiln_graphics_pipeline_desc state; /* derived: the base's with the overrides */
	bool has_blend, has_raster, has_depth, has_mask, has_limits;
	struct kiln_pso *pso;                /* NULL: refused */
	struct kiln_diags *diags;            /* what was said of it */
};
struct scene_root { uint32_t type, reg, space, count, visibility; };

enum scene_op { SCENE_TARGETS, SCENE_CLEAR_COLOR, SCENE_CLEAR_DEPTH, SCENE_STENCIL_REF, SCENE_DEPTH_BOUNDS, SCENE_RESOLVE,
	SCENE_VIEWPORT, SCENE_SCISSOR, SCENE_PSO, SCENE_TOPOLOGY,
	SCENE_VERTEX_BUFFER, SCENE_INDEX_BUFFER, SCENE_BLEND_FACTOR, SCENE_CONSTANTS, SCENE_CBV, SCENE_DRAW, SCENE_DRAW_INDEXED };
#define SCENE_ALL_INDICES UINT32_MAX   /* a count: the bound index buffer from the first index on */
struct scene_command {
	uint8_t op;                          /* enum scene_op */
	uint32_t count, number[5];           /* draw arguments, slot, parameter… */
	const char *names[8];                /* resources, PSO */
	const char *depth;
	bool read_only_depth, read_only_stencil;
	float f[6];
	int32_t rect[4];
	uint32_t *words;
};
struct scene_pixel {
	const char *target, *bytes;          /* bytes: hex, or NULL */
	uint32_t at[2], sample;
	float value[4], tolerance;
	uint32_t value_count;
};
struct scene_hash { const char *target, *fnv1a; };
struct scene_counter { const char *name; uint32_t value; };
struct scene_expect {
	struct scene_pixel *pixels;
	size_t pixel_count;
	struct scene_hash *hashes;
	size_t hash_count;
	uint32_t *diagnostics;
	size_t diagnostic_count;
	struct scene_counter *counters;
	size_t counter_count;
	const char **refused;
	size_t refused_count;
};
struct scene {
	struct yaml yaml;
	struct scene_shader *shaders;
	size_t shader_count;
	struct scene_resource *resources;
	size_t resource_count;
	struct scene_pso *psos;
	size_t pso_count;
	uint32_t *pso_slots;                 /* by name: number + 1; 0: free */
	size_t pso_slot_count;               /* a power of two */
	struct scene_root *root;
	size_t root_count;
	bool has_root;
	struct scene_command *commands;
	size_t command_count;
	struct scene_expect expect, expect_ignoring; /* the second with mismatches ignored; without it the first counts in both */
	bool has_expect_ignoring;
	/* made by scene_create */
	struct kiln_device *device;
	struct kiln_root_signature *root_signature;
	struct kiln_counters counters;
};

/* ---- scene_parse.c ---- */
bool scene_open(struct scene *s, const char *path, struct kiln_diags *d); /* scene_close() in any case */
/* The same of text in memory (copied), as if it stood in that file. */
bool scene_open_text(struct scene *s, const char *path, const uint8_t *text, size_t size, struct kiln_diags *d);
void scene_close(struct scene *s);
void *scene_find(void *list, size_t count, size_t size, const char *name);  /* by the name at the struct's start */
#define SCENE_FIND(s, list, count, name) scene_find((s)->list, (s)->count, sizeof *(s)->list, name)
char *scene_path(struct yaml *y, const char *file);                           /* relative to the scene */
/* ---- scene_pso.c: state ---- */
void scene_read_psos(struct scene *s, struct fy_node *map);
void scene_read_samples(struct yaml *y, struct fy_node *n, void *at); /* into a struct kiln_sample_desc */
/* ---- scene_data.c: bytes of buffers ---- */
void scene_read_buffer(struct scene *s, struct fy_node *map, struct scene_resource *r);
/* ---- scene_commands.c ---- */
void scene_read_commands(struct scene *s, struct fy_node *list);
/* ---- scene_expect.c ---- */
void scene_read_expect(struct scene *s, struct fy_node *map, struct scene_expect *e);
/* How many expectations failed; each is a diagnostic. */
size_t scene_check(const struct scene *s, const struct scene_expect *e, struct kiln_diags *d);
uint64_t scene_hash(const struct kiln_resource *r);
/* ---- scene_run.c ---- */
void scene_root_bytes(const struct scene *s, struct buf *out); /* the root signature of a scene that has one, serialised */
struct scene_options {
	struct kiln_device_desc device;
};
/* Device, shaders, PSOs. False: bad input. A refused PSO is none: see scene_pso.diags. */
bool scene_create(struct scene *s, const struct scene_options *o, struct kiln_diags *d);
/* Records and executes; draws with a refused PSO are left out. False: diagnostics added. */
bool scene_execute(struct scene *s, struct kiln_diags *d);
bool scene_disassemble(const char *path, const char *pso, bool required, struct buf *out, struct kiln_diags *d);
#endif
