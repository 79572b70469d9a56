/* Loops on threads: every index once, whoever comes late; and the ledger, which says when threads pay, on machines that are
 * made up. */
#include <sched.h>
#include <stdatomic.h>

#include "base/ledger.h"
#include "test.h"

/* ---- loops -------------------------------------------------------------------------------------------------------- */

enum { MOST = 1000 };

typedef struct marks {
    int count[MOST]; /* plain: whoever writes a place writes it alone, and the caller sees it afterwards */
    atomic_int blocks;
} marks;

static void mark(void *context, int begin, int end, int worker)
{
    marks *m = context;
    (void)worker;
    for (int i = begin; i < end; i++) m->count[i]++;
    atomic_fetch_add(&m->blocks, 1);
}

/* Sizes about and below the number of threads, pauses in which workers fall asleep, more threads than cores. */
static void loops(int threads, bool always)
{
    static const int SIZE[] = {1, 2, 3, 7, 8, 9, 64, 1000, 999, 5};
    tl_threads *pool = tl_threads_create(tl_memory_default(), threads);
    CHECK(pool && tl_threads_count(pool) == threads);
    if (!pool) return;
    if (always) tl_threads_always(pool);
    for (int k = 0; k < 3000; k++) {
        marks m = {.blocks = 0};
        const int n = SIZE[k % 10];
        tl_parallel_for(pool, n, 2, mark, &m);
        int right = 0;
        for (int i = 0; i < MOST; i++) right += m.count[i] == (i < n);
        if (right != MOST) TEST_FAIL("loop %d over %d on %d threads: %d of %d indices wrong", k, n, threads, MOST - right, MOST);
        const int blocks = n == 1 || threads == 1 ? 1 : n < threads ? n : threads;
        CHECK(always ? m.blocks == blocks : m.blocks == 1 || m.blocks == blocks);
        m = (marks){.blocks = 0};
        tl_parallel_uneven(pool, n, 2, mark, &m);
        right = 0;
        for (int i = 0; i < MOST; i++) right += m.count[i] == (i < n);
        if (right != MOST) TEST_FAIL("uneven loop %d over %d on %d threads: %d of %d indices wrong", k, n, threads, MOST - right, MOST);
        if (k % 300 == 0) usleep(2000);
    }
    tl_threads_destroy(pool);
}

TEST(every_index_once)
{
    static const int THREADS[] = {1, 2, 3, 8, 33};
    for (int k = 0; k < 5; k++) loops(THREADS[k], true), loops(THREADS[k], false);
}

/* A block of many threads is no smaller than one of two, where these begin to pay. */
TEST(no_small_blocks)
{
    static const int N[] = {47, 48, 71, 72, 100, 1000}, BLOCKS[] = {1, 2, 2, 3, 4, 8};
    tl_threads *pool = tl_threads_create(tl_memory_default(), 8);
    CHECK(pool != NULL);
    if (!pool) return;
    tl_threads_always(pool);
    for (int k = 0; k < 6; k++) {
        marks m = {.blocks = 0};
        tl_parallel_for(pool, N[k], 48, mark, &m);
        CHECK(m.blocks == BLOCKS[k]);
    }
    tl_threads_destroy(pool);
}

typedef struct takings {
    atomic_int taken[2], slow;
} takings;

/* The first index takes as long as a thousand others: who has it takes hardly any of them, where halves would have given it half. */
static void slow_first(void *context, int begin, int end, int worker)
{
    takings *t = context;
    if (begin == 0) atomic_store(&t->slow, worker);
    usleep(begin == 0 ? 200000 : (useconds_t)(100 * (end - begin)));
    atomic_fetch_add(&t->taken[worker], end - begin);
}

TEST(uneven_loops)
{
    takings t = {{0, 0}, 0};
    tl_threads *pool = tl_threads_create(tl_memory_default(), 2);
    CHECK(pool != NULL);
    if (!pool) return;
    tl_threads_always(pool);
    tl_parallel_uneven(pool, 100, 2, slow_first, &t);
    CHECK(t.taken[0] + t.taken[1] == 100);
    CHECK(t.taken[t.slow] < 25);
    tl_threads_destroy(pool);
}

/* What the process may not use does not count. */
TEST(cores)
{
    cpu_set_t all, one;
    CHECK(tl_cores() >= 1 && tl_usual_threads() >= 1 && tl_usual_threads() <= 8 && tl_usual_threads() <= tl_cores());
    CHECK(sched_getaffinity(0, sizeof all, &all) == 0 && tl_cores() == CPU_COUNT(&all));
    CPU_ZERO(&one);
    for (size_t i = 0; CPU_COUNT(&one) == 0 && i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
    CHECK(tl_cores() == 1 && tl_usual_threads() == 1);
    CHECK(sched_setaffinity(0, sizeof all, &all) == 0);
}

/* Pools that end before their workers have come, while they spin, and while they sleep. */
TEST(pools_end)
{
    for (int k = 0; k < 60; k++) {
        tl_threads *pool = tl_threads_create(tl_memory_default(), 2 + k % 3);
        CHECK(pool != NULL);
        if (k % 4 > 1) usleep(3000);
        tl_threads_destroy(pool);
    }
}

/* ---- loops that pay, and that do not ------------------------------------------------------------------------------- */

static atomic_int shared_loops; /* whose second block went to another thread, or would have */

/* A thread that has no core of its own: 1 ms, where the whole takes microseconds alone. */
static void slow_second(void *context, int begin, int end, int worker)
{
    volatile double *sum = context;
    if (worker > 0) {
        atomic_fetch_add(&shared_loops, 1);
        usleep(1000);
        return;
    }
    for (int i = begin; i < end; i++) *sum += 1.0 / (1 + i);
}

/* An item takes a tenth of a millisecond of waiting, which any number of threads can do at once on any number of cores. */
static void wait_in_items(void *context, int begin, int end, int worker)
{
    (void)context;
    if (worker > 0) atomic_fetch_add(&shared_loops, 1);
    usleep((useconds_t)(100 * (end - begin)));
}

/* By counts, on real threads: a trial that costs 1 ms has to be earned by a twentieth of the time alone, some thousand of these loops; one in fifty is
 * far above that, and a pool that does not look shares all. Loops that win are shared but for those that measure one thread, one in twenty. Another job on
 * the cores may take a pool's time away, but not that of several. */
TEST(loops_are_shared_where_it_pays)
{
    enum { TRIES = 5 };
    volatile double sum = 0;
    tl_threads *pool = tl_threads_create(tl_memory_default(), 2);
    CHECK(pool != NULL);
    if (!pool) return;
    shared_loops = 0;
    for (int k = 0; k < 3000; k++) tl_parallel_for(pool, 1000, 2, slow_second, (void *)&sum);
    if (shared_loops == 0 || shared_loops > 60) TEST_FAIL("%d of 3000 loops that lose are shared", (int)shared_loops);
    tl_threads_destroy(pool);
    int most = 0;
    for (int try = 0; try < TRIES && most < 50; try++) {
        pool = tl_threads_create(tl_memory_default(), 2);
        CHECK(pool != NULL);
        if (!pool) return;
        shared_loops = 0;
        for (int k = 0; k < 100; k++) tl_parallel_for(pool, 50, 2, wait_in_items, NULL);
        most = shared_loops > most ? (int)shared_loops : most;
        tl_threads_destroy(pool);
    }
    if (most < 50) TEST_FAIL("%d of 100 loops that win are shared, at most, in %d pools", most, TRIES);
}

/* ---- the ledger ----------------------------------------------------------------------------------------------------- */

/* A machine on which an item takes `item` seconds on one thread, and a loop on all threads `factor` times that, and
 * `stall` seconds more in one of `every` loops (a thread that lost its core within its block). */
typedef struct machine {
    double item, factor, stall;
    int every;
} machine;

typedef struct account {
    double alone, spent; /* s, on one thread only, as the ledger has it */
    long loops;
} account;

static void first_kind(void *context, int begin, int end, int worker) { (void)context, (void)begin, (void)end, (void)worker; }
static void second_kind(void *context, int begin, int end, int worker) { (void)context, (void)begin, (void)end, (void)worker; }

/* Loops of two kinds in turn, of 2 and 8 µs, for so many seconds of one thread. */
static account work(tl_ledger *l, const machine *on, double seconds)
{
    account a = {0};
    while (a.alone < seconds) {
        tl_range_fn *fn = a.loops % 2 ? first_kind : second_kind;
        const int n = a.loops % 2 ? 400 : 100;
        tl_work *w = tl_ledger_work(l, fn, n);
        CHECK(w != NULL);
        const double alone = n * on->item;
        double took = alone;
        if (tl_ledger_together(l, w)) {
            took = alone * on->factor + (on->every && a.loops % on->every == 0 ? on->stall : 0);
            tl_ledger_book_together(l, w, n, took);
        } else tl_ledger_book_alone(l, w, n, took);
        a.alone += alone;
        a.spent += took;
        a.loops++;
    }
    return a;
}

static double cost(tl_ledger *l, const machine *on, double seconds)
{
    const account a = work(l, on, seconds);
    return a.spent / a.alone;
}

static const machine IDLE = {2e-8, 0.6, 0, 0}, SHARED = {2e-8, 20, 0, 0};

/* The gain is kept but for the time in which one thread is measured, also where a thread now and then loses its core. */
TEST(threads_that_pay)
{
    tl_ledger l;
    tl_ledger_open(&l);
    const double gain = cost(&l, &IDLE, 1);
    CHECK(gain > 0.6 && gain < 0.63);
    const machine interrupted = {2e-8, 0.6, 3e-3, 20000}; /* ten times a second */
    tl_ledger_open(&l);
    CHECK(cost(&l, &interrupted, 2) < 0.68);
}

/* However slow threads are, and from little slower: a twentieth of the time and a stall at most. */
TEST(threads_that_do_not_pay)
{
    static const double FACTOR[] = {1.001, 1.02, 1.1, 1.5, 5, 20, 200};
    for (int k = 0; k < 7; k++)
        for (int stalls = 0; stalls < 2; stalls++) {
            const machine m = {2e-8, FACTOR[k], stalls ? 4e-3 : 0, stalls ? 100 : 0};
            tl_ledger l;
            tl_ledger_open(&l);
            const account a = work(&l, &m, 0.5);
            if (a.spent > 1.05 * a.alone + 5e-3) TEST_FAIL("factor %g, stalls %d: %g s instead of %g", FACTOR[k], stalls, a.spent, a.alone);
            CHECK(cost(&l, &m, 2) < 1.02); /* later, trials become rarer */
        }
}

/* Each stall costs more than was won since the last one. */
TEST(gains_between_stalls)
{
    const machine m = {2e-8, 0.6, 4e-3, 600};
    tl_ledger l;
    tl_ledger_open(&l);
    CHECK(cost(&l, &m, 2) < 1.06);
}

TEST(another_job_comes_and_goes)
{
    tl_ledger l;
    tl_ledger_open(&l);
    for (int k = 0; k < 3; k++) {
        CHECK(cost(&l, &IDLE, 1) < 0.75);
        CHECK(cost(&l, &SHARED, 1) < 1.06);
    }
}

/* What was measured on one thread ages: items become dearer or cheaper on all threads alike, five times in a row. */
TEST(the_work_changes)
{
    for (int dearer = 0; dearer < 2; dearer++) {
        machine pays = IDLE, does_not = {2e-8, 1.3, 0, 0};
        tl_ledger a, b;
        tl_ledger_open(&a), tl_ledger_open(&b);
        for (int k = 0; k < 5; k++) {
            CHECK(cost(&a, &pays, 1) < 0.7);
            CHECK(cost(&b, &does_not, 1) < 1.06);
            pays.item *= dearer ? 4 : 0.25, does_not.item *= dearer ? 4 : 0.25;
        }
    }
}

/* The first loops meet cold caches, and other programs interrupt some: neither may make one thread look slow. */
TEST(one_thread_is_interrupted)
{
    const machine m = {2e-8, 1.3, 0, 0};
    double alone = 0, spent = 0;
    tl_ledger l;
    tl_ledger_open(&l);
    for (int k = 0; k < 100000; k++) {
        tl_work *w = tl_ledger_work(&l, first_kind, 400);
        const double took = 400 * m.item;
        alone += took;
        if (tl_ledger_together(&l, w)) {
            spent += m.factor * took;
            tl_ledger_book_together(&l, w, 400, m.factor * took);
        } else {
            spent += took;
            tl_ledger_book_alone(&l, w, 400, k == 0 ? 1000 * took : k % 50 == 0 ? took + 4e-3 : took);
        }
    }
    CHECK(spent < 1.06 * alone);
}

/* The program was stopped for an hour while threads were at work. */
TEST(a_stop)
{
    tl_ledger l;
    tl_ledger_open(&l);
    work(&l, &IDLE, 0.2);
    CHECK(l.together);
    tl_ledger_book_together(&l, tl_ledger_work(&l, first_kind, 400), 400, 3600);
    CHECK(!l.together);
    work(&l, &IDLE, 3);
    CHECK(l.together && cost(&l, &IDLE, 1) < 0.63);
}

/* A kind that is met beyond the table's end is for one thread. */
TEST(too_many_kinds)
{
    tl_ledger l;
    tl_ledger_open(&l);
    int found = 0;
    for (int k = 0; k < TL_WORKS + 5; k++) {
        tl_work *w = tl_ledger_work(&l, k % 2 ? first_kind : second_kind, 1 << (k % 31));
        CHECK(w != NULL);
        found += w == tl_ledger_work(&l, k % 2 ? first_kind : second_kind, 1 << (k % 31));
    }
    CHECK(found == TL_WORKS + 5);
    for (int k = 0; k < TL_WORKS; k++) l.work[k].fn = second_kind, l.work[k].length = 99;
    CHECK(tl_ledger_work(&l, first_kind, 7) == NULL);
    CHECK(!tl_ledger_together(&l, NULL));
}

int main(int argc, char **argv)
{
    RUN(every_index_once);
    RUN(no_small_blocks);
    RUN(uneven_loops);
    RUN(cores);
    RUN(pools_end);
    RUN(loops_are_shared_where_it_pays);
    RUN(threads_that_pay);
    RUN(threads_that_do_not_pay);
    RUN(gains_between_stalls);
    RUN(another_job_comes_and_goes);
    RUN(the_work_changes);
    RUN(one_thread_is_interrupted);
    RUN(a_stop);
    RUN(too_many_kinds);
    return TEST_RESULT;
}
