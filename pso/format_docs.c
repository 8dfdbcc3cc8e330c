/* docs/formats.md, written from the format table. Takes nothing but the table; a test compares the file with it. */
#include "pso/format.h"

static const char *const numeric_names[] = {
	[FORMAT_TYPELESS] = "-", [FORMAT_UNORM] = "unorm", [FORMAT_SNORM] = "snorm", [FORMAT_UINT] = "uint",
	[FORMAT_SINT] = "sint", [FORMAT_FLOAT] = "float", [FORMAT_SRGB] = "sRGB", [FORMAT_SHAREDEXP] = "shared exponent",
	[FORMAT_XR_BIAS] = "biased", [FORMAT_DEPTH] = "depth",
};
/* The columns of capabilities, in the order of their bits. */
static const char *const cap_names[] = {"vertex", "index", "target", "blend", "logic", "depth", "load", "filter", "UAV"};

static const char intro[] =
	"# Formats\n"
	"\n"
	"Written from `pso/format.def`; do not edit. One row is everything Kiln knows of a format: its DXGI number, the bits\n"
	"of an element (of a block for the formats marked *block*), how numbers are stored, each channel as `bits@first bit`\n"
	"of the little-endian element, and what the format can be used for. Depth formats keep depth as R, stencil as G.\n"
	"\n"
	"Conversions follow Direct3D: float to norm clamps, scales, adds one half and truncates, NaN gives 0; float to a\n"
	"smaller float rounds toward zero, finite overflow gives the largest finite value, infinities stay, NaN stays NaN; 11\n"
	"and 10-bit floats have no sign and take negative numbers as 0; integers clamp to the range of the channel; sRGB is\n"
	"exact in both directions, its alpha is linear. Channels that a format does not store read 0, 0, 0 and 1.\n"
	"\n";

static void print_row(const struct format_info *f, struct buf *out)
{
	buf_printf(out, "| %s | %u | %u%s | %s |", f->name, f->number, f->bits, f->caps & FORMAT_COMPRESSED ? " block" : "",
		numeric_names[f->numeric]);
	for (unsigned c = 0; c < 4; c++) {
		if (f->channel[c].bits)
			buf_printf(out, " %u@%u |", f->channel[c].bits, f->channel[c].shift);
		else
			buf_printf(out, " |");
	}
	for (unsigned i = 0; i < ARRAY_COUNT(cap_names); i++)
		buf_printf(out, f->caps >> i & 1 ? " x |" : " |");
	buf_printf(out, "\n");
}

void format_docs(struct buf *out)
{
	buf_printf(out, "%s| format | DXGI | bits | numbers | R | G | B | A |", intro);
	for (unsigned i = 0; i < ARRAY_COUNT(cap_names); i++)
		buf_printf(out, " %s |", cap_names[i]);
	buf_printf(out, "\n|");
	for (unsigned i = 0; i < 8 + ARRAY_COUNT(cap_names); i++)
		buf_printf(out, "---|");
	buf_printf(out, "\n");
	for (uint32_t i = 0; i < KILN_FORMAT_END; i++)
		if (format_info(i))
			print_row(format_info(i), out);
}
