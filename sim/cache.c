/* The cache of pipelines: entries by content, requests, counters. Threads are in cache_work.c, the file in cache_store.c. */
#include "sim/cache.h"
#include <unistd.h>

/* ---- entries ---- */

static struct kiln_cached_pso **find_slot(const struct kiln_cache *c, uint64_t hash, const uint8_t *key, size_t size)
{
	for (size_t i = hash;; i++) {
		struct kiln_cached_pso **slot = &c->slots[i & (c->slot_count - 1)];
		if (!*slot || ((*slot)->hash == hash && (*slot)->key_size == size && !memcmp((*slot)->key, key, size)))
			return slot;
	}
}

static void grow(struct kiln_cache *c)
{
	struct kiln_cached_pso **old = c->slots;
	size_t count = c->slot_count;
	if (2 * (c->entry_count + 1) <= count)
		return;
	c->slot_count = count ? 2 * count : 64;
	c->slots = mem_array(c->slot_count, sizeof *c->slots);
	for (size_t i = 0; i < count; i++)
		if (old[i])
			*find_slot(c, old[i]->hash, old[i]->key, old[i]->key_size) = old[i];
	mem_free(old);
}

/* The shader with these bytes, which are copied if it is new. */
static struct cached_shader *intern_shader(struct kiln_cache *c, const uint8_t sha1[CACHE_SHA1], const char *name,
	const void *data, size_t size)
{
	for (size_t i = 0; i < c->shader_count; i++)
		if (!memcmp(c->shaders[i]->sha1, sha1, CACHE_SHA1))
			return c->shaders[i];
	struct cached_shader *s = mem_alloc(sizeof *s);
	*ARRAY_PUSH(c->shaders, c->shader_count, c->shader_cap) = s;
	memcpy(s->sha1, sha1, CACHE_SHA1);
	s->name = mem_string(name);
	s->data = mem_alloc(size);
	memcpy(s->data, data, size);
	s->size = size;
	return s;
}

static struct kiln_cached_pso *find(struct kiln_cache *c, const struct buf *key)
{
	return c->slot_count ? *find_slot(c, cache_hash(key->data, key->size), key->data, key->size) : NULL;
}

static struct kiln_cached_pso *insert(struct kiln_cache *c, const struct buf *key, const struct kiln_cache_request *r)
{
	struct kiln_cached_pso *p = mem_alloc(sizeof *p);
	const char *name = r->name ? r->name : "PSO";
	p->cache = c;
	p->hash = cache_hash(key->data, key->size);
	p->key = mem_alloc(key->size);
	memcpy(p->key, key->data, key->size);
	p->key_size = key->size;
	p->name = mem_string(name);
	p->first_frame = UINT32_MAX;
	p->vs = intern_shader(c, p->key, name, r->VS ? r->VS : "", r->VS_size);
	p->ps = r->PS ? intern_shader(c, p->key + CACHE_SHA1, name, r->PS, r->PS_size) : NULL;
	grow(c);
	*find_slot(c, p->hash, p->key, p->key_size) = p;
	c->entry_count++;
	cache_queue(c, p);
	return p;
}

static bool is_under_way(const struct kiln_cached_pso *p) { return p->state == CACHE_QUEUED || p->state == CACHE_WORKING; }

/* How a draw that needs it now finds it. */
static enum kiln_precache_result judge(const struct kiln_cached_pso *p)
{
	if (!p->precached)
		return KILN_PRECACHE_MISSED;
	return p->state == CACHE_READY ? KILN_PRECACHE_COMPLETE : p->state == CACHE_FAILED ? KILN_PRECACHE_NOT_SUPPORTED
		: KILN_PRECACHE_ACTIVE;
}

/* ---- requests ---- */

static struct kiln_cached_pso *precache(struct kiln_cache *c, const struct kiln_cache_request *r, bool from_store)
{
	struct buf key = {0};
	cache_key(r, &key);
	pthread_mutex_lock(&c->lock);
	struct kiln_cached_pso *p = find(c, &key);
	c->counters.requests += !from_store;
	if (p)
		c->counters.shared += is_under_way(p);
	else
		p = insert(c, &key, r);
	if (p->drawn && !p->precached && p->result == KILN_PRECACHE_MISSED)
		p->result = KILN_PRECACHE_TOO_LATE;
	p->precached = true;
	p->requested |= !from_store;
	p->stored |= from_store;
	pthread_mutex_unlock(&c->lock);
	buf_finish(&key);
	return p;
}

struct kiln_cached_pso *kiln_cache_precache(struct kiln_cache *c, const struct kiln_cache_request *r)
{
	return precache(c, r, false);
}

struct kiln_cached_pso *kiln_cache_get(
	struct kiln_cache *c, const struct kiln_cache_request *r, uint32_t frame, enum kiln_precache_result *result)
{
	struct buf key = {0};
	cache_key(r, &key);
	pthread_mutex_lock(&c->lock);
	struct kiln_cached_pso *p = find(c, &key);
	c->counters.requests++;
	if (p && !r->untracked)
		c->counters.hits += p->state == CACHE_READY;
	if (p)
		c->counters.shared += is_under_way(p);
	else
		c->counters.misses += !r->untracked;
	if (!p)
		p = insert(c, &key, r);
	if (!p->drawn)
		p->result = r->untracked ? KILN_PRECACHE_UNTRACKED : (uint8_t)judge(p);
	p->drawn = p->requested = true;
	p->first_frame = frame < p->first_frame ? frame : p->first_frame;
	p->unsaved_uses++;
	if (result)
		*result = (enum kiln_precache_result)p->result;
	pthread_mutex_unlock(&c->lock);
	buf_finish(&key);
	return p;
}

enum kiln_precache_result kiln_cache_query(struct kiln_cache *c, const struct kiln_cache_request *r)
{
	struct buf key = {0};
	cache_key(r, &key);
	pthread_mutex_lock(&c->lock);
	const struct kiln_cached_pso *p = find(c, &key);
	enum kiln_precache_result result = !p ? KILN_PRECACHE_UNKNOWN : p->drawn ? (enum kiln_precache_result)p->result : judge(p);
	pthread_mutex_unlock(&c->lock);
	buf_finish(&key);
	return result;
}

const char *kiln_precache_result_name(enum kiln_precache_result r)
{
	static const char *const names[] = {[KILN_PRECACHE_UNKNOWN] = "Unknown", [KILN_PRECACHE_ACTIVE] = "Active",
		[KILN_PRECACHE_COMPLETE] = "Complete", [KILN_PRECACHE_MISSED] = "Missed", [KILN_PRECACHE_TOO_LATE] = "TooLate",
		[KILN_PRECACHE_NOT_SUPPORTED] = "NotSupported", [KILN_PRECACHE_UNTRACKED] = "Untracked"};
	return (size_t)r < ARRAY_COUNT(names) ? names[r] : names[KILN_PRECACHE_UNKNOWN];
}

/* ---- results ---- */

static void add_failure(const struct kiln_cached_pso *p, struct kiln_diags *diags)
{
	const struct kiln_diag *first = kiln_diags_get(p->diags, 0);
	struct buf b = {0};
	if (!p->requested) {
		diag_add(diags, DIAG_CACHE_STORED_FAILED, p->name, "a PSO of the store cannot be made: %s",
			first ? first->text : "no reason was given");
		return;
	}
	diags_encode(p->diags, &b);
	diags_decode(diags, b.data, b.size);
	buf_finish(&b);
}

struct kiln_pso *kiln_cached_pso_wait(struct kiln_cached_pso *p, struct kiln_diags *diags)
{
	struct kiln_cache *c = p->cache;
	pthread_mutex_lock(&c->lock);
	c->counters.waited += is_under_way(p);
	if (p->state == CACHE_QUEUED)
		cache_make(c, p);
	while (p->state == CACHE_WORKING)
		pthread_cond_wait(&c->done, &c->lock);
	if (p->state == CACHE_FAILED)
		add_failure(p, diags);
	struct kiln_pso *pso = p->pso;
	pthread_mutex_unlock(&c->lock);
	return pso;
}

static uint8_t state_of(struct kiln_cached_pso *p)
{
	pthread_mutex_lock(&p->cache->lock);
	uint8_t state = p->state;
	pthread_mutex_unlock(&p->cache->lock);
	return state;
}

struct kiln_pso *kiln_cached_pso_poll(struct kiln_cached_pso *p) { return state_of(p) == CACHE_READY ? p->pso : NULL; }

bool kiln_cached_pso_failed(struct kiln_cached_pso *p) { return state_of(p) == CACHE_FAILED; }

void cache_count_draw(struct kiln_cached_pso *p, bool fallback)
{
	pthread_mutex_lock(&p->cache->lock);
	p->cache->counters.draws_fallback += fallback;
	p->cache->counters.draws_skipped += !fallback;
	pthread_mutex_unlock(&p->cache->lock);
}

void kiln_cache_finish(struct kiln_cache *c)
{
	pthread_mutex_lock(&c->lock);
	while (c->pending)
		pthread_cond_wait(&c->done, &c->lock);
	pthread_mutex_unlock(&c->lock);
}

void kiln_cache_counters(struct kiln_cache *c, struct kiln_cache_counters *out)
{
	pthread_mutex_lock(&c->lock);
	*out = c->counters;
	pthread_mutex_unlock(&c->lock);
}

/* ---- the store ---- */

struct loading { struct kiln_cache *c; size_t queued; };

static void load_row(void *user, const struct cache_row *row)
{
	struct loading *l = user;
	struct arena arena = {0};
	struct cache_key_parts parts;
	struct kiln_cache_request r = {.name = "stored PSO"};
	static const uint8_t none[CACHE_SHA1];
	struct buf vs = {0}; /* the library may give one buffer for both */
	bool ok = cache_key_parse(row->key, row->key_size, &arena, &parts) && l->c->library(l->c->library_user, parts.vs, &r.VS, &r.VS_size);
	if (ok && memcmp(parts.ps, none, CACHE_SHA1)) {
		buf_put(&vs, r.VS, r.VS_size);
		r.VS = vs.data;
		ok = l->c->library(l->c->library_user, parts.ps, &r.PS, &r.PS_size);
	}
	if (ok) {
		r.state = parts.state;
		r.root_signature = parts.root_size ? parts.root : NULL;
		r.root_signature_size = parts.root_size;
		precache(l->c, &r, true);
		l->queued++;
	}
	buf_finish(&vs);
	arena_finish(&arena);
}

size_t kiln_cache_precache_store(struct kiln_cache *c, struct kiln_diags *diags)
{
	struct loading l = {.c = c};
	uint64_t rejected = 0;
	if (c->store && c->library)
		cache_store_read(c->store, load_row, &l, &rejected, diags);
	pthread_mutex_lock(&c->lock);
	c->counters.rejected += rejected;
	pthread_mutex_unlock(&c->lock);
	return l.queued;
}

bool kiln_cache_save(struct kiln_cache *c, struct kiln_diags *diags)
{
	if (!c->store)
		return true;
	pthread_mutex_lock(&c->lock);
	struct cache_row *rows = mem_array(c->entry_count, sizeof *rows);
	struct kiln_cached_pso **from = mem_array(c->entry_count, sizeof *from);
	size_t count = 0;
	for (size_t i = 0; i < c->slot_count; i++) {
		struct kiln_cached_pso *p = c->slots[i];
		if (!p || p->state != CACHE_READY || (p->stored && !p->unsaved_uses))
			continue;
		from[count] = p;
		rows[count++] = (struct cache_row){p->key, p->key_size, p->unsaved_uses, p->first_frame};
	}
	pthread_mutex_unlock(&c->lock);
	bool ok = cache_store_put(c->store, rows, count, diags);
	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < count && ok; i++) {
		c->counters.stored += !from[i]->stored;
		from[i]->stored = true;
		from[i]->unsaved_uses -= rows[i].uses;
	}
	pthread_mutex_unlock(&c->lock);
	mem_free(rows);
	mem_free(from);
	return ok;
}

/* ---- life ---- */

struct kiln_cache *kiln_cache_create(struct kiln_device *d, const struct kiln_cache_desc *desc, struct kiln_diags *diags)
{
	struct cache_store *store = NULL;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint32_t threads = desc->threads ? desc->threads : processors > 0 ? (uint32_t)processors : 1;
	if (desc->store && !(store = cache_store_open(desc->store, diags)))
		return NULL;
	struct kiln_cache *c = mem_alloc(sizeof *c);
	c->device = d;
	c->library = desc->library;
	c->library_user = desc->library_user;
	c->store = store;
	c->queue_end = &c->queue;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->work, NULL);
	pthread_cond_init(&c->done, NULL);
	if (!cache_start_threads(c, threads < CACHE_THREADS_MAX ? threads : CACHE_THREADS_MAX) && !c->thread_count) {
		diag_add(diags, DIAG_CACHE_THREADS, desc->store, "no thread could be started");
		kiln_cache_destroy(c);
		return NULL;
	}
	return c;
}

static void destroy_entry(struct kiln_cached_pso *p)
{
	kiln_pso_destroy(p->pso);
	kiln_diags_destroy(p->diags);
	mem_free(p->key);
	mem_free(p->name);
	mem_free(p);
}

void kiln_cache_destroy(struct kiln_cache *c)
{
	struct kiln_diags *ignored;
	if (!c)
		return;
	cache_stop_threads(c);
	ignored = kiln_diags_create();
	kiln_cache_save(c, ignored);
	kiln_diags_destroy(ignored);
	cache_store_close(c->store);
	for (size_t i = 0; i < c->slot_count; i++)
		if (c->slots[i])
			destroy_entry(c->slots[i]);
	for (size_t i = 0; i < c->shader_count; i++) {
		kiln_shader_destroy(c->shaders[i]->shader);
		kiln_diags_destroy(c->shaders[i]->diags);
		mem_free(c->shaders[i]->data);
		mem_free(c->shaders[i]->name);
		mem_free(c->shaders[i]);
	}
	mem_free(c->slots);
	mem_free(c->shaders);
	pthread_mutex_destroy(&c->lock);
	pthread_cond_destroy(&c->work);
	pthread_cond_destroy(&c->done);
	mem_free(c);
}
