/* A sheared cell in space (Lees & Edwards 1972): the sibling of sheared_plane.c. Along and across any two of three directions. */
#include "physics/spatial.h"

#include "base/base.h"

enum { ACROSS = 4, MOST = ACROSS * ACROSS * ACROSS };

static const double LENGTH[3] = {1.2, 0.9, 1};
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

static talus_world *open_cell(const talus_world_def *def, const straining *s, int along, int across)
{
    talus_world *w = open_world(def);
    const talus_motion strain = {strain_value, (void *)(uintptr_t)s};
    CHECK_OK(talus_world_set_shear(w, along, across, &strain), talus_world_error(w));
    return w;
}

static talus_world_def cell(const double low[3])
{
    talus_world_def d = lab(1e-3);
    for (int i = 0; i < 3; i++) d.gravity[i] = 0, d.periodic[i][0] = low[i], d.periodic[i][1] = low[i] + LENGTH[i];
    return d;
}

typedef struct packing {
    talus_world *w;
    talus_body_id body[MOST];
    double shift[MOST][3]; /* as it is given [m]    */
    int image[MOST];       /* the cell across        */
} packing;

static talus_body_id add_stone(talus_world *w, talus_material_id m, int kind, const talus_body_def *b)
{
    static const double ends[2][3] = {{-0.05, 0, 0}, {0.05, 0, 0}};
    const talus_body_id id = add_body(w, b);
    if (kind == 0) add_corners(w, id, m, TALUS_SHAPE_SPHERE, (const double[1][3]){{0, 0, 0}}, 1, 0.105);
    if (kind == 1) add_corners(w, id, m, TALUS_SHAPE_CAPSULE, ends, 2, 0.05);
    return id;
}

/* Spheres and capsules that nearly touch (boxes that meet flat make so much of rounding that there is nothing to compare), with the flow of the cell and a
 * velocity of their own. */
static packing pack(const talus_world_def *def, const straining *s, const int axes[2], const double move[3], bool scatter)
{
    const int along = axes[0], across = axes[1];
    packing p = {.w = open_cell(def, s, along, across)};
    const talus_material_id m = material(p.w, 2000);
    tl_random own = tl_random_seed(7);
    law(p.w, 0.4, 0.3);
    for (int i = 0; i < MOST; i++) {
        const int at[3] = {i % ACROSS, i / ACROSS % ACROSS, i / ACROSS / ACROSS};
        talus_body_def b = talus_body_def_default();
        for (int k = 0; k < 3; k++) {
            b.position[k] = LENGTH[k] / ACROSS * (at[k] + tl_random_uniform(&own, 0, 0.1));
            b.velocity[k] = tl_random_uniform(&own, -1, 1);
            b.spin[k] = tl_random_uniform(&own, -1, 1);
        }
        b.velocity[along] += s->rate * b.position[across];
        turn(b.quaternion, tl_random_uniform(&own, 0, 3), 1, 0.3, 0.2 * i);
        p.image[i] = scatter ? tl_random_int(&rnd, 7) - 3 : 0;
        for (int k = 0; k < 3; k++) {
            const int cells = k == across ? p.image[i] : scatter ? tl_random_int(&rnd, 7) - 3 : 0;
            p.shift[i][k] = cells * LENGTH[k] + (k == along ? p.image[i] * s->start * LENGTH[across] : 0);
            b.position[k] += p.shift[i][k] + move[k];
        }
        b.velocity[along] += p.image[i] * s->rate * LENGTH[across];
        p.body[i] = add_stone(p.w, m, i % 2, &b);
    }
    return p;
}

/* The same scene elsewhere, with the seam anywhere among the grains, and each body given in a cell of its own with the velocity of that cell. */
TEST(the_seam_is_nowhere)
{
    static const double HERE[3] = {0, 0, 0};
    enum { STEPS = 80 };
    int through = 0;
    const straining s = {.start = 0.37, .rate = 1.5};
    const talus_world_def d = cell(HERE);
    rnd = tl_random_seed(1);
    for (int k = 0; k < 6; k++) {
        const int axes[2] = {k % 3, (k % 3 + 1 + k / 3) % 3};
        const double move[3] = {uniform(-2, 2), uniform(-2, 2), uniform(-2, 2)};
        packing of = pack(&d, &s, axes, HERE, false), is = pack(&d, &s, axes, move, k > 0);
        for (int i = 0; i < STEPS; i++) {
            run(of.w, 1), run(is.w, 1);
            for (int j = 0; j < talus_contact_count(of.w); j++) {
                talus_contact c;
                talus_contact_get(of.w, j, &c);
                through += c.image[axes[1]] != 0 && c.impulse[0] > 0;
            }
        }
        for (int i = 0; i < MOST; i++) {
            double x[3], y[3], v[3], u[3], spin[3], other[3];
            const double slid = is.image[i] * s.rate * LENGTH[axes[1]], t = talus_world_time(is.w);
            place(is.w, is.body[i], x), place(of.w, of.body[i], y);
            motion(is.w, is.body[i], v, spin), motion(of.w, of.body[i], u, other);
            for (int c = 0; c < 3; c++) {
                const double beyond = c == axes[0] ? slid : 0;
                CHECK_NEAR(x[c] - move[c] - is.shift[i][c] - beyond * t, y[c], 1e-9);
                CHECK_NEAR(v[c] - beyond, u[c], 1e-6);
                CHECK_NEAR(spin[c], other[c], 1e-4);
            }
        }
        CHECK(talus_contact_count(is.w) == talus_contact_count(of.w));
        talus_world_destroy(is.w), talus_world_destroy(of.w);
    }
    CHECK(through > 10);
}

/* A link on a slide along an axis, with its frame at the origin. */
static talus_body_id link_on(talus_world *w, int axis)
{
    talus_mechanism_id press = {0};
    talus_link_def d = talus_link_def_default();
    talus_joint_def j = talus_joint_def_default();
    talus_body_id link = {0};
    talus_joint_id slide = {0};
    CHECK_OK(talus_mechanism_create(w, "press", &press), talus_world_error(w));
    d.mass = 1;
    for (int i = 0; i < 3; i++) d.inertia[i] = 1;
    CHECK_OK(talus_link_create(w, press, &d, &link), talus_world_error(w));
    j.kind = TALUS_JOINT_PRISMATIC;
    j.child = link;
    for (int i = 0; i < 3; i++) j.axis[i] = i == axis;
    CHECK_OK(talus_joint_create(w, &j, &slide), talus_world_error(w));
    return link;
}

/* Friction sees the copy that slides: a sphere that lies on the copy of a floor that goes by with U slips until it rolls, with 2U/7, and turns with 5U/7R. The
 * floor is fixed, or the link of a mechanism on a slide that nothing pushes along. */
TEST(rolls_on_a_copy)
{
    static const double R = 0.1, START = 0.123, RATE = 0.8, ZERO[3] = {0, 0, 0};
    const straining s = {START, RATE};
    for (int n = 0; n < 12; n++) {
        const int along = n % 3, across = (n % 3 + 1 + n / 6) % 3, third = 3 - along - across, k = n % 2 ? 2 : -1;
        const double U = k * RATE * LENGTH[across], spin_sign = (across - along + 3) % 3 == 1 ? 1 : -1; /* of ω = n × V / R about the third axis */
        talus_world_def d = cell(ZERO);
        double x[3] = {0}, size[3], centre[3] = {0}, corner[8][3], v[3], spin[3];
        d.gravity[across] = -G;
        talus_world *w = open_cell(&d, &s, along, across);
        const talus_material_id m = material(w, 1000);
        law(w, 0.8, 0);
        talus_body_def floor = talus_body_def_default();
        floor.kind = TALUS_BODY_FIXED;
        const talus_body_id under = n / 3 % 2 ? link_on(w, third) : add_body(w, &floor);
        for (int i = 0; i < 3; i++) size[i] = LENGTH[i];
        size[across] = 0.2, centre[across] = -0.1;
        for (int c = 0; c < 8; c++)
            for (int i = 0; i < 3; i++) corner[c][i] = centre[i] + (c >> i & 1 ? 0.5 : -0.5) * size[i];
        add_corners(w, under, m, TALUS_SHAPE_POLYHEDRON, (const double(*)[3])corner, 8, 0);
        x[along] = k * s.start * LENGTH[across], x[across] = R + k * LENGTH[across];
        const talus_body_id ball = sphere(w, m, x[0], x[1], x[2], R);
        run(w, 120); /* not as far as where two copies of the floor meet */
        motion(w, ball, v, spin);
        CHECK_NEAR(v[along], 2 * U / 7, 1e-7);
        CHECK_NEAR(spin[third], spin_sign * 5 * U / 7 / R, 1e-6);
        talus_world_destroy(w);
    }
}

/* What is near is what geometry says: every pair in every image, by trying all, at strains from 0 to 40. */
TEST(all_images_are_found)
{
    rnd = tl_random_seed(3);
    int sliding = 0;
    for (int k = 0; k < 120; k++) {
        static const double ZERO[3] = {0, 0, 0};
        const straining s = {.start = uniform(-1, 1) * (k % 4 == 0 ? 40 : 1), .rate = uniform(-5, 5)};
        const int along = k % 3, across = (k % 3 + 1 + k / 3 % 2) % 3, third = 3 - along - across;
        talus_world_def d = cell(ZERO);
        d.step = 1e-9, d.alert_distance = k % 5 ? 1e-3 : 0.1;
        talus_world *w = open_cell(&d, &s, along, across);
        const talus_material_id m = material(w, 1000);
        const int n = 2 + tl_random_int(&rnd, 20), far = k % 4 ? 3 : 1;
        const double largest = uniform(0.05, 0.22), D = s.start * LENGTH[across];
        talus_body_id body[MOST];
        double radius[MOST], x[MOST][3];
        law(w, 0, 0);
        for (int i = 0; i < n; i++) {
            radius[i] = uniform(0.2, 1) * largest;
            for (int c = 0; c < 3; c++) x[i][c] = uniform(-far, far);
            body[i] = sphere(w, m, x[i][0], x[i][1], x[i][2], radius[i]);
        }
        CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
        int expected = 0;
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++)
                for (int j = -10; j <= 10; j++) {
                    const double slid = x[b][along] + j * D - x[a][along], away = x[b][across] + j * LENGTH[across] - x[a][across];
                    const double nearest = slid - LENGTH[along] * nearbyint(slid / LENGTH[along]); /* and the two beside it */
                    for (int i = -1; i <= 1; i++)
                        for (int l = -10; l <= 10; l++) {
                            const double side = x[b][third] + l * LENGTH[third] - x[a][third], planar = hypot(nearest + i * LENGTH[along], away);
                            expected += hypot(planar, side) - radius[a] - radius[b] < d.alert_distance;
                        }
                }
        CHECK(expected == talus_contact_count(w));
        for (int c = 0; c < talus_contact_count(w); c++) {
            talus_contact t;
            double v[3];
            talus_contact_get(w, c, &t);
            const int a = (int)(t.antagonist.index1 - body[0].index1), b = (int)(t.candidate.index1 - body[0].index1);
            for (int i = 0; i < 3; i++) v[i] = x[b][i] + t.image[i] * LENGTH[i] - x[a][i];
            v[along] += t.image[across] * D;
            CHECK_NEAR(sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - radius[a] - radius[b], t.gap, 1e-7);
            sliding += t.image[across] != 0;
        }
        talus_world_destroy(w);
    }
    CHECK(sliding > 200);
}

static double kinetic_of(const talus_world *w)
{
    double kinetic, potential;
    talus_world_energy(w, &kinetic, &potential);
    return kinetic;
}

/* Frictionless spheres, e = 1: what the copies that slide do, −k I_x at the speed γ' L, is what the grains gain. */
TEST(work)
{
    static const double ZERO[3] = {0, 0, 0};
    const straining s = {0, 2};
    talus_world_def d = cell(ZERO);
    d.step = 1e-4;
    talus_world *w = open_cell(&d, &s, 0, 2);
    const talus_material_id m = material(w, 2000);
    rnd = tl_random_seed(5);
    law(w, 0, 1);
    for (int i = 0; i < 27; i++) {
        talus_body_def b = talus_body_def_default();
        const int at[3] = {i % 3, i / 3 % 3, i / 9};
        for (int c = 0; c < 3; c++) b.position[c] = LENGTH[c] / 3 * at[c], b.velocity[c] = uniform(-1, 1);
        b.velocity[0] += s.rate * b.position[2];
        add_corners(w, add_body(w, &b), m, TALUS_SHAPE_SPHERE, (const double[1][3]){{0, 0, 0}}, 1, 0.1);
    }
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    double before = kinetic_of(w), put = 0;
    for (int i = 0; i < 6000; i++) {
        run(w, 1);
        double work = 0;
        for (int k = 0; k < talus_contact_count(w); k++) {
            talus_contact c;
            talus_contact_get(w, k, &c);
            work -= c.image[2] * s.rate * LENGTH[2] * c.normal[0] * c.impulse[0];
        }
        CHECK_NEAR(kinetic_of(w) - before, work, 1e-9 * before);
        before = kinetic_of(w), put += work;
    }
    CHECK(put > 0.05 * before);
    talus_world_destroy(w);
}

/* A half-space is the same in every cell only while these stand still. */
TEST(what_may_not_be)
{
    static const double ZERO[3] = {0, 0, 0};
    static const straining s = {0, 1};
    talus_world_def d = cell(ZERO);
    d.periodic[1][0] = d.periodic[1][1] = 0;
    talus_world *w = open_cell(&d, &s, 0, 2);
    (void)ground(w, material(w, 1000), 0, 1, 0);
    CHECK(talus_world_assemble(w) == TALUS_INPUT);
    CHECK(strstr(talus_world_error(w), "stands still, and the cell is sheared") != NULL);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(the_seam_is_nowhere);
    RUN(rolls_on_a_copy);
    RUN(all_images_are_found);
    RUN(work);
    RUN(what_may_not_be);
    return TEST_RESULT;
}
