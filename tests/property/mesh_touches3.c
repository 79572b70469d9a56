/* Pair functions with meshes: against the nearest point by brute force over all triangles, against hulls of the same shape, and that cutting a
 * plane into triangles changes nothing. */
#include "random3.h"

enum { MOST_POINTS = 400, MOST_TRIANGLES = 800 };

typedef struct surface {
    int points, triangles;
    tl_vec3 point[MOST_POINTS];
    int32_t triangle[MOST_TRIANGLES][3];
} surface;

static tl_shape3 make_mesh(const surface *s)
{
    tl_shape3 mesh;
    tl_error why;
    CHECK_OK(tl_shape3_mesh(&mesh, tl_memory_default(), &(tl_triangles3){s->point, s->points, (const int32_t(*)[3])s->triangle, s->triangles}, &why), why.text);
    return mesh;
}

static void add_triangle(surface *s, int a, int b, int c)
{
    int32_t *t = s->triangle[s->triangles++];
    t[0] = a, t[1] = b, t[2] = c;
}

/* n × n cells of about unit width, corners shifted, heights up to `rough`, diagonals either way. */
static surface terrain(int n, double rough)
{
    surface s = {0};
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++) {
            const double shift = i > 0 && i < n && j > 0 && j < n ? 0.3 : 0;
            const double x = i - 0.5 * n + uniform(-shift, shift), y = j - 0.5 * n + uniform(-shift, shift);
            s.point[s.points++] = tl_v3(x, y, rough > 0 ? uniform(-rough, rough) : 0);
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const int a = i * (n + 1) + j, b = a + n + 1, c = b + 1, d = a + 1;
            if (chance(0.5)) add_triangle(&s, a, b, c), add_triangle(&s, a, c, d);
            else add_triangle(&s, a, b, d), add_triangle(&s, b, c, d);
        }
    return s;
}

/* The faces of a polyhedron, fanned from any corner of each. */
static surface skin(const tl_shape3 *hull)
{
    surface s = {0};
    for (int i = 0; i < hull->points; i++) s.point[s.points++] = hull->point[i];
    for (int f = 0; f < hull->faces; f++) {
        const int begin = hull->face_begin[f], n = hull->face_begin[f + 1] - begin, from = tl_random_int(&rnd, n);
        for (int k = 1; k + 1 < n; k++)
            add_triangle(&s, hull->corner[begin + from], hull->corner[begin + (from + k) % n], hull->corner[begin + (from + k + 1) % n]);
    }
    return s;
}

static tl_frame random_frame(double far)
{
    tl_frame f;
    const double away = uniform(0, far);
    f.p = tl_scale(away, random_direction());
    f.R = random_rotation();
    return f;
}

/* ---- brute force --------------------------------------------------------------------------------------------------- */

static tl_vec3 nearest_on_segment(tl_vec3 a, tl_vec3 b, tl_vec3 x)
{
    const tl_vec3 d = tl_sub(b, a);
    const double f = tl_dot(tl_sub(x, a), d) / tl_dot(d, d);
    return tl_add(a, tl_scale(fmin(1, fmax(0, f)), d));
}

static tl_vec3 nearest_on_triangle(const tl_vec3 p[3], tl_vec3 x)
{
    const tl_vec3 n = tl_normalize(tl_cross(tl_sub(p[1], p[0]), tl_sub(p[2], p[0])));
    tl_vec3 best = {0, 0, 0};
    double least = (double)INFINITY;
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        const tl_vec3 y = nearest_on_segment(p[k], p[(k + 1) % 3], x);
        inside = inside && tl_dot(tl_cross(n, tl_sub(p[(k + 1) % 3], p[k])), tl_sub(x, p[k])) > 0;
        if (tl_norm(tl_sub(x, y)) < least) least = tl_norm(tl_sub(x, y)), best = y;
    }
    return inside ? tl_sub(x, tl_scale(tl_dot(n, tl_sub(x, p[0])), n)) : best;
}

static tl_vec3 nearest_on_surface(const surface *s, tl_vec3 x)
{
    tl_vec3 best = {0, 0, 0};
    double least = (double)INFINITY;
    for (int t = 0; t < s->triangles; t++) {
        const tl_vec3 p[3] = {s->point[s->triangle[t][0]], s->point[s->triangle[t][1]], s->point[s->triangle[t][2]]};
        const tl_vec3 y = nearest_on_triangle(p, x);
        if (tl_norm(tl_sub(x, y)) < least) least = tl_norm(tl_sub(x, y)), best = y;
    }
    return best;
}

static int deepest(const tl_touch *touch, int count)
{
    int at = 0;
    for (int i = 1; i < count; i++)
        if (touch[i].gap < touch[at].gap) at = i;
    return at;
}

static void check_order(const tl_touch *touch, int count)
{
    for (int i = 1; i < count; i++) CHECK(touch[i].feature > touch[i - 1].feature);
}

/* The nearest point of a ball, and the direction to it, over hills and valleys. */
TEST(balls_on_terrain)
{
    rnd = tl_random_seed(1);
    int touched = 0, on_edges = 0;
    for (int k = 0; k < 200; k++) {
        const surface s = terrain(8, uniform(0.05, 1));
        tl_shape3 mesh = make_mesh(&s);
        for (int i = 0; i < 100; i++) {
            const double r = uniform(0.1, 1.5), alert = uniform(0.01, 0.3);
            tl_shape3 ball = make_ball(r);
            const tl_frame fm = random_frame(5);
            const tl_vec3 foot = {uniform(-3, 3), uniform(-3, 3), 0};
            /* out of what the surface bounds: above the highest point, and down to where it is an alert away at most */
            tl_vec3 x = {foot.x, foot.y, 3};
            for (int down = 0; down < 60; down++) {
                const double d = tl_norm(tl_sub(x, nearest_on_surface(&s, x)));
                if (d < r + 0.5 * alert) break;
                x.z -= d - r;
            }
            if (chance(0.3)) x.z -= uniform(0, 0.5) * r; /* pressed in, but not past its middle */
            const tl_vec3 y = nearest_on_surface(&s, x), way = tl_sub(x, y);
            const double distance = tl_norm(way);
            if (distance < 0.05 * r) continue;
            const tl_frame fb = {in_world(&fm, x), random_rotation()};
            tl_touch out[TL_MESH_TOUCHES3];
            tl_vec3 hint = {0, 0, 0};
            const int n = tl_touch3_find((tl_placed3){&mesh, &fm}, (tl_placed3){&ball, &fb}, alert, &hint, NULL, out);
            check_order(out, n);
            if (!(distance - r < alert - 1e-9)) {
                free_shape(&ball);
                continue;
            }
            CHECK(n > 0 && n <= tl_touch3_limit(&mesh, &ball));
            const tl_touch *t = &out[deepest(out, n)];
            const tl_vec3 expected = tl_mat3_apply(&fm.R, tl_scale(1 / distance, way));
            CHECK_NEAR(t->gap, distance - r, 1e-9);
            CHECK_NEAR(tl_dot(t->normal, expected), 1, 1e-9);
            CHECK_NEAR(tl_norm(tl_sub(t->point, tl_sub(fb.p, tl_scale(r + 0.5 * t->gap, t->normal)))), 0, 1e-9);
            touched++;
            bool on_face = false;
            for (int f = 0; f < mesh.mesh->triangles; f++) on_face = on_face || tl_dot(mesh.mesh->normal[f], tl_scale(1 / distance, way)) > 1 - 1e-9;
            on_edges += !on_face;
            free_shape(&ball);
        }
        free_shape(&mesh);
    }
    CHECK(touched > 5000 && on_edges > 500); /* all kinds are met */
    if (test_failures) fprintf(stderr, "%d touched, %d on edges\n", touched, on_edges);
}

/* How far along a way the grain just does not touch the hull. */
static double where_they_part(tl_placed3 hull, const tl_shape3 *grain, tl_mat3 R, tl_vec3 way)
{
    tl_touch touch[TL_MESH_TOUCHES3];
    tl_vec3 hint = {0, 0, 0};
    double high = 6, low = 0;
    for (int i = 0; i < 60; i++) {
        const double at = 0.5 * (high + low);
        const tl_frame f = {tl_add(hull.at->p, tl_scale(at, way)), R};
        const int n = tl_touch3_find(hull, (tl_placed3){grain, &f}, 10, &hint, NULL, touch);
        *(n > 0 && touch[deepest(touch, n)].gap < 0 ? &low : &high) = at;
    }
    return high;
}

/* The skin of a polyhedron as a mesh: apart, the same distance as between the hulls, along the same direction. */
TEST(hulls_beside_their_skins)
{
    rnd = tl_random_seed(2);
    int touched = 0;
    for (int k = 0; k < 4000; k++) {
        tl_shape3 hull = random_polyhedron(tl_random_int(&rnd, SLIVER), 1);
        tl_shape3 grain = chance(0.2) ? make_capsule(uniform(0.1, 1), uniform(0.05, 0.5)) : random_polyhedron(tl_random_int(&rnd, SLIVER), uniform(0.2, 2));
        const surface s = skin(&hull);
        tl_shape3 mesh = make_mesh(&s);
        const tl_frame fm = random_frame(3);
        tl_frame fg = random_frame(0);
        const tl_vec3 way = random_direction();
        tl_touch known[TL_MESH_TOUCHES3], out[TL_MESH_TOUCHES3];
        const double alert = 10, high = where_they_part((tl_placed3){&hull, &fm}, &grain, fg.R, way);
        tl_vec3 hint = {0, 0, 0};
        fg.p = tl_add(fm.p, tl_scale(high + uniform(1e-4, 0.1), way));
        const int n = tl_touch3_find((tl_placed3){&hull, &fm}, (tl_placed3){&grain, &fg}, alert, &hint, NULL, known),
                  m = tl_touch3_find((tl_placed3){&mesh, &fm}, (tl_placed3){&grain, &fg}, 0.2, &hint, NULL, out);
        CHECK(n > 0);
        CHECK((m > 0) == (n > 0 && known[deepest(known, n)].gap < 0.2)); /* some pass by each other */
        if (n > 0 && m > 0) {
            const tl_touch *a = &known[deepest(known, n)], *b = &out[deepest(out, m)];
            if (fabs(a->gap - b->gap) > 1e-8) fprintf(stderr, "pair %d\n", k);
            CHECK_NEAR(b->gap, a->gap, 1e-8);
            CHECK_NEAR(tl_dot(a->normal, b->normal), 1, 1e-6);
            touched++;
        }
        check_order(out, m);
        tl_touch back[TL_MESH_TOUCHES3]; /* the other way round: normals turn */
        CHECK(tl_touch3_find((tl_placed3){&grain, &fg}, (tl_placed3){&mesh, &fm}, 0.2, &hint, NULL, back) == m);
        for (int i = 0; i < m; i++)
            CHECK(tl_norm(tl_add(back[i].normal, out[i].normal)) == 0 && back[i].gap == out[i].gap && back[i].feature == out[i].feature);
        free_shape(&hull), free_shape(&grain), free_shape(&mesh);
    }
    CHECK(touched > 3500);
}

/* Sharp ones that overlap a little: the skin touches as deep as the hull does, up to what its own directions make of that, and nowhere deeper. Edges sharper
 * than a right angle cross, peaks go into sides, faces and rims. */
TEST(sharp_ones_in_their_skins)
{
    static const double ROUNDING = 1e-8;
    rnd = tl_random_seed(6);
    int touched[3] = {0, 0, 0};
    for (int k = 0; k < 6000; k++) {
        const int kind = k % 3;
        tl_shape3 hull = random_polyhedron(chance(0.5) ? TETRAHEDRON : STONE, 1), grain;
        const double radius = uniform(0.1, 0.6), depth = pow(10, uniform(-7, -4));
        tl_vec3 end[2] = {{0, 0, -uniform(0.1, 0.6)}, {0, 0, uniform(0.1, 0.6)}};
        tl_error why;
        if (kind == 0) grain = random_polyhedron(tl_random_int(&rnd, SLIVER), uniform(0.4, 1.5));
        else if (kind == 1) CHECK_OK(tl_shape3_cylinder(&grain, tl_memory_default(), end, radius, 0, &why), why.text);
        else {
            tl_vec3 rims[4] = {end[0], end[1], {radius, 0, end[0].z}, {uniform(0.3, 0.9) * radius, 0, end[1].z}};
            const tl_shape3_def d = {.point = rims, .count = 4};
            CHECK_OK(tl_shape3_make(&grain, tl_memory_default(), TL_FRUSTUM3, &d, &why), why.text);
        }
        const surface s = skin(&hull);
        tl_shape3 mesh = make_mesh(&s);
        const tl_frame fm = random_frame(3);
        tl_frame fg = random_frame(0);
        const tl_vec3 way = random_direction();
        tl_touch known[TL_MESH_TOUCHES3], out[TL_MESH_TOUCHES3];
        const double high = where_they_part((tl_placed3){&hull, &fm}, &grain, fg.R, way);
        tl_vec3 hint = {0, 0, 0};
        fg.p = tl_add(fm.p, tl_scale(high - depth, way));
        const int n = tl_touch3_find((tl_placed3){&hull, &fm}, (tl_placed3){&grain, &fg}, 1, &hint, NULL, known),
                  m = tl_touch3_find((tl_placed3){&mesh, &fm}, (tl_placed3){&grain, &fg}, 1, &hint, NULL, out);
        const double expected = n > 0 ? known[deepest(known, n)].gap : 0;
        if (expected < -ROUNDING && tl_dot(known[deepest(known, n)].normal, way) > 0.3) { /* not one that just grazes */
            const double gap = m > 0 ? out[deepest(out, m)].gap : 1;
            if (!(gap < 0.3 * expected && gap > 3 * expected - ROUNDING))
                TEST_FAIL("pair %d: %.3g deep in the hull, %.3g in its skin (%d)", k, -expected, -gap, m);
            touched[kind]++;
        }
        free_shape(&hull), free_shape(&grain), free_shape(&mesh);
    }
    for (int kind = 0; kind < 3; kind++) CHECK(touched[kind] > 1000);
}

/* A flat floor in triangles gives the touches of a half-space, whatever lies on it and wherever. */
TEST(flat_floors)
{
    rnd = tl_random_seed(3);
    tl_shape3 plane;
    tl_error why;
    CHECK_OK(tl_shape3_half_space(&plane, tl_v3(0, 0, 0), tl_v3(0, 0, 1), &why), why.text);
    for (int k = 0; k < 3000; k++) {
        const double scale = exp(uniform(log(0.05), log(3))); /* grains smaller and larger than triangles */
        const surface s = terrain(10, 0);
        tl_shape3 mesh = make_mesh(&s), grain;
        const int kind = tl_random_int(&rnd, 7);
        if (kind == 0) grain = make_ball(0.5 * scale);
        else if (kind == 1) grain = make_capsule(0.5 * scale, 0.2 * scale);
        else if (kind == 2) grain = make_box(0.5 * scale, 0.3 * scale, 0.2 * scale);
        else if (kind == 3) grain = make_stone(60, scale);
        else grain = random_polyhedron(tl_random_int(&rnd, SLIVER), scale);
        const tl_frame fm = random_frame(2);
        const double lift = scale * uniform(-0.01, 0.01), alert = 0.02 * scale;
        tl_frame local = {tl_v3(0, 0, 0), chance(0.5) ? random_rotation() : tl_mat3_rotation(tl_v3(0, 0, 1), uniform(0, 7))};
        if (chance(0.3)) { /* over a corner of the triangles, to the bit */
            const tl_vec3 at = s.point[60];
            local.p = at;
        } else local.p = tl_v3(uniform(-1, 1), uniform(-1, 1), 0);
        double low = (double)INFINITY;
        for (int i = 0; i < grain.points; i++) low = fmin(low, in_world(&local, grain.point[i]).z - grain.radius);
        local.p.z = lift - low;
        const tl_frame fg = {in_world(&fm, local.p), tl_mat3_mul(&fm.R, &local.R)};
        tl_touch a[TL_MESH_TOUCHES3], b[TL_MESH_TOUCHES3];
        tl_vec3 hint = {0, 0, 0};
        const int n = tl_touch3_find((tl_placed3){&plane, &fm}, (tl_placed3){&grain, &fg}, alert, &hint, NULL, a),
                  m = tl_touch3_find((tl_placed3){&mesh, &fm}, (tl_placed3){&grain, &fg}, alert, &hint, NULL, b);
        if (n != m) TEST_FAIL("floor %d: %d touches, on a half-space %d", k, m, n);
        for (int i = 0; i < n; i++) {
            bool found = false;
            for (int j = 0; j < m; j++)
                found = found || (fabs(a[i].gap - b[j].gap) < 1e-12 && tl_norm(tl_sub(a[i].point, b[j].point)) < 1e-12 &&
                                  tl_norm(tl_sub(a[i].normal, b[j].normal)) < 1e-12);
            CHECK(found);
        }
        free_shape(&mesh), free_shape(&grain);
    }
}

/* What has passed a wall by less than its thickness is brought back; what stands on a step is not pushed off by the riser, nor by the back of a plate. */
TEST(one_side)
{
    const surface step = {.points = 8,
                          .triangles = 6,
                          .point = {{-2, -2, 0}, {0, -2, 0}, {0, 2, 0}, {-2, 2, 0}, {0, -2, -1}, {0, 2, -1}, {2, -2, -1}, {2, 2, -1}},
                          .triangle = {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}, {4, 6, 7}, {4, 7, 5}}};
    tl_shape3 mesh = make_mesh(&step), ball = make_ball(0.3), box = make_box(0.3, 0.3, 0.3);
    const tl_mat3 R = tl_mat3_identity();
    const tl_frame here = {{0, 0, 0}, R};
    tl_touch out[TL_MESH_TOUCHES3];
    tl_vec3 hint = {0, 0, 0};
    for (int k = 0; k < 20; k++) {
        const double d = 1e-6 * (k - 10), past = k / 20.0;
        tl_frame f = {{-0.31 - 0.02 * k, 0.1, 0.3 + d}, R};
        int n = tl_touch3_find((tl_placed3){&mesh, &here}, (tl_placed3){&box, &f}, 0.01, &hint, NULL, out);
        CHECK(n == 4);
        for (int i = 0; i < n; i++) CHECK(out[i].normal.z == 1 && fabs(out[i].gap - d) < 1e-12);
        f.p = tl_v3(0.3 + d, 0, -0.7 + d); /* in the corner: floor and riser */
        n = tl_touch3_find((tl_placed3){&mesh, &here}, (tl_placed3){&box, &f}, 0.01, &hint, NULL, out);
        CHECK(n == 8);
        for (int i = 0; i < n; i++) CHECK(fabs(out[i].gap - d) < 1e-12 && (out[i].normal.z == 1 || out[i].normal.x == 1));
        f.p = tl_v3(-1, 0, 0.29 - 0.29 * past * 2); /* its middle under the floor by less than the radius */
        n = tl_touch3_find((tl_placed3){&mesh, &here}, (tl_placed3){&ball, &f}, 0.01, &hint, NULL, out);
        CHECK(n == 1 && out[0].normal.z == 1);
        CHECK_NEAR(out[0].gap, f.p.z - 0.3, 1e-12);
        f.p.z = -0.3 - 0.01 - past;
        CHECK(tl_touch3_find((tl_placed3){&mesh, &here}, (tl_placed3){&ball, &f}, 0.01, &hint, NULL, out) == 0);
    }
    free_shape(&mesh), free_shape(&ball), free_shape(&box);
}

/* Triangles that meet side to side but not corner to corner: the borders inside the floor do not act. */
TEST(seams)
{
    const surface s = {.points = 9,
                       .triangles = 5,
                       .point = {{-2, -2, 0}, {0, -2, 0}, {0, 2, 0}, {-2, 2, 0}, {0, -2, 0}, {2, -2, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0.3, 0}},
                       .triangle = {{0, 1, 2}, {0, 2, 3}, {4, 5, 8}, {5, 6, 8}, {6, 7, 8}}};
    rnd = tl_random_seed(4);
    tl_shape3 mesh = make_mesh(&s), ball = make_ball(0.3), box = make_box(0.3, 0.3, 0.3);
    const tl_frame here = {{0, 0, 0}, tl_mat3_identity()};
    for (int k = 0; k < 2000; k++) {
        tl_frame f = {{k % 5 == 0 ? 0 : uniform(-0.5, 0.5), k % 7 == 0 ? 0.3 : uniform(-1, 1), 0.3 + uniform(-1e-3, 1e-3)},
                      tl_mat3_rotation(tl_v3(0, 0, 1), uniform(0, 7))};
        tl_touch out[TL_MESH_TOUCHES3];
        tl_vec3 hint = {0, 0, 0};
        int n = tl_touch3_find((tl_placed3){&mesh, &here}, (tl_placed3){&ball, &f}, 0.1, &hint, NULL, out);
        CHECK(n == 1 && out[0].normal.z == 1);
        n = tl_touch3_find((tl_placed3){&mesh, &here}, (tl_placed3){&box, &f}, 0.1, &hint, NULL, out);
        CHECK(n == 4);
        for (int i = 0; i < n; i++) CHECK(out[i].normal.z == 1);
    }
    free_shape(&mesh), free_shape(&ball), free_shape(&box);
}

/* What stands on a block holds at its four corners, or where the block ends under it, however near its side is to that of the block; by a trench, too. */
TEST(flush_and_gaps)
{
    static const double TRENCH[8][2] = {{-2, -1}, {2, -1}, {2, 0}, {0.1, 0}, {0.1, -0.5}, {0, -0.5}, {0, 0}, {-2, 0}}; /* along y, its ends open */
    surface trench = {0};
    for (int k = 0; k < 8; k++)
        for (int side = 0; side < 2; side++) trench.point[trench.points++] = tl_v3(TRENCH[k][0], side ? 2 : -2, TRENCH[k][1]);
    for (int k = 0; k < 8; k++) {
        const int a = 2 * k, b = 2 * ((k + 1) % 8);
        add_triangle(&trench, a, b + 1, b), add_triangle(&trench, a, a + 1, b + 1);
    }
    rnd = tl_random_seed(5);
    tl_shape3 block = make_box(0.5, 0.5, 0.5);
    const surface top = skin(&block);
    tl_shape3 mesh[2] = {make_mesh(&top), make_mesh(&trench)};
    const tl_frame here = {{0, 0, 0}, tl_mat3_identity()};
    for (int k = 0; k < 6000; k++) {
        const int which = k % 2;
        const double half = uniform(0.1, 0.24), d = 1e-3 * half * uniform(-1, 1), near = half * pow(10, uniform(-13, -3)) * (chance(0.5) ? 1 : -1);
        const double up = which ? 0 : block.point[block.points - 1].z, rim = which ? 0 : block.point[block.points - 1].x;
        tl_shape3 box = make_box(half, half, half);
        const double reach = box.point[box.points - 1].x;
        const tl_frame f = {{rim - reach + near, uniform(-0.01, 0.01), up + reach + d}, tl_mat3_identity()};
        tl_touch out[TL_MESH_TOUCHES3];
        tl_vec3 hint = {0, 0, 0};
        const int n = tl_touch3_find((tl_placed3){&mesh[which], &here}, (tl_placed3){&box, &f}, 0.01 * half, &hint, NULL, out);
        double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
        CHECK(n >= 4);
        for (int i = 0; i < n; i++) {
            if (out[i].normal.z < 0.999) TEST_FAIL("%d: normal (%g, %g, %g), gap %g", k, out[i].normal.x, out[i].normal.y, out[i].normal.z, out[i].gap);
            CHECK_NEAR(out[i].gap, d, 1e-6 * half);
            const double at[2] = {out[i].point.x, out[i].point.y};
            for (int a = 0; a < 2; a++) low[a] = fmin(low[a], at[a]), high[a] = fmax(high[a], at[a]);
        }
        for (int a = 0; a < 2; a++) CHECK_NEAR(high[a] - low[a], 2 * reach, 2 * fabs(near) + 1e-12); /* held on all sides */
        free_shape(&box);
    }
    free_shape(&block), free_shape(&mesh[0]), free_shape(&mesh[1]);
}

int main(int argc, char **argv)
{
    RUN(balls_on_terrain);
    RUN(hulls_beside_their_skins);
    RUN(sharp_ones_in_their_skins);
    RUN(flat_floors);
    RUN(one_side);
    RUN(seams);
    RUN(flush_and_gaps);
    return TEST_RESULT;
}
