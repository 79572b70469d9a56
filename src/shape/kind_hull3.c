/* Spheres, capsules and polyhedra: the points within a radius of the convex hull of their corners, of which one and two have no faces. Hulls are built in
 * hull3.c. */
#include <string.h>

#include "shape/hull3.h"
#include "shape/kinds3.h"

/* ---- making ------------------------------------------------------------------------------------------------------- */

static void fill_rows(tl_shape3 *s)
{
    const int points = tl_fours(s->points);
    for (int i = 0; i < points; i++) {
        const tl_vec3 p = s->point[i < s->points ? i : s->points - 1];
        double *row = s->corner_rows + i;
        row[0] = p.x, row[points] = p.y, row[2 * points] = p.z;
    }
    for (int f = s->faces; f < tl_fours(s->faces); f++) s->plane[f] = s->plane[s->faces - 1];
}

/* Normals by Newell's sum over the whole polygon, so that no three corners decide; offsets as the mean over its corners. */
void tl_shape3_planes(tl_shape3 *s)
{
    tl_vec3 sum = {0};
    s->reach = s->warp = 0;
    for (int i = 0; i < s->points; i++) {
        sum = tl_add(sum, tl_sub(s->point[i], s->point[0])); /* differences: far from the origin the mean keeps its digits */
        s->reach = fmax(s->reach, tl_norm(s->point[i]));
    }
    s->reach += s->radius;
    s->centre = tl_add(s->point[0], tl_scale(1.0 / s->points, sum));
    for (int f = 0; f < s->faces; f++) {
        const int begin = s->face_begin[f], n = s->face_begin[f + 1] - begin;
        const tl_vec3 o = s->point[s->corner[begin]];
        tl_vec3 area = {0};
        for (int i = 1; i + 1 < n; i++) area = tl_add(area, tl_cross(tl_sub(s->point[s->corner[begin + i]], o), tl_sub(s->point[s->corner[begin + i + 1]], o)));
        double size = fmax(fabs(area.x), fmax(fabs(area.y), fabs(area.z)));
        const tl_vec3 normal = tl_normalize(tl_scale(1 / size, area)); /* squares of areas of 1e-12 m² and less must not vanish */
        double above = 0;
        for (int i = 1; i < n; i++) above += tl_dot(normal, tl_sub(s->point[s->corner[begin + i]], o));
        s->plane[f].n = normal;
        s->plane[f].offset = tl_dot(normal, o) + above / n;
        for (int i = 0; i < n; i++) s->warp = fmax(s->warp, fabs(tl_dot(normal, s->point[s->corner[begin + i]]) - s->plane[f].offset));
    }
    fill_rows(s);
}

talus_status tl_shape3_take_points(tl_shape3 *s, tl_memory memory, const tl_vec3 *points, int count, double radius, tl_error *error)
{
    s->point = tl_alloc(memory, 1, (size_t)count * sizeof *s->point + 3 * (size_t)tl_fours(count) * sizeof *s->corner_rows);
    if (!s->point) return tl_fail(error, TALUS_MEMORY, "no memory for a shape");
    s->corner_rows = (double *)(void *)(s->point + count);
    memcpy(s->point, points, (size_t)count * sizeof *points);
    s->points = count;
    s->radius = radius;
    tl_shape3_planes(s);
    return TALUS_OK;
}

static talus_status round_points(tl_shape3 *s, tl_memory memory, const tl_vec3 *points, int count, double radius, tl_error *error)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(points[i].x) || !isfinite(points[i].y) || !isfinite(points[i].z))
            return tl_fail(error, TALUS_INPUT, "corner %d of a shape is not a number", i + 1);
    if (!(radius > 0)) return tl_fail(error, TALUS_INPUT, "a %s needs a positive radius", count == 1 ? "sphere" : "capsule");
    if (count == 2 && !(tl_norm(tl_sub(points[1], points[0])) > TL_HULL_GRAIN * radius)) return tl_fail(error, TALUS_INPUT, "the ends of a capsule coincide");
    return tl_shape3_take_points(s, memory, points, count, radius, error);
}

talus_status tl_shape3_hull(tl_shape3 *shape, tl_memory memory, const tl_vec3 *points, int count, double radius, tl_error *error)
{
    memset(shape, 0, sizeof *shape);
    shape->kind = count == 1 ? TL_SPHERE3 : count == 2 ? TL_CAPSULE3 : TL_POLYHEDRON3;
    if (count < 1) return tl_fail(error, TALUS_INPUT, "a shape has one corner or more, not %d", count);
    if (!(radius >= 0) || !isfinite(radius)) return tl_fail(error, TALUS_INPUT, "the radius of a shape is %g; it must not be negative", radius);
    if (count <= 2) return round_points(shape, memory, points, count, radius, error);
    if (radius > 0) return tl_fail(error, TALUS_INPUT, "a polyhedron has no rounding, but a radius of %g m is given with %d corners", radius, count);
    const talus_status status = tl_hull3_build(shape, memory, points, count, error);
    if (status == TALUS_OK) tl_shape3_planes(shape);
    else tl_shape3_free(shape, memory);
    return status;
}

static talus_status make_round(tl_shape3 *s, tl_memory memory, const tl_shape3_def *d, tl_error *error)
{
    return tl_shape3_hull(s, memory, d->point, d->count, d->radius, error);
}

static talus_status make_polyhedron(tl_shape3 *s, tl_memory memory, const tl_shape3_def *d, tl_error *error)
{
    int count = d->count;
    if (d->most > 0) TL_TRY(tl_thin3(memory, d->point, &count, d->most, error));
    return tl_shape3_hull(s, memory, d->point, count, d->radius, error);
}

static void hull_move(tl_shape3 *s, tl_vec3 offset, const tl_mat3 *R)
{
    for (int i = 0; i < s->points; i++) s->point[i] = tl_mat3_apply_t(R, tl_sub(s->point[i], offset));
    tl_shape3_planes(s);
}

/* ---- mass ---------------------------------------------------------------------------------------------------------- */

/* A sphere cut through its middle, the halves `length` apart on the ends of a cylinder. */
static tl_volume3 capsule_volume(const tl_shape3 *s)
{
    const double r = s->radius;
    const tl_vec3 along = tl_sub(s->point[s->points - 1], s->point[0]);
    const double length = tl_norm(along), ball = 4.0 / 3 * TL_PI * r * r * r, rod = TL_PI * r * r * length;
    const double across = ball * r * r / 5 + rod * r * r / 4; /* ∫ x² over a direction across */
    const double axial = ball * (r * r / 5 + length * length / 4 + 3.0 / 8 * length * r) + rod * length * length / 12;
    tl_mat3 second = {{{across, 0, 0}, {0, across, 0}, {0, 0, across}}};
    tl_add_product3(&second, axial - across, tl_normalize(along));
    return (tl_volume3){ball + rod, s->centre, tl_inertia3_of(&second)};
}

/* Tetrahedra from the centre to fans of triangles on the faces: all volumes are positive, so nothing cancels. Of one with corners
 * 0, a, b, c: ∫ r rᵀ = V/20 (a aᵀ + b bᵀ + c cᵀ + (a + b + c)(a + b + c)ᵀ). */
static tl_volume3 polyhedron_volume(const tl_shape3 *s)
{
    double volume = 0;
    tl_vec3 first = {0};
    tl_mat3 second = {0};
    for (int f = 0; f < s->faces; f++) {
        const int begin = s->face_begin[f], end = s->face_begin[f + 1];
        const tl_vec3 a = tl_sub(s->point[s->corner[begin]], s->centre);
        for (int i = begin + 1; i + 1 < end; i++) {
            const tl_vec3 b = tl_sub(s->point[s->corner[i]], s->centre), c = tl_sub(s->point[s->corner[i + 1]], s->centre);
            const tl_vec3 sum = tl_add(a, tl_add(b, c));
            const double piece = tl_dot(a, tl_cross(b, c)) / 6;
            volume += piece;
            first = tl_add(first, tl_scale(piece / 4, sum));
            const tl_vec3 all[4] = {a, b, c, sum};
            for (int k = 0; k < 4; k++) tl_add_product3(&second, piece / 20, all[k]);
        }
    }
    const tl_vec3 centroid = tl_scale(1 / volume, first);
    tl_add_product3(&second, -volume, centroid);
    return (tl_volume3){volume, tl_add(s->centre, centroid), tl_inertia3_of(&second)};
}

/* ---- extent -------------------------------------------------------------------------------------------------------- */

/* Least and greatest of row·x + p over the corners. */
TL_QUAD_CLONES static void range_along(const tl_shape3 *s, const double row[3], double p, double *least, double *greatest)
{
    const int n = tl_fours(s->points);
    const double *x = s->corner_rows, *y = x + n, *z = y + n;
    tl_quad low = row[0] * TL_QUAD(x, 0) + row[1] * TL_QUAD(y, 0) + row[2] * TL_QUAD(z, 0) + p, high = low;
    for (int k = 4; k < n; k += 4) {
        const tl_quad at = row[0] * TL_QUAD(x, k) + row[1] * TL_QUAD(y, k) + row[2] * TL_QUAD(z, k) + p;
        low = TL_QUAD_SELECT(at < low, at, low);
        high = TL_QUAD_SELECT(at > high, at, high);
    }
    *least = low[0], *greatest = high[0];
    for (int i = 1; i < 4; i++) {
        *least = low[i] < *least ? low[i] : *least;
        *greatest = high[i] > *greatest ? high[i] : *greatest;
    }
}

static tl_box3 hull_box(const tl_shape3 *s, const tl_frame *at)
{
    const tl_vec3 rim = tl_v3(s->radius, s->radius, s->radius);
    tl_box3 box;
    range_along(s, at->R.m[0], at->p.x, &box.low.x, &box.high.x);
    range_along(s, at->R.m[1], at->p.y, &box.low.y, &box.high.y);
    range_along(s, at->R.m[2], at->p.z, &box.low.z, &box.high.z);
    return (tl_box3){tl_sub(box.low, rim), tl_add(box.high, rim)};
}

/* The corner, the lowest number of several. */
static tl_vec3 hull_support(const tl_shape3 *s, tl_vec3 n)
{
    int best = 0;
    double most = tl_dot(n, s->point[0]);
    for (int i = 1; i < s->points; i++) {
        const double along = tl_dot(n, s->point[i]);
        if (along > most) most = along, best = i;
    }
    return s->point[best];
}

static void sphere_patch(const tl_shape3 *s, tl_vec3 n, tl_patch3 *out)
{
    (void)n;
    tl_patch3_point(out, s->point[0], 0);
}

static void capsule_patch(const tl_shape3 *s, tl_vec3 n, tl_patch3 *out)
{
    const tl_vec3 d = tl_sub(s->point[1], s->point[0]);
    const int end = tl_dot(n, d) > 0;
    if (fabs(tl_dot(n, d)) <= TL_FLAT3 * tl_norm(d)) tl_patch3_line(out, s->point[0], s->point[1], 0);
    else tl_patch3_point(out, s->point[end], (uint32_t)end);
}

/* A face at the outermost corner that lies along the direction, else an edge there, else the corner. */
static void polyhedron_patch(const tl_shape3 *s, tl_vec3 n, tl_patch3 *out)
{
    int face = -1, edge = -1, corner = 0;
    double most = sqrt(1 - TL_FLAT3 * TL_FLAT3), least = TL_FLAT3;
    for (int i = 1; i < s->points; i++)
        if (tl_dot(n, s->point[i]) > tl_dot(n, s->point[corner])) corner = i;
    for (int k = s->around[corner]; k < s->around[corner + 1]; k++) {
        const double along = tl_dot(n, s->plane[s->face_at[k]].n);
        const tl_edge3 *e = &s->edge[s->edge_at[k]];
        const tl_vec3 d = tl_sub(s->point[e->to], s->point[e->from]);
        const double rise = fabs(tl_dot(n, d)) / tl_norm(d);
        if (along > most) most = along, face = s->face_at[k];
        if (rise < least) least = rise, edge = s->edge_at[k];
    }
    tl_patch3_point(out, s->point[corner], (uint32_t)corner);
    if (face >= 0) {
        out->kind = TL_PATCH_RING, out->count = 0, out->normal = s->plane[face].n;
        for (int k = s->face_begin[face]; k < s->face_begin[face + 1]; k++) {
            out->number[out->count] = s->corner[k];
            out->point[out->count++] = s->point[s->corner[k]];
        }
        out->centre = out->point[0];
    } else if (edge >= 0) {
        tl_patch3_line(out, s->point[s->edge[edge].from], s->point[s->edge[edge].to], s->edge[edge].from);
        out->number[1] = s->edge[edge].to;
    }
}

static int polyhedron_flats(const tl_shape3 *s, tl_vec3 normal[TL_FLATS3])
{
    for (int f = 0; f < s->faces; f++) normal[f] = s->plane[f].n;
    return s->faces;
}

static double round_half_width(const tl_shape3 *s) { return s->radius; }

static double polyhedron_half_width(const tl_shape3 *s)
{
    double least = (double)INFINITY;
    for (int i = 0; i < s->faces; i++) {
        double width = 0;
        for (int k = 0; k < s->points; k++) width = fmax(width, s->plane[i].offset - tl_dot(s->plane[i].n, s->point[k]));
        least = fmin(least, width);
    }
    return 0.5 * least + s->radius;
}

/* ---- distance ------------------------------------------------------------------------------------------------------ */

static double round_distance(const tl_shape3 *s, tl_vec3 x, double within)
{
    (void)within;
    return tl_norm(tl_sub(x, tl_on_side3(s->point[0], s->point[s->points - 1], x))) - s->radius;
}

/* Inside, the nearest face; outside, the nearest of what the faces that see the point have to offer. */
static double polyhedron_distance(const tl_shape3 *s, tl_vec3 x, double within)
{
    double deepest = -(double)INFINITY, square = (double)INFINITY;
    for (int f = 0; f < s->faces; f++) deepest = tl_larger(deepest, tl_dot(s->plane[f].n, x) - s->plane[f].offset);
    if (deepest <= 0 || deepest >= within) return deepest;
    for (int f = 0; f < s->faces; f++) {
        const double above = tl_dot(s->plane[f].n, x) - s->plane[f].offset;
        if (above <= 0) continue;
        bool over = true;
        for (int k = s->face_begin[f]; k < s->face_begin[f + 1]; k++) {
            const tl_vec3 a = s->point[s->corner[k]], b = s->point[s->corner[k + 1 < s->face_begin[f + 1] ? k + 1 : s->face_begin[f]]];
            if (tl_dot(tl_cross(s->plane[f].n, tl_sub(b, a)), tl_sub(x, a)) >= 0) continue;
            const tl_vec3 d = tl_sub(x, tl_on_side3(a, b, x));
            square = tl_smaller(square, tl_dot(d, d));
            over = false;
        }
        if (over) square = tl_smaller(square, above * above);
    }
    return sqrt(square);
}

/* ---- reading ------------------------------------------------------------------------------------------------------- */

static void hull_describe(const tl_shape3 *s, tl_shape3_def *out) { out->count = s->points, out->radius = s->radius; }
static tl_vec3 hull_corner(const tl_shape3 *s, int i) { return s->point[i]; }

static int hull_faces(const tl_shape3 *s, int32_t *size, int32_t *corner, int *corner_count)
{
    *corner_count = s->faces > 0 ? s->face_begin[s->faces] : 0;
    for (int f = 0; size && f < s->faces; f++) size[f] = s->face_begin[f + 1] - s->face_begin[f];
    for (int k = 0; corner && k < *corner_count; k++) corner[k] = s->corner[k];
    return s->faces;
}

const tl_shape3_ops tl_sphere3 = {
    .name = "sphere",
    .patch = sphere_patch,
    .points = 1,
    .convex = true,
    .make = make_round,
    .volume = capsule_volume,
    .half_width = round_half_width,
    .distance = round_distance,
    .move = hull_move,
    .box = hull_box,
    .support = hull_support,
    .describe = hull_describe,
    .corner = hull_corner,
    .faces = hull_faces,
};

const tl_shape3_ops tl_capsule3 = {
    .name = "capsule",
    .patch = capsule_patch,
    .points = 2,
    .convex = true,
    .make = make_round,
    .volume = capsule_volume,
    .half_width = round_half_width,
    .distance = round_distance,
    .move = hull_move,
    .box = hull_box,
    .support = hull_support,
    .describe = hull_describe,
    .corner = hull_corner,
    .faces = hull_faces,
};

const tl_shape3_ops tl_polyhedron3 = {
    .name = "polyhedron",
    .patch = polyhedron_patch,
    .flats = polyhedron_flats,
    .convex = true,
    .make = make_polyhedron,
    .volume = polyhedron_volume,
    .half_width = polyhedron_half_width,
    .distance = polyhedron_distance,
    .move = hull_move,
    .box = hull_box,
    .support = hull_support,
    .describe = hull_describe,
    .corner = hull_corner,
    .faces = hull_faces,
};
