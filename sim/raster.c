/* Coverage: a shape with exact integer edges -> 2x2 quads with a mask of covered samples.
 * A sample is covered when it is inside all three edges of a facet, or on one that is top or left (setup.c made that a
 * threshold), so neighbours that share an edge never both cover a sample nor both miss it. The walk (8x8 tiles row by row,
 * quads row by row) is part of the architecture: it fixes which lane a pixel gets. */
#include "sim/draw.h"
#include <string.h>

enum { TILE = 8 };

/* ---- edges over rectangles ---- */

int64_t edge_most(const struct edge *e, const struct pixel_bounds *r)
{
	return e->a * (e->a > 0 ? r->x1 : r->x0) + e->b * (e->b > 0 ? r->y1 : r->y0) + e->c;
}

int64_t edge_least(const struct edge *e, const struct pixel_bounds *r)
{
	return e->a * (e->a > 0 ? r->x0 : r->x1) + e->b * (e->b > 0 ? r->y0 : r->y1) + e->c;
}

static struct pixel_bounds square(int32_t x, int32_t y, int32_t size)
{
	return (struct pixel_bounds){x * SUBPIXELS, y * SUBPIXELS, (x + size) * SUBPIXELS, (y + size) * SUBPIXELS};
}

/* ---- samples in facets ---- */

/* One sample at the centre: the pattern without multisampling. */
static bool is_single(const struct sample_pattern *s)
{
	static const int8_t none[4][2];

	for (int p = 0; p < 4; p++) {
		if (memcmp(s->at[p][0], none[p], sizeof none[p]))
			return false;
	}
	return s->count == 1;
}

/* Values at the four centres differ by whole pixels. */
static uint64_t edge_centers(const struct edge *e, int32_t x, int32_t y)
{
	const int64_t a = e->a * SUBPIXELS, b = e->b * SUBPIXELS;
	int64_t v = e->a * ((int64_t)x * SUBPIXELS + SUBPIXELS / 2) + e->b * ((int64_t)y * SUBPIXELS + SUBPIXELS / 2) + e->c - e->exclusive;

	return (uint64_t)(v >= 0) | (uint64_t)(v + a >= 0) << 16 | (uint64_t)(v + b >= 0) << 32 | (uint64_t)(v + a + b >= 0) << 48;
}

static uint64_t edge_samples(const struct edge *e, const struct sample_pattern *s, int32_t x, int32_t y)
{
	const int64_t a = e->a * (SUBPIXELS / 16), b = e->b * (SUBPIXELS / 16);
	uint64_t mask = 0;

	for (int p = 0; p < 4; p++) {
		int64_t cx = (int64_t)(x + (p & 1)) * SUBPIXELS + SUBPIXELS / 2;
		int64_t cy = (int64_t)(y + (p >> 1)) * SUBPIXELS + SUBPIXELS / 2;
		int64_t center = e->a * cx + e->b * cy + e->c - e->exclusive;

		for (int i = 0; i < s->count; i++)
			mask |= (uint64_t)(center + a * s->at[p][i][0] + b * s->at[p][i][1] >= 0) << (16 * p + i);
	}
	return mask;
}

static uint64_t all_samples(const struct sample_pattern *s) { return ((1ull << s->count) - 1) * 0x0001000100010001ull; }

static uint64_t facet_samples(const struct facet *f, const struct sample_pattern *s, int32_t x, int32_t y)
{
	const struct pixel_bounds quad = square(x, y, 2);
	uint64_t mask = all_samples(s);

	for (int i = 0; i < 3 && mask; i++) {
		if (edge_most(&f->edge[i], &quad) < f->edge[i].exclusive)
			return 0;
		if (edge_least(&f->edge[i], &quad) < f->edge[i].exclusive)
			mask &= edge_samples(&f->edge[i], s, x, y);
	}
	return mask;
}

/* ---- shapes ---- */

static bool pixel_covered(const struct shape *s, int32_t x, int32_t y)
{
	switch (s->cover) {
	case COVER_DIAMONDS: return line_leaves_diamond(s->x, s->y, x, y);
	case COVER_AREA: return line_alpha(s->x, s->y, x, y) > 0;
	}
	for (unsigned i = 0; i < s->facet_count; i++) {
		if (facet_touches(&s->facet[i], x, y, 1))
			return true;
	}
	return false;
}

static uint64_t shape_coverage(const struct shape *s, const struct sample_pattern *samples, int32_t x, int32_t y)
{
	uint64_t mask = 0, pixel = (1ull << samples->count) - 1;

	if (s->cover == COVER_SAMPLES) {
		for (unsigned i = 0; i < s->facet_count; i++)
			mask |= facet_samples(&s->facet[i], samples, x, y);
		return mask;
	}
	for (int p = 0; p < 4; p++)
		mask |= pixel_covered(s, x + (p & 1), y + (p >> 1)) ? pixel << 16 * p : 0;
	return mask;
}

/* False: no sample of the rectangle is inside. */
static bool facet_meets(const struct facet *f, const struct pixel_bounds *r)
{
	for (int i = 0; i < 3; i++) {
		if (edge_most(&f->edge[i], r) < f->edge[i].exclusive)
			return false;
	}
	return true;
}

bool raster_misses(const struct shape *s, int32_t x, int32_t y, int32_t size)
{
	const struct pixel_bounds tile = square(x, y, size);

	switch (s->cover) {
	case COVER_DIAMONDS: return !line_near(s->x, s->y, x, y, size);
	case COVER_AREA: return !line_near(s->x, s->y, x - 2, y - 2, size + 4);
	}
	for (unsigned i = 0; i < s->facet_count; i++) {
		const struct facet *f = &s->facet[i];

		if (s->cover == COVER_TOUCHED ? facet_touches(f, x, y, size) : facet_meets(f, &tile))
			return false;
	}
	return true;
}

/* ---- the walk ---- */

static void widen(struct pixel_bounds *r, const int32_t *x, const int32_t *y, int count)
{
	for (int i = 0; i < count; i++) {
		r->x0 = x[i] < r->x0 ? x[i] : r->x0;
		r->y0 = y[i] < r->y0 ? y[i] : r->y0;
		r->x1 = x[i] > r->x1 ? x[i] : r->x1;
		r->y1 = y[i] > r->y1 ? y[i] : r->y1;
	}
}

/* Pixels of the bounds that the shape may cover: those that its box meets, and two more around a line's. */
struct pixel_bounds raster_box(const struct shape *s, const struct pixel_bounds *b)
{
	struct pixel_bounds r = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
	int32_t margin = s->cover == COVER_DIAMONDS || s->cover == COVER_AREA ? 2 * SUBPIXELS : 1;

	for (unsigned i = 0; i < s->facet_count; i++)
		widen(&r, s->facet[i].x, s->facet[i].y, 3);
	if (!s->facet_count)
		widen(&r, s->x, s->y, 2);
	r = (struct pixel_bounds){
		(r.x0 - margin) >> 8, (r.y0 - margin) >> 8, ((r.x1 + margin) >> 8) + 1, ((r.y1 + margin) >> 8) + 1};
	r.x0 = r.x0 > b->x0 ? r.x0 : b->x0;
	r.y0 = r.y0 > b->y0 ? r.y0 : b->y0;
	r.x1 = r.x1 < b->x1 ? r.x1 : b->x1;
	r.y1 = r.y1 < b->y1 ? r.y1 : b->y1;
	return r;
}

/* The samples of those pixels of the quad that lie in the bounds. */
static uint64_t bounded(const struct pixel_bounds *b, int32_t x, int32_t y)
{
	uint64_t mask = ~0ull;

	if (x < b->x0)
		mask &= ~0x0000ffff0000ffffull;
	if (x + 1 >= b->x1)
		mask &= ~0xffff0000ffff0000ull;
	if (y < b->y0)
		mask &= ~0x00000000ffffffffull;
	if (y + 1 >= b->y1)
		mask &= ~0xffffffff00000000ull;
	return mask;
}

struct walk {
	const struct shape *shape;
	const struct triangle *t;
	const struct sample_pattern *samples;
	bool single;                  /* one, at the centre */
	struct pixel_bounds box;
	quad_fn *emit;
	void *user;
};

static bool walk_tile(const struct walk *w, int32_t tx, int32_t ty)
{
	const struct pixel_bounds *r = &w->box;
	int32_t x0 = tx > (r->x0 & ~1) ? tx : r->x0 & ~1, y0 = ty > (r->y0 & ~1) ? ty : r->y0 & ~1;

	for (int32_t y = y0; y < ty + TILE && y < r->y1; y += 2) {
		for (int32_t x = x0; x < tx + TILE && x < r->x1; x += 2) {
			uint64_t coverage = shape_coverage(w->shape, w->samples, x, y) & bounded(r, x, y);

			if (coverage && !w->emit(w->user, w->t, x, y, coverage))
				return false;
		}
	}
	return true;
}

/* One facet: what an edge says of the whole tile is not asked again of its quads. */
static bool walk_facet(const struct walk *w, int32_t tx, int32_t ty)
{
	const struct facet *f = &w->shape->facet[0];
	const struct pixel_bounds *r = &w->box, tile = square(tx, ty, TILE);
	int32_t x0 = tx > (r->x0 & ~1) ? tx : r->x0 & ~1, y0 = ty > (r->y0 & ~1) ? ty : r->y0 & ~1;
	bool inner = tx >= r->x0 && ty >= r->y0 && tx + TILE <= r->x1 && ty + TILE <= r->y1;
	uint64_t all = all_samples(w->samples);
	const struct edge *open[3];
	unsigned count = 0;

	for (int i = 0; i < 3; i++) {
		if (edge_most(&f->edge[i], &tile) < f->edge[i].exclusive)
			return true;
		if (edge_least(&f->edge[i], &tile) < f->edge[i].exclusive)
			open[count++] = &f->edge[i];
	}
	for (int32_t y = y0; y < ty + TILE && y < r->y1; y += 2) {
		for (int32_t x = x0; x < tx + TILE && x < r->x1; x += 2) {
			uint64_t coverage = inner ? all : all & bounded(r, x, y);

			for (unsigned i = 0; i < count && coverage; i++)
				coverage &= w->single ? edge_centers(open[i], x, y) : edge_samples(open[i], w->samples, x, y);
			if (coverage && !w->emit(w->user, w->t, x, y, coverage))
				return false;
		}
	}
	return true;
}

bool raster_shape(const struct shape *s, const struct triangle *t, const struct pixel_bounds *b,
	const struct sample_pattern *samples, quad_fn *emit, void *user)
{
	const struct walk w = {.shape = s, .t = t, .samples = samples, .single = is_single(samples), .box = raster_box(s, b), .emit = emit, .user = user};

	bool facet = s->cover == COVER_SAMPLES && s->facet_count == 1;

	for (int32_t ty = w.box.y0 & ~(TILE - 1); ty < w.box.y1; ty += TILE) {
		for (int32_t tx = w.box.x0 & ~(TILE - 1); tx < w.box.x1; tx += TILE) {
			if (facet) {
				if (!walk_facet(&w, tx, ty))
					return false;
				continue;
			}
			if (!raster_misses(s, tx, ty, TILE) && !walk_tile(&w, tx, ty))
				return false;
		}
	}
	return true;
}
