/* Finite-element solids in trajectory.h5, as they are read back: equal to what the world says of them, also behind a trajectory that was continued; how they
 * have yielded is there of what can yield, and zero of all else and in older files; a solid without frames enough, or with a frame that does not fit, is
 * refused by name. */
#include <math.h>
#include <sys/stat.h>

#include "record/record.h"
#include "record/replay.h"
#include "test.h"

static char home[] = "/tmp/talus-trajectory-solids-XXXXXX", path[128];

enum { FRAMES = 5, NODES = 18, ELEMENTS = 4, SOIL = 1 };

/* What the world said at a frame, in the precision of files. */
typedef struct said {
    float u[NODES][3], v[NODES][3], strain[ELEMENTS][6], stress[ELEMENTS][6], plastic_strain[ELEMENTS], cap[ELEMENTS];
} said;

/* Four bricks in a row of two by two, which fly, turn and shake; one of soil that yields at once, or none. */
static talus_world *world(bool soil)
{
    static double x[NODES][3];
    static int node[ELEMENTS][8];
    static uint8_t kind[ELEMENTS];
    const int side[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (int i = 0; i < NODES; i++) x[i][0] = i % 3, x[i][1] = i / 3 % 3, x[i][2] = i / 9 + 0.1 * (i % 4);
    for (int e = 0; e < ELEMENTS; e++) {
        for (int k = 0; k < 8; k++) node[e][k] = (e % 2 + side[k][0]) + 3 * (e / 2 + side[k][1]) + 9 * side[k][2];
        kind[e] = (uint8_t)talus_element_find("hexahedron8");
    }
    const talus_solid_region region[2] = {
        {.material = talus_solid_material_find("elastic"), .parameter = {1e6, 0.3}, .density = 1000},
        {.material = talus_solid_material_find("drucker-prager"), .parameter = {1e6, 0.3, 100, 0.4, 50, 5000, 4, 0.3, 1e-5}, .density = 1000}};
    static const int REGION_OF[ELEMENTS] = {[SOIL] = 1};
    talus_world_def def = talus_world_def_default();
    talus_solid_def d = talus_solid_def_default();
    talus_solid_id solid;
    talus_world *w = NULL;
    char text[256] = "";
    def.dimension = 3, def.step = 1e-3, def.gravity[1] = 0, def.gravity[2] = -10;
    CHECK_OK(talus_world_create(&def, &w, text, sizeof text), text);
    d.name = "bricks", d.nodes = NODES, d.position = (const double(*)[3])x, d.elements = ELEMENTS, d.kind = kind, d.node = node[0];
    d.regions = soil ? 2 : 1, d.region = region, d.region_of = soil ? REGION_OF : NULL, d.velocity[0] = 3;
    CHECK_OK(talus_solid_create(w, &d, &solid), talus_world_error(w));
    for (int i = 0; i < 3; i++) CHECK_OK(talus_solid_hold(w, solid, i, 0, NULL), talus_world_error(w)); /* what shakes it */
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    return w;
}

static void hear(const talus_world *w, said *out)
{
    double u[NODES][3], v[NODES][3];
    talus_solid_motion(w, talus_solid_at(w, 0), u, v);
    for (int i = 0; i < 3 * NODES; i++) out->u[i / 3][i % 3] = (float)u[i / 3][i % 3], out->v[i / 3][i % 3] = (float)v[i / 3][i % 3];
    for (int e = 0; e < ELEMENTS; e++) {
        double strain[6], stress[6];
        CHECK(talus_solid_stress(w, talus_solid_at(w, 0), e, strain, stress));
        for (int k = 0; k < 6; k++) out->strain[e][k] = (float)strain[k], out->stress[e][k] = (float)stress[k];
        double plastic_strain, cap;
        (void)talus_solid_yielded(w, talus_solid_at(w, 0), e, &plastic_strain, &cap);
        out->plastic_strain[e] = (float)plastic_strain, out->cap[e] = (float)cap;
    }
}

static void frames(tl_trajectory *t, talus_world *w, said *heard, int count)
{
    tl_error error;
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < 7; i++) CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
        CHECK_OK(tl_trajectory_frame(t, w, &error), error.text);
        hear(w, &heard[k]);
    }
}

static void compare(const said *heard, int count)
{
    tl_replay r;
    tl_replay_deformed d = {0};
    tl_error error;
    CHECK_OK(tl_replay_open(&r, home, &error), error.text);
    CHECK(r.frames == count && r.solids == 1 && r.solid[0].nodes == NODES && r.solid[0].elements == ELEMENTS && r.solid[0].faces == 16);
    CHECK(r.body[r.solid[0].body].solid && strcmp(r.solid[0].name, "bricks") == 0 && !tl_replay_is_grain(&r, r.solid[0].body));
    for (int k = 0; k < count; k++) {
        CHECK_OK(tl_replay_deformed_read(&r, 0, k, &d, &error), error.text);
        CHECK(memcmp(d.displacement, heard[k].u, sizeof heard[k].u) == 0 && memcmp(d.velocity, heard[k].v, sizeof heard[k].v) == 0);
        CHECK(memcmp(d.strain, heard[k].strain, sizeof heard[k].strain) == 0 && memcmp(d.stress, heard[k].stress, sizeof heard[k].stress) == 0);
        CHECK(memcmp(d.plastic_strain, heard[k].plastic_strain, sizeof heard[k].plastic_strain) == 0 && memcmp(d.cap, heard[k].cap, sizeof heard[k].cap) == 0);
    }
    CHECK(fabsf(heard[count - 1].stress[0][0]) > 100);
    tl_replay_deformed_free(&d);
    tl_replay_close(&r);
}

static const char *const YIELDED[2] = {"solids/0/plastic_strain", "solids/0/cap"};

/* Are both sets there? Neither, or the test fails. */
static bool says_yielded(void)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const bool strain = H5Lexists(file, YIELDED[0], H5P_DEFAULT) > 0, cap = H5Lexists(file, YIELDED[1], H5P_DEFAULT) > 0;
    H5Fclose(file);
    CHECK(strain == cap);
    return strain;
}

/* Frames of a run that writes anew what is behind the first of them, from the same world. */
static void carry_on(talus_world *w, said *heard, int kept)
{
    tl_trajectory t;
    tl_error error;
    bool damaged = true;
    CHECK_OK(tl_trajectory_reopen(&t, path, w, kept, &damaged, &error), error.text);
    CHECK(!damaged);
    CHECK_OK(tl_trajectory_take_place(&t, path, damaged, &error), error.text);
    frames(&t, w, heard + kept, FRAMES - kept);
    CHECK(tl_trajectory_close(&t));
    compare(heard, FRAMES);
}

static talus_world *begin(bool soil, said *heard)
{
    tl_trajectory t;
    tl_error error;
    talus_world *w = world(soil);
    CHECK_OK(tl_trajectory_create(&t, path, w, &error), error.text);
    frames(&t, w, heard, FRAMES);
    CHECK(tl_trajectory_close(&t));
    compare(heard, FRAMES);
    return w;
}

/* The last two frames are of a run that ended in between. */
TEST(continued)
{
    static said heard[FRAMES];
    for (int soil = 0; soil < 2; soil++) {
        talus_world *w = begin(soil, heard);
        CHECK(says_yielded() == (soil > 0));
        carry_on(w, heard, FRAMES - 2);
        CHECK(says_yielded() == (soil > 0));
        for (int e = 0; e < ELEMENTS; e++) {
            const bool yields = soil && e == SOIL;
            CHECK(yields == (heard[FRAMES - 1].plastic_strain[e] > 0) && (yields ? heard[FRAMES - 1].cap[e] > 5000 : heard[FRAMES - 1].cap[e] == 0));
        }
        talus_world_destroy(w);
    }
}

/* A file that does not say yet how soil has yielded: as if it had not, also where a run goes on from it; a file with one of the sets is damaged. */
TEST(older)
{
    static said heard[FRAMES];
    tl_replay r;
    tl_error error;
    talus_world *w = begin(true, heard);
    for (int k = 0; k < 2; k++) {
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        CHECK(H5Ldelete(file, YIELDED[k], H5P_DEFAULT) >= 0);
        H5Fclose(file);
        if (k == 0) CHECK(tl_replay_open(&r, home, &error) == TALUS_INPUT && strstr(error.text, "solids"));
    }
    for (int k = 0; k < FRAMES; k++)
        for (int e = 0; e < ELEMENTS; e++) heard[k].plastic_strain[e] = heard[k].cap[e] = 0;
    compare(heard, FRAMES);
    carry_on(w, heard, FRAMES - 2);
    CHECK(says_yielded() && heard[FRAMES - 1].cap[SOIL] > 5000);
    talus_world_destroy(w);
}

/* Frames of which the solid has fewer do not count; without any, or with other numbers of nodes, the run is none. */
TEST(short_and_wrong)
{
    static const char *const SET = "solids/0/stress";
    tl_trajectory t;
    tl_replay r;
    tl_error error;
    static said heard[FRAMES];
    for (int left = 3; left >= -1; left -= 2) {
        talus_world *w = world(false);
        CHECK_OK(tl_trajectory_create(&t, path, w, &error), error.text);
        frames(&t, w, heard, FRAMES);
        CHECK(tl_trajectory_close(&t));
        talus_world_destroy(w);
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, SET, H5P_DEFAULT);
        const hsize_t rows[3] = {left < 0 ? FRAMES : (hsize_t)left, left < 0 ? ELEMENTS - 1 : ELEMENTS, 6};
        CHECK(H5Dset_extent(set, rows) >= 0);
        H5Dclose(set), H5Fclose(file);
        if (left > 0) compare(heard, left);
        else CHECK(tl_replay_open(&r, home, &error) == TALUS_INPUT && strstr(error.text, "solids"));
    }
}

int main(int argc, char **argv)
{
    if (!mkdtemp(home)) return 1;
    snprintf(path, sizeof path, "%s/trajectory.h5", home);
    RUN(continued);
    RUN(older);
    RUN(short_and_wrong);
    remove(path), remove(home);
    return TEST_RESULT;
}
