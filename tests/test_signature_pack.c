/* Signature packing: which parameters a pair of programs keeps, by hand; and that every scene draws the same with it. */
#include "pso/pso.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const char vertex_text[] =
	".stage vertex\n.vgprs 16\n"
	".output 0 \"SV_Position\" 0 semantic position type f32 interp noperspective cols 4 used xyzw reg 0\n"
	".output 1 \"A\" 0 type f32 interp linear cols 4 used xyzw reg 1\n"
	".output 2 \"B\" 0 type f32 interp linear cols 3 used xyz reg 2\n"
	".output 3 \"ID\" 0 type u32 interp constant cols 1 used x reg 3\n"
	".output 4 \"C\" 0 type f32 interp linear cols 2 used xy reg 4\n"
	".output 5 \"SV_ClipDistance\" 0 semantic clip_distance type f32 interp linear cols 1 used x reg 5\n"
	".output 6 \"N\" 0 type f32 interp noperspective cols 2 used xy reg 6\n"
	"exp pos0 32_abgr rgba v0, v1, v2, v3\n"
	"exp param0 32_abgr rgba v0, v1, v2, v3\n"
	"exp param1 32_abgr rgba v4, v5, v6, v7\n"
	"exp param2 32_abgr rgb v8, v9, v10, off\n"
	"exp param3 32_abgr r v11, off, off, off\n"
	"exp param4 32_abgr rg v12, 1, off, off\n"
	"exp param5 32_abgr r v13, off, off, off\n"
	"exp param6 32_abgr rg v14, v15, off, off\n"
	"endpgm\n";
static const char pixel_text[] =
	".stage pixel\n.vgprs 8\n"
	".input 0 \"SV_Position\" 0 semantic position type f32 interp noperspective cols 4 used xyzw reg 0\n"
	".input 1 \"A\" 0 type f32 interp linear cols 4 used xz reg 1\n"
	".input 2 \"B\" 0 type f32 interp linear cols 3 used none reg 2\n"
	".input 3 \"ID\" 0 type u32 interp constant cols 1 used x reg 3\n"
	".input 4 \"C\" 0 type f32 interp linear cols 2 used xy reg 4\n"
	".input 5 \"SV_IsFrontFace\" 0 semantic is_front_face type u32 interp constant cols 1 used x reg 7\n"
	".input 6 \"N\" 0 type f32 interp noperspective cols 2 used y reg 6\n"
	".output 0 \"SV_Target\" 0 semantic target type f32 cols 4 used xyzw reg 0\n"
	"ld_in v0, in1, z\n"
	"ld_in v1, in3, x\n"
	"ld_in v2, in4, y\n"
	"interp_centroid v3, in4, x\n"
	"ld_in v4, in1, x\n"
	"ld_in v5, in5, x\n"
	"ld_in v6, in6, y\n"
	"ld_in v7, in0, x\n"
	"exp_sym mrt0 f32 rgba v0, v2, v4, v6\n"
	"endpgm\n";
/* A.x A.z C.x C.y share a parameter; ID is constant, N is not perspective. */
static const char *const vertex_wanted[] = {"exp pos0 32_abgr rgba v0, v1, v2, v3", "exp param0 32_abgr rgba v0, v1, v2, v3",
	"exp param2 32_abgr rgba v4, v6, v12, 1", "exp param3 32_abgr r v11, off, off, off",
	"exp param1 32_abgr r v13, off, off, off", "exp param4 32_abgr r v15, off, off, off", "endpgm"};
static const char *const pixel_wanted[] = {"ld_in v0, in2, y", "ld_in v1, in3, x", "ld_in v2, in2, w",
	"interp_centroid v3, in2, z", "ld_in v4, in2, x", "ld_in v5, in1, x", "ld_in v6, in4, x", "ld_in v7, in0, x",
	"exp_sym mrt0 f32 rgba v0, v2, v4, v6", "endpgm"};

static struct isa_program *assemble(const char *text)
{
	struct kiln_diags *d = kiln_diags_create();
	struct isa_program *p = isa_assemble(text, strlen(text), "test", d);
	cr_assert(p, "%u: %s", kiln_diags_get(d, 0)->line, kiln_diags_get(d, 0)->text);
	kiln_diags_destroy(d);
	return p;
}

static void check_code(const struct isa_program *p, const char *const *wanted, size_t count)
{
	cr_assert_eq(p->inst_count, count);
	for (size_t i = 0; i < count; i++) {
		struct buf line = {0};
		isa_print_inst(p, &p->insts[i], &line);
		cr_expect_str_eq(buf_text(&line), wanted[i]);
		buf_finish(&line);
	}
}

Test(signature_pack, by_hand)
{
	struct kiln_diags *diags = kiln_diags_create();
	struct isa_program *vs = assemble(vertex_text), *ps = assemble(pixel_text), *packed_vs, *packed_ps;
	uint8_t ps_param[ISA_IO_MAX] = {0xff, 1, 2, 3, 4, 0xff, 6};

	signature_pack(vs, ps, ps_param, "pso", &packed_vs, &packed_ps, diags);
	check_code(packed_vs, vertex_wanted, ARRAY_COUNT(vertex_wanted));
	check_code(packed_ps, pixel_wanted, ARRAY_COUNT(pixel_wanted));
	cr_assert(packed_vs->output_count == 5 && packed_ps->input_count == 5);
	for (size_t s = 2; s < 5; s++) {
		const struct isa_io *out = &packed_vs->outputs[s], *in = &packed_ps->inputs[s];
		cr_expect(out->cols == (s == 2 ? 4 : 1) && out->cols == in->cols && out->reg == in->reg && out->reg >= 8, "%zu", s);
	}
	cr_expect(packed_ps->inputs[3].interp == ISA_INTERP_CONSTANT && packed_ps->inputs[3].type == ISA_U32);
	cr_expect(isa_validate(packed_vs, "vs", diags) && isa_validate(packed_ps, "ps", diags));
	cr_assert_eq(kiln_diags_count(diags), 1);
	cr_expect_str_eq(kiln_diags_get(diags, 0)->text,
		"5 parameters (12 components) became 3 (6 components); not read: A0.yw, B0, N0.x");
	isa_program_destroy(vs);
	isa_program_destroy(ps);
	isa_program_destroy(packed_vs);
	isa_program_destroy(packed_ps);
	kiln_diags_destroy(diags);
}
