/* Solids of scenes in motion, against closed forms: waves that leave through absorbing faces, groups that are moved, a force by volume, meshes of files. */
#include "solid_text.h"

#include <math.h>

/* ---- faces that absorb --------------------------------------------------------------------------------------------------- */

static const double RHO = 2000, YOUNG = 5e6, NU = 0.25, HEIGHT = 4, P = 1000, RISE = 0.08, END = 0.6;

static double speed_of(bool shear)
{
    const double modulus = shear ? YOUNG / (2 * (1 + NU)) : YOUNG * (1 - NU) / ((1 + NU) * (1 - 2 * NU));
    return sqrt(modulus / RHO);
}

/* A column of ground without an end: pressed on top, or sheared, with a pressure that rises smoothly to P and stays. */
static lab open_column(int dimension, bool shear, int layers)
{
    char text[ROOM] = "";
    const bool plane = dimension == 2;
    const char up = plane ? 'y' : 'z', axis = shear ? 'x' : up, *sign = shear ? "-" : "";
    put(text, "dimension: %d\ntime: {end: 1 s, step: %.17g s}\nsolids:\n  s:\n    box: {size: [20 cm, %s4 m], elements: [1, %s%d]}\n", dimension,
        0.4 * HEIGHT / layers / speed_of(shear), plane ? "" : "20 cm, ", plane ? "" : "1, ", layers);
    put(text, "    material: {density: 2000 kg/m^3, young: 5 MPa, poisson: 0.25}\n    absorb: bottom\n");
    put(text, "    fixed: [{group: [left, right], along: %c}%s]\n", shear ? up : 'x',
        plane   ? ""
        : shear ? ", {group: [front, back], along: [y, z]}"
                : ", {group: [front, back], along: y}");
    put(text, "    loads: [{on: [top], %s: {table: [[0 s, 0 kPa], [80 ms, %s1 kPa], [2 s, %s1 kPa]], smooth: true}}]\n", shear ? "x" : "pressure", sign, sign);
    put(text, "probes:\n  u: {displacement: s, quantity: %c, on: top}\n  v: {displacement: s, quantity: v%c, on: top}\n", axis, axis);
    put(text, "  r: {resultant: s, quantity: %c, on: bottom}\n", axis);
    return open_lab(text, 1);
}

/* d'Alembert: the top moves with v = P/(ρ c) once the pressure has risen, as long as nothing comes back, which would be after 2L/c. What does is the largest
 * difference from that. Over all the time the top goes ∫p dt/(ρ c), and the foot carries P: both follow from momentum, whatever the mesh is. */
static double returned(int dimension, bool shear, int layers)
{
    lab l = open_column(dimension, shear, layers);
    const double c = speed_of(shear), v = -P / (RHO * c), back = 2 * HEIGHT / c;
    double largest = 0;
    while (talus_world_time(l.world) < END) {
        (void)lab_step(&l);
        if (talus_world_time(l.world) > back) largest = fmax(largest, fabs(lab_probe(&l, "v") / v - 1));
    }
    CHECK_CLOSE(lab_probe(&l, "u"), v * (talus_world_time(l.world) - 0.5 * RISE), 1e-4);
    CHECK_CLOSE(lab_probe(&l, "r"), P * 0.2 * (dimension == 2 ? 1 : 0.2), 1e-3);
    close_lab(&l);
    return largest;
}

TEST(waves_leave)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int shear = 0; shear < 2; shear++) {
            const double coarse = returned(dimension, shear, 20), fine = returned(dimension, shear, 40);
            CHECK(coarse < 0.05);
            CHECK(fine < coarse / 3); /* (k Δx)² */
        }
}

/* ---- what is moved -------------------------------------------------------------------------------------------------------- */

/* Pulled along an axis by a group that moves, until what swings has died out; it slides on rollers at the other end, and its sides are free. */
static void pull(int dimension, int axis)
{
    char text[ROOM] = "", component[8];
    put(text, "dimension: %d\ntime: {end: 400 ms, step: 0.5 ms}\nsolids:\n  s:\n    box: {size: [40 cm, 30 cm%s], elements: 3}\n", dimension,
        dimension == 3 ? ", 20 cm" : "");
    put(text, "    material: {density: 1000, young: 1 MPa, poisson: 0.3}\n    damping: {mass: 300, stiffness: 1 ms}\n    fixed:\n");
    for (int k = 0; k < dimension; k++) put(text, "      - {group: %s, along: %c}\n", side(dimension, k, 0), LETTER[k]);
    put(text, "    motion: [{group: %s, %c: {table: [[0 s, 0 mm], [50 ms, 0.3 mm]], smooth: true}}]\n", side(dimension, axis, 1), LETTER[axis]);
    snprintf(component, sizeof component, "%c%c", LETTER[axis], LETTER[axis]);
    put(text, "probes:\n  s: {solid_stress: s, quantity: %s, at: [0.05, -0.1%s]}\n  r: {resultant: s, on: %s}\n", component, dimension == 3 ? ", -0.1" : "",
        side(dimension, axis, 1));
    lab l = open_lab(text, 1);
    (void)lab_run(&l, 0.4);
    static const double SIZE[2][3] = {{0.4, 0.3, 1}, {0.4, 0.3, 0.2}};
    const double *size = SIZE[dimension - 2], stress = 1e6 * 3e-4 / size[axis] / (dimension == 2 ? 1 - 0.09 : 1);
    CHECK_CLOSE(lab_probe(&l, "s"), stress, 1e-5);
    CHECK_CLOSE(lab_probe(&l, "r"), stress * size[0] * size[1] * size[2] / size[axis], 1e-5);
    close_lab(&l);
}

TEST(moved)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int axis = 0; axis < dimension; axis++) pull(dimension, axis);
}

/* ---- a force by volume ------------------------------------------------------------------------------------------------------ */

/* What grows as a t pushes a free block: v = a t²/(2ρ), which the scheme's mean of both ends has exactly, as momentum has it. */
TEST(force)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[ROOM] = "";
        put(text, "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nsolids:\n  s:\n    box: {size: [20 cm, 10 cm%s], elements: 2}\n", dimension,
            dimension == 3 ? ", 30 cm" : "");
        put(text, "    material: {density: 2000, young: 1 MPa, poisson: 0.3}\n    force: {x: 6 kN/m^3*t/(1 s), y: -2 kN/m^3%s}\nprobes:\n",
            dimension == 3 ? ", z: 3 kN/m^3" : "");
        for (int k = 0; k < dimension; k++)
            put(text, "  v%c: {displacement: s, quantity: v%c, at: [0, -5 cm%s]}\n", LETTER[k], LETTER[k], dimension == 3 ? ", -5 cm" : "");
        put(text, "  kinetic: {solid_energy: s, quantity: kinetic}\n");
        lab l = open_lab(text, 1);
        (void)lab_run(&l, 0.1);
        const double v[3] = {0.5 * 3 * 0.01, -0.1, dimension == 3 ? 0.15 : 0}, mass = 2000 * 0.2 * 0.1 * (dimension == 3 ? 0.3 : 1);
        for (int k = 0; k < dimension; k++) CHECK_CLOSE(lab_number(&l, "v%c", LETTER[k]), v[k], 1e-9);
        CHECK_CLOSE(lab_probe(&l, "kinetic"), 0.5 * mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), 1e-9);
        close_lab(&l);
    }
}

/* ---- meshes of files ---------------------------------------------------------------------------------------------------------- */

/* A planar mesh as Gmsh writes it, in cm: 40 wide, of two squares below (soft) and four triangles above (stiff), 20 high each. */
static const char PLANE[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n0 5 \"corner\"\n1 1 \"floor\"\n1 2 \"roof\"\n2 3 \"soft\"\n2 4 \"stiff\"\n$EndPhysicalNames\n"
    "$Nodes\n9\n1 0 0 0\n2 20 0 0\n3 40 0 0\n4 0 20 0\n5 20 20 0\n6 40 20 0\n7 0 40 0\n8 20 40 0\n9 40 40 0\n$EndNodes\n"
    "$Elements\n11\n1 15 2 5 1 9\n2 1 2 1 1 1 2\n3 1 2 1 1 2 3\n4 1 2 2 2 7 8\n5 1 2 2 2 8 9\n"
    "6 3 2 3 1 1 2 5 4\n7 3 2 3 1 2 3 6 5\n8 2 2 4 2 4 5 8\n9 2 2 4 2 4 8 7\n10 2 2 4 2 5 6 9\n11 2 2 4 2 5 9 8\n$EndElements\n";

/* Two layers, one above the other, with ν = 0 under a pressure: each is shorter by p H/E of its own, and in plane strain without ν that is all there is. */
TEST(layers_of_a_file)
{
    FILE *file = fopen("layers.msh", "w");
    char text[ROOM] = "";
    if (!file || fputs(PLANE, file) < 0 || fclose(file) != 0) abort();
    put(text, "time: {end: 1 s, step: 1 ms}\nsolids:\n  s:\n    mesh: layers.msh\n    scale: 1 cm\n    position: [1 m, 2 m]\n    start: settled\n"
              "    regions:\n      soft: {density: 2000, young: 1 MPa, poisson: 0}\n      stiff: {density: 3000, young: 4 MPa, poisson: 0}\n"
              "    fixed: floor\n    loads: [{on: roof, pressure: 3 kPa}]\n"
              "probes:\n  u: {displacement: s, quantity: y, on: corner}\n  v: {displacement: s, quantity: y, at: [1.1 m, 2.2 m]}\n  r: {resultant: s, "
              "quantity: y, on: floor}\n"
              "  s: {solid_stress: s, quantity: yy, at: [1.1 m, 2.3 m]}\n  e: {solid_energy: s, quantity: elastic}\n");
    lab l = open_lab(text, 1);
    (void)lab_step(&l);
    CHECK_CLOSE(lab_probe(&l, "u"), -3000 * 0.2 * (1 / 1e6 + 1 / 4e6), 1e-10);
    CHECK_CLOSE(lab_probe(&l, "v"), -3000 * 0.2 / 1e6, 1e-10);
    CHECK_CLOSE(lab_probe(&l, "r"), 3000 * 0.4, 1e-9);
    CHECK_CLOSE(lab_probe(&l, "s"), -3000.0, 1e-9);
    CHECK_CLOSE(lab_probe(&l, "e"), 0.5 * 3000 * 3000 * 0.4 * 0.2 * (1 / 1e6 + 1 / 4e6), 1e-10);
    close_lab(&l);
    unlink("layers.msh");
}

/* tests/meshes/block.geo: clay and sand side by side, 1 m³ each, between plates: with ν = 0 each carries E ε. */
TEST(columns_of_a_file)
{
    char text[ROOM] = "";
    put(text,
        "dimension: 3\ntime: {end: 600 ms, step: 1 ms}\nsolids:\n  s:\n    mesh: %s/tests/meshes/block41.msh\n    damping: {mass: 100, stiffness: 1 ms}\n"
        "    regions:\n      clay: {density: 2000, young: 1 MPa, poisson: 0}\n      sand: {density: 2000, young: 3 MPa, poisson: 0}\n    fixed: [bottom]\n",
        TALUS_SOURCE_DIR);
    put(text, "    motion: [{group: top, x: 0 m, y: 0 m, z: {table: [[0 s, 0 mm], [60 ms, -2 mm]], smooth: true}}]\n"
              "probes:\n  clay: {solid_stress: s, quantity: zz, at: [0.5, 0.5, 0.3]}\n  sand: {solid_stress: s, quantity: zz, at: [1.5, 0.6, 0.7]}\n"
              "  middle: {displacement: s, quantity: z, at: [0.5, 0.5, 0.5]}\n  r: {resultant: s, quantity: z, on: bottom}\n");
    lab l = open_lab(text, 1);
    (void)lab_run(&l, 0.6);
    CHECK_CLOSE(lab_probe(&l, "clay"), -1e6 * 2e-3, 1e-6);
    CHECK_CLOSE(lab_probe(&l, "sand"), -3e6 * 2e-3, 1e-6);
    CHECK_CLOSE(lab_probe(&l, "middle"), -1e-3, 1e-6);
    CHECK_CLOSE(lab_probe(&l, "r"), 4e6 * 2e-3, 1e-6);
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(waves_leave);
    RUN(moved);
    RUN(force);
    RUN(layers_of_a_file);
    RUN(columns_of_a_file);
    return TEST_RESULT;
}
