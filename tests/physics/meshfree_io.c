/* Meshfree solids (theory §7), from scenes: closed forms of large strain, rotations, waves and what is kept, mistakes. */
#include "lab.h"

/* A square or a cube of 1 m, its top at 0, under some scheme. */
static lab open_box(int dimension, const char *head, int elements, const char *rest)
{
    char text[4096];
    snprintf(text, sizeof text, "dimension: %d\n%ssolver: {tolerance: 1e-10 m/s}\nsolids:\n  s:\n    box: {size: [1, 1%s], elements: %d}\n    meshfree: {}\n%s",
             dimension, head, dimension == 3 ? ", 1" : "", elements, rest);
    return open_lab(text, 1);
}

static const double E = 1e6, NU = 0.25;

/* Faces that are moved to a stretch λ and then held: what they take is N18's closed form, from 0.85 to 1.15, with all sides moved, and with one whose
 * neighbours are free. In the plane nothing strains along z. */
TEST(closed_forms)
{
    for (int i = 0; i < 16; i++) {
        const int dimension = 2 + (i & 1);
        const bool all = i & 2;
        char rest[2048];
        const char *up = dimension == 3 ? "z" : "y";
        const double l = 0.85 + 0.1 * (i >> 2), half = 0.5 * (1 - l), young = 0.5 * E * l * (l * l - 1);
        const double want = dimension == 3 ? (all ? young / (1 - 2 * NU) : young) : all ? young / ((1 + NU) * (1 - 2 * NU)) : young / (1 - NU * NU);
        snprintf(rest, sizeof rest,
                 "    material: {density: 1000, young: 1e6, poisson: 0.25}\n    damping: {mass: 60, stiffness: 0}\n    motion:\n      - {group: left, x: "
                 "\"%g*ramp(t, 0, 0.2)\"}\n"
                 "      - {group: right, x: \"%g*ramp(t, 0, 0.2)\"}\n",
                 half, -half);
        if (all) {
            snprintf(rest + strlen(rest), sizeof rest - strlen(rest),
                     "      - {group: bottom, %s: \"%g*ramp(t, 0, 0.2)\"}\n      - {group: top, %s: \"%g*ramp(t, 0, 0.2)\"}\n", up, half, up, -half);
            if (dimension == 3)
                snprintf(rest + strlen(rest), sizeof rest - strlen(rest),
                         "      - {group: front, y: \"%g*ramp(t, 0, 0.2)\"}\n      - {group: back, y: \"%g*ramp(t, 0, 0.2)\"}\n", half, -half);
        } else
            snprintf(rest + strlen(rest), sizeof rest - strlen(rest), "    fixed: [{group: bottom, along: %s}%s]\n", up,
                     dimension == 3 ? ", {group: front, along: y}" : "");
        snprintf(rest + strlen(rest), sizeof rest - strlen(rest),
                 "probes: {f: {resultant: s, on: right, quantity: x}, q: {solid_stress: s, at: [0.1, %s-0.3], quantity: xy}}\n", dimension == 3 ? "0.1, " : "");
        lab b = open_box(dimension, "time: {end: 10 s, step: 5 ms}\nintegrator: {theta: 1}\n", dimension == 3 ? 4 : 6, rest);
        lab_run(&b, 0.8);
        CHECK_NEAR(lab_probe(&b, "f"), want, 1e-4 * fabs(want));
        CHECK_NEAR(lab_probe(&b, "q"), 0, 1e-3 * fabs(want));
        close_lab(&b);
    }
}

/* What has been set spinning by a couple turns as it likes: its energy stays, under θ = ½, with another influence as well. Damping by strain rates takes what
 * swings and never the turning: of its energy little goes, and at last nothing. */
TEST(spinning)
{
    for (int i = 0; i < 4; i++) {
        const int dimension = 2 + i % 2;
        const bool damped = i >= 2;
        char text[2048];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 10 s, step: 2 ms}\nsolids:\n  s:\n    box: {size: [1, 1%s], elements: %d}\n    meshfree: {influence: %s}\n    "
                 "material: "
                 "{density: 1000, young: 1e6, poisson: 0.25}\n    damping: {mass: 0, stiffness: %s}\n    loads: [{on: top, x: \"2e4*step(0.1 - t)\"}, {on: "
                 "bottom, x: "
                 "\"-2e4*step(0.1 - t)\"}]\nprobes: {k: {solid_energy: s, quantity: kinetic}, e: {solid_energy: s, quantity: elastic}, x: {displacement: s, "
                 "on: right, "
                 "quantity: x}}\n",
                 dimension, dimension == 3 ? ", 1" : "", dimension == 3 ? 3 : 5, dimension == 3 ? "1.9" : "1.6", damped ? "5 ms" : "0 s");
        lab l = open_lab(text, 1);
        double first = 0, late = 0, far = 0;
        lab_run(&l, 0.11);
        first = late = lab_probe(&l, "k") + lab_probe(&l, "e");
        while (talus_world_time(l.world) < 3) {
            lab_step(&l);
            const double now = lab_probe(&l, "k") + lab_probe(&l, "e");
            CHECK_NEAR(now, first, (damped ? 0.1 : 1e-3) * first);
            if (talus_world_time(l.world) < 2) late = now;
            else CHECK_NEAR(now, late, 1e-3 * first);
            far = fmin(far, lab_probe(&l, "x"));
        }
        CHECK(far < -0.9); /* the right side was on the left */
        close_lab(&l);
    }
}

/* Moment of momentum about z of a box of N_x × N_y (× N_z) equal elements, whose particles have half of their mass for each face that they are on. */
static double turning(const lab *l, const double size[3], const int elements[3])
{
    enum { MOST = 512 };
    static double u[MOST][3], v[MOST][3];
    talus_solid_mesh mesh;
    const talus_solid_id s = talus_solid_find(l->world, "s");
    CHECK(talus_solid_get_mesh(l->world, s, &mesh) && mesh.nodes <= MOST);
    talus_solid_motion(l->world, s, u, v);
    double L = 0;
    for (int i = 0; i < mesh.nodes && i < MOST; i++) {
        double mass = 2000;
        for (int a = 0; a < 3 && elements[a] > 0; a++) {
            const double from_middle = fabs(mesh.position[i][a] + (a + 1 == (elements[2] > 0 ? 3 : 2) ? size[a] / 2 : 0)); /* its top is at 0 */
            mass *= size[a] / elements[a] * (from_middle > 0.499 * size[a] ? 0.5 : 1);
        }
        L += mass * ((mesh.position[i][0] + u[i][0]) * v[i][1] - (mesh.position[i][1] + u[i][1]) * v[i][0]);
    }
    return L;
}

/* A free block that is pinched at one end, so that its sides are bent and drawn, and pressed from all sides alike: the pressure moves it nowhere. */
TEST(pressure_moves_nothing)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const bool flat = dimension == 2;
        const char *size = flat ? "0.11, 0.02" : "0.11, 0.3, 0.02", *axis = flat ? "y" : "z", *zero = flat ? "" : "0, ";
        char text[2000];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nintegrator: {theta: 1}\nsolids:\n  c:\n    box: {size: [0.4, 0.2%s], elements: [8, 4%s], "
                 "groups: {up: {region: {box: "
                 "{size: [%s], centre: [-0.15, %s0]}}}, down: {region: {box: {size: [%s], centre: [-0.15, %s-0.2]}}}}}\n    meshfree: {}\n    material: "
                 "{density: 2000, young: 1 MPa, "
                 "poisson: 0.25}\n    damping: {stiffness: 20 ms}\n    loads: [{on: [left, right, %sbottom, top], pressure: \"50 kPa*ramp(t, 0, 0.1 s)\"}, "
                 "{on: up, %s: \"-70 "
                 "kPa*ramp(t, 0, 0.1 s)\"}, {on: down, %s: \"70 kPa*ramp(t, 0, 0.1 s)\"}]\nprobes: {v: {displacement: c, at: [0, %s-0.1], quantity: vx}, s: "
                 "{displacement: c, at: "
                 "[-0.15, %s0], quantity: %s}}\n",
                 dimension, flat ? "" : ", 0.2", flat ? "" : ", 4", size, zero, size, zero, flat ? "" : "front, back, ", axis, axis, zero, zero, axis);
        lab l = open_lab(text, 1);
        lab_run(&l, 0.5);
        CHECK(lab_probe(&l, "s") < -0.01);
        CHECK_NEAR(lab_probe(&l, "v"), 0, 1e-5);
        close_lab(&l);
    }
}

/* Soil that has been made to flow and to spin, and is then let alone, turns on: no row that has given way pulls it round. */
TEST(soil_spins)
{
    static const double SIZE[3] = {0.4, 0.2, 0.2};
    for (int dimension = 2; dimension <= 3; dimension++) {
        const int elements[3] = {8, 4, dimension == 3 ? 4 : 0};
        char text[2048];
        snprintf(
            text, sizeof text,
            "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nsolids:\n  s:\n    box: {size: [0.4, 0.2%s], elements: [8, 4%s]}\n    meshfree: {renewal: 0.005, "
            "stretch: 30}\n    material: {kind: drucker-prager, density: 2000, young: 1 MPa, poisson: 0.25, cohesion: 1 kPa, friction: 25 deg, tension: 1 kPa, "
            "isochoric: 1}\n    loads: [{on: left, y: \"-2 kPa*step(0.1 s - t)\"}, {on: right, y: \"2 kPa*step(0.1 s - t)\"}]\nprobes: {flow: {solid_yield: s, "
            "at: "
            "[0, %s-0.1]}}\n",
            dimension, dimension == 3 ? ", 0.2" : "", dimension == 3 ? ", 4" : "", dimension == 3 ? "0, " : "");
        lab l = open_lab(text, 1);
        lab_run(&l, 0.15);
        const double L = turning(&l, SIZE, elements);
        CHECK(fabs(L) > 1 && lab_probe(&l, "flow") > 0.01);
        lab_run(&l, 0.5);
        CHECK_CLOSE(turning(&l, SIZE, elements), L, 1e-4);
        close_lab(&l);
    }
}

/* 2 t roll no farther than into the rut that they press into soil that yields: what it takes is their weight, and it stays when they are lifted. */
TEST(a_wheel_presses_a_rut)
{
    lab l = open_lab("gravity: [0, -9.81]\ntime: {end: 10 s, step: 2 ms}\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: 0.5}]\nsolids:\n  soil:\n "
                     "   box: {size: [3, "
                     "1], elements: [18, 6]}\n    meshfree: {}\n    material: {kind: drucker-prager, density: 1800, young: 10 MPa, poisson: 0.3, cohesion: 10 "
                     "kPa, friction: 22 deg, "
                     "tension: 5 kPa, cap: 200 kPa, cap_ratio: 4, compaction: 0.2, hardening: 1e-6}\n    damping: {mass: 20, stiffness: 2 ms}\n    start: "
                     "settled\n    fixed: [bottom, "
                     "{group: [left, right], along: x}]\n    contact: {surface: top, as: both, material: m}\nbodies:\n  wheel: {mass: 2000, inertia: 100, "
                     "position: [0, 0.301], shapes: "
                     "[{disk: {radius: 0.3, material: m}}]}\nloads: {up: {body: wheel, y: \"30e3*step(t - 1.5)\"}}\nprobes: {y: {body: wheel, quantity: y}, f: "
                     "{contact_force: soil, "
                     "quantity: y}, sinks: {displacement: soil, at: [0, 0], quantity: y}}\n",
                     1);
    lab_run(&l, 1.5);
    const double pressed = lab_probe(&l, "sinks");
    CHECK(pressed < -0.01);
    CHECK_NEAR(lab_probe(&l, "f"), -2000 * 9.81, 0.05 * 2000 * 9.81);
    lab_run(&l, 2.5);
    CHECK(lab_probe(&l, "y") > 0.5);
    CHECK(lab_probe(&l, "sinks") < 0.6 * pressed);
    close_lab(&l);
}

/* A pressure on all free sides makes one stress everywhere, which ν and E know by small strains, also beside edges; settled, it keeps still. */
TEST(uniform_pressure)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        static const char *const HELD[2] = {"{group: left, along: x}, {group: bottom, along: y}",
                                            "{group: left, along: x}, {group: front, along: y}, {group: bottom, along: z}"};
        static const char *const PLACE[2][3] = {{"0.01, -0.5", "0.499, -0.001", "0.5, 0"}, {"0.01, 0.01, -0.5", "0.499, 0.499, -0.001", "0.5, 0.5, 0"}};
        const char *const *at = PLACE[dimension - 2];
        char rest[1024];
        snprintf(
            rest, sizeof rest,
            "    material: {density: 1000, young: 1e6, poisson: 0.25}\n    start: settled\n    fixed: [%s]\n    loads: [{on: [right, top%s], pressure: 0.1}]\n"
            "probes:\n  in: {solid_stress: s, at: [%s], quantity: mean}\n  edge: {solid_stress: s, at: [%s], quantity: mean}\n"
            "  x: {displacement: s, on: right, quantity: x}\n  corner: {displacement: s, at: [%s], quantity: x}\n",
            HELD[dimension - 2], dimension == 3 ? ", back" : "", at[0], at[1], at[2]);
        lab b = open_box(dimension, "time: {end: 10 s, step: 5 ms}\n", dimension == 3 ? 4 : 6, rest);
        const double p = 0.1, mean = dimension == 3 ? -p : -p * 2 * (1 + NU) / 3,
                     strain = dimension == 3 ? -p * (1 - 2 * NU) / E : -p * (1 + NU) * (1 - 2 * NU) / E;
        for (int k = 0; k < 20; k++) {
            lab_step(&b);
            CHECK_NEAR(lab_probe(&b, "in"), mean, 1e-6 * p); /* strains of 1e-7, and what is left of their forces, 1e-10 */
            CHECK_NEAR(lab_probe(&b, "edge"), mean, 1e-6 * p);
            CHECK_NEAR(lab_probe(&b, "x"), strain, 1e-6 * fabs(strain));
            CHECK_NEAR(lab_probe(&b, "corner"), strain, 1e-6 * fabs(strain));
        }
        close_lab(&b);
    }
}

/* A bar whose end is let go swings; with more that holds rows its lowest mode is the same, for bending is quadratic there. */
TEST(rows_leave_bending)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        double sinks[2] = {0, 0};
        for (int i = 0; i < 2; i++) {
            char text[1024];
            snprintf(
                text, sizeof text,
                "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nsolids:\n  s:\n    box: {size: [%s], elements: [%s]}\n    meshfree: {stabilisation: %s}\n    "
                "material: {density: 1000, young: 1e7, poisson: 0}\n    start: settled\n    fixed: left\n    loads: [{on: right, %s: -1}]\n"
                "probes: {tip: {displacement: s, on: right, quantity: %s}}\n",
                dimension, dimension == 3 ? "1, 0.2, 0.2" : "1, 0.2", dimension == 3 ? "20, 4, 4" : "20, 4", i ? "1" : "0.1", dimension == 3 ? "z" : "y",
                dimension == 3 ? "z" : "y");
            lab l = open_lab(text, 1);
            lab_step(&l);
            sinks[i] = lab_probe(&l, "tip");
            close_lab(&l);
        }
        /* Particles take I by the trapezoidal rule, larger by 2/n², n = 4. */
        const double beam = -0.2 / (3 * 1e7 * 0.2 * 0.2 * 0.2 / 12) / (1 + 2.0 / 16) - 1 / (5.0 / 6 * 0.5e7), clamp = 0.02, short_waves = 0.01;
        CHECK_NEAR(sinks[1], sinks[0], short_waves * fabs(sinks[0]));
        CHECK_NEAR(sinks[0], beam, clamp * fabs(beam));
    }
}

/* What contacts say that they exert is what the soil takes, to the solver's tolerance, while it gives way and when it rests. */
TEST(action_and_reaction)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "dimension: %d\ngravity: [0, %s-9.81]\ntime: {end: 10 s, step: 5 ms}\nsolver: {tolerance: 1e-9, max_iterations: 5000}\nmaterials: {m: "
                 "{density: 1000}}\n"
                 "interactions: [{friction: 0.5}]\nsolids:\n  soil:\n    box: {size: [1, %s0.5], elements: [8, %s4]}\n    meshfree: {}\n    material: {kind: "
                 "drucker-prager, density: 1800, young: 1 MPa, poisson: 0.3, cohesion: 2 kPa, friction: 22 deg, tension: 5 kPa, cap: 50 kPa, cap_ratio: 4, "
                 "compaction: 0.2, hardening: 1e-6}\n    damping: {mass: 20, stiffness: 20 ms}\n    start: settled\n    fixed: [bottom]\n    contact: "
                 "{surface: top, "
                 "as: nodes, material: m}\nbodies:\n  plate: {mass: 200, %s, position: [0, %s0.101], shapes: [{box: {size: [0.6, %s0.2], material: m}}]}\n"
                 "probes: {f: {contact_force: plate, quantity: %s}, r: {resultant: soil, on: top, quantity: %s}}\n",
                 dimension, dimension == 3 ? "0, " : "", dimension == 3 ? "1, " : "", dimension == 3 ? "8, " : "",
                 dimension == 3 ? "inertia_tensor: [5, 5, 10]" : "inertia: 5", dimension == 3 ? "0, " : "", dimension == 3 ? "0.6, " : "",
                 dimension == 3 ? "z" : "y", dimension == 3 ? "z" : "y");
        lab l = open_lab(text, 1);
        double most = 0;
        while (talus_world_time(l.world) < 0.3) {
            lab_step(&l);
            const double f = lab_probe(&l, "f");
            most = fmax(most, f);
            CHECK_NEAR(lab_probe(&l, "r"), -f, 1e-4 * 200 * 9.81); /* M̃/h of the nodes, some 1e4 kg/s, times 1e-9 m/s, and the sums of many nodes */
        }
        CHECK(most > 0.9 * 200 * 9.81);
        close_lab(&l);
    }
}

/* Soil that has flowed at its foot until it stands is at rest with what it remembers then: equilibrium is found to 1e-10 of the forces, and nothing moves by
 * more than a small number of times that. */
TEST(settled_soil)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "dimension: %d\ngravity: [0, %s-9.81]\ntime: {end: 10 s, step: 5 ms}\nsolver: {tolerance: 1e-12 m/s}\nsolids:\n  soil:\n    box: {size: [1, "
                 "%s0.5], elements: [8, %s4]}\n    meshfree: {}\n    material: {kind: drucker-prager, density: 1800, young: 1 MPa, poisson: 0.3, "
                 "cohesion: 1.4 kPa, friction: 22 deg, tension: 5 kPa, cap: 50 kPa, cap_ratio: 4, compaction: 0.2, hardening: 1e-5}\n    damping: {mass: 20, "
                 "stiffness: 20 ms}\n    start: settled\n    fixed: [bottom]\nprobes:\n  u: {displacement: soil, at: [0.4, %s0], quantity: %s}\n"
                 "  flow: {solid_yield: soil, at: [0.45, %s-0.45]}\n",
                 dimension, dimension == 3 ? "0, " : "", dimension == 3 ? "1, " : "", dimension == 3 ? "8, " : "", dimension == 3 ? "0.4, " : "",
                 dimension == 3 ? "z" : "y", dimension == 3 ? "0.45, " : "");
        lab l = open_lab(text, 1);
        const double start = lab_probe(&l, "u"), flow = lab_probe(&l, "flow");
        double moved = 0;
        while (talus_world_time(l.world) < 0.2) {
            lab_step(&l);
            moved = fmax(moved, fabs(lab_probe(&l, "u") - start));
        }
        CHECK(start < -1e-3 && flow > 5e-5);
        CHECK(moved < 1e-8 * fabs(start));
        CHECK_NEAR(lab_probe(&l, "flow"), flow, 1e-8 * flow);
        close_lab(&l);
    }
}

/* A block of soil almost without friction, between smooth faces that come to half their distance in a second: it flows, in the plane with Cauchy's stress 2 k
 * against free sides, k = 2 c/√3, in space with √3 k, on the section that has grown to twice its size. What it flows by is √2 ln 2 there, ∫ √(ε̇_p:ε̇_p) dt, and
 * √(3/2) ln 2. With references that are never renewed the force is wrong by half. */
TEST(pressed_far)
{
    for (int i = 0; i < 4; i++) {
        const int dimension = 2 + i % 2;
        const bool renewed = i < 2;
        const double c = 1e3, k = 2 / sqrt(3) * c, want = (dimension == 3 ? sqrt(3) : 2) * k * 2, flow = sqrt(dimension == 3 ? 1.5 : 2) * log(2);
        char text[2048];
        snprintf(
            text, sizeof text,
            "dimension: %d\ntime: {end: 2 s, step: 2 ms}\nintegrator: {theta: 1}\nsolver: {tolerance: 1e-7}\nsolids:\n  s:\n    box: {size: [1, 1%s], "
            "elements: 3}\n    meshfree: {renewal: %s}\n    material: {kind: drucker-prager, density: 1, young: 1e6, poisson: 0.3, cohesion: %g, friction: "
            "1e-6, tension: 1e6}\n    damping: {stiffness: 2 ms}\n    fixed: [{group: bottom, along: %s}, {group: left, along: x}%s]\n    motion: [{group: "
            "top, "
            "%s: \"-0.5*t/(1 s)*(1 m)\"}]\nprobes:\n  f: {resultant: s, on: top, quantity: %s}\n  flow: {solid_yield: s, at: [0.1, %s-0.4]}\n",
            dimension, dimension == 3 ? ", 1" : "", renewed ? "0.002" : "0", c, dimension == 3 ? "z" : "y", dimension == 3 ? ", {group: front, along: y}" : "",
            dimension == 3 ? "z" : "y", dimension == 3 ? "z" : "y", dimension == 3 ? "0.1, " : "");
        lab l = open_lab(text, 1);
        lab_run(&l, 1);
        const double f = -lab_probe(&l, "f");
        if (renewed) {
            CHECK_NEAR(f, want, 0.01 * want);
            CHECK_NEAR(lab_probe(&l, "flow"), flow, 0.01 * flow); /* elastic strain is some 0.003 of it */
        } else CHECK(fabs(f / want - 1) > 0.3);
        close_lab(&l);
    }
}

/* A bar that is drawn at both ends: where it comes to the stretch that is allowed, the run ends and says so, or it lets go, and halves fly apart: momentum
 * stays, no force is left between the ends, and the number of torn particles is said once. */
TEST(torn_apart)
{
    for (int i = 0; i < 4; i++) {
        const int dimension = 2 + i % 2;
        const bool stops = i < 2;
        char text[2048];
        snprintf(
            text, sizeof text,
            "dimension: %d\ntime: {end: 2 s, step: 2 ms}\nintegrator: {theta: 1}\nsolver: {tolerance: 1e-6}\nsolids:\n  s:\n    box: {size: [2, 1%s], "
            "elements: [6, 3%s]}\n    meshfree: {stretch: 1.3, torn: %s}\n    material: {density: 1000, young: 1e5, poisson: 0.25}\n    damping: {stiffness: 5 "
            "ms}\n    motion: [{group: left, x: \"-1 m/s*t\"}, {group: right, x: \"1 m/s*t\"}]\nprobes:\n  left: {resultant: s, on: left, quantity: x}\n  "
            "right: {resultant: s, on: right, quantity: x}\n  torn: {solid_torn: s}\n  number: {solid_torn: s, quantity: number}\n",
            dimension, dimension == 3 ? ", 1" : "", dimension == 3 ? ", 3" : "", stops ? "stop" : "let_go");
        lab l = open_lab(text, 1);
        talus_status status = TALUS_OK;
        double most = 0, sum = 0;
        while (status == TALUS_OK && talus_world_time(l.world) < 1) {
            status = talus_world_step(l.world, NULL);
            if (status != TALUS_OK) break;
            most = fmax(most, lab_probe(&l, "right"));
            sum = fmax(sum, fabs(lab_probe(&l, "right") + lab_probe(&l, "left")));
        }
        CHECK(most > 1e4);        /* strained by a tenth or more */
        CHECK(sum < 1e-3 * most); /* one pulls as the other does */
        if (stops) {
            CHECK(status == TALUS_DIVERGED);
            if (!strstr(talus_world_error(l.world), "solid 's': particle ")) TEST_FAIL("%s", talus_world_error(l.world));
        } else {
            CHECK(status == TALUS_OK);
            CHECK(fabs(lab_probe(&l, "right")) < 0.01 * most);
            /* a particle has the mass of a cell of the lattice, at faces, edges and corners a half, a quarter, an eighth of it; all have that of the bar */
            const double torn = lab_probe(&l, "number"), mass = lab_probe(&l, "torn"), cell = 1000 * (dimension == 3 ? 2.0 / 54 : 2.0 / 18);
            const double all = dimension == 3 ? 7 * 4 * 4 : 7 * 4;
            CHECK(torn >= (dimension == 3 ? 16 : 4) && torn <= all && mass > torn * cell / 8 && mass < torn * cell + 1e-9 && mass < 2000 + 1e-9);
            if (torn == all) CHECK_CLOSE(mass, 2000.0, 1e-12);
        }
        close_lab(&l);
    }
}

/* A fluid that pulls at the ends of two bars tears them, which is said of each. A face with a torn particle is a hole: no more is given than the pull gives to
 * the bar as a whole, p A t of momentum; with torn faces, which grow, it was several times that energy. */
TEST(torn_by_a_pressure)
{
    for (int d = 2; d <= 3; d++) {
        char text[2048], one[2][600];
        for (int k = 0; k < 2; k++)
            snprintf(one[k], sizeof one[k],
                     "  %s:\n    box: {size: [0.4, 0.2%s], elements: [8, 4%s], at: [0, %d%s]}\n    material: {young: 1 MPa, poisson: 0.2, density: 1000}\n    "
                     "meshfree: {stretch: 1.3, torn: let_go}\n    fixed: left\n    loads: [{on: right, pressure: \"-%d kPa*ramp(t, 0 s, 10 ms)\"}]\n",
                     k ? "second" : "first", d == 3 ? ", 0.2" : "", d == 3 ? ", 4" : "", 3 * k, d == 3 ? ", 0" : "", k ? 350 : 400);
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 60 ms, step: 0.1 ms}\nsolids:\n%s%sprobes: {r: {resultant: first, quantity: x}, e: {energy: kinetic}}\n", d,
                 one[0], one[1]);
        lab l = open_lab(text, 1);
        lab_run(&l, 0.04);
        const double mass = 80 * (d == 3 ? 0.2 : 1), speed[2] = {400e3 * 0.2 / 80 * 0.035, 350e3 * 0.2 / 80 * 0.035};
        if (!(lab_probe(&l, "e") < 0.5 * mass * (speed[0] * speed[0] + speed[1] * speed[1]))) TEST_FAIL("%dD: %g J", d, lab_probe(&l, "e"));
        const char *said = talus_world_all_warnings(l.world);
        if (!strstr(said, "solid 'first' has torn") || !strstr(said, "solid 'second' has torn")) TEST_FAIL("said: %s", said);
        close_lab(&l);
    }
}

TEST(mistakes)
{
    static const char *const WRONG[][2] = {
        {"box: {size: [1, 2], elements: [5, 5]}, meshfree: {}", "box of equal squares"},
        {"box: {size: [1, 1], elements: [5, 5]}, meshfree: {influence: 2.5}", "influence is 2.5 spacings"},
        {"box: {size: [1, 1], elements: [5, 5]}, meshfree: {}, rotations: large", "rotations are large without being told"},
        {"box: {size: [1, 1], elements: [5, 5]}, meshfree: {}, plane: stress", "plane strain only"},
        {"box: {size: [1, 1], elements: [5, 5]}, meshfree: {stabilisation: -1}", "stabilisation or renewal is negative"},
        {"box: {size: [1, 1], elements: [5, 5]}, meshfree: {renewal: -1}", "stabilisation or renewal is negative"},
        {"box: {size: [1, 1], elements: [5, 5]}, meshfree: {renewal: 0.01}", "renewal is for one that yields"},
        {"box: {size: [1, 1], elements: [5, 5]}, meshfree: {stretch: 0.5}", "stretch is not above 1"},
        {"box: {size: [1, 1], elements: [5, 5]}, meshfree: {torn: fly}", "torn"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char text[1024];
        snprintf(text, sizeof text, "time: {end: 1 s, step: 1 ms}\nsolids: {s: {%s, material: {density: 1000, young: 1e6, poisson: 0.25}}}\n", WRONG[i][0]);
        talus_scene *scene = load_lab(text);
        talus_world *w = NULL;
        CHECK(talus_scene_build(scene, 1, &w) == TALUS_INPUT);
        if (!strstr(talus_scene_mistake(scene, 0), WRONG[i][1])) TEST_FAIL("%s", talus_scene_mistake(scene, 0));
        talus_world_destroy(w);
        talus_scene_destroy(scene);
    }
}

/* Pressures go with the faces of what turns: a block that has been spun moves as one of elements whose rotations are large does, and where all of its sides are
 * pressed alike it does not move at all. */
TEST(pressure_follows)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        static const char *const MATTER[3] = {"meshfree: {}", "rotations: large", "meshfree: {}"};
        const bool flat = dimension == 2;
        const char *all = flat ? "[left, right, bottom, top]" : "[left, right, front, back, bottom, top]", *middle = flat ? "0, -0.1" : "0, 0, -0.05";
        double v[3][2];
        for (int kind = 0; kind < 3; kind++) { /* particles, elements; particles that are pressed from all sides */
            char text[2000], loads[200];
            if (kind < 2)
                snprintf(loads, sizeof loads, "{on: left, pressure: \"1 kPa*step(t - 0.1 s)\"}, {on: %s, pressure: \"2 kPa*step(t - 0.1 s)\"}",
                         flat ? "top" : "back");
            else snprintf(loads, sizeof loads, "{on: %s, pressure: \"2 kPa*step(t - 0.1 s)\"}", all);
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nsolids:\n  c:\n    box: {size: [0.4, 0.2%s], elements: [8, 4%s]}\n    %s\n    material: "
                     "{density: 2000, "
                     "young: 10 MPa, poisson: 0.25}\n    damping: {stiffness: 2 ms}\n    loads: [{on: left, y: \"-8 kPa*step(0.1 s - t)\"}, {on: right, y: \"8 "
                     "kPa*step(0.1 s - "
                     "t)\"}, %s]\nprobes: {x: {displacement: c, at: [%s], quantity: vx}, y: {displacement: c, at: [%s], quantity: vy}, r: {displacement: c, "
                     "on: right, quantity: "
                     "x}}\n",
                     dimension, flat ? "" : ", 0.1", flat ? "" : ", 2", MATTER[kind], loads, middle, middle);
            lab l = open_lab(text, 1);
            lab_run(&l, 0.6);
            v[kind][0] = lab_probe(&l, "x"), v[kind][1] = lab_probe(&l, "y");
            CHECK(lab_probe(&l, "r") < -0.1); /* it has turned by more than a radian */
            close_lab(&l);
        }
        printf("%dD: particles %.5g, %.5g; elements %.5g, %.5g m/s\n", dimension, v[0][0], v[0][1], v[1][0], v[1][1]);
        for (int a = 0; a < 2; a++) {
            CHECK_NEAR(v[0][a], v[1][a], 2e-3 * hypot(v[1][0], v[1][1]));
            CHECK_NEAR(v[2][a], 0, 1e-6);
        }
    }
}

int main(int argc, char **argv)
{
    RUN(closed_forms);
    RUN(spinning);
    RUN(soil_spins);
    RUN(a_wheel_presses_a_rut);
    RUN(uniform_pressure);
    RUN(pressure_follows);
    RUN(pressure_moves_nothing);
    RUN(rows_leave_bending);
    RUN(action_and_reaction);
    RUN(settled_soil);
    RUN(pressed_far);
    RUN(torn_apart);
    RUN(torn_by_a_pressure);
    RUN(mistakes);
    return TEST_RESULT;
}
