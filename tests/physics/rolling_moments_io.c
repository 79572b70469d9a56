/* The moments of contacts that resist rolling and spinning: as they are told, from step to step, from one world to the next; and under generalized-α. From
 * scenes. */
#include "lab.h"

static const double G = 9.81, R = 0.1, ROLLING = 0.005, SPINNING = 0.002;

static double gyration(int dimension) { return dimension == 2 ? 0.5 : 0.4; } /* J / (m R²) */

typedef struct setting {
    int dimension;
    const char *scheme;
    double h, slope, speed, spin; /* tan α; along x, rolling; about the normal */
} setting;

static double along(const setting *s) { return G * s->slope / sqrt(1 + s->slope * s->slope); }
static double against(const setting *s) { return G / sqrt(1 + s->slope * s->slope); }

/* A disk or a ball that rolls on a floor. */
static lab on_floor(const setting *s)
{
    static const char PLANE[] = "interactions: [{friction: 0.6, law: rolling, rolling: 5 mm}]\nbodies:\n"
                                "  floor: {kind: fixed, material: m, shapes: [{half_plane: {point: [0, 0], normal: [0, 1]}}]}\n"
                                "  b: {position: [0, 0.1], velocity: [%.17g, 0], angular_velocity: %.17g, shapes: [{disk: {radius: 0.1, material: m}}]}\n";
    static const char SPACE[] =
        "interactions: [{friction: 0.6, law: rolling, rolling: 5 mm, spinning: 2 mm}]\nbodies:\n"
        "  floor: {kind: fixed, material: m, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1]}}]}\n"
        "  b: {position: [0, 0, 0.1], velocity: [%.17g, 0, 0], spin: [0, %.17g, %.17g], shapes: [{sphere: {radius: 0.1, material: m}}]}\n";
    char text[2048], gravity[100];
    const bool planar = s->dimension == 2;
    snprintf(gravity, sizeof gravity, planar ? "[%.17g, %.17g]" : "[%.17g, 0, %.17g]", along(s), -against(s));
    int at = snprintf(text, sizeof text,
                      "dimension: %d\ntime: {end: 10 s, step: %.17g s}\nintegrator: {scheme: %s}\ngravity: %s\nmaterials: {m: {density: 1000}}\n"
                      "solver: {tolerance: 1e-13 m/s}\nprobes: {x: {body: b}, v: {body: b, quantity: vx}}\n",
                      s->dimension, s->h, s->scheme, gravity);
    if (planar) snprintf(text + at, sizeof text - (size_t)at, PLANE, s->speed, -s->speed / R);
    else snprintf(text + at, sizeof text - (size_t)at, SPACE, s->speed, s->speed / R, s->spin);
    return open_lab(text, 1);
}

/* By talus_contact: the moment on a body about the axes of the world, over the step; false: it has none. */
static bool moment_on(const talus_world *w, talus_body_id body, double out[3])
{
    talus_contact c;
    for (int i = 0; i < talus_contact_count(w); i++) {
        talus_contact_get(w, i, &c);
        const bool candidate = c.candidate.index1 == body.index1;
        if ((!candidate && c.antagonist.index1 != body.index1) || !c.moment) continue;
        int e = 0;
        while (fabs(c.normal[e]) >= 0.57) e++;
        const double *n = c.normal, x[3] = {e == 0, e == 1, e == 2};
        double t[3] = {x[1] * n[2] - x[2] * n[1], x[2] * n[0] - x[0] * n[2], x[0] * n[1] - x[1] * n[0]};
        if (talus_world_dimension(w) == 2) t[0] = -n[1], t[1] = n[0], t[2] = 0;
        const double size = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
        for (int k = 0; k < 3; k++) t[k] /= size;
        const double s[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
        for (int k = 0; k < 3; k++) out[k] = (candidate ? 1 : -1) * (c.moment[0] * n[k] + c.moment[1] * t[k] + c.moment[2] * s[k]) / talus_world_step_size(w);
        return true;
    }
    return false;
}

/* What rolls bears μ_r N against it, and μ_s N against spinning; what rests on an incline the m g sin α R that would turn it. Statics: N = m g cos α. It spins
 * under Moreau-Jean only: where impulses turn the axis about which a body turns, generalized-α is of first order in h. */
TEST(a_moment_is_told)
{
    static const char *const SCHEME[] = {"moreau", "generalized_alpha"};
    for (int k = 0; k < 2; k++)
        for (int dimension = 2; dimension <= 3; dimension++)
            for (int rests = 0; rests < 2; rests++) {
                const setting s = {dimension, SCHEME[k], 1e-3, rests ? 0.03 : 0, rests ? 0 : 0.3, rests || k == 1 ? 0 : 2};
                lab l = on_floor(&s);
                const talus_body_id b = talus_body_find(l.world, "b");
                const double weight = talus_body_mass(l.world, b) * against(&s), sign = dimension == 2 ? 1 : -1;
                double m[3] = {0, 0, 0};
                lab_run(&l, 0.02);
                CHECK(moment_on(l.world, b, m));
                const double rolling = rests ? talus_body_mass(l.world, b) * along(&s) * R : ROLLING * weight;
                CHECK_NEAR(m[0], 0, 1e-8 * weight * R);
                CHECK_NEAR(m[1], dimension == 2 ? 0 : sign * rolling, 1e-8 * weight * R);
                CHECK_NEAR(m[2], dimension == 2 ? rolling : rests || k == 1 ? 0 : -SPINNING * weight, 1e-8 * weight * R);
                close_lab(&l);
            }
}

/* A law without moments has none to tell. */
TEST(none)
{
    lab l = open_lab("time: {end: 1 s, step: 1 ms}\ngravity: [0, -9.81]\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: 0.6}]\n"
                     "bodies:\n  floor: {kind: fixed, material: m, shapes: [{half_plane: {point: [0, 0], normal: [0, 1]}}]}\n"
                     "  b: {position: [0, 0.1], shapes: [{disk: {radius: 0.1, material: m}}]}\n",
                     1);
    talus_contact c;
    lab_step(&l);
    CHECK(talus_contact_count(l.world) == 1);
    talus_contact_get(l.world, 0, &c);
    CHECK(!c.moment && c.impulse[0] > 0);
    for (int i = 0; i < talus_state_count(l.world); i++) {
        talus_field f;
        talus_state_field(l.world, i, &f);
        if (strncmp(f.name, "moments/", 8) == 0) CHECK(f.rows == 0);
    }
    close_lab(&l);
}

/* A heap of balls, or of disks, that has come to rest. */
static lab heap(int dimension, const char *tolerance)
{
    char text[2048];
    const bool planar = dimension == 2;
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 2 s, step: 4 ms}\ngravity: %s\nmaterials: {m: {density: 1000}}\nsolver: {tolerance: %s m/s, max_iterations: 2000}\n"
             "interactions: [{friction: 0.6, law: rolling, rolling: 2 mm%s}]\n"
             "bodies:\n  floor: {kind: fixed, material: m, shapes: [{%s}]}\n"
             "grains:\n  a: {generator: drop, region: %s, count: %d, shape: %s, radius: {classes: [9 mm, 10 mm, 11 mm]}, material: m}\n",
             dimension, planar ? "[0, -9.81]" : "[0, 0, -9.81]", tolerance, planar ? "" : ", spinning: 0.5 mm",
             planar ? "half_plane: {point: [0, 0], normal: [0, 1]}" : "half_space: {point: [0, 0, 0], normal: [0, 0, 1]}",
             planar ? "[[-0.05, 0], [0.05, 2]]" : "[[-0.03, -0.03, 0], [0.03, 0.03, 2]]", planar ? 40 : 30, planar ? "disk" : "sphere");
    lab l = open_lab(text, 1);
    lab_run(&l, 1);
    return l;
}

/* Without the moments, or with them. */
static void hand_over(const lab *from, const lab *to, bool moments)
{
    talus_field field[64];
    const int n = talus_state_count(from->world);
    int rows = 0;
    for (int i = 0; i < n; i++) {
        talus_state_field(from->world, i, &field[i]);
        if (strncmp(field[i].name, "moments/", 8) != 0) continue;
        rows = (int)field[i].rows;
        if (!moments) field[i].rows = 0;
    }
    CHECK(rows > 20);
    CHECK_OK(talus_state_restore(to->world, field, n), talus_world_error(to->world));
    CHECK(talus_world_hash(from->world) == talus_world_hash(to->world));
}

/* Each step from one state twice, to the same tolerance: with the moments of the step before fewer sweeps are needed. */
TEST(fewer_sweeps)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        enum { STEPS = 20 };
        lab warm = heap(dimension, "1e-7"), cold = heap(dimension, "1e-7");
        int with = 0, without = 0;
        for (int i = 0; i < STEPS; i++) {
            talus_step_report report = {0};
            hand_over(&warm, &cold, false);
            CHECK_OK(talus_world_step(cold.world, &report), talus_world_error(cold.world));
            CHECK(report.converged);
            without += report.iterations;
            CHECK_OK(talus_world_step(warm.world, &report), talus_world_error(warm.world));
            CHECK(report.converged);
            with += report.iterations;
        }
        printf("%d-D: %d sweeps with moments, %d without\n", dimension, with, without);
        CHECK(2 * with < without);
        close_lab(&warm), close_lab(&cold);
    }
}

/* A state that is put into another world goes on with the same bits; not without its moments, for sweeps end before they have found them. */
TEST(restart)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int moments = 0; moments < 2; moments++) {
            lab l = heap(dimension, "1e-3"), again = heap(dimension, "1e-3");
            bool same = true;
            lab_run(&l, 1.2);
            hand_over(&l, &again, moments);
            for (int i = 0; i < 50; i++) {
                lab_step(&l), lab_step(&again);
                same = same && talus_world_hash(l.world) == talus_world_hash(again.world);
            }
            CHECK(same == moments);
            close_lab(&l), close_lab(&again);
        }
}

/* Generalized-α. On the level v²/2a, a = g (μ_r/R) / (1 + J/mR²): deceleration is even, so all steps are exact but the one in which it stops, and that is off
 * by a h²/2 at most. */
TEST(the_level_by_generalized_alpha)
{
    static const double STEP[] = {8e-3, 4e-3, 2e-3, 1e-3}, V = 0.3;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int i = 0; i < 4; i++) {
            const setting s = {.dimension = dimension, .scheme = "generalized_alpha", .h = STEP[i], .speed = V};
            const double a = G * ROLLING / R / (1 + gyration(dimension)), stop = V / a;
            lab l = on_floor(&s);
            while (talus_world_time(l.world) < 1.1 * stop) {
                lab_step(&l);
                const double t = talus_world_time(l.world);
                if (t < stop - STEP[i]) CHECK_NEAR(lab_probe(&l, "v"), V - a * t, 1e-10);
            }
            CHECK_NEAR(lab_probe(&l, "v"), 0, 1e-10);
            CHECK_NEAR(lab_probe(&l, "x"), 0.5 * V * V / a, 0.51 * a * STEP[i] * STEP[i]);
            close_lab(&l);
        }
}

/* Below tan α = μ_r / R it stays where it is; above it rolls with what is left of gravity. */
TEST(an_incline_by_generalized_alpha)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int k = -1; k <= 1; k += 2) {
            const setting s = {.dimension = dimension, .scheme = "generalized_alpha", .h = 2e-3, .slope = ROLLING / R * (1 + 1e-3 * k)};
            const double left = k < 0 ? 0 : (along(&s) - against(&s) * ROLLING / R) / (1 + gyration(dimension)), T = 0.5;
            lab l = on_floor(&s);
            lab_run(&l, T);
            CHECK_NEAR(lab_probe(&l, "v"), left * T, 1e-10);
            CHECK_NEAR(lab_probe(&l, "x"), 0.5 * left * T * T, 1e-10);
            close_lab(&l);
        }
}

int main(int argc, char **argv)
{
    RUN(a_moment_is_told);
    RUN(none);
    RUN(fewer_sweeps);
    RUN(restart);
    RUN(the_level_by_generalized_alpha);
    RUN(an_incline_by_generalized_alpha);
    return TEST_RESULT;
}
