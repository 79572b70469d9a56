/* The generator `fill` in periodic cells, at rest and sheared: no grain overlaps a copy of another, or of a wall, by trying all; what spans the cell is filled
 * through its ends, as densely as in the middle. */
#include <math.h>

#include "lab.h"

static const double PI = 3.14159265358979323846;

/* Round grains, and where copies are; offset: of the next copy along y, along x. */
typedef struct grains {
    int n, dimension;
    double (*at)[4]; /* x, y, z, radius */
    double length[3], offset;
} grains;

static grains read_grains(const talus_world *w)
{
    const int n = talus_body_count(w);
    grains g = {.dimension = talus_world_dimension(w), .at = calloc((size_t)n + 1, sizeof *g.at)};
    int along, across;
    double speed;
    (void)talus_world_shear(w, &along, &across, &g.offset, &speed);
    for (int c = 0; c < 3; c++) {
        double low, high;
        if (talus_world_periodic(w, c, &low, &high)) g.length[c] = high - low;
    }
    for (int i = 0; i < n; i++) {
        const talus_body_id body = talus_body_at(w, i);
        double q[4];
        if (talus_body_get_kind(w, body) != TALUS_BODY_FREE) continue;
        talus_body_pose(w, body, g.at[g.n], q);
        const double volume = talus_body_mass(w, body) / 2500;
        g.at[g.n][3] = g.dimension == 2 ? sqrt(volume / PI) : cbrt(volume / (4.0 / 3 * PI));
        g.n++;
    }
    return g;
}

enum { FAR = 3 }; /* cells */

static double least_gap(const grains *g, int *touching)
{
    double least = (double)INFINITY;
    int far[3];
    for (int c = 0; c < 3; c++) far[c] = g->length[c] > 0 ? FAR : 0;
    *touching = 0;
    for (int a = 0; a < g->n; a++)
        for (int b = 0; b <= a; b++)
            for (int i = -far[0]; i <= far[0]; i++)
                for (int j = -far[1]; j <= far[1]; j++)
                    for (int k = -far[2]; k <= far[2]; k++) {
                        if (a == b && i == 0 && j == 0 && k == 0) continue;
                        const double x = g->at[b][0] + i * g->length[0] + j * g->offset - g->at[a][0];
                        const double y = g->at[b][1] + j * g->length[1] - g->at[a][1], z = g->at[b][2] + k * g->length[2] - g->at[a][2];
                        const double gap = sqrt(x * x + y * y + z * z) - g->at[a][3] - g->at[b][3];
                        least = fmin(least, gap);
                        *touching += gap < 0.1 * g->at[a][3] && (i || j || k);
                    }
    return least;
}

/* A filling is denser than what random sequential addition comes to when not one more fits (Feder 1980: disks 0.547, spheres 0.38): of the whole cell, too. */
static void check_cell(const char *head, const char *region, double size, double least)
{
    char text[2048];
    int through;
    snprintf(text, sizeof text,
             "%stime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 2500}}\n"
             "grains: {g: {generator: fill, material: m, region: %s, radius: {uniform: [18 mm, 25 mm]}}}\n",
             head, region);
    lab l = open_lab(text, 1);
    const grains g = read_grains(l.world);
    double volume = 0;
    for (int i = 0; i < g.n; i++) volume += g.dimension == 2 ? PI * g.at[i][3] * g.at[i][3] : 4.0 / 3 * PI * pow(g.at[i][3], 3);
    const double gap = least_gap(&g, &through);
    if (!(gap > 0)) TEST_FAIL("%s: two grains overlap by %g", head, -gap);
    if (!(volume / size > least)) TEST_FAIL("%s: filled to %g", head, volume / size);
    CHECK(through > 5); /* across the ends they are as near as elsewhere */
    free(g.at);
    close_lab(&l);
}

TEST(cells_are_filled)
{
    static const double DISKS = 0.547, SPHERES = 0.385;
    check_cell("periodic: {x: [0.2, 1.2]}\n", "[[0.2, 0], [1.2, 0.7]]", 0.7, DISKS);
    check_cell("periodic: {x: [0, 1], y: [0, 0.7]}\n", "[[-0.3, 5], [0.7, 5.7]]", 0.7, DISKS);
    check_cell("periodic: {x: [0, 1], y: [0, 0.7], shear: {along: x, across: y, strain: 3.37 + t/(1 s)}}\n", "[[0, 0], [1, 0.7]]", 0.7, DISKS);
    check_cell("dimension: 3\nperiodic: {x: [0, 0.4], z: [0, 0.5]}\n", "[[0, 0, 0], [0.4, 0.4, 0.5]]", 0.08, SPHERES);
    check_cell("dimension: 3\nperiodic: {x: [0, 0.4], y: [0, 0.3], z: [0, 0.5], shear: {along: x, across: y, strain: 0.6 + t/(1 s)}}\n",
               "[[0, 0, 0], [0.4, 0.3, 0.5]]", 0.06, SPHERES);
}

/* A region that ends before the cell does: still nothing overlaps through the end, and earlier groups are seen there, too. */
TEST(groups_and_walls)
{
    lab l = open_lab("periodic: {x: [0, 1]}\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 2500}}\n"
                     "bodies: {post: {kind: fixed, material: m, shapes: [{box: {size: [0.3, 0.3], centre: [1, 0.3]}}]}}\n"
                     "grains:\n"
                     "  first: {generator: fill, material: m, region: [[0.01, 0], [0.995, 0.3]], radius: {uniform: [18 mm, 25 mm]}}\n"
                     "  second: {generator: fill, material: m, region: [[0, 0], [1, 0.8]], radius: {uniform: [8 mm, 12 mm]}}\n",
                     1);
    const grains g = read_grains(l.world);
    int through;
    CHECK(least_gap(&g, &through) > 0);
    CHECK(through > 5);
    for (int i = 0; i < g.n; i++) {
        double x[3] = {g.at[i][0], g.at[i][1], 0};
        for (int k = -2; k <= 2; k++) {
            x[0] = g.at[i][0] + k;
            CHECK(talus_body_distance(l.world, talus_body_at(l.world, 0), x, 1) > g.at[i][3]);
        }
    }
    free(g.at);
    close_lab(&l);
}

TEST(too_long)
{
    talus_scene *s = load_lab("periodic: {x: [0, 1]}\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 2500}}\n"
                              "grains: {g: {generator: fill, material: m, region: [[0, 0], [1.1, 1]], radius: 20 mm}}\n");
    talus_world *w = NULL;
    CHECK(talus_scene_build(s, 1, &w) != TALUS_OK);
    CHECK(talus_scene_mistake_count(s) > 0 && strstr(talus_scene_mistake(s, 0), "longer than the periodic cell") != NULL);
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

int main(int argc, char **argv)
{
    RUN(cells_are_filled);
    RUN(groups_and_walls);
    RUN(too_long);
    return TEST_RESULT;
}
