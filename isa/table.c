/* The rows of isa/isa.def as data, look-up by name and by code, and the names of the numbers in isa.h. */
#include "isa/isa.h"

/* Results lead the operand string; the dots keep the look within the literal. */
#define LETTER(ops, i) ((ops "....")[i])
#define WRITTEN(ops, i) (LETTER(ops, i) == 'd' || LETTER(ops, i) == 'o' || LETTER(ops, i) == 'v' || LETTER(ops, i) == 's')
#define RESULTS(ops) (WRITTEN(ops, 0) * (1 + WRITTEN(ops, 1) * (1 + WRITTEN(ops, 2) * (1 + WRITTEN(ops, 3)))))
#define ROW(id, opcode, ops, issue, price, sem, text, what) \
	[ISA_##id] = {.name = #id, .operands = ops, .semantics = sem, .doc = text, .code = opcode, .kind = ISA_KIND_##what, \
		.unit = ISA_UNIT_##issue, .cost = price, .results = RESULTS(ops), .count = sizeof(ops) - 1},

const struct isa_info isa_info[ISA_OP_COUNT] = {
#define PURE(name, code, operands, unit, cost, semantics, doc) ROW(name, code, operands, unit, cost, #semantics, doc, PURE)
#define IMPURE(name, code, operands, unit, cost, helper, doc) ROW(name, code, operands, unit, cost, #helper, doc, IMPURE)
#define FLOW(name, code, operands, unit, cost, doc) ROW(name, code, operands, unit, cost, "", doc, FLOW)
#include "isa/isa.def"
};

/* The binary form keeps the top bit of a code for wide operands, and no row outgrows an instruction. */
#define PURE(name, code, operands, ...) \
	_Static_assert((code) < 0x8000 && sizeof(operands) - 1 <= ISA_OPERANDS_MAX, #name);
#define IMPURE(name, code, operands, ...) PURE(name, code, operands, )
#define FLOW(name, code, operands, ...) PURE(name, code, operands, )
#include "isa/isa.def"

int isa_find(const char *name)
{
	for (int op = 0; op < ISA_OP_COUNT; op++)
		if (!strcmp(isa_info[op].name, name))
			return op;
	return -1;
}

/* A switch, so that two rows with one code do not compile. */
int isa_from_code(unsigned code)
{
	switch (code) {
#define PURE(name, opcode, ...) case opcode: return ISA_##name;
#define IMPURE(name, opcode, ...) case opcode: return ISA_##name;
#define FLOW(name, opcode, ...) case opcode: return ISA_##name;
#include "isa/isa.def"
	default: return -1;
	}
}

bool isa_is_result(const struct isa_info *info, unsigned operand) { return operand < info->results; }
bool isa_is_buffer(const struct isa_resource *r)
{
	return (r->kind >= ISA_KIND_TYPED_BUFFER && r->kind <= ISA_KIND_STRUCTURED_BUFFER) || r->kind == ISA_KIND_TBUFFER;
}
bool isa_is_number(char letter) { return strchr("linprktfmg", letter) != NULL; }

const char *const isa_unit_names[ISA_UNIT_COUNT] = {
#define X(name) [ISA_UNIT_##name] = #name,
	ISA_UNITS(X)
#undef X
};
const char *const isa_sysval_names[ISA_SYS_COUNT] = {
#define X(name) [ISA_SYS_##name] = #name,
	ISA_SYSVALS(X)
#undef X
};
const char *const isa_form_names[ISA_FORM_COUNT] = {
#define X(name, value) [value] = #name,
	ISA_EXPORT_FORMS(X)
#undef X
};
const char *const isa_stage_names[ISA_STAGE_COUNT] = {
	[ISA_PIXEL] = "pixel", [ISA_VERTEX] = "vertex", [ISA_GEOMETRY] = "geometry", [ISA_HULL] = "hull",
	[ISA_DOMAIN] = "domain", [ISA_COMPUTE] = "compute", [ISA_MESH] = "mesh", [ISA_AMPLIFICATION] = "amplification",
};
const char *const isa_semantic_names[ISA_SEM_COUNT] = {
	[ISA_SEM_ARBITRARY] = "arbitrary", [ISA_SEM_VERTEX_ID] = "vertex_id", [ISA_SEM_INSTANCE_ID] = "instance_id",
	[ISA_SEM_POSITION] = "position", [ISA_SEM_RT_ARRAY_INDEX] = "rt_array_index",
	[ISA_SEM_VIEWPORT_INDEX] = "viewport_index", [ISA_SEM_CLIP_DISTANCE] = "clip_distance",
	[ISA_SEM_CULL_DISTANCE] = "cull_distance", [ISA_SEM_CONTROL_POINT_ID] = "control_point_id",
	[ISA_SEM_DOMAIN_LOCATION] = "domain_location", [ISA_SEM_PRIMITIVE_ID] = "primitive_id",
	[ISA_SEM_GS_INSTANCE_ID] = "gs_instance_id", [ISA_SEM_SAMPLE_INDEX] = "sample_index",
	[ISA_SEM_IS_FRONT_FACE] = "is_front_face", [ISA_SEM_COVERAGE] = "coverage",
	[ISA_SEM_INNER_COVERAGE] = "inner_coverage", [ISA_SEM_TARGET] = "target", [ISA_SEM_DEPTH] = "depth",
	[ISA_SEM_DEPTH_LE] = "depth_le", [ISA_SEM_DEPTH_GE] = "depth_ge", [ISA_SEM_STENCIL_REF] = "stencil_ref",
	[ISA_SEM_DISPATCH_THREAD_ID] = "dispatch_thread_id", [ISA_SEM_GROUP_ID] = "group_id",
	[ISA_SEM_GROUP_INDEX] = "group_index", [ISA_SEM_GROUP_THREAD_ID] = "group_thread_id",
	[ISA_SEM_TESS_FACTOR] = "tess_factor", [ISA_SEM_INSIDE_TESS_FACTOR] = "inside_tess_factor",
	[ISA_SEM_VIEW_ID] = "view_id", [ISA_SEM_BARYCENTRICS] = "barycentrics", [ISA_SEM_SHADING_RATE] = "shading_rate",
	[ISA_SEM_CULL_PRIMITIVE] = "cull_primitive",
};
const char *const isa_interp_names[ISA_INTERP_COUNT] = {
	[ISA_INTERP_UNDEFINED] = "undefined", [ISA_INTERP_CONSTANT] = "constant", [ISA_INTERP_LINEAR] = "linear",
	[ISA_INTERP_LINEAR_CENTROID] = "linear_centroid", [ISA_INTERP_NOPERSPECTIVE] = "noperspective",
	[ISA_INTERP_NOPERSPECTIVE_CENTROID] = "noperspective_centroid", [ISA_INTERP_LINEAR_SAMPLE] = "linear_sample",
	[ISA_INTERP_NOPERSPECTIVE_SAMPLE] = "noperspective_sample",
};
const char *const isa_type_names[ISA_TYPE_COUNT] = {
	[ISA_U32] = "u32", [ISA_I32] = "i32", [ISA_F32] = "f32", [ISA_U16] = "u16", [ISA_I16] = "i16", [ISA_F16] = "f16",
	[ISA_U64] = "u64", [ISA_I64] = "i64", [ISA_F64] = "f64",
};
const char *const isa_resource_class_names[ISA_RESOURCE_CLASS_COUNT] = {
	[ISA_SRV] = "srv", [ISA_UAV] = "uav", [ISA_CBV] = "cbv", [ISA_SAMPLER] = "sampler",
};
const char *const isa_resource_kind_names[ISA_RESOURCE_KIND_COUNT] = {
	"invalid", "texture1d", "texture2d", "texture2dms", "texture3d", "texturecube", "texture1darray", "texture2darray",
	"texture2dmsarray", "texturecubearray", "typedbuffer", "rawbuffer", "structuredbuffer", "cbuffer", "sampler",
	"tbuffer", "accelerationstructure", "feedbacktexture2d", "feedbacktexture2darray",
};
const char *const isa_flag_names[ISA_FLAG_COUNT] = {
	"uses_discard", "writes_depth", "writes_stencil", "writes_coverage", "early_depth", "sample_frequency",
	"uses_derivatives", "side_effects", "native_16bit", "fp32_preserve", "patched",
};
_Static_assert(ISA_PATCHED == 1 << (ISA_FLAG_COUNT - 1), "a name for each flag");
const char *const isa_resource_flag_names[ISA_RESOURCE_FLAG_COUNT] = {
	"counter", "rov", "globally_coherent", "comparison", "root_constants", "heap",
};
