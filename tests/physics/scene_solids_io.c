/* Solids of finite elements as scenes describe them, against closed forms: free flight, waves in a column, stress between plates, plastic flow. */
#include "lab.h"

#include <math.h>

enum { MOST = 4096 };

typedef struct sample {
    lab l;
    talus_solid_id id;
    talus_solid_mesh mesh;
    double u[MOST][3], v[MOST][3];
} sample;

static void look(sample *s)
{
    if (!talus_solid_get_mesh(s->l.world, s->id, &s->mesh) || s->mesh.nodes > MOST) exit(1);
    talus_solid_motion(s->l.world, s->id, s->u, s->v);
}

static sample *open_sample(const char *text)
{
    sample *s = calloc(1, sizeof *s);
    if (!s) exit(1);
    s->l = open_lab(text, 1);
    s->id = talus_solid_find(s->l.world, "s");
    look(s);
    return s;
}

static void close_sample(sample *s)
{
    close_lab(&s->l);
    free(s);
}

/* ---- free flight: every element, mass and damping by stiffness fall alike --------------------------------------------- */

static void fall(const char *mesh, const char *rest)
{
    char text[2048];
    snprintf(text, sizeof text,
             "%s\ntime: {end: 10 ms, step: 1 ms}\nsolids:\n  s:\n    %s\n    material: {density: 2000 kg/m^3, young: 2 MPa, poisson: 0.3}\n"
             "    damping: {stiffness: 1 ms}\n    %s\n",
             strstr(mesh, "plane") ? "gravity: [0, -9.81 m/s^2]" : "dimension: 3\ngravity: [0, 0, -9.81 m/s^2]", mesh, rest);
    sample *s = open_sample(text);
    lab_run(&s->l, 10e-3);
    look(s);
    const int up = s->mesh.dimension - 1;
    for (int i = 0; i < s->mesh.nodes; i++)
        for (int k = 0; k < s->mesh.dimension; k++) {
            CHECK_NEAR(s->u[i][k], (k == 0 ? 3 * 10e-3 : 0) - (k == up ? 0.5 * 9.81 * 1e-4 : 0), 1e-12);
            CHECK_NEAR(s->v[i][k], (k == 0 ? 3 : 0) - (k == up ? 9.81 * 10e-3 : 0), 1e-9);
        }
    CHECK(strstr(talus_scene_warnings(s->l.scene), "nothing holds the solid 's'"));
    close_sample(s);
}

TEST(free_flight)
{
    static const char *const ELEMENT[] = {"quadrilateral4", "triangle3", "triangle6", "hexahedron8", "wedge6", "tetrahedron4", "tetrahedron10"};
    static const char *const STRAIN[] = {"plain", "mean_volume", "enhanced", "auto"};
    char mesh[512], rest[512];
    for (int i = 0; i < 7; i++) {
        const bool plane = i < 3;
        snprintf(mesh, sizeof mesh, "box: {size: %s, elements: %s, element: %s, grading: {x: 2, y: 3%s}}%s", plane ? "[20 cm, 10 cm]" : "[20 cm, 10 cm, 30 cm]",
                 plane ? "[3, 2]" : "[3, 2, 2]", ELEMENT[i], plane ? "" : ", z: 0.5", plane ? " # plane" : "");
        snprintf(rest, sizeof rest, "strain: %s\n    mass: %s\n    start: unstrained\n    velocity: [3 m/s, 0%s]\n    %s", STRAIN[i % 4],
                 i % 2 ? "consistent" : "lumped", plane ? "" : ", 0",
                 plane ? "plane: strain\n    angle: 30 deg\n    position: [1 m, 2 m]\n    thickness: 2 cm"
                       : "orientation: {rpy_deg: [10, 20, 30]}\n    position: [1 m, 2 m, 3 m]");
        fall(mesh, rest);
    }
    for (int i = 0; i < 4; i++) { /* the words of both dimensions */
        snprintf(rest, sizeof rest, "strain: %s\n    velocity: [3 m/s, 0]\n    mass: %s", STRAIN[i], i % 2 ? "lumped" : "consistent");
        fall("box: {size: [20 cm, 10 cm], elements: 2} # plane", rest);
        snprintf(rest, sizeof rest, "strain: %s\n    velocity: [3 m/s, 0, 0]\n    mass: %s", STRAIN[i], i % 2 ? "lumped" : "consistent");
        fall("box: {size: [20 cm, 10 cm, 30 cm], elements: 2}", rest);
    }
}

/* Masses of quadratic elements that belong to nodes may be nothing, or negative: a block that is held all the same stands with its weight on its foot. */
TEST(held_with_consistent_masses)
{
    for (int kind = 0; kind < 4; kind++) {
        const bool flat = kind % 2 == 0;
        char text[1000];
        snprintf(text, sizeof text,
                 "dimension: %d\ngravity: [0, %s-10]\ntime: {end: 1 s, step: 2 ms}\nsolids:\n  s:\n    box: {size: [1, %s2], elements: [2, %s2], element: %s}\n"
                 "    fixed: [bottom]\n    mass: consistent\n    start: %s\n    rotations: %s\n    material: {kind: elastic, density: 2000, young: 10 MPa, "
                 "poisson: 0.3}\n"
                 "    damping: {mass: 50, stiffness: 2 ms}\nprobes:\n  R: {resultant: s, quantity: %s}\n",
                 flat ? 2 : 3, flat ? "" : "0, ", flat ? "" : "1, ", flat ? "" : "2, ", flat ? "triangle6" : "tetrahedron10",
                 kind / 2 ? "settled" : "unstrained", kind / 2 ? "large" : "small", flat ? "y" : "z");
        lab l = open_lab(text, 1);
        lab_run(&l, 0.8);
        CHECK_NEAR(lab_probe(&l, "R"), 40e3, 40);
        close_lab(&l);
    }
}

/* ---- a column that stands on the ground and is struck ------------------------------------------------------------------ */

enum { LAYERS = 10 };
static const double LENGTH = 2, WAVE = 50; /* c = sqrt(E/ρ) with ν = 0: 5 MPa, 2000 kg/m³ */

/* Amplitude of the lowest mode of a chain of equal layers that is fixed below, with half a mass on top: its nodes move as sin(π z/(2L)) exactly. */
static double amplitude(const sample *s, bool rate)
{
    const int up = s->mesh.dimension - 1;
    double sum = 0, weight = 0;
    for (int i = 0; i < s->mesh.nodes; i++) {
        const double z = s->mesh.position[i][up] + LENGTH, form = sin(0.5 * acos(-1.0) * z / LENGTH), mass = z > LENGTH - 1e-9 ? 0.5 : 1;
        sum += mass * form * (rate ? s->v[i][up] : s->u[i][up]), weight += mass * form * form;
    }
    return sum / weight;
}

/* q'' + 2 ζ ω q' + ω² q = 0 with ω = (2c/Δ) sin(πΔ/(4L)); the scheme's own frequency differs by (ω h)²/12, here 3e-6. */
static double lowest_frequency(void) { return 2 * WAVE * LAYERS / LENGTH * sin(0.25 * acos(-1.0) / LAYERS); }

/* With the consistent mass 1/6, 4/6, 1/6 the same mode is faster, by 1/sqrt(1 − 2/3 sin²(πΔ/(4L))). */
static double consistent_frequency(void)
{
    const double sine = sin(0.25 * acos(-1.0) / LAYERS);
    return lowest_frequency() / sqrt(1 - 2 * sine * sine / 3);
}

static void strike(int dimension, const char *damping, double omega, double zeta)
{
    char text[2048];
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 1 s, step: 0.2 ms}\nsolids:\n  s:\n    box: {size: %s, elements: %s}\n"
             "    material: {kind: elastic, density: 2000 kg/m^3, young: 5 MPa, poisson: 0}\n    %s\n    fixed: %s\n    velocity: %s\n",
             dimension, dimension == 2 ? "[20 cm, 2 m]" : "[20 cm, 20 cm, 2 m]", dimension == 2 ? "[1, 10]" : "[1, 1, 10]", damping,
             dimension == 2 ? "bottom" : "[bottom, {group: [left, right], along: x}, {group: front, along: [y]}]",
             dimension == 2 ? "[0, 1 m/s]" : "[0, 0, 1 m/s]");
    sample *s = open_sample(text);
    const double damped = omega * sqrt(1 - zeta * zeta);
    const double v0 = amplitude(s, true);
    double largest = 0;
    for (int k = 1; k <= 4; k++) {
        const double t = 0.12 * k;
        lab_run(&s->l, t);
        look(s);
        const double expected = v0 / damped * exp(-zeta * omega * t) * sin(damped * t);
        CHECK_NEAR(amplitude(s, false), expected, 5e-4 * v0 / omega);
        largest = fmax(largest, fabs(expected));
    }
    CHECK(largest > 0.1 * v0 / omega);
    close_sample(s);
}

TEST(struck_column)
{
    const double omega = lowest_frequency(), f = 0.5 * omega / acos(-1.0);
    char damping[256];
    for (int dimension = 2; dimension <= 3; dimension++) {
        strike(dimension, "mass: lumped", omega, 0);
        strike(dimension, "mass: consistent", consistent_frequency(), 0);
        strike(dimension, "damping: {mass: 4 1/s, stiffness: 2 ms}", omega, 0.5 * (4 / omega + 2e-3 * omega));
        snprintf(damping, sizeof damping, "damping: {ratio: 7 %%, frequencies: [%.12g Hz, 40 Hz]}", f);
        strike(dimension, damping, omega, 0.07);
        snprintf(damping, sizeof damping, "damping: {ratio: [3 %%, 6 %%], frequencies: [1 Hz, %.12g Hz]}", f);
        strike(dimension, damping, omega, 0.06);
    }
}

/* ---- stress between plates: the upper one moves by a table, then what swings has died out -------------------------------- */

static const double YOUNG = 1e6, POISSON = 0.3, STRAIN = 1e-3;

static sample *press(const char *solid, int dimension)
{
    char text[2048];
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 300 ms, step: 0.5 ms}\nsolids:\n  s:\n    box: {size: %s, elements: %s}\n    damping: {mass: 300, stiffness: 1 ms}\n  "
             "  %s\n",
             dimension, dimension == 2 ? "[40 cm, 20 cm]" : "[40 cm, 30 cm, 20 cm]", dimension == 2 ? "[4, 3]" : "[3, 2, 2]", solid);
    sample *s = open_sample(text);
    lab_run(&s->l, 0.3);
    look(s);
    return s;
}

static void check_stress(const sample *s, int axis, double expected)
{
    double strain[6], stress[6];
    for (int e = 0; e < s->mesh.elements; e++) {
        CHECK(talus_solid_stress(s->l.world, s->id, e, strain, stress));
        CHECK_CLOSE(stress[axis], expected, 1e-6);
    }
}

/* Pulled along y with rollers below and at the left, sides free: E ε in plane stress, E ε/(1 − ν²) in plane strain. */
TEST(pulled_plate)
{
    static const char *const REST =
        "fixed: [{group: bottom, along: y}, {group: left, along: x}]\n    motion: [{group: top, y: {table: [[0 s, 0 mm], [50 ms, 0.2 mm]], smooth: true}}]";
    char solid[1024];
    for (int i = 0; i < 2; i++) {
        snprintf(solid, sizeof solid, "material: {density: 1000 kg/m^3, young: 1 MPa, poisson: 0.3}\n    thickness: 5 cm\n    plane: %s\n    %s",
                 i ? "stress" : "strain", REST);
        sample *s = press(solid, 2);
        const double stress = YOUNG * STRAIN / (i ? 1 : 1 - POISSON * POISSON);
        check_stress(s, 1, stress);
        for (int n = 0; n < s->mesh.nodes; n++)
            if (s->mesh.position[n][1] > -1e-9) CHECK_NEAR(s->u[n][1], 2e-4, 1e-15);
        close_sample(s);
    }
}

/* With rollers on all sides nothing gives way across: M ε with M = E (1 − ν)/((1 + ν)(1 − 2 ν)). */
TEST(confined_block)
{
    sample *s = press("material: {density: 1000 kg/m^3, young: 1 MPa, poisson: 0.3}\n"
                      "    fixed: [{group: [left, right], along: x}, {group: [front, back], along: y}, {group: bottom, along: [x, y, z]}]\n"
                      "    motion: [{group: top, z: {table: [[0 s, 0 mm], [50 ms, -0.2 mm]], smooth: true}}]",
                      3);
    check_stress(s, 2, -YOUNG * STRAIN * (1 - POISSON) / ((1 + POISSON) * (1 - 2 * POISSON)));
    close_sample(s);
}

/* Where stress is in the plane of I = tr σ and √J₂. */
typedef struct place {
    double I, s, volume; /* volume: tr ε */
} place;

static place place_of(const sample *s, int element)
{
    double e[6], t[6];
    CHECK(talus_solid_stress(s->l.world, s->id, element, e, t));
    const double I = t[0] + t[1] + t[2], p = I / 3;
    const double J2 = 0.5 * ((t[0] - p) * (t[0] - p) + (t[1] - p) * (t[1] - p) + (t[2] - p) * (t[2] - p)) + t[3] * t[3] + t[4] * t[4] + t[5] * t[5];
    return (place){I, sqrt(J2), e[0] + e[1] + e[2]};
}

/* Pressed on and on, beyond its strength, stress stays on Drucker and Prager's cone: s + k I = A with those of the corners of Mohr and Coulomb's hexagon in
 * compression. */
TEST(plastic_block)
{
    static const char *const MATERIAL = "material: {kind: drucker-prager, density: 1000 kg/m^3, young: 1 MPa, poisson: 0.3, cohesion: 200 Pa, friction: 30 "
                                        "deg, tension: 100 Pa, cap: %s, cap_ratio: 2, "
                                        "compaction: 10 %%, hardening: 1e-4 1/Pa}\n    %s";
    char solid[2048];
    for (int dimension = 2; dimension <= 3; dimension++) {
        snprintf(solid, sizeof solid, MATERIAL, "1 GPa",
                 dimension == 3 ? "fixed: [{group: left, along: x}, {group: front, along: y}, {group: bottom, along: z}]\n"
                                  "    motion: [{group: top, z: -1 mm*t/(0.6 s)}]"
                                : "fixed: [{group: left, along: x}, {group: bottom, along: y}]\n    motion: [{group: top, y: {table: [[0 s, 0 mm], [50 "
                                  "ms, -1 mm]], smooth: true}}]");
        sample *s = press(solid, dimension);
        const double sine = sin(acos(-1.0) / 6), scale = 6 / (sqrt(3) * (3 - sine)), k = scale * sine / 3, A = scale * 200 * cos(acos(-1.0) / 6);
        for (int e = 0; e < s->mesh.elements; e++) {
            const place at = place_of(s, e);
            /* Stress differs by some per cent within an element, as what damps it does: its mean is inside by the square of that. */
            CHECK_CLOSE(at.s + k * at.I, A, 1e-3);
        }
        close_sample(s);
    }
}

static const char SOIL[] =
    "material: {kind: drucker-prager, density: 1000 kg/m^3, young: 1 MPa, poisson: 0.3, cohesion: 200 Pa, friction: 30 deg, tension: 100 Pa, "
    "cap: 3 kPa, cap_ratio: 2, compaction: 10 %, hardening: 5e-6 1/Pa}\n    ";

/* Pressed on and on between walls it compacts: stress lies on the cap's ellipse, with κ of what the strain has left that is not elastic (theory §7.4). */
TEST(compacted_block)
{
    const double sine = sin(acos(-1.0) / 6), scale = 6 / (sqrt(3) * (3 - sine)), k = scale * sine / 3, A = scale * 200 * cos(acos(-1.0) / 6) / k;
    char solid[2048];
    for (int dimension = 2; dimension <= 3; dimension++) {
        snprintf(solid, sizeof solid, "%sfixed: [{group: [left, right], along: x}%s]\n    motion: [{group: top, %s: -1 mm*t/(0.3 s)}]", SOIL,
                 dimension == 3 ? ", {group: [front, back], along: y}, {group: bottom, along: z}" : ", {group: bottom, along: y}", dimension == 3 ? "z" : "y");
        sample *s = press(solid, dimension);
        for (int e = 0; e < s->mesh.elements; e++) {
            const place at = place_of(s, e);
            const double plastic = at.volume - at.I / (1e6 / (1 - 2 * 0.3)), kappa = 3000 - log(1 + plastic / 0.1) / 5e-6;
            const double b = (A + kappa) / (2 + sqrt(1 + 4 * k * k) / k), a = -kappa + 2 * b;
            CHECK(plastic < -1e-3 && at.I < a);
            CHECK_CLOSE(hypot((at.I - a) / 2, at.s), b, 1e-3);
        }
        close_sample(s);
    }
}

/* Pulled on and on to all sides it tears: stress lies on the circle that touches the cone and passes T = 100 Pa. */
TEST(torn_block)
{
    const double sine = sin(acos(-1.0) / 6), scale = 6 / (sqrt(3) * (3 - sine)), k = scale * sine / 3, A = scale * 200 * cos(acos(-1.0) / 6) / k;
    const double psi = atan(k), C = (100 - A * sin(psi)) / (1 - sin(psi));
    char solid[2048];
    for (int dimension = 2; dimension <= 3; dimension++) {
        const char *last = dimension == 3 ? ", {group: back, y: 0.3 mm*t/(0.3 s)}, {group: top, z" : ", {group: top, y";
        snprintf(solid, sizeof solid,
                 "%sfixed: [{group: left, along: x}%s]\n    motion: [{group: right, x: 0.4 mm*t/(0.3 s)}%s: {table: [[0 "
                 "s, 0 mm], "
                 "[200 ms, 0.2 mm]], smooth: true}}]",
                 SOIL, dimension == 3 ? ", {group: front, along: y}, {group: bottom, along: z}" : ", {group: bottom, along: y}", last);
        sample *s = press(solid, dimension);
        for (int e = 0; e < s->mesh.elements; e++) {
            const place at = place_of(s, e);
            CHECK(at.I > C);
            CHECK_CLOSE(hypot(at.I - C, at.s), 100 - C, 1e-3);
        }
        close_sample(s);
    }
}

/* Two cells along each axis, the first four times as long as the second, across the last but one a quarter: where they meet. */
TEST(layers)
{
    sample *s = open_sample("time: {end: 2 ms, step: 1 ms}\nsolids:\n  s:\n    box: {size: [20 cm, 10 cm], elements: 2, grading: {x: 4, y: 0.25}}\n"
                            "    material: {density: 2000 kg/m^3, young: 2 MPa, poisson: 0.3}\n");
    CHECK_NEAR(s->mesh.position[4][0], -0.1 + 0.16, 1e-12);
    CHECK_NEAR(s->mesh.position[4][1], -0.1 + 0.02, 1e-12);
    close_sample(s);
    s = open_sample(
        "dimension: 3\ntime: {end: 2 ms, step: 1 ms}\nsolids:\n  s:\n    box: {size: [20 cm, 10 cm, 30 cm], elements: 2, grading: {x: 4, y: 0.25, z: 4}}\n"
        "    material: {density: 2000 kg/m^3, young: 2 MPa, poisson: 0.3}\n");
    CHECK_NEAR(s->mesh.position[13][0], -0.1 + 0.16, 1e-12);
    CHECK_NEAR(s->mesh.position[13][1], -0.05 + 0.02, 1e-12);
    CHECK_NEAR(s->mesh.position[13][2], -0.3 + 0.24, 1e-12);
    close_sample(s);
}

/* A box is turned about the origin of its scene's position, its face `top` being where `at` says. */
TEST(places)
{
    sample *s = open_sample("time: {end: 2 ms, step: 1 ms}\nsolids:\n  s:\n    box: {size: [20 cm, 10 cm], elements: 2, at: [1 m, 2 m]}\n    angle: 90 deg\n"
                            "    position: [10 m, 0]\n    material: {density: 2000 kg/m^3, young: 2 MPa, poisson: 0.3}\n");
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    for (int i = 0; i < s->mesh.nodes; i++)
        for (int k = 0; k < 2; k++) low[k] = fmin(low[k], s->mesh.position[i][k]), high[k] = fmax(high[k], s->mesh.position[i][k]);
    CHECK_NEAR(low[0], 10 - 2, 1e-12); /* (x, y) → (10 − y, x) with x from 0.9 to 1.1, y from 1.9 to 2 */
    CHECK_NEAR(high[0], 10 - 1.9, 1e-12);
    CHECK_NEAR(low[1], 0.9, 1e-12);
    CHECK_NEAR(high[1], 1.1, 1e-12);
    close_sample(s);
}

TEST(mass_by_thickness)
{
    sample *s = open_sample("time: {end: 2 ms, step: 1 ms}\nsolids:\n  s:\n    box: {size: [20 cm, 10 cm], elements: 2, at: [1 m, 2 m]}\n    thickness: 2 cm\n"
                            "    material: {density: 2000 kg/m^3, young: 2 MPa, poisson: 0.3}\n    velocity: [3 m/s, 0]\nprobes: {e: {energy: kinetic}}\n");
    CHECK_CLOSE(lab_probe(&s->l, "e"), 0.5 * 9 * 2000 * 0.2 * 0.1 * 0.02, 1e-12);
    close_sample(s);
}

/* ---- meshes of files ----------------------------------------------------------------------------------------------------- */

/* tests/meshes/block.geo in halves of a metre: 0.125 m³ of clay and as much sand fly, turned, each with its density. */
TEST(regions_of_a_file)
{
    char text[8192];
    snprintf(text, sizeof text,
             "dimension: 3\ntime: {end: 2 ms, step: 1 ms}\nsolids:\n  s:\n    mesh: %s/tests/meshes/block41b.msh\n    scale: 50 cm\n"
             "    orientation: {axis_angle_deg: [0, 0, 1, 90]}\n    position: [0, 0, 1 m]\n    velocity: [0, 0, 2 m/s]\n    material: {density: 2000 kg/m^3, "
             "young: 2 MPa, poisson: 0.3}\n"
             "    regions: {clay: {kind: elastic, density: 1000 kg/m^3, young: 1 MPa, poisson: 0.4}}\nprobes: {e: {energy: kinetic}}\n",
             TALUS_SOURCE_DIR);
    sample *s = open_sample(text);
    CHECK_CLOSE(lab_probe(&s->l, "e"), 0.5 * 4 * 0.125 * (1000 + 2000), 1e-12);
    for (int i = 0; i < s->mesh.nodes; i++) { /* x, y became y, −x */
        CHECK(s->mesh.position[i][1] > -1e-9 && s->mesh.position[i][1] < 1 + 1e-9);
        CHECK(s->mesh.position[i][0] > -0.5 - 1e-9 && s->mesh.position[i][0] < 1e-9);
        CHECK(s->mesh.position[i][2] > 1 - 1e-9 && s->mesh.position[i][2] < 1.5 + 1e-9);
    }
    close_sample(s);
}

int main(int argc, char **argv)
{
    RUN(free_flight);
    RUN(held_with_consistent_masses);
    RUN(struck_column);
    RUN(pulled_plate);
    RUN(confined_block);
    RUN(plastic_block);
    RUN(compacted_block);
    RUN(torn_block);
    RUN(layers);
    RUN(places);
    RUN(mass_by_thickness);
    RUN(regions_of_a_file);
    return TEST_RESULT;
}
