/* The virtual ISA: instruction, program, wave, environment, and the folder's entries grouped by file.
 *
 * SIMT: a wave of 32 or 64 lanes. Vector registers v (one 32-bit word a lane), scalar registers s (one word a wave,
 * uniform), an execution mask. Control flow is structured: block/loop/end with masked branches (docs/isa.md).
 * Booleans are 0 or ~0. Floats are bits in 32-bit words. Depends on nothing outside this folder. */
#ifndef KILN_ISA_ISA_H
#define KILN_ISA_ISA_H
#include "isa/base.h"
#include <stdio.h>

enum {
	ISA_LANES_MAX = 64,
	ISA_OPERANDS_MAX = 24,
	ISA_VGPRS_MAX = 256,      /* the last ISA_EXPORT_TEMPS are kept free for export patching */
	ISA_SGPRS_MAX = 128,
	ISA_EXPORT_TEMPS = 4,
	ISA_IO_MAX = 64,          /* input or output slots: one for each signature element and row */
	ISA_SCRATCH_MAX = 1 << 16 /* scratch dwords a lane */
};

enum isa_stage { ISA_PIXEL, ISA_VERTEX, ISA_GEOMETRY, ISA_HULL, ISA_DOMAIN, ISA_COMPUTE, ISA_MESH = 13, ISA_AMPLIFICATION = 14,
	ISA_STAGE_COUNT };

/* The functional unit that issues an instruction; timing charges it. A row's ALU becomes SALU where it writes s. */
#define ISA_UNITS(X) X(SALU) X(ALU) X(TRANS) X(FLOW) X(CONSTANT) X(SCRATCH) X(INPUT) X(LDS) X(TEXTURE) X(BUFFER) X(EXPORT)
enum isa_unit {
#define X(name) ISA_UNIT_##name,
	ISA_UNITS(X)
#undef X
	ISA_UNIT_COUNT
};

enum isa_op {
#define PURE(name, ...) ISA_##name,
#define IMPURE(name, ...) ISA_##name,
#define FLOW(name, ...) ISA_##name,
#include "isa/isa.def"
	ISA_OP_COUNT
};

/* Where an operand lives. */
enum isa_file {
	ISA_OFF,   /* absent: an unused result, an export channel that is off */
	ISA_V,     /* vector register, or before isa_divergence() any virtual register */
	ISA_S,     /* scalar register */
	ISA_LIT,   /* 32 literal bits */
	ISA_IMM    /* a number whose meaning the row's operand kind gives (label, slot, resource, target…) */
};
struct isa_operand {
	uint8_t file;   /* enum isa_file */
	uint32_t value; /* register number, bits or number */
};
struct isa_inst {
	uint16_t op;                                /* enum isa_op */
	struct isa_operand at[ISA_OPERANDS_MAX];    /* in the order of the row's operand string */
};

enum isa_kind { ISA_KIND_PURE, ISA_KIND_IMPURE, ISA_KIND_FLOW };
struct isa_info {
	const char *name, *operands, *semantics, *doc;
	uint16_t code;      /* in the binary form; never reused */
	uint8_t kind, unit, cost, results; /* results: how many leading operands are written */
	uint8_t count;      /* operands in all */
};
extern const struct isa_info isa_info[ISA_OP_COUNT];

/* ---- what a program talks to ---- */

/* System values that have an instruction of their own (others are input elements). */
#define ISA_SYSVALS(X) \
	X(primitive_id) X(sample_index) X(coverage) X(inner_coverage) X(view_id) X(thread_id_x) X(thread_id_y) X(thread_id_z) \
	X(group_id_x) X(group_id_y) X(group_id_z) X(thread_in_group_x) X(thread_in_group_y) X(thread_in_group_z) \
	X(flat_thread_in_group) X(start_vertex) X(start_instance) X(gs_instance_id) X(control_point_id) \
	X(domain_x) X(domain_y) X(domain_z) X(helper)
enum isa_sysval {
#define X(name) ISA_SYS_##name,
	ISA_SYSVALS(X)
#undef X
	ISA_SYS_COUNT
};

/* How wave_reduce and the scans join words. */
#define ISA_WAVE_OPS(X) \
	X(add_u32) X(and_b32) X(or_b32) X(xor_b32) X(min_i32) X(max_i32) X(min_u32) X(max_u32) X(mul_u32) \
	X(add_f32) X(mul_f32) X(min_f32) X(max_f32) X(add_f16) X(mul_f16)
enum isa_wave_op {
#define X(name) ISA_WAVE_##name,
	ISA_WAVE_OPS(X)
#undef X
	ISA_WAVE_OP_COUNT
};

/* Export targets: mrt0-7 = 0-7, mrtz = 8, pos0-3 = 12-15 (position, clip/cull distances), param0-31 = 32-63. */
enum { ISA_MRT0 = 0, ISA_MRTZ = 8, ISA_POS0 = 12, ISA_PARAM0 = 32, ISA_TARGET_COUNT = 64 };
/* The ten hardware export forms, numbered as AMD's SPI_SHADER_COL_FORMAT. */
#define ISA_EXPORT_FORMS(X) \
	X(zero, 0) X(32_r, 1) X(32_gr, 2) X(32_ar, 3) X(fp16_abgr, 4) X(unorm16_abgr, 5) X(snorm16_abgr, 6) \
	X(uint16_abgr, 7) X(sint16_abgr, 8) X(32_abgr, 9)
enum isa_export_form {
#define X(name, value) ISA_FORM_##name = value,
	ISA_EXPORT_FORMS(X)
#undef X
	ISA_FORM_COUNT
};
/* Component types of signature elements, numbered as DXIL's signature parts. */
enum isa_type { ISA_U32 = 1, ISA_I32 = 2, ISA_F32 = 3, ISA_U16 = 4, ISA_I16 = 5, ISA_F16 = 6, ISA_U64 = 7, ISA_I64 = 8, ISA_F64 = 9,
	ISA_TYPE_COUNT };
/* Semantic kinds, in DXIL's order (facts section 8.6). */
enum isa_semantic {
	ISA_SEM_ARBITRARY, ISA_SEM_VERTEX_ID, ISA_SEM_INSTANCE_ID, ISA_SEM_POSITION, ISA_SEM_RT_ARRAY_INDEX,
	ISA_SEM_VIEWPORT_INDEX, ISA_SEM_CLIP_DISTANCE, ISA_SEM_CULL_DISTANCE, ISA_SEM_CONTROL_POINT_ID,
	ISA_SEM_DOMAIN_LOCATION, ISA_SEM_PRIMITIVE_ID, ISA_SEM_GS_INSTANCE_ID, ISA_SEM_SAMPLE_INDEX,
	ISA_SEM_IS_FRONT_FACE, ISA_SEM_COVERAGE, ISA_SEM_INNER_COVERAGE, ISA_SEM_TARGET, ISA_SEM_DEPTH,
	ISA_SEM_DEPTH_LE, ISA_SEM_DEPTH_GE, ISA_SEM_STENCIL_REF, ISA_SEM_DISPATCH_THREAD_ID, ISA_SEM_GROUP_ID,
	ISA_SEM_GROUP_INDEX, ISA_SEM_GROUP_THREAD_ID, ISA_SEM_TESS_FACTOR, ISA_SEM_INSIDE_TESS_FACTOR,
	ISA_SEM_VIEW_ID, ISA_SEM_BARYCENTRICS, ISA_SEM_SHADING_RATE, ISA_SEM_CULL_PRIMITIVE, ISA_SEM_COUNT
};
/* Interpolation modes, numbered as DXIL (facts section 1.10). */
enum isa_interp {
	ISA_INTERP_UNDEFINED, ISA_INTERP_CONSTANT, ISA_INTERP_LINEAR, ISA_INTERP_LINEAR_CENTROID, ISA_INTERP_NOPERSPECTIVE,
	ISA_INTERP_NOPERSPECTIVE_CENTROID, ISA_INTERP_LINEAR_SAMPLE, ISA_INTERP_NOPERSPECTIVE_SAMPLE,
	ISA_INTERP_COUNT
};

/* One slot: one row of one signature element. ld_in and exp param name slots by position in this list;
 * components count from the element's own start column. */
struct isa_io {
	const char *name;          /* semantic name as written */
	uint32_t index;            /* semantic index of this row */
	uint8_t semantic;          /* enum isa_semantic */
	uint8_t type;              /* enum isa_type */
	uint8_t interp;            /* enum isa_interp */
	uint8_t cols;              /* components declared, 1-4 */
	uint8_t start_col;         /* where they sit in the register */
	uint8_t used;              /* components read (inputs) or written (outputs), bit 0 = first of the element */
	uint8_t min_precision;     /* facts 8.3 */
	uint32_t reg;              /* signature register; for SV_Target the target index; ~0 if not packed */
};

enum isa_resource_class { ISA_SRV, ISA_UAV, ISA_CBV, ISA_SAMPLER, ISA_RESOURCE_CLASS_COUNT };
/* DXIL's numbers (facts 8.8). */
enum isa_resource_kind { ISA_KIND_TEXTURE_1D = 1, ISA_KIND_TEXTURE_2D, ISA_KIND_TEXTURE_2DMS, ISA_KIND_TEXTURE_3D,
	ISA_KIND_TEXTURE_CUBE, ISA_KIND_TEXTURE_1D_ARRAY, ISA_KIND_TEXTURE_2D_ARRAY, ISA_KIND_TEXTURE_2DMS_ARRAY,
	ISA_KIND_TEXTURE_CUBE_ARRAY, ISA_KIND_TYPED_BUFFER, ISA_KIND_RAW_BUFFER, ISA_KIND_STRUCTURED_BUFFER, ISA_KIND_CBUFFER,
	ISA_KIND_SAMPLER, ISA_KIND_TBUFFER, ISA_RESOURCE_KIND_COUNT = 19 };
enum { ISA_RESOURCE_FLAG_COUNT = 6, ISA_RESOURCE_HEAP = 32 };
struct isa_resource {
	const char *name;          /* "" when the container was stripped */
	uint8_t cls;               /* enum isa_resource_class */
	uint8_t kind;              /* enum isa_resource_kind */
	uint8_t type;              /* component type of typed resources, DXIL metadata numbering; 0 otherwise */
	uint8_t flags;             /* bit 0 counter, 1 rov, 2 globally coherent, 3 comparison sampler, 4 root-constant sized,
	                            * 5 the whole descriptor heap: elements are its descriptors, registers mean nothing */
	uint32_t space, lower, count; /* registers [lower, lower + count); count ~0 = unbounded */
	uint32_t stride_or_size;   /* structured stride, or cbuffer size in bytes */
	uint32_t sample_count;
};

enum isa_program_flags {
	ISA_USES_DISCARD = 1, ISA_WRITES_DEPTH = 2, ISA_WRITES_STENCIL = 4, ISA_WRITES_COVERAGE = 8, ISA_EARLY_DEPTH = 16,
	ISA_SAMPLE_FREQUENCY = 32, ISA_USES_DERIVATIVES = 64, ISA_SIDE_EFFECTS = 128, ISA_NATIVE_16BIT = 256, ISA_FP32_PRESERVE = 512,
	ISA_PATCHED = 1024 /* symbolic exports were replaced by a PSO's hardware exports */
};
enum { ISA_FLAG_COUNT = 11 };

struct isa_program {
	struct arena arena;            /* owns everything below */
	const char *name;              /* entry point */
	uint8_t stage;                 /* enum isa_stage */
	uint8_t wave_size;             /* 32 or 64 */
	uint32_t flags;                /* enum isa_program_flags */
	uint32_t vgprs, sgprs;         /* registers used (before allocation: virtual registers, all counted in vgprs) */
	uint32_t labels;               /* labels are numbered from 0 */
	uint32_t scratch;              /* dwords a lane */
	uint32_t lds_bytes;
	uint32_t threads[3];           /* compute group */
	struct isa_inst *insts;
	size_t inst_count, inst_cap;   /* inst_cap: room that isa_append() made; counts for nothing where insts is NULL */
	uint32_t *constants;           /* constant tables, addressed by ld_const */
	size_t constant_count;
	struct isa_io *inputs, *outputs;
	size_t input_count, output_count;
	struct isa_resource *resources;
	size_t resource_count;
	bool allocated;                /* registers are physical */
};

/* One instruction that reaches outside the wave. Operands stand where its row of isa.def has them: numbers in
 * inst->at[i].value, sources in source[i] as lane words (lanes that are off too: derivatives look at them). */
struct isa_access {
	const struct isa_inst *inst;
	unsigned lanes;                           /* 32 or 64 */
	uint64_t exec;                            /* lanes whose results are wanted */
	uint64_t live;                            /* of them, those that have side effects */
	const uint32_t *source[ISA_OPERANDS_MAX]; /* [lanes]; NULL where the operand is off, a number or a result */
	uint32_t (*result)[ISA_LANES_MAX];        /* [4], zeros; filled where exec is set */
};
/* Operations of image_atomic, buffer_atomic and lds_atomic, numbered as DXIL's atomicBinOp. */
enum isa_atomic_op { ISA_ATOMIC_ADD, ISA_ATOMIC_AND, ISA_ATOMIC_OR, ISA_ATOMIC_XOR, ISA_ATOMIC_MIN_I32, ISA_ATOMIC_MAX_I32,
	ISA_ATOMIC_MIN_U32, ISA_ATOMIC_MAX_U32, ISA_ATOMIC_EXCHANGE };
enum { ISA_ATOMIC_COUNT = ISA_ATOMIC_EXCHANGE + 1 };
/* Where the operands of image and sampling rows stand. */
enum isa_image_operand { ISA_IMAGE = 4, ISA_IMAGE_ELEMENT, ISA_IMAGE_SAMPLER, ISA_IMAGE_SAMPLER_ELEMENT, ISA_IMAGE_COORDINATE,
	ISA_IMAGE_OFFSET = 12, ISA_IMAGE_MORE = 15 };

/* What a shader touches outside itself: sim fills it in. Thread-safety is sim's affair; isa calls these only from
 * isa_run() on the caller's thread. */
struct isa_env {
	void *user;
	/* One 16-byte row of a constant buffer; array_index counts from the resource's lower bound. Past the end: zeros. */
	void (*cbuffer_row)(void *user, unsigned resource, uint32_t array_index, uint32_t row, uint32_t out[4]);
	/* An interp_*, ld_vertex, image_* or buffer_* instruction for all lanes at once; stores and atomics in lane order.
	 * NULL: nothing is there, all results are zeros. */
	void (*access)(void *user, const struct isa_access *a);
};

/* What one wave did, for timing and counters; accumulated, never cleared by isa_run(). */
struct isa_record {
	uint64_t issues[ISA_UNIT_COUNT];  /* instructions issued, by unit */
	uint64_t lanes[ISA_UNIT_COUNT];   /* active lanes summed over those issues */
	uint64_t branches, divergent_branches; /* br/br_if taken at all; of them, those that split the wave */
	uint64_t kills;                   /* lanes discarded */
};

/* One wave: plain state, a snapshot is a copy. Arrays are [n][ISA_LANES_MAX]. */
struct isa_wave {
	uint64_t exec;                    /* lanes that run */
	uint64_t live;                    /* lanes that have side effects: not helper, not discarded; subset decided by sim */
	uint64_t budget;                  /* instructions left; isa_run() counts it down */
	size_t pc;                        /* 0 at the start; kept over a barrier */
	uint32_t (*v)[ISA_LANES_MAX];     /* [vgprs] */
	uint32_t *s;                      /* [sgprs] */
	uint32_t (*scratch)[ISA_LANES_MAX]; /* [scratch] */
	uint32_t *lds;                    /* [lds_bytes / 4] the group's memory, shared by its waves; sim's, may be NULL if there is none */
	uint64_t *pending, *exited;       /* [labels] lane masks of control flow */
	size_t *label_start;              /* [labels] where a block or loop opens */
	bool *is_loop;                    /* [labels] */
	size_t *enclosing_end;            /* [insts] the end of the innermost construct around an instruction */
	uint32_t (*in)[4][ISA_LANES_MAX]; /* [input slots][component] filled by sim */
	uint32_t (*sys)[ISA_LANES_MAX];   /* [ISA_SYS_COUNT] filled by sim */
	/* Export slots of four words, indexed by export target. sim prefills mrt slots with the unexported pattern. */
	uint32_t (*out)[4][ISA_LANES_MAX]; /* [ISA_TARGET_COUNT] */
	uint64_t exported[ISA_TARGET_COUNT]; /* lanes that executed an export to this target, helper lanes left out */
	struct isa_record record;
};
enum isa_result { ISA_DONE, ISA_BARRIER, ISA_OUT_OF_BUDGET };

/* ---- isa/table.c: rows to info ---- */
int isa_find(const char *name);                                         /* enum isa_op, or -1 */
int isa_from_code(unsigned code);                                       /* enum isa_op, or -1 */
bool isa_is_result(const struct isa_info *info, unsigned operand);
bool isa_is_buffer(const struct isa_resource *r);                       /* typed, raw, structured; no image, no cbuffer */
bool isa_is_number(char letter);                                        /* the operand is ISA_IMM; else a register or literal */
extern const char *const isa_unit_names[ISA_UNIT_COUNT];
extern const char *const isa_sysval_names[ISA_SYS_COUNT];
extern const char *const isa_form_names[ISA_FORM_COUNT];
extern const char *const isa_stage_names[ISA_STAGE_COUNT];              /* NULL where no stage has the number */
extern const char *const isa_semantic_names[ISA_SEM_COUNT];
extern const char *const isa_interp_names[ISA_INTERP_COUNT];
extern const char *const isa_type_names[ISA_TYPE_COUNT];                /* NULL for 0 */
extern const char *const isa_resource_class_names[ISA_RESOURCE_CLASS_COUNT];
extern const char *const isa_resource_kind_names[ISA_RESOURCE_KIND_COUNT];
extern const char *const isa_flag_names[ISA_FLAG_COUNT];                /* by bit of enum isa_program_flags */
extern const char *const isa_resource_flag_names[ISA_RESOURCE_FLAG_COUNT];

/* ---- isa/program.c: programs as objects, and their binary form (versioned, checked) ---- */
struct isa_program *isa_program_create(void);
void isa_program_destroy(struct isa_program *p);                        /* NULL is fine */
struct isa_program *isa_program_copy(const struct isa_program *p);      /* deep */
/* Appends; grows inside the arena. The returned instruction is zeroed but for op and stays valid until the next append. */
struct isa_inst *isa_append(struct isa_program *p, enum isa_op op);
void isa_program_encode(const struct isa_program *p, struct buf *out);
/* Any byte string is safe: a damaged one gives NULL and a diagnostic. The result has passed isa_validate(). */
struct isa_program *isa_program_decode(const uint8_t *data, size_t size, const char *where, struct kiln_diags *diags);
/* One instruction as words (docs/isa.md), for listings and tests. */
void isa_encode_inst(const struct isa_inst *in, struct buf *out);

/* ---- isa/text.c: program <-> text ---- */
void isa_print_inst(const struct isa_program *p, const struct isa_inst *in, struct buf *out); /* no newline */
void isa_disassemble(const struct isa_program *p, struct buf *out);
/* isa/assemble.c: errors name line and column; the result has passed isa_validate(). */
struct isa_program *isa_assemble(const char *text, size_t size, const char *where, struct kiln_diags *diags);

/* ---- isa/validate.c: registers, operand kinds, structured control flow, slots, resources ---- */
bool isa_validate(const struct isa_program *p, const char *where, struct kiln_diags *diags);

/* ---- isa/docs.c: generated documentation ---- */
void isa_docs(struct buf *out);                                         /* docs/isa.md */
void diag_docs(struct buf *out);                                        /* docs/diagnostics.md */

/* ---- isa/divergence.c: virtual registers -> which are uniform; rewrites those to ISA_S ---- */
void isa_divergence(struct isa_program *p);

/* ---- isa/regalloc.c: virtual -> physical registers, spilling to scratch; never fails ---- */
void isa_regalloc(struct isa_program *p);
/* The same with fewer registers than the machine has (for occupancy, and for tests of spilling); enough for the
 * operands of one instruction. */
void isa_regalloc_limited(struct isa_program *p, uint32_t vgprs, uint32_t sgprs);

/* ---- isa/interp.c: the reference engine ---- */
/* Runs until the end, a barrier or the budget. Takes MXCSR as the caller set it (fp_enter). */
enum isa_result isa_run(const struct isa_program *p, struct isa_wave *w, const struct isa_env *env);
/* A wave with zeroed storage for this program (in, sys and out included); free with isa_wave_destroy. */
struct isa_wave *isa_wave_create(const struct isa_program *p);
/* What an atomic operation (enum isa_atomic_op) leaves in memory. */
uint32_t isa_atomic(unsigned op, uint32_t old, uint32_t value);
/* Ready to run from the start: registers, scratch and the record are zeros; in, sys and out stay. */
void isa_wave_reset(const struct isa_program *p, struct isa_wave *w, uint64_t exec, uint64_t live);
void isa_wave_destroy(struct isa_wave *w);

/* ---- isa/math.c: the numbers; used by the interpreter and, as constants, by nothing else ---- */
/* Everything takes and gives bits. Denormals follow MXCSR; arithmetic NaN is 0x7FC00000. */
uint32_t isa_f32_to_f16_rtz(uint32_t f);   /* low 16 bits; finite overflow 0x7BFF, NaN 0x7E00 */
uint32_t isa_f32_to_f16_rne(uint32_t f);   /* the same to nearest even; overflow 0x7C00 */
uint32_t isa_f16_to_f32(uint32_t h);       /* exact */
uint32_t isa_log2_f32(uint32_t x);         /* as log_f32 */
#endif
