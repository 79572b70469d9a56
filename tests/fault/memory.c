/* Every allocation of a world fails once: the call says MEMORY with a text, nothing leaks, and a step that failed can be repeated. */
#include "physics/planar.h"

typedef struct meter {
    long calls, fails_at, live;
} meter;

static void *count_and_fail(void *user, void *pointer, size_t size)
{
    meter *m = user;
    if (size == 0) {
        m->live -= pointer != NULL;
        free(pointer);
        return NULL;
    }
    if (++m->calls == m->fails_at) return NULL;
    void *result = realloc(pointer, size);
    m->live += pointer == NULL && result != NULL;
    return result;
}

/* Runs a call; after a failure reports it and leaves the function. */
#define DO(call)                                                                                                                                               \
    do {                                                                                                                                                       \
        const talus_status status_ = (call);                                                                                                                   \
        if (status_ != TALUS_OK) return status_;                                                                                                               \
    } while (0)

/* A box of grains, polygons among them, and a four-bar with a shape. */
static talus_status build(talus_world *w)
{
    talus_material_def md = talus_material_def_default();
    talus_material_id stone, none = {0, 0};
    md.name = "stone", md.density = 2500;
    DO(talus_material_create(w, &md, &stone));
    talus_interaction_def id = talus_interaction_def_default();
    id.friction = 0.4;
    DO(talus_interaction_set(w, none, none, &id));
    talus_body_def bd = talus_body_def_default();
    talus_body_id body_id;
    talus_shape_def sd = talus_shape_def_default();
    bd.name = "floor", bd.kind = TALUS_BODY_FIXED;
    DO(talus_body_create(w, &bd, &body_id));
    sd.material = stone, sd.kind = TALUS_SHAPE_HALF_PLANE, sd.points[1][1] = 1;
    DO(talus_body_add_shape(w, body_id, &sd));
    for (int i = 0; i < 12; i++) {
        bd = talus_body_def_default();
        bd.position[0] = 0.21 * (i % 4), bd.position[1] = 0.1 + 0.19 * (i / 4);
        DO(talus_body_create(w, &bd, &body_id));
        sd = talus_shape_def_default();
        sd.material = stone, sd.radius = 0.1;
        if (i % 3 == 0) {
            sd.kind = TALUS_SHAPE_POLYGON, sd.count = 4, sd.radius = 0.02;
            for (int k = 0; k < 4; k++) sd.points[k][0] = k == 0 || k == 3 ? -0.08 : 0.08, sd.points[k][1] = k < 2 ? -0.08 : 0.08;
        }
        DO(talus_body_add_shape(w, body_id, &sd));
    }
    talus_mechanism_id m;
    talus_body_id link[3];
    DO(talus_mechanism_create(w, "four-bar", &m));
    for (int i = 0; i < 3; i++) {
        talus_link_def ld = talus_link_def_default();
        talus_joint_def jd = talus_joint_def_default();
        talus_joint_id joint;
        ld.mass = 1, ld.inertia[2] = 0.1;
        DO(talus_link_create(w, m, &ld, &link[i]));
        jd.name = (const char *[]){"A", "B", "C"}[i];
        jd.child = link[i];
        jd.parent_point[1] = i ? 0 : 0.75;
        if (i > 0) jd.parent = link[i - 1], jd.parent_point[0] = (double[]){0.3, 0.9}[i - 1];
        jd.position[0] = (double[]){1, -0.8, -1.9}[i];
        DO(talus_joint_create(w, &jd, &joint));
    }
    sd = talus_shape_def_default();
    sd.material = stone, sd.kind = TALUS_SHAPE_SEGMENT, sd.count = 2, sd.radius = 0.05, sd.points[1][0] = 0.3, sd.points[1][1] = -0.3;
    DO(talus_body_add_shape(w, link[0], &sd));
    talus_loop_def loop = talus_loop_def_default();
    talus_loop_id loop_id;
    loop.name = "D", loop.body_a = link[2], loop.point_a[0] = 0.7, loop.point_b[0] = 1, loop.point_b[1] = 0.75;
    DO(talus_loop_create(w, m, &loop, &loop_id));
    return talus_world_assemble(w);
}

static talus_world_def watched(meter *m, int threads)
{
    talus_world_def d = lab(2e-3);
    d.tolerance = 1e-6, d.max_iterations = 200, d.threads = threads;
    d.allocator = (talus_allocator){.reallocate = count_and_fail, .user = m};
    return d;
}

/* Creation and definition: allocation number k fails, for every k until none does. */
TEST(building)
{
    bool done = false;
    long k = 1;
    for (; !done && k < 100000; k++) {
        meter m = {.fails_at = k};
        const talus_world_def d = watched(&m, 1);
        char text[256] = "";
        talus_world *w = NULL;
        talus_status status = talus_world_create(&d, &w, text, sizeof text);
        if (status == TALUS_OK) {
            status = build(w);
            snprintf(text, sizeof text, "%.200s", talus_world_error(w));
        }
        done = status == TALUS_OK;
        if (!done && (status != TALUS_MEMORY || !text[0])) TEST_FAIL("allocation %ld: %s: '%s'", k, talus_status_name(status), text);
        talus_world_destroy(w);
        if (m.live != 0) TEST_FAIL("allocation %ld: %ld pieces leak", k, m.live);
    }
    CHECK(done && k > 50);
}

/* Steps: the failed one leaves the state as it was and succeeds when memory is back, to the same bits. */
TEST(stepping)
{
    for (int threads = 1; threads <= 2; threads++) {
        uint64_t expected[6];
        long failures = 0;
        for (long k = 0; k < 400; k++) {
            meter m = {.fails_at = -1};
            const talus_world_def d = watched(&m, threads);
            talus_world *w = open_world(&d);
            CHECK_OK(build(w), talus_world_error(w));
            m.calls = 0, m.fails_at = k > 0 ? k : -1;
            bool failed = false;
            for (int i = 0; i < 6; i++) {
                const uint64_t before = talus_world_hash(w);
                talus_status status = talus_world_step(w, NULL);
                if (status != TALUS_OK) {
                    failed = true;
                    CHECK(status == TALUS_MEMORY && talus_world_error(w)[0] && talus_world_hash(w) == before);
                    status = talus_world_step(w, NULL);
                }
                CHECK_OK(status, talus_world_error(w));
                if (k == 0) expected[i] = talus_world_hash(w);
                else CHECK(talus_world_hash(w) == expected[i]);
            }
            talus_world_destroy(w);
            CHECK(m.live == 0);
            failures += failed;
            if (k > 0 && !failed) break;
        }
        CHECK(failures > 3);
    }
}

int main(int argc, char **argv)
{
    RUN(building);
    RUN(stepping);
    return TEST_RESULT;
}
