/* One state, whatever the number of threads; restart is bitwise; a step that fails has not happened (architecture §2, §4). */
#include "physics/planar.h"
#include "world/world.h"

static unsigned long long seed;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

static void shake(void *user, double t, double out[3])
{
    (void)user;
    out[0] = 0.02 * sin(30 * t);
    out[1] = 0.6 * cos(30 * t);
    out[2] = -18 * sin(30 * t);
}

static void broken_later(void *user, double t, double out[3])
{
    out[0] = t > *(const double *)user ? (double)NAN : 3;
    out[1] = out[2] = 0;
}

/* A vessel, shaken, with n grains: disks, polygons, capsules, clusters; some bouncing. Enough to use every parallel loop. */
static talus_world *vessel(int n, int threads, const double *breaks_at)
{
    talus_world_def d = lab(1e-3);
    d.solver.tolerance = 0;
    d.solver.max_iterations = 200;
    d.threads = threads;
    talus_world *w = open_world(&d);
    if (threads > 1) tl_threads_always(w->threads);
    const talus_material_id m = material(w, "stone", 2000), k = material(w, "rubber", 1000);
    seed = 99;
    law(w, 0.4, 0);
    law_between(w, k, m, 0.3, 0.5, TALUS_ACTIVATION_AUTO);
    talus_body_def def = talus_body_def_default();
    def.kind = TALUS_BODY_IMPOSED;
    def.motion[0] = (talus_motion){.value = shake};
    talus_body_id box = {0};
    CHECK_OK(talus_body_create(w, &def, &box), talus_world_error(w));
    add_half_plane(w, box, m, 0, 0, 0, 1);
    add_half_plane(w, box, m, 0, 0, 1, 0);
    add_half_plane(w, box, m, 1.5, 0, -1, 0);
    for (int i = 0; i < n; i++) {
        const double r = uniform(0.015, 0.03);
        char name[32];
        snprintf(name, sizeof name, "grain %d", i);
        talus_body_def g = talus_body_def_default();
        g.name = name;
        g.position[0] = 0.05 + 0.058 * (i % 25) + uniform(-0.002, 0.002), g.position[1] = 0.03 + 0.05 * (i / 25);
        g.angle = uniform(-3, 3);
        g.velocity[1] = -0.02 * (i / 25 % 24) / 0.03; /* the rows close up within half the run */
        g.angular_velocity = uniform(-5, 5);
        talus_body_id b = {0};
        CHECK_OK(talus_body_create(w, &g, &b), talus_world_error(w));
        const talus_material_id of = i % 7 ? m : k;
        if (i % 4 == 0) add_box(w, b, of, r, 0.7 * r);
        else if (i % 4 == 1) {
            double p[2][2] = {{-0.5 * r, 0}, {0.5 * r, 0}};
            talus_shape_def s = talus_shape_def_default();
            s.kind = TALUS_SHAPE_SEGMENT, s.material = of, s.radius = 0.4 * r, s.count = 2;
            memcpy(s.points, p, sizeof p);
            CHECK_OK(talus_body_add_shape(w, b, &s), talus_world_error(w));
        } else if (i % 4 == 2) {
            add_disk(w, b, of, -0.3 * r, 0, 0.6 * r);
            add_disk(w, b, of, 0.4 * r, 0.1 * r, 0.5 * r);
        } else add_disk(w, b, of, 0, 0, r);
        if (breaks_at && i == n / 2) {
            talus_load_def load = talus_load_def_default();
            load.force[0] = (talus_motion){broken_later, (void *)(uintptr_t)breaks_at};
            CHECK_OK(talus_body_add_load(w, b, &load), talus_world_error(w));
        }
    }
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    return w;
}

/* With sanitizers a step takes thirty times as long. */
#ifdef TL_SANITIZED
enum { STEPS = 60, GRAINS = 600, COUNTS = 2 };
static const int COUNT[COUNTS] = {1, 3};
#else
enum { STEPS = 60, GRAINS = 600, COUNTS = 5 };
static const int COUNT[COUNTS] = {1, 2, 3, 8, 2};
#endif

TEST(threads)
{
    uint64_t expected[STEPS];
    int contacts = 0;
    for (int k = 0; k < COUNTS; k++) {
        talus_world *w = vessel(GRAINS, COUNT[k], NULL);
        for (int i = 0; i < STEPS; i++) {
            contacts = step(w).contacts;
            const uint64_t hash = talus_world_hash(w);
            if (k == 0) expected[i] = hash;
            else if (hash != expected[i]) {
                TEST_FAIL("%d threads differ from one after %d steps", COUNT[k], i + 1);
                break;
            }
        }
        talus_world_destroy(w);
    }
    CHECK(contacts > 800);                                                 /* several packs of every colour */
    for (int i = 1; i < STEPS; i++) CHECK(expected[i] != expected[i - 1]); /* the hash sees the state */
}

/* Enough bodies and pairs for every loop to be cut (they run serially below a few thousand). */
TEST(many_grains)
{
    uint64_t expected = 0;
    for (int k = 0; k < COUNTS; k++) {
        talus_world *w = vessel(6000, COUNT[k], NULL);
        for (int i = 0; i < 4; i++) step(w);
        const uint64_t hash = talus_world_hash(w);
        if (k == 0) expected = hash;
        CHECK(hash == expected);
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
    if (s.count > 16) exit(1);
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

/* A state taken mid-run and put into a new world, an older one, or the same one later: the run goes on with the same bits. */
TEST(restart)
{
    talus_world *w = vessel(GRAINS, 1, NULL);
    for (int i = 0; i < 40; i++) step(w);
    snapshot s = take(w);
    const uint64_t at_40 = talus_world_hash(w);
    uint64_t later[20];
    for (int i = 0; i < 20; i++) {
        step(w);
        later[i] = talus_world_hash(w);
    }
    talus_world *fresh = vessel(GRAINS, 2, NULL), *elsewhere = vessel(GRAINS, 3, NULL);
    for (int i = 0; i < 7; i++) step(elsewhere);
    talus_world *const worlds[3] = {fresh, elsewhere, w};
    for (int k = 0; k < 3; k++) {
        CHECK_OK(talus_state_restore(worlds[k], s.field, s.count), talus_world_error(worlds[k]));
        CHECK(talus_world_hash(worlds[k]) == at_40 && talus_world_steps(worlds[k]) == 40);
        CHECK_NEAR(talus_world_time(worlds[k]), 0.04, 0);
        for (int i = 0; i < 20; i++) {
            step(worlds[k]);
            if (talus_world_hash(worlds[k]) != later[i]) {
                TEST_FAIL("world %d differs %d steps after the restart", k, i + 1);
                break;
            }
        }
        talus_world_destroy(worlds[k]);
    }
    release(&s);
}

/* A state of another scene, or one that lacks a field, is refused and nothing changes. */
TEST(foreign_state)
{
    talus_world *w = vessel(50, 1, NULL), *other = vessel(51, 1, NULL);
    for (int i = 0; i < 30; i++) step(w), step(other);
    const uint64_t hash = talus_world_hash(w);
    snapshot foreign = take(other), own = take(w);
    CHECK(talus_state_restore(w, foreign.field, foreign.count) == TALUS_INPUT);
    CHECK(strstr(talus_world_error(w), "grains/") != NULL);
    CHECK(talus_world_hash(w) == hash);
    for (int missing = 0; missing < own.count; missing++) {
        talus_field fields[16];
        int n = 0;
        for (int i = 0; i < own.count; i++)
            if (i != missing) fields[n++] = own.field[i];
        step(w); /* so that a restore would change something */
        const uint64_t now = talus_world_hash(w);
        CHECK(talus_state_restore(w, fields, n) == TALUS_INPUT);
        CHECK(strstr(talus_world_error(w), own.field[missing].name) != NULL);
        CHECK(talus_world_hash(w) == now);
    }
    CHECK_OK(talus_state_restore(w, own.field, own.count), talus_world_error(w));
    CHECK(talus_world_hash(w) == hash);
    release(&foreign);
    release(&own);
    talus_world_destroy(w);
    talus_world_destroy(other);
}

/* A load becomes NaN at t = 0.03: the steps before are those of a sound world; the first one after fails, says which body and
 * when, and leaves everything as it was, as often as it is tried. */
TEST(failed_step)
{
    const double breaks_at = 0.03, never = 1e9;
    talus_world *w = vessel(200, 2, &breaks_at), *sound = vessel(200, 1, &never);
    for (int i = 0; i < 30; i++) step(w), step(sound);
    const uint64_t hash = talus_world_hash(w);
    CHECK(hash == talus_world_hash(sound));
    snapshot before = take(w);
    for (int again = 0; again < 3; again++) {
        talus_step_report report = {0};
        CHECK(talus_world_step(w, &report) == TALUS_DIVERGED);
        CHECK(strstr(talus_world_error(w), "'grain 100'") != NULL);
        CHECK(strstr(talus_world_error(w), "0.03") != NULL);
        CHECK(talus_world_hash(w) == hash && talus_world_steps(w) == 30);
    }
    snapshot after = take(w);
    CHECK(before.count == after.count);
    for (int i = 0; i < before.count; i++) { /* the contact memory too */
        const talus_field *a = &before.field[i], *b = &after.field[i];
        CHECK(a->rows == b->rows && memcmp(a->data, b->data, a->rows * a->columns * 8) == 0);
    }
    /* the failure left no trace: the state goes on in a sound world, and this world takes an older one */
    CHECK_OK(talus_state_restore(sound, after.field, after.count), talus_world_error(sound));
    talus_world *reference = vessel(200, 1, &never);
    for (int i = 0; i < 32; i++) step(reference);
    step(sound), step(sound);
    CHECK(talus_world_hash(sound) == talus_world_hash(reference));
    CHECK_OK(talus_state_restore(w, before.field, before.count), talus_world_error(w));
    CHECK(talus_world_hash(w) == hash);
    release(&before);
    release(&after);
    talus_world_destroy(w);
    talus_world_destroy(sound);
    talus_world_destroy(reference);
}

/* A boundary whose motion becomes NaN is the one that is named. */
TEST(broken_motion)
{
    const double breaks_at = 0.01;
    talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, 0.5, 0);
    for (int i = 0; i < 5; i++) free_disk(w, m, 0.3 * i, 3.1, 0.1);
    talus_body_def def = talus_body_def_default();
    def.kind = TALUS_BODY_IMPOSED;
    def.name = "plate";
    def.motion[1] = (talus_motion){broken_later, (void *)(uintptr_t)&breaks_at};
    talus_body_id plate = {0};
    CHECK_OK(talus_body_create(w, &def, &plate), talus_world_error(w));
    add_half_plane(w, plate, m, 0, 0, 0, 1);
    for (int i = 0; i < 9; i++) step(w);
    talus_status status = TALUS_OK;
    for (int i = 0; i < 3 && status == TALUS_OK; i++) status = talus_world_step(w, NULL);
    CHECK(status == TALUS_DIVERGED);
    CHECK(strstr(talus_world_error(w), "'plate'") != NULL);
    CHECK(talus_world_steps(w) >= 9 && isfinite(at(w, plate, 1)) && isfinite(at(w, talus_body_at(w, 0), 1)));
    talus_world_destroy(w);
}

/* The policy `fail`: a step that did not reach the tolerance does not happen. */
TEST(unconverged)
{
    talus_world_def d = lab(1e-3);
    d.solver.max_iterations = 1;
    d.solver.unconverged = TALUS_POLICY_FAIL;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, 0.5, 0);
    wall(w, m, 0, 0, 0, 1);
    for (int i = 0; i < 20; i++) free_disk(w, m, 0, 0.1 + 0.2 * i, 0.1);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    const uint64_t hash = talus_world_hash(w);
    CHECK(talus_world_step(w, NULL) == TALUS_DIVERGED);
    CHECK(strstr(talus_world_error(w), "residual") != NULL);
    CHECK(talus_world_hash(w) == hash && talus_world_time(w) == 0);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(threads);
    RUN(many_grains);
    RUN(restart);
    RUN(foreign_state);
    RUN(failed_step);
    RUN(broken_motion);
    RUN(unconverged);
    return TEST_RESULT;
}
