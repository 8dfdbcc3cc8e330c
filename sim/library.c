/* The public side of serialised PSOs and packs (kiln/pack.h): what pso/ does, with the device's word on consoles and
 * retail. */
#include "pso/pack.h"
#include "sim/device.h"
#include <kiln/pack.h>
#include <stdlib.h>

struct kiln_library {
	struct pack *pack;
};

static struct pipeline_options options_of(const struct kiln_device *d)
{
	return (struct pipeline_options){
		.ignore_export_mismatch = d->desc.ignore_export_mismatch, .accept_superset = d->desc.accept_superset};
}

static bool check_console(const struct kiln_device *d, uint32_t console, const char *where, struct kiln_diags *diags)
{
	static const char *const names[KILN_CONSOLE_COUNT] = {"no console", "Xbox One", "Xbox Series"};

	if (console == KILN_CONSOLE_NONE || d->desc.console == KILN_CONSOLE_NONE || console == d->desc.console)
		return true;
	diag_add(diags, DIAG_PSO_BLOB_CONSOLE, where, "it was serialised for %s, this device is %s", names[console],
		names[d->desc.console]);
	return false;
}

/* ---- one PSO ---- */

void *kiln_pso_serialize(struct kiln_device *d, const struct kiln_pso *p, const struct kiln_serialize_options *options,
	size_t *size, struct kiln_diags *diags)
{
	struct pso_serialize_options o = {.console = d->desc.console};
	struct pso_bytes bytes;
	struct buf b = {0};
	void *out = NULL;

	*size = 0;
	if (d->desc.retail) {
		diag_add(diags, DIAG_SERIALIZE_RETAIL, p->pipeline->name, "a retail device does not serialise PSOs");
		return NULL;
	}
	if (options) {
		o.strip_debug = options->strip_debug;
		o.name = options->name;
		o.base_name = options->base_name;
	}
	if (pso_bytes_make(p->pipeline, &o, &bytes, diags)) {
		pso_image_write(&bytes.image, &b);
		out = malloc(b.size); /* the caller frees it with free() */
		if (out) {
			memcpy(out, b.data, b.size);
			*size = b.size;
		}
	}
	pso_bytes_finish(&bytes);
	buf_finish(&b);
	return out;
}

struct kiln_pso *kiln_pso_deserialize(struct kiln_device *d, const char *name, const void *data, size_t size,
	struct kiln_pso *base, struct kiln_diags *diags)
{
	const struct pipeline_options options = options_of(d);
	const char *where = name ? name : "serialised PSO";
	unsigned saved = fp_enter();
	struct pipeline *p = NULL;
	struct pso_image image;

	if (pso_image_read(data, size, where, &image, diags) && check_console(d, image.console, where, diags))
		p = pso_image_load(&image, name, base ? base->pipeline : NULL, &options, diags);
	fp_leave(saved);
	return pso_wrap(p);
}

bool kiln_pso_bytes_inspect(const void *data, size_t size, struct kiln_pso_bytes_info *out, struct kiln_diags *diags)
{
	struct pso_image image;

	*out = (struct kiln_pso_bytes_info){.name = "", .base_name = ""};
	if (!pso_image_read(data, size, "serialised PSO", &image, diags))
		return false;
	*out = (struct kiln_pso_bytes_info){.name = pso_image_name(&image), .base_name = pso_image_base(&image),
		.derived = image.derived, .console = (enum kiln_console)image.console, .hash = pso_image_key(&image)};
	return true;
}

/* ---- libraries ---- */

struct kiln_library *kiln_library_open(const char *path, struct kiln_diags *diags)
{
	struct pack *pack = pack_open(path, diags);
	struct kiln_library *l;

	if (!pack)
		return NULL;
	l = mem_alloc(sizeof *l);
	l->pack = pack;
	return l;
}

void kiln_library_close(struct kiln_library *l)
{
	if (!l)
		return;
	pack_close(l->pack);
	mem_free(l);
}

size_t kiln_library_count(const struct kiln_library *l) { return pack_count(l->pack); }

const char *kiln_library_name(const struct kiln_library *l, size_t i)
{
	return i < pack_count(l->pack) ? pack_name(l->pack, i) : NULL;
}

bool kiln_library_has(const struct kiln_library *l, const char *entry) { return pack_find(l->pack, entry) != SIZE_MAX; }

/* SIZE_MAX: there is none for this device; diagnostic added. */
static size_t find(const struct kiln_device *d, const struct kiln_library *l, const char *entry, struct kiln_diags *diags)
{
	size_t i = pack_find(l->pack, entry);

	if (i == SIZE_MAX)
		diag_add(diags, DIAG_PACK_NAME, entry, "the library has no entry of this name");
	else if (!check_console(d, pack_console(l->pack, i), entry, diags))
		i = SIZE_MAX;
	return i;
}

struct kiln_pso *kiln_library_pso(struct kiln_device *d, struct kiln_library *l, const char *entry, const char *name,
	struct kiln_diags *diags)
{
	const struct pipeline_options options = options_of(d);
	unsigned saved = fp_enter();
	size_t i = find(d, l, entry, diags);
	struct pipeline *p = i == SIZE_MAX ? NULL : pack_load(l->pack, i, name, &options, diags);

	fp_leave(saved);
	return pso_wrap(p);
}

struct kiln_shader *kiln_library_shader(struct kiln_device *d, struct kiln_library *l, const char *entry,
	struct kiln_diags *diags)
{
	size_t i = find(d, l, entry, diags);
	struct isa_program *p = NULL;
	struct kiln_shader *s = NULL;
	struct pack_entry e;

	if (i != SIZE_MAX && pack_kind_of(l->pack, i) != PACK_SHADER)
		diag_add(diags, DIAG_PACK_NAME, entry, "the entry is a PSO, no shader");
	else if (i != SIZE_MAX && pack_get(l->pack, i, &e, diags))
		p = pack_shader_program(&e.image, entry, diags);
	if (p)
		s = sim_shader_from_program(d, entry, p);
	isa_program_destroy(p);
	return s;
}
