/* What the passes over virtual registers share; private to isa/. */
#ifndef KILN_ISA_PASSES_H
#define KILN_ISA_PASSES_H
#include "isa/isa.h"

/* Where a label opens and ends in the linear program. */
struct label_range {
	size_t start, end;
	bool is_loop;
};
void pass_find_labels(const struct isa_program *p, struct label_range *labels); /* labels: [p->labels] */

/* isa_divergence(), with registers that have to stay vectors: forced is [p->vgprs], or NULL. */
void pass_divergence(struct isa_program *p, const uint8_t *forced);
#endif
