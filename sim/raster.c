/* Coverage: a triangle with exact integer edges -> 2x2 quads with a mask of covered pixel centres.
 * A centre is covered when it is inside all three edges, or on one that is top or left (setup.c made that a threshold),
 * so neighbours that share an edge never both cover a pixel nor both miss it. The walk (8x8 tiles row by row, quads row by
 * row) is part of the architecture: it fixes which lane a pixel gets. */
#include "sim/draw.h"

enum { TILE = 8 };

/* The edge's value at the centre of pixel (x, y). */
static int64_t edge_at(const struct edge *e, int32_t x, int32_t y)
{
	return e->a * ((int64_t)x * SUBPIXELS + SUBPIXELS / 2) + e->b * ((int64_t)y * SUBPIXELS + SUBPIXELS / 2) + e->c;
}

/* No centre of the tile is inside this edge. */
static bool edge_misses_tile(const struct edge *e, int32_t x, int32_t y)
{
	int64_t best = edge_at(e, e->a > 0 ? x + TILE - 1 : x, e->b > 0 ? y + TILE - 1 : y);

	return best < e->exclusive;
}

static unsigned quad_mask(const struct triangle *t, const struct pixel_bounds *b, int32_t x, int32_t y)
{
	unsigned mask = 15;

	if (x < b->x0)
		mask &= ~5u;
	if (x + 1 >= b->x1)
		mask &= ~10u;
	if (y < b->y0)
		mask &= ~3u;
	if (y + 1 >= b->y1)
		mask &= ~12u;
	for (int i = 0; i < 3; i++) {
		const struct edge *e = &t->edge[i];
		int64_t v = edge_at(e, x, y) - e->exclusive, right = e->a * SUBPIXELS, down = e->b * SUBPIXELS;

		mask &= (v >= 0 ? 1u : 0) | (v + right >= 0 ? 2u : 0) | (v + down >= 0 ? 4u : 0) | (v + right + down >= 0 ? 8u : 0);
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

/* Pixels whose centres lie within the triangle's box, and in the bounds. */
static struct pixel_bounds box(const struct triangle *t, const struct pixel_bounds *b)
{
	struct pixel_bounds r = {
		.x0 = (min3(t->x) + SUBPIXELS / 2 - 1) >> 8,
		.y0 = (min3(t->y) + SUBPIXELS / 2 - 1) >> 8,
		.x1 = ((max3(t->x) - SUBPIXELS / 2) >> 8) + 1,
		.y1 = ((max3(t->y) - SUBPIXELS / 2) >> 8) + 1,
	};

	r.x0 = r.x0 > b->x0 ? r.x0 : b->x0;
	r.y0 = r.y0 > b->y0 ? r.y0 : b->y0;
	r.x1 = r.x1 < b->x1 ? r.x1 : b->x1;
	r.y1 = r.y1 < b->y1 ? r.y1 : b->y1;
	return r;
}

static bool raster_tile(const struct triangle *t, const struct pixel_bounds *r, int32_t tx, int32_t ty, quad_fn *emit,
	void *user)
{
	int32_t x0 = tx > (r->x0 & ~1) ? tx : r->x0 & ~1, y0 = ty > (r->y0 & ~1) ? ty : r->y0 & ~1;

	for (int32_t y = y0; y < ty + TILE && y < r->y1; y += 2) {
		for (int32_t x = x0; x < tx + TILE && x < r->x1; x += 2) {
			unsigned mask = quad_mask(t, r, x, y);

			if (mask && !emit(user, t, x, y, mask))
				return false;
		}
	}
	return true;
}

bool raster_triangle(const struct triangle *t, const struct pixel_bounds *b, quad_fn *emit, void *user)
{
	struct pixel_bounds r = box(t, b);

	for (int32_t ty = r.y0 & ~(TILE - 1); ty < r.y1; ty += TILE) {
		for (int32_t tx = r.x0 & ~(TILE - 1); tx < r.x1; tx += TILE) {
			if (edge_misses_tile(&t->edge[0], tx, ty) || edge_misses_tile(&t->edge[1], tx, ty)
					|| edge_misses_tile(&t->edge[2], tx, ty))
				continue;
			if (!raster_tile(t, &r, tx, ty, emit, user))
				return false;
		}
	}
	return true;
}
