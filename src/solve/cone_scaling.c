/* One cone, as interior points see it (cone_scaling.h). */
#include "solve/cone_scaling.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ‖x_t‖. */
static double aside(const double x[3]) { return sqrt(x[1] * x[1] + x[2] * x[2]); }

/* x_0² − ‖x_t‖². */
static double determinant(const double x[3]) { return (x[0] - aside(x)) * (x[0] + aside(x)); }

/* v ← (w_0, ± w_tᵀ; ± w_t, E + w_t w_tᵀ/(1 + w_0)) v. */
static void boost(const double w[3], double sign, double v[3])
{
    const double along = w[1] * v[1] + w[2] * v[2], first = w[0] * v[0] + sign * along, rest = sign * v[0] + along / (1 + w[0]);
    v[0] = first;
    v[1] += rest * w[1];
    v[2] += rest * w[2];
}

void tl_cone_times_G(const tl_cone_scaling *g, double v[3])
{
    boost(g->w, -1, v);
    for (int m = 0; m < 3; m++) v[m] /= g->beta;
}

void tl_cone_times_inverse_G(const tl_cone_scaling *g, double v[3])
{
    boost(g->w, 1, v);
    for (int m = 0; m < 3; m++) v[m] *= g->beta;
}

bool tl_cone_scale(const double x[3], const double z[3], tl_cone_scaling *g)
{
    const double dx = determinant(x), dz = determinant(z);
    if (!(dx > 0) || !(dz > 0) || !(x[0] > 0) || !(z[0] > 0)) return false;
    const double rx = sqrt(dx), rz = sqrt(dz);
    const double gamma = sqrt(0.5 * (1 + (x[0] * z[0] + x[1] * z[1] + x[2] * z[2]) / (rx * rz)));
    g->beta = sqrt(rx / rz), g->determinant = rx * rz;
    for (int m = 0; m < 3; m++) g->w[m] = (x[m] / rx + (m == 0 ? 1 : -1) * z[m] / rz) / (2 * gamma);
    g->w[0] = sqrt(1 + g->w[1] * g->w[1] + g->w[2] * g->w[2]);
    memcpy(g->lambda, x, sizeof g->lambda);
    tl_cone_times_G(g, g->lambda);
    return true;
}

void tl_cone_square(const tl_cone_scaling *g, double out[9])
{
    const double w[3] = {g->w[0], -g->w[1], -g->w[2]}, share = 1 / (g->beta * g->beta);
    for (int m = 0; m < 9; m++) out[m] = share * (2 * w[m / 3] * w[m % 3] + (m == 0 ? -1 : m % 4 == 0 ? 1 : 0));
}

static void product(const double a[3], const double b[3], double out[3])
{
    out[0] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    out[1] = a[0] * b[1] + b[0] * a[1];
    out[2] = a[0] * b[2] + b[0] * a[2];
}

/* v with λ ∘ v = r. */
static void divide(const tl_cone_scaling *g, const double r[3], double v[3])
{
    const double *l = g->lambda;
    v[0] = (l[0] * r[0] - l[1] * r[1] - l[2] * r[2]) / g->determinant;
    v[1] = (r[1] - v[0] * l[1]) / l[0];
    v[2] = (r[2] - v[0] * l[2]) / l[0];
}

void tl_cone_correct(const tl_cone_scaling *g, const double dx[3], const double dz[3], double wanted, double d[3])
{
    double a[3] = {dx[0], dx[1], dx[2]}, b[3] = {dz[0], dz[1], dz[2]}, second[3], square[3];
    tl_cone_times_G(g, a);
    tl_cone_times_inverse_G(g, b);
    product(a, b, second);
    product(g->lambda, g->lambda, square);
    const double right[3] = {wanted - square[0] - second[0], -square[1] - second[1], -square[2] - second[2]};
    divide(g, right, d);
}

double tl_cone_room(const double x[3], const double d[3])
{
    const double a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2], b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2], c = determinant(x), root = b * b - a * c;
    if (d[0] >= aside(d)) return 1;                                                  /* else it leaves, and a root below zero is rounding */
    const double q = b <= 0 ? -b + sqrt(fmax(root, 0)) : -(b + sqrt(fmax(root, 0))); /* without cancelling: roots q/a and c/q */
    double step = 1;
    if (a != 0 && q / a > 0) step = fmin(step, q / a);
    if (q != 0 && c / q > 0) step = fmin(step, c / q);
    return step;
}

void tl_cone_stay_inside(double x[3]) { x[0] = fmax(x[0], (1 + 4 * DBL_EPSILON) * aside(x)); }
