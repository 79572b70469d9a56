/* Contacts that resist rolling and spinning (theory §2.7), from scenes: closed forms in the plane and in space, with joints and in mechanisms; energy; heaps.
 */
#include "lab.h"

static const double G = 9.81, R = 0.1;

/* A disk, a ball or both on a floor; gravity along x and against the floor. */
static lab on_floor(int dimension, double h, double gx, double gn, const char *law, const char *bodies)
{
    char text[4096], gravity[100];
    snprintf(gravity, sizeof gravity, dimension == 2 ? "[%.17g, %.17g]" : "[%.17g, 0, %.17g]", gx, -gn);
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 10 s, step: %.17g s}\ngravity: %s\nmaterials: {m: {density: 1000}}\nsolver: {tolerance: 1e-13 m/s}\n"
             "interactions: [{friction: 0.6, law: rolling, %s}]\n"
             "bodies:\n  floor: {kind: fixed, material: m, shapes: [{%s: {point: [0, 0%s], normal: [0, %s1]}}]}\n%s",
             dimension, h, gravity, law, dimension == 2 ? "half_plane" : "half_space", dimension == 2 ? "" : ", 0", dimension == 2 ? "" : "0, ", bodies);
    return open_lab(text, 1);
}

#define DISK                                                                                                                                                   \
    "  b: {position: [0, 0.1], shapes: [{disk: {radius: 0.1, material: m}}]%s}\nprobes: {x: {body: b}, v: {body: b, quantity: vx}, e: {energy: total}}\n"
#define BALL                                                                                                                                                   \
    "  b: {position: [0, 0, 0.1], shapes: [{sphere: {radius: 0.1, material: m}}]%s}\n"                                                                         \
    "probes: {x: {body: b}, v: {body: b, quantity: vx}, w: {body: b, quantity: wz}, e: {energy: total}}\n"

static double gyration(int dimension) { return dimension == 2 ? 0.5 : 0.4; } /* J / (m R²) */

/* Below tan α = μ_r / R it stays, to rounding; above it rolls with what is left of gravity. */
TEST(an_incline)
{
    static const double STEP[] = {1e-2, 1e-3}, ROLLING = 0.02, SLOPE = 0.2;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int i = 0; i < 2; i++)
            for (int k = -1; k <= 1; k += 2) {
                char bodies[512];
                const double slope = SLOPE * (1 + 1e-6 * k), gn = G / sqrt(1 + slope * slope), gx = slope * gn;
                snprintf(bodies, sizeof bodies, dimension == 2 ? DISK : BALL, "");
                lab l = on_floor(dimension, STEP[i], gx, gn, "rolling: 20 mm", bodies);
                lab_run(&l, 1);
                const double expected = k < 0 ? 0 : (gx - gn * ROLLING / R) / (1 + gyration(dimension));
                CHECK_NEAR(lab_probe(&l, "v"), expected, 1e-11);
                if (k < 0) CHECK_NEAR(lab_probe(&l, "x"), 0, 1e-12);
                close_lab(&l);
            }
}

/* v²/2a on the level, a = g (μ_r/R) / (1 + J/mR²). Deceleration is even, so all steps are exact but the one in which it stops: that is off by a h²/8 at most.
 */
TEST(the_level)
{
    static const double STEP[] = {8e-3, 4e-3, 2e-3, 1e-3, 5e-4}, V = 0.3, ROLLING = 0.005;
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double a = G * ROLLING / R / (1 + gyration(dimension));
        for (int i = 0; i < 5; i++) {
            char bodies[512];
            snprintf(bodies, sizeof bodies, dimension == 2 ? DISK : BALL,
                     dimension == 2 ? ", velocity: [0.3, 0], angular_velocity: -3 rad/s" : ", velocity: [0.3, 0, 0], spin: [0, 3, 0]");
            lab l = on_floor(dimension, STEP[i], 0, G, "rolling: 5 mm", bodies);
            double before = lab_probe(&l, "e");
            while (talus_world_time(l.world) < 1.1 * V / a) {
                lab_step(&l);
                CHECK(lab_probe(&l, "e") <= before + 1e-13);
                before = lab_probe(&l, "e");
            }
            CHECK_NEAR(lab_probe(&l, "v"), 0, 1e-12);
            CHECK_NEAR(lab_probe(&l, "x"), 0.5 * V * V / a, 0.126 * a * STEP[i] * STEP[i]);
            close_lab(&l);
        }
    }
    CHECK_NEAR(0.5 * V * V / (G * ROLLING / R / 1.5), 3 * V * V * R / (4 * ROLLING * G), 1e-15); /* as theory §2.7 writes them */
    CHECK_NEAR(0.5 * V * V / (G * ROLLING / R / 1.4), 7 * V * V * R / (10 * ROLLING * G), 1e-15);
}

/* ω J / (μ_s m g) until a spinning ball rests, whether it rolls meanwhile or not; rolling is not resisted without `rolling`. */
TEST(a_top)
{
    static const double SPIN = 5, SPINNING = 0.002, H = 1e-3;
    for (int rolls = 0; rolls < 2; rolls++) {
        char bodies[512];
        snprintf(bodies, sizeof bodies, BALL, rolls ? ", velocity: [0.3, 0, 0], spin: [0, 3, 5]" : ", spin: [0, 0, 5]");
        lab l = on_floor(3, H, 0, G, "spinning: 2 mm", bodies);
        const double stop = 0.4 * R * R * SPIN / (SPINNING * G);
        while (talus_world_time(l.world) < stop - H) {
            lab_step(&l);
            CHECK_NEAR(lab_probe(&l, "w"), SPIN * (1 - talus_world_time(l.world) / stop), 1e-10);
        }
        for (int i = 0; i < 3; i++) lab_step(&l);
        CHECK_NEAR(lab_probe(&l, "w"), 0, 1e-11);
        CHECK_NEAR(lab_probe(&l, "v"), rolls ? 0.3 : 0, 1e-11);
        close_lab(&l);
    }
}

/* Both at once: each moment has its own bound. */
TEST(a_rolling_top)
{
    char bodies[512];
    snprintf(bodies, sizeof bodies, BALL, ", velocity: [0.3, 0, 0], spin: [0, 3, 5]");
    lab l = on_floor(3, 1e-3, 0, G, "rolling: 5 mm, spinning: 2 mm", bodies);
    lab_run(&l, 0.5);
    CHECK_NEAR(lab_probe(&l, "v"), 0.3 - 0.5 * G * 0.005 / R / 1.4, 1e-10);
    CHECK_NEAR(lab_probe(&l, "w"), 5 - 0.5 * 0.002 * G / (0.4 * R * R), 1e-9);
    close_lab(&l);
}

/* A chassis on two wheels, joined by axles, or a mechanism: Σ N = M g, so μ_r M g / R slows M + 2 J/R², however the weight is spread. */
TEST(a_cart)
{
    static const char *const CART[] = {
        "  c: {position: [0, 0.1], velocity: [0.3, 0], mass: 3 kg, inertia: 0.1 kg m^2}\n"
        "  l: {position: [-0.3, 0.1], velocity: [0.3, 0], angular_velocity: -3 rad/s, mass: 1 kg, inertia: 0.005 kg m^2, shapes: [{disk: {radius: 0.1, "
        "material: "
        "m}}]}\n"
        "  r: {position: [0.2, 0.1], velocity: [0.3, 0], angular_velocity: -3 rad/s, mass: 1 kg, inertia: 0.005 kg m^2, shapes: [{disk: {radius: 0.1, "
        "material: "
        "m}}]}\n"
        "joints: {left: {bodies: [c, l], at: [-0.3, 0.1]}, right: {bodies: [c, r], at: [0.2, 0.1]}}\nprobes: {x: {body: c}, v: {body: c, quantity: vx}}\n",
        "mechanisms:\n  cart:\n    bodies:\n      c: {mass: 3 kg, inertia: 0.1 kg m^2}\n"
        "      l: {mass: 1 kg, inertia: 0.005 kg m^2, shapes: [{disk: {radius: 0.1, material: m}}]}\n"
        "      r: {mass: 1 kg, inertia: 0.005 kg m^2, shapes: [{disk: {radius: 0.1, material: m}}]}\n"
        "    joints:\n      f: {type: planar, parent: ground, child: c, position: {y: 0.1}, velocity: {x: 0.3}}\n"
        "      a: {type: revolute, parent: c, child: l, at: [-0.3, 0], velocity: -3 rad/s}\n"
        "      b: {type: revolute, parent: c, child: r, at: [0.2, 0], velocity: -3 rad/s}\n"
        "probes: {x: {body: c}, v: {body: c, quantity: vx}}\n"};
    static const double V = 0.3, H = 2e-3;
    const double a = 0.005 * 5 * G / R / (5 + 2 * 0.005 / (R * R));
    for (int i = 0; i < 2; i++) {
        lab l = on_floor(2, H, 0, G, "rolling: 5 mm", CART[i]);
        lab_run(&l, 1.1 * V / a);
        CHECK_NEAR(lab_probe(&l, "v"), 0, 1e-10);
        CHECK_NEAR(lab_probe(&l, "x"), 0.5 * V * V / a, 0.2 * a * H * H);
        close_lab(&l);
    }
}

/* Balls and boxes fall, bounce and roll on a floor: energy never grows. */
TEST(energy)
{
    char text[8192];
    int at = snprintf(text, sizeof text,
                      "dimension: 3\ntime: {end: 0.5 s, step: 2 ms}\ngravity: [0, 0, -9.81]\nmaterials: {m: {density: 1000}}\n"
                      "solver: {tolerance: 1e-8 m/s, max_iterations: 1000}\n"
                      "interactions: [{friction: 0.5, restitution: 0.4, law: rolling, rolling: 3 mm, spinning: 1 mm}]\nprobes: {e: {energy: total}}\n"
                      "bodies:\n  box: {kind: fixed, material: m, shapes: [{half_space: {point: [0, 0, 0], normal: [0.2, 0, 1]}}, {half_space: {point: [0, 0, "
                      "0], normal: [-0.3, 0.2, 1]}}, {half_space: {point: [0, 0, 0], normal: [0, -0.2, 1]}}]}\n");
    for (int i = 0; i < 12; i++) {
        const char *shape = i % 3 ? "sphere: {radius: 24 mm, material: m}" : "box: {size: [40 mm, 30 mm, 50 mm], material: m}";
        at += snprintf(text + at, sizeof text - (size_t)at, "  b%d: {position: [%g, %g, %g], spin: [%d, 3, %d], shapes: [{%s}]}\n", i,
                       0.06 * (i % 3) + 0.003 * (i / 9), 0.06 * (i / 3 % 3), 0.08 + 0.06 * (i / 9), i % 5 - 2, i % 7, shape);
    }
    lab l = open_lab(text, 1);
    double before = lab_probe(&l, "e");
    int contacts = 0;
    while (talus_world_time(l.world) < 0.5) {
        lab_step(&l);
        const double now = lab_probe(&l, "e");
        CHECK(now <= before + 1e-7);
        before = now;
        contacts = talus_contact_count(l.world);
    }
    CHECK(contacts > 10);
    close_lab(&l);
}

/* A column of disks that collapses stands the higher the more rolling is resisted: the height of its centre of mass over that without. */
TEST(heaps)
{
    double height[3];
    for (int i = 0; i < 3; i++) {
        static const char *const LAW[] = {"", ", law: rolling, rolling: 1 mm", ", law: rolling, rolling: 5 mm"};
        char text[2048];
        snprintf(
            text, sizeof text,
            "time: {end: 1.5 s, step: 4 ms}\ngravity: [0, -9.81]\nmaterials: {m: {density: 1000}}\nsolver: {max_iterations: 100}\n"
            "interactions: [{friction: 0.6%s}]\nbodies:\n  floor: {kind: fixed, material: m, shapes: [{half_plane: {point: [0, 0], normal: [0, 1]}}]}\n"
            "grains:\n  a: {generator: drop, region: [[-0.05, 0], [0.05, 2]], count: 80, shape: disk, radius: {classes: [9 mm, 10 mm, 11 mm]}, material: m}\n"
            "probes: {e: {energy: potential}}\n",
            LAW[i]);
        lab l = open_lab(text, 1);
        lab_run(&l, 1.5);
        height[i] = lab_probe(&l, "e");
        close_lab(&l);
    }
    printf("potential energies of heaps: %.3g, %.3g, %.3g J\n", height[0], height[1], height[2]);
    CHECK(height[1] > 1.1 * height[0]);
    CHECK(height[2] > 1.1 * height[1]);
}

/* What sweeps have not settled is in the residual: three balls on each other that begin to roll, after few of them, and after many. */
TEST(errors_are_said)
{
    for (int many = 0; many < 2; many++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "dimension: 3\ntime: {end: 1 s, step: 1 ms}\ngravity: [0.3, 0, -9.81]\nmaterials: {m: {density: 1000}}\n"
                 "solver: {tolerance: 1e-13 m/s, max_iterations: %d}\ninteractions: [{friction: 0.6, law: rolling, rolling: 1 mm}]\n"
                 "bodies:\n  floor: {kind: fixed, material: m, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1]}}]}\n"
                 "  a: {position: [0, 0, 0.1], shapes: [{sphere: {radius: 0.1, material: m}}]}\n"
                 "  b: {position: [0, 0, 0.3], shapes: [{sphere: {radius: 0.1, material: m}}]}\n"
                 "  c: {position: [0, 0, 0.5], shapes: [{sphere: {radius: 0.1, material: m}}]}\n",
                 many ? 10000 : 2);
        lab l = open_lab(text, 1);
        talus_step_report report = {0};
        CHECK_OK(talus_world_step(l.world, &report), talus_world_error(l.world));
        CHECK(report.converged == many);
        CHECK(many ? report.residual <= 1e-13 : report.residual > 1e-5 && report.residual < 1);
        close_lab(&l);
    }
}

TEST(mistakes_are_said)
{
    static const struct {
        const char *law, *solver, *says;
    } CASE[] = {{"law: rolling", "", "wants a length 'rolling'"},
                {"law: rolling, rolling: -1 mm", "", "rolling"},
                {"law: rolling, rolling: 1 mm", "solver: {method: newton}\n", "the law 'rolling'"},
                {"law: rolling, rolling: 1 mm", "solver: {least_norm: true}\n", "the law 'rolling'"}};
    for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
        char text[1024], all[4096] = "";
        snprintf(text, sizeof text,
                 "time: {end: 1 s, step: 1 ms}\ngravity: [0, -9.81]\nmaterials: {m: {density: 1}}\n%sinteractions: [{friction: 0.5, %s}]\n"
                 "bodies:\n  floor: {kind: fixed, material: m, shapes: [{half_plane: {point: [0, 0], normal: [0, 1]}}]}\n"
                 "  b: {position: [0, 0.1], shapes: [{disk: {radius: 0.1, material: m}}]}\n",
                 CASE[i].solver, CASE[i].law);
        talus_scene *s = load_lab(text);
        talus_world *w = NULL;
        if (talus_scene_mistake_count(s) == 0 && talus_scene_build(s, 1, &w) == TALUS_OK) TEST_FAIL("'%s' with '%s' is built", CASE[i].law, CASE[i].solver);
        for (int k = 0; k < talus_scene_mistake_count(s); k++) snprintf(all + strlen(all), sizeof all - strlen(all), "%s\n", talus_scene_mistake(s, k));
        if (!strstr(all, CASE[i].says)) TEST_FAIL("'%s' does not say '%s'", all, CASE[i].says);
        talus_world_destroy(w);
        talus_scene_destroy(s);
    }
}

/* What deforms takes no moments: that is said before the first step, and only where a pair asks for them. */
TEST(solids_take_no_moments)
{
    static const char *const LAW[] = {"{law: rolling, rolling: 1 mm, friction: 0.5}", "{between: [m, soil], law: rolling, rolling: 1 mm, friction: 0.5}",
                                      "{between: [m, m], law: rolling, rolling: 1 mm, friction: 0.5}"};
    for (int d = 2; d <= 3; d++)
        for (size_t i = 0; i < sizeof LAW / sizeof *LAW; i++) {
            char text[1024], all[2048] = "";
            snprintf(
                text, sizeof text,
                "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}, soil: {density: 1000}}\ninteractions: [{friction: 0.3}, %s]\n"
                "solids: {s: {box: {size: [1, %s1], elements: [2, %s2]}, fixed: [bottom], material: {density: 1000, young: 1 MPa, poisson: 0.3}, "
                "contact: {surface: top, as: both, material: soil}}}\n"
                "bodies: {b: {position: [0, %s2], shapes: [{%s: {radius: 0.2, material: m}}]}}\n",
                d, LAW[i], d == 2 ? "" : "1, ", d == 2 ? "" : "2, ", d == 2 ? "" : "0, ", d == 2 ? "disk" : "sphere");
            talus_scene *s = load_lab(text);
            talus_world *w = NULL;
            if (talus_scene_mistake_count(s) == 0) (void)!talus_scene_build(s, 1, &w);
            for (int k = 0; k < talus_scene_mistake_count(s); k++) snprintf(all + strlen(all), sizeof all - strlen(all), "%s\n", talus_scene_mistake(s, k));
            if (i < 2 ? !strstr(all, "solid 's' takes no moments of contacts, and its interaction with 'm' resists rolling") : all[0] != 0 || !w)
                TEST_FAIL("%s says '%s'", text, all);
            talus_world_destroy(w);
            talus_scene_destroy(s);
        }
}

int main(int argc, char **argv)
{
    RUN(an_incline);
    RUN(the_level);
    RUN(a_top);
    RUN(a_rolling_top);
    RUN(a_cart);
    RUN(energy);
    RUN(heaps);
    RUN(errors_are_said);
    RUN(mistakes_are_said);
    RUN(solids_take_no_moments);
    return TEST_RESULT;
}
