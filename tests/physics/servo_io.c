/* Laws of scenes that read other coordinates, states and probes: against closed forms, other machines, and a run that was cut in two. */
#include <stdarg.h>

#include "lab.h"
#include "physics/orders.h"

static char text[16384];

/* A scene with some of its numbers. */
__attribute__((format(printf, 1, 2))) static lab opened(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    CHECK(n > 0 && n < (int)sizeof text);
    return open_lab(text, 1);
}

/* ---- a cart under a PID ------------------------------------------------------------------------------------------------ */

/* m q̈ = k (r − q) + i e − d q̇, ė = r − q */
static void cart(const double *y, double *dy)
{
    dy[0] = y[1];
    dy[1] = (80 * (0.3 - y[0]) + 60 * y[2] - 25 * y[1]) / 2;
    dy[2] = 0.3 - y[0];
}

TEST(pid)
{
    double y[3] = {0.05, 0.4, 0}, error[RUNS], integral[RUNS];
    runge_kutta(cart, y, 3, 1, 20000);
    for (int i = 0; i < RUNS; i++) {
        lab l = opened("time: {step: %.17g, end: 9 s}\n"
                       "mechanisms:\n  cart:\n    bodies: {trolley: {mass: 2 kg}}\n"
                       "    joints: {rail: {type: prismatic, parent: ground, child: trolley, position: 5 cm, velocity: 0.4 m/s}}\n"
                       "    states: {e: {unit: m s, rate: 0.3 m - q.rail}}\n"
                       "    forces: {motor: {joint: rail, law: 80 N/m*(0.3 m - q) + 60 N/m/s*state.e - 25 N s/m*v}}\n"
                       "probes: {x: {joint: rail}, e: {state: e}}\n",
                       1e-2 / (1 << i));
        lab_run(&l, 1);
        error[i] = fabs(lab_probe(&l, "x") - y[0]);
        integral[i] = fabs(lab_probe(&l, "e") - y[2]);
        CHECK(strcmp(talus_scene_probe_unit(l.scene, 1), "m s") == 0);
        close_lab(&l);
    }
    check_order("position", error, 2, 0.1, 1e-5);
    check_order("integral", integral, 2, 0.1, 1e-5);
}

/* ---- coordinates of one another ------------------------------------------------------------------------------------------ */

/* Two bodies on rails in space: drawn together by laws, or by a spring with a damper between them. Of a planar and a free joint, by their names. */
TEST(pull_between_two)
{
    static const char *const BY[] = {
        "forces: {a: {joint: base.x, law: -90 N/m*(q - q.arm) - 6 N s/m*(v - v.arm)}, b: {joint: arm, law: 90 N/m*(q.base.x - q) + 6 N s/m*(v.base.x - v)}}",
        "springs: {s: {bodies: [one, two], at: [[0, 0, 0], [0, 0, 0]], stiffness: 90 N/m, damping: 6 N s/m}}"};
    double x[2][2];
    for (int i = 0; i < 2; i++) {
        lab l = opened("dimension: 3\ntime: {step: 1 ms, end: 9 s}\n"
                       "mechanisms:\n  m:\n    bodies: {one: {mass: 2 kg, inertia: 1 kg m^2}, two: {mass: 1 kg}}\n"
                       "    joints:\n      base: {type: planar, parent: ground, child: one, axis: [0, 0, 1], velocity: {x: 1 m/s, y: 0, angle: 0}}\n"
                       "      arm: {type: prismatic, parent: ground, child: two, axis: [1, 0, 0], position: 0.2 m}\n"
                       "    %s\n"
                       "probes: {a: {joint: base.x}, b: {joint: arm}}\n",
                       BY[i]);
        lab_run(&l, 0.2); /* the two do not pass each other */
        x[i][0] = lab_probe(&l, "a"), x[i][1] = lab_probe(&l, "b");
        close_lab(&l);
    }
    for (int k = 0; k < 2; k++) CHECK_NEAR(x[0][k], x[1][k], 1e-12);
    CHECK(fabs(x[0][0] - 0.2) > 1e-3);
}

/* ---- hydraulics ------------------------------------------------------------------------------------------------------------ */

/* A valve between two cylinders, in space: Q = K (p_1 − p_2), ṗ_1 = β/V (A v_1 − Q), ṗ_2 = β/V (Q − A v_2). Oil is neither made nor lost:
 * A Δq_1 − A Δq_2 = V/β (p_1 + p_2) at every step. The piston 1 is pushed with F; when all is in motion with one speed, F − 2 d v = 0. */
TEST(valve_between_cylinders)
{
    lab l = opened("dimension: 3\ntime: {step: 0.2 ms, end: 9 s}\nparameters: {A: 1e-3 m^2, soft: 2e11 Pa/m^3, K: 4e-8 m^3/s/Pa, d: 400 N s/m, F: 300 N}\n"
                   "mechanisms:\n  press:\n    bodies: {one: {mass: 3 kg}, two: {mass: 5 kg}}\n"
                   "    joints:\n      ram1: {type: prismatic, parent: ground, child: one, axis: [1, 0, 0]}\n"
                   "      ram2: {type: prismatic, parent: ground, child: two, axis: [0, 1, 0]}\n"
                   "    states:\n      p1: {unit: Pa, rate: soft*(A*v.ram1 - K*(state.p1 - state.p2))}\n"
                   "      p2: {unit: Pa, rate: soft*(K*(state.p1 - state.p2) - A*v.ram2)}\n"
                   "    forces:\n      push: {joint: ram1, law: F - A*state.p1 - d*v}\n      load: {joint: ram2, law: A*state.p2 - d*v}\n"
                   "probes: {q1: {joint: ram1}, q2: {joint: ram2}, v1: {joint: ram1, quantity: velocity}, v2: {joint: ram2, quantity: velocity}, p1: {state: "
                   "p1}, p2: {state: p2}}\n");
    for (int n = 0; n < 10000; n++) {
        (void)lab_step(&l);
        const double way = 1e-3 * (lab_probe(&l, "q1") - lab_probe(&l, "q2")), oil = (lab_probe(&l, "p1") + lab_probe(&l, "p2")) / 2e11;
        CHECK_NEAR(way, oil, 1e-9 * 1e-3);
    }
    /* in the valve A v = K (p_1 − p_2): F = (2 d + A²/K) v */
    const double v = 300 / (2 * 400 + 1e-6 / 4e-8);
    CHECK_CLOSE(lab_probe(&l, "v1"), v, 1e-6);
    CHECK_CLOSE(lab_probe(&l, "v2"), v, 1e-6);
    CHECK_CLOSE(lab_probe(&l, "p2"), 400 * v / 1e-3, 1e-6);
    close_lab(&l);
}

/* ---- a wall that keeps a force on a heap -------------------------------------------------------------------------------------- */

/* The wall is moved as a servo does: it stands where the state `goal` says, a stiff spring away, and the goal moves until the measured force is right. */
static const char WALL[] =
    "gravity: [0, -9.81]\ntime: {step: 0.5 ms, end: 3 s}\nsolver: {tolerance: 1e-7 m/s, max_iterations: 5000}\n"
    "materials: {rock: {density: 2600 kg/m^3}, steel: {density: 7800 kg/m^3}}\n"
    "interactions: [{friction: 0.4}, {between: [steel, steel], enabled: false}]\n"
    "bodies:\n  box:\n    kind: fixed\n    shapes:\n"
    "      - half_plane: {point: [0, 0], normal: [0, 1], material: steel}\n      - half_plane: {point: [0, 0], normal: [1, 0], material: steel}\n"
    "grains:\n  heap: {generator: drop, region: [[0, 0], [40 cm, 60 cm]], count: 60, shape: disk, radius: {uniform: [1.5 cm, 2.5 cm]}, seed: 3, "
    "material: rock}\n"
    "mechanisms:\n  servo:\n    bodies: {wall: {mass: 20 kg, shapes: [{box: {size: [2 cm, 2 m], centre: [1 cm, 0.5 m], material: steel}}]}}\n"
    "    joints: {x: {type: prismatic, parent: ground, child: wall, axis: [1, 0], position: 42 cm}}\n"
    "    states: {goal: {unit: m, start: 42 cm, rate: '%s'}}\n"
    "    forces: {ram: {joint: x, law: 4e5 N/m*(state.goal - q) - 5000 N s/m*v}}\n"
    "probes:\n  force: {contact_force: wall, quantity: x}\n  goal: {state: goal}\n";
static const char SERVO[] = "clamp((probe.force - 800 N)/(8000 N s/m), -0.1 m/s, 0.1 m/s)";

TEST(wall_keeps_its_force)
{
    lab l = opened(WALL, SERVO);
    lab_run(&l, 2.5);
    for (int n = 0; n < 400; n++) {
        (void)lab_step(&l);
        CHECK_CLOSE(lab_probe(&l, "force"), 800.0, 1e-3);
    }
    close_lab(&l);
}

/* ---- a run that is cut --------------------------------------------------------------------------------------------------------- */

typedef struct copy {
    talus_field field[64];
    int count;
} copy;

static copy copied(const talus_world *w)
{
    copy c = {.count = talus_state_count(w)};
    for (int i = 0; i < c.count && i < 64; i++) {
        talus_state_field(w, i, &c.field[i]);
        const size_t bytes = c.field[i].rows * c.field[i].columns * (c.field[i].type == TALUS_FIELD_INT32 ? 4 : 8);
        void *data = malloc(bytes + 1);
        if (!data) abort();
        if (bytes > 0) memcpy(data, c.field[i].data, bytes);
        c.field[i].data = data;
        c.field[i].name = strdup(c.field[i].name);
    }
    return c;
}

static void free_copy(copy *c)
{
    for (int i = 0; i < c->count; i++) free((void *)(uintptr_t)c->field[i].data), free((void *)(uintptr_t)c->field[i].name);
}

/* The force of contacts is not there after a restore, the acceleration neither: what the servo goes on with is the state's. */
TEST(cut_in_two)
{
    lab whole = opened(WALL, SERVO), part = opened(WALL, SERVO);
    lab_run(&whole, 1);
    lab_run(&part, 0.6005);
    copy c = copied(part.world);
    close_lab(&part);
    part = opened(WALL, SERVO);
    CHECK_OK(talus_state_restore(part.world, c.field, c.count), talus_world_error(part.world));
    CHECK_OK(talus_scene_restored(part.scene, part.world), talus_world_error(part.world));
    CHECK(lab_probe(&part, "force") == 0);
    CHECK(*(const double *)talus_state_data(part.world, "laws/probes") != 0);
    lab_run(&part, 1);
    CHECK(talus_world_hash(part.world) == talus_world_hash(whole.world));
    CHECK(lab_probe(&part, "goal") == lab_probe(&whole, "goal"));
    close_lab(&part);
    close_lab(&whole);
    free_copy(&c);
}

/* ---- stages, and what may stand in a law -------------------------------------------------------------------------------------- */

/* In the first second nothing, in the second one drags the other: constant force 3 N, from T = 0. */
TEST(stage)
{
    lab l = opened("time: {step: 1 ms, end: 3 s}\n"
                   "mechanisms:\n  m:\n    bodies: {one: {mass: 2 kg}, two: {mass: 1 kg}}\n"
                   "    joints: {a: {type: prismatic, parent: ground, child: one}, b: {type: prismatic, parent: ground, child: two}}\n"
                   "    forces: {f: {joint: a}, g: {joint: b, law: 6 N*t/(1 s)}}\n"
                   "probes: {va: {joint: a, quantity: velocity}, qb: {joint: b}}\n"
                   "stages:\n  wait: {until: {after: 1 s}}\n  pull: {until: {after: 1 s}, forces: {f: {law: '2 N*T/(1 s) + 0 N/m*q.b'}}}\n");
    lab_run(&l, 3);
    CHECK_NEAR(talus_world_time(l.world), 2, 1e-9);
    CHECK_NEAR(lab_probe(&l, "va"), 0.5, 1e-9); /* ∫ T dT, over 2 kg */
    CHECK_NEAR(lab_probe(&l, "qb"), 8, 1e-3);   /* t³ of 1 kg */
    close_lab(&l);
}

/* Units of all kinds of probes are those of series.csv: else these sums would not add up. Own q and v stand beside the others. */
TEST(every_probe_has_its_unit)
{
    lab l = opened(
        "dimension: 3\ntime: {step: 1 ms, end: 9 s}\nmaterials: {rock: {density: 2600 kg/m^3}}\n"
        "bodies: {floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: rock}}]}}\n"
        "grains: {g: {generator: drop, region: [[0, 0, 0], [1, 1, 1]], count: 3, shape: sphere, radius: 5 cm, seed: 1, material: rock}}\n"
        "ropes: {r: {bodies: [ground, g.1], at: [[0, 0, 3], [0, 0, 0]]}}\n"
        "mechanisms:\n  m:\n    bodies: {one: {mass: 2 kg, inertia: 1 kg m^2}, two: {mass: 2 kg, inertia: 1 kg m^2}}\n"
        "    joints: {a: {type: revolute, parent: ground, child: one, axis: [0, 0, 1]}, s: {type: prismatic, parent: ground, child: two, axis: [1, 0, "
        "0]}}\n    states: {x: {unit: Pa, start: 3 kPa, rate: 0 Pa/s}}\n"
        "    forces:\n      f:\n        joint: s\n        law: \"-5 N/m*q + 1 N*(probe.angle + probe.turning/(1 rad/s) + probe.moment/(1 N m) + probe.x/(1 m)"
        " + probe.vx/(1 m/s) + probe.ax/(1 m/s^2) + probe.spin/(1 rad/s) + probe.force/(1 N) + probe.rope/(1 N) + probe.stress/(1 Pa) + probe.solid"
        " + probe.Z + probe.n + probe.m/(1 kg) + probe.fabric + probe.rate/(1 kg/s) + probe.passed + probe.energy/(1 J) + probe.mean/(1 m)"
        " + probe.cut.2.1/(1 Pa) + probe.state/(1 Pa) - state.x/(1 Pa))\"\n"
        "probes:\n  angle: {joint: a}\n  turning: {joint: a, quantity: velocity}\n  moment: {joint: a, quantity: force}\n  x: {body: two}\n"
        "  vx: {body: two, quantity: vx}\n  ax: {body: two, quantity: ax}\n  spin: {body: one, quantity: wz}\n  force: {contact_force: floor}\n"
        "  rope: {rope: r}\n  stress: {stress: g, region: [[0, 0, 0], [1, 1, 1]]}\n  solid: {compactness: g, region: [[0, 0, 0], [1, 1, 1]]}\n"
        "  Z: {coordination: g}\n  n: {number: g}\n  m: {mass: g}\n  fabric: {fabric: g}\n  rate: {flow: g, at: [0, 0, 0], normal: [0, 0, 1]}\n"
        "  passed: {flow: g, at: [0, 0, 0], normal: [0, 0, 1], quantity: number}\n  energy: {energy: total}\n  mean: {grains: g, quantity: z}\n"
        "  cut: {stress: g, region: [[0, 0, 0], [1, 1, 1]], cells: [2, 2, 1]}\n  state: {state: x}\n");
    lab_run(&l, 0.01);
    CHECK_NEAR(lab_probe(&l, "state"), 3000, 1e-9);
    close_lab(&l);
}

/* Work of a force and of a moment, as states in J and kJ: ∫ M ω dt is the kinetic energy. What is said of a value in SI is a unit of SI. */
TEST(states_of_work)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char scene[1200];
        (void)snprintf(scene, sizeof scene,
                       "dimension: %d\ntime: {end: 9 s, step: 1 ms}\nmechanisms:\n  m:\n    bodies: {b: {mass: 4 kg, inertia: 0.5}}\n"
                       "    joints: {j: {type: revolute, parent: ground, child: b}}\n"
                       "    states:\n      work: {unit: J, rate: 3 N m*v.j/(1 rad)}\n      same: {unit: kJ, start: 2 J, rate: 3 N m*v.j/(1 rad)}\n"
                       "      part: {unit: '%%', start: 30 %%, rate: 10 %%/(1 s)}\n"
                       "      oil: {unit: l, rate: 2 l/s}\n"
                       "    forces: {f: {joint: j, law: 3 N m}}\n"
                       "probes: {work: {state: work}, same: {state: same}, e: {energy: kinetic}, part: {state: part}, oil: {state: oil}}\n",
                       dimension);
        lab l = open_lab(scene, 1);
        lab_run(&l, 0.5);
        CHECK(lab_probe(&l, "e") > 1);
        CHECK_CLOSE(lab_probe(&l, "work"), lab_probe(&l, "e"), 1e-9);
        CHECK_CLOSE(lab_probe(&l, "same") - 2, lab_probe(&l, "e"), 1e-9);
        CHECK_CLOSE(lab_probe(&l, "part"), 0.35, 1e-9);
        CHECK_CLOSE(lab_probe(&l, "oil"), 1e-3, 1e-9);
        CHECK(strcmp(talus_scene_probe_unit(l.scene, 3), "1") == 0 && strcmp(talus_scene_probe_unit(l.scene, 4), "m^3") == 0);
        CHECK(strcmp(talus_scene_probe_unit(l.scene, 0), "J") == 0 && strcmp(talus_scene_probe_unit(l.scene, 1), "N m") == 0);
        close_lab(&l);
    }
}

/* ---- what is wrong ----------------------------------------------------------------------------------------------------------------- */

static void refused(const char *law, const char *rate, const char *more, const char *words)
{
    char path[] = "servo-XXXXXX";
    talus_scene *s = NULL;
    talus_world *w = NULL;
    const int n = snprintf(text, sizeof text,
                           "time: {end: 9 s}\nparameters: {k: 5 N/m%s}\n"
                           "mechanisms:\n  m:\n    bodies: {one: {mass: 2 kg}, two: {mass: 1 kg}}\n"
                           "    joints: {arm: {type: prismatic, parent: ground, child: one}, base: {type: planar, parent: ground, child: two}}\n"
                           "    states: {error: {unit: m s, rate: '%s'}}\n    forces: {f: {joint: arm, law: '%s'}}\n"
                           "  other:\n    bodies: {three: {mass: 1 kg}}\n    joints: {away: {type: prismatic, parent: ground, child: three}}\n"
                           "probes: {pressure: {joint: away}}\n",
                           more, rate, law);
    const int file = mkstemp(path);
    if (file < 0 || write(file, text, (size_t)n) != n) abort();
    close(file);
    talus_status status = talus_scene_load(path, NULL, 0, &s);
    if (status == TALUS_OK) status = talus_scene_build(s, 1, &w);
    CHECK(status == TALUS_INPUT);
    for (int i = 1; i < talus_scene_mistake_count(s); i++) TEST_FAIL("said besides: %s", talus_scene_mistake(s, i));
    if (!strstr(talus_scene_mistake(s, 0), words)) TEST_FAIL("'%s' does not say '%s'", talus_scene_mistake(s, 0), words);
    unlink(path);
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

TEST(messages)
{
    const char *good = "q.arm";
    refused("-k*q.amr", good, "", ":8:35: there is no joint 'amr' in mechanism 'm'; did you mean 'q.arm'?");
    refused("-k*q.away", good, "", "joint 'away' is of mechanism 'other': of another mechanism a law reads probes");
    refused("-k*q.base", good, "", "joint 'base' has the coordinates x, y, angle; name one, as in q.base.x");
    refused("-k*q.base.z", good, "", "joint 'base' has the coordinates x, y, angle; name one, as in q.base.x");
    refused("-k*state.eror", good, "", "there is no state 'eror' in mechanism 'm'; did you mean 'state.error'?");
    refused("-k*probe.presure", good, "", "there is no probe 'presure'; did you mean 'probe.pressure'?");
    refused("-k*arm", good, "", "'arm' is a joint: write q.arm or v.arm");
    refused("-k*error", good, "", "'error' is a state: write state.error");
    refused("-k*pressure", good, "", "'pressure' is a probe: write probe.pressure");
    refused("-k*q.arm", "q", "", "a state has no coordinate of its own: name one of a joint, as in q.arm");
    refused("-k*v.arm", good, "", "expected a force (N)");
    refused("-k*(q + v.base.x)", good, "", "a length (m) and a velocity (m/s) do not add up");
    refused("-k*state.error", good, "", "expected a force (N)");
    refused("-k*q", "v.arm", "", "expected a length (m), got 'v.arm'");
    refused("-k*q.arm", "0.1 m", ", q: {arm: 1 m}", "'q.arm' is a parameter, and a name of the scene's parts");
    refused("-k*q.arm", "v.arm*(1 N)", ", unused: 1", "expected a length (m), got 'v.arm*(1 N)', a power (W)");
    refused("-k*q.arm", "q.arm*(1 rad)", ", unused: 1", "they differ by radians, as the work of a moment, N m rad, does from J: multiply or divide by (1 rad)");
    refused("-k*probe.pressure.3", good, "", "there is no probe 'pressure.3'");
}

/* A parameter with a dot in its name is what it was, unless a part of the scene has this name. */
TEST(parameters_stay)
{
    lab l = opened("time: {step: 1 ms, end: 9 s}\nparameters: {v: {max: 2 m/s}, probe: {gain: 3 N s/m}}\n"
                   "mechanisms:\n  m:\n    bodies: {one: {mass: 2 kg}}\n    joints: {a: {type: prismatic, parent: ground, child: one}}\n"
                   "    forces: {f: {joint: a, law: probe.gain*(v.max - v)}}\nprobes: {v: {joint: a, quantity: velocity}}\n");
    lab_run(&l, 1);
    CHECK_NEAR(lab_probe(&l, "v"), 2 * (1 - exp(-1.5)), 1e-6);
    close_lab(&l);
}

TEST(other_schemes)
{
    char path[] = "servo-XXXXXX";
    talus_scene *s = NULL;
    talus_world *w = NULL;
    static const char SCENE[] = "time: {end: 1 s}\nintegrator: {scheme: generalized_alpha}\nmechanisms:\n  m:\n    bodies: {one: {mass: 2 kg}}\n"
                                "    joints: {a: {type: prismatic, parent: ground, child: one}}\n    states: {e: {unit: m s, rate: q.a}}\n";
    const int file = mkstemp(path);
    if (file < 0 || write(file, SCENE, strlen(SCENE)) != (ssize_t)strlen(SCENE)) abort();
    close(file);
    CHECK_OK(talus_scene_load(path, NULL, 0, &s), talus_scene_mistake(s, 0));
    CHECK(talus_scene_build(s, 1, &w) == TALUS_UNSUPPORTED);
    CHECK(strstr(talus_scene_mistake(s, 0), "state 'e': scheme 'generalized_alpha' has no states of laws; moreau has") != NULL);
    unlink(path);
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

int main(int argc, char **argv)
{
    RUN(pid);
    RUN(pull_between_two);
    RUN(valve_between_cylinders);
    RUN(wall_keeps_its_force);
    RUN(cut_in_two);
    RUN(stage);
    RUN(every_probe_has_its_unit);
    RUN(states_of_work);
    RUN(messages);
    RUN(parameters_stay);
    RUN(other_schemes);
    return TEST_RESULT;
}
