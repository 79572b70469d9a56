/* Bodies and shapes in space: what the definition, the assembly and the reading of a world do differently there. The user gives a body by an origin and
 * axes of their own; the state is that of its centre of mass and principal axes, which assembly finds. */
#include <stdio.h>
#include <string.h>

#include "shape/kinds3.h"
#include "world/world.h"

/* ---- definition ----------------------------------------------------------------------------------------------------- */

talus_status tl_world_check_body3(talus_world *w, const talus_body_def *d)
{
    const char *name = d->name ? d->name : "";
    double size = 0, trace = 0, sum = 0;
    for (int i = 0; i < 4; i++) size += d->quaternion[i] * d->quaternion[i];
    for (int i = 0; i < 6; i++) sum += fabs(d->inertia_space[i]);
    for (int i = 0; i < 3; i++) trace += d->inertia_space[i];
    if (!(size > 0) || !isfinite(size)) return tl_fail(&w->error, TALUS_INPUT, "body '%s': its quaternion is zero or not a number", name);
    if (!isfinite(d->spin[0] + d->spin[1] + d->spin[2])) return tl_fail(&w->error, TALUS_INPUT, "body '%s': its spin is not a number", name);
    if (!isfinite(sum)) return tl_fail(&w->error, TALUS_INPUT, "body '%s': its inertia is not a number", name);
    if (sum > 0) { /* a body's moments are positive, and none is larger than the sum of the two others */
        const double *t = d->inertia_space;
        const tl_mat3 S = {{{t[0], t[3], t[4]}, {t[3], t[1], t[5]}, {t[4], t[5], t[2]}}};
        tl_vec3 J;
        tl_mat3 A;
        tl_mat3_eigen(&S, &J, &A);
        const double largest = fmax(J.x, fmax(J.y, J.z)), least = fmin(J.x, fmin(J.y, J.z));
        if (!(least > 0) || largest > 0.5 * trace * (1 + 1e-9))
            return tl_fail(&w->error, TALUS_INPUT, "body '%s': no body has the principal moments of inertia %g, %g, %g kg m²", name, J.x, J.y, J.z);
    }
    const double *axis = d->turn_axis;
    if (d->turn.value && !(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2] > 0))
        return tl_fail(&w->error, TALUS_INPUT, "body '%s': its turn_axis is zero", name);
    return TALUS_OK;
}

static tl_quat orientation(const talus_body_def *d)
{
    return tl_quat_normalize((tl_quat){d->quaternion[0], d->quaternion[1], d->quaternion[2], d->quaternion[3]});
}

void tl_world_set_body3(talus_world *w, int i, const talus_body_def *d)
{
    tl_grains3 *g = w->space.grains;
    tl_body *body = &w->body[w->bodies - 1];
    const double *t = d->inertia_space;
    g->kind[i] = d->kind;
    g->mass[i] = d->mass;
    g->q[i] = (tl_pose3){tl_load3(d->position), orientation(d)};
    g->v[i] = (tl_twist3){tl_load3(d->velocity), tl_load3(d->spin)}; /* world axes until assembly */
    body->own_inertia = fabs(t[0]) + fabs(t[1]) + fabs(t[2]) > 0;
    if (body->own_inertia) {
        const tl_mat3 S = {{{t[0], t[3], t[4]}, {t[3], t[1], t[5]}, {t[4], t[5], t[2]}}};
        tl_mat3 A;
        tl_mat3_eigen(&S, &g->inertia[i], &A);
        g->user[i].q = tl_quat_from_mat3(&A); /* the principal axes in the user's, until assembly */
    }
    g->start[i] = g->q[i];
    g->course[i] = (tl_course3){.turn = d->turn, .axis = tl_normalize(tl_load3(d->turn_axis))};
    if (d->kind == TALUS_BODY_IMPOSED || d->changes_kind)
        for (int k = 0; k < 3; k++) g->course[i].displacement[k] = d->motion[k];
    else g->course[i].turn = (talus_motion){NULL, NULL};
}

talus_status tl_world_make_shape3(talus_world *w, const talus_shape_def *d, tl_shape3 *shape, tl_error *error)
{
    enum { MOST = 1 << 24 };
    const tl_shape3_kind kind = (tl_shape3_kind)(d->kind - TALUS_SHAPE_SPHERE);
    const int own = tl_shape3_ops_of(kind)->points, count = own > 0 ? own : d->count;
    if (!d->corners) return tl_fail(error, TALUS_INPUT, "a spatial shape without corners");
    if (d->kind == TALUS_SHAPE_POLYHEDRON) {
        if (count < 1 || count > MOST) return tl_fail(error, TALUS_INPUT, "a polyhedron is given by 4 to %d points, not %d", MOST, count);
        if (d->most_corners < 0 || (d->most_corners > 0 && d->most_corners < 4) || d->most_corners > TALUS_HULL_POINTS)
            return tl_fail(error, TALUS_INPUT, "a polyhedron has 4 to %d corners, not %d", TALUS_HULL_POINTS, d->most_corners);
        if (count < 4) return tl_fail(error, TALUS_INPUT, "a polyhedron has at least 4 points, not %d", count);
    }
    tl_vec3 *points = count > 0 ? tl_alloc(w->memory, (size_t)count, sizeof *points) : NULL;
    if (!points && count > 0) return tl_fail(error, TALUS_MEMORY, "no memory for %d points", count);
    for (int i = 0; i < count; i++) points[i] = tl_load3(d->corners[i]);
    const tl_shape3_def def = {points, count, d->radius, d->rounding, d->most_corners, d->triangles, d->triangle_count};
    const talus_status status = tl_shape3_make(shape, w->memory, kind, &def, error);
    tl_free(w->memory, points);
    return status;
}

/* ---- assembly ------------------------------------------------------------------------------------------------------- */

/* Sums the shapes of a body about its user's origin: weight per volume is the density, or 1 where `geometric`. Inertia about the centroid. */
static tl_volume3 body_volume(const talus_world *w, int body, bool geometric)
{
    tl_volume3 sum = {0};
    tl_vec3 about = {0, 0, 0}; /* the centroid of the first: what lies far from the body's origin has no digits left about that */
    tl_mat3 about_it = {0};
    for (int k = w->body[body].first_shape; k >= 0; k = w->next_shape[k]) {
        const tl_shape3 *shape = &w->space.shape[k];
        const double weight = geometric ? 1 : w->material[w->system->owner[k].material].density;
        if (!tl_shape3_is_convex(shape)) continue;
        const tl_volume3 one = tl_shape3_volume(shape);
        if (!(sum.volume > 0)) about = one.centroid;
        const tl_vec3 x = tl_sub(one.centroid, about);
        const double m = weight * one.volume, r[3] = {x.x, x.y, x.z}, square = tl_dot(x, x);
        sum.volume += m;
        sum.centroid = tl_add(sum.centroid, tl_scale(m, x));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) about_it.m[i][j] += weight * one.inertia.m[i][j] + m * ((i == j ? square : 0) - r[i] * r[j]);
    }
    if (!(sum.volume > 0)) return sum;
    sum.centroid = tl_scale(1 / sum.volume, sum.centroid);
    const double r[3] = {sum.centroid.x, sum.centroid.y, sum.centroid.z}, square = tl_dot(sum.centroid, sum.centroid);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum.inertia.m[i][j] = about_it.m[i][j] - sum.volume * ((i == j ? square : 0) - r[i] * r[j]);
    sum.centroid = tl_add(about, sum.centroid);
    return sum;
}

double tl_world_mass_of_shapes3(const talus_world *w, int body) { return body_volume(w, body, false).volume; }

/* Moments that differ by rounding only are one: a ball has no preferred axes. */
static bool is_isotropic(tl_vec3 J)
{
    const double largest = fmax(J.x, fmax(J.y, J.z)), least = fmin(J.x, fmin(J.y, J.z));
    return largest - least <= 1e-12 * largest;
}

/* The principal axes in the user's, and the moments. */
static tl_mat3 principal_axes(talus_world *w, int body, const tl_volume3 *volume, double mass, tl_vec3 *J)
{
    const int i = w->body[body].place.item;
    tl_mat3 A;
    if (w->body[body].own_inertia) {
        *J = w->space.grains->inertia[i];
        return tl_mat3_from_quat(w->space.grains->user[i].q);
    }
    tl_mat3_eigen(&volume->inertia, J, &A);
    if (is_isotropic(*J)) {
        const double mean = (J->x + J->y + J->z) / 3;
        *J = tl_v3(mean, mean, mean);
        A = tl_mat3_identity();
    }
    *J = tl_scale(volume->volume > 0 ? mass / volume->volume : 0, *J);
    return A;
}

talus_status tl_world_settle_body3(talus_world *w, int body)
{
    tl_grains3 *g = w->space.grains;
    const int i = w->body[body].place.item;
    char text[128];
    const bool moves = g->kind[i] == TALUS_BODY_FREE;
    if (!moves) g->v[i] = (tl_twist3){{0, 0, 0}, {0, 0, 0}};
    if (!moves && !w->body[body].changes_kind) { /* its own axes are as good as any */
        g->inverse_mass[i] = 0;
        g->inverse_inertia[i] = tl_v3(0, 0, 0);
        g->user[i] = (tl_pose3){{0, 0, 0}, {1, 0, 0, 0}};
        return TALUS_OK;
    }
    tl_volume3 volume = body_volume(w, body, false);
    const bool weightless = !(volume.volume > 0);
    if (weightless) volume = body_volume(w, body, true); /* no densities: the shapes still tell where the mass lies */
    if (w->body[body].own_centre) volume.centroid = w->body[body].centre;
    if (!w->body[body].own_mass) {
        if (weightless && moves)
            return tl_fail(&w->error, TALUS_INPUT, "%s has no mass: give it one, or give its shapes' material a density", tl_world_describe(w, body, text));
        g->mass[i] = weightless ? 0 : volume.volume; /* what is not free may do without */
    }
    const tl_mat3 A = principal_axes(w, body, &volume, g->mass[i], &g->inertia[i]), At = tl_mat3_transpose(&A);
    const tl_quat to_user = tl_quat_from_mat3(&At);
    tl_grains3_settle_kind(g, i);
    for (int k = w->body[body].first_shape; k >= 0; k = w->next_shape[k]) tl_shape3_move(&w->space.shape[k], volume.centroid, &A);
    g->user[i] = (tl_pose3){tl_mat3_apply_t(&A, tl_scale(-1, volume.centroid)), to_user};
    const tl_mat3 R = tl_mat3_from_quat(g->q[i].q);
    g->q[i].p = tl_add(g->q[i].p, tl_mat3_apply(&R, volume.centroid));
    g->q[i].q = tl_quat_normalize(tl_quat_mul(g->q[i].q, tl_quat_from_mat3(&A)));
    const tl_mat3 principal = tl_mat3_from_quat(g->q[i].q);
    g->v[i].w = tl_mat3_apply_t(&principal, g->v[i].w);
    return TALUS_OK;
}

/* ---- reading -------------------------------------------------------------------------------------------------------- */

static const tl_shape3 *shape3_of(const talus_world *w, talus_body_id id, int index, tl_frame *user)
{
    if (tl_is_planar(w) || tl_is_none(id.index1) || id.index1 > (uint32_t)w->bodies) return NULL;
    const tl_body *body = &w->body[id.index1 - 1];
    const int k = tl_world_shape_at(w, body, index);
    *user = w->assembled ? tl_world_user_axes(w, body->place) : (tl_frame){{0, 0, 0}, tl_mat3_identity()};
    return k >= 0 ? &w->space.shape[k] : NULL;
}

static const tl_shape2 *shape2_of(const talus_world *w, talus_body_id id, int index, tl_vec2 *origin)
{
    if (!tl_is_planar(w) || tl_is_none(id.index1) || id.index1 > (uint32_t)w->bodies) return NULL;
    const tl_body *body = &w->body[id.index1 - 1];
    const int k = tl_world_shape_at(w, body, index);
    *origin = body->place.matter == 0 ? w->plane.grains->origin[body->place.item] : tl_v2(0, 0);
    return k >= 0 ? &w->plane.shape[k] : NULL;
}

/* Its points, a half-plane's normal, then its outline. */
static int corners_of_shape2(const tl_shape2 *s, tl_vec2 origin, double (*out)[3], int capacity)
{
    tl_vec2 outline[TL_OUTLINE2];
    const int around = tl_shape2_outline(s, outline), normals = s->kind == TL_HALF_PLANE, count = s->count + normals + around;
    for (int i = 0; i < count && i < capacity; i++) {
        const bool is_direction = normals && i == 1;
        const tl_vec2 x = is_direction ? s->normal : tl_sub2(i < s->count ? tl_shape2_corner(s, i) : outline[i - s->count], origin);
        out[i][0] = x.x, out[i][1] = x.y, out[i][2] = 0;
    }
    return count;
}

int talus_body_corners(const talus_world *w, talus_body_id id, int index, double (*out)[3], int capacity)
{
    tl_frame user;
    tl_vec2 origin;
    const tl_shape2 *flat = shape2_of(w, id, index, &origin);
    if (flat) return corners_of_shape2(flat, origin, out, capacity);
    const tl_shape3 *shape = shape3_of(w, id, index, &user);
    if (!shape) return 0;
    tl_shape3_def d;
    tl_shape3_describe(shape, &d);
    for (int i = 0; i < d.count && i < capacity; i++) {
        const tl_vec3 x = tl_shape3_corner(shape, i);
        const bool is_direction = shape->kind == TL_HALF_SPACE3 && i == 1;
        tl_store3(out[i], tl_mat3_apply_t(&user.R, is_direction ? x : tl_sub(x, user.p)));
    }
    return d.count;
}

int talus_body_faces(const talus_world *w, talus_body_id id, int index, int32_t *size, int32_t *corner, int *corner_count)
{
    tl_frame user;
    tl_vec2 origin, outline[TL_OUTLINE2];
    const tl_shape3 *shape = shape3_of(w, id, index, &user);
    const tl_shape2 *flat = shape2_of(w, id, index, &origin);
    const int around = flat ? tl_shape2_outline(flat, outline) : 0;
    *corner_count = around;
    if (around > 0 && size) size[0] = around;
    for (int i = 0; corner && i < around; i++) corner[i] = flat->count + i;
    if (flat) return around > 0;
    return shape ? tl_shape3_faces(shape, size, corner, corner_count) : 0;
}
