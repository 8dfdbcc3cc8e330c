/* Draws with hand-made programs: pixels against values worked out by hand from the rules (coverage, interpolation, depth,
 * fetch, clipping), and the refusals of bad draws. Targets are 8x8, mostly R32G32B32A32_FLOAT, so that what the pixel shader
 * gives is what stands in memory. */
#include "sim/sim.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* ---- programs ---- */
enum { SIZE = 8 };
#define V(n) ((struct isa_operand){ISA_V, (n)})
#define LIT(x) ((struct isa_operand){ISA_LIT, (x)})
#define IMM(n) ((struct isa_operand){ISA_IMM, (n)})
#define OFF ((struct isa_operand){ISA_OFF, 0})
#define EMIT(p, op, ...) emit(p, ISA_##op, (const struct isa_operand[]){__VA_ARGS__}, \
	sizeof(const struct isa_operand[]){__VA_ARGS__} / sizeof(struct isa_operand))

static void emit(struct isa_program *p, enum isa_op op, const struct isa_operand *at, size_t count)
{
	struct isa_inst *in = isa_append(p, op);

	if (count)
		memcpy(in->at, at, count * sizeof *at);
}

static struct isa_program *program(uint8_t stage)
{
	struct isa_program *p = isa_program_create();

	p->name = arena_string(&p->arena, "main");
	p->stage = stage;
	p->wave_size = 64;
	p->vgprs = 16;
	p->allocated = true;
	p->inputs = arena_array(&p->arena, 8, sizeof *p->inputs);
	p->outputs = arena_array(&p->arena, 8, sizeof *p->outputs);
	return p;
}

static void io(struct isa_program *p, struct isa_io *list, size_t *count, const char *name, uint8_t semantic, uint8_t type,
	uint8_t interp, uint8_t cols)
{
	list[*count] = (struct isa_io){.name = arena_string(&p->arena, name), .semantic = semantic, .type = type, .interp = interp,
		.cols = cols, .used = (uint8_t)((1 << cols) - 1), .reg = (uint32_t)*count};
	++*count;
}

static void load(struct isa_program *p, unsigned slot, unsigned cols, unsigned reg)
{
	for (unsigned c = 0; c < cols; c++)
		EMIT(p, ld_in, V(reg + c), IMM(slot), IMM(c));
}

/* Position and one attribute passed through. */
static struct isa_program *vs_through(uint8_t type, uint8_t interp)
{
	struct isa_program *p = program(ISA_VERTEX);

	io(p, p->inputs, &p->input_count, "POSITION", ISA_SEM_ARBITRARY, ISA_F32, 0, 4);
	io(p, p->inputs, &p->input_count, "COLOR", ISA_SEM_ARBITRARY, type, 0, 4);
	io(p, p->outputs, &p->output_count, "SV_Position", ISA_SEM_POSITION, ISA_F32, ISA_INTERP_NOPERSPECTIVE, 4);
	io(p, p->outputs, &p->output_count, "COLOR", ISA_SEM_ARBITRARY, type, interp, 4);
	load(p, 0, 4, 0);
	load(p, 1, 4, 4);
	EMIT(p, exp, IMM(ISA_POS0), IMM(ISA_FORM_32_abgr), IMM(15), V(0), V(1), V(2), V(3));
	EMIT(p, exp, IMM(ISA_PARAM0 + 1), IMM(ISA_FORM_32_abgr), IMM(15), V(4), V(5), V(6), V(7));
	return p;
}

static struct isa_program *ps_begin(uint8_t type, uint8_t interp)
{
	struct isa_program *p = program(ISA_PIXEL);

	io(p, p->inputs, &p->input_count, "SV_Position", ISA_SEM_POSITION, ISA_F32, ISA_INTERP_NOPERSPECTIVE, 4);
	io(p, p->inputs, &p->input_count, "COLOR", ISA_SEM_ARBITRARY, type, interp, 4);
	io(p, p->outputs, &p->output_count, "SV_Target", ISA_SEM_TARGET, type, 0, 4);
	p->outputs[0].reg = 0;
	return p;
}

static void ps_export(struct isa_program *p, uint8_t type, unsigned mask, unsigned reg)
{
	struct isa_operand s[4];

	for (unsigned c = 0; c < 4; c++)
		s[c] = mask >> c & 1 ? V(reg + c) : OFF;
	EMIT(p, exp_sym, IMM(ISA_MRT0), IMM(type), IMM(mask), s[0], s[1], s[2], s[3]);
	p->outputs[0].used = (uint8_t)mask;
}

/* Writes COLOR. */
static struct isa_program *ps_color(uint8_t type, uint8_t interp)
{
	struct isa_program *p = ps_begin(type, interp);

	load(p, 1, 4, 0);
	ps_export(p, type, 15, 0);
	return p;
}

/* ---- a device with two targets and a list ---- */
enum { KEEP = 32 };
struct rig {
	struct kiln_device *device;
	struct kiln_diags *diags;
	struct kiln_resource *color, *depth, *buffers[KEEP];
	struct kiln_shader *shaders[KEEP];
	struct kiln_pso *psos[KEEP];
	unsigned buffer_count, shader_count, pso_count;
	struct kiln_commands *list;
	struct kiln_graphics_pipeline_desc state;
	struct kiln_counters counters;
};
static const struct kiln_input_element_desc layout[] = {
	{"POSITION", 0, KILN_FORMAT_R32G32B32A32_FLOAT, 0, 0, KILN_PER_VERTEX, 0},
	{"COLOR", 0, KILN_FORMAT_R32G32B32A32_FLOAT, 0, 16, KILN_PER_VERTEX, 0},
};

static void rig_open(struct rig *r, uint32_t format)
{
	struct kiln_texture_desc t = {.Format = format, .Width = SIZE, .Height = SIZE};

	memset(r, 0, sizeof *r);
	r->device = kiln_device_create(&(struct kiln_device_desc){.ignore_export_mismatch = true});
	r->diags = kiln_diags_create();
	r->color = kiln_texture_create(r->device, "color", &t, r->diags);
	t.Format = KILN_FORMAT_D32_FLOAT;
	r->depth = kiln_texture_create(r->device, "depth", &t, r->diags);
	r->list = kiln_commands_create(r->device);
	r->state = kiln_graphics_pipeline_default();
	r->state.InputElementDescs = layout;
	r->state.NumInputElements = 2;
	r->state.NumRenderTargets = 1;
	r->state.RTVFormats[0] = format;
	r->state.DepthStencilState.DepthEnable = false;
	kiln_cmd_render_targets(r->list, 1, &r->color, r->depth);
	kiln_cmd_viewport(r->list, &(struct kiln_viewport){0, 0, SIZE, SIZE, 0, 1});
	kiln_cmd_scissor(r->list, &(struct kiln_rect){0, 0, SIZE, SIZE});
	kiln_cmd_clear_depth(r->list, r->depth, 1);
	kiln_cmd_topology(r->list, KILN_TOPOLOGY_TRIANGLELIST);
}

static void rig_close(struct rig *r)
{
	while (r->pso_count)
		kiln_pso_destroy(r->psos[--r->pso_count]);
	while (r->shader_count)
		kiln_shader_destroy(r->shaders[--r->shader_count]);
	while (r->buffer_count)
		kiln_resource_destroy(r->buffers[--r->buffer_count]);
	kiln_resource_destroy(r->color);
	kiln_resource_destroy(r->depth);
	kiln_commands_destroy(r->list);
	kiln_diags_destroy(r->diags);
	kiln_device_destroy(r->device);
}

static void complain(const struct rig *r, const char *what)
{
	for (size_t i = 0; i < kiln_diags_count(r->diags); i++) {
		const struct kiln_diag *d = kiln_diags_get(r->diags, i);
		fprintf(stderr, "%u %s: %s: %s\n", d->number, d->name, d->where, d->text);
	}
	cr_assert(false, "%s failed", what);
}

static struct kiln_resource *buffer(struct rig *r, const void *data, size_t size)
{
	return r->buffers[r->buffer_count++] = kiln_buffer_create(r->device, "buffer", size, data);
}

static struct kiln_shader *shader(struct rig *r, struct isa_program *p)
{
	struct kiln_shader *s;

	emit(p, ISA_endpgm, NULL, 0);
	s = r->shaders[r->shader_count++] = sim_shader_from_program(r->device, "test", p);
	isa_program_destroy(p);
	return s;
}

/* Makes a PSO of r->state and records its use. */
static struct kiln_pso *pso(struct rig *r, struct isa_program *vs, struct isa_program *ps)
{
	struct kiln_pso_desc d = {.name = "test", .state = r->state, .VS = shader(r, vs)};

	if (ps)
		d.PS = shader(r, ps);
	d.state.DSVFormat = r->state.DSVFormat ? r->state.DSVFormat : KILN_FORMAT_D32_FLOAT;
	r->psos[r->pso_count] = kiln_pso_create(r->device, &d, r->diags);
	if (!r->psos[r->pso_count])
		complain(r, "kiln_pso_create");
	kiln_cmd_pso(r->list, r->psos[r->pso_count]);
	return r->psos[r->pso_count++];
}

static void draw(struct rig *r, const float (*v)[8], unsigned count)
{
	kiln_cmd_vertex_buffer(r->list, 0, buffer(r, v, count * sizeof *v), 0, (uint32_t)(count * sizeof *v), sizeof *v);
	kiln_cmd_draw(r->list, count, 1, 0, 0);
}

static void run(struct rig *r)
{
	if (!kiln_execute(r->device, r->list, &r->counters, r->diags))
		complain(r, "kiln_execute");
}

static uint32_t word(const struct kiln_resource *t, int x, int y, int c)
{
	uint32_t rgba[4] = {0};

	cr_assert(kiln_resource_texel(t, (uint32_t)x, (uint32_t)y, rgba));
	return rgba[c];
}

static float value(const struct kiln_resource *t, int x, int y, int c)
{
	return bits_float(word(t, x, y, c));
}

/* ---- tests ---- */

/* Window corners (0,0), (8,0), (0,8): covers x + y < 7; the slanted edge is right and bottom, so x + y = 7 is out. */
static const float half[3][8] = {
	{-1, 1, 0.5f, 1, 0, 0, 1, 7}, {1, 1, 0.5f, 1, 8, 0, 1, 7}, {-1, -1, 0.5f, 1, 0, 8, 1, 7},
};

/* The attribute's x and y grow as window x and y do, so a pixel holds its centre; z and w are constant. */
Test(draw, coverage_and_interpolation)
{
	struct rig r;

	rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
	pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_color(ISA_F32, ISA_INTERP_LINEAR));
	draw(&r, half, 3);
	run(&r);
	for (int y = 0; y < SIZE; y++) {
		for (int x = 0; x < SIZE; x++) {
			bool in = x + y < 7;
			float want[4] = {in ? (float)x + 0.5f : 0, in ? (float)y + 0.5f : 0, in, in ? 7 : 0};

			for (int c = 0; c < 4; c++)
				cr_assert_eq(value(r.color, x, y, c), want[c], "pixel %d, %d channel %d: %g, expected %g", x, y, c,
					(double)value(r.color, x, y, c), (double)want[c]);
		}
	}
	cr_assert_eq(r.counters.draws, 1);
	cr_assert_eq(r.counters.vs_invocations, 3);
	cr_assert_eq(r.counters.quads, 10);
	cr_assert_eq(r.counters.ps_invocations, 28);
	cr_assert_eq(r.counters.helper_lanes, 12);
	cr_assert_eq(r.counters.ps_waves, 1);
	cr_assert_eq(r.counters.pixels_written, 28);
	cr_assert_eq(r.counters.exports, 1);
	rig_close(&r);
}

/* w = 1, 4, 1: at window x the weight of the second vertex is b = x/8; linear gives (b/4) / (1 - 3b/4), noperspective b.
 * SV_Position.w is 1 / (1 - 3b/4). Worked out at x = 0.5 (b = 1/16) and 3.5 (7/16): 1/61 and 7/43, w 64/61 and 64/43. */
Test(draw, perspective)
{
	static const float v[3][8] = {
		{-1, 1, 0.5f, 1, 0, 0, 0, 0}, {4, 4, 2, 4, 1, 0, 0, 0}, {-1, -1, 0.5f, 1, 0, 0, 0, 0},
	};
	static const struct { uint8_t interp; int x; float want; } rows[] = {
		{ISA_INTERP_LINEAR, 0, 1.0f / 61.0f}, {ISA_INTERP_LINEAR, 3, 7.0f / 43.0f}, {ISA_INTERP_LINEAR_CENTROID, 3, 7.0f / 43.0f},
		{ISA_INTERP_NOPERSPECTIVE, 0, 1.0f / 16.0f}, {ISA_INTERP_NOPERSPECTIVE, 3, 7.0f / 16.0f}, {ISA_INTERP_CONSTANT, 3, 0},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct rig r;
		struct isa_program *ps;

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		ps = ps_begin(ISA_F32, rows[i].interp);
		load(ps, 1, 1, 0);
		EMIT(ps, ld_in, V(1), IMM(0), IMM(0));
		EMIT(ps, ld_in, V(2), IMM(0), IMM(1));
		EMIT(ps, ld_in, V(3), IMM(0), IMM(3));
		ps_export(ps, ISA_F32, 15, 0);
		pso(&r, vs_through(ISA_F32, rows[i].interp), ps);
		draw(&r, v, 3);
		run(&r);
		cr_assert_eq(value(r.color, rows[i].x, 2, 0), rows[i].want, "row %zu: %.9g, expected %.9g", i,
			(double)value(r.color, rows[i].x, 2, 0), (double)rows[i].want);
		cr_assert_eq(value(r.color, 3, 2, 1), 3.5f);
		cr_assert_eq(value(r.color, 3, 2, 2), 2.5f);
		cr_assert_eq(value(r.color, 0, 2, 3), 64.0f / 61.0f);
		cr_assert_eq(value(r.color, 3, 2, 3), 64.0f / 43.0f);
		rig_close(&r);
	}
}

/* z = window x / 8; the first draw lies at 0.5, so the second is seen where x + 0.5 < 4. */
Test(draw, depth_less)
{
	static const float flat[3][8] = {{-1, 1, 0.5f, 1, 1, 1, 1, 1}, {3, 1, 0.5f, 1, 1, 1, 1, 1}, {-1, -3, 0.5f, 1, 1, 1, 1, 1}};
	static const float ramp[3][8] = {{-1, 1, 0, 1, 2, 2, 2, 2}, {3, 1, 2, 1, 2, 2, 2, 2}, {-1, -3, 0, 1, 2, 2, 2, 2}};

	for (int late = 0; late < 2; late++) {
		struct rig r;
		struct isa_program *ps = ps_color(ISA_F32, ISA_INTERP_LINEAR);

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		r.state.DepthStencilState.DepthEnable = true;
		if (late) {
			EMIT(ps, kill, LIT(0)); /* discards nothing, but depth may no longer be written before shading */
			ps->flags = ISA_USES_DISCARD;
		}
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps);
		draw(&r, flat, 3);
		draw(&r, ramp, 3);
		run(&r);
		for (int y = 0; y < SIZE; y++) {
			for (int x = 0; x < SIZE; x++) {
				cr_assert_eq(value(r.color, x, y, 0), x < 4 ? 2 : 1, "pixel %d, %d", x, y);
				cr_assert_eq(value(r.depth, x, y, 0), x < 4 ? ((float)x + 0.5f) / 8 : 0.5f, "depth %d, %d", x, y);
			}
		}
		cr_assert_eq(r.counters.pixels_killed_early, late ? 0 : 32);
		cr_assert_eq(r.counters.pixels_killed_late, late ? 32 : 0);
		rig_close(&r);
	}
}

/* Kills x >= 4: neither colour nor depth is written there. SV_Depth replaces z, clamped to the viewport's range. */
Test(draw, discard_and_depth_output)
{
	static const float big[3][8] = {{-1, 1, 0.5f, 1, 1, 1, 1, 1}, {3, 1, 0.5f, 1, 1, 1, 1, 1}, {-1, -3, 0.5f, 1, 1, 1, 1, 1}};
	struct rig r;
	struct isa_program *ps = ps_begin(ISA_F32, ISA_INTERP_LINEAR);

	rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
	r.state.DepthStencilState.DepthEnable = true;
	r.state.DepthStencilState.DepthFunc = KILN_COMPARISON_ALWAYS;
	load(ps, 0, 1, 0);
	EMIT(ps, cmp_le_f32, V(1), LIT(0x40800000), V(0));
	EMIT(ps, kill, V(1));
	EMIT(ps, mul_f32, V(0), V(0), LIT(0x3e800000)); /* x / 4: 1.125 at x = 4.5, but 0.875 at 3.5 */
	EMIT(ps, add_f32, V(0), V(0), LIT(0x3e800000)); /* + 0.25: 1.125 at 3.5 */
	EMIT(ps, exp, IMM(ISA_MRTZ), IMM(ISA_FORM_32_r), IMM(1), V(0), OFF, OFF, OFF);
	load(ps, 1, 4, 4);
	ps_export(ps, ISA_F32, 15, 4);
	ps->flags = ISA_USES_DISCARD | ISA_WRITES_DEPTH;
	io(ps, ps->outputs, &ps->output_count, "SV_Depth", ISA_SEM_DEPTH, ISA_F32, 0, 1);
	pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps);
	draw(&r, big, 3);
	run(&r);
	for (int x = 0; x < SIZE; x++) {
		float z = ((float)x + 0.5f) / 4 + 0.25f;

		cr_assert_eq(value(r.color, x, 5, 2), x < 4, "pixel %d", x);
		cr_assert_eq(value(r.depth, x, 5, 0), x < 4 ? (z < 1 ? z : 1) : 1, "depth %d", x);
	}
	cr_assert_eq(r.counters.pixels_discarded, 32);
	rig_close(&r);
}

/* What is left of a triangle at each plane, and triangles that are dropped whole. */
static bool inside_all(int x, int y) { return x >= 0 && y >= 0; }
static bool inside_none(int x, int y) { return x < 0 && y < 0; }
static bool inside_half_right(int x, int y) { return x >= 4 && x + y < 7; }
static bool inside_half_left(int x, int y) { return x < 4 && x + y < 7; }

Test(draw, clipping)
{
	const float nan = bits_float(0x7fc00000), inf = bits_float(0x7f800000);
	const struct { const char *name; float at[3][4]; bool (*inside)(int, int); bool clip_off; } rows[] = {
		{"near: z = ndc x, kept where x >= 4", {{-1, 1, -1, 1}, {1, 1, 1, 1}, {-1, -1, -1, 1}}, inside_half_right, false},
		{"far: z = 1 + ndc x, kept where x < 4", {{-1, 1, 0, 1}, {1, 1, 2, 1}, {-1, -1, 0, 1}}, inside_half_left, false},
		{"one vertex with w < 0: the edges diverge, all is covered", {{-1, 1, 0, 1}, {1, 1, 0, 1}, {0, -3, 0, -1}}, inside_all, false},
		{"all w < 0", {{-1, 1, 0, -1}, {3, 1, 0, -1}, {-1, -3, 0, -1}}, inside_none, false},
		{"all w = 0", {{-1, 1, 0, 0}, {3, 1, 0, 0}, {-1, -3, 0, 0}}, inside_none, false},
		{"behind near", {{-1, 1, -1, 1}, {3, 1, -1, 1}, {-1, -3, -1, 1}}, inside_none, false},
		{"behind near, depth clip off", {{-1, 1, -1, 1}, {3, 1, -1, 1}, {-1, -3, -1, 1}}, inside_all, true},
		{"far beyond the guard band", {{-1e6f, 1e6f, 0, 1}, {1e6f, 1e6f, 0, 1}, {0, -1e7f, 0, 1}}, inside_all, false},
		{"huge", {{-1e30f, 1e30f, 0, 1}, {1e30f, 1e30f, 0, 1}, {0, -3e30f, 0, 1}}, inside_all, false},
		{"NaN x", {{nan, 1, 0, 1}, {3, 1, 0, 1}, {-1, -3, 0, 1}}, inside_none, false},
		{"NaN z", {{-1, 1, nan, 1}, {3, 1, 0, 1}, {-1, -3, 0, 1}}, inside_none, false},
		{"NaN w", {{-1, 1, 0, nan}, {3, 1, 0, 1}, {-1, -3, 0, 1}}, inside_none, false},
		{"infinite x", {{-inf, 1, 0, 1}, {3, 1, 0, 1}, {-1, -3, 0, 1}}, inside_none, false},
		{"no area", {{-1, 1, 0, 1}, {1, -1, 0, 1}, {0, 0, 0, 1}}, inside_none, false},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		float v[3][8] = {{0}};
		struct rig r;

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		r.state.RasterizerState.CullMode = KILN_CULL_NONE;
		r.state.RasterizerState.DepthClipEnable = !rows[i].clip_off;
		pso(&r, vs_through(ISA_F32, ISA_INTERP_CONSTANT), ps_color(ISA_F32, ISA_INTERP_CONSTANT));
		for (int k = 0; k < 3; k++) {
			memcpy(v[k], rows[i].at[k], sizeof rows[i].at[k]);
			v[k][4] = (float)(k + 5); /* constant: the leading vertex's 5 */
		}
		draw(&r, (const float (*)[8])v, 3);
		run(&r);
		for (int y = 0; y < SIZE; y++) {
			for (int x = 0; x < SIZE; x++)
				cr_assert_eq(value(r.color, x, y, 0), rows[i].inside(x, y) ? 5 : 0, "%s: pixel %d, %d is %g", rows[i].name, x, y,
					(double)value(r.color, x, y, 0));
		}
		cr_assert_eq(r.counters.primitives_in, 1);
		cr_assert_eq(r.counters.primitives_culled, rows[i].inside == inside_none, "%s", rows[i].name);
		rig_close(&r);
	}
}

/* Clipped at the near plane, attributes and depth are those of the whole triangle: z = ndc x, attribute = window x. */
Test(draw, clipping_keeps_attributes)
{
	static const float v[3][8] = {{-1, 1, -1, 1, 0, 0, 0, 0}, {1, 1, 1, 1, 8, 0, 0, 0}, {-1, -1, -1, 1, 0, 8, 0, 0}};
	static const uint8_t modes[] = {ISA_INTERP_LINEAR, ISA_INTERP_NOPERSPECTIVE};

	for (size_t i = 0; i < ARRAY_COUNT(modes); i++) {
		struct rig r;

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		r.state.DepthStencilState.DepthEnable = true;
		pso(&r, vs_through(ISA_F32, modes[i]), ps_color(ISA_F32, modes[i]));
		draw(&r, v, 3);
		run(&r);
		for (int x = 4; x < 7; x++) {
			cr_assert_eq(value(r.color, x, 0, 0), (float)x + 0.5f, "pixel %d: %g", x, (double)value(r.color, x, 0, 0));
			cr_assert_eq(value(r.color, x, 0, 1), 0.5f);
			cr_assert_eq(value(r.depth, x, 0, 0), ((float)x + 0.5f) / 4 - 1, "depth %d", x);
		}
		cr_assert_eq(r.counters.primitives_clipped, 1);
		rig_close(&r);
	}
}

/* A quad over the whole viewport. Left and top edges belong to it; the viewport's implicit scissor rounds down. */
Test(draw, viewport_and_scissor)
{
	static const float v[6][8] = {
		{-1, 1, 0, 1, 1, 1, 1, 1}, {1, 1, 0, 1, 1, 1, 1, 1}, {-1, -1, 0, 1, 1, 1, 1, 1},
		{-1, -1, 0, 1, 1, 1, 1, 1}, {1, 1, 0, 1, 1, 1, 1, 1}, {1, -1, 0, 1, 1, 1, 1, 1},
	};
	static const struct { struct kiln_viewport view; struct kiln_rect scissor; int x0, y0, x1, y1; } rows[] = {
		{{0, 0, 8, 8, 0, 1}, {0, 0, 8, 8}, 0, 0, 8, 8},
		{{0, 0, 8, 8, 0, 1}, {2, 3, 5, 7}, 2, 3, 5, 7},
		{{0, 0, 8, 8, 0, 1}, {-5, -5, 100, 4}, 0, 0, 8, 4},
		{{2.5f, 0, 4, 8, 0, 1}, {0, 0, 8, 8}, 2, 0, 6, 8},
		{{2.25f, 1.25f, 4, 4, 0, 1}, {0, 0, 8, 8}, 2, 1, 6, 5},
		{{2.75f, 0, 4, 8, 0, 1}, {0, 0, 8, 8}, 3, 0, 6, 8}, /* 6.5 is inside 6.75, but floor(6.75) ends the scissor at 6 */
		{{-4, -4, 8, 8, 0, 1}, {0, 0, 8, 8}, 0, 0, 4, 4},
		{{0, 0, 8, 8, 0, 1}, {5, 5, 5, 8}, 0, 0, 0, 0},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct rig r;

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		kiln_cmd_viewport(r.list, &rows[i].view);
		kiln_cmd_scissor(r.list, &rows[i].scissor);
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_color(ISA_F32, ISA_INTERP_LINEAR));
		draw(&r, v, 6);
		run(&r);
		for (int y = 0; y < SIZE; y++) {
			for (int x = 0; x < SIZE; x++) {
				bool in = x >= rows[i].x0 && x < rows[i].x1 && y >= rows[i].y0 && y < rows[i].y1;

				cr_assert_eq(value(r.color, x, y, 0), in, "row %zu: pixel %d, %d", i, x, y);
			}
		}
		cr_assert_eq(kiln_diags_has(r.diags, DIAG_DRAW_NOTHING), i + 1 == ARRAY_COUNT(rows));
		rig_close(&r);
	}
}

/* half is clockwise on screen. SV_IsFrontFace lands in an R32_UINT target. */
Test(draw, facing_and_culling)
{
	static const struct { bool reversed, ccw; uint32_t cull; int drawn; uint32_t front; } rows[] = {
		{false, false, KILN_CULL_NONE, 1, 0xffffffff}, {false, false, KILN_CULL_BACK, 1, 0xffffffff},
		{false, false, KILN_CULL_FRONT, 0, 0}, {true, false, KILN_CULL_NONE, 1, 0}, {true, false, KILN_CULL_BACK, 0, 0},
		{true, false, KILN_CULL_FRONT, 1, 0}, {false, true, KILN_CULL_NONE, 1, 0}, {false, true, KILN_CULL_BACK, 0, 0},
		{true, true, KILN_CULL_BACK, 1, 0xffffffff}, {true, true, KILN_CULL_FRONT, 0, 0},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		float v[3][8];
		struct rig r;
		struct isa_program *ps = program(ISA_PIXEL);

		io(ps, ps->inputs, &ps->input_count, "SV_IsFrontFace", ISA_SEM_IS_FRONT_FACE, ISA_U32, ISA_INTERP_CONSTANT, 1);
		io(ps, ps->outputs, &ps->output_count, "SV_Target", ISA_SEM_TARGET, ISA_U32, 0, 1);
		load(ps, 0, 1, 0);
		EMIT(ps, and_b32, V(0), V(0), LIT(0xfffffff7));
		EMIT(ps, or_b32, V(0), V(0), LIT(8));
		ps_export(ps, ISA_U32, 1, 0);
		memcpy(v, half, sizeof v);
		if (rows[i].reversed) {
			memcpy(v[1], half[2], sizeof v[1]);
			memcpy(v[2], half[1], sizeof v[2]);
		}
		rig_open(&r, KILN_FORMAT_R32_UINT);
		r.state.RasterizerState.CullMode = rows[i].cull;
		r.state.RasterizerState.FrontCounterClockwise = rows[i].ccw;
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps);
		draw(&r, (const float (*)[8])v, 3);
		run(&r);
		cr_assert_eq(word(r.color, 2, 2, 0), rows[i].drawn ? rows[i].front | 8 : 0, "row %zu: %x", i, word(r.color, 2, 2, 0));
		cr_assert_eq(r.counters.primitives_culled, !rows[i].drawn, "row %zu", i);
		rig_close(&r);
	}
}

/* One triangle per instance over an 8x8 target: COLOR = (per-instance unorm bytes), instance i scissored by position. */
static const struct kiln_input_element_desc instanced_layout[] = {
	{"POSITION", 0, KILN_FORMAT_R32G32_FLOAT, 0, ~0u, KILN_PER_VERTEX, 0},
	{"COLOR", 0, KILN_FORMAT_R8G8B8A8_UNORM, 1, 0, KILN_PER_INSTANCE, 2},
	{"OFFSET", 0, KILN_FORMAT_R32_FLOAT, 2, 0, KILN_PER_INSTANCE, 1},
};

/* x += OFFSET; COLOR goes on, with w replaced by SV_VertexID of the leading vertex and z by SV_InstanceID. */
static struct isa_program *vs_instanced(void)
{
	struct isa_program *p = program(ISA_VERTEX);

	io(p, p->inputs, &p->input_count, "POSITION", ISA_SEM_ARBITRARY, ISA_F32, 0, 2);
	io(p, p->inputs, &p->input_count, "COLOR", ISA_SEM_ARBITRARY, ISA_F32, 0, 4);
	io(p, p->inputs, &p->input_count, "OFFSET", ISA_SEM_ARBITRARY, ISA_F32, 0, 1);
	io(p, p->inputs, &p->input_count, "SV_VertexID", ISA_SEM_VERTEX_ID, ISA_U32, 0, 1);
	io(p, p->inputs, &p->input_count, "SV_InstanceID", ISA_SEM_INSTANCE_ID, ISA_U32, 0, 1);
	io(p, p->outputs, &p->output_count, "SV_Position", ISA_SEM_POSITION, ISA_F32, ISA_INTERP_NOPERSPECTIVE, 4);
	io(p, p->outputs, &p->output_count, "COLOR", ISA_SEM_ARBITRARY, ISA_F32, ISA_INTERP_CONSTANT, 4);
	load(p, 0, 2, 0);
	load(p, 1, 2, 4);
	load(p, 2, 1, 2);
	EMIT(p, add_f32, V(0), V(0), V(2));
	EMIT(p, ld_in, V(6), IMM(4), IMM(0));
	EMIT(p, cvt_f32_u32, V(6), V(6));
	EMIT(p, ld_in, V(7), IMM(3), IMM(0));
	EMIT(p, cvt_f32_u32, V(7), V(7));
	EMIT(p, exp, IMM(ISA_POS0), IMM(ISA_FORM_32_abgr), IMM(15), V(0), V(1), LIT(0), LIT(0x3f800000));
	EMIT(p, exp, IMM(ISA_PARAM0 + 1), IMM(ISA_FORM_32_abgr), IMM(15), V(4), V(5), V(6), V(7));
	return p;
}

/* Triangle strip of two triangles covering the two leftmost columns; instance i moves right by two columns. Indices
 * 12, 13, 10, 11 with base vertex -10 read vertices 2, 3, 0, 1. Colours advance every second instance, from StartInstance 1. */
Test(draw, indexed_instanced_fetch)
{
	static const float corners[4][2] = {{-1, -1}, {-0.5f, -1}, {-1, 1}, {-0.5f, 1}};
	static const uint8_t colors[4][4] = {{9, 9, 9, 9}, {255, 0, 0, 0}, {0, 255, 0, 0}, {51, 102, 0, 0}};
	static const float offsets[5] = {9, 0, 0.5f, 1, 1.5f};
	static const uint16_t index16[5] = {77, 12, 13, 10, 11};
	static const uint32_t index32[5] = {77, 12, 13, 10, 11};

	for (int wide = 0; wide < 2; wide++) {
		struct rig r;
		struct kiln_resource *indices;

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		r.state.InputElementDescs = instanced_layout;
		r.state.NumInputElements = 3;
		pso(&r, vs_instanced(), ps_color(ISA_F32, ISA_INTERP_CONSTANT));
		kiln_cmd_topology(r.list, KILN_TOPOLOGY_TRIANGLESTRIP);
		kiln_cmd_vertex_buffer(r.list, 0, buffer(&r, corners, sizeof corners), 0, sizeof corners, 8);
		kiln_cmd_vertex_buffer(r.list, 1, buffer(&r, colors, sizeof colors), 0, sizeof colors, 4);
		kiln_cmd_vertex_buffer(r.list, 2, buffer(&r, offsets, sizeof offsets), 0, sizeof offsets, 4);
		indices = buffer(&r, wide ? (const void *)index32 : index16, wide ? sizeof index32 : sizeof index16);
		kiln_cmd_index_buffer(r.list, indices, 0, wide ? sizeof index32 : sizeof index16,
			wide ? KILN_FORMAT_R32_UINT : KILN_FORMAT_R16_UINT);
		kiln_cmd_draw_indexed(r.list, 4, 4, 1, -10, 1);
		run(&r);
		for (int x = 0; x < SIZE; x++) {
			int instance = x / 2;
			/* StartInstance 1 + floor(instance / 2): colours 1, 1, 2, 2 */
			float red = instance < 2, green = instance >= 2;

			for (int y = 0; y < SIZE; y++) {
				cr_assert_eq(value(r.color, x, y, 0), red, "pixel %d, %d", x, y);
				cr_assert_eq(value(r.color, x, y, 1), green, "pixel %d, %d", x, y);
				cr_assert_eq(value(r.color, x, y, 2), (float)instance, "pixel %d, %d", x, y);
			}
			/* the strip is (12, 13, 10), then (13, 11, 10); their common edge runs from top right to bottom left */
			cr_assert_eq(value(r.color, x, 0, 3), 12, "vertex id at %d: %g", x, (double)value(r.color, x, 0, 3));
			cr_assert_eq(value(r.color, x, 7, 3), 13, "vertex id at %d", x);
		}
		cr_assert_eq(r.counters.vertices, 16);
		cr_assert_eq(r.counters.vs_invocations, 16);
		cr_assert_eq(r.counters.vs_waves, 1);
		cr_assert_eq(r.counters.primitives_in, 8);
		rig_close(&r);
	}
}

/* Zeros past the end, with the format's default for channels it lacks; zeros and no defaults where nothing is bound. 32-bit
 * channels keep their bits. */
Test(draw, fetch_formats_and_bounds)
{
	static const struct { uint32_t format; uint8_t bytes[16]; uint32_t size; bool unbound; uint32_t want[4]; } rows[] = {
		{KILN_FORMAT_R32G32_FLOAT, {0, 0, 0x80, 0x3f, 0x45, 0x23, 0xa1, 0x7f}, 8, false, {0x3f800000, 0x7fa12345, 0, 0x3f800000}},
		{KILN_FORMAT_R32G32_FLOAT, {0, 0, 0x80, 0x3f, 0x45, 0x23, 0xa1, 0x7f}, 7, false, {0, 0, 0, 0x3f800000}},
		{KILN_FORMAT_R32G32_FLOAT, {0}, 8, true, {0, 0, 0, 0}},
		{KILN_FORMAT_R8G8B8A8_UNORM, {255, 0, 51, 102}, 4, false, {0x3f800000, 0, 0x3e4ccccd, 0x3ecccccd}},
		{KILN_FORMAT_R8G8B8A8_UNORM, {255, 0, 51, 102}, 3, false, {0, 0, 0, 0}},
		{KILN_FORMAT_R16G16_SNORM, {0xff, 0x7f, 0x01, 0x80}, 4, false, {0x3f800000, 0xbf800000, 0, 0x3f800000}},
		{KILN_FORMAT_R16G16_FLOAT, {0x00, 0x3c, 0x00, 0xc0}, 4, false, {0x3f800000, 0xc0000000, 0, 0x3f800000}},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_input_element_desc elements[2] = {layout[0], {"COLOR", 0, rows[i].format, 1, 0, KILN_PER_VERTEX, 0}};
		struct rig r;

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		r.state.InputElementDescs = elements;
		pso(&r, vs_through(ISA_F32, ISA_INTERP_CONSTANT), ps_color(ISA_F32, ISA_INTERP_CONSTANT));
		if (!rows[i].unbound)
			kiln_cmd_vertex_buffer(r.list, 1, buffer(&r, rows[i].bytes, 16), 0, rows[i].size, 0);
		draw(&r, half, 3);
		run(&r);
		for (int c = 0; c < 4; c++)
			cr_assert_eq(word(r.color, 1, 1, c), rows[i].want[c], "row %zu channel %d: %08x, expected %08x", i, c,
				word(r.color, 1, 1, c), rows[i].want[c]);
		cr_assert_eq(kiln_diags_has(r.diags, DIAG_VERTEX_BUFFER_NOT_SET), rows[i].unbound);
		rig_close(&r);
	}
}

/* b0: four root constants, b1: a root CBV. Serialised root signature 1.0. */
static const uint32_t root_blob[] = {1, 2, 24, 0, 0, 1, 1, 0, 48, 2, 5, 60, 0, 0, 4, 1, 0};

static struct isa_program *ps_constants(unsigned resource, uint32_t row)
{
	struct isa_program *p = ps_begin(ISA_F32, ISA_INTERP_LINEAR);

	p->resources = arena_array(&p->arena, 2, sizeof *p->resources);
	p->resource_count = 2;
	for (uint32_t i = 0; i < 2; i++)
		p->resources[i] = (struct isa_resource){.name = "cb", .cls = ISA_CBV, .kind = 13, .lower = i, .count = 1, .stride_or_size = 4096};
	EMIT(p, ld_cb, V(0), V(1), V(2), V(3), IMM(resource), OFF, LIT(row));
	ps_export(p, ISA_F32, 15, 0);
	return p;
}

Test(draw, constants)
{
	static const struct { unsigned resource; uint32_t row, want[4]; } rows[] = {
		{0, 0, {0, 0x40000000, 0x40400000, 0}}, {0, 1, {0}}, {0, 0xffffffff, {0}},
		{1, 0, {10, 11, 12, 13}}, {1, 1, {14, 15, 0, 0}}, {1, 2, {0}}, {1, 0x10000000, {0}},
	};
	uint32_t data[64 + 6] = {0};

	for (uint32_t i = 0; i < 6; i++)
		data[64 + i] = 10 + i;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct rig r;
		struct kiln_pso_desc d;
		struct kiln_root_signature *root;

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		root = kiln_root_signature_create(r.device, "root", root_blob, sizeof root_blob, r.diags);
		cr_assert_not_null(root);
		d = (struct kiln_pso_desc){.name = "constants", .state = r.state, .root_signature = root,
			.VS = shader(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR)), .PS = shader(&r, ps_constants(rows[i].resource, rows[i].row))};
		r.psos[r.pso_count++] = kiln_pso_create(r.device, &d, r.diags);
		if (!r.psos[0])
			complain(&r, "kiln_pso_create");
		kiln_root_signature_destroy(root);
		kiln_cmd_pso(r.list, r.psos[0]);
		kiln_cmd_root_constants(r.list, 0, 1, 2, (const uint32_t[]){0x40000000, 0x40400000});
		kiln_cmd_root_cbv(r.list, 1, buffer(&r, data, sizeof data), 256);
		draw(&r, half, 3);
		run(&r);
		for (int c = 0; c < 4; c++)
			cr_assert_eq(word(r.color, 1, 1, c), rows[i].want[c], "row %zu channel %d: %08x", i, c, word(r.color, 1, 1, c));
		rig_close(&r);
	}
}

/* Two triangles of one wave over the same pixels: 1 over 0 at half alpha is 0.5, then 0 over it 0.25. */
Test(draw, blending_in_submission_order)
{
	static const float v[6][8] = {
		{-1, 1, 0, 1, 1, 0, 0, 0.5f}, {1, 1, 0, 1, 1, 0, 0, 0.5f}, {-1, -1, 0, 1, 1, 0, 0, 0.5f},
		{-1, 1, 0, 1, 0, 0, 0, 0.5f}, {1, 1, 0, 1, 0, 0, 0, 0.5f}, {-1, -1, 0, 1, 0, 0, 0, 0.5f},
	};
	struct rig r;
	struct kiln_render_target_blend_desc *b = &r.state.BlendState.RenderTarget[0];

	rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
	b->BlendEnable = true;
	b->SrcBlend = KILN_BLEND_SRC_ALPHA;
	b->DestBlend = KILN_BLEND_INV_SRC_ALPHA;
	pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_color(ISA_F32, ISA_INTERP_LINEAR));
	draw(&r, v, 6);
	run(&r);
	for (int y = 0; y < SIZE; y++) {
		for (int x = 0; x < SIZE; x++)
			cr_assert_eq(value(r.color, x, y, 0), x + y < 7 ? 0.25f : 0, "pixel %d, %d: %g", x, y, (double)value(r.color, x, y, 0));
	}
	cr_assert_eq(r.counters.pixels_blended, 56);
	cr_assert_eq(r.counters.ps_waves, 2); /* 80 lanes of 64 */
	rig_close(&r);
}

/* Base: red alone is exported. Derived with mask ALL and the mismatch ignored: green is the pattern. */
Test(draw, export_mismatch_shows_the_pattern)
{
	struct kiln_blend_desc blend;
	struct kiln_pso *base, *derived;
	struct rig r;
	struct isa_program *ps;

	rig_open(&r, KILN_FORMAT_R32G32_FLOAT);
	blend = r.state.BlendState;
	r.state.BlendState.RenderTarget[0].RenderTargetWriteMask = 1;
	ps = ps_begin(ISA_F32, ISA_INTERP_LINEAR);
	load(ps, 1, 2, 0);
	ps_export(ps, ISA_F32, 3, 0);
	base = pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps);
	derived = kiln_pso_derive(r.device, base, "derived", &(struct kiln_derived_pipeline_desc){.BlendState = &blend}, r.diags);
	if (!derived)
		complain(&r, "kiln_pso_derive");
	r.psos[r.pso_count++] = derived;
	kiln_cmd_pso(r.list, derived);
	draw(&r, half, 3);
	run(&r);
	cr_assert_eq(value(r.color, 2, 1, 0), 2.5f);
	cr_assert_eq(word(r.color, 2, 1, 1), 0xdeadbeef, "%08x", word(r.color, 2, 1, 1));
	cr_assert_eq(word(r.color, 7, 7, 1), 0);
	rig_close(&r);
}

/* ---- refusals ---- */
static void no_pso(struct rig *r) { kiln_cmd_pso(r->list, NULL); }
static void lines(struct rig *r) { kiln_cmd_topology(r->list, KILN_TOPOLOGY_LINELIST); }
static void no_topology(struct rig *r) { kiln_cmd_topology(r->list, (enum kiln_topology)77); }
static void no_target(struct rig *r) { kiln_cmd_render_targets(r->list, 0, NULL, r->depth); }
static void no_depth(struct rig *r) { kiln_cmd_render_targets(r->list, 1, &r->color, NULL); }
static void swapped(struct rig *r) { kiln_cmd_render_targets(r->list, 1, &r->depth, r->color); }
static void twice(struct rig *r)
{
	kiln_cmd_render_targets(r->list, 2, (struct kiln_resource *const[]){r->color, r->color}, NULL);
}
static void many(struct rig *r)
{
	kiln_cmd_render_targets(r->list, 4000000000u, (struct kiln_resource *const[8]){0}, NULL);
}
static void no_indices(struct rig *r) { kiln_cmd_draw_indexed(r->list, 3, 1, 0, 0, 0); }
static void byte_indices(struct rig *r)
{
	kiln_cmd_index_buffer(r->list, buffer(r, "abc", 3), 0, 3, KILN_FORMAT_R8_UINT);
}
static void tall(struct rig *r) { kiln_cmd_viewport(r->list, &(struct kiln_viewport){0, 0, 1, 1e9f, 0, 1}); }
static void nan_view(struct rig *r) { kiln_cmd_viewport(r->list, &(struct kiln_viewport){0, 0, bits_float(0x7fc00000), 1, 0, 1}); }
static void slot(struct rig *r) { kiln_cmd_vertex_buffer(r->list, 32, NULL, 0, 0, 0); }
static void stride(struct rig *r) { kiln_cmd_vertex_buffer(r->list, 0, buffer(r, "abc", 3), 0, 3, 2049); }
static void constants(struct rig *r) { kiln_cmd_root_constants(r->list, 0, 0xfffffffe, 2, (const uint32_t[]){1, 2}); }
static void parameter(struct rig *r) { kiln_cmd_root_constants(r->list, 64, 0, 1, (const uint32_t[]){1}); }
static void cbv(struct rig *r) { kiln_cmd_root_cbv(r->list, 0, buffer(r, "abc", 3), 256); }
static void too_many(struct rig *r) { kiln_cmd_draw(r->list, 0xffffffff, 0xffffffff, 0, 0); }
static void clear_depth(struct rig *r) { kiln_cmd_clear_depth(r->list, r->depth, 2); }
static void clear_wrong(struct rig *r) { kiln_cmd_clear_color(r->list, r->depth, (const float[4]){0}); }

Test(draw, refusals)
{
	static const struct { const char *name; void (*spoil)(struct rig *); uint32_t number; } rows[] = {
		{"no PSO", no_pso, 5001}, {"lines", lines, 5002}, {"topology 77", no_topology, 5002}, {"no target", no_target, 5004},
		{"no depth", no_depth, 5005}, {"swapped targets", swapped, 5010}, {"a target twice", twice, 5010}, {"4e9 targets", many, 5014},
		{"no index buffer", no_indices, 5006}, {"R8 indices", byte_indices, 5007}, {"viewport too tall", tall, 5012},
		{"NaN viewport", nan_view, 5012}, {"vertex slot 32", slot, 5014}, {"stride 2049", stride, 5014},
		{"constants past the end", constants, 5014}, {"parameter 64", parameter, 5014}, {"CBV past its buffer", cbv, 5014},
		{"2^64 vertices", too_many, 5014}, {"depth cleared to 2", clear_depth, 5014}, {"depth cleared as colour", clear_wrong, 5010},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct rig r;
		size_t records;

		rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
		pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_color(ISA_F32, ISA_INTERP_LINEAR));
		rows[i].spoil(&r);
		draw(&r, half, 3);
		cr_assert_not(kiln_execute(r.device, r.list, &r.counters, r.diags), "%s", rows[i].name);
		cr_assert(kiln_diags_has(r.diags, rows[i].number), "%s: no diagnostic %u", rows[i].name, rows[i].number);
		cr_assert_eq(kiln_diags_errors(r.diags), 1, "%s", rows[i].name);
		sim_draw_records(r.device, &records);
		cr_assert(records == 0 && r.counters.draws == 0 && word(r.color, 1, 1, 2) == 0, "%s", rows[i].name);
		rig_close(&r);
	}
}

Test(draw, textures)
{
	static const struct { struct kiln_texture_desc desc; uint32_t number; } rows[] = {
		{{KILN_FORMAT_R8G8B8A8_UNORM, 1, 1, 0, 0, {0, 0}}, 0}, {{KILN_FORMAT_D32_FLOAT, 4, 2, 1, 1, {1, 0}}, 0},
		{{KILN_FORMAT_UNKNOWN, 1, 1, 0, 0, {0, 0}}, 5011}, {{9999, 1, 1, 0, 0, {0, 0}}, 5011},
		{{KILN_FORMAT_BC1_UNORM, 4, 4, 0, 0, {0, 0}}, 5011}, {{KILN_FORMAT_R8G8B8A8_TYPELESS, 4, 4, 0, 0, {0, 0}}, 5011},
		{{KILN_FORMAT_R8_UNORM, 0, 1, 0, 0, {0, 0}}, 5011}, {{KILN_FORMAT_R8_UNORM, 1, 16385, 0, 0, {0, 0}}, 5011},
		{{KILN_FORMAT_R32G32B32A32_FLOAT, 16384, 16384, 0, 0, {0, 0}}, 5011}, {{KILN_FORMAT_R8_UNORM, 1, 1, 0, 0, {4, 0}}, 5009},
		{{KILN_FORMAT_R8_UNORM, 1, 1, 6, 0, {0, 0}}, 5009}, {{KILN_FORMAT_R8_UNORM, 2, 2, 0, 2, {0, 0}}, 5009},
	};
	struct kiln_device *d = kiln_device_create(NULL);

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_diags *diags = kiln_diags_create();
		struct kiln_resource *r = kiln_texture_create(d, "t", &rows[i].desc, diags);
		uint32_t rgba[4];

		cr_assert_eq(r != NULL, rows[i].number == 0, "row %zu", i);
		cr_assert(rows[i].number == 0 ? kiln_diags_count(diags) == 0 : kiln_diags_has(diags, rows[i].number), "row %zu", i);
		cr_assert(!r || !kiln_resource_texel(r, rows[i].desc.Width, 0, rgba));
		kiln_resource_destroy(r);
		kiln_diags_destroy(diags);
	}
	cr_assert_null(kiln_buffer_create(d, "b", ((size_t)1 << 31) + 1, NULL));
	kiln_device_destroy(d);
}
