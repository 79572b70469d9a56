/* A plate between two beds of grains that weigh a hundred times what it does (solve/hub.h): every step meets the tolerance, the floor carries the weight of
 * all, impacts keep momentum and gain no energy, and another solver, which forms the whole problem, finds the same motion. In the plane and in space. */
#include "lab.h"

enum { PLANE = 2, SPACE = 3 };

typedef struct bed {
    int dimension, rows, columns; /* grains of each bed: columns, in space rows × columns                    */
    double friction, above;       /* above: how far the upper bed starts above the plate [m]                 */
    double mass;                  /* of the plate [kg]; a disk of 1 m length weighs 62.8, a ball 8.38        */
    const char *solver;           /* keys                                                                    */
    bool floor;                   /* else there is no gravity, and the beds strike the plate from both sides */
} bed;

static lab open_bed(const bed *b)
{
    const bool space = b->dimension == SPACE;
    char text[4096], plate[300], lattice[200], at[2][60];
    const double length = 0.201 * b->columns, width = 0.201 * b->rows, middle[2] = {0.5 * (length - 0.201), 0.5 * (width - 0.201)};
    for (int k = 0; k < 2; k++) {
        const double height = k == 0 ? 0.1 : 0.4 + b->above;
        if (space) snprintf(at[k], sizeof at[k], "[0, 0, %.17g]", height);
        else snprintf(at[k], sizeof at[k], "[0, %.17g]", height);
    }
    snprintf(lattice, sizeof lattice, space ? "generator: lattice, rows: %d, columns: %d, layers: 1" : "generator: lattice, rows: %d, columns: %d",
             space ? b->rows : 1, b->columns);
    if (space)
        snprintf(plate, sizeof plate, "position: [%.17g, %.17g, 0.25], mass: %g, shapes: [{box: {size: [%g, %g, 0.1], material: s}}]", middle[0], middle[1],
                 b->mass, length + 1, width + 1);
    else snprintf(plate, sizeof plate, "position: [%.17g, 0.25], mass: %g, shapes: [{box: {size: [%g, 0.1], material: s}}]", middle[0], b->mass, length + 1);
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 1 s, step: 1 ms}\n%sgravity: %s\nmaterials: {s: {density: 2000}}\ninteractions: [{friction: %g}]\n"
             "grains:\n  low: {%s, spacing: 0.201, origin: %s, radius: 0.1, material: s, velocity: %s}\n"
             "  high: {%s, spacing: 0.201, origin: %s, radius: 0.1, material: s, velocity: %s}\n"
             "bodies:\n  plate: {%s}\n%s%s",
             b->dimension, b->solver, !b->floor ? (space ? "[0, 0, 0]" : "[0, 0]") : (space ? "[0, 0, -9.81]" : "[0, -9.81]"), b->friction, lattice, at[0],
             b->floor ? (space ? "[0, 0, 0]" : "[0, 0]") : (space ? "[0.2, 0.1, 1.5]" : "[0.2, 1.5]"), lattice, at[1],
             b->floor ? (space ? "[0, 0, 0]" : "[0, 0]") : (space ? "[-0.3, 0.2, -1]" : "[-0.3, -1]"), plate,
             !b->floor ? ""
                       : (space ? "  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: s}}]}\n"
                                : "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: s}}]}\n"),
             !b->floor ? "" : (space ? "probes:\n  f: {contact_force: floor, quantity: z}\n" : "probes:\n  f: {contact_force: floor, quantity: y}\n"));
    return open_lab(text, 1);
}

static double weight_of(const bed *b)
{
    const double grain = b->dimension == SPACE ? 2000 * 4 / 3.0 * 3.14159265358979323846 * 1e-3 : 2000 * 3.14159265358979323846 * 1e-2;
    return 9.81 * (b->mass + 2.0 * grain * b->columns * (b->dimension == SPACE ? b->rows : 1));
}

/* The upper bed falls onto the plate, which lies on the lower one; then all rests. */
static void check_settles(const bed *b)
{
    lab l = open_bed(b);
    double force = 0, kinetic, potential, lifted = 0;
    talus_world_energy(l.world, &kinetic, &potential);
    const double start = kinetic + potential;
    for (int i = 0; i < 200; i++) {
        talus_step_report r;
        CHECK_OK(talus_world_step(l.world, &r), talus_world_error(l.world));
        CHECK(r.converged);
        lifted += fmax(r.drift_energy, 0);
        talus_world_energy(l.world, &kinetic, &potential);
        CHECK(kinetic + potential - lifted <= start * (1 + 1e-9));
        if (i >= 100) force += lab_probe(&l, "f") / 100;
    }
    CHECK_CLOSE(fabs(force), weight_of(b), 1e-4);
    close_lab(&l);
}

TEST(carries_in_the_plane) { check_settles(&(bed){PLANE, 1, 300, 0.5, 1e-3, 200, "", true}); }
TEST(carries_in_space) { check_settles(&(bed){SPACE, 16, 16, 0.5, 1e-3, 20, "", true}); }

static void momentum(const talus_world *w, double P[3], double *size)
{
    P[0] = P[1] = P[2] = *size = 0;
    for (int k = 0; k < talus_body_count(w); k++) {
        const talus_body_id body = talus_body_at(w, k);
        double v[3], spin[3];
        talus_body_velocity(w, body, (double[3]){0, 0, 0}, v, spin);
        for (int axis = 0; axis < 3; axis++) {
            P[axis] += talus_body_mass(w, body) * v[axis];
            *size += talus_body_mass(w, body) * fabs(v[axis]);
        }
    }
}

/* Two beds strike the plate from both sides, sliding. */
static void check_impact(const bed *b)
{
    lab l = open_bed(b);
    double kinetic, potential, last = (double)INFINITY, before[3], now[3], size, largest;
    momentum(l.world, before, &largest);
    talus_world_energy(l.world, &kinetic, &potential);
    const double start = kinetic;
    for (int i = 0; i < 300; i++) {
        talus_step_report r;
        CHECK_OK(talus_world_step(l.world, &r), talus_world_error(l.world));
        CHECK(r.converged);
        talus_world_energy(l.world, &kinetic, &potential);
        CHECK(kinetic <= last * (1 + 1e-12));
        last = kinetic;
    }
    CHECK(kinetic < 0.9 * start); /* they did meet */
    momentum(l.world, now, &size);
    for (int axis = 0; axis < 3; axis++) CHECK_NEAR(now[axis], before[axis], 1e-11 * largest);
    close_lab(&l);
}

TEST(keeps_momentum_in_the_plane) { check_impact(&(bed){PLANE, 1, 200, 0.4, 0.01, 500, "", false}); }
TEST(keeps_momentum_in_space) { check_impact(&(bed){SPACE, 12, 14, 0.4, 0.01, 30, "", false}); }

/* Interior points form W of all contacts and know of no hubs. */
static void check_same(bed b, double tolerance)
{
    lab l[2];
    for (int k = 0; k < 2; k++) {
        b.solver = k ? "solver: {method: interior_point, tolerance: 1e-10 m/s}\n" : "solver: {method: nlgs, tolerance: 1e-10 m/s}\n";
        l[k] = open_bed(&b);
    }
    for (int i = 0; i < 40; i++) {
        double v[2][3], spin[2][3];
        for (int k = 0; k < 2; k++) {
            talus_step_report r;
            CHECK_OK(talus_world_step(l[k].world, &r), talus_world_error(l[k].world));
            CHECK(r.converged);
            talus_body_velocity(l[k].world, talus_body_find(l[k].world, "plate"), (double[3]){0.5, 0, 0}, v[k], spin[k]);
        }
        for (int axis = 0; axis < 3; axis++) CHECK_NEAR(v[0][axis], v[1][axis], tolerance);
    }
    for (int k = 0; k < 2; k++) close_lab(&l[k]);
}

TEST(same_as_interior_points_in_the_plane)
{
    check_same((bed){PLANE, 1, 40, 0, 1e-3, 40, "", true}, 1e-8);
    check_same((bed){PLANE, 1, 40, 0.3, 0.01, 40, "", false}, 1e-8);
}

TEST(same_as_interior_points_in_space)
{
    check_same((bed){SPACE, 6, 7, 0, 1e-3, 5, "", true}, 1e-8);
    check_same((bed){SPACE, 6, 7, 0.3, 0.01, 5, "", false}, 1e-8);
}

int main(int argc, char **argv)
{
    RUN(carries_in_the_plane);
    RUN(carries_in_space);
    RUN(keeps_momentum_in_the_plane);
    RUN(keeps_momentum_in_space);
    RUN(same_as_interior_points_in_the_plane);
    RUN(same_as_interior_points_in_space);
    return TEST_RESULT;
}
