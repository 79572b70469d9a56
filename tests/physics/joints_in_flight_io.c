/* Bodies in joints that fly freely: energy and angular momentum, at any step. Gyroscopic moments hang on velocities that the joints make. */
#include "base/math.h"
#include "lab.h"

/* Two alike in a joint, each with three different moments of inertia, tumble. */
static lab open_pair(const char *scheme, const char *joint, double h)
{
    char text[1600];
    snprintf(
        text, sizeof text,
        "dimension: 3\ntime: {end: 100 s, step: %g s}\nintegrator: {scheme: %s}\nbodies:\n  a: {mass: 1, inertia_tensor: [0.01, 0.02, 0.028], spin: [1, 2, "
        "0.5]}\n  b: {mass: 1, inertia_tensor: [0.01, 0.02, 0.028], position: [0, 0.05, 0], spin: [1, 2, 0.5], velocity: [-0.025, 0, 0.05]}\njoints: {j: "
        "{type: "
        "%s, bodies: [a, b], at: [0, 0.025, 0]}}\nprobes: {k: {energy: kinetic}}\n",
        h, scheme, joint);
    return open_lab(text, 1);
}

/* Σ m x × v + R J ω, about the origin. */
static tl_vec3 angular_momentum(const talus_world *w)
{
    tl_vec3 L = {0, 0, 0};
    for (int i = 0; i < 2; i++) {
        const talus_body_id id = talus_body_at(w, i);
        const double centre[3] = {0, 0, 0};
        double q[4], x[3], v[3], spin[3];
        talus_body_pose(w, id, x, q);
        talus_body_velocity(w, id, centre, v, spin);
        const tl_mat3 R = tl_mat3_from_quat((tl_quat){q[0], q[1], q[2], q[3]});
        const tl_vec3 own = tl_mat3_apply_t(&R, tl_load3(spin));
        L = tl_add(L, tl_cross(tl_load3(x), tl_load3(v)));
        L = tl_add(L, tl_mat3_apply(&R, tl_v3(0.01 * own.x, 0.02 * own.y, 0.028 * own.z)));
    }
    return L;
}

TEST(momentum_and_energy_stay)
{
    static const char *const SCHEME[] = {"moreau", "spook"}, *const JOINT[] = {"fixed", "revolute", "spherical", "universal"};
    for (size_t s = 0; s < 2; s++)
        for (size_t j = 0; j < 4; j++) {
            double off[3];
            for (int k = 0; k < 3; k++) {
                lab l = open_pair(SCHEME[s], JOINT[j], 4e-3 / (1 << k));
                const double start = lab_probe(&l, "k");
                const tl_vec3 L = angular_momentum(l.world);
                lab_run(&l, 10);
                off[k] = fabs(lab_probe(&l, "k") / start - 1) + tl_norm(tl_sub(angular_momentum(l.world), L)) / tl_norm(L);
                close_lab(&l);
            }
            printf("%s, %s: %.3g, %.3g, %.3g\n", SCHEME[s], JOINT[j], off[0], off[1], off[2]);
            const double falls = s == 0 ? 0.35 : 0.6; /* the second order, and the first */
            CHECK(off[0] < 1e-3 && off[1] < falls * off[0] + 1e-8 && off[2] < falls * off[1] + 1e-8);
        }
}

/* A kilogram on a joint at the rim of a carrier that turns steadily at 10 rad/s, 1 m from its axis: what the joint says is what accelerates the body in that
 * step, along x and y, to rounding; not along the axes that the joint has when the step is over. Under generalized_alpha it is the force at the end, ω² r
 * towards the axis from where the body is then, to second order. A slide holds the body by a spring. */
static void rim(int dimension, const char *scheme, const char *joint)
{
    const bool plane = dimension == 2, ends = strcmp(scheme, "generalized_alpha") == 0;
    for (double h = 4e-3; h > 0.9e-3; h /= 2) {
        char text[2048];
        double most = 0;
        snprintf(
            text, sizeof text,
            "dimension: %d\ntime: {end: 1 s, step: %g s}\nintegrator: {scheme: %s}\nbodies:\n  t: {kind: imposed, motion: {%s: \"10 rad/s*t\"%s}}\n"
            "  b: {position: [1, 0%s], velocity: [0, 10%s], %s, mass: 1 kg, %s}\njoints: {j: {bodies: [t, b], at: [1, 0%s], %s}}\n"
            "probes:\n  fx: {body_joint: j, quantity: x}\n  fy: {body_joint: j, quantity: y}\n  ax: {body: b, quantity: ax}\n  ay: {body: b, quantity: ay}\n"
            "  x: {body: b}\n  y: {body: b, quantity: y}\n",
            dimension, h, scheme, plane ? "angle" : "turn", plane ? "" : ", axis: [0, 0, 1]", plane ? "" : ", 0", plane ? "" : ", 0",
            plane ? "angular_velocity: 10 rad/s" : "spin: [0, 0, 10]", plane ? "inertia: 0.1" : "inertia_tensor: [0.1, 0.1, 0.1, 0, 0, 0]", plane ? "" : ", 0",
            joint);
        lab l = open_lab(text, 1);
        (void)lab_run(&l, 0.1);
        while (talus_world_time(l.world) < 0.3) {
            (void)lab_step(&l);
            const double ax = ends ? -100 * lab_probe(&l, "x") : lab_probe(&l, "ax"), ay = ends ? -100 * lab_probe(&l, "y") : lab_probe(&l, "ay");
            most = fmax(most, hypot(lab_probe(&l, "fx") - ax, lab_probe(&l, "fy") - ay));
        }
        if (!(most < (ends ? 2e4 * h * h : 1e-8))) TEST_FAIL("%s, {%s} in %d dimensions, %g s: %g N off", scheme, joint, dimension, h, most);
        close_lab(&l);
    }
}
TEST(forces_of_the_step)
{
    static const char *const SCHEMES[] = {"moreau", "spook", "generalized_alpha"};
    static const char *const JOINTS[][2] = {
        {"type: revolute", "type: revolute, axis: [0, 0, 1]"},
        {"type: fixed", "type: fixed"},
        {"type: prismatic, axis: [0, 1], slide: {stiffness: 1e4}", "type: prismatic, axis: [0, 1, 0], slide: {stiffness: 1e4}"}};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int s = 0; s < 3; s++)
            for (int k = 0; k < 3; k++) rim(dimension, SCHEMES[s], JOINTS[k][dimension - 2]);
}

int main(int argc, char **argv)
{
    RUN(forces_of_the_step);
    RUN(momentum_and_energy_stay);
    return TEST_RESULT;
}
