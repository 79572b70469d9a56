/* Hydraulic circuits of a scene, and what is read of them. */
#include <math.h>
#include <string.h>

#include "scene/build.h"

static talus_status wrong(tl_builder *b, const tl_node *node, const char *text)
{
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "%s", text);
    return TALUS_INPUT;
}

static const char *text_of(const tl_node *map, const char *key, const char *fallback)
{
    const tl_node *node = tl_node_get(map, key);
    return node && node->kind == NODE_SCALAR ? node->text : fallback;
}

/* Two quantities; without a node they stay. */
static talus_status read_two(tl_builder *b, const tl_node *node, const char *unit, double out[2], const char *what)
{
    if (!node) return TALUS_OK;
    if (node->kind != NODE_LIST || node->count != 2) return wrong(b, node, what);
    for (int k = 0; k < 2; k++) out[k] = tl_quantity(b->r, node->item[k], unit, 0, true);
    return TALUS_OK;
}

/* "guide.slide" */
static talus_status read_body_joint(tl_builder *b, const tl_node *node, talus_body_joint_id *joint, int *coordinate)
{
    const char *dot = strchr(node->text, '.');
    const tl_node *joints = tl_node_get(b->scene->root, "joints");
    const size_t length = dot ? (size_t)(dot - node->text) : strlen(node->text);
    for (int i = 0; joints && i < joints->count; i++) {
        const tl_node *j = joints->item[i];
        if (strlen(j->key) != length || strncmp(j->key, node->text, length) != 0) continue;
        *joint = (talus_body_joint_id){(uint32_t)i + 1};
        *coordinate = dot ? tl_body_joint_coordinate(tl_word(j, "type", "revolute"), dot + 1) : -1;
    }
    return *coordinate >= 0 ? TALUS_OK : wrong(b, node, "this names a coordinate of a joint between bodies: guide.slide, hinge.angle");
}

/* A joint of a mechanism or between bodies; neither: both stay {0}. */
static talus_status read_joint(tl_builder *b, const tl_node *node, talus_joint_id *joint, talus_body_joint_id *body_joint, int *coordinate)
{
    const tl_node *of_mechanism = tl_node_get(node, "joint"), *between = tl_node_get(node, "body_joint");
    if (of_mechanism && between) return wrong(b, between, "it is on one joint only: give joint or body_joint");
    if (of_mechanism) return tl_build_coordinate(b, of_mechanism, joint, coordinate) ? TALUS_OK : TALUS_INPUT;
    return between ? read_body_joint(b, between, body_joint, coordinate) : TALUS_OK;
}

/* Is a machine on a coordinate that is a length? A joint that is not there is said elsewhere. */
static bool on_slide(tl_builder *b, const tl_node *node)
{
    const tl_node *joint = tl_node_get(node, "joint"), *between = tl_node_get(node, "body_joint");
    if (joint && joint->kind == NODE_SCALAR) return strcmp(tl_coordinate_unit(b, joint, -1), "m") == 0 && tl_reference_joint(b, joint);
    const char *dot = between && between->kind == NODE_SCALAR ? strchr(between->text, '.') : NULL;
    return dot && strcmp(tl_joint_probe_unit(b, node, "position"), "m") == 0;
}

/* ---- parts of a circuit ---------------------------------------------------------------------------------------------------------- */

static talus_status build_line(tl_builder *b, const tl_node *circuit, talus_circuit_id id, const tl_node *node)
{
    const tl_node *all = tl_node_get(circuit, "accumulators");
    talus_line_def d = talus_line_def_default();
    int count = 0;
    d.name = node->key;
    d.volume = tl_quantity_in(b, node, "volume", "m^3", 0);
    d.pressure = tl_quantity_in(b, node, "pressure", "Pa", 0);
    for (int i = 0; all && i < all->count; i++) {
        const tl_node *a = all->item[i];
        if (strcmp(text_of(a, "line", ""), node->key) != 0) continue;
        if (count++ > 0) return wrong(b, a, "there is an accumulator at this line already: give it a line of its own");
        d.gas_volume = tl_quantity_in(b, a, "volume", "m^3", 0);
        d.precharge = tl_quantity_in(b, a, "precharge", "Pa", 0);
        d.gas_exponent = tl_quantity_in(b, a, "exponent", "", d.gas_exponent);
    }
    return tl_build_check(b, talus_line_create(b->world, id, &d), node);
}

static talus_status build_cylinder(tl_builder *b, const tl_node *circuit, talus_circuit_id id, const tl_node *node)
{
    const tl_node *bodies = tl_node_get(node, "bodies"), *at = tl_node_get(node, "at");
    talus_cylinder_def d = talus_cylinder_def_default();
    double stroke[2] = {0, 0};
    (void)circuit;
    d.name = node->key;
    TL_TRY(read_joint(b, node, &d.joint, &d.body_joint, &d.coordinate));
    if (!bodies == !(d.joint.index1 || d.body_joint.index1)) return wrong(b, node, "a cylinder has a joint, a body_joint or two bodies, and one of these only");
    if (bodies && (bodies->kind != NODE_LIST || bodies->count != 2)) return wrong(b, bodies, "'bodies' names two: [frame, arm]");
    if (at && (!bodies || at->kind != NODE_LIST || at->count != 2)) return wrong(b, at, "'at' gives two points, one for each of the bodies");
    if (bodies) TL_TRY(tl_build_grain_named(b, bodies->item[0], &d.body_a));
    if (bodies) TL_TRY(tl_build_grain_named(b, bodies->item[1], &d.body_b));
    if (at) tl_vector(b, at->item[0], "m", d.point_a), tl_vector(b, at->item[1], "m", d.point_b);
    TL_TRY(read_two(b, tl_node_get(node, "stroke"), "m", stroke, "'stroke' gives both ends: [0, 0.6 m]"));
    TL_TRY(read_two(b, tl_node_get(node, "pressure"), "Pa", d.pressure, "'pressure' gives those of cap and rod side: [3 MPa, 0]"));
    d.bore = tl_quantity_in(b, node, "bore", "m", 0), d.rod = tl_quantity_in(b, node, "rod", "m", 0);
    d.low = stroke[0], d.high = stroke[1];
    d.restitution = tl_quantity_in(b, node, "restitution", "", 0);
    d.dead_volume = tl_quantity_in(b, node, "dead_volume", "m^3", 0);
    d.friction = tl_quantity_in(b, node, "friction", "N", 0);
    d.leakage = tl_quantity_in(b, node, "leakage", "m^3/s/Pa", 0);
    d.single = strcmp(tl_word(node, "single_acting", "false"), "true") == 0;
    return tl_build_check(b, talus_cylinder_create(b->world, id, &d), node);
}

static talus_status build_motor(tl_builder *b, const tl_node *circuit, talus_circuit_id id, const tl_node *node)
{
    const tl_node *share = tl_node_get(node, "share");
    talus_machine_def d = talus_machine_def_default();
    (void)circuit;
    d.name = node->key, d.from = text_of(node, "from", NULL), d.to = text_of(node, "to", NULL);
    TL_TRY(read_joint(b, node, &d.joint, &d.body_joint, &d.coordinate));
    d.displacement = tl_quantity_in(b, node, "displacement", on_slide(b, node) ? "m^2" : "m^3/rad", 0);
    d.leakage = tl_quantity_in(b, node, "leakage", "m^3/s/Pa", 0);
    if (share) d.share = tl_build_probed(b, share, "");
    return tl_build_check(b, talus_machine_create(b->world, id, &d), node);
}

static talus_status build_pump(tl_builder *b, const tl_node *circuit, talus_circuit_id id, const tl_node *node)
{
    talus_valve_def d = talus_valve_def_default();
    (void)circuit;
    d.name = node->key, d.kind = TALUS_VALVE_PUMP;
    d.port[0] = text_of(node, "from", NULL), d.port[1] = text_of(node, "to", NULL);
    d.opening = tl_build_probed(b, tl_node_get(node, "flow"), "m^3/s");
    return tl_build_check(b, talus_valve_create(b->world, id, &d), node);
}

static talus_status build_valve(tl_builder *b, const tl_node *circuit, talus_circuit_id id, const tl_node *node)
{
    static const struct {
        const char *word;
        talus_valve_kind kind;
    } KIND[] = {{"orifice", TALUS_VALVE_ORIFICE},
                {"laminar", TALUS_VALVE_LAMINAR},
                {"check", TALUS_VALVE_CHECK},
                {"relief", TALUS_VALVE_CHECK},
                {"four_way", TALUS_VALVE_FOUR_WAY}};
    static const char *const PORT[2][4] = {{"from", "to", NULL, NULL}, {"pressure", "tank", "a", "b"}};
    const tl_node *opening = tl_node_get(node, "opening");
    talus_valve_def d = talus_valve_def_default();
    (void)circuit;
    d.name = node->key;
    for (size_t i = 0; i < sizeof KIND / sizeof *KIND; i++)
        if (strcmp(tl_word(node, "type", "orifice"), KIND[i].word) == 0) d.kind = KIND[i].kind;
    const bool four = d.kind == TALUS_VALVE_FOUR_WAY, one_way = d.kind == TALUS_VALVE_CHECK;
    for (int k = 0; k < 4; k++) {
        if (PORT[!four][k] && tl_node_get(node, PORT[!four][k]))
            return wrong(b, tl_node_get(node, PORT[!four][k]), "ports of a valve are from and to; of four_way pressure, tank, a and b");
        d.port[k] = PORT[four][k] ? text_of(node, PORT[four][k], NULL) : NULL;
    }
    if (!d.port[0] || (four && !(d.port[2] && d.port[3])))
        return wrong(b, node, four ? "a four_way valve names its ports: pressure, a and b" : "a valve says where it takes oil from: from: supply");
    if (tl_node_get(node, "opens") && !one_way)
        return wrong(b, tl_node_get(node, "opens"), "check and relief valves open at a pressure, others have an opening");
    if (tl_node_get(node, "laminar") && !four && d.kind != TALUS_VALVE_ORIFICE)
        return wrong(b, tl_node_get(node, "laminar"), "only orifices, and those of four_way, are laminar below a pressure");
    d.flow = tl_quantity_in(b, node, "flow", "m^3/s", 0), d.drop = tl_quantity_in(b, node, "drop", "Pa", 0);
    d.opens = tl_quantity_in(b, node, "opens", "Pa", 0), d.laminar = tl_quantity_in(b, node, "laminar", "Pa", 0);
    d.leakage = tl_quantity_in(b, node, "leakage", "m^3/s/Pa", 0);
    if (opening) d.opening = tl_build_probed(b, opening, "");
    return tl_build_check(b, talus_valve_create(b->world, id, &d), node);
}

void tl_check_hydraulics(tl_builder *b)
{
    static const char *const FUNCTION[][3] = {{"pumps", "flow", "m^3/s"}, {"motors", "share", ""}, {"valves", "opening", ""}};
    const tl_node *all = tl_node_get(b->scene->root, "hydraulics");
    for (int i = 0; all && all->kind == NODE_MAP && i < all->count; i++)
        for (size_t k = 0; k < sizeof FUNCTION / sizeof *FUNCTION; k++) {
            const tl_node *parts = tl_node_get(all->item[i], FUNCTION[k][0]);
            for (int n = 0; parts && parts->kind == NODE_MAP && n < parts->count; n++) {
                const tl_node *displacement = tl_node_get(parts->item[n], "displacement"); /* of motors */
                if (displacement) (void)tl_quantity(b->r, displacement, on_slide(b, parts->item[n]) ? "m^2" : "m^3/rad", 0, true);
                const tl_node *function = tl_node_get(parts->item[n], FUNCTION[k][1]);
                if (function && function->kind == NODE_SCALAR) (void)tl_build_probed(b, function, FUNCTION[k][2]);
            }
        }
}

static talus_status check_accumulators(tl_builder *b, const tl_node *circuit)
{
    const tl_node *all = tl_node_get(circuit, "accumulators"), *lines = tl_node_get(circuit, "lines");
    for (int i = 0; all && i < all->count; i++)
        if (!tl_node_get(lines, text_of(all->item[i], "line", "")))
            return wrong(b, all->item[i], "an accumulator is at a line of its circuit, and there is none of this name");
    return TALUS_OK;
}

static talus_status build_circuit(tl_builder *b, const tl_node *node)
{
    static const struct {
        const char *key;
        talus_status (*entry)(tl_builder *, const tl_node *circuit, talus_circuit_id, const tl_node *);
    } PART[] = {{"lines", build_line}, {"cylinders", build_cylinder}, {"motors", build_motor}, {"pumps", build_pump}, {"valves", build_valve}};
    const tl_node *oil = tl_node_get(node, "oil");
    talus_circuit_def d = talus_circuit_def_default();
    talus_circuit_id id;
    d.name = node->key;
    d.bulk_modulus = tl_quantity_in(b, oil, "bulk_modulus", "Pa", d.bulk_modulus);
    d.air = tl_quantity_in(b, oil, "air", "", d.air);
    d.exponent = tl_quantity_in(b, oil, "exponent", "", d.exponent);
    TL_TRY(tl_build_check(b, talus_circuit_create(b->world, &d, &id), node));
    TL_TRY(check_accumulators(b, node));
    for (size_t i = 0; i < sizeof PART / sizeof *PART; i++) {
        const tl_node *map = tl_node_get(node, PART[i].key);
        talus_status first = TALUS_OK;
        for (int k = 0; map && map->kind == NODE_MAP && k < map->count && first != TALUS_MEMORY; k++) {
            const talus_status status = PART[i].entry(b, node, id, map->item[k]);
            if (first == TALUS_OK) first = status;
        }
        TL_TRY(first);
    }
    return TALUS_OK;
}

talus_status tl_build_hydraulics(tl_builder *b) { return tl_build_each(b, tl_node_get(b->scene->root, "hydraulics"), build_circuit); }

/* ---- probes ------------------------------------------------------------------------------------------------------------------------ */

/* A part of any circuit, of one of these maps; NULL: there is none. */
static const tl_node *find_part(const tl_builder *b, const char *name, const char *const *maps)
{
    const tl_node *all = tl_node_get(b->scene->root, "hydraulics");
    for (int i = 0; all && all->kind == NODE_MAP && i < all->count; i++)
        for (int k = 0; maps[k]; k++) {
            const tl_node *part = tl_node_get(tl_node_get(all->item[i], maps[k]), name);
            if (part) return part;
        }
    return NULL;
}

/* A line, a chamber as CYLINDER.cap or CYLINDER.rod, or, where a pressure is asked for, the tank. */
static talus_status check_place(tl_builder *b, const tl_node *name, bool of_pressure)
{
    static const char *const CYLINDERS[] = {"cylinders", NULL}, *const LINES[] = {"lines", NULL};
    const char *dot = strrchr(name->text, '.');
    char cylinder[128];
    if (find_part(b, name->text, LINES) || (of_pressure && strcmp(name->text, "tank") == 0)) return TALUS_OK;
    if (strcmp(name->text, "tank") == 0) return wrong(b, name, "the tank has no end: only its pressure can be asked for, which is 0");
    snprintf(cylinder, sizeof cylinder, "%.*s", dot ? (int)(dot - name->text) : 0, name->text);
    const tl_node *of = dot && (strcmp(dot, ".cap") == 0 || strcmp(dot, ".rod") == 0) ? find_part(b, cylinder, CYLINDERS) : NULL;
    if (!of) return wrong(b, name, "there is no line or chamber of this name; chambers are CYLINDER.cap and CYLINDER.rod");
    if (!of_pressure && dot[1] == 'r' && strcmp(tl_word(of, "single_acting", "false"), "true") == 0)
        return wrong(b, name, "this cylinder is single_acting: its rod side is open to the tank and holds no oil of its own");
    return TALUS_OK;
}

talus_status tl_build_hydraulic_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    static const char *const VALVES[] = {"valves", "pumps", "cylinders", "motors", NULL}, *const CYLINDERS[] = {"cylinders", NULL},
                             *const MOTORS[] = {"motors", NULL};
    const tl_node *name = tl_node_get(node, p->kind->key);
    const char key = p->kind->key[0];
    p->hydraulic = name->text;
    if (key == 'p' || key == 'o') {
        p->quantity = p->kind->key;
        return check_place(b, name, key == 'p');
    }
    if (find_part(b, name->text, key == 'v' ? VALVES : key == 'c' ? CYLINDERS : MOTORS)) return TALUS_OK;
    return wrong(b, name,
                 key == 'v'   ? "there is no valve, pump, cylinder or motor of this name"
                 : key == 'c' ? "there is no cylinder of this name"
                              : "there is no motor of this name");
}

const char *tl_hydraulic_probe_unit(tl_builder *b, const tl_node *node, const char *quantity)
{
    static const char *const MOTORS[] = {"motors", NULL};
    const tl_node *name = tl_node_get(node, "motor"), *motor = name && name->kind == NODE_SCALAR ? find_part(b, name->text, MOTORS) : NULL;
    const bool turns = name && !(motor && on_slide(b, motor));
    switch (*quantity) {
    case 'p': return strcmp(quantity, "power") == 0 ? "W" : "m";
    case 'w': return "J";
    case 'm': return turns ? "N m" : "N";
    case 'v': return turns ? "rad/s" : "m/s";
    case 'f': return strcmp(quantity, "flow") == 0 ? "m^3/s" : "N";
    default: return "N";
    }
}

double tl_hydraulic_probe_value(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    const char *key = p->kind->key, *q = p->quantity;
    talus_component_state c;
    talus_actuator_state a;
    (void)g;
    if (*key == 'p') return talus_pressure(w, p->hydraulic);
    if (*key == 'o') return talus_oil(w, p->hydraulic);
    if (*key == 'v') return !talus_component_read(w, p->hydraulic, &c) ? (double)NAN : *q == 'f' ? c.flow : *q == 'p' ? c.power : c.work;
    if (!talus_actuator_read(w, p->hydraulic, &a)) return (double)NAN;
    if (*q == 'p') return a.position;
    if (*q == 'v') return a.rate;
    if (*q == 'r') return a.resistance;
    return strcmp(q, "flow") == 0 ? a.flow : a.force;
}
