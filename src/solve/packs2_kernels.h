/* What is done to packs of planar contacts, side by side: sweeps of nonlinear Gauss–Seidel (D20 eq. 33, theory §5; nlgs_2d.c), drift (drift_2d.c),
 * residuals.
 *
 * Compiled once for each instruction set (packs2_….c), in vector arithmetic without contraction, fused products named: the bits do not depend on it. */
#include "solve/kernels.h"
#include "solve/packs2.h"

/* Rows of grains as columns. */
typedef struct columns {
    lanes x, y, w, s;
} columns;

INLINE void gather(const tl_row2 *rows, const uint32_t at[], columns *out)
{
    lanes r[4];
    gather_quads((const char *)rows, at, r);
    *out = (columns){r[0], r[1], r[2], r[3]};
}

INLINE void scatter(tl_row2 *rows, const uint32_t at[], const columns *c)
{
    lanes r[4] = {c->x, c->y, c->w, c->s};
    scatter_quads((char *)rows, at, r);
}

typedef uint32_t places __attribute__((vector_size(4 * AT_ONCE), aligned(4), may_alias));

/* Part of a pack on its way: its ends, m^{-1/2} of b where it moves, u = Hᵀ v without the shift; Σ along n, extrapolated impulse. */
typedef struct visit {
    columns a, b;
    lanes sb, u_n, u_t, give, y_n, y_t;
} visit;

INLINE void velocity(const tl_pack2 *p, const tl_row2 *rows, size_t part, visit *k)
{
    const uint32_t *at_a = p->a + part / sizeof(double), *at_b = p->b + part / sizeof(double);
    const mask apart = __builtin_convertvector(*(const places *)at_a != *(const places *)at_b, mask);
    columns *a = &k->a, *b = &k->b;
    gather(rows, at_a, a);
    gather(rows, at_b, b);
    k->sb = ONLY(apart, b->s);
    const lanes nx = AT(p->nx), ny = AT(p->ny), dx = NMADD(a->s, a->x, k->sb * b->x), dy = NMADD(a->s, a->y, k->sb * b->y);
    k->u_n = MADD(nx, dx, MADD(ny, dy, NMADD(AT(p->cna), a->w, AT(p->cnb) * b->w)));
    k->u_t = MADD(nx, dy, NMADD(ny, dx, NMADD(AT(p->cta), a->w, AT(p->ctb) * b->w)));
}

/* An impulse, and what it turns the ends by: J^{-1/2} times its moments. */
typedef struct push2 {
    lanes n, t, a, b;
} push2;

INLINE void find_moments(const tl_pack2 *p, size_t part, push2 *I)
{
    I->a = MADD(AT(p->cna), I->n, AT(p->cta) * I->t);
    I->b = MADD(AT(p->cnb), I->n, AT(p->ctb) * I->t);
}

/* v += M⁻¹ H I. The end b goes first: where it does not move it is a copy of a, and a must win. */
INLINE void apply(const tl_pack2 *p, tl_row2 *rows, size_t part, visit *k, const push2 *I)
{
    columns *a = &k->a, *b = &k->b;
    const lanes nx = AT(p->nx), ny = AT(p->ny), px = NMADD(ny, I->t, nx * I->n), py = MADD(nx, I->t, ny * I->n);
    b->x = MADD(k->sb, px, b->x);
    b->y = MADD(k->sb, py, b->y);
    b->w += I->b;
    a->x = NMADD(a->s, px, a->x);
    a->y = NMADD(a->s, py, a->y);
    a->w -= I->a;
    scatter(rows, p->b + part / sizeof(double), b);
    scatter(rows, p->a + part / sizeof(double), a);
}

/* ---- sweeps ------------------------------------------------------------------------------------------------------------------ */

/* The law of law/law2.h, from impulses extrapolated along their last change, y = I + β (I − I_before): c is the normal impulse that would be without friction,
 * which takes I_t W_nt/W_nn from it. Adds to `back` how far the sweep turned back against the new change, ⟨y − I⁺, I⁺ − I⟩ in the energy norm of the
 * contact: less than zero means overshoot. */
INLINE void obey(tl_pack2 *p, tl_lanes before[2], size_t part, const visit *k, push2 *change, quad *back)
{
    const lanes zero = {0}, I_n = AT(p->In), I_t = AT(p->It), y_n = k->y_n, y_t = k->y_t, inverse_nn = AT(p->inverse_nn);
    const lanes u_n = MADD(k->give, y_n, k->u_n + AT(p->shift_n)), u_t = k->u_t + AT(p->shift_t);
    const lanes ratio = MADD(AT(p->cna), AT(p->cta), AT(p->cnb) * AT(p->ctb)) * inverse_nn;
    const lanes c = NMADD(u_n, inverse_nn, MADD(ratio, y_t, y_n)), stick = NMADD(NMADD(ratio, u_n, u_t), AT(p->inverse_s), y_t);
    const lanes high = AT(p->high) * c, low = AT(p->low) * c, held = MIN(stick, high), t = MAX(held, low);
    const mask closed = LESS(zero, c);
    const lanes next_n = ONLY(closed, NMADD(ratio, t, c)), next_t = ONLY(closed, t);
    push2 moved = {.n = next_n - I_n, .t = next_t - I_t};
    *change = (push2){.n = next_n - y_n, .t = next_t - y_t};
    find_moments(p, part, change), find_moments(p, part, &moved);
    const lanes linear = MADD(k->a.s, k->a.s, k->sb * k->sb), along = change->n * moved.n, both = MADD(change->t, moved.t, along);
    const lanes turned = MADD(change->a, moved.a, MADD(change->b, moved.b, MADD(linear, both, k->give * along)));
    ADD_QUADS(*back, turned);
    PUT(before[0], I_n), PUT(before[1], I_t);
    PUT(p->In, next_n), PUT(p->It, next_t);
}

/* What a sweep reads before it writes. */
INLINE void begin_pack(const tl_row2 *rows, const tl_pack2 *packs, const tl_momentum2 *m, int pack, visit k[PARTS])
{
    EACH_PART(part)
    {
        const lanes zero = {0}, beta = zero + m->beta, n = AT(packs[pack].In), t = AT(packs[pack].It);
        velocity(&packs[pack], rows, part, &k[NTH(part)]);
        k[NTH(part)].give = AT(*give_of(m->give, pack));
        k[NTH(part)].y_n = MADD(beta, n - AT(m->before[pack][0]), n);
        k[NTH(part)].y_t = MADD(beta, t - AT(m->before[pack][1]), t);
    }
}

/* The latency of one part hides behind the other, that of both behind the next pack. */
static void sweep_packs(tl_row2 *rows, tl_pack2 *packs, const tl_momentum2 *m, int begin, int end)
{
    visit k[PARTS], next[PARTS];
    if (begin < end) begin_pack(rows, packs, m, begin, k);
    for (int i = begin; i < end; i++) {
        quad back = {0, 0, 0, 0};
        push2 change[PARTS];
        EACH_PART(part) obey(&packs[i], m->before[i], part, &k[NTH(part)], &change[NTH(part)], &back);
        begin_pack(rows, packs, m, i + 1 < end ? i + 1 : i, next);
        EACH_PART(part) apply(&packs[i], rows, part, &k[NTH(part)], &change[NTH(part)]);
        memcpy(k, next, sizeof k);
        m->reversal[i] = -sum_of(&back);
    }
}

static void start_packs(tl_row2 *rows, const tl_pack2 *packs, int begin, int end)
{
    for (int i = begin; i < end; i++) EACH_PART(part)
        {
            visit k;
            push2 I = {.n = AT(packs[i].In), .t = AT(packs[i].It)};
            find_moments(&packs[i], part, &I);
            velocity(&packs[i], rows, part, &k);
            apply(&packs[i], rows, part, &k, &I);
        }
}

/* Natural-map residuals (law/signorini_coulomb2.c). Velocities are not told as differences of impulses: rounding of a large one would hide them. */
INLINE void add_errors(const tl_pack2 *p, size_t part, const visit *k, tally *all)
{
    const lanes zero = {0}, mu = AT(p->friction), inverse_rho = AT(p->inverse_rho);
    const lanes u_n = MADD(k->give, AT(p->In), k->u_n + AT(p->shift_n)), u_t = k->u_t + AT(p->shift_t);
    /* scaled by 1/ρ: x = I/ρ − û */
    const lanes u = MADD(mu, MAGNITUDE(u_t), u_n), n = AT(p->In) * inverse_rho, t = AT(p->It) * inverse_rho, x = n - u, y = t - u_t;
    const lanes aside = MAGNITUDE(y), room = MADD(mu, n, -aside), share = 1 / (1 + mu * mu), along = share * (mu * u - room);
    const mask polar = ~LESS(zero, MADD(mu, aside, x)), beyond = LESS(mu * x, aside);
    const lanes edge_t = u_t + SELECT(LESS(y, zero), -along, along);
    const lanes d_n = SELECT(polar, n, SELECT(beyond, share * MADD(mu, room, u), u)), d_t = SELECT(polar, t, SELECT(beyond, edge_t, u_t));
    /* x − x: what is not finite shows, whatever the selections made of it */
    const lanes error = ROOT(MADD(d_n, d_n, d_t * d_t)) + ((x - x) + (y - y));
    const lanes count = ONLY(LESS(zero, n), zero + 1);
    add_to_tally(all, &error, &n, &count);
}

static void residual_packs(const tl_row2 *rows, const tl_pack2 *packs, const tl_lanes *give, int begin, int end, tl_errors *error)
{
    for (int i = begin; i < end; i++) {
        tally all = NO_TALLY;
        EACH_PART(part)
        {
            visit k;
            velocity(&packs[i], rows, part, &k);
            k.give = AT(*give_of(give, i));
            add_errors(&packs[i], part, &k, &all);
        }
        error[i] = errors_of(&all);
    }
}

static void drift_packs(tl_row2 *rows, const tl_pack2 *packs, const tl_lanes *goals, tl_lanes *impulses, int begin, int end)
{
    for (int i = begin; i < end; i++) EACH_PART(part)
        {
            visit k;
            velocity(&packs[i], rows, part, &k);
            const lanes zero = {0}, before = AT(impulses[i]), wanted = NMADD(k.u_n + AT(goals[i]), AT(packs[i].inverse_nn), before);
            const lanes I = MAX(wanted, zero);
            push2 dI = {.n = I - before, .t = zero};
            find_moments(&packs[i], part, &dI);
            PUT(impulses[i], I);
            apply(&packs[i], rows, part, &k, &dI);
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
