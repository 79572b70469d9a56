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

int main(int argc, char **argv)
{
    RUN(momentum_and_energy_stay);
    return TEST_RESULT;
}
