/* Export selection: one render target's state -> the form its colour is exported in. Pure functions.
 *
 * Policy `console`: the smallest supported type (16 or 32 bit) at least as precise as the target and accepted by the
 * blender, which takes 16 and 32 bit float alone; only channels that somebody reads. Policies `mesa-*`: Mesa's rule for the
 * AMD parts of the same generations. docs/export-formats.md has both as tables. */
#include "pso/pso.h"

enum { R = 1, G = 2, B = 4, A = 8, RG = R | G, RGB = RG | B, RGBA = RGB | A };
enum { MISSING_NONE = -1, MISSING_MESA_GFX7 = KILN_EXPORT_MESA_GFX7 };

struct target {
	uint16_t format;
	uint8_t bits, channels, type;
	int8_t missing;
};
static const struct target targets[] = {
#define EXPORT(format, bits, channels, type, missing)                                                                       \
	{KILN_FORMAT_##format, bits, channels, EXPORT_##type, MISSING_##missing},
#include "pso/export.def"
};

static const struct target *find_target(uint32_t format, enum kiln_export_policy policy)
{
	for (size_t i = 0; i < ARRAY_COUNT(targets); i++)
		if (targets[i].format == format)
			return targets[i].missing == (int)policy ? NULL : &targets[i];
	return NULL;
}

/* What a form carries; the 32-bit ones take their type from the target. */
static const struct {
	uint8_t bits, channels, type;
} forms[ISA_FORM_COUNT] = {
	[ISA_FORM_zero] = {0, 0, EXPORT_NONE},
	[ISA_FORM_32_r] = {32, R, EXPORT_FLOAT},
	[ISA_FORM_32_gr] = {32, RG, EXPORT_FLOAT},
	[ISA_FORM_32_ar] = {32, R | A, EXPORT_FLOAT},
	[ISA_FORM_fp16_abgr] = {16, RGBA, EXPORT_FLOAT},
	[ISA_FORM_unorm16_abgr] = {16, RGBA, EXPORT_UNORM},
	[ISA_FORM_snorm16_abgr] = {16, RGBA, EXPORT_SNORM},
	[ISA_FORM_uint16_abgr] = {16, RGBA, EXPORT_UINT},
	[ISA_FORM_sint16_abgr] = {16, RGBA, EXPORT_SINT},
	[ISA_FORM_32_abgr] = {32, RGBA, EXPORT_FLOAT},
};

static bool is_norm(unsigned type) { return type == EXPORT_UNORM || type == EXPORT_SNORM; }

static bool is_integer(unsigned type) { return type == EXPORT_UINT || type == EXPORT_SINT; }

static struct export_choice make(unsigned form, unsigned channels, unsigned target_type, const char *reason)
{
	struct export_choice e = {.reason = reason};
	if (form == ISA_FORM_zero || !channels)
		return e;
	e.form = (uint8_t)form;
	e.channels = (uint8_t)channels;
	e.bits = forms[form].bits;
	e.type = e.bits == 32 && is_integer(target_type) ? (uint8_t)target_type : forms[form].type;
	return e;
}

/* ---- console ---- */
static unsigned form_of_16_bits(unsigned type)
{
	switch (type) {
	case EXPORT_UNORM:
		return ISA_FORM_unorm16_abgr;
	case EXPORT_SNORM:
		return ISA_FORM_snorm16_abgr;
	case EXPORT_UINT:
		return ISA_FORM_uint16_abgr;
	case EXPORT_SINT:
		return ISA_FORM_sint16_abgr;
	default:
		return ISA_FORM_fp16_abgr;
	}
}

static unsigned form_of_32_bits(unsigned channels)
{
	switch (channels) {
	case R:
		return ISA_FORM_32_r;
	case RG:
		return ISA_FORM_32_gr;
	case R | A:
		return ISA_FORM_32_ar;
	default:
		return ISA_FORM_32_abgr;
	}
}

static struct export_choice choose_console(const struct export_input *in, const struct target *t)
{
	unsigned stored = t ? t->channels & in->write_mask : 0, type = t ? t->type : EXPORT_FLOAT;
	bool alpha = in->alpha_to_coverage || (in->blend && in->alpha_read && stored);
	unsigned channels = (stored | (alpha ? A : 0)) & in->written;
	struct export_choice e;
	if (!in->written)
		return make(ISA_FORM_zero, 0, type, "the pixel shader does not write this target");
	if (!stored && in->alpha_to_coverage)
		e = make(ISA_FORM_32_ar, channels, type, "nothing is stored; alpha alone is exported for alpha-to-coverage");
	else if (!t)
		e = make(ISA_FORM_zero, 0, type, "no render target is bound");
	else if (!stored)
		e = make(ISA_FORM_zero, 0, type, "the write mask lets no stored channel through");
	else if (t->bits == 32)
		e = make(form_of_32_bits(channels), channels, type, "32-bit channels need a 32-bit export");
	else if (is_integer(type))
		e = make(form_of_16_bits(type), channels, type, "integer channels of up to 16 bits fit a 16-bit integer export");
	else if (t->bits == 8)
		e = make(ISA_FORM_fp16_abgr, channels, type, "16-bit float is as precise as channels of up to 11 bits, and blends");
	else if (!is_norm(type))
		e = make(ISA_FORM_fp16_abgr, channels, type, "16-bit float channels take a 16-bit float export, which blends");
	else if (!in->blend)
		e = make(form_of_16_bits(type), channels, type, "16-bit normalised channels, not blended, are exported as stored");
	else
		e = make(form_of_32_bits(channels), channels, type,
			"the blender takes float alone, and 16-bit float is less precise than 16-bit normalised channels");
	e.alpha_missing = alpha && !(in->written & A);
	return e;
}

/* ---- Mesa: ac_choose_spi_color_formats and what radv does around it ---- */
static unsigned mesa_form(const struct target *t, bool blend, bool alpha, bool rb_plus)
{
	bool wide = t->bits == 32 || (t->bits == 16 && is_norm(t->type) && blend);
	if (t->bits == 8 && t->channels == R && !alpha && !rb_plus)
		return ISA_FORM_32_r;
	if (!wide)
		return t->bits == 8 && is_norm(t->type) ? ISA_FORM_fp16_abgr : form_of_16_bits(t->type);
	if (t->channels == R)
		return alpha ? ISA_FORM_32_ar : ISA_FORM_32_r;
	if (t->channels == RG && !alpha)
		return ISA_FORM_32_gr;
	return ISA_FORM_32_abgr;
}

static struct export_choice choose_mesa(const struct export_input *in, const struct target *t, bool rb_plus)
{
	bool alpha = in->alpha_to_coverage || (in->blend && in->alpha_read && in->write_mask);
	unsigned form = t && in->write_mask ? mesa_form(t, in->blend, alpha, rb_plus) : ISA_FORM_zero;
	const char *reason = "Mesa's table for this format, blending and alpha";
	if (form == ISA_FORM_zero) {
		form = in->alpha_to_coverage ? ISA_FORM_32_ar : ISA_FORM_zero;
		reason = form ? "nothing is stored; 32_ar carries alpha for alpha-to-coverage"
				 : t  ? "the write mask is 0"
					  : "no render target is bound";
	}
	if (!in->written)
		reason = "the pixel shader does not write this target";
	/* Mesa keeps the form whatever HLSL writes; what it does not write has no value to export. */
	struct export_choice e = make(form, forms[form].channels & in->written, t ? t->type : EXPORT_FLOAT, reason);
	e.alpha_missing = alpha && in->written && !(in->written & A);
	return e;
}

struct export_choice export_choose(const struct export_input *in, enum kiln_export_policy policy)
{
	const struct target *t = find_target(in->format, policy);
	struct export_choice e;
	if (!t && in->format != KILN_FORMAT_UNKNOWN)
		return (struct export_choice){.unsupported = true, .reason = "the colour block cannot store this format"};
	e = policy == KILN_EXPORT_CONSOLE ? choose_console(in, t) : choose_mesa(in, t, policy == KILN_EXPORT_MESA_GFX10_3);
	return e;
}

bool export_same(const struct export_choice *a, const struct export_choice *b)
{
	return a->form == b->form && a->channels == b->channels && a->type == b->type && a->bits == b->bits;
}

bool export_is_superset(const struct export_choice *base, const struct export_choice *required)
{
	return required->form == ISA_FORM_zero ||
		   (base->type == required->type && base->bits == required->bits && !(required->channels & ~base->channels));
}

/* ---- which blend factors read source alpha ---- */
unsigned export_alpha_sources(const struct kiln_render_target_blend_desc *b)
{
	unsigned sources = 0;
	/* MIN and MAX ignore their factors. Alpha-equation factors need nothing of their own: where alpha is stored and not
	 * masked it is exported anyway, else their result goes nowhere. */
	if (!b->BlendEnable || b->BlendOp == KILN_BLEND_OP_MIN || b->BlendOp == KILN_BLEND_OP_MAX)
		return 0;
	for (unsigned i = 0; i < 2; i++) {
		switch (i ? b->DestBlend : b->SrcBlend) {
		case KILN_BLEND_SRC_ALPHA:
		case KILN_BLEND_INV_SRC_ALPHA:
		case KILN_BLEND_SRC_ALPHA_SAT:
			sources |= 1;
			break;
		case KILN_BLEND_SRC1_ALPHA:
		case KILN_BLEND_INV_SRC1_ALPHA:
			sources |= 2;
			break;
		default:
			break;
		}
	}
	return sources;
}

bool export_reads_alpha(const struct kiln_render_target_blend_desc *b) { return export_alpha_sources(b) != 0; }

static bool is_src1(uint32_t factor) { return factor >= KILN_BLEND_SRC1_COLOR && factor <= KILN_BLEND_INV_SRC1_ALPHA; }

bool export_is_dual_source(const struct kiln_render_target_blend_desc *b)
{
	return b->BlendEnable &&
		   (is_src1(b->SrcBlend) || is_src1(b->DestBlend) || is_src1(b->SrcBlendAlpha) || is_src1(b->DestBlendAlpha));
}

void export_print(const struct export_choice *e, struct buf *out)
{
	static const char *const types[] = {"nothing", "float", "unorm", "snorm", "uint", "sint"};
	if (e->form == ISA_FORM_zero) {
		buf_printf(out, "nothing");
		return;
	}
	buf_printf(out, "%s ", isa_form_names[e->form]);
	for (unsigned c = 0; c < 4; c++)
		if (e->channels >> c & 1)
			buf_put(out, &"RGBA"[c], 1);
	buf_printf(out, " %s%u", types[e->type], e->bits);
}
