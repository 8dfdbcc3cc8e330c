/* The ISA part of a container: programs, each for one console and one root signature. Bytes -> list, and back.
 * Trusts nothing; the programs themselves are checked by isa_program_decode().
 *
 *   'KPRE'  version  programs  then for each: console, 16 bytes key of the root signature, size, bytes */
#include "frontend/frontend.h"

enum { MAGIC = 0x4552504b, VERSION = 1 };

void fe_precompiled_write(const struct fe_precompiled_list *list, struct buf *out)
{
	buf_u32(out, MAGIC);
	buf_u32(out, VERSION);
	buf_u32(out, (uint32_t)list->count);
	for (size_t i = 0; i < list->count; i++) {
		const struct fe_precompiled *e = &list->entries[i];
		buf_u32(out, e->console);
		buf_put(out, e->root_key, sizeof e->root_key);
		buf_u32(out, (uint32_t)e->size);
		buf_put(out, e->isa, e->size);
	}
}

static bool same_key(const struct fe_precompiled *a, const struct fe_precompiled *b)
{
	return a->console == b->console && !memcmp(a->root_key, b->root_key, sizeof a->root_key);
}

bool fe_precompiled_put(struct fe_precompiled_list *list, const struct fe_precompiled *e)
{
	size_t i = 0;
	while (i < list->count && !same_key(&list->entries[i], e))
		i++;
	if (i == FE_PRECOMPILED_MAX)
		return false;
	list->entries[i] = *e;
	list->count += i == list->count;
	return true;
}

static const char *read_entry(struct reader *r, struct fe_precompiled_list *out)
{
	struct fe_precompiled e = {.console = reader_u32(r)};
	const void *key = reader_bytes(r, sizeof e.root_key);
	e.size = reader_u32(r);
	e.isa = reader_bytes(r, e.size);
	if (r->failed)
		return "a program is cut off";
	memcpy(e.root_key, key, sizeof e.root_key);
	size_t before = out->count;
	return fe_precompiled_put(out, &e) && out->count > before ? NULL : "two programs have one console and root signature";
}

bool fe_precompiled_read(const struct fe_part *part, const char *where, struct fe_precompiled_list *out,
	struct kiln_diags *diags)
{
	char place[FE_WHERE_MAX];
	struct reader r = {.data = part->data, .size = part->size};
	const char *why = NULL;
	*out = (struct fe_precompiled_list){0};
	uint32_t magic = reader_u32(&r), version = reader_u32(&r), count = reader_u32(&r);
	if (r.failed || magic != MAGIC)
		why = "it does not begin with KPRE";
	else if (version != VERSION)
		why = "it is of another version";
	else if (!count || count > FE_PRECOMPILED_MAX)
		why = "it holds no program, or more than 16";
	for (uint32_t i = 0; !why && i < count; i++)
		why = read_entry(&r, out);
	if (!why && r.at != r.size)
		why = "it goes on behind the last program";
	if (!why)
		return true;
	fe_part_where(place, where, part->fourcc);
	diag_add(diags, DIAG_ISA_BINARY, place, "byte %zu: %s", r.at, why);
	return false;
}
