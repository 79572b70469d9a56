/* Tyres of a scene, in the plane and in space: an implicit spring is the trapezoidal rule; a tyre stands as deep as it was said, gives back what it took up,
 * rolls as far as chord over arc; its forces over slip and slip angle are those of the brush model; mistakes. */
#include "lab.h"

enum { SEGMENTS = 60 };
static const double PI = 3.14159265358979323846;
static const double RADIUS = 0.6, DEFLECTION = 0.03, LOAD = 20e3, FRICTION = 0.8, SLIP_STIFFNESS = 200e3, CORNERING = 160e3; /* as the scene has it */
static const double ROUNDING = 0.04, TYRE = 2, RIM = 100, HUB = 10;

/* ---- an implicit spring --------------------------------------------------------------------------------------------------------- */

/* A mass on a slide that starts at 1 m, with h ω as given. The trapezoidal rule turns by φ each step, tan(φ/2) = h ω/2, and keeps the energy. */
static double check_spring(int dimension, double step)
{
    enum { STEPS = 100 };
    const double k = 1e4, m = 4, omega = sqrt(k / m), phi = 2 * atan(0.5 * step * omega);
    char text[1000];
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 1 h, step: %.17g}\nmechanisms:\n  m:\n    bodies: {b: {mass: %g, inertia: 1}}\n"
             "    joints: {s: {type: prismatic, parent: ground, child: b, axis: [0.6, 0.8%s], position: 1 m}}\n"
             "    forces: {s: {joint: s, stiffness: %g, implicit: true}}\n"
             "probes:\n  kinetic: {energy: kinetic}\n  potential: {energy: potential}\n",
             dimension, step, m, dimension == 2 ? "" : ", 0", k);
    lab l = open_lab(text, 1);
    const talus_joint_id slide = talus_joint_find(l.world, "s");
    for (int i = 0; i < STEPS; i++) (void)lab_step(&l);
    const double at = talus_joint_position(l.world, slide, 0);
    CHECK_NEAR(at, cos(STEPS * phi), 1e-9);
    CHECK_NEAR(lab_probe(&l, "kinetic") + lab_probe(&l, "potential"), 0.5 * k, 1e-8 * k);
    close_lab(&l);
    return at - cos(omega * STEPS * step);
}

TEST(implicit_spring)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        (void)check_spring(dimension, 1);                                                          /* h ω = 50 */
        const double coarse = check_spring(dimension, 2e-4), fine = check_spring(dimension, 1e-4); /* to 1 and to ½ rad: errors ωt (hω)²/12 sin ωt */
        CHECK_NEAR(coarse / fine, 8 * sin(1.0) / sin(0.5), 0.01 * 8 * sin(1.0) / sin(0.5));
    }
}

/* ---- a tyre --------------------------------------------------------------------------------------------------------------------- */

/* Segments roll on a plane that is raised by their rounding: radius of their middles, half of the angle that they stand on, half of the patch's length, and
 * the way per turn over 2π where nothing slides, chord over arc. */
typedef struct patch {
    double radius, angle, half, rolling;
} patch;

static patch patch_of(double deflection)
{
    const double radius = RADIUS - ROUNDING, angle = acos(1 - deflection / radius), half = radius * sin(angle);
    return (patch){radius, angle, half, ROUNDING + half / angle};
}

static void write_scene(char *text, size_t size, int dimension, const char *step, const char *damping, const char *joints)
{
    const bool flat = dimension == 2;
    snprintf(text, size,
             "dimension: %d\ngravity: [%s, -9.81 m/s^2]\ntime: {end: 100 s, step: %s}\n"
             "parameters: {weight: %g N}\nmaterials: {rubber: {density: 1200 kg/m^3}, ground: {density: 2000 kg/m^3}}\n"
             "interactions: [{between: [rubber, ground], friction: %g}]\n"
             "bodies:\n  floor: {kind: fixed, material: ground, shapes: [%s]}\n%s"
             "tyres:\n  t: {on: wheel, at: [%s], %sradius: %g m, rounding: %g m, mass: %g kg, load: weight, deflection: %g m, slip_stiffness: %g, %ssegments: "
             "%d, damping: %s, material: rubber}\n"
             "probes:\n  kinetic: {energy: kinetic}\n  potential: {energy: potential}\n",
             dimension, flat ? "0" : "0, 0", step, LOAD, FRICTION,
             flat ? "{half_plane: {point: [0, 0], normal: [0, 1]}}" : "{half_space: {point: [0, 0, 0], normal: [0, 0, 1]}}", joints,
             flat ? "0.05, 0" : "0.05, 0, 0", flat ? "" : "width: 0.3 m, ", RADIUS, ROUNDING, TYRE, DEFLECTION, SLIP_STIFFNESS,
             flat ? "" : "cornering_stiffness: 160 kN/rad, ", SEGMENTS, damping);
}

/* A free wheel of the load's weight, with its axle at a height. */
static lab open_free_by(int dimension, const char *scheme, const char *step, const char *damping, double height)
{
    char text[4000], joints[800];
    const double mass = LOAD / 9.81 - TYRE;
    snprintf(joints, sizeof joints,
             "mechanisms:\n  m:\n    bodies: {wheel: {mass: %.17g, inertia: 60, centre_of_mass: [0.05, 0%s]}}\n    joints: {wheel: {type: %s, parent: ground, "
             "child: wheel, child_at: [0.05, 0%s], position: {%s: "
             "%g m}}}\n",
             mass, dimension == 2 ? "" : ", 0", dimension == 2 ? "planar" : "free", dimension == 2 ? "" : ", 0", dimension == 2 ? "y" : "z", height);
    write_scene(text, sizeof text, dimension, step, damping, joints);
    snprintf(text + strlen(text), sizeof text - strlen(text), "integrator: {scheme: %s}\n", scheme);
    return open_lab(text, 1);
}

static lab open_free(int dimension, const char *step, const char *damping, double height) { return open_free_by(dimension, "moreau", step, damping, height); }

/* It stands as deep as was said: forces at points Δ apart sum a parabola over ±a to 1/4 (Δ/a)² of it, of which the depth takes two thirds: F ~ depth^1.5. */
static void check_standing(int dimension, const char *scheme)
{
    lab l = open_free_by(dimension, scheme, "10 ms", "30 ms", RADIUS - 0.8 * DEFLECTION);
    const patch p = patch_of(DEFLECTION);
    const double pitch = 2 * PI / SEGMENTS / p.angle;
    const talus_joint_id wheel = talus_joint_find(l.world, "wheel");
    lab_run(&l, dimension == 2 ? 1 : 0.8);
    const double deep = RADIUS - talus_joint_position(l.world, wheel, dimension - 1);
    printf("%d: stands %.5g m deep\n", dimension, deep);
    CHECK_NEAR(deep, DEFLECTION, DEFLECTION * pitch * pitch / 6);
    CHECK_NEAR(talus_joint_position(l.world, wheel, 0), 0, 1e-4);
    close_lab(&l);
}

TEST(standing)
{
    static const char *const SCHEMES[] = {"moreau", "spook", "generalized_alpha"};
    for (int i = 0; i < 3; i++) check_standing(2, SCHEMES[i]);
    for (int i = 0; i < 2; i++) check_standing(3, SCHEMES[i]); /* the third takes ten times as long */
}

/* Without a damper all that is lost is what segments lose as they stop on the ground, of ever less mass as the step gets shorter (theory §4.2): h². */
static double lost_in_bounce(int dimension, const char *step)
{
    lab l = open_free(dimension, step, "0", RADIUS + 0.02);
    (void)lab_step(&l);
    const double before = lab_probe(&l, "kinetic") + lab_probe(&l, "potential");
    lab_run(&l, 0.3);
    const talus_joint_id wheel = talus_joint_find(l.world, "wheel");
    CHECK(talus_joint_velocity(l.world, wheel, dimension - 1) > 0); /* it comes up again */
    const double lost = before - lab_probe(&l, "kinetic") - lab_probe(&l, "potential");
    printf("%d: by %s loses %.4g J of %.4g J\n", dimension, step, lost, LOAD * 0.02);
    close_lab(&l);
    return lost;
}

TEST(bounce)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double coarse = lost_in_bounce(dimension, "10 ms"), fine = lost_in_bounce(dimension, "5 ms");
        CHECK(coarse > 0 && fine > 0 && coarse < 0.05 * LOAD * 0.02);
        CHECK(fine < 0.5 * coarse);
    }
}

/* ---- on a rig: the axle is led at a height, the wheel turns free or as it is told ------------------------------------------------ */

/* vx, vy, spin: functions of time; spin NULL: free. Spin is that of a wheel that goes forwards. In space a tyre may have another stiffness to the side and
 * other segments than those of the others here. */
typedef struct rig {
    int dimension;
    const char *step, *damping, *const *way, *spin;
    const char *cornering, *segments; /* "200 kN/rad", "segments: 80"; NULL: those of the others */
} rig;

static void replace(char *text, size_t size, const char *old, const char *with)
{
    char rest[6000];
    char *at = strstr(text, old);
    CHECK(at != NULL);
    if (!at) return;
    snprintf(rest, sizeof rest, "%s%s", with, at + strlen(old));
    snprintf(at, size - (size_t)(at - text), "%s", rest);
}

static lab open_rig(const rig *r)
{
    const int dimension = r->dimension;
    const char *spin = r->spin, *const *way = r->way;
    char text[6000], joints[2400], drive[300] = "";
    const bool flat = dimension == 2;
    if (spin) snprintf(drive, sizeof drive, "      spin: {joint: wheel, speed: \"%s(%s)\"}\n", flat ? "-" : "", spin);
    snprintf(
        joints, sizeof joints,
        "mechanisms:\n  m:\n    bodies: {a: {mass: 0}, %slift: {mass: %g kg}, wheel: {mass: %g kg, inertia: 20, centre_of_mass: [0.05, 0%s]}}\n    joints:\n"
        "      x: {type: prismatic, parent: ground, child: a, axis: [1, 0%s]}\n%s"
        "      z: {type: prismatic, parent: %s, child: lift, axis: [0, %s], position: %.17g m}\n"
        "      wheel: {type: revolute, parent: lift, child: wheel, child_at: [0.05, 0%s}\n"
        "    drives:\n      x: {joint: x, speed: \"%s\"}\n"
        "      z: {joint: z, speed: \"-(%g m)/(0.2 s)*(1 - step(t - 0.2 s))\"}\n%s",
        flat ? "" : "b: {mass: 0}, c: {mass: 0}, ", HUB, RIM, flat ? "" : ", 0", flat ? "" : ", 0",
        flat ? "" : "      y: {type: prismatic, parent: a, child: b, axis: [0, 1, 0]}\n      yaw: {type: revolute, parent: b, child: c}\n", flat ? "a" : "c",
        flat ? "1" : "0, 1", RADIUS, flat ? "]" : ", 0], axis: [0, 1, 0]", way[0], DEFLECTION, drive);
    if (!flat) {
        char more[300];
        snprintf(more, sizeof more, "      y: {joint: y, speed: \"%s\"}\n      yaw: {joint: yaw, speed: 0}\n", way[1]);
        strncat(joints, more, sizeof joints - strlen(joints) - 1);
    }
    write_scene(text, sizeof text, dimension, r->step, r->damping, joints);
    if (r->cornering) replace(text, sizeof text, "160 kN/rad", r->cornering);
    if (r->segments) replace(text, sizeof text, "segments: 60", r->segments);
    const char *probes = "  x: {joint: x, quantity: force}\n  z: {joint: z, quantity: force}\n  wheel: {joint: wheel, quantity: force}\n";
    const char *space = "  y: {joint: y, quantity: force}\n  yaw: {joint: yaw, quantity: force}\n";
    strncat(text, probes, sizeof text - strlen(text) - 1);
    if (!flat) strncat(text, space, sizeof text - strlen(text) - 1);
    return open_lab(text, 1);
}

/* Means over a time in which whole pitches pass; forces and moments that the ground exerts on the tyre. */
typedef struct means {
    double x, y, z, yaw, wheel, turn;
} means;

static means look(const lab *l, int dimension, double from, double to)
{
    means m = {.x = 0};
    int n = 0;
    lab_run(l, from);
    const talus_joint_id wheel = talus_joint_find(l->world, "wheel");
    const double start = talus_joint_position(l->world, wheel, 0), t = talus_world_time(l->world);
    while (talus_world_time(l->world) < to - 1e-9) {
        (void)lab_step(l);
        m.x -= lab_probe(l, "x"), m.z -= lab_probe(l, "z"), m.wheel -= lab_probe(l, "wheel"), n++;
        if (dimension == 3) m.y -= lab_probe(l, "y"), m.yaw -= lab_probe(l, "yaw");
    }
    m = (means){m.x / n, m.y / n, m.z / n + (HUB + RIM + TYRE) * 9.81, m.yaw / n, m.wheel / n, 0};
    m.turn = fabs(talus_joint_position(l->world, wheel, 0) - start) / (talus_world_time(l->world) - t);
    return m;
}

/* Led at 1 m/s over a plane, free to turn. Of springs k with dampers τ k, one every Δ, the power of the dampers is 1/Δ ∫ τ k (ω R θ)² dθ and the load
 * 1/Δ ∫ k R (α² − θ²)/2 dθ: over the speed ω (r + ρ) the resistance is τ ω R/(r + ρ) of the load. That segments let go a little early is of the order τ ω/α
 * of that. */
static void check_rolling(int dimension)
{
    const char *way[] = {"(1 m/s)*ramp(t, 0 s, 0.2 s)", "0"};
    lab l = open_rig(&(rig){dimension, "2 ms", "10 ms", way, NULL, NULL, NULL});
    const patch p = patch_of(DEFLECTION);
    const double pass = 2 * PI / SEGMENTS * p.rolling;
    const means m = look(&l, dimension, 0.6, 0.6 + 6 * pass);
    const double rolling = 1 / m.turn, late = 0.01 * m.turn, resistance = late * p.radius / p.rolling;
    printf("%d: rolls with %.5g m for %.5g m, load %.5g N, resistance %.4g N for %.4g N\n", dimension, rolling, p.rolling, m.z, -m.x, resistance * m.z);
    CHECK_NEAR(rolling, p.rolling, 0.1 * (RADIUS - p.rolling)); /* which tells it from the radius and from the height */
    CHECK_NEAR(m.z, LOAD, 0.02 * LOAD);
    CHECK_NEAR(-m.x, resistance * m.z, late / p.angle * resistance * m.z);
    close_lab(&l);
}

TEST(rolling)
{
    check_rolling(2);
    check_rolling(3);
}

/* ---- the brush model: Pacejka, Tyre and Vehicle Dynamics, ch. 3, parabolic pressure ---------------------------------------------- */

/* Force and aligning moment at the slip σ of a stiffness C: 1 − σ C/(3 μ F_z) = λ, F = μ F_z (1 − λ³), M = μ F_z a λ³ (1 − λ). */
static void brush(double sigma, double C, double load, double half, double out[2])
{
    const double most = FRICTION * load, lambda = fmax(0, 1 - sigma * C / (3 * most));
    out[0] = most * (1 - pow(lambda, 3));
    out[1] = most * half * pow(lambda, 3) * (1 - lambda);
}

/* Driven with slips of 2, 6 and 20 %, one after the other. The closed form is of small angles: of forces, cos α is 5 % less than 1. */
TEST(longitudinal_slip)
{
    const double slips[] = {0.02, 0.06, 0.2};
    const patch p = patch_of(DEFLECTION);
    const char *way[] = {"(1 m/s)*ramp(t, 0 s, 0.2 s)", "0"};
    char spin[200];
    snprintf(spin, sizeof spin, "%.17g*(1 rad/s)*ramp(t, 0 s, 0.2 s)*(1.02 + 0.04*step(t - 1 s) + 0.14*step(t - 1.8 s))", 1 / p.rolling);
    lab l = open_rig(&(rig){2, "2.5 ms", "1 ms", way, spin, NULL, NULL});
    for (int i = 0; i < 3; i++) {
        double f[2];
        const double kappa = slips[i], pass = 2 * PI / SEGMENTS * p.rolling / (1 + kappa), from = 0.65 + 0.8 * i;
        const means m = look(&l, 2, from, from + 5 * pass);
        brush(kappa / (1 + kappa), SLIP_STIFFNESS, m.z, p.half, f);
        printf("slip %g: %.5g N for %.5g N, load %.5g N\n", kappa, m.x, f[0], m.z);
        CHECK_NEAR(m.x, f[0], 0.05 * f[0]);
    }
    close_lab(&l);
}

/* Led with tan of the slip angle 3, 9 and 40 %: force against the way, and a moment that turns the wheel into it, which
 * is a difference of moments of both halves: twice the tolerance. */
TEST(lateral_slip)
{
    const double slips[] = {0.03, 0.09, 0.4};
    const patch p = patch_of(DEFLECTION);
    const char *way[] = {"(1 m/s)*ramp(t, 0 s, 0.2 s)", "(1 m/s)*(0.03*ramp(t, 0 s, 0.2 s) + 0.06*step(t - 1.1 s) + 0.31*step(t - 2 s))"};
    char spin[200];
    snprintf(spin, sizeof spin, "%.17g*(1 rad/s)*ramp(t, 0 s, 0.2 s)", 1 / p.rolling);
    lab l = open_rig(&(rig){3, "2.5 ms", "1 ms", way, spin, NULL, NULL});
    for (int i = 0; i < 3; i++) {
        double f[2];
        const double pass = 2 * PI / SEGMENTS * p.rolling, from = 0.7 + 0.9 * i;
        const means m = look(&l, 3, from, from + 5 * pass);
        brush(slips[i], CORNERING, m.z, p.half, f);
        printf("slip angle %g: %.5g N for %.5g N, moment %.4g N m for %.4g N m, load %.5g N\n", atan(slips[i]), -m.y, f[0], m.yaw, f[1], m.z);
        CHECK_NEAR(-m.y, f[0], 0.05 * f[0]);
        CHECK_NEAR(m.yaw, f[1], 0.1 * f[1] + 0.01 * FRICTION * m.z * p.half);
    }
    close_lab(&l);
}

/* Both slips at once, of a tyre that is as stiff along as across. Pacejka, ch. 3: brushes lean against the slip velocity, with σ_x = κ/(1 + κ) and
 * σ_y = tan α/(1 + κ) in the place of the slip, and the force of its magnitude σ lies along it. So forces stay in a circle of μ F_z. */
TEST(combined_slip)
{
    const double kappas[] = {0.03, 0.06, 0.2}, tangents[] = {0.03, 0.09, 0.2};
    const patch p = patch_of(DEFLECTION);
    for (int i = 0; i < 3; i++) {
        char spin[200], across[200];
        const double kappa = kappas[i], pass = 2 * PI / SEGMENTS * p.rolling / (1 + kappa);
        snprintf(spin, sizeof spin, "%.17g*(1 rad/s)*ramp(t, 0 s, 0.2 s)", (1 + kappa) / p.rolling);
        snprintf(across, sizeof across, "(1 m/s)*%g*ramp(t, 0 s, 0.2 s)", tangents[i]);
        const char *way[] = {"(1 m/s)*ramp(t, 0 s, 0.2 s)", across};
        lab l = open_rig(&(rig){3, "2.5 ms", "1 ms", way, spin, "200 kN/rad", NULL});
        const means m = look(&l, 3, 0.65, 0.65 + 5 * pass);
        const double x = kappa / (1 + kappa), y = tangents[i] / (1 + kappa), sigma = hypot(x, y);
        double f[2];
        brush(sigma, SLIP_STIFFNESS, m.z, p.half, f);
        printf("slip %g, slip angle %g: %.5g N along for %.5g N, %.5g N across for %.5g N, load %.5g N\n", kappa, atan(tangents[i]), m.x, f[0] * x / sigma,
               -m.y, f[0] * y / sigma, m.z);
        CHECK_NEAR(m.x, f[0] * x / sigma, 0.05 * f[0]);
        CHECK_NEAR(-m.y, f[0] * y / sigma, 0.05 * f[0]);
        CHECK(hypot(m.x, m.y) < FRICTION * m.z);
        close_lab(&l);
    }
}

/* A wheel that rolls straight is led askew from one moment on. Brushes that have come in since lean by tan α times the way x since the leading edge, those
 * that were there by tan α times the way s since then: F = F_∞ (1 − (1 − s/2ℓ)²) until s = 2ℓ, ℓ = (r + ρ) α, so that the way that is lacking,
 * ∫ (1 − F/F_∞) ds, is 2ℓ/3: a string's or a first-order lag's relaxation length of the same effect. The patch is a sum over segments: means over all places
 * of a segment miss the integral by (Δ/α)²/6, but there is one start only, which is anywhere in half a segment. Its way times 1/2 is what that may add. */
static double relaxation(int segments)
{
    const patch p = patch_of(DEFLECTION);
    const double pass = 2 * PI / segments * p.rolling, length = p.rolling * p.angle, h = 4e-3, from = 0.6;
    const char *way[] = {"(1 m/s)*ramp(t, 0 s, 0.2 s)", "(1 m/s)*0.005*step(t - 0.6 s)"};
    char spin[200], pieces[40];
    snprintf(spin, sizeof spin, "%.17g*(1 rad/s)*ramp(t, 0 s, 0.2 s)", 1 / p.rolling);
    snprintf(pieces, sizeof pieces, "segments: %d", segments);
    lab l = open_rig(&(rig){3, "4 ms", "1 ms", way, spin, NULL, pieces});
    lab_run(&l, from);
    const int in = (int)(pass * ceil(2 * length / pass) / h), all = in + (int)(2 * pass / h);
    double sum = 0, last = 0;
    for (int i = 0; i < all; i++) {
        (void)lab_step(&l);
        const double force = lab_probe(&l, "y"); /* what leads it: against the ground's */
        if (i < in) sum += force;
        else last += force / (all - in);
    }
    close_lab(&l);
    const double lacks = h * (in - sum / last);
    printf("%d segments: %.5g N at last for %.5g N, the way that it lacks %.4g m for %.4g m\n", segments, last, 0.005 * CORNERING, lacks, 2 * length / 3);
    CHECK_NEAR(last, 0.005 * CORNERING, 0.05 * 0.005 * CORNERING);
    CHECK_NEAR(lacks, 2 * length / 3, 0.25 * pass + h);
    return fabs(lacks - 2 * length / 3);
}

TEST(relaxation_length)
{
    const double coarse = relaxation(30), fine = relaxation(60);
    CHECK(fine < 0.75 * coarse); /* of the first order in a segment's way, where the phase is the same */
}

/* ---- mistakes -------------------------------------------------------------------------------------------------------------------- */

/* A scene in space with one text for another. */
static talus_scene *load_with(const char *old, const char *text)
{
    char scene[4000], with[4400];
    write_scene(scene, sizeof scene, 3, "10 ms", "1 ms",
                "mechanisms:\n  m:\n    bodies: {wheel: {mass: 100 kg, inertia: 20}}\n    joints: {wheel: {type: free, parent: ground, child: wheel}}\n"
                "    forces: {z: {joint: wheel.z, constant: 0 N}}\n");
    const char *at = strstr(scene, old);
    CHECK(at != NULL);
    snprintf(with, sizeof with, "%.*s%s%s", at ? (int)(at - scene) : 0, scene, text, at ? at + strlen(old) : "");
    return load_lab(with);
}

/* It is refused with `what`, and nothing follows from it. */
static void refuse(const char *old, const char *text, const char *what)
{
    talus_scene *s = load_with(old, text);
    talus_world *w = NULL;
    if (talus_scene_mistake_count(s) == 0) CHECK(talus_scene_build(s, 1, &w) == TALUS_INPUT);
    if (!strstr(talus_scene_mistake(s, 0), what)) TEST_FAIL("'%s' for '%s': %s", text, old, talus_scene_mistake(s, 0));
    if (talus_scene_mistake_count(s) != 1) TEST_FAIL("and %s", talus_scene_mistake(s, 1));
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

/* A tyre that sinks so far, of so many segments that are rounded as they are by themselves: the number that its mistake gives after `before`, 0 for none. */
static double advice(double deflection, int segments, const char *before)
{
    char text[300];
    snprintf(text, sizeof text, "mass: 2 kg, load: weight, deflection: %.17g m, slip_stiffness: 200 kN, segments: %d", deflection, segments);
    talus_scene *s = load_with("rounding: 0.04 m, mass: 2 kg, load: weight, deflection: 0.03 m, slip_stiffness: 200000, cornering_stiffness: 160 kN/rad, "
                               "segments: 60",
                               text);
    double number = 0;
    if (talus_scene_mistake_count(s) > 0) {
        const char *said = strstr(talus_scene_mistake(s, 0), before);
        if (!said || talus_scene_mistake_count(s) != 1) TEST_FAIL("%g m, %d segments: %s", deflection, segments, talus_scene_mistake(s, 0));
        else number = atof(said + strlen(before));
    }
    talus_scene_destroy(s);
    return number;
}

/* Who does what a mistake says has no other; who does less has the same again. */
TEST(advice_helps)
{
    static const char *const MORE = "which must be 3; take ", *const DEEPER = "with 400, the most there can be, it does from ";
    const double sinks[] = {30e-3, 10e-3, 2e-3, 0.5e-3};
    for (int i = 0; i < 4; i++) {
        const int most = (int)advice(sinks[i], 20, MORE);
        CHECK(most > 20 && most <= 400);
        CHECK(advice(sinks[i], most, MORE) == 0);
        CHECK(advice(sinks[i], most - 1, MORE) == most);
    }
    const double least = advice(0.1e-3, 60, DEEPER);
    CHECK(least > 0.1e-3 && least < 0.5e-3);
    CHECK(advice(least, 400, DEEPER) == 0);
    CHECK(advice(0.99 * least, 400, DEEPER) == least);
}

/* Two wheels of a cart in a list have the tyres that they would have one by one, to the bit; it rolls. */
static lab open_cart(int dimension, bool list)
{
    char text[4000];
    const bool flat = dimension == 2;
    static const char *const KEYS = "radius: 0.4, mass: 10, load: 4 kN, deflection: 30 mm, slip_stiffness: 40 kN, segments: 30, material: rubber";
    const char *width = flat ? "" : ", width: 0.2";
    int n = snprintf(text, sizeof text,
                     "dimension: %d\ngravity: %s\ntime: {end: 10 s, step: 5 ms}\nmaterials: {rubber: {density: 1200}, ground: {density: 2000}}\n"
                     "interactions: [{friction: 0.8}]\nbodies: {floor: {kind: fixed, material: ground, shapes: [{half_%s: {point: %s, normal: %s}}]}}\n"
                     "mechanisms:\n  m:\n    bodies: {cart: {mass: 600, inertia: %s}, front: {mass: 20, inertia: %s}, rear: {mass: 20, inertia: %s}}\n"
                     "    joints:\n      cart: {type: planar, parent: ground, child: cart%s, position: {%s: 0.4}, velocity: {x: 2}}\n"
                     "      front: {type: revolute, parent: cart, at: %s, child: front%s}\n      rear: {type: revolute, parent: cart, at: %s, child: rear%s}\n"
                     "probes: {x: {body: cart, quantity: x}}\ntyres:\n",
                     dimension, flat ? "[0, -9.81]" : "[0, 0, -9.81]", flat ? "plane" : "space", flat ? "[0, 0]" : "[0, 0, 0]", flat ? "[0, 1]" : "[0, 0, 1]",
                     flat ? "100" : "[100, 100, 100]", flat ? "2" : "[2, 2, 2]", flat ? "2" : "[2, 2, 2]", flat ? "" : ", axis: [0, -1, 0]", flat ? "y" : "y",
                     flat ? "[0.8, 0]" : "[0.8, 0, 0]", flat ? "" : ", axis: [0, 1, 0]", flat ? "[-0.8, 0]" : "[-0.8, 0, 0]", flat ? "" : ", axis: [0, 1, 0]");
    if (list) (void)snprintf(text + n, sizeof text - (size_t)n, "  t: {on: [front, rear], %s%s}\n", KEYS, width);
    else (void)snprintf(text + n, sizeof text - (size_t)n, "  t_front: {on: front, %s%s}\n  t_rear: {on: rear, %s%s}\n", KEYS, width, KEYS, width);
    return open_lab(text, 1);
}

TEST(list_of_wheels)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab one = open_cart(dimension, true), each = open_cart(dimension, false);
        lab_run(&one, 0.2), lab_run(&each, 0.2);
        CHECK(talus_world_hash(one.world) == talus_world_hash(each.world));
        CHECK(lab_probe(&one, "x") > 0.3);
        CHECK(talus_joint_find(one.world, "t_rear_3_radial").index1 > 0);
        close_lab(&one), close_lab(&each);
    }
}

TEST(mistakes)
{
    refuse("on: wheel", "on: []", "here is none");
    refuse("on: wheel", "on: [wheel, floor]", "'floor' is none");
    refuse("segments: 60", "segments: 12", "take 29");
    refuse("segments: 60", "segments: 2", "'segments' is 2");
    refuse("segments: 60", "segments: 1e12", "'segments' is 1e+12");
    refuse("segments: 60", "segments: -1e12", "'segments' is -1e+12");
    refuse("segments: 60", "segments: 60.5", "must be a whole number");
    refuse("deflection: 0.03 m", "deflection: 0.1 mm", "is too small for this tyre");
    refuse("deflection: 0.03 m", "deflection: 0.4 m", "less than 0.28");
    refuse("rounding: 0.04 m", "rounding: 0.4 m", "fill this tyre");
    refuse("width: 0.3 m, ", "", "in space a tyre has one");
    refuse("width: 0.3 m", "width: 0.05 m", "no room for segments");
    refuse("slip_stiffness: 200000", "slip_stiffness: 1000", "it lies between");
    refuse("radius: 0.6 m", "radius: -0.6 m", "'radius' is -0.6; it must be positive");
    refuse("load: weight", "load: wieght", "'wieght' is not known here");
    refuse("load: weight, ", "", "'load' is missing here");
    refuse(", material: rubber}", "}", "'material' is missing here");
    refuse("material: rubber}", "material: ruber}", "there is no material 'ruber'; did you mean 'rubber'?");
    refuse("damping: 1 ms", "dampnig: 1 ms", "unknown key 'dampnig'");
    refuse("  t: {on", "  t.u: {on", "the name of a tyre is of letters, digits, _ and -, for parts are named after it; 't.u' has '.'");
    refuse("  t: {on", "  \"t, u\": {on", "'t, u' has ','");
    refuse("on: wheel", "on: floor", "a tyre is on a body of a mechanism");
    refuse("bodies: {wheel", "bodies: {t_7: {mass: 1}, wheel", "two things named 't_7'");
    refuse("probes:", "probes:\n  p: {joint: t_61_radial, quantity: position}", "there is no joint 't_61_radial'");
    refuse("constant: 0 N", "constant: 0 N, stiffness: 1, implicit: true, limit: 1 N", "has no limit");
}

/* Names of what is not the tyre's own may be of any characters: those that YAML itself has do not end them. */
TEST(names)
{
    static const char *const OTHER[][2] = {{"rubber: {density", "\"rub: \\\"{,\": {density"},
                                           {"[rubber,", "[\"rub: \\\"{,\","},
                                           {"material: rubber", "material: \"rub: \\\"{,\""},
                                           {"on: wheel", "on: \"wh\\\"e\\\\el.1, child: {\""}};
    for (int dimension = 2; dimension < 4; dimension++) {
        char text[4000], with[4000], joints[400];
        snprintf(joints, sizeof joints,
                 "mechanisms:\n  \"m\\\": [\":\n    bodies: {\"wh\\\"e\\\\el.1, child: {\": {mass: 100 kg, inertia: 20}}\n"
                 "    joints: {wheel: {type: prismatic, parent: ground, child: \"wh\\\"e\\\\el.1, child: {\", at: [0, %s]}}\n",
                 dimension == 2 ? "2 m" : "0, 2 m");
        write_scene(text, sizeof text, dimension, "10 ms", "1 ms", joints);
        for (size_t i = 0; i < sizeof OTHER / sizeof *OTHER; i++) {
            const char *at = strstr(text, OTHER[i][0]);
            CHECK(at != NULL);
            if (!at) return;
            snprintf(with, sizeof with, "%.*s%s%s", (int)(at - text), text, OTHER[i][1], at + strlen(OTHER[i][0]));
            snprintf(text, sizeof text, "%s", with);
        }
        lab l = open_lab(text, 1);
        const talus_body_id wheel = talus_body_find(l.world, "wh\"e\\el.1, child: {"), last = talus_body_find(l.world, "t_60");
        double p[3], q[4], at[3];
        talus_body_pose(l.world, wheel, p, q), talus_body_pose(l.world, last, at, q);
        const double angle = -2 * PI / SEGMENTS, up = at[dimension - 1] - p[dimension - 1];
        CHECK_NEAR(at[0] - p[0] - 0.05, (RADIUS - ROUNDING) * cos(angle), 1e-12);
        CHECK_NEAR(up, (RADIUS - ROUNDING) * sin(angle), 1e-12);
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(implicit_spring);
    RUN(mistakes);
    RUN(advice_helps);
    RUN(names);
    RUN(list_of_wheels);
    RUN(standing);
    RUN(bounce);
    RUN(rolling);
    RUN(longitudinal_slip);
    RUN(lateral_slip);
    RUN(combined_slip);
    RUN(relaxation_length);
    return TEST_RESULT;
}
