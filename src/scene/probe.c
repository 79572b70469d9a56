/* Probes: named scalars of a world, as columns of series.csv. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/math.h"
#include "scene/build.h"

static const char *keep(tl_builder *b, const char *text)
{
    char *copy = tl_arena_alloc(b->scene->arena, strlen(text) + 1, 1);
    return copy ? strcpy(copy, text) : NULL;
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
    return tl_build_coordinate(b, tl_node_get(node, "joint"), &p->joint, &p->coordinate) ? TALUS_OK : TALUS_INPUT;
}

static talus_status coupling_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    p->coupling = talus_coupling_find(b->world, tl_node_get(node, "coupling")->text);
    return TALUS_OK;
}

/* The region of a probe of grains, and what it moves with. */
static talus_status read_region(tl_builder *b, const tl_node *node, bool required, tl_probe *p)
{
    const tl_node *region = tl_node_get(node, "region");
    TL_TRY(tl_build_frame(b, tl_node_get(node, "frame"), &p->body));
    if (region || !required) return tl_build_zone(b, region, &p->zone);
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "this probe needs a region: %s",
                   talus_world_dimension(b->world) == 2 ? "[[x0, y0], [x1, y1]]" : "[[x0, y0, z0], [x1, y1, z1]]");
    return TALUS_INPUT;
}

static talus_status grains_probe(tl_builder *b, const tl_node *node, tl_probe *p) { return read_region(b, node, p->kind->wants_region, p); }

static talus_status compactness_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    TL_TRY(grains_probe(b, node, p));
    if (p->zone.kind == TL_ZONE_BOX) return TALUS_OK;
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, tl_node_get(node, "region"), "compactness is that of a box, turned or not");
    return TALUS_INPUT;
}

static talus_status dissipation_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    TL_TRY(grains_probe(b, node, p));
    return tl_build_dissipation(b, node, p);
}

static talus_status flow_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    const tl_node *normal = tl_node_get(node, "normal");
    TL_TRY(grains_probe(b, node, p));
    double n[3] = {0}, step = talus_world_step_size(b->world);
    tl_vector(b, normal, "", n);
    p->normal = tl_normalize(tl_load3(n));
    p->over = tl_quantity(b->r, tl_node_get(node, "over"), "s", fmax(step, talus_scene_series_interval(b->scene)), false);
    int along, across;
    double offset, speed;
    if (talus_world_shear(b->world, &along, &across, &offset, &speed) && fabs((&p->normal.x)[along]) > 1e-12) {
        tl_mistake_key(&b->scene->mistakes, TALUS_UNSUPPORTED, normal,
                       "the cell is sheared along %c, so copies of this plane slide past each other: "
                       "take a normal at right angles to %c",
                       'x' + along, 'x' + along);
        return TALUS_UNSUPPORTED;
    }
    if (tl_norm(p->normal) > 0) return tl_build_flow_memory(b, node, tl_probe_group(b->scene, b->world, p, &(tl_group){0}), p);
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, normal ? normal : node,
                   "a flow passes a plane: give a point 'at' it and its 'normal', not zero, the way that counts");
    return TALUS_INPUT;
}

/* p->group: which source or sink. */
static talus_status exchange_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    const tl_node *source = tl_node_get(node, "source"), *name = source ? source : tl_node_get(node, "sink");
    const int count = source ? b->scene->source_count : b->scene->sink_count;
    p->scene = b->scene;
    for (p->group = 0; p->group < count; p->group++)
        if (strcmp(source ? b->scene->sources[p->group].name : b->scene->sinks[p->group].name, name->text) == 0) return TALUS_OK;
    tl_mistake(&b->scene->mistakes, TALUS_INPUT, name, "grains '%.80s' are no source", name->text);
    return TALUS_INPUT;
}

static talus_status body_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    TL_TRY(tl_build_grain_named(b, tl_node_get(node, "body"), &p->body));
    if (talus_solid_of_body(b->world, p->body).index1) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, tl_node_get(node, "body"), "a solid does not move as a whole: 'displacement' is that of its points");
        return TALUS_INPUT;
    }
    if (!is_acceleration(p->quantity)) return TALUS_OK;
    p->watch = -1; /* the ground rests */
    return p->body.index1 == 0 ? TALUS_OK : tl_build_check(b, talus_body_watch(b->world, p->body, p->at, &p->watch), node);
}

/* A key's name of something; NULL: it has none, or something else, which is a mistake. */
static const tl_node *name_at(const tl_node *node, const char *key)
{
    const tl_node *name = tl_node_get(node, key);
    return name && name->kind == NODE_SCALAR ? name : NULL;
}

/* What a key names, in whichever mechanism it is; NULL: nothing. */
static const tl_node *part_named(const tl_builder *b, const char *parts, const tl_node *node, const char *key)
{
    const tl_node *name = name_at(node, key);
    return name ? tl_mechanism_part(b, parts, name->text) : NULL;
}

/* The first coordinate that a coupling or a loop relates to others; NULL: it joins bodies. */
static const tl_node *coordinate_of(const tl_node *part)
{
    const tl_node *joints = tl_node_get(part, "joints");
    return joints && joints->kind == NODE_LIST && joints->count > 0 ? joints->item[0] : NULL;
}

static talus_status loop_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    const char *type = tl_word(part_named(b, "loops", node, "loop"), "type", "point");
    const bool is_vector = strcmp(type, "point") == 0 || strcmp(type, "hinge") == 0 || strcmp(type, "body") == 0;
    if (!is_vector && strcmp(tl_word(node, "quantity", "force"), "force") != 0) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, tl_node_get(node, "quantity"), "a loop of type %s has one force: quantity: force", type);
        return TALUS_INPUT;
    }
    p->loop = talus_loop_find(b->world, tl_node_get(node, "loop")->text);
    return TALUS_OK;
}

static talus_status contact_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    const tl_node *from = tl_node_get(node, "from");
    TL_TRY(tl_build_grain_named(b, tl_node_get(node, "contact_force"), &p->body));
    TL_TRY(tl_build_grain_named(b, from, &p->from));
    const bool grounded = !p->body.index1 || (from && !p->from.index1), self = from && p->from.index1 == p->body.index1;
    if (!grounded && !self) return TALUS_OK;
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, p->body.index1 ? from : tl_node_get(node, "contact_force"),
                   grounded ? "the ground has no shapes that touch: name a body" : "'from' must name another body");
    return TALUS_INPUT;
}

static talus_status state_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    p->quantity = "state";
    return tl_build_state_named(b, tl_node_get(node, "state"), &p->mechanism, &p->state);
}

static talus_status rope_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    p->quantity = "force";
    return tl_build_rope_named(b, tl_node_get(node, "rope"), p);
}

static talus_status energy_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    (void)b;
    p->quantity = tl_word(node, "energy", "total");
    return TALUS_OK;
}

/* ---- units ---------------------------------------------------------------------------------------------------------------- */

static const char *joint_unit(tl_builder *b, const tl_node *node, const char *quantity)
{
    const tl_node *joint = name_at(node, "joint");
    return joint ? tl_coordinate_quantity_unit(strcmp(tl_coordinate_unit(b, joint, -1), "rad") == 0, quantity) : "N";
}

static const char *coupling_unit(tl_builder *b, const tl_node *node, const char *quantity)
{
    const tl_node *coupling = part_named(b, "couplings", node, "coupling"), *coordinate = coordinate_of(coupling);
    return coordinate ? tl_coordinate_quantity_unit(!tl_node_get(coupling, "radii") && tl_is_angle(b, coordinate, -1), quantity) : "N";
}

static const char *place_unit(tl_builder *b, const tl_node *node, const char *quantity)
{
    (void)b, (void)node;
    return body_unit(quantity);
}

static const char *stress_unit(tl_builder *b, const tl_node *node, const char *quantity)
{
    (void)node, (void)quantity;
    return b->r->dimension == 2 ? "N/m" : "Pa";
}

static const char *yield_unit(tl_builder *b, const tl_node *node, const char *quantity)
{
    (void)b, (void)node;
    return *quantity == 'c' ? "Pa" : "1";
}

static const char *dissipation_unit(tl_builder *b, const tl_node *node, const char *quantity)
{
    (void)b, (void)node;
    return *quantity == 'p' ? "W" : "J";
}

static const char *amount_unit(tl_builder *b, const tl_node *node, const char *quantity)
{
    (void)b, (void)node;
    return *quantity == 'n' ? "1" : *quantity == 'm' ? "kg" : "kg/s"; /* rate: of a flow */
}

static const char *loop_unit(tl_builder *b, const tl_node *node, const char *quantity)
{
    const tl_node *coordinate = coordinate_of(part_named(b, "loops", node, "loop"));
    return strcmp(quantity, "moment") == 0 || (coordinate && tl_is_angle(b, coordinate, -1)) ? "N m" : "N";
}

static const char *state_unit(tl_builder *b, const tl_node *node, const char *quantity)
{
    const tl_node *state = name_at(node, "state");
    (void)quantity;
    return state ? tl_state_unit(b, state->text) : "N";
}

/* ---- values ------------------------------------------------------------------------------------------------------- */

static double acceleration_value(const talus_world *w, const tl_probe *p)
{
    double a[3];
    talus_watch_acceleration(w, p->watch, a);
    return a[p->quantity[1] - 'x'];
}

/* Of the letter of x, vy, wz. */
static int axis_of(char letter) { return letter == 'x' ? 0 : letter == 'y' ? 1 : 2; }

static double body_value(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    (void)g;
    if (is_acceleration(p->quantity)) return acceleration_value(w, p);
    double position[3], quat[4], linear[3], angular[3];
    const char *q = p->quantity;
    if (strcmp(q, "angle") == 0) return talus_body_angle(w, p->body);
    talus_body_velocity(w, p->body, p->at, linear, angular);
    if (strcmp(q, "angular_velocity") == 0) return angular[2];
    if (q[0] == 'w') return angular[axis_of(q[1])];
    if (q[0] == 'v') return linear[axis_of(q[1])];
    talus_body_pose(w, p->body, position, quat);
    /* the point: origin + R at */
    const double u[3] = {quat[1], quat[2], quat[3]}, *a = p->at;
    const double t[3] = {2 * (u[1] * a[2] - u[2] * a[1]), 2 * (u[2] * a[0] - u[0] * a[2]), 2 * (u[0] * a[1] - u[1] * a[0])};
    const double turned[3] = {a[0] + quat[0] * t[0] + u[1] * t[2] - u[2] * t[1], a[1] + quat[0] * t[1] + u[2] * t[0] - u[0] * t[2],
                              a[2] + quat[0] * t[2] + u[0] * t[1] - u[1] * t[0]};
    return position[axis_of(q[0])] + turned[axis_of(q[0])];
}

double tl_probe_moment(const talus_world *w, const double moment[3])
{
    return talus_world_dimension(w) == 2 ? moment[2] : sqrt(moment[0] * moment[0] + moment[1] * moment[1] + moment[2] * moment[2]);
}

static double loop_value(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    (void)g;
    double r[6];
    talus_loop_reaction(w, p->loop, r);
    if (strcmp(p->quantity, "force") == 0) return sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    if (strcmp(p->quantity, "moment") == 0) return tl_probe_moment(w, r + 3);
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

static double contact_value(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    (void)g;
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

static double joint_value(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    (void)g;
    if (p->quantity[0] == 'p') return talus_joint_position(w, p->joint, p->coordinate);
    if (p->quantity[0] == 'v') return talus_joint_velocity(w, p->joint, p->coordinate);
    return p->quantity[0] == 'd' ? talus_joint_drive_force(w, p->joint, p->coordinate) : talus_joint_force(w, p->joint, p->coordinate);
}

static double coupling_value(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    const talus_coupling_state state = talus_coupling_read(w, p->coupling);
    (void)g;
    return p->quantity[0] == 'p' ? state.position : p->quantity[0] == 'v' ? state.velocity : state.force;
}

static double rope_value(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    (void)g;
    return p->tackle1 ? talus_tackle_pull(w, p->tackle1 - 1) : rope_force(w, p->rope, p->strut);
}

static double state_value(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    (void)g;
    return talus_mechanism_state(w, p->mechanism, p->state);
}

static double source_value(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    (void)g;
    return tl_exchange_sum(p->scene, w, true, p->group, p->quantity[0] == 'm');
}

static double sink_value(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    (void)g;
    return tl_exchange_sum(p->scene, w, false, p->group, p->quantity[0] == 'm');
}

static double energy_value(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    double kinetic, potential;
    (void)g;
    talus_world_energy(w, &kinetic, &potential);
    if (p->quantity[0] == 'o') return talus_oil_energy(w);
    if (p->quantity[0] == 'd') return talus_oil_damped(w);
    return p->quantity[0] == 'k' ? kinetic : p->quantity[0] == 'p' ? potential : kinetic + potential;
}

static double stage_value(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    (void)g, (void)p;
    return 1 + *(const double *)talus_state_data(w, "stages/now");
}

/* ---- the table ------------------------------------------------------------------------------------------------------------ */

#define HYDRAULIC .read = tl_build_hydraulic_probe, .unit_of = tl_hydraulic_probe_unit, .value = tl_hydraulic_probe_value
static const char PLACE[] = "x y z vx vy vz", TENSOR[] = "xx yy zz xy xz yz";
static const tl_probe_kind KINDS[] = {
    {.key = "joint", .quantities = "position velocity force drive", .read = joint_probe, .unit_of = joint_unit, .value = joint_value},
    {.key = "body",
     .quantities = "x y z angle vx vy vz ax ay az angular_velocity wx wy wz",
     .takes = "at",
     .read = body_probe,
     .unit_of = place_unit,
     .value = body_value},
    {.key = "coupling", .quantities = "position velocity force", .read = coupling_probe, .unit_of = coupling_unit, .value = coupling_value},
    {.key = "engine",
     .quantities = "torque power rack throttle fuel heat total",
     .read = tl_read_engine_probe,
     .unit_of = tl_engine_probe_unit,
     .value = tl_engine_probe_value},
    {.key = "converter",
     .quantities = "pump turbine speed_ratio efficiency heat",
     .read = tl_read_converter_probe,
     .unit_of = tl_converter_probe_unit,
     .value = tl_converter_probe_value},
    {.key = "input", .read = tl_read_input_probe, .unit_of = tl_input_probe_unit, .value = tl_input_probe_value},
    {.key = "loop", .quantities = "force x y z moment", .read = loop_probe, .unit_of = loop_unit, .value = loop_value},
    {.key = "body_joint", .takes = "quantity", .read = tl_build_joint_probe, .unit_of = tl_joint_probe_unit, .value = tl_joint_probe_value},
    {.key = "contact_force", .quantities = "magnitude x y z", .takes = "from", .unit = "N", .read = contact_probe, .value = contact_value},
    {.key = "rope", .unit = "N", .read = rope_probe, .value = rope_value},
    {.key = "energy", .unit = "J", .read = energy_probe, .value = energy_value},
    {.key = "pressure", .unit = "Pa", .read = tl_build_hydraulic_probe, .value = tl_hydraulic_probe_value},
    {.key = "oil", .unit = "m^3", .read = tl_build_hydraulic_probe, .value = tl_hydraulic_probe_value},
    {.key = "valve", .quantities = "flow power work", HYDRAULIC},
    {.key = "cylinder", .quantities = "force position velocity resistance", HYDRAULIC},
    {.key = "motor", .quantities = "moment flow velocity", HYDRAULIC},
    {.key = "source", .quantities = "mass number", .read = exchange_probe, .unit_of = amount_unit, .value = source_value},
    {.key = "sink", .quantities = "mass number", .read = exchange_probe, .unit_of = amount_unit, .value = sink_value},
    {.key = "state", .read = state_probe, .unit_of = state_unit, .value = state_value},
    {.key = "displacement", .quantities = PLACE, .takes = "at on", .read = tl_read_displacement_probe, .unit_of = place_unit, .value = tl_probe_displacement},
    {.key = "solid_stress",
     .quantities = "mean von_mises xx yy zz xy xz yz",
     .takes = "at",
     .unit = "Pa",
     .across = true,
     .read = tl_read_solid_stress_probe,
     .value = tl_probe_solid_stress},
    {.key = "solid_yield",
     .quantities = "plastic_strain cap",
     .takes = "at",
     .read = tl_read_solid_yield_probe,
     .unit_of = yield_unit,
     .value = tl_probe_solid_yield},
    {.key = "resultant", .quantities = "magnitude x y z", .takes = "on", .unit = "N", .read = tl_read_resultant_probe, .value = tl_probe_resultant},
    {.key = "solid_energy", .quantities = "kinetic elastic", .unit = "J", .read = tl_read_whole_solid_probe, .value = tl_probe_solid_energy},
    {.key = "solid_torn", .quantities = "mass number", .read = tl_read_whole_solid_probe, .unit_of = amount_unit, .value = tl_probe_solid_torn},
    {.key = "compactness", .unit = "1", .read = compactness_probe, .value = tl_probe_compactness, .of_grains = true, .wants_region = true},
    {.key = "coordination", .quantities = "all without_rattlers", .unit = "1", .read = grains_probe, .value = tl_probe_coordination, .of_grains = true},
    {.key = "grains", .quantities = PLACE, .read = grains_probe, .unit_of = place_unit, .value = tl_probe_mean, .of_grains = true},
    {.key = "number", .unit = "1", .read = grains_probe, .value = tl_probe_number, .of_grains = true},
    {.key = "mass", .unit = "kg", .read = grains_probe, .value = tl_probe_mass, .of_grains = true},
    {.key = "stress",
     .quantities = "mean xx yy zz xy xz yz yx zx zy",
     .read = grains_probe,
     .unit_of = stress_unit,
     .value = tl_probe_stress,
     .of_grains = true,
     .wants_region = true},
    {.key = "fabric", .quantities = TENSOR, .unit = "1", .read = grains_probe, .value = tl_probe_fabric, .of_grains = true},
    {.key = "temperature", .unit = "m^2/s^2", .read = grains_probe, .value = tl_probe_temperature, .of_grains = true},
    {.key = "flow",
     .quantities = "rate number mass",
     .takes = "at normal",
     .read = flow_probe,
     .unit_of = amount_unit,
     .value = tl_probe_flow,
     .of_grains = true},
    {.key = "dissipation",
     .quantities = "total normal friction rolling power",
     .read = dissipation_probe,
     .unit_of = dissipation_unit,
     .value = tl_probe_dissipation,
     .of_grains = true},
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

/* Not of scenes: the column that a scene with stages has. */
static const tl_probe_kind STAGE = {.key = "stage", .unit = "1", .value = stage_value};

/* The kind of a probe, the first where it names several things; how many it names. */
static const tl_probe_kind *kind_of(const tl_node *node, int *things)
{
    const tl_probe_kind *first = NULL;
    *things = 0;
    for (int i = 0; i < KIND_COUNT; i++) {
        if (!tl_node_get(node, KINDS[i].key)) continue;
        if (!first) first = &KINDS[i];
        ++*things;
    }
    return first;
}

/* The word that a probe gives, or the first of its kind; "": there are none. NULL: no memory. */
static const char *quantity_of(tl_builder *b, const tl_node *node, const tl_probe_kind *kind)
{
    const char *given = tl_word(node, "quantity", NULL), *words = kind->quantities ? kind->quantities : "";
    char first[32];
    if (given) return given;
    snprintf(first, sizeof first, "%.*s", (int)strcspn(words, " "), words);
    return keep(b, first);
}

const char *tl_probe_unit(tl_builder *b, const tl_node *node)
{
    int things;
    const tl_probe_kind *kind = kind_of(node, &things);
    if (!kind) return "N"; /* said elsewhere */
    if (kind->unit) return kind->unit;
    const char *quantity = quantity_of(b, node, kind);
    return kind->unit_of(b, node, quantity ? quantity : "");
}

/* ---- reading -------------------------------------------------------------------------------------------------------------- */

static talus_status refuse_things(tl_builder *b, const tl_node *node)
{
    char list[512] = "";
    for (int grains = 0; grains < 2; grains++)
        for (int i = 0; i < KIND_COUNT; i++) {
            if (KINDS[i].of_grains != (grains > 0)) continue;
            const bool first_of_grains = grains > 0 && (i == 0 || !KINDS[i - 1].of_grains);
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s%s", *list ? ", " : "", first_of_grains ? "or of grains " : "", KINDS[i].key);
        }
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "a probe names what it reads, and one thing only: %s", list);
    return TALUS_INPUT;
}

/* A key that says nothing of this kind would be taken for granted. */
static talus_status refuse_others(tl_builder *b, const tl_node *node, const tl_probe_kind *kind)
{
    for (int i = 0; i < node->count; i++) {
        const char *key = node->item[i]->key;
        const bool own = strcmp(key, kind->key) == 0 || strcmp(key, "over") == 0 || (kind->takes && one_of(key, kind->takes)) ||
                         (kind->quantities && strcmp(key, "quantity") == 0);
        if (own || (kind->of_grains && one_of(key, "region cells frame"))) continue;
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node->item[i], "'%.40s' says nothing of a probe of '%s'", key, kind->key);
        return TALUS_INPUT;
    }
    return TALUS_OK;
}

static talus_status build_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    int things;
    const tl_probe_kind *kind = kind_of(node, &things);
    if (things != 1) return refuse_things(b, node);
    TL_TRY(refuse_others(b, node, kind));
    *p = (tl_probe){.name = node->key, .number = p->number, .kind = kind};
    tl_vector(b, tl_node_get(node, "at"), "m", p->at);
    p->quantity = quantity_of(b, node, kind);
    if (!p->quantity) return TALUS_MEMORY;
    if (kind->quantities && !one_of(p->quantity, kind->quantities)) return wrong_quantity(b, node, kind->quantities);
    if (talus_world_dimension(b->world) == 2 && !kind->across && strcmp(p->quantity, "zz") == 0) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, tl_node_get(node, "quantity"), "in the plane only the stress of solids has a 'zz'");
        return TALUS_INPUT;
    }
    if (kind->of_grains) {
        const tl_node *group = tl_node_get(node, kind->key);
        const bool all = strcmp(group->text, "all") == 0 && tl_node_get(tl_node_get(b->scene->root, "grains"), "all") == NULL;
        p->group = all ? -1 : tl_build_group_named(b, group);
    }
    TL_TRY(kind->read(b, node, p));
    p->unit = tl_probe_unit(b, node);
    return tl_node_get(node, "over") && p->kind->value != tl_probe_flow ? tl_build_probe_mean(b, node, p) : TALUS_OK;
}

static bool is_taken(tl_builder *b, const tl_node *node)
{
    static const char *const TAKEN[] = {"stage",       "time",           "contacts",         "iterations", "residual",
                                        "penetration", "kinetic_energy", "potential_energy", "candidates", "tolerance"};
    bool taken = strpbrk(node->key, ",\"\n") != NULL;
    for (size_t k = b->scene->stage_count > 0 ? 0 : 1; k < sizeof TAKEN / sizeof *TAKEN; k++) taken = taken || strcmp(TAKEN[k], node->key) == 0;
    if (taken)
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "'%.80s' cannot name a probe: series.csv has a column of this name, or cannot have one",
                       node->key);
    return taken;
}

talus_status tl_build_probes(tl_builder *b)
{
    const tl_node *probes = tl_node_get(b->scene->root, "probes");
    const int count = probes && probes->kind == NODE_MAP ? probes->count : 0;
    int cells[3], total = 1, next = 0;
    for (int i = 0; i < count; i++) {
        const int parts = tl_probe_read_cells(b, probes->item[i], cells);
        if (parts == 0) return TALUS_INPUT;
        total += parts;
    }
    b->scene->probes = tl_arena_zero(b->scene->arena, (size_t)total, sizeof *b->scene->probes);
    if (!b->scene->probes) return TALUS_MEMORY;
    talus_status status = TALUS_OK;
    for (int i = 0; i < count; i++) {
        const tl_node *node = probes->item[i];
        tl_probe *p = &b->scene->probes[next];
        const int parts = tl_probe_read_cells(b, node, cells);
        p->number = next;
        if (is_taken(b, node) || build_probe(b, node, p) != TALUS_OK || tl_probe_build_cells(b, node, p, cells, parts) != TALUS_OK) status = TALUS_INPUT;
        next += parts;
    }
    if (b->scene->stage_count > 0) /* these have a column of their own */
        b->scene->probes[next++] = (tl_probe){.name = "stage", .quantity = "stage", .unit = STAGE.unit, .kind = &STAGE};
    b->scene->probe_count = next;
    return status;
}
