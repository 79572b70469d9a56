/* Ellipses of the plane in motion, against closed forms.
 *
 * With half axes a > c an ellipse that lies on its flat side rocks without slipping as a disk of the radius a²/c would whose
 * centre of mass is lower: ω² = g (a²/c − c) / ((a² + c²)/4 + c²) for small angles. */
#include "planar.h"

static const double A = 0.15, C = 0.08;

static void add_ellipse(talus_world *w, talus_body_id b, talus_material_id m, double a, double c)
{
    talus_shape_def d = talus_shape_def_default();
    const double point[3][2] = {{0, 0}, {a, 0}, {0, c}};
    d.kind = TALUS_SHAPE_ELLIPSE, d.material = m, d.count = 3;
    memcpy(d.points, point, sizeof point);
    CHECK_OK(talus_body_add_shape(w, b, &d), talus_world_error(w));
}

static double height(double a, double c, double angle) { return sqrt(a * a * sin(angle) * sin(angle) + c * c * cos(angle) * cos(angle)); }

static double energy_of(const talus_world *w)
{
    double kinetic, potential;
    talus_world_energy(w, &kinetic, &potential);
    return kinetic + potential;
}

/* The ground: a half-plane, or a row of boxes whose tops lie side by side. */
static void lay_ground(talus_world *w, talus_material_id m, bool boxes)
{
    if (!boxes) {
        (void)wall(w, m, 0, 0, 0, 1);
        return;
    }
    const talus_body_id b = body(w, TALUS_BODY_FIXED, 0, 0, 0);
    for (int i = -20; i < 20; i++) {
        double top[4][2] = {{0.05 * i, -0.05}, {0.05 * (i + 1), -0.05}, {0.05 * (i + 1), 0}, {0.05 * i, 0}};
        add_polygon(w, b, m, 4, top, 0);
    }
}

typedef struct miss {
    double period, energy;
} miss;

static miss rock(double h, bool boxes)
{
    const double tilt = 0.01, rate = sqrt(G * (A * A / C - C) / ((A * A + C * C) / 4 + C * C));
    talus_world_def def = lab(h);
    def.penetration_slop = 1e-9;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "steel", 1000);
    law(w, 1, 0);
    lay_ground(w, m, boxes);
    const talus_body_id egg = body(w, TALUS_BODY_FREE, 0.011, height(A, C, tilt), -tilt);
    add_ellipse(w, egg, m, A, C);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    CHECK_CLOSE(talus_body_mass(w, egg), 1000 * PI * A * C, 1e-13);
    const double before = energy_of(w), all = before - talus_body_mass(w, egg) * G * C;
    double last = -tilt, energy = before;
    miss off = {1, 0};
    for (int i = 1; i <= (int)(1.2 * PI / rate / h); i++) {
        double q[3];
        run(w, 1);
        where(w, egg, q);
        if (last < 0 && q[2] >= 0) off.period = fabs((i - q[2] / (q[2] - last)) * h * 2 * rate / PI - 1);
        last = q[2];
        CHECK(energy_of(w) < energy + 1e-3 * all); /* never grows, but for what the scheme exchanges within a step */
        energy = fmin(energy, energy_of(w));
    }
    off.energy = fabs(energy_of(w) - before) / all;
    talus_world_destroy(w);
    return off;
}

TEST(rocking)
{
    for (int boxes = 0; boxes < 2; boxes++) {
        const miss coarse = rock(1e-3, boxes), fine = rock(2.5e-4, boxes);
        printf("rocking on %s: period off by %.3g, %.3g; energy by %.3g, %.3g\n", boxes ? "boxes" : "a half-plane", coarse.period, fine.period, coarse.energy,
               fine.energy);
        CHECK(fine.period < 1e-3 && fine.energy < 0.05 && fine.energy < 0.5 * coarse.energy);
    }
}

/* Rolls over its ends, for a whole turn: what it has at an angle follows from its energy. */
TEST(rolling)
{
    double off[2];
    for (int k = 0; k < 2; k++) {
        const double h = k ? 2.5e-4 : 1e-3, a = 0.12, c = 0.1, spin = -12;
        talus_world_def def = lab(h);
        def.penetration_slop = 1e-9;
        talus_world *w = open_world(&def);
        const talus_material_id m = material(w, "steel", 1000);
        law(w, 1, 0);
        lay_ground(w, m, false);
        const talus_body_id egg = moving(w, 0, c, -spin * c, 0, spin);
        add_ellipse(w, egg, m, a, c);
        CHECK_OK(talus_world_assemble(w), talus_world_error(w));
        const double before = energy_of(w);
        double q[3] = {0, 0, 0};
        off[k] = 0;
        while (q[2] > -2 * PI) {
            run(w, 1);
            where(w, egg, q);
            CHECK_NEAR(q[1], height(a, c, q[2]), 30 * h * h * fabs(spin) * fabs(spin) * a); /* it keeps touching */
            off[k] = fmax(off[k], fabs(energy_of(w) / before - 1));
        }
        /* the way of a point of contact that does not slip is the ellipse's circumference (Ramanujan) */
        const double e = pow((a - c) / (a + c), 2), around = PI * (a + c) * (1 + 3 * e / (10 + sqrt(4 - 3 * e)));
        CHECK_NEAR(q[0] - -(q[2] + 2 * PI) * c, around, 0.02 * around * (k ? 0.25 : 1));
        talus_world_destroy(w);
    }
    printf("rolling: energy off by %.3g, %.3g\n", off[0], off[1]);
    CHECK(off[1] < 0.35 * off[0] && off[1] < 0.02);
}

/* Two ellipses, one standing on the other across it, at rest; the force between them is the weight of the upper one. */
TEST(stacked)
{
    talus_world_def def = lab(1e-3);
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "steel", 1000);
    law(w, 0.5, 0);
    lay_ground(w, m, true);
    const talus_body_id low = body(w, TALUS_BODY_FREE, 0.013, C, 0), high = body(w, TALUS_BODY_FREE, 0.013, 3 * C, 0);
    double impulse[2], q[3];
    add_ellipse(w, low, m, A, C);
    add_ellipse(w, high, m, A, C);
    run(w, 200);
    where(w, high, q);
    CHECK_NEAR(q[1], 3 * C, 1e-4 * C);
    CHECK_NEAR(q[2], 0, 1e-6);
    CHECK(impulse_on(w, low, high, impulse) == 1);
    CHECK_CLOSE(fabs(impulse[1]), talus_body_mass(w, high) * G * 1e-3, 1e-6);
    talus_world_destroy(w);
}

/* Fast ones do not go through a thin wall, whatever side they come with: 60 m/s are 60 mm a step. */
TEST(crossing)
{
    for (int k = 0; k < 24; k++) {
        talus_world_def def = lab(1e-3);
        def.gravity[1] = 0;
        talus_world *w = open_world(&def);
        const talus_material_id m = material(w, "steel", 1000);
        law(w, 0.3, 0.2);
        const talus_body_id plate = body(w, TALUS_BODY_FIXED, 0, 0, 0);
        double side[4][2] = {{-0.001, -2}, {0.001, -2}, {0.001, 2}, {-0.001, 2}};
        add_polygon(w, plate, m, 4, side, 0);
        const talus_body_id egg = moving(w, -0.3 - 0.0025 * k, 0.1, 60, 5, k % 3 ? 40 * (k % 3 - 1.5) : 0);
        add_ellipse(w, egg, m, 0.02, 0.01);
        double q[3];
        for (int i = 0; i < 40; i++) {
            run(w, 1);
            where(w, egg, q);
            CHECK(q[0] < -0.001 - 0.009);
        }
        talus_world_destroy(w);
    }
}

int main(int argc, char **argv)
{
    RUN(rocking);
    RUN(rolling);
    RUN(stacked);
    RUN(crossing);
    return TEST_RESULT;
}
