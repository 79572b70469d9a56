/* Ropes: definition and assembly. */
#include "talus/rope.h"

#include <math.h>

#include "law/rope.h"
#include "world/world.h"

talus_rope_def talus_rope_def_default(void) { return (talus_rope_def){.struct_size = sizeof(talus_rope_def)}; }

int talus_rope_count(const talus_world *w) { return w->system->ropes; }

talus_status tl_world_ground(talus_world *w, talus_body_id *out)
{
    talus_body_def d = talus_body_def_default();
    d.kind = TALUS_BODY_FIXED;
    if (w->rope_ground == 0) {
        TL_TRY(talus_body_create(w, &d, out));
        w->rope_ground = out->index1;
    }
    *out = (talus_body_id){w->rope_ground};
    return TALUS_OK;
}

talus_status talus_rope_create(talus_world *w, const talus_rope_def *def)
{
    talus_rope_def own = talus_rope_def_default();
    TL_TRY(tl_world_open(w, &own, sizeof own, def, w, "rope"));
    def = &own;
    talus_rope_def d = *def;
    const int number = w->system->ropes;
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += d.point_a[k] + d.point_b[k];
    if (d.body_a.index1 > (uint32_t)w->bodies || d.body_b.index1 > (uint32_t)w->bodies)
        return tl_fail(&w->error, TALUS_INPUT, "rope %d is tied to a body that does not exist", number);
    if (d.body_a.index1 == d.body_b.index1) return tl_fail(&w->error, TALUS_INPUT, "rope %d is tied to one body at both ends", number);
    if ((unsigned)d.kind > TALUS_ROPE_PUSHES) return tl_fail(&w->error, TALUS_INPUT, "rope %d: there is no kind %d of ropes", number, (int)d.kind);
    if (!isfinite(sum)) return tl_fail(&w->error, TALUS_INPUT, "rope %d is tied to a point that is not a number", number);
    if (!(d.length >= 0) || !isfinite(d.length))
        return tl_fail(&w->error, TALUS_INPUT, "rope %d: its length is %g m; it must not be negative", number, d.length);
    if (!(d.stiffness >= 0) || !(d.damping >= 0) || !isfinite(d.stiffness) || !isfinite(d.damping))
        return tl_fail(&w->error, TALUS_INPUT, "rope %d: stiffness is %g N/m, damping %g N s/m; they must not be negative", number, d.stiffness, d.damping);
    TL_TRY(tl_world_refuse_end(w, d.body_a, "a rope"));
    TL_TRY(tl_world_refuse_end(w, d.body_b, "a rope"));
    if (tl_is_none(d.body_a.index1)) TL_TRY(tl_world_ground(w, &d.body_a));
    if (tl_is_none(d.body_b.index1)) TL_TRY(tl_world_ground(w, &d.body_b));
    tl_system *s = w->system;
    if (tl_grow(w->memory, &s->rope, &s->rope_capacity, s->ropes + 1, sizeof *s->rope) != TALUS_OK) return tl_world_out_of_memory(w);
    const uint32_t body[2] = {d.body_a.index1 - 1, d.body_b.index1 - 1};
    s->rope[s->ropes++] = (tl_rope){.end = {{w->body[body[0]].place, (int)body[0], tl_load3(d.point_a), tl_load3(d.point_a)},
                                            {w->body[body[1]].place, (int)body[1], tl_load3(d.point_b), tl_load3(d.point_b)}},
                                    .length = d.length,
                                    .pushes = d.kind == TALUS_ROPE_PUSHES,
                                    .stiffness = d.stiffness,
                                    .damping = d.damping};
    return TALUS_OK;
}

/* From the user's axes to those of the body's frame. */
static tl_vec3 in_frame(const talus_world *w, tl_place place, tl_vec3 point)
{
    const tl_frame axes = tl_world_user_axes(w, place);
    return tl_add(axes.p, tl_mat3_apply(&axes.R, tl_is_planar(w) ? tl_v3(point.x, point.y, 0) : point));
}

/* A rope goes to the body itself, where that has been placed, not to a copy of it: who meant the copy is told so. */
static talus_status check_reach(talus_world *w, int rope, const tl_vec3 at[2])
{
    const tl_cell *c = &w->system->cell;
    const tl_rope *r = &w->system->rope[rope];
    double way[3], nearest[3];
    char a[128], b[128];
    tl_store3(way, tl_sub(at[1], at[0]));
    for (int i = 0; i < 3; i++) nearest[i] = c->length[i] > 0 ? remainder(way[i], c->length[i]) : way[i];
    const double apart = tl_norm(tl_load3(way));
    if (!c->periodic || r->pushes || !(apart > r->length) || !(tl_norm(tl_load3(nearest)) <= r->length)) return TALUS_OK;
    return tl_fail(&w->error, TALUS_UNSUPPORTED,
                   "rope %d of %g m is to reach from %s to %s, which is %g m away; a copy of it in another cell is nearer, but ropes do not reach to copies: "
                   "place the body where the rope ends, in whichever cell; a chain that closes on its own copy there is not",
                   rope, r->length, tl_world_describe(w, r->end[0].body, a), tl_world_describe(w, r->end[1].body, b), apart);
}

talus_status tl_world_settle_ropes(talus_world *w)
{
    tl_system *s = w->system;
    for (int i = 0; i < s->ropes; i++) {
        tl_rope *r = &s->rope[i];
        tl_vec3 at[2], normal;
        for (int k = 0; k < 2; k++) {
            r->end[k].point = in_frame(w, r->end[k].place, r->end[k].point);
            at[k] = tl_rope_end_at(s, &r->end[k]);
        }
        if (r->length > 0) {
            TL_TRY(check_reach(w, i, at));
            continue;
        }
        r->length = tl_rope_gap(at[0], at[1], 0, true, &normal);
        if (!(r->length > 0)) return tl_fail(&w->error, TALUS_INPUT, "rope %d has no length: its ends are at the same place", i);
    }
    return TALUS_OK;
}

/* ---- over pulleys ----------------------------------------------------------------------------------------------------------- */

talus_tackle_def talus_tackle_def_default(void) { return (talus_tackle_def){.struct_size = sizeof(talus_tackle_def)}; }

int talus_tackle_count(const talus_world *w) { return w->system->joints.tackles; }

double talus_tackle_pull(const talus_world *w, int index)
{
    const tl_joints *all = &w->system->joints;
    return index >= 0 && index < all->tackles && w->assembled ? all->tackle_memory[index] / w->def.step : 0;
}

static talus_status check_tackle(talus_world *w, const talus_tackle_def *d, int number)
{
    double sum = d->length;
    for (int k = 0; k < d->count; k++) {
        for (int i = 0; i < 3; i++) sum += d->points[k][i];
        if (d->bodies[k].index1 > (uint32_t)w->bodies)
            return tl_fail(&w->error, TALUS_INPUT, "rope %d over pulleys is led to a body that does not exist", number);
        TL_TRY(tl_world_refuse_end(w, d->bodies[k], "a rope"));
    }
    if (!isfinite(sum) || !(d->length >= 0))
        return tl_fail(&w->error, TALUS_INPUT, "rope %d over pulleys: its length is %g m, or one of its points is no number", number, d->length);
    return TALUS_OK;
}

talus_status talus_tackle_create(talus_world *w, const talus_tackle_def *def)
{
    talus_tackle_def d = talus_tackle_def_default();
    TL_TRY(tl_world_open(w, &d, sizeof d, def, w, "rope over pulleys"));
    tl_joints *all = &w->system->joints;
    if (d.count < 3 || !d.bodies || !d.points) {
        (void)tl_fail(&w->error, TALUS_INPUT, "rope %d over pulleys has %d points; it needs its two ends and a pulley between them", all->tackles, d.count);
        return TALUS_INPUT;
    }
    TL_TRY(check_tackle(w, &d, all->tackles));
    if (tl_grow(w->memory, &all->tackle, &all->tackle_capacity, all->tackles + 1, sizeof *all->tackle) != TALUS_OK) return tl_world_out_of_memory(w);
    tl_tackle *t = &all->tackle[all->tackles++];
    *t = (tl_tackle){.count = d.count, .length = d.length};
    t->end = tl_alloc(w->memory, (size_t)d.count, sizeof *t->end);
    t->given = tl_alloc(w->memory, (size_t)d.count, sizeof *t->given);
    if (!t->end || !t->given) return tl_world_out_of_memory(w);
    for (int k = 0; k < d.count; k++) {
        talus_body_id id = d.bodies[k];
        if (tl_is_none(id.index1)) TL_TRY(tl_world_ground(w, &id));
        const tl_place place = w->body[id.index1 - 1].place;
        t->given[k] = tl_load3(d.points[k]);
        t->end[k] = (tl_joint_end){.matter = place.matter, .item = place.item, .body = (int)id.index1 - 1};
    }
    return TALUS_OK;
}

talus_status tl_world_settle_tackles(talus_world *w)
{
    tl_joints *all = &w->system->joints;
    all->tackle_memory = tl_alloc(w->memory, (size_t)all->tackles + 1, sizeof *all->tackle_memory);
    all->tackle_next = tl_alloc(w->memory, (size_t)all->tackles + 1, sizeof *all->tackle_next);
    if (!all->tackle_memory || !all->tackle_next) return tl_world_out_of_memory(w);
    for (int i = 0; i < all->tackles; i++) {
        tl_tackle *t = &all->tackle[i];
        for (int k = 0; k < t->count; k++)
            t->end[k].frame = (tl_frame){in_frame(w, (tl_place){t->end[k].matter, t->end[k].item}, t->given[k]), tl_mat3_identity()};
        for (int k = 1; k < t->count; k++)
            if (!(tl_norm(tl_sub(tl_tackle_point(w->system, t, k), tl_tackle_point(w->system, t, k - 1))) > 0))
                return tl_fail(&w->error, TALUS_INPUT, "rope %d over pulleys: its points %d and %d are at the same place", i, k, k + 1);
        if (!(t->length > 0)) t->length = tl_tackle_length(w->system, t);
    }
    return TALUS_OK;
}
