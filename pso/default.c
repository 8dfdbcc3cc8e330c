/* D3D12's default for every field of the graphics pipeline description. */
#include <kiln/pso.h>

struct kiln_graphics_pipeline_desc kiln_graphics_pipeline_default(void)
{
	const struct kiln_depth_stencilop_desc keep = {
		.StencilFailOp = KILN_STENCIL_KEEP,
		.StencilDepthFailOp = KILN_STENCIL_KEEP,
		.StencilPassOp = KILN_STENCIL_KEEP,
		.StencilFunc = KILN_COMPARISON_ALWAYS,
	};
	struct kiln_graphics_pipeline_desc d = {
		.SampleMask = 0xffffffff,
		.RasterizerState = {.FillMode = KILN_FILL_SOLID, .CullMode = KILN_CULL_BACK, .DepthClipEnable = true},
		.DepthStencilState =
			{
				.DepthEnable = true,
				.DepthWriteMask = 1,
				.DepthFunc = KILN_COMPARISON_LESS,
				.StencilReadMask = 0xff,
				.StencilWriteMask = 0xff,
				.FrontFace = keep,
				.BackFace = keep,
			},
		.PrimitiveTopologyType = KILN_TOPOLOGY_TYPE_TRIANGLE,
		.SampleDesc = {.Count = 1},
	};
	for (unsigned i = 0; i < KILN_RENDER_TARGETS_MAX; i++)
		d.BlendState.RenderTarget[i] = (struct kiln_render_target_blend_desc){
			.SrcBlend = KILN_BLEND_ONE,
			.DestBlend = KILN_BLEND_ZERO,
			.BlendOp = KILN_BLEND_OP_ADD,
			.SrcBlendAlpha = KILN_BLEND_ONE,
			.DestBlendAlpha = KILN_BLEND_ZERO,
			.BlendOpAlpha = KILN_BLEND_OP_ADD,
			.LogicOp = KILN_LOGIC_OP_NOOP,
			.RenderTargetWriteMask = 15,
		};
	return d;
}
