/* Joints between a body and a link that hangs on links: such a link goes on a bent way while the rates of its mechanism stay, and its joints hold along that.
 */
#include "lab.h"

/* An arm of two links turns with 2 rad/s as one, and bends as it likes; at its tip it has a body of 2 kg that goes along. In the plane its elbow is bent by 0.5
 * rad, in space its second axis is askew. The first may be driven, and a crank of 1 m that stands outwards may close a loop with a point of the second. */
typedef struct arm {
    bool space, driven, loop;
    const char *joint; /* of the body at the tip; NULL: it is a link */
} arm;

static lab open_arm(const arm *a, double h)
{
    const char *z = a->space ? ", 0" : "", *inertia = a->space ? "[0.01, 0.02, 0.02]" : "0.02";
    const double bent = a->space ? 0 : 0.5, elbow[] = {0.4 * cos(0.4), 0.4 * sin(0.4)}, along[] = {cos(0.4 + bent), sin(0.4 + bent)};
    const double x = elbow[0] + 0.4 * along[0], y = elbow[1] + 0.4 * along[1], pin[] = {elbow[0] + 0.3 * along[0], elbow[1] + 0.3 * along[1]};
    const double far = hypot(pin[0], pin[1]), out[] = {pin[0] / far, pin[1] / far};
    char tip[200] = "", body[800] = "", crank[100] = "", turns[400] = "", loop[300] = "", drive[100] = "", text[4000];
    if (a->joint)
        snprintf(body, sizeof body,
                 "bodies: {c: {mass: 2, %s, position: [%.17g, %.17g%s], velocity: [%.17g, %.17g%s], %s}}\njoints: {k: {type: %s, bodies: [b, c], at: [%.17g, "
                 "%.17g%s]%s}}\n",
                 a->space ? "inertia_tensor: [0.03, 0.03, 0.03]" : "inertia: 0.03", x, y, z, -2 * y, 2 * x, z,
                 a->space ? "spin: [0, 0, 2]" : "angular_velocity: 2", a->joint, x, y, z,
                 strcmp(a->joint, "prismatic") == 0 || strcmp(a->joint, "slot") == 0 ? a->space ? ", axis: [0.6, 0.8, 0]" : ", axis: [0.6, 0.8]" : "");
    else snprintf(tip, sizeof tip, "      tip: {mass: 2, inertia: %s}\n", a->space ? "[0.03, 0.03, 0.03]" : "0.03");
    if (!a->joint) snprintf(turns, sizeof turns, "      t: {type: fixed, parent: b, child: tip, at: [0.4, 0%s]}\n", z);
    if (a->loop) {
        snprintf(crank, sizeof crank, "      c1: {mass: 0.5, inertia: %s}\n", inertia);
        const size_t used = strlen(turns);
        snprintf(turns + used, sizeof turns - used, "      r: {type: revolute, parent: ground, child: c1, at: [%.17g, %.17g], velocity: %.17g}\n",
                 pin[0] + out[0], pin[1] + out[1], -2 * far);
        snprintf(loop, sizeof loop, "    loops:\n      l: {type: point, bodies: [b, c1], at: [[0.3, 0], [%.17g, %.17g]]}\n", -out[0], -out[1]);
    }
    if (a->driven) snprintf(drive, sizeof drive, "    drives: {d: {joint: p, speed: 2}}\n");
    snprintf(
        text, sizeof text,
        "dimension: %d\ntime: {end: 10 s, step: %g s}\nsolver: {tolerance: 1e-10 m/s}\nmechanisms:\n  m:\n    bodies:\n      a: {mass: 1, inertia: %s, "
        "centre_of_mass: [0.2, 0%s]}\n      b: {mass: 1, inertia: %s, centre_of_mass: [0.2, 0%s]}\n%s%s    joints:\n      p: {type: revolute, parent: ground, "
        "child: a, angle: 0.4, velocity: 2%s}\n      q: {type: revolute, parent: a, child: b, angle: %g, at: [0.4, 0%s]%s}\n%s%s%s%sprobes: {e: {energy: "
        "total}, "
        "q: {joint: q}, x: {body: b, at: [0.4, 0%s]}}\n",
        a->space ? 3 : 2, h, inertia, z, inertia, z, tip, crank, a->space ? ", axis: [0, 0, 1]" : "", bent, z, a->space ? ", axis: [0, 0.6, 0.8]" : "", turns,
        loop, drive, body, z);
    return open_lab(text, 1);
}

/* Energy stays, to the second order of the step. */
TEST(energy_stays)
{
    static const arm ARM[] = {{.joint = "fixed"},
                              {.joint = "revolute"},
                              {.joint = "prismatic"},
                              {.joint = "slot"},
                              {.space = true, .joint = "fixed"},
                              {.space = true, .joint = "spherical"},
                              {.space = true, .joint = "universal"},
                              {.space = true, .joint = "prismatic"},
                              {.space = true, .joint = "cylindrical"}};
    for (size_t i = 0; i < sizeof ARM / sizeof *ARM; i++) {
        double off[2];
        for (int k = 0; k < 2; k++) {
            lab l = open_arm(&ARM[i], 4e-3 / (1 << k));
            const double start = lab_probe(&l, "e");
            lab_run(&l, 2);
            off[k] = fabs(lab_probe(&l, "e") / start - 1);
            close_lab(&l);
        }
        printf("%dD %s: %.3g, %.3g of the energy\n", ARM[i].space ? 3 : 2, ARM[i].joint, off[0], off[1]);
        CHECK(off[0] < 2e-5 && off[1] < 0.4 * off[0] + 1e-9);
    }
}

/* A body that is fixed to the tip goes as a link there does: also where the arm is driven, and where a loop makes rates of it depend on others. */
TEST(a_body_as_a_link)
{
    for (int i = 0; i < 8; i++) {
        arm a = {.space = i % 2 == 1, .driven = i / 2 % 2 == 1, .loop = i >= 4};
        if (a.space && a.loop) continue; /* its second axis is askew, and no such loop closes */
        double q[2], x[2], off[2];
        for (int k = 0; k < 2; k++) {
            for (int joint = 0; joint < 2; joint++) {
                a.joint = joint ? "fixed" : NULL;
                lab l = open_arm(&a, 2e-3 / (1 << k));
                lab_run(&l, a.loop ? 0.2 : 1);
                q[joint] = lab_probe(&l, "q"), x[joint] = lab_probe(&l, "x");
                close_lab(&l);
            }
            off[k] = fabs(q[1] - q[0]) + fabs(x[1] - x[0]);
        }
        printf("%dD%s%s: %.3g, %.3g apart, q = %.6g\n", a.space ? 3 : 2, a.driven ? ", driven" : "", a.loop ? ", a loop" : "", off[0], off[1], q[0]);
        CHECK(off[0] < (a.loop ? 1e-3 : 1e-4) && off[1] < 0.4 * off[0] + 1e-8);
    }
}

int main(int argc, char **argv)
{
    RUN(energy_stays);
    RUN(a_body_as_a_link);
    return TEST_RESULT;
}
