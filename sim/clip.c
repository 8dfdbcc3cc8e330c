/* Clipping in homogeneous space, then divide and viewport: three shaded vertices -> a convex polygon in window space.
 *
 * The z planes are exact; x and y are clipped at a fixed guard band, 32766 pixels around the origin, inside which snapped
 * coordinates fit 16.8 (the scissor does the rest); w is kept above 2^-96, so that 1/w exists. New vertices are computed
 * from the inside vertex to the outside one, so neighbours that share an edge get the same point. Vertices that are not
 * finite drop the triangle (facts 1.3 leave infinite ones open). */
#include "sim/draw.h"
#include <string.h>

enum { PLANE_W, PLANE_NEAR, PLANE_FAR, PLANE_LEFT, PLANE_RIGHT, PLANE_TOP, PLANE_BOTTOM, PLANE_DISTANCE0,
	CLIP_POLYGON_MAX = 32, GUARD_BAND = 32766 };

/* Window x = scale_x * x/w + offset_x; y the same with a negative scale. */
struct viewport_transform {
	float scale_x, offset_x, scale_y, offset_y, scale_z, offset_z;
};

static struct viewport_transform transform(const struct kiln_viewport *v)
{
	struct viewport_transform t = {.scale_x = v->Width * 0.5f, .scale_y = v->Height * -0.5f,
		.scale_z = v->MaxDepth - v->MinDepth, .offset_z = v->MinDepth};

	t.offset_x = v->TopLeftX + v->Width * 0.5f;
	t.offset_y = v->TopLeftY + v->Height * 0.5f;
	return t;
}

static double smallest_w(void)
{
	return (double)bits_float((127u - 96) << 23);
}

/* Inside where not negative. */
static double distance(const struct viewport_transform *t, unsigned plane, const struct vertex *v)
{
	double x = v->position[0], y = v->position[1], z = v->position[2], w = v->position[3];
	const double band = GUARD_BAND;

	switch (plane) {
	case PLANE_W: return w - smallest_w();
	case PLANE_NEAR: return z;
	case PLANE_FAR: return w - z;
	case PLANE_LEFT: return t->scale_x * x + (t->offset_x + band) * w;
	case PLANE_RIGHT: return (band - t->offset_x) * w - t->scale_x * x;
	case PLANE_TOP: return t->scale_y * y + (t->offset_y + band) * w;
	case PLANE_BOTTOM: return (band - t->offset_y) * w - t->scale_y * y;
	default: return v->clip[plane - PLANE_DISTANCE0];
	}
}

static uint32_t to_float_bits(double x)
{
	float f = (float)x;

	return f == f ? float_bits(f) : 0x7fc00000;
}

static uint32_t mix(uint32_t in, uint32_t out, double t)
{
	double a = bits_float(in), b = bits_float(out);

	return to_float_bits(a + t * (b - a));
}

/* On the plane means on it exactly: the next plane must not see a rounding error, which grows with the coordinates. */
static void put_on_plane(const struct viewport_transform *t, unsigned plane, struct vertex *v)
{
	const double w = v->position[3], band = GUARD_BAND;

	switch (plane) {
	case PLANE_W: v->position[3] = (float)smallest_w(); break;
	case PLANE_NEAR: v->position[2] = 0; break;
	case PLANE_FAR: v->position[2] = v->position[3]; break;
	case PLANE_LEFT: v->position[0] = (float)((-band - t->offset_x) * w / t->scale_x); break;
	case PLANE_RIGHT: v->position[0] = (float)((band - t->offset_x) * w / t->scale_x); break;
	case PLANE_TOP: v->position[1] = (float)((-band - t->offset_y) * w / t->scale_y); break;
	case PLANE_BOTTOM: v->position[1] = (float)((band - t->offset_y) * w / t->scale_y); break;
	default: v->clip[plane - PLANE_DISTANCE0] = 0; break;
	}
}

/* The point where the edge from a vertex inside to one outside meets the plane. */
static void intersect(const struct draw *d, const struct viewport_transform *vt, unsigned plane, const struct vertex *in,
	const struct vertex *out, struct vertex *v)
{
	double a = distance(vt, plane, in), t = a / (a - distance(vt, plane, out)), screen;

	for (int i = 0; i < 4; i++)
		v->position[i] = bits_float(mix(float_bits(in->position[i]), float_bits(out->position[i]), t));
	for (uint32_t i = 0; i < d->clip_count; i++)
		v->clip[i] = bits_float(mix(float_bits(in->clip[i]), float_bits(out->clip[i]), t));
	put_on_plane(vt, plane, v);
	screen = t * out->position[3] / v->position[3];
	for (uint32_t i = 0; i < d->attr_count; i++) {
		for (int c = 0; c < 4 && !d->attr_constant[i]; c++)
			v->attr[i][c] = mix(in->attr[i][c], out->attr[i][c], d->attr_noperspective[i] ? screen : t);
	}
}

/* Sutherland-Hodgman against one plane; gives the number of vertices left. */
static unsigned clip_plane(const struct draw *d, const struct viewport_transform *t, unsigned plane,
	const struct vertex *from, unsigned count, struct vertex *to)
{
	unsigned n = 0;

	/* A plane adds one vertex to a convex polygon; the cap is for rounding errors that make it less than convex. */
	for (unsigned i = 0; i < count && n + 2 <= CLIP_POLYGON_MAX; i++) {
		const struct vertex *a = &from[i], *b = &from[(i + 1) % count];
		bool a_in = distance(t, plane, a) >= 0, b_in = distance(t, plane, b) >= 0;

		if (a_in)
			to[n++] = *a;
		if (a_in != b_in)
			intersect(d, t, plane, a_in ? a : b, a_in ? b : a, &to[n++]);
	}
	return n;
}

static struct window_vertex to_window(const struct viewport_transform *t, const struct vertex *v)
{
	float w = v->position[3];
	float x = v->position[0] / w, y = v->position[1] / w, z = v->position[2] / w;

	return (struct window_vertex){.x = x * t->scale_x + t->offset_x, .y = y * t->scale_y + t->offset_y,
		.z = z * t->scale_z + t->offset_z, .inv_w = 1.0 / (double)w, .v = v};
}

static bool emit(struct draw *d, const struct viewport_transform *t, const struct vertex *const *v, unsigned count,
	const struct vertex *const corner[3], uint32_t primitive_id)
{
	struct window_vertex window[CLIP_POLYGON_MAX];

	for (unsigned i = 0; i < count; i++)
		window[i] = to_window(t, v[i]);
	return setup_polygon(d, window, count, corner, primitive_id);
}

/* A vertex that is not finite, a NaN clip distance, or one cull distance that no vertex has at or above 0. */
static bool dropped(const struct draw *d, const struct vertex *const v[3])
{
	for (int i = 0; i < 3; i++) {
		for (int c = 0; c < 4; c++) {
			if ((float_bits(v[i]->position[c]) & 0x7f800000) == 0x7f800000)
				return true;
		}
		for (uint32_t c = 0; c < d->clip_count; c++) {
			if (v[i]->clip[c] != v[i]->clip[c])
				return true;
		}
	}
	for (uint32_t c = 0; c < d->cull_count; c++) {
		if (!(v[0]->cull[c] >= 0) && !(v[1]->cull[c] >= 0) && !(v[2]->cull[c] >= 0))
			return true;
	}
	return false;
}

/* Bit p: the vertex is outside plane p. */
static unsigned outcode(const struct draw *d, const struct viewport_transform *t, const struct vertex *v)
{
	unsigned code = 0;

	for (unsigned p = 0; p < PLANE_DISTANCE0 + d->clip_count; p++) {
		if (!d->pipeline->desc.RasterizerState.DepthClipEnable && (p == PLANE_NEAR || p == PLANE_FAR))
			continue;
		if (!(distance(t, p, v) >= 0))
			code |= 1u << p;
	}
	return code;
}

bool clip_triangle(struct draw *d, const struct vertex *const v[3], uint32_t primitive_id)
{
	struct viewport_transform t = transform(&d->state->viewport);
	struct vertex polygon[2][CLIP_POLYGON_MAX];
	const struct vertex *list[CLIP_POLYGON_MAX];
	unsigned code[3], count = 3, now = 0;

	for (int i = 0; i < 3; i++)
		code[i] = outcode(d, &t, v[i]);
	if (dropped(d, v) || (code[0] & code[1] & code[2])) {
		d->record->counters.primitives_culled++;
		return true;
	}
	if (!(code[0] | code[1] | code[2]))
		return emit(d, &t, v, 3, v, primitive_id);
	d->record->counters.primitives_clipped++;
	for (int i = 0; i < 3; i++)
		polygon[0][i] = *v[i];
	for (unsigned p = 0; p < PLANE_DISTANCE0 + d->clip_count && count; p++) {
		if (!((code[0] | code[1] | code[2]) & 1u << p))
			continue;
		count = clip_plane(d, &t, p, polygon[now], count, polygon[1 - now]);
		now = 1 - now;
	}
	if (count < 3) {
		d->record->counters.primitives_culled++;
		return true;
	}
	for (unsigned i = 0; i < count; i++)
		list[i] = &polygon[now][i];
	return emit(d, &t, list, count, v, primitive_id);
}
