/* What was found out of near pairs in the steps before, so that a search begins near its end (narrow3.h). A cache: it never changes what is found. */
#ifndef TL_PAST3_H
#define TL_PAST3_H

#include "detect/broad.h"
#include "detect/narrow3.h"

typedef struct tl_past3 {
    int known;    /* what is known of two hulls, −1: nothing                         */
    int limit;    /* the most touches that it may have; whoever follows a list says it */
    tl_vec3 hint; /* a direction in which they were apart                            */
} tl_past3;

/* Of the pairs of a list. */
typedef struct tl_pasts3 {
    tl_past3 *pair, *pair_next;
    tl_known3 *known, *known_next; /* in the order of their pairs */
    int pairs, pair_capacity, pair_next_capacity, known_capacity, known_next_capacity;
} tl_pasts3;

void tl_pasts3_free(tl_pasts3 *, tl_memory);
static inline tl_known3 *tl_known3_of(const tl_pasts3 *p, int pair) { return p->pair[pair].known >= 0 ? &p->known[p->pair[pair].known] : NULL; }
/* The list is a new one: pairs that were in the one before keep what was found out. searched [pairs]: do two hulls with faces make it? MEMORY: then nothing is
 * known. */
TALUS_NODISCARD talus_status tl_pasts3_follow(tl_pasts3 *, const tl_broad *, const bool *searched, tl_error *);

#endif
