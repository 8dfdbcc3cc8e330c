/* Linking: input layout -> vertex shader inputs, vertex shader outputs -> pixel shader inputs. Takes validated state and
 * programs; fills vs_layout, ps_param and the offsets of appended elements. Rules: facts sections 7.2 and 7.3. */
#include "pso/pso.h"
#include <string.h>
#include <strings.h>

enum { PARAMS_MAX = 32, NO_SLOT = 0xff };
static const uint32_t append = 0xffffffff, unpacked = 0xffffffff;

static bool same_semantic(const char *a, uint32_t a_index, const char *b, uint32_t b_index)
{
	return a_index == b_index && strcasecmp(a, b) == 0;
}

/* ---- input layout ---- */
void pipeline_resolve_layout(const struct kiln_graphics_pipeline_desc *d, struct kiln_input_element_desc *elements)
{
	uint32_t next[KILN_VERTEX_BUFFERS_MAX] = {0};
	for (uint32_t i = 0; i < d->NumInputElements; i++) {
		struct kiln_input_element_desc *e = &elements[i];
		uint32_t size = format_info(e->Format)->bits / 8u, align = size < 4 ? size : 4;
		if (e->AlignedByteOffset == append)
			e->AlignedByteOffset = (next[e->InputSlot] + align - 1) / align * align;
		next[e->InputSlot] = e->AlignedByteOffset + size;
	}
}

/* Does the format give values of the type that the shader reads? */
static bool type_fits(uint8_t type, uint32_t format)
{
	switch (format_info(format)->numeric) {
	case FORMAT_UINT:
		return type == ISA_U32 || type == ISA_U16;
	case FORMAT_SINT:
		return type == ISA_I32 || type == ISA_I16;
	default:
		return type == ISA_F32 || type == ISA_F16;
	}
}

static bool link_layout(const struct isa_program *vs, struct pipeline *p, struct kiln_diags *diags)
{
	const struct kiln_graphics_pipeline_desc *d = &p->desc;
	bool ok = true;
	for (size_t slot = 0; slot < vs->input_count; slot++) {
		const struct isa_io *in = &vs->inputs[slot];
		if (in->semantic == ISA_SEM_VERTEX_ID || in->semantic == ISA_SEM_INSTANCE_ID)
			continue;
		uint32_t e = 0;
		while (e < d->NumInputElements && !same_semantic(d->InputElementDescs[e].SemanticName,
											  d->InputElementDescs[e].SemanticIndex, in->name, in->index))
			e++;
		if (e == d->NumInputElements) {
			diag_add(diags, e ? DIAG_CREATEINPUTLAYOUT_MISSINGELEMENT : DIAG_CREATEGRAPHICSPIPELINESTATE_INPUTLAYOUT_NOT_SET,
				p->name, "vertex shader '%s' reads %s%u, which the input layout does not have", vs->name, in->name,
				in->index);
			ok = false;
			continue;
		}
		if (!type_fits(in->type, d->InputElementDescs[e].Format))
			diag_add(diags, DIAG_CREATEINPUTLAYOUT_TYPE_MISMATCH, p->name,
				"InputElementDescs[%u] %s%u is %s, the vertex shader reads another type", e, in->name, in->index,
				format_info(d->InputElementDescs[e].Format)->name);
		p->vs_layout[slot] = (uint8_t)e;
	}
	return ok;
}

/* ---- vertex shader to pixel shader ---- */
/* System values that the rasteriser makes where a pixel shader reads them. */
static bool is_generated(uint8_t semantic)
{
	switch (semantic) {
	case ISA_SEM_PRIMITIVE_ID:
	case ISA_SEM_IS_FRONT_FACE:
	case ISA_SEM_SAMPLE_INDEX:
	case ISA_SEM_BARYCENTRICS:
	case ISA_SEM_SHADING_RATE:
	case ISA_SEM_COVERAGE:
	case ISA_SEM_INNER_COVERAGE:
	case ISA_SEM_VIEW_ID:
		return true;
	default:
		return false;
	}
}

static unsigned columns(unsigned cols, unsigned start) { return ((1u << cols) - 1) << start; }

/* One consumer against its producer; the first rule that breaks is reported. */
static bool link_element(const char *where, const struct isa_io *out, const struct isa_io *in, struct kiln_diags *diags)
{
	unsigned extra = columns(in->cols, in->start_col) & ~columns(out->cols, out->start_col);
	unsigned unwritten = (unsigned)in->used << in->start_col & ~((unsigned)out->used << out->start_col);
	if (out->semantic != in->semantic)
		diag_add(diags, DIAG_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_SYSTEMVALUE, where,
			"%s%u is a different system value in the vertex and the pixel shader", in->name, in->index);
	else if (out->reg != in->reg && in->reg != unpacked && out->reg != unpacked)
		diag_add(diags, DIAG_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_REGISTERINDEX, where,
			"%s%u is register %u of the vertex outputs and register %u of the pixel inputs", in->name, in->index, out->reg,
			in->reg);
	else if (out->type != in->type)
		diag_add(diags, DIAG_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_COMPONENTTYPE, where,
			"%s%u has another component type in the vertex than in the pixel shader", in->name, in->index);
	else if (extra)
		diag_add(diags, DIAG_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_REGISTERMASK, where,
			"%s%u: the pixel shader declares components (mask 0x%x) that the vertex shader does not have", in->name,
			in->index, extra);
	else if (out->min_precision != in->min_precision)
		diag_add(diags, DIAG_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_MINPRECISION, where,
			"%s%u has another minimum precision in the vertex than in the pixel shader", in->name, in->index);
	else if (unwritten)
		diag_add(diags, DIAG_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_NEVERWRITTEN_ALWAYSREADS, where,
			"%s%u: the pixel shader reads components (mask 0x%x) that the vertex shader never writes", in->name, in->index,
			unwritten);
	else
		return true;
	return false;
}

static bool link_stages(
	const struct isa_program *vs, const struct isa_program *ps, struct pipeline *p, struct kiln_diags *diags)
{
	bool ok = true;
	for (size_t slot = 0; slot < ps->input_count; slot++) {
		const struct isa_io *in = &ps->inputs[slot];
		size_t o = 0;
		while (o < vs->output_count && !same_semantic(vs->outputs[o].name, vs->outputs[o].index, in->name, in->index))
			o++;
		if (o < vs->output_count) {
			ok &= link_element(p->name, &vs->outputs[o], in, diags);
			if (in->semantic != ISA_SEM_POSITION)
				p->ps_param[slot] = (uint8_t)o;
		} else if (!is_generated(in->semantic)) {
			diag_add(diags, DIAG_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_SEMANTICNAME_NOT_FOUND, p->name,
				"pixel shader '%s' reads %s%u, which vertex shader '%s' does not output", ps->name, in->name, in->index,
				vs->name);
			ok = false;
		}
	}
	return ok;
}

bool pipeline_link(const struct pipeline_inputs *in, struct pipeline *p, struct kiln_diags *diags)
{
	memset(p->vs_layout, NO_SLOT, sizeof p->vs_layout);
	memset(p->ps_param, NO_SLOT, sizeof p->ps_param);
	if (in->vs->output_count > PARAMS_MAX) {
		diag_add(diags, DIAG_TOO_MANY_PARAMETERS, p->name, "vertex shader '%s' has %zu output rows", in->vs->name,
			in->vs->output_count);
		return false;
	}
	struct kiln_input_element_desc *elements =
		arena_copy(&p->arena, p->desc.InputElementDescs, p->desc.NumInputElements * sizeof *elements);
	pipeline_resolve_layout(&p->desc, elements);
	p->desc.InputElementDescs = elements;
	bool ok = link_layout(in->vs, p, diags);
	return (!in->ps || link_stages(in->vs, in->ps, p, diags)) && ok;
}
