/* Walls made of many convex parts, carried by a link of a mechanism: in a hoist that accelerates upwards, a ball lies in them as it would
 * in a heavier world (equivalence), and the drive carries both. */
#include "lab.h"

static const double PI = 3.14159265358979323846, G = 9.81, A = 3, R = 0.15;

/* The hoist's own mass is 2 kg; the ball begins 5 mm above where it will lie. */
static lab hoist(int dimension, const char *shape, double height)
{
    char text[4096], ball[128];
    const bool space = dimension == 3;
    snprintf(ball, sizeof ball, space ? "[0.3, 0.1, %.17g]" : "[0.3, %.17g]", height + 5e-3);
    snprintf(text, sizeof text,
             "dimension: %d\ngravity: %s\ntime: {end: 10 s, step: 1 ms}\nsolver: {tolerance: 1e-7 m/s, max_iterations: 10000}\n"
             "materials: {m: {density: 1000}}\ninteractions: [{friction: 0.5}]\n"
             "bodies: {ball: {position: %s, shapes: [{%s: {radius: %.17g, material: m}}]}}\n"
             "mechanisms:\n  lift:\n    bodies: {car: {mass: 2, inertia: 1, shapes: [%s]}}\n"
             "    joints: {J: {type: prismatic, parent: ground, child: car, axis: %s}}\n    drives: {d: {joint: J, position: \"0.5 * 3 m/s^2 * t^2\"}}\n"
             "probes: {way: {joint: J}, up: {body: ball, quantity: %s}, push: {contact_force: ball, from: car, quantity: %s}, x: {body: ball}}\n",
             dimension, space ? "[0, 0, -9.81]" : "[0, -9.81]", ball, space ? "sphere" : "disk", R, shape, space ? "[0, 0, 1]" : "[0, 1]", space ? "z" : "y",
             space ? "z" : "y");
    return open_lab(text, 1);
}

/* It lies at this height over the car, and weighs m (g + a). */
static void lies(int dimension, const char *shape, double height, double allowed)
{
    lab l = hoist(dimension, shape, height);
    const double mass = 1000 * (dimension == 3 ? 4 * PI / 3 * R * R * R : PI * R * R);
    lab_run(&l, 0.5);
    CHECK_NEAR(lab_probe(&l, "way"), 0.5 * A * 0.25, 1e-9);
    CHECK_NEAR(lab_probe(&l, "up") - lab_probe(&l, "way"), height, allowed);
    CHECK_NEAR(lab_probe(&l, "x"), 0.3, allowed);
    if (fabs(lab_probe(&l, "push") - mass * (G + A)) > 1e-4 * mass * G) TEST_FAIL("%s: %g N instead of %g N", shape, lab_probe(&l, "push"), mass * (G + A));
    close_lab(&l);
}

/* On the floor of a box; in the cone of a hopper, where R(z) cos α = R; in the round of a tube that lies, and on the end of one that stands. */
TEST(in_space)
{
    const double alpha = atan(0.6), cone = 0.2 + (R / cos(alpha) - 0.1) / 0.6, facets = 2e-3 / sin(alpha);
    lies(3, "{box: {size: [2, 2, 0.2], centre: [0, 0, 0.1], material: m}}", 0.2 + R, 1e-6);
    lies(3, "{hopper: {at: [0.3, 0.1, 0.2], outlet: 0.2, inlet: 0.8, height: 0.5, thickness: 20 mm, material: m, tolerance: 1 mm}}", cone, facets);
    lies(3, "{tube: {from: [0.3, -1, 0.6], to: [0.3, 1, 0.6], radius: 0.4, thickness: 20 mm, material: m, tolerance: 1 mm}}", 0.2 + R, 2e-3);
    lies(3, "{tube: {from: [0.3, 0.1, 0.2], to: [0.3, 0.1, 0.8], radius: 0.3, thickness: 20 mm, closed: from, material: m, tolerance: 1 mm}}", 0.2 + R, 1e-6);
}

/* Half a facet of the ring is 3 mm long, which is how far from the lowest point the disk may lie. */
TEST(in_the_plane)
{
    lies(2, "{box: {size: [2, 0.2], centre: [0, 0.1], material: m}}", 0.2 + R, 1e-6);
    lies(2, "{ring: {centre: [0.3, 0.6], radius: 0.5, thickness: 0.1, material: m, tolerance: 0.01 mm}}", 0.2 + R, 3e-3);
}

int main(int argc, char **argv)
{
    RUN(in_space);
    RUN(in_the_plane);
    return TEST_RESULT;
}
