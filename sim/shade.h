/* Private to shading: what its three stages share. shade.c tests early depth, packs lanes and runs waves; interpolate.c gives
 * a lane its inputs; output.c takes what a wave exported to coverage, late depth and the colour block. */
#ifndef KILN_SIM_SHADE_H
#define KILN_SIM_SHADE_H
#include "sim/draw.h"

enum { QUADS_MAX = ISA_LANES_MAX / 4 };
/* Bit 16 p of every pixel p: a mask of samples times this is that mask in all four pixels. */
static const uint64_t every_pixel = 0x0001000100010001;

/* One lane: a pixel, or at sample frequency one sample of it. */
struct pixel_lane {
	int32_t x, y;
	uint32_t covered;             /* samples that the primitive covers and the sample mask lets through; helper lanes: none */
	uint32_t samples;             /* of them, those that no test has dropped yet */
	uint8_t sample;               /* at sample frequency: which */
	uint8_t viewport;
	bool back;
	uint32_t slice;
	float alpha_scale;            /* of an alpha-antialiased line, for SV_Target0; 0: none */
	int8_t centroid[2];           /* in 1/16 pixel from the centre */
	float z[SAMPLES_MAX];         /* where a late test will need it: of each sample in `samples` */
};
/* A primitive that outlives its set-up, for lanes that read their inputs at other places while the wave runs. */
struct held_primitive {
	struct triangle t;            /* points into the arrays below */
	struct vertex v[3], corner[3];
};
struct pixel_waves {
	struct isa_wave *wave;        /* NULL without a pixel program */
	unsigned size, lanes;         /* lanes filled */
	bool ordered;                 /* the program has rasteriser-ordered views */
	uint64_t live;
	struct pixel_lane lane[ISA_LANES_MAX];
	struct held_primitive *held;  /* [QUADS_MAX], where the program reads inputs at other places; else NULL */
};

/* ---- interpolate.c ---- */
/* Window z, biased, at a point in 1/256 pixel. Not clamped. */
float depth_at(const struct triangle *t, int64_t x, int64_t y);
/* The place where centroid inputs of a pixel are evaluated (facts 1.8). covered: by the primitive, before the sample mask. */
void find_centroid(const struct draw *d, unsigned pixel, uint32_t covered, int8_t out[2]);
/* The inputs of one lane, whose pixel_lane is filled in. */
void fill_inputs(const struct draw *d, const struct triangle *t, unsigned lane);
/* Does the program use interp_* or ld_vertex? */
bool reads_elsewhere(const struct isa_program *ps);
/* The interp_* and ld_vertex rows. */
void input_access(const struct draw *d, const struct isa_access *a);

/* ---- output.c ---- */
/* The slots that will be read, before the wave runs. */
void fill_pattern(struct draw *d);
/* Everything behind the program, lane by lane in packing order. */
void output_wave(struct draw *d);
/* Depth, stencil and bounds of one sample, with the reference given; true also without a depth buffer. */
bool test_sample(const struct draw *d, const struct depth_target *t, const struct pixel_lane *l, unsigned sample, float z,
	uint8_t ref);
unsigned count_bits(uint64_t x);
#endif
