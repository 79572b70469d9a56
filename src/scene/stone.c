/* The corners of random stones.
 *
 * Directions are spread evenly over the sphere. A block is cut by a few planes n·x ≤ d; of its gauge g_C(x) = max n·x/d and of |x| the mean
 *     g(x)² = (1 − b) |x|² + b g_C(x)²
 * is again the square of a gauge (a norm of two convex gauges is convex), and for b < 1 the body g ≤ 1 has no straight line in its surface.
 * So the points u/g(u) of whatever directions u are all corners of their hull. Angularity moves b from 0 to (nearly) 1 and the directions
 * from even ones to the block's own corners and to points along its edges. Axis ratios are an affine map: corners stay corners. */
#include "scene/stone.h"

#include <string.h>

enum { PLANES = 10, BLOCK_CORNERS = 2 * PLANES - 4, BLOCK_EDGES = 3 * PLANES - 6 };

typedef struct block {
    int planes, corners, edges;
    tl_vec3 normal[PLANES]; /* over its distance: the block is normal·x ≤ 1 */
    tl_vec3 corner[BLOCK_CORNERS];
    int on[BLOCK_CORNERS][3];
    int edge[BLOCK_EDGES][2];
} block;

static tl_vec3 random_direction(tl_random *random) /* by rejection: no function of libm but the root, so the same everywhere */
{
    tl_vec3 v;
    double square;
    do {
        v.x = tl_random_uniform(random, -1, 1);
        v.y = tl_random_uniform(random, -1, 1);
        v.z = tl_random_uniform(random, -1, 1);
        square = tl_dot(v, v);
    } while (square > 1 || square < 1e-4);
    return tl_scale(1 / sqrt(square), v);
}

/* Random directions that repel each other until they are spread about evenly. */
static void spread(tl_random *random, tl_vec3 *u, int n, int rounds)
{
    tl_vec3 force[TL_STONE_CORNERS];
    const double spacing = sqrt(4 * TL_PI / n);
    for (int i = 0; i < n; i++) u[i] = random_direction(random);
    for (int round = 0; round < rounds; round++) {
        double most = 1e-9;
        for (int i = 0; i < n; i++) {
            force[i] = tl_v3(0, 0, 0);
            for (int k = 0; k < n; k++) {
                const tl_vec3 r = tl_sub(u[i], u[k]);
                const double square = tl_dot(r, r) + 1e-6 * spacing;
                if (k != i) force[i] = tl_add(force[i], tl_scale(1 / (square * sqrt(square)), r));
            }
            force[i] = tl_sub(force[i], tl_scale(tl_dot(force[i], u[i]), u[i]));
            most = fmax(most, tl_norm(force[i]));
        }
        const double step = 0.3 * spacing * (1 - (double)round / rounds) / most;
        for (int i = 0; i < n; i++) u[i] = tl_normalize(tl_add(u[i], tl_scale(step, force[i])));
    }
}

static double gauge(const block *b, tl_vec3 x)
{
    double most = 0;
    for (int k = 0; k < b->planes; k++) most = fmax(most, tl_dot(b->normal[k], x));
    return most;
}

/* Corners: where three planes meet and no other cuts off. False when it is not a body of three faces at each corner, or spiky. */
static bool find_corners(block *b)
{
    const int m = b->planes, expected = 2 * m - 4;
    b->corners = b->edges = 0;
    for (int i = 0; i < m; i++)
        for (int j = i + 1; j < m; j++)
            for (int k = j + 1; k < m; k++) {
                const tl_vec3 p = tl_cross(b->normal[j], b->normal[k]), q = tl_cross(b->normal[k], b->normal[i]), r = tl_cross(b->normal[i], b->normal[j]);
                const double det = tl_dot(b->normal[i], p);
                if (fabs(det) < 1e-3) continue;
                const tl_vec3 x = tl_scale(1 / det, tl_add(p, tl_add(q, r)));
                if (gauge(b, x) > 1 + 1e-9) continue;
                if (b->corners == expected || tl_norm(x) > 4) return false;
                b->on[b->corners][0] = i, b->on[b->corners][1] = j, b->on[b->corners][2] = k;
                b->corner[b->corners++] = x;
            }
    return b->corners == expected;
}

static bool find_edges(block *b)
{
    for (int i = 0; i < b->corners; i++)
        for (int j = i + 1; j < b->corners; j++) {
            int common = 0;
            for (int k = 0; k < 9; k++) common += b->on[i][k / 3] == b->on[j][k % 3];
            if (common < 2) continue;
            if (b->edges == 3 * b->planes - 6 || tl_norm(tl_sub(b->corner[i], b->corner[j])) < 0.1) return false;
            b->edge[b->edges][0] = i, b->edge[b->edges++][1] = j;
        }
    return b->edges == 3 * b->planes - 6;
}

static void cut_block(tl_random *random, block *b, int corners)
{
    b->planes = corners / 2 + 2 < PLANES ? corners / 2 + 2 : PLANES;
    do {
        tl_vec3 u[PLANES];
        spread(random, u, b->planes, 6); /* few rounds: faces of different sizes */
        for (int k = 0; k < b->planes; k++) b->normal[k] = tl_scale(1 / tl_random_uniform(random, 0.85, 1.15), u[k]);
    } while (!find_corners(b) || !find_edges(b));
}

/* The directions of the stone at angularity 1: the block's corners, then points that divide its longest pieces of edge. */
static void block_directions(const block *b, tl_vec3 *t, int n)
{
    int extra[BLOCK_EDGES] = {0}; /* points between the ends of each edge */
    for (int i = b->corners; i < n; i++) {
        int longest = 0;
        double most = 0;
        for (int e = 0; e < b->edges; e++) {
            const double piece = tl_norm(tl_sub(b->corner[b->edge[e][1]], b->corner[b->edge[e][0]])) / (1 + extra[e]);
            if (piece > most) most = piece, longest = e;
        }
        extra[longest]++;
    }
    int k = 0;
    for (int i = 0; i < b->corners; i++) t[k++] = tl_normalize(b->corner[i]);
    for (int e = 0; e < b->edges; e++)
        for (int i = 1; i <= extra[e]; i++) {
            const double s = (double)i / (1 + extra[e]);
            t[k++] = tl_normalize(tl_add(tl_scale(1 - s, b->corner[b->edge[e][0]]), tl_scale(s, b->corner[b->edge[e][1]])));
        }
}

/* Exchange even directions until none of two would bring both pairs u[i], t[i] nearer on the whole. */
static void match(tl_vec3 *u, const tl_vec3 *t, int n)
{
    bool again = true;
    while (again) { /* the sum of u·t grows each time, so this ends */
        again = false;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < i; k++) {
                if (tl_dot(u[i], t[k]) + tl_dot(u[k], t[i]) <= tl_dot(u[i], t[i]) + tl_dot(u[k], t[k]) + 1e-9) continue;
                const tl_vec3 swap = u[i];
                u[i] = u[k], u[k] = swap;
                again = true;
            }
    }
}

/* Move each even direction towards one of the block's. False when one is nearly a right angle away: on the way from one to the other the
 * points might not surround the middle. */
static bool pull(tl_vec3 *u, const tl_vec3 *t, int n, double angularity)
{
    match(u, t, n);
    for (int i = 0; i < n; i++) {
        if (tl_dot(u[i], t[i]) < 0.25) return false;
        u[i] = tl_normalize(tl_add(tl_scale(1 - angularity, u[i]), tl_scale(angularity, t[i])));
    }
    return true;
}

static double least_distance(const tl_vec3 *u, int n)
{
    double least = 2;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) least = fmin(least, tl_norm(tl_sub(u[i], u[k])));
    return least;
}

/* Half-turns of a quarter by the parameter t of the half-angle, so that no sine is needed. */
static double square_around(const tl_vec3 *p, int n, double t)
{
    const double c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < n; i++) {
        const double q[2] = {c * p[i].y + s * p[i].z, c * p[i].z - s * p[i].y};
        for (int k = 0; k < 2; k++) low[k] = fmin(low[k], q[k]), high[k] = fmax(high[k], q[k]);
    }
    return fmax(high[0] - low[0], high[1] - low[1]);
}

double tl_stone_mesh(const tl_vec3 *points, int count)
{
    enum { ANGLES = 90 };
    double best = HUGE_VAL, at = 0, width = 0.5 / ANGLES;
    for (int i = 0; i < ANGLES; i++) { /* t from 0 to 1 is a quarter turn, after which a square is itself again */
        const double t = (double)i / ANGLES, side = square_around(points, count, t);
        if (side < best) best = side, at = t;
    }
    for (int round = 0; round < 20; round++, width *= 0.5) /* nearer and nearer; the side is a continuous function, so a miss is small */
        for (int k = -1; k <= 1; k += 2) {
            const double side = square_around(points, count, at + k * width);
            if (side < best) best = side, at += k * width;
        }
    return best;
}

/* Middle of the box to the origin, its sides to the ratios, the size to 1, then the mean of the corners to the origin. */
static void proportion(tl_vec3 *p, int n, double elongation, double flatness)
{
    tl_vec3 low = p[0], high = p[0], mean = {0};
    for (int i = 1; i < n; i++) {
        low = tl_v3(fmin(low.x, p[i].x), fmin(low.y, p[i].y), fmin(low.z, p[i].z));
        high = tl_v3(fmax(high.x, p[i].x), fmax(high.y, p[i].y), fmax(high.z, p[i].z));
    }
    const tl_vec3 box = tl_sub(high, low);
    for (int i = 0; i < n; i++) p[i] = tl_v3(p[i].x / box.x, elongation * p[i].y / box.y, elongation * flatness * p[i].z / box.z);
    const double scale = 1 / tl_stone_mesh(p, n);
    for (int i = 0; i < n; i++) p[i] = tl_scale(scale, p[i]), mean = tl_add(mean, tl_scale(1.0 / n, p[i]));
    for (int i = 0; i < n; i++) p[i] = tl_sub(p[i], mean);
}

static bool in_range(const double range[2]) { return range[0] >= 0.1 && range[0] <= range[1] && range[1] <= 1; }

talus_status tl_stone_points(tl_random *random, const tl_stone *stone, tl_vec3 *points, tl_error *error)
{
    const int n = stone->corners;
    const double a = stone->angularity;
    if (n < 4 || n > TL_STONE_CORNERS) return tl_fail(error, TALUS_INPUT, "a stone has 4 to %d corners, not %d", TL_STONE_CORNERS, n);
    if (!(a >= 0) || !(a <= 1)) return tl_fail(error, TALUS_INPUT, "the angularity of a stone is %g; it must be between 0 and 1", a);
    if (!in_range(stone->elongation))
        return tl_fail(error, TALUS_INPUT, "the elongation of a stone is %g … %g; both must be between 0.1 and 1", stone->elongation[0], stone->elongation[1]);
    if (!in_range(stone->flatness))
        return tl_fail(error, TALUS_INPUT, "the flatness of a stone is %g … %g; both must be between 0.1 and 1", stone->flatness[0], stone->flatness[1]);
    const double elongation = tl_random_uniform(random, stone->elongation[0], stone->elongation[1]);
    const double flatness = tl_random_uniform(random, stone->flatness[0], stone->flatness[1]);
    block b;
    double blend;
    bool fits;
    do { /* until no two corners are nearly one: they are 3.5/√n apart when spread evenly */
        tl_vec3 target[TL_STONE_CORNERS];
        cut_block(random, &b, n);
        spread(random, points, n, 30);
        block_directions(&b, target, n);
        fits = pull(points, target, n, a);
        blend = n == b.corners ? a : 0.98 * a;
    } while (!fits || least_distance(points, n) < 0.2 / sqrt(n));
    for (int i = 0; i < n; i++) {
        const double g = gauge(&b, points[i]);
        points[i] = tl_scale(1 / sqrt(1 - blend + blend * g * g), points[i]);
    }
    proportion(points, n, elongation, flatness);
    return TALUS_OK;
}
