/* Serialised PSOs: what comes back is what was baked; damage of any kind is a diagnostic, or a PSO that creation
 * would have made of the same state and programs; deriving goes on from bytes. Needs no LLVM. */
#include "tests/pso_rig.h"
#include <zlib.h>

enum { CRC_AT = 12, CHECKED_FROM = 16, HEADER = 28, ENTRY = 8, KEY_AT = 12 };

static void put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static void mend_crc(uint8_t *data, size_t size)
{
	put32(data + CRC_AT, (uint32_t)crc32_z(0, data + CHECKED_FROM, size - CHECKED_FROM));
}

/* The key in META, then the checksum: what is left is for the decoder to find. */
static void mend(uint8_t *data, size_t size)
{
	struct kiln_diags *ignored = kiln_diags_create();
	struct pso_image image;
	mend_crc(data, size);
	if (pso_image_read(data, size, "mend", &image, ignored) && image.section[PSO_METADATA].size >= KEY_AT + 8) {
		uint64_t key = pso_image_key(&image);
		uint8_t *at = data + (image.section[PSO_METADATA].data - data) + KEY_AT;
		put32(at, (uint32_t)key);
		put32(at + 4, (uint32_t)(key >> 32));
		mend_crc(data, size);
	}
	kiln_diags_destroy(ignored);
}

static struct buf bytes_of(const struct pipeline *p, const struct pso_serialize_options *o)
{
	struct kiln_diags *d = kiln_diags_create();
	struct pso_bytes b;
	struct buf out = {0};
	cr_assert(pso_bytes_make(p, o, &b, d), "%s", all_text(d));
	pso_image_write(&b.image, &out);
	pso_bytes_finish(&b);
	kiln_diags_destroy(d);
	return out;
}

static struct pipeline *load(const uint8_t *data, size_t size, struct pipeline *base, struct kiln_diags *d)
{
	struct pso_image image;
	return pso_image_read(data, size, "blob", &image, d) ? pso_image_load(&image, NULL, base, NULL, d) : NULL;
}

static bool same_text(const struct isa_program *a, const struct isa_program *b)
{
	struct buf x = {0}, y = {0};
	if (a && b) {
		isa_program_encode(a, &x);
		isa_program_encode(b, &y);
	}
	bool same = !a == !b && x.size == y.size && (!x.size || !memcmp(x.data, y.data, x.size));
	buf_finish(&x);
	buf_finish(&y);
	return same;
}

static bool same_root(const struct root_signature *a, const struct root_signature *b)
{
	uint8_t x[ROOT_KEY_BYTES], y[ROOT_KEY_BYTES];
	root_signature_key(a, x);
	root_signature_key(b, y);
	return !memcmp(x, y, sizeof x);
}

/* Everything that a draw or a derive looks at. */
static bool same_pipeline(const struct pipeline *a, const struct pipeline *b)
{
	struct buf x = {0}, y = {0};
	graphics_desc_write(&a->desc, &x);
	graphics_desc_write(&b->desc, &y);
	bool same = x.size == y.size && !memcmp(x.data, y.data, x.size) && a->policy == b->policy &&
		!memcmp(a->export_slot, b->export_slot, sizeof a->export_slot) &&
		!memcmp(a->vs_layout, b->vs_layout, sizeof a->vs_layout) &&
		!memcmp(a->ps_param, b->ps_param, sizeof a->ps_param) && !memcmp(&a->outputs, &b->outputs, sizeof a->outputs) &&
		same_text(a->vs, b->vs) && same_text(a->ps, b->ps) && same_text(a->ps_symbolic, b->ps_symbolic) &&
		same_root(a->root, b->root) && a->default_root == b->default_root;
	for (unsigned i = 0; i < KILN_RENDER_TARGETS_MAX; i++)
		same = same && export_same(&a->baked[i], &b->baked[i]) && export_same(&a->required[i], &b->required[i]);
	buf_finish(&x);
	buf_finish(&y);
	return same;
}

/* The same made anew of what a pipeline consists of. */
static struct pipeline *remake(const struct pipeline *p, struct kiln_diags *d)
{
	const struct pipeline_inputs in = {.name = p->name, .desc = &p->desc, .vs = p->vs, .ps = p->ps_symbolic,
		.root = p->default_root ? NULL : p->root, .policy = p->policy};
	return pipeline_create(&in, d);
}

/* A root signature with one of everything, for the constants of nobody. */
static void give_root(struct setup *s)
{
	static struct root_range ranges[2] = {{.type = 0, .count = 2, .reg = 0, .space = 1, .flags = 4, .offset = 0},
		{.type = 1, .count = 1, .reg = 3, .space = 0, .flags = 0, .offset = 2}};
	s->parameter[0] = (struct root_parameter){.type = 1, .reg = 4, .num_constants = 3};
	s->parameter[1] = (struct root_parameter){.type = 0, .visibility = 5, .ranges = ranges, .range_count = 2};
	s->root.parameter_count = 2;
	s->with_root = true;
}

/* ---- what is whole ---- */

Test(serialize, round_trip)
{
	static const struct { uint32_t format; bool blend, root, pixel; enum kiln_export_policy policy; } rows[] = {
		{KILN_FORMAT_R8G8B8A8_UNORM, false, false, true, KILN_EXPORT_CONSOLE},
		{KILN_FORMAT_R16G16B16A16_UNORM, false, true, true, KILN_EXPORT_CONSOLE},
		{KILN_FORMAT_R16G16B16A16_UNORM, true, true, true, KILN_EXPORT_MESA_GFX7},
		{KILN_FORMAT_R32G32_FLOAT, true, false, true, KILN_EXPORT_MESA_GFX10_3},
		{KILN_FORMAT_R8G8B8A8_UNORM, false, true, false, KILN_EXPORT_CONSOLE},
	};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		static const struct output color = {0, 15, ISA_F32};
		struct setup s;
		start(&s, rows[i].format, &color, 1);
		s.policy = rows[i].policy;
		s.d.BlendState.RenderTarget[0].BlendEnable = rows[i].blend;
		s.d.BlendState.RenderTarget[0].SrcBlend = KILN_BLEND_SRC_ALPHA;
		s.d.ShaderLimits.PSWaves = 5;
		if (rows[i].root)
			give_root(&s);
		if (!rows[i].pixel) {
			isa_program_destroy(s.ps);
			s.ps = NULL;
		}
		struct pipeline *p = create(&s);
		cr_assert(p, "row %zu%s", i, all_text(s.diags));
		struct buf whole = bytes_of(p, NULL), again = bytes_of(p, NULL);
		cr_expect(whole.size == again.size && !memcmp(whole.data, again.data, whole.size), "row %zu: two serialisations", i);
		struct pipeline *q = load(whole.data, whole.size, NULL, s.diags);
		cr_assert(q, "row %zu%s", i, all_text(s.diags));
		cr_expect(same_pipeline(p, q) && !strcmp(q->name, "base") && q->deserialized, "row %zu", i);
		cr_expect_str_eq(q->vs->name, p->vs->name);
		pipeline_release(p);
		pipeline_release(q);
		buf_finish(&whole);
		buf_finish(&again);
		end(&s);
	}
}

/* Names go, what deriving needs stays: the stripped PSO has the same key and derives alike. */
Test(serialize, stripped)
{
	struct setup s;
	struct pipeline *p = create(begin(&s));
	const struct pso_serialize_options strip = {.strip_debug = true, .name = "elsewhere"};
	struct buf whole = bytes_of(p, NULL), bare = bytes_of(p, &strip);
	struct pso_image a, b;
	cr_expect_lt(bare.size, whole.size);
	cr_assert(pso_image_read(whole.data, whole.size, "a", &a, s.diags));
	cr_assert(pso_image_read(bare.data, bare.size, "b", &b, s.diags));
	cr_expect_eq(pso_image_key(&a), pso_image_key(&b));
	cr_expect_str_eq(pso_image_name(&b), "elsewhere");
	struct pipeline *q = load(bare.data, bare.size, NULL, s.diags);
	cr_assert(q, "%s", all_text(s.diags));
	cr_expect(!*q->vs->name && !*q->ps->name && !same_text(p->vs, q->vs));
	struct kiln_blend_desc blend = p->desc.BlendState;
	blend.RenderTarget[0].RenderTargetWriteMask = 0;
	for (unsigned i = 0; i < 2; i++) { /* a mask that drops everything needs no export: a harmless difference, refused */
		struct kiln_diags *d = kiln_diags_create();
		struct pipeline *r = pipeline_derive(i ? q : p, "d", &(struct kiln_derived_pipeline_desc){.BlendState = &blend}, NULL, d);
		cr_expect(!r && kiln_diags_has(d, DIAG_EXPORT_MISMATCH_HARMLESS), "%s", all_text(d));
		kiln_diags_destroy(d);
	}
	pipeline_release(p);
	pipeline_release(q);
	buf_finish(&whole);
	buf_finish(&bare);
	end(&s);
}

static struct pipeline *derive_raster(struct pipeline *base, const char *name, struct kiln_diags *d)
{
	struct kiln_rasterizer_desc raster = base->desc.RasterizerState;
	raster.CullMode = KILN_CULL_NONE;
	raster.DepthBias = 2.5f;
	return pipeline_derive(base, name, &(struct kiln_derived_pipeline_desc){.RasterizerState = &raster}, NULL, d);
}

Test(serialize, derived)
{
	struct setup s, t;
	struct pipeline *p = create(begin(&s)), *other;
	struct pipeline *d = derive_raster(p, "two-sided", s.diags);
	struct buf base_bytes = bytes_of(p, NULL), derived_bytes = bytes_of(d, NULL);
	cr_expect_lt(derived_bytes.size, base_bytes.size, "no program, no root signature");
	struct pipeline *base = load(base_bytes.data, base_bytes.size, NULL, s.diags);
	cr_assert(base);
	/* from the living base, from the deserialised one, and a sibling derived from bytes alone */
	struct pipeline *of_living = load(derived_bytes.data, derived_bytes.size, p, s.diags);
	struct pipeline *of_bytes = load(derived_bytes.data, derived_bytes.size, base, s.diags);
	struct pipeline *sibling = derive_raster(base, "sibling", s.diags);
	cr_assert(of_living && of_bytes && sibling, "%s", all_text(s.diags));
	cr_expect(same_pipeline(d, of_living) && same_pipeline(d, of_bytes) && same_pipeline(d, sibling));
	cr_expect(of_bytes->base == base && !strcmp(of_bytes->name, "two-sided"));
	/* none, a derived one, another */
	begin(&t);
	t.d.RTVFormats[0] = KILN_FORMAT_R32G32B32A32_FLOAT;
	other = create(&t);
	struct pipeline *const wrong[] = {NULL, d, other};
	for (size_t i = 0; i < ARRAY_COUNT(wrong); i++) {
		kiln_diags_clear(t.diags);
		cr_expect_null(load(derived_bytes.data, derived_bytes.size, wrong[i], t.diags));
		cr_expect(kiln_diags_has(t.diags, DIAG_PSO_BLOB_BASE), "%zu%s", i, all_text(t.diags));
	}
	/* nothing that came from bytes becomes bytes again */
	struct pipeline *const from_bytes[] = {base, of_living, of_bytes, sibling};
	for (size_t i = 0; i < ARRAY_COUNT(from_bytes); i++) {
		struct pso_bytes b;
		kiln_diags_clear(t.diags);
		cr_expect_not(pso_bytes_make(from_bytes[i], NULL, &b, t.diags));
		cr_expect(kiln_diags_has(t.diags, DIAG_SERIALIZE_DESERIALIZED), "%zu", i);
		pso_bytes_finish(&b);
	}
	struct pipeline *const all[] = {p, d, base, of_living, of_bytes, sibling, other};
	for (size_t i = 0; i < ARRAY_COUNT(all); i++)
		pipeline_release(all[i]);
	buf_finish(&base_bytes);
	buf_finish(&derived_bytes);
	end(&s);
	end(&t);
}

/* ---- what is damaged ---- */

static uint8_t *exact_copy(const struct buf *b, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	memcpy(copy, b->data, size);
	return copy;
}

/* Any outcome but a crash, a silent refusal or a pipeline that creation would not have made. 1: it was made. */
static unsigned judge(const uint8_t *data, size_t size, struct pipeline *base, const char *what, size_t at)
{
	struct kiln_diags *d = kiln_diags_create(), *again = kiln_diags_create();
	struct pipeline *p = load(data, size, base, d);
	cr_expect_eq(p == NULL, kiln_diags_errors(d) > 0, "%s %zu%s", what, at, all_text(d));
	if (p && !p->base) {
		struct pipeline *q = remake(p, again);
		cr_expect(q && same_pipeline(p, q), "%s %zu: no PSO that creation makes%s", what, at, all_text(again));
		pipeline_release(q);
	}
	unsigned made = p != NULL;
	pipeline_release(p);
	kiln_diags_destroy(d);
	kiln_diags_destroy(again);
	return made;
}

static void truncate_and_flip(const struct buf *b, struct pipeline *base)
{
	unsigned made = 0;
	for (size_t n = 0; n < b->size; n++) {
		uint8_t *cut = exact_copy(b, n);
		cr_expect_eq(judge(cut, n, base, "cut at", n), 0);
		if (n >= HEADER) { /* with size and checksum that fit the cut */
			put32(cut + 8, (uint32_t)n);
			mend(cut, n);
			cr_expect_eq(judge(cut, n, base, "cut and mended at", n), 0);
		}
		free(cut);
	}
	uint8_t *copy = exact_copy(b, b->size);
	for (size_t bit = 0; bit < 8 * b->size; bit++) {
		copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
		cr_expect_eq(judge(copy, b->size, base, "bit", bit), 0, "bit %zu: the checksum let it through", bit);
		mend_crc(copy, b->size);
		judge(copy, b->size, base, "bit, CRC mended", bit);
		mend(copy, b->size);
		made += judge(copy, b->size, base, "bit, CRC and key mended", bit);
		memcpy(copy, b->data, b->size);
	}
	cr_expect_gt(made, 100, "state differs and is legal in many places, not in %u", made);
	free(copy);
}

Test(serialize, every_cut_and_bit_of_a_base)
{
	struct setup s;
	begin(&s);
	give_root(&s);
	struct pipeline *p = create(&s);
	cr_assert(p, "%s", all_text(s.diags));
	struct buf b = bytes_of(p, NULL);
	truncate_and_flip(&b, NULL);
	pipeline_release(p);
	buf_finish(&b);
	end(&s);
}

Test(serialize, every_cut_and_bit_of_a_derived)
{
	struct setup s;
	struct pipeline *p = create(begin(&s)), *d = derive_raster(p, "d", s.diags);
	struct buf b = bytes_of(d, NULL);
	truncate_and_flip(&b, p);
	pipeline_release(d);
	pipeline_release(p);
	buf_finish(&b);
	end(&s);
}

/* A word replaced, everything mended: refused by this number. */
Test(serialize, numbers)
{
	static const struct { int section; uint32_t at, value, number; bool crc; const char *what; } rows[] = {
		{-1, 0, 0x4f53504c, DIAG_PSO_BLOB_INVALID, true, "magic"},
		{-1, 4, 2, DIAG_PSO_BLOB_VERSION, true, "newer version"},
		{-1, 4, 0, DIAG_PSO_BLOB_VERSION, true, "older version"},
		{-1, 12, 0, DIAG_PSO_BLOB_CRC, false, "checksum"},
		{-1, 16, 9, DIAG_PSO_BLOB_INVALID, true, "console"},
		{-1, 24, 0xffffffff, DIAG_PSO_BLOB_INVALID, true, "sections"},
		{PSO_METADATA, 0, 99, DIAG_PSO_BLOB_VERSION, true, "structure version"},
		{PSO_METADATA, 4, 7, DIAG_PSO_BLOB_VERSION, true, "ISA version"},
		{PSO_METADATA, 8, 7, DIAG_PSO_BLOB_VERSION, true, "compiler version"},
		{PSO_BLEND, 8 + 8, 77, 0, true, "a factor that nobody uses"},
		{PSO_RASTER, 4, 9, DIAG_CREATERASTERIZERSTATE_INVALIDCULLMODE, true, "cull mode"},
		{PSO_TARGETS, 4, KILN_FORMAT_R32G32B32A32_FLOAT, DIAG_PSO_BLOB_STALE, true, "a format that needs another export"},
		{PSO_TARGETS, 0, 9, DIAG_CREATEGRAPHICSPIPELINESTATE_INVALID_RENDER_TARGET_COUNT, true, "target count"},
		{PSO_GEOMETRY, 8, 1, DIAG_PSO_BLOB_STALE, true, "tessellation"},
		{PSO_HARDWARE, 0, 3, DIAG_INVALID_EXPORT_POLICY, true, "policy"},
		{PSO_HARDWARE, 0, 1, 0, true, "another policy, which exports the same"},
		{PSO_HARDWARE, 8, 3, DIAG_PSO_BLOB_STALE, true, "registers"},
		{PSO_EXECUTION, 0, 1, DIAG_PSO_BLOB_STALE, true, "stages"},
		{PSO_LAYOUT, 0, 33, DIAG_PSO_BLOB_INVALID, true, "elements"},
		{PSO_ROOT, 0, 7, DIAG_ROOT_SIGNATURE_BLOB, true, "root signature version"},
	};
	struct setup s;
	begin(&s);
	give_root(&s);
	struct pipeline *p = create(&s);
	struct buf b = bytes_of(p, NULL);
	struct pso_image image;
	cr_assert(pso_image_read(b.data, b.size, "blob", &image, s.diags));
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		uint8_t *copy = exact_copy(&b, b.size);
		size_t at = (rows[i].section < 0 ? 0 : (size_t)(image.section[rows[i].section].data - b.data)) + rows[i].at;
		put32(copy + at, rows[i].value);
		if (rows[i].crc)
			mend(copy, b.size);
		kiln_diags_clear(s.diags);
		struct pipeline *q = load(copy, b.size, NULL, s.diags);
		cr_expect_eq(q != NULL, !rows[i].number, "%s%s", rows[i].what, all_text(s.diags));
		cr_expect(!rows[i].number || find(s.diags, rows[i].number), "%s%s", rows[i].what, all_text(s.diags));
		pipeline_release(q);
		free(copy);
	}
	pipeline_release(p);
	buf_finish(&b);
	end(&s);
}

/* A section of one PSO in another: each is whole, together they are none that anybody baked. */
Test(serialize, swapped_sections)
{
	struct setup s, t;
	begin(&s);
	begin(&t);
	t.d.DepthStencilState.StencilReadMask = 1;
	t.d.BlendState.RenderTarget[0].RenderTargetWriteMask = 7;
	t.d.RTVFormats[0] = KILN_FORMAT_R32_FLOAT;
	give_root(&t);
	struct pipeline *p = create(&s), *q = create(&t);
	struct pso_bytes a, b;
	cr_assert(p && q && pso_bytes_make(p, NULL, &a, s.diags) && pso_bytes_make(q, NULL, &b, t.diags));
	for (unsigned i = 0; i < PSO_SECTION_COUNT; i++) {
		struct pso_image mixed = a.image;
		mixed.section[i] = b.image.section[i];
		bool same = mixed.section[i].size == a.image.section[i].size &&
			(!mixed.section[i].size || !memcmp(mixed.section[i].data, a.image.section[i].data, mixed.section[i].size));
		kiln_diags_clear(s.diags);
		struct pipeline *r = pso_image_load(&mixed, NULL, NULL, NULL, s.diags);
		cr_expect_eq(r != NULL, same, "section %s%s", pso_section_names[i], all_text(s.diags));
		pipeline_release(r);
	}
	pso_bytes_finish(&a);
	pso_bytes_finish(&b);
	pipeline_release(p);
	pipeline_release(q);
	end(&s);
	end(&t);
}
