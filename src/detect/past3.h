/* What was found out of near pairs in the steps before, so that a search begins near its end (narrow3.h). A cache: it never changes what is found. */
#ifndef TL_PAST3_H
#define TL_PAST3_H

#include "detect/broad.h"
#include "detect/narrow3.h"

typedef struct tl_past3 {
    int known;     /* where that is what is known of two hulls; −1: there is nothing      */
    bool searched; /* are they two hulls with faces, of which something may be known?      */
    bool touched;  /* when they were looked at last; of others the hint is enough          */
    uint8_t limit; /* the most touches that it may have; whoever follows a list says it */
    float hint[3]; /* a direction in which they were apart                                 */
} tl_past3;

/* Of the pairs of a list. */
typedef struct tl_pasts3 {
    tl_past3 *pair;
    tl_known3 *known; /* [knowns] in no order: what is known of a pair stays where it is while the pair is listed */
    int *spare;       /* [spares] of these, those of no pair                                                      */
    int pairs, pair_capacity, knowns, known_capacity, spares, spare_capacity;
} tl_pasts3;

void tl_pasts3_free(tl_pasts3 *, tl_memory);
static inline tl_known3 *tl_known3_of(const tl_pasts3 *p, int pair) { return p->pair[pair].known >= 0 ? &p->known[p->pair[pair].known] : NULL; }
/* The list is a new one, and that before still there: pairs that were in it keep what was found out. searched [pairs]: do two hulls with faces make it?
 * MEMORY: then nothing is known. */
TALUS_NODISCARD talus_status tl_pasts3_follow(tl_pasts3 *, const tl_broad *, const bool *searched, tl_arena *, tl_error *);
/* A place for what may be known of a pair, if that is searched and touched and has none: most of a list are too far apart. MEMORY. */
TALUS_NODISCARD talus_status tl_pasts3_expect(tl_pasts3 *, tl_memory, int pair, tl_error *);

#endif
