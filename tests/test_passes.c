/* Divergence analysis and register allocation: generated programs give the same exports before both passes (every
 * register a vector, none shared) and after them, with plenty of registers and with very few; and small programs whose
 * uniform registers are known by hand. */
#include "isa/isa.h"
#include <criterion/criterion.h>
#include <string.h>

/* ---- a generator of structured programs that always end ---- */

enum { VARIABLES = 6, TEMPS_MAX = 64, INPUTS = 2, SCRATCH = 4 };
struct generator {
	struct isa_program *p;
	uint64_t seed;
	uint32_t temps[TEMPS_MAX], temp_count;  /* readable here */
	uint32_t open[16], open_count;          /* labels of the blocks around us */
	int fuel;
};

static uint32_t rnd(struct generator *g, uint32_t n)
{
	g->seed = g->seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(g->seed >> 33) % n;
}

static struct isa_operand reg(uint32_t r) { return (struct isa_operand){ISA_V, r}; }
static struct isa_operand imm(uint32_t n) { return (struct isa_operand){ISA_IMM, n}; }
static struct isa_operand lit(uint32_t n) { return (struct isa_operand){ISA_LIT, n}; }
static uint32_t fresh(struct generator *g) { return g->p->vgprs++; }

static void put(struct generator *g, enum isa_op op, struct isa_operand a, struct isa_operand b, struct isa_operand c)
{
	struct isa_inst *in = isa_append(g->p, op);
	in->at[0] = a;
	in->at[1] = b;
	in->at[2] = c;
}

static struct isa_operand pick(struct generator *g)
{
	uint32_t kind = rnd(g, 8);
	if (kind == 0)
		return lit(rnd(g, 100));
	if (kind < 4 || !g->temp_count)
		return reg(rnd(g, VARIABLES));
	return reg(g->temps[rnd(g, g->temp_count)]);
}

/* A word goes to an array in scratch, another comes back. */
static void scratch(struct generator *g, uint32_t d, struct isa_operand at, struct isa_operand word)
{
	struct isa_inst *in = isa_append(g->p, ISA_st_scratch);
	in->at[0] = imm(0);
	in->at[1] = imm(SCRATCH);
	in->at[2] = lit(rnd(g, SCRATCH));
	in->at[3] = word;
	in = isa_append(g->p, ISA_ld_scratch);
	in->at[0] = reg(d);
	in->at[1] = imm(0);
	in->at[2] = imm(SCRATCH);
	in->at[3] = at;
}

static void arithmetic(struct generator *g)
{
	static const uint16_t ops[] = {ISA_add_u32, ISA_xor_b32, ISA_mul_lo_u32, ISA_min_u32, ISA_sub_u32, ISA_cmp_lt_u32};
	uint32_t d = fresh(g);
	struct isa_operand a = pick(g), b = pick(g);
	switch (rnd(g, 12)) {
	default: put(g, ops[rnd(g, ARRAY_COUNT(ops))], reg(d), a, b); break;
	case 0: put(g, ISA_readfirst, reg(d), a, (struct isa_operand){0}); break;
	case 1: scratch(g, d, a, b); break;
	}
	if (g->temp_count < TEMPS_MAX)
		g->temps[g->temp_count++] = d;
	if (rnd(g, 2))
		put(g, ISA_mov, reg(rnd(g, VARIABLES)), reg(d), (struct isa_operand){0});
}

static uint32_t condition(struct generator *g)
{
	uint32_t d = fresh(g);
	struct isa_operand a = pick(g), b = pick(g);
	put(g, ISA_cmp_lt_u32, reg(d), a, b);
	return d;
}

static void body(struct generator *g, int depth);

static void scope(struct generator *g, int depth)
{
	uint32_t temps = g->temp_count;
	body(g, depth + 1);
	g->temp_count = temps;
}

static void block(struct generator *g, int depth)
{
	uint32_t label = g->p->labels++;
	put(g, ISA_block, imm(label), (struct isa_operand){0}, (struct isa_operand){0});
	g->open[g->open_count++] = label;
	scope(g, depth);
	g->open_count--;
	put(g, ISA_end, imm(label), (struct isa_operand){0}, (struct isa_operand){0});
}

/* for (i = 0; i < bound; i++) with a uniform or per-lane bound below 8 */
static void loop(struct generator *g, int depth)
{
	uint32_t label = g->p->labels++, i = fresh(g), bound = fresh(g), next = fresh(g), again = fresh(g);
	struct isa_operand none = {0};
	put(g, ISA_and_b32, reg(bound), pick(g), lit(7));
	put(g, ISA_mov, reg(i), lit(0), none);
	put(g, ISA_loop, imm(label), none, none);
	uint32_t outer = g->open_count, temps = g->temp_count;
	g->temps[g->temp_count < TEMPS_MAX ? g->temp_count++ : 0] = i;
	body(g, depth + 1);
	g->open_count = outer;
	put(g, ISA_add_u32, reg(next), reg(i), lit(1));
	put(g, ISA_cmp_lt_u32, reg(again), reg(next), reg(bound));
	put(g, ISA_mov, reg(i), reg(next), none);
	put(g, ISA_br_if, imm(label), reg(again), none);
	put(g, ISA_end, imm(label), none, none);
	g->temp_count = temps;
	if (g->temp_count < TEMPS_MAX)
		g->temps[g->temp_count++] = next; /* a value of the last trip, read after the loop */
}

static void body(struct generator *g, int depth)
{
	int count = 2 + (int)rnd(g, 5);
	while (count-- && g->fuel-- > 0) {
		switch (depth < 5 ? rnd(g, 8) : rnd(g, 5)) {
		default: arithmetic(g); break;
		case 4:
			if (g->open_count) {
				uint32_t target = g->open[rnd(g, g->open_count)], c = condition(g);
				put(g, rnd(g, 2) ? ISA_br_if : ISA_br_ifn, imm(target), reg(c), (struct isa_operand){0});
			}
			break;
		case 5: case 6: block(g, depth); break;
		case 7: loop(g, depth); break;
		}
	}
}

static struct isa_program *generate(uint64_t seed)
{
	struct generator g = {.p = isa_program_create(), .seed = seed, .fuel = 120};
	g.p->stage = ISA_PIXEL;
	g.p->wave_size = seed & 1 ? 32 : 64;
	g.p->inputs = arena_array(&g.p->arena, INPUTS, sizeof *g.p->inputs);
	g.p->input_count = INPUTS;
	for (uint32_t i = 0; i < INPUTS; i++)
		g.p->inputs[i] = (struct isa_io){.name = "IN", .index = i, .type = ISA_U32, .interp = ISA_INTERP_CONSTANT,
			.cols = 1, .used = 1, .reg = i};
	g.p->vgprs = VARIABLES;
	g.p->scratch = SCRATCH;
	for (uint32_t v = 0; v < VARIABLES; v++)
		if (v < INPUTS)
			put(&g, ISA_ld_in, reg(v), imm(v), imm(0));
		else
			put(&g, ISA_mov, reg(v), lit(v * 3), (struct isa_operand){0});
	for (int i = 0; i < 6; i++)
		body(&g, 0);
	for (uint32_t v = 0; v < VARIABLES; v++) {
		struct isa_inst *e = isa_append(g.p, ISA_exp_sym);
		e->at[0] = imm(v);
		e->at[1] = imm(ISA_U32);
		e->at[2] = imm(1);
		e->at[3] = reg(v);
	}
	isa_append(g.p, ISA_endpgm);
	return g.p;
}

/* ---- running and comparing ---- */

static void run(const struct isa_program *p, uint64_t seed, uint32_t out[VARIABLES][ISA_LANES_MAX])
{
	struct isa_wave *w = isa_wave_create(p);
	struct isa_env env = {0};
	uint64_t all = p->wave_size == 32 ? 0xffffffffu : ~0ull;
	isa_wave_reset(p, w, all, all);
	w->budget = 1 << 22;
	for (unsigned l = 0; l < p->wave_size; l++)
		for (unsigned i = 0; i < p->input_count; i++)
			w->in[i][0][l] = (uint32_t)((seed + l) * (i ? 2654435761u : 40503u) >> 7) & 31;
	cr_assert_eq(isa_run(p, w, &env), ISA_DONE);
	for (unsigned v = 0; v < VARIABLES; v++)
		memcpy(out[v], w->out[v][0], sizeof out[v]);
	isa_wave_destroy(w);
}

static void check_valid(const struct isa_program *p, uint64_t seed)
{
	struct kiln_diags *d = kiln_diags_create();
	if (!isa_validate(p, "generated", d))
		cr_assert(false, "seed %llu: %s", (unsigned long long)seed, kiln_diags_get(d, 0)->text);
	kiln_diags_destroy(d);
}

Test(passes, generated_programs_keep_their_meaning)
{
	static uint32_t want[VARIABLES][ISA_LANES_MAX], got[VARIABLES][ISA_LANES_MAX];
	static const uint32_t limits[][2] = {{252, 128}, {8, 128}, {40, 4}, {6, 2}};
	unsigned scalars = 0, spilled = 0;
	for (uint64_t seed = 1; seed <= 400; seed++) {
		struct isa_program *plain = generate(seed);
		run(plain, seed, want);
		for (size_t k = 0; k < ARRAY_COUNT(limits); k++) {
			struct isa_program *p = isa_program_copy(plain);
			isa_divergence(p);
			isa_regalloc_limited(p, limits[k][0], limits[k][1]);
			check_valid(p, seed);
			cr_assert(p->vgprs <= limits[k][0] && p->sgprs <= limits[k][1]);
			run(p, seed, got);
			for (unsigned v = 0; v < VARIABLES; v++)
				for (unsigned l = 0; l < p->wave_size; l++)
					cr_assert_eq(got[v][l], want[v][l], "seed %llu limits %zu variable %u lane %u: %u, want %u",
						(unsigned long long)seed, k, v, l, got[v][l], want[v][l]);
			scalars += p->sgprs != 0;
			spilled += p->scratch > SCRATCH;
			isa_program_destroy(p);
		}
		isa_program_destroy(plain);
	}
	cr_assert(scalars > 400 && spilled > 100, "the test would prove nothing: %u with scalars, %u spilled", scalars, spilled);
}

/* Values that instructions demand to be scalar, more of them alive at once than there are scalar registers. */
Test(passes, demanded_scalars_need_no_scalar_registers)
{
	enum { COUNT = 200, FIRST = 7 };
	struct isa_program *p = isa_program_create();
	struct generator g = {.p = p};
	p->stage = ISA_PIXEL;
	p->wave_size = 32;
	p->vgprs = COUNT + 2;
	for (uint32_t i = 0; i < COUNT; i++)
		put(&g, ISA_readfirst, reg(i), lit(i + FIRST), (struct isa_operand){0});
	put(&g, ISA_mov, reg(COUNT), lit(0), (struct isa_operand){0});
	uint32_t want = 0;
	for (uint32_t i = 0; i < COUNT; i++) { /* last to first, so that all live until here */
		put(&g, ISA_mul_lo_u32, reg(COUNT), reg(COUNT), lit(31));
		put(&g, ISA_add_u32, reg(COUNT), reg(COUNT), reg(COUNT - 1 - i));
		want = want * 31 + COUNT - 1 - i + FIRST;
	}
	struct isa_inst *e = isa_append(p, ISA_exp_sym);
	e->at[0] = imm(0);
	e->at[1] = imm(ISA_U32);
	e->at[2] = imm(1);
	e->at[3] = reg(COUNT);
	isa_append(p, ISA_endpgm);
	isa_divergence(p);
	isa_regalloc_limited(p, 32, 8);
	check_valid(p, 0);
	static uint32_t out[VARIABLES][ISA_LANES_MAX];
	run(p, 0, out);
	for (unsigned l = 0; l < 32; l++)
		cr_assert_eq(out[0][l], want);
	isa_program_destroy(p);
}

/* ---- uniform or not, known by hand ---- */

static const struct { const char *what, *text; uint32_t reg; bool uniform; } cases[] = {
	{"computed from literals", "mov v0, 0x5\n", 0, true},
	{"an input", "ld_in v0, in0, x\n", 0, false},
	{"written on one side of a divergent branch, read after it",
		"mov v1, 0x0\nld_in v0, in0, x\nblock L0\nbr_if L0, v0\nmov v1, 0x1\nend L0\nadd_u32 v2, v1, 0x1\n", 1, false},
	{"written and read on one side alone",
		"ld_in v0, in0, x\nblock L0\nbr_if L0, v0\nmov v1, 0x1\nadd_u32 v2, v1, 0x1\nend L0\n", 1, true},
	{"counter of a loop that lanes leave on different trips, read inside",
		"ld_in v0, in0, x\nmov v1, 0x0\nloop L0\nadd_u32 v2, v1, 0x1\ncmp_lt_u32 v3, v2, v0\nmov v1, v2\nbr_if L0, v3\nend L0\n",
		1, true},
	{"the same counter, read after the loop",
		"ld_in v0, in0, x\nmov v1, 0x0\nloop L0\nadd_u32 v2, v1, 0x1\ncmp_lt_u32 v3, v2, v0\nmov v1, v2\nbr_if L0, v3\nend L0\n"
		"add_u32 v4, v1, 0x1\n", 1, false},
	{"carried around an outer loop through a divergent block",
		"ld_in v0, in0, x\nmov v1, 0x0\nmov v4, 0x0\nloop L0\nblock L1\nbr_if L1, v0\nadd_u32 v2, v1, 0x1\nmov v1, v2\nend L1\n"
		"add_u32 v5, v4, 0x1\nmov v4, v5\ncmp_lt_u32 v3, v5, 0x4\nbr_if L0, v3\nend L0\n", 1, false},
};

Test(passes, uniform_registers_known_by_hand)
{
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct buf text = {0};
		buf_printf(&text, ".stage pixel\n.wave 64\n.virtual\n.vgprs 8\n"
			".input 0 \"IN\" 0 type u32 interp constant cols 1 used x reg 0\n%sendpgm\n", cases[i].text);
		struct kiln_diags *d = kiln_diags_create();
		struct isa_program *p = isa_assemble(buf_text(&text), text.size, "case", d);
		cr_assert(p, "%s: %s", cases[i].what, kiln_diags_count(d) ? kiln_diags_get(d, 0)->text : "");
		isa_divergence(p);
		for (size_t k = 0; k < p->inst_count; k++)
			if (isa_info[p->insts[k].op].results && p->insts[k].at[0].value == cases[i].reg && p->insts[k].at[0].file != ISA_OFF)
				cr_assert_eq(p->insts[k].at[0].file, cases[i].uniform ? ISA_S : ISA_V, "%s", cases[i].what);
		isa_program_destroy(p);
		kiln_diags_destroy(d);
		buf_finish(&text);
	}
}
