/* What a planar problem says of its hubs (hub.h). */
#include "solve/problem2.h"

#include <string.h>

static bool bind(const tl_problem *base, tl_spoke *out)
{
    const tl_problem2 *p = (const tl_problem2 *)base;
    const tl_coupled *k = &p->base.coupled[out->coupled];
    const tl_contact *c = &p->base.contact[k->contact];
    const int hub = 1 - out->side;
    const double sign = hub == 0 ? -1 : 1, s = sign * k->plane.s[hub],
                 H[2][3] = {{s * c->n.x, s * c->n.y, sign * k->plane.cn[hub]}, {-s * c->n.y, s * c->n.x, sign * k->plane.ct[hub]}};
    for (int axis = 0; axis < 2; axis++) memcpy(out->H[axis], H[axis], sizeof H[axis]);
    const double m = k->plane.s[out->side] * k->plane.s[out->side], n = k->plane.cn[out->side], t = k->plane.ct[out->side];
    out->law.plane.W = (tl_delassus2){m + n * n, n * t, m + t * t};
    out->law.plane.law = tl_coulomb2_prepare(out->law.plane.W, k->friction);
    return out->law.plane.W.nn > 0;
}

static void read(const tl_problem *base, int row, double z[TL_HUB_RATES]) { memcpy(z, &((const tl_problem2 *)base)->row[row], 3 * sizeof *z); }

static void place(const tl_problem *base, int row, const double z[TL_HUB_RATES]) { memcpy(&((const tl_problem2 *)base)->row[row], z, 3 * sizeof *z); }

static void answer(const tl_problem *base, const tl_spoke *s, double I[TL_HUB_AXES], double D[TL_HUB_AXES][TL_HUB_AXES])
{
    const tl_problem2 *p = (const tl_problem2 *)base;
    const tl_coupled *k = &p->base.coupled[s->coupled];
    const tl_delassus2 *W = &s->law.plane.W;
    const tl_coulomb2 *law = &s->law.plane.law;
    double V[2];
    tl_coupled2_velocity(p, k, p->row, p->base.v, V);
    const double u[2] = {V[0] + k->shift[0] - (W->nn * s->I[0] + W->nt * s->I[1]), V[1] + k->shift[1] - (W->nt * s->I[0] + W->tt * s->I[1])};
    tl_coulomb2_solve(law, W->nt, u[0], u[1], I);
    if (u[0] >= 0) return;
    const double ratio = W->nt * law->inverse_nn;
    if (I[1] >= -law->k_plus * u[0]) D[1][0] = law->k_plus;
    else if (I[1] <= law->k_minus * u[0]) D[1][0] = -law->k_minus;
    else D[1][0] = -ratio * law->inverse_s, D[1][1] = law->inverse_s;
    D[0][0] = law->inverse_nn - ratio * D[1][0], D[0][1] = -ratio * D[1][1];
}

static void push(const tl_problem *base, const tl_spoke *s, const double I[TL_HUB_AXES])
{
    const tl_problem2 *p = (const tl_problem2 *)base;
    const tl_coupled *k = &p->base.coupled[s->coupled];
    const tl_contact *c = &p->base.contact[k->contact];
    const double sign = s->side == 0 ? -1 : 1, n = sign * I[0], t = sign * I[1], m = k->plane.s[s->side];
    tl_row2 *r = &p->row[k->row[s->side]];
    r->x += m * (c->n.x * n - c->n.y * t);
    r->y += m * (c->n.y * n + c->n.x * t);
    r->w += k->plane.cn[s->side] * n + k->plane.ct[s->side] * t;
}

static double work(const tl_coupled *k, const double I[TL_HUB_AXES], const double J[TL_HUB_AXES]) { return tl_coupled2_work(&k->plane.W, I, J); }

const tl_hub_ops TL_HUBS_2D = {.axes = 2, .rates = 3, .bind = bind, .read = read, .place = place, .answer = answer, .push = push, .work = work};
