/* A pipeline description as bytes, little endian, field after field: equal descriptions give equal bytes, so that they
 * serve as a key; and back from any bytes. One walk serves both directions. The walk follows the structs of kiln/pso.h:
 * a field that is added there is added here, and the version with it. */
#include "pso/pso.h"

struct walk { struct buf *out; struct reader *in; struct arena *arena; };

static void word(struct walk *w, uint32_t *v)
{
	if (w->out)
		buf_u32(w->out, *v);
	else
		*v = reader_u32(w->in);
}

static void flag(struct walk *w, bool *v)
{
	uint32_t x = *v;
	word(w, &x);
	*v = x != 0;
	if (w->in && x > 1)
		w->in->failed = true;
}

static void real(struct walk *w, float *v)
{
	uint32_t x = float_bits(*v);
	word(w, &x);
	*v = bits_float(x);
}

static void string(struct walk *w, const char **v)
{
	if (w->out)
		buf_put(w->out, *v ? *v : "", strlen(*v ? *v : "") + 1);
	else
		*v = arena_string(w->arena, reader_string(w->in));
}

static void blend(struct walk *w, struct kiln_blend_desc *b)
{
	flag(w, &b->AlphaToCoverageEnable);
	flag(w, &b->IndependentBlendEnable);
	for (size_t i = 0; i < KILN_RENDER_TARGETS_MAX; i++) {
		struct kiln_render_target_blend_desc *t = &b->RenderTarget[i];
		flag(w, &t->BlendEnable);
		flag(w, &t->LogicOpEnable);
		uint32_t *fields[] = {&t->SrcBlend, &t->DestBlend, &t->BlendOp, &t->SrcBlendAlpha, &t->DestBlendAlpha, &t->BlendOpAlpha,
			&t->LogicOp, &t->RenderTargetWriteMask};
		for (size_t k = 0; k < ARRAY_COUNT(fields); k++)
			word(w, fields[k]);
	}
}

static void rasterizer(struct walk *w, struct kiln_rasterizer_desc *r)
{
	word(w, &r->FillMode);
	word(w, &r->CullMode);
	flag(w, &r->FrontCounterClockwise);
	real(w, &r->DepthBias);
	real(w, &r->DepthBiasClamp);
	real(w, &r->SlopeScaledDepthBias);
	flag(w, &r->DepthClipEnable);
	flag(w, &r->MultisampleEnable);
	flag(w, &r->AntialiasedLineEnable);
	word(w, &r->LineRasterizationMode);
	word(w, &r->ForcedSampleCount);
	word(w, &r->ConservativeRaster);
}

static void stencil(struct walk *w, struct kiln_depth_stencilop_desc *s)
{
	word(w, &s->StencilFailOp);
	word(w, &s->StencilDepthFailOp);
	word(w, &s->StencilPassOp);
	word(w, &s->StencilFunc);
}

static void depth_stencil(struct walk *w, struct kiln_depth_stencil_desc *d)
{
	flag(w, &d->DepthEnable);
	word(w, &d->DepthWriteMask);
	word(w, &d->DepthFunc);
	flag(w, &d->StencilEnable);
	word(w, &d->StencilReadMask);
	word(w, &d->StencilWriteMask);
	stencil(w, &d->FrontFace);
	stencil(w, &d->BackFace);
	flag(w, &d->DepthBoundsTestEnable);
}

static void layout(struct walk *w, struct kiln_graphics_pipeline_desc *d)
{
	word(w, &d->NumInputElements);
	if (w->in && d->NumInputElements > KILN_INPUT_ELEMENTS_MAX) {
		w->in->failed = true;
		d->NumInputElements = 0;
	}
	struct kiln_input_element_desc *list = w->in ? arena_array(w->arena, d->NumInputElements, sizeof *list) : NULL;
	for (uint32_t i = 0; i < d->NumInputElements; i++) {
		struct kiln_input_element_desc e = {0};
		if (!w->in)
			e = d->InputElementDescs[i];
		string(w, &e.SemanticName);
		uint32_t *fields[] = {&e.SemanticIndex, &e.Format, &e.InputSlot, &e.AlignedByteOffset, &e.InputSlotClass,
			&e.InstanceDataStepRate};
		for (size_t k = 0; k < ARRAY_COUNT(fields); k++)
			word(w, fields[k]);
		if (w->in)
			list[i] = e;
	}
	if (w->in)
		d->InputElementDescs = list;
}

static void blend_and_mask(struct walk *w, struct kiln_graphics_pipeline_desc *d)
{
	blend(w, &d->BlendState);
	word(w, &d->SampleMask);
}

static void raster(struct walk *w, struct kiln_graphics_pipeline_desc *d) { rasterizer(w, &d->RasterizerState); }

static void depth(struct walk *w, struct kiln_graphics_pipeline_desc *d) { depth_stencil(w, &d->DepthStencilState); }

static void geometry(struct walk *w, struct kiln_graphics_pipeline_desc *d)
{
	word(w, &d->IBStripCutValue);
	word(w, &d->PrimitiveTopologyType);
}

static void targets(struct walk *w, struct kiln_graphics_pipeline_desc *d)
{
	word(w, &d->NumRenderTargets);
	for (size_t i = 0; i < KILN_RENDER_TARGETS_MAX; i++)
		word(w, &d->RTVFormats[i]);
	word(w, &d->DSVFormat);
	word(w, &d->SampleDesc.Count);
	word(w, &d->SampleDesc.Quality);
}

static void limits(struct walk *w, struct kiln_graphics_pipeline_desc *d)
{
	word(w, &d->ShaderLimits.VSWaves);
	word(w, &d->ShaderLimits.PSWaves);
}

static void (*const parts[DESC_PART_COUNT])(struct walk *w, struct kiln_graphics_pipeline_desc *d) = {
	[DESC_BLEND] = blend_and_mask, [DESC_RASTER] = raster, [DESC_DEPTH] = depth, [DESC_LAYOUT] = layout,
	[DESC_GEOMETRY] = geometry, [DESC_TARGETS] = targets, [DESC_LIMITS] = limits};

static void walk(struct walk *w, struct kiln_graphics_pipeline_desc *d)
{
	uint32_t version = GRAPHICS_DESC_VERSION;
	word(w, &version);
	if (w->in && version != GRAPHICS_DESC_VERSION)
		w->in->failed = true;
	for (size_t i = 0; i < DESC_PART_COUNT; i++)
		parts[i](w, d);
}

void graphics_desc_write(const struct kiln_graphics_pipeline_desc *d, struct buf *out)
{
	struct kiln_graphics_pipeline_desc copy = *d;
	walk(&(struct walk){.out = out}, &copy);
}

bool graphics_desc_read(struct reader *in, struct arena *arena, struct kiln_graphics_pipeline_desc *d)
{
	*d = (struct kiln_graphics_pipeline_desc){0};
	walk(&(struct walk){.in = in, .arena = arena}, d);
	return !in->failed;
}

void graphics_desc_write_part(const struct kiln_graphics_pipeline_desc *d, enum desc_part part, struct buf *out)
{
	struct kiln_graphics_pipeline_desc copy = *d;
	parts[part](&(struct walk){.out = out}, &copy);
}

bool graphics_desc_read_part(struct reader *in, struct arena *arena, enum desc_part part,
	struct kiln_graphics_pipeline_desc *d)
{
	parts[part](&(struct walk){.in = in, .arena = arena}, d);
	return !in->failed;
}
