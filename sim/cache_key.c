/* Keys of cached pipelines: content, not addresses. */
#include "sim/cache.h"
#include <nettle/sha1.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { ROOT_MAX = 1 << 16 };

void cache_sha1(const void *data, size_t size, uint8_t out[CACHE_SHA1])
{
	struct sha1_ctx ctx;
	sha1_init(&ctx);
	sha1_update(&ctx, size, data);
	sha1_digest(&ctx, CACHE_SHA1, out);
}

uint64_t cache_hash(const uint8_t *key, size_t size) { return XXH3_64bits(key, size); }

static void put_sha1(struct buf *out, const void *data, size_t size)
{
	uint8_t sha1[CACHE_SHA1] = {0};
	if (data)
		cache_sha1(data, size, sha1);
	buf_put(out, sha1, sizeof sha1);
}

void cache_key(const struct kiln_cache_request *r, struct buf *out)
{
	struct kiln_graphics_pipeline_desc state = r->state;

	put_sha1(out, r->VS, r->VS_size);
	put_sha1(out, r->PS, r->PS_size);
	buf_u32(out, r->root_signature ? (uint32_t)r->root_signature_size : 0);
	if (r->root_signature)
		buf_put(out, r->root_signature, (uint32_t)r->root_signature_size);
	graphics_desc_canonical(&state);
	graphics_desc_write(&state, out);
}

bool cache_key_parse(const uint8_t *key, size_t size, struct arena *arena, struct cache_key_parts *out)
{
	struct reader r = {.data = key, .size = size};
	out->vs = reader_bytes(&r, CACHE_SHA1);
	out->ps = reader_bytes(&r, CACHE_SHA1);
	out->root_size = reader_u32(&r);
	out->root = !r.failed && out->root_size <= ROOT_MAX ? reader_bytes(&r, out->root_size) : NULL;
	return out->root && graphics_desc_read(&r, arena, &out->state) && r.at == size;
}
