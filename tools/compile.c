/* kiln compile: DXIL to ISA. With -o one container is written that carries the ISA as a part of its own, keyed by
 * console and root signature, beside what other compilations put there; without, each input is compiled and reported
 * in a line. */
#include "frontend/frontend.h"
#include "pso/pso.h"
#include "tools/tools.h"
#include <stdlib.h>
#include <string.h>

struct arguments {
	char **inputs;
	int count;
	const char *output, *root;
	unsigned wave;
	enum kiln_console console;
	bool strip, json;
};

static const char *const consoles[KILN_CONSOLE_COUNT] = {"none", "xbox-one", "xbox-series"};

static enum kiln_console find_console(const char *name, struct argp_state *state)
{
	for (unsigned i = 0; i < KILN_CONSOLE_COUNT; i++)
		if (!strcmp(name, consoles[i]))
			return (enum kiln_console)i;
	argp_error(state, "--console takes none, xbox-one or xbox-series, not '%s'", name);
	return KILN_CONSOLE_NONE;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case 'o': a->output = arg; return 0;
	case 'w':
		a->wave = (unsigned)strtoul(arg, NULL, 10);
		if (strcmp(arg, "32") && strcmp(arg, "64"))
			argp_error(state, "--wave takes 32 or 64, not '%s'", arg);
		return 0;
	case 's': a->strip = true; return 0;
	case 'c': a->console = find_console(arg, state); return 0;
	case 'r': a->root = arg; return 0;
	case 'j': a->json = true; return 0;
	case ARGP_KEY_ARGS:
		a->inputs = state->argv + state->next;
		a->count = state->argc - state->next;
		return 0;
	case ARGP_KEY_NO_ARGS: argp_usage(state); return 0;
	case ARGP_KEY_END:
		if (a->output && a->count > 1)
			argp_error(state, "-o takes one input, not %d", a->count);
		if (a->strip && !a->output)
			argp_error(state, "--strip needs -o");
		if (a->root && !a->output)
			argp_error(state, "--root-signature needs -o");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct fe_part *root_part(const struct fe_container *c)
{
	return fe_container_find(c, FE_FOURCC('R', 'T', 'S', '0'));
}

/* The key of a serialised root signature; size 0: the default one. */
static bool key_of(const uint8_t *data, size_t size, const char *where, uint8_t key[ROOT_KEY_BYTES], struct kiln_diags *d)
{
	memset(key, 0, ROOT_KEY_BYTES);
	if (!size)
		return true;
	struct root_signature *root = root_signature_parse(data, size, where, d);
	if (root)
		root_signature_key(root, key);
	root_signature_destroy(root);
	return root != NULL;
}

/* Of the root signature that the shader is compiled for: the file's, else the one that the container carries. */
static bool root_key(const struct arguments *a, const struct fe_container *c, uint8_t key[ROOT_KEY_BYTES],
	struct kiln_diags *d)
{
	const struct fe_part *part = root_part(c);
	struct fe_container file;
	uint8_t *data = NULL;
	size_t size = 0;
	if (!a->root)
		return key_of(part ? part->data : NULL, part ? part->size : 0, a->inputs[0], key, d);
	bool ok = read_input(a->root, &data, &size, d);
	if (ok && size >= 4 && !memcmp(data, "DXBC", 4)) {
		ok = fe_container_parse(data, size, a->root, &file, d);
		part = ok ? root_part(&file) : NULL;
		if (ok && !part)
			diag_add(d, DIAG_ROOT_SIGNATURE_BLOB, a->root, "the container holds no root signature (part RTS0)");
		ok = part && key_of(part->data, part->size, a->root, key, d);
	} else if (ok && !size) {
		diag_add(d, DIAG_ROOT_SIGNATURE_BLOB, a->root, "the file is empty");
		ok = false;
	} else if (ok) {
		ok = key_of(data, size, a->root, key, d);
	}
	mem_free(data);
	return ok;
}

/* The ISA part: what the container has, and this program. */
static bool make_part(const struct arguments *a, const struct fe_container *c, const struct isa_program *p, struct buf *out,
	struct kiln_diags *d)
{
	const struct fe_part *old = fe_container_find(c, FE_ISA_PART);
	struct fe_precompiled_list list = {0};
	struct fe_precompiled entry = {.console = a->console};
	struct buf isa = {0};
	bool ok = (!old || fe_precompiled_read(old, a->inputs[0], &list, d)) && root_key(a, c, entry.root_key, d);
	isa_program_encode(p, &isa);
	entry.isa = isa.data;
	entry.size = isa.size;
	if (ok && !fe_precompiled_put(&list, &entry)) {
		diag_add(d, DIAG_CONTAINER_PART, a->inputs[0], "the ISA part holds %d programs already", FE_PRECOMPILED_MAX);
		ok = false;
	}
	if (ok)
		fe_precompiled_write(&list, out);
	buf_finish(&isa);
	return ok;
}

static bool has_dxil(const struct fe_container *c, const char *where, struct kiln_diags *d)
{
	if (fe_container_find(c, FE_FOURCC('D', 'X', 'I', 'L')) || fe_container_find(c, FE_FOURCC('I', 'L', 'D', 'B')))
		return true;
	diag_add(d, DIAG_CONTAINER_NO_DXIL, where, "the container holds ISA alone, which cannot be compiled for another key");
	return false;
}

/* The input with the ISA part; stripped: without what LLVM would read. */
static bool write_container(const struct arguments *a, const uint8_t *data, size_t size, const struct isa_program *p,
	struct kiln_diags *d)
{
	static const uint32_t stripped[] = {FE_FOURCC('D', 'X', 'I', 'L'), FE_FOURCC('I', 'L', 'D', 'B'),
		FE_FOURCC('I', 'L', 'D', 'N'), FE_FOURCC('S', 'T', 'A', 'T'), FE_FOURCC('H', 'A', 'S', 'H')};
	struct buf isa = {0}, out = {0};
	struct fe_container c;
	bool ok = fe_container_parse(data, size, a->inputs[0], &c, d) && has_dxil(&c, a->inputs[0], d) &&
		make_part(a, &c, p, &isa, d) && fe_container_with_part(&c, FE_ISA_PART, isa.data, isa.size, &out);
	for (size_t i = 0; ok && a->strip && i < ARRAY_COUNT(stripped); i++) {
		struct buf less = {0};
		if (!fe_container_parse(out.data, out.size, a->inputs[0], &c, d)) {
			ok = false;
			break;
		}
		if (!fe_container_find(&c, stripped[i]))
			continue;
		ok = fe_container_with_part(&c, stripped[i], NULL, 0, &less);
		buf_finish(&out);
		out = less;
	}
	ok = ok && file_write(a->output, out.data, out.size, d);
	buf_finish(&isa);
	buf_finish(&out);
	return ok;
}

static void report(const struct arguments *a, const char *path, const struct isa_program *p, const struct kiln_diags *d,
	json_t *list)
{
	if (a->json) {
		json_t *j = p ? json_pack("{s:o, s:s, s:i, s:i, s:i, s:i, s:i}", "file", json_text(path, strlen(path)), "stage",
			isa_stage_names[p->stage],
			"instructions", (int)p->inst_count, "vgprs", (int)p->vgprs, "sgprs", (int)p->sgprs, "scratch", (int)p->scratch,
			"wave", (int)p->wave_size) : json_pack("{s:o}", "file", json_text(path, strlen(path)));
		json_object_set_new(j, "diagnostics", json_diags(d));
		json_array_append_new(list, j);
	} else if (p) {
		printf("%s: %s, %zu instructions, %u vgprs, %u sgprs, %u scratch dwords, wave %u\n", path, isa_stage_names[p->stage],
			p->inst_count, p->vgprs, p->sgprs, p->scratch, p->wave_size);
	} else {
		const struct kiln_diag *g = kiln_diags_get(d, 0);
		printf("%s: not compiled: %u %s: %s\n", path, g ? g->number : 0, g ? g->name : "", g ? g->text : "");
	}
}

static int compile_one(const struct arguments *a, const char *path, json_t *list)
{
	struct kiln_diags *d = kiln_diags_create();
	const struct fe_options options = {
		.wave_size = (uint8_t)(!a->wave && a->console == KILN_CONSOLE_XBOX_SERIES ? 32 : a->wave)};
	struct isa_program *p = NULL;
	uint8_t *data = NULL;
	size_t size = 0;
	if (read_input(path, &data, &size, d))
		p = fe_compile(data, size, path, &options, d);
	if (p && a->output && !write_container(a, data, size, p, d)) {
		isa_program_destroy(p);
		p = NULL;
	}
	report(a, path, p, d, list);
	print_diags(stderr, d);
	int code = exit_for_diags(d);
	isa_program_destroy(p);
	mem_free(data);
	kiln_diags_destroy(d);
	return code;
}

int verb_compile(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"output", 'o', "FILE", 0, "Write the container with the ISA in it", 0},
		{"wave", 'w', "LANES", 0, "Lanes a wave: 64 (default) or 32 (default for xbox-series)", 0},
		{"console", 'c', "NAME", 0, "Whom the ISA is for: none (default: all), xbox-one, xbox-series", 0},
		{"root-signature", 'r', "FILE", 0,
			"The root signature it is for, serialised or in a container; default: the shader's own", 0},
		{"strip", 's', NULL, 0, "Leave DXIL, debug info and reflection out of the output", 0},
		{"json", 'j', NULL, 0, "Report as JSON", 0},
		{0}};
	static const struct argp argp = {options, parse, "SHADER.cso...",
		"Lower DXIL containers to ISA.\vExample: kiln compile shader.cso -o shader.isa.cso --strip", 0, 0, 0};
	struct arguments a = {0};
	int code = EXIT_DONE;
	argp_parse(&argp, argc, argv, 0, 0, &a);
	json_t *list = json_array();
	for (int i = 0; i < a.count; i++) {
		int one = compile_one(&a, a.inputs[i], list);
		code = one > code ? one : code;
	}
	if (a.json)
		print_json(list);
	else
		json_decref(list);
	return code;
}
