/* Wave and quad operations: tests/lowering/wave.hlsl runs on the interpreter on waves of 32 and 64 lanes, some of them off,
 * some helpers; what has to come out is computed here lane by lane from the HLSL. */
#include "frontend/frontend.h"
#include "tests/corpus.h"
#include <criterion/criterion.h>
#include <math.h>

enum { CASES = 19, ROUNDS = 12 };
struct lanes {
	unsigned count;
	uint64_t exec, live;
	uint32_t v[ISA_LANES_MAX][4];
};

/* Helpers take no part, unless they are alone. */
static uint64_t participants(const struct lanes *s, uint64_t active)
{
	uint64_t live = active & s->live;
	return live ? live : active;
}

static uint64_t where_odd(const struct lanes *s, uint64_t lanes)
{
	uint64_t odd = 0;
	for (unsigned l = 0; l < s->count; l++)
		odd |= (uint64_t)(s->v[l][0] & 1) << l;
	return odd & lanes;
}

static uint64_t where_same(const struct lanes *s, uint64_t lanes, unsigned lane)
{
	uint64_t same = 0;
	for (unsigned l = 0; l < s->count; l++)
		same |= (uint64_t)(s->v[l][1] == s->v[lane][1]) << l;
	return same & lanes;
}

static uint64_t before(unsigned lane) { return ((uint64_t)1 << lane) - 1; }
static uint32_t ones(uint64_t x)
{
	uint32_t n = 0;
	for (; x; x >>= 1)
		n += x & 1;
	return n;
}
static unsigned first(uint64_t x)
{
	unsigned n = 0;
	while (!(x >> n & 1))
		n++;
	return n;
}
static int32_t as_signed(uint32_t x)
{
	int32_t n;
	memcpy(&n, &x, sizeof n);
	return n;
}
static double half_value(uint32_t h)
{
	double v = ldexp(1024 + (h & 0x3ff), (int)(h >> 10 & 31) - 25);
	return h & 0x8000 ? -v : v;
}
/* of numbers that a half holds */
static uint32_t half_bits(double v)
{
	int e;
	if (v == 0)
		return 0;
	double m = frexp(fabs(v), &e);
	return (v < 0 ? 0x8000u : 0) | (uint32_t)(e + 14) << 10 | ((uint32_t)ldexp(m, 11) & 0x3ff);
}

/* ---- joins over lanes, in their order ---- */

struct joined {
	uint32_t sum, product, min, max, and, or, xor, smin, smax, low_min;
	float fsum, fproduct, fmin, fmax;
	double hsum, hproduct, hmax;
};
static struct joined join(const struct lanes *s, uint64_t lanes)
{
	struct joined j = {.product = 1, .min = ~0u, .and = ~0u, .smin = 0x7fffffff, .smax = 0x80000000, .low_min = 0xffff,
		.fproduct = 1, .fmin = INFINITY, .fmax = -INFINITY, .hproduct = 1, .hmax = -65504};
	for (unsigned l = 0; l < s->count; l++) {
		uint32_t a = s->v[l][0];
		float f = bits_float(s->v[l][2]);
		double h = half_value(s->v[l][3]);
		if (!(lanes >> l & 1))
			continue;
		j.sum += a;
		j.product *= a;
		j.min = a < j.min ? a : j.min;
		j.max = a > j.max ? a : j.max;
		j.smin = as_signed(a) < as_signed(j.smin) ? a : j.smin;
		j.smax = as_signed(a) > as_signed(j.smax) ? a : j.smax;
		j.low_min = (a & 0xffff) < j.low_min ? a & 0xffff : j.low_min;
		j.and &= a;
		j.or |= a;
		j.xor ^= a;
		j.fsum += f;
		j.fproduct *= f;
		j.fmin = f < j.fmin ? f : j.fmin;
		j.fmax = f > j.fmax ? f : j.fmax;
		j.hsum += h;
		j.hproduct *= h;
		j.hmax = h > j.hmax ? h : j.hmax;
	}
	return j;
}

static uint32_t sum_of_y(const struct lanes *s, uint64_t lanes)
{
	uint32_t sum = 0;
	for (unsigned l = 0; l < s->count; l++)
		sum += lanes >> l & 1 ? s->v[l][1] : 0;
	return sum;
}

/* ---- the cases of wave.hlsl ---- */

static void put(uint32_t out[4], uint32_t r, uint32_t g, uint32_t b, uint32_t a)
{
	const uint32_t c[4] = {r, g, b, a};
	memcpy(out, c, sizeof c);
}

static void expect_join(const struct lanes *s, unsigned op, unsigned lane, uint32_t out[4])
{
	uint64_t all = participants(s, s->exec);
	struct joined j = join(s, all), p = join(s, all & before(lane)), m = join(s, where_same(s, all, lane) & before(lane));
	uint32_t low = 5;
	switch (op) {
	case 3: put(out, s->v[s->v[lane][1]][0], s->v[first(all)][0], j.sum, j.product); break;
	case 4: put(out, j.min, j.max, j.smin, j.smax); break;
	case 5: put(out, j.and, j.or, j.xor, p.sum); break;
	case 6: put(out, float_bits(j.fsum), float_bits(j.fproduct), float_bits(j.fmin), float_bits(j.fmax)); break;
	case 7: put(out, float_bits(p.fsum), float_bits(p.fproduct), p.product, s->v[low][2]); break;
	case 8: put(out, half_bits(j.hsum), half_bits(p.hproduct), half_bits(j.hmax), j.low_min); break;
	case 12:
		put(out, m.sum, m.product, m.xor, ones(where_odd(s, where_same(s, all, lane)) & before(lane)));
		break;
	}
}

static uint32_t divergent(const struct lanes *s, unsigned lane)
{
	uint64_t odd = where_odd(s, s->exec), in = odd ? participants(s, odd) : 0;
	return odd >> lane & 1 ? ones(in) + sum_of_y(s, in & before(lane)) : 1000;
}

static uint32_t trips(const struct lanes *s, unsigned lane)
{
	uint32_t sum = 0;
	for (uint32_t i = 0; i < s->v[lane][1]; i++) {
		uint64_t active = 0;
		for (unsigned l = 0; l < s->count; l++)
			active |= (uint64_t)(s->v[l][1] > i) << l;
		sum += ones(participants(s, active & s->exec));
	}
	return sum;
}

static void expect_lane(struct lanes *s, unsigned op, unsigned lane, uint32_t out[4])
{
	uint64_t all = participants(s, s->exec), odd = where_odd(s, all), seven = 0, large = 0, same = where_same(s, all, lane);
	const uint32_t *v = s->v[lane];
	unsigned quad = lane & ~3u;
	bool equal = true;
	for (unsigned l = 0; l < s->count; l++) {
		seven |= (uint64_t)(s->v[l][1] == 7) << l;
		large |= (uint64_t)(s->v[l][1] >= 7) << l;
		equal &= !(all >> l & 1) || s->v[l][1] >> 3 == s->v[first(all)][1] >> 3;
	}
	switch (op) {
	case 0: put(out, lane, s->count, lane == first(all), (seven & all) != 0); break;
	case 1: put(out, !(large & all), equal, ones(odd), ones(odd & before(lane))); break;
	case 2: put(out, (uint32_t)odd, (uint32_t)(odd >> 32), 0, 0); break;
	case 9: put(out, s->v[lane ^ 1][0], s->v[lane ^ 2][0], s->v[lane ^ 3][0], s->v[quad | (v[1] & 3)][0]); break;
	case 10: {
		uint64_t votes = where_odd(s, s->exec) >> quad & 15;
		put(out, votes != 0, votes == 15, !(s->live >> lane & 1), 0);
		break;
	}
	case 11: put(out, (uint32_t)same, (uint32_t)(same >> 32), 0, 0); break;
	case 13: {
		uint32_t total = 0;
		for (unsigned l = 0; l < s->count; l++)
			total += all >> l & 1 ? divergent(s, l) : 0;
		put(out, divergent(s, lane), total, 0, 0);
		break;
	}
	case 14: put(out, trips(s, lane), 0, 0, 0); break;
	default: expect_join(s, op, lane, out); break;
	}
}

static uint32_t clamp_bytes(const uint32_t v[4], int32_t low, int32_t high)
{
	uint32_t word = 0;
	for (unsigned i = 0; i < 4; i++) {
		int32_t x = as_signed(v[i]);
		word |= ((uint32_t)(x < low ? low : x > high ? high : x) & 255) << 8 * i;
	}
	return word;
}

/* Those that need no other lane; and discard, which changes who takes part. */
static void expect_other(struct lanes *s, unsigned op, unsigned lane, uint32_t out[4])
{
	const uint32_t *v = s->v[lane];
	uint32_t dot[2] = {v[0], v[2]};
	double h = half_value(v[3]);
	switch (op) {
	case 15:
		for (unsigned i = 0; i < 32; i += 8) {
			int32_t a = (int32_t)(v[0] >> i & 255), b = (int32_t)(v[1] >> i & 255);
			dot[0] += (uint32_t)((a - (a & 128) * 2) * (b - (b & 128) * 2));
			dot[1] += (uint32_t)(a * b);
		}
		put(out, dot[0], dot[1], float_bits((float)(h * 2 + h * 0.5) + bits_float(v[2])), 0);
		break;
	case 16: {
		uint32_t low = 0;
		for (unsigned i = 0; i < 4; i++)
			low |= (v[i] & 255) << 8 * i;
		put(out, low, clamp_bytes(v, 0, 255), clamp_bytes(v, -128, 127), 0);
		break;
	}
	case 17:
		for (unsigned i = 0; i < 4; i++) {
			uint32_t a = v[0] >> 8 * i & 255;
			out[i] = a - (a & 128) * 2 + (v[2] >> 8 * i & 255);
		}
		break;
	case 18: {
		struct lanes left = *s;
		left.live &= ~where_odd(s, s->exec);
		uint64_t all = participants(&left, left.exec);
		put(out, join(&left, all).sum, (uint32_t)all, !(left.live >> lane & 1), s->v[lane ^ 1][0]);
		break;
	}
	}
}

/* ---- running ---- */

static uint32_t random_state = 0x2545f491;
static uint32_t random_word(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state;
}

static void fill(struct lanes *s, unsigned round)
{
	static const uint32_t halves[] = {0x3c00, 0xbc00, 0x4000, 0x3800};
	s->exec = s->live = 0;
	for (unsigned q = 0; q < s->count; q += 4) {
		uint64_t quad = round % 3 && random_word() % 4 == 0 ? 0 : 15;
		s->exec |= quad << q;
		s->live |= (round & 1 ? random_word() & quad : quad) << q;
	}
	s->exec |= 15;
	s->live = round == 5 ? 0 : s->live; /* only helpers */
	for (unsigned l = 0; l < s->count; l++) {
		s->v[l][0] = round % 4 == 3 ? random_word() & ~1u : random_word() >> random_word() % 32;
		s->v[l][1] = round % 4 == 2 ? 3 : random_word() % (round % 4 == 1 ? 16 : 8);
		s->v[l][2] = float_bits((float)(random_word() % 4096) / 1024 - 1.5f);
		s->v[l][3] = halves[random_word() % ARRAY_COUNT(halves)];
	}
}

static void read_row(void *user, unsigned resource, uint32_t array_index, uint32_t row, uint32_t out[4])
{
	(void)resource, (void)array_index, (void)row;
	memset(out, 0, 16);
	out[0] = *(const unsigned *)user;
}

static void run_case(const struct isa_program *p, struct isa_wave *w, struct lanes *s, unsigned op)
{
	const struct isa_env env = {.user = &op, .cbuffer_row = read_row};
	isa_wave_reset(p, w, s->exec, s->live);
	for (unsigned l = 0; l < s->count; l++)
		for (unsigned c = 0; c < 4; c++)
			w->in[0][c][l] = s->exec >> l & 1 ? s->v[l][c] : 0;
	for (unsigned l = 0; l < s->count; l++) /* the registers of lanes that are off are zeros */
		if (!(s->exec >> l & 1))
			memset(s->v[l], 0, sizeof s->v[l]);
	w->budget = 1 << 20;
	unsigned saved = fp_enter();
	cr_assert_eq(isa_run(p, w, &env), ISA_DONE);
	fp_leave(saved);
	for (unsigned l = 0; l < s->count; l++) {
		uint32_t want[4] = {0};
		if (!(s->exec >> l & 1))
			continue;
		if (op < 15)
			expect_lane(s, op, l, want);
		else
			expect_other(s, op, l, want);
		for (unsigned c = 0; c < 4; c++)
			cr_expect_eq(w->out[ISA_MRT0][c][l], want[c], "case %u of %u lanes, result %u of lane %u: %08x, not %08x", op,
				s->count, c, l, w->out[ISA_MRT0][c][l], want[c]);
	}
}

Test(wave, operations)
{
	for (unsigned size = 32; size <= 64; size += 32) {
		const struct fe_options options = {.wave_size = (uint8_t)size, .in_process = true};
		struct kiln_diags *diags = kiln_diags_create();
		uint8_t *data;
		size_t bytes;
		corpus_read(KILN_SOURCE_DIR "/tests/lowering/wave.cso", &data, &bytes);
		struct isa_program *p = fe_compile(data, bytes, "wave", &options, diags);
		cr_assert(p, "%s", kiln_diags_count(diags) ? kiln_diags_get(diags, 0)->text : "");
		struct isa_wave *w = isa_wave_create(p);
		for (unsigned round = 0; round < ROUNDS; round++)
			for (unsigned op = 0; op < CASES; op++) {
				struct lanes s = {.count = size};
				fill(&s, round);
				run_case(p, w, &s, op);
			}
		isa_wave_destroy(w);
		isa_program_destroy(p);
		mem_free(data);
		kiln_diags_destroy(diags);
	}
}
