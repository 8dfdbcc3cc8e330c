/* The cache's threads: they take queued pipelines in order and make them. A caller that waits for one that is still queued
 * makes it itself, so that waiting never depends on a free thread. */
#include "sim/cache.h"

void cache_queue(struct kiln_cache *c, struct kiln_cached_pso *p)
{
	p->state = CACHE_QUEUED;
	p->next_queued = NULL;
	*c->queue_end = p;
	c->queue_end = &p->next_queued;
	c->pending++;
	pthread_cond_signal(&c->work);
}

/* The compiled shader, or NULL; compiles it where nobody has, waits where somebody does. The lock is held, and let go of
 * meanwhile. */
static const struct kiln_shader *need_shader(struct kiln_cache *c, struct cached_shader *s)
{
	while (s->state == CACHE_WORKING)
		pthread_cond_wait(&c->done, &c->lock);
	if (s->state != CACHE_QUEUED)
		return s->shader;
	s->state = CACHE_WORKING;
	pthread_mutex_unlock(&c->lock);
	struct kiln_diags *diags = kiln_diags_create();
	struct kiln_shader *shader = kiln_shader_create(c->device, s->name, s->data, s->size, diags);
	mem_free(s->data);
	pthread_mutex_lock(&c->lock);
	s->data = NULL;
	s->shader = shader;
	s->diags = diags;
	s->state = shader ? CACHE_READY : CACHE_FAILED;
	c->counters.shaders++;
	pthread_cond_broadcast(&c->done);
	return shader;
}

static void copy_diags(struct kiln_diags *to, const struct kiln_diags *from)
{
	struct buf b = {0};
	diags_encode(from, &b);
	diags_decode(to, b.data, b.size);
	buf_finish(&b);
}

static struct kiln_pso *create(struct kiln_cached_pso *p, const struct kiln_shader *vs, const struct kiln_shader *ps,
	struct kiln_diags *diags)
{
	struct kiln_cache *c = p->cache;
	struct arena arena = {0};
	struct cache_key_parts parts;
	struct kiln_root_signature *root = NULL;
	struct kiln_pso *pso = NULL;
	bool ok = cache_key_parse(p->key, p->key_size, &arena, &parts);
	if (ok && parts.root_size) {
		root = kiln_root_signature_create(c->device, p->name, parts.root, parts.root_size, diags);
		ok = root != NULL;
	}
	if (ok) {
		const struct kiln_pso_desc desc = {.name = p->name, .state = parts.state, .VS = vs, .PS = ps, .root_signature = root};
		pso = kiln_pso_create(c->device, &desc, diags);
	}
	kiln_root_signature_destroy(root);
	arena_finish(&arena);
	return pso;
}

static bool store(const struct kiln_cached_pso *p, uint32_t first_frame)
{
	const struct cache_row row = {.key = p->key, .key_size = p->key_size, .first_frame = first_frame};
	return p->cache->store && cache_store_put(p->cache->store, &row, 1, NULL);
}

void cache_make(struct kiln_cache *c, struct kiln_cached_pso *p)
{
	p->state = CACHE_WORKING;
	const struct kiln_shader *vs = need_shader(c, p->vs), *ps = p->ps ? need_shader(c, p->ps) : NULL;
	struct kiln_diags *diags = kiln_diags_create();
	struct kiln_pso *pso = NULL;
	bool stored = p->stored;
	uint32_t first_frame = p->first_frame;
	if (!vs)
		copy_diags(diags, p->vs->diags);
	if (p->ps && !ps)
		copy_diags(diags, p->ps->diags);
	pthread_mutex_unlock(&c->lock);
	if (vs && (ps || !p->ps))
		pso = create(p, vs, ps, diags);
	if (pso && !stored)
		stored = store(p, first_frame); /* at once: a process that is killed loses no more than the one it was making */
	pthread_mutex_lock(&c->lock);
	c->counters.stored += stored && !p->stored;
	p->stored = stored;
	p->pso = pso;
	p->diags = diags;
	p->state = pso ? CACHE_READY : CACHE_FAILED;
	c->counters.created += pso != NULL;
	c->counters.failed += pso == NULL;
	c->pending--;
	pthread_cond_broadcast(&c->done);
}

static void *work(void *user)
{
	struct kiln_cache *c = user;
	pthread_mutex_lock(&c->lock);
	while (!c->quit) {
		struct kiln_cached_pso *p = c->queue;
		if (!p) {
			pthread_cond_wait(&c->work, &c->lock);
			continue;
		}
		c->queue = p->next_queued;
		if (!c->queue)
			c->queue_end = &c->queue;
		if (p->state == CACHE_QUEUED) /* else who waited for it has taken it */
			cache_make(c, p);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

bool cache_start_threads(struct kiln_cache *c, uint32_t count)
{
	while (c->thread_count < count) {
		if (pthread_create(&c->threads[c->thread_count], NULL, work, c))
			return false;
		c->thread_count++;
	}
	return true;
}

void cache_stop_threads(struct kiln_cache *c)
{
	pthread_mutex_lock(&c->lock);
	c->quit = true;
	pthread_cond_broadcast(&c->work);
	pthread_mutex_unlock(&c->lock);
	for (uint32_t i = 0; i < c->thread_count; i++)
		pthread_join(c->threads[i], NULL);
}
