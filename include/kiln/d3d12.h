/* D3D12's own structs in: an engine's D3D12_GRAPHICS_PIPELINE_STATE_DESC, built with the DirectX-Headers package, becomes
 * Kiln's.
 *
 *   #include <kiln/d3d12.h>              compile with: pkg-config --cflags DirectX-Headers (as system headers: -isystem)
 *   struct kiln_d3d12_state state;
 *   if (kiln_d3d12_graphics_pipeline("name", &desc, &state, diags))
 *       pso = kiln_pso_create(device, &(struct kiln_pso_desc){.name = "name", .state = state.desc, .VS = vs, .PS = ps},
 * diags);
 *
 * Or kiln_d3d12_create_pso(), which makes the shaders from desc.VS and desc.PS too. Values are carried over as they are, and
 * kiln_pso_create() judges them; a field that Kiln has no meaning for is refused here (3918 D3D12_FIELD_UNSUPPORTED). The
 * D3D12 headers define short names (IN OUT THIS CONST TRUE): include this file in as few others as you can. */
#ifndef KILN_D3D12_H
#define KILN_D3D12_H
#ifndef CINTERFACE
#define CINTERFACE
#endif
#include <wsl/winadapter.h>
#include <directx/d3d12.h>
#include <kiln/kiln.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Adds 3918 for a field that was set and has no meaning; always false. */
KILN_API bool kiln_d3d12_refuse(struct kiln_diags *diags, const char *name, const char *field, const char *why);

/* The converted state; desc.InputElementDescs points into this struct: keep it where it is, or copy the desc while it lives.
 */
struct kiln_d3d12_state {
	struct kiln_graphics_pipeline_desc desc;
	struct kiln_input_element_desc elements[KILN_INPUT_ELEMENTS_MAX];
};

static inline struct kiln_blend_desc kiln_d3d12_blend(const D3D12_BLEND_DESC *in)
{
	struct kiln_blend_desc out;
	unsigned i;
	out.AlphaToCoverageEnable = in->AlphaToCoverageEnable != 0;
	out.IndependentBlendEnable = in->IndependentBlendEnable != 0;
	for (i = 0; i < KILN_RENDER_TARGETS_MAX; i++) {
		const D3D12_RENDER_TARGET_BLEND_DESC *from = &in->RenderTarget[i];
		struct kiln_render_target_blend_desc *to = &out.RenderTarget[i];
		to->BlendEnable = from->BlendEnable != 0;
		to->LogicOpEnable = from->LogicOpEnable != 0;
		to->SrcBlend = (uint32_t)from->SrcBlend;
		to->DestBlend = (uint32_t)from->DestBlend;
		to->BlendOp = (uint32_t)from->BlendOp;
		to->SrcBlendAlpha = (uint32_t)from->SrcBlendAlpha;
		to->DestBlendAlpha = (uint32_t)from->DestBlendAlpha;
		to->BlendOpAlpha = (uint32_t)from->BlendOpAlpha;
		to->LogicOp = (uint32_t)from->LogicOp;
		to->RenderTargetWriteMask = from->RenderTargetWriteMask;
	}
	return out;
}

static inline struct kiln_rasterizer_desc kiln_d3d12_rasterizer(const D3D12_RASTERIZER_DESC *in)
{
	struct kiln_rasterizer_desc out;
	out.FillMode = (uint32_t)in->FillMode;
	out.CullMode = (uint32_t)in->CullMode;
	out.FrontCounterClockwise = in->FrontCounterClockwise != 0;
	out.DepthBias = (float)in->DepthBias;
	out.DepthBiasClamp = in->DepthBiasClamp;
	out.SlopeScaledDepthBias = in->SlopeScaledDepthBias;
	out.DepthClipEnable = in->DepthClipEnable != 0;
	out.MultisampleEnable = in->MultisampleEnable != 0;
	out.AntialiasedLineEnable = in->AntialiasedLineEnable != 0;
	out.LineRasterizationMode = KILN_LINE_ALIASED; /* of D3D12_RASTERIZER_DESC2: the two fields before say it */
	out.ForcedSampleCount = in->ForcedSampleCount;
	out.ConservativeRaster = (uint32_t)in->ConservativeRaster;
	return out;
}

static inline struct kiln_depth_stencilop_desc kiln_d3d12_stencilop(const D3D12_DEPTH_STENCILOP_DESC *in)
{
	struct kiln_depth_stencilop_desc out;
	out.StencilFailOp = (uint32_t)in->StencilFailOp;
	out.StencilDepthFailOp = (uint32_t)in->StencilDepthFailOp;
	out.StencilPassOp = (uint32_t)in->StencilPassOp;
	out.StencilFunc = (uint32_t)in->StencilFunc;
	return out;
}

static inline struct kiln_depth_stencil_desc kiln_d3d12_depth_stencil(const D3D12_DEPTH_STENCIL_DESC *in)
{
	struct kiln_depth_stencil_desc out;
	out.DepthEnable = in->DepthEnable != 0;
	out.DepthWriteMask = (uint32_t)in->DepthWriteMask;
	out.DepthFunc = (uint32_t)in->DepthFunc;
	out.StencilEnable = in->StencilEnable != 0;
	out.StencilReadMask = in->StencilReadMask;
	out.StencilWriteMask = in->StencilWriteMask;
	out.FrontFace = kiln_d3d12_stencilop(&in->FrontFace);
	out.BackFace = kiln_d3d12_stencilop(&in->BackFace);
	out.DepthBoundsTestEnable = false;
	return out;
}

static inline struct kiln_depth_stencil_desc kiln_d3d12_depth_stencil1(const D3D12_DEPTH_STENCIL_DESC1 *in)
{
	struct kiln_depth_stencil_desc out;
	out.DepthEnable = in->DepthEnable != 0;
	out.DepthWriteMask = (uint32_t)in->DepthWriteMask;
	out.DepthFunc = (uint32_t)in->DepthFunc;
	out.StencilEnable = in->StencilEnable != 0;
	out.StencilReadMask = in->StencilReadMask;
	out.StencilWriteMask = in->StencilWriteMask;
	out.FrontFace = kiln_d3d12_stencilop(&in->FrontFace);
	out.BackFace = kiln_d3d12_stencilop(&in->BackFace);
	out.DepthBoundsTestEnable = in->DepthBoundsTestEnable != 0;
	return out;
}

/* What D3D12_SAMPLER_DESC lacks (Flags) is 0. */
static inline struct kiln_sampler_desc kiln_d3d12_sampler(const D3D12_SAMPLER_DESC *in)
{
	struct kiln_sampler_desc out;
	unsigned i;
	out.Filter = (uint32_t)in->Filter;
	out.AddressU = (uint32_t)in->AddressU;
	out.AddressV = (uint32_t)in->AddressV;
	out.AddressW = (uint32_t)in->AddressW;
	out.MipLODBias = in->MipLODBias;
	out.MaxAnisotropy = in->MaxAnisotropy;
	out.ComparisonFunc = (uint32_t)in->ComparisonFunc;
	for (i = 0; i < 4; i++)
		out.BorderColor[i] = in->BorderColor[i];
	out.MinLOD = in->MinLOD;
	out.MaxLOD = in->MaxLOD;
	out.Flags = 0;
	return out;
}

/* For kiln_descriptor_srv(). A raw buffer is Format R32_TYPELESS, as in D3D12, with its flag RAW. PlaneSlice has no meaning:
 * depth and stencil are chosen by Format. Acceleration structures become a ViewDimension that is refused. */
static inline struct kiln_view_desc kiln_d3d12_srv(const D3D12_SHADER_RESOURCE_VIEW_DESC *in)
{
	struct kiln_view_desc out = {(uint32_t)in->Format, (uint32_t)in->ViewDimension, in->Shader4ComponentMapping, 0, 0, 0, 0, 0.0f,
		0, 0, 0};
	switch (in->ViewDimension) {
#define KILN_MIPS(part) \
	(out.MostDetailedMip = in->part.MostDetailedMip, out.MipLevels = in->part.MipLevels, \
		out.ResourceMinLODClamp = in->part.ResourceMinLODClamp)
#define KILN_SLICES(part) (out.FirstArraySlice = in->part.FirstArraySlice, out.ArraySize = in->part.ArraySize)
	case D3D12_SRV_DIMENSION_BUFFER:
		out.FirstElement = in->Buffer.FirstElement;
		out.NumElements = in->Buffer.NumElements;
		out.StructureByteStride = in->Buffer.StructureByteStride;
		break;
	case D3D12_SRV_DIMENSION_TEXTURE1D: KILN_MIPS(Texture1D); break;
	case D3D12_SRV_DIMENSION_TEXTURE1DARRAY: KILN_MIPS(Texture1DArray), KILN_SLICES(Texture1DArray); break;
	case D3D12_SRV_DIMENSION_TEXTURE2D: KILN_MIPS(Texture2D); break;
	case D3D12_SRV_DIMENSION_TEXTURE2DARRAY: KILN_MIPS(Texture2DArray), KILN_SLICES(Texture2DArray); break;
	case D3D12_SRV_DIMENSION_TEXTURE2DMSARRAY: KILN_SLICES(Texture2DMSArray); break;
	case D3D12_SRV_DIMENSION_TEXTURE3D: KILN_MIPS(Texture3D); break;
	case D3D12_SRV_DIMENSION_TEXTURECUBE: KILN_MIPS(TextureCube); break;
	case D3D12_SRV_DIMENSION_TEXTURECUBEARRAY:
		KILN_MIPS(TextureCubeArray);
		out.FirstArraySlice = in->TextureCubeArray.First2DArrayFace;
		out.ArraySize = in->TextureCubeArray.NumCubes * 6;
		break;
	default: break; /* 2DMS has nothing; others are refused by their ViewDimension */
#undef KILN_MIPS
#undef KILN_SLICES
	}
	return out;
}

/* Fields that Kiln cannot honour; each one that is set is refused. */
static inline bool kiln_d3d12_check(const char *name, const D3D12_GRAPHICS_PIPELINE_STATE_DESC *in, struct kiln_diags *diags)
{
	bool ok = true;
	if (in->pRootSignature)
		ok = kiln_d3d12_refuse(diags, name, "pRootSignature", "a kiln_root_signature is given beside the desc");
	if (in->HS.pShaderBytecode || in->HS.BytecodeLength)
		ok = kiln_d3d12_refuse(diags, name, "HS", "hull shaders are not supported");
	if (in->DS.pShaderBytecode || in->DS.BytecodeLength)
		ok = kiln_d3d12_refuse(diags, name, "DS", "domain shaders are not supported");
	if (in->GS.pShaderBytecode || in->GS.BytecodeLength)
		ok = kiln_d3d12_refuse(diags, name, "GS", "geometry shaders are not supported");
	if (in->StreamOutput.NumEntries || in->StreamOutput.NumStrides || in->StreamOutput.pSODeclaration ||
		in->StreamOutput.pBufferStrides)
		ok = kiln_d3d12_refuse(diags, name, "StreamOutput", "stream output is not supported");
	if (in->CachedPSO.pCachedBlob || in->CachedPSO.CachedBlobSizeInBytes)
		ok = kiln_d3d12_refuse(diags, name, "CachedPSO", "cached blobs are a driver's");
	if (in->NodeMask > 1)
		ok = kiln_d3d12_refuse(diags, name, "NodeMask", "there is one node");
	if (in->Flags != D3D12_PIPELINE_STATE_FLAG_NONE)
		ok = kiln_d3d12_refuse(diags, name, "Flags", "there is no flag but NONE");
	return ok;
}

/* False: a field was refused, diagnostics added; out is not filled. Shaders and root signature are left to the caller. */
static inline bool kiln_d3d12_graphics_pipeline(
	const char *name, const D3D12_GRAPHICS_PIPELINE_STATE_DESC *in, struct kiln_d3d12_state *out, struct kiln_diags *diags)
{
	struct kiln_graphics_pipeline_desc *d = &out->desc;
	const D3D12_INPUT_ELEMENT_DESC *elements = in->InputLayout.pInputElementDescs;
	const unsigned most = KILN_INPUT_ELEMENTS_MAX;
	unsigned i, count = in->InputLayout.NumElements < most ? in->InputLayout.NumElements : most;
	if (!kiln_d3d12_check(name, in, diags))
		return false;
	*d = kiln_graphics_pipeline_default();
	d->BlendState = kiln_d3d12_blend(&in->BlendState);
	d->SampleMask = in->SampleMask;
	d->RasterizerState = kiln_d3d12_rasterizer(&in->RasterizerState);
	d->DepthStencilState = kiln_d3d12_depth_stencil(&in->DepthStencilState);
	for (i = 0; elements && i < count; i++) {
		out->elements[i].SemanticName = elements[i].SemanticName;
		out->elements[i].SemanticIndex = elements[i].SemanticIndex;
		out->elements[i].Format = (uint32_t)elements[i].Format;
		out->elements[i].InputSlot = elements[i].InputSlot;
		out->elements[i].AlignedByteOffset = elements[i].AlignedByteOffset;
		out->elements[i].InputSlotClass = (uint32_t)elements[i].InputSlotClass;
		out->elements[i].InstanceDataStepRate = elements[i].InstanceDataStepRate;
	}
	d->InputElementDescs = elements ? out->elements : NULL;
	d->NumInputElements = in->InputLayout.NumElements; /* more than the maximum is refused before they are looked at */
	d->IBStripCutValue = (uint32_t)in->IBStripCutValue;
	d->PrimitiveTopologyType = (uint32_t)in->PrimitiveTopologyType;
	d->NumRenderTargets = in->NumRenderTargets;
	for (i = 0; i < KILN_RENDER_TARGETS_MAX; i++)
		d->RTVFormats[i] = (uint32_t)in->RTVFormats[i];
	d->DSVFormat = (uint32_t)in->DSVFormat;
	d->SampleDesc.Count = in->SampleDesc.Count;
	d->SampleDesc.Quality = in->SampleDesc.Quality;
	return true;
}

/* All of it: shaders from desc->VS and desc->PS (containers), then the PSO. NULL: diagnostics added. */
static inline struct kiln_pso *kiln_d3d12_create_pso(struct kiln_device *device, const char *name,
	const D3D12_GRAPHICS_PIPELINE_STATE_DESC *in, const struct kiln_root_signature *root_signature, struct kiln_diags *diags)
{
	struct kiln_d3d12_state state;
	struct kiln_pso_desc desc;
	struct kiln_shader *vs = NULL, *ps = NULL;
	struct kiln_pso *pso = NULL;
	bool ok = kiln_d3d12_graphics_pipeline(name, in, &state, diags);
	if (ok && in->VS.pShaderBytecode)
		ok = (vs = kiln_shader_create(device, name, in->VS.pShaderBytecode, in->VS.BytecodeLength, diags)) != NULL;
	if (ok && in->PS.pShaderBytecode)
		ok = (ps = kiln_shader_create(device, name, in->PS.pShaderBytecode, in->PS.BytecodeLength, diags)) != NULL;
	if (ok) {
		desc.name = name;
		desc.state = state.desc;
		desc.VS = vs;
		desc.PS = ps;
		desc.root_signature = root_signature;
		pso = kiln_pso_create(device, &desc, diags);
	}
	kiln_shader_destroy(vs);
	kiln_shader_destroy(ps);
	return pso;
}
#ifdef __cplusplus
}
#endif
#endif
