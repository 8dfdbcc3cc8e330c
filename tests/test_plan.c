/* Plans: the number of bases against an exhaustive search over small random sets, where "derives" is what pipeline_derive()
 * says; every recipe carried out; what forbids; the order of the set; a hundred thousand PSOs. */
#include "tests/pso_rig.h"
#include <stdio.h>

enum { SMALL_MAX = 10, ROUNDS = 400 };

static uint32_t random_word(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}
static uint32_t pick(uint32_t *state, uint32_t count) { return random_word(state) % count; }

/* ---- a set of PSOs on one vertex and a few pixel programs ---- */
enum { PROGRAMS = 3 };
static const struct output program_outputs[PROGRAMS][2] = {
	{{0, 15, ISA_F32}, {1, 15, ISA_F32}}, {{0, 15, ISA_F32}, {1, 3, ISA_F32}}, {{0, 7, ISA_F32}, {1, 15, ISA_F32}}};
struct set {
	struct setup rig;
	struct isa_program *ps[PROGRAMS];
	struct export_outputs outputs[PROGRAMS];
	uint32_t count;
	char names[SMALL_MAX][16];
	struct kiln_graphics_pipeline_desc descs[SMALL_MAX];
	struct plan_pso list[SMALL_MAX];
	struct pipeline *made[SMALL_MAX];
};

static void set_begin(struct set *s)
{
	memset(s, 0, sizeof *s);
	begin(&s->rig);
	for (unsigned i = 0; i < PROGRAMS; i++) {
		s->ps[i] = pixel_program(program_outputs[i], 2);
		export_scan(s->ps[i], &s->outputs[i]);
	}
}

static void set_clear(struct set *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		pipeline_release(s->made[i]);
	s->count = 0;
}

static void set_end(struct set *s)
{
	set_clear(s);
	for (unsigned i = 0; i < PROGRAMS; i++)
		isa_program_destroy(s->ps[i]);
	end(&s->rig);
}

static struct kiln_graphics_pipeline_desc random_state(struct set *s, uint32_t *r)
{
	static const uint32_t formats[] = {KILN_FORMAT_R32G32_FLOAT, KILN_FORMAT_R16G16B16A16_UNORM, KILN_FORMAT_R8G8B8A8_UNORM,
		KILN_FORMAT_R32_FLOAT};
	static const uint32_t factors[] = {KILN_BLEND_ONE, KILN_BLEND_SRC_ALPHA, KILN_BLEND_SRC1_ALPHA};
	struct kiln_graphics_pipeline_desc d = s->rig.d;
	d.NumRenderTargets = 1 + (pick(r, 4) == 0);
	d.RTVFormats[0] = formats[pick(r, 2)];
	d.RTVFormats[1] = d.NumRenderTargets == 2 ? formats[2 + pick(r, 2)] : 0;
	d.BlendState.AlphaToCoverageEnable = pick(r, 4) == 0;
	d.BlendState.IndependentBlendEnable = pick(r, 2);
	for (unsigned i = 0; i < 2; i++) {
		struct kiln_render_target_blend_desc *t = &d.BlendState.RenderTarget[i];
		static const uint32_t masks[] = {15, 15, 1, 7, 8, 0};
		t->BlendEnable = pick(r, 2);
		t->SrcBlend = factors[pick(r, d.NumRenderTargets == 1 && !i ? 3 : 2)];
		t->DestBlend = KILN_BLEND_ONE;
		t->RenderTargetWriteMask = masks[pick(r, 6)];
	}
	d.RasterizerState.CullMode = 1 + pick(r, 2);
	d.DepthStencilState.DepthFunc = 2 + pick(r, 2);
	d.SampleMask = 0xffffffff - pick(r, 2);
	d.ShaderLimits.PSWaves = pick(r, 2);
	d.PrimitiveTopologyType = pick(r, 8) ? KILN_TOPOLOGY_TYPE_TRIANGLE : KILN_TOPOLOGY_TYPE_LINE;
	return d;
}

static void set_random(struct set *s, uint32_t *r)
{
	set_clear(s);
	unsigned one = pick(r, PROGRAMS);
	for (uint32_t tries = 0; s->count < 3 + pick(r, SMALL_MAX - 3) && tries < 100; tries++) {
		uint32_t i = s->count;
		unsigned ps = pick(r, 4) ? one : pick(r, PROGRAMS);
		s->descs[i] = random_state(s, r);
		snprintf(s->names[i], sizeof s->names[i], "%c%u", 'a' + pick(r, 26), (unsigned)i);
		s->list[i] = (struct plan_pso){s->names[i], &s->descs[i], 7, 10 + ps, 3, &s->outputs[ps]};
		const struct pipeline_inputs in = {
			s->names[i], &s->descs[i], s->rig.vs, s->ps[ps], NULL, KILN_EXPORT_CONSOLE, false};
		s->made[i] = pipeline_create(&in, s->rig.diags);
		s->count += s->made[i] != NULL;
	}
}

/* Does `of` come out of `base` by a legal derive? Fields that no derive gives have to agree. */
static bool derives(struct set *s, uint32_t base, uint32_t of, bool superset)
{
	const struct kiln_graphics_pipeline_desc *b = &s->descs[base], *d = &s->descs[of];
	const struct kiln_derived_pipeline_desc over = {
		&d->BlendState, &d->RasterizerState, &d->DepthStencilState, &d->SampleMask, &d->ShaderLimits};
	const struct pipeline_options options = {.accept_superset = superset};
	bool fixed = s->list[base].ps == s->list[of].ps && b->NumRenderTargets == d->NumRenderTargets &&
				 b->RTVFormats[0] == d->RTVFormats[0] && b->RTVFormats[1] == d->RTVFormats[1] &&
				 b->PrimitiveTopologyType == d->PrimitiveTopologyType;
	struct pipeline *p = fixed ? pipeline_derive(s->made[base], s->names[of], &over, &options, s->rig.diags) : NULL;
	pipeline_release(p);
	return p != NULL;
}

/* Every subset of the set as bases, smallest first. */
static uint32_t exhaustive(struct set *s, bool superset)
{
	uint32_t reach[SMALL_MAX] = {0}, best = s->count;
	for (uint32_t b = 0; b < s->count; b++)
		for (uint32_t i = 0; i < s->count; i++)
			reach[b] |= (uint32_t)(b == i || derives(s, b, i, superset)) << i;
	for (uint32_t subset = 1; subset < 1u << s->count; subset++) {
		uint32_t reached = 0, size = 0;
		for (uint32_t b = 0; b < s->count; b++)
			if (subset >> b & 1) {
				reached |= reach[b];
				size++;
			}
		if (reached == (1u << s->count) - 1 && size < best)
			best = size;
	}
	return best;
}

/* The recipe's overrides alone make the PSO: what it needs of exports and what it overrides are right. */
static void carry_out(struct set *s, const struct plan *plan, uint32_t i, bool superset)
{
	const struct plan_recipe *r = &plan->recipes[i];
	const struct kiln_graphics_pipeline_desc *d = &s->descs[i];
	const struct kiln_derived_pipeline_desc over = {r->overrides & PLAN_BLEND ? &d->BlendState : NULL,
		r->overrides & PLAN_RASTERIZER ? &d->RasterizerState : NULL,
		r->overrides & PLAN_DEPTH_STENCIL ? &d->DepthStencilState : NULL,
		r->overrides & PLAN_SAMPLE_MASK ? &d->SampleMask : NULL, r->overrides & PLAN_LIMITS ? &d->ShaderLimits : NULL};
	const struct pipeline_options options = {.accept_superset = superset};
	if (r->base == i)
		return;
	cr_expect(derives(s, r->base, i, superset));
	struct pipeline *p = pipeline_derive(s->made[r->base], "recipe", &over, &options, s->rig.diags);
	cr_assert(p, "%s", all_text(s->rig.diags));
	bool more = false;
	for (unsigned k = 0; k < KILN_RENDER_TARGETS_MAX; k++) {
		cr_expect(export_same(&p->required[k], &s->made[i]->baked[k]), "target %u", k);
		more |= !export_same(&p->required[k], &p->baked[k]);
	}
	cr_expect_eq(more, r->superset);
	cr_expect_eq(p->desc.RasterizerState.CullMode, d->RasterizerState.CullMode);
	cr_expect_eq(p->desc.DepthStencilState.DepthFunc, d->DepthStencilState.DepthFunc);
	cr_expect_eq(p->desc.SampleMask, d->SampleMask);
	cr_expect_eq(p->desc.ShaderLimits.PSWaves, d->ShaderLimits.PSWaves);
	pipeline_release(p);
}

Test(plan, as_few_bases_as_an_exhaustive_search)
{
	struct set *s = mem_alloc(sizeof *s);
	uint32_t r = 1, fewer = 0;
	set_begin(s);
	for (unsigned round = 0; round < ROUNDS; round++) {
		uint32_t counts[2];
		set_random(s, &r);
		for (unsigned superset = 0; superset < 2; superset++) {
			struct plan plan;
			plan_make(&plan, s->list, s->count, KILN_EXPORT_CONSOLE, superset);
			cr_expect_eq(plan.base_count, exhaustive(s, superset), "round %u, superset %u: %u bases, %u are enough", round,
				superset, plan.base_count, exhaustive(s, superset));
			for (uint32_t i = 0; i < s->count; i++)
				carry_out(s, &plan, i, superset);
			counts[superset] = plan.base_count;
			plan_finish(&plan);
			kiln_diags_clear(s->rig.diags);
		}
		fewer += counts[1] < counts[0];
	}
	cr_expect(fewer > ROUNDS / 10, "supersets saved a base in %u sets alone", fewer);
	set_end(s);
	mem_free(s);
}

/* ---- the order of the set ---- */
static void print_plan(const struct plan *plan, const struct plan_pso *list, uint32_t count, uint32_t i, struct buf *out)
{
	const struct plan_recipe *r = &plan->recipes[i];
	buf_printf(out, "%s from %s, %u %d, near %s %u\n", list[i].name, list[r->base].name, r->overrides, r->superset,
		r->near < count ? list[r->near].name : "none", r->field);
}

Test(plan, order_of_the_set_changes_nothing)
{
	struct set *s = mem_alloc(sizeof *s);
	uint32_t r = 99;
	set_begin(s);
	for (unsigned round = 0; round < 100; round++) {
		struct plan_pso shuffled[SMALL_MAX];
		uint32_t from[SMALL_MAX];
		struct plan a, b;
		set_random(s, &r);
		for (uint32_t i = 0; i < s->count; i++) {
			uint32_t k = pick(&r, i + 1);
			from[i] = from[k];
			from[k] = i;
		}
		for (uint32_t i = 0; i < s->count; i++) {
			shuffled[i] = s->list[from[i]];
			shuffled[i].ps = 100 - shuffled[i].ps; /* numbers are names too */
		}
		plan_make(&a, s->list, s->count, KILN_EXPORT_CONSOLE, round & 1);
		plan_make(&b, shuffled, s->count, KILN_EXPORT_CONSOLE, round & 1);
		for (uint32_t i = 0; i < s->count; i++) {
			struct buf x = {0}, y = {0};
			print_plan(&a, s->list, s->count, from[i], &x);
			print_plan(&b, shuffled, s->count, i, &y);
			cr_expect_str_eq(buf_text(&x), buf_text(&y));
			buf_finish(&x), buf_finish(&y);
		}
		plan_finish(&a), plan_finish(&b);
	}
	set_end(s);
	mem_free(s);
}

/* ---- what forbids: two PSOs that differ in one thing ---- */
static void change_nothing(struct plan_pso *p, struct kiln_graphics_pipeline_desc *d) { (void)p, (void)d; }
static void change_cull(struct plan_pso *p, struct kiln_graphics_pipeline_desc *d)
{
	(void)p, d->RasterizerState.CullMode = 2;
}
static void change_unused_target(struct plan_pso *p, struct kiln_graphics_pipeline_desc *d)
{
	(void)p;
	d->BlendState.RenderTarget[3].RenderTargetWriteMask = 0; /* blending is not independent */
}
static void change_vs(struct plan_pso *p, struct kiln_graphics_pipeline_desc *d) { (void)d, p->vs = 8; }
static void change_ps(struct plan_pso *p, struct kiln_graphics_pipeline_desc *d) { (void)d, p->ps = 8; }
static void change_root(struct plan_pso *p, struct kiln_graphics_pipeline_desc *d) { (void)d, p->root = 8; }
static void change_format(struct plan_pso *p, struct kiln_graphics_pipeline_desc *d)
{
	(void)p;
	d->RTVFormats[0] = KILN_FORMAT_R16G16B16A16_UNORM; /* exports differ too: they follow from the format */
}
static void change_count(struct plan_pso *p, struct kiln_graphics_pipeline_desc *d) { (void)p, d->NumRenderTargets = 2; }
static void change_dsv(struct plan_pso *p, struct kiln_graphics_pipeline_desc *d)
{
	(void)p, d->DSVFormat = KILN_FORMAT_D16_UNORM;
}
static void change_samples(struct plan_pso *p, struct kiln_graphics_pipeline_desc *d) { (void)p, d->SampleDesc.Count = 4; }
static void change_topology(struct plan_pso *p, struct kiln_graphics_pipeline_desc *d)
{
	(void)p;
	d->PrimitiveTopologyType = KILN_TOPOLOGY_TYPE_POINT;
}
static void change_strip(struct plan_pso *p, struct kiln_graphics_pipeline_desc *d) { (void)p, d->IBStripCutValue = 1; }
static const struct kiln_input_element_desc other_elements[] = {
	{"POSITION", 0, KILN_FORMAT_R32G32B32_FLOAT, 0, 0, 0, 0}, {"COLOR", 0, KILN_FORMAT_R8G8B8A8_UNORM, 0, 16, 0, 0}};
static const struct kiln_input_element_desc same_elements[] = {
	{"POSITION", 0, KILN_FORMAT_R32G32B32_FLOAT, 0, 0xffffffff, 0, 0},
	{"COLOR", 0, KILN_FORMAT_R8G8B8A8_UNORM, 0, 12, 0, 0}};
static void change_layout(struct plan_pso *p, struct kiln_graphics_pipeline_desc *d)
{
	(void)p, d->InputElementDescs = other_elements;
}
static void spell_layout(struct plan_pso *p, struct kiln_graphics_pipeline_desc *d)
{
	(void)p, d->InputElementDescs = same_elements;
}
static void change_mask(struct plan_pso *p, struct kiln_graphics_pipeline_desc *d)
{
	(void)p;
	d->BlendState.RenderTarget[0].RenderTargetWriteMask = 1;
}
static void change_two(struct plan_pso *p, struct kiln_graphics_pipeline_desc *d)
{
	p->vs = 8;
	d->SampleDesc.Count = 4;
}

static const struct {
	const char *what;
	void (*change)(struct plan_pso *, struct kiln_graphics_pipeline_desc *);
	uint32_t bases, field; /* field PLAN_FIELD_COUNT: no near base */
	unsigned overrides;
	const char *words; /* of the explanation for b */
} changes[] = {
	{"equal", change_nothing, 1, PLAN_FIELD_COUNT, 0, NULL},
	{"cull mode", change_cull, 1, PLAN_FIELD_COUNT, PLAN_RASTERIZER, NULL},
	{"a target description that is not used", change_unused_target, 1, PLAN_FIELD_COUNT, 0, NULL},
	{"the layout in other words", spell_layout, 1, PLAN_FIELD_COUNT, 0, NULL},
	{"vertex shader", change_vs, 2, PLAN_VS, 0, "VS is another"},
	{"pixel shader", change_ps, 2, PLAN_PS, 0, "PS is another"},
	{"root signature", change_root, 2, PLAN_ROOT, 0, "root signature is another"},
	{"format", change_format, 2, PLAN_TARGETS, 0, "RTVFormats[0] is R8G8B8A8_UNORM there and R16G16B16A16_UNORM here"},
	{"count", change_count, 2, PLAN_TARGETS, 0, "NumRenderTargets is 1 there and 2 here"},
	{"depth format", change_dsv, 2, PLAN_DSV, 0, "DSVFormat is UNKNOWN there and D16_UNORM here"},
	{"samples", change_samples, 2, PLAN_SAMPLES, 0, "SampleDesc is 1 of quality 0 there and 4 of quality 0 here"},
	{"topology", change_topology, 2, PLAN_TOPOLOGY, 0, "PrimitiveTopologyType is TRIANGLE there and POINT here"},
	{"strip cut", change_strip, 2, PLAN_STRIP_CUT, 0, "IBStripCutValue is DISABLED there and 0xFFFF here"},
	{"layout", change_layout, 2, PLAN_LAYOUT, 0, "InputLayout is another"},
	{"write mask", change_mask, 2, PLAN_EXPORTS, 0, "RenderTargetWriteMask, 0xf in the base and now 0x1"},
	{"two things", change_two, 2, PLAN_FIELD_COUNT, 0, NULL},
};

Test(plan, what_forbids)
{
	struct setup setup, *s = begin(&setup);
	struct export_outputs outputs;
	export_scan(s->ps, &outputs);
	for (size_t k = 0; k < ARRAY_COUNT(changes); k++) {
		struct kiln_graphics_pipeline_desc d[2] = {s->d, s->d};
		struct plan_pso list[2] = {{"a", &d[0], 1, 2, 3, &outputs}, {"b", &d[1], 1, 2, 3, &outputs}};
		struct plan plan;
		struct buf text = {0};
		changes[k].change(&list[1], &d[1]);
		plan_make(&plan, list, 2, KILN_EXPORT_CONSOLE, false);
		const struct plan_recipe *b = &plan.recipes[1];
		cr_expect_eq(plan.base_count, changes[k].bases, "%s", changes[k].what);
		cr_expect_eq(plan.recipes[0].base, 0, "%s", changes[k].what);
		cr_expect_eq(b->base, changes[k].bases - 1, "%s", changes[k].what);
		cr_expect_eq(b->overrides, changes[k].overrides, "%s: %x", changes[k].what, b->overrides);
		cr_expect_eq(b->near, changes[k].field == PLAN_FIELD_COUNT ? UINT32_MAX : 0, "%s", changes[k].what);
		if (b->near == 0) {
			cr_expect_eq(b->field, changes[k].field, "%s: %s", changes[k].what, plan_field_names[b->field]);
			plan_explain(&list[1], &list[0], (enum plan_field)b->field, KILN_EXPORT_CONSOLE, &text);
			cr_expect(strstr(buf_text(&text), changes[k].words), "%s: %s", changes[k].what, buf_text(&text));
		}
		buf_finish(&text);
		plan_finish(&plan);
	}
	end(s);
}

/* ---- a title's worth ---- */
/* 500 shader pairs, each with 200 variants: 4 masks (4 exports) by 50 states that exports do not see. Exactly 2,000
 * bases, or 500 where supersets are accepted: mask ALL exports what the three others need. */
Test(plan, a_hundred_thousand)
{
	enum { SHADERS = 500, MASKS = 4, STATES = 50, COUNT = SHADERS * MASKS * STATES };
	static const uint32_t masks[MASKS] = {15, 1, 3, 7};
	struct setup setup, *s = begin(&setup);
	struct export_outputs outputs;
	struct plan_pso *list = mem_array(COUNT, sizeof *list);
	struct kiln_graphics_pipeline_desc *descs = mem_array(COUNT, sizeof *descs);
	char (*names)[16] = mem_array(COUNT, sizeof *names);
	s->d.RTVFormats[0] = KILN_FORMAT_R32G32B32A32_FLOAT;
	export_scan(s->ps, &outputs);
	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t n = (uint32_t)((uint64_t)i * 7919 % COUNT); /* scattered */
		descs[i] = s->d;
		descs[i].BlendState.RenderTarget[0].RenderTargetWriteMask = masks[n % MASKS];
		descs[i].RasterizerState.DepthBias = (float)(n / MASKS % STATES);
		snprintf(names[i], sizeof names[i], "pso%06u", (unsigned)n);
		list[i] = (struct plan_pso){names[i], &descs[i], n / (MASKS * STATES), 5, 6, &outputs};
	}
	for (unsigned superset = 0; superset < 2; superset++) {
		struct plan plan;
		plan_make(&plan, list, COUNT, KILN_EXPORT_CONSOLE, superset);
		cr_expect_eq(plan.base_count, superset ? SHADERS : SHADERS * MASKS, "%u", plan.base_count);
		plan_finish(&plan);
	}
	mem_free(names), mem_free(descs), mem_free(list);
	end(s);
}
