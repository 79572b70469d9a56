/* Boxes of grains: penetration stays small, correcting it makes no energy, nothing gets out. */
#include "physics/planar.h"

static unsigned long long seed;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

static const double SMALLEST = 0.02, LARGEST = 0.04;

/* Disks (every third one a polygon if `mixed`) on a lattice above the floor of a box one metre wide. */
static talus_world *pour(const talus_world_def *def, int n, bool mixed, talus_activation activation, talus_body_id *ids)
{
    talus_world *w = open_world(def);
    const talus_material_id m = material(w, "stone", 2000), all = {0};
    seed = 7;
    law_between(w, all, all, 0.3, 0, activation);
    wall(w, m, 0, 0, 0, 1);
    wall(w, m, 0, 0, 1, 0);
    wall(w, m, 1, 0, -1, 0);
    for (int i = 0; i < n; i++) {
        const double r = i == 0 ? SMALLEST : uniform(SMALLEST, LARGEST);
        const int column = i % 10, row = i / 10;
        ids[i] = moving(w, 0.07 + 0.095 * column + uniform(-0.005, 0.005), 0.06 + 0.1 * row, uniform(-0.5, 0.5), uniform(-0.5, 0.5), uniform(-5, 5));
        if (mixed && i % 3 == 1) {
            double p[5][2];
            for (int k = 0; k < 5; k++) p[k][0] = r * cos(1.2566 * k + uniform(-0.3, 0.3)), p[k][1] = r * sin(1.2566 * k);
            add_polygon(w, ids[i], m, 5, p, 0);
        } else add_disk(w, ids[i], m, 0, 0, r);
    }
    return w;
}

static double kinetic_energy(const talus_world *w)
{
    double kinetic, potential;
    talus_world_energy(w, &kinetic, &potential);
    return kinetic;
}

/* The papers' activation with a coarse step lets penetration creep; the correction keeps it below 1 % of the smallest radius (the
 * slop it aims at is a tenth of that). */
TEST(drift)
{
    double deepest[2];
    for (int correct = 0; correct < 2; correct++) {
        talus_world_def d = lab(2e-3);
        d.solver.tolerance = 0, d.solver.max_iterations = 1000; /* the defaults */
        d.correct_drift = correct;
        talus_body_id ids[100];
        talus_world *w = pour(&d, 100, false, TALUS_ACTIVATION_GAP, ids);
        for (int i = 0; i < 1500; i++) step(w);
        deepest[correct] = 0;
        for (int i = 0; i < 100; i++) deepest[correct] = fmax(deepest[correct], step(w).penetration);
        CHECK(kinetic_energy(w) < 1e-3);
        talus_world_destroy(w);
    }
    CHECK(deepest[1] < 0.01 * SMALLEST);
    CHECK(deepest[0] > 2 * deepest[1]);
}

/* Settled with the default law, disks and polygons. */
TEST(settled)
{
    for (int mixed = 0; mixed < 2; mixed++) {
        talus_world_def d = lab(1e-3);
        d.solver.tolerance = 0, d.solver.max_iterations = 1000; /* the defaults */
        talus_body_id ids[100];
        talus_world *w = pour(&d, 100, mixed, TALUS_ACTIVATION_AUTO, ids);
        for (int i = 0; i < 3000; i++) step(w);
        double deepest = 0;
        for (int i = 0; i < 100; i++) deepest = fmax(deepest, step(w).penetration);
        CHECK(deepest < 0.01 * SMALLEST);
        double kinetic, potential, weight = 0, force[2] = {0, 0}, one[2];
        talus_world_energy(w, &kinetic, &potential);
        CHECK(kinetic < 1e-5 * potential); /* it lies: speeds below 1 % of a fall by a radius */
        for (int i = 0; i < 100; i++) {
            weight += talus_body_mass(w, ids[i]) * G;
            for (int k = 0; k < 3; k++) {
                impulse_on(w, talus_body_at(w, k), ids[i], one);
                force[0] += one[0] / 1e-3, force[1] += one[1] / 1e-3;
            }
        }
        CHECK_NEAR(force[1], weight, 0.02 * weight); /* floor and walls carry it; the rest is what still moves */
        CHECK_NEAR(force[0], 0, 0.02 * weight);
        talus_world_destroy(w);
    }
}

typedef struct snapshot {
    talus_field field[16];
    int count;
} snapshot;

static snapshot take(const talus_world *w)
{
    snapshot s = {.count = talus_state_count(w)};
    CHECK(s.count <= 16);
    for (int i = 0; i < s.count; i++) {
        talus_field *f = &s.field[i];
        talus_state_field(w, i, f);
        const size_t bytes = f->rows * f->columns * (f->type == TALUS_FIELD_INT32 ? 4 : 8);
        void *copy = malloc(bytes + 1);
        if (!copy) exit(1);
        if (bytes) memcpy(copy, f->data, bytes);
        f->data = copy;
    }
    return s;
}

static void release(snapshot *s)
{
    for (int i = 0; i < s->count; i++) free((void *)(uintptr_t)s->field[i].data);
}

/* From any one state, a step with and one without the correction end with the same velocities, bit by bit; it moves some bodies.
 * */
TEST(correction_moves_positions_only)
{
    talus_world *w[2];
    talus_body_id ids[100];
    for (int correct = 0; correct < 2; correct++) {
        talus_world_def d = lab(5e-3);
        d.solver.tolerance = 0, d.solver.max_iterations = 1000; /* the defaults */
        d.correct_drift = correct;
        w[correct] = pour(&d, 100, true, TALUS_ACTIVATION_GAP, ids);
        CHECK_OK(talus_world_assemble(w[correct]), talus_world_error(w[correct]));
    }
    int moved = 0;
    for (int i = 0; i < 200; i++) {
        snapshot s = take(w[0]);
        CHECK_OK(talus_state_restore(w[1], s.field, s.count), talus_world_error(w[1]));
        release(&s);
        step(w[0]);
        step(w[1]);
        CHECK(kinetic_energy(w[0]) == kinetic_energy(w[1]));
        for (int b = 0; b < 100; b++) moved += at(w[0], ids[b], 1) != at(w[1], ids[b], 1);
        int compared = 0;
        for (int f = 0; f < talus_state_count(w[0]); f++) {
            talus_field a, b;
            talus_state_field(w[0], f, &a);
            talus_state_field(w[1], f, &b);
            if (strcmp(a.name, "grains/velocity") != 0) continue;
            CHECK(memcmp(a.data, b.data, a.rows * a.columns * sizeof(double)) == 0);
            compared++;
        }
        CHECK(compared == 1);
    }
    CHECK(moved > 100);
    talus_world_destroy(w[0]);
    talus_world_destroy(w[1]);
}

TEST(nothing_is_lost)
{
    talus_world_def d = lab(2e-3);
    d.solver.tolerance = 0, d.solver.max_iterations = 1000; /* the defaults */
    talus_body_id ids[300];
    talus_world *w = pour(&d, 300, true, TALUS_ACTIVATION_AUTO, ids);
    for (int i = 0; i < 1000; i++) {
        step(w);
        for (int b = 0; b < 300; b++) {
            const double x = at(w, ids[b], 0), y = at(w, ids[b], 1);
            /* centres stay inside by more than half of the smallest inner radius, at any time */
            if (!(x > 0.005 && x < 0.995 && y > 0.005 && y < 4)) {
                TEST_FAIL("t = %g: body %d is at %g %g", talus_world_time(w), b, x, y);
                return;
            }
        }
    }
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(drift);
    RUN(settled);
    RUN(correction_moves_positions_only);
    RUN(nothing_is_lost);
    return TEST_RESULT;
}
