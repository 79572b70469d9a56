/* Contacts of solids of scenes, both ways: what lies on them weighs what it weighs, energy never grows, a bar leaves a wall after 2L/c. */
#include "solid_text.h"

#include <math.h>

static const double G = 9.81;

static double total_energy(const lab *l)
{
    double kinetic, potential;
    talus_world_energy(l->world, &kinetic, &potential);
    return kinetic + potential;
}

/* ---- soil that carries ---------------------------------------------------------------------------------------------------- */

/* A box of soil of 500 kg/m³, in space 40 × 40 × 20 cm, with a block of 2 kg above it, or a ball. */
static void put_soil(char text[ROOM], int dimension, const char *law, const char *damping, const char *contact)
{
    put(text,
        "dimension: %d\ntime: {end: 10 s, step: 1 ms}\nintegrator: {theta: 0.51}\nsolver: {tolerance: 1e-10}\ngravity: %s\nmaterials: {stone: {density: 2700}, "
        "soil: {density: 500}}\n",
        dimension, dimension == 2 ? "[0, -9.81]" : "[0, 0, -9.81]");
    put(text, "interactions: [{between: [stone, soil], %s}]\nsolids:\n  s:\n    box: {size: [40 cm, %s20 cm], elements: [8, %s4]}\n", law,
        dimension == 2 ? "" : "40 cm, ", dimension == 2 ? "" : "8, ");
    put(text, "    material: {density: 500, young: 100 kPa, poisson: 0.2}\n    fixed: bottom\n    start: settled\n    %s\n    contact: %s\n", damping, contact);
    for (int k = 0; k < 4; k++) {
        static const char *const PROBE[] = {"probes:\n  on: {contact_force: s, from: top", "  under: {resultant: s, on: bottom",
                                            "  dent: {displacement: s, on: top", "  v: {body: top"};
        put(text, "%s, quantity: %s%c}\n", PROBE[k], k == 3 ? "v" : "", LETTER[dimension - 1]);
    }
}

/* The soil carries its weight, and the foot that and the soil's own: means of half a second, which differ from the weight by the change of momentum; what
 * still swings in the soil by then is little. */
static void carries(int dimension, const char *contact, const char *shape)
{
    char text[ROOM] = "";
    const bool plane = dimension == 2;
    put_soil(text, dimension, "friction: 0.3", "damping: {mass: 30, stiffness: 2 ms}", contact);
    put(text, "bodies:\n  top:\n    mass: 2 kg\n    %s: 0.01 kg m^2\n    position: %s\n    shapes: [%s]\n", plane ? "inertia" : "inertia_tensor",
        plane ? "[5 mm, 5.5 cm]" : "[5 mm, 2 cm, 5.5 cm]", shape);
    lab l = open_lab(text, 1);
    const double before = lab_probe(&l, "dent"), soil = 500 * 0.4 * 0.2 * (plane ? 1 : 0.4);
    (void)lab_run(&l, 1);
    double v = lab_probe(&l, "v"), on = 0, under = 0;
    for (int k = 0; k < 500; k++) {
        (void)lab_step(&l);
        on += lab_probe(&l, "on") / 500, under += lab_probe(&l, "under") / 500;
    }
    v = lab_probe(&l, "v") - v;
    CHECK_CLOSE(on, -2 * (G + v / 0.5), 1e-9);
    CHECK_CLOSE(under, (2 + soil) * G, 1e-3);
    CHECK(lab_probe(&l, "dent") < before);
    close_lab(&l);
}

TEST(weight)
{
    carries(2, "{material: soil, as: nodes, surface: top}", "{box: {size: [12 cm, 10 cm], material: stone}}");
    carries(2, "{material: soil}", "{disk: {radius: 5 cm, material: stone}}");
    carries(2, "{material: soil, as: antagonist, surface: top}", "{box: {size: [12 cm, 10 cm], material: stone}}");
    carries(2, "{material: soil, as: both}", "{box: {size: [12 cm, 10 cm], material: stone}}");
    carries(3, "{material: soil, as: antagonist, surface: [top]}", "{box: {size: [12 cm, 12 cm, 10 cm], material: stone}}");
    carries(3, "{material: soil}", "{sphere: {radius: 5 cm, material: stone}}");
    carries(3, "{material: soil, as: nodes, surface: top}", "{box: {size: [12 cm, 12 cm, 10 cm], material: stone}}");
    carries(3, "{material: soil, as: both}", "{box: {size: [12 cm, 12 cm, 10 cm], material: stone}}");
}

/* Nothing damps: a ball jumps on the soil, and all energy together never grows by more than rounding. */
static void jumps(int dimension, const char *contact)
{
    char text[ROOM] = "";
    put_soil(text, dimension, "friction: 0.3", "damping: {}", contact);
    put(text, "bodies:\n  top:\n    position: %s\n    velocity: %s\n    shapes: [{%s: {radius: 6 cm, material: stone}}]\n",
        dimension == 2 ? "[1 cm, 8 cm]" : "[1 cm, 2 cm, 8 cm]", dimension == 2 ? "[0.2, -1]" : "[0.2, 0.1, -1]", dimension == 2 ? "disk" : "sphere");
    lab l = open_lab(text, 1);
    double last = total_energy(&l), largest = 0, touched = 0;
    const double scale = fabs(last) + 0.5;
    for (int k = 0; k < 600; k++) {
        (void)lab_step(&l);
        const double now = total_energy(&l);
        largest = fmax(largest, now - last), last = now;
        touched += lab_probe(&l, "on") < 0;
    }
    CHECK(largest < 1e-9 * scale);
    CHECK(touched > 10);
    close_lab(&l);
}

TEST(energy_never_grows)
{
    jumps(2, "{material: soil}");
    jumps(2, "{material: soil, as: antagonist}");
    jumps(3, "{material: soil}");
    jumps(3, "{material: soil, as: nodes}");
    jumps(3, "{material: soil, as: both, surface: top}");
}

/* What touches another part of the surface, or has no contacts with the soil's material, passes through. */
static void passes(int dimension, const char *law, const char *contact)
{
    char text[ROOM] = "";
    put_soil(text, dimension, law, "damping: {}", contact);
    put(text, "bodies: {top: {mass: 2 kg, %s: 0.01 kg m^2, position: %s, shapes: [{%s: {radius: 5 cm, material: stone}}]}}\n",
        dimension == 2 ? "inertia" : "inertia_tensor", dimension == 2 ? "[0, 6 cm]" : "[0, 0, 6 cm]", dimension == 2 ? "disk" : "sphere");
    lab l = open_lab(text, 1);
    (void)lab_run(&l, 0.1);
    CHECK_CLOSE(lab_probe(&l, "v"), -G * 0.1, 1e-9);
    close_lab(&l);
}

TEST(what_takes_part)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        passes(dimension, "friction: 0.3", "{material: soil, surface: [left, right]}");
        passes(dimension, "friction: 0.3", "{material: soil, as: nodes, surface: bottom}");
        passes(dimension, "enabled: false", "{material: soil}");
    }
}

/* ---- solids that meet others ---------------------------------------------------------------------------------------------- */

/* A bar of ν = 0 against a wall keeps touching for 2L/c and comes back with all but the energy of what strikes first, ½ m V², m = ρA √((Δx/2)² + (θ c h)²)
 * (theory §10.4). */
static void bounce(int dimension)
{
    static const double C = 1000, RHO_BAR = 1000, V = 2, SIZE = 1.0 / 50, WIDE = 0.1;
    const double h = 0.5 * SIZE / C, area = dimension == 2 ? WIDE : WIDE * WIDE;
    const char *wall = dimension == 2 ? "half_plane: {point: [0, 0], normal: [0, 1]" : "half_space: {point: [0, 0, 0], normal: [0, 0, 1]";
    char text[ROOM] = "";
    put(text,
        "dimension: %d\ntime: {end: 1 s, step: %.17g s}\nsolver: {tolerance: 1e-10}\nmaterials: {steel: {density: 1000}}\ninteractions: [{between: [steel, "
        "steel], friction: 0}]\n",
        dimension, h);
    put(text,
        "bodies: {wall: {kind: fixed, shapes: [{%s, material: steel}}]}}\nsolids:\n  s:\n    box: {size: [10 cm, %s1 m], elements: [1, %s50], at: [0, %s%.17g "
        "m]}\n",
        wall, dimension == 2 ? "" : "10 cm, ", dimension == 2 ? "" : "1, ", dimension == 2 ? "" : "0, ", 1 + 7.5 * h * V);
    put(text, "    material: {density: 1000, young: 1 GPa, poisson: 0}\n    velocity: %s\n    contact: {material: steel, as: nodes, surface: bottom}\n",
        dimension == 2 ? "[0, -2]" : "[0, 0, -2]");
    put(text,
        "probes:\n  push: {contact_force: wall}\n  v: {displacement: s, quantity: v%c, on: [bottom, top]}\n  kinetic: {solid_energy: s, quantity: kinetic}\n"
        "  elastic: {solid_energy: s, quantity: elastic}\n",
        LETTER[dimension - 1]);
    lab l = open_lab(text, 1);
    double lasts = 0, gain = 0, last = total_energy(&l);
    const double first = last;
    CHECK_CLOSE(first, 0.5 * RHO_BAR * area * V * V, 1e-9);
    for (int k = 0; k < 270; k++) {
        (void)lab_step(&l);
        const double now = total_energy(&l);
        CHECK_CLOSE(lab_probe(&l, "kinetic") + lab_probe(&l, "elastic"), now, 1e-12);
        gain = fmax(gain, now - last), last = now;
        if (lab_probe(&l, "push") > 0) lasts += h;
    }
    CHECK_CLOSE(first - last, 0.5 * RHO_BAR * area * sqrt(SIZE * SIZE / 4 + 0.25 * h * h * C * C) * V * V, 1e-5);
    CHECK(gain < 1e-9 * first);
    CHECK_NEAR(lasts, 2 / C, 4 * SIZE / C + 2 * h);
    CHECK(lab_probe(&l, "v") > 0.9 * V);
    close_lab(&l);
}

TEST(bar_on_wall)
{
    bounce(2);
    bounce(3);
}

/* A cube that gives stands on the floor by its nodes and carries a block on its faces. */
TEST(both_ways)
{
    char text[ROOM] = "";
    put(text,
        "dimension: 3\ntime: {end: 10 s, step: 1 ms}\nintegrator: {theta: 0.51}\nsolver: {tolerance: 1e-10}\ngravity: [0, 0, -9.81]\nmaterials: {steel: "
        "{density: 7800}, rubber: {density: "
        "1000}}\n"
        "interactions: [{friction: 0.5}]\n"
        "bodies:\n  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: steel}}]}\n"
        "  block: {mass: 1 kg, inertia_tensor: 1e-3 kg m^2, position: [0.5 cm, -0.5 cm, 24 cm], shapes: [{box: {size: [8 cm, 8 cm, 6 cm], material: steel}}]}\n"
        "solids:\n  s:\n    box: {size: [20 cm, 20 cm, 20 cm], elements: 4, at: [0, 0, 20.5 cm]}\n    material: {density: 1000, young: 200 kPa, poisson: 0.3}\n"
        "    damping: {mass: 20, stiffness: 2 ms}\n    contact: {material: rubber, as: both}\n"
        "probes:\n  block: {contact_force: block, from: s, quantity: z}\n  floor: {contact_force: s, from: floor, quantity: z}\n  r: {resultant: s, quantity: "
        "z, "
        "on: bottom}\n");
    lab l = open_lab(text, 1);
    (void)lab_run(&l, 3);
    CHECK_CLOSE(lab_probe(&l, "block"), G, 1e-4);
    CHECK_CLOSE(lab_probe(&l, "floor"), 9 * G, 1e-4);
    CHECK_CLOSE(lab_probe(&l, "r"), 9 * G, 1e-4); /* contacts act on nodes */
    close_lab(&l);
}

/* Without friction all that presses on a body of revolution goes through its axis, about which it does not begin to
 * turn, however the ground under it has been bent, where it lies on its side and where it tips. (Before it lies flat
 * on an end: there each point of the rim is pressed along its own triangle.) */
TEST(round_ones_do_not_spin)
{
    static const char *const SHAPE[] = {
        "cylinder: {from: [0, -0.1, 0], to: [0, 0.1, 0], radius: 0.1}", "cylinder: {from: [0, -0.1, 0], to: [0, 0.1, 0], radius: 0.1, rounding: 0.02}",
        "cylinder: {from: [0, -0.03, 0], to: [0, 0.03, 0], radius: 0.1, rounding: 0.03}",
        "frustum: {from: [0, -0.1, 0], to: [0, 0.1, 0], radius: 0.1, radius_to: 0.07}", "capsule: {from: [0, -0.05, 0], to: [0, 0.05, 0], radius: 0.1}"};
    static const int ROLL[] = {0, 7, 60};
    for (int kind = 0; kind < 5; kind++)
        for (int k = 0; k < 6; k++) {
            char text[ROOM] = "";
            put(text,
                "dimension: 3\ngravity: [0, 0, -10]\ntime: {end: 1 s, step: %g ms}\nmaterials: {m: {density: 2000}}\ninteractions: [{friction: 0}]\n"
                "solids:\n  s:\n    box: {size: [1, 0.25, 0.5], elements: [3, 1, 2]}\n    material: {density: 2000, young: 1 MPa, poisson: 0.3}\n"
                "    fixed: [bottom]\n    contact: {material: m, as: antagonist}\n",
                k % 2 ? 0.5 : 1);
            put(text, "bodies:\n  g: {position: [0.2, 0, 0.14], velocity: [0, 0, -2], orientation: {rpy_deg: [%d, 0, 0]}, material: m, shapes: [{%s}]}\n",
                ROLL[k / 2], SHAPE[kind]);
            lab l = open_lab(text, 1);
            const talus_body_id g = talus_body_find(l.world, "g");
            double spin = 0;
            bool met = false;
            for (int step = 0; step < (k % 2 ? 120 : 60); step++) {
                double p[3], q[4], v[3], omega[3];
                (void)lab_step(&l);
                talus_body_pose(l.world, g, p, q);
                talus_body_velocity(l.world, g, (const double[3]){0, 0, 0}, v, omega);
                const double axis[3] = {2 * (q[1] * q[2] - q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]), 2 * (q[2] * q[3] + q[0] * q[1])};
                if (hypot(axis[0], axis[1]) < 0.2) break;
                spin = fmax(spin, fabs(omega[0] * axis[0] + omega[1] * axis[1] + omega[2] * axis[2]));
                met |= talus_contact_count(l.world) > 0;
            }
            CHECK(met);
            if (!(spin < 1e-8)) TEST_FAIL("kind %d, case %d: turns with %g rad/s about its axis", kind, k, spin);
            close_lab(&l);
        }
}

/* Velocities of bodies see the few contacts of a solid with what does not move, too: two plates that are joined slide on one end of a slab while a stamp is
 * driven into the other. The plates' friction is µ m g from the first step on, and no step is left to sweeps, of which three times as many would be needed. */
TEST(a_stamp_beside_a_machine)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[3000];
        const char *by = dimension == 2 ? "0.1" : "0.5, 0.1", *zero = dimension == 2 ? "" : "0, ", *up = dimension == 2 ? "y" : "z";
        int n = snprintf(
            text, sizeof text,
            "dimension: %d\ngravity: [%s0, -10]\ntime: {end: 1 s, step: 1 ms}\nsolver: {method: bodies, tolerance: 1e-7 m/s}\nmaterials: {a: {}}\n"
            "interactions: [{friction: 0.4}]\nsolids:\n  L: {box: {size: [2, %s], elements: [16, %s1]}, fixed: [bottom], material: {density: 1000, young: "
            "10 MPa, poisson: 0.2}, damping: {stiffness: 1 ms}, contact: {material: a, as: nodes, surface: top}}\n"
            "bodies:\n  G: {kind: imposed, motion: {%s: \"0.05 m - 0.1 m/s * t\", x: 0.75 m%s}, material: a, shapes: [{box: {size: [0.3, %s]}}]}\n",
            dimension, zero, by, dimension == 2 ? "" : "2, ", up, dimension == 2 ? "" : ", y: 0 m", by);
        for (int k = 0; k < 2; k++)
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "  P%d: {mass: 100, %s, position: [%g, %s0.05], velocity: [0.4, %s0], material: a, shapes: [{box: {size: [0.3, %s]}}]}\n", k,
                          dimension == 2 ? "inertia: 10" : "inertia_tensor: [10, 10, 10, 0, 0, 0]", -0.6 + 0.4 * k, zero, zero, by);
        (void)snprintf(text + n, sizeof text - (size_t)n,
                       "joints: {j: {type: fixed, bodies: [P0, P1], at: [-0.4, %s0.05]}}\nprobes: {v: {body: P0, quantity: vx}}\n", zero);
        lab l = open_lab(text, 1);
        for (int step = 0; step < 50; step++) {
            talus_step_report report;
            CHECK_OK(talus_world_step(l.world, &report), talus_world_error(l.world));
            if (!(report.iterations <= 20 && report.residual <= 1e-7))
                TEST_FAIL("dimension %d, step %d: %d iterations, residual %g", dimension, step, report.iterations, report.residual);
        }
        CHECK_NEAR(lab_probe(&l, "v"), 0.4 - 0.4 * 10 * 0.05, 0.01);
        close_lab(&l);
    }
}

/* Methods that form W do not take them: said before the run begins. */
TEST(methods)
{
    static const char *const METHOD[] = {"method: nlgs",     "method: auto",  "method: bodies", "method: ccp", "method: interior_point", "method: newton",
                                         "method: proximal", "method: pivot", "method: split",  "method: pgs", "least_norm: true"};
    for (int i = 0; i < 22; i++) {
        const bool flat = i % 2 == 0;
        char text[900];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\ngravity: [0, %s-10]\nsolver: {%s}\nmaterials: {s: {density: 1000}}\nbodies: {b: {position: [0, "
                 "%s0.05], material: s, shapes: [{%s: {radius: 0.05}}]}}\nsolids: {a: {box: {size: [0.4, %s0.2], elements: [2, %s1]}, material: {young: 1 MPa, "
                 "poisson: 0.3, density: 1000}, fixed: bottom, contact: {material: s}}}\n",
                 flat ? 2 : 3, flat ? "" : "0, ", METHOD[i / 2], flat ? "" : "0, ", flat ? "disk" : "sphere", flat ? "" : "0.4, ", flat ? "" : "2, ");
        talus_scene *scene = load_lab(text);
        talus_world *w = NULL;
        talus_status status = talus_scene_build(scene, 1, &w);
        if (status == TALUS_OK && i / 2 < 3) CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
        if (i / 2 >= 3 && !(status != TALUS_OK && strstr(talus_scene_mistake(scene, 0), "solver.method nlgs, auto or bodies")))
            TEST_FAIL("%s: %d", METHOD[i / 2], (int)status);
        talus_world_destroy(w);
        talus_scene_destroy(scene);
    }
}

int main(int argc, char **argv)
{
    RUN(weight);
    RUN(energy_never_grows);
    RUN(what_takes_part);
    RUN(bar_on_wall);
    RUN(both_ways);
    RUN(a_stamp_beside_a_machine);
    RUN(methods);
    RUN(round_ones_do_not_spin);
    return TEST_RESULT;
}
