/* Contacts with springs lie in packs between grains (solve/problem.h, tl_give_of), and are constraints where their law resists rolling: one motion, two ways to
 * solve it, the moment of the second being next to nothing. Grains of all families, a wall that moves, a plate that many meet. */
#include "lab.h"

#include <math.h>

static const char BARELY[] = ", law: rolling, rolling: 1e-13 m";

static lab open_heap(int dimension, double friction, const char *law, const char *grains, const char *bodies)
{
    char text[6144];
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nintegrator: {scheme: spook}\nsolver: {tolerance: 1e-13 m/s, max_iterations: 50000}\n"
             "gravity: [0, %s-9.81]\nmaterials: {s: {density: 2000}}\ninteractions: [{friction: %g, stiffness: 3e5%s}]\n%s%s",
             dimension, dimension == 3 ? "0, " : "", friction, law, grains, bodies);
    return open_lab(text, 1);
}

/* Positions of all bodies after `steps`, by packs and by constraints. */
static void check_same(int dimension, double friction, const char *grains, const char *bodies, int steps)
{
    lab l[2] = {open_heap(dimension, friction, "", grains, bodies), open_heap(dimension, friction, BARELY, grains, bodies)};
    double worst = 0, moved = 0;
    int contacts = 0, lost = 0;
    for (int k = 0; k < steps; k++) {
        for (int i = 0; i < 2; i++) {
            talus_step_report r;
            CHECK_OK(talus_world_step(l[i].world, &r), talus_world_error(l[i].world));
            lost += !r.converged;
        }
        contacts += talus_contact_count(l[0].world);
    }
    const int count = talus_body_count(l[0].world);
    for (int b = 1; b <= count; b++) {
        double x[2][3], q[4];
        for (int i = 0; i < 2; i++) talus_body_pose(l[i].world, (talus_body_id){(uint32_t)b}, x[i], q);
        for (int c = 0; c < dimension; c++) worst = fmax(worst, fabs(x[0][c] - x[1][c])), moved = fmax(moved, fabs(x[0][c]));
    }
    CHECK(lost == 0 && contacts > steps && moved > 0.01);
    CHECK(worst < 1e-9);
    for (int i = 0; i < 2; i++) close_lab(&l[i]);
}

/* Spheres and boxes that fall together, and a wall that is pushed against them. Friction on faces is not unique: with it boxes lie on edges and corners. */
TEST(space)
{
    static const char WALLS[] =
        "bodies:\n  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: s}}]}\n"
        "  wall: {kind: imposed, motion: {x: 0.5 m/s * t}, shapes: [{half_space: {point: [-0.1, 0, 0], normal: [1, 0, 0], material: s}}]}\n"
        "  d: {position: [0.03, 0, 0.31], velocity: [0, 0, -1], shapes: [{sphere: {radius: 0.1, material: s}}]}\n"
        "  e: {position: [0.01, 0.02, 0.1], shapes: [{sphere: {radius: 0.1, material: s}}]}\n";
    char bodies[2048];
    for (int rough = 0; rough < 2; rough++) {
        const char *b = rough ? "orientation: {rpy_deg: [30, 25, 10]}, " : "", *c = rough ? "orientation: {rpy_deg: [10, -20, 40]}, " : "";
        snprintf(bodies, sizeof bodies,
                 "%s  b: {position: [0.28, 0.01, %g], %sshapes: [{box: {size: [0.2, 0.2, 0.2], material: s}}]}\n"
                 "  c: {position: [0.22, 0.03, %g], %sshapes: [{box: {size: [0.2, 0.2, 0.2], material: s}}]}\n",
                 WALLS, rough ? 0.16 : 0.12, b, rough ? 0.46 : 0.33, c);
        check_same(3, 0.4 * rough, "", bodies, 60);
    }
}

TEST(plane)
{
    static const char END[] = "bodies:\n  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: s}}]}\n"
                              "  wall: {kind: imposed, motion: {x: 0.5 m/s * t}, shapes: [{half_plane: {point: [-0.1, 0], normal: [1, 0], material: s}}]}\n"
                              "  b: {position: [0.26, 0.12], shapes: [{box: {size: [0.2, 0.2], material: s}}]}\n"
                              "  c: {position: [0.21, 0.33], shapes: [{box: {size: [0.2, 0.2], material: s}}]}\n"
                              "  d: {position: [0.03, 0.31], velocity: [0, -1], shapes: [{disk: {radius: 0.1, material: s}}]}\n"
                              "  e: {position: [0.01, 0.1], shapes: [{disk: {radius: 0.1, material: s}}]}\n";
    check_same(2, 0.4, "", END, 60);
}

/* A plate that falls on more grains than a pack has colours: it would be a hub, or in parts. */
TEST(plates)
{
    static const char SPACE[] =
        "grains:\n  g: {generator: lattice, rows: 9, columns: 9, layers: 1, spacing: 0.201, origin: [0, 0, 0.1], radius: 0.1, material: s}\n",
                      PLANE[] = "grains:\n  g: {generator: lattice, rows: 1, columns: 70, spacing: 0.201, origin: [0, 0.1], radius: 0.1, material: s}\n";
    check_same(3, 0, SPACE,
               "bodies:\n  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: s}}]}\n"
               "  plate: {position: [0.8, 0.8, 0.251], velocity: [0, 0, -1], shapes: [{box: {size: [2, 2, 0.1], material: s}}]}\n",
               20);
    check_same(2, 0.4, PLANE,
               "bodies:\n  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: s}}]}\n"
               "  plate: {position: [7, 0.251], velocity: [0, -1], shapes: [{box: {size: [15, 0.1], material: s}}]}\n",
               20);
}

int main(int argc, char **argv)
{
    RUN(space);
    RUN(plane);
    RUN(plates);
    return TEST_RESULT;
}
