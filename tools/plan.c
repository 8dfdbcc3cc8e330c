/* kiln plan: the fewest bases from which the PSOs of scenes and databases derive, the recipe of each, and what keeps a base
 * from being derived itself. A PSO that a scene derives counts as the full PSO that it is. */
#include "tools/pso_set.h"
#include "tools/scene_options.h"
#include "tools/tools.h"
#include <stdlib.h>
#include <string.h>

struct arguments {
	struct scene_arguments scene;
	unsigned threads;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case ARGP_KEY_INIT: state->child_inputs[0] = &a->scene; return 0;
	case 't': a->threads = pso_threads_argument(arg, state); return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* The PSOs by label: first those that plan, then those that are refused. */
struct planned {
	struct pso_set *set;
	struct plan_pso *list;            /* by name */
	uint32_t *entries;                /* of each */
	uint32_t count;
	struct plan_pso *refused;
	uint32_t *refused_entries;
	uint32_t refused_count;
	struct plan plan;
	uint32_t *order;                  /* places in the list: a base, then all that derive from it, base after base */
};

struct named { const char *name; uint32_t entry; };
static int by_label(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : x->entry < y->entry ? -1 : 1;
}

static void collect(struct planned *p)
{
	static const struct export_outputs none;
	struct pso_set *s = p->set;
	struct named *names = mem_array(s->entry_count, sizeof *names);
	p->list = mem_array(s->entry_count, sizeof *p->list);
	p->entries = mem_array(s->entry_count, sizeof *p->entries);
	p->refused = mem_array(s->entry_count, sizeof *p->refused);
	p->refused_entries = mem_array(s->entry_count, sizeof *p->refused_entries);
	for (uint32_t i = 0; i < s->entry_count; i++)
		names[i] = (struct named){pso_set_label(s, &s->entries[i]), i};
	qsort(names, s->entry_count, sizeof *names, by_label);
	for (size_t i = 0; i < s->entry_count; i++) {
		const struct pso_entry *e = &s->entries[names[i].entry];
		struct plan_pso made = {names[i].name, &e->desc, e->vs, e->ps, e->root,
			e->ps == PSO_NONE ? &none : &s->shaders[e->ps].outputs};
		*(e->made ? &p->list[p->count] : &p->refused[p->refused_count]) = made;
		*(e->made ? &p->entries[p->count++] : &p->refused_entries[p->refused_count++]) = names[i].entry;
	}
	mem_free(names);
}

/* The list is by name, and so are the bases and what derives from each. */
static void order_by_base(struct planned *p)
{
	uint32_t *size = mem_array(p->count, sizeof *size), *at = mem_array(p->count, sizeof *at), next = 0;
	const struct plan_recipe *r = p->plan.recipes;
	p->order = mem_array(p->count, sizeof *p->order);
	for (uint32_t i = 0; i < p->count; i++)
		size[r[i].base]++;
	for (uint32_t i = 0; i < p->count; i++)
		if (r[i].base == i) {
			p->order[next] = i;
			at[i] = next + 1;
			next += size[i];
		}
	for (uint32_t i = 0; i < p->count; i++)
		if (r[i].base != i)
			p->order[at[r[i].base]++] = i;
	mem_free(at);
	mem_free(size);
}

/* ---- reports ---- */
static const struct { unsigned bit; const char *name; } overrides[] = {{PLAN_BLEND, "BlendState"},
	{PLAN_RASTERIZER, "RasterizerState"}, {PLAN_DEPTH_STENCIL, "DepthStencilState"}, {PLAN_SAMPLE_MASK, "SampleMask"},
	{PLAN_LIMITS, "ShaderLimits"}};

static void explain(const struct planned *p, uint32_t i, struct buf *out)
{
	const struct plan_recipe *r = &p->plan.recipes[i];
	plan_explain(&p->list[i], &p->list[r->near], (enum plan_field)r->field, p->set->device.policy, out);
}

static void print_base(const struct planned *p, uint32_t i)
{
	const struct plan_recipe *r = &p->plan.recipes[i];
	struct buf why = {0};
	printf("base %s\n", p->list[i].name);
	if (r->near == UINT32_MAX)
		return;
	explain(p, i, &why);
	printf("  cannot derive from %s: %s\n", p->list[r->near].name, buf_text(&why));
	buf_finish(&why);
}

static void print_derived(const struct planned *p, uint32_t i)
{
	const struct plan_recipe *r = &p->plan.recipes[i];
	const char *separator = "";
	printf("  %s: ", p->list[i].name);
	for (size_t k = 0; k < ARRAY_COUNT(overrides); k++)
		if (r->overrides & overrides[k].bit) {
			printf("%s%s", separator, overrides[k].name);
			separator = ", ";
		}
	printf("%s%s\n", r->overrides ? "" : "equal", r->superset ? " (the base exports more)" : "");
}

static void print_plan(const struct planned *p)
{
	printf("%u PSOs: %u bases, %u derived", p->count + p->refused_count, p->plan.base_count, p->count - p->plan.base_count);
	printf(p->refused_count ? ", %u refused\n" : "\n", p->refused_count);
	for (uint32_t k = 0; k < p->count; k++)
		(p->plan.recipes[p->order[k]].base == p->order[k] ? print_base : print_derived)(p, p->order[k]);
	for (uint32_t i = 0; i < p->refused_count; i++) {
		printf("refused %s\n", p->refused[i].name);
		fflush(stdout);
		print_diags(stderr, p->set->entries[p->refused_entries[i]].diags);
	}
}

static json_t *name_json(const char *name) { return json_text(name, strlen(name)); }

static json_t *base_json(const struct planned *p, uint32_t i)
{
	const struct plan_recipe *r = &p->plan.recipes[i];
	json_t *j = json_pack("{s:o}", "pso", name_json(p->list[i].name));
	if (r->near != UINT32_MAX) {
		struct buf why = {0};
		explain(p, i, &why);
		json_object_set_new(j, "near", json_pack("{s:o, s:s, s:o}", "pso", name_json(p->list[r->near].name), "field",
			plan_field_names[r->field], "text", json_text(buf_text(&why), why.size)));
		buf_finish(&why);
	}
	json_object_set_new(j, "derived", json_array());
	return j;
}

static json_t *derived_json(const struct planned *p, uint32_t i)
{
	const struct plan_recipe *r = &p->plan.recipes[i];
	json_t *fields = json_array();
	for (size_t k = 0; k < ARRAY_COUNT(overrides); k++)
		if (r->overrides & overrides[k].bit)
			json_array_append_new(fields, json_string(overrides[k].name));
	return json_pack("{s:o, s:o, s:b}", "pso", name_json(p->list[i].name), "overrides", fields, "superset", r->superset);
}

static json_t *plan_json(const struct planned *p)
{
	json_t *bases = json_array(), *refused = json_array(), *diags = json_array(), *base = NULL;
	for (uint32_t k = 0; k < p->count; k++) {
		uint32_t i = p->order[k];
		if (p->plan.recipes[i].base == i)
			json_array_append_new(bases, base = base_json(p, i));
		else
			json_array_append_new(json_object_get(base, "derived"), derived_json(p, i));
	}
	for (uint32_t i = 0; i < p->refused_count; i++)
		json_array_append_new(refused, json_pack("{s:o, s:o}", "pso", name_json(p->refused[i].name), "diagnostics",
			json_diags(p->set->entries[p->refused_entries[i]].diags)));
	for (size_t i = 0; i < p->set->file_count; i++) {
		json_t *list = json_diags(p->set->files[i].diags);
		json_array_extend(diags, list);
		json_decref(list);
	}
	return json_pack("{s:I, s:o, s:o, s:o}", "psos", (json_int_t)p->count + p->refused_count, "bases", bases, "refused",
		refused, "diagnostics", diags);
}

static int report(struct planned *p, bool json)
{
	int code = p->refused_count ? EXIT_REFUSED : EXIT_DONE;
	for (size_t i = 0; i < p->set->file_count; i++) {
		code = p->set->files[i].failed ? EXIT_MISUSE : code;
		print_diags(stderr, p->set->files[i].diags);
	}
	if (json)
		print_json(plan_json(p));
	else
		print_plan(p);
	return code;
}

int verb_plan(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"threads", 't', "N", 0, "Threads to work on; 0 (default): one a processor", 0},
		{0}};
	static const struct argp_child children[] = {{&scene_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {options, parse, "SCENE.yaml|FILE.sodb...",
		"The fewest PSOs to create as bases, so that all others derive from them.\v"
		"Example: kiln plan scenes/blend-zoo.yaml --accept-superset", children, 0, 0};
	struct arguments a = {0};
	struct pso_set s;
	struct planned p = {.set = &s};
	argp_parse(&argp, argc, argv, 0, 0, &a);
	pso_set_open(&s, &a.scene.device, a.scene.inputs, (size_t)a.scene.count, pso_threads(a.threads));
	for (size_t i = 0; i < s.entry_count; i++)
		s.entries[i].base = PSO_NONE;
	pso_set_check(&s, pso_threads(a.threads), false);
	collect(&p);
	plan_make(&p.plan, p.list, p.count, a.scene.device.policy, a.scene.device.accept_superset);
	order_by_base(&p);
	int code = report(&p, a.scene.json);
	plan_finish(&p.plan);
	mem_free(p.order);
	mem_free(p.refused_entries);
	mem_free(p.refused);
	mem_free(p.entries);
	mem_free(p.list);
	pso_set_close(&s);
	return code;
}
