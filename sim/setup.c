/* Set-up: a convex polygon in window space -> snapped triangles with exact edges, facing, culling and depth bias; each
 * goes to the rasteriser. Facing and culling come from the snapped polygon as a whole, so a sliver that clipping cut off
 * never faces the other way. Assumes MXCSR as fp_enter() sets it. */
#include "sim/draw.h"

enum { POLYGON_MAX = 32 };

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

/* Edge i runs from vertex i+1 to i+2; walking it, the inside is on the right (y grows downwards). */
static struct edge edge_between(const struct triangle *t, int from, int to)
{
	int64_t dx = (int64_t)t->x[to] - t->x[from], dy = (int64_t)t->y[to] - t->y[from];
	bool top = dy == 0 && dx > 0, left = dy < 0;

	return (struct edge){.a = -dy, .b = dx, .c = dy * t->x[from] - dx * t->y[from], .exclusive = top || left ? 0 : 1};
}

bool triangle_orient(struct triangle *t)
{
	t->area = snapped_area(t->x, t->y);
	if (t->area < 0) {
		struct window_vertex v = t->at[1];
		int32_t x = t->x[1], y = t->y[1];

		t->at[1] = t->at[2], t->at[2] = v;
		t->x[1] = t->x[2], t->x[2] = x;
		t->y[1] = t->y[2], t->y[2] = y;
		t->area = -t->area;
	}
	for (int i = 0; i < 3; i++)
		t->edge[i] = edge_between(t, (i + 1) % 3, (i + 2) % 3);
	return t->area != 0;
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

static float depth_bias(const struct draw *d, const struct triangle *t)
{
	const struct kiln_rasterizer_desc *r = &d->pipeline->desc.RasterizerState;
	float slope = 0, max_z = 0, bias;

	if (r->DepthBias == 0 && r->SlopeScaledDepthBias == 0)
		return 0;
	for (int i = 0; i < 3; i++)
		max_z = magnitude(t->at[i].z) > max_z ? magnitude(t->at[i].z) : max_z;
	if (r->SlopeScaledDepthBias != 0) {
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

bool setup_polygon(struct draw *d, const struct window_vertex *v, unsigned count,
	const struct vertex *const corner[3], uint32_t primitive_id)
{
	const struct kiln_rasterizer_desc *r = &d->pipeline->desc.RasterizerState;
	int32_t x[POLYGON_MAX], y[POLYGON_MAX];
	int64_t area;
	bool front;

	for (unsigned i = 0; i < count; i++) {
		if (v[i].x != v[i].x || v[i].y != v[i].y || v[i].z != v[i].z) {
			d->record->counters.primitives_culled++;
			return true;
		}
		x[i] = snap(v[i].x);
		y[i] = snap(v[i].y);
	}
	area = polygon_area(x, y, count);
	front = r->FrontCounterClockwise ? area < 0 : area > 0; /* no area: back-facing, and nothing to cover */
	if (area == 0 || (front ? r->CullMode == KILN_CULL_FRONT : r->CullMode == KILN_CULL_BACK)) {
		d->record->counters.primitives_culled++;
		return true;
	}
	for (unsigned i = 2; i < count; i++) {
		struct triangle t = {
			.x = {x[0], x[i - 1], x[i]}, .y = {y[0], y[i - 1], y[i]}, .at = {v[0], v[i - 1], v[i]},
			.corner = {corner[0], corner[1], corner[2]}, .primitive_id = primitive_id, .front = front,
		};

		if ((snapped_area(t.x, t.y) > 0) != (area > 0) || !triangle_orient(&t))
			continue;
		t.bias = depth_bias(d, &t);
		d->record->counters.primitives_out++;
		if (!raster_triangle(&t, &d->bounds, &d->samples, shade_quad, d))
			return false;
	}
	return true;
}
