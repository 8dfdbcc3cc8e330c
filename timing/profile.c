/* The table of consoles as data, and what follows from a row at once. */
#include "timing/timing.h"
#include <kiln/pso.h>
#include <stdio.h>

const struct timing_parameter_info timing_parameters[TIMING_PARAMETER_COUNT] = {
#define PARAMETER(name, unit, low, high, one, s, x, open, meaning) \
	[TIMING_##name] = {#name, unit, meaning, low, high, {one, s, x}, open},
#include "timing/profile.def"
};
static const struct console {
	const char *name;
	uint8_t family;
} consoles[TIMING_CONSOLE_COUNT] = {
#define CONSOLE(name, family) {name, KILN_CONSOLE_##family},
#include "timing/profile.def"
};
const struct timing_peak_info timing_peaks[TIMING_PEAK_COUNT] = {
#define X(name, unit, meaning) {#name, unit, meaning},
	TIMING_PEAKS(X)
#undef X
};

const char *timing_console_name(unsigned console) { return consoles[console].name; }
unsigned timing_console_family(unsigned console) { return consoles[console].family; }

int timing_find_console(const char *name)
{
	for (int i = 0; i < TIMING_CONSOLE_COUNT; i++) {
		if (!strcmp(name, consoles[i].name))
			return i;
	}
	return -1;
}

int timing_find_parameter(const char *name, size_t length)
{
	for (int i = 0; i < TIMING_PARAMETER_COUNT; i++) {
		if (strlen(timing_parameters[i].name) == length && !strncmp(name, timing_parameters[i].name, length))
			return i;
	}
	return -1;
}

void timing_profile_of(unsigned console, struct timing_profile *out)
{
	out->console = (uint8_t)console;
	for (int i = 0; i < TIMING_PARAMETER_COUNT; i++)
		out->value[i] = timing_parameters[i].value[console];
}

/* Digits alone; false: anything else, or past 32 bits. */
static bool read_value(const char *text, uint32_t *out)
{
	uint64_t v = 0;

	for (const char *c = text; *c; c++) {
		if (*c < '0' || *c > '9')
			return false;
		v = v * 10 + (uint64_t)(*c - '0');
		if (v > UINT32_MAX)
			return false;
	}
	*out = (uint32_t)v;
	return *text;
}

bool timing_profile_set(struct timing_profile *p, const char *assignment, const char *where, struct kiln_diags *diags)
{
	size_t length = strcspn(assignment, "=");
	int i = timing_find_parameter(assignment, length);
	uint32_t value;

	if (i < 0) {
		diag_add(diags, DIAG_TIMING_PARAMETER, where, "there is no parameter '%.*s'", (int)(length < 64 ? length : 64), assignment);
		return false;
	}
	if (!assignment[length] || !read_value(assignment + length + 1, &value) || value < timing_parameters[i].low ||
		value > timing_parameters[i].high) {
		diag_add(diags, DIAG_TIMING_PARAMETER, where, "'%s' is a whole number from %u to %u (%s), written %s=%u",
			timing_parameters[i].name, timing_parameters[i].low, timing_parameters[i].high, timing_parameters[i].unit,
			timing_parameters[i].name, timing_parameters[i].value[p->console]);
		return false;
	}
	p->value[i] = value;
	return true;
}

/* clock * count / divisor, MHz and units a clock to thousandths of 10^9 a second. */
static uint64_t giga(const struct timing_profile *p, uint64_t count, uint64_t divisor)
{
	return (p->value[TIMING_clock] * count + divisor / 2) / divisor;
}

uint64_t timing_peak(const struct timing_profile *p, enum timing_peak which)
{
	const uint32_t *v = p->value;

	switch (which) {
	case TIMING_PEAK_flops:
		return giga(p, 2ull * v[TIMING_compute_units] * v[TIMING_simds] * v[TIMING_simd_lanes], 1000);
	case TIMING_PEAK_primitives: return giga(p, v[TIMING_primitives], 1);
	case TIMING_PEAK_fill: return giga(p, v[TIMING_color_pixels], v[TIMING_color_32]);
	case TIMING_PEAK_fill_64_blend: return giga(p, v[TIMING_color_pixels], v[TIMING_color_64_blend]);
	case TIMING_PEAK_fill_32_abgr: return giga(p, v[TIMING_color_pixels], v[TIMING_color_32_abgr]);
	case TIMING_PEAK_texels: return giga(p, v[TIMING_texels], 1);
	case TIMING_PEAK_memory: return v[TIMING_memory_rate];
	case TIMING_PEAK_esram: return v[TIMING_esram_rate];
	case TIMING_PEAK_COUNT: break;
	}
	return 0;
}
