/* What test_pso.c and test_derive.c share: a tiny vertex and pixel program, state that goes with them, and diagnostics as
 * text. */
#ifndef KILN_TESTS_PSO_RIG_H
#define KILN_TESTS_PSO_RIG_H
#include "pso/pso.h"
#include <criterion/criterion.h>
#include <string.h>

/* ---- a triangle's programs and state ---- */
static inline struct isa_operand imm(uint32_t value) { return (struct isa_operand){ISA_IMM, value}; }
static inline struct isa_operand reg(uint32_t value) { return (struct isa_operand){ISA_V, value}; }

static inline void finish(struct isa_program *p, uint32_t vgprs)
{
	isa_append(p, ISA_endpgm);
	p->vgprs = vgprs;
	p->allocated = true;
}

static inline void append_load(struct isa_program *p, uint32_t slot)
{
	for (uint32_t c = 0; c < 4; c++) {
		struct isa_inst *in = isa_append(p, ISA_ld_in);
		in->at[0] = reg(c);
		in->at[1] = imm(slot);
		in->at[2] = imm(c);
	}
}

static inline void append_export(
	struct isa_program *p, enum isa_op op, uint32_t target, uint32_t type_or_form, uint32_t mask)
{
	struct isa_inst *in = isa_append(p, op);
	in->at[0] = imm(target);
	in->at[1] = imm(type_or_form);
	in->at[2] = imm(mask);
	for (uint32_t c = 0; c < 4; c++)
		if (mask >> c & 1)
			in->at[3 + c] = reg(c);
}

static inline void set_io(struct isa_program *p, struct isa_io **list, size_t *count, const struct isa_io *io, size_t n)
{
	*list = arena_copy(&p->arena, io, n * sizeof *io);
	*count = n;
}

#define POSITION_OUT                                                                                                        \
	{                                                                                                                       \
		"SV_Position", 0, ISA_SEM_POSITION, ISA_F32, ISA_INTERP_NOPERSPECTIVE, 4, 0, 15, 0, 0                               \
	}
#define COLOR_IO                                                                                                            \
	{                                                                                                                       \
		"COLOR", 0, ISA_SEM_ARBITRARY, ISA_F32, ISA_INTERP_LINEAR, 4, 0, 15, 0, 1                                           \
	}

static inline struct isa_program *vertex_program(void)
{
	static const struct isa_io in[] = {
		{"POSITION", 0, ISA_SEM_ARBITRARY, ISA_F32, 0, 4, 0, 15, 0, 0},
		{"COLOR", 0, ISA_SEM_ARBITRARY, ISA_F32, 0, 4, 0, 15, 0, 1},
		{"SV_VertexID", 0, ISA_SEM_VERTEX_ID, ISA_U32, 0, 1, 0, 1, 0, 2},
	};
	static const struct isa_io out[] = {POSITION_OUT, COLOR_IO};
	struct isa_program *p = isa_program_create();
	p->name = "vs";
	p->stage = ISA_VERTEX;
	set_io(p, &p->inputs, &p->input_count, in, 3);
	set_io(p, &p->outputs, &p->output_count, out, 2);
	append_load(p, 0);
	append_export(p, ISA_exp, ISA_POS0, ISA_FORM_32_abgr, 15);
	append_load(p, 1);
	append_export(p, ISA_exp, ISA_PARAM0 + 1, ISA_FORM_32_abgr, 15);
	finish(p, 4);
	return p;
}

struct output {
	uint32_t target, mask, type;
};

static inline struct isa_program *pixel_program(const struct output *outputs, size_t count)
{
	static const struct isa_io in[] = {POSITION_OUT, COLOR_IO};
	struct isa_io out[KILN_RENDER_TARGETS_MAX] = {{0}};
	struct isa_program *p = isa_program_create();
	p->name = "ps";
	p->stage = ISA_PIXEL;
	append_load(p, 1);
	for (size_t i = 0; i < count; i++) {
		unsigned cols = outputs[i].mask >= 8 ? 4 : outputs[i].mask >= 4 ? 3 : outputs[i].mask >= 2 ? 2 : 1;
		out[i] = (struct isa_io){"SV_Target", outputs[i].target, ISA_SEM_TARGET, (uint8_t)outputs[i].type, 0, (uint8_t)cols,
			0, (uint8_t)outputs[i].mask, 0, outputs[i].target};
		append_export(p, ISA_exp_sym, outputs[i].target, outputs[i].type, outputs[i].mask);
	}
	set_io(p, &p->inputs, &p->input_count, in, 2);
	set_io(p, &p->outputs, &p->output_count, out, count);
	finish(p, 4);
	return p;
}

struct setup {
	struct kiln_graphics_pipeline_desc d;
	struct kiln_input_element_desc e[40];
	struct isa_program *vs, *ps;
	struct root_signature root;
	struct root_parameter parameter[2];
	bool with_root, pack;
	enum kiln_export_policy policy;
	struct kiln_diags *diags;
};

static inline void start(struct setup *s, uint32_t format, const struct output *outputs, size_t count)
{
	*s = (struct setup){.d = kiln_graphics_pipeline_default()};
	s->e[0] = (struct kiln_input_element_desc){"position", 0, KILN_FORMAT_R32G32B32_FLOAT, 0, 0, KILN_PER_VERTEX, 0};
	s->e[1] = (struct kiln_input_element_desc){"Color", 0, KILN_FORMAT_R8G8B8A8_UNORM, 0, 0xffffffff, KILN_PER_VERTEX, 0};
	s->d.InputElementDescs = s->e;
	s->d.NumInputElements = 2;
	s->d.NumRenderTargets = 1;
	s->d.RTVFormats[0] = format;
	s->d.DepthStencilState.DepthEnable = false;
	s->vs = vertex_program();
	s->ps = pixel_program(outputs, count);
	s->root = (struct root_signature){.version = 2, .flags = 1, .parameters = s->parameter};
	s->diags = kiln_diags_create();
}

static inline struct setup *begin(struct setup *s)
{
	static const struct output color = {0, 15, ISA_F32};
	start(s, KILN_FORMAT_R8G8B8A8_UNORM, &color, 1);
	return s;
}

static inline struct pipeline *create(struct setup *s)
{
	const struct pipeline_inputs in = {"base", &s->d, s->vs, s->ps, s->with_root ? &s->root : NULL, s->policy, s->pack};
	return pipeline_create(&in, s->diags);
}

static inline void end(struct setup *s)
{
	isa_program_destroy(s->vs);
	isa_program_destroy(s->ps);
	kiln_diags_destroy(s->diags);
}

static inline const char *all_text(const struct kiln_diags *d)
{
	static char text[8192];
	size_t at = 0;
	text[0] = 0;
	for (size_t i = 0; i < kiln_diags_count(d) && at < sizeof text - 1; i++) {
		const struct kiln_diag *g = kiln_diags_get(d, i);
		at += (size_t)snprintf(
			text + at, sizeof text - at, "\n  %u %s: %s: %s | %s", g->number, g->name, g->where, g->text, g->remedy);
	}
	return text;
}

static inline const struct kiln_diag *find(const struct kiln_diags *d, uint32_t number)
{
	for (size_t i = 0; i < kiln_diags_count(d); i++)
		if (kiln_diags_get(d, i)->number == number)
			return kiln_diags_get(d, i);
	return NULL;
}
#endif
