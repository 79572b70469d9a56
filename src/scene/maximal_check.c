/* What a mechanism in maximal coordinates (maximal.c) cannot have, each said by its name; and what its joints and coordinates are between bodies. */
#include <stdio.h>
#include <string.h>

#include "scene/maximal.h"

static const tl_counterpart COUNTERPARTS[] = {
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

const tl_node *tl_machine_map(const tl_node *owner, const char *key)
{
    static const tl_node EMPTY = {.kind = NODE_MAP};
    const tl_node *map = tl_node_get(owner, key);
    return map && map->kind == NODE_MAP ? map : &EMPTY;
}

double tl_machine_quantity(const tl_machine *m, const tl_node *map, const char *key, const char *unit)
{
    return tl_quantity(m->b->r, tl_node_get(map, key), unit, 0, true);
}

bool tl_machine_refuse(const tl_machine *m, const tl_node *node, const char *what)
{
    tl_mistake_key(&m->b->scene->mistakes, TALUS_UNSUPPORTED, node, "mechanism '%.60s' has 'coordinates: maximal', in which there are no %s", m->node->key,
                   what);
    return false;
}

const tl_counterpart *tl_machine_counterpart(const tl_machine *m, const tl_node *joint)
{
    static const tl_counterpart NOTHING = {"planar", NULL, {NULL}};
    const char *type = tl_word(joint, "type", "revolute");
    if (m->b->r->dimension == 2 && strcmp(type, "planar") == 0) return &NOTHING;
    for (size_t i = 0; i < sizeof COUNTERPARTS / sizeof *COUNTERPARTS; i++)
        if (strcmp(COUNTERPARTS[i].type, type) == 0) return &COUNTERPARTS[i];
    return NULL;
}

/* "arm", "base.x": the joint of this mechanism; NULL: it is another's. */
static const tl_node *own_joint(const tl_machine *m, const tl_node *reference)
{
    const tl_node *joints = tl_machine_map(m->node, "joints");
    const size_t length = strcspn(reference->text, ".");
    for (int i = 0; i < joints->count; i++)
        if (strlen(joints->item[i]->key) == length && strncmp(joints->item[i]->key, reference->text, length) == 0) return joints->item[i];
    return NULL;
}

bool tl_machine_coordinate(const tl_machine *m, const tl_node *reference, const tl_node **joint, const char **name)
{
    const char *dot = strchr(reference->text, '.');
    *joint = own_joint(m, reference);
    *name = NULL;
    if (!*joint) return true;
    const tl_counterpart *c = tl_machine_counterpart(m, *joint);
    const int k = tl_joint_coordinate(*joint, dot ? dot + 1 : NULL);
    if (k < 0) {
        talus_joint_id id;
        int none;
        (void)tl_build_coordinate(m->b, reference, &id, &none); /* which says so */
        return false;
    }
    if (k < 3 && c && c->between) *name = c->coordinate[k];
    if (*name) return true;
    char what[200];
    snprintf(what, sizeof what, "coordinates of joint '%.60s' of type %.20s: bodies have none but their own", (*joint)->key,
             tl_word(*joint, "type", "revolute"));
    return tl_machine_refuse(m, reference, what);
}

/* ---- what there is not ---------------------------------------------------------------------------------------------------------- */

/* The bars of a cross of relative coordinates keep the angle that they are given, those of bodies stay square. */
static bool is_skew(const tl_machine *m, const tl_node *joint)
{
    static const double CLOSE = 1e-6;
    double axis[3] = {0, 0, 1}, other[3] = {1, 0, 0};
    if (strcmp(tl_word(joint, "type", "revolute"), "universal") != 0) return false;
    if (tl_node_get(joint, "axis")) tl_vector(m->b, tl_node_get(joint, "axis"), "", axis);
    if (tl_node_get(joint, "axis2")) tl_vector(m->b, tl_node_get(joint, "axis2"), "", other);
    const tl_vec3 a = tl_load3(axis), b = tl_load3(other);
    return fabs(tl_dot(a, b)) > CLOSE * tl_norm(a) * tl_norm(b);
}

/* Where it is said. */
static const tl_node *skew_node(const tl_node *joint)
{
    const tl_node *second = tl_node_get(joint, "axis2");
    return second ? second : tl_node_get(joint, "axis");
}

static bool check_parts(const tl_machine *m)
{
    static const char *const PARTS[][2] = {
        {"shafts", "shafts"},         {"couplings", "couplings between coordinates"}, {"engines", "engines on shafts"}, {"converters", "torque converters"},
        {"states", "states of laws"}, {"springs", "springs between points"}};
    static const char *const RELATIONS[] = {"screw", "gear", "train", "planetary", "differential"};
    bool fits = true;
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        if (tl_machine_map(m->node, PARTS[i][0])->count > 0) fits = tl_machine_refuse(m, tl_node_get(m->node, PARTS[i][0]), PARTS[i][1]);
    const tl_node *loops = tl_machine_map(m->node, "loops"), *bodies = tl_machine_map(m->node, "bodies"), *joints = tl_machine_map(m->node, "joints");
    for (int i = 0; i < joints->count; i++) /* of a type that is not in the table: it would be left out */
        if (!tl_machine_counterpart(m, joints->item[i])) fits = tl_machine_refuse(m, joints->item[i], "joints of this type");
        else if (is_skew(m, joints->item[i])) fits = tl_machine_refuse(m, skew_node(joints->item[i]), "universal joints whose axes are not square");
    for (int i = 0; i < loops->count; i++)
        for (size_t k = 0; k < sizeof RELATIONS / sizeof *RELATIONS; k++)
            if (strcmp(tl_word(loops->item[i], "type", "point"), RELATIONS[k]) == 0)
                fits = tl_machine_refuse(m, loops->item[i], "relations between coordinates: loops of type screw, gear, train, planetary and differential");
    for (int i = 0; i < bodies->count; i++) {
        double centre[3], I[6] = {0};
        const bool found = talus_link_inertia(m->start, talus_body_find(m->start, bodies->item[i]->key), centre, I);
        const bool turns = m->b->r->dimension == 2 ? I[2] > 0 : I[0] > 0 && I[1] > 0 && I[2] > 0;
        if (!found || !(tl_machine_quantity(m, bodies->item[i], "mass", "kg") > 0) || !turns)
            fits = tl_machine_refuse(m, bodies->item[i], "bodies without mass or inertia");
    }
    return fits;
}

/* The constant of a force is written as a shift of where its spring is free, which takes a spring. */
static bool check_constant(const tl_machine *m, const tl_node *force)
{
    const bool angle = strcmp(tl_coordinate_unit(m->b, tl_node_get(force, "joint"), -1), "rad") == 0;
    if (tl_machine_quantity(m, force, "constant", angle ? "N m" : "N") == 0 || tl_machine_quantity(m, force, "stiffness", angle ? "N m/rad" : "N/m") > 0)
        return true;
    char what[100];
    snprintf(what, sizeof what, "constant forces without a spring, and '%.40s' has no stiffness", force->key);
    return tl_machine_refuse(m, tl_node_get(force, "constant"), what);
}

/* What acts in joints: one entry of `forces` and one of `drives` for a coordinate, which says nothing but what a joint between bodies takes. */
static bool check_acting(const tl_machine *m, const char *part)
{
    static const char *const MISSING[] = {"law", "target", "limit"};
    const tl_node *all = tl_machine_map(m->node, part);
    bool fits = true;
    for (int i = 0; i < all->count; i++) {
        const tl_node *force = all->item[i], *reference = tl_node_get(force, "joint"), *joint, *twin;
        const char *name, *other;
        if (!tl_machine_coordinate(m, reference, &joint, &name)) fits = false;
        else if (!joint) fits = tl_machine_refuse(m, reference, "drives and forces in joints of other mechanisms");
        if (!joint || !name) continue;
        for (size_t k = 0; k < sizeof MISSING / sizeof *MISSING; k++) {
            char what[100];
            snprintf(what, sizeof what, "forces in joints by '%s'", MISSING[k]);
            if (tl_node_get(force, MISSING[k])) fits = tl_machine_refuse(m, tl_node_get(force, MISSING[k]), what);
        }
        fits = check_constant(m, force) && fits;
        for (int k = 0; k < i; k++)
            if (tl_machine_coordinate(m, tl_node_get(all->item[k], "joint"), &twin, &other) && twin == joint && other == name)
                fits = tl_machine_refuse(m, force, "two forces or drives in one coordinate");
    }
    return fits;
}

/* Is there an entry of `part` for this coordinate? */
const tl_node *tl_machine_acting(const tl_machine *m, const char *part, const tl_node *joint, const char *coordinate)
{
    const tl_node *all = tl_machine_map(m->node, part), *of;
    const char *name;
    for (int i = 0; i < all->count; i++)
        if (tl_machine_coordinate(m, tl_node_get(all->item[i], "joint"), &of, &name) && of == joint && name && strcmp(name, coordinate) == 0)
            return all->item[i];
    return NULL;
}

static bool check_stages(const tl_machine *m)
{
    static const char *const PARTS[] = {"drives", "forces"};
    const tl_node *stages = tl_machine_map(m->b->scene->root, "stages");
    bool fits = true;
    for (int i = 0; i < stages->count; i++)
        for (int p = 0; p < 2; p++) {
            const tl_node *changed = tl_machine_map(stages->item[i], PARTS[p]);
            for (int k = 0; k < changed->count; k++)
                if (tl_node_get(tl_machine_map(m->node, PARTS[p]), changed->item[k]->key))
                    fits = tl_machine_refuse(m, changed->item[k], "drives and forces that stages change");
        }
    return fits;
}

/* Does one coordinate, or one of a list, belong to another mechanism than this one (own: to this one)? It is refused. */
static bool check_named(const tl_machine *m, const tl_node *named, bool own, const char *what)
{
    bool fits = true;
    if (!named) return true;
    if (named->kind == NODE_SCALAR) return (own_joint(m, named) != NULL) == own ? tl_machine_refuse(m, named, what) : true;
    for (int i = 0; i < named->count; i++) fits = check_named(m, named->item[i], own, what) && fits;
    return fits;
}

/* All by which another mechanism may name a joint of this one; relations and converters are of one mechanism only. And what this one chooses of another. */
static bool check_others(const tl_machine *m)
{
    static const char DEPENDENT[] = "coordinates that another mechanism has depend on loops";
    static const char *const PARTS[][3] = {{"couplings", "joints", "couplings with other mechanisms"},
                                           {"engines", "joint", "engines of other mechanisms"},
                                           {"drives", "joint", "drives of other mechanisms"},
                                           {"forces", "joint", "forces of other mechanisms"}};
    const tl_node *all = tl_machine_map(m->b->scene->root, "mechanisms");
    bool fits = check_named(m, tl_node_get(m->node, "dependent"), false, DEPENDENT);
    for (int i = 0; i < all->count; i++) {
        if (all->item[i] == m->node) continue;
        for (size_t p = 0; p < sizeof PARTS / sizeof *PARTS; p++) {
            const tl_node *list = tl_machine_map(all->item[i], PARTS[p][0]);
            for (int k = 0; k < list->count; k++) fits = check_named(m, tl_node_get(list->item[k], PARTS[p][1]), true, PARTS[p][2]) && fits;
        }
        fits = check_named(m, tl_node_get(all->item[i], "dependent"), true, DEPENDENT) && fits;
    }
    return fits;
}

/* A probe, cylinder or motor names a joint between bodies; of joints that hold nothing none is written. */
static bool check_body_joint(const tl_machine *m, const tl_node *user)
{
    const tl_node *reference = tl_node_get(user, "body_joint"), *joint = reference ? own_joint(m, reference) : NULL;
    const tl_counterpart *c = joint ? tl_machine_counterpart(m, joint) : NULL;
    if (!c || c->between) return true;
    char what[200];
    snprintf(what, sizeof what, "joints between bodies that hold nothing: '%.60s' is of type %.20s, and nothing is written of it", joint->key,
             tl_word(joint, "type", "revolute"));
    return tl_machine_refuse(m, reference, what);
}

static bool check_body_joints(const tl_machine *m)
{
    static const char *const PARTS[] = {"cylinders", "motors"};
    const tl_node *probes = tl_machine_map(m->b->scene->root, "probes"), *circuits = tl_machine_map(m->b->scene->root, "hydraulics");
    bool fits = true;
    for (int i = 0; i < probes->count; i++) fits = check_body_joint(m, probes->item[i]) && fits;
    for (int i = 0; i < circuits->count; i++)
        for (int p = 0; p < 2; p++) {
            const tl_node *parts = tl_machine_map(circuits->item[i], PARTS[p]);
            for (int k = 0; k < parts->count; k++) fits = check_body_joint(m, parts->item[k]) && fits;
        }
    return fits;
}

/* The parts of tyres between wheel and segments have no mass. */
static bool check_tyres(const tl_machine *m)
{
    const tl_node *all = tl_machine_map(m->b->scene->root, "tyres");
    bool fits = true;
    const tl_node *on;
    for (int i = 0; i < all->count; i++)
        for (int k = 0; (on = tl_carrier(all->item[i], k)) != NULL; k++)
            if (on->text && tl_mechanism_with(m->b->scene->root, on->text) == m->node) fits = tl_machine_refuse(m, all->item[i], "tyres");
    return fits;
}

/* The bodies that are written are one machine under the mechanism's name: others of this name would go through them, as they do not through links. */
static bool check_machine(const tl_machine *m)
{
    const tl_node *bodies = tl_machine_map(m->b->scene->root, "bodies");
    bool fits = true;
    for (int i = 0; i < bodies->count; i++) {
        if (strcmp(tl_word(bodies->item[i], "machine", ""), m->node->key) != 0) continue;
        tl_mistake(
            &m->b->scene->mistakes, TALUS_INPUT, tl_node_get(bodies->item[i], "machine"),
            "machine '%.60s' of this body has the name of a mechanism with 'coordinates: maximal', whose bodies are a machine of that name: give it another",
            m->node->key);
        fits = false;
    }
    return fits;
}

bool tl_machine_check(const tl_machine *m)
{
    if (!check_tyres(m)) return false; /* not what they are made of, too */
    const bool parts = check_parts(m), forces = check_acting(m, "forces"), drives = check_acting(m, "drives");
    const bool stages = check_stages(m), others = check_others(m), between = check_body_joints(m), machine = check_machine(m);
    return parts && forces && drives && stages && others && between && machine;
}
