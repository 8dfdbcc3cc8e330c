/* What the tests of descriptors and bindings share: a device with a target, heaps and textures. */
#ifndef KILN_TESTS_BIND_RIG_H
#define KILN_TESTS_BIND_RIG_H
#include "sim/device.h"
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
#endif
