/* A SARIF 2.1.0 log of a checked set: one run, a rule each diagnostic of Kiln, a result each thing said. */
#ifndef KILN_TOOLS_SARIF_H
#define KILN_TOOLS_SARIF_H
#include "tools/pso_set.h"
#include <jansson.h>

json_t *sarif_log(const struct pso_set *s);
#endif
