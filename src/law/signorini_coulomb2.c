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
    const double scale = (W.nn + W.tt) / 2, u_n = u[0] + friction * fabs(u[1]) + (I[0] - I[0]) + (I[1] - I[1]); /* scale = 1/ρ; what is no number shows */
    const double J_n = scale * I[0], J_t = scale * I[1], y = J_t - u[1], aside = fabs(y);
    double d_n = u_n, d_t = u[1]; /* J − P(J − û), P onto K_μ: inside, what is there; a difference of large impulses would hide it */
    if (J_n - u_n + friction * aside <= 0) d_n = J_n, d_t = J_t; /* in the polar cone */
    else if (aside > friction * (J_n - u_n)) {                   /* on the border */
        const double room = friction * J_n - aside, part = 1 / (1 + friction * friction), along = part * (friction * u_n - room);
        d_n = part * (u_n + friction * room);
        d_t += y < 0 ? -along : along;
    }
    return sqrt(d_n * d_n + d_t * d_t);
}
