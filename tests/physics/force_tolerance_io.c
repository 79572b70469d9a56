/* A tolerance of forces: what suffices is the share that is asked for of the mean normal impulse of the contacts that press, as velocities I_n/ρ (theory §5.1),
 * but no more than a tenth of the larger of g h and the root mean square speed. Equal disks and spheres, whose W is known in closed form, fall into a box. */
#include "lab.h"

static const double STRICT = 1e-9, SHARE = 1e-2, G = 9.81, H = 1e-3;
enum { STEPS = 650, GRAINS = 1000 };

static lab open_box(int dimension, const char *solver)
{
    char text[2048];
    const bool space = dimension == 3;
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 1 s, step: 1 ms}\n%smaterials: {s: {density: 2000}}\ninteractions: [{friction: 0.5}]\n"
             "gravity: %s\nbodies:\n  box: {kind: fixed, shapes: [%s]}\n"
             "grains:\n  g: {generator: lattice, %s, spacing: 21 mm, jitter: 0.5 mm, radius: 10 mm, material: s}\n",
             dimension, solver, space ? "[0, 0, -9.81]" : "[0, -9.81]",
             space ? "half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: s}, half_space: {point: [0, 0, 0], normal: [1, 0, 0], material: s}, "
                     "half_space: {point: [0.21, 0, 0], normal: [-1, 0, 0], material: s}, half_space: {point: [0, 0, 0], normal: [0, 1, 0], material: s}, "
                     "half_space: {point: [0, 0.21, 0], normal: [0, -1, 0], material: s}"
                   : "half_plane: {point: [0, 0], normal: [0, 1], material: s}, half_plane: {point: [0, 0], normal: [1, 0], material: s}, "
                     "half_plane: {point: [1.05, 0], normal: [-1, 0], material: s}",
             space ? "columns: 10, rows: 10, layers: 10, origin: [10.5 mm, 10.5 mm, 10.5 mm]" : "columns: 50, rows: 20, origin: [10.5 mm, 10.5 mm]");
    return open_lab(text, 1);
}

/* 1/ρ is the mean of W_nn and those across, W_nn (1 + m r²/J): J = m r²/2 of a disk, 2/5 m r² of a sphere. */
static double mean_impulse(const talus_world *w, int dimension)
{
    const double across = dimension == 3 ? (1 + 2 * 3.5) / 3 : (1 + 3.) / 2;
    double sum = 0;
    int pressing = 0;
    for (int i = 0; i < talus_contact_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        const double a = talus_body_mass(w, c.candidate), b = talus_body_mass(w, c.antagonist);
        if (!(c.impulse[0] > 0)) continue;
        sum += c.impulse[0] * across * ((a > 0 ? 1 / a : 0) + (b > 0 ? 1 / b : 0));
        pressing++;
    }
    return sum / (pressing > 0 ? pressing : 1);
}

static double kinetic_of(const talus_world *w)
{
    double kinetic, potential;
    talus_world_energy(w, &kinetic, &potential);
    return kinetic;
}

static void check_box(int dimension)
{
    lab l = open_box(dimension, "solver: {tolerance: 1e-9 m/s, force_tolerance: 1e-2}\n");
    talus_world *w = l.world;
    double mass = 0;
    int by_force = 0, by_speed = 0;
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    for (int i = 0; i < talus_body_count(w); i++) mass += talus_body_mass(w, talus_body_at(w, i));
    for (int k = 0; k < STEPS; k++) {
        talus_step_report r;
        const double most = 0.1 * fmax(G * H, sqrt(2 * kinetic_of(w) / mass));
        CHECK_OK(talus_world_step(w, &r), talus_world_error(w));
        const double mean = mean_impulse(w, dimension);
        CHECK_CLOSE(r.impulse_mean, mean, 1e-9);
        CHECK_CLOSE(r.tolerance, fmax(STRICT, fmin(SHARE * mean, most)), 1e-9);
        CHECK(r.converged == (r.residual <= r.tolerance));
        const bool eased = r.converged && r.residual > STRICT;
        CHECK(!eased || r.iterations >= 100);
        by_force += eased && SHARE * mean < most, by_speed += eased && SHARE * mean > most;
    }
    CHECK(by_force > 100 && by_speed > 0);
    close_lab(&l);
}

TEST(disks) { check_box(2); }
TEST(spheres) { check_box(3); }

/* Without a word of either, a thousandth; with a tolerance of velocities alone, that. */
TEST(defaults)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab easy = open_box(dimension, ""), strict = open_box(dimension, "solver: {tolerance: 1e-9 m/s}\n");
        for (int k = 0; k < 100; k++) {
            talus_step_report r;
            CHECK_OK(talus_world_step(strict.world, &r), talus_world_error(strict.world));
            CHECK(r.tolerance == 1e-9);
            const double most = fmax(G * H, sqrt(2 * kinetic_of(easy.world) / (GRAINS * talus_body_mass(easy.world, talus_body_at(easy.world, 1)))));
            CHECK_OK(talus_world_step(easy.world, &r), talus_world_error(easy.world));
            CHECK_CLOSE(r.tolerance, fmax(1e-4 * most, fmin(1e-3 * mean_impulse(easy.world, dimension), 0.1 * most)), 1e-9);
        }
        close_lab(&easy), close_lab(&strict);
    }
}

TEST(refused)
{
    talus_world_def d = talus_world_def_default();
    talus_world *w;
    char message[200];
    d.solver.force_tolerance = -1;
    CHECK(talus_world_create(&d, &w, message, sizeof message) == TALUS_INPUT && strstr(message, "force tolerance is -1"));
}

int main(int argc, char **argv)
{
    RUN(disks);
    RUN(spheres);
    RUN(defaults);
    RUN(refused);
    return TEST_RESULT;
}
