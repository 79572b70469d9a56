/* What is done to packs of contacts, side by side: sweeps of nonlinear Gauss–Seidel (D20 eq. 33, theory §5; nlgs_3d.c), drift (drift_3d.c), residuals.
 *
 * Compiled once for each instruction set (packs3_….c), in plain vector arithmetic: sums and products as written, each MADD rounded once. The bits do not
 * depend on the instruction set. */
#include "solve/lanes3.h"

/* y = I + β (I − I_before): each contact starts from its impulse extrapolated along its last change (the velocities have been, already). */
INLINE void extrapolate(const lanes3 *I, const lanes3 *before, double beta, lanes3 *y)
{
    const lanes zero = {0}, share = zero + beta;
    y->x = MADD(share, I->x - before->x, I->x);
    y->y = MADD(share, I->y - before->y, I->y);
    y->z = MADD(share, I->z - before->z, I->z);
}

/* A pack is a page's worth of cache lines, used once per sweep: what fetches them ahead by itself gives up at the border of each page. */
enum { AHEAD = 4, ROWS_AHEAD = 2 };

INLINE void fetch(const void *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += TL_LINE) __builtin_prefetch((const char *)from + at, 1);
}

INLINE void fetch_rows(const tl_row3 *rows, const uint32_t a[TL_LANES], const uint32_t b[TL_LANES])
{
    for (int lane = 0; lane < TL_LANES; lane++) {
        __builtin_prefetch((const char *)rows + a[lane], 1);
        __builtin_prefetch((const char *)rows + b[lane], 1);
    }
}

/* ---- residuals ------------------------------------------------------------------------------------------------------ */

/* Normal parts of some contacts, and what their law knows. */
typedef struct normal3 {
    lanes inverse_rho, friction, I, u;
} normal3;

/* Residuals (law/signorini_coulomb3.c); tangential parts along any axes. Velocities are not told as differences of impulses: rounding of a large one would
 * hide them. */
INLINE void add_errors(const normal3 *k, const lanes3 *I_t, const lanes3 *u_t, tally *all)
{
    const lanes zero = {0}, mu = k->friction, u = MADD(mu, ROOT(DOT(*u_t, *u_t)), k->u);
    /* scaled by 1/ρ: x = I/ρ − û */
    const lanes I = k->I * k->inverse_rho, x = I - u;
    const lanes3 J = {I_t->x * k->inverse_rho, I_t->y * k->inverse_rho, I_t->z * k->inverse_rho}, y = {J.x - u_t->x, J.y - u_t->y, J.z - u_t->z};
    const lanes aside = ROOT(DOT(y, y)), room = MADD(mu, I, -aside), share = 1 / (1 + mu * mu), along = share * (mu * u - room) / aside;
    const mask polar = ~LESS(zero, MADD(mu, aside, x)), beyond = LESS(mu * x, aside);
    const lanes3 edge = {MADD(along, y.x, u_t->x), MADD(along, y.y, u_t->y), MADD(along, y.z, u_t->z)};
    const lanes3 d = {SELECT(polar, J.x, SELECT(beyond, edge.x, u_t->x)), SELECT(polar, J.y, SELECT(beyond, edge.y, u_t->y)),
                      SELECT(polar, J.z, SELECT(beyond, edge.z, u_t->z))};
    const lanes d_n = SELECT(polar, I, SELECT(beyond, share * MADD(mu, room, u), u));
    /* x − x: what is not finite shows, whatever the selections made of it */
    const lanes error = ROOT(MADD(d_n, d_n, DOT(d, d))) + (x - x), count = ONLY(LESS(zero, k->I), zero + 1);
    add_to_tally(all, &error, &I, &count);
}

#include "solve/balls3_kernels.h"

/* ---- sweeps --------------------------------------------------------------------------------------------------------- */

/* Part of a pack on its way through a sweep. */
typedef struct visit {
    lanes3 n, t, s, y, u; /* axes, extrapolated impulse, velocity */
    lanes give;           /* Σ along n */
} visit;

/* The half w of the rows of one end, and d added to it. */
INLINE void gather_spin(const tl_row3 *rows, const uint32_t *end, lanes3 *w)
{
    lanes r[4];
    gather_quads((const char *)rows + offsetof(tl_row3, w), end, r);
    *w = (lanes3){r[0], r[1], r[2]};
}

INLINE void add_spin(tl_row3 *rows, const uint32_t *end, const lanes3 *d)
{
    lanes r[4];
    to_rows(d, r);
#define ADD_SPIN(i) PUT_HALF(end, w, i, HALF(end, w, i) + r[i])
    EACH_ROW(ADD_SPIN);
}

/* Hᵀ v + shift, along n, 1, 2. */
INLINE void velocity(const tl_pack3 *p, const tl_row3 *rows, size_t part, visit *k)
{
    const ends3 e = ENDS(p);
    lanes3 d, a, b;
    between_centres(rows, &e, &d);
    gather_spin(rows, e.a, &a);
    gather_spin(rows, e.b, &b);
    k->n = (lanes3)AT3(p->n), k->t = (lanes3)AT3(p->t);
    cross(&k->n, &k->t, &k->s);
    const lanes3 an = AT3(p->an), at = AT3(p->at), as = AT3(p->as), bn = AT3(p->bn), bt = AT3(p->bt), bs = AT3(p->bs);
    k->u.x = ADD_DOT(DOT(k->n, d), bn, b) - DOT(an, a) + AT(p->shift.x);
    k->u.y = ADD_DOT(DOT(k->t, d), bt, b) - DOT(at, a) + AT(p->shift.y);
    k->u.z = ADD_DOT(DOT(k->s, d), bs, b) - DOT(as, a) + AT(p->shift.z);
}

#define ALONG(e1, e2, e3, I, k) MADD((e3).k, (I)->z, MADD((e2).k, (I)->y, (e1).k *(I)->x))

/* v += M⁻¹ H I. */
INLINE void apply(const tl_pack3 *p, tl_row3 *rows, size_t part, const visit *k, const lanes3 *I)
{
    const ends3 e = ENDS(p);
    const lanes3 minus = {-I->x, -I->y, -I->z};
    const lanes3 an = AT3(p->an), at = AT3(p->at), as = AT3(p->as), bn = AT3(p->bn), bt = AT3(p->bt), bs = AT3(p->bs);
    const lanes3 P = {ALONG(k->n, k->t, k->s, I, x), ALONG(k->n, k->t, k->s, I, y), ALONG(k->n, k->t, k->s, I, z)};
    const lanes3 a = {ALONG(an, at, as, &minus, x), ALONG(an, at, as, &minus, y), ALONG(an, at, as, &minus, z)};
    const lanes3 b = {ALONG(bn, bt, bs, I, x), ALONG(bn, bt, bs, I, y), ALONG(bn, bt, bs, I, z)};
    push(rows, &e, &P);
    add_spin(rows, e.b, &b);
    add_spin(rows, e.a, &a);
}

/* Contacts that may slide: impulse and tangential velocity without friction. */
typedef struct frictionless {
    lanes c, b1, b2;
} frictionless;

/* What the lanes did not settle side by side. */
static __attribute__((noinline)) void slip_one_by_one(const tl_pack3 *p, size_t part, const frictionless *f, const mask *busy, lanes *lambda)
{
    for (int lane = 0; lane < AT_ONCE; lane++) {
        if ((*busy)[lane] >= 0) continue;
        const int at = lane + (int)(part / sizeof(double));
        const tl_coulomb3 law = {.w1 = p->w1[at], .w2 = p->w2[at], .s1 = p->s1[at], .s2 = p->s2[at], .friction = p->friction[at]};
        (*lambda)[lane] = tl_coulomb3_slip(&law, f->c[lane], f->b1[lane], f->b2[lane]);
    }
}

/* λ of signorini_coulomb3.c where `sliding`, by the same Newton iteration in the same bracket; a step that would leave it bisects. A step of 1e-9
 * of s + λ is the last: the next would be of the order of its square. Lanes that have not come so far are solved one by one. */
INLINE void slip(const tl_pack3 *p, size_t part, const frictionless *f, const mask *sliding, lanes *lambda)
{
    enum { NEWTON = 12 };
    const lanes c = f->c, b1 = f->b1, b2 = f->b2;
    const lanes w1 = AT(p->w1), w2 = AT(p->w2), s1 = AT(p->s1), s2 = AT(p->s2);
    const lanes mu = AT(p->friction), mu_c = mu * c, zero = {0}, bb = MADD(b1, b1, b2 * b2), size = ROOT(bb);
    const lanes along = mu * MADD(w1, b1, w2 * b2), least = SELECT(LESS(s1, s2), s1, s2);
    const lanes both = 1 / (mu_c * bb), reach = both * bb; /* 1/(μc) */
    const lanes coupling = MAGNITUDE(w1) + MAGNITUDE(w2);
    lanes low = zero, high = size * (1 + mu * coupling) * reach;
    mask busy = *sliding;
    lanes x = (size - along) * reach - (s1 * b1 * b1 + s2 * b2 * b2) * (both * mu_c);
    x = SELECT(LESS(x, zero), zero, x);
    x = SELECT(LESS(x, high), x, high);
    for (int i = 0; i < NEWTON && any(&busy); i++) {
        const lanes e1 = s1 + x, e2 = s2 + x, y1 = b1 * e2, y2 = b2 * e1, m = MADD(y1, y1, y2 * y2);
        const lanes N = MADD(mu_c, e1 * e2, mu * MADD(w1, y1, w2 * y2)), H = N - ROOT(m);
        const lanes slope = MADD(MADD(mu_c, e1 + e2, along), m, -(N * MADD(y1, b1, y2 * b2))), newton = x - H * m / slope;
        const mask below = LESS(H, zero);
        low = SELECT(below, x, low);
        high = SELECT(below, high, x);
        const mask off = LESS(newton, low) | LESS(high, newton);
        const lanes next = SELECT(off, 0.5 * (low + high), newton), step = next - x, close = 1e-9 * (x + least);
        x = SELECT(busy, next, x);
        busy &= off | LESS(close, step) | LESS(close, -step);
    }
    *lambda = SELECT(*sliding, x, zero);
    if (any(&busy)) slip_one_by_one(p, part, f, &busy, lambda);
}

/* The law of law/law3.h: c and b are impulse and tangential velocity without friction. Adds to `back` how far the sweep turned back against the new
 * change, ⟨y − I⁺, I⁺ − I⟩ in the energy norm of the contact: less than zero means overshoot. */
INLINE void obey(tl_pack3 *p, tl_lanes3 *before, size_t part, const visit *k, lanes3 *change, quad *back)
{
    const lanes3 I = AT3(p->I), y = k->y, u = {MADD(k->give, y.x, k->u.x), k->u.y, k->u.z};
    const lanes w1 = AT(p->w1), w2 = AT(p->w2), s1 = AT(p->s1), s2 = AT(p->s2), mu = AT(p->friction), zero = {0};
    const lanes c = NMADD(u.x, AT(p->inverse_nn), MADD(w2, y.z, MADD(w1, y.y, y.x)));
    const lanes b1 = NMADD(s1, y.y, NMADD(w1, u.x, u.y)), b2 = NMADD(s2, y.z, NMADD(w2, u.x, u.z));
    const lanes y1 = b1 * s2, y2 = b2 * s1, N = mu * MADD(c, s1 * s2, MADD(w1, y1, w2 * y2));
    const mask closed = LESS(zero, c), rough = closed & LESS(zero, mu), sliding = rough & (LESS(N, zero) | LESS(N * N, MADD(y1, y1, y2 * y2)));
    lanes lambda = zero;
    if (any(&sliding)) slip(p, part, &(frictionless){c, b1, b2}, &sliding, &lambda);
    const lanes e1 = s1 + lambda, e2 = s2 + lambda, minus = ONLY(rough, -1 / (e1 * e2));
    const lanes x1 = b1 * e2 * minus, x2 = b2 * e1 * minus, n = ONLY(closed, NMADD(w2, x2, NMADD(w1, x1, c)));
    const lanes3 d = {n - y.x, x1 - y.y, x2 - y.z}, moved = {n - I.x, x1 - I.y, x2 - I.z};
    const lanes lift = MADD(w2, d.z, MADD(w1, d.y, d.x)), lifted = MADD(w2, moved.z, MADD(w1, moved.y, moved.x));
    const lanes turned = MADD(AT(p->nn) * lift, lifted, MADD(s1 * d.y, moved.y, s2 * d.z * moved.z));
    ADD_QUADS(*back, turned);
    PUT(before->x, I.x), PUT(before->y, I.y), PUT(before->z, I.z);
    PUT(p->I.x, n), PUT(p->I.y, x1), PUT(p->I.z, x2);
    *change = d;
}

/* Packs list[0 … count − 1]. The latency of one part hides behind the other. */
static void sweep_packs(tl_row3 *rows, tl_pack3 *packs, const tl_momentum3 *m, const int *list, int count)
{
    tl_lanes3 *const before = m->before;
    double *const turned = m->reversal;
    const double beta = m->beta;
    for (int i = 0; i < count; i++) {
        tl_pack3 *p = &packs[list[i]];
        quad back = {0, 0, 0, 0};
        if (i + AHEAD < count) {
            fetch(&packs[list[i + AHEAD]], offsetof(tl_pack3, third));
            fetch(&before[list[i + AHEAD]], sizeof *before);
        }
        if (i + ROWS_AHEAD < count) fetch_rows(rows, packs[list[i + ROWS_AHEAD]].a, packs[list[i + ROWS_AHEAD]].b);
        visit k[PARTS];
        lanes3 change[PARTS];
        EACH_PART(part)
        {
            const lanes3 I = AT3(p->I), last = AT3(before[list[i]]);
            velocity(p, rows, part, &k[NTH(part)]);
            extrapolate(&I, &last, beta, &k[NTH(part)].y);
            k[NTH(part)].give = AT(*give_of(m->give, list[i]));
        }
        EACH_PART(part) obey(p, &before[list[i]], part, &k[NTH(part)], &change[NTH(part)], &back);
        EACH_PART(part) apply(p, rows, part, &k[NTH(part)], &change[NTH(part)]);
        turned[list[i]] = -sum_of(&back);
    }
}

static void start_packs(tl_row3 *rows, const tl_pack3 *packs, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        const tl_pack3 *p = &packs[i];
        EACH_PART(part)
        {
            visit k;
            const lanes3 I = AT3(p->I);
            velocity(p, rows, part, &k);
            apply(p, rows, part, &k, &I);
        }
    }
}

static void velocity_of_pack(const tl_row3 *rows, const tl_pack3 *p, tl_lanes3 *u)
{
    EACH_PART(part)
    {
        visit k;
        velocity(p, rows, part, &k);
        PUT(u->x, k.u.x), PUT(u->y, k.u.y), PUT(u->z, k.u.z);
    }
}

static void residual_packs(const tl_row3 *rows, const tl_pack3 *packs, const tl_lanes *give, int begin, int end, tl_errors *error)
{
    for (int i = begin; i < end; i++) {
        const tl_pack3 *p = &packs[i];
        if (i + AHEAD < end) fetch(&packs[i + AHEAD], sizeof(tl_pack3));
        tally all = NO_TALLY;
        EACH_PART(part)
        {
            visit k;
            velocity(p, rows, part, &k);
            const lanes zero = {0}, I_n = AT(p->I.x);
            const normal3 normal = {AT(p->third), AT(p->friction), I_n, MADD(AT(*give_of(give, i)), I_n, k.u.x)};
            const lanes3 I_t = {AT(p->I.y), AT(p->I.z), zero}, u_t = {k.u.y, k.u.z, zero};
            add_errors(&normal, &I_t, &u_t, &all);
        }
        error[i] = errors_of(&all);
    }
}

/* ---- drift (drift_3d.c) -------------------------------------------------------------------------------------------- */

/* Frictionless impulses act along n alone: of a pack only what belongs to n is read. */
static void drift_packs(tl_row3 *rows, const tl_pack3 *packs, const tl_lanes *goals, tl_lanes *impulses, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        const tl_pack3 *p = &packs[i];
        EACH_PART(part)
        {
            const ends3 e = ENDS(p);
            const lanes3 n = AT3(p->n), an = AT3(p->an), bn = AT3(p->bn);
            lanes3 d, a, b;
            between_centres(rows, &e, &d);
            gather_spin(rows, e.a, &a);
            gather_spin(rows, e.b, &b);
            const lanes zero = {0}, before = AT(impulses[i]), u = ADD_DOT(DOT(n, d), bn, b) - DOT(an, a);
            const lanes wanted = NMADD(u + AT(goals[i]), AT(p->inverse_nn), before), I = MAX(wanted, zero), dI = I - before, minus = -dI;
            const lanes3 P = {n.x * dI, n.y * dI, n.z * dI}, da = {an.x * minus, an.y * minus, an.z * minus}, db = {bn.x * dI, bn.y * dI, bn.z * dI};
            PUT(impulses[i], I);
            push(rows, &e, &P);
            add_spin(rows, e.b, &db);
            add_spin(rows, e.a, &da);
        }
    }
}

const tl_packs3 TL_PACKS3 = {.sweep = sweep_packs,
                             .sweep_balls = sweep_balls,
                             .start = start_packs,
                             .start_balls = start_balls,
                             .residual = residual_packs,
                             .residual_balls = residual_balls,
                             .drift = drift_packs,
                             .drift_balls = drift_balls,
                             .velocity = velocity_of_pack,
                             .velocity_balls = velocity_of_ball_pack,
                             .extrapolate = tl_extrapolate};
