/* kiln VERB …: finds the verb and hands over. */
#include "tools/tools.h"
#include <kiln/kiln.h>
#include <string.h>

static const struct verb {
	const char *name, *summary;
	int (*run)(int argc, char **argv);
} verbs[] = {
	{"info", "parts, signatures and resources of a shader container", verb_info},
	{"compile", "lower DXIL to ISA and put it into the container", verb_compile},
	{"disasm", "ISA as text, of a shader or of a scene's PSO", verb_disasm},
	{"asm", "text to ISA", verb_asm},
	{"run", "run scenes, check what they expect, write their targets as PNG", verb_run},
	{"check", "validate and lint the base and derived PSOs of scenes", verb_check},
	{"plan", "the fewest bases from which the PSOs of scenes derive", verb_plan},
	{"sodb", "the PSOs of scenes as a State Object Database", verb_sodb},
	{"pack", "PSOs of scenes and shaders as one library, equal parts once", verb_pack},
	{"unpack", "the entries of a library as files", verb_unpack},
	{"bench", "how long frames, compiling and PSOs take", verb_bench},
	{"diff", "compare two PNGs by a rule, draw a heat map", verb_diff},
	{"consoles", "the rates of the consoles that timing counts with", verb_consoles},
	{"docs", "print a reference page made from Kiln's own tables", verb_docs},
};

/* What a full disk or a closed pipe kept from standard output is not done. */
static int finish(int code)
{
	if (!fflush(stdout) && !ferror(stdout))
		return code;
	struct kiln_diags *d = kiln_diags_create();
	diag_add(d, DIAG_FILE_WRITE, "standard output", "cannot write");
	print_diags(stderr, d);
	kiln_diags_destroy(d);
	return EXIT_MISUSE;
}

static void usage(FILE *to)
{
	fprintf(to, "Usage: kiln VERB [OPTION...] FILE...\nA software GPU of the fixed console pipeline.\n\n");
	for (size_t i = 0; i < ARRAY_COUNT(verbs); i++)
		fprintf(to, "  kiln %-8s  %s\n", verbs[i].name, verbs[i].summary);
	fprintf(to, "\n`kiln VERB --help` has the options and an example. Exit code: 0 done, 1 refused or different, 2 misuse\n"
		"or bad input.\n\nExample: kiln run scenes/simple-lighting.yaml -o out\n");
}

int main(int argc, char **argv)
{
	argp_err_exit_status = EXIT_MISUSE;
	const char *name = argc > 1 ? argv[1] : "";
	if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
		usage(stdout);
		return finish(EXIT_DONE);
	}
	if (!strcmp(name, "--version")) {
		printf("kiln %s\n", kiln_version());
		return finish(EXIT_DONE);
	}
	for (size_t i = 0; i < ARRAY_COUNT(verbs); i++)
		if (!strcmp(name, verbs[i].name)) {
			char title[32];
			snprintf(title, sizeof title, "kiln %s", verbs[i].name);
			argv[1] = title;
			return finish(verbs[i].run(argc - 1, argv + 1));
		}
	if (*name)
		fprintf(stderr, "kiln: there is no verb '%s'\n", name);
	usage(stderr);
	return EXIT_MISUSE;
}
