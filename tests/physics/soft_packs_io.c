/* Contacts with springs lie in packs between grains (solve/problem.h, tl_give_of), and are constraints where their law resists rolling: one motion, two ways to
 * solve it, the moment of the second being next to nothing. Grains of all families, a wall that moves, a plate that many meet. */
#include "lab.h"

#include <math.h>
#include <string.h>

static const char BARELY[] = ", law: rolling, rolling: 1e-13 m";

typedef struct heap {
    int dimension;
    double friction;
    const char *grains, *bodies;
    int steps;
} heap;

static lab open_heap(const heap *h, const char *solver, const char *law)
{
    char text[6144];
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nintegrator: {scheme: spook}\nsolver: {tolerance: 1e-13 m/s, max_iterations: 50000%s}\n"
             "gravity: [0, %s-9.81]\nmaterials: {s: {density: 2000}}\ninteractions: [{friction: %g, stiffness: 3e5%s}]\n%s%s",
             h->dimension, solver, h->dimension == 3 ? "0, " : "", h->friction, law, h->grains, h->bodies);
    return open_lab(text, 1);
}

/* Positions of all bodies in the end are the same [m]. Returns the most iterations of a step of b. */
static int check_same(const heap *h, lab *a, lab *b, double same)
{
    const int count = talus_body_count(a->world);
    double first[64][3], x[2][3], q[4], worst = 0, moved = 0;
    int lost = 0, most = 0, contacts = 0;
    for (int k = 0; k < count && k < 64; k++) talus_body_pose(a->world, (talus_body_id){(uint32_t)k + 1}, first[k], q);
    for (int k = 0; k < h->steps; k++)
        for (int i = 0; i < 2; i++) {
            talus_step_report r;
            CHECK_OK(talus_world_step((i ? b : a)->world, &r), talus_world_error((i ? b : a)->world));
            lost += !r.converged;
            contacts += r.touching;
            most = i && r.iterations > most ? r.iterations : most;
        }
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < 2; i++) talus_body_pose((i ? b : a)->world, (talus_body_id){(uint32_t)k + 1}, x[i], q);
        for (int c = 0; c < h->dimension; c++) {
            worst = fmax(worst, fabs(x[0][c] - x[1][c]));
            if (k < 64) moved = fmax(moved, fabs(x[0][c] - first[k][c]));
        }
    }
    CHECK(lost == 0 && moved > 1e-3 && contacts > 2 * h->steps);
    CHECK(worst < same);
    close_lab(a), close_lab(b);
    return most;
}

static void check_packs(const heap *h)
{
    lab packs = open_heap(h, "", ""), constraints = open_heap(h, "", BARELY);
    (void)check_same(h, &packs, &constraints, 1e-9);
}

/* Solvers that form W, with Σ in it, and velocities of bodies, whose contacts give. */
static void check_solvers(const heap *h)
{
    static const char *const SOLVERS[] = {", method: newton", ", method: bodies", ", method: auto", ", least_norm: true"};
    for (int i = 0; i < 4; i++) {
        lab sweeps = open_heap(h, "", ""), other = open_heap(h, SOLVERS[i], "");
        const int most = check_same(h, &sweeps, &other, 1e-8);
        CHECK(!strstr(SOLVERS[i], "bodies") || most <= 60); /* without sweeps, which would come after steps that do not help */
    }
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
        check_packs(&(heap){3, 0.4 * rough, "", bodies, 60});
        check_solvers(&(heap){3, 0.4 * rough, "", bodies, 60});
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
    check_packs(&(heap){2, 0.4, "", END, 60});
    check_solvers(&(heap){2, 0.4, "", END, 60});
}

/* A plate that falls on more grains than a pack has colours: it would be a hub, or in parts. */
TEST(plates)
{
    static const char SPACE[] =
        "grains:\n  g: {generator: lattice, rows: 9, columns: 9, layers: 1, spacing: 0.201, origin: [0, 0, 0.1], radius: 0.1, material: s}\n",
                      PLANE[] = "grains:\n  g: {generator: lattice, rows: 1, columns: 70, spacing: 0.201, origin: [0, 0.1], radius: 0.1, material: s}\n";
    check_packs(&(heap){3, 0, SPACE,
                        "bodies:\n  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: s}}]}\n"
                        "  plate: {position: [0.8, 0.8, 0.251], velocity: [0, 0, -1], shapes: [{box: {size: [2, 2, 0.1], material: s}}]}\n",
                        20});
    check_packs(&(heap){2, 0.4, PLANE,
                        "bodies:\n  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: s}}]}\n"
                        "  plate: {position: [7, 0.251], velocity: [0, -1], shapes: [{box: {size: [15, 0.1], material: s}}]}\n",
                        20});
}

int main(int argc, char **argv)
{
    RUN(space);
    RUN(plane);
    RUN(plates);
    return TEST_RESULT;
}
