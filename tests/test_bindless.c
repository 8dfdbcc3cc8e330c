/* Heaps that a shader indexes directly: ps_bindless of the corpus takes texture and sampler by numbers from a constant
 * buffer. Textures are one texel each, so that the number shows. */
#include "sim/sim.h"
#include "tests/corpus.h"
#include <criterion/criterion.h>

struct bench {
	struct kiln_device *device;
	struct kiln_diags *diags;
	struct kiln_shader *vs, *ps;
	struct kiln_pso *pso;
	struct kiln_resource *target, *textures[3], *constants;
	struct kiln_descriptor_heap *resources, *samplers;
};

static struct kiln_shader *shader(struct bench *b, const char *name)
{
	size_t size;
	uint8_t *data = corpus_container(name, &size);
	struct kiln_shader *s = kiln_shader_create(b->device, name, data, size, b->diags);
	cr_assert(s, "%s", name);
	mem_free(data);
	return s;
}

static struct kiln_resource *texture(struct bench *b, uint32_t size, const uint8_t *texel)
{
	const struct kiln_texture_desc desc = {.Format = KILN_FORMAT_R8G8B8A8_UNORM, .Width = size, .Height = size};
	struct kiln_resource *r = kiln_texture_create(b->device, "texture", &desc, b->diags);
	cr_assert(r && (!texel || kiln_texture_write(r, 0, texel, 4, 4, b->diags)));
	return r;
}

static void begin(struct bench *b)
{
	static const uint8_t texels[3][4] = {{10, 20, 30, 40}, {50, 60, 70, 80}, {90, 100, 110, 120}};
	const struct kiln_sampler_desc point = {.Filter = 0, .AddressU = 1, .AddressV = 1, .AddressW = 1, .MaxLOD = 16};
	*b = (struct bench){.diags = kiln_diags_create()};
	b->device = kiln_device_create(&(struct kiln_device_desc){.in_process = true});
	b->vs = shader(b, "vs_fullscreen");
	b->ps = shader(b, "ps_bindless");
	b->target = texture(b, 4, NULL);
	b->resources = kiln_descriptor_heap_create(b->device, KILN_HEAP_CBV_SRV_UAV, 4, b->diags);
	b->samplers = kiln_descriptor_heap_create(b->device, KILN_HEAP_SAMPLER, 3, b->diags);
	for (uint32_t i = 0; i < 3; i++) {
		b->textures[i] = texture(b, 1, texels[i]);
		cr_assert(kiln_descriptor_srv(b->resources, i, b->textures[i], NULL, b->diags));
	}
	cr_assert(kiln_descriptor_sampler(b->samplers, 2, &point, b->diags));
	struct kiln_pso_desc d = {.name = "bindless", .state = kiln_graphics_pipeline_default(), .VS = b->vs, .PS = b->ps};
	d.state.NumRenderTargets = 1;
	d.state.RTVFormats[0] = KILN_FORMAT_R8G8B8A8_UNORM;
	d.state.DepthStencilState.DepthEnable = false;
	d.state.RasterizerState.CullMode = KILN_CULL_NONE;
	b->pso = kiln_pso_create(b->device, &d, b->diags);
	cr_assert(b->pso, "%s", kiln_diags_count(b->diags) ? kiln_diags_get(b->diags, 0)->text : "");
}

static void finish(struct bench *b)
{
	kiln_pso_destroy(b->pso);
	kiln_shader_destroy(b->vs);
	kiln_shader_destroy(b->ps);
	for (uint32_t i = 0; i < 3; i++)
		kiln_resource_destroy(b->textures[i]);
	kiln_resource_destroy(b->target);
	kiln_resource_destroy(b->constants);
	kiln_descriptor_heap_destroy(b->resources);
	kiln_descriptor_heap_destroy(b->samplers);
	kiln_device_destroy(b->device);
	kiln_diags_destroy(b->diags);
}

static bool draw(struct bench *b, uint32_t texture_index, uint32_t sampler_index, bool set_heaps)
{
	const uint32_t words[64] = {texture_index, sampler_index};
	struct kiln_commands *c = kiln_commands_create(b->device);
	kiln_resource_destroy(b->constants);
	b->constants = kiln_buffer_create(b->device, "constants", sizeof words, words);
	kiln_cmd_render_targets(c, 1, &b->target, NULL);
	kiln_cmd_viewport(c, &(struct kiln_viewport){0, 0, 4, 4, 0, 1});
	kiln_cmd_scissor(c, &(struct kiln_rect){0, 0, 4, 4});
	kiln_cmd_topology(c, KILN_TOPOLOGY_TRIANGLELIST);
	kiln_cmd_pso(c, b->pso);
	kiln_cmd_root_cbv(c, 0, b->constants, 0);
	if (set_heaps)
		kiln_cmd_descriptor_heaps(c, b->resources, b->samplers);
	kiln_cmd_draw(c, 3, 1, 0, 0);
	bool ok = kiln_execute(b->device, c, NULL, b->diags);
	kiln_commands_destroy(c);
	return ok;
}

Test(bindless, by_number)
{
	struct bench b;
	begin(&b);
	for (uint32_t i = 0; i < 3; i++) {
		cr_assert(draw(&b, i, 2, true));
		const uint8_t *texel = kiln_resource_data(b.target, NULL, NULL);
		for (int c = 0; c < 4; c++)
			cr_expect_eq(texel[4 * 5 + c], 10 + 40 * (int)i + 10 * c, "texture %u, channel %d: %d", i, c, texel[4 * 5 + c]);
	}
	cr_expect_eq(kiln_diags_count(b.diags), 0);
	cr_expect(draw(&b, 3, 2, true) && kiln_diags_has(b.diags, DIAG_DESCRIPTOR_READ_UNSET)); /* reads zeros, and says so */
	cr_expect_eq(((const uint8_t *)kiln_resource_data(b.target, NULL, NULL))[20], 0);
	cr_expect(draw(&b, 4000000000u, 2, true));
	finish(&b);
}

Test(bindless, refused)
{
	struct bench b;
	begin(&b);
	cr_expect(!draw(&b, 0, 2, false) && kiln_diags_has(b.diags, DIAG_DESCRIPTOR_HEAP_NOT_SET));
	/* a root signature with the constant buffer alone and no leave to index the heaps: version 1.0, one root CBV b0 */
	static const uint32_t rts0[] = {1, 1, 24, 0, 44, 1, 2, 0, 36, 0, 0};
	struct kiln_root_signature *root = kiln_root_signature_create(b.device, "root", rts0, sizeof rts0, b.diags);
	cr_assert(root);
	struct kiln_pso_desc d = {.name = "bindless", .state = kiln_graphics_pipeline_default(), .VS = b.vs, .PS = b.ps,
		.root_signature = root};
	cr_expect_null(kiln_pso_create(b.device, &d, b.diags));
	cr_expect(kiln_diags_has(b.diags, DIAG_CREATEGRAPHICSPIPELINESTATE_PS_ROOT_SIGNATURE_MISMATCH));
	kiln_root_signature_destroy(root);
	finish(&b);
}
