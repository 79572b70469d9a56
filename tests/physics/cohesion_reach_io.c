/* Cohesion and liquid bridges: what touches beyond the reach of the pull has no part in it, however far detection looks. In plane and space, against closed
 * forms. */
#include "lab.h"

/* A body of 1 kg that leans by 0.02 rad on the ground and cannot turn is pulled up by 200 N/s. Its lowest points are within d = 1 mm and all others millimetres
 * higher, but within the alert distance. It pulls with F = 100 N until it has gone d, and that takes (6 m d/r)^⅓ from when the load is F. */
static void pull(int dimension, const char *scheme, const char *shape, double low, const char *ground, double alert)
{
    const double F = 100, d = 1e-3, r = 200, h = 5e-4;
    char text[2000];
    const char *up = dimension == 3 ? "z" : "y";
    (void)snprintf(text, sizeof text,
                   "dimension: %d\ntime: {end: 1 s, step: %.9g s}\nintegrator: {scheme: %s}\nmaterials: {m: {density: 1000}}\n"
                   "interactions: [{law: cohesion, force: %g N, distance: %g m}]\ndetection: {alert_distance: %g m}\nbodies:\n"
                   "  p: {kind: fixed, material: m, shapes: [{%s}]}\n"
                   "  b: {position: [%s%.12g], %s, mass: 1, %s, material: m, shapes: [%s]}\n"
                   "loads: {f: {body: b, %s: \"(%g N)*t/(1 s)\"}}\nprobes: {f: {contact_force: b, quantity: %s}}\n",
                   dimension, h, scheme, F, d, alert, ground, dimension == 3 ? "0, 0, " : "0, ", low,
                   dimension == 3 ? "orientation: {axis_angle_deg: [0, -1, 0, 1.145915590261646]}" : "angle: 0.02 rad",
                   dimension == 3 ? "inertia_tensor: [1e6, 1e6, 1e6]" : "inertia: 1e6", shape, up, r, up);
    lab l = open_lab(text, 1);
    double most = 0, parted = 0;
    while (parted == 0 && talus_world_time(l.world) < 0.7) {
        (void)lab_step(&l);
        const double f = -lab_probe(&l, "f"), t = talus_world_time(l.world);
        most = fmax(most, f);
        if (t > F / r + 4 * h && !(f > 0.5 * F)) parted = t;
    }
    if (!(fabs(most - F) <= 1e-6 * F && fabs(parted - F / r - cbrt(6 * d / r)) <= 2 * h))
        TEST_FAIL("dimension %d, %s, %s, on %s, alert %g m: pulls with %.9g N, parts at %g s", dimension, scheme, shape, ground, alert, most, parted);
    close_lab(&l);
}

TEST(leaning_shapes)
{
    static const char *const GROUND2[2] = {"half_plane: {point: [0, 0], normal: [0, 1]}", "box: {size: [1, 1], centre: [0, -0.5]}"};
    static const char *const GROUND3[2] = {"half_space: {point: [0, 0, 0], normal: [0, 0, 1]}", "box: {size: [1, 1, 1], centre: [0, 0, -0.5]}"};
    static const double ALERT[3] = {1e-4, 3e-3, 1e-2};
    const double c = cos(0.02), s = sin(0.02);
    const struct {
        int dimension;
        const char *shape;
        double low;
    } CASE[] = {{2, "{box: {size: [0.2, 0.2]}}", 0.1 * c + 0.1 * s},
                {2, "{segment: {from: [-0.1, 0], to: [0.1, 0], radius: 0.05}}", 0.05 + 0.1 * s},
                {2, "{disk: {radius: 0.05, centre: [-0.1, 0]}}, {disk: {radius: 0.05, centre: [0.1, 0]}}", 0.05 + 0.1 * s},
                {3, "{box: {size: [0.2, 0.2, 0.2]}}", 0.1 * c + 0.1 * s},
                {3, "{capsule: {from: [-0.1, 0, 0], to: [0.1, 0, 0], radius: 0.05}}", 0.05 + 0.1 * s},
                {3, "{cylinder: {from: [0, 0, -0.1], to: [0, 0, 0.1], radius: 0.1}}", 0.1 * c + 0.1 * s},
                {3, "{frustum: {from: [0, 0, -0.1], to: [0, 0, 0.1], radius: 0.1, radius_to: 0.05}}", 0.1 * c + 0.1 * s},
                {3, "{box: {size: [0.02, 0.2, 0.2], centre: [-0.09, 0, 0]}}, {box: {size: [0.02, 0.2, 0.2], centre: [0.09, 0, 0]}}", 0.1 * c + 0.1 * s}};
    for (size_t k = 0; k < sizeof CASE / sizeof *CASE; k++)
        for (int i = 0; i < 6; i++)
            pull(CASE[k].dimension,
                 i == 5   ? "spook"
                 : i == 4 ? "generalized_alpha"
                          : "moreau",
                 CASE[k].shape, CASE[k].low, (CASE[k].dimension == 2 ? GROUND2 : GROUND3)[i % 2], ALERT[i % 3]);
}

/* A liquid bridge at a leaning capsule's lower end, which goes up steadily with 1000 t: the pull of its own gap as each step begins, of which the other end,
 * beyond the rupture, has nothing. */
TEST(leaning_bridge)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int k = 0; k < 2; k++) {
            char text[2000];
            const double low = 0.05 + 0.1 * sin(0.02), speed = 0.01;
            (void)snprintf(
                text, sizeof text,
                "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\n"
                "interactions: [{law: capillary, bridge_force: 2 N, bridge_length: 1 mm, rupture: 2 mm}]\ndetection: {alert_distance: %g m}\nbodies:\n"
                "  p: {kind: fixed, material: m, shapes: [{%s]}}]}\n"
                "  b: {position: [%s%.12g], %s, velocity: [%s0.01], mass: 1e6, %s, material: m, shapes: [{%s, radius: 0.05}}]}\n"
                "probes: {f: {contact_force: p, quantity: %s}}\n",
                dimension, k ? 1e-2 : 1e-4, dimension == 3 ? "box: {size: [1, 1, 1], centre: [0, 0, -0.5" : "box: {size: [1, 1], centre: [0, -0.5",
                dimension == 3 ? "0, 0, " : "0, ", low, dimension == 3 ? "orientation: {axis_angle_deg: [0, -1, 0, 1.145915590261646]}" : "angle: 0.02 rad",
                dimension == 3 ? "0, 0, " : "0, ", dimension == 3 ? "inertia_tensor: [1e9, 1e9, 1e9]" : "inertia: 1e9",
                dimension == 3 ? "capsule: {from: [-0.1, 0, 0], to: [0.1, 0, 0]" : "segment: {from: [-0.1, 0], to: [0.1, 0]", dimension == 3 ? "z" : "y");
            lab l = open_lab(text, 1);
            while (talus_world_time(l.world) < 0.195) {
                const double gap = speed * talus_world_time(l.world), s = gap / 1e-3;
                (void)lab_step(&l);
                CHECK_NEAR(lab_probe(&l, "f"), 2 / (1 + 1.05 * s + 2.5 * s * s), 1e-3);
            }
            close_lab(&l);
        }
}

/* A law that reaches far beside a flat face is said to lose its far points where faces are inclined; one that does not, or of round shapes, is not. */
TEST(far_reach_is_said)
{
    static const char *const SHAPE[] = {"box: {size: [0.2, 0.2, 0.2]}", "box: {size: [0.2, 0.2, 0.2]}",
                                        "cylinder: {from: [0, 0, 0], to: [0, 0, 0.2], radius: 0.1}", "sphere: {radius: 0.1}"};
    for (int i = 0; i < 4; i++) {
        char text[1200];
        (void)snprintf(
            text, sizeof text,
            "dimension: 3\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: 0.5, law: cohesion, force: 300 N, "
            "distance: %s}]\nbodies:\n  f: {kind: fixed, material: m, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1]}}]}\n"
            "  b: {position: [0, 0, 0.3], material: m, shapes: [{%s}]}\n",
            i == 1 ? "1 mm" : "30 mm", SHAPE[i]);
        lab l = open_lab(text, 1);
        CHECK((strstr(talus_world_all_warnings(l.world), "pulls over 0.03 m") != NULL) == (i % 2 == 0));
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(leaning_shapes);
    RUN(leaning_bridge);
    RUN(far_reach_is_said);
    return TEST_RESULT;
}
