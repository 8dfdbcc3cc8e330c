/* Private to sim: the objects behind the public API. */
#ifndef KILN_SIM_DEVICE_H
#define KILN_SIM_DEVICE_H
#include "sim/sim.h"

struct kiln_device {
	struct kiln_device_desc desc;              /* defaults filled in */
	struct sim_compiler compiler;
	uint64_t compiles;
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
struct kiln_pso {
	struct pipeline *pipeline;
};
#endif
