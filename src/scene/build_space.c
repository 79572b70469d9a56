/* Bodies and shapes of spatial scenes. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "scene/solids.h"
#include "scene/triangles.h"

/* Numbers of a list; false, with a mistake, when there are not `count`. */
static bool numbers(tl_builder *b, const tl_node *node, int count, const char *what, double *out)
{
    if (node->kind != NODE_LIST || node->count != count) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, node, "expected %d numbers: %s", count, what);
        return false;
    }
    for (int i = 0; i < count; i++) out[i] = tl_quantity(b->r, node->item[i], "", 0, false);
    return true;
}

static tl_quat about(double x, double y, double z, double degrees) { return tl_quat_exp(tl_scale(degrees * TL_PI / 180, tl_normalize(tl_v3(x, y, z)))); }

talus_status tl_build_orientation(tl_builder *b, const tl_node *node, double q[4])
{
    if (!node) return TALUS_OK;
    const tl_node *quat = tl_node_get(node, "quat_wxyz"), *rpy = tl_node_get(node, "rpy_deg"), *axis = tl_node_get(node, "axis_angle_deg");
    double v[4];
    tl_quat turn = {1, 0, 0, 0};
    if ((quat != NULL) + (rpy != NULL) + (axis != NULL) != 1) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "an orientation is one of quat_wxyz, rpy_deg, axis_angle_deg");
        return TALUS_INPUT;
    }
    if (quat) {
        if (!numbers(b, quat, 4, "w, x, y, z", v)) return TALUS_INPUT;
        turn = (tl_quat){v[0], v[1], v[2], v[3]};
        if (!(turn.w * turn.w + turn.x * turn.x + turn.y * turn.y + turn.z * turn.z > 0)) {
            tl_mistake(&b->scene->mistakes, TALUS_INPUT, quat, "a quaternion must not be zero");
            return TALUS_INPUT;
        }
        turn = tl_quat_normalize(turn);
    } else if (rpy) {
        if (!numbers(b, rpy, 3, "roll, pitch, yaw in degrees", v)) return TALUS_INPUT;
        turn = tl_quat_mul(about(0, 0, 1, v[2]), tl_quat_mul(about(0, 1, 0, v[1]), about(1, 0, 0, v[0])));
    } else {
        if (!numbers(b, axis, 4, "axis x, y, z and angle in degrees", v)) return TALUS_INPUT;
        turn = about(v[0], v[1], v[2], v[3]);
    }
    q[0] = turn.w, q[1] = turn.x, q[2] = turn.y, q[3] = turn.z;
    return TALUS_OK;
}

/* Rows of a matrix, which is symmetric. */
static talus_status read_rows(tl_builder *b, const tl_node *node, double tensor[6])
{
    static const int ROW[6] = {0, 1, 2, 0, 0, 1}, COLUMN[6] = {0, 1, 2, 1, 2, 2};
    double m[3][3];
    bool whole = node->count == 3;
    for (int i = 0; i < 3 && whole; i++) {
        const tl_node *row = node->item[i];
        whole = row->kind == NODE_LIST && row->count == 3;
        for (int j = 0; j < 3 && whole; j++) m[i][j] = tl_quantity(b->r, row->item[j], "kg m^2", 0, false);
    }
    if (!whole) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, node, "a tensor has three rows of three numbers: [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]");
        return TALUS_INPUT;
    }
    for (int k = 0; k < 6; k++) {
        const int i = ROW[k], j = COLUMN[k];
        tensor[k] = 0.5 * (m[i][j] + m[j][i]);
        if (fabs(m[i][j] - m[j][i]) <= 1e-9 * (fabs(m[i][i]) + fabs(m[j][j]))) continue;
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, node->item[j]->item[i],
                   "a tensor of inertia is symmetric, but row %d has %g kg m² in column %d, and row %d has %g kg m² in column %d", i + 1, m[i][j], j + 1, j + 1,
                   m[j][i], i + 1);
        return TALUS_INPUT;
    }
    return TALUS_OK;
}

/* A body's moments are not negative, and none is larger than the sum of the two others. */
static talus_status check_moments(tl_builder *b, const tl_node *node, const double t[6])
{
    const tl_mat3 S = {{{t[0], t[3], t[4]}, {t[3], t[1], t[5]}, {t[4], t[5], t[2]}}};
    const double trace = t[0] + t[1] + t[2];
    tl_vec3 J;
    tl_mat3 axes;
    if (talus_world_dimension(b->world) == 2) return TALUS_OK;
    tl_mat3_eigen(&S, &J, &axes);
    if (fmin(J.x, fmin(J.y, J.z)) >= -1e-9 * trace && fmax(J.x, fmax(J.y, J.z)) <= 0.5 * trace * (1 + 1e-9)) return TALUS_OK;
    tl_mistake(&b->scene->mistakes, TALUS_INPUT, node,
               "no body has the principal moments of inertia %g, %g, %g kg m²: none is negative, or larger than the sum of the two others", J.x, J.y, J.z);
    return TALUS_INPUT;
}

talus_status tl_build_inertia(tl_builder *b, const tl_node *node, double tensor[6])
{
    if (!node) return TALUS_OK;
    const int count = node->kind == NODE_LIST ? node->count : 0;
    if (node->kind == NODE_SCALAR) tensor[0] = tensor[1] = tensor[2] = tl_quantity(b->r, node, "kg m^2", 0, false);
    else if (count > 0 && node->item[0]->kind == NODE_LIST) TL_TRY(read_rows(b, node, tensor));
    else if (count != 3 && count != 6) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, node,
                   "an inertia is one number, or xx, yy, zz, or xx, yy, zz, xy, xz, yz, or three rows of three; not %d numbers", count);
        return TALUS_INPUT;
    } else
        for (int k = 0; k < count; k++) tensor[k] = tl_quantity(b->r, node->item[k], "kg m^2", 0, false);
    return check_moments(b, node, tensor);
}

talus_status tl_build_body_space(tl_builder *b, const tl_node *node, talus_body_def *d)
{
    const tl_node *motion = tl_node_get(node, "motion");
    TL_TRY(tl_build_orientation(b, tl_node_get(node, "orientation"), d->quaternion));
    tl_vector(b, tl_node_get(node, "spin"), "rad/s", d->spin);
    TL_TRY(tl_build_inertia(b, tl_node_get(node, "inertia_tensor"), d->inertia_space));
    d->motion[2] = tl_build_staged(b, &(tl_stageable){tl_node_get(motion, "z"), "bodies", node->key, "z", "m", true});
    d->turn = tl_build_staged(b, &(tl_stageable){tl_node_get(motion, "turn"), "bodies", node->key, "turn", "rad", true});
    tl_vector(b, tl_node_get(motion, "axis"), "", d->turn_axis);
    return TALUS_OK;
}

/* ---- shapes --------------------------------------------------------------------------------------------------------- */

static void cuboid(tl_builder *b, const tl_node *node, const double q[4], double (*corner)[3])
{
    double size[3] = {0}, centre[3] = {0};
    tl_vector(b, tl_node_get(node, "size"), "m", size);
    tl_vector(b, tl_node_get(node, "centre"), "m", centre);
    const tl_mat3 R = tl_mat3_from_quat((tl_quat){q[0], q[1], q[2], q[3]});
    for (int i = 0; i < 8; i++) {
        const tl_vec3 x = {(i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1], (i & 4 ? 0.5 : -0.5) * size[2]};
        tl_store3(corner[i], tl_add(tl_load3(centre), tl_mat3_apply(&R, x)));
    }
}

/* Its centre and the tips of its half axes. */
static talus_status ellipsoid(tl_builder *b, const tl_node *node, double (*corner)[3])
{
    double q[4] = {1, 0, 0, 0}, radii[3] = {0};
    TL_TRY(tl_build_orientation(b, tl_node_get(node, "orientation"), q));
    tl_vector(b, tl_node_get(node, "centre"), "m", corner[0]);
    tl_vector(b, tl_node_get(node, "radii"), "m", radii);
    const tl_mat3 R = tl_mat3_from_quat((tl_quat){q[0], q[1], q[2], q[3]});
    for (int k = 0; k < 3; k++) {
        const tl_vec3 tip = {k == 0 ? radii[0] : 0, k == 1 ? radii[1] : 0, k == 2 ? radii[2] : 0};
        tl_store3(corner[1 + k], tl_add(tl_load3(corner[0]), tl_mat3_apply(&R, tip)));
    }
    return TALUS_OK;
}

/* Centres of its ends, then a point on the rim of each. */
static void frustum(tl_builder *b, const tl_node *node, double (*corner)[3])
{
    const double radius[2] = {tl_quantity(b->r, tl_node_get(node, "radius"), "m", 0, false), tl_quantity(b->r, tl_node_get(node, "radius_to"), "m", 0, false)};
    tl_vec3 t, s;
    tl_vector(b, tl_node_get(node, "from"), "m", corner[0]);
    tl_vector(b, tl_node_get(node, "to"), "m", corner[1]);
    tl_tangents(tl_normalize(tl_sub(tl_load3(corner[1]), tl_load3(corner[0]))), &t, &s);
    for (int end = 0; end < 2; end++) tl_store3(corner[2 + end], tl_add(tl_load3(corner[end]), tl_scale(radius[end], t)));
}

/* A prism of the cylinder's volume and length. */
static void prism(const double from[3], const double to[3], double radius, int sides, double (*corner)[3])
{
    tl_vec3 t, s;
    const tl_vec3 a = tl_load3(from), c = tl_load3(to), n = tl_normalize(tl_sub(c, a));
    const double angle = 2 * TL_PI / sides, rim = radius * sqrt(angle / sin(angle));
    tl_tangents(n, &t, &s);
    for (int i = 0; i < sides; i++) {
        const tl_vec3 arm = tl_add(tl_scale(rim * cos(i * angle), t), tl_scale(rim * sin(i * angle), s));
        tl_store3(corner[i], tl_add(a, arm));
        tl_store3(corner[sides + i], tl_add(c, arm));
    }
}

static talus_status add_shape(tl_builder *b, const tl_node *node, const tl_owner *owner, double (*corner)[3])
{
    talus_shape_def d = talus_shape_def_default();
    double q[4] = {1, 0, 0, 0};
    d.radius = tl_quantity(b->r, tl_node_get(node, "radius"), "m", 0, false);
    d.kind = TALUS_SHAPE_POLYHEDRON;
    d.count = 2;
    if (strcmp(node->key, "sphere") == 0) {
        d.kind = TALUS_SHAPE_SPHERE;
        d.count = 1;
        tl_vector(b, tl_node_get(node, "centre"), "m", corner[0]);
    } else if (strcmp(node->key, "half_space") == 0) {
        d.kind = TALUS_SHAPE_HALF_SPACE;
        tl_vector(b, tl_node_get(node, "point"), "m", corner[0]);
        tl_vector(b, tl_node_get(node, "normal"), "", corner[1]);
    } else if (strcmp(node->key, "box") == 0) {
        TL_TRY(tl_build_orientation(b, tl_node_get(node, "orientation"), q));
        cuboid(b, node, q, corner);
        d.count = 8;
    } else if (strcmp(node->key, "ellipsoid") == 0) {
        TL_TRY(ellipsoid(b, node, corner));
        d.kind = TALUS_SHAPE_ELLIPSOID, d.count = 4;
    } else if (strcmp(node->key, "frustum") == 0) {
        frustum(b, node, corner);
        d.kind = TALUS_SHAPE_FRUSTUM, d.count = 4, d.radius = 0;
    } else if (strcmp(node->key, "polyhedron") == 0) {
        const tl_node *points = tl_node_get(node, "points");
        if (!points || tl_node_get(node, "file")) {
            tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "a polyhedron has either points, [[x, y, z], …], or a file");
            return TALUS_INPUT;
        }
        d.count = points->count;
        d.most_corners = (int)tl_quantity(b->r, tl_node_get(node, "vertices"), "", 0, false);
        for (int i = 0; i < d.count; i++) tl_vector(b, points->item[i], "m", corner[i]);
    } else { /* capsule, cylinder */
        double from[3] = {0}, to[3] = {0};
        const int sides = (int)tl_quantity(b->r, tl_node_get(node, "sides"), "", 24, false);
        tl_vector(b, tl_node_get(node, "from"), "m", from);
        tl_vector(b, tl_node_get(node, "to"), "m", to);
        if (strcmp(node->key, "capsule") == 0) {
            d.kind = TALUS_SHAPE_CAPSULE;
            memcpy(corner[0], from, sizeof from);
            memcpy(corner[1], to, sizeof to);
        } else if (!tl_node_get(node, "sides") || tl_node_get(node, "rounding")) {
            if (tl_node_get(node, "sides")) {
                tl_mistake(&b->scene->mistakes, TALUS_INPUT, tl_node_get(node, "sides"), "a cylinder with a rounding is round; 'sides' is for prisms");
                return TALUS_INPUT;
            }
            d.kind = TALUS_SHAPE_CYLINDER;
            d.rounding = tl_quantity(b->r, tl_node_get(node, "rounding"), "m", 0, false);
            memcpy(corner[0], from, sizeof from);
            memcpy(corner[1], to, sizeof to);
        } else {
            prism(from, to, d.radius, sides, corner);
            d.count = 2 * sides;
            d.radius = 0;
        }
    }
    return tl_add_part(b, owner, node, &d, corner, d.count);
}

/* Beside the scene that names it. */
static void path_of(const tl_node *file, char path[4096])
{
    const char *slash = strrchr(file->file, '/');
    snprintf(path, 4096, "%.*s%s", slash && file->text[0] != '/' ? (int)(slash - file->file) + 1 : 0, file->file, file->text);
}

__attribute__((format(printf, 3, 4))) static void warn(tl_builder *b, const tl_node *node, const char *format, ...)
{
    char line[4096];
    va_list arguments;
    const int n = snprintf(line, sizeof line, "%.1000s:%d:%d: warning: '%.500s' ", node->file, node->line, node->column, node->text);
    va_start(arguments, format);
    vsnprintf(line + n, sizeof line - (size_t)n, format, arguments);
    va_end(arguments);
    talus_world_warn(b->world, line);
}

/* A surface that is torn, or faces the wrong way, lets through what it should hold. What is certain is mended. */
static bool check_surface(tl_builder *b, const tl_node *node, tl_triangles *surface)
{
    const tl_node *file = tl_node_get(node, "file"), *facing = tl_node_get(node, "facing");
    const char *wanted = tl_word(node, "facing", "file");
    tl_orientation o;
    if (tl_triangles_orient(surface, &o) != TALUS_OK) return true; /* the mesh itself will not find the memory either */
    const bool closed = o.borders == 0 && o.crowded == 0 && o.oriented;
    if (o.turned) warn(b, file, "has %d of %d triangles that faced another way than their neighbours; they are turned", o.turned, surface->triangles);
    if (!o.oriented) warn(b, file, "has no inside and outside: neighbours that face opposite sides cannot be turned so that all agree");
    if (o.crowded) warn(b, file, "has %d edges where more than two triangles meet; what is inside is not certain there", o.crowded);
    if (o.borders && !o.terrain)
        warn(b, file, "is open: %d edges have one triangle only, the first at [%.4g, %.4g, %.4g] m; grains pass through holes and around borders", o.borders,
             o.border[0], o.border[1], o.border[2]);
    if (strcmp(wanted, "file") == 0) {
        if (closed && o.volume < 0)
            warn(b, file, "is closed and faces inwards: it holds what is in it, and what comes from outside goes through; a tool needs 'facing: outward'");
        return true;
    }
    if (!closed) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, facing, "'facing' is for closed surfaces; this one has no outside");
        return false;
    }
    if ((o.volume < 0) == (strcmp(wanted, "outward") == 0)) tl_triangles_turn(surface);
    return true;
}

/* A mesh, or a polyhedron from a file: so many corners of its points' hull as are asked for, or as a hull may have. */
static talus_status add_from_file(tl_builder *b, const tl_node *node, const tl_owner *owner)
{
    const tl_node *file = tl_node_get(node, "file");
    talus_shape_def d = talus_shape_def_default();
    tl_triangles surface;
    tl_error error = {0};
    char path[4096];
    path_of(file, path);
    const talus_status status = tl_triangles_read(&surface, path, tl_quantity(b->r, tl_node_get(node, "scale"), "m", 1, false), &error);
    if (status != TALUS_OK) {
        tl_mistake(&b->scene->mistakes, status, file, "%s", error.text);
        return status;
    }
    const bool mesh = strcmp(node->key, "mesh") == 0;
    if (mesh && !check_surface(b, node, &surface)) {
        tl_triangles_free(&surface);
        return TALUS_INPUT;
    }
    d.kind = mesh ? TALUS_SHAPE_MESH : TALUS_SHAPE_POLYHEDRON;
    d.triangles = (const int32_t(*)[3])surface.triangle;
    d.triangle_count = surface.triangles;
    if (!mesh) d.most_corners = (int)tl_quantity(b->r, tl_node_get(node, "vertices"), "", TALUS_HULL_POINTS, false);
    const talus_status added = tl_add_part(b, owner, node, &d, surface.point, surface.points);
    tl_triangles_free(&surface);
    return added;
}

talus_status tl_build_shape_space(tl_builder *b, const tl_node *node, const tl_owner *owner)
{
    const tl_node *points = tl_node_get(node, "points"), *file = tl_node_get(node, "file");
    bool known;
    const talus_status compound = tl_build_compound_space(b, node, owner, &known);
    if (known || compound != TALUS_OK) return compound;
    if (file && !points && file->kind == NODE_SCALAR) return add_from_file(b, node, owner);
    const size_t count = points && points->count > 240 ? (size_t)points->count : 240;
    double(*corner)[3] = calloc(count, sizeof *corner);
    const talus_status status = corner ? add_shape(b, node, owner, corner) : TALUS_MEMORY;
    free(corner);
    return status;
}
