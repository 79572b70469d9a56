/* Passes v ← v + f(v) that are to end where f is 0. Passes before tell how f changes with v (Anderson 1965; Walker & Ni 2011): the next start is where f would
 * be least, were it linear between them. */
#ifndef TL_MIXING_H
#define TL_MIXING_H

#include "base/base.h"

typedef struct tl_mixing tl_mixing;

/* Of n numbers, in groups of so many that weigh |weight| each in sums of products; weight [n/group] is read with each pass; NULL: all weigh alike. Room is
 * taken from the arena; NULL: there is none. */
tl_mixing *tl_mixing_open(tl_arena *, int n, const double *weight, int group);
/* The next pass is the first. */
void tl_mixing_forget(tl_mixing *);
/* v ← v + f, less what the passes before tell. */
void tl_mixing_mix(tl_mixing *, const double *f, double *v);
/* v [n] with which the last pass began. */
const double *tl_mixing_before(const tl_mixing *);

#endif
