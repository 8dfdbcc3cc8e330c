/* What goes into a draw: vertex fetch, instancing, constants, by values worked out by hand; and bad draws, each with its
 * number. */
#include "tests/draw_rig.h"

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
 * 12, 13, 10, 11 with base vertex -10 read vertices 2, 3, 0, 1. Colours advance every second
 * instance, from StartInstance 1. */
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
		{KILN_FORMAT_R32G32_FLOAT, {0, 0, 0x80, 0x3f, 0x45, 0x23, 0xa1, 0x7f}, 8, false, {0x3f800000, 0x7fa12345, 0,
		0x3f800000}},
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
		p->resources[i] = (struct isa_resource){.name = "cb", .cls = ISA_CBV, .kind = 13, .lower = i, .count = 1,
			.stride_or_size = 4096};
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
			.VS = shader(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR)), .PS = shader(&r, ps_constants(rows[i].resource,
				rows[i].row))};
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

/* The default root signature has a CBV for each constant buffer; a draw without them is refused, once for each. */
Test(draw, root_parameters_not_set)
{
	struct rig r;

	rig_open(&r, KILN_FORMAT_R32G32B32A32_FLOAT);
	pso(&r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_constants(0, 0));
	kiln_cmd_root_constants(r.list, 0, 0, 1, (const uint32_t[]){1}); /* of the wrong kind */
	draw(&r, half, 3);
	cr_assert_not(kiln_execute(r.device, r.list, NULL, r.diags));
	cr_assert_eq(kiln_diags_errors(r.diags), 2);
	cr_assert(kiln_diags_has(r.diags, DIAG_ROOT_PARAMETER_NOT_SET));
	rig_close(&r);
}

/* ---- refusals ---- */
static void no_pso(struct rig *r) { kiln_cmd_pso(r->list, NULL); }
static void lines(struct rig *r) { kiln_cmd_topology(r->list, KILN_TOPOLOGY_LINELIST); }
static void no_topology(struct rig *r) { kiln_cmd_topology(r->list, (enum kiln_topology)77); }
static void no_target(struct rig *r) { kiln_cmd_render_targets(r->list, 0, NULL, r->depth); }
static void other_depth(struct rig *r)
{
	kiln_cmd_render_targets(r->list, 1, &r->color, rig_texture(r, KILN_FORMAT_D16_UNORM, SIZE, 1));
}
static void more_samples(struct rig *r)
{
	struct kiln_resource *t = rig_texture(r, KILN_FORMAT_R32G32B32A32_FLOAT, SIZE, 4);
	kiln_cmd_render_targets(r->list, 1, &t, NULL);
}
static void more_depth_samples(struct rig *r)
{
	kiln_cmd_render_targets(r->list, 1, &r->color, rig_texture(r, KILN_FORMAT_D32_FLOAT, SIZE, 4));
}
static void resolve_one(struct rig *r) { kiln_cmd_resolve(r->list, r->color, r->color, 0, KILN_RESOLVE_AVERAGE); }
static void resolve_integers(struct rig *r)
{
	struct kiln_resource *to = rig_texture(r, KILN_FORMAT_R8_UINT, SIZE, 1);
	kiln_cmd_resolve(r->list, to, rig_texture(r, KILN_FORMAT_R8_UINT, SIZE, 2), 0, KILN_RESOLVE_AVERAGE);
}
static void resolve_other(struct rig *r)
{
	kiln_cmd_resolve(r->list, r->color, rig_texture(r, KILN_FORMAT_R32_FLOAT, SIZE, 2), 0, KILN_RESOLVE_AVERAGE);
}
static void clear_nothing(struct rig *r) { kiln_cmd_clear_depth_stencil(r->list, r->depth, 0, 0, 0); }
static void view_flags(struct rig *r) { kiln_cmd_depth_stencil_flags(r->list, 4); }
static void no_query(struct rig *r) { kiln_cmd_begin_query(r->list, NULL, 0); }
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
static void nan_view(struct rig *r) { kiln_cmd_viewport(r->list, &(struct kiln_viewport){0, 0, bits_float(0x7fc00000), 1,
	0, 1}); }
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
		{"no PSO", no_pso, 5001}, {"lines", lines, 5002}, {"topology 77", no_topology, 5002}, {"no target", no_target,
		5004},
		{"another depth format", other_depth, 5005}, {"more samples", more_samples, 5020},
		{"more depth samples", more_depth_samples, 5021}, {"resolve of one sample", resolve_one, 5014},
		{"average of integers", resolve_integers, 5014}, {"resolve to another format", resolve_other, 5014},
		{"clear of nothing", clear_nothing, 5014}, {"view flags 4", view_flags, 5014}, {"no query heap", no_query, 5022},
		 {"swapped targets", swapped, 5010}, {"a target twice", twice, 5010}, {"4e9 targets",
		many, 5014},
		{"no index buffer", no_indices, 5006}, {"R8 indices", byte_indices, 5007}, {"viewport too tall", tall, 5012},
		{"NaN viewport", nan_view, 5012}, {"vertex slot 32", slot, 5014}, {"stride 2049", stride, 5014},
		{"constants past the end", constants, 5014}, {"parameter 64", parameter, 5014}, {"CBV past its buffer", cbv, 5014},
		{"2^64 vertices", too_many, 5014}, {"depth cleared to 2", clear_depth, 5014}, {"depth cleared as colour",
		clear_wrong, 5010},
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
		{{KILN_FORMAT_R8G8B8A8_UNORM, 1, 1, 0, 0, {0, 0}, 0}, 0}, {{KILN_FORMAT_D32_FLOAT, 4, 2, 1, 1, {1, 0}, 0}, 0},
		{{KILN_FORMAT_UNKNOWN, 1, 1, 0, 0, {0, 0}, 0}, 5011}, {{9999, 1, 1, 0, 0, {0, 0}, 0}, 5011},
		{{KILN_FORMAT_BC1_UNORM, 4, 4, 0, 0, {0, 0}, 0}, 5011}, {{KILN_FORMAT_R8G8B8A8_TYPELESS, 4, 4, 0, 0, {0, 0}, 0}, 0},
		{{KILN_FORMAT_R8_UNORM, 0, 1, 0, 0, {0, 0}, 0}, 5011}, {{KILN_FORMAT_R8_UNORM, 1, 16385, 0, 0, {0, 0}, 0}, 5011},
		{{KILN_FORMAT_R32G32B32A32_FLOAT, 16384, 16384, 0, 0, {0, 0}, 0}, 5011}, {{KILN_FORMAT_R8_UNORM, 1, 1, 0, 0, {4, 0}, 0},
		0}, {{KILN_FORMAT_R8_UNORM, 1, 1, 0, 0, {3, 0}, 0}, 5011}, {{KILN_FORMAT_R8_UNORM, 1, 1, 0, 0, {32, 0}, 0}, 5011},
		{{KILN_FORMAT_R8_UNORM, 1, 1, 0, 0, {4, 1}, 0}, 5011}, {{KILN_FORMAT_D32_FLOAT, 9, 9, 0, 0, {16, 0xffffffff}, 0}, 0},
		{{KILN_FORMAT_R8_UNORM, 1, 1, 6, 0, {0, 0}, 0}, 0}, {{KILN_FORMAT_R8_UNORM, 2, 2, 0, 2, {0, 0}, 0}, 0},
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
