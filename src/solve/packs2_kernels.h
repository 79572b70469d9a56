/* What is done to packs of planar contacts, side by side: sweeps of nonlinear Gauss–Seidel (D20 eq. 33, theory §5; nlgs_2d.c), drift (drift_2d.c),
 * residuals.
 *
 * Compiled once for each instruction set (packs2_….c), in vector arithmetic without contraction, fused products named: the bits do not depend on it. */
#include "solve/kernels.h"
#include "solve/packs2.h"

/* Rows of grains as columns. */
typedef struct columns {
    lanes x, y, w;
} columns;

INLINE void gather(const tl_row2 *rows, const uint32_t at[], columns *out)
{
    lanes r[4];
    gather_quads((const char *)rows, at, r);
    *out = (columns){r[0], r[1], r[2]};
}

INLINE void scatter(tl_row2 *rows, const uint32_t at[], const columns *c)
{
    const lanes none = {0};
    lanes r[4] = {c->x, c->y, c->w, none};
    scatter_quads((char *)rows, at, r);
}

/* Part of a pack on its way. */
typedef struct visit {
    columns a, b;
    lanes u_n, u_t; /* Hᵀ v */
    lanes give;     /* Σ along n */
    lanes d_n, d_t; /* what the impulse changes by */
} visit;

INLINE void velocity(const tl_pack2 *p, const tl_row2 *rows, size_t part, visit *k)
{
    const columns *a = &k->a, *b = &k->b;
    gather(rows, p->a + part / sizeof(double), &k->a);
    gather(rows, p->b + part / sizeof(double), &k->b);
    const lanes nx = AT(p->nx), ny = AT(p->ny), sa = AT(p->sa), sb = AT(p->sb), dx = sb * b->x - sa * a->x, dy = sb * b->y - sa * a->y;
    k->u_n = nx * dx + ny * dy + (AT(p->cnb) * b->w - AT(p->cna) * a->w);
    k->u_t = nx * dy - ny * dx + (AT(p->ctb) * b->w - AT(p->cta) * a->w);
}

/* v += M⁻¹ H I. The end b goes first: where it does not move it is a copy of a, and a must win. */
INLINE void apply(const tl_pack2 *p, tl_row2 *rows, size_t part, visit *k, const lanes *n, const lanes *t)
{
    columns *a = &k->a, *b = &k->b;
    const lanes nx = AT(p->nx), ny = AT(p->ny), sa = AT(p->sa), sb = AT(p->sb), px = nx * *n - ny * *t, py = ny * *n + nx * *t;
    b->x += sb * px;
    b->y += sb * py;
    b->w += AT(p->cnb) * *n + AT(p->ctb) * *t;
    a->x -= sa * px;
    a->y -= sa * py;
    a->w -= AT(p->cna) * *n + AT(p->cta) * *t;
    scatter(rows, p->b + part / sizeof(double), b);
    scatter(rows, p->a + part / sizeof(double), a);
}

/* The law of law/law2.h, from impulses extrapolated along their last change, y = I + β (I − I_before). Tells how far the sweep turned back against the new
 * change, ⟨y − I⁺, I⁺ − I⟩ in the energy norm of the contact: positive means overshoot. */
INLINE void obey(tl_pack2 *p, tl_lanes before[2], double beta, size_t part, visit *k, tl_lanes *reversal)
{
    const lanes I_n = AT(p->In), I_t = AT(p->It), y_n = I_n + beta * (I_n - AT(before[0])), y_t = I_t + beta * (I_t - AT(before[1]));
    const lanes nn = AT(p->nn), nt = AT(p->nt), tt = AT(p->tt), inverse_nn = AT(p->inverse_nn);
    const lanes u_n = MADD(k->give, y_n, k->u_n + (AT(p->shift_n) - (nn * y_n + nt * y_t))), u_t = k->u_t + (AT(p->shift_t) - (nt * y_n + tt * y_t));
    const lanes ratio = nt * inverse_nn, zero = u_n - u_n;
    const lanes stick = -(u_t - ratio * u_n) * AT(p->inverse_s);
    const lanes high = -AT(p->k_plus) * u_n, low = AT(p->k_minus) * u_n;
    const lanes above_low = SELECT(stick < low, low, stick);
    const lanes t = SELECT(stick > high, high, above_low);
    const lanes n = -u_n * inverse_nn - ratio * t;
    const mask open = u_n >= zero;
    const lanes next_n = SELECT(open, zero, n), next_t = SELECT(open, zero, t);
    k->d_n = next_n - y_n, k->d_t = next_t - y_t;
    const lanes moved_n = next_n - I_n, moved_t = next_t - I_t;
    PUT(*reversal, -MADD(k->d_n, MADD(nn, moved_n, nt * moved_t), k->d_t * MADD(nt, moved_n, tt * moved_t)));
    PUT(before[0], I_n), PUT(before[1], I_t);
    PUT(p->In, next_n), PUT(p->It, next_t);
}

/* The latency of one part hides behind the other. */
static void sweep_packs(tl_row2 *rows, tl_pack2 *packs, const tl_momentum2 *m, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        visit k[PARTS];
        EACH_PART(part) velocity(&packs[i], rows, part, &k[NTH(part)]);
        EACH_PART(part) k[NTH(part)].give = AT(*give_of(m->give, i));
        EACH_PART(part) obey(&packs[i], m->before[i], m->beta, part, &k[NTH(part)], &m->reversal[i]);
        EACH_PART(part) apply(&packs[i], rows, part, &k[NTH(part)], &k[NTH(part)].d_n, &k[NTH(part)].d_t);
    }
}

static void start_packs(tl_row2 *rows, const tl_pack2 *packs, int begin, int end)
{
    for (int i = begin; i < end; i++) EACH_PART(part)
        {
            visit k;
            const lanes n = AT(packs[i].In), t = AT(packs[i].It);
            velocity(&packs[i], rows, part, &k);
            apply(&packs[i], rows, part, &k, &n, &t);
        }
}

/* Natural-map residuals (law/signorini_coulomb2.c). */
INLINE void errors_of(const tl_pack2 *p, size_t part, const visit *k, tl_lanes *error, tl_lanes *impulse)
{
    const lanes I_n = AT(p->In), I_t = AT(p->It), u_n = MADD(k->give, I_n, k->u_n + AT(p->shift_n)), u_t = k->u_t + AT(p->shift_t);
    const lanes zero = I_n - I_n, mu = AT(p->friction), inverse_rho = 0.5 * (AT(p->nn) + AT(p->tt));
    const lanes abs_t = SELECT(u_t < zero, -u_t, u_t);
    /* scaled by 1/ρ: x = I/ρ − û */
    const lanes i_n = I_n * inverse_rho, i_t = I_t * inverse_rho;
    const lanes x_n = i_n - (u_n + mu * abs_t), x_t = i_t - u_t;
    const lanes abs_x = SELECT(x_t < zero, -x_t, x_t), edge_n = (x_n + mu * abs_x) / (1 + mu * mu);
    const lanes edge_t = SELECT(x_t < zero, -mu * edge_n, mu * edge_n);
    const mask polar = mu * abs_x <= -x_n, beyond = abs_x > mu * x_n;
    const lanes outside_n = SELECT(beyond, edge_n, x_n), outside_t = SELECT(beyond, edge_t, x_t);
    const lanes d_n = i_n - SELECT(polar, zero, outside_n), d_t = i_t - SELECT(polar, zero, outside_t);
    PUT(*error, ROOT(d_n * d_n + d_t * d_t));
    PUT(*impulse, i_n);
}

static void residual_packs(const tl_row2 *rows, const tl_pack2 *packs, const tl_lanes *give, int begin, int end, tl_errors *error)
{
    for (int i = begin; i < end; i++) {
        tl_lanes e, pushed;
        EACH_PART(part)
        {
            visit k;
            velocity(&packs[i], rows, part, &k);
            k.give = AT(*give_of(give, i));
            errors_of(&packs[i], part, &k, &e, &pushed);
        }
        error[i] = (tl_errors){0};
        for (int lane = 0; lane < TL_LANES; lane++) {
            const tl_errors own = tl_error_of(e[lane], pushed[lane]);
            tl_errors_add(&error[i], &own);
        }
    }
}

static void drift_packs(tl_row2 *rows, const tl_pack2 *packs, const tl_lanes *goals, tl_lanes *impulses, int begin, int end)
{
    for (int i = begin; i < end; i++) EACH_PART(part)
        {
            visit k;
            velocity(&packs[i], rows, part, &k);
            const lanes zero = k.u_n - k.u_n, before = AT(impulses[i]), wanted = before - (k.u_n + AT(goals[i])) * AT(packs[i].inverse_nn);
            const lanes I = SELECT(wanted > zero, wanted, zero), dI = I - before;
            PUT(impulses[i], I);
            apply(&packs[i], rows, part, &k, &dI, &zero);
        }
}

static void velocity_of_pack(const tl_row2 *rows, const tl_pack2 *p, tl_lanes *u_n, tl_lanes *u_t)
{
    EACH_PART(part)
    {
        visit k;
        velocity(p, rows, part, &k);
        PUT(*u_n, k.u_n + AT(p->shift_n));
        PUT(*u_t, k.u_t + AT(p->shift_t));
    }
}

const tl_packs2 TL_PACKS2 = {
    .sweep = sweep_packs, .start = start_packs, .residual = residual_packs, .drift = drift_packs, .velocity = velocity_of_pack, .extrapolate = tl_extrapolate};
