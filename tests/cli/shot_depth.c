/* Who hides whom in a picture of a run in space: at every pixel the nearest of the bodies, by the roots of their own equations. */
#include "shot.h"

/* ---- the reference: a ray along the view through a point of the page ------------------------------------------------ */

/* Interval of the ray o + t d within a box about c; how far it comes towards the camera is t. */
static bool meets_box(const body3 *b, const double o[3], const double d[3], double *t)
{
    double from = -(double)INFINITY, to = (double)INFINITY;
    for (int k = 0; k < 3; k++) {
        if (fabs(d[k]) < 1e-12) {
            if (fabs(o[k] - b->at[k]) > b->size[k]) return false;
            continue;
        }
        const double p = (b->at[k] - b->size[k] - o[k]) / d[k], q = (b->at[k] + b->size[k] - o[k]) / d[k];
        from = fmax(from, fmin(p, q)), to = fmin(to, fmax(p, q));
    }
    *t = to;
    return from < to;
}

static bool meets_ball(const body3 *b, const double o[3], const double d[3], double *t)
{
    const double m[3] = {o[0] - b->at[0], o[1] - b->at[1], o[2] - b->at[2]}, p = along(m, d), q = p * p - along(m, m) + b->size[0] * b->size[0];
    if (q < 0) return false;
    *t = -p + sqrt(q);
    return true;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* By the volumes that the ray spans with each edge. */
static bool meets_triangle(const body3 *b, const double o[3], const double d[3], double *t)
{
    double corner[3][3], volume[3], n[3], edge[2][3];
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) corner[c][k] = b->at[k] + TRIANGLE[c][k] * b->size[k] - o[k];
    for (int c = 0; c < 3; c++) {
        cross(corner[c], corner[(c + 1) % 3], n);
        volume[c] = along(n, d);
    }
    if (!((volume[0] > 0) == (volume[1] > 0) && (volume[1] > 0) == (volume[2] > 0))) return false;
    for (int k = 0; k < 3; k++) edge[0][k] = corner[1][k] - corner[0][k], edge[1][k] = corner[2][k] - corner[0][k];
    cross(edge[0], edge[1], n);
    *t = along(n, corner[0]) / along(n, d);
    return true;
}

/* Material of the nearest body; −1: none. x, y: on the page [m]. */
static int nearest(const space *s, const body3 *body, int n, double x, double y)
{
    double o[3], best = -(double)INFINITY, t;
    int found = -1;
    for (int k = 0; k < 3; k++) o[k] = x * s->right[k] + y * s->up[k];
    for (int i = 0; i < n; i++) {
        const bool hit = body[i].kind == REPLAY_POLYHEDRON ? meets_box(&body[i], o, s->toward, &t)
                         : body[i].kind == REPLAY_MESH     ? meets_triangle(&body[i], o, s->toward, &t)
                                                           : meets_ball(&body[i], o, s->toward, &t);
        if (hit && t > best) best = t, found = body[i].material;
    }
    return found;
}

static int material_of(pixel c)
{
    if (is_paper(c)) return -1;
    return c.r > 1.18 * c.g && c.r > 1.2 * c.b ? 2 : c.g > 1.1 * c.r && c.g > 1.1 * c.b ? 3 : c.b > c.r ? 1 : 0; /* brick, moss, slate, sand */
}

/* Every third pixel whose surroundings are of one material, by the reference. */
static void compare(const char *name, const body3 *body, int n, double azimuth, double elevation)
{
    int looked = 0, seen[5] = {0}, wrong = 0;
    space s = look(name, azimuth, elevation);
    for (int y = 2; y < s.i.height - s.i.width / 15; y += 3)
        for (int x = 2; x < s.i.width - 2; x += 3) {
            if (x < 120 && y > s.i.height - 220) continue; /* the axes */
            int at[25], other = 0;
            for (int k = 0; k < 25; k++) {
                const double dx = 0.8 * (k % 5 - 2), dy = 0.8 * (k / 5 - 2);
                at[k] = nearest(&s, body, n, (x + 0.5 + dx - s.left) / s.scale, (s.top - y - 0.5 - dy) / s.scale);
                other += at[k] != at[0]; /* 0.8 pixels apart */
            }
            if (other) continue;
            const pixel c = pixel_at(&s.i, x, y);
            looked++, seen[at[0] + 1]++;
            if (material_of(c) != at[0] && wrong++ < 3)
                TEST_FAIL("%s from %g, %g: pixel %d, %d is (%.2f %.2f %.2f), which is not of material %d", name, azimuth, elevation, x, y, c.r, c.g, c.b,
                          at[0]);
        }
    CHECK(looked > 10000 && seen[1] > 100 && seen[2] > 100 && wrong == 0);
    close_image(&s.i);
}

static const double VIEW[][2] = {{0, 0}, {30, 25}, {200, 40}, {-40, -15}, {20, 75}};
enum { VIEWS = sizeof VIEW / sizeof *VIEW };

/* Two slabs through each other: neither is behind the other. */
TEST(boxes)
{
    static const body3 BODY[] = {
        MARKERS, {REPLAY_POLYHEDRON, 0, {0, 0, 1}, {2, 0.5, 1.2}, false}, {REPLAY_POLYHEDRON, 1, {0.2, 0.3, 1.1}, {0.6, 2.5, 0.7}, false}};
    write_run("boxes", BODY, 4);
    for (int k = 0; k < VIEWS; k++) compare("boxes", BODY, 4, VIEW[k][0], VIEW[k][1]);
}

/* Balls that the plane of a triangle cuts. */
TEST(triangle)
{
    static const body3 BODY[] = {MARKERS,
                                 {REPLAY_MESH, 0, {0, 0, 1}, {3, 3, 2}, false},
                                 {REPLAY_SPHERE, 1, {0, 0, 1}, {0.8}, false},
                                 {REPLAY_SPHERE, 1, {1, -1, 0.3}, {0.7}, false},
                                 {REPLAY_POLYHEDRON, 1, {-1.1, 1, 0}, {0.5, 0.6, 0.4}, false}};
    write_run("triangle", BODY, 6);
    for (int k = 0; k < VIEWS; k++) compare("triangle", BODY, 6, VIEW[k][0], VIEW[k][1]);
}

/* Three bars, each before one and behind another: no order of whole bodies is right. */
TEST(ring)
{
    static const body3 BODY[] = {MARKERS,
                                 {REPLAY_POLYHEDRON, 0, {0, 0, 1}, {1.6, 0.2, 0.2}, false},
                                 {REPLAY_POLYHEDRON, 1, {1.2, 1.2, 1.4}, {0.2, 1.6, 0.2}, false},
                                 {REPLAY_POLYHEDRON, 3, {1.0, 0.4, 0}, {0.2, 0.2, 2.2}, false}};
    write_run("ring", BODY, 5);
    for (int k = 0; k < VIEWS; k++) compare("ring", BODY, 5, VIEW[k][0], VIEW[k][1]);
}

/* ---- outlines ----------------------------------------------------------------------------------------------------- */

/* Distance on the page to a segment that a body spans, between from and to. */
static double to_segment(const space *s, const double from[3], const double to[3], double x, double y)
{
    const double a[2] = {along(s->right, from), along(s->up, from)}, d[2] = {along(s->right, to) - a[0], along(s->up, to) - a[1]};
    const double size = d[0] * d[0] + d[1] * d[1], t = size > 0 ? fmin(fmax(((x - a[0]) * d[0] + (y - a[1]) * d[1]) / size, 0), 1) : 0;
    return hypot(x - a[0] - t * d[0], y - a[1] - t * d[1]);
}

/* A ball is a circle of its radius and a capsule a band with round ends: what is a pixel inside is covered, what is a pixel outside is not. */
TEST(outlines)
{
    static const body3 BODY[] = {MARKERS, {REPLAY_SPHERE, 1, {0.3, -1.5, 1}, {1.1}, false}, {REPLAY_CAPSULE, 0, {0, 2.2, 1.2}, {0.6, 0.9}, false}};
    write_run("outlines", BODY, 4);
    for (int k = 0; k < VIEWS; k++) {
        space s = look("outlines", VIEW[k][0], VIEW[k][1]);
        int covered = 0;
        for (int y = 0; y < s.i.height - s.i.width / 15; y++)
            for (int x = 120; x < s.i.width; x++) {
                const double at[2] = {(x + 0.5 - s.left) / s.scale, (s.top - y - 0.5) / s.scale}, px = 1.2 / s.scale;
                const double begin[3] = {0, 1.3, 1.2}, end[3] = {0, 3.1, 1.2};
                const double out = fmin(to_segment(&s, BODY[2].at, BODY[2].at, at[0], at[1]) - 1.1, to_segment(&s, begin, end, at[0], at[1]) - 0.6);
                const bool marked = fmin(to_segment(&s, MARKER[0], MARKER[0], at[0], at[1]), to_segment(&s, MARKER[1], MARKER[1], at[0], at[1])) < 0.2;
                const bool paper = is_paper(pixel_at(&s.i, x, y));
                if (marked || fabs(out) < px) continue;
                covered += out < 0;
                if (paper != (out > 0))
                    TEST_FAIL("from %g, %g: pixel %d, %d lies %g m outside, and is%s paper", VIEW[k][0], VIEW[k][1], x, y, out, paper ? "" : " no");
            }
        CHECK(covered > 10000);
        close_image(&s.i);
    }
}

int main(int argc, char **argv)
{
    snprintf(home, sizeof home, "/tmp/talus-depth-XXXXXX");
    if (!mkdtemp(home)) return 1;
    RUN(boxes);
    RUN(triangle);
    RUN(ring);
    RUN(outlines);
    nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return TEST_RESULT;
}
