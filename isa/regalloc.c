/* Register allocation: virtual -> physical registers, by linear scan (Poletto and Sarkar, 1999).
 *
 * Takes a program after isa_divergence(). Gives one with p->allocated set, vgprs and sgprs as used. Never fails: a
 * vector that finds no register goes to scratch, a scalar that finds none becomes a vector.
 *
 * A live interval is the stretch of the linear program from first to last occurrence, drawn out to a loop's end where
 * the value enters the loop from outside. That is enough for vectors: lanes that left a loop keep their words, since
 * everything in it writes under the mask. It is enough for scalars because the linear order is the order in which a
 * wave runs both sides of a branch. */
#include "isa/passes.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Twice the instruction's index; results sit one later than sources, so that `add v0, v0, v1` may reuse v0. */
struct interval {
	uint32_t reg;
	size_t start, end;
	uint32_t physical;
	uint32_t hint;       /* virtual register copied into this one, or ~0 */
	bool seen, spilled, fixed; /* fixed: lives for one instruction, as a spilled word does */
};

struct allocator {
	struct isa_program *p;
	uint8_t file;                   /* ISA_V or ISA_S: one file a run */
	uint32_t limit;
	struct interval *intervals;     /* [vgprs] by virtual register */
	const uint8_t *fixed;
	size_t fixed_count;
	bool any_spilled;
	uint32_t used;
};

static void occur(struct interval *v, uint32_t reg, size_t at)
{
	if (!v->seen)
		*v = (struct interval){.reg = reg, .start = at, .end = at, .hint = UINT32_MAX, .seen = true, .fixed = v->fixed};
	v->end = at > v->end ? at : v->end;
}

/* Other lanes' or other results' words are read after this instruction's first write, so nothing may be shared. */
static bool writes_late(const struct isa_inst *in) { return isa_info[in->op].kind == ISA_KIND_PURE; }

static void find_occurrences(struct allocator *a)
{
	for (size_t i = 0; i < a->p->inst_count; i++) {
		const struct isa_inst *in = &a->p->insts[i];
		const struct isa_info *info = &isa_info[in->op];
		for (unsigned k = 0; k < info->count; k++) {
			unsigned o = (k + info->results) % info->count; /* sources first */
			if (in->at[o].file != a->file)
				continue;
			bool result = o < info->results;
			uint32_t reg = in->at[o].value;
			struct interval *v = &a->intervals[reg];
			occur(v, reg, 2 * i + (result && writes_late(in)));
			if (result)
				occur(v, reg, 2 * i + 1);
			if (result && in->op == ISA_mov && in->at[1].file == a->file)
				v->hint = in->at[1].value;
		}
	}
}

/* A value from before a loop that the loop reads is needed on every trip. Labels are in order of their ends, inner
 * first, so that an interval drawn out to an inner loop's end is seen by the outer one. */
static void extend_over_loops(struct allocator *a)
{
	struct isa_program *p = a->p;
	struct arena scratch = {0};
	struct label_range *labels = arena_array(&scratch, p->labels, sizeof *labels);
	size_t *extend = arena_array(&scratch, p->vgprs, sizeof *extend);
	size_t *stack = arena_array(&scratch, p->labels + 1, sizeof *stack), depth = 0;
	pass_find_labels(p, labels);
	for (size_t i = 0; i < p->inst_count; i++) {
		const struct isa_inst *in = &p->insts[i];
		const struct isa_info *info = &isa_info[in->op];
		if (in->op == ISA_loop)
			stack[depth++] = in->at[0].value;
		else if (in->op == ISA_end && labels[in->at[0].value].is_loop)
			depth--;
		for (unsigned o = info->results; o < info->count; o++) {
			if (in->at[o].file != a->file)
				continue;
			struct interval *v = &a->intervals[in->at[o].value];
			for (size_t d = 0; d < depth; d++) /* outermost loop that the value enters from outside */
				if (v->start < 2 * labels[stack[d]].start) {
					size_t end = 2 * labels[stack[d]].end;
					extend[v->reg] = end > extend[v->reg] ? end : extend[v->reg];
					break;
				}
		}
	}
	for (uint32_t r = 0; r < p->vgprs; r++)
		if (a->intervals[r].seen && a->intervals[r].end < extend[r])
			a->intervals[r].end = extend[r];
	arena_finish(&scratch);
}

static int by_start(const void *x, const void *y)
{
	const struct interval *a = *(struct interval *const *)x, *b = *(struct interval *const *)y;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->reg < b->reg ? -1 : a->reg > b->reg;
}

/* The register of the value that is copied here, where it ends here; else the lowest free one. */
static uint32_t pick_register(const struct allocator *a, const struct interval *v, struct interval *const *owner)
{
	if (v->hint != UINT32_MAX) {
		const struct interval *from = &a->intervals[v->hint];
		if (from->seen && !from->spilled && from->start < v->start && !owner[from->physical])
			return from->physical;
	}
	for (uint32_t r = 0; r < a->limit; r++)
		if (!owner[r])
			return r;
	return UINT32_MAX;
}

/* No register is free: the interval that ends last goes, unless it is one that cannot. */
static void spill_one(struct allocator *a, struct interval *v, struct interval **owner)
{
	uint32_t victim = UINT32_MAX;
	for (uint32_t r = 0; r < a->limit; r++)
		if (!owner[r]->fixed && (victim == UINT32_MAX || owner[r]->end > owner[victim]->end))
			victim = r;
	a->any_spilled = true;
	if (victim == UINT32_MAX || (!v->fixed && v->end >= owner[victim]->end)) {
		assert(!v->fixed && "more operands in one instruction than registers");
		v->spilled = true;
		return;
	}
	owner[victim]->spilled = true;
	v->physical = victim;
	owner[victim] = v;
}

static void scan(struct allocator *a)
{
	struct arena scratch = {0};
	struct interval **order = arena_array(&scratch, a->p->vgprs, sizeof *order);
	struct interval **owner = arena_array(&scratch, a->limit, sizeof *owner);
	size_t count = 0;
	for (uint32_t r = 0; r < a->p->vgprs; r++)
		if (a->intervals[r].seen)
			order[count++] = &a->intervals[r];
	qsort(order, count, sizeof *order, by_start);
	for (size_t i = 0; i < count; i++) {
		struct interval *v = order[i];
		for (uint32_t r = 0; r < a->limit; r++)
			if (owner[r] && owner[r]->end < v->start)
				owner[r] = NULL;
		v->physical = pick_register(a, v, owner);
		if (v->physical == UINT32_MAX) {
			spill_one(a, v, owner);
			continue;
		}
		owner[v->physical] = v;
		if (v->physical >= a->used)
			a->used = v->physical + 1;
	}
	arena_finish(&scratch);
}

static void allocate_file(struct allocator *a, struct arena *scratch)
{
	a->intervals = arena_array(scratch, a->p->vgprs, sizeof *a->intervals);
	for (size_t r = 0; r < a->fixed_count; r++)
		a->intervals[r].fixed = a->fixed[r];
	a->any_spilled = false;
	a->used = 0;
	find_occurrences(a);
	extend_over_loops(a);
	scan(a);
}

/* ---- spilling vectors ---- */

struct spiller {
	struct isa_program *p;
	const struct interval *intervals;
	uint32_t *slot;            /* [old vgprs] scratch dword of a spilled register */
	struct isa_inst *out;
	size_t count, cap;
	uint32_t next_reg;
};

static void emit(struct spiller *s, const struct isa_inst *in)
{
	struct isa_inst *to = ARRAY_PUSH(s->out, s->count, s->cap);
	*to = *in;
}

static void finish_rewrite(struct spiller *s)
{
	s->p->inst_count = 0;
	for (size_t i = 0; i < s->count; i++)
		*isa_append(s->p, s->out[i].op) = s->out[i];
	s->p->vgprs = s->next_reg;
	free(s->out);
}

static struct isa_operand number(uint32_t n) { return (struct isa_operand){ISA_IMM, n}; }
static struct isa_operand literal(uint32_t bits) { return (struct isa_operand){ISA_LIT, bits}; }

static void spill_instruction(struct spiller *s, const struct isa_inst *old)
{
	struct isa_inst in = *old, after[ISA_OPERANDS_MAX];
	const struct isa_info *info = &isa_info[in.op];
	unsigned stores = 0;
	for (unsigned k = 0; k < info->count; k++) {
		unsigned o = (k + info->results) % info->count; /* loads of sources come first */
		struct isa_operand was = in.at[o];
		if (was.file != ISA_V || !s->intervals[was.value].spilled)
			continue;
		struct isa_operand temp = {ISA_V, s->next_reg++}, at = number(s->slot[was.value]);
		in.at[o] = temp;
		if (o >= info->results)
			emit(s, &(struct isa_inst){ISA_ld_scratch, {temp, at, number(1), literal(0)}});
		else
			after[stores++] = (struct isa_inst){ISA_st_scratch, {at, number(1), literal(0), temp}};
	}
	emit(s, &in);
	for (unsigned i = 0; i < stores; i++)
		emit(s, &after[i]);
}

static void spill_vectors(struct isa_program *p, const struct interval *intervals, struct arena *scratch)
{
	struct spiller s = {.p = p, .intervals = intervals, .next_reg = p->vgprs};
	s.slot = arena_array(scratch, p->vgprs, sizeof *s.slot);
	for (uint32_t r = 0; r < p->vgprs; r++)
		if (intervals[r].spilled)
			s.slot[r] = p->scratch++;
	for (size_t i = 0; i < p->inst_count; i++)
		spill_instruction(&s, &p->insts[i]);
	finish_rewrite(&s);
}

/* ---- the driver ---- */

static void rename_file(struct isa_program *p, const struct allocator *a)
{
	for (size_t i = 0; i < p->inst_count; i++) {
		struct isa_inst *in = &p->insts[i];
		for (unsigned o = 0; o < isa_info[in->op].count; o++)
			if (in->at[o].file == a->file)
				in->at[o].value = a->intervals[in->at[o].value].physical;
	}
}

static void drop_self_moves(struct isa_program *p)
{
	size_t n = 0;
	for (size_t i = 0; i < p->inst_count; i++) {
		const struct isa_inst *in = &p->insts[i];
		bool self = in->op == ISA_mov && in->at[0].file == in->at[1].file && in->at[0].value == in->at[1].value;
		if (!self)
			p->insts[n++] = *in;
	}
	p->inst_count = n;
}

/* A result that has to be scalar lives for one instruction and is copied, so that what lives longer may become a vector.
 * Copies that turn out to be needless go with drop_self_moves(). */
static void split_scalar_results(struct isa_program *p)
{
	struct spiller s = {.p = p, .next_reg = p->vgprs};
	for (size_t i = 0; i < p->inst_count; i++) {
		struct isa_inst in = p->insts[i], copies[2];
		unsigned count = 0;
		for (unsigned o = 0; o < isa_info[in.op].results; o++)
			if (isa_info[in.op].operands[o] == 's') {
				assert(count < ARRAY_COUNT(copies));
				copies[count++] = (struct isa_inst){ISA_mov, {in.at[o], {ISA_V, s.next_reg}}};
				in.at[o] = (struct isa_operand){ISA_V, s.next_reg++};
			}
		emit(&s, &in);
		for (unsigned c = 0; c < count; c++)
			emit(&s, &copies[c]);
	}
	finish_rewrite(&s);
	pass_divergence(p, NULL);
}

/* Scalars that find no register become vectors, with all that is computed from them, until the rest fits. */
static void allocate_scalars(struct allocator *a, struct arena *scratch)
{
	uint8_t *forced = arena_array(scratch, a->p->vgprs, 1);
	for (;;) {
		allocate_file(a, scratch);
		if (!a->any_spilled)
			return;
		for (uint32_t r = 0; r < a->p->vgprs; r++)
			if (a->intervals[r].spilled)
				forced[r] = 1;
		pass_divergence(a->p, forced);
	}
}

/* Registers from first_temp on hold a word for one instruction: they cannot be spilled. */
static const uint8_t *mark_fixed(const struct isa_program *p, uint32_t first_temp, struct arena *scratch)
{
	uint8_t *fixed = arena_array(scratch, p->vgprs, 1);
	memset(fixed + first_temp, 1, p->vgprs - first_temp);
	return fixed;
}

void isa_regalloc_limited(struct isa_program *p, uint32_t vgprs, uint32_t sgprs)
{
	struct arena scratch = {0};
	struct allocator s = {.p = p, .file = ISA_S, .limit = sgprs}, v = {.p = p, .file = ISA_V, .limit = vgprs};
	uint32_t first_temp = p->vgprs;
	split_scalar_results(p);
	s.fixed = mark_fixed(p, first_temp, &scratch);
	s.fixed_count = p->vgprs;
	allocate_scalars(&s, &scratch);
	rename_file(p, &s);
	first_temp = p->vgprs;
	for (;;) {
		v.fixed = mark_fixed(p, first_temp, &scratch);
		v.fixed_count = p->vgprs;
		allocate_file(&v, &scratch);
		if (!v.any_spilled)
			break;
		spill_vectors(p, v.intervals, &scratch);
	}
	rename_file(p, &v);
	drop_self_moves(p);
	p->vgprs = v.used;
	p->sgprs = s.used;
	p->allocated = true;
	arena_finish(&scratch);
}

void isa_regalloc(struct isa_program *p) { isa_regalloc_limited(p, ISA_VGPRS_MAX - ISA_EXPORT_TEMPS, ISA_SGPRS_MAX); }
