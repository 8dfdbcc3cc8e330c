/* Divergence analysis: which virtual registers hold one value for all lanes that can see it.
 *
 * Takes a structured program on virtual registers (all ISA_V). Rewrites the uniform ones to ISA_S, so that their
 * instructions run once a wave.
 *
 * A register is divergent if it is computed from a divergent one, or if a definition runs with lanes missing that read
 * it later. Lanes go missing where a branch splits the wave, from behind the branch to the place where its lanes come
 * back: that stretch of the linear program is the branch's *shadow*. Where the lanes leave a loop, or wait at its end
 * while others go round, the shadow starts at the loop's head, since later trips run without them. So: a register is
 * divergent if one of its definitions lies in a shadow that does not hold all of its uses and definitions. One kind of
 * definition may stand before the shadow: the initial value of a loop's variable, if it is set anew whenever the shadow
 * is entered, that is, inside every loop around the shadow. This covers joins of divergent branches, values carried
 * around a loop, and values of a loop that lanes leave on different trips. */
#include "isa/passes.h"
#include <string.h>

struct occurrence { size_t first_use, last_use, first_def, last_def; };

struct analysis {
	struct isa_program *p;
	uint8_t *divergent, *scalar;       /* [vgprs]; scalar: the row demands it */
	struct occurrence *at;             /* [vgprs] */
	/* [insts] Of the shadows over an instruction: latest start, earliest end, and the latest first instruction of a loop
	 * around one of them. */
	size_t *shadow_start, *shadow_end, *shadow_loop;
	uint8_t *split;                    /* [insts] this branch has cast its shadow */
	struct label_range *labels;
	bool changed;
};

static void find_occurrences(struct analysis *a)
{
	const struct isa_program *p = a->p;
	for (uint32_t r = 0; r < p->vgprs; r++)
		a->at[r] = (struct occurrence){SIZE_MAX, 0, SIZE_MAX, 0};
	for (size_t i = 0; i < p->inst_count; i++) {
		const struct isa_inst *in = &p->insts[i];
		for (unsigned o = 0; o < isa_info[in->op].count; o++) {
			if (in->at[o].file != ISA_V)
				continue;
			struct occurrence *u = &a->at[in->at[o].value];
			bool def = o < isa_info[in->op].results;
			size_t *first = def ? &u->first_def : &u->first_use;
			*first = i < *first ? i : *first;
			*(def ? &u->last_def : &u->last_use) = i;
		}
	}
}

static void mark(struct analysis *a, const struct isa_operand *o)
{
	if (o->file != ISA_V || a->divergent[o->value] || a->scalar[o->value])
		return;
	a->divergent[o->value] = 1;
	a->changed = true;
}

static bool reads_divergent(const struct analysis *a, const struct isa_inst *in)
{
	const struct isa_info *info = &isa_info[in->op];
	for (unsigned o = info->results; o < info->count; o++)
		if (in->at[o].file == ISA_V && a->divergent[in->at[o].value])
			return true;
	return false;
}

/* A definition here misses lanes that a use of the register has, or that another definition reaches. */
static bool escapes_shadow(const struct analysis *a, size_t i, uint32_t reg)
{
	const struct occurrence *u = &a->at[reg];
	if (u->first_use == SIZE_MAX)
		return false;
	return a->shadow_start[i] > u->first_use || a->shadow_end[i] < u->last_use || a->shadow_end[i] < u->last_def ||
		a->shadow_loop[i] > u->first_def;
}

/* One instruction runs either once or on all lanes, so one divergent result makes all of them so. */
static void visit_results(struct analysis *a, size_t i)
{
	const struct isa_inst *in = &a->p->insts[i];
	const struct isa_info *info = &isa_info[in->op];
	bool vector = reads_divergent(a, in);
	for (unsigned o = 0; o < info->results; o++)
		if (in->at[o].file == ISA_V)
			vector |= info->operands[o] == 'v' || a->divergent[in->at[o].value] || escapes_shadow(a, i, in->at[o].value);
	for (unsigned o = 0; vector && o < info->results; o++)
		mark(a, &in->at[o]);
}

static void cast_shadow(struct analysis *a, size_t start, size_t end)
{
	size_t around = 0; /* first instruction of the innermost loop that holds the shadow and more */
	for (uint32_t l = 0; l < a->p->labels; l++) {
		const struct label_range *loop = &a->labels[l];
		if (loop->is_loop && loop->start < start && end <= loop->end && loop->start + 1 > around)
			around = loop->start + 1;
	}
	for (size_t i = start; i <= end; i++) {
		if (a->shadow_loop[i] < around)
			a->shadow_loop[i] = around;
		if (a->shadow_start[i] < start)
			a->shadow_start[i] = start;
		if (a->shadow_end[i] > end)
			a->shadow_end[i] = end;
	}
	a->changed = true;
}

/* The branch splits the wave if its condition is divergent, or if it runs in the shadow of another whose lanes come
 * back before its own do. */
static void visit_branch(struct analysis *a, size_t i)
{
	const struct isa_inst *in = &a->p->insts[i];
	const struct label_range *target = &a->labels[in->at[0].value];
	if (a->split[i] || (!reads_divergent(a, in) && a->shadow_end[i] >= target->end))
		return;
	a->split[i] = 1;
	size_t start = i + 1;
	for (uint32_t l = 0; l < a->p->labels; l++) {
		const struct label_range *loop = &a->labels[l];
		bool around = loop->is_loop && loop->start < i && i < loop->end;
		if (around && loop->end <= target->end && loop->start < start)
			start = loop->start;
	}
	cast_shadow(a, start, target->end);
}

static void solve(struct analysis *a)
{
	do {
		a->changed = false;
		for (size_t i = 0; i < a->p->inst_count; i++) {
			unsigned op = a->p->insts[i].op;
			if (op == ISA_br || op == ISA_br_if || op == ISA_br_ifn)
				visit_branch(a, i);
			else
				visit_results(a, i);
		}
	} while (a->changed);
}

static void rewrite(struct analysis *a)
{
	for (size_t i = 0; i < a->p->inst_count; i++) {
		struct isa_inst *in = &a->p->insts[i];
		for (unsigned o = 0; o < isa_info[in->op].count; o++)
			if (in->at[o].file == ISA_V && !a->divergent[in->at[o].value])
				in->at[o].file = ISA_S;
	}
}

void pass_find_labels(const struct isa_program *p, struct label_range *labels)
{
	for (size_t i = 0; i < p->inst_count; i++) {
		const struct isa_inst *in = &p->insts[i];
		if (in->op == ISA_block || in->op == ISA_loop)
			labels[in->at[0].value] = (struct label_range){i, p->inst_count - 1, in->op == ISA_loop};
		else if (in->op == ISA_end)
			labels[in->at[0].value].end = i;
	}
}

void pass_divergence(struct isa_program *p, const uint8_t *forced)
{
	struct arena scratch = {0};
	struct analysis a = {.p = p};
	a.divergent = arena_array(&scratch, p->vgprs, 1);
	a.scalar = arena_array(&scratch, p->vgprs, 1);
	a.at = arena_array(&scratch, p->vgprs, sizeof *a.at);
	a.shadow_start = arena_array(&scratch, p->inst_count, sizeof *a.shadow_start);
	a.shadow_loop = arena_array(&scratch, p->inst_count, sizeof *a.shadow_loop);
	a.shadow_end = arena_array(&scratch, p->inst_count, sizeof *a.shadow_end);
	a.split = arena_array(&scratch, p->inst_count, 1);
	a.labels = arena_array(&scratch, p->labels, sizeof *a.labels);
	for (size_t i = 0; i < p->inst_count; i++) {
		struct isa_inst *in = &p->insts[i];
		a.shadow_end[i] = SIZE_MAX;
		for (unsigned o = 0; o < isa_info[in->op].count; o++) {
			if (in->at[o].file == ISA_S)
				in->at[o].file = ISA_V; /* a second run starts afresh */
			if (in->at[o].file == ISA_V && isa_info[in->op].operands[o] == 's')
				a.scalar[in->at[o].value] = 1;
		}
	}
	for (uint32_t r = 0; forced && r < p->vgprs; r++)
		a.divergent[r] = forced[r] && !a.scalar[r];
	pass_find_labels(p, a.labels);
	find_occurrences(&a);
	solve(&a);
	rewrite(&a);
	arena_finish(&scratch);
}

void isa_divergence(struct isa_program *p) { pass_divergence(p, NULL); }
