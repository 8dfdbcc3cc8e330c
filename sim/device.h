/* Private to sim: the objects behind the public API. */
#ifndef KILN_SIM_DEVICE_H
#define KILN_SIM_DEVICE_H
#include "sim/texture.h"
#include <stdatomic.h>

struct kiln_device {
	struct kiln_device_desc desc;              /* defaults filled in */
	struct sim_compiler compiler;
	_Atomic uint64_t compiles;                 /* a cache compiles on several threads */
	struct draw_record *records;               /* of the last execution */
	size_t record_count, record_cap;
};
struct kiln_shader {
	char *name;
	struct isa_program *program;
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
#endif
