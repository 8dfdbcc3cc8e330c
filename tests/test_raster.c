/* Coverage against the definition. The oracle is the scan-line form of the top-left rule, which shares no formula with the
 * edge functions: an edge spans the rows y_min <= y < y_max, and a centre is inside when an odd number of edges that span
 * its row cross it at or left of the centre. */
#include "sim/draw.h"
#include <criterion/criterion.h>
#include <string.h>

enum { GRID = 48 };
struct point { int64_t x, y; };
struct grid { uint8_t hits[GRID][GRID]; };

static uint32_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

static int64_t between(uint64_t *state, int64_t lo, int64_t hi)
{
	return lo + (int64_t)(next(state) % (uint64_t)(hi - lo + 1));
}

static bool oracle_inside(const struct point p[3], int64_t px, int64_t py)
{
	int crossings = 0;

	for (int i = 0; i < 3; i++) {
		struct point a = p[i], b = p[(i + 1) % 3];

		if (a.y > b.y) {
			struct point c = a;
			a = b, b = c;
		}
		if (a.y <= py && py < b.y && (py - a.y) * (b.x - a.x) <= (px - a.x) * (b.y - a.y))
			crossings++;
	}
	return crossings & 1;
}

static bool mark(void *user, const struct triangle *t, int32_t x, int32_t y, uint64_t coverage)
{
	struct grid *g = user;

	(void)t;
	cr_assert(x % 2 == 0 && y % 2 == 0 && coverage && !(coverage & ~0x0001000100010001ull), "quad at %d, %d", x, y);
	for (int i = 0; i < 4; i++) {
		if (coverage >> 16 * i & 1)
			g->hits[y + (i >> 1)][x + (i & 1)]++;
	}
	return true;
}

static void draw(const struct point p[3], const struct pixel_bounds *b, struct grid *g)
{
	struct sample_pattern one;
	struct shape s = {.cover = COVER_SAMPLES, .facet_count = 1};

	sample_pattern_standard(1, &one);
	for (int i = 0; i < 3; i++) {
		s.facet[0].x[i] = (int32_t)p[i].x;
		s.facet[0].y[i] = (int32_t)p[i].y;
	}
	if (facet_orient(&s.facet[0]))
		cr_assert(raster_shape(&s, NULL, b, &one, mark, g));
}

/* Shapes that break rasterisers: on pixel centres, tiny, thin, flat, far away, huge. */
static void random_triangle(uint64_t *s, int kind, struct point p[3])
{
	const int64_t side = GRID * 256, far = 1 << 23;

	for (int i = 0; i < 3; i++) {
		p[i] = (struct point){between(s, -side / 4, side + side / 4), between(s, -side / 4, side + side / 4)};
		switch (kind) {
		case 1: p[i].x = p[i].x / 128 * 128, p[i].y = p[i].y / 128 * 128; break;
		case 2: p[i].x = 2000 + p[i].x % 400, p[i].y = 3000 + p[i].y % 400; break;
		case 3: p[i].y = p[i].x / 3 + between(s, 0, 40); break;
		case 4: p[i].y = i == 2 ? p[i].y : p[0].y; break;
		case 5: p[i].x = p[0].x + (p[i].x - p[0].x) % 2 * 128; break;
		case 6: p[i].y = p[i].x * 2; break;
		case 7: p[i].x += far / 2, p[i].y -= far / 2; break;
		case 8: p[i] = (struct point){between(s, -far, far - 1), between(s, -far, far - 1)}; break;
		case 9: p[i].x = (p[i].x / 256) * 256 + 128, p[i].y = (p[i].y / 256) * 256 + 128; break;
		}
	}
}

Test(raster, coverage_is_the_definition)
{
	uint64_t s = 1;
	long covered = 0;

	for (int n = 0; n < 20000; n++) {
		struct point p[3];
		struct pixel_bounds b = {0, 0, GRID, GRID};
		struct grid g = {0};

		random_triangle(&s, n % 10, p);
		if (n % 3 == 0)
			b = (struct pixel_bounds){(int32_t)between(&s, 0, 20), (int32_t)between(&s, 0, 20), (int32_t)between(&s, 10,
				GRID),
				(int32_t)between(&s, 10, GRID)};
		draw(p, &b, &g);
		for (int y = 0; y < GRID; y++) {
			for (int x = 0; x < GRID; x++) {
				bool in = x >= b.x0 && x < b.x1 && y >= b.y0 && y < b.y1 && oracle_inside(p, x * 256 + 128, y * 256 + 128);

				covered += in;
				cr_assert_eq(g.hits[y][x], in, "triangle %d (%ld,%ld)-(%ld,%ld)-(%ld,%ld), pixel %d, %d: %d, expected %d",
					n,
					(long)p[0].x, (long)p[0].y, (long)p[1].x, (long)p[1].y, (long)p[2].x, (long)p[2].y, x, y,
						g.hits[y][x], in);
			}
		}
	}
	cr_assert_gt(covered, 1000000, "the triangles hardly cover anything: %ld", covered);
}

static int64_t side_of(struct point a, struct point b, int64_t x, int64_t y)
{
	return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

static bool strictly_inside(const struct point p[3], int64_t x, int64_t y)
{
	int64_t a = side_of(p[0], p[1], x, y), b = side_of(p[1], p[2], x, y), c = side_of(p[2], p[0], x, y);

	return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
}

/* On the open segment from a to b. */
static bool on_edge(struct point a, struct point b, int64_t x, int64_t y)
{
	int64_t along = (x - a.x) * (b.x - a.x) + (y - a.y) * (b.y - a.y);

	return side_of(a, b, x, y) == 0 && along > 0 && along < (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
}

Test(raster, shared_edges_cover_once)
{
	const struct pixel_bounds b = {0, 0, GRID, GRID};
	uint64_t s = 2;
	long on_shared = 0;

	for (int pair = 0; pair < 10000; ) {
		struct point p[4], other[3];
		struct grid g = {0};
		int64_t step = pair % 2 ? 128 : 1; /* half of them with centres exactly on edges */

		for (int i = 0; i < 4; i++)
			p[i] = (struct point){between(&s, -1024, 13312) / step * step, between(&s, -1024, 13312) / step * step};
		if (side_of(p[0], p[1], p[2].x, p[2].y) >= 0 || side_of(p[0], p[1], p[3].x, p[3].y) <= 0)
			continue; /* p2 and p3 must lie on different sides of the edge p0 p1 */
		pair++;
		other[0] = p[pair % 3 ? 1 : 0], other[1] = p[pair % 3 ? 0 : 3], other[2] = p[pair % 3 ? 3 : 1];
		draw(p, &b, &g);
		draw(other, &b, &g);
		for (int y = 0; y < GRID; y++) {
			for (int x = 0; x < GRID; x++) {
				int64_t cx = x * 256 + 128, cy = y * 256 + 128;
				bool shared = on_edge(p[0], p[1], cx, cy);

				on_shared += shared;
				cr_assert_leq(g.hits[y][x], 1, "pair %d covers pixel %d, %d twice", pair, x, y);
				if (shared || strictly_inside(p, cx, cy) || strictly_inside(other, cx, cy))
					cr_assert_eq(g.hits[y][x], 1, "pair %d misses pixel %d, %d", pair, x, y);
			}
		}
	}
	cr_assert_gt(on_shared, 1000, "too few centres on shared edges: %ld", on_shared);
}

Test(raster, snapping_and_facing)
{
	/* 16.8, nearest even, saturated */
	static const struct { float x; int32_t snapped; } rows[] = {
		{0.0f, 0}, {0.5f, 128}, {1.0f, 256}, {-1.0f, -256}, {0.001953125f, 0}, {0.005859375f, 2}, {0.0078125f, 2},
		{-0.001953125f, 0}, {-0.005859375f, -2}, {0.00390625f, 1}, {0.009765625f, 2}, {0.013671875f, 4}, {100.25f, 25664},
		{32767.0f, 8388352}, {40000.0f, 8388607}, {-32768.0f, -8388608}, {-40000.0f, -8388608}, {1e30f, 8388607},
		{-1e30f, -8388608}, {1e-30f, 0}, {16383.998046875f, 4194304}, {8191.99609375f, 2097151},
	};
	struct triangle t = {.x = {0, 0, 256}, .y = {0, 256, 0}};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		cr_assert_eq(snap(rows[i].x), rows[i].snapped, "%.9g: %d, expected %d", (double)rows[i].x, snap(rows[i].x),
			rows[i].snapped);
	/* right then down is clockwise on a screen whose y grows downwards */
	cr_assert_eq(snapped_area((const int32_t[]){0, 256, 0}, (const int32_t[]){0, 0, 256}), 65536);
	cr_assert_eq(snapped_area(t.x, t.y), -65536);
	cr_assert(triangle_orient(&t));
	cr_assert(t.area == 65536 && t.x[0] == 0 && t.x[1] == 256 && t.y[1] == 0 && t.x[2] == 0 && t.y[2] == 256);
	t = (struct triangle){.x = {0, 256, 512}, .y = {0, 256, 512}};
	cr_assert_not(triangle_orient(&t));
}

struct walk { int count; int32_t at[64][2]; };
static bool record_walk(void *user, const struct triangle *t, int32_t x, int32_t y, uint64_t coverage)
{
	struct walk *w = user;

	(void)t, (void)coverage;
	w->at[w->count][0] = x;
	w->at[w->count++][1] = y;
	return w->count < 40;
}

/* Two 8x8 tiles side by side and two below: tiles row by row, in each the quads row by row; a false return stops. */
Test(raster, walk_order)
{
	const struct pixel_bounds b = {0, 0, 16, 16};
	struct shape s = {.cover = COVER_SAMPLES, .facet_count = 1, .facet = {{.x = {0, 40 * 256, 0}, .y = {0, 0, 40 * 256}}}};
	struct walk w = {0};
	struct sample_pattern one;

	sample_pattern_standard(1, &one);
	cr_assert(facet_orient(&s.facet[0]));
	cr_assert_not(raster_shape(&s, NULL, &b, &one, record_walk, &w));
	cr_assert_eq(w.count, 40);
	for (int i = 0; i < 40; i++) {
		int tile = i / 16, x = tile % 2 * 8 + i % 4 * 2, y = tile / 2 * 8 + i % 16 / 4 * 2;

		cr_assert(w.at[i][0] == x && w.at[i][1] == y, "quad %d at %d, %d", i, w.at[i][0], w.at[i][1]);
	}
}
