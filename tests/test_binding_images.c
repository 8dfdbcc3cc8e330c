/* Textures and samplers through descriptors: what views show, the order of draws and reads, and what is refused. */
#include "tests/bind_rig.h"

Test(binding_images, texture_views)
{
	/* R32_TYPELESS, 2x1, two mips, three slices; the first texel of subresource s is s + 1 */
	static const struct {
		struct kiln_view_desc view;
		uint8_t kind;
		uint32_t slice, mip;
		float want;
	} rows[] = {
		{{.Format = KILN_FORMAT_R32_FLOAT}, ISA_KIND_TEXTURE_2D_ARRAY, 0, 0, 1},
		{{.Format = KILN_FORMAT_R32_FLOAT}, ISA_KIND_TEXTURE_2D_ARRAY, 2, 1, 6},
		{{.Format = KILN_FORMAT_R32_FLOAT, .FirstArraySlice = 1, .MostDetailedMip = 1}, ISA_KIND_TEXTURE_2D_ARRAY, 1, 0, 6},
		{{.Format = KILN_FORMAT_R32_FLOAT, .ViewDimension = KILN_VIEW_TEXTURE2D}, ISA_KIND_TEXTURE_2D, 0, 1, 2},
		{{.Format = KILN_FORMAT_R32_FLOAT, .ViewDimension = KILN_VIEW_TEXTURE2D, .FirstArraySlice = 2}, ISA_KIND_TEXTURE_2D, 0, 0,
			5},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct isa_resource r = {.name = "t", .cls = ISA_SRV, .kind = rows[i].kind, .type = F32, .lower = 4, .count = 1};
		struct root_range ranges[] = {RANGE(1, 2, 0, 0), RANGE(0, 4, 2, 2)};
		struct kiln_resource *t;
		struct bench b;

		bench_open(&b);
		t = texture(&b, (struct kiln_texture_desc){.Format = KILN_FORMAT_R32_TYPELESS, .Width = 2, .Height = 1,
			.DepthOrArraySize = 3, .MipLevels = 2});
		for (uint32_t s = 0; s < 6; s++)
			cr_assert(kiln_texture_write(t, s, (const float[]){(float)s + 1, 0}, 0, 0, b.r.diags));
		srv(&b, 7, t, rows[i].view); /* 3 + 2 + (4 - 2) */
		use(&b, vs(), ps_image(r, OFF, rows[i].slice, rows[i].mip), &TABLE(ranges), 1, NULL, 0);
		kiln_cmd_root_table(b.r.list, 0, b.views, 3);
		expect(&b, (const float[4]){rows[i].want, 0, 0, 1}, "texture");
		cr_expect_eq(kiln_diags_count(b.r.diags), 0, "row %zu", i);
		bench_close(&b);
	}
}

/* Each draw sees what those before it wrote, into one mip of one slice too; descriptors are read when the list runs. Kiln's
 * own root signature gives the texture table 0. */
Test(binding_images, order)
{
	struct isa_resource r = RES(SRV, TEXTURE_2D, F32, 0, 1);
	const struct kiln_view_desc part = {.MostDetailedMip = 1, .FirstArraySlice = 1, .ArraySize = 1};
	struct kiln_view_desc read = part;
	struct kiln_resource *other;
	struct bench b;

	bench_open(&b);
	other = texture(&b, (struct kiln_texture_desc){.Format = KILN_FORMAT_R32G32B32A32_FLOAT, .Width = 8, .Height = 8,
		.DepthOrArraySize = 2, .MipLevels = 2});
	use(&b, vs(), ps_image(r, OFF, 0, 0), NULL, 0, NULL, 0);
	kiln_cmd_clear_color(b.r.list, b.r.color, (const float[4]){1, 2, 3, 4});
	kiln_cmd_root_table(b.r.list, 0, b.views, 0);
	kiln_cmd_render_target_views(b.r.list, 1, &(struct kiln_target_view){other, part}, NULL);
	draw(&b.r, half, 3);
	kiln_cmd_clear_color(b.r.list, b.r.color, (const float[4]){9, 9, 9, 9});
	kiln_cmd_root_table(b.r.list, 0, b.views, 1);
	kiln_cmd_render_targets(b.r.list, 1, &b.r.color, NULL);
	srv(&b, 0, b.r.color, (struct kiln_view_desc){0});
	read.ViewDimension = KILN_VIEW_TEXTURE2D;
	srv(&b, 1, other, read);
	expect(&b, (const float[4]){1, 2, 3, 4}, "read back");
	for (uint32_t s = 0; s < 4; s++) {
		uint32_t rgba[4];

		cr_assert(kiln_resource_subresource_texel(other, s, 1, 1, 0, 0, rgba));
		cr_expect_eq(bits_float(rgba[3]), s == 3 ? 4.0f : 0.0f, "subresource %u", s);
	}
	cr_expect_eq(kiln_diags_count(b.r.diags), 0);
	bench_close(&b);
}

static struct isa_resource texture_2d(void) { return RES(SRV, TEXTURE_2D, F32, 0, 1); }
static void view(struct bench *b, struct kiln_resource *r, struct kiln_view_desc d)
{
	srv(b, 1, r, d);
	kiln_cmd_root_table(b->r.list, 0, b->views, 0);
}
static void right(struct bench *b) { view(b, pixel(b, 1), (struct kiln_view_desc){0}); }
static void null(struct bench *b) { view(b, NULL, (struct kiln_view_desc){0}); }
#define BUFFER_VIEW(name, ...) \
	static void name(struct bench *b) { view(b, buffer(&b->r, NULL, 16), (struct kiln_view_desc){__VA_ARGS__}); }
BUFFER_VIEW(as_buffer, .Format = KILN_FORMAT_R32_FLOAT)
static void as_array(struct bench *b)
{
	view(b, pixel(b, 1), (struct kiln_view_desc){.ViewDimension = KILN_VIEW_TEXTURE2DARRAY});
}
static void target(struct bench *b) { view(b, b->r.color, (struct kiln_view_desc){0}); }
static void a_uav(struct bench *b)
{
	cr_assert(kiln_descriptor_uav(b->views, 1, pixel(b, 1), NULL, NULL, 0, b->r.diags));
	kiln_cmd_root_table(b->r.list, 0, b->views, 0);
}
static void integers(struct bench *b)
{
	view(b, texture(b, (struct kiln_texture_desc){.Format = KILN_FORMAT_R8_UINT, .Width = 1, .Height = 1}),
		(struct kiln_view_desc){0});
}

Test(binding_images, refused_draws)
{
	static const struct {
		void (*set)(struct bench *);
		uint32_t number;
	} rows[] = {
		{right, 0}, {null, 0}, {as_array, 5035}, {as_buffer, 5035}, {a_uav, 5035}, {integers, 5036}, {target, 5038},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct root_range ranges[] = {RANGE(0, 4, 0, 1)};
		bool warning = rows[i].number == 5036, ok;
		struct bench b;

		bench_open(&b);
		use(&b, vs(), ps_image(texture_2d(), OFF, 0, 0), &TABLE(ranges), 1, NULL, 0);
		rows[i].set(&b);
		draw(&b.r, half, 3);
		ok = kiln_execute(b.r.device, b.r.list, NULL, b.r.diags);
		cr_expect_eq(ok, rows[i].number == 0 || warning, "row %zu", i);
		cr_expect_eq(kiln_diags_count(b.r.diags), rows[i].number != 0, "row %zu: %zu", i, kiln_diags_count(b.r.diags));
		cr_expect(!rows[i].number || kiln_diags_has(b.r.diags, rows[i].number), "row %zu: %u", i,
			kiln_diags_count(b.r.diags) ? kiln_diags_get(b.r.diags, 0)->number : 0);
		bench_close(&b);
	}
}

/* The depth buffer may be read where the draw writes no depth: by its state, or by the flags of its view. */
Test(binding_images, depth_that_is_read)
{
	for (int row = 0; row < 3; row++) {
		struct isa_resource r = texture_2d();
		struct kiln_target_view depth = {NULL, {.Format = KILN_FORMAT_D32_FLOAT}};
		struct bench b;

		bench_open(&b);
		depth.resource = texture(&b, (struct kiln_texture_desc){.Format = KILN_FORMAT_R32_TYPELESS, .Width = 8, .Height = 8});
		b.r.state.DepthStencilState.DepthEnable = true;
		b.r.state.DepthStencilState.DepthWriteMask = row != 1;
		b.r.state.DepthStencilState.DepthFunc = KILN_COMPARISON_ALWAYS;
		use(&b, vs(), ps_image(r, OFF, 0, 0), NULL, 0, NULL, 0);
		srv(&b, 0, depth.resource, (struct kiln_view_desc){.Format = KILN_FORMAT_R32_FLOAT});
		kiln_cmd_root_table(b.r.list, 0, b.views, 0);
		kiln_cmd_clear_depth_view(b.r.list, &depth, 0.25f);
		kiln_cmd_render_target_views(b.r.list, 1, &(struct kiln_target_view){b.r.color, {0}}, &depth);
		if (row == 2)
			kiln_cmd_depth_stencil_flags(b.r.list, KILN_DSV_READ_ONLY_DEPTH);
		if (row) {
			expect(&b, (const float[4]){0.25f, 0, 0, 1}, "depth");
			cr_expect_eq(kiln_diags_count(b.r.diags), 0);
		} else {
			draw(&b.r, half, 3);
			cr_expect_not(kiln_execute(b.r.device, b.r.list, NULL, b.r.diags));
			cr_expect(kiln_diags_has(b.r.diags, DIAG_RESOURCE_READ_AND_TARGET));
		}
		bench_close(&b);
	}
}

/* A texture of an array that is a target too is found when it is read; the others are not read. */
Test(binding_images, arrays_and_targets)
{
	for (uint32_t element = 0; element < 2; element++) {
		struct root_range ranges[] = {RANGE(0, 2, 0, 0)};
		struct isa_resource r = RES(SRV, TEXTURE_2D, F32, 0, 2);
		struct bench b;

		bench_open(&b);
		srv(&b, 0, pixel(&b, 10), (struct kiln_view_desc){0});
		srv(&b, 1, b.r.color, (struct kiln_view_desc){0});
		use(&b, vs(), ps_image(r, LIT(element), 0, 0), &TABLE(ranges), 1, NULL, 0);
		kiln_cmd_root_table(b.r.list, 0, b.views, 0);
		draw(&b.r, half, 3);
		cr_expect_eq(kiln_execute(b.r.device, b.r.list, NULL, b.r.diags), element == 0);
		cr_expect_eq(kiln_diags_has(b.r.diags, DIAG_RESOURCE_READ_AND_TARGET), element);
		bench_close(&b);
	}
}

Test(binding_images, comparison_samplers)
{
	enum { LINEAR = 0x15, COMPARE = 0x95, MINIMUM = 0x115 };
	static const struct { uint32_t filter; bool comparison, is_static, warns; } rows[] = {
		{LINEAR, false, false, false}, {COMPARE, true, false, false}, {LINEAR, true, false, true}, {COMPARE, false, false, true},
		{MINIMUM, false, false, false}, {LINEAR, false, true, false}, {COMPARE, false, true, true}, {LINEAR, true, true, true},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct isa_resource r[] = {texture_2d(), RES(SAMPLER, SAMPLER, 0, 0, 1)};
		struct root_range views[] = {RANGE(0, 1, 0, 0)}, samplers[] = {RANGE(3, 1, 0, 0)};
		struct root_parameter parameters[] = {TABLE(views), TABLE(samplers)};
		struct root_sampler fixed = {.words = {rows[i].filter, 3, 3, 3, 0, 0, 1}};
		struct kiln_sampler_desc desc = {
			.Filter = rows[i].filter, .AddressU = 3, .AddressV = 3, .AddressW = 3, .ComparisonFunc = 1};
		struct isa_program *p;
		struct bench b;

		r[1].flags = rows[i].comparison ? COMPARISON : 0;
		p = ps_of(r, 2);
		for (unsigned c = 0; c < 4; c++)
			EMIT(p, mov, V(c), LIT(0));
		bench_open(&b);
		use(&b, vs(), ps_end(p), parameters, rows[i].is_static ? 1 : 2, &fixed, rows[i].is_static);
		srv(&b, 0, pixel(&b, 1), (struct kiln_view_desc){0});
		cr_assert(kiln_descriptor_sampler(b.samplers, 0, &desc, b.r.diags));
		kiln_cmd_root_table(b.r.list, 0, b.views, 0);
		kiln_cmd_root_table(b.r.list, 1, b.samplers, 0);
		draw(&b.r, half, 3);
		run(&b.r);
		cr_expect_eq(kiln_diags_has(b.r.diags, DIAG_SAMPLER_COMPARISON_MISMATCH), rows[i].warns, "row %zu", i);
		bench_close(&b);
	}
}
