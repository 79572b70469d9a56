/* Coins and wheels: round cylinders that roll, lean and lie, against closed forms.
 *
 * Steady rolling of a disk whose rim is a torus (circle R, rounding r) on a plane: the axis d has the angle θ to the vertical z and precesses with Ω. With e₁
 * in the disk, z = cos θ d + sin θ e₁ and e₂ = d × e₁, the contact is at C − R e₁ − r z, ω = ω₃ d + Ω sin θ e₁, and rolling means v_C = V e₂, V = R ω₃ + r (ω₃
 * − Ω cos θ) sin θ. The moment of weight and friction m Ω V z × e₂ about C is what turns the angular momentum: Ω sin θ (I₁ Ω cos θ − I₃ ω₃) = m g R cos θ + m Ω
 * V (R sin θ + r), linear in ω₃. C goes round a circle of radius V/Ω. */
#include "spatial.h"

static const double RIM = 0.1, ROUNDING = 0.02;

static talus_body_id wheel(talus_world *w, talus_material_id m, const talus_body_def *d, double radius, double length, double rounding)
{
    const double end[2][3] = {{0, 0, -length / 2}, {0, 0, length / 2}};
    const talus_body_id id = add_body(w, d);
    talus_shape_def s = talus_shape_def_default();
    s.kind = TALUS_SHAPE_CYLINDER, s.material = m, s.corners = end, s.count = 2, s.radius = radius, s.rounding = rounding;
    CHECK_OK(talus_body_add_shape(w, id, &s), talus_world_error(w));
    return id;
}

static talus_body_id coin(talus_world *w, talus_material_id m, const talus_body_def *d) { return wheel(w, m, d, RIM + ROUNDING, 2 * ROUNDING, ROUNDING); }

static void axis_of(const talus_world *w, talus_body_id b, double d[3])
{
    double x[3], q[4];
    talus_body_pose(w, b, x, q);
    d[0] = 2 * (q[1] * q[3] + q[0] * q[2]), d[1] = 2 * (q[2] * q[3] - q[0] * q[1]), d[2] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
}

/* Mass and moments for unit density, by slices. */
static void mass_of(double *mass, double *axial, double *across)
{
    enum { SLICES = 100000 };
    *mass = *axial = *across = 0;
    for (int i = 0; i < SLICES; i++) {
        const double dz = 2 * ROUNDING / SLICES, z = -ROUNDING + (i + 0.5) * dz, r = RIM + sqrt(ROUNDING * ROUNDING - z * z), area = PI * r * r;
        *mass += area * dz, *axial += area * r * r / 2 * dz, *across += area * (r * r / 4 + z * z) * dz;
    }
}

typedef struct miss {
    double tilt, place, energy;
} miss;

/* A third of a turn of the precession. */
static miss precession(double h)
{
    const double tilt = 70 * PI / 180, turn_rate = 2.5, c = cos(tilt), s = sin(tilt);
    double mass, axial, across, before[2], after[2], x[3], d[3], r[3];
    mass_of(&mass, &axial, &across);
    const double lever = RIM * s + ROUNDING, rolled = RIM + ROUNDING * s;
    const double spin = (across * turn_rate * turn_rate * s * c - mass * G * RIM * c + mass * turn_rate * turn_rate * ROUNDING * c * s * lever) /
                        (axial * turn_rate * s + mass * turn_rate * rolled * lever);
    const double speed = RIM * spin + ROUNDING * (spin - turn_rate * c) * s, radius = speed / turn_rate;
    talus_world_def def = lab(h);
    def.penetration_slop = 1e-9; /* the contact sinks by O(h) of its speed: a slop would hold it at some time, and hide the order */
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 1);
    talus_body_def b = talus_body_def_default();
    law(w, 1, 0);
    ground(w, m, 0, 0, 1);
    /* d = (sin θ, 0, cos θ), e₁ = (−cos θ, 0, sin θ), e₂ = d × e₁ = (0, −1, 0); the circle's middle is at 0: C is at −radius z × e₂ … of it */
    turn(b.quaternion, tilt, 0, 1, 0);
    b.position[0] = -radius, b.position[2] = lever; /* v = Ω z × C = V e₂ */
    b.velocity[1] = -speed;
    b.spin[0] = spin * s - turn_rate * s * c, b.spin[2] = spin * c + turn_rate * s * s;
    const talus_body_id disk = coin(w, m, &b);
    CHECK(fabs(turn_rate * speed) < 0.9 * G); /* else it would slide */
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    CHECK_CLOSE(talus_body_mass(w, disk), mass, 1e-8);
    talus_world_energy(w, &before[0], &before[1]);
    const int steps = (int)lround(2 * PI / 3 / turn_rate / h);
    run(w, steps);
    talus_world_energy(w, &after[0], &after[1]);
    place(w, disk, x);
    axis_of(w, disk, d);
    const double angle = turn_rate * steps * h;
    r[0] = x[0] + radius * cos(angle), r[1] = x[1] + radius * sin(angle), r[2] = x[2] - lever;
    talus_world_destroy(w);
    return (miss){fabs(acos(d[2]) - tilt), size3(r), fabs(after[0] + after[1] - before[0] - before[1]) / before[0]};
}

TEST(steady_precession)
{
    const miss coarse = precession(2e-3), fine = precession(1e-3), finest = precession(5e-4);
    const double ratio[6] = {coarse.tilt / fine.tilt,   fine.tilt / finest.tilt,     coarse.place / fine.place,
                             fine.place / finest.place, coarse.energy / fine.energy, fine.energy / finest.energy};
    for (int i = 0; i < 6; i++) CHECK_NEAR(ratio[i], 2, 0.05); /* of first order */
    CHECK(finest.tilt < 2e-3 && finest.place < 1e-3 && finest.energy < 1e-3);
}

/* Upright, it goes straight on and keeps its energy. */
TEST(upright_wheel)
{
    talus_world_def def = lab(1e-3);
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 1000);
    talus_body_def b = talus_body_def_default();
    double x[3], v[3], omega[3], d[3], before[2], after[2];
    const double speed = 1.3, radius = RIM + ROUNDING;
    law(w, 0.5, 0);
    ground(w, m, 0, 0, 1);
    turn(b.quaternion, PI / 2, 1, 0, 0);
    b.position[2] = radius, b.velocity[0] = speed, b.spin[1] = speed / radius;
    const talus_body_id disk = coin(w, m, &b);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    talus_world_energy(w, &before[0], &before[1]);
    run(w, 2000);
    talus_world_energy(w, &after[0], &after[1]);
    place(w, disk, x), motion(w, disk, v, omega), axis_of(w, disk, d);
    CHECK_NEAR(x[0], 2 * speed, 1e-9);
    CHECK_NEAR(x[1], 0, 1e-9);
    CHECK_NEAR(x[2], radius, 1e-9);
    CHECK_NEAR(d[2], 0, 1e-9);
    CHECK_CLOSE(after[0] + after[1], before[0] + before[1], 1e-9);
    talus_world_destroy(w);
}

/* Down a slope it gains g sin α / (1 + I₃/(m a²)). */
TEST(down_a_slope)
{
    const double slope = 0.2, radius = RIM + ROUNDING;
    double mass, axial, across, x[3], v[3], omega[3];
    mass_of(&mass, &axial, &across);
    const double gain = G * sin(slope) / (1 + axial / (mass * radius * radius));
    talus_world_def def = lab(1e-3);
    def.gravity[0] = G * sin(slope), def.gravity[2] = -G * cos(slope);
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 1000);
    talus_body_def b = talus_body_def_default();
    law(w, 0.5, 0);
    ground(w, m, 0, 0, 1);
    turn(b.quaternion, PI / 2, 1, 0, 0);
    b.position[2] = radius;
    const talus_body_id disk = coin(w, m, &b);
    run(w, 1000);
    place(w, disk, x), motion(w, disk, v, omega);
    CHECK_CLOSE(v[0], gain, 1e-8);
    CHECK_CLOSE(x[0], gain / 2, 1e-8); /* θ = ½ is exact where forces are constant */
    CHECK_CLOSE(omega[1], gain / radius, 1e-8);
    talus_world_destroy(w);
}

/* Flat, on a plane and on a box of which it hangs over: the points carry the weight, and nothing moves. */
static void rests(bool on_box, double overhang, bool expected)
{
    talus_world_def def = lab(1e-3);
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 1000);
    talus_body_def b = talus_body_def_default(), table = talus_body_def_default();
    double x[3], v[3], omega[3], d[3], f[3];
    law(w, 0.5, 0);
    table.kind = TALUS_BODY_FIXED, table.position[2] = -0.5;
    if (on_box) add_box(w, add_body(w, &table), m, 1, 1, 1);
    else ground(w, m, 0, 0, 1);
    b.position[0] = 0.5 + overhang, b.position[1] = 0.03, b.position[2] = ROUNDING;
    turn(b.quaternion, 0.4, 0, 0, 1);
    const talus_body_id disk = coin(w, m, &b);
    run(w, 500);
    place(w, disk, x), motion(w, disk, v, omega), axis_of(w, disk, d);
    contact_force(w, disk, f);
    const double weight = talus_body_mass(w, disk) * G;
    if (expected) {
        CHECK_NEAR(f[0] / weight, 0, 1e-6);
        CHECK_NEAR(f[1] / weight, 0, 1e-6);
        CHECK_NEAR(f[2] / weight, 1, 1e-6);
        CHECK_NEAR(x[0], 0.5 + overhang, 1e-8);
        CHECK_NEAR(x[2], ROUNDING, 1e-8);
        CHECK_NEAR(size3(omega), 0, 1e-8);
        CHECK_NEAR(d[2], 1, 1e-12);
        CHECK(talus_contact_count(w) >= 3);
    } else CHECK(d[2] < 0.99);
    talus_world_destroy(w);
}

TEST(flat_on_the_ground) { rests(false, 0, true); }
TEST(flat_on_a_box) { rests(true, -0.3, true); }
TEST(just_on_the_table) { rests(true, -0.002, true); }
TEST(just_off_the_table) { rests(true, 0.002, false); }

static void push(void *user, double t, double out[3])
{
    (void)t;
    out[0] = *(const double *)user, out[1] = out[2] = 0;
}

/* A wheel of radius a, pushed at its centre with F against a step of height s: the step presses along the line to the centre with F a/√(a² − (a − s)²), and the
 * ground carries the rest; with more than m g √(a² − (a − s)²)/(a − s) it goes up. */
static void against_a_step(double share)
{
    const double a = RIM + ROUNDING, step = 0.03, across = sqrt(a * a - (a - step) * (a - step));
    talus_world_def def = lab(1e-3);
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 1000);
    talus_body_def b = talus_body_def_default(), kerb = talus_body_def_default();
    talus_load_def load = talus_load_def_default();
    double x[3], sum[2] = {0, 0};
    law(w, 0, 0);
    ground(w, m, 0, 0, 1);
    kerb.kind = TALUS_BODY_FIXED, kerb.position[0] = across + 0.5, kerb.position[2] = step - 0.5;
    const talus_body_id edge = add_body(w, &kerb);
    add_box(w, edge, m, 1, 1, 1);
    turn(b.quaternion, PI / 2, 1, 0, 0);
    b.position[2] = a;
    const talus_body_id disk = coin(w, m, &b);
    const double weight = talus_body_mass(w, disk) * G, force = share * weight * across / (a - step);
    load.force[0] = (talus_motion){push, (void *)&force};
    CHECK_OK(talus_body_add_load(w, disk, &load), talus_world_error(w));
    run(w, 300);
    for (int i = 0; i < talus_contact_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        sum[c.candidate.index1 == edge.index1 || c.antagonist.index1 == edge.index1] += c.impulse[0] / 1e-3;
    }
    place(w, disk, x);
    if (share < 1) {
        CHECK_CLOSE(sum[1], force * a / across, 1e-6);
        CHECK_CLOSE(sum[0], weight - force * (a - step) / across, 1e-6);
        CHECK_NEAR(x[2], a, 1e-7);
    } else CHECK(x[2] > a + 1e-3);
    talus_world_destroy(w);
}

TEST(pushed_against_a_step) { against_a_step(0.9); }
TEST(pushed_up_a_step) { against_a_step(1.02); }

/* Three coins, each beside the one below by a fifth of its radius: every layer carries what is above it. */
TEST(stack_of_coins)
{
    talus_world_def def = lab(1e-3);
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 1000);
    talus_body_id pile[3];
    law(w, 0.5, 0);
    ground(w, m, 0, 0, 1);
    for (int i = 0; i < 3; i++) {
        talus_body_def b = talus_body_def_default();
        b.position[0] = 0.2 * (RIM + ROUNDING) * i, b.position[2] = ROUNDING * (2 * i + 1);
        turn(b.quaternion, 0.3 * i, 0, 0, 1);
        pile[i] = coin(w, m, &b);
    }
    run(w, 500);
    const double weight = talus_body_mass(w, pile[0]) * G;
    double carried[3] = {0};
    for (int i = 0; i < talus_contact_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        const uint32_t upper = c.candidate.index1 > c.antagonist.index1 ? c.candidate.index1 : c.antagonist.index1;
        for (int k = 0; k < 3; k++) carried[k] += upper == pile[k].index1 ? c.impulse[0] / 1e-3 : 0;
    }
    for (int i = 0; i < 3; i++) {
        double x[3], v[3], omega[3];
        place(w, pile[i], x), motion(w, pile[i], v, omega);
        CHECK_NEAR(carried[i] / weight, 3 - i, 1e-6);
        CHECK_NEAR(x[0], 0.2 * (RIM + ROUNDING) * i, 1e-7);
        CHECK_NEAR(size3(v), 0, 1e-7);
    }
    talus_world_destroy(w);
}

/* Thin coins at 12 m/s, which is three times their own thickness a step, are stopped by a plate that is as thin, flat, on edge or askew. */
static void shot_at_a_plate(double restitution, double angle)
{
    talus_world_def def = lab(1e-3);
    def.gravity[2] = 0;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 1000);
    talus_body_def b = talus_body_def_default(), plate = talus_body_def_default();
    double x[3], before, after, none;
    law(w, 0.3, restitution);
    plate.kind = TALUS_BODY_FIXED;
    add_box(w, add_body(w, &plate), m, 4, 4, 0.004);
    b.position[2] = 1.03, b.velocity[2] = -12;
    turn(b.quaternion, angle, 1, 0.3, 0);
    const talus_body_id disk = wheel(w, m, &b, 0.1, 0.004, 0.002);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    talus_world_energy(w, &before, &none);
    run(w, 300);
    talus_world_energy(w, &after, &none);
    place(w, disk, x);
    CHECK(x[2] > 0);
    CHECK(after <= before * (1 + 1e-9));
    talus_world_destroy(w);
}

TEST(nothing_is_crossed)
{
    for (int i = 0; i < 12; i++) shot_at_a_plate(i % 2 ? 0.5 : 0, 0.5 * PI * (i / 2) / 5);
}

int main(int argc, char **argv)
{
    RUN(steady_precession);
    RUN(upright_wheel);
    RUN(down_a_slope);
    RUN(flat_on_the_ground);
    RUN(flat_on_a_box);
    RUN(just_on_the_table);
    RUN(just_off_the_table);
    RUN(pushed_against_a_step);
    RUN(pushed_up_a_step);
    RUN(stack_of_coins);
    RUN(nothing_is_crossed);
    return TEST_RESULT;
}
