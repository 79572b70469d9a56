/* Broad phase in space: which pairs of contactors may be near (theory §6.1). The sibling of broad2.h: fat boxes, and a sorted list of the pairs
 * whose fat boxes overlap, which is a superset of the near pairs and only a cache: what the narrow phase finds does not depend on when it was
 * rebuilt. */
#ifndef TL_BROAD3_H
#define TL_BROAD3_H

#include "detect/cell.h"
#include "detect/narrow3.h"

/* Where to begin with a pair (narrow3.h). */
typedef struct tl_past3 {
    int known;    /* what is known of two hulls, −1: nothing   */
    tl_vec3 hint; /* a direction in which they were apart      */
} tl_past3;

enum { TL_GROUP3_ABSENT = INT32_MIN }; /* contactors that are not there: they touch nothing */

/* A shape on a body. */
typedef struct tl_contactor3 {
    tl_shape3 shape; /* in the principal axes of the body                */
    int group;       /* contactors of one group never touch each other     */
} tl_contactor3;

typedef struct tl_broad3 {
    tl_memory memory;
    const tl_cell *period;
    int n, capacity;             /* contactors                      */
    tl_box3 *fat;                /* [n] from `origin`               */
    tl_vec3 origin;              /* of the axes of the list, which may go along with what falls; 0 when it is made */
    tl_near *pairs, *pairs_next; /* sorted by (a, b, image)         */
    tl_past3 *past, *past_next;  /* of pairs                        */
    int pair_count, pair_capacity, next_capacity, past_capacity, past_next_capacity;
    tl_known3 *known, *known_next; /* of pairs, in their order       */
    int known_capacity, known_next_capacity;
    double turns; /* of the cell (cell.h), when it was made */
    bool valid;
    uint64_t rebuilds;
} tl_broad3;

void tl_broad3_init(tl_broad3 *, tl_memory, const tl_cell *); /* which stays */
void tl_broad3_free(tl_broad3 *);
/* The axes of the list go on by `way`: what moves along with them keeps its place in it. */
void tl_broad3_move(tl_broad3 *, tl_vec3 way);
/* `boxes` [n]: where each contactor may touch during this step. Rebuilds the list when needed, with `skin` of slack all round and `ahead` [n], the way of
 * the next few steps in the axes of the list; of a sheared cell both in slanted axes (cell.h). In the periodic cell every image of a pair that may be near is a
 * pair of its own. */
TALUS_NODISCARD talus_status tl_broad3_update(tl_broad3 *, const tl_contactor3 *, int n, const tl_box3 *boxes, const tl_vec3 *ahead, double skin, tl_arena *,
                                              tl_threads *, tl_error *);

#endif
