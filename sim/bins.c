/* Bins: primitives that are set up wait in lists, one a tile of BIN_TILE x BIN_TILE pixels, until the draw ends or the bins are
 * full; then each tile is rasterised and shaded by one worker, primitive after primitive in submission order.
 *
 * What a tile's pixels become depends on that tile's list alone, so any number of workers gives the same bits; counters are
 * sums. What the bins hold is counted in primitives, vertices and entries, never in bytes, because waves end where bins are
 * emptied: the limits are part of the architecture. */
#include "sim/shade.h"
#include "sim/pool.h"
#include <pthread.h>
#include <string.h>

enum {
	BIN_SHIFT = 6,
	BIN_TILE = 1 << BIN_SHIFT,
	BIN_PRIMITIVES = 4096,
	BIN_VERTICES = 4096,          /* that clipping made; a primitive takes at most six */
	BIN_FACETS = 8192,            /* of shapes other than solid triangles */
	BIN_ENTRIES = 1 << 18,        /* above the 65,536 tiles that one primitive may meet */
	WINDOW = 32,                  /* tiles that are worked on at once; see take_tile() */
	INLINE_ENTRIES = 64           /* fewer are not worth waking anyone */
};

struct entry {
	uint32_t primitive, next;     /* next: entry + 1; 0 ends the list */
};
struct tile {
	uint32_t first, last;         /* entry + 1; 0: empty */
};
/* One worker: a draw of its own, with its own waves and counters. */
struct tile_worker {
	struct draw *draw;            /* worker 0: the draw itself; NULL: not yet made in this draw */
	struct draw_record record;
	struct pixel_waves *waves;    /* of the last draw that it worked for; NULL: none yet */
	const struct pipeline *pipeline; /* that they are for; lives as long as the execution */
	struct miss missed;           /* of the first tile that missed something */
	uint32_t missed_tile;
};
struct bins {
	struct pool *pool;
	struct batch *batch;
	struct pixel_bounds area;     /* of all viewports, in tiles */
	int32_t columns;
	struct tile *tiles;
	size_t tile_cap;
	uint32_t *touched;            /* tiles that have entries, in the order of their first one */
	uint32_t touched_count, primitive_count, facet_count, vertex_count, entry_count;
	struct triangle *primitives;
	uint8_t *shapes;
	size_t shape_used;
	struct vertex *vertices;
	struct entry *entries;
	struct tile_worker worker[POOL_WORKERS_MAX];
	struct miss missed;           /* of the draw's rounds so far */
	/* a round of work */
	pthread_mutex_t lock;
	pthread_cond_t moved;
	uint32_t next, done;          /* all tiles before done are finished */
	bool finished[WINDOW];        /* tile i of those behind done, by i % WINDOW */
	uint32_t failed;              /* the first tile of which a wave ran out of budget */
};

static const struct shape solid = {.cover = COVER_SAMPLES};
static const size_t shape_header = offsetof(struct shape, facet);

/* ---- making ---- */

struct bins *bins_create(unsigned threads)
{
	struct bins *b = mem_alloc(sizeof *b);

	b->pool = pool_create(threads);
	b->batch = batch_create();
	b->primitives = mem_array(BIN_PRIMITIVES, sizeof *b->primitives);
	b->vertices = mem_array(BIN_VERTICES, sizeof *b->vertices);
	b->entries = mem_array(BIN_ENTRIES, sizeof *b->entries);
	b->shapes = mem_alloc(BIN_PRIMITIVES * shape_header + BIN_FACETS * sizeof(struct facet));
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->moved, NULL);
	return b;
}

void bins_destroy(struct bins *b)
{
	void *const parts[] = {b->tiles, b->touched, b->primitives, b->vertices, b->entries, b->shapes};

	pool_destroy(b->pool);
	batch_destroy(b->batch);
	for (unsigned i = 0; i < POOL_WORKERS_MAX; i++) {
		if (b->worker[i].waves)
			pixel_waves_destroy(b->worker[i].waves);
	}
	for (size_t i = 0; i < ARRAY_COUNT(parts); i++)
		mem_free(parts[i]);
	pthread_mutex_destroy(&b->lock);
	pthread_cond_destroy(&b->moved);
	mem_free(b);
}

/* Effects on memory come in submission order over the whole target, so such draws are not binned. */
static bool has_order(const struct isa_program *ps)
{
	for (size_t i = 0; ps && i < ps->resource_count; i++) {
		if (ps->resources[i].flags & 2) /* rasteriser-ordered */
			return true;
	}
	return ps && ps->flags & ISA_SIDE_EFFECTS;
}

bool bins_open(struct bins *b, struct draw *d)
{
	struct pixel_bounds all = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
	size_t tiles;

	for (int i = 0; i < KILN_VIEWPORTS_MAX; i++) {
		const struct pixel_bounds *v = &d->bounds[i];

		if (v->x0 >= v->x1 || v->y0 >= v->y1)
			continue;
		all.x0 = v->x0 < all.x0 ? v->x0 : all.x0, all.y0 = v->y0 < all.y0 ? v->y0 : all.y0;
		all.x1 = v->x1 > all.x1 ? v->x1 : all.x1, all.y1 = v->y1 > all.y1 ? v->y1 : all.y1;
	}
	if (has_order(d->pipeline->ps) || all.x0 >= all.x1)
		return false;
	b->area = (struct pixel_bounds){all.x0 >> BIN_SHIFT, all.y0 >> BIN_SHIFT, ((all.x1 - 1) >> BIN_SHIFT) + 1,
		((all.y1 - 1) >> BIN_SHIFT) + 1};
	b->columns = b->area.x1 - b->area.x0;
	tiles = (size_t)b->columns * (size_t)(b->area.y1 - b->area.y0);
	if (tiles > b->tile_cap) { /* all are empty between draws */
		mem_free(b->tiles);
		mem_free(b->touched);
		b->tiles = mem_array(tiles, sizeof *b->tiles);
		b->touched = mem_array(tiles, sizeof *b->touched);
		b->tile_cap = tiles;
	}
	b->worker[0].draw = d;
	b->missed = (struct miss){0};
	return true;
}

/* ---- workers of a draw ---- */

/* Waves are the pipeline's; those of the draw before serve again where it is the same. */
static struct pixel_waves *worker_waves(struct tile_worker *w, const struct draw *d)
{
	if (w->waves && w->pipeline == d->pipeline) {
		w->waves->lanes = 0;
		w->waves->live = 0;
		return w->waves;
	}
	if (w->waves)
		pixel_waves_destroy(w->waves);
	w->pipeline = d->pipeline;
	w->waves = pixel_waves_create(d);
	return w->waves;
}

void bins_lend(struct bins *b, struct draw *d)
{
	d->batch = b->batch;
	d->waves = worker_waves(&b->worker[0], d);
}

static void make_worker(struct bins *b, unsigned i)
{
	struct tile_worker *w = &b->worker[i];
	const struct draw *from = b->worker[0].draw;

	if (w->draw)
		return;
	w->draw = mem_alloc(sizeof *w->draw);
	w->record = (struct draw_record){0};
	*w->draw = *from;
	w->draw->record = &w->record;
	w->draw->ps_env.draw = w->draw->vs_env.draw = w->draw;
	w->draw->waves = worker_waves(w, from);
}

static void sum_records(struct isa_record *sum, const struct isa_record *r)
{
	for (int i = 0; i < ISA_UNIT_COUNT; i++) {
		sum->issues[i] += r->issues[i];
		sum->lanes[i] += r->lanes[i];
	}
	sum->branches += r->branches;
	sum->divergent_branches += r->divergent_branches;
	sum->kills += r->kills;
}

void bins_close(struct bins *b)
{
	struct draw *d = b->worker[0].draw;

	for (unsigned i = 1; i < POOL_WORKERS_MAX; i++) {
		struct tile_worker *w = &b->worker[i];

		if (!w->draw)
			continue;
#define X(name, unit, meaning) d->record->counters.name += w->record.counters.name;
		KILN_COUNTERS(X)
#undef X
		sum_records(&d->record->ps, &w->record.ps);
		for (int k = 0; k < ISA_FORM_COUNT; k++)
			d->record->exports[k] += w->record.exports[k];
		mem_free(w->draw);
		w->draw = NULL;
	}
	d->ps_env.missed = b->missed;
	b->worker[0].draw = NULL;
}

/* ---- filling ---- */

/* Vertices of the draw's batches live until the bins are emptied; those that clipping made are kept here. */
static const struct vertex *keep_vertex(struct bins *b, const struct draw *d, const struct vertex *v)
{
	struct vertex *own;

	if (geometry_owns(d, v))
		return v;
	own = &b->vertices[b->vertex_count++];
	*own = *v;
	return own;
}

static bool is_solid(const struct triangle *t, const struct shape *s)
{
	return s->cover == COVER_SAMPLES && s->facet_count == 1 && !memcmp(s->facet[0].x, t->x, sizeof t->x) &&
		!memcmp(s->facet[0].y, t->y, sizeof t->y);
}

static const struct shape *keep_shape(struct bins *b, const struct triangle *t, const struct shape *s)
{
	size_t size = shape_header + s->facet_count * sizeof s->facet[0];
	uint8_t *own = b->shapes + b->shape_used;

	if (is_solid(t, s))
		return &solid;
	memcpy(own, s, size);
	b->shape_used += size;
	b->facet_count += s->facet_count;
	return (const struct shape *)(const void *)own;
}

static void put_entry(struct bins *b, int32_t x, int32_t y)
{
	uint32_t at = (uint32_t)((y - b->area.y0) * b->columns + x - b->area.x0);
	struct tile *t = &b->tiles[at];

	b->entries[b->entry_count++] = (struct entry){.primitive = b->primitive_count};
	if (t->first)
		b->entries[t->last - 1].next = b->entry_count;
	else
		t->first = b->entry_count, b->touched[b->touched_count++] = at;
	t->last = b->entry_count;
}

bool bins_put(struct draw *d, const struct triangle *t, const struct shape *s)
{
	struct bins *b = d->bins;
	struct pixel_bounds r = raster_box(s, &d->bounds[t->viewport]);
	struct triangle *own;
	uint32_t tiles;

	if (r.x0 >= r.x1 || r.y0 >= r.y1)
		return true;
	r = (struct pixel_bounds){r.x0 >> BIN_SHIFT, r.y0 >> BIN_SHIFT, ((r.x1 - 1) >> BIN_SHIFT) + 1, ((r.y1 - 1) >> BIN_SHIFT) + 1};
	tiles = (uint32_t)(r.x1 - r.x0) * (uint32_t)(r.y1 - r.y0);
	if ((b->primitive_count == BIN_PRIMITIVES || b->vertex_count + 6 > BIN_VERTICES ||
		b->facet_count + s->facet_count > BIN_FACETS || b->entry_count + tiles > BIN_ENTRIES) && !bins_flush(d))
		return false;
	for (int32_t y = r.y0; y < r.y1; y++) {
		for (int32_t x = r.x0; x < r.x1; x++) {
			if (tiles <= 2 || !raster_misses(s, x * BIN_TILE, y * BIN_TILE, BIN_TILE))
				put_entry(b, x, y);
		}
	}
	own = &b->primitives[b->primitive_count++];
	*own = *t;
	own->shape = keep_shape(b, t, s);
	for (int i = 0; i < 3; i++) {
		own->at[i].v = keep_vertex(b, d, t->at[i].v);
		own->corner[i] = keep_vertex(b, d, t->corner[i]);
	}
	return true;
}

/* ---- emptying ---- */

static bool work_primitive(struct draw *d, const struct triangle *t, const struct pixel_bounds *tile)
{
	const struct pixel_bounds *v = &d->bounds[t->viewport];
	const struct pixel_bounds r = {v->x0 > tile->x0 ? v->x0 : tile->x0, v->y0 > tile->y0 ? v->y0 : tile->y0,
		v->x1 < tile->x1 ? v->x1 : tile->x1, v->y1 < tile->y1 ? v->y1 : tile->y1};
	struct shape s;

	if (t->shape != &solid)
		return raster_shape(t->shape, t, &r, &d->samples, d->clip_count ? clip_distance_quad : shade_quad, d);
	s.cover = COVER_SAMPLES;
	s.facet_count = 1;
	memcpy(s.facet[0].x, t->x, sizeof t->x);
	memcpy(s.facet[0].y, t->y, sizeof t->y);
	memcpy(s.facet[0].edge, t->edge, sizeof t->edge);
	return raster_shape(&s, t, &r, &d->samples, d->clip_count ? clip_distance_quad : shade_quad, d);
}

/* All pixels of the tile that the primitive's viewport lets through are covered for certain. */
static bool covers_tile(const struct draw *d, const struct triangle *t, const struct pixel_bounds *tile)
{
	const struct pixel_bounds *v = &d->bounds[t->viewport];
	const struct pixel_bounds r = {(v->x0 > tile->x0 ? v->x0 : tile->x0) * SUBPIXELS, (v->y0 > tile->y0 ? v->y0 : tile->y0) * SUBPIXELS,
		(v->x1 < tile->x1 ? v->x1 : tile->x1) * SUBPIXELS, (v->y1 < tile->y1 ? v->y1 : tile->y1) * SUBPIXELS};

	for (int i = 0; i < 3; i++) {
		if (edge_least(&t->edge[i], &r) < t->edge[i].exclusive)
			return false;
	}
	return t->shape == &solid;
}

/* The first entry that shows: the last one that covers the tile, where all share one viewport and slice. */
static uint32_t first_visible(const struct bins *b, const struct draw *d, uint32_t first, const struct pixel_bounds *tile)
{
	const struct triangle *all = &b->primitives[b->entries[first - 1].primitive];
	uint32_t visible = first;

	for (uint32_t e = first; e; e = b->entries[e - 1].next) {
		const struct triangle *t = &b->primitives[b->entries[e - 1].primitive];

		if (t->viewport != all->viewport || t->slice != all->slice)
			return first;
		if (covers_tile(d, t, tile))
			visible = e;
	}
	return visible;
}

/* False: a wave ran out of budget; what lies in it is dropped. */
static bool work_tile(const struct bins *b, struct draw *d, uint32_t at)
{
	int32_t x = (b->area.x0 + (int32_t)at % b->columns) * BIN_TILE, y = (b->area.y0 + (int32_t)at / b->columns) * BIN_TILE;
	const struct pixel_bounds tile = {x, y, x + BIN_TILE, y + BIN_TILE};
	bool ok = true;

	for (uint32_t e = d->opaque ? first_visible(b, d, b->tiles[at].first, &tile) : b->tiles[at].first; e && ok; e = b->entries[e - 1].next)
		ok = work_primitive(d, &b->primitives[b->entries[e - 1].primitive], &tile);
	ok = ok && shade_flush(d);
	d->waves->lanes = 0;
	d->waves->live = 0;
	return ok;
}

/* Tiles are handed out in order, and tile i only when all up to i - WINDOW went well: so those before f + WINDOW are worked, and
 * no others, where f is the first that fails, whoever works them. False: there are no more. */
static bool take_tile(struct bins *b, uint32_t *tile)
{
	bool got;

	pthread_mutex_lock(&b->lock);
	while (b->next < b->touched_count && b->next >= b->done + WINDOW && b->failed == UINT32_MAX)
		pthread_cond_wait(&b->moved, &b->lock);
	got = b->next < b->touched_count && (b->failed == UINT32_MAX || b->next < b->failed + WINDOW);
	if (got)
		*tile = b->next++;
	pthread_mutex_unlock(&b->lock);
	return got;
}

static void finish_tile(struct bins *b, uint32_t tile, bool ok)
{
	pthread_mutex_lock(&b->lock);
	if (!ok && tile < b->failed)
		b->failed = tile;
	b->finished[tile % WINDOW] = true;
	while (b->done < b->next && b->finished[b->done % WINDOW])
		b->finished[b->done++ % WINDOW] = false;
	pthread_cond_broadcast(&b->moved);
	pthread_mutex_unlock(&b->lock);
}

static void work(void *user, unsigned worker)
{
	struct bins *b = user;
	struct tile_worker *w = &b->worker[worker];
	struct draw *d = w->draw;
	uint32_t tile;

	w->missed.fault = NULL;
	while (take_tile(b, &tile)) {
		bool ok;

		d->ps_env.missed = (struct miss){0};
		ok = work_tile(b, d, b->touched[tile]);
		if (d->ps_env.missed.fault && (!w->missed.fault || tile < w->missed_tile)) {
			w->missed = d->ps_env.missed;
			w->missed_tile = tile;
		}
		finish_tile(b, tile, ok);
	}
}

/* The first miss of the draw, in the order of tiles. */
static void take_missed(struct bins *b)
{
	uint32_t first = UINT32_MAX;

	for (unsigned i = 0; i < POOL_WORKERS_MAX && !b->missed.fault; i++) {
		if (b->worker[i].draw && b->worker[i].missed.fault && b->worker[i].missed_tile < first)
			first = b->worker[i].missed_tile;
	}
	for (unsigned i = 0; i < POOL_WORKERS_MAX && first != UINT32_MAX; i++) {
		if (b->worker[i].draw && b->worker[i].missed.fault && b->worker[i].missed_tile == first)
			b->missed = b->worker[i].missed;
	}
}

static void empty(struct bins *b)
{
	for (uint32_t i = 0; i < b->touched_count; i++)
		b->tiles[b->touched[i]] = (struct tile){0};
	b->touched_count = b->primitive_count = b->facet_count = b->vertex_count = b->entry_count = 0;
	b->shape_used = 0;
}

bool bins_flush(struct draw *d)
{
	struct bins *b = d->bins;
	struct kiln_diags *said = d->diags;

	if (!b || !b->touched_count)
		return true;
	b->next = b->done = 0;
	b->failed = UINT32_MAX;
	memset(b->finished, 0, sizeof b->finished);
	for (unsigned i = 0; i < POOL_WORKERS_MAX; i++)
		b->worker[i].missed.fault = NULL;
	d->diags = NULL;
	if (pool_workers(b->pool) == 1 || b->touched_count < 2 || b->entry_count < INLINE_ENTRIES) {
		work(b, 0);
	} else {
		for (unsigned i = 1; i < pool_workers(b->pool); i++)
			make_worker(b, i); /* here: the draw that they copy changes while it works */
		pool_run(b->pool, work, b);
	}
	d->diags = said;
	take_missed(b);
	empty(b);
	if (b->failed == UINT32_MAX)
		return true;
	shade_out_of_budget(d);
	return false;
}
