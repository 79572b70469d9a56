/* Equilibrium: forces in columns and between supports, the friction that a pile of disks needs, the same in any unit of length.
 *
 * Tolerance of a force. Momentum is kept exactly in a step, so the forces on whatever lies above an interface differ from its
 * weight by Σ m (v⁺ − v⁻)/h. Each of the n interfaces below a body keeps its velocity to the solver's TAU (twice: now and a step
 * ago), so the body at height i moves at most 2 i TAU, and the force is off by at most n² m TAU/h per unit of mass m of a body;
 * times 10 for the points of contact that share it. */
#include "physics/planar.h"

static const double TAU = 1e-10;

enum { COLUMN = 20 };

static double force_error(double mass, double h) { return 10.0 * COLUMN * COLUMN * mass * TAU / h; }

static void column(bool squares, double friction)
{
    const double h = 1e-3, r = 0.1;
    talus_world_def d = lab(h);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, friction, 0);
    talus_body_id ids[COLUMN + 1] = {wall(w, m, 0, 0, 0, 1)};
    for (int i = 1; i <= COLUMN; i++) {
        ids[i] = body(w, TALUS_BODY_FREE, 0, (2 * i - 1) * r, 0);
        if (squares) add_box(w, ids[i], m, r, r);
        else add_disk(w, ids[i], m, 0, 0, r);
    }
    run(w, 50);
    const double mass = talus_body_mass(w, ids[1]);
    CHECK_CLOSE(mass, 2000 * (squares ? 4 * r * r : PI * r * r), 1e-14);
    for (int i = 0; i < COLUMN; i++) {
        double force[2];
        CHECK(impulse_on(w, ids[i], ids[i + 1], force) == (squares ? 2 : 1));
        CHECK_NEAR(force[1] / h, (COLUMN - i) * mass * G, force_error(mass, h));
        CHECK_NEAR(force[0] / h, 0, force_error(mass, h));
        CHECK_NEAR(at(w, ids[i + 1], 1), (2 * i + 1) * r, 50 * h * 2 * COLUMN * TAU + 1e-13);
    }
    CHECK(force_error(mass, h) < 1e-3 * mass * G); /* the test sees a thousandth of one body's weight */
    talus_world_destroy(w);
}

TEST(columns)
{
    column(false, 0);
    column(false, 0.5);
    column(true, 0);
    column(true, 0.5);
}

/* A disk on two fixed ones, its centre at the angle a from each: W/(2 cos a) in each, without friction; with friction, in
 * balance. */
TEST(cradle)
{
    const double h = 1e-3, r = 0.1, support = 0.15, angles[] = {20, 45, 70};
    for (int i = 0; i < 6; i++) {
        const double a = angles[i % 3] * PI / 180, x = (r + support) * sin(a), mu = i < 3 ? 0 : 0.4;
        const talus_world_def d = lab(h);
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, "stone", 2000);
        law(w, mu, 0);
        const talus_body_id left = body(w, TALUS_BODY_FIXED, -x, 0, 0), right = body(w, TALUS_BODY_FIXED, x, 0, 0);
        add_disk(w, left, m, 0, 0, support);
        add_disk(w, right, m, 0, 0, support);
        const talus_body_id disk = free_disk(w, m, 0, (r + support) * cos(a), r);
        run(w, 20);
        const double weight = talus_body_mass(w, disk) * G, close = force_error(weight / G, h) / cos(a);
        double from_left[2] = {0}, from_right[2] = {0};
        CHECK(impulse_on(w, left, disk, from_left) == 1 && impulse_on(w, right, disk, from_right) == 1);
        CHECK_NEAR(from_left[1] + from_right[1], weight * h, close * h);
        CHECK_NEAR(from_left[0] + from_right[0], 0, close * h);
        if (mu == 0) {
            CHECK_NEAR(hypot(from_left[0], from_left[1]) / h, weight / (2 * cos(a)), close);
            CHECK_NEAR(from_left[0] / h, weight / 2 * tan(a), close);
        }
        CHECK_NEAR(at(w, disk, 1), (r + support) * cos(a), 20 * h * 100 * TAU);
        talus_world_destroy(w);
    }
}

/* Two disks on the ground, hardly apart, a third on them, centres at the angle a from the vertical. A lower disk turns about its
 * centre by the friction of two contacts, so these are equal: T. Balance across: N sin a = T (1 + cos a), hence T/N = tan(a/2)
 * between disks. On the upper disk N cos a + T sin a = W/2, which with T = N tan(a/2) is N = W/2; the ground carries 3W/2: T =
 * (3W/2) tan(a/2)/3 there. */
static double pyramid(double between, double ground, double *moved)
{
    const double h = 1e-3, r = 0.1, sine = 0.505;
    const talus_world_def d = lab(h);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "disks", 2000), floor_id = material(w, "ground", 2000);
    const double needed = tan(0.5 * asin(sine));
    law(w, between * needed, 0);
    law_between(w, m, floor_id, ground * needed / 3, 0, TALUS_ACTIVATION_AUTO);
    wall(w, floor_id, 0, 0, 0, 1);
    const double top = r + 2 * r * sqrt(1 - sine * sine);
    const talus_body_id left = free_disk(w, m, -2 * r * sine, r, r);
    const talus_body_id upper = free_disk(w, m, 0, top, r);
    free_disk(w, m, 2 * r * sine, r, r);
    for (int i = 0; i < 1000; i++) step(w); /* near the threshold a sweep gains little: what counts is where the disks are */
    *moved = fabs(at(w, left, 0) + 2 * r * sine);
    const double fallen = top - at(w, upper, 1);
    talus_world_destroy(w);
    return fallen;
}

TEST(three_disks)
{
    const double stands = 1e-6; /* [m]: ten thousand times TAU × 1 s */
    double moved;
    CHECK_NEAR(pyramid(1.02, 1.02, &moved), 0, stands);
    CHECK_NEAR(moved, 0, stands);
    CHECK_NEAR(pyramid(3, 3, &moved), 0, stands);
    CHECK_NEAR(moved, 0, stands);
    /* 2 % short: the load is unbalanced by 2 % of T = 0.13 W, at least 0.001 g; more as it spreads */
    CHECK(pyramid(0.98, 10, &moved) > 1e-3);
    CHECK(pyramid(10, 0.98, &moved) > 1e-3);
    CHECK(pyramid(0, 0, &moved) > 0.05);
}

/* ---- units -------------------------------------------------------------------------------------------------------- */

enum { SCENE = 8 };

/* A crooked heap of disks and boxes falling on a floor between two walls; lengths × s, times × √s. */
static void heap(double s, double density, double q[SCENE][3], double *force)
{
    talus_world_def d = lab(1e-3 * sqrt(s));
    d.solver.tolerance = 0; /* relative: the default */
    d.solver.max_iterations = 1000;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000 * density);
    law(w, 0.3, 0);
    const talus_body_id walls[3] = {wall(w, m, 0, 0, 0, 1), wall(w, m, -0.3 * s, 0, 1, 0), wall(w, m, 0.3 * s, 0, -1, 0)};
    talus_body_id ids[SCENE];
    for (int i = 0; i < SCENE; i++) {
        const double size = (0.08 + 0.01 * (i % 3)) * s;
        ids[i] = body(w, TALUS_BODY_FREE, (i % 2 ? 0.09 : -0.11) * s, (0.15 + 0.25 * i) * s, 0.1 * i);
        if (i % 3 == 1) add_box(w, ids[i], m, size, 0.75 * size);
        else add_disk(w, ids[i], m, 0, 0, size);
    }
    for (int i = 0; i < 2000; i++) step(w);
    force[0] = force[1] = 0;
    for (int i = 0; i < SCENE; i++) {
        double one[2];
        where(w, ids[i], q[i]);
        for (int k = 0; k < 3; k++) {
            impulse_on(w, walls[k], ids[i], one);
            force[0] += one[1] / talus_world_step_size(w);
        }
        force[1] += talus_body_mass(w, ids[i]) * G;
    }
    talus_world_destroy(w);
}

/* Newton's law and Coulomb's know no length: with lengths × s, times × √s and masses × k everything goes on alike. For powers of
 * two even the rounding is the same, so what differs is an absolute length, velocity or mass hidden somewhere. */
TEST(scales)
{
    double here[SCENE][3], there[SCENE][3], force[2], force_there[2];
    heap(1, 1, here, force);
    CHECK_NEAR(force[0], force[1], 0.01 * force[1]); /* at rest, carried by floor and walls */
    const double scale[][2] = {{0x1p-10, 1}, {0x1p-10, 0x1p-20}, {0x1p10, 1}, {1, 0x1p30}, {0x1p-20, 1}};
    for (int k = 0; k < 5; k++) {
        const double s = scale[k][0];
        heap(s, scale[k][1], there, force_there);
        for (int i = 0; i < SCENE; i++)
            for (int axis = 0; axis < 3; axis++) {
                const double unit = axis < 2 ? s : 1;
                if (there[i][axis] != unit * here[i][axis])
                    TEST_FAIL("lengths × %g: body %d axis %d at %.17g instead of %.17g", s, i, axis, there[i][axis] / unit, here[i][axis]);
            }
    }
}

/* In millimetres and kilometres that are no powers of two: forces in a column of disks, to the default relative tolerance,
 * 1e-4 g h. */
TEST(column_in_any_unit)
{
    const double scales[] = {1e-3, 1, 1000};
    for (int k = 0; k < 3; k++) {
        const double s = scales[k], h = 1e-3 * sqrt(s), r = 0.1 * s;
        talus_world_def d = lab(h);
        d.solver.tolerance = 0;
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, "stone", 2000);
        law(w, 0.5, 0);
        talus_body_id ids[COLUMN + 1] = {wall(w, m, 0, 0, 0, 1)};
        for (int i = 1; i <= COLUMN; i++) ids[i] = free_disk(w, m, 0, (2 * i - 1) * r, r);
        run(w, 100);
        const double weight = talus_body_mass(w, ids[1]) * G;
        for (int i = 0; i < COLUMN; i++) {
            double force[2];
            CHECK(impulse_on(w, ids[i], ids[i + 1], force) == 1);
            CHECK_NEAR(force[1] / h, (COLUMN - i) * weight, 1e-4 * COLUMN * COLUMN * weight); /* force_error / 10 */
            CHECK_NEAR(at(w, ids[i + 1], 1) / s, at(w, ids[1], 1) / s + 0.2 * i, 100 * 1e-3 * COLUMN * 1e-4 * G * 1e-3);
        }
        talus_world_destroy(w);
    }
}

int main(int argc, char **argv)
{
    RUN(columns);
    RUN(cradle);
    RUN(three_disks);
    RUN(scales);
    RUN(column_in_any_unit);
    return TEST_RESULT;
}
