/* Where on a map a scene lies is nothing to its motion: what is thousands of kilometres from the origin moves as it does there, to the rounding of positions.
 */
#include "lab.h"

static const double AWAY[] = {0, 5e6}; /* [m]; there positions are known to 1e-9 m */

static const char *const SCHEME[] = {"moreau", "spook", "generalized_alpha"};

/* Two links of a pendulum, which swing by radians. */
TEST(a_double_pendulum)
{
    for (int i = 0; i < 6; i++) {
        const bool space = i % 2 == 1;
        double q[2];
        for (int k = 0; k < 2; k++) {
            const char *z = space ? ", 0" : "", *J = space ? "[0.05, 0.05, 0.05]" : "0.05", *axis = space ? ", axis: [0, 0, 1]" : "";
            char text[1000];
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 3 s, step: 1 ms}\ngravity: [0, -9.81%s]\nintegrator: {scheme: %s}\nmechanisms:\n  m:\n    bodies: {a: {mass: "
                     "1, inertia: %s, "
                     "centre_of_mass: [0.5, 0%s]}, b: {mass: 1, inertia: %s, centre_of_mass: [0.3, 0%s]}}\n    joints: {p: {type: revolute, parent: ground, "
                     "child: a, at: [%g, "
                     "%g%s]%s}, q: {type: revolute, parent: a, child: b, at: [1, 0%s]%s}}\nprobes: {q: {joint: q}}\n",
                     space ? 3 : 2, z, SCHEME[i / 2], J, z, J, z, AWAY[k], -0.3 * AWAY[k], z, axis, z, axis);
            q[k] = lab_after(text, 2, "q");
        }
        CHECK(fabs(q[0]) > 1);
        CHECK_NEAR(q[1], q[0], 1e-8);
    }
}

/* A four-bar falls through a quarter of a turn of its crank; the loop closes to the rounding of positions. */
TEST(a_four_bar)
{
    for (int i = 0; i < 3; i++) {
        double q[2];
        for (int k = 0; k < 2; k++) {
            char text[1200];
            snprintf(text, sizeof text,
                     "time: {end: 3 s, step: 1 ms}\ngravity: [0, -9.81]\nintegrator: {scheme: %s}\nmechanisms:\n  m:\n    bodies: {a: {mass: 1, inertia: 0.02, "
                     "centre_of_mass: "
                     "[0.15, 0]}, b: {mass: 1, inertia: 0.1, centre_of_mass: [0.5, 0]}, c: {mass: 1, inertia: 0.05, centre_of_mass: [0.3, 0]}}\n    joints: "
                     "{p: {type: revolute, "
                     "parent: ground, child: a, at: [%g, 0], angle: 1.2}, q: {type: revolute, parent: a, child: b, at: [0.3, 0]}, r: {type: revolute, parent: "
                     "ground, child: c, at: "
                     "[%.17g, 0], angle: 1.6}}\n    loops: {l: {type: point, bodies: [b, c], at: [[1, 0], [0.6, 0]]}}\nprobes: {q: {joint: p}}\n",
                     SCHEME[i], AWAY[k], AWAY[k] + 1);
            q[k] = lab_after(text, 0.5, "q");
        }
        CHECK(fabs(q[0] - 1.2) > 0.5);
        CHECK_NEAR(q[1], q[0], 1e-6);
    }
}

/* A disk or a ball whose centre is given on the map, its body at the default position, is braked by a moment: its inertia is that of its shape. Boxes, too. */
TEST(inertia_of_shapes)
{
    static const char *const SHAPE[] = {"disk: {radius: 0.1, centre: [%s]}", "box: {size: [0.4, 0.2], centre: [%s]}", "sphere: {radius: 0.1, centre: [%s]}",
                                        "box: {size: [0.4, 0.2, 0.1], centre: [%s]}"};
    for (int i = 0; i < 4; i++) {
        double w[2];
        for (int k = 0; k < 2; k++) {
            char at[80], shape[160], text[700];
            snprintf(at, sizeof at, "%g, %g%s", 0.1 * AWAY[k], AWAY[k], i < 2 ? "" : ", 0");
            snprintf(shape, sizeof shape, SHAPE[i], at);
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\nbodies: {b: {material: m, shapes: [{%s}]}}\nloads: {l: "
                     "{body: b, torque: 1 "
                     "N m}}\nprobes: {w: {body: b, quantity: %s}}\n",
                     i < 2 ? 2 : 3, shape, i < 2 ? "angular_velocity" : "wz");
            w[k] = lab_after(text, 0.1, "w");
        }
        CHECK(fabs(w[0]) > 0.05);
        CHECK_CLOSE(w[1], w[0], 1e-6);
    }
}

/* A fast ball is stopped by a thin box whose centre is given on the map, its body at the default position. */
TEST(a_ball_on_a_box)
{
    for (int i = 0; i < 6; i++) {
        const bool space = i % 2 == 1;
        char text[1000];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nintegrator: {scheme: %s}\ngravity: [0, -9.81%s]\nmaterials: {m: {density: 2000}}\ninteractions: "
                 "[{friction: "
                 "0.3}]\nbodies:\n  floor: {kind: fixed, material: m, shapes: [{box: {size: [2, 0.05%s], centre: [%g, -0.025%s]}}]}\n  ball: {material: m, "
                 "position: [%g, 0.25%s], "
                 "velocity: [0, -200%s], shapes: [{%s: {radius: 0.1}}]}\nprobes: {y: {body: ball, quantity: y}}\n",
                 space ? 3 : 2, SCHEME[i / 2], space ? ", 0" : "", space ? ", 2" : "", AWAY[1], space ? ", 0" : "", AWAY[1], space ? ", 0" : "",
                 space ? ", 0" : "", space ? "sphere" : "disk");
        CHECK_NEAR(lab_after(text, 0.3, "y"), 0.1, 1e-6);
    }
}

/* A body on a joint swings there as at the origin, by each scheme. */
TEST(a_body_on_a_joint)
{
    for (int i = 0; i < 6; i++) {
        const bool space = i % 2 == 1;
        double q[2];
        for (int k = 0; k < 2; k++) {
            char text[900];
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nintegrator: {scheme: %s}\ngravity: [0, -9.81%s]\nbodies: {b: {mass: 2, %s, position: "
                     "[%.17g, 0%s]}}\njoints: {j: "
                     "{type: revolute, bodies: [ground, b], at: [%.17g, 0%s]%s}}\nprobes: {q: {body_joint: j.angle}}\n",
                     space ? 3 : 2, SCHEME[i / 2], space ? ", 0" : "", space ? "inertia_tensor: [0.5, 0.5, 0.5]" : "inertia: 0.5", AWAY[k] + 1,
                     space ? ", 0" : "", AWAY[k], space ? ", 0" : "", space ? ", axis: [0, 0, 1]" : "");
            q[k] = lab_after(text, 0.8, "q");
        }
        CHECK(fabs(q[0]) > 1);
        CHECK_NEAR(q[1], q[0], 1e-6);
    }
}

/* A region on the map is filled as one at the origin is. */
TEST(a_region_is_filled)
{
    for (int space = 0; space < 2; space++) {
        double n[2];
        for (int k = 0; k < 2; k++) {
            char text[700];
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 2000}}\ngrains: {g: {generator: fill, region: [[%.17g, 0%s], "
                     "[%.17g, 0.6%s]], "
                     "radius: {uniform: [40 mm, 60 mm]}, material: m}}\nprobes: {n: {number: g}}\n",
                     2 + space, AWAY[k], space ? ", 0" : "", AWAY[k] + 0.8, space ? ", 0.4" : "");
            lab l = open_lab(text, 1);
            n[k] = lab_probe(&l, "n");
            close_lab(&l);
        }
        CHECK(n[0] > 20 && fabs(n[1] - n[0]) < 0.1 * n[0]);
    }
}

int main(int argc, char **argv)
{
    RUN(a_double_pendulum);
    RUN(a_four_bar);
    RUN(inertia_of_shapes);
    RUN(a_ball_on_a_box);
    RUN(a_body_on_a_joint);
    RUN(a_region_is_filled);
    return TEST_RESULT;
}
