/* Finite-element solids in trajectory.h5, as they are read back: equal to what the world says of them, also behind a trajectory that was continued; a solid
 * without frames enough, or with a frame that does not fit, is refused by name. */
#include <math.h>
#include <sys/stat.h>

#include "record/record.h"
#include "record/replay.h"
#include "test.h"

static char home[] = "/tmp/talus-trajectory-solids-XXXXXX", path[128];

enum { FRAMES = 5, NODES = 18, ELEMENTS = 4 };

/* What the world said at a frame, in the precision of files. */
typedef struct said {
    float u[NODES][3], v[NODES][3], strain[ELEMENTS][6], stress[ELEMENTS][6];
} said;

/* Four bricks in a row of two by two, which fly, turn and shake. */
static talus_world *world(void)
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
    talus_solid_region region = {.material = talus_solid_material_find("elastic"), .parameter = {1e6, 0.3}, .density = 1000};
    talus_world_def def = talus_world_def_default();
    talus_solid_def d = talus_solid_def_default();
    talus_solid_id solid;
    talus_world *w = NULL;
    char text[256] = "";
    def.dimension = 3, def.step = 1e-3, def.gravity[1] = 0, def.gravity[2] = -10;
    CHECK_OK(talus_world_create(&def, &w, text, sizeof text), text);
    d.name = "bricks", d.nodes = NODES, d.position = (const double(*)[3])x, d.elements = ELEMENTS, d.kind = kind, d.node = node[0];
    d.regions = 1, d.region = &region, d.velocity[0] = 3;
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
    }
    CHECK(fabsf(heard[count - 1].stress[0][0]) > 100);
    tl_replay_deformed_free(&d);
    tl_replay_close(&r);
}

/* The last two frames are of a run that ended in between: they are written anew, from the same world. */
TEST(continued)
{
    static said heard[FRAMES];
    tl_trajectory t;
    tl_error error;
    bool damaged = true;
    talus_world *w = world();
    CHECK_OK(tl_trajectory_create(&t, path, w, &error), error.text);
    frames(&t, w, heard, FRAMES);
    CHECK(tl_trajectory_close(&t));
    compare(heard, FRAMES);
    CHECK_OK(tl_trajectory_reopen(&t, path, w, FRAMES - 2, &damaged, &error), error.text);
    CHECK(!damaged);
    CHECK_OK(tl_trajectory_take_place(&t, path, damaged, &error), error.text);
    frames(&t, w, heard + FRAMES - 2, 2);
    CHECK(tl_trajectory_close(&t));
    compare(heard, FRAMES);
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
        talus_world *w = world();
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
    RUN(short_and_wrong);
    remove(path), remove(home);
    return TEST_RESULT;
}
