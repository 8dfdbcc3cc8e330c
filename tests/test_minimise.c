/* kiln check --minimise: the smallest scene by hand; the diagnostic stays and cutting again finds nothing, on a made-up
 * title; names and files that need care; what cannot be cut. */
#include "tests/cli.h"
#include "tests/title.h"
#include <sys/stat.h>

static char *file_text(const char *name)
{
	uint8_t *data = NULL;
	size_t size;
	struct kiln_diags *d = kiln_diags_create();
	cr_assert(file_read(name, 1 << 24, &data, &size, d), "%s", name);
	kiln_diags_destroy(d);
	data = mem_resize(data, size + 1, 1);
	data[size] = 0;
	return (char *)data;
}

static void minimise(const char *scene, const char *pso, const char *to)
{
	const char *const args[ARGS_MAX] = {"check", "--minimise", pso, "-o", to, scene};
	struct result r = run(args);
	cr_assert_eq(r.code, 0, "%s: exit %d, %s", pso, r.code, r.err);
	cr_expect(strstr(r.out, pso), "%s", r.out);
	finish(&r);
}

/* Everything that a scene can have, one PSO refused for its blending; names that YAML would read otherwise. */
static const char big[] =
	"kiln: 1\ntitle: big\nshaders:\n"
	"  'a: vs': {file: cso/vs_fullscreen.cso}\n  unused: {file: cso/vs_transform.cso}\n  ps: {file: cso/ps_out_float4.cso}\n"
	"root_signature:\n  - {ParameterType: CBV, ShaderRegister: 0}\n  - {ParameterType: 32BIT_CONSTANTS, ShaderRegister: 7, "
	"Num32BitValues: 4}\n"
	"resources:\n  t: {Format: R16G16B16A16_UNORM, Width: 8, Height: 8}\n"
	"psos:\n  first: {VS: 'a: vs', PS: ps, RTVFormats: [R16G16B16A16_UNORM, R8_UNORM], SampleMask: 7,\n"
	"    BlendState: {IndependentBlendEnable: true, RenderTarget: [{SrcBlend: ONE}, {RenderTargetWriteMask: 0}]},\n"
	"    RasterizerState: {CullMode: NONE, DepthBias: 1.5}}\n"
	"  other: {VS: 'a: vs', PS: ps}\n"
	"  middle: {base: first, SampleMask: 9}\n"
	"  '\"bad\" #1': {base: middle, RasterizerState: {CullMode: BACK},\n"
	"    BlendState: {RenderTarget: [{BlendEnable: true, SrcBlend: ONE, DestBlend: ONE}, {RenderTargetWriteMask: 0}]}}\n"
	"commands:\n  - SetPipelineState: first\nexpect: {refused: ['\"bad\" #1']}\n";
static const char small[] =
	"kiln: 1\nshaders:\n  \"a: vs\":\n    file: ../cso/vs_fullscreen.cso\n  ps:\n    file: ../cso/ps_out_float4.cso\n"
	"psos:\n  first:\n    VS: \"a: vs\"\n    PS: ps\n    RTVFormats: [R16G16B16A16_UNORM]\n"
	"  \"\\\"bad\\\" #1\":\n    base: first\n    BlendState: {RenderTarget: [{BlendEnable: true}]}\n";

Test(minimise, by_hand)
{
	make_folder();
	cr_assert_eq(symlink(KILN_SOURCE_DIR "/tests/corpus/cso", "cso"), 0);
	cr_assert_eq(mkdir("out", 0777), 0);
	put_file("big.yaml", big, sizeof big - 1);
	minimise("big.yaml", "\"bad\" #1", "out/small.yaml");
	char *text = file_text("out/small.yaml");
	cr_expect_str_eq(text, small, "%s", text);
	mem_free(text);
	cr_expect(unlink("out/small.yaml") == 0 && rmdir("out") == 0, "more was written");
	remove_folder();
}

/* The first error of a refused PSO, or the first warning of one that was made. */
static bool first_said(const char *scene, const char *pso, char number[16], bool *refused)
{
	const char *const args[ARGS_MAX] = {"check", scene};
	struct result r = run(args);
	char line[256], needle[64];
	snprintf(line, sizeof line, ": %s", pso);
	const char *verdict = strstr(r.out, line);
	*refused = verdict && strncmp(strchr(verdict + strlen(line), ':'), ": refused", 9) == 0;
	*number = 0;
	for (char *at = strtok(r.err, "\n"); at && !*number; at = strtok(NULL, "\n")) {
		snprintf(needle, sizeof needle, *refused ? ": error " : ": warning ");
		char *found = strstr(at, needle);
		if (found && strstr(at, pso) && strstr(at, pso) < found)
			snprintf(number, 16, "%.4s", found + strlen(needle));
	}
	finish(&r);
	return *number;
}

/* A root signature that a file holds and that lacks a binding: an empty one lacks it too. */
static const char rooted[] =
	"kiln: 1\nshaders:\n  vs: {file: cso/vs_fullscreen.cso}\n  ps: {file: cso/ps_texture_kinds.cso}\n"
	"root_signature: {file: cso/ps_root_signature.cso}\n"
	"psos:\n  p: {VS: vs, PS: ps, RTVFormats: [R8_UNORM], RasterizerState: {CullMode: NONE}}\n";

Test(minimise, root_signature_file)
{
	char before[16], after[16];
	bool refused, still;
	make_folder();
	cr_assert_eq(symlink(KILN_SOURCE_DIR "/tests/corpus/cso", "cso"), 0);
	cr_assert_eq(mkdir("out", 0777), 0);
	put_file("rooted.yaml", rooted, sizeof rooted - 1);
	cr_assert(first_said("rooted.yaml", "p", before, &refused) && refused);
	minimise("rooted.yaml", "p", "out/small.yaml");
	cr_expect(first_said("out/small.yaml", "p", after, &still) && still);
	cr_expect_str_eq(before, after);
	char *text = file_text("out/small.yaml");
	cr_expect(strstr(text, "root_signature: {}\n") && !strstr(text, "CullMode"), "%s %s", before, text);
	mem_free(text);
	cr_expect(unlink("out/small.yaml") == 0 && rmdir("out") == 0);
	remove_folder();
}

Test(minimise, still_shows_and_is_smallest)
{
	unsigned cut = 0;
	make_folder();
	FILE *f = fopen("title.yaml", "wb");
	cr_assert(f);
	title_write(f, KILN_SOURCE_DIR "/tests/corpus/cso", 60, 21, 0);
	fclose(f);
	for (unsigned i = 0; i < 60; i += 9) {
		char pso[TITLE_NAME_MAX], before[16], after[16];
		bool refused, still;
		snprintf(pso, sizeof pso, "material_%06u", i);
		if (!first_said("title.yaml", pso, before, &refused))
			continue;
		minimise("title.yaml", pso, "small.yaml");
		cr_expect(first_said("small.yaml", pso, after, &still), "%s", pso);
		cr_expect_eq(refused, still, "%s", pso);
		cr_expect_str_eq(before, after, "%s", pso);
		minimise("small.yaml", pso, "smaller.yaml");
		char *a = file_text("small.yaml"), *b = file_text("smaller.yaml");
		cr_expect_str_eq(a, b);
		mem_free(a), mem_free(b);
		cut++;
	}
	cr_expect(cut >= 5, "%u", cut);
	remove_folder();
}

Test(minimise, mistakes)
{
	static const struct { const char *args[ARGS_MAX]; const char *err; } calls[] = {
		{{"check", "--minimise", "a", SCENE("simple-triangle")}, "go together"},
		{{"check", "-o", "x.yaml", SCENE("simple-triangle")}, "go together"},
		{{"check", "--minimise", "a", "-o", "x.yaml", SCENE("simple-triangle"), SCENE("mrt8")}, "one scene"},
		{{"check", "--minimise", "a", "-o", "x.yaml", "a.sodb"}, "one scene"},
		{{"check", "--minimise", "nobody", "-o", "x.yaml", SCENE("export-green-masked")}, "4013"},
		{{"check", "--minimise", "triangle", "-o", "x.yaml", SCENE("simple-triangle")}, "6107"},
		{{"check", "--minimise", "derived", "-o", "nowhere/x.yaml", SCENE("export-green-masked")}, "9002"},
		{{"check", "--minimise", "a", "-o", "x.yaml", "missing.yaml"}, "9001"},
	};
	make_folder();
	for (size_t i = 0; i < ARRAY_COUNT(calls); i++) {
		struct result r = run(calls[i].args);
		cr_expect_eq(r.code, 2, "row %zu: exit %d", i, r.code);
		cr_expect(strstr(r.err, calls[i].err), "row %zu: %s", i, r.err);
		finish(&r);
	}
	cr_expect_eq(files_in_folder("*"), 0);
	remove_folder();
}
