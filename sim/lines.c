/* Lines over pixels: the diamond rule, in integers, and the area rule of alpha-antialiased lines, in binary64 with exactly
 * rounded operations only. Ends in 1/256 pixel. */
#include "sim/draw.h"
#include <math.h>

enum { HALF = SUBPIXELS / 2 };

bool line_near(const int32_t x[2], const int32_t y[2], int32_t px, int32_t py, int32_t size)
{
	const struct pixel_bounds r = {px * SUBPIXELS, py * SUBPIXELS, (px + size) * SUBPIXELS, (py + size) * SUBPIXELS};
	int64_t dx = (int64_t)x[1] - x[0], dy = (int64_t)y[1] - y[0];
	struct edge e = {.a = -dy, .b = dx, .c = dy * x[0] - dx * y[0]};

	if ((x[0] < r.x0 && x[1] < r.x0) || (x[0] > r.x1 && x[1] > r.x1) || (y[0] < r.y0 && y[1] < r.y0) ||
		(y[0] > r.y1 && y[1] > r.y1))
		return false;
	return edge_most(&e, &r) >= 0 && edge_least(&e, &r) <= 0;
}

/* ---- diamonds ---- */

/* A range of s in [0, 1] as fractions with positive denominators, its ends in or out. */
struct range {
	int64_t low, low_over, high, high_over;
	bool low_open, high_open, empty;
};

/* Keeps the part where from + s * step > limit, or >= where not strict. */
static void keep_above(struct range *r, int64_t from, int64_t step, int64_t limit, bool strict)
{
	int64_t gap = limit - from;

	if (step == 0) {
		r->empty |= strict ? gap >= 0 : gap > 0;
	} else if (step > 0) {
		int64_t order = gap * r->low_over - r->low * step;

		if (order > 0 || (order == 0 && strict)) {
			r->low = gap, r->low_over = step;
			r->low_open = strict;
		}
	} else {
		int64_t order = -gap * r->high_over + r->high * step;

		if (order < 0 || (order == 0 && strict)) {
			r->high = -gap, r->high_over = -step;
			r->high_open = strict;
		}
	}
}

static bool is_empty(const struct range *r)
{
	int64_t order = r->low * r->high_over - r->high * r->low_over;

	return r->empty || order > 0 || (order == 0 && (r->low_open || r->high_open));
}

/* In u = x + y and v = x - y from the centre a diamond is a square, -128 < u <= 128 and -128 <= v < 128: its lower edges and
 * bottom corner are in. The right corner (128, 128) is in for y-major lines too. */
bool line_leaves_diamond(const int32_t x[2], const int32_t y[2], int32_t px, int32_t py)
{
	const int64_t cx = (int64_t)px * SUBPIXELS + HALF, cy = (int64_t)py * SUBPIXELS + HALF;
	const int64_t u0 = x[0] - cx + (y[0] - cy), v0 = x[0] - cx - (y[0] - cy);
	const int64_t u1 = x[1] - cx + (y[1] - cy), v1 = x[1] - cx - (y[1] - cy), du = u1 - u0, dv = v1 - v0;
	struct range r = {.low_over = 1, .high = 1, .high_over = 1};
	bool y_major = du * dv < 0; /* (dx + dy)(dx - dy) */
	bool ends_in = (u1 > -HALF && u1 <= HALF && v1 >= -HALF && v1 < HALF) || (y_major && u1 == HALF && v1 == HALF);

	if (ends_in)
		return false;
	keep_above(&r, u0, du, -HALF, true);
	keep_above(&r, -u0, -du, -HALF, false);
	keep_above(&r, v0, dv, -HALF, false);
	keep_above(&r, -v0, -dv, -HALF, true);
	if (!is_empty(&r))
		return true;
	return y_major && du * (HALF - v0) == dv * (HALF - u0) && du * (HALF - u0) >= 0 && du * (u1 - HALF) > 0;
}

/* ---- area ---- */

struct corner {
	double x, y;
};

/* Part of a convex polygon where sign * coordinate <= limit. */
static unsigned cut(const struct corner *from, unsigned count, bool vertical, double sign, double limit, struct corner *to)
{
	unsigned n = 0;

	for (unsigned i = 0; i < count; i++) {
		struct corner a = from[i], b = from[(i + 1) % count];
		double da = sign * (vertical ? a.y : a.x) - limit, db = sign * (vertical ? b.y : b.x) - limit, t;

		if (da <= 0)
			to[n++] = a;
		if ((da <= 0) == (db <= 0))
			continue;
		t = da / (da - db);
		to[n++] = (struct corner){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
	}
	return n;
}

/* Area of the convex polygon inside the square of this half width around the origin. */
static double area_within(const struct corner rectangle[4], double half)
{
	struct corner p[2][8] = {{{0, 0}}};
	unsigned n = cut(rectangle, 4, false, 1, half, p[0]);
	double sum = 0;

	n = cut(p[0], n, false, -1, half, p[1]);
	n = cut(p[1], n, true, 1, half, p[0]);
	n = cut(p[0], n, true, -1, half, p[1]);
	for (unsigned i = 0; i < n; i++) {
		struct corner a = p[1][i], b = p[1][(i + 1) % n];

		sum += a.x * b.y - b.x * a.y;
	}
	return sum < 0 ? -sum / 2 : sum / 2;
}

/* The specification's reference: the mean of five shares, those of the squares 1, 1.5, 2, 2.5 and 3 pixels wide. */
float line_alpha(const int32_t x[2], const int32_t y[2], int32_t px, int32_t py)
{
	const double cx = px + 0.5, cy = py + 0.5, x0 = (double)x[0] / SUBPIXELS - cx, y0 = (double)y[0] / SUBPIXELS - cy;
	const double x1 = (double)x[1] / SUBPIXELS - cx, y1 = (double)y[1] / SUBPIXELS - cy, dx = x1 - x0, dy = y1 - y0;
	const double length = sqrt(dx * dx + dy * dy);
	double sum = 0;

	if (length == 0)
		return 0;
	const double hx = -dy / length / 2, hy = dx / length / 2;
	const struct corner rectangle[4] = {{x0 + hx, y0 + hy}, {x1 + hx, y1 + hy}, {x1 - hx, y1 - hy}, {x0 - hx, y0 - hy}};

	for (int i = 0; i < 5; i++) {
		double half = 0.5 + 0.25 * i;

		sum += area_within(rectangle, half) / (4 * half * half);
	}
	return (float)(sum / 5);
}
