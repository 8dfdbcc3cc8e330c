/* kiln pack: the PSOs of scenes and State Object Databases, shader containers, serialised PSOs and other packs ->
 * one library, in which equal sections stand once. A PSO is named SCENE/PSO (the file's name without folder and
 * .yaml), a shader by its file. With --list or --stats and no -o: what is in packs. */
#include "tools/pack.h"
#include "frontend/frontend.h"
#include "tools/pso_set.h"
#include "tools/scene_options.h"
#include <stdlib.h>
#include <string.h>

struct arguments {
	struct scene_arguments scene;
	const char *output;
	bool zstd, strip, list, stats;
	unsigned threads;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case ARGP_KEY_INIT: state->child_inputs[0] = &a->scene; return 0;
	case 'o': a->output = arg; return 0;
	case 'z': a->zstd = true; return 0;
	case 's': a->strip = true; return 0;
	case 'l': a->list = true; return 0;
	case 'S': a->stats = true; return 0;
	case 't': a->threads = pso_threads_argument(arg, state); return 0;
	case 'c':
		for (unsigned i = 0; i < KILN_CONSOLE_COUNT; i++)
			if (!strcmp(arg, pack_consoles[i])) {
				a->scene.device.console = (enum kiln_console)i;
				return 0;
			}
		argp_error(state, "--console takes none, xbox-one or xbox-series, not '%s'", arg);
		return 0;
	case ARGP_KEY_END:
		if (!a->output && !a->list && !a->stats)
			argp_error(state, "give -o FILE, or --list or --stats of a pack");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* What is being packed. */
struct packing {
	const struct arguments *a;
	struct pack_writer *writer;
	struct kiln_diags *diags;
	size_t refused;
	bool failed;
};

/* ---- PSOs of scenes and databases ---- */

static void add_pipeline(struct packing *k, const struct pso_set *s, const struct pso_entry *e, const struct pipeline *p)
{
	const char *path = s->files[e->file].path;
	const struct pso_entry *root = e;
	while (root->base != PSO_NONE)
		root = &s->entries[root->base];
	struct buf name = {0}, base = {0};
	pack_entry_name(path, e->name, &name);
	pack_entry_name(path, root->name, &base);
	const struct pso_serialize_options o = {.console = k->a->scene.device.console, .strip_debug = k->a->strip,
		.name = (char *)name.data, .base_name = (char *)base.data};
	struct pso_bytes bytes;
	bool ok = pso_bytes_make(p, &o, &bytes, k->diags);
	const struct pack_entry entry = {(char *)name.data, p->base ? PACK_DERIVED : PACK_BASE, bytes.image};
	k->failed |= !ok || !pack_add(k->writer, &entry, k->diags);
	pso_bytes_finish(&bytes);
	buf_finish(&name);
	buf_finish(&base);
}

static void add_set(struct packing *k, struct pso_set *s)
{
	struct pipeline **made = mem_array(s->entry_count, sizeof *made);
	bool *is_base = mem_array(s->entry_count, sizeof *is_base);
	for (size_t i = 0; i < s->entry_count; i++)
		if (s->entries[i].base != PSO_NONE)
			is_base[s->entries[i].base] = true;
	for (size_t i = 0; i < s->entry_count; i++) {
		struct pso_entry *e = &s->entries[i];
		struct pipeline_inputs in;
		if (e->base != PSO_NONE)
			made[i] = pso_set_derive(s, e, made[e->base]);
		else if (pso_set_inputs(s, e, &in))
			made[i] = pipeline_create(&in, e->diags);
		diags_append(k->diags, e->diags);
		k->refused += !made[i];
		if (made[i])
			add_pipeline(k, s, e, made[i]);
		if (!is_base[i]) {
			pipeline_release(made[i]);
			made[i] = NULL;
		}
	}
	for (size_t i = s->entry_count; i-- > 0;)
		pipeline_release(made[i]);
	mem_free(is_base);
	mem_free(made);
}

static void pack_scenes(struct packing *k, char **paths, size_t count)
{
	struct pso_set s;
	unsigned saved = fp_enter();
	pso_set_open(&s, &k->a->scene.device, paths, count, pso_threads(k->a->threads));
	for (size_t i = 0; i < s.file_count; i++) {
		diags_append(k->diags, s.files[i].diags);
		k->failed |= s.files[i].failed;
	}
	if (!k->failed)
		add_set(k, &s);
	pso_set_close(&s);
	fp_leave(saved);
}

/* ---- single files ---- */

static void pack_shader(struct packing *k, const char *path, const uint8_t *data, size_t size)
{
	const struct fe_options o = {
		.wave_size = (uint8_t)k->a->scene.device.wave_size, .console = k->a->scene.device.console};
	struct isa_program *p = fe_compile(data, size, path, &o, k->diags);
	struct buf name = {0};
	struct pack_shader_bytes bytes;
	pack_entry_name(path, NULL, &name);
	if (!p) {
		k->failed = true;
	} else {
		pack_shader_make(p, k->a->scene.device.console, k->a->strip, &bytes);
		k->failed |= !pack_add(k->writer, &(struct pack_entry){(char *)name.data, PACK_SHADER, bytes.image}, k->diags);
		pack_shader_finish(&bytes);
	}
	buf_finish(&name);
	isa_program_destroy(p);
}

static void strip_image(const struct packing *k, struct pso_image *image)
{
	if (k->a->strip)
		image->section[PSO_VS_DEBUG] = image->section[PSO_PS_DEBUG] = (struct pso_span){0};
}

/* One that pso_image_load() refuses is not packed. */
static void pack_blob(struct packing *k, const char *path, const uint8_t *data, size_t size)
{
	struct pso_image image;
	if (!pso_image_read(data, size, path, &image, k->diags)) {
		k->failed = true;
		return;
	}
	struct buf stem = {0};
	pack_entry_name(path, NULL, &stem);
	const char *own = pso_image_name(&image);
	if (!image.derived) {
		struct pipeline *p = pso_image_load(&image, NULL, NULL, NULL, k->diags);
		k->failed |= !p;
		pipeline_release(p);
	}
	strip_image(k, &image);
	const struct pack_entry e = {*own ? own : (char *)stem.data, image.derived ? PACK_DERIVED : PACK_BASE, image};
	k->failed |= !pack_add(k->writer, &e, k->diags);
	buf_finish(&stem);
}

static void pack_pack(struct packing *k, const char *path, const uint8_t *data, size_t size)
{
	struct pack *p = pack_open_bytes(data, size, path, k->diags);
	struct pack_entry e;
	for (size_t i = 0; p && i < pack_count(p); i++) {
		bool ok = pack_get(p, i, &e, k->diags);
		strip_image(k, &e.image);
		k->failed |= !ok || !pack_add(k->writer, &e, k->diags);
	}
	k->failed |= !p;
	pack_close(p);
}

static const struct {
	const char *magic;
	void (*pack)(struct packing *k, const char *path, const uint8_t *data, size_t size);
} inputs[] = {{"DXBC", pack_shader}, {"KPSO", pack_blob}, {"KPAK", pack_pack}};

/* True: the file was no scene and is done. */
static bool pack_file(struct packing *k, const char *path)
{
	uint8_t *data = NULL;
	size_t size = 0;
	if (!read_input(path, &data, &size, k->diags)) {
		k->failed = true;
		return true;
	}
	bool done = false;
	for (size_t i = 0; i < ARRAY_COUNT(inputs) && !done; i++)
		if (size >= 4 && !memcmp(data, inputs[i].magic, 4)) {
			inputs[i].pack(k, path, data, size);
			done = true;
		}
	mem_free(data);
	return done;
}

/* ---- the verb ---- */

static void report(const struct arguments *a, const struct pack *p, const char *path, json_t *list)
{
	json_t *j = json_pack("{s:o}", "pack", json_text(path, strlen(path)));
	if (a->scene.json && a->list)
		json_object_set_new(j, "entries", pack_list_json(p));
	if (a->scene.json && a->stats)
		json_object_set_new(j, "stats", pack_stats_json(p));
	json_array_append_new(list, j);
	if (a->scene.json)
		return;
	if (a->list)
		pack_list_print(p);
	if (a->stats)
		pack_stats_print(p);
}

static void show(const struct arguments *a, struct packing *k, json_t *list)
{
	for (int i = 0; i < a->scene.count; i++) {
		struct pack *p = pack_open(a->scene.inputs[i], k->diags);
		if (p)
			report(a, p, a->scene.inputs[i], list);
		k->failed |= !p;
		pack_close(p);
	}
}

static void write_pack(const struct arguments *a, struct packing *k, json_t *list)
{
	char **scenes = mem_array((size_t)a->scene.count, sizeof *scenes);
	size_t count = 0;
	struct buf out = {0};
	k->writer = pack_writer_create();
	for (int i = 0; i < a->scene.count; i++)
		if (!pack_file(k, a->scene.inputs[i]))
			scenes[count++] = a->scene.inputs[i];
	if (count && !k->failed)
		pack_scenes(k, scenes, count);
	if (!k->failed)
		k->failed = !pack_encode(k->writer, a->zstd, &out, k->diags);
	struct pack *p = k->failed ? NULL : pack_open_bytes(out.data, out.size, a->output, k->diags);
	if (p && file_write(a->output, out.data, out.size, k->diags)) {
		if (!a->scene.json)
			printf("%s: %zu entries, %zu bytes%s\n", a->output, pack_count(p), out.size,
				k->refused ? "; refused PSOs were left out" : "");
		report(a, p, a->output, list);
	} else {
		k->failed = true;
	}
	pack_close(p);
	pack_writer_destroy(k->writer);
	buf_finish(&out);
	mem_free(scenes);
}

int verb_pack(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"output", 'o', "FILE", 0, "Write the pack there", 0},
		{"zstd", 'z', NULL, 0, "Compress what becomes smaller by it; such entries are decompressed when they are used", 0},
		{"strip", 's', NULL, 0, "Leave out the names of entry points and resources", 0},
		{"console", 'c', "NAME", 0, "Whom the PSOs are for: none (default: all), xbox-one, xbox-series", 0},
		{"list", 'l', NULL, 0, "Print the entries", 0},
		{"stats", 'S', NULL, 0, "Print bytes before and after, a line a kind of section", 0},
		{"threads", 't', "N", 0, "Threads that compile; 0 (default): one a processor", 0},
		{0}};
	static const struct argp_child children[] = {{&scene_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {options, parse, "SCENE.yaml|FILE.sodb|SHADER.cso|PSO.kpso|LIBRARY.kpack...",
		"Bake PSOs and shaders into one library.\v"
		"Example: kiln pack scenes/*.yaml -o lib.kpack --stats\n"
		"Example: kiln pack --list lib.kpack", children, 0, 0};
	struct arguments a = {0};
	argp_parse(&argp, argc, argv, 0, 0, &a);
	if (!a.scene.device.wave_size && a.scene.device.console == KILN_CONSOLE_XBOX_SERIES)
		a.scene.device.wave_size = 32;
	struct packing k = {.a = &a, .diags = kiln_diags_create()};
	json_t *list = json_array();
	(a.output ? write_pack : show)(&a, &k, list);
	if (a.scene.json)
		print_json(json_pack("{s:o, s:o}", "packs", list, "diagnostics", json_diags(k.diags)));
	else
		json_decref(list);
	print_diags(stderr, k.diags);
	kiln_diags_destroy(k.diags);
	return k.failed ? EXIT_MISUSE : k.refused ? EXIT_REFUSED : EXIT_DONE;
}
