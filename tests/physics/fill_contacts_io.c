/* Bodies that fill closed surfaces (theory §7.9) in contact, where they yield, and where they are held, against closed forms and balances. */
#include "closed_shapes.h"
#include "solid_text.h"

#include "talus/joint.h"

static shape body;
static const double G = 9.81;

/* ---- scenes --------------------------------------------------------------------------------------------------------- */

static void put_points(char text[ROOM], const double (*x)[2], int n)
{
    for (int i = 0; i < n; i++) put(text, "%s[%.9g, %.9g]", i ? ", " : "outline: [", x[i][0], x[i][1]);
    put(text, "]");
}

/* A list of as many numbers as the world has dimensions: along x, and up. */
static void put_vector(char text[ROOM], const char *name, int dimension, double x, double up)
{
    put(text, dimension == 2 ? "%s[%.17g, %.17g]" : "%s[%.17g, 0, %.17g]", name, x, up);
}

enum { MOST = 4000 };
static double volume[MOST], u[MOST][3];

/* The mesh of the solid, its motion, and ∫ N dV of its nodes, N linear along each axis, by Gauss's points; how large it is. */
static talus_solid_mesh look(const lab *l, double *whole)
{
    static const int SIDE[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};
    talus_solid_mesh m;
    if (!talus_solid_get_mesh(l->world, talus_solid_at(l->world, 0), &m) || m.nodes > MOST) exit(1);
    const int corners = 1 << m.dimension;
    talus_solid_motion(l->world, talus_solid_at(l->world, 0), u, NULL);
    memset(volume, 0, sizeof volume), *whole = 0;
    for (int p = 0; p < m.elements * corners; p++) { /* points of the quadrature */
        const int *node = m.node + m.begin[p / corners], *at = SIDE[p % corners];
        tl_mat3 J = {{{0, 0, 0}, {0, 0, 0}, {0, 0, m.dimension == 2}}};
        double N[8];
        for (int c = 0; c < corners; c++) {
            double f[3] = {1, 1, 1};
            for (int k = 0; k < m.dimension; k++) f[k] = 0.5 * (1 + SIDE[c][k] * at[k] / sqrt(3));
            N[c] = f[0] * f[1] * f[2];
            for (int k = 0; k < m.dimension; k++)
                for (int i = 0; i < m.dimension; i++) J.m[i][k] += 0.5 * SIDE[c][k] * f[(k + 1) % 3] * f[(k + 2) % 3] * m.position[node[c]][i];
        }
        const double share = tl_mat3_determinant(&J);
        for (int c = 0; c < corners; c++) volume[node[c]] += share * N[c];
        *whole += share;
    }
    return m;
}

static double total_energy(const lab *l)
{
    double kinetic, potential;
    talus_world_energy(l->world, &kinetic, &potential);
    return kinetic + potential;
}

static void begin(char text[ROOM], int dimension, double step, double theta, double tolerance)
{
    text[0] = '\0';
    put(text, "dimension: %d\ntime: {end: 10 s, step: %.17g s}\nintegrator: {theta: %g}\nsolver: {tolerance: %g}\nmaterials: {m: {density: 1000}}\n", dimension,
        step, theta, tolerance);
}

/* A body that is a half-space, in the plane a half-plane, up to a height or down to it. */
static void put_plate(char text[ROOM], int dimension, const char *kind, double height, int facing)
{
    put(text,
        dimension == 2 ? "{kind: %s, shapes: [{half_plane: {point: [0, %g], normal: [0, %d], material: m}}]}\n"
                       : "{kind: %s, shapes: [{half_space: {point: [0, 0, %g], normal: [0, 0, %d], material: m}}]}\n",
        kind, height, facing);
}

static void put_floor(char text[ROOM], int dimension, double friction)
{
    put(text, "interactions: [{friction: %g}]\nbodies:\n  floor: ", friction);
    put_plate(text, dimension, "fixed", 0, 1);
}

/* A block, in space as deep as it is wide, that is filled turned by 30° against its lattice, in space about an axis askew to it, and turned back: its middle
 * then is at `height`. */
static void put_block(char text[ROOM], int dimension, double wide, double high, double spacing, double height)
{
    static const double ANGLE = TL_PI / 6, AXIS[3] = {0.5, 1, 0.3};
    const double c = cos(ANGLE), s = sin(ANGLE), corner[4][2] = {{-wide / 2, -high / 2}, {wide / 2, -high / 2}, {wide / 2, high / 2}, {-wide / 2, high / 2}};
    double x[4][2];
    put(text, "solids:\n  s:\n    fill: {");
    for (int i = 0; i < 4; i++) x[i][0] = c * corner[i][0] - s * corner[i][1], x[i][1] = s * corner[i][0] + c * corner[i][1];
    if (dimension == 2) put_points(text, (const double(*)[2])x, 4);
    else {
        shape_box(&body, wide, wide, high);
        shape_turn(&body, tl_load3(AXIS), ANGLE);
        CHECK(shape_write(&body, "filled-block.stl", 0));
        put(text, "surface: filled-block.stl");
    }
    put(text, ", spacing: %g}\n    meshfree: {}\n", spacing);
    put_vector(text, "    position: ", dimension, 0, height);
    if (dimension == 2) put(text, "\n    angle: -30 deg\n");
    else put(text, "\n    orientation: {axis_angle_deg: [%g, %g, %g, -30]}\n", AXIS[0], AXIS[1], AXIS[2]);
}

/* ---- bodies that lie, slide and strike ------------------------------------------------------------------------------- */

/* Of the middle, along x and up. */
static void velocity_of(const lab *l, double out[2])
{
    static const double ORIGIN[3] = {0, 0, 0};
    talus_solid_mesh m;
    double linear[3], spin[3];
    (void)talus_solid_get_mesh(l->world, talus_solid_at(l->world, 0), &m);
    talus_body_velocity(l->world, talus_solid_body(l->world, talus_solid_at(l->world, 0)), ORIGIN, linear, spin);
    out[0] = linear[0], out[1] = linear[m.dimension - 1];
}

static void put_forces(char text[ROOM], int dimension)
{
    put(text,
        "probes:\n  kinetic: {solid_energy: s, quantity: kinetic}\n  elastic: {solid_energy: s, quantity: elastic}\n  along: {contact_force: s, quantity: x}\n"
        "  up: {contact_force: s, quantity: %c}\n  x: {displacement: s, at: [0, 0.01%s], quantity: x}\n",
        LETTER[dimension - 1], dimension == 3 ? ", 0.02" : "");
}

/* A block of 40 × 20 cm on a floor, under gravity that is turned by a slope. */
static lab block_on_floor(int dimension, double slope, double friction, const double velocity[2])
{
    char text[ROOM];
    begin(text, dimension, 5e-3, 1, 1e-9);
    put_vector(text, "gravity: ", dimension, G * sin(slope), -G * cos(slope));
    put(text, "\n");
    put_floor(text, dimension, friction);
    put_block(text, dimension, 0.4, 0.2, dimension == 2 ? 0.05 : 0.1, 0.1);
    put(text, "    material: {density: 1000, young: 2e5, poisson: 0.3}\n    damping: {stiffness: 10 ms}\n    contact: {material: m, as: nodes}\n");
    put_vector(text, "    velocity: ", dimension, velocity[0], velocity[1]);
    put(text, "\n");
    put_forces(text, dimension);
    return open_lab(text, 1);
}

/* The floor carries the weight along both axes, under friction that is more than enough, and nothing moves any more. */
TEST(lies)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double slope = 0.2, fall[2] = {0, -0.01};
        lab l = block_on_floor(dimension, slope, 0.5, fall);
        const double weight = G * 2 * lab_probe(&l, "kinetic") / (fall[1] * fall[1]);
        lab_run(&l, 1.5);
        const double x = lab_probe(&l, "x");
        lab_run(&l, 2);
        CHECK_CLOSE(lab_probe(&l, "up"), weight * cos(slope), 1e-6);
        CHECK_CLOSE(lab_probe(&l, "along"), -weight * sin(slope), 1e-6);
        CHECK_NEAR(lab_probe(&l, "x"), x, 0.5 * 1e-9); /* the solver's tolerance for as long */
        close_lab(&l);
    }
}

/* What slides is faster by g (sin − μ cos) t; the floor's force is on the cone of friction, in the plane to rounding, in space where nodes slide alike. */
TEST(slides)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double slope = 0.4, friction = 0.3, start[2] = {2, 0}, T = 0.5;
        lab l = block_on_floor(dimension, slope, friction, start);
        double now[2], off = 0;
        while (talus_world_time(l.world) < T - 1e-6) {
            lab_step(&l);
            off = fmax(off, fabs(lab_probe(&l, "along") + friction * lab_probe(&l, "up")));
        }
        velocity_of(&l, now);
        if (dimension == 2) CHECK_NEAR(off, 0, 1e-9 * lab_probe(&l, "up"));
        CHECK_CLOSE(now[0] - start[0], G * (sin(slope) - friction * cos(slope)) * T, 1e-4);
        CHECK_NEAR(now[1], 0, 1e-5);
        close_lab(&l);
    }
}

/* A bar of ν = 0 that strikes a wall: momentum is what the wall's forces add up to, it leaves after 2L/c as fast as it came but for what of it is left
 * swinging, and what strikes first, a layer of cells at most, stops (theory §10.4). Energy never grows, but for what a step's middle sees of strains that are
 * not small, (ω h)²/12 V/c of it at most, ω = 2c/s. Returns what is lost of it. */
static double strike(int dimension, double spacing)
{
    char text[ROOM];
    const double L = 1, C = 100, V = 0.1, h = 0.25 * spacing / C, coming[2] = {0, -V};
    begin(text, dimension, h, 0.5, 1e-10);
    put_floor(text, dimension, 0);
    put_block(text, dimension, 0.3, L, spacing, 0.5 * L + 7.5 * h * V);
    put(text, "    material: {density: 1000, young: 1e7, poisson: 0}\n    contact: {material: m, as: nodes}\n");
    put_vector(text, "    velocity: ", dimension, coming[0], coming[1]);
    put(text, "\n");
    put_forces(text, dimension);
    lab l = open_lab(text, 1);
    const double M = 2 * lab_probe(&l, "kinetic") / (V * V), first = total_energy(&l);
    double last = first, gain = 0, lasts = 0, impulse = 0, now[2];
    while (talus_world_time(l.world) < 3 * L / C) {
        lab_step(&l);
        const double energy = total_energy(&l), up = lab_probe(&l, "up");
        gain = fmax(gain, energy - last), last = energy;
        lasts += up > 0 ? h : 0, impulse += h * up;
    }
    velocity_of(&l, now);
    CHECK_CLOSE(impulse, M * (now[1] + V), 1e-8);
    CHECK(gain < 0.5 * 0.5 / 12 * V / C * first);
    CHECK_NEAR(lasts, 2 * L / C, 4 * spacing / C + 2 * h);
    CHECK(last > (1 - spacing / L) * first);
    CHECK(now[1] > 0.85 * V && fabs(now[0]) < 1e-6 * V);
    close_lab(&l);
    return 1 - last / first;
}

TEST(strikes)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double coarse = strike(dimension, 0.1), fine = strike(dimension, dimension == 3 ? 0.07 : 0.05);
        CHECK(fine < coarse);
    }
}

/* ---- Hertz ------------------------------------------------------------------------------------------------------------ */

/* How far the pole of an elastic ball is pressed in by two plates, over Hertz's a²/R, where a is the radius of contact: Hertz's pressure on both caps by
 * Legendre's functions, and what a harmonic of pressure moves (Lur'e 1964, Three-dimensional problems of the theory of elasticity): with x the cosine,
 * u_n = p_n/4G · ((n + 1)(n − 2 + 4ν) − n (n² + 2n − 1 + 2ν)/(n − 1))/(n² + n + 1 + ν (2n + 1)). */
static double pressed_in(double a, double nu)
{
    enum { POINTS = 4000, TERMS = 2000 };
    double sum = 0;
    static double before[POINTS], now[POINTS];
    const double steep = 2 / (TL_PI * (1 - nu)) * a; /* of p/2G: 2 a E/(π (1 − ν²) R), E = 2G (1 + ν) */
    for (int n = 0; n <= TERMS; n++) {
        double p = 0;
        for (int i = 0; i < POINTS; i++) { /* r = a sin φ, p ~ cos φ */
            const double phi = (i + 0.5) * 0.5 * TL_PI / POINTS, r = a * sin(phi), x = sqrt(1 - r * r);
            const double next = n == 0 ? 1 : n == 1 ? x : ((2 * n - 1) * x * now[i] - (n - 1) * before[i]) / n;
            before[i] = now[i], now[i] = next;
            p += next * cos(phi) * r / x * a * cos(phi) * 0.5 * TL_PI / POINTS; /* dx = r dr/x */
        }
        if (n % 2) continue;
        const double moves = (n + 1) * (n - 2 + 4 * nu) - (n == 0 ? 0 : n * (n * (n + 2.0) - 1 + 2 * nu) / (n - 1));
        sum -= 0.5 * (2 * n + 1) * p * steep * moves / (n * (n + 1.0) + 1 + nu * (2 * n + 1));
    }
    return sum / (a * a);
}

/* Force of a plate on a round body of radius 1, by halves of it behind planes of symmetry, over that of the closed form for the same approach. */
static double squeeze(int dimension, double a, double spacing)
{
    char text[ROOM], kind[64];
    const double E = 1e6, nu = 0.3, elastic = E / (1 - nu * nu);
    const double force = dimension == 3 ? 4.0 / 3 * elastic * a * a * a : TL_PI / 4 * elastic * a * a;
    const double way = dimension == 3 ? a * a * pressed_in(a, nu) : 0.5 * a * a * (log(4 / a) - 0.5);
    begin(text, dimension, 0.1 * spacing, 1, 1e-6);
    snprintf(kind, sizeof kind, "imposed, motion: {%c: \"-%.9g*ramp(t, 0, 0.3)\"}", LETTER[dimension - 1], way);
    put(text, "interactions: [{friction: 0}]\nbodies:\n  press: ");
    put_plate(text, dimension, kind, 1, -1);
    put(text, "solids:\n  s:\n    fill: {");
    if (dimension == 2) {
        double x[65][2] = {{0, 0}};
        for (int i = 0; i < 64; i++) x[i + 1][0] = cos(TL_PI * i / 126), x[i + 1][1] = sin(TL_PI * i / 126);
        x[64][0] = 0;
        put_points(text, (const double(*)[2])x, 65);
        put(text, ", spacing: %.9g, groups: {x: {region: [[-1, -9], [1e-9, 9]]}, y: {region: [[-9, -1], [9, 1e-9]]}}}\n", spacing);
    } else {
        shape_eighth(&body, 1, 24);
        CHECK(shape_write(&body, "filled-eighth.stl", 0));
        put(text,
            "surface: filled-eighth.stl, spacing: %.9g, groups: {x: {region: [[-1, -9, -9], [1e-9, 9, 9]]}, y: {region: [[-9, -1, -9], [9, 1e-9, 9]]}, "
            "z: {region: [[-9, -9, -1], [9, 9, 1e-9]]}}}\n",
            spacing);
    }
    put(text, "    meshfree: {}\n    fixed: [{group: x, along: x}, {group: y, along: y}%s]\n", dimension == 3 ? ", {group: z, along: z}" : "");
    put(text, "    material: {density: 1000, young: %g, poisson: %g}\n    damping: {mass: 20, stiffness: 5 ms}\n    contact: {material: m, as: nodes}\n", E,
        nu);
    put(text, "probes: {f: {contact_force: press, quantity: %c}}\n", LETTER[dimension - 1]);
    lab l = open_lab(text, 1);
    (void)lab_run(&l, 0.4);
    const double f = lab_probe(&l, "f") * (dimension == 3 ? 4 : 2);
    close_lab(&l);
    return f / force - 1;
}

/* A radius of contact that is known to a spacing changes the force by 3/2 (s/a)², in the plane, where the approach is a²/2 (ln(4/a) − 1/2), by (s/a)² over that
 * logarithm, and makes it less, for it is largest at the right one. St. Venant and Kirchhoff's law is softer by 3/2 of the strain (theory §7.6), of the mean
 * pressure over E/(1 − ν²). */
TEST(hertz)
{
    CHECK_NEAR(pressed_in(0.02, 0.3), 1, 0.02); /* a small cap does not see the other, nor that it is round */
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double a = dimension == 2 ? 0.08 : 0.2, softer = dimension == 2 ? 1.5 * TL_PI / 8 * a : 2 / TL_PI * a;
        double off[2];
        for (int k = 0; k < 2; k++) {
            const double s = dimension == 2 ? 1.0 / (20 << k) : 1.0 / (k == 0 ? 5 : 10),
                         known = dimension == 2 ? s * s / (a * a) / (log(4 / a) - 0.5) : 1.5 * s * s / (a * a);
            off[k] = squeeze(dimension, a, s);
            CHECK(off[k] < 0);
            if (known + softer < 1)
                CHECK(off[k] > -known - softer); /* a force that is all lost is no more than that; the coarse ball has to be the worse one */
        }
        CHECK(fabs(off[1]) < 0.75 * fabs(off[0]));
    }
}

/* ---- yield ------------------------------------------------------------------------------------------------------------ */

static const double NU = 0.3, COHESION = 1e4, FRICTION = 22 * TL_PI / 180;

/* Axial stress between free sides at which the cone flows: that of Mohr and Coulomb; in plane strain with another friction and cohesion (theory §7.4). */
static double yield_stress(int dimension)
{
    const double k = 2 * sin(FRICTION) / (sqrt(3) * (3 - sin(FRICTION))), xi = 6 * cos(FRICTION) / (sqrt(3) * (3 - sin(FRICTION)));
    const double phi = dimension == 3 ? FRICTION : atan(3 * k / sqrt(1 - 12 * k * k)), c = dimension == 3 ? COHESION : xi * COHESION / sqrt(1 - 12 * k * k);
    return 2 * c * cos(phi) / (1 - sin(phi));
}

static void put_soil(char text[ROOM], double young, const char *cap)
{
    put(text,
        "    material: {kind: drucker-prager, density: 1000, young: %g, poisson: %g, cohesion: %g, friction: 22 deg, tension: 3e4, cap: %s, cap_ratio: 4, "
        "compaction: 0.1, hardening: 1e-6}\n",
        young, NU, COHESION, cap);
}

/* A column 40 cm high between smooth plates, in the plane askew to its lattice, in space a cylinder of 32 sides. */
static void put_column(char text[ROOM], int dimension, double spacing)
{
    double x[32][2];
    if (dimension == 2) {
        put_block(text, dimension, 0.4, 0.4, spacing, 0.2);
        return;
    }
    for (int i = 0; i < 32; i++) x[i][0] = 0.2 * cos(TL_PI * i / 16), x[i][1] = 0.2 * sin(TL_PI * i / 16);
    shape_prism(&body, (const double(*)[2])x, 32, 0, 0.4);
    CHECK(shape_write(&body, "filled-column.stl", 0));
    put(text, "solids:\n  s:\n    fill: {surface: filled-column.stl, spacing: %g}\n    meshfree: {}\n", spacing);
}

/* The force of flow is yield stress by section, by that of the mesh to 1 %, for the weakest section of it gives way; in the plane, where the mesh is the block,
 * to 0.3 %, for stress across the plane comes to that of flow only by and by. Stress is that of places without strain: by this section a force is less by the
 * share by which the column is shorter. Work is what is stored, and by what strain goes on where stress has come to its limit. Returns what the section of the
 * mesh is short of. */
static double press(int dimension, double spacing)
{
    char text[ROOM], kind[64];
    const double young = 2e7, way = dimension == 2 ? 5e-3 : 2e-3, H = 0.4, T = 0.5, h = dimension == 2 ? 1e-3 : 2e-3;
    snprintf(kind, sizeof kind, "imposed, motion: {%c: \"-%g*ramp(t, 0, 0.5)\"}", LETTER[dimension - 1], way);
    begin(text, dimension, h, 1, 1e-7);
    put_floor(text, dimension, 0);
    put(text, "  press: ");
    put_plate(text, dimension, kind, H, -1);
    put_column(text, dimension, spacing);
    put_soil(text, young, "0");
    put(text,
        "    damping: {mass: 10, stiffness: 1 ms}\n    contact: {material: m, as: nodes}\nprobes:\n  f: {contact_force: press, quantity: %c}\n"
        "  elastic: {solid_energy: s, quantity: elastic}\n",
        LETTER[dimension - 1]);
    lab l = open_lab(text, 1);
    double work = 0, f = 0, at = 0, V;
    while (talus_world_time(l.world) < T - 0.5 * h) {
        lab_step(&l);
        const double x = talus_world_time(l.world) / T, next = way * x * x * x * (10 - 15 * x + 6 * x * x), now = lab_probe(&l, "f");
        work += 0.5 * (f + now) * (next - at), f = now, at = next;
    }
    (void)look(&l, &V);
    const double e = way / H, S = yield_stress(dimension), strain = 0.5 * (1 - (1 - e) * (1 - e)), whole = dimension == 3 ? 16 * sin(TL_PI / 16) * 0.04 : 0.4;
    CHECK_CLOSE(f, (1 - e) * S * V / H, dimension == 2 ? 3e-3 : 0.01);
    if (dimension == 3) CHECK_CLOSE(work - lab_probe(&l, "elastic"), V * S * (strain - S / young), 0.01);
    close_lab(&l);
    return fabs(V / H / whole - 1);
}

TEST(yields)
{
    CHECK(press(2, 0.1) < 1e-6);
    const double coarse = press(3, 0.1), fine = press(3, 0.08);
    CHECK(fine < 0.6 * coarse);
}

/* An eighth of a ball behind planes of symmetry, pressed from all sides, begins to compact where tr σ = −κ, by tr ε_p = −W (1 − exp(−D (−tr σ − κ))), and comes
 * back along the elastic line: what is left of its volume is that (theory §7.4); Green's strain of all of it by one displacement. Pressure acts on the area
 * that there is, S = λ p; damping of mass keeps ρ α R v of it from within, v = 6 cm/s at most, by which compaction is short of 3 D W of that. */
TEST(compacts)
{
    char text[ROOM];
    const double young = 2e8, P = 1e6, kappa = 2.5e5, D = 1e-6, W = 0.1, K = young / (3 * (1 - 2 * NU)), rate = 100, lag = 1000 * rate * 0.06 * 3 * D * W;
    begin(text, 3, 0.01, 1, 1e-8);
    shape_eighth(&body, 1, 12);
    CHECK(shape_write(&body, "filled-eighth.stl", 0));
    put(text,
        "solids:\n  s:\n    fill: {surface: filled-eighth.stl, spacing: 0.2, groups: {all: {region: [[-9, -9, -9], [9, 9, 9]]}, x: {region: [[-1, -9, -9], "
        "[1e-9, 9, 9]]}, "
        "y: {region: [[-9, -1, -9], [9, 1e-9, 9]]}, z: {region: [[-9, -9, -1], [9, 9, 1e-9]]}}}\n    meshfree: {}\n"
        "    fixed: [{group: x, along: x}, {group: y, along: y}, {group: z, along: z}]\n");
    put_soil(text, young, "250 kPa");
    put(text,
        "    damping: {mass: %g}\n    loads: [{on: all, pressure: \"1e6*(ramp(t, 0, 1) - ramp(t, 1.2, 1.7))\"}]\n"
        "probes:\n  x: {displacement: s, at: [0.9, 0, 0], quantity: x}\n  flow: {solid_yield: s, at: [0.3, 0.1, 0.2]}\n  edge: {solid_yield: s, at: [0.6, 0.6, "
        "0.2]}\n"
        "  cap: {solid_yield: s, at: [0.3, 0.1, 0.2], quantity: cap}\n",
        rate);
    lab l = open_lab(text, 1);
    while (talus_world_time(l.world) < 1.2 - 1e-6) {
        lab_step(&l);
        const double t = fmin(1, talus_world_time(l.world)), p = 3 * P * t * t * t * (10 - 15 * t + 6 * t * t);
        if (p < 0.99 * kappa) CHECK(lab_probe(&l, "flow") == 0 && lab_probe(&l, "edge") == 0);
        if (p > 1.01 * kappa) CHECK(lab_probe(&l, "flow") > 0 && lab_probe(&l, "edge") > 0);
    }
    const double a = 1 + lab_probe(&l, "x") / 0.9, left = -W * (1 - exp(-D * (3 * P * a - kappa)));
    CHECK_NEAR(1.5 * (a * a - 1), left - P * a / K, lag);
    CHECK_CLOSE(lab_probe(&l, "cap"), 3 * P * a, 3000 * rate * 0.06 / (3 * P) + 1e-3);
    lab_run(&l, 2);
    const double b = 1 + lab_probe(&l, "x") / 0.9;
    CHECK_NEAR(1.5 * (b * b - 1), left, lag);
    CHECK_NEAR(1.5 * (b * b - a * a), P * a / K, 0.02 * P / K);
    CHECK_NEAR(lab_probe(&l, "flow"), -left / sqrt(3), lag);
    CHECK_NEAR(lab_probe(&l, "edge"), -left / sqrt(3), lag);
    close_lab(&l);
}

/* ---- held ------------------------------------------------------------------------------------------------------------------ */

/* A ball or a disk of radius ½ m that is held at its left end under its weight, by its nodes, or by a joint to a body that is fixed: what holds it is its
 * weight and, about any point, the moment of it. */
static void hold(int dimension, bool joint)
{
    char text[ROOM];
    begin(text, dimension, 0.01, 1, 1e-9);
    put_vector(text, "gravity: ", dimension, 0, -G);
    put(text, "\n%ssolids:\n  s:\n    fill: {", joint ? "bodies: {wall: {kind: fixed}}\n" : "");
    if (dimension == 2) {
        double x[60][2];
        for (int i = 0; i < 60; i++) x[i][0] = 0.5 * cos(TL_PI * i / 30), x[i][1] = 0.5 * sin(TL_PI * i / 30);
        put_points(text, (const double(*)[2])x, 60);
    } else {
        shape_ball(&body, 0.5, 12);
        CHECK(shape_write(&body, "filled-ball.stl", 0));
        put(text, "surface: filled-ball.stl");
    }
    put(text, ", spacing: %g, groups: {end: {region: %s}}}\n    meshfree: {}\n", dimension == 2 ? 0.125 : 0.2,
        dimension == 2 ? "[[-1, -1], [-0.3, 1]]" : "[[-1, -1, -1], [-0.3, 1, 1]]");
    put(text, "    material: {density: 1000, young: 1e6, poisson: 0.3}\n    damping: {mass: 20, stiffness: 5 ms}\n");
    put(text, joint ? "joints: {bond: {type: fixed, bodies: [wall, s], group: end}}\n" : "    fixed: [end]\n    start: settled\n");
    lab l = open_lab(text, 1);
    lab_run(&l, joint ? 1.5 : 0.05);
    double whole;
    const talus_solid_mesh m = look(&l, &whole);
    tl_vec3 force = {0, 0, 0}, moment = {0, 0, 0}, weight = {0, 0, 0}, turns = {0, 0, 0};
    talus_body_joint_state bond = {.error = 0};
    if (joint) CHECK(talus_body_joint_get(l.world, 0, &bond) == TALUS_OK);
    const tl_vec3 about = joint ? tl_load3(bond.point) : tl_v3(-0.5, 0, 0);
    for (int i = 0; i < m.nodes; i++) {
        double f[3] = {0, 0, 0};
        const tl_vec3 x = tl_sub(tl_add(tl_load3(m.position[i]), tl_load3(u[i])), about), down = tl_v3(0, dimension == 2 ? -G : 0, dimension == 3 ? -G : 0);
        talus_solid_resultant(l.world, talus_solid_at(l.world, 0), &i, 1, f);
        force = tl_add(force, tl_load3(f)), moment = tl_add(moment, tl_cross(x, tl_load3(f)));
        weight = tl_add(weight, tl_scale(1000 * volume[i], down)), turns = tl_add(turns, tl_cross(x, tl_scale(1000 * volume[i], down)));
    }
    const double size = tl_norm(weight);
    CHECK(tl_norm(turns) > 0.1 * size);
    CHECK(tl_norm(tl_add(force, weight)) < 1e-6 * size);
    CHECK(tl_norm(tl_add(moment, turns)) < 1e-6 * size);
    if (joint) {
        CHECK(tl_norm(tl_add(tl_load3(bond.force), weight)) < 1e-6 * size);
        CHECK(tl_norm(tl_add(tl_load3(bond.moment), turns)) < 1e-6 * size);
    }
    close_lab(&l);
}

TEST(held)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int joint = 0; joint < 2; joint++) hold(dimension, joint);
}

int main(int argc, char **argv)
{
    RUN(lies);
    RUN(slides);
    RUN(strikes);
    RUN(hertz);
    RUN(yields);
    RUN(compacts);
    RUN(held);
    static const char *const LEFT[] = {"filled-ball.stl", "filled-block.stl", "filled-column.stl", "filled-eighth.stl"};
    for (size_t i = 0; i < sizeof LEFT / sizeof *LEFT; i++) (void)unlink(LEFT[i]);
    return TEST_RESULT;
}
