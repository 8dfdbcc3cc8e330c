/* Clipping in homogeneous space, then divide and viewport: a triangle's shaded vertices -> a convex polygon in window space;
 * a line's -> its part inside; a point stays or goes.
 *
 * The z planes are exact; x and y are clipped at a fixed guard band, 32766 pixels around the origin, inside which snapped
 * coordinates fit 16.8 (the scissor does the rest); w is kept above 2^-96, so that 1/w exists. New vertices are computed
 * from the inside vertex to the outside one, so neighbours that share an edge get the same point. Vertices that are not
 * finite drop the primitive (facts 1.3 leave infinite ones open). Clip distances only drop what is outside as a whole: the
 * rest is decided a sample at a time, in clip_distance.c. */
#include "sim/draw.h"
#include <string.h>

enum { PLANE_W, PLANE_NEAR, PLANE_FAR, PLANE_LEFT, PLANE_RIGHT, PLANE_TOP, PLANE_BOTTOM, PLANE_COUNT, GUARD_BAND = 32766 };

/* A vertex of the polygon; edge: the side to the next one is the triangle's own. */
struct clipped {
	struct vertex v;
	bool edge;
};

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
	default: return (band - t->offset_y) * w - t->scale_y * y;
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
	default: v->position[1] = (float)((band - t->offset_y) * w / t->scale_y); break;
	}
}

/* The point where the edge from a vertex inside to one outside meets the plane. v is neither of them. */
static void intersect(const struct draw *d, const struct viewport_transform *vt, unsigned plane, const struct vertex *in,
	const struct vertex *out, struct vertex *v)
{
	double a = distance(vt, plane, in), t = a / (a - distance(vt, plane, out)), screen;

	*v = *in; /* what is constant; never read from here */
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
	const struct clipped *from, unsigned count, struct clipped *to)
{
	unsigned n = 0;

	/* A plane adds one vertex to a convex polygon; the cap is for rounding errors that make it less than convex. */
	for (unsigned i = 0; i < count && n + 2 <= POLYGON_MAX; i++) {
		const struct clipped *a = &from[i], *b = &from[(i + 1) % count];
		bool a_in = distance(t, plane, &a->v) >= 0, b_in = distance(t, plane, &b->v) >= 0;

		if (a_in)
			to[n++] = *a;
		if (a_in == b_in)
			continue;
		intersect(d, t, plane, a_in ? &a->v : &b->v, a_in ? &b->v : &a->v, &to[n].v);
		to[n++].edge = a->edge && b_in; /* going out, the side to the next vertex lies on the plane */
	}
	return n;
}

static struct window_vertex to_window(const struct viewport_transform *t, const struct vertex *v, bool edge)
{
	float w = v->position[3];
	float x = v->position[0] / w, y = v->position[1] / w, z = v->position[2] / w;

	return (struct window_vertex){.x = x * t->scale_x + t->offset_x, .y = y * t->scale_y + t->offset_y,
		.z = z * t->scale_z + t->offset_z, .inv_w = 1.0 / (double)w, .v = v, .edge = edge};
}

static bool is_nan(const struct window_vertex *v)
{
	return v->x != v->x || v->y != v->y || v->z != v->z;
}

static bool drop(struct draw *d)
{
	d->record->counters.primitives_culled++;
	return true;
}

/* A window position that is NaN drops the primitive. */
static bool emit(struct draw *d, const struct primitive *p, const struct window_vertex *v, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		if (is_nan(&v[i]))
			return drop(d);
	}
	switch (p->kind) {
	case PRIMITIVE_POINT: return setup_point(d, p, v);
	case PRIMITIVE_LINE: return setup_line(d, p, v, 0);
	default: return setup_polygon(d, p, v, count);
	}
}

static bool is_finite(float x)
{
	return (float_bits(x) & 0x7f800000) != 0x7f800000;
}

/* A vertex that is not finite, a NaN clip distance, one clip distance that all vertices have below 0, or one cull distance
 * that no vertex has at or above 0. */
static bool dropped(const struct draw *d, const struct vertex *const *v, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		for (int c = 0; c < 4; c++) {
			if (!is_finite(v[i]->position[c]))
				return true;
		}
		for (uint32_t c = 0; c < d->clip_count; c++) {
			if (v[i]->clip[c] != v[i]->clip[c])
				return true;
		}
	}
	for (uint32_t c = 0; c < d->clip_count + d->cull_count; c++) {
		bool out = true;

		for (unsigned i = 0; i < count; i++)
			out &= !((c < d->clip_count ? v[i]->clip[c] : v[i]->cull[c - d->clip_count]) >= 0);
		if (out)
			return true;
	}
	return false;
}

/* Bit p: the vertex is outside plane p. */
static unsigned outcode(const struct draw *d, const struct viewport_transform *t, const struct vertex *v)
{
	unsigned code = 0;

	for (unsigned p = 0; p < PLANE_COUNT; p++) {
		if (!d->pipeline->desc.RasterizerState.DepthClipEnable && (p == PLANE_NEAR || p == PLANE_FAR))
			continue;
		if (!(distance(t, p, v) >= 0))
			code |= 1u << p;
	}
	return code;
}

static bool clip_triangle(struct draw *d, const struct primitive *p, const struct viewport_transform *t, unsigned planes,
	const struct vertex *const v[3])
{
	struct clipped polygon[2][POLYGON_MAX];
	struct window_vertex window[POLYGON_MAX];
	unsigned count = 3, now = 0;

	for (int i = 0; i < 3; i++)
		polygon[0][i] = (struct clipped){*v[i], true};
	for (unsigned plane = 0; plane < PLANE_COUNT && count; plane++) {
		if (!(planes & 1u << plane))
			continue;
		count = clip_plane(d, t, plane, polygon[now], count, polygon[1 - now]);
		now = 1 - now;
	}
	if (count < 3)
		return drop(d);
	for (unsigned i = 0; i < count; i++)
		window[i] = to_window(t, &polygon[now][i].v, polygon[now][i].edge);
	return emit(d, p, window, count);
}

static bool clip_line(struct draw *d, const struct primitive *p, const struct viewport_transform *t, unsigned planes,
	const struct vertex *const v[2])
{
	struct vertex ends[2] = {*v[0], *v[1]}, met;
	struct window_vertex window[2];

	for (unsigned plane = 0; plane < PLANE_COUNT; plane++) {
		bool in[2] = {distance(t, plane, &ends[0]) >= 0, distance(t, plane, &ends[1]) >= 0};

		if (!(planes & 1u << plane) || (in[0] && in[1]))
			continue;
		if (!in[0] && !in[1])
			return drop(d);
		intersect(d, t, plane, &ends[in[0] ? 0 : 1], &ends[in[0] ? 1 : 0], &met);
		ends[in[0] ? 1 : 0] = met;
	}
	for (int i = 0; i < 2; i++)
		window[i] = to_window(t, &ends[i], true);
	return emit(d, p, window, 2);
}

static bool clip_vertices(struct draw *d, const struct vertex *const v[3], unsigned count, uint32_t primitive_id)
{
	static const uint8_t kinds[] = {[1] = PRIMITIVE_POINT, [2] = PRIMITIVE_LINE, [3] = PRIMITIVE_TRIANGLE};
	struct primitive p = {.corner = {v[0], v[1], v[2]}, .primitive_id = primitive_id, .kind = kinds[count], .front = true};
	struct window_vertex window[3];
	struct viewport_transform t;
	unsigned any = 0, all = ~0u;

	p.viewport = (uint8_t)(v[0]->viewport < KILN_VIEWPORTS_MAX ? v[0]->viewport : 0);
	p.slice = v[0]->slice < d->slices ? v[0]->slice : 0;
	t = transform(&d->state->viewports[p.viewport]);
	for (unsigned i = 0; i < count; i++) {
		unsigned code = outcode(d, &t, v[i]);

		any |= code;
		all &= code;
	}
	if (dropped(d, v, count) || all)
		return drop(d);
	for (unsigned i = 0; i < count && !any; i++)
		window[i] = to_window(&t, v[i], true);
	if (!any)
		return emit(d, &p, window, count);
	d->record->counters.primitives_clipped++;
	return count == 3 ? clip_triangle(d, &p, &t, any, v) : clip_line(d, &p, &t, any, v);
}

/* Copies of the vertices with their barycentric weights, since primitives share vertices. */
static void add_barycentrics(const struct draw *d, const struct vertex *v[3], unsigned count, struct vertex own[3])
{
	for (unsigned i = 0; i < count; i++) {
		own[i] = *v[i];
		v[i] = &own[i];
		for (uint32_t a = 0; a < d->attr_count; a++) {
			for (unsigned c = 0; c < 4 && d->barycentrics >> a & 1; c++)
				own[i].attr[a][c] = c == i ? 0x3f800000 : 0;
		}
	}
}

bool clip_primitive(struct draw *d, const struct vertex *const *vertices, unsigned count, uint32_t primitive_id)
{
	const struct vertex *v[3] = {vertices[0], vertices[count > 1 ? 1 : 0], vertices[count > 2 ? 2 : 0]};
	struct vertex own[3];

	if (d->barycentrics)
		add_barycentrics(d, v, count, own);
	return clip_vertices(d, v, count, primitive_id);
}
