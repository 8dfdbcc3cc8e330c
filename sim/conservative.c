/* Conservative rasterisation (facts 1.12), all tiers. Pixels and facets are closed sets; the uncertainty is the square of one
 * subpixel (1/256 pixel) around each point: a pixel that grows by it and then shares more than a boundary with the facet is
 * touched, one that fits into the facet with it is contained. That is tier 3's limit, and twice what snapping can move a
 * vertex, so nothing that the unsnapped primitive meets is lost. All integers. */
#include "sim/draw.h"

static struct pixel_bounds grown(int32_t x, int32_t y, int32_t size)
{
	return (struct pixel_bounds){
		x * SUBPIXELS - 1, y * SUBPIXELS - 1, (x + size) * SUBPIXELS + 1, (y + size) * SUBPIXELS + 1};
}

static bool is_point(const struct edge *e) { return e->a == 0 && e->b == 0; }

/* By separating axes: two convex sets are apart when a side of one of them has the other beyond it. A facet without area has
 * its line as an edge in both directions. */
bool facet_touches(const struct facet *f, int32_t x, int32_t y, int32_t size)
{
	const struct pixel_bounds r = grown(x, y, size);

	if ((f->x[0] <= r.x0 && f->x[1] <= r.x0 && f->x[2] <= r.x0) || (f->x[0] >= r.x1 && f->x[1] >= r.x1 && f->x[2] >= r.x1))
		return false;
	if ((f->y[0] <= r.y0 && f->y[1] <= r.y0 && f->y[2] <= r.y0) || (f->y[0] >= r.y1 && f->y[1] >= r.y1 && f->y[2] >= r.y1))
		return false;
	for (int i = 0; i < 3; i++) {
		if (!is_point(&f->edge[i]) && edge_most(&f->edge[i], &r) <= 0)
			return false;
	}
	return true;
}

/* The facets are a fan around their first corner: the outer sides are the ones opposite to it, and the first and last spoke. */
static bool side_contains(const struct shape *s, unsigned facet, int side, const struct pixel_bounds *r)
{
	const struct facet *f = &s->facet[facet];
	bool spoke = (side == 1 && facet + 1 < s->facet_count) || (side == 2 && facet > 0);

	return spoke || edge_least(&f->edge[side], r) >= 0;
}

bool shape_contains(const struct shape *s, int32_t x, int32_t y)
{
	const struct pixel_bounds r = grown(x, y, 1);
	bool area = false;

	for (unsigned i = 0; i < s->facet_count; i++) {
		for (int side = 0; side < 3; side++) {
			if (!side_contains(s, i, side, &r))
				return false;
		}
		area |= snapped_area(s->facet[i].x, s->facet[i].y) != 0;
	}
	return area;
}
