/* A sheared cell in the plane (Lees & Edwards 1972): copies slide past each other. Where the seam is, and in which copy a body is said to be, changes
 * nothing; what the shear works is what the grains gain and lose; a gas has its flow without walls. */
#include "physics/planar.h"

#include "base/base.h"

enum { ACROSS = 9, MOST = ACROSS * ACROSS };

static const double LENGTH[2] = {1.2, 0.9};
static tl_random rnd;

static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

/* γ(t) = start + rate t */
typedef struct straining {
    double start, rate;
} straining;

static void strain_value(void *user, double t, double out[3])
{
    const straining *s = user;
    out[0] = s->start + s->rate * t, out[1] = s->rate, out[2] = 0;
}

/* Along x across y, or the other way round. */
static talus_world *open_cell(const talus_world_def *def, const straining *s, bool turned)
{
    talus_world *w = open_world(def);
    const talus_motion strain = {strain_value, (void *)(uintptr_t)s};
    CHECK_OK(talus_world_set_shear(w, turned, !turned, &strain), talus_world_error(w));
    return w;
}

static talus_world_def cell(double x, double y)
{
    talus_world_def d = lab(1e-3);
    d.gravity[1] = 0;
    d.periodic[0][0] = x, d.periodic[0][1] = x + LENGTH[0];
    d.periodic[1][0] = y, d.periodic[1][1] = y + LENGTH[1];
    return d;
}

/* v₁⁺ = v₁ + (1 + e) V m₂ / (m₁ + m₂), V the velocity at which the copy of the other comes, through both ends of a cell that slides. */
TEST(collision)
{
    for (int k = 0; k < 6; k++) {
        static const double RADIUS = 0.05, RATE = 1.7, STEP = 1e-5;
        const straining s = {.start = 0.4 + 3.3 * k, .rate = RATE};
        const double e = 0.2 * k, slide = RATE * LENGTH[1];
        talus_world_def d = cell(0, 0);
        d.step = STEP;
        talus_world *w = open_cell(&d, &s, false);
        const talus_material_id m = material(w, "steel", 1000);
        law(w, 0, e);
        /* a above the middle; the copy of b one cell up comes down on it, straight above when they meet */
        const double meet = 0.02, vy = -1, gap = -vy * meet;
        const double xb = 0.3 - s.start * LENGTH[1], vb = -slide + 0.25; /* seen from a it goes with 0.25 m/s */
        const talus_body_id a = moving(w, 0.3 + 0.25 * meet, 0.8, 0, 0, 0), b = moving(w, xb - 3 * LENGTH[0], 0.8 + 2 * RADIUS + gap - LENGTH[1], vb, vy, 0);
        add_disk(w, a, m, 0, 0, RADIUS), add_disk(w, b, m, 0, 0, RADIUS);
        for (int i = 0; i < 4000; i++) (void)step(w);
        CHECK_NEAR(speed(w, a, 1), 0.5 * (1 + e) * vy, 2e-3);
        CHECK_NEAR(speed(w, b, 1), vy - 0.5 * (1 + e) * vy, 2e-3);
        CHECK_NEAR(speed(w, a, 0), 0, 2e-3);
        CHECK_NEAR(speed(w, b, 0), vb, 2e-3);
        talus_world_destroy(w);
    }
}

/* Friction sees the copy that slides: a disk that lies on the copy of a fixed floor that goes by with U slips until it rolls, with U/3, and turns with 2U/3R.
 */
TEST(rolls_on_a_copy)
{
    static const double R = 0.1, RATE = 1;
    const straining s = {0.123, RATE};
    for (int k = -2; k <= 2; k++) {
        const double U = k * RATE * LENGTH[1];
        talus_world_def d = cell(-0.2, 0.05);
        d.gravity[1] = -G;
        talus_world *w = open_cell(&d, &s, false);
        const talus_material_id m = material(w, "steel", 1000);
        law(w, 0.8, 0);
        const talus_body_id floor = body(w, TALUS_BODY_FIXED, 0, -0.1, 0), disk = moving(w, k * s.start * LENGTH[1], R + k * LENGTH[1], 0, 0, 0);
        add_box(w, floor, m, 0.5 * LENGTH[0], 0.1);
        add_disk(w, disk, m, 0, 0, R);
        run(w, 120); /* not as far as where two copies of the floor meet */
        CHECK_NEAR(speed(w, disk, 0), U / 3, 1e-8);
        CHECK_NEAR(speed(w, disk, 2), 2 * U / 3 / R, 1e-7);
        talus_world_destroy(w);
    }
}

typedef struct packing {
    talus_world *w;
    talus_body_id body[MOST];
    double shift[MOST][2]; /* as it is given [m]    */
    int image[MOST];       /* the cell across        */
} packing;

/* Disks and boxes that nearly touch, with the flow of the cell and a velocity of their own. */
static packing pack(const talus_world_def *def, const straining *s, const double move[2], bool scatter, double mirror)
{
    packing p = {.w = open_cell(def, s, false)};
    const talus_material_id m = material(p.w, "stone", 2000);
    const double pitch[2] = {LENGTH[0] / ACROSS, LENGTH[1] / ACROSS};
    tl_random own = tl_random_seed(7);
    law(p.w, 0.4, 0.3);
    for (int i = 0; i < MOST; i++) {
        double x[2] = {pitch[0] * (i % ACROSS + tl_random_uniform(&own, 0, 0.1)), pitch[1] * (i / ACROSS + tl_random_uniform(&own, 0, 0.1))};
        double v[2] = {tl_random_uniform(&own, -0.5, 0.5) + mirror * s->rate * x[1], tl_random_uniform(&own, -0.5, 0.5)};
        const int far = scatter ? tl_random_int(&rnd, 7) - 3 : 0, up = scatter ? tl_random_int(&rnd, 7) - 3 : 0;
        p.image[i] = up;
        p.shift[i][0] = far * LENGTH[0] + up * s->start * LENGTH[1], p.shift[i][1] = up * LENGTH[1];
        v[0] += mirror * up * s->rate * LENGTH[1];
        p.body[i] = moving(p.w, mirror * x[0] + p.shift[i][0] + move[0], x[1] + p.shift[i][1] + move[1], mirror * v[0], v[1], mirror);
        if (i % 2) add_box(p.w, p.body[i], m, 0.04, 0.035);
        else add_disk(p.w, p.body[i], m, 0, 0, 0.045);
    }
    return p;
}

/* The same scene elsewhere, with the seam anywhere among the grains, and each body given in a cell of its own with the velocity of that cell. */
TEST(the_seam_is_nowhere)
{
    static const double HERE[2] = {0, 0};
    enum { STEPS = 160 };
    const straining s = {.start = 0.37, .rate = 1.5};
    const talus_world_def d = cell(0, 0);
    rnd = tl_random_seed(1);
    packing of = pack(&d, &s, HERE, false, 1);
    int pressing = 0, through = 0;
    for (int i = 0; i < STEPS; i++) {
        pressing += step(of.w).touching;
        for (int k = 0; k < talus_contact_count(of.w); k++) {
            talus_contact c;
            talus_contact_get(of.w, k, &c);
            through += c.image[1] != 0 && c.impulse[0] > 0;
        }
    }
    CHECK(pressing > 50 && through > 5);
    for (int k = 0; k < 6; k++) {
        const double move[2] = {uniform(-2, 2), uniform(-2, 2)};
        packing is = pack(&d, &s, move, k > 2, 1);
        run(is.w, STEPS);
        for (int i = 0; i < MOST; i++) {
            const double slid = is.image[i] * s.rate * LENGTH[1], t = talus_world_time(is.w);
            CHECK_NEAR(at(is.w, is.body[i], 0) - move[0] - is.shift[i][0] - slid * t, at(of.w, of.body[i], 0), 1e-9);
            CHECK_NEAR(at(is.w, is.body[i], 1) - move[1] - is.shift[i][1], at(of.w, of.body[i], 1), 1e-9);
            CHECK_NEAR(at(is.w, is.body[i], 2), at(of.w, of.body[i], 2), 1e-8);
            CHECK_NEAR(speed(is.w, is.body[i], 0) - slid, speed(of.w, of.body[i], 0), 1e-6);
            CHECK_NEAR(speed(is.w, is.body[i], 1), speed(of.w, of.body[i], 1), 1e-6);
        }
        CHECK(talus_contact_count(is.w) == talus_contact_count(of.w));
        talus_world_destroy(is.w);
    }
    talus_world_destroy(of.w);
}

/* Sheared the other way, the mirror image of the scene does what the scene does. */
TEST(mirrored)
{
    static const double HERE[2] = {0, 0};
    const straining s = {0.37, 1.5}, back = {-0.37, -1.5};
    talus_world_def d = cell(0, 0), other = cell(-LENGTH[0], 0);
    packing a = pack(&d, &s, HERE, false, 1), b = pack(&other, &back, HERE, false, -1);
    run(a.w, 60), run(b.w, 60);
    for (int i = 0; i < MOST; i++) {
        CHECK_NEAR(at(b.w, b.body[i], 0), -at(a.w, a.body[i], 0), 1e-9);
        CHECK_NEAR(at(b.w, b.body[i], 1), at(a.w, a.body[i], 1), 1e-9);
        CHECK_NEAR(speed(b.w, b.body[i], 2), -speed(a.w, a.body[i], 2), 1e-5);
    }
    talus_world_destroy(a.w), talus_world_destroy(b.w);
}

/* What is near is what geometry says: every pair in every image, by trying all, at strains from 0 to 40, along x and along y. */
TEST(all_images_are_found)
{
    rnd = tl_random_seed(3);
    int images = 0, sliding = 0;
    for (int k = 0; k < 200; k++) {
        const bool turned = k % 2;
        const straining s = {.start = uniform(-1, 1) * (k % 3 == 0 ? 40 : 1), .rate = uniform(-5, 5)};
        const int along = turned, across = !turned;
        talus_world_def d = cell(0, 0);
        d.step = 1e-9, d.alert_distance = k % 5 ? 1e-3 : 0.2;
        talus_world *w = open_cell(&d, &s, turned);
        const talus_material_id m = material(w, "steel", 1000);
        const int n = 2 + tl_random_int(&rnd, 20), far = k % 4 ? 4 : 1;
        const double largest = uniform(0.02, 0.22), D = s.start * LENGTH[across];
        talus_body_id body[MOST];
        double radius[MOST], x[MOST][2];
        law(w, 0, 0);
        for (int i = 0; i < n; i++) {
            radius[i] = uniform(0.2, 1) * largest;
            body[i] = moving(w, uniform(-far, far), uniform(-far, far), 0, 0, 0);
            add_disk(w, body[i], m, 0, 0, radius[i]);
            x[i][0] = at(w, body[i], 0), x[i][1] = at(w, body[i], 1);
        }
        CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
        int expected = 0;
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++)
                for (int j = -12; j <= 12; j++) {
                    const double slid = x[b][along] + j * D - x[a][along], away = x[b][across] + j * LENGTH[across] - x[a][across];
                    const double nearest = slid - LENGTH[along] * nearbyint(slid / LENGTH[along]); /* and the two beside it */
                    for (int i = -1; i <= 1; i++) {
                        const double gap = hypot(nearest + i * LENGTH[along], away) - radius[a] - radius[b];
                        expected += gap < d.alert_distance + 1e-9 * fabs(j * s.rate * LENGTH[across]);
                    }
                }
        CHECK(expected == talus_contact_count(w));
        for (int c = 0; c < talus_contact_count(w); c++) {
            talus_contact t;
            double v[2];
            talus_contact_get(w, c, &t);
            const int a = (int)(t.antagonist.index1 - body[0].index1), b = (int)(t.candidate.index1 - body[0].index1);
            for (int i = 0; i < 2; i++) v[i] = x[b][i] + t.image[i] * LENGTH[i] - x[a][i];
            v[along] += t.image[across] * D;
            CHECK_NEAR(hypot(v[0], v[1]) - radius[a] - radius[b], t.gap, 1e-7);
            images += t.image[0] != 0 || t.image[1] != 0, sliding += t.image[across] != 0;
        }
        talus_world_destroy(w);
    }
    CHECK(images > 1000 && sliding > 1000);
}

static double kinetic_of(const talus_world *w)
{
    double kinetic, potential;
    talus_world_energy(w, &kinetic, &potential);
    return kinetic;
}

/* What the shear does in a step: the copies that slide push along with −k I_x at the speed γ' L. */
static double work_of_shear(const talus_world *w)
{
    int along, across;
    double offset, slide, work = 0;
    CHECK(talus_world_shear(w, &along, &across, &offset, &slide));
    for (int i = 0; i < talus_contact_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        work -= c.image[across] * slide * (c.normal[0] * c.impulse[0] - c.normal[1] * c.impulse[1]);
    }
    return work;
}

/* Frictionless, e = 1: all the work is kinetic energy; else some is lost in every step, none comes from nowhere, and in steady flow as much as is put in. */
TEST(work)
{
    static const double HERE[2] = {0, 0};
    const straining s = {0, 1.5};
    for (int k = 0; k < 2; k++) {
        talus_world_def d = cell(0, 0);
        d.step = k ? 1e-3 : 1e-4;
        talus_world *w;
        packing p = {.w = NULL};
        if (k) p = pack(&d, &s, HERE, false, 1), w = p.w;
        else {
            tl_random own = tl_random_seed(5);
            w = open_cell(&d, &s, false);
            const talus_material_id m = material(w, "stone", 2000);
            law(w, 0, 1);
            for (int i = 0; i < 16; i++) {
                const double x = 0.3 * (i % 4), y = 0.22 * (i / 4);
                add_disk(w, moving(w, x, y, tl_random_uniform(&own, -1, 1) + s.rate * y, tl_random_uniform(&own, -1, 1), 0), m, 0, 0, 0.06);
            }
        }
        CHECK_OK(talus_world_assemble(w), talus_world_error(w));
        double before = kinetic_of(w), put = 0, lost = 0, size = 0;
        for (int i = 0; i < 6000; i++) {
            const talus_step_report r = step(w);
            CHECK(r.converged);
            const double now = kinetic_of(w), work = work_of_shear(w);
            size = fmax(size, now);
            if (!k) CHECK_NEAR(now - before, work, 1e-9 * size);
            else CHECK(now - before <= work + 1e-9 * size);
            put += work, lost += work - (now - before);
            before = now;
        }
        CHECK(fabs(put) > 0.05 * size);
        if (k) CHECK(lost > 0.8 * put && lost > 0.2 * size); /* 9 strains, of which the packing keeps what it began with and what it stores as motion */
        talus_world_destroy(w);
    }
}

/* A gas of frictionless disks that begins at rest gets the flow that the copies have: means of what its velocities are beyond γ' y, over a long time, are the
 * same in all slots of the cell, seam or not. How near is told by the means of parts of that time. */
TEST(profile)
{
    enum { SIDE = 12, DISKS = SIDE * SIDE, SLOTS = 6, PARTS = 12, FIRST = 3, STEPS = 5000 };
    const straining s = {0, 2};
    talus_world_def d = cell(0.1, -0.2);
    d.solver.tolerance = 1e-6;
    talus_world *w = open_cell(&d, &s, false);
    const talus_material_id m = material(w, "stone", 2000);
    talus_body_id disk[DISKS];
    double part[PARTS][SLOTS];
    rnd = tl_random_seed(9);
    law(w, 0, 0.8);
    for (int i = 0; i < DISKS; i++) {
        disk[i] = moving(w, LENGTH[0] / SIDE * (i % SIDE), LENGTH[1] / SIDE * (i / SIDE), uniform(-0.3, 0.3), uniform(-0.3, 0.3), 0);
        add_disk(w, disk[i], m, 0, 0, 0.03);
    }
    for (int p = 0; p < PARTS; p++) {
        double sum[SLOTS] = {0}, count[SLOTS] = {0}, all = 0;
        for (int i = 0; i < STEPS; i++) {
            (void)step(w);
            for (int k = 0; k < DISKS && i % 50 == 0; k++) {
                const double y = at(w, disk[k], 1), beyond = speed(w, disk[k], 0) - s.rate * y; /* the same of every copy */
                const double cells = (y - d.periodic[1][0]) / LENGTH[1];
                const int slot = (int)(SLOTS * (cells - floor(cells)));
                sum[slot] += beyond, count[slot]++, all += beyond / DISKS;
            }
        }
        for (int k = 0; k < SLOTS; k++) part[p][k] = sum[k] / count[k] - all / (STEPS / 50);
    }
    for (int k = 0; k < SLOTS; k++) {
        double mean = 0, squares = 0;
        for (int p = FIRST; p < PARTS; p++) mean += part[p][k] / (PARTS - FIRST);
        for (int p = FIRST; p < PARTS; p++) squares += (part[p][k] - mean) * (part[p][k] - mean);
        const double error = sqrt(squares / (PARTS - FIRST - 1) / (PARTS - FIRST));
        CHECK_NEAR(mean, 0, 4 * error);
        CHECK(4 * error < 0.1 * s.rate * LENGTH[1]); /* of the whole flow */
    }
    talus_world_destroy(w);
}

/* One state whatever the threads, and after a restart in the middle of the shear. */
TEST(bits)
{
    static const double HERE[2] = {0.3, 0.2};
    const straining s = {0.2, 3};
    talus_world_def d = cell(0, 0);
    uint64_t hash[2];
    for (int threads = 1; threads <= 2; threads++) {
        rnd = tl_random_seed(4);
        d.threads = threads;
        packing p = pack(&d, &s, HERE, true, 1);
        run(p.w, 120);
        hash[threads - 1] = talus_world_hash(p.w);
        talus_world_destroy(p.w);
    }
    CHECK(hash[0] == hash[1]);
    rnd = tl_random_seed(4);
    packing p = pack(&d, &s, HERE, true, 1);
    run(p.w, 50);
    rnd = tl_random_seed(4);
    packing again = pack(&d, &s, HERE, true, 1);
    CHECK_OK(talus_world_assemble(again.w), talus_world_error(again.w));
    talus_field fields[64];
    const int count = talus_state_count(p.w);
    for (int i = 0; i < count && i < 64; i++) talus_state_field(p.w, i, &fields[i]);
    CHECK_OK(talus_state_restore(again.w, fields, count), talus_world_error(again.w));
    run(again.w, 70);
    CHECK(talus_world_hash(again.w) == hash[0]);
    talus_world_destroy(p.w), talus_world_destroy(again.w);
}

static void expect_error(const talus_world *w, talus_status status, const char *expected)
{
    CHECK(status != TALUS_OK);
    if (!strstr(talus_world_error(w), expected)) TEST_FAIL("'%s' is not in '%s'", expected, talus_world_error(w));
}

TEST(what_may_not_be)
{
    static const straining s = {0, 1};
    const talus_motion strain = {strain_value, (void *)(uintptr_t)&s}, none = {NULL, NULL};
    talus_world_def d = cell(0, 0), half = cell(0, 0), alpha = cell(0, 0);
    half.periodic[1][0] = half.periodic[1][1] = 0, alpha.scheme = TALUS_SCHEME_GENERALIZED_ALPHA;
    talus_world *w = open_world(&d), *open = open_world(&half), *other = open_world(&alpha);
    expect_error(w, talus_world_set_shear(w, 0, 0, &strain), "the same direction");
    expect_error(w, talus_world_set_shear(w, 0, 2, &strain), "along z it is not");
    expect_error(w, talus_world_set_shear(w, 0, 3, &strain), "directions 0");
    expect_error(w, talus_world_set_shear(w, 0, 1, &none), "function of time");
    expect_error(open, talus_world_set_shear(open, 0, 1, &strain), "along y it is not");
    expect_error(other, talus_world_set_shear(other, 0, 1, &strain), "'moreau'");
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    expect_error(w, talus_world_set_shear(w, 0, 1, &strain), "assembled");
    talus_world_destroy(w), talus_world_destroy(open), talus_world_destroy(other);
}

int main(int argc, char **argv)
{
    RUN(collision);
    RUN(rolls_on_a_copy);
    RUN(the_seam_is_nowhere);
    RUN(mirrored);
    RUN(all_images_are_found);
    RUN(work);
    RUN(profile);
    RUN(bits);
    RUN(what_may_not_be);
    return TEST_RESULT;
}
