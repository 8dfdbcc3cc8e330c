/* Sample positions: D3D's standard patterns (facts 1.8), in 1/16 pixel from the centre, x right and y down. */
#include "sim/draw.h"
#include <string.h>

static const int8_t standard_1[][2] = {{0, 0}};
static const int8_t standard_2[][2] = {{4, 4}, {-4, -4}};
static const int8_t standard_4[][2] = {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}};
static const int8_t standard_8[][2] = {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}};
static const int8_t standard_16[][2] = {{1, 1}, {-1, -3}, {-3, 2}, {4, -1}, {-5, -2}, {2, 5}, {5, 3}, {3, -5}, {-2, 6},
	{0, -7}, {-4, -6}, {-6, 4}, {-8, 0}, {7, -4}, {6, 7}, {-7, -8}};

static const int8_t (*standard(unsigned count))[2]
{
	switch (count) {
	case 2: return standard_2;
	case 4: return standard_4;
	case 8: return standard_8;
	case 16: return standard_16;
	default: return standard_1;
	}
}

void sample_pattern_standard(unsigned count, struct sample_pattern *out)
{
	*out = (struct sample_pattern){.count = (uint8_t)count};
	for (int p = 0; p < 4; p++)
		memcpy(out->at[p], standard(count), count * sizeof out->at[p][0]);
}

void sample_pattern_center(unsigned count, struct sample_pattern *out)
{
	*out = (struct sample_pattern){.count = (uint8_t)count};
}
