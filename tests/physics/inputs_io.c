/* Inputs of scenes and controllers (talus/scene.h, talus/control.h): what is set from outside holds from the next step on until it is released, in functions of
 * time, tables of stages and laws; it is part of the state. In the plane and in space. */
#include "lab.h"

static lab open_inputs(int dimension, const char *inputs, const char *parts, const char *more)
{
    char text[3000];
    snprintf(text, sizeof text,
             "dimension: %d\ngravity: %s\ntime: {end: 100 s, step: 1 ms}\ninputs:\n%smechanisms:\n  m:\n    shafts: {a: {inertia: 0.5, speed: 0}}\n%s%s",
             dimension, dimension == 2 ? "[0, 0]" : "[0, 0, 0]", inputs, parts, more);
    return open_lab(text, 1);
}

static double speed_of(const lab *l, const char *joint) { return talus_joint_velocity(l->world, talus_joint_find(l->world, joint), 0); }

static void set(const lab *l, const char *name, double value)
{
    CHECK_OK(talus_scene_input_set(l->scene, l->world, talus_scene_input_find(l->scene, name), value), name);
}

static void release(const lab *l, const char *name) { CHECK_OK(talus_scene_input_release(l->scene, l->world, talus_scene_input_find(l->scene, name)), name); }

/* A moment by its own function of time, 6 t N m: φ'' = 12 t; set to 5 N m for half a second, it is that; released, it is the function again. The impulse is the
 * integral, which the midpoint rule has exactly. In the sum of a load's function and in a law alike. */
TEST(set_and_released)
{
    for (int k = 0; k < 4; k++) {
        const bool law = k > 1;
        lab l = open_inputs(k % 2 ? 3 : 2, "  M: {value: 6 N m/s*t, unit: N m}\n", law ? "    forces: {f: {joint: a, law: input.M + 1 N m}}\n" : "",
                            law ? "probes: {M: {input: M}}\n" : "loads: {f: {body: a, torque: input.M + 1 N m}}\nprobes: {M: {input: M}}\n");
        lab_run(&l, 1);
        CHECK_NEAR(speed_of(&l, "a"), (3 + 1) / 0.5, 1e-9);
        CHECK_NEAR(lab_probe(&l, "M"), 6, 1e-12);
        set(&l, "M", 5);
        CHECK(talus_scene_input_value(l.scene, l.world, 0) == 5);
        lab_run(&l, 1.5);
        CHECK_NEAR(speed_of(&l, "a"), 8 + 6 / 0.5 * 0.5, 1e-9);
        CHECK(lab_probe(&l, "M") == 5);
        release(&l, "M");
        lab_run(&l, 2);
        CHECK_NEAR(speed_of(&l, "a"), 14 + (3 * (4 - 2.25) + 0.5) / 0.5, 1e-9);
        CHECK_NEAR(lab_probe(&l, "M"), 12, 1e-12);
        CHECK(strcmp(talus_scene_input_unit(l.scene, 0), "N m") == 0 && strcmp(talus_scene_input_name(l.scene, 0), "M") == 0);
        CHECK(talus_scene_input_count(l.scene) == 1);
        close_lab(&l);
    }
}

/* A law's slope is one in the rate, whatever the input does: a viscous brake of a coefficient that is set is implicit. The speed of a drive is an input, too,
 * and a clutch that it closes; in a stage as well. */
TEST(wherever_functions_stand)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_inputs(dimension, "  c: {unit: N m s/rad}\n  w: {value: 30 rpm, unit: rpm}\n  grip: {value: {table: [[0 s, 0], [1 s, 4]]}, unit: N m}\n",
                            "    bodies: {b: {mass: 1, inertia: 0.25}, d: {mass: 1, inertia: 1}}\n"
                            "    joints: {b: {type: revolute, parent: ground, child: b, velocity: 10}, d: {type: revolute, parent: ground, child: d}}\n"
                            "    forces: {f: {joint: b, law: \"-input.c*v\"}}\n    drives: {d: {joint: d, speed: input.w}}\n"
                            "    couplings: {k: {joints: [a], friction: input.grip}}\n",
                            "stages: {one: {until: {after: 1 s}}, two: {drives: {d: {speed: \"2*input.w\"}}}}\n");
        const double w = acos(-1);
        set(&l, "c", 1e6);
        lab_run(&l, 0.001);
        CHECK(fabs(speed_of(&l, "b")) <= 10 * (1 + 1e-9));
        lab_run(&l, 0.5);
        CHECK_NEAR(speed_of(&l, "d"), w, 1e-12);
        set(&l, "w", 7);
        lab_run(&l, 0.8);
        CHECK_NEAR(speed_of(&l, "d"), 7, 1e-12);
        lab_run(&l, 1.2);
        CHECK_NEAR(speed_of(&l, "d"), 14, 1e-12);
        release(&l, "w");
        lab_run(&l, 1.3);
        CHECK_NEAR(speed_of(&l, "d"), 2 * w, 1e-12);
        close_lab(&l);
    }
}

/* Values are in SI, and their columns say so; a number alone beside a unit with a factor would be read as the one and shown as the other. */
TEST(units)
{
    static const char *const SCENE = "time: {end: 1 s, step: 1 ms}\ngravity: [0, 0]\ninputs: {p: {value: %s, unit: kN}, n: {value: 0, unit: rpm}}\n"
                                     "mechanisms:\n  m:\n    bodies: {b: {mass: 1000, inertia: 1}}\n"
                                     "    joints: {s: {type: prismatic, parent: ground, child: b}}\n    states: {x: {unit: kN, start: %s, rate: \"0 kN/s\"}}\n"
                                     "    forces: {f: {joint: s, law: input.p}}\nprobes: {v: {joint: s, quantity: velocity}, p: {input: p}, n: {input: n}}\n";
    char text[1000];
    (void)snprintf(text, sizeof text, SCENE, "3 kN", "2 kN");
    lab l = open_lab(text, 1);
    CHECK_NEAR(lab_probe(&l, "p"), 3000, 1e-9);
    CHECK(strcmp(talus_scene_probe_unit(l.scene, 1), "N") == 0 && strcmp(talus_scene_probe_unit(l.scene, 2), "rad/s") == 0);
    set(&l, "n", 7);
    lab_run(&l, 1);
    CHECK_NEAR(lab_probe(&l, "v"), 3, 1e-9);
    CHECK_NEAR(lab_probe(&l, "n"), 7, 1e-12);
    close_lab(&l);
    for (int i = 0; i < 3; i++) {
        talus_world *world;
        (void)snprintf(text, sizeof text, SCENE, i == 0 ? "3" : i == 1 ? "3 kN" : "{table: [[0 s, 0], [1 s, 3]]}", i == 1 ? "2" : "2 kN");
        talus_scene *scene = load_lab(text);
        CHECK(talus_scene_build(scene, 1, &world) == TALUS_INPUT && !world);
        CHECK(strstr(talus_scene_mistake(scene, 0), i == 1 ? "write '2 kN'" : "write '3 kN'"));
        talus_scene_destroy(scene);
    }
}

/* ---- a controller ------------------------------------------------------------------------------------------------------------ */

/* It holds a speed by a moment in proportion to the error, as it is where each step begins: a digital servo, ω_{n+1} = ω_n + h k (ω* − ω_n)/J. */
typedef struct servo {
    lab *l;
    double wanted, gain;
    int calls, fails_at;
} servo;

static talus_status hold_speed(void *user, talus_world *w)
{
    servo *s = user;
    if (++s->calls == s->fails_at) return TALUS_INPUT;
    return talus_scene_input_set(s->l->scene, w, 0, s->gain * (s->wanted - talus_joint_velocity(w, talus_joint_find(w, "a"), 0)));
}

TEST(controller)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_inputs(dimension, "  M: {unit: N m}\n", "    forces: {f: {joint: a, law: input.M}}\n", "");
        servo s = {.l = &l, .wanted = 40, .gain = 3, .fails_at = 501};
        talus_world_set_controller(l.world, &(talus_controller){hold_speed, &s});
        double expected = 0;
        for (int n = 0; n < 500; n++) {
            lab_step(&l);
            expected += 1e-3 * 3 / 0.5 * (40 - expected);
            CHECK_NEAR(speed_of(&l, "a"), expected, 1e-9);
        }
        CHECK(s.calls == 500);
        CHECK(talus_world_step(l.world, NULL) == TALUS_INPUT); /* it fails: the step has not begun */
        CHECK(strstr(talus_world_error(l.world), "controller") != NULL);
        CHECK_NEAR(talus_world_time(l.world), 0.5, 1e-12);
        CHECK_NEAR(speed_of(&l, "a"), expected, 1e-9);
        lab_step(&l);
        talus_world_set_controller(l.world, NULL);
        lab_step(&l);
        CHECK(s.calls == 502);
        close_lab(&l);
    }
}

/* The same servo in the scene: its input names a probe of the speed, as it was after the step before, ω_{n+1} = ω_n + h k (ω* − ω_n)/J. The second input grips
 * where that speed is beyond 20 rad/s, and so does a brake of 50 N m that it closes, on a wheel that 2 N m drive: that is soon at rest. A run that is cut goes
 * on with the same bits. */
TEST(servo_of_a_scene)
{
    static const char
        *const INPUTS = "  M: {value: \"3 N m s/rad*(40 rad/s - probe.w)\", unit: N m}\n  grip: {value: \"50 N m*step(probe.w - 20 rad/s)\", unit: N m}\n",
               *const PARTS = "    bodies: {b: {mass: 1, inertia: 1}}\n    joints: {b: {type: revolute, parent: ground, child: b}}\n    forces: {f: {joint: a, "
                              "law: input.M}, g: {joint: b, constant: 2}}\n"
                              "    couplings: {brake: {joints: [b], friction: input.grip}}\n",
               *const MORE = "probes: {w: {joint: a, quantity: velocity}, M: {input: M}, grip: {input: grip}}\n";
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_inputs(dimension, INPUTS, PARTS, MORE), other = open_inputs(dimension, INPUTS, PARTS, MORE);
        double expected = 0, free = 0;
        for (int n = 0; n < 500; n++) {
            const bool grips = expected >= 20;
            lab_step(&l);
            free = grips ? fmax(free - 1e-3 * 48, 0) : free + 1e-3 * 2;
            expected += 1e-3 * 3 / 0.5 * (40 - expected);
            CHECK_NEAR(speed_of(&l, "a"), expected, 1e-9);
            CHECK_NEAR(speed_of(&l, "b"), free, 1e-9);
            CHECK_NEAR(lab_probe(&l, "M"), 3 * (40 - expected), 1e-9);
            if (n == 100) lab_restore(&l, &other);
            if (n > 100) lab_step(&other);
        }
        CHECK(expected > 20);
        CHECK(talus_world_hash(l.world) == talus_world_hash(other.world));
        close_lab(&l);
        close_lab(&other);
    }
}

/* A stage makes another function of an input, of T too and of probes; it goes on where the next stage says nothing. What a program sets goes before
 * all, and when that is released the stage's function is back. The impulse of a moment is its integral, J ω. */
TEST(stages_of_inputs)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_inputs(dimension, "  M: {value: 2, unit: N m}\n", "    forces: {f: {joint: a, law: input.M}}\n",
                            "probes: {w: {joint: a, quantity: velocity}}\nstages:\n  one: {until: {after: 1 s}}\n"
                            "  two: {until: {after: 1 s}, inputs: {M: {value: 6 N m/s*T}}}\n  three: {until: {after: 1 s}}\n"
                            "  four: {inputs: {M: {value: \"10 N m s/rad*(9 rad/s - probe.w)\"}}}\n");
        lab_run(&l, 1);
        CHECK_NEAR(speed_of(&l, "a"), 2 / 0.5, 1e-9);
        lab_run(&l, 2);
        CHECK_NEAR(speed_of(&l, "a"), (2 + 3) / 0.5, 1e-9);
        set(&l, "M", -1);
        lab_run(&l, 2.5);
        CHECK_NEAR(speed_of(&l, "a"), (5 - 0.5) / 0.5, 1e-9);
        release(&l, "M");
        lab_run(&l, 3);
        CHECK_NEAR(speed_of(&l, "a"), (4.5 + 3 * (2 * 2 - 1.5 * 1.5)) / 0.5, 1e-9);
        lab_run(&l, 6);
        CHECK_NEAR(speed_of(&l, "a"), 9, 1e-9);
        close_lab(&l);
    }
}

/* A run that is cut while inputs are set goes on with the same bits. */
TEST(cut_in_two)
{
    const char *parts = "    forces: {f: {joint: a, law: \"input.M - input.c*v\"}}\n",
               *inputs = "  M: {value: \"1 N m*sin(9*t/(1 s))\", unit: N m}\n  c: {value: 0.1, unit: N m s/rad}\n";
    lab whole = open_inputs(2, inputs, parts, ""), part = open_inputs(2, inputs, parts, "");
    lab_run(&whole, 0.2);
    set(&whole, "M", 2.5);
    lab_run(&whole, 0.4);
    talus_field field[64];
    const int count = talus_state_count(whole.world);
    CHECK(count <= 64);
    for (int i = 0; i < count && i < 64; i++) talus_state_field(whole.world, i, &field[i]);
    CHECK_OK(talus_state_restore(part.world, field, count), talus_world_error(part.world));
    CHECK(talus_scene_input_value(part.scene, part.world, 0) == 2.5);
    lab_run(&whole, 0.6);
    lab_run(&part, 0.6);
    CHECK(talus_world_hash(whole.world) == talus_world_hash(part.world));
    release(&whole, "M");
    release(&part, "M");
    lab_run(&whole, 0.8);
    lab_run(&part, 0.8);
    CHECK(talus_world_hash(whole.world) == talus_world_hash(part.world));
    close_lab(&whole);
    close_lab(&part);
}

/* Two worlds of one scene have inputs of their own. */
TEST(two_worlds)
{
    lab l = open_inputs(2, "  M: {unit: N m}\n", "    forces: {f: {joint: a, law: input.M}}\n", "");
    talus_world *other = NULL;
    CHECK_OK(talus_scene_build(l.scene, 1, &other), talus_scene_mistake(l.scene, 0));
    set(&l, "M", 3);
    CHECK(talus_scene_input_value(l.scene, other, 0) == 0);
    for (int n = 0; n < 100; n++) {
        lab_step(&l);
        CHECK_OK(talus_world_step(other, NULL), talus_world_error(other));
    }
    CHECK_NEAR(speed_of(&l, "a"), 0.6, 1e-12);
    CHECK(talus_joint_velocity(other, talus_joint_find(other, "a"), 0) == 0);
    CHECK(talus_scene_input_set(l.scene, l.world, 1, 1) == TALUS_INPUT && talus_scene_input_set(l.scene, l.world, -1, 1) == TALUS_INPUT);
    CHECK(talus_scene_input_set(l.scene, l.world, 0, (double)NAN) == TALUS_INPUT && talus_scene_input_release(l.scene, l.world, 3) == TALUS_INPUT);
    CHECK(isnan(talus_scene_input_value(l.scene, l.world, 3)) && talus_scene_input_find(l.scene, "N") == -1);
    talus_world_destroy(other);
    close_lab(&l);
}

static void refuse(const char *inputs, const char *parts, const char *what)
{
    char text[1500];
    snprintf(text, sizeof text,
             "gravity: [0, 0]\ntime: {end: 1 s, step: 5 ms}\ninputs: {%s}\nbodies: {lid: {kind: imposed, mass: 1, inertia: 1, motion: {x: 0 "
             "m}}}\nmechanisms:\n  m:\n    shafts: {a: "
             "{inertia: 1}}\n%s",
             inputs, parts);
    talus_scene *scene = load_lab(text);
    talus_world *w = NULL;
    if (talus_scene_mistake_count(scene) == 0) (void)!talus_scene_build(scene, 1, &w);
    CHECK(!w && talus_scene_mistake_count(scene) > 0);
    if (talus_scene_mistake_count(scene) > 0 && !strstr(talus_scene_mistake(scene, 0), what)) TEST_FAIL("%s: %s", parts, talus_scene_mistake(scene, 0));
    talus_world_destroy(w);
    talus_scene_destroy(scene);
}

#define SOLID(more)                                                                                                                                            \
    "solids: {s: {box: {size: [1 m, 1 m], elements: 1}, material: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}, fixed: [left], " more "}}\n"

TEST(mistakes)
{
    refuse("u: {}", "    forces: {f: {joint: a, law: input.uu}}\n", "did you mean 'input.u'");
    refuse("u: {unit: m}", "    forces: {f: {joint: a, law: input.u}}\n", "torque");
    refuse("u: {unit: furlong}", "", "not a known unit");
    refuse("u: {value: 3 N, unit: m}", "", "length");
    refuse("u: {}, v: {value: input.u}", "", "no positions");
    refuse("u: {}", "    couplings: {k: {joints: [a], friction: probe.w}}\nprobes: {w: {joint: a, quantity: velocity}}\n", "name it in an input");
    refuse("u: {value: probe.ww}", "probes: {w: {joint: a, quantity: velocity}}\n", "did you mean 'probe.w'");
    refuse("u: {value: probe.w}", "probes: {w: {joint: a, quantity: velocity}}\n", "rad/s");
    refuse("u: {unit: N m}", "stages: {s: {inputs: {u: {value: input.u}}}}\n", "no positions");
    refuse("u: {unit: N m}", "stages: {s: {inputs: {v: {value: 3}}}}\n", "did you mean 'u'");
    refuse("u: {unit: kN}", "stages: {s: {inputs: {u: {value: 3}}}}\n", "write '3 kN'");
    refuse("u: {unit: rad}", "    drives: {d: {joint: a, position: input.u}}\n", "would jump");
    refuse("u: {unit: kg}", "    forces: {f: {joint: a, stiffness: input.u}}\n", "functions of time");
    refuse("u: {unit: m}", "stages: {s: {bodies: {lid: {motion: {x: input.u}}}}}\n", "would jump");
    refuse("u: {}", "probes: {p: {input: w}}\n", "there is no input 'w'");
    refuse("u: {unit: m}", SOLID("motion: [{group: right, x: input.u}]"), "would jump");
    refuse("u: {unit: m/s}", SOLID("velocity: [input.u, 0]"), "inputs stand in laws, and in functions of time");
}

/* Forces that come again and again act on a kilogram for five seconds: pulses of 10 N for a fifth of each second give 10 N s; a saw from 0 to 10 N gives its
 * mean, 25 N s; one of a length that counts backwards, mod(−x, a) = a − mod(x, a), the same. An imposed body goes round with a saw's velocity, which is the
 * rate of mod between its jumps. In plane and space. */
TEST(what_comes_again)
{
    static const struct {
        const char *force;
        double momentum;
    } CASE[] = {{"10 N*step(0.2 s - mod(t, 1 s))", 10}, {"10 N*mod(t, 0.5 s)/(0.5 s)", 25}, {"10 N*mod(-t, 0.5 s)/(0.5 s)", 25}};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
            char text[1024];
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 5 s, step: 1 ms}\nbodies: {b: {mass: 1 kg, %s}}\nloads: {push: {body: b, x: \"%s\"}}\n"
                     "probes: {v: {body: b, quantity: vx}}\n",
                     dimension, dimension == 3 ? "inertia_tensor: [1, 1, 1, 0, 0, 0]" : "inertia: 1", CASE[i].force);
            lab l = open_lab(text, 1);
            (void)lab_run(&l, 5);
            CHECK_CLOSE(lab_probe(&l, "v"), CASE[i].momentum, 1e-9);
            close_lab(&l);
        }
        char text[1024];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 5 s, step: 1 ms}\nbodies: {b: {kind: imposed, motion: {x: \"3 m*mod(t, 0.5 s)/(1 s)\"}}}\n"
                 "probes: {v: {body: b, quantity: vx}, x: {body: b}}\n",
                 dimension);
        lab l = open_lab(text, 1);
        (void)lab_run(&l, 0.7);
        CHECK_CLOSE(lab_probe(&l, "v"), 3.0, 1e-12);
        CHECK_CLOSE(lab_probe(&l, "x"), 0.6, 1e-9);
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(what_comes_again);
    RUN(set_and_released);
    RUN(wherever_functions_stand);
    RUN(units);
    RUN(controller);
    RUN(servo_of_a_scene);
    RUN(stages_of_inputs);
    RUN(cut_in_two);
    RUN(two_worlds);
    RUN(mistakes);
    return TEST_RESULT;
}
