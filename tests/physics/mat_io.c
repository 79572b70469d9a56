/* A mat of planks that pins join, on the ground and under a block that weighs 2000 times as much as each: what sweeps hand on in portions of that ratio, and
 * velocities of bodies solve at once (theory §5.8). In the plane and in space; sticking, sliding; the same by sweeps. */
#include "lab.h"
#include "matter/solid_internal.h"
#include "world/world.h"

enum { PLANKS = 9, STEPS = 16 }; /* in 0.08 s it does not come to an edge of a plank, which would catch it */

/* Sweeps in space take two minutes with sanitizers, and have no line that those in the plane have not. */
#ifdef TL_SANITIZED
enum { SPACE = 2 };
#else
enum { SPACE = 3 };
#endif

enum { FIRM, ELEMENTS, PARTICLES, FINE }; /* the last in the plane alone */

/* The ground is inclined, which gravity says: `along` [m/s²]; `soft`: what it is made of. The block lies on the middle five planks or so. */
static int planks = PLANKS;
static bool pressed; /* by a cylinder of oil, from a head above */
static bool beside;  /* far from it grains lie in a bin, and two planks that a pin joins on the ground */
static bool shelf;   /* beyond these pebbles lie on an elastic block */
static bool alone;   /* without the mat and what lies on it */

enum { ON_SHELF = 8 };

#define SHELF(size, elements, at)                                                                                                                              \
    "solids:\n  shelf: {box: {size: [" size "], elements: [" elements "], at: [" at                                                                            \
    "]}, fixed: [bottom], contact: {surface: top, as: both, material: stone}, "                                                                                \
    "material: {kind: elastic, density: 2000, young: 1 MPa, poisson: 0.25}, damping: {stiffness: 20 ms}}\n"

/* A plank of the mat, or of two that lie by themselves. */
static int add_plank(char *text, size_t size, int dimension, char name, int number, double x)
{
    const bool flat = dimension == 2;
    return snprintf(text, size, "  %c%d: {material: wood, mass: 2 kg, %s, position: [%g, %s0.02 m], shapes: [{box: {size: [0.2 m, %s0.04 m]}}]}\n", name,
                    number, flat ? "inertia: 0.007 kg m^2" : "inertia_tensor: [0.02, 0.007, 0.02]", x, flat ? "" : "0, ", flat ? "" : "0.5 m, ");
}

/* The left, right, front and back wall of the bin; in the plane the first two. */
static int add_wall(char *text, size_t size, int dimension, int number)
{
    static const double AT[4][2] = {{3.95, 0}, {5.45, 0}, {4.7, -0.4}, {4.7, 0.4}};
    const bool flat = dimension == 2, side = number < 2;
    char z[32] = "";
    if (!flat) (void)snprintf(z, sizeof z, "%g, ", AT[number][1]);
    return snprintf(text, size, "  wall%d: {kind: fixed, material: stone, shapes: [{box: {size: [%s, %s1 m], centre: [%g, %s0.5 m]}}]}\n", number,
                    side ? "0.1 m" : "1.6 m",
                    flat   ? ""
                    : side ? "0.7 m, "
                           : "0.1 m, ",
                    AT[number][0], z);
}

/* They are at rest on it but for what it gives. */
static int add_on_shelf(char *text, size_t size, int dimension, int number)
{
    const bool flat = dimension == 2;
    return snprintf(text, size, "  t%d: {material: iron, mass: 5 kg, %s, position: [%g, %s0.53 m], shapes: [{%s: {radius: 0.03 m}}]}\n", number,
                    flat ? "inertia: 2e-3 kg m^2" : "inertia_tensor: [1e-3, 1e-3, 1e-3]", 7 + 0.07 * (number - 3.5), flat ? "" : "0, ",
                    flat ? "disk" : "sphere");
}

static lab mat_with(int dimension, double along, int soft, const char *solver, int pebbles)
{
    static char text[24000];
    static const char *const ground[4][2] = {
        {"bodies:\n  floor: {kind: fixed, material: stone, shapes: [{half_plane: {point: [0, 0], normal: [0, 1]}}]}\n",
         "bodies:\n  floor: {kind: fixed, material: stone, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1]}}]}\n"},
        {"solids:\n  earth: {box: {size: [2.4 m, 0.6 m], elements: [24, 6]}, material: {kind: elastic, density: 2000, young: 5 MPa, poisson: 0.25}, "
         "damping: {stiffness: 10 ms}, fixed: [bottom], contact: {surface: top, as: both, material: stone}}\nbodies:\n",
         "solids:\n  earth: {box: {size: [2.4 m, 0.8 m, 0.6 m], elements: [12, 4, 3]}, material: {kind: elastic, density: 2000, young: 5 MPa, poisson: 0.25}, "
         "damping: {stiffness: 10 ms}, fixed: [bottom], contact: {surface: top, as: both, material: stone}}\nbodies:\n"},
        {"solids:\n  earth: {box: {size: [2.4 m, 0.6 m], elements: [24, 6]}, meshfree: {}, material: {kind: elastic, density: 2000, young: 5 MPa, poisson: "
         "0.25}, "
         "damping: {stiffness: 10 ms}, fixed: [bottom], contact: {surface: top, as: both, material: stone}}\nbodies:\n",
         "solids:\n  earth: {box: {size: [2.4 m, 0.8 m, 0.6 m], elements: [12, 4, 3]}, meshfree: {}, material: {kind: elastic, density: 2000, young: 5 MPa, "
         "poisson: 0.25}, damping: {stiffness: 10 ms}, fixed: [bottom], contact: {surface: top, as: both, material: stone}}\nbodies:\n"},
        {"solids:\n  earth: {box: {size: [2.4 m, 0.6 m], elements: [144, 6]}, material: {kind: elastic, density: 2000, young: 5 MPa, poisson: 0.25}, "
         "damping: {stiffness: 10 ms}, fixed: [bottom], contact: {surface: top, as: both, material: stone}}\nbodies:\n",
         ""}};
    const bool flat = dimension == 2;
    int n = snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 10 s, step: 5 ms}\ngravity: [%g, %s-9.81]\nsolver: {tolerance: 0.1 mm/s%s}\n"
                     "materials: {wood: {density: 1}, stone: {density: 1}, iron: {density: 1}}\n"
                     "interactions:\n  - {between: [iron, iron], friction: 0}\n  - {between: [wood, stone], friction: 0.8}\n  - {between: [wood, iron], "
                     "friction: 0.3}\n  - {between: [wood, wood], enabled: false}\n%s%s",
                     dimension, along, flat ? "" : "0, ", solver,
                     !shelf ? ""
                     : flat ? SHELF("0.8 m, 0.4 m", "16, 8", "7 m, 0.5 m")
                            : SHELF("0.8 m, 0.2 m, 0.4 m", "16, 4, 8", "7 m, 0, 0.5 m"),
                     ground[soft][!flat]);
    if (!alone)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  block: {material: iron, mass: 4 t, %s, position: [0, %s0.29 m], shapes: [{box: {size: [0.95 m, %s0.5 m]}}]}\n",
                      flat ? "inertia: 400 kg m^2" : "inertia_tensor: [300, 400, 500]", flat ? "" : "0, ", flat ? "" : "0.4 m, ");
    if (pressed)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  head: {kind: fixed, material: iron, position: [0, %s0.84 m], shapes: [{box: {size: [0.2 m, %s0.2 m]}}]}\n", flat ? "" : "0, ",
                      flat ? "" : "0.2 m, ");
    for (int i = 0; i < planks && !alone; i++) n += add_plank(text + n, sizeof text - (size_t)n, dimension, 'p', i, 0.2 * (i - planks / 2));
    for (int i = 0; i < 2 && beside; i++) n += add_plank(text + n, sizeof text - (size_t)n, dimension, 'q', i, -4 + 0.2 * i);
    for (int i = 0; i < 2 * (dimension - 1) && beside; i++) n += add_wall(text + n, sizeof text - (size_t)n, dimension, i);
    for (int i = 0; i < ON_SHELF && shelf; i++) n += add_on_shelf(text + n, sizeof text - (size_t)n, dimension, i);
    for (int i = 0; i < pebbles; i++) /* on the block, side by side */
        n += snprintf(
            text + n, sizeof text - (size_t)n,
            "  s%d: {material: iron, mass: 5 kg, inertia_tensor: [1e-3, 1e-3, 1e-3], position: [%g, %g, 0.57 m], shapes: [{sphere: {radius: 0.03 m}}]}\n", i,
            0.065 * (i % 14 - 6.5), 0.07 * (i / 14 - 2));
    if (beside)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "grains: {heap: {generator: lattice, rows: %d, columns: %d%s, spacing: 0.1, origin: [4.05, %s0.05], radius: 0.05, material: stone}}\n",
                      flat ? 8 : 6, flat ? 14 : 7, flat ? "" : ", layers: 6", flat ? "" : "-0.25, ");
    n += snprintf(text + n, sizeof text - (size_t)n, "joints:\n");
    if (beside)
        n += snprintf(text + n, sizeof text - (size_t)n, "  pin: {type: revolute, bodies: [q0, q1], at: [-3.9, %s0.02 m]%s}\n", flat ? "" : "0, ",
                      flat ? "" : ", axis: [0, 1, 0]");
    for (int i = 1; i < planks && !alone; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "  pin%d: {type: revolute, bodies: [p%d, p%d], at: [%g, %s0.02 m]%s}\n", i, i - 1, i,
                      0.2 * (i - planks / 2) - 0.1, flat ? "" : "0, ", flat ? "" : ", axis: [0, 1, 0]");
    if (pressed)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "hydraulics:\n  oil:\n    cylinders:\n      press: {bodies: [head, block], at: [[0, %s-0.1 m], [0, %s0.25 m]], stroke: [0.05 m, 0.4 m], "
                      "bore: 100 mm, single_acting: true, dead_volume: 0.2 l, pressure: [1 MPa, 0]}\n    pumps:\n      pump: {from: tank, to: press.cap, flow: "
                      "60 l/min}\n",
                      flat ? "" : "0, ", flat ? "" : "0, ");
    (void)snprintf(
        text + n, sizeof text - (size_t)n,
        shelf ? "probes: {y: {body: t3, quantity: %s}, x: {body: t3}, w: {body: t7, quantity: %s}}\n"
        : pressed
            ? "probes: {x: {body: block}, v: {body: block, quantity: vx}, h: {body: block, quantity: %s}, p: {pressure: press.cap}, f: {cylinder: press, "
              "quantity: force}}\n"
            : "probes: {x: {body: block}, v: {body: block, quantity: vx}, h: {body: block, quantity: %s}, m: {body: p0, quantity: x}, e: {energy: total}}\n",
        flat ? "y" : "z", flat ? "vy" : "vz");
    return open_lab(text, 1);
}

static lab mat(int dimension, double along, int soft, const char *solver) { return mat_with(dimension, along, soft, solver, 0); }

/* All steps; iterations, all together, and the largest residual [m/s]. */
static int run(const lab *l, double *residual)
{
    int iterations = 0;
    *residual = 0;
    for (int i = 0; i < STEPS; i++) {
        talus_step_report r;
        CHECK_OK(talus_world_step(l->world, &r), talus_world_error(l->world));
        iterations += r.iterations;
        *residual = fmax(*residual, r.residual);
    }
    return iterations;
}

static void check_sticking(int dimension)
{
    double residual;
    lab l = mat(dimension, 2, FIRM, "");
    const double e = lab_probe(&l, "e");
    const int iterations = run(&l, &residual);
    printf("%d: %d iterations\n", dimension, iterations);
    CHECK(residual <= 1e-4);
    CHECK(iterations < 30 * STEPS);
    CHECK_NEAR(lab_probe(&l, "x"), 0, 1e-4 * 0.5); /* the tolerance, for as long as it runs */
    CHECK_NEAR(lab_probe(&l, "h"), 0.29, 1e-4 * 0.5);
    CHECK(lab_probe(&l, "e") <= e + 1e-4 * 4000 * 9.81 * 0.5);
    close_lab(&l);
}

/* v = (g_x − μ g_n) t from the first step on: the friction of a block on a mat that lies still, whatever planks carry how much. */
static void check_sliding(int dimension)
{
    double residual;
    lab l = mat(dimension, 5, FIRM, "");
    const int iterations = run(&l, &residual);
    const double t = 5e-3 * STEPS, a = 5 - 0.3 * 9.81;
    printf("%d: slides, %d iterations\n", dimension, iterations);
    CHECK(residual <= 1e-4);
    CHECK_NEAR(lab_probe(&l, "v"), a * t, 5e-3 * a * t);
    CHECK_NEAR(lab_probe(&l, "m"), -0.8, 1e-4 * 0.5);
    close_lab(&l);
}

TEST(sticks_in_the_plane) { check_sticking(2); }
TEST(sticks_in_space) { check_sticking(3); }
TEST(slides_in_the_plane) { check_sliding(2); }
TEST(slides_in_space) { check_sliding(3); }

/* A heap beside it has several times as many contacts, and is swept; the mat moves all the same as when it is alone, and no step misses the tolerance. */
static void check_beside(int dimension)
{
    beside = true;
    check_sticking(dimension);
    check_sliding(dimension);
    beside = false;
}

TEST(beside_a_heap_in_the_plane) { check_beside(2); }
TEST(beside_a_heap_in_space) { check_beside(3); }

/* Pebbles on an elastic block beside all that move as they do without the mat: what is of no chosen island is neither held nor left out. */
static void check_shelf(int dimension)
{
    double residual;
    beside = shelf = true;
    lab a = mat(dimension, 0, FIRM, "");
    alone = true;
    lab b = mat(dimension, 0, FIRM, "");
    beside = shelf = alone = false;
    (void)run(&a, &residual);
    CHECK(residual <= 1e-4);
    (void)run(&b, &residual);
    CHECK(residual <= 1e-4);
    printf("%d: on the shelf %.9g and %.9g, %.6g and %.6g\n", dimension, lab_probe(&a, "y"), lab_probe(&b, "y"), lab_probe(&a, "w"), lab_probe(&b, "w"));
    CHECK_NEAR(lab_probe(&a, "y"), lab_probe(&b, "y"), 1e-4 * 5e-3 * STEPS);
    CHECK_NEAR(lab_probe(&a, "x"), lab_probe(&b, "x"), 1e-4 * 5e-3 * STEPS);
    CHECK_NEAR(lab_probe(&a, "w"), lab_probe(&b, "w"), 2e-4);
    CHECK(lab_probe(&a, "y") < 0.53 - 1e-4); /* it gives, */
    CHECK(lab_probe(&a, "y") > 0.52);        /* and carries: in free fall they would be 70 mm lower */
    close_lab(&a), close_lab(&b);
}

TEST(beside_a_shelf_in_the_plane) { check_shelf(2); }
TEST(beside_a_shelf_in_space) { check_shelf(3); }

/* The same motion from sweeps alone, which may take as many as they want: on firm ground and on elastic one, whose contacts are patches. */
static void check_sweeps(int dimension, int soft, double along)
{
    double residual;
    lab a = mat(dimension, along, soft, ""), b = mat(dimension, along, soft, ", method: nlgs, max_iterations: 100000");
    const int quick = run(&a, &residual);
    CHECK(residual <= 1e-4);
    const int slow = run(&b, &residual);
    CHECK(residual <= 5e-4); /* a step may stall for all sweeps that it has: a quarter of what velocities are compared to */
    printf("%d%s: %d iterations, %d sweeps; block %.6g, %.6g\n", dimension, soft ? " soft" : "", quick, slow, lab_probe(&a, "h"), lab_probe(&b, "h"));
    CHECK_NEAR(lab_probe(&a, "v"), lab_probe(&b, "v"), 2e-3); /* of a fall by g t of 1.2 m/s; twice the tolerance, ten times over */
    CHECK_NEAR(lab_probe(&a, "x"), lab_probe(&b, "x"), 1e-4);
    CHECK_NEAR(lab_probe(&a, "h"), lab_probe(&b, "h"), 1e-4);
    CHECK(!soft || lab_probe(&a, "h") < 0.289);
    CHECK(2 * quick < slow);
    close_lab(&a), close_lab(&b);
}

TEST(as_by_sweeps) { check_sweeps(2, FIRM, 5); }
TEST(soft_in_the_plane) { check_sweeps(2, ELEMENTS, 1); }
TEST(particles_in_the_plane) { check_sweeps(2, PARTICLES, 1); }
TEST(particles_in_space) { check_sweeps(SPACE, PARTICLES, 1); }
TEST(soft_in_space) { check_sweeps(SPACE, ELEMENTS, 1); }

/* The ground is too large to say what its nodes do to one another: it is met at ports. */
static void forget_nodes(const lab *l)
{
    tl_solid *s = (tl_solid *)l->world->system->matter[1];
    tl_solid_limit_response(&s->matter, 1);
    s->whole = false;
}

/* The same motion by nodes of the ground, of fine one more than a patch has, and by ports. */
static void check_ports(int dimension, int soft)
{
    double residual;
    lab a = mat(dimension, 1, soft, ""), b = mat(dimension, 1, soft, "");
    forget_nodes(&b);
    const int nodes = run(&a, &residual);
    CHECK(residual <= 1e-4);
    const int ports = run(&b, &residual);
    CHECK(residual <= 1e-4);
    printf("%d: %d iterations by nodes, %d by ports; block %.6g, %.6g\n", dimension, nodes, ports, lab_probe(&a, "h"), lab_probe(&b, "h"));
    CHECK_NEAR(lab_probe(&a, "v"), lab_probe(&b, "v"), 2e-3);
    CHECK_NEAR(lab_probe(&a, "x"), lab_probe(&b, "x"), 1e-4);
    CHECK_NEAR(lab_probe(&a, "h"), lab_probe(&b, "h"), 1e-4);
    CHECK(lab_probe(&a, "h") < 0.289);
    CHECK(nodes < ports);
    close_lab(&a), close_lab(&b);
}

TEST(ports_in_the_plane) { check_ports(2, FINE); }
TEST(ports_in_space) { check_ports(3, ELEMENTS); }

/* A fixed head over the block and a cylinder of oil between, which a pump fills: the same motion and pressure with oil among the velocities as by sweeps, and
 * a force that is the pressure on the area. */
static lab press(int dimension, const char *solver)
{
    pressed = true;
    const lab l = mat(dimension, 0, ELEMENTS, solver);
    pressed = false;
    return l;
}

static void check_press(int dimension)
{
    double residual;
    lab a = press(dimension, ""), b = press(dimension, ", method: nlgs, max_iterations: 100000");
    const int quick = run(&a, &residual);
    CHECK(residual <= 1e-4);
    const int slow = run(&b, &residual);
    CHECK(residual <= 1e-4);
    printf("%d: press, %d iterations, %d sweeps; %.6g, %.6g Pa\n", dimension, quick, slow, lab_probe(&a, "p"), lab_probe(&b, "p"));
    CHECK(lab_probe(&a, "p") > 1e6);
    /* Both may be off by the tolerance in all steps, and oil of 1.4 GPa in 0.15 m of stroke and 0.2 l makes a pressure of it: 1.2 % of 15 MPa. */
    const double A = M_PI * 0.05 * 0.05, V = 0.2e-3 + 0.15 * A;
    CHECK_NEAR(lab_probe(&a, "p"), lab_probe(&b, "p"), 1.4e9 * A / V * 2 * 1e-4 * 5e-3 * STEPS);
    CHECK_NEAR(lab_probe(&a, "f"), lab_probe(&a, "p") * A, 1);
    CHECK_NEAR(lab_probe(&a, "h"), lab_probe(&b, "h"), 1e-4);
    CHECK(2 * quick < slow);
    close_lab(&a), close_lab(&b);
}

TEST(pressed_in_the_plane) { check_press(2); }
TEST(pressed_in_space) { check_press(SPACE); }

/* Pebbles of 5 kg on the block, without friction, and more than a body has in packs as one: there it is met by its parts, as a whole by planks. It slides on
 * these under its weight and theirs, which takes momentum of the whole of it. */
TEST(pebbles)
{
    enum { PEBBLES = 70 };
    double residual;
    planks = 19;
    lab l = mat_with(3, 5, FIRM, "", PEBBLES);
    CHECK(run(&l, &residual) > 0);
    const double t = 5e-3 * STEPS, a = 5 - 0.3 * 9.81 * (4000 + 5 * PEBBLES) / 4000;
    CHECK(residual <= 1e-4);
    CHECK_NEAR(lab_probe(&l, "v"), a * t, 5e-3 * a * t);
    CHECK_NEAR(lab_probe(&l, "h"), 0.29, 1e-4 * t);
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(sticks_in_the_plane);
    RUN(sticks_in_space);
    RUN(slides_in_the_plane);
    RUN(slides_in_space);
    RUN(beside_a_heap_in_the_plane);
    RUN(beside_a_heap_in_space);
    RUN(beside_a_shelf_in_the_plane);
    RUN(beside_a_shelf_in_space);
    RUN(as_by_sweeps);
    RUN(soft_in_the_plane);
    RUN(soft_in_space);
    RUN(particles_in_the_plane);
    RUN(particles_in_space);
    RUN(ports_in_the_plane);
    RUN(ports_in_space);
    RUN(pressed_in_the_plane);
    RUN(pressed_in_space);
    RUN(pebbles);
    return TEST_RESULT;
}
