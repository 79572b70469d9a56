/* Dry friction in joints that is viscous below a speed: never more than its bound, whatever strikes; creep under a load; decay; balls; starts. */
#include <math.h>

#include "lab.h"

/* A part of 1 kg on a slide in x, of a mechanism or as a body on a joint, with `acts` in the coordinate; `scene` besides. */
static lab open_slide(int d, bool body, const char *scheme, const char *step, const char *velocity, const char *acts, const char *scene)
{
    char text[2400], part[1200];
    const bool flat = d == 2;
    const char *shape = flat ? "shapes: [{disk: {radius: 0.1, material: s}}]" : "shapes: [{sphere: {radius: 0.1, material: s}}]";
    if (body)
        snprintf(part, sizeof part,
                 "joints: {p: {type: prismatic, bodies: [ground, b], at: [0, 0%s], axis: [1, 0%s], slide: {%s}}}\nprobes: {v: {body: b, quantity: vx}, f: "
                 "{body_joint: p, quantity: x}}\nbodies:\n  b: {mass: 1, %s, position: [0, 0%s], velocity: [%s, 0%s], %s}\n",
                 flat ? "" : ", 0", flat ? "" : ", 0", acts, flat ? "inertia: 1" : "inertia_tensor: [1, 1, 1]", flat ? "" : ", 0", velocity, flat ? "" : ", 0",
                 shape);
    else
        snprintf(part, sizeof part,
                 "mechanisms:\n  m:\n    bodies: {b: {mass: 1, %s}}\n    joints: {p: {type: prismatic, parent: ground, child: b, axis: [1, 0%s], velocity: "
                 "%s m/s}}\n    forces: {f: {joint: p, %s}}\nprobes: {v: {joint: p, quantity: velocity}, f: {joint: p, quantity: force}}\n",
                 shape, flat ? "" : ", 0", velocity, acts);
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 2 s, step: %s}\nintegrator: {scheme: %s}\nsolver: {tolerance: 1e-12 m/s}\nmaterials: {s: {density: "
             "2000}}\ninteractions: [{restitution: 0, friction: 0}]\n%s%s%s",
             d, step, scheme, part, !body && *scene == ' ' ? "bodies:\n" : "", scene);
    return open_lab(text, 1);
}

static const char *const SCHEME[] = {"moreau", "generalized_alpha", "spook"};
enum { SCHEMES = sizeof SCHEME / sizeof *SCHEME, CASES = 4 * SCHEMES };

/* Struck by as heavy a body of 2 m/s it keeps half of that, less what 10 N on both take in the rest of the time: 5 m/s². In no step it resists with more. */
TEST(a_blow_meets_no_more_than_the_bound)
{
    static const char *const STRIKES[] = {
        "  h: {mass: 1, inertia: 1, position: [-0.21, 0], velocity: [2, 0], shapes: [{disk: {radius: 0.1, material: s}}]}\n",
        "  h: {mass: 1, inertia_tensor: [1, 1, 1], position: [-0.21, 0, 0], velocity: [2, 0, 0], shapes: [{sphere: {radius: 0.1, material: s}}]}\n"};
    for (int i = 0; i < CASES; i++) {
        const int d = 2 + i % 2, kind = i / 4;
        const bool body = i % 4 >= 2;
        lab l = open_slide(d, body, SCHEME[kind], "1 ms", "0", "friction: 10 N, friction_velocity: 10 mm/s", STRIKES[d - 2]);
        double most = 0;
        while (talus_world_time(l.world) < 0.0599) {
            lab_step(&l);
            most = fmax(most, fabs(lab_probe(&l, "f")));
        }
        CHECK_NEAR(most, 10, 1e-6);
        CHECK_NEAR(lab_probe(&l, "v"), 1 - 5 * 0.055, 0.011); /* it is struck between 4 and 6 ms */
        close_lab(&l);
    }
}

/* Under 4 N it comes to creep with 4/10 of the speed at which friction is at its most, and by nothing of its own: m/c is 1 ms, shorter than the step. */
TEST(creep_under_a_load)
{
    for (int i = 0; i < CASES; i++) {
        const int d = 2 + i % 2;
        const bool body = i % 4 >= 2;
        lab l = open_slide(d, body, SCHEME[i / 4], "5 ms", "0.3",
                           body ? "stiffness: 1e-6 N/m, rest: 4e6 m, friction: 10 N, friction_velocity: 10 mm/s"
                                : "constant: 4 N, friction: 10 N, friction_velocity: 10 mm/s",
                           "");
        double last = 0.3;
        for (int k = 0; k < 100; k++) {
            lab_step(&l);
            const double v = lab_probe(&l, "v");
            if (!(v <= last + 1e-12)) TEST_FAIL("%s: it turns round: from %.9g to %.9g m/s", SCHEME[i / 4], last, v);
            last = v;
        }
        CHECK_NEAR(last, 4e-3, 1e-8);
        close_lab(&l);
    }
}

/* Bodies on a pivot, in the plane and about an axis in space: 4 of 10 N m turn it with 0.4 of 0.2 rad/s. */
TEST(a_pivot_creeps)
{
    for (int d = 2; d <= 3; d++)
        for (int kind = 0; kind < SCHEMES; kind++) {
            char text[1000];
            snprintf(
                text, sizeof text,
                "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nintegrator: {scheme: %s}\nmaterials: {s: {density: 1000}}\njoints: {p: {type: revolute, bodies: "
                "[ground, b], at: [0, 0%s], angle: {stiffness: 1e-6 N m/rad, rest: 4e6 rad, friction: 10 N m, friction_velocity: 0.2 rad/s}}}\nbodies: {b: "
                "{mass: 1, %s}}\nprobes: {w: {body_joint: p.angle, quantity: velocity}}\n",
                d, SCHEME[kind], d == 2 ? "" : ", 0", d == 2 ? "inertia: 0.5" : "inertia_tensor: [0.5, 0.5, 0.5]");
            lab l = open_lab(text, 1);
            lab_run(&l, 0.5);
            CHECK_NEAR(lab_probe(&l, "w"), 0.08, 1e-6);
            close_lab(&l);
        }
}

/* v = v₀ exp(−c t/m), c = F/v_c = 10 N s/m: of order 2 with the mean velocity of the step, of order 1 with that of its end. */
TEST(order_of_the_decay)
{
    for (int i = 0; i < CASES; i++) {
        double error[2];
        for (int half = 0; half < 2; half++) {
            lab l = open_slide(2 + i % 2, i % 4 >= 2, SCHEME[i / 4], half ? "2 ms" : "4 ms", "0.5", "friction: 10 N, friction_velocity: 1 m/s", "");
            lab_run(&l, 0.1);
            error[half] = fabs(lab_probe(&l, "v") - 0.5 * exp(-1));
            close_lab(&l);
        }
        const double ratio = error[0] / error[1], order = i / 4 == 0 ? 2 : 1;
        if (!(fabs(log2(ratio) - order) < 0.1)) TEST_FAIL("%s, case %d: errors %.3g and %.3g", SCHEME[i / 4], i, error[0], error[1]);
    }
}

/* A round body of J = 0.5 kg m² turns in its ball about three axes, at each of which friction takes 0.2 N m: rates fall by 0.4 rad/s², and stand then. With
 * a friction velocity of 2 rad/s they decay by exp(−0.2 t). No gyration: all J are alike, and axes of rates are the body's. */
TEST(a_ball_rubs)
{
    for (int creeps = 0; creeps < 2; creeps++) {
        char text[1600];
        snprintf(text, sizeof text,
                 "dimension: 3\ntime: {end: 2 s, step: 1 ms}\nmechanisms:\n  m:\n    bodies: {b: {mass: 1, inertia: [0.5, 0.5, 0.5]}}\n    joints: {s: "
                 "{type: spherical, parent: ground, child: b, velocity: {wx: 0.3 rad/s, wy: -0.5 rad/s}}}\n    forces:\n      x: {joint: s.wx, friction: 0.2 "
                 "N m%s}\n      y: {joint: s.wy, friction: 0.2 N m%s}\n      z: {joint: s.wz, friction: 0.2 N m%s}\nprobes: {x: {joint: s.wx, quantity: "
                 "velocity}, y: {joint: s.wy, quantity: velocity}, z: {joint: s.wz, quantity: velocity}}\n",
                 creeps ? ", friction_velocity: 2 rad/s" : "", creeps ? ", friction_velocity: 2 rad/s" : "", creeps ? ", friction_velocity: 2 rad/s" : "");
        lab l = open_lab(text, 1);
        lab_run(&l, 0.5);
        CHECK_NEAR(lab_probe(&l, "x"), creeps ? 0.3 * exp(-0.1) : 0.1, 1e-6);
        CHECK_NEAR(lab_probe(&l, "y"), creeps ? -0.5 * exp(-0.1) : -0.3, 1e-6);
        lab_run(&l, 1.0);
        CHECK_NEAR(lab_probe(&l, "x"), creeps ? 0.3 * exp(-0.2) : 0, 1e-6);
        CHECK_NEAR(lab_probe(&l, "y"), creeps ? -0.5 * exp(-0.2) : -0.1, 1e-6);
        CHECK_NEAR(lab_probe(&l, "z"), 0, 1e-12);
        close_lab(&l);
    }
    talus_scene *scene;
    CHECK(try_lab("dimension: 3\ntime: {end: 1 s, step: 1 ms}\nmechanisms: {m: {bodies: {b: {mass: 1, inertia: [1, 1, 1]}}, joints: {s: {type: "
                  "spherical, parent: ground, child: b}}, forces: {f: {joint: s.wx, low: -1 rad, friction: 1 N m}}}}\n",
                  &scene) == TALUS_OK);
    talus_world *w = NULL;
    CHECK(talus_scene_build(scene, 1, &w) == TALUS_UNSUPPORTED && strstr(talus_scene_mistake(scene, 0), "a ball has no angles in which stops"));
    talus_scene_destroy(scene);
}

/* A start in equilibrium: what creeps holds nothing, what sticks as far as it must. 1 kg on a spring of 100 N/m under 2 N, with 1 N of friction. */
TEST(it_holds_no_equilibrium)
{
    for (int i = 0; i < 4; i++) {
        const bool body = i >= 2;
        lab l = open_slide(2 + i % 2, body, "moreau", "1 ms", "0",
                           body ? "stiffness: 100 N/m, rest: 20 mm, friction: 1 N, friction_velocity: 1 mm/s"
                                : "constant: 2 N, stiffness: 100 N/m, friction: 1 N, friction_velocity: 1 mm/s",
                           "start: {equilibrium: true, tolerance: 1e-6 m/s^2}\n");
        CHECK_NEAR(lab_probe(&l, "f"), 0, 1e-6);
        lab_run(&l, 0.05);
        CHECK_NEAR(lab_probe(&l, "v"), 0, 1e-8);
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(a_blow_meets_no_more_than_the_bound);
    RUN(creep_under_a_load);
    RUN(a_pivot_creeps);
    RUN(order_of_the_decay);
    RUN(a_ball_rubs);
    RUN(it_holds_no_equilibrium);
    return TEST_RESULT;
}
