/* Export selection. Policy console against every cell and question of the decided table, written out here by hand; the mesa
 * policies against every row of export_oracle.csv, which was computed by Mesa's own functions. */
#include "pso/pso.h"
#include <criterion/criterion.h>
#include <string.h>

enum { NB, BLEND, BLEND_ALPHA, COVERAGE, COLUMNS };

/* "fp16 RGBA" and the like: form, channels; type and bits follow from form and, for the 32-bit forms, a letter f u s. */
static struct export_choice parse(const char *cell)
{
	static const struct {
		const char *name;
		struct export_choice choice;
	} names[] = {
		{"none", {0}},
		{"fp16", {.form = 4, .type = EXPORT_FLOAT, .bits = 16}},
		{"unorm16", {.form = 5, .type = EXPORT_UNORM, .bits = 16}},
		{"snorm16", {.form = 6, .type = EXPORT_SNORM, .bits = 16}},
		{"uint16", {.form = 7, .type = EXPORT_UINT, .bits = 16}},
		{"sint16", {.form = 8, .type = EXPORT_SINT, .bits = 16}},
		{"32_r:f", {.form = 1, .type = EXPORT_FLOAT, .bits = 32}},
		{"32_gr:f", {.form = 2, .type = EXPORT_FLOAT, .bits = 32}},
		{"32_ar:f", {.form = 3, .type = EXPORT_FLOAT, .bits = 32}},
		{"32_abgr:f", {.form = 9, .type = EXPORT_FLOAT, .bits = 32}},
		{"32_r:u", {.form = 1, .type = EXPORT_UINT, .bits = 32}},
		{"32_gr:u", {.form = 2, .type = EXPORT_UINT, .bits = 32}},
		{"32_ar:u", {.form = 3, .type = EXPORT_UINT, .bits = 32}},
		{"32_abgr:u", {.form = 9, .type = EXPORT_UINT, .bits = 32}},
		{"32_r:s", {.form = 1, .type = EXPORT_SINT, .bits = 32}},
		{"32_gr:s", {.form = 2, .type = EXPORT_SINT, .bits = 32}},
		{"32_ar:s", {.form = 3, .type = EXPORT_SINT, .bits = 32}},
		{"32_abgr:s", {.form = 9, .type = EXPORT_SINT, .bits = 32}},
	};
	size_t length = strcspn(cell, " ");
	for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
		if (strlen(names[i].name) != length || memcmp(names[i].name, cell, length))
			continue;
		struct export_choice e = names[i].choice;
		for (const char *c = cell + length; *c; c++)
			if (*c != ' ')
				e.channels |= (uint8_t)(1u << (strchr("RGBA", *c) - "RGBA"));
		return e;
	}
	cr_assert_fail("the test has no form '%s'", cell);
	return (struct export_choice){0};
}

static void expect(const char *what, const struct export_choice *got, const char *cell)
{
	struct export_choice want = parse(cell);
	struct buf a = {0}, b = {0};
	export_print(got, &a);
	export_print(&want, &b);
	cr_expect(export_same(got, &want), "%s: got %s, expected %s", what, buf_text(&a), buf_text(&b));
	cr_expect(got->reason && *got->reason, "%s: no reason", what);
	buf_finish(&a);
	buf_finish(&b);
}

static struct export_input input(const char *format, unsigned column)
{
	int number = format_find(format);
	cr_assert(number > 0, "no format %s", format);
	uint8_t numeric = format_info((uint32_t)number)->numeric;
	return (struct export_input){
		.format = (uint32_t)number,
		.write_mask = 15,
		.written = 15,
		.type = numeric == FORMAT_UINT   ? ISA_U32
				: numeric == FORMAT_SINT ? ISA_I32
										 : ISA_F32,
		.blend = column == BLEND || column == BLEND_ALPHA,
		.alpha_read = column == BLEND_ALPHA,
		.alpha_to_coverage = column == COVERAGE,
	};
}

/* The cells; NULL: refused with 676 before anything is chosen (test_pso.c). */
static const struct {
	const char *format, *cell[COLUMNS];
} cells[] = {
	{"R8_UNORM", {"fp16 R", "fp16 R", "fp16 RA", "fp16 RA"}},
	{"R8_SNORM", {"fp16 R", "fp16 R", "fp16 RA", "fp16 RA"}},
	{"R8G8_UNORM", {"fp16 RG", "fp16 RG", "fp16 RGA", "fp16 RGA"}},
	{"R8G8B8A8_UNORM", {"fp16 RGBA", "fp16 RGBA", "fp16 RGBA", "fp16 RGBA"}},
	{"R8G8B8A8_UNORM_SRGB", {"fp16 RGBA", "fp16 RGBA", "fp16 RGBA", "fp16 RGBA"}},
	{"R8G8B8A8_SNORM", {"fp16 RGBA", "fp16 RGBA", "fp16 RGBA", "fp16 RGBA"}},
	{"B8G8R8A8_UNORM", {"fp16 RGBA", "fp16 RGBA", "fp16 RGBA", "fp16 RGBA"}},
	{"B8G8R8A8_UNORM_SRGB", {"fp16 RGBA", "fp16 RGBA", "fp16 RGBA", "fp16 RGBA"}},
	{"B8G8R8X8_UNORM", {"fp16 RGB", "fp16 RGB", "fp16 RGBA", "fp16 RGBA"}},
	{"A8_UNORM", {"fp16 A", "fp16 A", "fp16 A", "fp16 A"}},
	{"B5G6R5_UNORM", {"fp16 RGB", "fp16 RGB", "fp16 RGBA", "fp16 RGBA"}},
	{"B5G5R5A1_UNORM", {"fp16 RGBA", "fp16 RGBA", "fp16 RGBA", "fp16 RGBA"}},
	{"R10G10B10A2_UNORM", {"fp16 RGBA", "fp16 RGBA", "fp16 RGBA", "fp16 RGBA"}},
	{"R16G16B16A16_FLOAT", {"fp16 RGBA", "fp16 RGBA", "fp16 RGBA", "fp16 RGBA"}},
	{"R16G16_FLOAT", {"fp16 RG", "fp16 RG", "fp16 RGA", "fp16 RGA"}},
	{"R16_FLOAT", {"fp16 R", "fp16 R", "fp16 RA", "fp16 RA"}},
	{"R11G11B10_FLOAT", {"fp16 RGB", "fp16 RGB", "fp16 RGBA", "fp16 RGBA"}},
	{"R8_UINT", {"uint16 R", NULL, NULL, "uint16 RA"}},
	{"R8_SINT", {"sint16 R", NULL, NULL, "sint16 RA"}},
	{"R8G8B8A8_UINT", {"uint16 RGBA", NULL, NULL, "uint16 RGBA"}},
	{"R8G8B8A8_SINT", {"sint16 RGBA", NULL, NULL, "sint16 RGBA"}},
	{"R10G10B10A2_UINT", {"uint16 RGBA", NULL, NULL, "uint16 RGBA"}},
	{"R16_UINT", {"uint16 R", NULL, NULL, "uint16 RA"}},
	{"R16G16_SINT", {"sint16 RG", NULL, NULL, "sint16 RGA"}},
	{"R16G16B16A16_UINT", {"uint16 RGBA", NULL, NULL, "uint16 RGBA"}},
	{"R16G16B16A16_SINT", {"sint16 RGBA", NULL, NULL, "sint16 RGBA"}},
	{"R16_UNORM", {"unorm16 R", "32_r:f R", "32_ar:f RA", "unorm16 RA"}},
	{"R16_SNORM", {"snorm16 R", "32_r:f R", "32_ar:f RA", "snorm16 RA"}},
	{"R16G16_UNORM", {"unorm16 RG", "32_gr:f RG", "32_abgr:f RGA", "unorm16 RGA"}},
	{"R16G16_SNORM", {"snorm16 RG", "32_gr:f RG", "32_abgr:f RGA", "snorm16 RGA"}},
	{"R16G16B16A16_UNORM", {"unorm16 RGBA", "32_abgr:f RGBA", "32_abgr:f RGBA", "unorm16 RGBA"}},
	{"R16G16B16A16_SNORM", {"snorm16 RGBA", "32_abgr:f RGBA", "32_abgr:f RGBA", "snorm16 RGBA"}},
	{"R32_FLOAT", {"32_r:f R", "32_r:f R", "32_ar:f RA", "32_ar:f RA"}},
	{"R32G32_FLOAT", {"32_gr:f RG", "32_gr:f RG", "32_abgr:f RGA", "32_abgr:f RGA"}},
	{"R32G32B32A32_FLOAT", {"32_abgr:f RGBA", "32_abgr:f RGBA", "32_abgr:f RGBA", "32_abgr:f RGBA"}},
	{"R32_UINT", {"32_r:u R", NULL, NULL, "32_ar:u RA"}},
	{"R32_SINT", {"32_r:s R", NULL, NULL, "32_ar:s RA"}},
	{"R32G32_UINT", {"32_gr:u RG", NULL, NULL, "32_abgr:u RGA"}},
	{"R32G32_SINT", {"32_gr:s RG", NULL, NULL, "32_abgr:s RGA"}},
	{"R32G32B32A32_UINT", {"32_abgr:u RGBA", NULL, NULL, "32_abgr:u RGBA"}},
	{"R32G32B32A32_SINT", {"32_abgr:s RGBA", NULL, NULL, "32_abgr:s RGBA"}},
};

Test(export, console_cells)
{
	for (size_t i = 0; i < ARRAY_COUNT(cells); i++)
		for (unsigned c = 0; c < COLUMNS; c++) {
			if (!cells[i].cell[c])
				continue;
			struct export_input in = input(cells[i].format, c);
			struct export_choice e = export_choose(&in, KILN_EXPORT_CONSOLE);
			char what[64];
			snprintf(what, sizeof what, "%s column %u", cells[i].format, c);
			expect(what, &e, cells[i].cell[c]);
			cr_expect(!e.alpha_missing && !e.unsupported, "%s", what);
		}
}

/* Masks and what HLSL writes, bits R 1 G 2 B 4 A 8. */
static const struct {
	const char *format;
	unsigned column, mask, written;
	const char *cell;
	bool alpha_missing;
} masked[] = {
	/* write mask: 16-bit forms keep their form, 32-bit ones shrink */
	{"R8G8B8A8_UNORM", NB, 1, 15, "fp16 R", false},
	{"R8G8B8A8_UNORM", NB, 8, 15, "fp16 A", false},
	{"R8G8B8A8_UNORM", BLEND_ALPHA, 7, 15, "fp16 RGBA", false},
	{"R16G16B16A16_UNORM", NB, 5, 15, "unorm16 RB", false},
	{"R16G16B16A16_SINT", NB, 2, 15, "sint16 G", false},
	{"R32G32_FLOAT", NB, 1, 15, "32_r:f R", false},
	{"R32G32_FLOAT", NB, 2, 15, "32_abgr:f G", false},
	{"R32G32B32A32_FLOAT", NB, 1, 15, "32_r:f R", false},
	{"R32G32B32A32_FLOAT", NB, 3, 15, "32_gr:f RG", false},
	{"R32G32B32A32_FLOAT", NB, 9, 15, "32_ar:f RA", false},
	{"R32G32B32A32_FLOAT", NB, 7, 15, "32_abgr:f RGB", false},
	{"R32G32B32A32_FLOAT", NB, 8, 15, "32_abgr:f A", false},
	{"R32G32B32A32_FLOAT", NB, 4, 15, "32_abgr:f B", false},
	{"R32G32B32A32_UINT", NB, 3, 15, "32_gr:u RG", false},
	{"R16G16B16A16_UNORM", BLEND, 1, 15, "32_r:f R", false},
	{"R16G16B16A16_UNORM", BLEND_ALPHA, 1, 15, "32_ar:f RA", false},
	{"R16G16B16A16_UNORM", BLEND_ALPHA, 3, 15, "32_abgr:f RGA", false},
	/* mask 0, or none that the format stores */
	{"R8G8B8A8_UNORM", NB, 0, 15, "none", false},
	{"R32G32_FLOAT", BLEND_ALPHA, 0, 15, "none", false},
	{"R32G32_FLOAT", BLEND_ALPHA, 12, 15, "none", false},
	{"R8G8B8A8_UNORM", COVERAGE, 0, 15, "32_ar:f A", false},
	{"R32G32B32A32_FLOAT", COVERAGE, 0, 15, "32_ar:f A", false},
	{"R16G16B16A16_UNORM", COVERAGE, 0, 15, "32_ar:f A", false},
	/* HLSL writes fewer channels */
	{"R8G8B8A8_UNORM", NB, 15, 3, "fp16 RG", false},
	{"R32G32B32A32_FLOAT", NB, 15, 3, "32_gr:f RG", false},
	{"R32G32B32A32_FLOAT", NB, 15, 1, "32_r:f R", false},
	{"R32G32B32A32_FLOAT", NB, 15, 7, "32_abgr:f RGB", false},
	{"R16G16B16A16_UNORM", BLEND, 15, 3, "32_gr:f RG", false},
	{"R8G8B8A8_UNORM", NB, 15, 0, "none", false},
	{"A8_UNORM", NB, 15, 7, "none", false},
	/* alpha is read and HLSL does not write it */
	{"R32G32_FLOAT", BLEND_ALPHA, 15, 3, "32_gr:f RG", true},
	{"R8G8B8A8_UNORM", BLEND_ALPHA, 15, 7, "fp16 RGB", true},
	{"R32_FLOAT", COVERAGE, 15, 1, "32_r:f R", true},
	{"R8G8B8A8_UNORM", COVERAGE, 0, 7, "none", true},
	{"R8G8B8A8_UNORM", BLEND_ALPHA, 15, 0, "none", false},
};

Test(export, console_masks)
{
	for (size_t i = 0; i < ARRAY_COUNT(masked); i++) {
		struct export_input in = input(masked[i].format, masked[i].column);
		in.write_mask = masked[i].mask;
		in.written = masked[i].written;
		struct export_choice e = export_choose(&in, KILN_EXPORT_CONSOLE);
		char what[80];
		snprintf(what, sizeof what, "%s column %u mask %u written %u", masked[i].format, masked[i].column, in.write_mask,
			in.written);
		expect(what, &e, masked[i].cell);
		cr_expect(e.alpha_missing == masked[i].alpha_missing, "%s: alpha missing", what);
	}
	struct export_input unbound = {.format = KILN_FORMAT_UNKNOWN, .write_mask = 15, .written = 15, .type = ISA_F32};
	struct export_choice e = export_choose(&unbound, KILN_EXPORT_CONSOLE);
	expect("unbound", &e, "none");
	unbound.alpha_to_coverage = true;
	e = export_choose(&unbound, KILN_EXPORT_CONSOLE);
	expect("unbound, alpha-to-coverage", &e, "32_ar:f A");
}

/* The questions of the table that concern what a blend state reads; each by what a R32G32_FLOAT target then exports. */
static const struct {
	const char *what;
	uint32_t src, dest, op, src_alpha, dest_alpha;
	bool enable;
	const char *cell;
	bool dual;
} questions[] = {
	{"ONE, ZERO, ADD blends but reads no alpha", KILN_BLEND_ONE, KILN_BLEND_ZERO, KILN_BLEND_OP_ADD, 2, 1, true,
		"32_gr:f RG", false},
	{"SRC_ALPHA as source factor", KILN_BLEND_SRC_ALPHA, KILN_BLEND_ONE, KILN_BLEND_OP_ADD, 2, 1, true, "32_abgr:f RGA",
		false},
	{"INV_SRC_ALPHA as destination factor", KILN_BLEND_ONE, KILN_BLEND_INV_SRC_ALPHA, KILN_BLEND_OP_ADD, 2, 1, true,
		"32_abgr:f RGA", false},
	{"SRC_ALPHA_SAT", KILN_BLEND_SRC_ALPHA_SAT, KILN_BLEND_ONE, KILN_BLEND_OP_REV_SUBTRACT, 2, 1, true, "32_abgr:f RGA",
		false},
	{"SRC_ALPHA with blending off", KILN_BLEND_SRC_ALPHA, KILN_BLEND_ONE, KILN_BLEND_OP_ADD, 2, 1, false, "32_gr:f RG",
		false},
	{"SRC_ALPHA only in the alpha equation, no alpha stored", KILN_BLEND_ONE, KILN_BLEND_ONE, KILN_BLEND_OP_ADD,
		KILN_BLEND_SRC_ALPHA, KILN_BLEND_INV_SRC_ALPHA, true, "32_gr:f RG", false},
	{"SRC_ALPHA with MIN", KILN_BLEND_SRC_ALPHA, KILN_BLEND_ONE, KILN_BLEND_OP_MIN, 2, 1, true, "32_gr:f RG", false},
	{"SRC_ALPHA with MAX", KILN_BLEND_ONE, KILN_BLEND_SRC_ALPHA, KILN_BLEND_OP_MAX, 2, 1, true, "32_gr:f RG", false},
	{"SRC1_ALPHA", KILN_BLEND_ONE, KILN_BLEND_SRC1_ALPHA, KILN_BLEND_OP_ADD, 2, 1, true, "32_abgr:f RGA", true},
	{"INV_SRC1_ALPHA", KILN_BLEND_INV_SRC1_ALPHA, KILN_BLEND_ONE, KILN_BLEND_OP_ADD, 2, 1, true, "32_abgr:f RGA", true},
	{"SRC1_COLOR", KILN_BLEND_ONE, KILN_BLEND_SRC1_COLOR, KILN_BLEND_OP_ADD, 2, 1, true, "32_gr:f RG", true},
	{"SRC1_ALPHA in the alpha equation", KILN_BLEND_ONE, KILN_BLEND_ONE, KILN_BLEND_OP_ADD, KILN_BLEND_SRC1_ALPHA, 1, true,
		"32_gr:f RG", true},
	{"DEST_ALPHA", KILN_BLEND_DEST_ALPHA, KILN_BLEND_INV_DEST_ALPHA, KILN_BLEND_OP_ADD, 2, 1, true, "32_gr:f RG", false},
	{"ALPHA_FACTOR", KILN_BLEND_ALPHA_FACTOR, KILN_BLEND_INV_ALPHA_FACTOR, KILN_BLEND_OP_ADD, 2, 1, true, "32_gr:f RG",
		false},
};

Test(export, console_questions)
{
	for (size_t i = 0; i < ARRAY_COUNT(questions); i++) {
		struct kiln_graphics_pipeline_desc d = kiln_graphics_pipeline_default();
		struct kiln_render_target_blend_desc *b = &d.BlendState.RenderTarget[0];
		b->BlendEnable = questions[i].enable;
		b->SrcBlend = questions[i].src;
		b->DestBlend = questions[i].dest;
		b->BlendOp = questions[i].op;
		b->SrcBlendAlpha = questions[i].src_alpha;
		b->DestBlendAlpha = questions[i].dest_alpha;
		d.NumRenderTargets = 1;
		d.RTVFormats[0] = KILN_FORMAT_R32G32_FLOAT;
		const struct export_outputs outputs = {.written = {15, 15}, .type = {ISA_F32, ISA_F32}};
		struct export_choice choice[KILN_RENDER_TARGETS_MAX];
		pipeline_choose(&d, &outputs, KILN_EXPORT_CONSOLE, choice);
		expect(questions[i].what, &choice[0], questions[i].cell);
		cr_expect(pipeline_is_dual_source(&d) == questions[i].dual, "%s", questions[i].what);
		expect("second output", &choice[1], questions[i].dual ? questions[i].cell : "none");
	}
	/* ONE, ZERO, ADD counts as blending: a 16-bit norm target needs float. */
	struct export_input in = input("R16G16B16A16_UNORM", BLEND);
	struct export_choice e = export_choose(&in, KILN_EXPORT_CONSOLE);
	expect("ONE ZERO ADD on 16-bit unorm", &e, "32_abgr:f RGBA");
	in = input("R32G32_FLOAT", NB);
	in.alpha_read = true;
	e = export_choose(&in, KILN_EXPORT_CONSOLE);
	expect("factors are not read without blending", &e, "32_gr:f RG");
	/* half output to a 32-bit target: the target decides */
	in = input("R32G32B32A32_FLOAT", NB);
	in.type = ISA_F16;
	e = export_choose(&in, KILN_EXPORT_CONSOLE);
	expect("half to 32-bit", &e, "32_abgr:f RGBA");
}

static struct export_choice oracle_choice(const char *format, bool blend, bool alpha, enum kiln_export_policy policy)
{
	int number = format_find(format);
	cr_assert(number > 0, "no format %s", format);
	struct export_input in = {
		.format = (uint32_t)number,
		.write_mask = 15,
		.written = 15,
		.type = ISA_F32,
		.blend = blend,
		.alpha_read = blend && alpha,
		.alpha_to_coverage = !blend && alpha, /* what needs alpha without blending */
	};
	return export_choose(&in, policy);
}

Test(export, mesa_oracle)
{
	static const char *const names[] = {"ZERO", "32_R", "32_GR", "32_AR", "FP16_ABGR", "UNORM16_ABGR", "SNORM16_ABGR",
		"UINT16_ABGR", "SINT16_ABGR", "32_ABGR"};
	FILE *f = fopen(KILN_SOURCE_DIR "/tests/export_oracle.csv", "r");
	char line[200], format[64], generation[16], form[32];
	unsigned blend, alpha, rows = 0, right = 0;
	cr_assert(f);
	cr_assert(fgets(line, sizeof line, f));
	while (fgets(line, sizeof line, f)) {
		cr_assert(
			sscanf(line, "%63[^,],%u,%u,%15[^,],%31[^,\r\n]", format, &blend, &alpha, generation, form) == 5, "%s", line);
		bool gfx7 = strcmp(generation, "gfx7") == 0;
		cr_assert(gfx7 || strcmp(generation, "gfx10_3") == 0);
		struct export_choice e =
			oracle_choice(format, blend, alpha, gfx7 ? KILN_EXPORT_MESA_GFX7 : KILN_EXPORT_MESA_GFX10_3);
		bool unsupported = strcmp(form, "UNSUPPORTED") == 0;
		bool same = e.unsupported == unsupported && strcmp(names[e.form], unsupported ? "ZERO" : form) == 0;
		cr_expect(same, "%s: got %s%s", line, names[e.form], e.unsupported ? " (unsupported)" : "");
		rows++;
		right += same;
	}
	fclose(f);
	cr_expect(rows == 424 && right == 424, "%u of %u rows", right, rows);
}

/* What radv does around the table (facts: per-pipeline reduction). */
Test(export, mesa_reduction)
{
	for (enum kiln_export_policy policy = KILN_EXPORT_MESA_GFX7; policy <= KILN_EXPORT_MESA_GFX10_3; policy++) {
		struct export_input in = input("R32G32_FLOAT", NB);
		struct export_choice e;
		in.write_mask = 1;
		e = export_choose(&in, policy);
		expect("the mask does not change the form", &e, "32_gr:f RG");
		in.write_mask = 0;
		e = export_choose(&in, policy);
		expect("mask 0", &e, "none");
		in.alpha_to_coverage = true;
		e = export_choose(&in, policy);
		expect("mask 0, alpha-to-coverage", &e, "32_ar:f RA");
		in.written = 0;
		e = export_choose(&in, policy);
		expect("not written", &e, "none");
		in = input("R32G32_FLOAT", BLEND_ALPHA);
		in.written = 3;
		e = export_choose(&in, policy);
		cr_expect(e.form == ISA_FORM_32_abgr && e.channels == 3 && e.alpha_missing);
	}
}

/* Every format number, any policy: an answer that holds together. */
Test(export, all_formats)
{
	for (uint32_t format = 0; format < 300; format++)
		for (unsigned policy = 0; policy <= KILN_EXPORT_MESA_GFX10_3; policy++)
			for (unsigned bits = 0; bits < 8; bits++) {
				struct export_input in = {.format = format,
					.write_mask = 15,
					.written = 15,
					.type = ISA_F32,
					.blend = bits & 1,
					.alpha_read = bits & 2,
					.alpha_to_coverage = bits & 4};
				struct export_choice e = export_choose(&in, (enum kiln_export_policy)policy);
				cr_expect(e.reason && (e.form != 0) == (e.channels != 0) && (e.form != 0) == (e.bits != 0));
				cr_expect(!e.unsupported || !e.form);
				const struct format_info *f = format_info(format);
				cr_expect(f || !format || e.unsupported, "format %u does not exist", format);
				bool optional = format == KILN_FORMAT_R9G9B9E5_SHAREDEXP && policy == KILN_EXPORT_MESA_GFX7;
				cr_expect(!(f && f->caps & FORMAT_CAN_RENDER && e.unsupported) || optional, "format %u can be rendered to", format);
			}
}

/* The table of export selection and the format table say the same of stored channels. */
Test(export, stored_channels)
{
	for (uint32_t format = 1; format < KILN_FORMAT_END; format++) {
		struct export_input in = {.format = format, .write_mask = 15, .written = 15, .type = ISA_F32};
		struct export_choice e = export_choose(&in, KILN_EXPORT_CONSOLE);
		if (e.form)
			cr_expect(e.channels == format_stored(format_info(format)), "format %u", format);
	}
}
