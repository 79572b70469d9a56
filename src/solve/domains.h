/* Grains in domains: neighbours that are swept together, so that a sweep finds their velocities and contacts in the cache that the last colour left them in,
 * and that one thread sweeps by itself. */
#ifndef TL_DOMAINS_H
#define TL_DOMAINS_H

#include "matter/matter.h"

struct tl_problem;

typedef struct tl_domains {
    int count; /* 0: the problem is small, and all is swept together */
    int *of;   /* [bodies] of grains that move and have contacts in packs; else −1. NULL without domains */
} tl_domains;

/* By where each grain's first contact is, so that the same state gives the same domains. In the step's arena. MEMORY. */
TALUS_NODISCARD talus_status tl_domains_find(const struct tl_problem *, tl_step *, tl_domains *);

/* Which domain has a contact of these two bodies in packs: that of both, or of the one that moves; `count`: none, as it lies between two. */
static inline int tl_domain_of(const tl_domains *d, int a, int b)
{
    if (d->count == 0) return 0;
    const int of_a = d->of[a], of_b = d->of[b];
    if (of_a < 0) return of_b;
    return of_b < 0 || of_b == of_a ? of_a : d->count;
}

#endif
