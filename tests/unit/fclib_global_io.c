/* Global problems as files: what a world's step writes comes back condensed to the problem that the world says it was, in the plane and in space; thousands of
 * bodies are condensed one by one. */
#include "talus/talus.h"
#include "unit/fclib.h"

/* Three bodies in a row that push against a wall, on the ground, a link on a slide among them. */
static talus_world *make_world(int dimension)
{
    talus_world_def d = talus_world_def_default();
    talus_world *w;
    talus_material_id m;
    talus_mechanism_id press;
    talus_body_id id;
    talus_joint_id joint;
    char message[500];
    d.dimension = dimension, d.step = 1e-3, d.gravity[dimension - 1] = -9.81, d.solver.tolerance = 1e-10;
    CHECK_OK(talus_world_create(&d, &w, message, sizeof message), message);
    talus_material_def material = talus_material_def_default();
    material.name = "stone", material.density = 2000;
    CHECK_OK(talus_material_create(w, &material, &m), talus_world_error(w));
    talus_interaction_def law = talus_interaction_def_default();
    law.friction = 0.3;
    CHECK_OK(talus_interaction_set(w, m, m, &law), talus_world_error(w));
    for (int side = 0; side < 2; side++) {
        double plane[2][3] = {{0, 0, 0}, {0, 0, 0}};
        plane[1][side == 0 ? 2 : 0] = 1;
        talus_body_def fixed = talus_body_def_default();
        talus_shape_def shape = talus_shape_def_default();
        fixed.kind = TALUS_BODY_FIXED;
        shape.kind = dimension == 2 ? TALUS_SHAPE_HALF_PLANE : TALUS_SHAPE_HALF_SPACE, shape.material = m, shape.count = 2;
        shape.points[1][0] = side, shape.points[1][1] = 1 - side; /* in the plane; in space: */
        shape.corners = (const double(*)[3])plane;
        CHECK_OK(talus_body_create(w, &fixed, &id), talus_world_error(w));
        CHECK_OK(talus_body_add_shape(w, id, &shape), talus_world_error(w));
    }
    const double centre[1][3] = {{0, 0, 0}};
    talus_shape_def ball = talus_shape_def_default();
    ball.kind = dimension == 2 ? TALUS_SHAPE_DISK : TALUS_SHAPE_SPHERE, ball.material = m, ball.count = 1, ball.radius = 0.1;
    ball.corners = centre;
    for (int i = 0; i < 3; i++) {
        talus_body_def body = talus_body_def_default();
        body.position[0] = 0.0999 + 0.1999 * i, body.position[dimension - 1] = 0.0999, body.velocity[0] = -0.3, body.spin[dimension == 2 ? 2 : 1] = 1 - i;
        CHECK_OK(talus_body_create(w, &body, &id), talus_world_error(w));
        CHECK_OK(talus_body_add_shape(w, id, &ball), talus_world_error(w));
    }
    CHECK_OK(talus_mechanism_create(w, "press", &press), talus_world_error(w));
    talus_link_def link = talus_link_def_default();
    talus_joint_def slide = talus_joint_def_default();
    link.mass = 30;
    CHECK_OK(talus_link_create(w, press, &link, &id), talus_world_error(w));
    slide.kind = TALUS_JOINT_PRISMATIC, slide.child = id;
    for (int i = 0; i < 3; i++) slide.axis[i] = i == dimension - 1;
    slide.parent_point[0] = 0.3, slide.position[0] = 0.2998, slide.velocity[0] = -0.1;
    CHECK_OK(talus_joint_create(w, &slide, &joint), talus_world_error(w));
    CHECK_OK(talus_body_add_shape(w, id, &ball), talus_world_error(w));
    return w;
}

static void round_trip(int dimension)
{
    talus_world *w = make_world(dimension);
    talus_global_problem g;
    talus_problem *p = NULL;
    char message[500];
    CHECK(talus_world_global_problem(w, &g, message, sizeof message) == TALUS_INPUT && strstr(message, "before the first step") && g.contacts == 0);
    CHECK(talus_fclib_save_global(&g, in_home("none.hdf5"), NULL, message, sizeof message) == TALUS_INPUT && strstr(message, "without contacts"));
    CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
    CHECK_OK(talus_world_problem(w, &p, message, sizeof message), message);
    CHECK_OK(talus_world_global_problem(w, &g, message, sizeof message), message);
    CHECK(g.contacts >= 6 && g.velocities == 3 * (dimension == 2 ? 3 : 6) + 1);
    const char *path = in_home("step.hdf5");
    CHECK_OK(talus_fclib_save_global(&g, path, "a step", message, sizeof message), message);
    CHECK(access(in_home("step.hdf5.tmp"), F_OK) != 0);
    CHECK(talus_fclib_save_global(&g, in_home("nowhere/step.hdf5"), NULL, message, sizeof message) == TALUS_IO && strstr(message, "nowhere/step.hdf5"));
    talus_problem *same = load(path);
    const talus_problem_def a = talus_problem_get(p), b = talus_problem_get(same);
    const int n = a.contacts * dimension;
    double W[2][MOST * MOST];
    CHECK(a.contacts == b.contacts && a.dimension == b.dimension && n <= MOST);
    dense(&a, W[0]), dense(&b, W[1]);
    for (int i = 0; i < n * n; i++) CHECK_NEAR(W[1][i], W[0][i], 1e-14);
    for (int i = 0; i < n; i++) CHECK_NEAR(b.q[i], a.q[i], 1e-13);
    CHECK(memcmp(a.impulse, b.impulse, (size_t)n * sizeof *a.impulse) == 0 && memcmp(a.friction, b.friction, (size_t)a.contacts * sizeof *a.friction) == 0);

    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, "guesses/1/u", H5P_DEFAULT);
    double u[MOST];
    CHECK(H5Lexists(file, "fclib_local", H5P_DEFAULT) == 0);
    CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, u) >= 0);
    for (int i = 0; i < n; i++) CHECK_NEAR(u[i], talus_problem_velocities(p)[i], 1e-13);
    H5Dclose(set);
    H5Fclose(file);
    CHECK(all_closed());
    talus_problem_destroy(p);
    talus_problem_destroy(same);
    talus_world_destroy(w);
}

/* ---- large ones -------------------------------------------------------------------------------------------------------- */

enum { BODIES = 4000, ROWS = 3 * BODIES };

static void put_entries(hid_t file, const char *group, int rows, int columns, int n, const int *i, const int *p, const double *x)
{
    put_in(file, group, "m", H5T_NATIVE_INT, 1, &rows);
    put_in(file, group, "n", H5T_NATIVE_INT, 1, &columns);
    put_in(file, group, "nz", H5T_NATIVE_INT, 1, &n);
    put_in(file, group, "p", H5T_NATIVE_INT, n, p);
    put_in(file, group, "i", H5T_NATIVE_INT, n, i);
    put_in(file, group, "x", H5T_NATIVE_DOUBLE, n, x);
}

/* Bodies in a row, each touching the next: entries of H of contact k at body k, and at body k + 1. */
static double direction(int k, int side, int axis, int number) { return sin(1 + 3 * k + 7 * side + 2 * axis + 5 * number) + (side == axis ? 2 : 0); }

/* Mass of a body: this matrix, times a factor. */
static const double MASS[9] = {4, 1, 0.5, 1, 3, 0.2, 0.5, 0.2, 2};
static double factor(int body) { return 1 + body % 7; }

/* M and H of all, if `far` M with zeros that couple all rows with the first. */
static void put_row_of_bodies(const char *path, bool far)
{
    static int i[9 * BODIES + ROWS], p[9 * BODIES + ROWS];
    static double x[9 * BODIES + ROWS], zero[ROWS];
    const int contacts = BODIES - 1;
    int n = 0;
    const hid_t file = create(path);
    put_int(file, "fclib_global/spacedim", 2);
    for (int b = 0; b < BODIES; b++)
        for (int e = 0; e < 9; e++) i[n] = 3 * b + e / 3, p[n] = 3 * b + e % 3, x[n++] = factor(b) * MASS[e];
    for (int k = 3; far && k < ROWS; k++) i[n] = k, p[n] = 0, x[n++] = 0;
    put_entries(file, "fclib_global/M", ROWS, ROWS, n, i, p, x);
    n = 0;
    for (int k = 0; k < contacts; k++)
        for (int e = 0; e < 12; e++) i[n] = 3 * (k + e / 6) + e % 3, p[n] = 2 * k + e / 3 % 2, x[n] = direction(k, e / 6, e / 3 % 2, e % 3), n++;
    put_entries(file, "fclib_global/H", ROWS, 2 * contacts, n, i, p, x);
    for (int k = 0; k < ROWS; k++) x[k] = k % 5;
    put_doubles(file, "fclib_global/vectors/f", ROWS, x);
    for (int k = 0; k < ROWS; k++) x[k] = k;
    put_doubles(file, "fclib_global/vectors/w", 2 * contacts, x);
    put_doubles(file, "fclib_global/vectors/mu", contacts, zero);
    H5Fclose(file);
}

/* Of a block of W, entry a, b: what both contacts have at that body. */
static double at_body(int body, const double *inverse, int k, int other, int a, int b)
{
    double sum = 0;
    for (int e = 0; e < 9; e++) sum += direction(k, body - k, a, e / 3) * inverse[e] * direction(other, body - other, b, e % 3) / factor(body);
    return sum;
}

TEST(many_bodies)
{
    double mass[9], inverse[9];
    memcpy(mass, MASS, sizeof mass); /* which is lost */
    invert(3, mass, inverse);
    put_row_of_bodies(in_home("row.hdf5"), false);
    talus_problem *p = load(in_home("row.hdf5"));
    const talus_problem_def d = talus_problem_get(p);
    CHECK(d.contacts == BODIES - 1 && d.row[d.contacts] == 3 * d.contacts - 2);
    for (int i = 0; i < d.contacts; i++)
        for (int k = d.row[i]; k < d.row[i + 1]; k++)
            for (int e = 0; e < 4; e++) {
                const int j = d.column[k];
                double expected = 0;
                for (int body = i > j ? i : j; body <= (i < j ? i : j) + 1; body++) expected += at_body(body, inverse, i, j, e / 2, e % 2);
                CHECK_NEAR(d.block[4 * k + e], expected, 1e-13 * 20);
            }
    for (int i = 0; i < 2 * d.contacts; i++) {
        double expected = i;
        for (int side = 0; side < 2; side++)
            for (int e = 0; e < 9; e++)
                expected += direction(i / 2, side, i % 2, e / 3) * inverse[e] * ((3 * (i / 2 + side) + e % 3) % 5) / factor(i / 2 + side);
        CHECK_NEAR(d.q[i], expected, 1e-12 * (1 + i));
    }
    talus_problem_destroy(p);
    put_row_of_bodies(in_home("far.hdf5"), true);
    refused(-1, "far.hdf5", TALUS_UNSUPPORTED, "M of 12000 rows has 72006000 numbers between its diagonal and the first entries of its rows");
}

/* A segment without thickness has no inertia of its own: what nothing turns has no part in the problem. */
TEST(no_inertia)
{
    talus_world *w = make_world(2);
    talus_body_def body = talus_body_def_default();
    talus_shape_def segment = talus_shape_def_default();
    talus_body_id id;
    char message[500];
    body.position[0] = 3, body.position[1] = -1e-4, body.mass = 2;
    CHECK_OK(talus_body_create(w, &body, &id), talus_world_error(w));
    segment.kind = TALUS_SHAPE_SEGMENT, segment.material = (talus_material_id){1}, segment.count = 2;
    segment.points[0][0] = -0.2, segment.points[1][0] = 0.2;
    CHECK_OK(talus_body_add_shape(w, id, &segment), talus_world_error(w));
    CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
    talus_global_problem g;
    talus_problem *p = NULL;
    CHECK_OK(talus_world_problem(w, &p, message, sizeof message), message);
    CHECK_OK(talus_world_global_problem(w, &g, message, sizeof message), message);
    CHECK_OK(talus_fclib_save_global(&g, in_home("thin.hdf5"), NULL, message, sizeof message), message);
    talus_problem *same = load(in_home("thin.hdf5"));
    const talus_problem_def a = talus_problem_get(p), b = talus_problem_get(same);
    CHECK(a.contacts == b.contacts && a.contacts >= 8);
    for (int i = 0; i < 2 * a.contacts; i++) CHECK_NEAR(b.q[i], a.q[i], 1e-12);
    talus_problem_destroy(p);
    talus_problem_destroy(same);
    talus_world_destroy(w);
}

TEST(plane) { round_trip(2); }
TEST(space) { round_trip(3); }

int main(int argc, char **argv)
{
    if (!mkdtemp(home)) return 1;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    RUN(plane);
    RUN(space);
    RUN(many_bodies);
    RUN(no_inertia);
    nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return TEST_RESULT;
}
