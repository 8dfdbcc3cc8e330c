/* Generated meshes: a grid of quads bent into a shape, and a cube. Takes struct mesh, gives bytes of a vertex or an index
 * buffer. Texture coordinates run from 0 to 1, u to the right seen from outside, v down. */
#include "tools/mesh.h"
#include "isa/math.h"
#include <math.h>

/* The ISA's own functions: a scene's mesh is the same on every host, whatever its libm. */
static double sine(double x) { return (double)bits_float(FSIN(float_bits((float)x))); }
static double cosine(double x) { return (double)bits_float(FCOS(float_bits((float)x))); }

static struct point normalised(struct point p)
{
	double l = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
	return (struct point){p.x / l, p.y / l, p.z / l};
}

/* Position and normal at u, v in [0, 1]; v runs down. */
static void surface(const struct mesh *m, double u, double v, struct point *p, struct point *n)
{
	const double turn = 6.283185307179586;
	double r = (double)m->radius, t = (double)m->tube;
	switch (m->shape) {
	case MESH_GRID:
		*p = (struct point){(u - 0.5) * 2 * r, 0, (0.5 - v) * 2 * r};
		*n = (struct point){0, 1, 0};
		return;
	case MESH_SPHERE:
		*n = (struct point){sine(v * turn / 2) * cosine(u * turn), cosine(v * turn / 2), sine(v * turn / 2) * sine(u * turn)};
		*p = (struct point){n->x * r, n->y * r, n->z * r};
		return;
	default:
		*n = (struct point){cosine(v * turn) * cosine(u * turn), -sine(v * turn), cosine(v * turn) * sine(u * turn)};
		*p = (struct point){(r + t * cosine(v * turn)) * cosine(u * turn), -t * sine(v * turn),
			(r + t * cosine(v * turn)) * sine(u * turn)};
		return;
	}
}

void mesh_put_vertex(const struct mesh *m, struct buf *out, struct point p, struct point n, double u, double v)
{
	const double all[] = {p.x, p.y, p.z, n.x, n.y, n.z, u, v};
	for (size_t i = 0; i < (m->uv ? 8 : 6); i++)
		buf_u32(out, float_bits((float)all[i]));
}

void mesh_put_cell(struct buf *out, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	const uint32_t corners[] = {a, b, c, c, b, d};
	for (size_t i = 0; i < 6; i++)
		buf_u32(out, corners[i]);
}

static void grid_vertices(const struct mesh *m, struct buf *out)
{
	for (uint32_t j = 0; j <= m->rows; j++)
		for (uint32_t i = 0; i <= m->columns; i++) {
			double u = (double)i / m->columns, v = (double)j / m->rows;
			struct point p, n;
			surface(m, u, v, &p, &n);
			mesh_put_vertex(m, out, p, normalised(n), u, v);
		}
}

static void grid_indices(const struct mesh *m, struct buf *out)
{
	for (uint32_t j = 0; j < m->rows; j++)
		for (uint32_t i = 0; i < m->columns; i++) {
			uint32_t a = j * (m->columns + 1) + i, c = a + m->columns + 1;
			mesh_put_cell(out, a, a + 1, c, c + 1);
		}
}

/* Six faces; face f has axis f/2 and side f&1. A face's picture stands upright, +y up (the top's and bottom's +z). */
static void cube_vertices(const struct mesh *m, struct buf *out)
{
	static const struct { uint8_t axis; int8_t sign; } right[6] = {{2, -1}, {2, 1}, {0, -1}, {0, 1}, {0, 1}, {0, -1}};
	double r = (double)m->radius;
	for (uint32_t f = 0; f < 6; f++) {
		double side = f & 1 ? 1 : -1;
		for (uint32_t k = 0; k < 4; k++) {
			double at[3], n[3] = {0};
			uint32_t axis = f / 2;
			at[axis] = side;
			at[(axis + 1) % 3] = k & 1 ? 1 : -1;
			at[(axis + 2) % 3] = k & 2 ? 1 : -1;
			n[axis] = side;
			double u = (1 + right[f].sign * at[right[f].axis]) / 2, v = (1 - at[axis == 1 ? 2 : 1]) / 2;
			mesh_put_vertex(m, out, (struct point){at[0] * r, at[1] * r, at[2] * r}, (struct point){n[0], n[1], n[2]}, u, v);
		}
	}
}

static void cube_indices(struct buf *out)
{
	for (uint32_t f = 0, b = 0; f < 6; f++, b += 4)
		if (f & 1)
			mesh_put_cell(out, b, b + 1, b + 2, b + 3);
		else
			mesh_put_cell(out, b, b + 2, b + 1, b + 3);
}

void mesh_vertices(const struct mesh *m, struct buf *out)
{
	if (m->shape == MESH_TEAPOT)
		teapot_vertices(m, out);
	else if (m->shape == MESH_CUBE)
		cube_vertices(m, out);
	else
		grid_vertices(m, out);
}

void mesh_indices(const struct mesh *m, struct buf *out)
{
	if (m->shape == MESH_TEAPOT)
		teapot_indices(m, out);
	else if (m->shape == MESH_CUBE)
		cube_indices(out);
	else
		grid_indices(m, out);
}
