/* Resources in scenes: textures from every kind of source, root signatures to bytes, samplers, heaps, Bind. Expected texels
 * are worked out by hand from the formulas of scenes/README.md; each mistake is asked for by number and line. */
#include "pso/pso.h"
#include "sim/sim.h"
#include "tests/corpus.h"
#include "tools/image.h"
#include "tools/scene.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[256];

static const char *in_folder(const char *name)
{
	static char path[512];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static void put(const char *name, const void *data, size_t size)
{
	struct kiln_diags *d = kiln_diags_create();
	cr_assert(file_write(in_folder(name), data, size, d));
	kiln_diags_destroy(d);
}

/* Red 10 x, green 20 y, blue 7. */
static void put_png(const char *name, uint32_t width, uint32_t height)
{
	struct kiln_diags *d = kiln_diags_create();
	uint8_t *rgb = malloc((size_t)width * height * 3);
	for (uint32_t i = 0; i < width * height; i++) {
		rgb[i * 3] = (uint8_t)(i % width * 10);
		rgb[i * 3 + 1] = (uint8_t)(i / width * 20);
		rgb[i * 3 + 2] = 7;
	}
	cr_assert(image_write_rgb(in_folder(name), width, height, rgb, d));
	free(rgb);
	kiln_diags_destroy(d);
}

static void put_shader(const char *name, const char *shader)
{
	size_t size;
	uint8_t *data = corpus_container(shader, &size);
	put(name, data, size);
	mem_free(data);
}

static void setup(void)
{
	uint8_t bytes[32];
	for (unsigned i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)i;
	snprintf(folder, sizeof folder, "%s/scene_resources.XXXXXX", KILN_BINARY_DIR);
	cr_assert_not_null(mkdtemp(folder));
	put("raw.bin", bytes, sizeof bytes);
	put("bad.png", "no image", 8);
	put_png("a.png", 4, 2);
	put_png("a1.png", 2, 1);
	put_shader("vs.cso", "vs_fullscreen");
	put_shader("root.cso", "ps_root_signature");
	put_shader("cs.cso", "cf_barrier_loop");
}

static void teardown(void)
{
	static const char *const names[] = {"raw.bin", "bad.png", "a.png", "a1.png", "vs.cso", "root.cso", "cs.cso",
		"scene.yaml"};
	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		remove(in_folder(names[i]));
	rmdir(folder);
}

static void print_diags(const struct kiln_diags *d, const char *what)
{
	for (size_t i = 0; i < kiln_diags_count(d); i++)
		cr_log_error("%s: %u %s: %s\n", what, kiln_diags_get(d, i)->number, kiln_diags_get(d, i)->where, kiln_diags_get(d, i)->text);
}

#define HEAD "kiln: 1\nshaders: {vs: {file: vs.cso}}\npsos: {}\n"
/* Sampled at a place: the texel's bytes. */
struct texel { uint32_t mip, slice, x, y; const char *bytes; };
static const struct good {
	const char *texture;
	struct texel texels[4];
} good[] = {
	{"{Format: R8G8B8A8_UNORM, png: a.png}", {{0, 0, 3, 1, "1e1407ff"}, {0, 0, 0, 0, "000007ff"}}},
	{"{Format: B8G8R8A8_UNORM_SRGB, png: a.png, Width: 4, Height: 2}", {{0, 0, 3, 1, "07141eff"}}},
	{"{Format: R8_UNORM, png: a.png}", {{0, 0, 2, 0, "14"}}},
	{"{Format: R16_UINT, png: a.png}", {{0, 0, 2, 0, "1400"}}},
	{"{Format: R32_FLOAT, Width: 1, Height: 1, pattern: {kind: solid, colors: [[51, 0, 0]]}}", {{0, 0, 0, 0, "cdcc4c3e"}}}, /* 0.2 */
	{"{Format: R16_UNORM, Width: 1, Height: 1, pattern: {kind: solid, colors: [[51, 0, 0]]}}", {{0, 0, 0, 0, "3333"}}},
	{"{Format: R8G8B8A8_UNORM, Width: 4, Height: 2, mips: [a.png, a1.png]}", {{0, 0, 1, 1, "0a1407ff"}, {1, 0, 1, 0, "0a0007ff"}}},
	{"{Dimension: TEXTURE3D, Format: R8_UINT, Width: 4, Height: 4, DepthOrArraySize: 2, file: raw.bin}",
		{{0, 1, 1, 1, "15"}, {0, 0, 3, 3, "0f"}}},
	{"{Format: R8_UINT, Width: 4, Height: 4, DepthOrArraySize: 2, file: raw.bin}", {{0, 1, 1, 1, "15"}}},
	{"{Format: R8_UNORM, Width: 2, Height: 2, MipLevels: 0, type: uint8, values: [1, 2, 3, 4, 5]}",
		{{0, 0, 1, 1, "04"}, {1, 0, 0, 0, "05"}}},
	{"{Dimension: TEXTURE1D, Format: R8_UNORM, Width: 4, MipLevels: 2, type: uint8, values: [1, 2, 3, 4, 5, 6]}", {{1, 0, 1, 0, "06"}}},
	/* two slices of two mips: slice after slice, its mips in turn */
	{"{Format: R8_UNORM, Width: 2, Height: 1, MipLevels: 2, DepthOrArraySize: 2, type: uint8, values: [1, 2, 3, 4, 5, 6]}",
		{{0, 1, 0, 0, "04"}, {1, 1, 0, 0, "06"}}},
	/* the mean of 0, 20 and of 10, 30; alpha is opaque */
	{"{Format: R8G8B8A8_UNORM, png: a.png, mips: generate}", {{1, 0, 0, 0, "050a07ff"}, {1, 0, 1, 0, "190a07ff"}, {2, 0, 0, 0, "0f0a07ff"}}},
	{"{Format: R8G8B8A8_UNORM, Width: 2, Height: 2, faces: [{pattern: {kind: solid}}, {pattern: {kind: solid, colors: [[9, 8, 7, 6]]}}, "
		"{pattern: {kind: checker, cell: 1}}, {type: uint, values: [1, 2, 3, 4]}, {pattern: {kind: solid}}, {pattern: {kind: solid}}]}",
		{{0, 1, 1, 1, "09080706"}, {0, 2, 1, 0, "ffffffff"}, {0, 2, 1, 1, "000000ff"}, {0, 3, 0, 1, "03000000"}}},
	/* a colour a level */
	{"{Format: R8_UNORM, Width: 4, Height: 4, MipLevels: 3, pattern: {kind: solid, colors: [[1,0,0],[2,0,0],[3,0,0]]}}",
		{{0, 0, 3, 3, "01"}, {1, 0, 1, 1, "02"}, {2, 0, 0, 0, "03"}}},
	/* 0 to 90 over three steps; then down to 30 + 60 at the corner */
	{"{Format: R8_UNORM, Width: 4, Height: 1, pattern: {kind: gradient, colors: [[0,0,0],[90,0,0]]}}", {{0, 0, 1, 0, "1e"}, {0, 0, 3, 0, "5a"}}},
	{"{Format: R8_UNORM, Width: 3, Height: 3, pattern: {kind: gradient, colors: [[0,0,0],[90,0,0],[30,0,0],[60,0,0]]}}",
		{{0, 0, 1, 1, "2d"}, {0, 0, 0, 1, "0f"}, {0, 0, 2, 2, "3c"}}},
	/* bricks 4 x 2 with a joint of 1: the second row starts half a brick in */
	{"{Format: R8_UNORM, Width: 8, Height: 4, pattern: {kind: bricks, cell: [4, 2], colors: [[200,0,0],[10,0,0]]}}",
		{{0, 0, 1, 1, "c8"}, {0, 0, 4, 1, "0a"}, {0, 0, 2, 3, "0a"}, {0, 0, 4, 3, "c8"}}},
	/* noise of one cell a texel, no smoothing: hash(0, 0, 0, 5) and hash(3, 2, 0, 5), computed apart */
	{"{Format: R8_UNORM, Width: 4, Height: 4, pattern: {kind: noise, cell: 1, seed: 5}}", {{0, 0, 0, 0, "da"}, {0, 0, 3, 2, "92"}}},
};

static void check_texel(const struct scene *s, const struct texel *t, const char *what)
{
	const struct kiln_resource *r = scene_resource(s, "t");
	bool volume = r->desc.Dimension == KILN_DIMENSION_TEXTURE3D;
	const uint8_t *at = resource_texel(r, t->mip, volume ? 0 : t->slice, t->x, t->y, volume ? t->slice : 0, 0);
	char got[33] = "";
	for (unsigned i = 0; i < r->format->bits / 8u; i++)
		snprintf(got + 2 * i, 3, "%02x", at[i]);
	cr_expect_str_eq(got, t->bytes, "%s: mip %u slice %u (%u, %u) holds %s, not %s", what, t->mip, t->slice, t->x, t->y, got, t->bytes);
}

static bool open_text(struct scene *s, const char *text, struct kiln_diags *d)
{
	static char path[512];
	put("scene.yaml", text, strlen(text));
	snprintf(path, sizeof path, "%s", in_folder("scene.yaml"));
	return scene_open(s, path, d);
}

Test(scene_resources, textures, .init = setup, .fini = teardown)
{
	for (size_t i = 0; i < ARRAY_COUNT(good); i++) {
		struct kiln_diags *d = kiln_diags_create();
		struct scene s;
		char text[2048];
		snprintf(text, sizeof text, HEAD "resources:\n  t: %s\n", good[i].texture);
		bool ok = open_text(&s, text, d) && scene_create(&s, &(struct scene_options){0}, d) && scene_execute(&s, d);
		if (!ok)
			print_diags(d, good[i].texture);
		cr_expect(ok, "%s", good[i].texture);
		for (size_t k = 0; ok && k < 4 && good[i].texels[k].bytes; k++)
			check_texel(&s, &good[i].texels[k], good[i].texture);
		scene_close(&s);
		kiln_diags_destroy(d);
	}
}

Test(scene_resources, rows, .init = setup, .fini = teardown)
{
	static const uint8_t bytes[16] = {1, 2, 3, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0};
	struct kiln_diags *d = kiln_diags_create();
	struct scene s;
	cr_assert(open_text(&s, HEAD "resources:\n  b: {type: uint8, rows: [[1, 2, 3], [4]], stride: 8}\n", d));
	cr_expect_eq(s.resources[0].size, sizeof bytes);
	cr_expect_arr_eq(s.resources[0].data, bytes, sizeof bytes);
	scene_close(&s);
	kiln_diags_destroy(d);
}

/* ---- root signatures ---- */

Test(scene_resources, root_signature, .init = setup, .fini = teardown)
{
	static const char text[] = HEAD
		"root_signature:\n"
		"  Flags: [ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT, DENY_HULL_SHADER_ROOT_ACCESS]\n"
		"  Parameters:\n"
		"    - {ParameterType: 32BIT_CONSTANTS, ShaderRegister: 7, RegisterSpace: 2, Num32BitValues: 5, ShaderVisibility: PIXEL}\n"
		"    - {ParameterType: SRV, ShaderRegister: 3, Flags: [DATA_STATIC]}\n"
		"    - ParameterType: DESCRIPTOR_TABLE\n"
		"      DescriptorRanges:\n"
		"        - {RangeType: SRV, NumDescriptors: 4, BaseShaderRegister: 10}\n"
		"        - {RangeType: UAV, BaseShaderRegister: 1, RegisterSpace: 1, OffsetInDescriptorsFromTableStart: 9}\n"
		"        - {RangeType: CBV, NumDescriptors: UNBOUNDED, BaseShaderRegister: 20, Flags: [DATA_VOLATILE]}\n"
		"    - {ParameterType: DESCRIPTOR_TABLE, DescriptorRanges: [{RangeType: SAMPLER, BaseShaderRegister: 1}]}\n"
		"  StaticSamplers:\n"
		"    - {Filter: COMPARISON_MIN_MAG_LINEAR_MIP_POINT, AddressU: BORDER, BorderColor: OPAQUE_WHITE, ComparisonFunc: LESS,\n"
		"       MaxLOD: 3.5, ShaderRegister: 0, RegisterSpace: 4, ShaderVisibility: PIXEL}\n";
	struct kiln_diags *d = kiln_diags_create();
	struct scene s;
	bool ok = open_text(&s, text, d);
	print_diags(d, "open");
	cr_assert(ok);
	struct root_signature *r = root_signature_parse(s.root_data, s.root_size, "scene", d);
	print_diags(d, "parse");
	cr_assert(r);
	cr_expect(r->version == 2 && r->flags == 5 && r->parameter_count == 4 && r->sampler_count == 1);
	const struct root_parameter *p = r->parameters;
	cr_expect(p[0].type == 1 && p[0].reg == 7 && p[0].space == 2 && p[0].num_constants == 5 && p[0].visibility == 5);
	cr_expect(p[1].type == 3 && p[1].reg == 3 && p[1].flags == 8);
	cr_assert(p[2].type == 0 && p[2].range_count == 3 && p[3].range_count == 1);
	static const struct root_range ranges[3] = {{0, 4, 10, 0, 0, 0}, {1, 1, 1, 1, 0, 9}, {2, ~0u, 20, 0, 2, 10}};
	for (size_t i = 0; i < 3; i++) {
		const struct root_range *a = &p[2].ranges[i], *b = &ranges[i];
		cr_expect(a->type == b->type && a->count == b->count && a->reg == b->reg && a->space == b->space && a->flags == b->flags &&
			a->offset == b->offset, "range %zu", i);
	}
	const struct root_sampler *x = r->samplers;
	cr_expect(x->words[0] == 0x94 && x->words[1] == 4 && x->words[2] == 1 && x->words[5] == 16 && x->words[6] == 2 && x->words[7] == 2);
	cr_expect(x->words[9] == float_bits(3.5f) && x->space == 4 && x->visibility == 5);
	root_signature_destroy(r);
	scene_close(&s);
	ok = open_text(&s, HEAD "root_signature: {file: root.cso}\n", d);
	print_diags(d, "file");
	cr_assert(ok);
	r = root_signature_parse(s.root_data, s.root_size, "scene", d);
	cr_expect(r && r->parameter_count > 0, "that of the container");
	root_signature_destroy(r);
	scene_close(&s);
	kiln_diags_destroy(d);
}

/* ---- mistakes ---- */

#define R(texture) HEAD "resources:\n  t: " texture "\n"
#define COMPUTE(pso) "kiln: 1\nshaders: {cs: {file: cs.cso}}\npsos:\n  p: " pso "\nresources: {b: {size: 256}}\n"
#define SIZE "Format: R8G8B8A8_UNORM, Width: 4, Height: 2"
static const struct bad { const char *text; unsigned number, line; } bad[] = {
	{R("{Format: R8G8B8A8_UNORM, png: nowhere.png}"), 4013, 5},
	{R("{Format: R8G8B8A8_UNORM, png: bad.png}"), 4018, 0},
	{R("{Format: R8G8B8A8_UNORM, png: raw.bin}"), 4013, 5},
	{R("{Format: R8G8B8A8_UNORM, png: a.png, Width: 8, Height: 2}"), 4024, 5},
	{R("{Format: R32_TYPELESS, png: a.png}"), 4024, 5},
	{R("{Format: D32_FLOAT, Width: 4, Height: 4, pattern: {kind: solid}}"), 4024, 5},
	{R("{Format: R8G8B8A8_UNORM, Width: 4}"), 4011, 5},
	{R("{Width: 4, Height: 4}"), 4011, 5},
	{R("{" SIZE ", file: raw.bin, png: a.png}"), 4024, 5},
	{R("{" SIZE ", MipLevels: 9}"), 5011, 0},
	{R("{" SIZE ", MipLevels: 9, file: raw.bin}"), 4007, 5},
	{R("{" SIZE ", MipLevels: 2, file: raw.bin}"), 4024, 5}, /* 32 + 8 bytes are needed */
	{R("{" SIZE ", type: uint8, values: [1, 2, 3]}"), 4024, 5},
	{R("{" SIZE ", type: uint8, values: [1, 2, 300]}"), 4007, 5},
	{R("{" SIZE ", file: nowhere.bin}"), 4013, 5},
	{R("{" SIZE ", SampleDesc: {Count: 4}, file: raw.bin}"), 4024, 5},
	{R("{" SIZE ", faces: [a.png, a.png]}"), 4007, 5},
	{R("{" SIZE ", DepthOrArraySize: 4, faces: [a.png, a.png, a.png, a.png]}"), 4024, 5},
	{R("{" SIZE ", DepthOrArraySize: 2, slices: [a.png]}"), 4007, 5},
	{R("{" SIZE ", slices: [a.png, {}]}"), 4011, 5},
	{R("{" SIZE ", slices: [a.png, {png: a.png, file: raw.bin}]}"), 4011, 5},
	{R("{" SIZE ", slices: [a.png, [a.png, a1.png]]}"), 4007, 5},
	{R("{" SIZE ", mips: sometimes}"), 4008, 5},
	{R("{" SIZE ", mips: [a.png, a.png]}"), 4024, 5},
	{R("{" SIZE ", mips: [a.png], slices: [a.png]}"), 4024, 5},
	{R("{" SIZE ", pattern: {kind: plaid}}"), 4008, 5},
	{R("{" SIZE ", pattern: {cell: 4}}"), 4011, 5},
	{R("{" SIZE ", pattern: {kind: checker, cell: 0}}"), 4007, 5},
	{R("{" SIZE ", pattern: {kind: noise, octaves: 9}}"), 4007, 5},
	{R("{" SIZE ", pattern: {kind: gradient, colors: [[1, 2, 3]]}}"), 4007, 5},
	{R("{" SIZE ", pattern: {kind: solid, colors: [[1, 2, 256]]}}"), 4007, 5},
	{R("{Dimension: TEXTURE4D, Format: R8_UNORM, Width: 1, Height: 1}"), 4008, 5},
	{R("{rows: [[1, 2]]}"), 4011, 5},
	{R("{rows: [[1, 2]], stride: 4}"), 4014, 5},
	{R("{rows: [[1, 2]], stride: 0}"), 4007, 5},
	{R("{rows: [1, 2], stride: 8}"), 4006, 5},
	{R("{values: [1, 2], stride: 8}"), 4011, 5},
	{HEAD "root_signature:\n  - {ParameterType: SRV}\n", 4011, 5},
	{HEAD "root_signature:\n  - {ParameterType: SRV, ShaderRegister: 1, Num32BitValues: 4}\n", 4009, 5},
	{HEAD "root_signature:\n  - {ParameterType: DESCRIPTOR_TABLE, DescriptorRanges: [{RangeType: SRV}]}\n", 4011, 5},
	{HEAD "root_signature: {Parameters: [{ParameterType: TABLE}]}\n", 4008, 4},
	{HEAD "root_signature: {file: nowhere.cso}\n", 4013, 4},
	{HEAD "root_signature: {file: vs.cso}\n", 4013, 4},
	{HEAD "root_signature: {file: root.cso, Flags: []}\n", 4009, 4},
	{HEAD "root_signature: {Flags: [EVERYTHING]}\n", 4008, 4},
	{HEAD "root_signature: {StaticSamplers: [{Filter: ANISOTROPIC, ShaderRegister: 0, BorderColor: PINK}]}\n", 4008, 4},
	{HEAD "samplers:\n  s: {AddressU: WRAP}\n", 4011, 5},
	{HEAD "samplers:\n  s: {Filter: BEST}\n", 4008, 5},
	{HEAD "samplers:\n  s: {Filter: ANISOTROPIC, BorderColor: [1]}\n", 4007, 5},
	{HEAD "heaps:\n  h: [nothing]\n", 4013, 5},
	{HEAD "heaps:\n  h: []\n", 4007, 5},
	{HEAD "heaps:\n  h: [{RTV: t}]\n", 4008, 5},
	{HEAD "heaps:\n  h: [{Sampler: t}]\n", 4013, 5},
	{R("{" SIZE "}") "samplers: {s: {Filter: ANISOTROPIC}}\nheaps:\n  h: [t, s]\n", 4006, 8},
	{R("{" SIZE "}") "heaps:\n  h: [{CBV: t}]\n", 4013, 7},
	{R("{" SIZE "}") "heaps:\n  h: [{SRV: {Resource: t, MostDetailedMip: 7}}]\n", 4025, 7},
	{R("{" SIZE "}") "heaps:\n  h: [{SRV: {Resource: t, Mip: 7}}]\n", 4009, 7},
	{R("{" SIZE "}") "heaps:\n  h: [{SRV: {Resource: t, NumElements: 7}}]\n", 4025, 7},
	{R("{" SIZE "}") "expect:\n  pixels:\n    - {target: t, at: [0, 0]}\n", 4011, 8},
	{R("{" SIZE "}") "commands:\n  - SetGraphicsRootDescriptorTable: {RootParameterIndex: 0, Heap: h}\n", 4013, 7},
	{R("{" SIZE "}") "commands:\n  - GenerateMips: q\n", 4013, 7},
	{R("{" SIZE "}") "commands:\n  - OMSetRenderTargets: {RenderTargets: [{Resource: q, MipSlice: 1}]}\n", 4013, 7},
	{R("{" SIZE "}") "commands:\n  - OMSetRenderTargets: {RenderTargets: [{Resource: t, MipSlice: 1}]}\n", 0, 0},
	{R("{" SIZE "}") "commands:\n  - Bind: {x: q}\n", 4013, 7},
	{R("{" SIZE "}") "commands:\n  - Bind: [t]\n", 4006, 7},
	{R("{" SIZE "}") "commands:\n  - CopySubresource: {DstResource: t, SrcResource: q}\n", 4013, 7},
	{COMPUTE("{CS: cs, VS: vs}") "commands: []\n", 4009, 4},
	{COMPUTE("{CS: ds}") "commands: []\n", 4013, 4},
	{"kiln: 1\nshaders: {cs: {file: cs.cso}}\npsos:\n  p: {CS: cs}\n  q: {base: p}\n", 4013, 5},
	{COMPUTE("{CS: cs}") "commands:\n  - Dispatch: {ThreadGroupCountY: 1}\n", 4011, 7},
	{COMPUTE("{CS: cs}") "commands:\n  - Dispatch: {ThreadGroupCountX: 1}\n", 5001, 0},
	{COMPUTE("{CS: cs}") "commands:\n  - SetPipelineState: p\n  - Bind: {t0: b}\n", 4025, 8},
	{COMPUTE("{CS: cs}") "expect:\n  buffers: [{name: c, values: [1]}]\n", 4013, 7},
	{COMPUTE("{CS: cs}") "expect:\n  buffers: [{name: b, values: [x]}]\n", 4006, 7},
	{COMPUTE("{CS: cs}") "expect:\n  buffers: [{name: b}]\n", 4011, 7},
	{"kiln: 1\nshaders: {vs: {file: vs.cso}}\npsos: {p: {VS: vs}}\nresources: {b: {size: 256}}\ncommands:\n"
		"  - SetPipelineState: p\n  - Bind: {nothing: b}\n", 4025, 7},
};

/* 64 words become their running sums. */
Test(scene_resources, compute, .init = setup, .fini = teardown)
{
	static const struct { const char *expect; size_t failed; } rows[] = {
		{"{name: b, type: uint, values: [1, 3, 6, 10, 10]}", 0}, {"{name: b, at: 4, type: uint, values: [3, 7]}", 1},
		{"{name: b, at: 4, type: uint, tolerance: 1, values: [3, 7]}", 0},
		{"{name: b, at: 12, type: uint16, values: [10, 0, 10]}", 0}, {"{name: b, at: 255, type: uint8, values: [0]}", 0},
		{"{name: b, at: 256, type: uint8, values: [0]}", 1}, {"{name: b, at: 257, values: []}", 1},
		{"{name: b, values: [1.5]}", 1}};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_diags *d = kiln_diags_create();
		struct scene s;
		char text[1024];
		snprintf(text, sizeof text, "kiln: 1\nshaders: {cs: {file: cs.cso}}\npsos: {p: {CS: cs}}\n"
			"resources: {b: {type: uint, rows: [[1, 2, 3, 4]], stride: 256}}\ncommands:\n  - SetPipelineState: p\n"
			"  - Bind: {u0: b}\n  - Dispatch: {ThreadGroupCountX: 1}\nexpect:\n  buffers: [%s]\n", rows[i].expect);
		bool ok = open_text(&s, text, d) && scene_create(&s, &(struct scene_options){0}, d) && scene_execute(&s, d);
		if (!ok)
			print_diags(d, text);
		cr_assert(ok);
		cr_expect_eq(scene_check(&s, &s.expect, d), rows[i].failed, "%s", rows[i].expect);
		scene_close(&s);
		kiln_diags_destroy(d);
	}
}

Test(scene_resources, mistakes, .init = setup, .fini = teardown)
{
	for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
		struct kiln_diags *d = kiln_diags_create();
		struct scene s;
		bool ok = open_text(&s, bad[i].text, d) && scene_create(&s, &(struct scene_options){0}, d) && scene_execute(&s, d);
		cr_expect(!ok, "%s", bad[i].text);
		cr_expect(!bad[i].number || kiln_diags_has(d, bad[i].number), "no %u\n%s", bad[i].number, bad[i].text);
		bool placed = !bad[i].line;
		for (size_t k = 0; k < kiln_diags_count(d); k++)
			placed |= kiln_diags_get(d, k)->number == bad[i].number && kiln_diags_get(d, k)->line == bad[i].line;
		cr_expect(placed, "not at line %u\n%s", bad[i].line, bad[i].text);
		if (!placed)
			print_diags(d, "said");
		scene_close(&s);
		kiln_diags_destroy(d);
	}
}
