/* The rows of a planar step's contacts, for the problem as a value. */
#include <string.h>

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

static void take_lane_back(const tl_pack2 *k, int i, tl_row2 *rows)
{
    tl_row2 *a = &rows[k->a[i]], *b = &rows[k->b[i]];
    const double n = k->In[i], t = k->It[i], px = k->nx[i] * n - k->ny[i] * t, py = k->ny[i] * n + k->nx[i] * t;
    a->x += k->sa[i] * px, a->y += k->sa[i] * py, a->w += k->cna[i] * n + k->cta[i] * t;
    b->x -= k->sb[i] * px, b->y -= k->sb[i] * py, b->w -= k->cnb[i] * n + k->ctb[i] * t;
}

static talus_status take_impulses_back(const tl_problem2 *p, tl_step *step, free_motion *f)
{
    f->row = tl_arena_alloc(step->arena, (size_t)p->bodies + 1, sizeof *f->row);
    if (!f->row) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->bodies);
    TL_TRY(tl_local_rows_copy(p->v, p->matter, p->matters, step, &f->v));
    memcpy(f->row, p->row, ((size_t)p->bodies + 1) * sizeof *f->row);
    for (int i = 0; i < p->packs * TL_LANES; i++) take_lane_back(&p->pack[i / TL_LANES], i % TL_LANES, f->row);
    for (int i = 0; i < p->coupleds; i++) tl_coupled2_impulse(p, &p->coupled[i], f->row, f->v, -p->coupled[i].I[0], -p->coupled[i].I[1]);
    return TALUS_OK;
}

static talus_status add_lane(const tl_problem2 *p, const free_motion *f, tl_local_rows *r, tl_step *step, int contact, int at)
{
    const tl_pack2 *k = &p->pack[at / TL_LANES];
    const int i = at % TL_LANES;
    const tl_row2 *a = &f->row[k->a[i]], *b = &f->row[k->b[i]];
    const double nx = k->nx[i], ny = k->ny[i], dx = k->sb[i] * b->x - k->sa[i] * a->x, dy = k->sb[i] * b->y - k->sa[i] * a->y;
    r->q[contact][0] = nx * dx + ny * dy + (k->cnb[i] * b->w - k->cna[i] * a->w) + k->shift_n[i];
    r->q[contact][1] = nx * dy - ny * dx + (k->ctb[i] * b->w - k->cta[i] * a->w) + k->shift_t[i];
    r->I[contact][0] = k->In[i], r->I[contact][1] = k->It[i];
    r->friction[contact] = k->friction[i];
    TL_TRY(add_grain(r, step, contact, k->a[i], -1, nx, ny, k->sa[i], k->cna[i], k->cta[i]));
    return k->a[i] != k->b[i] ? add_grain(r, step, contact, k->b[i], 1, nx, ny, k->sb[i], k->cnb[i], k->ctb[i]) : TALUS_OK;
}

static talus_status add_coupled(const tl_problem2 *p, const free_motion *f, tl_local_rows *r, tl_step *step, int contact, const tl_coupled2 *k)
{
    const tl_contact2 *c = &p->contact[k->contact];
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
    int *where, count = 0;
    TL_TRY(tl_local_rows_locate(step, p->contacts, p->lane, p->packs * TL_LANES, &where));
    for (int i = 0; i < p->coupleds; i++) where[p->coupled[i].contact] = TL_COUPLED - i;
    TL_TRY(tl_local_rows_begin(&r, 2, tl_local_rows_number(where, p->contacts), p->bodies + p->matters, step));
    free_motion f = {NULL, NULL};
    TL_TRY(take_impulses_back(p, step, &f));
    for (int i = 0; i < p->contacts; i++) {
        if (where[i] >= 0) TL_TRY(add_lane(p, &f, &r, step, count++, where[i]));
        else if (where[i] <= TL_COUPLED) TL_TRY(add_coupled(p, &f, &r, step, count++, &p->coupled[TL_COUPLED - where[i]]));
    }
    return tl_local_rows_assemble(&r, step, out);
}
