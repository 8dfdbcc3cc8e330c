/* Coverage of 100,000 random primitives against oracles written from the rules, which share no code and no formula with the
 * rasteriser: triangles by the scan-line form of the top-left rule at every sample, lines by walking each diamond's crossings
 * in exact fractions, points by their square, conservative rasterisation by clipping; and meshes, which must cover each
 * sample once. Pixels and lines are those of the specification's figure where it has them. */
#include "sim/draw.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { GRID = 32 };
__extension__ typedef __int128 wide;
struct point {
	int64_t x, y;
};
struct grid {
	uint8_t hits[GRID][GRID][SAMPLES_MAX];
};

static uint32_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

static int64_t between(uint64_t *state, int64_t lo, int64_t hi)
{
	return lo + (int64_t)(next(state) % (uint64_t)(hi - lo + 1));
}

static bool mark(void *user, const struct triangle *t, int32_t x, int32_t y, uint64_t coverage)
{
	struct grid *g = user;

	(void)t;
	cr_assert(x % 2 == 0 && y % 2 == 0 && coverage, "quad at %d, %d", x, y);
	for (int bit = 0; bit < 64; bit++) {
		if (coverage >> bit & 1)
			g->hits[y + (bit >> 5)][x + (bit >> 4 & 1)][bit & 15]++;
	}
	return true;
}

/* Standard, at the centre, and any positions over 2x2 pixels. */
static void any_pattern(uint64_t *s, unsigned count, struct sample_pattern *p)
{
	uint32_t kind = next(s) % 4;

	sample_pattern_standard(count, p);
	if (kind == 1)
		sample_pattern_center(count, p);
	for (unsigned i = 0; i < 4 * count && kind > 1; i++) {
		p->at[i / count][i % count][0] = (int8_t)between(s, -8, 7);
		p->at[i / count][i % count][1] = (int8_t)between(s, -8, 7);
	}
}

static struct point sample_at(const struct sample_pattern *p, int x, int y, int s)
{
	const int8_t *at = p->at[(y & 1) * 2 + (x & 1)][s];

	return (struct point){x * 256 + 128 + at[0] * 16, y * 256 + 128 + at[1] * 16};
}

/* ---- triangles ---- */

/* An edge spans the rows y_min <= y < y_max; inside is an odd number of crossings at or left of the sample. */
static bool oracle_inside(const struct point p[3], struct point at)
{
	int crossings = 0;

	for (int i = 0; i < 3; i++) {
		struct point a = p[i], b = p[(i + 1) % 3];

		if (a.y > b.y) {
			struct point c = a;
			a = b, b = c;
		}
		if (a.y <= at.y && at.y < b.y && (at.y - a.y) * (b.x - a.x) <= (at.x - a.x) * (b.y - a.y))
			crossings++;
	}
	return crossings & 1;
}

/* Shapes that break rasterisers: on samples, tiny, thin, flat, far away, huge. */
static void random_triangle(uint64_t *s, int kind, int64_t side, struct point p[3])
{
	const int64_t far = 1 << 23;

	for (int i = 0; i < 3; i++) {
		p[i] = (struct point){between(s, -side / 4, side + side / 4), between(s, -side / 4, side + side / 4)};
		switch (kind) {
		case 1: p[i].x = p[i].x / 16 * 16, p[i].y = p[i].y / 16 * 16; break;
		case 2: p[i].x = 700 + p[i].x % 300, p[i].y = 500 + p[i].y % 300; break;
		case 3: p[i].y = p[i].x / 3 + between(s, 0, 40); break;
		case 4: p[i].y = i == 2 ? p[i].y : p[0].y; break;
		case 5: p[i].x = p[0].x + (p[i].x - p[0].x) % 2 * 128; break;
		case 6: p[i].y = p[i].x * 2; break;
		case 7: p[i] = (struct point){between(s, -far, far - 1), between(s, -far, far - 1)}; break;
		case 8: p[i].x = p[i].x / 256 * 256 + 128, p[i].y = p[i].y / 256 * 256 + 128; break;
		}
	}
}

static bool set_facet(struct facet *f, const struct point p[3])
{
	for (int i = 0; i < 3; i++)
		f->x[i] = (int32_t)p[i].x, f->y[i] = (int32_t)p[i].y;
	return facet_orient(f) != 0;
}

static void cover(const struct shape *s, int side, const struct sample_pattern *samples, struct grid *g)
{
	const struct pixel_bounds b = {0, 0, side, side};

	cr_assert(raster_shape(s, NULL, &b, samples, mark, g));
}

/* A side with about as many samples whatever their count. */
static const struct {
	unsigned count;
	int side;
} sizes[] = {{1, 24}, {2, 17}, {4, 12}, {8, 9}, {16, 6}};

Test(coverage, triangles)
{
	static struct shape s = {.cover = COVER_SAMPLES, .facet_count = 1};
	uint64_t state = 11;
	long covered = 0;

	for (int n = 0; n < 60000; n++) {
		unsigned count = sizes[n % 5].count;
		int side = sizes[n % 5].side;
		struct sample_pattern samples;
		struct grid g = {0};
		struct point p[3];
		long hits = 0;

		any_pattern(&state, count, &samples);
		random_triangle(&state, n / 5 % 9, side * 256, p);
		if (set_facet(&s.facet[0], p))
			cover(&s, side, &samples, &g);
		for (int i = 0; i < side * side * (int)count; i++) {
			int x = i / (int)count % side, y = i / (int)count / side, k = i % (int)count;
			bool in = oracle_inside(p, sample_at(&samples, x, y, k));

			hits += in;
			if (g.hits[y][x][k] != in)
				cr_assert(false, "triangle %d, %u samples, (%ld,%ld)-(%ld,%ld)-(%ld,%ld): sample %d of pixel %d, %d: %d", n,
					count, (long)p[0].x, (long)p[0].y, (long)p[1].x, (long)p[1].y, (long)p[2].x, (long)p[2].y, k, x, y,
					g.hits[y][x][k]);
		}
		covered += hits;
	}
	cr_assert_gt(covered, 2000000, "the triangles hardly cover anything: %ld", covered);
}

/* A grid with moved inner corners: every sample of the part that it covers for certain is hit once. */
Test(coverage, meshes_cover_once)
{
	enum { CELLS = 7, SIDE = 10 };
	static struct shape s = {.cover = COVER_SAMPLES, .facet_count = 1};
	uint64_t state = 12;

	for (int n = 0; n < 400; n++) {
		unsigned count = 1u << n % 5;
		struct point corner[CELLS + 1][CELLS + 1];
		struct sample_pattern samples;
		struct grid g = {0};
		int64_t step = n % 3 ? 1 : 16, pitch = SIDE * 256 / CELLS + 1;

		any_pattern(&state, count, &samples);
		for (int i = 0; i < (CELLS + 1) * (CELLS + 1); i++) {
			int x = i % (CELLS + 1), y = i / (CELLS + 1);
			bool inner = x > 0 && y > 0 && x < CELLS && y < CELLS;

			corner[y][x].x = (x * pitch + (inner ? between(&state, -90, 90) : 0)) / step * step;
			corner[y][x].y = (y * pitch + (inner ? between(&state, -90, 90) : 0)) / step * step;
		}
		for (int i = 0; i < 2 * CELLS * CELLS; i++) {
			int x = i / 2 % CELLS, y = i / 2 / CELLS;
			struct point a = corner[y][x], b = corner[y][x + 1], c = corner[y + 1][x], d = corner[y + 1][x + 1];
			bool turned = (x + y + n) % 2;
			const struct point first[3] = {a, b, turned ? d : c}, second[3] = {turned ? a : b, d, c};

			if (set_facet(&s.facet[0], i % 2 ? second : first))
				cover(&s, SIDE - 1, &samples, &g);
		}
		for (int i = 0; i < (SIDE - 1) * (SIDE - 1) * (int)count; i++) {
			int x = i / (int)count % (SIDE - 1), y = i / (int)count / (SIDE - 1);

			cr_assert_eq(g.hits[y][x][i % (int)count], 1, "mesh %d, %u samples, pixel %d, %d: %d times", n, count, x, y,
				g.hits[y][x][i % (int)count]);
		}
	}
}

/* ---- aliased lines ---- */

/* In the diamond of the pixel at (0, 0), half width 128: x and y over d. The figure's rule: lower edges and the bottom corner
 * are in; the right corner for y-major lines. */
static bool in_diamond(wide x, wide y, wide d, bool y_major)
{
	wide sum = (x < 0 ? -x : x) + (y < 0 ? -y : y), half = 128 * d;

	if (sum != half)
		return sum < half;
	if (y > 0)
		return true;
	return y == 0 && x > 0 && y_major;
}

struct fraction {
	wide n, d;
}; /* d > 0 */

static bool less(struct fraction a, struct fraction b) { return a.n * b.d < b.n * a.d; }

/* Membership can change only where the line crosses one of the four lines that bound the diamond: those places, the ends, and
 * the middles between neighbours decide. */
static bool oracle_leaves(struct point a, struct point b)
{
	int64_t dx = b.x - a.x, dy = b.y - a.y;
	bool y_major = llabs(dy) > llabs(dx);
	struct fraction at[16] = {{0, 1}, {1, 1}};
	int count = 2;

	if (in_diamond(b.x, b.y, 1, y_major))
		return false;
	for (int i = 0; i < 4; i++) {
		int64_t step = i & 1 ? dx - dy : dx + dy, from = i & 1 ? a.x - a.y : a.x + a.y, to = (i & 2 ? 128 : -128) - from;
		struct fraction f = {step < 0 ? -to : to, step < 0 ? -step : step};

		if (step && f.n >= 0 && f.n <= f.d)
			at[count++] = f;
	}
	for (int i = 1; i < count; i++) {
		for (int k = i; k > 0 && less(at[k], at[k - 1]); k--) {
			struct fraction f = at[k];
			at[k] = at[k - 1], at[k - 1] = f;
		}
	}
	for (int i = 0; i < 2 * count - 1; i++) {
		struct fraction p = at[i / 2], q = at[(i + 1) / 2];
		wide n = p.n * q.d + q.n * p.d, d = 2 * p.d * q.d;

		if (in_diamond(a.x * d + dx * n, a.y * d + dy * n, d, y_major))
			return true;
	}
	return false;
}

static void aliased(struct shape *s, struct point a, struct point b)
{
	const struct window_vertex v[2] = {
		{.x = (float)a.x / 256, .y = (float)a.y / 256}, {.x = (float)b.x / 256, .y = (float)b.y / 256}};

	if (!line_shape(s, KILN_LINE_ALIASED, v))
		s->x[1] = s->x[0], s->y[1] = s->y[0];
}

static void random_line(uint64_t *s, int kind, int64_t side, struct point p[2])
{
	const int64_t far = 1 << 23;

	for (int i = 0; i < 2; i++) {
		p[i] = (struct point){between(s, -side / 4, side + side / 4), between(s, -side / 4, side + side / 4)};
		switch (kind) {
		case 1: p[i].x = p[i].x / 128 * 128, p[i].y = p[i].y / 128 * 128; break;
		case 2: p[i].x = 700 + p[i].x % 300, p[i].y = 500 + p[i].y % 300; break;
		case 3: p[i].x = p[i].x / 64 * 64, p[i].y = p[i].y / 64 * 64; break;
		case 4: p[i].y = p[0].y; break;
		case 5: p[i].x = p[0].x; break;
		case 6: p[i].y = p[0].y + (i ? p[1].x - p[0].x : 0); break;
		case 7: p[i].y = p[0].y - (i ? p[1].x - p[0].x : 0) + 64; break;
		case 8: p[i] = (struct point){between(s, -far, far - 1), between(s, -far, far - 1)}; break;
		}
	}
}

Test(coverage, aliased_lines)
{
	enum { SIDE = 14 };
	static struct shape s;
	uint64_t state = 13;
	long covered = 0;

	for (int n = 0; n < 20000; n++) {
		unsigned count = 1u << n % 5;
		struct sample_pattern samples;
		struct grid g = {0};
		struct point p[2];

		any_pattern(&state, count, &samples);
		random_line(&state, n / 5 % 9, SIDE * 256, p);
		aliased(&s, p[0], p[1]);
		cover(&s, SIDE, &samples, &g);
		for (int i = 0; i < SIDE * SIDE; i++) {
			int x = i % SIDE, y = i / SIDE;
			struct point a = {s.x[0] - x * 256 - 128, s.y[0] - y * 256 - 128},
						 b = {s.x[1] - x * 256 - 128, s.y[1] - y * 256 - 128};
			bool apart = (a.x < -128 && b.x < -128) || (a.x > 128 && b.x > 128) || (a.y < -128 && b.y < -128) ||
				(a.y > 128 && b.y > 128);
			bool in = !apart && oracle_leaves(a, b);

			covered += in;
			for (unsigned k = 0; k < count; k++)
				cr_assert_eq(g.hits[y][x][k], in, "line %d (%d,%d)-(%d,%d), pixel %d, %d: %d", n, s.x[0], s.y[0], s.x[1],
					s.y[1], x, y, g.hits[y][x][k]);
		}
	}
	cr_assert_gt(covered, 50000, "the lines hardly cover anything: %ld", covered);
}

/* From the figure of the specification (3.4.3), in pixels. */
Test(coverage, lines_of_the_figure)
{
	static const struct {
		float line[4];
		int count, pixels[6][2];
	} rows[] = {
		{{0.5f, 0.5f, 1.5f, 0.75f}, 1, {{0, 0}}},
		{{1.5f, 2.75f, 0.5f, 2.5f}, 1, {{1, 2}}},
		{{4, 2.5f, 8.5f, 4}, 4, {{4, 2}, {5, 2}, {6, 3}, {7, 3}}},
		{{10.5f, 2, 9, 6.5f}, 5, {{10, 1}, {10, 2}, {9, 3}, {9, 4}, {9, 5}}},
		{{0.5f, 6, 2.5f, 4}, 2, {{0, 5}, {1, 4}}},
		{{2.5f, 4, 4.5f, 6}, 2, {{2, 3}, {3, 4}}},
		{{6, 4.5f, 6, 5.5f}, 1, {{5, 4}}},
		{{6, 5.5f, 6, 6.5f}, 1, {{5, 5}}},
		{{11.5f, 8, 10.5f, 8}, 1, {{11, 7}}},
		{{10.5f, 8, 9.5f, 8}, 1, {{10, 7}}},
		{{3, 3, 3, 3}, 0, {{0}}},
	};
	static struct shape s;
	struct sample_pattern samples;

	sample_pattern_standard(4, &samples);
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		const float *l = rows[i].line;
		struct grid g = {0}, expected = {0};

		aliased(&s, (struct point){(int64_t)(l[0] * 256), (int64_t)(l[1] * 256)},
			(struct point){(int64_t)(l[2] * 256), (int64_t)(l[3] * 256)});
		cover(&s, 14, &samples, &g);
		for (int k = 0; k < rows[i].count; k++)
			memset(expected.hits[rows[i].pixels[k][1]][rows[i].pixels[k][0]], 1, 4);
		cr_assert_eq(memcmp(&g, &expected, sizeof g), 0, "row %zu", i);
	}
}

/* ---- rectangles, points, area ---- */

/* Samples further than rounding from the sides of the rectangle are as geometry says; none is emitted twice. */
Test(coverage, quadrilateral_lines)
{
	enum { SIDE = 12 };
	static struct shape s;
	uint64_t state = 14;
	long sure = 0;

	for (int n = 0; n < 5000; n++) {
		unsigned count = 1u << n % 5, mode = n % 2 ? KILN_LINE_QUADRILATERAL_WIDE : KILN_LINE_QUADRILATERAL_NARROW;
		double half = (n % 2 ? 1.4 : 1.0) / 2, margin = 2.0 / 256;
		struct sample_pattern samples;
		struct grid g = {0};
		struct point p[2];
		struct window_vertex v[2];

		any_pattern(&state, count, &samples);
		random_line(&state, n / 10 % 8, SIDE * 256, p);
		for (int i = 0; i < 2; i++)
			v[i] = (struct window_vertex){.x = (float)p[i].x / 256, .y = (float)p[i].y / 256};
		if (!line_shape(&s, mode, v))
			continue;
		cover(&s, SIDE, &samples, &g);
		for (int i = 0; i < SIDE * SIDE * (int)count; i++) {
			int x = i / (int)count % SIDE, y = i / (int)count / SIDE, k = i % (int)count;
			struct point at = sample_at(&samples, x, y, k);
			double dx = (double)v[1].x - v[0].x, dy = (double)v[1].y - v[0].y, length = hypot(dx, dy);
			double px = (double)at.x / 256 - v[0].x, py = (double)at.y / 256 - v[0].y;
			double along = (px * dx + py * dy) / length, across = fabs(px * dy - py * dx) / length;
			double out = fmax(fmax(-along, along - length), across - half);

			cr_assert_leq(g.hits[y][x][k], 1);
			if (length < 1 || fabs(out) < margin)
				continue;
			sure++;
			cr_assert_eq(g.hits[y][x][k], out < 0, "line %d, sample %d of pixel %d, %d: %d", n, k, x, y, g.hits[y][x][k]);
		}
	}
	cr_assert_gt(sure, 1000000);
}

Test(coverage, points)
{
	enum { SIDE = 6 };
	static struct shape s;
	uint64_t state = 15;

	for (int n = 0; n < 15000; n++) {
		unsigned count = 1u << n % 5;
		int64_t step = n % 3 ? 1 : 64;
		struct point p = {
			between(&state, -400, SIDE * 256 + 400) / step * step, between(&state, -400, SIDE * 256 + 400) / step * step};
		struct sample_pattern samples;
		struct grid g = {0};

		any_pattern(&state, count, &samples);
		point_shape(&s, &(struct window_vertex){.x = (float)p.x / 256, .y = (float)p.y / 256});
		cover(&s, SIDE, &samples, &g);
		for (int i = 0; i < SIDE * SIDE * (int)count; i++) {
			int x = i / (int)count % SIDE, y = i / (int)count / SIDE, k = i % (int)count;
			struct point at = sample_at(&samples, x, y, k);
			bool in = p.x - 128 <= at.x && at.x < p.x + 128 && p.y - 128 <= at.y && at.y < p.y + 128;

			cr_assert_eq(g.hits[y][x][k], in, "point %ld, %ld, sample %d of pixel %d, %d", (long)p.x, (long)p.y, k, x, y);
		}
	}
	point_shape(&s, &(struct window_vertex){.x = 1e30f, .y = -1e30f});
	cr_assert_eq(s.facet[0].x[0], 8388479);
}

/* By hand: horizontal through the middle of a pixel row, far from both ends, the five squares hold 1, 1.5, 2, 2.5 and 3 of
 * areas 1, 2.25, 4, 6.25 and 9. The sum over all pixels of a line is its area, but for what rounding leaves. */
Test(coverage, area_of_lines)
{
	const double expected = (1 + 1.5 / 2.25 + 2 / 4.0 + 2.5 / 6.25 + 3 / 9.0) / 5;
	uint64_t state = 16;

	cr_assert_float_eq(line_alpha((const int32_t[]){0, 20 * 256}, (const int32_t[]){1408, 1408}, 10, 5), expected, 1e-6);
	cr_assert_float_eq(line_alpha((const int32_t[]){1408, 1408}, (const int32_t[]){20 * 256, 0}, 5, 10), expected, 1e-6);
	cr_assert_eq(line_alpha((const int32_t[]){0, 20 * 256}, (const int32_t[]){1408, 1408}, 10, 7), 0);
	cr_assert_eq(line_alpha((const int32_t[]){256, 256}, (const int32_t[]){256, 256}, 1, 1), 0);
	for (int n = 0; n < 300; n++) {
		const int32_t x[2] = {(int32_t)between(&state, 1200, 6900), (int32_t)between(&state, 1200, 6900)};
		const int32_t y[2] = {(int32_t)between(&state, 1200, 6900), (int32_t)between(&state, 1200, 6900)};
		double sum = 0, length = hypot(x[1] - x[0], y[1] - y[0]) / 256;

		for (int i = 0; i < GRID * GRID; i++)
			sum += (double)line_alpha(x, y, i % GRID, i / GRID);
		/* squares 1, 2 and 3 wide tile the plane evenly; 1.5 and 2.5 ones do not quite */
		cr_assert(fabs(sum - length) <= 0.02 * length + 0.2, "line %d: %g of %g", n, sum, length);
	}
}

/* ---- conservative ---- */

/* Any of the triangle inside the open rectangle: the triangle clipped to it, in exact fractions of one denominator, has
 * something left. Clipped in doubles, which hold these small numbers exactly enough to decide all but ties. */
static double clipped_area(const struct point p[3], double x0, double y0, double x1, double y1)
{
	double a[2][16][2], limit[4] = {-x0, x1, -y0, y1}, sum = 0;
	int n = 3, now = 0;

	for (int i = 0; i < 3; i++)
		a[0][i][0] = (double)p[i].x, a[0][i][1] = (double)p[i].y;
	for (int side = 0; side < 4; side++) {
		int m = 0, axis = side / 2;
		double sign = side & 1 ? 1 : -1;

		for (int i = 0; i < n; i++) {
			const double *u = a[now][i], *v = a[now][(i + 1) % n];
			double du = limit[side] - sign * u[axis], dv = limit[side] - sign * v[axis];

			if (du >= 0)
				memcpy(a[1 - now][m++], u, sizeof a[0][0]);
			if ((du >= 0) != (dv >= 0)) {
				a[1 - now][m][0] = u[0] + du / (du - dv) * (v[0] - u[0]);
				a[1 - now][m++][1] = u[1] + du / (du - dv) * (v[1] - u[1]);
			}
		}
		n = m;
		now = 1 - now;
	}
	for (int i = 0; i < n; i++)
		sum += a[now][i][0] * a[now][(i + 1) % n][1] - a[now][(i + 1) % n][0] * a[now][i][1];
	return fabs(sum) / 2;
}

/* A pixel that the triangle itself reaches is touched, one that is apart by more than the uncertainty is not; contained ones
 * have all their area inside and a pixel inside by more than the uncertainty is contained. */
Test(coverage, conservative)
{
	enum { SIDE = 10 };
	static struct shape s = {.cover = COVER_TOUCHED, .facet_count = 1};
	struct sample_pattern samples;
	uint64_t state = 17;
	long touched = 0, contained = 0;

	sample_pattern_standard(4, &samples);
	for (int n = 0; n < 4000; n++) {
		struct grid g = {0};
		struct point p[3];

		random_triangle(&state, n % 7, SIDE * 256, p);
		if (!set_facet(&s.facet[0], p))
			continue;
		cover(&s, SIDE, &samples, &g);
		for (int i = 0; i < SIDE * SIDE; i++) {
			double x = i % SIDE * 256, y = i / SIDE * 256;
			int hit = g.hits[i / SIDE][i % SIDE][0];
			double near = clipped_area(p, x, y, x + 256, y + 256),
				   far = clipped_area(p, x - 1.01, y - 1.01, x + 257.01, y + 257.01);
			double whole = clipped_area(p, x - 1.01, y - 1.01, x + 257.01, y + 257.01) / (258.02 * 258.02);
			bool inside = shape_contains(&s, i % SIDE, i / SIDE);

			cr_assert(g.hits[i / SIDE][i % SIDE][1] == hit && g.hits[i / SIDE][i % SIDE][3] == hit && hit <= 1);
			if (near > 1e-6)
				cr_assert_eq(hit, 1, "triangle %d misses pixel %d, %d", n, i % SIDE, i / SIDE);
			if (hit)
				cr_assert_gt(far, 0, "triangle %d touches pixel %d, %d from afar", n, i % SIDE, i / SIDE);
			if (inside)
				cr_assert_gt(near, 256 * 256 - 1e-3, "triangle %d does not contain pixel %d, %d", n, i % SIDE, i / SIDE);
			if (whole > 1 - 1e-12)
				cr_assert(inside, "triangle %d contains pixel %d, %d", n, i % SIDE, i / SIDE);
			touched += hit;
			contained += inside;
		}
	}
	cr_assert(touched > 40000 && contained > 8000, "%ld touched, %ld contained", touched, contained);
}

/* Without area: a point on a corner touches the four pixels there, a line along a pixel edge those on both sides. */
Test(coverage, conservative_degenerate)
{
	static const struct {
		struct point p[3];
		int pixels;
	} rows[] = {
		{{{512, 512}, {512, 512}, {512, 512}}, 4},
		{{{640, 640}, {640, 640}, {640, 640}}, 1},
		{{{512, 512}, {640, 512}, {600, 512}}, 4},
		{{{520, 512}, {640, 512}, {600, 512}}, 2},
		{{{300, 300}, {500, 500}, {400, 400}}, 1},
		{{{300, 300}, {900, 900}, {400, 400}}, 7},
	};
	static struct shape s = {.cover = COVER_TOUCHED, .facet_count = 1};
	struct sample_pattern one;

	sample_pattern_standard(1, &one);
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct grid g = {0};
		int hits = 0;

		cr_assert_not(set_facet(&s.facet[0], rows[i].p));
		cover(&s, 8, &one, &g);
		for (int k = 0; k < 64; k++)
			hits += g.hits[k / 8][k % 8][0];
		cr_assert_eq(hits, rows[i].pixels, "row %zu: %d", i, hits);
		cr_assert_not(shape_contains(&s, 2, 2));
	}
}

/* facts 1.8, in the order of the list. */
Test(coverage, standard_patterns)
{
	static const int8_t eight[8][2] = {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}};
	struct sample_pattern p;

	sample_pattern_standard(8, &p);
	for (int pixel = 0; pixel < 4; pixel++)
		cr_assert_eq(memcmp(p.at[pixel], eight, sizeof eight), 0);
	sample_pattern_standard(16, &p);
	cr_assert(p.count == 16 && p.at[3][0][0] == 1 && p.at[3][0][1] == 1 && p.at[2][15][0] == -7 && p.at[2][15][1] == -8);
	sample_pattern_standard(2, &p);
	cr_assert(p.at[0][0][0] == 4 && p.at[0][1][1] == -4);
	sample_pattern_standard(4, &p);
	cr_assert(p.at[1][0][0] == -2 && p.at[1][0][1] == -6 && p.at[1][3][0] == 2 && p.at[1][3][1] == 6);
	sample_pattern_center(8, &p);
	cr_assert(p.count == 8 && !p.at[0][7][0] && !p.at[3][7][1]);
}
