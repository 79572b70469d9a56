/* The result of a spatial contact problem goes back to its contacts: impulses and velocities along their own axes. */
#include <string.h>

#include "solve/packs3.h"

static tl_vec3 at_lane(const tl_lanes3 *v, int lane) { return tl_v3(v->x[lane], v->y[lane], v->z[lane]); }

/* V⁺ is the shifted velocity less what the law added to it, which bind and color left in V. Axes 1, 2 of the lane go back to t, s; vectors are those of
 * the contact where the pack's normal is, else their opposites. */
static void write_back_lane(tl_contact3 *c, tl_vec3 n, tl_vec3 axis, tl_vec3 u, tl_vec3 I)
{
    const double sign = tl_dot(n, c->n) < 0 ? -1 : 1;
    const tl_vec3 other = tl_cross(n, axis);
    tl_vec3 t, s;
    tl_tangents(c->n, &t, &s);
    const double t1 = sign * tl_dot(t, axis), t2 = sign * tl_dot(t, other), s1 = sign * tl_dot(s, axis), s2 = sign * tl_dot(s, other);
    c->I[0] = I.x;
    c->I[1] = t1 * I.y + t2 * I.z;
    c->I[2] = s1 * I.y + s2 * I.z;
    c->V[0] = u.x - c->V[0];
    c->V[1] = t1 * u.y + t2 * u.z;
    c->V[2] = s1 * u.y + s2 * u.z;
}

static void write_back_range(void *context, int begin, int end, int worker)
{
    tl_problem3 *p = context;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_pack3 *pack = &p->pack[i];
        tl_lanes3 u;
        p->kernels->velocity(p->row, pack, &u);
        for (int lane = 0; lane < TL_LANES; lane++) {
            if (p->lane[i * TL_LANES + lane] < 0) continue;
            tl_contact3 *c = &p->contact[p->lane[i * TL_LANES + lane]];
            write_back_lane(c, at_lane(&pack->n, lane), at_lane(&pack->t, lane), at_lane(&u, lane), at_lane(&pack->I, lane));
        }
    }
}

static void write_back_coupled(tl_problem3 *p)
{
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled3 *k = &p->coupled[i];
        tl_contact3 *c = &p->contact[k->contact];
        double V[3];
        tl_coupled3_velocity(p, k, p->row, p->v, V);
        memcpy(c->I, k->I, sizeof c->I);
        c->V[0] = V[0] + k->shift[0] - c->V[0];
        c->V[1] = V[1] + k->shift[1];
        c->V[2] = V[2] + k->shift[2];
    }
}

void tl_problem3_write_back(tl_problem3 *p, tl_step *step)
{
    tl_parallel_for(step->threads, p->packs, TL_PARALLEL_PACKS, write_back_range, p);
    write_back_coupled(p);
}
