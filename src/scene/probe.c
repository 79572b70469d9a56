/* Probes: named scalars of a world, as columns of series.csv. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/math.h"
#include "scene/build.h"

enum { MOST_CELLS = 4096 };

static const char *keep(tl_builder *b, const char *text)
{
    char *copy = tl_arena_alloc(b->scene->arena, strlen(text) + 1, 1);
    return copy ? strcpy(copy, text) : NULL;
}

/* The grains that a probe is of; `all` is room for those of no group. */
static const tl_group *group_of(const talus_scene *s, const talus_world *w, const tl_probe *p, tl_group *all)
{
    *all = (tl_group){"all", 0, talus_body_count(w)};
    return p->group < 0 || p->group >= s->group_count ? all : &s->groups[p->group];
}

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
    return TALUS_OK;
}

/* The region of a probe of grains, and what it moves with. */
static talus_status read_region(tl_builder *b, const tl_node *node, bool required, tl_probe *p)
{
    const tl_node *region = tl_node_get(node, "region");
    p->body = tl_build_body_named(b, tl_node_get(node, "frame"));
    if (region || !required) return tl_build_zone(b, region, &p->zone);
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "this probe needs a region: %s",
                   talus_world_dimension(b->world) == 2 ? "[[x0, y0], [x1, y1]]" : "[[x0, y0, z0], [x1, y1, z1]]");
    return TALUS_INPUT;
}

static talus_status flow_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    const tl_node *normal = tl_node_get(node, "normal");
    double n[3] = {0}, step = talus_world_step_size(b->world);
    tl_vector(b, normal, "", n);
    p->normal = tl_normalize(tl_load3(n));
    p->over = tl_quantity(b->r, tl_node_get(node, "over"), "s", fmax(step, talus_scene_series_interval(b->scene)), false);
    if (tl_norm(p->normal) > 0) return tl_build_flow_memory(b, node, group_of(b->scene, b->world, p, &(tl_group){0}), p);
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, normal ? normal : node,
                   "a flow passes a plane: give a point 'at' it and its 'normal', not zero, the way that counts");
    return TALUS_INPUT;
}

/* Probes of grains: which region they need, what they say; the first word is what they say unless told. */
typedef struct grain_probe {
    const char *key;
    tl_probe_kind kind;
    const char *quantities, *unit; /* NULL: see below */
    bool region;
} grain_probe;

static const grain_probe GRAIN_PROBES[] = {
    {"compactness", PROBE_COMPACTNESS, NULL, "1", true},
    {"coordination", PROBE_COORDINATION, "all without_rattlers", "1", false},
    {"grains", PROBE_GRAINS, "x y z vx vy vz", NULL, false},
    {"number", PROBE_NUMBER, NULL, "1", false},
    {"mass", PROBE_MASS, NULL, "kg", false},
    {"stress", PROBE_STRESS, "mean xx yy zz xy xz yz", NULL, true},
    {"fabric", PROBE_FABRIC, "xx yy zz xy xz yz", "1", false},
    {"flow", PROBE_FLOW, "rate number mass", NULL, false},
};
enum { GRAIN_PROBE_COUNT = sizeof GRAIN_PROBES / sizeof *GRAIN_PROBES };

static talus_status grains_probe(tl_builder *b, const tl_node *node, const grain_probe *k, tl_probe *p)
{
    const tl_node *group = tl_node_get(node, k->key);
    char first[32];
    p->kind = k->kind;
    p->group = strcmp(group->text, "all") == 0 && tl_node_get(tl_node_get(b->scene->root, "grains"), "all") == NULL ? -1 : tl_build_group_named(b, group);
    snprintf(first, sizeof first, "%.*s", (int)strcspn(k->quantities ? k->quantities : "", " "), k->quantities ? k->quantities : "");
    p->quantity = tl_word(node, "quantity", NULL);
    if (!p->quantity) p->quantity = keep(b, first);
    if (!p->quantity) return TALUS_MEMORY;
    if (k->quantities && !one_of(p->quantity, k->quantities)) return wrong_quantity(b, node, k->quantities);
    TL_TRY(read_region(b, node, k->region, p));
    if (k->kind == PROBE_COMPACTNESS && p->zone.kind != TL_ZONE_BOX) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, tl_node_get(node, "region"), "compactness is that of a box, turned or not");
        return TALUS_INPUT;
    }
    return k->kind == PROBE_FLOW ? flow_probe(b, node, p) : TALUS_OK;
}

/* p->group: which source or sink. */
static talus_status exchange_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    const tl_node *source = tl_node_get(node, "source"), *name = source ? source : tl_node_get(node, "sink");
    const int count = source ? b->scene->source_count : b->scene->sink_count;
    p->kind = source ? PROBE_SOURCE : PROBE_SINK;
    p->quantity = tl_word(node, "quantity", "mass");
    if (!one_of(p->quantity, "mass number")) return wrong_quantity(b, node, "mass number");
    for (p->group = 0; p->group < count; p->group++)
        if (strcmp(source ? b->scene->sources[p->group].name : b->scene->sinks[p->group].name, name->text) == 0) return TALUS_OK;
    tl_mistake(&b->scene->mistakes, TALUS_INPUT, name, "grains '%.80s' are no source", name->text);
    return TALUS_INPUT;
}

/* Of a grain probe, a unit that its quantity says. */
static const char *grains_unit(const tl_builder *b, const grain_probe *k, const char *quantity)
{
    if (k->kind == PROBE_GRAINS) return body_unit(*quantity ? quantity : "x");
    if (k->kind == PROBE_STRESS) return b->r->dimension == 2 ? "N/m" : "Pa";
    return *quantity == 'n' ? "1" : *quantity == 'm' ? "kg" : "kg/s"; /* a flow */
}

/* A key's name of something; NULL: it has none, or something else, which is a mistake. */
static const tl_node *name_at(const tl_node *node, const char *key)
{
    const tl_node *name = tl_node_get(node, key);
    return name && name->kind == NODE_SCALAR ? name : NULL;
}

const char *tl_probe_unit(tl_builder *b, const tl_node *node)
{
    const char *quantity = tl_word(node, "quantity", ""); /* "": the first of its kind */
    const tl_node *joint = name_at(node, "joint"), *state = name_at(node, "state");
    if (joint) return tl_coordinate_quantity_unit(strcmp(tl_coordinate_unit(b, joint, -1), "rad") == 0, *quantity ? quantity : "position");
    for (int i = 0; i < GRAIN_PROBE_COUNT; i++)
        if (tl_node_get(node, GRAIN_PROBES[i].key)) return GRAIN_PROBES[i].unit ? GRAIN_PROBES[i].unit : grains_unit(b, &GRAIN_PROBES[i], quantity);
    if (tl_node_get(node, "body")) return body_unit(*quantity ? quantity : "x");
    if (name_at(node, "body_joint")) return tl_joint_probe_unit(node);
    if (tl_node_get(node, "loop")) return strcmp(quantity, "moment") == 0 ? "N m" : "N";
    if (tl_node_get(node, "source") || tl_node_get(node, "sink")) return *quantity == 'n' ? "1" : "kg";
    if (state) return tl_state_unit(b, state->text);
    return tl_node_get(node, "energy") ? "J" : "N"; /* forces of contacts and ropes */
}

static talus_status read_probe(tl_builder *b, const tl_node *node, tl_probe *p);

static talus_status build_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    const talus_status status = read_probe(b, node, p);
    if (status == TALUS_OK) p->unit = tl_probe_unit(b, node);
    return status;
}

static talus_status read_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    static const char BODY[] = "x y z angle vx vy vz ax ay az angular_velocity wx wy wz", LOOP[] = "force x y z moment", CONTACT[] = "magnitude x y z";
    static const char *const THINGS[] = {"joint", "body", "loop", "contact_force", "energy", "rope", "body_joint", "source", "sink", "state"};
    int things = 0;
    for (int i = 0; i < GRAIN_PROBE_COUNT; i++) things += tl_node_get(node, GRAIN_PROBES[i].key) != NULL;
    for (size_t i = 0; i < sizeof THINGS / sizeof *THINGS; i++) things += tl_node_get(node, THINGS[i]) != NULL;
    if (things != 1) {
        tl_mistake_key(
            &b->scene->mistakes, TALUS_INPUT, node,
            "a probe names what it reads, and one thing only: joint, body, loop, body_joint, contact_force, rope, energy, source, sink, state, or of grains "
            "compactness, coordination, grains, "
            "number, mass, stress, fabric, flow");
        return TALUS_INPUT;
    }
    *p = (tl_probe){.name = node->key, .number = p->number};
    tl_vector(b, tl_node_get(node, "at"), "m", p->at);
    if (tl_node_get(node, "joint")) return joint_probe(b, node, p);
    for (int i = 0; i < GRAIN_PROBE_COUNT; i++)
        if (tl_node_get(node, GRAIN_PROBES[i].key)) return grains_probe(b, node, &GRAIN_PROBES[i], p);
    if (tl_node_get(node, "body")) {
        p->kind = PROBE_BODY;
        TL_TRY(tl_build_grain_named(b, tl_node_get(node, "body"), &p->body));
        p->quantity = tl_word(node, "quantity", "x");
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
        return one_of(p->quantity, LOOP) ? TALUS_OK : wrong_quantity(b, node, LOOP);
    }
    if (tl_node_get(node, "contact_force")) {
        p->kind = PROBE_CONTACT_FORCE;
        TL_TRY(tl_build_grain_named(b, tl_node_get(node, "contact_force"), &p->body));
        TL_TRY(tl_build_grain_named(b, tl_node_get(node, "from"), &p->from));
        p->quantity = tl_word(node, "quantity", "magnitude");
        return one_of(p->quantity, CONTACT) ? TALUS_OK : wrong_quantity(b, node, CONTACT);
    }
    if (tl_node_get(node, "body_joint")) return tl_build_joint_probe(b, node, p);
    if (tl_node_get(node, "state")) {
        p->kind = PROBE_STATE;
        p->quantity = "state";
        return tl_build_state_named(b, tl_node_get(node, "state"), &p->mechanism, &p->state);
    }
    if (tl_node_get(node, "rope")) {
        p->kind = PROBE_ROPE;
        p->quantity = "force";
        return tl_build_rope_named(b, tl_node_get(node, "rope"), p);
    }
    if (tl_node_get(node, "source") || tl_node_get(node, "sink")) return exchange_probe(b, node, p);
    p->kind = PROBE_ENERGY;
    p->quantity = tl_word(node, "energy", "total");
    return TALUS_OK;
}

static bool is_taken(tl_builder *b, const tl_node *node)
{
    static const char *const TAKEN[] = {"stage",       "time",           "contacts",         "iterations", "residual",
                                        "penetration", "kinetic_energy", "potential_energy", "candidates"};
    bool taken = strpbrk(node->key, ",\"\n") != NULL;
    for (size_t k = b->scene->stage_count > 0 ? 0 : 1; k < sizeof TAKEN / sizeof *TAKEN; k++) taken = taken || strcmp(TAKEN[k], node->key) == 0;
    if (taken)
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "'%.80s' cannot name a probe: series.csv has a column of this name, or cannot have one",
                       node->key);
    return taken;
}

/* Into how many cells the region is cut along each axis; their number, 0 after a mistake. */
static int read_cells(tl_builder *b, const tl_node *node, int cells[3])
{
    const tl_node *list = tl_node_get(node, "cells");
    const int dimension = talus_world_dimension(b->world);
    double count = 1;
    for (int k = 0; k < 3; k++) cells[k] = 1;
    if (!list) return 1;
    bool fits = list->kind == NODE_LIST && list->count == dimension;
    for (int k = 0; fits && k < dimension; k++) {
        const double n = tl_quantity(b->r, list->item[k], "", 0, false);
        fits = n >= 1 && n <= MOST_CELLS && n == floor(n);
        cells[k] = fits ? (int)n : 1;
        count *= n;
    }
    fits = fits && count <= MOST_CELLS;
    if (!fits)
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, list, "cells are %d whole numbers, how many along each axis, %d together at most", dimension,
                       MOST_CELLS);
    return fits ? (int)count : 0;
}

/* Cell i of a box: its part of the region, and a name of its own, NAME.2 or NAME.2.5 by the axes that are cut. */
static talus_status make_cell(tl_builder *b, const tl_probe *whole, const int cells[3], int i, tl_probe *out)
{
    char name[512];
    int at = snprintf(name, sizeof name, "%.400s", whole->name);
    *out = *whole;
    for (int k = 0; k < 3; k++) {
        const int c = i % cells[k];
        const double low = whole->zone.box.low[k], width = (whole->zone.box.high[k] - low) / cells[k];
        i /= cells[k];
        out->zone.box.low[k] = low + c * width;
        if (c + 1 < cells[k]) out->zone.box.high[k] = low + (c + 1) * width;
        if (cells[k] > 1) at += snprintf(name + at, sizeof name - (size_t)at, ".%d", c + 1);
    }
    out->name = keep(b, name);
    return out->name ? TALUS_OK : TALUS_MEMORY;
}

static talus_status build_cells(tl_builder *b, const tl_node *node, tl_probe *p, const int cells[3], int count)
{
    const tl_probe whole = *p;
    const bool cut = count > 1;
    if (tl_node_get(node, "cells") && (whole.zone.kind != TL_ZONE_BOX || whole.kind == PROBE_FLOW)) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, tl_node_get(node, "cells"), "only the box of a probe of grains is cut into cells, and no flow");
        return TALUS_INPUT;
    }
    for (int i = 0; cut && i < count; i++) TL_TRY(make_cell(b, &whole, cells, i, &p[i]));
    return TALUS_OK;
}

talus_status tl_build_probes(tl_builder *b)
{
    const tl_node *probes = tl_node_get(b->scene->root, "probes");
    const int count = probes && probes->kind == NODE_MAP ? probes->count : 0;
    int cells[3], total = 1, next = 0;
    for (int i = 0; i < count; i++) {
        const int parts = read_cells(b, probes->item[i], cells);
        if (parts == 0) return TALUS_INPUT;
        total += parts;
    }
    b->scene->probes = tl_arena_zero(b->scene->arena, (size_t)total, sizeof *b->scene->probes);
    if (!b->scene->probes) return TALUS_MEMORY;
    talus_status status = TALUS_OK;
    for (int i = 0; i < count; i++) {
        const tl_node *node = probes->item[i];
        tl_probe *p = &b->scene->probes[next];
        const int parts = read_cells(b, node, cells);
        p->number = next;
        if (is_taken(b, node) || build_probe(b, node, p) != TALUS_OK || build_cells(b, node, p, cells, parts) != TALUS_OK) status = TALUS_INPUT;
        next += parts;
    }
    if (b->scene->stage_count > 0) /* these have a column of their own */
        b->scene->probes[next++] = (tl_probe){.name = "stage", .quantity = "stage", .unit = "1", .kind = PROBE_STAGE};
    b->scene->probe_count = next;
    return status;
}

void tl_probes_look(const talus_scene *s, const talus_world *w)
{
    for (int i = 0; i < s->probe_count; i++)
        if (s->probes[i].kind == PROBE_FLOW) tl_probe_count_flow(w, group_of(s, w, &s->probes[i], &(tl_group){0}), &s->probes[i]);
}

void tl_probes_forget(const talus_scene *s, const talus_world *w, int body)
{
    for (int i = 0; i < s->probe_count; i++)
        if (s->probes[i].kind == PROBE_FLOW) tl_probe_forget_side(w, group_of(s, w, &s->probes[i], &(tl_group){0}), &s->probes[i], body);
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

/* What a rope pulls with, less what a strut pushes with; the last contacts are the ropes. */
static double rope_force(const talus_world *w, int rope, int strut)
{
    const int first = talus_contact_count(w) - talus_rope_count(w);
    talus_contact pull = {.gap = 0}, push = {.gap = 0};
    if (first >= 0 && rope >= 0) talus_contact_get(w, first + rope, &pull);
    if (first >= 0 && strut >= 0) talus_contact_get(w, first + strut, &push);
    return (pull.impulse[0] - push.impulse[0]) / talus_world_step_size(w);
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
    tl_group all;
    const tl_group *g = group_of(scene, w, p, &all);
    double kinetic, potential;
    switch (p->kind) {
    case PROBE_JOINT:
        if (p->quantity[0] == 'p') return talus_joint_position(w, p->joint, p->coordinate);
        return p->quantity[0] == 'v' ? talus_joint_velocity(w, p->joint, p->coordinate) : talus_joint_force(w, p->joint, p->coordinate);
    case PROBE_BODY: return body_value(w, p);
    case PROBE_ACCELERATION: return acceleration_value(w, p);
    case PROBE_LOOP: return loop_value(w, p);
    case PROBE_STATE: return talus_mechanism_state(w, p->mechanism, p->state);
    case PROBE_BODY_JOINT: return tl_joint_probe_value(w, p);
    case PROBE_COMPACTNESS: return tl_probe_compactness(w, g, p);
    case PROBE_COORDINATION: return tl_probe_coordination(w, g, p);
    case PROBE_GRAINS: return tl_probe_mean(w, g, p);
    case PROBE_NUMBER:
    case PROBE_MASS: return tl_probe_amount(w, g, p);
    case PROBE_STRESS: return tl_probe_stress(w, g, p);
    case PROBE_FABRIC: return tl_probe_fabric(w, g, p);
    case PROBE_FLOW: return tl_probe_flow(w, p);
    case PROBE_CONTACT_FORCE: return contact_force(w, p);
    case PROBE_ROPE: return p->tackle1 ? talus_tackle_pull(w, p->tackle1 - 1) : rope_force(w, p->rope, p->strut);
    case PROBE_SOURCE:
    case PROBE_SINK: return tl_exchange_sum(scene, w, p->kind == PROBE_SOURCE, p->group, p->quantity[0] == 'm');
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
