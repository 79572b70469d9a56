/* Ellipsoids against closed forms, balls and brute force. */
#include "random3.h"

enum { ROUNDS = 200 };

static tl_frame random_frame(double far)
{
    const tl_vec3 p = tl_scale(far, random_direction());
    return (tl_frame){p, random_rotation()};
}

static tl_shape3 make_ellipsoid(double a, double b, double c)
{
    tl_shape3 s;
    tl_error why;
    const tl_mat3 R = random_rotation();
    const tl_vec3 centre = tl_scale(0.2, random_direction());
    const double radii[3] = {a, b, c};
    tl_vec3 point[4] = {centre};
    for (int k = 0; k < 3; k++) point[1 + k] = tl_add(centre, tl_scale(radii[k], tl_v3(R.m[0][k], R.m[1][k], R.m[2][k])));
    const tl_shape3_def def = {.point = point, .count = 4};
    CHECK_OK(tl_shape3_make(&s, tl_memory_default(), TL_ELLIPSOID3, &def, &why), why.text);
    return s;
}

static tl_shape3 random_ellipsoid(void)
{
    const double a = uniform(0.3, 1), b = uniform(0.3, 1);
    return make_ellipsoid(a, b, uniform(0.3, 1));
}

/* A point of the surface: u + v + w of the half axes on the unit ball. */
static tl_vec3 surface_point(const tl_shape3 *s, tl_vec3 on_ball)
{
    const double x[3] = {on_ball.x, on_ball.y, on_ball.z};
    tl_vec3 p = s->point[0];
    for (int k = 0; k < 3; k++) p = tl_add(p, tl_scale(x[k], tl_sub(s->point[1 + k], s->point[0])));
    return p;
}

/* Least of what a function of the surface of b gives, by a search over the ball that closes in. */
static double least_over(const tl_shape3 *s, const tl_frame *at, const tl_shape3 *to, const tl_frame *to_at)
{
    tl_vec3 best = {0, 0, 1};
    double least = (double)INFINITY;
    for (double reach = 3; reach > 1e-10; reach *= least < (double)INFINITY && reach == 3 ? 0.1 : 0.85) {
        const tl_vec3 middle = best;
        for (int i = 0; i < (reach == 3 ? 3000 : 24); i++) {
            const tl_vec3 n = tl_normalize(tl_add(middle, tl_scale(reach, random_direction())));
            const tl_vec3 x = in_world(at, surface_point(s, n));
            const double d = tl_shape3_distance(to, tl_mat3_apply_t(&to_at->R, tl_sub(x, to_at->p)), (double)INFINITY);
            if (d < least) least = d, best = n;
        }
    }
    return least;
}

static double least_gap(const tl_shape3 *a, const tl_frame *fa, const tl_shape3 *b, const tl_frame *fb, tl_touch *t, int *count)
{
    tl_vec3 hint = {0, 0, 0};
    double least = (double)INFINITY;
    *count = tl_touch3_find((tl_placed3){a, fa}, (tl_placed3){b, fb}, 10, &hint, NULL, t);
    for (int i = 0; i < *count; i++) least = fmin(least, t[i].gap);
    return least;
}

TEST(mass_support_and_distance)
{
    rnd = tl_random_seed(3);
    for (int round = 0; round < 50; round++) {
        tl_shape3 s = random_ellipsoid();
        tl_vec3 u[3], far = random_direction();
        double a[3], most = -(double)INFINITY;
        for (int k = 0; k < 3; k++) u[k] = tl_sub(s.point[1 + k], s.point[0]), a[k] = tl_norm(u[k]);
        const tl_volume3 v = tl_shape3_volume(&s);
        CHECK_CLOSE(v.volume, 4.0 / 3 * TL_PI * a[0] * a[1] * a[2], 1e-14);
        for (int k = 0; k < 3; k++) { /* J about a half axis: m (b² + c²) / 5 */
            const tl_vec3 n = tl_normalize(u[k]);
            const double b = a[(k + 1) % 3], c = a[(k + 2) % 3];
            CHECK_CLOSE(tl_dot(n, tl_mat3_apply(&v.inertia, n)), v.volume * (b * b + c * c) / 5, 1e-13);
        }
        const double aside = uniform(0, 2);
        const tl_vec3 x = tl_add(s.centre, tl_scale(aside, random_direction()));
        double nearest = (double)INFINITY;
        tl_vec3 best = {0, 0, 1};
        for (double reach = 3; reach > 1e-9; reach *= reach == 3 ? 0.2 : 0.85) {
            const tl_vec3 middle = best;
            for (int i = 0; i < (reach == 3 ? 4000 : 24); i++) {
                const tl_vec3 on = tl_normalize(tl_add(middle, tl_scale(reach, random_direction()))), p = surface_point(&s, on);
                most = fmax(most, tl_dot(far, p));
                if (tl_norm(tl_sub(p, x)) < nearest) nearest = tl_norm(tl_sub(p, x)), best = on;
            }
        }
        CHECK_NEAR(fabs(tl_shape3_distance(&s, x, (double)INFINITY)), nearest, 1e-8);
        CHECK(tl_dot(far, tl_shape3_support(&s, far)) >= most - 1e-14);
        CHECK(tl_dot(far, tl_shape3_support(&s, far)) <= most + 5e-3);
        CHECK_NEAR(tl_shape3_distance(&s, tl_shape3_support(&s, far), 1), 0, 1e-14);
        int32_t size[512], corner[2048];
        int corners;
        const int faces = tl_shape3_faces(&s, size, corner, &corners);
        double six = 0;
        for (int f = 0, at = 0; f < faces; at += size[f++])
            for (int k = 2; k < size[f]; k++) {
                const tl_vec3 p = tl_sub(tl_shape3_corner(&s, corner[at]), s.centre), q = tl_sub(tl_shape3_corner(&s, corner[at + k - 1]), s.centre);
                six += tl_dot(p, tl_cross(q, tl_sub(tl_shape3_corner(&s, corner[at + k]), s.centre)));
            }
        CHECK_CLOSE(six / 6, v.volume, 1e-12); /* the facets are closed, face outwards and hold the volume */
        free_shape(&s);
    }
}

/* One with equal half axes is a ball, which has pair functions of its own. */
TEST(as_a_ball)
{
    double worst = 0;
    rnd = tl_random_seed(5);
    for (int round = 0; round < ROUNDS; round++) {
        const double r = uniform(0.2, 1);
        tl_shape3 e = make_ellipsoid(r, r, r), ball = make_hull(&e.centre, 1, r), b;
        const double half = uniform(0.2, 1);
        switch (round % 3) {
        case 0: b = make_ball(uniform(0.2, 1)); break;
        case 1: b = make_capsule(half, 0.1 + 0.2 * half); break;
        default: b = random_polyhedron(round % 2 ? BOX : STONE, uniform(0.4, 1)); break;
        }
        const tl_frame fa = random_frame(0.1);
        tl_frame fb = random_frame(3);
        tl_touch t[TL_TOUCHES3], u[TL_TOUCHES3];
        int n, m;
        const double apart = least_gap(&ball, &fa, &b, &fb, t, &n);
        fb.p = tl_sub(fb.p, tl_scale(apart + uniform(-0.05, 0.1), t[0].normal)); /* near, or in */
        const double gap = least_gap(&ball, &fa, &b, &fb, t, &n), got = least_gap(&e, &fa, &b, &fb, u, &m);
        CHECK(n == 1 && m == 1);
        worst = fmax(worst, fabs(got - gap));
        /* where Newton's method does not find its way the direction is known to the root of what the gap is known to */
        CHECK_NEAR(tl_norm(tl_sub(t[0].normal, u[0].normal)), 0, 1e-6);
        CHECK_NEAR(tl_norm(tl_sub(t[0].point, u[0].point)), 0, 1e-6);
        free_shape(&e), free_shape(&ball), free_shape(&b);
    }
    CHECK(worst < 1e-12);
}

/* Apart from the others by what the least distance of points of its surface is. */
TEST(distances)
{
    double worst = 0;
    rnd = tl_random_seed(7);
    for (int round = 0; round < 80; round++) {
        tl_shape3 e = random_ellipsoid(), b;
        const double half = uniform(0.2, 1);
        switch (round % 5) {
        case 0: b = make_ball(uniform(0.2, 1)); break;
        case 1: b = make_capsule(half, 0.1 + 0.2 * half); break;
        case 2: b = random_ellipsoid(); break;
        default: b = random_polyhedron(round % 2 ? BOX : STONE, uniform(0.4, 1)); break;
        }
        const tl_frame fa = random_frame(0.1);
        tl_frame fb = random_frame(4);
        tl_touch t[TL_TOUCHES3], back[TL_TOUCHES3];
        int n, m;
        const double apart = least_gap(&e, &fa, &b, &fb, t, &n);
        fb.p = tl_sub(fb.p, tl_scale(0.98 * apart, t[0].normal));
        const double gap = least_gap(&e, &fa, &b, &fb, t, &n);
        CHECK(n >= 1);
        worst = fmax(worst, fabs(least_over(&e, &fa, &b, &fb) - gap));
        CHECK_NEAR(least_gap(&b, &fb, &e, &fa, back, &m), gap, 1e-12);
        CHECK(m == n);
        free_shape(&e), free_shape(&b);
    }
    CHECK(worst < 1e-8); /* of the search */
}

TEST(half_spaces)
{
    rnd = tl_random_seed(9);
    for (int round = 0; round < ROUNDS; round++) {
        tl_shape3 e = random_ellipsoid(), plane;
        tl_error why;
        CHECK_OK(tl_shape3_half_space(&plane, tl_v3(0, 0, 0), tl_v3(0, 0, 1), &why), why.text);
        const tl_frame ground = {{0, 0, 0}, tl_mat3_identity()}, at = random_frame(1);
        double square = 0; /* the centre stands √Σ (u·n)² over the lowest point */
        for (int k = 0; k < 3; k++) {
            const double up = tl_mat3_apply(&at.R, tl_sub(e.point[1 + k], e.point[0])).z;
            square += up * up;
        }
        tl_touch t[TL_TOUCHES3];
        int n;
        CHECK_NEAR(least_gap(&plane, &ground, &e, &at, t, &n), in_world(&at, e.centre).z - sqrt(square), 1e-14);
        CHECK(n == 1 && t[0].normal.z == 1);
        free_shape(&e);
    }
}

int main(int argc, char **argv)
{
    RUN(mass_support_and_distance);
    RUN(as_a_ball);
    RUN(distances);
    RUN(half_spaces);
    return TEST_RESULT;
}
