/* A scene: shaders, resources, pipelines, commands and expectations, read from YAML (scenes/README.md), then run. */
#ifndef KILN_TOOLS_SCENE_H
#define KILN_TOOLS_SCENE_H
#include "tools/yaml.h"
#include <kiln/pack.h>

enum { SCENE_ITEMS_MAX = 4096, SCENE_NUMBERS_MAX = 65536, SCENE_DATA_MAX = 1 << 28 };

struct scene_shader {
	const char *name, *file;
	struct fy_node *node;
	uint8_t *data;
	size_t size;
	struct kiln_shader *shader;
};
struct scene_texels { uint8_t *data; };  /* of a subresource; NULL: none given */
struct scene_resource {
	const char *name;
	bool is_texture;
	struct kiln_texture_desc desc;
	struct scene_texels *texels;         /* textures: by subresource */
	size_t texel_count;
	bool generate_mips;
	uint8_t *data;                       /* buffers */
	size_t size;
	struct kiln_resource *resource;
};
struct scene_pso {
	const char *name, *base;             /* base: NULL for a full PSO */
	const struct scene_pso *from;        /* the PSO that base names */
	const char *vs, *ps, *cs;            /* cs: a compute PSO, alone */
	struct kiln_graphics_pipeline_desc state; /* derived: the base's with the overrides */
	bool has_blend, has_raster, has_depth, has_mask, has_limits;
	struct kiln_pso *pso;                /* NULL: refused */
	struct kiln_diags *diags;            /* what was said of it */
};
struct scene_sampler {
	const char *name;
	struct kiln_sampler_desc desc;
};
/* A resource, or a part of it as a shader or a target sees it. */
struct scene_view {
	const char *name, *counter;          /* resources; NULL: none */
	struct kiln_view_desc desc;
	uint32_t counter_offset, offset, size; /* the last two: bytes of constant buffers and root descriptors */
	struct fy_node *node;
};
enum scene_descriptor_kind { SCENE_UNSET, SCENE_SRV, SCENE_UAV, SCENE_CBV_VIEW, SCENE_SAMPLER };
struct scene_descriptor {
	uint32_t kind;                       /* enum scene_descriptor_kind */
	struct scene_view view;              /* of a sampler its name */
};
struct scene_heap {
	const char *name;
	struct scene_descriptor *list;
	size_t count;
	bool samplers, typed;                /* typed: some descriptor said which */
	struct kiln_descriptor_heap *heap;
};
struct scene_binding {
	const char *name;                    /* in the shader */
	struct scene_view view;              /* of a sampler its name */
	bool is_sampler;
};

enum scene_op { SCENE_TARGETS, SCENE_CLEAR_COLOR, SCENE_CLEAR_DEPTH, SCENE_STENCIL_REF, SCENE_DEPTH_BOUNDS, SCENE_RESOLVE,
	SCENE_VIEWPORT, SCENE_SCISSOR, SCENE_SAMPLE_POSITIONS, SCENE_PSO, SCENE_TOPOLOGY,
	SCENE_VERTEX_BUFFER, SCENE_INDEX_BUFFER, SCENE_BLEND_FACTOR, SCENE_CONSTANTS, SCENE_CBV, SCENE_ROOT_SRV,
	SCENE_ROOT_UAV, SCENE_TABLE, SCENE_BIND, SCENE_MIPS, SCENE_COPY, SCENE_DRAW, SCENE_DRAW_INDEXED, SCENE_DISPATCH };
#define SCENE_ALL_INDICES UINT32_MAX   /* a count: the bound index buffer from the first index on */
struct scene_command {
	uint8_t op;                          /* enum scene_op */
	bool compute;                        /* root arguments of dispatches */
	uint32_t count, number[5];           /* draw arguments, slot, parameter… */
	const char *names[2];                /* resources, PSO, heap */
	struct scene_view *views, *depth;    /* targets [count]; depth NULL: none */
	struct scene_binding *bindings;      /* [count] */
	bool read_only_depth, read_only_stencil;
	float f[6];
	int32_t rect[4];
	uint32_t *words;
	struct kiln_viewport *viewports;
	struct kiln_rect *scissors;
	struct kiln_sample_position *positions;
};
struct scene_pixel {
	const char *target, *bytes;          /* bytes: hex, or NULL */
	uint32_t at[2], sample, mip, slice;  /* slice: of an array or a 3D texture */
	float value[4], tolerance;
	uint32_t value_count;
};
/* Numbers in a buffer, from a byte on. */
struct scene_words {
	const char *name;
	struct fy_node *values;              /* while it is read */
	uint32_t at, type;                   /* bytes; enum scene_number */
	float tolerance;
	uint8_t *data;                       /* in the arena */
	size_t size;
};
struct scene_hash { const char *target, *fnv1a; };
struct scene_counter { const char *name; uint32_t value; };
struct scene_expect {
	struct scene_pixel *pixels;
	size_t pixel_count;
	struct scene_words *words;
	size_t words_count;
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
	struct scene_pso *compute;           /* those with CS */
	size_t compute_count;
	uint32_t *pso_slots;                 /* graphics PSOs by name: number + 1; 0: free */
	size_t pso_slot_count;               /* a power of two */
	bool has_root;
	uint8_t *root_data;                  /* serialised, in the arena */
	size_t root_size;
	struct scene_sampler *samplers;
	size_t sampler_count;
	struct scene_heap *heaps;
	size_t heap_count;
	struct scene_command *commands;
	size_t command_count;
	struct scene_expect expect, expect_ignoring; /* the second with mismatches ignored; without it the first counts in both */
	bool has_expect_ignoring;
	/* made by scene_create */
	struct kiln_device *device;
	struct kiln_root_signature *root_signature;
	struct kiln_counters counters;
	struct kiln_descriptor_heap **bound; /* by the commands Bind */
	size_t bound_count, bound_cap;
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
struct scene_pso *scene_find_pso(const struct scene *s, const char *name); /* graphics or compute */
void scene_read_samples(struct yaml *y, struct fy_node *n, void *at); /* into a struct kiln_sample_desc */
extern const struct yaml_name scene_comparisons[];
/* ---- scene_root.c: root signatures ---- */
void scene_read_root(struct scene *s, struct fy_node *n);
/* ---- scene_data.c: bytes of buffers ---- */
void scene_read_buffer(struct scene *s, struct fy_node *map, struct scene_resource *r);
enum scene_number { NUMBER_FLOAT, NUMBER_UINT, NUMBER_UINT16, NUMBER_UINT8 };
extern const struct yaml_name scene_number_types[];
/* data is the caller's (mem_free) where true comes back; one of scene_number_types. */
bool scene_read_numbers(struct yaml *y, struct fy_node *list, uint32_t type, uint8_t **data, size_t *size);
/* ---- scene_texture.c ---- */
void scene_read_texture(struct scene *s, struct fy_node *map, struct scene_resource *r);
bool scene_fill_texture(const struct scene_resource *r, struct kiln_diags *d);
/* ---- scene_view.c: samplers, views, descriptor heaps ---- */
extern const struct yaml_name scene_filters[], scene_addresses[];
#define SCENE_SAMPLER_FIELDS(at) \
	{"Filter", YAML_ENUM, (at) + offsetof(struct kiln_sampler_desc, Filter), scene_filters, NULL, true}, \
	{"AddressU", YAML_ENUM, (at) + offsetof(struct kiln_sampler_desc, AddressU), scene_addresses, NULL, false}, \
	{"AddressV", YAML_ENUM, (at) + offsetof(struct kiln_sampler_desc, AddressV), scene_addresses, NULL, false}, \
	{"AddressW", YAML_ENUM, (at) + offsetof(struct kiln_sampler_desc, AddressW), scene_addresses, NULL, false}, \
	{"MipLODBias", YAML_F32, (at) + offsetof(struct kiln_sampler_desc, MipLODBias), NULL, NULL, false}, \
	{"MaxAnisotropy", YAML_U32, (at) + offsetof(struct kiln_sampler_desc, MaxAnisotropy), NULL, NULL, false}, \
	{"ComparisonFunc", YAML_ENUM, (at) + offsetof(struct kiln_sampler_desc, ComparisonFunc), scene_comparisons, NULL, false}, \
	{"MinLOD", YAML_F32, (at) + offsetof(struct kiln_sampler_desc, MinLOD), NULL, NULL, false}, \
	{"MaxLOD", YAML_F32, (at) + offsetof(struct kiln_sampler_desc, MaxLOD), NULL, NULL, false}
struct kiln_sampler_desc scene_sampler_default(void); /* wraps, up to 16 anisotropic samples, LESS_EQUAL, all mips */
void scene_read_samplers(struct scene *s, struct fy_node *map);
void scene_read_view(struct yaml *y, struct fy_node *n, struct scene_view *v); /* a name, or a mapping */
void scene_check_view(struct scene *s, const struct scene_view *v, bool texture, bool buffer); /* may it be one? */
void scene_read_heaps(struct scene *s, struct fy_node *map);
bool scene_make_heaps(struct scene *s, struct kiln_diags *d);
bool scene_write_descriptor(const struct scene *s, struct kiln_descriptor_heap *heap, uint32_t index,
	const struct scene_descriptor *d, struct kiln_diags *diags);
/* ---- scene_bind.c: the command Bind ---- */
void scene_read_bindings(struct scene *s, struct fy_node *map, struct scene_command *c);
bool scene_bind(struct scene *s, const struct scene_command *c, const struct kiln_pso *pso, struct kiln_commands *out,
	struct kiln_diags *d);
/* ---- scene_commands.c ---- */
void scene_read_commands(struct scene *s, struct fy_node *list);
/* ---- scene_expect.c ---- */
void scene_read_expect(struct scene *s, struct fy_node *map, struct scene_expect *e);
/* How many expectations failed; each is a diagnostic. */
size_t scene_check(const struct scene *s, const struct scene_expect *e, struct kiln_diags *d);
uint64_t scene_hash(const struct kiln_resource *r);
/* ---- scene_run.c ---- */
struct kiln_resource *scene_resource(const struct scene *s, const char *name); /* NULL for no name */
struct scene_options {
	struct kiln_device_desc device;
	struct kiln_library *library;        /* PSOs that it holds as SCENE/PSO are loaded, not compiled; NULL: none */
};
/* Device, shaders, PSOs. False: bad input. A refused PSO is none: see scene_pso.diags. */
bool scene_create(struct scene *s, const struct scene_options *o, struct kiln_diags *d);
/* Records and executes; draws with a refused PSO are left out. False: diagnostics added. */
bool scene_execute(struct scene *s, struct kiln_diags *d);
bool scene_disassemble(const char *path, const char *pso, bool required, struct buf *out, struct kiln_diags *d);
#endif
