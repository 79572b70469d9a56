/* Hydrodynamic torque converters (talus/driveline.h): stall and coupling point at imposed speeds, all signs, the stator's reaction, power in = out + heat, a
 * load that accelerates against a fine Runge–Kutta solution, long steps, a lockup clutch. In the plane and in space. */
#include "lab.h"

/* C 0.004 to 0.8, then down to 0; μ 2.4 to 1 at 0.85, the coupling point. */
#define TABLES "capacity: {speed_ratio: [0, 0.8, 1], capacity: [0.004, 0.003, 0]}, ratio: {speed_ratio: [0, 0.85], torque_ratio: [2.4, 1]}"

static double capacity(double x) { return x < 0.8 ? 0.004 - 0.00125 * x : 0.003 * (1 - x) / 0.2; }
static double ratio(double x) { return x < 0.85 ? 2.4 - 1.4 / 0.85 * x : 1; }

typedef struct set_up {
    int dimension;
    double h, J[2], v[2];
    const char *more, *head;
} set_up;

static lab open_converter(const set_up *p)
{
    char text[4000];
    const char *axis = p->dimension == 2 ? "" : ", axis: [0, 0, 1]";
    snprintf(text, sizeof text,
             "dimension: %d\ngravity: %s\ntime: {end: 100 s, step: %.17g s}\n%smechanisms:\n  m:\n"
             "    bodies: {case: {mass: 1, inertia: 5}}\n    joints: {mount: {type: revolute, parent: ground, child: case%s, velocity: 0}}\n"
             "    shafts: {p: {on: case, inertia: %.17g, speed: %.17g%s}, t: {on: case, inertia: %.17g, speed: %.17g%s}}\n"
             "    converters: {c: {joints: [p, t], " TABLES "}}\n%s"
             "probes:\n  pump: {converter: c, quantity: pump}\n  turbine: {converter: c, quantity: turbine}\n  nu: {converter: c, quantity: speed_ratio}\n"
             "  eta: {converter: c, quantity: efficiency}\n  heat: {converter: c, quantity: heat}\n"
             "  fp: {joint: p, quantity: force}\n  ft: {joint: t, quantity: force}\n",
             p->dimension, p->dimension == 2 ? "[0, 0]" : "[0, 0, 0]", p->h, p->head ? p->head : "", axis, p->J[0], p->v[0], axis, p->J[1], p->v[1], axis,
             p->more ? p->more : "");
    return open_lab(text, 1);
}

static double speed_of(const lab *l, const char *joint) { return talus_joint_velocity(l->world, talus_joint_find(l->world, joint), 0); }

/* Both speeds imposed, the case held: what the drives hold against, and the probes. */
static void hold(int dimension, double p, double t, double T[2], double heat_ratio[3])
{
    char more[200];
    snprintf(more, sizeof more, "    drives: {case: {joint: mount, speed: 0}, p: {joint: p, speed: %.17g}, t: {joint: t, speed: %.17g}}\n", p, t);
    lab l = open_converter(&(set_up){dimension, 1e-2, {0.2, 0.2}, {p, t}, more, NULL});
    lab_run(&l, 0.05);
    T[0] = lab_probe(&l, "fp"), T[1] = -lab_probe(&l, "ft");
    CHECK_NEAR(lab_probe(&l, "pump"), T[0], 1e-9 * fabs(T[0]) + 1e-12);
    CHECK_NEAR(lab_probe(&l, "turbine"), T[1], 1e-9 * fabs(T[1]) + 1e-12);
    heat_ratio[0] = lab_probe(&l, "heat"), heat_ratio[1] = lab_probe(&l, "nu"), heat_ratio[2] = lab_probe(&l, "eta");
    CHECK_NEAR(heat_ratio[0], T[0] * p - T[1] * t, 1e-9 * (fabs(T[0] * p) + fabs(T[1] * t)) + 1e-12);
    CHECK(heat_ratio[0] >= 0);
    close_lab(&l);
}

TEST(imposed_speeds)
{
    static const double NU[] = {0, 0.4, 0.8, 0.85, 0.95, 1};
    for (int k = 0; k < 12; k++) {
        const double p = k > 5 ? -120 : 150, x = NU[k % 6], side = p < 0 ? -1 : 1;
        double T[2], read[3];
        hold(k % 2 ? 3 : 2, p, x * p, T, read);
        CHECK_NEAR(T[0], side * capacity(x) * p * p, 1e-9 * p * p * 0.004);
        CHECK_NEAR(T[1], side * ratio(x) * capacity(x) * p * p, 1e-9 * p * p * 0.01);
        CHECK_NEAR(read[1], x, 1e-12);
        CHECK_NEAR(read[2], x < 1 ? ratio(x) * x : 0, 1e-9);
        hold(2, x * p, p, T, read); /* overrun: mirrored, without the stator */
        if (x < 1) CHECK_NEAR(T[0], -side * capacity(x) * p * p, 1e-9 * p * p * 0.004);
        CHECK_NEAR(T[1], T[0], 1e-9 * fabs(T[0]) + 1e-9);
        CHECK_NEAR(read[2], x < 1 ? x : 0, 1e-9);
    }
}

/* Where they turn against each other both are braked; over all signs the torques are continuous, and odd. */
TEST(all_signs)
{
    double T[2], read[3], before[2] = {0, 0}, U[2];
    hold(2, 100, -60, T, read);
    CHECK_CLOSE(T[0], 0.004 * (100 * 100 + 60 * 60), 1e-9);
    CHECK_CLOSE(T[1], 0.004 * (2.4 * 100 * 100 + 60 * 60), 1e-9);
    CHECK(read[2] == 0);
    for (int k = 0; k <= 72; k++) {
        const double a = k * acos(-1) / 36, p = 100 * cos(a), t = 100 * sin(a);
        hold(2, p, t, T, read);
        hold(2, -p, -t, U, read);
        for (int i = 0; i < 2; i++) {
            CHECK_NEAR(U[i], -T[i], 1e-9 * 100);
            if (k > 0) CHECK(fabs(T[i] - before[i]) < 0.25 * 100);
            before[i] = T[i];
        }
    }
    static const double EDGE[][2] = {{100, 0}, {0, 100}, {100, 100}, {-100, -100}, {0, -100}};
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 2; i++) {
            const double d[2] = {EDGE[k][1] / 100 * 1e-6, -EDGE[k][0] / 100 * 1e-6};
            hold(2, EDGE[k][0] + d[0], EDGE[k][1] + d[1], T, read);
            hold(2, EDGE[k][0] - d[0], EDGE[k][1] - d[1], U, read);
            CHECK_NEAR(T[i], U[i], 1e-4);
        }
    hold(2, 0, 0, T, read);
    CHECK(T[0] == 0 && T[1] == 0);
}

/* On a case that is free to turn: what the stator holds acts on it, and the angular momentum of all three stays. */
TEST(stator)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_converter(&(set_up){dimension, 2e-3, {0.3, 0.5}, {200, 0}, NULL, NULL});
        const double before = 0.3 * 200;
        lab_run(&l, 0.05);
        const double W = speed_of(&l, "mount"), p = speed_of(&l, "p"), t = speed_of(&l, "t");
        CHECK_NEAR(5 * W + 0.3 * (W + p) + 0.5 * (W + t), before, 1e-9);
        CHECK(W < -0.1); /* the turbine turns it back more than the pump turns it on */
        lab_run(&l, 20);
        CHECK_NEAR(5 * speed_of(&l, "mount") + 0.3 * (speed_of(&l, "mount") + speed_of(&l, "p")) + 0.5 * (speed_of(&l, "mount") + speed_of(&l, "t")), before,
                   1e-8);
        close_lab(&l);
    }
}

/* ---- a load that accelerates ------------------------------------------------------------------------------------------------- */

/* M on the pump, −k t² on the turbine: the right-hand side, with torques written anew for p ≥ t ≥ 0. */
static void rates(const double *x, double M, double k, const double J[2], double out[2])
{
    const double n = x[0] > 0 ? x[1] / x[0] : 0, T = capacity(n) * x[0] * x[0];
    out[0] = (M - T) / J[0], out[1] = (ratio(n) * T - k * x[1] * x[1]) / J[1];
}

static void runge_kutta(double x[2], double M, double k, const double J[2], double time, int steps)
{
    const double h = time / steps;
    for (int i = 0; i < steps; i++) {
        double a[2], b[2], c[2], d[2], y[2];
        rates(x, M, k, J, a);
        for (int j = 0; j < 2; j++) y[j] = x[j] + 0.5 * h * a[j];
        rates(y, M, k, J, b);
        for (int j = 0; j < 2; j++) y[j] = x[j] + 0.5 * h * b[j];
        rates(y, M, k, J, c);
        for (int j = 0; j < 2; j++) y[j] = x[j] + h * c[j];
        rates(y, M, k, J, d);
        for (int j = 0; j < 2; j++) x[j] += h / 6 * (a[j] + 2 * b[j] + 2 * c[j] + d[j]);
    }
}

static lab loaded(int dimension, double h, double M, double k, const char *head)
{
    char more[300];
    snprintf(more, sizeof more,
             "    drives: {case: {joint: mount, speed: 0}}\n    forces: {engine: {joint: p, constant: %.17g}, load: {joint: t, law: \"-%.17g N m "
             "s^2/rad^2*v*abs(v)\"}}\n",
             M, k);
    return open_converter(&(set_up){dimension, h, {0.5, 8}, {80, 0}, more, head});
}

TEST(accelerates)
{
    static const double J[2] = {0.5, 8};
    for (int dimension = 2; dimension <= 3; dimension++) {
        double off[2][2], x[2] = {80, 0};
        runge_kutta(x, 120, 0.003, J, 6, 60000);
        for (int half = 0; half < 2; half++) {
            lab l = loaded(dimension, half ? 1e-2 : 2e-2, 120, 0.003, NULL);
            lab_run(&l, 6);
            off[half][0] = fabs(speed_of(&l, "p") - x[0]), off[half][1] = fabs(speed_of(&l, "t") - x[1]);
            close_lab(&l);
        }
        for (int i = 0; i < 2; i++) {
            CHECK(off[0][i] < 1e-3 * x[i]);
            CHECK(off[1][i] < 0.35 * off[0][i]); /* order 2, but for the kinks of the tables that a step meets */
        }
    }
}

/* What the engine does is what the load takes, what the shafts have and heat, by trapezoids. */
TEST(power_balance)
{
    double off[2];
    for (int half = 0; half < 2; half++) {
        const double h = half ? 5e-3 : 1e-2;
        lab l = loaded(2, h, 120, 0.003, NULL);
        double in = 0, out = 0, heat = 0, was[3] = {120 * 80, 0, lab_probe(&l, "heat")};
        while (talus_world_time(l.world) < 4) {
            lab_step(&l);
            const double now[3] = {120 * speed_of(&l, "p"), 0.003 * pow(speed_of(&l, "t"), 3), lab_probe(&l, "heat")};
            in += 0.5 * h * (was[0] + now[0]), out += 0.5 * h * (was[1] + now[1]), heat += 0.5 * h * (was[2] + now[2]);
            memcpy(was, now, sizeof was);
        }
        const double p = speed_of(&l, "p"), t = speed_of(&l, "t");
        off[half] = fabs(in - out - heat - 0.5 * 0.5 * (p * p - 80 * 80) - 0.5 * 8 * t * t);
        CHECK(off[half] < 1e-3 * in && heat > 0.1 * in);
        close_lab(&l);
    }
    CHECK(off[1] < 0.35 * off[0]);
}

/* Long steps end where the torques balance: μ(ν) M = k ν² ω_p², M = C(ν) ω_p², so that μ C = k ν², by bisection; no step drives it away. */
TEST(long_steps)
{
    const double M = 120, k = 0.0025;
    double low = 0, high = 1;
    for (int i = 0; i < 100; i++) {
        const double x = 0.5 * (low + high);
        if (ratio(x) * capacity(x) > k * x * x) low = x;
        else high = x;
    }
    for (int n = 0; n < 6; n++) {
        static const double STEP[] = {0.05, 0.2, 0.5};
        lab l = loaded(n > 2 ? 3 : 2, STEP[n % 3], M, k, NULL);
        double most = 0;
        while (talus_world_time(l.world) < 250) lab_step(&l), most = fmax(most, fmax(fabs(speed_of(&l, "p")), fabs(speed_of(&l, "t"))));
        CHECK_NEAR(lab_probe(&l, "nu"), low, 1e-6);
        CHECK_CLOSE(speed_of(&l, "p"), sqrt(M / capacity(low)), 1e-6);
        CHECK_NEAR(lab_probe(&l, "eta"), ratio(low) * low, 1e-6);
        CHECK(most < 1.5 * sqrt(M / capacity(low)));
        close_lab(&l);
    }
}

/* A lockup clutch is a coupling with friction: closed, both turn as one and nothing becomes heat. */
TEST(lockup)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_converter(&(set_up){
            dimension,
            5e-3,
            {0.5, 8},
            {80, 0},
            "    drives: {case: {joint: mount, speed: 0}}\n    forces: {engine: {joint: p, constant: 120}, load: {joint: t, law: -100 N m*v/(150 rad/s)}}\n"
            "    couplings: {lockup: {joints: [p, t], friction: \"400 N m*ramp(t, 20 s, 21 s)\"}}\n",
            NULL});
        lab_run(&l, 20);
        CHECK(lab_probe(&l, "nu") < 0.95 && lab_probe(&l, "heat") > 100);
        lab_run(&l, 80);
        CHECK_NEAR(lab_probe(&l, "nu"), 1, 1e-9);
        CHECK_NEAR(lab_probe(&l, "heat"), 0, 1e-3);
        CHECK_NEAR(speed_of(&l, "t"), 180, 180 * exp(-59 * 100 / 150.0 / 8.5) + 1e-3);
        close_lab(&l);
    }
}

TEST(schemes)
{
    static const char *const NAMES[] = {"generalized_alpha", "spook"};
    double x[2] = {80, 0};
    runge_kutta(x, 120, 0.003, (const double[]){0.5, 8}, 6, 60000);
    for (int k = 0; k < 2; k++) {
        char head[100];
        snprintf(head, sizeof head, "integrator: {scheme: %s}\n", NAMES[k]);
        lab l = loaded(2, 2e-3, 120, 0.003, head);
        lab_run(&l, 6);
        CHECK_CLOSE(speed_of(&l, "p"), x[0], 2e-3);
        CHECK_CLOSE(speed_of(&l, "t"), x[1], 2e-3);
        close_lab(&l);
    }
}

static void refuse(const char *converter, const char *what)
{
    char text[1500];
    snprintf(text, sizeof text,
             "gravity: [0, 0]\ntime: {end: 1 s, step: 5 ms}\nmechanisms:\n  n: {shafts: {z: {inertia: 1}}}\n  m:\n    bodies: {s: {mass: 1, inertia: 1}}\n"
             "    shafts: {a: {inertia: 1}, b: {inertia: 1}, d: {inertia: 1, on: s}}\n"
             "    joints: {slide: {type: prismatic, parent: ground, child: s}}\n    converters: {c: {%s}}\n",
             converter);
    talus_scene *scene = load_lab(text);
    talus_world *w = NULL;
    if (talus_scene_mistake_count(scene) == 0) (void)!talus_scene_build(scene, 1, &w);
    CHECK(!w && talus_scene_mistake_count(scene) > 0);
    if (talus_scene_mistake_count(scene) > 0 && !strstr(talus_scene_mistake(scene, 0), what)) TEST_FAIL("%s: %s", converter, talus_scene_mistake(scene, 0));
    talus_world_destroy(w);
    talus_scene_destroy(scene);
}

TEST(mistakes)
{
    refuse("joints: [a], " TABLES, "two shafts");
    refuse("joints: [a, slide], " TABLES, "a length");
    refuse("joints: [a, a], " TABLES, "twice");
    refuse("joints: [a, z], " TABLES, "two mechanisms");
    refuse("joints: [a, d], " TABLES, "different bodies");
    refuse("joints: [a, b]", "missing");
    refuse("joints: [a, b], capacity: {speed_ratio: [0, 0.9], capacity: [1, 0.5]}, ratio: {speed_ratio: [0], torque_ratio: [1]}", "end with 0 at 1");
    refuse("joints: [a, b], capacity: {speed_ratio: [0, 1], capacity: [1, 0]}, ratio: {speed_ratio: [0], torque_ratio: [2]}", "efficiency would be");
    refuse("joints: [a, b], capacity: {speed_ratio: [0, 1], capacity: [1, 0]}, ratio: {speed_ratio: [0, 1], torque_ratio: [2, 0]}", "must be positive");
    refuse("joints: [a, b], capacity: {speed_ratio: [0, 1], capacity: [1 N, 0]}, ratio: {speed_ratio: [0], torque_ratio: [1]}", "an inertia");
    refuse("joints: [a, b], capacity: {speed_ratio: [-1, 1], capacity: [1, 0]}, ratio: {speed_ratio: [0], torque_ratio: [1]}", "negative");
}

/* What the language says, C says. */
static double line(void *user, double x, double *slope)
{
    const double *k = user;
    *slope = k[1];
    return k[0] + k[1] * x;
}

TEST(defined_in_c)
{
    static double C[2] = {0.01, -0.01}, mu[2] = {2, -1};
    talus_world_def wd = talus_world_def_default();
    talus_world *w = NULL;
    talus_mechanism_id m;
    talus_joint_id j[2];
    talus_converter_id c;
    talus_shaft_def s = talus_shaft_def_default();
    talus_converter_def d = talus_converter_def_default();
    CHECK_OK(talus_world_create(&wd, &w, NULL, 0), "");
    CHECK_OK(talus_mechanism_create(w, "m", &m), talus_world_error(w));
    for (int k = 0; k < 2; k++) {
        s.name = k ? "t" : "p", s.inertia = 0.5, s.speed = k ? 0 : 50;
        CHECK_OK(talus_shaft_create(w, m, &s, &j[k]), talus_world_error(w));
    }
    d.pump = j[0], d.turbine = j[1];
    CHECK(talus_converter_create(w, &d, &c) == TALUS_INPUT);
    d.name = "c";
    CHECK(talus_converter_create(w, &d, &c) == TALUS_INPUT);
    d.capacity = (talus_characteristic){line, C}, d.ratio = (talus_characteristic){line, mu};
    CHECK_OK(talus_converter_create(w, &d, &c), talus_world_error(w));
    CHECK(talus_converter_create(w, &d, &c) == TALUS_INPUT);
    CHECK(talus_converter_find(w, "c").index1 == c.index1 && talus_converter_find(w, "x").index1 == 0);
    CHECK(isnan(talus_converter_read(w, c).heat));
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    CHECK_CLOSE(talus_converter_read(w, c).pump, 0.01 * 2500, 1e-12);
    CHECK_CLOSE(talus_converter_read(w, c).turbine, 0.02 * 2500, 1e-12);
    for (int i = 0; i < 100; i++) CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
    const talus_converter_state state = talus_converter_read(w, c);
    const double x = state.speed_ratio, p = talus_joint_velocity(w, j[0], 0);
    CHECK(x > 0.1);
    CHECK_CLOSE(state.pump, 0.01 * (1 - x) * p * p, 1e-12);
    CHECK_CLOSE(state.efficiency, (2 - x) * x, 1e-12);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(imposed_speeds);
    RUN(all_signs);
    RUN(stator);
    RUN(accelerates);
    RUN(power_balance);
    RUN(long_steps);
    RUN(lockup);
    RUN(schemes);
    RUN(mistakes);
    RUN(defined_in_c);
    return TEST_RESULT;
}
