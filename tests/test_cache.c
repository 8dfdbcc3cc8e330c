/* The cache of pipelines, with a compiler of the test's own: results in the known words, one compile for equal requests from
 * many threads, failures remembered, draws that wait or are skipped, the store and damage to it, many processes, kills. */
#include "sim/cache.h"
#include "tests/draw_rig.h"
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
enum { KILLS = 60 };
#else
enum { KILLS = 500 };
#endif

/* ---- a compiler: "vs…" and "ps…" are programs, "bad…" is none; the gate holds it up ---- */

struct compiler { pthread_mutex_t gate; atomic_int compiles; };

static struct isa_program *compile(void *user, const uint8_t *data, size_t size, const char *where,
	const struct kiln_device_desc *desc, struct kiln_diags *diags)
{
	struct compiler *c = user;
	struct isa_program *p;

	(void)desc;
	pthread_mutex_lock(&c->gate);
	pthread_mutex_unlock(&c->gate);
	atomic_fetch_add(&c->compiles, 1);
	if (size < 2 || !memcmp(data, "ba", 2)) {
		diag_add(diags, DIAG_DXIL_UNSUPPORTED, where, "bad shader");
		return NULL;
	}
	p = data[0] == 'v' ? vs_through(ISA_F32, ISA_INTERP_LINEAR) : ps_color(ISA_F32, ISA_INTERP_LINEAR);
	emit(p, ISA_endpgm, NULL, 0);
	return p;
}

struct bench {
	struct compiler compiler;
	struct rig rig;
	struct kiln_cache *cache;
	char path[512];
};

static bool library(void *user, const uint8_t sha1[20], const void **data, size_t *size)
{
	static const char *const known[] = {"vs", "ps", "vs2", "bad"};
	uint8_t mine[20];
	(void)user;
	for (size_t i = 0; i < ARRAY_COUNT(known); i++) {
		cache_sha1(known[i], strlen(known[i]), mine);
		if (!memcmp(mine, sha1, 20)) {
			*data = known[i];
			*size = strlen(known[i]);
			return true;
		}
	}
	return false;
}

static void open_cache(struct bench *b, uint32_t threads, bool stored)
{
	const struct kiln_cache_desc desc = {threads, stored ? b->path : NULL, library, NULL};
	b->cache = kiln_cache_create(b->rig.device, &desc, b->rig.diags);
}

static void begin(struct bench *b)
{
	memset(b, 0, sizeof *b);
	pthread_mutex_init(&b->compiler.gate, NULL);
	rig_open(&b->rig, KILN_FORMAT_R32G32B32A32_FLOAT);
	sim_device_set_compiler(b->rig.device, &(struct sim_compiler){compile, &b->compiler});
	strcpy(b->path, KILN_BINARY_DIR "/kiln-cache-XXXXXX");
	close(mkstemp(b->path));
	unlink(b->path);
}

static void forget_store(const struct bench *b)
{
	static const char *const ends[] = {"", "-wal", "-shm"};
	char name[600];
	for (size_t i = 0; i < ARRAY_COUNT(ends); i++) {
		snprintf(name, sizeof name, "%s%s", b->path, ends[i]);
		unlink(name);
	}
}

static void finish(struct bench *b)
{
	kiln_cache_destroy(b->cache);
	rig_close(&b->rig);
	forget_store(b);
}

/* The n-th PSO of a title: it differs from the others in its depth bias. */
static struct kiln_cache_request request(const struct bench *b, const char *vs, const char *ps, unsigned n)
{
	struct kiln_cache_request r = {.name = "pso", .state = b->rig.state, .VS = vs, .PS = ps, .VS_size = strlen(vs),
		.PS_size = ps ? strlen(ps) : 0};
	r.state.RasterizerState.DepthBias = (float)n;
	r.state.DSVFormat = KILN_FORMAT_D32_FLOAT;
	return r;
}

static struct kiln_cache_counters counters(const struct bench *b)
{
	struct kiln_cache_counters c;
	kiln_cache_counters(b->cache, &c);
	return c;
}

/* ---- results ---- */

Test(cache, results)
{
	struct bench b;
	enum kiln_precache_result result;
	begin(&b);
	open_cache(&b, 1, false);
	struct kiln_cache_request complete = request(&b, "vs", "ps", 0), missed = request(&b, "vs", "ps", 1),
		active = request(&b, "vs2", "ps", 2), bad = request(&b, "bad", "ps", 3), untracked = request(&b, "vs", "ps", 4);
	untracked.untracked = true;

	cr_expect_eq(kiln_cache_query(b.cache, &complete), KILN_PRECACHE_UNKNOWN);
	struct kiln_cached_pso *p = kiln_cache_precache(b.cache, &complete);
	kiln_cache_precache(b.cache, &bad);
	kiln_cache_finish(b.cache);
	cr_expect_eq(kiln_cache_query(b.cache, &complete), KILN_PRECACHE_COMPLETE);
	cr_expect_eq(kiln_cache_get(b.cache, &complete, 5, &result), p);
	cr_expect_eq(result, KILN_PRECACHE_COMPLETE);
	kiln_cache_get(b.cache, &bad, 5, &result);
	cr_expect_eq(result, KILN_PRECACHE_NOT_SUPPORTED);
	kiln_cache_get(b.cache, &untracked, 5, &result);
	cr_expect_eq(result, KILN_PRECACHE_UNTRACKED);
	cr_expect_neq(kiln_cache_get(b.cache, &missed, 6, &result), p);
	cr_expect_eq(result, KILN_PRECACHE_MISSED);
	kiln_cache_precache(b.cache, &missed);
	cr_expect_eq(kiln_cache_query(b.cache, &missed), KILN_PRECACHE_TOO_LATE);
	kiln_cache_finish(b.cache);
	pthread_mutex_lock(&b.compiler.gate);
	p = kiln_cache_precache(b.cache, &active);
	kiln_cache_get(b.cache, &active, 7, &result);
	cr_expect_eq(result, KILN_PRECACHE_ACTIVE);
	cr_expect_null(kiln_cached_pso_poll(p));
	pthread_mutex_unlock(&b.compiler.gate);
	cr_expect(kiln_cached_pso_wait(p, b.rig.diags) && kiln_cached_pso_poll(p));
	struct kiln_cache_counters c = counters(&b);
	cr_expect(c.misses == 1 && c.hits == 1 && c.failed == 1 && c.created == 4 && c.shaders == 4 && c.requests == 9,
		"misses %d hits %d failed %d created %d shaders %d requests %d", (int)c.misses, (int)c.hits, (int)c.failed,
		(int)c.created, (int)c.shaders, (int)c.requests);
	cr_expect_str_eq(kiln_precache_result_name(KILN_PRECACHE_TOO_LATE), "TooLate");
	finish(&b);
}

Test(cache, failures_are_remembered)
{
	struct bench b;
	begin(&b);
	open_cache(&b, 2, false);
	struct kiln_cache_request bad = request(&b, "bad", "ps", 0);
	struct kiln_cached_pso *p = kiln_cache_get(b.cache, &bad, 0, NULL);
	for (size_t i = 1; i < 4; i++) {
		cr_expect_null(kiln_cached_pso_wait(p, b.rig.diags));
		cr_expect_eq(kiln_diags_errors(b.rig.diags), i);
		cr_expect(kiln_cached_pso_failed(kiln_cache_get(b.cache, &bad, 1, NULL)));
	}
	cr_expect_eq(atomic_load(&b.compiler.compiles), 2); /* both shaders, once */
	finish(&b);
}

/* ---- threads ---- */

enum { THREADS = 8, PSOS = 20, ROUNDS = 10 };
static void *ask(void *user)
{
	struct bench *b = user;
	for (unsigned round = 0; round < ROUNDS; round++)
		for (unsigned i = 0; i < PSOS; i++) {
			struct kiln_cache_request r = request(b, i & 1 ? "vs" : "vs2", "ps", i);
			struct kiln_diags *d = kiln_diags_create();
			struct kiln_cached_pso *p = kiln_cache_get(b->cache, &r, i, NULL);
			if (!kiln_cached_pso_wait(p, d))
				abort();
			kiln_diags_destroy(d);
		}
	return NULL;
}

Test(cache, equal_requests_share_one_compile)
{
	struct bench b;
	pthread_t threads[THREADS];
	begin(&b);
	open_cache(&b, 3, true);
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, ask, &b);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	struct kiln_cache_counters c = counters(&b);
	cr_expect(c.created == PSOS && c.shaders == 3 && atomic_load(&b.compiler.compiles) == 3 && c.misses == PSOS);
	cr_expect(c.requests == THREADS * ROUNDS * PSOS && c.stored == PSOS);
	cr_expect_eq(kiln_device_compiles(b.rig.device), 0); /* these are no containers with DXIL */
	finish(&b);
}

/* ---- draws ---- */

Test(cache, draws_wait_or_are_skipped)
{
	struct bench b;
	begin(&b);
	open_cache(&b, 1, false);
	struct rig *r = &b.rig;
	struct kiln_cache_request q = request(&b, "vs", "ps", 0);
	struct kiln_pso *fallback = pso(r, vs_through(ISA_F32, ISA_INTERP_LINEAR), ps_color(ISA_F32, ISA_INTERP_LINEAR));
	pthread_mutex_lock(&b.compiler.gate);
	struct kiln_cached_pso *p = kiln_cache_get(b.cache, &q, 0, NULL);
	kiln_cmd_cached_pso(r->list, p, KILN_CACHE_SKIP, NULL);
	draw(r, half, 3);
	run(r);
	cr_expect(r->counters.draws == 0 && value(r->color, 1, 1, 3) == 0);
	kiln_cmd_cached_pso(r->list, p, KILN_CACHE_SKIP, fallback);
	draw(r, half, 3);
	run(r);
	cr_expect(r->counters.draws == 1 && value(r->color, 1, 1, 3) == 7);
	struct kiln_cache_counters c = counters(&b);
	cr_expect(c.draws_skipped == 2 && c.draws_fallback == 1); /* the list ran twice */
	pthread_mutex_unlock(&b.compiler.gate);
	kiln_cmd_cached_pso(r->list, p, KILN_CACHE_WAIT, NULL);
	draw(r, half, 3);
	run(r);
	cr_expect_geq(r->counters.draws, 1);
	struct kiln_cache_request bad = request(&b, "bad", "ps", 1);
	kiln_cmd_cached_pso(r->list, kiln_cache_get(b.cache, &bad, 1, NULL), KILN_CACHE_WAIT, NULL);
	draw(r, half, 3);
	cr_expect(!kiln_execute(r->device, r->list, &r->counters, r->diags) && kiln_diags_has(r->diags, DIAG_DXIL_UNSUPPORTED));
	finish(&b);
}

/* ---- the store ---- */

static void fill_store(struct bench *b, unsigned count)
{
	open_cache(b, 2, true);
	cr_assert(b->cache);
	for (unsigned i = 0; i < count; i++) {
		struct kiln_cache_request r = request(b, "vs", i % 3 ? "ps" : NULL, i);
		if (!r.PS)
			r.state.NumRenderTargets = 0, r.state.RTVFormats[0] = 0;
		cr_assert(kiln_cached_pso_wait(kiln_cache_get(b->cache, &r, 100 - i, NULL), b->rig.diags));
	}
	kiln_cache_destroy(b->cache);
	b->cache = NULL;
}

Test(cache, what_was_used_is_precached_next_time)
{
	struct bench b;
	enum kiln_precache_result result;
	begin(&b);
	fill_store(&b, 7);
	open_cache(&b, 2, true);
	cr_assert_eq(kiln_cache_precache_store(b.cache, b.rig.diags), 7);
	kiln_cache_finish(b.cache);
	struct kiln_cache_request r = request(&b, "vs", "ps", 4), other = request(&b, "vs", "ps", 40);
	kiln_cache_get(b.cache, &r, 0, &result);
	cr_expect_eq(result, KILN_PRECACHE_COMPLETE);
	kiln_cache_get(b.cache, &other, 0, &result);
	cr_expect_eq(result, KILN_PRECACHE_MISSED);
	cr_expect_eq(counters(&b).created >= 7, 1);
	cr_expect_eq(kiln_diags_count(b.rig.diags), 0);
	finish(&b);
}

static void stored_title_without_shader(struct bench *b)
{
	open_cache(b, 1, true);
	struct kiln_cache_request r = request(b, "vs", "psX", 0); /* compiles, but the library does not know it */
	cr_assert(kiln_cached_pso_wait(kiln_cache_get(b->cache, &r, 0, NULL), b->rig.diags));
	kiln_cache_destroy(b->cache);
	open_cache(b, 1, true);
	cr_expect_eq(kiln_cache_precache_store(b->cache, b->rig.diags), 0);
	kiln_cache_destroy(b->cache);
	b->cache = NULL;
}

/* A stored row whose creation fails is a warning and its draws are left out; the same from a draw is an error. */
static void stored_failure(struct bench *b)
{
	struct kiln_cache_request bad = request(b, "bad", "ps", 9);
	struct buf key = {0};
	struct cache_store *s = cache_store_open(b->path, b->rig.diags);
	cache_key(&bad, &key);
	cr_assert(cache_store_put(s, &(struct cache_row){key.data, key.size, 1, 0}, 1, b->rig.diags));
	cache_store_close(s);
	open_cache(b, 1, true);
	cr_assert_eq(kiln_cache_precache_store(b->cache, b->rig.diags), 1);
	kiln_cache_finish(b->cache);
	struct kiln_cached_pso *p = b->cache->slots[cache_hash(key.data, key.size) & (b->cache->slot_count - 1)];
	cr_expect_null(kiln_cached_pso_wait(p, b->rig.diags));
	cr_expect(kiln_diags_errors(b->rig.diags) == 0 && kiln_diags_has(b->rig.diags, DIAG_CACHE_STORED_FAILED));
	kiln_cache_get(b->cache, &bad, 0, NULL);
	cr_expect_null(kiln_cached_pso_wait(p, b->rig.diags));
	cr_expect_eq(kiln_diags_errors(b->rig.diags), 1);
	buf_finish(&key);
}

Test(cache, store_without_library_and_with_failures)
{
	struct bench b;
	begin(&b);
	stored_title_without_shader(&b);
	stored_failure(&b);
	finish(&b);
}

/* ---- damage ---- */

/* Opens a damaged store: refused, or read with fewer rows; each row that comes must be one that was put. */
static void check_damaged(struct bench *b, unsigned at)
{
	struct kiln_diags *d = kiln_diags_create();
	const struct kiln_cache_desc desc = {1, b->path, library, NULL};
	struct kiln_cache *c = kiln_cache_create(b->rig.device, &desc, d);
	cr_expect(c || kiln_diags_errors(d) == 1, "damage at %u: neither cache nor diagnostic", at);
	if (c) {
		size_t queued = kiln_cache_precache_store(c, d);
		cr_expect_leq(queued, 3, "damage at %u", at);
		kiln_cache_finish(c);
		for (unsigned i = 0; i < 3; i++) {
			struct kiln_cache_request r = request(b, "vs", i % 3 ? "ps" : NULL, i);
			if (!r.PS)
				r.state.NumRenderTargets = 0, r.state.RTVFormats[0] = 0;
			queued -= kiln_cache_query(c, &r) == KILN_PRECACHE_COMPLETE;
		}
		cr_expect_eq(queued, 0, "damage at %u: a PSO that nobody asked for", at);
	}
	kiln_cache_destroy(c);
	kiln_diags_destroy(d);
}

Test(cache, damaged_stores, .timeout = 300)
{
	struct bench b;
	uint8_t *data;
	size_t size;
	begin(&b);
	fill_store(&b, 3);
	cr_assert(file_read(b.path, 1 << 20, &data, &size, b.rig.diags));
	uint8_t *bad = mem_alloc(size);
	for (size_t at = 0; at < size; at += at < 128 ? 1 : 61) {
		memcpy(bad, data, size);
		bad[at] ^= (uint8_t)(1u << at % 8);
		forget_store(&b);
		cr_assert(file_write(b.path, bad, size, b.rig.diags));
		check_damaged(&b, (unsigned)at);
	}
	for (size_t cut = 1; cut < size; cut += 509) {
		forget_store(&b);
		cr_assert(file_write(b.path, data, cut, b.rig.diags));
		check_damaged(&b, (unsigned)cut);
	}
	mem_free(bad);
	mem_free(data);
	finish(&b);
}

Test(cache, stores_that_cannot_be)
{
	static const struct { const char *sql; uint32_t number; } rows[] = {
		{"PRAGMA application_id = 77", 7002}, {"PRAGMA user_version = 2", 7002}, {"DROP TABLE pso", 7002}};
	struct bench b;
	begin(&b);
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_diags *d = kiln_diags_create();
		sqlite3 *db;
		forget_store(&b);
		fill_store(&b, 1);
		cr_assert(!sqlite3_open(b.path, &db) && !sqlite3_exec(db, rows[i].sql, NULL, NULL, NULL));
		sqlite3_close(db);
		cr_expect_null(cache_store_open(b.path, d));
		cr_expect(kiln_diags_has(d, rows[i].number), "%s", rows[i].sql);
		kiln_diags_destroy(d);
	}
	struct kiln_diags *d = kiln_diags_create();
	cr_expect(!cache_store_open("/nowhere/at/all", d) && kiln_diags_has(d, 7003));
	kiln_diags_destroy(d);
	finish(&b);
}

struct seen { struct bench *b; uint8_t *present; unsigned count; };
static void see_row(void *user, const struct cache_row *row)
{
	struct seen *s = user;
	struct arena arena = {0};
	struct cache_key_parts parts;
	cr_assert(cache_key_parse(row->key, row->key_size, &arena, &parts));
	unsigned n = (unsigned)parts.state.RasterizerState.DepthBias;
	if (n < s->count)
		s->present[n] = 1;
	arena_finish(&arena);
}

/* A full disk: nothing is lost, and what could not be written is written by the next save. */
Test(cache, disk_full)
{
	enum { COUNT = 40 };
	struct bench b;
	struct rlimit usual, small;
	uint8_t present[COUNT] = {0};
	uint64_t rejected = 0;
	begin(&b);
	open_cache(&b, 1, true);
	cr_assert(b.cache && !getrlimit(RLIMIT_FSIZE, &usual));
	small = usual;
	small.rlim_cur = 16384;
	signal(SIGXFSZ, SIG_IGN);
	cr_assert(!setrlimit(RLIMIT_FSIZE, &small));
	for (unsigned i = 0; i < COUNT; i++) {
		struct kiln_cache_request r = request(&b, "vs", "ps", i);
		cr_assert(kiln_cached_pso_wait(kiln_cache_get(b.cache, &r, i, NULL), b.rig.diags));
	}
	cr_expect(!kiln_cache_save(b.cache, b.rig.diags) && kiln_diags_has(b.rig.diags, DIAG_CACHE_STORE_UNWRITABLE));
	cr_assert(!setrlimit(RLIMIT_FSIZE, &usual));
	cr_expect(kiln_cache_save(b.cache, b.rig.diags));
	cr_expect_eq(counters(&b).stored, COUNT);
	struct seen seen = {&b, present, COUNT};
	struct cache_store *again = cache_store_open(b.path, b.rig.diags);
	cr_assert(again && cache_store_read(again, see_row, &seen, &rejected, b.rig.diags));
	cache_store_close(again);
	for (unsigned i = 0; i < COUNT; i++)
		cr_expect(present[i], "PSO %u", i);
	finish(&b);
}

/* ---- processes ---- */

static _Noreturn void make_many(struct bench *b, unsigned first, unsigned count, int report)
{
	b->rig.device = kiln_device_create(NULL);
	sim_device_set_compiler(b->rig.device, &(struct sim_compiler){compile, &b->compiler});
	open_cache(b, 1, true);
	for (unsigned i = first; b->cache && i < first + count; i++) {
		struct kiln_cache_request r = request(b, "vs", "ps", i);
		struct kiln_diags *d = kiln_diags_create();
		if (kiln_cached_pso_wait(kiln_cache_get(b->cache, &r, i, NULL), d) && kiln_cache_save(b->cache, d) &&
			write(report, &i, sizeof i) != sizeof i)
			_exit(1);
		kiln_diags_destroy(d);
	}
	_exit(0);
}

static void read_present(struct bench *b, uint8_t *present, unsigned count)
{
	struct seen seen = {b, present, count};
	uint64_t rejected = 0;
	struct cache_store *s = cache_store_open(b->path, b->rig.diags);
	cr_assert(s, "%s", kiln_diags_count(b->rig.diags) ? kiln_diags_get(b->rig.diags, 0)->text : "");
	cr_assert(cache_store_read(s, see_row, &seen, &rejected, b->rig.diags) && rejected == 0);
	cache_store_close(s);
}

Test(cache, two_processes_write_one_store)
{
	enum { EACH = 60 };
	struct bench b;
	pid_t child[2];
	int pipes[2];
	uint8_t present[2 * EACH] = {0};
	begin(&b);
	cr_assert(!pipe(pipes));
	for (unsigned i = 0; i < 2; i++)
		if (!(child[i] = fork()))
			make_many(&b, i * EACH, EACH, pipes[1]);
	for (unsigned i = 0; i < 2; i++) {
		int status;
		waitpid(child[i], &status, 0);
		cr_assert(WIFEXITED(status) && !WEXITSTATUS(status));
	}
	read_present(&b, present, 2 * EACH);
	for (unsigned i = 0; i < 2 * EACH; i++)
		cr_expect(present[i], "PSO %u", i);
	close(pipes[0]);
	close(pipes[1]);
	finish(&b);
}

/*
 * A process is killed at any moment: what it said was saved is there, and the store opens. The moment is counted from the
 * child's own reports, none or a few of them, and then a while: a machine too busy to start the child within the while
 * alone would kill every one before its first save.
 */
Test(cache, kills_lose_nothing_saved, .timeout = 600)
{
	enum { TITLE = 4000 };
	struct bench b;
	uint8_t *saved = mem_alloc(TITLE), *present = mem_alloc(TITLE);
	unsigned next = 0, state = 12345;
	begin(&b);
	for (unsigned kill_number = 0; kill_number < KILLS; kill_number++) {
		int pipes[2];
		unsigned n, taken = 0;
		cr_assert(!pipe(pipes));
		pid_t child = fork();
		if (!child) {
			close(pipes[0]);
			make_many(&b, next % TITLE, TITLE - next % TITLE, pipes[1]);
		}
		close(pipes[1]);
		state = state * 1664525 + 1013904223;
		for (unsigned wanted = state >> 8 & 3; wanted > 0 && read(pipes[0], &n, sizeof n) == sizeof n; wanted--) {
			saved[n] = 1;
			taken++;
		}
		usleep(state >> 20); /* up to 4 ms */
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		while (read(pipes[0], &n, sizeof n) == sizeof n) {
			saved[n] = 1;
			taken++;
		}
		close(pipes[0]);
		next += taken;
		if (kill_number % 10)
			continue;
		memset(present, 0, TITLE);
		read_present(&b, present, TITLE);
		for (unsigned i = 0; i < TITLE; i++)
			cr_assert(!saved[i] || present[i], "kill %u lost PSO %u", kill_number, i);
	}
	read_present(&b, present, TITLE);
	for (unsigned i = 0; i < TITLE; i++)
		cr_assert(!saved[i] || present[i], "PSO %u is lost", i);
	cr_expect_gt(next, 20, "only %u PSOs were made", next);
	mem_free(saved);
	mem_free(present);
	finish(&b);
}
