/* Ropes over pulleys, without friction there: constraints of a step, at q_m (joints.h). */
#include "step/joint_list.h"

tl_vec3 tl_tackle_point(const tl_system *s, const tl_tackle *t, int k) { return tl_joint_point(s, &t->end[k]); }

double tl_tackle_length(const tl_system *s, const tl_tackle *t)
{
    double sum = 0;
    for (int k = 1; k < t->count; k++) sum += tl_norm(tl_sub(tl_tackle_point(s, t, k), tl_tackle_point(s, t, k - 1)));
    return sum;
}

/* The pull at each point: towards its neighbours. Returns the length. */
static double pulls(const tl_vec3 *at, int count, tl_vec3 *pull)
{
    double length = 0;
    for (int k = 0; k < count; k++) pull[k] = tl_v3(0, 0, 0);
    for (int k = 1; k < count; k++) {
        const tl_vec3 d = tl_sub(at[k], at[k - 1]), e = tl_normalize(d);
        length += tl_norm(d);
        pull[k - 1] = tl_add(pull[k - 1], e);
        pull[k] = tl_sub(pull[k], e);
    }
    return length;
}

/* Rate at which the rope grows slack some time before or after q_m, if all go on as they do. */
static double slack_rate(const tl_tackle *t, const tl_moving *now, double time, tl_vec3 *at, tl_vec3 *pull)
{
    double rate = 0;
    for (int k = 0; k < t->count; k++) {
        const tl_moving m = tl_moving_ahead(&now[k], time);
        at[k] = tl_moving_frame(&m, &t->end[k].frame).p;
    }
    (void)pulls(at, t->count, pull);
    for (int k = 0; k < t->count; k++) {
        const tl_moving m = tl_moving_ahead(&now[k], time);
        rate += tl_dot(pull[k], tl_moving_velocity(&m, at[k]));
    }
    return rate;
}

talus_status tl_tackle_add(tl_constraint_list *l, const tl_tackle *t, double *I)
{
    const size_t n = (size_t)t->count;
    const tl_system *s = l->s;
    for (int k = 0; k < t->count; k++)
        if (tl_end_is_gone(s, &t->end[k])) {
            *I = 0;
            return TALUS_OK;
        }
    tl_vec3 *at = tl_arena_alloc(s->step.arena, 2 * n, sizeof *at), *pull = at + n;
    tl_moving *now = tl_arena_alloc(s->step.arena, n, sizeof *now);
    if (!at || !now) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for a rope over %d points", t->count);
    for (int k = 0; k < t->count; k++) TL_TRY(tl_find_motion(s, &t->end[k], true, &now[k]));
    const double before = slack_rate(t, now, -0.5 * s->step.h, at, pull), after = slack_rate(t, now, 0.5 * s->step.h, at, pull);
    for (int k = 0; k < t->count; k++) at[k] = tl_moving_frame(&now[k], &t->end[k].frame).p;
    tl_constraint *c = tl_constraint_list_add(l, 1, t->count, I);
    c->set = &TL_INTERVAL;
    c->low = 0, c->high = (double)INFINITY;
    c->gap[0] = t->length - pulls(at, t->count, pull);
    c->shift[0] = s->step.staggered ? 0 : s->step.theta * (after - before);
    c->corrected = true;
    for (int k = 0; k < t->count; k++) {
        c->grip[k] = (tl_grip){.matter = t->end[k].matter, .item = t->end[k].item, .at = at[k], .arm = tl_sub(at[k], now[k].frame.p)};
        c->grip[k].row[0].force = pull[k];
    }
    return TALUS_OK;
}
