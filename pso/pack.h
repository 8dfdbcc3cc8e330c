/* A library of serialised PSOs and shaders in one file: every section once, however many PSOs and stages share it.
 * Written whole or not at all, the same bytes for the same set; read in place from a mapping.
 *
 *   +0 'KPAK'  +4 version  +8 u64 size  +16 CRC-32 of bytes 20 to the end of the tables  +20 entries  +24 chunks
 *   +28 references  +32 bytes of names  +36 0
 *   chunks, by hash:      {u64 XXH3-64, u64 offset, u32 stored bytes, u32 bytes}   stored < bytes: one zstd frame
 *   entries, by name:     {u32 name, u32 first reference, u32 references, u8 kind, u8 console, u16 0}
 *   references, by entry: {u32 section, u32 chunk}
 *   names, each with its NUL; then the chunks' bytes, each from a multiple of 16 on */
#ifndef KILN_PSO_PACK_H
#define KILN_PSO_PACK_H
#include "pso/pso.h"

enum pack_kind { PACK_BASE, PACK_DERIVED, PACK_SHADER, PACK_KIND_COUNT };
extern const char *const pack_kind_names[PACK_KIND_COUNT];
enum { PACK_NAME_MAX = 1024 };
struct pack_entry {
	const char *name;
	uint8_t kind;                     /* enum pack_kind */
	struct pso_image image;           /* of a shader: its code and debug sections alone; NAME is the entry's name */
};
/* Bytes of a section kind: as the entries have them, and as the file stores them. */
struct pack_kind_stats { uint64_t count, bytes, unique, unique_bytes, stored_bytes; };
struct pack_stats {
	struct pack_kind_stats section[PSO_SECTION_COUNT]; /* a chunk that several kinds share counts for the first of them */
	uint64_t entries[PACK_KIND_COUNT], index_bytes, file_bytes;
};

/* ---- pack_write.c ---- */
struct pack_writer;
struct pack_writer *pack_writer_create(void);
void pack_writer_destroy(struct pack_writer *w);  /* NULL is fine */
/* Copies. The same again is no error; another of that name is: false, diagnostic added. */
bool pack_add(struct pack_writer *w, const struct pack_entry *e, struct kiln_diags *diags);
/* The file's bytes. False: a derived PSO without its base, or more than 4 GiB in a table; diagnostic added. */
bool pack_encode(struct pack_writer *w, bool compress, struct buf *out, struct kiln_diags *diags);

/* ---- pack_read.c ---- */
struct pack;
/* Maps the file, which must not be changed while it is open (replacing it by rename, as Kiln writes, is no change).
 * Tables are checked now, chunks when they are first used. NULL: diagnostic added. */
struct pack *pack_open(const char *path, struct kiln_diags *diags);
/* The same of bytes in memory, borrowed. */
struct pack *pack_open_bytes(const uint8_t *data, size_t size, const char *where, struct kiln_diags *diags);
void pack_close(struct pack *p);                  /* NULL is fine */
size_t pack_count(const struct pack *p);
const char *pack_name(const struct pack *p, size_t i);
enum pack_kind pack_kind_of(const struct pack *p, size_t i);
uint32_t pack_console(const struct pack *p, size_t i);
size_t pack_find(const struct pack *p, const char *name); /* SIZE_MAX: none */
/* The entry's sections, in place (compressed ones: decompressed once, kept until pack_close). False: damaged,
 * diagnostic added. */
bool pack_get(struct pack *p, size_t i, struct pack_entry *out, struct kiln_diags *diags);
/* A PSO from it, a derived one with its base, which the pack keeps. NULL: diagnostics added. */
struct pipeline *pack_load(struct pack *p, size_t i, const char *name, const struct pipeline_options *options,
	struct kiln_diags *diags);
void pack_stats(const struct pack *p, struct pack_stats *out);

/* ---- serialize.c: a shader as an entry ---- */
struct pack_shader_bytes { struct pso_image image; struct buf code, debug; };
void pack_shader_make(const struct isa_program *p, uint32_t console, bool strip_debug, struct pack_shader_bytes *out);
void pack_shader_finish(struct pack_shader_bytes *b);
/* NULL: no vertex or pixel shader, or damaged; diagnostic added. */
struct isa_program *pack_shader_program(const struct pso_image *image, const char *name, struct kiln_diags *diags);
#endif
