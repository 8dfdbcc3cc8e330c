/* Memory, arena, buffers, bounded reader and whole files. Assumes libc and POSIX; knows nothing of GPUs. */
#include "isa/base.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- memory ---- */

static _Noreturn void out_of_memory(size_t count, size_t size)
{
	fprintf(stderr, "kiln: out of memory: %zu elements of %zu bytes\n", count, size);
	abort();
}

void *mem_array(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);
	if (!p)
		out_of_memory(count, size);
	return p;
}

void *mem_alloc(size_t size) { return mem_array(1, size); }

void *mem_resize(void *old, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		out_of_memory(count, size);
	void *p = realloc(old, count && size ? count * size : 1);
	if (!p)
		out_of_memory(count, size);
	return p;
}

char *mem_string(const char *s)
{
	if (!s)
		return NULL;
	size_t size = strlen(s) + 1;
	return memcpy(mem_alloc(size), s, size);
}

void mem_free(void *p) { free(p); }

/* Room for one more element, at least doubled, so that pushing is O(1) in the mean. */
void *array_reserve(void *list, size_t count, size_t *cap, size_t size)
{
	if (count < *cap)
		return list;
	if (count > SIZE_MAX / 4)
		out_of_memory(count, size);
	*cap = count ? 2 * count : 8;
	return mem_resize(list, *cap, size);
}

/* ---- arena ---- */

enum { ARENA_BLOCK_MIN = 1 << 10, ARENA_BLOCK_MAX = 1 << 16 };
struct arena_block {
	struct arena_block *next;
	size_t size, used;
	_Alignas(max_align_t) uint8_t data[];
};

/* Blocks double from small to large: there are many arenas that hold little. Large allocations get a block of their own
 * behind the head, so that the head's free room stays in use. */
static struct arena_block *arena_grow(struct arena *a, size_t size)
{
	if (size > SIZE_MAX - sizeof(struct arena_block))
		out_of_memory(1, size);
	size_t next = a->head ? 2 * a->head->size : ARENA_BLOCK_MIN;
	next = next < ARENA_BLOCK_MAX ? next : ARENA_BLOCK_MAX;
	while (size > next / 4 && next < ARENA_BLOCK_MAX)
		next *= 2;
	bool own = size > next / 4;
	struct arena_block *b = mem_alloc(sizeof *b + (own ? size : next));
	b->size = own ? size : next;
	struct arena_block **at = own && a->head ? &a->head->next : &a->head;
	b->next = *at;
	*at = b;
	return b;
}

void *arena_alloc(struct arena *a, size_t size)
{
	const size_t align = _Alignof(max_align_t);
	if (size > SIZE_MAX - align)
		out_of_memory(1, size);
	size = (size + align - 1) / align * align;
	struct arena_block *b = a->head;
	if (!b || size > b->size - b->used)
		b = arena_grow(a, size);
	void *p = b->data + b->used;
	b->used += size;
	return p;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		out_of_memory(count, size);
	return arena_alloc(a, count * size);
}

void *arena_copy(struct arena *a, const void *src, size_t size)
{
	void *p = arena_alloc(a, size);
	if (size)
		memcpy(p, src, size);
	return p;
}

char *arena_string(struct arena *a, const char *s) { return s ? arena_copy(a, s, strlen(s) + 1) : NULL; }

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	int size = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	char *text = arena_alloc(a, (size_t)size + 1);
	va_start(args, fmt);
	vsnprintf(text, (size_t)size + 1, fmt, args);
	va_end(args);
	return text;
}

void arena_finish(struct arena *a)
{
	while (a->head) {
		struct arena_block *b = a->head;
		a->head = b->next;
		free(b);
	}
}

/* ---- buffer ---- */

static uint8_t *buf_room(struct buf *b, size_t size)
{
	if (size > SIZE_MAX / 2 - b->size)
		out_of_memory(b->size, size);
	if (b->size + size > b->cap) {
		b->cap = 2 * (b->size + size);
		b->data = mem_resize(b->data, b->cap, 1);
	}
	return b->data + b->size;
}

void buf_put(struct buf *b, const void *data, size_t size)
{
	if (!size)
		return;
	memcpy(buf_room(b, size), data, size);
	b->size += size;
}

void buf_u32(struct buf *b, uint32_t v)
{
	buf_put(b, (uint8_t[]){(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)}, 4);
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	int size = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	char *at = (char *)buf_room(b, (size_t)size + 1);
	va_start(args, fmt);
	vsnprintf(at, (size_t)size + 1, fmt, args);
	va_end(args);
	b->size += (size_t)size;
}

char *buf_text(struct buf *b)
{
	*buf_room(b, 1) = 0;
	return (char *)b->data;
}

void buf_finish(struct buf *b)
{
	free(b->data);
	*b = (struct buf){0};
}

/* ---- reader ---- */

const void *reader_bytes(struct reader *r, size_t size)
{
	if (r->failed || r->at > r->size || size > r->size - r->at) {
		r->failed = true;
		return NULL;
	}
	const uint8_t *p = r->data + r->at;
	r->at += size;
	return p;
}

static uint64_t reader_little_endian(struct reader *r, size_t size)
{
	const uint8_t *p = reader_bytes(r, size);
	uint64_t v = 0;
	for (size_t i = 0; p && i < size; i++)
		v |= (uint64_t)p[i] << 8 * i;
	return v;
}

uint8_t reader_u8(struct reader *r) { return (uint8_t)reader_little_endian(r, 1); }
uint16_t reader_u16(struct reader *r) { return (uint16_t)reader_little_endian(r, 2); }
uint32_t reader_u32(struct reader *r) { return (uint32_t)reader_little_endian(r, 4); }
uint64_t reader_u64(struct reader *r) { return reader_little_endian(r, 8); }

const char *reader_string(struct reader *r)
{
	const uint8_t *p = r->failed || r->at >= r->size ? NULL : memchr(r->data + r->at, 0, r->size - r->at);
	if (!p) {
		r->failed = true;
		return "";
	}
	const char *s = (const char *)r->data + r->at;
	r->at = (size_t)(p - r->data) + 1;
	return s;
}

/* ---- files ---- */

static bool file_fail(struct kiln_diags *diags, enum diag_id id, const char *path, const char *what, int error)
{
	diag_add(diags, id, path, "cannot %s: %s", what, strerror(error));
	return false;
}

/* Reads to the end, since the size of what is no regular file is not known before. One byte past max is too many. */
static bool read_all(int fd, const char *path, size_t max, struct buf *out, struct kiln_diags *diags)
{
	for (;;) {
		size_t want = max - out->size < 1 << 16 ? max - out->size + 1 : 1 << 16;
		ssize_t got = read(fd, buf_room(out, want), want);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return file_fail(diags, DIAG_FILE_READ, path, "read", errno);
		if (got == 0)
			return true;
		out->size += (size_t)got;
		if (out->size > max) {
			diag_add(diags, DIAG_FILE_TOO_LARGE, path, "more than %zu bytes", max);
			return false;
		}
	}
}

static bool open_for_read(const char *path, size_t max, int *fd, struct stat *st, struct kiln_diags *diags)
{
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd < 0)
		return file_fail(diags, DIAG_FILE_READ, path, "open", errno);
	if (fstat(*fd, st))
		return file_fail(diags, DIAG_FILE_READ, path, "read", errno);
	if (S_ISDIR(st->st_mode))
		return file_fail(diags, DIAG_FILE_READ, path, "read", EISDIR);
	if (S_ISREG(st->st_mode) && st->st_size > 0 && (uintmax_t)st->st_size > max) {
		diag_add(diags, DIAG_FILE_TOO_LARGE, path, "%ju bytes, at most %zu", (uintmax_t)st->st_size, max);
		return false;
	}
	return true;
}

bool file_read(const char *path, size_t max, uint8_t **data, size_t *size, struct kiln_diags *diags)
{
	int fd = -1;
	struct stat st;
	struct buf out = {0};
	bool ok = open_for_read(path, max, &fd, &st, diags) && read_all(fd, path, max, &out, diags);
	if (fd >= 0)
		close(fd);
	if (!ok)
		buf_finish(&out);
	*data = ok ? (uint8_t *)buf_text(&out) : NULL;
	*size = ok ? out.size : 0;
	return ok;
}

static bool write_all(int fd, const uint8_t *data, size_t size)
{
	while (size) {
		ssize_t put = write(fd, data, size);
		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return false;
		data += put;
		size -= (size_t)put;
	}
	return true;
}

/* A new file is as readable as open() would make it under the usual umask; one that is replaced keeps its mode. */
static bool write_beside(const char *path, mode_t mode, const void *data, size_t size)
{
	struct buf temporary = {0};
	buf_printf(&temporary, "%s.XXXXXX", path);
	char *name = buf_text(&temporary);
	int fd = mkstemp(name);
	bool ok = fd >= 0 && write_all(fd, data, size) && fchmod(fd, mode) == 0 && fsync(fd) == 0;
	int error = errno;
	if (fd >= 0 && close(fd) && ok) {
		ok = false;
		error = errno;
	}
	if (ok && rename(name, path)) {
		ok = false;
		error = errno;
	}
	if (fd >= 0 && !ok)
		unlink(name);
	buf_finish(&temporary);
	errno = error;
	return ok;
}

/* Pipes, terminals and devices take bytes as they come: a rename would put a plain file in their place. */
static bool write_through(const char *path, const void *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	bool ok = write_all(fd, data, size);
	int error = errno;
	if (close(fd) && ok)
		return false;
	errno = error;
	return ok;
}

bool file_write(const char *path, const void *data, size_t size, struct kiln_diags *diags)
{
	struct stat st;
	bool exists = stat(path, &st) == 0;
	if (exists && S_ISDIR(st.st_mode))
		return file_fail(diags, DIAG_FILE_WRITE, path, "write", EISDIR);
	bool ok = exists && !S_ISREG(st.st_mode) ? write_through(path, data, size) :
		write_beside(path, exists ? st.st_mode & 0777 : 0644, data, size);
	return ok || file_fail(diags, DIAG_FILE_WRITE, path, "write", errno);
}
