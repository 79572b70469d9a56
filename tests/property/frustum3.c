/* Cone frustums against slices, brute force, cylinders and hulls. */
#include "random3.h"

static tl_frame random_frame(double far)
{
    const tl_vec3 p = tl_scale(far, random_direction());
    return (tl_frame){p, random_rotation()};
}

/* Aside of the origin, along any axis. */
static tl_shape3 make_frustum(double a, double b, double length)
{
    tl_shape3 s;
    tl_error why;
    const tl_vec3 axis = random_direction(), from = tl_scale(0.3, random_direction());
    tl_vec3 t, u;
    tl_tangents(axis, &t, &u);
    tl_vec3 point[4] = {from, tl_add(from, tl_scale(length, axis))};
    point[2] = tl_add(point[0], tl_scale(a, t)), point[3] = tl_add(point[1], tl_scale(b, u));
    const tl_shape3_def def = {.point = point, .count = 4};
    CHECK_OK(tl_shape3_make(&s, tl_memory_default(), TL_FRUSTUM3, &def, &why), why.text);
    return s;
}

/* Tips at either end, and none. */
static tl_shape3 random_frustum(int round)
{
    const double a = round % 3 == 1 ? 0 : uniform(0.2, 1), b = round % 3 == 2 ? 0 : uniform(0.2, 1);
    return make_frustum(a, b, uniform(0.2, 1.5));
}

static double radius_of(const tl_shape3 *s, int end) { return tl_norm(tl_sub(s->point[2 + end], s->point[end])); }

/* x, y aside of the axis, at a share t of the length. */
static tl_vec3 point_of(const tl_shape3 *s, double x, double y, double t)
{
    tl_vec3 e, f;
    tl_tangents(s->normal, &e, &f);
    return tl_add(tl_add(s->point[0], tl_scale(t, tl_sub(s->point[1], s->point[0]))), tl_add(tl_scale(x, e), tl_scale(y, f)));
}

/* The least of a convex function of points of the frustum, by a search that closes in: aside and height, cut off at the side. */
static double least_over(const tl_shape3 *s, double (*f)(const void *, tl_vec3), const void *what)
{
    double at[3] = {0, 0, 0.5}, least = (double)INFINITY;
    for (double reach = 1.5; reach > 1e-10;) {
        const double middle[3] = {at[0], at[1], at[2]}, before = least;
        for (int i = 0; i < (reach > 1 ? 4000 : 80); i++) {
            const tl_vec3 d = random_direction();
            const double t = fmin(1, fmax(0, middle[2] + reach * d.z)), radius = (1 - t) * radius_of(s, 0) + t * radius_of(s, 1);
            const double x = middle[0] + reach * d.x, y = middle[1] + reach * d.y, in = fmin(1, radius / hypot(x, y));
            const double got = f(what, point_of(s, in * x, in * y, t));
            if (got < least) least = got, at[0] = in * x, at[1] = in * y, at[2] = t;
        }
        if (reach > 1) reach = 0.3;
        else if (!(least < before)) reach *= 0.7;
    }
    return least;
}

static double from_point(const void *x, tl_vec3 p) { return tl_norm(tl_sub(p, *(const tl_vec3 *)x)); }

typedef struct placed {
    const tl_shape3 *shape;
    tl_frame at, of_frustum;
} placed;

static double from_shape(const void *what, tl_vec3 p)
{
    const placed *to = what;
    return tl_shape3_distance(to->shape, tl_mat3_apply_t(&to->at.R, tl_sub(in_world(&to->of_frustum, p), to->at.p)), (double)INFINITY);
}

static double support_by_points(const tl_shape3 *s, tl_vec3 n)
{
    enum { AROUND = 2000 };
    double most = -(double)INFINITY;
    for (int i = 0; i < 2 * AROUND; i++) {
        const double angle = TL_PI * i / AROUND;
        for (int end = 0; end < 2; end++) most = fmax(most, tl_dot(n, point_of(s, radius_of(s, end) * cos(angle), radius_of(s, end) * sin(angle), end)));
    }
    return most;
}

TEST(mass_support_and_distance)
{
    enum { SLICES = 20000 };
    rnd = tl_random_seed(3);
    for (int round = 0; round < 40; round++) {
        tl_shape3 s = random_frustum(round);
        const tl_vec3 n = random_direction();
        const tl_volume3 v = tl_shape3_volume(&s);
        const double L = tl_norm(tl_sub(s.point[1], s.point[0]));
        double mass = 0, first = 0, axial = 0, across = 0;
        for (int i = 0; i < SLICES; i++) {
            const double t = (i + 0.5) / SLICES, r = (1 - t) * radius_of(&s, 0) + t * radius_of(&s, 1), m = TL_PI * r * r * L / SLICES;
            mass += m, first += m * t * L, axial += m * r * r / 2, across += m * (r * r / 4 + t * t * L * L);
        }
        const tl_vec3 to = tl_sub(v.centroid, s.point[0]), side = tl_cross(s.normal, random_direction()), u = tl_normalize(side);
        CHECK_CLOSE(v.volume, mass, 1e-8);
        CHECK_CLOSE(tl_dot(to, s.normal), first / mass, 1e-8);
        CHECK(tl_norm(tl_cross(to, s.normal)) < 1e-14);
        CHECK_CLOSE(tl_dot(s.normal, tl_mat3_apply(&v.inertia, s.normal)), axial, 1e-8);
        CHECK_CLOSE(tl_dot(u, tl_mat3_apply(&v.inertia, u)), across - first * first / mass, 1e-7);
        CHECK_NEAR(tl_dot(u, tl_mat3_apply(&v.inertia, s.normal)), 0, 1e-14);

        CHECK_NEAR(tl_dot(n, tl_shape3_support(&s, n)), support_by_points(&s, n), 1e-5);
        CHECK_NEAR(tl_shape3_distance(&s, tl_shape3_support(&s, n), 1), 0, 1e-14);
        const tl_frame at = random_frame(1);
        const tl_box3 box = tl_shape3_box(&s, &at);
        const tl_vec3 low = tl_mat3_apply_t(&at.R, tl_v3(-1, 0, 0)), high = tl_mat3_apply_t(&at.R, tl_v3(0, 1, 0));
        CHECK_NEAR(box.low.x, at.p.x - support_by_points(&s, low), 1e-5);
        CHECK_NEAR(box.high.y, at.p.y + support_by_points(&s, high), 1e-5);

        const double aside = uniform(0, 2);
        const tl_vec3 x = tl_add(s.centre, tl_scale(aside, random_direction()));
        const double least = least_over(&s, from_point, &x), got = tl_shape3_distance(&s, x, (double)INFINITY);
        if (least > 1e-6) CHECK_NEAR(got, least, 1e-7);
        else { /* inside: the least way out, which lies in the half-plane of the axis and x */
            const tl_vec3 off = tl_sub(x, s.centre), aside_of = tl_normalize(tl_sub(off, tl_scale(tl_dot(off, s.normal), s.normal)));
            double way = (double)INFINITY;
            for (int i = 0; i <= 100000; i++) {
                const double angle = TL_PI * i / 100000;
                const tl_vec3 d = tl_add(tl_scale(cos(angle), s.normal), tl_scale(sin(angle), aside_of));
                way = fmin(way, tl_dot(d, tl_sub(tl_shape3_support(&s, d), x)));
            }
            CHECK_NEAR(got, -way, 1e-4);
        }
        double width = (double)INFINITY; /* over all angles to the axis */
        for (int i = 0; i <= 100000; i++) {
            const double angle = TL_PI / 2 * i / 100000;
            const tl_vec3 d = tl_add(tl_scale(cos(angle), s.normal), tl_scale(sin(angle), u)), b = tl_scale(-1, d);
            width = fmin(width, tl_dot(d, tl_sub(tl_shape3_support(&s, d), tl_shape3_support(&s, b))));
        }
        CHECK_CLOSE(tl_shape3_half_width(&s), width / 2, 1e-4);
        free_shape(&s);
    }
}

/* The facets are closed, face outwards and hold the volume. */
TEST(facets)
{
    rnd = tl_random_seed(4);
    for (int round = 0; round < 12; round++) {
        tl_shape3 s = random_frustum(round);
        tl_shape3_def d;
        int32_t size[64], corner[512];
        int corners;
        const int faces = tl_shape3_faces(&s, size, corner, &corners);
        double six = 0;
        tl_vec3 area = {0, 0, 0};
        tl_shape3_describe(&s, &d);
        for (int f = 0, at = 0; f < faces; at += size[f++])
            for (int k = 2; k < size[f]; k++) {
                tl_vec3 p[3];
                const int pick[3] = {corner[at], corner[at + k - 1], corner[at + k]};
                for (int i = 0; i < 3; i++) CHECK(pick[i] >= 4 && pick[i] < d.count);
                for (int i = 0; i < 3; i++) p[i] = tl_sub(tl_shape3_corner(&s, pick[i]), s.centre);
                const tl_vec3 out = tl_cross(tl_sub(p[1], p[0]), tl_sub(p[2], p[0]));
                CHECK(tl_dot(out, p[0]) > 0);
                area = tl_add(area, out);
                six += tl_dot(p[0], tl_cross(p[1], p[2]));
            }
        CHECK_CLOSE(six / 6, tl_shape3_volume(&s).volume, 1e-12);
        CHECK(tl_norm(area) < 1e-13);
        free_shape(&s);
    }
}

static double least_gap(const tl_shape3 *a, const tl_frame *fa, const tl_shape3 *b, const tl_frame *fb, tl_touch *t, int *count)
{
    tl_vec3 hint = {0, 0, 0};
    double least = (double)INFINITY;
    *count = tl_touch3_find((tl_placed3){a, fa}, (tl_placed3){b, fb}, 20, &hint, NULL, t);
    for (int i = 0; i < *count; i++) least = fmin(least, t[i].gap);
    return least;
}

static tl_shape3 random_partner(int round)
{
    const double size = uniform(0.2, 1);
    switch (round % 5) {
    case 0: return make_ball(size);
    case 1: return make_capsule(size, 0.1 + 0.2 * size);
    case 2: return random_frustum(round / 5);
    default: return random_polyhedron(round % 5 == 3 ? BOX : STONE, size);
    }
}

/* Apart from the others by what the least distance of its points from them is; the ends of each gap lie on both. */
TEST(distances)
{
    double worst = 0;
    rnd = tl_random_seed(7);
    for (int round = 0; round < 150; round++) {
        tl_shape3 s = random_frustum(round), b = random_partner(round);
        const tl_frame fa = random_frame(0.1);
        tl_frame fb = random_frame(5);
        tl_touch t[TL_TOUCHES3], back[TL_TOUCHES3];
        int n, m;
        const double apart = least_gap(&s, &fa, &b, &fb, t, &n);
        fb.p = tl_sub(fb.p, tl_scale(0.97 * apart, t[0].normal));
        const double gap = least_gap(&s, &fa, &b, &fb, t, &n);
        const placed to = {&b, fb, fa};
        CHECK(n >= 1);
        worst = fmax(worst, fabs(least_over(&s, from_shape, &to) - gap));
        CHECK_NEAR(least_gap(&b, &fb, &s, &fa, back, &m), gap, 1e-10);
        for (int i = 0; i < n; i++) {
            const tl_vec3 half = tl_scale(0.5 * t[i].gap, t[i].normal);
            CHECK(tl_shape3_distance(&s, tl_mat3_apply_t(&fa.R, tl_sub(tl_sub(t[i].point, half), fa.p)), 1) < 1e-9);
            CHECK(tl_shape3_distance(&b, tl_mat3_apply_t(&fb.R, tl_sub(tl_add(t[i].point, half), fb.p)), 1) < 1e-9);
        }
        free_shape(&s), free_shape(&b);
    }
    printf("distances: %.3g from the search\n", worst);
    CHECK(worst < 1e-7); /* of the search */
}

/* Into each other: what is found parts the two, and no direction of many parts them sooner by much. */
TEST(into_each_other)
{
    double worst = 0;
    rnd = tl_random_seed(21);
    for (int round = 0; round < 200; round++) {
        tl_shape3 s = random_frustum(round), b = round % 2 ? random_frustum(round / 2) : random_polyhedron(STONE, 0.8);
        const tl_frame fa = random_frame(0.1), fb = random_frame(uniform(0, 0.5));
        tl_touch t[TL_TOUCHES3];
        int count;
        double best = -(double)INFINITY;
        const double gap = least_gap(&s, &fa, &b, &fb, t, &count);
        for (int i = 0; i <= 4000; i++) {
            const tl_vec3 d = i == 4000 ? t[0].normal : random_direction();
            const tl_vec3 own = tl_mat3_apply_t(&fa.R, d), other = tl_mat3_apply_t(&fb.R, tl_scale(-1, d));
            const double way = tl_dot(d, tl_sub(in_world(&fb, tl_shape3_support(&b, other)), in_world(&fa, tl_shape3_support(&s, own))));
            if (i == 4000) CHECK_NEAR(gap, way, 1e-8);
            best = fmax(best, way);
        }
        if (best < 0) worst = fmax(worst, (best - gap) / (s.reach + b.reach));
        free_shape(&s), free_shape(&b);
    }
    printf("into each other: %.3g of the size beside the best\n", worst);
    CHECK(worst < 1e-3);
}

/* With equal ends it is a cylinder. */
TEST(as_a_cylinder)
{
    rnd = tl_random_seed(5);
    for (int round = 0; round < 200; round++) {
        const double r = uniform(0.2, 1);
        tl_shape3 s = make_frustum(r, r, uniform(0.2, 1)), cylinder, b = random_partner(round);
        tl_error why;
        CHECK_OK(tl_shape3_cylinder(&cylinder, tl_memory_default(), s.point, r, 0, &why), why.text);
        const tl_frame fa = random_frame(0.1);
        tl_frame fb = random_frame(4);
        tl_touch t[TL_TOUCHES3], u[TL_TOUCHES3];
        int n, m;
        const double apart = least_gap(&cylinder, &fa, &b, &fb, t, &n);
        fb.p = tl_sub(fb.p, tl_scale(apart + uniform(-0.05, 0.1), t[0].normal)); /* near, or in */
        const double gap = least_gap(&cylinder, &fa, &b, &fb, t, &n), got = least_gap(&s, &fa, &b, &fb, u, &m);
        CHECK_NEAR(got, gap, 1e-9);
        CHECK(n == m);
        free_shape(&s), free_shape(&cylinder), free_shape(&b);
    }
}

/* On its base six points or more, on its side two, on its tip one; the lowest is as low as the support says. */
TEST(half_spaces)
{
    rnd = tl_random_seed(9);
    for (int round = 0; round < 300; round++) {
        tl_shape3 s = random_frustum(round), plane;
        tl_error why;
        CHECK_OK(tl_shape3_half_space(&plane, tl_v3(0, 0, 0), tl_v3(0, 0, 1), &why), why.text);
        tl_frame ground = {{0, 0, 0}, tl_mat3_identity()}, at = random_frame(1);
        const int lies = round / 3 % 3; /* anyhow, on an end, on its side */
        if (lies > 0) {
            const double slope = atan2(radius_of(&s, 0) - radius_of(&s, 1), tl_norm(tl_sub(s.point[1], s.point[0])));
            const tl_vec3 axis = tl_mat3_apply(&at.R, s.normal), down = tl_v3(0, 0, -1), across = tl_normalize(tl_cross(axis, down));
            const double wanted = lies == 1 ? (radius_of(&s, 0) > 0 ? TL_PI : 0) : TL_PI / 2 - slope; /* of the axis to what is down */
            const tl_mat3 turn = tl_mat3_rotation(across, acos(tl_dot(axis, down)) - wanted);
            at.R = tl_mat3_mul(&turn, &at.R);
        }
        tl_touch t[TL_TOUCHES3];
        int n, least = 0;
        double gap = (double)INFINITY;
        const tl_vec3 own = tl_mat3_apply_t(&at.R, tl_v3(0, 0, -1));
        at.p.z = 0.01 - tl_mat3_apply(&at.R, tl_shape3_support(&s, own)).z;
        tl_vec3 hint = {0, 0, 0};
        n = tl_touch3_find((tl_placed3){&plane, &ground}, (tl_placed3){&s, &at}, 0.02, &hint, NULL, t);
        for (int i = 0; i < n; i++) gap = fmin(gap, t[i].gap), least += t[i].gap < 0.01 + 1e-9;
        CHECK_NEAR(gap, 0.01, 1e-14);
        if (lies == 1) CHECK(least >= 3);
        if (lies == 2) CHECK(least == 2);
        free_shape(&s);
    }
}

/* The skin of a polyhedron as a mesh, which is met where the polyhedron is. */
TEST(meshes)
{
    int counted = 0;
    rnd = tl_random_seed(51);
    for (int round = 0; round < 400; round++) {
        tl_shape3 s = random_frustum(round), b = random_polyhedron(round % 2 ? BOX : STONE, uniform(0.4, 1)), mesh;
        int32_t triangle[6 * TL_HULL_POINTS][3];
        int count = 0;
        tl_error why;
        for (int f = 0; f < b.faces; f++)
            for (int k = b.face_begin[f] + 1; k + 1 < b.face_begin[f + 1]; k++, count++)
                triangle[count][0] = b.corner[b.face_begin[f]], triangle[count][1] = b.corner[k], triangle[count][2] = b.corner[k + 1];
        CHECK_OK(tl_shape3_mesh(&mesh, tl_memory_default(), &(tl_triangles3){b.point, b.points, (const int32_t(*)[3])triangle, count}, &why), why.text);
        const tl_frame fb = random_frame(1);
        tl_frame fa = random_frame(5);
        tl_touch t[TL_MESH_TOUCHES3];
        int n;
        const double apart = least_gap(&b, &fb, &s, &fa, t, &n);
        fa.p = tl_sub(fa.p, tl_scale(apart - uniform(0.001, 0.1), t[0].normal));
        const double gap = least_gap(&b, &fb, &s, &fa, t, &n), got = least_gap(&mesh, &fb, &s, &fa, t, &n);
        CHECK_NEAR(got, gap, 1e-9);
        counted += gap > 0;
        free_shape(&s), free_shape(&b), free_shape(&mesh);
    }
    CHECK(counted > 350);
}

TEST(what_is_none)
{
    const tl_vec3 good[4] = {{0, 0, 0}, {0, 0, 1}, {0.5, 0, 0}, {0, 0.2, 1}};
    const struct {
        int which;
        tl_vec3 point;
        const char *text;
    } wrong[] = {
        {1, {0, 0, 0}, "coincide"},
        {2, {0.5, 0, 0.1}, "at end 1"},
        {3, {0, 0.2, 0.9}, "at end 2"},
        {0, {(double)NAN, 0, 0}, "not a number"},
    };
    tl_shape3 s;
    tl_error why;
    for (int i = 0; i < 4; i++) {
        tl_vec3 point[4];
        memcpy(point, good, sizeof point);
        point[wrong[i].which] = wrong[i].point;
        const tl_shape3_def def = {.point = point, .count = 4};
        const bool failed = tl_shape3_make(&s, tl_memory_default(), TL_FRUSTUM3, &def, &why) == TALUS_INPUT;
        CHECK(failed);
        CHECK(strstr(why.text, wrong[i].text));
    }
    tl_vec3 line[4] = {{0, 0, 0}, {0, 0, 1}, {0, 0, 0}, {0, 0, 1}}, flat[4] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    CHECK(tl_shape3_make(&s, tl_memory_default(), TL_FRUSTUM3, &(tl_shape3_def){.point = line, .count = 4}, &why) == TALUS_INPUT);
    CHECK(strstr(why.text, "a radius at one end"));
    CHECK(tl_shape3_make(&s, tl_memory_default(), TL_FRUSTUM3, &(tl_shape3_def){.point = flat, .count = 4}, &why) == TALUS_INPUT);
    CHECK(strstr(why.text, "coincide"));
}

int main(int argc, char **argv)
{
    RUN(mass_support_and_distance);
    RUN(facets);
    RUN(distances);
    RUN(into_each_other);
    RUN(as_a_cylinder);
    RUN(half_spaces);
    RUN(meshes);
    RUN(what_is_none);
    return TEST_RESULT;
}
