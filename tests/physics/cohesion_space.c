/* Cohesion (theory §2.6) in space: balls and boxes fall from a ceiling when they weigh more than F, at any step and with every solver. */
#include "physics/spatial.h"

static const double FORCE = 3, DISTANCE = 1e-3, R = 0.05;

enum { BOX = 0, CYLINDER = -1, COIN = -2, FRUSTUM = -3, PRISM = -4 };

typedef struct hanging {
    double h;
    int balls; /* of 1 kg, one under the other; else one of these of 1 kg, which touches at several points of a face */
    const char *solver;
} hanging;

/* Upright, 2 R high, with the middle of the upper face and the mass below (0, 0, 0). The coin's edges are rounded; the
 * prism has eight corners, of which six are on one side of it. */
static talus_body_id hang(talus_world *w, talus_material_id m, int kind)
{
    enum { CORNERS = 8 };
    double corner[2 * CORNERS][3], x = 0, whole = 0;
    const double ends[4][3] = {{0, 0, -R}, {0, 0, R}, {2 * R, 0, -R}, {R, 0, R}};
    for (int k = 0; k < CORNERS; k++)
        for (int top = 0; top < 2; top++) {
            const double angle = k < 6 ? 0.2 * (k - 2.5) : PI + (k == 6 ? -0.9 : 0.9);
            double *c = corner[2 * k + top];
            c[0] = R * cos(angle), c[1] = R * sin(angle), c[2] = top ? R : -R;
        }
    for (int k = 0; k < CORNERS; k++) {
        const double *p = corner[2 * k], *q = corner[2 * ((k + 1) % CORNERS)], area = 0.5 * (p[0] * q[1] - p[1] * q[0]);
        whole += area, x += area * (p[0] + q[0]) / 3;
    }
    for (int k = 0; k < 2 * CORNERS; k++) corner[k][0] -= x / whole;
    talus_body_def b = talus_body_def_default();
    b.position[2] = -R;
    b.mass = 1, b.inertia_space[0] = b.inertia_space[1] = b.inertia_space[2] = 1e-3, b.has_centre_of_mass = true;
    const talus_body_id body = add_body(w, &b);
    talus_shape_def s = talus_shape_def_default();
    s.material = m, s.corners = (const double(*)[3])ends, s.radius = R;
    s.kind = kind == FRUSTUM ? TALUS_SHAPE_FRUSTUM : kind == PRISM ? TALUS_SHAPE_POLYHEDRON : TALUS_SHAPE_CYLINDER;
    s.count = kind == FRUSTUM ? 4 : kind == PRISM ? 2 * CORNERS : 2;
    if (kind == PRISM) s.corners = (const double(*)[3])corner, s.radius = 0;
    if (kind == COIN) s.rounding = 0.2 * R;
    CHECK_OK(talus_body_add_shape(w, body, &s), talus_world_error(w));
    return body;
}

static bool falls(const hanging *c, double gravity)
{
    const talus_material_id none = {0};
    const talus_law_value value[2] = {{.key = "force", .number = &FORCE, .numbers = 1}, {.key = "distance", .number = &DISTANCE, .numbers = 1}};
    talus_world_def def = lab(c->h);
    def.gravity[2] = -gravity;
    def.solver.method = c->solver;
    def.solver.tolerance = 1e-12;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, c->balls ? 3 / (4 * PI * R * R * R) : 1 / (8 * R * R * R));
    talus_interaction_def d = talus_interaction_def_default();
    d.law = "cohesion", d.value = value, d.values = 2, d.friction = 0.4;
    CHECK_OK(talus_interaction_set(w, none, none, &d), talus_world_error(w));
    (void)ground(w, m, 0, 0, -1);
    talus_body_id last = {0};
    for (int i = 0; i < c->balls; i++) last = sphere(w, m, 0, 0, -(2 * i + 1) * R, R);
    if (c->balls < 0) last = hang(w, m, c->balls);
    if (c->balls == BOX) last = box(w, m, 0, 0, -R, 2 * R, 2 * R, 2 * R);
    for (int i = 0; i < 10; i++) CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
    double v[3], omega[3];
    motion(w, last, v, omega);
    talus_world_destroy(w);
    return v[2] < -1e-11;
}

/* The gravity from which on something falls, by bisection. */
static void check_load(hanging c)
{
    const double expected = FORCE / (c.balls > 0 ? c.balls : 1);
    double low = 0.5 * expected, high = 2 * expected;
    CHECK(!falls(&c, low) && falls(&c, high));
    for (int i = 0; i < 24; i++) {
        const double middle = 0.5 * (low + high);
        if (falls(&c, middle)) high = middle;
        else low = middle;
    }
    if (!(fabs(low - expected) < 1e-6 * expected))
        TEST_FAIL("h = %g, %d balls, %s: falls from %.9g m/s² on, expected %.9g", c.h, c.balls, c.solver ? c.solver : "default", low, expected);
}

TEST(holds)
{
    const double h[] = {1e-2, 1e-3, 1e-4};
    for (int i = 0; i < 3; i++) {
        check_load((hanging){.h = h[i], .balls = 1});
        for (int kind = PRISM; kind <= BOX; kind++) check_load((hanging){.h = h[i], .balls = kind});
        check_load((hanging){.h = h[i], .balls = 3});
    }
}

TEST(every_solver)
{
    const char *const solver[] = {"nlgs", "auto", "newton", "interior_point", "proximal", "pivot", "split", "pgs", "bodies"};
    for (int i = 0; i < 9; i++) check_load((hanging){.h = 1e-3, .balls = 3, .solver = solver[i]});
}

/* A link on a slide, whose ball touches the ceiling: a contact with other matter. Its impulse is the weight's, and so is the first guess. */
TEST(link)
{
    for (int k = 0; k < 2; k++) {
        const talus_material_id none = {0};
        const talus_law_value value[2] = {{.key = "force", .number = &FORCE, .numbers = 1}, {.key = "distance", .number = &DISTANCE, .numbers = 1}};
        talus_world_def def = lab(1e-3);
        const double gravity = FORCE * (k ? 1 + 1e-6 : 1 - 1e-6);
        def.gravity[2] = -gravity;
        talus_world *w = open_world(&def);
        const talus_material_id m = material(w, 1000);
        talus_interaction_def d = talus_interaction_def_default();
        d.law = "cohesion", d.value = value, d.values = 2;
        CHECK_OK(talus_interaction_set(w, none, none, &d), talus_world_error(w));
        (void)ground(w, m, 0, 0, -1);
        const talus_body_id link = ram(w, 1, -R, 0);
        const double centre[1][3] = {{0, 0, 0}};
        add_corners(w, link, m, TALUS_SHAPE_SPHERE, centre, 1, R);
        double v[3], omega[3];
        for (int i = 0; i < 10; i++) {
            CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
            talus_contact c;
            CHECK(talus_contact_count(w) == 1);
            talus_contact_get(w, 0, &c);
            CHECK_NEAR(c.impulse[0], -1e-3 * (k ? FORCE : gravity), 1e-12);
        }
        motion(w, link, v, omega);
        CHECK_NEAR(v[2], k ? -1e-6 * FORCE * 1e-2 : 0, 1e-11);
        talus_world_destroy(w);
    }
}

int main(int argc, char **argv)
{
    RUN(holds);
    RUN(every_solver);
    RUN(link);
    return TEST_RESULT;
}
