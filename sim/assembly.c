/* Primitive assembly: which vertices of a run form primitive i, by topology (facts 1.11). A run is what lies between strip
 * cuts; what is left over at its end is dropped. Adjacent vertices are shaded and otherwise ignored. */
#include "sim/draw.h"
#include <string.h>

/* Primitive i of a regular topology has the vertices step * i + at; the runs of a strip overlap. */
struct regular {
	uint8_t count, step, real_count, real[3];
};
static const struct regular rows[] = {
	[KILN_TOPOLOGY_POINTLIST] = {1, 1, 1, {0}},
	[KILN_TOPOLOGY_LINELIST] = {2, 2, 2, {0, 1}},
	[KILN_TOPOLOGY_LINESTRIP] = {2, 1, 2, {0, 1}},
	[KILN_TOPOLOGY_TRIANGLELIST] = {3, 3, 3, {0, 1, 2}},
	[KILN_TOPOLOGY_TRIANGLESTRIP] = {3, 1, 3, {0, 1, 2}},
	[KILN_TOPOLOGY_TRIANGLEFAN] = {3, 1, 3, {1, 2, 0}}, /* (i + 1, i + 2, 0): each has a leading vertex of its own */
	[KILN_TOPOLOGY_LINELIST_ADJ] = {4, 4, 2, {1, 2}},
	[KILN_TOPOLOGY_LINESTRIP_ADJ] = {4, 1, 2, {1, 2}},
	[KILN_TOPOLOGY_TRIANGLELIST_ADJ] = {6, 6, 3, {0, 2, 4}},
	[KILN_TOPOLOGY_TRIANGLESTRIP_ADJ] = {6, 2, 3, {0, 2, 4}},
};

uint32_t assembly_count(uint32_t topology, uint32_t length)
{
	const struct regular *r = &rows[topology];

	return length < r->count ? 0 : (length - r->count) / r->step + 1;
}

static void strip_with_adjacency(uint32_t i, uint32_t n, uint32_t at[6])
{
	uint32_t k = 2 * i, beyond = i + 1 == n ? k + 5 : k + 6;
	const uint32_t even[6] = {k, i ? k - 2 : 1, k + 2, beyond, k + 4, k + 3};
	const uint32_t odd[6] = {k, k + 3, k + 4, beyond, k + 2, k - 2};

	memcpy(at, i & 1 ? odd : even, sizeof even);
}

void assembly_get(uint32_t topology, uint32_t i, uint32_t n, struct assembled *out)
{
	const struct regular *r = &rows[topology];

	*out = (struct assembled){.count = r->count, .real_count = r->real_count};
	memcpy(out->real, r->real, sizeof out->real);
	for (uint32_t k = 0; k < r->count; k++)
		out->at[k] = r->step * i + k;
	if (topology == KILN_TOPOLOGY_TRIANGLEFAN)
		out->at[0] = 0;
	if (topology == KILN_TOPOLOGY_TRIANGLESTRIP_ADJ)
		strip_with_adjacency(i, n, out->at);
	if (topology == KILN_TOPOLOGY_TRIANGLESTRIP && i & 1)
		out->real[1] = 2, out->real[2] = 1; /* winds the other way; its first vertex stays the leading one */
}
