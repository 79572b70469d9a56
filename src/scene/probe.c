/* Probes: named scalars of a world, as columns of series.csv. */
#include <math.h>
#include <string.h>

#include "base/math.h"
#include "scene/build.h"

/* "angle" and "angular_velocity" are words of their own. */
static bool is_acceleration(const char *quantity) { return quantity[0] == 'a' && strlen(quantity) == 2; }

static const char *body_unit(const char *quantity)
{
    if (strcmp(quantity, "angle") == 0) return "rad";
    if (strcmp(quantity, "angular_velocity") == 0 || quantity[0] == 'w') return "rad/s";
    if (is_acceleration(quantity)) return "m/s^2";
    return quantity[0] == 'v' ? "m/s" : "m";
}

static talus_status wrong_quantity(tl_builder *b, const tl_node *node, const char *expected)
{
    const tl_node *quantity = tl_node_get(node, "quantity");
    tl_mistake(&b->scene->mistakes, TALUS_INPUT, quantity ? quantity : node, "this probe's quantity is one of: %s", expected);
    return TALUS_INPUT;
}

static bool one_of(const char *word, const char *list)
{
    const size_t n = strlen(word);
    for (const char *p = list; (p = strstr(p, word)); p += n)
        if ((p == list || p[-1] == ' ') && (p[n] == '\0' || p[n] == ' ')) return true;
    return false;
}

static talus_status joint_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    const tl_node *reference = tl_node_get(node, "joint");
    p->kind = PROBE_JOINT;
    p->quantity = tl_word(node, "quantity", "position");
    if (!one_of(p->quantity, "position velocity force")) return wrong_quantity(b, node, "position velocity force");
    if (!tl_build_coordinate(b, reference, &p->joint, &p->coordinate)) return TALUS_INPUT;
    const bool angle = strcmp(tl_coordinate_unit(b, reference, p->coordinate), "rad") == 0;
    p->unit = p->quantity[0] == 'p' ? (angle ? "rad" : "m") : p->quantity[0] == 'v' ? (angle ? "rad/s" : "m/s") : (angle ? "N m" : "N");
    return TALUS_OK;
}

/* The region of a probe of grains: two corners, and what it moves with. */
static talus_status read_region(tl_builder *b, const tl_node *node, const char *probe, tl_probe *p)
{
    const tl_node *region = tl_node_get(node, "region");
    const bool planar = talus_world_dimension(b->world) == 2;
    double a[3] = {0}, c[3] = {0};
    p->body = tl_build_body_named(b, tl_node_get(node, "frame"));
    if (!region || region->kind != NODE_LIST || region->count != 2) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, region ? region : node, "%s needs a region: %s", probe,
                       planar ? "[[x0, y0], [x1, y1]]" : "[[x0, y0, z0], [x1, y1, z1]]");
        return TALUS_INPUT;
    }
    tl_vector(b, region->item[0], "m", a);
    tl_vector(b, region->item[1], "m", c);
    bool flat = false;
    for (int i = 0; i < (planar ? 2 : 3); i++) {
        p->region.low[i] = fmin(a[i], c[i]), p->region.high[i] = fmax(a[i], c[i]);
        flat = flat || !(p->region.high[i] > p->region.low[i]);
    }
    if (!flat) return TALUS_OK;
    tl_mistake(&b->scene->mistakes, TALUS_INPUT, region, "the region has no %s", planar ? "area" : "volume");
    return TALUS_INPUT;
}

static talus_status compactness_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    p->kind = PROBE_COMPACTNESS;
    p->unit = "1";
    p->group = tl_build_group_named(b, tl_node_get(node, "compactness"));
    return read_region(b, node, "compactness", p);
}

static talus_status coordination_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    p->kind = PROBE_COORDINATION;
    p->unit = "1";
    p->group = tl_build_group_named(b, tl_node_get(node, "coordination"));
    p->quantity = tl_word(node, "quantity", "all");
    if (!one_of(p->quantity, "all without_rattlers")) return wrong_quantity(b, node, "all without_rattlers");
    p->everywhere = !tl_node_get(node, "region");
    return p->everywhere ? TALUS_OK : read_region(b, node, "coordination within a region", p);
}

static talus_status build_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    static const char BODY[] = "x y z angle vx vy vz ax ay az angular_velocity wx wy wz", LOOP[] = "force x y z moment", CONTACT[] = "x y z magnitude";
    static const char *const THINGS[] = {"joint", "body", "loop", "compactness", "coordination", "grains", "contact_force", "energy", "rope"};
    int things = 0;
    for (size_t i = 0; i < sizeof THINGS / sizeof *THINGS; i++) things += tl_node_get(node, THINGS[i]) != NULL;
    if (things != 1) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node,
                       "a probe names what it reads, and one thing only: joint, body, loop, compactness, coordination, grains, contact_force, rope or energy");
        return TALUS_INPUT;
    }
    *p = (tl_probe){.name = node->key};
    tl_vector(b, tl_node_get(node, "at"), "m", p->at);
    if (tl_node_get(node, "joint")) return joint_probe(b, node, p);
    if (tl_node_get(node, "compactness")) return compactness_probe(b, node, p);
    if (tl_node_get(node, "coordination")) return coordination_probe(b, node, p);
    if (tl_node_get(node, "grains")) {
        p->kind = PROBE_GRAINS;
        p->group = tl_build_group_named(b, tl_node_get(node, "grains"));
        p->quantity = tl_word(node, "quantity", "x");
        p->unit = body_unit(p->quantity);
        return one_of(p->quantity, "x y z vx vy vz") ? TALUS_OK : wrong_quantity(b, node, "x y z vx vy vz");
    }
    if (tl_node_get(node, "body")) {
        p->kind = PROBE_BODY;
        TL_TRY(tl_build_grain_named(b, tl_node_get(node, "body"), &p->body));
        p->quantity = tl_word(node, "quantity", "x");
        p->unit = body_unit(p->quantity);
        if (!one_of(p->quantity, BODY)) return wrong_quantity(b, node, BODY);
        if (!is_acceleration(p->quantity)) return TALUS_OK;
        p->kind = PROBE_ACCELERATION;
        p->watch = -1; /* the ground rests */
        return p->body.index1 == 0 ? TALUS_OK : tl_build_check(b, talus_body_watch(b->world, p->body, p->at, &p->watch), node);
    }
    if (tl_node_get(node, "loop")) {
        p->kind = PROBE_LOOP;
        p->loop = talus_loop_find(b->world, tl_node_get(node, "loop")->text);
        p->quantity = tl_word(node, "quantity", "force");
        p->unit = strcmp(p->quantity, "moment") == 0 ? "N m" : "N";
        return one_of(p->quantity, LOOP) ? TALUS_OK : wrong_quantity(b, node, LOOP);
    }
    if (tl_node_get(node, "contact_force")) {
        p->kind = PROBE_CONTACT_FORCE;
        TL_TRY(tl_build_grain_named(b, tl_node_get(node, "contact_force"), &p->body));
        TL_TRY(tl_build_grain_named(b, tl_node_get(node, "from"), &p->from));
        p->quantity = tl_word(node, "quantity", "magnitude");
        p->unit = "N";
        return one_of(p->quantity, CONTACT) ? TALUS_OK : wrong_quantity(b, node, CONTACT);
    }
    if (tl_node_get(node, "rope")) {
        p->kind = PROBE_ROPE;
        p->quantity = "force";
        p->unit = "N";
        return tl_build_rope_named(b, tl_node_get(node, "rope"), &p->rope);
    }
    p->kind = PROBE_ENERGY;
    p->quantity = tl_word(node, "energy", "total");
    p->unit = "J";
    return TALUS_OK;
}

talus_status tl_build_probes(tl_builder *b)
{
    static const char *const TAKEN[] = {"stage", "time", "contacts", "iterations", "residual", "penetration", "kinetic_energy", "potential_energy"};
    const tl_node *probes = tl_node_get(b->scene->root, "probes");
    const int count = probes && probes->kind == NODE_MAP ? probes->count : 0;
    const int stages = b->scene->stage_count > 0; /* these have a column of their own */
    b->scene->probes = tl_arena_zero(b->scene->arena, (size_t)count + 1, sizeof *b->scene->probes);
    if (!b->scene->probes) return TALUS_MEMORY;
    talus_status status = TALUS_OK;
    for (int i = 0; i < count; i++) {
        const tl_node *node = probes->item[i];
        for (size_t k = stages ? 0 : 1; k < sizeof TAKEN / sizeof *TAKEN; k++)
            if (strcmp(TAKEN[k], node->key) == 0 || strpbrk(node->key, ",\"\n")) {
                tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "'%.80s' cannot name a probe: series.csv has a column of this name, or cannot have one",
                               node->key);
                status = TALUS_INPUT;
                break;
            }
        if (build_probe(b, node, &b->scene->probes[i]) != TALUS_OK) status = TALUS_INPUT;
    }
    if (stages) b->scene->probes[count] = (tl_probe){.name = "stage", .quantity = "stage", .unit = "1", .kind = PROBE_STAGE};
    b->scene->probe_count = count + stages;
    return status;
}

/* ---- values ------------------------------------------------------------------------------------------------------- */

static double body_value(const talus_world *w, const tl_probe *p)
{
    double position[3], quat[4], linear[3], angular[3];
    const char *q = p->quantity;
    if (strcmp(q, "angle") == 0) return talus_body_angle(w, p->body);
    talus_body_velocity(w, p->body, p->at, linear, angular);
    if (strcmp(q, "angular_velocity") == 0) return angular[2];
    if (q[0] == 'w') return angular[q[1] - 'x'];
    if (q[0] == 'v') return linear[q[1] - 'x'];
    talus_body_pose(w, p->body, position, quat);
    /* the point: origin + R at */
    const double u[3] = {quat[1], quat[2], quat[3]}, *a = p->at;
    const double t[3] = {2 * (u[1] * a[2] - u[2] * a[1]), 2 * (u[2] * a[0] - u[0] * a[2]), 2 * (u[0] * a[1] - u[1] * a[0])};
    const double turned[3] = {a[0] + quat[0] * t[0] + u[1] * t[2] - u[2] * t[1], a[1] + quat[0] * t[1] + u[2] * t[0] - u[0] * t[2],
                              a[2] + quat[0] * t[2] + u[0] * t[1] - u[1] * t[0]};
    return position[q[0] - 'x'] + turned[q[0] - 'x'];
}

static double acceleration_value(const talus_world *w, const tl_probe *p)
{
    double a[3];
    talus_watch_acceleration(w, p->watch, a);
    return a[p->quantity[1] - 'x'];
}

static double loop_value(const talus_world *w, const tl_probe *p)
{
    double r[6];
    talus_loop_reaction(w, p->loop, r);
    if (strcmp(p->quantity, "force") == 0) return sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    if (strcmp(p->quantity, "moment") == 0) return sqrt(r[3] * r[3] + r[4] * r[4] + r[5] * r[5]);
    return r[p->quantity[0] - 'x'];
}

/* What a rope pulls with; the last contacts are the ropes. */
static double rope_force(const talus_world *w, int rope)
{
    const int contacts = talus_contact_count(w);
    talus_contact c;
    talus_contact_get(w, contacts > 0 ? contacts - talus_rope_count(w) + rope : -1, &c);
    return c.impulse[0] / talus_world_step_size(w);
}

static double contact_force(const talus_world *w, const tl_probe *p)
{
    tl_vec3 sum = {0, 0, 0};
    const bool planar = talus_world_dimension(w) == 2;
    for (int i = 0; i < talus_contact_count(w) - talus_rope_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        const double sign = c.candidate.index1 == p->body.index1 ? 1 : c.antagonist.index1 == p->body.index1 ? -1 : 0;
        if (sign == 0) continue;
        if (p->from.index1 && c.candidate.index1 != p->from.index1 && c.antagonist.index1 != p->from.index1) continue;
        sum = tl_add(sum, tl_scale(sign, tl_contact_vector(planar, tl_load3(c.normal), c.impulse)));
    }
    const double h = talus_world_step_size(w);
    return (p->quantity[0] == 'x' ? sum.x : p->quantity[0] == 'y' ? sum.y : p->quantity[0] == 'z' ? sum.z : tl_norm(sum)) / h;
}

double talus_scene_probe_value(const talus_scene *scene, const talus_world *w, int index)
{
    const tl_probe *p = &scene->probes[index];
    double kinetic, potential;
    switch (p->kind) {
    case PROBE_JOINT:
        if (p->quantity[0] == 'p') return talus_joint_position(w, p->joint, p->coordinate);
        return p->quantity[0] == 'v' ? talus_joint_velocity(w, p->joint, p->coordinate) : talus_joint_force(w, p->joint, p->coordinate);
    case PROBE_BODY: return body_value(w, p);
    case PROBE_ACCELERATION: return acceleration_value(w, p);
    case PROBE_LOOP: return loop_value(w, p);
    case PROBE_COMPACTNESS: return tl_probe_compactness(w, &scene->groups[p->group], p);
    case PROBE_COORDINATION: return tl_probe_coordination(w, &scene->groups[p->group], p);
    case PROBE_GRAINS: return tl_probe_mean(w, &scene->groups[p->group], p);
    case PROBE_CONTACT_FORCE: return contact_force(w, p);
    case PROBE_ROPE: return rope_force(w, p->rope);
    case PROBE_STAGE: return 1 + *(const double *)talus_state_data(w, "stages/now");
    case PROBE_ENERGY:
        talus_world_energy(w, &kinetic, &potential);
        return p->quantity[0] == 'k' ? kinetic : p->quantity[0] == 'p' ? potential : kinetic + potential;
    }
    return (double)NAN;
}

int talus_scene_probe_count(const talus_scene *scene) { return scene->probe_count; }
const char *talus_scene_probe_name(const talus_scene *scene, int index) { return scene->probes[index].name; }
const char *talus_scene_probe_unit(const talus_scene *scene, int index) { return scene->probes[index].unit; }
