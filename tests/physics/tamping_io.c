/* The tamping machines with hydraulics in the air, as examples/tamping has them, against closed forms: speed and moment of a hydraulic motor on its leakage
 * and its load, swing of the arms on an eccentric and on oil, shaking of an unbalanced flywheel on a spring and on oil, weight on a cylinder, speed and force
 * of squeezing, the balance of energy. */
#include "lab.h"

static const double PI = 3.14159265358979323846;

static lab open_example(const char *name, const char *const *changes, int count)
{
    char path[500];
    (void)snprintf(path, sizeof path, "%s/examples/tamping/%s.yaml", TALUS_SOURCE_DIR, name);
    lab l = {NULL, NULL};
    (void)!talus_scene_load(path, changes, count, &l.scene);
    if (!l.scene) exit(1);
    if (talus_scene_mistake_count(l.scene) > 0) TEST_FAIL("%s", talus_scene_mistake(l.scene, 0));
    else CHECK_OK(talus_scene_build(l.scene, 1, &l.world), talus_scene_mistake(l.scene, 0));
    if (!l.world) exit(1);
    return l;
}

/* ---- closed forms ------------------------------------------------------------------------------------------------------------------------------ */

static double disk(double d) { return PI / 4 * d * d; }

/* Oil of 1.4 GPa with 0.5 % of air (theory §9.7): −v'/v. */
static double compressibility(double p)
{
    const double beta = 1.4e9, air = 0.005, pa = 101325, n = 1.4;
    const double v = (1 - air) * exp(-p / beta) + air * pow(1 + p / pa, -1 / n);
    return ((1 - air) / beta * exp(-p / beta) + air / (n * pa) * pow(1 + p / pa, -1 / n - 1)) / v;
}

/* Of a piston of area A on a closed chamber. */
static double stiffness(double A, double V, double p) { return A * A / (V * compressibility(p)); }

enum { FREQUENCY = 35, TURNS = 10 };
static const double D = 25e-6 / (2 * PI), LEAKAGE = 0.3e-3 / 60 / 1e6, BEARINGS = 0.02; /* m³/rad, m³/s/Pa, N m s/rad */

/* ω of a motor that is given 2π D f and leaks: D ω + G H = 2π D f with D H = P/ω. */
static double motor_speed(double power, double start)
{
    double w = start;
    for (int i = 0; i < 50; i++) w = 2 * PI * FREQUENCY - LEAKAGE * power / (w * D * D);
    return w;
}

/* ---- what is measured ---------------------------------------------------------------------------------------------------------------------------- */

/* Over so many turns of the shaft: means, and √2 times the deviation, which is the amplitude of a harmonic. */
typedef struct swing {
    double mean, amplitude;
} swing;

enum { MOST = 6 };

static void measure(const lab *l, const char *const *probe, int count, swing *out)
{
    const double end = talus_world_time(l->world) + TURNS * 2 * PI / lab_probe(l, "shaft_speed");
    double sum[MOST] = {0}, squares[MOST] = {0}, first[MOST];
    int n = 0;
    for (int i = 0; i < count; i++) first[i] = lab_probe(l, probe[i]);
    for (; talus_world_time(l->world) < end; n++) {
        lab_step(l);
        for (int i = 0; i < count; i++) {
            const double x = lab_probe(l, probe[i]) - first[i];
            sum[i] += x, squares[i] += x * x;
        }
    }
    for (int i = 0; i < count; i++) {
        const double mean = sum[i] / n;
        out[i] = (swing){first[i] + mean, sqrt(2 * (squares[i] / n - mean * mean))};
    }
}

/* Energy, what the method has taken, the heat of dampers, and the work of all pumps and valves: constant. */
static double balance(const lab *l)
{
    double sum = lab_probe(l, "total") + lab_probe(l, "damped") + lab_probe(l, "heat");
    for (int i = 0; i < talus_scene_probe_count(l->scene); i++)
        if (strncmp(talus_scene_probe_name(l->scene, i), "w_", 2) == 0) sum += talus_scene_probe_value(l->scene, l->world, i);
    return sum;
}

static double pumped(const lab *l) { return -lab_probe(l, "w_v_pump") - lab_probe(l, "w_l_pump") - lab_probe(l, "w_s_pump"); }

/* ---- the asynchronous machine --------------------------------------------------------------------------------------------------------------------- */

/* Its pins shake the upper ends of the arms by e k/(k + (m g s − J ω²)/r²), on the oil k of both chambers. All that its motor has to give is the drag of its
 * bearings, so that ω = 2π f/(1 + G b/D²). */
TEST(eccentric)
{
    static const char *const PROBES[] = {"shaft_speed", "shaft_moment", "arm_angle", "right_angle", "lift_force"};
    const double A = disk(0.05), ring = A - disk(0.03), e = 1.5e-3, r = 0.25, J = 1.5 + 15 * r * r;
    const double k = stiffness(A, 0.05e-3 + A * 0.01, 4e6) + stiffness(ring, 0.05e-3 + ring * 0.03, 4e6 * A / ring);
    lab l = open_example("eccentric-air", NULL, 0);
    const double start = balance(&l);
    swing s[5];
    lab_run(&l, 1.5);
    measure(&l, PROBES, 5, s);
    const double w = 2 * PI * FREQUENCY / (1 + LEAKAGE * BEARINGS / (D * D)), top = e * k / (k + (15 * 9.81 * r - J * w * w) / (r * r));
    CHECK_CLOSE(s[0].mean, w, 1e-4); /* leakage makes 6e-3 of it */
    CHECK_CLOSE(s[1].mean, BEARINGS * w, 5e-3);
    CHECK(top > 1.015 * e);
    for (int arm = 2; arm < 4; arm++) CHECK_NEAR(s[arm].amplitude * r, top, 0.1 * (top - e));
    CHECK_CLOSE(s[4].mean, -115 * 9.81, 5e-3);
    CHECK_NEAR(lab_probe(&l, "arm_angle"), -lab_probe(&l, "right_angle"), 1e-6); /* against each other */
    CHECK_NEAR(balance(&l), start, 1e-6 * pumped(&l));
    close_lab(&l);
}

/* ---- the unbalanced flywheel ------------------------------------------------------------------------------------------------------------------------ */

/* Amplitudes of a support on the oil k and of what hangs at it on the suspension, 73 kg with a flywheel of m e = 0.3 kg m in it. */
static void shake(double k, double w, double *support, double *relative)
{
    const double M = 73, carried = k - 50 * w * w, force = 15 * 0.02 * w * w;
    /* (k − m ω²) z = K r, −M ω² (z + r) + K r = F, with K = stiffness + i ω damping */
    const double K[2] = {50e3, 500 * w};
    /* r = F/(K − M ω² − M ω² K/(k − m ω²)) */
    const double part = 1 - M * w * w / carried, re = K[0] * part - M * w * w, im = K[1] * part;
    *relative = force / hypot(re, im);
    *support = *relative * hypot(K[0], K[1]) / fabs(carried);
}

TEST(flywheel)
{
    static const char *const PROBES[] = {"shaft_speed", "heave", "support_height", "lift_force"};
    const double A = disk(0.04), ring = A - disk(0.025), weight = 123 * 9.81;
    const double k = stiffness(A, 0.1e-3 + A * 0.02, 3e6) + stiffness(ring, 0.1e-3 + ring * 0.58, (3e6 * A + weight) / ring);
    lab l = open_example("hydraulic-air", NULL, 0);
    swing s[4];
    lab_run(&l, 1.5);
    const double heat = lab_probe(&l, "heat"), leaked = lab_probe(&l, "w_shaft"), pump = lab_probe(&l, "w_v_pump"), time = talus_world_time(l.world);
    measure(&l, PROBES, 4, s);
    const double took = talus_world_time(l.world) - time, power = (lab_probe(&l, "heat") - heat) / took;
    double support, relative;
    shake(k, s[0].mean, &support, &relative);
    CHECK_CLOSE(s[1].amplitude, relative, 5e-3); /* m e/M is 1 % less */
    CHECK_CLOSE(s[2].amplitude, support, 0.02);  /* on oil alone: the support would not move without */
    CHECK_CLOSE(s[3].mean, -weight, 5e-3);
    CHECK_CLOSE(s[0].mean, motor_speed(power, s[0].mean), 5e-4);
    CHECK_CLOSE((pump - lab_probe(&l, "w_v_pump")) / took, power + (lab_probe(&l, "w_shaft") - leaked) / took, 5e-3);
    close_lab(&l);
}

/* A four-way valve that stands open on a cylinder without load: A v = q √(P − p), a v = q √(p A/a), so v = q/A √(P/(1 + (a/A)³)); P of a relief valve that
 * takes what the pump gives too much. Against its stop it presses with the pressure of the line on its whole area. */
TEST(squeezing)
{
    const double A = disk(0.05), ring = A - disk(0.03), q = 6e-3 / 60 / 1e3; /* m³/s at 1 Pa */
    static const char *const STILL[] = {"flywheel.frequency=0.001", "squeeze.start=0.3", "time.end=1.2"};
    lab l = open_example("hydraulic-air", STILL, 3);
    lab_run(&l, 0.4);
    const double x = lab_probe(&l, "actuator_elongation");
    lab_run(&l, 0.6);
    double P = 12e6, v = 0;
    for (int i = 0; i < 20; i++) {
        v = q / A * sqrt(P / (1 + pow(ring / A, 3)));
        P = 12e6 + 0.2e6 * (1 - A * v / (20e-3 / 60));
    }
    CHECK_CLOSE((lab_probe(&l, "actuator_elongation") - x) / 0.2, v, 0.01); /* oil gives by half a percent */
    CHECK_CLOSE(lab_probe(&l, "s"), P, 5e-3);
    lab_run(&l, 1.2);
    CHECK_CLOSE(lab_probe(&l, "s"), 12.2e6, 5e-3);
    CHECK_CLOSE(lab_probe(&l, "actuator_force"), 12.2e6 * A, 5e-3);
    CHECK_NEAR(lab_probe(&l, "actuator_elongation"), 0.56, 1e-6);
    close_lab(&l);
}

/* ---- energy ------------------------------------------------------------------------------------------------------------------------------------------ */

/* Of second order in the step: the links of the mechanism turn by what a step leaves over. */
TEST(energy_closes)
{
    static const char *const STEPS[] = {"time.step=1 ms", "time.step=0.5 ms"};
    double off[2];
    for (int i = 0; i < 2; i++) {
        lab l = open_example("hydraulic-air", &STEPS[i], 1);
        const double start = balance(&l);
        lab_run(&l, 1.2);
        off[i] = fabs(balance(&l) - start);
        CHECK(off[i] < 1e-3 * pumped(&l));
        close_lab(&l);
    }
    CHECK(off[0] / off[1] > 3.5 && off[0] / off[1] < 4.5);
}

int main(int argc, char **argv)
{
    RUN(eccentric);
    RUN(flywheel);
    RUN(squeezing);
    RUN(energy_closes);
    return TEST_RESULT;
}
