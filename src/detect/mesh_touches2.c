/* Where a grain nearly touches the outline of a solid in the plane: a disk, a polygon, an ellipse against edges that bound what is solid.
 *
 * A point of contact is a corner of the grain over an edge or a convex corner of the outline, or such a corner under a side of the grain. Each is
 * taken only where its normal lies in the cone of directions that the outline has there and, turned round, in that of the grain: so a straight outline is
 * one line however it is cut into edges. An ellipse has its corners where it is outermost towards an edge.
 *
 * An outline has one side. A point of the grain that is behind an edge, by less than the grain's own thickness, is brought back by it, unless what is
 * nearer says otherwise (is_hidden). */
#include "detect/mesh_touches2.h"

#include "detect/convex2.h"
#include "shape/kinds2.h"

/* What is inclined by less (sine) lies along its partner. */
static const double FLAT = TL_FLAT2;
/* Differences below this share of the size are rounding. */
static const double FLUSH = 1e-9;
/* Of its length: so far the end of a line without a radius may have come behind an edge. */
static const double PASSED = 0.05;
/* A grain of which no more than this share reaches behind an edge's line lies in front of it with all its corners. */
static const double IN_FRONT = 0.05;

enum { FEET = 32, FEATURES = 256 };
enum { CORNER_EDGE = 1, CORNER_CORNER, SIDE_CORNER }; /* kinds of features: of the grain, and of the mesh */

/* The grain in the axes of the mesh. */
typedef struct mesh_search {
    const tl_mesh2 *mesh;
    const tl_shape2 *grain;
    tl_pose2 at;
    double alert, radius, flush, size;
    double behind;                               /* how far what touches may have passed */
    int points;                                  /* corners of its core; 0: an ellipse   */
    tl_vec2 point[TL_CORNERS], side[TL_CORNERS]; /* side: normals, where there are two points or more */
    int count;
    tl_touch2 touch[TL_MESH_TOUCHES2];
} mesh_search;

/* ---- points ----------------------------------------------------------------------------------------------------------- */

/* What faces what. Two of one pair may get the same number: it is made different at the end, and costs a first guess. */
static int feature(int kind, int of_grain, int of_mesh)
{
    uint32_t h = (uint32_t)kind * 0x9e3779b1u ^ (uint32_t)of_grain * 0x85ebca77u ^ (uint32_t)of_mesh * 0x27d4eb2fu;
    h ^= h >> 15, h *= 0xc2b2ae3du, h ^= h >> 13, h *= 0x2c1b3c6du, h ^= h >> 16;
    return (int)(h % FEATURES);
}

/* The same point twice: over the end that two edges of one line share. */
static bool is_known(const mesh_search *s, const tl_touch2 *t)
{
    for (int i = 0; i < s->count; i++)
        if (tl_norm2(tl_sub2(t->normal, s->touch[i].normal)) < FLUSH && tl_norm2(tl_sub2(t->point, s->touch[i].point)) < s->flush) return true;
    return false;
}

/* x on the grain's core, `apart` from the mesh along n. Of too many the nearest are kept. */
static void add_touch(mesh_search *s, int number, tl_vec2 x, tl_vec2 n, double apart)
{
    const double gap = apart - s->radius;
    const tl_touch2 t = {tl_sub2(x, tl_scale2(s->radius + 0.5 * gap, n)), n, gap, number};
    if (!(gap < s->alert) || is_known(s, &t)) return;
    int at = s->count;
    if (at < TL_MESH_TOUCHES2) s->count++;
    else {
        at = 0;
        for (int i = 1; i < TL_MESH_TOUCHES2; i++)
            if (s->touch[i].gap > s->touch[at].gap) at = i;
        if (s->touch[at].gap <= gap) return;
    }
    s->touch[at] = t;
}

/* ---- the grain -------------------------------------------------------------------------------------------------------- */

/* The point of the core that is farthest against n. */
static tl_vec2 lowest(const mesh_search *s, tl_vec2 n)
{
    const tl_vec2 down = tl_unrotate2(&s->at, tl_scale2(-1, n));
    int at = 0;
    if (s->points == 0) return tl_to_world2(&s->at, tl_shape2_ops_of(s->grain->kind)->support(s->grain, down));
    for (int i = 1; i < s->points; i++)
        if (tl_dot2(n, s->point[i]) < tl_dot2(n, s->point[at])) at = i;
    return s->point[at];
}

static double least(const mesh_search *s, tl_vec2 n) { return tl_dot2(n, lowest(s, n)); }

/* How far the whole core is in front of an edge's line. */
static double in_front(const mesh_search *s, const tl_mesh_edge2 *e) { return least(s, e->n) - e->offset; }

/* Of a polygon: neither side goes down from its corner along n, but for what lying flat allows. */
static bool is_lowest(const mesh_search *s, int corner, tl_vec2 n)
{
    const int beside[2] = {(corner + 1) % s->points, (corner + s->points - 1) % s->points};
    for (int k = 0; k < 2; k++) {
        const tl_vec2 d = tl_sub2(s->point[beside[k]], s->point[corner]);
        if (tl_dot2(n, d) < -FLAT * tl_norm2(d)) return false;
    }
    return true;
}

/* ---- the outline ------------------------------------------------------------------------------------------------------ */

/* n lies between the normals at a corner of the outline; one that is outside by less than `slack` is put on the nearer. */
static bool is_between(const tl_mesh_corner2 *c, double slack, tl_vec2 *n)
{
    const double before = tl_cross2(c->n[0], *n), after = tl_cross2(*n, c->n[1]);
    if (tl_dot2(*n, tl_add2(c->n[0], c->n[1])) < -slack || before < -slack || after < -slack) return false;
    if (before < 0) *n = c->n[0];
    else if (after < 0) *n = c->n[1];
    return true;
}

/* Where x is along an edge, from its beginning. */
static double share_of(const tl_mesh2 *m, const tl_mesh_edge2 *e, tl_vec2 x) { return tl_dot2(e->along, tl_sub2(x, m->vertex[e->from])); }

/* x has come down into a concave corner, so far that it is over neither of the edges there; then it is over both. */
static bool is_in_valley(const tl_mesh2 *m, int corner, tl_vec2 x)
{
    const tl_mesh_corner2 *c = &m->corner[corner];
    if (c->sharp) return false;
    const tl_mesh_edge2 *in = &m->edge[c->in], *out = &m->edge[c->out];
    return tl_dot2(in->n, x) < in->offset && tl_dot2(out->n, x) < out->offset && share_of(m, in, x) >= in->length && share_of(m, out, x) <= 0;
}

static bool is_over(const tl_mesh2 *m, const tl_mesh_edge2 *e, tl_vec2 x, double flush)
{
    const double f = share_of(m, e, x);
    return (f >= -flush || is_in_valley(m, e->corner[0], x)) && (f <= e->length + flush || is_in_valley(m, e->corner[1], x));
}

/* ---- points of the grain over edges --------------------------------------------------------------------------------------- */

typedef struct foot {
    int edge; /* −1: a corner, in front of which the point is */
    double d; /* height of the point above it                 */
    tl_vec2 middle;
} foot;

typedef struct feet {
    int count;
    foot foot[FEET];
} feet;

/* Of too many the nearest are kept. */
static void add_foot(feet *f, int edge, double d, tl_vec2 middle)
{
    int at = f->count;
    if (at < FEET) f->count++;
    else {
        at = 0;
        for (int i = 1; i < FEET; i++)
            if (fabs(f->foot[i].d) > fabs(f->foot[at].d)) at = i;
        if (fabs(f->foot[at].d) <= fabs(d)) return;
    }
    f->foot[at] = (foot){edge, d, middle};
}

/* The edge b, which the point is behind, is not where it goes out: something nearer has the point in front of it, which then is outside; or another edge that
 * it is behind, and that lies behind b as the top of a step lies behind its riser, is where the whole grain comes out sooner. */
static bool is_hidden(const mesh_search *s, const feet *f, int b, tl_vec2 x)
{
    const foot *own = &f->foot[b];
    const tl_mesh_edge2 *e = &s->mesh->edge[own->edge];
    const double along = share_of(s->mesh, e, x), beyond = tl_larger(0, tl_larger(-along, along - e->length)); /* in a valley beside it */
    const double away = hypot(own->d, beyond);
    for (int a = 0; a < f->count; a++) {
        const foot *other = &f->foot[a];
        if (a == b) continue;
        if (other->d > s->flush && other->d < away) return true;
        if (other->edge < 0 || other->d > s->flush || !(tl_dot2(e->n, other->middle) - e->offset < -s->flush)) continue;
        if (in_front(s, &s->mesh->edge[other->edge]) > in_front(s, e)) return true;
    }
    return false;
}

static tl_vec2 middle_of(const tl_mesh2 *m, const tl_mesh_edge2 *e) { return tl_scale2(0.5, tl_add2(m->vertex[e->from], m->vertex[e->to])); }

static tl_box_walk walk_around(const mesh_search *s, tl_vec2 x)
{
    const double r = tl_larger(s->behind, s->radius + s->alert);
    return tl_box_walk_through(&s->mesh->tree, tl_v3(x.x - r, x.y - r, 0), tl_v3(x.x + r, x.y + r, 0));
}

/* Each corner once, with the edge that begins there. */
static int corner_of(const tl_mesh2 *m, int edge, int end)
{
    const int at = m->edge[edge].corner[end];
    return m->corner[at].sharp && (end == 0 || m->corner[at].out < 0) ? at : -1;
}

static void find_feet(const mesh_search *s, tl_vec2 x, feet *near)
{
    const tl_mesh2 *m = s->mesh;
    near->count = 0;
    tl_box_walk walk = walk_around(s, x);
    for (int i; (i = tl_box_next(&walk)) >= 0;) {
        const tl_mesh_edge2 *e = &m->edge[i];
        const double d = tl_dot2(e->n, x) - e->offset;
        if (d >= -s->behind && is_over(m, e, x, s->flush)) add_foot(near, i, d, middle_of(m, e));
        for (int end = 0; end < 2; end++) {
            const int at = corner_of(m, i, end);
            if (at < 0) continue;
            const tl_vec2 p = m->vertex[m->corner[at].vertex], way = tl_sub2(x, p);
            const double distance = tl_norm2(way);
            tl_vec2 n = tl_scale2(1 / distance, way);
            if (distance > s->flush && is_between(&m->corner[at], FLUSH, &n)) add_foot(near, -1, distance, p);
        }
    }
}

/* A point of the core over edges; only over one of them, where the point was found for it. */
static void point_over_edges(mesh_search *s, int number, tl_vec2 x, int only)
{
    feet near;
    find_feet(s, x, &near);
    for (int k = 0; k < near.count; k++) {
        const foot *f = &near.foot[k];
        if (f->edge < 0 || (only >= 0 && f->edge != only) || !(f->d - s->radius < s->alert) || (f->d < 0 && is_hidden(s, &near, k, x))) continue;
        const tl_mesh_edge2 *e = &s->mesh->edge[f->edge];
        if (s->points > 1 && in_front(s, e) < -IN_FRONT * s->size && !is_lowest(s, number, e->n)) continue;
        add_touch(s, feature(CORNER_EDGE, number, f->edge), x, e->n, f->d);
    }
}

/* ---- corners of the outline -------------------------------------------------------------------------------------------- */

/* A corner of the grain beside one of the outline. Where the middle of a disk has come down to it, any direction there will do. */
static void point_at_corner(mesh_search *s, int number, int corner)
{
    const tl_mesh_corner2 *c = &s->mesh->corner[corner];
    const tl_vec2 x = s->point[number], way = tl_sub2(x, s->mesh->vertex[c->vertex]), both = tl_add2(c->n[0], c->n[1]);
    const double distance = tl_norm2(way), size = tl_norm2(both);
    tl_vec2 n = size > 0 ? tl_scale2(1 / size, both) : c->n[0];
    if (distance <= s->flush && !(s->radius > 0)) return;
    if (distance > s->flush) n = tl_scale2(1 / distance, way);
    if (!is_between(c, FLUSH, &n) || least(s, n) < tl_dot2(n, x) - s->flush) return;
    add_touch(s, feature(CORNER_CORNER, number, corner), x, n, distance);
}

/* How far y is outside of a side of the grain. */
static double outside(const mesh_search *s, int side, tl_vec2 y) { return tl_dot2(s->side[side], tl_sub2(y, s->point[side])); }

/* Overlaps are told from what a side would reach if it went on. */
static bool is_within(const mesh_search *s, tl_vec2 y)
{
    for (int i = 0; i < s->points; i++)
        if (outside(s, i, y) > s->flush) return false;
    return true;
}

/* The way out along the edges at a corner of the outline. */
static double along_edges(const mesh_search *s, const tl_mesh_corner2 *c)
{
    double most = -(double)INFINITY;
    if (c->in >= 0) most = in_front(s, &s->mesh->edge[c->in]);
    return c->out >= 0 ? tl_larger(most, in_front(s, &s->mesh->edge[c->out])) : most;
}

/* A corner of the outline under a side of the grain: of the sides through which it may go out, the one through which it does so first. */
static void sides_at_corner(mesh_search *s, int corner)
{
    const tl_mesh_corner2 *c = &s->mesh->corner[corner];
    const tl_vec2 y = s->mesh->vertex[c->vertex];
    int side = -1;
    double apart = -s->behind;
    tl_vec2 n = {0, 0};
    for (int i = 0; i < s->points; i++) {
        const tl_vec2 p = s->point[i], d = tl_sub2(s->point[(i + 1) % s->points], p);
        const double f = tl_dot2(tl_sub2(y, p), d) / tl_dot2(d, d), own = outside(s, i, y);
        tl_vec2 way = tl_scale2(-1, s->side[i]);
        if (own > apart && f >= -FLUSH && f <= 1 + FLUSH && is_between(c, FLAT, &way)) side = i, apart = own, n = way;
    }
    if (side < 0 || !(apart - s->radius < s->alert)) return;
    if ((apart < -s->flush && !tl_shape2_is_line(s->grain) && !is_within(s, y)) || /* a line has nothing inside */
        apart < along_edges(s, c) - s->flush)
        return;
    add_touch(s, feature(SIDE_CORNER, side, corner), tl_sub2(y, tl_scale2(apart, s->side[side])), n, apart);
}

/* Of an ellipse: the pair function of two convex shapes knows its nearest point, and the way out where it has the corner in it. */
static void ellipse_at_corner(mesh_search *s, int corner)
{
    const tl_mesh_corner2 *c = &s->mesh->corner[corner];
    const tl_vec2 y = s->mesh->vertex[c->vertex];
    const tl_shape2 point = {.kind = TL_DISK, .count = 1, .centre = y};
    const tl_pose2 here = {0, 0, 1, 0, 0};
    tl_touch2 t[TL_CONVEX_TOUCHES2];
    if (tl_convex_touches2(&point, &here, s->grain, &s->at, s->alert, t) == 0 || t[0].gap < -s->behind) return;
    if (!is_between(c, t[0].gap < 0 ? FLAT : FLUSH, &t[0].normal) || t[0].gap < along_edges(s, c) - s->flush) return;
    add_touch(s, feature(SIDE_CORNER, 0, corner), tl_add2(y, tl_scale2(t[0].gap, t[0].normal)), t[0].normal, t[0].gap);
}

/* A corner that presses by itself touches no more than nodes of other solids, which do not meet it as a node. */
static void corner_touches(mesh_search *s, int corner)
{
    if (s->mesh->presses[s->mesh->corner[corner].vertex] && !tl_shape2_is_node(s->grain)) return;
    if (s->points == 0) ellipse_at_corner(s, corner);
    for (int i = 0; i < s->points; i++) point_at_corner(s, i, corner);
    if (s->points > 1) sides_at_corner(s, corner);
}

/* ---- the whole -------------------------------------------------------------------------------------------------------- */

/* Half of how thick the core is, or what stands for it. */
static double thickness_of(const tl_shape2 *g)
{
    tl_vec2 middle = {0, 0};
    double most = (double)INFINITY;
    if (g->kind == TL_ELLIPSE) return tl_shape2_half_width(g);
    if (tl_shape2_is_line(g)) return PASSED * tl_norm2(tl_sub2(g->corner[1], g->corner[0]));
    if (g->kind == TL_DISK || g->count < 3) return tl_larger(g->radius, g->thin); /* of a point that stands for more, its width */
    for (int i = 0; i < g->count; i++) middle = tl_add2(middle, tl_scale2(1.0 / g->count, g->corner[i]));
    for (int i = 0; i < g->count; i++) most = tl_smaller(most, tl_dot2(g->edge_normal[i], tl_sub2(g->corner[i], middle)));
    return tl_larger(most, g->radius);
}

static void place(mesh_search *s, const tl_pose2 *mesh_at, const tl_pose2 *grain_at)
{
    const tl_shape2 *g = s->grain;
    const tl_vec2 p = tl_to_local2(mesh_at, tl_v2(grain_at->x, grain_at->y));
    const tl_vec2 turn = tl_unrotate2(mesh_at, tl_v2(grain_at->c, grain_at->s));
    s->at = (tl_pose2){p.x, p.y, turn.x, turn.y, 0};
    s->radius = g->radius, s->size = tl_shape2_size(g), s->flush = FLUSH * s->size, s->behind = thickness_of(g), s->count = 0;
    s->points = g->kind == TL_ELLIPSE ? 0 : g->count;
    for (int i = 0; i < s->points; i++) {
        s->point[i] = tl_to_world2(&s->at, tl_shape2_corner(g, i));
        if (s->points > 1) s->side[i] = tl_rotate2(&s->at, g->edge_normal[i]);
    }
}

static void find(mesh_search *s)
{
    const tl_mesh2 *m = s->mesh;
    const tl_box2 box = tl_shape2_box(s->grain, &s->at);
    const double r = tl_larger(s->behind, s->alert);
    tl_box_walk walk = tl_box_walk_through(&m->tree, tl_v3(box.low.x - r, box.low.y - r, 0), tl_v3(box.high.x + r, box.high.y + r, 0));
    bool near = false;
    for (int i; (i = tl_box_next(&walk)) >= 0; near = true) {
        if (s->points == 0) point_over_edges(s, 0, lowest(s, m->edge[i].n), i);
        for (int end = 0; end < 2; end++) {
            const int corner = corner_of(m, i, end);
            if (corner >= 0) corner_touches(s, corner);
        }
    }
    for (int i = 0; near && i < s->points; i++) point_over_edges(s, i, s->point[i], -1);
}

/* In order of their features, each of which is there once. */
static void sort(mesh_search *s)
{
    bool taken[FEATURES] = {false};
    for (int i = 0; i < s->count; i++) {
        const tl_touch2 own = s->touch[i];
        int at = i;
        for (; at > 0 && s->touch[at - 1].gap > own.gap; at--) s->touch[at] = s->touch[at - 1];
        s->touch[at] = own;
    }
    for (int i = 0; i < s->count; i++) { /* of two the nearer keeps its number */
        while (taken[s->touch[i].feature]) s->touch[i].feature = (s->touch[i].feature + 1) % FEATURES;
        taken[s->touch[i].feature] = true;
    }
    for (int i = 1; i < s->count; i++) {
        const tl_touch2 own = s->touch[i];
        int at = i;
        for (; at > 0 && s->touch[at - 1].feature > own.feature; at--) s->touch[at] = s->touch[at - 1];
        s->touch[at] = own;
    }
}

int tl_mesh_touches2(const tl_shape2 *a, const tl_pose2 *pa, const tl_shape2 *b, const tl_pose2 *pb, double alert, tl_touch2 *out)
{
    const bool mesh_is_b = b->kind == TL_MESH2;
    const tl_shape2 *grain = mesh_is_b ? a : b;
    const tl_pose2 *at = mesh_is_b ? pb : pa;
    if (!tl_shape2_is_bounded(grain)) return 0;
    mesh_search s;
    s.mesh = (mesh_is_b ? b : a)->mesh, s.grain = grain, s.alert = alert;
    place(&s, at, mesh_is_b ? pa : pb);
    if (!isfinite(s.at.x + s.at.y + s.at.c)) return 0;
    find(&s);
    sort(&s);
    for (int i = 0; i < s.count; i++) {
        const tl_touch2 *t = &s.touch[i];
        out[i] = (tl_touch2){tl_to_world2(at, t->point), tl_scale2(mesh_is_b ? -1 : 1, tl_rotate2(at, t->normal)), t->gap, t->feature};
    }
    return s.count;
}
