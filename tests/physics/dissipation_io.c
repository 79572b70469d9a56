/* What contacts take from the motion, by probe, in the plane and in space: all of what a block slides away, (1 − e²) of a blow, what a belt loses that drags a
 * block along, what rolling resistance stops, and in heaps and cells what the energies of everything have lost, step by step. */
#include "base/math.h"
#include "lab.h"
#include "talus/world.h"

static const double G = 9.81;

/* A scene with a floor and gravity against it, along y in the plane and along z in space: %s of both. */
typedef struct words {
    const char *gravity, *floor;
} words;

static words words_of(int dimension)
{
    if (dimension == 2) return (words){"[0, -9.81]", "half_plane: {point: [0, 0], normal: [0, 1]}"};
    return (words){"[0, 0, -9.81]", "half_space: {point: [0, 0, 0], normal: [0, 0, 1]}"};
}

#define PROBES                                                                                                                                                 \
    "probes:\n  D: {dissipation: all}\n  N: {dissipation: all, quantity: normal}\n  F: {dissipation: all, quantity: friction}\n"                               \
    "  R: {dissipation: all, quantity: rolling}\n  P: {dissipation: all, quantity: power}\n  E: {energy: total}\n"

static lab open_scene(int dimension, const char *interaction, const char *rest)
{
    char text[4000];
    const words w = words_of(dimension);
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 10 s, step: 1 ms}\ngravity: %s\nsolver: {tolerance: 1e-8 m/s, force_tolerance: 1e-9}\n"
             "materials: {s: {density: 1000 kg/m^3}}\ninteractions: [{%s}]\nbodies:\n  floor: {kind: fixed, material: s, shapes: [{%s}]}\n%s" PROBES,
             dimension, w.gravity, interaction, w.floor, rest);
    return open_lab(text, 1);
}

/* 2 m/s, μ = 0.3: all of ½ m v² goes by friction, μ m g v of it in a second at the start; nothing goes any more once it stands. */
TEST(a_block_slides)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_scene(dimension, "friction: 0.3",
                           dimension == 2 ? "  b: {material: s, position: [0, 0.05], velocity: [2, 0], shapes: [{box: {size: [0.2, 0.1]}}]}\n"
                                          : "  b: {material: s, position: [0, 0, 0.05], velocity: [1.2, 1.6, 0], shapes: [{box: {size: [0.2, 0.2, 0.1]}}]}\n");
        const double mass = dimension == 2 ? 20 : 4;
        (void)lab_step(&l);
        CHECK_NEAR(lab_probe(&l, "P"), 0.3 * mass * G * (2 - 0.5 * 0.3 * G * 1e-3), 1e-3 * mass);
        (void)lab_run(&l, 1);
        CHECK_NEAR(lab_probe(&l, "F"), 0.5 * mass * 4, 1e-5 * mass);
        CHECK_NEAR(lab_probe(&l, "D"), 0.5 * mass * 4, 1e-5 * mass);
        CHECK(fabs(lab_probe(&l, "P")) <= 1e-9 && lab_probe(&l, "R") == 0);
        close_lab(&l);
    }
}

/* e = 0.6 from 1 m: the first blow takes (1 − e²) of what it falls with; so do the others, which ends with m g times the height. */
TEST(a_ball_bounces)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_scene(dimension, "friction: 0.3, restitution: 0.6",
                           dimension == 2 ? "  b: {material: s, position: [0, 1.05], shapes: [{disk: {radius: 0.05}}]}\n"
                                          : "  b: {material: s, position: [0, 0, 1.05], shapes: [{sphere: {radius: 0.05}}]}\n");
        const double mass = 1000 * (dimension == 2 ? TL_PI * 0.05 * 0.05 : 4 / 3.0 * TL_PI * 0.05 * 0.05 * 0.05), start = lab_probe(&l, "E");
        while (lab_probe(&l, "D") == 0) (void)lab_step(&l);
        CHECK_NEAR(lab_probe(&l, "N"), (1 - 0.36) * mass * G, 5e-3 * mass * G); /* within a step of the height */
        while (talus_world_time(l.world) < 4) {
            (void)lab_step(&l);
            CHECK_NEAR(start - lab_probe(&l, "E"), lab_probe(&l, "D"), 1e-6 * mass * G);
        }
        CHECK_NEAR(lab_probe(&l, "N"), mass * G, 2e-3 * mass * G);
        CHECK(fabs(lab_probe(&l, "F")) <= 1e-9 * mass);
        close_lab(&l);
    }
}

/* A belt of 1 m/s drags a block along: friction takes as much as the block gets, ½ m v², half of what the belt gives. */
TEST(a_belt)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_scene(dimension, "friction: 0.4",
                           dimension == 2
                               ? "  belt: {kind: imposed, material: s, position: [0, 0.05], motion: {x: \"1 m/s*t\"}, shapes: [{box: {size: [9, 0.1]}}]}\n"
                                 "  b: {material: s, position: [0, 0.15], shapes: [{box: {size: [0.2, 0.1]}}]}\n"
                               : "  belt: {kind: imposed, material: s, position: [0, 0, 0.05], motion: {x: \"1 m/s*t\"}, shapes: [{box: {size: [9, 1, "
                                 "0.1]}}]}\n  b: {material: s, position: [0, 0, 0.15], shapes: [{box: {size: [0.2, 0.2, 0.1]}}]}\n");
        const double mass = dimension == 2 ? 20 : 4, start = lab_probe(&l, "E");
        (void)lab_run(&l, 0.5);
        CHECK_NEAR(lab_probe(&l, "F"), 0.5 * mass, 1e-4 * mass);
        CHECK_NEAR(lab_probe(&l, "E") - start, 0.5 * mass, 1e-4 * mass);
        close_lab(&l);
    }
}

/* A ball that rolls without sliding until what resists its rolling has taken all its energy. */
TEST(a_ball_rolls)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_scene(dimension, "friction: 0.6, law: rolling, rolling: 5 mm",
                           dimension == 2
                               ? "  b: {material: s, position: [0, 0.1], velocity: [0.5, 0], angular_velocity: -5 rad/s, shapes: [{disk: {radius: 0.1}}]}\n"
                               : "  b: {material: s, position: [0, 0, 0.1], velocity: [0.5, 0, 0], spin: [0, 5 rad/s, 0], shapes: [{sphere: {radius: "
                                 "0.1}}]}\n");
        const double start = lab_probe(&l, "E"), mass = 1000 * (dimension == 2 ? TL_PI * 0.01 : 4 / 3.0 * TL_PI * 0.001);
        const double kinetic = 0.5 * mass * 0.25 * (1 + (dimension == 2 ? 0.5 : 0.4));
        (void)lab_run(&l, 1.5);
        CHECK_NEAR(lab_probe(&l, "R"), kinetic, 1e-3 * kinetic);
        CHECK(fabs(lab_probe(&l, "F")) <= 2e-3 * kinetic);
        CHECK_NEAR(start - lab_probe(&l, "E"), lab_probe(&l, "D"), 1e-5 * kinetic);
        close_lab(&l);
    }
}

/* Grains fall in a heap, sticking, sliding, rolling and bouncing: what all have lost is what contacts took, to what is gained where overlaps are taken back. */
TEST(a_heap)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_scene(
            dimension, "friction: 0.4, restitution: 0.3",
            dimension == 2 ? "grains: {g: {generator: lattice, rows: 6, columns: 5, spacing: 24 mm, jitter: 3 mm, origin: [0, 30 mm], material: s, radius: "
                             "{uniform: [8 mm, 10 mm]}}}\n"
                           : "grains: {g: {generator: lattice, layers: 4, rows: 4, columns: 3, spacing: 24 mm, jitter: 3 mm, origin: [0, 0, 30 mm], material: "
                             "s, radius: {uniform: [8 mm, 10 mm]}}}\n");
        const double start = lab_probe(&l, "E");
        double gained = 0;
        while (talus_world_time(l.world) < 0.5) {
            talus_step_report report;
            CHECK_OK(talus_world_step(l.world, &report), talus_world_error(l.world));
            bool over;
            CHECK_OK(talus_scene_advance(l.scene, l.world, &over), "");
            gained += report.drift_energy;
            CHECK_NEAR(start - lab_probe(&l, "E"), lab_probe(&l, "D") - gained, 1e-6 * start);
        }
        CHECK(lab_probe(&l, "D") > 0.3 * start && lab_probe(&l, "F") > 0.05 * start && lab_probe(&l, "N") > 0.05 * start);
        close_lab(&l);
    }
}

/* A sledge that is a link, in relative and in maximal coordinates, and one that is cut into elements: its sliding takes all that it has. */
TEST(what_is_no_grain)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int as = 0; as < 3; as++) {
            char rest[2000];
            const bool flat = dimension == 2;
            const char *size = flat ? "[0.2, 0.1]" : "[0.2, 0.2, 0.1]";
            if (as < 2)
                snprintf(rest, sizeof rest,
                         "mechanisms:\n  m:\n    coordinates: %s\n    bodies: {b: {mass: %d, inertia: %s, material: s, shapes: [{box: {size: %s}}]}}\n"
                         "    joints: {j: {type: %s, parent: ground, child: b, %s}}\n",
                         as ? "maximal" : "relative", flat ? 20 : 4, flat ? "1" : "[1, 1, 1]", size, flat ? "planar" : "free",
                         flat ? "position: {x: 0, y: 0.05, angle: 0}, velocity: {x: 2}" : "position: {z: 0.05}, velocity: {x: 2}");
            else
                snprintf(
                    rest, sizeof rest,
                    "solids: {b: {material: {young: 50 MPa, poisson: 0.2, density: 1000 kg/m^3}, box: {size: %s, elements: %s, at: %s}, velocity: %s, damping: "
                    "{stiffness: 1 ms}, contact: {surface: bottom, material: s}}}\n",
                    size, flat ? "[4, 2]" : "[4, 4, 2]", flat ? "[0, 0.1]" : "[0, 0, 0.1]", flat ? "[2, 0]" : "[2, 0, 0]");
            lab l = open_scene(dimension, "friction: 0.3", rest);
            const double mass = flat ? 20 : 4;
            (void)lab_run(&l, 1);
            CHECK_NEAR(lab_probe(&l, "F"), 0.5 * mass * 4, as < 2 ? 1e-5 * mass : 1e-2 * mass);
            close_lab(&l);
        }
}

/* A cell that is sheared without walls: contacts take what the stress works, but for the kinetic energy that comes and a few parts in a hundred that grains
 * carry themselves. */
TEST(a_sheared_cell)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[3000];
        const bool flat = dimension == 2;
        snprintf(text, sizeof text,
                 "dimension: %d\nperiodic: {x: [0, 20 mm], y: [0, 20 mm]%s, shear: {along: x, across: y, strain: 4/(1 s)*t}}\ntime: {end: 1 s, step: 0.2 ms}\n"
                 "solver: {tolerance: 0.1 mm/s, max_iterations: 500}\nmaterials: {g: {density: 2500}}\ninteractions: [{friction: 0.4, restitution: 0.3}]\n"
                 "grains: {g: {generator: fill, region: [[0, 0%s], [20 mm, 20 mm%s]], radius: {uniform: [%s]}, material: g, seed: 3}}\n"
                 "probes: {s: {stress: all, quantity: xy, region: [[0, 0%s], [20 mm, 20 mm%s]]}, D: {dissipation: all}, K: {energy: kinetic}}\n",
                 dimension, flat ? "" : ", z: [0, 10 mm]", flat ? "" : ", 0", flat ? "" : ", 10 mm", flat ? "0.8 mm, 1.2 mm" : "1.2 mm, 1.8 mm",
                 flat ? "" : ", 0", flat ? "" : ", 10 mm");
        lab l = open_lab(text, 1);
        (void)lab_run(&l, 0.05);
        const double taken = lab_probe(&l, "D"), kinetic = lab_probe(&l, "K"), volume = 0.02 * 0.02 * (flat ? 1 : 0.01);
        double work = 0;
        while (talus_world_time(l.world) < 0.25) {
            (void)lab_step(&l);
            work += fabs(lab_probe(&l, "s")) * 4 * volume * talus_world_step_size(l.world);
        }
        CHECK(work > 0);
        CHECK_NEAR(lab_probe(&l, "D") - taken + lab_probe(&l, "K") - kinetic, work, 0.1 * work);
        close_lab(&l);
    }
}

/* Two blocks slide, one of two groups and one alone: a group has its own contacts, a region those in it; the sum is of all. A world that goes on from half-way
 * comes to the same, to the bit. */
static const char TWO[] =
    "  b: {material: s, position: [3, 0.05], velocity: [1, 0], shapes: [{box: {size: [0.2, 0.1]}}]}\n"
    "grains: {g: {generator: lattice, rows: 1, columns: 1, spacing: 1, origin: [0, 0.05], material: s, radius: 50 mm, velocity: [2, 0]}}\n";

TEST(of_whom)
{
    char rest[2000];
    snprintf(rest, sizeof rest,
             "%sprobes:\n  g: {dissipation: g}\n  near: {dissipation: all, region: [[2, -1], [4, 1]]}\n  mean: {dissipation: all, quantity: power, over: "
             "0.1 s}\n",
             TWO);
    char text[4000];
    snprintf(text, sizeof text,
             "time: {end: 1 s, step: 1 ms}\ngravity: [0, -9.81]\nmaterials: {s: {density: 1000 kg/m^3}}\ninteractions: [{friction: 0.3}]\nbodies:\n"
             "  floor: {kind: fixed, material: s, shapes: [{half_plane: {point: [0, 0], normal: [0, 1]}}]}\n%s  D: {dissipation: all}\n",
             rest);
    lab l = open_lab(text, 1), other = open_lab(text, 1);
    (void)lab_run(&l, 0.1);
    lab_restore(&l, &other);
    CHECK_NEAR(lab_probe(&l, "mean"), lab_probe(&l, "D") / 0.1, 1e-9 * lab_probe(&l, "D") / 0.1);
    (void)lab_run(&l, 0.6), (void)lab_run(&other, 0.6);
    CHECK_NEAR(lab_probe(&l, "near"), 0.5 * 20, 1e-3);
    CHECK_NEAR(lab_probe(&l, "g"), 0.5 * 1000 * TL_PI * 0.0025 * 4 / 3, 0.02); /* a disk comes to roll with two thirds of its speed: a third goes */
    CHECK_NEAR(lab_probe(&l, "g") + lab_probe(&l, "near"), lab_probe(&l, "D"), 1e-9);
    CHECK(lab_probe(&l, "D") == lab_probe(&other, "D") && lab_probe(&l, "g") == lab_probe(&other, "g"));
    close_lab(&l), close_lab(&other);
}

TEST(refused)
{
    static const struct {
        const char *scheme, *probe, *says;
    } CASE[] = {
        {"spook", "{dissipation: all}", "the work of contacts is known under scheme 'moreau' only"},
        {"generalized_alpha", "{dissipation: all}", "the work of contacts is known under scheme 'moreau' only"},
        {"moreau", "{dissipation: all, region: [[0, 0], [1, 1]], cells: [2, 2]}", "no flow or dissipation"},
        {"moreau", "{dissipation: all, quantity: heat}", "normal"},
    };
    for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
        char text[1000];
        talus_world *world = NULL;
        snprintf(text, sizeof text,
                 "time: {end: 1 s, step: 1 ms}\nintegrator: {scheme: %s}\nmaterials: {s: {density: 1000}}\nbodies: {b: {material: s, shapes: [{disk: "
                 "{radius: 1}}]}}\nprobes: {D: %s}\n",
                 CASE[i].scheme, CASE[i].probe);
        talus_scene *scene = load_lab(text);
        CHECK(talus_scene_mistake_count(scene) > 0 || talus_scene_build(scene, 1, &world) != TALUS_OK);
        CHECK(!world && strstr(talus_scene_mistake(scene, 0), CASE[i].says));
        talus_scene_destroy(scene);
    }
}

int main(int argc, char **argv)
{
    RUN(a_block_slides);
    RUN(a_ball_bounces);
    RUN(a_belt);
    RUN(a_ball_rolls);
    RUN(a_heap);
    RUN(what_is_no_grain);
    RUN(a_sheared_cell);
    RUN(of_whom);
    RUN(refused);
    return TEST_RESULT;
}
