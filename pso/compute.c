/* Compute pipelines: one program and what it is bound to. Nothing is patched and nothing can be derived. */
#include "pso/pso.h"

struct pipeline *pipeline_create_compute(
	const char *name, const struct isa_program *cs, const struct root_signature *root, struct kiln_diags *diags)
{
	if (!pipeline_validate_compute(name, cs, root, diags))
		return NULL;
	struct pipeline *p = mem_alloc(sizeof *p);
	p->references = 1;
	p->name = arena_string(&p->arena, name ? name : "PSO");
	p->cs = isa_program_copy(cs);
	p->root = root ? root_signature_copy(root) : root_signature_default(&cs, 1);
	return p;
}
