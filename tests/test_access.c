/* What a shader touches outside itself arrives with the operands that its HLSL names: shaders run on the interpreter with
 * an access function that writes each instruction down, and the lists below were written from the HLSL by hand. */
#include "frontend/frontend.h"
#include "tests/corpus.h"
#include <criterion/criterion.h>

/* Lanes 0 and 1 differ in the first two integers alone. */
static const float floats[4] = {0.5f, 1.25f, 2.75f, -3.5f};
static const int32_t integers[2][4] = {{1, 2, 0, 3}, {3, 0, 0, 3}};

/* ---- writing down ---- */

struct log {
	const struct isa_program *p;
	struct buf text;
};

static void print_word(struct buf *out, uint32_t word)
{
	int32_t n;
	memcpy(&n, &word, sizeof n);
	if (n > -65536 && n < 65536)
		buf_printf(out, "%d", n);
	else
		buf_printf(out, "%g", (double)bits_float(word));
}

/* "-" is off; "1/3" differs between the lanes. */
static void print_operand(struct log *log, const struct isa_access *a, unsigned i, char letter)
{
	static const char *const components[] = {"x", "y", "z", "w"};
	uint32_t n = a->inst->at[i].value;
	const uint32_t *lanes = a->source[i];
	buf_printf(&log->text, " ");
	if (letter == 'r')
		buf_printf(&log->text, "%s", log->p->resources[n].name);
	else if (letter == 'n')
		buf_printf(&log->text, "%s", log->p->inputs[n].name);
	else if (letter == 'p')
		buf_printf(&log->text, "%s", components[n]);
	else if (letter == 'i' || letter == 'm')
		buf_printf(&log->text, "#%u", n);
	else if (!lanes)
		buf_printf(&log->text, "-");
	else {
		print_word(&log->text, lanes[0]);
		if (lanes[0] != lanes[1]) {
			buf_printf(&log->text, "/");
			print_word(&log->text, lanes[1]);
		}
	}
}

/* Results are 1, 2, 3, 4: floats, but of resources of integers. */
static bool gives_integers(const struct isa_program *p, const struct isa_access *a)
{
	for (unsigned i = 0; i < isa_info[a->inst->op].count; i++)
		if (isa_info[a->inst->op].operands[i] == 'r') {
			uint8_t type = p->resources[a->inst->at[i].value].type;
			return a->inst->op == ISA_image_get_resinfo || a->inst->op == ISA_buffer_counter || (type > 1 && type < 8);
		}
	return false;
}

static void write_down(void *user, const struct isa_access *a)
{
	struct log *log = user;
	const struct isa_info *info = &isa_info[a->inst->op];
	unsigned wanted = 0;
	for (unsigned c = 0; c < info->results; c++) {
		for (unsigned l = 0; l < a->lanes; l++)
			a->result[c][l] = gives_integers(log->p, a) ? c + 1 : float_bits((float)c + 1);
		wanted |= a->inst->at[c].file == ISA_OFF ? 0 : 1u << c;
	}
	buf_printf(&log->text, "%s", info->name);
	if (info->operands[0] == 'o')
		buf_printf(&log->text, " %u", wanted);
	for (unsigned i = info->results; i < info->count; i++)
		print_operand(log, a, i, info->operands[i]);
	buf_printf(&log->text, "\n");
}

static void no_row(void *user, unsigned resource, uint32_t array_index, uint32_t row, uint32_t out[4])
{
	(void)user, (void)resource, (void)array_index, (void)row;
	memset(out, 0, 16);
}

/* ---- what has to arrive ---- */

/* The mask of results that are used, image, element, sampler, element, coordinates, offsets, the rest. */
static const char sampled[] =
	"image_sample 15 t1 - s - 0.5 - - - - - - -\n"
	"image_sample 15 t2 - s - 0.5 1.25 - - 3 -4 - -\n"
	"image_sample 15 t3 - s - 0.5 1.25 2.75 - 1 2 -3 2.5\n"
	"image_sample 15 cube - s - 2.75 1.25 0.5 - - - - -\n"
	"image_sample 15 a1 - s - 0.5 -3.5 - - -8 - - -\n"
	"image_sample 15 a2 - s - 0.5 1.25 -3.5 - - 7 - 0.5\n"
	"image_sample_b 15 cubes - s - 0.5 1.25 2.75 -3.5 - - - -1.5 -\n"
	"image_sample_b 1 t2 - s - 1.25 0.5 - - 1 1 - 2.5 0.25\n"
	"image_sample_l 2 t2 - s - 2.75 -3.5 - - -1 - - 3\n"
	"image_sample_d 15 t2 - s - 0.5 1.25 - - 2 3 - 2.75 -3.5 - -3.5 2.75 - 1.25\n"
	"image_sample_d 15 cube - s - 0.5 1.25 2.75 - - - - 1.25 2.75 -3.5 -3.5 0.5 1.25 -\n"
	"image_sample_c 1 t2 - cmp - 0.5 1.25 - - 5 6 - 0.125 -\n"
	"image_sample_c 1 cubes - cmp - 0.5 1.25 2.75 -3.5 - - - 0.5 -\n"
	"image_sample_c_lz 1 t2 - cmp - 1.25 0.5 - - - - - 0.375\n"
	"image_sample_c_l 1 t2 - cmp - 1.25 1.25 - - - - - 0.625 1.5\n"
	"image_sample_c_b 1 a2 - cmp - 0.5 1.25 2.75 - - - - 0.75 -0.5 -\n"
	"image_sample_c_d 1 t2 - cmp - 0.5 1.25 - - - - - 0.875 0.5 2.75 - 1.25 -3.5 - -\n"
	"image_gather4 15 t2 - s - 0.5 1.25 - - -5 4 - #0\n"
	"image_gather4 15 t2 - s - 0.5 0.5 - - - - - #2\n"
	"image_gather4 15 cubes - s - 0.5 1.25 2.75 -3.5 - - - #3\n"
	"image_gather4_c 15 t2 - cmp - 0.5 1.25 - - 1 - - #0 2.75\n"
	"image_get_lod t2 - s - 0.5 1.25 - #1\n"
	"image_get_lod t3 - s - 0.5 1.25 2.75 #0\n"
	"image_load 15 t1 - 5/7 - - 2\n"
	"image_load 15 a2 - -2/0 7/5 0 1\n"
	"image_load 15 t3 - 3 0 2/0 1/3\n"
	"image_load 4 ints - 1/3 2/0 - 0\n"
	"image_load 15 ms - 1 3 - 2/0\n"
	"image_load 15 msa - 1/3 2/0 0 6\n"
	"image_sample 1 many 1 samplers 2 0.5 1.25 - - - - - -\n" /* the first lane's for all */
	"image_sample_l 1 many 2/0 samplers 0 1.25 0.5 - - - - - 0\n"
	"image_load 1 endless 8 1/3 1/3 - 1/3\n"
	"image_get_resinfo 15 a2 - 2/0\n"
	"image_get_resinfo 11 ms - -\n"
	"image_get_resinfo 4 cubes - 0\n";

/* Loads: as above. Stores: buffer, element, mask, place, words. Atomics: what the row has before the words is `#op`. */
static const char buffers[] =
	"buffer_load 15 typed - 1/3 -\n"
	"buffer_load 2 structs - 2/0 16\n"
	"buffer_load 15 structs - 0 0\n"
	"buffer_load 1 bytes - 12 -\n"
	"buffer_load 7 bytes - 100 -\n"
	"buffer_load 15 T - 0 -\n"
	"buffer_load 8 T - 1 -\n"
	"buffer_store rwtyped - #15 1/3 - 2/0 5 0 7\n"
	"buffer_load 2 rwtyped - 9 -\n"
	"buffer_store rwstructs - #1 3 4 0.5 - - -\n"
	"buffer_store rwstructs - #1 3 8 1.25 - - -\n"
	"buffer_store rwstructs - #1 3 24 -2 - - -\n"
	"buffer_store rwbytes - #3 8/24 - 3 11 - -\n"
	"buffer_store rwbytes - #15 64 - 1 2 3 0\n"
	"image_store img1 - #15 2/0 - - - 2.75 2.75 2.75 2.75\n"
	"image_store img2 - #15 0 3 - - 17 17 17 17\n"
	"image_store imga - #15 1/3 2/0 0 - -3.5 2.75 1.25 0.5\n"
	"image_store img3 - #15 3 0 2/0 - -5 -5 -5 -5\n"
	"image_load 15 imga - 0 2/0 1/3 -\n"
	"image_atomic img2 - #0 1/3 2/0 - 3\n"
	"image_atomic img3 - #4 1/3 2/0 0 -7\n"
	"image_atomic_cmpswap img2 - 2/0 1/3 - 4 5\n"
	"buffer_atomic rwbytes - #2 8/0 - 6\n"
	"buffer_atomic rwbytes - #7 12 - 8\n"
	"buffer_atomic_cmpswap rwbytes - 16 - 9 1/3\n"
	"buffer_atomic rwstructs - #8 1/3 16 21\n"
	"buffer_atomic counters - #3 0 - 22\n"
	"buffer_atomic_cmpswap counters - 2 - 23 24\n"
	"buffer_counter app - #1\n"
	"buffer_store app - #3 1 0 1/3 31 - -\n"
	"buffer_counter con - #0\n"
	"buffer_load 2 con - 1 0\n"
	"buffer_counter counted - #1\n"
	"buffer_counter counted - #0\n"
	"buffer_store several 1 #1 4 - 41 - - -\n"
	"buffer_atomic several 2/0 #1 8 - 42\n"
	"image_get_resinfo 1 typed - -\n"
	"image_get_resinfo 1 structs - -\n";

/* Native 16-bit components are accessed one by one; images and typed buffers convert. */
static const char halves[] =
	"buffer_load_u16 1 structs - 2/0 0\n"
	"buffer_load_u16 1 structs - 3 2\nbuffer_load_u16 1 structs - 3 4\nbuffer_load_u16 1 structs - 3 6\n"
	"buffer_load_u16 1 bytes - 2/6 -\nbuffer_load_u16 1 bytes - 4/8 -\n"
	"buffer_load 15 typed - 3 -\n"
	"image_sample 3 image - s - 0.5 1.25 - - - - - -\n"
	"buffer_store_b16 rwstructs - 3 2 14336\nbuffer_store_b16 rwstructs - 3 4 15616\nbuffer_store_b16 rwstructs - 3 6 16768\n"
	"buffer_store_b16 rwstructs - 1/3 8 3\n"
	"buffer_store_b16 rwbytes - 6 - -9\n"
	"image_store rwimage - #15 0 3 - - -3.5 2.75 -3.5 -3.5\n";

static const char evaluated[] =
	"interp_snapped A x 3 -5\ninterp_snapped A y 3 -5\ninterp_snapped A z 3 -5\ninterp_snapped A w 3 -5\n"
	"interp_centroid A x\ninterp_centroid A y\ninterp_centroid A z\ninterp_centroid A w\n"
	"interp_sample A x 7\ninterp_sample A y 7\ninterp_sample A z 7\ninterp_sample A w 7\n";
static const char vertices[] =
	"ld_vertex COLOR x #0\nld_vertex COLOR y #0\nld_vertex COLOR z #0\n"
	"ld_vertex COLOR x #1\nld_vertex COLOR y #1\nld_vertex COLOR z #1\n"
	"ld_vertex COLOR x #2\nld_vertex COLOR y #2\nld_vertex COLOR z #2\n";
/* position and TEXCOORD are both `floats` here */
static const char kinds[] =
	"image_sample 1 t1 - smp - 0.5 - - - - - - -\n"
	"image_sample 3 t3 - smp - 0.5 1.25 2.75 - - - - -\n"
	"image_sample 7 tc - smp - 0 0.75 2.25 - - - - -\n"
	"image_sample 15 ta - smp - 0.5 1.25 1 - - - - -\n"
	"image_sample 15 tca - smp - 0 0.75 2.25 1 - - - -\n"
	"image_load 15 tms - 0 1 - 2\n"
	"image_load 15 tu - 0 1 - 0\n"
	"buffer_load 15 tb - 0 -\n";

static const struct shader {
	const char *name, *want;
	uint32_t flags;
	float color[4];
} shaders[] = {
	{"lowering/access_sample", sampled, ISA_USES_DERIVATIVES,
		/* 18 calls add (1, 2, 3, 4); single components add 18; the sizes (1, 2, 3, 4) add 34, 7 and 3 */
		{18 + 62, 2 * 18 + 62, 3 * 18 + 62, 4 * 18 + 62}},
	{"lowering/access_buffer", buffers, ISA_SIDE_EFFECTS, {0}},
	{"lowering/access_half", halves, ISA_USES_DERIVATIVES | ISA_SIDE_EFFECTS | ISA_NATIVE_16BIT, {0}},
	{"corpus/cso/ps_attribute_eval", evaluated, ISA_SAMPLE_FREQUENCY, {3, 3, 3, 3}},
	{"corpus/cso/ps_barycentrics", vertices, 0, {0.5f + 1.25f + 2.75f, 0.5f + 1.25f + 2.75f, 0.5f + 1.25f + 2.75f, 1}},
	{"corpus/cso/ps_texture_kinds", kinds, ISA_USES_DERIVATIVES, {0}},
};

/* ---- running ---- */

static struct isa_program *compile(const char *name)
{
	const struct fe_options options = {.wave_size = 32, .in_process = true};
	struct kiln_diags *diags = kiln_diags_create();
	char path[4096];
	uint8_t *data;
	size_t size;
	snprintf(path, sizeof path, "%s/tests/%s.cso", KILN_SOURCE_DIR, name);
	corpus_read(path, &data, &size);
	struct isa_program *p = fe_compile(data, size, name, &options, diags);
	cr_assert(p, "%s: %s", name, kiln_diags_count(diags) ? kiln_diags_get(diags, 0)->text : "");
	mem_free(data);
	kiln_diags_destroy(diags);
	return p;
}

static bool is_float(const struct isa_io *io) { return io->type == ISA_F32 || io->type == ISA_F16; }

static void fill_inputs(const struct isa_program *p, struct isa_wave *w)
{
	for (size_t s = 0; s < p->input_count; s++)
		for (unsigned c = 0; c < 4; c++)
			for (unsigned l = 0; l < p->wave_size; l++)
				w->in[s][c][l] = is_float(&p->inputs[s]) ? float_bits(floats[c]) : (uint32_t)integers[l == 1][c];
	for (unsigned l = 0; l < p->wave_size; l++)
		w->sys[ISA_SYS_sample_index][l] = 7;
}

static void compare_lines(const char *shader, const char *got, const char *want)
{
	for (unsigned line = 1; *got || *want; line++) {
		int g = (int)strcspn(got, "\n"), e = (int)strcspn(want, "\n");
		cr_expect(g == e && !memcmp(got, want, (size_t)g), "%s access %u: '%.*s', not '%.*s'", shader, line, g, got, e, want);
		got += g + (got[g] != 0);
		want += e + (want[e] != 0);
	}
}

Test(access, operands)
{
	for (size_t i = 0; i < ARRAY_COUNT(shaders); i++) {
		const struct shader *s = &shaders[i];
		struct isa_program *p = compile(s->name);
		struct isa_wave *w = isa_wave_create(p);
		struct log log = {.p = p};
		const struct isa_env env = {.user = &log, .cbuffer_row = no_row, .access = write_down};
		isa_wave_reset(p, w, 3, 3);
		fill_inputs(p, w);
		w->budget = 1 << 16;
		unsigned saved = fp_enter();
		cr_expect_eq(isa_run(p, w, &env), ISA_DONE);
		fp_leave(saved);
		compare_lines(s->name, buf_text(&log.text), s->want);
		cr_expect_eq(p->flags, s->flags, "%s: flags %x", s->name, p->flags);
		for (unsigned c = 0; s->color[0] > 0 && c < 4; c++)
			cr_expect_float_eq(bits_float(w->out[ISA_MRT0][c][0]), s->color[c], 0, "%s component %u: %g, not %g", s->name, c,
				(double)bits_float(w->out[ISA_MRT0][c][0]), (double)s->color[c]);
		buf_finish(&log.text);
		isa_wave_destroy(w);
		isa_program_destroy(p);
	}
}

/* ---- registers ---- */

/* The widest row, all of its 17 sources and 4 results vectors that are read again behind it; few registers are left. */
static struct isa_program *widest(unsigned vgprs)
{
	struct isa_program *p = isa_program_create();
	p->stage = ISA_PIXEL;
	p->wave_size = 32;
	p->inputs = arena_array(&p->arena, 5, sizeof *p->inputs);
	p->input_count = 5;
	for (unsigned s = 0; s < 5; s++)
		p->inputs[s] = (struct isa_io){.name = "F", .index = s, .type = ISA_F32, .interp = ISA_INTERP_CONSTANT, .cols = 4,
			.used = 15, .reg = s};
	p->resources = arena_array(&p->arena, 2, sizeof *p->resources);
	p->resource_count = 2;
	p->resources[0] = (struct isa_resource){"t", ISA_SRV, ISA_KIND_TEXTURE_2D, 9, 0, 0, 0, 9, 0, 0};
	p->resources[1] = (struct isa_resource){"s", ISA_SAMPLER, ISA_KIND_SAMPLER, 0, 0, 0, 0, 9, 0, 0};
	p->vgprs = 21;
	for (uint32_t r = 0; r < 17; r++) {
		struct isa_inst *in = isa_append(p, ISA_ld_in);
		in->at[0] = (struct isa_operand){ISA_V, r};
		in->at[1] = (struct isa_operand){ISA_IMM, r / 4};
		in->at[2] = (struct isa_operand){ISA_IMM, r % 4};
	}
	struct isa_inst *in = isa_append(p, ISA_image_sample_c_d);
	for (uint32_t i = 0, r = 0; i < isa_info[in->op].count; i++) {
		bool resource = i == ISA_IMAGE || i == ISA_IMAGE_SAMPLER;
		in->at[i] = resource ? (struct isa_operand){ISA_IMM, i == ISA_IMAGE_SAMPLER}
			: (struct isa_operand){ISA_V, i < 4 ? 17 + i : r++};
	}
	for (uint32_t r = 0; r < 21; r++) { /* v0 = v0 + …: nothing may have been overwritten */
		in = isa_append(p, ISA_add_f32);
		in->at[0] = in->at[1] = (struct isa_operand){ISA_V, 0};
		in->at[2] = (struct isa_operand){ISA_V, r};
	}
	in = isa_append(p, ISA_exp_sym);
	in->at[0] = (struct isa_operand){ISA_IMM, 0};
	in->at[1] = (struct isa_operand){ISA_IMM, ISA_F32};
	in->at[2] = (struct isa_operand){ISA_IMM, 1};
	in->at[3] = (struct isa_operand){ISA_V, 0};
	isa_append(p, ISA_endpgm);
	isa_divergence(p);
	isa_regalloc_limited(p, vgprs, 16);
	return p;
}

Test(access, widest_row)
{
	static const char want[] = "image_sample_c_d 15 t 0 s 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n";
	for (unsigned vgprs = 21; vgprs <= 64; vgprs += 43) {
		struct isa_program *p = widest(vgprs);
		struct kiln_diags *diags = kiln_diags_create();
		cr_assert(isa_validate(p, "widest", diags), "%s", kiln_diags_get(diags, 0)->text);
		struct isa_wave *w = isa_wave_create(p);
		struct log log = {.p = p};
		const struct isa_env env = {.user = &log, .cbuffer_row = no_row, .access = write_down};
		isa_wave_reset(p, w, 3, 3);
		for (uint32_t r = 0; r < 17; r++)
			for (unsigned l = 0; l < 32; l++)
				w->in[r / 4][r % 4][l] = float_bits((float)r);
		w->budget = 1 << 16;
		cr_expect_eq(isa_run(p, w, &env), ISA_DONE);
		compare_lines("widest", buf_text(&log.text), want);
		/* 0 + … + 16, then 1 + 2 + 3 + 4 */
		cr_expect_float_eq(bits_float(w->out[ISA_MRT0][0][0]), 146, 0, "%u registers: %g", vgprs,
			(double)bits_float(w->out[ISA_MRT0][0][0]));
		buf_finish(&log.text);
		isa_wave_destroy(w);
		isa_program_destroy(p);
		kiln_diags_destroy(diags);
	}
}
