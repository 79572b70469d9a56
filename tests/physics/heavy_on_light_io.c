/* Heavy bodies on light ones: what sweeps do not settle. A thousand tons stand on four boxes of a kilogram, in the plane and in space, also beside a heap that
 * is too large to be solved as a whole; a plate between rows of 1900 disks is hit by those above. */
#include "lab.h"

static const double FRICTION = 0.5, WEIGHT = 1000004 * 9.81;

/* Boxes of 0.2 m, one on the other. `solver` and `more`: whole keys. */
static lab open_tower(int dimension, const char *solver, const char *more)
{
    char text[4096];
    const bool space = dimension == 3;
    size_t used =
        (size_t)snprintf(text, sizeof text,
                         "dimension: %d\ntime: {end: 1 s, step: 1 ms}\n%smaterials: {s: {density: 2000}}\ninteractions: [{friction: 0.5}]\n"
                         "gravity: %s\n%sprobes:\n  top: {body: b4, quantity: %s}\n  side: {body: b4, quantity: x}\n"
                         "  f: {contact_force: b0, quantity: %s, from: floor}\nbodies:\n  floor: {kind: fixed, shapes: [%s]}\n",
                         dimension, solver, space ? "[0, 0, -9.81]" : "[0, -9.81]", more, space ? "z" : "y", space ? "z" : "y",
                         space ? "half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: s}" : "half_plane: {point: [0, 0], normal: [0, 1], material: s}");
    for (int i = 0; i < 5; i++) {
        const double m = i < 4 ? 1 : 1e6, J = m * 0.04 / 6;
        char inertia[100];
        snprintf(inertia, sizeof inertia, space ? "inertia_tensor: [%.9g, %.9g, %.9g]" : "inertia: %.9g", J, J, J);
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "  b%d: {position: [0, %s%.1f], mass: %g, %s, shapes: [box: {size: [0.2, 0.2%s], material: s}]}\n", i, space ? "0, " : "",
                                 0.1 + 0.2 * i, m, inertia, space ? ", 0.2" : "");
    }
    return open_lab(text, 1);
}

/* Every impulse lies in its cone, to rounding. */
static void check_cones(const lab *l)
{
    for (int i = 0; i < talus_contact_count(l->world); i++) {
        talus_contact c;
        talus_contact_get(l->world, i, &c);
        CHECK(c.impulse[0] >= 0 && hypot(c.impulse[1], c.impulse[2]) <= FRICTION * c.impulse[0] * (1 + 1e-12));
    }
}

/* It stands for a second, and the floor carries all of it; `every`: no step ends above the tolerance. */
static void check_stands(lab l, bool every)
{
    double force = 0;
    int missed = 0;
    for (int i = 0; i < 1000; i++) {
        talus_step_report r;
        CHECK_OK(talus_world_step(l.world, &r), talus_world_error(l.world));
        missed += !r.converged;
        check_cones(&l);
        force += lab_probe(&l, "f") / 1000;
    }
    CHECK(!every || missed == 0);
    CHECK_NEAR(lab_probe(&l, "top"), 0.9, 1e-5);
    CHECK_NEAR(lab_probe(&l, "side"), 0, 1e-5);
    CHECK_CLOSE(force, WEIGHT, 1e-4);
    close_lab(&l);
}

TEST(tower_stands) { check_stands(open_tower(2, "", ""), true); }

/* As its boxes come to rest, the default tolerance goes down with their velocity, below what some steps come to. */
TEST(tower_stands_in_space) { check_stands(open_tower(3, "", ""), false); }

TEST(tower_stands_beside_a_heap)
{
    check_stands(open_tower(2, "", "grains: {g: {generator: lattice, rows: 3, columns: 30, spacing: 0.2, origin: [5, 0.1], radius: 0.1, material: s}}\n"),
                 true);
}

/* Who asks for sweeps gets sweeps, and is told that they were not enough. */
TEST(sweeps_when_asked_for)
{
    lab l = open_tower(2, "solver: {method: nlgs}\n", "");
    int missed = 0;
    for (int i = 0; i < 1000; i++) {
        talus_step_report r;
        CHECK_OK(talus_world_step(l.world, &r), talus_world_error(l.world));
        missed += !r.converged;
    }
    CHECK(missed > 100);
    close_lab(&l);
}

static const char MANY[] = "time: {end: 0.17 s, step: 1 ms}\n"
                           "gravity: [0, -9.81]\n"
                           "materials: {s: {density: 2000, thickness: 1}}\n"
                           "interactions: [{friction: 0.5, restitution: 0}]\n"
                           "grains:\n"
                           "  g: {generator: lattice, rows: 1, columns: 1900, spacing: 0.201, origin: [-191, 0.1], radius: 0.1, material: s}\n"
                           "  g2: {generator: lattice, rows: 1, columns: 1900, spacing: 0.201, origin: [-191, 0.502], radius: 0.1, material: s}\n"
                           "bodies:\n"
                           "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: s}}]}\n"
                           "  plate: {position: [0, 0.2505], mass: 1000, inertia: 1000, shapes: [{box: {size: [400, 0.1], material: s}}]}\n";

/* The row above meets the plate at 0.143 s. What is taken back by positions may lift grains: that is counted apart. */
TEST(hit_plate_gains_nothing)
{
    lab l = open_lab(MANY, 1);
    double kinetic, potential, lifted = 0;
    talus_world_energy(l.world, &kinetic, &potential);
    const double start = kinetic + potential;
    int missed = 0;
    for (int i = 0; i < 170; i++) {
        talus_step_report r;
        CHECK_OK(talus_world_step(l.world, &r), talus_world_error(l.world));
        missed += !r.converged;
        lifted += fmax(r.drift_energy, 0);
        talus_world_energy(l.world, &kinetic, &potential);
        CHECK(kinetic + potential - lifted <= start * (1 + 1e-6));
    }
    CHECK(missed == 0);
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(tower_stands);
    RUN(tower_stands_in_space);
    RUN(tower_stands_beside_a_heap);
    RUN(sweeps_when_asked_for);
    RUN(hit_plate_gains_nothing);
    return TEST_RESULT;
}
