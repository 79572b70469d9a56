/* Interior points in velocities of bodies (body_system.h; theory §5.8).
 *
 * Every bound of a row has a multiplier z: (I − low) z = m, and the velocity is u + Σ I = z_low − z_high. A contact has De Saxcé's form, in units in which
 * impulse and velocity are of one size: x = (I_n, I_t/μ)/c and z = c (u_n + s, μ u_t) with s = μ ‖u_t‖ lie in the same cone, and x ∘ z = m e. Newton's
 * method follows the points of equal m towards m = 0, predicted, then corrected (Mehrotra 1992), in the scaling of Nesterov & Todd:
 *
 *     (E + G²) dx = G d − r − c T L Hᵀ dv,     dz = G d − G² dx,     r = c T (u + Σ I + s n) + ε T² x − z,     T = diag(1, μ, μ).
 *
 * E is c² Σ, and ε T² for impulses of little norm: of all that give the same velocities, those inside may be large, and grow from step to step.
 *
 * L has what makes it Coulomb's law and no convex program: s follows u_t, ds = μ u_tᵀ du_t/‖u_t‖, in each step. Without it a step sees sliding as dilation,
 * and impulses follow s in a fixed point that contracts slowly or not at all. With it the matrix is unsymmetric, and steps may be blocked by a few contacts
 * whose sliding turns; then what is left is better done by rounds of Newton's method (body_newton.c), which need to know what presses and slides.
 *
 * A first guess is moved inside by as much as its error, since points on the border would block the first steps. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/body_system.h"
#include "solve/cone_scaling.h"

static const double CLOSE = 0.95; /* to the border, of the longest step                                                  */
static const double SHORT = 0.05; /* steps that are blocked: after two of them it begins anew from there                  */
static const double SLACK = 0.1;  /* of 1/W: contacts that answer less to velocities are left out of the matrix            */
static const double SOFT = 0.003; /* of the tolerance: by so much contacts may be soft, for impulses of little norm         */
static const double GONE = 1e-26; /* of the first m: beyond, only rounding moves                                          */
enum { MOST = 40, AGAIN = 2 };    /* steps, of which those that end take 8 to 25; how often it begins anew before Newton's rounds take over */

typedef struct cone {
    tl_cone_scaling G;
    double unit, mu;                 /* c */
    double x[3], z[3], dx[3], dz[3]; /* 0 where there are fewer rows */
    double s, follow[3], r[3];       /* ds = follow · du */
    double d[3], E[3];               /* what the law, and a guess of little norm, add to z of x */
    double root[6];                  /* of 1 + G⁻¹ E G⁻¹, Cholesky's: its rows */
} cone;

typedef struct bounds {                                                      /* of each row */
    double z[2][TL_BODY_ROWS], dz[2][TL_BODY_ROWS], wanted[2][TL_BODY_ROWS]; /* of `low` and `high`; the product that is wanted */
    double K[TL_BODY_ROWS];                                                  /* −∂I/∂u */
} bounds;

typedef struct inner {
    double a[TL_BODY_ROWS], dI[TL_BODY_ROWS]; /* dI = a − D du */
    union {
        cone cone;
        bounds bounds;
    };
} inner;

typedef struct interior {
    tl_body_system *s;
    inner *of; /* [holds] */
    int products;
    double t, wanted; /* the share of a step; the m that it aims at */
    double norm;      /* of W: what is added to a contact's own, so that of many impulses those of little norm are found */
} interior;

static bool is_cone(const tl_body_hold *k) { return k->disks > 0; }

/* Can the row be moved, and its impulse? Bounds that differ by next to nothing are one. */
static bool is_free(const tl_body_hold *k, int r)
{
    const double width = k->high - k->low;
    return k->own[r] > 0 && (isinf(width) || width > 1e-9 * (fabs(k->low) + fabs(k->high)));
}

/* ---- one contact -------------------------------------------------------------------------------------------------------------- */

static double scale_of(const cone *c, int r) { return r == 0 ? c->unit : c->unit * c->mu; }

static void cone_impulse(const tl_body_hold *k, const cone *c, double *I)
{
    for (int r = 0; r < k->rows; r++) I[r] = scale_of(c, r) * c->x[r];
}

/* The opening s of sliding, and how it follows the velocity. */
static void cone_open(const tl_body_hold *k, const double *u, cone *c)
{
    const double speed = k->rows > 2 ? sqrt(u[1] * u[1] + u[2] * u[2]) : fabs(u[1]);
    c->s = c->mu * speed;
    for (int r = 1; r < k->rows; r++) c->follow[r] = speed > 0 ? c->mu * u[r] / speed : 0;
}

/* The guess, moved inside by a velocity of `push`. */
static void cone_start(const tl_body_hold *k, const double *u, double push, cone *c)
{
    double W = 0;
    for (int r = 0; r < k->rows; r++) W += (k->own[r] + k->give[r]) / k->rows;
    *c = (cone){.unit = 1 / sqrt(W), .mu = k->disk[0].share};
    cone_open(k, u, c);
    for (int r = 0; r < k->rows; r++) {
        c->x[r] = r == 0 ? fmax(k->I[0], 0) / c->unit : c->mu > 0 ? k->I[r] / scale_of(c, r) : 0;
        c->z[r] = scale_of(c, r) * (u[r] + (r == 0 ? k->give[0] * k->I[0] + c->s : 0));
    }
    const double aside = sqrt(c->x[1] * c->x[1] + c->x[2] * c->x[2]), share = aside > c->x[0] ? c->x[0] / aside : 1;
    c->x[1] *= share, c->x[2] *= share; /* friction beyond what the guess presses with is cut */
    c->x[0] = fmax(c->x[0], share * aside + c->unit * push);
    c->z[0] = fmax(c->z[0], sqrt(c->z[1] * c->z[1] + c->z[2] * c->z[2]) + c->unit * push);
}

static void cone_look(const tl_body_hold *k, const double *u, double norm, cone *c)
{
    cone_open(k, u, c);
    for (int r = 0; r < k->rows; r++) {
        const double soft = norm * (r == 0 ? 1 : c->mu * c->mu);
        c->E[r] = soft + (r == 0 ? c->unit * c->unit * k->give[0] : 0);
        c->r[r] = scale_of(c, r) * (u[r] + (r == 0 ? k->give[0] * k->I[0] + c->s : 0)) + soft * c->x[r] - c->z[r];
    }
}

static bool cone_scale(cone *c)
{
    double A[3][3], *L = c->root;
    if (!tl_cone_scale(c->x, c->z, &c->G)) return false;
    for (int m = 0; m < 3; m++) {
        double column[3] = {0};
        column[m] = 1;
        tl_cone_times_inverse_G(&c->G, column);
        for (int i = 0; i < 3; i++) column[i] *= c->E[i];
        tl_cone_times_inverse_G(&c->G, column);
        for (int i = 0; i < 3; i++) A[m][i] = column[i] + (i == m);
    }
    L[0] = sqrt(A[0][0]);
    L[1] = A[1][0] / L[0], L[2] = sqrt(A[1][1] - L[1] * L[1]);
    L[3] = A[2][0] / L[0], L[4] = (A[2][1] - L[3] * L[1]) / L[2], L[5] = sqrt(A[2][2] - L[3] * L[3] - L[4] * L[4]);
    return isfinite(L[5]);
}

/* dx = K (G d − v) with K = (E + G²)⁻¹, as G⁻¹ (1 + G⁻¹ E G⁻¹)⁻¹ (d − G⁻¹ v): K itself would have lost all digits near the border. */
static void cone_answer(const cone *c, const double d[3], const double v[3], double dx[3])
{
    const double *L = c->root;
    double y[3] = {v[0], v[1], v[2]};
    tl_cone_times_inverse_G(&c->G, y);
    for (int m = 0; m < 3; m++) dx[m] = d[m] - y[m];
    dx[0] /= L[0];
    dx[1] = (dx[1] - L[1] * dx[0]) / L[2];
    dx[2] = (dx[2] - L[3] * dx[0] - L[4] * dx[1]) / L[5] / L[5];
    dx[1] = (dx[1] - L[4] * dx[2]) / L[2];
    dx[0] = (dx[0] - L[1] * dx[1] - L[3] * dx[2]) / L[0];
    tl_cone_times_inverse_G(&c->G, dx);
}

/* D: c T K c T L. */
static void cone_stiffness(const tl_body_hold *k, const cone *c, double *D)
{
    static const double NONE[3] = {0};
    for (int m = 0; m < k->rows; m++) {
        double v[3] = {0}, dx[3];
        v[m] = -scale_of(c, m);
        v[0] -= c->unit * c->follow[m];
        cone_answer(c, NONE, v, dx);
        for (int r = 0; r < k->rows; r++) D[r * k->rows + m] = scale_of(c, r) * dx[r];
    }
}

/* dI where the velocity stays. */
static void cone_right(const tl_body_hold *k, const cone *c, double *a)
{
    double dx[3];
    cone_answer(c, c->d, c->r, dx);
    for (int r = 0; r < k->rows; r++) a[r] = scale_of(c, r) * dx[r];
}

/* dx and dz of du. */
static void cone_follow(const tl_body_hold *k, const double *du, cone *c)
{
    double v[3] = {c->r[0], c->r[1], c->r[2]};
    for (int r = 0; r < k->rows; r++) v[0] += c->unit * c->follow[r] * du[r], v[r] += scale_of(c, r) * du[r];
    cone_answer(c, c->d, v, c->dx);
    for (int m = 0; m < 3; m++) c->dz[m] = v[m] + c->E[m] * c->dx[m];
}

/* x · z after a share of the step. */
static double cone_product(const cone *c, double t)
{
    double sum = 0;
    for (int m = 0; m < 3; m++) sum += (c->x[m] + t * c->dx[m]) * (c->z[m] + t * c->dz[m]);
    return sum;
}

static void cone_take(cone *c, double t)
{
    for (int m = 0; m < 3; m++) c->x[m] += t * c->dx[m], c->z[m] += t * c->dz[m];
    tl_cone_stay_inside(c->x);
    tl_cone_stay_inside(c->z);
}

/* ---- rows with bounds --------------------------------------------------------------------------------------------------------- */

/* How far a row is from its bound `side`, at least by rounding; infinite: it has none. */
static double away(const tl_body_hold *k, int side, int r)
{
    const double bound = side == 0 ? k->low : k->high;
    return fmax(fabs(k->I[r] - bound), DBL_EPSILON * fabs(bound) + DBL_MIN);
}

static void bounds_start(tl_body_hold *k, const double *u, double push, bounds *b)
{
    *b = (bounds){0};
    for (int r = 0; r < k->rows; r++) {
        if (!is_free(k, r)) {
            k->I[r] = fmax(k->low, fmin(k->I[r], k->high));
            continue;
        }
        const double v = u[r] + k->give[r] * k->I[r], inside = fmin(push / (k->own[r] + k->give[r]), 0.05 * (k->high - k->low));
        k->I[r] = fmax(k->low + inside, fmin(k->I[r], k->high - inside));
        if (isfinite(k->low)) b->z[0][r] = fmax(v, 0) + push;
        if (isfinite(k->high)) b->z[1][r] = fmax(-v, 0) + push;
    }
}

static void bounds_scale(const tl_body_hold *k, bounds *b)
{
    for (int r = 0; r < k->rows; r++) {
        double stiff = k->give[r];
        for (int side = 0; side < 2; side++) stiff += b->z[side][r] / away(k, side, r);
        b->K[r] = is_free(k, r) ? 1 / stiff : 0;
    }
}

/* What a multiplier becomes where the impulse stays. */
static double aim(const tl_body_hold *k, const bounds *b, int side, int r) { return b->wanted[side][r] / away(k, side, r); }

static void bounds_right(const tl_body_hold *k, const double *u, const bounds *b, double *a)
{
    for (int r = 0; r < k->rows; r++) a[r] = b->K[r] > 0 ? b->K[r] * (aim(k, b, 0, r) - aim(k, b, 1, r) - u[r] - k->give[r] * k->I[r]) : 0;
}

static void bounds_follow(const tl_body_hold *k, const double *dI, bounds *b)
{
    for (int side = 0; side < 2; side++)
        for (int r = 0; r < k->rows; r++)
            b->dz[side][r] = b->z[side][r] > 0 ? aim(k, b, side, r) - b->z[side][r] - (side == 0 ? 1 : -1) * b->z[side][r] / away(k, side, r) * dI[r] : 0;
}

static double room(double x, double d) { return d < 0 ? fmin(1, -x / d) : 1; }

static double bounds_room(const tl_body_hold *k, const double *dI, const bounds *b)
{
    double t = 1;
    for (int side = 0; side < 2; side++)
        for (int r = 0; r < k->rows; r++)
            if (b->z[side][r] > 0) t = fmin(t, fmin(room(away(k, side, r), side == 0 ? dI[r] : -dI[r]), room(b->z[side][r], b->dz[side][r])));
    return t;
}

static double bounds_product(const tl_body_hold *k, const double *dI, const bounds *b, double t)
{
    double sum = 0;
    for (int side = 0; side < 2; side++)
        for (int r = 0; r < k->rows; r++)
            if (b->z[side][r] > 0) sum += (away(k, side, r) + (side == 0 ? t : -t) * dI[r]) * (b->z[side][r] + t * b->dz[side][r]);
    return sum;
}

/* What a step leaves of a product beyond what is linear in it is to be corrected. */
static void bounds_correct(const tl_body_hold *k, const double *dI, double wanted, bounds *b)
{
    for (int side = 0; side < 2; side++)
        for (int r = 0; r < k->rows; r++) b->wanted[side][r] = wanted - (side == 0 ? 1 : -1) * dI[r] * b->dz[side][r];
}

/* ---- all holds ---------------------------------------------------------------------------------------------------------------- */

static bool impulses(void *solver, int hold, double *I)
{
    const interior *w = solver;
    const tl_body_hold *k = &w->s->p->hold[hold];
    if (is_cone(k)) cone_impulse(k, &w->of[hold].cone, I);
    else memcpy(I, k->I, (size_t)k->rows * sizeof *I);
    return true;
}

/* Those that a step asks for if velocities stay: of the first of a pair, which aims at m = 0, and of the second, which knows what the first misses. */
static bool next_impulses(void *solver, int hold, double *I)
{
    const interior *w = solver;
    const tl_body_hold *k = &w->s->p->hold[hold];
    const double *u = w->s->u[hold];
    inner *of = &w->of[hold];
    if (is_cone(k)) cone_right(k, &of->cone, of->a);
    else if (tl_hold_is_joint(k)) tl_hold_pull(k, u, of->a);
    else bounds_right(k, u, &of->bounds, of->a);
    for (int r = 0; r < k->rows; r++) I[r] = k->I[r] + of->a[r];
    return true;
}

static bool corrected_impulses(void *solver, int hold, double *I)
{
    const interior *w = solver;
    const tl_body_hold *k = &w->s->p->hold[hold];
    inner *of = &w->of[hold];
    if (is_cone(k)) tl_cone_correct(&of->cone.G, of->cone.dx, of->cone.dz, w->wanted, of->cone.d);
    else if (!tl_hold_is_joint(k)) bounds_correct(k, of->dI, w->wanted, &of->bounds);
    return next_impulses(solver, hold, I);
}

/* Of a point: how far it is from its law, and its scaling. A matrix without numbers has no factor. */
static bool stiffness(void *solver, int hold, double *D)
{
    const interior *w = solver;
    const tl_body_hold *k = &w->s->p->hold[hold];
    inner *of = &w->of[hold];
    memset(D, 0, (size_t)(k->rows * k->rows) * sizeof *D);
    if (is_cone(k)) {
        double most = 0;
        cone_look(k, w->s->u[hold], w->norm, &of->cone);
        if (!cone_scale(&of->cone)) {
            D[0] = (double)NAN;
            return true;
        }
        for (int m = 0; m < 3; m++) of->cone.d[m] = -of->cone.G.lambda[m];
        cone_stiffness(k, &of->cone, D);
        for (int r = 0; r < k->rows; r++) most = fmax(most, D[r * k->rows + r] * k->own[r]);
        return most > SLACK;
    }
    bounds_scale(k, &of->bounds);
    memset(of->bounds.wanted, 0, sizeof of->bounds.wanted);
    for (int r = 0; r < k->rows; r++) D[r * k->rows + r] = of->bounds.K[r];
    return true;
}

/* `sum`: of the products of a share after the share t of the step. */
static void products_share(void *solver, tl_body_share *a)
{
    const interior *w = solver;
    a->sum = 0;
    for (int i = 0; i < a->holds; i++) {
        const tl_body_hold *k = &w->s->p->hold[a->hold[i]];
        const inner *of = &w->of[a->hold[i]];
        if (tl_hold_is_joint(k)) continue;
        a->sum += is_cone(k) ? cone_product(&of->cone, w->t) : bounds_product(k, of->dI, &of->bounds, w->t);
    }
}

/* m after a share of the step. */
static double mean_product(interior *w, double t)
{
    double sum = 0;
    w->t = t;
    tl_body_each(w->s, products_share, w);
    for (int part = 0; part <= w->s->parts; part++) sum += w->s->share[part].sum;
    return sum / w->products;
}

/* dI, dx, dz; `sum`: the longest step that stays inside; 0 where velocities are no numbers. */
static void follow_share(void *solver, tl_body_share *a)
{
    const interior *w = solver;
    a->sum = 1;
    for (int i = 0; i < a->holds; i++) {
        const tl_body_hold *k = &w->s->p->hold[a->hold[i]];
        const double *du = w->s->du[a->hold[i]];
        inner *of = &w->of[a->hold[i]];
        for (int r = 0; r < k->rows; r++) a->sum = isfinite(du[r]) ? a->sum : 0;
        if (is_cone(k)) {
            cone_follow(k, du, &of->cone);
            a->sum = fmin(a->sum, fmin(tl_cone_room(of->cone.x, of->cone.dx), tl_cone_room(of->cone.z, of->cone.dz)));
            continue;
        }
        double D[TL_BODY_ROWS * TL_BODY_ROWS];
        const bool joint = tl_hold_is_joint(k);
        if (joint) tl_hold_joint(k, D);
        for (int r = 0; r < k->rows; r++) of->dI[r] = of->a[r] - (joint ? D[r * k->rows + r] : of->bounds.K[r]) * du[r];
        if (joint) continue;
        bounds_follow(k, of->dI, &of->bounds);
        a->sum = fmin(a->sum, bounds_room(k, of->dI, &of->bounds));
    }
}

/* A step towards impulses; returns the longest share of it that stays inside. */
static double find_step(interior *w, tl_body_impulses *towards)
{
    double t = 1;
    (void)tl_body_disagreement(w->s, 0, towards, w);
    tl_body_step(w->s, follow_share, w);
    for (int part = 0; part <= w->s->parts; part++) t = fmin(t, w->s->share[part].sum);
    return t;
}

/* The share t of a step. */
static void take_share(void *solver, tl_body_share *a)
{
    const interior *w = solver;
    for (int i = 0; i < a->holds; i++) {
        tl_body_hold *k = &w->s->p->hold[a->hold[i]];
        inner *of = &w->of[a->hold[i]];
        if (is_cone(k)) {
            cone_take(&of->cone, w->t);
            cone_impulse(k, &of->cone, k->I);
            continue;
        }
        for (int r = 0; r < k->rows; r++) k->I[r] = fmax(k->low, fmin(k->I[r] + w->t * of->dI[r], k->high)); /* but for rounding it is inside */
        if (tl_hold_is_joint(k)) continue;
        for (int side = 0; side < 2; side++)
            for (int r = 0; r < k->rows; r++) of->bounds.z[side][r] += w->t * of->bounds.dz[side][r];
    }
}

/* Softness that moves contacts by a part of the tolerance. */
static void choose_norm(interior *w)
{
    const tl_body_problem *p = w->s->p;
    double most = 0;
    for (int i = 0; i < p->holds; i++)
        if (is_cone(&p->hold[i])) most = fmax(most, p->hold[i].I[0] / (w->of[i].cone.unit * w->of[i].cone.unit));
    w->norm = most > 0 ? fmin(SOFT * p->tolerance / most, 1e-3) : 0; /* contacts that carry next to nothing stay hard */
}

/* Predicts with m = 0, corrects. False: no step helps any more. */
static bool advance(interior *w, double m, double *t)
{
    choose_norm(w);
    if (!tl_body_factor(w->s, stiffness, w)) return false;
    w->s->p->iterations++;
    const double far = find_step(w, next_impulses);
    const double left = fmax(mean_product(w, far) / m, 0);
    w->wanted = left * left * left * m;
    w->t = *t = fmin(1, CLOSE * find_step(w, corrected_impulses));
    if (!(*t > 0)) {
        tl_body_refuse(w->s);
        return false;
    }
    tl_body_take(w->s, *t);
    tl_body_each(w->s, take_share, w);
    return true;
}

/* Do interior points know the sets of all holds, and are there some? */
static bool do_suit(interior *w)
{
    const tl_body_problem *p = w->s->p;
    w->products = 0;
    for (int i = 0; i < p->holds; i++) {
        const tl_body_hold *k = &p->hold[i];
        if (tl_hold_is_joint(k)) continue;
        if (is_cone(k) && (!tl_hold_is_contact(k) || !(k->own[0] > 0) || k->give[1] > 0 || k->give[2] > 0)) return false;
        if (is_cone(k)) w->products++;
        for (int r = 0; !is_cone(k) && r < k->rows; r++) w->products += is_free(k, r) * (!isinf(k->low) + !isinf(k->high));
    }
    return w->products > 0;
}

/* From present impulses and velocities, moved inside by a velocity of `push`. */
static void start(interior *w, double push)
{
    tl_body_problem *p = w->s->p;
    for (int i = 0; i < p->holds; i++) {
        tl_body_hold *k = &p->hold[i];
        if (is_cone(k)) cone_start(k, w->s->u[i], push, &w->of[i].cone);
        else if (!tl_hold_is_joint(k)) bounds_start(k, w->s->u[i], push, &w->of[i].bounds);
        if (is_cone(k)) cone_impulse(k, &w->of[i].cone, k->I);
    }
}

static void run(interior *w)
{
    tl_body_problem *p = w->s->p;
    double first = 0, t = 1, lag;
    start(w, p->error);
    for (int turn = 0, blocked = 0, again = 0;; turn++) {
        (void)tl_body_disagreement(w->s, 0, impulses, w);
        const double error = tl_body_measure(w->s, impulses, w, &lag);
        if (p->error <= fmax(p->near, p->tolerance) || tl_body_is_over(p) || turn == MOST) return;
        if (blocked == 2) {
            if (again++ == AGAIN) return;
            start(w, error);
            blocked = 0;
        }
        const double m = mean_product(w, 0);
        if (turn == 0) first = m;
        if (!(m > GONE * first) || !advance(w, m, &t)) return;
        blocked = t < SHORT ? blocked + 1 : 0;
    }
}

talus_status tl_body_interior(tl_body_system *s, tl_step *step)
{
    interior w = {.s = s};
    if (!do_suit(&w)) return TALUS_OK;
    w.of = tl_arena_zero(step->arena, (size_t)s->p->holds, sizeof *w.of);
    if (!w.of) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d constraints", s->p->holds);
    run(&w);
    return TALUS_OK;
}
