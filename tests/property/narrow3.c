/* Pair functions in space against brute force.
 *
 * Apart, the distance of two polyhedra is the least of all distances of a corner from a corner, an edge or a face and of an edge from an edge, each by its
 * own formula. Overlapping, it is minus the least overlap along all normals of faces and all directions at right angles to two edges. Everything is known
 * to a few unit roundoffs of the size, divided by 0.01 for slivers, ~1e-13; the pair functions choose between directions that are equal to 1e-10 of the
 * size, so gaps agree to 1e-9 of it, and so do the end points of gap × normal, but for one pair in ten thousand at most, of those that are put on purpose where
 * they nearly touch and their edges are nearly parallel. Positions are differences of nearby ones and lose nothing far from the origin;
 * points of contact are not, and are known to the roundoff of their coordinates. */
#include "random3.h"

/* ---- brute force -------------------------------------------------------------------------------------------------- */

typedef struct solid { /* in axes parallel to the world's, from a's origin */
    const tl_shape3 *shape;
    tl_vec3 x[TL_HULL_POINTS], normal[2 * TL_HULL_POINTS];
} solid;

typedef struct expected {
    double gap;     /* of the cores                                                     */
    tl_vec3 normal; /* from a to b                                                      */
    double rival;   /* overlapping: what the next best direction is short of the best   */
    double sharp;   /* sine of the angle between the two edges that give the direction  */
} expected;

static solid place(const tl_shape3 *s, const tl_frame *at, tl_vec3 origin)
{
    solid o = {.shape = s};
    const tl_vec3 p = tl_sub(at->p, origin);
    for (int i = 0; i < s->points; i++) o.x[i] = tl_add(tl_mat3_apply(&at->R, s->point[i]), p);
    for (int f = 0; f < s->faces; f++) o.normal[f] = tl_mat3_apply(&at->R, s->plane[f].n);
    return o;
}

static double separation(const solid *a, const solid *b, tl_vec3 n)
{
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (int i = 0; i < a->shape->points; i++) high = fmax(high, tl_dot(n, a->x[i]));
    for (int i = 0; i < b->shape->points; i++) low = fmin(low, tl_dot(n, b->x[i]));
    return low - high;
}

typedef struct best {
    double d2;
    tl_vec3 d;
} best;

static void nearer(best *b, tl_vec3 d)
{
    const double d2 = tl_dot(d, d);
    if (d2 < b->d2) *b = (best){d2, d};
}

/* segments p + u e, q + v f, also points: e, f may be zero */
static void segments(best *b, tl_vec3 p, tl_vec3 e, tl_vec3 q, tl_vec3 f)
{
    const tl_vec3 r = tl_sub(q, p), n = tl_cross(e, f);
    const double ee = tl_dot(e, e), ff = tl_dot(f, f), nn = tl_dot(n, n);
    for (int k = 0; k < 2; k++) { /* ends of one against the other */
        const tl_vec3 x = k ? tl_add(q, f) : q, y = k ? tl_add(p, e) : p;
        const double u = ee > 0 ? fmin(1, fmax(0, tl_dot(tl_sub(x, p), e) / ee)) : 0, v = ff > 0 ? fmin(1, fmax(0, tl_dot(tl_sub(y, q), f) / ff)) : 0;
        nearer(b, tl_sub(x, tl_add(p, tl_scale(u, e))));
        nearer(b, tl_sub(tl_add(q, tl_scale(v, f)), y));
    }
    if (!(nn > 0)) return;
    double u = fmin(1, fmax(0, tl_dot(tl_cross(r, f), n) / nn)), v = 0;
    for (int k = 0; k < 3; k++) { /* of points on both, so that it is never too little, however badly u is known between nearly parallel ones */
        v = fmin(1, fmax(0, tl_dot(tl_sub(tl_add(p, tl_scale(u, e)), q), f) / ff));
        u = fmin(1, fmax(0, tl_dot(tl_sub(tl_add(q, tl_scale(v, f)), p), e) / ee));
    }
    nearer(b, tl_sub(tl_add(q, tl_scale(v, f)), tl_add(p, tl_scale(u, e))));
}

static void faces_to_corners(best *b, const solid *p, const solid *q, double sign)
{
    const tl_shape3 *s = p->shape;
    for (int f = 0; f < s->faces; f++)
        for (int j = 0; j < q->shape->points; j++) {
            const int begin = s->face_begin[f], n = s->face_begin[f + 1] - begin;
            bool inside = true;
            for (int k = 0; inside && k < n; k++) {
                const tl_vec3 u = p->x[s->corner[begin + k]], v = p->x[s->corner[begin + (k + 1) % n]];
                inside = tl_dot(tl_cross(tl_sub(v, u), tl_sub(q->x[j], u)), p->normal[f]) >= 0;
            }
            const double height = tl_dot(p->normal[f], tl_sub(q->x[j], p->x[s->corner[begin]]));
            if (inside) nearer(b, tl_scale(sign * height, p->normal[f]));
        }
}

static int edges_of(const solid *s, int k, tl_vec3 *at, tl_vec3 *edge) /* capsules and points have one as well */
{
    const int from = s->shape->faces ? s->shape->edge[k].from : 0, to = s->shape->faces ? s->shape->edge[k].to : s->shape->points - 1;
    *at = s->x[from];
    *edge = tl_sub(s->x[to], s->x[from]);
    return s->shape->faces ? s->shape->edges : 1;
}

typedef struct overlap {
    double best, rival, sharp;
    tl_vec3 n;
} overlap;

static void direction(overlap *o, const solid *a, const solid *b, tl_vec3 n, double sharp)
{
    const double s = separation(a, b, n);
    const bool same = tl_norm(tl_sub(n, o->n)) < 1e-12;
    if (s > o->best) {
        if (!same) o->rival = o->best;
        o->best = s, o->n = n, o->sharp = sharp;
    } else if (!same && s > o->rival) o->rival = s;
}

static expected measure(const solid *a, const solid *b)
{
    overlap o = {-(double)INFINITY, -(double)INFINITY, 1, {0, 0, 0}};
    tl_vec3 p, e, q, f;
    for (int k = 0; k < a->shape->faces; k++) direction(&o, a, b, a->normal[k], 1);
    for (int k = 0; k < b->shape->faces; k++) direction(&o, a, b, tl_scale(-1, b->normal[k]), 1);
    const int na = edges_of(a, 0, &p, &e), nb = edges_of(b, 0, &q, &f);
    for (int k = 0; o.best <= 0 && k < na; k++)
        for (int l = 0; l < nb; l++) {
            edges_of(a, k, &p, &e);
            edges_of(b, l, &q, &f);
            /* of the part of f across e: at right angles to e also where f is nearly parallel to it */
            const tl_vec3 across = tl_sub(f, tl_scale(tl_dot(e, f) / tl_dot(e, e), e)), n = tl_cross(e, across);
            const double sharp = tl_norm(across) / tl_norm(f);
            if (!(sharp > 1e-12)) continue;
            direction(&o, a, b, tl_normalize(n), sharp);
            direction(&o, a, b, tl_scale(-1, tl_normalize(n)), sharp);
        }
    if (o.best <= 0 && (a->shape->faces || b->shape->faces)) return (expected){o.best, o.n, o.best - o.rival, o.sharp};
    best least = {(double)INFINITY, {0, 0, 0}};
    for (int k = 0; k < na; k++)
        for (int l = 0; l < nb; l++) {
            edges_of(a, k, &p, &e);
            edges_of(b, l, &q, &f);
            segments(&least, p, e, q, f);
        }
    faces_to_corners(&least, a, b, 1);
    faces_to_corners(&least, b, a, -1);
    const double d = sqrt(least.d2);
    return (expected){d, d > 0 ? tl_scale(1 / d, least.d) : o.n, (double)INFINITY, 1};
}

/* How far x is outside of a core; 0 inside. */
static double outside(const solid *s, tl_vec3 x)
{
    static const tl_shape3 point = {.kind = TL_SPHERE3, .points = 1};
    const solid p = {.shape = &point, .x = {x}};
    return fmax(0, measure(s, &p).gap);
}

/* ---- what every answer must satisfy ------------------------------------------------------------------------------- */

static int seen[TL_TOUCHES3 + 1], overlapping, uncertain, rough;

static double coordinates(const tl_frame *f) { return fabs(f->p.x) + fabs(f->p.y) + fabs(f->p.z); }

static void check_points(const solid *a, const solid *b, const tl_touch *t, int n, tl_vec3 origin, double tiny)
{
    const double ra = a->shape->radius, rb = b->shape->radius;
    for (int i = 0; i < n; i++) {
        const tl_vec3 x = tl_sub(t[i].point, origin), half = tl_scale(0.5 * t[i].gap, t[i].normal);
        CHECK(outside(a, tl_sub(x, half)) <= ra + tiny);
        CHECK(outside(b, tl_add(x, half)) <= rb + tiny);
        CHECK(t[i].feature < 1u << 24);
        CHECK(i == 0 || t[i - 1].feature < t[i].feature);
        CHECK_NEAR(tl_norm(t[i].normal), 1, 1e-14);
        CHECK(tl_norm(tl_sub(t[i].normal, t[0].normal)) == 0);
    }
}

static bool same_bits(tl_vec3 p, tl_vec3 q) { return p.x == q.x && p.y == q.y && p.z == q.z; }

static int check_pair(const tl_shape3 *sa, const tl_frame *fa, const tl_shape3 *sb, const tl_frame *fb, double alert)
{
    const double size = sa->reach + sb->reach, tiny = 1e-9 * size, far = 1e-15 * (coordinates(fa) + coordinates(fb));
    const solid a = place(sa, fa, fa->p), b = place(sb, fb, fa->p);
    const int before = test_failures;
    const expected e = measure(&a, &b);
    const double gap = e.gap - sa->radius - sb->radius;
    tl_touch t[TL_TOUCHES3], u[TL_TOUCHES3];
    tl_vec3 hint = {0, 0, 0}, other = {0, 0, 0};
    const int n = tl_touch3_find((tl_placed3){sa, fa}, (tl_placed3){sb, fb}, alert, &hint, NULL, t);
    CHECK(n >= 0 && n <= TL_TOUCHES3);
    CHECK_NEAR(tl_norm(hint), 1, 1e-14);
    if (gap > alert + tiny) CHECK(n == 0);
    if (gap < alert - tiny) CHECK(n > 0);
    seen[n]++;
    /* any hint, the same bits */
    for (int k = 0; k < 3; k++) {
        tl_vec3 start = k == 0 ? hint : k == 1 ? random_direction() : tl_normalize(tl_add(hint, tl_scale(0.01, random_direction())));
        const int m = tl_touch3_find((tl_placed3){sa, fa}, (tl_placed3){sb, fb}, alert, &start, NULL, u);
        CHECK(m == n);
        for (int i = 0; m == n && i < n; i++)
            CHECK(same_bits(u[i].point, t[i].point) && same_bits(u[i].normal, t[i].normal) && u[i].gap == t[i].gap && u[i].feature == t[i].feature);
    }
    if (n == 0) return 0;
    double least = (double)INFINITY;
    for (int i = 0; i < n; i++) {
        CHECK(t[i].gap < alert);
        least = fmin(least, t[i].gap);
    }
    /* Apart by d, a direction is known to the roundoff of the size over d, and the separation along it to that times the size (or not at all: all that is
     * less than d). Among directions that are equally good to this, ε aside of the nearest points adds ε²/2d. Nearly all are better. */
    const bool apart = isinf(e.rival);
    const double known = apart && e.gap > 0 ? fmin(e.gap, 1e-15 * size + 2.2e-16 * size * size / e.gap) : 0, aside = sqrt(2 * known * fmax(0, e.gap));
    CHECK_NEAR(least, gap, tiny + known);
    CHECK_NEAR(separation(&a, &b, t[0].normal) - sa->radius - sb->radius, gap, tiny + known); /* the normal is as good as any */
    overlapping += e.gap <= 0;
    const bool certain = e.rival > 2 * tiny;
    const double blunt = tiny + 1e-15 * size / e.sharp;
    uncertain += !certain;
    const double off = tl_norm(tl_sub(t[0].normal, e.normal)) * (apart ? e.gap : size);
    if (certain) CHECK_NEAR(off, 0, blunt + aside);
    rough += (certain && off > blunt) || fabs(least - gap) > tiny;
    /* corners of a face are on its rim when they are within 1e-10 of the size */
    check_points(&a, &b, t, n, fa->p, tiny + far + aside + 1e-10 * size / fmin(sharpest(sa), sharpest(sb)));

    if (test_failures > before) {
        fprintf(stderr, "a: %d corners %d faces, b: %d corners %d faces; size %g gap %.9g (core %.9g) found %.9g alert %g rival %g; %d touches, away %g\n",
                sa->points, sa->faces, sb->points, sb->faces, size, gap, e.gap, least, alert, e.rival, n, coordinates(fa));
        fprintf(stderr, "normal %.9g %.9g %.9g found %.9g %.9g %.9g\n", e.normal.x, e.normal.y, e.normal.z, t[0].normal.x, t[0].normal.y, t[0].normal.z);
        for (int i = 0; i < n; i++)
            fprintf(stderr, "  feature %06x gap %.9g outside %g %g\n", t[i].feature, t[i].gap,
                    outside(&a, tl_sub(tl_sub(t[i].point, fa->p), tl_scale(0.5 * t[i].gap, t[i].normal))) - sa->radius,
                    outside(&b, tl_add(tl_sub(t[i].point, fa->p), tl_scale(0.5 * t[i].gap, t[i].normal))) - sb->radius);
    }
    /* the other way round */
    const int m = tl_touch3_find((tl_placed3){sb, fb}, (tl_placed3){sa, fa}, alert, &other, NULL, u);
    if (fabs(gap - alert) > tiny) CHECK(m > 0);
    if (m == 0) return n;
    double least_back = (double)INFINITY;
    for (int i = 0; i < m; i++) least_back = fmin(least_back, u[i].gap);
    CHECK_NEAR(least_back, gap, tiny + known);
    if (certain) CHECK_NEAR(tl_norm(tl_add(t[0].normal, u[0].normal)) * (apart ? e.gap : size), 0, 2 * (blunt + aside));
    return n;
}

/* ---- placements --------------------------------------------------------------------------------------------------- */

/* Rotation that takes unit vector `from` to `to`, and turns by a random angle about it. */
static tl_mat3 rotation_onto(tl_vec3 from, tl_vec3 to)
{
    tl_vec3 t, s, u, v;
    tl_tangents(from, &t, &s);
    tl_tangents(to, &u, &v);
    const tl_mat3 out = {{{from.x, from.y, from.z}, {t.x, t.y, t.z}, {s.x, s.y, s.z}}}, in = {{{to.x, u.x, v.x}, {to.y, u.y, v.y}, {to.z, u.z, v.z}}};
    const tl_mat3 R = tl_mat3_mul(&in, &out), turn = tl_mat3_rotation(to, chance(0.2) ? 0 : uniform(-4, 4));
    return tl_mat3_mul(&turn, &R);
}

static tl_vec3 mix(tl_vec3 p, tl_vec3 q, double f) { return tl_add(tl_scale(1 - f, p), tl_scale(f, q)); }

/* A point and the outward direction of a random face (2), edge (1), corner (0); for edges, along: their direction. */
static tl_vec3 feature_of(const tl_shape3 *s, int kind, tl_vec3 *out, tl_vec3 *along)
{
    *along = random_direction();
    if (s->faces == 0 || kind == 0) {
        const int i = tl_random_int(&rnd, s->points);
        *out = s->points > 1 ? tl_normalize(tl_sub(s->point[i], s->centre)) : random_direction();
        return tl_add(s->point[i], tl_scale(s->radius, *out));
    }
    if (kind == 1) {
        const tl_edge3 e = s->edge[tl_random_int(&rnd, s->edges)];
        *out = tl_normalize(tl_add(s->plane[e.left].n, s->plane[e.right].n));
        *along = tl_normalize(tl_sub(s->point[e.to], s->point[e.from]));
        return mix(s->point[e.from], s->point[e.to], chance(0.3) ? 0.5 : uniform(0, 1));
    }
    const int f = tl_random_int(&rnd, s->faces), begin = s->face_begin[f], n = s->face_begin[f + 1] - begin;
    *out = s->plane[f].n;
    *along = tl_normalize(tl_sub(s->point[s->corner[begin + 1]], s->point[s->corner[begin]]));
    const tl_vec3 p = mix(s->point[s->corner[begin]], s->point[s->corner[begin + 1]], uniform(0, 1));
    return mix(p, s->point[s->corner[begin + n - 1]], chance(0.2) ? 0 : uniform(0, 0.7));
}

static void put(const tl_shape3 *a, const tl_shape3 *b, tl_frame *fa, tl_frame *fb, double size)
{
    static const double SMALL[] = {0, 0, 1e-17, -1e-17, 1e-15, -1e-15, 1e-13, -1e-13, 1e-10, -1e-10, 1e-7, -1e-7, 1e-4, -1e-4, 1e-2, -1e-2};
    const double away = chance(0.3) ? 0 : chance(0.5) ? size : 1e3 * size;
    fa->p = tl_scale(away, random_direction());
    fa->R = chance(0.2) ? tl_mat3_identity() : random_rotation();
    if (chance(0.3)) { /* anyhow */
        const double far = uniform(0, 1.05) * (a->reach + b->reach);
        fb->p = tl_add(fa->p, tl_scale(far, random_direction()));
        fb->R = chance(0.2) ? fa->R : random_rotation();
        return;
    }
    /* a feature of one on a feature of the other, a little apart or overlapping */
    tl_vec3 out_a, out_b, along_a, along_b;
    const int kind_a = tl_random_int(&rnd, 3), kind_b = tl_random_int(&rnd, 3);
    const tl_vec3 xa = in_world(&(tl_frame){{0, 0, 0}, fa->R}, feature_of(a, kind_a, &out_a, &along_a)), xb = feature_of(b, kind_b, &out_b, &along_b);
    out_a = tl_mat3_apply(&fa->R, out_a);
    fb->R = rotation_onto(out_b, tl_scale(-1, out_a));
    if (chance(0.3)) { /* tilted a little, or very little */
        const tl_vec3 axis = random_direction();
        const double most = chance(0.5) ? 0.1 : SMALL[tl_random_int(&rnd, 16)];
        const tl_mat3 tilt = tl_mat3_rotation(axis, most * uniform(-1, 1));
        fb->R = tl_mat3_mul(&tilt, &fb->R);
    } else if (chance(0.3)) { /* edges along each other, exactly or nearly */
        const tl_vec3 da = tl_mat3_apply(&fa->R, along_a), db = tl_mat3_apply(&fb->R, along_b), axis = tl_normalize(tl_cross(db, da));
        if (tl_norm(axis) > 0.5) {
            const tl_mat3 turn = tl_mat3_rotation(axis, acos(fmin(1, fmax(-1, tl_dot(da, db)))) + (chance(0.5) ? 0 : SMALL[tl_random_int(&rnd, 16)]));
            fb->R = tl_mat3_mul(&turn, &fb->R);
        }
    }
    const double gap = (chance(0.5) ? SMALL[tl_random_int(&rnd, 16)] : uniform(-0.01, 0.01)) * size;
    const tl_vec3 at = tl_add(tl_add(xa, tl_scale(gap, out_a)), chance(0.1) ? tl_scale(0.01 * size, random_direction()) : tl_v3(0, 0, 0));
    fb->p = tl_add(fa->p, tl_sub(at, tl_mat3_apply(&fb->R, xb)));
}

#ifdef TL_SANITIZED
enum { PAIRS = 10000, EACH = 10 };
#else
enum { PAIRS = 120000, EACH = 10 };
#endif

TEST(random_polyhedra)
{
    rnd = tl_random_seed(1);
    for (int k = 0; k < PAIRS / EACH; k++) {
        const double size = pow(10, uniform(-3, 3));
        const bool large = chance(0.02);
        tl_shape3 a = large ? make_stone(25, size) : random_polyhedron(tl_random_int(&rnd, POLYHEDRA), size);
        const int kind = tl_random_int(&rnd, POLYHEDRA);
        tl_shape3 b = random_polyhedron(kind, size * (chance(0.5) ? 1 : uniform(0.1, 1)));
        for (int i = 0; i < EACH; i++) {
            tl_frame fa, fb;
            put(&a, &b, &fa, &fb, size);
            check_pair(&a, &fa, &b, &fb, size * (chance(0.2) ? 0 : chance(0.5) ? 0.02 : uniform(0, 0.5)));
        }
        free_shape(&a);
        free_shape(&b);
        if (test_failures > 100) return;
    }
    printf("touches a pair:");
    for (int i = 0; i <= TL_TOUCHES3; i++) printf(" %d", seen[i]);
    printf("; overlapping %d, of two minds %d, beyond 1e-9 of the size %d\n", overlapping, uncertain, rough);
    for (int i = 0; i <= 6; i++) CHECK(seen[i] > PAIRS / 10000);
    CHECK(overlapping > PAIRS / 10 && uncertain < PAIRS / 2 && rough <= PAIRS / 10000);
}

/* Spheres, capsules and polyhedra in any pairing. */
TEST(rounded_pairs)
{
    rnd = tl_random_seed(2);
    for (int k = 0; k < PAIRS / EACH / 2; k++) {
        const double size = pow(10, uniform(-3, 3));
        tl_shape3 s[2];
        const int round = tl_random_int(&rnd, 2);
        for (int i = 0; i < 2; i++) {
            const int kind = i == round ? tl_random_int(&rnd, 2) : tl_random_int(&rnd, 3);
            const double radius = size * uniform(0.05, 0.5);
            s[i] = kind == 0   ? make_ball(2 * radius)
                   : kind == 1 ? make_capsule(size * uniform(0.1, 1), radius)
                               : random_polyhedron(tl_random_int(&rnd, POLYHEDRA), size);
        }
        for (int i = 0; i < EACH; i++) {
            tl_frame fa, fb;
            put(&s[0], &s[1], &fa, &fb, size);
            check_pair(&s[0], &fa, &s[1], &fb, size * (chance(0.2) ? 0 : chance(0.5) ? 0.02 : uniform(0, 0.5)));
        }
        free_shape(&s[0]);
        free_shape(&s[1]);
        if (test_failures > 100) return;
    }
}

int main(int argc, char **argv)
{
    RUN(random_polyhedra);
    RUN(rounded_pairs);
    return TEST_RESULT;
}
