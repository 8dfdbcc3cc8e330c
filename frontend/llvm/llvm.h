/* DXIL -> ISA through LLVM's C API: what the files of this folder share. Nothing of LLVM leaves the folder.
 *
 * module.c    bitcode -> verified LLVM module; the driver
 * metadata.c  dx.* metadata -> signatures, resources, flags
 * cfg.c       blocks in order, dominators, loops
 * structure.c blocks -> linear order with block/loop/end/br
 * half.c      native 16-bit floats;  wide.c: 64-bit numbers
 * lower.c     LLVM instructions;  memory.c: local arrays and constant tables;  io.c: inputs, outputs, exports
 * dxop.c      dx.op calls, by the rows of dxop.def; their handlers are in dxop_*.c (dxop.h) */
#ifndef KILN_FRONTEND_LLVM_H
#define KILN_FRONTEND_LLVM_H
#include "frontend/frontend.h"
#include <llvm-c/Core.h>

/* ---- where diagnostics go; every stage stops at the first one ---- */
struct fe_sink {
	const char *where;
	struct kiln_diags *diags;
};

/* ---- pointers -> numbers: an open hash table in an arena ---- */
struct ptr_map {
	struct ptr_entry { const void *key; uint32_t value; } *entries;
	size_t count, cap;
};
void ptr_map_set(struct ptr_map *m, struct arena *a, const void *key, uint32_t value);
bool ptr_map_get(const struct ptr_map *m, const void *key, uint32_t *value);

/* ---- metadata.c ---- */
struct fe_element {
	uint32_t rows, cols, first_slot;   /* slots of p->inputs or p->outputs, one a row */
};
struct fe_meta {
	LLVMValueRef entry;                /* the entry function */
	struct fe_element *inputs, *outputs;
	size_t input_count, output_count;
	uint32_t *resource_ids;            /* [p->resource_count] the record's id within its class */
	uint64_t flags;                    /* shader flags, facts section 8.6 */
};
/* Fills stage, name, signatures, resources and flags of p. */
bool fe_metadata(LLVMModuleRef module, const struct fe_sink *sink, struct arena *a, struct isa_program *p,
	struct fe_meta *out);
/* Names of resources that the program itself no longer has, from the reflection module. */
void fe_metadata_names(LLVMModuleRef reflection, struct arena *a, struct isa_program *p, const uint32_t *resource_ids);

/* ---- cfg.c ---- */
/* A node is a basic block, or an edge on which phi copies stand (its source has several successors), or the exit. */
struct cfg_node {
	LLVMBasicBlockRef block;           /* NULL: edge or exit */
	LLVMBasicBlockRef from, to;        /* of an edge; `from` is the block itself otherwise, `to` is NULL */
	uint32_t *succ, *pred;             /* reachable nodes only */
	uint32_t succ_count, pred_count;
	uint32_t idom, loop;               /* loop: innermost loop around it, or CFG_NONE */
};
struct cfg_loop {
	uint32_t header, parent, last;     /* last: position behind its last node in `order` */
};
#define CFG_NONE UINT32_MAX
struct cfg {
	struct cfg_node *nodes;            /* numbered by reverse post-order, but for the exit, which is last */
	size_t node_count;
	struct cfg_loop *loops;
	size_t loop_count;
	uint32_t *order;                   /* linear order of nodes: topological but for back edges, loops contiguous */
	uint32_t *position;                /* node -> place in order */
	uint32_t exit;
};
bool cfg_build(LLVMValueRef function, const struct fe_sink *sink, struct arena *a, struct cfg *out);
/* The node to which control goes from block `from` towards successor `to`. */
uint32_t cfg_successor(const struct cfg *g, uint32_t node, LLVMBasicBlockRef to);

/* ---- lower.c: state of one function's lowering ---- */
enum value_kind { VALUE_NONE, VALUE_REG, VALUE_HANDLE, VALUE_POINTER };
enum memory_space { MEMORY_SCRATCH, MEMORY_CONSTANT, MEMORY_GROUP };
struct value {
	uint8_t kind;                      /* enum value_kind */
	uint8_t space;                     /* pointer: enum memory_space */
	uint8_t width;                     /* registers: how many, consecutive; pointer: all leaves are of 32 bits */
	uint32_t reg;                      /* registers: the first; handle: resource */
	uint32_t base, count, offset;      /* pointer: whole array in dwords, constant part of the index */
	struct isa_operand index;          /* pointer: dynamic part of the index or off; handle: array index or off */
};
struct lower {
	struct isa_program *p;
	struct arena *a;
	const struct fe_sink *sink;
	const struct fe_meta *meta;
	const struct cfg *cfg;
	struct ptr_map numbers;            /* LLVM value -> place in values */
	struct value *values;
	size_t value_count, value_cap;
	uint32_t phi_regs;                 /* registers below belong to phis */
	uint32_t *readers, *writer;        /* [phi_regs] for ordering phi copies; all zero between uses */
	struct output {                    /* a component of an output slot */
		uint32_t stores;               /* how many calls write it */
		LLVMValueRef only;             /* the value, where one call writes it on every way to the exit */
		struct isa_operand at;         /* where the value is at the exit; off: never written */
	} (*outputs)[4];                   /* [p->output_count] */
	bool failed;
};

/* Reports and sets failed; returns false. */
bool lower_unsupported(struct lower *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool lower_invalid(struct lower *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *lower_type_name(struct lower *l, LLVMTypeRef t);

uint32_t lower_reg(struct lower *l);
struct isa_operand op_reg(uint32_t reg);
struct isa_operand op_lit(uint32_t bits);
struct isa_operand op_imm(uint32_t number);
struct isa_operand op_off(void);
/* One instruction: operands in the row's order, `count` of them. */
void emit(struct lower *l, enum isa_op op, unsigned count, const struct isa_operand *at);
/* d = op(sources), d a fresh register. */
struct isa_operand emit_op(struct lower *l, enum isa_op op, unsigned count, const struct isa_operand *sources);
struct isa_operand emit1(struct lower *l, enum isa_op op, struct isa_operand a);
struct isa_operand emit2(struct lower *l, enum isa_op op, struct isa_operand a, struct isa_operand b);
struct isa_operand emit3(struct lower *l, enum isa_op op, struct isa_operand a, struct isa_operand b,
	struct isa_operand c);

struct value *lower_define(struct lower *l, LLVMValueRef v, enum value_kind kind);
/* Names the result of v: its one word is o. */
void lower_result(struct lower *l, LLVMValueRef v, struct isa_operand o);
const struct value *lower_find(struct lower *l, LLVMValueRef v); /* NULL: not defined */
/* The word of a scalar; failed is set where it has none. */
struct isa_operand lower_operand(struct lower *l, LLVMValueRef v);
/* The same for an integer narrower than 32 bits, extended by sign or zeros. */
struct isa_operand lower_extended(struct lower *l, LLVMValueRef v, bool is_signed);
/* ---- half.c ---- */
bool lower_is_half(const struct lower *l, LLVMTypeRef t);   /* a half in the low 16 bits of a word (native 16-bit types) */
/* The word of a float operand as binary32; arithmetic is done in that. */
struct isa_operand lower_float(struct lower *l, LLVMValueRef v);
/* A binary32 result as a value of type t, to nearest even. */
struct isa_operand lower_rounded(struct lower *l, struct isa_operand o, LLVMTypeRef t);
/* A binary32 word that is converted to type t, as fptrunc does. */
struct isa_operand lower_converted(struct lower *l, struct isa_operand o, LLVMTypeRef t);

/* ---- wide.c ---- */
struct pair { struct isa_operand lo, hi; };
bool lower_is_wide(LLVMTypeRef t);                          /* 64 bits: a pair of words */
unsigned lower_words(LLVMTypeRef t);                        /* registers of a scalar */
struct pair lower_pair(struct lower *l, LLVMValueRef v);
void lower_pair_result(struct lower *l, LLVMValueRef v, struct pair p);
struct pair emit_pair(struct lower *l, enum isa_op op, unsigned count, const struct isa_operand *sources);
struct pair lower_pair_select(struct lower *l, struct isa_operand condition, struct pair yes, struct pair no);
/* As the row for binary32 compares words. */
struct isa_operand lower_pair_compare(struct lower *l, enum isa_op op, struct pair a, struct pair b);
/* False: the instruction has no 64-bit operand or result, or none that needs anything else. */
bool lower_wide(struct lower *l, LLVMValueRef v, LLVMOpcode opcode);
/* A dx.op of 64-bit arguments which on words is one row; false: not supported. */
bool lower_wide_call(struct lower *l, LLVMValueRef call, enum isa_op row, unsigned count, const LLVMValueRef *arguments);

/* ---- lower.c again ---- */
bool lower_constant_int(LLVMValueRef v, uint64_t *out);
/* Can a value of this type be one word here? Reports what is not: operation is named in the diagnostic. */
bool lower_check_word(struct lower *l, LLVMTypeRef t, const char *operation);
bool lower_function(struct lower *l);

/* ---- structure.c: walks the nodes in order, calling lower_block and emitting the branches ---- */
bool structure_function(struct lower *l);
void lower_block(struct lower *l, LLVMBasicBlockRef block);
void lower_phi_copies(struct lower *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to);

/* ---- memory.c ---- */
void memory_begin(struct lower *l, LLVMModuleRef module); /* variables of the module */
void lower_alloca(struct lower *l, LLVMValueRef v);
void lower_gep(struct lower *l, LLVMValueRef v);
void lower_load(struct lower *l, LLVMValueRef v);
void lower_store(struct lower *l, LLVMValueRef v);
void lower_atomic(struct lower *l, LLVMValueRef v);       /* atomicrmw and cmpxchg, on group memory */

/* ---- io.c ---- */
void io_begin(struct lower *l);        /* output registers */
void io_load_input(struct lower *l, LLVMValueRef call);
/* The input at another place: the instruction's operands behind slot and component follow. */
void io_interpolate(struct lower *l, LLVMValueRef call, enum isa_op op, unsigned count, const struct isa_operand *place);
void io_store_output(struct lower *l, LLVMValueRef call);
void io_exports(struct lower *l);

/* ---- dxop.c ---- */
void lower_dxop(struct lower *l, LLVMValueRef call, const char *function_name);
#endif
