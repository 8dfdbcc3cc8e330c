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
	uint32_t wave_size;              /* 32 or 64 lanes; 0 = what the console compiles: Series 32, else 64 */
	enum kiln_console console;       /* whose precompiled shaders and serialised PSOs are taken; NONE takes all */
	bool retail;                     /* as a console in a living room: refuses to serialise PSOs */
	enum kiln_export_policy policy;
	uint32_t unexported_pattern;     /* what export slots hold that no export wrote; 0 = 0xDEADBEEF */
	bool in_process;                 /* lower DXIL in this process: only for trusted containers */
	bool ignore_export_mismatch;     /* refused derives are made anyway, with a warning */
	bool accept_superset;            /* derives with a harmless export difference pass */
	bool pack_signature;             /* full PSOs: vertex outputs that the pixel shader does not read are dropped, the rest packed */
	bool inverted_viewports;         /* Height may be negative, MinDepth above MaxDepth (D3D12's optional capability) */
	uint64_t budget;                 /* instructions a wave may issue; 0 = 2^26 */
	uint32_t threads;                /* that kiln_execute() may use, the caller's among them, at most 64; 0 = one a processor. They live as
	                                  * long as the call, and change no result */
};
struct kiln_device;
/* A device; NULL desc = all zero. Never fails. */
KILN_API struct kiln_device *kiln_device_create(const struct kiln_device_desc *desc);
KILN_API void kiln_device_destroy(struct kiln_device *d);
/* How often DXIL was compiled on this device; deriving and deserialising never raise it. */
KILN_API uint64_t kiln_device_compiles(const struct kiln_device *d);
/* How often a shader that carries ISA would have had to be compiled at run time all the same, because none of its ISA is valid
 * here: where its DXIL was kept it was compiled (a warning, 3960), where it was stripped the PSO was refused (3961). */
KILN_API uint64_t kiln_device_unwanted_compiles(const struct kiln_device *d);

/* ---- shaders ---- */
struct kiln_shader;
/* data: a DXBC container with DXIL, ISA (kiln compile -o) or both; copied. name is used in diagnostics.
 * (A) ISA alone: kiln_pso_create() takes the program for the device's console and the PSO's root signature, or refuses.
 * (B) ISA and DXIL: it takes that program, or compiles the DXIL and warns. (C) DXIL alone: compiled here, once for all PSOs.
 * A container whose ISA is for the other console alone is refused here, with or without DXIL. */
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
	/* NULL: the one embedded in the shaders, else Kiln makes one for all stages: a root CBV for each constant buffer that
	 * is no array, then a table for each other resource and sampler (one range, its descriptors from offset 0 on), all in
	 * the order of the vertex shader's resources and then those that only the pixel shader has. */
	const struct kiln_root_signature *root_signature;
};
KILN_API struct kiln_pso *kiln_pso_create(struct kiln_device *d, const struct kiln_pso_desc *desc, struct kiln_diags *diags);
KILN_API struct kiln_pso *kiln_pso_derive(struct kiln_device *d, struct kiln_pso *base, const char *name,
	const struct kiln_derived_pipeline_desc *desc, struct kiln_diags *diags);
/* A compute pipeline. It cannot be derived from. */
struct kiln_compute_pso_desc {
	const char *name;                               /* for diagnostics */
	const struct kiln_shader *CS;
	const struct kiln_root_signature *root_signature; /* NULL: as of kiln_pso_desc */
};
KILN_API struct kiln_pso *kiln_compute_pso_create(
	struct kiln_device *d, const struct kiln_compute_pso_desc *desc, struct kiln_diags *diags);
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
/* A texture, render target or depth buffer, zeroed: 1D, 2D, 3D, arrays and mips, of any format that can be rendered to,
 * be a depth buffer or be sampled, and of typeless ones with such views; no block formats. NULL: bad desc, diagnostic
 * added. */
KILN_API struct kiln_resource *kiln_texture_create(struct kiln_device *d, const char *name, const struct kiln_texture_desc *desc,
	struct kiln_diags *diags);
KILN_API void kiln_resource_destroy(struct kiln_resource *r);
/* Subresources are numbered as D3D12's: mip + slice MipLevels; a 3D texture has one slice. Depth and stencil are one
 * plane here: a texel of a depth-stencil format holds both. A buffer is one subresource, one row of bytes. */
struct kiln_subresource {
	uint32_t Width, Height, Depth;                  /* texels; of a buffer: bytes, 1, 1 */
	size_t size, row_pitch, slice_pitch;            /* bytes: of all, from row to row, from one depth slice to the next */
};
KILN_API uint32_t kiln_resource_subresources(const struct kiln_resource *r);
/* The texels of subresource 0 as stored: rows of row_pitch bytes. Valid until the resource is destroyed; the bytes change
 * with what is executed. size and row_pitch may be NULL. */
KILN_API const void *kiln_resource_data(const struct kiln_resource *r, size_t *size, size_t *row_pitch);
/* The same of any subresource; layout may be NULL. NULL: there is no such subresource. Samples of a texel lie one after
 * another. */
KILN_API const void *kiln_resource_subresource_data(
	const struct kiln_resource *r, uint32_t subresource, struct kiln_subresource *layout);
/* One texel of subresource 0 as four words (float bits, or integers for integer formats; depth formats: depth, stencil as
 * an integer, 0, 1), its sample 0. False: out of range, a buffer or typeless. */
KILN_API bool kiln_resource_texel(const struct kiln_resource *r, uint32_t x, uint32_t y, uint32_t rgba[4]);
/* The same of any subresource and sample; z: depth slice of a 3D texture, else 0. */
KILN_API bool kiln_resource_subresource_texel(const struct kiln_resource *r, uint32_t subresource, uint32_t x, uint32_t y,
	uint32_t z, uint32_t sample, uint32_t rgba[4]);
/* Fills a subresource with texels of the resource's format: rows row_pitch bytes apart (0 = rows without gaps), depth
 * slices slice_pitch bytes apart (0 = row_pitch times the rows). data holds them all. Multisampled textures cannot be
 * written. False: a diagnostic was added, nothing is changed. */
KILN_API bool kiln_texture_write(struct kiln_resource *r, uint32_t subresource, const void *data, size_t row_pitch,
	size_t slice_pitch, struct kiln_diags *diags);
/* Bytes [offset, offset + size) of a buffer. False: past its end or a texture; a diagnostic was added. */
KILN_API bool kiln_buffer_write(
	struct kiln_resource *r, size_t offset, const void *data, size_t size, struct kiln_diags *diags);
/* Fills mips 1 and up of every slice, each from the one above it as stored. format: the view to compute in, 0 = the
 * resource's own; one that filters (norm, sRGB, float, shared exponent). A texel is the mean of the box of texels above
 * that it covers: along an axis of n texels halved to m = n / 2 (rounded down, at least 1) texel i covers [i n / m, (i +
 * 1) n / m), two texels where n is even, three with weights m - i, m, i + 1 where it is odd. Texels are decoded to linear
 * binary32 (denormals 0), summed with their weights in binary64, x first, then y, then z, divided by the sum of the
 * weights, rounded to binary32 and encoded as any store to the format. False: a diagnostic was added, nothing is
 * changed. */
KILN_API bool kiln_texture_generate_mips(struct kiln_resource *r, uint32_t format, struct kiln_diags *diags);

/* The same for sample 0 to SampleDesc.Count - 1. In memory the samples of a texel lie one after another. */
KILN_API bool kiln_resource_sample(const struct kiln_resource *r, uint32_t x, uint32_t y, uint32_t sample, uint32_t rgba[4]);

/* ---- descriptors: what shaders see of resources ---- */
/* Numbered as D3D12_SRV_DIMENSION. */
enum kiln_view_dimension { KILN_VIEW_DEFAULT, KILN_VIEW_BUFFER, KILN_VIEW_TEXTURE1D, KILN_VIEW_TEXTURE1DARRAY, KILN_VIEW_TEXTURE2D,
	KILN_VIEW_TEXTURE2DARRAY, KILN_VIEW_TEXTURE2DMS, KILN_VIEW_TEXTURE2DMSARRAY, KILN_VIEW_TEXTURE3D, KILN_VIEW_TEXTURECUBE,
	KILN_VIEW_TEXTURECUBEARRAY };
/* An SRV, UAV, RTV or DSV. All zero: the whole resource in its own format and dimension (with more than one slice an
 * array, six faces are no cube until ViewDimension says so). A view of a typeless resource names a format of its family.
 * A typed resource may be viewed in another format of its family where both are FLOAT, UNORM with or without SRGB, or
 * UINT and SINT in place of each other and of UNORM and SNORM. What does not describe the kind of resource is 0. */
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

/* A descriptor heap: an array of descriptors, all unset at first (reading one that is unset is an error where it can be
 * told before the draw, else it reads zeros with a warning). Commands name heaps, and descriptors name resources: both
 * must outlive the last execution. Descriptors are read when a list is executed, not when it is recorded. */
struct kiln_descriptor_heap;
/* Numbered as D3D12_DESCRIPTOR_HEAP_TYPE. */
enum kiln_heap_type { KILN_HEAP_CBV_SRV_UAV, KILN_HEAP_SAMPLER };
/* count: 1 to 1000000, samplers 1 to 2048. NULL: a diagnostic was added. */
KILN_API struct kiln_descriptor_heap *kiln_descriptor_heap_create(
	struct kiln_device *d, enum kiln_heap_type type, uint32_t count, struct kiln_diags *diags);
KILN_API void kiln_descriptor_heap_destroy(struct kiln_descriptor_heap *h);
/* Each writes descriptor index of the heap. False: a bad index, the wrong type of heap, or a view that the resource does
 * not allow; a diagnostic was added and the descriptor keeps what it held.
 *
 * An SRV of a texture or buffer; desc NULL = all zero. A buffer's is typed (Format), structured (StructureByteStride, a
 * multiple of 4 up to 2048) or raw (neither). resource NULL: a null descriptor, which reads zeros. */
KILN_API bool kiln_descriptor_srv(struct kiln_descriptor_heap *h, uint32_t index, struct kiln_resource *resource,
	const struct kiln_view_desc *desc, struct kiln_diags *diags);
/* A UAV: one mip (MostDetailedMip). counter: the buffer with the hidden counter of a structured one at byte
 * counter_offset (a multiple of 4), or NULL. */
KILN_API bool kiln_descriptor_uav(struct kiln_descriptor_heap *h, uint32_t index, struct kiln_resource *resource,
	const struct kiln_view_desc *desc, struct kiln_resource *counter, uint64_t counter_offset, struct kiln_diags *diags);
/* A CBV of bytes [offset, offset + size): offset a multiple of 256, size up to 65536, 0 = as much as there is. What lies
 * past the end of the view or of the buffer reads 0. buffer NULL: a null descriptor. */
KILN_API bool kiln_descriptor_cbv(struct kiln_descriptor_heap *h, uint32_t index, struct kiln_resource *buffer, uint64_t offset,
	uint32_t size, struct kiln_diags *diags);
KILN_API bool kiln_descriptor_sampler(
	struct kiln_descriptor_heap *h, uint32_t index, const struct kiln_sampler_desc *desc, struct kiln_diags *diags);

/* ---- command lists: recorded, then executed in order ----
 * There are no barriers and no resource states: each command sees all that the commands before it have written. */
struct kiln_viewport { float TopLeftX, TopLeftY, Width, Height, MinDepth, MaxDepth; };
struct kiln_rect { int32_t left, top, right, bottom; }; /* half open */
struct kiln_sample_position { int8_t X, Y; };         /* 1/16 pixel from the centre, right and down, -8 to 7 */
enum { KILN_VIEWPORTS_MAX = 16 };
/* Without a geometry shader adjacent vertices are shaded and otherwise ignored. Triangle i of a fan is (i + 1, i + 2, 0). */
enum kiln_topology { KILN_TOPOLOGY_POINTLIST = 1, KILN_TOPOLOGY_LINELIST, KILN_TOPOLOGY_LINESTRIP, KILN_TOPOLOGY_TRIANGLELIST,
	KILN_TOPOLOGY_TRIANGLESTRIP, KILN_TOPOLOGY_TRIANGLEFAN, KILN_TOPOLOGY_LINELIST_ADJ = 10, KILN_TOPOLOGY_LINESTRIP_ADJ,
	KILN_TOPOLOGY_TRIANGLELIST_ADJ, KILN_TOPOLOGY_TRIANGLESTRIP_ADJ };
struct kiln_commands;
/* An empty list. It names resources and PSOs, which must outlive its last execution; it may be executed any number of times.
 * Recording never fails: arguments are checked by kiln_execute(), which says what is wrong with which command. */
KILN_API struct kiln_commands *kiln_commands_create(struct kiln_device *d);
KILN_API void kiln_commands_destroy(struct kiln_commands *c);
/* Colour targets 0 to count - 1 (at most 8; NULL = none at this place) and the depth buffer (NULL = none). Viewport and scissor
 * are not touched; they start empty, as D3D12's. */
KILN_API void kiln_cmd_render_targets(struct kiln_commands *c, uint32_t count, struct kiln_resource *const *targets,
	struct kiln_resource *depth);
/* The same through views: one mip (view.MostDetailedMip) and a range of slices (FirstArraySlice, ArraySize; of a 3D
 * texture its depth slices in that mip), in a format of the resource's family. A shader that writes
 * SV_RenderTargetArrayIndex chooses among the slices; all others draw to the first. A place whose resource is NULL has no
 * target; depth may be NULL. Copied. A draw whose shaders read a subresource that is also a target is refused. */
struct kiln_target_view {
	struct kiln_resource *resource;
	struct kiln_view_desc view;
};
KILN_API void kiln_cmd_render_target_views(struct kiln_commands *c, uint32_t count, const struct kiln_target_view *views,
	const struct kiln_target_view *depth);
/* The whole target to a colour, given as linear RGBA floats and converted directly to the format (facts of D3D: clamped for
 * norm formats, nearest integer for integer ones). */
KILN_API void kiln_cmd_clear_color(struct kiln_commands *c, struct kiln_resource *target, const float rgba[4]);
/* The same for the mip and all slices of a view, in its format. Copied. */
KILN_API void kiln_cmd_clear_color_view(struct kiln_commands *c, const struct kiln_target_view *view, const float rgba[4]);
/* The whole depth plane to a value in [0, 1]; stencil is not touched. */
KILN_API void kiln_cmd_clear_depth(struct kiln_commands *c, struct kiln_resource *depth, float value);
enum kiln_clear_flags { KILN_CLEAR_DEPTH = 1, KILN_CLEAR_STENCIL = 2 };
/* The planes that flags names, all samples: depth to a value in [0, 1], stencil to 8 bits. A stencil plane that the format has not
 * is left out. */
KILN_API void kiln_cmd_clear_depth_stencil(struct kiln_commands *c, struct kiln_resource *depth, uint32_t flags, float value,
	uint8_t stencil);
/* The same for the mip and all slices of a view. Copied. */
KILN_API void kiln_cmd_clear_depth_view(struct kiln_commands *c, const struct kiln_target_view *view, float value);
KILN_API void kiln_cmd_clear_depth_stencil_view(
	struct kiln_commands *c, const struct kiln_target_view *view, uint32_t flags, float value, uint8_t stencil);
/* Only the parts of a view's mip that lie in one of the rectangles, in all slices and samples; what of a rectangle lies outside is
 * left out, and one that is empty clears nothing. count 0: the whole. Copied. */
KILN_API void kiln_cmd_clear_color_rects(struct kiln_commands *c, const struct kiln_target_view *view, const float rgba[4],
	uint32_t count, const struct kiln_rect *rects);
KILN_API void kiln_cmd_clear_depth_stencil_rects(struct kiln_commands *c, const struct kiln_target_view *view, uint32_t flags,
	float value, uint8_t stencil, uint32_t count, const struct kiln_rect *rects);
enum kiln_dsv_flags { KILN_DSV_READ_ONLY_DEPTH = 1, KILN_DSV_READ_ONLY_STENCIL = 2 };
/* Flags of the view of the depth buffer that is bound: draws test that plane and do not write it, whatever the PSO says. 0 again
 * with each kiln_cmd_render_targets. */
KILN_API void kiln_cmd_depth_stencil_flags(struct kiln_commands *c, uint32_t flags);
/* Stencil references of front and back faces, 8 bits; 0 at the start. */
KILN_API void kiln_cmd_stencil_ref(struct kiln_commands *c, uint8_t front, uint8_t back);
/* The range of DepthBoundsTestEnable: samples whose stored depth lies outside [min, max] are dropped. NaN counts as 0; min > max drops
 * everything; [0, 1] at the start. */
KILN_API void kiln_cmd_depth_bounds(struct kiln_commands *c, float min, float max);
/* Numbered as D3D12_RESOLVE_MODE. */
enum kiln_resolve_mode { KILN_RESOLVE_MIN = 1, KILN_RESOLVE_MAX = 2, KILN_RESOLVE_AVERAGE = 3 };
/* Each texel of dst (one sample) from the samples of that texel of src, of the same size; format views
 * both (0 = the source's own). AVERAGE: of what the
 * channels mean, sRGB in linear light, rounded as a draw rounds; integer formats have none (COMMAND_INVALID). MIN and MAX: channel
 * by channel, a number wins over NaN. Depth formats: depth by the mode; stencil by MIN and MAX, its sample 0 with AVERAGE. */
KILN_API void kiln_cmd_resolve(struct kiln_commands *c, struct kiln_resource *dst, struct kiln_resource *src,
	uint32_t format, enum kiln_resolve_mode mode);
/* In pixels, fractions allowed: x' = (x + 1) Width / 2 + TopLeftX, y' = (1 - y) Height / 2 + TopLeftY, z' = MinDepth + z (MaxDepth -
 * MinDepth); 0 <= MinDepth <= MaxDepth <= 1, or see inverted_viewports. Copied. */
KILN_API void kiln_cmd_viewport(struct kiln_commands *c, const struct kiln_viewport *v);
/* In pixels, half open; always enabled. Copied. */
KILN_API void kiln_cmd_scissor(struct kiln_commands *c, const struct kiln_rect *r);
/* Viewports and scissors 0 to count - 1 (at most 16) at once; those after them are empty, and draw nothing. A primitive's
 * leading vertex chooses with SV_ViewportArrayIndex, where an index above 15 is 0. kiln_cmd_viewport() and kiln_cmd_scissor()
 * are these with a count of 1. Copied. */
KILN_API void kiln_cmd_viewports(struct kiln_commands *c, uint32_t count, const struct kiln_viewport *v);
KILN_API void kiln_cmd_scissors(struct kiln_commands *c, uint32_t count, const struct kiln_rect *r);
/* Where the samples of a pixel lie, for the draws that follow, whose PSO must have this sample count (1, 2, 4, 8 or 16) in
 * SampleDesc or ForcedSampleCount. pixels: 1, or 4 for a pattern over 2x2 pixels at even places; all samples of a pixel
 * before the next one, left to right and top to bottom; samples * pixels at most 16. Copied. 0, 0, NULL: back to the PSO's. */
KILN_API void kiln_cmd_sample_positions(struct kiln_commands *c, uint32_t samples, uint32_t pixels,
	const struct kiln_sample_position *positions);
/* The pipeline of the draws that follow. Root arguments stay as they are set. */
KILN_API void kiln_cmd_pso(struct kiln_commands *c, struct kiln_pso *p);
/* Which root arguments the kiln_cmd_root_* that follow set: those of dispatches, or those of draws, as at the start. A
 * compute PSO (kiln_cmd_pso) and a graphics PSO are set side by side. */
KILN_API void kiln_cmd_root_bind_point(struct kiln_commands *c, bool compute);
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
/* Root SRV and UAV parameters: a raw or structured buffer (the shader says which, and the stride) from byte offset on, a
 * multiple of 4. */
KILN_API void kiln_cmd_root_srv(struct kiln_commands *c, uint32_t parameter, struct kiln_resource *buffer, uint32_t offset);
KILN_API void kiln_cmd_root_uav(struct kiln_commands *c, uint32_t parameter, struct kiln_resource *buffer, uint32_t offset);
/* A descriptor table: its offset 0 is descriptor first of the heap, which is of the type that the table's ranges need. */
KILN_API void kiln_cmd_root_table(
	struct kiln_commands *c, uint32_t parameter, struct kiln_descriptor_heap *heap, uint32_t first);
/* The heaps that shaders index directly (ResourceDescriptorHeap[], SamplerDescriptorHeap[]); NULL = none. Tables do not
 * need them: kiln_cmd_root_table names its heap. */
KILN_API void kiln_cmd_descriptor_heaps(
	struct kiln_commands *c, struct kiln_descriptor_heap *resources, struct kiln_descriptor_heap *samplers);
/* kiln_texture_generate_mips() in its turn among the commands: mips of what was just rendered. */
KILN_API void kiln_cmd_generate_mips(struct kiln_commands *c, struct kiln_resource *r, uint32_t format);
/* All texels of a subresource, or all bytes of a buffer, to one of the same size, sample count and format family. The two
 * differ. */
KILN_API void kiln_cmd_copy(struct kiln_commands *c, struct kiln_resource *dst, uint32_t dst_subresource,
	struct kiln_resource *src, uint32_t src_subresource);
/* Vertices first_vertex on, for each instance. Counts may be 0. SV_VertexID and SV_InstanceID count from 0. */
KILN_API void kiln_cmd_draw(struct kiln_commands *c, uint32_t vertices, uint32_t instances, uint32_t first_vertex,
	uint32_t first_instance);
/* The same through the index buffer; base_vertex is added to each index for the fetch, not to SV_VertexID. */
KILN_API void kiln_cmd_draw_indexed(struct kiln_commands *c, uint32_t indices, uint32_t instances, uint32_t first_index,
	int32_t base_vertex, uint32_t first_instance);

/* ---- queries ---- */
/* Numbered as D3D12_QUERY_TYPE. Results, little-endian: OCCLUSION a uint64_t, samples that passed every test; BINARY_OCCLUSION a
 * uint64_t, 1 where there was one; PIPELINE_STATISTICS a struct kiln_pipeline_statistics. */
enum kiln_query_type { KILN_QUERY_OCCLUSION = 0, KILN_QUERY_BINARY_OCCLUSION = 1, KILN_QUERY_PIPELINE_STATISTICS = 3 };
/* As D3D12_QUERY_DATA_PIPELINE_STATISTICS; stages that Kiln has not count 0. */
struct kiln_pipeline_statistics {
	uint64_t IAVertices, IAPrimitives, VSInvocations, GSInvocations, GSPrimitives, CInvocations, CPrimitives, PSInvocations,
		HSInvocations, DSInvocations, CSInvocations;
};
struct kiln_query_heap;
/* count queries of one type, 1 to 65536, all 0. NULL: bad arguments, diagnostic added. Destroyed after the last execution of a
 * list that names it. */
KILN_API struct kiln_query_heap *kiln_query_heap_create(struct kiln_device *d, enum kiln_query_type type, uint32_t count,
	struct kiln_diags *diags);
KILN_API void kiln_query_heap_destroy(struct kiln_query_heap *h);
/* What the draws between begin and end did. Queries of several heaps and places may overlap; one query is not begun twice before
 * its end. At the end of an execution what was begun and not ended is forgotten. */
KILN_API void kiln_cmd_begin_query(struct kiln_commands *c, struct kiln_query_heap *h, uint32_t index);
KILN_API void kiln_cmd_end_query(struct kiln_commands *c, struct kiln_query_heap *h, uint32_t index);
/* Results of queries [first, first + count), one behind the other, into a buffer from byte offset on, a multiple of 8. */
KILN_API void kiln_cmd_resolve_query(struct kiln_commands *c, struct kiln_query_heap *h, uint32_t first, uint32_t count,
	struct kiln_resource *buffer, uint64_t offset);

/* Groups of threads, at most 65535 each way, with the compute PSO. */
KILN_API void kiln_cmd_dispatch(struct kiln_commands *c, uint32_t x, uint32_t y, uint32_t z);
/* The same with arguments that stand in a buffer when the command is executed, at offset (a multiple of 4). Draws: count
 * times, stride bytes apart (at least the arguments' size). Arguments as D3D12_DISPATCH_ARGUMENTS (3 words),
 * D3D12_DRAW_ARGUMENTS (4: vertices, instances, first vertex, first instance) and D3D12_DRAW_INDEXED_ARGUMENTS (5: indices,
 * instances, first index, base vertex, first instance). */
enum kiln_indirect { KILN_INDIRECT_DRAW, KILN_INDIRECT_DRAW_INDEXED, KILN_INDIRECT_DISPATCH };
KILN_API void kiln_cmd_indirect(struct kiln_commands *c, enum kiln_indirect what, struct kiln_resource *arguments, uint32_t offset,
	uint32_t count, uint32_t stride);

/* Counters of an execution, summed over its draws. One row each: name, unit, meaning. */
#define KILN_COUNTERS(X) \
	X(draws, "draws", "draw commands executed") \
	X(vertices, "vertices", "vertices fetched, before reuse") \
	X(vs_invocations, "lanes", "vertex shader lanes that ran") \
	X(vs_waves, "waves", "vertex shader waves") \
	X(primitives_in, "primitives", "points, lines and triangles assembled") \
	X(primitives_clipper, "primitives", "primitives sent to the clipper; none where nothing is rasterised") \
	X(primitives_clipped, "primitives", "primitives that met the clipper's planes") \
	X(primitives_culled, "primitives", "primitives dropped: outside, back-facing by cull mode, empty") \
	X(primitives_out, "primitives", "primitives rasterised, after clipping; each side in wireframe") \
	X(quads, "quads", "2x2 quads with a covered sample") \
	X(ps_invocations, "lanes", "pixel shader lanes that ran, helpers left out") \
	X(helper_lanes, "lanes", "pixel shader helper lanes") \
	X(ps_waves, "waves", "pixel shader waves") \
	X(pixels_killed_early, "pixels", "pixels that lost their last sample to depth or stencil before shading") \
	X(pixels_killed_late, "pixels", "pixels that lost it after shading; at sample frequency, samples") \
	X(pixels_discarded, "pixels", "pixels discarded by the shader") \
	X(exports, "exports", "export instructions executed to colour targets, a wave each") \
	X(samples_passed, "samples", "samples that passed coverage, depth and stencil") \
	X(pixels_written, "samples", "sample writes by the colour block, a target each") \
	X(pixels_blended, "samples", "of those, blended") \
	X(dispatches, "dispatches", "dispatch commands executed") \
	X(cs_invocations, "lanes", "compute shader lanes that ran") \
	X(cs_waves, "waves", "compute shader waves") \
	X(instructions, "issues", "instructions issued, by all waves")
struct kiln_counters {
#define X(name, unit, meaning) uint64_t name;
	KILN_COUNTERS(X)
#undef X
};
/* Executes the list. False: a command was refused (diagnostics); those before it have run, it and the rest have not. counters may be
 * NULL: then what a later primitive of a draw covers may be left undrawn, where no query counts either. */
KILN_API bool kiln_execute(struct kiln_device *d, const struct kiln_commands *c, struct kiln_counters *counters,
	struct kiln_diags *diags);
/* "0.1.0": static, never NULL. */
KILN_API const char *kiln_version(void);
#ifdef __cplusplus
}
#endif
#endif
