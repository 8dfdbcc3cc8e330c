/* Set-up: a convex polygon in window space -> snapped triangles with exact edges, facing, culling and depth bias; each
 * goes to the rasteriser. Facing and culling come from the snapped polygon as a whole, so a sliver that clipping cut off
 * never faces the other way. Wireframe takes the polygon's own sides to setup_line.c instead; conservative rasterisation
 * takes the polygon as one shape, and a degenerate one too. Assumes MXCSR as fp_enter() sets it. */
#include "sim/draw.h"

int32_t snap(float x)
{
	/* Adding 1.5 * 2^52 leaves no fraction bits: the sum is the nearest integer, ties to even. The product is exact. */
	double v = (double)x * SUBPIXELS, magic = 6755399441055744.0;

	if (!(v > -8388608.0))
		return -8388608;
	if (v > 8388607.0)
		return 8388607;
	return (int32_t)((v + magic) - magic);
}

int64_t snapped_area(const int32_t x[3], const int32_t y[3])
{
	return ((int64_t)x[1] - x[0]) * ((int64_t)y[2] - y[0]) - ((int64_t)x[2] - x[0]) * ((int64_t)y[1] - y[0]);
}

/* Walking it, the inside is on the right (y grows downwards). */
static struct edge edge_between(const int32_t *x, const int32_t *y, int from, int to)
{
	int64_t dx = (int64_t)x[to] - x[from], dy = (int64_t)y[to] - y[from];
	bool top = dy == 0 && dx > 0, left = dy < 0;

	return (struct edge){.a = -dy, .b = dx, .c = dy * x[from] - dx * y[from], .exclusive = top || left ? 0 : 1};
}

/* Edge i runs from vertex i+1 to i+2. */
static void edges_of(const int32_t *x, const int32_t *y, struct edge edge[3])
{
	for (int i = 0; i < 3; i++)
		edge[i] = edge_between(x, y, (i + 1) % 3, (i + 2) % 3);
}

static void swap(int32_t *a, int32_t *b)
{
	int32_t c = *a;

	*a = *b;
	*b = c;
}

bool triangle_orient(struct triangle *t)
{
	t->area = snapped_area(t->x, t->y);
	if (t->area < 0) {
		struct window_vertex v = t->at[1];

		t->at[1] = t->at[2], t->at[2] = v;
		swap(&t->x[1], &t->x[2]);
		swap(&t->y[1], &t->y[2]);
		t->area = -t->area;
	}
	edges_of(t->x, t->y, t->edge);
	return t->area != 0;
}

int64_t facet_orient(struct facet *f)
{
	int64_t area = snapped_area(f->x, f->y);

	if (area < 0) {
		swap(&f->x[1], &f->x[2]);
		swap(&f->y[1], &f->y[2]);
		area = -area;
	}
	edges_of(f->x, f->y, f->edge);
	return area;
}

static float magnitude(float x)
{
	return bits_float(float_bits(x) & 0x7fffffff);
}

/* The smallest step of the depth buffer at this z (facts 1.9). */
static float depth_step(const struct format_info *f, float max_z)
{
	uint32_t exponent = float_bits(max_z) >> 23;

	if (!f || f->number == KILN_FORMAT_D24_UNORM_S8_UINT)
		return 1.0f / 16777215.0f;
	if (f->number == KILN_FORMAT_D16_UNORM)
		return 1.0f / 65535.0f;
	return exponent > 23 ? bits_float((exponent - 23) << 23) : 0;
}

/* Snapped polygon. */
struct polygon {
	const struct window_vertex *v;
	unsigned count;
	int32_t x[POLYGON_MAX], y[POLYGON_MAX];
	int64_t area;
	float bias;                   /* of depth: one a primitive, whatever clipping made of it */
};

/* t: the polygon's plane; without area it has no slope. */
static float depth_bias(const struct draw *d, const struct polygon *g, const struct triangle *t)
{
	const struct kiln_rasterizer_desc *r = &d->pipeline->desc.RasterizerState;
	float slope = 0, max_z = 0, bias;

	if (r->DepthBias == 0 && r->SlopeScaledDepthBias == 0)
		return 0;
	for (unsigned i = 0; i < g->count; i++)
		max_z = magnitude(g->v[i].z) > max_z ? magnitude(g->v[i].z) : max_z;
	if (r->SlopeScaledDepthBias != 0 && t->area) {
		double dz1 = (double)t->at[1].z - t->at[0].z, dz2 = (double)t->at[2].z - t->at[0].z, area = (double)t->area;
		float x = magnitude((float)(((double)t->edge[1].a * dz1 + (double)t->edge[2].a * dz2) * SUBPIXELS / area));
		float y = magnitude((float)(((double)t->edge[1].b * dz1 + (double)t->edge[2].b * dz2) * SUBPIXELS / area));

		slope = r->SlopeScaledDepthBias * (x > y ? x : y);
	}
	bias = r->DepthBias * depth_step(d->depth.format, max_z) + slope;
	if (r->DepthBiasClamp > 0 && bias > r->DepthBiasClamp)
		bias = r->DepthBiasClamp;
	if (r->DepthBiasClamp < 0 && bias < r->DepthBiasClamp)
		bias = r->DepthBiasClamp;
	return bias;
}

/* Twice the signed area of the snapped polygon. */
static int64_t polygon_area(const int32_t *x, const int32_t *y, unsigned count)
{
	int64_t area = 0;

	for (unsigned i = 2; i < count; i++)
		area += snapped_area((const int32_t[]){x[0], x[i - 1], x[i]}, (const int32_t[]){y[0], y[i - 1], y[i]});
	return area;
}

bool setup_emit(struct draw *d, struct triangle *t, const struct shape *s)
{
	t->shape = s;
	d->record->counters.primitives_out++;
	if (d->bins)
		return bins_put(d, t, s);
	return raster_shape(s, t, &d->bounds[t->viewport], &d->samples, d->clip_count ? clip_distance_quad : shade_quad, d);
}

static struct triangle fan_triangle(const struct primitive *p, const struct polygon *g, unsigned i)
{
	return (struct triangle){.x = {g->x[0], g->x[i - 1], g->x[i]}, .y = {g->y[0], g->y[i - 1], g->y[i]},
		.at = {g->v[0], g->v[i - 1], g->v[i]}, .corner = {p->corner[0], p->corner[1], p->corner[2]},
		.primitive_id = p->primitive_id, .kind = p->kind, .front = p->front, .viewport = p->viewport, .slice = p->slice};
}

/* Triangle i of the fan, oriented; false where it has no area, or where rounding turned it over. */
static bool fan_triangle_ready(const struct primitive *p, const struct polygon *g, unsigned i, struct triangle *t)
{
	*t = fan_triangle(p, g, i);
	if (g->area == 0 || (snapped_area(t->x, t->y) > 0) != (g->area > 0) || !triangle_orient(t))
		return false;
	t->bias = g->bias;
	return true;
}

/* The plane is that of the largest triangle: slivers that clipping leaves say little of it once they are snapped. */
static float polygon_bias(const struct draw *d, const struct primitive *p, const struct polygon *g)
{
	struct triangle best = fan_triangle(p, g, 2), t;

	for (unsigned i = 2; i < g->count; i++) {
		if (fan_triangle_ready(p, g, i, &t) && t.area > best.area)
			best = t;
	}
	return depth_bias(d, g, &best);
}

static bool fill_solid(struct draw *d, const struct primitive *p, const struct polygon *g)
{
	struct shape s;
	struct triangle t;

	s.cover = COVER_SAMPLES;
	s.facet_count = 1;
	for (unsigned i = 2; i < g->count; i++) {
		if (!fan_triangle_ready(p, g, i, &t))
			continue;
		for (int k = 0; k < 3; k++) {
			s.facet[0].x[k] = t.x[k], s.facet[0].y[k] = t.y[k];
			s.facet[0].edge[k] = t.edge[k];
		}
		if (!setup_emit(d, &t, &s))
			return false;
	}
	return true;
}

/* The whole polygon is one shape, so that no pixel is shaded twice; its plane is that of its largest triangle, or the first
 * vertex alone where there is no area (facts 1.12). */
static bool fill_conservative(struct draw *d, const struct primitive *p, const struct polygon *g)
{
	struct shape s;
	struct triangle best = fan_triangle(p, g, 2), t;

	s.cover = COVER_TOUCHED;
	s.facet_count = 0;
	best.at[1] = best.at[2] = best.at[0];
	best.area = 0;
	for (unsigned i = 2; i < g->count; i++) {
		unsigned k = g->area < 0 ? g->count + 1 - i : i; /* the fan turns clockwise */
		struct facet *f = &s.facet[s.facet_count++];

		*f = (struct facet){.x = {g->x[0], g->x[k - 1], g->x[k]}, .y = {g->y[0], g->y[k - 1], g->y[k]}};
		facet_orient(f);
		if (fan_triangle_ready(p, g, i, &t) && t.area > best.area)
			best = t;
	}
	if (best.area == 0) {
		best.bias = g->bias;
		best.area = 1; /* with edges that are 0 everywhere: all weight on vertex 0 */
	}
	return setup_emit(d, &best, &s);
}

/* Only the primitive's own sides. */
static bool fill_wireframe(struct draw *d, const struct primitive *p, const struct polygon *g)
{
	for (unsigned i = 0; i < g->count; i++) {
		const struct window_vertex side[2] = {g->v[i], g->v[(i + 1) % g->count]};

		if (side[0].edge && !setup_line(d, p, side, g->bias))
			return false;
	}
	return true;
}

/* What has no area is back-facing; only wireframe and conservative rasterisation draw it. */
bool setup_polygon(struct draw *d, const struct primitive *p, const struct window_vertex *v, unsigned count)
{
	const struct kiln_rasterizer_desc *r = &d->pipeline->desc.RasterizerState;
	struct primitive facing = *p;
	struct polygon g = {.v = v, .count = count};
	bool wireframe = r->FillMode == KILN_FILL_WIREFRAME;

	for (unsigned i = 0; i < count; i++) {
		g.x[i] = snap(v[i].x);
		g.y[i] = snap(v[i].y);
	}
	g.area = polygon_area(g.x, g.y, count);
	facing.front = r->FrontCounterClockwise ? g.area < 0 : g.area > 0;
	if ((g.area == 0 && !wireframe && !r->ConservativeRaster) ||
		(facing.front ? r->CullMode == KILN_CULL_FRONT : r->CullMode == KILN_CULL_BACK)) {
		d->record->counters.primitives_culled++;
		return true;
	}
	g.bias = polygon_bias(d, &facing, &g);
	if (wireframe)
		return fill_wireframe(d, &facing, &g);
	return r->ConservativeRaster ? fill_conservative(d, &facing, &g) : fill_solid(d, &facing, &g);
}
