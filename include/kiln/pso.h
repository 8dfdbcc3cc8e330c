/* Pipeline state as plain structs. Field names, enum numbers and meanings are those of D3D12; zero-initialised structs
 * are not D3D12 defaults: start from kiln_graphics_pipeline_default(). All enums carry D3D12's numbers. */
#ifndef KILN_PSO_H
#define KILN_PSO_H
#include <kiln/diag.h>
#include <kiln/format.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { KILN_RENDER_TARGETS_MAX = 8, KILN_INPUT_ELEMENTS_MAX = 32, KILN_VERTEX_BUFFERS_MAX = 32 };

enum kiln_blend {
	KILN_BLEND_ZERO = 1, KILN_BLEND_ONE, KILN_BLEND_SRC_COLOR, KILN_BLEND_INV_SRC_COLOR, KILN_BLEND_SRC_ALPHA,
	KILN_BLEND_INV_SRC_ALPHA, KILN_BLEND_DEST_ALPHA, KILN_BLEND_INV_DEST_ALPHA, KILN_BLEND_DEST_COLOR,
	KILN_BLEND_INV_DEST_COLOR, KILN_BLEND_SRC_ALPHA_SAT, KILN_BLEND_BLEND_FACTOR = 14, KILN_BLEND_INV_BLEND_FACTOR,
	KILN_BLEND_SRC1_COLOR, KILN_BLEND_INV_SRC1_COLOR, KILN_BLEND_SRC1_ALPHA, KILN_BLEND_INV_SRC1_ALPHA,
	KILN_BLEND_ALPHA_FACTOR, KILN_BLEND_INV_ALPHA_FACTOR
};
enum kiln_blend_op {
	KILN_BLEND_OP_ADD = 1, KILN_BLEND_OP_SUBTRACT, KILN_BLEND_OP_REV_SUBTRACT, KILN_BLEND_OP_MIN, KILN_BLEND_OP_MAX
};
enum kiln_logic_op {
	KILN_LOGIC_OP_CLEAR, KILN_LOGIC_OP_SET, KILN_LOGIC_OP_COPY, KILN_LOGIC_OP_COPY_INVERTED, KILN_LOGIC_OP_NOOP,
	KILN_LOGIC_OP_INVERT, KILN_LOGIC_OP_AND, KILN_LOGIC_OP_NAND, KILN_LOGIC_OP_OR, KILN_LOGIC_OP_NOR, KILN_LOGIC_OP_XOR,
	KILN_LOGIC_OP_EQUIV, KILN_LOGIC_OP_AND_REVERSE, KILN_LOGIC_OP_AND_INVERTED, KILN_LOGIC_OP_OR_REVERSE,
	KILN_LOGIC_OP_OR_INVERTED
};
enum kiln_comparison {
	KILN_COMPARISON_NEVER = 1, KILN_COMPARISON_LESS, KILN_COMPARISON_EQUAL, KILN_COMPARISON_LESS_EQUAL,
	KILN_COMPARISON_GREATER, KILN_COMPARISON_NOT_EQUAL, KILN_COMPARISON_GREATER_EQUAL, KILN_COMPARISON_ALWAYS
};
enum kiln_stencil_op {
	KILN_STENCIL_KEEP = 1, KILN_STENCIL_ZERO, KILN_STENCIL_REPLACE, KILN_STENCIL_INCR_SAT, KILN_STENCIL_DECR_SAT,
	KILN_STENCIL_INVERT, KILN_STENCIL_INCR, KILN_STENCIL_DECR
};
enum kiln_fill_mode { KILN_FILL_WIREFRAME = 2, KILN_FILL_SOLID };
/* D3D12_RASTERIZER_DESC2's. A quadrilateral is a rectangle 1.4 (wide) or 1.0 (narrow) pixels across, covered by samples. */
enum kiln_line_mode {
	KILN_LINE_ALIASED, KILN_LINE_ALPHA_ANTIALIASED, KILN_LINE_QUADRILATERAL_WIDE, KILN_LINE_QUADRILATERAL_NARROW
};
enum kiln_cull_mode { KILN_CULL_NONE = 1, KILN_CULL_FRONT, KILN_CULL_BACK };
enum kiln_topology_type {
	KILN_TOPOLOGY_TYPE_UNDEFINED, KILN_TOPOLOGY_TYPE_POINT, KILN_TOPOLOGY_TYPE_LINE, KILN_TOPOLOGY_TYPE_TRIANGLE,
	KILN_TOPOLOGY_TYPE_PATCH
};
enum kiln_strip_cut { KILN_STRIP_CUT_DISABLED, KILN_STRIP_CUT_0xFFFF, KILN_STRIP_CUT_0xFFFFFFFF };
enum kiln_input_class { KILN_PER_VERTEX, KILN_PER_INSTANCE };

struct kiln_render_target_blend_desc {
	bool BlendEnable, LogicOpEnable;
	uint32_t SrcBlend, DestBlend, BlendOp;                 /* enum kiln_blend, kiln_blend_op */
	uint32_t SrcBlendAlpha, DestBlendAlpha, BlendOpAlpha;
	uint32_t LogicOp;                                      /* enum kiln_logic_op */
	uint32_t RenderTargetWriteMask;                        /* bits R 1, G 2, B 4, A 8 */
};
struct kiln_blend_desc {
	bool AlphaToCoverageEnable, IndependentBlendEnable;
	struct kiln_render_target_blend_desc RenderTarget[KILN_RENDER_TARGETS_MAX];
};
struct kiln_rasterizer_desc {
	uint32_t FillMode, CullMode;                           /* enum kiln_fill_mode, kiln_cull_mode */
	bool FrontCounterClockwise;
	float DepthBias, DepthBiasClamp, SlopeScaledDepthBias; /* DepthBias in steps of the depth format */
	bool DepthClipEnable;
	bool MultisampleEnable, AntialiasedLineEnable;         /* of lines: quadrilateral wide; else alpha-antialiased; else aliased */
	uint32_t LineRasterizationMode;                        /* enum kiln_line_mode; ALIASED (0): the two before say it */
	uint32_t ForcedSampleCount;                            /* 0 off; 1, 4, 8, 16: coverage of so many samples */
	uint32_t ConservativeRaster;                           /* 0 off, 1 on: tier 3, solid triangles only */
};
struct kiln_depth_stencilop_desc {
	uint32_t StencilFailOp, StencilDepthFailOp, StencilPassOp, StencilFunc;
};
struct kiln_depth_stencil_desc {
	bool DepthEnable;
	uint32_t DepthWriteMask;                               /* 0 zero, 1 all */
	uint32_t DepthFunc;                                    /* enum kiln_comparison */
	bool StencilEnable;
	uint32_t StencilReadMask, StencilWriteMask;            /* 8 bits */
	struct kiln_depth_stencilop_desc FrontFace, BackFace;
	bool DepthBoundsTestEnable;
};
struct kiln_input_element_desc {
	const char *SemanticName;
	uint32_t SemanticIndex;
	uint32_t Format;                                       /* enum kiln_format */
	uint32_t InputSlot;
	uint32_t AlignedByteOffset;                            /* ~0 = append */
	uint32_t InputSlotClass;                               /* enum kiln_input_class */
	uint32_t InstanceDataStepRate;
};
struct kiln_sample_desc {
	uint32_t Count, Quality;
};
/* Waves in flight per stage and compute unit; 0 = no limit. Only timing sees them. */
struct kiln_shader_limits {
	uint32_t VSWaves, PSWaves;
};

/* A complete graphics pipeline. Shaders and root signature are given beside it (kiln_pso_create). */
struct kiln_graphics_pipeline_desc {
	struct kiln_blend_desc BlendState;
	uint32_t SampleMask;
	struct kiln_rasterizer_desc RasterizerState;
	struct kiln_depth_stencil_desc DepthStencilState;
	const struct kiln_input_element_desc *InputElementDescs; /* copied by kiln_pso_create */
	uint32_t NumInputElements;
	uint32_t IBStripCutValue;                              /* enum kiln_strip_cut */
	uint32_t PrimitiveTopologyType;                        /* enum kiln_topology_type */
	uint32_t NumRenderTargets;
	uint32_t RTVFormats[KILN_RENDER_TARGETS_MAX];          /* enum kiln_format */
	uint32_t DSVFormat;
	struct kiln_sample_desc SampleDesc;
	struct kiln_shader_limits ShaderLimits;
};

/* What a derived pipeline overrides; NULL = as the base. Shader code is never touched. */
struct kiln_derived_pipeline_desc {
	const struct kiln_blend_desc *BlendState;
	const struct kiln_rasterizer_desc *RasterizerState;
	const struct kiln_depth_stencil_desc *DepthStencilState;
	const uint32_t *SampleMask;
	const struct kiln_shader_limits *ShaderLimits;
};

/* Whom shaders were compiled for. Code for no console in particular runs on all. */
enum kiln_console { KILN_CONSOLE_NONE, KILN_CONSOLE_XBOX_ONE, KILN_CONSOLE_XBOX_SERIES, KILN_CONSOLE_COUNT };

/* How the export form of each target is chosen (docs/export-formats.md). */
enum kiln_export_policy { KILN_EXPORT_CONSOLE, KILN_EXPORT_MESA_GFX7, KILN_EXPORT_MESA_GFX10_3 };

/* D3D12's default for every field: blend off with ONE/ZERO/ADD and mask 15, sample mask all, solid, cull back, clockwise
 * front, depth clip on, depth LESS with write, stencil off, triangles, no targets, one sample. */
KILN_API struct kiln_graphics_pipeline_desc kiln_graphics_pipeline_default(void);
#ifdef __cplusplus
}
#endif
#endif
