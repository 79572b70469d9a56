/* Signorini–Coulomb with Newton restitution in the plane (theory §2.1, D20 eq. 32). */
#include "law/law2.h"

tl_coulomb2 tl_coulomb2_prepare(tl_delassus2 W, double friction)
{
    const double smallest = 1e-12 * W.tt; /* a contact that cannot slide: any I_t does, the clamp decides */
    const double s = W.tt - W.nt * W.nt / W.nn, never = (double)INFINITY;
    const double plus = W.nn + friction * W.nt, minus = W.nn - friction * W.nt;
    return (tl_coulomb2){
        .inverse_nn = 1 / W.nn,
        .inverse_s = s > smallest ? 1 / s : (smallest > 0 ? 1 / smallest : 0),
        .k_plus = friction == 0 ? 0 : (plus > 0 ? friction / plus : never),
        .k_minus = friction == 0 ? 0 : (minus > 0 ? friction / minus : never),
    };
}

double tl_coulomb2_residual(tl_delassus2 W, double friction, const double u[2], const double I[2])
{
    const double rho = 2 / (W.nn + W.tt);
    const double x_n = I[0] - rho * (u[0] + friction * fabs(u[1])), x_t = I[1] - rho * u[1];
    double p_n = x_n, p_t = x_t; /* projection onto K_μ: inside, in the polar cone, or on the border */
    if (friction * fabs(x_t) <= -x_n) p_n = p_t = 0;
    else if (fabs(x_t) > friction * x_n) {
        p_n = (x_n + friction * fabs(x_t)) / (1 + friction * friction);
        p_t = x_t < 0 ? -friction * p_n : friction * p_n;
    }
    const double d_n = I[0] - p_n, d_t = I[1] - p_t;
    return sqrt(d_n * d_n + d_t * d_t) / rho;
}
