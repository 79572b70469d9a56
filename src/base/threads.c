/* The thread pool: every worker has a desk, where it waits for a block, first spinning, then sleeping.
 *
 * A loop is cut into as many contiguous blocks as there are threads, fewer where they would be small. The caller works on
 * block 0 and then takes back what no worker has begun, so that one without a core of its own keeps nobody waiting. Of an
 * uneven loop every thread takes a few indices after the other, as long as there are some. Whether threads pay, the ledger
 * says. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/ledger.h"

/* Turns that are waited before a core is given away: of a worker for work, some tenths of a millisecond, which is longer than what a step does alone between
 * two loops; of the caller for a worker, which may have no core of its own. */
enum { IDLE = 20000, SPIN = 2000 };
enum { TURNS = 16 }; /* of an uneven loop: so often a thread takes some indices, on average */

/* What is on a desk: nothing; a block that worker and caller may take; one that the worker is busy with; nothing, and the
 * worker sleeps; the end of all work. */
enum { EMPTY, OFFERED, TAKEN, ASLEEP, CLOSED };

typedef struct worker { /* longer than a line of the cache: no two desks share one */
    atomic_int desk;
    int index;
    tl_threads *pool;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
} worker;

struct tl_threads {
    tl_memory memory;
    int count;   /* workers including the caller */
    int started; /* threads really running */
    worker *workers;
    tl_ledger *ledger; /* NULL: all threads work on every loop */
    tl_range_fn *fn;
    void *context;
    int n, blocks;
    int few;         /* indices that a thread takes at a time; 0: its block */
    atomic_int next; /* of an uneven loop: the first that nobody has taken */
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
    for (int at; pool->few > 0 && (at = atomic_fetch_add_explicit(&pool->next, pool->few, memory_order_relaxed)) < pool->n;)
        pool->fn(pool->context, at, at + pool->few < pool->n ? at + pool->few : pool->n, index);
    if (pool->few > 0) return;
    const int begin = (int)(n * index / pool->blocks), end = (int)(n * (index + 1) / pool->blocks);
    pool->fn(pool->context, begin, end, index);
}

/* True for one of the two who may take what is offered. */
static bool take(worker *w, int leaves)
{
    int offered = OFFERED;
    return atomic_compare_exchange_strong(&w->desk, &offered, leaves);
}

static void wait_for_work(worker *w)
{
    for (int spin = 0; spin < IDLE; spin++) {
        if (atomic_load_explicit(&w->desk, memory_order_relaxed) != EMPTY) return;
        relax();
    }
    pthread_mutex_lock(&w->mutex);
    int empty = EMPTY;
    if (atomic_compare_exchange_strong(&w->desk, &empty, ASLEEP))
        while (atomic_load(&w->desk) == ASLEEP) pthread_cond_wait(&w->wake, &w->mutex);
    pthread_mutex_unlock(&w->mutex);
}

static void *worker_main(void *argument)
{
    worker *self = argument;
    for (;;) {
        wait_for_work(self);
        if (take(self, TAKEN)) {
            run_block(self->pool, self->index);
            atomic_store_explicit(&self->desk, EMPTY, memory_order_release);
        } else if (atomic_load(&self->desk) == CLOSED) return NULL;
    }
}

/* A worker that was woken and has not come yet is not woken again: its desk is no longer ASLEEP. */
static void put(worker *w, int what)
{
    if (atomic_exchange(&w->desk, what) != ASLEEP) return;
    pthread_mutex_lock(&w->mutex);
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->mutex);
}

static bool start_worker(tl_threads *pool, int index)
{
    worker *w = &pool->workers[index];
    w->pool = pool;
    w->index = index;
    atomic_init(&w->desk, EMPTY);
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->wake, NULL);
    if (pthread_create(&w->thread, NULL, worker_main, w) == 0) return true;
    pthread_cond_destroy(&w->wake);
    pthread_mutex_destroy(&w->mutex);
    return false;
}

tl_threads *tl_threads_create(tl_memory memory, int count)
{
    tl_threads *pool = tl_alloc(memory, 1, sizeof *pool);
    if (!pool) return NULL;
    *pool = (tl_threads){.memory = memory, .count = count < 1 ? 1 : count};
    if (pool->count == 1) return pool;
    pool->workers = tl_alloc(memory, (size_t)pool->count, sizeof *pool->workers);
    pool->ledger = tl_alloc(memory, 1, sizeof *pool->ledger);
    bool enough = pool->workers && pool->ledger;
    if (enough) tl_ledger_open(pool->ledger);
    for (int i = 1; enough && i < pool->count; i++) {
        enough = start_worker(pool, i);
        pool->started += enough;
    }
    if (enough) return pool;
    tl_threads_destroy(pool);
    return NULL;
}

void tl_threads_destroy(tl_threads *pool)
{
    if (!pool) return;
    for (int i = 1; i <= pool->started; i++) put(&pool->workers[i], CLOSED);
    for (int i = 1; i <= pool->started; i++) {
        worker *w = &pool->workers[i];
        pthread_join(w->thread, NULL);
        pthread_cond_destroy(&w->wake);
        pthread_mutex_destroy(&w->mutex);
    }
    tl_free(pool->memory, pool->ledger);
    tl_free(pool->memory, pool->workers);
    tl_free(pool->memory, pool);
}

int tl_threads_count(const tl_threads *pool) { return pool->count; }

int tl_cores(void)
{
    cpu_set_t allowed;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const int cores = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : (int)online;
    return cores > 1 ? cores : 1;
}

int tl_usual_threads(void)
{
    enum { MOST = 8 };
    const int cores = tl_cores();
    return cores < MOST ? cores : MOST;
}

void tl_threads_always(tl_threads *pool)
{
    tl_free(pool->memory, pool->ledger);
    pool->ledger = NULL;
}

static void work_together(tl_threads *pool, const tl_loop *l, int blocks)
{
    pool->fn = l->fn;
    pool->context = l->context;
    pool->n = l->n;
    pool->blocks = blocks;
    pool->few = l->uneven ? (l->n - 1) / (TURNS * blocks) + 1 : 0;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed); /* workers see it with what is put on their desks */
    for (int i = 1; i < blocks; i++) put(&pool->workers[i], OFFERED);
    run_block(pool, 0);
    for (int i = 1; i < blocks; i++)
        if (take(&pool->workers[i], EMPTY)) run_block(pool, i);
    for (int i = 1, spin = 0; i < blocks; spin++) {
        if (atomic_load_explicit(&pool->workers[i].desk, memory_order_acquire) != TAKEN) i++;
        else if (spin < SPIN) relax();
        else sched_yield();
    }
}

/* As two threads share the least that pays, no block of more threads is smaller than half of that. */
static int blocks_of(const tl_threads *pool, int n, int minimum_parallel)
{
    if (n < minimum_parallel) return 1;
    const int smallest = minimum_parallel > 3 ? minimum_parallel / 2 : 1, most = n / smallest;
    return most < pool->count ? most : pool->count;
}

void tl_parallel_loop(tl_threads *pool, const tl_loop *l)
{
    if (l->n <= 0) return;
    const int blocks = pool ? blocks_of(pool, l->n, l->minimum_parallel) : 1;
    if (blocks == 1) {
        l->fn(l->context, 0, l->n, 0);
        return;
    }
    if (!pool->ledger) {
        work_together(pool, l, blocks);
        return;
    }
    tl_work *work = tl_ledger_work(pool->ledger, l->kind, l->work);
    const bool together = tl_ledger_together(pool->ledger, work);
    const double start = tl_clock();
    if (together) work_together(pool, l, blocks);
    else l->fn(l->context, 0, l->n, 0);
    const double seconds = tl_clock() - start;
    if (together) tl_ledger_book_together(pool->ledger, work, l->work, seconds);
    else if (work) tl_ledger_book_alone(pool->ledger, work, l->work, seconds);
}

void tl_parallel_for(tl_threads *pool, int n, int minimum_parallel, tl_range_fn *fn, void *context)
{
    tl_parallel_loop(pool, &(tl_loop){fn, context, n, minimum_parallel, fn, n, false});
}

void tl_parallel_uneven(tl_threads *pool, int n, int minimum_parallel, tl_range_fn *fn, void *context)
{
    tl_parallel_loop(pool, &(tl_loop){fn, context, n, minimum_parallel, fn, n, true});
}
