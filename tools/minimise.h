/* Cutting a scene down to what shows one diagnostic of one PSO. */
#ifndef KILN_TOOLS_MINIMISE_H
#define KILN_TOOLS_MINIMISE_H
#include "tools/pso_set.h"

/* s: a checked set of one scene. Writes the smallest scene that cutting finds in which this PSO still gets the same
 * diagnostic: its first error if it was refused, else the first thing said of it. False: diagnostics added, nothing
 * written. */
bool minimise(const struct pso_set *s, const char *pso, const char *output, struct kiln_diags *d);
#endif
