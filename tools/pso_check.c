/* Takes a loaded set; says of each PSO whether it can be made, and why not. A full PSO and all that derive from it are a
 * family, checked together on one thread; nothing is kept of it but the verdicts. */
#include "tools/pso_set.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- threads ---- */
unsigned pso_threads(unsigned asked)
{
	long n = asked ? (long)asked : sysconf(_SC_NPROCESSORS_ONLN);
	return n < 1 ? 1 : n > PSO_THREADS_MAX ? PSO_THREADS_MAX : (unsigned)n;
}

unsigned pso_threads_argument(const char *arg, struct argp_state *state)
{
	char *end;
	unsigned long n = strtoul(arg, &end, 10);
	if (*arg < '0' || *arg > '9' || *end || n > PSO_THREADS_MAX)
		argp_error(state, "--threads takes 0 (one a processor) to %d, not '%s'", PSO_THREADS_MAX, arg);
	return (unsigned)n;
}

struct pool {
	void (*work)(void *user, size_t i);
	void *user;
	size_t count;
	atomic_size_t next;
};

static void *run(void *arg)
{
	struct pool *p = arg;
	unsigned saved = fp_enter();
	for (size_t i; (i = atomic_fetch_add(&p->next, 1)) < p->count;)
		p->work(p->user, i);
	fp_leave(saved);
	return NULL;
}

void pso_parallel(unsigned threads, size_t count, void (*work)(void *user, size_t i), void *user)
{
	struct pool p = {work, user, count, 0};
	pthread_t others[PSO_THREADS_MAX];
	unsigned started = 0;
	threads = threads < count ? threads : (unsigned)count;
	/* where the system has no more threads, those that there are do all */
	while (started + 1 < threads && pthread_create(&others[started], NULL, run, &p) == 0)
		started++;
	run(&p);
	for (unsigned i = 0; i < started; i++)
		pthread_join(others[i], NULL);
}

/* ---- families ---- */
struct families {
	struct pso_set *set;
	bool lint;
	uint32_t *members;                /* entries, family after family, each in the order of the file */
	uint32_t *first;                  /* [count + 1] */
	size_t count;
	bool *is_base;                    /* [entries] something derives from it */
};

static uint32_t *find_roots(const struct pso_set *s)
{
	uint32_t *root = mem_array(s->entry_count, sizeof *root);
	for (uint32_t i = 0; i < s->entry_count; i++)
		root[i] = s->entries[i].base == PSO_NONE ? i : root[s->entries[i].base]; /* a base stands before what derives */
	return root;
}

static void make_families(struct families *f)
{
	const struct pso_set *s = f->set;
	uint32_t *root = find_roots(s), *number = mem_array(s->entry_count, sizeof *number);
	for (size_t i = 0; i < s->entry_count; i++)
		if (root[i] == i)
			number[i] = (uint32_t)f->count++;
	f->first = mem_array(f->count + 1, sizeof *f->first);
	f->members = mem_array(s->entry_count, sizeof *f->members);
	for (size_t i = 0; i < s->entry_count; i++)
		f->first[number[root[i]] + 1]++;
	for (size_t i = 0; i < f->count; i++)
		f->first[i + 1] += f->first[i];
	uint32_t *at = mem_array(f->count, sizeof *at);
	f->is_base = mem_array(s->entry_count, sizeof *f->is_base);
	for (uint32_t i = 0; i < s->entry_count; i++) {
		f->members[f->first[number[root[i]]] + at[number[root[i]]]++] = i;
		if (s->entries[i].base != PSO_NONE)
			f->is_base[s->entries[i].base] = true;
	}
	mem_free(at);
	mem_free(number);
	mem_free(root);
}

static bool roots_differ(const struct pso_set *s, struct pso_entry *e)
{
	const struct pso_shader *vs = e->vs == PSO_NONE ? NULL : &s->shaders[e->vs],
							*ps = e->ps == PSO_NONE ? NULL : &s->shaders[e->ps];
	if (!vs || !ps || vs->root_number == PSO_NONE || ps->root_number == PSO_NONE || vs->root_number == ps->root_number)
		return false;
	diag_add(e->diags, DIAG_ROOT_SIGNATURES_DIFFER, e->name, "shaders '%s' and '%s' embed different root signatures",
		vs->name, ps->name);
	return true;
}

bool pso_set_inputs(struct pso_set *s, struct pso_entry *e, struct pipeline_inputs *in)
{
	const uint32_t stages[] = {e->vs, e->ps};
	if (e->broken)
		return false;
	*in = (struct pipeline_inputs){.name = e->name, .desc = &e->desc, .policy = s->device.policy,
		.pack_signature = s->device.pack_signature};
	for (size_t i = 0; i < ARRAY_COUNT(stages); i++) {
		const struct pso_shader *shader = stages[i] == PSO_NONE ? NULL : &s->shaders[stages[i]];
		if (shader && !shader->program) {
			diag_add(e->diags, DIAG_KILN_LINT_SHADER, e->name, "its %s shader '%s' does not compile", i ? "pixel" : "vertex",
				shader->name);
			return false;
		}
		*(i ? &in->ps : &in->vs) = shader ? shader->program : NULL;
	}
	if (e->root == PSO_NONE)
		return true;
	if (e->embedded && roots_differ(s, e))
		return false;
	in->root = s->roots[e->root].root;
	if (!in->root)
		diags_append(e->diags, s->roots[e->root].diags);
	return in->root != NULL;
}

struct pipeline *pso_set_derive(struct pso_set *s, struct pso_entry *e, struct pipeline *base)
{
	const struct kiln_derived_pipeline_desc desc = {
		.BlendState = e->overrides & PLAN_BLEND ? &e->desc.BlendState : NULL,
		.RasterizerState = e->overrides & PLAN_RASTERIZER ? &e->desc.RasterizerState : NULL,
		.DepthStencilState = e->overrides & PLAN_DEPTH_STENCIL ? &e->desc.DepthStencilState : NULL,
		.SampleMask = e->overrides & PLAN_SAMPLE_MASK ? &e->desc.SampleMask : NULL,
		.ShaderLimits = e->overrides & PLAN_LIMITS ? &e->desc.ShaderLimits : NULL,
	};
	const struct pipeline_options options = {s->device.ignore_export_mismatch, s->device.accept_superset};
	if (base)
		return pipeline_derive(base, e->name, &desc, &options, e->diags);
	diag_add(e->diags, DIAG_SCENE_PSO_REFUSED, e->name, "its base '%s' was refused", s->entries[e->base].name);
	return NULL;
}

static size_t place_of(const uint32_t *members, size_t count, uint32_t entry)
{
	size_t low = 0;
	while (members[low] != entry) {
		size_t middle = low + (count - low) / 2;
		low = members[middle] <= entry ? middle : low;
		count = members[middle] <= entry ? count : middle;
	}
	return low;
}

/* Bases are kept until the family is done, the others looked at and let go. */
static void check_family(void *user, size_t number)
{
	struct families *f = user;
	struct pso_set *s = f->set;
	const uint32_t *members = f->members + f->first[number];
	size_t count = f->first[number + 1] - f->first[number];
	struct pipeline **made = mem_array(count, sizeof *made), *full = mem_alloc(sizeof *full);
	struct pipeline_inputs in;
	for (size_t i = 0; i < count; i++) {
		struct pso_entry *e = &s->entries[members[i]];
		if (i)
			made[i] = pso_set_derive(s, e, made[place_of(members, count, e->base)]);
		else if (pso_set_inputs(s, e, &in) && pipeline_check(&in, full, e->diags))
			made[i] = full;
		e->made = made[i] != NULL;
		if (made[i] && f->lint)
			pipeline_lint(made[i], e->diags);
		if (i && !f->is_base[members[i]]) {
			pipeline_release(made[i]);
			made[i] = NULL;
		}
	}
	for (size_t i = count; i-- > 1;)
		pipeline_release(made[i]);
	if (made[0])
		pipeline_check_end(&in, full);
	mem_free(full);
	mem_free(made);
}

void pso_set_check(struct pso_set *s, unsigned threads, bool lint)
{
	struct families f = {.set = s, .lint = lint};
	make_families(&f);
	pso_parallel(threads, f.count, check_family, &f);
	mem_free(f.is_base);
	mem_free(f.members);
	mem_free(f.first);
}
