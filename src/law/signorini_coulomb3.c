/* Signorini–Coulomb with Newton restitution in space (theory §2.1, D20 eq. 32).
 *
 * Closed means u_n(I = 0) < 0. Then I_n > 0 in every solution, for only an impulse can lift u_n, and it lies in the cone; hence u_n = 0.
 * With u_n held at zero, in the axes 1, 2 that make S diagonal,
 *
 *     I_n = c − w·x,     u_t = b + S x,     c = −u_n(0) / W_nn > 0,     x = I_t.
 *
 * Stick and slip are one family: u_t = −λ x with λ ≥ 0 gives x_i = −b_i / (s_i + λ). Times D = (s1 + λ)(s2 + λ),
 *
 *     y = −D x = (b1 (s2 + λ), b2 (s1 + λ)),     N(λ) = μ D I_n = μ (c D + w·y),     H(λ) = N − ‖y‖.
 *
 * H ≥ 0 says that the impulse is in the cone, H = 0 that it is on its border. Stick is λ = 0 with H(0) ≥ 0; else H(0) < 0, and as
 * ‖y‖ and |w·y| / ‖w‖ are at most ‖b‖ (max s + λ),
 *
 *     H ≥ (max s + λ) (μ c (min s + λ) − (1 + μ ‖w‖) ‖b‖)  ≥ 0     at λ = (1 + μ ‖w‖) ‖b‖ / (μ c):
 *
 * [0, that] brackets a root for every μ > 0, also where friction jams: there is always a solution, and at the root I_n = ‖x‖ / μ > 0.
 * N is a parabola that opens upwards and ‖y‖ is convex with a curvature that falls with λ: so H is first concave, then convex, and has one root
 * or three. Three need a coupling w that bends the cone against the slip; each is a solution, and the one that the iteration meets is taken. */
#include "law/law3.h"

#include <float.h>
#include <string.h>

tl_coulomb3 tl_coulomb3_prepare(const tl_delassus3 *W, double friction)
{
    const double inverse = 1 / W->nn, wt = W->nt * inverse, ws = W->ns * inverse;
    const double tt = W->tt - wt * W->nt, ts = W->ts - wt * W->ns, ss = W->ss - ws * W->ns;
    const double trace = W->tt + W->ss, smallest = 1e-12 * (trace > 0 ? trace : W->nn);
    double c = 1, s = 0, s1 = tt, s2 = ss;
    if (fabs(ts) > 0.25 * DBL_EPSILON * trace) { /* Jacobi's rotation by at most 45°: equal eigenvalues leave the axes where they are */
        const double theta = 0.5 * (ss - tt) / ts, tangent = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(1 + theta * theta));
        c = 1 / sqrt(1 + tangent * tangent);
        s = -tangent * c;
        s1 = tt - tangent * ts;
        s2 = ss + tangent * ts;
    }
    return (tl_coulomb3){
        .nn = W->nn,
        .inverse_nn = inverse,
        .w1 = c * wt + s * ws,
        .w2 = c * ws - s * wt,
        .s1 = s1 > smallest ? s1 : smallest,
        .s2 = s2 > smallest ? s2 : smallest,
        .friction = friction,
        .cos = c,
        .sin = s,
    };
}

/* Back from λ to where Newton on ψ = N / ‖y‖ − 1 goes, at e_i = s_i + λ. ψ has the roots of H, and is a straight line in λ for spheres. */
static inline double newton_step(const tl_coulomb3 *law, double mu_c, const double b[2], const double e[2], double *H)
{
    const double b1 = b[0], b2 = b[1], e1 = e[0], e2 = e[1];
    const double mu = law->friction, y1 = b1 * e2, y2 = b2 * e1, m = y1 * y1 + y2 * y2;
    const double N = mu_c * e1 * e2 + mu * (law->w1 * y1 + law->w2 * y2);
    *H = N - sqrt(m);
    return *H * m / ((mu_c * (e1 + e2) + mu * (law->w1 * b1 + law->w2 * b2)) * m - N * (y1 * b1 + y2 * b2));
}

/* Newton on ψ inside the bracket; a step that would leave it or
 * that is not half the one before the last bisects, so that lengths halve at least every second step and the loop ends. Everything is
 * relative to ‖b‖ and s1 + s2. */
double tl_coulomb3_slip(const tl_coulomb3 *law, double c, double b1, double b2)
{
    enum { MOST = 400 };
    const double unit = law->s1 + law->s2, per_unit = 1 / unit;
    double size = sqrt(b1 * b1 + b2 * b2);
    if (!(size > 1e-140 && size < 1e140)) { /* squares that vanish or overflow */
        const double largest = tl_larger(fabs(b1), fabs(b2));
        if (!(largest > 0)) return 0;
        size = largest * sqrt((b1 / largest) * (b1 / largest) + (b2 / largest) * (b2 / largest));
    }
    const double per_size = 1 / size, d1 = b1 * per_size, d2 = b2 * per_size, s1 = law->s1 * per_unit, s2 = law->s2 * per_unit, mu = law->friction;
    const double mu_c = mu * (c * per_size * unit), along = mu * (law->w1 * d1 + law->w2 * d2);
    const double least = tl_smaller(s1, s2), stick_n = mu_c * s1 * s2 + mu * (law->w1 * d1 * s2 + law->w2 * d2 * s1);
    if (stick_n >= sqrt(d1 * s2 * d1 * s2 + d2 * s1 * d2 * s1)) return 0;
    const double per_c = 1 / mu_c;
    double low = 0, high = (1 + mu * (fabs(law->w1) + fabs(law->w2))) * per_c;
    double x = tl_smaller(tl_larger((1 - along) * per_c - (s1 * d1 * d1 + s2 * d2 * d2), 0), high), step = high, last = high;
    for (int i = 0; i < MOST; i++) {
        double H;
        const double newton = x - newton_step(law, mu_c, (double[2]){d1, d2}, (double[2]){s1 + x, s2 + x}, &H);
        if (H < 0) low = x;
        else high = x;
        double next = newton;
        if (!(newton >= low && newton <= high) || fabs(newton - x) > 0.5 * last) next = low + 0.5 * (high - low);
        last = step;
        step = fabs(next - x);
        x = next;
        const double done = next == newton ? 1e-8 : 0.5 * DBL_EPSILON; /* Newton's next step would be its square */
        if (step <= done * (x + least) || high - low <= 0.5 * DBL_EPSILON * (low + least)) break;
    }
    return x * unit;
}

/* λ as sweeps know it nearly from the visit before: without bracket and units, as long as Newton's steps are short at once. What this does not find, sizes
 * whose powers vanish or overflow among it, the sure way does. */
static double slip_near(const tl_coulomb3 *law, double c, double b1, double b2, double near)
{
    enum { MOST = 3 };
    const double mu = law->friction, y1 = b1 * law->s2, y2 = b2 * law->s1, m = y1 * y1 + y2 * y2;
    if (m > 1e-150 && m < 1e150) {
        const double N = mu * (c * law->s1 * law->s2 + law->w1 * y1 + law->w2 * y2);
        if (N > 0 && N * N >= m) return 0;
        double lambda = near;
        for (int i = 0; lambda > 0 && i < MOST; i++) {
            double H;
            const double step = newton_step(law, mu * c, (double[2]){b1, b2}, (double[2]){law->s1 + lambda, law->s2 + lambda}, &H);
            lambda -= step;
            if (lambda > 0 && fabs(step) <= 1e-3 * lambda) return lambda;
        }
    }
    return tl_coulomb3_slip(law, c, b1, b2);
}

void tl_coulomb3_follow(const tl_coulomb3 *law, const double u[3], double *lambda, double I[3])
{
    I[0] = I[1] = I[2] = 0;
    if (u[0] >= 0) return;
    const double c = -u[0] * law->inverse_nn;
    I[0] = c;
    if (!(law->friction > 0)) return;
    const double b1 = law->cos * u[1] + law->sin * u[2] - law->w1 * u[0], b2 = law->cos * u[2] - law->sin * u[1] - law->w2 * u[0];
    *lambda = slip_near(law, c, b1, b2, *lambda);
    const double x1 = -b1 / (law->s1 + *lambda), x2 = -b2 / (law->s2 + *lambda);
    I[0] = c - (law->w1 * x1 + law->w2 * x2);
    I[1] = law->cos * x1 - law->sin * x2;
    I[2] = law->sin * x1 + law->cos * x2;
}

void tl_coulomb3_obey(const tl_coulomb3 *law, const double u[3], double I[3])
{
    double unknown = 0;
    tl_coulomb3_follow(law, u, &unknown, I);
}

void tl_coulomb3_solve(const tl_delassus3 *W, double friction, const double u_free[3], double I[3])
{
    const tl_coulomb3 law = tl_coulomb3_prepare(W, friction);
    tl_coulomb3_obey(&law, u_free, I);
}

void tl_cone3_project(double friction, double x[3])
{
    const double aside = sqrt(x[1] * x[1] + x[2] * x[2]);
    if (friction * aside <= -x[0]) x[0] = x[1] = x[2] = 0;
    else if (aside > friction * x[0]) {
        x[0] = (x[0] + friction * aside) / (1 + friction * friction);
        x[1] = friction * x[0] * (x[1] / aside);
        x[2] = friction * x[0] * (x[2] / aside);
    }
}

void tl_coulomb3_natural_map(double friction, double opening, const double I[3], const double u[3], double F[3])
{
    const double u_n = u[0] + opening + (I[0] - I[0]) + (I[1] - I[1]) + (I[2] - I[2]), y[2] = {I[1] - u[1], I[2] - u[2]},
                 aside = sqrt(y[0] * y[0] + y[1] * y[1]);
    F[0] = u_n, F[1] = u[1], F[2] = u[2];
    if (I[0] - u_n + friction * aside <= 0) memcpy(F, I, 3 * sizeof *F);
    else if (aside > friction * (I[0] - u_n)) {
        const double room = friction * I[0] - aside, share = 1 / (1 + friction * friction), along = share * (friction * u_n - room) / aside;
        F[0] = share * (u_n + friction * room);
        F[1] += along * y[0], F[2] += along * y[1];
    }
}

double tl_coulomb3_residual(const tl_delassus3 *W, double friction, const double u[3], const double I[3])
{
    const double scale = (W->nn + W->tt + W->ss) / 3, J[3] = {scale * I[0], scale * I[1], scale * I[2]}; /* 1/ρ */
    double F[3];
    tl_coulomb3_natural_map(friction, friction * sqrt(u[1] * u[1] + u[2] * u[2]), J, u, F);
    return sqrt(F[0] * F[0] + F[1] * F[1] + F[2] * F[2]);
}
