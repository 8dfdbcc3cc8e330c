/* Takes a function; gives its reachable blocks as nodes, with dominators, loops, and an order in which every loop hangs
 * together. Edges that carry phi copies out of a branch become nodes of their own. Irreducible flow is refused: DXC
 * never emits it, and DXIL forbids it. Everything is iterative, since a hostile function can be deep. */
#include "frontend/llvm/llvm.h"
#include <string.h>

/* ---- pointer map ---- */

static size_t map_slot(const struct ptr_map *m, const void *key)
{
	uint64_t h = (uint64_t)(uintptr_t)key * 0x9E3779B97F4A7C15u;
	size_t i = (size_t)(h >> 32) & (m->cap - 1);
	while (m->entries[i].key && m->entries[i].key != key)
		i = (i + 1) & (m->cap - 1);
	return i;
}

void ptr_map_set(struct ptr_map *m, struct arena *a, const void *key, uint32_t value)
{
	if (m->count * 2 >= m->cap) {
		struct ptr_map grown = {NULL, m->count, m->cap ? m->cap * 2 : 64};
		grown.entries = arena_array(a, grown.cap, sizeof *grown.entries);
		for (size_t i = 0; i < m->cap; i++)
			if (m->entries[i].key)
				grown.entries[map_slot(&grown, m->entries[i].key)] = m->entries[i];
		*m = grown;
	}
	size_t i = map_slot(m, key);
	m->count += !m->entries[i].key;
	m->entries[i] = (struct ptr_entry){key, value};
}

bool ptr_map_get(const struct ptr_map *m, const void *key, uint32_t *value)
{
	size_t i = m->cap ? map_slot(m, key) : 0;
	if (!m->cap || !m->entries[i].key)
		return false;
	*value = m->entries[i].value;
	return true;
}

/* ---- nodes in reverse post-order ---- */

/* Successors without duplicates, in the terminator's order. */
static uint32_t distinct_successors(LLVMValueRef terminator, LLVMBasicBlockRef *out, struct ptr_map *seen,
	struct arena *a, uint32_t stamp)
{
	uint32_t count = 0, all = LLVMGetNumSuccessors(terminator), last;
	for (uint32_t i = 0; i < all; i++) {
		LLVMBasicBlockRef s = LLVMGetSuccessor(terminator, i);
		if (ptr_map_get(seen, s, &last) && last == stamp)
			continue;
		ptr_map_set(seen, a, s, stamp);
		out[count++] = s;
	}
	return count;
}

struct walk_frame {
	LLVMBasicBlockRef block, *succ;
	uint32_t count, next;
};

/* Reachable blocks in post-order. */
static LLVMBasicBlockRef *post_order(LLVMValueRef function, struct arena *a, size_t *count)
{
	size_t blocks = LLVMCountBasicBlocks(function), depth = 0;
	LLVMBasicBlockRef *out = arena_array(a, blocks, sizeof *out);
	struct walk_frame *stack = arena_array(a, blocks + 1, sizeof *stack);
	struct ptr_map visited = {0}, seen = {0};
	LLVMBasicBlockRef push = LLVMGetEntryBasicBlock(function);
	uint32_t stamp = 0, ignored;
	*count = 0;
	for (;;) {
		if (push) {
			LLVMValueRef t = LLVMGetBasicBlockTerminator(push);
			struct walk_frame *f = &stack[depth++];
			*f = (struct walk_frame){push, arena_array(a, LLVMGetNumSuccessors(t) + 1, sizeof *f->succ), 0, 0};
			f->count = distinct_successors(t, f->succ, &seen, a, ++stamp);
			ptr_map_set(&visited, a, push, 0);
			push = NULL;
		}
		struct walk_frame *f = &stack[depth - 1];
		if (f->next < f->count) {
			LLVMBasicBlockRef s = f->succ[f->next++];
			push = ptr_map_get(&visited, s, &ignored) ? NULL : s;
			continue;
		}
		out[(*count)++] = f->block;
		if (!--depth)
			return out;
	}
}

static bool has_phi(LLVMBasicBlockRef b)
{
	LLVMValueRef first = LLVMGetFirstInstruction(b);
	return first && LLVMGetInstructionOpcode(first) == LLVMPHI;
}

struct builder {
	struct cfg *g;
	struct arena *a;
	size_t cap;
	struct ptr_map numbers, seen;
	uint32_t stamp;
};

static uint32_t add_node(struct builder *b, LLVMBasicBlockRef block, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	struct cfg *g = b->g;
	g->nodes = array_reserve(g->nodes, g->node_count, &b->cap, sizeof *g->nodes);
	g->nodes[g->node_count] = (struct cfg_node){
		.block = block, .from = from, .to = to, .idom = CFG_NONE, .loop = CFG_NONE};
	return (uint32_t)g->node_count++;
}

/* The node's successors as blocks; a return goes to the exit. */
static void connect_block(struct builder *b, uint32_t n)
{
	struct cfg *g = b->g;
	LLVMValueRef t = LLVMGetBasicBlockTerminator(g->nodes[n].block);
	uint32_t all = LLVMGetNumSuccessors(t), count;
	LLVMBasicBlockRef *succ = arena_array(b->a, all + 1, sizeof *succ), from = g->nodes[n].block;
	uint32_t *out = arena_array(b->a, all + 1, sizeof *out);
	count = distinct_successors(t, succ, &b->seen, b->a, ++b->stamp);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t to;
		if (!ptr_map_get(&b->numbers, succ[i], &to))
			continue; /* cannot be: a successor of a reachable block is reachable */
		out[i] = to;
		if (count > 1 && has_phi(succ[i])) {
			out[i] = add_node(b, NULL, from, succ[i]);
			g->nodes[out[i]].succ = arena_array(b->a, 1, sizeof *out);
			g->nodes[out[i]].succ[0] = to;
			g->nodes[out[i]].succ_count = 1;
		}
	}
	if (!count)
		out[count++] = g->exit;
	g->nodes[n].succ = out;
	g->nodes[n].succ_count = count;
}

static void fill_predecessors(struct cfg *g, struct arena *a)
{
	for (size_t n = 0; n < g->node_count; n++)
		for (uint32_t i = 0; i < g->nodes[n].succ_count; i++)
			g->nodes[g->nodes[n].succ[i]].pred_count++;
	for (size_t n = 0; n < g->node_count; n++) {
		g->nodes[n].pred = arena_array(a, g->nodes[n].pred_count, sizeof(uint32_t));
		g->nodes[n].pred_count = 0;
	}
	for (size_t n = 0; n < g->node_count; n++)
		for (uint32_t i = 0; i < g->nodes[n].succ_count; i++) {
			struct cfg_node *s = &g->nodes[g->nodes[n].succ[i]];
			s->pred[s->pred_count++] = (uint32_t)n;
		}
}

/* Renumbers nodes in reverse post-order of the whole graph; the exit goes last. */
static void renumber(struct cfg *g, struct arena *a)
{
	size_t count = g->node_count, depth = 0, done = count;
	uint32_t *stack = arena_array(a, count, sizeof *stack), *next = arena_array(a, count, sizeof *next);
	uint32_t *number = arena_array(a, count, sizeof *number);
	uint8_t *visited = arena_array(a, count, 1);
	struct cfg_node *sorted = arena_array(a, count, sizeof *sorted);
	visited[g->exit] = 1;
	number[g->exit] = (uint32_t)--done;
	stack[depth++] = 0;
	visited[0] = 1;
	while (depth) {
		uint32_t n = stack[depth - 1];
		if (next[n] < g->nodes[n].succ_count) {
			uint32_t s = g->nodes[n].succ[next[n]++];
			if (!visited[s]) {
				visited[s] = 1;
				stack[depth++] = s;
			}
			continue;
		}
		number[n] = (uint32_t)--done;
		depth--;
	}
	for (size_t n = 0; n < count; n++) {
		for (uint32_t i = 0; i < g->nodes[n].succ_count; i++)
			g->nodes[n].succ[i] = number[g->nodes[n].succ[i]];
		sorted[number[n]] = g->nodes[n];
	}
	mem_free(g->nodes);
	g->nodes = sorted;
	g->exit = (uint32_t)count - 1;
}

/* ---- dominators (Cooper, Harvey, Kennedy, 2001) ---- */

static uint32_t common_dominator(const struct cfg *g, uint32_t x, uint32_t y)
{
	while (x != y) {
		while (x > y)
			x = g->nodes[x].idom;
		while (y > x)
			y = g->nodes[y].idom;
	}
	return x;
}

static void find_dominators(struct cfg *g)
{
	bool changed = true;
	g->nodes[0].idom = 0;
	while (changed) {
		changed = false;
		for (uint32_t n = 1; n < g->node_count; n++) {
			uint32_t idom = CFG_NONE;
			for (uint32_t i = 0; i < g->nodes[n].pred_count; i++) {
				uint32_t p = g->nodes[n].pred[i];
				if (g->nodes[p].idom != CFG_NONE)
					idom = idom == CFG_NONE ? p : common_dominator(g, idom, p);
			}
			changed |= idom != g->nodes[n].idom;
			g->nodes[n].idom = idom;
		}
	}
}

/* First and last visit in a walk of the dominator tree: x dominates y if y's visits lie within x's. */
static void number_dominator_tree(const struct cfg *g, struct arena *a, uint32_t *first, uint32_t *last)
{
	size_t count = g->node_count, depth = 0;
	uint32_t *child = arena_array(a, count, sizeof *child), *sibling = arena_array(a, count, sizeof *sibling);
	uint32_t *stack = arena_array(a, count, sizeof *stack), clock = 0;
	for (uint32_t n = (uint32_t)count - 1; n > 0; n--) /* 0 stands for none: node 0 is no one's child */
		if (g->nodes[n].idom != CFG_NONE) {
			sibling[n] = child[g->nodes[n].idom];
			child[g->nodes[n].idom] = n;
		}
	stack[depth++] = 0;
	first[0] = clock++;
	while (depth) {
		uint32_t n = stack[depth - 1], c = child[n];
		if (!c) {
			last[n] = clock++;
			depth--;
			continue;
		}
		child[n] = sibling[c];
		first[c] = clock++;
		stack[depth++] = c;
	}
}

/* ---- loops ---- */

static uint32_t outermost_so_far(const struct cfg *g, uint32_t loop)
{
	while (g->loops[loop].parent != CFG_NONE)
		loop = g->loops[loop].parent;
	return loop;
}

/* Claims what reaches the header without leaving the loop; inner loops are there already and are claimed whole. */
static void flood_loop(struct cfg *g, uint32_t loop, uint32_t *work, size_t depth)
{
	uint32_t header = g->loops[loop].header;
	while (depth) {
		uint32_t n = work[--depth];
		if (g->nodes[n].loop != CFG_NONE) {
			uint32_t inner = outermost_so_far(g, g->nodes[n].loop);
			if (inner == loop)
				continue;
			g->loops[inner].parent = loop;
			n = g->loops[inner].header;
		} else
			g->nodes[n].loop = loop;
		if (n == header)
			continue;
		for (uint32_t i = 0; i < g->nodes[n].pred_count; i++)
			work[depth++] = g->nodes[n].pred[i];
	}
}

static bool find_loops(struct cfg *g, const struct fe_sink *sink, struct arena *a)
{
	uint32_t *first = arena_array(a, g->node_count, sizeof *first), *last = arena_array(a, g->node_count, sizeof *last);
	size_t edges = 0;
	number_dominator_tree(g, a, first, last);
	for (size_t n = 0; n < g->node_count; n++)
		edges += g->nodes[n].pred_count;
	uint32_t *work = arena_array(a, edges + g->node_count + 1, sizeof *work);
	g->loops = arena_array(a, g->node_count, sizeof *g->loops);
	for (uint32_t h = (uint32_t)g->node_count; h-- > 0;) { /* inner headers have the higher numbers */
		size_t latches = 0;
		for (uint32_t i = 0; i < g->nodes[h].pred_count; i++) {
			uint32_t p = g->nodes[h].pred[i];
			if (p < h)
				continue;
			if (first[p] < first[h] || last[p] > last[h]) {
				diag_add(sink->diags, DIAG_DXIL_INVALID, sink->where, "irreducible control flow");
				return false;
			}
			work[latches++] = p;
		}
		if (!latches)
			continue;
		uint32_t loop = (uint32_t)g->loop_count++;
		g->loops[loop] = (struct cfg_loop){h, CFG_NONE, 0};
		if (g->nodes[h].loop == CFG_NONE)
			g->nodes[h].loop = loop;
		flood_loop(g, loop, work, latches);
	}
	return true;
}

/* ---- the linear order ---- */

/* Items of a loop (or of the function) in reverse post-order, an inner loop at its header's place: a topological order,
 * since a loop is entered at its header alone. Lists are linked backwards and unrolled from the end. */
static void order_nodes(struct cfg *g, struct arena *a)
{
	size_t count = g->node_count, lists = g->loop_count + 1, depth = 0, at = count;
	uint32_t *tail = arena_array(a, lists, sizeof *tail), *before = arena_array(a, count + lists, sizeof *before);
	uint32_t *stack = arena_array(a, lists + 1, sizeof *stack);
	g->order = arena_array(a, count, sizeof *g->order);
	g->position = arena_array(a, count, sizeof *g->position);
	/* items: nodes from 1, loops from count + 1; 0 ends a list; list 0 is the function, list i + 1 loop i */
	for (uint32_t n = 0; n < count; n++) {
		uint32_t loop = g->nodes[n].loop, list = loop == CFG_NONE ? 0 : loop + 1;
		if (loop != CFG_NONE && g->loops[loop].header == n) {
			uint32_t item = (uint32_t)count + 1 + loop, up = g->loops[loop].parent == CFG_NONE ? 0 : g->loops[loop].parent + 1;
			before[item - 1] = tail[up];
			tail[up] = item;
		}
		before[n] = tail[list];
		tail[list] = n + 1;
	}
	stack[depth++] = 0;
	while (depth) {
		uint32_t list = stack[depth - 1], item = tail[list];
		if (!item) {
			depth--;
			continue;
		}
		tail[list] = before[item - 1];
		if (item > count) {
			g->loops[item - count - 1].last = (uint32_t)at;
			stack[depth++] = item - (uint32_t)count;
			continue;
		}
		g->order[--at] = item - 1;
		g->position[item - 1] = (uint32_t)at;
	}
}

bool cfg_build(LLVMValueRef function, const struct fe_sink *sink, struct arena *a, struct cfg *out)
{
	struct builder b = {.g = out, .a = a};
	size_t count;
	LLVMBasicBlockRef *blocks = post_order(function, a, &count);
	for (size_t i = count; i-- > 0;)
		ptr_map_set(&b.numbers, a, blocks[i], add_node(&b, blocks[i], blocks[i], NULL));
	out->exit = add_node(&b, NULL, NULL, NULL);
	for (size_t n = 0; n < count; n++)
		connect_block(&b, (uint32_t)n);
	renumber(out, a);
	fill_predecessors(out, a);
	find_dominators(out);
	if (!find_loops(out, sink, a))
		return false;
	order_nodes(out, a);
	return true;
}

uint32_t cfg_successor(const struct cfg *g, uint32_t node, LLVMBasicBlockRef to)
{
	const struct cfg_node *n = &g->nodes[node];
	for (uint32_t i = 0; i < n->succ_count; i++) {
		const struct cfg_node *s = &g->nodes[n->succ[i]];
		if (s->block == to || s->to == to)
			return n->succ[i];
	}
	return g->exit;
}
