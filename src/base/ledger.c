#include "base/ledger.h"

#include <math.h>

enum { SEEN = 4 }; /* measurements until the time on one thread is taken for known */

/* Seconds. A thread may be without its core for a slice of the scheduler, some milliseconds; to wake one takes 1e-5. */
static const double STAKE = 3e-4;               /* what a trial may cost                                            */
static const double CREDIT = 5e-3;              /* at most in hand: what was won long ago says little about now     */
static const double LOSS = 50e-3;               /* at most booked for a loop: it may be the program that was stopped */
static const double STALE = 50e-3, REST = 2e-3; /* so long threads go unchecked; so long one thread then works alone */

/* Of the time alone, for trials; half after each that failed, and all again when threads have earned their credit. */
static const double SHARE = 1.0 / 20, LEAST_SHARE = SHARE / 8;

void tl_ledger_open(tl_ledger *l) { *l = (tl_ledger){.balance = STAKE, .share = SHARE}; }

tl_work *tl_ledger_work(tl_ledger *l, tl_range_fn *fn, int n)
{
    int length = 0;
    while (n >> length) length++;
    const uintptr_t start = ((uintptr_t)fn >> 4) + (uintptr_t)length * 37;
    for (uintptr_t i = 0; i < TL_WORKS; i++) {
        tl_work *w = &l->work[(start + i) % TL_WORKS];
        if (!w->fn) *w = (tl_work){.fn = fn, .length = length};
        if (w->fn == fn && w->length == length) return w;
    }
    return NULL;
}

static void part(tl_ledger *l)
{
    l->together = false;
    l->rest = REST;
}

bool tl_ledger_together(tl_ledger *l, const tl_work *w)
{
    if (!w || w->seen < SEEN) return false;
    if (l->together && w->unchecked > STALE) part(l);
    return l->together;
}

/* An interruption by something else must not show, a lasting change must: what is measured counts for an eighth, and as at
 * most twice the known time. The first measurements may be of cold caches: the least of them is taken. */
static double pace(const tl_work *w, double measured)
{
    if (w->seen == 0) return measured;
    if (w->seen < SEEN) return fmin(w->alone, measured);
    return w->alone + (fmin(measured, 2 * w->alone) - w->alone) / 8;
}

void tl_ledger_book_alone(tl_ledger *l, tl_work *w, int n, double seconds)
{
    w->alone = pace(w, seconds / n);
    w->unchecked = 0;
    if (w->seen < SEEN) w->seen++;
    if (l->together) return;
    const double undisturbed = n * w->alone;
    l->rest -= undisturbed;
    if (l->balance < STAKE) l->balance += l->share * undisturbed;
    l->together = l->rest <= 0 && l->balance >= STAKE;
}

void tl_ledger_book_together(tl_ledger *l, tl_work *w, int n, double seconds)
{
    w->unchecked += seconds;
    l->balance += fmax(n * w->alone - seconds, -LOSS);
    if (l->balance >= CREDIT) {
        l->balance = CREDIT;
        l->share = SHARE;
    }
    if (l->balance >= 0) return;
    part(l);
    l->share = fmax(l->share / 2, LEAST_SHARE);
}
