/* DXBC containers: bytes -> parts, and back.
 * Takes any byte string; no length or offset in it is believed before it is checked. Gives parts that lie inside the data,
 * do not overlap, and whose digest matched. Assumes that the data outlives the parts.
 *
 *   +0 'DXBC'  +4 digest[16]  +20 u16 major = 1, u16 minor = 0  +24 u32 size  +28 u32 parts  +32 u32 offset[parts]
 *   at each offset: u32 fourcc, u32 size, bytes */
#include "frontend/frontend.h"
#include <nettle/md5.h>
#include <string.h>

enum { HEADER_SIZE = 32, DIGEST_AT = 4, DIGEST_FROM = 20, PART_HEADER_SIZE = 8, PROGRAM_HEADER_SIZE = 24 };
static const uint32_t container_size_max = 0x80000000u;

static uint32_t load32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void store32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

void fe_fourcc_name(uint32_t fourcc, char out[5])
{
	for (int i = 0; i < 4; i++) {
		uint8_t c = (uint8_t)(fourcc >> 8 * i);
		out[i] = c > 0x20 && c < 0x7f ? (char)c : '?';
	}
	out[4] = '\0';
}

void fe_part_where(char out[FE_WHERE_MAX], const char *where, uint32_t fourcc)
{
	char name[5];
	fe_fourcc_name(fourcc, name);
	snprintf(out, FE_WHERE_MAX, "%.*s: part %s", FE_WHERE_MAX - 16, where ? where : "container", name);
}

/* ---- digest: MD5's compression with a padding of its own (facts 8.2) ---- */

void fe_container_digest(const uint8_t *data, size_t size, uint8_t digest[16])
{
	uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
	uint8_t block[64] = {0};
	size_t at = DIGEST_FROM, length = size > DIGEST_FROM ? size - DIGEST_FROM : 0, rest = length % 64;
	for (; length >= 64 && at + 64 <= size; at += 64)
		nettle_md5_compress(state, data + at);
	if (rest < 56) { /* the tail shares its block with the length, which stands first */
		if (rest)
			memcpy(block + 4, data + at, rest);
		block[4 + rest] = 0x80;
	} else {
		memcpy(block, data + at, rest);
		block[rest] = 0x80;
		nettle_md5_compress(state, block);
		memset(block, 0, sizeof block);
	}
	store32(block, (uint32_t)length * 8);
	store32(block + 60, (uint32_t)length * 2 | 1);
	nettle_md5_compress(state, block);
	for (int i = 0; i < 4; i++)
		store32(digest + 4 * i, state[i]);
}

static bool all_bytes(const uint8_t *p, size_t n, uint8_t value)
{
	while (n && *p == value)
		p++, n--;
	return n == 0;
}

static bool check_digest(const struct fe_container *c, const char *where, struct kiln_diags *diags)
{
	if (all_bytes(c->digest, 16, 0)) {
		diag_add(diags, DIAG_CONTAINER_UNSIGNED, where,
			"the digest at byte 4 is all zero: the container is unsigned");
		return false;
	}
	if (all_bytes(c->digest, 16, 2)) {
		diag_add(diags, DIAG_CONTAINER_UNSIGNED, where,
			"the digest at byte 4 is the bypass constant of preview shader models");
		return false;
	}
	uint8_t digest[16];
	fe_container_digest(c->data, c->size, digest);
	if (memcmp(digest, c->digest, 16) == 0)
		return true;
	diag_add(diags, DIAG_CONTAINER_DIGEST, where,
		"the digest at byte 4 begins %02x%02x%02x%02x, the bytes give %02x%02x%02x%02x", c->digest[0], c->digest[1], c->digest[2],
		c->digest[3], digest[0], digest[1], digest[2], digest[3]);
	return false;
}

/* ---- parse ---- */

static bool check_header(const uint8_t *data, size_t size, const char *where, struct kiln_diags *diags)
{
	if (size == 0) {
		diag_add(diags, DIAG_CONTAINER_TRUNCATED, where, "the file is empty");
		return false;
	}
	if (memcmp(data, "DXBC", size < 4 ? size : 4) != 0) {
		char name[5];
		uint8_t head[4] = {0};
		memcpy(head, data, size < 4 ? size : 4);
		fe_fourcc_name(load32(head), name);
		diag_add(diags, DIAG_CONTAINER_MAGIC, where,
			"byte 0: the file begins with '%s' (%02x %02x %02x %02x) instead of 'DXBC'%s", name, head[0], head[1], head[2], head[3],
			load32(head) == 0xdec04342 ? ": this is bare bitcode without its container" : "");
		return false;
	}
	if (size < HEADER_SIZE) {
		diag_add(diags, DIAG_CONTAINER_TRUNCATED, where, "the file ends at byte %zu, inside the %d-byte header", size,
			HEADER_SIZE);
		return false;
	}
	uint32_t version = load32(data + 20), stated = load32(data + 24);
	if (version != 1) {
		diag_add(diags, DIAG_CONTAINER_PART, where, "byte 20: container version %u.%u, only 1.0 exists",
			version & 0xffff, version >> 16);
		return false;
	}
	if (stated > size) {
		diag_add(diags, DIAG_CONTAINER_TRUNCATED, where,
			"byte 24: the container is %u bytes long, the file ends at byte %zu", stated, size);
		return false;
	}
	if (stated < size) {
		diag_add(diags, DIAG_CONTAINER_PART, where,
			"byte 24: the container is %u bytes long, the file goes on to byte %zu", stated, size);
		return false;
	}
	return true;
}

/* One entry of the part table; the parts before it are in c->parts. */
static bool read_part(struct fe_container *c, uint32_t i, uint32_t table_end, const char *where, struct kiln_diags *diags)
{
	uint32_t place = HEADER_SIZE + 4 * i, at = load32(c->data + place);
	if (at > c->size || c->size - at < PART_HEADER_SIZE) {
		diag_add(diags, DIAG_CONTAINER_TRUNCATED, where, "byte %u: part %u would begin at byte %u of %zu", place, i,
			at, c->size);
		return false;
	}
	if (at < table_end || at % 4 != 0) {
		diag_add(diags, DIAG_CONTAINER_PART, where, "byte %u: part %u would begin at byte %u, which is %s", place,
			i, at, at % 4 ? "not a multiple of 4" : "inside the header");
		return false;
	}
	struct fe_part p = {load32(c->data + at), c->data + at + PART_HEADER_SIZE, load32(c->data + at + 4), at};
	char name[5];
	fe_fourcc_name(p.fourcc, name);
	if (p.size > c->size - at - PART_HEADER_SIZE) {
		diag_add(diags, DIAG_CONTAINER_TRUNCATED, where, "byte %u: part %s of %u bytes passes the end at byte %zu",
			at, name, p.size, c->size);
		return false;
	}
	for (uint32_t k = 0; k < i; k++) {
		const struct fe_part *q = &c->parts[k];
		bool apart = at >= q->offset + PART_HEADER_SIZE + q->size || q->offset >= at + PART_HEADER_SIZE + p.size;
		if (apart && p.fourcc != q->fourcc)
			continue;
		diag_add(diags, DIAG_CONTAINER_PART, where, "byte %u: part %s %s part %u", at, name,
			apart ? "repeats" : "overlaps", k);
		return false;
	}
	c->parts[i] = p;
	c->part_count = i + 1;
	return true;
}

bool fe_container_parse(const uint8_t *data, size_t size, const char *where, struct fe_container *out,
	struct kiln_diags *diags)
{
	*out = (struct fe_container){.data = data, .size = size};
	if (!where)
		where = "container";
	if (size > container_size_max) {
		diag_add(diags, DIAG_FILE_TOO_LARGE, where, "%zu bytes; a container holds at most %u", size, container_size_max);
		return false;
	}
	if (!check_header(data, size, where, diags))
		return false;
	memcpy(out->digest, data + DIGEST_AT, 16);
	if (!check_digest(out, where, diags))
		return false;
	out->is_signed = true;
	uint32_t count = load32(data + 28);
	if (count > (size - HEADER_SIZE) / 4) {
		diag_add(diags, DIAG_CONTAINER_TRUNCATED, where, "byte 28: a table of %u parts passes the end at byte %zu", count, size);
		return false;
	}
	if (count > FE_PARTS_MAX) {
		diag_add(diags, DIAG_CONTAINER_PART, where, "byte 28: %u parts, at most %d are read", count, FE_PARTS_MAX);
		return false;
	}
	for (uint32_t i = 0; i < count; i++)
		if (!read_part(out, i, HEADER_SIZE + 4 * count, where, diags))
			return false;
	return true;
}

const struct fe_part *fe_container_find(const struct fe_container *c, uint32_t fourcc)
{
	for (uint32_t i = 0; i < c->part_count; i++)
		if (c->parts[i].fourcc == fourcc)
			return &c->parts[i];
	return NULL;
}

/* ---- write ---- */

bool fe_container_with_part(const struct fe_container *c, uint32_t fourcc, const void *data, size_t size, struct buf *out)
{
	struct fe_part parts[FE_PARTS_MAX + 1], added = {.fourcc = fourcc, .data = data, .size = (uint32_t)size};
	size_t count = 0, total = HEADER_SIZE, begin = out->size;
	bool pending = data != NULL;
	if (size > container_size_max)
		return false;
	for (uint32_t i = 0; i < c->part_count; i++) {
		const struct fe_part *p = &c->parts[i];
		bool same = p->fourcc == fourcc;
		/* a private part has any length and so stays last */
		if (pending && (same || p->fourcc == FE_FOURCC('P', 'R', 'I', 'V'))) {
			parts[count++] = added;
			pending = false;
		}
		if (!same)
			parts[count++] = *p;
	}
	if (pending)
		parts[count++] = added;
	for (size_t i = 0; i < count; i++)
		total += 4 + PART_HEADER_SIZE + ((size_t)parts[i].size + 3) / 4 * 4;
	if (count > FE_PARTS_MAX || total > container_size_max)
		return false;

	static const uint8_t zeros[16];
	buf_put(out, "DXBC", 4);
	buf_put(out, zeros, 16);
	buf_u32(out, 1);
	buf_u32(out, (uint32_t)total);
	buf_u32(out, (uint32_t)count);
	size_t at = HEADER_SIZE + 4 * count;
	for (size_t i = 0; i < count; at += PART_HEADER_SIZE + ((size_t)parts[i].size + 3) / 4 * 4, i++)
		buf_u32(out, (uint32_t)at);
	for (size_t i = 0; i < count; i++) {
		buf_u32(out, parts[i].fourcc);
		buf_u32(out, parts[i].size);
		buf_put(out, parts[i].data, parts[i].size);
		buf_put(out, zeros, (4 - parts[i].size % 4) % 4);
	}
	fe_container_digest(out->data + begin, total, out->data + begin + DIGEST_AT);
	return true;
}

/* ---- program header ---- */

/* The tolerated wrapper: u32 0x0B17C0DE, version, offset, size, cpu. */
static bool unwrap(struct fe_bitcode *b)
{
	enum { WRAPPER_SIZE = 20 };
	if (b->size < WRAPPER_SIZE || load32(b->data) != 0x0b17c0de)
		return true;
	uint32_t offset = load32(b->data + 8), size = load32(b->data + 12);
	if (offset < WRAPPER_SIZE || offset > b->size || size > b->size - offset)
		return false;
	b->data += offset;
	b->size = size;
	return true;
}

bool fe_bitcode_find(const struct fe_part *part, const char *where, struct fe_bitcode *out, struct kiln_diags *diags)
{
	char place[FE_WHERE_MAX];
	struct reader r = {.data = part->data, .size = part->size};
	uint32_t version = reader_u32(&r), dwords = reader_u32(&r), magic = reader_u32(&r), dxil_version = reader_u32(&r);
	uint32_t offset = reader_u32(&r), size = reader_u32(&r);
	enum { MAGIC_AT = 8 }; /* the bitcode's offset counts from the magic */
	const char *why = NULL;
	*out = (struct fe_bitcode){.kind = version >> 16, .major = version >> 4 & 15, .minor = version & 15,
		.dxil_version = dxil_version};
	if (r.failed)
		why = "it is shorter than the 24-byte program header";
	else if (magic != FE_FOURCC('D', 'X', 'I', 'L'))
		why = "byte 8: the program header lacks the magic 'DXIL'";
	else if (dwords > part->size / 4)
		why = "byte 4: the program is longer than the part";
	else if (offset < PROGRAM_HEADER_SIZE - MAGIC_AT || offset > part->size - MAGIC_AT ||
		size > part->size - MAGIC_AT - offset)
		why = "byte 16: the bitcode does not lie inside the part";
	if (!why) {
		out->data = part->data + MAGIC_AT + offset;
		out->size = size;
		if (!unwrap(out))
			why = "the bitcode wrapper points outside the part";
		else if (out->size < 4 || out->size % 4 != 0 || load32(out->data) != 0xdec04342)
			why = "the bitcode does not begin with BC C0 DE or its size is not a multiple of 4";
	}
	if (!why)
		return true;
	fe_part_where(place, where, part->fourcc);
	diag_add(diags, DIAG_CONTAINER_PART, place, "%s", why);
	return false;
}
