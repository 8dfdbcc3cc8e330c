/* kiln docs PAGE: a reference page of docs/ from the tables it describes. */
#include "pso/format.h"
#include "timing/timing.h"
#include "tools/tools.h"
#include <string.h>

static const struct page {
	const char *name;
	void (*print)(struct buf *out);
} pages[] = {{"isa", isa_docs}, {"diagnostics", diag_docs}, {"formats", format_docs}, {"consoles", timing_docs}};

struct arguments {
	const char *page;
	bool json;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	if (key == 'j')
		a->json = true;
	else if (key == ARGP_KEY_ARG && state->arg_num == 0)
		a->page = arg;
	else if (key == ARGP_KEY_ARG || key == ARGP_KEY_NO_ARGS)
		argp_usage(state);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

int verb_docs(int argc, char **argv)
{
	static const struct argp_option options[] = {{"json", 'j', NULL, 0, "Print JSON: the page's name and text", 0}, {0}};
	static const struct argp argp = {options, parse, "isa|diagnostics|formats|consoles",
		"Print a reference page made from Kiln's own tables, as Markdown.\vExample: kiln docs isa > docs/isa.md", 0, 0, 0};
	struct arguments a = {0};
	argp_parse(&argp, argc, argv, 0, 0, &a);
	for (size_t i = 0; i < ARRAY_COUNT(pages); i++) {
		if (strcmp(a.page, pages[i].name))
			continue;
		struct buf out = {0};
		pages[i].print(&out);
		if (a.json)
			print_json(json_pack("{s:s, s:s}", "page", a.page, "text", buf_text(&out)));
		else
			fwrite(out.data, 1, out.size, stdout);
		buf_finish(&out);
		return EXIT_DONE;
	}
	fprintf(stderr, "kiln docs: there is no page '%s'; isa, diagnostics, formats and consoles are the pages\n", a.page);
	return EXIT_MISUSE;
}
