/* Shaders that bring ISA along, keyed by console and root signature: which program a PSO gets. A program for no
 * console in particular serves all, and a device of none takes all. Where no program fits, DXIL that was kept is
 * compiled, and that a title did not want this is counted and said. */
#include "frontend/frontend.h"
#include "sim/device.h"

static const char *const console_names[KILN_CONSOLE_COUNT] = {"no console", "Xbox One", "Xbox Series"};

static bool fits(const struct kiln_device *d, uint32_t console)
{
	return console == KILN_CONSOLE_NONE || d->desc.console == KILN_CONSOLE_NONE || console == d->desc.console;
}

static bool has_dxil(const struct fe_container *c)
{
	return fe_container_find(c, FE_FOURCC('D', 'X', 'I', 'L')) || fe_container_find(c, FE_FOURCC('I', 'L', 'D', 'B'));
}

/* Of the part's programs those that run here. A damaged one is left out where its DXIL can take its place. */
static bool take(struct kiln_device *d, struct kiln_shader *s, const struct fe_precompiled_list *list, bool dxil,
	struct kiln_diags *diags)
{
	struct kiln_diags *said = kiln_diags_create();
	bool any = false, ok = true;

	s->isa = mem_array(list->count, sizeof *s->isa);
	for (size_t i = 0; i < list->count && ok; i++) {
		const struct fe_precompiled *e = &list->entries[i];
		struct isa_program *p;

		if (!fits(d, e->console))
			continue;
		any = true;
		p = isa_program_decode(e->isa, e->size, s->name, dxil ? said : diags);
		ok = p || dxil;
		if (!p)
			continue;
		s->isa[s->isa_count] = (struct shader_isa){.console = e->console, .program = p};
		memcpy(s->isa[s->isa_count++].root_key, e->root_key, ROOT_KEY_BYTES);
	}
	if (!any)
		diag_add(diags, DIAG_PRECOMPILED_CONSOLE, s->name, "its ISA was compiled for %s, this device is %s",
			list->entries[0].console < KILN_CONSOLE_COUNT ? console_names[list->entries[0].console] : "an unknown console",
			console_names[d->desc.console]);
	kiln_diags_destroy(said);
	return ok && any;
}

static struct isa_program *compile(
	struct kiln_device *d, const char *name, const uint8_t *data, size_t size, const char *why, struct kiln_diags *diags)
{
	d->unwanted_compiles++;
	diag_add(diags, DIAG_RUNTIME_COMPILE_UNWANTED, name, "%s: compiled from its DXIL at run time", why);
	return d->compiler.compile(d->compiler.user, data, size, name, &d->desc, diags);
}

enum precompiled shader_read_isa(
	struct kiln_device *d, struct kiln_shader *s, const void *data, size_t size, struct kiln_diags *diags)
{
	struct kiln_diags *ignored = kiln_diags_create();
	struct fe_precompiled_list list;
	struct fe_container c;
	const struct fe_part *part =
		fe_container_parse(data, size, s->name, &c, ignored) ? fe_container_find(&c, FE_ISA_PART) : NULL;
	bool dxil = part && has_dxil(&c), whole = part && fe_precompiled_read(part, s->name, &list, dxil ? ignored : diags), ok;

	kiln_diags_destroy(ignored);
	if (!part)
		return PRECOMPILED_NONE;
	if (whole && !take(d, s, &list, dxil, diags))
		return PRECOMPILED_REFUSED;
	ok = s->isa_count > 0;
	if (ok)
		s->program = s->isa[0].program;
	else if (dxil)
		s->program = compile(d, s->name, data, size, "its ISA is damaged", diags);
	if (ok && dxil) {
		s->container = mem_alloc(size);
		memcpy(s->container, data, size);
		s->container_size = size;
	}
	return s->program ? PRECOMPILED_TAKEN : PRECOMPILED_REFUSED;
}

void shader_finish_isa(struct kiln_shader *s)
{
	for (size_t i = 0; i < s->isa_count; i++)
		isa_program_destroy(s->isa[i].program);
	mem_free(s->isa);
	mem_free(s->container);
}

/* That for the device's console before one for none. */
static const struct isa_program *find(const struct kiln_device *d, const struct kiln_shader *s,
	const uint8_t key[ROOT_KEY_BYTES])
{
	const struct isa_program *found = NULL;

	for (size_t i = 0; i < s->isa_count; i++)
		if (!memcmp(s->isa[i].root_key, key, ROOT_KEY_BYTES) && (!found || s->isa[i].console == d->desc.console))
			found = s->isa[i].program;
	return found;
}

const struct isa_program *shader_choose(struct kiln_device *d, const struct kiln_shader *s,
	const struct root_signature *root,
	struct isa_program **made, struct kiln_diags *diags)
{
	const struct isa_program *found;
	uint8_t key[ROOT_KEY_BYTES];

	if (!s->isa_count)
		return s->program;
	root_signature_key(root, key);
	found = find(d, s, key);
	if (found)
		return found;
	if (s->container) {
		d->compiles++;
		*made = compile(d, s->name, s->container, s->container_size, "its ISA is for another root signature", diags);
		return *made;
	}
	d->unwanted_compiles++;
	diag_add(diags, DIAG_PRECOMPILED_ROOT_SIGNATURE, s->name,
		"its ISA was compiled with another root signature, and its DXIL was stripped");
	return NULL;
}
