/* Drivelines of a scene: shafts, engines, converters, and what probes read of them. */
#include <math.h>
#include <string.h>

#include "scene/build.h"

/* ---- tables over a number -------------------------------------------------------------------------------------------- */

static const double *numbers(tl_builder *b, const tl_node *list, const char *unit)
{
    double *out = tl_arena_alloc(b->scene->arena, (size_t)list->count + 1, sizeof *out);
    for (int i = 0; out && i < list->count; i++) out[i] = tl_quantity(b->r, list->item[i], unit, 0, true);
    return out;
}

static bool check_table(tl_builder *b, const tl_node *node, const tl_column *x, const tl_column *y, const talus_table *k)
{
    for (int i = 0; i < k->rows; i++) {
        const tl_node *at = tl_node_get(node, x->key)->item[i];
        if (k->x[i] < 0) tl_mistake(&b->scene->mistakes, TALUS_INPUT, at, "'%s' of a table is %g; it must not be negative", x->key, k->x[i]);
        else if (k->y[i] < 0)
            tl_mistake(&b->scene->mistakes, TALUS_INPUT, tl_node_get(node, y->key)->item[i], "'%s' of a table is %g; it must not be negative", y->key, k->y[i]);
        else if (i > 0 && !(k->x[i] > k->x[i - 1])) tl_mistake(&b->scene->mistakes, TALUS_INPUT, at, "'%s' of a table must ascend", x->key);
        else continue;
        return false;
    }
    return true;
}

bool tl_build_characteristic(tl_builder *b, const tl_node *node, const tl_column *x, const tl_column *y, bool ends, talus_characteristic *out)
{
    static const double ORIGIN = 0;
    const int before = b->scene->mistakes.count;
    *out = (talus_characteristic){NULL, NULL};
    if (!node) return true;
    talus_table *k = tl_arena_zero(b->scene->arena, 1, sizeof *k);
    double *only = tl_arena_zero(b->scene->arena, 1, sizeof *only);
    if (!k || !only) return false;
    *k = (talus_table){.x = &ORIGIN, .y = only, .rows = 1, .ends = ends};
    if (node->kind == NODE_SCALAR) *only = tl_quantity(b->r, node, y->unit, 0, true);
    else {
        const tl_node *xs = tl_node_get(node, x->key), *ys = tl_node_get(node, y->key);
        if (xs->kind != NODE_LIST || ys->kind != NODE_LIST || xs->count != ys->count || xs->count < 1) {
            tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "a table has as many of '%s' as of '%s': %s: [0, 100], %s: [3, 1]", x->key, y->key, x->key,
                           y->key);
            return false;
        }
        k->rows = xs->count, k->x = numbers(b, xs, x->unit), k->y = numbers(b, ys, y->unit);
        if (!k->x || !k->y) return false;
        if (b->scene->mistakes.count == before && !check_table(b, node, x, y, k)) return false;
    }
    *out = (talus_characteristic){talus_table_value, k};
    return b->scene->mistakes.count == before;
}

/* ---- shafts ---------------------------------------------------------------------------------------------------------- */

talus_status tl_build_shaft(tl_builder *b, const tl_node *node)
{
    talus_shaft_def d = talus_shaft_def_default();
    talus_joint_id id;
    const tl_node *axis = tl_node_get(node, "axis"), *on = tl_node_get(node, "on");
    if (on && talus_body_find(b->world, on->text).index1 == 0 && tl_node_get(tl_node_get(b->of_mechanism, "shafts"), on->text)) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, on, "shaft '%.80s' turns on itself, or on one that comes after it: put that one before it", node->key);
        return TALUS_INPUT;
    }
    if (!tl_build_known_body(b, on)) return TALUS_INPUT;
    d.name = node->key;
    d.on = tl_build_body_named(b, on);
    tl_vector(b, tl_node_get(node, "at"), "m", d.point);
    if (axis) d.axis[2] = 0;
    tl_vector(b, axis, "", d.axis);
    d.inertia = tl_quantity(b->r, tl_node_get(node, "inertia"), "kg m^2", 0, false);
    d.angle = tl_quantity(b->r, tl_node_get(node, "angle"), "rad", 0, false);
    d.speed = tl_quantity(b->r, tl_node_get(node, "speed"), "rad/s", d.speed, false);
    return tl_build_check(b, talus_shaft_create(b->world, b->mechanism, &d, &id), node);
}

/* A coordinate that is an angle. */
static bool turning(tl_builder *b, const tl_node *reference, const char *what, talus_joint_id *joint, int *coordinate)
{
    if (!tl_build_coordinate(b, reference, joint, coordinate)) return false;
    if (tl_is_angle(b, reference, *coordinate)) return true;
    tl_mistake(&b->scene->mistakes, TALUS_INPUT, reference, "%s turns a shaft, and this coordinate is a length", what);
    return false;
}

/* ---- engines --------------------------------------------------------------------------------------------------------- */

static const tl_column SPEED = {"speed", "rad/s"}, TORQUE = {"torque", "N m"};

static bool read_governor(tl_builder *b, const tl_node *node, talus_engine_def *d)
{
    if (!node) return true;
    d->governor = strcmp(tl_word(node, "type", "all_speed"), "limits") == 0 ? TALUS_GOVERNOR_LIMITS : TALUS_GOVERNOR_ALL_SPEED;
    d->idle = tl_quantity(b->r, tl_node_get(node, "idle"), "rad/s", 0, false);
    d->high = tl_quantity(b->r, tl_node_get(node, "high"), "rad/s", d->high, false);
    d->droop = tl_quantity(b->r, tl_node_get(node, "droop"), "", d->droop, false);
    return true;
}

talus_status tl_build_engine(tl_builder *b, const tl_node *node)
{
    static const tl_column CONSUMPTION = {"consumption", "kg/J"};
    talus_engine_def d = talus_engine_def_default();
    talus_engine_id id;
    const tl_node *fuel = tl_node_get(node, "fuel");
    d.name = node->key;
    if (!turning(b, tl_node_get(node, "joint"), "an engine", &d.joint, &d.coordinate)) return TALUS_INPUT;
    if (!tl_build_characteristic(b, tl_node_get(node, "torque"), &SPEED, &TORQUE, true, &d.torque)) return TALUS_INPUT;
    if (!tl_build_characteristic(b, tl_node_get(node, "drag"), &SPEED, &TORQUE, false, &d.drag)) return TALUS_INPUT;
    if (!tl_build_characteristic(b, tl_node_get(fuel, "consumption"), &SPEED, &CONSUMPTION, false, &d.consumption)) return TALUS_INPUT;
    const int before = b->scene->mistakes.count;
    d.throttle = tl_build_staged(b, &(tl_stageable){tl_node_get(node, "throttle"), "engines", node->key, "throttle", "", false});
    if (b->scene->mistakes.count > before || !read_governor(b, tl_node_get(node, "governor"), &d)) return TALUS_INPUT;
    d.stall = tl_quantity(b->r, tl_node_get(node, "stall"), "rad/s", d.stall, false);
    d.heating_value = tl_quantity(b->r, tl_node_get(fuel, "heating_value"), "J/kg", d.heating_value, false);
    return tl_build_check(b, talus_engine_create(b->world, &d, &id), node);
}

/* ---- converters ------------------------------------------------------------------------------------------------------ */

talus_status tl_build_converter(tl_builder *b, const tl_node *node)
{
    static const tl_column SPEED_RATIO = {"speed_ratio", ""}, CAPACITY = {"capacity", "kg m^2"}, TORQUE_RATIO = {"torque_ratio", ""};
    talus_converter_def d = talus_converter_def_default();
    talus_converter_id id;
    const tl_node *joints = tl_node_get(node, "joints");
    d.name = node->key;
    if (joints->kind != NODE_LIST || joints->count != 2) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, joints, "a converter names two shafts: joints: [pump, turbine]");
        return TALUS_INPUT;
    }
    if (!turning(b, joints->item[0], "a converter", &d.pump, &d.pump_coordinate)) return TALUS_INPUT;
    if (!turning(b, joints->item[1], "a converter", &d.turbine, &d.turbine_coordinate)) return TALUS_INPUT;
    if (!tl_build_characteristic(b, tl_node_get(node, "capacity"), &SPEED_RATIO, &CAPACITY, false, &d.capacity)) return TALUS_INPUT;
    if (!tl_build_characteristic(b, tl_node_get(node, "ratio"), &SPEED_RATIO, &TORQUE_RATIO, false, &d.ratio)) return TALUS_INPUT;
    return tl_build_check(b, talus_converter_create(b->world, &d, &id), node);
}

/* ---- probes ---------------------------------------------------------------------------------------------------------- */

talus_status tl_read_engine_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    static const char *const OF_FUEL[] = {"fuel", "heat", "total"};
    p->engine = talus_engine_find(b->world, tl_node_get(node, "engine")->text);
    for (int i = 0; i < 3; i++)
        if (strcmp(p->quantity, OF_FUEL[i]) == 0 && !talus_engine_counts_fuel(b->world, p->engine)) {
            tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "engine '%.80s' has no 'fuel' that could be counted", tl_node_get(node, "engine")->text);
            return TALUS_INPUT;
        }
    return TALUS_OK;
}

const char *tl_engine_probe_unit(tl_builder *b, const tl_node *node, const char *quantity)
{
    static const char *const UNITS[][2] = {{"torque", "N m"}, {"power", "W"}, {"rack", "1"},  {"throttle", "1"},
                                           {"fuel", "kg/s"},  {"heat", "W"},  {"total", "kg"}};
    (void)b, (void)node;
    for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++)
        if (strcmp(UNITS[i][0], quantity) == 0) return UNITS[i][1];
    return "1";
}

double tl_engine_probe_value(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    const talus_engine_state s = talus_engine_read(w, p->engine);
    const char *q = p->quantity;
    (void)g;
    if (q[0] == 't') return q[1] == 'h' ? s.throttle : strcmp(q, "torque") == 0 ? s.torque : s.total;
    return q[0] == 'p' ? s.power : q[0] == 'r' ? s.rack : q[0] == 'f' ? s.fuel : s.heat;
}

talus_status tl_read_converter_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    p->converter = talus_converter_find(b->world, tl_node_get(node, "converter")->text);
    return TALUS_OK;
}

const char *tl_converter_probe_unit(tl_builder *b, const tl_node *node, const char *quantity)
{
    (void)b, (void)node;
    return quantity[0] == 'p' || quantity[0] == 't' ? "N m" : quantity[0] == 'h' ? "W" : "1";
}

double tl_converter_probe_value(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    const talus_converter_state s = talus_converter_read(w, p->converter);
    (void)g;
    switch (p->quantity[0]) {
    case 'p': return s.pump;
    case 't': return s.turbine;
    case 's': return s.speed_ratio;
    case 'e': return s.efficiency;
    default: return s.heat;
    }
}
