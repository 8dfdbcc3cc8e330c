/* For the tests of the public bug reports (tests/test_cases*.c): a test names its case. Draws that cover a target with a
 * constant, and the bytes that come out. Numbers are those of the cases, by hand. */
#ifndef KILN_TESTS_CASES_H
#define KILN_TESTS_CASES_H
#include "tests/draw_rig.h"

#define F(name) KILN_FORMAT_##name
#define BLEND(s, d, o, sa, da, oa) {.BlendEnable = true, .SrcBlend = KILN_BLEND_##s, .DestBlend = KILN_BLEND_##d, \
	.BlendOp = KILN_BLEND_OP_##o, .SrcBlendAlpha = KILN_BLEND_##sa, .DestBlendAlpha = KILN_BLEND_##da, \
	.BlendOpAlpha = KILN_BLEND_OP_##oa, .LogicOp = KILN_LOGIC_OP_NOOP, .RenderTargetWriteMask = 15}
#define ALL(s, d, o) BLEND(s, d, o, s, d, o)
#define COPY {.SrcBlend = KILN_BLEND_ONE, .DestBlend = KILN_BLEND_ZERO, .BlendOp = KILN_BLEND_OP_ADD, \
	.SrcBlendAlpha = KILN_BLEND_ONE, .DestBlendAlpha = KILN_BLEND_ZERO, .BlendOpAlpha = KILN_BLEND_OP_ADD, \
	.LogicOp = KILN_LOGIC_OP_NOOP, .RenderTargetWriteMask = 15}
enum { NAN_BITS = 0x7fc00000, ONE = 0x3f800000, HALF = 0x3f000000 };

/* The type of a shader output for a format. */
static inline uint8_t output_type(uint32_t format)
{
	switch (format_info(format)->numeric) {
	case FORMAT_UINT: return ISA_U32;
	case FORMAT_SINT: return ISA_I32;
	default: return ISA_F32;
	}
}

/* Draws count constants: number k lands in pixel k, row by row, of the rig's target. */
static inline void shoot(struct rig *r, const uint32_t (*colors)[4], unsigned count)
{
	float (*v)[8] = calloc(count, 3 * sizeof *v);
	int32_t width = (int32_t)r->color->desc.Width;

	for (unsigned k = 0; k < 3 * count; k++) {
		v[k][0] = k % 3 == 1 ? 3 : -1;
		v[k][1] = k % 3 == 2 ? -3 : 1;
		v[k][2] = 0.5f;
		v[k][3] = 1;
		memcpy(&v[k][4], colors[k / 3], 4 * sizeof(float));
	}
	kiln_cmd_vertex_buffer(r->list, 0, buffer(r, v, count * 3 * sizeof *v), 0, (uint32_t)(count * 3 * sizeof *v), sizeof *v);
	for (unsigned k = 0; k < count; k++) {
		int32_t x = (int32_t)k % width, y = (int32_t)k / width;

		kiln_cmd_scissor(r->list, &(struct kiln_rect){x, y, x + 1, y + 1});
		kiln_cmd_draw(r->list, 3, 1, 3 * k, 0);
	}
	free(v);
}

/* Every texel of a target of one sample holds these bytes. */
static inline void preset(struct kiln_resource *t, const void *texel)
{
	for (size_t at = 0; at < t->size; at += t->format->bits / 8u)
		memcpy(t->data + at, texel, t->format->bits / 8u);
}

static inline const uint8_t *texel_of(const struct kiln_resource *t, unsigned k)
{
	return t->data + k * (t->format->bits / 8u);
}

/* The pixel shader that hands its constant on, in the type of the format. */
static inline void use_constant_pso(struct rig *r, uint32_t format)
{
	uint8_t type = output_type(format);

	pso(r, vs_through(type, ISA_INTERP_CONSTANT), ps_color(type, ISA_INTERP_CONSTANT));
}

/* A PSO is refused with this number, or made where it is 0. */
static inline void expect_pso(struct rig *r, struct isa_program *ps, uint32_t number, const char *what)
{
	struct kiln_pso_desc d = {.name = what, .state = r->state, .VS = shader(r, vs_through(ISA_F32, ISA_INTERP_LINEAR))};
	struct kiln_diags *diags = kiln_diags_create();
	struct kiln_pso *p;

	if (ps)
		d.PS = shader(r, ps);
	p = kiln_pso_create(r->device, &d, diags);
	cr_assert_eq(p != NULL, number == 0, "%s: %s", what, p ? "made" : kiln_diags_get(diags, 0)->text);
	cr_assert(!number || kiln_diags_has(diags, number), "%s: not refused with %u", what, number);
	kiln_pso_destroy(p);
	kiln_diags_destroy(diags);
}
#endif
