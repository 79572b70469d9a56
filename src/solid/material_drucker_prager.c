/* Drucker and Prager's plasticity with caps against tension and compaction (theory §7.4, §7.5; Dolarevic and Ibrahimbegovic
 * 2007, Nordberg and Servin 2018).
 *
 * All happens in the plane of I = tr σ and s = √J₂, tension positive, where flow follows the normals of
 *
 *     cone              s + k I − ξ c = 0                     k = η/3, apex at I = A = ξ c/k
 *     tension cap       (I − C)² + s² = R²                    a circle through I = T, tangent to the cone at I_T
 *     compression cap   (I − a)²/ρ² + s² = b²                 an ellipse through I = −κ, tangent to the cone at I_C
 *
 * and elastic moduli make distances there I²/(9K) + s²/G. Of a soil that is isochoric by a share the normals of the cone, and
 * of the ellipse right of its middle, have their part along I less by that share; what would then miss both the cone and the
 * circle returns to where they meet. What compacts on the ellipse left of its middle hardens it,
 * κ = κ₀ − ln(1 + tr ε_c/W)/D: the cap goes to infinity when a share W of the volume is compacted. Dilation on cone and
 * tension cap does not soften it, and the tangent is symmetric there where flow is by the normal; on the cap that hardens it
 * is not. The logarithm is remembered, since 1 + tr ε_c/W is
 * lost to rounding near W. */
#include "solid/material.h"

#include "base/lanes.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

enum { YOUNG, POISSON, COHESION, FRICTION, TENSION, CAP, CAP_RATIO, COMPACTION, HARDENING, ISOCHORIC };

static const talus_solid_parameter PARAMETER[] = {
    {"young", "Pa", "Young's modulus", false},
    {"poisson", "1", "Poisson's ratio, between -1 and 1/2", false},
    {"cohesion", "Pa", "cohesion c", false},
    {"friction", "rad",
     "angle of inner friction; the cone goes through the corners of Mohr and Coulomb's hexagon in compression, and in plane strain bears what a larger angle "
     "bears (theory 7.4)",
     false},
    {"tension", "Pa",
     "trace of the stress at which it yields under tension from all sides, three times that tension; below 3 c/tan(friction), the apex of the cone", false},
    {"cap", "Pa", "trace of the stress, taken positive, at which it begins to compact, three times that pressure; 0: no cap", true},
    {"cap_ratio", "1", "half axes of the cap, along the trace over along √J₂", true},
    {"compaction", "1", "share of the volume that can be compacted for good", true},
    {"hardening", "1/Pa", "how slowly the cap hardens: its trace grows by 1/hardening where the share that is left falls to 1/e", true},
    {"isochoric", "1",
     "share by which it dilates less than by the cone's normal where it flows: 0: by the normal (associated), 1: it shears at constant volume", true},
};
static const talus_solid_parameter STATE[] = {
    {"plastic_xx", "1", "plastic strain", false},
    {"plastic_yy", "1", "plastic strain", false},
    {"plastic_zz", "1", "plastic strain", false},
    {"plastic_xy", "1", "plastic strain, angle", false},
    {"plastic_yz", "1", "plastic strain, angle", false},
    {"plastic_xz", "1", "plastic strain, angle", false},
    {"compacted", "1", "minus the logarithm of the share of compaction that is left", false},
};
enum { COMPACTED = 6 };

typedef struct surface {
    double K, G, k, apex;            /* moduli; slope and apex of the cone        */
    double dilates;                  /* share of the normal's dilation            */
    double middle, radius, cone_end; /* circle: its centre, radius, I_T           */
    double rho, slope;               /* ellipse: ratio; b = slope (A + κ)         */
    double kappa, softness, share;   /* κ, D, and what can be compacted still     */
    bool capped;
} surface;

static double half_axis(const surface *f, double kappa) { return f->slope * (f->apex + kappa); }
static double centre(const surface *f, double kappa) { return f->rho * half_axis(f, kappa) - kappa; }
static double cap_end(const surface *f, double kappa) { return f->apex - half_axis(f, kappa) / (f->k * sqrt(1 + f->k * f->k * f->rho * f->rho)); }

static surface surface_of(const double *p, double compacted)
{
    const double sine = sin(p[FRICTION]), scale = 6 / (sqrt(3) * (3 - sine));
    surface f = {.K = p[YOUNG] / (3 * (1 - 2 * p[POISSON])), .G = tl_shear_modulus(p[YOUNG], p[POISSON]), .k = scale * sine / 3, .dilates = 1 - p[ISOCHORIC]};
    f.apex = scale * cos(p[FRICTION]) * p[COHESION] / f.k;
    const double lean = f.k / sqrt(1 + f.k * f.k);
    f.middle = (p[TENSION] - f.apex * lean) / (1 - lean);
    f.radius = p[TENSION] - f.middle;
    const double tangent = sqrt((f.apex - f.middle) * (f.apex - f.middle) - f.radius * f.radius);
    f.cone_end = f.apex - tangent / sqrt(1 + f.k * f.k);
    f.capped = p[CAP] > 0;
    if (!f.capped) return f;
    f.rho = p[CAP_RATIO];
    f.slope = 1 / (f.rho + sqrt(1 + f.k * f.k * f.rho * f.rho) / f.k);
    f.softness = p[HARDENING];
    f.kappa = p[CAP] + compacted / p[HARDENING];
    f.share = p[COMPACTION] * exp(-compacted);
    return f;
}

static const char *wrong(const double *p, char *text)
{
    if (!(p[YOUNG] > 0)) return "young is not above 0";
    if (!(p[POISSON] > -1) || !(p[POISSON] < 0.5)) return "poisson is not between -1 and 1/2";
    if (!(p[FRICTION] > 0) || !(p[FRICTION] < 1.5)) return "friction is not between 0 and 85 degrees";
    if (!(p[COHESION] > 0)) return "cohesion is not above 0";
    if (!(p[ISOCHORIC] >= 0) || !(p[ISOCHORIC] <= 1)) return "isochoric is not between 0 and 1";
    const surface f = surface_of(p, 0);
    if (!(p[TENSION] < f.apex)) {
        snprintf(text, TL_WRONG_ROOM, "tension is %.4g Pa, not below the cone's apex, 3 cohesion / tan(friction) = %.4g Pa", p[TENSION], f.apex);
        return text;
    }
    if (!f.capped) return p[CAP] < 0 ? "cap is below 0" : NULL;
    if (!(p[CAP_RATIO] > 0)) return "cap_ratio is not above 0";
    if (!(p[COMPACTION] > 0) || !(p[COMPACTION] < 1)) return "compaction is not between 0 and 1";
    if (!(p[HARDENING] > 0)) return "hardening is not above 0";
    if (!(cap_end(&f, p[CAP]) < f.cone_end)) {
        const double least = (f.apex - f.cone_end) * f.k * sqrt(1 + f.k * f.k * f.rho * f.rho) / f.slope - f.apex; /* whose end is the cone's */
        snprintf(text, TL_WRONG_ROOM, "cap is %.4g Pa, which is so near to 0 that it cuts the tension cap; here it must be above %.4g Pa", p[CAP], least);
        return text;
    }
    return NULL;
}

static bool outside(const surface *f, double I, double s)
{
    if (I >= f->cone_end) return hypot(I - f->middle, s) > f->radius;
    if (f->capped && I <= cap_end(f, f->kappa)) return hypot((I - centre(f, f->kappa)) / f->rho, s) > half_axis(f, f->kappa);
    return s + f->k * (I - f->apex) > 0;
}

/* Where a trial returns to: I, s and their derivatives by those of the trial; s over that of the trial; by how much κ grows. */
typedef struct point {
    double I, s, I_I, I_s, s_I, s_s, ratio, growth;
} point;

static bool onto_cone(const surface *f, double I, double s, point *out)
{
    const double along = 9 * f->K * f->k * f->dilates, H = f->G + along * f->k, step = (s + f->k * (I - f->apex)) / H;
    *out = (point){.I = I - along * step, .s = s - f->G * step, .I_I = 1 - along * f->k / H, .I_s = -along / H, .s_I = -f->G * f->k / H, .s_s = 1 - f->G / H};
    out->ratio = s > 0 ? out->s / s : 0;
    return out->s >= 0 && out->I <= f->cone_end && !(f->capped && out->I < cap_end(f, f->kappa));
}

/* Onto the point where the cone meets the circle: what is beyond it by the flow along the cone, and not yet by the circle's normals. */
static bool onto_corner(const surface *f, double I, double s, point *out)
{
    const double top = f->k * (f->apex - f->cone_end);
    if (!(f->dilates < 1) || !(s > top) || !(f->G * (I - f->cone_end) < 9 * f->K * f->k * (s - top))) return false;
    *out = (point){.I = f->cone_end, .s = top, .ratio = top / s};
    return true;
}

typedef struct ellipse {
    double middle, rho, b, dilates;
} ellipse;

/* Onto x²/ρ² + s² = b² about (middle, 0) from outside: x = x₀/(1 + 9K r m/ρ²), s = s₀/(1 + G m), r the share of dilation. Newton's method on 1/b − 1/r(m),
 * which is nearly straight. */
static bool onto_ellipse(const surface *f, ellipse at, double I, double s, point *out)
{
    const double middle = at.middle, rho = at.rho, b = at.b;
    enum { MOST = 100 };
    const double x0 = (I - middle) / rho, along = 9 * f->K * at.dilates / (rho * rho);
    double m = 0, x = x0, y = s, p = 1, q = 1;
    bool found = false;
    for (int pass = 0; pass < MOST && !found; pass++) {
        p = 1 + along * m, q = 1 + f->G * m;
        x = x0 / p, y = s / q;
        const double r = hypot(x, y), fall = (x * x * along / p + y * y * f->G / q) / r;
        const double step = (r - b) * r / (b * fall);
        found = fabs(r - b) <= 2e-15 * b || (pass > 0 && m + step == m);
        if (!found) m = m + step > 0 ? m + step : 0.5 * m;
    }
    const double fall = x * x * along / p + y * y * f->G / q, m_I = x / (rho * p) / fall, m_s = y / q / fall;
    *out = (point){.I = middle + rho * x,
                   .s = y,
                   .I_I = 1 / p - rho * x * along / p * m_I,
                   .I_s = -rho * x * along / p * m_s,
                   .s_I = -y * f->G / q * m_I,
                   .s_s = 1 / q - y * f->G / q * m_s,
                   .ratio = 1 / q};
    return found;
}

/* At a growth u of κ on the ellipse that hardens: its point, and how far that is outside. */
typedef struct hardened {
    double volume, volume_u, x, x_u, m, q, s, b, excess, excess_u;
} hardened;

static hardened harden(const surface *f, double I, double s, double u)
{
    hardened h = {.volume = f->share * expm1(-f->softness * u), .volume_u = -f->share * f->softness * exp(-f->softness * u)};
    h.x = I - 3 * f->K * h.volume - centre(f, f->kappa + u);
    h.x_u = -3 * f->K * h.volume_u + 1 - f->rho * f->slope;
    h.b = half_axis(f, f->kappa + u);
    if (!(h.x < 0)) { /* beyond the middle: nothing is left to compact */
        h.excess = -h.b;
        return h;
    }
    const double third = f->rho * f->rho / 3;
    h.m = third * h.volume / h.x;
    h.q = 1 + f->G * h.m;
    h.s = s / h.q;
    const double r = hypot(h.x / f->rho, h.s), m_u = third * (h.volume_u / h.x - h.volume * h.x_u / (h.x * h.x));
    h.excess = r - h.b;
    h.excess_u = (h.x * h.x_u / (f->rho * f->rho) - h.s * h.s * f->G * m_u / h.q) / r - f->slope;
    return h;
}

/* The excess falls along u, and is below 0 where the ellipse's middle has come to the point: Newton's method between bounds. */
static bool onto_cap(const surface *f, double I, double s, point *out)
{
    enum { MOST = 200 };
    double low = 0, high = (centre(f, f->kappa) - I) / (1 - f->rho * f->slope), u = 0;
    hardened h = harden(f, I, s, 0);
    bool found = false;
    for (int pass = 0; pass < MOST && !found; pass++) {
        if (h.excess > 0) low = u;
        else high = u;
        double next = h.excess_u < 0 ? u - h.excess / h.excess_u : -1;
        if (!(next > low) || !(next < high)) next = 0.5 * (low + high);
        found = fabs(h.excess) <= 2e-15 * h.b || next == low || next == high;
        found = found || fabs(next - u) <= 1e-15 * u; /* near the middle the excess is steep, and does not come nearer to 0 */
        if (!found) h = harden(f, I, s, u = next);
    }
    const double third = f->rho * f->rho / 3, r = hypot(h.x / f->rho, h.s), m_I = -third * h.volume / (h.x * h.x), s_I = -h.s * f->G * m_I / h.q;
    const double excess_I = (h.x / (f->rho * f->rho) + h.s * s_I) / r, excess_s = h.s / h.q / r;
    const double u_I = -excess_I / h.excess_u, u_s = -excess_s / h.excess_u;
    const double m_u = third * (h.volume_u / h.x - h.volume * h.x_u / (h.x * h.x)), s_u = -h.s * f->G * m_u / h.q;
    *out = (point){.I = I - 3 * f->K * h.volume,
                   .s = h.s,
                   .I_I = 1 - 3 * f->K * h.volume_u * u_I,
                   .I_s = -3 * f->K * h.volume_u * u_s,
                   .s_I = s_I + s_u * u_I,
                   .s_s = 1 / h.q + s_u * u_s,
                   .ratio = 1 / h.q,
                   .growth = u};
    return found && h.x < 0;
}

static bool back(const surface *f, double I, double s, point *out)
{
    if (!isfinite(I) || !isfinite(s)) return false;
    const bool above = s + f->k * (I - f->apex) > 0; /* the cone; what is below it is beyond a cap, and nothing draws it to the cone */
    if (above && onto_cone(f, I, s, out)) return true;
    const bool pulled = above ? out->s < 0 || out->I > f->cone_end : I >= f->cone_end;
    if (!f->capped || pulled) return onto_corner(f, I, s, out) || onto_ellipse(f, (ellipse){f->middle, 1, f->radius, 1}, I, s, out);
    static const double ROUNDING = 1e-12; /* so near to the middle nothing compacts */
    if (I < centre(f, f->kappa) - ROUNDING * half_axis(f, f->kappa)) return onto_cap(f, I, s, out);
    return onto_ellipse(f, (ellipse){centre(f, f->kappa), f->rho, half_axis(f, f->kappa), f->dilates}, I, s, out);
}

static bool stress(const double *p, const double strain[6], const double *before, double *after, double out[6], double (*tangent)[6])
{
    double elastic[6], n[6], s = 0;
    const surface f = surface_of(p, before ? before[COMPACTED] : 0);
    for (int i = 0; i < 6; i++) elastic[i] = strain[i] - (before ? before[i] : 0);
    tl_hooke(f.K - 2 * f.G / 3, f.G, elastic, out, tangent);
    const double I = out[0] + out[1] + out[2];
    for (int i = 0; i < 6; i++) n[i] = out[i] - (i < 3 ? I / 3 : 0), s += (i < 3 ? 0.5 : 1) * n[i] * n[i];
    s = sqrt(s);
    for (int i = 0; i <= COMPACTED; i++) after[i] = before ? before[i] : 0;
    if (!isfinite(s)) return false;
    if (!outside(&f, I, s)) return true;
    point at = {0};
    if (!back(&f, I, s, &at)) return false;
    for (int i = 0; i < 6; i++) out[i] = at.ratio * n[i] + (i < 3 ? at.I / 3 : 0);
    for (int i = 0; i < 6; i++) after[i] = strain[i] - (i < 3 ? at.I / (9 * f.K) + at.ratio * n[i] / (2 * f.G) : at.ratio * n[i] / f.G);
    after[COMPACTED] += f.softness * at.growth;
    if (!tangent) return true;
    /* dσ = 1/3 dI' 1 + (s'/s) dσ̄ + n (ds' − (s'/s) ds), n = σ̄/s of the trial, dI = 3K tr dε, ds = G n·dε */
    for (int i = 0; i < 6; i++) n[i] = s > 0 ? n[i] / s : 0;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) {
            const double dI = k < 3 ? 3 * f.K : 0, ds = f.G * n[k];
            const double deviator = i == k ? (i < 3 ? 2 * f.G : f.G) : 0, trace = i < 3 && k < 3 ? 2 * f.G / 3 : 0;
            const double dI_back = at.I_I * dI + at.I_s * ds, ds_back = at.s_I * dI + at.s_s * ds;
            tangent[i][k] = (i < 3 ? dI_back / 3 : 0) + at.ratio * (deviator - trace) + n[i] * (ds_back - at.ratio * ds);
        }
    return true;
}

/* ---- four at once ---------------------------------------------------------------------------------------------------------------- */

/* Hooke's stress of what is not plastic; with its trace, and the deviator. Returns √J₂. */
TL_INLINE tl_lanes try_four(const surface *f, const double (*strain)[4], const double *const before[4], tl_lanes trial[6], tl_lanes n[6])
{
    const double lame = f->K - 2 * f->G / 3;
    tl_lanes e[6], squares = {0};
    for (int i = 0; i < 6; i++) e[i] = tl_load4(strain[i]) - (tl_lanes){before[0][i], before[1][i], before[2][i], before[3][i]};
    const tl_lanes mean = lame * (e[0] + e[1] + e[2]);
    for (int i = 0; i < 6; i++) trial[i] = i < 3 ? mean + 2 * f->G * e[i] : f->G * e[i];
    const tl_lanes third = (trial[0] + trial[1] + trial[2]) / 3.0;
    for (int i = 0; i < 6; i++) n[i] = i < 3 ? trial[i] - third : trial[i], squares += (i < 3 ? 0.5 : 1) * n[i] * n[i];
    return tl_lanes_root(squares);
}

/* What is elastic, and what returns to the cone: as outside() and onto_cone() have it. */
TL_INLINE int find_four(const double *p, const double (*strain)[4], const double *const before[4], double (*out)[4])
{
    const surface f = surface_of(p, 0);
    tl_lanes trial[6], n[6];
    const tl_lanes s = try_four(&f, strain, before, trial, n), I = trial[0] + trial[1] + trial[2];
    const tl_lanes excess = s + f.k * (I - f.apex), pulled = I - f.middle;
    tl_lanes_bits inside = tl_lanes_either(I >= f.cone_end, pulled * pulled + s * s <= f.radius * f.radius, excess <= 0.0);
    const double along = 9 * f.K * f.k * f.dilates;
    const tl_lanes step = excess / (f.G + along * f.k), I_cone = I - along * step, s_cone = s - f.G * step;
    tl_lanes_bits on_cone = (excess > 0.0) & (s_cone >= 0.0) & (I_cone <= f.cone_end);
    if (f.capped) {
        const tl_lanes compacted = {before[0][COMPACTED], before[1][COMPACTED], before[2][COMPACTED], before[3][COMPACTED]};
        const tl_lanes kappa = p[CAP] + compacted / p[HARDENING], b = f.slope * (f.apex + kappa), x = (I - (f.rho * b - kappa)) / f.rho;
        const tl_lanes end = f.apex - b / (f.k * sqrt(1 + f.k * f.k * f.rho * f.rho));
        inside = tl_lanes_either(I <= end, x * x + s * s <= b * b, inside);
        on_cone &= I_cone >= end;
    }
    const tl_lanes ratio = s_cone / tl_lanes_choose(s > 0.0, s, tl_lanes_all(1));
    for (int i = 0; i < 6; i++) {
        const tl_lanes back = ratio * n[i] + (i < 3 ? I_cone / 3.0 : (tl_lanes){0});
        tl_store4(out[i], tl_lanes_choose(inside, trial[i], back));
    }
    return tl_lanes_which(inside | on_cone);
}

typedef struct kernels {
    int (*four)(const double *, const double (*)[4], const double *const[4], double (*)[4]);
} kernels;

#define KERNELS(name, set)                                                                                                                                     \
    static set int four_##name(const double *p, const double(*strain)[4], const double *const before[4], double(*out)[4])                                      \
    {                                                                                                                                                          \
        return find_four(p, strain, before, out);                                                                                                              \
    }                                                                                                                                                          \
    static const kernels name##_kernels = {four_##name};

TL_FOR_EVERY_SET(KERNELS)

static int four(const double *p, const double (*strain)[4], const double *const before[4], double (*out)[4])
{
    return TL_BEST_KERNELS->four(p, strain, before, out);
}

static double energy(const double *p, const double strain[6], const double *state)
{
    double elastic[6];
    for (int i = 0; i < 6; i++) elastic[i] = strain[i] - (state ? state[i] : 0);
    return tl_hooke_energy(tl_lame(p[YOUNG], p[POISSON]), tl_shear_modulus(p[YOUNG], p[POISSON]), elastic);
}

static void yielded(const double *p, const double *state, double *strain, double *cap)
{
    *strain = tl_strain_norm(state);
    *cap = surface_of(p, state[COMPACTED]).kappa;
}

static void renew(const double *p, const double stress[6], double *state)
{
    const double shear = tl_shear_modulus(p[YOUNG], p[POISSON]), mean = p[POISSON] / p[YOUNG] * (stress[0] + stress[1] + stress[2]);
    for (int i = 0; i < 6; i++) state[i] = i < 3 ? mean - stress[i] / (2 * shear) : -stress[i] / shear;
}

const tl_material_kind TL_DRUCKER_PRAGER = {
    .name = "drucker-prager",
    .text = "cohesive soil with inner friction that yields and, with a cap, compacts for good",
    .parameters = sizeof PARAMETER / sizeof *PARAMETER,
    .parameter = PARAMETER,
    .states = sizeof STATE / sizeof *STATE,
    .state = STATE,
    .wrong = wrong,
    .stress = stress,
    .four = four,
    .energy = energy,
    .yielded = yielded,
    .renew = renew,
};
