/* Lines, valves, pumps and accumulators of hydraulic circuits (talus/hydraulics.h), against closed forms; oil and energy stay. */
#include "lab.h"

static const double BETA = 1.4e9, P_A = 101325;

static lab open_lines(int dimension, double h, const char *parts)
{
    char text[6000];
    (void)snprintf(text, sizeof text, "dimension: %d\ngravity: %s\ntime: {end: 100 s, step: %.17g s}\nhydraulics:\n  c:\n%s", dimension,
                   dimension == 2 ? "[0, 0]" : "[0, 0, 0]", h, parts);
    return open_lab(text, 1);
}

/* Energy of oil, and all that valves and the method have taken, of pumps negative. */
static double balance(const lab *l, const char *const *valves)
{
    double sum = talus_oil_energy(l->world) + talus_oil_damped(l->world);
    for (int i = 0; valves[i]; i++) {
        talus_component_state c;
        CHECK(talus_component_read(l->world, valves[i], &c));
        sum += c.work;
    }
    return sum;
}

/* ∫ v dp by Simpson's rule. */
static double head(double p, double beta, double air, double n)
{
    enum { PARTS = 2000 };
    double sum = 0;
    for (int i = 0; i <= PARTS; i++) {
        const double at = p * i / PARTS, v = (1 - air) * exp(-at / beta) + air * pow(P_A / (P_A + at), 1 / n);
        sum += (i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2) * v;
    }
    return sum * p / PARTS / 3;
}

/* A line that empties through a gap: p = p0 exp(−t/τ), τ = V/(β G), but for p/β; the error falls fourfold with half the step, and steps of many τ only fall. */
TEST(laminar)
{
    static const char PARTS[] = "    oil: {bulk_modulus: 1.4e6 GPa, air: 0}\n    lines: {a: {volume: 1 l, pressure: 0.02 MPa}}\n"
                                "    valves: {gap: {type: laminar, from: a, to: tank, flow: 1 l/min, drop: 1 MPa}}\n"
                                "probes: {p: {pressure: a}, q: {valve: gap}, work: {valve: gap, quantity: work}, w: {valve: gap, quantity: power}}\n";
    const double G = 1e-3 / 60 / 1e6, tau = 1e-3 / (1.4e15 * G), p0 = 2e4;
    for (int dimension = 2; dimension <= 3; dimension++) {
        double off[2];
        for (int half = 0; half < 2; half++) {
            lab l = open_lines(dimension, tau / (half ? 40 : 20), PARTS);
            const double before = balance(&l, (const char *const[]){"gap", NULL});
            lab_run(&l, tau);
            off[half] = fabs(lab_probe(&l, "p") - p0 * exp(-1));
            CHECK_NEAR(balance(&l, (const char *const[]){"gap", NULL}), before, 1e-12 * before);
            CHECK_NEAR(lab_probe(&l, "q"), G * p0 * exp(-1), G * p0 * 0.05);
            CHECK_NEAR(lab_probe(&l, "w"), G * p0 * p0 * exp(-2), G * p0 * p0 * 0.05);
            CHECK_NEAR(lab_probe(&l, "work"), before * (1 - exp(-2)), 2e-3 * before);
            close_lab(&l);
        }
        CHECK(off[1] < 1e-4 * p0);
        CHECK(off[0] > 3.5 * off[1]);
        lab l = open_lines(dimension, 30 * tau, PARTS);
        double last = p0;
        for (int i = 0; i < 20; i++) {
            lab_step(&l);
            const double p = lab_probe(&l, "p");
            CHECK(p >= -1 && p <= 0.1 * last + 1); /* V/v is known to β ε = 0.3 Pa */
            last = p;
        }
        close_lab(&l);
    }
}

/* Through an orifice √p falls evenly: √p = √p0 − c β t/2V. */
TEST(orifice)
{
    const double c = 1e-3 / 60 / 1e3, p0 = 4e6, V = 5e-3, all = 2 * V * 2e3 / (c * 1.4e15), time = 0.8 * all; /* where √p is a fifth */
    double off[2];
    for (int half = 0; half < 2; half++) {
        lab l = open_lines(2 + half, time / (half ? 80 : 40), /* laminar: (1 kPa/Δ)²/4 */
                           "    oil: {bulk_modulus: 1.4e6 GPa, air: 0}\n    lines: {a: {volume: 5 l, pressure: 4 MPa}}\n"
                           "    valves: {o: {type: orifice, from: a, flow: 1 l/min, drop: 1 MPa, laminar: 1 kPa}}\nprobes: {p: {pressure: a}}\n");
        const double before = balance(&l, (const char *const[]){"o", NULL});
        lab_run(&l, time);
        off[half] = fabs(sqrt(lab_probe(&l, "p")) - 0.2 * sqrt(p0));
        CHECK_NEAR(balance(&l, (const char *const[]){"o", NULL}), before, 1e-12 * before);
        close_lab(&l);
    }
    CHECK(off[1] < 1e-4 * sqrt(p0));
    CHECK(off[0] > 3.5 * off[1]);
}

/* A pump against a relief valve: opens + drop × Q/flow, of heads; what the pump gives is what is lost in it. */
TEST(relief)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_lines(
            dimension, 0.01,
            "    oil: {bulk_modulus: 1.4 GPa, air: 0.01, exponent: 1.2}\n    lines: {a: {volume: 2 l}}\n    pumps: {p: {from: tank, to: a, flow: 60 l/min}}\n"
            "    valves: {r: {type: relief, from: a, to: tank, opens: 20 MPa, flow: 60 l/min, drop: 1 MPa}}\n"
            "probes: {p: {pressure: a}, q: {valve: r}, w: {valve: r, quantity: power}, given: {valve: p, quantity: power}}\n");
        lab_run(&l, 2);
        const double all = head(20e6, BETA, 0.01, 1.2) + head(1e6, BETA, 0.01, 1.2);
        CHECK_NEAR(head(lab_probe(&l, "p"), BETA, 0.01, 1.2), all, 1e-8 * all);
        CHECK_NEAR(lab_probe(&l, "q"), 1e-3, 1e-9);
        CHECK_NEAR(lab_probe(&l, "w"), 1e-3 * all, 1e-6 * 1e-3 * all);
        CHECK_NEAR(lab_probe(&l, "given"), -1e-3 * all, 1e-6 * 1e-3 * all);
        CHECK_NEAR(balance(&l, (const char *const[]){"p", "r", NULL}), 0, 1e-9 * 42e3);
        close_lab(&l);
    }
}

/* An accumulator takes what is pumped: (p + p_a) V_gas^n stays, and the oil is what was pumped, as v(p) has it. */
TEST(accumulator)
{
    for (int kind = 0; kind < 4; kind++) {
        const double n = kind % 2 ? 1 : 1.4;
        char parts[1000];
        (void)snprintf(parts, sizeof parts,
                       "    oil: {air: 0}\n    lines: {a: {volume: 0.1 l, pressure: 1 MPa}}\n    pumps: {p: {to: a, flow: 6 l/min}}\n"
                       "    accumulators: {b: {line: a, volume: 1 l, precharge: 6 MPa%s}}\nprobes: {p: {pressure: a}, oil: {oil: a}, stored: {energy: oil}}\n",
                       kind % 2 ? ", exponent: 1" : "");
        lab l = open_lines(kind / 2 ? 3 : 2, 0.01, parts);
        const double oil = lab_probe(&l, "oil"), before = balance(&l, (const char *const[]){"p", NULL});
        lab_run(&l, 3);
        CHECK_NEAR(lab_probe(&l, "oil") - oil, 3e-4, 1e-15);
        const double p = lab_probe(&l, "p"), gas = 1e-3 * pow((6e6 + P_A) / (p + P_A), 1 / n);
        CHECK_NEAR(lab_probe(&l, "oil") * exp(-p / BETA), 1e-4 + 1e-3 - gas, 1e-3 * 1e-4);
        CHECK_NEAR(balance(&l, (const char *const[]){"p", NULL}), before, 1e-9 * lab_probe(&l, "stored"));
        CHECK(fabs(talus_oil_damped(l.world)) < 0.01 * lab_probe(&l, "stored"));
        close_lab(&l);
    }
}

/* A check valve lets oil pass one way, from its opening pressure on; all that lines exchange stays in them. */
TEST(check_valve)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_lines(dimension, 0.005,
                           "    lines: {a: {volume: 1 l, pressure: 8 MPa}, b: {volume: 3 l, pressure: 2 MPa}, c: {volume: 1 l, pressure: 9 MPa}}\n"
                           "    valves:\n      ab: {type: check, from: a, to: b, opens: 0.5 MPa, flow: 10 l/min, drop: 1 MPa}\n"
                           "      ca: {type: check, from: b, to: c, flow: 10 l/min, drop: 1 MPa}\n"
                           "probes: {a: {pressure: a}, b: {pressure: b}, c: {pressure: c}, qa: {oil: a}, qb: {oil: b}, q: {valve: ca}}\n");
        const double oil = lab_probe(&l, "qa") + lab_probe(&l, "qb"), before = balance(&l, (const char *const[]){"ab", "ca", NULL});
        lab_run(&l, 1);
        CHECK_NEAR(lab_probe(&l, "a") - lab_probe(&l, "b"), 0.5e6, 0.5e6 * 1e-2);
        CHECK_NEAR(lab_probe(&l, "qa") + lab_probe(&l, "qb"), oil, 1e-17);
        CHECK(lab_probe(&l, "c") == 9e6 && lab_probe(&l, "q") == 0);
        CHECK_NEAR(balance(&l, (const char *const[]){"ab", "ca", NULL}), before, 1e-10 * before);
        close_lab(&l);
    }
}

/* Openings are functions of time, leakage is besides. */
TEST(opening)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_lines(dimension, 0.01,
                           "    oil: {air: 0}\n    lines: {a: {volume: 1 l, pressure: 1 MPa}, big: {volume: 100 l, pressure: 1 MPa}}\n    pumps: {p: {to: a, "
                           "flow: \"6 l/min*step(t - 0.1 s)\"}}\n"
                           "    valves:\n      o: {type: orifice, from: a, flow: 10 l/min, drop: 1 MPa, opening: \"step(t - 1 s)\", leakage: 0.1 l/min/MPa}\n"
                           "      wide: {type: laminar, from: a, to: big, flow: 1000 l/min, drop: 1 MPa}\nprobes: {p: {pressure: a}, q: {valve: o}}\n");
        lab_run(&l, 0.05);
        const double unit = head(1e6, BETA, 0, 1); /* of what `drop` says */
        CHECK_NEAR(lab_probe(&l, "q"), 1e-4 / 60 / 1e6 * head(lab_probe(&l, "p"), BETA, 0, 1), 1e-3 * 1e-4 / 60);
        lab_run(&l, 0.9);
        CHECK(lab_probe(&l, "p") > 1e6);
        CHECK_NEAR(lab_probe(&l, "q"), 1e-4 / 60 / 1e6 * head(lab_probe(&l, "p"), BETA, 0, 1), 1e-3 * 1e-4 / 60); /* of the step, of mid-step */
        lab_run(&l, 1.01);
        const double last = head(lab_probe(&l, "p"), BETA, 0, 1);
        CHECK_NEAR(lab_probe(&l, "q"), 1e-3 / 6 * sqrt(last / unit) + 1e-4 / 60 / 1e6 * last, 2e-2 * 1e-3 / 6);
        close_lab(&l);
    }
}

/* A pump that takes all of a line: the run ends with what has happened, at the time at which there is no more; with a check valve from the tank it goes on. */
TEST(empty)
{
    for (int kind = 0; kind < 4; kind++) {
        const bool fed = kind % 2;
        char parts[1000];
        (void)snprintf(parts, sizeof parts,
                       "    lines: {a: {volume: 1 l}}\n    pumps: {p: {from: a, to: tank, flow: 60 l/min}}\n"
                       "    valves: {suck: {type: check, from: tank, to: a, flow: 60 l/min, drop: %s}}\nprobes: {p: {pressure: a}}\n",
                       fed ? "0.05 MPa" : "500 MPa");
        lab l = open_lines(kind / 2 ? 3 : 2, 0.01, parts);
        talus_status status = TALUS_OK;
        while (status == TALUS_OK && talus_world_time(l.world) < 2) status = talus_world_step(l.world, NULL);
        if (fed) CHECK_NEAR(head(lab_probe(&l, "p"), BETA, 0.005, 1.4), -head(0.05e6, BETA, 0.005, 1.4), 1e-3 * 0.05e6);
        else CHECK(status == TALUS_DIVERGED && strstr(talus_world_error(l.world), "'a' runs empty") && fabs(talus_world_time(l.world) - 1) < 0.02);
        CHECK(!fed || status == TALUS_OK);
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(laminar);
    RUN(orifice);
    RUN(relief);
    RUN(accumulator);
    RUN(check_valve);
    RUN(opening);
    RUN(empty);
    return TEST_RESULT;
}
