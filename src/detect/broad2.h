/* Broad phase in the plane: which pairs of contactors may be near (theory §6.1).
 *
 * Every contactor keeps a fat box; the pair list holds all pairs whose fat boxes overlap, sorted, and stays valid until some
 * contactor leaves its fat box. The list is a superset of the near pairs and only a cache: what the narrow phase finds does
 * not depend on when it was rebuilt. */
#ifndef TL_BROAD2_H
#define TL_BROAD2_H

#include "detect/cell.h"
#include "shape/shape2.h"

enum { TL_GROUP2_ABSENT = INT32_MIN }; /* contactors that are not there: they touch nothing */

/* A shape on a body. */
typedef struct tl_contactor2 {
    tl_shape2 shape; /* in the body's axes, from its centre of mass          */
    int group;       /* contactors of one group never touch each other     */
    double thin;     /* half of how thin the shape is                      */
} tl_contactor2;

typedef struct tl_broad2 {
    tl_memory memory;
    const tl_cell *period;
    int n, capacity; /* contactors                                           */
    tl_box2 *fat;    /* [n] from `origin`                                    */
    tl_vec2 origin;  /* of the axes of the list, which may go along with what falls; 0 when it is made */
    tl_near *pairs;  /* sorted by (a, b, image)                              */
    int pair_count, pair_capacity;
    double turns; /* of the cell (cell.h), when it was made */
    bool valid;
    uint64_t rebuilds;
} tl_broad2;

void tl_broad2_init(tl_broad2 *, tl_memory, const tl_cell *); /* which stays */
void tl_broad2_free(tl_broad2 *);
/* The axes of the list go on by `way`: what moves along with them keeps its place in it. */
void tl_broad2_move(tl_broad2 *, tl_vec2 way);
/* `boxes` [n]: where each contactor may touch during this step. Rebuilds the list when needed, with `skin` of slack all round and `ahead` [n], the way of
 * the next few steps in the axes of the list; of a sheared cell both in slanted axes (cell.h). In the periodic cell every image of a pair that may be near is a
 * pair of its own. */
TALUS_NODISCARD talus_status tl_broad2_update(tl_broad2 *, const tl_contactor2 *, int n, const tl_box2 *boxes, const tl_vec2 *ahead, double skin, tl_arena *,
                                              tl_threads *, tl_error *);

#endif
