/* Depth, stencil and depth bounds of one sample: values by hand from the rules (facts 3.3). */
#include "sim/sim.h"
#include <criterion/criterion.h>
#include <string.h>

#define FAIL_IF(bad, ...) do { if (bad) cr_assert_fail(__VA_ARGS__); } while (0)
#define F(name) KILN_FORMAT_##name

/* ---- depth ---- */

/* Bit 0: passes when less, 1: when equal, 2: when greater, 3: when one is NaN. */
static const uint8_t compare[9] = {0, 0, 1, 2, 3, 4, 5 | 8, 6, 15};

static struct depth_target depth(uint32_t format, uint32_t func, uint32_t write)
{
	return (struct depth_target){format_info(format), {.DepthEnable = true, .DepthFunc = func, .DepthWriteMask = write},
		{0, 1}, false, false};
}

static bool depth_test(const struct depth_target *t, float z, void *texel)
{
	return depth_stencil_test(t, &(struct depth_fragment){.z = z, .max_depth = 1}, texel);
}

Test(depth, compare)
{
	static const struct { uint32_t format, half, stored; } rows[] = {{F(D16_UNORM), 0x8000, 0x8000},
		{F(D24_UNORM_S8_UINT), 0x800000, 0x77800000}, {F(D32_FLOAT), 0x3F000000, 0x3F000000},
		{F(D32_FLOAT_S8X24_UINT), 0x3F000000, 0x3F000000}};
	static const float z[3] = {0.25f, 0.5f, 0.75f};
	for (unsigned i = 0; i < ARRAY_COUNT(rows) * 8 * 3 * 2; i++) {
		uint32_t func = i % 8 + 1, at = i / 8 % 3, write = i / 24 % 2, r = i / 48;
		struct depth_target t = depth(rows[r].format, func, write);
		uint32_t texel[4] = {rows[r].stored, 0x12345678, 0x12345678, 0x12345678};
		if (r == 0)
			texel[0] |= 0xABCD0000;
		uint32_t keep = r == 0 ? 0xFFFF0000 : r == 1 ? 0xFF000000 : 0, before = texel[0];
		bool pass = depth_test(&t, z[at], texel), want = compare[func] >> at & 1;
		FAIL_IF(pass != want, "%s func %u depth %g", t.format->name, func, (double)z[at]);
		uint32_t code = format_depth_to_bits(t.format, z[at]);
		FAIL_IF(texel[0] != (pass && write ? (before & keep) | code : before) || texel[1] != 0x12345678, "%s func %u: %08X",
			t.format->name, func, texel[0]);
	}
}

Test(depth, edges)
{
	static const struct { const char *name; uint32_t z, low, high, after; } rows[] = {
		{"above the range", 0x40000000, 0, 0x3F800000, 0x3F800000},
			{"below", 0xBF800000, 0x3E800000, 0x3F000000, 0x3E800000},
		{"NaN", 0x7FC00000, 0x3E800000, 0x3F000000, 0x3E800000}, {"-0", 0x80000000, 0, 0x3F800000, 0},
		{"INF", 0x7F800000, 0, 0x3F000000, 0x3F000000}, {"inverted", 0x3F400000, 0x3F800000, 0, 0x3F400000}};
	for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
		struct depth_target t = depth(F(D32_FLOAT), KILN_COMPARISON_ALWAYS, 1);
		uint32_t texel = 0x3F123456;
		struct depth_fragment in = {.z = bits_float(rows[i].z), .min_depth = bits_float(rows[i].low),
			.max_depth = bits_float(rows[i].high)};
		cr_assert(depth_stencil_test(&t, &in, (uint8_t *)&texel));
		FAIL_IF(texel != rows[i].after, "%s: %08X", rows[i].name, texel);
	}
	for (uint32_t func = 1; func <= 8; func++) { /* NaN in the buffer */
		struct depth_target t = depth(F(D32_FLOAT), func, 0);
		uint32_t texel = 0x7FC00000;
		FAIL_IF(depth_test(&t, 0.5f, &texel) != (compare[func] >> 3), "NaN, func %u", func);
	}
	struct depth_target t = depth(F(D32_FLOAT), KILN_COMPARISON_NEVER, 1);
	uint32_t texel = 5;
	t.state.DepthEnable = false;
	cr_assert(depth_test(&t, 0.5f, &texel) && texel == 5, "disabled: passes, writes nothing");
	t.state.DepthEnable = true;
	t.format = NULL;
	cr_assert(depth_test(&t, 0.5f, NULL), "no buffer: passes");
	t = depth(F(D16_UNORM), KILN_COMPARISON_EQUAL, 0); /* compared after rounding: 0.50001 is code 0x8000 too */
	texel = 0x8000;
	cr_assert(depth_test(&t, 0.50001f, &texel));
}

/* ---- stencil ---- */

static struct depth_target stencil(uint32_t format, uint32_t func, uint32_t fail, uint32_t depth_fail, uint32_t pass)
{
	const struct kiln_depth_stencilop_desc front = {fail, depth_fail, pass, func};
	const struct kiln_depth_stencilop_desc back = {KILN_STENCIL_KEEP, KILN_STENCIL_KEEP, KILN_STENCIL_KEEP,
		KILN_COMPARISON_ALWAYS};
	return (struct depth_target){format_info(format), {.StencilEnable = true, .StencilReadMask = 0xff,
		.StencilWriteMask = 0xff, .FrontFace = front, .BackFace = back}, {0, 1}, false, false};
}

/* A texel of either format with stencil: depth 0.5, the stencil given, and marks in what belongs to neither. */
struct texel { uint32_t word[2]; };
static struct texel make(uint32_t format, uint32_t value)
{
	if (format == F(D24_UNORM_S8_UINT))
		return (struct texel){{value << 24 | 0x800000, 0x12345678}};
	return (struct texel){{0x3F000000, 0xABCDEF00 | value}};
}

static const uint32_t stencil_formats[] = {F(D24_UNORM_S8_UINT), F(D32_FLOAT_S8X24_UINT)};

static bool test(const struct depth_target *t, struct texel *at, float z, bool back, uint8_t ref)
{
	return depth_stencil_test(t, &(struct depth_fragment){.z = z, .max_depth = 1, .back = back, .ref = ref},
		(uint8_t *)at->word);
}

static void expect(const char *what, size_t row, uint32_t format, struct texel got, uint32_t value)
{
	struct texel want = make(format, value);
	FAIL_IF(memcmp(&got, &want, sizeof got), "%s %zu, format %u: %08X %08X, expected %08X %08X", what, row, format,
		got.word[0], got.word[1], want.word[0], want.word[1]);
}

/* (ref & mask) FUNC (stored & mask): "less" means that the reference is less. */
Test(stencil, functions)
{
	static const struct { uint8_t ref, stored, mask, relation; } rows[] = { /* relation: 0 less, 1 equal, 2 greater */
		{1, 2, 0xff, 0}, {2, 2, 0xff, 1}, {3, 2, 0xff, 2}, {0, 255, 0xff, 0}, {255, 0, 0xff, 2}, {0x80, 0x7f, 0xff, 2},
		{0xF1, 0x01, 0x0f, 1}, {0xF1, 0x02, 0x0f, 0}, {0x1F, 0xF0, 0xf0, 0}, {7, 9, 0, 1}};
	for (size_t i = 0; i < ARRAY_COUNT(rows) * 8; i++) {
		uint32_t func = (uint32_t)i % 8 + 1, at = (uint32_t)i / 8;
		for (size_t k = 0; k < ARRAY_COUNT(stencil_formats); k++) {
			uint32_t format = stencil_formats[k];
			struct depth_target t = stencil(format, func, KILN_STENCIL_KEEP, KILN_STENCIL_KEEP, KILN_STENCIL_KEEP);
			struct texel texel = make(format, rows[at].stored);
			t.state.StencilReadMask = rows[at].mask;
			FAIL_IF(test(&t, &texel, 0.5f, false, rows[at].ref) != (compare[func] >> rows[at].relation & 1),
				"row %u func %u",
				at, func);
			expect("function", i, format, texel, rows[at].stored);
		}
	}
}

Test(stencil, operations)
{
	static const struct { uint32_t op; uint8_t stored, ref, mask, after; } rows[] = {
		{KILN_STENCIL_KEEP, 7, 9, 0xff, 7}, {KILN_STENCIL_ZERO, 7, 9, 0xff, 0}, {KILN_STENCIL_REPLACE, 7, 9, 0xff, 9},
		{KILN_STENCIL_INCR_SAT, 7, 9, 0xff, 8}, {KILN_STENCIL_INCR_SAT, 255, 9, 0xff, 255},
		{KILN_STENCIL_DECR_SAT, 7, 9, 0xff, 6}, {KILN_STENCIL_DECR_SAT, 0, 9, 0xff, 0},
		{KILN_STENCIL_INVERT, 0x0f, 9, 0xff, 0xf0}, {KILN_STENCIL_INCR, 7, 9, 0xff, 8}, {KILN_STENCIL_INCR, 255, 9, 0xff, 0},
		{KILN_STENCIL_DECR, 7, 9, 0xff, 6}, {KILN_STENCIL_DECR, 0, 9, 0xff, 255},
		/* the operation sees all 8 bits, the write mask merges: 0x0F + 1 = 0x10 */
		{KILN_STENCIL_INCR, 0x0f, 9, 0xf0, 0x1f}, {KILN_STENCIL_REPLACE, 0xaa, 0x55, 0x0f, 0xa5},
		{KILN_STENCIL_ZERO, 0xff, 9, 0x81, 0x7e}, {KILN_STENCIL_INVERT, 0x00, 9, 0x3c, 0x3c},
			{KILN_STENCIL_REPLACE, 1, 9, 0, 1},
	};
	/* which of the three operations is done: stencil fails, depth fails, both pass */
	for (size_t i = 0; i < ARRAY_COUNT(rows) * 3 * 2; i++) {
		size_t row = i / 6, which = i / 2 % 3, k = i % 2;
		uint32_t format = stencil_formats[k], op[3] = {KILN_STENCIL_ZERO, KILN_STENCIL_ZERO, KILN_STENCIL_ZERO};
		struct texel texel = make(format, rows[row].stored);
		op[which] = rows[row].op;
		struct depth_target t = stencil(format, which == 0 ? KILN_COMPARISON_NEVER : KILN_COMPARISON_ALWAYS, op[0], op[1],
			op[2]);
		t.state.StencilWriteMask = rows[row].mask;
		t.state.DepthEnable = true; /* read only: depth stays, and 0.25 is not greater than 0.5 */
		t.state.DepthFunc = which == 1 ? KILN_COMPARISON_GREATER : KILN_COMPARISON_LESS;
		FAIL_IF(test(&t, &texel, 0.25f, false, rows[row].ref) != (which == 2), "row %zu, case %zu", row, which);
		expect("operation", i, format, texel, rows[row].after);
	}
}

/* Back faces have their own function and operations; a read-only plane is tested and not written; a failing bounds test
 * leaves stencil alone; formats without the plane pass. */
Test(stencil, faces_views_and_bounds)
{
	for (size_t k = 0; k < ARRAY_COUNT(stencil_formats); k++) {
		uint32_t format = stencil_formats[k];
		struct depth_target t = stencil(format, KILN_COMPARISON_NEVER, KILN_STENCIL_INCR, KILN_STENCIL_KEEP,
			KILN_STENCIL_KEEP);
		struct texel texel = make(format, 3);
		cr_assert_not(test(&t, &texel, 0.5f, false, 0));
		expect("front", 0, format, texel, 4);
		cr_assert(test(&t, &texel, 0.5f, true, 0));
		expect("back", 0, format, texel, 4);
		t.stencil_read_only = true;
		cr_assert_not(test(&t, &texel, 0.5f, false, 0));
		expect("read only", 0, format, texel, 4);
		t.stencil_read_only = false;
		t.state.DepthBoundsTestEnable = true;
		t.bounds[0] = 0.75f;
		cr_assert_not(test(&t, &texel, 0.9f, true, 0), "the stored 0.5 counts, not the fragment's 0.9");
		cr_assert_not(test(&t, &texel, 0.9f, false, 0));
		expect("bounds", 0, format, texel, 4);
		t.state.StencilEnable = false;
		t.bounds[0] = 0.25f;
		t.state.DepthEnable = true;
		t.state.DepthWriteMask = 1;
		t.state.DepthFunc = KILN_COMPARISON_ALWAYS;
		t.depth_read_only = true;
		cr_assert(test(&t, &texel, 0.9f, false, 0));
		expect("depth read only", 0, format, texel, 4);
	}
	struct depth_target t = stencil(F(D32_FLOAT), KILN_COMPARISON_NEVER, KILN_STENCIL_ZERO, KILN_STENCIL_ZERO,
		KILN_STENCIL_ZERO);
	struct texel texel = {{0x3F000000, 0}};
	cr_assert(test(&t, &texel, 0.5f, false, 0), "no stencil plane: passes");
	cr_assert_eq(texel.word[0], 0x3F000000u);
}

Test(depth, bounds)
{
	static const struct { uint32_t stored, low, high; bool pass; } rows[] = {
		{0x3F000000, 0x3F000000, 0x3F000000, true}, {0x3F000000, 0x3F000001, 0x3F800000, false},
		{0x3F000000, 0, 0x3EFFFFFF, false}, {0x3F000000, 0, 0x3F800000, true}, {0x3F000000, 0x3F800000, 0, false},
		{0, 0x7FC00000, 0x3F800000, true}, {0x00800000, 0, 0x7FC00000, false}, {0, 0, 0x7FC00000, true}};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct depth_target t = depth(F(D32_FLOAT), KILN_COMPARISON_ALWAYS, 1);
		uint32_t texel = rows[i].stored;
		t.state.DepthBoundsTestEnable = true;
		t.bounds[0] = bits_float(rows[i].low);
		t.bounds[1] = bits_float(rows[i].high);
		FAIL_IF(depth_test(&t, 0.125f, &texel) != rows[i].pass, "row %zu", i);
		FAIL_IF(texel != (rows[i].pass ? 0x3E000000 : rows[i].stored), "row %zu: %08X", i, texel);
		t.state.DepthEnable = false; /* the bounds test stays, and writes nothing */
		texel = rows[i].stored;
		FAIL_IF(depth_test(&t, 0.125f, &texel) != rows[i].pass || texel != rows[i].stored, "row %zu, depth off", i);
	}
}

Test(depth, clear)
{
	for (size_t i = 0; i < 4; i++) {
		bool clear_depth = i & 1, clear_stencil = i & 2;
		struct texel a = make(F(D24_UNORM_S8_UINT), 7), b = make(F(D32_FLOAT_S8X24_UINT), 7);
		uint16_t c = 0x1234;
		depth_clear(format_info(F(D24_UNORM_S8_UINT)), clear_depth, 1, clear_stencil, 200, (uint8_t *)a.word);
		depth_clear(format_info(F(D32_FLOAT_S8X24_UINT)), clear_depth, 1, clear_stencil, 200, (uint8_t *)b.word);
		depth_clear(format_info(F(D16_UNORM)), clear_depth, 1, clear_stencil, 200, (uint8_t *)&c);
		cr_assert_eq(a.word[0], (clear_stencil ? 200u : 7u) << 24 | (clear_depth ? 0xFFFFFFu : 0x800000u));
		cr_assert_eq(b.word[0], clear_depth ? 0x3F800000u : 0x3F000000u);
		cr_assert_eq(b.word[1], 0xABCDEF00u | (clear_stencil ? 200 : 7));
		cr_assert_eq(c, clear_depth ? 0xFFFF : 0x1234);
	}
}
