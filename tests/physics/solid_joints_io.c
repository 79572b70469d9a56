/* Deformable solids joined to bodies and to each other: glue and joints at points, against closed forms and other formulations. */
#include "solid_text.h"

#include "talus/joint.h"

static const double PI = 3.14159265358979323846;

static talus_solid_id solid_named(const lab *l, const char *name)
{
    const talus_solid_id id = talus_solid_find(l->world, name);
    CHECK(id.index1 > 0);
    return id;
}

enum { MOST = 2000 };
static double u[MOST][3], v[MOST][3];

static talus_solid_mesh look(const lab *l, const char *name)
{
    talus_solid_mesh m;
    const talus_solid_id id = solid_named(l, name);
    if (!talus_solid_get_mesh(l->world, id, &m) || m.nodes > MOST) exit(1);
    talus_solid_motion(l->world, id, u, v);
    return m;
}

/* A list of as many numbers as the world has dimensions, of which the last is up. */
static const char *upward(int dimension, double x, double up)
{
    static char text[4][100];
    static int at;
    char *out = text[at++ % 4];
    if (dimension == 2) snprintf(out, 100, "[%.17g, %.17g]", x, up);
    else snprintf(out, 100, "[%.17g, 0, %.17g]", x, up);
    return out;
}

static void begin(char text[ROOM], int dimension, double h, double gravity)
{
    text[0] = '\0';
    put(text, "dimension: %d\ngravity: %s\ntime: {end: 1000 s, step: %.17g s}\nsolver: {tolerance: 1e-12 m/s}\n", dimension, upward(dimension, 0, -gravity), h);
}

static const char *inertia(int dimension) { return dimension == 2 ? "inertia: 0.3 kg m^2" : "inertia_tensor: [0.3, 0.3, 0.3]"; }

/* A box of the solid that ends at height `top`; one cell across. */
static void put_box(char text[ROOM], int dimension, const char *name, double height, int cells, double top)
{
    if (dimension == 2) put(text, "  %s:\n    box: {size: [0.2 m, %.17g m], elements: [1, %d], at: [0, %.17g]}\n", name, height, cells, top);
    else put(text, "  %s:\n    box: {size: [0.2 m, 0.2 m, %.17g m], elements: [1, 1, %d], at: [0, 0, %.17g]}\n", name, height, cells, top);
}

/* ---- a rod with a mass at its end --------------------------------------------------------------------------------------------- */

static const double LENGTH = 2, WAVE = 50, DENSITY = 2000; /* E = ρ c² = 5 MPa, ν = 0 */

static double root(double (*f)(double, const double *), const double *with, double low, double high)
{
    for (int i = 0; i < 200; i++) {
        const double x = 0.5 * (low + high);
        if ((f(x, with) > 0) == (f(high, with) > 0)) high = x;
        else low = x;
    }
    return 0.5 * (low + high);
}

/* k L tan(k L) = mass of the rod over that at its end */
static double rod(double kL, const double *ratio) { return kL * tan(kL) - *ratio; }

/* The same of a chain of n masses m and springs k whose last has M more: u_i ~ sin(i a), ω² = 4 k/m sin²(a/2); at its end
 * (M + m/2) ω² sin(n a) = k (sin(n a) − sin((n − 1) a)). */
static double chain(double a, const double *with)
{
    const double n = with[0], more = with[1], w = 4 * sin(0.5 * a) * sin(0.5 * a); /* M/m; ω² m/k */
    return (more + 0.5) * w * sin(n * a) - (sin(n * a) - sin((n - 1) * a));
}

/* Of the lowest mode, by its amplitude in three steps that follow: the midpoint rule has q₊ − 2 q + q₋ = −(ω h)²/4 (q₊ + 2 q + q₋). */
static double frequency(int dimension, int cells, double tip)
{
    char text[ROOM];
    const double h = 1e-3, area = dimension == 2 ? 0.2 : 0.04, piece = DENSITY * area * LENGTH / cells;
    const double with[] = {cells, tip / piece}, a = root(chain, with, 1e-3 / cells, 0.5 * PI / cells);
    begin(text, dimension, h, 0);
    put(text, "bodies: {b: {mass: %.17g kg, %s, position: %s, velocity: %s}}\nsolids:\n", tip, inertia(dimension), upward(dimension, 0, 0.3),
        upward(dimension, 0, 1));
    put_box(text, dimension, "s", LENGTH, cells, 0);
    put(text, "    material: {density: 2000 kg/m^3, young: 5 MPa, poisson: 0}\n    fixed: bottom\n    velocity: %s\n", upward(dimension, 0, 1));
    put(text, "joints: {bond: {type: fixed, bodies: [s, b], group: top}}\n");
    lab l = open_lab(text, 1);
    double q[3] = {0, 0, 0};
    for (int step = 0; step < 103; step++) {
        lab_step(&l);
        const talus_solid_mesh m = look(&l, "s");
        const int up = dimension - 1;
        q[0] = q[1], q[1] = q[2], q[2] = 0;
        for (int i = 0; i < m.nodes; i++) {
            const double z = m.position[i][up] + LENGTH, end = z > LENGTH - 1e-9 ? 0.5 * piece + tip : piece;
            q[2] += end * sin(a * z / LENGTH * cells) * u[i][up];
        }
    }
    close_lab(&l);
    return sqrt(-4 * (q[2] - 2 * q[1] + q[0]) / (q[2] + 2 * q[1] + q[0])) / h;
}

TEST(rod_with_a_mass_at_its_end)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double area = dimension == 2 ? 0.2 : 0.04, tip = 0.7 * DENSITY * area * LENGTH;
        const double ratio = 1 / 0.7, exact = WAVE / LENGTH * root(rod, &ratio, 0.1, 0.5 * PI - 1e-9);
        double error[2];
        for (int k = 0; k < 2; k++) {
            const int cells = 4 << k;
            const double with[] = {cells, 0.7 * cells}, a = root(chain, with, 1e-3 / cells, 0.5 * PI / cells);
            const double discrete = 2 * WAVE * cells / LENGTH * sin(0.5 * a), found = frequency(dimension, cells, tip);
            CHECK_NEAR(found, discrete, 1e-7 * discrete);
            error[k] = fabs(found / exact - 1);
        }
        CHECK_NEAR(log2(error[0] / error[1]), 2, 0.1);
        CHECK(error[1] < 2e-3);
    }
}

/* ---- two that are one ----------------------------------------------------------------------------------------------------------- */

/* A cantilever, struck askew: in two halves that are glued it moves as in one piece, to rounding where the nodes are the same. */
static void halves(int dimension, const char *drifts)
{
    static double whole[MOST][3];
    static const char MATTER[] = "    material: {density: 2000 kg/m^3, young: 5 MPa, poisson: 0.3}\n    velocity: ";
    char text[ROOM];
    begin(text, dimension, 1e-3, 9.81);
    put(text, "solids:\n");
    put_box(text, dimension, "s", LENGTH, 8, 0);
    put(text, "%s%s\n    fixed: bottom\n", MATTER, upward(dimension, 1, 0.5));
    lab one = open_lab(text, 1);
    begin(text, dimension, 1e-3, 9.81);
    put(text, "solids:\n");
    put_box(text, dimension, "t", 0.5 * LENGTH, 4, 0);
    put(text, "%s%s\n", MATTER, upward(dimension, 1, 0.5));
    put_box(text, dimension, "s", 0.5 * LENGTH, 4, -0.5 * LENGTH);
    put(text,
        "%s%s\n    fixed: bottom\njoints: {bond: {type: fixed, bodies: [t, s], group: bottom, drifts: %s}}\nprobes: {f: {body_joint: bond, quantity: %c}}\n",
        MATTER, upward(dimension, 1, 0.5), drifts, dimension == 2 ? 'y' : 'z');
    lab two = open_lab(text, 1);
    for (int step = 0; step < 200; step++) lab_step(&one), lab_step(&two);
    const talus_solid_mesh all = look(&one, "s");
    double largest = 0;
    int found = 0;
    for (int i = 0; i < all.nodes; i++) memcpy(whole[i], u[i], sizeof u[i]), largest = fmax(largest, fabs(u[i][0]));
    CHECK(largest > 0.01);
    for (int half = 0; half < 2; half++) {
        const talus_solid_mesh m = look(&two, half ? "s" : "t");
        for (int i = 0; i < m.nodes; i++)
            for (int k = 0; k < all.nodes; k++) {
                double apart = 0;
                for (int a = 0; a < 3; a++) apart += fabs(m.position[i][a] - all.position[k][a]);
                if (apart > 1e-9) continue;
                found++;
                for (int a = 0; a < dimension; a++) CHECK_NEAR(u[i][a], whole[k][a], 1e-9 * largest);
            }
    }
    CHECK(found == all.nodes + (dimension == 2 ? 2 : 4));
    talus_body_joint_state joint;
    CHECK(talus_body_joint_get(two.world, 0, &joint) == TALUS_OK);
    CHECK(joint.error < 1e-12);
    close_lab(&one), close_lab(&two);
}

TEST(glued_halves_are_one)
{
    halves(2, "false");
    halves(3, "false");
    halves(2, "true");
}

/* Meshes that do not match: a cantilever of two halves, of which the lower has n cells across and the upper 2 n + 1, sags as one of fine elements, the more so
 * the finer they are. */
TEST(meshes_that_differ)
{
    double tip[3];
    char text[ROOM];
    for (int k = 0; k < 3; k++) {
        const int n = 2 << k;
        begin(text, 2, 0.05, 0);
        put(text, "integrator: {theta: 1}\n"); /* what is stiff comes to rest at once */
        put(text, "solids:\n  s:\n    box: {size: [1 m, 0.25 m], elements: [%d, %d], at: [0.5, 0]}\n    fixed: left\n", 4 * n, n);
        put(text, "    material: {density: 100 kg/m^3, young: 1 MPa, poisson: 0.3}\n    damping: {stiffness: 0.1 s, mass: 10}\n");
        put(text, "  t:\n    box: {size: [1 m, 0.25 m], elements: [%d, %d], at: [1.5, 0]}\n    loads: [{on: right, y: -1 Pa}]\n", 4 * n + 2, 2 * n + 1);
        put(text, "    material: {density: 100 kg/m^3, young: 1 MPa, poisson: 0.3}\n    damping: {stiffness: 0.1 s, mass: 10}\n");
        put(text, "joints: {bond: {type: fixed, bodies: [t, s], group: left}}\nprobes: {y: {displacement: t, on: right, quantity: y}, f: {body_joint: bond, "
                  "quantity: y}, m: {body_joint: bond, quantity: moment}}\n");
        lab l = open_lab(text, 1);
        lab_run(&l, 60);
        tip[k] = lab_probe(&l, "y");
        CHECK_NEAR(lab_probe(&l, "f"), -0.25, 1e-8);      /* of t on s: the load */
        CHECK_NEAR(fabs(lab_probe(&l, "m")), 0.25, 1e-4); /* on its lever of 1 m */
        close_lab(&l);
    }
    const double beam = -0.25 * 8 / (3 * 1e6 / (1 - 0.09) * 0.25 * 0.25 * 0.25 / 12) - 0.25 * 2 / (5.0 / 6 * 1e6 / 2.6 * 0.25); /* Timoshenko, plane strain */
    CHECK_NEAR(tip[2], beam, 0.01 * fabs(beam));
    CHECK(fabs(tip[2] - tip[1]) < 0.5 * fabs(tip[1] - tip[0]));
}

/* ---- statics -------------------------------------------------------------------------------------------------------------------- */

/* A weight that stands askew on a column, and one that hangs on a pin from a rod: reactions are loads, sags those of the rod. */
TEST(weights)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[ROOM];
        const double area = dimension == 2 ? 0.2 : 0.04;
        const char up = dimension == 2 ? 'y' : 'z';
        begin(text, dimension, 5e-3, 10);
        put(text, "bodies:\n  b: {mass: 5 kg, %s, position: %s}\n  c: {mass: 5 kg, %s, position: %s}\nsolids:\n", inertia(dimension),
            upward(dimension, 0.02, 0.1), inertia(dimension), upward(dimension, 0, -1.3));
        put_box(text, dimension, "s", 1, 6, 0);
        put(text, "    material: {density: 1000 kg/m^3, young: 1 MPa, poisson: 0}\n    fixed: bottom\n    damping: {mass: 20, stiffness: 10 ms}\n");
        put_box(text, dimension, "t", 1, 6, 0);
        put(text, "    material: {density: 1000 kg/m^3, young: 1 MPa, poisson: 0}\n    fixed: top\n    damping: {mass: 20, stiffness: 10 ms}\n");
        put(text, "joints:\n  bond: {type: fixed, bodies: [b, s], group: [top]}\n  hook: {type: %s, bodies: [t, c], at: %s}\n",
            dimension == 2 ? "revolute" : "spherical", upward(dimension, 0, -1));
        put(text,
            "probes: {f: {body_joint: bond, quantity: %c}, m: {body_joint: bond, quantity: moment}, g: {body_joint: hook, quantity: %c}, s: {displacement: s, "
            "on: top, quantity: %c}, t: {displacement: t, on: bottom, quantity: %c}, c: {body: c, quantity: %c}}\n",
            up, up, up, up, up);
        lab l = open_lab(text, 1);
        lab_run(&l, 8);
        talus_body_joint_state bond;
        CHECK(talus_body_joint_get(l.world, 0, &bond) == TALUS_OK);
        CHECK_NEAR(lab_probe(&l, "f"), -50, 1e-7); /* of b, the first, on s */
        CHECK_NEAR(bond.moment[dimension == 2 ? 2 : 1], (dimension == 2 ? -1 : 1) * 50 * 0.02, 0.02 * 50 * 0.1);
        CHECK_NEAR(lab_probe(&l, "g"), 50, 1e-7);
        CHECK_NEAR(lab_probe(&l, "s"), -(50 + 0.5 * 1000 * 10 * area) / (1e6 * area), 2e-5);
        if (dimension == 2) CHECK_NEAR(lab_probe(&l, "t"), -(50 + 0.5 * 1000 * 10 * area) / (1e6 * area), 1e-9);
        CHECK(bond.error < 1e-7);
        close_lab(&l);
    }
}

/* ---- what is kept --------------------------------------------------------------------------------------------------------------- */

/* Two solids and a block in free flight, glued: momentum from the start, energy once they go together. */
TEST(momentum_and_energy)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[ROOM];
        const double area = dimension == 2 ? 0.2 : 0.04;
        const char up = dimension == 2 ? 'y' : 'z';
        begin(text, dimension, 1e-3, 0);
        put(text, "bodies: {b: {mass: 30 kg, %s, position: %s, velocity: %s}}\nsolids:\n", inertia(dimension), upward(dimension, 0, 0.1),
            upward(dimension, 0, -0.5));
        put_box(text, dimension, "s", 1, 5, 0);
        put(text, "    material: {density: 1000 kg/m^3, young: 1 MPa, poisson: 0.3}\n    velocity: %s\n", upward(dimension, 0, 1));
        put_box(text, dimension, "t", 1, 3, -1);
        put(text, "    material: {density: 500 kg/m^3, young: 3 MPa, poisson: 0.2}\n");
        put(text,
            "joints: {bond: {type: fixed, bodies: [b, s], group: top}, other: {type: fixed, bodies: [s, t], group: bottom}}\nprobes: {e: {energy: total}, v: "
            "{body: b, quantity: v%c}}\n",
            up);
        lab l = open_lab(text, 1);
        const double p = 30 * -0.5 + 1000 * area;
        double energy = 0;
        for (int step = 0; step < 300; step++) {
            double sum = 30 * lab_probe(&l, "v"), linear[3], spin[3];
            static const double ORIGIN[3] = {0, 0, 0};
            const char *const name[] = {"s", "t"};
            for (int k = 0; k < 2; k++) {
                talus_body_velocity(l.world, talus_solid_body(l.world, solid_named(&l, name[k])), ORIGIN, linear, spin);
                sum += (k ? 500 : 1000) * area * linear[dimension - 1];
            }
            CHECK_NEAR(sum, p, 1e-10 * p);
            if (step == 1) energy = lab_probe(&l, "e");
            if (step > 1) CHECK_NEAR(lab_probe(&l, "e"), energy, 1e-9 * energy);
            lab_step(&l);
        }
        close_lab(&l);
    }
}

/* What a load on the block does to the face, a load on the face does to the block: the operator with glue is symmetric. */
TEST(reciprocity)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        double work[2] = {0, 0};
        const double face = dimension == 2 ? 0.5 : 0.1; /* m² */
        for (int k = 0; k < 2; k++) {
            char text[ROOM];
            begin(text, dimension, 1e-3, 0);
            put(text, "bodies: {b: {mass: 3 kg, %s, position: %s}}\nsolids:\n", inertia(dimension), upward(dimension, 0.1, 0.3));
            put_box(text, dimension, "s", 0.5, 3, 0);
            put(text, "    material: {density: 1000 kg/m^3, young: 1 MPa, poisson: 0.3}\n%s", k ? "    loads: [{on: right, x: 1 Pa}]\n" : "");
            put(text, "joints: {bond: {type: fixed, bodies: [s, b], group: top}, pin: {type: %s, bodies: [ground, s], at: %s}}\n",
                dimension == 2 ? "revolute" : "spherical", upward(dimension, 0, -0.2));
            if (!k) put(text, "loads: {l: {body: b, at: %s, x: 0.1 N}}\n", upward(dimension, 0.05, 0.1));
            put(text, "probes: {b: {body: b, at: %s, quantity: vx}}\n", upward(dimension, 0.05, 0.1));
            lab l = open_lab(text, 1);
            lab_step(&l);
            if (k) work[1] = 0.1 * lab_probe(&l, "b");
            else {
                const talus_solid_mesh m = look(&l, "s");
                for (int i = 0; i < m.nodes; i++) {
                    const double z = m.position[i][dimension - 1];
                    if (m.position[i][0] < 0.1 - 1e-9) continue;
                    work[0] += face / (dimension == 2 ? 3 : 6) * (z > -1e-9 || z < -0.5 + 1e-9 ? 0.5 : 1) * v[i][0];
                }
            }
            close_lab(&l);
        }
        CHECK(fabs(work[0]) > 1e-9);
        CHECK_NEAR(work[0], work[1], 1e-9 * fabs(work[0]));
    }
}

/* ---- with mechanisms, drives and contacts --------------------------------------------------------------------------------------- */

/* A link on a torsion spring with a stiff tip that is glued on swings as one body: J a'' + k a = moment of a small force on both, by which it is turned by
 * 10⁻⁴, as little as small strains want. In the nodes a mass of cells Δ lies farther out: its J is larger by Δ²/3. */
TEST(link_with_a_tip)
{
    char text[ROOM];
    text[0] = '\0';
    put(text, "gravity: [1e-3 m/s^2, 0]\ntime: {end: 10 s, step: 1 ms}\nmechanisms:\n  p:\n    bodies: {rod: {mass: 2 kg, inertia: 0.2, centre_of_mass: [0, "
              "-0.5]}}\n    joints: {A: {type: revolute, parent: ground, child: rod}}\n    forces: {k: {joint: A, stiffness: 54 N m/rad}}\nsolids:\n  s:\n    "
              "box: {size: [0.2 m, 0.2 m], elements: [4, 4], at: [0, -1]}\n    material: {density: 100 kg/m^3, young: 100 MPa, poisson: 0.3}\njoints: {bond: "
              "{type: fixed, bodies: [rod, s], group: top}}\nprobes: {a: {joint: A}, x: {displacement: s, on: bottom}}\n");
    lab l = open_lab(text, 1);
    const double tip = 4, cell = 0.05, J = 0.2 + 2 * 0.25 + tip * (0.2 * 0.2 / 6 + cell * cell / 3 + 1.1 * 1.1), omega = sqrt(54 / J);
    for (int k = 1; k <= 6; k++) {
        const double t = 0.4 * k;
        lab_run(&l, t);
        CHECK_NEAR(lab_probe(&l, "a"), 1e-4 * (1 - cos(omega * t)), 2e-7);
        CHECK_NEAR(lab_probe(&l, "x"), 1.2 * lab_probe(&l, "a"), 2e-7);
    }
    close_lab(&l);
}

/* A drive of limited force presses a block on a slide, on a column that is glued to it: the force is what the column carries; a stop then takes what is
 * beyond. */
TEST(drive_and_stop)
{
    char text[ROOM];
    begin(text, 2, 2e-3, 0);
    put(text, "bodies: {b: {mass: 5 kg, inertia: 0.1 kg m^2, position: [0, 0.1]}}\nsolids:\n");
    put_box(text, 2, "s", 1, 6, 0);
    put(text, "    material: {density: 1000 kg/m^3, young: 1 MPa, poisson: 0}\n    fixed: bottom\n    damping: {mass: 20, stiffness: 10 ms}\n");
    put(text,
        "joints:\n  bond: {type: fixed, bodies: [s, b], group: top}\n  slide: {type: prismatic, bodies: [ground, b], axis: [0, 1], slide: {speed: -1 m/s, "
        "force: 100 N, low: -0.01 m}}\n");
    put(text, "probes: {f: {body_joint: bond, quantity: y}, x: {body_joint: slide.slide}, d: {body_joint: slide.slide, quantity: force}}\n");
    lab l = open_lab(text, 1);
    lab_run(&l, 5);
    CHECK_NEAR(lab_probe(&l, "d"), -100, 1e-9);
    CHECK_NEAR(lab_probe(&l, "f"), 100, 1e-6);
    CHECK_NEAR(lab_probe(&l, "x"), -100 / (1e6 * 0.2), 1e-8);
    close_lab(&l);
}

/* A plate of a gram is glued on a column, and a ball falls on it: at once it feels the column's inertia and stiffness, in few sweeps; the impulse of the
 * contact is that on the column's foot. In free flight momentum is kept; at rest the foot carries all. */
TEST(a_ball_on_a_glued_plate)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[ROOM];
        const char up = dimension == 2 ? 'y' : 'z';
        begin(text, dimension, 1e-3, 10);
        put(text,
            "materials: {m: {density: 1000 kg/m^3}}\ninteractions: [{between: [m, m], friction: 0.3}]\nbodies:\n  plate: {mass: 1 g, %s, position: %s, shapes: "
            "[%s], material: m}\n  ball: {mass: 20 kg, %s, position: %s, shapes: [%s], material: m}\nsolids:\n",
            dimension == 2 ? "inertia: 1e-6 kg m^2" : "inertia_tensor: [1e-6, 1e-6, 1e-6]", upward(dimension, 0, 0.05),
            dimension == 2 ? "{box: {size: [0.2 m, 0.1 m]}}" : "{box: {size: [0.2 m, 0.2 m, 0.1 m]}}", inertia(dimension), upward(dimension, 0, 0.2001),
            dimension == 2 ? "{disk: {radius: 0.1 m}}" : "{sphere: {radius: 0.1 m}}");
        put_box(text, dimension, "s", 1, 6, 0);
        put(text, "    material: {density: 1000 kg/m^3, young: 1 MPa, poisson: 0}\n    fixed: bottom\n    damping: {mass: 20, stiffness: 10 ms}\n    start: "
                  "settled\n");
        put(text,
            "joints: {bond: {type: fixed, bodies: [s, plate], group: top}}\nprobes: {f: {body_joint: bond, quantity: %c}, s: {displacement: s, on: top, "
            "quantity: %c}, r: {resultant: s, on: bottom, quantity: %c}}\n",
            up, up, up);
        lab l = open_lab(text, 1);
        const double area = dimension == 2 ? 0.2 : 0.04;
        int most = 0;
        for (int i = 0; i < 5000; i++) {
            talus_step_report report;
            if (talus_world_step(l.world, &report) != TALUS_OK) TEST_FAIL("%s", talus_world_error(l.world));
            if (report.iterations > most) most = report.iterations;
            CHECK(report.converged);
        }
        CHECK(most < 60);
        CHECK_NEAR(lab_probe(&l, "f"), 200.01, 1e-4);
        CHECK_NEAR(lab_probe(&l, "r"), 200.01 + 1000 * area * 10, 1e-3);
        CHECK_NEAR(lab_probe(&l, "s"), -(200.01 + 0.5 * 1000 * area * 10) / (1e6 * area), 1e-6);
        close_lab(&l);
    }
}

/* ---- drift ---------------------------------------------------------------------------------------------------------------------- */

/* A light and soft solid on a heavy body that turns: by velocities alone its nodes leave the circle, h ω² r t/2 (theory §9.5); with positions put right, at
 * q_m, they stay as far beside it as a tangent of half a step is, h² ω² r/8. */
TEST(drift)
{
    const double h = 1e-3, r = 0.999; /* ω = 1 rad/s */
    for (int drifts = 0; drifts < 2; drifts++) {
        char text[ROOM];
        begin(text, 2, h, 0);
        put(text,
            "bodies: {b: {mass: 1000 kg, inertia: 1000 kg m^2, angular_velocity: 1 rad/s}}\nsolids:\n  s:\n    box: {size: [2 mm, 2 mm], elements: 2, at: "
            "[1, 0.001]}\n    material: {density: 1 kg/m^3, young: 100 Pa, poisson: 0}\n    velocity: [0, 1 m/s]\n");
        put(text, "joints: {bond: {type: fixed, bodies: [s, b], group: left, drifts: %s}}\n", drifts ? "true" : "false");
        lab l = open_lab(text, 1);
        for (int k = 1; k <= 2; k++) {
            talus_body_joint_state joint;
            lab_run(&l, 0.2 * k * k);
            CHECK(talus_body_joint_get(l.world, 0, &joint) == TALUS_OK);
            if (!drifts) CHECK_NEAR(joint.error, h * h * r / 8, 1e-9);
            else if (k == 1) CHECK_NEAR(joint.error, 0.5 * h * r * 0.2, 2e-6);
        }
        close_lab(&l);
    }
}

/* ---- the state ------------------------------------------------------------------------------------------------------------------ */

static void put_machine(char text[ROOM])
{
    begin(text, 3, 1e-3, 10);
    put(text,
        "materials: {m: {density: 1000 kg/m^3}}\ninteractions: [{between: [m, m], friction: 0.3}]\nbodies:\n  plate: {mass: 2 kg, %s, position: [0, 0, 0.05], "
        "shapes: [{box: {size: [0.3 m, 0.3 m, 0.1 m]}}], material: m}\n  ball: {mass: 20 kg, %s, position: [0.02, 0.01, 0.2001], shapes: [{sphere: {radius: "
        "0.1 "
        "m}}], material: m}\n  hung: {mass: 1 kg, %s, position: [0.3, 0, -0.5]}\nsolids:\n",
        inertia(3), inertia(3), inertia(3));
    put(text, "  s:\n    box: {size: [0.2 m, 0.2 m, 0.5 m], elements: [2, 2, 4]}\n    material: {density: 1000 kg/m^3, young: 1 MPa, poisson: 0.3}\n");
    put(text, "  t:\n    box: {size: [0.2 m, 0.2 m, 0.5 m], elements: [3, 2, 4], at: [0, 0, -0.5]}\n    material: {density: 1000 kg/m^3, young: 1 MPa, "
              "poisson: 0.3}\n    "
              "fixed: bottom\n    contact: {material: m}\n");
    put(text, "joints:\n  bond: {type: fixed, bodies: [s, plate], group: top}\n  other: {type: fixed, bodies: [s, t], group: bottom}\n  rod: {type: distance, "
              "bodies: "
              "[s, hung], at: [0.1, 0, -0.25], to: [0.3, 0, -0.5]}\nprobes: {f: {body_joint: other}}\n");
}

TEST(one_state)
{
    char text[ROOM];
    static const int THREADS[] = {1, 2, 3, 8};
    uint64_t hash[4], middle = 0;
    double force = 0;
    put_machine(text);
    for (int k = 0; k < 4; k++) {
        lab l = open_lab(text, THREADS[k]);
        lab_run(&l, 0.15);
        hash[k] = talus_world_hash(l.world);
        CHECK(hash[k] == hash[0]);
        close_lab(&l);
    }
    lab l = open_lab(text, 1), other = open_lab(text, 1);
    lab_run(&l, 0.1);
    middle = talus_world_hash(l.world), force = lab_probe(&l, "f");
    CHECK(force > 1);
    lab_restore(&l, &other);
    CHECK(talus_world_hash(other.world) == middle);
    CHECK(lab_probe(&other, "f") == force);
    lab_run(&other, 0.15);
    CHECK(talus_world_hash(other.world) == hash[0]);
    close_lab(&l), close_lab(&other);
}

int main(int argc, char **argv)
{
    RUN(rod_with_a_mass_at_its_end);
    RUN(glued_halves_are_one);
    RUN(meshes_that_differ);
    RUN(weights);
    RUN(momentum_and_energy);
    RUN(reciprocity);
    RUN(link_with_a_tip);
    RUN(drive_and_stop);
    RUN(a_ball_on_a_glued_plate);
    RUN(drift);
    RUN(one_state);
    return TEST_RESULT;
}
