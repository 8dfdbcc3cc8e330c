/* YAML with places: libfyaml's nodes, read by tables of fields. Every mistake is a diagnostic with file, line, column and
 * the source line. Bad text never goes deep: nesting is capped before libfyaml sees it, anchors and aliases are refused. */
#ifndef KILN_TOOLS_YAML_H
#define KILN_TOOLS_YAML_H
#include "isa/base.h"
#include <libfyaml.h>

struct yaml {
	const char *path;
	char *text;                /* NUL-terminated */
	size_t size;
	struct fy_document *doc;
	struct kiln_diags *diags;
	struct arena arena;        /* what was read lives here */
	bool failed;               /* something was wrong; reading goes on to find more */
};
/* False: diagnostics added. yaml_close() in any case. */
bool yaml_open(struct yaml *y, const char *path, struct kiln_diags *diags);
/* The same of text in memory (copied); path is what diagnostics call it. */
bool yaml_open_text(struct yaml *y, const char *path, const uint8_t *text, size_t size, struct kiln_diags *diags);
void yaml_close(struct yaml *y);
void yaml_forget(struct yaml *y); /* gives back the text and its nodes, by far the most; what was read stays */

struct yaml_name { const char *name; uint32_t value; };

enum yaml_kind { YAML_U32, YAML_I32, YAML_F32, YAML_BOOL, YAML_STRING, YAML_ENUM, YAML_FORMAT, YAML_MASK, YAML_CUSTOM };
struct yaml_field {
	const char *name;
	enum yaml_kind kind;
	size_t offset;                                /* of the value in the struct */
	const struct yaml_name *names;                /* YAML_ENUM: ends with a NULL name */
	void (*read)(struct yaml *y, struct fy_node *n, void *at); /* YAML_CUSTOM */
	bool needed;
};
/* A mapping into the struct at base. Unknown, repeated and missing fields are reported. */
void yaml_fields(struct yaml *y, struct fy_node *map, const struct yaml_field *fields, size_t count, void *base);
/* The same where the fields lie in several structs. */
struct yaml_table {
	const struct yaml_field *fields;
	size_t count;
	void *base;
};
void yaml_tables(struct yaml *y, struct fy_node *map, const struct yaml_table *tables, size_t count);
/* YAML_CUSTOM: keeps the node, a struct fy_node *. */
void yaml_keep(struct yaml *y, struct fy_node *n, void *at);
/* One value, as a field of that kind. */
void yaml_value(struct yaml *y, struct fy_node *n, const struct yaml_field *f, void *base);
/* Was the field given? */
bool yaml_has(struct fy_node *map, const char *name);

bool yaml_expect_map(struct yaml *y, struct fy_node *n);
bool yaml_expect_list(struct yaml *y, struct fy_node *n, size_t min, size_t max);
const char *yaml_string(struct yaml *y, struct fy_node *n);          /* in the arena; NULL: reported */
bool yaml_u32(struct yaml *y, struct fy_node *n, uint32_t *out);     /* decimal or 0x… */
bool yaml_i32(struct yaml *y, struct fy_node *n, int32_t *out);
bool yaml_f32(struct yaml *y, struct fy_node *n, float *out);
bool yaml_enum(struct yaml *y, struct fy_node *n, const struct yaml_name *names, uint32_t *out);
/* Up to max floats or words; count given back. */
void yaml_floats(struct yaml *y, struct fy_node *n, size_t min, size_t max, float *out);

void yaml_error(struct yaml *y, struct fy_node *n, enum diag_id id, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
#endif
