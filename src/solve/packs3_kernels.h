/* What is done to packs of contacts, eight side by side: sweeps of nonlinear Gauss–Seidel (D20 eq. 33, MECHANICS §5; nlgs_3d.c), drift (drift_3d.c), residuals.
 *
 * Compiled once for each instruction set (packs3_….c), in plain vector arithmetic: sums and products as written, each MADD rounded once. The bits do not
 * depend on the instruction set. */
#include "solve/lanes3.h"
#include "solve/packs3.h"

/* A pack on its way through a sweep. */
typedef struct visit {
    tl_pack3 *p;
    columns3 a, b;
    tl_lanes3 y, u, d;
} visit;

/* Each contact starts from its impulse extrapolated along its last change, y = I + β (I − I_before) (the velocities have been, already). */
INLINE void extrapolate(visit *k, const tl_lanes3 *before, double beta)
{
    const tl_lanes3 *I = &k->p->I;
    const tl_lanes zero = {0}, share = zero + beta;
    k->y.x = MADD(share, I->x - before->x, I->x);
    k->y.y = MADD(share, I->y - before->y, I->y);
    k->y.z = MADD(share, I->z - before->z, I->z);
}

INLINE void look(visit *k, const tl_row3 *rows, const tl_lanes3 *before, double beta)
{
    const tl_pack3 *p = k->p;
    gather(rows, p->a, &k->a);
    gather(rows, p->b, &k->b);
    velocity(p, &k->a, &k->b, &k->u);
    k->u.x += p->shift.x, k->u.y += p->shift.y, k->u.z += p->shift.z;
    extrapolate(k, before, beta);
}

/* What the eight did not settle side by side. */
static __attribute__((noinline)) void slip_one_by_one(const tl_pack3 *p, const tl_lanes *c, const tl_lanes *b1, const tl_lanes *b2, const mask8 *busy,
                                                      tl_lanes *lambda)
{
    for (int lane = 0; lane < TL_LANES; lane++) {
        if (!(*busy)[lane]) continue;
        const tl_coulomb3 law = {.w1 = p->w1[lane], .w2 = p->w2[lane], .s1 = p->s1[lane], .s2 = p->s2[lane], .friction = p->friction[lane]};
        (*lambda)[lane] = tl_coulomb3_slip(&law, (*c)[lane], (*b1)[lane], (*b2)[lane]);
    }
}

/* λ of signorini_coulomb3.c where `sliding`, by the same Newton iteration in the same bracket; a step that would leave it bisects. A step of 1e-9
 * of s + λ is the last: the next would be of the order of its square. Lanes that have not come so far are solved one by one. */
INLINE void slip(const tl_pack3 *p, const tl_lanes *c, const tl_lanes *b1, const tl_lanes *b2, const mask8 *sliding, tl_lanes *lambda)
{
    enum { NEWTON = 12 };
    const tl_lanes mu = p->friction, mu_c = mu * *c, zero = {0}, bb = MADD(*b1, *b1, *b2 * *b2), size = ROOT(bb);
    const tl_lanes along = mu * MADD(p->w1, *b1, p->w2 * *b2), least = SELECT(LESS(p->s1, p->s2), p->s1, p->s2);
    const tl_lanes both = 1 / (mu_c * bb), reach = both * bb; /* 1/(μc) */
    const tl_lanes coupling = MAGNITUDE(p->w1) + MAGNITUDE(p->w2);
    tl_lanes low = zero, high = size * (1 + mu * coupling) * reach;
    mask8 busy = *sliding;
    tl_lanes x = (size - along) * reach - (p->s1 * *b1 * *b1 + p->s2 * *b2 * *b2) * (both * mu_c);
    x = SELECT(LESS(x, zero), zero, x);
    x = SELECT(LESS(x, high), x, high);
    for (int i = 0; i < NEWTON && any(&busy); i++) {
        const tl_lanes e1 = p->s1 + x, e2 = p->s2 + x, y1 = *b1 * e2, y2 = *b2 * e1, m = MADD(y1, y1, y2 * y2);
        const tl_lanes N = MADD(mu_c, e1 * e2, mu * MADD(p->w1, y1, p->w2 * y2)), H = N - ROOT(m);
        const tl_lanes slope = MADD(MADD(mu_c, e1 + e2, along), m, -(N * MADD(y1, *b1, y2 * *b2))), newton = x - H * m / slope;
        const mask8 below = LESS(H, zero);
        low = SELECT(below, x, low);
        high = SELECT(below, high, x);
        const mask8 off = LESS(newton, low) | LESS(high, newton);
        const tl_lanes next = SELECT(off, 0.5 * (low + high), newton), step = next - x, close = 1e-9 * (x + least);
        x = SELECT(busy, next, x);
        busy &= off | LESS(close, step) | LESS(close, -step);
    }
    *lambda = SELECT(*sliding, x, zero);
    if (any(&busy)) slip_one_by_one(p, c, b1, b2, &busy, lambda);
}

/* The law of law/law3.h: c and b are impulse and tangential velocity without friction. Tells how far the sweep turned back against the new
 * change, ⟨y − I⁺, I⁺ − I⟩ in the energy norm of the contact: positive means overshoot. */
INLINE void obey(visit *k, tl_lanes3 *before, double *turn)
{
    tl_pack3 *p = k->p;
    const tl_lanes3 I = p->I;
    const tl_lanes zero = {0}, c = MADD(-k->u.x, p->inverse_nn, MADD(p->w2, k->y.z, MADD(p->w1, k->y.y, k->y.x)));
    const tl_lanes b1 = MADD(-p->s1, k->y.y, MADD(-p->w1, k->u.x, k->u.y)), b2 = MADD(-p->s2, k->y.z, MADD(-p->w2, k->u.x, k->u.z));
    const tl_lanes y1 = b1 * p->s2, y2 = b2 * p->s1, N = p->friction * MADD(c, p->s1 * p->s2, MADD(p->w1, y1, p->w2 * y2));
    const mask8 closed = LESS(zero, c), rough = closed & LESS(zero, p->friction), sliding = rough & (LESS(N, zero) | LESS(N * N, MADD(y1, y1, y2 * y2)));
    tl_lanes lambda = zero;
    if (any(&sliding)) slip(p, &c, &b1, &b2, &sliding, &lambda);
    const tl_lanes e1 = p->s1 + lambda, e2 = p->s2 + lambda, minus = SELECT(rough, -1 / (e1 * e2), zero);
    const tl_lanes x1 = b1 * e2 * minus, x2 = b2 * e1 * minus, n = MADD(-p->w2, x2, MADD(-p->w1, x1, c));
    p->I.x = SELECT(closed, n, zero), p->I.y = x1, p->I.z = x2;
    k->d.x = p->I.x - k->y.x, k->d.y = p->I.y - k->y.y, k->d.z = p->I.z - k->y.z;
    const tl_lanes3 change = {p->I.x - I.x, p->I.y - I.y, p->I.z - I.z};
    const tl_lanes lift = MADD(p->w2, k->d.z, MADD(p->w1, k->d.y, k->d.x)), lifted = MADD(p->w2, change.z, MADD(p->w1, change.y, change.x));
    const tl_lanes back = MADD(p->nn * lift, lifted, MADD(p->s1 * k->d.y, change.y, p->s2 * k->d.z * change.z));
    *turn = -sum_of(&back);
    *before = I;
}

/* A pack is a page's worth of cache lines, used once per sweep: what fetches them ahead by itself gives up at the border of each page. */
enum { AHEAD = 2, LINE = 64 };

INLINE void fetch(const void *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += LINE) __builtin_prefetch((const char *)from + at, 1);
}

INLINE void fetch_pack(const tl_pack3 *p, const tl_lanes3 *before, size_t bytes)
{
    fetch(p, bytes);
    fetch(before, sizeof *before);
}

INLINE void fetch_rows(const tl_row3 *rows, const tl_pack3 *p)
{
    for (int lane = 0; lane < TL_LANES; lane++) {
        __builtin_prefetch((const char *)rows + p->a[lane], 1);
        __builtin_prefetch((const char *)rows + p->b[lane], 1);
    }
}

/* Packs list[0 … count − 1]. */
static void sweep_packs(tl_row3 *rows, tl_pack3 *packs, tl_lanes3 *before, double beta, const int *list, int count, double *turn)
{
    for (int i = 0; i < count; i++) {
        if (i + AHEAD < count) fetch_pack(&packs[list[i + AHEAD]], &before[list[i + AHEAD]], offsetof(tl_pack3, third));
        if (i + 1 < count) fetch_rows(rows, &packs[list[i + 1]]);
        visit k = {.p = &packs[list[i]]};
        look(&k, rows, &before[list[i]], beta);
        obey(&k, &before[list[i]], &turn[list[i]]);
        apply(k.p, rows, &k.a, &k.b, &k.d);
    }
}

/* Spheres: no coupling of n with 1 and 2, which are alike. */
INLINE void velocity_of_spheres(const tl_pack3 *p, const columns3 *a, const columns3 *b, tl_lanes3 *u)
{
    tl_lanes3 s, d;
    second_tangent(p, &s);
    between_centres(p, &a->v, &b->v, &d);
    const tl_lanes3 spin = {MADD(p->kb, b->w.x, -(p->ka * a->w.x)), MADD(p->kb, b->w.y, -(p->ka * a->w.y)), MADD(p->kb, b->w.z, -(p->ka * a->w.z))};
    u->x = ADD_DOT(p->shift.x, p->n, d);
    u->y = ADD_DOT(ADD_DOT(p->shift.y, p->t, d), s, spin);
    u->z = ADD_DOT(p->shift.z, s, d) - DOT(p->t, spin);
}

INLINE void look_spheres(visit *k, const tl_row3 *rows, const tl_lanes3 *before, double beta)
{
    const tl_pack3 *p = k->p;
    gather(rows, p->a, &k->a);
    gather(rows, p->b, &k->b);
    velocity_of_spheres(p, &k->a, &k->b, &k->u);
    extrapolate(k, before, beta);
}

/* Stick or slip in closed form. */
INLINE void obey_spheres(visit *k, tl_lanes3 *before, double *turn)
{
    tl_pack3 *p = k->p;
    const tl_lanes3 I = p->I, y = k->y;
    const tl_lanes zero = {0}, one = zero + 1, c = MADD(-k->u.x, p->inverse_nn, y.x);
    const tl_lanes b1 = MADD(-p->s1, y.y, k->u.y), b2 = MADD(-p->s1, y.z, k->u.z);
    const tl_lanes border = p->friction * c, speed = ROOT(MADD(b1, b1, b2 * b2));
    const mask8 closed = LESS(zero, c), slides = LESS(border * p->s1, speed);
    const tl_lanes minus = SELECT(closed, SELECT(slides, border, one) / SELECT(slides, speed, p->s1), zero);
    p->I = (tl_lanes3){SELECT(closed, c, zero), -(b1 * minus), -(b2 * minus)};
    k->d = (tl_lanes3){p->I.x - y.x, p->I.y - y.y, p->I.z - y.z};
    const tl_lanes3 change = {p->I.x - I.x, p->I.y - I.y, p->I.z - I.z};
    const tl_lanes back = MADD(MADD(p->sa, p->sa, p->sb * p->sb) * k->d.x, change.x, p->s1 * MADD(k->d.y, change.y, k->d.z * change.z));
    *turn = -sum_of(&back);
    *before = I;
}

INLINE void apply_spheres(visit *k, tl_row3 *rows)
{
    const tl_pack3 *p = k->p;
    const tl_lanes3 d = k->d;
    columns3 *a = &k->a, *b = &k->b;
    tl_lanes3 s;
    second_tangent(p, &s);
    const tl_lanes3 P = {ALONG(p->n, p->t, s, &d, x), ALONG(p->n, p->t, s, &d, y), ALONG(p->n, p->t, s, &d, z)};
    const tl_lanes3 M = {MADD(s.x, d.y, -(p->t.x * d.z)), MADD(s.y, d.y, -(p->t.y * d.z)), MADD(s.z, d.y, -(p->t.z * d.z))};
    const tl_lanes back = -p->sa, turned_back = -p->ka;
    push(&b->v, &p->sb, &P);
    push(&b->w, &p->kb, &M);
    push(&a->v, &back, &P);
    push(&a->w, &turned_back, &M);
    scatter(rows, p->b, b);
    scatter(rows, p->a, a);
}

/* Two packs at a time: the latency of one hides behind the other. */
static void sweep_spheres(tl_row3 *rows, tl_pack3 *packs, tl_lanes3 *before, double beta, const int *list, int count, double *turn)
{
    int i = 0;
    for (; i + 1 < count; i += 2) {
        for (int next = i + 4; next < i + 6 && next < count; next++) fetch_pack(&packs[list[next]], &before[list[next]], offsetof(tl_pack3, an));
        const int first = list[i], second = list[i + 1];
        visit k = {.p = &packs[first]}, l = {.p = &packs[second]};
        look_spheres(&k, rows, &before[first], beta);
        look_spheres(&l, rows, &before[second], beta);
        obey_spheres(&k, &before[first], &turn[first]);
        obey_spheres(&l, &before[second], &turn[second]);
        apply_spheres(&k, rows);
        apply_spheres(&l, rows);
    }
    for (; i < count; i++) {
        visit k = {.p = &packs[list[i]]};
        look_spheres(&k, rows, &before[list[i]], beta);
        obey_spheres(&k, &before[list[i]], &turn[list[i]]);
        apply_spheres(&k, rows);
    }
}

static void start_packs(tl_row3 *rows, const tl_pack3 *packs, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        columns3 a, b;
        gather(rows, packs[i].a, &a);
        gather(rows, packs[i].b, &b);
        apply(&packs[i], rows, &a, &b, &packs[i].I);
    }
}

/* Residuals of the eight (law/signorini_coulomb3.c). */
INLINE tl_errors errors_of(const tl_pack3 *p, const tl_lanes3 *u)
{
    const tl_lanes zero = {0}, inverse_rho = p->third, mu = p->friction, sliding = ROOT(MADD(u->y, u->y, u->z * u->z));
    /* scaled by 1/ρ: x = I/ρ − û */
    const tl_lanes3 I = {p->I.x * inverse_rho, p->I.y * inverse_rho, p->I.z * inverse_rho};
    const tl_lanes3 x = {I.x - MADD(mu, sliding, u->x), I.y - u->y, I.z - u->z};
    const tl_lanes aside = ROOT(MADD(x.y, x.y, x.z * x.z)), out = MADD(mu, aside, x.x), edge = out / (1 + mu * mu), share = mu * edge / aside;
    const mask8 polar = ~LESS(zero, out), beyond = LESS(mu * x.x, aside);
    const tl_lanes out_n = SELECT(beyond, edge, x.x), out_t = SELECT(beyond, share * x.y, x.y), out_s = SELECT(beyond, share * x.z, x.z);
    const tl_lanes3 d = {I.x - SELECT(polar, zero, out_n), I.y - SELECT(polar, zero, out_t), I.z - SELECT(polar, zero, out_s)};
    const tl_lanes squared = DOT(d, d), error = ROOT(squared);
    const double sum = sum_of(&error);
    const mask8 presses = LESS(zero, p->I.x);
    const tl_lanes count = SELECT(presses, zero + 1, zero);
    return (tl_errors){.largest = sum == sum ? largest_of(&error) : sum, .sum = sum, .pressing = (int)sum_of(&count)};
}

/* u = Hᵀ v + shift. */
static void velocity_of_pack(const tl_row3 *rows, const tl_pack3 *p, tl_lanes3 *u)
{
    columns3 a, b;
    gather(rows, p->a, &a);
    gather(rows, p->b, &b);
    velocity(p, &a, &b, u);
    u->x += p->shift.x, u->y += p->shift.y, u->z += p->shift.z;
}

static void residual_packs(const tl_row3 *rows, const tl_pack3 *packs, int begin, int end, tl_errors *error)
{
    for (int i = begin; i < end; i++) {
        const tl_pack3 *p = &packs[i];
        if (i + AHEAD < end) fetch(&packs[i + AHEAD], sizeof(tl_pack3));
        tl_lanes3 u;
        velocity_of_pack(rows, p, &u);
        error[i] = errors_of(p, &u);
    }
}

static void residual_spheres(const tl_row3 *rows, const tl_pack3 *packs, int begin, int end, tl_errors *error)
{
    for (int i = begin; i < end; i++) {
        const tl_pack3 *p = &packs[i];
        if (i + AHEAD < end) fetch(&packs[i + AHEAD], offsetof(tl_pack3, an));
        columns3 a, b;
        tl_lanes3 u;
        gather(rows, p->a, &a);
        gather(rows, p->b, &b);
        velocity_of_spheres(p, &a, &b, &u);
        error[i] = errors_of(p, &u);
    }
}

/* ---- drift (drift_3d.c) -------------------------------------------------------------------------------------------- */

/* Frictionless impulses act along n alone: of a pack only what belongs to n is read. */
static void drift_packs(tl_row3 *rows, const tl_pack3 *packs, const tl_lanes *goals, tl_lanes *impulses, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        const tl_pack3 *p = &packs[i];
        columns3 a, b;
        gather(rows, p->a, &a);
        gather(rows, p->b, &b);
        tl_lanes3 d;
        between_centres(p, &a.v, &b.v, &d);
        const tl_lanes u = ADD_DOT(DOT(p->n, d), p->bn, b.w) - DOT(p->an, a.w), back = -p->sa;
        const tl_lanes zero = u - u, wanted = MADD(-(u + goals[i]), p->inverse_nn, impulses[i]);
        const tl_lanes I = SELECT(LESS(zero, wanted), wanted, zero), dI = I - impulses[i], minus = -dI;
        impulses[i] = I;
        const tl_lanes3 P = {p->n.x * dI, p->n.y * dI, p->n.z * dI};
        push(&b.v, &p->sb, &P);
        push(&b.w, &dI, &p->bn);
        push(&a.v, &back, &P);
        push(&a.w, &minus, &p->an);
        scatter(rows, p->b, &b); /* b first: where it does not move it is a copy of a */
        scatter(rows, p->a, &a);
    }
}

/* Spheres do not turn. */
static void drift_spheres(tl_row3 *rows, const tl_pack3 *packs, const tl_lanes *goals, tl_lanes *impulses, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        const tl_pack3 *p = &packs[i];
        tl_lanes3 a, b, d;
        gather_part(rows, p->a, offsetof(tl_row3, v), &a);
        gather_part(rows, p->b, offsetof(tl_row3, v), &b);
        between_centres(p, &a, &b, &d);
        const tl_lanes u = DOT(p->n, d), zero = u - u, wanted = MADD(-(u + goals[i]), p->inverse_nn, impulses[i]), back = -p->sa;
        const tl_lanes I = SELECT(LESS(zero, wanted), wanted, zero), dI = I - impulses[i];
        impulses[i] = I;
        const tl_lanes3 P = {p->n.x * dI, p->n.y * dI, p->n.z * dI};
        push(&b, &p->sb, &P);
        push(&a, &back, &P);
        scatter_part(rows, p->b, offsetof(tl_row3, v), &b);
        scatter_part(rows, p->a, offsetof(tl_row3, v), &a);
    }
}

/* ---- other -------------------------------------------------------------------------------------------------------- */

static void extrapolate_rows(double *restrict v, double *restrict before, double beta, int begin, int end) { tl_extrapolate(v, before, beta, begin, end); }

const tl_packs3 TL_PACKS3 = {.sweep = sweep_packs,
                             .sweep_spheres = sweep_spheres,
                             .start = start_packs,
                             .residual = residual_packs,
                             .residual_spheres = residual_spheres,
                             .drift = drift_packs,
                             .drift_spheres = drift_spheres,
                             .velocity = velocity_of_pack,
                             .extrapolate = extrapolate_rows};
