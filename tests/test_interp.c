/* The interpreter: control flow by lane masks, memory, derivatives, discard and exports, for waves of 32 and 64 lanes.
 * Expected values come from plain C, lane by lane, or stand here by hand. */
#include "isa/isa.h"
#include <criterion/criterion.h>

#define V(n) {ISA_V, n}
#define S(n) {ISA_S, n}
#define L(n) {ISA_LIT, n}
#define N(n) {ISA_IMM, n}
#define OFF {ISA_OFF, 0}
#define PUT(p, op, ...) put(p, ISA_##op, (struct isa_operand[]){__VA_ARGS__, OFF})

static void put(struct isa_program *p, enum isa_op op, const struct isa_operand *at)
{
	struct isa_inst *in = isa_append(p, op);
	memcpy(in->at, at, isa_info[op].count * sizeof *at);
}

static struct isa_program *program(unsigned wave_size, unsigned vgprs, unsigned labels)
{
	struct isa_program *p = isa_program_create();
	p->stage = ISA_PIXEL;
	p->flags = ISA_PATCHED;
	p->wave_size = (uint8_t)wave_size;
	p->vgprs = vgprs;
	p->sgprs = 4;
	p->labels = labels;
	p->allocated = true;
	return p;
}

/* Ends the program, has it validated and gives it a wave. */
static struct isa_wave *ready(struct isa_program *p, uint64_t exec, uint64_t live)
{
	struct kiln_diags *d = kiln_diags_create();
	isa_append(p, ISA_endpgm);
	cr_assert(isa_validate(p, "test", d), "%s", kiln_diags_get(d, 0)->text);
	kiln_diags_destroy(d);
	struct isa_wave *w = isa_wave_create(p);
	isa_wave_reset(p, w, exec, live);
	w->budget = 1 << 20;
	return w;
}

static enum isa_result run(const struct isa_program *p, struct isa_wave *w, const struct isa_env *env)
{
	static const struct isa_env none;
	unsigned saved = fp_enter();
	enum isa_result result = isa_run(p, w, env ? env : &none);
	fp_leave(saved);
	return result;
}

static void finish(struct isa_program *p, struct isa_wave *w)
{
	isa_wave_destroy(w);
	isa_program_destroy(p);
}

static const uint64_t masks[] = {~0ull, 1, 1ull << 63, 0x8000000080000000u, 0xaaaaaaaa55555555u, 0x00000000ffff0000u,
	0xffffffff00000000u, 0x0123456789abcdefu};

/* ---- loops ---- */

/* Two nested loops with trip counts of the lane, `continue` of the outer one and `break` of both from within the inner. */
static uint32_t nested_in_c(uint32_t a, uint32_t b, uint32_t c, uint32_t *trips)
{
	uint32_t sum = 7, i;
	for (i = 0; i < a; i++) {
		for (uint32_t j = 0; j < b; j++) {
			if (((i ^ j) & 3) == 3)
				goto next;
			if (i * j == c)
				goto out;
			sum = sum * 3 + i * 8 + j;
		}
		sum += 100;
	next:;
	}
out:
	*trips = i;
	return sum;
}

enum { VA, VB, VC, SUM, VI, VJ, VT, VU };

static struct isa_program *nested_in_isa(unsigned wave_size)
{
	struct isa_program *p = program(wave_size, 8, 6);
	PUT(p, mov, V(SUM), L(7));
	PUT(p, mov, V(VI), L(0));
	PUT(p, block, N(0));               /* out */
	PUT(p, loop, N(1));
	PUT(p, block, N(2));               /* next */
	PUT(p, cmp_lt_u32, V(VT), V(VI), V(VA));
	PUT(p, br_ifn, N(0), V(VT));
	PUT(p, mov, V(VJ), L(0));
	PUT(p, block, N(3));
	PUT(p, loop, N(4));
	PUT(p, cmp_lt_u32, V(VT), V(VJ), V(VB));
	PUT(p, br_ifn, N(3), V(VT));
	PUT(p, xor_b32, V(VT), V(VI), V(VJ));
	PUT(p, and_b32, V(VT), V(VT), L(3));
	PUT(p, cmp_eq_u32, V(VT), V(VT), L(3));
	PUT(p, br_if, N(2), V(VT));
	PUT(p, mul_lo_u32, V(VT), V(VI), V(VJ));
	PUT(p, cmp_eq_u32, V(VT), V(VT), V(VC));
	PUT(p, br_if, N(0), V(VT));
	PUT(p, mad_u32, V(SUM), V(SUM), L(3), V(VJ));
	PUT(p, mad_u32, V(SUM), V(VI), L(8), V(SUM));
	PUT(p, add_u32, V(VJ), V(VJ), L(1));
	PUT(p, br, N(4));
	PUT(p, end, N(4));
	PUT(p, end, N(3));
	PUT(p, add_u32, V(SUM), V(SUM), L(100));
	PUT(p, end, N(2));
	PUT(p, add_u32, V(VI), V(VI), L(1));
	PUT(p, br, N(1));
	PUT(p, end, N(1));
	PUT(p, end, N(0));
	return p;
}

static void check_nested(unsigned wave_size, uint64_t exec)
{
	struct isa_program *p = nested_in_isa(wave_size);
	exec &= wave_size == 64 ? ~0ull : 0xffffffffu;
	struct isa_wave *w = ready(p, exec, exec);
	for (unsigned l = 0; l < wave_size; l++) {
		w->v[VA][l] = l * 5 % 9;
		w->v[VB][l] = l * 3 % 7;
		w->v[VC][l] = l * 7 % 13;
		w->v[SUM][l] = w->v[VI][l] = 0xabcd;
	}
	cr_assert_eq(run(p, w, NULL), ISA_DONE);
	for (unsigned l = 0; l < wave_size; l++) {
		uint32_t trips = 0xabcd, sum = 0xabcd;
		if (exec >> l & 1)
			sum = nested_in_c(l * 5 % 9, l * 3 % 7, l * 7 % 13, &trips);
		cr_assert_eq(w->v[SUM][l], sum, "lane %u of %u, exec %llx: %u, want %u", l, wave_size, (unsigned long long)exec,
			w->v[SUM][l], sum);
		cr_assert_eq(w->v[VI][l], trips);
	}
	if (exec)
		cr_assert_eq(w->exec, exec, "all lanes come back");
	finish(p, w);
}

Test(interp, nested_loops)
{
	for (size_t i = 0; i < ARRAY_COUNT(masks); i++) {
		check_nested(64, masks[i]);
		check_nested(32, masks[i]);
	}
}

/* do x += step; while (x < bound); and, behind it, what all lanes run once more */
Test(interp, lanes_leave_a_loop_at_its_end)
{
	struct isa_program *p = program(64, 3, 1);
	PUT(p, loop, N(0));
	PUT(p, add_u32, V(0), V(0), L(3));
	PUT(p, cmp_lt_u32, V(2), V(0), V(1));
	PUT(p, br_if, N(0), V(2));
	PUT(p, end, N(0));
	PUT(p, add_u32, V(0), V(0), L(1000));
	struct isa_wave *w = ready(p, ~0ull, ~0ull);
	for (unsigned l = 0; l < 64; l++)
		w->v[1][l] = l;
	cr_assert_eq(run(p, w, NULL), ISA_DONE);
	for (uint32_t l = 0; l < 64; l++) {
		uint32_t x = 0;
		do
			x += 3;
		while (x < l);
		cr_assert_eq(w->v[0][l], x + 1000, "lane %u", l);
	}
	/* 63 takes 21 trips: block entry, 4 a trip, the add and the end */
	cr_assert_eq(w->record.issues[ISA_UNIT_FLOW], 1u + 2 * 21 + 1);
	cr_assert_eq(w->record.issues[ISA_UNIT_ALU], 2u * 21 + 1);
	cr_assert_eq(w->record.branches, 20u);
	cr_assert_eq(w->record.divergent_branches, 20u, "on every trip but the last some lanes leave");
	finish(p, w);
}

/* ---- nothing runs without lanes ---- */

Test(interp, empty_exec_skips)
{
	for (unsigned all = 0; all < 2; all++) {
		struct isa_program *p = program(64, 2, 3);
		PUT(p, mov, S(0), L(5));
		PUT(p, block, N(0));
		PUT(p, block, N(1));
		PUT(p, block, N(2));
		PUT(p, br_if, N(0), V(0));
		PUT(p, mov, S(0), L(6));           /* skipped when all lanes left */
		PUT(p, add_u32, V(1), V(1), L(1));
		PUT(p, end, N(2));
		PUT(p, mov, S(1), L(7));
		PUT(p, end, N(1));
		PUT(p, mov, S(2), L(8));
		PUT(p, end, N(0));
		PUT(p, add_u32, V(1), V(1), L(16));
		struct isa_wave *w = ready(p, ~0ull, ~0ull);
		for (unsigned l = 0; l < 64; l++)
			w->v[0][l] = all || l != 17;
		cr_assert_eq(run(p, w, NULL), ISA_DONE);
		cr_assert_eq(w->s[0], all ? 5u : 6u);
		cr_assert_eq(w->s[1], all ? 0u : 7u);
		cr_assert_eq(w->s[2], all ? 0u : 8u);
		for (unsigned l = 0; l < 64; l++)
			cr_assert_eq(w->v[1][l], all || l != 17 ? 16u : 17u);
		cr_assert_eq(w->record.issues[ISA_UNIT_SALU], all ? 1u : 4u);
		cr_assert_eq(w->record.divergent_branches, all ? 0u : 1u);
		finish(p, w);
	}
}

Test(interp, scalar_conditions)
{
	static const struct { enum isa_op op; uint32_t condition; bool taken; } cases[] = {
		{ISA_br_if, 0, false}, {ISA_br_if, 1, true}, {ISA_br_ifn, 0, true}, {ISA_br_ifn, 0x80000000, false},
		{ISA_br, 0, true},
	};
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct isa_program *p = program(32, 1, 1);
		PUT(p, mov, S(1), L(cases[i].condition));
		PUT(p, block, N(0));
		put(p, cases[i].op, (struct isa_operand[]){N(0), S(1)});
		PUT(p, mov, V(0), L(1));
		PUT(p, end, N(0));
		struct isa_wave *w = ready(p, 0xf0f0f0f0, 0);
		cr_assert_eq(run(p, w, NULL), ISA_DONE);
		for (unsigned l = 0; l < 32; l++)
			cr_assert_eq(w->v[0][l], (unsigned)(!cases[i].taken && l & 4), "case %zu lane %u", i, l);
		finish(p, w);
	}
}

Test(interp, no_lanes_and_no_budget)
{
	struct isa_program *p = program(64, 1, 1);
	PUT(p, mov, S(0), L(1));
	PUT(p, loop, N(0));
	PUT(p, add_u32, V(0), V(0), L(1));
	PUT(p, br, N(0));
	PUT(p, end, N(0));
	struct isa_wave *w = ready(p, 0, 0);
	cr_assert_eq(run(p, w, NULL), ISA_DONE);
	cr_assert_eq(w->s[0], 0u);
	isa_wave_reset(p, w, 3, 3);
	w->budget = 2 + 3 * 1000; /* a trip is three instructions */
	cr_assert_eq(run(p, w, NULL), ISA_OUT_OF_BUDGET);
	cr_assert_eq(w->budget, 0u);
	cr_assert_eq(w->v[0][1], 1000u);
	cr_assert_eq(w->v[0][2], 0u);
	w->budget = 3;
	cr_assert_eq(run(p, w, NULL), ISA_OUT_OF_BUDGET); /* goes on where it stood */
	cr_assert_eq(w->v[0][1], 1001u);
	finish(p, w);
}

/* ---- uniform values ---- */

Test(interp, scalars_and_readfirst)
{
	struct isa_program *p = program(64, 3, 0);
	PUT(p, readfirst, S(0), V(0));
	PUT(p, add_u32, S(1), S(0), L(1));
	PUT(p, sub_u32, V(1), S(1), V(0));
	PUT(p, sub_u32, V(0), V(0), V(0)); /* the result is a source */
	PUT(p, mov, V(2), S(1));
	uint64_t exec = 0xfffffffffff00000u;
	struct isa_wave *w = ready(p, exec, exec);
	for (unsigned l = 0; l < 64; l++)
		w->v[0][l] = l * l, w->v[1][l] = w->v[2][l] = 9;
	cr_assert_eq(run(p, w, NULL), ISA_DONE);
	for (unsigned l = 0; l < 64; l++) {
		bool on = exec >> l & 1;
		cr_assert_eq(w->v[0][l], on ? 0 : l * l);
		cr_assert_eq(w->v[1][l], on ? 401 - l * l : 9);
		cr_assert_eq(w->v[2][l], on ? 401u : 9u);
	}
	cr_assert_eq(w->record.issues[ISA_UNIT_SALU], 2u); /* readfirst's row is ALU and writes s */
	cr_assert_eq(w->record.lanes[ISA_UNIT_ALU], 3u * 44);
	finish(p, w);
}

/* ---- memory ---- */

Test(interp, scratch_and_constants)
{
	static const uint32_t table[] = {99, 10, 11, 12, 13};
	struct isa_program *p = program(64, 6, 0);
	p->scratch = 8;
	p->constants = arena_copy(&p->arena, table, sizeof table);
	p->constant_count = ARRAY_COUNT(table);
	PUT(p, st_scratch, N(2), N(4), V(0), V(1));    /* words 2 to 5 */
	PUT(p, ld_scratch, V(2), N(2), N(4), V(0));
	PUT(p, ld_scratch, V(3), N(0), N(8), L(3));
	PUT(p, ld_const, V(4), N(1), N(3), V(0));
	PUT(p, ld_const, S(0), N(1), N(3), L(2));
	PUT(p, ld_const, S(1), N(1), N(3), L(3));      /* 13 lies behind the table */
	struct isa_wave *w = ready(p, ~0ull << 1, 0);
	for (unsigned l = 0; l < 64; l++)
		w->v[0][l] = l % 7 == 6 ? 0xffffffff : l % 7, w->v[1][l] = 100 + l, w->scratch[6][l] = 77; /* just past the array */
	cr_assert_eq(run(p, w, NULL), ISA_DONE);
	cr_assert_eq(w->s[0], 12u);
	cr_assert_eq(w->s[1], 0u);
	for (unsigned l = 0; l < 64; l++) {
		uint32_t i = l % 7;
		for (unsigned word = 0; word < 8; word++)
			cr_assert_eq(w->scratch[word][l], word == 6 ? 77 : l && i < 4 && word == 2 + i ? 100 + l : 0);
		cr_assert_eq(w->v[2][l], l && i < 4 ? 100 + l : 0);
		cr_assert_eq(w->v[3][l], l && i == 1 ? 100 + l : 0);
		cr_assert_eq(w->v[4][l], l && i < 3 ? 10 + i : 0);
	}
	finish(p, w);
}

struct rows_read { unsigned calls; };

static void read_row(void *user, unsigned resource, uint32_t array_index, uint32_t row, uint32_t out[4])
{
	((struct rows_read *)user)->calls++;
	for (uint32_t c = 0; c < 4; c++)
		out[c] = resource * 1000000 + array_index * 10000 + row * 10 + c;
}

Test(interp, constant_buffers)
{
	struct rows_read read = {0};
	struct isa_env env = {.user = &read, .cbuffer_row = read_row};
	struct isa_program *p = program(64, 8, 0);
	p->resources = arena_array(&p->arena, 2, sizeof *p->resources);
	p->resource_count = 2;
	for (int i = 0; i < 2; i++)
		p->resources[i] = (struct isa_resource){.name = "", .cls = ISA_CBV, .kind = 13, .lower = (uint32_t)i, .count = 1};
	PUT(p, ld_cb, S(0), OFF, V(1), S(1), N(1), OFF, L(7));         /* one fetch, kept apart */
	PUT(p, ld_cb, V(2), V(3), OFF, V(4), N(1), L(2), V(0));        /* row l / 16 */
	PUT(p, ld_cb, OFF, OFF, V(5), OFF, N(0), V(0), S(1));
	struct isa_wave *w = ready(p, ~0ull, 0);
	for (unsigned l = 0; l < 64; l++)
		w->v[0][l] = l / 16;
	cr_assert_eq(run(p, w, &env), ISA_DONE);
	cr_assert_eq(read.calls, 1u + 4 + 4);
	cr_assert_eq(w->s[0], 1000070u);
	cr_assert_eq(w->s[1], 1000073u);
	for (uint32_t l = 0; l < 64; l++) {
		cr_assert_eq(w->v[1][l], 1000072u);
		cr_assert_eq(w->v[2][l], 1020000 + l / 16 * 10);
		cr_assert_eq(w->v[3][l], 1020001 + l / 16 * 10);
		cr_assert_eq(w->v[4][l], 1020003 + l / 16 * 10);
		cr_assert_eq(w->v[5][l], l / 16 * 10000 + 1000073 * 10 + 2);
	}
	finish(p, w);
}

Test(interp, inputs)
{
	struct isa_program *p = program(32, 2, 0);
	p->inputs = arena_array(&p->arena, 2, sizeof *p->inputs);
	p->input_count = 2;
	for (int i = 0; i < 2; i++)
		p->inputs[i] = (struct isa_io){.name = "T", .type = ISA_F32, .interp = ISA_INTERP_LINEAR, .cols = 4, .used = 15};
	PUT(p, ld_in, V(0), N(1), N(3));
	PUT(p, ld_sys, V(1), N(ISA_SYS_primitive_id));
	struct isa_wave *w = ready(p, 0x0000ffff, 0);
	for (unsigned l = 0; l < 32; l++)
		w->in[1][3][l] = 50 + l, w->sys[ISA_SYS_primitive_id][l] = 500 + l;
	cr_assert_eq(run(p, w, NULL), ISA_DONE);
	for (unsigned l = 0; l < 32; l++) {
		cr_assert_eq(w->v[0][l], l < 16 ? 50 + l : 0);
		cr_assert_eq(w->v[1][l], l < 16 ? 500 + l : 0);
	}
	finish(p, w);
}

/* ---- quads, discard, exports ---- */

Test(interp, discarded_lanes_serve_derivatives)
{
	struct isa_program *p = program(64, 6, 0);
	PUT(p, kill, V(1));
	PUT(p, ddx_coarse, V(2), V(0));
	PUT(p, ddy_coarse, V(3), V(0));
	PUT(p, ddx_fine, V(4), V(0));
	PUT(p, ddy_fine, V(5), V(0));
	PUT(p, exp, N(ISA_MRT0), N(ISA_FORM_32_r), N(1), V(2), OFF, OFF, OFF);
	uint64_t live = 0xfffffffffffffff0u, killed = 0x8888888888888888u;
	struct isa_wave *w = ready(p, ~0ull, live);
	float x[64];
	for (unsigned l = 0; l < 64; l++) {
		x[l] = (float)(l * l % 37) * 0.5f;
		w->v[0][l] = float_bits(x[l]);
		w->v[1][l] = (uint32_t)(killed >> l & 1) << 31;
	}
	cr_assert_eq(run(p, w, NULL), ISA_DONE);
	for (unsigned l = 0; l < 64; l++) {
		const float *q = &x[l & ~3u];
		cr_assert_eq(w->v[2][l], float_bits(q[1] - q[0]));
		cr_assert_eq(w->v[3][l], float_bits(q[2] - q[0]));
		cr_assert_eq(w->v[4][l], float_bits(l & 2 ? q[3] - q[2] : q[1] - q[0]));
		cr_assert_eq(w->v[5][l], float_bits(l & 1 ? q[3] - q[1] : q[2] - q[0]));
	}
	cr_assert_eq(w->live, live & ~killed);
	cr_assert_eq(w->exec, ~0ull, "helpers run on");
	cr_assert_eq(w->exported[ISA_MRT0], live & ~killed);
	cr_assert_eq(w->record.kills, 15u, "the helper among them was not counted");
	finish(p, w);
}

/* A derivative behind a branch looks at lanes that never computed its source: zeros, whatever ran before on the wave. */
Test(interp, derivatives_see_nothing_of_earlier_waves)
{
	struct isa_program *p = program(32, 3, 1);
	PUT(p, block, N(0));
	PUT(p, br_if, N(0), V(0));
	PUT(p, mov, V(1), L(0x40000000));
	PUT(p, ddx_coarse, V(2), V(1));
	PUT(p, end, N(0));
	struct isa_wave *w = ready(p, 0xffffffffu, 0xffffffffu);
	for (unsigned trip = 0; trip < 2; trip++) {
		isa_wave_reset(p, w, 0xffffffffu, 0xffffffffu);
		for (unsigned l = 0; l < 32; l++)
			w->v[0][l] = l & 1; /* the right column stays out */
		cr_assert_eq(run(p, w, NULL), ISA_DONE);
		for (unsigned l = 0; l < 32; l += 2)
			cr_assert_eq(w->v[2][l], 0xc0000000, "0 - 2 in lane %u, trip %u", l, trip);
		memset(w->v, 0x5a, 3 * sizeof *w->v);
	}
	finish(p, w);
}

#define PATTERN 0xdeadbeefu
Test(interp, export_forms)
{
	static const struct { uint32_t form, mask, want[4]; } cases[] = {
		/* sources 0x11112222 0x33334444 0x55556666 0x77778888 */
		{ISA_FORM_32_r, 1, {0x11112222, PATTERN, PATTERN, PATTERN}},
		{ISA_FORM_32_gr, 3, {0x11112222, 0x33334444, PATTERN, PATTERN}},
		{ISA_FORM_32_ar, 9, {0x11112222, PATTERN, PATTERN, 0x77778888}},
		{ISA_FORM_32_abgr, 15, {0x11112222, 0x33334444, 0x55556666, 0x77778888}},
		{ISA_FORM_32_abgr, 10, {PATTERN, 0x33334444, PATTERN, 0x77778888}},
		{ISA_FORM_fp16_abgr, 15, {0x11112222, 0x33334444, PATTERN, PATTERN}},
		{ISA_FORM_unorm16_abgr, 1, {0xdead2222, PATTERN, PATTERN, PATTERN}},
		{ISA_FORM_snorm16_abgr, 2, {0x1111beef, PATTERN, PATTERN, PATTERN}},
		{ISA_FORM_uint16_abgr, 4, {PATTERN, 0xdead4444, PATTERN, PATTERN}},
		{ISA_FORM_sint16_abgr, 9, {0xdead2222, 0x3333beef, PATTERN, PATTERN}},
		{ISA_FORM_zero, 0, {PATTERN, PATTERN, PATTERN, PATTERN}},
	};
	static const uint32_t words[4] = {0x11112222, 0x33334444, 0x55556666, 0x77778888};
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		uint32_t form = cases[i].form, m = cases[i].mask;
		bool packed = form >= ISA_FORM_fp16_abgr && form <= ISA_FORM_sint16_abgr;
		uint32_t there = packed ? (m & 3 ? 1 : 0) | (m & 12 ? 2 : 0) : m;
		struct isa_program *p = program(32, 1, 0);
		struct isa_inst *in = isa_append(p, ISA_exp);
		in->at[0] = (struct isa_operand)N(ISA_MRT0 + 2);
		in->at[1] = (struct isa_operand)N(form);
		in->at[2] = (struct isa_operand)N(m);
		for (unsigned c = 0; c < 4; c++)
			if (there >> c & 1)
				in->at[3 + c] = (struct isa_operand)L(words[c]);
		struct isa_wave *w = ready(p, 0xff, 0x0f);
		for (unsigned c = 0; c < 4; c++)
			for (unsigned l = 0; l < 32; l++)
				w->out[2][c][l] = PATTERN;
		cr_assert_eq(run(p, w, NULL), ISA_DONE);
		for (unsigned c = 0; c < 4; c++) {
			cr_expect_eq(w->out[2][c][3], cases[i].want[c], "case %zu word %u: %08x", i, c, w->out[2][c][3]);
			cr_expect_eq(w->out[2][c][8], PATTERN, "an inactive lane exports nothing");
		}
		cr_expect_eq(w->exported[2], 0x0fu);
		cr_expect_eq(w->record.issues[ISA_UNIT_EXPORT], 1u);
		finish(p, w);
	}
}

Test(interp, symbolic_exports_leave_raw_words)
{
	struct isa_program *p = program(64, 1, 0);
	p->flags = 0;
	PUT(p, exp_sym, N(ISA_MRT0 + 1), N(ISA_F32), N(13), L(1), OFF, V(0), L(4));
	struct isa_wave *w = ready(p, ~0ull, 3);
	for (unsigned l = 0; l < 64; l++)
		w->v[0][l] = 0x7f800001 + l;
	cr_assert_eq(run(p, w, NULL), ISA_DONE);
	for (unsigned l = 0; l < 64; l++) {
		cr_assert_eq(w->out[1][0][l], 1u);
		cr_assert_eq(w->out[1][1][l], 0u);
		cr_assert_eq(w->out[1][2][l], 0x7f800001 + l);
		cr_assert_eq(w->out[1][3][l], 4u);
	}
	cr_assert_eq(w->exported[1], 3u);
	finish(p, w);
}
