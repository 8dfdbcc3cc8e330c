/* A description without what D3D12 does not look at: fields of parts that are switched off get one value, so that two
 * descriptions that mean the same are the same bytes (pso/desc_bytes.c). Validation looks at no field that this changes. */
#include "pso/pso.h"

static void canonical_target(struct kiln_render_target_blend_desc *b)
{
	struct kiln_render_target_blend_desc off = kiln_graphics_pipeline_default().BlendState.RenderTarget[0];

	if (!b->BlendEnable) {
		off.LogicOpEnable = b->LogicOpEnable;
		off.LogicOp = b->LogicOp;
		off.RenderTargetWriteMask = b->RenderTargetWriteMask;
		*b = off;
	}
	if (!b->LogicOpEnable)
		b->LogicOp = KILN_LOGIC_OP_NOOP;
}

void graphics_desc_canonical(struct kiln_graphics_pipeline_desc *d)
{
	const struct kiln_graphics_pipeline_desc plain = kiln_graphics_pipeline_default();
	struct kiln_depth_stencil_desc *s = &d->DepthStencilState;

	for (unsigned i = 0; i < KILN_RENDER_TARGETS_MAX; i++) {
		if (i && !d->BlendState.IndependentBlendEnable)
			d->BlendState.RenderTarget[i] = plain.BlendState.RenderTarget[0];
		canonical_target(&d->BlendState.RenderTarget[i]);
	}
	if (!s->DepthEnable) {
		s->DepthWriteMask = plain.DepthStencilState.DepthWriteMask;
		s->DepthFunc = plain.DepthStencilState.DepthFunc;
	}
	if (!s->StencilEnable) {
		s->StencilReadMask = plain.DepthStencilState.StencilReadMask;
		s->StencilWriteMask = plain.DepthStencilState.StencilWriteMask;
		s->FrontFace = plain.DepthStencilState.FrontFace;
		s->BackFace = plain.DepthStencilState.BackFace;
	}
}
