/* Whether threads pay: a ledger of the time that they win and cost, against one thread on the same machine, now.
 *
 * How long a loop takes on one thread is measured now and then, by kind. What all threads save of that, or take longer,
 * is booked. They work together while the balance is positive; when it is not, one thread works alone, and a share of its
 * time is credited until that is enough for another trial. So all loops together cost at most that share more than on one
 * thread, whatever else runs on the machine, and a job that comes or goes is noticed within milliseconds to a second. A
 * table and arithmetic, no clock: times come from outside. */
#ifndef TL_LEDGER_H
#define TL_LEDGER_H

#include "base/base.h"

enum { TL_WORKS = 512 };

/* A kind of loop: its function, and its length to a factor of two. */
typedef struct tl_work {
    tl_range_fn *fn;
    int length;       /* binary digits of n                          */
    int seen;         /* times measured on one thread, the first few */
    double alone;     /* s an item, on one thread                    */
    double unchecked; /* s on all threads since that was measured    */
} tl_work;

typedef struct tl_ledger {
    double balance; /* s                                           */
    double share;   /* of the time alone that is credited          */
    double rest;    /* s that one thread works alone yet, at least */
    bool together;  /* all threads work; if not, one               */
    tl_work work[TL_WORKS];
} tl_ledger;

/* At first one thread works alone; a trial follows soon. */
void tl_ledger_open(tl_ledger *);
/* Of loops of this kind; NULL: there are too many kinds. */
tl_work *tl_ledger_work(tl_ledger *, tl_range_fn *fn, int n);
/* Shall all threads work on it now? Not on what is unknown yet, or NULL. */
bool tl_ledger_together(tl_ledger *, const tl_work *);
/* n items of this kind took so many seconds on one thread, or on all. */
void tl_ledger_book_alone(tl_ledger *, tl_work *, int n, double seconds);
void tl_ledger_book_together(tl_ledger *, tl_work *, int n, double seconds);

#endif
