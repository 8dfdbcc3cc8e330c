/* kiln unpack: each entry of a pack as a file of its own: a PSO as NAME.kpso (kiln pack takes it again), a shader as
 * NAME.kisa (kiln disasm reads it). What a file name should not hold stands as %XX. */
#include "tools/pack.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

struct arguments {
	const char *input, *output, *entry;
	bool json;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case 'o': a->output = arg; return 0;
	case 'e': a->entry = arg; return 0;
	case 'j': a->json = true; return 0;
	case ARGP_KEY_ARG:
		if (a->input)
			argp_error(state, "one pack at a time");
		a->input = arg;
		return 0;
	case ARGP_KEY_END:
		if (!a->input)
			argp_usage(state);
		if (!a->output)
			argp_error(state, "give the folder: -o DIR");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static void put_name(const char *name, struct buf *out)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
	for (size_t i = 0; name[i]; i++) {
		if (strchr(plain, name[i]) && (i || name[i] != '.'))
			buf_put(out, &name[i], 1);
		else
			buf_printf(out, "%%%02X", (unsigned)(unsigned char)name[i]);
	}
}

static bool encode(const struct pack_entry *e, struct buf *out, struct kiln_diags *d)
{
	if (e->kind != PACK_SHADER) {
		pso_image_write(&e->image, out);
		return true;
	}
	struct isa_program *p = pack_shader_program(&e->image, e->name, d);
	if (p)
		isa_program_encode(p, out);
	isa_program_destroy(p);
	return p != NULL;
}

/* Encoded, and written too; first all are encoded alone, so that of a damaged pack nothing is written. */
static bool unpack(const struct arguments *a, struct pack *p, size_t i, bool write, json_t *files, struct kiln_diags *d)
{
	struct buf path = {0}, bytes = {0};
	struct pack_entry e;
	bool ok = pack_get(p, i, &e, d) && encode(&e, &bytes, d);
	if (ok && write) {
		buf_printf(&path, "%s/", a->output);
		put_name(e.name, &path);
		buf_printf(&path, "%s", e.kind == PACK_SHADER ? ".kisa" : ".kpso");
		ok = file_write(buf_text(&path), bytes.data, bytes.size, d);
	}
	if (ok && write)
		json_array_append_new(files, json_pack("{s:o, s:o}", "name", json_text(e.name, strlen(e.name)), "file",
			json_text((char *)path.data, path.size)));
	if (ok && write && !a->json)
		printf("%s\n", (char *)path.data);
	buf_finish(&path);
	buf_finish(&bytes);
	return ok;
}

static bool make_folder(const char *path, struct kiln_diags *d)
{
	if (mkdir(path, 0777) == 0 || errno == EEXIST)
		return true;
	diag_add(d, DIAG_FILE_WRITE, path, "cannot make the folder: %s", strerror(errno));
	return false;
}

int verb_unpack(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"output", 'o', "DIR", 0, "The folder to write to; made where there is none", 0},
		{"entry", 'e', "NAME", 0, "This entry alone", 0},
		{"json", 'j', NULL, 0, "Report as JSON", 0},
		{0}};
	static const struct argp argp = {options, parse, "LIBRARY.kpack",
		"Write the entries of a pack as files.\vExample: kiln unpack lib.kpack -o psos", 0, 0, 0};
	struct arguments a = {0};
	argp_parse(&argp, argc, argv, 0, 0, &a);
	struct kiln_diags *d = kiln_diags_create();
	json_t *files = json_array();
	struct pack *p = pack_open(a.input, d);
	size_t only = p && a.entry ? pack_find(p, a.entry) : 0;
	bool ok = p != NULL;
	if (only == SIZE_MAX) {
		diag_add(d, DIAG_PACK_NAME, a.input, "there is no entry '%s'", a.entry);
		ok = false;
	}
	for (int write = 0; write < 2 && ok; write++) {
		ok = !write || make_folder(a.output, d);
		for (size_t i = 0; ok && i < pack_count(p); i++)
			if (!a.entry || i == only)
				ok = unpack(&a, p, i, write, files, d);
	}
	if (a.json)
		print_json(json_pack("{s:o, s:o}", "files", files, "diagnostics", json_diags(d)));
	else
		json_decref(files);
	print_diags(stderr, d);
	pack_close(p);
	kiln_diags_destroy(d);
	return ok ? EXIT_DONE : EXIT_MISUSE;
}
