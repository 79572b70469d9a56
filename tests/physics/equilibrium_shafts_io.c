/* A start in equilibrium of what has no mass, and of forces that read probes (theory §4.7), in the plane and in space, against statics: an elastic shaft
 * between a moment and a brake, a drum that oil holds, a spring whose law reads where it is; and what is in none. */
#include "base/math.h"
#include "lab.h"

static const double G = 9.81;

static void write_scene(char *text, size_t size, int dimension, const char *rest)
{
    (void)snprintf(text, size, "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 10 s, step: 1 ms}\nstart: {equilibrium: true}\n%s", dimension,
                   dimension == 3 ? ", 0" : "", rest);
}

static lab open_scene(int dimension, const char *rest)
{
    char text[2000];
    write_scene(text, sizeof text, dimension, rest);
    return open_lab(text, 1);
}

/* How far a probe goes from where it starts, in a tenth of a second. */
static double way(lab *l, const char *probe)
{
    const double start = lab_probe(l, probe);
    double most = 0;
    while (talus_world_time(l->world) < 0.1) {
        (void)lab_step(l);
        most = fmax(most, fabs(lab_probe(l, probe) - start));
    }
    return most;
}

/* A moment of 50 N m on one of two shafts with 200 N m/rad between them, the other in a brake that holds 80 N m: wound by a quarter of a radian. The search
 * leaves 1e-4 of gravity, here rad/s²: 1e-3 N m of the first shaft, 5e-6 rad. */
TEST(an_elastic_shaft_on_a_brake)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_scene(dimension, "mechanisms:\n  m:\n    shafts: {a: {inertia: 1}, b: {inertia: 2}}\n"
                                      "    couplings: {c: {joints: [a, b], stiffness: 200}, brake: {joints: [b], friction: 80}}\n"
                                      "    forces: {load: {joint: a, constant: 50 N m}}\nprobes: {a: {joint: a}, b: {joint: b}}\n");
        CHECK_NEAR(lab_probe(&l, "a"), 0.25, 5e-6);
        CHECK(fabs(lab_probe(&l, "b")) <= 1e-9);
        CHECK(way(&l, "a") <= 2 * 5e-6);
        close_lab(&l);
    }
}

/* A frame of 1000 N m/rad carries a shaft that turns from the start, and a clutch that slips with 30 N m between it and one that a brake holds. What the first
 * shaft bears slows it down and is not balanced; its reaction is, by the frame: I_a ω̇ = −30 N m, k φ = 30 N m. Geared to another shaft of half its inertia that
 * turns twice as fast it slows down by 30/(2 + 4 · ½) rad/s², and the frame bears what both lose, 2 · 7.5 + ½ · 15 N m. Angles and speeds begin as the scene
 * says, to the bit. Then the frame stays where it is, for the clutch slips on. */
TEST(shafts_that_turn)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int geared = 0; geared < 2; geared++) {
            char text[2000];
            snprintf(text, sizeof text,
                     "mechanisms:\n  m:\n    bodies: {frame: {mass: 10, inertia: %s}}\n    joints: {frame: {type: revolute, parent: ground, child: frame}}\n"
                     "    shafts: {a: {on: frame, inertia: 2, speed: 80, angle: 0.3}, b: {on: frame, inertia: 1}%s}\n%s"
                     "    couplings: {clutch: {joints: [a, b], friction: 30}, brake: {joints: [b], friction: 80}}\n"
                     "    forces: {k: {joint: frame, stiffness: 1000}}\nprobes:\n  f: {joint: frame}\n  a: {joint: a}\n  va: {joint: a, quantity: velocity}\n"
                     "  vb: {joint: b, quantity: velocity}\n  brake: {coupling: brake, quantity: force}\n%s",
                     dimension == 2 ? "5" : "[5, 5, 5]", geared ? ", c: {on: frame, inertia: 0.5, angle: 0.6}" : "",
                     geared ? "    loops: {g: {type: gear, joints: [c, a], ratio: 2}}\n" : "", geared ? "  vc: {joint: c, quantity: velocity}\n" : "");
            lab l = open_scene(dimension, text);
            const double slower = geared ? 7.5 : 15, expected = geared ? 0.0225 : 0.03;
            if (geared) CHECK_NEAR(lab_probe(&l, "vc"), 160, 1e-9);
            CHECK_NEAR(lab_probe(&l, "f"), expected, 2e-5);
            CHECK(lab_probe(&l, "a") == 0.3 && lab_probe(&l, "va") == 80 && lab_probe(&l, "vb") == 0);
            CHECK_NEAR(fabs(lab_probe(&l, "brake")), 30, 1e-3);
            CHECK(way(&l, "f") <= 4e-5);
            CHECK_NEAR(lab_probe(&l, "va"), 80 - slower * 0.1, 1e-3);
            CHECK(fabs(lab_probe(&l, "vb")) <= 1e-9);
            close_lab(&l);
        }
}

/* What acts on a shaft of 80 rad/s, and the angle of its frame, of 1 kN m/rad with 50 N m on it, which has the reactions. Light shafts bear what would stop
 * them in a hundredth of a second; dampers and friction that creeps act by the speed; springs by the angles of the start; a drive that keeps the speed takes
 * what a clutch brakes with, from the frame. */
TEST(what_shafts_that_turn_bear)
{
    static const struct {
        const char *shafts, *acts, *force;
        double angle;
    } CASE[] = {
        {"a: {on: frame, inertia: 0.05, speed: 80}", "couplings: {rub: {joints: [a], friction: 200}}", "", (50 + 200) * 1e-3},
        {"a: {on: frame, inertia: 0.05, speed: 80}, c: {on: frame, inertia: 0.0125, speed: 160}",
         "couplings: {rub: {joints: [a], friction: 200}}\n    loops: {g: {type: gear, joints: [c, a], ratio: 2}}", "",
         (50 + 0.05 * 2000 + 0.0125 * 4000) * 1e-3},
        {"a: {on: frame, inertia: 2, speed: 80}, b: {on: frame, inertia: 1}",
         "couplings: {c: {joints: [a, b], damping: 1}, brake: {joints: [b], friction: 800}}", "", (50 + 80) * 1e-3},
        {"a: {on: frame, inertia: 2, speed: 80, angle: 0.4}, b: {on: frame, inertia: 1}",
         "couplings: {c: {joints: [a, b], stiffness: 50, damping: 1}, brake: {joints: [b], friction: 800}}", "", (50 + 20 + 80) * 1e-3},
        {"a: {on: frame, inertia: 2, speed: 80}, b: {on: frame, inertia: 1}", "couplings: {brake: {joints: [b], friction: 800}}",
         ", fr: {joint: a, friction: 30, friction_velocity: 160}", (50 + 15) * 1e-3},
        {"a: {on: frame, inertia: 2, speed: 80, angle: 0.2}, c: {on: frame, inertia: 1, speed: 80}, b: {on: frame, inertia: 1}",
         "couplings: {s: {joints: [a, c], stiffness: 50}, k: {joints: [c, b], friction: 30}, brake: {joints: [b], friction: 800}}", "", (50 + 30) * 1e-3},
        {"a: {on: frame, inertia: 2, speed: 80}, b: {on: a, inertia: 1}", "couplings: {k: {joints: [a], friction: 7}}", ", l: {joint: b, constant: 5}",
         (50 + 7) * 1e-3},
        {"a: {on: frame, inertia: 2, speed: 80}, b: {on: frame, inertia: 1}",
         "couplings: {c: {joints: [a, b], friction: 30}, brake: {joints: [b], friction: 800}}\n    drives: {d: {joint: a, speed: 80 rad/s, force: 50}}", "",
         50e-3},
    };
    for (int dimension = 2; dimension <= 3; dimension++)
        for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
            char text[2000];
            snprintf(text, sizeof text,
                     "mechanisms:\n  m:\n    bodies: {frame: {mass: 10, inertia: %s}}\n    joints: {frame: {type: revolute, parent: ground, child: frame}}\n"
                     "    shafts: {%s}\n    %s\n    forces: {k: {joint: frame, stiffness: 1000}, w: {joint: frame, constant: 50}%s}\n"
                     "probes: {f: {joint: frame}, a: {joint: a}, va: {joint: a, quantity: velocity}%s}\n",
                     dimension == 2 ? "5" : "[5, 5, 5]", CASE[i].shafts, CASE[i].acts, CASE[i].force, strstr(CASE[i].shafts, "b:") ? ", b: {joint: b}" : "");
            lab l = open_scene(dimension, text);
            CHECK_NEAR(lab_probe(&l, "f"), CASE[i].angle, 2e-5);
            CHECK(lab_probe(&l, "va") == 80);
            if (strstr(CASE[i].shafts, "b:")) CHECK(fabs(lab_probe(&l, "b")) <= 1e-9);
            (void)lab_step(&l);
            CHECK_NEAR(lab_probe(&l, "f"), CASE[i].angle, 2e-5);
            close_lab(&l);
        }
}

/* Rates of a planetary gear close to rounding: its carrier, held by a brake, is at rest with 1e-15 rad/s. */
TEST(rates_that_loops_round)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "mechanisms:\n  m:\n    bodies: {frame: {mass: 10, inertia: %s}, wheel: {mass: 5, inertia: %s}}\n"
                 "    joints: {frame: {type: revolute, parent: ground, child: frame}, wheel: {type: revolute, parent: frame, child: wheel, velocity: 0}}\n"
                 "    shafts: {sun: {on: frame, inertia: 2, speed: 83.7}, ring: {on: frame, inertia: 1}, idle: {on: frame, inertia: 0.2}}\n"
                 "    loops: {p: {type: planetary, joints: [sun, ring, wheel], ratio: 2.7}, g: {type: gear, joints: [ring, idle], ratio: 1.37}}\n"
                 "    couplings: {brake: {joints: [wheel], friction: 300}, rub: {joints: [ring], friction: 7}}\n"
                 "    forces: {k: {joint: frame, stiffness: 1000}}\nprobes: {f: {joint: frame}, w: {joint: wheel}}\n",
                 dimension == 2 ? "5" : "[5, 5, 5]", dimension == 2 ? "1" : "[1, 1, 1]");
        lab l = open_scene(dimension, text);
        CHECK(way(&l, "f") <= 4e-5);
        CHECK(fabs(lab_probe(&l, "w")) <= 1e-9);
        close_lab(&l);
    }
}

/* The pump of an engine that idles gives nothing before the run begins: a shut line keeps the pressure that it is given, and 100 kg stand on another. In the
 * first step the pump fills its line by what it displaces, D ω h of a stiffness K/V. */
TEST(a_pump_that_turns)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int way = -1; way <= 1; way += 2) {
            char text[2000];
            snprintf(text, sizeof text,
                     "mechanisms:\n  m:\n    bodies: {load: {mass: 100}}\n    joints: {lift: {type: prismatic, parent: ground, child: load, axis: [0, 1%s]}}\n"
                     "    shafts: {e: {inertia: 1, speed: %d}}\n"
                     "hydraulics:\n  c:\n    lines: {p: {volume: 2 l, pressure: 10 MPa}}\n    cylinders: {ram: {joint: lift, bore: 50 mm, stroke: [-0.2, 0.5], "
                     "dead_volume: 0.1 l, pressure: [5 bar, 0], single_acting: true}}\n"
                     "    motors: {pump: {joint: e, from: tank, to: p, displacement: 20 cm^3/turn}}\n"
                     "probes: {p: {pressure: p}, ram: {pressure: ram.cap}, e: {joint: e}}\n",
                     dimension == 3 ? ", 0" : "", 80 * way);
            lab l = open_scene(dimension, text);
            const double area = 0.25 * TL_PI * 0.05 * 0.05;
            CHECK_NEAR(lab_probe(&l, "p"), 10e6, 1);
            CHECK_NEAR(lab_probe(&l, "ram"), 100 * G / area, 1e-3 * 100 * G / area);
            CHECK(lab_probe(&l, "e") == 0);
            (void)lab_step(&l);
            const double given = 20e-6 / (2 * TL_PI) * 80 * 1e-3, rise = (lab_probe(&l, "p") - 10e6) * way;
            CHECK(rise > 1e9 * given / 2e-3 && rise < 2e9 * given / 2e-3); /* oil of 1 to 2 GPa */
            close_lab(&l);
        }
}

/* A drum with 50 N m on a motor of 50 cm³ a turn, on a shut line of 0.2 l: p Q = 50 N m a radian, with what the line has taken in at a pressure that grows to
 * p. */
TEST(a_drum_that_oil_holds)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_scene(dimension, "mechanisms: {m: {shafts: {drum: {inertia: 1}}, forces: {load: {joint: drum, constant: -50 N m}}}}\n"
                                      "hydraulics:\n  c:\n    lines: {p: {volume: 0.2 l, pressure: 0}}\n"
                                      "    motors: {w: {joint: drum, from: p, to: tank, displacement: 50 cm^3/turn}}\n"
                                      "probes: {a: {joint: drum}, p: {pressure: p}}\n");
        const double per_radian = 50e-6 / (2 * TL_PI), expected = 50 / per_radian;
        CHECK_NEAR(lab_probe(&l, "p"), expected, 0.01 * expected); /* what oil gives in a line of given volume is of this order: p/K */
        CHECK(way(&l, "a") <= 1e-6);
        close_lab(&l);
    }
}

/* Nothing holds them: an error, and not a start. */
TEST(shafts_that_nothing_holds)
{
    static const char *const SCENE[] = {"mechanisms: {m: {shafts: {a: {inertia: 1}}, forces: {l: {joint: a, constant: 50 N m}}}}\n",
                                        "mechanisms: {m: {shafts: {a: {inertia: 1}}, couplings: {brake: {joints: [a], friction: 40}}, "
                                        "forces: {l: {joint: a, constant: 50 N m}}}}\n"};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int i = 0; i < 2; i++) {
            char text[2000], moment[64];
            write_scene(text, sizeof text, dimension, SCENE[i]);
            (void)snprintf(moment, sizeof moment, "moment that nothing balances, %d N m", i == 0 ? 50 : 10);
            talus_world *world;
            talus_scene *scene = load_lab(text);
            CHECK(talus_scene_build(scene, 1, &world) == TALUS_DIVERGED && !world);
            const char *says = talus_scene_mistake(scene, 0);
            CHECK(strstr(says, moment) && strstr(says, "shaft 'a'") && strstr(says, "rad/s²"));
            talus_scene_destroy(scene);
        }
}

/* A weight on a spring, with 500 N/m more by a law that reads where it is: it hangs where both carry it, and the first steps see that, too. */
TEST(a_law_that_reads_a_probe)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char rest[1000];
        (void)snprintf(rest, sizeof rest,
                       "mechanisms: {m: {bodies: {b: {mass: 10, inertia: 1}}, joints: {s: {type: prismatic, parent: ground, child: b, axis: [0, 1%s]}}, "
                       "forces: {k: {joint: s, stiffness: 1000, law: \"-500 N/m*probe.q\"}}}}\nprobes: {q: {joint: s}}\n",
                       dimension == 3 ? ", 0" : "");
        lab l = open_scene(dimension, rest);
        CHECK_NEAR(lab_probe(&l, "q"), -10 * G / 1500, 10 * 1e-4 * G / 1000);
        CHECK(way(&l, "q") <= 2 * 10 * 1e-4 * G / 1000);
        close_lab(&l);
    }
}

/* A link without mass that has a shape is no shaft: its passes stop at the post that is in its way, and it leans there on its spring. */
TEST(an_arm_without_mass)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char rest[1200];
        const bool flat = dimension == 2;
        (void)snprintf(rest, sizeof rest,
                       "materials: {s: {density: 1000 kg/m^3}}\nbodies: {post: {kind: fixed, material: s, position: [0.627036, 0.64562%s], shapes: [{%s: "
                       "{radius: 0.03}}]}}\n"
                       "mechanisms: {m: {bodies: {b: {mass: 0, %s, material: s, shapes: [{%s: {from: [0.1, 0%s], to: [1, 0%s], radius: 0.01}}]}}, "
                       "joints: {s: {type: revolute, parent: ground, child: b%s}}, forces: {k: {joint: s, stiffness: 100, free: 2.5}}}}\n"
                       "probes: {a: {joint: s}, f: {contact_force: post}}\n",
                       flat ? "" : ", 0", flat ? "disk" : "sphere", flat ? "inertia: 1" : "inertia: [1, 1, 1]", flat ? "segment" : "capsule", flat ? "" : ", 0",
                       flat ? "" : ", 0", flat ? "" : ", axis: [0, 0, 1]");
        lab l = open_scene(dimension, rest);
        const double at = atan2(0.64562, 0.627036), far = hypot(0.64562, 0.627036), leans = at - asin(0.04 / far);
        CHECK_NEAR(lab_probe(&l, "a"), leans, 1e-4);
        (void)lab_step(&l);
        CHECK_NEAR(lab_probe(&l, "f"), 100 * (2.5 - leans) / (far * cos(at - leans)), 0.1);
        close_lab(&l);
    }
}

/* What falls is the cart, and not the rotor on it, which does not turn. */
TEST(a_rotor_on_a_cart_that_falls)
{
    char text[1000];
    talus_world *world;
    write_scene(text, sizeof text, 2,
                "mechanisms:\n  m:\n    bodies: {cart: {mass: 2, inertia: 1}}\n"
                "    joints: {y: {type: prismatic, parent: ground, child: cart, axis: [0, 1]}}\n    shafts: {rotor: {inertia: 5, on: cart}}\n");
    talus_scene *scene = load_lab(text);
    CHECK(talus_scene_build(scene, 1, &world) == TALUS_DIVERGED && !world);
    CHECK(strstr(talus_scene_mistake(scene, 0), "body 'cart' has the largest force that nothing balances, 19.62 N") != NULL);
    talus_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    RUN(an_elastic_shaft_on_a_brake);
    RUN(shafts_that_turn);
    RUN(what_shafts_that_turn_bear);
    RUN(rates_that_loops_round);
    RUN(a_pump_that_turns);
    RUN(a_drum_that_oil_holds);
    RUN(shafts_that_nothing_holds);
    RUN(a_law_that_reads_a_probe);
    RUN(an_arm_without_mass);
    RUN(a_rotor_on_a_cart_that_falls);
    return TEST_RESULT;
}
