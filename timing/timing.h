/* Timing: what each console's units take for what the simulator did. Entries grouped by file. Depends on isa alone. */
#ifndef KILN_TIMING_TIMING_H
#define KILN_TIMING_TIMING_H
#include "isa/base.h"

enum timing_parameter {
#define PARAMETER(name, ...) TIMING_##name,
#include "timing/profile.def"
	TIMING_PARAMETER_COUNT
};
enum { TIMING_CONSOLE_COUNT = 0
#define CONSOLE(...) +1
#include "timing/profile.def"
};
struct timing_parameter_info {
	const char *name, *unit, *meaning;
	uint32_t low, high;                  /* of values, both included */
	uint32_t value[TIMING_CONSOLE_COUNT];
	const char *open;                    /* '?' at a console whose value no public source settles */
};
extern const struct timing_parameter_info timing_parameters[TIMING_PARAMETER_COUNT];

/* A console, with what was changed of it. A plain value. */
struct timing_profile {
	uint8_t console;                     /* its place in the table */
	uint32_t value[TIMING_PARAMETER_COUNT];
};

/* ---- profile.c ---- */
const char *timing_console_name(unsigned console);
unsigned timing_console_family(unsigned console);                        /* enum kiln_console: whose ISA it runs */
int timing_find_console(const char *name);                               /* -1: none */
int timing_find_parameter(const char *name, size_t length);              /* -1: none */
void timing_profile_of(unsigned console, struct timing_profile *out);
/* "name=value", value decimal. False: a diagnostic, at where, was added, and nothing is changed. */
bool timing_profile_set(struct timing_profile *p, const char *assignment, const char *where, struct kiln_diags *diags);
/* Rates that follow from a profile, in thousandths of their unit, rounded to nearest. */
#define TIMING_PEAKS(X) \
	X(flops, "TFLOPS", "binary32, two a lane and clock") \
	X(primitives, "Gprim/s", "primitives set up") \
	X(fill, "Gpix/s", "pixels of a 32-bit target") \
	X(fill_64_blend, "Gpix/s", "pixels of a 64-bit target, blended") \
	X(fill_32_abgr, "Gpix/s", "pixels fed by 32_abgr") \
	X(texels, "Gtex/s", "bilinear texels") \
	X(memory, "GB/s", "memory") \
	X(esram, "GB/s", "second memory")
enum timing_peak {
#define X(name, unit, meaning) TIMING_PEAK_##name,
	TIMING_PEAKS(X)
#undef X
	TIMING_PEAK_COUNT
};
struct timing_peak_info {
	const char *name, *unit, *meaning;
};
extern const struct timing_peak_info timing_peaks[TIMING_PEAK_COUNT];
uint64_t timing_peak(const struct timing_profile *p, enum timing_peak which);

/* ---- docs.c ---- */
void timing_docs(struct buf *out);                                       /* docs/consoles.md */
#endif
