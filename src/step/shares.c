/* Who bears how much of what a pair of surfaces pulls with over a gap (theory §2.4): points of a face as the area about them has it, parts of a shape as their
 * areas, points of a solid's surface alike, about the middle of what they span. */
#include <stdlib.h>

#include "step/reach.h"

/* Some of the contacts of a near pair: those within the reach of its law. */
typedef struct members {
    tl_contact *of[TL_MOST_TOUCHES];
    int count;
} members;

/* The order of points around their middle, and where they are from it in the plane across the first one's normal. False:
 * their normals are not alike. */
static bool around(const members *c, int order[TL_MOST_TOUCHES], double at[TL_MOST_TOUCHES][2])
{
    double angle[TL_MOST_TOUCHES];
    tl_vec3 middle = {0, 0, 0}, t, u;
    for (int k = 0; k < c->count; k++) {
        if (tl_dot(c->of[k]->n, c->of[0]->n) < 0.99) return false;
        middle = tl_add(middle, tl_scale(1.0 / c->count, c->of[k]->point));
    }
    tl_tangents(c->of[0]->n, &t, &u);
    for (int k = 0; k < c->count; k++) {
        const tl_vec3 d = tl_sub(c->of[k]->point, middle);
        at[k][0] = tl_dot(d, t), at[k][1] = tl_dot(d, u);
        angle[k] = atan2(at[k][1], at[k][0]);
        int i = k;
        for (; i > 0 && angle[order[i - 1]] > angle[k]; i--) order[i] = order[i - 1];
        order[i] = k;
    }
    return true;
}

/* Area of the triangle of p, q and the point m. */
static double area(const double p[2], const double q[2], const double m[2]) { return 0.5 * ((p[0] - m[0]) * (q[1] - m[1]) - (p[1] - m[1]) * (q[0] - m[0])); }

/* The area of the triangle of p, q and the origin; its first moment is added to m. */
static double add_triangle(const double p[2], const double q[2], double m[2])
{
    const double a = area(p, q, (const double[2]){0, 0});
    for (int axis = 0; axis < 2; axis++) m[axis] += a * (p[axis] + q[axis]) / 3;
    return a;
}

/* What pulls over a gap pulls on the whole of a face: its middle is that of the area that the points span, on one side of
 * which there may be more of them. The area consists of triangles between its middle m and neighbours around it. Each
 * gives half of its part to each neighbour: then m is the mean of the points, weighted so. Returns the area; 0: there
 * is none, or their normals are not alike. Where the points lie so that triangles turn over, they share alike. */
static double share_by_area(const members *c)
{
    const int count = c->count;
    int order[TL_MOST_TOUCHES];
    double at[TL_MOST_TOUCHES][2], part[TL_MOST_TOUCHES] = {0}, m[2] = {0, 0}, whole = 0, most = 0;
    if (count < 3 || !around(c, order, at)) return 0;
    for (int k = 0; k < count; k++) { /* the middle, by triangles about any point */
        const int i = order[k], j = order[(k + 1) % count];
        whole += add_triangle(at[i], at[j], m), most = fmax(most, at[i][0] * at[i][0] + at[i][1] * at[i][1]);
    }
    if (!(whole > 1e-6 * most)) return 0;
    if (count == 3) return whole; /* its corners share alike */
    for (int axis = 0; axis < 2; axis++) m[axis] /= whole;
    for (int k = 0; k < count; k++) {
        const int i = order[k], j = order[(k + 1) % count];
        const double a = area(at[i], at[j], m);
        if (a < 0) return whole; /* not convex, and its middle is outside */
        part[i] += a, part[j] += a;
    }
    for (int k = 0; k < count; k++) c->of[k]->uneven *= (float)(0.5 * count * part[k] / whole);
    return whole;
}

/* What an end has gained since the step's begin where there were no contacts; of grains, for others are slow to change. */
static tl_vec3 gain_of(const tl_system *s, const tl_contact *c, int side)
{
    const tl_place end = side ? c->b : c->a;
    const tl_motion *m = &s->found.motion[side ? c->contactor_b : c->contactor_a];
    tl_vec3 p, v, w;
    if (end.matter != 0) return tl_v3(0, 0, 0);
    s->geometry->motion(s, TL_BEFORE, end.item, &p, &v, &w);
    return tl_add(tl_sub(m->v, v), tl_cross(tl_sub(m->w, w), c->arm[side]));
}

/* Is a touch within the reach of its law as the step begins? What is farther away does not pull, and has no part in what others pull. */
static bool is_within(const tl_system *s, const tl_near *pair, const tl_touch *t, const tl_contact *c)
{
    const double gain = tl_dot(t->normal, tl_sub(gain_of(s, c, 1), gain_of(s, c, 0))), way = tl_gap_ahead(s, s->found.motion, pair, t) - t->gap;
    return t->gap - 0.5 * (way - s->step.h * gain) <= c->law->reach;
}

/* Those within reach share alike, and the others have nothing, which where nobody is within reach is of no account. */
double tl_share_of_part(const tl_system *s, int near, tl_contact *c)
{
    const tl_found *f = &s->found;
    const int touches = f->touches[near];
    members in = {.count = 0};
    for (int k = 0; k < touches; k++)
        if (is_within(s, &f->near.pair[near], &f->touch[near][k], &c[k])) in.of[in.count++] = &c[k];
    for (int k = 0; k < touches; k++) c[k].uneven = 0;
    for (int k = 0; k < in.count; k++) in.of[k]->uneven = (float)touches / (float)in.count;
    if (s->geometry->dimension == 3) return share_by_area(&in);
    return in.count == 2 ? tl_norm(tl_sub(in.of[1]->point, in.of[0]->point)) : 0;
}

/* How many contacts of a near pair have a part of its force. */
static int count_sharing(const tl_system *s, int near)
{
    int count = 0;
    for (int k = s->found.offset[near]; k < s->found.offset[near + 1]; k++) count += s->contact_next[k].uneven > 0;
    return count;
}

/* Of a shape of several parts each has as much of the force as it has of the area, in the plane of the length; where there is none, of the points. */
static talus_status share_among_parts(tl_system *s)
{
    const tl_found *f = &s->found;
    if (!s->has_parts || !f->points) return TALUS_OK;
    double(*sum)[2] = tl_arena_zero(s->step.arena, (size_t)f->near.pairs + 1, sizeof *sum);
    if (!sum) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d near pairs", f->near.pairs);
    for (int i = 0; i < f->near.pairs; i++)
        if (f->points[i] > f->touches[i]) sum[f->first[i]][0] += f->span[i], sum[f->first[i]][1] += count_sharing(s, i);
    for (int i = 0; i < f->near.pairs; i++) {
        const double *all = f->points[i] > f->touches[i] ? sum[f->first[i]] : (const double[2]){0, 0};
        if (!(tl_law_of(s, &f->near.pair[i])->reach > 0) || !(all[1] > 0)) continue;
        const double part = all[0] > 0 ? f->span[i] / all[0] : count_sharing(s, i) / all[1];
        for (int k = f->offset[i]; k < f->offset[i + 1]; k++) s->contact_next[k].uneven *= (float)(part * f->points[i] / f->touches[i]);
    }
    return TALUS_OK;
}

static const double ALIKE = 0.9; /* length of the mean of unit normals: a face, and not the walls of a trough */

/* A point of those that a solid's surface shares a force among. */
typedef struct shared_point {
    int first, contact;    /* the near pair by which its surfaces are known; the number of the contact */
    double x, together;    /* where it is; how many lie there */
    double part, place[2]; /* of the force; across the mean normal, from the mean place */
} shared_point;

static int list_shared(const tl_system *s, shared_point *out)
{
    const tl_found *f = &s->found;
    int count = 0;
    for (int i = 0; i < f->near.pairs; i++) {
        const tl_near *pair = &f->near.pair[i];
        if (f->touches[i] == 0 || f->points[i] <= 1 || !tl_gives(s, pair) || !(tl_law_of(s, pair)->reach > 0)) continue;
        for (int k = f->offset[i]; k < f->offset[i + 1]; k++) {
            if (!(s->contact_next[k].uneven > 0)) continue;
            if (out) out[count] = (shared_point){.first = f->first[i], .contact = k, .x = s->contact_next[k].point.x, .together = 1};
            count++;
        }
    }
    return count;
}

static int compare_shared(const void *a, const void *b)
{
    const shared_point *p = a, *q = b;
    if (p->first != q->first) return p->first < q->first ? -1 : 1;
    if (p->x < q->x || p->x > q->x) return p->x < q->x ? -1 : 1;
    return (p->contact > q->contact) - (p->contact < q->contact);
}

/* So far apart they lie together. */
static double trifle_of(const tl_found *f, const tl_contact *c)
{
    double thin = 0;
    for (int side = 0; side < 2; side++) {
        const tl_motion *m = &f->motion[side ? c->contactor_b : c->contactor_a];
        if (m->gives) thin = fmax(thin, m->thin);
    }
    return TL_NODE_TRIFLE * thin;
}

/* Points that lie together share as one: a corner over the seam of two triangles is two points or one, as rounding has it, and where a node is under it there
 * is another. */
static void share_as_one(const tl_system *s, shared_point *point, int count)
{
    double places = 0;
    for (int i = 0; i < count; i++) {
        const tl_contact *c = &s->contact_next[point[i].contact];
        const double within = trifle_of(&s->found, c);
        for (int k = i - 1; k >= 0 && point[i].x - point[k].x <= within; k--)
            if (tl_norm(tl_sub(c->point, s->contact_next[point[k].contact].point)) <= within) point[k].together++, point[i].together++;
    }
    for (int i = 0; i < count; i++) places += 1 / point[i].together;
    for (int i = 0; i < count; i++) point[i].part = 1 / (point[i].together * places);
}

/* Where points are across their mean normal, from their mean place by their parts. In the plane the second is 0. False: their normals are not alike. */
static bool find_places(const tl_system *s, shared_point *point, int count)
{
    tl_vec3 middle = {0, 0, 0}, normal = {0, 0, 0}, t, u;
    for (int i = 0; i < count; i++) {
        const tl_contact *c = &s->contact_next[point[i].contact];
        middle = tl_add(middle, tl_scale(point[i].part, c->point)), normal = tl_add(normal, tl_scale(point[i].part, c->n));
    }
    if (!(tl_norm(normal) > ALIKE)) return false;
    tl_tangents(tl_normalize(normal), &t, &u);
    if (s->geometry->dimension == 2) t = tl_v3(-normal.y, normal.x, 0);
    for (int i = 0; i < count; i++) {
        const tl_vec3 d = tl_sub(s->contact_next[point[i].contact].point, middle);
        point[i].place[0] = tl_dot(d, t), point[i].place[1] = s->geometry->dimension == 2 ? 0 : tl_dot(d, u);
    }
    return true;
}

static int by_place(const void *a, const void *b)
{
    const double *p = ((const shared_point *)a)->place, *q = ((const shared_point *)b)->place;
    for (int k = 0; k < 2; k++)
        if (p[k] < q[k] || p[k] > q[k]) return p[k] < q[k] ? -1 : 1;
    return ((const shared_point *)a)->contact - ((const shared_point *)b)->contact;
}

/* The next corner of a hull lies left of the last two, else the last is none (Andrew 1979). */
static int add_corner(const shared_point *point, int *corner, int corners, int least, int i)
{
    while (corners > least && area(point[corner[corners - 1]].place, point[i].place, point[corner[corners - 2]].place) <= 0) corners--;
    corner[corners] = i;
    return corners + 1;
}

/* The middle of the area, or length, that points span; they are in the order of their places. `corner` [2 count + 1]: room. False: they span none. */
static bool find_middle(const shared_point *point, int count, int *corner, double middle[2])
{
    double whole = 0, size = 0;
    int corners = 0;
    middle[0] = middle[1] = 0;
    for (int i = 0; i < count; i++) corners = add_corner(point, corner, corners, 1, i), size = fmax(size, fabs(point[i].place[0]) + fabs(point[i].place[1]));
    const int lower = corners;
    for (int i = count - 2; i >= 0; i--) corners = add_corner(point, corner, corners, lower, i);
    for (int i = 0; i + 1 < corners; i++) whole += add_triangle(point[corner[i]].place, point[corner[i + 1]].place, middle);
    for (int k = 0; k < 2; k++) middle[k] = whole > 1e-6 * size * size ? middle[k] / whole : 0.5 * (point[0].place[k] + point[count - 1].place[k]);
    return size > 0;
}

/* What pulls over a gap pulls on the whole of a face, through the middle of what the points span. Parts are tilted as little as brings their mean there, linear
 * in the places; no farther than until one of them has none. */
static void share_about_middle(shared_point *point, int count, const double middle[2])
{
    double M[2][2] = {{0, 0}, {0, 0}}, least = 1;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            for (int l = 0; l < 2; l++) M[k][l] += point[i].part * point[i].place[k] * point[i].place[l];
    const double det = M[0][0] * M[1][1] - M[0][1] * M[1][0], trace = M[0][0] + M[1][1];
    const bool flat = det > 1e-9 * trace * trace; /* else they lie along a line, and so does the middle */
    const double g[2] = {flat ? (M[1][1] * middle[0] - M[0][1] * middle[1]) / det : middle[0] / trace,
                         flat ? (M[0][0] * middle[1] - M[1][0] * middle[0]) / det : middle[1] / trace};
    for (int i = 0; i < count; i++) least = fmin(least, 1 + g[0] * point[i].place[0] + g[1] * point[i].place[1]);
    const double share = least < 0 ? 1 / (1 - least) : 1;
    for (int i = 0; i < count; i++) point[i].part *= 1 + share * (g[0] * point[i].place[0] + g[1] * point[i].place[1]);
}

static talus_status share_surfaces(tl_system *s)
{
    const int count = s->found.points ? list_shared(s, NULL) : 0;
    shared_point *point = tl_arena_alloc(s->step.arena, (size_t)count + 1, sizeof *point);
    int *corner = tl_arena_alloc(s->step.arena, 2 * (size_t)count + 1, sizeof *corner);
    if (!point || !corner) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d contacts of solids", count);
    if (count > 0) (void)list_shared(s, point);
    qsort(point, (size_t)count, sizeof *point, compare_shared);
    for (int begin = 0, end; begin < count; begin = end) {
        double middle[2];
        for (end = begin; end < count && point[end].first == point[begin].first; end++) {
        }
        shared_point *own = point + begin;
        share_as_one(s, own, end - begin);
        if (find_places(s, own, end - begin)) {
            qsort(own, (size_t)(end - begin), sizeof *own, by_place);
            if (find_middle(own, end - begin, corner, middle)) share_about_middle(own, end - begin, middle);
        }
        for (int i = 0; i < end - begin; i++) s->contact_next[own[i].contact].uneven = (float)(own[i].part * s->contact_next[own[i].contact].points);
    }
    return TALUS_OK;
}

talus_status tl_contacts_share(tl_system *s)
{
    TL_TRY(share_among_parts(s));
    return share_surfaces(s);
}
