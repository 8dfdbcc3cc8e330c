/* Coverage: a triangle with exact integer edges -> 2x2 quads with a mask of covered samples.
 * A sample is covered when it is inside all three edges, or on one that is top or left (setup.c made that a threshold),
 * so neighbours that share an edge never both cover a sample nor both miss it. The walk (8x8 tiles row by row, quads row by
 * row) is part of the architecture: it fixes which lane a pixel gets. */
#include "sim/draw.h"

enum { TILE = 8 };

/* The edge's value at the centre of pixel (x, y). */
static int64_t edge_at(const struct edge *e, int32_t x, int32_t y)
{
	return e->a * ((int64_t)x * SUBPIXELS + SUBPIXELS / 2) + e->b * ((int64_t)y * SUBPIXELS + SUBPIXELS / 2) + e->c;
}

/* The edge's largest value over the pixels from (x, y) on, size pixels wide and high, corners included. */
static int64_t edge_best(const struct edge *e, int32_t x, int32_t y, int32_t size)
{
	return e->a * (int64_t)(e->a > 0 ? x + size : x) * SUBPIXELS + e->b * (int64_t)(e->b > 0 ? y + size : y) * SUBPIXELS + e->c;
}

static int64_t edge_worst(const struct edge *e, int32_t x, int32_t y, int32_t size)
{
	return e->a * (int64_t)(e->a > 0 ? x : x + size) * SUBPIXELS + e->b * (int64_t)(e->b > 0 ? y : y + size) * SUBPIXELS + e->c;
}

static uint64_t inside(const struct edge *e, const struct sample_pattern *s, int32_t x, int32_t y)
{
	const int64_t a = e->a * (SUBPIXELS / 16), b = e->b * (SUBPIXELS / 16);
	uint64_t mask = 0;

	for (unsigned p = 0; p < 4; p++) {
		int64_t center = edge_at(e, x + (int32_t)(p & 1), y + (int32_t)(p >> 1)) - e->exclusive;

		for (unsigned i = 0; i < s->count; i++)
			mask |= (uint64_t)(center + a * s->at[p][i][0] + b * s->at[p][i][1] >= 0) << (16 * p + i);
	}
	return mask;
}

static uint64_t quad_coverage(const struct triangle *t, const struct pixel_bounds *b, const struct sample_pattern *s,
	int32_t x, int32_t y)
{
	uint64_t mask = ((1ull << s->count) - 1) * 0x0001000100010001ull;

	if (x < b->x0)
		mask &= ~0x0000ffff0000ffffull;
	if (x + 1 >= b->x1)
		mask &= ~0xffff0000ffff0000ull;
	if (y < b->y0)
		mask &= ~0x00000000ffffffffull;
	if (y + 1 >= b->y1)
		mask &= ~0xffffffff00000000ull;
	for (int i = 0; i < 3; i++) {
		if (edge_worst(&t->edge[i], x, y, 2) < t->edge[i].exclusive)
			mask &= inside(&t->edge[i], s, x, y);
	}
	return mask;
}

static int32_t min3(const int32_t v[3])
{
	int32_t m = v[0] < v[1] ? v[0] : v[1];

	return m < v[2] ? m : v[2];
}

static int32_t max3(const int32_t v[3])
{
	int32_t m = v[0] > v[1] ? v[0] : v[1];

	return m > v[2] ? m : v[2];
}

/* Pixels that meet the triangle's box, and lie in the bounds. */
static struct pixel_bounds box(const struct triangle *t, const struct pixel_bounds *b)
{
	struct pixel_bounds r = {
		.x0 = min3(t->x) >> 8,
		.y0 = min3(t->y) >> 8,
		.x1 = (max3(t->x) >> 8) + 1,
		.y1 = (max3(t->y) >> 8) + 1,
	};

	r.x0 = r.x0 > b->x0 ? r.x0 : b->x0;
	r.y0 = r.y0 > b->y0 ? r.y0 : b->y0;
	r.x1 = r.x1 < b->x1 ? r.x1 : b->x1;
	r.y1 = r.y1 < b->y1 ? r.y1 : b->y1;
	return r;
}

static bool raster_tile(const struct triangle *t, const struct pixel_bounds *r, const struct sample_pattern *s, int32_t tx,
	int32_t ty, quad_fn *emit, void *user)
{
	int32_t x0 = tx > (r->x0 & ~1) ? tx : r->x0 & ~1, y0 = ty > (r->y0 & ~1) ? ty : r->y0 & ~1;

	for (int32_t y = y0; y < ty + TILE && y < r->y1; y += 2) {
		for (int32_t x = x0; x < tx + TILE && x < r->x1; x += 2) {
			uint64_t coverage = quad_coverage(t, r, s, x, y);

			if (coverage && !emit(user, t, x, y, coverage))
				return false;
		}
	}
	return true;
}

/* No sample of the tile is inside this edge. */
static bool misses_tile(const struct edge *e, int32_t x, int32_t y)
{
	return edge_best(e, x, y, TILE) < e->exclusive;
}

bool raster_triangle(const struct triangle *t, const struct pixel_bounds *b, const struct sample_pattern *samples,
	quad_fn *emit, void *user)
{
	struct pixel_bounds r = box(t, b);

	for (int32_t ty = r.y0 & ~(TILE - 1); ty < r.y1; ty += TILE) {
		for (int32_t tx = r.x0 & ~(TILE - 1); tx < r.x1; tx += TILE) {
			if (misses_tile(&t->edge[0], tx, ty) || misses_tile(&t->edge[1], tx, ty) || misses_tile(&t->edge[2], tx, ty))
				continue;
			if (!raster_tile(t, &r, samples, tx, ty, emit, user))
				return false;
		}
	}
	return true;
}
