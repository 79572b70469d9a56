/* Hydraulic circuits (talus/hydraulics.h) at the limits of what they are told: openings beyond shut and open, what is not a number, lines that a step fills,
 * pistons whose path leaves the stroke, inputs, machines on slides; and what a pressure sees of the mass behind joints. In the plane and in space. */
#include "lab.h"

static const double BETA = 1.4e9, PI = 3.14159265358979323846;

static double head(double p) { return BETA * (1 - exp(-p / BETA)); }

/* With air, whose p v^n stays, n = 1.4. */
static double head_with(double p, double air)
{
    const double k = 1 - 1 / 1.4, atmosphere = 101325;
    return (1 - air) * head(p) + air * atmosphere * (pow(1 + p / atmosphere, k) - 1) / k;
}

static const char *zeros(int dimension) { return dimension == 2 ? "[0, 0]" : "[0, 0, 0]"; }

static lab open_circuit(int dimension, double h, const char *before, const char *parts)
{
    char text[6000];
    (void)snprintf(text, sizeof text, "dimension: %d\ngravity: %s\ntime: {end: 1000 s, step: %.17g s}\n%shydraulics:\n  c:\n%s", dimension, zeros(dimension), h,
                   before, parts);
    return open_lab(text, 1);
}

/* Steps until one fails, or to the time; nothing of a failed step is in the state. */
static talus_status go(const lab *l, double time)
{
    talus_status status = TALUS_OK;
    while (talus_world_time(l->world) < time) {
        const uint64_t hash = talus_world_hash(l->world);
        bool over = false;
        status = talus_world_step(l->world, NULL);
        if (status != TALUS_OK) {
            CHECK(talus_world_hash(l->world) == hash);
            return status;
        }
        CHECK_OK(talus_scene_advance(l->scene, l->world, &over), talus_world_error(l->world));
    }
    return status;
}

static void check_says(const lab *l, talus_status status, double time, const char *const *words)
{
    CHECK(status == TALUS_DIVERGED);
    CHECK_NEAR(talus_world_time(l->world), time, 1.01 * talus_world_step_size(l->world));
    for (int i = 0; words[i]; i++)
        if (!strstr(talus_world_error(l->world), words[i])) TEST_FAIL("'%s' is not in: %s", words[i], talus_world_error(l->world));
}

/* ---- openings ------------------------------------------------------------------------------------------------------------------- */

static lab open_valve(int dimension, const char *type, const char *opening)
{
    char parts[1500];
    const bool four = strcmp(type, "four_way") == 0;
    (void)snprintf(parts, sizeof parts,
                   "    lines: {a: {volume: 1 l, pressure: 8 MPa}, b: {volume: 1 l, pressure: 2 MPa}, d: {volume: 1 l, pressure: 3 MPa}}\n"
                   "    valves: {v: {type: %s, %s, flow: 10 l/min, drop: 1 MPa, opening: \"%s\"}}\n"
                   "probes: {a: {pressure: a}, b: {pressure: b}, d: {pressure: d}, work: {valve: v, quantity: work}}\n",
                   type, four ? "pressure: a, a: b, b: d" : "from: a, to: b", opening);
    return open_circuit(dimension, 2e-3, "", parts);
}

/* A valve that is told to open less than nothing is shut: nothing flows, and no energy comes from it. More than open is open. */
TEST(openings)
{
    static const char *const TYPE[] = {"orifice", "laminar", "check", "four_way"};
    for (int kind = 0; kind < 8; kind++) {
        const int dimension = kind % 2 ? 3 : 2;
        const char *type = TYPE[kind / 2];
        const bool four = kind / 2 == 3;
        lab low = open_valve(dimension, type, four ? "-7" : "-1"), least = open_valve(dimension, type, four ? "-1" : "0");
        lab high = open_valve(dimension, type, "3"), most = open_valve(dimension, type, "1");
        const double energy = talus_oil_energy(low.world);
        lab_run(&low, 0.1), lab_run(&least, 0.1), lab_run(&high, 0.1), lab_run(&most, 0.1);
        CHECK(talus_world_hash(low.world) == talus_world_hash(least.world) && talus_world_hash(high.world) == talus_world_hash(most.world));
        CHECK_NEAR(talus_oil_energy(high.world) + talus_oil_damped(high.world) + lab_probe(&high, "work"), energy, 1e-9 * energy);
        CHECK(lab_probe(&high, "work") > 0 && lab_probe(&high, "a") < 7e6);
        if (four) CHECK(lab_probe(&low, "work") > 0 && lab_probe(&low, "d") > 4e6);                                               /* a leads to d */
        else CHECK(fabs(lab_probe(&low, "a") - 8e6) < 1 && fabs(lab_probe(&low, "b") - 2e6) < 1 && lab_probe(&low, "work") == 0); /* V/v is known to β ε */
        /* the run says so once, by name, time and value; of those within their range it says nothing */
        const char *said = strstr(talus_world_all_warnings(low.world), "opening of valve 'v' is ");
        CHECK(said && strstr(said, four ? "is -7, beyond -1 to 1: it counts as -1" : "is -1, beyond 0 to 1: it counts as 0") &&
              !strstr(said + 1, "opening of valve"));
        CHECK(strstr(talus_world_all_warnings(high.world), "t = 0.001 s: the opening of valve 'v' is 3, beyond") != NULL);
        CHECK(!strstr(talus_world_all_warnings(least.world), "opening") && !strstr(talus_world_all_warnings(most.world), "opening"));
        close_lab(&low), close_lab(&least), close_lab(&high), close_lab(&most);
    }
}

typedef struct asked {
    int times;
} asked;

static void too_far(void *user, double t, double *value)
{
    asked *a = user;
    (void)t;
    *value = 2, a->times++;
}

/* A world with one circuit without anything, by the interface in C. */
static talus_world *empty_circuit(int dimension, talus_circuit_id *c)
{
    talus_world_def wd = talus_world_def_default();
    talus_circuit_def cd = talus_circuit_def_default();
    talus_world *w = NULL;
    char text[300];
    wd.dimension = dimension;
    CHECK_OK(talus_world_create(&wd, &w, text, sizeof text), text);
    cd.name = "c";
    CHECK_OK(talus_circuit_create(w, &cd, c), talus_world_error(w));
    return w;
}

/* The function of an opening is asked for once a step and no more often for what is said of it: a program may count, or log, by it. */
TEST(asked_once)
{
    enum { STEPS = 20 };
    for (int dimension = 2; dimension <= 3; dimension++) {
        talus_circuit_id c;
        asked count = {0};
        talus_world *w = empty_circuit(dimension, &c);
        talus_line_def line = talus_line_def_default();
        talus_valve_def valve = talus_valve_def_default();
        line.name = "a", line.volume = 1e-3, line.pressure = 8e6;
        CHECK_OK(talus_line_create(w, c, &line), talus_world_error(w));
        valve.name = "v", valve.kind = TALUS_VALVE_ORIFICE, valve.flow = 1e-5, valve.drop = 1e6;
        valve.port[0] = "a", valve.port[1] = "tank", valve.opening = (talus_motion){too_far, &count};
        CHECK_OK(talus_valve_create(w, c, &valve), talus_world_error(w));
        CHECK_OK(talus_world_assemble(w), talus_world_error(w));
        for (int i = 0; i < STEPS; i++) {
            const int before = count.times;
            CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
            CHECK(count.times == before + 1);
        }
        CHECK(strstr(talus_world_all_warnings(w), "the opening of valve 'v' is 2, beyond 0 to 1: it counts as 1") != NULL);
        talus_world_destroy(w);
    }
}

/* A cylinder of the length √0.5 m that is said in seven digits stands on its stop; in four digits it is beyond it, and refused. */
TEST(starts_on_its_stop)
{
    static const char *const LOW[] = {"0.7071068 m", "0.7072 m"};
    for (int i = 0; i < 4; i++) {
        const int dimension = 2 + i / 2;
        char text[1500];
        const char *rest = dimension == 2 ? "" : ", 0";
        (void)snprintf(text, sizeof text,
                       "dimension: %d\ngravity: %s\ntime: {end: 1 s, step: 1 ms}\n"
                       "bodies: {a: {mass: 10, %s, position: [0.5, 0.5%s]}}\n"
                       "hydraulics:\n  c:\n    cylinders: {ram: {bodies: [ground, a], at: [[0, 0%s], [0, 0%s]], stroke: [%s, 1 m], bore: 50 mm, rod: 30 mm, "
                       "dead_volume: 0.1 l, pressure: [1 MPa, 1 MPa]}}\nprobes: {x: {cylinder: ram, quantity: position}, e: {energy: total}}\n",
                       dimension, zeros(dimension), dimension == 2 ? "inertia: 1" : "inertia_tensor: [1, 1, 1]", rest, rest, rest, LOW[i % 2]);
        talus_scene *scene = load_lab(text);
        talus_world *w = NULL;
        CHECK(talus_scene_mistake_count(scene) == 0);
        const talus_status status = talus_scene_build(scene, 1, &w);
        if (i % 2) CHECK(status == TALUS_INPUT && strstr(talus_scene_mistake(scene, 0), "beyond its stroke") && strstr(talus_scene_mistake(scene, 0), ":7:"));
        else {
            CHECK_OK(status, talus_scene_mistake(scene, 0));
            lab l = {scene, w};
            for (int k = 0; k < 20 && w; k++) {
                (void)lab_step(&l);
                CHECK(lab_probe(&l, "x") > 0.7071067 && lab_probe(&l, "x") < 0.72);
            }
        }
        talus_world_destroy(w);
        talus_scene_destroy(scene);
    }
}

/* ---- what is not a number ------------------------------------------------------------------------------------------------------- */

#define SLIDER                                                                                                                                                 \
    "mechanisms:\n  m:\n    bodies: {b: {mass: 10, inertia: 1}}\n    joints: {j: {type: prismatic, parent: ground, child: b, axis: %s, position: 0.2}}\n%s"
static const char *const NONE = "sqrt(0.1 - t/(1 s))"; /* from 0.1 s on */

TEST(not_numbers)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char before[1000], parts[1500];
        const char *along = dimension == 2 ? "[1, 0]" : "[1, 0, 0]";
        (void)snprintf(
            parts, sizeof parts,
            "    lines: {a: {volume: 1 l, pressure: 8 MPa}}\n    valves: {v: {type: orifice, from: a, flow: 1 l/min, drop: 1 MPa, opening: \"%s\"}}\n", NONE);
        lab l = open_circuit(dimension, 1e-3, "", parts);
        check_says(&l, go(&l, 1), 0.1, (const char *const[]){"'c'", "opening", "'v'", "not a number", "t = 0.1", NULL});
        close_lab(&l);
        (void)snprintf(parts, sizeof parts, "    lines: {a: {volume: 1 l, pressure: 8 MPa}}\n    pumps: {p: {to: a, flow: \"1 cm^3/s*%s\"}}\n", NONE);
        l = open_circuit(dimension, 1e-3, "", parts);
        check_says(&l, go(&l, 1), 0.1, (const char *const[]){"'c'", "flow", "'p'", "not a number", "t = 0.1", NULL});
        close_lab(&l);
        (void)snprintf(before, sizeof before, SLIDER, along, "");
        (void)snprintf(parts, sizeof parts,
                       "    lines: {a: {volume: 1 l, pressure: 8 MPa}}\n    motors: {w: {joint: j, from: a, to: tank, displacement: 1 cm^2, share: \"%s\"}}\n",
                       NONE);
        l = open_circuit(dimension, 1e-3, before, parts);
        check_says(&l, go(&l, 1), 0.1, (const char *const[]){"'c'", "share", "'w'", "not a number", "t = 0.1", NULL});
        close_lab(&l);
    }
}

/* ---- lines that a step fills ---------------------------------------------------------------------------------------------------- */

/* In a step of 0.2 s the pump brings two or forty times what the line holds. With a relief valve its pressure is that at which the valve takes the flow;
 * without one the run ends, and says so. */
TEST(filled)
{
    for (int kind = 0; kind < 16; kind++) {
        const bool relief = kind / 4 % 2, air = kind / 2 % 2, much = kind / 8;
        const double rate = much ? 12000 : 600;
        char parts[1500];
        (void)snprintf(parts, sizeof parts,
                       "    oil: {air: %s}\n    lines: {a: {volume: 1 l}}\n    pumps: {p: {to: a, flow: %g l/min}}\n%s%s%s"
                       "probes: {p: {pressure: a}}\n",
                       air ? "0.005" : "0", rate, relief ? "    valves: {r: {type: relief, from: a, opens: 20 MPa, drop: 1 MPa, flow: " : "",
                       relief ? (much ? "12000 l/min" : "600 l/min") : "", relief ? "}}\n" : "");
        lab l = open_circuit(kind % 2 ? 3 : 2, 0.2, "", parts);
        const talus_status status = go(&l, 10);
        if (relief) {
            CHECK_OK(status, talus_world_error(l.world));
            const double share = air ? 0.005 : 0, all = head_with(20e6, share) + head_with(1e6, share);
            CHECK_NEAR(head_with(lab_probe(&l, "p"), share), all, 1e-6 * all);
        } else check_says(&l, status, 0, (const char *const[]){"'c'", "'a'", "filled to bursting", "relief valve", "t = 0.", NULL});
        close_lab(&l);
    }
}

/* ---- inputs --------------------------------------------------------------------------------------------------------------------- */

static void set(const lab *l, const char *name, double value)
{
    CHECK_OK(talus_scene_input_set(l->scene, l->world, talus_scene_input_find(l->scene, name), value), name);
}

/* A lever, a flow and a share that a program sets: the valve opens, the pump brings what it is told, and the machine on a slide drives its mass with the force
 * share × area × head. */
TEST(inputs)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char before[1000];
        (void)snprintf(before, sizeof before, "inputs: {lever: {value: 0}, flow: {value: 0 l/min, unit: l/min}, share: {value: 0}}\n" SLIDER,
                       dimension == 2 ? "[1, 0]" : "[1, 0, 0]", "");
        lab l = open_circuit(dimension, 0.01, before,
                             "    oil: {air: 0}\n    lines: {a: {volume: 1 l, pressure: 1 MPa}, s: {volume: 1000000 m^3, pressure: 1 MPa}, d: {volume: 1 l}}\n"
                             "    valves: {gap: {type: laminar, from: a, to: tank, flow: 1 l/min, drop: 1 MPa, opening: input.lever}}\n"
                             "    pumps: {p: {to: d, flow: input.flow}}\n"
                             "    motors: {w: {joint: j, from: s, to: tank, displacement: 2 cm^2, share: 0.5*input.share}}\n"
                             "probes: {a: {pressure: a}, d: {oil: d}, v: {motor: w, quantity: velocity}}\n");
        lab_run(&l, 0.1);
        CHECK(fabs(lab_probe(&l, "a") - 1e6) < 1 && lab_probe(&l, "d") == 1e-3 && lab_probe(&l, "v") == 0);
        set(&l, "lever", 1), set(&l, "flow", 6e-3 / 60), set(&l, "share", 1);
        lab_run(&l, 0.6);
        CHECK_NEAR(lab_probe(&l, "d"), 1e-3 + 0.5 * 1e-4, 1e-12);
        CHECK_NEAR(lab_probe(&l, "v"), 0.5 * 2e-4 * head(1e6) / 10 * 0.5, 1e-6);
        CHECK(lab_probe(&l, "a") < 1e3); /* long past V/(β G) = 0.043 s */
        close_lab(&l);
    }
}

/* ---- machines on slides --------------------------------------------------------------------------------------------------------- */

/* On a coordinate that is a length the displacement is an area, and probes are in m/s and N: v = A H t/m. */
TEST(slides)
{
    for (int kind = 0; kind < 4; kind++) {
        const bool space = kind % 2, between = kind / 2;
        char before[1500];
        const char *along = space ? "[1, 0, 0]" : "[1, 0]";
        if (between)
            (void)snprintf(before, sizeof before,
                           "bodies: {b: {kind: free, mass: 10, %s}}\njoints: {guide: {type: prismatic, bodies: [ground, b], axis: %s}}\n",
                           space ? "inertia_tensor: [1, 1, 1, 0, 0, 0]" : "inertia: 1", along);
        else (void)snprintf(before, sizeof before, SLIDER, along, "");
        char parts[1000];
        (void)snprintf(parts, sizeof parts,
                       "    oil: {air: 0}\n    lines: {s: {volume: 1000000 m^3, pressure: 5 MPa}}\n"
                       "    motors: {w: {%s, from: s, to: tank, displacement: 2 cm^2}}\n"
                       "probes: {v: {motor: w, quantity: velocity}, f: {motor: w}, q: {motor: w, quantity: flow}}\n",
                       between ? "body_joint: guide.slide" : "joint: j");
        lab l = open_circuit(space ? 3 : 2, 5e-3, before, parts);
        lab_run(&l, 0.5);
        CHECK_NEAR(lab_probe(&l, "v"), 2e-4 * head(5e6) * 0.5 / 10, 1e-5 * 50);
        CHECK_NEAR(lab_probe(&l, "f"), 2e-4 * head(5e6), 1e-5 * 1e3);
        CHECK_NEAR(lab_probe(&l, "q"), 2e-4 * lab_probe(&l, "v"), 1e-12);
        for (int i = 0; i < talus_scene_probe_count(l.scene); i++) {
            static const char *const UNIT[] = {"m/s", "N", "m^3/s"};
            if (strcmp(talus_scene_probe_unit(l.scene, i), UNIT[i]) != 0) TEST_FAIL("probe %d is in %s", i, talus_scene_probe_unit(l.scene, i));
        }
        close_lab(&l);
    }
}

/* ---- pistons whose motion is imposed -------------------------------------------------------------------------------------------- */

/* Path 0.45 m + 0.1 m t of a stroke that ends at 0.5 m: half a second is within it. By a drive of a mechanism, and between points of a body that moves by
 * itself. */
TEST(imposed)
{
    for (int kind = 0; kind < 8; kind++) {
        const bool space = kind % 2, body = kind / 2 == 1;
        char before[1500], parts[1000];
        if (kind / 2 > 1) /* tied by a rod to what is driven: on a joint, and between points */
            (void)snprintf(before, sizeof before,
                           "mechanisms:\n  m:\n    bodies: {a: {mass: 10, inertia: 1}, b: {mass: 10, inertia: 1}, c: {mass: 1, inertia: 1}}\n    joints:\n"
                           "      i: {type: prismatic, parent: ground, child: a, axis: [1, 0%s], at: [1, 0%s]}\n"
                           "      j: {type: prismatic, parent: ground, child: b, axis: [1, 0%s], position: 0.45 m}\n"
                           "      k: {type: revolute, parent: ground, child: c}\n"
                           "    loops: {l: {type: rod, bodies: [a, b], length: 1}}\n    drives: {d: {joint: i, position: \"0.45 m + 0.1 m/s*t\"}}\n",
                           space ? ", 0" : "", space ? ", 0" : "", space ? ", 0" : "");
        else if (body) (void)snprintf(before, sizeof before, "bodies: {b: {kind: imposed, motion: {x: \"0.45 m + 0.1 m/s*t\"}}}\n");
        else
            (void)snprintf(
                before, sizeof before,
                "mechanisms:\n  m:\n    bodies: {b: {mass: 10, inertia: 1}}\n    joints: {j: {type: prismatic, parent: ground, child: b, axis: %s}}\n"
                "    drives: {d: {joint: j, position: \"0.45 m + 0.1 m/s*t\"}}\n",
                space ? "[1, 0, 0]" : "[1, 0]");
        (void)snprintf(parts, sizeof parts,
                       "    lines: {a: {volume: 1 l}}\n    cylinders: {ram: {%s, stroke: [0.1, 0.5], bore: 0.1 m, dead_volume: 0.1 l}}\n"
                       "    valves: {o: {type: laminar, from: ram.cap, to: tank, flow: 100 l/min, drop: 1 MPa}, u: {type: laminar, from: ram.rod, to: tank, "
                       "flow: 100 l/min, drop: 1 MPa}}\n",
                       kind / 2 % 2 ? "bodies: [ground, b]" : "joint: j");
        lab l = open_circuit(space ? 3 : 2, 0.01, before, parts);
        check_says(&l, go(&l, 1), 0.5, (const char *const[]){"'c'", "'ram'", "beyond its stroke", "imposed", "t = 0.5", NULL});
        close_lab(&l);
    }
}

/* A piston whose chamber is open to the tank, pressed on its stop with 1 N for 0.1 s, then pulled away with 0.5 N/kg. The fault: what the stop had carried last
 * was less than the tolerance, so it went on pushing wherever the piston was. */
TEST(stop_lets_go)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char before[1000];
        (void)snprintf(before, sizeof before,
                       "solver: {tolerance: 2 mm/s}\nmechanisms:\n  m:\n    bodies: {b: {mass: 1 kg, inertia: 1}}\n    joints: {p: {type: prismatic, parent: "
                       "ground, child: b}}\n    forces: {f: {joint: p, law: -1 N + 1.5 N*step(t - 0.1 s)}}\n"
                       "probes: {v: {joint: p, quantity: velocity}, resistance: {cylinder: c, quantity: resistance}}\n");
        lab l = open_circuit(dimension, 1e-3, before,
                             "    cylinders: {c: {joint: p, bore: 5 mm, stroke: [0, 1 m], dead_volume: 1 l, single_acting: true}}\n"
                             "    valves: {open: {type: laminar, from: c.cap, flow: 100 l/min, drop: 1 kPa}}\n");
        CHECK(go(&l, 0.0995) == TALUS_OK);
        CHECK_NEAR(lab_probe(&l, "resistance"), 1, 2e-3);
        CHECK(go(&l, 0.9995) == TALUS_OK);
        CHECK_NEAR(lab_probe(&l, "resistance"), 0, 1e-9);
        CHECK_NEAR(lab_probe(&l, "v"), 0.45, 4e-3);
        close_lab(&l);
    }
}

/* ---- what a pressure sees ------------------------------------------------------------------------------------------------------- */

/* Of a node by the state: the volume per time that a unit impulse of its pressure moves. */
static double mobility(const lab *l, int node)
{
    for (int i = 0; i < talus_state_count(l->world); i++) {
        talus_field field;
        talus_state_field(l->world, i, &field);
        if (strstr(field.name, "nodes") && field.columns == 5) return ((const double *)field.data)[5 * node + 3];
    }
    TEST_FAIL("no nodes");
    return 0;
}

/* An arm on a hinge: A p at the lever a turns J about the hinge, so that a unit of pressure impulse moves A² a²/J. So it is for a link, and for a free body
 * that a constraint holds; of both chambers, whatever the oil of the other does. */
TEST(seen_through_a_hinge)
{
    const double m = 200, c = 1.5, J = 50 + m * c * c, A = PI / 4 * 0.01, RING = A - PI / 4 * 0.0036;
    for (int kind = 0; kind < 4; kind++) {
        const bool space = kind % 2, link = kind / 2;
        const char *zero = space ? ", 0" : "";
        char before[1500], parts[1500];
        if (link)
            (void)snprintf(before, sizeof before,
                           "mechanisms:\n  m:\n    bodies: {arm: {mass: 200, inertia: 50}}\n    joints: {j: {type: revolute, parent: ground, child: arm, "
                           "child_at: [-1.5, 0%s]}}\n",
                           zero);
        else
            (void)snprintf(before, sizeof before,
                           "bodies:\n  arm: {kind: free, mass: 200, %s, position: [1.5, 0%s]}\njoints:\n  j: {type: revolute, bodies: [ground, arm]}\n",
                           space ? "inertia_tensor: [50, 50, 50, 0, 0, 0]" : "inertia: 50", zero);
        (void)snprintf(
            parts, sizeof parts,
            "    oil: {air: 0}\n    cylinders:\n      lift: {bodies: [ground, arm], at: [[0.3, -1%s], [-0.7, 0%s]], stroke: [1, 1.6], bore: 0.1 m, rod: 60 mm, "
            "dead_volume: 0.2 l, pressure: [3 MPa, 4.6875 MPa]}\n",
            zero, zero);
        lab l = open_circuit(space ? 3 : 2, 1e-4, before, parts);
        lab_step(&l);
        /* from (0.3, −1) to (0.8, 0) about the origin */
        const double L = sqrt(0.25 + 1), a = (0.8 * 1 - 0 * 0.5) / L;
        CHECK_NEAR(mobility(&l, 0), A * A * a * a / J, 1e-6 * A * A * a * a / J);
        CHECK_NEAR(mobility(&l, 1), RING * RING * a * a / J, 1e-6 * A * A * a * a / J);
        close_lab(&l);
    }
}

/* 20 kg on a cylinder of closed chambers, and a block of finite elements glued on it, at rest until weight comes at once. In the plane or in space; on the
 * coordinate of a joint, or between points. */
static lab open_glued(bool space, bool points, double h, const char *damping)
{
    char text[4000];
    (void)snprintf(text, sizeof text,
                   "dimension: %d\ngravity: %s\ntime: {end: 100 s, step: %.17g s}\n"
                   "bodies:\n  b: {kind: free, mass: 20, %s}\n"
                   "solids:\n  s:\n    box: {size: [0.2, %s0.2], elements: [1, %s2], at: %s}\n    material: {density: 2000, young: 100 GPa, poisson: 0}\n%s"
                   "joints:\n  guide: {type: prismatic, bodies: [ground, b], axis: %s}\n  bond: {type: fixed, bodies: [b, s], group: bottom}\n"
                   "hydraulics:\n  c:\n    oil: {air: 0}\n    cylinders:\n      ram: {%s, bore: 0.1 m, rod: 60 mm, dead_volume: 0.2 l, pressure: [3 MPa, "
                   "4.6875 MPa]}\n"
                   "probes:\n  force: {cylinder: ram}\n  v: {cylinder: ram, quantity: velocity}\n  total: {energy: total}\n  damped: {energy: damped}\n",
                   space ? 3 : 2, space ? "[0, 0, -50]" : "[0, -50]", h, space ? "inertia_tensor: [1, 1, 1, 0, 0, 0]" : "inertia: 1", space ? "0.2, " : "",
                   space ? "1, " : "", space ? "[0, 0, 0.2]" : "[0, 0.2]", damping, space ? "[0, 0, 1]" : "[0, 1]",
                   points ? (space ? "bodies: [ground, b], at: [[0, 0, -1], [0, 0, 0]], stroke: [0.75, 1.25]"
                                   : "bodies: [ground, b], at: [[0, -1], [0, 0]], stroke: [0.75, 1.25]")
                          : "body_joint: guide.slide, stroke: [-0.25, 0.25]");
    return open_lab(text, 1);
}

/* A load of 20 kg and what a block of finite elements glued on it weighs comes at once to closed chambers that are far stiffer than the step: no ringing, and
 * the force is the weight of both. The pressures see the mass of both behind the glue; with the block as good as rigid, of A²/M. */
TEST(seen_through_glue)
{
    const double A = PI / 4 * 0.01, RING = A - PI / 4 * 0.0036, g = 50;
    for (int kind = 0; kind < 4; kind++) {
        const bool space = kind % 2, points = kind / 2;
        const double block = 2000 * 0.2 * 0.2 * (space ? 0.2 : 1), M = 20 + block;
        lab l = open_glued(space, points, 0.01, "    damping: {stiffness: 10 ms}\n");
        int turns = 0;
        double last = 0, first = 0;
        for (int i = 0; i < 40; i++) {
            lab_step(&l);
            const double v = lab_probe(&l, "v");
            first = i == 0 ? fabs(v) : first;
            turns += v * last < 0 && fabs(v) > 1e-3 * first; /* the block itself trembles by 1e-5 of it */
            last = v;
            if (i == 0) CHECK_NEAR(mobility(&l, 0), A * A / M, 0.02 * A * A / M);
            if (i == 0) CHECK_NEAR(mobility(&l, 1), RING * RING / M, 0.02 * A * A / M);
        }
        CHECK(turns <= 1);
        CHECK_NEAR(lab_probe(&l, "force"), M * g, 1e-3 * M * g);
        CHECK_NEAR(last, 0, 1e-4 * first);
        close_lab(&l);
    }
}

/* Without damping all energy that there was stays, or is what the method says that it has taken. */
TEST(energy_through_glue)
{
    for (int kind = 0; kind < 8; kind++) {
        const bool resolved = kind / 4;
        lab l = open_glued(kind % 2, kind / 2 % 2, resolved ? 2e-4 : 0.01, "");
        const double before = lab_probe(&l, "total");
        double most = 0; /* of the energy that is in motion */
        for (int i = 0; i < 50; i++) {
            lab_step(&l);
            most = fmax(most, 0.5 * 20 * lab_probe(&l, "v") * lab_probe(&l, "v"));
            CHECK_NEAR(lab_probe(&l, "total") + lab_probe(&l, "damped"), before, 1e-4 * most);
        }
        close_lab(&l);
    }
}

/* ---- mistakes ------------------------------------------------------------------------------------------------------------------- */

static void refuse(int dimension, const char *lines, const char *parts, const char *what)
{
    char text[3000];
    (void)snprintf(text, sizeof text,
                   "dimension: %d\ngravity: %s\ntime: {end: 1 s, step: 5 ms}\n" SLIDER
                   "hydraulics:\n  c:\n    lines: {a: {volume: 1 l}%s}\n    cylinders: {ram: {joint: j, stroke: [0, 0.5], bore: 0.1 m, dead_volume: 0.1 l, "
                   "single_acting: true}}\n%s",
                   dimension, zeros(dimension), dimension == 2 ? "[1, 0]" : "[1, 0, 0]", "", lines, parts);
    talus_scene *scene = load_lab(text);
    talus_world *w = NULL;
    if (talus_scene_mistake_count(scene) == 0) (void)!talus_scene_build(scene, 1, &w);
    CHECK(!w && talus_scene_mistake_count(scene) > 0);
    if (talus_scene_mistake_count(scene) > 0 && !strstr(talus_scene_mistake(scene, 0), what))
        TEST_FAIL("%s%s: %s", lines, parts, talus_scene_mistake(scene, 0));
    talus_world_destroy(w);
    talus_scene_destroy(scene);
}

TEST(mistakes)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char name[300];
        refuse(dimension, ", ram.cap: {volume: 1 l}", "", "the name 'ram.cap'");
        (void)snprintf(name, sizeof name, ", %0120d: {volume: 1 l}", 0);
        refuse(dimension, name, "", "more than 100 bytes");
        refuse(dimension, ", b: {volume: 1 l, pressure: 2 GPa}", "", "below the bulk modulus");
        refuse(dimension, "", "    accumulators: {x: {line: a, volume: 1 l, precharge: 0 Pa}}\n", "it must be positive");
        refuse(dimension, "", "    accumulators: {x: {line: a, volume: 1 l, precharge: -1 MPa}}\n", "it must be positive");
        refuse(dimension, "", "    accumulators: {x: {line: a, volume: 1 l, precharge: 6 GPa}}\n", "between 0 and 1e+08");
        refuse(dimension, "", "probes: {p: {oil: tank}}\n", "the tank has no end");
        refuse(dimension, "", "probes: {p: {oil: ram.rod}}\n", "holds no oil");
        refuse(dimension, "", "    motors: {w: {joint: j, from: a, to: tank, displacement: 2 cm^3/rad}}\n", "m^2");
        refuse(dimension, "", "    pumps: {p: {to: a, flow: input.none}}\n", "input.none");
    }
}

/* The tank has the pressure 0; a chamber that is not there has none. */
TEST(tank)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char before[1000];
        (void)snprintf(before, sizeof before, SLIDER, dimension == 2 ? "[1, 0]" : "[1, 0, 0]", "");
        lab l = open_circuit(dimension, 0.01, before,
                             "    cylinders: {ram: {joint: j, stroke: [0, 0.5], bore: 0.1 m, dead_volume: 0.1 l, single_acting: true}}\nprobes: {p: {pressure: "
                             "tank}, r: {pressure: ram.rod}}\n");
        lab_step(&l);
        CHECK(lab_probe(&l, "p") == 0 && lab_probe(&l, "r") == 0 && talus_pressure(l.world, "tank") == 0 && talus_pressure(l.world, NULL) == 0);
        CHECK(talus_pressure(l.world, "ram.rod") == 0 && isnan(talus_oil(l.world, "ram.rod")) && isnan(talus_oil(l.world, "tank")) &&
              isnan(talus_pressure(l.world, "other.rod")) && !isnan(talus_pressure(l.world, "ram.cap")));
        close_lab(&l);
    }
}

/* By the interface in C: precharges are checked there, too, and what is refused is not there in part. */
TEST(refused_whole)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        talus_circuit_id c;
        talus_world *w = empty_circuit(dimension, &c);
        talus_line_def line = talus_line_def_default();
        talus_valve_def valve = talus_valve_def_default();
        line.name = "a", line.volume = 1e-3, line.gas_volume = 1e-3;
        for (int i = 0; i < 4; i++) {
            line.precharge = i == 0 ? 0 : i == 1 ? -5e6 : i == 2 ? 6e9 : (double)NAN;
            CHECK(talus_line_create(w, c, &line) == TALUS_INPUT && strstr(talus_world_error(w), "precharge of its accumulator"));
        }
        line.precharge = 6e6;
        CHECK_OK(talus_line_create(w, c, &line), talus_world_error(w));
        line.name = "b", line.gas_volume = 0, line.precharge = 0;
        CHECK_OK(talus_line_create(w, c, &line), talus_world_error(w));
        valve.name = "v", valve.kind = TALUS_VALVE_FOUR_WAY, valve.flow = 1e-3, valve.drop = 1e6;
        valve.port[0] = "a", valve.port[1] = "tank", valve.port[2] = "b", valve.port[3] = "a"; /* the third of its edges leads from a to a */
        CHECK(talus_valve_create(w, c, &valve) == TALUS_INPUT && strstr(talus_world_error(w), "at one place"));
        CHECK_OK(talus_world_assemble(w), talus_world_error(w));
        for (int i = 0; i < talus_state_count(w); i++) {
            talus_field field;
            talus_state_field(w, i, &field);
            if (strstr(field.name, "flows")) CHECK(field.rows == 0);
        }
        talus_world_destroy(w);
    }
}

int main(int argc, char **argv)
{
    RUN(openings);
    RUN(asked_once);
    RUN(starts_on_its_stop);
    RUN(not_numbers);
    RUN(filled);
    RUN(inputs);
    RUN(slides);
    RUN(imposed);
    RUN(stop_lets_go);
    RUN(seen_through_a_hinge);
    RUN(seen_through_glue);
    RUN(energy_through_glue);
    RUN(mistakes);
    RUN(tank);
    RUN(refused_whole);
    return TEST_RESULT;
}
