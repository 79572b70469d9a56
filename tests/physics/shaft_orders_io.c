/* What acts on shafts and changes with time or with other shafts' rates does so to second order in the step (but for rates under spook): a law that reads the
 * rate of another coordinate, a brake and a clutch whose friction changes, a converter; against closed forms, or against finer steps. */
#include "lab.h"

#include <math.h>

typedef struct run {
    const char *scheme, *what;
    int dimension;
} run;

static void turn(const run *r, double h, double w[2])
{
    char text[2000];
    snprintf(text, sizeof text,
             "dimension: %d\nintegrator: {scheme: %s}\ntime: {end: 1 s, step: %.17g s}\nsolver: {tolerance: 1e-12}\nmechanisms:\n  m:\n"
             "    shafts: {p: {inertia: 0.2, speed: 10 rad/s}, q: {inertia: 0.5}}\n%s"
             "probes: {p: {joint: p, quantity: velocity}, q: {joint: q, quantity: velocity}}\n",
             r->dimension, r->scheme, h, r->what);
    lab l = open_lab(text, 1);
    (void)lab_run(&l, 1);
    w[0] = lab_probe(&l, "p"), w[1] = lab_probe(&l, "q");
    close_lab(&l);
}

/* Speeds of the two shafts after 1 s; NAN: those of steps of 0.25 ms are taken for them. Under spook, whose θ is 1, what depends on rates is of first order. */
static void check_order(const char *what, double p, double q, bool by_rates)
{
    static const char *const SCHEME[] = {"moreau", "spook", "generalized_alpha"};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int s = 0; s < 3; s++) {
            const run r = {SCHEME[s], what, dimension};
            const bool first = s == 1 && by_rates;
            double coarse[2], fine[2], finest[2];
            turn(&r, 4e-3, coarse), turn(&r, 2e-3, fine), turn(&r, isfinite(p) ? 1e-3 : 0.25e-3, finest);
            for (int k = 0; k < 2; k++) {
                const double exact = isfinite(k ? q : p) ? (k ? q : p) : finest[k], before = fabs(coarse[k] - exact), after = fabs(fine[k] - exact);
                if (!(after < (first ? 0.05 : 1e-3))) TEST_FAIL("%s, dimension %d, shaft %d: %g rad/s off at 2 ms: %s", r.scheme, dimension, k, after, what);
                if (before > 1e-9 && !(before > (first ? 1.8 : 3.4) * after))
                    TEST_FAIL("%s, dimension %d, shaft %d: %g rad/s off at 4 ms, %g at 2 ms: %s", r.scheme, dimension, k, before, after, what);
            }
        }
}

/* q: 0.5 ω̇ = 10 − 0.2 ω; p: 0.2 ω̇ = 25 − 0.15 ω_q. */
TEST(law_of_another_rate)
{
    const double q = 50 * (1 - exp(-0.4)), way = 50 - 125 * (1 - exp(-0.4));
    check_order("    forces: {f: {joint: p, law: \"25 N m - v.q*0.15 N m s\"}, g: {joint: q, law: \"10 N m - 0.2 N m s*v\"}}\n", 10 + (25 - 0.15 * way) / 0.2,
                q, true);
}

/* The grip falls as exp(−t): its impulse is 1 − 1/e, on one shaft, and between two that go on slipping. */
TEST(friction_of_time)
{
    const double impulse = 1 - exp(-1);
    check_order("    couplings: {f: {joints: [p], factors: [1], friction: \"1 N m*exp(-t/(1 s))\"}}\n", 10 - impulse / 0.2, 0, false);
    check_order("    couplings: {f: {joints: [p, q], friction: \"1 N m*exp(-t/(1 s))\"}}\n", 10 - impulse / 0.2, impulse / 0.5, false);
}

TEST(converter)
{
    check_order("    converters: {c: {joints: [p, q], capacity: {speed_ratio: [0,1], capacity: [0.002,0]}, ratio: {speed_ratio: [0,1], torque_ratio: [2,1]}}}\n"
                "    forces: {mot: {joint: p, law: \"20 N m\"}}\n",
                (double)NAN, (double)NAN, true);
}

int main(int argc, char **argv)
{
    RUN(law_of_another_rate);
    RUN(friction_of_time);
    RUN(converter);
    return TEST_RESULT;
}
