/* Where scenes put shapes and bodies: arrays, orientations, files of triangles and their sides, imposed ways; against places reckoned here. */
#include "lab.h"

static const double PI = 3.14159265358979323846, G = 9.81;

static double gap(const lab *l, const char *body, double x, double y, double z)
{
    const double point[3] = {x, y, z};
    return talus_body_distance(l->world, talus_body_find(l->world, body), point, 1);
}

/* A point about the axis z through (1, 2), the k-th copy: 40° and a shift further each time. */
static void copy_of(int k, double x, double y, const double shift[3], double out[3])
{
    const double a = k * 40 * PI / 180, c = cos(a), s = sin(a);
    out[0] = 1 + c * (x - 1) - s * (y - 2) + k * shift[0];
    out[1] = 2 + s * (x - 1) + c * (y - 2) + k * shift[1];
    out[2] = k * shift[2];
}

/* ---- arrays ---------------------------------------------------------------------------------------------------------- */

/* Pegs of a plate, and bodies, repeated by a turn of 40° and a shift: every one is where the formula says, and turned as far. */
TEST(arrays_turn_and_shift)
{
    static const double SHIFT[3] = {0.1, 0, 0.2};
    for (int d = 2; d <= 3; d++) {
        char text[2048];
        const char *const ball = d == 3 ? "sphere" : "disk", *const third = d == 3 ? ", 0" : "", *const shift = d == 3 ? "[0.1, 0, 0.2]" : "[0.1, 0]";
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\n"
                 "bodies:\n"
                 "  plate: {kind: fixed, shapes: [{repeat: {count: 5, about: [1, 2%s], turn: 40 deg, shift: %s, shapes: [{%s: {centre: [4, 2%s], radius: 0.1, "
                 "material: m}}]}}]}\n"
                 "  pin: {position: [4, 2%s], repeat: {count: 5, about: [1, 2%s], turn: 40 deg, shift: %s}, shapes: [{%s: {centre: [0.5, 0%s], radius: 0.1, "
                 "material: m}}]}\n",
                 d, third, shift, ball, third, third, third, shift, ball, third);
        lab l = open_lab(text, 1);
        CHECK(talus_body_count(l.world) == 6 && talus_body_shape_count(l.world, talus_body_find(l.world, "plate")) == 5);
        for (int k = 0; k < 5; k++) {
            char name[16];
            double at[3], tip[3];
            snprintf(name, sizeof name, "pin.%d", k + 1);
            copy_of(k, 4, 2, SHIFT, at);
            copy_of(k, 4.5, 2, SHIFT, tip);
            if (d == 2) at[2] = tip[2] = 0;
            CHECK_NEAR(gap(&l, "plate", at[0], at[1], at[2]), -0.1, 1e-12);
            CHECK_NEAR(gap(&l, name, tip[0], tip[1], tip[2]), -0.1, 1e-12);
        }
        close_lab(&l);
    }
}

/* A star of six vanes turns with ω, a ball before each. One that was at rest slides outwards along its vane, s̈ = ω² s, with the rate ω d at first, where
 * d is its distance from the vane's middle: s = s₀ cosh ω t + d sinh ω t, and all six alike. */
TEST(balls_before_the_vanes_of_a_star)
{
    const double w = 2, t = 0.5, d = 0.06, s = 0.5 * cosh(w * t) + d * sinh(w * t);
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[2048];
        const bool space = dimension == 3;
        const char *const third = space ? ", 0" : "";
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 0.5 ms}\nsolver: {tolerance: 1e-9, max_iterations: 20000}\nmaterials: {m: {density: 1000}}\n"
                 "bodies:\n"
                 "  star: {kind: imposed, motion: {%s: 2 rad/s * t}, material: m, shapes: [{repeat: {count: 6, about: [0, 0%s], shapes: [{box: {size: "
                 "[1.8, 0.02%s], centre: [1.2, 0%s]}}]}}]}\n"
                 "  ball: {position: [0.5, 0.06%s], repeat: {count: 6, about: [0, 0%s]}, shapes: [{%s: {radius: 0.05, material: m}}]}\n",
                 dimension, space ? "turn" : "angle", third, space ? ", 0.2" : "", third, third, third, space ? "sphere" : "disk");
        lab l = open_lab(text, 1);
        lab_run(&l, t);
        for (int k = 0; k < 6; k++) {
            char name[16];
            double x[3], q[4];
            snprintf(name, sizeof name, "ball.%d", k + 1);
            talus_body_pose(l.world, talus_body_find(l.world, name), x, q);
            const double vane = k * PI / 3 + w * t, along = cos(vane) * x[0] + sin(vane) * x[1], across = cos(vane) * x[1] - sin(vane) * x[0];
            CHECK_NEAR(along, s, 2e-3);
            CHECK_NEAR(across, d, 2e-4);
        }
        close_lab(&l);
    }
}

/* ---- orientation ----------------------------------------------------------------------------------------- */

/* The quaternion (1, 2, 3, 4)/√30 turns v into v + 2 w u × v + 2 u × (u × v); a body and a box in it. */
TEST(orientation_by_quaternion)
{
    lab l = open_lab(
        "dimension: 3\ntime: {end: 1 s}\nmaterials: {m: {density: 1000}}\n"
        "bodies:\n"
        "  a: {kind: fixed, position: [1, 1, 1], orientation: {quat_wxyz: [1, 2, 3, 4]}, shapes: [{sphere: {centre: [1, 0, 0], radius: 0.1, material: m}}]}\n"
        "  b: {kind: fixed, shapes: [{box: {size: [2, 0.2, 0.4], centre: [5, 0, 0], orientation: {quat_wxyz: [1, 2, 3, 4]}, material: m}}]}\n"
        "probes: {x: {body: a, at: [0, 1, 0]}, y: {body: a, quantity: y, at: [0, 1, 0]}, z: {body: a, quantity: z, at: [0, 1, 0]}}\n",
        1);
    /* columns of R: 1 − 2 (y² + z²), 2 (x y + w z), 2 (x z − w y); … over the square 30 */
    static const double X[3] = {1 - 50.0 / 30, 20.0 / 30, 10.0 / 30}, Y[3] = {4.0 / 30, 1 - 40.0 / 30, 28.0 / 30};
    CHECK_NEAR(lab_probe(&l, "x"), 1 + Y[0], 1e-14);
    CHECK_NEAR(lab_probe(&l, "y"), 1 + Y[1], 1e-14);
    CHECK_NEAR(lab_probe(&l, "z"), 1 + Y[2], 1e-14);
    CHECK_NEAR(gap(&l, "a", 1 + X[0], 1 + X[1], 1 + X[2]), -0.1, 1e-14);
    CHECK_NEAR(gap(&l, "b", 5 + 1.25 * X[0], 1.25 * X[1], 1.25 * X[2]), 0.25, 1e-14);
    CHECK_NEAR(gap(&l, "b", 5 + 0.35 * Y[0], 0.35 * Y[1], 0.35 * Y[2]), 0.25, 1e-14);
    close_lab(&l);
}

/* ---- surfaces from files ---------------------------------------------------------------------------------------------- */

/* A cube of 1 around (1/2, 1/2, 1/2) in the test's own folder, its triangles seen counter-clockwise from outside, or, inside out, from within. */
static void write_cube(char path[64], bool inside_out)
{
    static const double CORNER[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    static const int FACE[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                    {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
    snprintf(path, 64, "lab-cube-%d.stl", (int)getpid());
    FILE *out = fopen(path, "w");
    if (!out) abort();
    fprintf(out, "solid cube\n");
    for (int f = 0; f < 12; f++) {
        fprintf(out, "facet normal 0 0 0\nouter loop\n");
        for (int k = 0; k < 3; k++) {
            const double *x = CORNER[FACE[f][inside_out ? 2 - k : k]];
            fprintf(out, "vertex %g %g %g\n", x[0], x[1], x[2]);
        }
        fprintf(out, "endloop\nendfacet\n");
    }
    fprintf(out, "endsolid cube\n");
    fclose(out);
}

/* A ball of 0.1 falls inside of the cube, another one above it. A tool holds the one above on its top; a vessel holds the one inside on its floor. What is
 * on the wrong side of a surface is not held: to a tool its inside is matter, and who is there does not touch it from there. */
TEST(sides_of_a_surface)
{
    static const char *const FACING[] = {"file", "outward", "inward"};
    for (int k = 0; k < 6; k++) {
        char path[64], text[2048];
        const bool flipped = k / 3, tool = k % 3 == 1 || (k % 3 == 0 && !flipped);
        const double r = 0.1;
        write_cube(path, flipped);
        snprintf(text, sizeof text,
                 "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\n"
                 "bodies:\n  cube: {kind: fixed, shapes: [{mesh: {file: %s, facing: %s, scale: 2 m, material: m}}]}\n"
                 "  ball: {position: %s, shapes: [{sphere: {radius: 0.1, material: m}}]}\n"
                 "probes: {z: {body: ball, quantity: z}, push: {contact_force: ball, quantity: z}}\n",
                 path, FACING[k % 3], tool ? "[0.7, 0.9, 2.12]" : "[0.7, 0.9, 0.12]");
        lab l = open_lab(text, 1);
        unlink(path);
        CHECK_NEAR(gap(&l, "cube", 0.7, 0.9, 1.9), tool ? -0.1 : 0.1, 1e-12);
        lab_run(&l, 0.3);
        CHECK_NEAR(lab_probe(&l, "z"), tool ? 2 + r : r, 2 * r / 1000);
        CHECK_CLOSE(lab_probe(&l, "push"), 1000 * 4 * PI / 3 * r * r * r * G, 1e-3);
        close_lab(&l);
    }
}

/* A stone from a file in centimetres: a cube of 30 cm weighs 27 kg, lies at half of its height above the floor, whatever its file counts in. */
TEST(polyhedron_in_its_own_unit)
{
    char path[64], text[2048];
    write_cube(path, false);
    snprintf(text, sizeof text,
             "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: 0.5}]\n"
             "bodies:\n  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: m}}]}\n"
             "  b: {position: [0, 0, 0.01], shapes: [{polyhedron: {file: %s, scale: 30 cm, material: m}}]}\n"
             "probes: {z: {body: b, quantity: z, at: [0, 0, 0.3]}, push: {contact_force: b, quantity: z}}\n",
             path);
    lab l = open_lab(text, 1);
    unlink(path);
    CHECK_CLOSE(talus_body_mass(l.world, talus_body_find(l.world, "b")), 27.0, 1e-6);
    CHECK_NEAR(gap(&l, "b", 0.35, 0.15, 0.1), 0.05, 1e-7);
    lab_run(&l, 0.2);
    CHECK_NEAR(lab_probe(&l, "z"), 0.3, 3e-4);
    CHECK_CLOSE(lab_probe(&l, "push"), 27 * G, 1e-3);
    close_lab(&l);
}

/* ---- imposed ways ------------------------------------------------------------------------------------------------------ */

/* A tray moves along x, y and z at once; what lies on it and sticks goes along, and presses with m (g + z̈). */
TEST(tray_that_moves)
{
    lab l = open_lab(
        "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 1 s, step: 0.5 ms}\nsolver: {tolerance: 1e-8, max_iterations: 10000}\nmaterials: {m: "
        "{density: 1000}}\ninteractions: [{friction: 1}]\n"
        "bodies:\n"
        "  tray: {kind: imposed, position: [1, 2, 0], motion: {x: 0.5 m/s^2 * t^2, y: -0.3 m/s^2 * t^2, z: 1 m/s^2 * t^2}, shapes: [{box: {size: "
        "[1, 1, 0.1], material: m}}]}\n"
        "  load: {position: [1, 2, 0.1], shapes: [{box: {size: [0.3, 0.3, 0.1], material: m}}]}\n"
        "probes: {tx: {body: tray}, ty: {body: tray, quantity: y}, x: {body: load}, y: {body: load, quantity: y}, fx: {contact_force: load, quantity: x}, fy: "
        "{contact_force: load, quantity: y}, fz: {contact_force: load, quantity: z}}\n",
        1);
    lab_run(&l, 0.4);
    CHECK_NEAR(lab_probe(&l, "tx"), 1 + 0.5 * 0.16, 1e-12);
    CHECK_NEAR(lab_probe(&l, "ty"), 2 - 0.3 * 0.16, 1e-12);
    CHECK_NEAR(lab_probe(&l, "x"), 1 + 0.5 * 0.16, 1e-5);
    CHECK_NEAR(lab_probe(&l, "y"), 2 - 0.3 * 0.16, 1e-5);
    CHECK_NEAR(lab_probe(&l, "fx"), 9 * 1, 1e-2);
    CHECK_NEAR(lab_probe(&l, "fy"), -9 * 0.6, 1e-2);
    CHECK_NEAR(lab_probe(&l, "fz"), 9 * (G + 2), 1e-2);
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(arrays_turn_and_shift);
    RUN(balls_before_the_vanes_of_a_star);
    RUN(orientation_by_quaternion);
    RUN(sides_of_a_surface);
    RUN(polyhedron_in_its_own_unit);
    RUN(tray_that_moves);
    return TEST_RESULT;
}
