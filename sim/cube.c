/* Cube maps as D3D lays them out (facts 6.1). */
#include "sim/cube.h"

/* Axis (0 X, 1 Y, 2 Z) and sign of the directions right, down and out of each face. */
static const struct frame {
	struct { uint8_t axis; int8_t sign; } to[3];
} frames[6] = {
	{{{2, -1}, {1, -1}, {0, 1}}},  /* +X */
	{{{2, 1}, {1, -1}, {0, -1}}},  /* -X */
	{{{0, 1}, {2, 1}, {1, 1}}},    /* +Y */
	{{{0, 1}, {2, -1}, {1, -1}}},  /* -Y */
	{{{0, 1}, {1, -1}, {2, 1}}},   /* +Z */
	{{{0, -1}, {1, -1}, {2, -1}}}, /* -Z */
};

static float magnitude(float x) { return x < 0 ? -x : x; }

unsigned cube_face(const float d[3])
{
	float x = magnitude(d[0]), y = magnitude(d[1]), z = magnitude(d[2]);

	if (z >= x && z >= y)
		return d[2] < 0 ? 5 : 4;
	if (y >= x)
		return d[1] < 0 ? 3 : 2;
	return d[0] < 0 ? 1 : 0;
}

void cube_project(unsigned face, const float vector[3], float out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = vector[frames[face].to[i].axis] * (float)frames[face].to[i].sign;
}

/* -1 to 1 -> 0 to 1. A direction with NaN may lie outside its face, one that has no length or is infinite may give NaN. */
static float on_face(float x)
{
	if (x != x)
		return 0;
	return x > -1 ? x < 1 ? x * 0.5f + 0.5f : 1 : 0;
}

void cube_coordinates(unsigned face, const float direction[3], float uv[3])
{
	float p[3];

	cube_project(face, direction, p);
	uv[0] = on_face(p[0] / p[2]);
	uv[1] = on_face(p[1] / p[2]);
	uv[2] = 0;
}

static int32_t clamp(int32_t x, int32_t n) { return x < 0 ? 0 : x >= n ? n - 1 : x; }

/* In units of half a texel from the cube's centre, where faces lie at distance n: a centre one past an edge is (n + 1, b, n) and
 * folds to (n, b, n - 1). */
void cube_fold(struct cube_texel *t, int32_t n)
{
	const struct frame *f = &frames[t->face];
	int32_t p[3] = {0}, local[3];
	unsigned out = t->face;

	if (t->x >= 0 && t->x < n && t->y >= 0 && t->y < n)
		return;
	if (t->x < 0 || t->x >= n)
		t->y = clamp(t->y, n);
	local[0] = 2 * t->x + 1 - n;
	local[1] = 2 * t->y + 1 - n;
	local[2] = n - 1;
	for (int i = 0; i < 2; i++) {
		if (local[i] > n || local[i] < -n) {
			unsigned axis = f->to[i].axis;
			int32_t sign = local[i] > 0 ? f->to[i].sign : -f->to[i].sign;

			local[i] = local[i] > 0 ? n : -n;
			out = 2 * axis + (sign < 0);
		}
	}
	for (int i = 0; i < 3; i++)
		p[f->to[i].axis] = local[i] * f->to[i].sign;
	t->face = out;
	t->x = (p[frames[out].to[0].axis] * frames[out].to[0].sign + n - 1) / 2;
	t->y = (p[frames[out].to[1].axis] * frames[out].to[1].sign + n - 1) / 2;
}
