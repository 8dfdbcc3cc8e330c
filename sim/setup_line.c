/* Set-up of lines and points, and of the sides of wireframe triangles: ends in window space -> a shape and weights along it.
 * A line's weights are those of the foot of the perpendicular, so attributes are constant across it; a point's are all on one
 * vertex. Rectangles and squares are expanded from unsnapped positions, then snapped, and covered as two triangles. */
#include "sim/draw.h"
#include <math.h>

static struct triangle start(const struct primitive *p, const struct window_vertex *a, const struct window_vertex *b)
{
	return (struct triangle){.x = {snap(a->x), snap(b->x), snap(a->x)},
		.y = {snap(a->y), snap(b->y), snap(a->y)},
		.area = 1,
		.at = {*a, *b, *a},
		.corner = {p->corner[0], p->corner[1], p->corner[2]},
		.primitive_id = p->primitive_id,
		.kind = p->kind,
		.front = p->front,
		.viewport = p->viewport,
		.slice = p->slice};
}

/* Two triangles over corners in the order a, b, d, c of a Z; false without area. */
static bool two_facets(struct shape *s, const int32_t x[4], const int32_t y[4])
{
	s->cover = COVER_SAMPLES;
	s->facet_count = 0;
	for (int i = 0; i < 2; i++) {
		struct facet *f = &s->facet[s->facet_count];

		*f = (struct facet){.x = {x[i], x[i + 1], x[i + 2]}, .y = {y[i], y[i + 1], y[i + 2]}};
		s->facet_count += facet_orient(f) != 0;
	}
	return s->facet_count != 0;
}

/* The rectangle of this width around the line, as the specification has it: 1.4 and 1.0 pixels. */
static bool line_rectangle(struct shape *s, const struct window_vertex v[2], double width)
{
	double dx = (double)v[1].x - v[0].x, dy = (double)v[1].y - v[0].y, length = sqrt(dx * dx + dy * dy);
	double hx = -dy / length * width / 2, hy = dx / length * width / 2;
	int32_t x[4], y[4];

	if (length == 0)
		return false;
	for (int i = 0; i < 4; i++) {
		double sign = i & 1 ? -1 : 1;

		x[i] = snap((float)(v[i >> 1].x + sign * hx));
		y[i] = snap((float)(v[i >> 1].y + sign * hy));
	}
	return two_facets(s, x, y);
}

bool line_shape(struct shape *s, uint32_t mode, const struct window_vertex v[2])
{
	if (mode == KILN_LINE_QUADRILATERAL_WIDE || mode == KILN_LINE_QUADRILATERAL_NARROW)
		return line_rectangle(s, v, mode == KILN_LINE_QUADRILATERAL_WIDE ? 1.4 : 1.0);
	s->cover = mode == KILN_LINE_ALIASED ? COVER_DIAMONDS : COVER_AREA;
	s->facet_count = 0;
	for (int i = 0; i < 2; i++)
		s->x[i] = snap(v[i].x), s->y[i] = snap(v[i].y);
	return s->x[0] != s->x[1] || s->y[0] != s->y[1];
}

bool setup_line(struct draw *d, const struct primitive *p, const struct window_vertex v[2], float bias)
{
	struct triangle t = start(p, &v[0], &v[1]);
	int64_t dx = (int64_t)t.x[1] - t.x[0], dy = (int64_t)t.y[1] - t.y[0];
	struct shape s;

	if (!line_shape(&s, pipeline_line_mode(&d->pipeline->desc.RasterizerState), v)) {
		d->record->counters.primitives_culled++;
		return true;
	}
	if (dx || dy) {
		t.area = dx * dx + dy * dy;
		t.edge[1] = (struct edge){.a = dx, .b = dy, .c = -(dx * t.x[0] + dy * t.y[0])};
	}
	t.smooth = s.cover == COVER_AREA;
	t.bias = bias;
	return setup_emit(d, &t, &s);
}

static int32_t saturate(int32_t x) { return x < -8388608 ? -8388608 : x > 8388607 ? 8388607 : x; }

void point_shape(struct shape *s, const struct window_vertex *v)
{
	const int32_t x = snap(v->x), y = snap(v->y), left = saturate(x - SUBPIXELS / 2), right = saturate(x + SUBPIXELS / 2);
	const int32_t top = saturate(y - SUBPIXELS / 2), bottom = saturate(y + SUBPIXELS / 2);

	two_facets(s, (const int32_t[]){left, right, left, right}, (const int32_t[]){top, top, bottom, bottom});
}

bool setup_point(struct draw *d, const struct primitive *p, const struct window_vertex *v)
{
	struct triangle t = start(p, v, v);
	struct shape s;

	point_shape(&s, v);
	return setup_emit(d, &t, &s);
}
