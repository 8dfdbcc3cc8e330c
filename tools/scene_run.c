/* A scene, made and executed: device, shaders, pipelines, resources, commands. */
#include "tools/scene.h"
#include "pso/pso.h"
#include "sim/sim.h"
#include "tools/pack.h"
#include <stdlib.h>
#include <string.h>

static bool make_root(struct scene *s, struct kiln_diags *d)
{
	if (!s->has_root)
		return true;
	s->root_signature = kiln_root_signature_create(s->device, s->yaml.path, s->root_data, s->root_size, d);
	return s->root_signature != NULL;
}

/* ---- pipelines ---- */

/* Compiled when it is first needed: with a library, none may be. */
static struct kiln_shader *shader(struct scene *s, const char *name, struct kiln_diags *d)
{
	struct scene_shader *shader = SCENE_FIND(s, shaders, shader_count, name);
	if (!shader->shader)
		shader->shader = kiln_shader_create(s->device, shader->file, shader->data, shader->size, d);
	return shader->shader;
}

/* False: bad input. A PSO that is refused is none. */
static bool make_pso(struct scene *s, struct scene_pso *p, struct kiln_diags *d)
{
	if (p->cs) {
		const struct kiln_compute_pso_desc desc = {p->name, shader(s, p->cs, d), s->root_signature};
		if (!desc.CS)
			return false;
		p->pso = kiln_compute_pso_create(s->device, &desc, p->diags);
		return true;
	}
	if (!p->base) {
		struct kiln_shader *vs = shader(s, p->vs, d), *ps = p->ps ? shader(s, p->ps, d) : NULL;
		const struct kiln_pso_desc desc = {p->name, p->state, vs, ps, s->root_signature};
		if (!vs || (p->ps && !ps))
			return false;
		p->pso = kiln_pso_create(s->device, &desc, p->diags);
		return true;
	}
	const struct scene_pso *base = p->from;
	const struct kiln_derived_pipeline_desc desc = {
		.BlendState = p->has_blend ? &p->state.BlendState : NULL,
		.RasterizerState = p->has_raster ? &p->state.RasterizerState : NULL,
		.DepthStencilState = p->has_depth ? &p->state.DepthStencilState : NULL,
		.SampleMask = p->has_mask ? &p->state.SampleMask : NULL,
		.ShaderLimits = p->has_limits ? &p->state.ShaderLimits : NULL,
	};
	if (base->pso)
		p->pso = kiln_pso_derive(s->device, base->pso, p->name, &desc, p->diags);
	else
		diag_add(p->diags, DIAG_SCENE_PSO_REFUSED, p->name, "its base '%s' was refused", p->base);
	return true;
}

/* Does the scene still say what was packed? Shader code is not compared. */
static bool same_state(const struct scene_pso *p, const struct kiln_graphics_pipeline_desc *packed)
{
	struct kiln_input_element_desc elements[KILN_INPUT_ELEMENTS_MAX];
	struct kiln_graphics_pipeline_desc state = p->state;
	struct kiln_diags *ignored = kiln_diags_create();
	struct buf a = {0}, b = {0};
	bool same = pipeline_validate_state(p->name, &state, ignored);
	if (same) {
		if (state.NumInputElements)
			memcpy(elements, state.InputElementDescs, state.NumInputElements * sizeof *elements);
		pipeline_resolve_layout(&state, elements);
		state.InputElementDescs = elements;
		graphics_desc_write(&state, &a);
		graphics_desc_write(packed, &b);
		same = a.size == b.size && !memcmp(a.data, b.data, a.size);
	}
	buf_finish(&a);
	buf_finish(&b);
	kiln_diags_destroy(ignored);
	return same;
}

/* A PSO that the library does not hold is made as if there were none. */
static bool load_pso(struct scene *s, struct scene_pso *p, struct kiln_library *library, struct kiln_diags *d)
{
	struct buf name = {0};
	pack_entry_name(s->yaml.path, p->name, &name);
	bool packed = kiln_library_has(library, (char *)name.data), ok = true;
	if (packed) {
		p->pso = kiln_library_pso(s->device, library, (char *)name.data, p->name, d);
		ok = p->pso != NULL;
	}
	if (p->pso && !same_state(p, &sim_pso_pipeline(p->pso)->desc)) {
		diag_add(d, DIAG_PACK_STALE, (char *)name.data, "the library holds this PSO with other state than the scene");
		ok = false;
	}
	buf_finish(&name);
	return packed ? ok : make_pso(s, p, d);
}

bool scene_create(struct scene *s, const struct scene_options *o, struct kiln_diags *d)
{
	s->device = kiln_device_create(&o->device);
	if (!make_root(s, d))
		return false;
	bool ok = true;
	for (size_t i = 0; !o->library && i < s->shader_count; i++)
		ok &= shader(s, s->shaders[i].name, d) != NULL;
	for (size_t i = 0; ok && i < s->pso_count; i++)
		ok = o->library ? load_pso(s, &s->psos[i], o->library, d) : make_pso(s, &s->psos[i], d);
	for (size_t i = 0; ok && i < s->compute_count; i++)
		ok = make_pso(s, &s->compute[i], d);
	return ok;
}

/* ---- resources and commands ---- */

static bool make_resources(struct scene *s, struct kiln_diags *d)
{
	for (size_t i = 0; i < s->resource_count; i++) {
		struct scene_resource *r = &s->resources[i];
		r->resource = r->is_texture ? kiln_texture_create(s->device, r->name, &r->desc, d)
			: kiln_buffer_create(s->device, r->name, r->size, r->data);
		if (!r->resource || (r->is_texture && !scene_fill_texture(r, d)))
			return false;
	}
	return true;
}

struct kiln_resource *scene_resource(const struct scene *s, const char *name)
{
	const struct scene_resource *r = name ? SCENE_FIND(s, resources, resource_count, name) : NULL;
	return r ? r->resource : NULL;
}

static struct kiln_target_view target(const struct scene *s, const struct scene_view *v)
{
	return (struct kiln_target_view){v ? scene_resource(s, v->name) : NULL, v ? v->desc : (struct kiln_view_desc){0}};
}

/* Viewport and scissor cover the first target until the scene says otherwise. */
static void set_targets(const struct scene *s, const struct scene_command *c, struct kiln_commands *out)
{
	struct kiln_target_view targets[KILN_RENDER_TARGETS_MAX] = {0}, depth = target(s, c->depth);
	for (uint32_t i = 0; i < c->count; i++)
		targets[i] = target(s, &c->views[i]);
	kiln_cmd_render_target_views(out, c->count, targets, c->depth ? &depth : NULL);
	kiln_cmd_depth_stencil_flags(out, (c->read_only_depth ? KILN_DSV_READ_ONLY_DEPTH : 0) |
		(c->read_only_stencil ? KILN_DSV_READ_ONLY_STENCIL : 0));
	const struct kiln_target_view *first = c->count ? &targets[0] : &depth;
	if (!first->resource)
		return;
	uint32_t mip = first->view.MostDetailedMip < 31 ? first->view.MostDetailedMip : 31;
	uint32_t w = first->resource->desc.Width >> mip, h = first->resource->desc.Height >> mip;
	w = w ? w : 1;
	h = h ? h : 1;
	kiln_cmd_viewport(out, &(struct kiln_viewport){0, 0, (float)w, (float)h, 0, 1});
	kiln_cmd_scissor(out, &(struct kiln_rect){0, 0, (int32_t)w, (int32_t)h});
}

static uint32_t rest_of(const struct kiln_resource *r, uint32_t offset, uint32_t size)
{
	return size ? size : r->size > offset ? (uint32_t)r->size - offset : 0;
}

/* What the commands so far have set. Nothing is drawn or dispatched while a refused PSO is set. */
struct recorder {
	struct kiln_commands *out;
	struct kiln_diags *diags;
	const struct kiln_pso *pso;          /* the last one set, graphics or compute */
	bool drawable, dispatchable, failed;
	uint32_t indices;                    /* in the index buffer */
};

static void set_indices(struct recorder *to, struct kiln_resource *r, const uint32_t *n)
{
	uint32_t size = rest_of(r, n[1], n[2]);
	to->indices = size / (n[3] == KILN_FORMAT_R16_UINT ? 2 : 4);
	kiln_cmd_index_buffer(to->out, r, n[1], size, n[3]);
}

static void record(struct scene *s, const struct scene_command *c, struct recorder *to)
{
	struct kiln_resource *r = scene_resource(s, c->names[0]);
	const struct kiln_target_view view = target(s, c->depth);
	struct kiln_commands *out = to->out;
	const uint32_t *n = c->number;
	const struct scene_heap *h = c->op == SCENE_TABLE ? SCENE_FIND(s, heaps, heap_count, c->names[0]) : NULL;
	struct scene_pso *p;
	switch ((enum scene_op)c->op) {
	case SCENE_TARGETS: set_targets(s, c, out); return;
	case SCENE_CLEAR_COLOR: kiln_cmd_clear_color_rects(out, &view, c->f, c->count, c->scissors); return;
	case SCENE_CLEAR_DEPTH:
		kiln_cmd_clear_depth_stencil_rects(out, &view, n[1], c->f[0], (uint8_t)n[0], c->count, c->scissors);
		return;
	case SCENE_STENCIL_REF: kiln_cmd_stencil_ref(out, (uint8_t)n[0], (uint8_t)n[1]); return;
	case SCENE_DEPTH_BOUNDS: kiln_cmd_depth_bounds(out, c->f[0], c->f[1]); return;
	case SCENE_RESOLVE: kiln_cmd_resolve(out, r, scene_resource(s, c->names[1]), n[1],
		(enum kiln_resolve_mode)n[0]); return;
	case SCENE_VIEWPORT: kiln_cmd_viewports(out, c->count, c->viewports); return;
	case SCENE_SCISSOR: kiln_cmd_scissors(out, c->count, c->scissors); return;
	case SCENE_SAMPLE_POSITIONS:
		/* A list shorter than the numbers say is filled with centres; what the numbers allow is the command's affair. */
		kiln_cmd_sample_positions(out, n[0], n[1], c->positions);
		return;
	case SCENE_PSO:
		p = scene_find_pso(s, c->names[0]);
		*(p->cs ? &to->dispatchable : &to->drawable) = p->pso != NULL;
		to->pso = p->pso;
		if (p->pso)
			kiln_cmd_pso(out, p->pso);
		return;
	case SCENE_TOPOLOGY: kiln_cmd_topology(out, (enum kiln_topology)n[0]); return;
	case SCENE_VERTEX_BUFFER: kiln_cmd_vertex_buffer(out, n[0], r, n[1], rest_of(r, n[1], n[2]), n[3]); return;
	case SCENE_INDEX_BUFFER: set_indices(to, r, n); return;
	case SCENE_BLEND_FACTOR: kiln_cmd_blend_factor(out, c->f); return;
	case SCENE_CONSTANTS: kiln_cmd_root_constants(out, n[0], n[1], c->count, c->words); return;
	case SCENE_CBV: kiln_cmd_root_cbv(out, n[0], r, n[1]); return;
	case SCENE_ROOT_SRV: kiln_cmd_root_srv(out, n[0], r, n[1]); return;
	case SCENE_ROOT_UAV: kiln_cmd_root_uav(out, n[0], r, n[1]); return;
	case SCENE_TABLE: kiln_cmd_root_table(out, n[0], h->heap, n[1]); return;
	case SCENE_BIND:
		if (to->pso)
			to->failed |= !scene_bind(s, c, to->pso, out, to->diags);
		return;
	case SCENE_MIPS: kiln_cmd_generate_mips(out, r, n[0]); return;
	case SCENE_COPY: kiln_cmd_copy(out, r, n[0], scene_resource(s, c->names[1]), n[1]); return;
	case SCENE_DRAW:
		if (to->drawable)
			kiln_cmd_draw(out, n[0], n[1], n[2], n[3]);
		return;
	case SCENE_DRAW_INDEXED:
		if (to->drawable)
			kiln_cmd_draw_indexed(out, n[0] != SCENE_ALL_INDICES ? n[0] : to->indices > n[2] ? to->indices - n[2] : 0, n[1],
				n[2], c->rect[0], n[3]);
		return;
	case SCENE_DISPATCH:
		if (to->dispatchable)
			kiln_cmd_dispatch(out, n[0], n[1], n[2]);
		return;
	}
}

bool scene_execute(struct scene *s, struct kiln_diags *d)
{
	if (!make_resources(s, d) || !scene_make_heaps(s, d))
		return false;
	struct recorder to = {.out = kiln_commands_create(s->device), .diags = d, .drawable = true, .dispatchable = true};
	kiln_cmd_topology(to.out, KILN_TOPOLOGY_TRIANGLELIST);
	for (size_t i = 0; i < s->command_count; i++) {
		const struct scene_command *c = &s->commands[i];
		if (c->compute)
			kiln_cmd_root_bind_point(to.out, true);
		record(s, c, &to);
		if (c->compute)
			kiln_cmd_root_bind_point(to.out, false);
	}
	bool ok = !to.failed && kiln_execute(s->device, to.out, &s->counters, d);
	kiln_commands_destroy(to.out);
	return ok;
}

/* ---- for kiln disasm ---- */

bool scene_disassemble(const char *path, const char *pso, bool required, struct buf *out, struct kiln_diags *d)
{
	struct scene s;
	const struct scene_options o = {.device = {.ignore_export_mismatch = true}};
	const struct scene_pso *p = NULL;
	if (scene_open(&s, path, d)) {
		p = scene_find_pso(&s, pso);
		if (!p)
			diag_add(d, DIAG_SCENE_REFERENCE, path, "there is no PSO '%s'", pso);
	}
	bool ok = p && scene_create(&s, &o, d);
	if (ok && !p->pso) {
		diag_add(d, DIAG_SCENE_PSO_REFUSED, pso, "the PSO was refused: %s",
			kiln_diags_count(p->diags) ? kiln_diags_get(p->diags, 0)->text : "");
		ok = false;
	}
	if (ok) {
		char *text = kiln_pso_disassemble(p->pso, required && !p->cs);
		buf_printf(out, "%s", text);
		free(text);
	}
	scene_close(&s);
	return ok;
}
