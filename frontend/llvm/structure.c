/* Takes nodes in linear order; emits them with block/loop/end and branches (a stackifier, as WebAssembly compilers have).
 *
 * A forward branch that does not fall through needs a block that ends where its target stands; a loop is a scope from
 * its header to its last node. Scopes must nest: a block that would open inside a scope which ends before it does is
 * opened at that scope's start instead. So code behind a loop is never inside it, and nothing is duplicated. */
#include "frontend/llvm/llvm.h"
#include <stdlib.h>
#include <string.h>

struct scope {
	size_t start, end;                 /* positions; end is exclusive */
	bool is_loop;
	uint32_t label;
};
struct structure {
	struct lower *l;
	const struct cfg *g;
	struct scope *scopes;
	size_t scope_count;
	uint32_t *block_label, *loop_label; /* [positions] of a target */
	uint32_t *leader;                  /* [positions] union-find: start of the finished scopes around it */
};

/* ---- where scopes open and end ---- */

static uint32_t find_leader(struct structure *s, uint32_t at)
{
	while (s->leader[at] != at)
		at = s->leader[at] = s->leader[s->leader[at]];
	return at;
}

/* [start, end) is finished: from now on its inside stands for its start. */
static void finish_scope(struct structure *s, uint32_t start, size_t end, bool is_loop)
{
	struct scope *scope = &s->scopes[s->scope_count++];
	*scope = (struct scope){start, end, is_loop, 0};
	uint32_t first = find_leader(s, start);
	for (size_t at = end; at-- > (size_t)start + 1;) {
		at = find_leader(s, (uint32_t)at);
		if (at <= start)
			break;
		s->leader[at] = first;
	}
}

static bool falls_through(size_t from, size_t to) { return to == from + 1; }

/* Of a switch, only the default can fall through: cases branch. */
static bool needs_label(const struct structure *s, size_t from, size_t to)
{
	uint32_t node = s->g->order[from];
	const struct cfg_node *n = &s->g->nodes[node];
	LLVMValueRef t = n->block ? LLVMGetBasicBlockTerminator(n->block) : NULL;
	if (!falls_through(from, to))
		return true;
	return t && n->succ_count > 1 && LLVMGetInstructionOpcode(t) == LLVMSwitch &&
		cfg_successor(s->g, node, LLVMGetSwitchDefaultDest(t)) != s->g->order[to];
}

/* The first position that branches forward to `to`, or `to` if all of them fall through. */
static size_t first_branch(const struct structure *s, size_t to)
{
	const struct cfg_node *n = &s->g->nodes[s->g->order[to]];
	size_t first = to;
	for (uint32_t i = 0; i < n->pred_count; i++) {
		size_t from = s->g->position[n->pred[i]];
		if (from < to && from < first && needs_label(s, from, to))
			first = from;
	}
	return first;
}

/* Loops that end before position `end`, inner ones first: by end, then by start from behind. */
static int by_end(const void *x, const void *y)
{
	const struct scope *a = x, *b = y;
	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	return a->start > b->start ? -1 : a->start < b->start;
}

static int by_opening(const void *x, const void *y)
{
	const struct scope *a = x, *b = y;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return a->is_loop - b->is_loop; /* of the same stretch: the block is around the loop */
}

static void find_scopes(struct structure *s)
{
	const struct cfg *g = s->g;
	struct arena *a = s->l->a;
	size_t next_loop = 0;
	struct scope *loops = arena_array(a, g->loop_count, sizeof *loops);
	s->scopes = arena_array(a, g->loop_count + g->node_count, sizeof *s->scopes);
	s->leader = arena_array(a, g->node_count + 1, sizeof *s->leader);
	for (size_t i = 0; i <= g->node_count; i++)
		s->leader[i] = (uint32_t)i;
	for (size_t i = 0; i < g->loop_count; i++)
		loops[i] = (struct scope){g->position[g->loops[i].header], g->loops[i].last, true, 0};
	qsort(loops, g->loop_count, sizeof *loops, by_end);
	for (size_t to = 0; to < g->node_count; to++) {
		for (; next_loop < g->loop_count && loops[next_loop].end <= to; next_loop++)
			finish_scope(s, (uint32_t)loops[next_loop].start, loops[next_loop].end, true);
		size_t from = first_branch(s, to);
		if (from < to)
			finish_scope(s, find_leader(s, (uint32_t)from), to, false);
	}
	for (; next_loop < g->loop_count; next_loop++)
		finish_scope(s, (uint32_t)loops[next_loop].start, loops[next_loop].end, true);
	qsort(s->scopes, s->scope_count, sizeof *s->scopes, by_opening);
}

/* ---- branches ---- */

static uint32_t label_of(const struct structure *s, size_t from, size_t to)
{
	return to <= from ? s->loop_label[to] : s->block_label[to];
}

static void branch(struct structure *s, size_t from, uint32_t node)
{
	size_t to = s->g->position[node];
	if (!falls_through(from, to))
		emit(s->l, ISA_br, 1, (struct isa_operand[]){op_imm(label_of(s, from, to))});
}

static void branch_if(struct structure *s, enum isa_op op, size_t from, uint32_t node, struct isa_operand condition)
{
	size_t to = s->g->position[node];
	emit(s->l, op, 2, (struct isa_operand[]){op_imm(label_of(s, from, to)), condition});
}

static void conditional(struct structure *s, size_t from, uint32_t node, LLVMValueRef terminator)
{
	uint32_t yes = cfg_successor(s->g, node, LLVMGetSuccessor(terminator, 0));
	uint32_t no = cfg_successor(s->g, node, LLVMGetSuccessor(terminator, 1));
	if (yes == no) {
		branch(s, from, yes);
		return;
	}
	struct isa_operand condition = lower_operand(s->l, LLVMGetCondition(terminator));
	if (falls_through(from, s->g->position[yes])) {
		branch_if(s, ISA_br_ifn, from, no, condition);
		return;
	}
	branch_if(s, ISA_br_if, from, yes, condition);
	branch(s, from, no);
}

/* Cases in their order, then the default. */
static void switch_chain(struct structure *s, size_t from, uint32_t node, LLVMValueRef terminator)
{
	struct lower *l = s->l;
	unsigned count = LLVMGetNumOperands(terminator) < 0 ? 0 : (unsigned)LLVMGetNumOperands(terminator);
	uint32_t otherwise = cfg_successor(s->g, node, LLVMGetSwitchDefaultDest(terminator));
	LLVMValueRef selector = LLVMGetOperand(terminator, 0);
	if (!lower_check_word(l, LLVMTypeOf(selector), "switch"))
		return;
	struct isa_operand value = lower_extended(l, selector, false);
	for (unsigned i = 2; i + 1 < count; i += 2) { /* operands: selector, default, then value and target of each case */
		uint32_t to = cfg_successor(s->g, node, LLVMGetSuccessor(terminator, i / 2));
		if (to == otherwise)
			continue;
		struct isa_operand same = emit2(l, ISA_cmp_eq_u32, value, lower_extended(l, LLVMGetOperand(terminator, i), false));
		branch_if(s, ISA_br_if, from, to, same);
	}
	branch(s, from, otherwise);
}

static void terminate(struct structure *s, size_t from, uint32_t node)
{
	const struct cfg_node *n = &s->g->nodes[node];
	LLVMValueRef t = LLVMGetBasicBlockTerminator(n->block);
	switch (LLVMGetInstructionOpcode(t)) {
	case LLVMRet:
		branch(s, from, s->g->exit);
		return;
	case LLVMBr:
		if (n->succ_count == 1 && s->g->nodes[n->succ[0]].block)
			lower_phi_copies(s->l, n->block, s->g->nodes[n->succ[0]].block);
		if (LLVMIsConditional(t))
			conditional(s, from, node, t);
		else
			branch(s, from, n->succ[0]);
		return;
	case LLVMSwitch:
		if (n->succ_count == 1 && s->g->nodes[n->succ[0]].block)
			lower_phi_copies(s->l, n->block, s->g->nodes[n->succ[0]].block);
		switch_chain(s, from, node, t);
		return;
	default:
		lower_unsupported(s->l, "terminator %d", (int)LLVMGetInstructionOpcode(t));
	}
}

/* ---- the walk ---- */

static void visit(struct structure *s, size_t at)
{
	uint32_t node = s->g->order[at];
	const struct cfg_node *n = &s->g->nodes[node];
	if (n->block) {
		lower_block(s->l, n->block);
		if (!s->l->failed)
			terminate(s, at, node);
	} else if (n->to) {
		lower_phi_copies(s->l, n->from, n->to);
		branch(s, at, n->succ[0]);
	}
}

static void open_scope(struct structure *s, struct scope *scope)
{
	scope->label = s->l->p->labels++;
	(scope->is_loop ? s->loop_label : s->block_label)[scope->is_loop ? scope->start : scope->end] = scope->label;
	emit(s->l, scope->is_loop ? ISA_loop : ISA_block, 1, (struct isa_operand[]){op_imm(scope->label)});
}

bool structure_function(struct lower *l)
{
	struct structure structure = {.l = l, .g = l->cfg}, *s = &structure;
	size_t positions = l->cfg->node_count + 1, next = 0, depth = 0;
	s->block_label = arena_array(l->a, positions, sizeof(uint32_t));
	s->loop_label = arena_array(l->a, positions, sizeof(uint32_t));
	find_scopes(s);
	struct scope **stack = arena_array(l->a, s->scope_count + 1, sizeof *stack);
	for (size_t at = 0; at < positions && !l->failed; at++) {
		while (depth && stack[depth - 1]->end == at)
			emit(l, ISA_end, 1, (struct isa_operand[]){op_imm(stack[--depth]->label)});
		while (next < s->scope_count && s->scopes[next].start == at) {
			stack[depth++] = &s->scopes[next];
			open_scope(s, &s->scopes[next++]);
		}
		if (at < l->cfg->node_count)
			visit(s, at);
	}
	return !l->failed;
}
