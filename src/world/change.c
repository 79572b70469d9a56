/* What may change between two steps of an assembled world: kinds of bodies, gravity. */
#include <string.h>

#include "world/world.h"

static bool is_at(const tl_joint_end end[2], int body) { return end[0].body == body || end[1].body == body; }

/* What a body cannot leave: bonds to a solid are solved with it, and oil needs both ends of its cylinder. */
static talus_status check_leave(talus_world *w, int body, const char *text)
{
    const tl_joints *all = &w->system->joints;
    for (int i = 0; i < all->count; i++) {
        const tl_body_joint *j = &all->joint[i];
        if (j->glued && is_at(j->end, body))
            return tl_fail(&w->error, TALUS_UNSUPPORTED, "%s is glued to a solid by joint '%.60s', so it cannot be taken away", text, j->name ? j->name : "");
    }
    for (int i = 0; i < all->hydraulics.actuators; i++) {
        const tl_actuator *a = &all->hydraulics.actuator[i];
        const tl_joint_end *end = a->at == TL_AT_POINTS ? a->end : a->at == TL_AT_JOINT ? all->joint[a->joint].end : NULL;
        if (end && is_at(end, body)) return tl_fail(&w->error, TALUS_UNSUPPORTED, "%s is moved by '%.60s', so it cannot be taken away", text, a->name);
    }
    return TALUS_OK;
}

talus_status tl_world_refuse_absent(talus_world *w, talus_body_id body, const char *what)
{
    char text[128];
    if (tl_is_none(body.index1) || talus_body_get_kind(w, body) != TALUS_BODY_ABSENT) return TALUS_OK;
    return tl_fail(&w->error, TALUS_UNSUPPORTED, "%s is not there yet, so %s cannot end at it: where it comes is not known",
                   tl_world_describe(w, (int)body.index1 - 1, text), what);
}

/* What tied a body to others is cut, and would snap together from where they are by now. */
static talus_status check_return(talus_world *w, int body, const char *text)
{
    const tl_system *s = w->system;
    const char *tie = NULL;
    for (int i = 0; i < s->joints.count; i++)
        if (is_at(s->joints.joint[i].end, body)) tie = "a joint";
    for (int i = 0; i < s->ropes; i++)
        if (s->rope[i].end[0].body == body || s->rope[i].end[1].body == body) tie = "a rope or rod";
    for (int i = 0; i < s->joints.tackles; i++)
        for (int k = 0; k < s->joints.tackle[i].count; k++)
            if (s->joints.tackle[i].end[k].body == body) tie = "a rope";
    if (!tie) return TALUS_OK;
    return tl_fail(&w->error, TALUS_UNSUPPORTED, "%s was tied by %s, which is cut since it was taken away, so it cannot come back", text, tie);
}

static talus_status check_change(talus_world *w, talus_body_id id, talus_body_kind kind)
{
    char text[128];
    if ((unsigned)kind > TALUS_BODY_ABSENT) return tl_fail(&w->error, TALUS_INPUT, "there is no kind %d of bodies", (int)kind);
    if (tl_is_none(id.index1) || id.index1 > (uint32_t)w->bodies) return tl_fail(&w->error, TALUS_INPUT, "there is no such body to change");
    const tl_body *body = &w->body[id.index1 - 1];
    const tl_matter *m = w->system->matter[body->place.matter];
    tl_world_describe(w, (int)id.index1 - 1, text);
    if (body->place.matter != 0) return tl_fail(&w->error, TALUS_INPUT, "%s is a %s of a %s, which says how it moves", text, m->ops->part, m->ops->kind);
    if (!body->changes_kind) return tl_fail(&w->error, TALUS_INPUT, "%s was not defined as one that changes its kind", text);
    const bool is_absent = talus_body_get_kind(w, id) == TALUS_BODY_ABSENT;
    if (kind == TALUS_BODY_ABSENT) return is_absent ? TALUS_OK : check_leave(w, (int)id.index1 - 1, text);
    if (is_absent) TL_TRY(check_return(w, (int)id.index1 - 1, text));
    if (kind != TALUS_BODY_FREE) return TALUS_OK;
    for (int k = body->first_shape; k >= 0; k = w->next_shape[k])
        if (!tl_world_is_convex(w, k)) return tl_fail(&w->error, TALUS_INPUT, "%s carries a half-plane, a half-space or a mesh, so it cannot be freed", text);
    if (!((tl_is_planar(w) ? w->plane.grains->mass : w->space.grains->mass)[body->place.item] > 0))
        return tl_fail(&w->error, TALUS_INPUT, "%s has no mass, so it cannot be freed: give it one, or give its shapes' material a density", text);
    return TALUS_OK;
}

/* Of a body that comes, or is put elsewhere: it has met nothing, and no acceleration of it is known, also where it comes in the step in which it was taken. */
static void forget_past(talus_world *w, talus_body_id id)
{
    tl_system *s = w->system;
    tl_pairs_forget(s, (int)id.index1 - 1);
    tl_world_look_anew(w, id);
    if (s->scheme->begin_anew) s->scheme->begin_anew(s, w->body[id.index1 - 1].place);
}

talus_status talus_body_set_kind(talus_world *w, talus_body_id id, talus_body_kind kind)
{
    TL_TRY(talus_world_assemble(w));
    TL_TRY(check_change(w, id, kind));
    const int i = w->body[id.index1 - 1].place.item;
    const talus_body_kind before = talus_body_get_kind(w, id);
    const bool comes = before == TALUS_BODY_ABSENT && kind != before, freed = kind == TALUS_BODY_FREE && kind != before;
    tl_grains2 *flat = w->plane.grains;
    tl_grains3 *solid = w->space.grains;
    tl_world_look_past(w, id, -1);
    if (tl_is_planar(w)) {
        flat->kind[i] = kind;
        tl_grains2_settle_kind(flat, i);
        if (kind != TALUS_BODY_FREE) tl_grains2_start_here(flat, i, talus_world_time(w));
    } else {
        solid->kind[i] = kind;
        tl_grains3_settle_kind(solid, i);
        if (kind != TALUS_BODY_FREE) tl_grains3_start_here(solid, i, talus_world_time(w));
    }
    w->kinds_changed = true;
    tl_world_look_past(w, id, 1);
    if (comes) forget_past(w, id);
    else if (freed && w->system->scheme->begin_anew) w->system->scheme->begin_anew(w->system, w->body[id.index1 - 1].place);
    return TALUS_OK;
}

static bool all_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* Of any length but 0. */
static bool read_turn(const double q[4], tl_quat *out)
{
    const double most = fmax(fmax(fabs(q[0]), fabs(q[1])), fmax(fabs(q[2]), fabs(q[3])));
    if (!(most > 0)) return false;
    *out = tl_quat_normalize((tl_quat){q[0] / most, q[1] / most, q[2] / most, q[3] / most});
    return true;
}

talus_status talus_body_place(talus_world *w, talus_body_id id, const double position[3], const double quaternion[4], const double linear[3],
                              const double angular[3])
{
    TL_TRY(talus_world_assemble(w));
    const talus_body_kind kind = talus_body_get_kind(w, id);
    TL_TRY(check_change(w, id, kind));
    if (kind != TALUS_BODY_FREE && kind != TALUS_BODY_ABSENT) return tl_fail(&w->error, TALUS_INPUT, "only a free or an absent body can be put elsewhere");
    if (!position || !quaternion || !linear || !angular) return tl_fail(&w->error, TALUS_INPUT, "a body is put to a place that is not given");
    tl_quat turn;
    if (!all_finite(position, 3) || !all_finite(quaternion, 4) || !all_finite(linear, 3) || !all_finite(angular, 3) || !read_turn(quaternion, &turn))
        return tl_fail(&w->error, TALUS_INPUT, "a body is put to a place that is not a number, or with a quaternion of length 0");
    const int i = w->body[id.index1 - 1].place.item;
    if (tl_is_planar(w)) {
        tl_grains2 *g = w->plane.grains;
        const tl_pose2 pose = tl_pose2_at(0, 0, 2 * atan2(turn.z, turn.w));
        const tl_vec2 arm = tl_rotate2(&pose, g->origin[i]);
        g->q[i] = (tl_twist2){position[0] - arm.x, position[1] - arm.y, pose.angle};
        if (kind != TALUS_BODY_FREE) tl_grains2_start_here(g, i, talus_world_time(w));
        g->v[i] = (tl_twist2){linear[0], linear[1], angular[2]};
        forget_past(w, id);
        return TALUS_OK;
    }
    tl_grains3 *g = w->space.grains;
    const tl_quat back = {g->user[i].q.w, -g->user[i].q.x, -g->user[i].q.y, -g->user[i].q.z};
    g->q[i].q = tl_quat_normalize(tl_quat_mul(turn, back));
    const tl_mat3 R = tl_mat3_from_quat(g->q[i].q);
    g->q[i].p = tl_sub(tl_load3(position), tl_mat3_apply(&R, g->user[i].p));
    if (kind != TALUS_BODY_FREE) tl_grains3_start_here(g, i, talus_world_time(w));
    g->v[i] = (tl_twist3){tl_load3(linear), tl_mat3_apply_t(&R, tl_load3(angular))};
    forget_past(w, id);
    return TALUS_OK;
}

void talus_world_forces_jump(talus_world *w)
{
    static const tl_place ALL = {-1, 0};
    if (w && w->assembled && w->system->scheme->begin_anew) w->system->scheme->begin_anew(w->system, ALL);
}

talus_status talus_world_set_gravity(talus_world *w, const double gravity[3])
{
    if (!w) return TALUS_INPUT;
    if (!gravity) return tl_fail(&w->error, TALUS_INPUT, "gravity is not given: a NULL was");
    for (int k = 0; k < 3; k++)
        if (!isfinite(gravity[k])) return tl_fail(&w->error, TALUS_INPUT, "gravity is not a number");
    memcpy(w->def.gravity, gravity, sizeof w->def.gravity);
    return TALUS_OK;
}
