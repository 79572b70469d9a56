/* Motors, drives whose greatest force depends on the speed; grips that fall with the speed of sliding; belts and chains. In the plane and in space. */
#include "lab.h"

static lab open_motor(int dimension, double h, const char *parts)
{
    static char text[24000];
    snprintf(text, sizeof text, "dimension: %d\ngravity: %s\ntime: {end: 100 s, step: %.17g s}\nmechanisms:\n  m:\n%s", dimension,
             dimension == 2 ? "[0, 0]" : "[0, 0, 0]", h, parts);
    return open_lab(text, 1);
}

static double speed_of(const lab *l, const char *joint) { return talus_joint_velocity(l->world, talus_joint_find(l->world, joint), 0); }
static double angle_of(const lab *l, const char *joint) { return talus_joint_position(l->world, talus_joint_find(l->world, joint), 0); }

/* A launch with 60 N m up to 20 rad/s and then with constant power, P = 1200 W, as a table of 400 rows has it: ω = 60 t/J, from t1 on ω² = ω1² + 2 P (t −
 * t1)/J. The moment is that of where the step begins: the error falls with the step. At the wanted speed it holds. */
TEST(constant_power)
{
    static char parts[20000];
    int n = snprintf(parts, sizeof parts, "    shafts: {a: {inertia: 2, speed: 0}}\n    drives: {m: {joint: a, speed: 80 rad/s, force: {speed: [0");
    for (int i = 0; i <= 400; i++) n += snprintf(parts + n, sizeof parts - (size_t)n, ", %.17g", 20 + 0.25 * i);
    n += snprintf(parts + n, sizeof parts - (size_t)n, "], force: [60");
    for (int i = 0; i <= 400; i++) n += snprintf(parts + n, sizeof parts - (size_t)n, ", %.17g", 1200 / (20 + 0.25 * i));
    snprintf(parts + n, sizeof parts - (size_t)n, "]}}}\n");
    for (int dimension = 2; dimension <= 3; dimension++) {
        double off[2];
        for (int half = 0; half < 2; half++) {
            lab l = open_motor(dimension, half ? 5e-3 : 1e-2, parts);
            const double t1 = 20 * 2 / 60.0;
            lab_run(&l, 0.6);
            CHECK_NEAR(speed_of(&l, "a"), 60 / 2.0 * 0.6, 1e-9);
            lab_run(&l, 4);
            off[half] = fabs(speed_of(&l, "a") - sqrt(400 + 2 * 1200 / 2.0 * (4 - t1)));
            lab_run(&l, 8);
            CHECK_NEAR(speed_of(&l, "a"), 80, 1e-9);
            close_lab(&l);
        }
        CHECK(off[0] < 0.1);
        CHECK_NEAR(off[0] / off[1], 2, 0.2);
    }
}

/* Stall: a load above what the motor has at rest is not moved, held by a brake; one that is less goes on, to where the falling line 50 − 0.5 ω is the load. A
 * motor that is turned faster than it wants brakes with as much as it has there; of a slide, forces and velocities. */
TEST(stall_and_line)
{
    for (int k = 0; k < 4; k++) {
        const double load = k % 2 ? 60 : 30;
        char parts[500];
        snprintf(parts, sizeof parts,
                 "    shafts: {a: {inertia: 0.2, speed: 0}}\n    drives: {m: {joint: a, speed: 95, force: {speed: [0, 100], force: [50, 0]}}}\n"
                 "    couplings: {load: {joints: [a], friction: %g}}\n",
                 load);
        lab l = open_motor(k > 1 ? 3 : 2, 2e-3, parts);
        lab_run(&l, 20);
        CHECK_NEAR(speed_of(&l, "a"), k % 2 ? 0 : 40, 1e-6);
        close_lab(&l);
    }
    lab l = open_motor(2, 1e-3,
                       "    bodies: {b: {mass: 2}}\n    joints: {j: {type: prismatic, parent: ground, child: b, velocity: 9}}\n"
                       "    drives: {m: {joint: j, speed: 1 m/s, force: {speed: [0, 10 m/s], force: [40, 40]}}}\n");
    lab_run(&l, 0.2);
    CHECK_NEAR(speed_of(&l, "j"), 9 - 20 * 0.2, 1e-9);
    close_lab(&l);
}

/* The same between any two bodies: a wheel of 0.2 kg m² on a joint to a frame of 0.8 kg m² that is free to turn, with a motor of 50 − 0.5 ω N m of the speed ω
 * between them as each step begins. ω_{n+1} = ω_n + h W (50 − 0.5 ω_n), W = 1/0.2 + 1/0.8; of a slide alike. */
TEST(between_bodies)
{
    for (int k = 0; k < 4; k++) {
        const bool slides = k > 1;
        const int dimension = k % 2 ? 3 : 2;
        const char *at = dimension == 2 ? "[0, 0]" : "[0, 0, 0]", *inertia = dimension == 2 ? "inertia: %g" : "inertia_tensor: [%g, %g, %g]";
        char text[1500], one[60], two[60];
        snprintf(one, sizeof one, inertia, 0.2, 0.2, 0.2);
        snprintf(two, sizeof two, inertia, 0.8, 0.8, 0.8);
        snprintf(text, sizeof text,
                 "dimension: %d\ngravity: %s\ntime: {end: 9 s, step: 2 ms}\nsolver: {tolerance: 1e-12 m/s}\nbodies: {frame: {mass: 0.8, %s}, wheel: {mass: "
                 "0.2, %s}}\n"
                 "joints: {hub: {type: %s, bodies: [frame, wheel]%s, %s: {speed: 95, force: {speed: [0, 100], force: [50, 0]}}}}\n"
                 "probes: {v: {body_joint: hub.%s, quantity: velocity}, F: {body_joint: hub.%s, quantity: force}}\n",
                 dimension, at, two, one, slides ? "prismatic" : "revolute", slides ? (dimension == 2 ? ", axis: [1, 0]" : ", axis: [1, 0, 0]") : "",
                 slides ? "slide" : "angle", slides ? "slide" : "angle", slides ? "slide" : "angle");
        lab l = open_lab(text, 1);
        const double W = 1 / 0.2 + 1 / 0.8;
        double v = 0;
        for (int n = 0; n < 300; n++) {
            const double most = 50 - 0.5 * v;
            v += 2e-3 * W * most;
            lab_step(&l);
            CHECK_NEAR(lab_probe(&l, "v"), v, 1e-7);
            CHECK_NEAR(lab_probe(&l, "F"), most, 1e-6);
        }
        close_lab(&l);
    }
}

/* A grip that falls with the speed of sliding, 10 (1 − ẋ/40) N m, between flywheels, J0 turning with 20 rad/s more: ẋ' = −W 10 (1 − ẋ/40), an exponential away
 * from 40; where the step begins, so of order 1. It sticks with all of its grip, and then holds. */
TEST(slide)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double W = 1 / 0.5 + 1 / 0.25, rate = 10 * W / 40, t = 0.3;
        double off[2];
        for (int half = 0; half < 2; half++) {
            lab l = open_motor(dimension, half ? 1e-3 : 2e-3,
                               "    shafts: {a: {inertia: 0.5, speed: 25}, b: {inertia: 0.25, speed: 5}}\n"
                               "    couplings: {c: {joints: [a, b], friction: 10 N m, slide: {speed: [0, 40 rad/s], factor: [1, 0]}}}\n");
            lab_run(&l, t);
            off[half] = fabs(speed_of(&l, "a") - speed_of(&l, "b") - (40 - 20 * exp(rate * t)));
            CHECK_NEAR(0.5 * speed_of(&l, "a") + 0.25 * speed_of(&l, "b"), 0.5 * 25 + 0.25 * 5, 1e-9);
            lab_run(&l, 2);
            CHECK_NEAR(speed_of(&l, "a") - speed_of(&l, "b"), 0, 1e-9);
            close_lab(&l);
        }
        CHECK(off[0] < 0.1);
        CHECK_NEAR(off[0] / off[1], 2, 0.2);
    }
}

/* An elastic belt of 2000 N/m over pulleys of 0.1 and 0.3 m: x = r1 φ1 ∓ r2 φ2 swings with ω² = k (r1²/J1 + r2²/J2) about its length, and the moments are r
 * times the pull; crossed, the second pulley turns the other way. */
TEST(elastic_belt)
{
    for (int k = 0; k < 4; k++) {
        const bool crossed = k % 2;
        const double J1 = 0.01, J2 = 0.2, w = sqrt(2000 * (0.01 / J1 + 0.09 / J2)), t = 0.2, side = crossed ? -1 : 1;
        double off[2];
        for (int half = 0; half < 2; half++) {
            char parts[600];
            snprintf(parts, sizeof parts,
                     "    shafts: {a: {inertia: 0.01, speed: 6}, b: {inertia: 0.2, speed: 0}}\n"
                     "    couplings: {belt: {joints: [a, b], radii: [10 cm, 30 cm], crossed: %s, stiffness: 2000 N/m}}\nprobes: {x: {coupling: belt}, F: "
                     "{coupling: belt, quantity: force}}\n",
                     crossed ? "true" : "false");
            lab l = open_motor(k > 1 ? 3 : 2, half ? 2.5e-4 : 5e-4, parts);
            lab_run(&l, t);
            off[half] = fabs(lab_probe(&l, "x") - 0.6 / w * sin(w * t));
            CHECK_NEAR(lab_probe(&l, "x"), 0.1 * angle_of(&l, "a") - side * 0.3 * angle_of(&l, "b"), 1e-12);
            CHECK_NEAR(side * 0.3 * J1 * speed_of(&l, "a") + 0.1 * J2 * speed_of(&l, "b"), side * 0.3 * J1 * 6, 1e-11);
            close_lab(&l);
        }
        CHECK(off[0] < 0.05 * 0.6 / w);
        CHECK(off[1] < 0.6 * off[0]);
    }
}

/* One that slips at 50 N, 2 T0 (e^{μβ} − 1)/(e^{μβ} + 1) of a belt of strands tightened to T0: under 8 N m at the first pulley 5 N m are more than it holds. */
TEST(slipping_belt)
{
    for (int k = 0; k < 4; k++) {
        const bool slips = k % 2;
        const double T = slips ? 20 : 4, J1 = 0.01, J2 = 0.2, t = 0.25;
        char parts[600];
        snprintf(parts, sizeof parts,
                 "    shafts: {a: {inertia: 0.01, speed: 0}, b: {inertia: 0.2, speed: 0}}\n    forces: {f: {joint: a, constant: %g}}\n"
                 "    couplings: {belt: {joints: [a, b], radii: [10 cm, 30 cm], friction: 50 N}}\n",
                 T);
        lab l = open_motor(k > 1 ? 3 : 2, 1e-3, parts);
        lab_run(&l, t);
        const double both = T / (J1 + J2 / 9) * t; /* as one by the gear 3 */
        CHECK_NEAR(speed_of(&l, "a"), slips ? (T - 5) / J1 * t : both, 1e-6);
        CHECK_NEAR(speed_of(&l, "b"), slips ? 15 / J2 * t : both / 3, 1e-6);
        close_lab(&l);
    }
}

static void refuse(const char *parts, const char *what)
{
    char text[1500];
    snprintf(text, sizeof text,
             "gravity: [0, 0]\ntime: {end: 1 s, step: 5 ms}\nmechanisms:\n  m:\n    shafts: {a: {inertia: 1}, b: {inertia: 1}}\n    bodies: {s: {mass: 1}}\n"
             "    joints: {slide: {type: prismatic, parent: ground, child: s}}\n    %s\n",
             parts);
    talus_scene *scene = load_lab(text);
    talus_world *w = NULL;
    if (talus_scene_mistake_count(scene) == 0) (void)!talus_scene_build(scene, 1, &w);
    if (w || talus_scene_mistake_count(scene) == 0) TEST_FAIL("%s is taken", parts);
    if (talus_scene_mistake_count(scene) > 0 && !strstr(talus_scene_mistake(scene, 0), what)) TEST_FAIL("%s: %s", parts, talus_scene_mistake(scene, 0));
    talus_world_destroy(w);
    talus_scene_destroy(scene);
}

TEST(mistakes)
{
    refuse("drives: {d: {joint: a, speed: 1, force: {speed: [0, 1], force: [1]}}}", "as many");
    refuse("drives: {d: {joint: a, speed: 1, force: {speed: [1, 0], force: [1, 1]}}}", "ascend");
    refuse("drives: {d: {joint: a, speed: 1, force: {speed: [0, 1], force: [1, -1]}}}", "negative");
    refuse("drives: {d: {joint: slide, speed: 1, force: {speed: [0, 1 rad/s], force: [1, 1]}}}", "velocity");
    refuse("drives: {d: {joint: a, speed: 1, force: -1}}", "0 or more");
    refuse("couplings: {c: {joints: [a, b], friction: 1, slide: {speed: [0, 1]}}}", "'factor' is missing");
    refuse("couplings: {c: {joints: [a, b], radii: [1], stiffness: 1}}", "two pulleys");
    refuse("couplings: {c: {joints: [a, b], radii: [1, 2], factors: [1, 2], stiffness: 1}}", "two pulleys");
    refuse("couplings: {c: {joints: [a, b], crossed: true, stiffness: 1}}", "two pulleys");
    refuse("couplings: {c: {joints: [a, b], radii: [1, 0], stiffness: 1}}", "positive");
    refuse("couplings: {c: {joints: [a, slide], radii: [1, 1], stiffness: 1}}", "a length");
    refuse("couplings: {c: {joints: [a, b], radii: [1, 2]}}", "type gear");
    refuse("couplings: {c: {joints: [a, b], radii: [1, 2], stiffness: 3 N m/rad}}", "stiffness");
}

int main(int argc, char **argv)
{
    RUN(constant_power);
    RUN(stall_and_line);
    RUN(between_bodies);
    RUN(slide);
    RUN(elastic_belt);
    RUN(slipping_belt);
    RUN(mistakes);
    return TEST_RESULT;
}
