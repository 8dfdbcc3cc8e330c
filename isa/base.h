/* What every folder shares: allocation that cannot fail, an arena, a growable byte buffer, and the sink
 * for diagnostics. Depends on libc alone. */
#ifndef KILN_ISA_BASE_H
#define KILN_ISA_BASE_H
#include <kiln/diag.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ARRAY_COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- memory: out of memory ends the process with a message, so that no caller needs a path for it ---- */
void *mem_alloc(size_t size);                            /* zeroed; size 0 gives a valid pointer */
void *mem_array(size_t count, size_t size);              /* zeroed; dies where count * size overflows */
void *mem_resize(void *old, size_t count, size_t size);  /* contents beyond the old size are undefined */
char *mem_string(const char *s);                         /* a heap copy; NULL gives NULL */
void mem_free(void *p);

/* An arena: many allocations, one end. Passes allocate and never free. */
struct arena {
	struct arena_block *head;
};
void *arena_alloc(struct arena *a, size_t size);                /* zeroed, aligned for any type */
void *arena_array(struct arena *a, size_t count, size_t size);  /* zeroed */
void *arena_copy(struct arena *a, const void *src, size_t size);
char *arena_string(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void arena_finish(struct arena *a);                             /* leaves it empty and usable */

/* A growable array: ARRAY_PUSH(list, count, capacity) gives a pointer to a fresh zeroed element. */
#define ARRAY_PUSH(list, count, cap) \
	((list) = array_reserve((list), (count), &(cap), sizeof *(list)), memset(&(list)[(count)], 0, sizeof *(list)), \
	 &(list)[(count)++])
void *array_reserve(void *list, size_t count, size_t *cap, size_t size);

/* A growable byte buffer. */
struct buf {
	uint8_t *data;
	size_t size, cap;
};
void buf_put(struct buf *b, const void *data, size_t size);
void buf_u32(struct buf *b, uint32_t v);                        /* little endian */
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *buf_text(struct buf *b);                                  /* terminates with NUL (not counted); owned by b */
void buf_finish(struct buf *b);

/* A bounded reader over untrusted bytes: a read past the end gives 0 and sets `failed`, which stays set. */
struct reader {
	const uint8_t *data;
	size_t size, at;
	bool failed;
};
uint8_t reader_u8(struct reader *r);
uint16_t reader_u16(struct reader *r);
uint32_t reader_u32(struct reader *r);
uint64_t reader_u64(struct reader *r);
const void *reader_bytes(struct reader *r, size_t size);        /* NULL on failure */
const char *reader_string(struct reader *r);                    /* NUL-terminated in the data; "" on failure */

/* ---- files ---- */
/* Whole file into a heap buffer (free with mem_free), at most max bytes. False: a diagnostic was added. */
bool file_read(const char *path, size_t max, uint8_t **data, size_t *size, struct kiln_diags *diags);
/* The file appears whole or not at all (temporary name beside it, then rename). */
bool file_write(const char *path, const void *data, size_t size, struct kiln_diags *diags);

/* ---- bits ---- */
static inline uint32_t float_bits(float x)
{
	union { float f; uint32_t u; } v = {.f = x};
	return v.u;
}
static inline float bits_float(uint32_t x)
{
	union { uint32_t u; float f; } v = {.u = x};
	return v.f;
}

/* ---- diagnostics: numbers and remedies are rows of isa/diag.def ---- */
enum diag_id {
#define DIAG(number, severity, name, remedy) DIAG_##name = number,
#include "isa/diag.def"
};
/* where: what it is about ("ps.cso: part DXIL", "PSO 'base': RenderTarget[1]"); may be NULL. */
void diag_add(struct kiln_diags *d, enum diag_id id, const char *where, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* The same with a place in a text file; excerpt (the source line, may be NULL) is printed with a caret. */
void diag_add_at(struct kiln_diags *d, enum diag_id id, const char *file, unsigned line, unsigned column,
	const char *excerpt, const char *fmt, ...) __attribute__((format(printf, 7, 8)));
/* The same with an own remedy in place of the row's. */
void diag_add_remedy(struct kiln_diags *d, enum diag_id id, const char *where, const char *remedy, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* Moves the diagnostics of one sink to the end of another (over a pipe: serialise, parse). */
void diags_encode(const struct kiln_diags *d, struct buf *out);
bool diags_decode(struct kiln_diags *d, const uint8_t *data, size_t size);

/* MXCSR: the bits that make binary32 Kiln's (flush-to-zero, denormals-are-zero, round to nearest, all masked).
 * Every public entry that computes and every worker thread brackets itself with these. */
unsigned fp_enter(void);
void fp_leave(unsigned saved);
#endif
