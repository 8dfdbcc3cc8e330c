/* Validation at pipeline creation: state, then programs, then state against what the programs write. Each rule is D3D12's,
 * under the name of its message (facts section 7 and appendix B); every rule that breaks is reported, not just the first. As
 * in D3D12, fields of a switched-off part (blend factors with BlendEnable off, stencil operations with StencilEnable off)
 * are not looked at. Takes untrusted values; gives false when a diagnostic of severity ERROR was added. */
#include "pso/pso.h"
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

static const uint32_t append = 0xffffffff, unbounded = 0xffffffff, standard_pattern = 0xffffffff,
					  center_pattern = 0xfffffffe;

struct check {
	const char *name;
	struct kiln_diags *diags;
	bool ok;
};
#define REFUSE(c, id, ...) (diag_add((c)->diags, DIAG_##id, (c)->name, __VA_ARGS__), (c)->ok = false)
#define WARN(c, id, ...) diag_add((c)->diags, DIAG_##id, (c)->name, __VA_ARGS__)

/* ---- input layout ---- */
static bool is_format(uint32_t format) { return format != KILN_FORMAT_UNKNOWN && format_info(format); }

static void check_element(struct check *c, const struct kiln_graphics_pipeline_desc *d, uint32_t i)
{
	const struct kiln_input_element_desc *e = &d->InputElementDescs[i];
	const struct format_info *f = is_format(e->Format) ? format_info(e->Format) : NULL;
	size_t length = e->SemanticName ? strlen(e->SemanticName) : 0;
	if (!length)
		REFUSE(c, CREATEINPUTLAYOUT_NULLSEMANTIC, "InputElementDescs[%u].SemanticName is not set", i);
	else if (isdigit((unsigned char)e->SemanticName[length - 1]))
		REFUSE(c, CREATEINPUTLAYOUT_TRAILING_DIGIT_IN_SEMANTIC, "InputElementDescs[%u].SemanticName '%s' ends with a digit",
			i, e->SemanticName);
	if (!f)
		REFUSE(c, CREATEINPUTLAYOUT_INVALIDFORMAT, "InputElementDescs[%u].Format %u is no format", i, e->Format);
	else if (!(f->caps & FORMAT_CAN_VERTEX))
		REFUSE(c, CREATEINPUTLAYOUT_INCOMPATIBLEFORMAT, "InputElementDescs[%u].Format %s cannot be vertex data", i, f->name);
	if (e->InputSlot >= KILN_VERTEX_BUFFERS_MAX)
		REFUSE(c, CREATEINPUTLAYOUT_INVALIDSLOT, "InputElementDescs[%u].InputSlot is %u", i, e->InputSlot);
	if (e->InputSlotClass > KILN_PER_INSTANCE)
		REFUSE(
			c, CREATEINPUTLAYOUT_INVALIDINPUTSLOTCLASS, "InputElementDescs[%u].InputSlotClass is %u", i, e->InputSlotClass);
	else if (e->InputSlotClass == KILN_PER_VERTEX && e->InstanceDataStepRate)
		REFUSE(c, CREATEINPUTLAYOUT_STEPRATESLOTCLASSMISMATCH,
			"InputElementDescs[%u].InstanceDataStepRate is %u for per-vertex data", i, e->InstanceDataStepRate);
	if (f && e->AlignedByteOffset != append) {
		uint32_t size = f->bits / 8u, align = size >= 4 ? 4 : size >= 2 ? 2 : 1;
		if (e->AlignedByteOffset % align || e->AlignedByteOffset > INT32_MAX - size)
			REFUSE(c, CREATEINPUTLAYOUT_INVALIDALIGNMENT, "InputElementDescs[%u].AlignedByteOffset %u is not usable for %s",
				i, e->AlignedByteOffset, f->name);
	}
}

static void check_element_pair(struct check *c, const struct kiln_graphics_pipeline_desc *d, uint32_t i, uint32_t k)
{
	const struct kiln_input_element_desc *a = &d->InputElementDescs[k], *b = &d->InputElementDescs[i];
	if (a->SemanticName && b->SemanticName && a->SemanticIndex == b->SemanticIndex &&
		strcasecmp(a->SemanticName, b->SemanticName) == 0)
		REFUSE(c, CREATEINPUTLAYOUT_DUPLICATESEMANTIC, "InputElementDescs[%u] and [%u] are both %s%u", k, i, a->SemanticName,
			a->SemanticIndex);
	if (a->InputSlot != b->InputSlot)
		return;
	if (a->InputSlotClass != b->InputSlotClass)
		REFUSE(c, CREATEINPUTLAYOUT_INVALIDSLOTCLASSCHANGE, "InputElementDescs[%u] and [%u] differ in the class of slot %u",
			k, i, a->InputSlot);
	else if (a->InstanceDataStepRate != b->InstanceDataStepRate)
		REFUSE(c, CREATEINPUTLAYOUT_INVALIDSTEPRATECHANGE,
			"InputElementDescs[%u] and [%u] differ in the step rate of slot %u", k, i, a->InputSlot);
}

static void check_layout(struct check *c, const struct kiln_graphics_pipeline_desc *d)
{
	if (d->NumInputElements > KILN_INPUT_ELEMENTS_MAX) {
		REFUSE(c, CREATEINPUTLAYOUT_TOOMANYELEMENTS, "NumInputElements is %u", d->NumInputElements);
		return;
	}
	if (d->NumInputElements && !d->InputElementDescs) {
		REFUSE(c, CREATEGRAPHICSPIPELINESTATE_INPUTLAYOUT_NOT_SET, "NumInputElements is %u but InputElementDescs is not set",
			d->NumInputElements);
		return;
	}
	for (uint32_t i = 0; i < d->NumInputElements; i++) {
		check_element(c, d, i);
		for (uint32_t k = 0; k < i; k++)
			check_element_pair(c, d, i, k);
	}
}

/* ---- blend ---- */
static bool is_factor(uint32_t f)
{
	return (f >= KILN_BLEND_ZERO && f <= KILN_BLEND_SRC_ALPHA_SAT) ||
		   (f >= KILN_BLEND_BLEND_FACTOR && f <= KILN_BLEND_INV_ALPHA_FACTOR);
}

static bool is_alpha_factor(uint32_t f)
{
	switch (f) {
	case KILN_BLEND_SRC_COLOR:
	case KILN_BLEND_INV_SRC_COLOR:
	case KILN_BLEND_DEST_COLOR:
	case KILN_BLEND_INV_DEST_COLOR:
	case KILN_BLEND_SRC1_COLOR:
	case KILN_BLEND_INV_SRC1_COLOR:
		return false;
	default:
		return is_factor(f);
	}
}

#define BLEND_FIELD(valid, field, id)                                                                                       \
	((valid) ? (void)0 : (void)REFUSE(c, id, "BlendState.RenderTarget[%u]." #field " is %u", i, b->field))

static void check_target_blend(struct check *c, const struct kiln_graphics_pipeline_desc *d, unsigned i)
{
	const struct kiln_render_target_blend_desc *b = &d->BlendState.RenderTarget[i];
	/* Dual-source blending knows no MIN and MAX. */
	uint32_t last_op = export_is_dual_source(b) ? KILN_BLEND_OP_REV_SUBTRACT : KILN_BLEND_OP_MAX;
	BLEND_FIELD(b->RenderTargetWriteMask <= 15, RenderTargetWriteMask, CREATEBLENDSTATE_INVALIDRENDERTARGETWRITEMASK);
	if (b->BlendEnable) {
		BLEND_FIELD(is_factor(b->SrcBlend), SrcBlend, CREATEBLENDSTATE_INVALIDSRCBLEND);
		BLEND_FIELD(is_factor(b->DestBlend), DestBlend, CREATEBLENDSTATE_INVALIDDESTBLEND);
		BLEND_FIELD(b->BlendOp >= 1 && b->BlendOp <= last_op, BlendOp, CREATEBLENDSTATE_INVALIDBLENDOP);
		BLEND_FIELD(is_alpha_factor(b->SrcBlendAlpha), SrcBlendAlpha, CREATEBLENDSTATE_INVALIDSRCBLENDALPHA);
		BLEND_FIELD(is_alpha_factor(b->DestBlendAlpha), DestBlendAlpha, CREATEBLENDSTATE_INVALIDDESTBLENDALPHA);
		BLEND_FIELD(b->BlendOpAlpha >= 1 && b->BlendOpAlpha <= last_op, BlendOpAlpha, CREATEBLENDSTATE_INVALIDBLENDOPALPHA);
	}
	if (!b->LogicOpEnable)
		return;
	BLEND_FIELD(b->LogicOp <= KILN_LOGIC_OP_OR_INVERTED, LogicOp, CREATEBLENDSTATE_INVALIDLOGICOPS);
	if (b->BlendEnable || d->BlendState.IndependentBlendEnable)
		REFUSE(c, CREATEBLENDSTATE_INVALIDLOGICOPS, "BlendState.RenderTarget[%u].LogicOpEnable is on together with %s", i,
			b->BlendEnable ? "BlendEnable" : "IndependentBlendEnable");
}

static void check_blend(struct check *c, const struct kiln_graphics_pipeline_desc *d)
{
	for (unsigned i = 0; i < (d->BlendState.IndependentBlendEnable ? KILN_RENDER_TARGETS_MAX : 1); i++)
		check_target_blend(c, d, i);
}

/* ---- rasteriser ---- */
static void check_rasterizer(struct check *c, const struct kiln_graphics_pipeline_desc *d)
{
	const struct kiln_rasterizer_desc *r = &d->RasterizerState;
	if (r->FillMode != KILN_FILL_WIREFRAME && r->FillMode != KILN_FILL_SOLID)
		REFUSE(c, CREATERASTERIZERSTATE_INVALIDFILLMODE, "RasterizerState.FillMode is %u", r->FillMode);
	if (r->CullMode < KILN_CULL_NONE || r->CullMode > KILN_CULL_BACK)
		REFUSE(c, CREATERASTERIZERSTATE_INVALIDCULLMODE, "RasterizerState.CullMode is %u", r->CullMode);
	if (!isfinite(r->DepthBiasClamp))
		REFUSE(c, CREATERASTERIZERSTATE_INVALIDDEPTHBIASCLAMP, "RasterizerState.DepthBiasClamp is no finite number");
	if (!isfinite(r->SlopeScaledDepthBias) || !isfinite(r->DepthBias))
		REFUSE(c, CREATERASTERIZERSTATE_INVALIDSLOPESCALEDDEPTHBIAS, "RasterizerState.%s is no finite number",
			isfinite(r->DepthBias) ? "SlopeScaledDepthBias" : "DepthBias");
	if (r->ForcedSampleCount > 16 || !(1u << r->ForcedSampleCount & (1u << 0 | 1u << 1 | 1u << 4 | 1u << 8 | 1u << 16)))
		REFUSE(c, CREATERASTERIZERSTATE_INVALIDFORCEDSAMPLECOUNT, "RasterizerState.ForcedSampleCount is %u",
			r->ForcedSampleCount);
	else if (r->ForcedSampleCount &&
			 (d->DSVFormat != KILN_FORMAT_UNKNOWN || (r->ForcedSampleCount > 1 && d->SampleDesc.Count != 1)))
		REFUSE(c, CREATEGRAPHICSPIPELINESTATE_INVALID_USE_OF_FORCED_SAMPLE_COUNT,
			"RasterizerState.ForcedSampleCount is %u with %s", r->ForcedSampleCount,
			d->DSVFormat != KILN_FORMAT_UNKNOWN ? "a DSVFormat" : "multisampled targets");
	if (r->LineRasterizationMode > KILN_LINE_QUADRILATERAL_NARROW)
		REFUSE(c, CREATERASTERIZERSTATE_INVALID_LINERASTERIZATIONMODE, "RasterizerState.LineRasterizationMode is %u",
			r->LineRasterizationMode);
	if (r->ConservativeRaster > 1)
		REFUSE(c, CREATERASTERIZERSTATE_INVALID_CONSERVATIVERASTERMODE, "RasterizerState.ConservativeRaster is %u",
			r->ConservativeRaster);
	else if (r->ConservativeRaster &&
			 (r->FillMode != KILN_FILL_SOLID || d->PrimitiveTopologyType != KILN_TOPOLOGY_TYPE_TRIANGLE))
		REFUSE(c, CREATERASTERIZERSTATE_INVALID_CONSERVATIVERASTERMODE,
			"RasterizerState.ConservativeRaster is on for other primitives than solid triangles");
}

/* ---- depth and stencil ---- */
static void check_depth_stencil(struct check *c, const struct kiln_graphics_pipeline_desc *d)
{
	const struct kiln_depth_stencil_desc *s = &d->DepthStencilState;
	const struct {
		uint32_t value;
		enum diag_id id;
		const char *field;
	} fields[] = {
		{s->FrontFace.StencilFailOp, DIAG_CREATEDEPTHSTENCILSTATE_INVALIDFRONTFACESTENCILFAILOP, "FrontFace.StencilFailOp"},
		{s->FrontFace.StencilDepthFailOp, DIAG_CREATEDEPTHSTENCILSTATE_INVALIDFRONTFACESTENCILZFAILOP,
			"FrontFace.StencilDepthFailOp"},
		{s->FrontFace.StencilPassOp, DIAG_CREATEDEPTHSTENCILSTATE_INVALIDFRONTFACESTENCILPASSOP, "FrontFace.StencilPassOp"},
		{s->FrontFace.StencilFunc, DIAG_CREATEDEPTHSTENCILSTATE_INVALIDFRONTFACESTENCILFUNC, "FrontFace.StencilFunc"},
		{s->BackFace.StencilFailOp, DIAG_CREATEDEPTHSTENCILSTATE_INVALIDBACKFACESTENCILFAILOP, "BackFace.StencilFailOp"},
		{s->BackFace.StencilDepthFailOp, DIAG_CREATEDEPTHSTENCILSTATE_INVALIDBACKFACESTENCILZFAILOP,
			"BackFace.StencilDepthFailOp"},
		{s->BackFace.StencilPassOp, DIAG_CREATEDEPTHSTENCILSTATE_INVALIDBACKFACESTENCILPASSOP, "BackFace.StencilPassOp"},
		{s->BackFace.StencilFunc, DIAG_CREATEDEPTHSTENCILSTATE_INVALIDBACKFACESTENCILFUNC, "BackFace.StencilFunc"},
	};
	if (s->DepthEnable && s->DepthWriteMask > 1)
		REFUSE(
			c, CREATEDEPTHSTENCILSTATE_INVALIDDEPTHWRITEMASK, "DepthStencilState.DepthWriteMask is %u", s->DepthWriteMask);
	if (s->DepthEnable && (s->DepthFunc < KILN_COMPARISON_NEVER || s->DepthFunc > KILN_COMPARISON_ALWAYS))
		REFUSE(c, CREATEDEPTHSTENCILSTATE_INVALIDDEPTHFUNC, "DepthStencilState.DepthFunc is %u", s->DepthFunc);
	for (size_t i = 0; s->StencilEnable && i < ARRAY_COUNT(fields); i++)
		if (fields[i].value < 1 || fields[i].value > 8) { /* operations and comparisons alike */
			diag_add(c->diags, fields[i].id, c->name, "DepthStencilState.%s is %u", fields[i].field, fields[i].value);
			c->ok = false;
		}
	if (s->StencilEnable && (s->StencilReadMask > 0xff || s->StencilWriteMask > 0xff))
		REFUSE(c, INVALID_STENCIL_MASK, "DepthStencilState.StencilReadMask is 0x%x, StencilWriteMask 0x%x",
			s->StencilReadMask, s->StencilWriteMask);
	if ((s->DepthEnable || s->StencilEnable) && d->DSVFormat == KILN_FORMAT_UNKNOWN)
		WARN(c, CREATEGRAPHICSPIPELINESTATE_DEPTHSTENCILVIEW_NOT_SET, "DepthStencilState.%s is on but DSVFormat is UNKNOWN",
			s->DepthEnable ? "DepthEnable" : "StencilEnable");
}

/* ---- targets, samples, topology ---- */
static void check_targets(struct check *c, const struct kiln_graphics_pipeline_desc *d)
{
	bool any = false;
	if (d->NumRenderTargets > KILN_RENDER_TARGETS_MAX)
		REFUSE(c, CREATEGRAPHICSPIPELINESTATE_INVALID_RENDER_TARGET_COUNT, "NumRenderTargets is %u", d->NumRenderTargets);
	for (unsigned i = 0; i < KILN_RENDER_TARGETS_MAX; i++) {
		uint32_t format = d->RTVFormats[i], mask = pipeline_blend(d, i)->RenderTargetWriteMask & 7;
		any |= format != KILN_FORMAT_UNKNOWN;
		if (format != KILN_FORMAT_UNKNOWN && !is_format(format))
			REFUSE(c, INVALID_FORMAT, "RTVFormats[%u] is %u, which is no format", i, format);
		else if (i >= d->NumRenderTargets && format != KILN_FORMAT_UNKNOWN)
			REFUSE(c, CREATEGRAPHICSPIPELINESTATE_RTV_FORMAT_NOT_UNKNOWN, "RTVFormats[%u] is %s but NumRenderTargets is %u",
				i, format_info(format)->name, d->NumRenderTargets);
		else if (format == KILN_FORMAT_R9G9B9E5_SHAREDEXP && mask && mask != 7)
			REFUSE(c, CREATEGRAPHICSPIPELINESTATE_RENDER_TARGET_WRONG_WRITE_MASK,
				"the RenderTargetWriteMask of target %u is 0x%x, its format shares one exponent", i, mask);
	}
	if (d->NumRenderTargets && !any)
		WARN(c, CREATEGRAPHICSPIPELINESTATE_ALL_RENDER_TARGETS_HAVE_UNKNOWN_FORMAT,
			"NumRenderTargets is %u, all formats are UNKNOWN", d->NumRenderTargets);
	if (d->DSVFormat == KILN_FORMAT_UNKNOWN)
		return;
	if (!is_format(d->DSVFormat))
		REFUSE(c, INVALID_FORMAT, "DSVFormat is %u, which is no format", d->DSVFormat);
	else if (!(format_info(d->DSVFormat)->caps & FORMAT_CAN_DEPTH))
		WARN(c, DEPTH_FORMAT_NOT_DEPTH, "DSVFormat is %s", format_info(d->DSVFormat)->name);
}

static void check_samples(struct check *c, const struct kiln_graphics_pipeline_desc *d)
{
	const struct kiln_sample_desc *s = &d->SampleDesc;
	bool pattern = s->Quality == standard_pattern || s->Quality == center_pattern;
	if (!s->Count || s->Count > 16 || (s->Count & (s->Count - 1)) || (s->Quality && !pattern))
		REFUSE(
			c, CREATEGRAPHICSPIPELINESTATE_INVALID_SAMPLE_DESC, "SampleDesc is Count %u, Quality %u", s->Count, s->Quality);
	if (s->Quality == center_pattern &&
		(d->RasterizerState.AntialiasedLineEnable || pipeline_line_mode(&d->RasterizerState) == KILN_LINE_ALPHA_ANTIALIASED))
		REFUSE(c, CREATEGRAPHICSPIPELINESTATE_INVALID_USE_OF_CENTER_MULTISAMPLE_PATTERN,
			"SampleDesc.Quality is the centre pattern and lines are antialiased by alpha");
	if (!d->SampleMask)
		WARN(c, GRAPHICS_PIPELINE_STATE_DESC_ZERO_SAMPLE_MASK, "SampleMask is 0");
}

static void check_others(struct check *c, const struct kiln_graphics_pipeline_desc *d)
{
	const uint32_t waves_max = 64;
	if (d->PrimitiveTopologyType < KILN_TOPOLOGY_TYPE_POINT || d->PrimitiveTopologyType > KILN_TOPOLOGY_TYPE_TRIANGLE)
		REFUSE(c, CREATEGRAPHICSPIPELINESTATE_INVALID_PRIMITIVETOPOLOGY, "PrimitiveTopologyType is %u",
			d->PrimitiveTopologyType);
	if (d->IBStripCutValue > KILN_STRIP_CUT_0xFFFFFFFF)
		REFUSE(c, CREATEGRAPHICSPIPELINESTATE_INVALID_INDEX_BUFFER_PROPERTIES, "IBStripCutValue is %u", d->IBStripCutValue);
	if (d->ShaderLimits.VSWaves > waves_max || d->ShaderLimits.PSWaves > waves_max)
		REFUSE(
			c, INVALID_SHADER_LIMITS, "ShaderLimits are %u and %u waves", d->ShaderLimits.VSWaves, d->ShaderLimits.PSWaves);
}

bool pipeline_validate_state(const char *name, const struct kiln_graphics_pipeline_desc *d, struct kiln_diags *diags)
{
	struct check c = {name, diags, true};
	check_layout(&c, d);
	check_blend(&c, d);
	check_rasterizer(&c, d);
	check_depth_stencil(&c, d);
	check_targets(&c, d);
	check_samples(&c, d);
	check_others(&c, d);
	return c.ok;
}

/* ---- what the pixel program writes against the targets ---- */
static bool type_matches(uint8_t type, const struct format_info *f)
{
	switch (f->numeric) {
	case FORMAT_UINT:
		return type == ISA_U32 || type == ISA_U16;
	case FORMAT_SINT:
		return type == ISA_I32 || type == ISA_I16;
	default:
		return type == ISA_F32 || type == ISA_F16;
	}
}

/* Target i, bound, with an output written to it (for the second source of dual-source blending: output 1, target 0). */
static void check_output_type(struct check *c, const struct format_info *f, unsigned output, unsigned i, uint8_t type)
{
	const char *is = type == ISA_F32 || type == ISA_F16 ? "float" : type == ISA_U32 || type == ISA_U16 ? "uint" : "int";
	if (!type_matches(type, f))
		REFUSE(c, CREATEGRAPHICSPIPELINESTATE_PS_OUTPUT_TYPE_MISMATCH, "SV_Target%u is %s, RTVFormats[%u] is %s", output, is,
			i, f->name);
}

static void check_output(
	struct check *c, const struct kiln_graphics_pipeline_desc *d, const struct export_outputs *o, unsigned i)
{
	const struct kiln_render_target_blend_desc *b = pipeline_blend(d, i);
	const struct format_info *f = format_info(d->RTVFormats[i]);
	unsigned missing = format_stored(f) & ~o->written[i];
	check_output_type(c, f, i, i, o->type[i]);
	if (b->BlendEnable && !(f->caps & FORMAT_CAN_BLEND))
		REFUSE(c, CREATEGRAPHICSPIPELINESTATE_OM_RENDER_TARGET_DOES_NOT_SUPPORT_BLENDING,
			"BlendEnable is on for target %u, whose format %s does not blend", i, f->name);
	if (b->LogicOpEnable && !(f->caps & FORMAT_CAN_LOGIC))
		REFUSE(c, CREATEGRAPHICSPIPELINESTATE_OM_RENDER_TARGET_DOES_NOT_SUPPORT_LOGIC_OPS,
			"LogicOpEnable is on for target %u, whose format %s takes no logic operation", i, f->name);
	if (missing)
		WARN(c, CREATEGRAPHICSPIPELINESTATE_PS_OUTPUT_RT_OUTPUT_MISMATCH,
			"SV_Target%u does not write channels (mask 0x%x) that RTVFormats[%u] %s stores", i, missing, i, f->name);
}

static void check_dual_source(struct check *c, const struct kiln_graphics_pipeline_desc *d, const struct export_outputs *o)
{
	bool dual = pipeline_is_dual_source(d), other = false, elsewhere = false;
	for (unsigned i = 1; i < d->NumRenderTargets; i++) {
		other |= d->RTVFormats[i] != KILN_FORMAT_UNKNOWN;
		elsewhere |= d->BlendState.IndependentBlendEnable && d->RTVFormats[i] && export_is_dual_source(pipeline_blend(d, i));
	}
	if ((dual && other) || elsewhere)
		REFUSE(c, CREATEGRAPHICSPIPELINESTATE_OM_DUAL_SOURCE_BLENDING_CAN_ONLY_HAVE_RENDER_TARGET_0,
			"SRC1 blend factors are used while a render target beside 0 is bound");
	if (!dual)
		return;
	if (!o->written[0] || !o->written[1])
		REFUSE(c, DUAL_SOURCE_OUTPUT_MISSING,
			"target 0: SRC1 blend factors are used but SV_Target%u is not written, it would be garbage",
			o->written[0] ? 1 : 0);
	else if (d->NumRenderTargets && is_format(d->RTVFormats[0]))
		check_output_type(c, format_info(d->RTVFormats[0]), 1, 0, o->type[1]);
}

bool pipeline_validate_outputs(const char *name, const struct kiln_graphics_pipeline_desc *d, const struct isa_program *ps,
	enum kiln_export_policy policy, struct kiln_diags *diags)
{
	struct check c = {name, diags, true};
	struct export_outputs outputs;
	bool bound = false, written = false, dual = pipeline_is_dual_source(d);
	if (!ps)
		return true; /* depth only: targets and blending are ignored */
	export_scan(ps, &outputs);
	for (unsigned i = 0; i < KILN_RENDER_TARGETS_MAX; i++) {
		struct export_input in;
		pipeline_export_input(d, &outputs, i, &in);
		bool known = i < d->NumRenderTargets && d->RTVFormats[i] != KILN_FORMAT_UNKNOWN;
		bool usable = in.format != KILN_FORMAT_UNKNOWN && !export_choose(&in, policy).unsupported;
		bool second = i == 1 && dual, coverage = in.alpha_to_coverage;
		if (known && !usable)
			WARN(&c, RENDER_TARGET_FORMAT_NOT_RENDERABLE, "RTVFormats[%u] is %s", i, format_info(d->RTVFormats[i])->name);
		bound |= usable;
		written |= outputs.written[i] != 0;
		if (outputs.written[i] && usable)
			check_output(&c, d, &outputs, i);
		else if (outputs.written[i] && !known && !second && !coverage)
			WARN(&c, CREATEGRAPHICSPIPELINESTATE_RENDERTARGETVIEW_NOT_SET,
				"the pixel shader writes SV_Target%u, which has no format", i);
	}
	if (bound && !written)
		WARN(&c, CREATEGRAPHICSPIPELINESTATE_RENDERTARGETVIEW_NOT_SET,
			"render targets have formats but the pixel shader writes none");
	check_dual_source(&c, d, &outputs);
	return c.ok;
}

/* ---- programs ---- */
static void check_programs(struct check *c, const struct pipeline_inputs *in)
{
	const struct kiln_graphics_pipeline_desc *d = in->desc;
	bool position = false, raster = in->ps || d->DepthStencilState.DepthEnable || d->DepthStencilState.StencilEnable;
	for (size_t i = 0; i < in->vs->output_count; i++)
		position |= in->vs->outputs[i].semantic == ISA_SEM_POSITION;
	if (in->vs->stage != ISA_VERTEX)
		REFUSE(c, CREATEVERTEXSHADER_INVALIDSHADERTYPE, "'%s', given as vertex shader, is of another stage", in->vs->name);
	else if (raster && !position)
		REFUSE(c, CREATEGRAPHICSPIPELINESTATE_POSITION_NOT_PRESENT, "vertex shader '%s' does not write SV_Position",
			in->vs->name);
	if (in->vs->flags & ISA_PATCHED)
		REFUSE(c, CREATEVERTEXSHADER_INVALIDSHADERBYTECODE, "'%s' was already patched", in->vs->name);
	if (!in->ps)
		return;
	if (in->ps->stage != ISA_PIXEL)
		REFUSE(c, CREATEPIXELSHADER_INVALIDSHADERTYPE, "'%s', given as pixel shader, is of another stage", in->ps->name);
	if (in->ps->flags & ISA_PATCHED)
		REFUSE(c, CREATEPIXELSHADER_INVALIDSHADERBYTECODE, "'%s' was already patched", in->ps->name);
	if (in->ps->vgprs > ISA_VGPRS_MAX - ISA_EXPORT_TEMPS)
		REFUSE(c, CREATEPIXELSHADER_INVALIDSHADERBYTECODE, "'%s' uses %u vector registers and leaves none to export with",
			in->ps->name, in->ps->vgprs);
	if (d->SampleDesc.Quality == center_pattern && in->ps->flags & ISA_SAMPLE_FREQUENCY)
		REFUSE(c, CREATEGRAPHICSPIPELINESTATE_INVALID_USE_OF_CENTER_MULTISAMPLE_PATTERN,
			"SampleDesc.Quality is the centre pattern and pixel shader '%s' runs at sample frequency", in->ps->name);
	if (d->RasterizerState.ForcedSampleCount && in->ps->flags & (ISA_SAMPLE_FREQUENCY | ISA_WRITES_DEPTH))
		REFUSE(c, CREATEGRAPHICSPIPELINESTATE_INVALID_USE_OF_FORCED_SAMPLE_COUNT,
			"RasterizerState.ForcedSampleCount is on and pixel shader '%s' runs at sample frequency or writes depth",
			in->ps->name);
}

/* ---- root signature coverage ---- */
enum { KIND_ACCELERATION = 16 };

struct stage_binding {
	enum diag_id id;
	uint8_t visibility;
	uint32_t deny;
	const char *stage;
};
static const struct stage_binding vertex_stage = {
	DIAG_CREATEGRAPHICSPIPELINESTATE_VS_ROOT_SIGNATURE_MISMATCH, 1, 0x2, "vertex"};
static const struct stage_binding pixel_stage = {
	DIAG_CREATEGRAPHICSPIPELINESTATE_PS_ROOT_SIGNATURE_MISMATCH, 5, 0x20, "pixel"};

static const struct stage_binding compute_stage = {
	DIAG_CREATECOMPUTEPIPELINESTATE_CS_ROOT_SIGNATURE_MISMATCH, 0, 0, "compute"};

static bool is_visible(uint32_t visibility, const struct stage_binding *s)
{
	return !visibility || visibility == s->visibility;
}

static bool intersects(uint32_t a, uint64_t a_count, uint32_t b, uint64_t b_count)
{
	return a < b + b_count && b < a + a_count;
}

/* What keeps [reg, reg + count) of a root signature entry from serving the resource; NULL: serves; "" : is not about it. */
static const char *entry_fault(const struct isa_resource *r, uint32_t space, uint32_t reg, uint32_t count)
{
	uint64_t want = r->count == unbounded ? 1 : r->count, have = count == unbounded ? (uint64_t)1 << 32 : count;
	if (space != r->space || !intersects(r->lower, want, reg, have))
		return "";
	return r->lower >= reg && r->lower + want <= reg + have ? NULL : "the range that meets it does not hold all of it";
}

static const char *descriptor_fault(const struct isa_resource *r)
{
	if (r->cls == ISA_CBV)
		return NULL;
	if (r->kind != ISA_KIND_RAW_BUFFER && r->kind != ISA_KIND_STRUCTURED_BUFFER && r->kind != KIND_ACCELERATION)
		return "a root descriptor cannot hold a typed resource";
	return r->cls == ISA_UAV && r->flags & 1 ? "a root descriptor cannot hold a UAV with a counter" : NULL;
}

static const char *parameter_fault(const struct isa_resource *r, const struct root_parameter *p)
{
	static const uint8_t range_class[] = {ISA_SRV, ISA_UAV, ISA_CBV, ISA_SAMPLER};
	static const uint8_t root_class[] = {
		[ROOT_PARAMETER_CONSTANTS] = ISA_CBV, [ROOT_PARAMETER_CBV] = ISA_CBV, [ROOT_PARAMETER_SRV] = ISA_SRV,
		[ROOT_PARAMETER_UAV] = ISA_UAV};
	const char *fault = "";
	if (p->type != ROOT_PARAMETER_TABLE) {
		fault = root_class[p->type] == r->cls ? entry_fault(r, p->space, p->reg, 1) : "";
		return fault ? fault : descriptor_fault(r);
	}
	for (size_t i = 0; i < p->range_count && fault && !*fault; i++)
		if (range_class[p->ranges[i].type] == r->cls)
			fault = entry_fault(r, p->ranges[i].space, p->ranges[i].reg, p->ranges[i].count);
	return fault;
}

/* Descriptors taken from the heaps themselves need a flag and no entry. */
static const char *heap_fault(const struct isa_resource *r, const struct root_signature *root)
{
	enum { CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED = 0x400, SAMPLER_HEAP_DIRECTLY_INDEXED = 0x800 };
	uint32_t flag = r->cls == ISA_SAMPLER ? SAMPLER_HEAP_DIRECTLY_INDEXED : CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED;
	return root->flags & flag ? NULL : "it stands in a descriptor heap, which the root signature does not let index directly";
}

/* NULL: the root signature serves the resource. */
static const char *resource_fault(
	const struct isa_resource *r, const struct root_signature *root, const struct stage_binding *s)
{
	const char *fault = "";
	if (r->flags & ISA_RESOURCE_HEAP)
		return heap_fault(r, root);
	for (size_t i = 0; i < root->parameter_count && fault && !*fault; i++)
		if (is_visible(root->parameters[i].visibility, s))
			fault = parameter_fault(r, &root->parameters[i]);
	for (size_t i = 0; r->cls == ISA_SAMPLER && i < root->sampler_count && fault && !*fault; i++)
		if (is_visible(root->samplers[i].visibility, s))
			fault = entry_fault(r, root->samplers[i].space, root->samplers[i].reg, 1);
	return fault && !*fault ? "the root signature does not have it" : fault;
}

static void check_root(
	struct check *c, const struct isa_program *p, const struct root_signature *root, const struct stage_binding *s)
{
	for (size_t i = 0; i < p->resource_count; i++) {
		const struct isa_resource *r = &p->resources[i];
		const char *fault =
			root->flags & s->deny ? "the root signature denies this stage any binding" : resource_fault(r, root, s);
		if (!fault)
			continue;
		diag_add(c->diags, s->id, c->name, "%s shader '%s' reads %c%u of space %u%s%s: %s", s->stage, p->name,
			"tubs"[r->cls & 3], r->lower, r->space, r->name && *r->name ? ", " : "", r->name ? r->name : "", fault);
		c->ok = false;
	}
}

bool pipeline_validate(const struct pipeline_inputs *in, struct kiln_diags *diags)
{
	struct check c = {in->name ? in->name : "PSO", diags, true};
	if ((unsigned)in->policy > KILN_EXPORT_MESA_GFX10_3)
		REFUSE(&c, INVALID_EXPORT_POLICY, "the export policy is %u", (unsigned)in->policy);
	if (!in->vs)
		REFUSE(&c, CREATEGRAPHICSPIPELINESTATE_VERTEX_SHADER_NOT_SET, "there is no vertex shader");
	c.ok &= pipeline_validate_state(c.name, in->desc, diags);
	if (in->vs)
		check_programs(&c, in);
	if (!c.ok)
		return false; /* the rest takes state and stages for granted */
	c.ok &= pipeline_validate_outputs(c.name, in->desc, in->ps, in->policy, diags);
	if (in->root && in->desc->NumInputElements && !(in->root->flags & 1))
		REFUSE(&c, CREATEGRAPHICSPIPELINESTATE_MISSING_ROOT_SIGNATURE_FLAGS,
			"there is an input layout but the root signature does not allow one");
	const struct isa_program *programs[] = {in->vs, in->ps};
	struct root_signature *own = in->root ? NULL : root_signature_default(programs, 2); /* has room for so many alone */
	check_root(&c, in->vs, in->root ? in->root : own, &vertex_stage);
	if (in->ps)
		check_root(&c, in->ps, in->root ? in->root : own, &pixel_stage);
	root_signature_destroy(own);
	return c.ok;
}

bool pipeline_validate_compute(
	const char *name, const struct isa_program *cs, const struct root_signature *root, struct kiln_diags *diags)
{
	struct check c = {name ? name : "PSO", diags, true};
	if (!cs)
		REFUSE(&c, CREATECOMPUTEPIPELINESTATE_INVALID_SHADER, "there is no compute shader");
	else if (cs->stage != ISA_COMPUTE)
		REFUSE(&c, CREATECOMPUTEPIPELINESTATE_INVALID_SHADER, "shader '%s' is of stage %s", cs->name, isa_stage_names[cs->stage]);
	if (c.ok && root)
		check_root(&c, cs, root, &compute_stage);
	return c.ok;
}
