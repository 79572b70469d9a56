/* Shafts as one line (talus/driveline.h): a link without mass of inertia J about its axis and J/2 across, on a revolute joint, which loops, couplings, forces,
 * laws, drives, bodies and probes name. */
#include "lab.h"

static lab open_shafts(int dimension, const char *mechanism)
{
    char text[3000];
    snprintf(text, sizeof text, "dimension: %d\ngravity: %s\ntime: {end: 20 s, step: 2 ms}\nmechanisms:\n  m:\n%s", dimension,
             dimension == 2 ? "[0, 0]" : "[0, 0, 0]", mechanism);
    return open_lab(text, 1);
}

static double angle_of(const lab *l, const char *joint) { return talus_joint_position(l->world, talus_joint_find(l->world, joint), 0); }
static double speed_of(const lab *l, const char *joint) { return talus_joint_velocity(l->world, talus_joint_find(l->world, joint), 0); }

/* Angle and speed at the start, and those under a moment: φ = φ0 + ω t + T t²/2J, which the midpoint rule has exactly. */
TEST(turns)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double t = 0.5, J = 0.6, T = 9;
        lab l = open_shafts(
            dimension, dimension == 2 ? "    shafts: {crank: {inertia: 0.6 kg m^2, angle: 30 deg, speed: 60 rpm, at: [1, 2]}}\n"
                                        "    forces: {f: {joint: crank, constant: 9 N m}}\n"
                                      : "    shafts: {crank: {on: ground, axis: [1, 2, 2], inertia: 0.6 kg m^2, angle: 30 deg, speed: 60 rpm, at: [1, 2, 0]}}\n"
                                        "    forces: {f: {joint: crank, constant: 9 N m}}\n");
        lab_run(&l, t);
        const double w = 2 * acos(-1), a = acos(-1) / 6;
        CHECK_NEAR(speed_of(&l, "crank"), w + T / J * t, 1e-10);
        CHECK_NEAR(angle_of(&l, "crank"), a + w * t + 0.5 * T / J * t * t, 1e-10);
        double kinetic, potential, position[3], quat[4];
        talus_world_energy(l.world, &kinetic, &potential);
        CHECK_CLOSE(kinetic, 0.5 * J * speed_of(&l, "crank") * speed_of(&l, "crank"), 1e-12);
        talus_body_pose(l.world, talus_body_find(l.world, "crank"), position, quat);
        CHECK_NEAR(position[0], 1, 1e-12);
        CHECK_NEAR(position[1], 2, 1e-12);
        close_lab(&l);
    }
}

/* Across its axis it has J/2: a frame that turns about z with a shaft along x, at rest or not, accelerates with T/(I + J/2). */
TEST(across)
{
    for (int spins = 0; spins < 2; spins++) {
        char text[600];
        snprintf(text, sizeof text,
                 "    bodies: {frame: {mass: 1, inertia: [1, 1, 0.2]}}\n    shafts: {s: {on: frame, axis: [2, 0, 0], inertia: 0.5, speed: %d}}\n"
                 "    joints: {turn: {type: revolute, parent: ground, child: frame, axis: [0, 0, 1]}}\n    forces: {f: {joint: turn, constant: 3}}\n",
                 spins ? 40 : 0);
        lab l = open_shafts(3, text);
        lab_run(&l, 0.4);
        CHECK_NEAR(speed_of(&l, "turn"), 3 / (0.2 + 0.25) * 0.4, 1e-9);
        CHECK_NEAR(speed_of(&l, "s"), spins ? 40 : 0, 1e-9);
        close_lab(&l);
    }
}

/* A brake between shaft and frame, which is free to turn: they end together, with the angular momentum that there was. The frame feels what acts on the shaft.
 */
TEST(on_a_body)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double I = 0.4, J = 0.1, w = 30;
        lab l = open_shafts(dimension, dimension == 2 ? "    bodies: {frame: {mass: 1, inertia: 0.4}}\n    shafts: {s: {on: frame, inertia: 0.1, speed: 30}}\n"
                                                        "    joints: {turn: {type: revolute, parent: ground, child: frame, velocity: 0}}\n"
                                                        "    couplings: {brake: {joints: [s], friction: 4}}\n"
                                                      : "    bodies: {frame: {mass: 1, inertia: 0.4}}\n    shafts: {s: {on: frame, inertia: 0.1, speed: 30}}\n"
                                                        "    joints: {turn: {type: revolute, parent: ground, child: frame, axis: [0, 0, 1], velocity: 0}}\n"
                                                        "    couplings: {brake: {joints: [s], friction: 4}}\n");
        lab_run(&l, 0.2);
        CHECK_NEAR(speed_of(&l, "turn"), 4 / I * 0.2, 1e-9);
        CHECK_NEAR(I * speed_of(&l, "turn") + J * (speed_of(&l, "turn") + speed_of(&l, "s")), J * w, 1e-10);
        lab_run(&l, 2);
        CHECK_NEAR(speed_of(&l, "s"), 0, 1e-9);
        CHECK_NEAR(speed_of(&l, "turn"), J * w / (I + J), 1e-9);
        close_lab(&l);
    }
}

/* Gears, drives, laws, states and bodies go by the shafts' names: a gear of 3, of which a drive turns one side and the other carries a wheel; the law of a
 * third shaft follows the speed of the second. */
TEST(named)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_shafts(dimension,
                            "    bodies: {wheel: {mass: 2, inertia: 0.5}}\n    shafts: {a: {inertia: 0.01}, b: {inertia: 0.02}, c: {inertia: 0.1, speed: 0}}\n"
                            "    joints: {hub: {type: fixed, parent: b, child: wheel}}\n    loops: {g: {type: gear, joints: [a, b], ratio: 3}}\n"
                            "    drives: {d: {joint: a, speed: 12 rad/s}}\n    forces: {f: {joint: c, law: 0.5 N m s/rad * (v.b - v)}}\n"
                            "    states: {turned: {unit: rad, rate: v.b}}\nprobes: {b: {joint: b}, turned: {state: turned}}\n");
        lab_run(&l, 1);
        CHECK_NEAR(speed_of(&l, "b"), 4, 1e-10);
        CHECK_NEAR(lab_probe(&l, "b"), 4, 1e-9);
        CHECK_NEAR(lab_probe(&l, "turned"), 4, 1e-9);
        CHECK_NEAR(speed_of(&l, "c"), 4 * (1 - exp(-5)), 4 * exp(-5) * 5 * 0.01 * 0.01); /* h²/12 τ² and as much again */
        close_lab(&l);
    }
}

static void refuse(const char *mechanism, const char *what)
{
    char text[1000];
    snprintf(text, sizeof text, "gravity: [0, 0]\ntime: {end: 1 s, step: 5 ms}\nmechanisms:\n  m: {%s}\n", mechanism);
    talus_scene *scene = load_lab(text);
    talus_world *w = NULL;
    if (talus_scene_mistake_count(scene) == 0) (void)!talus_scene_build(scene, 1, &w);
    CHECK(!w && talus_scene_mistake_count(scene) > 0);
    if (talus_scene_mistake_count(scene) > 0 && !strstr(talus_scene_mistake(scene, 0), what)) TEST_FAIL("%s: %s", mechanism, talus_scene_mistake(scene, 0));
    talus_world_destroy(w);
    talus_scene_destroy(scene);
}

TEST(mistakes)
{
    refuse("shafts: {a: {inertia: -1}}", "0 or more");
    refuse("shafts: {a: {}}", "'inertia' is missing");
    refuse("shafts: {a: {inertia: 1, axis: [1, 0, 0]}}", "for space");
    refuse("shafts: {a: {inertia: 1, on: nobody}}", "nobody");
    refuse("shafts: {a: {inertia: 1, on: b}, b: {inertia: 1}}", "put that one before it");
    refuse("shafts: {a: {inertia: 1, on: a}}", "on itself");
    refuse("shafts: {a: {inertia: 1, speed: 800 1/min}}", "rpm");
    refuse("shafts: {a: {inertia: 1}}, bodies: {a: {mass: 1}}, joints: {}", "two things named 'a'");
    refuse("shafts: {a: {inertia: 1}}, bodies: {b: {mass: 1}}, joints: {a: {type: revolute, parent: ground, child: b}}", "two things named 'a'");
    refuse("bodies: {b: {mass: 1}}", "'joints', or 'shafts'");
    refuse("springs: {}", "'joints', or 'shafts'");
    refuse("shafts: {a: {inertia: 0}}", "inertia");
}

/* What the language says, C says. */
TEST(defined_in_c)
{
    talus_world_def d = talus_world_def_default();
    talus_world *w = NULL;
    talus_mechanism_id m;
    talus_joint_id j;
    d.dimension = 3;
    CHECK_OK(talus_world_create(&d, &w, NULL, 0), "");
    CHECK_OK(talus_mechanism_create(w, "m", &m), talus_world_error(w));
    talus_shaft_def s = talus_shaft_def_default();
    CHECK(talus_shaft_create(w, m, &s, &j) == TALUS_INPUT);
    s.name = "s", s.inertia = 2, s.speed = 3, s.axis[0] = 4;
    CHECK_OK(talus_shaft_create(w, m, &s, &j), talus_world_error(w));
    CHECK(talus_shaft_create(w, m, &s, &j) == TALUS_INPUT);
    s.name = "t", s.axis[0] = s.axis[2] = 0;
    CHECK(talus_shaft_create(w, m, &s, &j) == TALUS_INPUT);
    for (int i = 0; i < 100; i++) CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
    CHECK_NEAR(talus_joint_position(w, talus_joint_find(w, "s"), 0), 0.3, 1e-12);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(turns);
    RUN(across);
    RUN(on_a_body);
    RUN(named);
    RUN(mistakes);
    RUN(defined_in_c);
    return TEST_RESULT;
}
