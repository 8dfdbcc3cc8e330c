/* Helpers of the rows that see other lanes' words. Helper lanes take no part in wave operations, though they get their
 * results; where no other lane runs, they are all there is, so that a loop over the values of a wave ends for them too.
 * Quad operations read the register of any lane of the quad, whatever it does. Sums run in lane order. */
#include "isa/exec.h"
#include "isa/math.h"

static uint64_t participants(const struct exec *x)
{
	uint64_t live = x->w->exec & x->w->live;
	return live ? live : x->w->exec;
}

/* A scalar result is a vector register as long as divergence analysis has not run. */
static void write_scalar(const struct exec *x, const struct isa_operand *d, uint32_t word)
{
	uint32_t words[ISA_LANES_MAX];
	if (d->file == ISA_S) {
		x->w->s[d->value] = word;
		return;
	}
	for (unsigned l = 0; l < x->lanes; l++)
		words[l] = word;
	exec_write(x, d, words);
}

void READFIRST(const struct exec *x, const struct isa_inst *in)
{
	uint32_t room[ISA_LANES_MAX];
	write_scalar(x, &in->at[0], exec_source(x, &in->at[1], room)[__builtin_ctzll(participants(x))]);
}

void WAVE_BALLOT(const struct exec *x, const struct isa_inst *in)
{
	uint32_t room[ISA_LANES_MAX];
	const uint32_t *c = exec_source(x, &in->at[2], room);
	uint64_t lanes = 0;
	for (unsigned l = 0; l < x->lanes; l++)
		lanes |= (uint64_t)(c[l] != 0) << l;
	lanes &= participants(x);
	write_scalar(x, &in->at[0], (uint32_t)lanes);
	write_scalar(x, &in->at[1], (uint32_t)(lanes >> 32));
}

void MBCNT(const struct exec *x, const struct isa_inst *in)
{
	uint32_t room[2][ISA_LANES_MAX], words[ISA_LANES_MAX];
	const uint32_t *low = exec_source(x, &in->at[1], room[0]), *high = exec_source(x, &in->at[2], room[1]);
	for (unsigned l = 0; l < x->lanes; l++) {
		uint64_t below = ((uint64_t)high[l] << 32 | low[l]) & (((uint64_t)1 << l) - 1);
		words[l] = (uint32_t)__builtin_popcountll(below);
	}
	exec_write(x, &in->at[0], words);
}

void WAVE_LANE(const struct exec *x, const struct isa_inst *in)
{
	uint32_t words[ISA_LANES_MAX];
	for (unsigned l = 0; l < x->lanes; l++)
		words[l] = l;
	exec_write(x, &in->at[0], words);
}

/* d = x of lane `from`, which is y of the lane's own; within the wave, or within the quad. */
static void read_lane(const struct exec *x, const struct isa_inst *in, unsigned outer, unsigned inner)
{
	uint32_t room[2][ISA_LANES_MAX], words[ISA_LANES_MAX];
	const uint32_t *s = exec_source(x, &in->at[1], room[0]), *lane = exec_source(x, &in->at[2], room[1]);
	for (unsigned l = 0; l < x->lanes; l++)
		words[l] = s[(l & outer) | (lane[l] & inner)];
	exec_write(x, &in->at[0], words);
}
void WAVE_READ_LANE(const struct exec *x, const struct isa_inst *in) { read_lane(x, in, 0, x->lanes - 1); }
void QUAD_READ(const struct exec *x, const struct isa_inst *in) { read_lane(x, in, ~3u, 3); }

void QUAD_SWAP(const struct exec *x, const struct isa_inst *in)
{
	uint32_t room[ISA_LANES_MAX], words[ISA_LANES_MAX];
	const uint32_t *s = exec_source(x, &in->at[1], room);
	for (unsigned l = 0; l < x->lanes; l++)
		words[l] = s[l ^ (in->at[2].value & 3)];
	exec_write(x, &in->at[0], words);
}

/* ---- reductions ---- */

static uint32_t combine(unsigned op, uint32_t a, uint32_t b)
{
	switch (op) {
	case ISA_WAVE_add_u32: return ADD(a, b);
	case ISA_WAVE_and_b32: return AND(a, b);
	case ISA_WAVE_or_b32: return OR(a, b);
	case ISA_WAVE_xor_b32: return XOR(a, b);
	case ISA_WAVE_min_i32: return SLT(a, b) ? a : b;
	case ISA_WAVE_max_i32: return SLT(a, b) ? b : a;
	case ISA_WAVE_min_u32: return ULT(a, b) ? a : b;
	case ISA_WAVE_max_u32: return ULT(a, b) ? b : a;
	case ISA_WAVE_mul_u32: return MUL(a, b);
	case ISA_WAVE_add_f32: return FADD(a, b);
	case ISA_WAVE_mul_f32: return FMUL(a, b);
	case ISA_WAVE_min_f32: return FMIN(a, b);
	case ISA_WAVE_max_f32: return FMAX(a, b);
	case ISA_WAVE_add_f16: return F2HN(FADD(H2F(a), H2F(b)));
	default: return F2HN(FMUL(H2F(a), H2F(b)));
	}
}

/* What a lane without any before it gets. */
static uint32_t identity(unsigned op)
{
	switch (op) {
	case ISA_WAVE_and_b32:
	case ISA_WAVE_min_u32: return ~0u;
	case ISA_WAVE_min_i32: return 0x7fffffff;
	case ISA_WAVE_max_i32: return 0x80000000;
	case ISA_WAVE_mul_u32: return 1;
	case ISA_WAVE_mul_f32: return 0x3f800000;
	case ISA_WAVE_min_f32: return 0x7f800000;
	case ISA_WAVE_max_f32: return 0xff800000;
	case ISA_WAVE_mul_f16: return 0x3c00;
	default: return 0;
	}
}

void WAVE_REDUCE(const struct exec *x, const struct isa_inst *in)
{
	uint32_t room[ISA_LANES_MAX], total = 0;
	const uint32_t *s = exec_source(x, &in->at[2], room);
	uint64_t lanes = participants(x);
	for (unsigned l = 0, count = 0; l < x->lanes; l++)
		if (lanes >> l & 1)
			total = count++ ? combine(in->at[1].value, total, s[l]) : s[l];
	write_scalar(x, &in->at[0], total);
}

/* Over the lanes of `lanes` before lane l. */
static uint32_t scan(const struct exec *x, unsigned op, const uint32_t *s, uint64_t lanes, unsigned l)
{
	uint32_t total = identity(op);
	lanes &= participants(x) & (((uint64_t)1 << l) - 1);
	for (unsigned count = 0; lanes; lanes &= lanes - 1) {
		uint32_t word = s[__builtin_ctzll(lanes)];
		total = count++ ? combine(op, total, word) : word;
	}
	return total;
}

void WAVE_SCAN(const struct exec *x, const struct isa_inst *in)
{
	uint32_t room[ISA_LANES_MAX], words[ISA_LANES_MAX];
	const uint32_t *s = exec_source(x, &in->at[2], room);
	for (unsigned l = 0; l < x->lanes; l++)
		words[l] = scan(x, in->at[1].value, s, ~(uint64_t)0, l);
	exec_write(x, &in->at[0], words);
}

void WAVE_MULTI_SCAN(const struct exec *x, const struct isa_inst *in)
{
	uint32_t room[3][ISA_LANES_MAX], words[ISA_LANES_MAX];
	const uint32_t *s = exec_source(x, &in->at[2], room[0]);
	const uint32_t *low = exec_source(x, &in->at[3], room[1]), *high = exec_source(x, &in->at[4], room[2]);
	for (unsigned l = 0; l < x->lanes; l++)
		words[l] = scan(x, in->at[1].value, s, (uint64_t)high[l] << 32 | low[l], l);
	exec_write(x, &in->at[0], words);
}

void WAVE_MATCH(const struct exec *x, const struct isa_inst *in)
{
	uint32_t room[ISA_LANES_MAX], low[ISA_LANES_MAX], high[ISA_LANES_MAX];
	const uint32_t *s = exec_source(x, &in->at[2], room);
	for (unsigned l = 0; l < x->lanes; l++) {
		uint64_t same = 0;
		for (unsigned k = 0; k < x->lanes; k++)
			same |= (uint64_t)(s[k] == s[l]) << k;
		same &= participants(x);
		low[l] = (uint32_t)same;
		high[l] = (uint32_t)(same >> 32);
	}
	exec_write(x, &in->at[0], low);
	exec_write(x, &in->at[1], high);
}

/* ---- the same on pairs of words ---- */

static uint64_t combine_pairs(unsigned op, uint64_t a, uint64_t b)
{
	static const uint16_t rows[] = {
		[ISA_WAVE_add_u32] = ISA_add_u64, [ISA_WAVE_min_i32] = ISA_min_i64, [ISA_WAVE_max_i32] = ISA_max_i64,
		[ISA_WAVE_min_u32] = ISA_min_u64, [ISA_WAVE_max_u32] = ISA_max_u64, [ISA_WAVE_mul_u32] = ISA_mul_u64,
		[ISA_WAVE_add_f32] = ISA_add_f64, [ISA_WAVE_mul_f32] = ISA_mul_f64, [ISA_WAVE_min_f32] = ISA_min_f64,
		[ISA_WAVE_max_f32] = ISA_max_f64,
	};
	switch (op) {
	case ISA_WAVE_and_b32: return a & b;
	case ISA_WAVE_or_b32: return a | b;
	case ISA_WAVE_xor_b32: return a ^ b;
	default: return exec_wide(rows[op], a, b);
	}
}

static uint64_t identity_pair(unsigned op)
{
	switch (op) {
	case ISA_WAVE_and_b32:
	case ISA_WAVE_min_u32: return ~(uint64_t)0;
	case ISA_WAVE_min_i32: return ~(uint64_t)0 >> 1;
	case ISA_WAVE_max_i32: return (uint64_t)1 << 63;
	case ISA_WAVE_mul_u32: return 1;
	case ISA_WAVE_mul_f32: return 0x3ff0000000000000u;
	case ISA_WAVE_min_f32: return 0x7ff0000000000000u;
	case ISA_WAVE_max_f32: return 0xfff0000000000000u;
	default: return 0;
	}
}

static uint64_t join_pairs(unsigned op, const uint32_t *low, const uint32_t *high, uint64_t lanes)
{
	uint64_t total = identity_pair(op);
	for (unsigned count = 0; lanes; lanes &= lanes - 1) {
		unsigned l = (unsigned)__builtin_ctzll(lanes);
		uint64_t word = (uint64_t)high[l] << 32 | low[l];
		total = count++ ? combine_pairs(op, total, word) : word;
	}
	return total;
}

void WAVE_REDUCE_64(const struct exec *x, const struct isa_inst *in)
{
	uint32_t room[2][ISA_LANES_MAX];
	const uint32_t *low = exec_source(x, &in->at[3], room[0]), *high = exec_source(x, &in->at[4], room[1]);
	unsigned saved = exec_keep_denormals();
	uint64_t total = join_pairs(in->at[2].value, low, high, participants(x));
	fp_leave(saved);
	write_scalar(x, &in->at[0], (uint32_t)total);
	write_scalar(x, &in->at[1], (uint32_t)(total >> 32));
}

void WAVE_SCAN_64(const struct exec *x, const struct isa_inst *in)
{
	uint32_t room[2][ISA_LANES_MAX], words[2][ISA_LANES_MAX];
	const uint32_t *low = exec_source(x, &in->at[3], room[0]), *high = exec_source(x, &in->at[4], room[1]);
	unsigned saved = exec_keep_denormals();
	for (unsigned l = 0; l < x->lanes; l++) {
		uint64_t total = join_pairs(in->at[2].value, low, high, participants(x) & (((uint64_t)1 << l) - 1));
		words[0][l] = (uint32_t)total;
		words[1][l] = (uint32_t)(total >> 32);
	}
	fp_leave(saved);
	exec_write(x, &in->at[0], words[0]);
	exec_write(x, &in->at[1], words[1]);
}
