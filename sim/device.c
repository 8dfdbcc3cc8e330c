/* The objects of the public API: device, shaders, root signatures, pipelines, resources. Each wraps what a folder below
 * made; nothing here computes. */
#include "sim/device.h"
#include "frontend/frontend.h"
#include <stdlib.h>
#include <string.h>

/* ---- device ---- */

static struct isa_program *frontend_compile(void *user, const uint8_t *data, size_t size, const char *where,
	const struct kiln_device_desc *desc, struct kiln_diags *diags)
{
	struct fe_options options = {
		.wave_size = (uint8_t)desc->wave_size, .in_process = desc->in_process, .console = desc->console};

	(void)user;
	return fe_compile(data, size, where, &options, diags);
}

struct kiln_device *kiln_device_create(const struct kiln_device_desc *desc)
{
	struct kiln_device *d = mem_alloc(sizeof *d);

	if (desc)
		d->desc = *desc;
	if (d->desc.wave_size != 32)
		d->desc.wave_size = d->desc.wave_size == 0 && d->desc.console == KILN_CONSOLE_XBOX_SERIES ? 32 : 64;
	if (!d->desc.unexported_pattern)
		d->desc.unexported_pattern = 0xdeadbeef;
	if (!d->desc.budget)
		d->desc.budget = 1u << 26;
	d->compiler.compile = frontend_compile;
	return d;
}

void kiln_device_destroy(struct kiln_device *d)
{
	if (!d)
		return;
	mem_free(d->records);
	mem_free(d);
}

uint64_t kiln_device_compiles(const struct kiln_device *d) { return d->compiles; }

uint64_t kiln_device_unwanted_compiles(const struct kiln_device *d) { return d->unwanted_compiles; }

void sim_device_set_compiler(struct kiln_device *d, const struct sim_compiler *compiler) { d->compiler = *compiler; }

/* ---- shaders ---- */

/* Keeps the embedded root signature, and counts what had to be lowered. */
static void inspect_container(struct kiln_device *d, struct kiln_shader *s, const void *data, size_t size)
{
	struct kiln_diags *ignored = kiln_diags_create();
	struct fe_container c;

	if (fe_container_parse(data, size, s->name, &c, ignored)) {
		const struct fe_part *root = fe_container_find(&c, FE_FOURCC('R', 'T', 'S', '0'));

		d->compiles += !s->isa_count && (fe_container_find(&c, FE_FOURCC('D', 'X', 'I', 'L')) ||
			fe_container_find(&c, FE_FOURCC('I', 'L', 'D', 'B')));
		if (root) {
			s->root = mem_alloc(root->size);
			memcpy(s->root, root->data, root->size);
			s->root_size = root->size;
		}
	}
	kiln_diags_destroy(ignored);
}

struct kiln_shader *kiln_shader_create(
	struct kiln_device *d, const char *name, const void *data, size_t size, struct kiln_diags *diags)
{
	struct kiln_shader *s = mem_alloc(sizeof *s);
	enum precompiled isa;

	s->name = mem_string(name ? name : "shader");
	isa = shader_read_isa(d, s, data, size, diags);
	if (isa == PRECOMPILED_NONE)
		s->program = d->compiler.compile(d->compiler.user, data, size, s->name, &d->desc, diags);
	if (s->program) {
		inspect_container(d, s, data, size);
		return s;
	}
	kiln_shader_destroy(s);
	return NULL;
}

struct kiln_shader *sim_shader_from_program(struct kiln_device *d, const char *name, const struct isa_program *p)
{
	struct kiln_shader *s = mem_alloc(sizeof *s);

	(void)d;
	s->name = mem_string(name);
	s->program = isa_program_copy(p);
	return s;
}

const struct isa_program *sim_shader_program(const struct kiln_shader *s) { return s->program; }

void kiln_shader_destroy(struct kiln_shader *s)
{
	if (!s)
		return;
	if (!s->isa_count)
		isa_program_destroy(s->program);
	shader_finish_isa(s);
	mem_free(s->root);
	mem_free(s->name);
	mem_free(s);
}

/* ---- root signatures ---- */

struct kiln_root_signature *kiln_root_signature_create(
	struct kiln_device *d, const char *name, const void *data, size_t size, struct kiln_diags *diags)
{
	const char *where = name ? name : "root signature";
	const uint8_t *bytes = data;
	struct kiln_root_signature *r;
	struct root_signature *root;
	struct fe_container c;

	(void)d;
	if (size >= 4 && !memcmp(data, "DXBC", 4)) {
		const struct fe_part *part;

		if (!fe_container_parse(data, size, where, &c, diags))
			return NULL;
		part = fe_container_find(&c, FE_FOURCC('R', 'T', 'S', '0'));
		if (!part) {
			diag_add(diags, DIAG_ROOT_SIGNATURE_BLOB, where, "the container holds no root signature (part RTS0)");
			return NULL;
		}
		bytes = part->data;
		size = part->size;
	}
	root = root_signature_parse(bytes, size, where, diags);
	if (!root)
		return NULL;
	r = mem_alloc(sizeof *r);
	r->root = root;
	return r;
}

void kiln_root_signature_destroy(struct kiln_root_signature *r)
{
	if (!r)
		return;
	root_signature_destroy(r->root);
	mem_free(r);
}

/* ---- pipelines ---- */

struct kiln_pso *pso_wrap(struct pipeline *p)
{
	struct kiln_pso *pso;

	if (!p)
		return NULL;
	pso = mem_alloc(sizeof *pso);
	pso->pipeline = p;
	return pso;
}

struct kiln_pso *kiln_compute_pso_create(
	struct kiln_device *d, const struct kiln_compute_pso_desc *desc, struct kiln_diags *diags)
{
	const struct root_signature *given = desc->root_signature ? desc->root_signature->root : NULL;
	struct root_signature *embedded = NULL;
	struct isa_program *made = NULL;
	const struct isa_program *cs;
	struct pipeline *p = NULL;

	if (!given && desc->CS && desc->CS->root) {
		embedded = root_signature_parse(desc->CS->root, desc->CS->root_size, desc->CS->name, diags);
		if (!embedded)
			return NULL;
	}
	given = given ? given : embedded;
	cs = desc->CS ? shader_choose(d, desc->CS, given, &made, diags) : NULL;
	if (cs || !desc->CS)
		p = pipeline_create_compute(desc->name, cs, given, diags);
	isa_program_destroy(made);
	root_signature_destroy(embedded);
	return pso_wrap(p);
}

/* The root signature that the shaders carry; false: it is there and malformed, or they carry two. */
static bool embedded_root(const struct kiln_pso_desc *desc, struct root_signature **root, struct kiln_diags *diags)
{
	const struct kiln_shader *vs = desc->VS, *ps = desc->PS, *s = vs && vs->root ? vs : ps;

	*root = NULL;
	if (!s || !s->root)
		return true;
	if (s == vs && ps && ps->root && (vs->root_size != ps->root_size || memcmp(vs->root, ps->root, vs->root_size))) {
		diag_add(diags, DIAG_ROOT_SIGNATURES_DIFFER, desc->name, "shaders '%s' and '%s' embed different root signatures",
			vs->name, ps->name);
		return false;
	}
	*root = root_signature_parse(s->root, s->root_size, s->name, diags);
	return *root != NULL;
}

struct kiln_pso *kiln_pso_create(struct kiln_device *d, const struct kiln_pso_desc *desc, struct kiln_diags *diags)
{
	struct pipeline_inputs in = {.name = desc->name,
		.desc = &desc->state,
		.policy = d->desc.policy,
		.pack_signature = d->desc.pack_signature};
	struct root_signature *embedded = NULL;
	struct isa_program *made[2] = {0};
	unsigned saved = fp_enter();
	struct pipeline *p = NULL;
	bool ok = true;

	if (desc->root_signature)
		in.root = desc->root_signature->root;
	else
		ok = embedded_root(desc, &embedded, diags);
	if (embedded)
		in.root = embedded;
	if (ok && desc->VS)
		ok = (in.vs = shader_choose(d, desc->VS, in.root, &made[0], diags)) != NULL;
	if (ok && desc->PS)
		ok = (in.ps = shader_choose(d, desc->PS, in.root, &made[1], diags)) != NULL;
	if (ok)
		p = pipeline_create(&in, diags);
	isa_program_destroy(made[0]);
	isa_program_destroy(made[1]);
	root_signature_destroy(embedded);
	fp_leave(saved);
	return pso_wrap(p);
}

struct kiln_pso *kiln_pso_derive(struct kiln_device *d, struct kiln_pso *base, const char *name,
	const struct kiln_derived_pipeline_desc *desc, struct kiln_diags *diags)
{
	struct pipeline_options options = {
		.ignore_export_mismatch = d->desc.ignore_export_mismatch, .accept_superset = d->desc.accept_superset};

	return pso_wrap(pipeline_derive(base->pipeline, name, desc, &options, diags));
}

void kiln_pso_destroy(struct kiln_pso *p)
{
	if (!p)
		return;
	pipeline_release(p->pipeline);
	mem_free(p);
}

const struct pipeline *sim_pso_pipeline(const struct kiln_pso *p) { return p->pipeline; }

char *kiln_pso_disassemble(const struct kiln_pso *p, bool required)
{
	struct isa_program *made = required ? pipeline_required_program(p->pipeline) : NULL;
	const struct isa_program *program = required ? made : p->pipeline->cs ? p->pipeline->cs : p->pipeline->ps;
	struct buf b = {0};
	char *text;

	if (program)
		isa_disassemble(program, &b);
	text = malloc(b.size + 1); /* the caller frees it with free() */
	if (text) {
		if (b.size)
			memcpy(text, b.data, b.size);
		text[b.size] = 0;
	}
	buf_finish(&b);
	isa_program_destroy(made);
	return text;
}

const char *kiln_version(void) { return "0.1.0"; }
