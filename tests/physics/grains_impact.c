/* Collisions without gravity, where Newton's law and Coulomb's can be solved by hand: walls, a corner, two disks off-centre with
 * spin. */
#include "physics/planar.h"

static unsigned long long seed = 12345;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

static talus_world_def weightless(double h)
{
    talus_world_def d = lab(h);
    d.gravity[1] = 0;
    d.solver.tolerance = 1e-13;
    d.correct_drift = false; /* it moves bodies, and so would change the moment of momentum of the test's bookkeeping */
    return d;
}

/* Frictionless, so the walls of a corner do not know of each other: V → −e V along each normal, whenever it is reached. */
TEST(corner)
{
    const double e = 0.6;
    for (int k = 0; k < 20; k++) {
        const talus_world_def d = weightless(1e-4);
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, "steel", 7800);
        law(w, 0, e);
        const double a = uniform(0, 2 * PI), c = cos(a), s = sin(a); /* the corner, turned by any angle */
        wall(w, m, 0, 0, c, s);
        wall(w, m, 0, 0, -s, c);
        const double u = k == 0 ? -1 : uniform(-2, -1), v = k == 0 ? -1 : uniform(-2, -1), x = k == 0 ? 0.5 : uniform(0.2, 0.6);
        const double y = k == 0 ? 0.5 : uniform(0.2, 0.6);
        const talus_body_id ball = moving(w, c * x - s * y, s * x + c * y, c * u - s * v, s * u + c * v, 3);
        add_disk(w, ball, m, 0, 0, 0.1);
        for (int i = 0; i < 7000; i++) step(w);
        const double vx = speed(w, ball, 0), vy = speed(w, ball, 1);
        CHECK_NEAR(c * vx + s * vy, -e * u, 1e-12);
        CHECK_NEAR(-s * vx + c * vy, -e * v, 1e-12);
        CHECK_NEAR(speed(w, ball, 2), 3, 1e-12);
        /* place: out of each wall with e V since the impact, whose instant is known to a step and whose depth is below h V */
        const double px = c * at(w, ball, 0) + s * at(w, ball, 1), late = 0.7 - (x - 0.1) / -u;
        CHECK_NEAR(px, 0.1 + late * -u * e, 2 * 1e-4 * -u);
        talus_world_destroy(w);
    }
}

/* To and fro between two parallel walls: after k impacts |V| = e^k V0; the times of flight grow as e^−k. */
TEST(two_walls)
{
    const double e = 0.8, h = 1e-4, v0 = 2, way = 0.8;
    const talus_world_def d = weightless(h);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "steel", 7800);
    law(w, 0, e);
    wall(w, m, 0, 0, 1, 0);
    wall(w, m, 1, 0, -1, 0);
    const talus_body_id ball = moving(w, 0.5, 0, v0, 0, 0);
    add_disk(w, ball, m, 0, 0, 0.1);
    double expected = 0.5 * way / v0, v = v0, before = v0, error = 1.6 * h;
    int impacts = 0;
    while (impacts < 8 && talus_world_time(w) < 20) {
        step(w);
        const double now = speed(w, ball, 0);
        if (now * before < 0) {
            CHECK_NEAR(talus_world_time(w), expected, error);
            v *= e;
            CHECK_NEAR(fabs(now), v, 1e-12);
            expected += way / v;
            error += h + h / e; /* a step in time, and h V_before of depth, to be undone at e V_before */
            impacts++;
        }
        before = now;
    }
    CHECK(impacts == 8);
    talus_world_destroy(w);
}

typedef struct disk {
    double m, J, r, q[3], v[3];
} disk;

static void read_disk(const talus_world *w, talus_body_id b, disk *out)
{
    where(w, b, out->q);
    for (int i = 0; i < 3; i++) out->v[i] = speed(w, b, i);
}

/* Two solid disks, off-centre, spinning. They act on each other at their rims, so arms a_i = ±r_i n, and r ∥ n so that
 * W_nt = 0:
 *     W_nn = Σ 1/m,  W_tt = Σ 1/m + a²/J,  I_n = −(1+e) V_n/W_nn,  stick: I_t = −V_t/W_tt, else −μ I_n sign V_t. */
static int collide(double e, double mu)
{
    const double h = 1e-4;
    const talus_world_def d = weightless(h);
    talus_world *w = open_world(&d);
    const talus_material_id material_id = material(w, "steel", 1000);
    law(w, mu, e);
    disk k[2] = {{.r = uniform(0.05, 0.2)}, {.r = uniform(0.05, 0.2)}};
    const double offset = uniform(-0.9, 0.9) * (k[0].r + k[1].r);
    const talus_body_id id[2] = {moving(w, 0, 0, uniform(0.5, 2), uniform(-0.2, 0.2), uniform(-20, 20)),
                                 moving(w, 0.5, offset, uniform(-2, -0.5), uniform(-0.2, 0.2), uniform(-20, 20))};
    for (int i = 0; i < 2; i++) add_disk(w, id[i], material_id, 0, 0, k[i].r);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    for (int i = 0; i < 2; i++) {
        k[i].m = 1000 * PI * k[i].r * k[i].r;
        k[i].J = 0.5 * k[i].m * k[i].r * k[i].r;
        CHECK_CLOSE(talus_body_mass(w, id[i]), k[i].m, 1e-14);
    }
    int outcome = 0; /* 0: they missed */
    for (int i = 0; i < 5000 && outcome == 0; i++) {
        read_disk(w, id[0], &k[0]);
        read_disk(w, id[1], &k[1]);
        step(w);
        if (talus_contact_count(w) == 0) continue;
        disk after[2] = {k[0], k[1]};
        double mid[2][2], V[2] = {0, 0};
        for (int b = 0; b < 2; b++) {
            read_disk(w, id[b], &after[b]);
            for (int x = 0; x < 2; x++) mid[b][x] = k[b].q[x] + 0.5 * h * k[b].v[x];
        }
        const double dx = mid[1][0] - mid[0][0], dy = mid[1][1] - mid[0][1], distance = hypot(dx, dy);
        const double nx = dx / distance, ny = dy / distance;
        const double gap = distance - k[0].r - k[1].r, arm[2] = {k[0].r, -k[1].r};
        for (int b = 0; b < 2; b++) { /* of body b at the contact point: arm n × spin is along t */
            const double sign = b == 0 ? -1 : 1;
            V[0] += sign * (nx * k[b].v[0] + ny * k[b].v[1]);
            V[1] += sign * (nx * k[b].v[1] - ny * k[b].v[0] + arm[b] * k[b].v[2]);
        }
        const double nn = 1 / k[0].m + 1 / k[1].m, tt = nn + arm[0] * arm[0] / k[0].J + arm[1] * arm[1] / k[1].J;
        CHECK(gap > 0 && gap + h * V[0] <= 0); /* before they overlap, and not a step earlier than they would */
        if (V[0] >= 0) {                       /* a grazing pass: no law acts */
            CHECK_NEAR(after[0].v[0], k[0].v[0], 1e-13);
            break;
        }
        const double In = -(1 + e) * V[0] / nn, stick = -V[1] / tt;
        const double It = fabs(stick) <= mu * In ? stick : (V[1] > 0 ? -mu * In : mu * In);
        outcome = fabs(stick) <= mu * In ? 1 : 2;
        double momentum[2] = {0, 0}, moment = 0, size = 0;
        for (int b = 0; b < 2; b++) {
            const double sign = b == 0 ? -1 : 1;
            CHECK_NEAR(after[b].v[0], k[b].v[0] + sign * (nx * In - ny * It) / k[b].m, 1e-11);
            CHECK_NEAR(after[b].v[1], k[b].v[1] + sign * (ny * In + nx * It) / k[b].m, 1e-11);
            CHECK_NEAR(after[b].v[2], k[b].v[2] + sign * arm[b] * It / k[b].J, 1e-9);
            /* momentum is kept to rounding; its moment but for the ends of the impulse being a gap apart */
            for (int x = 0; x < 2; x++) momentum[x] += k[b].m * (after[b].v[x] - k[b].v[x]);
            moment += k[b].m * (after[b].q[0] * after[b].v[1] - after[b].q[1] * after[b].v[0]) + k[b].J * after[b].v[2];
            moment -= k[b].m * (k[b].q[0] * k[b].v[1] - k[b].q[1] * k[b].v[0]) + k[b].J * k[b].v[2];
            size += k[b].m * hypot(k[b].v[0], k[b].v[1]) + k[b].J * fabs(k[b].v[2]);
        }
        CHECK_NEAR(momentum[0], 0, 1e-13 * size);
        CHECK_NEAR(momentum[1], 0, 1e-13 * size);
        CHECK_NEAR(moment, gap * It, 1e-13 * size);
    }
    talus_world_destroy(w);
    return outcome;
}

TEST(oblique)
{
    int stuck = 0, slid = 0;
    const double e[] = {0.2, 0.5, 1};
    for (int i = 0; i < 150; i++) {
        const int outcome = collide(e[i % 3], i % 5 == 0 ? 0 : uniform(0, 1.5));
        stuck += outcome == 1;
        slid += outcome == 2;
    }
    CHECK(stuck > 20 && slid > 20); /* both cases of the law were met */
}

/* e acts on approach only: a pair that overlaps and parts is left alone. */
TEST(parting)
{
    const talus_world_def d = weightless(1e-3);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "steel", 7800);
    law(w, 0.5, 0.5);
    const talus_body_id a = moving(w, 0, 0, -1, 0, 0), b = moving(w, 0.19, 0, 1, 0, 0);
    add_disk(w, a, m, 0, 0, 0.1);
    add_disk(w, b, m, 0, 0, 0.1);
    run(w, 20);
    CHECK_NEAR(speed(w, a, 0), -1, 1e-13);
    CHECK_NEAR(speed(w, b, 0), 1, 1e-13);
    talus_world_destroy(w);
}

/* Anticipated contacts: however fast a small disk flies at a thin wall, it does not get through and stops at its face. */
TEST(no_tunnel)
{
    for (int k = 0; k < 4; k++) {
        const double v = pow(10, k);
        const talus_world_def d = weightless(1e-3);
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, "steel", 7800);
        law(w, 0, 0);
        const talus_body_id plate = body(w, TALUS_BODY_FIXED, 0, 0, 0);
        add_box(w, plate, m, 0.001, 1);
        const talus_body_id ball = moving(w, -0.7 * v * 1e-3 - 1, 0, v, 0, 0);
        add_disk(w, ball, m, 0, 0, 0.01);
        for (int i = 0; i < 1100 + (int)(1100 / v); i++) step(w);
        /* each step may leave the solver's tolerance in the velocity, 1e-13 m/s, and nothing weightless pushes it back */
        const double steps = 1100 + 1100 / v;
        CHECK_NEAR(speed(w, ball, 0), 0, 1e-13 * steps);
        CHECK_NEAR(at(w, ball, 0), -0.011, 1e-13 * steps * steps * 1e-3 + 1e-15 * v);
        talus_world_destroy(w);
    }
}

/* Materials may pass through each other; a pair's own law overrides the common one, whichever is named first. */
TEST(laws_of_pairs)
{
    const double expected[3] = {-0.5, 0, 1}; /* the pair (a, b): e = 0.5; the others e = 0; c is passed through */
    for (int k = 0; k < 3; k++) {
        const talus_world_def d = weightless(1e-3);
        talus_world *w = open_world(&d);
        const talus_material_id a = material(w, "a", 1000), b = material(w, "b", 1000), c = material(w, "c", 1000);
        law(w, 0, 0);
        law_between(w, b, a, 0, 0.5, TALUS_ACTIVATION_AUTO);
        talus_interaction_def off = talus_interaction_def_default();
        off.enabled = false;
        CHECK_OK(talus_interaction_set(w, c, a, &off), talus_world_error(w));
        const talus_body_id ball = moving(w, 0, 0, 1, 0, 0);
        add_disk(w, ball, a, 0, 0, 0.1);
        wall(w, k == 0 ? b : k == 1 ? a : c, 0.3, 0, -1, 0);
        run(w, 500);
        CHECK_NEAR(speed(w, ball, 0), expected[k], 1e-12);
        talus_world_destroy(w);
    }
}

int main(int argc, char **argv)
{
    RUN(corner);
    RUN(two_walls);
    RUN(oblique);
    RUN(parting);
    RUN(no_tunnel);
    RUN(laws_of_pairs);
    return TEST_RESULT;
}
