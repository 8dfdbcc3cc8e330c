/* docs/consoles.md, written from the table of consoles; a test compares the file with it. */
#include "timing/timing.h"

static const char intro[] =
	"# Consoles\n"
	"\n"
	"Written from `timing/profile.def`; do not edit. One row is a parameter of the timing model, one column a console. A value\n"
	"marked `?` is not settled by a public source that can be cited: it is a default to start from. `kiln consoles` prints the\n"
	"same, `kiln consoles NAME --parameter clock=900` what follows from a change. \"A clock\" is of the whole GPU.\n";

static void put_heads(struct buf *out, const char *more)
{
	for (unsigned c = 0; c < TIMING_CONSOLE_COUNT; c++)
		buf_printf(out, " %s |", timing_console_name(c));
	buf_printf(out, " %s |\n|---|---|", more);
	for (unsigned c = 0; c < TIMING_CONSOLE_COUNT + 1; c++)
		buf_printf(out, "---|");
	buf_printf(out, "\n");
}

void timing_docs(struct buf *out)
{
	buf_printf(out, "%s\n## Parameters\n\n| parameter | unit |", intro);
	put_heads(out, "meaning");
	for (int i = 0; i < TIMING_PARAMETER_COUNT; i++) {
		const struct timing_parameter_info *p = &timing_parameters[i];

		buf_printf(out, "| `%s` | %s |", p->name, p->unit);
		for (unsigned c = 0; c < TIMING_CONSOLE_COUNT; c++)
			buf_printf(out, " %u%s |", p->value[c], p->open[c] == '?' ? " ?" : "");
		buf_printf(out, " %s |\n", p->meaning);
	}
	buf_printf(out, "\n## Peaks\n\nWhat follows from the parameters: clock times units a clock.\n\n| peak | unit |");
	put_heads(out, "of");
	for (int i = 0; i < TIMING_PEAK_COUNT; i++) {
		buf_printf(out, "| `%s` | %s |", timing_peaks[i].name, timing_peaks[i].unit);
		for (unsigned c = 0; c < TIMING_CONSOLE_COUNT; c++) {
			struct timing_profile p;
			uint64_t v;

			timing_profile_of(c, &p);
			v = timing_peak(&p, (enum timing_peak)i);
			buf_printf(out, " %llu.%03llu |", (unsigned long long)(v / 1000), (unsigned long long)(v % 1000));
		}
		buf_printf(out, " %s |\n", timing_peaks[i].meaning);
	}
}
