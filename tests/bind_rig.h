/* What the tests of descriptors and bindings share: a device with a target, heaps and textures, pixel programs that read one
 * resource and export what they read, and PSOs with a root signature. */
#ifndef KILN_TESTS_BIND_RIG_H
#define KILN_TESTS_BIND_RIG_H
#include "sim/device.h"
#include "sim/draw.h"
#include "tests/draw_rig.h"

struct bench {
	struct rig r;
	struct kiln_descriptor_heap *views, *samplers;
	struct kiln_resource *textures[8];
	unsigned texture_count;
};

static inline void bench_open(struct bench *b)
{
	rig_open(&b->r, KILN_FORMAT_R32G32B32A32_FLOAT);
	b->views = kiln_descriptor_heap_create(b->r.device, KILN_HEAP_CBV_SRV_UAV, 16, b->r.diags);
	b->samplers = kiln_descriptor_heap_create(b->r.device, KILN_HEAP_SAMPLER, 4, b->r.diags);
	b->texture_count = 0;
}

static inline void bench_close(struct bench *b)
{
	kiln_descriptor_heap_destroy(b->views);
	kiln_descriptor_heap_destroy(b->samplers);
	while (b->texture_count)
		kiln_resource_destroy(b->textures[--b->texture_count]);
	rig_close(&b->r);
}

static inline struct kiln_resource *texture(struct bench *b, struct kiln_texture_desc desc)
{
	struct kiln_resource *t = kiln_texture_create(b->r.device, "texture", &desc, b->r.diags);

	if (!t)
		complain(&b->r, "kiln_texture_create");
	return b->textures[b->texture_count++] = t;
}

/* The one-texel texture of a float. */
static inline struct kiln_resource *pixel(struct bench *b, float value)
{
	struct kiln_resource *t = texture(b, (struct kiln_texture_desc){.Format = KILN_FORMAT_R32_FLOAT, .Width = 1, .Height = 1});

	cr_assert(kiln_texture_write(t, 0, &value, 0, 0, b->r.diags));
	return t;
}

static inline void srv(struct bench *b, uint32_t index, struct kiln_resource *r, struct kiln_view_desc d)
{
	if (!kiln_descriptor_srv(b->views, index, r, &d, b->r.diags))
		complain(&b->r, "kiln_descriptor_srv");
}

/* ---- programs ---- */

enum { U32 = 5, F32 = 9, SINT32 = 4 };    /* component types in DXIL metadata's numbering */
enum { COUNTER = 1, COMPARISON = 8 };
#define RES(c, k, t, reg, n) (struct isa_resource){ \
	.name = "r", .cls = ISA_##c, .kind = ISA_KIND_##k, .type = t, .lower = reg, .count = n}

static inline void set_resources(struct isa_program *p, const struct isa_resource *list, size_t count)
{
	p->resources = arena_copy(&p->arena, list, count * sizeof *list);
	p->resource_count = count;
}

/* A pixel program with these resources, before it reads. */
static inline struct isa_program *ps_of(const struct isa_resource *list, size_t count)
{
	struct isa_program *p = ps_begin(ISA_F32, ISA_INTERP_LINEAR);

	set_resources(p, list, count);
	return p;
}

static inline struct isa_program *ps_end(struct isa_program *p)
{
	ps_export(p, ISA_F32, 15, 0);
	return p;
}

/* Resource 0 at a fixed place. element: an operand, OFF for 0. */
static inline struct isa_program *ps_image(struct isa_resource r, struct isa_operand element, uint32_t slice, uint32_t mip)
{
	struct isa_program *p = ps_of(&r, 1);

	EMIT(p, image_load, V(0), V(1), V(2), V(3), IMM(0), element, LIT(0), LIT(0), LIT(slice), LIT(mip));
	return ps_end(p);
}

static inline struct isa_program *ps_buffer(struct isa_resource r, struct isa_operand element, uint32_t x, struct isa_operand y)
{
	struct isa_program *p = ps_of(&r, 1);

	EMIT(p, buffer_load, V(0), V(1), V(2), V(3), IMM(0), element, LIT(x), y);
	return ps_end(p);
}

static inline struct isa_program *ps_cbuffer(struct isa_resource r, struct isa_operand element, uint32_t row)
{
	struct isa_program *p = ps_of(&r, 1);

	EMIT(p, ld_cb, V(0), V(1), V(2), V(3), IMM(0), element, LIT(row));
	return ps_end(p);
}

static inline struct isa_program *vs(void) { return vs_through(ISA_F32, ISA_INTERP_LINEAR); }

/* ---- a PSO with a root signature ---- */

static inline void use(struct bench *b, struct isa_program *v, struct isa_program *p, struct root_parameter *parameters,
	size_t count, struct root_sampler *samplers, size_t sampler_count)
{
	struct root_signature root = {.version = 2, .flags = 1, .parameters = parameters, .parameter_count = count,
		.samplers = samplers, .sampler_count = sampler_count};
	struct kiln_root_signature given = {.root = &root};
	struct kiln_pso_desc d = {.name = "test", .state = b->r.state, .VS = shader(&b->r, v), .PS = shader(&b->r, p),
		.root_signature = count || sampler_count ? &given : NULL};

	d.state.DSVFormat = KILN_FORMAT_D32_FLOAT;
	b->r.psos[b->r.pso_count] = kiln_pso_create(b->r.device, &d, b->r.diags);
	if (!b->r.psos[b->r.pso_count])
		complain(&b->r, "kiln_pso_create");
	kiln_cmd_pso(b->r.list, b->r.psos[b->r.pso_count++]);
}

/* Draws and looks at a pixel; all channels where want is given. */
static inline void expect(struct bench *b, const float *want, const char *what)
{
	draw(&b->r, half, 3);
	run(&b->r);
	for (int c = 0; c < 4; c++)
		cr_expect_eq(value(b->r.color, 1, 1, c), want[c], "%s, channel %d: %g", what, c, (double)value(b->r.color, 1, 1, c));
}

#define RANGE(t, n, first, at) (struct root_range){.type = t, .count = n, .reg = first, .flags = 3, .offset = at}
#define TABLE(list) (struct root_parameter){.ranges = list, .range_count = ARRAY_COUNT(list)}
#endif
