/* The table of kinds of joints between bodies (src/law/joint.h, talus/joint.h), kind by kind: what it says of itself, and that its rows are the rates of its
 * values, by differences, wherever the joint may go. */
#include "base/base.h"
#include "law/joint.h"
#include "talus/talus.h"
#include "test.h"

static tl_random rnd;

static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

static tl_vec3 random_vector(double size)
{
    const double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
    return tl_v3(x, y, z);
}

TEST(table)
{
    CHECK(talus_body_joint_kind(-1) == NULL && talus_body_joint_meaning(-1) == NULL && !talus_body_joint_in_plane(-1));
    CHECK(strcmp(talus_body_joint_kind(0), "revolute") == 0);
    for (int i = 0; talus_body_joint_kind(i); i++) {
        const tl_joint_kind *kind = tl_joint_kind_at(i);
        const char *name = talus_body_joint_kind(i), *meaning = talus_body_joint_meaning(i);
        int k = 0;
        CHECK(*name && meaning && *meaning);
        CHECK(tl_joint_kind_named(name) == kind);
        CHECK(kind->rows >= 1 && kind->rows <= TL_JOINT_ROWS && kind->coordinates <= TALUS_BODY_JOINT_FREEDOMS);
        const int held = __builtin_popcount(kind->holds);
        CHECK(kind->lock ? held < kind->rows : held == kind->rows);
        for (; talus_body_joint_coordinate(i, k); k++) {
            const char *coordinate = talus_body_joint_coordinate(i, k), *unit = talus_body_joint_unit(i, k);
            if (!strstr(meaning, coordinate)) TEST_FAIL("the meaning of '%s' does not name its coordinate '%s'", name, coordinate);
            for (int j = 0; j < i; j++)
                for (int l = 0; talus_body_joint_coordinate(j, l); l++)
                    if (strcmp(talus_body_joint_coordinate(j, l), coordinate) == 0) CHECK(strcmp(talus_body_joint_unit(j, l), unit) == 0);
        }
        CHECK(k == kind->coordinates && talus_body_joint_unit(i, k) == NULL);
    }
}

TEST(refused)
{
    const talus_world_def flat = talus_world_def_default();
    talus_world *w = NULL;
    talus_body_joint_def d = talus_body_joint_def_default();
    talus_body_joint_id id;
    CHECK_OK(talus_world_create(&flat, &w, NULL, 0), "");
    d.kind = "glue";
    CHECK(talus_body_joint_create(w, &d, &id) == TALUS_INPUT && strstr(talus_world_error(w), "there is no kind 'glue'"));
    d.kind = "universal";
    CHECK(talus_body_joint_create(w, &d, &id) == TALUS_INPUT && strstr(talus_world_error(w), "take one that stays in it: revolute, prismatic, fixed"));
    d.kind = "revolute", d.length = 1;
    CHECK(talus_body_joint_create(w, &d, &id) == TALUS_INPUT && strstr(talus_world_error(w), "a revolute joint has no length"));
    talus_world_destroy(w);
}

/* ---- rows are rates --------------------------------------------------------------------------------------------------------- */

typedef struct pair {
    tl_frame a, b;
} pair;

typedef struct twist {
    tl_vec3 v, w; /* of the frame's origin */
} twist;

static tl_frame moved(const tl_frame *f, const twist *t, double time)
{
    const tl_mat3 turn = tl_mat3_rotation(tl_normalize(t->w), tl_norm(t->w) * time);
    return (tl_frame){tl_add(f->p, tl_scale(time, t->v)), tl_mat3_mul(&turn, &f->R)};
}

static double rate_of(const tl_joint_row *r, const pair *at, const twist *a, const twist *b)
{
    const tl_vec3 of_a = tl_add(a->v, tl_cross(a->w, tl_sub(at->b.p, at->a.p)));
    return tl_dot(r->force, tl_sub(b->v, of_a)) + tl_dot(r->moment, tl_sub(b->w, a->w));
}

/* The part of b's twist against a's that no row forbids: rows are made square to each other one after the other. */
static void allow(const tl_joint_kind *kind, const pair *at, double length, const twist *a, twist *b)
{
    tl_joint_row row[TL_JOINT_ROWS];
    tl_joint_lock(kind, &at->a, &at->b, length, row);
    for (int i = 0; i < kind->rows; i++) {
        for (int j = 0; j < i; j++) {
            const double share = tl_dot(row[i].force, row[j].force) + tl_dot(row[i].moment, row[j].moment);
            row[i].force = tl_sub(row[i].force, tl_scale(share, row[j].force));
            row[i].moment = tl_sub(row[i].moment, tl_scale(share, row[j].moment));
        }
        const double size = sqrt(tl_dot(row[i].force, row[i].force) + tl_dot(row[i].moment, row[i].moment));
        CHECK(size > 1e-3); /* no row says what others say */
        row[i].force = tl_scale(1 / size, row[i].force), row[i].moment = tl_scale(1 / size, row[i].moment);
        const double rate = rate_of(&row[i], at, a, b);
        b->v = tl_sub(b->v, tl_scale(rate, row[i].force));
        b->w = tl_sub(b->w, tl_scale(rate, row[i].moment));
    }
}

/* Both bodies go where the joint lets them, in steps that are small against the curvature of its paths. */
static void wander(const tl_joint_kind *kind, double length, pair *at)
{
    enum { STEPS = 20000 };
    const twist a = {random_vector(1), random_vector(1)}, wish = {random_vector(1), random_vector(1)};
    for (int i = 0; i < STEPS; i++) {
        twist b = wish;
        allow(kind, at, length, &a, &b);
        const pair half = {moved(&at->a, &a, 0.5 / STEPS), moved(&at->b, &b, 0.5 / STEPS)};
        b = wish;
        allow(kind, &half, length, &a, &b);
        at->a = moved(&at->a, &a, 1.0 / STEPS), at->b = moved(&at->b, &b, 1.0 / STEPS);
    }
}

static void rows_of(const tl_joint_kind *kind, const pair *at, double length, tl_joint_row *row)
{
    tl_joint_lock(kind, &at->a, &at->b, length, row);
    for (int k = 0; k < kind->coordinates; k++) row[kind->rows + k] = kind->coordinate(&at->a, &at->b, k);
}

/* Rows that vanish are looked at along any motion, coordinates along those that the joint lets be. */
static void check_rates(const tl_joint_kind *kind, double length, const pair *at)
{
    const double small = 1e-5;
    tl_joint_row row[TL_JOINT_ROWS + TL_JOINT_COORDINATES], ahead[TL_JOINT_ROWS + TL_JOINT_COORDINATES], behind[TL_JOINT_ROWS + TL_JOINT_COORDINATES];
    rows_of(kind, at, length, row);
    for (int free = 0; free < 2; free++) {
        const twist a = {random_vector(1), random_vector(1)};
        twist b = {random_vector(1), random_vector(1)};
        if (free) allow(kind, at, length, &a, &b);
        const pair next = {moved(&at->a, &a, small), moved(&at->b, &b, small)}, last = {moved(&at->a, &a, -small), moved(&at->b, &b, -small)};
        rows_of(kind, &next, length, ahead);
        rows_of(kind, &last, length, behind);
        for (int r = 0; r < kind->rows + (free ? kind->coordinates : 0); r++) {
            const double rate = rate_of(&row[r], at, &a, &b), seen = (ahead[r].value - behind[r].value) / (2 * small);
            if (r < kind->rows) CHECK_NEAR(row[r].value, 0, 1e-7);
            if (!(fabs(rate - seen) < 1e-6))
                TEST_FAIL("%s, %s %d: rate %.9g, by differences %.9g", kind->name, r < kind->rows ? "row" : "coordinate", r, rate, seen);
        }
    }
}

TEST(rows_are_rates)
{
    for (int i = 0; i < tl_joint_kinds(); i++)
        for (int trial = 0; trial < 3; trial++) {
            const tl_joint_kind *kind = tl_joint_kind_at(i);
            const tl_vec3 axis = random_vector(1);
            const double angle = uniform(0, 3);
            pair at = {{random_vector(1), tl_mat3_rotation(tl_normalize(axis), angle)}, {{0, 0, 0}, {{{0}}}}};
            at.b = at.a;
            double length = kind->measured ? 0.8 : 0;
            if (kind == &TL_JOINT_DISTANCE) at.b.p = tl_add(at.b.p, tl_scale(length, tl_axis(&at.a, 0)));
            wander(kind, length, &at);
            check_rates(kind, length, &at);
        }
}

int main(int argc, char **argv)
{
    rnd = tl_random_seed(5);
    RUN(table);
    RUN(refused);
    RUN(rows_are_rates);
    return TEST_RESULT;
}
