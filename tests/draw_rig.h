/* A device with two targets and a command list, and hand-made programs, for the tests of draws. Targets are 8x8, mostly
 * R32G32B32A32_FLOAT, so that what the pixel shader gives is what stands in memory. */
#ifndef KILN_TESTS_DRAW_RIG_H
#define KILN_TESTS_DRAW_RIG_H
#include "sim/sim.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* ---- programs ---- */
enum { SIZE = 8 };
#define V(n) ((struct isa_operand){ISA_V, (n)})
#define LIT(x) ((struct isa_operand){ISA_LIT, (x)})
#define IMM(n) ((struct isa_operand){ISA_IMM, (n)})
#define OFF ((struct isa_operand){ISA_OFF, 0})
#define EMIT(p, op, ...) emit(p, ISA_##op, (const struct isa_operand[]){__VA_ARGS__}, \
	sizeof(const struct isa_operand[]){__VA_ARGS__} / sizeof(struct isa_operand))

static inline void emit(struct isa_program *p, enum isa_op op, const struct isa_operand *at, size_t count)
{
	struct isa_inst *in = isa_append(p, op);

	if (count)
		memcpy(in->at, at, count * sizeof *at);
}

static inline struct isa_program *program(uint8_t stage)
{
	struct isa_program *p = isa_program_create();

	p->name = arena_string(&p->arena, "main");
	p->stage = stage;
	p->wave_size = 64;
	p->vgprs = 16;
	p->allocated = true;
	p->inputs = arena_array(&p->arena, 8, sizeof *p->inputs);
	p->outputs = arena_array(&p->arena, 8, sizeof *p->outputs);
	return p;
}

static inline void io(struct isa_program *p, struct isa_io *list, size_t *count, const char *name, uint8_t semantic,
	uint8_t type,
	uint8_t interp, uint8_t cols)
{
	list[*count] = (struct isa_io){.name = arena_string(&p->arena, name), .semantic = semantic, .type = type,
		.interp = interp,
		.cols = cols, .used = (uint8_t)((1 << cols) - 1), .reg = (uint32_t)*count};
	++*count;
}

static inline void load(struct isa_program *p, unsigned slot, unsigned cols, unsigned reg)
{
	for (unsigned c = 0; c < cols; c++)
		EMIT(p, ld_in, V(reg + c), IMM(slot), IMM(c));
}

/* Position and one attribute passed through. */
static inline struct isa_program *vs_through(uint8_t type, uint8_t interp)
{
	struct isa_program *p = program(ISA_VERTEX);

	io(p, p->inputs, &p->input_count, "POSITION", ISA_SEM_ARBITRARY, ISA_F32, 0, 4);
	io(p, p->inputs, &p->input_count, "COLOR", ISA_SEM_ARBITRARY, type, 0, 4);
	io(p, p->outputs, &p->output_count, "SV_Position", ISA_SEM_POSITION, ISA_F32, ISA_INTERP_NOPERSPECTIVE, 4);
	io(p, p->outputs, &p->output_count, "COLOR", ISA_SEM_ARBITRARY, type, interp, 4);
	load(p, 0, 4, 0);
	load(p, 1, 4, 4);
	EMIT(p, exp, IMM(ISA_POS0), IMM(ISA_FORM_32_abgr), IMM(15), V(0), V(1), V(2), V(3));
	EMIT(p, exp, IMM(ISA_PARAM0 + 1), IMM(ISA_FORM_32_abgr), IMM(15), V(4), V(5), V(6), V(7));
	return p;
}

static inline struct isa_program *ps_begin(uint8_t type, uint8_t interp)
{
	struct isa_program *p = program(ISA_PIXEL);

	io(p, p->inputs, &p->input_count, "SV_Position", ISA_SEM_POSITION, ISA_F32, ISA_INTERP_NOPERSPECTIVE, 4);
	io(p, p->inputs, &p->input_count, "COLOR", ISA_SEM_ARBITRARY, type, interp, 4);
	io(p, p->outputs, &p->output_count, "SV_Target", ISA_SEM_TARGET, type, 0, 4);
	p->outputs[0].reg = 0;
	return p;
}

static inline void ps_export(struct isa_program *p, uint8_t type, unsigned mask, unsigned reg)
{
	struct isa_operand s[4];

	for (unsigned c = 0; c < 4; c++)
		s[c] = mask >> c & 1 ? V(reg + c) : OFF;
	EMIT(p, exp_sym, IMM(ISA_MRT0), IMM(type), IMM(mask), s[0], s[1], s[2], s[3]);
	p->outputs[0].used = (uint8_t)mask;
}

/* Writes COLOR. */
static inline struct isa_program *ps_color(uint8_t type, uint8_t interp)
{
	struct isa_program *p = ps_begin(type, interp);

	load(p, 1, 4, 0);
	ps_export(p, type, 15, 0);
	return p;
}

/* ---- a device with two targets and a list ---- */
enum { KEEP = 32 };
struct rig {
	struct kiln_device *device;
	struct kiln_diags *diags;
	struct kiln_resource *color, *depth, *buffers[KEEP];
	struct kiln_shader *shaders[KEEP];
	struct kiln_pso *psos[KEEP];
	unsigned buffer_count, shader_count, pso_count;
	struct kiln_commands *list;
	struct kiln_graphics_pipeline_desc state;
	struct kiln_counters counters;
};
static const struct kiln_input_element_desc layout[] = {
	{"POSITION", 0, KILN_FORMAT_R32G32B32A32_FLOAT, 0, 0, KILN_PER_VERTEX, 0},
	{"COLOR", 0, KILN_FORMAT_R32G32B32A32_FLOAT, 0, 16, KILN_PER_VERTEX, 0},
};

static inline void rig_open_samples(struct rig *r, uint32_t format, uint32_t size, uint32_t samples)
{
	struct kiln_texture_desc t = {.Format = format, .Width = size, .Height = size, .SampleDesc = {samples, 0}};

	memset(r, 0, sizeof *r);
	r->device = kiln_device_create(&(struct kiln_device_desc){.ignore_export_mismatch = true});
	r->diags = kiln_diags_create();
	r->color = kiln_texture_create(r->device, "color", &t, r->diags);
	t.Format = KILN_FORMAT_D32_FLOAT;
	r->depth = kiln_texture_create(r->device, "depth", &t, r->diags);
	r->list = kiln_commands_create(r->device);
	r->state = kiln_graphics_pipeline_default();
	r->state.InputElementDescs = layout;
	r->state.NumInputElements = 2;
	r->state.NumRenderTargets = 1;
	r->state.RTVFormats[0] = format;
	r->state.SampleDesc.Count = samples;
	r->state.DepthStencilState.DepthEnable = false;
	kiln_cmd_render_targets(r->list, 1, &r->color, r->depth);
	kiln_cmd_viewport(r->list, &(struct kiln_viewport){0, 0, (float)size, (float)size, 0, 1});
	kiln_cmd_scissor(r->list, &(struct kiln_rect){0, 0, (int32_t)size, (int32_t)size});
	kiln_cmd_clear_depth(r->list, r->depth, 1);
	kiln_cmd_topology(r->list, KILN_TOPOLOGY_TRIANGLELIST);
}

static inline void rig_open_sized(struct rig *r, uint32_t format, uint32_t size)
{
	rig_open_samples(r, format, size, 1);
}

static inline void rig_open(struct rig *r, uint32_t format)
{
	rig_open_sized(r, format, SIZE);
}

static inline void rig_close(struct rig *r)
{
	while (r->pso_count)
		kiln_pso_destroy(r->psos[--r->pso_count]);
	while (r->shader_count)
		kiln_shader_destroy(r->shaders[--r->shader_count]);
	while (r->buffer_count)
		kiln_resource_destroy(r->buffers[--r->buffer_count]);
	kiln_resource_destroy(r->color);
	kiln_resource_destroy(r->depth);
	kiln_commands_destroy(r->list);
	kiln_diags_destroy(r->diags);
	kiln_device_destroy(r->device);
}

static inline void complain(const struct rig *r, const char *what)
{
	for (size_t i = 0; i < kiln_diags_count(r->diags); i++) {
		const struct kiln_diag *d = kiln_diags_get(r->diags, i);
		fprintf(stderr, "%u %s: %s: %s\n", d->number, d->name, d->where, d->text);
	}
	cr_assert(false, "%s failed", what);
}

static inline struct kiln_resource *buffer(struct rig *r, const void *data, size_t size)
{
	return r->buffers[r->buffer_count++] = kiln_buffer_create(r->device, "buffer", size, data);
}

static inline struct kiln_shader *shader(struct rig *r, struct isa_program *p)
{
	struct kiln_shader *s;

	emit(p, ISA_endpgm, NULL, 0);
	if (!isa_validate(p, "test program", r->diags))
		complain(r, "isa_validate");
	s = r->shaders[r->shader_count++] = sim_shader_from_program(r->device, "test", p);
	isa_program_destroy(p);
	return s;
}

/* Makes a PSO of r->state and records its use. */
static inline struct kiln_pso *pso(struct rig *r, struct isa_program *vs, struct isa_program *ps)
{
	struct kiln_pso_desc d = {.name = "test", .state = r->state, .VS = shader(r, vs)};

	if (ps)
		d.PS = shader(r, ps);
	d.state.DSVFormat = r->state.DSVFormat ? r->state.DSVFormat : KILN_FORMAT_D32_FLOAT;
	r->psos[r->pso_count] = kiln_pso_create(r->device, &d, r->diags);
	if (!r->psos[r->pso_count])
		complain(r, "kiln_pso_create");
	kiln_cmd_pso(r->list, r->psos[r->pso_count]);
	return r->psos[r->pso_count++];
}

static inline void draw(struct rig *r, const float (*v)[8], unsigned count)
{
	kiln_cmd_vertex_buffer(r->list, 0, buffer(r, v, count * sizeof *v), 0, (uint32_t)(count * sizeof *v), sizeof *v);
	kiln_cmd_draw(r->list, count, 1, 0, 0);
}

static inline void run(struct rig *r)
{
	if (!kiln_execute(r->device, r->list, &r->counters, r->diags))
		complain(r, "kiln_execute");
}

static inline uint32_t word(const struct kiln_resource *t, int x, int y, int c)
{
	uint32_t rgba[4] = {0};

	cr_assert(kiln_resource_texel(t, (uint32_t)x, (uint32_t)y, rgba));
	return rgba[c];
}

static inline float value(const struct kiln_resource *t, int x, int y, int c)
{
	return bits_float(word(t, x, y, c));
}

static inline uint32_t sample_word(const struct kiln_resource *t, int x, int y, unsigned s, int c)
{
	uint32_t rgba[4] = {0};

	cr_assert(kiln_resource_sample(t, (uint32_t)x, (uint32_t)y, s, rgba));
	return rgba[c];
}

static inline float sample_value(const struct kiln_resource *t, int x, int y, unsigned s, int c)
{
	return bits_float(sample_word(t, x, y, s, c));
}

/* Another texture that the rig destroys. */
static inline struct kiln_resource *rig_texture(struct rig *r, uint32_t format, uint32_t size, uint32_t samples)
{
	const struct kiln_texture_desc t = {.Format = format, .Width = size, .Height = size, .SampleDesc = {samples, 0}};
	struct kiln_resource *made = kiln_texture_create(r->device, "texture", &t, r->diags);

	cr_assert_not_null(made);
	return r->buffers[r->buffer_count++] = made;
}

/* Window corners (0,0), (8,0), (0,8): covers x + y < 7; the slanted edge is right and bottom, so x + y = 7 is out. */
static const float half[3][8] = {
	{-1, 1, 0.5f, 1, 0, 0, 1, 7}, {1, 1, 0.5f, 1, 8, 0, 1, 7}, {-1, -1, 0.5f, 1, 0, 8, 1, 7},
};
#endif
