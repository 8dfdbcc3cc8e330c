/* The table of consoles against what was said of them in public, typed here by hand: Hot Chips 25 (Xbox One), Hot Chips 2020
 * (Series X), specification sheets; and changes of a parameter. */
#include "timing/timing.h"
#include <kiln/pso.h>
#include <criterion/criterion.h>
#include <math.h>

enum { ONE, SERIES_S, SERIES_X };

static void check_peak(unsigned console, enum timing_peak which, double published, double tolerance)
{
	struct timing_profile p;
	timing_profile_of(console, &p);
	double peak = (double)timing_peak(&p, which) / 1000;
	cr_expect(fabs(peak - published) <= tolerance, "%s: %s is %g, published %g", timing_console_name(console),
		timing_peaks[which].name, peak, published);
}

/* Published figures are rounded: the tolerance is half of their last digit. */
Test(profiles, published_peaks)
{
	static const struct { double flops, fill, texels, memory; } published[] = {
		[ONE] = {1.31, 13.65, 40.9, 68}, [SERIES_S] = {4.0, 50.1, 125, 224}, [SERIES_X] = {12.15, 116.8, 379.6, 560}};
	static const struct { double flops, fill, texels, memory; } digit[] = {
		[ONE] = {0.005, 0.005, 0.05, 0}, [SERIES_S] = {0.05, 0.05, 0.5, 0}, [SERIES_X] = {0.005, 0.05, 0.05, 0}};
	cr_assert_eq((int)TIMING_CONSOLE_COUNT, 3);
	for (unsigned c = 0; c < 3; c++) {
		check_peak(c, TIMING_PEAK_flops, published[c].flops, digit[c].flops + 1e-9);
		check_peak(c, TIMING_PEAK_fill, published[c].fill, digit[c].fill + 1e-9);
		check_peak(c, TIMING_PEAK_texels, published[c].texels, digit[c].texels + 1e-9);
		check_peak(c, TIMING_PEAK_memory, published[c].memory, digit[c].memory + 1e-9);
	}
	check_peak(ONE, TIMING_PEAK_esram, 204, 1e-9);
	check_peak(SERIES_X, TIMING_PEAK_esram, 0, 1e-9);
}

Test(profiles, published_counts)
{
	static const struct {
		enum timing_parameter what;
		uint32_t value[3];
	} rows[] = {
		{TIMING_clock, {853, 1565, 1825}}, {TIMING_compute_units, {12, 20, 52}}, {TIMING_simds, {4, 2, 2}},
		{TIMING_simd_lanes, {16, 32, 32}}, {TIMING_primitives, {2, 4, 4}}, {TIMING_color_pixels, {16, 32, 64}},
		{TIMING_texels, {48, 80, 208}}, {TIMING_l2_bytes, {512 << 10, 2 << 20, 5 << 20}}, {TIMING_esram_bytes, {32 << 20, 0, 0}},
		{TIMING_color_32, {1, 1, 1}}, {TIMING_color_64, {1, 1, 1}}, {TIMING_color_64_blend, {2, 2, 2}},
		{TIMING_color_128, {4, 4, 4}}, {TIMING_color_32_abgr, {2, 2, 2}},
	};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		for (unsigned c = 0; c < 3; c++)
			cr_expect_eq(timing_parameters[rows[i].what].value[c], rows[i].value[c], "%s of %s",
				timing_parameters[rows[i].what].name, timing_console_name(c));
}

/* What public sources leave open is marked. */
Test(profiles, open_values)
{
	cr_expect_eq(timing_parameters[TIMING_primitives].open[SERIES_S], '?');
	cr_expect_eq(timing_parameters[TIMING_l2_bytes].open[SERIES_S], '?');
	for (unsigned c = 0; c < 3; c++) {
		cr_expect_eq(timing_parameters[TIMING_clock].open[c], '.');
		cr_expect_eq(timing_parameters[TIMING_color_64_blend].open[c], '?');
		cr_expect_eq(timing_parameters[TIMING_memory_rate].open[c], '.');
	}
	for (int i = 0; i < TIMING_PARAMETER_COUNT; i++)
		cr_expect_eq(strlen(timing_parameters[i].open), 3, "%s", timing_parameters[i].name);
}

Test(profiles, values_are_in_range)
{
	for (int i = 0; i < TIMING_PARAMETER_COUNT; i++)
		for (unsigned c = 0; c < 3; c++)
			cr_expect(timing_parameters[i].value[c] >= timing_parameters[i].low &&
				timing_parameters[i].value[c] <= timing_parameters[i].high, "%s", timing_parameters[i].name);
}

Test(profiles, consoles_have_names)
{
	cr_expect_eq(timing_find_console("xbox-one"), ONE);
	cr_expect_eq(timing_find_console("xbox-series-s"), SERIES_S);
	cr_expect_eq(timing_find_console("xbox-series-x"), SERIES_X);
	cr_expect_eq(timing_find_console("xbox-series"), -1);
	cr_expect_eq(timing_console_family(ONE), KILN_CONSOLE_XBOX_ONE);
	cr_expect_eq(timing_console_family(SERIES_S), KILN_CONSOLE_XBOX_SERIES);
	cr_expect_eq(timing_console_family(SERIES_X), KILN_CONSOLE_XBOX_SERIES);
}

Test(profiles, changes)
{
	static const struct { const char *text; bool taken; uint32_t clock; } cases[] = {
		{"clock=900", true, 900}, {"clock=1", true, 1}, {"clock=0", false, 853}, {"clock=100001", false, 853},
		{"clock=4294968196", false, 853}, {"clock=99999999999999999999999", false, 853}, {"clock=", false, 853}, {"clock", false, 853},
		{"clock=-1", false, 853}, {"clock=1.5", false, 853}, {"clock =900", false, 853}, {"cloc=900", false, 853},
		{"=900", false, 853}, {"", false, 853}, {"clockx=900", false, 853}, {"clock=900 ", false, 853}};
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct kiln_diags *d = kiln_diags_create();
		struct timing_profile p;
		timing_profile_of(ONE, &p);
		cr_expect_eq(timing_profile_set(&p, cases[i].text, "here", d), cases[i].taken, "'%s'", cases[i].text);
		cr_expect_eq(p.value[TIMING_clock], cases[i].clock, "'%s'", cases[i].text);
		cr_expect_eq(kiln_diags_count(d), !cases[i].taken, "'%s'", cases[i].text);
		if (!cases[i].taken)
			cr_expect_eq(kiln_diags_get(d, 0)->number, 6401);
		kiln_diags_destroy(d);
	}
}
