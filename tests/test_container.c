/* Containers, signatures and PSV0 of the 67 corpus shaders, against DXC's own text dumps of them and against plain MD5;
 * rewriting of containers. */
#include "frontend/frontend.h"
#include "tests/corpus.h"
#include <criterion/criterion.h>
#include <nettle/md5.h>

static struct fe_container parse(const struct corpus_file *f)
{
	struct kiln_diags *diags = kiln_diags_create();
	struct fe_container c;
	cr_assert(fe_container_parse(f->data, f->size, f->name, &c, diags), "%s", f->name);
	cr_expect_eq(kiln_diags_count(diags), 0, "%s", f->name);
	kiln_diags_destroy(diags);
	return c;
}

static const struct fe_part *part(const struct fe_container *c, const char *name)
{
	return fe_container_find(c, FE_FOURCC(name[0], name[1], name[2], name[3]));
}

/* ---- digest, HASH, program header ---- */

static void check_bytes(const struct corpus_file *f, void *user)
{
	size_t *long_tails = user;
	*long_tails += (f->size - 20) % 64 >= 56;
	struct fe_container c = parse(f);
	struct kiln_diags *diags = kiln_diags_create();
	struct fe_bitcode program, reflection;
	struct fe_hash hash;
	uint64_t features;
	cr_assert(part(&c, "DXIL") && part(&c, "STAT") && part(&c, "HASH") && part(&c, "SFI0"), "%s", f->name);
	cr_assert(fe_bitcode_find(part(&c, "DXIL"), f->name, &program, diags), "%s", f->name);
	cr_assert(fe_bitcode_find(part(&c, "STAT"), f->name, &reflection, diags), "%s", f->name);
	cr_assert(fe_hash_parse(part(&c, "HASH"), f->name, &hash, diags), "%s", f->name);
	cr_assert(fe_features_parse(part(&c, "SFI0"), f->name, &features, diags), "%s", f->name);

	struct md5_ctx md5;
	uint8_t digest[16];
	char text[64] = "; shader hash: ";
	md5_init(&md5);
	md5_update(&md5, program.size, program.data);
	md5_digest(&md5, sizeof digest, digest);
	cr_expect_arr_eq(hash.digest, digest, 16, "%s: HASH is no MD5 of the bitcode", f->name);
	cr_expect_not(hash.includes_source, "%s", f->name);
	for (int i = 0; i < 16; i++)
		sprintf(text + strlen(text), "%02x", hash.digest[i]);
	cr_expect(strstr(f->dump, text), "%s: the dump has not '%s'", f->name, text);

	static const char *const kinds[] = {[0] = "ps", "vs", "gs", "hs", "ds", "cs", [13] = "ms", "as"};
	cr_assert(program.kind < ARRAY_COUNT(kinds) && kinds[program.kind], "%s: kind %u", f->name, program.kind);
	snprintf(text, sizeof text, "!{!\"%s\", i32 %u, i32 %u}", kinds[program.kind], program.major, program.minor);
	cr_expect(strstr(f->dump, text), "%s: the dump has not '%s'", f->name, text);
	cr_expect_eq(program.kind, reflection.kind, "%s", f->name);

	/* feature bits by DXC's words for them (facts 8.1) */
	static const struct { uint64_t bit; const char *words; } names[] = {
		{0x1, "Double-precision floating point"}, {0x10, "Minimum-precision data types"}, {0x4000, "Wave level operations"},
		{0x8000, "64-Bit integer"}, {0x20000, "Barycentrics"}, {0x40000, "Use native low precision"},
		{0x2000000, "Resource descriptor heap indexing"}, {0x4000000, "Sampler descriptor heap indexing"},
	};
	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		cr_expect_eq(!!(features & names[i].bit), !!strstr(f->dump, names[i].words), "%s: %s", f->name, names[i].words);
	cr_expect_eq(kiln_diags_count(diags), 0, "%s", f->name);
	kiln_diags_destroy(diags);
}

Test(container, digest_hash_and_header)
{
	size_t long_tails = 0; /* both paddings of the digest occur */
	cr_expect_eq(corpus_each(check_bytes, &long_tails), CORPUS_COUNT);
	cr_expect(long_tails > 0 && long_tails < CORPUS_COUNT, "%zu", long_tails);
}

/* ---- signatures against the dumps' tables ---- */

static const char *next_line(const char *s)
{
	s = strchr(s, '\n');
	return s ? s + 1 : NULL;
}

static unsigned mask_of(const char *letters)
{
	unsigned mask = 0;
	for (; *letters; letters++)
		for (unsigned i = 0; i < 4; i++)
			mask |= *letters == "xyzw"[i] ? 1u << i : 0;
	return mask;
}

static uint32_t look_up(const char *word, const char *const *words, size_t count, const char *file)
{
	for (size_t i = 0; i < count; i++)
		if (words[i] && strcmp(word, words[i]) == 0)
			return (uint32_t)i;
	cr_assert_fail("%s: the test does not know '%s'", file, word);
	return UINT32_MAX;
}

/* One row: "; NAME  index  mask register sysvalue format used". */
static void check_row(const char *row, const struct fe_signature_element *e, bool input, const char *file)
{
	static const char *const formats[] = {"unknown", "uint", "int", "float", "uint16", "int16", "fp16"};
	static const char *const values[] = {[0] = "NONE", "POS", "CLIPDST", "CULLDST", "RTINDEX", "VPINDEX", "VERTID", "PRIMID",
		"INSTID", "FFACE", "SAMPLE", "QUADEDGE", "QUADINT", [23] = "BARYCEN", [64] = "TARGET", "DEPTH", "COVERAGE", "DEPTHGE",
		"DEPTHLE", "STENCILREF", "INNERCOV"};
	char line[128], name[64], mask[16], reg[16], value[16], format[16];
	unsigned index;
	int used = 0;
	snprintf(line, sizeof line, "%.*s", (int)strcspn(row, "\n"), row);
	char *glued = strstr(line, "oStencilRefSTENCILREF"); /* two columns without a blank, a slip of DXC's */
	if (glued)
		memcpy(glued, "oStencil   STENCILREF", 21);
	cr_assert_eq(sscanf(line, "; %63s %u %15s %15s %15s %15s%n", name, &index, mask, reg, value, format, &used), 6, "%s",
		line);
	cr_expect_str_eq(e->name, name, "%s: %s", file, name);
	cr_expect_eq(e->index, index, "%s: %s", file, name);
	cr_expect_eq(e->system_value, look_up(value, values, ARRAY_COUNT(values), file), "%s: %s", file, name);
	cr_expect_eq(e->type, look_up(format, formats, ARRAY_COUNT(formats), file), "%s: %s", file, name);
	if (strcmp(mask, "N/A") == 0) { /* depth, coverage and others without a register */
		cr_expect_eq(e->reg, UINT32_MAX, "%s: %s", file, name);
		return;
	}
	cr_expect_eq(e->mask, mask_of(mask), "%s: %s", file, name);
	cr_expect_eq(e->reg, (uint32_t)atoi(reg), "%s: %s", file, name);
	/* inputs: always reads; outputs and patch constants: never writes */
	cr_expect_eq(input ? e->rw_mask : 15u & ~e->rw_mask, mask_of(line + used), "%s: %s", file, line);
}

static size_t check_table(const struct corpus_file *f, const struct fe_part *p, const char *title, bool input)
{
	struct kiln_diags *diags = kiln_diags_create();
	struct fe_signature s;
	const char *line = strstr(f->dump, title);
	cr_assert(p && fe_signature_parse(p, f->name, &s, diags) && line, "%s: %s", f->name, title);
	size_t rows = 0;
	for (int i = 0; i < 4; i++) /* title, empty, names, rule */
		line = next_line(line);
	for (; line && line[0] == ';' && line[1] == ' ' && strncmp(line, "; no parameters", 15) != 0 &&
		strncmp(line, "; shader hash", 13) != 0; line = next_line(line), rows++) {
		cr_assert_lt(rows, s.count, "%s: %s has more rows", f->name, title);
		check_row(line, &s.elements[rows], input, f->name);
	}
	cr_expect_eq(rows, s.count, "%s: %s", f->name, title);
	kiln_diags_destroy(diags);
	return rows;
}

static void check_signatures(const struct corpus_file *f, void *user)
{
	struct fe_container c = parse(f);
	size_t *rows = user;
	*rows += check_table(f, part(&c, "ISG1"), "; Input signature:", true);
	*rows += check_table(f, part(&c, "OSG1"), "; Output signature:", false);
	bool patch = strstr(f->dump, "; Patch Constant signature:") != NULL;
	cr_expect_eq(patch, part(&c, "PSG1") != NULL, "%s", f->name);
	if (patch)
		*rows += check_table(f, part(&c, "PSG1"), "; Patch Constant signature:", false);
}

Test(container, signatures_as_dxc_prints_them)
{
	size_t rows = 0;
	cr_expect_eq(corpus_each(check_signatures, &rows), CORPUS_COUNT);
	cr_expect_eq(rows, 201, "%zu rows", rows); /* counted in the dumps */
}

/* ---- PSV0 against the dumps ---- */

static bool number_after(const char *text, const char *key, unsigned long *value)
{
	const char *at = strstr(text, key);
	if (at)
		*value = strtoul(at + strlen(key), NULL, 10);
	return at != NULL;
}

/* Rows of "; Resource Bindings:": name, type, format, dimension, id, bind (t3,space1 or t0unbounded), count. */
static void check_bindings(const struct corpus_file *f, const struct fe_psv *psv)
{
	const char *line = strstr(f->dump, "; Resource Bindings:");
	size_t rows = 0;
	for (int i = 0; i < 4; i++)
		line = next_line(line);
	for (; line && line[0] == ';' && line[1] == ' '; line = next_line(line), rows++) {
		char type[16], format[16], bind[64];
		unsigned count = 1, space = 0;
		cr_assert_geq(sscanf(line, "; %*s %15s %15s %*s %*s %63s %u", type, format, bind, &count), 3, "%s", line);
		bool structured = strcmp(format, "struct") == 0, raw = strcmp(format, "byte") == 0;
		uint32_t want = type[0] == 'c' ? 2 : type[0] == 's' ? 1 : (type[0] == 't' ? 3 : 6) + (raw ? 1 : structured ? 2 : 0);
		unsigned lower = (unsigned)strtoul(bind + strcspn(bind, "0123456789"), NULL, 10);
		if (strstr(bind, "space"))
			space = (unsigned)strtoul(strstr(bind, "space") + 5, NULL, 10);
		unsigned upper = strstr(bind, "unbounded") ? UINT32_MAX : lower + count - 1;
		cr_assert_lt(rows, psv->resource_count, "%s", f->name);
		const struct fe_psv_resource *r = &psv->resources[rows];
		cr_expect_eq(r->type, want, "%s: %.*s", f->name, 90, line);
		cr_expect_eq(r->space, space, "%s: %.*s", f->name, 90, line);
		cr_expect_eq(r->lower, lower, "%s: %.*s", f->name, 90, line);
		cr_expect_eq(r->upper, upper, "%s: %.*s", f->name, 90, line);
	}
	cr_expect_eq(rows, psv->resource_count, "%s: bindings", f->name);
}

static void check_psv(const struct corpus_file *f, void *user)
{
	(void)user;
	struct fe_container c = parse(f);
	struct kiln_diags *diags = kiln_diags_create();
	struct fe_psv psv;
	cr_assert(part(&c, "PSV0") && fe_psv_parse(part(&c, "PSV0"), f->name, &psv, diags), "%s: %s", f->name,
		kiln_diags_count(diags) ? kiln_diags_get(diags, 0)->text : "");
	static const struct { uint32_t stage; const char *words; } stages[] = {
		{ISA_PIXEL, "; Pixel Shader"}, {ISA_VERTEX, "; Vertex Shader"}, {ISA_GEOMETRY, "; Geometry Shader"},
		{ISA_HULL, "; Hull Shader"}, {ISA_DOMAIN, "; Domain Shader"}, {ISA_COMPUTE, "; Compute Shader"},
		{ISA_MESH, "; Mesh Shader"}, {ISA_AMPLIFICATION, "; Amplification Shader"},
	};
	for (size_t i = 0; i < ARRAY_COUNT(stages); i++)
		cr_expect_eq(psv.stage == stages[i].stage, !!strstr(f->dump, stages[i].words), "%s: %s", f->name, stages[i].words);
	const struct { const char *key; unsigned long got; } numbers[] = {
		{"; MinimumExpectedWaveLaneCount: ", psv.min_wave}, {"; MaximumExpectedWaveLaneCount: ", psv.max_wave},
		{"; SigInputElements: ", psv.input_count}, {"; SigOutputElements: ", psv.output_count},
		{"; SigPatchConstOrPrimElements: ", psv.patch_count}, {"; SigInputVectors: ", psv.raw[31]},
		{"; SigOutputVectors[0]: ", psv.raw[32]}, {"; SigOutputVectors[1]: ", psv.raw[33]},
	};
	for (size_t i = 0; i < ARRAY_COUNT(numbers); i++) {
		unsigned long want;
		cr_assert(number_after(f->dump, numbers[i].key, &want), "%s: %s", f->name, numbers[i].key);
		cr_expect_eq(numbers[i].got, want, "%s: %s%lu", f->name, numbers[i].key, want);
	}
	char entry[64];
	snprintf(entry, sizeof entry, "; EntryFunctionName: %s\n", psv.entry);
	cr_expect(strstr(f->dump, entry), "%s: %s", f->name, entry);
	const char *threads = strstr(f->dump, "; NumThreads=(");
	if (threads) {
		unsigned x, y, z;
		cr_assert_eq(sscanf(threads, "; NumThreads=(%u,%u,%u)", &x, &y, &z), 3);
		cr_expect(psv.threads[0] == x && psv.threads[1] == y && psv.threads[2] == z, "%s: threads", f->name);
	}
	check_bindings(f, &psv);
	cr_expect_eq(kiln_diags_count(diags), 0, "%s", f->name);
	kiln_diags_destroy(diags);
}

Test(container, psv_as_dxc_prints_it)
{
	cr_expect_eq(corpus_each(check_psv, NULL), CORPUS_COUNT);
}

/* PSV0 of the corpus ends where the reader's arithmetic says: one byte less is refused wherever there are tables. */
static void check_psv_end(const struct corpus_file *f, void *user)
{
	(void)user;
	struct fe_container c = parse(f);
	struct kiln_diags *diags = kiln_diags_create();
	struct fe_part p = *part(&c, "PSV0");
	struct fe_psv psv;
	p.size--;
	cr_expect_not(fe_psv_parse(&p, f->name, &psv, diags), "%s: PSV0 has bytes that nobody reads", f->name);
	cr_expect(kiln_diags_has(diags, DIAG_CONTAINER_PART), "%s", f->name);
	kiln_diags_destroy(diags);
}

Test(container, psv_is_read_to_its_end)
{
	cr_expect_eq(corpus_each(check_psv_end, NULL), CORPUS_COUNT);
}

/* ---- writing ---- */

static void check_rewrite(const struct corpus_file *f, void *user)
{
	(void)user;
	struct fe_container c = parse(f), with, without;
	struct kiln_diags *diags = kiln_diags_create();
	struct buf longer = {0}, back = {0};
	static const uint8_t data[] = {1, 2, 3, 4, 5};
	const uint32_t fourcc = FE_ISA_PART;
	cr_assert(fe_container_with_part(&c, fourcc, data, sizeof data, &longer), "%s", f->name);
	cr_assert(fe_container_parse(longer.data, longer.size, f->name, &with, diags), "%s", f->name);
	const struct fe_part *p = fe_container_find(&with, fourcc);
	cr_assert(p && p->size == sizeof data && memcmp(p->data, data, sizeof data) == 0, "%s", f->name);
	cr_expect_eq(with.part_count, c.part_count + 1, "%s", f->name);
	/* taken out again, DXC's own bytes are left: layout and digest are those that DXC writes */
	cr_assert(fe_container_with_part(&with, fourcc, NULL, 0, &back), "%s", f->name);
	cr_assert(fe_container_parse(back.data, back.size, f->name, &without, diags), "%s", f->name);
	cr_expect(back.size == f->size && memcmp(back.data, f->data, f->size) == 0, "%s", f->name);
	buf_finish(&longer);
	buf_finish(&back);
	kiln_diags_destroy(diags);
}

Test(container, a_part_added_and_removed)
{
	cr_expect_eq(corpus_each(check_rewrite, NULL), CORPUS_COUNT);
}

/* PRIV has any length and stays last; what cannot be written leaves nothing. */
Test(container, private_part_and_limits)
{
	const struct fe_container none = {0};
	struct fe_container c;
	struct kiln_diags *diags = kiln_diags_create();
	struct buf one = {0}, two = {0};
	cr_assert(fe_container_with_part(&none, FE_FOURCC('P', 'R', 'I', 'V'), "12345", 5, &one));
	cr_assert(fe_container_parse(one.data, one.size, "one", &c, diags));
	cr_assert(fe_container_with_part(&c, FE_ISA_PART, "123456", 6, &two));
	cr_assert(fe_container_parse(two.data, two.size, "two", &c, diags));
	cr_assert_eq(c.part_count, 2);
	cr_expect(c.parts[0].fourcc == FE_ISA_PART && c.parts[0].size == 6 && memcmp(c.parts[0].data, "123456", 6) == 0);
	cr_expect(c.parts[1].size == 5 && memcmp(c.parts[1].data, "12345", 5) == 0);
	buf_finish(&one);
	buf_finish(&two);

	struct fe_container full = {.part_count = FE_PARTS_MAX};
	for (uint32_t i = 0; i < FE_PARTS_MAX; i++)
		full.parts[i] = (struct fe_part){.fourcc = FE_FOURCC('P', '0' + i / 10, '0' + i % 10, '_'),
			.data = (const uint8_t *)"data", .size = 4};
	cr_expect_not(fe_container_with_part(&full, FE_ISA_PART, "1234", 4, &one));
	cr_expect_eq(one.size, 0);
	cr_expect(fe_container_with_part(&full, full.parts[7].fourcc, "1234", 4, &one)); /* replaced: still 64 */
	cr_expect(fe_container_parse(one.data, one.size, "full", &c, diags));
	cr_expect_eq(c.part_count, FE_PARTS_MAX);
	buf_finish(&one);
	kiln_diags_destroy(diags);
}
