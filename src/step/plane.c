/* What of a step is planar: grains, shapes, and the problem of their contacts (tl_geometry). */
#include "step/system2.h"

/* ---- grains and shapes ---------------------------------------------------------------------------------------------- */

static const talus_body_kind *kinds(const tl_system *base, int *grains)
{
    const tl_grains2 *g = ((const tl_system2 *)base)->grains;
    *grains = g->n;
    return g->kind;
}

static void motion(const tl_system *base, tl_when when, int grain, tl_vec3 *p, tl_vec3 *v, tl_vec3 *w)
{
    const tl_system2 *s = (const tl_system2 *)base;
    const tl_grains2 *g = s->grains;
    const tl_twist2 q = when == TL_BEFORE ? g->q[grain] : g->q_m[grain];
    const tl_twist2 u = when == TL_BEFORE ? g->v[grain] : when == TL_FREE ? g->v_free[grain] : tl_problem2_velocity(&s->problem, grain);
    *p = tl_v3(q.x, q.y, 0), *v = tl_v3(u.x, u.y, 0), *w = tl_v3(0, 0, u.w);
}

static void stiffen(tl_system *base, int grain, const tl_mat3 *K)
{
    tl_grains2_resist(((const tl_system2 *)base)->grains, grain, (base->step.still > 0 ? 1 : 0.25) * base->step.h * base->step.h * fmax(0, K->m[2][2]));
}

static double ball(const tl_system *base, int contactor) { return tl_shape2_ball(&((const tl_system2 *)base)->shape[contactor]); }

tl_pose2 tl_system2_pose(const tl_system2 *s, tl_place place)
{
    if (place.matter == 0) return tl_grains2_pose(s->grains, place.item);
    const tl_frame f = s->base.matter[place.matter]->ops->frame(s->base.matter[place.matter], place.item);
    return (tl_pose2){f.p.x, f.p.y, f.R.m[0][0], f.R.m[1][0], 0};
}

static bool is_centred_disk(const tl_shape2 *shape) { return shape->kind == TL_DISK && shape->centre.x == 0 && shape->centre.y == 0; }

/* A grain's pose; a disk about its centre needs no sine and cosine. */
static tl_pose2 contactor_pose(const tl_system2 *s, int i)
{
    const tl_place of = s->base.owner[i].place;
    if (of.matter != 0 || !is_centred_disk(&s->shape[i])) return tl_system2_pose(s, of);
    const tl_twist2 q = s->grains->q_m[of.item];
    return (tl_pose2){q.x, q.y, 1, 0, q.w};
}

/* ---- detection ------------------------------------------------------------------------------------------------------ */

static bool begin(tl_system *base)
{
    tl_system2 *s = (tl_system2 *)base;
    s->pose = tl_arena_alloc(base->step.arena, (size_t)base->contactors, sizeof *s->pose);
    return s->pose;
}

/* A disk about its centre may turn as it likes. */
static void place(tl_system *base, int from, int end)
{
    tl_system2 *s = (tl_system2 *)base;
    for (int i = from; i < end; i++) {
        const tl_shape2 *shape = &s->shape[i];
        const tl_pose2 q = s->pose[i] = contactor_pose(s, i);
        const tl_box2 box = tl_shape2_box(shape, &q);
        base->found.box[i] = (tl_box3){tl_v3(box.low.x, box.low.y, 0), tl_v3(box.high.x, box.high.y, 0)};
        tl_motion *m = &base->found.motion[i];
        m->p = tl_v3(q.x, q.y, 0);
        const tl_place of = base->owner[i].place;
        if (of.matter == 0) {
            const tl_twist2 v = s->grains->v_free[of.item];
            m->v = tl_v3(v.x, v.y, 0), m->w = tl_v3(0, 0, v.w);
        }
        m->swing = is_centred_disk(shape) || shape->kind == TL_HALF_PLANE ? 0 : shape->reach;
        m->thin = shape->thin;
        m->reach = isfinite(shape->reach) ? shape->reach : 0;
        m->wall = shape->kind == TL_HALF_PLANE;
        m->hollow = shape->mesh;
        m->smooth = shape->radius > 0;
    }
}

/* Of a new list: a pair's touches are found sooner than whether its boxes meet, so all have room. */
static talus_status relisted(tl_system *base)
{
    const tl_shape2 *shape = ((const tl_system2 *)base)->shape;
    const int pairs = base->broad.pair_count;
    const talus_status grown = tl_grow(base->memory, &base->room, &base->room_capacity, pairs + 1, sizeof *base->room);
    int64_t room = 0;
    if (grown != TALUS_OK) return tl_fail(base->step.error, grown, "no memory for %d near pairs", pairs);
    base->room[0] = 0;
    for (int i = 0; i < pairs; i++) {
        const tl_near *pair = &base->broad.pairs[i];
        room += tl_touch2_limit(&shape[pair->a], &shape[pair->b]);
        if (room > INT32_MAX / 2) return tl_fail(base->step.error, TALUS_MEMORY, "more than a thousand million touches: check sizes and units");
        base->room[i + 1] = (int)room;
    }
    return TALUS_OK;
}

/* Of b, as a sees it. */
static tl_pose2 copy_of(const tl_system2 *s, const tl_near *pair)
{
    const tl_vec3 at = tl_copy_at(&s->base, pair);
    tl_pose2 copy = s->pose[pair->b];
    copy.x = at.x, copy.y = at.y;
    return copy;
}

static tl_touch lifted(const tl_touch2 *t)
{
    return (tl_touch){tl_v3(t->point.x, t->point.y, 0), tl_v3(t->normal.x, t->normal.y, 0), t->gap, (uint32_t)t->feature};
}

static int find_image(const tl_system2 *s, const tl_near *pair, double reach, tl_touch2 out[TL_TOUCHES2])
{
    const tl_pose2 copy = copy_of(s, pair);
    return tl_touch2_find(&s->shape[pair->a], &s->pose[pair->a], &s->shape[pair->b], &copy, reach, out);
}

typedef struct placed2 {
    const tl_shape2 *shape;
    const tl_pose2 *at;
} placed2;

static bool is_beyond(const void *other, tl_vec3 n, double least)
{
    const placed2 *o = other;
    return tl_touch2_is_beyond(o->shape, o->at, tl_v2(n.x, n.y), least);
}

/* A segment without a radius has no inside: on which side of it the solid lies is told by the faces about the node. One of them looks at the segment, unless
 * the node has passed it, by rounding or by what has crept: then all look away, and the node overlaps. An end of the segment has no sides. */
static void take_side(const placed2 *line, const tl_rim_touch *node, double thin, double sign, tl_touch2 *t)
{
    static const double PASSED = 0.2, FACING = 0.2, BETWEEN_ENDS = 0.999; /* of half the way to the next node; cosines */
    bool passed = false;
    if (!tl_shape2_is_line(line->shape) || t->gap > PASSED * thin) return;
    if (fabs(tl_dot2(tl_rotate2(line->at, line->shape->edge_normal[0]), t->normal)) < BETWEEN_ENDS) return;
    for (int i = 0; i < node->facets; i++) {
        const double towards = sign * tl_dot2(tl_v2(node->facet[i].normal.x, node->facet[i].normal.y), t->normal);
        if (towards > FACING) return;
        passed = passed || towards < -FACING;
    }
    if (passed) t->gap = -t->gap, t->normal = tl_scale2(-1, t->normal);
}

/* What is beside a node does not meet it; on a rim, a trifle further in, the faces do that it stands for. */
static int find_of_node(const tl_system2 *s, const tl_near *pair, double reach, tl_touch2 out[TL_TOUCHES2])
{
    enum { TRIES = 3 };
    const bool of_b = s->base.owner[pair->b].node;
    const tl_pose2 copy = tl_is_image(pair->image, 2) ? copy_of(s, pair) : s->pose[pair->b];
    placed2 a = {&s->shape[pair->a], &s->pose[pair->a]}, b = {&s->shape[pair->b], &copy}, *node = of_b ? &b : &a, *other = of_b ? &a : &b;
    const double trifle = TL_NODE_TRIFLE * node->shape->thin;
    tl_pose2 at = *node->at;
    node->at = &at;
    tl_rim_touch rim;
    tl_rim_begin(&s->base, pair, of_b, &rim);
    for (int turn = 0;; turn++) {
        const int touches = tl_touch2_find(a.shape, a.at, b.shape, b.at, reach, out);
        if (turn == 0 && touches > 0) rim.facets = tl_rim_of_node(&s->base, of_b ? pair->b : pair->a, rim.facet);
        int kept = 0, rims = 0;
        tl_vec2 in = {0, 0};
        for (int i = 0; i < touches; i++) {
            take_side(other, &rim, node->shape->thin, of_b ? -1 : 1, &out[i]);
            rim.towards = tl_scale(of_b ? -1 : 1, lifted(&out[i]).normal);
            if (!tl_is_past_rim(&s->base, pair, &rim, is_beyond, other)) out[kept++] = out[i];
            else if (fabs(out[i].gap) <= trifle) in = out[i].normal, rims++;
        }
        if (kept > 0 || rims == 0 || turn == TRIES) return kept;
        at.x += (of_b ? -trifle : trifle) * in.x, at.y += (of_b ? -trifle : trifle) * in.y;
    }
}

/* Of what meets the outline of a solid: what comes over its rim does not meet its side. */
static int pass_rims(const tl_system2 *s, const tl_near *pair, tl_touch2 *touch, int touches)
{
    const tl_pose2 copy = copy_of(s, pair);
    const placed2 a = {&s->shape[pair->a], &s->pose[pair->a]}, b = {&s->shape[pair->b], &copy};
    const bool of_b = !a.shape->mesh;
    const placed2 *outline = of_b ? &b : &a;
    int kept = 0;
    tl_rim_touch rim;
    tl_rim_begin(&s->base, pair, of_b, &rim);
    for (int i = 0; i < touches; i++) {
        const tl_touch t = lifted(&touch[i]);
        rim.towards = tl_scale(of_b ? -1 : 1, t.normal);
        const tl_vec3 origin = tl_v3(outline->at->x, outline->at->y, 0), x = tl_sub(tl_sub(t.point, tl_scale(0.5 * t.gap, rim.towards)), origin);
        rim.facets = tl_mesh2_facets(outline->shape->mesh, tl_v2(x.x, x.y), tl_passing_of(&s->base), rim.facet);
        tl_rim_place(&rim, &(tl_frame){origin, tl_mat3_identity()});
        if (!tl_is_past_rim(&s->base, pair, &rim, is_beyond, of_b ? &a : &b)) touch[kept++] = touch[i];
    }
    return kept;
}

static inline int find(const tl_system2 *s, const tl_near *pair, double reach, tl_touch2 out[TL_TOUCHES2])
{
    if (tl_is_of_node(&s->base, pair)) return find_of_node(s, pair, reach, out);
    const int touches = tl_is_image(pair->image, 2) ? find_image(s, pair, reach, out)
                                                    : tl_touch2_find(&s->shape[pair->a], &s->pose[pair->a], &s->shape[pair->b], &s->pose[pair->b], reach, out);
    return touches > 0 && (s->shape[pair->a].mesh || s->shape[pair->b].mesh) ? pass_rims(s, pair, out, touches) : touches;
}

static void look(tl_system *base, const int *pair, int count, tl_touch *out)
{
    const tl_system2 *s = (const tl_system2 *)base;
    const tl_found *f = &base->found;
    for (int k = 0; k < count; k++) {
        const tl_near *near = &f->near.pair[pair[k]];
        tl_touch2 touch[TL_TOUCHES2];
        const double reach = tl_reach_of(base, f->motion, near);
        int touches = tl_is_free(base, near) ? 0 : find(s, near, reach, touch);
        if (touches > 0 && !tl_meets(base, f->motion, near)) touches = 0;
        for (int i = 0; i < touches; i++) out[i] = lifted(&touch[i]);
        tl_keep_touches(base, pair[k], reach, touches, out);
        out += touches;
    }
}

static int touch(const tl_system *base, int pair, double reach, tl_touch *out)
{
    tl_touch2 found[TL_TOUCHES2];
    const int count = find((const tl_system2 *)base, &base->found.near.pair[pair], reach, found);
    for (int i = 0; i < count; i++) out[i] = lifted(&found[i]);
    return count;
}

static void passes(const tl_system *base, const tl_near *pair, tl_passing *p)
{
    const tl_system2 *s = (const tl_system2 *)base;
    const tl_pose2 b = copy_of(s, pair);
    tl_touch2_passes(&s->shape[pair->a], &s->pose[pair->a], &s->shape[pair->b], &b, p);
}

/* ---- the contact problem -------------------------------------------------------------------------------------------- */

static talus_status bind(tl_system *base)
{
    tl_system2 *s = (tl_system2 *)base;
    s->problem = (tl_problem2){
        .base = tl_problem_now(base),
        .v_free = s->grains->v_free,
        .v_before = s->grains->v,
        .inverse_inertia = s->grains->inverse_inertia,
    };
    s->problem.base.bodies = s->grains->n;
    s->problem.base.inverse_mass = s->grains->inverse_mass;
    return tl_problem2_bind(&s->problem, &base->step);
}

static talus_status color(tl_system *base) { return tl_problem2_color(&((tl_system2 *)base)->problem, &base->step); }

static talus_status drift(tl_system *base, double **w) { return tl_drift2_solve(&((tl_system2 *)base)->problem, &base->step, (tl_twist2 *)w[0], w); }

static void set_rows(tl_system *base, const double *v0)
{
    tl_problem2 *p = &((tl_system2 *)base)->problem;
    p->v_free = (const tl_twist2 *)v0;
    tl_problem2_set_rows(p);
}

static void velocities(const tl_system *base, double *v0)
{
    const tl_problem2 *p = &((const tl_system2 *)base)->problem;
    tl_twist2 *v = (tl_twist2 *)v0;
    for (int i = 0; i < p->base.bodies; i++) v[i] = tl_problem2_velocity(p, i);
}

const tl_geometry TL_PLANE = {
    .dimension = 2,
    .contactor_bits = 28,
    .feature_bits = 8,
    .kinds = kinds,
    .motion = motion,
    .stiffen = stiffen,
    .ball = ball,
    .begin = begin,
    .place = place,
    .relisted = relisted,
    .look = look,
    .touch = touch,
    .passes = passes,
    .bind = bind,
    .color = color,
    .drift = drift,
    .set_rows = set_rows,
    .velocities = velocities,
};
