/* Entries -> the bytes of a pack. Sections are looked up by XXH3-64 and compared in full, so that equal ones are
 * stored once. */
#include "pso/pack.h"
#define XXH_INLINE_ALL
#include <stdlib.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

enum { MAGIC = 0x4b41504b, VERSION = 1, HEADER = 40, CHUNK = 24, ENTRY = 16, REFERENCE = 8, ALIGN = 16, LEVEL = 19 };

const char *const pack_kind_names[PACK_KIND_COUNT] = {"base", "derived", "shader"};

struct chunk {
	uint64_t hash;
	const uint8_t *data;
	uint32_t size;
	uint32_t place;                   /* in the file's order */
};
struct reference { uint32_t section, chunk; };
struct entry {
	const char *name;
	uint8_t kind;
	uint32_t console, count;
	struct reference references[PSO_SECTION_COUNT];
	const char *base;                 /* of a derived one */
	uint64_t base_key, key;
};
struct pack_writer {
	struct arena arena;
	struct chunk *chunks;
	struct entry *entries;
	size_t chunk_count, chunk_cap, entry_count, entry_cap;
	uint32_t *slots, *names;          /* chunks by hash, entries by name: number + 1, 0 is free */
	size_t slot_count, name_count;    /* powers of two, at least twice what they hold */
};

struct pack_writer *pack_writer_create(void) { return mem_alloc(sizeof(struct pack_writer)); }

void pack_writer_destroy(struct pack_writer *w)
{
	if (!w)
		return;
	arena_finish(&w->arena);
	mem_free(w->chunks);
	mem_free(w->entries);
	mem_free(w->slots);
	mem_free(w->names);
	mem_free(w);
}

/* ---- equal bytes once ---- */

static uint64_t name_hash(const char *name) { return XXH3_64bits(name, strlen(name)); }

typedef uint64_t hash_fn(const struct pack_writer *w, size_t i);
static void grow(uint32_t **slots, size_t *slot_count, size_t count, hash_fn *hash, const struct pack_writer *w)
{
	if (2 * (count + 1) <= *slot_count)
		return;
	*slot_count = *slot_count ? 2 * *slot_count : 64;
	mem_free(*slots);
	*slots = mem_array(*slot_count, sizeof **slots);
	for (size_t i = 0; i < count; i++) {
		size_t at = hash(w, i) & (*slot_count - 1);
		while ((*slots)[at])
			at = (at + 1) & (*slot_count - 1);
		(*slots)[at] = (uint32_t)i + 1;
	}
}

static uint64_t hash_of_chunk(const struct pack_writer *w, size_t i) { return w->chunks[i].hash; }
static uint64_t hash_of_entry(const struct pack_writer *w, size_t i) { return name_hash(w->entries[i].name); }

static uint32_t add_chunk(struct pack_writer *w, const struct pso_span *s)
{
	uint64_t hash = XXH3_64bits(s->data, s->size);
	grow(&w->slots, &w->slot_count, w->chunk_count, hash_of_chunk, w);
	size_t at = hash & (w->slot_count - 1);
	for (; w->slots[at]; at = (at + 1) & (w->slot_count - 1)) {
		const struct chunk *c = &w->chunks[w->slots[at] - 1];
		if (c->hash == hash && c->size == s->size && !memcmp(c->data, s->data, s->size))
			return w->slots[at] - 1;
	}
	struct chunk *c = ARRAY_PUSH(w->chunks, w->chunk_count, w->chunk_cap);
	*c = (struct chunk){.hash = hash, .data = arena_copy(&w->arena, s->data, s->size), .size = (uint32_t)s->size};
	w->slots[at] = (uint32_t)w->chunk_count;
	return (uint32_t)w->chunk_count - 1;
}

static struct entry *find_entry(const struct pack_writer *w, const char *name, size_t *at)
{
	*at = name_hash(name) & (w->name_count - 1);
	for (; w->names[*at]; *at = (*at + 1) & (w->name_count - 1))
		if (!strcmp(w->entries[w->names[*at] - 1].name, name))
			return &w->entries[w->names[*at] - 1];
	return NULL;
}

static bool same_entry(const struct entry *a, const struct entry *b)
{
	return a->kind == b->kind && a->console == b->console && a->count == b->count &&
		!memcmp(a->references, b->references, a->count * sizeof *a->references);
}

bool pack_add(struct pack_writer *w, const struct pack_entry *e, struct kiln_diags *diags)
{
	struct entry made = {.name = e->name, .kind = e->kind, .console = e->image.console, .key = pso_image_key(&e->image)};
	const struct pso_span *base = &e->image.section[PSO_BASE];
	size_t at, length = strlen(e->name);
	if (!length || length > PACK_NAME_MAX) {
		diag_add(diags, DIAG_PACK_NAME, NULL, "an entry's name is of %zu bytes, 1 to %d are allowed", length, PACK_NAME_MAX);
		return false;
	}
	grow(&w->names, &w->name_count, w->entry_count, hash_of_entry, w);
	for (uint32_t i = 0; i < PSO_SECTION_COUNT; i++)
		if (i != PSO_NAME && e->image.section[i].data)
			made.references[made.count++] = (struct reference){i, add_chunk(w, &e->image.section[i])};
	const struct entry *old = find_entry(w, e->name, &at);
	if (old && same_entry(old, &made))
		return true;
	if (old) {
		diag_add(diags, DIAG_PACK_CONFLICT, e->name, "two different entries have this name");
		return false;
	}
	made.name = arena_string(&w->arena, e->name);
	if (e->kind == PACK_DERIVED) {
		made.base = arena_string(&w->arena, pso_image_base(&e->image));
		made.base_key = reader_u64(&(struct reader){.data = base->data, .size = base->size});
	}
	*ARRAY_PUSH(w->entries, w->entry_count, w->entry_cap) = made;
	w->names[at] = (uint32_t)w->entry_count;
	return true;
}

/* ---- the file ---- */

static bool check_bases(const struct pack_writer *w, struct kiln_diags *diags)
{
	bool ok = true;
	for (size_t i = 0; i < w->entry_count; i++) {
		const struct entry *e = &w->entries[i], *base;
		size_t at;
		if (e->kind != PACK_DERIVED)
			continue;
		base = find_entry(w, e->base, &at);
		if (base && base->kind == PACK_BASE && base->key == e->base_key)
			continue;
		diag_add(diags, DIAG_PACK_BASE_MISSING, e->name, "it derives from '%s', which is not among the entries%s", e->base,
			base ? " as it was then" : "");
		ok = false;
	}
	return ok;
}

static int by_content(const void *a, const void *b)
{
	const struct chunk *x = *(const struct chunk *const *)a, *y = *(const struct chunk *const *)b;
	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return memcmp(x->data, y->data, x->size);
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(const struct entry *const *)a)->name, (*(const struct entry *const *)b)->name);
}

static void put_u64(struct buf *b, uint64_t v)
{
	buf_u32(b, (uint32_t)v);
	buf_u32(b, (uint32_t)(v >> 32));
}

static void align(struct buf *b)
{
	static const uint8_t zeros[ALIGN];
	buf_put(b, zeros, (ALIGN - b->size % ALIGN) % ALIGN);
}

/* Bytes of the chunks behind one another, from file offset `from` on; their table goes to `table`. */
static void put_chunks(struct chunk *const *sorted, size_t count, bool compress, uint64_t from, struct buf *table,
	struct buf *data)
{
	ZSTD_CCtx *zstd = compress ? ZSTD_createCCtx() : NULL;
	for (size_t i = 0; i < count; i++) {
		const struct chunk *c = sorted[i];
		size_t bound = zstd ? ZSTD_compressBound(c->size) : 0, packed = 0;
		uint8_t *small = mem_alloc(bound);
		if (zstd)
			packed = ZSTD_compressCCtx(zstd, small, bound, c->data, c->size, LEVEL);
		bool smaller = zstd && !ZSTD_isError(packed) && packed < c->size;
		align(data);
		put_u64(table, c->hash);
		put_u64(table, from + data->size);
		buf_u32(table, smaller ? (uint32_t)packed : c->size);
		buf_u32(table, c->size);
		buf_put(data, smaller ? small : c->data, smaller ? packed : c->size);
		mem_free(small);
	}
	ZSTD_freeCCtx(zstd);
}

static void put_entries(const struct pack_writer *w, struct entry *const *sorted, struct buf *entries,
	struct buf *references, struct buf *names)
{
	for (size_t i = 0; i < w->entry_count; i++) {
		const struct entry *e = sorted[i];
		buf_u32(entries, (uint32_t)names->size);
		buf_u32(entries, (uint32_t)(references->size / REFERENCE));
		buf_u32(entries, e->count);
		buf_put(entries, (uint8_t[]){e->kind, (uint8_t)e->console, 0, 0}, 4);
		for (uint32_t k = 0; k < e->count; k++) {
			buf_u32(references, e->references[k].section);
			buf_u32(references, w->chunks[e->references[k].chunk].place);
		}
		buf_put(names, e->name, strlen(e->name) + 1);
	}
}

bool pack_encode(struct pack_writer *w, bool compress, struct buf *out, struct kiln_diags *diags)
{
	struct buf chunks = {0}, entries = {0}, references = {0}, names = {0}, data = {0}, head = {0};
	grow(&w->names, &w->name_count, w->entry_count, hash_of_entry, w);
	if (!check_bases(w, diags))
		return false;
	struct chunk **sorted = mem_array(w->chunk_count, sizeof *sorted);
	struct entry **list = mem_array(w->entry_count, sizeof *list);
	for (size_t i = 0; i < w->chunk_count; i++)
		sorted[i] = &w->chunks[i];
	for (size_t i = 0; i < w->entry_count; i++)
		list[i] = &w->entries[i];
	qsort(sorted, w->chunk_count, sizeof *sorted, by_content);
	qsort(list, w->entry_count, sizeof *list, by_name);
	for (size_t i = 0; i < w->chunk_count; i++)
		sorted[i]->place = (uint32_t)i;
	put_entries(w, list, &entries, &references, &names);
	uint64_t tables = HEADER + CHUNK * (uint64_t)w->chunk_count + entries.size + references.size + names.size;
	uint64_t from = (tables + ALIGN - 1) / ALIGN * ALIGN;
	put_chunks(sorted, w->chunk_count, compress, from, &chunks, &data);
	const uint32_t counts[] = {(uint32_t)w->entry_count, (uint32_t)w->chunk_count, (uint32_t)(references.size / REFERENCE),
		(uint32_t)names.size, 0};
	for (size_t i = 0; i < ARRAY_COUNT(counts); i++)
		buf_u32(&head, counts[i]);
	const struct buf *const parts[] = {&chunks, &entries, &references, &names};
	for (size_t i = 0; i < ARRAY_COUNT(parts); i++)
		if (parts[i]->size)
			buf_put(&head, parts[i]->data, parts[i]->size);
	buf_u32(out, MAGIC);
	buf_u32(out, VERSION);
	put_u64(out, from + data.size);
	buf_u32(out, (uint32_t)crc32_z(0, head.data, head.size));
	buf_put(out, head.data, head.size);
	align(out);
	if (data.size)
		buf_put(out, data.data, data.size);
	struct buf *const done[] = {&chunks, &entries, &references, &names, &data, &head};
	for (size_t i = 0; i < ARRAY_COUNT(done); i++)
		buf_finish(done[i]);
	mem_free(sorted);
	mem_free(list);
	return true;
}
