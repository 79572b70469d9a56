/* Walks over the packs colour by colour, those of spheres and all others (the two families) side by side: for sweeps of
 * any kind (nlgs_3d.c, drift_3d.c). */
#ifndef TL_FAMILIES3_H
#define TL_FAMILIES3_H

#include "solve/problem3.h"
#include "solve/sweeps.h"

/* Packs first[f], … of each family f; those of balls are so many. */
typedef struct tl_color_packs3 {
    int first[TL_FAMILIES3], balls;
} tl_color_packs3;

/* Of each family begin … end − 1. */
typedef struct tl_share3 {
    int begin[TL_FAMILIES3], end[TL_FAMILIES3];
} tl_share3;

/* What a range of a colour's packs, counted together and balls first, means for each. */
static inline tl_share3 tl_share3_of(const tl_color_packs3 *t, int begin, int end)
{
    const int b = t->balls, *first = t->first;
    return (tl_share3){{first[TL_BALLS3] + (begin < b ? begin : b), first[TL_STONES3] + (begin > b ? begin - b : 0)},
                       {first[TL_BALLS3] + (end < b ? end : b), first[TL_STONES3] + (end > b ? end - b : 0)}};
}

/* fn(task, range) for the packs of each colour, on all threads; for those of the last one after the other. `packs`: in the task, what fn asks about its range.
 */
static inline void tl_for_colors3(const tl_colors3 *c, int colors, tl_step *step, tl_range_fn *fn, void *task, tl_color_packs3 *packs)
{
    for (int at = 0; at <= colors; at++) {
        const int k = at < colors ? at : TL_COLORS3;
        int count = 0;
        for (int family = 0; family < TL_FAMILIES3; family++) {
            packs->first[family] = c->begin[family][k];
            count += c->begin[family][k + 1] - c->begin[family][k];
        }
        packs->balls = c->begin[TL_BALLS3][k + 1] - c->begin[TL_BALLS3][k];
        if (k < TL_COLORS3) tl_parallel_for(step->threads, count, TL_PARALLEL_PACKS, fn, task);
        else
            for (int i = 0; i < count; i++) fn(task, i, i + 1, 0);
    }
}

#endif
