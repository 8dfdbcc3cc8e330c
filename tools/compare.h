/* Two images of one size, compared by a rule. Every rule is a bound on a pixel's difference and a bound on how many pixels
 * may differ at all. */
#ifndef KILN_TOOLS_COMPARE_H
#define KILN_TOOLS_COMPARE_H
#include "tools/image.h"

enum { COMPARE_WORST_MAX = 8 };

/* A pixel's difference: the greatest of its channels' in codes, or ΔE. */
enum compare_metric { COMPARE_CODES, COMPARE_DELTA_E };

struct compare_rule {
	enum compare_metric metric;
	double limit;          /* no pixel's difference may be greater */
	uint32_t share;        /* at most so many pixels may differ, in millionths of a percent */
};

struct compare_pixel {
	uint32_t x, y;
	uint8_t expected[4], actual[4];
	double difference;
};

struct compare_result {
	bool equal;                              /* by the rule */
	uint64_t total, differing, beyond;       /* pixels: all, not the same, beyond the rule's limit */
	unsigned worst_count;
	struct compare_pixel worst[COMPARE_WORST_MAX]; /* greatest difference first; of the same, in reading order */
};

/* exact, ulp=N, percent=P, fuzzy=D,P, de=E; false: the text is no rule. */
bool compare_rule_parse(const char *text, struct compare_rule *rule);
/* Both images have the same size. */
void compare_images(const struct image *expected, const struct image *actual, const struct compare_rule *rule,
	struct compare_result *result);
/* Three bytes a pixel: what is the same dark gray, what differs from yellow (one code) to red (255 codes). Free with
 * mem_free. */
uint8_t *compare_heat_map(const struct image *expected, const struct image *actual);
#endif
