/* The thread pool: workers wait on a generation counter, first spinning, then sleeping.
 *
 * A loop is cut into as many contiguous blocks as there are threads; the caller works on block 0. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/base.h"

enum { SPIN = 2000 };

typedef struct worker {
    tl_threads *pool;
    pthread_t thread;
    int index;
} worker;

struct tl_threads {
    tl_memory memory;
    int count;   /* workers including the caller */
    int started; /* threads really running */
    worker *workers;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    atomic_uint generation;
    atomic_int pending, sleepers;
    atomic_bool stop;
    tl_range_fn *fn;
    void *context;
    int n;
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void run_block(tl_threads *pool, int index)
{
    const int64_t n = pool->n;
    const int begin = (int)(n * index / pool->count), end = (int)(n * (index + 1) / pool->count);
    if (begin < end) pool->fn(pool->context, begin, end, index);
}

static void wait_for_work(tl_threads *pool, unsigned seen)
{
    for (int spin = 0; spin < SPIN; spin++) {
        if (atomic_load_explicit(&pool->generation, memory_order_acquire) != seen) return;
        relax();
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleepers, 1);
    while (atomic_load(&pool->generation) == seen) pthread_cond_wait(&pool->wake, &pool->mutex);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->mutex);
}

static void *worker_main(void *argument)
{
    worker *self = argument;
    tl_threads *pool = self->pool;
    for (unsigned seen = 0;; seen++) {
        wait_for_work(pool, seen);
        if (atomic_load(&pool->stop)) return NULL;
        run_block(pool, self->index);
        atomic_fetch_sub_explicit(&pool->pending, 1, memory_order_release);
    }
}

static void start_generation(tl_threads *pool)
{
    atomic_fetch_add(&pool->generation, 1);
    if (atomic_load(&pool->sleepers) > 0) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_broadcast(&pool->wake);
        pthread_mutex_unlock(&pool->mutex);
    }
}

tl_threads *tl_threads_create(tl_memory memory, int count)
{
    tl_threads *pool = tl_alloc(memory, 1, sizeof *pool);
    if (!pool) return NULL;
    pool->memory = memory;
    pool->count = count < 1 ? 1 : count;
    pool->workers = tl_alloc(memory, (size_t)pool->count, sizeof *pool->workers);
    if (!pool->workers) {
        tl_free(memory, pool);
        return NULL;
    }
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    for (int i = 1; i < pool->count; i++) {
        pool->workers[i] = (worker){.pool = pool, .index = i};
        if (pthread_create(&pool->workers[i].thread, NULL, worker_main, &pool->workers[i]) != 0) {
            tl_threads_destroy(pool);
            return NULL;
        }
        pool->started++;
    }
    return pool;
}

void tl_threads_destroy(tl_threads *pool)
{
    if (!pool) return;
    atomic_store(&pool->stop, true);
    start_generation(pool);
    for (int i = 1; i <= pool->started; i++) pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
    tl_free(pool->memory, pool->workers);
    tl_free(pool->memory, pool);
}

int tl_threads_count(const tl_threads *pool) { return pool->count; }

void tl_parallel_for(tl_threads *pool, int n, int minimum_parallel, tl_range_fn *fn, void *context)
{
    if (n <= 0) return;
    if (pool->count == 1 || n < minimum_parallel) {
        fn(context, 0, n, 0);
        return;
    }
    pool->fn = fn;
    pool->context = context;
    pool->n = n;
    atomic_store(&pool->pending, pool->count - 1);
    start_generation(pool);
    run_block(pool, 0);
    for (int spin = 0; atomic_load_explicit(&pool->pending, memory_order_acquire) > 0; spin++) {
        if (spin < SPIN) relax();
        else sched_yield();
    }
}
