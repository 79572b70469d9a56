/* Nearest points of two cores that are apart (Gilbert, Johnson, Keerthi): the point nearest to the origin of C = {b − a}, from corners of C that are
 * replaced by ones nearer to it. Each simplex is solved exactly, face by face; no tolerance enters but where progress ends in rounding. */
#include "detect/pair3.h"

static void take(tl_simplex3 *best, tl_vec3 v, const double weight[4])
{
    const double d2 = tl_dot(v, v);
    if (!(d2 < best->d2)) return;
    *best = (tl_simplex3){{weight[0], weight[1], weight[2], weight[3]}, v, d2};
}

static void try_edge(tl_simplex3 *best, const tl_vec3 *w, int i, int j)
{
    const tl_vec3 e = tl_sub(w[j], w[i]);
    const double ee = tl_dot(e, e), along = -tl_dot(w[i], e);
    double weight[4] = {0, 0, 0, 0};
    if (!(along > 0) || !(ee > 0)) {
        weight[i] = 1;
        take(best, w[i], weight);
    } else if (along >= ee) {
        weight[j] = 1;
        take(best, w[j], weight);
    } else {
        const double f = along / ee;
        weight[i] = 1 - f, weight[j] = f;
        /* from the nearer end, so that little is lost where the other is far */
        take(best, f < 0.5 ? tl_add(w[i], tl_scale(f, e)) : tl_sub(w[j], tl_scale(1 - f, e)), weight);
    }
}

tl_vec3 tl_across(tl_vec3 d, tl_vec3 e)
{
    const tl_vec3 n = tl_cross(d, e);
    const double dd = tl_dot(d, d), ee = tl_dot(e, e), most = tl_larger(dd, ee);
    if (!(most > 0)) return n;
    const tl_vec3 l = dd > ee ? d : e;
    return tl_sub(n, tl_scale(tl_dot(n, l) / most, l));
}

tl_vec3 tl_triangle_normal(tl_vec3 p, tl_vec3 q, tl_vec3 r)
{
    const tl_vec3 a = tl_sub(q, p), b = tl_sub(r, q), c = tl_sub(p, r);
    const double aa = tl_dot(a, a), bb = tl_dot(b, b), cc = tl_dot(c, c);
    if (aa <= bb && aa <= cc) return tl_across(b, c); /* not the shortest: it is the least exact */
    return bb <= cc ? tl_across(c, a) : tl_across(a, b);
}

/* The foot of the origin on the face, where it lies within; the edges otherwise. */
static void try_face(tl_simplex3 *best, const tl_vec3 *w, int i, int j, int k)
{
    const tl_vec3 p = w[i], q = w[j], r = w[k], n = tl_triangle_normal(p, q, r);
    const double nn = tl_dot(n, n);
    /* with differences as one factor: else a short edge would be lost in the roundoff of its long distance */
    const double a = tl_dot(n, tl_cross(q, tl_sub(r, q))), b = tl_dot(n, tl_cross(r, tl_sub(p, r))), c = tl_dot(n, tl_cross(p, tl_sub(q, p)));
    if (nn > 0 && a > 0 && b > 0 && c > 0) {
        double weight[4] = {0, 0, 0, 0};
        const double sum = a + b + c;
        weight[i] = a / sum, weight[j] = b / sum, weight[k] = c / sum;
        const double pn = tl_dot(p, n), qn = tl_dot(q, n), rn = tl_dot(r, n);
        take(best, tl_scale((weight[i] * pn + weight[j] * qn + weight[k] * rn) / nn, n), weight);
        return;
    }
    try_edge(best, w, i, j);
    try_edge(best, w, j, k);
    try_edge(best, w, i, k);
}

/* The origin lies beyond face ijk of a tetrahedron, seen from its corner l; also where the tetrahedron is flat. */
static bool beyond(const tl_vec3 *w, int i, int j, int k, int l)
{
    const tl_vec3 n = tl_cross(tl_sub(w[j], w[i]), tl_sub(w[k], w[i]));
    const double here = -tl_dot(n, w[i]), corner = tl_dot(n, tl_sub(w[l], w[i]));
    return !(here * corner > 0);
}

bool tl_simplex3_solve(const tl_vec3 *w, int count, tl_simplex3 *best)
{
    static const int FACE[4][4] = {{0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}, {0, 1, 2, 3}};
    best->d2 = (double)INFINITY;
    if (count == 1) take(best, w[0], (const double[4]){1, 0, 0, 0});
    if (count == 2) try_edge(best, w, 0, 1);
    if (count == 3) try_face(best, w, 0, 1, 2);
    if (count < 4) return best->d2 < (double)INFINITY;
    for (int f = 0; f < 4; f++)
        if (beyond(w, FACE[f][0], FACE[f][1], FACE[f][2], FACE[f][3])) try_face(best, w, FACE[f][0], FACE[f][1], FACE[f][2]);
    return best->d2 < (double)INFINITY; /* beyond none: the origin is inside */
}

bool tl_simplex3_faces(const tl_vec3 *w, tl_simplex3 *best)
{
    best->d2 = (double)INFINITY;
    try_face(best, w, 0, 1, 2), try_face(best, w, 0, 1, 3), try_face(best, w, 0, 2, 3), try_face(best, w, 1, 2, 3);
    return best->d2 < (double)INFINITY;
}

/* Corner of C that is least along n. */
static double add_corner(const tl_pair3 *pair, tl_vec3 n, tl_vec3 shift, tl_nearest3 *near)
{
    const int i = tl_pair3_support(pair, false, n), j = tl_pair3_support(pair, true, tl_scale(-1, n)), k = near->count++;
    near->ia[k] = i, near->ib[k] = j;
    near->w[k] = tl_add(tl_sub(tl_pair3_corner(pair, true, j), tl_pair3_corner(pair, false, i)), shift);
    return tl_dot(n, near->w[k]);
}

static void keep_used(tl_nearest3 *near, const tl_simplex3 *best)
{
    int kept = 0;
    for (int k = 0; k < near->count; k++) {
        if (!(best->weight[k] > 0)) continue;
        near->ia[kept] = near->ia[k], near->ib[kept] = near->ib[k];
        near->w[kept] = near->w[k];
        near->weight[kept++] = best->weight[k];
    }
    near->count = kept;
    near->v = best->v;
}

static bool known(const tl_nearest3 *near)
{
    const int last = near->count - 1;
    for (int k = 0; k < last; k++)
        if (near->ia[k] == near->ia[last] && near->ib[k] == near->ib[last]) return true;
    return false;
}

bool tl_pair3_nearest(const tl_pair3 *pair, tl_vec3 n, double shift, tl_nearest3 *near)
{
    enum { MOST = 100 }; /* corners that are looked at; seldom more than ten are */
    const tl_vec3 moved = tl_scale(shift, n);
    const double rounding = 1e-15 * (pair->size + fabs(shift));
    near->count = 0;
    add_corner(pair, n, moved, near);
    near->weight[0] = 1;
    near->v = near->w[0];
    for (int round = 0; round < MOST; round++) {
        const double distance = tl_norm(near->v);
        if (!(distance > rounding)) return false;
        const double lower = add_corner(pair, tl_scale(1 / distance, near->v), moved, near);
        tl_simplex3 best = {.d2 = 0};
        bool done = distance - lower <= rounding || known(near);
        if (!done) {
            if (!tl_simplex3_solve(near->w, near->count, &best)) return false;
            done = !(best.d2 < distance * distance);
        }
        if (done) {
            near->count--; /* the last corner brings nothing */
            return true;
        }
        keep_used(near, &best);
    }
    return true;
}
