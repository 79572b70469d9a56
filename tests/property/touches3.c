/* Points of contact in space: their number, place and feature in configurations that are known by hand; persistence in slow motion; garbage. */
#include "random3.h"

static const tl_mat3 UPRIGHT = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
static const tl_vec3 NO_HINT = {0, 0, 0};

static tl_vec3 turn_vector(const tl_frame *f, tl_vec3 v) { return tl_mat3_apply(&f->R, v); }

static int find(const tl_shape3 *a, const tl_frame *fa, const tl_shape3 *b, const tl_frame *fb, double alert, tl_touch *t)
{
    tl_vec3 hint = NO_HINT;
    const int n = tl_touch3_find((tl_placed3){a, fa}, (tl_placed3){b, fb}, alert, &hint, NULL, t);
    for (int i = 0; i < n; i++) {
        CHECK(t[i].feature < 1u << 24 && (i == 0 || t[i - 1].feature < t[i].feature));
        CHECK_NEAR(tl_norm(t[i].normal), 1, 1e-14);
    }
    return n;
}

/* ---- known by hand ------------------------------------------------------------------------------------------------ */

static double area_xy(const tl_touch *t, int n) /* of the points' convex outline: sorted by angle about their middle */
{
    double angle[TL_TOUCHES3], x = 0, y = 0, area = 0;
    int order[TL_TOUCHES3];
    for (int i = 0; i < n; i++) x += t[i].point.x / n, y += t[i].point.y / n;
    for (int i = 0; i < n; i++) {
        angle[i] = atan2(t[i].point.y - y, t[i].point.x - x);
        int at = i;
        for (; at > 0 && angle[order[at - 1]] > angle[i]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
    for (int i = 0; i < n; i++) {
        const tl_vec3 p = t[order[i]].point, q = t[order[(i + 1) % n]].point;
        area += 0.5 * ((p.x - x) * (q.y - y) - (q.x - x) * (p.y - y));
    }
    return area;
}

static tl_frame at(double x, double y, double z, tl_mat3 R) { return (tl_frame){{x, y, z}, R}; }

TEST(boxes)
{
    tl_touch t[TL_TOUCHES3];
    tl_shape3 floor = make_box(2, 2, 0.5), box = make_box(0.5, 0.4, 0.3), twin = make_box(2, 2, 0.5);
    const double gaps[] = {0, 1e-16, -1e-16, 1e-13, -1e-13, 1e-6, -1e-6, 0.01, -0.01};
    for (int k = 0; k < 9; k++) {
        const double g = gaps[k];
        const tl_frame ff = at(0, 0, 0, UPRIGHT);
        tl_frame fb = at(0.3, -0.2, 0.8 + g, tl_mat3_rotation(tl_v3(0, 0, 1), 0.7));
        int n = find(&floor, &ff, &box, &fb, 0.02, t);
        CHECK(n == 4);
        CHECK_NEAR(area_xy(t, n), 4 * 0.5 * 0.4, 1e-14);
        for (int i = 0; i < n; i++) {
            CHECK_NEAR(t[i].gap, g, 1e-15);
            CHECK_NEAR(t[i].normal.z, 1, 1e-15);
            CHECK_NEAR(t[i].point.z, 0.5 + 0.5 * g, 1e-15);
        }
        fb = at(1.9, 0, 0.8 + g, UPRIGHT); /* half of it over the rim */
        n = find(&floor, &ff, &box, &fb, 0.02, t);
        CHECK(n == 4);
        CHECK_NEAR(area_xy(t, n), 0.6 * 0.8, 1e-14);
        const tl_frame up = at(0, 0, 1 + g, tl_mat3_rotation(tl_v3(0, 0, 1), TL_PI / 4)), same = at(0, 0, 1 + g, UPRIGHT);
        n = find(&floor, &ff, &twin, &up, 0.02, t); /* an octagon: a square less four corners of legs 4 − 2√2 */
        CHECK(n == 8);
        CHECK_NEAR(area_xy(t, n), 16 - 2 * (4 - 2 * sqrt(2)) * (4 - 2 * sqrt(2)), 1e-13);
        n = find(&floor, &ff, &twin, &same, 0.02, t); /* flush all round */
        CHECK(n == 4);
        CHECK_NEAR(area_xy(t, n), 16, 1e-13);
    }
    free_shape(&floor), free_shape(&box), free_shape(&twin);
}

TEST(edges_and_corners)
{
    tl_touch t[TL_TOUCHES3];
    tl_shape3 floor = make_box(2, 2, 0.5), small = make_box(0.2, 0.2, 0.2);
    const tl_vec3 roof[4] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 1}, {0, 1, 1}}, spike[4] = {{0, 0, 0}, {1, 0, 1}, {-1, 1, 1}, {-1, -1, 1}};
    tl_shape3 edge = make_hull(roof, 4, 0), corner = make_hull(spike, 4, 0);
    const tl_frame ff = at(0, 0, 0, UPRIGHT);
    for (int k = -1; k <= 1; k++) {
        const double g = 0.01 * k;
        tl_frame f = at(0.2, 0.1, 0.5 + g, UPRIGHT);
        int n = find(&floor, &ff, &edge, &f, 0.02, t);
        CHECK(n == 2);
        CHECK_NEAR(tl_norm(tl_sub(t[0].point, t[1].point)), 2, 1e-14);
        for (int i = 0; i < n; i++) CHECK_NEAR(t[i].gap, g, 1e-15);
        f.p.x = 1.5; /* one end beyond the rim */
        n = find(&floor, &ff, &edge, &f, 0.02, t);
        CHECK(n == 2);
        CHECK_NEAR(tl_norm(tl_sub(t[0].point, t[1].point)), 1.5, 1e-14);
        n = find(&floor, &ff, &corner, &f, 0.02, t);
        CHECK(n == 1);
        CHECK_NEAR(t[0].gap, g, 1e-15);
        CHECK_NEAR(tl_norm(tl_sub(t[0].point, tl_v3(1.5, 0.1, 0.5 + 0.5 * g))), 0, 1e-15);
        /* roof on roof, crossing: one point */
        const tl_frame up = at(0, 0, 0.3, UPRIGHT),
                       down = at(0.1, 0, 0.3 - g, tl_mat3_mul(&(tl_mat3){{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}, &(tl_mat3){{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}));
        n = find(&edge, &up, &edge, &down, 0.02, t);
        CHECK(n == 1);
        CHECK_NEAR(t[0].gap, g, 1e-15);
        CHECK_NEAR(tl_norm(tl_sub(t[0].point, tl_v3(0.1, 0, 0.3 - 0.5 * g))), 0, 1e-15);
    }
    /* a small box in a corner of floor and wall: two pairs, four points each */
    tl_shape3 wall = make_box(0.5, 2, 2);
    const tl_frame fw = at(-1, 0, 1, UPRIGHT), f = at(-0.3, 0, 0.7, UPRIGHT);
    CHECK(find(&floor, &ff, &small, &f, 0.01, t) == 4);
    CHECK(find(&wall, &fw, &small, &f, 0.01, t) == 4);
    CHECK_NEAR(t[0].normal.x, 1, 1e-15);
    /* corner on corner: along the line between them */
    const tl_frame away = at(2.2 + 0.03, 2.2 + 0.04, 0.7 + 0.12, UPRIGHT);
    CHECK(find(&floor, &ff, &small, &away, 0.14, t) == 1);
    CHECK_NEAR(t[0].gap, 0.13, 1e-14);
    CHECK_NEAR(tl_norm(tl_sub(t[0].normal, tl_v3(3.0 / 13, 4.0 / 13, 12.0 / 13))), 0, 1e-14);
    free_shape(&floor), free_shape(&small), free_shape(&edge), free_shape(&corner), free_shape(&wall);
}

/* More points than eight: the deepest, and most of the area. The area of a regular polygon of 30 corners is 15 sin 12° = 3.12. Leaving out what costs least
 * leaves sides of three or four of its 30 steps; eight even ones of 3¾ would have (4 sin 45°)/(15 sin 12°) = 0.907 of it, any of up to five 0.8. */
TEST(many_points)
{
    tl_vec3 p[60];
    for (int i = 0; i < 60; i++) {
        const int corner = i / 2;
        p[i] = tl_v3(cos(TL_PI / 15 * corner), sin(TL_PI / 15 * corner), i % 2 ? 0.3 : -0.3);
    }
    tl_shape3 drum = make_hull(p, 60, 0), floor = make_box(2, 2, 0.5), plane;
    tl_error why;
    CHECK_OK(tl_shape3_half_space(&plane, tl_v3(0, 0, 0.5), tl_v3(0, 0, 1), &why), why.text);
    rnd = tl_random_seed(3);
    for (int k = 0; k < 200; k++) {
        tl_touch t[TL_TOUCHES3];
        const tl_mat3 turn = tl_mat3_rotation(tl_v3(0, 0, 1), uniform(0, 7)), tilt = tl_mat3_rotation(tl_v3(1, 0, 0), k % 2 ? 0 : 0.005);
        const tl_frame ff = at(0, 0, 0, UPRIGHT), f = at(0, 0, 0.8, tl_mat3_mul(&tilt, &turn));
        for (int with_plane = 0; with_plane < 2; with_plane++) {
            const int n = find(with_plane ? &plane : &floor, &ff, &drum, &f, 0.05, t);
            CHECK(n == 8);
            CHECK(area_xy(t, n) > 0.8 * 15 * sin(TL_PI / 15));
            double least = 1, lowest = 1;
            for (int i = 0; i < n; i++) least = fmin(least, t[i].gap);
            for (int i = 0; i < 60; i++) lowest = fmin(lowest, in_world(&f, p[i]).z - 0.5);
            if (with_plane) CHECK_NEAR(least, lowest, 1e-15);
        }
    }
    free_shape(&drum), free_shape(&floor);
}

TEST(spheres_capsules_half_spaces)
{
    rnd = tl_random_seed(4);
    tl_shape3 ball = make_ball(0.3), other = make_ball(0.5), bar = make_capsule(0.6, 0.1), rod = make_capsule(0.4, 0.2), floor = make_box(2, 2, 0.5);
    for (int k = 0; k < 2000; k++) {
        tl_touch t[TL_TOUCHES3];
        const tl_vec3 d = random_direction();
        const double g = uniform(-0.1, 0.1);
        tl_frame f = {random_direction(), random_rotation()}, h = {tl_add(f.p, tl_scale(0.8 + g, d)), random_rotation()};
        int n = find(&ball, &f, &other, &h, 0.2, t);
        CHECK(n == 1);
        CHECK_NEAR(t[0].gap, g, 1e-15);
        CHECK_NEAR(tl_norm(tl_sub(t[0].normal, d)), 0, 1e-14);
        CHECK_NEAR(tl_norm(tl_sub(t[0].point, tl_add(f.p, tl_scale(0.3 + 0.5 * g, d)))), 0, 1e-15);
        /* two bars: crossing above each other at one point, or side by side along two */
        const tl_vec3 x = turn_vector(&f, tl_v3(1, 0, 0)), z = turn_vector(&f, tl_v3(0, 0, 1));
        const tl_mat3 cross = tl_mat3_rotation(z, k % 2 ? uniform(0.1, 3) : 0);
        h = (tl_frame){tl_add(tl_add(f.p, tl_scale(0.3 + g, z)), tl_scale(uniform(-0.1, 0.1), x)), tl_mat3_mul(&cross, &f.R)};
        n = find(&bar, &f, &rod, &h, 0.2, t);
        CHECK(n == (k % 2 ? 1 : 2));
        for (int i = 0; i < n; i++) {
            CHECK_NEAR(t[i].gap, g, 1e-15);
            CHECK_NEAR(tl_norm(tl_sub(t[i].normal, z)), 0, 1e-14);
        }
        if (n == 2) CHECK_NEAR(tl_norm(tl_sub(t[0].point, t[1].point)), 0.8, 1e-14); /* the rod's ends */
        /* a bar that lies on a box, or stands */
        const tl_frame ff = at(0, 0, 0, UPRIGHT);
        h = at(0.3, 0.2, 0.6 + g, tl_mat3_rotation(tl_v3(0, 0, 1), uniform(0, 7)));
        n = find(&floor, &ff, &bar, &h, 0.2, t);
        CHECK(n == 2 && t[0].feature < t[1].feature);
        for (int i = 0; i < n; i++) CHECK_NEAR(t[i].gap, g, 1e-15);
        const double lean = uniform(0.06, TL_PI / 2);
        const tl_mat3 up = tl_mat3_rotation(tl_v3(0, 1, 0), lean);
        h = (tl_frame){{0, 0, 0.6 + 0.6 * sin(lean) + g}, up};
        n = find(&floor, &ff, &bar, &h, 0.2, t);
        CHECK(n == 1);
        CHECK_NEAR(t[0].gap, g, 1e-15);
        /* over a half-space anywhere, in any order */
        tl_shape3 plane;
        tl_error why;
        CHECK_OK(tl_shape3_half_space(&plane, random_direction(), d, &why), why.text);
        const tl_vec3 normal = turn_vector(&f, d), o = in_world(&f, plane.centre);
        h.p = tl_add(o, tl_scale(0.3 + g, normal));
        n = find(&plane, &f, &ball, &h, 0.2, t);
        CHECK(n == 1);
        CHECK_NEAR(t[0].gap, g, 4e-15);
        CHECK_NEAR(tl_norm(tl_sub(t[0].point, tl_add(o, tl_scale(0.5 * g, normal)))), 0, 4e-15);
        CHECK_NEAR(tl_norm(tl_sub(t[0].normal, normal)), 0, 1e-15);
        n = find(&ball, &h, &plane, &f, 0.2, t);
        CHECK(n == 1);
        CHECK_NEAR(tl_norm(tl_add(t[0].normal, normal)), 0, 1e-15);
        CHECK(find(&plane, &f, &plane, &h, 1e9, t) == 0);
        n = find(&plane, &f, &bar, &h, 9, t);
        CHECK(n == 2);
        for (int i = 0; i < n; i++) CHECK_NEAR(t[i].gap, tl_dot(normal, tl_sub(in_world(&h, bar.point[i]), o)) - 0.1, 4e-15);
    }
    free_shape(&ball), free_shape(&other), free_shape(&bar), free_shape(&rod), free_shape(&floor);
}

/* ---- in motion ---------------------------------------------------------------------------------------------------- */

static bool same_features(const tl_touch *t, int n, const tl_touch *u, int m)
{
    bool same = n == m;
    for (int i = 0; same && i < n; i++) same = t[i].feature == u[i].feature;
    return same;
}

/* A box that slides and turns slowly on another: the same numbers while no corner passes a rim, also where it is rocked by a little less than the alert. */
TEST(persistence)
{
    tl_touch t[TL_TOUCHES3], last[TL_TOUCHES3];
    tl_shape3 floor = make_box(2, 2, 0.5), box = make_box(0.5, 0.4, 0.3);
    const tl_frame ff = at(0, 0, 0, UPRIGHT);
    tl_vec3 hint = NO_HINT;
    int n = 0, changes = 0;
    for (int k = 0; k <= 1450; k++) {
        /* within the floor for k < 1000 and on the way out along x then; its corners pass the rim two by two, or one after the other */
        const double x = 0.002 * k - 1, angle = 0.0001 * k + 0.3, rock = 1e-4 * sin(0.37 * k);
        const tl_mat3 turn = tl_mat3_rotation(tl_v3(0, 0, 1), angle), tilt = tl_mat3_rotation(tl_v3(cos(k), sin(k), 0), rock);
        const tl_frame f = at(x, 0.1, 0.8 - 1e-4, tl_mat3_mul(&tilt, &turn));
        const int m = tl_touch3_find((tl_placed3){&floor, &ff}, (tl_placed3){&box, &f}, 0.005, &hint, NULL, t);
        CHECK(m >= 3);
        if (k > 0 && !same_features(t, m, last, n)) changes++;
        if (k == 1000) CHECK(changes == 0);
        memcpy(last, t, sizeof t);
        n = m;
    }
    CHECK(changes >= 1 && changes <= 4); /* each corner leaves once */
    /* a stone turning on a half-space and a bar rolling on a box: the same ends all the time */
    tl_shape3 bar = make_capsule(0.5, 0.1);
    for (int k = 0; k <= 1000; k++) {
        const tl_mat3 roll = tl_mat3_rotation(tl_v3(1, 0, 0), 0.01 * k), turn = tl_mat3_rotation(tl_v3(0, 0, 1), 0.001 * k);
        const tl_frame f = at(0, 0.001 * k, 0.6, tl_mat3_mul(&turn, &roll));
        const int m = find(&floor, &ff, &bar, &f, 0.005, t);
        CHECK(m == 2 && (k == 0 || same_features(t, m, last, n)));
        memcpy(last, t, sizeof t);
        n = m;
    }
    free_shape(&floor), free_shape(&box), free_shape(&bar);
}

/* Both moved together: the same gaps and the turned normals, but for rounding. */
TEST(rigid_motion)
{
    rnd = tl_random_seed(5);
    int alike = 0;
    for (int k = 0; k < 4000; k++) {
        tl_shape3 a = random_polyhedron(tl_random_int(&rnd, SLIVER), 1), b = random_polyhedron(tl_random_int(&rnd, SLIVER), 1);
        const tl_frame move = {tl_scale(3, random_direction()), random_rotation()}, fa = {random_direction(), random_rotation()};
        const tl_frame fb = {tl_add(fa.p, tl_scale(uniform(0.5, 2), random_direction())), random_rotation()};
        const tl_frame ga = {in_world(&move, fa.p), tl_mat3_mul(&move.R, &fa.R)}, gb = {in_world(&move, fb.p), tl_mat3_mul(&move.R, &fb.R)};
        tl_touch t[TL_TOUCHES3], u[TL_TOUCHES3];
        const int n = find(&a, &fa, &b, &fb, 0.1, t), m = find(&a, &ga, &b, &gb, 0.1, u);
        CHECK(n == m);
        /* nothing degenerate is put on purpose here: features agree, and the points to rounding over the sine of random angles */
        for (int i = 0; n == m && i < n; i++) {
            CHECK(t[i].feature == u[i].feature);
            CHECK_NEAR(u[i].gap, t[i].gap, 1e-9);
            CHECK_NEAR(tl_norm(tl_sub(in_world(&move, t[i].point), u[i].point)), 0, 1e-9);
            CHECK_NEAR(tl_norm(tl_sub(turn_vector(&move, t[i].normal), u[i].normal)), 0, 1e-9);
            alike++;
        }
        free_shape(&a), free_shape(&b);
    }
    CHECK(alike > 1000);
}

/* ---- garbage ------------------------------------------------------------------------------------------------------ */

static double any_bits(void)
{
    const uint64_t bits = tl_random_u64(&rnd);
    double value;
    memcpy(&value, &bits, sizeof value);
    return chance(0.3) ? value : chance(0.3) ? 0 : uniform(-2, 2);
}

static void spoil(tl_frame *f)
{
    double *number = chance(0.5) ? &f->p.x + tl_random_int(&rnd, 3) : &f->R.m[tl_random_int(&rnd, 3)][tl_random_int(&rnd, 3)];
    *number = any_bits();
}

TEST(garbage)
{
    rnd = tl_random_seed(6);
    tl_shape3 s[8];
    tl_error why;
    for (int i = 0; i < POLYHEDRA; i++) s[i] = random_polyhedron(i, 1);
    s[5] = make_ball(0.5), s[6] = make_capsule(0.7, 0.2);
    CHECK_OK(tl_shape3_half_space(&s[7], tl_v3(0, 0, 0), tl_v3(0, 0, 1), &why), why.text);
    for (int k = 0; k < 100000; k++) {
        tl_frame fa = {random_direction(), random_rotation()}, fb = {random_direction(), random_rotation()};
        if (chance(0.2)) fb = fa; /* all the same is no garbage but as bad */
        for (int i = tl_random_int(&rnd, 4); i > 0; i--) spoil(chance(0.5) ? &fa : &fb);
        tl_vec3 hint = chance(0.5) ? random_direction() : tl_v3(any_bits(), any_bits(), any_bits());
        tl_touch t[TL_TOUCHES3];
        const int n = tl_touch3_find((tl_placed3){&s[tl_random_int(&rnd, 8)], &fa}, (tl_placed3){&s[tl_random_int(&rnd, 8)], &fb}, chance(0.1) ? any_bits() : 1,
                                     &hint, NULL, t);
        CHECK(n >= 0 && n <= TL_TOUCHES3);
        for (int i = 0; i < n; i++) {
            CHECK(isfinite(t[i].normal.x) && isfinite(t[i].normal.y) && isfinite(t[i].normal.z) && isfinite(t[i].gap));
            CHECK(isfinite(t[i].point.x) && isfinite(t[i].point.y) && isfinite(t[i].point.z));
            CHECK(t[i].feature < 1u << 24 && (i == 0 || t[i - 1].feature < t[i].feature));
        }
    }
    for (int i = 0; i < 7; i++) free_shape(&s[i]);
}

/* ---- speed -------------------------------------------------------------------------------------------------------- */

static int by_value(const void *p, const void *q)
{
    const double a = *(const double *)p, b = *(const double *)q;
    return (a > b) - (a < b);
}

enum { STONES = 40, PLACED = 2000 };

/* Nanoseconds of a pair, median over pairs; each is timed over a few calls. */
static void time_pairs(const char *what, const tl_shape3 *stone, int (*which)[2], tl_frame (*frames)[2], const tl_vec3 *hints, double alert)
{
    double took[PLACED], sum = 0;
    int touches = 0;
    for (int k = 0; k < PLACED; k++) {
        tl_touch t[TL_TOUCHES3];
        const double begin = tl_clock();
        for (int i = 0; i < 10; i++) {
            tl_vec3 hint = hints ? hints[k] : NO_HINT;
            touches +=
                tl_touch3_find((tl_placed3){&stone[which[k][0]], &frames[k][0]}, (tl_placed3){&stone[which[k][1]], &frames[k][1]}, alert, &hint, NULL, t);
        }
        took[k] = (tl_clock() - begin) * 1e8;
        sum += took[k];
    }
    qsort(took, PLACED, sizeof *took, by_value);
    printf("%-44s median %5.0f mean %5.0f 95 %% %5.0f ns, %.2f touches\n", what, took[PLACED / 2], sum / PLACED, took[PLACED * 95 / 100],
           touches / 10.0 / PLACED);
}

/* Stones of 25 corners: resting on each other, and apart. Printed, not judged. */
TEST(speed)
{
    rnd = tl_random_seed(7);
    static tl_shape3 stone[STONES];
    static tl_frame frames[PLACED][2];
    static tl_vec3 hints[PLACED];
    static int which[PLACED][2];
    for (int i = 0; i < STONES; i++) stone[i] = make_stone(25, 1);
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < PLACED; k++) {
            const int a = which[k][0] = tl_random_int(&rnd, STONES), b = which[k][1] = tl_random_int(&rnd, STONES);
            const tl_vec3 d = random_direction();
            frames[k][0] = (tl_frame){random_direction(), random_rotation()};
            frames[k][1] = (tl_frame){tl_add(frames[k][0].p, tl_scale(2.1, d)), random_rotation()};
            tl_touch t[TL_TOUCHES3];
            hints[k] = NO_HINT;
            if (tl_touch3_find((tl_placed3){&stone[a], &frames[k][0]}, (tl_placed3){&stone[b], &frames[k][1]}, 9, &hints[k], NULL, t) < 1)
                TEST_FAIL("no touch");
            double gap = 9;
            for (int i = 0; i < TL_TOUCHES3 && i < 1; i++) gap = t[i].gap;
            /* back along the normal to a gap of ±1 % of the size, or to twice the alert distance */
            const double want = round == 0 ? uniform(-0.02, 0.02) : uniform(0.06, 0.2);
            frames[k][1].p = tl_sub(frames[k][1].p, tl_scale(gap - want, hints[k]));
            hints[k] = tl_normalize(tl_add(hints[k], tl_scale(0.01, random_direction())));
        }
        if (round == 0) {
            time_pairs("within 1 % of the size, hint of the last step", stone, which, frames, hints, 0.03);
            time_pairs("within 1 % of the size, no hint", stone, which, frames, NULL, 0.03);
        } else {
            time_pairs("apart, hint of the last step", stone, which, frames, hints, 0.03);
            time_pairs("apart, no hint", stone, which, frames, NULL, 0.03);
        }
    }
    for (int i = 0; i < STONES; i++) free_shape(&stone[i]);
}

int main(int argc, char **argv)
{
    RUN(boxes);
    RUN(edges_and_corners);
    RUN(many_points);
    RUN(spheres_capsules_half_spaces);
    RUN(persistence);
    RUN(rigid_motion);
    RUN(garbage);
    RUN(speed);
    return TEST_RESULT;
}
