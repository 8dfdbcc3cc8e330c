/* kiln bench pso: the ways to a PSO of a scene, each timed call by call in this process, on one thread:
 *   compile      DXIL -> ISA of its shaders, and the PSO of them
 *   bake         the PSO of ISA that is there
 *   deserialise  the PSO of a pack in a mapped file
 *   cache hit    a request that the cache has
 *   derive       another rasteriser and blend state of the same code */
#include "tools/bench.h"
#include "sim/sim.h"
#include "tools/pack.h"
#include "tools/scene.h"
#include <kiln/cache.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMPILE, BAKE, DESERIALIZE, CACHE_HIT, DERIVE, SERIES_COUNT };

struct arguments {
	const char *scene, *pso;
	unsigned times;
	bool json;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case 'n':
		a->times = (unsigned)strtoul(arg, NULL, 10);
		if (!a->times || a->times > 1000000)
			argp_error(state, "--times takes 1 to 1000000, not '%s'", arg);
		return 0;
	case 'P': a->pso = arg; return 0;
	case 'j': a->json = true; return 0;
	case ARGP_KEY_ARG:
		if (a->scene)
			argp_error(state, "one scene at a time");
		a->scene = arg;
		return 0;
	case ARGP_KEY_END:
		if (!a->scene)
			argp_usage(state);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

struct bench {
	struct scene scene;
	const struct scene_pso *pso;
	const struct scene_shader *vs, *ps;
	struct bench_series series[SERIES_COUNT];
	struct kiln_diags *diags, *said;                /* said: what each time says again */
	unsigned times;
};

/* The first full PSO that could be made, or the one asked for. */
static bool choose(struct bench *b, const struct arguments *a)
{
	for (size_t i = 0; i < b->scene.pso_count && !b->pso; i++) {
		const struct scene_pso *p = &b->scene.psos[i];
		if (p->pso && !p->base && (!a->pso || !strcmp(a->pso, p->name)))
			b->pso = p;
	}
	if (!b->pso) {
		diag_add(b->diags, DIAG_SCENE_REFERENCE, a->scene, "there is no full PSO %s that can be made", a->pso ? a->pso : "");
		return false;
	}
	b->vs = SCENE_FIND(&b->scene, shaders, shader_count, b->pso->vs);
	b->ps = b->pso->ps ? SCENE_FIND(&b->scene, shaders, shader_count, b->pso->ps) : NULL;
	return true;
}

static struct kiln_pso *bake(const struct bench *b, const struct kiln_shader *vs, const struct kiln_shader *ps)
{
	const struct kiln_pso_desc desc = {b->pso->name, b->pso->state, vs, ps, b->scene.root_signature};
	return kiln_pso_create(b->scene.device, &desc, b->said);
}

static void time_compile(struct bench *b)
{
	for (unsigned i = 0; i < b->times / 20 + 1; i++) {
		uint64_t start = bench_now();
		struct kiln_shader *vs = kiln_shader_create(b->scene.device, "vs", b->vs->data, b->vs->size, b->said), *ps =
			b->ps ? kiln_shader_create(b->scene.device, "ps", b->ps->data, b->ps->size, b->said) : NULL;
		struct kiln_pso *p = bake(b, vs, ps);
		bench_add(&b->series[COMPILE], bench_now() - start);
		kiln_pso_destroy(p);
		kiln_shader_destroy(vs);
		kiln_shader_destroy(ps);
	}
}

static void time_bake(struct bench *b)
{
	for (unsigned i = 0; i < b->times; i++) {
		uint64_t start = bench_now();
		struct kiln_pso *p = bake(b, b->vs->shader, b->ps ? b->ps->shader : NULL);
		bench_add(&b->series[BAKE], bench_now() - start);
		kiln_pso_destroy(p);
		kiln_diags_clear(b->said);
	}
}

static void time_derive(struct bench *b)
{
	struct kiln_rasterizer_desc raster = b->pso->state.RasterizerState;
	const struct kiln_derived_pipeline_desc desc = {.RasterizerState = &raster, .BlendState = &b->pso->state.BlendState};
	raster.CullMode = KILN_CULL_NONE;
	for (unsigned i = 0; i < 10 * b->times; i++) {
		uint64_t start = bench_now();
		struct kiln_pso *p = kiln_pso_derive(b->scene.device, b->pso->pso, "derived", &desc, b->said);
		bench_add(&b->series[DERIVE], bench_now() - start);
		kiln_pso_destroy(p);
		kiln_diags_clear(b->said);
	}
}

/* A pack of this PSO in a file that is gone as soon as it is mapped. */
static struct pack *make_pack(struct bench *b)
{
	const char *folder = getenv("TMPDIR");
	struct pack_writer *w = pack_writer_create();
	struct pso_bytes bytes;
	struct buf out = {0}, path = {0};
	struct pack *p = NULL;
	bool ok = pso_bytes_make(sim_pso_pipeline(b->pso->pso), NULL, &bytes, b->diags) &&
		pack_add(w, &(struct pack_entry){b->pso->name, PACK_BASE, bytes.image}, b->diags) &&
		pack_encode(w, false, &out, b->diags);
	buf_printf(&path, "%s/kiln-bench-XXXXXX", folder ? folder : P_tmpdir);
	int fd = ok ? mkstemp(buf_text(&path)) : -1;
	if (fd >= 0) {
		close(fd);
		if (file_write((char *)path.data, out.data, out.size, b->diags))
			p = pack_open((char *)path.data, b->diags);
		unlink((char *)path.data);
	} else if (ok) {
		diag_add(b->diags, DIAG_FILE_WRITE, (char *)path.data, "cannot make a temporary file");
	}
	pso_bytes_finish(&bytes);
	pack_writer_destroy(w);
	buf_finish(&out);
	buf_finish(&path);
	return p;
}

static bool time_deserialize(struct bench *b)
{
	struct pack *p = make_pack(b);
	for (unsigned i = 0; p && i < b->times; i++) {
		uint64_t start = bench_now();
		struct pipeline *made = pack_load(p, 0, NULL, NULL, b->said);
		bench_add(&b->series[DESERIALIZE], bench_now() - start);
		pipeline_release(made);
		kiln_diags_clear(b->said);
	}
	pack_close(p);
	return p != NULL;
}

static bool time_cache(struct bench *b)
{
	const struct kiln_cache_desc desc = {.threads = 1};
	const struct kiln_cache_request request = {.name = b->pso->name, .state = b->pso->state, .VS = b->vs->data,
		.VS_size = b->vs->size, .PS = b->ps ? b->ps->data : NULL, .PS_size = b->ps ? b->ps->size : 0,
		.root_signature = b->scene.has_root ? b->scene.root_data : NULL,
		.root_signature_size = b->scene.has_root ? b->scene.root_size : 0};
	struct kiln_cache *cache = kiln_cache_create(b->scene.device, &desc, b->diags);
	bool ok = cache && kiln_cached_pso_wait(kiln_cache_get(cache, &request, 0, NULL), b->diags);
	for (unsigned i = 0; ok && i < b->times; i++) {
		uint64_t start = bench_now();
		kiln_cache_get(cache, &request, 0, NULL);
		bench_add(&b->series[CACHE_HIT], bench_now() - start);
	}
	kiln_cache_destroy(cache);
	return ok;
}

static void report(struct bench *b, bool json)
{
	uint64_t derive = bench_quantile(&b->series[DERIVE], 0.5), compile = bench_quantile(&b->series[COMPILE], 0.5);
	double ratio = derive ? (double)compile / (double)derive : 0;
	if (json) {
		print_json(json_pack("{s:o, s:s, s:o, s:f, s:o}", "scene", json_text(b->scene.yaml.path, strlen(b->scene.yaml.path)),
			"pso", b->pso->name, "series", bench_json(b->series, SERIES_COUNT), "compile_to_derive", ratio, "diagnostics",
			json_diags(b->diags)));
		return;
	}
	printf("%s, PSO %s\n", b->scene.yaml.path, b->pso->name);
	bench_print(b->series, SERIES_COUNT);
	printf("compile : derive = %.0f : 1\n", ratio);
}

int bench_pso(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"times", 'n', "N", 0, "How often: N times (2000); compiling a twentieth, deriving ten times that", 0},
		{"pso", 'P', "NAME", 0, "Which full PSO of the scene; default: the first", 0},
		{"json", 'j', NULL, 0, "Report as JSON", 0},
		{0}};
	static const struct argp argp = {options, parse, "SCENE.yaml",
		"How long a PSO takes: compiled, baked, deserialised, found, derived.\v"
		"Example: kiln bench pso scenes/simple-lighting.yaml",
		0, 0, 0};
	struct arguments a = {.times = 2000};
	argp_parse(&argp, argc, argv, 0, 0, &a);
	struct bench b = {.diags = kiln_diags_create(), .said = kiln_diags_create(), .times = a.times};
	static const char *const names[SERIES_COUNT][2] = {{"compile", "shaders from DXIL, and the PSO of them"},
		{"bake", "the PSO of ISA"}, {"deserialise", "from a mapped pack"}, {"cache hit", "a request that the cache has"},
		{"derive", "another state of the same code"}};
	for (size_t i = 0; i < SERIES_COUNT; i++)
		b.series[i] = (struct bench_series){.name = names[i][0], .doc = names[i][1]};
	const struct scene_options o = {.device = {.in_process = true}};
	bool ok = scene_open(&b.scene, a.scene, b.diags) && scene_create(&b.scene, &o, b.diags) && choose(&b, &a);
	if (ok) {
		time_derive(&b);
		time_bake(&b);
		time_compile(&b);
		ok = time_deserialize(&b) && time_cache(&b);
	}
	if (ok)
		report(&b, a.json);
	print_diags(stderr, b.diags);
	bench_finish(b.series, SERIES_COUNT);
	scene_close(&b.scene);
	kiln_diags_destroy(b.said);
	kiln_diags_destroy(b.diags);
	return ok ? EXIT_DONE : EXIT_MISUSE;
}
