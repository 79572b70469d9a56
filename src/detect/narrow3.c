/* Pair functions in space. Half-spaces touch every corner that comes near enough, two spheres at one point. All else is two rounded cores: the
 * direction in which they are apart (axis3.c, nearest3.c), then the points that touch along it (touches3.c, choose3.c), in the axes of the first.
 * Shapes of other kinds have one function for all pairs, by their supports (convex3.c, convex_touches3.c). */
#include "detect/convex3.h"

static bool finite3(tl_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

/* ---- half-space --------------------------------------------------------------------------------------------------- */

/* The normal of the touches points away from the half-space, `plane`. */
static int half_space_any(tl_placed3 plane, tl_placed3 other, bool plane_is_b, double alert, tl_vec3 *hint, tl_touch *out)
{
    const tl_shape3 *s = other.shape;
    const tl_frame *fp = plane.at, *fs = other.at;
    tl_touch all[TL_HULL_POINTS];
    const tl_vec3 n = tl_turn3(&fp->R, plane.shape->normal), o = tl_add(tl_turn3(&fp->R, plane.shape->centre), tl_sub(fp->p, fs->p));
    const tl_vec3 normal = plane_is_b ? tl_scale(-1, n) : n;
    const tl_cloud3 cloud = tl_cloud3_of(s);
    int count = 0;
    for (int i = 0; i < s->points; i++) {
        const tl_vec3 x = tl_turn3(&fs->R, tl_corner3(&cloud, i));
        const double gap = tl_dot(n, tl_sub(x, o)) - s->radius;
        if (!(gap < alert)) continue;
        const tl_vec3 point = tl_add(fs->p, tl_sub(x, tl_scale(s->radius + 0.5 * gap, n)));
        if (!finite3(point)) return 0;
        all[count++] = (tl_touch){point, normal, gap, tl_feature3_corner_face(!plane_is_b, i, 0)};
    }
    *hint = normal;
    return tl_touches3_choose(all, count, n, out);
}

/* ---- two spheres ---------------------------------------------------------------------------------------------------- */

/* The most frequent pair of all. Spheres about one point touch along the direction that they had last, or along z. */
static int balls(tl_placed3 a, tl_placed3 b, double alert, tl_vec3 *hint, tl_known3 *known, tl_touch *out)
{
    (void)known;
    const tl_vec3 p = tl_turn3(&a.at->R, a.shape->point[0]), q = tl_turn3(&b.at->R, b.shape->point[0]);
    const tl_vec3 d = tl_add(tl_sub(b.at->p, a.at->p), tl_sub(q, p));
    const double apart = tl_norm(d), gap = apart - (a.shape->radius + b.shape->radius);
    if (apart > 0) *hint = tl_scale(1 / apart, d);
    else *hint = tl_is_direction3(*hint) ? tl_normalize(*hint) : tl_v3(0, 0, 1);
    if (!(gap < alert)) return 0; /* also where it is not a number */
    const tl_vec3 point = tl_add(a.at->p, tl_add(p, tl_scale(a.shape->radius + 0.5 * gap, *hint)));
    *out = (tl_touch){point, *hint, gap, tl_feature3_corners(0, 0)};
    return 1;
}

/* ---- cores -------------------------------------------------------------------------------------------------------- */

/* The cores' separation along a direction of the world. */
static double separation(const tl_shape3 *a, const tl_frame *fa, const tl_shape3 *b, const tl_frame *fb, tl_vec3 n)
{
    const tl_cloud3 ca = tl_cloud3_of(a), cb = tl_cloud3_of(b);
    const tl_vec3 in_a = tl_turn_back3(&fa->R, n), in_b = tl_turn_back3(&fb->R, n);
    return tl_dot(n, tl_sub(fb->p, fa->p)) + tl_cloud3_least(&cb, in_b) + tl_cloud3_least(&ca, tl_scale(-1, in_a));
}

/* A direction to begin with: the last step's, else from middle to middle. */
static tl_vec3 first_direction(const tl_shape3 *a, const tl_frame *fa, const tl_shape3 *b, const tl_frame *fb, tl_vec3 hint)
{
    if (tl_is_direction3(hint)) return tl_normalize(hint);
    const tl_vec3 p = tl_turn3(&fa->R, a->centre), q = tl_turn3(&fb->R, b->centre);
    const tl_vec3 d = tl_add(tl_sub(fb->p, fa->p), tl_sub(q, p)), n = tl_normalize(d);
    return fabs(tl_dot(n, n) - 1) < 1e-9 ? n : tl_v3(0, 0, 1);
}

static int cores(tl_placed3 first, tl_placed3 second, double alert, tl_vec3 *hint, tl_known3 *known, tl_touch *out)
{
    const tl_shape3 *a = first.shape, *b = second.shape;
    const tl_frame *fa = first.at, *fb = second.at;
    tl_pair3 pair;
    pair.a = a, pair.b = b;
    pair.size = tl_shape3_size(a) + tl_shape3_size(b);
    pair.tie = 1e-10 * pair.size;
    pair.rims = a->radius + b->radius;
    pair.alert = alert;
    pair.passing = a->thin > 0 && b->thin > 0 && alert > 0.5 * (a->thin + b->thin);
    const tl_vec3 start = first_direction(a, fa, b, fb, *hint);
    const double s = separation(a, fa, b, fb, start);
    *hint = start;
    if (!(s < pair.rims + alert + pair.tie)) return 0; /* also where s is not a number */
    pair.between = tl_smaller(s, 0);
    pair.start = tl_turn_back3(&fa->R, start);
    const tl_mat3 Rt = tl_mat3_transpose(&fa->R);
    pair.b_in_a = (tl_frame){tl_turn_back3(&fa->R, tl_sub(fb->p, fa->p)), tl_mat3_mul(&Rt, &fb->R)};
    pair.cloud[0] = tl_cloud3_of(a), pair.cloud[1] = tl_cloud3_of(b);
    const tl_axis3 axis = a->faces || b->faces ? tl_pair3_axis(&pair, known) : tl_pair3_axis_of_segments(&pair);
    const tl_vec3 n = tl_turn3(&fa->R, axis.n);
    if (!(fabs(tl_dot(n, n) - 1) < 1e-9)) return 0; /* a frame that is none */
    *hint = n;
    if (axis.beyond || !isfinite(axis.s)) return 0;
    const int count = tl_pair3_touches(&pair, axis, known, out);
    for (int i = 0; i < count; i++) {
        out[i].point = tl_add(tl_turn3(&fa->R, out[i].point), fa->p);
        out[i].normal = n;
        if (!finite3(out[i].point)) return 0;
    }
    return count;
}

/* ---- the table of pairs --------------------------------------------------------------------------------------------- */

typedef int pair_fn(tl_placed3, tl_placed3, double, tl_vec3 *, tl_known3 *, tl_touch *);

static int plane_hull(tl_placed3 a, tl_placed3 b, double alert, tl_vec3 *hint, tl_known3 *known, tl_touch *out)
{
    (void)known;
    return half_space_any(a, b, false, alert, hint, out);
}

static int hull_plane(tl_placed3 a, tl_placed3 b, double alert, tl_vec3 *hint, tl_known3 *known, tl_touch *out)
{
    (void)known;
    return half_space_any(b, a, true, alert, hint, out);
}

#define WITH_HULLS(pair) [TL_SPHERE3] = (pair), [TL_CAPSULE3] = (pair), [TL_POLYHEDRON3] = (pair)

/* Pairs that have a function of their own, in both orders: the normals of touches point from the first to the second. All
 * others go by what the two are: a mesh and what is convex, or supports. */
static pair_fn *const PAIR[TL_SHAPE3_KINDS][TL_SHAPE3_KINDS] = {
    [TL_SPHERE3] = {[TL_SPHERE3] = balls, [TL_CAPSULE3] = cores, [TL_POLYHEDRON3] = cores, [TL_HALF_SPACE3] = hull_plane},
    [TL_CAPSULE3] = {WITH_HULLS(cores), [TL_HALF_SPACE3] = hull_plane},
    [TL_POLYHEDRON3] = {WITH_HULLS(cores), [TL_HALF_SPACE3] = hull_plane},
    [TL_HALF_SPACE3] = {WITH_HULLS(plane_hull)},
};

int tl_touch3_find(tl_placed3 a, tl_placed3 b, double alert, tl_vec3 *hint, tl_known3 *known, tl_touch *out)
{
    pair_fn *own = PAIR[a.shape->kind][b.shape->kind];
    if (own) return own(a, b, alert, hint, known, out);
    const bool convex_a = tl_shape3_is_convex(a.shape), convex_b = tl_shape3_is_convex(b.shape);
    if (!convex_a && !convex_b) return 0;
    if (a.shape->kind == TL_MESH3) return tl_mesh_touches3(a, b, false, alert, out);
    if (b.shape->kind == TL_MESH3) return tl_mesh_touches3(b, a, true, alert, out);
    return tl_convex_touches3(a, b, alert, hint, out);
}

int tl_touch3_limit(const tl_shape3 *a, const tl_shape3 *b)
{
    const bool ball = a->kind == TL_SPHERE3 || b->kind == TL_SPHERE3;
    if (a->kind == TL_MESH3 || b->kind == TL_MESH3) return ball ? TL_TOUCHES3 : TL_MESH_TOUCHES3;
    return ball ? 1 : TL_TOUCHES3;
}

void tl_touch3_expect(const tl_shape3 *s, const tl_known3 *known)
{
    if (!tl_shape3_is_hull(s)) return;
    tl_fetch(s->corner_rows, 3 * (size_t)tl_fours(s->points) * sizeof *s->corner_rows);
    if (!known) return;
    tl_fetch(known, 3 * TL_LINE);
}

void tl_touch3_expect_rivals(const tl_shape3 *a, const tl_shape3 *b, const tl_known3 *known)
{
    if (!known || !known->holds) return;
    for (int k = 0; k < known->faces[0] + known->faces[1]; k++) {
        const tl_shape3 *s = k < known->faces[0] ? a : b;
        __builtin_prefetch(&s->plane[known->rival[k].a]);
    }
    const tl_rival3 *pair = known->rival + known->faces[0] + known->faces[1];
    for (int k = 0; k < known->pairs; k++) {
        if (a->faces) __builtin_prefetch(&a->edge[pair[k].a]);
        if (b->faces) __builtin_prefetch(&b->edge[pair[k].b]);
    }
    for (int of_b = 0; of_b < 2; of_b++) {
        const tl_shape3 *s = of_b ? b : a;
        if (known->patch[of_b].count > 2) __builtin_prefetch(&s->face_begin[known->patch[of_b].number]);
    }
}

static void expect_faces(const tl_shape3 *s, unsigned edge)
{
    if (s->faces == 0) return;
    __builtin_prefetch(&s->plane[s->edge[edge].left]);
    __builtin_prefetch(&s->plane[s->edge[edge].right]);
}

void tl_touch3_expect_edges(const tl_shape3 *a, const tl_shape3 *b, const tl_known3 *known)
{
    if (!known || !known->holds) return;
    const tl_rival3 *pair = known->rival + known->faces[0] + known->faces[1];
    for (int k = 0; k < known->pairs; k++) {
        expect_faces(a, pair[k].a);
        expect_faces(b, pair[k].b);
    }
    for (int of_b = 0; of_b < 2; of_b++) {
        const tl_shape3 *s = of_b ? b : a;
        if (known->patch[of_b].count > 2) __builtin_prefetch(&s->side[s->face_begin[known->patch[of_b].number]]);
    }
}
