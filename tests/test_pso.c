/* Pipelines: creation. Validation under D3D12's message names, linking, export patching. Expected numbers are those of the
 * facts (section 7 and appendix B). */
#include "tests/pso_rig.h"
#include <math.h>

/* ---- creation ---- */
Test(pso, create_links_and_patches)
{
	struct setup s;
	struct pipeline *p = create(begin(&s));
	cr_assert(p, "%s", all_text(s.diags));
	cr_expect(kiln_diags_count(s.diags) == 0, "%s", all_text(s.diags));
	cr_expect(p->vs_layout[0] == 0 && p->vs_layout[1] == 1 && p->vs_layout[2] == 0xff);
	cr_expect(p->ps_param[0] == 0xff && p->ps_param[1] == 1);
	cr_expect(p->desc.InputElementDescs[1].AlignedByteOffset == 12, "append after 12 bytes of position");
	cr_expect(p->desc.InputElementDescs != s.e && p->desc.InputElementDescs[0].SemanticName != s.e[0].SemanticName);
	cr_expect(p->export_slot[0] == 0 && p->export_slot[1] == 0xff);
	cr_expect(p->root && p->ps->flags & ISA_PATCHED && !(s.ps->flags & ISA_PATCHED));
	pipeline_release(p);
	pipeline_release(NULL);
	end(&s);
}

Test(pso, append_aligned)
{
	/* R8 at 0, R16G16 at 4 (aligned to 4), R8G8 at 8, R16 at 10; another slot starts at 0; a fixed offset moves the append
	 * point */
	static const struct {
		uint32_t format, slot, offset, resolved;
	} rows[] = {
		{KILN_FORMAT_R8_UNORM, 0, 0xffffffff, 0},
		{KILN_FORMAT_R16G16_FLOAT, 0, 0xffffffff, 4},
		{KILN_FORMAT_R8G8_UNORM, 0, 0xffffffff, 8},
		{KILN_FORMAT_R16_FLOAT, 0, 0xffffffff, 10},
		{KILN_FORMAT_R32G32B32A32_FLOAT, 1, 0xffffffff, 0},
		{KILN_FORMAT_R32_FLOAT, 0, 40, 40},
		{KILN_FORMAT_R8_UNORM, 0, 0xffffffff, 44},
	};
	struct setup s;
	begin(&s);
	for (uint32_t i = 0; i < ARRAY_COUNT(rows); i++)
		s.e[2 + i] =
			(struct kiln_input_element_desc){"X", i, rows[i].format, 2 + rows[i].slot, rows[i].offset, KILN_PER_VERTEX, 0};
	s.d.NumInputElements = 2 + ARRAY_COUNT(rows);
	struct pipeline *p = create(&s);
	cr_assert(p, "%s", all_text(s.diags));
	for (uint32_t i = 0; i < ARRAY_COUNT(rows); i++)
		cr_expect(p->desc.InputElementDescs[2 + i].AlignedByteOffset == rows[i].resolved, "row %u: %u", i,
			p->desc.InputElementDescs[2 + i].AlignedByteOffset);
	pipeline_release(p);
	end(&s);
}

/* One wrong thing each: refused with this number. s is the setup, d its state, e its input elements. */
static void expect_refused(struct setup *s, uint32_t number, const char *what)
{
	struct pipeline *p = create(s);
	const struct kiln_diag *g = find(s->diags, number);
	cr_expect(!p, "%s: created", what);
	cr_expect(g && g->severity == KILN_ERROR, "%s: no error %u in%s", what, number, all_text(s->diags));
	cr_expect(g && *g->text && *g->remedy && strcmp(g->where, "base") == 0, "%s", what);
	pipeline_release(p);
	end(s);
}
#define REFUSED(number, change)                                                                                             \
	do {                                                                                                                    \
		struct setup setup, *s = begin(&setup);                                                                             \
		struct kiln_graphics_pipeline_desc *d = &s->d;                                                                      \
		struct kiln_input_element_desc *e = s->e;                                                                           \
		(void)d, (void)e;                                                                                                   \
		change;                                                                                                             \
		expect_refused(s, number, #change);                                                                                 \
	} while (0)

Test(pso, refused_layout)
{
	REFUSED(3053, d->NumInputElements = 1000000000);
	REFUSED(3053, d->NumInputElements = 33);
	REFUSED(3658, d->InputElementDescs = NULL);
	REFUSED(3658, d->NumInputElements = 0);
	REFUSED(3054, e[0].Format = 1000000000);
	REFUSED(3054, e[0].Format = KILN_FORMAT_UNKNOWN);
	REFUSED(3055, e[0].Format = KILN_FORMAT_BC1_UNORM);
	REFUSED(3055, e[0].Format = KILN_FORMAT_D32_FLOAT);
	REFUSED(3056, e[0].InputSlot = 32);
	REFUSED(3056, e[0].InputSlot = 0xffffffff);
	REFUSED(3057, e[0].InputSlotClass = 2);
	REFUSED(3058, e[0].InstanceDataStepRate = 1);
	REFUSED(3059, e[1].InputSlotClass = KILN_PER_INSTANCE);
	REFUSED(3060, (e[0].InputSlotClass = e[1].InputSlotClass = KILN_PER_INSTANCE, e[1].InstanceDataStepRate = 1));
	REFUSED(3061, e[0].AlignedByteOffset = 2);
	REFUSED(3061, e[0].AlignedByteOffset = 0xfffffffc);
	REFUSED(3062, (e[2] = e[1], e[2].SemanticName = "COLOR", d->NumInputElements = 3));
	REFUSED(3064, e[0].SemanticName = NULL);
	REFUSED(3064, e[0].SemanticName = "");
	REFUSED(3239, e[0].SemanticName = "POSITION0");
	REFUSED(3065, e[1].SemanticName = "COLOUR");
	REFUSED(3065, e[1].SemanticIndex = 1);
	REFUSED(3683, (s->with_root = true, s->root.flags = 0));
}

Test(pso, refused_state)
{
	REFUSED(3656, d->NumRenderTargets = 1000000000);
	REFUSED(3656, d->NumRenderTargets = 9);
	REFUSED(3655, d->NumRenderTargets = 0);
	REFUSED(3655, d->RTVFormats[7] = KILN_FORMAT_R8_UNORM);
	REFUSED(3911, d->RTVFormats[0] = 1000000000);
	REFUSED(3911, d->RTVFormats[0] = 66);
	REFUSED(3911, d->DSVFormat = 5000);
	REFUSED(3685, d->SampleDesc.Count = 0);
	REFUSED(3685, d->SampleDesc.Count = 3);
	REFUSED(3685, d->SampleDesc.Count = 1000000000);
	REFUSED(3685, d->SampleDesc.Quality = 1);
	REFUSED(3671, (d->SampleDesc.Quality = 0xfffffffe, d->RasterizerState.AntialiasedLineEnable = true));
	REFUSED(3671, (d->SampleDesc.Quality = 0xfffffffe, s->ps->flags |= ISA_SAMPLE_FREQUENCY));
	REFUSED(3673, d->PrimitiveTopologyType = 0);
	REFUSED(3673, d->PrimitiveTopologyType = KILN_TOPOLOGY_TYPE_PATCH);
	REFUSED(3673, d->PrimitiveTopologyType = 77);
	REFUSED(3684, d->IBStripCutValue = 3);
	REFUSED(3914, d->ShaderLimits.PSWaves = 1000000000);
	REFUSED(3917, s->policy = (enum kiln_export_policy)3);
	/* rasteriser */
	REFUSED(3095, d->RasterizerState.FillMode = 1);
	REFUSED(3096, d->RasterizerState.CullMode = 0);
	REFUSED(3096, d->RasterizerState.CullMode = 4);
	REFUSED(3097, d->RasterizerState.DepthBiasClamp = NAN);
	REFUSED(3098, d->RasterizerState.SlopeScaledDepthBias = INFINITY);
	REFUSED(3098, d->RasterizerState.DepthBias = NAN);
	REFUSED(3401, d->RasterizerState.ForcedSampleCount = 2);
	REFUSED(3401, d->RasterizerState.ForcedSampleCount = 1000000000);
	REFUSED(3672, (d->RasterizerState.ForcedSampleCount = 4, d->DSVFormat = KILN_FORMAT_D32_FLOAT));
	REFUSED(3672, (d->RasterizerState.ForcedSampleCount = 4, d->SampleDesc.Count = 4));
	REFUSED(3672, (d->RasterizerState.ForcedSampleCount = 4, s->ps->flags |= ISA_WRITES_DEPTH));
	REFUSED(3990, d->RasterizerState.LineRasterizationMode = 4);
	REFUSED(3647, d->RasterizerState.ConservativeRaster = 2);
	REFUSED(3647, (d->RasterizerState.ConservativeRaster = 1, d->RasterizerState.FillMode = KILN_FILL_WIREFRAME));
	REFUSED(3647, (d->RasterizerState.ConservativeRaster = 1, d->PrimitiveTopologyType = KILN_TOPOLOGY_TYPE_LINE));
	/* depth and stencil */
	REFUSED(3100, (d->DepthStencilState.DepthEnable = true, d->DepthStencilState.DepthWriteMask = 2));
	REFUSED(3101, (d->DepthStencilState.DepthEnable = true, d->DepthStencilState.DepthFunc = 0));
	REFUSED(3101, (d->DepthStencilState.DepthEnable = true, d->DepthStencilState.DepthFunc = 9));
#define STENCIL(number, field, value)                                                                                       \
	REFUSED(number, (d->DepthStencilState.StencilEnable = true, d->DepthStencilState.field = (value)))
	STENCIL(3102, FrontFace.StencilFailOp, 0);
	STENCIL(3103, FrontFace.StencilDepthFailOp, 9);
	STENCIL(3104, FrontFace.StencilPassOp, 0);
	STENCIL(3105, FrontFace.StencilFunc, 9);
	STENCIL(3106, BackFace.StencilFailOp, 0);
	STENCIL(3107, BackFace.StencilDepthFailOp, 9);
	STENCIL(3108, BackFace.StencilPassOp, 0);
	STENCIL(3109, BackFace.StencilFunc, 1000000000);
	STENCIL(3916, StencilReadMask, 256);
}

Test(pso, refused_blend)
{
#define TARGET d->BlendState.RenderTarget[0]
#define BLENDED(number, change) REFUSED(number, (TARGET.BlendEnable = true, change))
	BLENDED(3111, TARGET.SrcBlend = 0);
	BLENDED(3111, TARGET.SrcBlend = 12);
	BLENDED(3111, TARGET.SrcBlend = 13);
	BLENDED(3111, TARGET.SrcBlend = 22);
	BLENDED(3112, TARGET.DestBlend = 1000000000);
	BLENDED(3113, TARGET.BlendOp = 0);
	BLENDED(3113, TARGET.BlendOp = 6);
	BLENDED(3114, TARGET.SrcBlendAlpha = KILN_BLEND_SRC_COLOR);
	BLENDED(3114, TARGET.SrcBlendAlpha = KILN_BLEND_INV_SRC1_COLOR);
	BLENDED(3115, TARGET.DestBlendAlpha = KILN_BLEND_INV_DEST_COLOR);
	BLENDED(3115, TARGET.DestBlendAlpha = 0);
	BLENDED(3116, TARGET.BlendOpAlpha = 6);
	BLENDED(3113, (TARGET.SrcBlend = KILN_BLEND_SRC1_COLOR, TARGET.BlendOp = KILN_BLEND_OP_MIN));
	BLENDED(3116, (TARGET.SrcBlend = KILN_BLEND_SRC1_COLOR, TARGET.BlendOpAlpha = KILN_BLEND_OP_MAX));
	REFUSED(3117, TARGET.RenderTargetWriteMask = 16);
	REFUSED(3117,
		(d->BlendState.IndependentBlendEnable = true, d->BlendState.RenderTarget[7].RenderTargetWriteMask = 1000000000));
	REFUSED(3403, (TARGET.LogicOpEnable = true, TARGET.LogicOp = 16));
	BLENDED(3403, TARGET.LogicOpEnable = true);
	REFUSED(3403, (TARGET.LogicOpEnable = true, d->BlendState.IndependentBlendEnable = true));
	REFUSED(3678, TARGET.LogicOpEnable = true);
	BLENDED(
		3675, (TARGET.SrcBlend = KILN_BLEND_SRC1_COLOR, d->NumRenderTargets = 2, d->RTVFormats[1] = KILN_FORMAT_R8_UNORM));
	BLENDED(3913, TARGET.SrcBlend = KILN_BLEND_SRC1_COLOR);
	BLENDED(3913, TARGET.DestBlendAlpha = KILN_BLEND_SRC1_ALPHA);
	REFUSED(3982, (d->RTVFormats[0] = KILN_FORMAT_R9G9B9E5_SHAREDEXP, TARGET.RenderTargetWriteMask = 3));
}

static void replace(struct isa_program **p, struct isa_program *by)
{
	isa_program_destroy(*p);
	*p = by;
}

static struct isa_program *typed_pixel(uint32_t mask, uint32_t type)
{
	const struct output o = {0, mask, type};
	return pixel_program(&o, 1);
}

Test(pso, refused_programs)
{
	REFUSED(3657, replace(&s->vs, NULL));
	REFUSED(3068, s->vs->stage = ISA_COMPUTE);
	REFUSED(3094, s->ps->stage = ISA_VERTEX);
	REFUSED(3067, s->vs->flags |= ISA_PATCHED);
	REFUSED(3093, s->ps->flags |= ISA_PATCHED);
	REFUSED(3093, s->ps->vgprs = 253);
	REFUSED(3682, (s->vs->outputs++, s->vs->output_count--));
	REFUSED(3915, s->vs->output_count = 33; s->vs->outputs = arena_array(&s->vs->arena, 33, sizeof(struct isa_io));
			s->vs->outputs[0] = (struct isa_io)POSITION_OUT);
	/* types of targets */
	REFUSED(3677, d->RTVFormats[0] = KILN_FORMAT_R8G8B8A8_UINT);
	REFUSED(3677, d->RTVFormats[0] = KILN_FORMAT_R32_SINT);
	REFUSED(3677, replace(&s->ps, typed_pixel(15, ISA_U32)));
	REFUSED(3677, (replace(&s->ps, typed_pixel(15, ISA_I32)), d->RTVFormats[0] = KILN_FORMAT_R16_FLOAT));
	REFUSED(3677, (replace(&s->ps, typed_pixel(15, ISA_I32)), d->RTVFormats[0] = KILN_FORMAT_R16_UINT));
	/* stages */
#define COLOR_IN s->ps->inputs[1]
	REFUSED(3666, COLOR_IN.name = "TEXCOORD");
	REFUSED(3666, COLOR_IN.index = 1);
	REFUSED(3660, COLOR_IN.reg = 2);
	REFUSED(3661, COLOR_IN.type = ISA_U32);
	REFUSED(3662, s->vs->outputs[1].cols = 3);
	REFUSED(3663, COLOR_IN.semantic = ISA_SEM_CLIP_DISTANCE);
	REFUSED(3664, s->vs->outputs[1].used = 7);
	REFUSED(3665, COLOR_IN.min_precision = 1);
}

/* The refusal for every integer format: blending (676), for the cells of the export table that have no export. */
Test(pso, integers_do_not_blend)
{
	unsigned seen = 0;
	for (uint32_t f = 1; f < KILN_FORMAT_END; f++) {
		const struct format_info *info = format_info(f);
		if (!info || !(info->caps & FORMAT_CAN_RENDER) || (info->numeric != FORMAT_UINT && info->numeric != FORMAT_SINT))
			continue;
		const uint32_t type = info->numeric == FORMAT_UINT ? ISA_U32 : ISA_I32;
		for (unsigned reads = 0; reads < 2; reads++)
			REFUSED(3676, (replace(&s->ps, typed_pixel(15, type)), d->RTVFormats[0] = f, TARGET.BlendEnable = true,
							  TARGET.SrcBlend = reads ? KILN_BLEND_SRC_ALPHA : KILN_BLEND_ONE,
							  TARGET.RenderTargetWriteMask = reads ? 15 : 0));
		seen++;
	}
	cr_expect(seen == 19, "8, 8_8, 8x4, 16, 16_16, 16x4, 32, 32_32, 32x4 twice and 10_10_10_2 UINT: %u", seen);
	/* only if the pixel shader writes the target */
	struct setup setup, *s = begin(&setup);
	s->d.BlendState.RenderTarget[0].BlendEnable = true;
	s->d.NumRenderTargets = 2;
	s->d.RTVFormats[1] = KILN_FORMAT_R8_UINT;
	struct pipeline *p = create(s);
	cr_expect(p, "%s", all_text(s->diags));
	pipeline_release(p);
	end(s);
}

/* ---- root signatures ---- */
static void bind_cbv(struct setup *s, uint32_t type, uint32_t visibility, uint32_t reg_, uint32_t space)
{
	static const struct isa_resource cbv = {.name = "frame", .cls = ISA_CBV, .kind = 13, .space = 0, .lower = 2, .count = 1};
	s->ps->resources = arena_copy(&s->ps->arena, &cbv, sizeof cbv);
	s->ps->resource_count = 1;
	s->with_root = true;
	s->root.parameter_count = 1;
	s->parameter[0] =
		(struct root_parameter){.type = (uint8_t)type, .visibility = (uint8_t)visibility, .reg = reg_, .space = space};
}

static void bind_table(struct setup *s, uint32_t cls, uint32_t reg_, uint32_t count, uint32_t want)
{
	static struct root_range range;
	bind_cbv(s, 0, 0, 0, 0);
	range = (struct root_range){.type = (uint8_t)cls, .count = count, .reg = reg_};
	s->parameter[0].ranges = &range;
	s->parameter[0].range_count = 1;
	s->ps->resources[0].count = want;
}

static void bind_sampler(struct setup *s, uint32_t reg_, uint32_t visibility)
{
	static struct root_sampler sampler;
	bind_cbv(s, 2, 0, 0, 0);
	s->ps->resources[0].cls = ISA_SAMPLER;
	sampler = (struct root_sampler){.reg = reg_, .visibility = visibility};
	s->root.samplers = &sampler;
	s->root.sampler_count = 1;
}

/* A second range behind the one of bind_table(). */
static void touch(struct setup *s)
{
	static struct root_range ranges[2];
	ranges[0] = s->parameter[0].ranges[0];
	ranges[1] = ranges[0];
	ranges[1].reg += ranges[0].count;
	s->parameter[0].ranges = ranges;
	s->parameter[0].range_count = 2;
}

/* So many textures, and no root signature given. */
static void bind_many(struct setup *s, uint32_t count)
{
	s->ps->resources = arena_array(&s->ps->arena, count, sizeof *s->ps->resources);
	s->ps->resource_count = count;
	for (uint32_t i = 0; i < count; i++)
		s->ps->resources[i] =
			(struct isa_resource){.name = "t", .cls = ISA_SRV, .kind = ISA_KIND_TEXTURE_2D, .lower = i, .count = 1};
}

Test(pso, root_coverage)
{
#define ACCEPTED(change)                                                                                                    \
	do {                                                                                                                    \
		struct setup setup, *s = begin(&setup);                                                                             \
		change;                                                                                                             \
		struct pipeline *p = create(s);                                                                                     \
		cr_expect(p, "%s:%s", #change, all_text(s->diags));                                                                 \
		pipeline_release(p);                                                                                                \
		end(s);                                                                                                             \
	} while (0)
	ACCEPTED(bind_cbv(s, 2, 0, 2, 0));
	ACCEPTED(bind_cbv(s, 2, 5, 2, 0));
	ACCEPTED(bind_cbv(s, 1, 0, 2, 0));
	ACCEPTED(bind_table(s, 2, 0, 4, 1));
	ACCEPTED(bind_table(s, 2, 0, 0xffffffff, 100));
	ACCEPTED(bind_table(s, 2, 2, 1, 0xffffffff)); /* an unbounded array is tested at its base register */
	REFUSED(3690, (bind_cbv(s, 2, 0, 2, 0), s->root.parameter_count = 0));
	REFUSED(3690, bind_cbv(s, 2, 1, 2, 0)); /* vertex stage alone */
	REFUSED(3690, bind_cbv(s, 2, 0, 3, 0));
	REFUSED(3690, bind_cbv(s, 2, 0, 2, 1));
	REFUSED(3690, bind_cbv(s, 3, 0, 2, 0));                          /* an SRV */
	REFUSED(3690, bind_table(s, 0, 2, 1, 1));                        /* SRV range */
	REFUSED(3690, bind_table(s, 2, 2, 3, 4));                        /* one descriptor short */
	REFUSED(3690, (bind_cbv(s, 2, 0, 2, 0), s->root.flags |= 0x20)); /* DENY_PIXEL_SHADER_ROOT_ACCESS */
	REFUSED(3690, (bind_cbv(s, 3, 0, 2, 0), s->ps->resources[0].cls = ISA_SRV, s->ps->resources[0].kind = 2)); /* typed */
	REFUSED(3690, (bind_cbv(s, 4, 0, 2, 0), s->ps->resources[0].cls = ISA_UAV, s->ps->resources[0].kind = 12,
					  s->ps->resources[0].flags = 1)); /* counter */
	ACCEPTED((bind_cbv(s, 3, 0, 2, 0), s->ps->resources[0].cls = ISA_SRV, s->ps->resources[0].kind = 12));
	/* an array is no root descriptor's; samplers are of tables and static; the vertex stage is denied */
	REFUSED(3690, (bind_cbv(s, 2, 0, 2, 0), s->ps->resources[0].count = 2));
	ACCEPTED(bind_sampler(s, 2, 5));
	REFUSED(3690, bind_sampler(s, 2, 1));
	REFUSED(3690, bind_sampler(s, 3, 0));
	REFUSED(3690, (bind_sampler(s, 2, 0), s->ps->resources[0].count = 2));
	REFUSED(3688, (bind_cbv(s, 2, 0, 2, 0), s->vs->resources = s->ps->resources, s->vs->resource_count = 1,
					  s->ps->resource_count = 0, s->root.flags |= 2));
	/* two ranges that touch do not combine; two tables neither */
	REFUSED(3690, (bind_table(s, 2, 2, 1, 2), touch(s)));
	/* Kiln's own has room for 64 tables */
	ACCEPTED(bind_many(s, 64));
	REFUSED(3690, bind_many(s, 65));
	REFUSED(3688, (bind_cbv(s, 2, 5, 2, 0), s->vs->resources = s->ps->resources, s->vs->resource_count = 1));
}

/* ---- warnings: created all the same ---- */
static void expect_warned(struct setup *s, uint32_t number, const char *what)
{
	struct pipeline *p = create(s);
	const struct kiln_diag *g = find(s->diags, number);
	cr_expect(p, "%s: refused%s", what, all_text(s->diags));
	cr_expect(number ? g && g->severity == KILN_WARNING : kiln_diags_count(s->diags) == 0, "%s: expected %u, got%s", what,
		number, all_text(s->diags));
	pipeline_release(p);
	end(s);
}
#define WARNED(number, change)                                                                                              \
	do {                                                                                                                    \
		struct setup setup, *s = begin(&setup);                                                                             \
		struct kiln_graphics_pipeline_desc *d = &s->d;                                                                      \
		struct kiln_input_element_desc *e = s->e;                                                                           \
		(void)d, (void)e;                                                                                                   \
		change;                                                                                                             \
		expect_warned(s, number, #change);                                                                                  \
	} while (0)

Test(pso, warned)
{
	WARNED(3245, e[1].Format = KILN_FORMAT_R8G8B8A8_UINT);
	WARNED(3679, (d->NumRenderTargets = 0, d->RTVFormats[0] = 0));
	WARNED(3679, replace(&s->ps, pixel_program(NULL, 0)));
	WARNED(3925, d->RTVFormats[0] = 0);
	WARNED(3680, d->DepthStencilState.DepthEnable = true);
	WARNED(3981, d->SampleMask = 0);
	WARNED(3974, replace(&s->ps, typed_pixel(7, ISA_F32)));
	WARNED(3910, d->RTVFormats[0] = KILN_FORMAT_BC1_UNORM);
	WARNED(3910, d->RTVFormats[0] = KILN_FORMAT_R8G8B8A8_TYPELESS);
	WARNED(3912, d->DSVFormat = KILN_FORMAT_R32_FLOAT);
	WARNED(
		3904, (replace(&s->ps, typed_pixel(7, ISA_F32)), TARGET.BlendEnable = true, TARGET.SrcBlend = KILN_BLEND_SRC_ALPHA));
	WARNED(3904, (replace(&s->ps, typed_pixel(7, ISA_F32)), d->BlendState.AlphaToCoverageEnable = true));
	/* nothing to say of: */
	WARNED(0, s->ps->inputs[1].interp = ISA_INTERP_CONSTANT);
	WARNED(0, s->ps->inputs[1].reg = 0xffffffff);
	WARNED(0, s->ps->inputs[1].name = "color");
	WARNED(0, (s->ps->inputs[1].cols = 2, s->ps->inputs[1].used = 3));
	WARNED(0, s->ps->input_count = 1);
	WARNED(0, (s->ps->inputs[1].name = "SV_IsFrontFace", s->ps->inputs[1].semantic = ISA_SEM_IS_FRONT_FACE));
	WARNED(0, (replace(&s->ps, NULL), TARGET.BlendEnable = true, d->RTVFormats[0] = KILN_FORMAT_R8_UINT)); /* depth only */
	WARNED(0, memset(&TARGET.SrcBlend, 0, 6 * sizeof(uint32_t))); /* blending off: as HelloTriangle leaves it */
	WARNED(0, (d->RTVFormats[0] = KILN_FORMAT_R32_UINT, replace(&s->ps, typed_pixel(1, ISA_U32)),
				  TARGET.LogicOpEnable = true, TARGET.LogicOp = KILN_LOGIC_OP_XOR));
}

/* ---- patching ---- */
static const struct isa_inst *find_inst(const struct isa_program *p, enum isa_op op, unsigned nth)
{
	for (size_t i = 0; i < p->inst_count; i++)
		if (p->insts[i].op == op && nth-- == 0)
			return &p->insts[i];
	return NULL;
}

/* format, blending, mask -> the conversion and the sources of exp: v0-3 are R G B A, t0 t1 the temporaries, - off */
static const struct {
	uint32_t format;
	unsigned blend, mask;
	uint32_t type;
	int convert;
	unsigned form, exported;
	const char *source[4];
} patches[] = {
	{KILN_FORMAT_R8G8B8A8_UNORM, 0, 15, ISA_F32, ISA_cvt_pkrtz_f16_f32, 4, 15, {"t0", "t1", "-", "-"}},
	{KILN_FORMAT_R8G8B8A8_UNORM, 0, 1, ISA_F32, ISA_cvt_pkrtz_f16_f32, 4, 1, {"t0", "-", "-", "-"}},
	{KILN_FORMAT_R8G8B8A8_UNORM, 0, 8, ISA_F32, ISA_cvt_pkrtz_f16_f32, 4, 8, {"-", "t1", "-", "-"}},
	{KILN_FORMAT_R16G16B16A16_UNORM, 0, 15, ISA_F32, ISA_cvt_pknorm_u16_f32, 5, 15, {"t0", "t1", "-", "-"}},
	{KILN_FORMAT_R16G16B16A16_SNORM, 0, 15, ISA_F32, ISA_cvt_pknorm_i16_f32, 6, 15, {"t0", "t1", "-", "-"}},
	{KILN_FORMAT_R8G8B8A8_UINT, 0, 15, ISA_U32, ISA_cvt_pk_u16_u32, 7, 15, {"t0", "t1", "-", "-"}},
	{KILN_FORMAT_R16G16_SINT, 0, 15, ISA_I32, ISA_cvt_pk_i16_i32, 8, 3, {"t0", "-", "-", "-"}},
	{KILN_FORMAT_R32_FLOAT, 0, 15, ISA_F32, -1, 1, 1, {"v0", "-", "-", "-"}},
	{KILN_FORMAT_R32G32_FLOAT, 0, 15, ISA_F32, -1, 2, 3, {"v0", "v1", "-", "-"}},
	{KILN_FORMAT_R32_FLOAT, 1, 15, ISA_F32, -1, 3, 9, {"v0", "-", "-", "v3"}},
	{KILN_FORMAT_R32G32_FLOAT, 1, 15, ISA_F32, -1, 9, 11, {"v0", "v1", "-", "v3"}},
	{KILN_FORMAT_R32G32B32A32_UINT, 0, 6, ISA_U32, -1, 9, 6, {"-", "v1", "v2", "-"}},
	{KILN_FORMAT_R8G8B8A8_UNORM, 0, 0, ISA_F32, -1, 0, 0, {"-", "-", "-", "-"}},
};

static bool is_source(const struct isa_operand *o, const char *want, uint32_t temps)
{
	if (*want == '-')
		return o->file == ISA_OFF;
	return o->file == ISA_V && o->value == (uint32_t)(want[1] - '0') + (*want == 't' ? temps : 0);
}

Test(pso, patches)
{
	for (size_t i = 0; i < ARRAY_COUNT(patches); i++) {
		struct setup setup, *s = begin(&setup);
		replace(&s->ps, typed_pixel(15, patches[i].type));
		struct kiln_render_target_blend_desc *b = &s->d.BlendState.RenderTarget[0];
		b->BlendEnable = patches[i].blend;
		b->SrcBlend = patches[i].blend ? KILN_BLEND_SRC_ALPHA : KILN_BLEND_ONE;
		b->RenderTargetWriteMask = patches[i].mask;
		s->d.RTVFormats[0] = patches[i].format;
		struct pipeline *p = create(s);
		cr_assert(p, "%zu:%s", i, all_text(s->diags));
		const struct isa_inst *exp = find_inst(p->ps, ISA_exp, 0);
		cr_expect(isa_validate(p->ps, "patched", s->diags), "%zu:%s", i, all_text(s->diags));
		cr_expect(!find_inst(p->ps, ISA_exp_sym, 0) && (exp != NULL) == (patches[i].form != 0), "%zu", i);
		cr_expect(p->ps->insts[p->ps->inst_count - 1].op == ISA_endpgm);
		/* pairs RG and BA, each into its own temporary; a half that is not exported is the literal 0 */
		for (unsigned pair = 0, nth = 0; patches[i].convert >= 0 && pair < 2; pair++) {
			unsigned mask = patches[i].exported >> 2 * pair & 3;
			if (!mask)
				continue;
			const struct isa_inst *cvt = find_inst(p->ps, (enum isa_op)patches[i].convert, nth++);
			cr_assert(cvt && cvt->at[0].file == ISA_V && cvt->at[0].value == s->ps->vgprs + pair, "%zu pair %u", i, pair);
			for (unsigned half = 0; half < 2; half++)
				cr_expect(mask >> half & 1 ? cvt->at[1 + half].file == ISA_V && cvt->at[1 + half].value == 2 * pair + half
										   : cvt->at[1 + half].file == ISA_LIT && cvt->at[1 + half].value == 0,
					"%zu pair %u half %u", i, pair, half);
		}
		cr_expect(patches[i].convert < 0 || p->ps->vgprs == s->ps->vgprs + 2);
		if (exp) {
			cr_expect(exp->at[0].value == ISA_MRT0 && exp->at[1].value == patches[i].form &&
						  exp->at[2].value == patches[i].exported,
				"%zu", i);
			for (unsigned c = 0; c < 4; c++)
				cr_expect(is_source(&exp->at[3 + c], patches[i].source[c], s->ps->vgprs), "%zu source %u", i, c);
		}
		pipeline_release(p);
		end(s);
	}
}

/* Targets 0, 2 and 5 with a hole, an unbound one and an independent mask; the slot is the target's number. */
Test(pso, several_targets)
{
	static const struct output outputs[] = {{0, 15, ISA_F32}, {2, 15, ISA_F32}, {3, 15, ISA_F32}, {5, 15, ISA_U32}};
	struct setup s;
	start(&s, KILN_FORMAT_R8G8B8A8_UNORM, outputs, 4);
	s.d.NumRenderTargets = 6;
	s.d.RTVFormats[2] = KILN_FORMAT_R32G32_FLOAT;
	s.d.RTVFormats[5] = KILN_FORMAT_R32_UINT;
	s.d.BlendState.IndependentBlendEnable = true;
	s.d.BlendState.RenderTarget[2].RenderTargetWriteMask = 1;
	struct pipeline *p = create(&s);
	cr_assert(p, "%s", all_text(s.diags));
	static const uint8_t slots[8] = {0, 0xff, 2, 0xff, 0xff, 5, 0xff, 0xff};
	static const uint8_t forms[8] = {ISA_FORM_fp16_abgr, 0, ISA_FORM_32_r, 0, 0, ISA_FORM_32_r, 0, 0};
	for (unsigned i = 0; i < 8; i++)
		cr_expect(p->export_slot[i] == slots[i] && p->baked[i].form == forms[i], "target %u", i);
	cr_expect(find_inst(p->ps, ISA_exp, 1)->at[0].value == 2 && find_inst(p->ps, ISA_exp, 2)->at[0].value == 5);
	cr_expect(!find_inst(p->ps, ISA_exp, 3));
	pipeline_release(p);
	end(&s);
}

Test(pso, dual_source)
{
	static const struct output outputs[] = {{0, 15, ISA_F32}, {1, 15, ISA_F32}};
	struct setup s;
	start(&s, KILN_FORMAT_R32G32_FLOAT, outputs, 2);
	s.d.BlendState.RenderTarget[0].BlendEnable = true;
	s.d.BlendState.RenderTarget[0].DestBlend = KILN_BLEND_SRC1_ALPHA;
	struct pipeline *p = create(&s);
	cr_assert(p, "%s", all_text(s.diags));
	cr_expect(export_same(&p->baked[0], &p->baked[1]) && p->baked[1].form == ISA_FORM_32_abgr && p->baked[1].channels == 11);
	const struct isa_inst *second = find_inst(p->ps, ISA_exp, 1);
	cr_expect(second && second->at[0].value == 1 && second->at[1].value == ISA_FORM_32_abgr);
	pipeline_release(p);
	end(&s);
}

Test(pso, defaults)
{
	struct kiln_graphics_pipeline_desc d = kiln_graphics_pipeline_default();
	for (unsigned i = 0; i < 8; i++) {
		const struct kiln_render_target_blend_desc *b = &d.BlendState.RenderTarget[i];
		cr_expect(!b->BlendEnable && b->SrcBlend == 2 && b->DestBlend == 1 && b->BlendOp == 1 && b->SrcBlendAlpha == 2 &&
				  b->DestBlendAlpha == 1 && b->BlendOpAlpha == 1 && b->LogicOp == 4 && b->RenderTargetWriteMask == 15);
		cr_expect(d.RTVFormats[i] == 0);
	}
	cr_expect(d.SampleMask == 0xffffffff && d.RasterizerState.FillMode == 3 && d.RasterizerState.CullMode == 3);
	cr_expect(
		!d.RasterizerState.FrontCounterClockwise && d.RasterizerState.DepthClipEnable && d.RasterizerState.DepthBias == 0);
	cr_expect(
		d.DepthStencilState.DepthEnable && d.DepthStencilState.DepthWriteMask == 1 && d.DepthStencilState.DepthFunc == 2);
	cr_expect(!d.DepthStencilState.StencilEnable && d.DepthStencilState.StencilReadMask == 255 &&
			  d.DepthStencilState.StencilWriteMask == 255);
	cr_expect(d.DepthStencilState.FrontFace.StencilFailOp == 1 && d.DepthStencilState.BackFace.StencilFunc == 8);
	cr_expect(d.PrimitiveTopologyType == 3 && d.NumRenderTargets == 0 && d.DSVFormat == 0 && d.SampleDesc.Count == 1);
}
