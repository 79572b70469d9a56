/* The plastic law (theory §2.4) against closed forms: how deep what is heavy sinks, with what force, and that it never gains energy; in plane and space. */
#include "lab.h"

static const double g = 9.81, pi = 3.14159265358979323846;

static double energy(const talus_world *w)
{
    double kinetic, potential;
    talus_world_energy(w, &kinetic, &potential);
    return kinetic + potential;
}

/* Of the contacts between two bodies: their normal impulses over the step; how deep the pair has sunk. */
static double force_on(const talus_world *w, const char *body, double *depth)
{
    const talus_body_id id = talus_body_find(w, body);
    double sum = 0;
    *depth = 0;
    for (int i = 0; i < talus_contact_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        if (c.candidate.index1 != id.index1 && c.antagonist.index1 != id.index1) continue;
        CHECK(c.law && strcmp(c.law->name, "plastic") == 0 && strcmp(c.law->field[0].name, "depth") == 0);
        sum += c.impulse[0] / talus_world_step_size(w);
        *depth = c.state[0];
    }
    return sum;
}

static double height(const talus_world *w, const char *body, int axis)
{
    double x[3], q[4];
    talus_body_pose(w, talus_body_find(w, body), x, q);
    return x[axis];
}

/* T15 Fig. 17 without the soil under them: blocks of 25, 5, 12 and 30 cm on a fixed one. Their balls have the radius c √3/2 (squares: c √2/2), so that with
 * this limit each sinks by a fifth of its own edge, all of it, for it is heavier than what the ground bears. */
static void four_blocks(int dimension, double h)
{
    static const double EDGE[4] = {0.25, 0.05, 0.12, 0.30};
    char text[4000];
    const char *up = dimension == 3 ? "0, 0, " : "0, ";
    int n = snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: %.9g s}\ngravity: [%s-9.81]\n"
                     "solver: {tolerance: 1e-9, max_iterations: 20000}\n"
                     "materials: {stone: {density: 2700}, soil: {density: 2000}}\n"
                     "interactions: [{between: [stone, soil], law: plastic, threshold: 1 N, limit: %.12g, friction: 0.8}]\n"
                     "bodies:\n"
                     "  floor: {kind: fixed, shapes: [{box: {size: [%s1], centre: [%s-0.5], material: soil}}]}\n",
                     dimension, h, up, 0.2 * 2 / sqrt(dimension), dimension == 3 ? "3, 1, " : "3, ", up);
    for (int i = 0; i < 4; i++) {
        const double c = EDGE[i];
        n += snprintf(text + n, sizeof text - (size_t)n, "  b%d: {position: [%g, %s%g], shapes: [{box: {size: [%g, %g", i, 0.6 * (i - 1.5),
                      dimension == 3 ? "0, " : "", c / 2, c, c);
        n += dimension == 3 ? snprintf(text + n, sizeof text - (size_t)n, ", %g", c) : 0;
        n += snprintf(text + n, sizeof text - (size_t)n, "], material: stone}}]}\n");
    }
    lab l = open_lab(text, 1);
    double before = energy(l.world);
    const double scale = fabs(before) + 100;
    while (talus_world_time(l.world) < 0.5) {
        lab_step(&l);
        const double now = energy(l.world);
        if (now > before + 1e-9 * scale) TEST_FAIL("h = %g, t = %g: the energy grows by %g J", h, talus_world_time(l.world), now - before);
        before = now;
    }
    for (int i = 0; i < 4; i++) {
        char name[4];
        snprintf(name, sizeof name, "b%d", i);
        double depth, weight = 2700 * g * pow(EDGE[i], dimension);
        CHECK_NEAR(height(l.world, name, dimension - 1), 0.3 * EDGE[i], 1e-7);
        CHECK_CLOSE(force_on(l.world, name, &depth), weight, 1e-6);
        CHECK_NEAR(depth, 0.2 * EDGE[i], 1e-7);
    }
    close_lab(&l);
}

TEST(four_blocks_sink_by_their_own_size)
{
    const double h[] = {5e-3, 1e-3, 2e-4};
    for (int i = 0; i < 3; i++) four_blocks(2, h[i]), four_blocks(3, h[i]);
}

/* A mass m on ground that bears F₀ + k x at the depth x, with the speed v₀ at first: x = a/ω² (1 − cos ωt) + v₀/ω sin ωt with ω² = k/m and a = g − F₀/m,
 * until it stops for the first time; then it is held by its weight. `on` is a ball (disk) that falls freely, one on a slide of a mechanism, or a plate on four
 * (two) feet, which share the load as they like; or a prism that turns on a face of sixty corners, of which others touch in every step. */
typedef struct sunk {
    double depth, time, worst; /* where and when it stopped; the largest error of the force while it sank, over F₀ */
} sunk;

static sunk sink(int dimension, const char *on, double v0, double h)
{
    const double m = 2, F0 = 5, k = 4000;
    const int feet = strcmp(on, "plate") != 0 ? 1 : (dimension == 3 ? 4 : 2);
    char text[4000], shapes[1000] = "";
    const bool slides = strcmp(on, "slide") == 0;
    const char *across = dimension == 3 ? "0, 0" : "0";
    for (int i = 0; i < feet; i++) {
        char centre[60];
        const double x = feet == 1 ? 0 : (i % 2 ? 0.3 : -0.3), up = slides ? 0.1 : 0;
        if (strcmp(on, "prism") == 0) {
            snprintf(shapes, sizeof shapes, "{cylinder: {from: [0, 0, -0.1], to: [0, 0, 0.1], radius: 0.1, sides: 60, material: stone}}");
            break;
        }
        if (dimension == 3) snprintf(centre, sizeof centre, "%g, %g, %g", x, feet == 1 ? 0 : (i / 2 ? 0.2 : -0.2), up);
        else snprintf(centre, sizeof centre, "%g, %g", x, up);
        snprintf(shapes + strlen(shapes), sizeof shapes - strlen(shapes), "%s{%s: {radius: 0.1, centre: [%s], material: stone}}", i ? ", " : "",
                 dimension == 3 ? "sphere" : "disk", centre);
    }
    int n = snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: %.9g s}\ngravity: [%s, -9.81]\nsolver: {tolerance: 1e-10, max_iterations: 20000}\n"
                     "materials: {stone: {density: 2700}, soil: {density: 2000}}\n"
                     "interactions: [{between: [stone, soil], law: plastic, threshold: %.17g N, hardening: %.17g N/m, limit: 0.4}]\nbodies:\n"
                     "  floor: {kind: fixed, shapes: [{%s: {point: [%s, 0], normal: [%s, 1], material: soil}}]}\n",
                     dimension, h, across, F0 / feet, k / feet, dimension == 3 ? "half_space" : "half_plane", across, across);
    if (slides)
        snprintf(text + n, sizeof text - (size_t)n,
                 "mechanisms:\n  press:\n    bodies: {b: {mass: 2, inertia: 1, shapes: [%s]}}\n"
                 "    joints: {j: {type: prismatic, parent: ground, child: b, axis: [%s, 1], velocity: %.17g}}\n",
                 shapes, across, -v0);
    else
        snprintf(text + n, sizeof text - (size_t)n, "  b: {position: [%s, 0.1], velocity: [%s, %.17g], mass: 2, shapes: [%s]%s}\n", across, across, -v0, shapes,
                 strcmp(on, "prism") == 0 ? ", spin: [0, 0, 3]" : "");
    lab l = open_lab(text, 1);
    sunk out = {0};
    const char *name = slides ? "b" : "b";
    double before = energy(l.world), was = 0;
    for (int i = 0; i < 0.4 / h; i++) {
        double depth;
        lab_step(&l);
        const double force = force_on(l.world, name, &depth), now = energy(l.world);
        if (now > before + 1e-9) TEST_FAIL("%s, h = %g: the energy grows by %g J", on, h, now - before);
        before = now;
        if (depth > was + 1e-12) {
            out.worst = fmax(out.worst, fabs(force - F0 - k * depth) / F0);
            out.time = talus_world_time(l.world);
        }
        was = out.depth = depth;
    }
    double depth;
    CHECK_CLOSE(force_on(l.world, name, &depth), m * g, 1e-6);
    CHECK_NEAR(height(l.world, name, dimension - 1), (slides ? 0 : 0.1) - depth, 1e-7);
    close_lab(&l);
    return out;
}

/* Of first order in h where it strikes with a speed or begins to sink; the force of every step is exact. */
TEST(depth_and_force)
{
    static const char *const ON[] = {"ball", "slide", "plate", "prism"};
    const double m = 2, F0 = 5, k = 4000, w = sqrt(k / m), a = g - F0 / m;
    for (int c = 0; c < 16; c++) {
        const int dimension = c % 2 ? 3 : 2;
        if (dimension == 2 && c / 4 == 3) continue; /* two points in the plane are all that touch */
        const double v0 = c / 2 % 2 ? 0.5 : 0;
        const double depth = a / (w * w) + sqrt(a * a + v0 * v0 * w * w) / (w * w), time = (pi - atan2(v0 * w, a)) / w;
        double error[2];
        for (int i = 0; i < 2; i++) {
            const double h = i ? 1e-4 : 4e-4;
            const sunk s = sink(dimension, ON[c / 4], v0, h);
            error[i] = fabs(s.depth - depth);
            CHECK_NEAR(s.time, time, 2 * h);
            CHECK(s.worst < 1e-5);
        }
        if (!(error[0] > 3.7 * error[1] && error[0] < 4.3 * error[1] && error[1] < 0.005 * depth))
            TEST_FAIL("%s, dimension %d, v0 = %g: off by %g and %g of %g", ON[c / 4], dimension, v0, error[0], error[1], depth);
    }
}

/* Two slides of mechanisms, each with a free body welded to it, run at each other without gravity: what they weigh together, 2 kg and 6 kg, acts as the mass
 * m = 1.5 kg on the depth x,  m x'' = −F₀ − k x,  until x stops; their centre, at the place 0, never moves. `held` is what the welds make of the contact, a
 * constraint; without them the slides weigh as much by themselves. */
static double press(int dimension, bool held, double h, double *centre)
{
    const double F0 = 5, k = 4000;
    const char *across = dimension == 3 ? "0, 0" : "0", *ball = dimension == 3 ? "sphere" : "disk";
    char text[4000];
    int n = snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: %.9g s}\nsolver: {tolerance: 1e-10, max_iterations: 20000}\n"
                     "materials: {stone: {density: 2700}, soil: {density: 2000}}\n"
                     "interactions: [{between: [stone, soil], law: plastic, threshold: %.17g N, hardening: %.17g N/m, limit: 0.5}]\n"
                     "mechanisms:\n"
                     "  upper:\n    bodies: {a: {mass: %g, inertia: 1, shapes: [{%s: {radius: 0.1, centre: [%s, 0.1], material: stone}}]}}\n"
                     "    joints: {s: {type: prismatic, parent: ground, child: a, axis: [%s, 1], velocity: -0.6}}\n"
                     "  lower:\n    bodies: {b: {mass: %g, inertia: 1, shapes: [{box: {size: [%s2], centre: [%s, -1], material: soil}}]}}\n"
                     "    joints: {t: {type: prismatic, parent: ground, child: b, axis: [%s, 1], velocity: 0.2}}\n",
                     dimension, h, F0, k, held ? 1.0 : 2.0, ball, across, across, held ? 2.0 : 6.0, dimension == 3 ? "2, 2, " : "2, ", across, across);
    if (held)
        snprintf(text + n, sizeof text - (size_t)n,
                 "bodies:\n  up: {position: [%s, 1], velocity: [%s, -0.6], mass: 1, shapes: [{%s: {radius: 0.1, material: stone}}]}\n"
                 "  down: {position: [%s, -3], velocity: [%s, 0.2], mass: 4, shapes: [{%s: {radius: 0.1, material: soil}}]}\n"
                 "joints:\n  u: {type: fixed, bodies: [a, up], at: [%s, 1]}\n  d: {type: fixed, bodies: [b, down], at: [%s, -3]}\n",
                 across, across, ball, across, across, ball, across, across);
    lab l = open_lab(text, 1);
    double depth, before = energy(l.world);
    for (int i = 0; i < 0.1 / h; i++) {
        lab_step(&l);
        const double now = energy(l.world);
        if (now > before + 1e-9) TEST_FAIL("h = %g: the energy grows by %g J", h, now - before);
        before = now;
    }
    *centre = (2 * height(l.world, "a", dimension - 1) + 6 * height(l.world, "b", dimension - 1)) / 8;
    (void)force_on(l.world, "a", &depth);
    close_lab(&l);
    return depth;
}

TEST(jointed_bodies_on_each_other)
{
    const double m = 1.5, F0 = 5, k = 4000, v0 = 0.8, w = sqrt(k / m), a = -F0 / m, depth = a / (w * w) + sqrt(a * a + v0 * v0 * w * w) / (w * w);
    for (int c = 0; c < 4; c++) {
        double error[2], centre = 0;
        for (int i = 0; i < 2; i++) {
            error[i] = fabs(press(2 + c % 2, c / 2, i ? 1e-4 : 4e-4, &centre) - depth);
            CHECK_NEAR(centre, 0, 1e-12); /* momentum is zero, to rounding */
        }
        if (!(error[0] > 3.7 * error[1] && error[0] < 4.3 * error[1] && error[1] < 0.005 * depth))
            TEST_FAIL("%s, dimension %d: off by %g and %g of %g", c / 2 ? "held" : "alone", 2 + c % 2, error[0], error[1], depth);
    }
}

/* Ground so hard that it stops what strikes it within a step: it sinks by no more than a step's way, and does not come back. */
TEST(hard_ground)
{
    lab l = open_lab("time: {end: 1 s, step: 1 ms}\ngravity: [0, -9.81]\nmaterials: {stone: {density: 2700}}\n"
                     "interactions: [{law: plastic, threshold: 0 N, hardening: 1e12 N/m, limit: 0.4}]\nbodies:\n"
                     "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}\n"
                     "  b: {position: [0, 0.1], velocity: [0, -2], shapes: [{disk: {radius: 0.1, material: stone}}]}\n"
                     "probes: {v: {body: b, quantity: vy}}\n",
                     1);
    for (int i = 0; i < 100; i++) {
        lab_step(&l);
        CHECK(lab_probe(&l, "v") < 1e-6);
    }
    CHECK_NEAR(height(l.world, "b", 1), 0.1, 2e-3);
    close_lab(&l);
}

/* A light stone between the ground and a heavy block, one above the other in a shaft: the block's weight, not the stone's own, decides how deep it sinks. */
TEST(a_stone_under_a_load)
{
    const double F0 = 1000, k = 4e5, stone = 2700 * pi * 0.01, block = 100 * 4.0, m = stone + block, a = g - F0 / m, depth = 2 * a * m / k;
    double error[2];
    for (int i = 0; i < 2; i++) {
        char text[2000];
        const double h = i ? 2.5e-4 : 1e-3;
        snprintf(text, sizeof text,
                 "time: {end: 1 s, step: %.9g s}\ngravity: [0, -9.81]\nsolver: {tolerance: 1e-9, max_iterations: 100000}\n"
                 "materials: {stone: {density: 2700}, soil: {density: 1}, iron: {density: 100}}\n"
                 "interactions: [{between: [stone, soil], law: plastic, threshold: 1 kN, hardening: 400 kN/m, limit: 0.5}]\nbodies:\n"
                 "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: soil}}]}\n"
                 "  stone: {position: [0, 0.1], shapes: [{disk: {radius: 0.1, material: stone}}]}\n"
                 "  block: {position: [0, 1.2], shapes: [{box: {size: [2, 2], material: iron}}]}\n",
                 h);
        lab l = open_lab(text, 1);
        lab_run(&l, 0.5);
        error[i] = fabs(0.1 - height(l.world, "stone", 1) - depth);
        CHECK_NEAR(height(l.world, "block", 1) - height(l.world, "stone", 1), 1.1, 1e-5);
        close_lab(&l);
    }
    if (!(error[0] > 3.5 * error[1] && error[1] < 0.01 * depth)) TEST_FAIL("off by %g and %g of %g m", error[0], error[1], depth);
}

/* A box that slides while it sinks to its limit: from then on with the friction that this depth has. */
/* A light block stands on stiff soil, on many elements and nodes, and is pressed by a force that grows slowly from 0 to F. The pair sinks by (F − F₀)/k as one,
 * whatever of the soil it touches. It starts from rest at F₀, so that it swings about that way by at most F'/(k ω) with F' ≤ π F/2 per second and ω² = k/m:
 * 8 × 10⁻⁵ m. Nodes that have gone deeper than a side of the block is far would be pushed out there; these are farther. Astride a periodic
 * border it touches both ends of the soil, and is one pair as well. */
static void on_soil(int dimension, const char *elements, const char *contact, bool astride)
{
    const double F = 80, F0 = 50, k = 3000;
    const bool plane = dimension == 2;
    char text[4000];
    int n = snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 2 s, step: 2 ms}\nintegrator: {theta: 0.6}\nsolver: {tolerance: 1e-7, max_iterations: 2000}\n"
                     "materials: {stone: {density: 2700}, earth: {density: 500}}\n"
                     "interactions: [{between: [stone, earth], law: plastic, threshold: %g N, hardening: %g N/m, limit: 0.45}]\n%s",
                     dimension, F0, k, astride ? "periodic: {x: [-30 cm, 30 cm]}\n" : "");
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "solids:\n  soil:\n    box: {size: [%d cm, %s20 cm], elements: [%s]}\n    material: {density: 500, young: 100 MPa, poisson: 0.2}\n"
                  "    damping: {stiffness: 2 ms}\n    fixed: bottom\n    contact: {material: earth, surface: top, as: %s}\n",
                  astride ? 60 : 40, plane ? "" : "40 cm, ", elements, contact);
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "bodies: {b: {mass: 10 g, position: [%s, %s6 cm], shapes: [{box: {size: [17 cm, %s12 cm], material: stone}}]}}\n", astride ? "30 cm" : "5 mm",
                  plane ? "" : "0, ", plane ? "" : "17 cm, ");
    snprintf(text + n, sizeof text - (size_t)n, "loads: {press: {body: b, %c: \"-%g/2*(1 - cos(pi*clamp(t/(1 s), 0, 1)))\"}}\n", plane ? 'y' : 'z', F);
    lab l = open_lab(text, 1);
    double depth = 0;
    while (talus_world_time(l.world) < 1.1) (void)lab_step(&l);
    CHECK_CLOSE(force_on(l.world, "b", &depth), F, 1e-2);
    CHECK_NEAR(depth, (F - F0) / k, 8e-5);
    CHECK_NEAR(height(l.world, "b", dimension - 1), 0.06 - depth, 1e-5);
    close_lab(&l);
}

TEST(the_surface_of_a_solid_is_one)
{
    on_soil(2, "8, 4", "nodes", false);
    on_soil(2, "12, 4", "nodes", false);
    on_soil(3, "8, 8, 4", "antagonist", false);
    on_soil(3, "8, 8, 4", "nodes", false);
    on_soil(3, "8, 8, 4", "both", false);
    on_soil(3, "12, 12, 4", "both", false);
    on_soil(2, "10, 4", "nodes", true);
    on_soil(3, "10, 8, 4", "both", true);
}

/* Of two solids the size is the smaller radius of what the two stand for: half of the way to the next node, 25 mm. Pressed by far more
 * than they bear, 3.5 N, one sinks into the other by its limit of that, 0.02 of it; both give by p H/E, 7 µm on a foot that does not spread. */
TEST(two_solids)
{
    const char *text =
        "dimension: 3\ntime: {end: 1 s, step: 2 ms}\nintegrator: {theta: 0.6}\nsolver: {tolerance: 1e-6, max_iterations: 2000}\n"
        "materials: {stone: {density: 2700}, earth: {density: 500}}\n"
        "interactions: [{between: [stone, earth], law: plastic, threshold: 1 N, hardening: 100 N/m, limit: 0.02}]\n"
        "solids:\n  soil:\n    box: {size: [40 cm, 40 cm, 20 cm], elements: [8, 8, 4]}\n    material: {density: 500, young: 100 MPa, poisson: 0.2}\n"
        "    damping: {stiffness: 2 ms}\n    fixed: bottom\n    contact: {material: earth, surface: top, as: antagonist}\n"
        "  block:\n    box: {size: [24 cm, 24 cm, 10 cm], elements: [4, 4, 2], at: [0, 0, 10 cm]}\n"
        "    material: {density: 500, young: 100 MPa, poisson: 0.2}\n    damping: {stiffness: 2 ms}\n"
        "    contact: {material: stone, surface: bottom, as: nodes}\n    loads: [{on: top, pressure: 10 kPa}]\n"
        "probes: {down: {displacement: block, on: bottom, quantity: z}}\n";
    lab l = open_lab(text, 1);
    while (talus_world_time(l.world) < 0.5) (void)lab_step(&l);
    CHECK_NEAR(lab_probe(&l, "down"), -0.02 * 0.025, 1.5e-5);
    close_lab(&l);
}

TEST(friction_grows)
{
    const double slope = atan(0.4), limit = 0.05 * hypot(0.1, 0.05);
    for (int i = 0; i < 2; i++) {
        char text[2000];
        const double share = i ? 2 : 0.5, friction = 0.2 + 0.3 * fmin(1 / share, 1);
        snprintf(text, sizeof text,
                 "time: {end: 1 s, step: 0.5 ms}\ngravity: [%.17g, %.17g]\nsolver: {tolerance: 1e-9, max_iterations: 100000}\n"
                 "materials: {stone: {density: 2700}}\n"
                 "interactions: [{law: plastic, threshold_impulse: 0.005 N s, limit: 0.05, friction: 0.2, plastic_friction: 0.5, friction_depth: %.17g}]\n"
                 "bodies:\n  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}\n"
                 "  b: {position: [0, 0.05], velocity: [0.3, 0], shapes: [{box: {size: [0.2, 0.1], material: stone}}]}\nprobes: {v: {body: b, quantity: vx}}\n",
                 g * sin(slope), -g * cos(slope), share * limit);
        lab l = open_lab(text, 1);
        lab_run(&l, 0.4);
        const double v = lab_probe(&l, "v"), y = height(l.world, "b", 1);
        lab_run(&l, 0.5);
        CHECK_NEAR(y, 0.05 - limit, 1e-7);
        CHECK_NEAR(lab_probe(&l, "v") - v, 0.1 * fmax(g * (sin(slope) - friction * cos(slope)), i ? -1 : 0), 1e-6);
        close_lab(&l);
    }
}

/* While it sinks: the state put into another world goes on with the same bits; without the state of laws it would not. */
TEST(restart)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const char *text = dimension == 2 ? "time: {end: 1 s, step: 1 ms}\ngravity: [0, -9.81]\nmaterials: {stone: {density: 2700}}\n"
                                            "interactions: [{law: plastic, threshold: 10 N, hardening: 50 kN/m, limit: 0.4, friction: 0.5}]\nbodies:\n"
                                            "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}\n"
                                            "  a: {position: [0, 0.12], angle: 0.2, shapes: [{box: {size: [0.2, 0.2], material: stone}}]}\n"
                                            "  b: {position: [0.03, 0.35], shapes: [{disk: {radius: 0.1, material: stone}}]}\n"
                                          : "dimension: 3\ntime: {end: 1 s, step: 1 ms}\ngravity: [0, 0, -9.81]\nmaterials: {stone: {density: 2700}}\n"
                                            "interactions: [{law: plastic, threshold: 10 N, hardening: 50 kN/m, limit: 0.4, friction: 0.5}]\nbodies:\n"
                                            "  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: stone}}]}\n"
                                            "  a: {position: [0, 0, 0.12], shapes: [{box: {size: [0.2, 0.2, 0.2], material: stone}}]}\n"
                                            "  b: {position: [0.03, 0, 0.35], shapes: [{sphere: {radius: 0.1, material: stone}}]}\n";
        lab l = open_lab(text, 1), again = open_lab(text, 1);
        int rows = 0;
        lab_run(&l, 0.13);
        talus_field field[64];
        const int n = talus_state_count(l.world);
        for (int i = 0; i < n; i++) {
            talus_state_field(l.world, i, &field[i]);
            if (strcmp(field[i].name, "pairs/state") == 0) rows = (int)field[i].rows;
        }
        if (rows != 2) TEST_FAIL("%d rows", rows);
        CHECK_OK(talus_state_restore(again.world, field, n), talus_world_error(again.world));
        CHECK(talus_world_hash(l.world) == talus_world_hash(again.world));
        for (int i = 0; i < 200; i++) {
            lab_step(&l), lab_step(&again);
            CHECK(talus_world_hash(l.world) == talus_world_hash(again.world));
        }
        close_lab(&l), close_lab(&again);
    }
}

/* What it may not be told. */
/* A dense cloud of balls flies into a wall: every step some of them are thrown at others that were not near, and the list of near pairs grows within the step,
 * also where no pair joins the problem. Energy never grows. */
TEST(a_cloud_against_a_wall)
{
    enum { ROWS = 12, COLUMNS = 8 };
    for (int dimension = 2; dimension <= 3; dimension++) {
        static char scene[32768];
        snprintf(scene, sizeof scene,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\ninteractions: [{law: plastic, threshold: 50 N, hardening: 1e4 "
                 "N/m, limit: "
                 "0.2, friction: 0.5}]\nbodies:\n  wall: {kind: fixed, shapes: [{%s, material: m}}]}\n",
                 dimension, dimension == 2 ? "half_plane: {point: [0, 0], normal: [1, 0]" : "half_space: {point: [0, 0, 0], normal: [1, 0, 0]");
        for (int i = 0; i < ROWS * COLUMNS; i++) {
            const int row = i / COLUMNS, column = i % COLUMNS;
            snprintf(scene + strlen(scene), sizeof scene - strlen(scene),
                     "  b%d: {position: [%.6g, %.6g%s], velocity: [%.6g, %.6g%s], shapes: [{%s: {radius: %.6g, material: m}}]}\n", i, 0.03 + 0.024 * row,
                     0.0235 * column + 0.004 * (row % 3), dimension == 3 ? ", 0" : "", -20 - 0.7 * ((i * 7) % 11), 0.5 * ((i * 5) % 7 - 3),
                     dimension == 3 ? ", 0" : "", dimension == 2 ? "disk" : "sphere", 0.01 + 0.0003 * (i % 5));
        }
        lab l = open_lab(scene, 1);
        double kept = energy(l.world);
        const double first = kept;
        for (int n = 0; n < 120; n++) {
            lab_step(&l);
            CHECK(energy(l.world) <= kept * (1 + 1e-6));
            kept = energy(l.world);
        }
        CHECK(kept < 0.5 * first);
        close_lab(&l);
    }
}

TEST(mistakes)
{
    static const char *const WRONG[][2] = {{"limit: 0.2", "threshold"},
                                           {"threshold: 1 N, threshold_impulse: 1 N s, limit: 0.2", "threshold"},
                                           {"threshold: 1 N", "limit"},
                                           {"threshold: 1 N, limit: 0.2, restitution: 0.5", "restitution"},
                                           {"threshold: 1 N, limit: 0.2, activation: gap", "gap"},
                                           {"threshold: 1 N, limit: 0.2, plastic_friction: 1", "friction_depth"}};
    for (int i = 0; i < 6; i++) {
        char text[500];
        snprintf(text, sizeof text, "time: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1}}\ninteractions: [{law: plastic, %s}]\n", WRONG[i][0]);
        talus_scene *scene = load_lab(text);
        talus_world *w = NULL;
        CHECK(talus_scene_build(scene, 1, &w) == TALUS_INPUT);
        CHECK(strstr(talus_scene_mistake(scene, 0), WRONG[i][1]));
        talus_world_destroy(w);
        talus_scene_destroy(scene);
    }
}

int main(int argc, char **argv)
{
    RUN(depth_and_force);
    RUN(jointed_bodies_on_each_other);
    RUN(hard_ground);
    RUN(a_stone_under_a_load);
    RUN(the_surface_of_a_solid_is_one);
    RUN(two_solids);
    RUN(friction_grows);
    RUN(restart);
    RUN(a_cloud_against_a_wall);
    RUN(mistakes);
    RUN(four_blocks_sink_by_their_own_size);
    return TEST_RESULT;
}
