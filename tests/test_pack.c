/* Packs: equal sections once, the same bytes in any order, what comes out is what went in, damage of any kind is a
 * diagnostic. The last tests go through the public API and the program; they need no LLVM either. */
#include "pso/pack.h"
#include "sim/sim.h"
#include "tests/pso_rig.h"
#include <fcntl.h>
#include <kiln/pack.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zlib.h>

enum { HEADER = 40, CHUNK = 24, ENTRY = 16, REFERENCE = 8, SET = 6 };

static void put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static uint32_t get32(const uint8_t *p) { return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24; }

/* ---- a small title: two bases of one pair of programs, two of another target, two derived ---- */

struct title {
	struct setup s;
	struct pipeline *psos[SET];
	char names[SET][16];
};

static struct pipeline *derive_raster(struct pipeline *base, uint32_t cull, struct kiln_diags *d)
{
	struct kiln_rasterizer_desc raster = base->desc.RasterizerState;
	raster.CullMode = cull;
	return pipeline_derive(base, "derived", &(struct kiln_derived_pipeline_desc){.RasterizerState = &raster}, NULL, d);
}

static void open_title(struct title *t)
{
	static const uint32_t formats[] = {KILN_FORMAT_R8G8B8A8_UNORM, KILN_FORMAT_R8G8B8A8_UNORM, KILN_FORMAT_R32G32B32A32_FLOAT,
		KILN_FORMAT_R16G16B16A16_UNORM};
	begin(&t->s);
	for (unsigned i = 0; i < SET; i++) {
		snprintf(t->names[i], sizeof t->names[i], "t/pso%u", i);
		if (i < ARRAY_COUNT(formats)) {
			t->s.d.RTVFormats[0] = formats[i];
			t->s.d.DepthStencilState.StencilReadMask = 255 - i; /* so that 0 and 1 differ */
			t->psos[i] = create(&t->s);
		} else {
			t->psos[i] = derive_raster(t->psos[i - ARRAY_COUNT(formats)], KILN_CULL_NONE, t->s.diags);
		}
		cr_assert(t->psos[i], "%s", all_text(t->s.diags));
	}
}

static void close_title(struct title *t)
{
	for (unsigned i = SET; i-- > 0;)
		pipeline_release(t->psos[i]);
	end(&t->s);
}

static bool add(struct pack_writer *w, const struct title *t, unsigned i, const char *name, struct kiln_diags *d)
{
	const struct pso_serialize_options o = {.base_name = i < 4 ? NULL : t->names[i - 4]};
	struct pso_bytes b;
	cr_assert(pso_bytes_make(t->psos[i], &o, &b, d));
	bool ok = pack_add(w, &(struct pack_entry){name, i < 4 ? PACK_BASE : PACK_DERIVED, b.image}, d);
	pso_bytes_finish(&b);
	return ok;
}

static void add_shader(struct pack_writer *w, const struct isa_program *p, const char *name, struct kiln_diags *d)
{
	struct pack_shader_bytes b;
	pack_shader_make(p, 0, false, &b);
	cr_assert(pack_add(w, &(struct pack_entry){name, PACK_SHADER, b.image}, d));
	pack_shader_finish(&b);
}

static struct buf pack_title(const struct title *t, const unsigned *order, bool zstd, struct kiln_diags *d)
{
	struct pack_writer *w = pack_writer_create();
	struct buf out = {0};
	for (unsigned i = 0; i < SET; i++)
		cr_assert(add(w, t, order[i], t->names[order[i]], d), "%s", all_text(d));
	add_shader(w, t->s.vs, "shader/vs", d);
	cr_assert(pack_encode(w, zstd, &out, d), "%s", all_text(d));
	pack_writer_destroy(w);
	return out;
}

static bool same_code(const struct isa_program *a, const struct isa_program *b)
{
	struct buf x = {0}, y = {0};
	isa_program_encode(a, &x);
	isa_program_encode(b, &y);
	bool same = x.size == y.size && !memcmp(x.data, y.data, x.size);
	buf_finish(&x);
	buf_finish(&y);
	return same;
}

static bool same_pso(const struct pipeline *a, const struct pipeline *b)
{
	struct buf x = {0}, y = {0};
	graphics_desc_write(&a->desc, &x);
	graphics_desc_write(&b->desc, &y);
	bool same = x.size == y.size && !memcmp(x.data, y.data, x.size) && same_code(a->vs, b->vs) && same_code(a->ps, b->ps);
	buf_finish(&x);
	buf_finish(&y);
	return same;
}

static const unsigned forward[SET] = {0, 1, 2, 3, 4, 5}, shuffled[SET] = {5, 3, 0, 4, 2, 1};

Test(pack, what_goes_in_comes_out)
{
	struct title t;
	open_title(&t);
	for (unsigned zstd = 0; zstd < 2; zstd++) {
		struct buf a = pack_title(&t, forward, zstd, t.s.diags), b = pack_title(&t, shuffled, zstd, t.s.diags);
		cr_expect(a.size == b.size && !memcmp(a.data, b.data, a.size), "the same set in another order");
		struct pack *p = pack_open_bytes(a.data, a.size, "pack", t.s.diags);
		cr_assert(p, "%s", all_text(t.s.diags));
		cr_expect_eq(pack_count(p), SET + 1);
		cr_expect_str_eq(pack_name(p, 0), "shader/vs");
		for (unsigned i = 0; i < SET; i++) {
			size_t at = pack_find(p, t.names[i]);
			cr_assert_neq(at, SIZE_MAX);
			struct pipeline *q = pack_load(p, at, NULL, NULL, t.s.diags);
			cr_assert(q, "%s%s", t.names[i], all_text(t.s.diags));
			cr_expect(same_pso(t.psos[i], q) && !strcmp(q->name, t.names[i]) && q->deserialized, "%s", t.names[i]);
			pipeline_release(q);
		}
		struct pack_entry e;
		cr_assert(pack_get(p, 0, &e, t.s.diags));
		cr_expect(zstd || (e.image.section[PSO_VS].data > a.data && e.image.section[PSO_VS].data < a.data + a.size), "in place");
		struct isa_program *vs = pack_shader_program(&e.image, e.name, t.s.diags);
		cr_expect(vs && same_code(vs, t.s.vs));
		isa_program_destroy(vs);
		cr_expect(pack_find(p, "t/pso") == SIZE_MAX && pack_find(p, "") == SIZE_MAX && pack_find(p, "z") == SIZE_MAX);
		cr_expect_null(pack_load(p, 0, NULL, NULL, t.s.diags)); /* a shader */
		pack_close(p);
		buf_finish(&a);
		buf_finish(&b);
	}
	close_title(&t);
}

/* By hand: four bases and a shader share one vertex and one pixel program; their root signature is the default one. */
Test(pack, equal_sections_once)
{
	struct title t;
	struct pack_stats s;
	open_title(&t);
	struct buf a = pack_title(&t, forward, false, t.s.diags), z = pack_title(&t, forward, true, t.s.diags);
	struct pack *p = pack_open_bytes(a.data, a.size, "pack", t.s.diags);
	cr_assert(p);
	pack_stats(p, &s);
	const struct { int section; uint64_t count, unique; } rows[] = {
		{PSO_VS, 5, 1}, {PSO_PS, 4, 1}, {PSO_VS_DEBUG, 5, 1}, {PSO_PS_DEBUG, 4, 1}, {PSO_LAYOUT, 4, 1}, {PSO_GEOMETRY, 4, 1},
		{PSO_BLEND, 6, 1}, {PSO_RASTER, 6, 2}, {PSO_DEPTH, 6, 4}, {PSO_TARGETS, 4, 3}, {PSO_METADATA, 6, 6}, {PSO_BASE, 2, 2},
		{PSO_EXECUTION, 6, 1}, {PSO_HARDWARE, 4, 3}, {PSO_ROOT, 0, 0}, {PSO_NAME, 0, 0},
	};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		const struct pack_kind_stats *k = &s.section[rows[i].section];
		cr_expect(k->count == rows[i].count && k->unique == rows[i].unique, "%s: %llu, %llu once",
			pso_section_names[rows[i].section], (unsigned long long)k->count, (unsigned long long)k->unique);
		cr_expect(k->bytes >= k->unique_bytes && k->unique_bytes == k->stored_bytes);
	}
	cr_expect(s.section[PSO_VS].bytes == 5 * s.section[PSO_VS].unique_bytes);
	cr_expect(s.entries[PACK_BASE] == 4 && s.entries[PACK_DERIVED] == 2 && s.entries[PACK_SHADER] == 1);
	cr_expect_lt(z.size, a.size);
	pack_close(p);
	buf_finish(&a);
	buf_finish(&z);
	close_title(&t);
}

Test(pack, refused)
{
	struct title t;
	open_title(&t);
	struct pack_writer *w = pack_writer_create();
	struct kiln_diags *d = t.s.diags;
	struct buf out = {0};
	char longest[PACK_NAME_MAX + 2];
	memset(longest, 'n', sizeof longest);
	longest[sizeof longest - 1] = 0;
	cr_expect(add(w, &t, 0, "a", d) && add(w, &t, 0, "a", d), "the same twice is one");
	cr_expect(!add(w, &t, 1, "a", d) && kiln_diags_has(d, DIAG_PACK_CONFLICT));
	cr_expect(!add(w, &t, 1, "", d) && !add(w, &t, 1, longest, d) && kiln_diags_has(d, DIAG_PACK_NAME));
	cr_expect(add(w, &t, 4, t.names[4], d));
	cr_expect(!pack_encode(w, false, &out, d) && kiln_diags_has(d, DIAG_PACK_BASE_MISSING), "its base has another name here");
	kiln_diags_clear(d);
	cr_expect(add(w, &t, 1, t.names[0], d));
	cr_expect(!pack_encode(w, false, &out, d) && kiln_diags_has(d, DIAG_PACK_BASE_MISSING), "another PSO has the base's name");
	cr_expect_eq(out.size, 0);
	pack_writer_destroy(w);
	w = pack_writer_create(); /* a pack of nothing is one */
	kiln_diags_clear(d);
	cr_expect(pack_encode(w, true, &out, d));
	struct pack *p = pack_open_bytes(out.data, out.size, "empty", d);
	cr_expect(p && pack_count(p) == 0 && pack_find(p, "a") == SIZE_MAX);
	pack_close(p);
	pack_writer_destroy(w);
	buf_finish(&out);
	close_title(&t);
}

/* ---- damage ---- */

/* Hashes of chunks that are not compressed, then the tables' checksum. */
static void mend(uint8_t *data, size_t size)
{
	uint64_t entries = get32(data + 20), chunks = get32(data + 24), references = get32(data + 28), names = get32(data + 32);
	uint64_t tables = HEADER + CHUNK * chunks + ENTRY * entries + REFERENCE * references + names;
	if (tables > size)
		return;
	for (uint64_t i = 0; i < chunks; i++) {
		uint8_t *c = data + HEADER + CHUNK * i;
		uint64_t offset = get32(c + 8) | (uint64_t)get32(c + 12) << 32, stored = get32(c + 16);
		if (offset > size || stored > size - offset || stored != get32(c + 20))
			continue;
		uint64_t hash = XXH3_64bits(data + offset, stored);
		put32(c, (uint32_t)hash);
		put32(c + 4, (uint32_t)(hash >> 32));
	}
	put32(data + 16, (uint32_t)crc32_z(0, data + 20, (size_t)tables - 20));
}

/* Opens it and loads everything: no crash, no silent refusal; what loads is what creation makes of it. */
static size_t judge(const uint8_t *data, size_t size, const char *what, size_t at)
{
	struct kiln_diags *d = kiln_diags_create();
	struct pack *p = pack_open_bytes(data, size, what, d);
	size_t made = 0;
	cr_expect(p || kiln_diags_errors(d), "%s %zu: refused in silence", what, at);
	for (size_t i = 0; p && i < pack_count(p); i++) {
		kiln_diags_clear(d);
		if (pack_kind_of(p, i) == PACK_SHADER)
			continue;
		struct pipeline *q = pack_load(p, i, NULL, NULL, d);
		cr_expect_eq(q == NULL, kiln_diags_errors(d) > 0, "%s %zu%s", what, at, all_text(d));
		if (q && !q->base) {
			const struct pipeline_inputs in = {.name = q->name, .desc = &q->desc, .vs = q->vs, .ps = q->ps_symbolic,
				.root = q->default_root ? NULL : q->root, .policy = q->policy};
			struct pipeline *again = pipeline_create(&in, d);
			cr_expect(again && same_pso(q, again), "%s %zu: no PSO that creation makes", what, at);
			pipeline_release(again);
		}
		made += q != NULL;
		pipeline_release(q);
	}
	pack_close(p);
	kiln_diags_destroy(d);
	return made;
}

static uint8_t *exact_copy(const struct buf *b, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	memcpy(copy, b->data, size);
	return copy;
}

/* A pack of a base and what derives from it: every cut, every bit of the tables, and of the chunks some. */
static void cut_and_flip(bool zstd)
{
	struct title t;
	open_title(&t);
	struct pack_writer *w = pack_writer_create();
	struct buf b = {0};
	cr_assert(add(w, &t, 0, t.names[0], t.s.diags) && add(w, &t, 4, t.names[4], t.s.diags) &&
		pack_encode(w, zstd, &b, t.s.diags));
	pack_writer_destroy(w);
	cr_expect_eq(judge(b.data, b.size, "whole", 0), 2);
	for (size_t n = 0; n < b.size; n++) {
		uint8_t *cut = exact_copy(&b, n);
		cr_expect_eq(judge(cut, n, "cut at", n), 0);
		if (n >= HEADER) {
			put32(cut + 8, (uint32_t)n);
			mend(cut, n);
			judge(cut, n, "cut and mended at", n);
		}
		free(cut);
	}
	size_t tables = HEADER + CHUNK * get32(b.data + 24) + ENTRY * get32(b.data + 20) + REFERENCE * get32(b.data + 28) +
		get32(b.data + 32);
	uint8_t *copy = exact_copy(&b, b.size);
	for (size_t bit = 0; bit < 8 * b.size; bit += bit < 8 * tables ? 1 : 3) {
		copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
		if (bit < 8 * tables)
			cr_expect_eq(judge(copy, b.size, "bit", bit), 0, "bit %zu: the checksum let it through", bit);
		mend(copy, b.size);
		judge(copy, b.size, "bit, mended", bit);
		memcpy(copy, b.data, b.size);
	}
	free(copy);
	buf_finish(&b);
	close_title(&t);
}

Test(pack, every_cut_and_bit) { cut_and_flip(false); }
Test(pack, every_cut_and_bit_compressed) { cut_and_flip(true); }

Test(pack, numbers)
{
	static const struct { uint32_t at, value, number; bool mend; const char *what; } rows[] = {
		{0, 0x4f53504b, DIAG_PACK_INVALID, true, "another magic"}, {4, 2, DIAG_PACK_VERSION, true, "a newer version"},
		{8, 1, DIAG_PACK_INVALID, true, "size"}, {16, 0, DIAG_PACK_CHECKSUM, false, "checksum"},
		{20, 0xffffffff, DIAG_PACK_INVALID, true, "entries"}, {24, 0xffffffff, DIAG_PACK_INVALID, true, "chunks"},
		{32, 0xffffffff, DIAG_PACK_INVALID, true, "names"}, {36, 1, DIAG_PACK_INVALID, true, "reserved"},
		{HEADER + 8, 0, DIAG_PACK_INVALID, true, "a chunk's place"},
		{HEADER + 20, 0xffffffff, DIAG_PACK_INVALID, true, "a chunk's size"},
	};
	struct title t;
	open_title(&t);
	struct buf b = pack_title(&t, forward, false, t.s.diags);
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		uint8_t *copy = exact_copy(&b, b.size);
		put32(copy + rows[i].at, rows[i].value);
		if (rows[i].mend)
			mend(copy, b.size);
		kiln_diags_clear(t.s.diags);
		cr_expect_null(pack_open_bytes(copy, b.size, "pack", t.s.diags), "%s", rows[i].what);
		cr_expect(kiln_diags_has(t.s.diags, rows[i].number), "%s%s", rows[i].what, all_text(t.s.diags));
		free(copy);
	}
	buf_finish(&b);
	close_title(&t);
}

/* Every chunk is looked at before it is used: those of debug information too, which nothing else would miss. */
Test(pack, chunks_are_checked)
{
	struct title t;
	open_title(&t);
	struct buf b = pack_title(&t, forward, false, t.s.diags);
	for (uint32_t c = 0; c < get32(b.data + 24); c++) {
		uint8_t *copy = exact_copy(&b, b.size);
		struct pack_entry e;
		bool ok = true;
		copy[get32(copy + HEADER + CHUNK * c + 8)] ^= 1;
		kiln_diags_clear(t.s.diags);
		struct pack *p = pack_open_bytes(copy, b.size, "pack", t.s.diags);
		for (size_t i = 0; p && i < pack_count(p); i++)
			ok &= pack_get(p, i, &e, t.s.diags);
		cr_expect(p && !ok && kiln_diags_has(t.s.diags, DIAG_PACK_CHECKSUM), "chunk %u", c);
		pack_close(p);
		free(copy);
	}
	buf_finish(&b);
	close_title(&t);
}

/* ---- a writer that is killed ---- */

/* Writes one pack after another over the same file, each with its number in its entry's name, and tells which is saved. */
static _Noreturn void write_for_ever(const struct title *t, const char *path, int saved)
{
	for (uint32_t i = 1;; i++) {
		struct pack_writer *w = pack_writer_create();
		struct kiln_diags *d = kiln_diags_create();
		struct buf b = {0};
		char name[16];
		snprintf(name, sizeof name, "%u", i);
		bool ok = add(w, t, 0, name, d) && pack_encode(w, false, &b, d) && file_write(path, b.data, b.size, d);
		if (!ok || write(saved, &i, sizeof i) != sizeof i)
			_exit(1);
		buf_finish(&b);
		kiln_diags_destroy(d);
		pack_writer_destroy(w);
	}
}

/* What the file holds, 0 if there is none. */
static uint32_t number_in(const char *path)
{
	struct kiln_diags *d = kiln_diags_create();
	struct pack *p = access(path, F_OK) ? NULL : pack_open(path, d);
	struct pipeline *made = p ? pack_load(p, 0, NULL, NULL, d) : NULL;
	uint32_t number = p ? (uint32_t)strtoul(pack_name(p, 0), NULL, 10) : 0;
	cr_expect(kiln_diags_count(d) == 0 && (!p || made), "%s", all_text(d));
	pipeline_release(made);
	pack_close(p);
	kiln_diags_destroy(d);
	return number;
}

/*
 * However a writer ends, the file is whole, and not older than what was reported. A writer is killed a while after its
 * first few reports, or after none: the while alone may be too short for a busy machine to start the writer at all.
 */
Test(pack, kills)
{
	enum { KILLS = 500 };
	char folder[4096];
	const char *base = getenv("TMPDIR");
	uint32_t random = 1, saved_in_all = 0;
	struct title t;
	snprintf(folder, sizeof folder, "%s/kiln-test-kill-XXXXXX", base ? base : P_tmpdir);
	cr_assert(mkdtemp(folder) && chdir(folder) == 0);
	open_title(&t);
	for (int i = 0; i < KILLS; i++) {
		uint32_t saved = 0, next;
		int ends[2];
		cr_assert_eq(pipe(ends), 0);
		unlink("lib.kpack");
		pid_t child = fork();
		if (!child)
			write_for_ever(&t, "lib.kpack", ends[1]);
		close(ends[1]);
		random = random * 1664525u + 1013904223u;
		for (uint32_t wanted = random >> 6 & 3; wanted > 0 && read(ends[0], &next, sizeof next) == sizeof next; wanted--)
			saved = next;
		nanosleep(&(struct timespec){0, (long)((random >> 8) % 3000000)}, NULL);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		while (read(ends[0], &next, sizeof next) == sizeof next)
			saved = next;
		close(ends[0]);
		uint32_t number = number_in("lib.kpack");
		cr_expect(number == saved || number == saved + 1, "kill %d: %u was saved, the file holds %u", i, saved, number);
		saved_in_all += saved;
	}
	cr_expect_gt(saved_in_all, 0, "every writer was killed before its first pack");
	cr_expect_eq(system("rm -f lib.kpack*"), 0);
	cr_expect(chdir("/") == 0 && rmdir(folder) == 0);
	close_title(&t);
}

/* ---- the public API ---- */

Test(pack, api)
{
	struct setup s;
	begin(&s);
	struct kiln_device *one = kiln_device_create(&(struct kiln_device_desc){.console = KILN_CONSOLE_XBOX_ONE}),
		*series = kiln_device_create(&(struct kiln_device_desc){.console = KILN_CONSOLE_XBOX_SERIES}),
		*any = kiln_device_create(NULL), *retail = kiln_device_create(&(struct kiln_device_desc){.retail = true});
	struct kiln_shader *vs = sim_shader_from_program(one, "vs", s.vs), *ps = sim_shader_from_program(one, "ps", s.ps);
	struct kiln_pso *p = kiln_pso_create(one, &(struct kiln_pso_desc){"pso", s.d, vs, ps, NULL}, s.diags);
	struct kiln_pso_bytes_info info;
	size_t size, none;
	cr_assert(p, "%s", all_text(s.diags));
	void *bytes = kiln_pso_serialize(one, p, &(struct kiln_serialize_options){.strip_debug = true, .name = "named"},
		&size, s.diags);
	cr_assert(bytes && kiln_pso_bytes_inspect(bytes, size, &info, s.diags));
	cr_expect(!strcmp(info.name, "named") && !*info.base_name && info.console == KILN_CONSOLE_XBOX_ONE && !info.derived &&
		info.hash);
	cr_expect(!kiln_pso_serialize(retail, p, NULL, &none, s.diags) && kiln_diags_has(s.diags, DIAG_SERIALIZE_RETAIL) && !none);
	cr_expect(!kiln_pso_deserialize(series, NULL, bytes, size, NULL, s.diags));
	cr_expect(kiln_diags_has(s.diags, DIAG_PSO_BLOB_CONSOLE));
	struct kiln_pso *q = kiln_pso_deserialize(one, NULL, bytes, size, NULL, s.diags);
	struct kiln_pso *r = kiln_pso_deserialize(any, "renamed", bytes, size, NULL, s.diags);
	cr_assert(q && r, "%s", all_text(s.diags));
	cr_expect_str_eq(sim_pso_pipeline(r)->name, "renamed");
	cr_expect(!kiln_pso_serialize(one, q, NULL, &none, s.diags) && kiln_diags_has(s.diags, DIAG_SERIALIZE_DESERIALIZED));
	struct kiln_rasterizer_desc raster = s.d.RasterizerState;
	raster.CullMode = KILN_CULL_FRONT;
	struct kiln_pso *derived = kiln_pso_derive(one, q, "derived",
		&(struct kiln_derived_pipeline_desc){.RasterizerState = &raster}, s.diags);
	cr_expect(derived && !kiln_device_compiles(one) && !kiln_device_unwanted_compiles(one));
	struct kiln_pso *const all[] = {p, q, r, derived};
	for (size_t i = 0; i < ARRAY_COUNT(all); i++)
		kiln_pso_destroy(all[i]);
	free(bytes);
	kiln_shader_destroy(vs);
	kiln_shader_destroy(ps);
	struct kiln_device *const devices[] = {one, series, any, retail};
	for (size_t i = 0; i < ARRAY_COUNT(devices); i++)
		kiln_device_destroy(devices[i]);
	end(&s);
}

/* ---- the program ---- */

static int run(const char *const *args, char *out, size_t size)
{
	char *argv[12] = {KILN_BINARY_DIR "/kiln"};
	for (size_t i = 0; i < 10 && args[i]; i++)
		argv[i + 1] = (char *)args[i];
	FILE *f = tmpfile();
	int status = 0;
	pid_t child = fork();
	if (!child) {
		dup2(fileno(f), 1);
		dup2(fileno(f), 2);
		execv(argv[0], argv);
		_exit(127);
	}
	waitpid(child, &status, 0);
	ssize_t n = pread(fileno(f), out, size - 1, 0);
	out[n > 0 ? n : 0] = 0;
	fclose(f);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void put_file(const char *name, const void *data, size_t size)
{
	FILE *f = fopen(name, "wb");
	cr_assert(f && fwrite(data, 1, size, f) == size && !fclose(f));
}

static bool same_files(const char *a, const char *b)
{
	struct kiln_diags *d = kiln_diags_create();
	uint8_t *x = NULL, *y = NULL;
	size_t m = 0, n = 0;
	bool same = file_read(a, 1 << 24, &x, &m, d) && file_read(b, 1 << 24, &y, &n, d) && m == n && !memcmp(x, y, m);
	mem_free(x);
	mem_free(y);
	kiln_diags_destroy(d);
	return same;
}

static void enter_folder(char folder[4096])
{
	const char *base = getenv("TMPDIR");
	snprintf(folder, 4096, "%s/kiln-test-pack-XXXXXX", base ? base : P_tmpdir);
	cr_assert(mkdtemp(folder) && chdir(folder) == 0);
}

struct command { const char *args[10]; int code; const char *says; };

static void run_all(const struct command *list, size_t count)
{
	char out[1 << 16];
	for (size_t i = 0; i < count; i++) {
		int code = run(list[i].args, out, sizeof out);
		cr_expect(code == list[i].code && strstr(out, list[i].says), "row %zu: %d\n%s", i, code, out);
	}
}

Test(pack, program)
{
	char folder[4096];
	enter_folder(folder);
	struct title t;
	open_title(&t);
	struct buf b = pack_title(&t, forward, false, t.s.diags);
	put_file("a.kpack", b.data, b.size);
	put_file("cut.kpack", b.data, b.size - 1);
	put_file("empty.kpack", "", 0);
	static const struct command rows[] = {
		{{"pack", "--list", "a.kpack"}, 0, "t/pso5"},
		{{"pack", "--stats", "a.kpack"}, 0, "4 base PSOs, 2 derived PSOs, 1 shaders"},
		{{"pack", "--list", "--stats", "--json", "a.kpack"}, 0, "\"bytes_once\""},
		{{"unpack", "a.kpack", "-o", "out"}, 0, "out/t%2Fpso0.kpso"},
		{{"pack", "out/t%2Fpso4.kpso", "out/t%2Fpso3.kpso", "out/t%2Fpso5.kpso", "out/t%2Fpso0.kpso", "out/t%2Fpso2.kpso",
			"out/t%2Fpso1.kpso", "-o", "b.kpack"}, 0, "6 entries"},
		{{"pack", "b.kpack", "a.kpack", "-o", "c.kpack"}, 0, "7 entries"},
		{{"pack", "b.kpack", "a.kpack", "-o", "d.kpack", "--zstd"}, 0, "7 entries"},
		{{"pack", "d.kpack", "-o", "e.kpack"}, 0, "7 entries"},
		{{"pack", "--list", "cut.kpack"}, 2, "6001"},
		{{"pack", "cut.kpack", "-o", "no.kpack"}, 2, "6001"},
		{{"pack", "--list", "empty.kpack"}, 2, "6001"},
		{{"pack", "--list", "missing.kpack"}, 2, "9001"},
		{{"pack", "out/t%2Fpso5.kpso", "-o", "no.kpack"}, 2, "6006"},
		{{"unpack", "a.kpack", "-o", "no", "--entry", "nobody"}, 2, "6004"},
		{{"unpack", "cut.kpack", "-o", "no"}, 2, "6001"},
		{{"pack", "a.kpack"}, 2, "--list"},
		{{"unpack", "a.kpack"}, 2, "-o DIR"},
		{{"pack", "a.kpack", "-o", "no/no.kpack"}, 2, "9002"},
		{{"pack", "a.kpack", "-o", "/dev/full"}, 2, "9002"},
		{{"pack", "--console", "dreamcast", "a.kpack"}, 2, "dreamcast"},
		{{"disasm", "out/shader%2Fvs.kisa"}, 0, "endpgm"},
		{{"bench"}, 2, "SUBJECT"}, {{"bench", "--help"}, 0, "pso"}, {{"bench", "nothing"}, 2, "no subject"},
		{{"bench", "pso", "missing.yaml"}, 2, "9001"},
	};
	run_all(rows, ARRAY_COUNT(rows));
	cr_expect(same_files("a.kpack", "c.kpack") && same_files("a.kpack", "e.kpack") && !same_files("a.kpack", "b.kpack"));
	cr_expect(access("no.kpack", F_OK) && access("no", F_OK), "nothing was written");
	cr_expect_eq(system("rm -rf out ./*.kpack"), 0);
	cr_expect(chdir("/") == 0 && rmdir(folder) == 0, "%s holds something", folder);
	buf_finish(&b);
	close_title(&t);
}

#ifdef KILN_HAS_LLVM
#define SCENE(name) KILN_SOURCE_DIR "/scenes/" name ".yaml"
#define CSO(name) KILN_SOURCE_DIR "/tests/corpus/cso/" name ".cso"

/* From DXIL to pixels without the compiler; the same bytes in any order and on any number of threads. */
Test(pack, scenes_and_shaders)
{
	char folder[4096];
	enter_folder(folder);
	static const struct command bake[] = {
		{{"pack", SCENE("simple-triangle"), CSO("ps_depth"), SCENE("mrt8"), "-o", "a.kpack", "--threads", "1"}, 0, "entries"},
		{{"pack", CSO("ps_depth"), SCENE("mrt8"), SCENE("simple-triangle"), "-o", "b.kpack", "--threads", "8"}, 0, "entries"},
		{{"pack", SCENE("export-alpha-missing"), "-o", "refused.kpack"}, 1, "left out"},
		{{"pack", SCENE("simple-triangle"), SCENE("nowhere"), "-o", "no.kpack"}, 2, "9001"},
		{{"pack", SCENE("simple-triangle"), "-o", "one.kpack", "--console", "xbox-one"}, 0, "entries"},
		{{"pack", "--list", "one.kpack"}, 0, "xbox-one"},
		{{"pack", "a.kpack", "one.kpack", "-o", "no.kpack"}, 2, "6005"},
	}, run_rows[] = {
		{{"run", "--library", "a.kpack", SCENE("simple-triangle"), SCENE("mrt8")}, 0, "passed"},
		{{"run", SCENE("simple-triangle")}, 2, "2012"},
		{{"run", "--library", "a.kpack", SCENE("simple-lighting")}, 2, "2012"}, /* not in it: compiled as ever */
		{{"run", "--library", "no.kpack", SCENE("simple-triangle")}, 2, "9001"},
		{{"run", "--library", "a.kpack", "simple-triangle.yaml"}, 2, "6007"},
	};
	run_all(bake, ARRAY_COUNT(bake));
	cr_expect(same_files("a.kpack", "b.kpack"));
	cr_expect_neq(access("no.kpack", F_OK), 0);
	/* the scene with other state; its shaders' folder is a link */
	cr_assert_eq(symlink(KILN_SOURCE_DIR "/scenes/shaders", "shaders"), 0);
	cr_assert_eq(system("sed 's/RTVFormats:.*/&\\n    SampleMask: 7/' " SCENE("simple-triangle") " >simple-triangle.yaml"), 0);
	setenv("KILN_LLVM", "/nowhere", 1);
	run_all(run_rows, ARRAY_COUNT(run_rows));
	unsetenv("KILN_LLVM");
	cr_expect_eq(system("rm -f ./*.kpack shaders simple-triangle.yaml"), 0);
	cr_expect(chdir("/") == 0 && rmdir(folder) == 0, "%s holds something", folder);
}

/* A container with a program for each console, then without its DXIL. */
Test(pack, keyed_containers)
{
	char folder[4096];
	enter_folder(folder);
	static const struct command rows[] = {
		{{"compile", CSO("vs_transform"), "-o", "one.cso", "--console", "xbox-one"}, 0, "wave 64"},
		{{"compile", "one.cso", "-o", "both.cso", "--console", "xbox-series", "--strip"}, 0, "wave 32"},
		{{"info", "--json", "both.cso"}, 0, "xbox-series"},
		{{"info", "--json", "both.cso"}, 0, "xbox-one"},
		{{"compile", "one.cso", "-o", "root.cso", "--root-signature", CSO("ps_root_signature")}, 0, "vertex"},
		{{"compile", "one.cso", "-o", "no.cso", "--root-signature", CSO("vs_transform")}, 2, "2014"},
		{{"compile", "one.cso", "-o", "no.cso", "--root-signature", "missing"}, 2, "9001"},
		{{"compile", "both.cso", "-o", "no.cso"}, 2, "2006"},
		{{"compile", "one.cso", "--root-signature", "one.cso"}, 2, "needs -o"},
		{{"compile", "one.cso", "-o", "no.cso", "--console", "xbox"}, 2, "--console"},
		{{"pack", "both.cso", "-o", "series.kpack", "--console", "xbox-series"}, 0, "1 entries"},
		{{"compile", CSO("vs_transform"), "-o", "stripped.cso", "--console", "xbox-one", "--strip"}, 0, "wave 64"},
		{{"pack", "stripped.cso", "-o", "no.kpack", "--console", "xbox-series"}, 2, "3962"},
		{{"bench", "pso", SCENE("simple-triangle"), "-n", "20"}, 0, "compile : derive"},
		{{"bench", "pso", SCENE("simple-triangle"), "-n", "20", "--json"}, 0, "\"p99_ns\""},
		{{"bench", "pso", SCENE("simple-triangle"), "--pso", "nobody"}, 2, "4013"},
	};
	run_all(rows, ARRAY_COUNT(rows));
	cr_expect(access("no.cso", F_OK) && access("no.kpack", F_OK));
	cr_expect_eq(system("rm -f ./*.cso ./*.kpack"), 0);
	cr_expect(chdir("/") == 0 && rmdir(folder) == 0, "%s holds something", folder);
}
#endif
