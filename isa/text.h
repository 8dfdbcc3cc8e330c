/* What printer and assembler share: the fields that directives name. Private to isa/. */
#ifndef KILN_ISA_TEXT_H
#define KILN_ISA_TEXT_H
#include "isa/isa.h"

enum text_kind {
	TEXT_NUMBER,   /* decimal or 0x; `none` is ~0 */
	TEXT_NAME,     /* one of names */
	TEXT_MASK,     /* letters of xyzw; `none` is 0 */
	TEXT_FLAGS     /* names of bits, joined by | */
};

/* `key value` sets size bytes at offset; where the value is what the field is without it, the printer leaves it out. */
struct text_field {
	const char *key;
	enum text_kind kind;
	size_t offset, size;
	uint32_t absent;
	bool always;                /* printed even so */
	const char *const *names;
	size_t name_count;
};
uint32_t text_field_get(const struct text_field *f, const void *object);
void text_field_set(const struct text_field *f, void *object, uint32_t value);

enum { TEXT_PROGRAM_FIELDS = 8, TEXT_IO_FIELDS = 8, TEXT_RESOURCE_FIELDS = 9 };
extern const struct text_field text_program_fields[TEXT_PROGRAM_FIELDS]; /* directives of their own: `.wave 64` */
extern const struct text_field text_io_fields[TEXT_IO_FIELDS];
extern const struct text_field text_resource_fields[TEXT_RESOURCE_FIELDS];

/* Export targets: `mrt0` = "mrt" + (target - first), for target up to first + count. */
struct text_target {
	const char *name;
	uint32_t first, count;
};
enum { TEXT_TARGETS = 4 };
extern const struct text_target text_targets[TEXT_TARGETS];
extern const char *const text_lit_types[4]; /* kind g */
/* No comma follows these operands: `exp mrt0 fp16_abgr rgba v0, v1, off, off`. */
bool text_is_head(char letter);
#endif
