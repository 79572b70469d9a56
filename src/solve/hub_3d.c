/* What a spatial problem says of its hubs (hub.h). A row keeps linear and angular part apart: the hub's velocity is copied to six numbers and back. */
#include "solve/bind3.h"

#include <string.h>

static bool bind(const tl_problem *base, tl_spoke *out)
{
    const tl_problem3 *p = (const tl_problem3 *)base;
    const tl_coupled *k = &p->base.coupled[out->coupled];
    const int hub = 1 - out->side;
    const double sign = hub == 0 ? -1 : 1, m = k->space.m[out->side] * k->space.m[out->side];
    const tl_vec3 *r = k->space.angular_row[out->side];
    for (int axis = 0; axis < 3; axis++) {
        tl_store3(&out->H[axis][0], tl_scale(sign * k->space.m[hub], k->axis[axis]));
        tl_store3(&out->H[axis][3], tl_scale(sign, k->space.angular_row[hub][axis]));
    }
    out->law.space.W = (tl_delassus3){.nn = m + tl_dot(r[0], r[0]),
                                      .nt = tl_dot(r[0], r[1]),
                                      .ns = tl_dot(r[0], r[2]),
                                      .tt = m + tl_dot(r[1], r[1]),
                                      .ts = tl_dot(r[1], r[2]),
                                      .ss = m + tl_dot(r[2], r[2])};
    if (!(out->law.space.W.nn > 0)) return false;
    out->law.space.law = tl_coulomb3_prepare(&out->law.space.W, k->friction);
    return true;
}

static void read(const tl_problem *base, int row, double z[TL_HUB_RATES])
{
    const tl_row3 *r = &((const tl_problem3 *)base)->row[row];
    memcpy(z, r->v, sizeof r->v);
    memcpy(z + 3, r->w, sizeof r->w);
}

static void place(const tl_problem *base, int row, const double z[TL_HUB_RATES])
{
    tl_row3 *r = &((const tl_problem3 *)base)->row[row];
    memcpy(r->v, z, sizeof r->v);
    memcpy(r->w, z + 3, sizeof r->w);
}

/* −∂I/∂u of a contact that presses, from the equations of its law (law3.h): along axes 1 and 2, at u_n = 0,
 *     (s_i + λ) x_i = −b_i,   I_n = c − w·x,   and while it slips ‖x‖ = μ I_n, with c = −u_n/W_nn and b_i = u_i − w_i u_n.
 * While it sticks λ is zero; the slope of λ is that of the last equation. */
static void slope(const tl_coulomb3 *law, const double u[3], const double I[3], double D[3][3])
{
    const double turn[2][2] = {{law->cos, law->sin}, {-law->sin, law->cos}}, w[2] = {law->w1, law->w2}, s[2] = {law->s1, law->s2};
    double x[2], b[2], length = 0, lambda = 0, g[2] = {0, 0}, scale = 0;
    for (int i = 0; i < 2; i++) {
        x[i] = turn[i][0] * I[1] + turn[i][1] * I[2];
        b[i] = turn[i][0] * u[1] + turn[i][1] * u[2] - w[i] * u[0];
        length += x[i] * x[i];
    }
    length = sqrt(length);
    const bool slips = length >= (1 - 1e-9) * law->friction * I[0];
    for (int i = 0; slips && length > 0 && i < 2; i++) lambda -= x[i] * (b[i] + s[i] * x[i]) / (length * length);
    lambda = fmax(lambda, 0);
    for (int i = 0; slips && length > 0 && i < 2; i++) {
        g[i] = x[i] / length + law->friction * w[i];
        scale += g[i] * x[i] / (s[i] + lambda);
    }
    for (int j = 0; j < 3; j++) { /* by u_n, u_t, u_s */
        const double dc = j == 0 ? -law->inverse_nn : 0;
        double db[2], dx[2] = {0, 0}, dlambda = 0;
        for (int i = 0; i < 2; i++) db[i] = j == 0 ? -w[i] : turn[i][j - 1];
        if (scale > 0) {
            dlambda = -law->friction * dc / scale;
            for (int i = 0; i < 2; i++) dlambda -= g[i] * db[i] / ((s[i] + lambda) * scale);
        }
        for (int i = 0; i < 2 && !(slips && length == 0); i++) dx[i] = -(db[i] + x[i] * dlambda) / (s[i] + lambda);
        D[0][j] = -(dc - w[0] * dx[0] - w[1] * dx[1]);
        for (int i = 0; i < 2; i++) D[1 + i][j] = -(turn[0][i] * dx[0] + turn[1][i] * dx[1]);
    }
}

static void answer(const tl_problem *base, const tl_spoke *s, double I[TL_HUB_AXES], double D[TL_HUB_AXES][TL_HUB_AXES])
{
    const tl_problem3 *p = (const tl_problem3 *)base;
    const tl_coupled *k = &p->base.coupled[s->coupled];
    const tl_delassus3 *W = &s->law.space.W;
    double V[3];
    tl_coupled3_velocity(p, k, p->row, p->base.v, V);
    const double u[3] = {V[0] + k->shift[0] - (W->nn * s->I[0] + W->nt * s->I[1] + W->ns * s->I[2]),
                         V[1] + k->shift[1] - (W->nt * s->I[0] + W->tt * s->I[1] + W->ts * s->I[2]),
                         V[2] + k->shift[2] - (W->ns * s->I[0] + W->ts * s->I[1] + W->ss * s->I[2])};
    tl_coulomb3_obey(&s->law.space.law, u, I);
    if (I[0] > 0) slope(&s->law.space.law, u, I, D);
}

static void push(const tl_problem *base, const tl_spoke *s, const double I[TL_HUB_AXES])
{
    const tl_problem3 *p = (const tl_problem3 *)base;
    const tl_coupled *k = &p->base.coupled[s->coupled];
    const double sign = s->side == 0 ? -1 : 1;
    tl_row3 *r = &p->row[k->row[s->side]];
    tl_vec3 linear = tl_load3(r->v), angular = tl_load3(r->w);
    for (int axis = 0; axis < 3; axis++) {
        linear = tl_add(linear, tl_scale(k->space.m[s->side] * sign * I[axis], k->axis[axis]));
        angular = tl_add(angular, tl_scale(sign * I[axis], k->space.angular_row[s->side][axis]));
    }
    tl_store3(r->v, linear);
    tl_store3(r->w, angular);
}

static double work(const tl_coupled *k, const double I[TL_HUB_AXES], const double J[TL_HUB_AXES]) { return tl_coupled3_work(&k->space.W, I, J); }

const tl_hub_ops TL_HUBS_3D = {.axes = 3, .rates = 6, .bind = bind, .read = read, .place = place, .answer = answer, .push = push, .work = work};
