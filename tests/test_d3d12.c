/* kiln/d3d12.h: D3D12's structs, enums and message numbers are Kiln's. Expected values are the DirectX-Headers' own. */
#include <kiln/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include "isa/base.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Rows of isa/diag.def that carry the name of a D3D12 message: 3000 + its number. */
#define MESSAGES(X)                                                                                                         \
	X(CREATEINPUTLAYOUT_TOOMANYELEMENTS)                                                                                    \
	X(CREATEINPUTLAYOUT_INVALIDFORMAT)                                                                                      \
	X(CREATEINPUTLAYOUT_INCOMPATIBLEFORMAT)                                                                                 \
	X(CREATEINPUTLAYOUT_INVALIDSLOT)                                                                                        \
	X(CREATEINPUTLAYOUT_INVALIDINPUTSLOTCLASS)                                                                              \
	X(CREATEINPUTLAYOUT_STEPRATESLOTCLASSMISMATCH)                                                                          \
	X(CREATEINPUTLAYOUT_INVALIDSLOTCLASSCHANGE)                                                                             \
	X(CREATEINPUTLAYOUT_INVALIDSTEPRATECHANGE)                                                                              \
	X(CREATEINPUTLAYOUT_INVALIDALIGNMENT)                                                                                   \
	X(CREATEINPUTLAYOUT_DUPLICATESEMANTIC)                                                                                  \
	X(CREATEINPUTLAYOUT_NULLSEMANTIC)                                                                                       \
	X(CREATEINPUTLAYOUT_MISSINGELEMENT)                                                                                     \
	X(CREATEVERTEXSHADER_INVALIDSHADERBYTECODE)                                                                             \
	X(CREATEVERTEXSHADER_INVALIDSHADERTYPE)                                                                                 \
	X(CREATEPIXELSHADER_INVALIDSHADERBYTECODE)                                                                              \
	X(CREATEPIXELSHADER_INVALIDSHADERTYPE)                                                                                  \
	X(CREATERASTERIZERSTATE_INVALIDFILLMODE)                                                                                \
	X(CREATERASTERIZERSTATE_INVALIDCULLMODE)                                                                                \
	X(CREATERASTERIZERSTATE_INVALIDDEPTHBIASCLAMP)                                                                          \
	X(CREATERASTERIZERSTATE_INVALIDSLOPESCALEDDEPTHBIAS)                                                                    \
	X(CREATEDEPTHSTENCILSTATE_INVALIDDEPTHWRITEMASK)                                                                        \
	X(CREATEDEPTHSTENCILSTATE_INVALIDDEPTHFUNC)                                                                             \
	X(CREATEDEPTHSTENCILSTATE_INVALIDFRONTFACESTENCILFAILOP)                                                                \
	X(CREATEDEPTHSTENCILSTATE_INVALIDFRONTFACESTENCILZFAILOP)                                                               \
	X(CREATEDEPTHSTENCILSTATE_INVALIDFRONTFACESTENCILPASSOP)                                                                \
	X(CREATEDEPTHSTENCILSTATE_INVALIDFRONTFACESTENCILFUNC)                                                                  \
	X(CREATEDEPTHSTENCILSTATE_INVALIDBACKFACESTENCILFAILOP)                                                                 \
	X(CREATEDEPTHSTENCILSTATE_INVALIDBACKFACESTENCILZFAILOP)                                                                \
	X(CREATEDEPTHSTENCILSTATE_INVALIDBACKFACESTENCILPASSOP)                                                                 \
	X(CREATEDEPTHSTENCILSTATE_INVALIDBACKFACESTENCILFUNC)                                                                   \
	X(CREATEBLENDSTATE_INVALIDSRCBLEND)                                                                                     \
	X(CREATEBLENDSTATE_INVALIDDESTBLEND)                                                                                    \
	X(CREATEBLENDSTATE_INVALIDBLENDOP)                                                                                      \
	X(CREATEBLENDSTATE_INVALIDSRCBLENDALPHA)                                                                                \
	X(CREATEBLENDSTATE_INVALIDDESTBLENDALPHA)                                                                               \
	X(CREATEBLENDSTATE_INVALIDBLENDOPALPHA)                                                                                 \
	X(CREATEBLENDSTATE_INVALIDRENDERTARGETWRITEMASK)                                                                        \
	X(CREATEINPUTLAYOUT_TRAILING_DIGIT_IN_SEMANTIC)                                                                         \
	X(CREATEINPUTLAYOUT_TYPE_MISMATCH)                                                                                      \
	X(CREATERASTERIZERSTATE_INVALIDFORCEDSAMPLECOUNT)                                                                       \
	X(CREATEBLENDSTATE_INVALIDLOGICOPS)                                                                                     \
	X(CREATERASTERIZERSTATE_INVALID_CONSERVATIVERASTERMODE)                                                                 \
	X(CREATEGRAPHICSPIPELINESTATE_RTV_FORMAT_NOT_UNKNOWN)                                                                   \
	X(CREATEGRAPHICSPIPELINESTATE_INVALID_RENDER_TARGET_COUNT)                                                              \
	X(CREATEGRAPHICSPIPELINESTATE_VERTEX_SHADER_NOT_SET)                                                                    \
	X(CREATEGRAPHICSPIPELINESTATE_INPUTLAYOUT_NOT_SET)                                                                      \
	X(CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_REGISTERINDEX)                                                             \
	X(CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_COMPONENTTYPE)                                                             \
	X(CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_REGISTERMASK)                                                              \
	X(CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_SYSTEMVALUE)                                                               \
	X(CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_NEVERWRITTEN_ALWAYSREADS)                                                  \
	X(CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_MINPRECISION)                                                              \
	X(CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_SEMANTICNAME_NOT_FOUND)                                                    \
	X(CREATEGRAPHICSPIPELINESTATE_INVALID_USE_OF_CENTER_MULTISAMPLE_PATTERN)                                                \
	X(CREATEGRAPHICSPIPELINESTATE_INVALID_USE_OF_FORCED_SAMPLE_COUNT)                                                       \
	X(CREATEGRAPHICSPIPELINESTATE_INVALID_PRIMITIVETOPOLOGY)                                                                \
	X(CREATEGRAPHICSPIPELINESTATE_OM_DUAL_SOURCE_BLENDING_CAN_ONLY_HAVE_RENDER_TARGET_0)                                    \
	X(CREATEGRAPHICSPIPELINESTATE_OM_RENDER_TARGET_DOES_NOT_SUPPORT_BLENDING)                                               \
	X(CREATEGRAPHICSPIPELINESTATE_PS_OUTPUT_TYPE_MISMATCH)                                                                  \
	X(CREATEGRAPHICSPIPELINESTATE_OM_RENDER_TARGET_DOES_NOT_SUPPORT_LOGIC_OPS)                                              \
	X(CREATEGRAPHICSPIPELINESTATE_RENDERTARGETVIEW_NOT_SET)                                                                 \
	X(CREATEGRAPHICSPIPELINESTATE_DEPTHSTENCILVIEW_NOT_SET)                                                                 \
	X(CREATEGRAPHICSPIPELINESTATE_POSITION_NOT_PRESENT)                                                                     \
	X(CREATEGRAPHICSPIPELINESTATE_MISSING_ROOT_SIGNATURE_FLAGS)                                                             \
	X(CREATEGRAPHICSPIPELINESTATE_INVALID_INDEX_BUFFER_PROPERTIES)                                                          \
	X(CREATEGRAPHICSPIPELINESTATE_INVALID_SAMPLE_DESC)                                                                      \
	X(CREATEGRAPHICSPIPELINESTATE_VS_ROOT_SIGNATURE_MISMATCH)                                                               \
	X(CREATEGRAPHICSPIPELINESTATE_PS_ROOT_SIGNATURE_MISMATCH)                                                               \
	X(CREATEGRAPHICSPIPELINESTATE_ALL_RENDER_TARGETS_HAVE_UNKNOWN_FORMAT)                                                   \
	X(CREATEGRAPHICSPIPELINESTATE_PS_OUTPUT_RT_OUTPUT_MISMATCH)

Test(d3d12, numbers)
{
#define X(name) cr_expect((int)DIAG_##name == 3000 + (int)D3D12_MESSAGE_ID_##name, #name);
	MESSAGES(X)
#undef X
#define SAME(kiln, d3d12) cr_expect((int)(kiln) == (int)(d3d12), #kiln)
#define X(name, number)                                                                                                     \
	if (strcmp(#name, "A4B4G4R4_UNORM") != 0)                                                                               \
		SAME(KILN_FORMAT_##name, DXGI_FORMAT_##name);
#define DXGI_FORMAT_A4B4G4R4_UNORM 191 /* newer than Debian's package */
	KILN_FORMATS(X)
#undef X
	SAME(KILN_BLEND_ZERO, D3D12_BLEND_ZERO);
	SAME(KILN_BLEND_SRC_ALPHA_SAT, D3D12_BLEND_SRC_ALPHA_SAT);
	SAME(KILN_BLEND_BLEND_FACTOR, D3D12_BLEND_BLEND_FACTOR);
	SAME(KILN_BLEND_INV_SRC1_ALPHA, D3D12_BLEND_INV_SRC1_ALPHA);
	SAME(KILN_BLEND_OP_ADD, D3D12_BLEND_OP_ADD);
	SAME(KILN_BLEND_OP_MAX, D3D12_BLEND_OP_MAX);
	SAME(KILN_LOGIC_OP_CLEAR, D3D12_LOGIC_OP_CLEAR);
	SAME(KILN_LOGIC_OP_NOOP, D3D12_LOGIC_OP_NOOP);
	SAME(KILN_LOGIC_OP_OR_INVERTED, D3D12_LOGIC_OP_OR_INVERTED);
	SAME(KILN_COMPARISON_NEVER, D3D12_COMPARISON_FUNC_NEVER);
	SAME(KILN_COMPARISON_LESS_EQUAL, D3D12_COMPARISON_FUNC_LESS_EQUAL);
	SAME(KILN_COMPARISON_ALWAYS, D3D12_COMPARISON_FUNC_ALWAYS);
	SAME(KILN_STENCIL_KEEP, D3D12_STENCIL_OP_KEEP);
	SAME(KILN_STENCIL_DECR, D3D12_STENCIL_OP_DECR);
	SAME(KILN_FILL_WIREFRAME, D3D12_FILL_MODE_WIREFRAME);
	SAME(KILN_FILL_SOLID, D3D12_FILL_MODE_SOLID);
	SAME(KILN_CULL_BACK, D3D12_CULL_MODE_BACK);
	SAME(KILN_TOPOLOGY_TYPE_TRIANGLE, D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE);
	SAME(KILN_TOPOLOGY_TRIANGLESTRIP, D3D_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP);
	SAME(KILN_STRIP_CUT_0xFFFFFFFF, D3D12_INDEX_BUFFER_STRIP_CUT_VALUE_0xFFFFFFFF);
	SAME(KILN_PER_INSTANCE, D3D12_INPUT_CLASSIFICATION_PER_INSTANCE_DATA);
	SAME(KILN_RENDER_TARGETS_MAX, D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT);
}

/* A desc as an engine writes it, every field different from its default. */
static const D3D12_INPUT_ELEMENT_DESC elements[] = {
	{"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0},
	{"COLOR", 3, DXGI_FORMAT_R8G8B8A8_UNORM, 1, D3D12_APPEND_ALIGNED_ELEMENT, D3D12_INPUT_CLASSIFICATION_PER_INSTANCE_DATA,
		2},
};

static D3D12_GRAPHICS_PIPELINE_STATE_DESC engine_desc(void)
{
	D3D12_GRAPHICS_PIPELINE_STATE_DESC d = {0};
	d.BlendState.AlphaToCoverageEnable = TRUE;
	d.BlendState.IndependentBlendEnable = 2; /* any BOOL that is not 0 */
	D3D12_RENDER_TARGET_BLEND_DESC *b = &d.BlendState.RenderTarget[7];
	b->BlendEnable = TRUE;
	b->LogicOpEnable = TRUE;
	b->SrcBlend = D3D12_BLEND_SRC_ALPHA;
	b->DestBlend = D3D12_BLEND_INV_SRC_ALPHA;
	b->BlendOp = D3D12_BLEND_OP_MAX;
	b->SrcBlendAlpha = D3D12_BLEND_DEST_ALPHA;
	b->DestBlendAlpha = D3D12_BLEND_INV_SRC1_ALPHA;
	b->BlendOpAlpha = D3D12_BLEND_OP_MIN;
	b->LogicOp = D3D12_LOGIC_OP_XOR;
	b->RenderTargetWriteMask = D3D12_COLOR_WRITE_ENABLE_GREEN | D3D12_COLOR_WRITE_ENABLE_ALPHA;
	d.SampleMask = 0x1234;
	d.RasterizerState = (D3D12_RASTERIZER_DESC){D3D12_FILL_MODE_WIREFRAME, D3D12_CULL_MODE_FRONT, TRUE, -7, 0.5f, 0.25f,
		TRUE, TRUE, TRUE, 4, D3D12_CONSERVATIVE_RASTERIZATION_MODE_ON};
	const D3D12_DEPTH_STENCILOP_DESC front = {
		D3D12_STENCIL_OP_ZERO, D3D12_STENCIL_OP_REPLACE, D3D12_STENCIL_OP_INVERT, D3D12_COMPARISON_FUNC_GREATER};
	const D3D12_DEPTH_STENCILOP_DESC back = {
		D3D12_STENCIL_OP_INCR, D3D12_STENCIL_OP_DECR, D3D12_STENCIL_OP_INCR_SAT, D3D12_COMPARISON_FUNC_NEVER};
	d.DepthStencilState = (D3D12_DEPTH_STENCIL_DESC){
		TRUE, D3D12_DEPTH_WRITE_MASK_ALL, D3D12_COMPARISON_FUNC_GREATER_EQUAL, TRUE, 0x12, 0x34, front, back};
	d.InputLayout = (D3D12_INPUT_LAYOUT_DESC){elements, 2};
	d.IBStripCutValue = D3D12_INDEX_BUFFER_STRIP_CUT_VALUE_0xFFFF;
	d.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_LINE;
	d.NumRenderTargets = 2;
	d.RTVFormats[0] = DXGI_FORMAT_R16G16B16A16_UNORM;
	d.RTVFormats[1] = DXGI_FORMAT_R8_UNORM;
	d.DSVFormat = DXGI_FORMAT_D32_FLOAT;
	d.SampleDesc = (DXGI_SAMPLE_DESC){4, 1};
	return d;
}

Test(d3d12, converts)
{
	D3D12_GRAPHICS_PIPELINE_STATE_DESC in = engine_desc();
	struct kiln_d3d12_state out;
	struct kiln_diags *diags = kiln_diags_create();
	cr_assert(kiln_d3d12_graphics_pipeline("engine", &in, &out, diags) && kiln_diags_count(diags) == 0);
	const struct kiln_graphics_pipeline_desc *d = &out.desc;
	const struct kiln_render_target_blend_desc *b = &d->BlendState.RenderTarget[7];
	cr_expect(d->BlendState.AlphaToCoverageEnable && d->BlendState.IndependentBlendEnable &&
			  !d->BlendState.RenderTarget[0].BlendEnable);
	cr_expect(b->BlendEnable && b->LogicOpEnable && b->SrcBlend == KILN_BLEND_SRC_ALPHA &&
			  b->DestBlend == KILN_BLEND_INV_SRC_ALPHA);
	cr_expect(b->BlendOp == KILN_BLEND_OP_MAX && b->SrcBlendAlpha == KILN_BLEND_DEST_ALPHA &&
			  b->DestBlendAlpha == KILN_BLEND_INV_SRC1_ALPHA);
	cr_expect(b->BlendOpAlpha == KILN_BLEND_OP_MIN && b->LogicOp == KILN_LOGIC_OP_XOR && b->RenderTargetWriteMask == 10);
	const struct kiln_rasterizer_desc *r = &d->RasterizerState;
	cr_expect(d->SampleMask == 0x1234 && r->FillMode == KILN_FILL_WIREFRAME && r->CullMode == KILN_CULL_FRONT &&
			  r->FrontCounterClockwise);
	cr_expect(r->DepthBias == -7.0f && r->DepthBiasClamp == 0.5f && r->SlopeScaledDepthBias == 0.25f && r->DepthClipEnable);
	cr_expect(r->MultisampleEnable && r->AntialiasedLineEnable && r->ForcedSampleCount == 4 && r->ConservativeRaster == 1);
	const struct kiln_depth_stencil_desc *s = &d->DepthStencilState;
	cr_expect(s->DepthEnable && s->DepthWriteMask == 1 && s->DepthFunc == KILN_COMPARISON_GREATER_EQUAL && s->StencilEnable);
	cr_expect(s->StencilReadMask == 0x12 && s->StencilWriteMask == 0x34 && !s->DepthBoundsTestEnable);
	cr_expect(s->FrontFace.StencilFailOp == KILN_STENCIL_ZERO && s->FrontFace.StencilDepthFailOp == KILN_STENCIL_REPLACE);
	cr_expect(s->FrontFace.StencilPassOp == KILN_STENCIL_INVERT && s->FrontFace.StencilFunc == KILN_COMPARISON_GREATER);
	cr_expect(s->BackFace.StencilFailOp == KILN_STENCIL_INCR && s->BackFace.StencilDepthFailOp == KILN_STENCIL_DECR);
	cr_expect(s->BackFace.StencilPassOp == KILN_STENCIL_INCR_SAT && s->BackFace.StencilFunc == KILN_COMPARISON_NEVER);
	cr_expect(d->NumInputElements == 2 && strcmp(d->InputElementDescs[1].SemanticName, "COLOR") == 0);
	const struct kiln_input_element_desc *e = &d->InputElementDescs[1];
	cr_expect(e->SemanticIndex == 3 && e->Format == KILN_FORMAT_R8G8B8A8_UNORM && e->InputSlot == 1 &&
			  e->AlignedByteOffset == 0xffffffff);
	cr_expect(e->InputSlotClass == KILN_PER_INSTANCE && e->InstanceDataStepRate == 2);
	cr_expect(d->IBStripCutValue == KILN_STRIP_CUT_0xFFFF && d->PrimitiveTopologyType == KILN_TOPOLOGY_TYPE_LINE);
	cr_expect(d->NumRenderTargets == 2 && d->RTVFormats[0] == KILN_FORMAT_R16G16B16A16_UNORM &&
			  d->RTVFormats[1] == KILN_FORMAT_R8_UNORM);
	cr_expect(d->RTVFormats[2] == 0 && d->DSVFormat == KILN_FORMAT_D32_FLOAT && d->SampleDesc.Count == 4 &&
			  d->SampleDesc.Quality == 1);
	const D3D12_DEPTH_STENCIL_DESC1 bounds = {.DepthFunc = D3D12_COMPARISON_FUNC_LESS, .DepthBoundsTestEnable = TRUE};
	cr_expect(kiln_d3d12_depth_stencil1(&bounds).DepthBoundsTestEnable && kiln_d3d12_depth_stencil1(&bounds).DepthFunc == 2);
	/* absurd counts are carried over, unread, for kiln_pso_create() to refuse */
	in.InputLayout.NumElements = 1000000000;
	in.InputLayout.pInputElementDescs = NULL;
	in.NumRenderTargets = 1000000000;
	cr_expect(kiln_d3d12_graphics_pipeline("engine", &in, &out, diags));
	cr_expect(
		out.desc.NumInputElements == 1000000000 && !out.desc.InputElementDescs && out.desc.NumRenderTargets == 1000000000);
	kiln_diags_destroy(diags);
}

Test(d3d12, converts_samplers)
{
	const D3D12_SAMPLER_DESC in = {D3D12_FILTER_COMPARISON_MIN_MAG_LINEAR_MIP_POINT, D3D12_TEXTURE_ADDRESS_MODE_WRAP,
		D3D12_TEXTURE_ADDRESS_MODE_BORDER, D3D12_TEXTURE_ADDRESS_MODE_MIRROR_ONCE, -1.5f, 7, D3D12_COMPARISON_FUNC_LESS, {1, 2, 3, 4},
		0.5f, 8};
	struct kiln_sampler_desc s = kiln_d3d12_sampler(&in);
	cr_expect(s.Filter == 0x94 && s.AddressU == 1 && s.AddressV == 4 && s.AddressW == 5 && s.MipLODBias == -1.5f);
	cr_expect(s.MaxAnisotropy == 7 && s.ComparisonFunc == KILN_COMPARISON_LESS && s.BorderColor[0] == 1 &&
			  s.BorderColor[3] == 4 && s.MinLOD == 0.5f && s.MaxLOD == 8 && s.Flags == 0);
}

/* One row a dimension: what the union holds, and the fields it becomes. */
Test(d3d12, converts_views)
{
	static const struct {
		D3D12_SHADER_RESOURCE_VIEW_DESC in;
		struct kiln_view_desc want;
	} rows[] = {
		{{DXGI_FORMAT_R32_FLOAT, D3D12_SRV_DIMENSION_BUFFER, 0x1688, .Buffer = {5, 6, 0, 0}},
			{KILN_FORMAT_R32_FLOAT, KILN_VIEW_BUFFER, 0x1688, .FirstElement = 5, .NumElements = 6}},
		{{DXGI_FORMAT_UNKNOWN, D3D12_SRV_DIMENSION_BUFFER, 0x1688, .Buffer = {5, 6, 12, 0}},
			{0, KILN_VIEW_BUFFER, 0x1688, .FirstElement = 5, .NumElements = 6, .StructureByteStride = 12}},
		{{DXGI_FORMAT_R8_UNORM, D3D12_SRV_DIMENSION_TEXTURE1D, 1, .Texture1D = {1, 2, 0.5f}},
			{KILN_FORMAT_R8_UNORM, KILN_VIEW_TEXTURE1D, 1, 1, 2, .ResourceMinLODClamp = 0.5f}},
		{{DXGI_FORMAT_R8_UNORM, D3D12_SRV_DIMENSION_TEXTURE1DARRAY, 1, .Texture1DArray = {1, 2, 3, 4, 0.5f}},
			{KILN_FORMAT_R8_UNORM, KILN_VIEW_TEXTURE1DARRAY, 1, 1, 2, 3, 4, .ResourceMinLODClamp = 0.5f}},
		{{DXGI_FORMAT_R8_UNORM, D3D12_SRV_DIMENSION_TEXTURE2D, 1, .Texture2D = {1, 2, 0, 0.5f}},
			{KILN_FORMAT_R8_UNORM, KILN_VIEW_TEXTURE2D, 1, 1, 2, .ResourceMinLODClamp = 0.5f}},
		{{DXGI_FORMAT_R8_UNORM, D3D12_SRV_DIMENSION_TEXTURE2DARRAY, 1, .Texture2DArray = {1, 2, 3, 4, 0, 0.5f}},
			{KILN_FORMAT_R8_UNORM, KILN_VIEW_TEXTURE2DARRAY, 1, 1, 2, 3, 4, .ResourceMinLODClamp = 0.5f}},
		{{DXGI_FORMAT_R8_UNORM, D3D12_SRV_DIMENSION_TEXTURE2DMS, 1, .Texture2DMS = {0}},
			{KILN_FORMAT_R8_UNORM, KILN_VIEW_TEXTURE2DMS, 1, .MipLevels = 0}},
		{{DXGI_FORMAT_R8_UNORM, D3D12_SRV_DIMENSION_TEXTURE2DMSARRAY, 1, .Texture2DMSArray = {3, 4}},
			{KILN_FORMAT_R8_UNORM, KILN_VIEW_TEXTURE2DMSARRAY, 1, .FirstArraySlice = 3, .ArraySize = 4}},
		{{DXGI_FORMAT_R8_UNORM, D3D12_SRV_DIMENSION_TEXTURE3D, 1, .Texture3D = {1, 2, 0.5f}},
			{KILN_FORMAT_R8_UNORM, KILN_VIEW_TEXTURE3D, 1, 1, 2, .ResourceMinLODClamp = 0.5f}},
		{{DXGI_FORMAT_R8_UNORM, D3D12_SRV_DIMENSION_TEXTURECUBE, 1, .TextureCube = {1, 2, 0.5f}},
			{KILN_FORMAT_R8_UNORM, KILN_VIEW_TEXTURECUBE, 1, 1, 2, .ResourceMinLODClamp = 0.5f}},
		{{DXGI_FORMAT_R8_UNORM, D3D12_SRV_DIMENSION_TEXTURECUBEARRAY, 1, .TextureCubeArray = {1, 2, 3, 4, 0.5f}},
			{KILN_FORMAT_R8_UNORM, KILN_VIEW_TEXTURECUBEARRAY, 1, 1, 2, 3, 24, .ResourceMinLODClamp = 0.5f}},
	};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_view_desc got = kiln_d3d12_srv(&rows[i].in);
		const struct kiln_view_desc *want = &rows[i].want;
		cr_expect(got.Format == want->Format && got.ViewDimension == want->ViewDimension &&
				  got.Shader4ComponentMapping == want->Shader4ComponentMapping, "row %zu", i);
		cr_expect(got.MostDetailedMip == want->MostDetailedMip && got.MipLevels == want->MipLevels &&
				  got.ResourceMinLODClamp == want->ResourceMinLODClamp, "row %zu", i);
		cr_expect(got.FirstArraySlice == want->FirstArraySlice && got.ArraySize == want->ArraySize, "row %zu", i);
		cr_expect(got.FirstElement == want->FirstElement && got.NumElements == want->NumElements &&
				  got.StructureByteStride == want->StructureByteStride, "row %zu", i);
	}
}

#define REFUSED(field, change)                                                                                              \
	do {                                                                                                                    \
		D3D12_GRAPHICS_PIPELINE_STATE_DESC in = engine_desc();                                                              \
		struct kiln_d3d12_state out;                                                                                        \
		struct kiln_diags *diags = kiln_diags_create();                                                                     \
		change;                                                                                                             \
		cr_expect(!kiln_d3d12_graphics_pipeline("engine", &in, &out, diags), field);                                        \
		cr_expect(kiln_diags_count(diags) == 1 && kiln_diags_has(diags, 3918), field);                                      \
		cr_expect(strstr(kiln_diags_get(diags, 0)->text, "." field " "), "%s", kiln_diags_get(diags, 0)->text);             \
		kiln_diags_destroy(diags);                                                                                          \
	} while (0)

Test(d3d12, refuses_what_has_no_meaning)
{
	static const D3D12_SHADER_BYTECODE code = {"x", 1};
	static const UINT strides[1] = {4};
	REFUSED("HS", in.HS = code);
	REFUSED("DS", in.DS = code);
	REFUSED("GS", in.GS = code);
	REFUSED("StreamOutput", in.StreamOutput.NumEntries = 1);
	REFUSED("StreamOutput", in.StreamOutput.pBufferStrides = strides);
	REFUSED("CachedPSO", in.CachedPSO.CachedBlobSizeInBytes = 5);
	REFUSED("NodeMask", in.NodeMask = 2);
	REFUSED("Flags", in.Flags = D3D12_PIPELINE_STATE_FLAG_TOOL_DEBUG);
	REFUSED("pRootSignature", in.pRootSignature = (ID3D12RootSignature *)&in);
}

#ifdef KILN_HAS_LLVM
/* What DXC made, through D3D12's own desc, to a PSO; and a desc whose bytecode is none. */
Test(d3d12, creates_a_pso)
{
	uint8_t *vs, *ps;
	D3D12_GRAPHICS_PIPELINE_STATE_DESC in = {0};
	struct kiln_diags *diags = kiln_diags_create();
	struct kiln_device *device = kiln_device_create(NULL);
	static const D3D12_INPUT_ELEMENT_DESC layout[] = {
		{"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0},
		{"COLOR", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 12, D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0},
	};
	cr_assert(file_read(KILN_SOURCE_DIR "/scenes/shaders/triangle.vs.cso", 1 << 20, &vs, &in.VS.BytecodeLength, diags));
	cr_assert(file_read(KILN_SOURCE_DIR "/scenes/shaders/triangle.ps.cso", 1 << 20, &ps, &in.PS.BytecodeLength, diags));
	in.VS.pShaderBytecode = vs;
	in.PS.pShaderBytecode = ps;
	in.InputLayout = (D3D12_INPUT_LAYOUT_DESC){layout, 2};
	in.BlendState.RenderTarget[0].RenderTargetWriteMask = D3D12_COLOR_WRITE_ENABLE_ALL;
	in.SampleMask = UINT_MAX;
	in.RasterizerState.FillMode = D3D12_FILL_MODE_SOLID;
	in.RasterizerState.CullMode = D3D12_CULL_MODE_NONE;
	in.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE;
	in.NumRenderTargets = 1;
	in.RTVFormats[0] = DXGI_FORMAT_R8G8B8A8_UNORM;
	in.SampleDesc.Count = 1;
	struct kiln_pso *pso = kiln_d3d12_create_pso(device, "triangle", &in, NULL, diags);
	cr_expect(pso && kiln_diags_count(diags) == 0, "%s", kiln_diags_count(diags) ? kiln_diags_get(diags, 0)->text : "");
	char *text = pso ? kiln_pso_disassemble(pso, false) : NULL;
	cr_expect(text && strstr(text, "exp mrt0 fp16_abgr rgba"), "%s", text ? text : "");
	free(text);
	kiln_pso_destroy(pso);
	in.PS.BytecodeLength = 40;
	cr_expect(!kiln_d3d12_create_pso(device, "cut short", &in, NULL, diags) && kiln_diags_errors(diags) > 0);
	mem_free(vs);
	mem_free(ps);
	kiln_device_destroy(device);
	kiln_diags_destroy(diags);
}
#endif
