/* Bonds that come off for good (theory §2.6), in the plane and in space: with what load and what blow, when, and what is left then. */
#include "lab.h"

static const double R = 0.05, F = 3, D = 1e-4; /* radius of a ball [m]; what a bond bears [N]; how far it goes with that [m] */

enum { HOLDS = 1, IS_OFF = 2 };

/* Pairs of shapes whose bond is in this state, those that are no longer near too. */
static int bonds(const talus_world *w, int state)
{
    const talus_law *law;
    talus_field f = {0};
    int count = 0;
    size_t column = 0;
    for (int i = 0; (law = talus_law_at(i)) && strcmp(law->name, "cohesion") != 0; i++) column += (size_t)law->fields;
    for (int i = 0; i < talus_state_count(w) && (!f.name || strcmp(f.name, "pairs/state") != 0); i++) talus_state_field(w, i, &f);
    for (size_t i = 0; i < f.rows; i++) count += ((const double *)f.data)[i * f.columns + column] == state;
    return count;
}

/* `law` is more of the interaction, `rest` what the scene has besides. */
typedef struct space {
    int dimension;
    const char *zero, *wall, *ball, *axis; /* zero: coordinates before the last one */
} space;

static const space SPACES[] = {{2, "0", "half_plane", "disk", "y"}, {3, "0, 0", "half_space", "sphere", "z"}};

static lab open_bonds(const space *s, double h, const char *law, double gravity, const char *rest)
{
    char text[6000];
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 100 s, step: %.17g}\ngravity: [%s, %.17g]\nsolver: {tolerance: 1e-12 m/s, max_iterations: 20000}\n"
             "materials: {m: {}}\ninteractions: [{law: cohesion, force: 3 N, distance: 0.1 mm%s}]\n%s",
             s->dimension, h, s->zero, -gravity, law, rest);
    return open_lab(text, 1);
}

/* A ball of 1 kg that touches a ceiling at the height 0, or is `gap` below it, free or on a slide of a mechanism; pulled by `load` [N], a function of t. */
static lab open_ball(const space *s, bool slides, double h, const char *law, double gap, double speed, const char *load)
{
    char text[3000], shape[200];
    snprintf(shape, sizeof shape, "mass: 1, inertia: 1, shapes: [{%s: {radius: 0.05, material: m}}]", s->ball);
    int n = snprintf(text, sizeof text, "bodies:\n  ceiling: {kind: fixed, shapes: [{%s: {point: [%s, 0], normal: [%s, -1], material: m}}]}\n", s->wall,
                     s->zero, s->zero);
    if (!slides)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  b: {position: [%s, %.17g], velocity: [%s, %.17g], mass: 1, shapes: [{%s: {radius: 0.05, material: m}}]}\n", s->zero, -R - gap, s->zero,
                      speed, s->ball);
    else
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "mechanisms:\n  press:\n    bodies: {b: {%s}}\n"
                      "    joints: {j: {type: prismatic, parent: ground, child: b, axis: [%s, 1], at: [%s, %.17g], velocity: %.17g}}\n",
                      shape, s->zero, s->zero, -R - gap, speed);
    snprintf(text + n, sizeof text - (size_t)n, "loads: {pull: {body: b, %s: '%s'}}\nprobes: {v: {body: b, quantity: v%s}, x: {body: b, quantity: %s}}\n",
             s->axis, load, s->axis, s->axis);
    return open_bonds(s, h, law, 0, text);
}

/* The load grows by r in a second: nothing moves before it is F, and then x = r t³ / 6 m, so that the bond is off at x = D, whatever the step. */
TEST(comes_off_at_its_force)
{
    const double rate = 5, h[] = {2e-3, 1e-3, 2e-4}, off = F / rate + cbrt(6 * D / rate);
    for (int k = 0; k < 12; k++) {
        const double step = h[k / 4];
        lab l = open_ball(&SPACES[k % 2], k / 2 % 2, step, ", breaking: once", 0, 0, "-5 N/s * t");
        double t = 0;
        while (t < 1 && bonds(l.world, IS_OFF) == 0) {
            lab_step(&l);
            t = talus_world_time(l.world);
            if (t < F / rate) CHECK_NEAR(lab_probe(&l, "v"), 0, 1e-12);
        }
        CHECK_NEAR(t, off, 2 * step);
        CHECK(bonds(l.world, HOLDS) == 0 && lab_probe(&l, "x") < -R - D);
        close_lab(&l);
    }
}

/* Pulled off, pressed on again, pulled with less than F: with `once` it comes along, else it is held. */
TEST(pressed_on_again)
{
    for (int k = 0; k < 8; k++) {
        const bool once = k / 4;
        lab l = open_ball(&SPACES[k % 2], k / 2 % 2, 1e-3, once ? ", breaking: once" : ", breaking: never", 0, 0,
                          "-4 N * (1 - step(t - 0.1)) + 50 N * (step(t - 0.1) - step(t - 0.4)) - 2 N * step(t - 0.4)");
        lab_run(&l, 0.1);
        CHECK(lab_probe(&l, "x") < -R - 2 * D);
        lab_run(&l, 0.4);
        CHECK_NEAR(lab_probe(&l, "x"), -R, 1e-9);
        const double v = lab_probe(&l, "v");
        CHECK_NEAR(v, 0, 1e-11);
        lab_run(&l, 0.5);
        CHECK_NEAR(lab_probe(&l, "v"), once ? -0.2 : 0, 1e-9);
        CHECK(bonds(l.world, IS_OFF) == once && bonds(l.world, HOLDS) == 0);
        close_lab(&l);
    }
}

/* What is near at the start is bonded, and what comes later is not, from far or from just beyond the distance; it is where there is more time. */
TEST(bonds_until)
{
    static const char *const LAW[] = {", breaking: once, bonds_until: 0 s", ", breaking: once, bonds_until: 1 s"};
    static const double GAP[] = {0, 1.01e-4, 0.01};
    for (int k = 0; k < 12; k++) {
        const double gap = GAP[k / 4];
        lab l = open_ball(&SPACES[k % 2], false, 1e-3, LAW[k / 2 % 2], gap, 0, "10 N * (1 - step(t - 0.3)) - 2 N * step(t - 0.3)");
        lab_run(&l, 0.4);
        const bool held = !(gap > 0) || k / 2 % 2;
        CHECK_NEAR(lab_probe(&l, "v"), held ? 0 : -0.2, 1e-9);
        CHECK(bonds(l.world, HOLDS) == held);
        close_lab(&l);
    }
}

/* A stage cements what has come together: a ball that lies on a floor is bonded from then on, if the law says so of that time. */
TEST(cemented_by_a_stage)
{
    static const char *const UNTIL[] = {"0.2 s", "0.1 s"};
    for (int k = 0; k < 4; k++) {
        const space *s = &SPACES[k % 2];
        char text[2000];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\ngravity: [%s, -1]\nsolver: {tolerance: 1e-12 m/s}\nmaterials: {m: {}}\n"
                 "bodies:\n  floor: {kind: fixed, shapes: [{%s: {point: [%s, 0], normal: [%s, 1], material: m}}]}\n"
                 "  b: {position: [%s, 0.05], mass: 1, shapes: [{%s: {radius: 0.05, material: m}}]}\nprobes: {v: {body: b, quantity: v%s}}\n"
                 "stages:\n  rest: {until: {after: 0.2 s}}\n"
                 "  cement: {until: {after: 0.1 s}, interactions: [{law: cohesion, force: 3 N, distance: 0.1 mm, breaking: once, bonds_until: %s}]}\n"
                 "  turned: {until: {after: 0.1 s}, gravity: [%s, 2]}\n",
                 s->dimension, s->zero, s->wall, s->zero, s->zero, s->zero, s->ball, s->axis, UNTIL[k / 2], s->zero);
        lab l = open_lab(text, 1);
        lab_run(&l, 0.4);
        CHECK_NEAR(lab_probe(&l, "v"), k / 2 ? 0.2 : 0, 1e-9);
        CHECK(bonds(l.world, HOLDS) == !(k / 2));
        close_lab(&l);
    }
}

/* A blow that gives the ball v: the bond takes F D to break, and m v²/2 is more or less, whatever the step. The pull's work in a step is exact. A ball that
 * stops between two steps may have been farther by F h²/8m, and this is the share of D that is not decided. */
TEST(blow)
{
    const double h[] = {1e-3, 2.5e-4, 1e-4};
    for (int k = 0; k < 12; k++) {
        const bool breaks = k / 2 % 2;
        const double step = h[k / 4], spare = fmax(F * step * step / D, 1e-6), v = sqrt(2 * F * D * (breaks ? 1 + spare : 1 - spare));
        lab l = open_ball(&SPACES[k % 2], false, step, ", breaking: once", 0, -v, "0 N");
        lab_run(&l, 0.2);
        CHECK(bonds(l.world, IS_OFF) == breaks && bonds(l.world, HOLDS) == !breaks);
        if (!breaks) CHECK_NEAR(lab_probe(&l, "x"), -R, 1e-9);
        close_lab(&l);
    }
}

/* Kicked off its wall, to and fro between two walls that it leaves as fast as it comes: slower by F D, and up to F h v that the last step takes, once and
 * never again. With a wall that pulls whenever it is near it would lose at each. */
TEST(energy)
{
    const double h = 1e-4, v0 = 0.5;
    for (int k = 0; k < 2; k++) {
        char rest[2000];
        const space *s = &SPACES[k];
        snprintf(
            rest, sizeof rest,
            "bodies:\n  walls: {kind: fixed, shapes: [{%s: {point: [%s, 0], normal: [%s, 1], material: m}}, {%s: {point: [%s, 0.3], normal: [%s, -1], "
            "material: m}}]}\n"
            "  b: {position: [%s, 0.05], velocity: [%s, 0.5], mass: 1, shapes: [{%s: {radius: 0.05, material: m}}]}\nprobes: {v: {body: b, quantity: v%s}}\n",
            s->wall, s->zero, s->zero, s->wall, s->zero, s->zero, s->zero, s->zero, s->ball, s->axis);
        lab l = open_bonds(s, h, ", restitution: 1, breaking: once, bonds_until: 0 s", 0, rest);
        double slowed = 0, kinetic, potential;
        for (int i = 0; i < 40000; i++) {
            lab_step(&l);
            talus_world_energy(l.world, &kinetic, &potential);
            if (bonds(l.world, IS_OFF) == 0) continue;
            if (slowed == 0) slowed = kinetic;
            CHECK_NEAR(kinetic, slowed, 1e-12);
        }
        const double lost = 0.5 * v0 * v0 - slowed;
        CHECK(lost >= F * D - 1e-12 && lost <= F * D + F * h * v0);
        close_lab(&l);
    }
}

/* A garland of three balls between two fixed ones, without friction: an arch that would fall without cohesion. The inner bonds go down at β from the middle
 * ball's two neighbours, 2 T₂ sin β = m g, and the outer ones at α, T₁ sin α = 3 m g / 2 and T₁ cos α = T₂ cos β: in this shape, tan α = 3 tan β, it hangs at
 * rest, until T₁ = 3 m g / (2 sin α) is F. Then the outer bonds come off, and the inner ones hold. */
static lab open_garland(const space *s, double h, double gravity)
{
    char rest[3000];
    const double beta = 0.3, alpha = atan(3 * tan(beta)), x1 = 2 * R * cos(beta), y1 = 2 * R * sin(beta);
    const double x[5] = {-x1 - 2 * R * cos(alpha), -x1, 0, x1, x1 + 2 * R * cos(alpha)}, y[5] = {y1 + 2 * R * sin(alpha), y1, 0, y1, y1 + 2 * R * sin(alpha)};
    int n = snprintf(rest, sizeof rest, "bodies:\n");
    for (int i = 0; i < 5; i++)
        n += snprintf(rest + n, sizeof rest - (size_t)n, "  b%d: {%s, position: [%.17g, %s%.17g], shapes: [{%s: {radius: 0.05, material: m}}]}\n", i,
                      i % 4 == 0 ? "kind: fixed" : "mass: 1", x[i], s->dimension == 3 ? "0, " : "", y[i], s->ball);
    snprintf(rest + n, sizeof rest - (size_t)n, "probes: {v: {body: b2, quantity: v%s}}\n", s->axis);
    return open_bonds(s, h, ", breaking: once, bonds_until: 0 s", gravity, rest);
}

TEST(garland)
{
    const double h[] = {1e-2, 1e-3, 1e-4}, limit = F * 2 * sin(atan(3 * tan(0.3))) / 3;
    for (int k = 0; k < 12; k++) {
        const bool falls = k / 2 % 2;
        const double step = h[k / 4], spare = 1e-5, t = 5 * step, fall = spare * limit * t;
        lab l = open_garland(&SPACES[k % 2], step, limit * (falls ? 1 + spare : 1 - spare));
        for (int i = 0; i < 5; i++) lab_step(&l);
        /* Where the outer bonds bear F, and the inner ones what they did, all three balls fall by what their weight is more, until, of the order g t²/R, the
         * garland has another shape. The solver's tolerance adds up. */
        CHECK_NEAR(lab_probe(&l, "v"), falls ? -fall : 0, fall * limit * t * t / R + 5 * 1e-12);
        CHECK(bonds(l.world, HOLDS) == 4);
        close_lab(&l);
    }
    for (int k = 0; k < 2; k++) {
        lab l = open_garland(&SPACES[k], 1e-4, 1.05 * limit);
        for (int i = 0; i < 3000 && bonds(l.world, IS_OFF) == 0; i++) lab_step(&l);
        CHECK(bonds(l.world, IS_OFF) == 2 && bonds(l.world, HOLDS) == 2);
        lab_run(&l, talus_world_time(l.world) + 0.02);
        CHECK(lab_probe(&l, "v") < -0.015 * limit); /* it falls freely, or nearly so: what is left of the chain goes down together */
        close_lab(&l);
    }
}

/* A row of n blocks a × b, one bonded to the other and the first to a wall. A joint bears the moment F b / 2, for its points share F; at the wall it has to
 * bear n² m g a / 2. Friction bears the weight. With more the row turns about its lower corner as one, and only the joint at the wall comes off. */
static lab open_row(const space *s, int blocks, double h, double gravity)
{
    char rest[4000];
    const bool flat = s->dimension == 2;
    int n = snprintf(rest, sizeof rest, "bodies:\n  wall: {kind: fixed, shapes: [{%s: {point: [0, %s], normal: [1, %s], material: m}}]}\n", s->wall, s->zero,
                     s->zero);
    for (int i = 0; i < blocks; i++)
        n += snprintf(rest + n, sizeof rest - (size_t)n, "  b%d: {mass: 1, position: [%.17g, %s], shapes: [{box: {size: [0.1, %s0.2], material: m}}]}\n", i,
                      0.05 + 0.1 * i, s->zero, flat ? "" : "0.2, ");
    snprintf(rest + n, sizeof rest - (size_t)n, "probes: {v: {body: b%d, quantity: v%s}}\n", blocks - 1, s->axis);
    return open_bonds(s, h, ", friction: 3, breaking: once", gravity, rest);
}

TEST(row_of_blocks)
{
    const double h[] = {5e-3, 1e-3, 2e-4};
    for (int k = 0; k < 24; k++) {
        const int blocks = k / 12 ? 3 : 1;
        const bool falls = k / 2 % 2;
        const double a = 0.1, b = 0.2, length = blocks * a, step = h[k / 4 % 3], limit = F * b / (blocks * length), spare = 1e-4, t = 10 * step;
        lab l = open_row(&SPACES[k % 2], blocks, step, limit * (falls ? 1 + spare : 1 - spare));
        for (int i = 0; i < 10; i++) lab_step(&l);
        /* what is left of the moment over that of inertia about the corner, blocks m (length² + b²) / 3; of the order g t²/length it becomes another */
        const double turn = 1.5 * length * spare * limit / (length * length + b * b), fall = turn * (length - a / 2) * t, v = lab_probe(&l, "v");
        if (!(fabs(v + (falls ? fall : 0)) < fall * limit * t * t / length + 10 * 1e-12))
            TEST_FAIL("%d blocks, h = %g, %s: v = %g, of %g", blocks, step, falls ? "above" : "below", v, fall);
        close_lab(&l);
    }
    for (int k = 0; k < 2; k++) {
        lab l = open_row(&SPACES[k], 3, 1e-3, 1.05 * F * 0.2 / (9 * 0.1));
        for (int i = 0; i < 1000 && bonds(l.world, IS_OFF) == 0; i++) lab_step(&l);
        CHECK(bonds(l.world, IS_OFF) == 1 && bonds(l.world, HOLDS) == 2);
        close_lab(&l);
    }
}

/* A block that leans on the wall with one edge: the other one, which is near and has never been within the distance, breaks no bond. */
TEST(leaning)
{
    for (int k = 0; k < 2; k++) {
        const space *s = &SPACES[k];
        char rest[1000];
        const double angle = 0.005, x = 0.05 * (cos(angle) + sin(angle));
        snprintf(rest, sizeof rest,
                 "bodies:\n  wall: {kind: fixed, shapes: [{%s: {point: [0, %s], normal: [1, %s], material: m}}]}\n"
                 "  b: {mass: 1, position: [%.17g, %s], %s%.17g%s, shapes: [{box: {size: [0.1, 0.1%s], material: m}}]}\n",
                 s->wall, s->zero, s->zero, x, s->zero, k ? "orientation: {axis_angle_deg: [0, 0, 1, " : "angle: ", k ? angle * 180 / acos(-1) : angle,
                 k ? "]}" : "", k ? ", 0.1" : "");
        lab l = open_bonds(s, 1e-3, ", breaking: once", 0, rest);
        for (int i = 0; i < 10; i++) lab_step(&l);
        CHECK(bonds(l.world, HOLDS) == 1 && talus_contact_count(l.world) == (k ? 4 : 2));
        close_lab(&l);
    }
}

/* Two balls that touch, pulled apart by forces that grow and pressed together again: through the end of a periodic cell, and in its middle. */
TEST(copies)
{
    for (int k = 0; k < 2; k++) {
        const space *s = &SPACES[k];
        double off[2] = {0}, x[2] = {0};
        for (int c = 0; c < 2; c++) {
            char rest[3000];
            const char *more = s->dimension == 3 ? ", 0, 0" : ", 0";
            snprintf(rest, sizeof rest,
                     "periodic: {x: [0, 1 m]}\nbodies:\n"
                     "  a: {mass: 1, position: [%g%s], shapes: [{%s: {radius: 0.05, material: m}}]}\n  b: {mass: 1, position: [%g%s], shapes: [{%s: {radius: "
                     "0.05, material: m}}]}\n"
                     "loads: {a: {body: a, x: '-5 N/s * t + 30 N * step(t - 0.7)'}, b: {body: b, x: '5 N/s * t - 30 N * step(t - 0.7)'}}\n"
                     "probes: {x: {body: a, quantity: x}}\n",
                     c ? 0.45 : 0.95, more, s->ball, c ? 0.55 : 0.05, more, s->ball);
            lab l = open_bonds(s, 1e-3, ", breaking: once", 0, rest);
            while (talus_world_time(l.world) < 0.9) {
                lab_step(&l);
                if (off[c] == 0 && bonds(l.world, IS_OFF) == 1) off[c] = talus_world_time(l.world);
            }
            x[c] = lab_probe(&l, "x") + (c ? 0.5 : 0);
            CHECK(bonds(l.world, IS_OFF) == 1 && bonds(l.world, HOLDS) == 0);
            close_lab(&l);
        }
        /* each goes half of the way: r t³ / 6 m = D / 2 */
        CHECK_NEAR(off[0], F / 5 + cbrt(3 * D / 5), 2e-3);
        CHECK(off[0] == off[1]);
        CHECK_NEAR(x[0], x[1], 1e-9);
    }
}

/* A heap that is cemented and falls: some bonds come off. With any number of threads, and from a state that is put back, it goes on with the same bits. */
static lab open_heap(const space *s, double h, int threads)
{
    char text[2000];
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 1 s, step: %.17g}\ngravity: [%s, -9.81]\nmaterials: {m: {density: 1000}}\n"
             "interactions: [{law: cohesion, force: %s, distance: 0.2 mm, breaking: once, friction: 0.4}]\n"
             "bodies:\n  floor: {kind: fixed, shapes: [{%s: {point: [%s, 0], normal: [%s, 1], material: m}}, {box: {size: [0.1%s, 0.05], centre: [%s, 0.025], "
             "material: m}}]}\n"
             "grains:\n  g: {generator: fill, count: 40, material: m, radius: 0.02, region: [[-0.1%s, 0.06], [0.1%s, 0.6]]}\n",
             s->dimension, h, s->zero, s->dimension == 2 ? "20 N" : "0.3 N", s->wall, s->zero, s->zero, s->dimension == 2 ? "" : ", 0.1", s->zero,
             s->dimension == 2 ? "" : ", -0.1", s->dimension == 2 ? "" : ", 0.1");
    return open_lab(text, threads);
}

/* Energy with that of the bonds that hold: each has −F (D − gap) while its pair is within D, and nothing when it is off. Balls go straight within a step, and
 * so the pull's work is exact but for the turning of their axis: F (h V_t)² / 8 (2 R) at most, with the speed of the fall, 2 m/s. */
TEST(energy_of_a_heap)
{
    for (int k = 0; k < 2; k++) {
        const double force = k ? 0.3 : 20, distance = 2e-4, h = 2e-4, rest = force * pow(h * 2, 2) / (16 * 0.02);
        lab l = open_heap(&SPACES[k], h, 1);
        double before = (double)INFINITY;
        int broken = 0;
        while (talus_world_time(l.world) < 0.6) {
            lab_step(&l);
            double kinetic, potential;
            talus_world_energy(l.world, &kinetic, &potential);
            double energy = kinetic + potential;
            int near = 0;
            for (int i = 0; i < talus_contact_count(l.world); i++) {
                talus_contact c;
                talus_contact_get(l.world, i, &c);
                const double gap = c.gap + 0.5 * h * c.velocity[0];
                if (!c.law || c.state[0] == IS_OFF || gap > distance) continue;
                energy -= force * (distance - gap), near++;
            }
            if (!(energy <= before + near * rest)) TEST_FAIL("t = %g: the energy grows by %g J", talus_world_time(l.world), energy - before);
            before = energy;
            broken = bonds(l.world, IS_OFF);
        }
        CHECK(broken > 3);
        close_lab(&l);
    }
}

TEST(same_bits)
{
    for (int k = 0; k < 2; k++) {
        lab l = open_heap(&SPACES[k], 1e-3, 1), again = open_heap(&SPACES[k], 1e-3, 2);
        talus_field field[64];
        while (talus_world_time(l.world) < 0.5 && bonds(l.world, IS_OFF) < 3) lab_step(&l);
        CHECK(bonds(l.world, IS_OFF) >= 3 && bonds(l.world, HOLDS) >= 3);
        const int n = talus_state_count(l.world);
        for (int i = 0; i < n; i++) talus_state_field(l.world, i, &field[i]);
        CHECK_OK(talus_state_restore(again.world, field, n), talus_world_error(again.world));
        for (int i = 0; i < 300; i++) {
            lab_step(&l), lab_step(&again);
            CHECK(talus_world_hash(l.world) == talus_world_hash(again.world));
        }
        close_lab(&l), close_lab(&again);
    }
}

/* A block is drawn from soil, on which it stands with many nodes and elements, by a force that grows by 40 N/s. The soil's surface counts as one shape, so that
 * it goes at 20 N, whatever of the soil it touches. Nodes lie alike about its middle; touches of faces do not, and where the pull is shared alike by these the
 * block peels off earlier. */
static double leaves_soil(int dimension, const char *contact, const char *breaking)
{
    const bool plane = dimension == 2;
    char text[2000];
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nintegrator: {theta: 0.6}\nsolver: {tolerance: 1e-6, max_iterations: 2000}\n"
             "materials: {stone: {density: 2700}, earth: {density: 500}}\n"
             "interactions: [{between: [stone, earth], law: cohesion, force: 20 N, distance: 1 mm, breaking: %s}]\n"
             "solids:\n  soil:\n    box: {size: [40 cm, %s20 cm], elements: [8, %s4]}\n    material: {density: 500, young: 100 MPa, poisson: 0.2}\n"
             "    damping: {stiffness: 2 ms}\n    fixed: bottom\n    contact: {material: earth, surface: top, as: %s}\n"
             "bodies: {b: {mass: 100 g, position: [%s6 cm], shapes: [{box: {size: [17 cm, %s12 cm], material: stone}}]}}\n"
             "loads: {pull: {body: b, %c: \"40 N*t/(1 s)\"}}\n",
             dimension, breaking, plane ? "" : "40 cm, ", plane ? "" : "8, ", contact, plane ? "0, " : "0, 0, ", plane ? "" : "17 cm, ", plane ? 'y' : 'z');
    lab l = open_lab(text, 1);
    double x[3] = {0}, q[4];
    while (talus_world_time(l.world) < 0.7 && x[dimension - 1] < 0.0601) {
        (void)lab_step(&l);
        talus_body_pose(l.world, talus_body_find(l.world, "b"), x, q);
    }
    const double time = talus_world_time(l.world);
    close_lab(&l);
    return time;
}

TEST(drawn_from_soil)
{
    const double parts = 0.5 + cbrt(6 * 0.1 * 1e-4 / 40); /* the cohesion of 20 N pulls on, so that x = F' t³/(6 m), and that is 0.1 mm */
    for (int i = 0; i < 2; i++) {
        const char *breaking = i ? "once" : "never";
        CHECK_NEAR(leaves_soil(2, "nodes", breaking), parts, 2e-3);
        CHECK_NEAR(leaves_soil(3, "nodes", breaking), parts, 2e-3);
        CHECK(leaves_soil(3, "both", breaking) < parts + 2e-3);
    }
}

TEST(mistakes)
{
    static const char *const WRONG[][2] = {{"breaking: onec", "'breaking' cannot be 'onec'; expected one of: never once; did you mean 'once'?"},
                                           {"bonds_until: 1 s", "'bonds_until' of the law 'cohesion' wants 'breaking: once'"},
                                           {"law: capillary, breaking: once", "the law 'capillary' has no 'breaking'; it is of 'cohesion'"}};
    for (int i = 0; i < 3; i++) {
        char text[500];
        talus_world *w = NULL;
        snprintf(text, sizeof text, "time: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1}}\ninteractions: [{%s%s}]\n",
                 i < 2 ? "law: cohesion, force: 1 N, distance: 1 mm, " : "", WRONG[i][0]);
        talus_scene *scene = load_lab(text);
        if (talus_scene_mistake_count(scene) == 0) CHECK(talus_scene_build(scene, 1, &w) == TALUS_INPUT);
        if (!strstr(talus_scene_mistake(scene, 0), WRONG[i][1])) TEST_FAIL("'%s' does not say '%s'", talus_scene_mistake(scene, 0), WRONG[i][1]);
        talus_world_destroy(w);
        talus_scene_destroy(scene);
    }
}

int main(int argc, char **argv)
{
    RUN(comes_off_at_its_force);
    RUN(pressed_on_again);
    RUN(bonds_until);
    RUN(cemented_by_a_stage);
    RUN(blow);
    RUN(energy);
    RUN(garland);
    RUN(row_of_blocks);
    RUN(leaning);
    RUN(copies);
    RUN(energy_of_a_heap);
    RUN(same_bits);
    RUN(drawn_from_soil);
    RUN(mistakes);
    return TEST_RESULT;
}
