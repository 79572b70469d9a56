/* Hydraulic circuits: definition, assembly, reading (talus/hydraulics.h). */
#include "talus/hydraulics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "world/world.h"

static const char TANK[] = "tank";
static const double PRECHARGE_MOST = 1e8; /* [Pa] of what is built; a number of another unit is far beyond */

talus_circuit_def talus_circuit_def_default(void)
{
    return (talus_circuit_def){.struct_size = sizeof(talus_circuit_def), .bulk_modulus = 1.4e9, .air = 0.005, .exponent = 1.4};
}

talus_line_def talus_line_def_default(void) { return (talus_line_def){.struct_size = sizeof(talus_line_def), .gas_exponent = 1.4}; }

talus_cylinder_def talus_cylinder_def_default(void) { return (talus_cylinder_def){.struct_size = sizeof(talus_cylinder_def)}; }

talus_machine_def talus_machine_def_default(void) { return (talus_machine_def){.struct_size = sizeof(talus_machine_def)}; }

talus_valve_def talus_valve_def_default(void) { return (talus_valve_def){.struct_size = sizeof(talus_valve_def)}; }

static tl_hydraulics *all_of(const talus_world *w) { return &w->system->joints.hydraulics; }

static bool not_above(double least, double value) { return !(value > least) || !isfinite(value); }
static bool not_from(double least, double value) { return !(value >= least) || !isfinite(value); }

/* ---- names ------------------------------------------------------------------------------------------------------------------ */

static bool is_tank(const char *port) { return !port || strcmp(port, TANK) == 0; }

/* Its circuit and node; −1: there is none. */
static int find_port(const talus_world *w, const char *port, int *circuit)
{
    const tl_hydraulics *all = all_of(w);
    for (int c = 0; port && c < all->circuits; c++) {
        const int node = tl_fluid_find(all->circuit[c].fluid, port);
        if (node < 0) continue;
        *circuit = c;
        return node;
    }
    return -1;
}

static talus_status check_port(talus_world *w, int circuit, const char *text, const char *port, int *node)
{
    int of = circuit;
    *node = -1;
    if (is_tank(port)) return TALUS_OK;
    *node = find_port(w, port, &of);
    if (*node < 0) return tl_fail(&w->error, TALUS_INPUT, "%s: there is no line or chamber '%.100s'; chambers are CYLINDER.cap and CYLINDER.rod", text, port);
    if (of != circuit) return tl_fail(&w->error, TALUS_INPUT, "%s: '%.100s' is of another circuit, with oil of its own", text, port);
    return TALUS_OK;
}

static bool is_taken(const talus_world *w, const char *name)
{
    const tl_hydraulics *all = all_of(w);
    int circuit;
    bool taken = is_tank(name) || find_port(w, name, &circuit) >= 0;
    for (int i = 0; i < all->actuators; i++) taken = taken || strcmp(all->actuator[i].name, name) == 0;
    for (int i = 0; i < all->components; i++) taken = taken || strcmp(all->component[i].name, name) == 0;
    return taken;
}

enum { LONGEST = 100, TEXT = 160 };

/* A part of a circuit that is being made. All that can fail is done before the first of it is added, so that it is added whole or not at all. */
typedef struct part {
    talus_world *w;
    int circuit;
    tl_fluid *fluid;
    const char *name;
    char text[TEXT]; /* what it is, for messages */
} part;

static talus_status check_name(talus_world *w, const char *text, const char *name)
{
    return is_taken(w, name) ? tl_fail(&w->error, TALUS_INPUT, "%s: there are two things of a circuit of the name '%.110s', or it is the tank", text, name)
                             : TALUS_OK;
}

/* There is such a circuit, and the name is new. */
static talus_status begin(part *p, talus_world *w, talus_circuit_id circuit, const char *kind, const char *name)
{
    *p = (part){.w = w, .circuit = (int)circuit.index1 - 1, .name = name};
    if (!name || !*name) return tl_fail(&w->error, TALUS_INPUT, "a %s has no name", kind);
    snprintf(p->text, TEXT, "%s '%.100s'", kind, name);
    if (strlen(name) > LONGEST) return tl_fail(&w->error, TALUS_INPUT, "%s: its name has more than %d bytes", p->text, (int)LONGEST);
    if (circuit.index1 == 0 || circuit.index1 > (uint32_t)all_of(w)->circuits) return tl_fail(&w->error, TALUS_INPUT, "%s: there is no such circuit", p->text);
    p->fluid = all_of(w)->circuit[p->circuit].fluid;
    return check_name(w, p->text, name);
}

/* Room for what it adds, and copies of names [count], which end with the first that is NULL. MEMORY: there are none. */
static talus_status reserve(const part *p, int nodes, int elements, const char *const *name, char **copy)
{
    tl_hydraulics *all = all_of(p->w);
    const tl_memory memory = p->w->memory;
    int n = 0;
    if (tl_fluid_reserve(p->fluid, nodes, elements) != TALUS_OK ||
        tl_grow(memory, &all->actuator, &all->actuator_capacity, all->actuators + 1, sizeof *all->actuator) != TALUS_OK ||
        tl_grow(memory, &all->component, &all->component_capacity, all->components + 1, sizeof *all->component) != TALUS_OK)
        return tl_world_out_of_memory(p->w);
    for (; name[n]; n++) {
        copy[n] = tl_strdup(memory, name[n]);
        if (copy[n]) continue;
        while (n > 0) tl_free(memory, copy[--n]);
        return tl_world_out_of_memory(p->w);
    }
    return TALUS_OK;
}

/* ---- circuits and lines ------------------------------------------------------------------------------------------------------- */

talus_status talus_circuit_create(talus_world *w, const talus_circuit_def *def, talus_circuit_id *out)
{
    talus_circuit_def d = talus_circuit_def_default();
    TL_TRY(tl_world_open(w, &d, sizeof d, def, out, "circuit"));
    tl_hydraulics *all = all_of(w);
    const char *name = d.name ? d.name : "";
    if (!*name) return tl_fail(&w->error, TALUS_INPUT, "a circuit has no name");
    for (int i = 0; i < all->circuits; i++)
        if (strcmp(all->circuit[i].name, name) == 0) return tl_fail(&w->error, TALUS_INPUT, "there are two circuits '%.100s'", name);
    if (not_above(0, d.bulk_modulus))
        return tl_fail(&w->error, TALUS_INPUT, "circuit '%.100s': its bulk modulus is %g Pa; it must be positive", name, d.bulk_modulus);
    if (not_from(0, d.air) || d.air > 0.5) return tl_fail(&w->error, TALUS_INPUT, "circuit '%.100s': its share of air is %g; it is from 0 to 0.5", name, d.air);
    if (not_from(1, d.exponent) || d.exponent > 2)
        return tl_fail(&w->error, TALUS_INPUT, "circuit '%.100s': the exponent of its air is %g; it is from 1 to 2", name, d.exponent);
    if (tl_grow(w->memory, &all->circuit, &all->circuit_capacity, all->circuits + 1, sizeof *all->circuit) != TALUS_OK) return tl_world_out_of_memory(w);
    char *copy = tl_strdup(w->memory, name);
    tl_fluid *fluid = copy ? tl_fluid_create(w->memory, name, &(tl_oil){d.bulk_modulus, d.air, d.exponent}) : NULL;
    if (!fluid || tl_world_add_matter(w, tl_fluid_matter(fluid)) != TALUS_OK) {
        if (fluid) tl_fluid_matter(fluid)->ops->destroy(tl_fluid_matter(fluid));
        tl_free(w->memory, copy);
        return tl_world_out_of_memory(w);
    }
    all->circuit[all->circuits++] = (tl_circuit){.name = copy, .fluid = fluid, .matter = w->system->matters - 1};
    *out = (talus_circuit_id){(uint32_t)all->circuits};
    return TALUS_OK;
}

static talus_status check_start(const part *p, double pressure)
{
    const tl_oil *oil = tl_fluid_oil(p->fluid);
    if (!(pressure >= tl_oil_lowest(oil)) || !isfinite(pressure))
        return tl_fail(&p->w->error, TALUS_INPUT, "%s: its pressure at the start is %g Pa; relative to the atmosphere it cannot be below %g Pa", p->text,
                       pressure, tl_oil_lowest(oil));
    if (!(pressure < tl_oil_highest(oil)))
        return tl_fail(&p->w->error, TALUS_INPUT, "%s: its pressure at the start is %g Pa; it must be below the bulk modulus of its oil, %g Pa", p->text,
                       pressure, tl_oil_highest(oil));
    return TALUS_OK;
}

/* Gas of an accumulator, if there is any. */
static talus_status check_gas(const part *p, const talus_line_def *d)
{
    tl_error *error = &p->w->error;
    if (not_from(0, d->gas_volume)) return tl_fail(error, TALUS_INPUT, "%s: its accumulator has %g m³ of gas; it must not be negative", p->text, d->gas_volume);
    if (!(d->gas_volume > 0)) return TALUS_OK;
    if (not_above(0, d->precharge) || d->precharge > PRECHARGE_MOST)
        return tl_fail(error, TALUS_INPUT, "%s: the precharge of its accumulator is %g Pa; it must be positive, and at most %g Pa", p->text, d->precharge,
                       PRECHARGE_MOST);
    if (not_from(1, d->gas_exponent) || d->gas_exponent > 2)
        return tl_fail(error, TALUS_INPUT, "%s: the exponent of its gas is %g; it is from 1 to 2", p->text, d->gas_exponent);
    return TALUS_OK;
}

talus_status talus_line_create(talus_world *w, talus_circuit_id circuit, const talus_line_def *def)
{
    talus_line_def d = talus_line_def_default();
    part p;
    char *copy[1];
    TL_TRY(tl_world_open(w, &d, sizeof d, def, w, "line"));
    TL_TRY(begin(&p, w, circuit, "line", d.name));
    if (not_above(0, d.volume)) return tl_fail(&w->error, TALUS_INPUT, "%s: its volume is %g m³; it must be positive", p.text, d.volume);
    TL_TRY(check_start(&p, d.pressure));
    TL_TRY(check_gas(&p, &d));
    TL_TRY(reserve(&p, 1, 0, (const char *const[]){d.name, NULL}, copy));
    (void)tl_fluid_add_node(p.fluid, &(tl_fluid_node){.name = copy[0],
                                                      .line = true,
                                                      .reference = pow(d.volume, 2.0 / 3),
                                                      .start = d.pressure,
                                                      .volume = d.volume,
                                                      .bladder = {d.gas_volume, d.precharge, d.gas_exponent}});
    return TALUS_OK;
}

/* ---- what acts in a coordinate ------------------------------------------------------------------------------------------------- */

/* Where it acts: one of a joint's coordinates. */
typedef struct coordinate_of {
    talus_joint_id joint;
    talus_body_joint_id body_joint;
    int coordinate;
} coordinate_of;

static talus_status take_coordinate(talus_world *w, const char *text, const coordinate_of *of, bool wants_length, tl_actuator *a)
{
    const tl_joints *all = &w->system->joints;
    if (of->joint.index1) {
        a->at = TL_AT_COORDINATE;
        return tl_world_term(w, &(talus_term){of->joint, of->coordinate, 1}, text, &a->term);
    }
    if (of->body_joint.index1 > (uint32_t)all->count) return tl_fail(&w->error, TALUS_INPUT, "%s: there is no such joint between bodies", text);
    const tl_body_joint *j = &all->joint[of->body_joint.index1 - 1];
    if (of->coordinate < 0 || of->coordinate >= j->kind->coordinates)
        return tl_fail(&w->error, TALUS_INPUT, "%s: a joint of type %s has %d coordinates, and none of number %d", text, j->kind->name, j->kind->coordinates,
                       of->coordinate);
    const tl_frame here = {.R = tl_mat3_identity()};
    if (wants_length && j->kind->coordinate(&here, &here, of->coordinate).is_angle)
        return tl_fail(&w->error, TALUS_INPUT, "%s: a cylinder is on a coordinate that is a length, and this one is an angle", text);
    for (int k = 0; k < 2; k++)
        if (w->system->matter[j->end[k].matter]->ops->motion) return tl_fail(&w->error, TALUS_UNSUPPORTED, "%s is on a joint of a deformable solid", text);
    a->at = TL_AT_JOINT, a->joint = (int)of->body_joint.index1 - 1, a->coordinate = of->coordinate;
    return TALUS_OK;
}

static talus_status take_points(talus_world *w, const char *text, const talus_cylinder_def *d, tl_actuator *a)
{
    talus_body_id body[2] = {d->body_a, d->body_b};
    const double *point[2] = {d->point_a, d->point_b};
    a->at = TL_AT_POINTS;
    if (body[0].index1 == body[1].index1) return tl_fail(&w->error, TALUS_INPUT, "%s: give it a joint, or two bodies that are not the same", text);
    for (int k = 0; k < 2; k++) {
        if (body[k].index1 > (uint32_t)w->bodies) return tl_fail(&w->error, TALUS_INPUT, "%s is held by a body that does not exist", text);
        TL_TRY(tl_world_refuse_end(w, body[k], "a cylinder"));
        if (tl_is_none(body[k].index1)) TL_TRY(tl_world_ground(w, &body[k]));
        const tl_place place = w->body[body[k].index1 - 1].place;
        a->end[k] = (tl_joint_end){.matter = place.matter, .item = place.item, .body = (int)body[k].index1 - 1};
        a->given[k] = tl_load3(point[k]);
        if (!isfinite(a->given[k].x + a->given[k].y + a->given[k].z)) return tl_fail(&w->error, TALUS_INPUT, "%s: one of its points is not a number", text);
    }
    if (!(d->low > 0)) return tl_fail(&w->error, TALUS_INPUT, "%s: between points its length is positive, not from %g m on", text, d->low);
    return TALUS_OK;
}

/* With its leakage; into the room that is reserved. Takes over the name. */
static void add_actuator(const part *p, tl_actuator *a, double leakage, char *name)
{
    tl_hydraulics *all = all_of(p->w);
    a->name = name, a->leak = -1;
    if (leakage > 0)
        a->leak = tl_fluid_add_element(p->fluid, &(tl_fluid_element){.kind = TL_FLOW_LAMINAR, .a = a->node[0], .b = a->node[1], .name = name, .gain = leakage});
    all->actuator[all->actuators++] = *a;
}

static talus_status check_cylinder(talus_world *w, const char *text, const talus_cylinder_def *d)
{
    if (not_above(0, d->bore) || not_from(0, d->rod) || !(d->rod < d->bore))
        return tl_fail(&w->error, TALUS_INPUT, "%s: its bore is %g m, its rod %g m; the rod is thinner than the bore", text, d->bore, d->rod);
    if (!isfinite(d->low) || !isfinite(d->high) || !(d->low < d->high))
        return tl_fail(&w->error, TALUS_INPUT, "%s: its stroke is from %g to %g m; the first must be below the second", text, d->low, d->high);
    if (not_above(0, d->dead_volume))
        return tl_fail(&w->error, TALUS_INPUT, "%s: its dead volume is %g m³; it must be positive, or its stiffness at the end of the stroke has no bound",
                       text, d->dead_volume);
    if (not_from(0, d->leakage)) return tl_fail(&w->error, TALUS_INPUT, "%s: its leakage is %g; it must not be negative", text, d->leakage);
    return TALUS_OK;
}

static void warn_of_bore(talus_world *w, const char *cylinder, double bore)
{
    static const double WIDE = 3; /* [m] as no cylinder is */
    char text[TEXT + 100];
    if (!(bore > WIDE)) return;
    snprintf(text, sizeof text, "%s has a bore of %g m; is that meant in mm?", cylinder, bore);
    talus_world_warn(w, text);
}

talus_status talus_cylinder_create(talus_world *w, talus_circuit_id circuit, const talus_cylinder_def *def)
{
    talus_cylinder_def d = talus_cylinder_def_default();
    part p;
    char chamber[2][TEXT], *copy[3];
    TL_TRY(tl_world_open(w, &d, sizeof d, def, w, "cylinder"));
    TL_TRY(begin(&p, w, circuit, "cylinder", d.name));
    const int chambers = d.single ? 1 : 2;
    const char *const text = p.text, *const names[] = {d.name, chamber[0], d.single ? NULL : chamber[1], NULL};
    for (int k = 0; k < chambers; k++) {
        snprintf(chamber[k], TEXT, "%s.%s", d.name, k ? "rod" : "cap");
        TL_TRY(check_name(w, text, chamber[k]));
        TL_TRY(check_start(&p, d.pressure[k]));
    }
    TL_TRY(check_cylinder(w, text, &d));
    const double area = 0.25 * TL_PI * d.bore * d.bore, ring = area - 0.25 * TL_PI * d.rod * d.rod;
    tl_actuator a = {.circuit = p.circuit, .node = {-1, -1}, .factor = {area, -ring}, .freedom = talus_freedom_def_default()};
    a.base[0] = d.dead_volume - area * d.low, a.base[1] = d.dead_volume + ring * d.high;
    a.freedom.low = d.low, a.freedom.high = d.high, a.freedom.restitution = d.restitution, a.freedom.friction = d.friction;
    TL_TRY(tl_freedom_check(text, &a.freedom, &w->error));
    if (d.joint.index1 || d.body_joint.index1) TL_TRY(take_coordinate(w, text, &(coordinate_of){d.joint, d.body_joint, d.coordinate}, true, &a));
    else TL_TRY(take_points(w, text, &d, &a));
    TL_TRY(reserve(&p, chambers, 1, names, copy));
    for (int k = 0; k < chambers; k++)
        a.node[k] = tl_fluid_add_node(p.fluid, &(tl_fluid_node){.name = copy[1 + k], .reference = k ? ring : area, .start = d.pressure[k], .moved = true});
    add_actuator(&p, &a, d.leakage, copy[0]);
    warn_of_bore(w, text, d.bore);
    return TALUS_OK;
}

talus_status talus_machine_create(talus_world *w, talus_circuit_id circuit, const talus_machine_def *def)
{
    talus_machine_def d = talus_machine_def_default();
    part p;
    char *copy[1];
    TL_TRY(tl_world_open(w, &d, sizeof d, def, w, "machine"));
    TL_TRY(begin(&p, w, circuit, "machine", d.name));
    const char *const text = p.text, *const port[2] = {d.from, d.to};
    tl_actuator a = {
        .circuit = p.circuit, .machine = true, .factor = {d.displacement, -d.displacement}, .share = d.share, .freedom = talus_freedom_def_default()};
    if (not_above(0, d.displacement)) return tl_fail(&w->error, TALUS_INPUT, "%s: its displacement is %g; it must be positive", text, d.displacement);
    if (not_from(0, d.leakage)) return tl_fail(&w->error, TALUS_INPUT, "%s: its leakage is %g; it must not be negative", text, d.leakage);
    if (!d.joint.index1 && !d.body_joint.index1) return tl_fail(&w->error, TALUS_INPUT, "%s has no shaft: give it a joint", text);
    TL_TRY(take_coordinate(w, text, &(coordinate_of){d.joint, d.body_joint, d.coordinate}, false, &a));
    for (int k = 0; k < 2; k++) {
        TL_TRY(check_port(w, p.circuit, text, port[k], &a.node[k]));
        if (a.node[k] >= 0 && !tl_fluid_node_at(p.fluid, a.node[k])->line)
            return tl_fail(&w->error, TALUS_INPUT, "%s: '%.100s' is a chamber; a machine is between lines, from which an orifice leads to chambers", text,
                           port[k]);
    }
    if (a.node[0] == a.node[1]) return tl_fail(&w->error, TALUS_INPUT, "%s goes from a line to itself", text);
    TL_TRY(reserve(&p, 0, 1, (const char *const[]){d.name, NULL}, copy));
    for (int k = 0; k < 2; k++)
        if (a.node[k] >= 0) tl_fluid_node_at(p.fluid, a.node[k])->moved = true;
    add_actuator(&p, &a, d.leakage, copy[0]);
    return TALUS_OK;
}

/* ---- valves -------------------------------------------------------------------------------------------------------------------- */

static talus_status check_valve(talus_world *w, const char *text, const talus_valve_def *d)
{
    if ((unsigned)d->kind >= TALUS_VALVE_KINDS) return tl_fail(&w->error, TALUS_INPUT, "%s: there is no kind %d of valves", text, (int)d->kind);
    if (d->kind == TALUS_VALVE_PUMP && !d->opening.value) return tl_fail(&w->error, TALUS_INPUT, "%s: its flow is not given", text);
    if (d->kind != TALUS_VALVE_PUMP && (not_above(0, d->flow) || not_above(0, d->drop)))
        return tl_fail(&w->error, TALUS_INPUT, "%s: its flow is %g m³/s at a drop of %g Pa; both must be positive", text, d->flow, d->drop);
    if (not_from(0, d->opens) || not_from(0, d->laminar) || not_from(0, d->leakage))
        return tl_fail(&w->error, TALUS_INPUT, "%s: it opens at %g Pa, is laminar below %g Pa and leaks %g m³/(s Pa); these must not be negative", text,
                       d->opens, d->laminar, d->leakage);
    return TALUS_OK;
}

/* What it lets through between its ports: its elements [4], but for their name. */
static talus_status make_elements(const part *p, const talus_valve_def *d, tl_fluid_element element[4], int *count)
{
    static const int EDGE[4][3] = {{0, 2, 1}, {3, 1, 1}, {0, 3, -1}, {2, 1, -1}}; /* from, to, side of a four-way valve */
    static const tl_fluid_kind KIND[TALUS_VALVE_KINDS] = {TL_FLOW_ORIFICE, TL_FLOW_LAMINAR, TL_FLOW_CHECK, TL_FLOW_ORIFICE, TL_FLOW_GIVEN};
    const tl_oil *oil = tl_fluid_oil(p->fluid);
    const bool four = d->kind == TALUS_VALVE_FOUR_WAY, root = KIND[d->kind] == TL_FLOW_ORIFICE;
    const double drop = tl_oil_head(oil, d->drop), laminar = d->laminar > 0 ? tl_oil_head(oil, d->laminar) : 0.01 * drop;
    int node[4] = {-1, -1, -1, -1};
    for (int k = 0; k < (four ? 4 : 2); k++) TL_TRY(check_port(p->w, p->circuit, p->text, d->port[k], &node[k]));
    tl_fluid_element e = {.kind = KIND[d->kind], .opens = d->kind == TALUS_VALVE_CHECK ? tl_oil_head(oil, d->opens) : 0, .laminar = laminar};
    e.leakage = d->leakage, e.opening = d->opening;
    e.gain = d->kind == TALUS_VALVE_PUMP ? 1 : d->flow / (root ? sqrt(drop) : drop);
    *count = four ? 4 : 1;
    for (int k = 0; k < *count; k++) {
        e.a = node[four ? EDGE[k][0] : 0], e.b = node[four ? EDGE[k][1] : 1], e.side = four ? EDGE[k][2] : 0;
        if (e.a == e.b) return tl_fail(&p->w->error, TALUS_INPUT, "%s: two of its ports are at one place", p->text);
        element[k] = e;
    }
    return TALUS_OK;
}

talus_status talus_valve_create(talus_world *w, talus_circuit_id circuit, const talus_valve_def *def)
{
    talus_valve_def d = talus_valve_def_default();
    part p;
    tl_fluid_element element[4];
    char *copy[1];
    int count, first = 0;
    TL_TRY(tl_world_open(w, &d, sizeof d, def, w, "valve"));
    TL_TRY(begin(&p, w, circuit, d.kind == TALUS_VALVE_PUMP ? "pump" : "valve", d.name));
    TL_TRY(check_valve(w, p.text, &d));
    TL_TRY(make_elements(&p, &d, element, &count));
    TL_TRY(reserve(&p, 0, count, (const char *const[]){d.name, NULL}, copy));
    for (int k = 0; k < count; k++) {
        element[k].name = copy[0];
        const int number = tl_fluid_add_element(p.fluid, &element[k]);
        if (k == 0) first = number;
    }
    tl_hydraulics *all = all_of(w);
    all->component[all->components++] = (tl_component){.name = copy[0], .circuit = p.circuit, .first = first, .count = count};
    return TALUS_OK;
}

/* ---- assembly ------------------------------------------------------------------------------------------------------------------- */

static talus_status settle_actuator(talus_world *w, tl_actuator *a)
{
    tl_grip grip[2];
    double x;
    if (a->at == TL_AT_COORDINATE) {
        tl_term_is is;
        TL_TRY(tl_world_place_term(w, &a->term, &is));
        if (!a->machine && is.angle)
            return tl_fail(&w->error, TALUS_INPUT, "cylinder '%.100s': a cylinder is on a coordinate that is a length, and that of '%.100s' is an angle",
                           a->name, is.joint);
    }
    for (int k = 0; a->at == TL_AT_POINTS && k < 2; k++) {
        const tl_frame axes = tl_world_user_axes(w, (tl_place){a->end[k].matter, a->end[k].item});
        const tl_vec3 p = a->given[k];
        a->end[k].frame.p = tl_add(axes.p, tl_mat3_apply(&axes.R, tl_is_planar(w) ? tl_v3(p.x, p.y, 0) : p));
    }
    if (a->machine) return TALUS_OK;
    (void)tl_actuator_grips(w->system, a, grip, &x);
    if (tl_freedom_passed(&a->freedom, x))
        return tl_fail(&w->error, TALUS_INPUT, "cylinder '%.100s' starts at %g m, beyond its stroke from %g to %g m", a->name, x, a->freedom.low,
                       a->freedom.high);
    return TALUS_OK;
}

talus_status tl_world_settle_hydraulics(talus_world *w)
{
    tl_hydraulics *all = all_of(w);
    const tl_scheme *scheme = w->system->scheme;
    if (all->circuits == 0) return TALUS_OK;
    if (scheme != &TL_SCHEME_MOREAU && scheme != &TL_SCHEME_SPOOK)
        return tl_fail(&w->error, TALUS_UNSUPPORTED, "scheme '%s' knows no hydraulics; take moreau or spook", talus_scheme_name((int)w->def.scheme));
    all->memory = tl_alloc(w->memory, (size_t)all->actuators + 1, sizeof *all->memory);
    all->next = tl_alloc(w->memory, (size_t)all->actuators + 1, sizeof *all->next);
    if (!all->memory || !all->next) return tl_world_out_of_memory(w);
    for (int i = 0; i < all->actuators; i++) TL_TRY(settle_actuator(w, &all->actuator[i]));
    for (int c = 0; c < all->circuits; c++) {
        const int nodes = tl_fluid_nodes(all->circuit[c].fluid);
        double *volume = tl_alloc(w->memory, (size_t)nodes + 1, sizeof *volume);
        if (!volume) return tl_world_out_of_memory(w);
        for (int i = 0; i < nodes; i++) volume[i] = tl_hydraulics_volume(w->system, c, i);
        const talus_status settled = tl_fluid_settle(all->circuit[c].fluid, volume, &w->error);
        tl_free(w->memory, volume);
        TL_TRY(settled);
    }
    return TALUS_OK;
}

/* ---- reading -------------------------------------------------------------------------------------------------------------------- */

/* The rod side of a cylinder that has none: it is at the tank. */
static bool is_open_rod(const talus_world *w, const char *port)
{
    const tl_hydraulics *all = all_of(w);
    const char *dot = strrchr(port, '.');
    for (int i = 0; dot && strcmp(dot, ".rod") == 0 && i < all->actuators; i++) {
        const tl_actuator *a = &all->actuator[i];
        const size_t length = strlen(a->name);
        if (!a->machine && a->node[1] < 0 && length == (size_t)(dot - port) && strncmp(a->name, port, length) == 0) return true;
    }
    return false;
}

double talus_pressure(const talus_world *w, const char *port)
{
    int circuit;
    if (w && w->assembled && (is_tank(port) || is_open_rod(w, port))) return 0;
    const int node = w && w->assembled ? find_port(w, port, &circuit) : -1;
    return node < 0 ? (double)NAN : tl_fluid_pressure(all_of(w)->circuit[circuit].fluid, node);
}

double talus_oil(const talus_world *w, const char *port)
{
    int circuit;
    const int node = w && w->assembled ? find_port(w, port, &circuit) : -1;
    return node < 0 ? (double)NAN : tl_fluid_content(all_of(w)->circuit[circuit].fluid, node);
}

static const tl_actuator *find_actuator(const talus_world *w, const char *name)
{
    const tl_hydraulics *all = all_of(w);
    for (int i = 0; name && i < all->actuators; i++)
        if (strcmp(all->actuator[i].name, name) == 0) return &all->actuator[i];
    return NULL;
}

bool talus_component_read(const talus_world *w, const char *name, talus_component_state *out)
{
    const tl_hydraulics *all = all_of(w);
    const tl_actuator *a = find_actuator(w, name);
    tl_component c = {.count = 0};
    bool found = a != NULL;
    memset(out, 0, sizeof *out);
    if (a && a->leak >= 0) c = (tl_component){.circuit = a->circuit, .first = a->leak, .count = 1};
    for (int i = 0; name && i < all->components; i++)
        if (strcmp(all->component[i].name, name) == 0) c = all->component[i], found = true;
    for (int k = 0; w->assembled && k < c.count; k++) {
        double flow, power, work;
        tl_fluid_flow(all->circuit[c.circuit].fluid, c.first + k, &flow, &power, &work);
        out->flow += c.count == 1 || k % 2 == 0 ? flow : 0; /* of four-way valves both edges of the first port */
        out->power += power, out->work += work;
    }
    return found && w->assembled;
}

/* Rate of an actuator's coordinate at the committed state. */
static double rate_of(const talus_world *w, const tl_actuator *a)
{
    double position, rate = 0;
    tl_grip grip[2];
    if (a->at == TL_AT_COORDINATE) return tl_world_term_rate(w, &a->term);
    if (a->at == TL_AT_JOINT) {
        talus_body_joint_state state;
        return talus_body_joint_get(w, a->joint, &state) == TALUS_OK ? state.rate[a->coordinate] : 0;
    }
    (void)tl_actuator_grips(w->system, a, grip, &position);
    for (int k = 0; k < 2; k++) {
        tl_vec3 velocity, spin;
        const tl_matter *m = w->system->matter[a->end[k].matter];
        m->ops->body_motion(m, a->end[k].item, a->end[k].frame.p, &velocity, &spin);
        rate += tl_dot(grip[k].row[0].force, velocity);
    }
    return rate;
}

bool talus_actuator_read(const talus_world *w, const char *name, talus_actuator_state *out)
{
    const tl_actuator *a = find_actuator(w, name);
    memset(out, 0, sizeof *out);
    if (!a || !w->assembled) return false;
    const tl_fluid *f = all_of(w)->circuit[a->circuit].fluid;
    const tl_freedom_memory *m = &all_of(w)->memory[a - all_of(w)->actuator];
    tl_grip grip[2];
    const double share = tl_actuator_share(a, talus_world_time(w));
    (void)tl_actuator_grips(w->system, a, grip, &out->position);
    out->rate = rate_of(w, a);
    for (int k = 0; k < 2; k++) {
        const double push = a->node[k] < 0 ? 0 : a->machine ? tl_oil_head(tl_fluid_oil(f), tl_fluid_pressure(f, a->node[k])) : tl_fluid_pressure(f, a->node[k]);
        out->force += share * a->factor[k] * push;
    }
    out->resistance = (m->low - m->high + m->friction) / talus_world_step_size(w);
    out->flow = a->machine ? share * a->factor[0] * out->rate : 0;
    return true;
}

double talus_oil_energy(const talus_world *w)
{
    const tl_hydraulics *all = all_of(w);
    const double still[3] = {0, 0, 0};
    double sum = 0;
    for (int i = 0; i < all->circuits && w->assembled; i++) {
        const tl_matter *m = tl_fluid_matter(all->circuit[i].fluid);
        double kinetic, potential;
        m->ops->energy(m, still, &kinetic, &potential);
        sum += potential;
    }
    return sum;
}

double talus_oil_damped(const talus_world *w)
{
    const tl_hydraulics *all = all_of(w);
    double sum = 0;
    for (int i = 0; i < all->circuits; i++) sum += tl_fluid_damped(all->circuit[i].fluid);
    return sum;
}
