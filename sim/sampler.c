/* The sampler: coordinates and LOD -> addresses, taps and their weighted sum (facts section 6).
 *
 * Coordinates are binary32, scaled exactly, and rounded to 8 bits of fraction; weights are products of
 * such fractions, so that they and their products with texels are exact in binary64. Taps of no weight are not read; the others
 * are summed in a fixed order (slice by slice, row by row; the finer mip first) in binary64 and rounded once. A constant
 * texture stays constant, and a tap of weight one is returned bit for bit. */
#include "sim/texture.h"
#include "sim/cube.h"
#include <xmmintrin.h>

enum { WRAP = 1, MIRROR, CLAMP, BORDER, MIRROR_ONCE };
enum { FILTER_MIP_LINEAR = 1, FILTER_MAG_LINEAR = 4, FILTER_MIN_LINEAR = 16, FILTER_ANISOTROPIC = 64 };
enum { REDUCE_SUM, REDUCE_COMPARE, REDUCE_MIN, REDUCE_MAX };
enum { FLAG_INTEGER_BORDER = 1, FLAG_TEXELS = 2 };
enum { ANISOTROPY_MAX = 16 };

/* What taps come to. */
struct sum {
	const struct view *view;
	const struct kiln_sampler_desc *sampler;
	const struct sample_request *request;
	uint8_t reduction;
	float reference;              /* of comparisons */
	bool any, exact;              /* exact: one tap of weight 1 so far, whose words stand in rgba */
	double channel[4];
	uint32_t rgba[4];
};

/* ---- small numbers ---- */

/* Largest integer not above x; saturates. NaN gives 0. */
static int64_t floor_int(double x)
{
	int64_t i;

	if (!(x > -1e15))
		return x == x ? -1000000000000000 : 0;
	if (x > 1e15)
		return 1000000000000000;
	i = (int64_t)x;
	return i > x ? i - 1 : i;
}

/* Nearest, ties to even. */
static int64_t round_int(double x)
{
	int64_t i = floor_int(x);
	double rest = x - (double)i;

	return rest > 0.5 || (rest == 0.5 && i & 1) ? i + 1 : i;
}

/* The number wins over NaN. */
static float max_number(float a, float b) { return a > b || b != b ? a : b; }
static float min_number(float a, float b) { return a < b || b != b ? a : b; }

/* log2 of a length whose square is given. */
static float log2_length(float squared) { return bits_float(isa_log2_f32(float_bits(squared))) * 0.5f; }

static bool is_integer(const struct view *v)
{
	return v->format->numeric == FORMAT_UINT || v->format->numeric == FORMAT_SINT;
}

/* ---- taps ---- */

static float clamp_number(float x, float low, float high) { return x > low ? x < high ? x : high : low; }

/* A border channel as a float of the format's range; it is not rounded to the format's codes. */
static float border_float(const struct format_info *f, unsigned channel, float x)
{
	unsigned bits = f->channel[channel].bits;

	x = x == x ? x : 0;
	switch (f->numeric) {
	case FORMAT_SNORM: return clamp_number(x, -1, 1);
	case FORMAT_SHAREDEXP: return clamp_number(x, 0, 65408);
	case FORMAT_FLOAT:
		if (bits == 32)
			return x;
		return bits == 16 ? clamp_number(x, -65504, 65504) : clamp_number(x, 0, bits == 11 ? 65024 : 64512);
	}
	return clamp_number(x, 0, 1);
}

static uint32_t border_integer(const struct format_info *f, float x)
{
	int64_t i = round_int(x), low = f->numeric == FORMAT_SINT ? INT32_MIN : 0;
	int64_t high = f->numeric == FORMAT_SINT ? INT32_MAX : UINT32_MAX;

	return (uint32_t)(i < low ? low : i > high ? high : i);
}

/* Border colours are clamped to what the format holds; channels that it has not read as always. */
static void border(const struct view *v, const struct kiln_sampler_desc *s, uint32_t rgba[4])
{
	const struct format_info *f = v->format;
	uint8_t element[16] = {0};
	uint32_t words[4];

	memcpy(words, s->BorderColor, sizeof words);
	format_unpack(f, element, rgba);
	if (is_integer(v)) {
		for (int c = 0; c < 4 && !(s->Flags & FLAG_INTEGER_BORDER); c++)
			words[c] = border_integer(f, s->BorderColor[c]);
		format_pack(f, words, 15, element);
		format_unpack(f, element, rgba);
		return;
	}
	for (unsigned c = 0; c < 4; c++) {
		if (f->channel[c].bits && (c < 3 || f->numeric != FORMAT_SHAREDEXP))
			rgba[c] = float_bits(border_float(f, c, s->BorderColor[c]));
	}
}

static bool compares(uint32_t function, float a, float b)
{
	switch (function) {
	case KILN_COMPARISON_LESS: return a < b;
	case KILN_COMPARISON_EQUAL: return a == b;
	case KILN_COMPARISON_LESS_EQUAL: return a <= b;
	case KILN_COMPARISON_GREATER: return a > b;
	case KILN_COMPARISON_NOT_EQUAL: return a != b;
	case KILN_COMPARISON_GREATER_EQUAL: return a >= b;
	case KILN_COMPARISON_ALWAYS: return true;
	}
	return false;
}

/* The reference as the format would store it: clamped and rounded where texels are norms. */
static float reference_of(const struct view *v, const struct sample_request *r)
{
	uint32_t words[4] = {float_bits(r->reference)};
	uint8_t element[16] = {0};

	if (!r->compare || !v->format->channel[0].bits || (v->format->numeric != FORMAT_UNORM && v->format->numeric != FORMAT_SNORM))
		return r->reference;
	format_pack(v->format, words, 1, element);
	format_unpack(v->format, element, words);
	return bits_float(words[0]);
}

/* 1 or 0 as a float. */
static uint32_t compare(uint32_t function, float reference, uint32_t word)
{
	return compares(function, reference, bits_float(word)) ? 0x3f800000 : 0;
}

/* A texel as stored (not yet mapped) of mip, or the border's colour where an axis is outside (at[i] < 0). */
static void stored_texel(const struct view *v, const struct kiln_sampler_desc *s, uint32_t mip, const int32_t at[3],
	uint32_t slice, uint32_t rgba[4])
{
	const uint8_t *texel = texel_address(v, mip, at[0], at[1], at[2], slice, 0);

	if (texel)
		format_unpack(v->format, texel, rgba);
	else
		border(v, s, rgba);
}

static void add_words(struct sum *sum, const uint32_t words[4], double weight)
{
	for (int c = 0; c < 4; c++) {
		double x = bits_float(words[c]);

		if (sum->reduction == REDUCE_MIN)
			sum->channel[c] = !sum->any || x < sum->channel[c] || sum->channel[c] != sum->channel[c] ? x : sum->channel[c];
		else if (sum->reduction == REDUCE_MAX)
			sum->channel[c] = !sum->any || x > sum->channel[c] || sum->channel[c] != sum->channel[c] ? x : sum->channel[c];
		else
			sum->channel[c] += weight * x;
		sum->rgba[c] = words[c];
	}
	sum->exact = weight == 1;
	sum->any = true;
}

static void add_tap(struct sum *sum, uint32_t mip, const int32_t at[3], uint32_t slice, double weight)
{
	uint32_t words[4];

	if (weight == 0)
		return;
	stored_texel(sum->view, sum->sampler, mip, at, slice, words);
	if (sum->request->compare) {
		words[0] = compare(sum->sampler->ComparisonFunc, sum->reference, words[0]);
		words[1] = words[2] = words[3] = words[0];
	}
	add_words(sum, words, weight);
}

/* ---- addresses ---- */

/* From 2^24 on floats are even integers, which wrap and mirror to the same place; below, scaling in binary64 is exact, so
 * that no address is rounded up. */
static double coordinate(float u) { return (double)(u == u ? clamp_number(u, -0x1p24f, 0x1p24f) : 0); }

/* Texel x of n; -1: the border. */
static int32_t wrap(int64_t x, int64_t n, uint32_t mode)
{
	if (x >= 0 && x < n)
		return (int32_t)x; /* most are, and division is slow */
	switch (mode) {
	case WRAP: return (int32_t)((x % n + n) % n);
	case MIRROR:
		x = (x % (2 * n) + 2 * n) % (2 * n);
		return (int32_t)(x < n ? x : 2 * n - 1 - x);
	case BORDER: return x < 0 || x >= n ? -1 : (int32_t)x;
	case MIRROR_ONCE: x = x < 0 ? -x - 1 : x; break;
	}
	return (int32_t)(x < 0 ? 0 : x >= n ? n - 1 : x);
}

/* The one or two texels of an axis, before wrapping, and the weight of the second in 1/256. */
struct axis {
	int64_t first;
	uint32_t fraction;
	uint32_t size, mode;
};

static struct axis locate(float u, uint32_t size, uint32_t mode, int32_t offset, bool texels, bool linear)
{
	struct axis a = {.size = size, .mode = mode};
	double scaled = coordinate(u) * (texels ? 1 : size);
	int64_t fixed;

	if (!linear) {
		a.first = floor_int(scaled) + offset;
		return a;
	}
	fixed = round_int(scaled * 256) - 128;
	a.first = floor_int((double)fixed / 256) + offset;
	a.fraction = (uint32_t)fixed & 255;
	return a;
}

static uint32_t mode_of(const struct kiln_sampler_desc *s, int i)
{
	return i == 0 ? s->AddressU : i == 1 ? s->AddressV : s->AddressW;
}

static uint32_t size_of(const struct view *v, uint32_t mip, int i)
{
	const struct kiln_resource *r = v->resource;
	uint32_t level = v->first_mip + mip;

	return i == 0 ? mip_size(r->desc.Width, level) : i == 1 ? mip_size(r->desc.Height, level) : resource_depth(r, level);
}

static int axes_of(const struct view *v)
{
	switch (v->dimension) {
	case KILN_VIEW_TEXTURE1D:
	case KILN_VIEW_TEXTURE1DARRAY: return 1;
	case KILN_VIEW_TEXTURE3D: return 3;
	}
	return 2;
}

static bool is_cube(const struct view *v)
{
	return v->dimension == KILN_VIEW_TEXTURECUBE || v->dimension == KILN_VIEW_TEXTURECUBEARRAY;
}

/* The array slice: nearest even, clamped to the view. */
static uint32_t slice_of(const struct view *v, float index, uint32_t slices)
{
	int64_t i = round_int(index == index ? index : 0);

	(void)v;
	return i < 0 ? 0 : i >= slices ? slices - 1 : (uint32_t)i;
}

static uint32_t array_slice(const struct view *v, const struct sample_request *r)
{
	switch (v->dimension) {
	case KILN_VIEW_TEXTURE1DARRAY: return slice_of(v, r->coordinate[1], v->slices);
	case KILN_VIEW_TEXTURE2DARRAY: return slice_of(v, r->coordinate[2], v->slices);
	case KILN_VIEW_TEXTURECUBEARRAY: return 6 * slice_of(v, r->coordinate[3], v->slices / 6);
	}
	return 0;
}

/* ---- filters in one mip ---- */

static void add_box(struct sum *sum, uint32_t mip, const struct axis axis[3], int axes, uint32_t slice, double weight)
{
	for (int corner = 0; corner < 1 << axes; corner++) {
		int32_t at[3] = {0};
		double w = weight;
		bool outside = false;

		for (int i = 0; i < axes; i++) {
			bool second = corner >> i & 1;

			w *= second ? axis[i].fraction / 256.0 : (256 - axis[i].fraction) / 256.0;
			at[i] = wrap(axis[i].first + second, axis[i].size, axis[i].mode);
			outside |= at[i] < 0;
		}
		if (outside)
			at[0] = -1;
		add_tap(sum, mip, at, slice, w);
	}
}

/* Faces are squares of n texels; a tap past an edge lies on the next face, one past a corner is shared by the other three. */
static void add_cube(struct sum *sum, uint32_t mip, const struct axis axis[2], unsigned face, uint32_t slice, double weight)
{
	int32_t n = (int32_t)axis[0].size;
	double w[4], missing = 0;
	bool lost[4];

	for (int i = 0; i < 4; i++) {
		int64_t x = axis[0].first + (i & 1), y = axis[1].first + (i >> 1);

		w[i] = (i & 1 ? axis[0].fraction : 256 - axis[0].fraction) / 256.0 *
			   ((i >> 1 ? axis[1].fraction : 256 - axis[1].fraction) / 256.0) * weight;
		lost[i] = (x < 0 || x >= n) && (y < 0 || y >= n);
		missing += lost[i] ? w[i] : 0;
	}
	for (int i = 0; i < 4; i++) {
		struct cube_texel t = {.face = face, .x = (int32_t)axis[0].first + (i & 1), .y = (int32_t)axis[1].first + (i >> 1)};

		if (lost[i])
			continue;
		cube_fold(&t, n);
		add_tap(sum, mip, (const int32_t[3]){t.x, t.y, 0}, slice + t.face, w[i] + missing / 3);
	}
}

/* uv: normalised, on a cube's face. */
static void add_mip(struct sum *sum, uint32_t mip, const float uv[3], unsigned face, uint32_t slice, bool linear, double weight)
{
	const struct view *v = sum->view;
	const struct kiln_sampler_desc *s = sum->sampler;
	bool cube = is_cube(v), texels = s->Flags & FLAG_TEXELS && !cube;
	int axes = axes_of(v);
	struct axis axis[3];

	if (weight == 0)
		return;
	for (int i = 0; i < axes; i++) {
		axis[i] = locate(uv[i], size_of(v, mip, i), cube ? CLAMP : mode_of(s, i), cube ? 0 : sum->request->offset[i], texels,
			linear);
		if (cube && !linear)
			axis[i].first = wrap(axis[i].first, axis[i].size, CLAMP);
	}
	if (cube)
		add_cube(sum, mip, axis, face, slice, weight);
	else
		add_box(sum, mip, axis, axes, slice, weight);
}

/* ---- LOD ---- */

/* What sampling is made of: probes along a line, each in one or two mips. */
struct footprint {
	float lod;                    /* of the smaller extent, before biases */
	unsigned probes;
	float step[2];                /* normalised: the whole line's extent */
};

/* Derivatives of a cube's face coordinates by the quotient rule: u = (sc / |ma| + 1) / 2. */
static void cube_derivatives(const struct sample_request *r, unsigned face, const float in[3], float out[3])
{
	float c[3], d[3];

	cube_project(face, r->coordinate, c);
	cube_project(face, in, d);
	for (int i = 0; i < 2; i++)
		out[i] = 0.5f * (d[i] * c[2] - c[i] * d[2]) / (c[2] * c[2]);
	out[2] = 0;
}

static struct footprint footprint(
	const struct view *v, const struct kiln_sampler_desc *s, const struct sample_request *r, unsigned face)
{
	struct footprint f = {.lod = r->lod, .probes = 1};
	float dx[3], dy[3], x2 = 0, y2 = 0, det, major2, ratio, minor;
	int axes = axes_of(v);

	if (r->has_lod)
		return f;
	memcpy(dx, r->ddx, sizeof dx);
	memcpy(dy, r->ddy, sizeof dy);
	if (is_cube(v)) {
		cube_derivatives(r, face, r->ddx, dx);
		cube_derivatives(r, face, r->ddy, dy);
	}
	for (int i = 0; i < axes; i++) {
		float scale = s->Flags & FLAG_TEXELS ? 1.0f : (float)size_of(v, 0, i);

		x2 += dx[i] * scale * (dx[i] * scale);
		y2 += dy[i] * scale * (dy[i] * scale);
	}
	major2 = max_number(x2, y2);
	f.lod = log2_length(major2);
	if (!(s->Filter & FILTER_ANISOTROPIC) || axes != 2 || s->MaxAnisotropy < 2 || is_cube(v) || is_integer(v) ||
		s->Flags & FLAG_TEXELS)
		return f;
	det = (dx[0] * dy[1] - dx[1] * dy[0]) * (float)size_of(v, 0, 0) * (float)size_of(v, 0, 1);
	det = det < 0 ? -det : det;
	ratio = det > 0 ? major2 / det : 1e30f; /* no area: as thin as can be */
	if (!(major2 > 0) || !(major2 < 1e30f))
		return f;
	if (ratio > (float)s->MaxAnisotropy) {
		ratio = (float)s->MaxAnisotropy;
		minor = major2 / (ratio * ratio); /* squared */
	} else {
		minor = det / ratio;              /* det^2 / major^2 = det / ratio */
	}
	if (minor < 1) {
		ratio = max_number(1.0f, ratio * _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(minor))));
	}
	f.lod = log2_length(minor);
	f.probes = (unsigned)floor_int(ratio);
	f.probes += f.probes < ratio;
	f.probes = f.probes > ANISOTROPY_MAX ? ANISOTROPY_MAX : f.probes ? f.probes : 1;
	memcpy(f.step, x2 >= y2 ? dx : dy, sizeof f.step);
	return f;
}

static float clamp_bias(float bias) { return min_number(max_number(bias, -16.0f), 15.99f); }

/* Biased and clamped by sampler, view and instruction. */
static float final_lod(const struct view *v, const struct kiln_sampler_desc *s, const struct sample_request *r, float lod)
{
	float biased = lod == lod ? lod + clamp_bias(s->MipLODBias) + clamp_bias(r->bias) : s->MinLOD;
	float clamped = max_number(s->MinLOD, min_number(s->MaxLOD, biased));

	clamped = max_number(clamped, v->min_lod - (float)v->first_mip);
	return r->min_lod > clamped ? r->min_lod : clamped;
}

float sampler_lod(const struct view *v, const struct kiln_sampler_desc *s, const struct sample_request *r, bool clamped)
{
	unsigned face = is_cube(v) ? cube_face(r->coordinate) : 0;
	float lod = footprint(v, s, r, face).lod;

	if (!clamped)
		return lod + clamp_bias(s->MipLODBias);
	return max_number(0.0f, min_number((float)(v->mips - 1), final_lod(v, s, r, lod)));
}

/* ---- the whole ---- */

static uint32_t clamp_mip(const struct view *v, int64_t mip)
{
	return mip < 0 ? 0 : mip >= v->mips ? v->mips - 1 : (uint32_t)mip;
}

static void add_probe(struct sum *sum, const float uv[3], unsigned face, uint32_t slice, float lod, double weight)
{
	const struct view *v = sum->view;
	uint32_t filter = is_integer(v) ? 0 : sum->sampler->Filter; /* integers are not filtered */
	bool mag = lod <= 0, anisotropic = filter & FILTER_ANISOTROPIC;
	bool linear = anisotropic || filter & (mag ? FILTER_MAG_LINEAR : FILTER_MIN_LINEAR);
	int64_t fixed = round_int((double)lod * 256), floor = floor_int((double)fixed / 256);
	double fraction = (double)(fixed & 255) / 256;

	if (mag) {
		add_mip(sum, 0, uv, face, slice, linear, weight);
	} else if (!(filter & FILTER_MIP_LINEAR)) {
		add_mip(sum, clamp_mip(v, floor_int((double)fixed / 256 + 0.5)), uv, face, slice, linear, weight);
	} else if (clamp_mip(v, floor) == clamp_mip(v, floor + 1)) {
		add_mip(sum, clamp_mip(v, floor), uv, face, slice, linear, weight);
	} else {
		add_mip(sum, clamp_mip(v, floor), uv, face, slice, linear, weight * (1 - fraction));
		add_mip(sum, clamp_mip(v, floor + 1), uv, face, slice, linear, weight * fraction);
	}
}

static void result(const struct sum *sum, double total, uint32_t rgba[4])
{
	uint32_t stored[4];

	for (int c = 0; c < 4; c++) {
		float f = (float)(sum->reduction == REDUCE_MIN || sum->reduction == REDUCE_MAX ? sum->channel[c]
																						 : sum->channel[c] / total);

		stored[c] = sum->exact ? sum->rgba[c] : f == f ? float_bits(f) : 0x7fc00000;
	}
	if (sum->request->compare)
		memcpy(rgba, stored, sizeof stored);
	else
		texel_swizzle(sum->view, stored, rgba);
}

void sampler_sample(const struct view *v, const struct kiln_sampler_desc *s, const struct sample_request *r, uint32_t rgba[4])
{
	struct sum sum = {.view = v, .sampler = s, .request = r, .reduction = (uint8_t)(s->Filter >> 7 & 3),
		.reference = reference_of(v, r), .channel = {-0.0, -0.0, -0.0, -0.0}};
	unsigned face = 0;
	float uv[3] = {r->coordinate[0], r->coordinate[1], r->coordinate[2]};
	uint32_t slice = array_slice(v, r);
	struct footprint f;
	float lod;

	if (is_cube(v)) {
		face = cube_face(r->coordinate);
		cube_coordinates(face, r->coordinate, uv);
	}
	f = footprint(v, s, r, face);
	lod = final_lod(v, s, r, f.lod);
	for (unsigned i = 0; i < f.probes; i++) {
		float along = ((float)i + 0.5f) / (float)f.probes - 0.5f;
		const float at[3] = {uv[0] + f.step[0] * along, uv[1] + f.step[1] * along, uv[2]};

		add_probe(&sum, f.probes > 1 ? at : uv, face, slice, lod, 1);
	}
	sum.exact &= f.probes == 1;
	result(&sum, f.probes, rgba);
}

void sampler_gather(const struct view *v, const struct kiln_sampler_desc *s, const struct sample_request *r, unsigned channel,
	uint32_t rgba[4])
{
	static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}}; /* (-,+) (+,+) (+,-) (-,-) */
	bool cube = is_cube(v);
	unsigned face = cube ? cube_face(r->coordinate) : 0;
	float uv[3] = {r->coordinate[0], r->coordinate[1], 0}, reference = reference_of(v, r);
	struct axis axis[2];

	if (cube)
		cube_coordinates(face, r->coordinate, uv);
	for (int i = 0; i < 2; i++)
		axis[i] = locate(uv[i], size_of(v, 0, i), cube ? CLAMP : mode_of(s, i), cube ? 0 : r->offset[i],
			s->Flags & FLAG_TEXELS && !cube, true);
	for (int i = 0; i < 4; i++) {
		int64_t x = axis[0].first + order[i][0], y = axis[1].first + order[i][1];
		struct cube_texel t = {.face = face, .x = (int32_t)x, .y = (int32_t)y};
		uint32_t stored[4], mapped[4];

		if (cube) {
			cube_fold(&t, (int32_t)axis[0].size);
		} else {
			t.x = wrap(x, axis[0].size, axis[0].mode);
			t.y = wrap(y, axis[1].size, axis[1].mode);
		}
		stored_texel(v, s, 0, (const int32_t[3]){t.x, t.y, 0}, array_slice(v, r) + t.face, stored);
		texel_swizzle(v, stored, mapped);
		rgba[i] = r->compare ? compare(s->ComparisonFunc, reference, mapped[channel]) : mapped[channel];
	}
}
