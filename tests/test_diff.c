/* kiln diff on pictures made here, with verdicts, pixels and ΔE worked out by hand (ΔE from the L*a*b* of the sRGB primaries
 * as published); damaged and absurd PNGs; and kiln run on folders with its JUnit report. */
#include "isa/base.h"
#include <criterion/criterion.h>
#include <fcntl.h>
#include <glob.h>
#include <jansson.h>
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGS_MAX = 8, SIDE = 4, PIXELS = SIDE * SIDE };
static char folder_path[4096];

/* ---- a folder of its own, and kiln run in it ---- */

static void make_folder(void)
{
	const char *base = getenv("TMPDIR");
	snprintf(folder_path, sizeof folder_path, "%s/kiln-test-diff-XXXXXX", base ? base : P_tmpdir);
	cr_assert_not_null(mkdtemp(folder_path));
	cr_assert_eq(chdir(folder_path), 0);
}

static void remove_folder(void)
{
	static const char *const patterns[] = {"scenes/*", "scenes", "empty", "*"};
	for (size_t i = 0; i < ARRAY_COUNT(patterns); i++) {
		glob_t g;
		if (!glob(patterns[i], 0, NULL, &g))
			for (size_t k = 0; k < g.gl_pathc; k++)
				remove(g.gl_pathv[k]);
		globfree(&g);
	}
	cr_expect_eq(chdir("/"), 0);
	cr_expect_eq(rmdir(folder_path), 0, "%s still holds something", folder_path);
}

static void put_file(const char *name, const void *data, size_t size)
{
	FILE *f = fopen(name, "wb");
	cr_assert(f && fwrite(data, 1, size, f) == size && !fclose(f));
}

static char *get_file(const char *name, size_t *size)
{
	uint8_t *data = NULL;
	struct kiln_diags *d = kiln_diags_create();
	cr_assert(file_read(name, 1 << 22, &data, size, d), "%s", name);
	kiln_diags_destroy(d);
	return (char *)data;
}

/* The exit code, 128 + signal where it died; streams go to the files "out" and "err". */
static int run(const char *const *args)
{
	char *argv[ARGS_MAX + 2] = {KILN_BINARY_DIR "/kiln"};
	int status = 0;
	for (size_t i = 0; i < ARGS_MAX && args[i]; i++)
		argv[i + 1] = mem_string(args[i]);
	pid_t child = fork();
	if (!child) {
		dup2(open("out", O_CREAT | O_TRUNC | O_WRONLY, 0600), 1);
		dup2(open("err", O_CREAT | O_TRUNC | O_WRONLY, 0600), 2);
		execv(argv[0], argv);
		_exit(127);
	}
	waitpid(child, &status, 0);
	for (size_t i = 1; argv[i]; i++)
		mem_free(argv[i]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#define RUN(...) run((const char *[ARGS_MAX + 1]){__VA_ARGS__})

static void expect_text(const char *file, const char *text)
{
	size_t size;
	char *found = get_file(file, &size);
	cr_expect(strstr(found, text), "no '%s' in\n%s", text, found);
	mem_free(found);
}

/* ---- pictures: 4 x 4 of one colour, two pixels of which may be set ---- */

struct spot { int x, y; uint8_t rgba[4]; };
static const struct picture {
	const char *name;
	int channels, width;
	uint8_t rgba[4];
	struct spot spots[2];
} pictures[] = {
	{"base.png", 3, 4, {100, 100, 100}, {{0}}},
	{"base4.png", 4, 4, {100, 100, 100, 255}, {{0}}},
	{"gray.png", 1, 4, {100}, {{0}}},
	{"wide.png", 3, 5, {100, 100, 100}, {{0}}},
	{"one.png", 3, 4, {100, 100, 100}, {{2, 1, {101, 100, 100}}}},
	{"far.png", 3, 4, {100, 100, 100}, {{2, 1, {140, 100, 100}}, {0, 3, {100, 99, 100}}}},
	{"alpha.png", 4, 4, {100, 100, 100, 255}, {{3, 3, {100, 100, 100, 254}}}},
	{"black.png", 3, 4, {0}, {{0}}},
	{"dark.png", 3, 4, {1, 1, 1}, {{0}}},
	{"white.png", 3, 4, {255, 255, 255}, {{0}}},
	{"red.png", 3, 4, {255, 0, 0}, {{0}}},
	{"green.png", 3, 4, {0, 255, 0}, {{0}}},
	{"blue.png", 3, 4, {0, 0, 255}, {{0}}},
};

static void make_pictures(void)
{
	make_folder();
	for (size_t i = 0; i < ARRAY_COUNT(pictures); i++) {
		const struct picture *p = &pictures[i];
		uint8_t bytes[5 * SIDE * 4];
		size_t n = (size_t)p->channels;
		for (int k = 0; k < p->width * SIDE; k++)
			memcpy(bytes + (size_t)k * n, p->rgba, n);
		for (size_t k = 0; k < 2 && memcmp(p->spots[k].rgba, "\0\0\0", 3); k++)
			memcpy(bytes + (size_t)(p->spots[k].y * p->width + p->spots[k].x) * n, p->spots[k].rgba, n);
		cr_assert(stbi_write_png(p->name, p->width, SIDE, p->channels, bytes, p->width * p->channels));
	}
}

/* ---- verdicts ---- */

Test(diff, verdicts)
{
	static const struct { const char *expected, *actual, *rule; int code; } rows[] = {
		{"base.png", "base.png", "exact", 0},
		{"base.png", "base4.png", "exact", 0},
		{"base.png", "gray.png", "exact", 0},
		{"base.png", "one.png", "exact", 1},
		{"base.png", "alpha.png", "exact", 1},
		{"base.png", "wide.png", "exact", 1},
		{"base.png", "wide.png", "percent=100", 1},
		{"base.png", "one.png", "ulp=0", 1},
		{"base.png", "one.png", "ulp=1", 0},
		{"base.png", "alpha.png", "ulp=1", 0},
		{"base.png", "far.png", "ulp=39", 1},
		{"base.png", "far.png", "ulp=40", 0},
		{"far.png", "base.png", "ulp=39", 1},
		{"black.png", "white.png", "ulp=254", 1},
		{"black.png", "white.png", "ulp=255", 0},
		{"base.png", "one.png", "percent=6.25", 0},      /* 1 of 16 */
		{"base.png", "one.png", "percent=6.249999", 1},
		{"base.png", "far.png", "percent=12.5", 0},      /* 2 of 16 */
		{"base.png", "far.png", "percent=12.499999", 1},
		{"base.png", "one.png", "percent=0", 1},
		{"black.png", "white.png", "percent=100", 0},
		{"base.png", "far.png", "fuzzy=40,12.5", 0},
		{"base.png", "far.png", "fuzzy=39,12.5", 1},
		{"base.png", "far.png", "fuzzy=40,12.4", 1},
		{"base.png", "base.png", "fuzzy=0,0", 0},
		{"black.png", "white.png", "de=100", 0},         /* L* 0 and 100 */
		{"black.png", "white.png", "de=99.9999", 1},
		{"red.png", "green.png", "de=170.6", 0},         /* 53.241 80.093 67.203 and 87.735 -86.183 83.179: 170.57 */
		{"red.png", "green.png", "de=170.5", 1},
		{"red.png", "blue.png", "de=176.4", 0},          /* 32.297 79.188 -107.860: 176.31 */
		{"red.png", "blue.png", "de=176.2", 1},
		{"black.png", "dark.png", "de=0.2743", 0},       /* the straight part: 903.3 / 255 / 12.92 = 0.27418 */
		{"black.png", "dark.png", "de=0.2741", 1},
		{"base.png", "alpha.png", "de=0.393", 0},        /* 100 / 255 = 0.39216 */
		{"base.png", "alpha.png", "de=0.392", 1},
		{"base.png", "base4.png", "de=0", 0},
	};
	static const char *const no_rules[] = {"", "psnr=3", "exact=1", "exact=", "ulp", "ulp=", "ulp=256", "ulp=1.5", "ulp=-1",
		"ulp=0x1", "ulp=1,2", "percent", "percent=100.1", "percent=nan", "percent=1.2.3", "fuzzy=1", "fuzzy=1,", "fuzzy=,1",
		"fuzzy=1,2,3", "fuzzy=256,1", "de=x", "de=1e3", "de=1001", "ul=1"};
	make_pictures();
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		cr_expect_eq(RUN("diff", rows[i].expected, rows[i].actual, "--rule", rows[i].rule), rows[i].code, "%s %s %s is not %d",
			rows[i].expected, rows[i].actual, rows[i].rule, rows[i].code);
	for (size_t i = 0; i < ARRAY_COUNT(no_rules); i++) {
		cr_expect_eq(RUN("diff", "base.png", "base.png", "--rule", no_rules[i]), 2, "'%s' is a rule", no_rules[i]);
		expect_text("err", "fuzzy=D,P");
	}
	cr_expect_eq(RUN("diff", "base.png"), 2);
	cr_expect_eq(RUN("diff", "base.png", "base.png", "base.png"), 2);
	cr_expect_eq(RUN("diff", "--help"), 0);
	remove_folder();
}

/* ---- what a failure says ---- */

static json_t *diff_json(const char *expected, const char *actual, const char *rule)
{
	size_t size;
	RUN("diff", "--json", expected, actual, "--rule", rule);
	char *text = get_file("out", &size);
	json_t *j = json_loads(text, 0, NULL);
	cr_assert(j, "no JSON:\n%s", text);
	mem_free(text);
	return j;
}

static json_int_t integer(const json_t *j, const char *key) { return json_integer_value(json_object_get(j, key)); }

/* Pixel i of the ramp is 1 + i codes off, in red; all the same distance between black and white. */
static void expect_worst(void)
{
	uint8_t ramp[PIXELS * 3] = {0};
	for (unsigned i = 0; i < PIXELS; i++)
		ramp[i * 3] = (uint8_t)(1 + i);
	cr_assert(stbi_write_png("ramp.png", SIDE, SIDE, 3, ramp, SIDE * 3));
	static const char *const actual[] = {"ramp.png", "white.png"};
	for (size_t k = 0; k < 2; k++) {
		json_t *j = diff_json("black.png", actual[k], "ulp=3"), *worst = json_object_get(j, "worst");
		cr_expect_eq(integer(j, "pixels"), 16);
		cr_expect_eq(integer(j, "differing"), 16);
		cr_expect_eq(integer(j, "beyond_limit"), k ? 16 : 13);
		cr_expect(json_is_false(json_object_get(j, "equal")));
		cr_expect_eq(json_array_size(worst), 8);
		for (int i = 0; i < 8; i++) {
			const json_t *p = json_array_get(worst, (size_t)i);
			int at = k ? i : 15 - i;
			cr_expect(integer(p, "x") == at % SIDE && integer(p, "y") == at / SIDE, "%s: worst %d", actual[k], i);
			cr_expect_eq(json_real_value(json_object_get(p, "difference")), k ? 255 : 16 - i);
		}
		json_decref(j);
	}
}

static void expect_heat_map(void)
{
	static const uint8_t spots[2][3] = {{255, 215, 0}, {255, 254, 0}}, rest[3] = {25, 25, 25};
	int width = 0, height = 0, channels = 0;
	size_t size;
	char *png = get_file("heat.png", &size);
	uint8_t *rgb = stbi_load_from_memory((const uint8_t *)png, (int)size, &width, &height, &channels, 3);
	cr_assert(rgb && width == SIDE && height == SIDE);
	for (unsigned i = 0; i < PIXELS; i++)
		cr_expect_arr_eq(rgb + i * 3, i == 6 ? spots[0] : i == 12 ? spots[1] : rest, 3, "heat map, pixel %u", i);
	stbi_image_free(rgb);
	mem_free(png);
}

Test(diff, failures_are_shown)
{
	make_pictures();
	cr_expect_eq(RUN("diff", "base.png", "far.png", "-o", "heat.png"), 1);
	expect_text("out", "differ by exact: 2 of 16 pixels differ, 2 beyond the limit\n"
		"  (2, 1): expected 64 64 64 FF (0.3922 0.3922 0.3922 1.0000), "
		"actual 8C 64 64 FF (0.5490 0.3922 0.3922 1.0000), 40 codes\n"
		"  (0, 3): expected 64 64 64 FF (0.3922 0.3922 0.3922 1.0000), actual 64 63 64 FF (0.3922 0.3882 0.3922 1.0000), 1 codes\n"
		"  wrote heat.png\n");
	expect_heat_map();
	cr_expect_eq(RUN("diff", "base.png", "wide.png", "-o", "no.png"), 1);
	expect_text("out", "differ in size: expected 4 x 4, actual 5 x 4");
	cr_expect_eq(RUN("diff", "base.png", "base4.png", "-o", "no.png"), 0);
	cr_expect_eq(RUN("diff", "base.png", "missing.png", "-o", "no.png"), 2);
	expect_text("err", "9001");
	cr_expect_neq(access("no.png", F_OK), 0, "a heat map where nothing was compared or all is equal");
	cr_expect_eq(RUN("diff", "base.png", "far.png", "-o", "nowhere/heat.png"), 2);
	expect_text("err", "9002");
	expect_worst();
	json_t *j = diff_json("base.png", "missing.png", "exact");
	cr_expect_eq(integer(json_array_get(json_object_get(j, "diagnostics"), 0), "number"), 9001);
	json_decref(j);
	remove_folder();
}

/* ---- bad PNGs ---- */

static void expect_bad(const char *what, unsigned number)
{
	char code[16];
	snprintf(code, sizeof code, "error %u ", number);
	cr_expect_eq(RUN("diff", "base.png", "bad.png"), 2, "%s", what);
	expect_text("err", code);
	expect_text("err", "remedy:");
}

/* Bit by bit, as ISO 3309 has it. */
static void put_chunk(struct buf *out, const char *type, const void *data, uint32_t size)
{
	uint32_t crc = UINT32_MAX;
	size_t start = out->size + 4;
	uint8_t word[4] = {(uint8_t)(size >> 24), (uint8_t)(size >> 16), (uint8_t)(size >> 8), (uint8_t)size};
	buf_put(out, word, 4);
	buf_put(out, type, 4);
	buf_put(out, data, size);
	for (size_t i = start * 8; i < out->size * 8; i++) {
		uint32_t bit = (crc ^ (uint32_t)out->data[i / 8] >> i % 8) & 1;
		crc = crc >> 1 ^ (bit ? 0xEDB88320 : 0);
	}
	crc = ~crc;
	memcpy(word, (uint8_t[]){(uint8_t)(crc >> 24), (uint8_t)(crc >> 16), (uint8_t)(crc >> 8), (uint8_t)crc}, 4);
	buf_put(out, word, 4);
}

static void put_png(uint32_t w, uint32_t h, uint8_t depth, uint8_t type, const char *pixels, uint32_t size)
{
	struct buf png = {0};
	const uint8_t header[13] = {(uint8_t)(w >> 24), (uint8_t)(w >> 16), (uint8_t)(w >> 8), (uint8_t)w, (uint8_t)(h >> 24),
		(uint8_t)(h >> 16), (uint8_t)(h >> 8), (uint8_t)h, depth, type};
	buf_put(&png, "\x89PNG\r\n\x1a\n", 8);
	put_chunk(&png, "IHDR", header, 13);
	put_chunk(&png, "IDAT", pixels, size);
	put_chunk(&png, "IEND", "", 0);
	put_file("bad.png", png.data, png.size);
	buf_finish(&png);
}

Test(diff, bad_pictures)
{
	static const struct { uint32_t w, h; uint8_t depth, type; unsigned number; } headers[] = {
		{0, 4, 8, 2, 4018}, {4, 0, 8, 2, 4018}, {4, 4, 8, 7, 4018}, {4, 4, 8, 2, 4018},
		{UINT32_MAX, UINT32_MAX, 8, 6, 4019}, {0x7FFFFFFF, 1, 8, 2, 4019}, {1, 16385, 8, 2, 4019}, {16384, 16384, 8, 6, 4019},
		{4, 4, 16, 2, 4020}, {4, 4, 8, 3, 4020}, {4, 4, 1, 0, 4020}, {4, 4, 255, 0, 4020},
	};
	size_t size;
	make_pictures();
	char *good = get_file("far.png", &size);
	for (size_t i = 0; i < size; i += i < 48 ? 1 : 7) {
		put_file("bad.png", good, i);
		expect_bad("cut", 4018);
		good[i] ^= 0x10;
		put_file("bad.png", good, size);
		cr_expect_eq(RUN("diff", "base.png", "bad.png"), 2, "byte %zu changed", i);
		good[i] ^= 0x10;
	}
	mem_free(good);
	put_file("bad.png", "P6 4 4 255\n", 11);
	expect_bad("PPM", 4018);
	for (size_t i = 0; i < ARRAY_COUNT(headers); i++) {
		put_png(headers[i].w, headers[i].h, headers[i].depth, headers[i].type, "no zlib stream", 14);
		expect_bad("absurd header", headers[i].number);
	}
	/* 1 x 1 gray, one stored block of two bytes: right, then without its pixel */
	put_png(1, 1, 8, 0, "\x78\x01\x01\x02\x00\xfd\xff\x00\x64\x00\x65\x00\x65", 13);
	cr_expect_eq(RUN("diff", "bad.png", "bad.png"), 0);
	put_png(1, 1, 8, 0, "\x78\x01\x01\x01\x00\xfe\xff\x00\x00\x01\x00\x01", 12);
	expect_bad("pixels missing", 4018);
	remove_folder();
}

/* ---- kiln run FOLDER --junit ---- */

static size_t count_of(const char *text, const char *word)
{
	size_t n = 0;
	for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
		n++;
	return n;
}

Test(folders, scenes_run_by_name)
{
	glob_t g;
	size_t size, again;
	char head[128], *last = NULL;
	make_folder();
	cr_assert_eq(glob(KILN_SOURCE_DIR "/scenes/*.yaml", 0, NULL, &g), 0);
	cr_expect_eq(RUN("run", KILN_SOURCE_DIR "/scenes", "--junit", "a.xml"), 0);
	cr_expect_eq(RUN("run", KILN_SOURCE_DIR "/scenes/", "--json", "--junit", "b.xml"), 0);
	char *a = get_file("a.xml", &size), *b = get_file("b.xml", &again);
	cr_expect(size == again && !memcmp(a, b, size), "two runs, two reports");
	snprintf(head, sizeof head, "<testsuite name=\"kiln run\" tests=\"%zu\" failures=\"0\">", g.gl_pathc);
	cr_expect(strstr(a, head), "no %s in\n%s", head, a);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		char *at = strstr(a, g.gl_pathv[i]);
		cr_expect(at && at > last, "%s is not in its place", g.gl_pathv[i]);
		last = at;
	}
	globfree(&g);
	mem_free(a);
	mem_free(b);
	remove_folder();
}

Test(folders, failures_are_reported)
{
	static const char broken[] = "kiln: 1\nshaders: {<a>&\"\x01\xff: 1}\n";
	size_t size;
	make_folder();
	cr_assert(!mkdir("scenes", 0700) && !mkdir("empty", 0700));
	put_file("scenes/b&\"<.yaml", broken, sizeof broken - 1);
	put_file("scenes/a.yaml", "kiln: 2\n", 8);
	put_file("scenes/Z.yaml", "x: <&>\n", 7);
	put_file("scenes/notes.txt", "no scene", 8);
	put_file("scenes/.hidden.yaml", "no scene", 8);
	cr_expect_eq(RUN("run", "scenes", "empty", "--junit", "out.xml"), 2);
	char *xml = get_file("out.xml", &size);
	const char *z = strstr(xml, "name=\"scenes/Z.yaml\""), *a = strstr(xml, "name=\"scenes/a.yaml\""),
			   *b = strstr(xml, "name=\"scenes/b&amp;&quot;&lt;.yaml\"");
	cr_expect(z && a && b && z < a && a < b, "names:\n%s", xml);
	cr_expect(strstr(xml, "tests=\"4\" failures=\"4\""), "%s", xml);
	cr_expect(strstr(xml, "&lt;&amp;&gt;") && strstr(xml, "error 4017 "), "%s", xml);
	cr_expect(!strchr(xml, 1) && !strchr(xml, 0xFF), "bytes that XML has no place for:\n%s", xml);
	cr_expect_eq(count_of(xml, "<"), 1 + 2 + 4 * 4, "%s", xml);
	cr_expect_eq(count_of(xml, "<failure message=\"did not run\">"), 4);
	mem_free(xml);
	cr_expect_eq(unlink("scenes/.hidden.yaml"), 0);
	cr_expect_eq(RUN("run", "-i", "--unexported-pattern", "0x3f800000", KILN_SOURCE_DIR "/scenes", "--junit", "out.xml"), 1);
	expect_text("out.xml", "<failure message=\"failed\">");
	expect_text("out.xml", "error 4015 ");
	cr_expect_eq(RUN("run", KILN_SOURCE_DIR "/scenes", "--junit", "nowhere/out.xml"), 2);
	expect_text("err", "9002");
	remove_folder();
}
