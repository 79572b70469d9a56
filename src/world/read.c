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

static const tl_mechanism *mechanism_at(const talus_world *w, const tl_body *body) { return (const tl_mechanism *)w->system->matter[body->place.matter]; }

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
    if (body->place.matter != 0) return tl_mechanism_link_mass(mechanism_at(w, body), body->place.item);
    const talus_body_kind kind = talus_body_get_kind(w, id);
    if (kind == TALUS_BODY_FIXED || kind == TALUS_BODY_IMPOSED) return 0;
    if (!w->assembled && !body->own_mass) return tl_world_mass_of_shapes(w, (int)id.index1 - 1);
    return (tl_is_planar(w) ? w->plane.grains->mass : w->space.grains->mass)[body->place.item];
}

double talus_body_inertia(const talus_world *w, talus_body_id id)
{
    const tl_body *body = body_of(w, id);
    if (!body) return 0;
    if (body->place.matter != 0) return tl_mechanism_link_inertia(mechanism_at(w, body), body->place.item);
    if (talus_body_get_kind(w, id) != TALUS_BODY_FREE || !tl_is_planar(w)) return 0;
    return w->plane.grains->inertia[body->place.item];
}

void talus_body_pose(const talus_world *w, talus_body_id id, double position[3], double quaternion[4])
{
    const tl_body *body = body_of(w, id);
    tl_frame frame = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    if (body) {
        frame = w->system->matter[body->place.matter]->ops->frame(w->system->matter[body->place.matter], body->place.item);
        if (body->place.matter == 0 && !tl_is_planar(w)) {
            const tl_pose3 user = w->space.grains->user[body->place.item];
            const tl_mat3 axes = tl_mat3_from_quat(user.q);
            frame.p = tl_add(frame.p, tl_mat3_apply(&frame.R, user.p));
            frame.R = tl_mat3_mul(&frame.R, &axes);
        } else if (body->place.matter == 0) {
            const tl_vec2 o = w->plane.grains->origin[body->place.item];
            frame.p = tl_add(frame.p, tl_mat3_apply(&frame.R, tl_v3(o.x, o.y, 0)));
        }
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
    const tl_matter *matter = w->system->matter[body->place.matter];
    const tl_frame frame = matter->ops->frame(matter, body->place.item);
    const tl_vec3 x = tl_mat3_apply_t(&frame.R, tl_sub(tl_load3(point), frame.p));
    for (int k = body->first_shape; k >= 0; k = w->next_shape[k])
        least = fmin(least, tl_is_planar(w) ? tl_shape2_distance(&w->plane.contactor[k].shape, tl_v2(x.x, x.y))
                                            : tl_shape3_distance(&w->space.contactor[k].shape, x, least));
    return least;
}

double talus_body_angle(const talus_world *w, talus_body_id id)
{
    const tl_body *body = body_of(w, id);
    if (!body) return 0;
    if (body->place.matter != 0) return tl_mechanism_angle(mechanism_at(w, body), body->place.item);
    return tl_is_planar(w) ? w->plane.grains->q[body->place.item].w : 0;
}

void talus_body_velocity(const talus_world *w, talus_body_id id, const double point[3], double linear[3], double angular[3])
{
    const tl_body *body = body_of(w, id);
    memset(linear, 0, 3 * sizeof *linear);
    memset(angular, 0, 3 * sizeof *angular);
    if (!body) return;
    if (body->place.matter != 0) {
        tl_mechanism_point_velocity(mechanism_at(w, body), body->place.item, point, linear, angular);
        return;
    }
    if (!tl_is_planar(w)) {
        const tl_grains3 *g = w->space.grains;
        const int i = body->place.item;
        const tl_frame f = tl_grains3_frame(g, i);
        const tl_mat3 axes = tl_mat3_from_quat(g->user[i].q);
        const tl_vec3 omega = tl_mat3_apply(&f.R, g->v[i].w), arm = tl_mat3_apply(&f.R, tl_add(g->user[i].p, tl_mat3_apply(&axes, tl_load3(point))));
        tl_store3(linear, tl_add(g->v[i].v, tl_cross(omega, arm)));
        tl_store3(angular, omega);
        return;
    }
    const tl_grains2 *g = w->plane.grains;
    const int i = body->place.item;
    const tl_pose2 pose = tl_grains2_pose(g, i);
    const tl_vec2 r = tl_rotate2(&pose, tl_add2(g->origin[i], tl_v2(point[0], point[1])));
    linear[0] = g->v[i].x - g->v[i].w * r.y;
    linear[1] = g->v[i].y + g->v[i].w * r.x;
    angular[2] = g->v[i].w;
}

int talus_body_shape_count(const talus_world *w, talus_body_id id)
{
    const tl_body *body = body_of(w, id);
    int count = 0;
    for (int k = body ? body->first_shape : -1; k >= 0; k = w->next_shape[k]) count++;
    return count;
}

void talus_body_shape(const talus_world *w, talus_body_id id, int index, talus_shape_def *out)
{
    *out = talus_shape_def_default();
    const tl_body *body = body_of(w, id);
    int k = body ? body->first_shape : -1;
    for (; k >= 0 && index > 0; index--) k = w->next_shape[k];
    if (k < 0) return;
    if (!tl_is_planar(w)) {
        const tl_contactor3 *solid = &w->space.contactor[k];
        tl_shape3_def d;
        tl_shape3_describe(&solid->shape, &d);
        out->material = (talus_material_id){(uint32_t)solid->material + 1};
        out->kind = (talus_shape_kind)(TALUS_SHAPE_SPHERE + (int)solid->shape.kind);
        out->radius = d.radius, out->rounding = d.rounding;
        out->count = d.count, out->triangle_count = d.triangle_count;
        return;
    }
    const tl_contactor2 *c = &w->plane.contactor[k];
    const tl_shape2 *s = &c->shape;
    const tl_vec2 origin = body->place.matter == 0 ? w->plane.grains->origin[body->place.item] : tl_v2(0, 0);
    out->material = (talus_material_id){(uint32_t)c->material + 1};
    out->radius = s->radius;
    out->count = s->count;
    out->kind = s->kind == TL_DISK         ? TALUS_SHAPE_DISK
                : s->kind == TL_HALF_PLANE ? TALUS_SHAPE_HALF_PLANE
                : s->count == 2            ? TALUS_SHAPE_SEGMENT
                                           : TALUS_SHAPE_POLYGON;
    for (int i = 0; i < s->count; i++) {
        const tl_vec2 p = tl_sub2(s->kind == TL_POLYGON ? s->corner[i] : s->centre, origin);
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
}

int talus_contact_count(const talus_world *w) { return w->system->contact_count; }

/* Body at an end of a contact; ropes are the last ones, and have no contactors. */
static talus_body_id end_body(const talus_world *w, int contact, int end, int contactor)
{
    const tl_system *s = w->system;
    if (contactor < 0) return talus_body_at(w, s->rope[contact - (s->contact_count - s->ropes)].end[end].body);
    return talus_body_at(w, tl_is_planar(w) ? w->plane.contactor[contactor].body : w->space.contactor[contactor].body);
}

/* `apart`: from where the candidate is met to where the copy is that the antagonist meets. */
static void image_of(const talus_world *w, tl_vec3 apart, int image[3])
{
    const tl_cell *cell = &w->system->cell;
    double way[3];
    tl_store3(way, apart);
    for (int i = 0; i < 3; i++) image[i] = cell->length[i] > 0 ? (int)lround(way[i] / cell->length[i]) : 0;
}

void talus_contact_get(const talus_world *w, int index, talus_contact *out)
{
    if (index < 0 || index >= w->system->contact_count) {
        memset(out, 0, sizeof *out);
        return;
    }
    if (!tl_is_planar(w)) { /* probes read all contacts in every step: each field is written once */
        const tl_contact3 *k = &w->space.contact[index];
        out->antagonist = end_body(w, index, 0, k->contactor_a);
        out->candidate = end_body(w, index, 1, k->contactor_b);
        out->gap = k->gap;
        tl_store3(out->point, k->at[0]);
        tl_store3(out->normal, k->n);
        memcpy(out->impulse, k->I, sizeof k->I);
        memcpy(out->velocity, k->V, sizeof k->V);
        image_of(w, tl_sub(k->at[0], k->at[1]), out->image);
        out->law = k->state ? &k->law->law->info : NULL;
        out->state = k->state;
        return;
    }
    const tl_contact2 *c = &w->plane.contact[index];
    *out = (talus_contact){
        .antagonist = end_body(w, index, 0, c->contactor_a),
        .candidate = end_body(w, index, 1, c->contactor_b),
        .point = {c->point.x, c->point.y, 0},
        .normal = {c->nx, c->ny, 0},
        .gap = c->gap,
        .impulse = {c->I[0], c->I[1], 0},
        .velocity = {c->V[0], c->V[1], 0},
        .law = c->state ? &c->law->law->info : NULL,
        .state = c->state,
    };
    image_of(w, (tl_vec3){c->at[0].x - c->at[1].x, c->at[0].y - c->at[1].y, 0}, out->image);
}

static size_t plane_bytes(const talus_world *w)
{
    const tl_system2 *s = &w->plane;
    const size_t per_grain = sizeof(talus_body_kind) + 4 * sizeof(double) + sizeof(tl_vec2) + 6 * sizeof(tl_twist2) + 3 * sizeof(talus_motion);
    size_t bytes = (size_t)s->grains->n * per_grain + (size_t)s->contactor_capacity * sizeof(tl_contactor2);
    bytes += (size_t)(s->contact_capacity + s->next_capacity) * sizeof(tl_contact2);
    return bytes + (size_t)s->broad.capacity * sizeof(tl_box2) + (size_t)s->broad.pair_capacity * sizeof(tl_pair2);
}

static size_t space_bytes(const talus_world *w)
{
    const tl_system3 *s = &w->space;
    const size_t per_grain = sizeof(talus_body_kind) + 2 * sizeof(double) + 2 * sizeof(tl_vec3) + 4 * sizeof(tl_pose3) + 2 * sizeof(tl_twist3) +
                             sizeof(tl_frame) + sizeof(tl_course3);
    size_t bytes = (size_t)s->grains->n * per_grain + (size_t)s->contactor_capacity * sizeof(tl_contactor3);
    for (int i = 0; i < w->system->contactors; i++) {
        const tl_shape3 *k = &s->contactor[i].shape;
        bytes += (size_t)k->points * sizeof *k->point + (size_t)k->faces * (sizeof *k->plane + sizeof *k->face_begin);
        bytes += (3 * (size_t)tl_fours(k->points) + 4 * (size_t)tl_fours(k->faces)) * sizeof(double);
        bytes += (size_t)k->edges * sizeof *k->edge + (k->faces > 0 ? k->face_begin[k->faces] * (3 * sizeof *k->side + sizeof *k->corner) : 0);
        if (k->mesh) bytes += tl_mesh3_bytes(k->mesh);
    }
    bytes += (size_t)(s->contact_capacity + s->next_capacity) * sizeof(tl_contact3);
    return bytes + (size_t)s->broad.capacity * sizeof(tl_box3) + (size_t)(s->broad.pair_capacity + s->broad.next_capacity) * sizeof(tl_near3) +
           (size_t)(s->broad.known_capacity + s->broad.known_next_capacity) * sizeof(tl_known3);
}

size_t talus_world_bytes(const talus_world *w)
{
    const tl_system *s = w->system;
    size_t bytes = (size_t)w->body_capacity * sizeof(tl_body) + (size_t)s->place_capacity * sizeof(tl_place) + (size_t)w->next_capacity * sizeof(int);
    bytes += (size_t)(s->pairs.key_capacity + s->pairs_next.key_capacity) * (size_t)(s->pairs.width + 1) * sizeof(double);
    bytes += (size_t)(s->memo.key_capacity + s->memo_next.key_capacity) * (size_t)(s->memo.width + 1) * sizeof(double);
    return bytes + (tl_is_planar(w) ? plane_bytes(w) : space_bytes(w)) + tl_arena_bytes(w->arena);
}

int talus_material_count(const talus_world *w) { return w->materials; }

const char *talus_material_name(const talus_world *w, talus_material_id material)
{
    const bool known = material.index1 > 0 && material.index1 <= (uint32_t)w->materials;
    return known && w->material[material.index1 - 1].name ? w->material[material.index1 - 1].name : "";
}
