/* A made-up title: a scene file with any number of PSOs over the shader corpus, the same for the same numbers. A quarter of
 * them derive from another, many illegally. */
#ifndef KILN_TESTS_TITLE_H
#define KILN_TESTS_TITLE_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TITLE_NAME_MAX = 24 };
struct title_random { uint32_t state; };
static inline uint32_t title_pick(struct title_random *r, uint32_t count)
{
	r->state = r->state * 1664525u + 1013904223u;
	return (r->state >> 8) % count;
}

struct title_stage { const char *name, *layout; };
static const struct title_stage title_vs[] = {
	{"vs_fullscreen", NULL},
	{"vs_position_color",
		"[{SemanticName: POSITION, Format: R32G32B32_FLOAT}, {SemanticName: COLOR, Format: R8G8B8A8_UNORM}]"},
	{"vs_transform", "[{SemanticName: POSITION, Format: R32G32B32_FLOAT}, {SemanticName: NORMAL, Format: R32G32B32_FLOAT}, "
		"{SemanticName: TEXCOORD, Format: R32G32_FLOAT}]"},
};
/* The first TITLE_ANY of them take what every vertex shader gives, the rest TEXCOORD0 of vs_fullscreen. */
enum { TITLE_ANY = 6 };
static const char *const title_ps[] = {"ps_out_float1", "ps_out_float2", "ps_out_float3", "ps_out_float4", "ps_alpha_only",
	"ps_coverage", "ps_mrt8", "ps_depth", "ps_discard", "ps_dual_source", "ps_control_flow"};
#define TITLE_PS_COUNT (sizeof title_ps / sizeof *title_ps)

static inline void title_blend(FILE *f, struct title_random *r)
{
	static const char *const masks[] = {"ALL", "ALL", "ALL", "RGB", "R", "RG", "A"};
	static const char *const factors[] = {"ONE", "SRC_ALPHA", "ZERO", "DEST_COLOR", "INV_SRC_ALPHA"};
	fprintf(f, "BlendState: {AlphaToCoverageEnable: %s, RenderTarget: [{BlendEnable: %s, SrcBlend: %s, DestBlend: %s, "
		"RenderTargetWriteMask: %s}]}", title_pick(r, 9) ? "false" : "true", title_pick(r, 2) ? "true" : "false",
		factors[title_pick(r, 5)], factors[title_pick(r, 5)], masks[title_pick(r, 7)]);
}

static inline void title_states(FILE *f, struct title_random *r)
{
	static const char *const culls[] = {"NONE", "FRONT", "BACK"};
	static const char *const functions[] = {"LESS", "LESS_EQUAL", "EQUAL", "ALWAYS"};
	if (title_pick(r, 2))
		fprintf(f, ", RasterizerState: {CullMode: %s, DepthBias: %u}", culls[title_pick(r, 3)], (unsigned)title_pick(r, 3));
	if (title_pick(r, 2))
		fprintf(f, ", DepthStencilState: {DepthFunc: %s}", functions[title_pick(r, 4)]);
}

static inline void title_full(FILE *f, struct title_random *r)
{
	static const char *const formats[] = {"R8G8B8A8_UNORM", "R8G8B8A8_UNORM", "R16G16B16A16_FLOAT", "R16G16B16A16_UNORM",
		"R11G11B10_FLOAT", "R32G32_FLOAT", "R8_UNORM", "R32G32B32A32_FLOAT"};
	const struct title_stage *vs = &title_vs[title_pick(r, 3)];
	const char *ps = title_ps[title_pick(r, vs->layout ? TITLE_ANY : TITLE_PS_COUNT)];
	fprintf(f, "{VS: %s, PS: %s, RTVFormats: [%s], DSVFormat: D32_FLOAT, ", vs->name, ps, formats[title_pick(r, 8)]);
	if (vs->layout)
		fprintf(f, "InputLayout: %s, ", vs->layout);
	if (!title_pick(r, 8))
		fprintf(f, "SampleDesc: {Count: 4}, ");
	title_blend(f, r);
	title_states(f, r);
	fprintf(f, "}\n");
}

/* corpus: the folder of the containers. shuffle: another order of the same PSOs, bases still before what derives from
 * them. */
static inline void title_write(FILE *f, const char *corpus, uint32_t count, uint32_t seed, uint32_t shuffle)
{
	uint32_t full = count - count / 4, *order = malloc((count + 1) * sizeof *order);
	struct title_random s = {shuffle};
	fprintf(f, "kiln: 1\ntitle: a generated title of %u PSOs\nshaders:\n", (unsigned)count);
	for (size_t i = 0; i < sizeof title_vs / sizeof *title_vs; i++)
		fprintf(f, "  %s: {file: %s/%s.cso}\n", title_vs[i].name, corpus, title_vs[i].name);
	for (size_t i = 0; i < TITLE_PS_COUNT; i++)
		fprintf(f, "  %s: {file: %s/%s.cso}\n", title_ps[i], corpus, title_ps[i]);
	fprintf(f, "psos:\n");
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	for (uint32_t i = 0; shuffle && i < count; i++) {
		uint32_t first = i < full ? 0 : full, k = first + title_pick(&s, i - first + 1), other = order[i];
		order[i] = order[k];
		order[k] = other;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct title_random r = {seed + order[i] * 2654435761u};
		fprintf(f, "  material_%06u: ", (unsigned)order[i]);
		if (order[i] < full) {
			title_full(f, &r);
			continue;
		}
		fprintf(f, "{base: material_%06u, ", (unsigned)title_pick(&r, full));
		title_blend(f, &r);
		title_states(f, &r);
		fprintf(f, "}\n");
	}
	free(order);
}
#endif
