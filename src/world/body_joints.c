/* Joints between bodies: definition, assembly, reading. */
#include "talus/joint.h"

#include <math.h>
#include <string.h>

#include "world/world.h"

talus_freedom_def talus_freedom_def_default(void)
{
    return (talus_freedom_def){.struct_size = sizeof(talus_freedom_def), .low = -(double)INFINITY, .high = (double)INFINITY, .force = (double)INFINITY};
}

talus_body_joint_def talus_body_joint_def_default(void)
{
    return (talus_body_joint_def){.struct_size = sizeof(talus_body_joint_def), .kind = "revolute", .axis = {0, 0, 1}};
}

const char *talus_body_joint_kind(int index) { return tl_joint_kind_at(index) ? tl_joint_kind_at(index)->name : NULL; }

const char *talus_body_joint_meaning(int index) { return tl_joint_kind_at(index) ? tl_joint_kind_at(index)->text : NULL; }

bool talus_body_joint_in_plane(int index) { return tl_joint_kind_at(index) && tl_joint_kind_at(index)->in_plane; }

const char *talus_body_joint_unit(int kind, int coordinate)
{
    const tl_frame at = {.R = tl_mat3_identity()};
    if (!talus_body_joint_coordinate(kind, coordinate)) return NULL;
    return tl_joint_kind_at(kind)->coordinate(&at, &at, coordinate).is_angle ? "rad" : "m";
}

const char *talus_body_joint_coordinate(int kind, int coordinate)
{
    const tl_joint_kind *k = tl_joint_kind_at(kind);
    return k && coordinate >= 0 && coordinate < k->coordinates ? k->coordinate_name[coordinate] : NULL;
}

int talus_body_joint_count(const talus_world *w) { return w ? w->system->joints.count : 0; }

const char *talus_body_joint_name(const talus_world *w, int index)
{
    const tl_joints *all = &w->system->joints;
    return index >= 0 && index < all->count && all->joint[index].name ? all->joint[index].name : "";
}

/* "joint 'hinge'", or "joint 3" where it has no name. */
static const char *describe(const talus_world *w, int index, char text[128])
{
    const char *name = talus_body_joint_name(w, index);
    if (*name) snprintf(text, 128, "joint '%.100s'", name);
    else snprintf(text, 128, "joint %d", index);
    return text;
}

/* ---- definition ------------------------------------------------------------------------------------------------------------- */

static talus_status refuse_kind(talus_world *w, const char *text, const tl_joint_kind *kind)
{
    char others[200] = "";
    for (int i = 0; i < tl_joint_kinds(); i++)
        if (tl_joint_kind_at(i)->in_plane)
            snprintf(others + strlen(others), sizeof others - strlen(others), "%s%s", *others ? ", " : "", tl_joint_kind_at(i)->name);
    return tl_fail(&w->error, TALUS_INPUT, "%s: a %s joint leaves the plane; take one that stays in it: %s", text, kind->name, others);
}

static talus_status check_kind(talus_world *w, const char *text, const talus_body_joint_def *d, const tl_joint_kind *kind)
{
    const tl_vec3 axis = tl_load3(d->axis);
    if (!kind) return tl_fail(&w->error, TALUS_INPUT, "%s: there is no kind '%.40s' of joints between bodies", text, d->kind ? d->kind : "");
    if (d->length != 0 && !kind->measured) return tl_fail(&w->error, TALUS_INPUT, "%s: a %s joint has no length", text, kind->name);
    if (!tl_is_planar(w)) return TALUS_OK;
    if (!kind->in_plane) return refuse_kind(w, text, kind);
    if (kind->axis_in_plane && axis.z != 0) return tl_fail(&w->error, TALUS_INPUT, "%s: its axis leaves the plane; give one of x and y", text);
    return TALUS_OK;
}

static talus_status check_numbers(talus_world *w, const char *text, const talus_body_joint_def *d, const tl_joint_kind *kind)
{
    const tl_vec3 axis = tl_load3(d->axis), across = tl_load3(d->axis2);
    const double along = tl_norm(tl_cross(axis, across)), most = tl_norm(axis) * tl_norm(across);
    double sum = d->length;
    for (int k = 0; k < 3; k++) sum += d->point[k] + d->point_b[k] + d->axis[k] + d->axis2[k] + d->start[k];
    if (!isfinite(sum)) return tl_fail(&w->error, TALUS_INPUT, "%s: its point, axis, length or start is not a number", text);
    if (d->length < 0 && !kind->handed) return tl_fail(&w->error, TALUS_INPUT, "%s: its length is %g m; it must not be negative", text, d->length);
    if (!(tl_norm(axis) > 0)) return tl_fail(&w->error, TALUS_INPUT, "%s: its axis has no direction", text);
    if (most > 0 && !(along > 1e-9 * most)) return tl_fail(&w->error, TALUS_INPUT, "%s: its axis2 is along its axis; give one across it", text);
    return TALUS_OK;
}

talus_status talus_body_joint_create(talus_world *w, const talus_body_joint_def *def, talus_body_joint_id *out)
{
    talus_body_joint_def d = talus_body_joint_def_default();
    TL_TRY(tl_world_open(w, &d, sizeof d, def, out, "joint"));
    tl_joints *all = &w->system->joints;
    const tl_joint_kind *kind = d.kind ? tl_joint_kind_named(d.kind) : NULL;
    char text[128];
    if (d.name && *d.name) snprintf(text, sizeof text, "joint '%.100s'", d.name);
    else snprintf(text, sizeof text, "joint %d", all->count);
    TL_TRY(check_kind(w, text, &d, kind));
    TL_TRY(check_numbers(w, text, &d, kind));
    const talus_body_id body[2] = {d.body_a, d.body_b};
    for (int k = 0; k < 2; k++) {
        if (body[k].index1 > (uint32_t)w->bodies) return tl_fail(&w->error, TALUS_INPUT, "%s joins a body that does not exist", text);
        TL_TRY(tl_world_refuse_absent(w, body[k], text));
    }
    if (body[0].index1 == body[1].index1) return tl_fail(&w->error, TALUS_INPUT, "%s joins a body to itself", text);
    for (int i = 0; d.name && i < all->count; i++)
        if (all->joint[i].name && strcmp(all->joint[i].name, d.name) == 0) return tl_fail(&w->error, TALUS_INPUT, "there are two joints '%.100s'", d.name);
    if (tl_grow(w->memory, &all->joint, &all->capacity, all->count + 1, sizeof *all->joint) != TALUS_OK) return tl_world_out_of_memory(w);
    tl_body_joint *j = &all->joint[all->count];
    *j = (tl_body_joint){.kind = kind, .def = d};
    j->def.name = j->def.kind = NULL;
    j->def.node = NULL;
    if (d.name && *d.name && !(j->name = tl_strdup(w->memory, d.name))) return tl_world_out_of_memory(w);
    for (int k = 0; k < TL_JOINT_COORDINATES; k++) j->freedom[k] = talus_freedom_def_default();
    for (int k = 0; k < 2; k++) {
        talus_body_id id = body[k];
        if (tl_is_none(id.index1)) TL_TRY(tl_world_ground(w, &id));
        const tl_place place = w->body[id.index1 - 1].place;
        all->joint[all->count].end[k] = (tl_joint_end){.matter = place.matter, .item = place.item, .body = (int)id.index1 - 1};
    }
    const talus_status joined = tl_world_join_solids(w, text, &d);
    if (joined != TALUS_OK) {
        tl_free(w->memory, all->joint[all->count].name);
        return joined;
    }
    out->index1 = (uint32_t)++all->count;
    return TALUS_OK;
}

talus_status tl_freedom_check(const char *text, const talus_freedom_def *d, tl_error *error)
{
    if (isnan(d->low) || isnan(d->high) || d->low > d->high)
        return tl_fail(error, TALUS_INPUT, "%s: its stops are at %g and %g; the first must be below the second", text, d->low, d->high);
    if (!(d->restitution >= 0 && d->restitution <= 1))
        return tl_fail(error, TALUS_INPUT, "%s: the restitution of its stops is %g; it is from 0 to 1", text, d->restitution);
    if (!(d->stiffness >= 0 && d->damping >= 0 && d->friction >= 0) || !isfinite(d->stiffness + d->damping + d->rest + d->friction))
        return tl_fail(error, TALUS_INPUT, "%s: stiffness is %g, damping %g, friction %g; they must not be negative", text, d->stiffness, d->damping,
                       d->friction);
    if (!(d->friction_velocity >= 0) || !isfinite(d->friction_velocity))
        return tl_fail(error, TALUS_INPUT, "%s: friction_velocity is %g; it must not be negative", text, d->friction_velocity);
    if (d->speed.value && d->position.value) return tl_fail(error, TALUS_INPUT, "%s is driven twice: by a speed and by a position", text);
    if (!(d->force >= 0)) return tl_fail(error, TALUS_INPUT, "%s: the most that its drive exerts is %g; it must not be negative", text, d->force);
    return TALUS_OK;
}

talus_status tl_freedom_check_start(const talus_freedom_def *d, double position, const char *kind, const char *name, tl_error *error)
{
    const double *stop = tl_freedom_passed(d, position);
    return stop ? tl_fail(error, TALUS_INPUT, "%s '%.100s' starts at %.6g, beyond its stop at %.6g", kind, name, position, *stop) : TALUS_OK;
}

talus_status talus_body_joint_set_freedom(talus_world *w, talus_body_joint_id joint, int coordinate, const talus_freedom_def *def)
{
    talus_freedom_def d = talus_freedom_def_default();
    char text[128];
    TL_TRY(tl_world_open(w, &d, sizeof d, def, w, "freedom of a joint"));
    tl_joints *all = &w->system->joints;
    if (joint.index1 == 0 || joint.index1 > (uint32_t)all->count) return tl_fail(&w->error, TALUS_INPUT, "there is no such joint between bodies");
    tl_body_joint *j = &all->joint[joint.index1 - 1];
    describe(w, (int)joint.index1 - 1, text);
    if (coordinate < 0 || coordinate >= j->kind->coordinates)
        return tl_fail(&w->error, TALUS_INPUT, "%s is %s: it has %d coordinates, and none of number %d", text, j->kind->name, j->kind->coordinates, coordinate);
    TL_TRY(tl_freedom_check(text, &d, &w->error));
    TL_TRY(tl_world_check_solid_freedom(w, text, j, coordinate));
    j->freedom[coordinate] = d;
    return TALUS_OK;
}

/* ---- assembly --------------------------------------------------------------------------------------------------------------- */

/* A frame of the world in the axes of a body's frame. */
static tl_frame seen_from(const tl_frame *body, const tl_frame *world)
{
    const tl_mat3 back = tl_mat3_transpose(&body->R);
    return (tl_frame){tl_mat3_apply_t(&body->R, tl_sub(world->p, body->p)), tl_mat3_mul(&back, &world->R)};
}

static tl_mat3 columns(tl_vec3 x, tl_vec3 y, tl_vec3 z) { return (tl_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}; }

/* First axis along the joint's, second across: the one that is given, or any. */
static tl_mat3 axes_of(const tl_body_joint *j, bool planar)
{
    const bool upright = planar && !j->kind->axis_in_plane;
    const tl_vec3 x = tl_normalize(upright ? tl_v3(0, 0, 1) : tl_load3(j->def.axis)), given = tl_load3(j->def.axis2);
    tl_vec3 y = tl_sub(given, tl_scale(tl_dot(given, x), x)), z;
    if (tl_norm(y) > 1e-9 * tl_norm(given)) y = tl_normalize(y);
    else tl_tangents(x, &y, &z);
    return columns(x, y, tl_cross(x, y));
}

/* Angles weigh as ways at this arm: the joint's distance from the middle of the farther body. */
static double arm_of(const tl_frame *at, const tl_frame body[2], const bool still[2])
{
    double arm = 0;
    for (int k = 0; k < 2; k++)
        if (!still[k]) arm = fmax(arm, tl_norm(tl_sub(at->p, body[k].p)));
    return arm > 1e-6 ? arm : 1;
}

static talus_status settle_joint(talus_world *w, tl_body_joint *j, const char *text)
{
    static const double CLOSE = 1e-3; /* of a length: numbers that a scene has rounded */
    tl_system *s = w->system;
    const bool apart = j->kind == &TL_JOINT_DISTANCE;
    const tl_mat3 axes = axes_of(j, tl_is_planar(w));
    tl_frame body[2], at[2] = {{tl_load3(j->def.point), axes}, {tl_load3(apart ? j->def.point_b : j->def.point), axes}};
    bool still[2];
    for (int k = 0; k < 2; k++) { /* a solid may be strained from the start */
        const tl_matter *m = s->matter[j->end[k].matter];
        if (m->ops->motion && !j->glued) at[k].p = m->ops->frame(m, j->end[k].item).p;
        if (m->ops->motion && !j->glued && !apart) at[1 - k].p = at[k].p;
    }
    for (int k = 0; k < 2; k++) {
        const tl_matter *m = s->matter[j->end[k].matter];
        if (tl_is_planar(w)) at[k].p.z = 0;
        body[k] = m->ops->frame(m, j->end[k].item);
        j->end[k].frame = seen_from(&body[k], &at[k]);
        still[k] =
            j->end[k].matter == 0 && talus_body_get_kind(w, talus_body_at(w, j->end[k].body)) != TALUS_BODY_FREE && !w->body[j->end[k].body].changes_kind;
    }
    if (still[0] && still[1]) return tl_fail(&w->error, TALUS_INPUT, "%s joins two bodies that do not move", text);
    j->arm = arm_of(&at[1], body, still);
    const double between = tl_norm(tl_sub(at[1].p, at[0].p));
    j->length = j->def.length != 0 ? j->def.length : between;
    if (j->kind->measured && j->length == 0)
        return tl_fail(&w->error, TALUS_INPUT, "%s is %s and has no length: give it one, or points that are apart", text, j->kind->name);
    if (apart && fabs(between - j->length) > CLOSE * j->length)
        return tl_fail(&w->error, TALUS_INPUT, "%s: its points are %.6g m apart at the start, and its length is %.6g m", text, between, j->length);
    return TALUS_OK;
}

static talus_status check_starts(talus_world *w, int joint)
{
    const tl_body_joint *j = &w->system->joints.joint[joint];
    tl_frame f[2];
    tl_joint_frames(w->system, j, &f[0], &f[1]);
    for (int k = 0; k < j->kind->coordinates; k++) {
        const double position = j->kind->coordinate(&f[0], &f[1], k).value + j->def.start[k];
        TL_TRY(tl_freedom_check_start(&j->freedom[k], position, "joint", talus_body_joint_name(w, joint), &w->error));
    }
    return TALUS_OK;
}

static talus_status settle_pairs(talus_world *w)
{
    tl_joints *all = &w->system->joints;
    all->apart = tl_alloc(w->memory, (size_t)all->count + 1, sizeof *all->apart);
    if (!all->apart) return tl_world_out_of_memory(w);
    for (int i = 0; i < all->count; i++)
        if (!all->joint[i].def.collides) all->apart[all->aparts++] = tl_joints_pair(all->joint[i].end[0].body, all->joint[i].end[1].body);
    tl_joints_sort_pairs(all);
    return TALUS_OK;
}

talus_status tl_world_settle_joints(talus_world *w)
{
    tl_joints *all = &w->system->joints;
    if (all->count + all->coordinates + all->tackles > 0 && w->system->scheme->without_joints)
        return tl_fail(&w->error, TALUS_UNSUPPORTED,
                       "scheme '%s' knows no joints between bodies, no ropes over pulleys, and no stops, dry friction or limited drives; take another",
                       talus_scheme_name((int)w->def.scheme));
    all->memory = tl_alloc(w->memory, (size_t)all->count + 1, sizeof *all->memory);
    all->next = tl_alloc(w->memory, (size_t)all->count + 1, sizeof *all->next);
    all->coordinate_memory = tl_alloc(w->memory, (size_t)all->coordinates + 1, sizeof *all->coordinate_memory);
    all->coordinate_next = tl_alloc(w->memory, (size_t)all->coordinates + 1, sizeof *all->coordinate_next);
    if (!all->memory || !all->next || !all->coordinate_memory || !all->coordinate_next) return tl_world_out_of_memory(w);
    TL_TRY(tl_world_settle_tackles(w));
    for (int i = 0; i < all->count; i++) {
        char text[128];
        TL_TRY(settle_joint(w, &all->joint[i], describe(w, i, text)));
        for (int k = 0; k < TALUS_BODY_JOINT_FREEDOMS; k++) all->memory[i].freedom[k].position = all->joint[i].def.start[k];
        TL_TRY(check_starts(w, i));
    }
    TL_TRY(tl_world_settle_bonds(w));
    for (int i = 0; i < all->coordinates; i++) TL_TRY(tl_world_settle_coordinate(w, &all->coordinate[i]));
    return settle_pairs(w);
}

/* ---- reading ---------------------------------------------------------------------------------------------------------------- */

/* Velocity of an end at a place in the world, and spin: of a solid those of the point that is held. */
static void motion_of(const talus_world *w, const tl_joint_end *end, tl_vec3 at, tl_vec3 *velocity, tl_vec3 *spin)
{
    static const double ORIGIN[3] = {0, 0, 0};
    const tl_matter *m = w->system->matter[end->matter];
    double v[3], turn[3], p[3], q[4];
    if (m->ops->motion) {
        m->ops->body_motion(m, end->item, at, velocity, spin);
        return;
    }
    talus_body_velocity(w, talus_body_at(w, end->body), ORIGIN, v, turn);
    talus_body_pose(w, talus_body_at(w, end->body), p, q);
    *spin = tl_load3(turn);
    *velocity = tl_add(tl_load3(v), tl_cross(*spin, tl_sub(at, tl_load3(p))));
}

/* Rates are those of the point of b. */
typedef struct reading {
    tl_vec3 velocity, spin; /* of b less those of a */
} reading;

static void read_coordinate(const talus_world *w, int joint, const tl_frame f[2], int k, const reading *r, talus_body_joint_state *out)
{
    const tl_body_joint *j = &w->system->joints.joint[joint];
    const tl_freedom_memory *m = &w->system->joints.memory[joint].freedom[k];
    const tl_joint_row row = j->kind->coordinate(&f[0], &f[1], k);
    const double scale = row.is_angle ? j->arm : 1;
    out->rate[k] = tl_dot(row.force, r->velocity) + tl_dot(row.moment, r->spin);
    out->position[k] = tl_joint_turned(&row, j->def.start[k], m->position);
    out->drive[k] = scale * m->drive / w->def.step;
}

talus_status talus_body_joint_get(const talus_world *w, int index, talus_body_joint_state *out)
{
    if (!w || !out) return TALUS_INPUT;
    memset(out, 0, sizeof *out);
    const tl_joints *all = &w->system->joints;
    if (index < 0 || index >= all->count || !w->assembled) return TALUS_INPUT;
    const tl_body_joint *j = &all->joint[index];
    const tl_joint_memory *m = &all->memory[index];
    tl_joint_row rows[TL_JOINT_ROWS];
    tl_frame f[2];
    tl_joint_frames(w->system, j, &f[0], &f[1]);
    tl_store3(out->point, f[1].p);
    for (int k = 0; k < 3; k++) out->force[k] = m->impulse[k] / w->def.step, out->moment[k] = m->moment[k] / w->def.step;
    if (j->glued) {
        out->error = tl_world_bond_error(w, index);
        return TALUS_OK;
    }
    tl_vec3 velocity[2], spin[2];
    for (int k = 0; k < 2; k++) motion_of(w, &j->end[k], f[1].p, &velocity[k], &spin[k]);
    const reading r = {tl_sub(velocity[1], velocity[0]), tl_sub(spin[1], spin[0])};
    tl_joint_lock(j->kind, &f[0], &f[1], j->length, rows);
    for (int k = 0; k < j->kind->rows; k++) {
        const double scale = rows[k].is_angle ? j->arm : 1;
        if (tl_is_planar(w) && (rows[k].is_angle ? rows[k].moment.z == 0 : rows[k].force.x == 0 && rows[k].force.y == 0)) continue;
        out->error = fmax(out->error, scale * fabs(rows[k].value));
    }
    out->coordinates = j->kind->coordinates;
    for (int k = 0; k < j->kind->coordinates; k++) read_coordinate(w, index, f, k, &r, out);
    return TALUS_OK;
}

static double spring_energy(const talus_freedom_def *f, double position)
{
    const double strain = position - f->rest;
    return 0.5 * f->stiffness * strain * strain;
}

double tl_world_spring_energy(const talus_world *w)
{
    const tl_joints *all = &w->system->joints;
    double sum = 0;
    if (!w->assembled) return 0;
    for (int i = 0; i < all->count; i++) {
        talus_body_joint_state now = {.coordinates = 0};
        if (tl_an_end_is_gone(w->system, all->joint[i].end)) continue;
        for (int k = 0; k < all->joint[i].kind->coordinates; k++) {
            const talus_freedom_def *f = &all->joint[i].freedom[k];
            if (!(f->stiffness > 0) || (now.coordinates == 0 && talus_body_joint_get(w, i, &now) != TALUS_OK)) continue;
            sum += spring_energy(f, now.position[k]);
        }
    }
    for (int i = 0; i < all->coordinates; i++) {
        const tl_coordinate *c = &all->coordinate[i];
        double position = 0;
        if (!(c->freedom.stiffness > 0)) continue;
        for (int k = 0; k < c->terms; k++) {
            const tl_matter *m = w->system->matter[c->term[k].matter];
            position += c->term[k].factor * m->ops->coordinate(m, c->term[k].position);
        }
        sum += spring_energy(&c->freedom, position);
    }
    return sum;
}

/* A point and a direction of the world in the axes of a body, from its origin. */
static tl_vec3 seen_by(const talus_world *w, int body, tl_vec3 at, tl_vec3 *direction)
{
    double p[3], q[4];
    talus_body_pose(w, talus_body_at(w, body), p, q);
    const tl_mat3 back = tl_mat3_from_quat((tl_quat){q[0], -q[1], -q[2], -q[3]});
    *direction = tl_mat3_apply(&back, *direction);
    return tl_mat3_apply(&back, tl_sub(at, tl_load3(p)));
}

bool tl_world_joint_connection(const talus_world *w, int index, talus_connection *out)
{
    const tl_joints *all = &w->system->joints;
    if (index < 0 || index >= all->count) return false;
    const tl_body_joint *j = &all->joint[index];
    tl_frame f[2];
    *out = (talus_connection){.length = j->length};
    for (int k = 0; tl_joint_kind_at(k); k++)
        if (tl_joint_kind_at(k) == j->kind) out->kind = TALUS_CONNECTION_BODY_JOINT + k;
    tl_joint_frames(w->system, j, &f[0], &f[1]);
    for (int k = 0; k < 2; k++) {
        tl_vec3 axis = tl_axis(&f[k], k);
        out->body[k] = talus_body_at(w, j->end[k].body);
        tl_store3(out->point[k], seen_by(w, j->end[k].body, f[k].p, &axis));
        tl_store3(k ? out->axis2 : out->axis, axis);
    }
    for (int k = 0; k < j->kind->coordinates; k++) {
        out->driven = out->driven || tl_freedom_is_driven(&j->freedom[k]);
        if (j->freedom[k].stiffness > 0) out->sprung |= 1u << k;
    }
    return true;
}
