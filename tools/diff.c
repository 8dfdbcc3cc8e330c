/* kiln diff: two PNGs, equal by a rule or not; where they differ, the worst pixels and a heat map. */
#include "tools/compare.h"
#include "tools/tools.h"

struct arguments {
	const char *expected, *actual, *output, *rule_text;
	struct compare_rule rule;
	bool json;
};

/* What came out: images of different size are not compared. */
struct outcome {
	struct image expected, actual;
	struct compare_result result;
	bool read, same_size, heat_map;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case 'o': a->output = arg; return 0;
	case 'j': a->json = true; return 0;
	case 'r':
		if (!compare_rule_parse(arg, &a->rule))
			argp_error(state, "--rule takes exact, ulp=N, percent=P, fuzzy=D,P or de=E (N and D codes up to 255, P percent), "
				"not '%s'", arg);
		a->rule_text = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num > 1)
			argp_usage(state);
		*(state->arg_num ? &a->actual : &a->expected) = arg;
		return 0;
	case ARGP_KEY_END:
		if (state->arg_num < 2)
			argp_usage(state);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* ---- report ---- */

static void print_color(const char *what, const uint8_t *c)
{
	printf("%s %02X %02X %02X %02X (%.4f %.4f %.4f %.4f)", what, c[0], c[1], c[2], c[3], c[0] / 255.0, c[1] / 255.0,
		c[2] / 255.0, c[3] / 255.0);
}

static void print_outcome(const struct arguments *a, const struct outcome *o)
{
	const struct compare_result *r = &o->result;
	const char *unit = a->rule.metric == COMPARE_DELTA_E ? "dE" : "codes";
	printf("%s %s: ", a->expected, a->actual);
	if (!o->same_size) {
		printf("differ in size: expected %u x %u, actual %u x %u\n", o->expected.width, o->expected.height, o->actual.width,
			o->actual.height);
		return;
	}
	printf("%s by %s: %llu of %llu pixels differ, %llu beyond the limit\n", r->equal ? "equal" : "differ", a->rule_text,
		(unsigned long long)r->differing, (unsigned long long)r->total, (unsigned long long)r->beyond);
	for (unsigned i = 0; i < r->worst_count && !r->equal; i++) {
		const struct compare_pixel *p = &r->worst[i];
		printf("  (%u, %u): ", p->x, p->y);
		print_color("expected", p->expected);
		print_color(", actual", p->actual);
		printf(", %g %s\n", p->difference, unit);
	}
	if (o->heat_map)
		printf("  wrote %s\n", a->output);
}

static json_t *json_color(const uint8_t *c) { return json_pack("[i, i, i, i]", c[0], c[1], c[2], c[3]); }

static json_t *json_worst(const struct compare_result *r)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < r->worst_count; i++) {
		const struct compare_pixel *p = &r->worst[i];
		json_array_append_new(list, json_pack("{s:I, s:I, s:o, s:o, s:f}", "x", (json_int_t)p->x, "y", (json_int_t)p->y, 
			"expected", json_color(p->expected), "actual", json_color(p->actual), "difference", p->difference));
	}
	return list;
}

static json_t *json_size(const struct image *i) { return json_pack("[I, I]", (json_int_t)i->width, (json_int_t)i->height); }

static void print_outcome_json(const struct arguments *a, const struct outcome *o, const struct kiln_diags *d)
{
	const struct compare_result *r = &o->result;
	json_t *j = json_pack("{s:o, s:o, s:s, s:b, s:o}", "expected", json_text(a->expected, strlen(a->expected)),
		"actual", json_text(a->actual, strlen(a->actual)), "rule", a->rule_text,
		"equal", r->equal, "diagnostics", json_diags(d));
	if (j && o->read) {
		json_object_set_new(j, "expected_size", json_size(&o->expected));
		json_object_set_new(j, "actual_size", json_size(&o->actual));
	}
	if (j && o->same_size) {
		json_object_set_new(j, "pixels", json_integer((json_int_t)r->total));
		json_object_set_new(j, "differing", json_integer((json_int_t)r->differing));
		json_object_set_new(j, "beyond_limit", json_integer((json_int_t)r->beyond));
		json_object_set_new(j, "worst", json_worst(r));
	}
	if (j && o->heat_map)
		json_object_set_new(j, "heat_map", json_text(a->output, strlen(a->output)));
	print_json(j);
}

/* ---- the verb ---- */

static int compare_files(const struct arguments *a, struct outcome *o, struct kiln_diags *d)
{
	bool expected = image_read(a->expected, &o->expected, d), actual = image_read(a->actual, &o->actual, d);
	o->read = expected && actual; /* both are read, so that both are reported */
	if (!o->read)
		return EXIT_MISUSE;
	o->same_size = o->expected.width == o->actual.width && o->expected.height == o->actual.height;
	if (!o->same_size)
		return EXIT_REFUSED;
	compare_images(&o->expected, &o->actual, &a->rule, &o->result);
	if (o->result.equal)
		return EXIT_DONE;
	if (!a->output)
		return EXIT_REFUSED;
	uint8_t *heat = compare_heat_map(&o->expected, &o->actual);
	o->heat_map = image_write_rgb(a->output, o->expected.width, o->expected.height, heat, d);
	mem_free(heat);
	return o->heat_map ? EXIT_REFUSED : EXIT_MISUSE;
}

int verb_diff(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"rule", 'r', "RULE", 0, "What passes as equal: exact (default); ulp=N: channels up to N codes apart; percent=P: up to P "
			"percent of the pixels differ; fuzzy=D,P: up to P percent of the pixels differ, by up to D codes; de=E: colours up to "
			"CIE76 delta E apart (alpha as a fourth axis of 100)", 0},
		{"output", 'o', "FILE", 0, "Where they differ: a heat map as PNG, yellow to red on the dimmed expected image", 0},
		{"json", 'j', NULL, 0, "Report as JSON", 0},
		{0}};
	static const struct argp argp = {options, parse, "EXPECTED.png ACTUAL.png",
		"Compare two PNGs: exit 0 equal by the rule, 1 different, 2 misuse or bad input.\v"
		"Example: kiln diff docs/images/simple-triangle.png out/simple-triangle.png --rule ulp=1 -o heat.png", 0, 0, 0};
	struct arguments a = {.rule_text = "exact"};
	struct outcome o = {0};
	argp_parse(&argp, argc, argv, 0, 0, &a);
	struct kiln_diags *d = kiln_diags_create();
	int code = compare_files(&a, &o, d);
	if (a.json)
		print_outcome_json(&a, &o, d);
	else if (o.read)
		print_outcome(&a, &o);
	print_diags(stderr, d);
	kiln_diags_destroy(d);
	image_finish(&o.expected);
	image_finish(&o.actual);
	return code;
}
