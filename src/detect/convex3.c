/* The direction in which two convex cores are furthest apart, from nothing but their supports and the normals of their
 * flat faces.
 *
 * A first direction is that between the nearest points of the two, each shrunk about its centre so far that they are
 * apart (Gilbert, Johnson, Keerthi). Where both supports are smooth there, Newton's method on the sphere ends the search:
 * at the largest separation the difference of the two supports lies along the direction. Where a support jumps, because
 * an edge, a straight side or a face lies along its partner, descent to the nearest points goes on to rounding, with the
 * two moved apart: a direction is the difference of two points, and bad where these are near each other. The direction
 * between the nearest points of the two, so placed, parts them no less than the one along which they were moved. */
#include "detect/convex3.h"

/* How far apart two must be for the direction between their nearest points to be good, as a share of their size. */
static const double CLEAR = 1e-3;
enum { DESCENTS = 300, ASCENTS = 12, POLISHES = 12 };

tl_convex3 tl_convex3_place(const tl_shape3 *s, const tl_mat3 *R, tl_vec3 at) { return (tl_convex3){s, tl_shape3_ops_of(s->kind), *R, at}; }

tl_vec3 tl_convex3_support(const tl_convex3 *c, tl_vec3 n) { return tl_add(tl_turn3(&c->R, c->ops->support(c->shape, tl_turn_back3(&c->R, n))), c->p); }

void tl_convex3_patch(const tl_convex3 *c, tl_vec3 n, tl_patch3 *out)
{
    c->ops->patch(c->shape, tl_turn_back3(&c->R, n), out);
    for (int i = 0; i < out->count; i++) out->point[i] = tl_add(tl_turn3(&c->R, out->point[i]), c->p);
    out->centre = tl_add(tl_turn3(&c->R, out->centre), c->p);
    out->normal = tl_turn3(&c->R, out->normal);
}

int tl_convex3_flats(const tl_convex3 *c, tl_vec3 out[TL_FLATS3])
{
    const int count = c->ops->flats ? c->ops->flats(c->shape, out) : 0;
    for (int i = 0; i < count; i++) out[i] = tl_turn3(&c->R, out[i]);
    return count;
}

static tl_vec3 centre_of(const tl_convex3 *c) { return tl_add(tl_turn3(&c->R, c->shape->centre), c->p); }

/* The point of b − a that is least along n. */
static tl_vec3 difference(const tl_convex_pair3 *pair, tl_vec3 n, tl_vec3 *y)
{
    *y = tl_convex3_support(&pair->b, tl_scale(-1, n));
    return tl_sub(*y, tl_convex3_support(&pair->a, n));
}

double tl_convex_pair3_separation(const tl_convex_pair3 *pair, tl_vec3 n)
{
    tl_vec3 y;
    return tl_dot(n, difference(pair, n, &y));
}

/* ---- descent to the nearest points --------------------------------------------------------------------------------- */

typedef struct descent {
    const tl_convex_pair3 *pair;
    double keep;   /* this share of each shape, about its centre */
    tl_vec3 shift; /* of b                                       */
    int count;
    tl_vec3 w[4], y[4]; /* points of b − a; those of b */
} descent;

static double add_point(descent *d, tl_vec3 n)
{
    tl_vec3 y, w = difference(d->pair, n, &y);
    if (d->keep < 1) w = tl_add(tl_scale(d->keep, w), tl_scale(1 - d->keep, tl_sub(centre_of(&d->pair->b), centre_of(&d->pair->a))));
    d->w[d->count] = tl_add(w, d->shift);
    d->y[d->count] = y;
    return tl_dot(n, d->w[d->count++]);
}

static void keep_used(descent *d, tl_simplex3 *s)
{
    int kept = 0;
    for (int k = 0; k < d->count; k++) {
        if (!(s->weight[k] > 0)) continue;
        d->w[kept] = d->w[k], d->y[kept] = d->y[k];
        s->weight[kept++] = s->weight[k];
    }
    d->count = kept;
}

/* False where the two meet. The search ends when the distance is known to within `enough`. */
static bool descend(descent *d, tl_vec3 start, double enough, tl_convex_axis3 *out)
{
    const double rounding = 1e-15 * (d->pair->size + tl_norm(d->shift));
    tl_simplex3 s = {.weight = {1}};
    d->count = 0;
    add_point(d, start);
    s.v = d->w[0];
    for (int i = 0; i < DESCENTS; i++) {
        const double distance = tl_norm(s.v);
        if (!(distance > rounding)) return false;
        const tl_vec3 n = tl_scale(1 / distance, s.v);
        const double lower = add_point(d, n);
        tl_simplex3 next = {.d2 = (double)INFINITY};
        bool done = distance - lower <= tl_larger(enough, rounding);
        if (!done) {
            const bool outside = tl_simplex3_solve(d->w, d->count, &next);
            if (!outside && !(lower > 0)) return false;
            if (d->count == 4 && !(next.d2 < distance * distance)) (void)tl_simplex3_faces(d->w, &next);
            done = !(next.d2 < distance * distance);
        }
        out->n = n;
        if (done) {
            out->y = tl_v3(0, 0, 0);
            for (int k = 0; k + 1 < d->count; k++) out->y = tl_add(out->y, tl_scale(s.weight[k], d->y[k]));
            return true;
        }
        s = next;
        keep_used(d, &s);
    }
    return true;
}

/* ---- Newton's method ----------------------------------------------------------------------------------------------- */

/* What may be outermost of a core near a direction: its support, or any point of a straight line that lies across the
 * direction: λ from `from` to `to`. A line of a round shape turns with the direction; an edge of a face does not. */
typedef struct side {
    const tl_convex3 *core;
    bool is_line, is_edge;
    tl_vec3 from, to;
    double lambda;
} side;

static void no_line(side *s) { s->is_line = s->is_edge = false; }

/* The line at a direction n, outward; of a face the side of those two corners that are outermost. */
static void find_line(side *s, tl_vec3 n)
{
    tl_patch3 patch;
    tl_convex3_patch(s->core, n, &patch);
    s->is_line = patch.kind == TL_PATCH_LINE || patch.kind == TL_PATCH_RING;
    s->lambda = 0.5;
    if (!s->is_line) return;
    int first = 0;
    for (int k = 1; k < patch.count; k++)
        if (tl_dot(n, patch.point[k]) > tl_dot(n, patch.point[first])) first = k;
    const int after = (first + 1) % patch.count, before = (first + patch.count - 1) % patch.count;
    const int second = tl_dot(n, patch.point[after]) >= tl_dot(n, patch.point[before]) ? after : before;
    s->from = patch.point[first], s->to = patch.point[second];
    s->is_edge = patch.kind == TL_PATCH_RING;
}

/* The point at n; *rise: how much the line goes up along n. False: the line has ended there. */
static bool point_of(side *s, tl_vec3 n, tl_vec3 *x, double *rise)
{
    *rise = 0;
    if (!s->is_line) {
        *x = tl_convex3_support(s->core, n);
        return true;
    }
    tl_vec3 from = s->from, to = s->to;
    if (!s->is_edge) {
        tl_patch3 patch;
        tl_convex3_patch(s->core, n, &patch);
        if (patch.kind != TL_PATCH_LINE) return false;
        from = patch.point[0], to = patch.point[1];
        s->from = from, s->to = to;
    }
    *rise = tl_dot(n, tl_sub(to, from));
    *x = tl_add(from, tl_scale(s->lambda, tl_sub(to, from)));
    return true;
}

enum { UNKNOWNS = 4 };

/* w = y − x at n, and what is to vanish: w across n, and the rise of each line. */
static bool residual(side both[2], tl_vec3 n, const tl_vec3 t[2], tl_vec3 *y, tl_vec3 *w, double r[UNKNOWNS])
{
    tl_vec3 x;
    double rise[2];
    int k = 2;
    if (!point_of(&both[0], n, &x, &rise[0]) || !point_of(&both[1], tl_scale(-1, n), y, &rise[1])) return false;
    *w = tl_sub(*y, x);
    r[0] = tl_dot(t[0], *w), r[1] = tl_dot(t[1], *w);
    for (int i = 0; i < 2; i++)
        if (both[i].is_line) r[k++] = rise[i];
    return true;
}

/* Two turns of n, and λ of each line. */
static int unknowns_of(const side both[2]) { return 2 + both[0].is_line + both[1].is_line; }

/* The matrix of derivatives by two turns of n and the λ of each line. False: a support or a line ends there, or, where
 * there are no lines, the separation has no maximum nearby: its second derivative, which is symmetric, is not negative. */
static bool derivatives(side both[2], tl_vec3 n, const tl_vec3 t[2], tl_vec3 w, const double r[UNKNOWNS], double *A)
{
    const int count = unknowns_of(both);
    static const double STEP = 1e-6;
    const double s = tl_dot(n, w);
    side turned[2] = {both[0], both[1]};
    tl_vec3 y, v;
    double there[UNKNOWNS];
    for (int i = 0; i < count * count; i++) A[i] = 0;
    for (int k = 0; k < 2; k++) {
        if (!residual(turned, tl_normalize(tl_add(n, tl_scale(STEP, t[k]))), t, &y, &v, there)) return false;
        for (int i = 0; i < count; i++) A[i * count + k] = (there[i] - r[i]) / STEP - (i == k ? s : 0);
    }
    for (int i = 0, k = 2; i < 2; i++) {
        if (!both[i].is_line) continue;
        const tl_vec3 d = tl_scale(i ? 1 : -1, tl_sub(both[i].to, both[i].from));
        A[k] = tl_dot(t[0], d), A[count + k] = tl_dot(t[1], d);
        k++;
    }
    return count > 2 || (A[0] < 0 && A[0] * A[3] - A[1] * A[2] > 0);
}

/* At the largest separation the difference of two outermost points lies along the direction. False where it is not found
 * from here. */
static bool polish_sides(const tl_convex_pair3 *pair, side both[2], tl_vec3 n, tl_convex_axis3 *out)
{
    const double small = 1e-13 * pair->size;
    const int count = unknowns_of(both);
    double before = (double)INFINITY;
    for (int round = 0; round < POLISHES; round++) {
        double r[UNKNOWNS], A[UNKNOWNS * UNKNOWNS], off = 0;
        int pivot[UNKNOWNS];
        tl_vec3 t[2], w, y;
        tl_tangents(n, &t[0], &t[1]);
        if (!residual(both, n, t, &y, &w, r)) return false;
        for (int i = 0; i < count; i++) off = tl_larger(off, fabs(r[i]));
        if (off < before) *out = (tl_convex_axis3){n, y, tl_dot(n, w), false};
        if (!(off < 0.5 * before) || off <= 1e-3 * small) return off <= small || before <= small;
        before = off;
        if (!derivatives(both, n, t, w, r, A) || !tl_lu(A, count, pivot)) return off <= small;
        tl_lu_solve(A, pivot, count, r);
        n = tl_normalize(tl_sub(n, tl_add(tl_scale(r[0], t[0]), tl_scale(r[1], t[1]))));
        for (int i = 0, k = 2; i < 2; i++)
            if (both[i].is_line) both[i].lambda -= r[k++];
    }
    return before <= small;
}

/* The same, with lines where there are any. A solution counts where it parts the two by as much as it says. */
static bool polish(const tl_convex_pair3 *pair, tl_vec3 n, tl_convex_axis3 *out)
{
    side both[2] = {{.core = &pair->a}, {.core = &pair->b}};
    const double least = tl_convex_pair3_separation(pair, n) - pair->tie;
    for (int lines = 0; lines < 4; lines++) {
        bool within = true;
        no_line(&both[0]), no_line(&both[1]);
        if (lines & 1) find_line(&both[0], n);
        if (lines & 2) find_line(&both[1], tl_scale(-1, n));
        if (both[0].is_line != (lines & 1) || both[1].is_line != lines / 2) continue;
        tl_convex_axis3 axis = {.s = -(double)INFINITY};
        if (!polish_sides(pair, both, n, &axis)) continue;
        for (int i = 0; i < 2; i++) within = within && (!both[i].is_line || (both[i].lambda >= 0 && both[i].lambda <= 1));
        const double s = tl_convex_pair3_separation(pair, axis.n);
        if (!within || s < axis.s - pair->tie || s < least) continue;
        *out = axis, out->s = s;
        return true;
    }
    return false;
}

/* ---- the direction ------------------------------------------------------------------------------------------------- */

tl_convex_axis3 tl_convex_pair3_ascend(const tl_convex_pair3 *pair, tl_vec3 n)
{
    tl_convex_axis3 best = {.n = n};
    best.s = tl_dot(n, difference(pair, n, &best.y));
    for (int i = 0; i < ASCENTS; i++) {
        descent d = {.pair = pair, .keep = 1};
        const double clear = CLEAR * pair->size;
        const bool apart = best.s > clear;
        tl_convex_axis3 next;
        if (!apart) d.shift = tl_scale(clear - best.s, best.n);
        if (!descend(&d, best.n, 0, &next)) break;
        next.s = tl_convex_pair3_separation(pair, next.n);
        const bool better = next.s > best.s + pair->tie;
        if (next.s >= best.s || i == 0) { /* the point is better known than where a support jumps, also where s is the same */
            if (next.s >= best.s - pair->tie) best.y = next.y;
            if (next.s > best.s) best.n = next.n, best.s = next.s;
        }
        if (!better || apart) break;
    }
    return best;
}

tl_convex_axis3 tl_convex_pair3_flat(const tl_convex_pair3 *pair)
{
    tl_convex_axis3 best = {.s = -(double)INFINITY, .flat = true};
    for (int of_b = 0; of_b < 2; of_b++) {
        tl_vec3 flat[TL_FLATS3];
        const int count = tl_convex3_flats(of_b ? &pair->b : &pair->a, flat);
        for (int i = 0; i < count; i++) {
            tl_convex_axis3 axis = {.n = tl_scale(of_b ? -1 : 1, flat[i]), .flat = true};
            axis.s = tl_dot(axis.n, difference(pair, axis.n, &axis.y));
            if (axis.s > best.s + pair->tie) best = axis;
        }
    }
    return best;
}

/* Between the nearest points of the two, shrunk until they are apart; *whole: they were hardly shrunk. */
static tl_vec3 first_direction(const tl_convex_pair3 *pair, bool *whole)
{
    static const double KEEP[] = {0.98, 0.8, 0.4, 0.05};
    const tl_vec3 way = tl_normalize(tl_sub(centre_of(&pair->b), centre_of(&pair->a)));
    const tl_vec3 start = tl_dot(way, way) > 0.5 ? way : tl_v3(0, 0, 1);
    for (int i = 0; i < 4; i++) {
        descent d = {.pair = pair, .keep = KEEP[i]};
        tl_convex_axis3 axis = {.s = -(double)INFINITY};
        *whole = i == 0;
        if (descend(&d, start, 1e-5 * pair->size, &axis) && tl_dot(axis.n, axis.n) > 0.5) return axis.n;
    }
    return start;
}

static void take(const tl_convex_pair3 *pair, tl_convex_axis3 *best, tl_convex_axis3 other)
{
    if (other.s > best->s + pair->tie) *best = other;
}

/* Deep within each other: the shortest way out may be any, and many are tried. */
static void look_around(const tl_convex_pair3 *pair, tl_vec3 first, tl_convex_axis3 *best)
{
    take(pair, best, tl_convex_pair3_ascend(pair, first));
    for (int k = 0; k < 6; k++) {
        const double sign = k % 2 ? -1 : 1;
        const tl_vec3 axis = tl_v3(k / 2 == 0 ? sign : 0, k / 2 == 1 ? sign : 0, k / 2 == 2 ? sign : 0);
        take(pair, best, tl_convex_pair3_ascend(pair, tl_turn3(&pair->a.R, axis)));
        take(pair, best, tl_convex_pair3_ascend(pair, tl_turn3(&pair->b.R, axis)));
    }
}

tl_convex_axis3 tl_convex_pair3_axis(const tl_convex_pair3 *pair, tl_convex_axis3 flat)
{
    bool whole;
    const tl_vec3 first = first_direction(pair, &whole);
    tl_convex_axis3 best;
    if (!polish(pair, first, &best) || best.s < flat.s) best = tl_convex_pair3_ascend(pair, flat.s > tl_convex_pair3_separation(pair, first) ? flat.n : first);
    if (!whole && best.s < 0) look_around(pair, first, &best);
    if (flat.s >= best.s - TL_AXIS_FLUSH * pair->size) best.n = flat.n, best.s = flat.s, best.flat = true;
    return best;
}
