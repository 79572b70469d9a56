/* A kind of matter that only the tests know (band.h) in worlds of the plane and of space: free motion by its modes in closed form, energy and momentum, contact
 * with grains, rest under loads; what the world says of its bodies, and what it refuses. */
#include "band.h"

#include "talus/talus.h"
#include "test.h"
#include "world/world.h"

static const double PI = 3.14159265358979323846, RADIUS = 0.1;

static talus_world *open_world(int dimension, double h)
{
    talus_world_def d = talus_world_def_default();
    talus_world *w = NULL;
    char text[512] = "";
    d.dimension = dimension;
    memset(d.gravity, 0, sizeof d.gravity);
    d.step = h;
    d.solver.tolerance = 1e-12;
    d.solver.method = "nlgs"; /* else what says its rows is solved in velocities of bodies, as a mechanism is, and the other is not */
    d.solver.max_iterations = 100000;
    CHECK_OK(talus_world_create(&d, &w, text, sizeof text), text);
    if (!w) exit(1);
    return w;
}

static talus_material_id material(talus_world *w, double density)
{
    talus_material_def d = talus_material_def_default();
    talus_material_id id = {0};
    d.density = density;
    CHECK_OK(talus_material_create(w, &d, &id), talus_world_error(w));
    return id;
}

static void law(talus_world *w, double friction, double restitution)
{
    talus_interaction_def d = talus_interaction_def_default();
    d.friction = friction, d.restitution = restitution;
    CHECK_OK(talus_interaction_set(w, (talus_material_id){0}, (talus_material_id){0}, &d), talus_world_error(w));
}

static void add_ball(talus_world *w, talus_body_id b, talus_material_id m, double radius)
{
    talus_shape_def d = talus_shape_def_default();
    const double centre[1][3] = {{0, 0, 0}};
    d.material = m, d.radius = radius;
    d.kind = w->def.dimension == 2 ? TALUS_SHAPE_DISK : TALUS_SHAPE_SPHERE;
    if (w->def.dimension == 3) d.corners = centre;
    CHECK_OK(talus_body_add_shape(w, b, &d), talus_world_error(w));
}

/* The world owns the band, whose lumps are its bodies from `first` on. */
static talus_body_id add_band(talus_world *w, band *b)
{
    talus_body_id first = {0}, id = {0};
    CHECK_OK(tl_world_add_matter(w, &b->matter), talus_world_error(w));
    for (int i = 0; i < b->n; i++) {
        CHECK_OK(tl_world_add_body(w, NULL, (tl_place){w->system->matters - 1, i}, &id), talus_world_error(w));
        if (i == 0) first = id;
    }
    return first;
}

static talus_body_id lump(talus_body_id first, int i) { return (talus_body_id){first.index1 + (uint32_t)i}; }

static talus_body_id ball(talus_world *w, talus_material_id m, double radius, const double x[3], const double v[3])
{
    talus_body_def d = talus_body_def_default();
    talus_body_id id = {0};
    memcpy(d.position, x, sizeof d.position);
    memcpy(d.velocity, v, sizeof d.velocity);
    CHECK_OK(talus_body_create(w, &d, &id), talus_world_error(w));
    add_ball(w, id, m, radius);
    return id;
}

static talus_step_report step(talus_world *w)
{
    talus_step_report r = {0};
    if (talus_world_step(w, &r) != TALUS_OK) {
        TEST_FAIL("%s", talus_world_error(w));
        exit(1);
    }
    CHECK(r.converged);
    return r;
}

static double energy(const talus_world *w)
{
    double kinetic, potential;
    talus_world_energy(w, &kinetic, &potential);
    return kinetic + potential;
}

/* Each mode moves with ω' of the midpoint rule, tan(ω' h/2) = ω h/2, along and across the band, for steps of any size, and keeps its energy. */
TEST(modes)
{
    enum { N = 7 };
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int held = 0; held < 2; held++)
            for (int mode = 1; mode < 5; mode++) {
                const double h = mode % 2 ? 0.05 : 0.8, amplitude = 0.02;
                const int axis = mode % dimension;
                talus_world *w = open_world(dimension, h);
                band *b = new_band(mode % 2 ? &BAND : &BAND_WITH_ROWS, N, dimension, 1, held);
                b->mass = 0.4, b->stiffness = 30;
                for (int i = 0; i < N && !held; i++) b->q[i * dimension] = 0; /* at rest without anchors */
                double shape[N], rest[N];
                for (int i = 0; i < N; i++) {
                    shape[i] = held ? sin(mode * PI * (i + 1) / (N + 1)) : cos(mode * PI * (i + 0.5) / N);
                    rest[i] = b->q[i * dimension + axis];
                    b->q[i * dimension + axis] += amplitude * shape[i];
                }
                const talus_body_id first = add_band(w, b);
                CHECK_OK(talus_world_assemble(w), talus_world_error(w));
                CHECK(held || strstr(talus_world_warnings(w), "hangs on nothing"));
                const double omega = 2 * sqrt(b->stiffness / b->mass) * sin(mode * PI / (2.0 * (held ? N + 1 : N))), rate = 2 / h * atan(omega * h / 2);
                const double start = energy(w);
                CHECK(talus_degrees_of_freedom(w) == N * dimension);
                for (int k = 1; k <= 400; k++) {
                    step(w);
                    for (int i = 0; i < N; i++) {
                        double x[3], q[4];
                        talus_body_pose(w, lump(first, i), x, q);
                        CHECK_NEAR(x[axis], rest[i] + amplitude * shape[i] * cos(rate * k * h), 1e-11);
                    }
                    CHECK_NEAR(energy(w), start, 1e-12 * start);
                }
                talus_world_destroy(w);
            }
}

/* Two balls meet a loose band that swings and drifts: momentum is kept through all impacts, and with e = 1 the energy; with e = 0.5 each impact costs some. The
 * moment of momentum changes at an impact by h/4 Δv × I at most, of velocities that change by less than 6 m/s: springs act at the mean of the step's places. */
static void momentum(const talus_world *w, double P[3], double L[3])
{
    tl_vec3 sum = {0, 0, 0}, moments = {0, 0, 0};
    for (int i = 0; i < talus_body_count(w); i++) {
        const talus_body_id body = talus_body_at(w, i);
        double x[3], q[4], v[3], spin[3];
        talus_body_pose(w, body, x, q);
        talus_body_velocity(w, body, (double[3]){0, 0, 0}, v, spin);
        const tl_vec3 p = tl_scale(talus_body_mass(w, body), tl_load3(v));
        sum = tl_add(sum, p);
        moments = tl_add(moments, tl_cross(tl_load3(x), p));
    }
    tl_store3(P, sum);
    tl_store3(L, moments);
}

TEST(impacts)
{
    enum { N = 5 };
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int elastic = 0; elastic < 2; elastic++) {
            talus_world *w = open_world(dimension, 2e-3);
            const talus_material_id m = material(w, 40);
            const double z = dimension == 3 ? 0.02 : 0;
            law(w, 0, elastic ? 1 : 0.5);
            band *b = new_band(&BAND, N, dimension, 0.25, false);
            b->mass = 0.5, b->stiffness = 400;
            for (int i = 0; i < N; i++) b->v[i * dimension + 1] = 0.3 * sin(i);
            const talus_body_id first = add_band(w, b);
            for (int i = 0; i < N; i++) add_ball(w, lump(first, i), m, RADIUS);
            (void)ball(w, m, 0.12, (double[3]){0.4, 0.3, z}, (double[3]){0.1, -2, 0});
            (void)ball(w, m, 0.12, (double[3]){0.9, -0.4, -z}, (double[3]){0, 3, 0});
            CHECK_OK(talus_world_assemble(w), talus_world_error(w));
            double P[3], L[3], P_now[3], L_now[3], least = energy(w), start = least, struck = 0, given = 0;
            momentum(w, P, L);
            for (int k = 0; k < 400; k++) {
                struck += step(w).touching;
                for (int i = 0; i < talus_contact_count(w); i++) {
                    talus_contact c;
                    talus_contact_get(w, i, &c);
                    given += 0.25 * 2e-3 * c.impulse[0] * 6;
                }
                momentum(w, P_now, L_now);
                for (int i = 0; i < 3; i++) {
                    CHECK_NEAR(P_now[i], P[i], 1e-12);
                    CHECK_NEAR(L_now[i], L[i], 1e-12 + given);
                }
                CHECK(energy(w) <= least + 1e-11);
                least = fmin(least, energy(w));
            }
            CHECK(struck >= 3);
            if (elastic) CHECK_NEAR(least, start, 1e-10 * start);
            else CHECK(least < 0.95 * start);
            talus_world_destroy(w);
        }
}

static void constant(void *user, double t, double out[3])
{
    (void)t;
    out[0] = *(const double *)user, out[1] = out[2] = 0;
}

/* A ball lies on one lump of a held band, another carries a load: where they hang is in closed form, and there everything stays, pressing with its weight. */
TEST(rest)
{
    enum { N = 9, UNDER = 3, LOADED = 6 };
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double h = 5e-3, G = 9.81, k = 500, mass = 0.2, load = 3;
        const int axis = dimension == 2 ? 1 : 2;
        double gravity[3] = {0, 0, 0}, weight[N];
        talus_world *w = open_world(dimension, h);
        const talus_material_id m = material(w, 1000);
        gravity[axis] = -G;
        CHECK_OK(talus_world_set_gravity(w, gravity), "gravity");
        law(w, 0.4, 0);
        band *b = new_band(&BAND, N, dimension, 0.3, true);
        b->mass = mass, b->stiffness = k;
        const talus_body_id first = add_band(w, b);
        const double volume = dimension == 2 ? PI * RADIUS * RADIUS : 4 * PI / 3 * RADIUS * RADIUS * RADIUS;
        for (int i = 0; i < N; i++) weight[i] = mass * G + (i == UNDER ? 1000 * volume * G : 0) + (i == LOADED ? load : 0);
        for (int i = 0; i < N; i++) /* Green's function of a string of N + 1 springs */
            for (int j = 0; j < N; j++) {
                const int low = i < j ? i + 1 : j + 1, high = i < j ? j + 1 : i + 1;
                b->q[i * dimension + axis] -= weight[j] * low * (N + 1 - high) / (k * (N + 1));
            }
        add_ball(w, lump(first, UNDER), m, RADIUS);
        double x[3] = {0, 0, 0}, v[3], spin[3], q[4];
        for (int i = 0; i < dimension; i++) x[i] = b->q[UNDER * dimension + i];
        x[axis] += 2 * RADIUS;
        const talus_body_id on = ball(w, m, RADIUS, x, (double[3]){0, 0, 0});
        talus_load_def force = talus_load_def_default();
        static const double DOWN = -3;
        force.force[axis] = (talus_motion){constant, (void *)(uintptr_t)&DOWN};
        CHECK_OK(talus_body_add_load(w, lump(first, LOADED), &force), talus_world_error(w));
        for (int n = 0; n < 200; n++) step(w);
        CHECK(talus_contact_count(w) == 1);
        talus_contact c;
        talus_contact_get(w, 0, &c);
        CHECK_NEAR(c.impulse[0], h * 1000 * volume * G, 1e-9);
        talus_body_velocity(w, on, (double[3]){0, 0, 0}, v, spin);
        CHECK_NEAR(v[axis], 0, 1e-10);
        talus_body_pose(w, on, v, q);
        for (int i = 0; i < 3; i++) CHECK_NEAR(v[i], x[i], 1e-9);
        talus_world_destroy(w);
    }
}

/* Balls lie, roll and hit each other on a band: large matter, condensed over its ports, does what the same matter does that says its rows, sweep by sweep. */
static talus_world *loaded_band(int dimension, const tl_matter_ops *ops, band **out)
{
    enum { N = 30 };
    talus_world *w = open_world(dimension, 2e-3);
    const talus_material_id m = material(w, 300);
    const int axis = dimension == 2 ? 1 : 2;
    double gravity[3] = {0, 0, 0};
    gravity[axis] = -9.81;
    CHECK_OK(talus_world_set_gravity(w, gravity), "gravity");
    law(w, 0.3, 0.2);
    band *b = *out = new_band(ops, N, dimension, 0.2, true);
    b->mass = 0.3, b->stiffness = 3e4;
    const talus_body_id first = add_band(w, b);
    for (int i = 0; i < N; i++) add_ball(w, lump(first, i), m, RADIUS);
    for (int i = 0; i < N - 1; i++)
        for (int row = 0; row < 2; row++) {
            double x[3] = {0.2 * i + 0.1, 0, 0};
            x[axis] = 0.1795 + row * 0.17;
            x[0] += 0.1 * row;
            (void)ball(w, m, RADIUS * (row ? 0.8 : 0.9), x, (double[3]){0, 0, 0});
        }
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    return w;
}

TEST(condensed_as_rows)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        band *b[2];
        talus_world *w[2] = {loaded_band(dimension, &BAND, &b[0]), loaded_band(dimension, &BAND_WITH_ROWS, &b[1])};
        int contacts = 0, sweeps = 0;
        for (int k = 0; k < 60; k++) {
            const talus_step_report r[2] = {step(w[0]), step(w[1])};
            contacts = r[0].touching > contacts ? r[0].touching : contacts;
            sweeps += r[0].iterations;
            CHECK(r[0].contacts == r[1].contacts && abs(r[0].iterations - r[1].iterations) <= 3);
            for (int i = 0; i < b[0]->matter.nv; i++) {
                CHECK_NEAR(b[0]->q[i], b[1]->q[i], 1e-11);
                CHECK_NEAR(b[0]->v[i], b[1]->v[i], 1e-9);
            }
            for (int i = 0; i < talus_body_count(w[0]); i++) {
                double x[2][3], q[4];
                for (int j = 0; j < 2; j++) talus_body_pose(w[j], talus_body_at(w[j], i), x[j], q);
                for (int j = 0; j < 3; j++) CHECK_NEAR(x[0][j], x[1][j], 1e-11);
            }
        }
        CHECK(contacts > 15 && sweeps > 400);
        for (int j = 0; j < 2; j++) talus_world_destroy(w[j]);
    }
}

static talus_body_joint_id join(talus_world *w, const char *kind, talus_body_id a, talus_body_id b, const double at[3], const double *to)
{
    talus_body_joint_def d = talus_body_joint_def_default();
    talus_body_joint_id id = {0};
    d.kind = kind, d.body_a = a, d.body_b = b;
    memcpy(d.point, at, sizeof d.point);
    if (to) memcpy(d.point_b, to, sizeof d.point_b);
    if (strcmp(kind, "prismatic") == 0) d.axis[0] = 1, d.axis[2] = 0;
    CHECK_OK(talus_body_joint_create(w, &d, &id), talus_world_error(w));
    return id;
}

/* A band under a machine: a ball pinned to a lump, a slider on that, driven by a limited force against a stop and a spring, another on a rod from a lump, balls
 * that fall on all of them. */
static talus_world *jointed_band(int dimension, const tl_matter_ops *ops, bool drifts, band **out)
{
    enum { N = 12 };
    talus_world *w = open_world(dimension, 2e-3);
    w->def.correct_drift = !drifts;
    const talus_material_id m = material(w, 300);
    const int up = dimension - 1;
    double gravity[3] = {0, 0, 0}, still[3] = {0, 0, 0}, x[3] = {0, 0, 0}, y[3] = {0, 0, 0};
    static const double FAST = 2;
    gravity[up] = -9.81;
    CHECK_OK(talus_world_set_gravity(w, gravity), "gravity");
    law(w, 0.2, 0);
    band *b = *out = new_band(ops, N, dimension, 0.25, true);
    b->mass = 0.3, b->stiffness = 3e4;
    const talus_body_id first = add_band(w, b);
    for (int i = 0; i < N; i++) add_ball(w, lump(first, i), m, RADIUS);
    x[0] = 4 * 0.25, x[up] = 0.25;
    const talus_body_id pinned = ball(w, m, RADIUS, x, still);
    y[0] = x[0], y[up] = 0;
    (void)join(w, dimension == 2 ? "revolute" : "spherical", lump(first, 4), pinned, y, NULL);
    y[0] = x[0] + 0.3, y[up] = 0.3;
    const talus_body_id slider = ball(w, m, RADIUS, y, still);
    const talus_body_joint_id slide = join(w, "prismatic", pinned, slider, x, NULL);
    talus_freedom_def f = talus_freedom_def_default();
    f.high = 0.02, f.stiffness = 200, f.damping = 1, f.friction = 0.3, f.force = 30, f.speed = (talus_motion){constant, (void *)(uintptr_t)&FAST};
    CHECK_OK(talus_body_joint_set_freedom(w, slide, 0, &f), talus_world_error(w));
    x[0] = 8 * 0.25, x[up] = 0, y[0] = x[0] + 0.05, y[up] = -0.4;
    (void)join(w, "distance", lump(first, 8), ball(w, m, RADIUS, y, still), x, y);
    for (int i = 0; i < 5; i++) {
        x[0] = 0.25 * (2 * i + 1) + 0.02, x[up] = 0.205 + (i == 2 ? 0.3 : i == 1 ? 0.22 : 0);
        (void)ball(w, m, RADIUS, x, still);
    }
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    return w;
}

/* What joints hold to large matter is a cluster, solved by a dense factor; to matter that says its rows a chain of constraints with a sparse one, by which
 * contacts are condensed one by one. The motion is the same: to the solver's tolerance by velocities alone; to the slop where a few sweeps take back what
 * overlaps. */
TEST(clusters_as_chains)
{
    for (int run = 0; run < 4; run++) {
        const int dimension = 2 + run % 2;
        const bool drifts = run >= 2;
        const double close = drifts ? 1e-11 : 1e-4, force = drifts ? 1e-6 : 0.5;
        band *b[2];
        talus_world *w[2] = {jointed_band(dimension, &BAND, drifts, &b[0]), jointed_band(dimension, &BAND_WITH_ROWS, drifts, &b[1])};
        int contacts = 0;
        double drive = 0, stopped = 0;
        for (int k = 0; k < 100; k++) {
            const talus_step_report r[2] = {step(w[0]), step(w[1])};
            contacts = r[0].touching > contacts ? r[0].touching : contacts;
            CHECK(r[0].contacts == r[1].contacts);
            for (int i = 0; i < b[0]->matter.nv; i++) CHECK_NEAR(b[0]->q[i], b[1]->q[i], close);
            for (int i = 0; i < talus_body_count(w[0]); i++) {
                double x[2][3], q[4];
                for (int j = 0; j < 2; j++) talus_body_pose(w[j], talus_body_at(w[j], i), x[j], q);
                for (int j = 0; j < 3; j++) CHECK_NEAR(x[0][j], x[1][j], close);
            }
            for (int i = 0; i < talus_body_joint_count(w[0]); i++) {
                talus_body_joint_state s[2];
                for (int j = 0; j < 2; j++) CHECK(talus_body_joint_get(w[j], i, &s[j]) == TALUS_OK);
                for (int j = 0; j < 3; j++) CHECK_NEAR(s[0].force[j], s[1].force[j], force);
                for (int j = 0; j < 3; j++) CHECK_NEAR(s[0].moment[j], s[1].moment[j], force);
                CHECK(drifts || s[0].error < 1e-4);
                drive = fmax(drive, fabs(s[0].drive[0])), stopped = fmax(stopped, i == 1 ? s[0].position[0] : 0);
            }
        }
        CHECK(contacts >= 4);
        CHECK_NEAR(drive, 30, 1e-9);
        CHECK_NEAR(stopped, 0.02, 1e-3);
        for (int j = 0; j < 2; j++) talus_world_destroy(w[j]);
    }
}

/* Balls rain on every other lump of a held band, 2100 ports: the energy is kept with e = 1; momentum changes by what the anchors pull; and M̃⁻¹ of the band is
 * applied a few times for each port in a step, however many sweeps that takes. */
TEST(many_ports)
{
    enum { N = 2100, EVERY = 2, LUMPS = EVERY * N, STEPS = 3 };
    const double h = 2e-3, spacing = 0.15;
    talus_world *w = open_world(2, h);
    const talus_material_id m = material(w, 40);
    law(w, 0, 1);
    band *b = new_band(&BAND, LUMPS, 2, spacing, true);
    b->mass = 0.5, b->stiffness = 3e6;
    const talus_body_id first = add_band(w, b);
    for (int i = 0; i < N; i++) {
        add_ball(w, lump(first, EVERY * i), m, RADIUS);
        (void)ball(w, m, RADIUS, (double[3]){spacing * EVERY * i, 2 * RADIUS + 1e-3, 0}, (double[3]){0, -1 - 0.5 * sin(i), 0});
    }
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    double P[3], L[3], P_now[3], ends[2][2], kinetic, potential;
    talus_world_energy(w, &kinetic, &potential);
    const double start = kinetic + potential, moving = kinetic;
    int most = 0, sweeps = 0;
    for (int k = 0; k < STEPS; k++) {
        *b->solves = 0;
        momentum(w, P, L);
        for (int i = 0; i < 2; i++) ends[0][i] = b->q[i] + b->q[2 * (LUMPS - 1) + i];
        const talus_step_report r = step(w);
        momentum(w, P_now, L);
        for (int i = 0; i < 2; i++) {
            ends[1][i] = b->q[i] + b->q[2 * (LUMPS - 1) + i];
            const double pull = b->stiffness * (b->anchor[0][i] + b->anchor[1][i] - 0.5 * (ends[0][i] + ends[1][i]));
            CHECK_NEAR(P_now[i], P[i] + h * pull, 1e-8);
        }
        CHECK(*b->solves <= 5L * r.contacts + 5);
        CHECK_NEAR(energy(w), start, 1e-8 * moving);
        if (r.touching > most) most = r.touching, sweeps = r.iterations;
    }
    CHECK(most > 2000 && sweeps > 20);
    talus_world_destroy(w);
}

/* The world names what it refuses; a state that is put back goes on bit by bit. */
TEST(in_a_world)
{
    talus_world *w = open_world(2, 1e-2);
    band *b = new_band(&BAND, 4, 2, 0.3, true);
    b->stiffness = 50;
    b->q[1] = 0.1;
    const talus_body_id first = add_band(w, b);
    talus_body_id same = {0};
    CHECK_OK(tl_world_add_body(w, "end", (tl_place){1, 3}, &same), talus_world_error(w));
    CHECK(tl_world_add_body(w, "end", (tl_place){1, 2}, &same) == TALUS_INPUT && strstr(talus_world_error(w), "two bodies 'end'"));
    talus_joint_def joint = talus_joint_def_default();
    talus_joint_id id = {0};
    joint.child = first;
    CHECK(talus_joint_create(w, &joint, &id) == TALUS_INPUT && strstr(talus_world_error(w), "its child is not a link of a mechanism"));
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    CHECK(talus_body_set_kind(w, first, TALUS_BODY_FIXED) == TALUS_INPUT && strstr(talus_world_error(w), "is a lump of a band"));
    CHECK(talus_body_mass(w, first) == 1 && talus_body_inertia(w, first) == 0 && talus_body_angle(w, first) == 0);
    for (int k = 0; k < 10; k++) step(w);
    const int count = talus_state_count(w);
    talus_field field[16];
    double copy[16][64];
    bool found = false;
    CHECK(count <= 16);
    for (int i = 0; i < count; i++) {
        talus_state_field(w, i, &field[i]);
        found = found || strcmp(field[i].name, "band/q") == 0;
        if (field[i].data) memcpy(copy[i], field[i].data, field[i].rows * field[i].columns * 8), field[i].data = copy[i];
    }
    CHECK(found);
    for (int k = 0; k < 10; k++) step(w);
    const uint64_t there = talus_world_hash(w);
    CHECK_OK(talus_state_restore(w, field, count), talus_world_error(w));
    CHECK(talus_world_hash(w) != there);
    for (int k = 0; k < 10; k++) step(w);
    CHECK(talus_world_hash(w) == there);
    b->v[0] = 1e300;
    talus_step_report r;
    CHECK(talus_world_step(w, &r) == TALUS_DIVERGED && strstr(talus_world_error(w), "band 'band' would move"));
    talus_world_destroy(w);
    w = open_world(2, 1e-2);
    b = new_band(&BAND, 4, 2, 0.3, true);
    b->mass = 0;
    (void)add_band(w, b);
    CHECK(talus_world_assemble(w) == TALUS_INPUT && strstr(talus_world_error(w), "band 'band': mass 0 kg"));
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(modes);
    RUN(impacts);
    RUN(rest);
    RUN(condensed_as_rows);
    RUN(clusters_as_chains);
    RUN(many_ports);
    RUN(in_a_world);
    return TEST_RESULT;
}
