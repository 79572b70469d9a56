/* Threads beside other jobs of the machine: several must not be slower than one. */
#include <signal.h>
#include <time.h>

#include "physics/planar.h"

enum { COLUMNS = 32, ROWS = 32, STEPS = 4, LEAST_PAIRS = 10, PAIRS = 80, MOST_JOBS = 16 };

static const double ENOUGH = 5; /* s, in builds that are slow */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A thousand disks that lie close packed from the start, in a box: some 3000 contacts. */
static talus_world *packing(int threads)
{
    const double r = 0.01, row = sqrt(3) * r;
    talus_world_def d = lab(1e-3);
    d.solver.tolerance = 0;
    d.solver.max_iterations = 100;
    d.threads = threads;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, 0.4, 0);
    talus_body_def def = talus_body_def_default();
    def.kind = TALUS_BODY_FIXED;
    talus_body_id box = {0};
    CHECK_OK(talus_body_create(w, &def, &box), talus_world_error(w));
    add_half_plane(w, box, m, 0, 0, 0, 1);
    add_half_plane(w, box, m, 0, 0, 1, 0);
    add_half_plane(w, box, m, (2 * COLUMNS + 1) * r, 0, -1, 0);
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        talus_body_def g = talus_body_def_default();
        g.position[0] = r * (1 + 2 * (i % COLUMNS) + i / COLUMNS % 2), g.position[1] = r + row * (i / COLUMNS);
        talus_body_id b = {0};
        CHECK_OK(talus_body_create(w, &g, &b), talus_world_error(w));
        add_disk(w, b, m, 0, 0, r);
    }
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    return w;
}

static double time_of(talus_world *w)
{
    const double start = now();
    for (int i = 0; i < STEPS; i++) step(w);
    return now() - start;
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Busy processes, which end with this one at the latest. */
static void start_jobs(pid_t *job, int count)
{
    for (int i = 0; i < count; i++) {
        job[i] = fork();
        if (job[i] != 0) continue;
        const pid_t parent = getppid();
        while (getppid() == parent) {
            for (volatile int k = 0; k < 1000000; k++) {
            }
        }
        _exit(0);
    }
}

static void end_jobs(const pid_t *job, int count)
{
    for (int i = 0; i < count; i++)
        if (job[i] > 0) kill(job[i], SIGKILL), waitpid(job[i], NULL, 0);
}

/* Short runs by one thread and by all in turn, so that both meet the same machine, and the median of their ratios. A pair
 * takes some 20 ms, a few slices of the scheduler, hence ratios of pairs vary by a third and their median by some
 * hundredths, more where other tests run meanwhile: the bound is 1.3, though a tenth is what is wanted. Without care for
 * cores the ratio is 2 to 20. */
static void beside(int jobs, int threads)
{
    talus_world *one = packing(1), *all = packing(threads);
    pid_t job[MOST_JOBS];
    double ratio[PAIRS];
    start_jobs(job, jobs);
    time_of(one), time_of(all);
    int pairs = 0;
    for (const double start = now(); pairs < LEAST_PAIRS || (pairs < PAIRS && now() - start < ENOUGH); pairs++) {
        const bool swap = pairs % 2;
        const double before = swap ? time_of(all) : 0, alone = time_of(one), together = swap ? before : time_of(all);
        ratio[pairs] = together / alone;
    }
    end_jobs(job, jobs);
    CHECK(talus_world_hash(one) == talus_world_hash(all));
    qsort(ratio, (size_t)pairs, sizeof *ratio, rising);
    printf("%d threads beside %d jobs: %.2f times one thread (median; quarters %.2f and %.2f)\n", threads, jobs, ratio[pairs / 2], ratio[pairs / 4],
           ratio[3 * pairs / 4]);
    if (ratio[pairs / 2] > 1.3) TEST_FAIL("%d threads beside %d jobs take %.2f times as long as one", threads, jobs, ratio[pairs / 2]);
    talus_world_destroy(one);
    talus_world_destroy(all);
}

static int cores(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < MOST_JOBS ? (int)n : MOST_JOBS;
}

TEST(one_job) { beside(1, cores()); }
TEST(a_job_for_every_core) { beside(cores(), cores()); }
TEST(more_threads_than_cores) { beside(0, 2 * cores()); }

int main(int argc, char **argv)
{
    if (cores() < 2) {
        printf("skipped: one core\n");
        return 0;
    }
    RUN(one_job);
    RUN(a_job_for_every_core);
    RUN(more_threads_than_cores);
    return TEST_RESULT;
}
