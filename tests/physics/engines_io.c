/* Combustion engines (talus/driveline.h): on the test bench at imposed speeds, on the line of the governor's droop and beyond it, running down, running up,
 * what they burn, how they stall under a clutch and come back to life. In the plane and in space. */
#include "lab.h"

static const double RPM = 0.10471975511965977;

typedef struct bench {
    int dimension;
    double h, J, speed;               /* [rad/s] at the start */
    const char *engine, *more, *head; /* keys of the engine; further parts of the mechanism; of the scene */
} bench;

static lab open_bench(const bench *p)
{
    char text[4000];
    snprintf(text, sizeof text,
             "dimension: %d\ngravity: %s\ntime: {end: 100 s, step: %.17g s}\n%smechanisms:\n  m:\n"
             "    shafts: {crank: {inertia: %.17g, speed: %.17g%s}}\n    engines: {diesel: {joint: crank, %s}}\n%s"
             "probes:\n  speed: {joint: crank, quantity: velocity}\n  force: {joint: crank, quantity: force}\n  torque: {engine: diesel, quantity: torque}\n"
             "  power: {engine: diesel, quantity: power}\n  rack: {engine: diesel, quantity: rack}\n  throttle: {engine: diesel, quantity: throttle}\n%s",
             p->dimension, p->dimension == 2 ? "[0, 0]" : "[0, 0, 0]", p->h, p->head ? p->head : "", p->J, p->speed,
             p->dimension == 2 ? "" : ", axis: [0, 1, 0]", p->engine, p->more ? p->more : "",
             strstr(p->engine, "fuel")
                 ? "  fuel: {engine: diesel, quantity: fuel}\n  heat: {engine: diesel, quantity: heat}\n  total: {engine: diesel, quantity: total}\n"
                 : "");
    return open_lab(text, 1);
}

/* T 400 N m at 1000 rpm, 500 at 1500, 300 at 2500; D 40 + 0.02 n N m; b 220 and 200 and 260 g/kWh. */
#define FULL "torque: {speed: [1000 rpm, 1500 rpm, 2500 rpm], torque: [400, 500, 300]}"
#define DRAG "drag: {speed: [0, 3000 rpm], torque: [40, 100]}"
#define FUEL "fuel: {consumption: {speed: [1000 rpm, 1500 rpm, 2500 rpm], consumption: [220 g/kWh, 200 g/kWh, 260 g/kWh]}, heating_value: 43 MJ/kg}"

static double full(double n) { return n < 1000 ? 400 : n <= 1500 ? 400 + 0.2 * (n - 1000) : n <= 2500 ? 500 - 0.2 * (n - 1500) : 0; }
static double drag(double n) { return 40 + 0.02 * n; }
static double burns(double n) { return (n < 1500 ? 220 - 0.04 * (n - 1000) : 200 + 0.06 * (n - 1500)) / 3.6e9; }

/* At an imposed speed: what the tables say between their rows, and the drive holds against. */
TEST(test_bench)
{
    static const double SPEED[] = {1000, 1200, 1500, 2000, 2500, 2600}, THROTTLE[] = {0, 0.3, 1};
    for (int k = 0; k < 18; k++) {
        char more[100], engine[500];
        const double n = SPEED[k % 6], a = THROTTLE[k / 6], T = a * (full(n) + drag(n)) - drag(n), w = n * RPM;
        const double flow = a * burns(n) * full(n) * w;
        snprintf(more, sizeof more, "    drives: {dyno: {joint: crank, speed: %.17g rpm}}\n", n);
        snprintf(engine, sizeof engine, FULL ", " DRAG ", " FUEL ", stall: 500 rpm, throttle: \"%g\"", a);
        lab l = open_bench(&(bench){k % 2 ? 3 : 2, 5e-3, 0.6, w, engine, more, NULL});
        lab_run(&l, 0.5);
        CHECK_NEAR(lab_probe(&l, "torque"), T, 1e-9 * 600);
        CHECK_NEAR(lab_probe(&l, "force"), -T, 1e-9 * 600); /* of the drive */
        CHECK_NEAR(lab_probe(&l, "power"), T * w, 1e-9 * 600 * w);
        CHECK_NEAR(lab_probe(&l, "rack"), a, 1e-15);
        CHECK_NEAR(lab_probe(&l, "throttle"), a, 1e-15);
        CHECK_CLOSE(lab_probe(&l, "fuel"), flow, 1e-9);
        CHECK_CLOSE(lab_probe(&l, "heat"), flow * 43e6, 1e-9);
        CHECK_CLOSE(lab_probe(&l, "total"), flow * 0.5, 1e-9);
        close_lab(&l);
    }
}

/* Below stall, backwards too, there is drag alone, against the motion. */
TEST(below_stall)
{
    static const double SPEED[] = {499, 100, -100, -2000, 501};
    for (int k = 0; k < 5; k++) {
        char more[100];
        const double n = SPEED[k], T = n > 500 ? full(n) : n > 0 ? -drag(n) : drag(-n);
        snprintf(more, sizeof more, "    drives: {dyno: {joint: crank, speed: %.17g rpm}}\n", n);
        lab l = open_bench(&(bench){2, 5e-3, 0.6, n * RPM, FULL ", " DRAG ", stall: 500 rpm, throttle: 1", more, NULL});
        lab_run(&l, 0.1);
        CHECK_NEAR(lab_probe(&l, "torque"), T, 1e-6);
        CHECK_NEAR(lab_probe(&l, "force"), -T, 1e-6);
        close_lab(&l);
    }
}

#define GOVERNOR "governor: {type: all_speed, idle: 800 rpm, high: 2200 rpm, droop: 0.08}"

/* Under a load M on the droop line: the rack that carries it, (M + D)/(T + D), is (s − ω)/(droop s); with T = 500 and D = 50 in closed form. The set speed is
 * linear in the throttle. Once on the line no step is too long: 50 ms are seven times the J/slope of the slowest. */
TEST(droop)
{
    static const double LOAD[] = {0, 120, 400, -30}, THROTTLE[] = {0, 0.4, 1};
    for (int k = 0; k < 24; k++) {
        char engine[400], more[100];
        const double M = LOAD[k % 4], a = THROTTLE[k / 4 % 3], set = 800 + 1400 * a, rack = (M + 50) / 550;
        snprintf(engine, sizeof engine, "torque: {speed: [0, 9000 rpm], torque: [500, 500]}, drag: 50 N m, " GOVERNOR ", throttle: \"%g\"", a);
        snprintf(more, sizeof more, "    forces: {load: {joint: crank, constant: %g}}\n", -M);
        lab l = open_bench(&(bench){k % 2 ? 3 : 2, k > 11 ? 0.05 : 2e-3, 0.6, (k > 11 ? set * 0.96 : 1000) * RPM, engine, more, NULL});
        lab_run(&l, 10);
        CHECK_NEAR(lab_probe(&l, "speed"), RPM * set * (1 - 0.08 * rack), 1e-6);
        CHECK_NEAR(lab_probe(&l, "rack"), rack, 1e-6);
        CHECK_NEAR(lab_probe(&l, "torque"), M, 1e-4);
        close_lab(&l);
    }
}

/* A load above what the engine has at high speeds pulls it down its curve of full load, to where that is the load: 450 N m at 1750 rpm. */
TEST(lugging)
{
    lab l = open_bench(&(bench){2, 5e-3, 0.6, 2200 * RPM, FULL ", " GOVERNOR ", throttle: 1", "    forces: {load: {joint: crank, constant: -450}}\n", NULL});
    lab_run(&l, 30);
    CHECK_NEAR(lab_probe(&l, "speed"), 1750 * RPM, 1e-6);
    CHECK_NEAR(lab_probe(&l, "rack"), 1, 1e-12);
    close_lab(&l);
}

/* Of speed limits: without throttle it idles where rack (T + D) = D, with full throttle and no load it runs up to the droop below `high`; between them the
 * throttle is the rack. */
TEST(limits)
{
    static const double THROTTLE[] = {0, 1, 0.5};
    for (int k = 0; k < 6; k++) {
        char engine[400];
        const double a = THROTTLE[k % 3], rack = 50.0 / 550, w = (a > 0 ? 2200 : 800) * RPM * (1 - 0.08 * rack);
        snprintf(engine, sizeof engine,
                 "torque: {speed: [0, 9000 rpm], torque: [500, 500]}, drag: 50, governor: {type: limits, idle: 800 rpm, high: 2200 rpm, droop: 0.08}, "
                 "throttle: \"%g\"",
                 a);
        lab l = open_bench(&(bench){k > 2 ? 3 : 2, 2e-3, 0.6, 1200 * RPM, engine, NULL, NULL});
        lab_run(&l, 0.1);
        const double early = a * 550 - 50;
        CHECK_NEAR(lab_probe(&l, "torque"), early, 1e-9);
        CHECK_NEAR(lab_probe(&l, "speed"), 1200 * RPM + early / 0.6 * 0.1, 1e-9);
        lab_run(&l, 20);
        CHECK_NEAR(lab_probe(&l, "speed"), w, 1e-6);
        close_lab(&l);
    }
}

/* Switched off, with a drag D0 + c ω it runs down as (ω0 + D0/c) exp(−c t/J) − D0/c, stands still after (J/c) log(1 + c ω0/D0) and stays; the error is of
 * order 2. Held by drag against less than D0 it stays too. */
TEST(runs_down)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double J = 0.6, D0 = 40, c = 60 / (3000 * RPM), w = 150, t = 1;
        double off[2];
        for (int half = 0; half < 2; half++) {
            lab l = open_bench(&(bench){dimension, half ? 5e-3 : 1e-2, J, w, FULL ", " DRAG, NULL, NULL});
            lab_run(&l, t);
            off[half] = fabs(lab_probe(&l, "speed") - ((w + D0 / c) * exp(-c * t / J) - D0 / c));
            lab_run(&l, J / c * log(1 + c * w / D0) + 0.1);
            CHECK_NEAR(lab_probe(&l, "speed"), 0, 1e-12);
            close_lab(&l);
        }
        CHECK(off[0] < 1e-2);
        CHECK_NEAR(off[0] / off[1], 4, 0.1);
        lab l = open_bench(&(bench){dimension, 5e-3, J, 0, FULL ", " DRAG, "    forces: {load: {joint: crank, constant: 30}}\n", NULL});
        lab_run(&l, 5);
        CHECK_NEAR(lab_probe(&l, "speed"), 0, 1e-12);
        CHECK_NEAR(lab_probe(&l, "torque"), -30, 1e-9);
        close_lab(&l);
    }
}

/* At full load on a straight piece of the curve, T + D − D = a − k ω: an exponential, to order 2; and the work is what the flywheel has. The fuel of a
 * constant b is b times the work, to the same order. */
TEST(runs_up)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double J = 2, w0 = 1500 * RPM, k = 200 / (1000 * RPM), a = 500 + k * w0, t = 0.4;
        double off[2], missed[2];
        for (int half = 0; half < 2; half++) {
            lab l = open_bench(&(bench){dimension, half ? 5e-3 : 1e-2, J, w0, FULL ", throttle: 1, fuel: {consumption: 210 g/kWh}", NULL, NULL});
            lab_run(&l, t);
            const double w = lab_probe(&l, "speed");
            off[half] = fabs(w - (a / k + (w0 - a / k) * exp(-k * t / J)));
            missed[half] = fabs(lab_probe(&l, "total") / (210 / 3.6e9 * 0.5 * J * (w * w - w0 * w0)) - 1);
            CHECK_CLOSE(lab_probe(&l, "heat"), 42.7e6 * 210 / 3.6e9 * lab_probe(&l, "power"), 1e-12);
            close_lab(&l);
        }
        CHECK(off[0] < 1e-2 && missed[0] < 1e-4);
        CHECK_NEAR(off[0] / off[1], 4, 0.1);
        CHECK_NEAR(missed[0] / missed[1], 4, 0.1);
    }
}

/* Hill start: the engine idles, the throttle opens, a clutch of 450 N m closes on a shaft that is held by a load of M, which acts as friction does. An engine
 * of 400 N m pulls away against 300 and ends on its droop line; against 430 it is pulled down and stalls, and all stands still. */
TEST(hill_start)
{
    for (int k = 0; k < 4; k++) {
        const double M = k % 2 ? 430 : 300, rack = (M + 40) / 440;
        char more[600];
        snprintf(more, sizeof more,
                 "    shafts: {crank: {inertia: 0.6, speed: 800 rpm%s}, wheel: {inertia: 4, speed: 0%s}}\n"
                 "    couplings:\n      clutch: {joints: [crank, wheel], friction: \"450 N m*clamp((t - 1 s)/(2 s), 0, 1)\"}\n"
                 "      load: {joints: [wheel], friction: %g N m}\n",
                 k > 1 ? ", axis: [0, 1, 0]" : "", k > 1 ? ", axis: [0, 1, 0]" : "", M);
        char text[3000];
        snprintf(text, sizeof text,
                 "dimension: %d\ngravity: %s\ntime: {end: 100 s, step: 2 ms}\nmechanisms:\n  m:\n%s"
                 "    engines: {diesel: {joint: crank, torque: {speed: [0, 2500 rpm], torque: [400, 400]}, drag: 40, " GOVERNOR ", stall: 450 rpm,\n"
                 "        throttle: \"ramp(t, 0.5 s, 1.5 s)\"}}\n"
                 "probes: {e: {joint: crank, quantity: velocity}, w: {joint: wheel, quantity: velocity}, rack: {engine: diesel, quantity: rack}}\n",
                 k > 1 ? 3 : 2, k > 1 ? "[0, 0, 0]" : "[0, 0]", more);
        lab l = open_lab(text, 1);
        lab_run(&l, 1);
        CHECK(lab_probe(&l, "e") > 800 * RPM * (1 - 0.08));
        CHECK(lab_probe(&l, "w") == 0);
        lab_run(&l, 60);
        const double end = k % 2 ? 0 : 2200 * RPM * (1 - 0.08 * rack);
        CHECK_NEAR(lab_probe(&l, "e"), end, 1e-6);
        CHECK_NEAR(lab_probe(&l, "w"), end, 1e-6);
        CHECK_NEAR(lab_probe(&l, "rack"), k % 2 ? 0 : rack, 1e-6);
        close_lab(&l);
    }
}

/* An engine that stands: a starter of 100 N m for a second brings it above stall, from where it runs up to idle by itself; one that is too short does not. */
TEST(starts_again)
{
    for (int k = 0; k < 4; k++) {
        const bool enough = k % 2;
        char more[200];
        snprintf(more, sizeof more, "    forces: {starter: {joint: crank, law: \"100 N m * step(t - 1 s) * step(%g s - t)\"}}\n", enough ? 1.6 : 1.3);
        lab l = open_bench(
            &(bench){k > 1 ? 3 : 2, 2e-3, 0.6, 0, "torque: {speed: [0, 2500 rpm], torque: [400, 400]}, drag: 40, stall: 400 rpm, " GOVERNOR, more, NULL});
        lab_run(&l, 1);
        CHECK_NEAR(lab_probe(&l, "speed"), 0, 1e-12);
        lab_run(&l, 1.25); /* (100 − 40)/J for 0.25 s: 25 rad/s, and 400 rpm are 41.9 */
        CHECK_NEAR(lab_probe(&l, "speed"), 25, 2 * 60 / 0.6 * 2e-3);
        lab_run(&l, 10);
        CHECK_NEAR(lab_probe(&l, "speed"), enough ? 800 * RPM * (1 - 0.08 * 40 / 440) : 0, 1e-6);
        close_lab(&l);
    }
}

/* What the engine does is what the load takes and the flywheel has: the sum of its power by trapezoids, to order 2. */
TEST(power_balance)
{
    double off[2];
    for (int half = 0; half < 2; half++) {
        const double h = half ? 1e-3 : 2e-3, J = 0.6, w0 = 1600 * RPM;
        lab l = open_bench(&(bench){2, h, J, w0, FULL ", " DRAG ", throttle: \"0.6 + 0.2*sin(5*t/(1 s))\"",
                                    "    forces: {load: {joint: crank, law: -0.01 N m s^2/rad^2*v^2}}\n", NULL});
        double work = 0, load = 0, before[2] = {lab_probe(&l, "power"), 0.01 * pow(lab_probe(&l, "speed"), 3)};
        while (talus_world_time(l.world) < 0.3 - 1e-9) {
            lab_step(&l);
            const double w = lab_probe(&l, "speed"), now[2] = {lab_probe(&l, "power"), 0.01 * w * w * w};
            work += 0.5 * h * (before[0] + now[0]), load += 0.5 * h * (before[1] + now[1]);
            before[0] = now[0], before[1] = now[1];
        }
        const double w = lab_probe(&l, "speed");
        off[half] = fabs(work - load - 0.5 * J * (w * w - w0 * w0));
        CHECK(off[half] < 1e-4 * work);
        close_lab(&l);
    }
    CHECK(off[1] < 0.35 * off[0]);
}

/* A stage gives another throttle. */
TEST(stages)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l =
            open_bench(&(bench){dimension, 2e-3, 0.6, 900 * RPM, "torque: {speed: [0, 9000 rpm], torque: [500, 500]}, drag: 50, " GOVERNOR ", throttle: 0.2",
                                NULL, "stages: {slow: {until: {after: 5 s}}, fast: {engines: {diesel: {throttle: \"min(T/(2 s), 1)\"}}}}\n"});
        lab_run(&l, 4.9);
        CHECK_NEAR(lab_probe(&l, "speed"), (800 + 0.2 * 1400) * RPM * (1 - 0.08 / 11), 1e-6);
        lab_run(&l, 6);
        CHECK_NEAR(lab_probe(&l, "throttle"), 0.5, 1e-9);
        lab_run(&l, 15);
        CHECK_NEAR(lab_probe(&l, "speed"), 2200 * RPM * (1 - 0.08 / 11), 1e-6);
        close_lab(&l);
    }
}

/* Schemes without states of laws have engines whose fuel is not counted. */
TEST(schemes)
{
    static const char *const NAMES[] = {"generalized_alpha", "spook"};
    for (int k = 0; k < 2; k++) {
        char head[100];
        snprintf(head, sizeof head, "integrator: {scheme: %s}\n", NAMES[k]);
        lab l = open_bench(&(bench){
            2, 2e-3, 0.6, 900 * RPM,
            "torque: {speed: [0, 9000 rpm], torque: [500, 500]}, drag: {speed: [0, 100 rpm], torque: [0, 50]}, " GOVERNOR ", throttle: 1", NULL, head});
        lab_run(&l, 10);
        CHECK_NEAR(lab_probe(&l, "speed"), 2200 * RPM * (1 - 0.08 / 11), 1e-5);
        close_lab(&l);
    }
}

/* A restart from a checkpoint goes on with the same bits, the fuel counted among them. */
TEST(restart)
{
    const bench b = {2, 2e-3, 0.6, 900 * RPM, FULL ", " DRAG ", " FUEL ", " GOVERNOR ", throttle: \"0.5 + 0.5*sin(3/(1 s)*t)\"", NULL, NULL};
    lab whole = open_bench(&b), part = open_bench(&b);
    lab_run(&whole, 1);
    talus_field field[64];
    const int count = talus_state_count(whole.world);
    CHECK(count <= 64);
    for (int i = 0; i < count; i++) talus_state_field(whole.world, i, &field[i]);
    CHECK_OK(talus_state_restore(part.world, field, count), talus_world_error(part.world));
    lab_run(&whole, 2);
    lab_run(&part, 2);
    CHECK(lab_probe(&whole, "total") == lab_probe(&part, "total") && lab_probe(&whole, "total") > 0);
    CHECK(talus_world_hash(whole.world) == talus_world_hash(part.world));
    close_lab(&whole);
    close_lab(&part);
}

static void refuse(const char *engine, const char *more, const char *what)
{
    char text[1500];
    snprintf(text, sizeof text,
             "gravity: [0, 0]\ntime: {end: 1 s, step: 5 ms}\nmechanisms:\n  m:\n    shafts: {crank: {inertia: 1}}\n    bodies: {s: {mass: 1}}\n"
             "    joints: {slide: {type: prismatic, parent: ground, child: s}}\n    engines: {e: {%s}}\n%s",
             engine, more);
    talus_scene *scene = load_lab(text);
    talus_world *w = NULL;
    if (talus_scene_mistake_count(scene) == 0) (void)!talus_scene_build(scene, 1, &w);
    CHECK(!w && talus_scene_mistake_count(scene) > 0);
    if (talus_scene_mistake_count(scene) > 0 && !strstr(talus_scene_mistake(scene, 0), what)) TEST_FAIL("%s: %s", engine, talus_scene_mistake(scene, 0));
    talus_world_destroy(w);
    talus_scene_destroy(scene);
}

TEST(mistakes)
{
#define OK "joint: crank, torque: {speed: [0, 1], torque: [1, 1]}"
    refuse("joint: nobody, torque: {speed: [0], torque: [1]}", "", "nobody");
    refuse("joint: slide, torque: {speed: [0], torque: [1]}", "", "a length");
    refuse("joint: crank", "", "'torque' is missing");
    refuse("joint: crank, torque: 3", "", "wants keys");
    refuse("joint: crank, torque: {speed: [0, 1], torque: [1]}", "", "as many");
    refuse("joint: crank, torque: {speed: [1, 0], torque: [1, 1]}", "", "ascend");
    refuse("joint: crank, torque: {speed: [0, 1], torque: [1, -1]}", "", "negative");
    refuse("joint: crank, torque: {speed: [0, 1 m/s], torque: [1, 1]}", "", "angular velocity");
    refuse("joint: crank, torque: {speed: [800 1/min], torque: [1]}", "", "rpm");
    refuse(OK ", governor: {idle: 10, high: 5}", "", "idle < high");
    refuse(OK ", governor: {idle: 10}", "", "no highest speed");
    refuse(OK ", governor: {idle: 10, high: 20, droop: 0}", "", "droop");
    refuse(OK ", governor: {idle: 10, high: 20}, stall: 11", "", "below idle");
    refuse(OK ", throttle: 3 N", "", "plain number");
    refuse(OK ", fuel: {consumption: 200 g}", "", "expected s^2/m^2");
    refuse(OK, "probes: {p: {engine: e, quantity: total}}\n", "no 'fuel'");
    refuse(OK, "probes: {p: {engine: f}}\n", "there is no engine 'f'");
    refuse(OK, "probes: {p: {engine: e, quantity: mass}}\n", "one of");
    refuse(OK ", fuel: {consumption: 200 g/kWh}", "integrator: {scheme: generalized_alpha}\n", "moreau has");
}

/* What the language says, C says: a table, and a function of the speed. */
static double falling(void *user, double speed, double *slope)
{
    (void)user;
    *slope = -2;
    return 300 - 2 * speed;
}

TEST(defined_in_c)
{
    static const double X[] = {0, 100}, Y[] = {10, 20};
    talus_table drag_table = {X, Y, 2, false};
    talus_world_def wd = talus_world_def_default();
    talus_world *w = NULL;
    talus_mechanism_id m;
    talus_joint_id j;
    talus_engine_id e;
    talus_shaft_def s = talus_shaft_def_default();
    talus_engine_def d = talus_engine_def_default();
    s.name = "crank", s.inertia = 0.5, s.speed = 50;
    CHECK_OK(talus_world_create(&wd, &w, NULL, 0), "");
    CHECK_OK(talus_mechanism_create(w, "m", &m), talus_world_error(w));
    CHECK_OK(talus_shaft_create(w, m, &s, &j), talus_world_error(w));
    d.name = "e", d.joint = j, d.drag = (talus_characteristic){talus_table_value, &drag_table};
    CHECK(talus_engine_create(w, &d, &e) == TALUS_INPUT);
    d.torque.value = falling, d.governor = TALUS_GOVERNOR_LIMITS, d.idle = 40;
    CHECK(isnan(talus_engine_read(w, e).torque) && talus_engine_find(w, "e").index1 == 0);
    CHECK_OK(talus_engine_create(w, &d, &e), talus_world_error(w));
    CHECK(talus_engine_create(w, &d, &e) == TALUS_INPUT);
    CHECK(talus_engine_find(w, "e").index1 == 1 && !talus_engine_counts_fuel(w, e));
    for (int i = 0; i < 20000; i++) CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
    const talus_engine_state state = talus_engine_read(w, e); /* idles: rack (300 − 2ω + D) = D, D = 10 + ω/10 */
    const double omega = state.speed, D = 10 + 0.1 * omega;
    CHECK_NEAR(state.torque, 0, 1e-8);
    CHECK_NEAR(state.rack, D / (300 - 2 * omega + D), 1e-9);
    CHECK_NEAR(state.rack, (40 - omega) / (0.05 * 40), 1e-9);
    CHECK(isnan(state.fuel) && isnan(state.total));
    talus_world_destroy(w);
}

/* Said once, when it is first beyond; within, nothing. */
TEST(throttles_beyond_their_ends)
{
    static const struct {
        const char *throttle, *says;
    } CASE[] = {
        {"1.4", "the throttle of engine 'diesel' is 1.4, beyond 0 to 1: it counts as 1"}, {"0.5 - t/(10 ms)", "beyond 0 to 1: it counts as 0"}, {"1", NULL}};
    for (int i = 0; i < 3; i++) {
        char engine[300];
        snprintf(engine, sizeof engine, FULL ", throttle: \"%s\"", CASE[i].throttle);
        lab l = open_bench(&(bench){i % 2 ? 3 : 2, 1e-3, 0.6, 1500 * RPM, engine, NULL, NULL});
        lab_run(&l, 0.02);
        const char *all = talus_world_all_warnings(l.world), *said = CASE[i].says ? strstr(all, CASE[i].says) : NULL;
        CHECK(CASE[i].says ? said && !strstr(said + 10, "the throttle of") : !strstr(all, "throttle"));
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(throttles_beyond_their_ends);
    RUN(test_bench);
    RUN(below_stall);
    RUN(droop);
    RUN(lugging);
    RUN(limits);
    RUN(runs_down);
    RUN(runs_up);
    RUN(hill_start);
    RUN(starts_again);
    RUN(power_balance);
    RUN(stages);
    RUN(schemes);
    RUN(restart);
    RUN(mistakes);
    RUN(defined_in_c);
    return TEST_RESULT;
}
