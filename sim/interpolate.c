/* Inputs of pixel lanes: attributes, position and system values at the pixel's centre, its centroid, a sample or any other
 * place. Weights are ratios of exact integers at absolute places, in binary64, and each result is rounded once: what is
 * evaluated at one place has one value, whoever asks. Takes a primitive with its edges; assumes fp_enter(). */
#include "sim/shade.h"

/* Where a point lies in its primitive: weights of vertices 1 and 2. */
struct weights {
	double b1, b2;                /* in window space */
	double p1, p2, inv_w;         /* perspective-correct, and 1/w here */
};

static double edge_value(const struct edge *e, int64_t x, int64_t y)
{
	return (double)(e->a * x + e->b * y + e->c);
}

/* Written so that what is equal at all vertices comes out as it is. */
static double weigh(double a0, double a1, double a2, double w1, double w2)
{
	return a0 + w1 * (a1 - a0) + w2 * (a2 - a0);
}

/* At a point in 1/256 pixel. */
static struct weights weights_at(const struct triangle *t, int64_t x, int64_t y)
{
	double area = (double)t->area, i0 = t->at[0].inv_w, i1 = t->at[1].inv_w, i2 = t->at[2].inv_w;
	struct weights w = {.b1 = edge_value(&t->edge[1], x, y) / area, .b2 = edge_value(&t->edge[2], x, y) / area};

	w.inv_w = weigh(i0, i1, i2, w.b1, w.b2);
	w.p1 = w.b1 * i1 / w.inv_w;
	w.p2 = w.b2 * i2 / w.inv_w;
	return w;
}

static uint32_t to_float_bits(double x)
{
	float f = (float)x;

	return f == f ? float_bits(f) : 0x7fc00000;
}

static float biased_depth(const struct triangle *t, double b1, double b2)
{
	return (float)weigh(t->at[0].z, t->at[1].z, t->at[2].z, b1, b2) + t->bias;
}

float depth_at(const struct triangle *t, int64_t x, int64_t y)
{
	double area = (double)t->area;

	return biased_depth(t, edge_value(&t->edge[1], x, y) / area, edge_value(&t->edge[2], x, y) / area);
}

void find_centroid(const struct draw *d, unsigned pixel, uint32_t covered, int8_t out[2])
{
	const struct sample_pattern *s = &d->samples;
	uint32_t all = (1u << s->count) - 1, masked = covered & d->sample_mask;

	out[0] = out[1] = 0;
	if (!masked)
		masked = d->sample_mask;
	if (covered == all || masked == all || !masked)
		return;
	for (unsigned i = 0; i < s->count; i++) {
		if (masked >> i & 1) {
			out[0] = s->at[pixel][i][0];
			out[1] = s->at[pixel][i][1];
			return;
		}
	}
}

/* One component of an input. */
static uint32_t varying_word(const struct triangle *t, const struct varying *v, const struct weights *w, unsigned c)
{
	double a0 = bits_float(t->at[0].v->attr[v->attr][c]), a1 = bits_float(t->at[1].v->attr[v->attr][c]);
	double a2 = bits_float(t->at[2].v->attr[v->attr][c]);

	if (v->kind == VARYING_LINEAR)
		return to_float_bits(weigh(a0, a1, a2, w->p1, w->p2));
	return to_float_bits(weigh(a0, a1, a2, w->b1, w->b2));
}

/* The place of an input that says where, in 1/16 pixel from the centre. */
static void place_of(const struct draw *d, const struct pixel_lane *l, unsigned place, unsigned pixel, int8_t out[2])
{
	out[0] = place == PLACE_CENTER ? 0 : place == PLACE_CENTROID ? l->centroid[0] : d->samples.at[pixel][l->sample][0];
	out[1] = place == PLACE_CENTER ? 0 : place == PLACE_CENTROID ? l->centroid[1] : d->samples.at[pixel][l->sample][1];
}

/* The absolute place of a pixel's centre moved by so many 1/16 pixels, in 1/256 pixel. */
static int64_t absolute(int32_t pixel, int32_t sixteenths)
{
	return (int64_t)pixel * SUBPIXELS + SUBPIXELS / 2 + sixteenths * (SUBPIXELS / 16);
}

static void fill_varying(const struct draw *d, const struct triangle *t, const struct varying *v, unsigned lane,
	const struct weights *w, const int8_t at[2])
{
	const struct pixel_lane *l = &d->waves->lane[lane];
	uint32_t (*in)[ISA_LANES_MAX] = d->waves->wave->in[v->slot];

	switch ((enum varying_kind)v->kind) {
	case VARYING_ZERO:
		for (int c = 0; c < 4; c++)
			in[c][lane] = 0;
		break;
	case VARYING_CONSTANT:
		for (int c = 0; c < 4; c++)
			in[c][lane] = t->corner[0]->attr[v->attr][c];
		break;
	case VARYING_LINEAR:
	case VARYING_NOPERSPECTIVE:
		for (unsigned c = 0; c < 4; c++) {
			if (v->read >> c & 1)
				in[c][lane] = varying_word(t, v, w, c);
		}
		break;
	case VARYING_POSITION:
		in[0][lane] = float_bits((float)l->x + (8 + at[0]) * 0.0625f);
		in[1][lane] = float_bits((float)l->y + (8 + at[1]) * 0.0625f);
		if (v->read & 4)
			in[2][lane] = float_bits(biased_depth(t, w->b1, w->b2));
		if (v->read & 8)
			in[3][lane] = to_float_bits(1.0 / w->inv_w);
		break;
	case VARYING_FRONT_FACE: in[0][lane] = t->front ? ~0u : 0; break;
	case VARYING_PRIMITIVE_ID: in[0][lane] = t->primitive_id; break;
	case VARYING_COVERAGE: in[0][lane] = l->covered; break;
	}
}

static void fill_system_values(const struct draw *d, const struct triangle *t, unsigned lane)
{
	const struct pixel_lane *l = &d->waves->lane[lane];
	uint32_t (*sys)[ISA_LANES_MAX] = d->waves->wave->sys;

	sys[ISA_SYS_primitive_id][lane] = t->primitive_id;
	sys[ISA_SYS_coverage][lane] = l->covered;
	sys[ISA_SYS_inner_coverage][lane] = l->covered && t->shape->cover == COVER_TOUCHED && shape_contains(t->shape, l->x, l->y);
	sys[ISA_SYS_sample_index][lane] = l->sample;
	sys[ISA_SYS_helper][lane] = l->covered ? 0 : ~0u;
}

void fill_inputs(const struct draw *d, const struct triangle *t, unsigned lane)
{
	const struct pixel_lane *l = &d->waves->lane[lane];
	int8_t at[PLACE_COUNT][2];
	struct weights w[PLACE_COUNT];

	for (unsigned i = 0; i < PLACE_COUNT; i++) {
		place_of(d, l, i, lane & 3, at[i]);
		if (d->places >> i & 1)
			w[i] = weights_at(t, absolute(l->x, at[i][0]), absolute(l->y, at[i][1]));
	}
	if (d->sys_read)
		fill_system_values(d, t, lane);
	for (uint32_t i = 0; i < d->varying_count; i++) {
		const struct varying *v = &d->varyings[i];

		if (v->read)
			fill_varying(d, t, v, lane, &w[v->place], at[v->place]);
	}
}

/* ---- inputs at other places, while the wave runs ---- */

bool reads_elsewhere(const struct isa_program *ps)
{
	for (size_t i = 0; i < ps->inst_count; i++) {
		switch (ps->insts[i].op) {
		case ISA_interp_snapped:
		case ISA_interp_sample:
		case ISA_interp_centroid:
		case ISA_ld_vertex:
			return true;
		}
	}
	return false;
}

static int32_t low_4_bits_signed(uint32_t x)
{
	return (int32_t)((x & 15) ^ 8) - 8;
}

/* Where lane's instruction wants the input, in 1/16 pixel from the centre. */
static void wanted_place(const struct draw *d, const struct isa_access *a, unsigned lane, int32_t at[2])
{
	enum { X = 3, Y = 4, SAMPLE = 3 };
	const struct pixel_lane *l = &d->waves->lane[lane];
	uint32_t sample;

	at[0] = at[1] = 0;
	switch (a->inst->op) {
	case ISA_interp_snapped:
		at[0] = low_4_bits_signed(a->source[X][lane]);
		at[1] = low_4_bits_signed(a->source[Y][lane]);
		break;
	case ISA_interp_centroid:
		at[0] = l->centroid[0];
		at[1] = l->centroid[1];
		break;
	default:
		sample = a->source[SAMPLE][lane];
		if (sample < d->samples.count) {
			at[0] = d->samples.at[lane & 3][sample][0];
			at[1] = d->samples.at[lane & 3][sample][1];
		}
		break;
	}
}

static uint32_t input_word(const struct draw *d, const struct isa_access *a, unsigned lane)
{
	enum { SLOT = 1, COMPONENT, VERTEX };
	const struct pixel_lane *l = &d->waves->lane[lane];
	const struct held_primitive *h = &d->waves->held[lane / 4];
	const struct varying *v = &d->varyings[a->inst->at[SLOT].value];
	unsigned c = a->inst->at[COMPONENT].value;
	struct weights w;
	int32_t at[2];

	if (a->inst->op == ISA_ld_vertex)
		return v->kind == VARYING_CONSTANT ? h->corner[a->inst->at[VERTEX].value % 3].attr[v->attr][c] : 0;
	if (v->kind == VARYING_CONSTANT)
		return h->corner[0].attr[v->attr][c];
	if (v->kind != VARYING_LINEAR && v->kind != VARYING_NOPERSPECTIVE)
		return 0;
	wanted_place(d, a, lane, at);
	w = weights_at(&h->t, absolute(l->x, at[0]), absolute(l->y, at[1]));
	return varying_word(&h->t, v, &w, c);
}

void input_access(const struct draw *d, const struct isa_access *a)
{
	for (unsigned lane = 0; lane < a->lanes; lane++) {
		if (a->exec >> lane & 1)
			a->result[0][lane] = input_word(d, a, lane);
	}
}
