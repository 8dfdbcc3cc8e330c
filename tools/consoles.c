/* kiln consoles: the parameters of the timing model, console by console, and the peaks that follow. */
#include "timing/timing.h"
#include "tools/tools.h"

struct arguments {
	bool chosen[TIMING_CONSOLE_COUNT], any, json, failed;
	const char **changes;
	size_t change_count, change_cap;
	struct kiln_diags *diags;
};

static void choose(struct arguments *a, const char *name)
{
	int c = timing_find_console(name);
	a->any = true;
	if (c >= 0) {
		a->chosen[c] = true;
		return;
	}
	diag_add(a->diags, DIAG_TIMING_CONSOLE, "kiln consoles", "there is no console '%s'", name);
	a->failed = true;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case 'j': a->json = true; return 0;
	case 'p': *ARRAY_PUSH(a->changes, a->change_count, a->change_cap) = arg; return 0;
	case ARGP_KEY_ARG: choose(a, arg); return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static bool is_changed(const struct timing_profile *p, int i) { return p->value[i] != timing_parameters[i].value[p->console]; }
static bool is_open(const struct timing_profile *p, int i)
{
	return !is_changed(p, i) && timing_parameters[i].open[p->console] == '?';
}

static json_t *profile_json(const struct timing_profile *p)
{
	json_t *parameters = json_object(), *peaks = json_object();
	for (int i = 0; i < TIMING_PARAMETER_COUNT; i++)
		json_object_set_new(parameters, timing_parameters[i].name, json_pack("{s:I, s:s, s:b, s:b}", "value",
			(json_int_t)p->value[i], "unit", timing_parameters[i].unit, "confirmed", !is_open(p, i), "changed",
			is_changed(p, i)));
	for (int i = 0; i < TIMING_PEAK_COUNT; i++)
		json_object_set_new(peaks, timing_peaks[i].name, json_pack("{s:f, s:s}", "value",
			(double)timing_peak(p, (enum timing_peak)i) / 1000, "unit", timing_peaks[i].unit));
	return json_pack("{s:s, s:o, s:o}", "console", timing_console_name(p->console), "parameters", parameters, "peaks", peaks);
}

static void print_table(const struct timing_profile *profiles, unsigned count)
{
	printf("%-16s %-15s", "", "");
	for (unsigned c = 0; c < count; c++)
		printf(" %15s", timing_console_name(profiles[c].console));
	printf("\n");
	for (int i = 0; i < TIMING_PARAMETER_COUNT; i++) {
		const struct timing_parameter_info *info = &timing_parameters[i];
		printf("%-16s %-15s", info->name, info->unit);
		for (unsigned c = 0; c < count; c++)
			printf(" %14u%c", profiles[c].value[i], is_changed(&profiles[c], i) ? '*' : is_open(&profiles[c], i) ? '?' : ' ');
		printf("  %s\n", info->meaning);
	}
	printf("peaks\n");
	for (int i = 0; i < TIMING_PEAK_COUNT; i++) {
		printf("%-16s %-15s", timing_peaks[i].name, timing_peaks[i].unit);
		for (unsigned c = 0; c < count; c++) {
			unsigned long long v = timing_peak(&profiles[c], (enum timing_peak)i);
			printf(" %10llu.%03llu ", v / 1000, v % 1000);
		}
		printf("  %s\n", timing_peaks[i].meaning);
	}
	printf("? no public source settles it; * changed\n");
}

static void print_profiles(const struct arguments *a, const struct timing_profile *profiles, unsigned count)
{
	json_t *list = json_array();
	for (unsigned c = 0; a->json && c < count; c++)
		json_array_append_new(list, profile_json(&profiles[c]));
	if (a->json)
		print_json(json_incref(list));
	else
		print_table(profiles, count);
	json_decref(list);
}

int verb_consoles(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"parameter", 'p', "NAME=VALUE", 0, "Change a parameter; may be given several times", 0},
		{"json", 'j', NULL, 0, "Print JSON", 0},
		{0}};
	static const struct argp argp = {options, parse, "[CONSOLE...]",
		"Print the parameters of the consoles' timing, and the peak rates that follow.\v"
		"Without names, all consoles.\nExample: kiln consoles xbox-one --parameter clock=900", 0, 0, 0};
	struct arguments a = {.diags = kiln_diags_create()};
	struct timing_profile profiles[TIMING_CONSOLE_COUNT];
	unsigned count = 0;
	argp_parse(&argp, argc, argv, 0, 0, &a);
	for (unsigned c = 0; c < TIMING_CONSOLE_COUNT; c++) {
		if (a.any && !a.chosen[c])
			continue;
		timing_profile_of(c, &profiles[count]);
		for (size_t i = 0; i < a.change_count; i++)
			a.failed |= !timing_profile_set(&profiles[count], a.changes[i], timing_console_name(c), a.diags);
		count++;
	}
	if (!a.failed)
		print_profiles(&a, profiles, count);
	print_diags(stderr, a.diags);
	kiln_diags_destroy(a.diags);
	mem_free(a.changes);
	return a.failed ? EXIT_MISUSE : EXIT_DONE;
}
