/* Spatial shapes against closed forms, and random hulls against what must hold of any. */
#include "shape/hull3.h"
#include "shape/shape3.h"
#include "test.h"

static tl_error error;

static tl_memory heap(void) { return tl_memory_default(); }

static double between(tl_random *r, double low, double high) { return tl_random_uniform(r, low, high); }

static tl_mat3 turn(tl_random *r)
{
    const tl_vec3 axis = tl_v3(between(r, -1, 1), between(r, -1, 1), between(r, -1, 1));
    return tl_mat3_rotation(tl_normalize(axis), between(r, 0, 6));
}

static double size_of(const tl_shape3 *s)
{
    double size = 0;
    for (int i = 0; i < s->points; i++) size = fmax(size, tl_norm(tl_sub(s->point[i], s->point[0])));
    return size;
}

/* Is it a closed convex polyhedron with `points` inside, to `tolerance` of its size? Rounding of coordinates counts on top. */
static void check_polyhedron(const tl_shape3 *s, const tl_vec3 *points, int count, double tolerance)
{
    const double size = size_of(s), slack = tolerance * size + 8 * 0x1p-53 * s->reach;
    static unsigned char seen[256][256];
    memset(seen, 0, sizeof seen);
    CHECK(s->points >= 4 && s->faces >= 4);
    CHECK(s->points - s->edges + s->faces == 2);
    CHECK(s->face_begin[0] == 0 && s->face_begin[s->faces] == 2 * s->edges);
    for (int f = 0; f < s->faces; f++) {
        const int begin = s->face_begin[f], n = s->face_begin[f + 1] - begin;
        CHECK(n >= 3);
        CHECK_NEAR(tl_norm(s->plane[f].n), 1, 1e-15);
        for (int i = 0; i < n; i++) {
            const int a = s->corner[begin + i], b = s->corner[begin + (i + 1) % n];
            CHECK(a < s->points && b < s->points && a != b);
            CHECK(seen[a][b]++ == 0);
            CHECK_NEAR(tl_dot(s->plane[f].n, s->point[a]), s->plane[f].offset, slack);
        }
        for (int i = 0; i < count; i++) CHECK(tl_dot(s->plane[f].n, points[i]) - s->plane[f].offset <= slack);
        if (f) CHECK(s->corner[s->face_begin[f - 1]] <= s->corner[begin]);
    }
    for (int e = 0; e < s->edges; e++) {
        const tl_edge3 x = s->edge[e];
        CHECK(x.from < x.to && seen[x.from][x.to] == 1 && seen[x.to][x.from] == 1);
        CHECK(x.left < s->faces && x.right < s->faces && x.left != x.right);
        bool left = false, right = false;
        for (int k = 0, n = s->face_begin[x.left + 1] - s->face_begin[x.left]; k < n; k++) {
            const uint8_t *c = s->corner + s->face_begin[x.left];
            left |= c[k] == x.from && c[(k + 1) % n] == x.to;
        }
        for (int k = 0, n = s->face_begin[x.right + 1] - s->face_begin[x.right]; k < n; k++) {
            const uint8_t *c = s->corner + s->face_begin[x.right];
            right |= c[k] == x.to && c[(k + 1) % n] == x.from;
        }
        CHECK(left && right);
        if (e) CHECK(s->edge[e - 1].from < x.from || (s->edge[e - 1].from == x.from && s->edge[e - 1].to < x.to));
    }
}

static tl_shape3 hull(const tl_vec3 *points, int count)
{
    tl_shape3 s;
    CHECK_OK(tl_shape3_hull(&s, heap(), points, count, 0, &error), error.text);
    return s;
}

static int box_points(tl_vec3 *p, double a, double b, double c)
{
    for (int i = 0; i < 8; i++) p[i] = tl_v3(i & 1 ? a : 0, i & 2 ? b : 0, i & 4 ? c : 0);
    return 8;
}

/* ---- an integration of another kind: ∫ f dV as the flux of its primitive along z, over triangles, by a rule exact to degree 3 ---- */

typedef struct moments {
    double volume, first[3], second[3][3];
} moments;

static void add_prism(moments *m, const tl_vec3 t[3])
{
    static const double RULE[4][4] = {
        {1.0 / 3, 1.0 / 3, 1.0 / 3, -27.0 / 48}, {0.6, 0.2, 0.2, 25.0 / 48}, {0.2, 0.6, 0.2, 25.0 / 48}, {0.2, 0.2, 0.6, 25.0 / 48}};
    const double area = 0.5 * tl_cross(tl_sub(t[1], t[0]), tl_sub(t[2], t[0])).z; /* of its shadow, signed */
    for (int k = 0; k < 4; k++) {
        const double *w = RULE[k], a = area * w[3];
        const double x = w[0] * t[0].x + w[1] * t[1].x + w[2] * t[2].x, y = w[0] * t[0].y + w[1] * t[1].y + w[2] * t[2].y;
        const double z = w[0] * t[0].z + w[1] * t[1].z + w[2] * t[2].z;
        m->volume += a * z;
        m->first[0] += a * x * z, m->first[1] += a * y * z, m->first[2] += a * z * z / 2;
        m->second[0][0] += a * x * x * z, m->second[1][1] += a * y * y * z, m->second[2][2] += a * z * z * z / 3;
        m->second[0][1] += a * x * y * z, m->second[0][2] += a * x * z * z / 2, m->second[1][2] += a * y * z * z / 2;
    }
}

/* The volume, its centre and inertia to `tolerance` of their natural scale; about `from`, near the shape. */
static void check_mass(const tl_shape3 *s, tl_vec3 from, double tolerance)
{
    moments m = {0};
    const double size = size_of(s);
    for (int f = 0; f < s->faces; f++) {
        const uint8_t *c = s->corner + s->face_begin[f];
        for (int i = 1, n = s->face_begin[f + 1] - s->face_begin[f]; i + 1 < n; i++)
            add_prism(&m, (tl_vec3[]){tl_sub(s->point[c[0]], from), tl_sub(s->point[c[i]], from), tl_sub(s->point[c[i + 1]], from)});
    }
    const tl_volume3 v = tl_shape3_volume(s);
    const double cube = size * size * size, slack = tolerance * cube * size * size;
    CHECK_NEAR(v.volume, m.volume, tolerance * cube);
    const double c[3] = {v.centroid.x - from.x, v.centroid.y - from.y, v.centroid.z - from.z};
    double trace = 0;
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(v.volume * c[i], m.first[i], tolerance * cube * size);
        trace += m.second[i][i] - m.volume * c[i] * c[i];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double product = (i < j ? m.second[i][j] : m.second[j][i]) - m.volume * c[i] * c[j];
            CHECK_NEAR(v.inertia.m[i][j], (i == j ? trace : 0) - product, slack);
        }
}

/* ---- closed forms ---------------------------------------------------------------------------------------------------- */

TEST(cube)
{
    tl_vec3 p[8];
    box_points(p, 1, 2, 3);
    tl_shape3 s = hull(p, 8);
    check_polyhedron(&s, p, 8, 1e-15);
    CHECK(s.points == 8 && s.faces == 6 && s.edges == 12);
    const tl_volume3 v = tl_shape3_volume(&s);
    CHECK_NEAR(v.volume, 6, 1e-14);
    CHECK_NEAR(tl_norm(tl_sub(v.centroid, tl_v3(0.5, 1, 1.5))), 0, 1e-15);
    CHECK_NEAR(v.inertia.m[0][0], 6 * (4 + 9) / 12.0, 1e-14);
    CHECK_NEAR(v.inertia.m[1][1], 6 * (1 + 9) / 12.0, 1e-14);
    CHECK_NEAR(v.inertia.m[2][2], 6 * (1 + 4) / 12.0, 1e-14);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) CHECK_NEAR(v.inertia.m[i][j], 0, 1e-14);
    CHECK_NEAR(s.reach, sqrt(14), 1e-15);
    tl_shape3_free(&s, heap());
}

/* A body of uniform inertia: volume, and moment of inertia about any axis through the middle, after any rotation and far or small. */
static void check_regular(const tl_vec3 *given, int n, int faces, int edges, double volume, double moment)
{
    tl_random r = tl_random_seed(3);
    for (int k = 0; k < 40; k++) {
        tl_vec3 p[255];
        const tl_mat3 R = turn(&r);
        const double scale = pow(10, k % 13 - 6), cube = scale * scale * scale;
        const tl_vec3 at = tl_scale(k % 2 ? 10 * scale : 0, tl_v3(between(&r, -1, 1), between(&r, -1, 1), between(&r, -1, 1)));
        for (int i = 0; i < n; i++) p[i] = tl_add(at, tl_scale(scale, tl_mat3_apply(&R, given[i])));
        tl_shape3 s = hull(p, n);
        check_polyhedron(&s, p, n, 1e-14);
        CHECK(s.points == n && s.faces == faces && s.edges == edges);
        const tl_volume3 v = tl_shape3_volume(&s);
        CHECK_NEAR(v.volume, cube * volume, 1e-12 * cube * volume); /* 2e-15 of a coordinate at ten sizes, over the hundred corners of tetrahedra */
        CHECK_NEAR(tl_norm(tl_sub(v.centroid, at)), 0, 1e-13 * scale);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) CHECK_NEAR(v.inertia.m[i][j], i == j ? cube * scale * scale * moment : 0, 1e-12 * cube * scale * scale * moment);
        tl_shape3_free(&s, heap());
    }
}

TEST(regular_solids)
{
    const double g = (1 + sqrt(5)) / 2;
    static const tl_vec3 TETRAHEDRON[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    static const tl_vec3 OCTAHEDRON[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    tl_vec3 p[20];
    const double a = sqrt(8), b = sqrt(2); /* edges; moments: a² / 20, a² / 10, a² / 6 of the mass */
    check_regular(TETRAHEDRON, 4, 4, 6, a * a * a / sqrt(72), a * a * a / sqrt(72) * a * a / 20);
    check_regular(OCTAHEDRON, 6, 8, 12, b * b * b * sqrt(2) / 3, b * b * b * sqrt(2) / 3 * b * b / 10);
    for (int i = 0; i < 8; i++) p[i] = tl_v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    check_regular(p, 8, 6, 12, 8, 8 * 4.0 / 6);
    for (int i = 0; i < 12; i++) { /* icosahedron, edge 2: moment φ² a² / 10 */
        const double u = i & 1 ? 1 : -1, v = i & 2 ? g : -g;
        p[i] = i < 4 ? tl_v3(0, u, v) : i < 8 ? tl_v3(u, v, 0) : tl_v3(v, 0, u);
    }
    const double ico = 8 * 5.0 / 12 * (3 + sqrt(5));
    check_regular(p, 12, 20, 30, ico, ico * 4 * g * g / 10);
    for (int i = 0; i < 8; i++) p[i] = tl_v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    for (int i = 0; i < 12; i++) { /* dodecahedron, edge 2/φ: moment (95 + 39 √5) / 300 a² */
        const double u = i & 1 ? g : -g, v = i & 2 ? 1 / g : -1 / g;
        p[8 + i] = i < 4 ? tl_v3(0, v, u) : i < 8 ? tl_v3(v, u, 0) : tl_v3(u, 0, v);
    }
    const double e = 2 / g, dodeca = e * e * e * (15 + 7 * sqrt(5)) / 4;
    check_regular(p, 20, 12, 30, dodeca, dodeca * (95 + 39 * sqrt(5)) / 300 * e * e);
}

/* A regular prism of n sides: its ends are one face each. */
TEST(prisms)
{
    tl_random r = tl_random_seed(5);
    for (int n = 3; n <= 127; n += n < 12 ? 1 : 23) {
        tl_vec3 p[254];
        const tl_mat3 R = turn(&r);
        const double height = between(&r, 0.01, 10), area = n / 2.0 * sin(2 * TL_PI / n);
        for (int i = 0; i < 2 * n; i++) p[i] = tl_mat3_apply(&R, tl_v3(cos(2 * TL_PI * (i / 2) / n), sin(2 * TL_PI * (i / 2) / n), i & 1 ? height : 0));
        tl_shape3 s = hull(p, 2 * n);
        check_polyhedron(&s, p, 2 * n, 1e-14);
        CHECK(s.points == 2 * n && s.faces == n + 2 && s.edges == 3 * n);
        const tl_volume3 v = tl_shape3_volume(&s);
        const double axial = area * height * (2 + cos(2 * TL_PI / n)) / 6, across = axial / 2 + area * height * height * height / 12;
        const tl_vec3 u = tl_v3(R.m[0][2], R.m[1][2], R.m[2][2]), w = tl_v3(R.m[0][0], R.m[1][0], R.m[2][0]);
        CHECK_CLOSE(v.volume, area * height, 1e-12);
        CHECK_NEAR(tl_norm(tl_sub(v.centroid, tl_scale(height / 2, u))), 0, 1e-13);
        CHECK_CLOSE(tl_dot(u, tl_mat3_apply(&v.inertia, u)), axial, 1e-11);
        CHECK_CLOSE(tl_dot(w, tl_mat3_apply(&v.inertia, w)), across, 1e-11);
        tl_shape3_free(&s, heap());
    }
}

TEST(sphere_and_capsule)
{
    const double r = 0.3, length = 0.7, ball = 4.0 / 3 * TL_PI * r * r * r, rod = TL_PI * r * r * length;
    const tl_vec3 u = tl_normalize(tl_v3(1, -2, 0.5)), ends[2] = {{0.1, 0.2, 0.3}, tl_add(tl_v3(0.1, 0.2, 0.3), tl_scale(length, u))};
    const tl_frame at = {tl_v3(1, 2, 3), tl_mat3_rotation(tl_v3(0, 0, 1), TL_PI / 2)};
    tl_shape3 s;
    CHECK_OK(tl_shape3_hull(&s, heap(), ends, 1, r, &error), error.text);
    tl_volume3 v = tl_shape3_volume(&s);
    CHECK(s.points == 1 && s.faces == 0 && s.edges == 0);
    CHECK_CLOSE(v.volume, ball, 1e-14);
    CHECK_NEAR(s.reach, sqrt(0.14) + r, 1e-15);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) CHECK_NEAR(v.inertia.m[i][j], i == j ? 0.4 * ball * r * r : 0, 1e-15);
    const tl_box3 box = tl_shape3_box(&s, &at);
    CHECK_NEAR(box.low.x, 1 - 0.2 - r, 1e-15);
    CHECK_NEAR(box.high.y, 2 + 0.1 + r, 1e-15);
    CHECK_NEAR(box.high.z, 3.3 + r, 1e-15);
    tl_shape3_free(&s, heap());
    CHECK_OK(tl_shape3_hull(&s, heap(), ends, 2, r, &error), error.text);
    v = tl_shape3_volume(&s);
    const tl_vec3 t = tl_normalize(tl_cross(u, tl_v3(0, 0, 1)));
    CHECK_CLOSE(v.volume, ball + rod, 1e-14);
    CHECK_NEAR(tl_norm(tl_sub(v.centroid, tl_add(ends[0], tl_scale(length / 2, u)))), 0, 1e-15);
    CHECK_CLOSE(tl_dot(u, tl_mat3_apply(&v.inertia, u)), 0.4 * ball * r * r + 0.5 * rod * r * r, 1e-13);
    /* two half-balls: 83/320 m r² about their own centres, which are 3/8 r beyond the rod's ends */
    const double off = length / 2 + 3.0 / 8 * r;
    CHECK_CLOSE(tl_dot(t, tl_mat3_apply(&v.inertia, t)), ball * (83.0 / 320 * r * r + off * off) + rod * (r * r / 4 + length * length / 12), 1e-13);
    CHECK_NEAR(tl_dot(t, tl_mat3_apply(&v.inertia, u)), 0, 1e-15);
    CHECK(tl_norm(tl_sub(tl_shape3_support(&s, u), s.point[1])) == 0 && tl_norm(tl_sub(tl_shape3_support(&s, tl_scale(-1, u)), s.point[0])) == 0);
    CHECK(tl_norm(tl_sub(tl_shape3_support(&s, tl_v3(0, 0, 0)), s.point[0])) == 0); /* the first of several */
    tl_shape3_free(&s, heap());
}

/* Mass and moments against sums over thin slices across, each a disk, about axes along and across. */
TEST(round_cylinder)
{
    enum { SLICES = 200000 };
    const double radius = 0.4, rounding = 0.11, lengths[2] = {0.22, 0.7}; /* a coin, whose rim is a torus; a drum */
    for (int k = 0; k < 2; k++) {
        const tl_vec3 u = tl_normalize(tl_v3(1, -2, 0.5)), from = {0.1, 0.2, 0.3}, ends[2] = {from, tl_add(from, tl_scale(lengths[k], u))};
        const double half = 0.5 * lengths[k] - rounding, dz = lengths[k] / SLICES;
        double volume = 0, axial = 0, across = 0;
        tl_shape3 s;
        CHECK_OK(tl_shape3_cylinder(&s, heap(), ends, radius, rounding, &error), error.text);
        for (int i = 0; i < SLICES; i++) {
            const double z = -0.5 * lengths[k] + (i + 0.5) * dz, beyond = fmax(0, fabs(z) - half);
            const double r = radius - rounding + sqrt(rounding * rounding - beyond * beyond), area = TL_PI * r * r;
            volume += area * dz, axial += area * r * r / 2 * dz, across += area * (r * r / 4 + z * z) * dz;
        }
        const tl_volume3 v = tl_shape3_volume(&s);
        const tl_vec3 t = tl_normalize(tl_cross(u, tl_v3(0, 0, 1)));
        CHECK_CLOSE(v.volume, volume, 1e-8);
        CHECK_CLOSE(tl_dot(u, tl_mat3_apply(&v.inertia, u)), axial, 1e-8);
        CHECK_CLOSE(tl_dot(t, tl_mat3_apply(&v.inertia, t)), across, 1e-8);
        CHECK_NEAR(tl_dot(t, tl_mat3_apply(&v.inertia, u)), 0, 1e-15);
        CHECK_NEAR(tl_norm(tl_sub(v.centroid, tl_add(from, tl_scale(lengths[k] / 2, u)))), 0, 1e-15);
        CHECK_NEAR(tl_shape3_half_width(&s), fmin(radius, lengths[k] / 2), 1e-15);
        /* box and reach against points all over the surface of the core */
        const tl_frame at = {tl_v3(1, 2, 3), tl_mat3_rotation(tl_normalize(tl_v3(1, 2, 3)), 1.1)};
        const tl_box3 box = tl_shape3_box(&s, &at);
        const tl_vec3 w = tl_cross(u, t);
        double high[3] = {-9, -9, -9}, low[3] = {9, 9, 9}, reach = 0;
        for (int i = 0; i < 20000; i++) {
            const double angle = 2 * TL_PI * (i / 2) / 10000;
            const tl_vec3 arm = tl_scale(radius - rounding, tl_add(tl_scale(cos(angle), t), tl_scale(sin(angle), w)));
            const tl_vec3 x = tl_add(tl_add(s.centre, tl_scale(i % 2 ? half : -half, u)), arm), y = tl_add(tl_mat3_apply(&at.R, x), at.p);
            const double c[3] = {y.x, y.y, y.z};
            for (int j = 0; j < 3; j++) high[j] = fmax(high[j], c[j] + rounding), low[j] = fmin(low[j], c[j] - rounding);
            reach = fmax(reach, tl_norm(x) + rounding);
        }
        CHECK_NEAR(box.high.x, high[0], 1e-7);
        CHECK_NEAR(box.high.y, high[1], 1e-7);
        CHECK_NEAR(box.low.z, low[2], 1e-7);
        CHECK_NEAR(s.reach, reach, 1e-7);
        tl_shape3_free(&s, heap());
    }
    const tl_vec3 two[2] = {{0, 0, 0}, {0, 0, 1}};
    tl_shape3 s; /* nothing but rounding: a capsule */
    CHECK_OK(tl_shape3_cylinder(&s, heap(), two, 0.2, 0.2, &error), error.text);
    CHECK(s.rim == 0 && s.points == 2 && s.radius == 0.2);
    CHECK_NEAR(s.point[0].z, 0.2, 1e-15);
    tl_shape3_free(&s, heap());
    CHECK(tl_shape3_cylinder(&s, heap(), two, 0.2, 0.21, &error) == TALUS_INPUT && strstr(error.text, "rounding of a cylinder is 0.21 m"));
    CHECK(tl_shape3_cylinder(&s, heap(), two, 2, 0.6, &error) == TALUS_INPUT && strstr(error.text, "half its length, 0.5 m"));
    CHECK(tl_shape3_cylinder(&s, heap(), two, 0.2, -0.1, &error) == TALUS_INPUT && strstr(error.text, "must not be negative"));
    CHECK(tl_shape3_cylinder(&s, heap(), (tl_vec3[2]){{1, 2, 3}, {1, 2, 3}}, 0.2, 0.1, &error) == TALUS_INPUT && strstr(error.text, "coincide"));
}

TEST(half_space)
{
    tl_shape3 s;
    tl_frame at = {tl_v3(0, 0, 5), tl_mat3_identity()};
    CHECK_OK(tl_shape3_half_space(&s, tl_v3(0, 0, 1), tl_v3(0, 0, 7), &error), error.text);
    CHECK(s.normal.z == 1 && isinf(s.reach) && s.points == 0);
    tl_box3 box = tl_shape3_box(&s, &at);
    CHECK(isinf(box.low.z) && isinf(box.low.x) && isinf(box.high.x) && isinf(box.high.y) && box.high.z == 6);
    at.R = tl_mat3_rotation(tl_v3(1, 0, 0), 0.3);
    box = tl_shape3_box(&s, &at);
    CHECK(isinf(box.high.z) && isinf(box.high.y) && isinf(box.low.z));
    const tl_mat3 R = tl_mat3_rotation(tl_v3(1, 0, 0), TL_PI / 2); /* z of the body becomes … Rᵀ z = y */
    tl_shape3_move(&s, tl_v3(0, 0, -2), &R);
    CHECK_NEAR(s.normal.y, 1, 1e-15);
    CHECK_NEAR(s.centre.y, 3, 1e-15);
    CHECK(tl_shape3_volume(&s).volume == 0);
    tl_shape3_free(&s, heap());
}

/* ---- random hulls ---------------------------------------------------------------------------------------------------- */

/* Random points in a ball, in a box with extents down to a thousandth, and on a sphere. */
static void random_points(tl_random *r, int kind, tl_vec3 *p, int n)
{
    const tl_vec3 extent = tl_v3(1, pow(10, -between(r, 0, 3)), pow(10, -between(r, 0, 3)));
    for (int i = 0; i < n; i++) {
        do p[i] = tl_v3(between(r, -1, 1), between(r, -1, 1), between(r, -1, 1));
        while (tl_norm(p[i]) > 1 || tl_norm(p[i]) < 0.1);
        if (kind == 1) p[i] = tl_v3(p[i].x * extent.x, p[i].y * extent.y, p[i].z * extent.z);
        if (kind == 2) p[i] = tl_normalize(p[i]);
    }
}

TEST(random_hulls)
{
    tl_random r = tl_random_seed(7);
    for (int k = 0; k < 600; k++) {
        tl_vec3 p[255];
        const int n = 4 + tl_random_int(&r, k % 10 ? 40 : 252);
        random_points(&r, k % 3, p, n);
        tl_shape3 s = hull(p, n);
        check_polyhedron(&s, p, n, 1e-12);
        check_mass(&s, tl_v3(between(&r, -1, 1), between(&r, -1, 1), between(&r, -1, 1)), 1e-12);
        if (k % 3 == 2) CHECK(s.points == n);
        tl_shape3_free(&s, heap());
    }
}

TEST(moved)
{
    tl_random r = tl_random_seed(8);
    for (int k = 0; k < 100; k++) {
        tl_vec3 p[60];
        random_points(&r, k % 3, p, 60);
        tl_shape3 s = hull(p, 60);
        const tl_volume3 v = tl_shape3_volume(&s);
        const tl_mat3 R = turn(&r), Rt = tl_mat3_transpose(&R);
        const tl_vec3 offset = tl_v3(between(&r, -3, 3), between(&r, -3, 3), between(&r, -3, 3));
        for (int i = 0; i < 60; i++) p[i] = tl_mat3_apply_t(&R, tl_sub(p[i], offset));
        const tl_vec3 direction = p[0];
        const tl_vec3 far = tl_shape3_support(&s, tl_mat3_apply(&R, direction));
        tl_shape3_move(&s, offset, &R);
        CHECK_NEAR(tl_norm(tl_sub(tl_shape3_support(&s, direction), tl_mat3_apply_t(&R, tl_sub(far, offset)))), 0, 1e-14);
        check_polyhedron(&s, p, 60, 1e-12);
        const tl_volume3 w = tl_shape3_volume(&s);
        CHECK_CLOSE(w.volume, v.volume, 1e-11); /* extents down to 1e-3 · 1e-3: a coordinate's 1e-15 is 1e-12 of the thickness */
        CHECK_NEAR(tl_norm(tl_sub(w.centroid, tl_mat3_apply_t(&R, tl_sub(v.centroid, offset)))), 0, 1e-12);
        tl_mat3 expected = tl_mat3_mul(&Rt, &v.inertia);
        expected = tl_mat3_mul(&expected, &R);
        for (int i = 0; i < 9; i++) CHECK_NEAR((&w.inertia.m[0][0])[i], (&expected.m[0][0])[i], 1e-11 * v.volume);
        double reach = 0;
        const tl_frame at = {tl_v3(1, 2, 3), R};
        const tl_box3 box = tl_shape3_box(&s, &at);
        tl_vec3 low = tl_v3(1e9, 1e9, 1e9), high = tl_scale(-1, low);
        for (int i = 0; i < 60; i++) {
            const tl_vec3 q = tl_add(tl_mat3_apply(&R, p[i]), at.p);
            reach = fmax(reach, tl_norm(p[i]));
            low = tl_v3(fmin(low.x, q.x), fmin(low.y, q.y), fmin(low.z, q.z)), high = tl_v3(fmax(high.x, q.x), fmax(high.y, q.y), fmax(high.z, q.z));
        }
        CHECK_NEAR(s.reach, reach, 1e-14);
        CHECK_NEAR(tl_norm(tl_sub(box.low, low)) + tl_norm(tl_sub(box.high, high)), 0, 1e-13);
        tl_shape3_free(&s, heap());
    }
}

static bool same(const tl_shape3 *a, const tl_shape3 *b)
{
    return a->points == b->points && a->faces == b->faces && a->edges == b->edges && !memcmp(a->point, b->point, (size_t)a->points * sizeof *a->point) &&
           !memcmp(a->corner, b->corner, a->face_begin[a->faces]) && !memcmp(a->edge, b->edge, (size_t)a->edges * sizeof *a->edge) &&
           !memcmp(a->plane, b->plane, (size_t)a->faces * sizeof *a->plane) && !memcmp(&a->centre, &b->centre, sizeof a->centre);
}

/* Any order of the points, and points given twice, make the same bits. */
TEST(order)
{
    tl_random r = tl_random_seed(9);
    for (int k = 0; k < 200; k++) {
        tl_vec3 p[60];
        const int n = k % 4 ? 30 : box_points(p, 1, 1, 1), twice = 2 * n;
        if (k % 4) random_points(&r, k % 3, p, n);
        else if (k % 8) p[0] = tl_v3(-0.0, 0, -0.0); /* the same point as 0 0 0 */
        tl_shape3 a = hull(p, n);
        memcpy(p + n, p, (size_t)n * sizeof *p);
        for (int i = n; i < twice; i++) p[i] = tl_v3(p[i].x == 0 ? 0 : p[i].x, p[i].y == 0 ? 0 : p[i].y, p[i].z == 0 ? 0 : p[i].z);
        for (int i = twice - 1; i > 0; i--) {
            const int j = tl_random_int(&r, i + 1);
            const tl_vec3 swap = p[i];
            p[i] = p[j], p[j] = swap;
        }
        tl_shape3 b = hull(p, twice);
        CHECK(same(&a, &b));
        for (int i = 1; i < a.points; i++) CHECK(a.point[i - 1].x <= a.point[i].x);
        tl_shape3_free(&a, heap());
        tl_shape3_free(&b, heap());
    }
}

/* ---- what is nearly flat, thin, on an edge, far away ------------------------------------------------------------------ */

/* Points on the faces and edges of a box and inside it, turned, so that they are on them to rounding, are no corners. */
TEST(points_on_faces)
{
    tl_random r = tl_random_seed(11);
    static tl_vec3 p[1000];
    for (int k = 0; k < 100; k++) {
        const tl_mat3 R = turn(&r);
        const double scale = pow(10, k % 13 - 6), far = k % 3 ? 0 : scale * pow(10, k % 7);
        for (int i = 0; i < 1000; i++) {
            const int m = k % 2 ? 9 : 4, q = k % 2 ? i : i % 125;
            tl_vec3 x = k % 2 ? tl_v3(q % 10, q / 10 % 10, q / 100) : tl_v3(q % 5, q / 5 % 5, q / 25);
            x = tl_v3(x.x / m, 0.5 * x.y / m, 2 * x.z / m);
            p[i] = tl_add(tl_v3(far, -far, far), tl_scale(scale, tl_mat3_apply(&R, x)));
        }
        tl_shape3 s = hull(p, 1000);
        check_polyhedron(&s, p, 1000, 1e-14);
        CHECK(s.points == 8 && s.faces == 6 && s.edges == 12);
        CHECK_CLOSE(tl_shape3_volume(&s).volume, scale * scale * scale, 1e-9);
        tl_shape3_free(&s, heap());
    }
}

/* Faces out of flat by 10^-16 … 10^-4 of the size: one face or several, what comes out is a polyhedron that holds all points to 8 grains. */
TEST(nearly_flat)
{
    tl_random r = tl_random_seed(12);
    int whole = 0;
    for (int k = 0; k < 4000; k++) {
        tl_vec3 p[125];
        const double noise = pow(10, k % 3 ? -between(&r, 4, 16) : -between(&r, 8.1, 8.8)); /* about the tolerance is where it is hard */
        const tl_mat3 R = turn(&r);
        const int n = k % 2 ? 125 : 60;
        for (int i = 0; i < n; i++) {
            p[i] = tl_v3(i % 5, i / 5 % 5, i / 25); /* a grid; or a cut of rounded bar: a prism of twenty sides, points along its edges */
            if (n == 60) p[i] = tl_v3(3 * cos(2 * TL_PI * (i % 20) / 20), 3 * sin(2 * TL_PI * (i % 20) / 20), i / 20);
            p[i] = tl_mat3_apply(&R, tl_add(p[i], tl_scale(noise, tl_v3(between(&r, -4, 4), between(&r, -4, 4), between(&r, -4, 4)))));
        }
        tl_shape3 s;
        const talus_status status = tl_shape3_hull(&s, heap(), p, n, 0, &error);
        CHECK_OK(status, error.text);
        if (status != TALUS_OK) continue;
        check_polyhedron(&s, p, n, noise < 1e-10 || noise > 1e-8 ? 8e-9 : 6.4e-8); /* between: eight grains where slivers are left */
        CHECK_CLOSE(tl_shape3_volume(&s).volume, n == 60 ? 2 * 10 * 9 * sin(2 * TL_PI / 20) : 64, 16 * noise + 1e-7);
        const bool flat = n == 60 ? s.faces == 22 && s.points == 40 : s.faces == 6 && s.points == 8;
        if (noise < 1e-10) CHECK(flat);
        whole += flat;
        tl_shape3_free(&s, heap());
    }
    CHECK(whole < 3000); /* coarse noise does make faces */
}

/* Points on a sphere, each with another: a hundredth of the tolerance away it is the same corner, a thousand times the tolerance away its own. */
TEST(pairs)
{
    tl_random r = tl_random_seed(18);
    for (int k = 0; k < 100; k++) {
        tl_vec3 p[80];
        const double apart = TL_HULL_GRAIN * (k % 2 ? 2000 : 0.02); /* the sphere's size is 2 */
        random_points(&r, 2, p, 40);
        for (int i = 0; i < 40; i++) p[40 + i] = tl_normalize(tl_add(p[i], tl_scale(apart, tl_normalize(tl_cross(p[i], p[(i + 1) % 40])))));
        tl_shape3 s = hull(p, 80);
        check_polyhedron(&s, p, 80, 8e-9);
        CHECK(s.points == (k % 2 ? 80 : 40));
        tl_shape3_free(&s, heap());
    }
}

/* Needles and plates down to a ten-millionth of their length, small, large and far. */
TEST(thin)
{
    tl_random r = tl_random_seed(13);
    for (int k = 0; k < 2000; k++) {
        tl_vec3 p[40];
        const int n = 4 + tl_random_int(&r, 37);
        const double thin = pow(10, -between(&r, 0, 7)), scale = pow(10, between(&r, -6, 6)), far = k % 5 ? 0 : 100 * scale * thin;
        const tl_mat3 R = turn(&r);
        for (int i = 0; i < n; i++) {
            tl_vec3 x = tl_v3(between(&r, -1, 1), between(&r, -1, 1), between(&r, -1, 1));
            x = tl_normalize(x); /* all on the hull: an ellipsoid */
            x = k % 2 ? tl_v3(x.x, thin * x.y, thin * x.z) : tl_v3(x.x, x.y, thin * x.z);
            p[i] = tl_add(tl_v3(far, far, -far), tl_scale(scale, tl_mat3_apply(&R, x)));
        }
        tl_shape3 s;
        const talus_status status = tl_shape3_hull(&s, heap(), p, n, 0, &error);
        if (status != TALUS_OK) { /* few points may be flatter than what they are drawn from */
            CHECK(n < 8 && thin < 1e-4 && status == TALUS_INPUT);
            continue;
        }
        check_polyhedron(&s, p, n, 8e-9);
        CHECK(tl_shape3_volume(&s).volume > 0);
        if (thin > 1e-3) check_mass(&s, tl_scale(0.5, tl_add(p[0], p[1])), 1e-12);
        tl_shape3_free(&s, heap());
    }
}

/* ---- refused --------------------------------------------------------------------------------------------------------- */

static void refused(const tl_vec3 *p, int count, double radius, const char *word)
{
    tl_shape3 s;
    error.text[0] = 0;
    CHECK(tl_shape3_hull(&s, heap(), p, count, radius, &error) == TALUS_INPUT);
    if (!strstr(error.text, word)) TEST_FAIL("says \"%s\", without \"%s\"", error.text, word);
    CHECK(s.point == NULL && s.points == 0);
    CHECK(tl_shape3_hull(&s, heap(), p, count, radius, NULL) == TALUS_INPUT);
}

TEST(mistakes)
{
    tl_random r = tl_random_seed(14);
    const double nan = (double)NAN, inf = (double)INFINITY;
    tl_vec3 p[300], q[300];
    box_points(p, 1, 1, 1);
    refused(p, 0, 0, "one corner or more");
    refused(p, -1, 0, "one corner or more");
    refused(p, 1, 0, "sphere needs a positive radius");
    refused(p, 2, 0, "capsule needs a positive radius");
    refused(p, 8, 0.1, "no rounding");
    refused(p, 8, -1, "negative");
    refused(p, 1, nan, "radius");
    refused(p, 1, inf, "radius");
    refused((tl_vec3[]){{1, 2, 3}, {1, 2, 3}}, 2, 1, "ends of a capsule coincide");
    refused(p, 3, 0, "in one plane");
    for (int k = 0; k < 9; k++) {
        memcpy(q, p, 8 * sizeof *p);
        (&q[k % 8].x)[k % 3] = k % 2 ? nan : inf;
        char word[32];
        snprintf(word, sizeof word, "corner %d", k % 8 + 1);
        refused(q, 8, 0, word);
    }
    refused((tl_vec3[]){{1, nan, 3}, {1, 2, 3}}, 2, 1, "corner 1");
    for (int k = 0; k < 300; k++) { /* n points on a point, a line, a plane, to rounding, turned */
        const tl_mat3 R = turn(&r);
        const int n = 3 + tl_random_int(&r, 60), kind = k % 3;
        const double scale = pow(10, between(&r, -6, 6));
        for (int i = 0; i < n; i++)
            q[i] = tl_mat3_apply(&R, tl_v3(scale * (kind ? between(&r, -1, 1) : 1), scale * (kind > 1 ? between(&r, -1, 1) : 1), scale));
        refused(q, n, 0, kind == 0 ? "coincide" : kind == 1 ? "one line" : "one plane");
    }
    for (int i = 0; i < 8; i++) q[i] = tl_add(p[i], tl_v3(1e15, 0, 0)); /* coordinates are known to 0.06 there */
    refused(q, 8, 0, "too far");
    for (int i = 0; i < 8; i++) q[i] = tl_scale(1e200, p[i]);
    refused(q, 8, 0, "too far");
    for (int i = 0; i < 256; i++) q[i] = tl_normalize(tl_v3(between(&r, -1, 1), between(&r, -1, 1), between(&r, -1, 1)));
    refused(q, 256, 0, "256 corners; the most is 255");
    tl_shape3 s = hull(q, 255);
    CHECK(s.points == 255 && s.faces == 506);
    tl_shape3_free(&s, heap());
    CHECK(tl_shape3_half_space(&s, p[0], tl_v3(0, 0, 0), &error) == TALUS_INPUT && strstr(error.text, "half-space"));
    CHECK(tl_shape3_half_space(&s, p[0], tl_v3(nan, 0, 0), &error) == TALUS_INPUT);
    CHECK(tl_shape3_half_space(&s, tl_v3(0, inf, 0), tl_v3(1, 0, 0), &error) == TALUS_INPUT);
}

int main(int argc, char **argv)
{
    RUN(cube);
    RUN(regular_solids);
    RUN(prisms);
    RUN(sphere_and_capsule);
    RUN(round_cylinder);
    RUN(half_space);
    RUN(random_hulls);
    RUN(moved);
    RUN(order);
    RUN(points_on_faces);
    RUN(nearly_flat);
    RUN(pairs);
    RUN(thin);
    RUN(mistakes);
    return TEST_RESULT;
}
