/* Broad phase: which pairs of contactors may be near (theory §6.1), in the plane and in space. In the plane nothing has a z.
 *
 * Every contactor keeps a fat box; the pair list holds all pairs whose fat boxes overlap, sorted, and stays valid until some
 * contactor leaves its fat box. The list is a superset of the near pairs and only a cache: what the narrow phase finds does
 * not depend on when it was rebuilt. */
#ifndef TL_BROAD_H
#define TL_BROAD_H

#include "base/base.h"
#include "base/cell.h"
#include "shape/shape3.h"

/* A pair of contactors that may be near, a < b. */
typedef struct tl_near {
    int a, b;
    int image[3]; /* of b: the copy that is so many cells further; 0 where the direction is not periodic */
} tl_near;

enum { TL_GROUP_ABSENT = INT32_MIN }; /* contactors that are not there: they touch nothing */

typedef struct tl_broad {
    tl_memory memory;
    const tl_cell *period;
    int dimension;
    int n, capacity; /* contactors                                                                                */
    tl_box3 *fat;    /* [n] from `origin`                                                                         */
    tl_vec3 origin;  /* of the axes of the list, which may go along with what falls; 0 when it is made            */
    tl_near *pairs;  /* sorted by (a, b, image)                                                                   */
    tl_near *before; /* the list that this one took the place of, in the arena that it was made with: until that is released */
    int pair_count, pair_capacity, before_count;
    double turns; /* of the cell (cell.h), when the list was made */
    bool valid;
    uint64_t rebuilds;
} tl_broad;

/* Contactors of a step, for a new list. */
typedef struct tl_broad_source {
    int n;
    const tl_box3 *box;  /* [n] where each may touch in this step; of a sheared cell in slanted axes (cell.h), as `ahead` */
    const int *group;    /* [n] those of one group never touch each other                                                 */
    const int *kind;     /* [n] below `kinds`                                                                             */
    const bool *touches; /* [kinds × kinds] do two of these kinds ever touch, symmetric; NULL: all do                     */
    int kinds;
    const tl_vec3 *ahead; /* [n] the way of the next few steps in the axes of the list                                   */
    const double *skin;   /* [n] slack all round [m]                                                                     */
} tl_broad_source;

bool tl_near_comes_before(const tl_near *, const tl_near *);               /* in order of (a, b, image) */
void tl_broad_init(tl_broad *, tl_memory, const tl_cell *, int dimension); /* the cell stays where it is */
void tl_broad_free(tl_broad *);
/* The axes of the list go on by `way`: what moves along with them keeps its place in it. */
void tl_broad_move(tl_broad *, tl_vec3 way);
/* Is there a list of n contactors? It is good for them in these boxes as long as it holds each. */
bool tl_broad_is_valid(const tl_broad *, int n);
static inline bool tl_broad_holds(const tl_broad *broad, int contactor, const tl_box3 *box)
{
    const tl_box3 *fat = &broad->fat[contactor];
    const tl_vec3 low = tl_sub(box->low, broad->origin), high = tl_sub(box->high, broad->origin);
    return low.x >= fat->low.x && low.y >= fat->low.y && low.z >= fat->low.z && high.x <= fat->high.x && high.y <= fat->high.y && high.z <= fat->high.z;
}
/* A new list. In the periodic cell every image of a pair that may be near is a pair of its own. MEMORY: then there is no list that holds. */
TALUS_NODISCARD talus_status tl_broad_rebuild(tl_broad *, const tl_broad_source *, tl_arena *, tl_threads *, tl_error *);

#endif
