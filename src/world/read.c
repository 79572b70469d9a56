/* Reading the committed state: bodies, contacts, energies. */
#include <string.h>

#include "world/world.h"

int talus_body_count(const talus_world *w) { return w->bodies; }

talus_body_id talus_body_at(const talus_world *w, int index)
{
    return index >= 0 && index < w->bodies ? (talus_body_id){(uint32_t)index + 1} : (talus_body_id){0};
}

static const tl_body *body_of(const talus_world *w, talus_body_id id)
{
    return tl_is_none(id.index1) || id.index1 > (uint32_t)w->bodies ? NULL : &w->body[id.index1 - 1];
}

static const tl_matter *matter_of(const talus_world *w, const tl_body *body) { return w->system->matter[body->place.matter]; }

tl_frame tl_world_user_axes(const talus_world *w, tl_place place)
{
    const tl_matter *m = w->system->matter[place.matter];
    return m->ops->user_axes ? m->ops->user_axes(m, place.item) : (tl_frame){{0, 0, 0}, tl_mat3_identity()};
}

/* Before assembly a body's frame is where its user has put it. */
static bool has_own_axes(const talus_world *w, const tl_body *body) { return w->assembled && matter_of(w, body)->ops->user_axes; }

const char *talus_body_name(const talus_world *w, talus_body_id id)
{
    const tl_body *body = body_of(w, id);
    return body && body->name ? body->name : "";
}

talus_body_kind talus_body_get_kind(const talus_world *w, talus_body_id id)
{
    const tl_body *body = body_of(w, id);
    if (!body) return TALUS_BODY_FIXED;
    if (body->place.matter != 0) return TALUS_BODY_FREE;
    return (tl_is_planar(w) ? w->plane.grains->kind : w->space.grains->kind)[body->place.item];
}

bool talus_body_is_link(const talus_world *w, talus_body_id id)
{
    const tl_body *body = body_of(w, id);
    return body && body->place.matter != 0;
}

double talus_body_mass(const talus_world *w, talus_body_id id)
{
    const tl_body *body = body_of(w, id);
    if (!body) return 0;
    const bool stated = w->assembled || body->own_mass || body->place.matter != 0;
    const talus_body_kind kind = talus_body_get_kind(w, id);
    if (!stated && kind != TALUS_BODY_FIXED && kind != TALUS_BODY_IMPOSED) return tl_world_mass_of_shapes(w, (int)id.index1 - 1);
    return matter_of(w, body)->ops->body_mass(matter_of(w, body), body->place.item).mass;
}

double talus_body_inertia(const talus_world *w, talus_body_id id)
{
    const tl_body *body = body_of(w, id);
    if (!body) return 0;
    const tl_mass mass = matter_of(w, body)->ops->body_mass(matter_of(w, body), body->place.item);
    if (!has_own_axes(w, body)) return mass.inertia.m[2][2];
    const tl_frame user = tl_world_user_axes(w, body->place);
    const tl_vec3 z = tl_mat3_apply(&user.R, tl_v3(0, 0, 1));
    return tl_dot(z, tl_mat3_apply(&mass.inertia, z));
}

bool talus_link_inertia(const talus_world *w, talus_body_id id, double centre_of_mass[3], double inertia[6])
{
    static const int ROW[6] = {0, 1, 2, 0, 0, 1}, COLUMN[6] = {0, 1, 2, 1, 2, 2};
    const tl_body *body = body_of(w, id);
    if (!body || body->place.matter == 0) return false;
    const tl_mass mass = matter_of(w, body)->ops->body_mass(matter_of(w, body), body->place.item);
    tl_store3(centre_of_mass, mass.centre);
    for (int k = 0; k < 6; k++) inertia[k] = mass.inertia.m[ROW[k]][COLUMN[k]];
    return true;
}

void talus_body_pose(const talus_world *w, talus_body_id id, double position[3], double quaternion[4])
{
    const tl_body *body = body_of(w, id);
    tl_frame frame = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    if (body) frame = matter_of(w, body)->ops->frame(matter_of(w, body), body->place.item);
    if (body && has_own_axes(w, body)) {
        const tl_frame user = tl_world_user_axes(w, body->place);
        frame.p = tl_add(frame.p, tl_mat3_apply(&frame.R, user.p));
        frame.R = tl_mat3_mul(&frame.R, &user.R);
    }
    tl_store3(position, frame.p);
    const tl_quat q = tl_quat_from_mat3(&frame.R);
    quaternion[0] = q.w, quaternion[1] = q.x, quaternion[2] = q.y, quaternion[3] = q.z;
}

double talus_body_distance(const talus_world *w, talus_body_id id, const double point[3], double within)
{
    const tl_body *body = body_of(w, id);
    double least = within;
    if (!body || body->first_shape < 0) return least;
    const tl_frame frame = matter_of(w, body)->ops->frame(matter_of(w, body), body->place.item);
    const tl_vec3 x = tl_mat3_apply_t(&frame.R, tl_sub(tl_load3(point), frame.p));
    for (int k = body->first_shape; k >= 0; k = w->next_shape[k])
        least = fmin(least, tl_is_planar(w) ? tl_shape2_distance(&w->plane.shape[k], tl_v2(x.x, x.y)) : tl_shape3_distance(&w->space.shape[k], x, least));
    return least;
}

double talus_body_angle(const talus_world *w, talus_body_id id)
{
    const tl_body *body = body_of(w, id);
    if (!body || !matter_of(w, body)->ops->body_angle) return 0;
    return matter_of(w, body)->ops->body_angle(matter_of(w, body), body->place.item);
}

void talus_body_velocity(const talus_world *w, talus_body_id id, const double point[3], double linear[3], double angular[3])
{
    const tl_body *body = body_of(w, id);
    tl_vec3 velocity = {0, 0, 0}, spin = {0, 0, 0};
    if (body) {
        tl_vec3 at = tl_load3(point);
        if (has_own_axes(w, body)) {
            const tl_frame user = tl_world_user_axes(w, body->place);
            at = tl_add(user.p, tl_mat3_apply(&user.R, at));
        }
        matter_of(w, body)->ops->body_motion(matter_of(w, body), body->place.item, at, &velocity, &spin);
    }
    tl_store3(linear, velocity);
    tl_store3(angular, spin);
}

int tl_world_shape_at(const talus_world *w, const tl_body *body, int index)
{
    int k = body->first_shape;
    if (k >= 0 && tl_is_planar(w) && w->plane.shape[k].kind == TL_MESH2) return -1; /* the outline of a solid, whose only shape it is */
    for (; k >= 0 && index > 0; index--) k = w->next_shape[k];
    return k;
}

int talus_body_shape_count(const talus_world *w, talus_body_id id)
{
    const tl_body *body = body_of(w, id);
    int count = 0;
    for (int k = body ? tl_world_shape_at(w, body, 0) : -1; k >= 0; k = w->next_shape[k]) count++;
    return count;
}

void talus_body_shape(const talus_world *w, talus_body_id id, int index, talus_shape_def *out)
{
    *out = talus_shape_def_default();
    const tl_body *body = body_of(w, id);
    const int k = body ? tl_world_shape_at(w, body, index) : -1;
    if (k < 0) return;
    out->continues = w->system->owner[k].whole != k;
    if (!tl_is_planar(w)) {
        const tl_shape3 *solid = &w->space.shape[k];
        tl_shape3_def d;
        tl_shape3_describe(solid, &d);
        out->material = (talus_material_id){(uint32_t)w->system->owner[k].material + 1};
        out->kind = (talus_shape_kind)(TALUS_SHAPE_SPHERE + (int)solid->kind);
        out->radius = d.radius, out->rounding = d.rounding;
        out->count = d.count, out->triangle_count = d.triangle_count;
        return;
    }
    const tl_shape2 *s = &w->plane.shape[k];
    const tl_vec3 origin = tl_world_user_axes(w, body->place).p;
    out->material = (talus_material_id){(uint32_t)w->system->owner[k].material + 1};
    out->radius = s->radius;
    out->count = s->count;
    out->kind = s->kind == TL_DISK         ? TALUS_SHAPE_DISK
                : s->kind == TL_HALF_PLANE ? TALUS_SHAPE_HALF_PLANE
                : s->kind > TL_HALF_PLANE  ? (talus_shape_kind)(TALUS_SHAPE_PLANAR + ((int)s->kind - (int)TL_HALF_PLANE - 1))
                : s->count == 2            ? TALUS_SHAPE_SEGMENT
                                           : TALUS_SHAPE_POLYGON;
    for (int i = 0; i < s->count; i++) {
        const tl_vec2 p = tl_sub2(tl_shape2_corner(s, i), tl_v2(origin.x, origin.y));
        out->points[i][0] = p.x, out->points[i][1] = p.y;
    }
    if (s->kind == TL_HALF_PLANE) out->points[1][0] = s->normal.x, out->points[1][1] = s->normal.y;
}

void talus_world_energy(const talus_world *w, double *kinetic, double *potential)
{
    *kinetic = *potential = 0;
    for (int m = 0; m < w->system->matters; m++) {
        double k, p;
        w->system->matter[m]->ops->energy(w->system->matter[m], w->def.gravity, &k, &p);
        *kinetic += k;
        *potential += p;
    }
    *potential += tl_world_spring_energy(w);
}

int talus_contact_count(const talus_world *w) { return w->system->met_count; }

/* Body at an end of a contact; ropes are the last ones, and have no contactors. */
static talus_body_id end_body(const talus_world *w, int contact, int end, int contactor)
{
    const tl_system *s = w->system;
    if (contactor < 0) return talus_body_at(w, s->rope[contact - (s->met_count - s->ropes)].end[end].body);
    return talus_body_at(w, w->system->owner[contactor].body);
}

/* Of a contact of the last step, by its key; NULL: its law has none. */
static const double *moment_of(const tl_system *s, int contact)
{
    const tl_memo *m = &s->moments;
    const uint64_t key = s->memo.key[contact];
    const int at = s->met[contact].resists ? tl_memo_lower_bound(m, key) : m->count;
    return at < m->count && m->key[at] == key ? m->value + (size_t)at * (size_t)m->width : NULL;
}

void talus_contact_get(const talus_world *w, int index, talus_contact *out)
{
    if (index < 0 || index >= w->system->met_count) {
        memset(out, 0, sizeof *out);
        return;
    }
    const tl_met *c = &w->system->met[index]; /* probes read all contacts in every step: each field is written once */
    out->antagonist = end_body(w, index, 0, c->contactor[0]);
    out->candidate = end_body(w, index, 1, c->contactor[1]);
    out->gap = c->gap;
    tl_store3(out->point, c->point);
    tl_store3(out->normal, c->n);
    memcpy(out->impulse, c->I, sizeof c->I);
    memcpy(out->velocity, c->V, sizeof c->V);
    out->law = c->law ? &c->law->info : NULL;
    out->state = c->state;
    out->moment = moment_of(w->system, index);
    memcpy(out->image, c->image, sizeof c->image);
    out->work = index < w->system->work_capacity ? w->system->work[index] : NULL; /* NULL as long as no step has weighed them */
}

talus_status talus_world_weigh_contacts(talus_world *w)
{
    if (w->system->scheme != &TL_SCHEME_MOREAU)
        return tl_fail(&w->error, TALUS_UNSUPPORTED, "the work of contacts is known under scheme 'moreau' only, which solves them once in a step; this is '%s'",
                       talus_scheme_name((int)w->def.scheme));
    w->system->weighs = true;
    return TALUS_OK;
}

static size_t plane_bytes(const talus_world *w)
{
    const tl_system2 *s = &w->plane;
    const size_t per_grain = sizeof(talus_body_kind) + 4 * sizeof(double) + sizeof(tl_vec2) + 6 * sizeof(tl_twist2) + 3 * sizeof(talus_motion);
    return (size_t)s->grains->n * per_grain + (size_t)s->shape_capacity * sizeof(tl_shape2);
}

static size_t space_bytes(const talus_world *w)
{
    const tl_system3 *s = &w->space;
    const size_t per_grain = sizeof(talus_body_kind) + sizeof(int) + 2 * sizeof(double) + 3 * sizeof(tl_vec3) + sizeof(bool) + 4 * sizeof(tl_pose3) +
                             2 * sizeof(tl_twist3) + sizeof(tl_frame) + (s->grains->changes ? sizeof(tl_course3) + sizeof(tl_pose3) : 0);
    size_t bytes = (size_t)s->grains->n * per_grain + (size_t)s->shape_capacity * sizeof(tl_shape3);
    for (int i = 0; i < w->system->contactors; i++) {
        const tl_shape3 *k = &s->shape[i];
        bytes += (size_t)k->points * sizeof *k->point + (size_t)k->faces * sizeof *k->face_begin;
        bytes += 3 * (size_t)tl_fours(k->points) * sizeof(double) + (size_t)tl_fours(k->faces) * sizeof *k->plane;
        bytes += (size_t)k->edges * sizeof *k->edge + (k->faces > 0 ? k->face_begin[k->faces] * (3 * sizeof *k->side + sizeof *k->corner) : 0);
        if (k->mesh) bytes += tl_mesh3_bytes(k->mesh);
    }
    return bytes + (size_t)s->past.pair_capacity * sizeof(tl_past3) + (size_t)s->past.known_capacity * sizeof(tl_known3) +
           (size_t)s->past.spare_capacity * sizeof(int);
}

size_t talus_world_bytes(const talus_world *w)
{
    const tl_system *s = w->system;
    size_t bytes = (size_t)w->body_capacity * sizeof(tl_body) + (size_t)s->owner_capacity * sizeof(tl_owner) + (size_t)w->next_capacity * sizeof(int);
    bytes += (size_t)(s->pairs.key_capacity + s->pairs_next.key_capacity) * (size_t)(s->pairs.width + 1) * sizeof(double);
    bytes += (size_t)s->next_capacity * sizeof(tl_contact) + (size_t)s->met_capacity * sizeof(tl_met);
    bytes += (size_t)s->broad.capacity * sizeof(tl_box3) + (size_t)s->broad.pair_capacity * sizeof(tl_near);
    bytes += (size_t)s->room_capacity * sizeof *s->room;
    bytes += (size_t)(s->moments.key_capacity + s->moments_next.key_capacity) * (size_t)(s->moments.width + 1) * sizeof(double);
    bytes += (size_t)s->memo.key_capacity * (size_t)(s->memo.width + 1) * sizeof(double);
    return bytes + (tl_is_planar(w) ? plane_bytes(w) : space_bytes(w)) + tl_arena_bytes(w->arena);
}

int talus_material_count(const talus_world *w) { return w->materials; }

const char *talus_material_name(const talus_world *w, talus_material_id material)
{
    const bool known = material.index1 > 0 && material.index1 <= (uint32_t)w->materials;
    return known && w->material[material.index1 - 1].name ? w->material[material.index1 - 1].name : "";
}
