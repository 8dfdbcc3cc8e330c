/* A root signature as bytes: the RTS0 part that root_signature_parse() reads, in one fixed order (parameters, their
 * payloads, ranges behind each table, static samplers), so that equal signatures give equal bytes; and the key made
 * of them. */
#include "pso/pso.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { HEADER = 24, PARAMETER = 12, VERSION_1_0 = 1, VERSION_1_2 = 3, SAMPLER_WORDS = 10 };

static uint32_t range_size(const struct root_signature *r) { return r->version > VERSION_1_0 ? 24 : 20; }

static uint32_t payload_size(const struct root_signature *r, const struct root_parameter *p)
{
	if (p->type == ROOT_PARAMETER_TABLE)
		return 8 + range_size(r) * (uint32_t)p->range_count;
	return p->type == ROOT_PARAMETER_CONSTANTS || r->version > VERSION_1_0 ? 12 : 8;
}

static void write_payload(const struct root_signature *r, const struct root_parameter *p, uint32_t begin, struct buf *out)
{
	if (p->type != ROOT_PARAMETER_TABLE) {
		buf_u32(out, p->reg);
		buf_u32(out, p->space);
		if (p->type == ROOT_PARAMETER_CONSTANTS)
			buf_u32(out, p->num_constants);
		else if (r->version > VERSION_1_0)
			buf_u32(out, p->flags);
		return;
	}
	buf_u32(out, (uint32_t)p->range_count);
	buf_u32(out, begin + 8);
	for (size_t i = 0; i < p->range_count; i++) {
		const struct root_range *range = &p->ranges[i];
		buf_u32(out, range->type);
		buf_u32(out, range->count);
		buf_u32(out, range->reg);
		buf_u32(out, range->space);
		if (r->version > VERSION_1_0)
			buf_u32(out, range->flags);
		buf_u32(out, range->offset);
	}
}

static void write_sampler(const struct root_signature *r, const struct root_sampler *s, struct buf *out)
{
	for (int i = 0; i < SAMPLER_WORDS; i++)
		buf_u32(out, s->words[i]);
	buf_u32(out, s->reg);
	buf_u32(out, s->space);
	buf_u32(out, s->visibility);
	if (r->version >= VERSION_1_2)
		buf_u32(out, s->flags);
}

void root_signature_write(const struct root_signature *r, struct buf *out)
{
	uint32_t at = HEADER + PARAMETER * (uint32_t)r->parameter_count, payloads = at;
	for (size_t i = 0; i < r->parameter_count; i++)
		payloads += payload_size(r, &r->parameters[i]);
	const uint32_t header[] = {r->version, (uint32_t)r->parameter_count, HEADER, (uint32_t)r->sampler_count, payloads,
		r->flags};
	for (size_t i = 0; i < ARRAY_COUNT(header); i++)
		buf_u32(out, header[i]);
	uint32_t begin = at;
	for (size_t i = 0; i < r->parameter_count; i++) {
		buf_u32(out, r->parameters[i].type);
		buf_u32(out, r->parameters[i].visibility);
		buf_u32(out, begin);
		begin += payload_size(r, &r->parameters[i]);
	}
	for (size_t i = 0; i < r->parameter_count; at += payload_size(r, &r->parameters[i]), i++)
		write_payload(r, &r->parameters[i], at, out);
	for (size_t i = 0; i < r->sampler_count; i++)
		write_sampler(r, &r->samplers[i], out);
}

void root_signature_key(const struct root_signature *r, uint8_t key[ROOT_KEY_BYTES])
{
	struct buf b = {0};
	XXH128_canonical_t canonical;
	memset(key, 0, ROOT_KEY_BYTES);
	if (!r)
		return;
	root_signature_write(r, &b);
	XXH128_canonicalFromHash(&canonical, XXH3_128bits(b.data, b.size));
	memcpy(key, canonical.digest, ROOT_KEY_BYTES);
	buf_finish(&b);
}
