/* The `kiln` program from outside: exit codes, what goes to which stream, JSON that parses, bad scenes by number, and no file
 * left where something failed. */
#include "tests/cli.h"
#include <fcntl.h>
#include <jansson.h>
#include <sys/stat.h>

/* ---- exit codes, and a word that must stand on the stream ---- */

static const struct command {
	const char *args[ARGS_MAX];
	int code;
	const char *out, *err;             /* NULL: the stream stays empty; "": anything */
} commands[] = {
	{{"--help"}, 0, "kiln compile", NULL},
	{{"--version"}, 0, "kiln 0", NULL},
	{{NULL}, 2, NULL, "Usage"},
	{{"bake"}, 2, NULL, "no verb 'bake'"},
	{{"info", "--help"}, 0, "Example: kiln info", NULL},
	{{"compile", "--help"}, 0, "Example: kiln compile", NULL},
	{{"disasm", "--help"}, 0, "Example: kiln disasm", NULL},
	{{"asm", "--help"}, 0, "kiln asm", NULL},
	{{"run", "--help"}, 0, "Example: kiln run", NULL},
	{{"check", "--help"}, 0, "Example: kiln check", NULL},
	{{"docs", "--help"}, 0, "Example: kiln docs", NULL},
	{{"consoles", "--help"}, 0, "Example: kiln consoles", NULL},
	{{"info"}, 2, NULL, "Usage"},
	{{"run"}, 2, NULL, "Usage"},
	{{"run", "--nonsense", SCENE("simple-triangle")}, 2, NULL, "nonsense"},
	{{"run", "--wave", "48", SCENE("simple-triangle")}, 2, NULL, "32 or 64"},
	{{"run", "--policy", "vulkan", SCENE("simple-triangle")}, 2, NULL, "mesa-gfx7"},
	{{"run", "--unexported-pattern", "-1", SCENE("simple-triangle")}, 2, NULL, "32 bits"},
	{{"run", "--unexported-pattern", "0x100000000", SCENE("simple-triangle")}, 2, NULL, "32 bits"},
	{{"compile", CSO("vs_transform"), CSO("ps_depth"), "-o", "out.cso"}, 2, NULL, "one input"},
	{{"info", "missing.cso"}, 2, "", "9001"},
	{{"compile", "missing.cso"}, 2, "", "9001"},
	{{"disasm", "missing.cso"}, 2, NULL, "9001"},
	{{"asm", "missing.txt", "-o", "x.isa"}, 2, NULL, "9001"},
	{{"asm", "missing.txt"}, 2, NULL, "-o"},
	{{"run", "missing.yaml"}, 2, "", "9001"},
	{{"check", "missing.yaml"}, 2, "", "9001"},
	{{"docs", "recipes"}, 2, NULL, "recipes"},
	{{"docs", "isa"}, 0, "#", NULL},
	{{"docs", "diagnostics"}, 0, "3900", NULL},
	{{"docs", "formats"}, 0, "R8G8B8A8_UNORM", NULL},
	{{"docs", "consoles"}, 0, "xbox-series-x", NULL},
	{{"consoles"}, 0, "12.147", NULL},
	{{"consoles", "xbox-one", "--parameter", "color_pixels=32"}, 0, "27.296", NULL},
	{{"consoles", "xbox"}, 2, NULL, "6402"},
	{{"consoles", "--parameter", "clock"}, 2, NULL, "6401"},
	{{"info", CSO("ps_root_signature")}, 0, "RTS0", NULL},
	{{"compile", CSO("vs_transform")}, 0, "vertex", NULL},
	{{"compile", "--wave", "32", CSO("vs_transform")}, 0, "wave 32", NULL},
	{{"compile", CSO("gs_point_to_quad")}, 1, "", "2013"},
	{{"compile", CSO("gs_point_to_quad")}, 1, "", "2013"},
	{{"disasm", CSO("vs_transform")}, 0, "exp", NULL},
	{{"disasm", SCENE("export-unorm-blended")}, 2, NULL, "--pso"},
	{{"disasm", SCENE("export-unorm-blended"), "--pso", "nobody"}, 2, NULL, "nobody"},
	{{"disasm", SCENE("export-unorm-blended"), "--pso", "base"}, 0, "unorm16_abgr", NULL},
	{{"disasm", SCENE("export-unorm-blended"), "--pso", "derived", "--required"}, 0, "32_abgr", NULL},
	{{"check", SCENE("simple-triangle")}, 0, "made", NULL},
	{{"check", SCENE("export-alpha-missing")}, 1, "refused", "SRC_ALPHA"},
	{{"check", SCENE("export-unorm-blended")}, 1, "refused", "16-bit unorm"},
	{{"check", SCENE("export-green-masked")}, 1, "refused", "only red exported"},
	{{"check", "--ignore-export-mismatch", SCENE("export-green-masked")}, 0, "made", "3902"},
	{{"check", "--policy", "mesa-gfx7", SCENE("simple-triangle")}, 0, "made", NULL},
	{{"run", SCENE("simple-triangle"), "--stats"}, 0, "pixels_written", NULL},
	{{"run", "--wave", "32", SCENE("simple-triangle")}, 0, "passed", NULL},
	{{"run", SCENE("export-alpha-missing")}, 0, "passed", "3900"},
	{{"run", "--unexported-pattern", "0x3f800000", "-i", SCENE("export-alpha-missing")}, 1, "failed", "4015"},
};

Test(cli, exit_codes)
{
	make_folder();
	for (size_t i = 0; i < ARRAY_COUNT(commands); i++) {
		const struct command *c = &commands[i];
		struct result r = run(c->args);
		const char *verb = c->args[0] ? c->args[0] : "", *arg = c->args[0] && c->args[1] ? c->args[1] : "";
		cr_expect_eq(r.code, c->code, "kiln %s %s: exit %d, not %d\n%s%s", verb, arg, r.code, c->code, r.out, r.err);
		cr_expect(c->out ? strstr(r.out, c->out) != NULL : !*r.out, "kiln %s %s: stdout is\n%s", verb, arg, r.out);
		cr_expect(c->err ? strstr(r.err, c->err) != NULL : !*r.err, "kiln %s %s: stderr is\n%s", verb, arg, r.err);
		finish(&r);
	}
	cr_expect_eq(files_in_folder("*"), 0, "a file was left behind");
	remove_folder();
}

/* ---- bad scenes ---- */

#define HEAD "kiln: 1\nshaders:\n  vs: {file: vs.cso}\n"
#define PSO "psos:\n  p: {VS: vs, RTVFormats: [R8G8B8A8_UNORM]}\n"
#define WHOLE HEAD PSO "resources:\n  t: {Format: R8G8B8A8_UNORM, Width: 4, Height: 4}\n  b: {values: [1, 2]}\n"
static const struct bad_scene {
	const char *text;
	unsigned number, line;             /* line 0: not asked */
} bad_scenes[] = {
	{"", 4002, 1},
	{" \n\n", 4002, 1},
	{"# nothing\n", 4002, 0},
	{"kiln: [", 4001, 0},
	{"kiln: 1\n\tx: 2\n", 4001, 0},
	{"kiln: 1\nkiln: 1\n", 4010, 2},
	{"\xff\xfe kiln: 1\n", 4003, 1},
	{"kiln: 1\nx: \"\xc3\x28\"\n", 4003, 2},
	{"a: &x 1\nb: *x\n", 4005, 1},
	{"a: &x [1]\nb: &y [*x, *x, *x]\nc: [*y, *y, *y]\n", 4005, 1},
	{"- 1\n- 2\n", 4006, 1},
	{"just words\n", 4006, 1},
	{"kiln: 2\nshaders: {}\npsos: {}\n", 4012, 1},
	{"kiln: one\nshaders: {}\npsos: {}\n", 4006, 1},
	{"shaders: {}\npsos: {}\n", 4011, 1},
	{"kiln: 1\npsos: {}\n", 4011, 1},
	{"kiln: 1\nshaders: {}\npsos: {}\ntextures: {}\n", 4009, 4},
	{"kiln: 1\nshaders:\n  vs: {file: nowhere.cso}\npsos: {}\n", 4013, 3},
	{"kiln: 1\nshaders:\n  vs: {path: vs.cso}\npsos: {}\n", 4009, 3},
	{"kiln: 1\nshaders: [vs]\npsos: {}\n", 4006, 2},
	{HEAD "psos:\n  p: {VS: vs, BlendStat: {}}\n", 4009, 5},
	{HEAD "psos:\n  p: {VS: ps}\n", 4013, 5},
	{HEAD "psos:\n  p: {PS: vs}\n", 4011, 5},
	{HEAD "psos:\n  p: {VS: vs, RTVFormats: [R8G8B8]}\n", 4008, 5},
	{HEAD "psos:\n  p: {VS: vs, RTVFormats: R8G8B8A8_UNORM}\n", 4006, 5},
	{HEAD "psos:\n  p: {VS: vs, RTVFormats: [R8_UNORM, R8_UNORM, R8_UNORM, R8_UNORM, R8_UNORM, R8_UNORM, R8_UNORM, "
		"R8_UNORM, R8_UNORM]}\n", 4007, 5},
	{HEAD "psos:\n  p:\n    VS: vs\n    RasterizerState: {CullMode: SIDEWAYS}\n", 4008, 7},
	{HEAD "psos:\n  p:\n    VS: vs\n    RasterizerState: {DepthClipEnable: 1}\n", 4006, 7},
	{HEAD "psos:\n  p:\n    VS: vs\n    RasterizerState: {DepthBias: 1e39}\n", 4007, 7},
	{HEAD "psos:\n  p:\n    VS: vs\n    SampleMask: 4294967296\n", 4007, 7},
	{HEAD "psos:\n  p:\n    VS: vs\n    SampleMask: 18446744073709551617\n", 4007, 7},
	{HEAD "psos:\n  p:\n    VS: vs\n    SampleMask: -1\n", 4007, 7},
	{HEAD "psos:\n  p:\n    VS: vs\n    SampleMask: 1.5\n", 4006, 7},
	{HEAD "psos:\n  p:\n    VS: vs\n    SampleMask: [1]\n", 4006, 7},
	{HEAD PSO "  d: {base: q}\n", 4013, 6},
	{HEAD "psos:\n  d: {base: d}\n", 4013, 5},
	{HEAD PSO "  d: {base: p, RTVFormats: []}\n", 4009, 6},
	{HEAD PSO "resources:\n  t: {Format: R8G8B8A8_UNORM, Width: -4, Height: 4}\n", 4007, 7},
	{HEAD PSO "resources:\n  t: {Format: R8G8B8A8_UNORM, Width: 99999999999, Height: 4}\n", 4007, 7},
	{HEAD PSO "resources:\n  t: {Format: R8G8B8A8_UNORM, Width: 4}\n", 4011, 7},
	{HEAD PSO "resources:\n  t: {Format: R8G8B8A8_UNORM, Width: 4294967295, Height: 4294967295}\n", 5011, 0},
	{HEAD PSO "resources:\n  b: {}\n", 4011, 7},
	{HEAD PSO "resources:\n  b: {size: 4294967295}\n", 4007, 7},
	{HEAD PSO "resources:\n  b: {type: uint8, values: [256]}\n", 4007, 7},
	{HEAD PSO "resources:\n  b: {values: [one]}\n", 4006, 7},
	{HEAD PSO "resources:\n  b: {values: 1}\n", 4006, 7},
	{HEAD PSO "resources:\n  b: {file: nowhere.bin}\n", 4013, 7},
	{HEAD PSO "resources:\n  b: {mesh: {shape: grid, part: vertices, columns: 1000000, rows: 1}}\n", 4007, 7},
	{HEAD PSO "resources:\n  b: {mesh: {shape: kettle, part: vertices}}\n", 4008, 7},
	{HEAD PSO "resources:\n  b: {mesh: {shape: teapot, part: vertices, columns: 65}}\n", 4007, 7},
	{HEAD PSO "resources:\n  b: {mesh: {part: vertices}}\n", 4011, 7},
	{HEAD PSO "resources:\n  b: {mesh: {file: x.obj, shape: cube, part: vertices}}\n", 4011, 7},
	{HEAD PSO "resources:\n  b: {mesh: {file: x.obj, rows: 3, part: vertices}}\n", 4009, 7},
	{HEAD PSO "resources:\n  b: {mesh: {file: nowhere.obj, part: vertices}}\n", 4013, 7},
	{"kiln: 1\n---\nkiln: 1\n", 4021, 2},
	{"kiln: 1\n...\n# more\nx: 1\n", 4021, 4},
	{"--- {kiln: 1}\n--- {kiln: 1}\n", 4021, 2},
	{WHOLE "commands:\n  - Draw: {}\n", 4009, 10},
	{WHOLE "commands:\n  - DrawInstanced: {Vertices: 3}\n", 4009, 10},
	{WHOLE "commands:\n  - SetPipelineState: q\n", 4013, 10},
	{WHOLE "commands:\n  - SetPipelineState: [p]\n", 4006, 10},
	{WHOLE "commands:\n  - OMSetRenderTargets: {RenderTargets: [b]}\n", 4013, 10},
	{WHOLE "commands:\n  - IASetIndexBuffer: {Buffer: t, Format: R16_UINT}\n", 4013, 10},
	{WHOLE "commands:\n  - ClearRenderTargetView: {RenderTarget: t, ColorRGBA: [1, 1]}\n", 4007, 10},
	{WHOLE "commands:\n  - RSSetScissorRects: {left: 0, top: 0, right: 4, bottom: 3000000000}\n", 4007, 10},
	{WHOLE "expect:\n  counters: {frames: 1}\n", 4008, 10},
	{WHOLE "expect:\n  pixels: [{target: t, at: [1]}]\n", 4007, 10},
	{WHOLE "expect:\n  pixels: [{target: u, at: [1, 1]}]\n", 4013, 0},
	{WHOLE "expect:\n  hash: [{target: t, md5: 0}]\n", 4009, 10},
};

static void expect_bad(const char *what, const char *verb, unsigned number, unsigned line)
{
	const char *args[ARGS_MAX] = {verb, "bad.yaml"};
	char code[32], place[32];
	struct result r = run(args);
	snprintf(code, sizeof code, "error %u ", number);
	snprintf(place, sizeof place, "bad.yaml:%u:", line);
	cr_expect_eq(r.code, 2, "kiln %s: exit %d\n%s\n%s", verb, r.code, what, r.err);
	cr_expect(strstr(r.err, code), "kiln %s: no %u\n%s\n%s", verb, number, what, r.err);
	cr_expect(!line || strstr(r.err, place), "kiln %s: not at line %u\n%s\n%s", verb, line, what, r.err);
	cr_expect(strstr(r.err, "remedy:"), "kiln %s: no remedy\n%s", verb, r.err);
	finish(&r);
}

static void put_shader(void)
{
	uint8_t *data;
	size_t size;
	struct kiln_diags *d = kiln_diags_create();
	cr_assert(file_read(CSO("vs_fullscreen"), 1 << 20, &data, &size, d));
	put_file("vs.cso", data, size);
	mem_free(data);
	kiln_diags_destroy(d);
}

Test(cli, bad_scenes)
{
	make_folder();
	put_shader();
	for (size_t i = 0; i < ARRAY_COUNT(bad_scenes); i++) {
		const struct bad_scene *b = &bad_scenes[i];
		put_file("bad.yaml", b->text, strlen(b->text));
		expect_bad(b->text, "run", b->number, b->line);
	}
	cr_expect_eq(files_in_folder("*"), 2, "a file was left behind");
	remove_folder();
}

/* ---- scenes of absurd size ---- */

static void put_repeated(const char *head, const char *unit, size_t count, const char *tail)
{
	struct buf b = {0};
	buf_printf(&b, "%s", head);
	for (size_t i = 0; i < count; i++)
		buf_put(&b, unit, strlen(unit));
	buf_printf(&b, "%s", tail);
	put_file("bad.yaml", b.data, b.size);
	buf_finish(&b);
}

Test(cli, absurd_scenes)
{
	static const struct { const char *head, *unit, *tail; size_t count; unsigned number; } rows[] = {
		{"a: ", "[", "", 1000000, 4004},
		{"a: ", "{a: ", "", 1000000, 4004},
		{"", "- ", "1\n", 1000000, 4004},
		{"", "? ", "1\n", 1000000, 4004},
		{"a: [b', ", "[", "", 1000000, 4004},
		{HEAD PSO "resources:\n  b: {values: [0", ",0", "]}\n", 65536, 4014},
	};
	make_folder();
	put_shader();
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		put_repeated(rows[i].head, rows[i].unit, rows[i].count, rows[i].tail);
		expect_bad(rows[i].head, "check", rows[i].number, 0);
	}
	struct buf b = {0};
	for (int i = 0; i < 3000; i++)
		buf_printf(&b, "%*sa:\n", i, "");
	put_file("bad.yaml", b.data, b.size);
	buf_finish(&b);
	expect_bad("3000 levels of block mappings", "check", 4004, 0);
	remove_folder();
}

/* ---- JSON ---- */

Test(cli, json_parses)
{
	static const struct { const char *args[ARGS_MAX]; int code; const char *key; } rows[] = {
		{{"info", "--json", CSO("vs_transform")}, 0, NULL},
		{{"compile", "--json", CSO("vs_transform"), CSO("gs_point_to_quad")}, 1, NULL},
		{{"disasm", "--json", CSO("ps_depth")}, 0, "text"},
		{{"run", "--json", SCENE("simple-triangle")}, 0, NULL},
		{{"check", "--json", SCENE("export-alpha-missing")}, 1, NULL},
		{{"docs", "--json", "formats"}, 0, "text"},
		{{"consoles", "--json", "xbox-one"}, 0, NULL},
		{{"run", "--json", "missing.yaml"}, 2, NULL},
		{{"info", "--json", "missing.cso"}, 2, NULL},
	};
	make_folder();
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct result r = run(rows[i].args);
		json_error_t error;
		json_t *j = json_loads(r.out, 0, &error);
		cr_expect_eq(r.code, rows[i].code, "kiln %s: exit %d\n%s", rows[i].args[0], r.code, r.err);
		cr_expect(j, "kiln %s --json: %s\n%s", rows[i].args[0], error.text, r.out);
		cr_expect(!rows[i].key || json_object_get(j, rows[i].key), "kiln %s --json: no '%s'", rows[i].args[0], rows[i].key);
		json_decref(j);
		finish(&r);
	}
	remove_folder();
}

/* ---- files: whole or not at all ---- */

Test(cli, files)
{
	static const struct { const char *args[ARGS_MAX]; int code; const char *file; bool made; } rows[] = {
		{{"compile", CSO("vs_transform"), "-o", "a.cso", "--strip"}, 0, "a.cso", true},
		{{"info", "a.cso"}, 0, "a.cso", true},
		{{"disasm", "a.cso", "-o", "a.txt"}, 0, "a.txt", true},
		{{"asm", "a.txt", "-o", "a.isa"}, 0, "a.isa", true},
		{{"disasm", "a.isa", "-o", "b.txt"}, 0, "b.txt", true},
		{{"compile", CSO("gs_point_to_quad"), "-o", "c.cso"}, 1, "c.cso", false},
		{{"compile", "a.txt", "-o", "d.cso"}, 2, "d.cso", false},
		{{"asm", "a.isa", "-o", "e.isa"}, 2, "e.isa", false},
		{{"disasm", "b.txt", "-o", "f.txt"}, 2, "f.txt", false},
		{{"run", "a.txt", "-o", "."}, 2, "a.png", false},
		{{"run", SCENE("simple-triangle"), "-o", "."}, 0, "simple-triangle.png", true},
		{{"disasm", "a.isa", "-o", "nowhere/x.txt"}, 2, "nowhere", false},
	};
	make_folder();
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct result r = run(rows[i].args);
		cr_expect_eq(r.code, rows[i].code, "kiln %s %s: exit %d\n%s", rows[i].args[0], rows[i].args[1], r.code, r.err);
		cr_expect_eq(access(rows[i].file, F_OK) == 0, rows[i].made, "kiln %s: %s", rows[i].args[0], rows[i].file);
		finish(&r);
	}
	uint8_t *a, *b;
	size_t a_size, b_size;
	struct kiln_diags *d = kiln_diags_create();
	cr_assert(file_read("a.txt", 1 << 20, &a, &a_size, d) && file_read("b.txt", 1 << 20, &b, &b_size, d));
	cr_expect(a_size == b_size && !memcmp(a, b, a_size), "text -> binary -> text differs");
	mem_free(a);
	mem_free(b);
	kiln_diags_destroy(d);
	cr_expect_eq(files_in_folder("*"), 5, "a temporary file was left behind");
	remove_folder();
}
