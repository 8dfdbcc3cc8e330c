/* kiln disasm and kiln asm: ISA as text and back. What is disassembled is a shader container (lowered, unless it carries
 * ISA alone), an ISA binary, or the pixel program of a PSO in a scene. */
#include "frontend/frontend.h"
#include "tools/scene.h"
#include "tools/tools.h"
#include <stdlib.h>
#include <string.h>

struct arguments {
	const char *input, *output, *pso;
	unsigned wave;
	bool required, json;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case 'o': a->output = arg; return 0;
	case 'p': a->pso = arg; return 0;
	case 'r': a->required = true; return 0;
	case 'j': a->json = true; return 0;
	case 'w':
		a->wave = (unsigned)strtoul(arg, NULL, 10);
		if (strcmp(arg, "32") && strcmp(arg, "64"))
			argp_error(state, "--wave takes 32 or 64, not '%s'", arg);
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num)
			argp_usage(state);
		a->input = arg;
		return 0;
	case ARGP_KEY_NO_ARGS: argp_usage(state); return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static bool is_scene(const char *path)
{
	const char *dot = strrchr(path, '.');
	return dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml"));
}

static bool shader_text(const struct arguments *a, struct buf *out, struct kiln_diags *d)
{
	const struct fe_options options = {.wave_size = (uint8_t)a->wave};
	uint8_t *data = NULL;
	size_t size = 0;
	if (!read_input(a->input, &data, &size, d))
		return false;
	bool binary = size >= 4 && !memcmp(data, "KISA", 4);
	struct isa_program *p = binary ? isa_program_decode(data, size, a->input, d) : fe_compile(data, size, a->input, &options, d);
	if (p)
		isa_disassemble(p, out);
	isa_program_destroy(p);
	mem_free(data);
	return p != NULL;
}

/* Text to stdout or into the file. */
static bool deliver(const struct arguments *a, const struct buf *text, struct kiln_diags *d)
{
	if (a->output)
		return file_write(a->output, text->data, text->size, d);
	if (!a->json)
		fwrite(text->data, 1, text->size, stdout);
	return true;
}

static int finish(struct kiln_diags *d, struct buf *out, bool ok)
{
	int code = exit_for_diags(d);
	print_diags(stderr, d);
	kiln_diags_destroy(d);
	buf_finish(out);
	return ok ? EXIT_DONE : code == EXIT_DONE ? EXIT_REFUSED : code;
}

int verb_disasm(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"output", 'o', "FILE", 0, "Write the text there", 0},
		{"wave", 'w', "LANES", 0, "Lower for waves of 64 (default) or 32 lanes", 0},
		{"pso", 'p', "NAME", 0, "Of a scene: the PSO whose pixel program is printed, as baked", 0},
		{"required", 'r', NULL, 0, "… as a full PSO of the same state would have it", 0},
		{"json", 'j', NULL, 0, "The text in JSON", 0},
		{0}};
	static const struct argp argp = {options, parse, "SHADER.cso|PROGRAM.isa|SCENE.yaml",
		"Print ISA as text.\vExample: kiln disasm scenes/export-unorm-blended.yaml --pso derived --required", 0, 0, 0};
	struct arguments a = {0};
	struct buf out = {0};
	argp_parse(&argp, argc, argv, 0, 0, &a);
	struct kiln_diags *d = kiln_diags_create();
	if (is_scene(a.input) != (a.pso != NULL)) {
		fprintf(stderr, "kiln disasm: --pso goes with a scene, and a scene with --pso\n");
		kiln_diags_destroy(d);
		return EXIT_MISUSE;
	}
	bool ok = a.pso ? scene_disassemble(a.input, a.pso, a.required, &out, d) : shader_text(&a, &out, d);
	ok = ok && deliver(&a, &out, d);
	if (a.json)
		print_json(json_pack("{s:o, s:o, s:o}", "file", json_text(a.input, strlen(a.input)), "text",
			ok ? json_text(out.size ? (const char *)out.data : "", out.size) : json_null(), "diagnostics", json_diags(d)));
	return finish(d, &out, ok);
}

int verb_asm(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"output", 'o', "FILE", 0, "Where the ISA binary goes (needed)", 0},
		{"json", 'j', NULL, 0, "Report as JSON", 0},
		{0}};
	static const struct argp argp = {options, parse, "PROGRAM.txt",
		"Assemble ISA text.\vExample: kiln disasm shader.cso -o shader.txt && kiln asm shader.txt -o shader.isa", 0, 0, 0};
	struct arguments a = {0};
	struct buf out = {0};
	uint8_t *data = NULL;
	size_t size = 0;
	argp_parse(&argp, argc, argv, 0, 0, &a);
	if (!a.output) {
		fprintf(stderr, "kiln asm: -o FILE is needed\n");
		return EXIT_MISUSE;
	}
	struct kiln_diags *d = kiln_diags_create();
	struct isa_program *p = NULL;
	if (read_input(a.input, &data, &size, d))
		p = isa_assemble((const char *)data, size, a.input, d);
	if (p && !p->allocated) { /* text on virtual registers */
		isa_divergence(p);
		isa_regalloc(p);
	}
	if (p)
		isa_program_encode(p, &out);
	bool ok = p && file_write(a.output, out.data, out.size, d);
	if (a.json)
		print_json(json_pack("{s:o, s:b, s:I, s:o}", "file", json_text(a.input, strlen(a.input)), "assembled", ok, "bytes",
			(json_int_t)out.size, "diagnostics", json_diags(d)));
	isa_program_destroy(p);
	mem_free(data);
	return finish(d, &out, ok);
}
