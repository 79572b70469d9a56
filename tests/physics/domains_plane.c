/* So many disks that their contacts are swept by domains (architecture §6): what walls give to them is what the disks gain, with any number of threads. */
#include "planar.h"
#include "step/system2.h"
#include "world/world.h"

/* With sanitizers a step takes thirty times as long. */
#ifdef TL_SANITIZED
enum { COLUMNS = 240, ROWS = 150, DISKS = COLUMNS * ROWS, STEPS = 2, COUNTS = 2 };
static const int THREADS[COUNTS] = {1, 3};
#else
enum { COLUMNS = 240, ROWS = 150, DISKS = COLUMNS * ROWS, STEPS = 4, COUNTS = 4 };
static const int THREADS[COUNTS] = {1, 2, 3, 8};
#endif

static const double STEP = 1e-3, RADIUS = 0.01, SPEED = 0.2;

static unsigned long long seed;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

/* Disks that touch one another and the walls of a box all but one, thrown at random. */
static talus_world *full_box(int threads, talus_body_id *disk)
{
    talus_world_def d = lab(STEP);
    d.solver.max_iterations = 30;
    d.threads = threads;
    talus_world *w = open_world(&d);
    if (threads > 1) tl_threads_always(w->threads);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, 0.4, 0);
    const talus_body_id box = body(w, TALUS_BODY_FIXED, 0, 0, 0);
    add_half_plane(w, box, m, 0, 0, 0, 1);
    add_half_plane(w, box, m, 0, 0, 1, 0);
    add_half_plane(w, box, m, 2 * RADIUS * COLUMNS, 0, -1, 0);
    seed = 7;
    for (int i = 0; i < DISKS; i++) {
        const double r = RADIUS * uniform(0.99, 1), x = RADIUS * (2 * (i % COLUMNS) + 1), y = RADIUS * (2 * (i / COLUMNS) + 1);
        disk[i] = moving(w, x, y, uniform(-SPEED, SPEED), uniform(-SPEED, SPEED), 0);
        add_disk(w, disk[i], m, 0, 0, r);
    }
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    return w;
}

/* Momentum of the disks. */
static void momentum_of(const talus_world *w, const talus_body_id *disk, double P[2])
{
    P[0] = P[1] = 0;
    for (int i = 0; i < DISKS; i++) {
        double v[3], spin[3];
        talus_body_velocity(w, disk[i], (double[3]){0, 0, 0}, v, spin);
        for (int axis = 0; axis < 2; axis++) P[axis] += talus_body_mass(w, disk[i]) * v[axis];
    }
}

/* What contacts with the walls gave to the disks. */
static void walls_gave(const talus_world *w, double P[2])
{
    P[0] = P[1] = 0;
    for (int i = 0; i < talus_contact_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        if (c.antagonist.index1 != 1 && c.candidate.index1 != 1) continue;
        const double sign = c.antagonist.index1 == 1 ? 1 : -1;
        P[0] += sign * (c.normal[0] * c.impulse[0] - c.normal[1] * c.impulse[1]);
        P[1] += sign * (c.normal[1] * c.impulse[0] + c.normal[0] * c.impulse[1]);
    }
}

TEST(momentum)
{
    talus_body_id *disk = calloc(DISKS, sizeof *disk);
    uint64_t expected = 0;
    for (int k = 0; k < COUNTS; k++) {
        talus_world *w = full_box(THREADS[k], disk);
        double mass = 0, before[2], kinetic, potential, energy;
        for (int i = 0; i < DISKS; i++) mass += talus_body_mass(w, disk[i]);
        momentum_of(w, disk, before);
        talus_world_energy(w, &kinetic, &potential);
        energy = kinetic + potential;
        for (int n = 0; n < STEPS; n++) {
            double after[2], walls[2];
            const talus_step_report report = step(w);
            momentum_of(w, disk, after);
            walls_gave(w, walls);
            CHECK_NEAR(after[0] - before[0], walls[0], 1e-11 * mass * SPEED);
            CHECK_NEAR(after[1] - before[1], walls[1] - mass * G * STEP, 1e-11 * mass * SPEED);
            memcpy(before, after, sizeof before);
            talus_world_energy(w, &kinetic, &potential);
            CHECK(kinetic + potential < energy);
            energy = kinetic + potential;
            CHECK(report.contacts > DISKS);
        }
        CHECK(((const tl_system2 *)w->system)->problem.base.domains.count >= 16);
        if (k == 0) expected = talus_world_hash(w);
        CHECK(talus_world_hash(w) == expected);
        talus_world_destroy(w);
    }
    free(disk);
}

int main(int argc, char **argv)
{
    RUN(momentum);
    return TEST_RESULT;
}
