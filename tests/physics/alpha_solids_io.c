/* Solids under nonsmooth generalized-α, which follows their forces by their own stiffness (theory §4.5): second order, the limit of another scheme, soil on its
 * cone in steps that waves cross many times, and sizes of which nobody could hold or factor a full matrix. */
#include <math.h>

#include "solid_text.h"

static const char *const KIND[] = {"", "    meshfree: {}\n", "    rotations: large\n"};
enum { KINDS = sizeof KIND / sizeof *KIND };

static const char *axes(int dimension, const char *flat, const char *solid) { return dimension == 2 ? flat : solid; }

/* ---- order ------------------------------------------------------------------------------------------------------------------ */

/* A beam that its own weight sets swinging; where its tip is after a quarter of a swing, or so. */
static double swing(int dimension, int kind, const char *scheme, double step)
{
    char text[ROOM] = "";
    put(text, "dimension: %d\ngravity: %s\ntime: {end: 1 s, step: %.9g s}\nintegrator: {scheme: %s}\n", dimension, axes(dimension, "[0, -10]", "[0, 0, -10]"),
        step, scheme);
    put(text, "solids:\n  s:\n    box: {size: %s, elements: %s}\n    fixed: [left]\n", axes(dimension, "[1, 0.2]", "[1, 0.2, 0.2]"),
        axes(dimension, "[10, 2]", "[5, 1, 1]"));
    put(text, "    material: {density: 1000, young: 2 MPa, poisson: 0.3}\n    damping: {stiffness: 1 ms}\n%s", KIND[kind]);
    put(text, "probes: {tip: {displacement: s, on: right, quantity: %s}}\n", axes(dimension, "y", "z"));
    return lab_after(text, 0.128, "tip");
}

TEST(second_order)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int kind = 0; kind < KINDS; kind++) {
            double tip[4];
            for (int i = 0; i < 4; i++) tip[i] = swing(dimension, kind, "generalized_alpha", 0.004 / (1 << i));
            const double ratio = (tip[1] - tip[2]) / (tip[2] - tip[3]), limit = tip[3] + (tip[3] - tip[2]) / 3;
            const double other = swing(dimension, kind, "moreau", 0.0005), finer = swing(dimension, kind, "moreau", 0.00025);
            if (!(ratio > 3.4 && ratio < 4.6)) TEST_FAIL("dimension %d, kind %d: errors fall by %g", dimension, kind, ratio);
            CHECK(fabs(limit) > 0.01);
            CHECK_CLOSE(limit, finer + (finer - other) / 3, 1e-3);
        }
}

/* ---- what flows ------------------------------------------------------------------------------------------------------------- */

static const char *const STRESS[] = {"xx", "yy", "mean", "xy", "zz", "yz", "xz"};
enum { STRESSES = sizeof STRESS / sizeof *STRESS };

/* Pressed on and on, between two sides that are free. A wave crosses the block one and a half times within 5 ms. */
static void press(int dimension, bool meshfree, const char *scheme, const char *step, double q[STRESSES])
{
    char text[ROOM] = "";
    const bool flat = dimension == 2;
    const int count = flat ? 4 : STRESSES;
    put(text, "dimension: %d\ntime: {end: 1 s, step: %s}\nintegrator: {scheme: %s}\n", dimension, step, scheme);
    put(text, "solids:\n  s:\n    box: {size: %s, elements: 2}\n%s", flat ? "[0.1, 0.1]" : "[0.1, 0.1, 0.1]", meshfree ? "    meshfree: {}\n" : "");
    put(text, "    material: {kind: drucker-prager, density: 1000, young: 1 MPa, poisson: 0.3, cohesion: 200 Pa, friction: 30 deg, tension: 100 Pa}\n");
    put(text, "    damping: {mass: 20, stiffness: 0.02 ms}\n    fixed: [{group: left, along: x}, %s]\n",
        flat ? "{group: bottom, along: y}" : "{group: front, along: y}, {group: bottom, along: z}");
    put(text, "    motion: [{group: top, %s: \"-0.3 mm*t/(1 s)\"}]\nprobes:\n", flat ? "y" : "z");
    for (int i = 0; i < count; i++)
        put(text, "  %s: {solid_stress: s, quantity: %s, at: %s}\n", STRESS[i], STRESS[i], flat ? "[0.01, -0.04]" : "[0.01, 0.01, -0.04]");
    lab l = open_lab(text, 1);
    lab_run(&l, 1);
    for (int i = 0; i < STRESSES; i++) q[i] = i < count ? lab_probe(&l, STRESS[i]) : 0;
    close_lab(&l);
}

/* Soil's stress lies on its cone, √J₂ + k I = A, with those of the corners of Mohr and Coulomb's hexagon in compression; in space its strength is
 * 2 c cos φ/(1 − sin φ). Of particles some stress is of what holds their rows: they answer as under another scheme, in shorter steps. */
TEST(soil_yields)
{
    const double sine = sin(acos(-1.0) / 6), cosine = cos(acos(-1.0) / 6), scale = 6 / (sqrt(3) * (3 - sine)), k = scale * sine / 3, A = scale * 200 * cosine;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int meshfree = 0; meshfree < 2; meshfree++) {
            double q[STRESSES], other[STRESSES];
            press(dimension, meshfree, "generalized_alpha", "5 ms", q);
            press(dimension, meshfree, "moreau", "2 ms", other);
            for (int i = 0; i < STRESSES; i++) CHECK_NEAR(q[i], other[i], 1e-3 * fabs(other[dimension == 3 ? 4 : 1]));
            const double mean = q[2], zz = 3 * mean - q[0] - q[1];
            const double squares = (q[0] - mean) * (q[0] - mean) + (q[1] - mean) * (q[1] - mean) + (zz - mean) * (zz - mean);
            if (meshfree) continue;
            CHECK_CLOSE(sqrt(0.5 * squares + q[3] * q[3] + q[5] * q[5] + q[6] * q[6]) + 3 * k * mean, A, 1e-3);
            if (dimension == 3) CHECK_CLOSE(-q[4], 2 * 200 * cosine / (1 - sine), 2e-3);
        }
}

/* ---- many rates ------------------------------------------------------------------------------------------------------------- */

/* A block of hundreds of rates falls onto a floor and comes to rest: the floor carries its weight. A matrix of all pairs of rates would take all that is
 * allowed here. */
static void fall(int dimension, int kind, int elements)
{
    char text[ROOM] = "";
    const bool flat = dimension == 2;
    put(text, "dimension: %d\ngravity: %s\ntime: {end: 9 s, step: 4 ms}\nintegrator: {scheme: generalized_alpha}\nmaterials: {m: {}}\n", dimension,
        axes(dimension, "[0, -10]", "[0, 0, -10]"));
    put(text, "interactions: [{friction: 0.3}]\nbodies: {floor: {kind: fixed, material: m, shapes: [{%s}]}}\n",
        flat ? "half_plane: {point: [0, 0], normal: [0, 1]}" : "half_space: {point: [0, 0, 0], normal: [0, 0, 1]}");
    put(text, "solids:\n  s:\n    box: {size: %s, elements: %d}\n    position: %s\n%s", axes(dimension, "[0.2, 0.2]", "[0.2, 0.2, 0.2]"), elements,
        axes(dimension, "[0, 0.201]", "[0, 0, 0.201]"), KIND[kind]);
    put(text, "    material: {density: 1000, young: 2 MPa, poisson: 0.3}\n    damping: {stiffness: 4 ms}\n    contact: {surface: bottom, material: m}\n");
    put(text, "probes: {f: {contact_force: s, quantity: %s}}\n", axes(dimension, "y", "z"));
    lab l = open_lab(text, 1);
    lab_run(&l, 0.2);
    const double weight = flat ? 400 : 80, rates = dimension * pow(elements + 1, dimension);
    CHECK_CLOSE(lab_probe(&l, "f"), weight, 1e-3);
    CHECK((double)talus_world_bytes(l.world) < 8 * rates * rates);
    close_lab(&l);
}

TEST(a_block_comes_to_rest)
{
    fall(2, 0, 20);
    fall(2, 1, 16);
    fall(2, 2, 16);
    fall(3, 0, 5);
    fall(3, 1, 5);
    fall(3, 2, 5);
}

/* Two dozen blocks that are too stiff for rounding to leave much of a velocity: each is found as it is when it is alone. */
static double stand(int blocks)
{
    char text[ROOM] = "";
    put(text, "gravity: [0, -10]\ntime: {end: 9 s, step: 1 ms}\nintegrator: {scheme: generalized_alpha}\nmaterials: {m: {}}\ninteractions: [{friction: 0.3}]\n"
              "bodies: {floor: {kind: fixed, material: m, shapes: [{half_plane: {point: [0, 0], normal: [0, 1]}}]}}\nsolids:\n");
    for (int i = 0; i < blocks; i++)
        put(text,
            "  s%d:\n    box: {size: [0.2, 0.1], elements: [2, 1]}\n    position: [%g, 0.102]\n    rotations: large\n    contact: {material: m}\n"
            "    material: {density: 1000, young: 1 GPa, poisson: 0.3}\n    damping: {stiffness: 0.1 ms}\n",
            i, 0.4 * i);
    put(text, "probes: {f: {contact_force: floor, quantity: y}}\n");
    lab l = open_lab(text, 1);
    lab_run(&l, 0.15);
    const double force = lab_probe(&l, "f");
    close_lab(&l);
    return force;
}

TEST(many_blocks)
{
    CHECK_CLOSE(stand(1), -200.0, 1e-2);
    CHECK_CLOSE(stand(24), -24 * 200.0, 1e-2);
}

/* ---- rims ------------------------------------------------------------------------------------------------------------------- */

/* A block on a plate that hangs on a spring about its middle, flush with the plate's end: there its nodes go from the plate's face to its edge and back while
 * positions are sought. The spring holds the block's weight at the block's centre. */
TEST(a_block_at_the_end_of_a_plate)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int both = 0; both < 2; both++) {
            char text[ROOM] = "";
            const bool flat = dimension == 2;
            put(text, "dimension: %d\ngravity: %s\ntime: {end: 9 s, step: 2 ms}\nintegrator: {scheme: generalized_alpha}\nmaterials: {m: {}}\n", dimension,
                axes(dimension, "[0, -10]", "[0, 0, -10]"));
            put(text,
                "interactions: [{friction: 0.6}]\nmechanisms:\n  M:\n    bodies: {plate: {mass: 20, inertia: %s, material: m, shapes: [{box: {size: %s}}]}}\n",
                axes(dimension, "1", "[1, 1, 1]"), axes(dimension, "[1, 0.1]", "[1, 1, 0.1]"));
            put(text, "    joints: {j: {type: revolute, parent: ground, child: plate%s}}\n    forces: {k: {joint: j, stiffness: 2e4, damping: 800}}\n",
                flat ? "" : ", axis: [0, 1, 0]");
            put(text, "solids:\n  s:\n    box: {size: %s, elements: %s}\n    position: %s\n    rotations: large\n",
                axes(dimension, "[0.4, 0.2]", "[0.4, 0.3, 0.2]"), axes(dimension, "[4, 2]", "[4, 3, 2]"), axes(dimension, "[0.3, 0.25]", "[0.3, 0, 0.25]"));
            put(text, "    material: {density: 1000, young: 1 MPa, poisson: 0.3}\n    damping: {stiffness: 5 ms}\n    contact: {as: %s, material: m}\n",
                both ? "both" : "nodes");
            put(text, "probes: {j: {joint: j}, x: {displacement: s, on: [top, bottom], quantity: x}}\n");
            lab l = open_lab(text, 1);
            lab_run(&l, 0.25);
            const double weight = flat ? 800 : 240, angle = (flat ? -1 : 1) * weight * (0.3 + lab_probe(&l, "x")) / 2e4;
            CHECK_CLOSE(lab_probe(&l, "j"), angle, 5e-3); /* the probe is of nodes, not of the whole mass */
            close_lab(&l);
        }
}

int main(int argc, char **argv)
{
    RUN(second_order);
    RUN(soil_yields);
    RUN(a_block_comes_to_rest);
    RUN(many_blocks);
    RUN(a_block_at_the_end_of_a_plate);
    return TEST_RESULT;
}
