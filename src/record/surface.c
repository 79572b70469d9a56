/* Shapes as polygons, in the axes of their bodies. Round ones by chords: for the eye, not for measuring. */
#include <stdlib.h>
#include <string.h>

#include "record/vtk.h"

enum { ROUND = 32, SEGMENTS = 16, RINGS = 4 }; /* chords of a disk; of round shapes in space: around, and from the pole to the equator */

static int add_point(tl_surface *s, int body, tl_vec3 p)
{
    const tl_memory memory = tl_memory_default();
    if (s->failed || tl_grow(memory, &s->point, &s->point_capacity, s->points + 1, sizeof *s->point) != TALUS_OK ||
        tl_grow(memory, &s->point_body, &s->body_capacity, s->points + 1, sizeof *s->point_body) != TALUS_OK) {
        s->failed = true;
        return 0;
    }
    tl_store3(s->point[s->points], p);
    s->point_body[s->points] = body;
    return s->points++;
}

static void add_line(tl_surface *s, int shape, int a, int b)
{
    const tl_memory memory = tl_memory_default();
    if (s->failed || tl_grow(memory, &s->line, &s->line_capacity, s->lines + 1, sizeof *s->line) != TALUS_OK ||
        tl_grow(memory, &s->line_shape, &s->line_shape_capacity, s->lines + 1, sizeof *s->line_shape) != TALUS_OK) {
        s->failed = true;
        return;
    }
    s->line[s->lines][0] = a, s->line[s->lines][1] = b;
    s->line_shape[s->lines++] = shape;
}

/* Corners count from the point `first`. */
static void add_polygon(tl_surface *s, int shape, int first, const int32_t *corner, int corners)
{
    const tl_memory memory = tl_memory_default();
    if (s->failed || tl_grow(memory, &s->corner, &s->corner_capacity, s->corners + corners, sizeof *s->corner) != TALUS_OK ||
        tl_grow(memory, &s->polygon_end, &s->end_capacity, s->polygons + 1, sizeof *s->polygon_end) != TALUS_OK ||
        tl_grow(memory, &s->polygon_shape, &s->polygon_capacity, s->polygons + 1, sizeof *s->polygon_shape) != TALUS_OK) {
        s->failed = true;
        return;
    }
    for (int k = 0; k < corners; k++) s->corner[s->corners++] = first + corner[k];
    s->polygon_end[s->polygons] = s->corners;
    s->polygon_shape[s->polygons++] = shape;
}

/* ---- in the plane ------------------------------------------------------------------------------------------------- */

/* Twice the area enclosed: negative when the points go round clockwise. */
static double turning(const tl_replay *r, const tl_replay_shape *shape)
{
    double sum = 0;
    for (int k = 0; k < shape->points; k++) {
        const double *a = r->point[shape->first_point + k], *b = r->point[shape->first_point + (k + 1) % shape->points];
        sum += a[0] * b[1] - a[1] * b[0];
    }
    return sum;
}

/* The outline of disk, segment and polygon alike: corners with an arc about each where there is a rounding. */
static void add_outline(tl_surface *s, const tl_replay *r, int index)
{
    const tl_replay_shape *shape = &r->shape[index];
    const int n = shape->points;
    const bool back = n > 2 && turning(r, shape) < 0;
    int *corner = calloc((size_t)(n + 1) * (ROUND + 2), sizeof *corner), corners = 0;
    if (!corner) s->failed = true;
    for (int k = 0; corner && k < n; k++) {
        const int here = back ? n - 1 - k : k, step = back ? n - 1 : 1;
        const double *p = r->point[shape->first_point + here], *before = r->point[shape->first_point + (here + n - step) % n],
                     *after = r->point[shape->first_point + (here + step) % n];
        const double from = n == 1 ? 0 : atan2(p[1] - before[1], p[0] - before[0]) - TL_PI / 2, to = atan2(after[1] - p[1], after[0] - p[0]) - TL_PI / 2;
        const double turn = fmod(to - from + 4 * TL_PI, 2 * TL_PI), arc = n == 1 ? 2 * TL_PI : turn > 1.5 * TL_PI ? 0 : turn; /* 0 by rounding */
        const int pieces = shape->radius > 0 ? (int)ceil(arc * ROUND / (2 * TL_PI) - 1e-9) : 0;
        for (int i = 0; i <= pieces - (n == 1); i++) {
            const double angle = from + (pieces ? arc * i / pieces : 0);
            corner[corners++] = add_point(s, shape->body, tl_v3(p[0] + shape->radius * cos(angle), p[1] + shape->radius * sin(angle), 0));
        }
    }
    if (corners > 2) add_polygon(s, index, 0, corner, corners);
    else if (corners == 2) add_line(s, index, corner[0], corner[1]);
    if (corners > 0 && n == 1) add_line(s, index, add_point(s, shape->body, tl_load3(r->point[shape->first_point])), corner[0]);
    free(corner);
}

/* ---- in space ----------------------------------------------------------------------------------------------------- */

/* A ring about the axis; its first point. `out`: how far from it, `along`: where on it. */
static int add_ring(tl_surface *s, int body, tl_vec3 centre, tl_vec3 axis, double out)
{
    tl_vec3 t, u;
    tl_tangents(axis, &t, &u);
    const int first = s->points;
    for (int k = 0; k < SEGMENTS; k++) {
        const double a = 2 * TL_PI * k / SEGMENTS;
        add_point(s, body, tl_add(centre, tl_add(tl_scale(out * cos(a), t), tl_scale(out * sin(a), u))));
    }
    return first;
}

/* Quadrangles from a ring up to the next. */
static void add_belt(tl_surface *s, int shape, int lower, int upper)
{
    for (int k = 0; k < SEGMENTS; k++) {
        const int next = (k + 1) % SEGMENTS, corner[4] = {lower + k, lower + next, upper + next, upper + k};
        add_polygon(s, shape, 0, corner, 4);
    }
}

static void add_cap(tl_surface *s, int shape, int ring, int pole, bool up)
{
    for (int k = 0; k < SEGMENTS; k++) {
        const int next = (k + 1) % SEGMENTS, corner[3] = {ring + (up ? k : next), ring + (up ? next : k), pole};
        add_polygon(s, shape, 0, corner, 3);
    }
}

/* A sphere is a capsule whose ends are one point: pole, rings, and the equator once or at both ends. */
static void add_capsule(tl_surface *s, const tl_replay *r, int index)
{
    const tl_replay_shape *shape = &r->shape[index];
    const tl_vec3 a = tl_load3(r->point[shape->first_point]), b = shape->kind == REPLAY_CAPSULE ? tl_load3(r->point[shape->first_point + 1]) : a;
    const double length = tl_norm(tl_sub(b, a)), radius = shape->radius;
    const tl_vec3 axis = length > 0 ? tl_scale(1 / length, tl_sub(b, a)) : tl_v3(0, 0, 1);
    const int south = add_point(s, shape->body, tl_sub(a, tl_scale(radius, axis)));
    int before = -1;
    for (int k = 1; k < 2 * RINGS + (length > 0); k++) {
        const int ring = length > 0 && k > RINGS ? k - 1 : k;
        const double latitude = TL_PI / 2 * (ring - RINGS) / RINGS;
        const tl_vec3 end = length > 0 && k > RINGS ? b : a;
        const int here = add_ring(s, shape->body, tl_add(end, tl_scale(radius * sin(latitude), axis)), axis, radius * cos(latitude));
        if (before < 0) add_cap(s, index, here, south, false);
        else add_belt(s, index, before, here);
        before = here;
    }
    add_cap(s, index, before, add_point(s, shape->body, tl_add(b, tl_scale(radius, axis))), true);
}

static void add_cylinder(tl_surface *s, const tl_replay *r, int index)
{
    const tl_replay_shape *shape = &r->shape[index];
    const tl_vec3 a = tl_load3(r->point[shape->first_point]), b = tl_load3(r->point[shape->first_point + 1]), axis = tl_normalize(tl_sub(b, a));
    int floor_corner[SEGMENTS], lid[SEGMENTS], before = -1;
    const int rings = shape->rounding > 0 ? RINGS + 1 : 1; /* at each end */
    for (int k = 0; k < 2 * rings; k++) {
        const int up = k >= rings, step = up ? 2 * rings - 1 - k : k; /* from the flat end to the full radius, and back */
        const double angle = rings > 1 ? TL_PI / 2 * step / RINGS : TL_PI / 2;
        const tl_vec3 centre = tl_add(up ? b : a, tl_scale((up ? -1 : 1) * shape->rounding * (1 - cos(angle)), axis));
        const int ring = add_ring(s, shape->body, centre, axis, shape->radius - shape->rounding * (1 - sin(angle)));
        for (int i = 0; i < SEGMENTS && k == 0; i++) floor_corner[i] = ring + SEGMENTS - 1 - i;
        for (int i = 0; i < SEGMENTS; i++) lid[i] = ring + i;
        if (k == 0) add_polygon(s, index, 0, floor_corner, SEGMENTS);
        else add_belt(s, index, before, ring);
        before = ring;
    }
    add_polygon(s, index, 0, lid, SEGMENTS);
}

/* Its rounding is not drawn. */
static void add_polyhedron(tl_surface *s, const tl_replay *r, int index)
{
    const tl_replay_shape *shape = &r->shape[index];
    const int first = s->points;
    for (int k = 0; k < shape->points; k++) add_point(s, shape->body, tl_load3(r->point[shape->first_point + k]));
    for (int f = shape->first_face; f < shape->first_face + shape->faces; f++) {
        const int begin = f ? r->face_end[f - 1] : 0;
        add_polygon(s, index, first, r->corner + begin, r->face_end[f] - begin);
    }
}

void tl_surface_make(tl_surface *s, const tl_replay *r)
{
    for (int i = 0; i < r->shapes; i++) switch (r->shape[i].kind) {
        case REPLAY_DISK:
        case REPLAY_SEGMENT:
        case REPLAY_POLYGON: add_outline(s, r, i); break;
        case REPLAY_SPHERE:
        case REPLAY_CAPSULE: add_capsule(s, r, i); break;
        case REPLAY_CYLINDER: add_cylinder(s, r, i); break;
        case REPLAY_POLYHEDRON:
        case REPLAY_MESH: add_polyhedron(s, r, i); break;
        case REPLAY_HALF_PLANE:
        case REPLAY_HALF_SPACE: break; /* frame by frame */
        default: add_polyhedron(s, r, i); break;
        }
}

/* ---- walls without an end ----------------------------------------------------------------------------------------- */

/* The part of a polygon on one side of a plane x_k = at; side +1: what is below, −1: above. Convex stays convex; one corner more at most. */
static int cut(const tl_vec3 *in, int n, tl_vec3 *out, int k, double at, int side)
{
    int m = 0;
    for (int i = 0; i < n; i++) {
        double a[3], b[3];
        tl_store3(a, in[i]);
        tl_store3(b, in[(i + 1) % n]);
        const double da = side * (at - a[k]), db = side * (at - b[k]);
        if (da >= 0) out[m++] = in[i];
        if ((da > 0 && db < 0) || (da < 0 && db > 0)) out[m++] = tl_add(in[i], tl_scale(da / (da - db), tl_sub(in[(i + 1) % n], in[i])));
    }
    return m;
}

/* In space the plane itself; in the plane a strip behind the line, for a line alone has no inside that shows. */
static void add_wall(tl_surface *s, const tl_replay *r, const tl_replay_frame *f, int index, const double low[3], const double high[3])
{
    const tl_replay_shape *shape = &r->shape[index];
    const tl_vec3 middle = tl_scale(0.5, tl_add(tl_load3(low), tl_load3(high)));
    const double span = tl_norm(tl_sub(tl_load3(high), tl_load3(low))), thick = 0.01 * span;
    double x[3], normal[3];
    tl_vec3 polygon[2][16], t, u;
    tl_replay_to_world(f, shape->body, r->point[shape->first_point], x);
    tl_replay_turn(f, shape->body, r->point[shape->first_point + 1], normal);
    const tl_vec3 n = tl_normalize(tl_load3(normal)), foot = tl_add(middle, tl_scale(tl_dot(n, tl_sub(tl_load3(x), middle)), n));
    if (r->dimension == 2) {
        t = tl_scale(span, tl_v3(-n.y, n.x, 0)), u = tl_scale(-thick, n);
        const tl_vec3 strip[4] = {tl_add(foot, t), tl_add(tl_add(foot, t), u), tl_add(tl_sub(foot, t), u), tl_sub(foot, t)};
        memcpy(polygon[0], strip, sizeof strip);
    } else {
        tl_tangents(n, &t, &u);
        t = tl_scale(span, t), u = tl_scale(span, u);
        const tl_vec3 sheet[4] = {tl_sub(tl_sub(foot, t), u), tl_sub(tl_add(foot, t), u), tl_add(tl_add(foot, t), u), tl_add(tl_sub(foot, t), u)};
        memcpy(polygon[0], sheet, sizeof sheet);
    }
    int count = 4, corner[16];
    for (int k = 0; k < r->dimension; k++) {
        count = cut(polygon[0], count, polygon[1], k, high[k], 1);
        count = cut(polygon[1], count, polygon[0], k, low[k], -1);
    }
    for (int k = 0; k < count; k++) corner[k] = add_point(s, -1, polygon[0][k]);
    if (count > 2) add_polygon(s, index, 0, corner, count);
}

void tl_surface_add_walls(tl_surface *s, const tl_replay *r, const tl_replay_frame *f, const double low[3], const double high[3])
{
    for (int i = 0; i < r->shapes; i++)
        if (r->shape[i].kind == REPLAY_HALF_PLANE || r->shape[i].kind == REPLAY_HALF_SPACE) add_wall(s, r, f, i, low, high);
}

void tl_surface_free(tl_surface *s)
{
    const tl_memory memory = tl_memory_default();
    void *const tables[] = {s->point, s->point_body, s->line, s->line_shape, s->corner, s->polygon_end, s->polygon_shape};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) tl_free(memory, tables[i]);
    *s = (tl_surface){0};
}
