/* Solids of scenes at rest, against closed forms, through their probes: uniform stress under tractions and pressure, a bar under its weight, the cantilever. */
#include "solid_text.h"

#include <math.h>

static const double YOUNG = 2e6, SIZE[3] = {0.4, 0.3, 0.5};

/* ---- uniform stress ---------------------------------------------------------------------------------------------------- */

static void put_box(char text[ROOM], int dimension, const char *more)
{
    put(text,
        "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nsolids:\n  s:\n    start: settled\n    box: {size: [%g, %g%s], elements: [3, 2%s], at: [0, 0%s]}\n%s",
        dimension, SIZE[0], SIZE[1], dimension == 3 ? ", 0.5" : "", dimension == 3 ? ", 4" : "", dimension == 3 ? ", 0" : "", more);
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
static void pulled_and_sheared(int dimension, int axis)
{
    static const double SIGMA = 3000;
    static const double TAU[3] = {500, 700, 1100};
    char text[ROOM] = "", point[64];
    put_box(text, dimension, "");
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
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int axis = 0; axis < dimension; axis++) pulled_and_sheared(dimension, axis);
}

/* Pressed from all sides that do not roll: −p along all axes; in plane strain −2ν p along z. Each length gives way by p (1 − 2ν)/E, in plane strain (1 + ν)
 * times that. In plane stress by p (1 − ν)/E. */
static void pressed(int dimension, bool stress)
{
    static const double P = 4000, NU = 0.3;
    char text[ROOM] = "";
    put_box(text, dimension, stress ? "    plane: stress\n" : "");
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
    CHECK_CLOSE(lab_number(&l, "r_%c", LETTER[dimension - 1]), P * SIZE[0] * (dimension == 3 ? SIZE[1] : 1), 1e-9);
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
 * u(z) = −(ρ g + b)(H z − z²/2)/M, and σ = −(ρ g + b) of what lies above. It stays so. */
static void stand(int dimension)
{
    static const double WEIGHT = 2000 * 9.81 + 5000, HEIGHT = 0.8, MODULUS = 2e6 * 0.7 / (1.3 * 0.4);
    char text[ROOM] = "";
    const int up = dimension - 1;
    put(text, "dimension: %d\ntime: {end: 1 s, step: 1 ms}\ngravity: %s\nsolids:\n  s:\n    start: settled\n    box: {size: [20 cm, %s], elements: %s}\n",
        dimension, dimension == 2 ? "[0, -9.81]" : "[0, 0, -9.81]", dimension == 2 ? "80 cm" : "10 cm, 80 cm", dimension == 2 ? "[1, 8]" : "[1, 1, 8]");
    put(text, "    material: {density: 2000, young: 2 MPa, poisson: 0.3}\n    fixed: [bottom, {group: [left, right], along: x}%s]\n",
        dimension == 3 ? ", {group: [front, back], along: y}" : "");
    put(text, "    force: {x: 1 kN/m^3, %s}\n", dimension == 2 ? "y: -5 kN/m^3" : "y: 2 kN/m^3, z: -5 kN/m^3");
    put(text, "probes:\n  top: {displacement: s, quantity: %c, on: top}\n  middle: {displacement: s, quantity: %c, at: %s}\n", LETTER[up], LETTER[up],
        dimension == 2 ? "[0, -0.4]" : "[0, 0, -0.4]");
    put(text,
        "  low: {solid_stress: s, quantity: %c%c, at: %s}\n  r: {resultant: s, quantity: %c, on: bottom}\n  side: {resultant: s, quantity: x, on: [left, "
        "right]}\n",
        LETTER[up], LETTER[up], dimension == 2 ? "[0, -0.75]" : "[0, 0, -0.75]", LETTER[up]);
    put(text, "  kinetic: {solid_energy: s, quantity: kinetic}\n");
    lab l = open_lab(text, 1);
    const double volume = dimension == 2 ? 0.2 * HEIGHT : 0.2 * 0.1 * HEIGHT;
    for (int k = 0; k <= 200; k++) {
        if (k > 0) (void)lab_step(&l);
        CHECK_CLOSE(lab_probe(&l, "top"), -WEIGHT * 0.5 * HEIGHT * HEIGHT / MODULUS, 1e-9);
        CHECK_CLOSE(lab_probe(&l, "middle"), -WEIGHT * (HEIGHT * 0.4 - 0.5 * 0.4 * 0.4) / MODULUS, 1e-9);
        CHECK_CLOSE(lab_probe(&l, "low"), -WEIGHT * 0.75, 1e-9);
        CHECK_NEAR(lab_probe(&l, "kinetic"), 0, 1e-18);
        if (k == 0) continue;
        CHECK_CLOSE(lab_probe(&l, "r"), WEIGHT * volume, 1e-8);
        CHECK_CLOSE(lab_probe(&l, "side"), -1000 * volume, 1e-8);
    }
    close_lab(&l);
}

TEST(weight)
{
    stand(2);
    stand(3);
}

/* ---- the cantilever ------------------------------------------------------------------------------------------------------ */

/* A beam of ν = 0 with n elements along it and one over its height, sheared at its end: P L³/(3EI) + P L/(5/6 G A) by Timoshenko. Enhanced elements bend
 * exactly where the moment is uniform; a piecewise uniform one gives the end 1 − 1/(4n²) of the bending. Plain ones are 1 + (a/b)²/2 too stiff in it, for an
 * element of 2a × 2b (theory §10.1). */
static double bend(int dimension, int n, const char *strain, double *bending, double *shear)
{
    static const double LENGTH = 2, HIGH = 0.2, TAU = 100;
    const int up = dimension - 1;
    char text[ROOM] = "";
    put(text,
        "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nsolids:\n  s:\n    start: settled\n    strain: %s\n    box: {size: [2 m, %s20 cm], elements: [%d, "
        "1%s]}\n",
        dimension, strain, dimension == 3 ? "10 cm, " : "", n, dimension == 3 ? ", 1" : "");
    put(text, "    material: {density: 2000, young: 2 MPa, poisson: 0}\n    fixed: left\n    loads: [{on: right, %c: 100 Pa}]\n%s", LETTER[up],
        dimension == 2 ? "    plane: stress\n" : "");
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
    double bending, shear, error[2];
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 2; i++) {
            const int n = 10 << i;
            const double end = bend(dimension, n, "enhanced", &bending, &shear);
            error[i] = 1 - end / (bending + shear);
            /* One element over the height shears uniformly, A for 5/6 A: a sixth of the shear is missing, which n does not mend. */
            CHECK_NEAR(error[i], (0.25 * bending / (n * n) + shear / 6) / (bending + shear), 0.1 / (n * n));
            const double ratio = 0.5 * (2.0 / n / 0.2) * (2.0 / n / 0.2);
            CHECK_CLOSE(bend(dimension, n, "plain", &bending, &shear), bending * (1 - 0.25 / (n * n)) / (1 + ratio) + shear * 5 / 6, 0.02);
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
