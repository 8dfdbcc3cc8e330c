/* Worker threads: each waits for the next round of work, does its part, and tells. */
#include "sim/pool.h"
#include "isa/isa.h"
#include <pthread.h>
#include <unistd.h>

struct worker {
	struct pool *pool;
	unsigned number;
	pthread_t thread;
};
struct pool {
	unsigned workers, started;    /* started: threads beside the caller's */
	bool tried;
	pthread_mutex_t lock;
	pthread_cond_t work_there, all_done;
	uint64_t round;
	unsigned busy;
	bool ending;
	void (*work)(void *user, unsigned worker);
	void *user;
	struct worker worker[POOL_WORKERS_MAX];
};

struct pool *pool_create(unsigned workers)
{
	struct pool *p = mem_alloc(sizeof *p);
	long there = workers ? (long)workers : sysconf(_SC_NPROCESSORS_ONLN);

	p->workers = there < 1 ? 1 : there > POOL_WORKERS_MAX ? POOL_WORKERS_MAX : (unsigned)there;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->work_there, NULL);
	pthread_cond_init(&p->all_done, NULL);
	return p;
}

void pool_destroy(struct pool *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->ending = true;
	pthread_cond_broadcast(&p->work_there);
	pthread_mutex_unlock(&p->lock);
	for (unsigned i = 1; i <= p->started; i++)
		pthread_join(p->worker[i].thread, NULL);
	pthread_cond_destroy(&p->work_there);
	pthread_cond_destroy(&p->all_done);
	pthread_mutex_destroy(&p->lock);
	mem_free(p);
}

unsigned pool_workers(const struct pool *p) { return p->workers; }

static void *run_worker(void *user)
{
	struct worker *w = user;
	struct pool *p = w->pool;
	uint64_t seen = 0;

	fp_enter();
	pthread_mutex_lock(&p->lock);
	for (;;) {
		while (p->round == seen && !p->ending)
			pthread_cond_wait(&p->work_there, &p->lock);
		if (p->ending)
			break;
		seen = p->round;
		pthread_mutex_unlock(&p->lock);
		p->work(p->user, w->number);
		pthread_mutex_lock(&p->lock);
		if (!--p->busy)
			pthread_cond_signal(&p->all_done);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

static void start(struct pool *p)
{
	p->tried = true;
	for (unsigned i = 1; i < p->workers; i++) {
		struct worker *w = &p->worker[i];

		*w = (struct worker){.pool = p, .number = i};
		if (pthread_create(&w->thread, NULL, run_worker, w))
			return;
		p->started = i;
	}
}

void pool_run(struct pool *p, void (*work)(void *user, unsigned worker), void *user)
{
	if (!p->tried)
		start(p);
	pthread_mutex_lock(&p->lock);
	p->work = work;
	p->user = user;
	p->busy = p->started;
	p->round++;
	pthread_cond_broadcast(&p->work_there);
	pthread_mutex_unlock(&p->lock);
	work(user, 0);
	pthread_mutex_lock(&p->lock);
	while (p->busy)
		pthread_cond_wait(&p->all_done, &p->lock);
	pthread_mutex_unlock(&p->lock);
}
