/* Mechanisms through the public interface: ids become the small integers of matter/mechanism.h. No other file of this room knows that type. */
#include "matter/mechanism.h"

#include <string.h>

#include "world/world.h"

static int member_find(const tl_member *members, int n, const char *name)
{
    for (int i = 0; name && *name && i < n; i++)
        if (members[i].name && strcmp(members[i].name, name) == 0) return i;
    return -1;
}

static talus_status member_add(talus_world *w, tl_member **members, int *n, int *capacity, const char *name, tl_member member)
{
    if (tl_grow(w->memory, members, capacity, *n + 1, sizeof **members) != TALUS_OK) return tl_world_out_of_memory(w);
    member.name = name && *name ? tl_strdup(w->memory, name) : NULL;
    if (name && *name && !member.name) return tl_world_out_of_memory(w);
    (*members)[(*n)++] = member;
    return TALUS_OK;
}

static const char *name_of(const talus_world *w, int mechanism) { return w->system->matter[w->mechanism[mechanism].matter]->name; }

static tl_mechanism *mechanism_of(const talus_world *w, const tl_member *member) { return w->mechanism[member->mechanism].mechanism; }

/* Which mechanism a link belongs to, −1: none (the ground, a grain). */
static int mechanism_of_body(const talus_world *w, talus_body_id body)
{
    if (tl_is_none(body.index1) || body.index1 > (uint32_t)w->bodies) return -1;
    const int matter = w->body[body.index1 - 1].place.matter;
    for (int i = 0; i < w->mechanisms; i++)
        if (w->mechanism[i].matter == matter) return i;
    return -1;
}

static int link_of(const talus_world *w, talus_body_id body) { return tl_is_none(body.index1) ? -1 : w->body[body.index1 - 1].place.item; }

talus_status talus_mechanism_create(talus_world *w, const char *name, talus_mechanism_id *out)
{
    if (!w || !out) return TALUS_INPUT;
    if (w->assembled) return tl_fail(&w->error, TALUS_UNSUPPORTED, "the world is assembled: nothing can be added to it");
    for (int i = 0; name && *name && i < w->mechanisms; i++)
        if (strcmp(name_of(w, i), name) == 0) return tl_fail(&w->error, TALUS_INPUT, "there are two mechanisms '%s'", name);
    if (tl_grow(w->memory, &w->mechanism, &w->mechanism_capacity, w->mechanisms + 1, sizeof *w->mechanism) != TALUS_OK) return tl_world_out_of_memory(w);
    tl_mechanism *mechanism = tl_mechanism_create(w->memory, name, w->def.dimension == 2);
    if (!mechanism) return tl_world_out_of_memory(w);
    tl_matter *matter = tl_mechanism_matter(mechanism);
    const talus_status status = tl_world_add_matter(w, matter);
    if (status != TALUS_OK) {
        matter->ops->destroy(matter);
        return status;
    }
    w->mechanism[w->mechanisms++] = (tl_world_mechanism){mechanism, w->system->matters - 1};
    *out = (talus_mechanism_id){(uint32_t)w->mechanisms};
    return TALUS_OK;
}

talus_link_def talus_link_def_default(void) { return (talus_link_def){.struct_size = sizeof(talus_link_def)}; }

talus_status talus_link_create(talus_world *w, talus_mechanism_id mechanism, const talus_link_def *def, talus_body_id *out)
{
    talus_link_def own = talus_link_def_default();
    TL_TRY(tl_world_open(w, &own, sizeof own, def, out, "link"));
    def = &own;
    if (tl_is_none(mechanism.index1) || mechanism.index1 > (uint32_t)w->mechanisms)
        return tl_fail(&w->error, TALUS_INPUT, "link '%s' belongs to a mechanism that does not exist", def->name ? def->name : "");
    const tl_world_mechanism *m = &w->mechanism[mechanism.index1 - 1];
    TL_TRY(tl_world_add_body(w, def->name, (tl_place){m->matter, -1}, out));
    const talus_status status = tl_mechanism_add_link(m->mechanism, def, &w->body[w->bodies - 1].place.item, &w->error);
    if (status != TALUS_OK) tl_free(w->memory, w->body[--w->bodies].name);
    return status;
}

talus_joint_def talus_joint_def_default(void)
{
    talus_joint_def d = {
        .struct_size = sizeof(talus_joint_def), .kind = TALUS_JOINT_REVOLUTE, .parent_quat = {1, 0, 0, 0}, .axis = {0, 0, 1}, .axis2 = {1, 0, 0}};
    for (int i = 0; i < TALUS_JOINT_RATES; i++) d.velocity[i] = (double)NAN;
    return d;
}

talus_status talus_joint_create(talus_world *w, const talus_joint_def *def, talus_joint_id *out)
{
    talus_joint_def own = talus_joint_def_default();
    TL_TRY(tl_world_open(w, &own, sizeof own, def, out, "joint"));
    def = &own;
    const char *name = def->name ? def->name : "";
    const int mechanism = mechanism_of_body(w, def->child);
    if (mechanism < 0) return tl_fail(&w->error, TALUS_INPUT, "joint '%s': its child is not a link of a mechanism", name);
    if (!tl_is_none(def->parent.index1) && mechanism_of_body(w, def->parent) != mechanism)
        return tl_fail(&w->error, TALUS_INPUT, "joint '%s': its parent is neither the ground nor a link of the child's mechanism", name);
    if (member_find(w->joint, w->joints, name) >= 0) return tl_fail(&w->error, TALUS_INPUT, "there are two joints '%s'", name);
    TL_TRY(member_add(w, &w->joint, &w->joints, &w->joint_capacity, name, (tl_member){.mechanism = mechanism}));
    tl_member *joint = &w->joint[w->joints - 1];
    const talus_status status = tl_mechanism_add_joint(mechanism_of(w, joint), def, link_of(w, def->parent), link_of(w, def->child), &joint->index, &w->error);
    if (status != TALUS_OK) tl_free(w->memory, w->joint[--w->joints].name);
    else *out = (talus_joint_id){(uint32_t)w->joints};
    return status;
}

static const tl_member *joint_at(const talus_world *w, talus_joint_id joint)
{
    return tl_is_none(joint.index1) || joint.index1 > (uint32_t)w->joints ? NULL : &w->joint[joint.index1 - 1];
}

static talus_status no_joint(talus_world *w, const char *what) { return tl_fail(&w->error, TALUS_INPUT, "%s names a joint that does not exist", what); }

/* The joints that a law of this mechanism reads, numbered as in it; the caller frees them. */
static talus_status joints_read(talus_world *w, const talus_coupled_law *law, int mechanism, const char *what, int **out)
{
    const int count = law->value && law->reads && law->count > 0 ? law->count : 0;
    int *reads = tl_alloc(w->memory, (size_t)count + 1, sizeof *reads);
    *out = NULL;
    if (!reads) return tl_world_out_of_memory(w);
    talus_status status = TALUS_OK;
    for (int k = 0; k < count && status == TALUS_OK; k++) {
        const tl_member *member = joint_at(w, law->reads[k].joint);
        if (!member) status = no_joint(w, what);
        else if (member->mechanism != mechanism)
            status = tl_fail(&w->error, TALUS_INPUT, "%s of mechanism '%s' reads joint '%s' of another mechanism: hand it over by 'user', from the step before",
                             what, name_of(w, mechanism), member->name ? member->name : "");
        else reads[k] = member->index;
    }
    if (status != TALUS_OK) tl_free(w->memory, reads);
    else *out = reads;
    return status;
}

talus_joint_force_def talus_joint_force_def_default(void)
{
    return (talus_joint_force_def){.struct_size = sizeof(talus_joint_force_def), .limit = (double)INFINITY, .friction_velocity = 1e-3};
}

talus_status talus_joint_add_force(talus_world *w, talus_joint_id joint, const talus_joint_force_def *def)
{
    talus_joint_force_def own = talus_joint_force_def_default();
    TL_TRY(tl_world_open(w, &own, sizeof own, def, w, "joint_force"));
    def = &own;
    const tl_member *member = joint_at(w, joint);
    if (!member) return no_joint(w, "a joint force");
    int *reads;
    TL_TRY(joints_read(w, &def->coupled, member->mechanism, "a joint force", &reads));
    const tl_parts before = tl_world_parts(w, member->mechanism);
    talus_freedom_def rubs = talus_freedom_def_default();
    rubs.friction = def->friction, rubs.friction_velocity = def->friction_velocity;
    talus_status status = tl_mechanism_add_force(mechanism_of(w, member), member->index, def, reads, &w->error);
    tl_free(w->memory, reads);
    if (status != TALUS_OK || def->friction == 0) return status;
    status = talus_joint_add_freedom(w, joint, def->coordinate, &rubs);
    return status == TALUS_OK ? status : tl_world_take_back(w, before, status);
}

/* A ball has rates, in which dry friction acts, and no angles of which anything else is. */
static talus_status check_ball(talus_world *w, const talus_freedom_def *d, const tl_coordinate_place *place)
{
    const bool only_rubs = !(d->stiffness > 0) && !(d->damping > 0) && isinf(d->low) && isinf(d->high) && !tl_freedom_is_driven(d);
    if (place->position >= 0 || only_rubs) return TALUS_OK;
    return tl_fail(&w->error, TALUS_UNSUPPORTED, "joint '%s': a ball has no angles in which stops, springs or a drive could act", place->name);
}

static talus_status make_term(talus_world *w, const talus_term *term, const char *text, tl_coordinate_place *place, tl_coordinate_term *out)
{
    const tl_member *joint = joint_at(w, term->joint);
    if (!joint) return no_joint(w, text);
    TL_TRY(tl_mechanism_coordinate(mechanism_of(w, joint), joint->index, term->coordinate, place, &w->error));
    if (!isfinite(term->factor) || term->factor == 0)
        return tl_fail(&w->error, TALUS_INPUT, "%s: the factor of joint '%s' is %g; it must be another number than 0", text, place->name, term->factor);
    *out = (tl_coordinate_term){.mechanism = joint->mechanism,
                                .joint = joint->index,
                                .number = term->coordinate,
                                .matter = w->mechanism[joint->mechanism].matter,
                                .factor = term->factor};
    return TALUS_OK;
}

talus_status talus_joint_add_freedom(talus_world *w, talus_joint_id joint, int coordinate, const talus_freedom_def *def)
{
    talus_freedom_def d = talus_freedom_def_default();
    TL_TRY(tl_world_open(w, &d, sizeof d, def, w, "freedom of a joint"));
    const tl_member *member = joint_at(w, joint);
    tl_joints *all = &w->system->joints;
    tl_coordinate_term term;
    tl_coordinate_place place;
    char text[160];
    if (!member) return no_joint(w, "a stop, friction or drive");
    snprintf(text, sizeof text, "joint '%.100s'", member->name ? member->name : "");
    TL_TRY(tl_freedom_check(text, &d, &w->error));
    TL_TRY(make_term(w, &(talus_term){joint, coordinate, 1}, text, &place, &term));
    TL_TRY(check_ball(w, &d, &place));
    if (tl_grow(w->memory, &all->coordinate, &all->coordinate_capacity, all->coordinates + 1, sizeof *all->coordinate) != TALUS_OK)
        return tl_world_out_of_memory(w);
    all->coordinate[all->coordinates++] = (tl_coordinate){.terms = 1, .term = {term}, .freedom = d};
    return TALUS_OK;
}

talus_state_def talus_state_def_default(void) { return (talus_state_def){.struct_size = sizeof(talus_state_def)}; }

talus_status talus_mechanism_add_state(talus_world *w, talus_mechanism_id mechanism, const talus_state_def *def, int *number)
{
    talus_state_def own = talus_state_def_default();
    TL_TRY(tl_world_open(w, &own, sizeof own, def, number, "state"));
    def = &own;
    const int m = (int)mechanism.index1 - 1;
    if (m < 0 || m >= w->mechanisms)
        return tl_fail(&w->error, TALUS_INPUT, "state '%.100s' belongs to a mechanism that does not exist", def->name ? def->name : "");
    if (w->system->scheme->without_law_states)
        return tl_fail(&w->error, TALUS_UNSUPPORTED, "state '%s': scheme '%s' has no states of laws; moreau has", def->name ? def->name : "",
                       talus_scheme_name((int)w->def.scheme));
    int *reads;
    TL_TRY(joints_read(w, &def->rate, m, "the rate of a state", &reads));
    const talus_status status = tl_mechanism_add_state(w->mechanism[m].mechanism, def, reads, number, &w->error);
    tl_free(w->memory, reads);
    return status;
}

talus_spring_def talus_spring_def_default(void) { return (talus_spring_def){.struct_size = sizeof(talus_spring_def)}; }

talus_status talus_spring_create(talus_world *w, talus_mechanism_id mechanism, const talus_spring_def *def)
{
    talus_spring_def own = talus_spring_def_default();
    TL_TRY(tl_world_open(w, &own, sizeof own, def, w, "spring"));
    def = &own;
    const int m = (int)mechanism.index1 - 1;
    if (m < 0 || m >= w->mechanisms) return tl_fail(&w->error, TALUS_INPUT, "a spring belongs to a mechanism that does not exist");
    const talus_body_id ends[2] = {def->body_a, def->body_b};
    for (int i = 0; i < 2; i++)
        if (!tl_is_none(ends[i].index1) && mechanism_of_body(w, ends[i]) != m)
            return tl_fail(&w->error, TALUS_INPUT, "a spring joins a body that is neither the ground nor a link of its mechanism");
    return tl_mechanism_add_spring(w->mechanism[m].mechanism, def, link_of(w, def->body_a), link_of(w, def->body_b), &w->error);
}

talus_drive_def talus_drive_def_default(void) { return (talus_drive_def){.struct_size = sizeof(talus_drive_def)}; }

talus_status talus_joint_drive(talus_world *w, talus_joint_id joint, const talus_drive_def *def)
{
    talus_drive_def own = talus_drive_def_default();
    TL_TRY(tl_world_open(w, &own, sizeof own, def, w, "drive"));
    def = &own;
    const tl_member *member = joint_at(w, joint);
    if (!member) return no_joint(w, "a drive");
    return tl_mechanism_add_drive(mechanism_of(w, member), member->index, def, &w->error);
}

talus_status talus_joint_set_dependent(talus_world *w, talus_joint_id joint, int coordinate)
{
    if (!w) return TALUS_INPUT;
    if (w->assembled) return tl_fail(&w->error, TALUS_UNSUPPORTED, "the world is assembled: its coordinates are chosen");
    const tl_member *member = joint_at(w, joint);
    if (!member) return no_joint(w, "a dependent coordinate");
    return tl_mechanism_set_dependent(mechanism_of(w, member), member->index, coordinate, &w->error);
}

talus_loop_def talus_loop_def_default(void)
{
    return (talus_loop_def){.struct_size = sizeof(talus_loop_def),
                            .kind = TALUS_LOOP_POINT,
                            .axis_a = {0, 0, 1},
                            .axis_b = {0, 0, 1},
                            .quat_a = {1, 0, 0, 0},
                            .quat_b = {1, 0, 0, 0},
                            .ratio = 1};
}

talus_status talus_loop_create(talus_world *w, talus_mechanism_id mechanism, const talus_loop_def *def, talus_loop_id *out)
{
    talus_loop_def own = talus_loop_def_default();
    TL_TRY(tl_world_open(w, &own, sizeof own, def, out, "loop"));
    def = &own;
    const char *name = def->name ? def->name : "";
    const int m = (int)mechanism.index1 - 1;
    if (m < 0 || m >= w->mechanisms) return tl_fail(&w->error, TALUS_INPUT, "loop '%s' belongs to a mechanism that does not exist", name);
    const talus_body_id ends[2] = {def->body_a, def->body_b};
    for (int i = 0; i < 2; i++)
        if (!tl_is_none(ends[i].index1) && mechanism_of_body(w, ends[i]) != m)
            return tl_fail(&w->error, TALUS_INPUT, "loop '%s' joins a body that is neither the ground nor a link of its mechanism", name);
    const bool train = def->kind == TALUS_LOOP_TRAIN, geared = def->kind == TALUS_LOOP_SCREW || def->kind == TALUS_LOOP_GEAR;
    if (train && (def->terms < 2 || def->terms > TALUS_TERMS))
        return tl_fail(&w->error, TALUS_INPUT, "loop '%s' is a train of %d joints; it takes 2 to %d", name, def->terms, TALUS_TERMS);
    tl_loop_ends tied = {{link_of(w, def->body_a), link_of(w, def->body_b)}, {-1, -1, -1, -1}};
    for (int i = 0; i < (train ? def->terms : geared ? 2 : 0); i++) {
        const tl_member *joint = joint_at(w, train ? def->term[i].joint : i == 0 ? def->joint_a : def->joint_b);
        if (!joint) return no_joint(w, "a gear, screw or train");
        if (joint->mechanism != m) return tl_fail(&w->error, TALUS_INPUT, "loop '%s' names a joint of another mechanism", name);
        tied.joint[i] = joint->index;
    }
    if (geared && tied.joint[0] == tied.joint[1] && def->coordinate_a == def->coordinate_b)
        return tl_fail(&w->error, TALUS_INPUT, "loop '%s' ties a coordinate to itself", name);
    if (member_find(w->loop, w->loops, name) >= 0) return tl_fail(&w->error, TALUS_INPUT, "there are two loops '%s'", name);
    TL_TRY(member_add(w, &w->loop, &w->loops, &w->loop_capacity, name, (tl_member){.mechanism = m}));
    tl_member *loop = &w->loop[w->loops - 1];
    const talus_status status = tl_mechanism_add_loop(mechanism_of(w, loop), def, &tied, &loop->index, &w->error);
    if (status != TALUS_OK) tl_free(w->memory, w->loop[--w->loops].name);
    else *out = (talus_loop_id){(uint32_t)w->loops};
    return status;
}

/* ---- reading ------------------------------------------------------------------------------------------------------ */

talus_joint_id talus_joint_find(const talus_world *w, const char *name) { return (talus_joint_id){(uint32_t)(member_find(w->joint, w->joints, name) + 1)}; }

talus_loop_id talus_loop_find(const talus_world *w, const char *name) { return (talus_loop_id){(uint32_t)(member_find(w->loop, w->loops, name) + 1)}; }

int talus_joint_count(const talus_world *w) { return w->joints; }
int talus_loop_count(const talus_world *w) { return w->loops; }

static talus_body_id body_of_link(const talus_world *w, int mechanism, int index)
{
    return index < 0 ? (talus_body_id){0} : talus_body_at(w, tl_world_body_at(w, (tl_place){w->mechanism[mechanism].matter, index}));
}

/* The k-th loop that joins points, −1: there are fewer, which leaves in *k how many to go on from. */
static int loop_of_points(const talus_world *w, int *k)
{
    int links[2];
    talus_connection c;
    for (int i = 0; i < w->loops; i++)
        if (tl_mechanism_loop_connection(mechanism_of(w, &w->loop[i]), w->loop[i].index, links, &c) && (*k)-- == 0) return i;
    return -1;
}

/* A cylinder between points, counted over all of these; after them come joints between bodies. */
static bool cylinder_connection(const talus_world *w, int index, talus_connection *out)
{
    const tl_hydraulics *all = &w->system->joints.hydraulics;
    for (int i = 0; i < all->actuators; i++) {
        const tl_actuator *a = &all->actuator[i];
        if (a->at != TL_AT_POINTS || index-- > 0) continue;
        *out = (talus_connection){.kind = TALUS_CONNECTION_CYLINDER, .length = a->freedom.low};
        for (int k = 0; k < 2; k++) {
            out->body[k] = talus_body_at(w, a->end[k].body);
            tl_store3(out->point[k], a->given[k]);
        }
        return true;
    }
    return w->assembled && tl_world_joint_connection(w, index, out);
}

/* A span of a rope over pulleys, counted over all of these. It is drawn taut. */
static bool span_connection(const talus_world *w, int index, talus_connection *out)
{
    const tl_joints *all = &w->system->joints;
    for (int i = 0; i < all->tackles; i++) {
        const tl_tackle *t = &all->tackle[i];
        if (index < t->count - 1) {
            *out = (talus_connection){.kind = index < t->count - 2 ? TALUS_CONNECTION_SPAN : TALUS_CONNECTION_ROPE};
            for (int k = 0; k < 2; k++) {
                out->body[k] = talus_body_at(w, t->end[index + k].body);
                tl_store3(out->point[k], t->given[index + k]);
            }
            return true;
        }
        index -= t->count - 1;
    }
    return cylinder_connection(w, index, out);
}

static bool rope_connection(const talus_world *w, int index, talus_connection *out)
{
    if (index >= w->system->ropes) return span_connection(w, index - w->system->ropes, out);
    const tl_rope *r = &w->system->rope[index];
    *out = (talus_connection){.kind = r->pushes ? TALUS_CONNECTION_STRUT : TALUS_CONNECTION_ROPE, .length = r->length};
    for (int i = 0; i < 2; i++) {
        out->body[i] = talus_body_at(w, r->end[i].body);
        tl_store3(out->point[i], r->end[i].given);
    }
    return true;
}

/* A coordinate of one joint: no coupling. */
static bool is_of(const tl_coordinate *c, const tl_member *joint)
{
    return !c->name && c->term[0].mechanism == joint->mechanism && c->term[0].joint == joint->index;
}

/* What acts in a coordinate of a mechanism's joint besides the joint's own forces. */
static void add_freedom(talus_connection *out, const tl_coordinate *c, const tl_member *joint)
{
    if (!is_of(c, joint)) return;
    out->driven = out->driven || tl_freedom_is_driven(&c->freedom);
    if (c->freedom.stiffness > 0) out->sprung |= 1u << c->term[0].number;
}

bool talus_connection_get(const talus_world *w, int index, talus_connection *out)
{
    int links[2], mechanism = -1, rest = index - w->joints;
    if (index < 0) return false;
    if (index < w->joints) {
        mechanism = w->joint[index].mechanism;
        tl_mechanism_joint_connection(mechanism_of(w, &w->joint[index]), w->joint[index].index, links, out);
    } else {
        const int loop = loop_of_points(w, &rest);
        if (loop >= 0) {
            mechanism = w->loop[loop].mechanism;
            if (!tl_mechanism_loop_connection(mechanism_of(w, &w->loop[loop]), w->loop[loop].index, links, out)) return false;
        }
        for (int m = 0; loop < 0 && mechanism < 0 && m < w->mechanisms; m++) {
            const int springs = tl_mechanism_springs(w->mechanism[m].mechanism);
            if (rest < springs) tl_mechanism_spring_connection(w->mechanism[m].mechanism, rest, links, out), mechanism = m;
            else rest -= springs;
        }
    }
    for (int i = 0; mechanism >= 0 && i < 2; i++) out->body[i] = body_of_link(w, mechanism, links[i]);
    for (int i = 0; index < w->joints && i < w->system->joints.coordinates; i++) add_freedom(out, &w->system->joints.coordinate[i], &w->joint[index]);
    return mechanism >= 0 || rope_connection(w, rest, out);
}

int talus_connection_count(const talus_world *w)
{
    int links[2], n = w->joints + w->system->ropes + (w->assembled ? w->system->joints.count : 0);
    talus_connection c;
    for (int i = 0; i < w->system->joints.tackles; i++) n += w->system->joints.tackle[i].count - 1;
    for (int i = 0; i < w->system->joints.hydraulics.actuators; i++) n += w->system->joints.hydraulics.actuator[i].at == TL_AT_POINTS;
    for (int i = 0; i < w->loops; i++) n += tl_mechanism_loop_connection(mechanism_of(w, &w->loop[i]), w->loop[i].index, links, &c);
    for (int m = 0; m < w->mechanisms; m++) n += tl_mechanism_springs(w->mechanism[m].mechanism);
    return n;
}

int talus_joint_positions(const talus_world *w, talus_joint_id joint)
{
    const tl_member *member = joint_at(w, joint);
    return member ? tl_mechanism_joint_positions(mechanism_of(w, member), member->index) : 0;
}

int talus_joint_rates(const talus_world *w, talus_joint_id joint)
{
    const tl_member *member = joint_at(w, joint);
    return member ? tl_mechanism_joint_rates(mechanism_of(w, member), member->index) : 0;
}

double talus_joint_position(const talus_world *w, talus_joint_id joint, int coordinate)
{
    const tl_member *member = joint_at(w, joint);
    return member ? tl_mechanism_position(mechanism_of(w, member), member->index, coordinate) : (double)NAN;
}

double talus_joint_velocity(const talus_world *w, talus_joint_id joint, int coordinate)
{
    const tl_member *member = joint_at(w, joint);
    return member ? tl_mechanism_velocity(mechanism_of(w, member), member->index, coordinate) : (double)NAN;
}

double talus_mechanism_state(const talus_world *w, talus_mechanism_id mechanism, int number)
{
    const int m = (int)mechanism.index1 - 1;
    return w && m >= 0 && m < w->mechanisms ? tl_mechanism_state(w->mechanism[m].mechanism, number) : (double)NAN;
}

double talus_joint_force(const talus_world *w, talus_joint_id joint, int coordinate)
{
    const tl_member *member = joint_at(w, joint);
    return member ? tl_mechanism_force(mechanism_of(w, member), member->index, coordinate) : (double)NAN;
}

double talus_joint_drive_force(const talus_world *w, talus_joint_id joint, int coordinate)
{
    const tl_member *member = joint_at(w, joint);
    const tl_joints *all = &w->system->joints;
    double sum = 0;
    if (!member || !w->assembled || coordinate < 0 || coordinate >= talus_joint_rates(w, joint)) return (double)NAN;
    if (tl_mechanism_is_driven(mechanism_of(w, member), member->index, coordinate)) return talus_joint_force(w, joint, coordinate);
    for (int i = 0; i < all->coordinates; i++)
        if (is_of(&all->coordinate[i], member) && all->coordinate[i].term[0].number == coordinate) sum += all->coordinate_memory[i].drive;
    return sum / talus_world_step_size(w);
}

void talus_loop_reaction(const talus_world *w, talus_loop_id loop, double reaction[6])
{
    memset(reaction, 0, 6 * sizeof *reaction);
    if (tl_is_none(loop.index1) || loop.index1 > (uint32_t)w->loops) return;
    const tl_member *member = &w->loop[loop.index1 - 1];
    tl_mechanism_reaction(mechanism_of(w, member), member->index, reaction);
}

double talus_loop_error(const talus_world *w, talus_loop_id loop)
{
    if (tl_is_none(loop.index1) || loop.index1 > (uint32_t)w->loops) return (double)NAN;
    const tl_member *member = &w->loop[loop.index1 - 1];
    return tl_mechanism_loop_error(mechanism_of(w, member), member->index);
}

int talus_degrees_of_freedom(const talus_world *w)
{
    int count = 0;
    for (int m = 1; m < w->system->matters; m++) count += w->system->matter[m]->nv;
    const tl_hydraulics *oil = &w->system->joints.hydraulics;
    for (int i = 0; i < oil->circuits; i++) count -= tl_fluid_nodes(oil->circuit[i].fluid);
    const int n = tl_is_planar(w) ? w->plane.grains->n : w->space.grains->n;
    const talus_body_kind *kind = tl_is_planar(w) ? w->plane.grains->kind : w->space.grains->kind;
    for (int i = 0; i < n; i++) count += kind[i] == TALUS_BODY_FREE ? (tl_is_planar(w) ? 3 : 6) : 0;
    return count;
}

/* ---- for the other files of this room ------------------------------------------------------------------------------ */

tl_parts tl_world_parts(const talus_world *w, int mechanism)
{
    const tl_mechanism_parts has = tl_mechanism_count(w->mechanism[mechanism].mechanism);
    return (tl_parts){mechanism, w->bodies, has.links, has.forces, has.states, w->system->joints.coordinates};
}

talus_status tl_world_take_back(talus_world *w, tl_parts before, talus_status why)
{
    tl_mechanism_take_back(w->mechanism[before.mechanism].mechanism, (tl_mechanism_parts){before.links, before.forces, before.states});
    while (w->bodies > before.bodies) tl_free(w->memory, w->body[--w->bodies].name);
    w->system->joints.coordinates = before.coordinates; /* without names: they are of joints */
    return why;
}

talus_status tl_world_term(talus_world *w, const talus_term *term, const char *text, tl_coordinate_term *out)
{
    tl_coordinate_place place;
    TL_TRY(make_term(w, term, text, &place, out));
    if (place.position >= 0) return TALUS_OK;
    return tl_fail(&w->error, TALUS_UNSUPPORTED, "%s: joint '%s' is a ball, which has rates, and no angles that this could be of", text, place.name);
}

/* Joints of a mechanism are numbered when it is assembled. */
talus_status tl_world_place_term(talus_world *w, tl_coordinate_term *term, tl_term_is *is)
{
    tl_coordinate_place place;
    TL_TRY(tl_mechanism_coordinate(w->mechanism[term->mechanism].mechanism, term->joint, term->number, &place, &w->error));
    term->rate = place.rate, term->position = place.position;
    *is = (tl_term_is){place.is_driven, place.is_angle, place.name};
    return TALUS_OK;
}

double tl_world_term_rate(const talus_world *w, const tl_coordinate_term *term)
{
    return tl_mechanism_velocity(w->mechanism[term->mechanism].mechanism, term->joint, term->number);
}

talus_status tl_world_settle_coordinate(talus_world *w, tl_coordinate *c)
{
    const char *kind = c->name ? "coupling" : "joint";
    double position = 0;
    bool moves = false;
    for (int k = 0; k < c->terms; k++) {
        tl_coordinate_term *term = &c->term[k];
        tl_term_is is;
        TL_TRY(tl_world_place_term(w, term, &is));
        moves = moves || !is.driven;
        c->where = c->name ? c->name : is.joint;
        if (term->position < 0) continue;
        position += term->factor * tl_mechanism_position(w->mechanism[term->mechanism].mechanism, term->joint, term->number);
    }
    if (!moves && tl_freedom_is_driven(&c->freedom))
        return tl_fail(&w->error, TALUS_INPUT, "%s '%s': its motion is imposed, so that another drive can do nothing there", kind, c->where);
    return tl_freedom_check_start(&c->freedom, position, kind, c->where, &w->error);
}

double tl_world_loop_error(const talus_world *w)
{
    double largest = 0;
    for (int i = 0; i < w->mechanisms; i++) largest = fmax(largest, tl_mechanism_loop_error(w->mechanism[i].mechanism, -1));
    return largest;
}

const char *tl_world_fastest_joint(const talus_world *w, int matter)
{
    int joint = -1;
    double most = -1;
    for (int i = 0; i < w->joints; i++)
        for (int k = 0; w->mechanism[w->joint[i].mechanism].matter == matter && k < 6; k++) {
            const double v = fabs(talus_joint_velocity(w, (talus_joint_id){(uint32_t)i + 1}, k));
            if (v > most) most = v, joint = i;
        }
    return joint >= 0 && w->joint[joint].name ? w->joint[joint].name : "";
}
