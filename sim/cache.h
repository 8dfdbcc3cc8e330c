/* Private to sim/cache*.c: the cache's objects. Everything in a cache is guarded by its lock but where it is said. */
#ifndef KILN_SIM_CACHE_H
#define KILN_SIM_CACHE_H
#include "sim/device.h"
#include <kiln/cache.h>
#include <pthread.h>

enum { CACHE_SHA1 = 20, CACHE_THREADS_MAX = 64 };

/* Who is not idle owns the entry's contents; others wait for the cache's signal. */
enum cache_state { CACHE_QUEUED, CACHE_WORKING, CACHE_READY, CACHE_FAILED };

struct cached_shader {
	uint8_t sha1[CACHE_SHA1];
	char *name;
	uint8_t *data;                    /* the container; freed once it is compiled */
	size_t size;
	uint8_t state;                    /* enum cache_state */
	struct kiln_shader *shader;
	struct kiln_diags *diags;         /* of a failure */
};
struct kiln_cached_pso {
	struct kiln_cache *cache;
	uint64_t hash;
	uint8_t *key;                     /* SHA-1 of VS, of PS, size and bytes of the root signature, description */
	size_t key_size;
	char *name;
	struct cached_shader *vs, *ps;    /* ps may be NULL */
	uint8_t state;                    /* enum cache_state */
	bool precached, requested;        /* requested: by more than the store */
	bool drawn;
	uint8_t result;                   /* enum kiln_precache_result of the first draw */
	uint32_t first_frame;
	uint64_t unsaved_uses;
	bool stored;                      /* a row of the store has it */
	struct kiln_pso *pso;
	struct kiln_diags *diags;         /* of its creation */
	struct kiln_cached_pso *next_queued;
};
struct cache_store;
struct kiln_cache {
	struct kiln_device *device;
	kiln_shader_library_fn *library;
	void *library_user;
	pthread_mutex_t lock;
	pthread_cond_t work, done;        /* something is queued; something was made */
	pthread_t threads[CACHE_THREADS_MAX];
	uint32_t thread_count;
	bool quit;
	struct kiln_cached_pso **slots;   /* open addressing, a power of two */
	size_t slot_count, entry_count;
	struct cached_shader **shaders;
	size_t shader_count, shader_cap;
	struct kiln_cached_pso *queue, **queue_end;
	size_t pending;                   /* queued or being made */
	struct kiln_cache_counters counters;
	struct cache_store *store;        /* NULL: none */
};

/* ---- cache_key.c ---- */
void cache_sha1(const void *data, size_t size, uint8_t out[CACHE_SHA1]);
void cache_key(const struct kiln_cache_request *r, struct buf *out);
uint64_t cache_hash(const uint8_t *key, size_t size);
struct cache_key_parts {
	const uint8_t *vs, *ps, *root;    /* SHA-1s; ps is all zero without a pixel shader */
	uint32_t root_size;
	struct kiln_graphics_pipeline_desc state; /* in the arena given */
};
/* Any bytes are safe; false: damaged. */
bool cache_key_parse(const uint8_t *key, size_t size, struct arena *arena, struct cache_key_parts *out);

/* ---- cache.c ---- */
/* A draw whose PSO was not ready: skipped, or made with the fallback. */
void cache_count_draw(struct kiln_cached_pso *p, bool fallback);

/* ---- cache_work.c: threads and compiling ---- */
bool cache_start_threads(struct kiln_cache *c, uint32_t count);
void cache_stop_threads(struct kiln_cache *c);
void cache_queue(struct kiln_cache *c, struct kiln_cached_pso *p);          /* with the lock held */
/* Makes the PSO on this thread; called and returns with the lock held, and lets go of it in between. */
void cache_make(struct kiln_cache *c, struct kiln_cached_pso *p);

/* ---- cache_store.c: SQLite; has a lock of its own ---- */
struct cache_row {
	const uint8_t *key;
	size_t key_size;
	uint64_t uses;
	uint32_t first_frame;
};
struct cache_store *cache_store_open(const char *path, struct kiln_diags *diags);
void cache_store_close(struct cache_store *s);                               /* NULL is fine */
/* Adds uses, keeps the earliest frame, all rows or none. False: 7003 added where diags is not NULL. */
bool cache_store_put(struct cache_store *s, const struct cache_row *rows, size_t count, struct kiln_diags *diags);
/* Earliest first use first, then most used, then by key. Damaged rows are counted, warned of and left out. */
typedef void cache_row_fn(void *user, const struct cache_row *row);
bool cache_store_read(struct cache_store *s, cache_row_fn *fn, void *user, uint64_t *rejected, struct kiln_diags *diags);
#endif
