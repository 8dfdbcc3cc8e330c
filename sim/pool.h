/* Private to sim: worker threads for the length of one kiln_execute(). They start with the first work that is worth it and end
 * with the execution, so that no thread of Kiln's is alive when a process forks to lower a shader. */
#ifndef KILN_SIM_POOL_H
#define KILN_SIM_POOL_H
#include <stdbool.h>

enum { POOL_WORKERS_MAX = 64 };
struct pool;
/* workers: the caller's thread among them; 0: as many as there are processors. Starts nothing. */
struct pool *pool_create(unsigned workers);
void pool_destroy(struct pool *p);                  /* NULL is fine */
unsigned pool_workers(const struct pool *p);
/* Calls work(user, worker) on each worker, 0 on this thread, with MXCSR as fp_enter() sets it, and waits for all. Threads that
 * cannot be started are done without: work must share itself out among those that come. */
void pool_run(struct pool *p, void (*work)(void *user, unsigned worker), void *user);
#endif
