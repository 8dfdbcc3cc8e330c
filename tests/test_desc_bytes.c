/* A pipeline description as bytes: every field comes back, each one shows in the bytes, and damaged bytes are refused. */
#include "pso/pso.h"
#include <criterion/criterion.h>
#include <string.h>

static struct kiln_graphics_pipeline_desc sample(struct kiln_input_element_desc elements[2])
{
	struct kiln_graphics_pipeline_desc d = kiln_graphics_pipeline_default();
	elements[0] = (struct kiln_input_element_desc){"POSITION", 1, KILN_FORMAT_R32G32B32_FLOAT, 2, 3, 0, 0};
	elements[1] = (struct kiln_input_element_desc){"TEXCOORD", 4, KILN_FORMAT_R16G16_UNORM, 5, 6, 1, 7};
	d.InputElementDescs = elements;
	d.NumInputElements = 2;
	d.RasterizerState.DepthBias = -2.5f;
	d.RTVFormats[7] = KILN_FORMAT_R8_UNORM;
	d.DSVFormat = KILN_FORMAT_D32_FLOAT;
	d.ShaderLimits.PSWaves = 9;
	return d;
}

Test(desc_bytes, round_trip)
{
	struct kiln_input_element_desc elements[2];
	struct kiln_graphics_pipeline_desc d = sample(elements), back;
	struct buf bytes = {0}, again = {0};
	struct arena arena = {0};
	graphics_desc_write(&d, &bytes);
	struct reader r = {.data = bytes.data, .size = bytes.size};
	cr_assert(graphics_desc_read(&r, &arena, &back) && r.at == bytes.size);
	cr_expect_str_eq(back.InputElementDescs[1].SemanticName, "TEXCOORD");
	cr_expect(back.InputElementDescs[1].InstanceDataStepRate == 7 && back.RTVFormats[7] == KILN_FORMAT_R8_UNORM);
	cr_expect(back.RasterizerState.DepthBias == -2.5f && back.ShaderLimits.PSWaves == 9 && back.DepthStencilState.DepthEnable);
	graphics_desc_write(&back, &again);
	cr_assert(again.size == bytes.size && !memcmp(again.data, bytes.data, bytes.size));
	for (size_t size = 0; size < bytes.size; size++) {
		struct reader cut = {.data = bytes.data, .size = size};
		cr_expect(!graphics_desc_read(&cut, &arena, &back), "%zu bytes", size);
	}
	buf_finish(&bytes);
	buf_finish(&again);
	arena_finish(&arena);
}

/* Every byte of the structs that is not padding or a pointer must change the bytes; else a key would confuse two PSOs. */
Test(desc_bytes, every_field_shows)
{
	struct kiln_input_element_desc elements[2];
	const struct kiln_graphics_pipeline_desc d = sample(elements);
	struct buf bytes = {0};
	size_t unseen = 0;
	graphics_desc_write(&d, &bytes);
	for (size_t i = 0; i < sizeof d; i++) {
		struct kiln_graphics_pipeline_desc other = d;
		struct buf changed = {0};
		size_t pointer = offsetof(struct kiln_graphics_pipeline_desc, InputElementDescs);
		if (i >= pointer && i < pointer + sizeof(void *) + sizeof other.NumInputElements)
			continue;
		((unsigned char *)&other)[i] ^= 1;
		graphics_desc_write(&other, &changed);
		unseen += changed.size == bytes.size && !memcmp(changed.data, bytes.data, bytes.size);
		buf_finish(&changed);
	}
	/* padding behind bools, each group of them shorter than a word, and before the pointer */
	cr_expect_leq(unseen, 2u * (KILN_RENDER_TARGETS_MAX + 1) + 3 + 1 + 3 + 3 + 3 + 4 + 4, "%zu bytes do not show", unseen);
	buf_finish(&bytes);
}
