/* Mechanisms of a scene: links, joints, loops, drives, forces, springs. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "scene/build.h"

typedef struct joint_word {
    const char *name;
    talus_joint_kind kind;
    const char *coordinates[6];
    bool angle[6]; /* which of them are angles */
} joint_word;

static const joint_word JOINTS[] = {
    {"revolute", TALUS_JOINT_REVOLUTE, {"angle"}, {true}},
    {"prismatic", TALUS_JOINT_PRISMATIC, {"position"}, {false}},
    {"screw", TALUS_JOINT_SCREW, {"angle"}, {true}},
    {"cylindrical", TALUS_JOINT_CYLINDRICAL, {"angle", "position"}, {true, false}},
    {"universal", TALUS_JOINT_UNIVERSAL, {"angle1", "angle2"}, {true, true}},
    {"planar", TALUS_JOINT_PLANAR, {"x", "y", "angle"}, {false, false, true}},
    {"spherical", TALUS_JOINT_SPHERICAL, {"wx", "wy", "wz"}, {true, true, true}},
    {"free", TALUS_JOINT_FREE, {"x", "y", "z", "wx", "wy", "wz"}, {false, false, false, true, true, true}},
    {"fixed", TALUS_JOINT_FIXED, {NULL}, {false}},
};

static const joint_word *joint_word_of(const tl_node *node)
{
    const char *type = tl_word(node, "type", "revolute");
    for (size_t i = 0; i < sizeof JOINTS / sizeof *JOINTS; i++)
        if (strcmp(JOINTS[i].name, type) == 0) return &JOINTS[i];
    return &JOINTS[0];
}

static int coordinate_number(const joint_word *w, const char *name)
{
    for (int i = 0; i < 6 && w->coordinates[i]; i++)
        if (strcmp(w->coordinates[i], name) == 0) return i;
    return -1;
}

/* The joint node with this name, in whichever mechanism. */
static const tl_node *joint_node(const tl_builder *b, const char *name)
{
    const tl_node *mechanisms = tl_node_get(b->scene->root, "mechanisms");
    for (int i = 0; mechanisms && mechanisms->kind == NODE_MAP && i < mechanisms->count; i++) {
        const tl_node *joint = tl_mechanism_joint(mechanisms->item[i], name);
        if (joint) return joint;
    }
    return NULL;
}

const tl_node *tl_mechanism_part(const tl_builder *b, const char *parts, const char *name)
{
    const tl_node *mechanisms = tl_node_get(b->scene->root, "mechanisms"), *part = NULL;
    for (int i = 0; !part && mechanisms && mechanisms->kind == NODE_MAP && i < mechanisms->count; i++)
        part = tl_node_get(tl_node_get(mechanisms->item[i], parts), name);
    return part;
}

/* A shaft says no type, and is read as the revolute joint that it is. */
const tl_node *tl_mechanism_joint(const tl_node *mechanism, const char *name)
{
    const tl_node *joint = tl_node_get(tl_node_get(mechanism, "joints"), name);
    return joint ? joint : tl_node_get(tl_node_get(mechanism, "shafts"), name);
}

static const tl_node *split_reference(const tl_builder *b, const tl_node *reference, const char **coordinate)
{
    const size_t length = strcspn(reference->text, ".");
    char *name = tl_arena_zero(b->scene->arena, length + 1, 1);
    *coordinate = reference->text[length] ? reference->text + length + 1 : NULL;
    if (!name) {
        tl_mistake(&b->scene->mistakes, TALUS_MEMORY, reference, "memory ran out");
        return NULL;
    }
    memcpy(name, reference->text, length);
    return joint_node(b, name);
}

bool tl_build_coordinate(tl_builder *b, const tl_node *reference, talus_joint_id *id, int *coordinate)
{
    const char *word;
    const tl_node *joint = split_reference(b, reference, &word);
    if (!joint) return false;
    const joint_word *w = joint_word_of(joint);
    *id = b->world ? talus_joint_find(b->world, joint->key) : (talus_joint_id){0};
    *coordinate = word ? coordinate_number(w, word) : 0;
    if (*coordinate >= 0 && w->coordinates[0] && (word || !w->coordinates[1])) return true;
    char list[100];
    tl_joint_coordinates(joint, list);
    tl_mistake(&b->scene->mistakes, TALUS_INPUT, reference, "name a coordinate of joint '%s': %s", joint->key, *list ? list : "it has none");
    return false;
}

const tl_node *tl_reference_joint(const tl_builder *b, const tl_node *reference)
{
    const char *word;
    return split_reference(b, reference, &word);
}

int tl_joint_coordinate_of(const tl_builder *b, const tl_node *reference)
{
    const char *word;
    const tl_node *joint = split_reference(b, reference, &word);
    const int k = joint && word ? coordinate_number(joint_word_of(joint), word) : 0;
    return k < 0 ? 0 : k;
}

const char *tl_coordinate_unit(const tl_builder *b, const tl_node *reference, int coordinate)
{
    const tl_node *joint = tl_reference_joint(b, reference);
    return joint && tl_joint_is_angle(joint, coordinate < 0 ? tl_joint_coordinate_of(b, reference) : coordinate) ? "rad" : "m";
}

const char *tl_coordinate_quantity_unit(bool angle, const char *quantity)
{
    return quantity[0] == 'p' ? (angle ? "rad" : "m") : quantity[0] == 'v' ? (angle ? "rad/s" : "m/s") : (angle ? "N m" : "N");
}

int tl_joint_coordinate(const tl_node *joint, const char *name)
{
    const joint_word *w = joint_word_of(joint);
    return name ? coordinate_number(w, name) : w->coordinates[0] && !w->coordinates[1] ? 0 : -1;
}

void tl_joint_coordinates(const tl_node *joint, char list[100])
{
    const joint_word *w = joint_word_of(joint);
    *list = '\0';
    for (int i = 0; i < 6 && w->coordinates[i]; i++) strcat(strcat(list, i ? ", " : ""), w->coordinates[i]);
}

bool tl_joint_is_angle(const tl_node *joint, int coordinate) { return joint_word_of(joint)->angle[coordinate]; }

bool tl_joint_is_ball_rate(const tl_node *joint, int coordinate)
{
    const char *name = joint_word_of(joint)->coordinates[coordinate];
    return name && name[0] == 'w';
}

talus_status tl_build_state_named(const tl_builder *b, const tl_node *node, talus_mechanism_id *mechanism, int *number)
{
    const tl_node *mechanisms = tl_node_get(b->scene->root, "mechanisms");
    for (int i = 0; mechanisms && i < mechanisms->count; i++) {
        const tl_node *states = tl_node_get(mechanisms->item[i], "states");
        for (int k = 0; states && k < states->count; k++) {
            if (strcmp(states->item[k]->key, node->text) != 0) continue;
            *mechanism = (talus_mechanism_id){(uint32_t)i + 1}; /* they are made in this order */
            *number = k;
            return TALUS_OK;
        }
    }
    return TALUS_INPUT;
}

static talus_status build_link(tl_builder *b, const tl_node *node)
{
    talus_link_def d = talus_link_def_default();
    talus_body_id body;
    d.name = node->key;
    d.mass = tl_quantity(b->r, tl_node_get(node, "mass"), "kg", 0, false);
    tl_vector(b, tl_node_get(node, "centre_of_mass"), "m", d.centre_of_mass);
    TL_TRY(tl_build_inertia(b, tl_node_get(node, "inertia"), d.inertia));
    TL_TRY(tl_build_check(b, talus_link_create(b->world, b->mechanism, &d, &body), node));
    return tl_build_shapes(b, node, body);
}

/* A value, or values by the names of coordinates, in their own units (per second for velocities). */
static bool read_coordinates(tl_builder *b, const tl_node *node, const joint_word *w, bool rates, double *out)
{
    for (int i = 0; node && i < (node->kind == NODE_MAP ? node->count : 1); i++) {
        const tl_node *value = node->kind == NODE_MAP ? node->item[i] : node;
        const int k = node->kind == NODE_MAP ? coordinate_number(w, value->key) : 0;
        if (k >= 0 && !rates && w->coordinates[k] && w->coordinates[k][0] == 'w') {
            tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, value, "'%s' is an angular velocity; the joint begins as its 'orientation' says",
                           w->coordinates[k]);
            return false;
        }
        if (k < 0 || !w->coordinates[0] || (node->kind == NODE_SCALAR && w->coordinates[1])) {
            tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, value, "a %s joint has %s", w->name,
                           w->coordinates[0] ? "other coordinates: name them, as in {x: 1 m}" : "no coordinates");
            return false;
        }
        const int before = b->scene->mistakes.count;
        out[k] = tl_quantity(b->r, value, rates ? (w->angle[k] ? "rad/s" : "m/s") : (w->angle[k] ? "rad" : "m"), 0, true);
        if (b->scene->mistakes.count > before) return false;
    }
    return true;
}

/* A body that exists by now; one of a mechanism further down does not, and must not pass for the ground. */
bool tl_build_known_body(tl_builder *b, const tl_node *name)
{
    if (!name || strcmp(name->text, "ground") == 0 || talus_body_find(b->world, name->text).index1 != 0) return true;
    tl_mistake(&b->scene->mistakes, TALUS_INPUT, name, "body '%.80s' belongs to another mechanism; name a body of this one, or ground", name->text);
    return false;
}

static talus_status build_joint(tl_builder *b, const tl_node *node)
{
    const joint_word *w = joint_word_of(node);
    if (!tl_build_known_body(b, tl_node_get(node, "parent")) || !tl_build_known_body(b, tl_node_get(node, "child"))) return TALUS_INPUT;
    talus_joint_def d = talus_joint_def_default();
    talus_joint_id id;
    const tl_node *rotation = tl_node_get(node, "rotation");
    d.name = node->key;
    d.kind = w->kind;
    d.parent = tl_build_body_named(b, tl_node_get(node, "parent"));
    d.child = tl_build_body_named(b, tl_node_get(node, "child"));
    tl_vector(b, tl_node_get(node, "at"), "m", d.parent_point);
    tl_vector(b, tl_node_get(node, "child_at"), "m", d.child_point);
    if (d.kind == TALUS_JOINT_PRISMATIC) d.axis[0] = 1, d.axis[2] = 0;
    if (tl_node_get(node, "angle") && d.kind != TALUS_JOINT_REVOLUTE && d.kind != TALUS_JOINT_SCREW) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, tl_node_get(node, "angle"), "'angle' is for revolute and screw joints; a %s joint takes 'position'",
                       w->name);
        return TALUS_INPUT;
    }
    if (tl_node_get(node, "axis")) d.axis[0] = d.axis[1] = d.axis[2] = 0;
    tl_vector(b, tl_node_get(node, "axis"), "", d.axis);
    if (tl_node_get(node, "axis2")) d.axis2[0] = 0;
    tl_vector(b, tl_node_get(node, "axis2"), "", d.axis2);
    const double turn = 0.5 * tl_quantity(b->r, tl_node_get(node, "orientation"), "rad", 0, false);
    d.parent_quat[0] = cos(turn), d.parent_quat[3] = sin(turn);
    if (rotation && tl_node_get(node, "orientation")) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, rotation, "the child is turned by 'orientation', about z, or by 'rotation': one of them");
        return TALUS_INPUT;
    }
    TL_TRY(tl_build_orientation(b, rotation, d.parent_quat));
    d.pitch = tl_quantity(b->r, tl_node_get(node, "pitch"), "m/rad", 0, false);
    d.position[0] = tl_quantity(b->r, tl_node_get(node, "angle"), "rad", 0, false);
    if (!read_coordinates(b, tl_node_get(node, "position"), w, false, d.position)) return TALUS_INPUT;
    if (!read_coordinates(b, tl_node_get(node, "velocity"), w, true, d.velocity)) return TALUS_INPUT;
    return tl_build_check(b, talus_joint_create(b->world, &d, &id), node);
}

static bool two_points(tl_builder *b, const tl_node *node, const char *key, const char *unit, double first[3], double second[3])
{
    const tl_node *points = tl_node_get(node, key);
    if (!points) return true;
    if (points->count != 2) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, points, "'%s' wants two entries, one for each body", key);
        return false;
    }
    tl_vector(b, points->item[0], unit, first);
    tl_vector(b, points->item[1], unit, second);
    return true;
}

static bool two_bodies(tl_builder *b, const tl_node *node, talus_body_id *first, talus_body_id *second)
{
    const tl_node *bodies = tl_node_get(node, "bodies");
    if (!bodies || bodies->kind != NODE_LIST || bodies->count != 2) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, bodies ? bodies : node, "'bodies' names two bodies: [rod, slider]");
        return false;
    }
    if (!tl_build_known_body(b, bodies->item[0]) || !tl_build_known_body(b, bodies->item[1])) return false;
    *first = tl_build_body_named(b, bodies->item[0]);
    *second = tl_build_body_named(b, bodies->item[1]);
    return true;
}

static bool read_gear(tl_builder *b, const tl_node *node, const tl_node *joints, talus_loop_def *d)
{
    if (!tl_build_coordinate(b, joints->item[0], &d->joint_a, &d->coordinate_a)) return false;
    if (!tl_build_coordinate(b, joints->item[1], &d->joint_b, &d->coordinate_b)) return false;
    d->ratio = tl_quantity(b->r, tl_node_get(node, "ratio"),
                           tl_factor_unit(tl_is_angle(b, joints->item[1], d->coordinate_b), tl_is_angle(b, joints->item[0], d->coordinate_a)), 1, true);
    if (d->ratio != 0) return true;
    tl_mistake(&b->scene->mistakes, TALUS_INPUT, tl_node_get(node, "ratio"), "a gear of ratio 0 would hold the first shaft whatever the other does");
    return false;
}

/* Trains, and those of three that have names. */
static bool read_train(tl_builder *b, const tl_node *node, const tl_node *joints, talus_loop_def *d)
{
    const tl_node *factors = tl_node_get(node, "factors");
    const char *type = tl_word(node, "type", "train");
    const bool is_train = strcmp(type, "train") == 0, planetary = strcmp(type, "planetary") == 0;
    if (is_train != (factors != NULL) || (is_train && (factors->kind != NODE_LIST || factors->count != joints->count))) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, factors ? factors : node,
                       is_train ? "a train has one factor for each of its joints: factors: [2, -1, -1]" : "'factors' are those of a train; a %s takes 'ratio'",
                       type);
        return false;
    }
    d->terms = joints->count;
    if (!tl_build_terms(b, joints, factors, d->term)) return false;
    for (int k = 0; !is_train && k < d->terms; k++)
        if (!tl_is_angle(b, joints->item[k], d->term[k].coordinate)) {
            tl_mistake(&b->scene->mistakes, TALUS_INPUT, joints->item[k], "a %s joins shafts that turn, and this coordinate is a length", type);
            return false;
        }
    if (is_train) return true;
    const double ratio = tl_quantity(b->r, tl_node_get(node, "ratio"), "", 1, true);
    if (!(ratio > 0)) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, tl_node_get(node, "ratio"), "the ratio of a %s is positive", type);
        return false;
    }
    const double planet[3] = {1, ratio, -1 - ratio}, apart[3] = {-1 - ratio, 1, ratio};
    for (int k = 0; k < 3; k++) d->term[k].factor = planetary ? planet[k] : apart[k];
    return true;
}

/* Loops of coordinates. */
static bool read_relation(tl_builder *b, const tl_node *node, talus_loop_def *d)
{
    const tl_node *joints = tl_node_get(node, "joints");
    const char *type = tl_word(node, "type", "gear");
    const bool is_train = strcmp(type, "train") == 0;
    const int least = d->kind != TALUS_LOOP_TRAIN || is_train ? 2 : 3, most = is_train ? TALUS_TERMS : least;
    if (!joints || joints->kind != NODE_LIST || joints->count < least || joints->count > most) {
        const char *wanted = is_train                         ? "two to four coordinates: joints: [a, b, c]"
                             : least == 2                     ? "two coordinates: joints: [a, b]"
                             : strcmp(type, "planetary") == 0 ? "three coordinates: joints: [sun, ring, carrier]"
                                                              : "three coordinates: joints: [case, a, b]";
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, joints ? joints : node, "a %s names %s", type, wanted);
        return false;
    }
    const int before = b->scene->mistakes.count;
    if (!(d->kind == TALUS_LOOP_TRAIN ? read_train(b, node, joints, d) : read_gear(b, node, joints, d))) return false;
    const int first = d->kind == TALUS_LOOP_TRAIN ? d->term[0].coordinate : d->coordinate_a;
    d->offset = tl_quantity(b->r, tl_node_get(node, "offset"), tl_is_angle(b, joints->item[0], first) ? "rad" : "m", 0, true);
    return b->scene->mistakes.count == before;
}

static talus_status build_loop(tl_builder *b, const tl_node *node)
{
    static const struct {
        const char *name;
        talus_loop_kind kind;
    } KINDS[] = {{"point", TALUS_LOOP_POINT}, {"hinge", TALUS_LOOP_HINGE},     {"body", TALUS_LOOP_BODY},
                 {"rod", TALUS_LOOP_ROD},     {"screw", TALUS_LOOP_SCREW},     {"gear", TALUS_LOOP_GEAR},
                 {"train", TALUS_LOOP_TRAIN}, {"planetary", TALUS_LOOP_TRAIN}, {"differential", TALUS_LOOP_TRAIN}};
    talus_loop_def d = talus_loop_def_default();
    talus_loop_id id;
    const char *type = tl_word(node, "type", "point");
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (strcmp(KINDS[i].name, type) == 0) d.kind = KINDS[i].kind;
    d.name = node->key;
    if (d.kind == TALUS_LOOP_SCREW || d.kind == TALUS_LOOP_GEAR || d.kind == TALUS_LOOP_TRAIN) {
        if (!read_relation(b, node, &d)) return TALUS_INPUT;
    } else {
        if (!two_bodies(b, node, &d.body_a, &d.body_b)) return TALUS_INPUT;
        if (!two_points(b, node, "at", "m", d.point_a, d.point_b)) return TALUS_INPUT;
        if (tl_node_get(node, "axes")) d.axis_a[2] = d.axis_b[2] = 0;
        if (!two_points(b, node, "axes", "", d.axis_a, d.axis_b)) return TALUS_INPUT;
        d.length = tl_quantity(b->r, tl_node_get(node, "length"), "m", 0, false);
    }
    return tl_build_check(b, talus_loop_create(b->world, b->mechanism, &d, &id), node);
}

static talus_status build_drive(tl_builder *b, const tl_node *node)
{
    talus_drive_def d = talus_drive_def_default();
    talus_joint_id joint;
    const tl_node *reference = tl_node_get(node, "joint"), *speed = tl_node_get(node, "speed"), *position = tl_node_get(node, "position");
    if (!tl_build_coordinate(b, reference, &joint, &d.coordinate)) return TALUS_INPUT;
    if (!speed == !position) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "a drive has either a speed or a position");
        return TALUS_INPUT;
    }
    const bool angle = strcmp(tl_coordinate_unit(b, reference, d.coordinate), "rad") == 0;
    const tl_node *most = tl_node_get(node, "force");
    if (speed) d.speed = tl_build_staged(b, &(tl_stageable){speed, "drives", node->key, "speed", angle ? "rad/s" : "m/s", false});
    else d.position = tl_build_staged(b, &(tl_stageable){position, "drives", node->key, "move", angle ? "rad" : "m", true});
    if (!d.speed.value && !d.position.value) return TALUS_INPUT; /* said already */
    if (!most) return tl_build_check(b, talus_joint_drive(b->world, joint, &d), node);
    talus_freedom_def f = talus_freedom_def_default();
    f.speed = d.speed, f.position = d.position;
    const tl_column rate = {"speed", angle ? "rad/s" : "m/s"}, force = {"force", angle ? "N m" : "N"};
    const int before = b->scene->mistakes.count;
    if (most->kind == NODE_SCALAR) f.force = tl_quantity(b->r, most, force.unit, f.force, true);
    else (void)tl_build_characteristic(b, most, &rate, &force, false, &f.most);
    if (b->scene->mistakes.count > before) return TALUS_INPUT;
    return tl_build_check(b, talus_joint_add_freedom(b->world, joint, d.coordinate, &f), node);
}

/* Numbers of a force at a joint, with their units at a coordinate that is a way, and at one that is an angle. */
static const struct {
    const char *key, *linear, *angular;
    size_t at; /* in talus_joint_force_def */
} FORCE_NUMBERS[] = {{"stiffness", "N/m", "N m/rad", offsetof(talus_joint_force_def, stiffness)},
                     {"damping", "N s/m", "N m s/rad", offsetof(talus_joint_force_def, damping)},
                     {"free", "m", "rad", offsetof(talus_joint_force_def, free_position)},
                     {"constant", "N", "N m", offsetof(talus_joint_force_def, constant)},
                     {"limit", "N", "N m", offsetof(talus_joint_force_def, limit)},
                     {"friction", "N", "N m", offsetof(talus_joint_force_def, friction)},
                     {"friction_velocity", "m/s", "rad/s", offsetof(talus_joint_force_def, friction_velocity)}};
enum { FORCE_NUMBER_COUNT = sizeof FORCE_NUMBERS / sizeof *FORCE_NUMBERS };

/* Stops and dry friction: what bounds an impulse. */
static talus_status build_freedom(tl_builder *b, const tl_node *node, talus_joint_id joint, bool angle, talus_joint_force_def *d)
{
    const char *unit = angle ? "rad" : "m";
    talus_freedom_def f = talus_freedom_def_default();
    f.low = tl_quantity(b->r, tl_node_get(node, "low"), unit, f.low, true);
    f.high = tl_quantity(b->r, tl_node_get(node, "high"), unit, f.high, true);
    f.restitution = tl_quantity(b->r, tl_node_get(node, "restitution"), "", 0, false);
    f.friction = d->friction;
    if (tl_node_get(node, "friction_velocity")) f.friction_velocity = d->friction_velocity;
    d->friction = 0; /* one constraint beside the stops, and not another by the force */
    if (isinf(f.low) && isinf(f.high) && !(f.friction > 0)) return TALUS_OK;
    return tl_build_check(b, talus_joint_add_freedom(b->world, joint, d->coordinate, &f), node);
}

static talus_status build_force(tl_builder *b, const tl_node *node)
{
    talus_joint_force_def d = talus_joint_force_def_default();
    talus_joint_id joint;
    const tl_node *reference = tl_node_get(node, "joint"), *target = tl_node_get(node, "target");
    if (!tl_build_coordinate(b, reference, &joint, &d.coordinate)) return TALUS_INPUT;
    const bool angle = strcmp(tl_coordinate_unit(b, reference, d.coordinate), "rad") == 0;
    for (int i = 0; i < FORCE_NUMBER_COUNT; i++) {
        double *out = (double *)(void *)((char *)&d + FORCE_NUMBERS[i].at);
        *out = tl_quantity(b->r, tl_node_get(node, FORCE_NUMBERS[i].key), angle ? FORCE_NUMBERS[i].angular : FORCE_NUMBERS[i].linear, *out, false);
    }
    d.implicit = strcmp(tl_word(node, "implicit", "false"), "true") == 0;
    const int before = b->scene->mistakes.count;
    if (target) d.target = tl_build_staged(b, &(tl_stageable){target, "forces", node->key, "target", angle ? "rad" : "m", false});
    if (b->scene->mistakes.count > before) return TALUS_INPUT;
    TL_TRY(tl_build_law(b, b->of_mechanism, node, angle, &d));
    TL_TRY(build_freedom(b, node, joint, angle, &d));
    return tl_build_check(b, talus_joint_add_force(b->world, joint, &d), node);
}

static talus_status build_spring(tl_builder *b, const tl_node *node)
{
    talus_spring_def d = talus_spring_def_default();
    if (!two_bodies(b, node, &d.body_a, &d.body_b)) return TALUS_INPUT;
    if (!two_points(b, node, "at", "m", d.point_a, d.point_b)) return TALUS_INPUT;
    d.stiffness = tl_quantity(b->r, tl_node_get(node, "stiffness"), "N/m", 0, false);
    d.damping = tl_quantity(b->r, tl_node_get(node, "damping"), "N s/m", 0, false);
    d.length = tl_quantity(b->r, tl_node_get(node, "length"), "m", 0, false);
    return tl_build_check(b, talus_spring_create(b->world, b->mechanism, &d), node);
}

static talus_status build_dependent(tl_builder *b, const tl_node *reference)
{
    talus_joint_id joint;
    int coordinate;
    if (!tl_build_coordinate(b, reference, &joint, &coordinate)) return TALUS_INPUT;
    return tl_build_check(b, talus_joint_set_dependent(b->world, joint, coordinate), reference);
}

/* Joints need their links and all else needs joints: a mistake in one of these ends what may be said of the mechanism. */
static talus_status build_mechanism(tl_builder *b, const tl_node *node)
{
    static const struct {
        const char *key;
        talus_status (*entry)(tl_builder *, const tl_node *);
        bool needed;
    } PART[] = {
        {"bodies", build_link, true},    {"shafts", tl_build_shaft, true}, {"joints", build_joint, true},           {"loops", build_loop, false},
        {"drives", build_drive, false},  {"forces", build_force, false},   {"couplings", tl_build_coupling, false}, {"converters", tl_build_converter, false},
        {"springs", build_spring, false}};
    const tl_node *dependent = tl_node_get(node, "dependent");
    talus_status first = tl_build_check(b, talus_mechanism_create(b->world, node->key, &b->mechanism), node);
    bool goes_on = first == TALUS_OK;
    if (goes_on && !tl_node_get(node, "shafts") && !(tl_node_get(node, "bodies") && tl_node_get(node, "joints"))) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "a mechanism has 'bodies' and 'joints', or 'shafts'");
        return TALUS_INPUT;
    }
    b->of_mechanism = node;
    for (size_t i = 0; goes_on && i < sizeof PART / sizeof *PART; i++) {
        const talus_status status = tl_build_each(b, tl_node_get(node, PART[i].key), PART[i].entry);
        if (first == TALUS_OK) first = status;
        goes_on = status == TALUS_OK || (status != TALUS_MEMORY && !PART[i].needed);
    }
    if (first == TALUS_OK) first = tl_build_states(b, node);
    if (first == TALUS_OK) first = tl_build_each(b, tl_node_get(node, "engines"), tl_build_engine); /* which may have states of their own: after these */
    for (int i = 0; first == TALUS_OK && dependent && i < (dependent->kind == NODE_LIST ? dependent->count : 1); i++)
        first = build_dependent(b, dependent->kind == NODE_LIST ? dependent->item[i] : dependent);
    return first;
}

talus_status tl_build_mechanisms(tl_builder *b) { return tl_build_each(b, tl_node_get(b->scene->root, "mechanisms"), build_mechanism); }

static const tl_node *map_of(const tl_node *owner, const char *key)
{
    static const tl_node EMPTY = {.kind = NODE_MAP};
    const tl_node *map = tl_node_get(owner, key);
    return map && map->kind == NODE_MAP ? map : &EMPTY;
}

/* ---- where coordinates start ---------------------------------------------------------------------------------------- */

static const double DEGREES = 180 / 3.14159265358979323846, MOVED_ANGLE = 2 / (180 / 3.14159265358979323846); /* [rad] */
static const double MOVED_WAY = 0.02;                                                                         /* of the longest way in the mechanism */

/* The longest way that the joints of a mechanism are apart, or slide. */
static double reach_of(tl_builder *b, const tl_node *joints)
{
    double reach = 0;
    for (int i = 0; i < joints->count; i++) {
        const joint_word *w = joint_word_of(joints->item[i]);
        double at[3] = {0};
        tl_vector(b, tl_node_get(joints->item[i], "at"), "m", at);
        reach = fmax(reach, sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]));
        const talus_joint_id id = talus_joint_find(b->world, joints->item[i]->key);
        for (int k = 0; k < 6 && w->coordinates[k]; k++)
            if (!w->angle[k]) reach = fmax(reach, fabs(talus_joint_position(b->world, id, k)));
    }
    return reach;
}

static void check_joint(tl_builder *b, const tl_node *joint, double reach)
{
    const joint_word *w = joint_word_of(joint);
    const tl_node *angle = tl_node_get(joint, "angle"), *position = tl_node_get(joint, "position"), *node = position ? position : angle;
    double given[6];
    char line[2048];
    for (int k = 0; k < 6; k++) given[k] = (double)NAN;
    if (angle) given[0] = tl_quantity(b->r, angle, "rad", 0, false);
    if (!node || !read_coordinates(b, position, w, false, given)) return;
    for (int k = 0; k < 6 && w->coordinates[k]; k++) {
        const double now = talus_joint_position(b->world, talus_joint_find(b->world, joint->key), k), unit = w->angle[k] ? DEGREES : 1;
        if (!(fabs(now - given[k]) > (w->angle[k] ? MOVED_ANGLE : MOVED_WAY * reach))) continue;
        snprintf(line, sizeof line, "%.800s:%d:%d: warning: joint '%.80s' starts with its %s at %.4g %s instead of %.4g %s: the loops do not close with it",
                 node->file, node->line, node->column, joint->key, w->coordinates[k], unit * now, w->angle[k] ? "deg" : "m", unit * given[k],
                 w->angle[k] ? "deg" : "m");
        talus_world_warn(b->world, line);
    }
}

/* A pendulum may be a point; what has shapes and turns is hardly meant to be one. */
static void warn_of_point(tl_builder *b, const tl_node *mechanism, const tl_node *joint)
{
    const tl_node *child = tl_node_get(joint, "child"), *body = child && child->text ? tl_node_get(map_of(mechanism, "bodies"), child->text) : NULL;
    const joint_word *w = joint_word_of(joint);
    char text[300];
    int turns = 0;
    for (int k = 0; k < 6 && w->coordinates[k]; k++) turns += w->angle[k];
    if (turns == 0 || !body || tl_node_get(body, "inertia") || !tl_node_get(body, "shapes") ||
        !(tl_quantity(b->r, tl_node_get(body, "mass"), "kg", 0, false) > 0))
        return;
    snprintf(text, sizeof text, "body '%.80s' has a mass and shapes, turns in joint '%.80s', and has no 'inertia': it swings as a point does", body->key,
             joint->key);
    talus_world_warn(b->world, text);
}

void tl_build_check_coordinates(tl_builder *b)
{
    const tl_node *mechanisms = tl_node_get(b->scene->root, "mechanisms");
    for (int i = 0; mechanisms && mechanisms->kind == NODE_MAP && i < mechanisms->count; i++) {
        const tl_node *joints = map_of(mechanisms->item[i], "joints"), *shafts = map_of(mechanisms->item[i], "shafts");
        const double reach = reach_of(b, joints);
        for (int k = 0; k < joints->count; k++) check_joint(b, joints->item[k], reach), warn_of_point(b, mechanisms->item[i], joints->item[k]);
        for (int k = 0; k < shafts->count; k++) check_joint(b, shafts->item[k], reach);
    }
}

/* ---- mistakes that only the kind of a joint shows --------------------------------------------------------------------- */

/* Of a function that may itself be written wrongly, which is said elsewhere. */
static void check_function(tl_builder *b, const tl_node *node, const char *unit)
{
    const tl_node *table = node && node->kind == NODE_MAP ? tl_node_get(node, "table") : NULL;
    if (node && node->kind == NODE_SCALAR) (void)tl_function(b->r, node, unit);
    for (int i = 0; table && table->kind == NODE_LIST && i < table->count; i++)
        if (table->item[i]->kind == NODE_LIST && table->item[i]->count == 2) (void)tl_quantity(b->r, table->item[i]->item[1], unit, 0, true);
}

/* A drive or a force at a coordinate of a joint. */
static void check_at_joint(tl_builder *b, const tl_node *node)
{
    const tl_node *reference = tl_node_get(node, "joint");
    talus_joint_id id;
    int coordinate;
    if (!reference || reference->kind != NODE_SCALAR || !tl_build_coordinate(b, reference, &id, &coordinate)) return;
    const bool angle = strcmp(tl_coordinate_unit(b, reference, coordinate), "rad") == 0;
    check_function(b, tl_node_get(node, "speed"), angle ? "rad/s" : "m/s");
    check_function(b, tl_node_get(node, "position"), angle ? "rad" : "m");
    check_function(b, tl_node_get(node, "target"), angle ? "rad" : "m");
    for (int i = 0; i < FORCE_NUMBER_COUNT; i++)
        (void)tl_quantity(b->r, tl_node_get(node, FORCE_NUMBERS[i].key), angle ? FORCE_NUMBERS[i].angular : FORCE_NUMBERS[i].linear, 0, true);
}

void tl_check_joint_units(tl_builder *b)
{
    tl_check_inputs(b);
    tl_check_hydraulics(b);
    static const char *const AT_JOINTS[] = {"drives", "forces"};
    const tl_node *mechanisms = map_of(b->scene->root, "mechanisms"), *probes = map_of(b->scene->root, "probes");
    for (int i = 0; i < mechanisms->count; i++) {
        const tl_node *joints = map_of(mechanisms->item[i], "joints");
        double ignored[6];
        for (int k = 0; k < joints->count; k++)
            for (int rates = 0; rates < 2; rates++)
                (void)read_coordinates(b, tl_node_get(joints->item[k], rates ? "velocity" : "position"), joint_word_of(joints->item[k]), rates, ignored);
        for (int p = 0; p < 2; p++) {
            const tl_node *list = map_of(mechanisms->item[i], AT_JOINTS[p]);
            for (int k = 0; k < list->count; k++) check_at_joint(b, list->item[k]);
        }
        tl_check_laws(b, mechanisms->item[i]);
    }
    for (int i = 0; i < probes->count; i++) check_at_joint(b, probes->item[i]);
}
