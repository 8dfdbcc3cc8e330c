/* Kiln's public C API: a device, shaders from DXC containers, pipelines baked and derived, resources, command lists.
 *
 * Ownership: what a _create function gives, its _destroy takes (NULL is fine); a device outlives what was made from it.
 * Thread-safety: a device and its objects may be used by one thread at a time. Errors: a function that can fail takes a
 * list of diagnostics and gives NULL or false; nothing is half made. Determinism: all results are functions of the
 * arguments alone, never of threads or host. */
#ifndef KILN_KILN_H
#define KILN_KILN_H
#include <kiln/pso.h>
#ifdef __cplusplus
extern "C" {
#endif

/* ---- device ---- */
struct kiln_device_desc {
	uint32_t wave_size;              /* 32 or 64 lanes; 0 = 64 (Xbox One); Series compiles 32 */
	enum kiln_export_policy policy;
	uint32_t unexported_pattern;     /* what export slots hold that no export wrote; 0 = 0xDEADBEEF */
	bool in_process;                 /* lower DXIL in this process: only for trusted containers */
	bool ignore_export_mismatch;     /* refused derives are made anyway, with a warning */
	bool accept_superset;            /* derives with a harmless export difference pass */
	uint64_t budget;                 /* instructions a wave may issue; 0 = 2^26 */
};
struct kiln_device;
/* A device; NULL desc = all zero. Never fails. */
KILN_API struct kiln_device *kiln_device_create(const struct kiln_device_desc *desc);
KILN_API void kiln_device_destroy(struct kiln_device *d);
/* How often DXIL was compiled on this device; deriving never raises it. */
KILN_API uint64_t kiln_device_compiles(const struct kiln_device *d);

/* ---- shaders ---- */
struct kiln_shader;
/* data: a DXBC container with DXIL or ISA; copied. name is used in diagnostics. */
KILN_API struct kiln_shader *kiln_shader_create(struct kiln_device *d, const char *name, const void *data, size_t size,
	struct kiln_diags *diags);
KILN_API void kiln_shader_destroy(struct kiln_shader *s);

/* ---- root signatures ---- */
struct kiln_root_signature;
/* data: a serialised root signature (RTS0 contents, or a container holding one). */
KILN_API struct kiln_root_signature *kiln_root_signature_create(struct kiln_device *d, const char *name, const void *data,
	size_t size, struct kiln_diags *diags);
KILN_API void kiln_root_signature_destroy(struct kiln_root_signature *r);

/* ---- pipelines ---- */
struct kiln_pso;
struct kiln_pso_desc {
	const char *name;                               /* for diagnostics */
	struct kiln_graphics_pipeline_desc state;
	const struct kiln_shader *VS, *PS;              /* PS may be NULL */
	const struct kiln_root_signature *root_signature; /* NULL: the one embedded in the shaders, else one CBV a constant buffer */
};
KILN_API struct kiln_pso *kiln_pso_create(struct kiln_device *d, const struct kiln_pso_desc *desc, struct kiln_diags *diags);
KILN_API struct kiln_pso *kiln_pso_derive(struct kiln_device *d, struct kiln_pso *base, const char *name,
	const struct kiln_derived_pipeline_desc *desc, struct kiln_diags *diags);
KILN_API void kiln_pso_destroy(struct kiln_pso *p);
/* The pixel program's text as baked (required = false) or as a full PSO of this state would have it (true). Free with free(). */
KILN_API char *kiln_pso_disassemble(const struct kiln_pso *p, bool required);

/* ---- resources ---- */
struct kiln_resource;
/* data may be NULL (zeros). size in bytes, at most 2^31. */
KILN_API struct kiln_resource *kiln_buffer_create(struct kiln_device *d, const char *name, size_t size, const void *data);
enum kiln_dimension { KILN_DIMENSION_DEFAULT, KILN_DIMENSION_TEXTURE1D = 2, KILN_DIMENSION_TEXTURE2D, KILN_DIMENSION_TEXTURE3D };
struct kiln_texture_desc {
	uint32_t Format;                                /* enum kiln_format; typeless ones are given a format by their views */
	uint32_t Width, Height;                         /* 1 to 16384 */
	uint32_t DepthOrArraySize;                      /* depth of a 3D texture (1 to 2048), else array slices (1 to 2048); 0 = 1 */
	uint32_t MipLevels;                             /* 0 = 1; at most 1 + log2 of the largest side */
	struct kiln_sample_desc SampleDesc;             /* Count 0 = 1 */
	uint32_t Dimension;                             /* enum kiln_dimension; DEFAULT is TEXTURE2D. Cubes are 2D with 6n slices */
};
/* A 2D render target, depth buffer or texture, zeroed. NULL: bad desc, diagnostic added. */
KILN_API struct kiln_resource *kiln_texture_create(struct kiln_device *d, const char *name, const struct kiln_texture_desc *desc,
	struct kiln_diags *diags);
KILN_API void kiln_resource_destroy(struct kiln_resource *r);
/* The texels as stored: rows of row_pitch bytes. Valid until the resource is written or destroyed. */
KILN_API const void *kiln_resource_data(const struct kiln_resource *r, size_t *size, size_t *row_pitch);
/* One texel of mip 0 as four words (float bits, or integers for integer formats). False: out of range. */
KILN_API bool kiln_resource_texel(const struct kiln_resource *r, uint32_t x, uint32_t y, uint32_t rgba[4]);

/* ---- descriptors: what shaders see of resources ---- */
/* Numbered as D3D12_SRV_DIMENSION. */
enum kiln_view_dimension { KILN_VIEW_DEFAULT, KILN_VIEW_BUFFER, KILN_VIEW_TEXTURE1D, KILN_VIEW_TEXTURE1DARRAY, KILN_VIEW_TEXTURE2D,
	KILN_VIEW_TEXTURE2DARRAY, KILN_VIEW_TEXTURE2DMS, KILN_VIEW_TEXTURE2DMSARRAY, KILN_VIEW_TEXTURE3D, KILN_VIEW_TEXTURECUBE,
	KILN_VIEW_TEXTURECUBEARRAY };
/* An SRV, UAV, RTV or DSV. All zero: the whole resource in its own format and dimension. */
struct kiln_view_desc {
	uint32_t Format;                                /* enum kiln_format; 0 = the resource's (not for typeless ones) */
	uint32_t ViewDimension;                         /* enum kiln_view_dimension */
	uint32_t Shader4ComponentMapping;               /* SRV; 3 bits a channel as D3D12; 0 = 0x1688, the identity */
	uint32_t MostDetailedMip, MipLevels;            /* SRV: 0 or ~0 levels = all from there; others: MostDetailedMip is MipSlice */
	uint32_t FirstArraySlice, ArraySize;            /* cubes: faces; 3D UAV and RTV: W slices; 0 or ~0 = all from there */
	float ResourceMinLODClamp;
	uint64_t FirstElement;                          /* buffers, in elements (raw: of 4 bytes) */
	uint32_t NumElements;                           /* 0 = to the end */
	uint32_t StructureByteStride;                   /* structured buffers; 0 with Format 0 = raw */
};
/* D3D12_SAMPLER_DESC with its numbers. */
struct kiln_sampler_desc {
	uint32_t Filter;                                /* D3D12_FILTER */
	uint32_t AddressU, AddressV, AddressW;          /* 1 wrap, 2 mirror, 3 clamp, 4 border, 5 mirror once */
	float MipLODBias;                               /* -16 to 15.99 */
	uint32_t MaxAnisotropy;                         /* 1 to 16; only for anisotropic filters */
	uint32_t ComparisonFunc;                        /* enum kiln_comparison */
	float BorderColor[4];
	float MinLOD, MaxLOD;
	uint32_t Flags;                                 /* 1: BorderColor holds integers' bits; 2: coordinates are in texels */
};

/* ---- command lists: recorded, then executed in order ---- */
struct kiln_viewport { float TopLeftX, TopLeftY, Width, Height, MinDepth, MaxDepth; };
struct kiln_rect { int32_t left, top, right, bottom; }; /* half open */
enum kiln_topology { KILN_TOPOLOGY_POINTLIST = 1, KILN_TOPOLOGY_LINELIST, KILN_TOPOLOGY_LINESTRIP, KILN_TOPOLOGY_TRIANGLELIST,
	KILN_TOPOLOGY_TRIANGLESTRIP };
struct kiln_commands;
/* An empty list. It names resources and PSOs, which must outlive its last execution; it may be executed any number of times.
 * Recording never fails: arguments are checked by kiln_execute(), which says what is wrong with which command. */
KILN_API struct kiln_commands *kiln_commands_create(struct kiln_device *d);
KILN_API void kiln_commands_destroy(struct kiln_commands *c);
/* Colour targets 0 to count - 1 (at most 8; NULL = none at this place) and the depth buffer (NULL = none). Viewport and scissor
 * are not touched; they start empty, as D3D12's. */
KILN_API void kiln_cmd_render_targets(struct kiln_commands *c, uint32_t count, struct kiln_resource *const *targets,
	struct kiln_resource *depth);
/* The whole target to a colour, given as linear RGBA floats and converted directly to the format (facts of D3D: clamped for
 * norm formats, nearest integer for integer ones). */
KILN_API void kiln_cmd_clear_color(struct kiln_commands *c, struct kiln_resource *target, const float rgba[4]);
/* The whole depth plane to a value in [0, 1]; stencil is not touched. */
KILN_API void kiln_cmd_clear_depth(struct kiln_commands *c, struct kiln_resource *depth, float value);
/* In pixels, fractions allowed: x' = (x + 1) Width / 2 + TopLeftX, y' = (1 - y) Height / 2 + TopLeftY, z' = MinDepth + z (MaxDepth -
 * MinDepth); 0 <= MinDepth <= MaxDepth <= 1. Copied. */
KILN_API void kiln_cmd_viewport(struct kiln_commands *c, const struct kiln_viewport *v);
/* In pixels, half open; always enabled. Copied. */
KILN_API void kiln_cmd_scissor(struct kiln_commands *c, const struct kiln_rect *r);
/* The pipeline of the draws that follow. Root arguments stay as they are set. */
KILN_API void kiln_cmd_pso(struct kiln_commands *c, struct kiln_pso *p);
/* How vertices form primitives; of the kind that the PSO's PrimitiveTopologyType names. */
KILN_API void kiln_cmd_topology(struct kiln_commands *c, enum kiln_topology t);
/* slot 0 to 31; bytes [offset, offset + size) of the buffer, stride bytes a vertex (0 to 2048). NULL unbinds: fetches give 0. */
KILN_API void kiln_cmd_vertex_buffer(struct kiln_commands *c, uint32_t slot, struct kiln_resource *buffer, uint32_t offset,
	uint32_t size, uint32_t stride);
/* Bytes [offset, offset + size) of the buffer; format R16_UINT or R32_UINT. Reading past the end gives index 0. */
KILN_API void kiln_cmd_index_buffer(struct kiln_commands *c, struct kiln_resource *buffer, uint32_t offset, uint32_t size,
	uint32_t format);
/* RGBA of the BLEND_FACTOR and ALPHA_FACTOR factors, clamped only for norm targets; NULL = all ones, as at the start. */
KILN_API void kiln_cmd_blend_factor(struct kiln_commands *c, const float rgba[4]);
/* Words [first, first + count) of a root-constant parameter, by its place in the root signature; at most 64 words. Copied. */
KILN_API void kiln_cmd_root_constants(struct kiln_commands *c, uint32_t parameter, uint32_t first, uint32_t count,
	const uint32_t *values);
/* A root CBV parameter, by its place in the root signature; offset a multiple of 256 bytes. Reading past the buffer gives 0. */
KILN_API void kiln_cmd_root_cbv(struct kiln_commands *c, uint32_t parameter, struct kiln_resource *buffer, uint32_t offset);
/* Vertices first_vertex on, for each instance. Counts may be 0. SV_VertexID and SV_InstanceID count from 0. */
KILN_API void kiln_cmd_draw(struct kiln_commands *c, uint32_t vertices, uint32_t instances, uint32_t first_vertex,
	uint32_t first_instance);
/* The same through the index buffer; base_vertex is added to each index for the fetch, not to SV_VertexID. */
KILN_API void kiln_cmd_draw_indexed(struct kiln_commands *c, uint32_t indices, uint32_t instances, uint32_t first_index,
	int32_t base_vertex, uint32_t first_instance);

/* Counters of an execution, summed over its draws. One row each: name, unit, meaning. */
#define KILN_COUNTERS(X) \
	X(draws, "draws", "draw commands executed") \
	X(vertices, "vertices", "vertices fetched, before reuse") \
	X(vs_invocations, "lanes", "vertex shader lanes that ran") \
	X(vs_waves, "waves", "vertex shader waves") \
	X(primitives_in, "triangles", "triangles assembled") \
	X(primitives_clipped, "triangles", "triangles that met the clipper's planes") \
	X(primitives_culled, "triangles", "triangles dropped: outside, back-facing by cull mode, empty") \
	X(primitives_out, "triangles", "triangles rasterised, after clipping") \
	X(quads, "quads", "2x2 quads with a covered pixel") \
	X(ps_invocations, "lanes", "pixel shader lanes that ran, helpers left out") \
	X(helper_lanes, "lanes", "pixel shader helper lanes") \
	X(ps_waves, "waves", "pixel shader waves") \
	X(pixels_killed_early, "pixels", "pixels rejected by depth before shading") \
	X(pixels_killed_late, "pixels", "pixels rejected by depth after shading") \
	X(pixels_discarded, "pixels", "pixels discarded by the shader") \
	X(exports, "exports", "export instructions executed to colour targets, a wave each") \
	X(pixels_written, "pixels", "pixel writes by the colour block, a target each") \
	X(pixels_blended, "pixels", "of those, blended") \
	X(instructions, "issues", "instructions issued, vertex and pixel waves")
struct kiln_counters {
#define X(name, unit, meaning) uint64_t name;
	KILN_COUNTERS(X)
#undef X
};
/* Executes the list. False: a command was refused (diagnostics); those before it have run, it and the rest have not. */
KILN_API bool kiln_execute(struct kiln_device *d, const struct kiln_commands *c, struct kiln_counters *counters,
	struct kiln_diags *diags);
/* "0.1.0": static, never NULL. */
KILN_API const char *kiln_version(void);
#ifdef __cplusplus
}
#endif
#endif
