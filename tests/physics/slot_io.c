/* A pin in a slot (theory §9.4): a Scotch yoke and a bead on a spoke against closed forms, from scenes and through the C interface, each in the
 * plane and in space. */
#include "lab.h"
#include "talus/joint.h"

static lab scene(int dimension, const char *rest)
{
    char text[4096];
    snprintf(text, sizeof text, "dimension: %d\ntime: {end: 10 s, step: 1 ms}\nsolver: {tolerance: 1e-12 m/s}\n%s", dimension, rest);
    return open_lab(text, 1);
}

/* The pin of a crank of 0.3 m, driven at 4 rad/s, runs in the slot of a yoke of 2 kg on a rail: the yoke goes as a cosine, the pin along the slot as a sine,
 * and the yoke's inertia is all that the pin feels: no force along the slot, whose stops are just beyond its way. */
TEST(a_scotch_yoke)
{
    static const char *const TEXT[] = {"gravity: [0, 0]\nbodies: {crank: {mass: 1 kg, inertia: 0.1 kg m^2, angular_velocity: 4 rad/s}, yoke: {mass: 2 kg, "
                                       "inertia: 0.5 kg m^2, position: [1, 0]}}\n"
                                       "joints:\n  bearing: {bodies: [ground, crank], angle: {position: \"4 rad/s*t\"}}\n  rail: {type: prismatic, bodies: "
                                       "[ground, yoke], at: [1, 0], axis: [1, 0]}\n"
                                       "  pin: {type: slot, bodies: [yoke, crank], at: [0.3, 0], axis: [0, 1], slide: {low: -0.301 m, high: 0.301 m}}\n"
                                       "probes: {x: {body: yoke}, s: {body_joint: pin.slide}, v: {body_joint: pin.slide, quantity: velocity}, fx: {body_joint: "
                                       "pin, quantity: x}, fy: {body_joint: pin, quantity: y}}\n",
                                       "gravity: [0, 0, 0]\nbodies: {crank: {mass: 1 kg, inertia_tensor: [0.1, 0.1, 0.1], spin: [0, 0, 4]}, yoke: {mass: 2 kg, "
                                       "inertia_tensor: [0.5, 0.5, 0.5], position: [1, 0, 0]}}\n"
                                       "joints:\n  bearing: {bodies: [ground, crank], angle: {position: \"4 rad/s*t\"}}\n  rail: {type: prismatic, bodies: "
                                       "[ground, yoke], at: [1, 0, 0], axis: [1, 0, 0]}\n"
                                       "  pin: {type: slot, bodies: [yoke, crank], at: [0.3, 0, 0], axis: [0, 1, 0], slide: {low: -0.301 m, high: 0.301 m}}\n"
                                       "probes: {x: {body: yoke}, s: {body_joint: pin.slide}, v: {body_joint: pin.slide, quantity: velocity}, fx: {body_joint: "
                                       "pin, quantity: x}, fy: {body_joint: pin, quantity: y}}\n"};
    for (int space = 0; space < 2; space++) {
        lab l = scene(2 + space, TEXT[space]);
        double worst[5] = {0};
        for (int i = 0; i < 2000; i++) {
            lab_step(&l);
            const double t = talus_world_time(l.world), middle = t - 0.5e-3;
            worst[0] = fmax(worst[0], fabs(lab_probe(&l, "x") - 1 - 0.3 * (cos(4 * t) - 1)));
            worst[1] = fmax(worst[1], fabs(lab_probe(&l, "s") - 0.3 * sin(4 * t)));
            worst[2] = fmax(worst[2], fabs(lab_probe(&l, "v") - 1.2 * cos(4 * t)));
            worst[3] = fmax(worst[3], fabs(lab_probe(&l, "fx") - 9.6 * cos(4 * middle)));
            worst[4] = fmax(worst[4], fabs(lab_probe(&l, "fy")));
        }
        printf("%dD: x %.3g, slide %.3g, rate %.3g, force %.3g, along %.3g\n", 2 + space, worst[0], worst[1], worst[2], worst[3], worst[4]);
        /* the drive is exact at the ends of steps; between them the yoke goes straight, h² x″/8 beside its path, and the force is its mean: h² f″/12 more */
        CHECK(worst[0] < 1.01 * 1e-6 * 4.8 / 8 && worst[1] < 1e-9 && worst[2] < 1e-9 && worst[3] < 1.01 * 1e-6 * 9.6 * 16 / 12 && worst[4] < 1e-9);
        close_lab(&l);
    }
}

/* ---- the C interface -------------------------------------------------------------------------------------------------------- */

static void turn(void *user, double t, double out[3])
{
    (void)user;
    out[0] = 2 * t;
    out[1] = 2, out[2] = 0;
}

/* A bead on a spoke that turns with 2 rad/s goes out as r = r₀ cosh 2 t, its stop being farther; how far it is off after a second. It keeps its own spin, which
 * a slot leaves to it. */
static double bead(int dimension, double h)
{
    talus_world_def def = talus_world_def_default();
    talus_world *w = NULL;
    char text[512] = "";
    def.dimension = dimension, def.step = h, def.solver.tolerance = 1e-13;
    def.gravity[1] = 0, def.gravity[2] = 0;
    CHECK_OK(talus_world_create(&def, &w, text, sizeof text), text);
    talus_body_id id[2] = {{0}};
    for (int k = 0; k < 2; k++) {
        talus_body_def b = talus_body_def_default();
        b.mass = 1, b.inertia = 0.3;
        for (int i = 0; i < 3; i++) b.inertia_space[i] = 0.3;
        b.position[0] = 0.1 * k, b.velocity[1] = 0.2 * k;
        if (dimension == 2) b.angular_velocity = k ? -1 : 2;
        else b.spin[2] = k ? -1 : 2;
        CHECK_OK(talus_body_create(w, &b, &id[k]), talus_world_error(w));
    }
    talus_body_joint_def hub = talus_body_joint_def_default(), slot = hub;
    talus_body_joint_id joint = {0};
    talus_freedom_def f = talus_freedom_def_default();
    hub.body_b = id[0];
    CHECK_OK(talus_body_joint_create(w, &hub, &joint), talus_world_error(w));
    f.position.value = turn;
    CHECK_OK(talus_body_joint_set_freedom(w, joint, 0, &f), talus_world_error(w));
    slot.kind = "slot", slot.body_a = id[0], slot.body_b = id[1];
    slot.point[0] = 0.1, slot.axis[0] = 1, slot.axis[2] = 0;
    CHECK_OK(talus_body_joint_create(w, &slot, &joint), talus_world_error(w));
    f = talus_freedom_def_default();
    f.high = 0.3;
    CHECK_OK(talus_body_joint_set_freedom(w, joint, 0, &f), talus_world_error(w));
    for (int i = 0; i < (int)lround(1 / h); i++) CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
    double v[3], spin[3];
    const double middle[3] = {0};
    talus_body_joint_state s;
    CHECK_OK(talus_body_joint_get(w, 1, &s), "");
    talus_body_velocity(w, id[1], middle, v, spin);
    CHECK_NEAR(spin[2], -1, 1e-9);
    const double off = fabs(s.position[0] - 0.1 * (cosh(2) - 1)) + fabs(s.rate[0] - 0.2 * sinh(2));
    CHECK(s.error < 1e-5);
    talus_world_destroy(w);
    return off;
}

TEST(a_bead_on_a_spoke)
{
    for (int dimension = 2; dimension < 4; dimension++) {
        const double coarse = bead(dimension, 4e-3), fine = bead(dimension, 1e-3);
        printf("%dD: off by %.3g at 4 ms, %.3g at 1 ms\n", dimension, coarse, fine);
        CHECK(fine < 1e-5 && coarse / fine > 14 && coarse / fine < 18);
    }
}

int main(int argc, char **argv)
{
    RUN(a_scotch_yoke);
    RUN(a_bead_on_a_spoke);
    return TEST_RESULT;
}
