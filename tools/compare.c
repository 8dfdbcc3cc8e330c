/* Images compared by a rule. Codes and counts are integers and exact. ΔE is CIE76: sRGB codes to XYZ (IEC 61966-2-1, D65)
 * to L*a*b* in double with libm's pow and cbrt, rounded to a millionth so that libm's last bits do not show; alpha, which
 * has no place in L*a*b*, counts as a fourth axis from 0 to 100. */
#include "tools/compare.h"
#include "isa/base.h"
#include <math.h>
#include <stdlib.h>

/* ---- rules ---- */

enum { SHARE_ALL = 100 * 1000000 };

static const struct rule_row {
	const char *name;
	enum compare_metric metric;
	bool takes_limit, takes_share;
	double limit;          /* the greatest that may be given, or what stands where none is */
	uint32_t share;        /* where none is given */
} rule_rows[] = {
	{"exact", COMPARE_CODES, false, false, 0, 0},
	{"ulp", COMPARE_CODES, true, false, 255, SHARE_ALL},
	{"percent", COMPARE_CODES, false, true, 255, 0},
	{"fuzzy", COMPARE_CODES, true, true, 255, 0},
	{"de", COMPARE_DELTA_E, true, false, 1000, SHARE_ALL},
};

/* A decimal number up to max, at *at, which moves behind it: no sign, no exponent. */
static bool take_number(const char **at, double max, double *value)
{
	size_t length = strspn(*at, "0123456789.");
	char *end;
	if (!length)
		return false;
	*value = strtod(*at, &end);
	bool ok = end == *at + length && *value <= max;
	*at = end;
	return ok;
}

bool compare_rule_parse(const char *text, struct compare_rule *rule)
{
	size_t length = strcspn(text, "=");
	const char *at = text + length + (text[length] == '=');
	for (size_t i = 0; i < ARRAY_COUNT(rule_rows); i++) {
		const struct rule_row *row = &rule_rows[i];
		double percent = 0;
		if (length != strlen(row->name) || memcmp(text, row->name, length))
			continue;
		*rule = (struct compare_rule){row->metric, row->limit, row->share};
		if ((row->takes_limit || row->takes_share) != (text[length] == '='))
			return false;
		if (row->takes_limit && !take_number(&at, row->limit, &rule->limit))
			return false;
		if (row->takes_limit && row->metric == COMPARE_CODES && rule->limit != floor(rule->limit))
			return false;
		if (row->takes_limit && row->takes_share && *at++ != ',')
			return false;
		if (row->takes_share && !take_number(&at, 100, &percent))
			return false;
		if (row->takes_share)
			rule->share = (uint32_t)(percent * 1e6 + 0.5);
		return !*at;
	}
	return false;
}

/* ---- a pixel's difference ---- */

static unsigned code_difference(const uint8_t *a, const uint8_t *b)
{
	int worst = 0;
	for (unsigned c = 0; c < 4; c++) {
		int difference = abs(a[c] - b[c]);
		worst = difference > worst ? difference : worst;
	}
	return (unsigned)worst;
}

static double linear(uint8_t code)
{
	double x = code / 255.0;
	return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static double lab_curve(double t)
{
	const double bend = 6.0 / 29.0;
	return t > bend * bend * bend ? cbrt(t) : t / (3 * bend * bend) + 4.0 / 29.0;
}

static void lab(const uint8_t *rgba, double out[4])
{
	static const double xyz[3][3] = { /* from linear RGB; the sum of a row is white */
		{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}};
	double f[3];
	for (unsigned i = 0; i < 3; i++) {
		double v = 0, white = 0;
		for (unsigned c = 0; c < 3; c++) {
			v += xyz[i][c] * linear(rgba[c]);
			white += xyz[i][c];
		}
		f[i] = lab_curve(v / white);
	}
	out[0] = 116 * f[1] - 16;
	out[1] = 500 * (f[0] - f[1]);
	out[2] = 200 * (f[1] - f[2]);
	out[3] = rgba[3] * (100 / 255.0);
}

static double delta_e(const uint8_t *a, const uint8_t *b)
{
	double p[4], q[4], sum = 0;
	lab(a, p);
	lab(b, q);
	for (unsigned i = 0; i < 4; i++)
		sum += (p[i] - q[i]) * (p[i] - q[i]);
	return floor(sqrt(sum) * 1e6 + 0.5) / 1e6;
}

/* ---- images ---- */

static void keep_worst(struct compare_result *r, const struct compare_pixel *p)
{
	unsigned at = r->worst_count;
	while (at && r->worst[at - 1].difference < p->difference)
		at--;
	if (at == COMPARE_WORST_MAX)
		return;
	r->worst_count += r->worst_count < COMPARE_WORST_MAX;
	for (unsigned i = r->worst_count - 1; i > at; i--)
		r->worst[i] = r->worst[i - 1];
	r->worst[at] = *p;
}

void compare_images(const struct image *expected, const struct image *actual, const struct compare_rule *rule,
	struct compare_result *result)
{
	*result = (struct compare_result){.total = (uint64_t)expected->width * expected->height};
	for (uint64_t i = 0; i < result->total; i++) {
		const uint8_t *a = expected->rgba + i * 4, *b = actual->rgba + i * 4;
		if (!memcmp(a, b, 4))
			continue;
		struct compare_pixel p = {.x = (uint32_t)(i % expected->width), .y = (uint32_t)(i / expected->width)};
		memcpy(p.expected, a, 4);
		memcpy(p.actual, b, 4);
		p.difference = rule->metric == COMPARE_DELTA_E ? delta_e(a, b) : code_difference(a, b);
		result->differing++;
		result->beyond += p.difference > rule->limit;
		keep_worst(result, &p);
	}
	result->equal = !result->beyond && result->differing * SHARE_ALL <= rule->share * result->total;
}

uint8_t *compare_heat_map(const struct image *expected, const struct image *actual)
{
	size_t total = (size_t)expected->width * expected->height;
	uint8_t *rgb = mem_array(total, 3);
	for (size_t i = 0; i < total; i++) {
		const uint8_t *a = expected->rgba + i * 4;
		unsigned difference = code_difference(a, actual->rgba + i * 4);
		uint8_t gray = (uint8_t)((a[0] + 2 * a[1] + a[2]) / 16);
		uint8_t *to = rgb + i * 3;
		to[0] = difference ? 255 : gray;
		to[1] = difference ? (uint8_t)(255 - difference) : gray;
		to[2] = difference ? 0 : gray;
	}
	return rgb;
}
