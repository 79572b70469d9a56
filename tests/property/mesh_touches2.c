/* Outlines of planar solids: against the nearest point by brute force over all edges, against pair functions of polygons of the same shape, and that cutting
 * a line into edges changes nothing. */
#include "detect/narrow2.h"

#include "test.h"

enum { MOST_POINTS = 200 };

static tl_random rnd;

static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }
static bool chance(double share) { return uniform(0, 1) < share; }

typedef struct line {
    int points, edges;
    tl_vec2 point[MOST_POINTS];
    int32_t edge[MOST_POINTS][2];
} line;

static tl_shape2 make_mesh(const line *l)
{
    tl_shape2 mesh;
    tl_error why = {0};
    CHECK_OK(tl_shape2_mesh(&mesh, tl_memory_default(), &(tl_edges2){l->point, l->points, (const int32_t(*)[2])l->edge, l->edges}, &why), why.text);
    return mesh;
}

static void free_shape(tl_shape2 *s) { tl_shape2_free(s, tl_memory_default()); }

static tl_shape2 make_hull(const tl_vec2 *corner, int count, double radius)
{
    tl_shape2 s;
    tl_error why = {0};
    CHECK_OK(tl_shape2_round_hull(&s, tl_memory_default(), corner, count, radius, &why), why.text);
    return s;
}

static tl_shape2 make_disk(double radius) { return make_hull(&(tl_vec2){0, 0}, 1, radius); }

static tl_shape2 make_box(double a, double b)
{
    const tl_vec2 corner[4] = {{-a, -b}, {a, -b}, {a, b}, {-a, b}};
    return make_hull(corner, 4, 0);
}

static tl_shape2 make_ellipse(double a, double b)
{
    tl_shape2 s;
    tl_error why = {0};
    CHECK_OK(tl_shape2_make(&s, tl_memory_default(), TL_ELLIPSE, &(tl_shape2_def){{{0, 0}, {a, 0}, {0, b}}, 3, 0}, &why), why.text);
    return s;
}

/* Corners on a wobbly ring of about this size: a hull takes those that are its corners. */
static tl_shape2 random_polygon(double size, double radius)
{
    tl_vec2 corner[8];
    const int count = 3 + tl_random_int(&rnd, 6);
    const double start = uniform(0, 7);
    for (int i = 0; i < count; i++) {
        const double angle = start + 2 * TL_PI * (i + uniform(0, 0.7)) / count, r = size * uniform(0.6, 1);
        corner[i] = tl_v2(r * cos(angle), r * sin(angle));
    }
    return make_hull(corner, count, radius);
}

/* Grains of every kind: the core of a tenth of a size is what may be behind. */
static tl_shape2 random_grain(double size)
{
    const double kind = uniform(0, 1);
    if (kind < 0.2) return make_disk(size);
    if (kind < 0.35) return make_ellipse(size, size * uniform(0.3, 1));
    if (kind < 0.5) {
        const tl_vec2 ends[2] = {{-size, 0}, {size, 0}};
        return make_hull(ends, 2, size * uniform(0.1, 0.4));
    }
    return random_polygon(size, kind < 0.6 ? size * uniform(0.05, 0.3) : 0);
}

static tl_pose2 random_pose(double far) { return tl_pose2_at(uniform(-far, far), uniform(-far, far), uniform(0, 7)); }

/* A pose in that of the mesh. */
static tl_pose2 in_world(const tl_pose2 *mesh, tl_vec2 p, double angle)
{
    const tl_vec2 x = tl_to_world2(mesh, p);
    return tl_pose2_at(x.x, x.y, mesh->angle + angle);
}

static void add_edge(line *l, int from, int to) { l->edge[l->edges][0] = from, l->edge[l->edges++][1] = to; }

/* n edges over [−n/2, n/2] with the solid below: they run to the left, so that it is on their left. Heights up to `rough`. */
static line ground(int n, double rough)
{
    line l = {0};
    for (int i = 0; i <= n; i++) {
        const double shift = i > 0 && i < n ? uniform(-0.3, 0.3) : 0;
        l.point[l.points++] = tl_v2(0.5 * n - i + shift, rough > 0 ? uniform(-rough, rough) : 0);
    }
    for (int i = 0; i < n; i++) add_edge(&l, i, i + 1);
    for (int i = 0; i < n; i++) { /* numbered as they come */
        const int k = tl_random_int(&rnd, n);
        for (int e = 0; e < 2; e++) {
            const int32_t swap = l.edge[i][e];
            l.edge[i][e] = l.edge[k][e], l.edge[k][e] = swap;
        }
    }
    return l;
}

/* The sides of a polygon, each cut into pieces. */
static line skin(const tl_shape2 *polygon)
{
    line l = {0};
    for (int i = 0; i < polygon->count; i++) {
        const tl_vec2 p = polygon->corner[i], q = polygon->corner[(i + 1) % polygon->count];
        const int pieces = 1 + tl_random_int(&rnd, 4);
        for (int k = 0; k < pieces; k++) l.point[l.points++] = tl_add2(p, tl_scale2((double)k / pieces, tl_sub2(q, p)));
    }
    for (int i = 0; i < l.points; i++) add_edge(&l, i, (i + 1) % l.points);
    return l;
}

static tl_vec2 nearest_on(const line *l, tl_vec2 x)
{
    tl_vec2 best = {0, 0};
    double least = (double)INFINITY;
    for (int i = 0; i < l->edges; i++) {
        const tl_vec2 p = l->point[l->edge[i][0]], d = tl_sub2(l->point[l->edge[i][1]], p);
        const double f = fmin(1, fmax(0, tl_dot2(tl_sub2(x, p), d) / tl_dot2(d, d)));
        const tl_vec2 y = tl_add2(p, tl_scale2(f, d));
        if (tl_norm2(tl_sub2(x, y)) < least) least = tl_norm2(tl_sub2(x, y)), best = y;
    }
    return best;
}

static int deepest(const tl_touch2 *touch, int count)
{
    int at = 0;
    for (int i = 1; i < count; i++)
        if (touch[i].gap < touch[at].gap) at = i;
    return at;
}

static void check_order(const tl_touch2 *touch, int count)
{
    for (int i = 0; i < count; i++) CHECK(touch[i].feature >= 0 && touch[i].feature < 256 && (i == 0 || touch[i].feature > touch[i - 1].feature));
}

/* The nearest point of a disk, and the direction to it, over hills and valleys; and the nearest point by the tree. */
TEST(disks_on_ground)
{
    rnd = tl_random_seed(1);
    int touched = 0, at_corners = 0;
    for (int k = 0; k < 2000; k++) {
        const line l = ground(12, uniform(0.05, 1));
        tl_shape2 mesh = make_mesh(&l);
        for (int i = 0; i < 20; i++) {
            const double r = uniform(0.1, 1.5), alert = uniform(0.01, 0.3);
            tl_shape2 disk = make_disk(r);
            const tl_pose2 at = random_pose(5);
            tl_vec2 x = {uniform(-4, 4), 3};
            for (int down = 0; down < 60; down++) {
                const double d = tl_norm2(tl_sub2(x, nearest_on(&l, x)));
                if (d < r + 0.5 * alert) break;
                x.y -= d - r;
            }
            if (chance(0.3)) x.y -= uniform(0, 0.5) * r; /* pressed in, but not past its middle */
            const tl_vec2 y = nearest_on(&l, x), way = tl_sub2(x, y);
            const double distance = tl_norm2(way);
            if (distance < 0.05 * r || tl_shape2_distance(&mesh, x) < 0) continue;
            const tl_mesh_foot2 foot = tl_mesh2_nearest(mesh.mesh, x);
            CHECK_NEAR(foot.distance, distance, 1e-12);
            CHECK_NEAR(tl_shape2_distance(&mesh, x), distance, 1e-12);
            const tl_pose2 pose = in_world(&at, x, uniform(0, 7));
            tl_touch2 out[TL_TOUCHES2], back[TL_TOUCHES2];
            const int n = tl_touch2_find(&mesh, &at, &disk, &pose, alert, out);
            CHECK(n > 0);
            if (n == 0) continue;
            check_order(out, n);
            const tl_touch2 *t = &out[deepest(out, n)];
            const tl_vec2 expected = tl_rotate2(&at, tl_scale2(1 / distance, way));
            CHECK_NEAR(t->gap, distance - r, 1e-9);
            CHECK_NEAR(tl_dot2(t->normal, expected), 1, 1e-9);
            CHECK_NEAR(tl_norm2(tl_sub2(t->point, tl_sub2(tl_v2(pose.x, pose.y), tl_scale2(r + 0.5 * t->gap, t->normal)))), 0, 1e-9);
            CHECK(tl_touch2_find(&disk, &pose, &mesh, &at, alert, back) == n);
            for (int j = 0; j < n; j++)
                CHECK(tl_norm2(tl_add2(back[j].normal, out[j].normal)) == 0 && back[j].gap == out[j].gap && back[j].feature == out[j].feature);
            touched++;
            bool on_edge = false;
            for (int e = 0; e < mesh.mesh->edges; e++) on_edge = on_edge || tl_dot2(mesh.mesh->edge[e].n, tl_scale2(1 / distance, way)) > 1 - 1e-9;
            at_corners += !on_edge;
        }
        free_shape(&mesh);
    }
    CHECK(touched > 10000 && at_corners > 1000); /* all kinds are met */
}

/* A polygon's sides as an outline: the distance is that of the polygon, along the same direction, apart and a little into each other. */
TEST(polygons_beside_their_skins)
{
    rnd = tl_random_seed(2);
    int touched = 0, inside = 0;
    for (int k = 0; k < 20000; k++) {
        tl_shape2 hull = random_polygon(1, 0), grain = random_grain(uniform(0.3, 2));
        const line l = skin(&hull);
        tl_shape2 mesh = make_mesh(&l);
        const tl_pose2 at = random_pose(3);
        const double angle = uniform(0, 7), turn = uniform(0, 7);
        const tl_vec2 way = {cos(angle), sin(angle)};
        tl_touch2 known[TL_TOUCHES2], out[TL_TOUCHES2];
        double high = 8, low = 0;
        for (int i = 0; i < 60; i++) { /* to where they just do not touch */
            const double middle = 0.5 * (high + low);
            const tl_pose2 pose = in_world(&at, tl_scale2(middle, way), turn);
            const int n = tl_touch2_find(&hull, &at, &grain, &pose, 10, known);
            *(n > 0 && known[deepest(known, n)].gap < 0 ? &low : &high) = middle;
        }
        const bool deep = chance(0.3);
        const tl_pose2 pose = in_world(&at, tl_scale2(high + (deep ? -uniform(1e-6, 1e-4) : uniform(1e-4, 0.1)), way), turn);
        const int n = tl_touch2_find(&hull, &at, &grain, &pose, 10, known), m = tl_touch2_find(&mesh, &at, &grain, &pose, 0.2, out);
        const tl_touch2 *a = &known[deepest(known, n)];
        CHECK(n > 0);
        if (fabs(a->gap - 0.2) > 1e-9) CHECK((m > 0) == (a->gap < 0.2));
        check_order(out, m);
        if (m > 0) {
            const tl_touch2 *b = &out[deepest(out, m)];
            /* into each other, corners beside corners may part sideways, too: that way out is no longer than the way in */
            if (deep) CHECK(b->gap < 0 && b->gap > -2e-4);
            else {
                CHECK_NEAR(b->gap, a->gap, 1e-8);
                CHECK_NEAR(tl_dot2(a->normal, b->normal), 1, 1e-6);
            }
            touched++, inside += deep;
        }
        free_shape(&hull), free_shape(&grain), free_shape(&mesh);
    }
    CHECK(touched > 15000 && inside > 4000);
}

/* A straight line in edges gives the touches of a half-plane, whatever lies on it and wherever; of what lies flat on it, too. */
TEST(straight_lines)
{
    rnd = tl_random_seed(3);
    tl_shape2 plane;
    tl_error why = {0};
    CHECK_OK(tl_shape2_half_plane(&plane, tl_v2(0, 0), tl_v2(0, 1), &why), why.text);
    for (int k = 0; k < 20000; k++) {
        const double scale = exp(uniform(log(0.05), log(2))); /* grains smaller and larger than edges */
        const line l = ground(12, 0);
        tl_shape2 mesh = make_mesh(&l), grain = chance(0.3) ? make_box(0.7 * scale, 0.3 * scale) : random_grain(scale);
        const tl_pose2 at = random_pose(2);
        const double lift = scale * uniform(-0.01, 0.01), alert = 0.02 * scale, angle = chance(0.5) ? 0 : uniform(0, 7);
        const tl_vec2 over = chance(0.3) ? l.point[6] : tl_v2(uniform(-2, 2), 0); /* over an end of an edge, to the bit */
        const tl_pose2 turned = tl_pose2_at(0, 0, angle);
        const double low = tl_shape2_box(&grain, &turned).low.y;
        const tl_pose2 pose = in_world(&at, tl_v2(over.x, lift - low), angle);
        tl_touch2 a[TL_TOUCHES2], b[TL_TOUCHES2];
        const int n = tl_touch2_find(&plane, &at, &grain, &pose, alert, a), m = tl_touch2_find(&mesh, &at, &grain, &pose, alert, b);
        if (n != m) TEST_FAIL("line %d: %d touches, on a half-plane %d", k, m, n);
        for (int i = 0; i < n; i++) {
            bool found = false;
            for (int j = 0; j < m; j++)
                found = found || (fabs(a[i].gap - b[j].gap) < 1e-12 && tl_norm2(tl_sub2(a[i].point, b[j].point)) < 1e-12 &&
                                  tl_norm2(tl_sub2(a[i].normal, b[j].normal)) < 1e-12);
            CHECK(found);
        }
        free_shape(&mesh), free_shape(&grain);
    }
}

/* An outline whose vertices have moved is the one that would be made of them where they are. */
TEST(as_made_anew)
{
    rnd = tl_random_seed(4);
    line l = ground(40, 0);
    tl_shape2 moved = make_mesh(&l), disk = make_disk(0.4);
    const tl_pose2 here = {0, 0, 1, 0, 0};
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < l.points; i++) l.point[i] = tl_v2(20 - i + uniform(-0.2, 0.2), round % 5 * 0.2 * uniform(-1, 1));
        tl_shape2 fresh = make_mesh(&l);
        CHECK(tl_mesh2_move(moved.mesh, l.point) == 0);
        CHECK(memcmp(moved.mesh->edge, fresh.mesh->edge, (size_t)l.edges * sizeof *fresh.mesh->edge) == 0);
        for (int i = 0; i < fresh.mesh->corners; i++)
            CHECK(moved.mesh->corner[i].sharp == fresh.mesh->corner[i].sharp &&
                  memcmp(moved.mesh->corner[i].n, fresh.mesh->corner[i].n, 2 * sizeof(tl_vec2)) == 0);
        for (int k = 0; k < 50; k++) {
            const tl_pose2 pose = tl_pose2_at(uniform(-22, 22), uniform(-0.5, 1), 0);
            tl_touch2 a[TL_TOUCHES2], b[TL_TOUCHES2];
            const int n = tl_touch2_find(&moved, &here, &disk, &pose, 0.2, a);
            CHECK(tl_touch2_find(&fresh, &here, &disk, &pose, 0.2, b) == n);
            for (int i = 0; i < n; i++)
                CHECK(a[i].gap == b[i].gap && a[i].feature == b[i].feature && tl_norm2(tl_sub2(a[i].normal, b[i].normal)) == 0 &&
                      tl_norm2(tl_sub2(a[i].point, b[i].point)) == 0);
        }
        free_shape(&fresh);
    }
    for (int i = 0; i < l.points; i++) l.point[i] = tl_v2(1, 2);
    CHECK(tl_mesh2_move(moved.mesh, l.point) == l.edges);
    free_shape(&moved), free_shape(&disk);
}

/* Two squares that meet at a corner: each has its own there, and a disk in the notch between them touches both. */
TEST(pieces_at_a_corner)
{
    const line l = {.points = 7,
                    .edges = 8,
                    .point = {{-1, 0}, {0, 0}, {0, 1}, {-1, 1}, {1, 0}, {0, -1}, {1, -1}},
                    .edge = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {5, 6}, {6, 4}, {4, 1}, {1, 5}}};
    tl_shape2 mesh = make_mesh(&l), disk = make_disk(0.25);
    const tl_pose2 here = {0, 0, 1, 0, 0};
    tl_touch2 out[TL_TOUCHES2];
    int at_middle = 0;
    for (int i = 0; i < mesh.mesh->corners; i++) {
        const tl_mesh_corner2 *c = &mesh.mesh->corner[i];
        CHECK(c->sharp && c->in >= 0 && c->out >= 0 && c->in / 4 == c->out / 4); /* of one square */
        at_middle += c->vertex == 1;
    }
    CHECK(at_middle == 2);
    const tl_pose2 notch = tl_pose2_at(0.25, 0.25, 0), other = tl_pose2_at(-0.25, -0.25, 0);
    CHECK(tl_touch2_find(&mesh, &here, &disk, &notch, 0.01, out) == 2);
    CHECK_NEAR(out[0].normal.x + out[1].normal.x, 1, 1e-15);
    CHECK_NEAR(out[0].normal.y + out[1].normal.y, 1, 1e-15);
    CHECK(tl_touch2_find(&mesh, &here, &disk, &other, 0.01, out) == 2);
    CHECK_NEAR(out[0].normal.x + out[1].normal.x, -1, 1e-15);
    free_shape(&mesh), free_shape(&disk);
}

/* What stands on a block holds, however near its side is to that of the block; by a trench and on a hollow beam, too; and is not pushed aside. */
TEST(flush_and_gaps)
{
    rnd = tl_random_seed(5);
    const line block = {.points = 4, .edges = 4, .point = {{-0.5, -1}, {0.5, -1}, {0.5, 0}, {-0.5, 0}}, .edge = {{0, 1}, {1, 2}, {2, 3}, {3, 0}}};
    const line trench = {.points = 8,
                         .edges = 8,
                         .point = {{-2, -1}, {2, -1}, {2, 0}, {0.1, 0}, {0.1, -0.5}, {0, -0.5}, {0, 0}, {-2, 0}},
                         .edge = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 0}}};
    const line hollow = {.points = 8,
                         .edges = 8,
                         .point = {{-2, -1}, {2, -1}, {2, 0}, {-2, 0}, {-1.9, -0.9}, {1.9, -0.9}, {1.9, -0.1}, {-1.9, -0.1}},
                         .edge = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 7}, {7, 6}, {6, 5}, {5, 4}}};
    const line *all[3] = {&block, &trench, &hollow};
    const tl_pose2 here = {0, 0, 1, 0, 0};
    for (int which = 0; which < 3; which++) {
        tl_shape2 mesh = make_mesh(all[which]);
        for (int k = 0; k < 3000; k++) {
            const double half = uniform(0.1, 0.4), d = 1e-3 * half * uniform(-1, 1), near = half * pow(10, uniform(-13, -3)) * (chance(0.5) ? 1 : -1);
            const double rim = which == 0 ? (chance(0.5) ? 0.5 : -0.5) : 0, inward = which == 0 ? (rim > 0 ? -1 : 1) : -1;
            tl_shape2 box = make_box(half, 0.3);
            const tl_pose2 pose = tl_pose2_at(which == 2 ? uniform(-1.5, 1.5) : rim + inward * half + near, 0.3 + d, 0);
            tl_touch2 out[TL_TOUCHES2];
            const int n = tl_touch2_find(&mesh, &here, &box, &pose, 0.01 * half, out);
            CHECK(n >= 2);
            double left = (double)INFINITY, right = -(double)INFINITY;
            for (int i = 0; i < n; i++) {
                if (out[i].normal.y < 0.999) TEST_FAIL("%d, %d: normal (%g, %g), gap %g", which, k, out[i].normal.x, out[i].normal.y, out[i].gap);
                CHECK_NEAR(out[i].gap, d, 1e-12 + 1e-3 * half * 1e-3);
                left = fmin(left, out[i].point.x), right = fmax(right, out[i].point.x);
            }
            CHECK_NEAR(right - left, 2 * half, 2 * fabs(near) + 1e-12); /* held at both ends */
            free_shape(&box);
        }
        free_shape(&mesh);
    }
}

/* A corner of two lines: a box in it stands on one and against the other. */
TEST(in_the_corner)
{
    const line l = {.points = 3, .edges = 2, .point = {{2, 0}, {0, 0}, {0, 2}}, .edge = {{0, 1}, {1, 2}}};
    tl_shape2 mesh = make_mesh(&l), box = make_box(0.3, 0.2);
    const tl_pose2 here = {0, 0, 1, 0, 0};
    tl_touch2 out[TL_TOUCHES2];
    for (int k = -10; k <= 10; k++) {
        const double d = 1e-4 * k;
        const tl_pose2 pose = tl_pose2_at(0.3 + d, 0.2 + d, 0);
        const int n = tl_touch2_find(&mesh, &here, &box, &pose, 0.01, out);
        CHECK(n == 4);
        for (int i = 0; i < n; i++) CHECK(fabs(out[i].gap - d) < 1e-12 && (out[i].normal.x == 1 || out[i].normal.y == 1));
    }
    free_shape(&mesh), free_shape(&box);
}

/* What is no outline is told; two outlines, or one and a half-plane, do not touch. */
TEST(odd_lines)
{
    tl_error why = {0};
    tl_shape2 s, plane;
    const tl_vec2 point[3] = {{0, 0}, {1, 0}, {0, (double)NAN}};
    const int32_t edges[3][2] = {{0, 1}, {1, 3}, {0, 0}};
    CHECK(tl_shape2_mesh(&s, tl_memory_default(), &(tl_edges2){point, 3, edges, 1}, &why) == TALUS_INPUT && strstr(why.text, "point 3"));
    CHECK(tl_shape2_mesh(&s, tl_memory_default(), &(tl_edges2){point, 2, edges, 2}, &why) == TALUS_INPUT && strstr(why.text, "edge 2 of an outline ends"));
    CHECK(tl_shape2_mesh(&s, tl_memory_default(), &(tl_edges2){point, 2, edges + 2, 1}, &why) == TALUS_INPUT &&
          strstr(why.text, "edge 1 of an outline has no"));
    CHECK(tl_shape2_mesh(&s, tl_memory_default(), &(tl_edges2){point, 2, edges, 0}, &why) == TALUS_INPUT && strstr(why.text, "not 0"));
    const line l = ground(4, 0);
    tl_shape2 mesh = make_mesh(&l), again = make_mesh(&l);
    CHECK_OK(tl_shape2_half_plane(&plane, tl_v2(0, 0), tl_v2(0, 1), &why), why.text);
    const tl_pose2 here = {0, 0, 1, 0, 0};
    tl_touch2 out[TL_TOUCHES2];
    CHECK(tl_touch2_find(&mesh, &here, &again, &here, 1, out) == 0 && tl_touch2_find(&mesh, &here, &plane, &here, 1, out) == 0);
    CHECK(tl_touch2_limit(&mesh, &plane) == TL_TOUCHES2 && tl_mesh2_bytes(mesh.mesh) > 0);
    free_shape(&mesh), free_shape(&again);
}

int main(int argc, char **argv)
{
    RUN(disks_on_ground);
    RUN(polygons_beside_their_skins);
    RUN(straight_lines);
    RUN(as_made_anew);
    RUN(pieces_at_a_corner);
    RUN(flush_and_gaps);
    RUN(in_the_corner);
    RUN(odd_lines);
    return TEST_RESULT;
}
