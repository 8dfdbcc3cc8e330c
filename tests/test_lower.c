/* Lowering of DXC's containers: which of the 67 corpus shaders compile, what is said of the others, and the signatures,
 * resources and exports of some, all taken from their HLSL. */
#include "frontend/frontend.h"
#include "tests/corpus.h"
#include <criterion/criterion.h>
#include <string.h>

static const struct outcome {
	const char *name;
	uint32_t diagnostic;     /* 0: it compiles */
	const char *words;       /* part of the diagnostic's text */
} outcomes[CORPUS_COUNT] = {
	{"as_cull", 2013, "amplification shader (as_6_5)"},
	{"cf_barrier_loop", 0, NULL},
	{"cf_compare_exchange_spin", 0, NULL},
	{"cf_constant_array", 0, NULL},
	{"cf_divergent_discard", 0, NULL},
	{"cf_do_while_continue", 0, NULL},
	{"cf_early_out_function", 0, NULL},
	{"cf_many_live_values", 0, NULL},
	{"cf_multi_level_break", 0, NULL},
	{"cf_precise", 0, NULL},
	{"cf_return_in_loop", 0, NULL},
	{"cf_short_circuit", 0, NULL},
	{"cf_switch_fallthrough", 0, NULL},
	{"cf_switch_in_loop", 0, NULL},
	{"cf_unoptimised", 0, NULL},
	{"cf_waterfall", 0, NULL},
	{"cf_wave_in_breaking_loop", 0, NULL},
	{"cs_atomics", 0, NULL},
	{"cs_int64_double", 0, NULL},
	{"cs_particles", 0, NULL},
	{"cs_reduce", 0, NULL},
	{"cs_wave", 0, NULL},
	{"ds_bezier", 2013, "domain shader (ds_6_0)"},
	{"gs_point_to_quad", 2013, "geometry shader (gs_6_0)"},
	{"hs_bezier", 2013, "hull shader (hs_6_0)"},
	{"ms_meshlet", 2013, "mesh shader (ms_6_5)"},
	{"ps_alpha_only", 0, NULL},
	{"ps_attribute_eval", 0, NULL},
	{"ps_barycentrics", 0, NULL},
	{"ps_bindless", 0, NULL},
	{"ps_control_flow", 0, NULL},
	{"ps_coverage", 0, NULL},
	{"ps_depth", 0, NULL},
	{"ps_depth_greater_equal", 0, NULL},
	{"ps_derivatives", 0, NULL},
	{"ps_discard", 0, NULL},
	{"ps_dual_source", 0, NULL},
	{"ps_dynamic_index", 0, NULL},
	{"ps_early_depth", 0, NULL},
	{"ps_integer", 0, NULL},
	{"ps_interpolation", 0, NULL},
	{"ps_math", 0, NULL},
	{"ps_mrt8", 0, NULL},
	{"ps_mrt_gap", 0, NULL},
	{"ps_out_float1", 0, NULL},
	{"ps_out_float2", 0, NULL},
	{"ps_out_float3", 0, NULL},
	{"ps_out_float4", 0, NULL},
	{"ps_out_half4", 0, NULL},
	{"ps_out_int4", 0, NULL},
	{"ps_out_min16", 0, NULL},
	{"ps_out_uint1", 0, NULL},
	{"ps_out_uint16", 0, NULL},
	{"ps_out_uint4", 0, NULL},
	{"ps_root_signature", 0, NULL},
	{"ps_stencil_ref", 0, NULL},
	{"ps_target_array_one_row", 0, NULL},
	{"ps_texture_2d", 0, NULL},
	{"ps_texture_compare", 0, NULL},
	{"ps_texture_kinds", 0, NULL},
	{"ps_wave_quad", 0, NULL},
	{"vs_bezier", 0, NULL},
	{"vs_clip_cull", 0, NULL},
	{"vs_fullscreen", 0, NULL},
	{"vs_instanced", 0, NULL},
	{"vs_position_color", 0, NULL},
	{"vs_transform", 0, NULL},
};

static struct isa_program *compile(const uint8_t *data, size_t size, const char *name, unsigned wave,
	struct kiln_diags *diags)
{
	const struct fe_options options = {.wave_size = (uint8_t)wave, .in_process = true};
	return fe_compile(data, size, name, &options, diags);
}

static struct isa_program *compile_named(const char *name)
{
	struct kiln_diags *diags = kiln_diags_create();
	size_t size;
	uint8_t *data = corpus_container(name, &size);
	struct isa_program *p = compile(data, size, name, 0, diags);
	cr_assert(p, "%s: %s", name, kiln_diags_count(diags) ? kiln_diags_get(diags, 0)->text : "no diagnostic");
	mem_free(data);
	kiln_diags_destroy(diags);
	return p;
}

static void check_outcome(const struct corpus_file *f, void *user)
{
	const struct outcome *o = NULL;
	(void)user;
	for (size_t i = 0; i < CORPUS_COUNT; i++)
		if (!strcmp(outcomes[i].name, f->name))
			o = &outcomes[i];
	cr_assert(o, "%s is not in the table", f->name);
	for (unsigned wave = 32; wave <= 64; wave += 32) {
		struct kiln_diags *diags = kiln_diags_create();
		struct isa_program *p = compile(f->data, f->size, f->name, wave, diags);
		const struct kiln_diag *d = kiln_diags_get(diags, 0);
		cr_expect_eq(kiln_diags_count(diags), o->diagnostic != 0, "%s: %s", f->name, d ? d->text : "no diagnostic");
		cr_expect_eq(p != NULL, o->diagnostic == 0, "%s", f->name);
		if (p) {
			cr_expect(p->allocated && p->wave_size == wave, "%s", f->name);
			cr_expect(p->vgprs <= ISA_VGPRS_MAX - ISA_EXPORT_TEMPS && p->sgprs <= ISA_SGPRS_MAX, "%s", f->name);
			cr_expect(isa_validate(p, f->name, diags), "%s", f->name);
		}
		if (d && o->diagnostic) {
			cr_expect_eq(d->number, o->diagnostic, "%s: %u %s", f->name, d->number, d->text);
			cr_expect(strstr(d->text, o->words), "%s: '%s' has not '%s'", f->name, d->text, o->words);
			cr_expect_str_eq(d->where, f->name);
		}
		isa_program_destroy(p);
		kiln_diags_destroy(diags);
	}
}

Test(lower, corpus)
{
	cr_assert_eq(corpus_each(check_outcome, NULL), CORPUS_COUNT);
}

/* ---- what the programs say of themselves ---- */

static const struct slot {
	const char *shader;
	bool output;
	size_t at, count;      /* place among the slots; how many there are */
	struct isa_io io;
} slots[] = {
	{"vs_transform", false, 0, 3, {.name = "POSITION", .semantic = ISA_SEM_ARBITRARY, .type = ISA_F32, .cols = 3,
		.used = 7, .reg = 0}},
	{"vs_transform", false, 2, 3, {.name = "TEXCOORD", .semantic = ISA_SEM_ARBITRARY, .type = ISA_F32, .cols = 2,
		.used = 3, .reg = 2}},
	{"vs_transform", true, 0, 3, {.name = "SV_Position", .semantic = ISA_SEM_POSITION, .type = ISA_F32,
		.interp = ISA_INTERP_NOPERSPECTIVE, .cols = 4, .used = 15, .reg = 0}},
	{"vs_fullscreen", false, 0, 1, {.name = "SV_VertexID", .semantic = ISA_SEM_VERTEX_ID, .type = ISA_U32, .cols = 1,
		.used = 1}},
	{"ps_out_float1", true, 0, 1, {.name = "SV_Target", .semantic = ISA_SEM_TARGET, .type = ISA_F32, .cols = 1,
		.used = 1}},
	{"ps_out_int4", true, 0, 1, {.name = "SV_Target", .semantic = ISA_SEM_TARGET, .type = ISA_I32, .cols = 4,
		.used = 15}},
	{"ps_out_min16", true, 0, 1, {.name = "SV_Target", .semantic = ISA_SEM_TARGET, .type = ISA_F16, .cols = 4, .used = 15,
		.min_precision = 1}},
	{"ps_mrt_gap", true, 1, 3, {.name = "SV_Target", .index = 2, .semantic = ISA_SEM_TARGET, .type = ISA_U32,
		.cols = 4, .used = 15,
		.reg = 2}},
	{"ps_mrt_gap", true, 2, 3, {.name = "SV_Target", .index = 3, .semantic = ISA_SEM_TARGET, .type = ISA_F32,
		.cols = 2, .used = 3,
		.reg = 3}},
	/* DXC lists an array's elements backwards (asm/ps_target_array_one_row.txt) */
	{"ps_target_array_one_row", true, 0, 3, {.name = "SV_Target", .index = 2, .semantic = ISA_SEM_TARGET,
		.type = ISA_F32, .cols = 4,
		.used = 15, .reg = 2}},
	{"ps_depth", true, 1, 2, {.name = "SV_Depth", .semantic = ISA_SEM_DEPTH, .type = ISA_F32, .cols = 1, .used = 1,
		.reg = UINT32_MAX}},
	{"ps_discard", false, 0, 2, {.name = "SV_Position", .semantic = ISA_SEM_POSITION, .type = ISA_F32,
		.interp = ISA_INTERP_NOPERSPECTIVE, .cols = 4, .used = 2, .reg = 0}},
};

static void check_slot(const struct slot *s)
{
	struct isa_program *p = compile_named(s->shader);
	const struct isa_io *io = s->output ? p->outputs : p->inputs, *want = &s->io;
	cr_assert_eq(s->output ? p->output_count : p->input_count, s->count, "%s", s->shader);
	io += s->at;
	cr_expect_str_eq(io->name, want->name, "%s", s->shader);
	cr_expect(io->index == want->index && io->semantic == want->semantic && io->type == want->type &&
		io->interp == want->interp,
		"%s %s: %u %u %u %u", s->shader, io->name, io->index, io->semantic, io->type, io->interp);
	cr_expect(io->cols == want->cols && io->start_col == want->start_col && io->used == want->used &&
		io->reg == want->reg &&
		io->min_precision == want->min_precision, "%s %s: %u %u %u %u %u", s->shader, io->name, io->cols,
			io->start_col, io->used,
		io->reg, io->min_precision);
	isa_program_destroy(p);
}

static const struct { const char *shader; uint32_t flags; } flags[] = {
	{"ps_out_float4", 0}, {"ps_depth", ISA_WRITES_DEPTH}, {"ps_stencil_ref", ISA_WRITES_STENCIL}, {"ps_coverage",
		ISA_WRITES_COVERAGE},
	{"ps_discard", ISA_USES_DISCARD | ISA_USES_DERIVATIVES}, {"ps_interpolation", ISA_SAMPLE_FREQUENCY},
	{"ps_derivatives", ISA_USES_DERIVATIVES}, {"vs_transform", 0},
};

/* Exports in their order: instruction, target, type or form, mask. */
static const struct export {
	const char *shader;
	unsigned place, op, target, form, mask;
} exports[] = {
	{"ps_out_float2", 0, ISA_exp_sym, 0, ISA_F32, 3},
	{"ps_out_uint1", 0, ISA_exp_sym, 0, ISA_U32, 1},
	{"ps_out_int4", 0, ISA_exp_sym, 0, ISA_I32, 15},
	{"ps_mrt_gap", 0, ISA_exp_sym, 0, ISA_F32, 15}, {"ps_mrt_gap", 1, ISA_exp_sym, 2, ISA_U32, 15},
	{"ps_mrt_gap", 2, ISA_exp_sym, 3, ISA_F32, 3},
	{"ps_depth", 1, ISA_exp, ISA_MRTZ, ISA_FORM_32_r, 1},
	{"ps_stencil_ref", 1, ISA_exp, ISA_MRTZ, ISA_FORM_32_gr, 2},
	{"ps_coverage", 1, ISA_exp, ISA_MRTZ, ISA_FORM_32_abgr, 4},
	{"vs_clip_cull", 0, ISA_exp, ISA_POS0, ISA_FORM_32_abgr, 15}, {"vs_clip_cull", 1, ISA_exp, ISA_POS0 + 1,
		ISA_FORM_32_abgr, 7},
	{"vs_clip_cull", 2, ISA_exp, ISA_PARAM0, ISA_FORM_32_abgr, 15}, {"vs_clip_cull", 3, ISA_exp, ISA_PARAM0 + 1,
		ISA_FORM_32_abgr, 3},
	{"vs_clip_cull", 4, ISA_exp, ISA_PARAM0 + 2, ISA_FORM_32_abgr, 1},
};

static void check_export(const struct export *e)
{
	struct isa_program *p = compile_named(e->shader);
	unsigned place = 0;
	const struct isa_inst *found = NULL;
	for (size_t i = 0; i < p->inst_count; i++)
		if ((p->insts[i].op == ISA_exp || p->insts[i].op == ISA_exp_sym) && place++ == e->place)
			found = &p->insts[i];
	cr_assert(found, "%s export %u", e->shader, e->place);
	cr_expect(found->op == e->op && found->at[0].value == e->target && found->at[1].value == e->form &&
		found->at[2].value == e->mask,
		"%s export %u: %u %u %u %u", e->shader, e->place, found->op, found->at[0].value, found->at[1].value,
			found->at[2].value);
	isa_program_destroy(p);
}

Test(lower, programs)
{
	for (size_t i = 0; i < ARRAY_COUNT(slots); i++)
		check_slot(&slots[i]);
	for (size_t i = 0; i < ARRAY_COUNT(exports); i++)
		check_export(&exports[i]);
	for (size_t i = 0; i < ARRAY_COUNT(flags); i++) {
		struct isa_program *p = compile_named(flags[i].shader);
		cr_expect_eq(p->flags, flags[i].flags, "%s: %u", flags[i].shader, p->flags);
		isa_program_destroy(p);
	}
	struct isa_program *p = compile_named("vs_transform");
	cr_assert_eq(p->resource_count, 1);
	cr_expect(p->resources[0].cls == ISA_CBV && p->resources[0].space == 0 && p->resources[0].lower == 0 &&
		p->resources[0].count == 1);
	cr_expect_eq(p->resources[0].stride_or_size, 128); /* two float4x4 */
	cr_expect_str_eq(p->resources[0].name, "View");    /* from STAT: the program's own metadata has no names */
	cr_expect_eq(p->stage, ISA_VERTEX);
	cr_expect_str_eq(p->name, "main");
	isa_program_destroy(p);
}
