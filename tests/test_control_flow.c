/* Shaders run on the interpreter, every lane with other inputs, against C functions written by hand from their HLSL
 * (tests/corpus/hlsl, tests/lowering), or, for the .h files of tests/lowering, against the same text compiled as C. Where
 * no transcendental function is involved the bits must agree. */
#include "frontend/frontend.h"
#include "tests/corpus.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { CB_ROWS = 16, ROUNDS = 40 };
struct lane_in {
	float pos[4], x[4];          /* SV_Position or the first input; the second input */
	float y[4];                  /* the third */
	uint32_t cb[CB_ROWS][4];
	const struct lane_in *quad;  /* the quad's first lane */
};
struct lane_out {
	uint32_t color[4];
	bool discarded;
};
typedef void reference(const struct lane_in *in, struct lane_out *out);

static float cf(const struct lane_in *in, unsigned row, unsigned i) { return bits_float(in->cb[row][i]); }
static void put(struct lane_out *out, float r, float g, float b, float a)
{
	const float c[4] = {r, g, b, a};
	for (unsigned i = 0; i < 4; i++)
		out->color[i] = float_bits(c[i]);
}

/* HLSL's (uint)x, for the x that occur here */
static uint32_t to_uint(float x) { return x > 0 ? (uint32_t)x : 0; }

/* ---- by hand from the HLSL ---- */

static void cf_constant_array(const struct lane_in *in, struct lane_out *out)
{
	static const float table[7][4] = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}, {1, 1, 0, 1}, {0, 1, 1, 1}, {1, 0, 1, 1},
		{0.5f, 0.25f, 0.125f, 1}};
	static const int offs[4][2] = {{0, 1}, {1, 0}, {-1, 0}, {0, -1}};
	uint32_t i = to_uint(in->pos[0] + in->pos[1] * 3);
	const float *t = table[i % 7];
	put(out, t[0] + (float)offs[i & 3][0] * 0.1f, t[1] + (float)offs[i & 3][1] * 0.1f, t[2], t[3]);
}

static void cf_do_while_continue(const struct lane_in *in, struct lane_out *out)
{
	float a = in->x[0], b = 0;
	uint32_t i = 0, n = in->cb[0][0];
	do {
		++i;
		if ((i ^ to_uint(in->pos[0])) & 1) {
			b += a;
			continue;
		}
		a = a * 0.75f + 0.1f;
		if (a > b && i > 3) {
			b = -1;
			break;
		}
	} while (i < n && b < 5);
	put(out, a, b, (float)i, 1);
}

static void cf_multi_level_break(const struct lane_in *in, struct lane_out *out)
{
	const uint32_t *n = in->cb[0];
	uint32_t hit = 0;
	bool done = false;
	for (uint32_t i = 0; i < n[0] && !done; ++i)
		for (uint32_t j = 0; j < n[1] && !done; ++j)
			for (uint32_t k = 0; k < n[2]; ++k)
				if (i * j + k == to_uint(in->x[0] * (float)n[3])) {
					hit = i * 65536 + j * 256 + k;
					done = true;
					break;
				}
	put(out, (float)(hit & 255), (float)(hit >> 8 & 255), (float)(hit >> 16), done ? 1 : 0);
}

/* Inputs are such that all sums are exact, whatever the compiler's order; but for `r`, which is precise. */
static void cf_precise(const struct lane_in *in, struct lane_out *out)
{
	float c[4], k = in->x[0] * cf(in, 1, 0) + cf(in, 1, 1) * in->x[1] - cf(in, 1, 2);
	for (unsigned i = 0; i < 4; i++) {
		volatile float sum = in->x[i] + cf(in, 0, i);
		float r = sum - cf(in, 0, i), q = in->x[i] * cf(in, 0, i) + cf(in, 1, i);
		c[i] = r + k + q + (isnan(in->x[2] / cf(in, 1, 3)) ? 1.0f : 0.0f);
	}
	put(out, c[0], c[1], c[2], c[3]);
}

static void cf_return_in_loop(const struct lane_in *in, struct lane_out *out)
{
	float x = in->x[0];
	for (uint32_t i = 0; i < in->cb[0][0]; ++i) {
		x = x * 1.5f + cf(in, 0, 1);
		if (x > 4) {
			put(out, (float)i, x, 0, 1);
			return;
		}
		if (x < -4) {
			put(out, 0, (float)i, x, 1);
			return;
		}
	}
	put(out, x, in->x[0], in->x[1], 0.5f);
}

static void cf_switch_fallthrough(const struct lane_in *in, struct lane_out *out)
{
	float x = in->x[0], y = in->x[1];
	switch (in->cb[0][0] + to_uint(x * 8)) {
	case 0: case 1: put(out, x, y, 1, 1); break;
	case 2: put(out, y, x, 0, 1); break;
	case 3:
		if (y > 0.5f)
			put(out, 0, 0, 0, 0);
		else
			put(out, x + 1, y + 1, 1, 2);
		break;
	case 7: put(out, 7, 7, 7, 7); break;
	case 1000: put(out, 1000, 1000, 1000, 1000); break;
	case 0xffffffff: put(out, -1, -1, -1, -1); break;
	default: put(out, x * 3, y * 3, 0, 3); break;
	}
}

static void cf_unoptimised(const struct lane_in *in, struct lane_out *out)
{
	const float a[3][3] = {{in->x[0], in->x[1], in->x[0]}, {cf(in, 0, 0), cf(in, 0, 1), cf(in, 0, 2)}, {1, 1, 1}};
	float c[3] = {0, 0, 0};
	for (uint32_t i = 0; i < 3; ++i) {
		float w = in->x[1] * (float)i;
		for (unsigned d = 0; d < 3; d++) {
			float q = a[i][d];
			for (uint32_t k = 0; k < in->cb[1][0] && !(w < 0.1f); ++k)
				q = q * 0.9f + cf(in, 0, d) * w;
			c[d] += q;
		}
	}
	put(out, c[0], c[1], c[2], 1);
}

static void ps_control_flow(const struct lane_in *in, struct lane_out *out)
{
	uint32_t limit = in->cb[0][0], mode = in->cb[0][1];
	float acc[4] = {0, 0, 0, 0};
	for (uint32_t i = 0; i < limit; ++i) {
		if (in->x[0] * (float)limit < (float)i)
			break;
		if (i & 1)
			continue;
		float first = acc[0];
		switch ((i + mode) % 5) {
		case 0:
			for (unsigned c = 0; c < 4; c++)
				acc[c] += cf(in, 1 + (i & 7), c);
			break;
		case 1: acc[0] += 1; break;
		case 2: acc[0] = acc[1]; acc[1] = acc[2]; acc[2] = acc[3]; acc[3] = first; break;
		default:
			for (unsigned c = 0; c < 4; c++)
				acc[c] *= 0.5f;
			break;
		}
		uint32_t k = 0;
		do {
			acc[3] += 0.01f;
			if (++k > to_uint(in->x[1] * 6))
				break;
		} while (acc[3] < 3);
	}
	if (acc[3] > 2.5f)
		put(out, 1, 0, 1, 1);
	else
		put(out, acc[0], acc[1], acc[2], acc[3]);
}

static void ps_dynamic_index(const struct lane_in *in, struct lane_out *out)
{
	float t[8];
	const uint32_t *sel = in->cb[0];
	memcpy(t, in->x, 16);
	memcpy(t + 4, in->y, 16);
	t[sel[2] & 7] = 2;
	put(out, t[sel[0] & 7], t[sel[1] & 7], in->x[sel[3] & 3], t[to_uint(in->pos[0]) & 7]);
}

static void ps_discard(const struct lane_in *in, struct lane_out *out)
{
	float f = in->pos[1] * 0.25f;
	out->discarded = in->x[0] - 0.5f < 0 || f - floorf(f) < 0.25f;
	put(out, in->x[0], in->x[1], (in->quad[1].x[0] - in->quad[0].x[0]) * 64, 1);
}

/* ---- integers ---- */

static int32_t signed_of(uint32_t x) { return x < 0x80000000u ? (int32_t)x : (int32_t)(x - 0x80000000u) + INT32_MIN; }
static uint32_t shift_arithmetic(uint32_t x, unsigned by) { return x >> by | (x >> 31 ? ~(UINT32_MAX >> by) : 0); }
static uint32_t reverse(uint32_t x)
{
	uint32_t r = 0;
	for (unsigned i = 0; i < 32; i++)
		r |= (x >> i & 1) << (31 - i);
	return r;
}
static uint32_t count_ones(uint32_t x)
{
	uint32_t n = 0;
	for (; x; x &= x - 1)
		n++;
	return n;
}
/* HLSL's firstbithigh(int): highest bit that differs from the sign, from bit 0; -1 if none */
static uint32_t high_signed(uint32_t x)
{
	for (uint32_t i = 32; i-- > 0;)
		if ((x >> i & 1) != x >> 31)
			return i;
	return UINT32_MAX;
}
static uint32_t low(uint32_t x)
{
	for (uint32_t i = 0; i < 32; i++)
		if (x >> i & 1)
			return i;
	return UINT32_MAX;
}
/* towards zero, for non-negative numbers */
static uint32_t half_of(float f)
{
	int e;
	if (f == 0)
		return 0;
	double m = frexp(f, &e); /* m in [0.5, 1) */
	if (e > 16)
		return 0x7bff;
	return e < -13 ? (uint32_t)ldexp(f, 24) : (uint32_t)((e + 14) << 10) + ((uint32_t)ldexp(m, 11) & 0x3ff);
}
static float float_of_half(uint32_t h)
{
	int e = (int)(h >> 10 & 31);
	double m = e ? 1024 + (h & 0x3ff) : (h & 0x3ff);
	double v = e == 31 ? (double)INFINITY : ldexp(m, (e ? e : 1) - 25);
	return (float)(h >> 15 & 1 ? -v : v);
}

static void ps_integer(const struct lane_in *in, struct lane_out *out)
{
	const uint32_t *a = in->cb[0], *b = in->cb[1];
	const uint32_t extra[4] = {signed_of(a[0]) > signed_of(a[1]) ? a[0] : a[1], b[0] < b[1] ? b[0] : b[1],
		half_of((float)b[2] * 0.5f), float_bits(float_of_half(b[3]))};
	for (unsigned i = 0; i < 4; i++) {
		uint32_t r = (uint32_t)(signed_of(a[i]) / 3) ^ b[i] % 7 ^ b[i] << (b[i] & 31) ^ shift_arithmetic(a[i], 2);
		r += count_ones(b[i]) + reverse(b[i]) + high_signed(a[i]) + low(b[i]);
		r += extra[i];
		out->color[i] = r + (a[i] * a[i] + 5) + (a[i] >> 31 ? 0 - a[i] : a[i]);
	}
}

/* ---- transcendental functions, in double ---- */

static double fraction(double x) { return x - floor(x); }

static void ps_math(const struct lane_in *in, struct lane_out *out)
{
	double x[4], y[4], dot = 0, mix = 0, c[4];
	for (unsigned i = 0; i < 4; i++) {
		x[i] = in->x[i];
		y[i] = in->x[3 - i];
		dot += x[i] * x[i];
		mix += x[i] * y[i];
	}
	const double cross[3] = {x[1] * x[3] - x[2] * x[2], x[2] * x[1] - x[0] * x[3], x[0] * x[2] - x[1] * x[1]};
	const double crossed[4] = {cross[0], cross[1], cross[2], cross[0]};
	double length3 = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
	for (unsigned i = 0; i < 4; i++) {
		double v = x[i], s = v < 0 ? 0 : v > 1 ? 1 : v;
		double r = sin(v) + cos(v) + tan(v) + asin(v) + acos(v) + atan(v) + sinh(v) + cosh(v) + tanh(v);
		r += exp(v) + exp2(v) + log(v) + log2(v) + sqrt(v) + 1 / sqrt(v) + 1 / v + pow(fabs(v), 1.7) + fmod(v, 0.3);
		r += floor(v) + ceil(v) + rint(v) + trunc(v) + fraction(v) + s + fabs(v) + (v > 0) - (v < 0) + (v + (y[i] - v) * 0.3) +
			s * s * (3 - 2 * s) + (v >= 0.5);
		r += dot + length3 + crossed[i] + v / sqrt(dot) + (v - 2 * y[i] * mix) + isnan(v) + isinf(v) + atan2(v, y[i]);
		c[i] = r;
	}
	put(out, (float)c[0], (float)c[1], (float)c[2], (float)c[3]);
}

/* ---- tests/lowering ---- */

static void words_of(const struct lane_in *in, uint32_t w[2])
{
	memcpy(w, in->pos, 8);
}

static void struct_arrays(const struct lane_in *in, struct lane_out *out)
{
	static const float m[3][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}, {{9, 10}, {11, 12}}};
	struct { float a; int32_t b[3]; float c[2]; } t[3];
	uint32_t v[2], idx = in->cb[0][0], s = in->cb[0][1];
	words_of(in, v);
	for (uint32_t i = 0; i < 3; ++i) {
		t[i].a = (float)i;
		t[i].b[0] = signed_of(s);
		t[i].b[1] = signed_of(i * v[0]);
		t[i].b[2] = signed_of(v[1]);
		t[i].c[0] = (float)i;
		t[i].c[1] = (float)v[0];
	}
	t[idx % 3].b[v[0] % 3] = 7;
	t[v[0] % 3].c[0] = t[v[0] % 3].c[1] = 9;
	put(out, t[v[0] % 3].a + m[idx % 3][v[0] & 1][s & 1], (float)t[idx % 3].b[(v[0] >> 2) % 3], t[(v[0] >> 3) % 3].c[0],
		t[(v[0] >> 3) % 3].c[1]);
}

static void global_od(const struct lane_in *in, struct lane_out *out)
{
	uint32_t g[2][2] = {{1, 2}, {3, 4}}, v[2], n = in->cb[0][0], i = 0;
	words_of(in, v);
	uint32_t r = v[0] & 255;
	for (;;) {
		uint32_t x = r;
		if (!(x > n)) {
			g[0][0] += x;
			x *= 2;
		}
		r += x + v[1] % 7 + 1;
		if (++i > (in->cb[0][1] & 7))
			break;
	}
	const uint32_t c[4] = {r, i, g[n & 1][0], g[n & 1][1]};
	memcpy(out->color, c, sizeof c);
}

static int32_t signed16(uint32_t x) { return (int32_t)(x & 0x7fff) - (int32_t)(x & 0x8000); }

static void min16(const struct lane_in *in, struct lane_out *out)
{
	uint32_t v[2], t = in->cb[0][1], u;
	words_of(in, v);
	u = v[0] & 0xffff;
	int32_t s = signed16(in->cb[0][0]), w = signed16(v[1]);
	out->color[0] = (u * t & 0xffff) / 7;
	out->color[1] = u % ((t | 1) & 0xffff);
	out->color[2] = (uint32_t)signed16(shift_arithmetic((uint32_t)w, 2) + (uint32_t)(s > w ? s : w));
	out->color[3] = w < s ? (uint32_t)signed16((uint32_t)w * (uint32_t)s) : (u << 3 & 0xffff);
}

/* The same text is HLSL in the shader and C here. */
typedef uint32_t uint;
#define LOOP
#define BRANCH
#define OUT(x, y, z, w) (o[0] = (x), o[1] = (y), o[2] = (z), o[3] = (w), 0)
#define BOTH_HEAD(name) \
	static int name##_body(uint in0, uint in1, uint cb0, uint cb1, uint o[4]) \
	{ \
		uint a = in0, b = in1, c = cb0, d = cb1;
#define BOTH_TAIL(name) \
	} \
	static void name(const struct lane_in *in, struct lane_out *out) \
	{ \
		uint v[2]; \
		words_of(in, v); \
		name##_body(v[0], v[1], in->cb[0][0], in->cb[0][1], out->color); \
	}
/* clang-format off */
BOTH_HEAD(loops)
#include "tests/lowering/loops.h"
BOTH_TAIL(loops)
BOTH_HEAD(switches_od)
#include "tests/lowering/switches_od.h"
BOTH_TAIL(switches_od)
BOTH_HEAD(early_return)
#include "tests/lowering/early_return.h"
BOTH_TAIL(early_return)
BOTH_HEAD(sm66)
#include "tests/lowering/sm66.h"
BOTH_TAIL(sm66)
BOTH_HEAD(row_phi) /* DXC merges whole rows of the constant buffer: a phi of a struct */
#include "tests/lowering/row_phi.h"
BOTH_TAIL(row_phi)
/* clang-format on */

/* ---- inputs ---- */

static uint32_t random_state;
static uint32_t random_word(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state;
}
/* a multiple of 1/256 in [low, high) */
static float random_float(float lowest, float highest)
{
	return lowest + floorf((float)(random_word() % 65536) / 65536 * (highest - lowest) * 256) / 256;
}

typedef void fill_cb(uint32_t cb[CB_ROWS][4], unsigned round);
static void fill_small(uint32_t cb[CB_ROWS][4], unsigned round)
{
	static const uint32_t first[] = {0, 1, 2, 5, 9, 17, 30};
	for (unsigned r = 0; r < CB_ROWS; r++)
		for (unsigned c = 0; c < 4; c++)
			cb[r][c] = float_bits(random_float(-2, 2));
	cb[0][0] = first[round % ARRAY_COUNT(first)];
}
static void fill_multi(uint32_t cb[CB_ROWS][4], unsigned round)
{
	for (unsigned c = 0; c < 4; c++)
		cb[0][c] = random_word() % 6;
	cb[0][3] = round % 3 * 20;
}
static void fill_mode(uint32_t cb[CB_ROWS][4], unsigned round)
{
	static const uint32_t modes[] = {0, 1, 2, 3, 6, 997, 0xfffffffb, 0xffffffff, 5};
	cb[0][0] = modes[round % ARRAY_COUNT(modes)];
}
static void fill_unoptimised(uint32_t cb[CB_ROWS][4], unsigned round)
{
	fill_small(cb, round);
	cb[0][0] = float_bits(random_float(-2, 2));
	cb[1][0] = round % 7;
}
static void fill_control(uint32_t cb[CB_ROWS][4], unsigned round)
{
	fill_small(cb, round);
	cb[0][1] = round % 11;
}
static void fill_precise(uint32_t cb[CB_ROWS][4], unsigned round)
{
	fill_small(cb, round);
	for (unsigned r = 0; r < 2; r++)
		for (unsigned c = 0; c < 4; c++)
			cb[r][c] = float_bits(floorf(random_float(-8, 8)));
	cb[1][3] = float_bits(round & 1 ? 2.0f : 0.0f);
	for (unsigned c = 0; c < 4 && round % 3 == 2; c++) {
		cb[0][c] = float_bits(16777216.0f); /* so large that x + a - a is not x */
		cb[1][c] = 0;
	}
}
static void fill_words(uint32_t cb[CB_ROWS][4], unsigned round)
{
	static const uint32_t words[] = {0, 1, 2, 31, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe};
	for (unsigned r = 0; r < 2; r++)
		for (unsigned c = 0; c < 4; c++)
			cb[r][c] = round < 8 ? words[(round + r * 3 + c) % 8] : random_word() >> random_word() % 32;
	cb[1][3] &= 0xfbff; /* no NaN */
}

static void fill_random(uint32_t cb[CB_ROWS][4], unsigned round)
{
	for (unsigned c = 0; c < 4; c++)
		cb[0][c] = round < 8 ? round + c : random_word() >> random_word() % 32;
}

typedef void fill_lane(struct lane_in *in);
static void lane_words(struct lane_in *in)
{
	for (unsigned c = 0; c < 4; c++) {
		uint32_t word = random_word() >> random_word() % 32;
		memcpy(&in->pos[c], &word, sizeof word);
	}
}
static void lane_unit(struct lane_in *in)
{
	for (unsigned c = 0; c < 4; c++) {
		in->pos[c] = floorf(random_float(0, 64)) + 0.5f;
		in->x[c] = random_float(0, 1);
		in->y[c] = random_float(-4, 4);
	}
}
static void lane_quarters(struct lane_in *in)
{
	lane_unit(in);
	for (unsigned c = 0; c < 4; c++)
		in->x[c] = floorf(random_float(0, 16)) / 4;
	in->x[2] = random_word() & 1 ? 0 : in->x[2];
}
static void lane_signed(struct lane_in *in)
{
	lane_unit(in);
	in->x[0] = random_float(-3, 3);
}
/* away from the steps of floor, fmod and step */
static void lane_smooth(struct lane_in *in)
{
	static const float values[] = {0.05f, 0.12f, 0.26f, 0.33f, 0.41f, 0.47f, 0.52f, 0.57f, 0.65f, 0.72f, 0.83f, 0.88f};
	lane_unit(in);
	for (unsigned c = 0; c < 4; c++)
		in->x[c] = values[random_word() % ARRAY_COUNT(values)];
}

/* ---- the runs ---- */

static const struct shader {
	const char *name;      /* of the corpus, or a path from tests/ */
	reference *expected;
	fill_cb *cb;
	fill_lane *lane;
	double tolerance;      /* relative; 0: the bits agree */
} shaders[] = {
	{"cf_constant_array", cf_constant_array, NULL, lane_unit, 0},
	{"cf_do_while_continue", cf_do_while_continue, fill_small, lane_unit, 0},
	{"cf_multi_level_break", cf_multi_level_break, fill_multi, lane_unit, 0},
	{"cf_precise", cf_precise, fill_precise, lane_quarters, 0},
	{"cf_return_in_loop", cf_return_in_loop, fill_small, lane_signed, 0},
	{"cf_switch_fallthrough", cf_switch_fallthrough, fill_mode, lane_unit, 0},
	{"cf_unoptimised", cf_unoptimised, fill_unoptimised, lane_unit, 0},
	{"ps_control_flow", ps_control_flow, fill_control, lane_unit, 0},
	{"ps_dynamic_index", ps_dynamic_index, fill_words, lane_unit, 0},
	{"ps_discard", ps_discard, NULL, lane_unit, 0},
	{"ps_integer", ps_integer, fill_words, lane_unit, 0},
	{"ps_math", ps_math, NULL, lane_smooth, 1e-3},
	{"lowering/struct_arrays", struct_arrays, fill_random, lane_words, 0},
	{"lowering/global_od", global_od, fill_random, lane_words, 0},
	{"lowering/min16", min16, fill_random, lane_words, 0},
	{"lowering/loops", loops, fill_random, lane_words, 0},
	{"lowering/switches_od", switches_od, fill_random, lane_words, 0},
	{"lowering/early_return", early_return, fill_random, lane_words, 0},
	{"lowering/sm66", sm66, fill_random, lane_words, 0},
	{"lowering/row_phi", row_phi, fill_random, lane_words, 0},
};

static void read_row(void *user, unsigned resource, uint32_t array_index, uint32_t row, uint32_t out[4])
{
	const uint32_t (*cb)[4] = user;
	memset(out, 0, 16);
	if (resource == 0 && array_index == 0 && row < CB_ROWS)
		memcpy(out, cb[row], 16);
}

static void fill_wave(const struct isa_program *p, struct isa_wave *w, const struct lane_in *lanes)
{
	for (size_t s = 0; s < p->input_count; s++)
		for (unsigned c = 0; c < 4; c++)
			for (unsigned i = 0; i < p->wave_size; i++) {
				const float *from = s == 0 ? lanes[i].pos : s == 1 ? lanes[i].x : lanes[i].y;
				memcpy(&w->in[s][c][i], &from[c], sizeof(float)); /* bits, whatever they are */
			}
}

static bool near(uint32_t got, uint32_t want, double tolerance)
{
	double g = bits_float(got), e = bits_float(want);
	return got == want || (tolerance > 0 && fabs(g - e) <= tolerance * fmax(1, fabs(e)));
}

static void check_lane(const struct shader *s, const struct isa_wave *w, const struct lane_in *in, unsigned lane,
	unsigned round)
{
	struct lane_out want = {{0}, false};
	s->expected(in, &want);
	bool live = w->live >> lane & 1;
	cr_expect_eq(live, !want.discarded, "%s round %u lane %u: live %d", s->name, round, lane, live);
	cr_expect_eq(w->exported[ISA_MRT0] >> lane & 1, live, "%s round %u lane %u", s->name, round, lane);
	for (unsigned c = 0; c < 4; c++)
		if (live)
			cr_expect(near(w->out[ISA_MRT0][c][lane], want.color[c], s->tolerance),
				"%s round %u lane %u component %u: %08x %g, not %08x %g",
				s->name, round, lane, c, w->out[ISA_MRT0][c][lane], (double)bits_float(w->out[ISA_MRT0][c][lane]), want.color[c],
				(double)bits_float(want.color[c]));
}

static void run_round(const struct shader *s, const struct isa_program *p, struct isa_wave *w, unsigned round)
{
	struct lane_in lanes[ISA_LANES_MAX];
	uint32_t cb[CB_ROWS][4] = {{0}};
	const struct isa_env env = {.user = cb, .cbuffer_row = read_row};
	uint64_t all = p->wave_size == 64 ? UINT64_MAX : UINT32_MAX, exec = all;
	if (s->cb)
		s->cb(cb, round);
	for (unsigned i = 0; i < p->wave_size; i++) {
		lanes[i] = (struct lane_in){.quad = &lanes[i & ~3u]};
		s->lane(&lanes[i]);
		memcpy(lanes[i].cb, cb, sizeof cb);
	}
	for (unsigned i = 0; round & 1 && i < p->wave_size; i += 4) /* some waves are not full */
		if (random_word() & 1)
			exec &= ~((uint64_t)15 << i);
	isa_wave_reset(p, w, exec, exec);
	fill_wave(p, w, lanes);
	w->budget = 1 << 20;
	unsigned saved = fp_enter();
	enum isa_result result = isa_run(p, w, &env);
	fp_leave(saved);
	cr_assert_eq(result, ISA_DONE, "%s", s->name);
	cr_expect_eq(w->exported[ISA_MRT0] & ~exec, 0, "%s round %u", s->name, round);
	for (unsigned i = 0; i < p->wave_size; i++)
		if (exec >> i & 1)
			check_lane(s, w, &lanes[i], i, round);
}

static void run_shader(const struct shader *s, unsigned wave_size)
{
	const struct fe_options options = {.wave_size = (uint8_t)wave_size, .in_process = true};
	struct kiln_diags *diags = kiln_diags_create();
	size_t size;
	uint8_t *data;
	char path[4096];
	snprintf(path, sizeof path, "%s/tests/%s%s.cso", KILN_SOURCE_DIR, strchr(s->name, '/') ? "" : "corpus/cso/", s->name);
	corpus_read(path, &data, &size);
	struct isa_program *p = fe_compile(data, size, s->name, &options, diags);
	cr_assert(p, "%s: %s", s->name, kiln_diags_count(diags) ? kiln_diags_get(diags, 0)->text : "");
	struct isa_wave *w = isa_wave_create(p);
	random_state = 0x2545f491;
	for (unsigned round = 0; round < ROUNDS; round++)
		run_round(s, p, w, round);
	isa_wave_destroy(w);
	isa_program_destroy(p);
	mem_free(data);
	kiln_diags_destroy(diags);
}

Test(control_flow, corpus)
{
	for (size_t i = 0; i < ARRAY_COUNT(shaders); i++) {
		run_shader(&shaders[i], 32);
		run_shader(&shaders[i], 64);
	}
}
