/* Contacts add no energy, however few the sweeps (solve/guard.h): piles and impacts that are solved badly, in the plane and in space, with friction,
 * restitution, machines, ropes and a wall that moves. With θ = ½ and steady gravity the energy changes by the work of the contacts alone, so kinetic and
 * potential energy less what a moving wall puts in must never grow. A step within its tolerance of 10⁻⁹ m/s may add that much by its impulses. */
#include "lab.h"

#define HEAD                                                                                                                                                   \
    "time: {end: 0.25 s, step: 1 ms}\n"                                                                                                                        \
    "drift: {correct: false}\n"

#define PLANE                                                                                                                                                  \
    HEAD "gravity: [0, -9.81]\n"                                                                                                                               \
         "materials: {s: {density: 2000, thickness: 1}}\n"                                                                                                     \
         "bodies:\n"                                                                                                                                           \
         "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: s}}]}\n"

#define SPACE                                                                                                                                                  \
    HEAD "dimension: 3\n"                                                                                                                                      \
         "gravity: [0, 0, -9.81]\n"                                                                                                                            \
         "materials: {s: {density: 2000}}\n"                                                                                                                   \
         "bodies:\n"                                                                                                                                           \
         "  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: s}}]}\n"

/* A light plate between rows of heavy disks, some of which fall on it. */
static const char PLATE[] = PLANE "  plate: {position: [0, 0.2505], mass: 20, inertia: 20, shapes: [{box: {size: [8.4, 0.1], material: s}}]}\n"
                                  "interactions: [{friction: 0.5, restitution: 0}]\n"
                                  "grains:\n"
                                  "  under: {generator: lattice, rows: 1, columns: 40, spacing: 0.201, origin: [-3.92, 0.1], radius: 0.1, material: s}\n"
                                  "  over: {generator: lattice, rows: 2, columns: 40, spacing: 0.201, origin: [-3.92, 0.402], radius: 0.1, material: s}\n";

static const char BOUNCE[] = PLANE "  plate: {position: [0, 0.2505], mass: 20, inertia: 20, shapes: [{box: {size: [8.4, 0.1], material: s}}]}\n"
                                   "interactions: [{friction: 0.3, restitution: 0.6}]\n"
                                   "grains:\n"
                                   "  under: {generator: lattice, rows: 1, columns: 40, spacing: 0.201, origin: [-3.92, 0.1], radius: 0.1, material: s}\n"
                                   "  over: {generator: lattice, rows: 2, columns: 40, spacing: 0.201, origin: [-3.92, 0.402], radius: 0.1, material: s}\n";

/* A ram on a slide comes down on disks; its work is the machine's own. */
static const char RAM[] =
    PLANE "interactions: [{friction: 0.5, restitution: 0}]\n"
          "grains: {bed: {generator: lattice, rows: 3, columns: 12, spacing: 0.0505, origin: [-0.28, 0.026], radius: 0.025, material: s}}\n"
          "mechanisms:\n"
          "  press:\n"
          "    bodies: {ram: {mass: 3000 kg, shapes: [{box: {size: [0.6, 0.1], material: s}}]}}\n"
          "    joints: {slide: {type: prismatic, parent: ground, at: [0, 0.25], child: ram, axis: [0, 1], velocity: -2}}\n";

/* A light chain of disks that ropes hold, and a heavy disk that falls on it. */
static const char ROPES[] = PLANE "  left: {kind: fixed, position: [-0.5, 1]}\n"
                                  "  a: {position: [-0.3, 1], shapes: [{disk: {radius: 0.02, material: s}}]}\n"
                                  "  b: {position: [-0.1, 1], shapes: [{disk: {radius: 0.02, material: s}}]}\n"
                                  "  c: {position: [0.1, 1], shapes: [{disk: {radius: 0.02, material: s}}]}\n"
                                  "  d: {position: [0.3, 1], shapes: [{disk: {radius: 0.02, material: s}}]}\n"
                                  "  right: {kind: fixed, position: [0.5, 1]}\n"
                                  "  stone: {position: [0.02, 1.2], velocity: [0, -3], shapes: [{disk: {radius: 0.15, material: s}}]}\n"
                                  "interactions: [{friction: 0.5, restitution: 0}]\n"
                                  "ropes:\n"
                                  "  one: {bodies: [left, a], length: 0.2}\n"
                                  "  two: {bodies: [a, b], length: 0.2}\n"
                                  "  three: {bodies: [b, c], length: 0.2}\n"
                                  "  four: {bodies: [c, d], length: 0.2}\n"
                                  "  five: {bodies: [d, right], length: 0.2}\n";

/* A wall shoves a row of disks with a heavy one at its end. */
static const char WALL[] =
    PLANE "  wall: {kind: imposed, motion: {x: \"-2 m/s * t * t / 1 s\"}, shapes: [{box: {size: [0.1, 4], centre: [2.06, 0], material: s}}]}\n"
          "  heavy: {position: [-2.3, 0.3], shapes: [{box: {size: [0.5, 0.59], material: s}}]}\n"
          "interactions: [{friction: 0.4, restitution: 0}]\n"
          "grains: {row: {generator: lattice, rows: 2, columns: 20, spacing: 0.2005, origin: [-1.9, 0.1], radius: 0.1, material: s}}\n";

/* A plate under and over spheres: more contacts than colours, so it is split; in space. */
static const char SHEET[] = SPACE
    "  plate: {position: [0, 0, 0.2505], mass: 5, inertia_tensor: [1, 1, 1, 0, 0, 0], shapes: [{box: {size: [2.2, 2.2, 0.1], material: s}}]}\n"
    "interactions: [{friction: 0.5, restitution: 0}]\n"
    "grains:\n"
    "  under: {generator: lattice, rows: 10, columns: 10, layers: 1, spacing: 0.201, origin: [-0.9, -0.9, 0.1], radius: 0.1, shape: sphere, material: s}\n"
    "  over: {generator: lattice, rows: 10, columns: 10, layers: 2, spacing: 0.201, origin: [-0.9, -0.9, 0.402], radius: 0.1, shape: sphere, material: s}\n";

static const char RAM3[] = SPACE "interactions: [{friction: 0.5, restitution: 0.2}]\n"
                                 "grains: {bed: {generator: lattice, rows: 6, columns: 6, layers: 3, spacing: 0.0505, origin: [-0.13, -0.13, 0.026], radius: "
                                 "0.025, shape: sphere, material: s}}\n"
                                 "mechanisms:\n"
                                 "  press:\n"
                                 "    bodies: {ram: {mass: 3000 kg, shapes: [{box: {size: [0.4, 0.4, 0.1], material: s}}]}}\n"
                                 "    joints: {slide: {type: prismatic, parent: ground, at: [0, 0, 0.25], child: ram, axis: [0, 0, 1], velocity: -2}}\n";

/* Contacts that are constraints (solve/block.h): of laws with moments, of bodies that joints hold. The rows of these joints do not turn, so that the joints
 * themselves do no work. */
static const char ROLLS[] = PLANE "  plate: {position: [0, 0.2505], mass: 20, inertia: 20, shapes: [{box: {size: [4.4, 0.1], material: s}}]}\n"
                                  "interactions: [{friction: 0.5, restitution: 0, law: rolling, rolling: 10 mm}]\n"
                                  "grains:\n"
                                  "  under: {generator: lattice, rows: 1, columns: 20, spacing: 0.201, origin: [-1.92, 0.1], radius: 0.1, material: s}\n"
                                  "  over: {generator: lattice, rows: 2, columns: 20, spacing: 0.201, origin: [-1.92, 0.402], radius: 0.1, material: s}\n";

static const char ROLLS3[] =
    HEAD "dimension: 3\n"
         "gravity: [0, 0, -9.81]\n"
         "materials: {s: {density: 2000}, t: {density: 2000}}\n"
         "bodies:\n"
         "  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: s}}]}\n"
         "  plate: {position: [0, 0, 0.2505], mass: 5, inertia_tensor: [1, 1, 1, 0, 0, 0], shapes: [{box: {size: [1.2, 1.2, 0.1], material: t}}]}\n"
         "interactions: [{friction: 0.5, restitution: 0, law: rolling, rolling: 10 mm, spinning: 5 mm}, {between: [t, s], friction: 0.5}]\n"
         "grains:\n"
         "  under: {generator: lattice, rows: 5, columns: 5, layers: 1, spacing: 0.201, origin: [-0.4, -0.4, 0.1], radius: 0.1, shape: sphere, material: s}\n"
         "  over: {generator: lattice, rows: 5, columns: 5, layers: 2, spacing: 0.201, origin: [-0.4, -0.4, 0.402], radius: 0.1, shape: sphere, material: s}\n";

/* Two halves of a ram, the one on a slide, the other welded to it. */
static const char GUIDED[] =
    PLANE "  one: {position: [-0.15, 0.26], velocity: [0, -2], mass: 1500 kg, inertia: 500, shapes: [{box: {size: [0.3, 0.1], material: s}}]}\n"
          "  two: {position: [0.15, 0.26], velocity: [0, -2], mass: 1500 kg, inertia: 500, shapes: [{box: {size: [0.3, 0.1], material: s}}]}\n"
          "joints:\n"
          "  slide: {type: prismatic, bodies: [ground, one], axis: [0, 1]}\n"
          "  weld: {type: fixed, bodies: [one, two]}\n"
          "interactions: [{friction: 0.5, restitution: 0}]\n"
          "grains: {bed: {generator: lattice, rows: 3, columns: 12, spacing: 0.0505, origin: [-0.28, 0.026], radius: 0.025, material: s}}\n";

static const char GUIDED3[] =
    SPACE "  one: {position: [-0.1, 0, 0.27], velocity: [0, 0, -2], mass: 1500 kg, inertia_tensor: [100, 100, 100],\n"
          "    shapes: [{box: {size: [0.2, 0.4, 0.1], material: s}}]}\n"
          "  two: {position: [0.1, 0, 0.27], velocity: [0, 0, -2], mass: 1500 kg, inertia_tensor: [100, 100, 100],\n"
          "    shapes: [{box: {size: [0.2, 0.4, 0.1], material: s}}]}\n"
          "joints:\n"
          "  slide: {type: prismatic, bodies: [ground, one], axis: [0, 0, 1]}\n"
          "  weld: {type: fixed, bodies: [one, two]}\n"
          "interactions: [{friction: 0.5, restitution: 0.2}]\n"
          "grains: {bed: {generator: lattice, rows: 6, columns: 6, layers: 3, spacing: 0.0505, origin: [-0.13, -0.13, 0.026], radius: 0.025, shape: sphere, "
          "material: s}}\n";

/* Grains under and over a plate on soil, which is large matter: it says no rows. */
static const char SOIL[] = HEAD "gravity: [0, -9.81]\n"
                                "materials: {s: {density: 2000, thickness: 1}, e: {density: 1800, thickness: 1}}\n"
                                "interactions: [{friction: 0.5, restitution: 0}]\n"
                                "solids:\n"
                                "  soil:\n"
                                "    box: {size: [2.4 m, 40 cm], elements: [24, 4]}\n"
                                "    position: [0, -0.2]\n"
                                "    thickness: 1 m\n"
                                "    material: {density: 1800, young: 2 MPa, poisson: 0.3}\n"
                                "    fixed: [bottom]\n"
                                "    contact: {surface: top, material: e}\n"
                                "bodies:\n"
                                "  plate: {position: [0, 0.2505], velocity: [0, -1], mass: 20, inertia: 20, shapes: [{box: {size: [2.1, 0.1], material: s}}]}\n"
                                "grains:\n"
                                "  under: {generator: lattice, rows: 1, columns: 10, spacing: 0.201, origin: [-0.9, 0.1], radius: 0.1, material: s}\n"
                                "  over: {generator: lattice, rows: 2, columns: 10, spacing: 0.201, origin: [-0.9, 0.402], radius: 0.1, material: s}\n";

static const char SOIL3[] =
    HEAD "dimension: 3\n"
         "gravity: [0, 0, -9.81]\n"
         "materials: {s: {density: 2000}, e: {density: 1800}}\n"
         "interactions: [{friction: 0.5, restitution: 0}]\n"
         "solids:\n"
         "  soil:\n"
         "    box: {size: [1.2 m, 1.2 m, 40 cm], elements: [10, 10, 3]}\n"
         "    position: [0, 0, -0.2]\n"
         "    material: {density: 1800, young: 2 MPa, poisson: 0.3}\n"
         "    fixed: [bottom]\n"
         "    contact: {surface: top, material: e}\n"
         "bodies:\n"
         "  plate: {position: [0, 0, 0.2505], velocity: [0, 0, -1], mass: 5, inertia_tensor: [1, 1, 1, 0, 0, 0], shapes: [{box: {size: [1.1, 1.1, 0.1], "
         "material: s}}]}\n"
         "grains:\n"
         "  under: {generator: lattice, rows: 5, columns: 5, layers: 1, spacing: 0.201, origin: [-0.4, -0.4, 0.1], radius: 0.1, shape: sphere, material: s}\n"
         "  over: {generator: lattice, rows: 5, columns: 5, layers: 2, spacing: 0.201, origin: [-0.4, -0.4, 0.402], radius: 0.1, shape: sphere, material: s}\n";

static double energy(const talus_world *w)
{
    double kinetic, potential;
    talus_world_energy(w, &kinetic, &potential);
    return kinetic + potential;
}

static bool is_named(const talus_world *w, talus_body_id b, const char *name) { return talus_body_find(w, name).index1 == b.index1; }

/* What a wall that moves along x put in over the last step; its x velocity before and after; |I| of all contacts. */
static double work_of_wall(const talus_world *w, double before, double after, double *impulses)
{
    double work = 0;
    *impulses = 0;
    for (int i = 0; i < talus_contact_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        *impulses += fabs(c.impulse[0]) + fabs(c.impulse[1]) + fabs(c.impulse[2]);
        if (talus_world_dimension(w) != 2) continue;
        const double x = c.normal[0] * c.impulse[0] - c.normal[1] * c.impulse[1]; /* on the candidate */
        if (is_named(w, c.antagonist, "wall")) work += x * 0.5 * (before + after);
        if (is_named(w, c.candidate, "wall")) work -= x * 0.5 * (before + after);
    }
    return work;
}

static double moving_mass(const talus_world *w)
{
    double sum = 0;
    for (int i = 0; i < talus_body_count(w); i++) sum += talus_body_mass(w, talus_body_at(w, i));
    return sum;
}

/* A step that solves its law exactly may gain a little, since V⁻ has not felt the forces of the step: with δ the velocities that these make, no more than
 * −½ I·δ − ½ I·W I, which is at most ⅛ m (h g)² for each mass. */
static void never_grows(const char *scene, int sweeps, bool momentum, bool wall)
{
    static const double TOLERANCE = 1e-9, H = 1e-3, G = 9.81;
    char text[8192];
    snprintf(text, sizeof text, "%ssolver: {method: nlgs, tolerance: %g m/s, max_iterations: %d, momentum: %s}\n", scene, TOLERANCE, sweeps,
             momentum ? "true" : "false");
    lab l = open_lab(text, 1);
    const double whole = fabs(energy(l.world)), exact = moving_mass(l.world) * H * G * H * G / 8;
    double now = energy(l.world), impulses;
    int missed = 0;
    for (int i = 0; i < 250; i++) {
        talus_step_report r;
        const double t = talus_world_time(l.world);
        CHECK_OK(talus_world_step(l.world, &r), talus_world_error(l.world));
        missed += !r.converged;
        const double next = energy(l.world), work = work_of_wall(l.world, wall ? -4 * t : 0, wall ? -4 * talus_world_time(l.world) : 0, &impulses);
        const double grown = next - now - work;
        if (!(grown <= 1e-12 * whole + (r.converged ? exact + impulses * TOLERANCE : 0))) {
            TEST_FAIL("%d sweeps, t = %g s: %g J of %g J more (residual %g m/s)", sweeps, t, grown, now, r.residual);
            break;
        }
        now = next;
    }
    CHECK(missed > 10); /* else this shows nothing */
    close_lab(&l);
}

static void few_sweeps(const char *scene, bool wall)
{
    static const int SWEEPS[] = {1, 3, 10};
    for (int i = 0; i < 3; i++) {
        never_grows(scene, SWEEPS[i], true, wall);
        never_grows(scene, SWEEPS[i], false, wall);
    }
}

TEST(plate) { few_sweeps(PLATE, false); }
TEST(bounce) { few_sweeps(BOUNCE, false); }
TEST(ram) { few_sweeps(RAM, false); }
TEST(ropes) { few_sweeps(ROPES, false); }
TEST(moving_wall) { few_sweeps(WALL, true); }
TEST(sheet) { few_sweeps(SHEET, false); }
TEST(ram_in_space) { few_sweeps(RAM3, false); }
TEST(rolls) { few_sweeps(ROLLS, false); }
TEST(rolls_in_space) { few_sweeps(ROLLS3, false); }
TEST(guided) { few_sweeps(GUIDED, false); }
TEST(soil) { few_sweeps(SOIL, false); }
TEST(soil_in_space) { few_sweeps(SOIL3, false); }
TEST(guided_in_space) { few_sweeps(GUIDED3, false); }

/* A rod of 1 kg and 1 m strikes a plane with its lower end: V_n⁺ = −e V_n⁻, and the end sticks or slides at the bound of its friction. Where a blow turns the
 * sliding round that gives energy, with e = 0.9 a quarter of it (theory §5.7), and the run says so. */
TEST(a_blow_that_gives)
{
    static const double E[] = {0.9, 0.3, 0.9, 0.3};
    for (int k = 0; k < 4; k++) {
        const double a = 0.7821068799919862, mu = 0.5, J = 1.0 / 12, v[] = {-0.018180664457791797, -0.8616003052454078}, w = 3.4170190719956874;
        const double x = -0.5 * cos(a), y = -0.5 * sin(a) - 0.005, Vt = v[0] - w * y, Vn = v[1] + w * x; /* the end is met at the rim of its rounding */
        const double Wt = 1 + y * y / J, Wn = 1 + x * x / J, Wx = -x * y / J, wt = -Vt, wn = -(1 + E[k]) * Vn, det = Wt * Wn - Wx * Wx;
        double It = (Wn * wt - Wx * wn) / det, In = (Wt * wn - Wx * wt) / det;
        if (fabs(It) > mu * In) It = copysign(mu, It) * (In = wn / (Wn + copysign(mu, It) * Wx));
        const double gain = It * (Vt + 0.5 * (Wt * It + Wx * In)) + In * (Vn + 0.5 * (Wx * It + Wn * In));
        char text[1000];
        snprintf(text, sizeof text,
                 "time: {end: 1 s, step: 10 us}\nintegrator: {scheme: %s}\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: %g, restitution: "
                 "%g}]\nbodies:\n  g: {kind: fixed, "
                 "material: m, "
                 "shapes: [{half_plane: {point: [0, 0], normal: [0, 1]}}]}\n  b: {position: [0, %.17g], angle: %.17g, velocity: [%.17g, %.17g], "
                 "angular_velocity: %.17g, mass: 1, "
                 "inertia: %.17g, material: m, shapes: [{segment: {from: [-0.5, 0], to: [0.5, 0], radius: 0.005}}]}\nprobes: {e: {energy: kinetic}}\n",
                 k < 2 ? "moreau" : "spook", mu, E[k], 0.5 * sin(a) + 0.005, a, v[0], v[1], w, J);
        lab l = open_lab(text, 1);
        const double before = lab_probe(&l, "e");
        lab_run(&l, 1e-3);
        CHECK_NEAR(lab_probe(&l, "e") - before, gain, 1e-4);
        CHECK((strstr(talus_world_warnings(l.world), "With friction Newton's restitution may") != NULL) == (k % 2 == 0));
        CHECK(k % 2 == 0 ? gain > 0.2 : gain < 0);
        close_lab(&l);
    }
}

/* Round ones gain nothing by friction, and what SPOOK pushes out of an overlap is no blow: nothing is said. */
TEST(blows_that_do_not)
{
    for (int flat = 0; flat < 2; flat++) {
        char text[1000];
        const char *z = flat ? "" : ", 0", *kind = flat ? "disk" : "sphere", *half = flat ? "half_plane" : "half_space";
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 0.2 s, step: 0.5 ms}\ngravity: [0, -9.81%s]\nintegrator: {scheme: spook}\nmaterials: {s: {density: 2700}}\n"
                 "interactions: [{friction: 0.4, restitution: 0.1}]\nbodies:\n  floor: {kind: fixed, shapes: [{%s: {point: [0, 0%s], normal: [0, 1%s], "
                 "material: s}}]}\n  b: {position: [0, 0.1%s], velocity: [0.05, 0%s], shapes: [{%s: {radius: 30 mm, material: s}}]}\n  c: {position: [0.01, "
                 "0.17%s], velocity: [-0.05, 0%s], shapes: [{%s: {radius: 30 mm, material: s}}]}\n",
                 flat ? 2 : 3, z, half, z, z, z, z, kind, z, z, kind);
        lab l = open_lab(text, 1);
        lab_run(&l, 0.2);
        CHECK(!strstr(talus_world_warnings(l.world), "gave"));
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(plate);
    RUN(bounce);
    RUN(ram);
    RUN(ropes);
    RUN(moving_wall);
    RUN(sheet);
    RUN(ram_in_space);
    RUN(rolls);
    RUN(rolls_in_space);
    RUN(guided);
    RUN(guided_in_space);
    RUN(soil);
    RUN(soil_in_space);
    RUN(a_blow_that_gives);
    RUN(blows_that_do_not);
    return TEST_RESULT;
}
