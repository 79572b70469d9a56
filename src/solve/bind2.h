/* What binding and colouring a planar problem both need of it. */
#ifndef TL_BIND2_H
#define TL_BIND2_H

#include "solve/problem2.h"

/* blocks_2d.c: what constraints ask of a grain (tl_grain_rows). */
void tl_grain_row2(const void *problem, int body, tl_vec3 arm, const tl_wrench *, double *H, double *share);
void tl_grain_twist2(const void *problem, int body, tl_vec3 arm, bool before, tl_vec3 *v, tl_vec3 *w);

#endif
