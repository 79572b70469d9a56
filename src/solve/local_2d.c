/* The rows of a planar step's contacts, for the problem as a value. */
#include "solve/lanes2.h"
#include "solve/local_rows.h"

static talus_status add_grain(tl_local_rows *r, tl_step *step, int contact, int body, double sign, double nx, double ny, double s, double cn, double ct)
{
    const double H[2][3] = {{s * nx, s * ny, cn}, {-s * ny, s * nx, ct}};
    return tl_local_rows_add(r, (tl_local_end){.contact = contact, .group = body, .size = 3, .sign = sign, .H = H[0]}, step);
}

/* Velocities without impulses: v⁺ less what the impulses made of them. */
typedef struct free_motion {
    tl_row2 *row;
    double **v;
} free_motion;

static talus_status take_impulses_back(const tl_problem2 *p, tl_step *step, free_motion *f)
{
    f->row = tl_arena_alloc(step->arena, (size_t)p->bodies + 1, sizeof *f->row);
    if (!f->row) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->bodies);
    TL_TRY(tl_local_rows_copy(p->v, p->matter, p->matters, step, &f->v));
    memcpy(f->row, p->row, ((size_t)p->bodies + 1) * sizeof *f->row);
    for (int i = 0; i < p->packs; i++) {
        const tl_pack2 *k = &p->pack[i];
        const tl_lanes n = -k->In, t = -k->It;
        columns a, b;
        gather(f->row, k->a, &a);
        gather(f->row, k->b, &b);
        apply(k, f->row, &a, &b, &n, &t);
    }
    for (int i = 0; i < p->coupleds; i++) tl_coupled2_impulse(p, &p->coupled[i], f->row, f->v, -p->coupled[i].I[0], -p->coupled[i].I[1]);
    return TALUS_OK;
}

static talus_status add_pack(const tl_problem2 *p, const free_motion *f, tl_local_rows *r, tl_step *step, int pack)
{
    const tl_pack2 *k = &p->pack[pack];
    columns a, b;
    tl_lanes n, t;
    gather(f->row, k->a, &a);
    gather(f->row, k->b, &b);
    velocity(k, &a, &b, &n, &t);
    for (int i = 0; i < TL_LANES; i++) {
        if (p->lane[pack * TL_LANES + i] < 0) continue;
        const int contact = r->number[p->lane[pack * TL_LANES + i]];
        r->q[contact][0] = n[i] + k->shift_n[i], r->q[contact][1] = t[i] + k->shift_t[i];
        r->I[contact][0] = k->In[i], r->I[contact][1] = k->It[i];
        r->friction[contact] = k->friction[i];
        TL_TRY(add_grain(r, step, contact, k->a[i], -1, k->nx[i], k->ny[i], k->sa[i], k->cna[i], k->cta[i]));
        if (k->a[i] != k->b[i]) TL_TRY(add_grain(r, step, contact, k->b[i], 1, k->nx[i], k->ny[i], k->sb[i], k->cnb[i], k->ctb[i]));
    }
    return TALUS_OK;
}

static talus_status add_coupled(const tl_problem2 *p, const free_motion *f, tl_local_rows *r, tl_step *step, const tl_coupled2 *k)
{
    const tl_contact2 *c = &p->contact[k->contact];
    const int contact = r->number[k->contact];
    double *q = r->q[contact];
    tl_coupled2_velocity(p, k, f->row, f->v, q);
    for (int i = 0; i < 2; i++) q[i] += k->shift[i], r->I[contact][i] = k->I[i];
    r->friction[contact] = k->friction;
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1 : 1;
        const int m = k->matter[side];
        if (m == 0 && k->row[side] >= 0) TL_TRY(add_grain(r, step, contact, k->row[side], sign, c->nx, c->ny, k->s[side], k->cn[side], k->ct[side]));
        if (m == 0) continue;
        if (!k->H[side]) return tl_fail(step->error, TALUS_UNSUPPORTED, "matter '%s' has no rows to write", p->matter[m]->ops->kind);
        TL_TRY(tl_local_rows_add(r, (tl_local_end){contact, p->bodies + m, k->nv[side], sign, k->H[side], k->Y[side]}, step));
    }
    return TALUS_OK;
}

talus_status tl_problem2_local(const tl_problem2 *p, tl_step *step, talus_problem_def *out)
{
    tl_local_rows r;
    free_motion f = {NULL, NULL};
    int *coupled = tl_arena_alloc(step->arena, (size_t)p->coupleds + 1, sizeof *coupled);
    if (!coupled) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->coupleds);
    for (int i = 0; i < p->coupleds; i++) coupled[i] = p->coupled[i].contact;
    TL_TRY(tl_local_rows_begin(&r, 2, p->contacts, p->bodies + p->matters, p->lane, p->packs * TL_LANES, coupled, p->coupleds, step));
    TL_TRY(take_impulses_back(p, step, &f));
    for (int i = 0; i < p->packs; i++) TL_TRY(add_pack(p, &f, &r, step, i));
    for (int i = 0; i < p->coupleds; i++) TL_TRY(add_coupled(p, &f, &r, step, &p->coupled[i]));
    return tl_local_rows_assemble(&r, step, out);
}
