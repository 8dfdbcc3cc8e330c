/* A cache of pipelines in the shape engines have: get or create by content, compile on threads, remember what was used in a
 * small store from run to run, precache what the last runs used.
 *
 *   cache = kiln_cache_create(device, &(struct kiln_cache_desc){.store = "title.kcache"}, diags);
 *   kiln_cache_precache_store(cache, diags);                     at start: everything that earlier runs used
 *   p = kiln_cache_get(cache, &request, frame, &result);         at a draw
 *   kiln_cmd_cached_pso(commands, p, KILN_CACHE_WAIT, NULL);
 *
 * Two requests are the same PSO if shader bytes (by SHA-1), root signature and every field of the state are; they share
 * one compile. Thread-safety: all functions here may be called from any thread at once, and several processes may share one
 * store. Determinism: with KILN_CACHE_WAIT what is drawn depends on the requests alone; with KILN_CACHE_SKIP it depends on
 * when threads are ready, which is why skipped draws are counted. */
#ifndef KILN_CACHE_H
#define KILN_CACHE_H
#include <kiln/kiln.h>
#ifdef __cplusplus
extern "C" {
#endif

struct kiln_cache;
struct kiln_cached_pso; /* lives as long as the cache */

/* A title's shader library: the container whose SHA-1 is given, or false. The bytes must stay until the function is called
 * again on the same thread. Called from kiln_cache_precache_store alone. */
typedef bool kiln_shader_library_fn(void *user, const uint8_t sha1[20], const void **data, size_t *size);

struct kiln_cache_desc {
	uint32_t threads;                 /* that compile, 1 to 64; 0 = one for each processor */
	const char *store;                /* SQLite file, made where there is none; NULL: nothing is kept */
	kiln_shader_library_fn *library;  /* NULL: the store's PSOs wait until a request brings their shaders */
	void *library_user;
};
/* A cache on a device, which must outlive it; the device's description (wave size, policy) is not part of the key, so one
 * store serves one title on one kind of device. NULL: the store cannot be opened or is none; diagnostics added (7001 on). */
KILN_API struct kiln_cache *kiln_cache_create(struct kiln_device *d, const struct kiln_cache_desc *desc, struct kiln_diags *diags);
/* Waits for the compiles under way, drops those that wait, saves, and destroys its PSOs. NULL is fine. */
KILN_API void kiln_cache_destroy(struct kiln_cache *c);

struct kiln_cache_request {
	const char *name;                 /* for diagnostics; not part of the key */
	struct kiln_graphics_pipeline_desc state;
	const void *VS, *PS;              /* containers, copied; PS may be NULL */
	size_t VS_size, PS_size;
	const void *root_signature;       /* serialised or in a container, copied; NULL: as kiln_pso_desc.root_signature NULL */
	size_t root_signature_size;
	bool untracked;                   /* not counted as hit or miss (tools, user interface) */
};
/* How a PSO stood when it was first needed for a draw. */
enum kiln_precache_result {
	KILN_PRECACHE_UNKNOWN,            /* nothing is known of it */
	KILN_PRECACHE_ACTIVE,             /* precached, but still being compiled */
	KILN_PRECACHE_COMPLETE,           /* precached and ready */
	KILN_PRECACHE_MISSED,             /* never precached */
	KILN_PRECACHE_TOO_LATE,           /* precached only after a draw had needed it */
	KILN_PRECACHE_NOT_SUPPORTED,      /* precached, and its creation failed */
	KILN_PRECACHE_UNTRACKED           /* requested as untracked */
};
KILN_API const char *kiln_precache_result_name(enum kiln_precache_result r); /* "Complete"; static */

/* Compiles ahead, on a thread. Never waits. */
KILN_API struct kiln_cached_pso *kiln_cache_precache(struct kiln_cache *c, const struct kiln_cache_request *r);
/* For a draw: found, or queued for compiling. frame: when it was needed, kept in the store as its first use. result may be
 * NULL. Never waits. */
KILN_API struct kiln_cached_pso *kiln_cache_get(struct kiln_cache *c, const struct kiln_cache_request *r, uint32_t frame,
	enum kiln_precache_result *result);
/* What a get would say now; changes nothing. */
KILN_API enum kiln_precache_result kiln_cache_query(struct kiln_cache *c, const struct kiln_cache_request *r);

/* The PSO, once it is made; waits for it. NULL: its creation failed, now or when first tried. The diagnostics of the
 * creation are added (errors); for a PSO that only the store asked for, one warning (7006) in their place. */
KILN_API struct kiln_pso *kiln_cached_pso_wait(struct kiln_cached_pso *p, struct kiln_diags *diags);
/* The PSO if it is ready, else NULL. Never waits. */
KILN_API struct kiln_pso *kiln_cached_pso_poll(struct kiln_cached_pso *p);
/* True once its creation has failed. */
KILN_API bool kiln_cached_pso_failed(struct kiln_cached_pso *p);

enum kiln_cache_mode {
	KILN_CACHE_WAIT,                  /* executing the list waits until the PSO is made; one that failed stops it */
	KILN_CACHE_SKIP                   /* until it is made, draws use the fallback, or are skipped where there is none */
};
/* The pipeline of the draws that follow, from a cache. fallback: may be NULL; ignored with KILN_CACHE_WAIT. */
KILN_API void kiln_cmd_cached_pso(struct kiln_commands *c, struct kiln_cached_pso *p, enum kiln_cache_mode mode,
	struct kiln_pso *fallback);

/* Queues every PSO of the store whose shaders the library finds, those used earliest first. Rows that are damaged are left
 * out with a warning (7004). How many were queued. */
KILN_API size_t kiln_cache_precache_store(struct kiln_cache *c, struct kiln_diags *diags);
/* Writes use counts, and PSOs that could not be written when they were made. What was made before this gave true survives
 * the process being killed. False: the store could not be written (7003); nothing is lost, call it again. */
KILN_API bool kiln_cache_save(struct kiln_cache *c, struct kiln_diags *diags);
/* Waits until nothing is queued or being compiled. */
KILN_API void kiln_cache_finish(struct kiln_cache *c);

#define KILN_CACHE_COUNTERS(X) \
	X(requests, "gets and precaches") \
	X(hits, "gets that found a PSO which was ready") \
	X(misses, "gets of a PSO that nobody had asked for") \
	X(shared, "requests that found their compile queued or under way") \
	X(created, "PSOs made") \
	X(failed, "PSOs whose creation failed, each counted once") \
	X(shaders, "shaders compiled, each once") \
	X(waited, "times that a draw or a caller waited") \
	X(draws_skipped, "draws left out because their PSO was not ready") \
	X(draws_fallback, "draws made with the fallback") \
	X(stored, "PSOs written to the store") \
	X(rejected, "rows of the store that were damaged")
struct kiln_cache_counters {
#define X(name, meaning) uint64_t name;
	KILN_CACHE_COUNTERS(X)
#undef X
};
KILN_API void kiln_cache_counters(struct kiln_cache *c, struct kiln_cache_counters *out);
#ifdef __cplusplus
}
#endif
#endif
