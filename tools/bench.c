/* kiln bench SUBJECT: hands over to the subject; medians and percentiles of what it measured. */
#include "tools/bench.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t bench_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void bench_add(struct bench_series *s, uint64_t ns) { *ARRAY_PUSH(s->ns, s->count, s->cap) = ns; }

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

uint64_t bench_quantile(struct bench_series *s, double share)
{
	if (!s->count)
		return 0;
	qsort(s->ns, s->count, sizeof *s->ns, by_value);
	size_t at = (size_t)(share * (double)s->count);
	return s->ns[at < s->count ? at : s->count - 1];
}

void bench_print(struct bench_series *list, size_t count)
{
	printf("%-12s %8s %12s %12s\n", "what", "times", "median, us", "p99, us");
	for (size_t i = 0; i < count; i++)
		if (list[i].count)
			printf("%-12s %8zu %12.3f %12.3f  %s\n", list[i].name, list[i].count, (double)bench_quantile(&list[i], 0.5) / 1e3,
				(double)bench_quantile(&list[i], 0.99) / 1e3, list[i].doc);
}

json_t *bench_json(struct bench_series *list, size_t count)
{
	json_t *out = json_array();
	for (size_t i = 0; i < count; i++)
		if (list[i].count)
			json_array_append_new(out, json_pack("{s:s, s:I, s:I, s:I}", "what", list[i].name, "times",
				(json_int_t)list[i].count, "median_ns", (json_int_t)bench_quantile(&list[i], 0.5), "p99_ns",
				(json_int_t)bench_quantile(&list[i], 0.99)));
	return out;
}

void bench_finish(struct bench_series *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		mem_free(list[i].ns);
}

static const struct subject {
	const char *name, *summary;
	int (*run)(int argc, char **argv);
} subjects[] = {
	{"scenes", "the six fixed scenes, frame by frame", bench_frames},
	{"compile", "containers of a folder, from DXIL to ISA", bench_compile},
	{"startup", "from starting the process to its end", bench_startup},
	{"pso", "derive, compile, bake, deserialise and find one PSO of a scene", bench_pso},
};

int verb_bench(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	for (size_t i = 0; i < ARRAY_COUNT(subjects); i++)
		if (!strcmp(name, subjects[i].name)) {
			char title[32];
			snprintf(title, sizeof title, "kiln bench %s", subjects[i].name);
			argv[1] = title;
			return subjects[i].run(argc - 1, argv + 1);
		}
	bool help = !strcmp(name, "--help") || !strcmp(name, "-?");
	FILE *to = help ? stdout : stderr;
	if (*name && !help)
		fprintf(to, "kiln bench: there is no subject '%s'\n", name);
	fprintf(to, "Usage: kiln bench SUBJECT [OPTION...] FILE...\nHow long things take on this machine.\n\n");
	for (size_t i = 0; i < ARRAY_COUNT(subjects); i++)
		fprintf(to, "  %-8s  %s\n", subjects[i].name, subjects[i].summary);
	fprintf(to, "\nExample: kiln bench scenes --times 5 fill tris\n");
	return help ? EXIT_DONE : EXIT_MISUSE;
}
