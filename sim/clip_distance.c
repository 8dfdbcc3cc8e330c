/* Clip distances, a sample at a time (facts 1.3): between the rasteriser and shading, samples whose interpolated distance is
 * below 0 are dropped. Only the sign matters: that of the sum of distance / w over the vertices, weighted with the exact
 * integers that weights are made of, so distances that cancel give exactly 0. */
#include "sim/draw.h"

/* Where the interpolated 1/w is not above 0, which extrapolation can give, nothing is drawn. */
static bool sample_inside(const struct draw *d, const struct triangle *t, int64_t x, int64_t y)
{
	double e1 = (double)(t->edge[1].a * x + t->edge[1].b * y + t->edge[1].c);
	double e2 = (double)(t->edge[2].a * x + t->edge[2].b * y + t->edge[2].c);
	const double weight[3] = {((double)t->area - e1 - e2) * t->at[0].inv_w, e1 * t->at[1].inv_w, e2 * t->at[2].inv_w};

	if (!(weight[0] + weight[1] + weight[2] > 0))
		return false;
	for (uint32_t i = 0; i < d->clip_count; i++) {
		if (!(weight[0] * t->at[0].v->clip[i] + weight[1] * t->at[1].v->clip[i] + weight[2] * t->at[2].v->clip[i] >= 0))
			return false;
	}
	return true;
}

static uint64_t inside(const struct draw *d, const struct triangle *t, int32_t x, int32_t y, uint64_t coverage)
{
	for (int bit = 0; bit < 64; bit++) {
		int p = bit / SAMPLES_MAX, s = bit % SAMPLES_MAX;
		int64_t sx = (int64_t)(x + (p & 1)) * SUBPIXELS + SUBPIXELS / 2 + d->samples.at[p][s][0] * (SUBPIXELS / 16);
		int64_t sy = (int64_t)(y + (p >> 1)) * SUBPIXELS + SUBPIXELS / 2 + d->samples.at[p][s][1] * (SUBPIXELS / 16);

		if (coverage >> bit & 1 && !sample_inside(d, t, sx, sy))
			coverage &= ~(1ull << bit);
	}
	return coverage;
}

bool clip_distance_quad(void *user, const struct triangle *t, int32_t x, int32_t y, uint64_t coverage)
{
	coverage = inside(user, t, x, y, coverage);
	return !coverage || shade_quad(user, t, x, y, coverage);
}
