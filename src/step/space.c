/* What of a step is spatial: grains, shapes, and the problem of their contacts (tl_geometry). */
#include "base/integers.h"
#include "step/system3.h"

/* ---- grains and shapes ---------------------------------------------------------------------------------------------- */

static const talus_body_kind *kinds(const tl_system *base, int *grains)
{
    const tl_grains3 *g = ((const tl_system3 *)base)->grains;
    *grains = g->n;
    return g->kind;
}

static void motion(const tl_system *base, tl_when when, int grain, tl_vec3 *p, tl_vec3 *v, tl_vec3 *w)
{
    const tl_system3 *s = (const tl_system3 *)base;
    const tl_grains3 *g = s->grains;
    const tl_twist3 u = when == TL_BEFORE ? g->v[grain] : when == TL_FREE ? g->v_free[grain] : tl_problem3_velocity(&s->problem, grain);
    *p = when == TL_BEFORE ? g->q[grain].p : g->frame_m[grain].p;
    *v = u.v;
    *w = tl_mat3_apply(&g->frame_m[grain].R, u.w);
}

static void stiffen(tl_system *base, int grain, const tl_mat3 *K)
{
    const tl_system3 *s = (const tl_system3 *)base;
    const double share = (base->step.still > 0 ? 1 : 0.25) * base->step.h * base->step.h;
    double sum[3];
    for (int i = 0; i < 3; i++) sum[i] = share * fmax(0, K->m[i][i] + fabs(K->m[i][(i + 1) % 3]) + fabs(K->m[i][(i + 2) % 3]));
    tl_grains3_resist(s->grains, grain, tl_load3(sum));
}

static double ball(const tl_system *base, int contactor) { return tl_shape3_ball(&((const tl_system3 *)base)->shape[contactor]); }

tl_frame tl_system3_frame(const tl_system3 *s, tl_place place)
{
    if (place.matter == 0) return tl_grains3_frame(s->grains, place.item);
    return s->base.matter[place.matter]->ops->frame(s->base.matter[place.matter], place.item);
}

static bool is_centred_ball(const tl_shape3 *shape)
{
    return shape->kind == TL_SPHERE3 && shape->point[0].x == 0 && shape->point[0].y == 0 && shape->point[0].z == 0;
}

/* ---- detection ------------------------------------------------------------------------------------------------------ */

static bool begin(tl_system *base)
{
    tl_system3 *s = (tl_system3 *)base;
    s->pose = tl_arena_alloc(base->step.arena, (size_t)base->contactors, sizeof *s->pose);
    return s->pose;
}

/* A ball about its body's centre of mass may turn as it likes. */
static void place(tl_system *base, int from, int end)
{
    tl_system3 *s = (tl_system3 *)base;
    for (int i = from; i < end; i++) {
        const tl_shape3 *shape = &s->shape[i];
        if (i + 2 < end) tl_touch3_expect(&s->shape[i + 2], NULL);
        s->pose[i] = tl_system3_frame(s, base->owner[i].place);
        base->found.box[i] = tl_shape3_box(shape, &s->pose[i]);
        tl_motion *m = &base->found.motion[i];
        m->p = s->pose[i].p;
        const tl_place of = base->owner[i].place;
        if (of.matter == 0) {
            const tl_twist3 v = s->grains->v_free[of.item];
            m->v = v.v, m->w = tl_mat3_apply(&s->grains->frame_m[of.item].R, v.w);
        }
        m->swing = is_centred_ball(shape) || shape->kind == TL_HALF_SPACE3 ? 0 : shape->reach;
        m->thin = shape->thin;
        m->reach = isfinite(shape->reach) ? shape->reach : 0;
        m->wall = false;
        m->hollow = shape->mesh;
        m->smooth = shape->radius > 0 || shape->kind == TL_ELLIPSOID3;
    }
}

/* Spheres and capsules are found without a search. */
static bool is_searched(const tl_shape3 *a, const tl_shape3 *b) { return tl_shape3_is_hull(a) && tl_shape3_is_hull(b) && (a->faces > 0 || b->faces > 0); }

static talus_status relisted(tl_system *base)
{
    tl_system3 *s = (tl_system3 *)base;
    const int pairs = base->broad.pair_count;
    bool *searched = tl_arena_alloc(base->step.arena, (size_t)pairs, sizeof *searched);
    if (!searched) {
        s->past.pairs = s->past.knowns = s->past.spares = 0; /* what is known is of the list before */
        return tl_fail(base->step.error, TALUS_MEMORY, "no memory for %d near pairs", pairs);
    }
    for (int i = 0; i < pairs; i++) searched[i] = is_searched(&s->shape[base->broad.pairs[i].a], &s->shape[base->broad.pairs[i].b]);
    TL_TRY(tl_pasts3_follow(&s->past, &base->broad, searched, base->step.arena, base->step.error));
    for (int i = 0; i < pairs; i++) s->past.pair[i].limit = (uint8_t)tl_touch3_limit(&s->shape[base->broad.pairs[i].a], &s->shape[base->broad.pairs[i].b]);
    return TALUS_OK;
}

static int room(const tl_system *base, const int *pair, int count)
{
    const tl_past3 *past = ((const tl_system3 *)base)->past.pair;
    int touches = 0;
    for (int k = 0; k < count; k++) touches += past[pair[k]].limit;
    return touches;
}

static talus_status expect_looks(tl_system *base)
{
    tl_system3 *s = (tl_system3 *)base;
    for (int i = 0; i < base->found.near.pairs; i++)
        if (base->found.touches[i] > 0) TL_TRY(tl_pasts3_expect(&s->past, base->memory, i, base->step.error));
    return TALUS_OK;
}

static bool is_beyond(const void *other, tl_vec3 n, double least) { return tl_touch3_is_beyond(*(const tl_placed3 *)other, n, least); }

/* What is known of a pair before it is looked at: narrow3.h. */
typedef struct guess3 {
    tl_vec3 *hint;
    tl_known3 *known;
} guess3;

/* What is beside a node does not meet it; on a rim, a trifle further in, the faces do that it stands for. */
static int find_of_node(const tl_system3 *s, const tl_near *pair, const tl_placed3 ab[2], double reach, guess3 from, tl_touch *out)
{
    enum { TRIES = 3 };
    const bool of_b = s->base.owner[pair->b].node;
    tl_placed3 a = ab[0], b = ab[1], *node = of_b ? &b : &a, *other = of_b ? &a : &b;
    const double trifle = TL_NODE_TRIFLE * node->shape->thin;
    tl_frame at = *node->at;
    node->at = &at;
    tl_rim_touch rim;
    tl_rim_begin(&s->base, pair, of_b, &rim);
    for (int turn = 0;; turn++) {
        const int touches = tl_touch3_find(a, b, reach, from.hint, turn == 0 ? from.known : NULL, out);
        if (turn == 0 && touches > 0) rim.facets = tl_rim_of_node(&s->base, of_b ? pair->b : pair->a, rim.facet);
        int kept = 0, rims = 0;
        tl_vec3 in = {0, 0, 0};
        for (int i = 0; i < touches; i++) {
            rim.towards = tl_scale(of_b ? -1 : 1, out[i].normal);
            if (!tl_is_past_rim(&s->base, pair, &rim, is_beyond, other)) out[kept++] = out[i];
            else if (fabs(out[i].gap) <= trifle) in = out[i].normal, rims++;
        }
        if (kept > 0 || rims == 0 || turn == TRIES) return kept;
        at.p = tl_add(at.p, tl_scale(of_b ? -trifle : trifle, in));
    }
}

/* Of what meets a surface of triangles: what comes over its rim does not meet its side. */
static int pass_rims(const tl_system3 *s, const tl_near *pair, const tl_placed3 ab[2], tl_touch *touch, int touches)
{
    const bool of_b = !ab[0].shape->mesh;
    int kept = 0;
    tl_rim_touch rim;
    tl_rim_begin(&s->base, pair, of_b, &rim);
    for (int i = 0; i < touches; i++) {
        rim.towards = tl_scale(of_b ? -1 : 1, touch[i].normal);
        const tl_vec3 x = tl_sub(touch[i].point, tl_scale(0.5 * touch[i].gap, rim.towards));
        rim.facets = tl_mesh3_facets(ab[of_b].shape->mesh, tl_mat3_apply_t(&ab[of_b].at->R, tl_sub(x, ab[of_b].at->p)), tl_passing_of(&s->base), rim.facet);
        tl_rim_place(&rim, ab[of_b].at);
        if (!tl_is_past_rim(&s->base, pair, &rim, is_beyond, &ab[!of_b])) touch[kept++] = touch[i];
    }
    return kept;
}

static int find(const tl_system3 *s, const tl_near *pair, double reach, tl_vec3 *hint, tl_known3 *known, tl_touch *out)
{
    const tl_frame *b = &s->pose[pair->b];
    tl_frame copy;
    if (tl_is_image(pair->image, 3)) copy = *b, copy.p = tl_copy_at(&s->base, pair), b = &copy;
    const tl_placed3 one = {&s->shape[pair->a], &s->pose[pair->a]}, two = {&s->shape[pair->b], b};
    if (tl_is_of_node(&s->base, pair)) return find_of_node(s, pair, (const tl_placed3[2]){one, two}, reach, (guess3){hint, known}, out);
    const int touches = tl_touch3_find(one, two, reach, hint, known, out);
    return touches > 0 && (one.shape->mesh || two.shape->mesh) ? pass_rims(s, pair, (const tl_placed3[2]){one, two}, out, touches) : touches;
}

/* What detection waits for is memory. While a pair is looked at, those behind it are fetched, each time what the stage before has told. */
enum { FACES_OF_EDGES = 2, RIVALS, CORNERS, SHAPE, AHEAD = SHAPE }; /* that many pairs ahead */

static void expect(const tl_system3 *s, int pair, int ahead)
{
    const tl_near *near = &s->base.found.near.pair[pair];
    const tl_shape3 *a = &s->shape[near->a], *b = &s->shape[near->b];
    if (ahead == SHAPE) {
        tl_fetch(b, sizeof *b);
        tl_fetch(&s->pose[near->b], sizeof *s->pose);
    }
    if (ahead == CORNERS) tl_touch3_expect(b, tl_known3_of(&s->past, pair));
    if (ahead == RIVALS) tl_touch3_expect_rivals(a, b, tl_known3_of(&s->past, pair));
    if (ahead == FACES_OF_EDGES) tl_touch3_expect_edges(a, b, tl_known3_of(&s->past, pair));
}

static void look(tl_system *base, const int *pair, int count, tl_touch *out)
{
    tl_system3 *s = (tl_system3 *)base;
    const tl_found *f = &base->found;
    for (int k = -AHEAD; k < count; k++) {
        for (int ahead = AHEAD; ahead >= FACES_OF_EDGES; ahead--)
            if (k + ahead >= 0 && k + ahead < count) expect(s, pair[k + ahead], ahead);
        if (k < 0) continue;
        const tl_near *near = &f->near.pair[pair[k]];
        tl_past3 *past = &s->past.pair[pair[k]];
        tl_vec3 hint = tl_kept3(past->hint);
        const double reach = tl_reach_of(base, f->motion, near);
        const int touches = find(s, near, reach, &hint, tl_known3_of(&s->past, pair[k]), out);
        tl_keep3(past->hint, hint);
        past->touched = touches > 0;
        tl_keep_touches(base, pair[k], reach, touches, out);
        out += touches;
    }
}

static int touch(const tl_system *base, int pair, double reach, tl_touch *out)
{
    const tl_system3 *s = (const tl_system3 *)base;
    tl_vec3 hint = tl_kept3(s->past.pair[pair].hint);
    return find(s, &base->found.near.pair[pair], reach, &hint, NULL, out);
}

static void passes(const tl_system *base, const tl_near *pair, tl_passing *p)
{
    const tl_system3 *s = (const tl_system3 *)base;
    tl_frame b = s->pose[pair->b];
    b.p = tl_copy_at(base, pair);
    tl_touch3_passes((tl_placed3){&s->shape[pair->a], &s->pose[pair->a]}, (tl_placed3){&s->shape[pair->b], &b}, p);
}

/* ---- the contact problem -------------------------------------------------------------------------------------------- */

/* Radii of the grains that are a sphere about their centre of mass, moments of inertia equal; 0: others. */
static const double *radii(const tl_system3 *s)
{
    const tl_grains3 *g = s->grains;
    double *radius = tl_arena_zero(s->base.step.arena, (size_t)g->n + 1, sizeof *radius);
    for (int i = 0; radius && i < s->base.contactors; i++) {
        const tl_shape3 *shape = &s->shape[i];
        const tl_place place = s->base.owner[i].place;
        if (place.matter != 0) continue;
        const tl_vec3 j = g->inverse_inertia[place.item];
        const bool alone = radius[place.item] == 0, round = shape->points == 1 && j.x == j.y && j.y == j.z;
        radius[place.item] = alone && round && tl_norm(shape->point[0]) <= 1e-12 * shape->radius ? shape->radius : -1;
    }
    for (int i = 0; radius && i < g->n; i++) radius[i] = fmax(radius[i], 0);
    return radius;
}

static talus_status bind(tl_system *base)
{
    tl_system3 *s = (tl_system3 *)base;
    const double *radius = radii(s);
    if (!radius) return tl_fail(base->step.error, TALUS_MEMORY, "no memory for %d bodies", s->grains->n);
    s->problem = (tl_problem3){
        .base = tl_problem_now(base),
        .frame = s->grains->frame_m,
        .v_free = s->grains->v_free,
        .v_before = s->grains->v,
        .inverse_inertia = s->grains->inverse_inertia,
    };
    s->problem.base.bodies = s->grains->n;
    s->problem.base.inverse_mass = s->grains->inverse_mass;
    s->problem.base.radius = radius;
    return tl_problem3_bind(&s->problem, &base->step);
}

/* Of grains only the turning counts: no force depends on how fast they go. */
static void add_spin(const tl_system3 *s, int grain, tl_vec3 moment, tl_twist3 *v)
{
    const tl_grains3 *g = s->grains;
    const tl_vec3 own = tl_mat3_apply_t(&g->frame_m[grain].R, moment), j = g->inverse_inertia[grain];
    v[grain].w = tl_add(v[grain].w, tl_v3(j.x * own.x, j.y * own.y, j.z * own.z));
}

/* The grains, then other matter; −1: it does not move by itself. */
static int group_at(const tl_system3 *s, tl_place end)
{
    if (end.matter != 0) return s->grains->n + end.matter;
    return s->grains->kind[end.item] == TALUS_BODY_FREE ? end.item : -1;
}

static int group_of_grip(const void *context, const tl_grip *g) { return group_at(context, (tl_place){g->matter, g->item}); }

/* Groups that hang together by joints, each by its root. */
static int *join_held(const tl_system3 *s)
{
    const int groups = s->grains->n + s->base.matters;
    int *root = tl_arena_alloc(s->base.step.arena, (size_t)groups, sizeof *root);
    if (!root) return NULL;
    for (int i = 0; i < groups; i++) root[i] = i;
    for (int i = 0; i < s->base.joints.constraints; i++) tl_constraint_join(&s->base.joints.constraint[i], group_of_grip, s, root, NULL);
    tl_find_roots(root, groups);
    return root;
}

/* Much of what contacts do to a body that joints hold is taken by these, as by the pins of a shoe under a wheel: that it goes on to turn as it did is nearer.
 * Those groups are `pressed`, by their roots; NULL: there are no joints. */
static void push_by_contacts(const tl_system3 *s, const int *root, bool *pressed, tl_twist3 *v)
{
    for (int i = 0; i < s->base.next_count; i++) {
        const tl_contact *c = &s->base.contact_next[i];
        if (c->I[0] == 0) continue;
        const tl_vec3 P = tl_contact_vector(false, c->n, c->I);
        for (int side = 0; side < 2; side++) {
            const tl_place end = side ? c->b : c->a;
            const int group = group_at(s, end);
            const bool grain = end.matter == 0, held = !grain || tl_joints_hold(&s->base.joints, end.item);
            if (group < 0) continue;
            if (held && pressed) pressed[root[group]] = true;
            if (grain && held) v[end.item].w = s->grains->v[end.item].w;
            else if (grain) add_spin(s, end.item, tl_cross(c->arm[side], tl_scale(side ? 1 : -1, P)), v);
        }
    }
}

/* Where no contacts disturb them, joints do again what they did in the last step, or nearly so. */
static void push_by_joints(const tl_system3 *s, const int *root, const bool *pressed, tl_twist3 *v)
{
    for (int i = 0; i < s->base.joints.constraints; i++) {
        const tl_constraint *c = &s->base.joints.constraint[i];
        for (int e = 0; e < c->grips; e++) {
            const tl_grip *g = &c->grip[e];
            const int group = group_of_grip(s, g);
            tl_vec3 moment = {0, 0, 0};
            if (g->matter != 0 || group < 0 || pressed[root[group]]) continue;
            for (int r = 0; r < c->rows; r++) moment = tl_add(moment, tl_scale(c->I[r], tl_add(tl_cross(g->arm, g->row[r].force), g->row[r].moment)));
            add_spin(s, g->item, moment, v);
        }
    }
}

static bool push(const tl_system *base, double *v0)
{
    const tl_system3 *s = (const tl_system3 *)base;
    const bool joined = base->joints.constraints > 0;
    const int *root = joined ? join_held(s) : NULL;
    bool *pressed = joined ? tl_arena_zero(base->step.arena, (size_t)(s->grains->n + base->matters), sizeof *pressed) : NULL;
    if (joined && (!root || !pressed)) return false;
    push_by_contacts(s, root, pressed, (tl_twist3 *)v0);
    if (joined) push_by_joints(s, root, pressed, (tl_twist3 *)v0);
    return true;
}

static talus_status color(tl_system *base) { return tl_problem3_color(&((tl_system3 *)base)->problem, &base->step); }

static talus_status drift(tl_system *base, double **w) { return tl_drift3_solve(&((tl_system3 *)base)->problem, &base->step, (tl_twist3 *)w[0], w); }

static void set_rows(tl_system *base, const double *v0)
{
    tl_problem3 *p = &((tl_system3 *)base)->problem;
    p->v_free = (const tl_twist3 *)v0;
    tl_problem3_set_rows(p);
}

static void velocities(const tl_system *base, double *v0)
{
    const tl_problem3 *p = &((const tl_system3 *)base)->problem;
    tl_twist3 *v = (tl_twist3 *)v0;
    for (int i = 0; i < p->base.bodies; i++) v[i] = tl_problem3_velocity(p, i);
}

const tl_geometry TL_SPACE = {
    .dimension = 3,
    .contactor_bits = 20,
    .feature_bits = 24,
    .kinds = kinds,
    .motion = motion,
    .stiffen = stiffen,
    .ball = ball,
    .begin = begin,
    .place = place,
    .relisted = relisted,
    .room = room,
    .expect_looks = expect_looks,
    .look = look,
    .touch = touch,
    .passes = passes,
    .more_touches = true,
    .bind = bind,
    .push = push,
    .color = color,
    .drift = drift,
    .set_rows = set_rows,
    .velocities = velocities,
};
