/* Pipeline state validation (PSV0), feature flags (SFI0) and shader hash (HASH): bytes -> structs.
 * Takes a part of a parsed container and trusts nothing in it. The layout of PSV0 grows with its versions; what a version
 * lacks is zero, or says so (facts 8.4). */
#include "frontend/frontend.h"
#include <string.h>

enum { /* bytes of RuntimeInfo; a version holds all of those before it */
	INFO_V0 = 24, INFO_V1 = 36, INFO_V2 = 48, INFO_V3 = 52, INFO_V4 = 56,
	BINDING_V0 = 16, BINDING_V2 = 24, ELEMENT_SIZE = 16, STREAMS = 4
};
enum { /* where its fields stand */
	INFO_WAVES = 16, INFO_STAGE = 24, INFO_VIEW_ID = 25, INFO_PATCH_VECTORS = 26, INFO_COUNTS = 28, INFO_IN_VECTORS = 31,
	INFO_OUT_VECTORS = 32, INFO_THREADS = 36, INFO_ENTRY = 48
};

static uint32_t word(const struct fe_psv *p, unsigned at)
{
	struct reader r = {.data = p->raw, .size = sizeof p->raw, .at = at};
	return reader_u32(&r);
}

static bool skip(struct reader *r, uint64_t size)
{
	if (size > r->size - r->at)
		r->failed = true;
	else
		r->at += (size_t)size;
	return !r->failed;
}

static const char *read_info(struct reader *r, struct fe_psv *out)
{
	out->info_size = reader_u32(r);
	const uint32_t known[] = {INFO_V0, INFO_V1, INFO_V2, INFO_V3, INFO_V4};
	bool ok = out->info_size > INFO_V4 && out->info_size % 4 == 0; /* a later version begins as this one does */
	for (size_t i = 0; i < ARRAY_COUNT(known); i++)
		ok |= out->info_size == known[i];
	if (!ok)
		return "RuntimeInfo has a size of no version";
	const uint8_t *info = reader_bytes(r, out->info_size);
	if (!info)
		return "RuntimeInfo passes the end";
	memcpy(out->raw, info, out->info_size < INFO_V4 ? out->info_size : INFO_V4);
	out->min_wave = word(out, INFO_WAVES);
	out->max_wave = word(out, INFO_WAVES + 4);
	out->stage = out->info_size >= INFO_V1 ? out->raw[INFO_STAGE] : UINT32_MAX;
	out->input_count = out->raw[INFO_COUNTS];
	out->output_count = out->raw[INFO_COUNTS + 1];
	out->patch_count = out->raw[INFO_COUNTS + 2];
	for (unsigned i = 0; i < 3; i++)
		out->threads[i] = word(out, INFO_THREADS + 4 * i);
	return NULL;
}

static const char *read_resources(struct reader *r, struct fe_psv *out)
{
	uint32_t count = reader_u32(r);
	if (r->failed)
		return "it ends before the resource count";
	if (count == 0)
		return NULL;
	uint32_t size = reader_u32(r);
	if (size < BINDING_V0 || size % 4 != 0)
		return "resource bindings are smaller than 16 bytes or not a multiple of 4";
	if ((uint64_t)count * size > r->size - r->at)
		return "the resource bindings pass the end";
	if (count > ARRAY_COUNT(out->resources))
		return "more than 256 resource bindings";
	for (uint32_t i = 0; i < count; i++) {
		size_t next = r->at + size;
		struct fe_psv_resource *b = &out->resources[i];
		b->type = reader_u32(r);
		b->space = reader_u32(r);
		b->lower = reader_u32(r);
		b->upper = reader_u32(r);
		if (size >= BINDING_V2) {
			b->kind = reader_u32(r);
			b->flags = reader_u32(r);
		}
		if (b->type > 9 || b->lower > b->upper)
			return "a resource binding has an unknown type or its registers end before they begin";
		r->at = next;
		out->resource_count++;
	}
	return NULL;
}

/* The string table, semantic indices and signature elements that version 1 added. */
static const char *read_signatures(struct reader *r, struct fe_psv *out)
{
	uint32_t strings_size = reader_u32(r);
	const char *strings = reader_bytes(r, strings_size);
	if (!strings || strings_size % 4 != 0)
		return "the string table passes the end or its size is not a multiple of 4";
	if (out->info_size >= INFO_V3) {
		uint32_t entry = word(out, INFO_ENTRY);
		if (entry >= strings_size || !memchr(strings + entry, 0, strings_size - entry))
			return "the entry name lies outside the string table";
		out->entry = strings + entry;
	}
	uint32_t index_count = reader_u32(r);
	if (!skip(r, (uint64_t)index_count * 4))
		return "the table of semantic indices passes the end";
	uint32_t count = out->input_count + out->output_count + out->patch_count;
	if (count == 0)
		return NULL;
	uint32_t size = reader_u32(r);
	if (r->failed || size < ELEMENT_SIZE || (uint64_t)count * size > r->size - r->at)
		return "the signature elements pass the end";
	for (uint32_t i = 0; i < count; i++) {
		size_t next = r->at + size;
		uint32_t name = reader_u32(r), indices = reader_u32(r), rows = reader_u8(r);
		if (name >= strings_size || !memchr(strings + name, 0, strings_size - name))
			return "the name of a signature element lies outside the string table";
		if (indices > index_count || rows > index_count - indices)
			return "the rows of a signature element lie outside the table of semantic indices";
		r->at = next;
	}
	return NULL;
}

/* ViewID masks and the input-to-output tables: only their extent is of interest here. */
static const char *read_dependencies(struct reader *r, struct fe_psv *out)
{
	const uint8_t *outputs = out->raw + INFO_OUT_VECTORS;
	bool patch_out = out->stage == ISA_HULL || out->stage == ISA_MESH;
	uint32_t inputs = out->raw[INFO_IN_VECTORS];
	uint32_t patch = patch_out || out->stage == ISA_DOMAIN ? out->raw[INFO_PATCH_VECTORS] : 0;
	uint64_t masks = 0, tables = 0, patch_dwords = (patch + 7) / 8;
	for (int i = 0; i < STREAMS; i++) {
		uint64_t dwords = (outputs[i] + 7u) / 8;
		masks += dwords;
		tables += inputs * 4 * dwords;
	}
	if (patch_out) {
		masks += patch_dwords;
		tables += inputs * 4 * patch_dwords;
	} else {
		tables += patch * 4 * ((outputs[0] + 7u) / 8);
	}
	if (!skip(r, 4 * (tables + (out->raw[INFO_VIEW_ID] ? masks : 0))))
		return "the dependency tables pass the end";
	return NULL;
}

bool fe_psv_parse(const struct fe_part *part, const char *where, struct fe_psv *out, struct kiln_diags *diags)
{
	struct reader r = {.data = part->data, .size = part->size};
	*out = (struct fe_psv){.entry = ""};
	const char *why = read_info(&r, out);
	if (!why)
		why = read_resources(&r, out);
	if (!why && out->info_size >= INFO_V1)
		why = read_signatures(&r, out);
	if (!why && out->info_size >= INFO_V1)
		why = read_dependencies(&r, out);
	if (!why)
		return true;
	char place[FE_WHERE_MAX];
	fe_part_where(place, where, part->fourcc);
	diag_add(diags, DIAG_CONTAINER_PART, place, "near byte %zu: %s", r.at, why);
	return false;
}

bool fe_features_parse(const struct fe_part *part, const char *where, uint64_t *out, struct kiln_diags *diags)
{
	struct reader r = {.data = part->data, .size = part->size};
	*out = reader_u64(&r);
	if (!r.failed)
		return true;
	char place[FE_WHERE_MAX];
	fe_part_where(place, where, part->fourcc);
	diag_add(diags, DIAG_CONTAINER_PART, place, "%u bytes hold no 64 feature flags", part->size);
	return false;
}

bool fe_hash_parse(const struct fe_part *part, const char *where, struct fe_hash *out, struct kiln_diags *diags)
{
	struct reader r = {.data = part->data, .size = part->size};
	out->includes_source = reader_u32(&r) & 1;
	const uint8_t *digest = reader_bytes(&r, sizeof out->digest);
	if (digest) {
		memcpy(out->digest, digest, sizeof out->digest);
		return true;
	}
	char place[FE_WHERE_MAX];
	fe_part_where(place, where, part->fourcc);
	diag_add(diags, DIAG_CONTAINER_PART, place, "%u bytes hold no flags and digest", part->size);
	return false;
}
