/* What a scene chooses where there is a default: each choice shows in the motion, as its formula says, in the plane and in space. */
#include "lab.h"

static const double PI = 3.14159265358979323846, G = 9.81;
static const char *const THIRD[] = {"", ", 0"};

static const char *wall(int d) { return d == 2 ? "half_plane" : "half_space"; }
static const char *ball(int d) { return d == 2 ? "disk" : "sphere"; }

/* ---- the step ----------------------------------------------------------------------------------------------------------- */

/* Free fall: with θ the position takes θ of the new velocity and 1 − θ of the old one, y = −½ g t² − (θ − ½) g t h. */
TEST(theta_of_the_scheme)
{
    static const double THETA[] = {0.5, 0.75, 1};
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 3; k++) {
            char text[512];
            snprintf(text, sizeof text,
                     "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 1 s, step: 1 ms}\nintegrator: {scheme: moreau, theta: %g}\n"
                     "bodies: {a: {mass: 1, %s}}\nprobes: {y: {body: a, quantity: y}}\n",
                     d, THIRD[d - 2], THETA[k], d == 2 ? "inertia: 1" : "inertia_tensor: [1, 1, 1]");
            lab l = open_lab(text, 1);
            lab_run(&l, 0.5);
            CHECK_NEAR(lab_probe(&l, "y"), -0.5 * G * 0.25 - (THETA[k] - 0.5) * G * 0.5 * 1e-3, 1e-12);
            close_lab(&l);
        }
}

/* A force that pushes on with 2/s m v: at the start of the step v grows by 1 + 2 h, at its middle by (1 + h)/(1 − h), which is e^2h to the third order. */
TEST(forces_of_the_start_or_the_middle)
{
    for (int d = 2; d <= 3; d++)
        for (int explicitly = 0; explicitly < 2; explicitly++) {
            char text[1024];
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nintegrator: {forces: %s}\nmechanisms: {m: {bodies: {b: {mass: 2 kg, inertia: 1}}, "
                     "joints: {j: {type: prismatic, parent: ground, child: b, velocity: 1 m/s}}, forces: {f: {joint: j, law: 4 N s/m * v}}}}\n"
                     "probes: {v: {joint: j, quantity: velocity}}\n",
                     d, explicitly ? "explicit" : "midpoint");
            lab l = open_lab(text, 1);
            lab_run(&l, 0.5);
            CHECK_NEAR(lab_probe(&l, "v"), explicitly ? pow(1.002, 500) : pow(1.001 / 0.999, 500), 1e-7);
            close_lab(&l);
        }
}

/* ---- joints and motions ------------------------------------------------------------------------------------------------- */

/* Dry friction of 4 N on 2 kg: v falls by 2 m/s²; below a friction velocity of 2 m/s it is viscous, v = v₀ e^−t. */
TEST(friction_velocity_of_a_joint)
{
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 2; k++) {
            char text[1024];
            snprintf(
                text, sizeof text,
                "dimension: %d\ntime: {end: 1 s, step: 0.2 ms}\nmechanisms: {m: {bodies: {b: {mass: 2 kg, inertia: 1}}, joints: {j: {type: prismatic, parent: "
                "ground, child: b, velocity: 0.5 m/s}}, forces: {f: {joint: j, friction: 4 N%s}}}}\nprobes: {v: {joint: j, quantity: velocity}}\n",
                d, k ? ", friction_velocity: 2 m/s" : "");
            lab l = open_lab(text, 1);
            lab_run(&l, 0.2);
            CHECK_NEAR(lab_probe(&l, "v"), k ? 0.5 * exp(-0.2) : 0.1, 1e-6);
            close_lab(&l);
        }
}

/* A table across y whose x is along z; a body that is turned about x; three angles one after the other about the world's axes. */
TEST(axes_of_space)
{
    lab l = open_lab("dimension: 3\ntime: {end: 1 s, step: 1 ms}\n"
                     "bodies: {roll: {kind: imposed, motion: {turn: 2 rad/s * t, axis: [3, 0, 0]}},\n"
                     "         plane: {kind: fixed, orientation: {rpy_deg: [30, 40, 50]}}}\n"
                     "mechanisms: {m: {bodies: {b: {mass: 2 kg, inertia: 1}}, joints: {J: {type: planar, axis: [0, 1, 0], axis2: [0, 0, 1], parent: ground, "
                     "child: b, velocity: {x: 2 m/s, y: 1 m/s}}}}}\n"
                     "probes: {x: {body: b}, y: {body: b, quantity: y}, z: {body: b, quantity: z}, ry: {body: roll, at: [0, 1, 0], quantity: y}, rz: {body: "
                     "roll, at: [0, 1, 0], quantity: z}, w: {body: roll, quantity: wx}, px: {body: plane, at: [0, 0, 1]}, py: {body: plane, at: [0, 0, 1], "
                     "quantity: y}, pz: {body: plane, at: [0, 0, 1], quantity: z}}\n",
                     1);
    lab_run(&l, 0.5);
    CHECK_NEAR(lab_probe(&l, "z"), 2 * 0.5, 1e-9);
    CHECK_NEAR(lab_probe(&l, "x"), 1 * 0.5, 1e-9); /* y × z = x */
    CHECK_NEAR(lab_probe(&l, "y"), 0, 1e-12);
    CHECK_NEAR(lab_probe(&l, "ry"), cos(1), 1e-12);
    CHECK_NEAR(lab_probe(&l, "rz"), sin(1), 1e-12);
    CHECK_NEAR(lab_probe(&l, "w"), 2, 1e-12);
    /* z, rolled by 30°: (0, −sin, cos); pitched by 40°: (cos sin, …, cos cos); yawed by 50° */
    const double r = PI / 6, p = PI * 2 / 9, w = PI * 5 / 18, x = cos(r) * sin(p), y = -sin(r);
    CHECK_NEAR(lab_probe(&l, "px"), x * cos(w) - y * sin(w), 1e-12);
    CHECK_NEAR(lab_probe(&l, "py"), x * sin(w) + y * cos(w), 1e-12);
    CHECK_NEAR(lab_probe(&l, "pz"), cos(r) * cos(p), 1e-12);
    close_lab(&l);
}

/* A prism of four sides has the cylinder's area, (2 a)² = π r²; the rounded length is the same. Of a ball of points a hull keeps as many as it is told. */
TEST(sides_and_corners)
{
    lab l = open_lab("dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\n"
                     "bodies:\n"
                     "  bar: {kind: fixed, position: [9, 0, 0], shapes: [{cylinder: {from: [0, 0, 0], to: [2, 0, 0], radius: 0.1, sides: 4, material: m}}]}\n"
                     "  rock: {kind: fixed, shapes: [{polyhedron: {points: [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [0.1, 0.1, "
                     "0.9]], vertices: 6, material: m}}]}\n"
                     "  floor: {kind: fixed, shapes: [{half_space: {point: [7, 7, -3], normal: [0, 0, 1], material: m}}]}\n"
                     "  ball: {position: [20, 0, -2.89], shapes: [{sphere: {radius: 0.1, material: m}}]}\n"
                     "probes: {z: {body: ball, quantity: z}}\n",
                     1);
    const double middle[3] = {10, 0, 0};
    CHECK_NEAR(talus_body_distance(l.world, talus_body_find(l.world, "bar"), middle, 1), -0.05 * sqrt(PI), 1e-12);
    CHECK(talus_body_corners(l.world, talus_body_find(l.world, "rock"), 0, NULL, 0) == 6);
    lab_run(&l, 0.2);
    CHECK_NEAR(lab_probe(&l, "z"), -2.9, 2e-4);
    close_lab(&l);
}

/* ---- laws ------------------------------------------------------------------------------------------------------------------ */

/* At 1 m/s with steps of 1 mm a ball begins a step 0.4 mm above the floor. By its gap in the middle of the step the contact is struck then, half of the way
 * is gone, and it stays 0.1 mm deep; anticipated, it ends the step at the floor. */
TEST(activation_of_a_contact)
{
    static const char *const WAY[] = {"gap", "anticipated", "auto"};
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 3; k++) {
            char text[1024];
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: 1 ms}\ndrift: {correct: false}\nmaterials: {m: {density: 1000}}\ninteractions: [{activation: %s}]\n"
                     "bodies: {floor: {kind: fixed, shapes: [{%s: {point: [0, 0%s], normal: [0, 1%s], material: m}}]}, b: {position: [0, 0.1104%s], velocity: "
                     "[0, -1%s], shapes: [{%s: {radius: 0.1, material: m}}]}}\nprobes: {y: {body: b, quantity: y}, v: {body: b, quantity: vy}}\n",
                     d, WAY[k], wall(d), THIRD[d - 2], THIRD[d - 2], THIRD[d - 2], THIRD[d - 2], ball(d));
            lab l = open_lab(text, 1);
            lab_run(&l, 0.02);
            CHECK_NEAR(lab_probe(&l, "y"), k == 0 ? 0.1 - 1e-4 : 0.1, 1e-9);
            CHECK_NEAR(lab_probe(&l, "v"), 0, 1e-6);
            close_lab(&l);
        }
}

/* Dropped by 0.5 m a ball comes back to e² of that; where its pair is not enabled, it falls on. */
TEST(restitution_and_pairs_that_pass)
{
    static const char *const LAW[] = {"restitution: 0.6", "restitution: 1", "enabled: false"};
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 3; k++) {
            char text[1024];
            snprintf(text, sizeof text,
                     "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 1 s, step: 0.1 ms}\nmaterials: {m: {density: 1000}}\ninteractions: [{%s}]\n"
                     "bodies: {floor: {kind: fixed, shapes: [{%s: {point: [0, 0%s], normal: [0, 1%s], material: m}}]}, b: {position: [0, 0.6%s], shapes: "
                     "[{%s: {radius: 0.1, material: m}}]}}\nprobes: {y: {body: b, quantity: y}}\n",
                     d, THIRD[d - 2], LAW[k], wall(d), THIRD[d - 2], THIRD[d - 2], THIRD[d - 2], ball(d));
            lab l = open_lab(text, 1);
            const double down = sqrt(2 * 0.5 / G), e = k ? 1 : 0.6;
            lab_run(&l, down * (1 + e));
            const double t = talus_world_time(l.world);
            CHECK_NEAR(lab_probe(&l, "y"), k == 2 ? 0.6 - 0.5 * G * t * t : 0.1 + 0.5 * e * e, k == 2 ? 1e-9 : 2e-3);
            close_lab(&l);
        }
}

/* A damper beside the spring, that push only (Schwager & Pöschel 2007, Granular Matter 9, 465–469): with β = D/2m, ω² = K/m − β² a ball comes back with
 * exp(−β/ω (π − atan(2 β ω/(ω² − β²)))) of its velocity. */
TEST(damper_of_the_penalty_scheme)
{
    lab l = open_lab(
        "time: {end: 1 s, step: 1e-5 s}\nintegrator: {scheme: penalty_rk4}\nmaterials: {m: {density: 1}}\ninteractions: [{stiffness: 1e5 N/m, damping: 200 "
        "N s/m}]\n"
        "bodies: {floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: m}}]}, b: {position: [0, 0.1], velocity: "
        "[0, -2], mass: 2 kg, shapes: [{disk: {radius: 0.1, material: m}}]}}\nprobes: {v: {body: b, quantity: vy}}\n",
        1);
    const double beta = 50, omega = sqrt(5e4 - beta * beta);
    lab_run(&l, 0.05);
    CHECK_CLOSE(lab_probe(&l, "v"), 2 * exp(-beta / omega * (PI - atan2(2 * beta * omega, omega * omega - beta * beta))), 1e-3);
    close_lab(&l);
}

/* A ball in a groove of two walls, 30° and 60° steep: one bears W cos 30° of it, the other W cos 60°; `from` tells them apart. */
TEST(force_from_one_wall)
{
    for (int d = 2; d <= 3; d++) {
        char text[2048];
        const char *const z = THIRD[d - 2];
        snprintf(text, sizeof text,
                 "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 1 s, step: 1 ms}\nsolver: {tolerance: 1e-10}\nmaterials: {m: {density: 1000}}\n"
                 "bodies:\n"
                 "  flat: {kind: fixed, shapes: [{%s: {point: [0, 0%s], normal: [0.5, 0.8660254037844386%s], material: m}}]}\n"
                 "  steep: {kind: fixed, shapes: [{%s: {point: [0, 0%s], normal: [-0.8660254037844386, 0.5%s], material: m}}]}\n"
                 "  b: {position: [-0.03660254037844386, 0.1366025403784439%s], shapes: [{%s: {radius: 0.1, material: m}}]}\n"
                 "probes: {all: {contact_force: b, quantity: magnitude}, flat: {contact_force: b, from: flat, quantity: magnitude}, steep: {contact_force: b, "
                 "from: steep}, up: {contact_force: b, from: steep, quantity: y}}\n",
                 d, z, wall(d), z, z, wall(d), z, z, z, ball(d));
        lab l = open_lab(text, 1);
        lab_run(&l, 0.05);
        const double W = talus_body_mass(l.world, talus_body_find(l.world, "b")) * G;
        CHECK_CLOSE(lab_probe(&l, "all"), W, 1e-6);
        CHECK_CLOSE(lab_probe(&l, "flat"), W * sqrt(0.75), 1e-6);
        CHECK_CLOSE(lab_probe(&l, "steep"), W * 0.5, 1e-6);
        CHECK_CLOSE(lab_probe(&l, "up"), W * 0.25, 1e-6);
        close_lab(&l);
    }
}

/* ---- the solver -------------------------------------------------------------------------------------------------------------- */

/* A beam on three posts, a load of 60 N 0.5 m beside its middle: of all forces that bear it, those of equal springs are P/3 + M x/Σx². */
TEST(least_norm_of_a_beam_on_three_posts)
{
    for (int d = 2; d <= 3; d++) {
        char text[2048];
        const char *const z = THIRD[d - 2];
        snprintf(text, sizeof text,
                 "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 1 s, step: 1 ms}\nsolver: {tolerance: 1e-10, least_norm: true}\nmaterials: {m: {density: "
                 "1000}}\n"
                 "bodies:\n"
                 "  left: {kind: fixed, shapes: [{%s: {centre: [-1, -0.1%s], radius: 0.1, material: m}}]}\n"
                 "  mid: {kind: fixed, shapes: [{%s: {centre: [0, -0.1%s], radius: 0.1, material: m}}]}\n"
                 "  right: {kind: fixed, shapes: [{%s: {centre: [1, -0.1%s], radius: 0.1, material: m}}]}\n"
                 "  beam: {position: [0, 0.05%s], mass: 12 kg, %s, shapes: [{box: {size: [3, 0.1%s], material: m}}]}\n"
                 "loads: {l: {body: beam, at: [0.5, 0%s], y: -60 N}}\n"
                 "probes: {left: {contact_force: beam, quantity: y, from: left}, mid: {contact_force: beam, quantity: y, from: mid}, right: {contact_force: "
                 "beam, quantity: y, from: right}}\n",
                 d, z, ball(d), z, ball(d), z, ball(d), z, z, d == 2 ? "inertia: 9" : "inertia_tensor: [9, 9, 9]", d == 2 ? "" : ", 0.4", z);
        lab l = open_lab(text, 1);
        lab_run(&l, 0.003);
        const double P = 12 * G + 60, M = 30;
        CHECK_CLOSE(lab_probe(&l, "left"), P / 3 - M / 2, 1e-3);
        CHECK_CLOSE(lab_probe(&l, "mid"), P / 3, 1e-3);
        CHECK_CLOSE(lab_probe(&l, "right"), P / 3 + M / 2, 1e-3);
        close_lab(&l);
    }
}

/* A column of forty grains that falls on the floor at 3 m/s: as many sweeps as told, and what is done about a step above its tolerance. */
static talus_status column_step(int d, const char *solver, talus_step_report *report)
{
    char text[1024];
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nsolver: {method: nlgs, tolerance: 1e-12%s}\nmaterials: {m: {density: 1000}}\n"
             "bodies: {floor: {kind: fixed, shapes: [{%s: {point: [0, -0.1%s], normal: [0, 1%s], material: m}}]}}\n"
             "grains: {g: {generator: lattice, rows: 40, columns: 1, spacing: 0.2, radius: 0.1, velocity: [0, -3%s], material: m}}\n",
             d, solver, wall(d), THIRD[d - 2], THIRD[d - 2], THIRD[d - 2]);
    lab l = open_lab(text, 1);
    const talus_status status = talus_world_step(l.world, report);
    if (status != TALUS_OK) CHECK(talus_world_steps(l.world) == 0); /* the state is as it was */
    close_lab(&l);
    return status;
}

TEST(sweeps_and_what_misses_the_tolerance)
{
    for (int d = 2; d <= 3; d++) {
        talus_step_report few = {0}, more = {0}, plain = {0}, fast = {0};
        CHECK(column_step(d, ", max_iterations: 10, unconverged: report", &few) == TALUS_OK);
        CHECK(!few.converged && few.iterations == 10);
        CHECK(column_step(d, ", max_iterations: 10, unconverged: fail", &plain) != TALUS_OK);
        CHECK(column_step(d, ", max_iterations: 10, acceptable: 1e-9 m/s", &more) == TALUS_OK);
        CHECK(!more.converged && more.iterations > 10 && more.iterations <= 40);
        CHECK(column_step(d, ", max_iterations: 100000, momentum: false", &plain) == TALUS_OK);
        CHECK(column_step(d, ", max_iterations: 100000", &fast) == TALUS_OK);
        CHECK(plain.converged && fast.converged && plain.iterations > 2 * fast.iterations); /* n² sweeps against n */
    }
}

int main(int argc, char **argv)
{
    RUN(theta_of_the_scheme);
    RUN(forces_of_the_start_or_the_middle);
    RUN(friction_velocity_of_a_joint);
    RUN(axes_of_space);
    RUN(sides_and_corners);
    RUN(activation_of_a_contact);
    RUN(restitution_and_pairs_that_pass);
    RUN(damper_of_the_penalty_scheme);
    RUN(force_from_one_wall);
    RUN(least_norm_of_a_beam_on_three_posts);
    RUN(sweeps_and_what_misses_the_tolerance);
    return TEST_RESULT;
}
