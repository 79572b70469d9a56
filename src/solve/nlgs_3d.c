/* Nonlinear Gauss–Seidel in space (D20 eq. 33, MECHANICS §5): each contact in turn gets the impulse that solves its own law
 * exactly, the velocities of its two bodies follow at once.
 *
 * The kernels treat eight contacts of one colour at a time, in plain vector arithmetic without contraction: the bits do not depend on
 * the instruction set. */
#include "solve/lanes3.h"
#include "solve/sweeps.h"

/* A pack on its way through a sweep. */
typedef struct visit {
    tl_pack3 *p;
    columns3 a, b;
    tl_lanes3 y, u, d;
} visit;

/* Each contact starts from its impulse extrapolated along its last change, y = I + β (I − I_before) (the velocities have been, already). */
INLINE void look(visit *k, const tl_row3 *rows, const tl_lanes3 *before, double beta)
{
    const tl_pack3 *p = k->p;
    gather(rows, p->a, &k->a);
    gather(rows, p->b, &k->b);
    velocity(p, &k->a, &k->b, &k->u);
    k->u.x += p->shift.x, k->u.y += p->shift.y, k->u.z += p->shift.z;
    k->y.x = p->I.x + beta * (p->I.x - before->x);
    k->y.y = p->I.y + beta * (p->I.y - before->y);
    k->y.z = p->I.z + beta * (p->I.z - before->z);
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
    const tl_lanes mu = p->friction, mu_c = mu * *c, zero = {0}, bb = *b1 * *b1 + *b2 * *b2, size = ROOT(bb);
    const tl_lanes along = mu * (p->w1 * *b1 + p->w2 * *b2), least = SELECT(LESS(p->s1, p->s2), p->s1, p->s2);
    const tl_lanes both = 1 / (mu_c * bb), reach = both * bb; /* 1/(μc) */
    const tl_lanes coupling = MAGNITUDE(p->w1) + MAGNITUDE(p->w2);
    tl_lanes low = zero, high = size * (1 + mu * coupling) * reach;
    mask8 busy = *sliding;
    tl_lanes x = (size - along) * reach - (p->s1 * *b1 * *b1 + p->s2 * *b2 * *b2) * (both * mu_c);
    x = SELECT(LESS(x, zero), zero, x);
    x = SELECT(LESS(x, high), x, high);
    for (int i = 0; i < NEWTON && any(&busy); i++) {
        const tl_lanes e1 = p->s1 + x, e2 = p->s2 + x, y1 = *b1 * e2, y2 = *b2 * e1, m = y1 * y1 + y2 * y2;
        const tl_lanes N = mu_c * (e1 * e2) + mu * (p->w1 * y1 + p->w2 * y2), H = N - ROOT(m);
        const tl_lanes slope = (mu_c * (e1 + e2) + along) * m - N * (y1 * *b1 + y2 * *b2), newton = x - H * m / slope;
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
INLINE void obey(visit *k, tl_lanes3 *before, tl_lanes *turn)
{
    tl_pack3 *p = k->p;
    const tl_lanes3 I = p->I;
    const tl_lanes zero = {0}, c = k->y.x + (p->w1 * k->y.y + p->w2 * k->y.z) - k->u.x * p->inverse_nn;
    const tl_lanes b1 = (k->u.y - p->w1 * k->u.x) - p->s1 * k->y.y, b2 = (k->u.z - p->w2 * k->u.x) - p->s2 * k->y.z;
    const tl_lanes y1 = b1 * p->s2, y2 = b2 * p->s1, N = p->friction * (c * (p->s1 * p->s2) + (p->w1 * y1 + p->w2 * y2));
    const mask8 closed = LESS(zero, c), rough = closed & LESS(zero, p->friction), sliding = rough & (LESS(N, zero) | LESS(N * N, y1 * y1 + y2 * y2));
    tl_lanes lambda = zero;
    if (any(&sliding)) slip(p, &c, &b1, &b2, &sliding, &lambda);
    const tl_lanes e1 = p->s1 + lambda, e2 = p->s2 + lambda, minus = SELECT(rough, -1 / (e1 * e2), zero);
    const tl_lanes x1 = b1 * e2 * minus, x2 = b2 * e1 * minus, n = c - (p->w1 * x1 + p->w2 * x2);
    p->I.x = SELECT(closed, n, zero), p->I.y = x1, p->I.z = x2;
    k->d.x = p->I.x - k->y.x, k->d.y = p->I.y - k->y.y, k->d.z = p->I.z - k->y.z;
    const tl_lanes3 change = {p->I.x - I.x, p->I.y - I.y, p->I.z - I.z};
    const tl_lanes lift = k->d.x + (p->w1 * k->d.y + p->w2 * k->d.z), lifted = change.x + (p->w1 * change.y + p->w2 * change.z);
    *turn = -(p->nn * lift * lifted + p->s1 * k->d.y * change.y + p->s2 * k->d.z * change.z);
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
        __builtin_prefetch(&rows[p->a[lane]], 1);
        __builtin_prefetch(&rows[p->b[lane]], 1);
    }
}

/* Packs list[0 … count − 1]. */
CLONES static void sweep_packs3(tl_row3 *rows, tl_pack3 *packs, tl_lanes3 *before, double beta, const int *list, int count, tl_lanes *turn)
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
    tl_lanes3 s;
    second_tangent(p, &s);
    const tl_lanes3 d = {p->sb * b->v.x - p->sa * a->v.x, p->sb * b->v.y - p->sa * a->v.y, p->sb * b->v.z - p->sa * a->v.z};
    const tl_lanes3 spin = {p->kb * b->w.x - p->ka * a->w.x, p->kb * b->w.y - p->ka * a->w.y, p->kb * b->w.z - p->ka * a->w.z};
    u->x = DOT(p->n, d) + p->shift.x;
    u->y = DOT(p->t, d) + DOT(s, spin) + p->shift.y;
    u->z = DOT(s, d) - DOT(p->t, spin) + p->shift.z;
}

INLINE void look_spheres(visit *k, const tl_row3 *rows, const tl_lanes3 *before, double beta)
{
    const tl_pack3 *p = k->p;
    gather(rows, p->a, &k->a);
    gather(rows, p->b, &k->b);
    velocity_of_spheres(p, &k->a, &k->b, &k->u);
    k->y.x = p->I.x + beta * (p->I.x - before->x);
    k->y.y = p->I.y + beta * (p->I.y - before->y);
    k->y.z = p->I.z + beta * (p->I.z - before->z);
}

/* Stick or slip in closed form. */
INLINE void obey_spheres(visit *k, tl_lanes3 *before, tl_lanes *turn)
{
    tl_pack3 *p = k->p;
    const tl_lanes3 I = p->I, y = k->y;
    const tl_lanes zero = {0}, one = zero + 1, c = y.x - k->u.x * p->inverse_nn;
    const tl_lanes b1 = k->u.y - p->s1 * y.y, b2 = k->u.z - p->s1 * y.z;
    const tl_lanes border = p->friction * c, speed = ROOT(b1 * b1 + b2 * b2);
    const mask8 closed = LESS(zero, c), slides = LESS(border * p->s1, speed);
    const tl_lanes minus = SELECT(closed, SELECT(slides, border, one) / SELECT(slides, speed, p->s1), zero);
    p->I = (tl_lanes3){SELECT(closed, c, zero), -(b1 * minus), -(b2 * minus)};
    k->d = (tl_lanes3){p->I.x - y.x, p->I.y - y.y, p->I.z - y.z};
    const tl_lanes3 change = {p->I.x - I.x, p->I.y - I.y, p->I.z - I.z};
    *turn = -((p->sa * p->sa + p->sb * p->sb) * k->d.x * change.x + p->s1 * (k->d.y * change.y + k->d.z * change.z));
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
    const tl_lanes3 M = {s.x * d.y - p->t.x * d.z, s.y * d.y - p->t.y * d.z, s.z * d.y - p->t.z * d.z};
    b->v.x += p->sb * P.x, b->v.y += p->sb * P.y, b->v.z += p->sb * P.z;
    b->w.x += p->kb * M.x, b->w.y += p->kb * M.y, b->w.z += p->kb * M.z;
    a->v.x -= p->sa * P.x, a->v.y -= p->sa * P.y, a->v.z -= p->sa * P.z;
    a->w.x -= p->ka * M.x, a->w.y -= p->ka * M.y, a->w.z -= p->ka * M.z;
    scatter(rows, p->b, b);
    scatter(rows, p->a, a);
}

/* Two packs at a time: the latency of one hides behind the other. */
CLONES static void sweep_spheres3(tl_row3 *rows, tl_pack3 *packs, tl_lanes3 *before, double beta, const int *list, int count, tl_lanes *turn)
{
    int i = 0;
    for (; i + 1 < count; i += 2) {
        for (int next = i + 4; next < i + 6 && next < count; next++) fetch_pack(&packs[list[next]], &before[list[next]], offsetof(tl_pack3, an));
        for (int next = i + 2; next < i + 4 && next < count; next++) fetch_rows(rows, &packs[list[next]]);
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

CLONES static void start_packs3(tl_row3 *rows, const tl_pack3 *packs, int begin, int end)
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
    const tl_lanes zero = {0}, inverse_rho = p->third, mu = p->friction, sliding = ROOT(u->y * u->y + u->z * u->z);
    /* scaled by 1/ρ: x = I/ρ − û */
    const tl_lanes3 I = {p->I.x * inverse_rho, p->I.y * inverse_rho, p->I.z * inverse_rho};
    const tl_lanes3 x = {I.x - (u->x + mu * sliding), I.y - u->y, I.z - u->z};
    const tl_lanes aside = ROOT(x.y * x.y + x.z * x.z), edge = (x.x + mu * aside) / (1 + mu * mu), share = mu * edge / aside;
    const mask8 polar = ~LESS(zero, mu * aside + x.x), beyond = LESS(mu * x.x, aside);
    const tl_lanes out_n = SELECT(beyond, edge, x.x), out_t = SELECT(beyond, share * x.y, x.y), out_s = SELECT(beyond, share * x.z, x.z);
    const tl_lanes3 d = {I.x - SELECT(polar, zero, out_n), I.y - SELECT(polar, zero, out_t), I.z - SELECT(polar, zero, out_s)};
    const tl_lanes squared = DOT(d, d), error = ROOT(squared);
    tl_errors all = {0};
    for (int lane = 0; lane < TL_LANES; lane++) tl_errors_add(&all, &(tl_errors){error[lane], error[lane], p->I.x[lane] > 0});
    return all;
}

CLONES static void residual_packs3(const tl_row3 *rows, const tl_pack3 *packs, int begin, int end, tl_errors *error)
{
    for (int i = begin; i < end; i++) {
        const tl_pack3 *p = &packs[i];
        if (i + AHEAD < end) fetch(&packs[i + AHEAD], sizeof(tl_pack3));
        columns3 a, b;
        tl_lanes3 u;
        gather(rows, p->a, &a);
        gather(rows, p->b, &b);
        velocity(p, &a, &b, &u);
        u.x += p->shift.x, u.y += p->shift.y, u.z += p->shift.z;
        error[i] = errors_of(p, &u);
    }
}

CLONES static void residual_spheres3(const tl_row3 *rows, const tl_pack3 *packs, int begin, int end, tl_errors *error)
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

/* ---- threads: one loop per colour --------------------------------------------------------------------------------- */

/* Which packs a sweep visits, as color_begin and spheres_end of the problem say it of all. */
typedef struct agenda {
    int *pack;
    int begin[TL_COLORS3 + 2], spheres_end[TL_COLORS3 + 1];
} agenda;

typedef struct sweep_task {
    tl_problem3 *p;
    const int *list;    /* of an agenda */
    int first, spheres; /* first pack; first one that is not of spheres */
    tl_errors *error;   /* [packs] */
    struct momentum *m;
} sweep_task;

/* Momentum of the sweeps (sweeps.h): what the last sweep left. */
typedef struct momentum {
    tl_row3 *row;         /* [rows] velocities         */
    double **v;           /* [matters]                 */
    tl_lanes3 *I;         /* [packs] impulses          */
    double (*coupled)[3]; /* [coupleds]                */
    tl_lanes *turn;       /* [packs]                   */
    double beta;
} momentum;

enum { ROW = sizeof(tl_row3) / sizeof(double) };

static void sweep_range(void *context, int begin, int end, int worker)
{
    const sweep_task *task = context;
    (void)worker;
    momentum *m = task->m;
    const int first = task->first + begin, last = task->first + end, between = task->spheres < first ? first : (task->spheres < last ? task->spheres : last);
    sweep_spheres3(task->p->row, task->p->pack, m->I, m->beta, task->list + first, between - first, m->turn);
    sweep_packs3(task->p->row, task->p->pack, m->I, m->beta, task->list + between, last - between, m->turn);
}

static void start_range(void *context, int begin, int end, int worker)
{
    const sweep_task *task = context;
    (void)worker;
    start_packs3(task->p->row, task->p->pack, task->first + begin, task->first + end);
}

static void extrapolate_range(void *context, int begin, int end, int worker)
{
    const sweep_task *task = context;
    (void)worker;
    tl_extrapolate(task->p->row[0].v, task->m->row[0].v, task->m->beta, ROW * begin, ROW * end);
}

/* Packs begin … end that also lie in first … last − 1. */
static void residual_part(const sweep_task *task, bool spheres, int begin, int end, int first, int last)
{
    const int from = begin > first ? begin : first, to = end < last ? end : last;
    if (from < to) (spheres ? residual_spheres3 : residual_packs3)(task->p->row, task->p->pack, from, to, task->error);
}

static void residual_range(void *context, int begin, int end, int worker)
{
    const sweep_task *task = context;
    const tl_problem3 *p = task->p;
    (void)worker;
    for (int k = 0; k < p->colors; k++) {
        residual_part(task, true, begin, end, p->color_begin[k], p->spheres_end[k]);
        residual_part(task, false, begin, end, p->spheres_end[k], p->color_begin[k + 1]);
    }
    residual_part(task, false, begin, end, p->color_begin[TL_COLORS3], p->packs);
}

/* Colour by colour the packs of an agenda; without one, all. */
static void for_colors(tl_problem3 *p, tl_step *step, tl_range_fn *fn, momentum *m, const agenda *a)
{
    sweep_task task = {.p = p, .m = m, .list = a ? a->pack : NULL};
    const int *begin = a ? a->begin : p->color_begin, *spheres_end = a ? a->spheres_end : p->spheres_end;
    for (int k = 0; k < p->colors; k++) {
        task.first = begin[k];
        task.spheres = spheres_end[k];
        tl_parallel_for(step->threads, begin[k + 1] - task.first, TL_PARALLEL_PACKS, fn, &task);
    }
    task.first = task.spheres = 0;
    fn(&task, begin[TL_COLORS3], begin[TL_COLORS3 + 1], 0);
}

static talus_status start_momentum(tl_problem3 *p, tl_step *step, momentum *m)
{
    *m = (momentum){.beta = 0};
    m->row = tl_arena_alloc(step->arena, (size_t)p->rows, sizeof *m->row);
    m->v = tl_arena_zero(step->arena, (size_t)p->matters + 1, sizeof *m->v);
    m->I = tl_arena_alloc(step->arena, (size_t)p->packs, sizeof *m->I);
    m->turn = tl_arena_alloc(step->arena, (size_t)p->packs, sizeof *m->turn);
    m->coupled = tl_arena_alloc(step->arena, (size_t)p->coupleds, sizeof *m->coupled);
    bool enough = m->row && m->v && m->I && m->turn && m->coupled;
    for (int k = 1; enough && k < p->matters; k++) {
        m->v[k] = tl_arena_alloc(step->arena, (size_t)p->matter[k]->nv + 1, sizeof **m->v);
        enough = m->v[k] != NULL;
        if (enough) memcpy(m->v[k], p->v[k], (size_t)p->matter[k]->nv * sizeof **m->v);
    }
    if (!enough) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    memcpy(m->row, p->row, (size_t)p->rows * sizeof *m->row);
    for (int i = 0; i < p->packs; i++) m->I[i] = p->pack[i].I;
    for (int i = 0; i < p->coupleds; i++) memcpy(m->coupled[i], p->coupled[i].I, sizeof m->coupled[i]);
    return TALUS_OK;
}

/* I J in the energy norm of W. */
static double energy(const tl_delassus3 *W, const double I[3], const double J[3])
{
    return I[0] * (W->nn * J[0] + W->nt * J[1] + W->ns * J[2]) + I[1] * (W->nt * J[0] + W->tt * J[1] + W->ts * J[2]) +
           I[2] * (W->ns * J[0] + W->ts * J[1] + W->ss * J[2]);
}

static double sweep_coupled(tl_problem3 *p, momentum *m)
{
    double turn = 0;
    for (int i = 0; i < p->coupleds; i++) {
        tl_coupled3 *k = &p->coupled[i];
        const tl_delassus3 *W = &k->W;
        double V[3], I[3], y[3], d[3], change[3], *before = m->coupled[i];
        tl_coupled3_velocity(p, k, p->row, p->v, V);
        for (int axis = 0; axis < 3; axis++) y[axis] = k->I[axis] + m->beta * (k->I[axis] - before[axis]);
        const double u[3] = {V[0] + k->shift[0] - (W->nn * y[0] + W->nt * y[1] + W->ns * y[2]),
                             V[1] + k->shift[1] - (W->nt * y[0] + W->tt * y[1] + W->ts * y[2]),
                             V[2] + k->shift[2] - (W->ns * y[0] + W->ts * y[1] + W->ss * y[2])};
        tl_coulomb3_obey(&k->law, u, I);
        for (int axis = 0; axis < 3; axis++) {
            d[axis] = I[axis] - y[axis];
            change[axis] = I[axis] - k->I[axis];
            before[axis] = k->I[axis];
            k->I[axis] = I[axis];
        }
        tl_coupled3_impulse(p, k, p->row, p->v, d);
        turn -= energy(W, d, change);
    }
    return turn;
}

typedef struct solver {
    tl_problem3 *p;
    tl_step *step;
    momentum m, none; /* `none`: what sweeps without momentum of the neighbourhood need */
    agenda all, pressed, near;
    bool *is_pressed;  /* [packs] */
    int sweeps, again; /* sweeps of the neighbourhood after each of all */
} solver;

/* About half of the candidates of a packing are open, now and after the sweep. What all eight of a pack are is asked in every ROLL-th sweep; and the
 * residual asks all contacts. */
enum { ROLL = 8 };

static bool is_pressed(const tl_pack3 *pack, const tl_lanes3 *before)
{
    const tl_lanes sum = pack->I.x + before->x; /* no summand is negative */
    const mask8 some = LESS(sum - sum, sum);
    return any(&some);
}

/* Those packs whose `wanted` is set. */
static void make_agenda(const tl_problem3 *p, const bool *wanted, agenda *a)
{
    int n = 0;
    for (int k = 0; k <= TL_COLORS3; k++) {
        a->begin[k] = n;
        for (int i = p->color_begin[k]; i < p->color_begin[k + 1]; i++) {
            if (i == p->spheres_end[k]) a->spheres_end[k] = n;
            if (wanted[i]) a->pack[n++] = i;
        }
        if (p->spheres_end[k] == p->color_begin[k + 1]) a->spheres_end[k] = n;
    }
    a->begin[TL_COLORS3 + 1] = n;
}

/* A machine weighs a thousand stones: sweeps hand its momentum on in portions of a stone. AGAIN sweeps of its neighbourhood after each of all
 * make the portions larger; they shall not cost more than half of it. */
enum { AGAIN = 4 };

static talus_status start_near(solver *s)
{
    const tl_problem3 *p = s->p;
    const size_t packs = (size_t)p->packs + 1;
    s->none = (momentum){.beta = 0};
    s->again = 0;
    if (p->coupleds == 0) return TALUS_OK;
    s->near.pack = tl_arena_alloc(s->step->arena, packs, sizeof *s->near.pack);
    s->none.I = tl_arena_zero(s->step->arena, packs, sizeof *s->none.I);
    s->none.turn = tl_arena_zero(s->step->arena, packs, sizeof *s->none.turn);
    s->none.coupled = tl_arena_zero(s->step->arena, (size_t)p->coupleds, sizeof *s->none.coupled);
    bool *wanted = tl_arena_alloc(s->step->arena, packs, sizeof *wanted);
    if (!s->near.pack || !s->none.I || !s->none.turn || !s->none.coupled || !wanted)
        return tl_fail(s->step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    for (int i = 0; i < p->packs; i++) wanted[i] = p->rank[i] == TL_NEAR3;
    make_agenda(p, wanted, &s->near);
    const int near = s->near.begin[TL_COLORS3 + 1], affordable = p->packs / (2 * (near > 0 ? near : 1));
    s->again = affordable < AGAIN ? affordable : AGAIN;
    return TALUS_OK;
}

static talus_status start_agendas(solver *s)
{
    const tl_problem3 *p = s->p;
    s->all.pack = tl_arena_alloc(s->step->arena, (size_t)p->packs + 1, sizeof *s->all.pack);
    s->pressed.pack = tl_arena_alloc(s->step->arena, (size_t)p->packs + 1, sizeof *s->pressed.pack);
    s->is_pressed = tl_arena_alloc(s->step->arena, (size_t)p->packs + 1, sizeof *s->is_pressed);
    if (!s->all.pack || !s->pressed.pack || !s->is_pressed) return tl_fail(s->step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    for (int i = 0; i < p->packs; i++) s->all.pack[i] = i;
    memcpy(s->all.begin, p->color_begin, sizeof s->all.begin);
    memcpy(s->all.spheres_end, p->spheres_end, sizeof s->all.spheres_end);
    return start_near(s);
}

static void call_roll(solver *s)
{
    const tl_problem3 *p = s->p;
    for (int i = 0; i < p->packs; i++) {
        s->is_pressed[i] = is_pressed(&p->pack[i], &s->m.I[i]);
        if (!s->is_pressed[i]) s->m.turn[i] = (tl_lanes){0};
    }
    make_agenda(p, s->is_pressed, &s->pressed);
}

/* One sweep over the contacts from extrapolated impulses, and some of the neighbourhood of other matter. */
static double sweep(void *context, double beta)
{
    solver *s = context;
    tl_problem3 *p = s->p;
    const tl_step *step = s->step;
    momentum *m = &s->m;
    m->beta = beta;
    sweep_task task = {.p = p, .m = m};
    tl_parallel_for(step->threads, p->rows, 4096, extrapolate_range, &task);
    for (int k = 1; k < p->matters; k++) tl_extrapolate(p->v[k], m->v[k], m->beta, 0, p->matter[k]->nv);
    const bool all = s->sweeps < ROLL || s->sweeps % ROLL == 0;
    for_colors(p, s->step, sweep_range, m, all ? &s->all : &s->pressed);
    s->sweeps++;
    if (all && s->sweeps >= ROLL) call_roll(s);
    tl_lanes sum = {0};
    for (int i = 0; i < p->packs; i++) sum += m->turn[i];
    double turn = sweep_coupled(p, m);
    tl_problem3_join(p, p->row);
    for (int lane = 0; lane < TL_LANES; lane++) turn += sum[lane];
    for (int i = 0; i < s->again; i++) {
        for_colors(p, s->step, sweep_range, &s->none, &s->near);
        sweep_coupled(p, &s->none);
        tl_problem3_join(p, p->row);
    }
    return turn;
}

double tl_problem3_residual(tl_problem3 *p, tl_step *step)
{
    const size_t mark = tl_arena_mark(step->arena);
    tl_errors *error = tl_arena_alloc(step->arena, (size_t)p->packs + 1, sizeof *error), all = {0};
    if (!error) return (double)NAN;
    sweep_task task = {.p = p, .error = error};
    tl_parallel_for(step->threads, p->packs, TL_PARALLEL_PACKS, residual_range, &task);
    for (int i = 0; i < p->packs; i++) tl_errors_add(&all, &error[i]);
    tl_arena_release(step->arena, mark);
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled3 *k = &p->coupled[i];
        double V[3];
        tl_coupled3_velocity(p, k, p->row, p->v, V);
        const double u[3] = {V[0] + k->shift[0], V[1] + k->shift[1], V[2] + k->shift[2]};
        const double e = tl_coulomb3_residual(&k->W, k->law.friction, u, k->I);
        tl_errors_add(&all, &(tl_errors){e, e, k->I[0] > 0});
    }
    p->residual_mean = all.sum / (all.pressing > 0 ? all.pressing : 1);
    return all.largest;
}

static double residual(void *context)
{
    const solver *s = context;
    return tl_problem3_residual(s->p, s->step);
}

talus_status tl_nlgs3_solve(tl_problem3 *p, tl_step *step)
{
    for_colors(p, step, start_range, NULL, NULL); /* warm start: v = v_free + M⁻¹ H I₀ */
    for (int i = 0; i < p->coupleds; i++) tl_coupled3_impulse(p, &p->coupled[i], p->row, p->v, p->coupled[i].I);
    tl_problem3_join(p, p->row);
    solver self = {.p = p, .step = step};
    tl_sweeps sweeps = {.solver = &self,
                        .sweep = sweep,
                        .residual = residual,
                        .tolerance = p->tolerance,
                        .acceptable = p->acceptable,
                        .max_iterations = p->max_iterations,
                        .settles = true};
    TL_TRY(start_momentum(p, step, &self.m));
    TL_TRY(start_agendas(&self));
    TL_TRY(tl_sweeps_run(&sweeps, step->error));
    p->iterations = sweeps.iterations;
    p->residual = sweeps.error;
    p->converged = p->residual <= p->tolerance;
    tl_problem3_write_back(p, step);
    return TALUS_OK;
}
