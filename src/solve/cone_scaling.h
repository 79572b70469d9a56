/* Nesterov and Todd's scaling of one cone L = {x_0 ≥ ‖x_t‖}, and what else interior points ask of it (Nesterov & Todd 1997). Of two points inside, x and z, it
 * makes one: λ = G x = G⁻¹ z, G = J (w)/β symmetric, w_0² − ‖w_t‖² = 1. */
#ifndef TL_CONE_SCALING_H
#define TL_CONE_SCALING_H

#include <stdbool.h>

typedef struct tl_cone_scaling {
    double beta, w[3], lambda[3], determinant; /* the latter: of λ */
} tl_cone_scaling;

/* False: one of them is not inside. */
bool tl_cone_scale(const double x[3], const double z[3], tl_cone_scaling *);
void tl_cone_times_G(const tl_cone_scaling *, double v[3]);
void tl_cone_times_inverse_G(const tl_cone_scaling *, double v[3]);
void tl_cone_square(const tl_cone_scaling *, double out[9]); /* G² */
/* d with λ ∘ d = wanted e − λ ∘ λ − (G dx) ∘ (G⁻¹ dz): what the second step of Mehrotra (1992) corrects of the first, dx and dz. */
void tl_cone_correct(const tl_cone_scaling *, const double dx[3], const double dz[3], double wanted, double d[3]);
/* The largest step along d, at most 1, that keeps x inside. */
double tl_cone_room(const double x[3], const double d[3]);
/* Rounding may have put it on the border. */
void tl_cone_stay_inside(double x[3]);

#endif
