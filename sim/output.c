/* Behind the pixel program: what each lane exported -> coverage (discard, SV_Coverage or alpha-to-coverage), the late depth
 * and stencil test, and the colour block, sample by sample. The order is D3D12's (facts 3.2): what coverage drops changes
 * neither depth nor stencil, unless they were forced early. */
#include "sim/shade.h"

enum { MRTZ_DEPTH, MRTZ_STENCIL, MRTZ_COVERAGE };

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

/* Slots of the targets, alpha for coverage in slot 0, the second source in slot 1, and what mrtz may hold. */
void fill_pattern(struct draw *d)
{
	struct isa_wave *w = d->waves->wave;

	unsigned mrtz = (d->pipeline->ps->flags & (ISA_WRITES_DEPTH | ISA_WRITES_STENCIL | ISA_WRITES_COVERAGE)) != 0;

	for (unsigned slot = 0; slot < ISA_MRTZ + mrtz; slot++) {
		if (slot >= 2 && slot < KILN_RENDER_TARGETS_MAX && !d->color_on[slot])
			continue;
		for (int c = 0; c < 4; c++) {
			for (unsigned lane = 0; lane < d->waves->lanes; lane++)
				w->out[slot][c][lane] = d->pattern;
		}
	}
}

/* ---- coverage ---- */

/* Alpha of output 0 as the state decodes it: before blending and before a norm target clamps it. */
static double output_alpha(const struct draw *d, unsigned lane)
{
	uint32_t words[4], rgba[4];
	const struct export_choice *e = &d->pipeline->required[0];

	read_slot(d->waves->wave, target_slot(d, 0), lane, words);
	color_block_decode(e, words, rgba);
	if (e->type == EXPORT_UINT)
		return rgba[3];
	return e->type == EXPORT_SINT ? (double)(int32_t)rgba[3] : (double)bits_float(rgba[3]);
}

/* The first floor(alpha n + dither) of n samples; the dither repeats over quads: 7/8 3/8, 1/8 5/8. 0, less and NaN cover none, 1
 * and more all. */
static uint32_t alpha_coverage(const struct draw *d, unsigned lane)
{
	static const uint8_t eighths[4] = {7, 3, 1, 5};
	const float scale = d->waves->lane[lane].alpha_scale;
	double alpha = output_alpha(d, lane) * (scale ? scale : 1), n = d->pipeline->desc.SampleDesc.Count;

	if (!(alpha > 0))
		return 0;
	if (alpha >= 1)
		return 0xffff;
	return (1u << (unsigned)(alpha * n + eighths[lane & 3] * 0.125)) - 1;
}

static uint32_t exported_coverage(const struct draw *d, unsigned lane)
{
	if (d->pipeline->ps->flags & ISA_WRITES_COVERAGE)
		return d->waves->wave->out[ISA_MRTZ][MRTZ_COVERAGE][lane];
	if (d->pipeline->desc.BlendState.AlphaToCoverageEnable)
		return alpha_coverage(d, lane);
	return 0xffff;
}

/* ---- depth and stencil after the program ---- */

static void late_test(struct draw *d, struct pixel_lane *l, unsigned lane)
{
	uint32_t flags = d->pipeline->ps->flags, before = l->samples;
	uint32_t (*mrtz)[ISA_LANES_MAX] = d->waves->wave->out[ISA_MRTZ];
	uint8_t ref = flags & ISA_WRITES_STENCIL ? (uint8_t)mrtz[MRTZ_STENCIL][lane] : d->state->stencil_ref[l->back];

	for (unsigned s = 0; s < d->samples.count; s++) {
		float z = flags & ISA_WRITES_DEPTH ? bits_float(mrtz[MRTZ_DEPTH][lane]) : l->z[s];

		if (before >> s & 1 && !test_sample(d, &d->depth, l, s, z, ref))
			l->samples &= ~(1u << s);
	}
	d->record->counters.pixels_killed_late += before && !l->samples;
}

/* ---- colour ---- */

static void write_target(struct draw *d, unsigned lane, uint32_t target, uint32_t samples)
{
	const struct pixel_lane *l = &d->waves->lane[lane];
	const struct color_target *t = &d->color[target];
	struct color_target scaled;
	const struct target *to = &d->state->targets[target];
	uint32_t slot[4], slot1[4];

	read_slot(d->waves->wave, target_slot(d, target), lane, slot);
	if (l->alpha_scale && target == 0) {
		scaled = *t;
		scaled.alpha_scale = l->alpha_scale;
		t = &scaled;
	}
	if (t->dual_source)
		read_slot(d->waves->wave, ISA_MRT0 + 1, lane, slot1);
	for (unsigned s = 0; samples; s++, samples >>= 1) {
		if (!(samples & 1))
			continue;
		color_block_pixel(t, slot, t->dual_source ? slot1 : NULL,
			target_texel(to, l->slice, (uint32_t)l->x, (uint32_t)l->y, s));
		d->record->counters.pixels_written++;
		d->record->counters.pixels_blended += t->blend.BlendEnable;
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

void output_wave(struct draw *d)
{
	struct pixel_waves *p = d->waves;

	count_exports(d);
	d->record->counters.pixels_discarded += count_bits(p->live & ~p->wave->live);
	for (unsigned lane = 0; lane < p->lanes; lane++) {
		struct pixel_lane *l = &p->lane[lane];
		uint32_t exported;

		if (!(p->live & p->wave->live & 1ull << lane))
			continue;
		exported = exported_coverage(d, lane) & d->output_mask;
		l->samples = !d->forced_samples ? l->samples & exported : exported ? l->samples : 0;
		if (d->depth_order != DEPTH_EARLY)
			late_test(d, l, lane);
		if (!d->forced_early)
			d->record->counters.samples_passed += count_bits(l->samples);
		for (uint32_t i = 0; i < d->pipeline->desc.NumRenderTargets && l->samples; i++) {
			if (d->color_on[i])
				write_target(d, lane, i, d->forced_samples ? exported : l->samples);
		}
	}
}
