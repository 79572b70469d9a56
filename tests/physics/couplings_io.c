/* Couplings of shafts (talus/joint.h): clutches stick and slip with the moment that they are given, brakes stop and hold, elastic shafts swing, backlash
 * strikes, a differential whose sides rub is one of limited slip. In the plane and in space, in one mechanism and across two. */
#include "lab.h"

typedef struct pair {
    int dimension;
    bool apart;         /* in two mechanisms */
    const char *scheme; /* keys */
    double h, J[2], T[2], v[2];
    const char *more; /* of the coupling */
} pair;

static lab open_pair(const pair *p)
{
    char text[3000];
    const char *at = p->dimension == 2 ? "[0, 0]" : "[0, 0, 0]";
    int n = snprintf(text, sizeof text, "dimension: %d\ngravity: %s\ntime: {end: 20 s, step: %.17g s}\n%smechanisms:\n", p->dimension, at, p->h, p->scheme);
    for (int m = 0; m < (p->apart ? 2 : 1); m++) {
        const int first = p->apart ? m : 0, last = p->apart ? m : 1;
        n += snprintf(text + n, sizeof text - (size_t)n, "  m%d:\n    bodies:\n", m);
        for (int k = first; k <= last; k++) n += snprintf(text + n, sizeof text - (size_t)n, "      b%d: {mass: 1, inertia: %.17g}\n", k, p->J[k]);
        n += snprintf(text + n, sizeof text - (size_t)n, "    joints:\n");
        for (int k = first; k <= last; k++)
            n += snprintf(text + n, sizeof text - (size_t)n, "      j%d: {type: revolute, parent: ground, child: b%d, velocity: %.17g}\n", k, k, p->v[k]);
        n += snprintf(text + n, sizeof text - (size_t)n, "    forces:\n");
        for (int k = first; k <= last; k++) n += snprintf(text + n, sizeof text - (size_t)n, "      f%d: {joint: j%d, constant: %.17g}\n", k, k, p->T[k]);
        if (m == (p->apart ? 1 : 0)) n += snprintf(text + n, sizeof text - (size_t)n, "    couplings:\n      c: {joints: [j0, j1], %s}\n", p->more);
    }
    (void)snprintf(text + n, sizeof text - (size_t)n,
                   "probes:\n  x: {coupling: c, quantity: position}\n  slip: {coupling: c, quantity: velocity}\n  moment: {coupling: c, quantity: force}\n");
    return open_lab(text, 1);
}

static double turning(const lab *l, int k)
{
    char name[4] = {'j', (char)('0' + k), 0};
    return talus_joint_velocity(l->world, talus_joint_find(l->world, name), 0);
}

static double energy_of(const lab *l)
{
    double kinetic, potential;
    talus_world_energy(l->world, &kinetic, &potential);
    return kinetic;
}

/* Two flywheels and a clutch of 6 N m, geared by `ratio`: x = q0 − ratio q1. They come together with constant accelerations, at 0.3 s, and keep their angular
 * momentum; what is lost is ½ W⁻¹ ẋ², W = 1/J0 + ratio²/J1. */
static void check_clutch(const pair *given, double ratio, double tolerance)
{
    char more[100];
    pair p = *given;
    const double W = 1 / p.J[0] + ratio * ratio / p.J[1], slip = 6 * W * 0.3;
    snprintf(more, sizeof more, "factors: [1, %.17g], friction: 6", -ratio);
    p.more = more, p.v[1] = 2, p.v[0] = ratio * p.v[1] + slip;
    lab l = open_pair(&p);
    const double before = energy_of(&l), I = 6 * 0.3;
    lab_run(&l, 0.2);
    CHECK_NEAR(lab_probe(&l, "moment"), -6, 1e-9);
    CHECK_NEAR(lab_probe(&l, "slip"), slip / 3, tolerance);
    CHECK_NEAR(turning(&l, 0), p.v[0] - 6 / p.J[0] * 0.2, tolerance);
    CHECK_NEAR(turning(&l, 1), p.v[1] + ratio * 6 / p.J[1] * 0.2, tolerance);
    lab_run(&l, 0.5);
    CHECK_NEAR(lab_probe(&l, "slip"), 0, 1e-9);
    CHECK_NEAR(lab_probe(&l, "moment"), 0, 1e-6);
    CHECK_NEAR(turning(&l, 0), p.v[0] - I / p.J[0], tolerance);
    CHECK_NEAR(turning(&l, 1), p.v[1] + ratio * I / p.J[1], tolerance);
    CHECK_NEAR(before - energy_of(&l), 0.5 * slip * slip / W, tolerance * before);
    close_lab(&l);
}

TEST(clutch)
{
    for (int k = 0; k < 8; k++) {
        const pair p = {k % 2 ? 3 : 2, k % 4 > 1, "", 2e-3, {0.5, 0.2}, {0, 0}, {0, 0}, NULL};
        check_clutch(&p, k > 3 ? -2.5 : 1, 1e-9);
    }
    check_clutch(&(pair){2, false, "integrator: {scheme: spook}\n", 2e-3, {0.5, 0.2}, {0, 0}, {0, 0}, NULL}, 2.5, 1e-9);
    check_clutch(&(pair){3, false, "integrator: {scheme: generalized_alpha}\n", 2e-3, {0.5, 0.2}, {0, 0}, {0, 0}, NULL}, 2.5, 1e-6);
}

/* A moment T on one side of a clutch that sticks: T J1/(J0 + J1) passes; of more than it holds 6 N m pass, and it slips. */
TEST(clutch_under_load)
{
    for (int k = 0; k < 4; k++) {
        const bool slips = k % 2;
        const double T = slips ? 30 : 12, J0 = 0.5, J1 = 0.25, passes = slips ? 6 : T * J1 / (J0 + J1);
        lab l = open_pair(&(pair){k > 1 ? 3 : 2, false, "", 2e-3, {J0, J1}, {T, 0}, {1, 1}, "friction: 6 N m"});
        lab_run(&l, 0.4);
        CHECK_NEAR(lab_probe(&l, "moment"), -passes, 1e-8);
        CHECK_NEAR(turning(&l, 0), 1 + (T - passes) / J0 * 0.4, 1e-8);
        CHECK_NEAR(turning(&l, 1), 1 + passes / J1 * 0.4, 1e-8);
        close_lab(&l);
    }
}

/* A clutch that is engaged in time: 20 N m/s, from 0.1 s on. Its moment is that of the time, before that nothing passes. */
TEST(engaging)
{
    lab l = open_pair(&(pair){2, false, "", 1e-3, {2, 3}, {0, 0}, {40, 0}, "friction: \"20 N m/s * (t - 0.1 s)\""});
    lab_run(&l, 0.1);
    CHECK(turning(&l, 0) == 40 && turning(&l, 1) == 0);
    lab_run(&l, 0.6);
    CHECK_NEAR(lab_probe(&l, "moment"), -20 * 0.5, 20 * 1e-3);
    CHECK_NEAR(turning(&l, 1), 20 * 0.5 * 0.5 / 2 / 3, 20 * 1e-3 * 0.5 / 3);
    CHECK_NEAR(2 * turning(&l, 0) + 3 * turning(&l, 1), 80, 1e-11);
    close_lab(&l);
}

/* A brake of one shaft, against a moment that is less than it holds: stops after J ω/(T_b − T), and stays; more than it holds it slips on. */
TEST(brake)
{
    for (int space = 0; space < 2; space++) {
        char text[1500];
        snprintf(
            text, sizeof text,
            "dimension: %d\ngravity: %s\ntime: {end: 5 s, step: 1 ms}\nmechanisms:\n  m:\n    bodies: {b: {mass: 1, inertia: 0.5}}\n"
            "    joints: {j: {type: revolute, parent: ground, child: b, velocity: 12}}\n    forces: {f: {joint: j, law: \"4 N m + 8 N m*step(t - 1.5 s)\"}}\n"
            "    couplings: {brake: {joints: [j], friction: 10 N m}}\nprobes: {moment: {coupling: brake, quantity: force}, angle: {joint: j}}\n",
            space ? 3 : 2, space ? "[0, 0, 0]" : "[0, 0]");
        lab l = open_lab(text, 1);
        lab_run(&l, 0.9);
        CHECK_NEAR(talus_joint_velocity(l.world, talus_joint_find(l.world, "j"), 0), 12 - 12 * 0.9, 1e-9);
        lab_run(&l, 1.4);
        CHECK_NEAR(lab_probe(&l, "angle"), 6, 1e-3 * 12);
        CHECK_NEAR(talus_joint_velocity(l.world, talus_joint_find(l.world, "j"), 0), 0, 1e-12);
        CHECK_NEAR(lab_probe(&l, "moment"), -4, 1e-9);
        lab_run(&l, 2);
        CHECK_NEAR(lab_probe(&l, "moment"), -10, 1e-9);
        CHECK_NEAR(talus_joint_velocity(l.world, talus_joint_find(l.world, "j"), 0), 2 / 0.5 * 0.5, 2 / 0.5 * 2e-3);
        close_lab(&l);
    }
}

/* Two flywheels on an elastic shaft, one of them turning, from x = 0: x = x0 (1 − cos ω t) + v/ω sin ω t, ω² = k W, of a shaft that is free at x0; the error
 * falls fourfold with half the step. The mean turns on. With a damper d: x = v/ω_d exp(−δ t) sin ω_d t, δ = d W/2. */
TEST(shaft)
{
    for (int kind = 0; kind < 4; kind++) {
        const bool damped = kind % 2;
        const double J0 = 0.4, J1 = 0.1, W = 1 / J0 + 1 / J1, k = 8, delta = damped ? 0.5 * 0.2 * W : 0, omega = sqrt(k * W - delta * delta), time = 0.6;
        double off[2];
        for (int half = 0; half < 2; half++) {
            lab l = open_pair(&(pair){kind > 1 ? 3 : 2,
                                      kind > 1,
                                      "",
                                      half ? 1e-3 : 2e-3,
                                      {J0, J1},
                                      {0, 0},
                                      {5, 0},
                                      damped ? "stiffness: 8 N m/rad, damping: 0.2 N m s/rad" : "stiffness: 8, free: 0.3 rad"});
            const double free = damped ? 0 : 0.3;
            lab_run(&l, time);
            off[half] = fabs(lab_probe(&l, "x") - free + free * cos(omega * time) - 5 / omega * exp(-delta * time) * sin(omega * time));
            CHECK_NEAR(J0 * turning(&l, 0) + J1 * turning(&l, 1), J0 * 5, 1e-10);
            const double all = 0.5 * J0 * 25 + 0.5 * k * free * free, stretch = lab_probe(&l, "x") - free;
            if (!damped) CHECK_NEAR(energy_of(&l) + 0.5 * k * stretch * stretch, all, 1e-2 * all);
            close_lab(&l);
        }
        CHECK(off[1] < 0.01);
        CHECK(off[0] > 1.8 * off[1]);
    }
}

/* Backlash of ± 0.05 rad: the flank is met after 0.05/ẋ, x goes no farther, momentum stays, ẋ turns round by the restitution. */
TEST(backlash)
{
    for (int kind = 0; kind < 4; kind++) {
        const double e = kind % 2 ? 0.5 : 0, slip = 2, J0 = 0.3, J1 = 0.1;
        lab l = open_pair(&(pair){
            kind > 1 ? 3 : 2, false, "", 1e-3, {J0, J1}, {0, 0}, {slip + 1, 1}, e > 0 ? "low: -0.05, high: 0.05, restitution: 0.5" : "low: -0.05, high: 0.05"});
        lab_run(&l, 0.024);
        CHECK_NEAR(lab_probe(&l, "x"), slip * 0.024, 1e-12);
        double most = 0;
        while (talus_world_time(l.world) < 0.06) lab_step(&l), most = fmax(most, fabs(lab_probe(&l, "x")));
        CHECK(most < 0.05 + slip * 1e-3);
        CHECK_NEAR(lab_probe(&l, "slip"), -e * slip, 1e-9);
        CHECK_NEAR(J0 * turning(&l, 0) + J1 * turning(&l, 1), J0 * (slip + 1) + J1, 1e-11);
        close_lab(&l);
    }
}

/* A differential driven by 10 N m whose sides rub with 3 N m, one on ice: the moment on the other is that of an open one and the friction's. */
TEST(limited_slip)
{
    const double T = 10, rub = 3, J[3] = {0.2, 0.05, 2}, c[3] = {-2, 1, 1}, M[3] = {T, -rub, rub};
    double above = 0, below = 0;
    lab l = open_lab("gravity: [0, 0]\ntime: {end: 5 s, step: 1 ms}\nmechanisms:\n  m:\n"
                     "    bodies: {b0: {mass: 1, inertia: 0.2}, b1: {mass: 1, inertia: 0.05}, b2: {mass: 1, inertia: 2}}\n"
                     "    joints:\n      j0: {type: revolute, parent: ground, child: b0}\n      j1: {type: revolute, parent: ground, child: b1}\n"
                     "      j2: {type: revolute, parent: ground, child: b2}\n    loops: {d: {type: differential, joints: [j0, j1, j2]}}\n"
                     "    forces: {f: {joint: j0, constant: 10}}\n    couplings: {rub: {joints: [j1, j2], friction: 3}}\n",
                     1);
    for (int k = 0; k < 3; k++) above -= c[k] * M[k] / J[k], below += c[k] * c[k] / J[k];
    lab_run(&l, 0.5);
    for (int k = 0; k < 3; k++) CHECK_NEAR(turning(&l, k), 0.5 * (M[k] + c[k] * above / below) / J[k], 1e-8);
    close_lab(&l);
}

static void refuse(const char *coupling, const char *what)
{
    char text[1000];
    snprintf(
        text, sizeof text,
        "gravity: [0, 0]\ntime: {end: 1 s, step: 5 ms}\nmechanisms:\n  m:\n    bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}, c: {mass: 1}}\n"
        "    joints:\n      a: {type: revolute, parent: ground, child: a}\n      b: {type: revolute, parent: ground, child: b}\n"
        "      c: {type: prismatic, parent: ground, child: c}\n    drives: {d: {joint: b, speed: 1}}\n    couplings:\n      k: {%s}\n",
        coupling);
    talus_scene *scene = load_lab(text);
    talus_world *w = NULL;
    if (talus_scene_mistake_count(scene) == 0) (void)!talus_scene_build(scene, 1, &w);
    CHECK(!w && talus_scene_mistake_count(scene) > 0);
    if (talus_scene_mistake_count(scene) > 0 && !strstr(talus_scene_mistake(scene, 0), what)) TEST_FAIL("%s: %s", coupling, talus_scene_mistake(scene, 0));
    talus_world_destroy(w);
    talus_scene_destroy(scene);
}

TEST(mistakes)
{
    refuse("joints: [a, b, c], friction: 1", "one factor for each");
    refuse("joints: [a, b], factors: [1], friction: 1", "one factor for each");
    refuse("joints: [a, c], friction: 1 N", "torque");
    refuse("joints: [a], stiffness: 1 N/m", "kg m^2/rad/s^2");
    refuse("joints: [a], damping: 1 N s/m", "expected");
    refuse("joints: [a, a], friction: 1", "twice");
    refuse("joints: [a, b], factors: [1, 0], friction: 1", "another number than 0");
    refuse("joints: [b], friction: 1, low: 0.1", "coupling 'k' starts at 0, beyond its stop at 0.1"); /* of what is driven, too */
    refuse("joints: [a, nobody], friction: 1", "nobody");
    refuse("joints: [a], low: 1, high: -1", "below");
    refuse("joints: [a, c]", "nothing acts in coupling 'k'");
    refuse("joints: [a, c], free: 0.1", "nothing acts in coupling 'k'");
    refuse("joints: [a], stiffness: 0, damping: 0", "nothing acts in coupling 'k'");
    refuse("joints: [a], stiffness: 1, restitution: 0.5", "has a restitution and no stops");
    refuse("joints: [a], stiffness: 1, slide: {speed: [0, 1], factor: [1, 0.5]}", "has a slide and no friction");
}

int main(int argc, char **argv)
{
    RUN(clutch);
    RUN(clutch_under_load);
    RUN(engaging);
    RUN(brake);
    RUN(shaft);
    RUN(backlash);
    RUN(limited_slip);
    RUN(mistakes);
    return TEST_RESULT;
}
