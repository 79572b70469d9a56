/* A lever on a hinge presses a column of light bodies: sweeps hand its weight down body by body, and stall; `auto` then goes on in velocities of bodies, with
 * the joint among them (solve/body_rows.h). Forces are those of statics. */
#include "lab.h"

static const double G = 9.81;
enum { BODIES = 16 };

/* 2 m long, M in its middle, the hinge at its end, and the column 1.9 m from there: boxes of m, and a ball on top. */
static lab press(int dimension, const char *method, double M, double m)
{
    const bool space = dimension == 3;
    const char *y = space ? "0, " : "";
    char text[8192];
    int n = snprintf(text, sizeof text,
                     "dimension: %d\ngravity: [0, %s-9.81]\ntime: {end: 1 s, step: 1 ms}\nsolver: {method: %s, tolerance: 1e-7 m/s, max_iterations: 200}\n"
                     "materials: {m: {density: 1000}}\ninteractions: [{friction: 0.5}]\nbodies:\n"
                     "  floor: {kind: fixed, shapes: [{%s: {point: [0, 0%s], normal: [0, %s1], material: m}}]}\n"
                     "  beam: {mass: %g, %s, position: [0.1, %s%g], shapes: [{box: {size: [2, %s0.1], material: m}}]}\n",
                     dimension, y, method, space ? "half_space" : "half_plane", space ? ", 0" : "", y, M,
                     space ? "inertia_tensor: [100, 300, 300, 0, 0, 0]" : "inertia: 300", y, 0.1 * BODIES + 0.05, space ? "0.1, " : "");
    for (int i = 0; i < BODIES; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "  b%d: {mass: %g, %s, position: [1, %s%g], shapes: [{%s, material: m}}]}\n", i, m,
                      space ? "inertia_tensor: [1e-4, 1e-4, 1e-4, 0, 0, 0]" : "inertia: 1e-4", y, 0.1 * i + 0.05,
                      i < BODIES - 1 ? (space ? "box: {size: [0.1, 0.1, 0.1]" : "box: {size: [0.1, 0.1]")
                                     : (space ? "sphere: {radius: 0.05" : "disk: {radius: 0.05"));
    snprintf(text + n, sizeof text - (size_t)n,
             "joints: {hinge: {type: revolute, bodies: [ground, beam], at: [-0.9, %s%g]%s}}\n"
             "probes: {floor: {contact_force: floor, quantity: %s}, hinge: {body_joint: hinge, quantity: magnitude}}\n",
             y, 0.1 * BODIES + 0.05, space ? ", axis: [0, 1, 0]" : "", space ? "z" : "y");
    return open_lab(text, 1);
}

TEST(auto_goes_on_with_joints)
{
    for (int k = 0; k < 4; k++) {
        const int dimension = 2 + k % 2;
        const bool all = k >= 2;
        const double M = 1000, m = 0.1;
        lab l = press(dimension, all ? "auto" : "nlgs", M, m);
        int missed = 0;
        for (int n = 0; n < 4; n++) {
            talus_step_report r = {0};
            CHECK_OK(talus_world_step(l.world, &r), talus_world_error(l.world));
            missed += !r.converged;
        }
        CHECK(all ? missed == 0 : missed > 0);
        if (all) CHECK_NEAR(-lab_probe(&l, "floor"), M * G * 1.0 / 1.9 + BODIES * m * G, 0.1); /* 1e-7 m/s of 1000 kg in a step */
        if (all) CHECK_NEAR(lab_probe(&l, "hinge"), M * G * 0.9 / 1.9, 0.1);
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(auto_goes_on_with_joints);
    return TEST_RESULT;
}
