/* What is done to packs of planar contacts for the problem as a whole (tl_pack_ops). */
#include "solve/global_rows.h"
#include "solve/guard.h"
#include "solve/packs2.h"

/* The end of a contact at a grain. */
typedef struct grain_end {
    int body;
    double sign, nx, ny, s, cn, ct; /* as in tl_pack2; s: m^{-1/2} */
} grain_end;

static talus_status add_grain(tl_local_rows *r, tl_step *step, int contact, const grain_end *e)
{
    const double H[2][3] = {{e->s * e->nx, e->s * e->ny, e->cn}, {-e->s * e->ny, e->s * e->nx, e->ct}};
    return tl_local_rows_add(r, (tl_local_end){.contact = contact, .group = e->body, .size = 3, .sign = e->sign, .H = H[0]}, step);
}

typedef struct back {
    const tl_problem2 *p;
    tl_row2 *row;
} back;

static void push_packs_back(void *context, const tl_share *s)
{
    const back *b = context;
    for (int i = s->begin[0]; i < s->end[0]; i++) tl_push2(b->p, b->row, i, -b->p->pack[i].In, -b->p->pack[i].It);
}

static void push_back(const tl_problem *base, double *grain, tl_step *step)
{
    const tl_problem2 *p = (const tl_problem2 *)base;
    back b = {p, (tl_row2 *)grain};
    tl_colors_walk(&p->color, step, push_packs_back, &b);
}

/* No grain is split in the plane. */
static void join(const tl_problem *base, double *grain) { (void)base, (void)grain; }
static void spread(tl_problem *base) { (void)base; }

static int body_of(uint32_t place) { return (int)(place / sizeof(tl_row2)); }

static talus_status add_pack(const tl_problem2 *p, const tl_row2 *free, tl_local_rows *r, tl_step *step, const int *contacts, const tl_pack2 *k)
{
    tl_lanes n, t;
    p->kernels->velocity(free, k, &n, &t);
    for (int i = 0; i < TL_LANES; i++) {
        if (contacts[i] < 0) continue;
        const int contact = r->number[contacts[i]], a = body_of(k->a[i]), b = body_of(k->b[i]);
        r->q[contact][0] = n[i], r->q[contact][1] = t[i];
        r->I[contact][0] = k->In[i], r->I[contact][1] = k->It[i];
        r->friction[contact] = k->friction[i];
        TL_TRY(add_grain(r, step, contact, &(grain_end){a, -1, k->nx[i], k->ny[i], p->s[a], k->cna[i], k->cta[i]}));
        if (a != b) TL_TRY(add_grain(r, step, contact, &(grain_end){b, 1, k->nx[i], k->ny[i], p->s[b], k->cnb[i], k->ctb[i]}));
    }
    return TALUS_OK;
}

static talus_status add(const tl_problem *base, double *free, const int *lane, tl_local_rows *r, tl_step *step)
{
    const tl_problem2 *p = (const tl_problem2 *)base;
    for (int i = 0; i < p->packs; i++) TL_TRY(add_pack(p, (const tl_row2 *)free, r, step, &lane[i * TL_LANES], &p->pack[i]));
    return TALUS_OK;
}

static talus_status add_grain_end(const tl_problem *base, const tl_coupled *k, int side, tl_local_rows *r, tl_step *step)
{
    const tl_vec3 n = base->contact[k->contact].n;
    const grain_end end = {k->row[side], side ? 1 : -1, n.x, n.y, k->plane.s[side], k->plane.cn[side], k->plane.ct[side]};
    return add_grain(r, step, r->number[k->contact], &end);
}

static talus_status say_grain(const tl_problem *base, const double *free, int body, tl_step *step, tl_global_group *out)
{
    const tl_problem2 *p = (const tl_problem2 *)base;
    const double masses[3] = {base->inverse_mass[body], base->inverse_mass[body], p->inverse_inertia[body]};
    return tl_global_grain(3, masses, &((const tl_row2 *)free)[body].x, &p->row[body].x, step, out);
}

static void change(tl_problem *base, const int *number, const double *I)
{
    const tl_problem2 *p = (const tl_problem2 *)base;
    for (int i = 0; i < p->packs; i++) {
        tl_pack2 *k = &p->pack[i];
        tl_lanes n = k->In, t = k->It;
        for (int lane = 0; lane < TL_LANES; lane++) {
            const int contact = p->base.lane[i * TL_LANES + lane];
            if (contact >= 0 && number[contact] >= 0) n[lane] = I[2 * number[contact]], t[lane] = I[2 * number[contact] + 1];
        }
        tl_push2(p, p->row, i, n - k->In, t - k->It);
        k->In = n, k->It = t;
    }
}

static void before(const tl_problem *p, int lane, double V[3])
{
    V[2] = 0;
    tl_problem2_before((const tl_problem2 *)p, &p->contact[p->lane[lane]], V);
}

static talus_status sweep(tl_problem *p, tl_step *step) { return tl_nlgs2_sweep((tl_problem2 *)p, step); }
static void start(tl_problem *p, tl_step *step) { tl_problem2_start((tl_problem2 *)p, step); }
static double residual(tl_problem *p, tl_step *step) { return tl_problem2_residual((tl_problem2 *)p, step); }
static void write_back(tl_problem *p, tl_step *step) { tl_problem2_write_back((tl_problem2 *)p, step); }
static void take_back(tl_problem *p, tl_guard *guard, const tl_velocities *free, tl_step *step) { tl_guard2_take_back((tl_problem2 *)p, guard, free, step); }

const tl_pack_ops TL_PACK_OPS2 = {sweep, start, residual, write_back, push_back, join, spread, add, add_grain_end, say_grain, change, before, take_back};
