/* Loads on solids, and what is read of forces, stresses and places: areas and centroids of polygons, uniform stress, the column under its weight, balance of
 * momentum, the beam in bending. */
#include "solid_block.h"
#include "test.h"

enum { MOST = 4000 };
static const double UNIT[3] = {1, 1, 1};

static talus_world *make_world(int dimension, double step, double theta)
{
    talus_world_def d = talus_world_def_default();
    d.dimension = dimension, d.step = step, d.theta = theta;
    for (int i = 0; i < 3; i++) d.gravity[i] = 0;
    talus_world *w = NULL;
    char text[256] = "";
    if (talus_world_create(&d, &w, text, sizeof text) != TALUS_OK) TEST_FAIL("%s", text);
    return w;
}

static void must(talus_world *w, talus_status status)
{
    if (status == TALUS_OK) return;
    TEST_FAIL("%s", talus_world_error(w));
    exit(1);
}

typedef struct stuff {
    const char *material;
    double parameter[TALUS_SOLID_MOST_PARAMETERS], density;
    bool plane_stress;
} stuff;
static const stuff SOFT = {"elastic", {1e6, 0.3}, 10, false}, FLAT = {"elastic", {1e6, 0.3}, 10, true};

static talus_solid_id add(talus_world *w, const solid_block *b, const stuff *of)
{
    talus_solid_region region = {.material = talus_solid_material_find(of->material), .density = of->density, .strain = TALUS_STRAIN_AUTO};
    memcpy(region.parameter, of->parameter, sizeof of->parameter);
    talus_solid_def d = talus_solid_def_default();
    d.name = "block", d.nodes = b->nodes, d.position = (const double(*)[3])b->x, d.elements = b->elements, d.kind = b->kind, d.node = b->node;
    d.regions = 1, d.region = &region, d.plane_stress = of->plane_stress, d.thickness = b->dimension == 2 ? 0.7 : 1;
    talus_solid_id id = {0};
    must(w, talus_solid_create(w, &d, &id));
    return id;
}

static void hold_all(talus_world *w, talus_solid_id s, const solid_block *b)
{
    for (int i = 0; i < b->nodes; i++)
        for (int a = 0; a < b->dimension; a++) must(w, talus_solid_hold(w, s, i, a, NULL));
}

/* Nodes at x along an axis are held in that direction. */
static void roll(talus_world *w, talus_solid_id s, const solid_block *b, int axis, double x)
{
    for (int i = 0; i < b->nodes; i++)
        if (fabs(b->x[i][axis] - x) < 1e-9) must(w, talus_solid_hold(w, s, i, axis, NULL));
}

/* c[0] + c[1] t */
static void ramp(void *user, double t, double out[3])
{
    const double *c = user;
    out[0] = c[0] + c[1] * t, out[1] = c[1], out[2] = 0;
}
static talus_motion given(const double c[2]) { return (talus_motion){ramp, (void *)(uintptr_t)c}; }

static double uniform(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return 2.0 * (*state >> 8) / (1 << 24) - 1;
}

/* ---- shares of nodes ------------------------------------------------------------------------------------------------------------ */

typedef struct vec {
    double v[3];
} vec;
static vec minus(vec a, vec b) { return (vec){{a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]}}; }
static vec cross(vec a, vec b) { return (vec){{a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2], a.v[0] * b.v[1] - a.v[1] * b.v[0]}}; }
static double size_of(vec a) { return sqrt(a.v[0] * a.v[0] + a.v[1] * a.v[1] + a.v[2] * a.v[2]); }

/* Vector area of a face by its corners, its size where it is flat, and its first moment of area: by triangles. In the plane, of the strip of its thickness. */
static void polygon(const talus_solid_mesh *m, talus_solid_face f, double thickness, vec *area, double *size, vec *moment)
{
    talus_element e;
    (void)talus_element_get(m->kind[f.element], &e);
    vec x[4];
    const int corners = e.face_corners[f.face];
    for (int k = 0; k < corners; k++) memcpy(x[k].v, m->position[m->node[m->begin[f.element] + e.face_node[f.face][k]]], sizeof x[k].v);
    *area = *moment = (vec){{0, 0, 0}};
    *size = 0;
    if (corners == 2) {
        const vec t = minus(x[1], x[0]);
        *area = (vec){{thickness * t.v[1], -thickness * t.v[0], 0}}, *size = thickness * size_of(t);
        for (int i = 0; i < 3; i++) moment->v[i] = *size * 0.5 * (x[0].v[i] + x[1].v[i]);
        return;
    }
    for (int k = 1; k + 1 < corners; k++) {
        const vec n = cross(minus(x[k], x[0]), minus(x[k + 1], x[0]));
        for (int i = 0; i < 3; i++) {
            area->v[i] += 0.5 * n.v[i];
            moment->v[i] += 0.5 * size_of(n) * (x[0].v[i] + x[k].v[i] + x[k + 1].v[i]) / 3;
        }
        *size += 0.5 * size_of(n);
    }
}

/* Forces and their moments about the origin that a load puts on nodes which are all held: the reverse of what holds them. */
static void loaded(const talus_world *w, talus_solid_id s, vec *force, vec *moment)
{
    talus_solid_mesh m;
    (void)talus_solid_get_mesh(w, s, &m);
    *force = *moment = (vec){{0, 0, 0}};
    for (int i = 0; i < m.nodes; i++) {
        vec f, x;
        talus_solid_resultant(w, s, &i, 1, f.v);
        memcpy(x.v, m.position[i], sizeof x.v);
        const vec turn = cross(x, f);
        for (int a = 0; a < 3; a++) force->v[a] -= f.v[a], moment->v[a] -= turn.v[a];
    }
}

/* An element of the kind, skewed and stretched; `bend` moves corners by themselves, so that quadrilateral faces are no longer flat. */
static solid_block one_element(int kind, double bend)
{
    static const double A[3][3] = {{1.3, 0.2, -0.1}, {0.1, 0.8, 0.3}, {-0.2, 0.15, 1.1}};
    solid_block b = block_make(kind, (const int[3]){1, 1, 1}, UNIT);
    unsigned random = 5;
    for (int i = 0; i < b.nodes; i++) {
        double x[3] = {0, 0, 0};
        for (int a = 0; a < b.dimension; a++) {
            x[a] = 0.2 * (a + 1) + bend * uniform(&random);
            for (int k = 0; k < b.dimension; k++) x[a] += A[a][k] * b.x[i][k];
        }
        memcpy(b.x[i], x, sizeof x);
    }
    return b;
}

static const double PRESSURE[2] = {3, 2}, PULL[3][2] = {{1, 0.5}, {-2, 0.3}, {0.7, 0}};

/* One face at a time: the load at t + θ h, sum and moment. */
static void check_face(const solid_block *b, int face, bool flat)
{
    const double h = 0.3, theta = 0.6;
    talus_world *w = make_world(b->dimension, h, theta);
    const talus_solid_id s = add(w, b, &SOFT);
    talus_solid_mesh m;
    (void)talus_solid_get_mesh(w, s, &m);
    talus_solid_load load = talus_solid_load_default();
    load.face = &m.face[face], load.faces = 1;
    load.pressure = given(PRESSURE);
    for (int a = 0; a < 3 && flat; a++) load.traction[a] = given(PULL[a]);
    must(w, talus_solid_add_load(w, s, &load));
    hold_all(w, s, b);
    must(w, talus_world_assemble(w));
    for (int k = 0; k < 2; k++) must(w, talus_world_step(w, NULL));
    vec area, first, force, moment, t = {{0, 0, 0}};
    double size;
    const double at = h + theta * h;
    polygon(&m, m.face[face], b->dimension == 2 ? 0.7 : 1, &area, &size, &first);
    loaded(w, s, &force, &moment);
    for (int a = 0; a < b->dimension && flat; a++) t.v[a] = PULL[a][0] + PULL[a][1] * at;
    for (int a = 0; a < 3; a++) CHECK_NEAR(force.v[a], size * t.v[a] - (PRESSURE[0] + PRESSURE[1] * at) * area.v[a], 1e-13 * (1 + size) * 10);
    for (int a = 0; a < 3 && flat; a++) { /* of traction − p n, both constant over a flat face */
        vec f;
        for (int i = 0; i < 3; i++) f.v[i] = t.v[i] - (PRESSURE[0] + PRESSURE[1] * at) * area.v[i] / size;
        CHECK_NEAR(moment.v[a], cross(first, f).v[a], 1e-12);
    }
    talus_world_destroy(w);
}

TEST(faces)
{
    talus_element e;
    for (int kind = 0; talus_element_get(kind, &e); kind++)
        for (int bent = 0; bent < 2; bent++) {
            if (bent && e.nodes > 8) continue; /* nodes between corners would leave their sides' middles */
            if (bent && strcmp(e.name, "triangle6") == 0) continue;
            solid_block b = one_element(kind, bent ? 0.1 : 0);
            talus_world *w = make_world(b.dimension, 1, 0.5);
            talus_solid_mesh m;
            (void)talus_solid_get_mesh(w, add(w, &b, &SOFT), &m);
            const int faces = m.faces, before = test_failures;
            talus_world_destroy(w);
            for (int f = 0; f < faces; f++) check_face(&b, f, !bent || e.dimension == 2 || strncmp(e.name, "tet", 3) == 0);
            if (test_failures > before) fprintf(stderr, "   %s\n", e.name);
            block_free(&b);
        }
}

static const double FOUR[2] = {4, 0};

/* A pressure all around does nothing to the whole, on bent faces too; a force per volume is that times the volume, at its centroid. */
TEST(all_around)
{
    talus_element e;
    for (int kind = 0; talus_element_get(kind, &e); kind++)
        for (int volume = 0; volume < 2; volume++) {
            solid_block b = one_element(kind, volume || e.nodes > 8 || strcmp(e.name, "triangle6") == 0 ? 0 : 0.1);
            talus_world *w = make_world(b.dimension, 1, 0.5);
            const talus_solid_id s = add(w, &b, &SOFT);
            talus_solid_mesh m;
            (void)talus_solid_get_mesh(w, s, &m);
            talus_solid_load load = talus_solid_load_default();
            load.face = volume ? NULL : m.face, load.faces = volume ? 0 : m.faces;
            if (volume) load.traction[1] = given(FOUR);
            else load.pressure = given(FOUR);
            must(w, talus_solid_add_load(w, s, &load));
            hold_all(w, s, &b);
            must(w, talus_world_step(w, NULL));
            vec force, moment;
            loaded(w, s, &force, &moment);
            /* det A of the block's map; the middle of the unit block goes to that of the element */
            const double size = b.dimension == 2 ? 0.7 * (1.3 * 0.8 - 0.2 * 0.1)
                                                 : 1.3 * (0.8 * 1.1 - 0.3 * 0.15) - 0.2 * (0.1 * 1.1 + 0.3 * 0.2) - 0.1 * (0.1 * 0.15 + 0.8 * 0.2);
            const double middle[3] = {0.2 + 0.5 * (b.dimension == 2 ? 1.5 : 1.4), 0, b.dimension == 2 ? 0 : 0.6 + 0.5 * 1.05};
            const double expect[6] = {0, 4 * size, 0, -4 * size * middle[2], 0, 4 * size * middle[0]};
            for (int a = 0; a < 3; a++) {
                CHECK_NEAR(force.v[a], volume ? expect[a] : 0, 1e-12);
                CHECK_NEAR(moment.v[a], volume ? expect[3 + a] : 0, 1e-12);
            }
            talus_world_destroy(w);
            block_free(&b);
        }
}

/* ---- uniform stress ------------------------------------------------------------------------------------------------------------- */

/* A step so long that inertia is nothing beside stiffness ends in equilibrium. */
static talus_world *static_world(int dimension) { return make_world(dimension, 1e7, 1); }

static void push_on(talus_world *w, talus_solid_id s, int axis, double x, double pressure, const double *traction)
{
    static double constant[MOST][2]; /* what functions of time point to: of this test's process */
    static int used;
    talus_solid_face face[MOST];
    talus_solid_load load = talus_solid_load_default();
    load.faces = block_faces(w, s, axis, x, face), load.face = face;
    CHECK(load.faces > 0);
    if (pressure != 0) constant[used][0] = pressure, load.pressure = given(constant[used++]);
    for (int a = 0; a < 3 && traction; a++) constant[used][0] = traction[a], load.traction[a] = given(constant[used++]);
    must(w, talus_solid_add_load(w, s, &load));
}

static void crook(solid_block *b, const double size[3])
{
    unsigned random = 9;
    for (int i = 0; i < b->nodes; i++)
        for (int a = 0; a < b->dimension; a++)
            if (b->x[i][a] > 1e-9 && b->x[i][a] < size[a] - 1e-9) b->x[i][a] += 0.06 * uniform(&random);
}

static bool has_middles(const talus_element *e) { return e->nodes == 10 || strcmp(e->name, "triangle6") == 0; }

/* Pulled at its end, a bar with rollers has the stress of the traction at every node, and its displacement, in a crooked mesh; on which faces stay flat. */
TEST(bar)
{
    talus_element e;
    const double size[3] = {2, 1, 1}, pull[3] = {5e3, 0, 0};
    for (int kind = 0; talus_element_get(kind, &e); kind++) {
        solid_block b = block_make(kind, (const int[3]){3, 2, 2}, size);
        if (!has_middles(&e)) crook(&b, size);
        talus_world *w = static_world(b.dimension);
        const talus_solid_id s = add(w, &b, &FLAT);
        for (int a = 0; a < b.dimension; a++) roll(w, s, &b, a, 0);
        push_on(w, s, 0, 2, 0, pull);
        must(w, talus_world_step(w, NULL));
        double u[MOST][3], stress[MOST][6], strain[MOST][6];
        talus_solid_motion(w, s, u, NULL);
        talus_solid_nodal_stress(w, s, strain, stress);
        for (int i = 0; i < b.nodes; i++) {
            for (int a = 0; a < b.dimension; a++) CHECK_NEAR(u[i][a], 5e-3 * (a == 0 ? 1 : -0.3) * b.x[i][a], 1e-11);
            for (int c = 0; c < 6; c++) CHECK_NEAR(stress[i][c], c == 0 ? 5e3 : 0, 1e-5);
            CHECK_NEAR(strain[i][0], 5e-3, 1e-11);
        }
        double kinetic, elastic, force[3], expect = 0.5 * 5e3 * 5e-3 * (b.dimension == 2 ? 2 * 0.7 : 2);
        talus_solid_energy(w, s, &kinetic, &elastic, NULL);
        CHECK_CLOSE(elastic, expect, 1e-9);
        int node[MOST], count = 0;
        for (int i = 0; i < b.nodes; i++)
            if (b.x[i][0] < 1e-9) node[count++] = i;
        talus_solid_resultant(w, s, node, count, force);
        CHECK_CLOSE(force[0], -5e3 * (b.dimension == 2 ? 0.7 : 1), 1e-9);
        talus_world_destroy(w);
        block_free(&b);
    }
}

/* Under the same pressure on all sides the stress is −p along every axis, the shrinking that of (1 − 2ν)/E, and what keeps it from drifting away has nothing to
 * do. In the plane, of plane strain: −p along two, −2νp along the third. */
TEST(pressed)
{
    talus_element e;
    for (int kind = 0; talus_element_get(kind, &e); kind++) {
        solid_block b = block_make(kind, (const int[3]){2, 2, 2}, UNIT);
        if (!has_middles(&e)) crook(&b, UNIT);
        talus_world *w = static_world(b.dimension);
        const talus_solid_id s = add(w, &b, &SOFT);
        for (int i = 0; i < b.nodes; i++) { /* three corners hold it without hindering */
            const double *x = b.x[i];
            const bool origin = x[0] + x[1] + x[2] < 1e-9, along = fabs(x[0] - 1) + x[1] + x[2] < 1e-9, across = x[0] + fabs(x[1] - 1) + x[2] < 1e-9;
            for (int a = 0; a < b.dimension; a++)
                if (origin || (along && a > 0) || (across && a > 1)) must(w, talus_solid_hold(w, s, i, a, NULL));
        }
        for (int side = 0; side < 2 * b.dimension; side++) push_on(w, s, side / 2, side % 2, 1e3, NULL);
        must(w, talus_world_step(w, NULL));
        double u[MOST][3], stress[MOST][6], force[3];
        talus_solid_motion(w, s, u, NULL);
        talus_solid_nodal_stress(w, s, NULL, stress);
        const double shrink = 1e3 / 1e6 * (b.dimension == 3 ? 1 - 2 * 0.3 : (1 + 0.3) * (1 - 2 * 0.3));
        for (int i = 0; i < b.nodes; i++) {
            for (int a = 0; a < b.dimension; a++) CHECK_NEAR(u[i][a], -shrink * b.x[i][a], 1e-11);
            for (int c = 0; c < 6; c++) CHECK_NEAR(stress[i][c], c > 2 ? 0 : c == 2 && b.dimension == 2 ? -600 : -1e3, 1e-5);
            talus_solid_resultant(w, s, &i, 1, force);
            CHECK_NEAR(fabs(force[0]) + fabs(force[1]) + fabs(force[2]), 0, 1e-6);
        }
        talus_world_destroy(w);
        block_free(&b);
    }
}

/* A column that cannot widen sinks under a force per volume b by u(z) = b/E' (L z − z²/2), E' = E (1 − ν)/((1 + ν)(1 − 2ν)); nodes of linear elements are
 * exact. */
TEST(column)
{
    static const char *const KIND[3] = {"quadrilateral4", "hexahedron8", "triangle6"};
    for (int k = 0; k < 3; k++) {
        const double size[3] = {1, 2, 1}, modulus = 1e6 * 0.7 / (1.3 * 0.4);
        solid_block b = block_make(talus_element_find(KIND[k]), (const int[3]){2, 5, 1}, size);
        talus_world *w = static_world(b.dimension);
        const talus_solid_id s = add(w, &b, &SOFT);
        roll(w, s, &b, 1, 0);
        for (int a = 0; a < b.dimension; a += 2) roll(w, s, &b, a, 0), roll(w, s, &b, a, 1);
        talus_solid_load load = talus_solid_load_default();
        load.traction[1] = given((const double[2]){-800, 0});
        must(w, talus_solid_add_load(w, s, &load));
        must(w, talus_world_step(w, NULL));
        double u[MOST][3], force[3];
        int node[MOST], count = 0;
        talus_solid_motion(w, s, u, NULL);
        for (int i = 0; i < b.nodes; i++) {
            const double y = b.x[i][1];
            CHECK_NEAR(u[i][1], -800 / modulus * (2 * y - 0.5 * y * y), 1e-11);
            if (y < 1e-9) node[count++] = i;
        }
        talus_solid_resultant(w, s, node, count, force);
        CHECK_CLOSE(force[1], 800 * 2 * (b.dimension == 2 ? 0.7 : 1), 1e-9);
        talus_world_destroy(w);
        block_free(&b);
    }
}

/* ---- momentum ------------------------------------------------------------------------------------------------------------------- */

/* Along y, of the whole. */
static double momentum(const talus_world *w, talus_solid_id s)
{
    double linear[3], angular[3];
    const talus_body_id body = talus_solid_body(w, s);
    talus_body_velocity(w, body, (const double[3]){0, 0, 0}, linear, angular);
    return talus_body_mass(w, body) * linear[1];
}

static double sum_of_resultants(const talus_world *w, talus_solid_id s, int nodes, bool held, const solid_block *b)
{
    int node[MOST], count = 0;
    double force[3];
    for (int i = 0; i < nodes; i++)
        if ((b->x[i][1] < 1e-9) == held) node[count++] = i;
    talus_solid_resultant(w, s, node, count, force);
    return force[1];
}

/* A column under weight and a pressure at its top, swinging on its foot: what holds the foot is dp/dt less weight and load, in every step to rounding, and
 * nothing holds the other nodes. With friction inside (a soil that yields) as well. */
static void swing(const char *kind, const stuff *of, talus_scheme scheme, double close)
{
    const double size[3] = {1, 3, 1}, h = 1e-3, pressure[2] = {300, 2e4};
    solid_block b = block_make(talus_element_find(kind), (const int[3]){2, 6, 2}, size);
    talus_world_def d = talus_world_def_default();
    d.dimension = b.dimension, d.step = h, d.theta = 0.55, d.scheme = scheme, d.gravity[0] = d.gravity[2] = 0, d.gravity[1] = -9;
    talus_world *w = NULL;
    char text[256] = "";
    if (talus_world_create(&d, &w, text, sizeof text) != TALUS_OK) TEST_FAIL("%s", text);
    const talus_solid_id s = add(w, &b, of);
    roll(w, s, &b, 1, 0);
    for (int a = 0; a < b.dimension; a += 2) roll(w, s, &b, a, 0);
    talus_solid_face face[MOST];
    talus_solid_load load = talus_solid_load_default();
    load.faces = block_faces(w, s, 1, 3, face), load.face = face, load.pressure = given(pressure);
    must(w, talus_solid_add_load(w, s, &load));
    must(w, talus_world_assemble(w));
    const double area = b.dimension == 2 ? 0.7 : 1, weight = 9 * of->density * 3 * area;
    double before = 0, least = 1e9, most = -1e9, free_sum = 0;
    for (int k = 0; k < 120; k++) {
        must(w, talus_world_step(w, NULL));
        const double after = momentum(w, s), t = (k + (scheme == TALUS_SCHEME_MOREAU ? 0.55 : 0.5)) * h, foot = sum_of_resultants(w, s, b.nodes, true, &b);
        free_sum = fmax(free_sum, fabs(sum_of_resultants(w, s, b.nodes, false, &b)));
        CHECK_NEAR(foot, (after - before) / h + weight + (pressure[0] + pressure[1] * t) * area, close * weight);
        before = after, least = fmin(least, foot), most = fmax(most, foot);
    }
    CHECK(free_sum < close * weight);
    CHECK(most > 1.2 * weight && least < 0.8 * most); /* it does swing */
    talus_world_destroy(w);
    block_free(&b);
}

TEST(balance)
{
    static const stuff SOIL = {"drucker-prager", {1e6, 0.3, 1000, 0.3, 500}, 50, false};
    CHECK(talus_solid_material_find("drucker-prager") >= 0);
    swing("quadrilateral4", &FLAT, TALUS_SCHEME_MOREAU, 1e-8);
    swing("hexahedron8", &SOFT, TALUS_SCHEME_MOREAU, 1e-8);
    swing("hexahedron8", &SOIL, TALUS_SCHEME_MOREAU, 1e-6);
    /* of another scheme, the mean over the step to its order */
    swing("quadrilateral4", &FLAT, TALUS_SCHEME_GENERALIZED_ALPHA, 0.02);
}

/* ---- stresses and places -------------------------------------------------------------------------------------------------------- */

/* A panel under a moment at its end, M = t (2c)²/6 of a traction that goes from −t to t over its height, is bent to σ_xx = t y/c everywhere (plane stress). Of
 * its elements' means those at inner nodes are the stress there, and a point's stress is weighed from its nodes. */
TEST(bending)
{
    const double size[3] = {6, 2, 1}, t = 4e3;
    solid_block b = block_make(talus_element_find("quadrilateral4"), (const int[3]){12, 8, 1}, size);
    talus_world *w = static_world(2);
    const talus_solid_id s = add(w, &b, &FLAT);
    roll(w, s, &b, 0, 0);
    for (int i = 0; i < b.nodes; i++)
        if (fabs(b.x[i][0]) + fabs(b.x[i][1] - 1) < 1e-9) must(w, talus_solid_hold(w, s, i, 1, NULL));
    /* the traction's linear share: forces on nodes of the end are those of its mean in each element's side, and of its slope there */
    double mean[8][2] = {{0}};
    talus_solid_face face[MOST];
    const int faces = block_faces(w, s, 0, 6, face);
    talus_solid_mesh m;
    (void)talus_solid_get_mesh(w, s, &m);
    for (int f = 0; f < faces; f++) {
        talus_element e;
        (void)talus_element_get(m.kind[face[f].element], &e);
        const int *node = m.node + m.begin[face[f].element];
        const double y = 0.5 * (m.position[node[e.face_node[face[f].face][0]]][1] + m.position[node[e.face_node[face[f].face][1]]][1]) - 1;
        mean[f][0] = t * y;
        talus_solid_load load = talus_solid_load_default();
        load.face = &face[f], load.faces = 1, load.traction[0] = given(mean[f]);
        must(w, talus_solid_add_load(w, s, &load));
    }
    CHECK(faces == 8);
    must(w, talus_world_step(w, NULL));
    static double stress[MOST][6];
    talus_solid_nodal_stress(w, s, NULL, stress);
    /* away from the end (Saint-Venant), half way up between the middle and the edge */
    talus_solid_point at;
    CHECK(talus_solid_locate(w, s, (const double[3]){2.6, 1.4, 0}, &at) && at.away == 0);
    double value = 0;
    for (int k = 0; k < at.nodes; k++) value += at.weight[k] * stress[at.node[k]][0];
    /* moments of stepwise means are (1 − 1/8²) of the linear traction's */
    CHECK_NEAR(value, t * 0.4 * (1 - 1 / 64.0), 2e-3 * t);
    talus_world_destroy(w);
    block_free(&b);
}

/* Σ N x is the point, in every kind, wherever it lies inside; the distance from a block is that from a box. */
TEST(places)
{
    talus_element e;
    for (int kind = 0; talus_element_get(kind, &e); kind++) {
        solid_block b = block_make(kind, (const int[3]){3, 2, 2}, UNIT);
        if (!has_middles(&e)) crook(&b, UNIT);
        talus_world *w = make_world(b.dimension, 1, 0.5);
        const talus_solid_id s = add(w, &b, &SOFT);
        unsigned random = 3;
        for (int k = 0; k < 300; k++) {
            double x[3] = {0, 0, 0}, back[3] = {0, 0, 0}, sum = 0, away = 0;
            for (int a = 0; a < b.dimension; a++) x[a] = 0.5 + (k % 2 ? 0.4999 : 1.2) * uniform(&random);
            talus_solid_point p;
            CHECK(talus_solid_locate(w, s, x, &p) && p.nodes == e.nodes);
            for (int i = 0; i < p.nodes; i++) {
                sum += p.weight[i];
                for (int a = 0; a < 3; a++) back[a] += p.weight[i] * b.x[p.node[i]][a];
            }
            for (int a = 0; a < 3; a++) {
                const double nearest = fmin(1, fmax(0, x[a]));
                away += (x[a] - nearest) * (x[a] - nearest);
                CHECK_NEAR(back[a], a < b.dimension ? nearest : 0, 1e-8);
            }
            CHECK_NEAR(sum, 1, 1e-12);
            CHECK_NEAR(p.away, sqrt(away), 1e-8);
        }
        talus_solid_point p;
        CHECK(!talus_solid_locate(w, s, (const double[3]){(double)NAN, 0, 0}, &p));
        CHECK(!talus_solid_locate(w, (talus_solid_id){0}, (const double[3]){0, 0, 0}, &p));
        talus_world_destroy(w);
        block_free(&b);
    }
}

static void refused(talus_world *w, talus_solid_id s, const talus_solid_face *face, int faces, const char *word)
{
    talus_solid_load load = talus_solid_load_default();
    load.face = face, load.faces = faces, load.pressure = given(FOUR);
    if (talus_solid_add_load(w, s, &load) != TALUS_INPUT) TEST_FAIL("a load is taken that should not be: %s", word);
    else if (!strstr(talus_world_error(w), word)) TEST_FAIL("says \"%s\", without \"%s\"", talus_world_error(w), word);
}

TEST(refusals)
{
    solid_block b = block_make(talus_element_find("hexahedron8"), (const int[3]){2, 1, 1}, UNIT);
    talus_world *w = make_world(3, 1, 0.5);
    const talus_solid_id s = add(w, &b, &SOFT);
    refused(w, s, NULL, 0, "faces");
    refused(w, s, (const talus_solid_face[]){{0, 0}, {2, 0}}, 2, "element 3, which does not exist");
    refused(w, s, (const talus_solid_face[]){{0, 6}}, 1, "face 7 of element 1, which does not exist");
    refused(w, s, (const talus_solid_face[]){{0, 3}}, 1, "not on the surface");
    refused(w, s, (const talus_solid_face[]){{0, 0}, {1, 0}, {0, 0}}, 3, "face 1 of element 1, which is given twice");
    refused(w, (talus_solid_id){7}, (const talus_solid_face[]){{0, 0}}, 1, "does not exist");
    talus_world_destroy(w);
    block_free(&b);
}

int main(int argc, char **argv)
{
    RUN(faces);
    RUN(all_around);
    RUN(bar);
    RUN(pressed);
    RUN(column);
    RUN(balance);
    RUN(bending);
    RUN(places);
    RUN(refusals);
    return TEST_RESULT;
}
