/* Queries: what draws did between two commands, as differences of the execution's counters. Takes the counters summed up to
 * now; gives results in memory of the heap, and copies them into buffers. */
#include "sim/sim.h"
#include <string.h>

enum { QUERIES_MAX = 1 << 16 };

struct query_values {
	uint64_t samples;
	struct kiln_pipeline_statistics statistics;
};
struct query {
	bool begun;
	struct query_values start, result;
};
struct kiln_query_heap {
	enum kiln_query_type type;
	uint32_t count;
	struct query *queries;
};

struct kiln_query_heap *kiln_query_heap_create(
	struct kiln_device *d, enum kiln_query_type type, uint32_t count, struct kiln_diags *diags)
{
	struct kiln_query_heap *h;

	(void)d;
	if ((type != KILN_QUERY_OCCLUSION && type != KILN_QUERY_BINARY_OCCLUSION && type != KILN_QUERY_PIPELINE_STATISTICS) ||
		!count || count > QUERIES_MAX) {
		diag_add(diags, DIAG_QUERY_INVALID, "query heap", "%u queries of type %u", count, (unsigned)type);
		return NULL;
	}
	h = mem_alloc(sizeof *h);
	h->type = type;
	h->count = count;
	h->queries = mem_array(count, sizeof *h->queries);
	return h;
}

void kiln_query_heap_destroy(struct kiln_query_heap *h)
{
	if (!h)
		return;
	mem_free(h->queries);
	mem_free(h);
}

static struct query_values values(const struct kiln_counters *c)
{
	return (struct query_values){.samples = c->samples_passed,
		.statistics = {.IAVertices = c->vertices, .IAPrimitives = c->primitives_in, .VSInvocations = c->vs_invocations,
			.CInvocations = c->primitives_clipper, .CPrimitives = c->primitives_out, .PSInvocations = c->ps_invocations}};
}

static struct query_values difference(const struct query_values *now, const struct query_values *then)
{
	struct query_values r = {.samples = now->samples - then->samples};
	const uint64_t *a = &now->statistics.IAVertices, *b = &then->statistics.IAVertices;
	uint64_t *out = &r.statistics.IAVertices;

	for (size_t i = 0; i < sizeof r.statistics / sizeof *out; i++)
		out[i] = a[i] - b[i];
	return r;
}

/* NULL: there is none, or it is begun when it should not be. */
static struct query *find(
	const char *where, const struct kiln_query_heap *h, uint32_t index, bool begun, struct kiln_diags *diags)
{
	if (!h || index >= h->count)
		diag_add(diags, DIAG_QUERY_INVALID, where, "there is no query %u; the heap has %u", index, h ? h->count : 0);
	else if (h->queries[index].begun != begun)
		diag_add(diags, DIAG_QUERY_INVALID, where, "query %u %s", index, begun ? "was not begun" : "was begun already");
	else
		return &h->queries[index];
	return NULL;
}

bool query_begin(const char *where, struct kiln_query_heap *h, uint32_t index, const struct kiln_counters *now,
	struct kiln_diags *diags)
{
	struct query *q = find(where, h, index, false, diags);

	if (q) {
		q->begun = true;
		q->start = values(now);
	}
	return q != NULL;
}

bool query_end(const char *where, struct kiln_query_heap *h, uint32_t index, const struct kiln_counters *now,
	struct kiln_diags *diags)
{
	struct query *q = find(where, h, index, true, diags);

	if (q) {
		struct query_values end = values(now);

		q->begun = false;
		q->result = difference(&end, &q->start);
	}
	return q != NULL;
}

static size_t result_size(const struct kiln_query_heap *h)
{
	return h->type == KILN_QUERY_PIPELINE_STATISTICS ? sizeof(struct kiln_pipeline_statistics) : sizeof(uint64_t);
}

bool query_resolve(const char *where, const struct kiln_query_heap *h, uint32_t first, uint32_t count,
	struct kiln_resource *buffer, uint64_t offset, struct kiln_diags *diags)
{
	if (!h || count > h->count || first > h->count - count) {
		diag_add(diags, DIAG_QUERY_INVALID, where, "there are no queries %u to %u", first, first + count);
		return false;
	}
	if (!buffer || buffer->is_texture || offset % 8 || offset > buffer->size ||
		count * result_size(h) > buffer->size - offset) {
		diag_add(diags, DIAG_QUERY_INVALID, where, "the results of %u queries do not fit '%s' at byte %llu", count,
			buffer ? buffer->name : "(null)", (unsigned long long)offset);
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct query_values *r = &h->queries[first + i].result;
		uint64_t samples = h->type == KILN_QUERY_BINARY_OCCLUSION ? r->samples != 0 : r->samples;
		const void *from = h->type == KILN_QUERY_PIPELINE_STATISTICS ? (const void *)&r->statistics : &samples;

		memcpy(buffer->data + offset + i * result_size(h), from, result_size(h));
	}
	return true;
}

void query_forget(struct kiln_query_heap *h)
{
	for (uint32_t i = 0; h && i < h->count; i++)
		h->queries[i].begun = false;
}
