/* What detection finds in a step, all of it in the step's arena. In the plane nothing has a z, and spins are about it. */
#ifndef TL_FOUND_H
#define TL_FOUND_H

#include "detect/broad.h"
#include "detect/touch.h"

/* How a contactor moves in this step, and what of its shape that is reckoned with. What every pair asks of both is in the first line of the cache. */
typedef struct tl_motion {
    _Alignas(TL_LINE) tl_vec3 v; /* velocity, world axes                                                    [m/s] */
    double margin;               /* what it adds to the reach of its pairs, besides the way that the two go   [m] */
    tl_vec3 p;                   /* origin of its body at q_m                                                 [m] */
    bool gives;                  /* it deforms                                                                    */
    bool hollow;                 /* it need not be convex: a mesh                                                 */
    bool wall;                   /* in the plane, without an end: its pairs reach as far whichever way they go    */
    bool smooth;                 /* impulses act on its own rim, not midway in the gap: a sphere, an ellipsoid or rounded, or it deforms */
    tl_vec3 w;                   /* spin, world axes                                                      [rad/s] */
    double swing;                /* the farthest that a point lies which turning moves along its normal; 0: none does [m] */
    double rim;                  /* bound on the normal speed that the spin so gives its points             [m/s] */
    double thin;                 /* half of how thin it is                                                    [m] */
    double reach;                /* largest distance from p, 0: it has no end                                 [m] */
} tl_motion;

/* Its rim, from its spin. */
static inline double tl_rim(const tl_motion *m) { return m->swing > 0 ? tl_norm(m->w) * m->swing : 0; }

/* A list of near pairs of the broad phase, and which one it is. */
typedef struct tl_near_list {
    const tl_near *pair;
    int pairs;
    uint64_t rebuilds;
    const int *room; /* [pairs + 1] the most touches that those before may have together; NULL: it is found in each step */
} tl_near_list;

typedef struct tl_found {
    tl_motion *motion; /* [contactors] as if there were no contacts                                 */
    double *extra;     /* [contactors] reach that overtake added                                [m] */
    tl_box3 *box;      /* [contactors] at q_m                                                       */
    tl_vec3 common;    /* mean velocity of the free grains                                          */
    double fastest;    /* the largest speed of all                                            [m/s] */
    tl_near_list near; /* in order of their keys                                                    */
    tl_touch **touch;  /* [pairs] where those of a pair begin: those in the problem, then the others, both in order of their features */
    uint8_t *touches;  /* [pairs] how many are in the problem                                       */
    uint8_t *others;   /* [pairs] how many are not (reach.h)                                        */
    uint64_t rebuilds; /* of which list these are                                                   */
    bool all;          /* what goes apart is in the problem, too                                    */
    bool once;         /* the scheme finds touches once: all that are looked at are in the problem  */
    int late_rounds;   /* solves of this step that made touches meet which were found and left out  */
    int *offset;       /* [pairs + 1] into contacts                                                 */
    int stated;        /* pairs there were when these were found; the list may have been made anew   */
    int *state;        /* [pairs] row of the state of its law, −1: it has none; NULL: none has      */
    int *own_state;    /* [pairs] the row that a part has by itself                                 */
    uint16_t *points;  /* [pairs] touches of its two surfaces, 0: its own are all; NULL: of none    */
    int *first;        /* [pairs] the first pair of the same surfaces, of those with `points`       */
    double *span;      /* [pairs] area or length that the touches of those span [m², m]             */
} tl_found;

#endif
