/* Round cylinders against brute force.
 *
 * The reference knows only the distance from a point to a shape (tl_shape3_distance; that of a cylinder is tested against its surface here): the least of it
 * over the points of a core, searched on a grid that closes in. It is convex there, so this finds the distance of two shapes whose cores are apart. Cores that
 * cut each other are compared with the best of many directions. */
#include <string.h>

#include "detect/convex3.h"
#include "random3.h"
#include "shape/shape3.h"

enum { ROUNDS = 3, MAX_ROUNDS = 1200 };

static tl_shape3 make_round(double rim, double half, double rounding)
{
    tl_shape3 s;
    tl_error why;
    const tl_vec3 axis = random_direction();
    const double aside = uniform(-0.3, 0.3);
    const tl_vec3 middle = tl_scale(aside, random_direction()), arm = tl_scale(half + rounding, axis);
    const tl_vec3 end[2] = {tl_sub(middle, arm), tl_add(middle, arm)};
    CHECK_OK(tl_shape3_cylinder(&s, tl_memory_default(), end, rim + rounding, rounding, &why), why.text);
    return s;
}

static bool sharp; /* cylinders with a length have sharp edges */

/* A coin or a cylinder with a rim of its own. */
static tl_shape3 random_round(void)
{
    const double rim = uniform(0.2, 1), half = chance(0.5) ? 0 : uniform(0.05, 1), rounding = uniform(0.005, 0.2);
    return make_round(rim, half, half > 0 && sharp ? 0 : rounding);
}

enum { WITH_BALL, WITH_CAPSULE, WITH_BOX, WITH_STONE, WITH_ROUND, KINDS };

static tl_shape3 random_partner(int kind)
{
    const double size = uniform(0.2, 1), thick = uniform(0.02, 0.3);
    if (kind == WITH_BALL) return make_ball(size);
    if (kind == WITH_CAPSULE) return make_capsule(size, thick);
    if (kind == WITH_ROUND) return random_round();
    return random_polyhedron(kind == WITH_BOX ? BOX : STONE, size);
}

static tl_frame random_frame(double far)
{
    const tl_vec3 p = tl_scale(far, random_direction());
    return (tl_frame){p, random_rotation()};
}

/* ---- reference ---------------------------------------------------------------------------------------------------------------- */

static tl_vec3 core_point(const tl_shape3 *s, double x, double y, double z) /* x, y in the unit disk, |z| ≤ 1 */
{
    tl_vec3 t, u;
    tl_tangents(s->normal, &t, &u);
    const tl_vec3 half = tl_scale(0.5, tl_sub(s->point[1], s->point[0]));
    const double far = hypot(x, y), in = far > 1 ? s->rim / far : s->rim;
    return tl_add(s->centre, tl_add(tl_scale(z, half), tl_add(tl_scale(in * x, t), tl_scale(in * y, u))));
}

static double from_point(const tl_shape3 *s, const tl_frame *at, tl_vec3 x)
{
    return tl_shape3_distance(s, tl_mat3_apply_t(&at->R, tl_sub(x, at->p)), (double)INFINITY);
}

/* Least distance from the core of a to b; in *at what it is reached from. */
static double least_distance(const tl_shape3 *a, const tl_frame *fa, const tl_shape3 *b, const tl_frame *fb)
{
    double at[3] = {0, 0, 0}, least = (double)INFINITY;
    const int levels = tl_norm(tl_sub(a->point[1], a->point[0])) > 0 ? 1 : 0;
    for (double reach = 1; reach > 1e-9;) {
        const int n = reach == 1 ? 10 : 2;
        const double middle[3] = {at[0], at[1], at[2]}, before = least;
        for (int i = -n; i <= n; i++)
            for (int j = -n; j <= n; j++)
                for (int k = -n * levels; k <= n * levels; k++) {
                    const double x = middle[0] + reach * i / n, y = middle[1] + reach * j / n, z = fmin(1, fmax(-1, middle[2] + reach * k / n));
                    const double in = fmax(1, hypot(x, y)); /* what is outside of the disk counts where it is nearest */
                    const double d = from_point(b, fb, in_world(fa, core_point(a, x / in, y / in, z)));
                    if (d < least) least = d, at[0] = x / in, at[1] = y / in, at[2] = z;
                }
        if (reach == 1) reach = 0.2;
        else if (!(least < before)) reach *= 0.6;
    }
    return least;
}

static double support(const tl_shape3 *s, const tl_frame *f, tl_vec3 n)
{
    const tl_vec3 own = tl_mat3_apply_t(&f->R, n);
    double most = -(double)INFINITY;
    for (int i = 0; i < s->points; i++) most = fmax(most, tl_dot(own, s->point[i]));
    return most + tl_dot(n, f->p) + s->radius + (s->rim > 0 ? s->rim * tl_norm(tl_cross(own, s->normal)) : 0);
}

/* The way out along n, negative. */
static double way_out(const tl_shape3 *a, const tl_frame *fa, const tl_shape3 *b, const tl_frame *fb, tl_vec3 n)
{
    return -support(b, fb, tl_scale(-1, n)) - support(a, fa, n);
}

/* ---- tests --------------------------------------------------------------------------------------------------------------------- */

TEST(distance_from_a_point)
{
    rnd = tl_random_seed(11);
    for (int round = 0; round < 300; round++) {
        tl_shape3 s = random_round();
        const double far = uniform(0, 2.5);
        const tl_vec3 x = tl_add(s.centre, tl_scale(far, random_direction()));
        double least = (double)INFINITY; /* from the core, by its points; inside, where the core has an inside, by directions */
        for (double reach = 1, at[3] = {0, 0, 0}; reach > 1e-7; reach *= 0.6) {
            const double middle[3] = {at[0], at[1], at[2]};
            for (int i = 0; i < 7 * 7 * 7; i++) {
                const double u = middle[0] + reach * (i % 7 - 3) / 3, v = middle[1] + reach * (i / 7 % 7 - 3) / 3;
                const double w = fmin(1, fmax(-1, middle[2] + reach * (i / 49 - 3) / 3)), in = fmax(1, hypot(u, v));
                const double d = tl_norm(tl_sub(x, core_point(&s, u / in, v / in, w)));
                if (d < least) least = d, at[0] = u / in, at[1] = v / in, at[2] = w;
            }
        }
        const double got = tl_shape3_distance(&s, x, (double)INFINITY);
        if (least > 1e-6) CHECK_NEAR(got, least - s.radius, 1e-6);
        else CHECK(got <= -s.radius + 1e-6);
        free_shape(&s);
    }
}

static void check_touches(const tl_shape3 *a, const tl_frame *fa, const tl_shape3 *b, const tl_frame *fb, const tl_touch *t, int count, double gap)
{
    const double size = a->reach + b->reach;
    double least = (double)INFINITY;
    for (int i = 0; i < count; i++) {
        const tl_vec3 half = tl_scale(0.5 * t[i].gap, t[i].normal);
        const double on_a = from_point(a, fa, tl_sub(t[i].point, half)), on_b = from_point(b, fb, tl_add(t[i].point, half));
        CHECK(on_a < 1e-8 * size && on_b < 1e-8 * size); /* both ends are points of the shapes */
        CHECK(t[i].gap >= gap - 1e-8 * size);
        least = fmin(least, t[i].gap);
        for (int k = 0; k < i; k++) CHECK(t[k].feature < t[i].feature);
        CHECK(t[i].feature < 1u << 24);
    }
    CHECK_NEAR(least, gap, 1e-8 * size);
}

static int touches(const tl_shape3 *a, const tl_frame *fa, const tl_shape3 *b, const tl_frame *fb, double alert, tl_touch *out)
{
    tl_vec3 hint = {0, 0, 0};
    return tl_touch3_find((tl_placed3){a, fa}, (tl_placed3){b, fb}, alert, &hint, NULL, out);
}

/* Moves b until the two are nearly `gap` apart, along the line of their middles. */
static void bring_near(const tl_shape3 *a, const tl_frame *fa, const tl_shape3 *b, tl_frame *fb, double gap)
{
    const tl_vec3 way = random_direction();
    double low = 0, high = 2 * (a->reach + b->reach) + 1;
    for (int i = 0; i < 14; i++) {
        const double middle = 0.5 * (low + high);
        fb->p = tl_add(fa->p, tl_scale(middle, way));
        *(least_distance(a, fa, b, fb) - a->radius > gap ? &high : &low) = middle;
    }
    fb->p = tl_add(fa->p, tl_scale(high, way));
}

static void distances(int kind)
{
    int apart = 0;
    rnd = tl_random_seed(100 + (uint64_t)kind);
    for (int round = 0; round < 80; round++) {
        tl_shape3 a = random_round(), b = random_partner(kind);
        tl_frame fa = random_frame(round % 3 ? 0.1 : 30), fb = random_frame(0);
        tl_touch t[TL_TOUCHES3], back[TL_TOUCHES3];
        const double wanted = uniform(-0.9, 0.5) * (a.radius + b.radius);
        bring_near(&a, &fa, &b, &fb, wanted);
        const double core = least_distance(&a, &fa, &b, &fb);
        if (core < 1e-3 - b.radius) { /* of the surface of b: the cores are not clearly apart */
            free_shape(&a), free_shape(&b);
            continue;
        }
        apart++;
        const int count = touches(&a, &fa, &b, &fb, 1, t), others = touches(&b, &fb, &a, &fa, 1, back);
        CHECK(count > 0 && count <= TL_TOUCHES3 && count <= tl_touch3_limit(&a, &b));
        if (kind == WITH_BALL) CHECK(count == 1);
        check_touches(&a, &fa, &b, &fb, t, count, core - a.radius);
        check_touches(&b, &fb, &a, &fa, back, others, core - a.radius);
        CHECK(touches(&a, &fa, &b, &fb, core - a.radius - 1e-6, t) == 0); /* out of reach */
        free_shape(&a), free_shape(&b);
    }
    CHECK(apart > (sharp ? 20 : 50));
}

TEST(distance_to_balls) { distances(WITH_BALL); }
TEST(distance_to_capsules) { distances(WITH_CAPSULE); }
TEST(distance_to_boxes) { distances(WITH_BOX); }
TEST(distance_to_stones) { distances(WITH_STONE); }
TEST(distance_to_others) { distances(WITH_ROUND); }

/* Deeper than the roundings: what is found parts the two, and no direction of many parts them sooner by much. */
TEST(cores_that_cut_each_other)
{
    double worst = 0;
    rnd = tl_random_seed(21);
    for (int round = 0; round < 300; round++) {
        tl_shape3 a = random_round(), b = random_partner(round % KINDS);
        const tl_frame fa = random_frame(0.1), fb = random_frame(uniform(0, 0.5));
        tl_touch t[TL_TOUCHES3];
        const int count = touches(&a, &fa, &b, &fb, 1, t);
        double best = -(double)INFINITY, least = (double)INFINITY;
        for (int i = 0; i < 4000; i++) best = fmax(best, way_out(&a, &fa, &b, &fb, random_direction()));
        CHECK(count > 0);
        for (int i = 0; i < count; i++) least = fmin(least, t[i].gap);
        if (best < 0) {
            CHECK_NEAR(least, way_out(&a, &fa, &b, &fb, t[0].normal), 1e-8);
            worst = fmax(worst, (best - least) / (a.reach + b.reach));
        }
        free_shape(&a), free_shape(&b);
    }
    CHECK(worst < 1e-3);
}

TEST(sharp_edges)
{
    sharp = true;
    for (int kind = 0; kind < KINDS; kind++) distances(kind);
    sharp = false;
}

TEST(half_spaces)
{
    rnd = tl_random_seed(31);
    for (int round = 0; round < MAX_ROUNDS; round++) {
        tl_shape3 a = random_round(), plane;
        tl_error why;
        const tl_vec3 on = tl_scale(0.3, random_direction());
        CHECK_OK(tl_shape3_half_space(&plane, on, random_direction(), &why), why.text);
        tl_frame fa = random_frame(1), fb = random_frame(1);
        if (round % 3 == 0) { /* lies flat, or nearly so */
            const tl_vec3 n = tl_mat3_apply(&fb.R, plane.normal), axis = tl_mat3_apply(&fa.R, a.normal), across = tl_cross(axis, n);
            const double angle = asin(fmin(1, tl_norm(across))) + (tl_dot(axis, n) < 0 ? TL_PI - 2 * asin(fmin(1, tl_norm(across))) : 0);
            const double less = round % 2 ? 0 : uniform(0, 0.1);
            const tl_mat3 turn = tl_mat3_rotation(tl_normalize(across), angle - less);
            fa.R = tl_mat3_mul(&turn, &fa.R);
        }
        const double gap = -support(&a, &fa, tl_mat3_apply(&fb.R, tl_scale(-1, plane.normal))) - tl_dot(tl_mat3_apply(&fb.R, plane.normal), in_world(&fb, on));
        tl_touch t[TL_TOUCHES3];
        const int count = touches(&plane, &fb, &a, &fa, gap + 1e-3, t);
        check_touches(&plane, &fb, &a, &fa, t, count, gap);
        if (round % 6 == 3) CHECK(count >= 3);
        CHECK(touches(&a, &fa, &plane, &fb, gap - 1e-6, t) == 0);
        free_shape(&a);
    }
}

/* The faces of a polyhedron as a mesh, fanned. */
static tl_shape3 skin(const tl_shape3 *hull)
{
    int32_t triangle[6 * TL_HULL_POINTS][3];
    int count = 0;
    for (int f = 0; f < hull->faces; f++)
        for (int k = hull->face_begin[f] + 1; k + 1 < hull->face_begin[f + 1]; k++) {
            const int32_t t[3] = {hull->corner[hull->face_begin[f]], hull->corner[k], hull->corner[k + 1]};
            memcpy(triangle[count++], t, sizeof t);
        }
    tl_shape3 mesh;
    tl_error why;
    CHECK_OK(tl_shape3_mesh(&mesh, tl_memory_default(), &(tl_triangles3){hull->point, hull->points, (const int32_t(*)[3])triangle, count}, &why), why.text);
    return mesh;
}

/* The skin of a polyhedron is met where the polyhedron is. */
TEST(meshes)
{
    int apart = 0;
    rnd = tl_random_seed(51);
    for (int round = 0; round < 1500; round++) {
        tl_shape3 a = random_round(), b = random_partner(round % 2 ? WITH_BOX : WITH_STONE), mesh = skin(&b);
        const tl_vec3 way = random_direction();
        const tl_frame fb = random_frame(1);
        tl_frame fa = random_frame(1);
        tl_touch t[TL_MESH_TOUCHES3], hull[TL_TOUCHES3];
        fa.p = tl_add(fb.p, tl_scale(a.reach + b.reach, way));
        for (int i = 0; i < 3; i++) { /* along a line until the two touch */
            const int count = touches(&b, &fb, &a, &fa, 3, hull);
            double gap = 3;
            for (int k = 0; k < count; k++) gap = fmin(gap, hull[k].gap);
            fa.p = tl_sub(fa.p, tl_scale(gap + (i == 2 ? uniform(-0.1, 0.9) * a.radius : 0), way));
        }
        const int of_hull = touches(&b, &fb, &a, &fa, 1, hull), count = touches(&mesh, &fb, &a, &fa, 1, t);
        double gap = 1, least = 1;
        for (int k = 0; k < of_hull; k++) gap = fmin(gap, hull[k].gap);
        for (int k = 0; k < count; k++) least = fmin(least, t[k].gap);
        if (gap > -0.95 * a.radius) {
            apart++;
            CHECK_NEAR(least, gap, 1e-8 * (a.reach + b.reach));
            for (int k = 0; k < count; k++) {
                const tl_vec3 half = tl_scale(0.5 * t[k].gap, t[k].normal);
                CHECK(from_point(&a, &fa, tl_add(t[k].point, half)) < 1e-8);
                /* a normal that was put on the border of the mesh's cone is off by 0.05 */
                CHECK(from_point(&b, &fb, tl_sub(t[k].point, half)) < 0.051 * (fabs(t[k].gap) + a.radius));
                if (t[k].gap == least) CHECK(from_point(&b, &fb, tl_sub(t[k].point, half)) < 1e-8);
            }
        }
        free_shape(&a), free_shape(&b), free_shape(&mesh);
    }
    CHECK(apart > 500);
}

/* A coin flat on a box that is partly under it, given by its corners or its skin: the points bound what they share. */
TEST(flat_over_an_edge)
{
    rnd = tl_random_seed(41);
    for (int round = 0; round < 200; round++) {
        const double R = 0.5, overhang = uniform(-0.45, 0.45);
        const tl_vec3 end[2] = {{0, 0, 0}, {0, 0, 0.1}};
        tl_shape3 coin, box = make_box(1, 1, 1), mesh = skin(&box);
        tl_error why;
        CHECK_OK(tl_shape3_cylinder(&coin, tl_memory_default(), end, R + 0.05, 0.05, &why), why.text);
        const tl_frame world = random_frame(3), fb = world;
        const tl_mat3 spin = tl_mat3_rotation(tl_v3(0, 0, 1), uniform(0, 7));
        const tl_frame fa = {in_world(&world, tl_v3(1 + overhang, 0, 1 - 1e-4)), tl_mat3_mul(&world.R, &spin)};
        tl_touch t[TL_MESH_TOUCHES3];
        const int count = touches(round % 2 ? &mesh : &box, &fb, &coin, &fa, 1e-3, t);
        double most = -1, least = 2, wide = 0;
        for (int i = 0; i < count; i++) {
            const tl_vec3 x = tl_mat3_apply_t(&world.R, tl_sub(t[i].point, world.p));
            CHECK_NEAR(t[i].gap, -1e-4, 1e-12);
            most = fmax(most, x.x), least = fmin(least, x.x);
            if (fabs(x.x - 1) < 1e-9) wide = fmax(wide, fabs(x.y));
        }
        CHECK(count >= 3 && most <= 1 + 1e-9);
        CHECK_NEAR(most, 1, 1e-9);                                          /* the edge of the box under it     */
        CHECK_NEAR(wide, sqrt(R * R - overhang * overhang), 1e-9);          /* where the rim goes over the edge */
        if (overhang < 0.25) CHECK_NEAR(least, 1 + overhang - R, 0.14 * R); /* 1 − cos 30° between fixed points */
        free_shape(&coin), free_shape(&box), free_shape(&mesh);
    }
}

/* A round shape stands on a face of another, on its side or on its end, or nearly: from upright to the bit to far from it, over the face and beyond its edges.
 * Where no search is needed because a face's normal is known to be the direction, that is the one which the search over all directions finds, to the bit. */
TEST(no_search_over_a_face)
{
    static const double TILT[] = {0, 1e-14, 1e-12, 3e-12, 1e-11, 1e-10, 1e-9, 1e-7, 1e-5, 1e-3, 0.03, 0.1, 0.5};
    enum { TILTS = sizeof TILT / sizeof *TILT };
    int flat = 0, other = 0;
    rnd = tl_random_seed(41);
    for (int round = 0; round < 4000; round++) {
        tl_shape3 a = random_round(), b = random_partner(round % 3 ? WITH_BOX : round % 2 ? WITH_STONE : WITH_ROUND);
        tl_frame fa = random_frame(0), fb = random_frame(0);
        tl_vec3 face[TL_FLATS3], side, up;
        tl_convex3 cb = tl_convex3_place(&b, &fb.R, tl_v3(0, 0, 0));
        const tl_vec3 out = tl_convex3_flats(&cb, face) > 0 ? face[0] : tl_v3(0, 0, 1);
        tl_tangents(out, &side, &up);
        const tl_vec3 lean = tl_normalize(tl_add(tl_scale(uniform(-1, 1), side), tl_scale(uniform(-1, 1), up)));
        const tl_vec3 axis = tl_normalize(tl_add(round % 4 < 2 ? out : lean, tl_scale(TILT[tl_random_int(&rnd, TILTS)], round % 4 < 2 ? lean : out)));
        tl_vec3 x, y, u, v;
        tl_tangents(axis, &x, &y);
        tl_tangents(a.normal, &u, &v);
        for (int i = 0; i < 3; i++) /* turns the axes u, v, normal of a to x, y, axis */
            for (int k = 0; k < 3; k++) fa.R.m[i][k] = (&x.x)[i] * (&u.x)[k] + (&y.x)[i] * (&v.x)[k] + (&axis.x)[i] * (&a.normal.x)[k];
        const tl_vec3 aside = tl_add(tl_scale(uniform(-1, 1), side), tl_scale(uniform(-1, 1), up));
        const tl_convex3 ca = tl_convex3_place(&a, &fa.R, tl_v3(0, 0, 0));
        const double high = tl_dot(out, tl_convex3_support(&cb, out)) - tl_dot(out, tl_convex3_support(&ca, tl_scale(-1, out)));
        const double gap = uniform(0, 1) < 0.2 ? uniform(-1e-3, 1e-5) : uniform(0, 0.1), alert = 1;
        fa.p = tl_add(fb.p, tl_add(tl_scale(high + gap, out), aside));
        tl_touch found[TL_TOUCHES3];
        const double size = tl_shape3_size(&a) + tl_shape3_size(&b);
        tl_convex_pair3 pair = {.a = ca, .b = tl_convex3_place(&b, &fb.R, tl_sub(fb.p, fa.p)), .size = size, .tie = 1e-12 * size};
        const tl_convex_axis3 want = tl_convex_pair3_axis(&pair, tl_convex_pair3_flat(&pair));
        const int count = touches(&a, &fa, &b, &fb, alert, found);
        double least = (double)INFINITY;
        for (int i = 0; i < count; i++) {
            CHECK(memcmp(&found[i].normal, &want.n, sizeof want.n) == 0);
            least = fmin(least, found[i].gap);
        }
        if (count > 0) CHECK_NEAR(least, want.s - a.radius - b.radius, 1e-10 * pair.size);
        CHECK((count > 0) == (want.s - a.radius - b.radius < alert));
        *(want.flat ? &flat : &other) += count > 0;
        free_shape(&a), free_shape(&b);
    }
    CHECK(flat > 1000 && other > 500);
}

int main(int argc, char **argv)
{
    RUN(distance_from_a_point);
    RUN(sharp_edges);
    RUN(half_spaces);
    RUN(distance_to_balls);
    RUN(distance_to_capsules);
    RUN(distance_to_boxes);
    RUN(distance_to_stones);
    RUN(distance_to_others);
    RUN(cores_that_cut_each_other);
    RUN(meshes);
    RUN(flat_over_an_edge);
    RUN(no_search_over_a_face);
    return TEST_RESULT;
}
