/* Pair functions against an independent geometry.
 *
 * Two convex cores A and B (a point, a segment, a polygon) meet the origin through their difference C = {b − a}: its hull, built
 * here from all corner differences, contains the origin when they overlap; the nearest point of its outline gives distance or
 * least overlap, and the normal. Rounding radii are subtracted. Lengths are of order 1, so all of it is known to a few 1e-15;
 * slivers lose a factor of length over width. What the pair functions promise on top: ties between the two shapes' edges go to
 * the first when less than 1e-3 of the overlap (or 1e-9 of an edge) is at stake, so that is how far the least overlap may be
 * missed; and a corner whose distance from an edge's line and from its end are equal to rounding, 1e-15, so that it lies within
 * √(2 · 1e-15) ~ 5e-8 of the end, counts as on the edge. */
#include "detect/narrow2.h"
#include "test.h"

static tl_random rnd;

static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

/* ---- the independent geometry ------------------------------------------------------------------------------------- */

enum { MOST = TL_CORNERS * TL_CORNERS };

typedef struct expected {
    double gap;     /* signed */
    double depth;   /* of the cores; > 0 when they overlap */
    tl_vec2 normal; /* from a to b; only where `certain` */
    bool certain;   /* no other normal is as good to 1e-6 */
    double rival;   /* second best overlap − best overlap, over edges with another direction */
} expected;

static int by_x(const void *a, const void *b)
{
    const tl_vec2 *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

static int hull(tl_vec2 *points, int n, tl_vec2 *out)
{
    qsort(points, (size_t)n, sizeof *points, by_x);
    int k = 0;
    for (int pass = 0; pass < 2; pass++) {
        const int start = k;
        for (int i = 0; i < n; i++) {
            const tl_vec2 p = points[pass ? n - 1 - i : i];
            while (k >= start + 2 && tl_cross2(tl_sub2(out[k - 1], out[k - 2]), tl_sub2(p, out[k - 2])) <= 0) k--;
            out[k++] = p;
        }
        k--;
    }
    return k > 0 ? k : 1;
}

static int core(const tl_shape2 *s, const tl_pose2 *pose, tl_vec2 *out)
{
    const double c = cos(pose->angle), sine = sin(pose->angle);
    for (int i = 0; i < s->count; i++) {
        const tl_vec2 p = s->kind == TL_POLYGON ? s->corner[i] : s->centre;
        out[i] = tl_v2(pose->x + c * p.x - sine * p.y, pose->y + sine * p.x + c * p.y);
    }
    return s->count;
}

static double to_segment(tl_vec2 p, tl_vec2 q, tl_vec2 x, tl_vec2 *nearest)
{
    const tl_vec2 e = tl_sub2(q, p);
    const double ee = tl_dot2(e, e), f = ee > 0 ? fmin(1, fmax(0, tl_dot2(tl_sub2(x, p), e) / ee)) : 0;
    *nearest = tl_add2(p, tl_scale2(f, e));
    return tl_norm2(tl_sub2(x, *nearest));
}

static expected measure(const tl_shape2 *a, const tl_pose2 *pa, const tl_shape2 *b, const tl_pose2 *pb)
{
    tl_vec2 A[TL_CORNERS], B[TL_CORNERS], difference[MOST], C[2 * MOST + 2];
    const int na = core(a, pa, A), nb = core(b, pb, B);
    int n = 0;
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++) difference[n++] = tl_sub2(B[j], A[i]);
    const int corners = hull(difference, n, C);
    const tl_vec2 origin = {0, 0};
    bool inside = corners > 2;
    double best = (double)INFINITY;
    tl_vec2 near = C[0];
    for (int i = 0; i < corners; i++) {
        const tl_vec2 p = C[i], q = C[(i + 1) % corners];
        tl_vec2 foot;
        const double d = to_segment(p, q, origin, &foot);
        if (d < best) best = d, near = foot;
        inside = inside && tl_cross2(tl_sub2(q, p), tl_sub2(origin, p)) >= 0;
    }
    expected e = {.certain = best > 1e-6, .rival = (double)INFINITY};
    if (best > 0) e.normal = tl_scale2((inside ? -1 : 1) / best, near);
    e.depth = inside ? best : 0;
    e.gap = (inside ? -best : best) - a->radius - b->radius;
    for (int i = 0; inside && i < corners; i++) { /* distances of the origin from the lines of other edges */
        const tl_vec2 p = C[i], q = C[(i + 1) % corners], edge = tl_sub2(q, p);
        const double length = tl_norm2(edge);
        if (length < 1e-9) continue;
        const tl_vec2 outward = {edge.y / length, -edge.x / length};
        if (tl_dot2(outward, e.normal) < -1 + 1e-9) continue; /* this is the one */
        e.rival = fmin(e.rival, tl_dot2(outward, p) - best);
    }
    return e;
}

static double outside_core(const tl_shape2 *s, const tl_pose2 *pose, tl_vec2 x) /* distance from the core, 0 inside */
{
    const tl_vec2 points[1] = {x};
    tl_vec2 corner[TL_CORNERS], foot;
    const int n = core(s, pose, corner);
    double best = (double)INFINITY;
    bool inside = n > 2;
    for (int i = 0; i < n; i++) {
        best = fmin(best, to_segment(corner[i], corner[(i + 1) % n], points[0], &foot));
        inside = inside && tl_cross2(tl_sub2(corner[(i + 1) % n], corner[i]), tl_sub2(x, corner[i])) >= 0;
    }
    return inside ? 0 : best;
}

/* ---- random shapes ------------------------------------------------------------------------------------------------ */

static tl_shape2 make(const tl_vec2 *corners, int count, double radius)
{
    tl_shape2 s;
    tl_error why;
    CHECK_OK(tl_shape2_round_hull(&s, tl_memory_default(), corners, count, radius, &why), why.text);
    return s;
}

static tl_shape2 make_half_plane(double x, double y, double nx, double ny)
{
    tl_shape2 s;
    tl_error why;
    CHECK_OK(tl_shape2_half_plane(&s, tl_v2(x, y), tl_v2(nx, ny), &why), why.text);
    return s;
}

static tl_shape2 random_shape(int kind)
{
    tl_vec2 p[TL_CORNERS];
    const double thick = uniform(0, 1) < 0.3 ? 0 : uniform(0.01, 0.4), squeeze = uniform(0, 1) < 0.2 ? uniform(0.01, 0.1) : 1;
    for (;;) {
        const int count = kind == 0 ? 1 : kind == 1 ? 2 : 3 + tl_random_int(&rnd, tl_random_int(&rnd, 4) ? 4 : 14);
        for (int i = 0; i < count; i++) {
            const double angle = uniform(0, 2 * TL_PI), r = uniform(0.5, 1);
            p[i] = tl_v2(r * cos(angle), squeeze * r * sin(angle));
        }
        if (kind == 2 && uniform(0, 1) < 0.2) { /* a box: parallel edges */
            const double w = uniform(0.2, 1), h = squeeze * uniform(0.2, 1);
            const tl_vec2 box[4] = {{-w, -h}, {w, -h}, {w, h}, {-w, h}};
            return make(box, 4, thick);
        }
        tl_shape2 s;
        tl_error why;
        if (kind == 0) return make(p, 1, uniform(0.05, 1));
        if (tl_shape2_round_hull(&s, tl_memory_default(), p, count, thick, &why) == TALUS_OK) return s;
    }
}

static void free_shape(tl_shape2 *s) { tl_shape2_free(s, tl_memory_default()); }

/* Places b so that its bounding disk nearly touches or overlaps that of a. */
static void place(const tl_shape2 *a, const tl_shape2 *b, tl_pose2 *pa, tl_pose2 *pb)
{
    *pa = tl_pose2_at(uniform(-3, 3), uniform(-3, 3), uniform(-4, 4));
    const double angle = uniform(0, 2 * TL_PI), r = uniform(0, 1.05) * (a->reach + b->reach);
    const bool aligned = uniform(0, 1) < 0.1;
    *pb = tl_pose2_at(pa->x + r * cos(angle), pa->y + r * sin(angle), aligned ? pa->angle : uniform(-4, 4));
}

/* ---- what every touch must satisfy -------------------------------------------------------------------------------- */

static const double TINY = 1e-12; /* rounding: lengths of order 1, divided by widths ≥ 0.01 */

static void check_pair(const tl_shape2 *a, const tl_pose2 *pa, const tl_shape2 *b, const tl_pose2 *pb, double alert)
{
    tl_touch2 t[TL_CORNERS];
    const int n = tl_touch2_find(a, pa, b, pb, alert, t);
    const expected e = measure(a, pa, b, pb);
    CHECK(n <= tl_touch2_limit(a, b) && n <= 2);
    const double choice = 1e-3 * e.depth * 1.01 + 1e-7;
    if (e.gap > alert + choice) CHECK(n == 0);
    if (e.gap < alert - choice) CHECK(n >= 1);
    if (n == 0) return;
    double least = t[0].gap;
    for (int i = 0; i < n; i++) {
        least = fmin(least, t[i].gap);
        CHECK(t[i].gap < alert);
        CHECK_NEAR(tl_norm2(t[i].normal), 1, 1e-14);
        CHECK(t[i].feature >= 0 && t[i].feature < TL_FEATURES);
        /* midway between a point of a's outline and one of b's; on neither side beyond the shape */
        const tl_vec2 on_a = tl_sub2(t[i].point, tl_scale2(0.5 * t[i].gap, t[i].normal));
        const tl_vec2 on_b = tl_add2(t[i].point, tl_scale2(0.5 * t[i].gap, t[i].normal));
        CHECK(outside_core(a, pa, on_a) <= a->radius + choice);
        CHECK(outside_core(b, pb, on_b) <= b->radius + choice);
    }
    CHECK(n < 2 || t[0].feature < t[1].feature);
    CHECK_NEAR(least, e.gap, choice + TINY);
    if (e.certain && e.rival > 2 * choice) CHECK(tl_dot2(t[0].normal, e.normal) > 1 - (e.depth > 0 ? 1e-9 : 1e-5));

    /* the other way round: the same, reversed, except where a's edges come first */
    tl_touch2 back[TL_CORNERS];
    const int m = tl_touch2_find(b, pb, a, pa, alert, back);
    if (e.rival <= 2 * choice || fabs(e.gap - alert) < 1e-8) return;
    double least_back = (double)INFINITY;
    for (int i = 0; i < m; i++) least_back = fmin(least_back, back[i].gap);
    CHECK_NEAR(least_back, least, 5e-9);
    if (m > 0 && e.certain) CHECK(tl_dot2(back[0].normal, t[0].normal) < -1 + 1e-5);
}

static void check_motion(const tl_shape2 *a, const tl_pose2 *pa, const tl_shape2 *b, const tl_pose2 *pb, double alert)
{
    const tl_pose2 motion = tl_pose2_at(uniform(-5, 5), uniform(-5, 5), uniform(-4, 4)), *both[2] = {pa, pb};
    tl_pose2 moved[2];
    for (int i = 0; i < 2; i++) {
        const tl_vec2 p = tl_to_world2(&motion, tl_v2(both[i]->x, both[i]->y));
        moved[i] = tl_pose2_at(p.x, p.y, both[i]->angle + motion.angle);
    }
    tl_touch2 t[TL_CORNERS], u[TL_CORNERS];
    const expected e = measure(a, pa, b, pb);
    const int n = tl_touch2_find(a, pa, b, pb, alert, t), m = tl_touch2_find(a, &moved[0], b, &moved[1], alert, u);
    if (fabs(e.gap - alert) < 1e-8 || e.rival < 2e-3 * e.depth + 1e-8) return; /* on an edge between two answers */
    bool clear = n > 0 && e.certain;
    for (int i = 0; i < n; i++) clear = clear && t[i].gap < alert - 1e-8;
    if (!clear || n != m) {
        CHECK((n > 0) == (m > 0));
        return;
    }
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(u[i].gap, t[i].gap, 1e-8);
        const tl_vec2 normal = tl_rotate2(&motion, t[i].normal);
        if (e.depth > 1e-6 || e.gap + a->radius + b->radius > 1e-4) CHECK_NEAR(tl_norm2(tl_sub2(normal, u[i].normal)), 0, 1e-8);
    }
}

enum { PAIRS = 120000 };

TEST(random_pairs)
{
    rnd = tl_random_seed(1);
    int found = 0, deep = 0, two = 0;
    for (int k = 0; k < PAIRS / 8; k++) {
        tl_shape2 a = random_shape(tl_random_int(&rnd, 3)), b = random_shape(tl_random_int(&rnd, 3));
        for (int i = 0; i < 8; i++) {
            tl_pose2 pa, pb;
            place(&a, &b, &pa, &pb);
            const double alert = uniform(0, 1) < 0.5 ? uniform(0, 0.02) : uniform(0, 0.5);
            check_pair(&a, &pa, &b, &pb, alert);
            if (i == 0) check_motion(&a, &pa, &b, &pb, alert);
            tl_touch2 t[TL_CORNERS];
            const int n = tl_touch2_find(&a, &pa, &b, &pb, alert, t);
            found += n > 0, two += n == 2, deep += n > 0 && t[0].gap < -a.radius - b.radius;
        }
        free_shape(&a);
        free_shape(&b);
    }
    CHECK(found > PAIRS / 4 && two > PAIRS / 100 && deep > PAIRS / 20); /* all kinds of answers were seen */
}

/* Every corner below the alert distance, its own depth, the plane's normal. */
/* A box without an end but where the normal is exactly an axis; then nothing beyond it lies behind the line. */
TEST(boxes_of_half_planes)
{
    static const tl_vec2 AXES[4] = {{3, 0}, {-2, 0}, {0, 0.5}, {0, -7}};
    const tl_pose2 moved = {10, 20, 1, 0, 0};
    for (int i = 0; i < 4; i++) {
        const tl_shape2 plane = make_half_plane(1, 2, AXES[i].x, AXES[i].y);
        const tl_box2 box = tl_shape2_box(&plane, &moved);
        const double ends[4] = {box.high.x, box.low.x, box.high.y, box.low.y}, along[4] = {11, 11, 22, 22};
        for (int k = 0; k < 4; k++) CHECK(k == i ? ends[k] == along[k] : isinf(ends[k]));
        const tl_pose2 turned = tl_pose2_at(10, 20, 1e-9);
        const tl_box2 all = tl_shape2_box(&plane, &turned);
        CHECK(isinf(all.low.x) && isinf(all.low.y) && isinf(all.high.x) && isinf(all.high.y));
    }
}

TEST(half_planes)
{
    rnd = tl_random_seed(2);
    for (int k = 0; k < 20000; k++) {
        tl_shape2 s = random_shape(tl_random_int(&rnd, 3));
        const double angle = uniform(-4, 4);
        tl_shape2 plane = make_half_plane(uniform(-1, 1), uniform(-1, 1), 3 * cos(angle), 3 * sin(angle));
        const tl_pose2 pp = tl_pose2_at(uniform(-1, 1), uniform(-1, 1), uniform(-4, 4));
        const tl_vec2 n = {cos(angle + pp.angle), sin(angle + pp.angle)}, o = tl_to_world2(&pp, plane.centre);
        const double height = uniform(-1, 2);
        const tl_pose2 ps = tl_pose2_at(o.x + height * n.x - uniform(-9, 9) * n.y, o.y + height * n.y, uniform(-4, 4));
        const double alert = uniform(0, 0.1);
        tl_vec2 corner[TL_CORNERS];
        const int corners = core(&s, &ps, corner);
        tl_touch2 t[TL_CORNERS], u[TL_CORNERS];
        const int found = tl_touch2_find(&plane, &pp, &s, &ps, alert, t), back = tl_touch2_find(&s, &ps, &plane, &pp, alert, u);
        int wanted = 0;
        CHECK(found <= tl_touch2_limit(&plane, &s) && found == back);
        for (int i = 0; i < corners; i++) {
            const double gap = tl_dot2(n, tl_sub2(corner[i], o)) - s.radius;
            if (fabs(gap - alert) < TINY) {
                wanted = -1;
                break;
            }
            if (gap >= alert) continue;
            if (wanted < found) {
                CHECK_NEAR(t[wanted].gap, gap, 1e-13);
                CHECK_NEAR(tl_norm2(tl_sub2(t[wanted].normal, n)), 0, 1e-14);
                CHECK_NEAR(tl_dot2(n, tl_sub2(t[wanted].point, o)), 0.5 * gap, 1e-13);
                CHECK_NEAR(tl_dot2(tl_v2(-n.y, n.x), tl_sub2(t[wanted].point, corner[i])), 0, 1e-13);
                CHECK_NEAR(tl_norm2(tl_add2(t[wanted].normal, u[wanted].normal)), 0, 0);
                CHECK_NEAR(u[wanted].gap, t[wanted].gap, 0);
            }
            wanted++;
        }
        if (wanted >= 0) CHECK(found == wanted);
        free_shape(&s);
    }
}

/* ---- degenerate ---------------------------------------------------------------------------------------------------- */

static tl_shape2 box(double w, double h, double radius)
{
    const tl_vec2 p[4] = {{-w, -h}, {w, -h}, {w, h}, {-w, h}};
    return make(p, 4, radius);
}

/* Boxes flush on each other, in any pose, just apart or just overlapping by rounding: two contacts at the ends of the common
 * edge. */
TEST(flush_boxes)
{
    rnd = tl_random_seed(3);
    const double gaps[] = {0, 1e-16, -1e-16, 1e-15, -1e-15, 1e-13, -1e-13, 1e-6, -1e-6};
    for (int k = 0; k < 9000; k++) {
        const double w[2] = {uniform(0.1, 1), uniform(0.1, 1)}, gap = gaps[k % 9];
        const bool equal = tl_random_int(&rnd, 2);
        tl_shape2 a = box(w[0], 0.3, 0), b = box(equal ? w[0] : w[1], 0.2, 0);
        const double angle = k < 900 ? 0 : uniform(-4, 4), shift = equal ? 0 : uniform(-0.5, 0.5) * (w[0] + w[1]);
        const tl_pose2 pa = tl_pose2_at(uniform(-1, 1), uniform(-1, 1), angle);
        const tl_vec2 p = tl_to_world2(&pa, tl_v2(shift, 0.5 + gap));
        const tl_pose2 pb = tl_pose2_at(p.x, p.y, angle + (k % 2 ? TL_PI : 0));
        tl_touch2 t[2];
        const int n = tl_touch2_find(&a, &pa, &b, &pb, 1e-3, t);
        CHECK(n == 2);
        const double other = equal ? w[0] : w[1], low = fmax(-w[0], shift - other), high = fmin(w[0], shift + other);
        double seen = 0;
        for (int i = 0; i < n; i++) {
            const tl_vec2 x = tl_to_local2(&pa, t[i].point), normal = tl_unrotate2(&pa, t[i].normal);
            CHECK_NEAR(normal.y, 1, 1e-14);
            CHECK_NEAR(normal.x, 0, 1e-14);
            CHECK_NEAR(t[i].gap, gap, 2e-15);
            CHECK_NEAR(x.y, 0.3 + 0.5 * gap, 2e-15);
            CHECK(fabs(x.x - low) < 1e-14 || fabs(x.x - high) < 1e-14);
            seen += x.x;
        }
        CHECK_NEAR(seen, low + high, 1e-14); /* one at each end */
        free_shape(&a);
        free_shape(&b);
    }
}

/* On one line: end to end, one within the other, a disk in the line; at multiples of 45° too, where rounding differs. */
TEST(on_one_line)
{
    const tl_vec2 ends[2] = {{-0.5, 0}, {0.5, 0}}, centre = {0, 0};
    for (int k = 0; k < 1000; k++) {
        const double radius = k % 2 ? 0.1 : 0, apart = 0.03 * (k / 9 % 40) - 0.05, gap = apart - radius - 0.05;
        if (fabs(gap - 0.2) < 1e-9 || fabs(apart) < 1e-9) continue;
        tl_shape2 a = make(ends, 2, radius), b = make(ends, 2, 0.05), disk = make(&centre, 1, 0.05);
        const double angle = 0.25 * TL_PI * (k % 9);
        const tl_pose2 pa = tl_pose2_at(0.1 * k, 0.7, angle);
        const tl_vec2 beyond = tl_to_world2(&pa, tl_v2(1 + apart, 0)), at_disk = tl_to_world2(&pa, tl_v2(0.5 + apart, 0));
        const tl_pose2 pb = tl_pose2_at(beyond.x, beyond.y, angle + (k % 3 ? 0 : TL_PI));
        const tl_pose2 pd = tl_pose2_at(at_disk.x, at_disk.y, 1);
        tl_touch2 t[2];
        const int n = tl_touch2_find(&a, &pa, &b, &pb, 0.2, t);
        const int m = apart > 0 ? tl_touch2_find(&a, &pa, &disk, &pd, 0.2, t + 1) : 1;
        if (apart > 0) {
            CHECK(n == (gap < 0.2) && m == n);
            if (n == 1) CHECK_NEAR(t[0].gap, gap, 1e-12);
            if (m == 1) CHECK_NEAR(t[1].gap, gap, 1e-12);
        } else CHECK(n >= 1 && fabs(t[0].gap + radius + 0.05) < 1e-12); /* cores overlap along the line: no depth but the radii */
        free_shape(&a);
        free_shape(&b);
        free_shape(&disk);
    }
}

/* Corner on corner, coincident centres, a shape on itself, crossing slivers: an answer with unit normals and the right depth. */
TEST(odd_pairs)
{
    rnd = tl_random_seed(4);
    for (int k = 0; k < 4000; k++) {
        tl_shape2 a = box(uniform(0.1, 1), uniform(0.1, 1), k % 3 ? 0 : 0.05);
        tl_shape2 b = box(uniform(0.1, 1), uniform(0.1, 1), k % 5 ? 0 : 0.05);
        const tl_pose2 pa = tl_pose2_at(0, 0, 0);
        const double noise = k % 2 ? 0 : uniform(-1e-16, 1e-16);
        /* diagonal: the corners meet */
        const tl_pose2 diagonal = tl_pose2_at(a.corner[2].x - b.corner[0].x + noise, a.corner[2].y - b.corner[0].y + noise, 0);
        tl_touch2 t[2];
        int n = tl_touch2_find(&a, &pa, &b, &diagonal, 1e-3, t);
        CHECK(n >= 1);
        if (n >= 1) {
            CHECK_NEAR(n == 2 ? fmin(t[0].gap, t[1].gap) : t[0].gap, -a.radius - b.radius, 1e-15);
            CHECK(t[0].normal.x > -1e-9 && t[0].normal.y > -1e-9); /* within the corner's cone */
            CHECK_NEAR(tl_norm2(t[0].normal), 1, 1e-14);
        }
        /* one corner on the other's upright corner */
        const tl_pose2 upright =
            tl_pose2_at(a.corner[2].x, a.corner[2].y + hypot(b.corner[0].x, b.corner[0].y), -0.5 * TL_PI - atan2(b.corner[0].y, b.corner[0].x));
        n = tl_touch2_find(&a, &pa, &b, &upright, 1e-3, t);
        CHECK(n >= 1);
        if (n >= 1) CHECK_NEAR(n == 2 ? fmin(t[0].gap, t[1].gap) : t[0].gap, -a.radius - b.radius, 1e-14);
        check_pair(&a, &pa, &b, &pa, 1e-3);
        check_pair(&a, &pa, &a, &pa, 1e-3);
        free_shape(&a);
        free_shape(&b);
    }
    const tl_vec2 centre = {0, 0};
    tl_shape2 disk = make(&centre, 1, 0.3);
    const tl_pose2 here = tl_pose2_at(1, 2, 0.3);
    tl_touch2 t;
    CHECK(tl_touch2_find(&disk, &here, &disk, &here, 0, &t) == 1);
    CHECK_NEAR(t.gap, -0.6, 1e-15);
    CHECK_NEAR(tl_norm2(t.normal), 1, 1e-15);
    for (int k = 0; k < 20000; k++) { /* slivers: a million times longer than wide */
        const tl_vec2 p[3] = {{0, 0}, {1, uniform(0, 1e-6)}, {uniform(0.3, 0.7), uniform(1e-6, 3e-6)}};
        tl_shape2 a = make(p, 3, 0), b = random_shape(1 + tl_random_int(&rnd, 2));
        tl_pose2 pa, pb;
        place(&a, &b, &pa, &pb);
        tl_touch2 u[2];
        const int n = tl_touch2_find(&a, &pa, &b, &pb, 0.01, u);
        const expected e = measure(&a, &pa, &b, &pb);
        double least = (double)INFINITY;
        for (int i = 0; i < n; i++) least = fmin(least, u[i].gap);
        if (fabs(e.gap - 0.01) > 1e-8) CHECK((n > 0) == (e.gap < 0.01));
        if (n > 0) CHECK_NEAR(least, e.gap, 1.01e-3 * e.depth + 1e-8); /* rounding 1e-15 × length/width, and the ties */
        free_shape(&a);
        free_shape(&b);
    }
}

/* ---- mass properties ---------------------------------------------------------------------------------------------- */

/* Green's theorem along the outline, Gauss quadrature of order 8 on straight pieces and on 32nds of arcs. */
typedef struct moments {
    double area, x, y, second;
} moments;

static void add_arc(moments *m, double x, double y, double dx, double dy, double weight)
{
    m->area += weight * 0.5 * (x * dy - y * dx);
    m->x += weight * 0.5 * x * x * dy;
    m->y -= weight * 0.5 * y * y * dx;
    m->second += weight / 3 * (x * x * x * dy - y * y * y * dx);
}

static moments along_outline(const tl_shape2 *s)
{
    static const double NODE[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
    static const double WEIGHT[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    moments m = {0};
    const double r = s->radius;
    for (int i = 0; i < s->count; i++) {
        const tl_vec2 p = s->kind == TL_DISK ? s->centre : s->corner[i];
        const tl_vec2 q = s->kind == TL_DISK ? p : s->corner[(i + 1) % s->count];
        const tl_vec2 past = s->kind == TL_DISK ? p : s->corner[(i + 2) % s->count], e = tl_sub2(q, p), f = tl_sub2(past, q);
        const double length = tl_norm2(e), from = s->kind == TL_DISK ? 0 : atan2(-e.x, e.y);
        double to = s->kind == TL_DISK ? 2 * TL_PI : atan2(-f.x, f.y);
        while (to <= from) to += 2 * TL_PI;
        for (int k = 0; k < 8; k++) {
            const double u = 0.5 * (1 + (k < 4 ? NODE[k] : -NODE[k - 4])), weight = 0.5 * WEIGHT[k % 4];
            if (length > 0) add_arc(&m, p.x + u * e.x + r * cos(from), p.y + u * e.y + r * sin(from), e.x, e.y, weight);
            for (int piece = 0; piece < 32; piece++) {
                const double step = (to - from) / 32, angle = from + (piece + u) * step;
                add_arc(&m, q.x + r * cos(angle), q.y + r * sin(angle), -r * sin(angle) * step, r * cos(angle) * step, weight);
            }
        }
    }
    return m;
}

TEST(mass_properties)
{
    rnd = tl_random_seed(5);
    for (int k = 0; k < 20000; k++) {
        tl_shape2 s = random_shape(tl_random_int(&rnd, 3));
        if (tl_random_int(&rnd, 2)) tl_shape2_shift(&s, tl_v2(uniform(-2, 2), uniform(-2, 2)));
        const tl_area2 got = tl_shape2_area(&s);
        const moments m = along_outline(&s);
        CHECK_NEAR(got.area, m.area, 1e-13 * 10);
        if (m.area > 1e-6) {
            CHECK_NEAR(got.centroid.x, m.x / m.area, 1e-12 / m.area);
            CHECK_NEAR(got.centroid.y, m.y / m.area, 1e-12 / m.area);
        }
        CHECK_NEAR(got.moment + got.area * tl_dot2(got.centroid, got.centroid), m.second, 1e-11);
        /* the box holds the shape and touches it on all four sides */
        const tl_pose2 pose = tl_pose2_at(uniform(-3, 3), uniform(-3, 3), uniform(-4, 4));
        const tl_box2 bounds = tl_shape2_box(&s, &pose);
        tl_vec2 c[TL_CORNERS], low = {1e9, 1e9}, high = {-1e9, -1e9};
        for (int i = 0; i < core(&s, &pose, c); i++) {
            low = tl_v2(fmin(low.x, c[i].x - s.radius), fmin(low.y, c[i].y - s.radius));
            high = tl_v2(fmax(high.x, c[i].x + s.radius), fmax(high.y, c[i].y + s.radius));
            CHECK(tl_norm2(s.kind == TL_DISK ? s.centre : s.corner[i]) + s.radius <= s.reach + 1e-14);
        }
        CHECK_NEAR(tl_norm2(tl_sub2(bounds.low, low)) + tl_norm2(tl_sub2(bounds.high, high)), 0, 1e-13);
        free_shape(&s);
    }
    const tl_vec2 unit[2] = {{0, 0}, {2, 0}}; /* by hand: a stadium 2 long, radius ½ */
    tl_shape2 stadium = make(unit, 2, 0.5);
    CHECK_CLOSE(tl_shape2_area(&stadium).area, 2 + 0.25 * TL_PI, 1e-15);
    CHECK_NEAR(tl_shape2_area(&stadium).centroid.x, 1, 1e-15);
    free_shape(&stadium);
}

/* Convex hull of any points in any order: inner ones dropped, counterclockwise, normals outward. */
TEST(hulls)
{
    rnd = tl_random_seed(6);
    for (int k = 0; k < 20000; k++) {
        tl_vec2 p[TL_CORNERS];
        const int n = 3 + tl_random_int(&rnd, TL_CORNERS - 2);
        for (int i = 0; i < n; i++) p[i] = tl_v2(uniform(-1, 1), uniform(-1, 1));
        if (k % 3 == 0) p[n - 1] = p[0];                            /* twice the same */
        if (k % 4 == 0) p[1] = tl_scale2(0.5, tl_add2(p[0], p[2])); /* on an edge, or inside */
        tl_shape2 s;
        tl_error why;
        if (tl_shape2_round_hull(&s, tl_memory_default(), p, n, 0, &why) != TALUS_OK) continue;
        CHECK(s.count >= 3 && s.count <= n);
        for (int i = 0; i < s.count; i++) {
            const tl_vec2 a = s.corner[i], e = tl_sub2(s.corner[(i + 1) % s.count], a);
            CHECK_NEAR(tl_dot2(e, s.edge_normal[i]), 0, 1e-15);
            CHECK_NEAR(tl_norm2(s.edge_normal[i]), 1, 1e-15);
            for (int j = 0; j < n; j++) CHECK(tl_dot2(s.edge_normal[i], tl_sub2(p[j], a)) <= 1e-14 / fmax(1e-3, tl_norm2(e)));
        }
        free_shape(&s);
    }
    tl_shape2 s;
    tl_error why;
    const tl_memory heap = tl_memory_default();
    const tl_vec2 line[3] = {{0, 0}, {1, 1}, {2, 2}}, twice[2] = {{1, 1}, {1, 1}}, one = {0, 0};
    const tl_vec2 nan[3] = {{0, 0}, {1, 0}, {0, (double)NAN}};
    CHECK(tl_shape2_round_hull(&s, heap, line, 3, 0, &why) == TALUS_INPUT && why.text[0]);
    CHECK(tl_shape2_round_hull(&s, heap, twice, 2, 1, &why) == TALUS_INPUT);
    CHECK(tl_shape2_round_hull(&s, heap, nan, 3, 0, &why) == TALUS_INPUT);
    CHECK(tl_shape2_round_hull(&s, heap, &one, 1, 0, &why) == TALUS_INPUT);
    CHECK(tl_shape2_round_hull(&s, heap, &one, 1, (double)NAN, &why) == TALUS_INPUT);
    CHECK(tl_shape2_round_hull(&s, heap, &one, 0, 1, &why) == TALUS_INPUT);
    CHECK(tl_shape2_half_plane(&s, one, one, &why) == TALUS_INPUT);
}

int main(int argc, char **argv)
{
    RUN(random_pairs);
    RUN(half_planes);
    RUN(boxes_of_half_planes);
    RUN(flush_boxes);
    RUN(on_one_line);
    RUN(odd_pairs);
    RUN(mass_properties);
    RUN(hulls);
    return TEST_RESULT;
}
