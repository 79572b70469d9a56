/* Joints between bodies: what acts in their coordinates, and what is read of them. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/math.h"
#include "scene/solid_reading.h"

static talus_status wrong(tl_builder *b, const tl_node *node, const char *text)
{
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "%s", text);
    return TALUS_INPUT;
}

/* Number of a coordinate of this kind, −1: it has none of that name. */
int tl_body_joint_coordinate(const char *kind, const char *name)
{
    int i = 0;
    while (talus_body_joint_kind(i) && strcmp(talus_body_joint_kind(i), kind) != 0) i++;
    for (int k = 0; talus_body_joint_coordinate(i, k); k++)
        if (strcmp(talus_body_joint_coordinate(i, k), name) == 0) return k;
    return -1;
}

/* Of a coordinate of any kind, for those of one name have one unit; NULL: none has it. */
static const char *unit_of(const char *coordinate)
{
    for (int i = 0; talus_body_joint_kind(i); i++)
        for (int k = 0; talus_body_joint_coordinate(i, k); k++)
            if (strcmp(talus_body_joint_coordinate(i, k), coordinate) == 0) return talus_body_joint_unit(i, k);
    return NULL;
}

static bool is_angle(const char *coordinate)
{
    const char *unit = unit_of(coordinate);
    return unit && strcmp(unit, "rad") == 0;
}

static const struct {
    const char *key, *linear, *angular;
    size_t at; /* in talus_freedom_def */
} NUMBERS[] = {{"low", "m", "rad", offsetof(talus_freedom_def, low)},
               {"high", "m", "rad", offsetof(talus_freedom_def, high)},
               {"restitution", "", "", offsetof(talus_freedom_def, restitution)},
               {"stiffness", "N/m", "N m/rad", offsetof(talus_freedom_def, stiffness)},
               {"damping", "N s/m", "N m s/rad", offsetof(talus_freedom_def, damping)},
               {"rest", "m", "rad", offsetof(talus_freedom_def, rest)},
               {"friction", "N", "N m", offsetof(talus_freedom_def, friction)},
               {"friction_velocity", "m/s", "rad/s", offsetof(talus_freedom_def, friction_velocity)},
               {"force", "N", "N m", offsetof(talus_freedom_def, force)}};

static talus_status build_freedom(tl_builder *b, const tl_node *node, talus_body_joint_id joint, int coordinate)
{
    const bool angle = is_angle(node->key);
    const tl_node *speed = tl_node_get(node, "speed"), *position = tl_node_get(node, "position"), *force = tl_node_get(node, "force");
    const tl_column rate = {"speed", angle ? "rad/s" : "m/s"}, most = {"force", angle ? "N m" : "N"};
    const int before = b->scene->mistakes.count;
    talus_freedom_def d = talus_freedom_def_default();
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
        double *out = (double *)(void *)((char *)&d + NUMBERS[i].at);
        if (NUMBERS[i].at == offsetof(talus_freedom_def, force) && force && force->kind == NODE_MAP) continue;
        *out = tl_quantity(b->r, tl_node_get(node, NUMBERS[i].key), angle ? NUMBERS[i].angular : NUMBERS[i].linear, *out, true);
    }
    if (speed) d.speed = tl_build_motion(b, speed, angle ? "rad/s" : "m/s");
    if (position) d.position = tl_build_path(b, position, angle ? "rad" : "m");
    if (force && force->kind == NODE_MAP) (void)tl_build_characteristic(b, force, &rate, &most, false, &d.most);
    if (b->scene->mistakes.count > before) return TALUS_INPUT;
    return tl_build_check(b, talus_body_joint_set_freedom(b->world, joint, coordinate, &d), node);
}

static talus_status build_freedoms(tl_builder *b, const tl_node *node, const char *kind, talus_body_joint_id joint)
{
    talus_status first = TALUS_OK;
    for (int i = 0; i < node->count; i++) {
        const tl_node *freedom = node->item[i];
        if (!unit_of(freedom->key)) continue; /* no coordinate */
        const int coordinate = tl_body_joint_coordinate(kind, freedom->key);
        const talus_status status =
            coordinate < 0 ? wrong(b, freedom, "a joint of this type has no such coordinate: the table of types in docs/scene.md says which it has")
                           : build_freedom(b, freedom, joint, coordinate);
        if (first == TALUS_OK) first = status;
    }
    return first;
}

/* Glued nodes: those of groups of the first body that is a solid. Moments are about their middle unless the joint has a point. */
static talus_status read_group(tl_builder *b, const tl_node *node, const tl_node *bodies, talus_body_joint_def *d)
{
    const tl_node *group = tl_node_get(node, "group");
    tl_solid_reading *s = NULL;
    int *glued = NULL;
    if (!group) return TALUS_OK;
    for (int i = 0; i < 2 && !s; i++) s = tl_solid_reading_of(b, bodies->item[i]);
    if (!s) return wrong(b, group, "'group' names nodes of a solid, but neither of the two bodies is one");
    if (strcmp(d->kind, "fixed") != 0) return wrong(b, group, "nodes of a group are glued: type fixed");
    TL_TRY(tl_group_nodes(s, group, &glued, &d->nodes));
    d->node = glued;
    for (int i = 0; !tl_node_get(node, "at") && i < d->nodes; i++)
        for (int k = 0; k < 3; k++) d->point[k] += s->grid.x[glued[i]][k] / d->nodes;
    return TALUS_OK;
}

/* What the coordinates are at the start; of a coordinate that the type does not have, which is said later, nothing. */
static talus_status read_starts(tl_builder *b, const tl_node *node, talus_body_joint_def *d)
{
    const int before = b->scene->mistakes.count;
    for (int i = 0; i < node->count; i++) {
        const tl_node *freedom = node->item[i];
        const int k = unit_of(freedom->key) ? tl_body_joint_coordinate(d->kind, freedom->key) : -1;
        if (k >= 0) d->start[k] = tl_quantity(b->r, tl_node_get(freedom, "start"), is_angle(freedom->key) ? "rad" : "m", 0, true);
    }
    return b->scene->mistakes.count > before ? TALUS_INPUT : TALUS_OK;
}

static talus_status build_joint(tl_builder *b, const tl_node *node)
{
    const tl_node *bodies = tl_node_get(node, "bodies"), *to = tl_node_get(node, "to");
    const int named = bodies->kind == NODE_LIST ? bodies->count : 1;
    talus_body_joint_def d = talus_body_joint_def_default();
    talus_body_joint_id joint;
    d.name = node->key;
    d.kind = tl_word(node, "type", "revolute");
    if (named != 2) return wrong(b, bodies, "'bodies' names two: [frame, door], or [ground, door]");
    TL_TRY(tl_build_grain_named(b, bodies->item[0], &d.body_a));
    TL_TRY(tl_build_grain_named(b, bodies->item[1], &d.body_b));
    tl_vector(b, tl_node_get(node, "at"), "m", d.point);
    if ((strcmp(d.kind, "distance") == 0) != (to != NULL))
        return wrong(b, to ? to : node, "'to' is the other end of a joint of type distance, and of no other");
    tl_vector(b, to, "m", d.point_b);
    if (tl_node_get(node, "axis")) d.axis[2] = 0;
    tl_vector(b, tl_node_get(node, "axis"), "", d.axis);
    tl_vector(b, tl_node_get(node, "axis2"), "", d.axis2);
    d.length = tl_quantity(b->r, tl_node_get(node, "length"), "m", 0, false);
    if (tl_node_get(node, "length") && d.length == 0) return wrong(b, tl_node_get(node, "length"), "the length of a joint is not 0");
    d.drifts = strcmp(tl_word(node, "drifts", "false"), "true") == 0;
    d.collides = strcmp(tl_word(node, "collides", "false"), "true") == 0;
    TL_TRY(read_group(b, node, bodies, &d));
    TL_TRY(read_starts(b, node, &d));
    TL_TRY(tl_build_check(b, talus_body_joint_create(b->world, &d, &joint), node));
    return build_freedoms(b, node, d.kind, joint);
}

talus_status tl_build_joints(tl_builder *b) { return tl_build_each(b, tl_node_get(b->scene->root, "joints"), build_joint); }

/* ---- probes ----------------------------------------------------------------------------------------------------------------- */

talus_status tl_build_joint_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    static const char REACTION[] = "magnitude x y z moment", COORDINATE[] = "position velocity force";
    const tl_node *reference = tl_node_get(node, "body_joint"), *joints = tl_node_get(b->scene->root, "joints");
    const char *dot = strchr(reference->text, '.'), *list = dot ? COORDINATE : REACTION;
    const size_t length = dot ? (size_t)(dot - reference->text) : strlen(reference->text);
    p->coordinate = p->body_joint = -1;
    for (int i = 0; joints && i < joints->count; i++)
        if (strlen(joints->item[i]->key) == length && strncmp(joints->item[i]->key, reference->text, length) == 0) p->body_joint = i;
    if (p->body_joint < 0) return wrong(b, reference, "there is no joint between bodies of this name");
    p->quantity = tl_word(node, "quantity", dot ? "position" : "magnitude");
    if (!strstr(list, p->quantity)) {
        const tl_node *quantity = tl_node_get(node, "quantity");
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, quantity, "of a joint between bodies one reads %s: %s", dot ? "in a coordinate" : "what it transmits",
                   list);
        return TALUS_INPUT;
    }
    if (!dot) return TALUS_OK;
    p->coordinate = tl_body_joint_coordinate(tl_word(joints->item[p->body_joint], "type", "revolute"), dot + 1);
    if (p->coordinate < 0) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, reference, "joint '%.80s' has no coordinate '%.40s'", joints->item[p->body_joint]->key, dot + 1);
        return TALUS_INPUT;
    }
    return TALUS_OK;
}

const char *tl_joint_probe_unit(tl_builder *b, const tl_node *node, const char *quantity)
{
    const tl_node *reference = tl_node_get(node, "body_joint");
    const char *dot = reference->kind == NODE_SCALAR ? strchr(reference->text, '.') : NULL;
    (void)b;
    if (!dot) return strcmp(quantity, "moment") == 0 ? "N m" : "N";
    return tl_coordinate_quantity_unit(is_angle(dot + 1), *quantity ? quantity : "position");
}

double tl_joint_probe_value(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    (void)g;
    talus_body_joint_state s;
    if (talus_body_joint_get(w, p->body_joint, &s) != TALUS_OK) return 0;
    if (p->coordinate >= 0) return p->quantity[0] == 'p' ? s.position[p->coordinate] : p->quantity[0] == 'v' ? s.rate[p->coordinate] : s.drive[p->coordinate];
    if (strcmp(p->quantity, "moment") == 0) return tl_probe_moment(w, s.moment);
    return strcmp(p->quantity, "magnitude") == 0 ? tl_norm(tl_load3(s.force)) : s.force[p->quantity[0] - 'x'];
}
