/* Private to sim: the objects behind the public API. */
#ifndef KILN_SIM_DEVICE_H
#define KILN_SIM_DEVICE_H
#include "sim/texture.h"
#include <stdatomic.h>

struct kiln_device {
	struct kiln_device_desc desc;              /* defaults filled in */
	struct sim_compiler compiler;
	_Atomic uint64_t compiles, unwanted_compiles; /* a cache compiles on several threads */
	struct draw_record *records;               /* of the last execution */
	size_t record_count, record_cap;
};
/* A program that the container brought along (frontend/precompiled.c). */
struct shader_isa {
	uint32_t console;
	uint8_t root_key[ROOT_KEY_BYTES];
	struct isa_program *program;
};
struct kiln_shader {
	char *name;
	struct isa_program *program;               /* compiled here, or the first of isa: what a program's facts are read from */
	struct shader_isa *isa;                    /* those for the device's console; NULL: the container has none */
	size_t isa_count;
	uint8_t *container;                        /* with isa: what to compile where none of it fits; NULL: DXIL was stripped */
	size_t container_size;
	uint8_t *root;                             /* the container's own root signature, serialised; NULL: none */
	size_t root_size;
};
struct kiln_root_signature {
	struct root_signature *root;
};
enum descriptor_type { DESCRIPTOR_UNSET, DESCRIPTOR_SRV, DESCRIPTOR_UAV, DESCRIPTOR_CBV, DESCRIPTOR_SAMPLER };
struct descriptor {
	uint8_t type;                              /* enum descriptor_type */
	union {
		struct view view;                      /* SRV, UAV */
		struct { struct kiln_resource *buffer; uint64_t offset; uint32_t size; } cbv; /* inside the buffer; NULL: null */
		struct kiln_sampler_desc sampler;
	} u;
};
struct kiln_descriptor_heap {
	struct kiln_device *device;
	uint8_t type;                              /* enum kiln_heap_type */
	uint32_t count;
	struct descriptor *list;
};
struct kiln_pso {
	struct pipeline *pipeline;
};

/* ---- precompiled.c ---- */
enum precompiled { PRECOMPILED_NONE, PRECOMPILED_TAKEN, PRECOMPILED_REFUSED };
/* NONE: no ISA in it, compile; TAKEN: s has programs; REFUSED: diagnostic added. */
enum precompiled shader_read_isa(
	struct kiln_device *d, struct kiln_shader *s, const void *data, size_t size, struct kiln_diags *diags);
void shader_finish_isa(struct kiln_shader *s);
/* The program for a PSO with this root signature (NULL: the default one); *made: compiled for it alone, the caller's. NULL: refused. */
const struct isa_program *shader_choose(struct kiln_device *d, const struct kiln_shader *s, const struct root_signature *root,
	struct isa_program **made, struct kiln_diags *diags);
struct kiln_pso *pso_wrap(struct pipeline *p);   /* device.c; NULL gives NULL */
#endif
