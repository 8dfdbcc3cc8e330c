/* Pipeline state objects: programs + state -> validated, export-patched, immutable pipeline; derive. Never compiles DXIL:
 * programs come in as ISA. */
#ifndef KILN_PSO_PSO_H
#define KILN_PSO_PSO_H
#include "isa/isa.h"
#include "pso/format.h"
#include <kiln/pso.h>

/* ---- export.c: which form a target is exported in ---- */
struct export_input {                /* one render target */
	uint32_t format;                  /* enum kiln_format; UNKNOWN = unbound */
	unsigned write_mask;              /* 0-15 */
	unsigned written;                 /* channels that HLSL writes to this target, 0-15; 0 = no output */
	uint8_t type;                     /* enum isa_type of the HLSL output (f32, i32, u32, or 16-bit ones) */
	bool blend;                       /* BlendEnable */
	bool alpha_read;                  /* blending reads source alpha (export_reads_alpha) */
	bool alpha_to_coverage;           /* and this is target 0 */
};
enum export_type { EXPORT_NONE, EXPORT_FLOAT, EXPORT_UNORM, EXPORT_SNORM, EXPORT_UINT, EXPORT_SINT };
struct export_choice {
	uint8_t form;                     /* enum isa_export_form */
	uint8_t channels;                 /* exported channels, bit 0 = R */
	uint8_t type;                     /* enum export_type */
	uint8_t bits;                     /* 0, 16 or 32 */
	bool alpha_missing;               /* alpha is needed but HLSL does not write it */
	bool unsupported;                 /* the colour block cannot store the format at all; form is zero */
	const char *reason;               /* in words, static */
};
struct export_choice export_choose(const struct export_input *in, enum kiln_export_policy policy);
bool export_same(const struct export_choice *a, const struct export_choice *b); /* channels, type, bits and form */
/* Does the base export all that is read, in words or halves where the required form has them? 32-bit forms agree on
 * theirs. */
bool export_is_superset(const struct export_choice *base, const struct export_choice *required);
/* Does this blend state read the source alpha of the first (or, for SRC1 factors, second) output? */
bool export_reads_alpha(const struct kiln_render_target_blend_desc *b);
unsigned export_alpha_sources(const struct kiln_render_target_blend_desc *b); /* bit 0 first output, bit 1 second */
bool export_is_dual_source(const struct kiln_render_target_blend_desc *b);
/* "32_gr RG float32", for diagnostics and reports. */
void export_print(const struct export_choice *e, struct buf *out);

/* ---- root_signature.c ---- */
struct root_range { uint8_t type; uint32_t count, reg, space, flags, offset; };       /* type: 0 SRV 1 UAV 2 CBV 3 sampler; offset: "append" resolved */
/* Numbered as in a serialised root signature (facts 8.11). */
enum root_parameter_type { ROOT_PARAMETER_TABLE, ROOT_PARAMETER_CONSTANTS, ROOT_PARAMETER_CBV, ROOT_PARAMETER_SRV,
	ROOT_PARAMETER_UAV, ROOT_PARAMETER_TYPES };
struct root_parameter {
	uint8_t type;                     /* enum root_parameter_type */
	uint8_t visibility;               /* 0 all, 1 VS, 2 HS, 3 DS, 4 GS, 5 PS, 6 AS, 7 MS */
	uint32_t reg, space, flags;       /* constants and root descriptors */
	uint32_t num_constants;
	struct root_range *ranges;        /* tables */
	size_t range_count;
};
struct root_sampler { uint32_t words[11], reg, space, visibility, flags; };           /* static sampler, facts 8.11 order */
struct root_signature {
	struct arena arena;
	uint32_t version, flags;
	struct root_parameter *parameters;
	size_t parameter_count;
	struct root_sampler *samplers;
	size_t sampler_count;
};
/* Parses a serialised root signature (the RTS0 part's bytes); any byte string is safe. NULL: diagnostic added. */
struct root_signature *root_signature_parse(const uint8_t *data, size_t size, const char *where, struct kiln_diags *diags);
/* What Kiln uses when nobody gives one: for all stages, a root CBV for each constant buffer that is no array, then a table
 * of one range for each other resource and sampler, in the programs' order, each register once; as many as 64 dwords hold. */
struct root_signature *root_signature_default(const struct isa_program *const *programs, size_t count);
/* NULL: D3D12 allows the sampler; else what is wrong. version: as in struct root_signature. */
const char *root_sampler_fault(const struct root_sampler *s, uint32_t version);
struct root_signature *root_signature_copy(const struct root_signature *from); /* deep */
void root_signature_destroy(struct root_signature *r);
/* As the RTS0 part has it; root_signature_parse() gives the same signature back. (root_signature_write.c) */
void root_signature_write(const struct root_signature *r, struct buf *out);
/* XXH3-128 of that; all zero for NULL, the default one. */
enum { ROOT_KEY_BYTES = 16 };
void root_signature_key(const struct root_signature *r, uint8_t key[ROOT_KEY_BYTES]);

/* ---- pipeline.c: the driver ---- */
/* What the pixel program exports, by its symbolic exports; a NULL program writes nothing. */
struct export_outputs {
	uint8_t written[KILN_RENDER_TARGETS_MAX];       /* channels */
	uint8_t type[KILN_RENDER_TARGETS_MAX];          /* enum isa_type */
};
struct pipeline {
	unsigned references;
	struct arena arena;                             /* name and input layout */
	char *name;                                     /* for diagnostics */
	struct kiln_graphics_pipeline_desc desc;        /* deep copy; derived: base with the overrides applied */
	struct isa_program *vs, *ps;                    /* ps patched; NULL without a pixel shader. Shared with the base */
	struct isa_program *ps_symbolic;                /* ps before patching; shared with the base */
	struct isa_program *cs;                         /* a compute pipeline: this alone, and root; desc is empty */
	struct root_signature *root;                    /* shared with the base */
	enum kiln_export_policy policy;
	struct export_choice baked[KILN_RENDER_TARGETS_MAX];    /* what the code exports */
	struct export_choice required[KILN_RENDER_TARGETS_MAX]; /* what this state needs; differs only with the mismatch ignored */
	uint8_t export_slot[KILN_RENDER_TARGETS_MAX];   /* export slot (mrtN) that feeds this target; 0xff: not fed */
	struct export_outputs outputs;                  /* what ps_symbolic writes */
	bool default_root;                              /* root is the one that Kiln makes */
	bool deserialized;                              /* it, or the base, came from bytes: it cannot become bytes again */
	uint64_t key;                                   /* deserialised: pso_image_key() of those bytes, else 0 */
	struct pipeline *base;                          /* the PSO whose code this is, never a derived one; NULL for a base */
	uint8_t vs_layout[ISA_IO_MAX];                  /* input slot of the VS -> element of desc.InputElementDescs; 0xff: system value or none */
	uint8_t ps_param[ISA_IO_MAX];                   /* input slot of the PS -> param slot (output slot of the VS); 0xff: system value or unfed */
};
struct pipeline_inputs {
	const char *name;
	const struct kiln_graphics_pipeline_desc *desc;
	const struct isa_program *vs, *ps;              /* copied; ps may be NULL */
	const struct root_signature *root;              /* copied; NULL = default */
	enum kiln_export_policy policy;
	bool pack_signature;                            /* pack the parameters between vs and ps (signature_pack.c) */
};
struct pipeline_options {
	bool ignore_export_mismatch;                    /* derive: run it anyway, a warning in place of the error */
	bool accept_superset;                           /* derive: harmless differences pass */
};
/* NULL: refused, diagnostics added (errors). Warnings may be added to a pipeline that is created. */
struct pipeline *pipeline_create(const struct pipeline_inputs *in, struct kiln_diags *diags);
struct pipeline *pipeline_derive(struct pipeline *base, const char *name, const struct kiln_derived_pipeline_desc *desc,
	const struct pipeline_options *options, struct kiln_diags *diags);
/* compute.c: the same for a compute program; root NULL: the default. */
struct pipeline *pipeline_create_compute(
	const char *name, const struct isa_program *cs, const struct root_signature *root, struct kiln_diags *diags);
/* The pixel program as a full PSO with this pipeline's state would have it; for showing what a derive would need.
 * The caller destroys it. */
struct isa_program *pipeline_required_program(const struct pipeline *p);
void pipeline_release(struct pipeline *p);          /* NULL is fine */

void export_scan(const struct isa_program *ps, struct export_outputs *out); /* patch.c */
/* pipeline_create() without making code: the same verdict and diagnostics at a fraction of the cost. True: p is a pipeline
 * that borrows what `in` points to; it may be looked at and serve pipeline_derive() as a base, never drawn with, and ends
 * with pipeline_check_end() after everything derived from it was released. False: nothing to end. */
bool pipeline_check(const struct pipeline_inputs *in, struct pipeline *p, struct kiln_diags *diags);
void pipeline_check_end(const struct pipeline_inputs *in, struct pipeline *p);
/* What pipeline_derive() says of exports: fills derived->required, compares it with what the base bakes. Reads name, desc,
 * policy and exports of the two alone. False: refused. */
bool pipeline_compare(const struct pipeline *base, struct pipeline *derived, const struct export_outputs *outputs,
	const struct pipeline_options *options, struct kiln_diags *diags);

/* The blend description that target i uses. */
const struct kiln_render_target_blend_desc *pipeline_blend(const struct kiln_graphics_pipeline_desc *d, unsigned i);
bool pipeline_is_dual_source(const struct kiln_graphics_pipeline_desc *d);
/* enum kiln_line_mode: LineRasterizationMode; where that is ALIASED, what the two older fields say (facts 1.6). */
uint32_t pipeline_line_mode(const struct kiln_rasterizer_desc *r);
void pipeline_export_input(const struct kiln_graphics_pipeline_desc *d, const struct export_outputs *outputs, unsigned i,
	struct export_input *in);
/* The choice for every target; with dual source, [1] is what the second output needs. */
void pipeline_choose(const struct kiln_graphics_pipeline_desc *d, const struct export_outputs *outputs,
	enum kiln_export_policy policy, struct export_choice choice[KILN_RENDER_TARGETS_MAX]);

/* ---- validate.c: one function a stage of validation, D3D12 message names ---- */
bool pipeline_validate(const struct pipeline_inputs *in, struct kiln_diags *diags);
bool pipeline_validate_compute(
	const char *name, const struct isa_program *cs, const struct root_signature *root, struct kiln_diags *diags);
/* State alone: ranges, and what its parts say of each other. */
bool pipeline_validate_state(const char *name, const struct kiln_graphics_pipeline_desc *d, struct kiln_diags *diags);
/* State against what the pixel program writes (ps NULL: none). */
bool pipeline_validate_outputs(const char *name, const struct kiln_graphics_pipeline_desc *d, const struct isa_program *ps,
	enum kiln_export_policy policy, struct kiln_diags *diags);

/* ---- canonical.c ---- */
/* Gives fields that the state does not look at their default, so that descriptions that mean the same are equal. */
void graphics_desc_canonical(struct kiln_graphics_pipeline_desc *d);

/* ---- desc_bytes.c: a description as bytes, and back ---- */
enum { GRAPHICS_DESC_VERSION = 2 }; /* raised with every field; serialised PSOs carry it too */
/* Equal descriptions give equal bytes, whatever their input element list's address is. */
void graphics_desc_write(const struct kiln_graphics_pipeline_desc *d, struct buf *out);
/* Any bytes are safe; strings and lists go to the arena. False: damaged or of another version. Values are not judged. */
bool graphics_desc_read(struct reader *in, struct arena *arena, struct kiln_graphics_pipeline_desc *d);
/* The parts that they consist of, in this order, after a word of version. Blend includes SampleMask, geometry is strip cut
 * and topology, targets include DSVFormat and SampleDesc. Reading a part leaves the others as they are. */
enum desc_part { DESC_BLEND, DESC_RASTER, DESC_DEPTH, DESC_LAYOUT, DESC_GEOMETRY, DESC_TARGETS, DESC_LIMITS,
	DESC_PART_COUNT };
void graphics_desc_write_part(const struct kiln_graphics_pipeline_desc *d, enum desc_part part, struct buf *out);
bool graphics_desc_read_part(
	struct reader *in, struct arena *arena, enum desc_part part, struct kiln_graphics_pipeline_desc *d);

/* ---- link.c: input layout -> VS inputs, VS outputs -> PS inputs ---- */
bool pipeline_link(const struct pipeline_inputs *in, struct pipeline *p, struct kiln_diags *diags);

/* Gives every element of a valid layout its AlignedByteOffset; elements: a copy of the desc's. */
void pipeline_resolve_layout(const struct kiln_graphics_pipeline_desc *d, struct kiln_input_element_desc *elements);

/* ---- signature_pack.c: unread vertex outputs dropped, the rest packed; an info diagnostic says what was done ---- */
void signature_pack(const struct isa_program *vs, const struct isa_program *ps, const uint8_t ps_param[ISA_IO_MAX],
	const char *where, struct isa_program **packed_vs, struct isa_program **packed_ps, struct kiln_diags *diags);

/* ---- patch.c: symbolic exports -> conversions and hardware exports ---- */
struct isa_program *export_patch(const struct isa_program *ps, const struct export_choice choice[KILN_RENDER_TARGETS_MAX]);

/* ---- serialize.c: a pipeline as sections, and the same as one string of bytes ----
 * A row a section, in the order of every serialised form: name, the bytes that name it, bit 0: part of the key, bit 1:
 * debug information, which may be stripped, bit 2: part of a derived PSO too; what it holds. */
#define PSO_SECTIONS(X) \
	X(METADATA, "META", 4, "structure version, policy, key, ISA and compiler version") \
	X(NAME, "NAME", 4, "the PSO's name") \
	X(BASE, "BASE", 5, "of a derived PSO: name and key of its base") \
	X(EXECUTION, "CPEX", 5, "command processor: stages, waves in flight") \
	X(BLEND, "BLND", 5, "blend state and sample mask") \
	X(RASTER, "RAST", 5, "rasteriser state") \
	X(DEPTH, "DPST", 5, "depth-stencil state") \
	X(TARGETS, "RTDS", 1, "RTV and DSV state, samples") \
	X(GEOMETRY, "GEOM", 1, "index, tessellation and stream-output state, topology") \
	X(HARDWARE, "HWST", 1, "per-stage hardware state: registers, waves, exports, links") \
	X(LAYOUT, "LAYT", 1, "input layout, stream-output layout") \
	X(ROOT, "ROOT", 1, "root signature (RTS0); absent: the default one") \
	X(VS, "VSIN", 1, "vertex shader instructions") \
	X(PS, "PSIN", 1, "pixel shader instructions, exports symbolic: HWST says in which form each is emitted") \
	X(VS_DEBUG, "VSDB", 2, "vertex shader: names of entry point and resources") \
	X(PS_DEBUG, "PSDB", 2, "pixel shader: names of entry point and resources")
enum pso_section {
#define X(name, text, flags, doc) PSO_##name,
	PSO_SECTIONS(X)
#undef X
	PSO_SECTION_COUNT
};
extern const char pso_section_names[PSO_SECTION_COUNT][5];
struct pso_span { const uint8_t *data; size_t size; };          /* data NULL: absent */
/* A serialised PSO. The bytes belong to whoever gave them. */
struct pso_image {
	bool derived;
	uint32_t console;                                        /* enum kiln_console */
	struct pso_span section[PSO_SECTION_COUNT];
};
struct pso_bytes { struct pso_image image; struct buf section[PSO_SECTION_COUNT]; };
struct pso_serialize_options {
	uint32_t console;                                        /* enum kiln_console: whom the code was compiled for */
	bool strip_debug;
	const char *name, *base_name;                            /* instead of the pipelines' own; NULL: those */
};
/* False: a diagnostic was added. In any case pso_bytes_finish(). */
bool pso_bytes_make(
	const struct pipeline *p, const struct pso_serialize_options *o, struct pso_bytes *out, struct kiln_diags *diags);
void pso_bytes_finish(struct pso_bytes *b);
/* XXH3-64 over the sections that make the PSO what it is: equal keys, equal PSOs, whatever their names and debug
 * information. */
uint64_t pso_image_key(const struct pso_image *image);
/* One string of bytes and back; the sections then lie in data. False: damaged, cut or of another version, diagnostic
 * added. */
void pso_image_write(const struct pso_image *image, struct buf *out);
bool pso_image_read(const uint8_t *data, size_t size, const char *where, struct pso_image *image, struct kiln_diags *diags);
/* The name in it, "" if there is none. */
const char *pso_image_name(const struct pso_image *image);
/* Of a derived one: the name of its base; "" otherwise. */
const char *pso_image_base(const struct pso_image *image);

/* Shared with deserialize.c: sections EXECUTION to ROOT; METADATA; the key of a base, as its bytes are or would be. */
void pso_put_state(const struct pipeline *p, struct buf section[PSO_SECTION_COUNT]);
void pso_put_metadata(uint64_t key, struct buf *out);
uint64_t pso_base_key(const struct pipeline *base, uint32_t console);

/* ---- deserialize.c ---- */
/* Any bytes are safe: the result is what pipeline_create() (derived: pipeline_derive()) makes of what the image holds, or
 * NULL and a diagnostic. name NULL: the image's. base: of a derived image, the PSO that it names; else NULL. Never compiles. */
struct pipeline *pso_image_load(const struct pso_image *image, const char *name, struct pipeline *base,
	const struct pipeline_options *options, struct kiln_diags *diags);

/* ---- plan.c: the fewest bases from which all of a set derive ---- */
/* What a derive cannot override, and what it is refused for. A row: name, field. */
#define PLAN_FIELDS(X) \
	X(EXPORTS, "exports") X(STRIP_CUT, "IBStripCutValue") X(TOPOLOGY, "PrimitiveTopologyType") X(SAMPLES, "SampleDesc") \
	X(DSV, "DSVFormat") X(TARGETS, "RTVFormats") X(LAYOUT, "InputLayout") X(ROOT, "root signature") X(PS, "PS") X(VS, "VS")
enum plan_field {
#define X(name, text) PLAN_##name,
	PLAN_FIELDS(X)
#undef X
	PLAN_FIELD_COUNT
};
enum plan_override { PLAN_BLEND = 1, PLAN_RASTERIZER = 2, PLAN_DEPTH_STENCIL = 4, PLAN_SAMPLE_MASK = 8, PLAN_LIMITS = 16 };
/* A PSO that is valid by itself (pipeline_check). Stages and root signatures by number: equal numbers, equal bytes. */
struct plan_pso {
	const char *name;                 /* unique in the set; decides between equals, so that order in the set never does */
	const struct kiln_graphics_pipeline_desc *desc;
	uint32_t vs, ps, root;
	const struct export_outputs *outputs; /* of ps */
};
struct plan_recipe {
	uint32_t base;                    /* place in the set; its own: it is a base */
	unsigned overrides;               /* enum plan_override: what a derive from base gives; 0 for a base and its equals */
	bool superset;                    /* the base exports more than this needs */
	uint32_t near;                    /* bases: another base that differs in one field alone; UINT32_MAX: there is none */
	uint8_t field;                    /* enum plan_field: that field, which forbids deriving from `near` */
};
struct plan {
	struct plan_recipe *recipes;      /* one a PSO, in the order of the set */
	uint32_t base_count;
};
/* The smallest set of bases among the given PSOs such that every other derives legally from one (accept_superset: as
 * pipeline_options has it). Exact: see plan.c. At most UINT32_MAX - 1 PSOs. */
void plan_make(struct plan *plan, const struct plan_pso *list, uint32_t count, enum kiln_export_policy policy,
	bool accept_superset);
void plan_finish(struct plan *plan);
/* Why `of` cannot derive from `near`, which differs in this field: "RTVFormats[1] is R8_UNORM there and R16_UNORM here". */
void plan_explain(const struct plan_pso *of, const struct plan_pso *near, enum plan_field field,
	enum kiln_export_policy policy, struct buf *out);
extern const char *const plan_field_names[PLAN_FIELD_COUNT];

/* ---- lint.c: what a pipeline does for nothing, or slowly ---- */
/* Warnings about a pipeline that was made or checked, derived ones included. */
void pipeline_lint(const struct pipeline *p, struct kiln_diags *diags);
#endif
