/* DXIL containers -> ISA programs. container.c, signature.c, psv.c need no LLVM and live in libkiln; the files that need
 * LLVM (module.c, cfg.c, structure.c, lower*.c) are the module libkiln-llvm.so, loaded at run time by load.c. */
#ifndef KILN_FRONTEND_FRONTEND_H
#define KILN_FRONTEND_FRONTEND_H
#include "isa/isa.h"

/* ---- container.c: DXBC parts; trusts no length, checks the digest ---- */
enum { FE_PARTS_MAX = 64 };
struct fe_part { uint32_t fourcc; const uint8_t *data; uint32_t size, offset; };
struct fe_container {
	const uint8_t *data;               /* borrowed */
	size_t size;
	struct fe_part parts[FE_PARTS_MAX];
	uint32_t part_count;
	bool is_signed;
	uint8_t digest[16];
};
#define FE_FOURCC(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
bool fe_container_parse(const uint8_t *data, size_t size, const char *where, struct fe_container *out, struct kiln_diags *diags);
const struct fe_part *fe_container_find(const struct fe_container *c, uint32_t fourcc); /* NULL if absent */
void fe_container_digest(const uint8_t *data, size_t size, uint8_t digest[16]);         /* of bytes 20.. */
/* A container with one part added or replaced (data NULL: removed), signed anew; appended to out. A size that is no multiple
 * of 4 is kept, with zeros between the parts. False: too many parts or too large, nothing written. */
bool fe_container_with_part(const struct fe_container *c, uint32_t fourcc, const void *data, size_t size, struct buf *out);

void fe_fourcc_name(uint32_t fourcc, char out[5]);      /* unprintable bytes as '?' */
enum { FE_WHERE_MAX = 256 };
void fe_part_where(char out[FE_WHERE_MAX], const char *where, uint32_t fourcc); /* "ps.cso: part DXIL" */

/* ---- program header of a DXIL, ILDB or STAT part ---- */
struct fe_bitcode { uint32_t kind, major, minor, dxil_version; const uint8_t *data; size_t size; };
bool fe_bitcode_find(const struct fe_part *part, const char *where, struct fe_bitcode *out, struct kiln_diags *diags);

/* ---- signature.c: ISG1, OSG1, PSG1 ---- */
struct fe_signature_element {
	const char *name;                  /* points into the part */
	uint32_t stream, index, system_value, type, reg, min_precision;
	uint8_t mask, rw_mask;
};
struct fe_signature { struct fe_signature_element elements[ISA_IO_MAX]; size_t count; };
bool fe_signature_parse(const struct fe_part *part, const char *where, struct fe_signature *out, struct kiln_diags *diags);

/* ---- psv.c: PSV0, SFI0, HASH ---- */
struct fe_psv_resource { uint32_t type, space, lower, upper, kind, flags; };
struct fe_psv {
	uint32_t info_size;                /* 24, 36, 48, 52 or 56: the version; larger ones are read as 56 */
	uint8_t raw[64];                   /* RuntimeInfo, zero beyond info_size */
	uint32_t stage, min_wave, max_wave, threads[3]; /* stage ~0: the version does not say */
	const char *entry;                 /* "" if the version has none */
	struct fe_psv_resource resources[256]; size_t resource_count;
	uint32_t input_count, output_count, patch_count;
};
bool fe_psv_parse(const struct fe_part *part, const char *where, struct fe_psv *out, struct kiln_diags *diags);
bool fe_features_parse(const struct fe_part *part, const char *where, uint64_t *out, struct kiln_diags *diags);
struct fe_hash { bool includes_source; uint8_t digest[16]; };
bool fe_hash_parse(const struct fe_part *part, const char *where, struct fe_hash *out, struct kiln_diags *diags);

/* ---- load.c, sandbox.c: compiling ---- */
struct fe_options {
	uint8_t wave_size;                 /* 32 or 64; 0 = 64 */
	bool in_process;                   /* lower in this process: for trusted containers alone, a damaged one can crash LLVM */
	uint32_t cpu_seconds, memory_mib;  /* limits of the child; 0 = 10 s, 2048 MiB */
	uint32_t console;                  /* whose ISA is taken where there is no DXIL; 0: any */
};
/* Container -> validated program with physical registers and symbolic colour exports; NULL: diagnostics added.
 * Where there is no DXIL: the first program of the ISA part that is for this console, or for none. */
struct isa_program *fe_compile(const uint8_t *data, size_t size, const char *where, const struct fe_options *o, struct kiln_diags *diags);

/* ---- precompiled.c: the part that holds ISA ---- */
#define FE_ISA_PART FE_FOURCC('K', 'I', 'S', 'A')
enum { FE_PRECOMPILED_MAX = 16 };
struct fe_precompiled {
	uint32_t console;                  /* enum kiln_console, or a number that this Kiln does not know */
	uint8_t root_key[16];              /* of the root signature that it was compiled with (root_signature_key) */
	const uint8_t *isa; size_t size;   /* isa_program_encode()'s bytes; borrowed */
};
struct fe_precompiled_list { struct fe_precompiled entries[FE_PRECOMPILED_MAX]; size_t count; };
bool fe_precompiled_read(const struct fe_part *part, const char *where, struct fe_precompiled_list *out, struct kiln_diags *diags);
void fe_precompiled_write(const struct fe_precompiled_list *list, struct buf *out);
/* Adds it, in place of the one of the same console and key. False: the list is full. */
bool fe_precompiled_put(struct fe_precompiled_list *list, const struct fe_precompiled *e);
struct fe_llvm;
/* The module, loaded at the first call and kept; NULL: diagnostic added. Any thread may call it. */
const struct fe_llvm *fe_llvm_load(struct kiln_diags *diags);

/* ---- module.c …: inside libkiln-llvm.so; its one exported symbol gives this ---- */
struct fe_llvm {
	uint32_t version;                  /* FE_LLVM_VERSION */
	/* Fully lowered program from a parsed container, in this process; NULL: diagnostics added. */
	struct isa_program *(*lower)(const struct fe_container *c, const char *where, const struct fe_options *o, struct kiln_diags *diags);
};
enum { FE_LLVM_VERSION = 1 };
typedef const struct fe_llvm *fe_llvm_entry(void);
#define FE_LLVM_SYMBOL "kiln_llvm_module"
#endif
