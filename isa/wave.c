/* A wave's storage: registers, masks, inputs, export slots, and where each label opens and ends. */
#include "isa/passes.h"
#include <string.h>

static size_t scalar_count(const struct isa_program *p)
{
	/* before allocation scalar and vector registers share their numbers */
	return p->allocated || p->sgprs > p->vgprs ? p->sgprs : p->vgprs;
}

struct isa_wave *isa_wave_create(const struct isa_program *p)
{
	struct isa_wave *w = mem_alloc(sizeof *w);
	w->v = mem_array(p->vgprs, sizeof *w->v);
	w->s = mem_array(scalar_count(p), sizeof *w->s);
	w->scratch = mem_array(p->scratch, sizeof *w->scratch);
	w->pending = mem_array(p->labels, sizeof *w->pending);
	w->exited = mem_array(p->labels, sizeof *w->exited);
	w->in = mem_array(p->input_count, sizeof *w->in);
	w->sys = mem_array(ISA_SYS_COUNT, sizeof *w->sys);
	w->out = mem_array(ISA_TARGET_COUNT, sizeof *w->out);
	w->label_start = mem_array(p->labels, sizeof *w->label_start);
	w->is_loop = mem_array(p->labels, sizeof *w->is_loop);
	w->enclosing_end = mem_array(p->inst_count, sizeof *w->enclosing_end);

	struct label_range *labels = mem_array(p->labels, sizeof *labels);
	size_t *stack = mem_array(p->labels + 1u, sizeof *stack), depth = 0;
	pass_find_labels(p, labels);
	stack[depth] = p->inst_count - 1; /* outside of all: the end of the program */
	for (size_t i = 0; i < p->inst_count; i++) {
		const struct isa_inst *in = &p->insts[i];
		depth -= in->op == ISA_end;
		w->enclosing_end[i] = stack[depth];
		if (in->op == ISA_block || in->op == ISA_loop) {
			uint32_t l = in->at[0].value;
			w->label_start[l] = labels[l].start;
			w->is_loop[l] = labels[l].is_loop;
			stack[++depth] = labels[l].end;
		}
	}
	mem_free(labels);
	mem_free(stack);
	return w;
}

/* Registers start as zeros: derivatives look at lanes that are elsewhere, and must not see an earlier wave's words. */
void isa_wave_reset(const struct isa_program *p, struct isa_wave *w, uint64_t exec, uint64_t live)
{
	w->exec = exec;
	w->live = live;
	w->pc = 0;
	memset(w->pending, 0, p->labels * sizeof *w->pending);
	memset(w->exited, 0, p->labels * sizeof *w->exited);
	memset(w->exported, 0, sizeof w->exported);
	memset(w->v, 0, p->vgprs * sizeof *w->v);
	memset(w->s, 0, scalar_count(p) * sizeof *w->s);
	memset(w->scratch, 0, p->scratch * sizeof *w->scratch);
	memset(&w->record, 0, sizeof w->record);
}

void isa_wave_destroy(struct isa_wave *w)
{
	if (!w)
		return;
	void *parts[] = {w->v, w->s, w->scratch, w->pending, w->exited, w->in, w->sys, w->out, w->label_start, w->is_loop,
		w->enclosing_end};
	for (size_t i = 0; i < ARRAY_COUNT(parts); i++)
		mem_free(parts[i]);
	mem_free(w);
}
