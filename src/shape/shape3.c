/* Spatial shapes: making and moving them, mass properties, bounding boxes. Hulls are in hull3.c. */
#include "shape/shape3.h"

#include <string.h>

#include "shape/hull3.h"

static void fill_rows(tl_shape3 *s)
{
    const int points = tl_fours(s->points), faces = tl_fours(s->faces);
    for (int i = 0; i < points; i++) {
        const tl_vec3 p = s->point[i < s->points ? i : s->points - 1];
        double *row = s->corner_rows + i;
        row[0] = p.x, row[points] = p.y, row[2 * points] = p.z;
    }
    for (int i = 0; i < faces; i++) {
        const int f = i < s->faces ? i : s->faces - 1;
        double *row = s->plane_rows + i;
        row[0] = s->plane[f].n.x, row[faces] = s->plane[f].n.y, row[2 * faces] = s->plane[f].n.z, row[3 * faces] = s->plane[f].offset;
    }
}

/* Normals by Newell's sum over the whole polygon, so that no three corners decide; offsets as the mean over its corners. */
void tl_shape3_planes(tl_shape3 *s)
{
    tl_vec3 sum = {0};
    s->reach = s->warp = 0;
    for (int i = 0; i < s->points; i++) {
        sum = tl_add(sum, tl_sub(s->point[i], s->point[0]));                             /* differences: far from the origin the mean keeps its digits */
        const tl_vec3 arm = s->rim > 0 ? tl_cross(s->normal, s->point[i]) : s->point[i]; /* as long as the point's distance from the line along the axis */
        const double aside = tl_norm(arm) + s->rim, along = s->rim > 0 ? tl_dot(s->normal, s->point[i]) : 0;
        s->reach = fmax(s->reach, s->rim > 0 ? hypot(aside, along) : aside);
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

static talus_status take_points(tl_shape3 *s, tl_memory memory, const tl_vec3 *points, int count, double radius, tl_error *error)
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
    return take_points(s, memory, points, count, radius, error);
}

talus_status tl_shape3_hull(tl_shape3 *shape, tl_memory memory, const tl_vec3 *points, int count, double radius, tl_error *error)
{
    memset(shape, 0, sizeof *shape);
    shape->kind = TL_HULL3;
    if (count < 1) return tl_fail(error, TALUS_INPUT, "a shape has one corner or more, not %d", count);
    if (!(radius >= 0) || !isfinite(radius)) return tl_fail(error, TALUS_INPUT, "the radius of a shape is %g; it must not be negative", radius);
    if (count <= 2) return round_points(shape, memory, points, count, radius, error);
    if (radius > 0) return tl_fail(error, TALUS_INPUT, "a polyhedron has no rounding, but a radius of %g m is given with %d corners", radius, count);
    const talus_status status = tl_hull3_build(shape, memory, points, count, error);
    if (status == TALUS_OK) tl_shape3_planes(shape);
    else tl_shape3_free(shape, memory);
    return status;
}

talus_status tl_shape3_cylinder(tl_shape3 *shape, tl_memory memory, const tl_vec3 end[2], double radius, double rounding, tl_error *error)
{
    const tl_vec3 along = tl_sub(end[1], end[0]);
    const double length = tl_norm(along), grain = TL_HULL_GRAIN * (radius + length);
    memset(shape, 0, sizeof *shape);
    shape->kind = TL_HULL3;
    if (!isfinite(tl_norm(end[0]) + tl_norm(end[1]))) return tl_fail(error, TALUS_INPUT, "an end of a cylinder is not a number");
    if (!(radius > 0) || !isfinite(radius)) return tl_fail(error, TALUS_INPUT, "a cylinder needs a positive radius, not %g m", radius);
    if (!(length > grain)) return tl_fail(error, TALUS_INPUT, "the ends of a cylinder coincide");
    if (!(rounding > 0)) return tl_fail(error, TALUS_INPUT, "a round cylinder needs a positive rounding, not %g m", rounding);
    if (rounding > radius + grain || rounding > 0.5 * length + grain)
        return tl_fail(error, TALUS_INPUT, "the rounding of a cylinder is %g m; it cannot be more than its radius, %g m, or half its length, %g m", rounding,
                       radius, 0.5 * length);
    const tl_vec3 axis = tl_scale(1 / length, along), middle = tl_scale(0.5, tl_add(end[0], end[1]));
    const double rim = radius - rounding, half = 0.5 * length - rounding;
    const bool flat = half <= grain;
    const tl_vec3 points[2] = {flat ? middle : tl_sub(middle, tl_scale(half, axis)), flat ? middle : tl_add(middle, tl_scale(half, axis))};
    if (rim > grain) shape->rim = rim, shape->normal = axis;
    return take_points(shape, memory, points, rim > grain || !flat ? 2 : 1, rounding, error);
}

talus_status tl_shape3_half_space(tl_shape3 *shape, tl_vec3 point, tl_vec3 normal, tl_error *error)
{
    memset(shape, 0, sizeof *shape);
    const double length = tl_norm(normal);
    if (!(length > 0) || !isfinite(length) || !isfinite(point.x) || !isfinite(point.y) || !isfinite(point.z))
        return tl_fail(error, TALUS_INPUT, "a half-space needs a point and a normal that is not zero");
    shape->kind = TL_HALF_SPACE3;
    shape->centre = point;
    shape->normal = tl_scale(1 / length, normal);
    shape->reach = (double)INFINITY;
    return TALUS_OK;
}

talus_status tl_shape3_mesh(tl_shape3 *shape, tl_memory memory, const tl_vec3 *points, int count, const int32_t (*triangles)[3], int triangle_count,
                            tl_error *error)
{
    tl_error why = {0};
    memset(shape, 0, sizeof *shape);
    shape->kind = TL_MESH3;
    shape->mesh = tl_mesh3_create(memory, points, count, triangles, triangle_count, &why);
    if (!shape->mesh) return tl_fail(error, why.status, "%s", why.text);
    const tl_mesh3 *m = shape->mesh;
    shape->centre = tl_scale(0.5, tl_add(m->node[0].low, m->node[0].high));
    for (int i = 0; i < m->vertices; i++)
        if (m->owner[i] >= 0) shape->reach = fmax(shape->reach, tl_norm(m->vertex[i]));
    return TALUS_OK;
}

void tl_shape3_free(tl_shape3 *shape, tl_memory memory)
{
    tl_mesh3_destroy(shape->mesh, memory);
    tl_free(memory, shape->point); /* the block of all arrays */
    memset(shape, 0, sizeof *shape);
}

void tl_shape3_move(tl_shape3 *shape, tl_vec3 offset, const tl_mat3 *R)
{
    if (shape->kind == TL_HALF_SPACE3) {
        shape->centre = tl_mat3_apply_t(R, tl_sub(shape->centre, offset));
        shape->normal = tl_normalize(tl_mat3_apply_t(R, shape->normal));
        return;
    }
    if (shape->kind == TL_MESH3) return;
    for (int i = 0; i < shape->points; i++) shape->point[i] = tl_mat3_apply_t(R, tl_sub(shape->point[i], offset));
    if (shape->rim > 0) shape->normal = tl_normalize(tl_mat3_apply_t(R, shape->normal));
    tl_shape3_planes(shape);
}

/* ---- mass ---------------------------------------------------------------------------------------------------------- */

static void add_product(tl_mat3 *sum, double weight, tl_vec3 v) /* += weight v vᵀ */
{
    const double x[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum->m[i][j] += weight * x[i] * x[j];
}

/* ∫ (r·r 1 − r rᵀ) from ∫ r rᵀ. */
static tl_mat3 inertia_of(const tl_mat3 *second)
{
    const double trace = second->m[0][0] + second->m[1][1] + second->m[2][2];
    tl_mat3 inertia;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) inertia.m[i][j] = (i == j ? trace : 0) - second->m[i][j];
    return inertia;
}

/* A sphere cut through its middle, the halves `length` apart on the ends of a cylinder. */
static tl_volume3 capsule_volume(const tl_shape3 *s)
{
    const double r = s->radius;
    const tl_vec3 along = tl_sub(s->point[s->points - 1], s->point[0]);
    const double length = tl_norm(along), ball = 4.0 / 3 * TL_PI * r * r * r, rod = TL_PI * r * r * length;
    const double across = ball * r * r / 5 + rod * r * r / 4; /* ∫ x² over a direction across */
    const double axial = ball * (r * r / 5 + length * length / 4 + 3.0 / 8 * length * r) + rod * length * length / 12;
    tl_mat3 second = {{{across, 0, 0}, {0, across, 0}, {0, 0, across}}};
    add_product(&second, axial - across, tl_normalize(along));
    return (tl_volume3){ball + rod, s->centre, inertia_of(&second)};
}

/* Slices across the axis are disks: of R + r between the circles, of ρ = R + s, s = √(r² − u²), at u beyond them, with ∫ s^k u^l du from 0 to r in closed form.
 * Of a slice, ∫ x² = π ρ⁴/4 over a direction across. */
static tl_volume3 cylinder_volume(const tl_shape3 *cylinder)
{
    const double R = cylinder->rim, r = cylinder->radius, H = 0.5 * tl_norm(tl_sub(cylinder->point[1], cylinder->point[0])), full = R + r;
    const double s1 = TL_PI * r * r / 4, s2 = 2 * r * r * r / 3, s3 = 3 * TL_PI * r * r * r * r / 16, s4 = 8 * r * r * r * r * r / 15;
    const double u1 = r * r / 2, u2 = r * r * r / 3, su = r * r * r / 3, suu = TL_PI * r * r * r * r / 16, ssu = r * r * r * r / 4,
                 ssuu = 2 * r * r * r * r * r / 15;
    const double square = R * R * r + 2 * R * s1 + s2;                                               /* ∫ ρ² du */
    const double fourth = R * R * R * R * r + 4 * R * R * R * s1 + 6 * R * R * s2 + 4 * R * s3 + s4; /* ∫ ρ⁴ du */
    const double first = R * R * u1 + 2 * R * su + ssu, second = R * R * u2 + 2 * R * suu + ssuu;    /* ∫ ρ² u du, ∫ ρ² u² du */
    const double across = TL_PI / 4 * (2 * H * full * full * full * full + 2 * fourth);
    const double axial = TL_PI * (2 * H * H * H / 3 * full * full + 2 * (H * H * square + 2 * H * first + second));
    tl_mat3 moments = {{{across, 0, 0}, {0, across, 0}, {0, 0, across}}};
    add_product(&moments, axial - across, cylinder->normal);
    return (tl_volume3){TL_PI * (2 * H * full * full + 2 * square), cylinder->centre, inertia_of(&moments)};
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
            for (int k = 0; k < 4; k++) add_product(&second, piece / 20, all[k]);
        }
    }
    const tl_vec3 centroid = tl_scale(1 / volume, first);
    add_product(&second, -volume, centroid);
    return (tl_volume3){volume, tl_add(s->centre, centroid), inertia_of(&second)};
}

tl_volume3 tl_shape3_volume(const tl_shape3 *shape)
{
    if (shape->kind != TL_HULL3) return (tl_volume3){0};
    if (shape->rim > 0) return cylinder_volume(shape);
    return shape->faces ? polyhedron_volume(shape) : capsule_volume(shape);
}

/* ---- extent -------------------------------------------------------------------------------------------------------- */

/* A half-space whose normal is exactly an axis ends on that axis; any other reaches everywhere. */
static tl_box3 half_space_box(const tl_shape3 *s, const tl_frame *at)
{
    const double big = (double)INFINITY;
    const tl_vec3 n = tl_mat3_apply(&at->R, s->normal), p = tl_add(tl_mat3_apply(&at->R, s->centre), at->p);
    tl_box3 box = {tl_v3(-big, -big, -big), tl_v3(big, big, big)};
    if (n.y == 0 && n.z == 0) *(n.x > 0 ? &box.high.x : &box.low.x) = p.x;
    if (n.x == 0 && n.z == 0) *(n.y > 0 ? &box.high.y : &box.low.y) = p.y;
    if (n.x == 0 && n.y == 0) *(n.z > 0 ? &box.high.z : &box.low.z) = p.z;
    return box;
}

/* The box of the turned box: its middle, and half its sides along the axes. */
static tl_box3 mesh_box(const tl_mesh3 *m, const tl_frame *at)
{
    const tl_vec3 middle = tl_scale(0.5, tl_add(m->node[0].low, m->node[0].high)), half = tl_scale(0.5, tl_sub(m->node[0].high, m->node[0].low));
    const tl_vec3 p = tl_add(tl_mat3_apply(&at->R, middle), at->p);
    double rim[3];
    for (int i = 0; i < 3; i++) rim[i] = fabs(at->R.m[i][0]) * half.x + fabs(at->R.m[i][1]) * half.y + fabs(at->R.m[i][2]) * half.z;
    return (tl_box3){tl_sub(p, tl_load3(rim)), tl_add(p, tl_load3(rim))};
}

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

tl_box3 tl_shape3_box(const tl_shape3 *shape, const tl_frame *at)
{
    if (shape->kind == TL_HALF_SPACE3) return half_space_box(shape, at);
    if (shape->kind == TL_MESH3) return mesh_box(shape->mesh, at);
    tl_box3 box;
    range_along(shape, at->R.m[0], at->p.x, &box.low.x, &box.high.x);
    range_along(shape, at->R.m[1], at->p.y, &box.low.y, &box.high.y);
    range_along(shape, at->R.m[2], at->p.z, &box.low.z, &box.high.z);
    tl_vec3 rim = tl_v3(shape->radius, shape->radius, shape->radius);
    if (shape->rim > 0) { /* a circle reaches R √(1 − n²) along an axis to which its normal has the component n */
        const tl_vec3 n = tl_mat3_apply(&at->R, shape->normal);
        rim = tl_add(rim, tl_scale(shape->rim, tl_v3(sqrt(tl_larger(0, 1 - n.x * n.x)), sqrt(tl_larger(0, 1 - n.y * n.y)), sqrt(tl_larger(0, 1 - n.z * n.z)))));
    }
    return (tl_box3){tl_sub(box.low, rim), tl_add(box.high, rim)};
}

int tl_shape3_support(const tl_shape3 *shape, tl_vec3 direction)
{
    int best = 0;
    double most = shape->points ? tl_dot(direction, shape->point[0]) : 0;
    for (int i = 1; i < shape->points; i++) {
        const double along = tl_dot(direction, shape->point[i]);
        if (along > most) most = along, best = i;
    }
    return best;
}

double tl_shape3_half_width(const tl_shape3 *shape)
{
    if (shape->kind != TL_HULL3) return shape->kind == TL_HALF_SPACE3 ? (double)INFINITY : 0;
    if (shape->rim > 0) return tl_smaller(shape->rim, 0.5 * tl_norm(tl_sub(shape->point[1], shape->point[0]))) + shape->radius;
    double least = shape->faces > 0 ? (double)INFINITY : 0;
    for (int i = 0; i < shape->faces; i++) {
        double width = 0;
        for (int k = 0; k < shape->points; k++) width = fmax(width, shape->plane[i].offset - tl_dot(shape->plane[i].n, shape->point[k]));
        least = fmin(least, width);
    }
    return 0.5 * least + shape->radius;
}
