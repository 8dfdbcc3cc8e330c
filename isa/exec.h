/* What interp.c and helpers.c share: one instruction's view of a wave. Private to isa/. */
#ifndef KILN_ISA_EXEC_H
#define KILN_ISA_EXEC_H
#include "isa/isa.h"

struct exec {
	const struct isa_program *p;
	struct isa_wave *w;
	const struct isa_env *env;
	const uint32_t *mask;              /* [lanes] ~0 where active */
	unsigned lanes;
};
/* Lane words of a source: the register's own, or a scalar or literal in all lanes of `room`. */
const uint32_t *exec_source(const struct exec *x, const struct isa_operand *o, uint32_t room[ISA_LANES_MAX]);
/* A source that is the same for all active lanes, or of the first active lane. */
uint32_t exec_uniform(const struct exec *x, const struct isa_operand *o);
void exec_helper(const struct exec *x, const struct isa_inst *in);
#endif
