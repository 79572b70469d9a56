/* Probes of regions against closed forms: stress of a column and of a pressed lattice, fabric, numbers, flow through a plane, a field of velocities. */
#include "lab.h"

static const double g = 9.81, pi = 3.14159265358979323846;

/* Five disks of 1 m on top of each other between two walls that they do not touch. Contact k from the top carries k weights. */
static const char COLUMN[] = "time: {end: 10 s, step: 1 ms}\n"
                             "gravity: [0, -9.81]\n"
                             "solver: {tolerance: 1e-13, max_iterations: 100000}\n"
                             "materials: {stone: {density: 1000}}\n"
                             "bodies: {floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}}\n"
                             "grains: {column: {generator: lattice, rows: 5, columns: 1, spacing: 1 m, origin: [0, 0.5 m], radius: 0.5 m, material: stone}}\n"
                             "probes:\n"
                             "  whole: {stress: column, quantity: yy, region: [[-0.5, 0], [0.5, 5]]}\n"
                             "  mean: {stress: all, region: [[-0.5, 0], [0.5, 5]]}\n"
                             "  across: {stress: all, quantity: xx, region: [[-0.5, 0], [0.5, 5]]}\n"
                             "  each: {stress: column, quantity: yy, region: [[-0.5, 0], [0.5, 5]], cells: [1, 5]}\n"
                             "  thin: {stress: column, quantity: yy, region: [[-0.5, 1.9], [0.5, 2.05]]}\n"
                             "  turned: {stress: column, quantity: yy, region: {box: {size: [5, 1], centre: [0, 2.5], angle: 90 deg}}}\n"
                             "  round: {stress: column, quantity: yy, region: {disk: {centre: [0, 2], radius: 0.25}}}\n"
                             "  up: {fabric: column, quantity: yy}\n"
                             "  side: {fabric: column, quantity: xx}\n";

TEST(stress_of_a_column)
{
    lab l = open_lab(COLUMN, 1);
    lab_run(&l, 0.01);
    const double weight = 1000 * 0.25 * pi * g;
    /* Σ f l: the floor carries 5 weights over half a diameter, contact k < 5 carries k of them over a whole one */
    CHECK_CLOSE(lab_probe(&l, "whole"), weight * (5 * 0.5 + (1 + 2 + 3 + 4)) / 5, 1e-9);
    CHECK_CLOSE(lab_probe(&l, "mean"), 0.5 * weight * 12.5 / 5, 1e-9);
    CHECK_NEAR(lab_probe(&l, "across"), 0, 1e-6);
    for (int k = 1; k <= 5; k++) { /* a cell is a grain: what is above it, and half its own weight */
        char name[16];
        snprintf(name, sizeof name, "each.%d", k);
        CHECK_CLOSE(lab_probe(&l, name), weight * (5 - k + 0.5), 1e-9);
    }
    CHECK_CLOSE(lab_probe(&l, "thin"), 3 * weight, 1e-9); /* only the branch through y = 2 */
    CHECK_CLOSE(lab_probe(&l, "turned"), lab_probe(&l, "whole"), 1e-9);
    CHECK_CLOSE(lab_probe(&l, "round"), 3 * weight * 0.5 / (pi * 0.0625), 1e-9);
    CHECK_NEAR(lab_probe(&l, "up"), 1, 1e-12);
    CHECK_NEAR(lab_probe(&l, "side"), 0, 1e-12);
    close_lab(&l);
}

/* What lies on a floor that goes along with it is pressed as where both are at rest: no shear, whatever the scheme and the speed. */
TEST(stress_of_what_moves)
{
    static const char *const SCHEME[] = {"moreau", "spook", "generalized_alpha"};
    for (int i = 0; i < 12; i++) {
        const bool flat = i < 6;
        const double speed = i % 2 ? 10 : 0, weight = flat ? 1000 * 0.01 * pi * g : 1000 * 4 / 3.0 * pi * 1e-3 * g;
        char text[1400];
        snprintf(text, sizeof text,
                 "dimension: %d\nintegrator: {scheme: %s}\ntime: {end: 1 s, step: 1 ms}\ngravity: [0, %s-9.81]\nsolver: {tolerance: 1e-12}\nmaterials: {s: "
                 "{density: 1000}}\ninteractions: "
                 "[{friction: 0.5}]\nbodies: {floor: {kind: imposed, shapes: [{%s: {point: [0, 0%s], normal: [0, %s1], material: s}}], motion: {x: \"%g "
                 "m/s*t\"}}}\ngrains: {b: {generator: "
                 "list, positions: [[0, %s0.1]], radius: 0.1, material: s, velocity: [%g, 0%s]}}\nprobes:\n  down: {stress: b, quantity: %s, region: [[-5, "
                 "%s0], [5, %s0.2]]}\n  aside: "
                 "{stress: b, quantity: %s, region: [[-5, %s0], [5, %s0.2]]}\n  over: {stress: b, quantity: %s, region: [[-5, %s0], [5, %s0.2]]}\n",
                 flat ? 2 : 3, SCHEME[i % 6 / 2], flat ? "" : "0, ", flat ? "half_plane" : "half_space", flat ? "" : ", 0", flat ? "" : "0, ", speed,
                 flat ? "" : "0, ", speed, flat ? "" : ", 0", flat ? "yy" : "zz", flat ? "" : "-5, ", flat ? "" : "5, ", flat ? "xy" : "xz", flat ? "" : "-5, ",
                 flat ? "" : "5, ", flat ? "yx" : "zx", flat ? "" : "-5, ", flat ? "" : "5, ");
        if (!flat) snprintf(text + strlen(text), sizeof text - strlen(text), "  third: {stress: b, quantity: zy, region: [[-5, -5, 0], [5, 5, 0.2]]}\n");
        lab l = open_lab(text, 1);
        lab_run(&l, 0.05);
        const double volume = flat ? 10 * 0.2 : 10 * 10 * 0.2;
        CHECK_CLOSE(lab_probe(&l, "down"), weight * 0.1 / volume, 1e-3);
        CHECK_NEAR(lab_probe(&l, "aside"), 0, 1e-6 * lab_probe(&l, "down"));
        CHECK_NEAR(lab_probe(&l, "over"), 0, 1e-6 * lab_probe(&l, "down"));
        if (!flat) CHECK_NEAR(lab_probe(&l, "third"), 0, 1e-6 * lab_probe(&l, "down"));
        close_lab(&l);
    }
}

/* Two boxes without friction that hit each other beside their middles and turn: what is f_x l_y is not f_y l_x. Both are by what the hit gave to one of them,
 * and by the way between them when it did. */
TEST(stress_without_balance_of_moments)
{
    for (int d = 2; d <= 3; d++) {
        const char *z = d == 2 ? "" : ", 0";
        char text[1400];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nsolver: {tolerance: 1e-13}\nmaterials: {s: {density: 1000}}\ninteractions: [{friction: 0, "
                 "restitution: 1}]\nbodies:\n  a: "
                 "{position: [0, 0%s], %s, velocity: [1, 0.2%s], shapes: [{box: {size: [0.2, 0.1%s], material: s}}]}\n  b: {position: [0.3, 0.1%s], "
                 "velocity: [-1, 0%s], shapes: "
                 "[{box: {size: [0.1, 0.2%s], material: s}}]}\nprobes: {xy: {stress: all, quantity: xy, region: [[-9, -9%s], [9, 9%s]]}, yx: {stress: all, "
                 "quantity: yx, region: [[-9, "
                 "-9%s], [9, 9%s]]}}\n",
                 d, z, d == 2 ? "angle: 0.4 rad" : "orientation: {axis_angle_deg: [0, 0, 1, 22.9]}", z, d == 2 ? "" : ", 0.1", z, z, d == 2 ? "" : ", 0.1",
                 d == 2 ? "" : ", -9", d == 2 ? "" : ", 9", d == 2 ? "" : ", -9", d == 2 ? "" : ", 9");
        lab l = open_lab(text, 1);
        const talus_body_id a = talus_body_find(l.world, "a"), b = talus_body_find(l.world, "b");
        double before[3] = {0}, after[3], other[3], spin[3], x[3], y[3], q[4], xy = 0;
        for (int k = 0; k < 200 && xy == 0; k++) {
            talus_body_velocity(l.world, a, (double[3]){0, 0, 0}, before, spin);
            lab_step(&l);
            xy = lab_probe(&l, "xy");
        }
        talus_body_velocity(l.world, a, (double[3]){0, 0, 0}, after, spin), talus_body_velocity(l.world, b, (double[3]){0, 0, 0}, other, spin);
        talus_body_pose(l.world, a, x, q), talus_body_pose(l.world, b, y, q);
        const double V = d == 2 ? 18 * 18 : 18 * 18 * 18, m = talus_body_mass(l.world, a), h = 1e-3;
        double f[2], way[2];
        for (int i = 0; i < 2; i++) f[i] = m * (after[i] - before[i]) / h, way[i] = (x[i] - 0.5 * h * after[i]) - (y[i] - 0.5 * h * other[i]);
        CHECK(fabs(f[0]) > 100 && fabs(xy - lab_probe(&l, "yx")) > 0.1 * fabs(xy));
        CHECK_CLOSE(xy, f[0] * way[1] / V, 1e-9);
        CHECK_NEAR(lab_probe(&l, "yx"), f[1] * way[0] / V, 1e-9 * fabs(xy));
        close_lab(&l);
    }
}

/* Eight balls in the corner of three walls, pressed by three plates: 4 kN on 4 m² each way, 8 kN along z. */
#define PLATE(name, position, size)                                                                                                                            \
    "  " name ": {position: " position ", mass: 10 kg, inertia_tensor: [10, 10, 10, 0, 0, 0], shapes: [{box: {size: " size ", material: steel}}]}\n"
static const char CUBE[] =
    "dimension: 3\n"
    "time: {end: 1 s, step: 1 ms}\n"
    "solver: {tolerance: 1e-12, max_iterations: 100000}\n"
    "materials: {stone: {density: 1000}, steel: {}}\n"
    "interactions: [{friction: 0}, {between: [steel, steel], enabled: false}]\n"
    "bodies:\n"
    "  walls: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [1, 0, 0], material: stone}},\n"
    "          {half_space: {point: [0, 0, 0], normal: [0, 1, 0], material: stone}},\n"
    "          {half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: stone}}]}\n" PLATE("x", "[2.1, 1, 1]", "[0.2, 1.8, 1.8]")
        PLATE("y", "[1, 2.1, 1]", "[1.8, 0.2, 1.8]") PLATE(
            "z", "[1, 1, 2.1]", "[1.8, 1.8, 0.2]") "loads: {x: {body: x, x: -4 kN}, y: {body: y, y: -4 kN}, z: {body: z, z: -8 kN}}\n"
                                                   "grains:\n"
                                                   "  balls: {generator: lattice, rows: 2, columns: 2, layers: 2, spacing: 1 m, origin: [0.5, 0.5, 0.5], "
                                                   "radius: 0.5 m, material: stone}\n"
                                                   "probes:\n"
                                                   "  xx: {stress: balls, quantity: xx, region: [[0, 0, 0], [2, 2, 2]]}\n"
                                                   "  zz: {stress: balls, quantity: zz, region: [[0, 0, 0], [2, 2, 2]]}\n"
                                                   "  xy: {stress: balls, quantity: xy, region: [[0, 0, 0], [2, 2, 2]]}\n"
                                                   "  p: {stress: balls, region: [[0.2, 0.3, 0.1], [1.9, 1.8, 2]]}\n"
                                                   "  pipe: {stress: balls, quantity: zz, region: {cylinder: {from: [1, 1, 0], to: [1, 1, 2], radius: 0.8}}}\n"
                                                   "  ball: {stress: balls, quantity: yy, region: {sphere: {centre: [1, 1, 1], radius: 0.75}}}\n"
                                                   "  fx: {fabric: balls, quantity: xx}\n"
                                                   "  fz: {fabric: balls, quantity: zz, region: [[0.1, 0.1, 0.1], [1.9, 1.9, 1.9]]}\n"
                                                   "  fxz: {fabric: balls, quantity: xz}\n";

TEST(stress_of_a_pressed_lattice)
{
    lab l = open_lab(CUBE, 1);
    lab_run(&l, 0.005);
    CHECK_CLOSE(lab_probe(&l, "xx"), 1000.0, 1e-6);
    CHECK_CLOSE(lab_probe(&l, "zz"), 2000.0, 1e-6);
    CHECK_NEAR(lab_probe(&l, "xy"), 0, 1e-6);
    CHECK_CLOSE(lab_probe(&l, "pipe"), 8000 / (pi * 0.64), 1e-6); /* all four chains, however they share the load */
    CHECK_CLOSE(lab_probe(&l, "ball"), 4000 * 2 * sqrt(0.75 * 0.75 - 0.5) / (4 * pi / 3 * 0.75 * 0.75 * 0.75), 1e-6); /* a chord of each */
    /* chains at 0.5 and 1.5 m lie within: every cut across carries all of the force */
    CHECK_CLOSE(lab_probe(&l, "p"), (4000 / (1.5 * 1.9) + 4000 / (1.7 * 1.9) + 8000 / (1.7 * 1.5)) / 3, 1e-6);
    CHECK_NEAR(lab_probe(&l, "fx"), 1.0 / 3, 1e-9);
    CHECK_NEAR(lab_probe(&l, "fz"), 1.0 / 3, 1e-9);
    CHECK_NEAR(lab_probe(&l, "fxz"), 0, 1e-9);
    close_lab(&l);
}

/* A lattice of 4 rows and 6 columns falls through a plane at y = 1 m; another plane rises with a body at 1 m/s. */
static const char RAIN[] = "time: {end: 1 s, step: 1 ms}\n"
                           "gravity: [0, -9.81]\n"
                           "materials: {stone: {density: 1000}}\n"
                           "bodies: {lift: {kind: imposed, motion: {y: 1 m/s * t}}}\n"
                           "grains: {rain: {generator: lattice, rows: 4, columns: 6, spacing: 0.3 m, origin: [0, 1.1 m], radius: 0.1 m, material: stone}}\n"
                           "probes:\n"
                           "  number: {flow: rain, quantity: number, at: [0, 1], normal: [0, -1]}\n"
                           "  mass: {flow: all, quantity: mass, at: [0, 1], normal: [0, -2]}\n"
                           "  up: {flow: rain, quantity: number, at: [0, 1], normal: [0, 1]}\n"
                           "  left: {flow: rain, quantity: number, at: [0, 1], normal: [0, -1], region: [[-0.1, 0], [0.7, 2]]}\n"
                           "  rate: {flow: rain, at: [0, 1], normal: [0, -1], over: 0.25 s}\n"
                           "  lifted: {flow: rain, quantity: number, at: [0, 0.6], normal: [0, -1], frame: lift}\n"
                           "  below: {number: rain, region: [[-1, -9], [9, 1]]}\n"
                           "  heavy: {mass: all, region: [[-1, -9], [9, 1]]}\n";

static int fallen(double t, double plane)
{
    int rows = 0;
    for (int i = 0; i < 4; i++) rows += 1.1 + 0.3 * i - 0.5 * g * t * t <= plane;
    return rows;
}

TEST(flow_of_a_falling_lattice)
{
    lab l = open_lab(RAIN, 1);
    const double grain = 1000 * pi * 0.01;
    for (int step = 1; step <= 600; step++) {
        lab_step(&l);
        const double t = 1e-3 * step;
        const int rows = fallen(t, 1);
        CHECK(lab_probe(&l, "number") == 6 * rows && lab_probe(&l, "up") == -6 * rows && lab_probe(&l, "left") == 3 * rows);
        CHECK(lab_probe(&l, "below") == 6 * rows && lab_probe(&l, "lifted") == 6 * fallen(t, 0.6 + t));
        CHECK_NEAR(lab_probe(&l, "mass"), grain * 6 * rows, 1e-9);
        CHECK_NEAR(lab_probe(&l, "heavy"), grain * 6 * rows, 1e-9);
        const double whole = 0.25 * floor(t / 0.25 + 1e-9);
        CHECK_NEAR(lab_probe(&l, "rate"), whole > 0 ? grain * 6 * (fallen(whole, 1) - fallen(whole - 0.25, 1)) / 0.25 : 0, 1e-6);
    }
    CHECK(lab_probe(&l, "number") == 24);
    close_lab(&l);
}

/* Bodies that turn together about the origin: the mean velocity of a cell is that of the mean place of its bodies. */
TEST(field_of_a_rigid_rotation)
{
    enum { SIDE = 6 };
    static const double omega = 3;
    char text[16384], name[32];
    int at = snprintf(text, sizeof text, "time: {end: 1 s, step: 1 ms}\nmaterials: {stone: {density: 1000}}\nbodies:\n");
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double x = i % SIDE - 2.5, y = i / SIDE - 2.3;
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "  b%d: {position: [%g, %g], velocity: [%.17g, %.17g], mass: %d, shapes: [{disk: {radius: 0.1, material: stone}}]}\n", i, x, y,
                       -omega * y, omega * x, 1 + i % 3);
    }
    snprintf(text + at, sizeof text - (size_t)at,
             "probes:\n  vx: {grains: all, quantity: vx, region: [[-3, -3], [3, 3]], cells: [3, 2]}\n"
             "  vy: {grains: all, quantity: vy, region: [[-3, -3], [3, 3]], cells: [3, 2]}\n"
             "  x: {grains: all, quantity: x, region: [[-3, -3], [3, 3]], cells: [3, 2]}\n"
             "  y: {grains: all, quantity: y, region: [[-3, -3], [3, 3]], cells: [3, 2]}\n"
             "  row: {number: all, region: [[-3, -3], [3, 3]], cells: [6, 1]}\n");
    lab l = open_lab(text, 1);
    for (int cell = 0; cell < 6; cell++) {
        double value[4];
        static const char *const WHAT[] = {"vx", "vy", "x", "y"};
        for (int k = 0; k < 4; k++) {
            snprintf(name, sizeof name, "%s.%d.%d", WHAT[k], cell % 3 + 1, cell / 3 + 1);
            value[k] = lab_probe(&l, name);
        }
        CHECK_NEAR(value[0], -omega * value[3], 1e-12);
        CHECK_NEAR(value[1], omega * value[2], 1e-12);
        CHECK(value[2] > -3 + 2 * (cell % 3) && value[2] < -1 + 2 * (cell % 3));
        snprintf(name, sizeof name, "row.%d", cell + 1);
        CHECK(lab_probe(&l, name) == SIDE);
    }
    close_lab(&l);
}

/* What lies in the face between two cells is in one of them: numbers add up to that of the whole, and the mean of stresses is its stress, weight over area. */
TEST(faces_between_cells)
{
    for (int space = 0; space < 2; space++) {
        char text[2000], name[16];
        snprintf(
            text, sizeof text,
            "dimension: %d\ntime: {end: 0.2 s, step: 1 ms}\ngravity: [0, %s]\nmaterials: {s: {density: 1000%s}}\nbodies: {f: {kind: fixed, shapes: [{%s: "
            "{point: [0, 0%s], normal: [0, %s], material: s}}]}}\ngrains:\n  g: {generator: lattice, origin: [0.125, %s], rows: %d, columns: 7%s, spacing: "
            "0.125, radius: 0.0625, material: s}\nprobes:\n  n: {number: g, region: [%s]}\n  cn: {number: g, region: [%s], cells: [4, %s]}\n"
            "  s: {stress: g, quantity: %s, region: [%s]}\n  cs: {stress: g, quantity: %s, region: [%s], cells: [8, %s]}\n",
            space ? 3 : 2, space ? "0, -9.81" : "-9.81", space ? "" : ", thickness: 10 mm", space ? "half_space" : "half_plane", space ? ", 0" : "",
            space ? "0, 1" : "1", space ? "0.125, 0.0625" : "0.0625", space ? 3 : 4, space ? ", layers: 4" : "",
            space ? "[0, 0, 0], [1, 0.5, 0.5]" : "[0, 0], [1, 0.5]", space ? "[0, 0, 0], [1, 0.5, 0.5]" : "[0, 0], [1, 0.5]", space ? "4, 1" : "1",
            space ? "zz" : "yy", space ? "[0, 0, 0], [1, 0.5, 0.5]" : "[0, 0], [1, 0.5]", space ? "zz" : "yy",
            space ? "[0, 0, 0], [1, 0.5, 0.5]" : "[0, 0], [1, 0.5]", space ? "4, 1" : "1");
        lab l = open_lab(text, 1);
        lab_run(&l, 0.1);
        double number = 0, stress = 0;
        const int across = space ? 4 : 1;
        for (int i = 0; i < 4 * across; i++) {
            snprintf(name, sizeof name, space ? "cn.%d.%d" : "cn.%d", i % 4 + 1, i / 4 + 1);
            number += lab_probe(&l, name);
        }
        for (int i = 0; i < 8 * across; i++) {
            snprintf(name, sizeof name, space ? "cs.%d.%d" : "cs.%d", i % 8 + 1, i / 8 + 1);
            stress += lab_probe(&l, name) / (8 * across);
        }
        const double r = 0.0625, weight = space ? 9810 * 4 * pi / 3 * r * r * r : 98.1 * pi * r * r, columns = space ? 21 : 7;
        CHECK_NEAR(lab_probe(&l, "n"), 4 * columns, 0);
        CHECK_NEAR(number, 4 * columns, 0);
        /* under the centres of the grains of each layer the weight of those above: 4, 3, 2, 1, of the lowest half a way more */
        CHECK_CLOSE(lab_probe(&l, "s"), columns * weight * (4 * r + (3 + 2 + 1) * 2 * r) / (space ? 0.25 : 0.5), 1e-6);
        CHECK_CLOSE(stress, lab_probe(&l, "s"), 1e-9);
        close_lab(&l);
    }
}

/* In a periodic direction the upper face of the last cell is the lower one of the first, and so it is of a region that is as long as the period. */
TEST(faces_of_the_period)
{
    for (int d = 2; d <= 3; d++) {
        const char *z = d == 2 ? "" : ", 0.5";
        char text[1500];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\nperiodic: {x: [0, 1]}\ngrains: {g: {generator: list, "
                 "positions: [[0, 0.5%s], "
                 "[0.25, 0.5%s], [0.5, 0.5%s]], radius: 0.05, material: m}}\nprobes:\n  w: {number: g, region: [[0, 0%s], [1, 1%s]]}\n  c: {number: g, region: "
                 "[[0, 0%s], [1, "
                 "1%s]], cells: [2, 1%s]}\n  beyond: {number: g, region: [[0.25, 0%s], [1.25, 1%s]], cells: [4, 1%s]}\n",
                 d, z, z, z, d == 2 ? "" : ", 0", d == 2 ? "" : ", 1", d == 2 ? "" : ", 0", d == 2 ? "" : ", 1", d == 2 ? "" : ", 1", d == 2 ? "" : ", 0",
                 d == 2 ? "" : ", 1", d == 2 ? "" : ", 1");
        lab l = open_lab(text, 1);
        CHECK(lab_probe(&l, "w") == 3 && lab_probe(&l, "c.1") == 2 && lab_probe(&l, "c.2") == 1);
        CHECK(lab_probe(&l, "beyond.1") == 1 && lab_probe(&l, "beyond.2") == 1 && lab_probe(&l, "beyond.3") == 0 && lab_probe(&l, "beyond.4") == 1);
        close_lab(&l);
    }
}

/* A lattice of 7 × 7 × 7 balls, a metre apart about the origin; the test counts its points for itself. */
TEST(numbers_in_regions_of_space)
{
    static const char TEXT[] =
        "dimension: 3\n"
        "time: {end: 1 s}\n"
        "materials: {stone: {density: 1000}}\n"
        "bodies: {raft: {kind: fixed, position: [1, 0.3, 0], orientation: {axis_angle_deg: [0, 0, 1, 30]}}}\n"
        "grains: {balls: {generator: lattice, rows: 7, columns: 7, layers: 7, spacing: 1 m, origin: [-3, -3, -3], radius: 0.3 m, material: stone}}\n"
        "probes:\n"
        "  sphere: {number: balls, region: {sphere: {centre: [0.2, 0, 0.1], radius: 2.4}}}\n"
        "  pipe: {number: balls, region: {cylinder: {from: [-2, -2, -2], to: [2, 2, 2], radius: 1.3}}}\n"
        "  turned: {number: balls, region: {box: {size: [4, 2, 3.3], centre: [0.4, 0.3, 0], orientation: {axis_angle_deg: [0, 0, 1, 30]}}}}\n"
        "  raft: {number: balls, region: [[-1.1, -1.2, -1.3], [2.3, 0.9, 1.4]], frame: raft}\n"
        "  all: {number: balls}\n";
    lab l = open_lab(TEXT, 1);
    int sphere = 0, pipe = 0, turned = 0, raft = 0;
    const double c = cos(pi / 6), s = sin(pi / 6);
    for (int i = 0; i < 343; i++) {
        const double x = i % 7 - 3, y = i / 7 % 7 - 3, z = i / 49 - 3, along = (x + y + z) / sqrt(3), square = x * x + y * y + z * z;
        const double u = c * (x - 0.4) + s * (y - 0.3), v = c * (y - 0.3) - s * (x - 0.4), p = c * (x - 1) + s * (y - 0.3), q = c * (y - 0.3) - s * (x - 1);
        sphere += (x - 0.2) * (x - 0.2) + y * y + (z - 0.1) * (z - 0.1) <= 2.4 * 2.4;
        pipe += fabs(along) <= 2 * sqrt(3) * (1 + 1e-12) && square - along * along <= 1.3 * 1.3;
        turned += fabs(u) <= 2 && fabs(v) <= 1 && fabs(z) <= 1.65;
        raft += p >= -1.1 && p <= 2.3 && q >= -1.2 && q <= 0.9 && z >= -1.3 && z <= 1.4;
    }
    CHECK(sphere > 30 && pipe > 10 && turned > 10 && raft > 10);
    CHECK(lab_probe(&l, "sphere") == sphere && lab_probe(&l, "turned") == turned && lab_probe(&l, "raft") == raft);
    CHECK_NEAR(lab_probe(&l, "pipe"), pipe, 2); /* the two at its ends lie on the border */
    CHECK(lab_probe(&l, "all") == 343);
    close_lab(&l);
}

/* Half of the balls of a cut cell count: the volume of a turned box is exact too. */
TEST(compactness_of_a_turned_box)
{
    static const char TEXT[] = "time: {end: 1 s}\n"
                               "materials: {stone: {density: 1000}}\n"
                               "grains: {one: {generator: list, positions: [[0, 0]], radius: 1 m, material: stone}}\n"
                               "probes:\n"
                               "  half: {compactness: one, region: {box: {size: [4, 4], centre: [1.4142135623730951, 1.4142135623730951], angle: 45 deg}}}\n"
                               "  cells: {compactness: one, region: [[-2, -2], [2, 2]], cells: [2, 1]}\n";
    lab l = open_lab(TEXT, 1);
    CHECK_NEAR(lab_probe(&l, "half"), 0.5 * pi / 16, 1e-12);
    CHECK_NEAR(lab_probe(&l, "cells.1"), 0.5 * pi / 8, 1e-12);
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(stress_of_what_moves);
    RUN(stress_without_balance_of_moments);
    RUN(stress_of_a_column);
    RUN(stress_of_a_pressed_lattice);
    RUN(flow_of_a_falling_lattice);
    RUN(field_of_a_rigid_rotation);
    RUN(faces_between_cells);
    RUN(faces_of_the_period);
    RUN(numbers_in_regions_of_space);
    RUN(compactness_of_a_turned_box);
    return TEST_RESULT;
}
