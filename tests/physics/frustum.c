/* A cone and a frustum of one that roll on their side without slipping, against closed forms.
 *
 * The side meets the axis at the tip of the whole cone, at an angle β. The tip stays where it is, and the line on which the
 * cone lies is the axis of its rotation at every moment: where that line turns about the vertical with Ω, ω = Ω cot β along
 * it. Hence T = ½ I cot² β Ω², I = I₃ cos² β + I₁ sin² β about the line, where I₃ is that about the axis and I₁ that across
 * it through the tip. On a level plane Ω is constant; on a slope ψ the cone is a pendulum, m g d cos β sin ψ (1 − cos θ),
 * with d from the tip to the centre of mass: for small angles ω² = m g d cos β sin ψ tan² β / I. */
#include "spatial.h"

typedef struct cone {
    double tip, length, radius, other; /* distance of the wide end from the tip of the whole, length, radii of its ends */
    double mass, centre, axial, across, slope;
} cone;

/* From the tip on, by slices, for unit density. */
static cone cone_of(double tip, double length, double radius)
{
    enum { SLICES = 200000 };
    cone c = {.tip = tip, .length = length, .radius = radius, .other = length < tip ? radius * (1 - length / tip) : 0, .slope = atan2(radius, tip)};
    for (int i = 0; i < SLICES; i++) {
        const double x = tip - length * (i + 0.5) / SLICES, r = radius * x / tip, m = PI * r * r * length / SLICES;
        c.mass += m, c.centre += m * x, c.axial += m * r * r / 2, c.across += m * (r * r / 4 + x * x);
    }
    c.centre /= c.mass;
    return c;
}

static double about_the_line(const cone *c) { return c->axial * cos(c->slope) * cos(c->slope) + c->across * sin(c->slope) * sin(c->slope); }

/* Lies on the plane z = 0 with its tip at the origin and its line at an angle `at` to x, turning with `rate`. */
static talus_body_id lay(talus_world *w, talus_material_id m, const cone *c, double at, double rate)
{
    const double corner[4][3] = {{c->tip, 0, 0}, {c->tip - c->length, 0, 0}, {c->tip, c->radius, 0}, {c->tip - c->length, c->other, 0}};
    const double q[2][4] = {{cos(at / 2), 0, 0, sin(at / 2)}, {cos(c->slope / 2), 0, -sin(c->slope / 2), 0}};
    const double speed = rate * c->centre * cos(c->slope), spin = rate / tan(c->slope);
    talus_body_def d = talus_body_def_default();
    d.quaternion[0] = q[0][0] * q[1][0], d.quaternion[1] = -q[0][3] * q[1][2], d.quaternion[2] = q[0][0] * q[1][2], d.quaternion[3] = q[0][3] * q[1][0];
    d.velocity[0] = -speed * sin(at), d.velocity[1] = speed * cos(at);
    d.spin[0] = -spin * cos(at), d.spin[1] = -spin * sin(at);
    const talus_body_id id = add_body(w, &d);
    add_corners(w, id, m, TALUS_SHAPE_FRUSTUM, corner, 4, 0);
    return id;
}

/* The angle of its axis about z. */
static double angle_of(const talus_world *w, talus_body_id id)
{
    double x[3], q[4];
    talus_body_pose(w, id, x, q);
    return atan2(2 * (q[1] * q[2] + q[0] * q[3]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]));
}

static double energy_of(const talus_world *w)
{
    double kinetic, potential;
    talus_world_energy(w, &kinetic, &potential);
    return kinetic + potential;
}

typedef struct miss {
    double angle, place, energy;
} miss;

/* A whole turn on a level plane: where it is then, how far its tip has gone, and what energy it has lost. */
static miss turn_once(const cone *c, double h)
{
    const double rate = 3;
    talus_world_def def = lab(h);
    def.penetration_slop = 1e-9;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 1);
    law(w, 1, 0);
    ground(w, m, 0, 0, 1);
    const talus_body_id id = lay(w, m, c, 0, rate);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    CHECK_CLOSE(talus_body_mass(w, id), c->mass, 1e-8);
    double before = energy_of(w), last = before, x[3];
    const double kinetic = 0.5 * about_the_line(c) * pow(rate / tan(c->slope), 2);
    CHECK_CLOSE(before - c->mass * G * c->centre * sin(c->slope), kinetic, 1e-7);
    const int steps = (int)lround(2 * PI / rate / h);
    for (int i = 0; i < steps; i++) {
        run(w, 1);
        const double now = energy_of(w);
        /* in two steps it comes to roll in the steps' way, which takes or gives energy of second order */
        CHECK(now <= last + (i < 2 ? 100 * h * h * kinetic : 1e-9 * before));
        last = now;
    }
    place(w, id, x);
    const miss off = {fabs(angle_of(w, id) - remainder(rate * steps * h, 2 * PI)), size3(x), (before - last) / kinetic};
    talus_world_destroy(w);
    return off;
}

static void turn_finer(const cone *c)
{
    const miss coarse = turn_once(c, 4e-3), fine = turn_once(c, 2e-3), finest = turn_once(c, 1e-3);
    printf("a turn: angle off by %.3g %.3g %.3g, tip by %.3g %.3g %.3g m, energy by %.3g %.3g %.3g\n", coarse.angle, fine.angle, finest.angle, coarse.place,
           fine.place, finest.place, coarse.energy, fine.energy, finest.energy);
    CHECK(finest.angle < 0.02 && finest.place < 1e-4 * c->tip && finest.energy < 0.01);
    const double ratio[4] = {coarse.energy / fine.energy, fine.energy / finest.energy, coarse.angle / fine.angle, fine.angle / finest.angle};
    for (int i = 0; i < 4; i++) CHECK_NEAR(ratio[i], 2, 0.05); /* of first order */
}

TEST(precession_of_a_cone)
{
    const cone c = cone_of(0.3, 0.3, 0.1);
    turn_finer(&c);
}

TEST(precession_of_a_frustum)
{
    const cone c = cone_of(0.5, 0.2, 0.12);
    turn_finer(&c);
}

/* The share by which a quarter of a period on a slope is off; as of any pendulum it is longer by 1/16 of the angle's square. */
static double swing(const cone *c, double h)
{
    const double slope = 0.1, from = 0.04;
    const double rate = sqrt(c->mass * G * c->centre * cos(c->slope) * sin(slope) / about_the_line(c)) * tan(c->slope);
    talus_world_def def = lab(h);
    def.penetration_slop = 1e-9;
    def.gravity[0] = G * sin(slope), def.gravity[2] = -G * cos(slope);
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 1000);
    law(w, 1, 0);
    ground(w, m, 0, 0, 1);
    const talus_body_id id = lay(w, m, c, from, 0);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    double last = from, off = 1;
    for (int i = 1; i < (int)(PI / rate / h) && off == 1; i++) {
        run(w, 1);
        const double angle = angle_of(w, id);
        if (angle <= 0) off = (i - angle / (angle - last)) * h * 2 * rate / PI - (1 + from * from / 16);
        last = angle;
    }
    talus_world_destroy(w);
    return off;
}

TEST(swings_on_a_slope)
{
    const cone c[2] = {cone_of(0.3, 0.3, 0.1), cone_of(0.5, 0.2, 0.12)};
    for (int i = 0; i < 2; i++) {
        const double off = swing(&c[i], 1e-3);
        printf("a quarter of a period: off by %.3g\n", off);
        CHECK(fabs(off) < 1e-5);
    }
}

int main(int argc, char **argv)
{
    RUN(precession_of_a_cone);
    RUN(precession_of_a_frustum);
    RUN(swings_on_a_slope);
    return TEST_RESULT;
}
