/* Shading: covered quads -> depth test -> pixel waves -> export slots -> colour block.
 *
 * Quads are packed in the order the rasteriser gives them, across triangles of the draw, four lanes each; a full wave
 * runs at once, the last one at the end of the draw. Results are taken lane by lane in packing order, so each pixel is
 * blended in submission order. Attributes are evaluated at absolute pixel centres, from barycentrics that are ratios of
 * exact integers, in binary64, and rounded once. */
#include "sim/draw.h"

struct pixel_waves {
	struct isa_wave *wave;        /* NULL without a pixel program */
	unsigned size, lanes;         /* lanes filled */
	uint64_t live;
	int32_t x[ISA_LANES_MAX], y[ISA_LANES_MAX];
	float z[ISA_LANES_MAX];
};

/* Where a point lies in its triangle: weights of vertices 1 and 2. */
struct weights {
	double b1, b2;                /* in window space */
	double p1, p2, inv_w;         /* perspective-correct, and 1/w here */
};

struct pixel_waves *pixel_waves_create(const struct draw *d)
{
	struct pixel_waves *p = mem_alloc(sizeof *p);

	if (d->pipeline->ps) {
		p->wave = isa_wave_create(d->pipeline->ps);
		p->size = d->pipeline->ps->wave_size;
	}
	return p;
}

void pixel_waves_destroy(struct pixel_waves *p)
{
	isa_wave_destroy(p->wave);
	mem_free(p);
}

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
static struct weights weights(const struct triangle *t, int64_t x, int64_t y)
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

static float depth_at(const struct triangle *t, const struct weights *w)
{
	return (float)weigh(t->at[0].z, t->at[1].z, t->at[2].z, w->b1, w->b2) + t->bias;
}

static uint8_t *texel(const struct kiln_resource *r, int32_t x, int32_t y)
{
	return r->data + (size_t)y * r->row_pitch + (size_t)x * (r->format->bits / 8);
}

static bool depth_passes(const struct draw *d, float z, int32_t x, int32_t y)
{
	return depth_test(&d->depth, z, d->depth.format ? texel(d->state->depth, x, y) : NULL);
}

static unsigned early_depth(struct draw *d, const float z[4], int32_t x, int32_t y, unsigned mask)
{
	for (unsigned i = 0; i < 4; i++) {
		if (mask & 1u << i && !depth_passes(d, z[i], x + (int32_t)(i & 1), y + (int32_t)(i >> 1))) {
			mask &= ~(1u << i);
			d->record->counters.pixels_killed_early++;
		}
	}
	return mask;
}

/* One component of an input at one pixel. */
static uint32_t varying_word(const struct triangle *t, const struct varying *v, const struct weights *w, int c)
{
	double a0 = bits_float(t->at[0].v->attr[v->attr][c]), a1 = bits_float(t->at[1].v->attr[v->attr][c]);
	double a2 = bits_float(t->at[2].v->attr[v->attr][c]);

	if (v->kind == VARYING_LINEAR)
		return to_float_bits(weigh(a0, a1, a2, w->p1, w->p2));
	return to_float_bits(weigh(a0, a1, a2, w->b1, w->b2));
}

static void fill_varying(const struct draw *d, const struct triangle *t, const struct varying *v, unsigned lane,
	const struct weights *w, bool covered)
{
	const struct pixel_waves *p = d->waves;
	uint32_t (*in)[ISA_LANES_MAX] = p->wave->in[v->slot];
	unsigned cols = d->pipeline->ps->inputs[v->slot].cols;

	switch ((enum varying_kind)v->kind) {
	case VARYING_ZERO:
		for (int c = 0; c < 4; c++)
			in[c][lane] = 0;
		break;
	case VARYING_CONSTANT:
		for (int c = 0; c < 4; c++)
			in[c][lane] = t->leading->attr[v->attr][c];
		break;
	case VARYING_LINEAR:
	case VARYING_NOPERSPECTIVE:
		for (unsigned c = 0; c < cols; c++)
			in[c][lane] = varying_word(t, v, w, (int)c);
		break;
	case VARYING_POSITION:
		in[0][lane] = float_bits((float)p->x[lane] + 0.5f);
		in[1][lane] = float_bits((float)p->y[lane] + 0.5f);
		in[2][lane] = float_bits(p->z[lane]);
		in[3][lane] = to_float_bits(1.0 / w->inv_w);
		break;
	case VARYING_FRONT_FACE: in[0][lane] = t->front ? ~0u : 0; break;
	case VARYING_PRIMITIVE_ID: in[0][lane] = t->primitive_id; break;
	case VARYING_COVERAGE: in[0][lane] = covered; break;
	}
}

/* ---- after the wave ---- */

static void read_slot(const struct isa_wave *w, unsigned slot, unsigned lane, uint32_t words[4])
{
	for (int c = 0; c < 4; c++)
		words[c] = w->out[slot][c][lane];
}

/* The slot that feeds a target. One that no export feeds is still decoded: it holds the pattern. */
static unsigned target_slot(const struct draw *d, uint32_t target)
{
	uint8_t slot = d->pipeline->export_slot[target];

	return slot < KILN_RENDER_TARGETS_MAX ? slot : target;
}

/* One sample: covered where alpha is above 0 (NaN is not). */
static bool alpha_covers(const struct draw *d, unsigned lane)
{
	uint32_t words[4], rgba[4];
	const struct export_choice *e = &d->pipeline->required[0];

	read_slot(d->waves->wave, target_slot(d, 0), lane, words);
	color_block_decode(e, words, rgba);
	if (e->type == EXPORT_UINT)
		return rgba[3] != 0;
	return e->type == EXPORT_SINT ? (int32_t)rgba[3] > 0 : bits_float(rgba[3]) > 0;
}

static bool lane_survives(struct draw *d, unsigned lane)
{
	const struct pixel_waves *p = d->waves;
	uint32_t flags = d->pipeline->ps->flags;
	float z = p->z[lane];

	if (flags & ISA_WRITES_COVERAGE) {
		if (!(p->wave->out[ISA_MRTZ][2][lane] & 1))
			return false;
	} else if (d->pipeline->desc.BlendState.AlphaToCoverageEnable && !alpha_covers(d, lane)) {
		return false;
	}
	if (d->early)
		return true;
	if (flags & ISA_WRITES_DEPTH)
		z = bits_float(p->wave->out[ISA_MRTZ][0][lane]);
	if (depth_passes(d, z, p->x[lane], p->y[lane]))
		return true;
	d->record->counters.pixels_killed_late++;
	return false;
}

static void write_lane(struct draw *d, unsigned lane)
{
	const struct pixel_waves *p = d->waves;

	for (uint32_t i = 0; i < KILN_RENDER_TARGETS_MAX; i++) {
		uint32_t slot[4], slot1[4];

		if (!d->color_on[i])
			continue;
		read_slot(p->wave, target_slot(d, i), lane, slot);
		if (d->color[i].dual_source)
			read_slot(p->wave, ISA_MRT0 + 1, lane, slot1);
		color_block_pixel(&d->color[i], slot, d->color[i].dual_source ? slot1 : NULL,
			texel(d->state->targets[i], p->x[lane], p->y[lane]));
		d->record->counters.pixels_written++;
		d->record->counters.pixels_blended += d->color[i].blend.BlendEnable;
	}
}

static void count_exports(struct draw *d)
{
	const struct pipeline *p = d->pipeline;

	for (uint32_t i = 0; i < KILN_RENDER_TARGETS_MAX; i++) {
		if (!d->waves->wave->exported[ISA_MRT0 + i])
			continue;
		d->record->counters.exports++;
		d->record->exports[p->baked[i].form]++;
	}
}

/* Every slot that will be read: those of the targets, alpha for coverage in slot 0, the second source in slot 1. */
static void fill_pattern(struct draw *d)
{
	struct isa_wave *w = d->waves->wave;

	for (unsigned slot = 0; slot < KILN_RENDER_TARGETS_MAX; slot++) {
		for (int c = 0; c < 4 && (slot < 2 || d->color_on[slot]); c++) {
			for (unsigned lane = 0; lane < d->waves->lanes; lane++)
				w->out[ISA_MRT0 + slot][c][lane] = d->pattern;
		}
	}
}

static unsigned count_bits(uint64_t x)
{
	unsigned n = 0;

	for (; x; x &= x - 1)
		n++;
	return n;
}

bool shade_flush(struct draw *d)
{
	struct pixel_waves *p = d->waves;
	struct isa_wave *w = p->wave;
	struct isa_env env = {.user = &d->ps_env, .cbuffer_row = constant_row};
	uint64_t exec = p->lanes == 64 ? ~0ull : (1ull << p->lanes) - 1;
	enum isa_result result;

	if (!p->lanes)
		return true;
	isa_wave_reset(d->pipeline->ps, w, exec, p->live);
	w->budget = d->budget;
	fill_pattern(d);
	result = isa_run(d->pipeline->ps, w, &env);
	d->record->counters.ps_waves++;
	record_take(&d->record->ps, w);
	if (result == ISA_OUT_OF_BUDGET) {
		diag_add(d->diags, DIAG_ISA_BUDGET, d->state->where, "a pixel wave issued more than %llu instructions",
			(unsigned long long)d->budget);
		return false;
	}
	count_exports(d);
	d->record->counters.pixels_discarded += count_bits(p->live & ~w->live);
	for (unsigned lane = 0; lane < p->lanes; lane++) {
		if (p->live & w->live & 1ull << lane && lane_survives(d, lane))
			write_lane(d, lane);
	}
	p->lanes = 0;
	p->live = 0;
	return true;
}

/* ---- before the wave ---- */

static void pack_lane(struct draw *d, const struct triangle *t, const struct weights *w, int32_t x, int32_t y, float z,
	bool covered)
{
	struct pixel_waves *p = d->waves;
	unsigned lane = p->lanes++;

	p->x[lane] = x;
	p->y[lane] = y;
	p->z[lane] = z;
	p->live |= (uint64_t)covered << lane;
	p->wave->sys[ISA_SYS_primitive_id][lane] = t->primitive_id;
	p->wave->sys[ISA_SYS_coverage][lane] = covered;
	p->wave->sys[ISA_SYS_helper][lane] = covered ? 0 : ~0u;
	for (uint32_t i = 0; i < d->varying_count; i++)
		fill_varying(d, t, &d->varyings[i], lane, w, covered);
}

/* Pixels of the quad with a covered sample. */
static unsigned covered_pixels(uint64_t coverage)
{
	unsigned mask = 0;

	for (unsigned p = 0; p < 4; p++)
		mask |= (unsigned)((coverage >> 16 * p & 0xffff) != 0) << p;
	return mask;
}

bool shade_quad(void *user, const struct triangle *t, int32_t x, int32_t y, uint64_t coverage)
{
	struct draw *d = user;
	unsigned mask = covered_pixels(coverage);
	struct weights w[4];
	float z[4];

	d->record->counters.quads++;
	for (int i = 0; i < 4; i++) {
		w[i] = weights(t, (int64_t)(x + (i & 1)) * SUBPIXELS + SUBPIXELS / 2,
			(int64_t)(y + (i >> 1)) * SUBPIXELS + SUBPIXELS / 2);
		z[i] = depth_at(t, &w[i]);
	}
	if (d->early)
		mask = early_depth(d, z, x, y, mask);
	if (!mask || !d->waves->wave)
		return true;
	for (unsigned i = 0; i < 4; i++)
		pack_lane(d, t, &w[i], x + (int32_t)(i & 1), y + (int32_t)(i >> 1), z[i], mask >> i & 1);
	d->record->counters.ps_invocations += count_bits(mask);
	d->record->counters.helper_lanes += 4 - count_bits(mask);
	return d->waves->lanes < d->waves->size || shade_flush(d);
}
