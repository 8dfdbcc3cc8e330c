/* The Utah teapot (M. Newell, 1975) from its 32 bicubic Bezier patches: 24 that turn a profile a quarter round the axis, and
 * handle and spout, four each, of which half is told and half is its mirror image. Newell's z is up; here y is, the base
 * stands at y = 0, the spout points along +x, the handle along -x. */
#include "tools/mesh.h"
#include <math.h>

/* A profile's four points (r, z); kappa is how far a quarter circle's inner control points stand out. */
struct profile { double r[4], z[4], kappa[4]; };
static const struct profile profiles[] = {
	{{1.4, 1.3375, 1.4375, 1.5}, {2.4, 2.53125, 2.53125, 2.4}, {0.56, 0.56, 0.56, 0.56}},   /* rim */
	{{1.5, 1.75, 2.0, 2.0}, {2.4, 1.875, 1.35, 0.9}, {0.56, 0.56, 0.56, 0.56}},             /* body */
	{{2.0, 2.0, 1.5, 1.5}, {0.9, 0.45, 0.225, 0.15}, {0.56, 0.56, 0.56, 0.56}},
	{{0.0, 0.8, 0.0, 0.2}, {3.15, 3.15, 2.85, 2.7}, {0.56, 0.5625, 0.56, 0.56}},            /* lid */
	{{0.2, 0.4, 1.3, 1.3}, {2.7, 2.55, 2.55, 2.4}, {0.56, 0.56, 0.56, 0.56}},
	{{1.5, 1.5, 1.425, 0.0}, {0.15, 0.075, 0.0, 0.0}, {0.56, 0.56, 0.56, 0.56}},            /* bottom */
};
/* Four rows of a half tube: a row runs from the inner (x, z) to the outer one, `half` wide between. */
struct tube { struct { double xi, zi, xo, zo, half; } row[4]; };
static const struct tube tubes[] = {
	{{{-1.6, 2.025, -1.5, 2.25, 0.3}, {-2.3, 2.025, -2.5, 2.25, 0.3}, {-2.7, 2.025, -3.0, 2.25, 0.3},
		{-2.7, 1.8, -3.0, 1.8, 0.3}}},                                                      /* handle */
	{{{-2.7, 1.8, -3.0, 1.8, 0.3}, {-2.7, 1.575, -3.0, 1.35, 0.3}, {-2.5, 1.125, -2.65, 0.9375, 0.3},
		{-2.0, 0.9, -1.9, 0.6, 0.3}}},
	{{{1.7, 1.425, 1.7, 0.6, 0.66}, {2.6, 1.425, 3.1, 0.825, 0.66}, {2.3, 2.1, 2.4, 2.025, 0.25},
		{2.7, 2.4, 3.3, 2.4, 0.25}}},                                                       /* spout */
	{{{2.7, 2.4, 3.3, 2.4, 0.25}, {2.8, 2.475, 3.525, 2.49375, 0.25}, {2.9, 2.475, 3.45, 2.5125, 0.15},
		{2.8, 2.4, 3.2, 2.4, 0.15}}},
};
enum { PROFILES = ARRAY_COUNT(profiles), TUBES = ARRAY_COUNT(tubes), PATCHES = 4 * PROFILES + 2 * TUBES };

/* control[j][i]: j along the profile or tube, i across it. */
struct patch {
	struct point control[4][4];
	double u, turn; /* texture coordinate where it starts, and how much of a turn it covers */
};

static struct patch turned(const struct profile *p, unsigned quarter)
{
	static const int8_t cosines[] = {1, 0, -1, 0, 1};
	int c = cosines[quarter], s = -cosines[quarter + 1], c1 = cosines[quarter + 1], s1 = c;
	struct patch out = {.u = quarter * 0.25, .turn = 0.25};
	for (unsigned j = 0; j < 4; j++) {
		double r = p->r[j], k = r * p->kappa[j], z = p->z[j];
		/* from direction (c, s) to (c1, s1), the tangents' ends between */
		out.control[j][0] = (struct point){r * c, z, r * s};
		out.control[j][1] = (struct point){r * c + k * c1, z, r * s + k * s1};
		out.control[j][2] = (struct point){r * c1 + k * c, z, r * s1 + k * s};
		out.control[j][3] = (struct point){r * c1, z, r * s1};
	}
	return out;
}

static struct patch halved(const struct tube *t, bool mirrored)
{
	struct patch out = {.u = mirrored ? 0.5 : 0.0, .turn = 0.5};
	for (unsigned j = 0; j < 4; j++) {
		double y = mirrored ? -t->row[j].half : t->row[j].half;
		const struct point row[4] = {{t->row[j].xi, t->row[j].zi, 0}, {t->row[j].xi, t->row[j].zi, y},
			{t->row[j].xo, t->row[j].zo, y}, {t->row[j].xo, t->row[j].zo, 0}};
		for (unsigned i = 0; i < 4; i++)
			out.control[j][mirrored ? 3 - i : i] = row[i];
	}
	return out;
}

static struct patch patch(unsigned i)
{
	if (i < 4 * PROFILES)
		return turned(&profiles[i / 4], i % 4);
	i -= 4 * PROFILES;
	return halved(&tubes[i / 2], i % 2);
}

/* The cubic Bernstein polynomials at t, and their derivatives. */
static void bernstein(double t, double b[4], double d[4])
{
	double s = 1 - t;
	b[0] = s * s * s;
	b[1] = 3 * s * s * t;
	b[2] = 3 * s * t * t;
	b[3] = t * t * t;
	d[0] = -3 * s * s;
	d[1] = 3 * s * s - 6 * s * t;
	d[2] = 6 * s * t - 3 * t * t;
	d[3] = 3 * t * t;
}

static struct point weigh(const struct patch *p, const double across[4], const double along[4])
{
	struct point out = {0};
	for (unsigned j = 0; j < 4; j++)
		for (unsigned i = 0; i < 4; i++) {
			double w = across[i] * along[j];
			out.x += w * p->control[j][i].x;
			out.y += w * p->control[j][i].y;
			out.z += w * p->control[j][i].z;
		}
	return out;
}

/* Where a patch's edge is a point, on the axis, the normal is the axis. */
static struct point normal(struct point du, struct point dv, double height)
{
	struct point n = {du.y * dv.z - du.z * dv.y, du.z * dv.x - du.x * dv.z, du.x * dv.y - du.y * dv.x};
	double l = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
	if (l < 1e-9)
		return (struct point){0, height > 1 ? 1 : -1, 0};
	return (struct point){n.x / l, n.y / l, n.z / l};
}

void teapot_vertices(const struct mesh *m, struct buf *out)
{
	double scale = (double)m->radius / 2;
	for (unsigned k = 0; k < PATCHES; k++) {
		struct patch p = patch(k);
		for (uint32_t j = 0; j <= m->rows; j++)
			for (uint32_t i = 0; i <= m->columns; i++) {
				double u = (double)i / m->columns, v = (double)j / m->rows, bu[4], bv[4], du[4], dv[4];
				bernstein(u, bu, du);
				bernstein(v, bv, dv);
				struct point at = weigh(&p, bu, bv), n = normal(weigh(&p, du, bv), weigh(&p, bu, dv), at.y);
				at = (struct point){at.x * scale, at.y * scale, at.z * scale};
				mesh_put_vertex(m, out, at, n, p.u + p.turn * u, v);
			}
	}
}

void teapot_indices(const struct mesh *m, struct buf *out)
{
	for (unsigned k = 0; k < PATCHES; k++)
		for (uint32_t j = 0; j < m->rows; j++)
			for (uint32_t i = 0; i < m->columns; i++) {
				uint32_t a = k * (m->columns + 1) * (m->rows + 1) + j * (m->columns + 1) + i, c = a + m->columns + 1;
				mesh_put_cell(out, a, a + 1, c, c + 1);
			}
}
