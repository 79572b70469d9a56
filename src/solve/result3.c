/* The result of a spatial contact problem goes back to its contacts: impulses and velocities along their own axes. */
#include <string.h>

#include "solve/packs3.h"

/* V⁺ is the shifted velocity less what the law added to it. Vectors are those of the contact where the pack's normal n is its
 * own, else their opposites. */
static void write_back_lane(tl_contact *c, tl_vec3 n, tl_vec3 u, tl_vec3 I)
{
    const double sign = tl_dot(n, c->n) < 0 ? -1 : 1;
    tl_vec3 t, s;
    tl_tangents(c->n, &t, &s);
    c->I[0] = tl_dot(n, I);
    c->I[1] = sign * tl_dot(t, I);
    c->I[2] = sign * tl_dot(s, I);
    c->V[0] = tl_dot(n, u) - c->shift;
    c->V[1] = sign * tl_dot(t, u);
    c->V[2] = sign * tl_dot(s, u);
}

/* In the axes of the lane of a pack. */
static void write_back_turned(tl_contact *c, tl_vec3 n, tl_vec3 axis, tl_vec3 u, tl_vec3 I)
{
    const double sign = tl_dot(n, c->n) < 0 ? -1 : 1;
    const tl_vec3 other = tl_cross(n, axis);
    tl_vec3 t, s;
    tl_tangents(c->n, &t, &s);
    const double t1 = sign * tl_dot(t, axis), t2 = sign * tl_dot(t, other), s1 = sign * tl_dot(s, axis), s2 = sign * tl_dot(s, other);
    c->I[0] = I.x;
    c->I[1] = t1 * I.y + t2 * I.z;
    c->I[2] = s1 * I.y + s2 * I.z;
    c->V[0] = u.x - c->shift;
    c->V[1] = t1 * u.y + t2 * u.z;
    c->V[2] = s1 * u.y + s2 * u.z;
}

static void write_back_range(void *context, int begin, int end, int worker)
{
    tl_problem3 *p = context;
    const int balls = p->packs[TL_BALLS3];
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_balls3 *ball = i < balls ? &p->ball[i] : NULL;
        const tl_pack3 *pack = ball ? NULL : &p->pack[i - balls];
        tl_lanes3 u;
        tl_velocities3(p, p->row, i, &u);
        for (int lane = 0; lane < TL_LANES; lane++) {
            tl_problem_expect(&p->base, i * TL_LANES + lane);
            if (p->base.lane[i * TL_LANES + lane] < 0) continue;
            tl_contact *c = &p->base.contact[p->base.lane[i * TL_LANES + lane]];
            if (ball) write_back_lane(c, tl_lane3(&ball->n, lane), tl_lane3(&u, lane), tl_lane3(&ball->I, lane));
            else write_back_turned(c, tl_lane3(&pack->n, lane), tl_lane3(&pack->t, lane), tl_lane3(&u, lane), tl_lane3(&pack->I, lane));
        }
    }
}

void tl_problem3_write_back(tl_problem3 *p, tl_step *step)
{
    tl_parallel_for(step->threads, p->all_packs, TL_PARALLEL_PACKS, write_back_range, p);
    tl_problem_write_back_coupled(&p->base);
}
