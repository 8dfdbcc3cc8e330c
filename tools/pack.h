/* What the verbs on packs share. */
#ifndef KILN_TOOLS_PACK_H
#define KILN_TOOLS_PACK_H
#include "pso/pack.h"
#include "tools/tools.h"

extern const char *const pack_consoles[KILN_CONSOLE_COUNT];
/* ---- pack_report.c ---- */
/* How packs name a scene's PSO: "dir/scene.yaml" and "base" give "scene/base"; without a name, "scene". */
void pack_entry_name(const char *path, const char *name, struct buf *out);
json_t *pack_list_json(const struct pack *p);
json_t *pack_stats_json(const struct pack *p);
void pack_list_print(const struct pack *p);
void pack_stats_print(const struct pack *p);
#endif
