/* The reference engine: takes a valid program and a wave, runs it instruction by instruction over all lanes. Pure rows of
 * isa.def expand into one lane loop each; helpers of impure rows stand in helpers.c. Assumes fp_enter()'s MXCSR. */
#include "isa/exec.h"
#include "isa/math.h"
#include <string.h>

const uint32_t *exec_source(const struct exec *x, const struct isa_operand *o, uint32_t room[ISA_LANES_MAX])
{
	if (o->file == ISA_V)
		return x->w->v[o->value];
	uint32_t word = o->file == ISA_S ? x->w->s[o->value] : o->value;
	for (unsigned l = 0; l < x->lanes; l++)
		room[l] = word;
	return room;
}

uint32_t exec_uniform(const struct exec *x, const struct isa_operand *o)
{
	if (o->file == ISA_V)
		return x->w->v[o->value][__builtin_ctzll(x->w->exec)];
	return o->file == ISA_S ? x->w->s[o->value] : o->value;
}

/* ---- pure rows: the expression of the row, lane by lane or once ---- */

enum { STEP = 32 }; /* lanes of a loop: a constant, so that the compiler makes whole vectors of it */
#define UNUSED(a, b, c) (void)(a), (void)(b), (void)(c)

/* The results stand apart until all are there: d may be a source, and the compiler sees loops without dependences. */
static void run_lanes(enum isa_op op, uint32_t *d, const uint32_t *const src[4], unsigned at, const uint32_t *mask)
{
	const uint32_t *sa = src[0] + at, *sb = src[1] + at, *sc = src[2] + at, *se = src[3] + at;
	uint32_t result[STEP];
	switch (op) {
#define PURE(name, code, operands, unit, cost, sem, doc) \
	case ISA_##name: \
		for (unsigned l = 0; l < STEP; l++) { \
			const uint32_t A = sa[l], B = sb[l], C = sc[l], E = se[l]; \
			UNUSED(B, C, E); \
			result[l] = (sem); \
		} \
		break;
#define IMPURE(name, ...) case ISA_##name:
#define FLOW(name, ...) case ISA_##name:
#include "isa/isa.def"
	case ISA_OP_COUNT: return;
	}
	for (unsigned l = 0; l < STEP; l++)
		d[l] = (result[l] & mask[l]) | (d[l] & ~mask[l]);
}

static uint32_t run_once(enum isa_op op, uint32_t A, uint32_t B, uint32_t C, uint32_t E)
{
	UNUSED(B, C, E);
	switch (op) {
#define PURE(name, code, operands, unit, cost, sem, doc) \
	case ISA_##name: return (sem);
#define IMPURE(name, ...) case ISA_##name:
#define FLOW(name, ...) case ISA_##name:
#include "isa/isa.def"
	case ISA_OP_COUNT: break;
	}
	return 0;
}

static void pure(const struct exec *x, const struct isa_inst *in, const struct isa_info *info)
{
	if (in->at[0].file == ISA_S) {
		uint32_t word[4] = {0};
		for (unsigned i = 0; i + 1 < info->count; i++)
			word[i] = exec_uniform(x, &in->at[i + 1]);
		x->w->s[in->at[0].value] = run_once(in->op, word[0], word[1], word[2], word[3]);
		return;
	}
	uint32_t room[4][ISA_LANES_MAX], *d = x->w->v[in->at[0].value];
	const uint32_t *src[4];
	for (unsigned i = 0; i < 4; i++)
		src[i] = i + 1 < info->count ? exec_source(x, &in->at[i + 1], room[i]) : src[0];
	for (unsigned at = 0; at < x->lanes; at += STEP)
		if (x->w->exec >> at & 0xffffffffu)
			run_lanes(in->op, d + at, src, at, x->mask + at);
}

/* ---- control flow ---- */

static uint64_t condition_lanes(const struct exec *x, const struct isa_inst *in)
{
	if (in->op == ISA_br)
		return x->w->exec;
	uint32_t room[ISA_LANES_MAX];
	const uint32_t *c = exec_source(x, &in->at[1], room);
	uint64_t lanes = 0;
	for (unsigned l = 0; l < x->lanes; l++)
		lanes |= (uint64_t)(c[l] != 0) << l;
	return (in->op == ISA_br_if ? lanes : ~lanes) & x->w->exec;
}

static void branch(const struct exec *x, const struct isa_inst *in)
{
	struct isa_wave *w = x->w;
	uint64_t taken = condition_lanes(x, in);
	w->record.branches += taken != 0;
	w->record.divergent_branches += taken && taken != w->exec;
	w->pending[in->at[0].value] |= taken;
	w->exec &= ~taken;
	if (!w->exec)
		w->pc = w->enclosing_end[w->pc]; /* nobody is left: on to the next place where lanes join */
}

static void end(const struct exec *x, uint32_t label)
{
	struct isa_wave *w = x->w;
	uint64_t waiting = w->pending[label];
	w->pending[label] = 0;
	if (!w->is_loop[label]) {
		w->exec |= waiting;
	} else if (waiting) {
		w->exited[label] |= w->exec;
		w->exec = waiting;
		w->pc = w->label_start[label] + 1;
		return;
	} else {
		w->exec |= w->exited[label];
		w->exited[label] = 0;
	}
	w->pc = w->exec ? w->pc + 1 : w->enclosing_end[w->pc];
}

/* False at endpgm. Advances pc. */
static bool flow(const struct exec *x, const struct isa_inst *in)
{
	struct isa_wave *w = x->w;
	switch (in->op) {
	case ISA_block:
	case ISA_loop:
		w->pending[in->at[0].value] = w->exited[in->at[0].value] = 0;
		w->pc++;
		return true;
	case ISA_end:
		end(x, in->at[0].value);
		return true;
	case ISA_endpgm:
		return false;
	default: {
		size_t at = w->pc;
		branch(x, in);
		w->pc += w->pc == at;
		return true;
	}
	}
}

static void expand_mask(uint64_t exec, uint32_t mask[ISA_LANES_MAX])
{
	for (unsigned l = 0; l < ISA_LANES_MAX; l++)
		mask[l] = 0u - (uint32_t)(exec >> l & 1);
}

enum isa_result isa_run(const struct isa_program *p, struct isa_wave *w, const struct isa_env *env)
{
	uint32_t mask[ISA_LANES_MAX];
	uint64_t masked = w->exec;
	struct exec x = {p, w, env, mask, p->wave_size};
	expand_mask(masked, mask);
	if (!masked)
		return ISA_DONE; /* nothing runs without a lane */
	for (;;) {
		const struct isa_inst *in = &p->insts[w->pc];
		const struct isa_info *info = &isa_info[in->op];
		if (!w->budget)
			return ISA_OUT_OF_BUDGET;
		w->budget--;
		bool scalar = info->results && in->at[0].file == ISA_S;
		unsigned unit = info->unit == ISA_UNIT_ALU && scalar ? ISA_UNIT_SALU : info->unit;
		w->record.issues[unit]++;
		w->record.lanes[unit] += scalar ? 1 : (unsigned)__builtin_popcountll(w->exec);
		if (in->op == ISA_barrier) {
			w->pc++;
			return ISA_BARRIER;
		}
		if (info->kind == ISA_KIND_FLOW) {
			if (!flow(&x, in))
				return ISA_DONE;
			if (masked != w->exec)
				expand_mask(masked = w->exec, mask);
			continue;
		}
		if (info->kind == ISA_KIND_PURE)
			pure(&x, in, info);
		else
			exec_helper(&x, in);
		w->pc++;
	}
}
