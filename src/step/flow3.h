/* Ways and velocities of spatial contactors in a sheared cell (theory §6.5), as the list of near pairs sees them. */
#ifndef TL_FLOW3_H
#define TL_FLOW3_H

#include "detect/cell.h"
#include "step/system3.h"

/* A velocity at x, less that of a sheared cell there. */
static inline tl_vec3 tl_beyond_flow3(const tl_system3 *s, tl_vec3 v, tl_vec3 x)
{
    const tl_cell *c = &s->base.cell;
    if (c->sheared) (&v.x)[c->along] -= tl_cell_flow(c, (&x.x)[c->across]);
    return v;
}

/* The mean velocity of the free grains: pairs are listed in axes that go along with it, where what falls together stands still. */
static inline tl_vec3 tl_common_velocity3(const tl_system3 *s)
{
    tl_vec3 sum = {0, 0, 0};
    int count = 0;
    for (int i = 0; i < s->grains->n; i++) {
        if (s->grains->kind[i] != TALUS_BODY_FREE) continue;
        sum = tl_add(sum, tl_beyond_flow3(s, s->grains->v_free[i].v, s->grains->frame_m[i].p));
        count++;
    }
    return tl_scale(count > 0 ? 1.0 / count : 0, sum);
}

/* The way that a body goes in a step, in the axes of the list: beyond what is common to all. */
static inline tl_vec3 tl_own_way3(const tl_system3 *s, const tl_box3 *box, tl_vec3 v)
{
    const tl_vec3 middle = tl_scale(0.5, tl_add(box->low, box->high));
    return tl_scale(s->base.step.h, tl_sub(tl_beyond_flow3(s, v, middle), s->common));
}

/* In the axes of the list, which are slanted in a sheared cell. */
static inline tl_vec3 tl_slanted3(const tl_system3 *s, tl_vec3 way)
{
    const tl_cell *c = &s->base.cell;
    if (c->sheared) (&way.x)[c->along] -= tl_cell_slope(c) * (&way.x)[c->across];
    return way;
}

/* How much faster the copy of b goes than a. */
static inline tl_vec3 tl_approach3(const tl_system3 *s, const tl_motion3 *motion, const tl_near3 *pair)
{
    const tl_cell *c = &s->base.cell;
    const tl_vec3 v = tl_sub(motion[pair->b].v, motion[pair->a].v);
    if (!c->sheared) return v;
    return tl_add(v, tl_v3(tl_image_velocity(c, pair->image, 0), tl_image_velocity(c, pair->image, 1), tl_image_velocity(c, pair->image, 2)));
}

#endif
