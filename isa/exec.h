/* What interp.c, helpers.c and wave_ops.c share: one instruction's view of a wave. Private to isa/. */
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
/* Active lanes of a vector register get their words; off takes none. */
void exec_write(const struct exec *x, const struct isa_operand *d, const uint32_t *words);
void exec_helper(const struct exec *x, const struct isa_inst *in);

/* ---- wave_ops.c: helpers of rows that see other lanes ---- */
typedef void exec_row(const struct exec *x, const struct isa_inst *in);
exec_row READFIRST, WAVE_BALLOT, MBCNT, WAVE_LANE, WAVE_READ_LANE, WAVE_REDUCE, WAVE_SCAN, WAVE_MULTI_SCAN, WAVE_MATCH,
	QUAD_READ, QUAD_SWAP, WAVE_REDUCE_64, WAVE_SCAN_64;

/* ---- wide.c: rows on pairs of words ---- */
exec_row WIDE;
unsigned exec_keep_denormals(void);                        /* gives what fp_leave() takes */
uint64_t exec_wide(unsigned op, uint64_t a, uint64_t b); /* MXCSR as for binary64; op: a row of two pairs */
#endif
