/* A JUnit report of the scenes that ran: one test suite, a test case a scene. It holds no times, so equal runs give equal
 * bytes. */
#ifndef KILN_TOOLS_JUNIT_H
#define KILN_TOOLS_JUNIT_H
#include "isa/base.h"

struct junit {
	struct buf cases;
	unsigned tests, failures;
};

/* failure NULL: passed; otherwise a word of why, with the diagnostics as text. */
void junit_case(struct junit *j, const char *name, const char *failure, const struct kiln_diags *d);
/* The file appears whole or not at all; false: diagnostic added. */
bool junit_write(struct junit *j, const char *path, struct kiln_diags *d);
void junit_finish(struct junit *j);
#endif
