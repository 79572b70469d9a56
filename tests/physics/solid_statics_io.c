/* Solids of scenes at rest, against closed forms, through their probes: uniform stress under tractions and pressure, a bar under its weight, the cantilever. */
#include "solid_text.h"

#include <math.h>

static const double YOUNG = 2e6, SIZE[3] = {0.4, 0.3, 0.5};

/* ---- uniform stress ---------------------------------------------------------------------------------------------------- */

static void put_box(char text[ROOM], int dimension, const char *element, const char *more)
{
    put(text,
        "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nsolids:\n  s:\n    start: settled\n    box: {size: [%g, %g%s], elements: [3, 2%s], at: [0, 0%s], "
        "element: %s}\n%s",
        dimension, SIZE[0], SIZE[1], dimension == 3 ? ", 0.5" : "", dimension == 3 ? ", 4" : "", dimension == 3 ? ", 0" : "", element, more);
}

static void put_probes(char text[ROOM], int dimension, const char *point, const char *held)
{
    static const char *const STRESS[] = {"xx", "yy", "xy", "mean", "von_mises", "zz", "xz", "yz"};
    put(text, "probes:\n");
    for (int i = 0; i < (dimension == 3 ? 8 : 5); i++)
        put(text, "  s_%s: {solid_stress: s, quantity: %s, at: %s}\n", STRESS[i], STRESS[i], dimension == 3 ? "[0.1, 0.05, -0.3]" : "[0.1, -0.2]");
    for (int k = 0; k < dimension; k++) {
        put(text, "  u_%c: {displacement: s, quantity: %c, at: %s}\n", LETTER[k], LETTER[k], point);
        put(text, "  v_%c: {displacement: s, quantity: v%c, at: %s}\n", LETTER[k], LETTER[k], point);
        put(text, "  r_%c: {resultant: s, quantity: %c, on: %s}\n", LETTER[k], LETTER[k], held);
    }
    put(text, "  r_all: {resultant: s, on: [%s]}\n  r_one: {resultant: s}\n", held);
    put(text, "  elastic: {solid_energy: s, quantity: elastic}\n  kinetic: {solid_energy: s}\n");
}

/* Its lower end along `axis` is fixed; the other is pulled by σ and sheared by τ, as are the sides so that they carry the same shear. With ν = 0 nothing
 * strains across, and the stress is uniform: u = σ L/E along the axis and τ L/G, G = E/2, across it. */
static void pulled_and_sheared(int dimension, int axis, const char *element)
{
    static const double SIGMA = 3000;
    static const double TAU[3] = {500, 700, 1100};
    char text[ROOM] = "", point[64];
    put_box(text, dimension, element, "");
    put(text, "    material: {density: 2000, young: 2 MPa, poisson: 0}\n    fixed: %s\n    loads:\n      - {on: %s", side(dimension, axis, 0),
        side(dimension, axis, 1));
    for (int j = 0; j < dimension; j++) put(text, ", %c: %g Pa", LETTER[j], j == axis ? SIGMA : TAU[j]);
    put(text, "}\n");
    for (int j = 0; j < dimension; j++)
        for (int high = 0; high < 2 && j != axis; high++)
            put(text, "      - {on: [%s], %c: %g Pa}\n", side(dimension, j, high), LETTER[axis], high ? TAU[j] : -TAU[j]);
    /* the corner where all coordinates are largest */
    if (dimension == 3) snprintf(point, sizeof point, "[0.2, 0.15, 0]");
    else snprintf(point, sizeof point, "[0.2, 0]");
    put_probes(text, dimension, point, side(dimension, axis, 0));
    lab l = open_lab(text, 1);
    (void)lab_step(&l);
    const double length = SIZE[axis];
    double area = 1, volume = 1, energy = SIGMA * SIGMA / (2 * YOUNG), shear = 0, force = SIGMA * SIGMA;
    for (int k = 0; k < dimension; k++) area *= k == axis ? 1 : SIZE[k], volume *= SIZE[k];
    for (int j = 0; j < dimension; j++) {
        CHECK_CLOSE(lab_number(&l, "u_%c", LETTER[j]), j == axis ? SIGMA * length / YOUNG : 2 * TAU[j] * length / YOUNG, 1e-9);
        CHECK_NEAR(lab_number(&l, "v_%c", LETTER[j]), 0, 1e-12);
        CHECK_CLOSE(lab_number(&l, "r_%c", LETTER[j]), -area * (j == axis ? SIGMA : TAU[j]), 1e-8);
        if (j != axis) energy += TAU[j] * TAU[j] / YOUNG, shear += TAU[j] * TAU[j], force += TAU[j] * TAU[j];
    }
    for (int a = 0; a < dimension; a++)
        for (int b = a; b < dimension; b++) {
            char name[8];
            snprintf(name, sizeof name, "s_%c%c", LETTER[a], LETTER[b]);
            const double expected = a != b ? (a == axis ? TAU[b] : b == axis ? TAU[a] : 0) : a == axis ? SIGMA : 0;
            CHECK_NEAR(lab_probe(&l, name), expected, 1e-8 * SIGMA);
        }
    CHECK_CLOSE(lab_probe(&l, "s_mean"), SIGMA / 3, 1e-8);
    CHECK_CLOSE(lab_probe(&l, "s_von_mises"), sqrt(SIGMA * SIGMA + 3 * shear), 1e-8);
    CHECK_CLOSE(lab_probe(&l, "elastic"), energy * volume, 1e-8);
    CHECK_NEAR(lab_probe(&l, "kinetic"), 0, 1e-15);
    CHECK_CLOSE(lab_probe(&l, "r_all"), area * sqrt(force), 1e-8);
    CHECK_CLOSE(lab_probe(&l, "r_one"), area * sqrt(force), 1e-8); /* nothing but what holds it acts on any other node */
    close_lab(&l);
}

TEST(tractions)
{
    static const char *const PLANE[] = {"quadrilateral4", "triangle3", "triangle6"}, *const SPACE[] = {"hexahedron8", "wedge6", "tetrahedron4",
                                                                                                       "tetrahedron10"};
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 2; axis++) pulled_and_sheared(2, axis, PLANE[i]);
    for (int i = 0; i < 4; i++)
        for (int axis = 0; axis < 3; axis++) pulled_and_sheared(3, axis, SPACE[i]);
}

/* Pressed from all sides that do not roll: −p along all axes; in plane strain −2ν p along z. Each length gives way by p (1 − 2ν)/E, in plane strain (1 + ν)
 * times that. In plane stress by p (1 − ν)/E. */
static void pressed(int dimension, bool stress)
{
    static const double P = 4000, NU = 0.3;
    char text[ROOM] = "";
    put_box(text, dimension, dimension == 3 ? "hexahedron8" : "quadrilateral4",
            dimension == 3 ? ""
            : stress       ? "    plane: stress\n    thickness: 5 cm\n"
                           : "    plane: strain\n");
    put(text, "    material: {density: 2000, young: 2 MPa, poisson: 0.3}\n    fixed:\n");
    for (int k = 0; k < dimension; k++) put(text, "      - {group: %s, along: %c}\n", side(dimension, k, 0), LETTER[k]);
    put(text, "    loads: [{on: [right, top%s], pressure: 4 kPa}]\n", dimension == 3 ? ", back" : "");
    put_probes(text, dimension, dimension == 3 ? "[0.2, 0.15, 0]" : "[0.2, 0]", "bottom");
    lab l = open_lab(text, 1);
    (void)lab_step(&l);
    const double give = dimension == 3 ? 1 - 2 * NU : stress ? 1 - NU : (1 + NU) * (1 - 2 * NU), z = dimension == 3 ? -P : stress ? 0 : -2 * NU * P;
    for (int k = 0; k < dimension; k++) CHECK_CLOSE(lab_number(&l, "u_%c", LETTER[k]), -P * give * SIZE[k] / YOUNG, 1e-9);
    CHECK_CLOSE(lab_probe(&l, "s_xx"), -P, 1e-9);
    CHECK_CLOSE(lab_probe(&l, "s_yy"), -P, 1e-9);
    if (dimension == 3) CHECK_CLOSE(lab_probe(&l, "s_zz"), z, 1e-9);
    CHECK_CLOSE(lab_probe(&l, "s_mean"), (z - 2 * P) / 3, 1e-9);
    CHECK_NEAR(lab_probe(&l, "s_von_mises"), fabs(z + P), 1e-8 * P);
    CHECK_CLOSE(lab_number(&l, "r_%c", LETTER[dimension - 1]), P * SIZE[0] * (dimension == 3 ? SIZE[1] : stress ? 0.05 : 1), 1e-9);
    close_lab(&l);
}

TEST(pressure)
{
    pressed(2, false);
    pressed(2, true);
    pressed(3, false);
}

/* ---- under its weight --------------------------------------------------------------------------------------------------- */

/* A bar that cannot widen stands, of density ρ, under gravity and a force b by volume along the same axis, and by another across it that its rollers take:
 * u(z) = −(ρ g + b)(H z − z²/2)/M, and σ = −(ρ g + b) of what lies above
 * the middle of an element. The lowest of eight layers of equal or geometrically growing thickness, up to four times the highest, is H/8 or
 * H (1 − q)/(1 − q⁸), q⁷ = 1/4. It stays so. */
static void stand(int dimension, bool graded)
{
    static const double WEIGHT = 2000 * 9.81 + 5000, HEIGHT = 0.8, MODULUS = 2e6 * 0.7 / (1.3 * 0.4);
    char text[ROOM] = "";
    const int up = dimension - 1;
    put(text, "dimension: %d\ntime: {end: 1 s, step: 1 ms}\ngravity: %s\nsolids:\n  s:\n    start: settled\n    box: {size: [20 cm, %s], elements: %s%s}\n",
        dimension, dimension == 2 ? "[0, -9.81]" : "[0, 0, -9.81]", dimension == 2 ? "80 cm" : "10 cm, 80 cm", dimension == 2 ? "[1, 8]" : "[1, 1, 8]",
        !graded          ? ""
        : dimension == 2 ? ", grading: {y: 4}"
                         : ", grading: {z: 4}");
    put(text, "    material: {density: 2000, young: 2 MPa, poisson: 0.3}\n    fixed: [bottom, {group: [left, right], along: x}%s]\n",
        dimension == 3 ? ", {group: [front, back], along: y}" : "");
    put(text, "    force: {x: 1 kN/m^3, %s}\n", dimension == 2 ? "y: -5 kN/m^3" : "y: 2 kN/m^3, z: -5 kN/m^3");
    put(text, "probes:\n  top: {displacement: s, quantity: %c, on: top}\n  middle: {displacement: s, quantity: %c, at: %s}\n", LETTER[up], LETTER[up],
        dimension == 2 ? "[0, -0.4]" : "[0, 0, -0.4]");
    put(text,
        "  low: {solid_stress: s, quantity: %c%c, at: %s}\n  r: {resultant: s, quantity: %c, on: bottom}\n  side: {resultant: s, quantity: x, on: [left, "
        "right]}\n",
        LETTER[up], LETTER[up], dimension == 2 ? "[0, -0.75]" : "[0, 0, -0.75]", LETTER[up]);
    put(text, "  kinetic: {solid_energy: s, quantity: kinetic}\n  across: {solid_stress: s, quantity: %s}\n",
        dimension == 2 ? "zz, at: [0, -0.75]" : "yy, at: [0, 0, -0.75]");
    lab l = open_lab(text, 1);
    const double volume = dimension == 2 ? 0.2 * HEIGHT : 0.2 * 0.1 * HEIGHT, shrinks = pow(4, -1.0 / 7);
    const double lowest = graded ? HEIGHT * (1 - shrinks) / (1 - pow(shrinks, 8)) : HEIGHT / 8;
    for (int k = 0; k <= 200; k++) {
        if (k > 0) (void)lab_step(&l);
        CHECK_CLOSE(lab_probe(&l, "top"), -WEIGHT * 0.5 * HEIGHT * HEIGHT / MODULUS, 1e-9);
        if (!graded) CHECK_CLOSE(lab_probe(&l, "middle"), -WEIGHT * (HEIGHT * 0.4 - 0.5 * 0.4 * 0.4) / MODULUS, 1e-9);
        CHECK_CLOSE(lab_probe(&l, "low"), -WEIGHT * (HEIGHT - 0.5 * lowest), 1e-9);
        CHECK_CLOSE(lab_probe(&l, "across"), lab_probe(&l, "low") * 0.3 / 0.7, 1e-9); /* what does not give across, in the plane along z */
        CHECK_NEAR(lab_probe(&l, "kinetic"), 0, 1e-18);
        if (k == 0) continue;
        CHECK_CLOSE(lab_probe(&l, "r"), WEIGHT * volume, 1e-8);
        CHECK_CLOSE(lab_probe(&l, "side"), -1000 * volume, 1e-8);
    }
    close_lab(&l);
}

TEST(weight)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        stand(dimension, false);
        stand(dimension, true);
    }
}

/* ---- the cantilever ------------------------------------------------------------------------------------------------------ */

/* A beam of ν = 0 that does not widen, with n elements along it and one over its height, sheared at its end: P L³/(3EI) + P L/(5/6 G A) by Timoshenko. Enhanced
 * elements bend exactly where the moment is uniform; a piecewise uniform one gives the end 1 − 1/(4n²) of the bending. Plain ones are 1 + (a/b)²/2 too stiff in
 * it, for an element of 2a × 2b (theory §10.1). */
static double bend(int dimension, int n, const char *strain, double *bending, double *shear)
{
    static const double LENGTH = 2, HIGH = 0.2, TAU = 100;
    const int up = dimension - 1;
    char text[ROOM] = "";
    put(text,
        "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nsolids:\n  s:\n    start: settled\n    strain: %s\n    box: {size: [2 m, %s20 cm], elements: [%d, "
        "1%s]}\n",
        dimension, strain, dimension == 3 ? "10 cm, " : "", n, dimension == 3 ? ", 1" : "");
    put(text, "    material: {density: 2000, young: 2 MPa, poisson: 0}\n    fixed: [left%s]\n    loads: [{on: right, %c: 100 Pa}]\n",
        dimension == 2 ? "" : ", {group: [front, back], along: y}", LETTER[up]);
    put(text, "probes: {end: {displacement: s, quantity: %c, on: right}}\n", LETTER[up]);
    lab l = open_lab(text, 1);
    const double end = lab_probe(&l, "end");
    close_lab(&l);
    *bending = TAU * HIGH * LENGTH * LENGTH * LENGTH / (3 * YOUNG * HIGH * HIGH * HIGH / 12);
    *shear = TAU * LENGTH / (5.0 / 6 * 0.5 * YOUNG);
    return end;
}

TEST(cantilever)
{
    double bending, shear;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int n = 10; n <= 20; n += 10) {
            /* One element over the height shears uniformly, A for 5/6 A. */
            const double ratio = 0.5 * (2.0 / n / 0.2) * (2.0 / n / 0.2), part = 1 - 0.25 / (n * n), end = bend(dimension, n, "enhanced", &bending, &shear);
            CHECK_CLOSE(end, bending * part + shear * 5 / 6, 1e-9);
            CHECK_CLOSE(end, bending + shear, 1.0 / (n * n) + shear / 6 / bending);
            CHECK_CLOSE(bend(dimension, n, "auto", &bending, &shear), end, 1e-12);
            CHECK_CLOSE(bend(dimension, n, "plain", &bending, &shear), bending * part / (1 + ratio) + shear * 5 / 6, 1e-9);
            /* Its strain κz along it becomes its deviator, 2/3 of the energy, and shears as before. */
            CHECK_CLOSE(bend(dimension, n, "mean_volume", &bending, &shear), bending * part / (2.0 / 3 + ratio) + shear * 5 / 6, 1e-9);
        }
    }
}

int main(int argc, char **argv)
{
    RUN(tractions);
    RUN(pressure);
    RUN(weight);
    RUN(cantilever);
    return TEST_RESULT;
}
