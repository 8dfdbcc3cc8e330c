/* Takes a pattern and a size; gives RGBA codes. A texel's code depends on its place alone. */
#include "tools/pattern.h"
#include <string.h>

struct place { uint32_t x, y, z, width, height, level; };

/* 8 bits of a place; the constants are odd and of no other meaning. */
static uint32_t hash(uint32_t x, uint32_t y, uint32_t z, uint32_t seed)
{
	uint32_t h = x * 0x9E3779B1u + y * 0x85EBCA77u + z * 0xC2B2AE3Du + seed * 0x27D4EB2Fu;
	h = (h ^ h >> 15) * 0x2C1B3C6Du;
	h = (h ^ h >> 12) * 0x297A2D39u;
	return (h ^ h >> 15) >> 24;
}

/* From a to b at step `at` of `steps`, to the nearest. */
static uint32_t mix(uint32_t a, uint32_t b, uint32_t at, uint32_t steps)
{
	return steps ? (a * (steps - at) + b * at + steps / 2) / steps : a;
}

static void mix_colors(const uint8_t a[4], const uint8_t b[4], uint32_t at, uint32_t steps, uint8_t out[4])
{
	for (int c = 0; c < 4; c++)
		out[c] = (uint8_t)mix(a[c], b[c], at, steps);
}

static void gradient(const struct pattern *p, const struct place *at, uint8_t out[4])
{
	uint8_t top[4], bottom[4];
	mix_colors(p->colors[0], p->colors[1], at->x, at->width - 1, top);
	memcpy(bottom, top, 4);
	if (p->color_count == 4)
		mix_colors(p->colors[2], p->colors[3], at->x, at->width - 1, bottom);
	mix_colors(top, bottom, at->y, at->height - 1, out);
}

/* Every other row is shifted by half a brick; the last colour is the mortar. */
static const uint8_t *brick(const struct pattern *p, const struct place *at)
{
	uint32_t w = p->cell[0], h = p->cell[1], row = at->y / h, x = at->x + (row & 1 ? w / 2 : 0);
	uint32_t columns = at->width / w ? at->width / w : 1, last = p->color_count - 1;
	if (at->y % h < p->mortar || x % w < p->mortar)
		return p->colors[last];
	return p->colors[hash(x / w % columns, row, at->z, p->seed) % last];
}

/* Value noise that repeats with the picture: lattice values, smoothed between. */
static uint32_t octave(const struct pattern *p, const struct place *at, uint32_t o)
{
	uint32_t w = p->cell[0] >> o ? p->cell[0] >> o : 1, h = p->cell[1] >> o ? p->cell[1] >> o : 1;
	uint32_t columns = (at->width + w - 1) / w, rows = (at->height + h - 1) / h, seed = p->seed + o;
	uint32_t i = at->x / w, j = at->y / h, i1 = (i + 1) % columns, j1 = (j + 1) % rows, k = at->z / w;
	uint32_t t = at->x % w * 256 / w, u = at->y % h * 256 / h, s = t * t * (768 - 2 * t) >> 16, r = u * u * (768 - 2 * u) >> 16;
	uint32_t top = hash(i, j, k, seed) * (256 - s) + hash(i1, j, k, seed) * s;
	uint32_t bottom = hash(i, j1, k, seed) * (256 - s) + hash(i1, j1, k, seed) * s;
	return (top * (256 - r) + bottom * r) >> 16;
}

static void noise(const struct pattern *p, const struct place *at, uint8_t out[4])
{
	uint32_t sum = 0, n = p->octaves, steps = p->color_count - 1;
	for (uint32_t o = 0; o < n; o++)
		sum += octave(p, at, o) << (n - 1 - o);
	uint32_t value = sum / ((1u << n) - 1) * steps, i = value / 255 < steps ? value / 255 : steps - 1;
	mix_colors(p->colors[i], p->colors[i + 1], value - i * 255, 255, out);
}

static void texel(const struct pattern *p, const struct place *at, uint8_t out[4])
{
	switch ((enum pattern_kind)p->kind) {
	case PATTERN_SOLID: memcpy(out, p->colors[at->level % p->color_count], 4); return;
	case PATTERN_CHECKER:
		memcpy(out, p->colors[(at->x / p->cell[0] + at->y / p->cell[1] + at->z / p->cell[0]) % p->color_count], 4);
		return;
	case PATTERN_GRADIENT: gradient(p, at, out); return;
	case PATTERN_BRICKS: memcpy(out, brick(p, at), 4); return;
	case PATTERN_NOISE: noise(p, at, out); return;
	}
}

void pattern_fill(const struct pattern *p, uint32_t width, uint32_t height, uint32_t depth, uint32_t level, uint8_t *rgba)
{
	struct place at = {.width = width, .height = height, .level = level};
	for (at.z = 0; at.z < depth; at.z++)
		for (at.y = 0; at.y < height; at.y++)
			for (at.x = 0; at.x < width; at.x++, rgba += 4)
				texel(p, &at, rgba);
}
