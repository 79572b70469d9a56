/* Mechanisms in maximal coordinates. `coordinates: maximal` has the machine of a mechanism written out as free bodies and joints between them, in the words of
 * the scene language, under the names that its links, joints and loops have: so what acts in its joints, cylinders on them and probes are those of joints
 * between bodies. The start is that of the same mechanism in relative coordinates, whose loops are closed and whose rates are known: bodies stand and move as
 * its links do, and coordinates of joints count on from there (`start`). What relative coordinates alone have is refused by its name. */
#include "scene/maximal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"

/* Of a kind of joints: the same between bodies, and names of its coordinates there. NULL: of the plane's `planar` and of `free` nothing is held. */
typedef struct counterpart {
    const char *type, *between, *coordinate[3];
} counterpart;

static const counterpart COUNTERPARTS[] = {
    {"revolute", "revolute", {"angle"}},
    {"prismatic", "prismatic", {"slide"}},
    {"screw", "screw", {"angle"}},
    {"cylindrical", "cylindrical", {"angle", "slide"}},
    {"universal", "universal", {"first", "second"}},
    {"planar", "planar", {"slide_1", "slide_2", "angle"}},
    {"spherical", "spherical", {NULL}},
    {"fixed", "fixed", {NULL}},
    {"free", NULL, {NULL}},
};

/* One mechanism on its way. */
typedef struct machine {
    tl_builder *b;
    const talus_world *start; /* the scene in relative coordinates */
    const tl_node *node;
} machine;

static const tl_node *map_of(const tl_node *owner, const char *key)
{
    static const tl_node EMPTY = {.kind = NODE_MAP};
    const tl_node *map = tl_node_get(owner, key);
    return map && map->kind == NODE_MAP ? map : &EMPTY;
}

static double quantity(const machine *m, const tl_node *map, const char *key, const char *unit)
{
    return tl_quantity(m->b->r, tl_node_get(map, key), unit, 0, true);
}

static bool refuse(const machine *m, const tl_node *node, const char *what)
{
    tl_mistake_key(&m->b->scene->mistakes, TALUS_UNSUPPORTED, node, "mechanism '%.60s' has 'coordinates: maximal', in which there are no %s", m->node->key,
                   what);
    return false;
}

static const counterpart *counterpart_of(const machine *m, const tl_node *joint)
{
    static const counterpart NOTHING = {"planar", NULL, {NULL}};
    const char *type = tl_word(joint, "type", "revolute");
    for (size_t i = 0; i < sizeof COUNTERPARTS / sizeof *COUNTERPARTS; i++)
        if (strcmp(COUNTERPARTS[i].type, type) == 0) return m->b->r->dimension == 2 && strcmp(type, "planar") == 0 ? &NOTHING : &COUNTERPARTS[i];
    return &NOTHING;
}

/* "arm", "base.x": the joint of this mechanism, and its name and coordinate between bodies; NULL: it is another's. False: it has no such coordinate there. */
static bool find_coordinate(const machine *m, const tl_node *reference, const tl_node **joint, const char **name)
{
    const char *dot = strchr(reference->text, '.');
    char key[128];
    snprintf(key, sizeof key, "%.*s", dot ? (int)(dot - reference->text) : 127, reference->text);
    *joint = tl_node_get(tl_node_get(m->node, "joints"), key);
    *name = NULL;
    if (!*joint) return true;
    const counterpart *c = counterpart_of(m, *joint);
    const int k = tl_joint_coordinate(*joint, dot ? dot + 1 : NULL);
    if (k < 0) return false;
    if (k < 3 && c->between) *name = c->coordinate[k];
    if (*name) return true;
    char what[200];
    snprintf(what, sizeof what, "coordinates of joint '%.60s' of type %.20s: bodies have none but their own", key, tl_word(*joint, "type", "revolute"));
    return refuse(m, reference, what);
}

/* ---- what there is not ---------------------------------------------------------------------------------------------------------- */

static bool check_parts(const machine *m)
{
    static const char *const PARTS[][2] = {
        {"shafts", "shafts"},         {"couplings", "couplings between coordinates"}, {"engines", "engines on shafts"}, {"converters", "torque converters"},
        {"states", "states of laws"}, {"springs", "springs between points"}};
    static const char *const RELATIONS[] = {"screw", "gear", "train", "planetary", "differential"};
    bool fits = true;
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        if (map_of(m->node, PARTS[i][0])->count > 0) fits = refuse(m, tl_node_get(m->node, PARTS[i][0]), PARTS[i][1]);
    const tl_node *loops = map_of(m->node, "loops"), *bodies = map_of(m->node, "bodies");
    for (int i = 0; i < loops->count; i++)
        for (size_t k = 0; k < sizeof RELATIONS / sizeof *RELATIONS; k++)
            if (strcmp(tl_word(loops->item[i], "type", "point"), RELATIONS[k]) == 0)
                fits = refuse(m, loops->item[i], "relations between coordinates: loops of type screw, gear, train, planetary and differential");
    for (int i = 0; i < bodies->count; i++) {
        double centre[3], I[6] = {0};
        const bool found = talus_link_inertia(m->start, talus_body_find(m->start, bodies->item[i]->key), centre, I);
        const bool turns = m->b->r->dimension == 2 ? I[2] > 0 : I[0] > 0 && I[1] > 0 && I[2] > 0;
        if (!found || !(quantity(m, bodies->item[i], "mass", "kg") > 0) || !turns) fits = refuse(m, bodies->item[i], "bodies without mass or inertia");
    }
    return fits;
}

/* What acts in joints: one entry of `forces` and one of `drives` for a coordinate, which says nothing but what a joint between bodies takes. */
static bool check_acting(const machine *m, const char *part)
{
    static const char *const MISSING[] = {"law", "target", "limit", "friction_velocity"};
    const tl_node *all = map_of(m->node, part);
    bool fits = true;
    for (int i = 0; i < all->count; i++) {
        const tl_node *force = all->item[i], *reference = tl_node_get(force, "joint"), *joint, *twin;
        const char *name, *other;
        if (!find_coordinate(m, reference, &joint, &name)) {
            fits = false;
            continue;
        }
        for (size_t k = 0; k < sizeof MISSING / sizeof *MISSING; k++) {
            char what[100];
            snprintf(what, sizeof what, "forces in joints by '%s'", MISSING[k]);
            if (tl_node_get(force, MISSING[k])) fits = refuse(m, tl_node_get(force, MISSING[k]), what);
        }
        if (tl_node_get(force, "constant") && !tl_node_get(force, "stiffness"))
            fits = refuse(m, tl_node_get(force, "constant"), "constant forces without a spring");
        for (int k = 0; k < i; k++)
            if (find_coordinate(m, tl_node_get(all->item[k], "joint"), &twin, &other) && twin == joint && other == name)
                fits = refuse(m, force, "two forces or drives in one coordinate");
    }
    return fits;
}

/* Is there an entry of `part` for this coordinate? */
static const tl_node *acting_in(const machine *m, const char *part, const tl_node *joint, const char *coordinate)
{
    const tl_node *all = map_of(m->node, part), *of;
    const char *name;
    for (int i = 0; i < all->count; i++)
        if (find_coordinate(m, tl_node_get(all->item[i], "joint"), &of, &name) && of == joint && name && strcmp(name, coordinate) == 0) return all->item[i];
    return NULL;
}

static bool check_stages(const machine *m)
{
    static const char *const PARTS[] = {"drives", "forces"};
    const tl_node *stages = map_of(m->b->scene->root, "stages");
    bool fits = true;
    for (int i = 0; i < stages->count; i++)
        for (int p = 0; p < 2; p++) {
            const tl_node *changed = map_of(stages->item[i], PARTS[p]);
            for (int k = 0; k < changed->count; k++)
                if (tl_node_get(map_of(m->node, PARTS[p]), changed->item[k]->key)) fits = refuse(m, changed->item[k], "drives and forces that stages change");
        }
    return fits;
}

/* Couplings and relations of other mechanisms that name a joint of this one. */
static bool check_others(const machine *m)
{
    static const char *const PARTS[] = {"couplings", "loops"};
    const tl_node *all = map_of(m->b->scene->root, "mechanisms"), *joint;
    const char *name;
    bool fits = true;
    for (int i = 0; i < all->count; i++)
        for (int p = 0; p < 2; p++) {
            const tl_node *list = map_of(all->item[i], PARTS[p]);
            for (int k = 0; k < list->count && all->item[i] != m->node; k++) {
                const tl_node *joints = tl_node_get(list->item[k], "joints");
                for (int n = 0; joints && n < joints->count; n++)
                    if (find_coordinate(m, joints->item[n], &joint, &name) && joint) fits = refuse(m, joints->item[n], "couplings with other mechanisms");
            }
        }
    return fits;
}

/* ---- writing -------------------------------------------------------------------------------------------------------------------- */

static void put_vector(FILE *f, const machine *m, const char *key, tl_vec3 v)
{
    if (m->b->r->dimension == 2) fprintf(f, ", %s: [%.17g, %.17g]", key, v.x, v.y);
    else fprintf(f, ", %s: [%.17g, %.17g, %.17g]", key, v.x, v.y, v.z);
}

/* Another child of a map, under this key. */
static bool graft(const machine *m, tl_node *map, const tl_node *child, const char *key)
{
    tl_arena *arena = m->b->scene->arena;
    tl_node **item = tl_arena_alloc(arena, (size_t)map->count + 1, sizeof *item), *copy = tl_arena_alloc(arena, 1, sizeof *copy);
    if (!child) return true;
    if (!item || !copy) return false;
    if (map->count > 0) memcpy(item, map->item, (size_t)map->count * sizeof *item);
    *copy = *child;
    copy->key = key;
    item[map->count++] = copy;
    map->item = item, map->capacity = map->count;
    return true;
}

/* A node of the tree that may be added to. */
static tl_node *node_at(const machine *m, const char *map, const char *key)
{
    const tl_node *list = tl_node_get(m->b->scene->root, map);
    for (int i = 0; list && i < list->count; i++)
        if (strcmp(list->item[i]->key, key) == 0) return list->item[i];
    return NULL;
}

static talus_status add(const machine *m, FILE *f, char **text, const tl_node *place)
{
    const bool written = fclose(f) == 0;
    const bool added = written && tl_yaml_add(m->b->scene->root, *text, place, m->b->scene->arena, &m->b->scene->mistakes);
    free(*text);
    if (!written) return TALUS_MEMORY;
    return added ? TALUS_OK : m->b->scene->mistakes.status != TALUS_OK ? m->b->scene->mistakes.status : TALUS_MEMORY;
}

static talus_status write_body(const machine *m, const tl_node *link)
{
    const talus_body_id id = talus_body_find(m->start, link->key);
    const bool planar = m->b->r->dimension == 2;
    double p[3], q[4], c[3], I[6], v[3], w[3];
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f) return TALUS_MEMORY;
    talus_body_pose(m->start, id, p, q);
    (void)talus_link_inertia(m->start, id, c, I);
    talus_body_velocity(m->start, id, c, v, w);
    fprintf(f, "bodies:\n  \"%s\": {kind: free, machine: \"%s\", mass: %.17g", link->key, m->node->key, quantity(m, link, "mass", "kg"));
    put_vector(f, m, "centre_of_mass", tl_load3(c));
    put_vector(f, m, "position", tl_load3(p));
    put_vector(f, m, "velocity", tl_load3(v));
    if (planar) fprintf(f, ", inertia: %.17g, angle: %.17g, angular_velocity: %.17g", I[2], talus_body_angle(m->start, id), w[2]);
    else
        fprintf(f, ", inertia_tensor: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g], orientation: {quat_wxyz: [%.17g, %.17g, %.17g, %.17g]}", I[0], I[1], I[2],
                I[3], I[4], I[5], q[0], q[1], q[2], q[3]);
    if (!planar) put_vector(f, m, "spin", tl_load3(w));
    fprintf(f, "}\n");
    TL_TRY(add(m, f, &text, link));
    tl_node *body = node_at(m, "bodies", link->key);
    return body && graft(m, body, tl_node_get(link, "material"), "material") && graft(m, body, tl_node_get(link, "shapes"), "shapes") ? TALUS_OK : TALUS_MEMORY;
}

static tl_frame frame_of(const machine *m, const tl_node *name)
{
    tl_frame f = {.R = tl_mat3_identity()};
    double p[3], q[4];
    if (strcmp(name->text, "ground") == 0) return f;
    talus_body_pose(m->start, talus_body_find(m->start, name->text), p, q);
    return (tl_frame){tl_load3(p), tl_mat3_from_quat((tl_quat){q[0], q[1], q[2], q[3]})};
}

static tl_vec3 point_of(const machine *m, const tl_frame *f, const tl_node *at)
{
    double p[3] = {0, 0, 0};
    tl_vector(m->b, at, "m", p);
    return tl_add(f->p, tl_mat3_apply(&f->R, tl_load3(p)));
}

static tl_vec3 axis_of(const machine *m, const tl_mat3 *R, const tl_node *axis, tl_vec3 fallback)
{
    double e[3] = {0, 0, 0};
    tl_vector(m->b, axis, "", e);
    return tl_mat3_apply(R, axis ? tl_load3(e) : fallback);
}

/* What acts in coordinate k: the start, a spring, stops, dry friction; what is written by numbers. The constant of a spring moves where it is free. */
static void write_freedom(FILE *f, const machine *m, const tl_node *joint, const char *coordinate, int k)
{
    static const char *const SAME[] = {"stiffness", "damping", "friction", "low", "high", "restitution"};
    static const char *const WAY[] = {"N/m", "N s/m", "N", "m", "m", ""}, *const ANGLE[] = {"N m/rad", "N m s/rad", "N m", "rad", "rad", ""};
    const bool angle = tl_joint_is_angle(joint, k);
    const tl_node *force = acting_in(m, "forces", joint, coordinate);
    fprintf(f, ", %s: {start: %.17g", coordinate, talus_joint_position(m->start, talus_joint_find(m->start, joint->key), k));
    for (size_t i = 0; force && i < sizeof SAME / sizeof *SAME; i++)
        if (tl_node_get(force, SAME[i])) fprintf(f, ", %s: %.17g", SAME[i], quantity(m, force, SAME[i], angle ? ANGLE[i] : WAY[i]));
    if (force && tl_node_get(force, "stiffness")) {
        const double stiffness = quantity(m, force, "stiffness", angle ? ANGLE[0] : WAY[0]), constant = quantity(m, force, "constant", angle ? "N m" : "N");
        fprintf(f, ", rest: %.17g", quantity(m, force, "free", angle ? "rad" : "m") + (stiffness > 0 ? constant / stiffness : 0));
    }
    fprintf(f, "}");
}

/* Functions and tables of a drive, as the scene has them. */
static talus_status graft_drive(const machine *m, const tl_node *joint, const char *coordinate)
{
    static const char *const KEYS[] = {"speed", "position", "force"};
    const tl_node *drive = acting_in(m, "drives", joint, coordinate), *written = node_at(m, "joints", joint->key);
    tl_node *freedom = NULL;
    for (int i = 0; written && i < written->count; i++)
        if (strcmp(written->item[i]->key, coordinate) == 0) freedom = written->item[i];
    for (size_t i = 0; drive && i < sizeof KEYS / sizeof *KEYS; i++)
        if (!freedom || !graft(m, freedom, tl_node_get(drive, KEYS[i]), KEYS[i])) return TALUS_MEMORY;
    return TALUS_OK;
}

/* Axes: those of revolute, screw, cylindrical and prismatic joints are the same in parent and child; the normal of `planar` too, whose ways are along axes of
 * the parent. Of the bars of `universal` the first is the parent's, the second the child's. */
static talus_status write_axes(FILE *f, const machine *m, const tl_node *joint, const tl_frame *parent, const tl_frame *child)
{
    const char *type = tl_word(joint, "type", "revolute");
    const double turn = 0.5 * quantity(m, joint, "orientation", "rad");
    double q[4] = {cos(turn), 0, 0, sin(turn)};
    TL_TRY(tl_build_orientation(m->b, tl_node_get(joint, "rotation"), q));
    const tl_mat3 turned = tl_mat3_from_quat((tl_quat){q[0], q[1], q[2], q[3]}), R = tl_mat3_mul(&parent->R, &turned);
    const tl_vec3 axis = axis_of(m, &R, tl_node_get(joint, "axis"), strcmp(type, "prismatic") == 0 ? tl_v3(1, 0, 0) : tl_v3(0, 0, 1));
    if (m->b->r->dimension == 3 || strcmp(type, "prismatic") == 0) put_vector(f, m, "axis", axis);
    if (strcmp(type, "universal") == 0 || strcmp(type, "planar") == 0)
        put_vector(f, m, "axis2", axis_of(m, type[0] == 'u' ? &child->R : &R, tl_node_get(joint, "axis2"), tl_v3(1, 0, 0)));
    if (strcmp(type, "screw") == 0) fprintf(f, ", length: %.17g", 2 * TL_PI * quantity(m, joint, "pitch", "m/rad"));
    return TALUS_OK;
}

static talus_status write_joint(const machine *m, const tl_node *joint)
{
    const counterpart *c = counterpart_of(m, joint);
    const tl_node *parent = tl_node_get(joint, "parent"), *child = tl_node_get(joint, "child");
    const tl_frame a = frame_of(m, parent), b = frame_of(m, child);
    char *text = NULL;
    size_t length = 0;
    if (!c->between) return TALUS_OK;
    FILE *f = open_memstream(&text, &length);
    if (!f) return TALUS_MEMORY;
    fprintf(f, "joints:\n  \"%s\": {type: %s, bodies: [\"%s\", \"%s\"]", joint->key, c->between, parent->text, child->text);
    put_vector(f, m, "at", point_of(m, &b, tl_node_get(joint, "child_at")));
    const talus_status status = write_axes(f, m, joint, &a, &b);
    for (int k = 0; k < 3 && c->coordinate[k]; k++) write_freedom(f, m, joint, c->coordinate[k], k);
    fprintf(f, "}\n");
    const talus_status added = add(m, f, &text, joint);
    TL_TRY(status);
    TL_TRY(added);
    for (int k = 0; k < 3 && c->coordinate[k]; k++) TL_TRY(graft_drive(m, joint, c->coordinate[k]));
    return TALUS_OK;
}

/* The first body comes second: what a loop exerts on it is what its joint says. */
static talus_status write_loop(const machine *m, const tl_node *loop)
{
    static const char *const KINDS[][2] = {{"hinge", "revolute"}, {"body", "fixed"}, {"rod", "distance"}};
    const tl_node *bodies = tl_node_get(loop, "bodies"), *at = tl_node_get(loop, "at"), *axes = tl_node_get(loop, "axes");
    const char *type = tl_word(loop, "type", "point"), *between = m->b->r->dimension == 2 ? "revolute" : "spherical";
    const tl_frame a = frame_of(m, bodies->item[0]), b = frame_of(m, bodies->item[1]);
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f) return TALUS_MEMORY;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (strcmp(KINDS[i][0], type) == 0) between = KINDS[i][1];
    fprintf(f, "joints:\n  \"%s\": {type: %s, bodies: [\"%s\", \"%s\"]", loop->key, between, bodies->item[1]->text, bodies->item[0]->text);
    put_vector(f, m, "at", point_of(m, &b, at ? at->item[1] : NULL));
    if (strcmp(type, "rod") == 0)
        put_vector(f, m, "to", point_of(m, &a, at ? at->item[0] : NULL)), fprintf(f, ", length: %.17g", quantity(m, loop, "length", "m"));
    if (strcmp(type, "hinge") == 0 && m->b->r->dimension == 3) put_vector(f, m, "axis", axis_of(m, &a.R, axes ? axes->item[0] : NULL, tl_v3(0, 0, 1)));
    fprintf(f, "}\n");
    return add(m, f, &text, loop);
}

/* ---- what names joints ---------------------------------------------------------------------------------------------------------- */

/* A child of a map becomes another key with a name. */
static talus_status rename_child(const machine *m, tl_node *map, const char *from, const char *to, const char *name)
{
    char *copy = tl_arena_alloc(m->b->scene->arena, strlen(name) + 1, 1);
    if (!copy) return TALUS_MEMORY;
    strcpy(copy, name);
    for (int i = 0; i < map->count; i++)
        if (strcmp(map->item[i]->key, from) == 0) map->item[i]->key = to, map->item[i]->text = copy;
    return TALUS_OK;
}

/* The force that a joint of a mechanism tells is that of all that acts in it, between bodies that of the drive: they are the same where nothing else acts. */
static talus_status turn_joint(const machine *m, tl_node *node)
{
    const tl_node *reference = tl_node_get(node, "joint"), *joint;
    const char *name, *quantity_word = tl_word(node, "quantity", "position");
    char text[300];
    if (!find_coordinate(m, reference, &joint, &name)) return TALUS_UNSUPPORTED;
    if (!joint) return TALUS_OK;
    if (strcmp(quantity_word, "force") == 0 && (acting_in(m, "forces", joint, name) || !acting_in(m, "drives", joint, name))) {
        (void)refuse(m, tl_node_get(node, "quantity"), "sums of what acts in a joint: probes read the force of a drive where nothing else acts");
        return TALUS_UNSUPPORTED;
    }
    snprintf(text, sizeof text, "%.120s.%s", joint->key, name);
    return rename_child(m, node, "joint", "body_joint", text);
}

static talus_status turn_loop(const machine *m, tl_node *node)
{
    const tl_node *name = tl_node_get(node, "loop"), *loop = tl_node_get(tl_node_get(m->node, "loops"), name->text);
    const char *word = tl_word(node, "quantity", "force");
    if (!loop) return TALUS_OK;
    if (strcmp(tl_word(loop, "type", "point"), "rod") == 0 && strcmp(word, "force") != 0) {
        (void)refuse(m, tl_node_get(node, "quantity"), "signed forces of a rod: its 'force' is the magnitude");
        return TALUS_UNSUPPORTED;
    }
    for (int i = 0; i < node->count; i++)
        if (strcmp(node->item[i]->key, "quantity") == 0 && strcmp(word, "force") == 0) node->item[i]->text = "magnitude";
    return rename_child(m, node, "loop", "body_joint", loop->key);
}

static talus_status turn_probes(const machine *m)
{
    const tl_node *probes = map_of(m->b->scene->root, "probes");
    talus_status first = TALUS_OK;
    for (int i = 0; i < probes->count; i++) {
        talus_status status = TALUS_OK;
        if (tl_node_get(probes->item[i], "joint")) status = turn_joint(m, probes->item[i]);
        else if (tl_node_get(probes->item[i], "loop")) status = turn_loop(m, probes->item[i]);
        if (first == TALUS_OK) first = status;
    }
    return first;
}

static talus_status turn_hydraulics(const machine *m)
{
    static const char *const PARTS[] = {"cylinders", "motors"};
    const tl_node *all = map_of(m->b->scene->root, "hydraulics"), *joint;
    const char *name;
    for (int i = 0; i < all->count; i++)
        for (int p = 0; p < 2; p++) {
            const tl_node *parts = map_of(all->item[i], PARTS[p]);
            for (int k = 0; k < parts->count; k++) {
                const tl_node *reference = tl_node_get(parts->item[k], "joint");
                char text[300];
                if (!reference) continue;
                if (!find_coordinate(m, reference, &joint, &name)) return TALUS_UNSUPPORTED;
                if (!joint) continue;
                snprintf(text, sizeof text, "%.120s.%s", joint->key, name);
                TL_TRY(rename_child(m, parts->item[k], "joint", "body_joint", text));
            }
        }
    return TALUS_OK;
}

/* ---- */

static talus_status write_machine(const machine *m)
{
    static const struct {
        const char *key;
        talus_status (*write)(const machine *, const tl_node *);
    } PARTS[] = {{"bodies", write_body}, {"joints", write_joint}, {"loops", write_loop}};
    const tl_node *twins[] = {map_of(m->b->scene->root, "bodies"), map_of(m->b->scene->root, "joints"), map_of(m->b->scene->root, "joints")};
    for (int p = 0; p < 3; p++) {
        const tl_node *part = map_of(m->node, PARTS[p].key);
        for (int i = 0; i < part->count; i++) {
            const tl_node *twin = tl_node_get(twins[p], part->item[i]->key);
            if (twin) {
                tl_mistake_key(&m->b->scene->mistakes, TALUS_INPUT, part->item[i],
                               "mechanism '%.60s' has 'coordinates: maximal', in which this becomes one of `%s`, and there is one named '%.60s' in line %d",
                               m->node->key, p == 0 ? "bodies" : "joints", twin->key, twin->key_line);
                return TALUS_INPUT;
            }
        }
    }
    for (int p = 0; p < 3; p++) {
        const tl_node *part = map_of(m->node, PARTS[p].key);
        for (int i = 0; i < part->count; i++) TL_TRY(PARTS[p].write(m, part->item[i]));
    }
    TL_TRY(turn_probes(m));
    return turn_hydraulics(m);
}

bool tl_is_maximal(const tl_node *mechanism) { return strcmp(tl_word(mechanism, "coordinates", "relative"), "maximal") == 0; }

bool tl_has_maximal(const talus_scene *s)
{
    const tl_node *all = map_of(s->root, "mechanisms");
    for (int i = 0; i < all->count; i++)
        if (tl_is_maximal(all->item[i])) return true;
    return false;
}

/* The tree's own map of mechanisms, without one. */
static void take_out(talus_scene *s, const tl_node *mechanism)
{
    for (int i = 0; i < s->root->count; i++) {
        tl_node *all = s->root->item[i];
        int left = 0;
        if (strcmp(all->key, "mechanisms") != 0) continue;
        for (int k = 0; k < all->count; k++)
            if (all->item[k] != mechanism) all->item[left++] = all->item[k];
        all->count = left;
    }
}

talus_status tl_expand_maximal(tl_builder *b, const talus_world *start)
{
    const tl_node *all = map_of(b->scene->root, "mechanisms");
    for (int i = 0; i < all->count; i++) {
        const machine m = {b, start, all->item[i]};
        if (!tl_is_maximal(m.node)) continue;
        const bool parts = check_parts(&m), forces = check_acting(&m, "forces"), drives = check_acting(&m, "drives");
        const bool stages = check_stages(&m), others = check_others(&m);
        if (!parts || !forces || !drives || !stages || !others) return TALUS_UNSUPPORTED;
    }
    tl_scene_note_keys(b->scene); /* of the mechanisms, which are gone when the scene is built */
    for (int i = 0; i < all->count;) {
        const machine m = {b, start, all->item[i]};
        if (!tl_is_maximal(m.node)) {
            i++;
            continue;
        }
        TL_TRY(write_machine(&m));
        take_out(b->scene, m.node);
    }
    return TALUS_OK;
}
