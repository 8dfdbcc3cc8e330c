/* Shading: covered quads -> early depth -> pixel waves -> output.c.
 *
 * Quads are packed in the order the rasteriser gives them, across triangles of a tile's bin (without bins: of the draw), four
 * lanes each: a lane a pixel, or at sample frequency a quad for each sample that it covers, in the samples' order. A full wave
 * runs at once, the last one at the end of the bin. Results are taken lane by lane in packing order, so each sample is blended in submission order.
 *
 * Effects in memory come wave after wave and, of one instruction, lane after lane. Rasteriser-ordered views promise more: all
 * that a program does to them in one pixel comes before what later primitives do there. So where a program has such a view, no
 * two lanes of a wave share a pixel (at sample frequency: a sample). */
#include "sim/shade.h"

/* A quad on its way to lanes. Masks of samples have bit 16 p + s for sample s of pixel p. */
struct quad {
	const struct triangle *t;
	int32_t x, y;
	uint64_t raster;              /* covered by the primitive */
	uint64_t covered;             /* and let through by the sample mask */
	uint64_t samples;             /* and by the early test */
	float z[4][SAMPLES_MAX];
};

static bool has_ordered_views(const struct isa_program *ps)
{
	for (size_t i = 0; i < ps->resource_count; i++) {
		if (ps->resources[i].flags & 2)
			return true;
	}
	return false;
}

struct pixel_waves *pixel_waves_create(const struct draw *d)
{
	const struct isa_program *ps = d->pipeline->ps;
	struct pixel_waves *p = mem_alloc(sizeof *p);

	if (!ps)
		return p;
	p->wave = isa_wave_create(ps);
	p->size = ps->wave_size;
	p->ordered = has_ordered_views(ps);
	if (reads_elsewhere(ps))
		p->held = mem_array(QUADS_MAX, sizeof *p->held);
	return p;
}

void pixel_waves_destroy(struct pixel_waves *p)
{
	isa_wave_destroy(p->wave);
	mem_free(p->held);
	mem_free(p);
}

unsigned count_bits(uint64_t x) { return (unsigned)__builtin_popcountll(x); }

/* ---- running ---- */

static void pixel_access(void *user, const struct isa_access *a)
{
	const struct constant_env *env = user;

	if (isa_info[a->inst->op].unit == ISA_UNIT_INPUT)
		input_access(env->draw, a);
	else
		resource_access(user, a);
}

void shade_out_of_budget(const struct draw *d)
{
	diag_add(d->diags, DIAG_ISA_BUDGET, d->state->where, "a pixel wave issued more than %llu instructions",
		(unsigned long long)d->budget);
}

bool shade_flush(struct draw *d)
{
	struct pixel_waves *p = d->waves;
	struct isa_wave *w = p->wave;
	struct isa_env env = {.user = &d->ps_env, .cbuffer_row = constant_row, .access = pixel_access};
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
		if (!d->bins)
			shade_out_of_budget(d);
		return false;
	}
	output_wave(d);
	p->lanes = 0;
	p->live = 0;
	return true;
}

/* ---- before the wave ---- */

bool test_sample(const struct draw *d, const struct depth_target *t, const struct pixel_lane *l, unsigned sample, float z,
	uint8_t ref)
{
	struct depth_fragment f = {.z = z, .min_depth = d->depth_range[l->viewport][0],
		.max_depth = d->depth_range[l->viewport][1], .back = l->back, .ref = ref};

	if (!t->format)
		return true;
	if (d->state->depth.resource->desc.SampleDesc.Count <= sample)
		sample = 0;
	return depth_stencil_test(t, &f, target_texel(&d->state->depth, l->slice, (uint32_t)l->x, (uint32_t)l->y, sample));
}

/* Where and of what the lane of pixel p is; the rest stays. */
static void lane_at(struct pixel_lane *l, const struct quad *q, unsigned p)
{
	l->x = q->x + (int32_t)(p & 1);
	l->y = q->y + (int32_t)(p >> 1);
	l->viewport = q->t->viewport;
	l->back = !q->t->front;
	l->slice = q->t->slice;
}

/* z of every sample that may need it: where the sample lies, not where its pixel is shaded. */
static void find_depth(const struct draw *d, struct quad *q)
{
	for (unsigned p = 0; p < 4; p++) {
		int64_t x = (int64_t)(q->x + (int32_t)(p & 1)) * SUBPIXELS + SUBPIXELS / 2;
		int64_t y = (int64_t)(q->y + (int32_t)(p >> 1)) * SUBPIXELS + SUBPIXELS / 2;

		for (unsigned s = 0; s < d->samples.count; s++) {
			if (q->covered >> (16 * p + s) & 1)
				q->z[p][s] = depth_at(q->t, x + d->samples.at[p][s][0] * (SUBPIXELS / 16),
					y + d->samples.at[p][s][1] * (SUBPIXELS / 16));
		}
	}
}

/* Drops the samples that fail. Where the test comes again after the shader, nothing is written now. */
static void early_test(struct draw *d, struct quad *q)
{
	struct depth_target t = d->depth;

	if (d->depth_order == DEPTH_EARLY_AND_LATE)
		t.depth_read_only = t.stencil_read_only = true;
	for (unsigned p = 0; p < 4; p++) {
		struct pixel_lane l;
		uint64_t pixel = q->covered & 0xffffull << 16 * p;

		lane_at(&l, q, p);
		for (unsigned s = 0; s < d->samples.count; s++) {
			uint64_t bit = 1ull << (16 * p + s);

			if (pixel & bit && !test_sample(d, &t, &l, s, q->z[p][s], d->state->stencil_ref[l.back]))
				q->samples &= ~bit;
		}
		d->record->counters.pixels_killed_early += pixel && !(pixel & q->samples);
	}
}

/* Keeps the primitive for as long as the wave runs. */
static void hold(const struct draw *d, const struct triangle *t, unsigned quad)
{
	struct held_primitive *h = &d->waves->held[quad];

	h->t = *t;
	for (int i = 0; i < 3; i++) {
		h->v[i] = *t->at[i].v;
		h->corner[i] = *t->corner[i];
		h->t.at[i].v = &h->v[i];
		h->t.corner[i] = &h->corner[i];
	}
}

/* Does a lane of the wave work where one of the quad will? Slices of targets are no matter: views may be the same in all. */
static bool meets(const struct pixel_waves *w, const struct quad *q, uint32_t which, unsigned sample)
{
	for (unsigned lane = 0; lane < w->lanes; lane++) {
		const struct pixel_lane *l = &w->lane[lane];

		if (l->samples && l->x >> 1 == q->x >> 1 && l->y >> 1 == q->y >> 1 && l->sample == sample &&
			(uint32_t)(q->samples >> 16 * (lane & 3)) & which)
			return true;
	}
	return false;
}

/* Four lanes for the samples in `which` (of each pixel); `sample` is theirs at sample frequency. */
static bool pack_quad(struct draw *d, const struct quad *q, uint32_t which, unsigned sample)
{
	struct pixel_waves *p = d->waves;
	unsigned covered = 0;

	if (p->ordered && meets(p, q, which, sample) && !shade_flush(d))
		return false;
	if (p->held)
		hold(d, q->t, p->lanes / 4);
	for (unsigned i = 0; i < 4; i++) {
		struct pixel_lane *l = &p->lane[p->lanes];
		uint32_t samples = (uint32_t)(q->samples >> 16 * i) & which, left = samples;

		lane_at(l, q, i);
		l->samples = samples;
		l->sample = (uint8_t)sample;
		l->covered = samples ? (uint32_t)(q->covered >> 16 * i) & which : 0; /* no test narrows what the shader sees */
		l->alpha_scale = q->t->smooth && samples ? line_alpha(q->t->shape->x, q->t->shape->y, l->x, l->y) : 0;
		if (d->centroids)
			find_centroid(d, i, (uint32_t)(q->raster >> 16 * i) & 0xffff, l->centroid);
		for (unsigned s = 0; left; s++, left >>= 1)
			l->z[s] = q->z[i][s];
		p->live |= (uint64_t)(samples != 0) << p->lanes;
		covered += samples != 0;
		fill_inputs(d, q->t, p->lanes++);
	}
	d->record->counters.ps_invocations += covered;
	d->record->counters.helper_lanes += 4 - covered;
	return p->lanes < p->size || shade_flush(d);
}

bool shade_quad(void *user, const struct triangle *t, int32_t x, int32_t y, uint64_t coverage)
{
	struct draw *d = user;
	struct quad q; /* not initialised as a whole: z is large */

	q.t = t;
	q.x = x;
	q.y = y;
	q.raster = coverage;
	q.covered = coverage & d->sample_mask * every_pixel;
	d->record->counters.quads++;
	q.samples = q.covered;
	if (d->depth.format)
		find_depth(d, &q);
	if (d->depth_order != DEPTH_LATE)
		early_test(d, &q);
	if (d->forced_early || !d->waves->wave)
		d->record->counters.samples_passed += count_bits(q.samples);
	if (!q.samples || !d->waves->wave)
		return true;
	if (!(d->pipeline->ps->flags & ISA_SAMPLE_FREQUENCY))
		return pack_quad(d, &q, 0xffff, 0);
	for (unsigned s = 0; s < d->samples.count; s++) {
		if (q.samples >> s & every_pixel && !pack_quad(d, &q, 1u << s, s))
			return false;
	}
	return true;
}
