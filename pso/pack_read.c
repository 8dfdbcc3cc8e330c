/* The bytes of a pack -> its entries, in place. Tables are checked when it is opened, a chunk's bytes against their
 * hash when they are first used: a damaged pack is a diagnostic, and what it holds still goes through
 * deserialize.c's checks. */
#include "pso/pack.h"
#define XXH_INLINE_ALL
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

enum { MAGIC = 0x4b41504b, VERSION = 1, HEADER = 40, CHUNK = 24, ENTRY = 16, REFERENCE = 8, ALIGN = 16, CHECKED_FROM = 20,
	CHUNK_MAX = 1 << 28 };

struct chunk {
	uint64_t hash, offset;
	uint32_t stored, size;
	const uint8_t *bytes;             /* checked; NULL: not yet used */
	uint8_t *unpacked;                /* of a compressed one */
};
struct entry {
	const char *name;
	uint32_t first, count;
	uint8_t kind, console;
	struct pipeline *pipeline;        /* of a base that something was derived from; held */
};
struct pack {
	const uint8_t *data;
	size_t size;
	bool mapped;
	char *where;
	struct chunk *chunks;
	struct entry *entries;
	uint32_t chunk_count, entry_count, reference_count;
	const uint8_t *references;        /* in the file */
	size_t tables;                    /* bytes before the chunks */
};

static bool refuse(const struct pack *p, size_t at, const char *why, struct kiln_diags *diags)
{
	diag_add(diags, DIAG_PACK_INVALID, p->where, "byte %zu: %s", at, why);
	return false;
}

/* ---- tables ---- */

static bool read_header(struct pack *p, uint32_t *names, struct kiln_diags *diags)
{
	struct reader r = {.data = p->data, .size = p->size};
	uint32_t magic = reader_u32(&r), version = reader_u32(&r);
	uint64_t size = reader_u64(&r);
	uint32_t crc = reader_u32(&r);
	p->entry_count = reader_u32(&r);
	p->chunk_count = reader_u32(&r);
	p->reference_count = reader_u32(&r);
	*names = reader_u32(&r);
	uint32_t reserved = reader_u32(&r);
	if (p->size < 8 || magic != MAGIC)
		return refuse(p, 0, "this is no pack (it does not begin with KPAK)", diags);
	if (version != VERSION) {
		diag_add(diags, DIAG_PACK_VERSION, p->where, "the pack is of version %u, this Kiln reads version %d", version, VERSION);
		return false;
	}
	if (r.failed || size != p->size)
		return refuse(p, 8, "the size in the header is not the size of the file", diags);
	uint64_t tables = HEADER + CHUNK * (uint64_t)p->chunk_count + ENTRY * (uint64_t)p->entry_count +
		REFERENCE * (uint64_t)p->reference_count + *names;
	if (tables > p->size || reserved)
		return refuse(p, 20, "the tables pass the end of the file", diags);
	p->tables = tables;
	uint32_t computed = (uint32_t)crc32_z(0, p->data + CHECKED_FROM, (size_t)tables - CHECKED_FROM);
	if (crc == computed)
		return true;
	diag_add(diags, DIAG_PACK_CHECKSUM, p->where, "the CRC-32 at byte 16 is %08x, the tables give %08x", crc, computed);
	return false;
}

static size_t aligned(size_t at) { return (at + ALIGN - 1) / ALIGN * ALIGN; }

/* Chunks lie one behind the other, so that none overlaps and nothing is left over. */
static bool read_chunks(struct pack *p, struct reader *r, struct kiln_diags *diags)
{
	size_t next = p->tables;
	p->chunks = mem_array(p->chunk_count, sizeof *p->chunks);
	for (uint32_t i = 0; i < p->chunk_count; i++) {
		size_t at = r->at;
		struct chunk *c = &p->chunks[i];
		c->hash = reader_u64(r);
		c->offset = reader_u64(r);
		c->stored = reader_u32(r);
		c->size = reader_u32(r);
		next = aligned(next);
		if (c->offset != next || c->stored > p->size - (next < p->size ? next : p->size))
			return refuse(p, at, "a chunk lies outside its place", diags);
		if (c->stored > c->size || c->size > CHUNK_MAX)
			return refuse(p, at, "a chunk is larger than it can be", diags);
		if (i && c->hash < p->chunks[i - 1].hash)
			return refuse(p, at, "the chunks are not in order", diags);
		next += c->stored;
	}
	size_t end = p->chunk_count ? next : aligned(next);
	return end == p->size || refuse(p, end, "the file does not end with its last chunk", diags);
}

static const char *entry_fault(const struct pack *p, const struct entry *e, uint32_t first)
{
	uint32_t last = 0;
	if (e->kind >= PACK_KIND_COUNT || e->console >= KILN_CONSOLE_COUNT)
		return "unknown kind or console";
	if (e->first != first || e->count > p->reference_count - first)
		return "its references lie outside their place";
	for (uint32_t i = 0; i < e->count; i++) {
		struct reader r = {.data = p->references + REFERENCE * (size_t)(first + i), .size = REFERENCE};
		uint32_t section = reader_u32(&r), chunk = reader_u32(&r);
		if (section >= PSO_SECTION_COUNT || section == PSO_NAME || (i && section <= last) || chunk >= p->chunk_count)
			return "it refers to what is not there";
		last = section;
	}
	return NULL;
}

static bool read_entries(struct pack *p, struct reader *r, const uint8_t *names, uint32_t name_bytes,
	struct kiln_diags *diags)
{
	uint32_t next_name = 0, next_reference = 0;
	p->entries = mem_array(p->entry_count, sizeof *p->entries);
	for (uint32_t i = 0; i < p->entry_count; i++) {
		size_t at = r->at;
		struct entry *e = &p->entries[i];
		uint32_t name = reader_u32(r);
		e->first = reader_u32(r);
		e->count = reader_u32(r);
		e->kind = reader_u8(r);
		e->console = reader_u8(r);
		const uint8_t *end = name == next_name && name < name_bytes ? memchr(names + name, 0, name_bytes - name) : NULL;
		if (reader_u16(r) || !end || end == names + name || end - (names + name) > PACK_NAME_MAX)
			return refuse(p, at, "an entry's name is not where it must be", diags);
		e->name = (const char *)names + name;
		const char *fault = entry_fault(p, e, next_reference);
		if (fault)
			return refuse(p, at, fault, diags);
		if (i && strcmp(p->entries[i - 1].name, e->name) >= 0)
			return refuse(p, at, "the entries are not in order", diags);
		next_name = (uint32_t)(end - names) + 1;
		next_reference += e->count;
	}
	return (next_name == name_bytes && next_reference == p->reference_count) ||
		refuse(p, r->at, "there are names or references that no entry has", diags);
}

static bool read_tables(struct pack *p, struct kiln_diags *diags)
{
	uint32_t name_bytes = 0;
	if (!read_header(p, &name_bytes, diags))
		return false;
	struct reader r = {.data = p->data, .size = p->size, .at = HEADER};
	size_t entries = HEADER + CHUNK * (size_t)p->chunk_count, references = entries + ENTRY * (size_t)p->entry_count;
	p->references = p->data + references;
	return read_chunks(p, &r, diags) &&
		read_entries(p, &r, p->references + REFERENCE * (size_t)p->reference_count, name_bytes, diags);
}

/* ---- open and close ---- */

static struct pack *open_with(const uint8_t *data, size_t size, bool mapped, const char *where, struct kiln_diags *diags)
{
	struct pack *p = mem_alloc(sizeof *p);
	*p = (struct pack){.data = data, .size = size, .mapped = mapped, .where = mem_string(where)};
	if (read_tables(p, diags))
		return p;
	pack_close(p);
	return NULL;
}

struct pack *pack_open_bytes(const uint8_t *data, size_t size, const char *where, struct kiln_diags *diags)
{
	return open_with(data, size, false, where, diags);
}

struct pack *pack_open(const char *path, struct kiln_diags *diags)
{
	struct stat st;
	void *data = MAP_FAILED;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && fstat(fd, &st) == 0;
	if (ok && S_ISREG(st.st_mode) && st.st_size > 0)
		data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (ok && data == MAP_FAILED)
		diag_add(diags, DIAG_PACK_INVALID, path, "%s",
			S_ISREG(st.st_mode) && !st.st_size ? "the file is empty" : "this is no file that can be mapped");
	else if (!ok)
		diag_add(diags, DIAG_FILE_READ, path, "cannot open: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return data == MAP_FAILED ? NULL : open_with(data, (size_t)st.st_size, true, path, diags);
}

void pack_close(struct pack *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; p->entries && i < p->entry_count; i++)
		pipeline_release(p->entries[i].pipeline);
	for (uint32_t i = 0; p->chunks && i < p->chunk_count; i++)
		mem_free(p->chunks[i].unpacked);
	if (p->mapped)
		munmap((void *)p->data, p->size);
	mem_free(p->entries);
	mem_free(p->chunks);
	mem_free(p->where);
	mem_free(p);
}

/* ---- entries ---- */

size_t pack_count(const struct pack *p) { return p->entry_count; }
const char *pack_name(const struct pack *p, size_t i) { return p->entries[i].name; }
enum pack_kind pack_kind_of(const struct pack *p, size_t i) { return (enum pack_kind)p->entries[i].kind; }
uint32_t pack_console(const struct pack *p, size_t i) { return p->entries[i].console; }

size_t pack_find(const struct pack *p, const char *name)
{
	size_t low = 0, high = p->entry_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(p->entries[middle].name, name);
		if (!order)
			return middle;
		low = order < 0 ? middle + 1 : low;
		high = order < 0 ? high : middle;
	}
	return SIZE_MAX;
}

static bool use_chunk(struct pack *p, struct chunk *c, struct kiln_diags *diags)
{
	const uint8_t *bytes = p->data + c->offset;
	if (c->bytes)
		return true;
	if (c->stored < c->size) {
		if (ZSTD_getFrameContentSize(bytes, c->stored) != c->size)
			return refuse(p, c->offset, "a compressed chunk is not of its size", diags);
		c->unpacked = mem_alloc(c->size);
		if (ZSTD_decompress(c->unpacked, c->size, bytes, c->stored) != c->size) {
			mem_free(c->unpacked);
			c->unpacked = NULL;
			return refuse(p, c->offset, "a compressed chunk is damaged", diags);
		}
		bytes = c->unpacked;
	}
	if (XXH3_64bits(bytes, c->size) != c->hash) {
		mem_free(c->unpacked);
		c->unpacked = NULL;
		diag_add(diags, DIAG_PACK_CHECKSUM, p->where, "byte %zu: the chunk's bytes do not have its hash", (size_t)c->offset);
		return false;
	}
	c->bytes = bytes;
	return true;
}

static struct reader reference(const struct pack *p, const struct entry *e, uint32_t i)
{
	return (struct reader){.data = p->references + REFERENCE * (size_t)(e->first + i), .size = REFERENCE};
}

bool pack_get(struct pack *p, size_t i, struct pack_entry *out, struct kiln_diags *diags)
{
	const struct entry *e = &p->entries[i];
	*out = (struct pack_entry){.name = e->name, .kind = e->kind,
		.image = {.derived = e->kind == PACK_DERIVED, .console = e->console}};
	for (uint32_t k = 0; k < e->count; k++) {
		struct reader r = reference(p, e, k);
		uint32_t section = reader_u32(&r), chunk = reader_u32(&r);
		struct chunk *c = &p->chunks[chunk];
		if (!use_chunk(p, c, diags))
			return false;
		out->image.section[section] = (struct pso_span){c->bytes, c->size};
	}
	if (e->kind != PACK_SHADER)
		out->image.section[PSO_NAME] = (struct pso_span){(const uint8_t *)e->name, strlen(e->name) + 1};
	return true;
}

/* A base that is asked for as one is made anew; as the base of others it is made once. */
static struct pipeline *base_of(struct pack *p, const struct pso_image *image, const char *name, struct kiln_diags *diags)
{
	const char *base = pso_image_base(image);
	size_t i = *base ? pack_find(p, base) : SIZE_MAX;
	struct pack_entry e;
	if (i == SIZE_MAX || p->entries[i].kind != PACK_BASE) {
		diag_add(diags, DIAG_PACK_BASE_MISSING, name, "it derives from '%s', which is not in the pack", base);
		return NULL;
	}
	if (!p->entries[i].pipeline && pack_get(p, i, &e, diags))
		p->entries[i].pipeline = pso_image_load(&e.image, NULL, NULL, NULL, diags);
	return p->entries[i].pipeline;
}

struct pipeline *pack_load(struct pack *p, size_t i, const char *name, const struct pipeline_options *options,
	struct kiln_diags *diags)
{
	struct pack_entry e;
	struct pipeline *base = NULL;
	if (p->entries[i].kind == PACK_SHADER) {
		diag_add(diags, DIAG_PACK_NAME, p->entries[i].name, "the entry is a shader, no PSO");
		return NULL;
	}
	if (!pack_get(p, i, &e, diags))
		return NULL;
	if (e.kind == PACK_DERIVED && !(base = base_of(p, &e.image, e.name, diags)))
		return NULL;
	return pso_image_load(&e.image, name, base, options, diags);
}

void pack_stats(const struct pack *p, struct pack_stats *out)
{
	uint8_t *counted = mem_alloc(p->chunk_count);
	*out = (struct pack_stats){.index_bytes = p->tables, .file_bytes = p->size};
	for (uint32_t section = 0; section < PSO_SECTION_COUNT; section++)
		for (uint32_t i = 0; i < p->reference_count; i++) {
			struct reader r = {.data = p->references + REFERENCE * (size_t)i, .size = REFERENCE};
			struct pack_kind_stats *s = &out->section[section];
			if (reader_u32(&r) != section)
				continue;
			uint32_t number = reader_u32(&r);
			const struct chunk *c = &p->chunks[number];
			s->count++;
			s->bytes += c->size;
			s->unique += !counted[number];
			s->unique_bytes += counted[number] ? 0 : c->size;
			s->stored_bytes += counted[number] ? 0 : c->stored;
			counted[number] = 1;
		}
	for (uint32_t i = 0; i < p->entry_count; i++)
		out->entries[p->entries[i].kind]++;
	mem_free(counted);
}
