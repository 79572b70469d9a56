/* Smooth shapes by their keys in scenes: where they are put, what they weigh, what probes see of them, and that they lie still. */
#include "lab.h"

static const double PI = 3.14159265358979323846;

/* One on its flat side, one that is built into its body aside and turned; a compactness region that cuts the first in half. */
TEST(ellipses)
{
    lab l = open_lab("dimension: 2\n"
                     "time: {end: 0.5 s, step: 1 ms}\n"
                     "gravity: [0, -9.81]\n"
                     "materials: {steel: {density: 7800}}\n"
                     "interactions: [{between: [steel, steel], friction: 0.6}]\n"
                     "bodies:\n"
                     "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: steel}}]}\n"
                     "  flat:\n"
                     "    position: [0, 0.1]\n"
                     "    shapes: [{ellipse: {radii: [0.2, 0.1], material: steel}}]\n"
                     "  aside:\n"
                     "    position: [1, 0]\n"
                     "    shapes: [{ellipse: {radii: [0.1, 0.3], centre: [0.2, 0.1], angle: 90 deg, material: steel}}]\n"
                     "probes:\n"
                     "  flat_y: {body: flat, quantity: y}\n"
                     "  aside_y: {body: aside, quantity: y}\n"
                     "  aside_angle: {body: aside, quantity: angle}\n"
                     "solver: {tolerance: 1e-10}\n",
                     1);
    const talus_body_id flat = talus_body_find(l.world, "flat"), aside = talus_body_find(l.world, "aside");
    talus_shape_def d;
    CHECK_CLOSE(talus_body_mass(l.world, flat), 7800 * PI * 0.2 * 0.1, 1e-12);
    CHECK_CLOSE(talus_body_mass(l.world, aside), 7800 * PI * 0.1 * 0.3, 1e-12);
    talus_body_shape(l.world, aside, 0, &d);
    CHECK(d.kind == TALUS_SHAPE_ELLIPSE && d.count == 3);
    CHECK_NEAR(d.points[1][1], 0.2, 1e-12); /* the first half axis is turned up */
    CHECK_NEAR(d.points[2][0], -0.1, 1e-12);
    const double on[3] = {1.5, 0.1, 0}, in[3] = {1.2, 0.1, 0};
    CHECK_NEAR(talus_body_distance(l.world, aside, on, 1), 0, 1e-9);
    CHECK_NEAR(talus_body_distance(l.world, aside, in, 1), -0.1, 1e-9);
    lab_run(&l, 0.5);
    CHECK_NEAR(lab_probe(&l, "flat_y"), 0.1, 1e-6);
    CHECK_NEAR(lab_probe(&l, "aside_y"), 0, 1e-6);
    CHECK_NEAR(lab_probe(&l, "aside_angle"), 0, 1e-6);
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(ellipses);
    return TEST_RESULT;
}
