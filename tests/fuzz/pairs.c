/* Pair functions in space on shapes and placements that nobody would choose: a stream of bytes becomes two shapes, two frames and an alert distance, with
 * a liking for what is exactly coplanar, coincident, nested, thin, tiny, large, far away, or given twice. Whatever comes, the answer must keep what
 * detect/narrow3.h promises. PAIRS_FUZZ_RUNS says how many streams (default 30000), PAIRS_FUZZ_SEED where they begin; one that fails is printed in hex, and
 * given as PAIRS_FUZZ_INPUT it is tried alone.
 *
 * Bounds. Lengths are told apart to 4e-9 of both shapes' size (narrow3.c promises 1e-9, but for nearly degenerate pairs, which are the rule here; directions
 * that are equal to 1e-10 of it are chosen between freely). Beyond that only what is badly determined by the numbers themselves is allowed for: a face of width
 * w has a normal known to ε size/w (hull3.h), a direction between bodies that are apart by d is known to ε size/d, and positions at the distance L from the
 * origin to ε L. */
#include "random3.h"
#include "shape/hull3.h"

enum { BYTES = 96, SAVED = 20 };

/* ---- bytes -------------------------------------------------------------------------------------------------------- */

typedef struct bytes {
    uint8_t at[BYTES];
    int next;
} bytes;

static int take(bytes *b) { return b->next < BYTES ? b->at[b->next++] : 0; }

/* Below n, from one byte. */
static int pick(bytes *b, int n) { return take(b) % n; }

static double fraction(bytes *b) { return (take(b) + 256 * take(b)) / 65535.0; }

/* A number of order one, often a special one. */
static double number(bytes *b)
{
    static const double SPECIAL[] = {0, 1, -1, 0.5, -0.5, 1 / 3.0, 1e-4, -1e-4, 1e-7, 1e-9, -1e-9, 1e-10, 1e-12, 1e-15, -1e-15, 1e-17};
    const int which = take(b);
    return which < 128 ? SPECIAL[which % 16] : 2 * fraction(b) - 1;
}

static tl_vec3 vector(bytes *b)
{
    const double x = number(b), y = number(b), z = number(b);
    return tl_v3(x, y, z);
}

static tl_vec3 unit(bytes *b)
{
    const tl_vec3 v = vector(b);
    const double d = tl_norm(v);
    return d > 1e-6 ? tl_scale(1 / d, v) : tl_v3(0, 0, 1);
}

/* A frame's rotation: none, a quarter turn, a tiny one, any. */
static tl_mat3 rotation(bytes *b)
{
    const int kind = pick(b, 5);
    if (kind == 0) return tl_mat3_identity();
    if (kind == 1) return tl_mat3_rotation(tl_v3(1, 0, 0), TL_PI / 2 * pick(b, 4));
    if (kind == 2) return tl_mat3_rotation(tl_v3(0, 0, 1), TL_PI / 2 * pick(b, 4));
    if (kind == 3) return tl_mat3_rotation(unit(b), 1e-3 * number(b));
    return tl_mat3_rotation(unit(b), 4 * number(b));
}

/* ---- shapes ------------------------------------------------------------------------------------------------------- */

static int points_of(bytes *b, tl_vec3 *p)
{
    const int kind = pick(b, 5);
    int n = 0;
    if (kind == 0) { /* a box */
        for (int i = 0; i < 8; i++) p[n++] = tl_v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    } else if (kind == 1) { /* on a coarse grid: many in a plane, in a line, twice */
        for (int i = 4 + pick(b, 20); i > 0; i--) p[n] = tl_v3(pick(b, 4) - 1.5, pick(b, 4) - 1.5, pick(b, 4) - 1.5), n++;
    } else if (kind == 2) { /* a prism, a pyramid, or what is cut off one */
        const int sides = 3 + pick(b, 40);
        const double top = pick(b, 3) ? 1 : number(b);
        for (int i = 0; i < 2 * sides; i++) {
            const double angle = (i / 2) * 2 * TL_PI / sides, r = i % 2 ? top : 1;
            p[n++] = tl_v3(r * cos(angle), r * sin(angle), i % 2 ? 1 : -1);
        }
    } else if (kind == 3) { /* a few given ones, each perhaps again a little aside */
        for (int i = 4 + pick(b, 6); i > 0; i--) {
            p[n++] = vector(b);
            if (pick(b, 3) == 0) p[n] = tl_add(p[n - 1], tl_scale(1e-3, vector(b))), n++;
        }
    } else { /* a stone */
        tl_random r = tl_random_seed((uint64_t)take(b));
        const int count = 4 + pick(b, 200);
        while (n < count) {
            const tl_vec3 v = {tl_random_uniform(&r, -1, 1), tl_random_uniform(&r, -1, 1), tl_random_uniform(&r, -1, 1)};
            const double d = tl_norm(v);
            if (d > 0.1 && d < 1) p[n++] = tl_scale(1 / d, v);
        }
    }
    return n;
}

/* False: the points make no shape, and it was said why. */
static bool shape(bytes *b, tl_shape3 *s)
{
    static const double SIZE[] = {1, 1, 1, 1, 1, 1e-3, 1e-6, 1e3, 1e6, 0.1}, THIN[] = {1, 1, 1, 1, 1, 0.1, 1e-2, 1e-3, 1e-5, 1e-7};
    const double size = SIZE[pick(b, 10)];
    tl_vec3 p[TL_HULL_POINTS];
    tl_error why = {0};
    const int kind = pick(b, 10);
    talus_status status;
    if (kind == 0) status = tl_shape3_half_space(s, tl_scale(size, vector(b)), unit(b), &why);
    else if (kind == 1) {
        p[0] = tl_scale(size, vector(b));
        status = tl_shape3_hull(s, tl_memory_default(), p, 1, size * (0.01 + fraction(b)), &why);
    } else if (kind == 2) {
        p[0] = tl_scale(size, vector(b)), p[1] = tl_scale(size, vector(b));
        status = tl_shape3_hull(s, tl_memory_default(), p, 2, size * THIN[pick(b, 10)], &why);
    } else {
        const int n = points_of(b, p);
        const tl_vec3 thin = {THIN[pick(b, 10)], THIN[pick(b, 10)], 1}, aside = pick(b, 4) ? tl_v3(0, 0, 0) : vector(b);
        const tl_mat3 R = rotation(b);
        for (int i = 0; i < n; i++) p[i] = tl_scale(size, tl_add(aside, tl_mat3_apply(&R, tl_v3(p[i].x * thin.x, p[i].y * thin.y, p[i].z))));
        status = tl_shape3_hull(s, tl_memory_default(), p, n, 0, &why);
    }
    if (status != TALUS_OK) CHECK(status == TALUS_INPUT && why.text[0] != '\0');
    return status == TALUS_OK;
}

/* ε size/w over the narrowest face or the shortest capsule: how far its normals are known. */
static double blur(const tl_shape3 *s)
{
    double most = 0;
    for (int f = 0; f < s->faces; f++) {
        const int begin = s->face_begin[f], n = s->face_begin[f + 1] - begin;
        tl_vec3 area = {0, 0, 0};
        double longest = 0;
        for (int k = 1; k < n; k++) {
            const tl_vec3 o = s->point[s->corner[begin]], p = tl_sub(s->point[s->corner[begin + k]], o);
            const tl_vec3 q = tl_sub(s->point[s->corner[begin + (k + 1) % n]], o);
            area = tl_add(area, tl_cross(p, q));
            longest = fmax(longest, fmax(tl_norm(p), tl_norm(tl_sub(q, p))));
        }
        most = fmax(most, 1e-15 * s->reach * longest / tl_norm(area));
    }
    return most;
}

/* Returns how far corners lie above the planes of faces [m]. */
static double check_shape(const tl_shape3 *s)
{
    double warp = 0;
    if (s->faces == 0) return 0;
    CHECK(s->points - s->edges + s->faces == 2);

    for (int f = 0; f < s->faces; f++) {
        CHECK_NEAR(tl_norm(s->plane[f].n), 1, 1e-14);
        for (int i = 0; i < s->points; i++) warp = fmax(warp, tl_dot(s->plane[f].n, s->point[i]) - s->plane[f].offset);
    }
    CHECK_NEAR(warp, 0, 2 * 64 * TL_HULL_GRAIN * s->reach); /* at most 64 grains of the size, which is a diameter */
    return warp;
}

/* ---- placements --------------------------------------------------------------------------------------------------- */

static tl_vec3 turned(const tl_frame *f, tl_vec3 v) { return tl_mat3_apply(&f->R, v); }

static double extent_of(const tl_shape3 *s) { return s->kind == TL_HALF_SPACE3 ? 0 : s->reach; }

static void frames(bytes *b, const tl_shape3 *sa, const tl_shape3 *sb, tl_frame *fa, tl_frame *fb)
{
    static const double FAR[] = {0, 0, 0, 1, 1, 1e3};
    const double size = extent_of(sa) + extent_of(sb);
    fa->R = rotation(b);
    fa->p = tl_scale(FAR[pick(b, 6)] * size, vector(b));
    const int kind = pick(b, 5);
    const tl_mat3 turn = kind ? rotation(b) : tl_mat3_identity();
    fb->R = tl_mat3_mul(&fa->R, &turn);
    if (kind <= 1) fb->p = fa->p; /* coincident, nested */
    else if (kind == 2) fb->p = tl_add(fa->p, tl_scale(size, vector(b)));
    else { /* a corner of one at a corner of the other, or shifted along a face */
        const tl_vec3 xa = sa->points ? sa->point[pick(b, sa->points)] : sa->centre, xb = sb->points ? sb->point[pick(b, sb->points)] : sb->centre;
        fb->p = tl_add(fa->p, tl_sub(turned(fa, xa), turned(fb, xb)));
        const tl_vec3 along = sa->faces ? sa->plane[pick(b, sa->faces)].n : unit(b);
        fb->p = tl_add(fb->p, tl_scale(size * number(b), kind == 3 ? turned(fa, along) : unit(b)));
    }
}

/* ---- what must hold ----------------------------------------------------------------------------------------------- */

typedef struct pair {
    const tl_shape3 *a, *b;
    tl_frame fa, fb;
    double alert, size, tiny; /* tiny: what gaps are known to */
    bool plain;               /* neither is thin or small beside the other: then a point lies in both; else it may be off by as much as they overlap */
    double far;               /* the rounding of positions    */
    double rim; /* how far rims are known: points on one are within 1e-10 of the size, and over the sine of where two meet; and faces are flat to `warp` */
} pair;

static double most_along(const tl_shape3 *s, const tl_frame *f, tl_vec3 n, tl_vec3 origin)
{
    if (s->kind == TL_HALF_SPACE3) return tl_dot(n, tl_add(tl_sub(f->p, origin), turned(f, s->centre)));
    double most = -(double)INFINITY;
    for (int i = 0; i < s->points; i++) most = fmax(most, tl_dot(n, tl_add(tl_sub(f->p, origin), turned(f, s->point[i]))));
    return most + s->radius;
}

/* How far apart the two are along n, which is the normal where one is a half-space. */
static double apart(const pair *p, tl_vec3 n) { return -most_along(p->b, &p->fb, tl_scale(-1, n), p->fa.p) - most_along(p->a, &p->fa, n, p->fa.p); }

/* Apart by `gap`, a separation is known to ε size²/gap at best; what lies aside by √(2 known gap) adds no more to it. */
static double unknown(const pair *p, double gap) { return gap > 0 ? fmin(gap, p->far + 2.2e-16 * p->size * p->size / gap) : 0; }

/* No direction parts them by more than the one that was found. Directions: faces, pairs of edges (some), corners, any. */
static void check_best(const pair *p, double found, bytes *b)
{
    const double known = p->tiny + unknown(p, found);
    double best = -(double)INFINITY;
    if (p->a->kind == TL_HALF_SPACE3 || p->b->kind == TL_HALF_SPACE3) return;
    for (int f = 0; f < p->a->faces; f++) best = fmax(best, apart(p, turned(&p->fa, p->a->plane[f].n)));
    for (int f = 0; f < p->b->faces; f++) best = fmax(best, apart(p, tl_scale(-1, turned(&p->fb, p->b->plane[f].n))));
    const int na = p->a->edges, nb = p->b->edges, stride_a = 1 + na / 24, stride_b = 1 + nb / 24;
    for (int i = pick(b, stride_a); i < na; i += stride_a)
        for (int j = pick(b, stride_b); j < nb; j += stride_b) {
            const tl_edge3 e = p->a->edge[i], g = p->b->edge[j];
            const tl_vec3 n =
                tl_cross(turned(&p->fa, tl_sub(p->a->point[e.to], p->a->point[e.from])), turned(&p->fb, tl_sub(p->b->point[g.to], p->b->point[g.from])));
            const double d = tl_norm(n);
            if (!(d > 0)) continue;
            const tl_vec3 out = tl_scale(1 / d, n);
            if (fabs(tl_norm(out) - 1) < 1e-12) best = fmax(best, fmax(apart(p, out), apart(p, tl_scale(-1, out))));
        }
    for (int k = 0; k < 8; k++) best = fmax(best, apart(p, unit(b)));
    if (!(best <= found + known)) TEST_FAIL("a direction parts them by %.12g, not %.12g: %.3g more, known to %.3g", best, found, best - found, known);
}

/* Each point, taken half the gap either way, lies behind all planes that bound the shape, or within its radius of the capsule's segment. */
static void check_inside(const pair *p, const tl_shape3 *s, const tl_frame *f, tl_vec3 x, double aside)
{
    if (blur(p->a) + blur(p->b) > 1e-9) return; /* open: beside faces that narrow, points of a patch may lie outside by as much as 1e-4 of the size */
    const tl_mat3 Rt = tl_mat3_transpose(&f->R);
    const tl_vec3 local = tl_mat3_apply(&Rt, tl_sub(x, f->p));
    double out = 0;
    if (s->kind == TL_HALF_SPACE3) out = tl_dot(s->normal, tl_sub(local, s->centre));
    else if (s->faces == 0) {
        const tl_vec3 e = tl_sub(s->point[s->points - 1], s->point[0]), d = tl_sub(local, s->point[0]);
        const double u = s->points > 1 ? fmin(1, fmax(0, tl_dot(d, e) / tl_dot(e, e))) : 0;
        out = tl_norm(tl_sub(d, tl_scale(u, e))) - s->radius;
    }
    for (int k = 0; k < s->faces; k++) out = fmax(out, tl_dot(s->plane[k].n, local) - s->plane[k].offset);
    if (!(out <= p->tiny + p->rim + aside)) TEST_FAIL("a point lies %.3g outside, of %.3g", out, p->size);
}

static bool same_bits(tl_vec3 x, tl_vec3 y) { return x.x == y.x && x.y == y.y && x.z == y.z; }

static double least_gap(const tl_touch *t, int n)
{
    double least = (double)INFINITY;
    for (int i = 0; i < n; i++) least = fmin(least, t[i].gap);
    return least;
}

/* The least width of a shape across its faces [m]. */
static double width(const tl_shape3 *s)
{
    double least = s->faces || s->kind == TL_HALF_SPACE3 ? (double)INFINITY : s->radius;
    for (int f = 0; f < s->faces; f++) {
        double low = s->plane[f].offset;
        for (int i = 0; i < s->points; i++) low = fmin(low, tl_dot(s->plane[f].n, s->point[i]));
        least = fmin(least, s->plane[f].offset - low);
    }
    return least;
}

static void check_touches(const pair *p, const tl_touch *t, int n)
{
    const double gap = least_gap(t, n), known = unknown(p, gap), aside = sqrt(2 * known * fmax(0, gap)) + (p->plain ? 0 : fmax(0, -gap));
    for (int i = 0; i < n; i++) {
        CHECK(isfinite(t[i].gap) && isfinite(t[i].point.x) && isfinite(t[i].point.y) && isfinite(t[i].point.z));
        CHECK_NEAR(tl_norm(t[i].normal), 1, 1e-13);
        CHECK(same_bits(t[i].normal, t[0].normal) && t[i].gap < p->alert && t[i].feature < 1u << 24);
        CHECK(i == 0 || t[i - 1].feature < t[i].feature);
        const tl_vec3 half = tl_scale(0.5 * t[i].gap, t[i].normal);
        check_inside(p, p->a, &p->fa, tl_sub(t[i].point, half), aside);
        check_inside(p, p->b, &p->fb, tl_add(t[i].point, half), aside);
    }
    CHECK_NEAR(gap, apart(p, t[0].normal), p->tiny + known);
}

static void check_hints(const pair *p, tl_vec3 last, const tl_touch *t, int n, bytes *b)
{
    const tl_vec3 hints[4] = {last, tl_scale(-1, last), unit(b), tl_normalize(tl_add(last, tl_scale(1e-3, vector(b))))};
    for (int k = 0; k < 4; k++) {
        tl_touch u[TL_TOUCHES3];
        tl_vec3 hint = hints[k];
        const int m = tl_touch3_find((tl_placed3){p->a, &p->fa}, (tl_placed3){p->b, &p->fb}, p->alert, &hint, NULL, u);
        CHECK(m == n);
        for (int i = 0; m == n && i < n; i++)
            CHECK(same_bits(u[i].point, t[i].point) && same_bits(u[i].normal, t[i].normal) && u[i].gap == t[i].gap && u[i].feature == t[i].feature);
    }
}

/* The same gap, or none where it is beyond alert but for what gaps are known to. */
static void check_same(const char *what, const pair *p, const tl_touch *t, int n, const tl_touch *u, int m, double known)
{
    const double gap = n ? least_gap(t, n) : p->alert, other = m ? least_gap(u, m) : p->alert;
    if (n == 0 && m == 0) return;
    if (!(fabs(gap - other) <= known))
        TEST_FAIL("%s: %d touches from %.12g, and %d from %.12g: %.3g apart, known to %.3g", what, n, gap, m, other, other - gap, known);
}

static int touching, deep, refused;

static void try_pair(const pair *p, bytes *b)
{
    tl_touch t[TL_TOUCHES3], u[TL_TOUCHES3];
    tl_vec3 hint = {0, 0, 0}, back = {0, 0, 0}, moved = {0, 0, 0};
    const int n = tl_touch3_find((tl_placed3){p->a, &p->fa}, (tl_placed3){p->b, &p->fb}, p->alert, &hint, NULL, t);
    CHECK(n >= 0 && n <= TL_TOUCHES3);
    if (p->a->kind == TL_HALF_SPACE3 && p->b->kind == TL_HALF_SPACE3) {
        CHECK(n == 0);
        return;
    }
    CHECK_NEAR(tl_norm(hint), 1, 1e-9);
    if (n == 0) {
        const double s = apart(p, hint);
        if (!(s >= p->alert - p->tiny)) TEST_FAIL("no touch, but they are apart by %.12g only, and alert is %.12g", s, p->alert);
    } else {
        check_touches(p, t, n);
        check_best(p, least_gap(t, n), b);
        touching++;
        deep += least_gap(t, n) < -1e-3 * p->size;
    }
    check_hints(p, hint, t, n, b);
    check_same("exchanged", p, t, n, u, tl_touch3_find((tl_placed3){p->b, &p->fb}, (tl_placed3){p->a, &p->fa}, p->alert, &back, NULL, u), 2 * p->tiny);
    const tl_frame move = {tl_scale(p->size, vector(b)), tl_mat3_rotation(unit(b), 4 * number(b))};
    const tl_frame ga = {in_world(&move, p->fa.p), tl_mat3_mul(&move.R, &p->fa.R)}, gb = {in_world(&move, p->fb.p), tl_mat3_mul(&move.R, &p->fb.R)};
    check_same("moved", p, t, n, u, tl_touch3_find((tl_placed3){p->a, &ga}, (tl_placed3){p->b, &gb}, p->alert, &moved, NULL, u), 2 * p->tiny + p->far);
}

static void describe(const pair *p)
{
    for (int k = 0; k < 2; k++) {
        const tl_shape3 *s = k ? p->b : p->a;
        const tl_frame *f = k ? &p->fb : &p->fa;
        fprintf(stderr, "%c: %s, %d corners, %d faces, radius %.3g, reach %.3g, normals to %.2g, at %.3g %.3g %.3g\n", "ab"[k],
                s -> kind == TL_HALF_SPACE3 ? "half-space" : "hull", s->points, s->faces, s->radius, s->reach, blur(s), f->p.x, f->p.y, f->p.z);
    }
}

static void run_bytes(bytes *b)
{
    static const double ALERT[] = {0, 1e-3, 1e-2, 0.3, 1};
    tl_shape3 sa, sb;
    if (!shape(b, &sa)) {
        refused++;
        return;
    }
    if (!shape(b, &sb)) {
        refused++;
        tl_shape3_free(&sa, tl_memory_default());
        return;
    }
    const double warp = check_shape(&sa) + check_shape(&sb);
    pair p = {.a = &sa, .b = &sb, .size = extent_of(&sa) + extent_of(&sb)};
    frames(b, &sa, &sb, &p.fa, &p.fb);
    p.alert = ALERT[pick(b, 5)] * p.size;
    p.far = 1e-15 * (tl_norm(p.fa.p) + tl_norm(p.fb.p) + tl_norm(sa.centre) + tl_norm(sb.centre) + p.size);
    p.tiny = (4e-9 + blur(&sa) + blur(&sb)) * p.size + p.far + warp;
    p.plain = fmin(width(&sa), width(&sb)) > 0.02 * p.size;
    p.rim = warp + 1e-10 * p.size / fmin(sharpest(&sa), sharpest(&sb));
    const int before = test_failures;
    if (p.size > 0) try_pair(&p, b);
    if (test_failures > before) describe(&p);
    tl_shape3_free(&sa, tl_memory_default()), tl_shape3_free(&sb, tl_memory_default());
}

/* ---- runs --------------------------------------------------------------------------------------------------------- */

static long setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

TEST(pairs)
{
#ifdef TL_SANITIZED
    const long runs = setting("PAIRS_FUZZ_RUNS", 2000);
#else
    const long runs = setting("PAIRS_FUZZ_RUNS", 10000);
#endif
    const long first = setting("PAIRS_FUZZ_FIRST", 0);
    int bad = 0;
    for (long k = first; k < first + runs && bad < SAVED; k++) {
        bytes b = {.next = 0};
        tl_random r = tl_random_seed((uint64_t)k);
        for (int i = 0; i < BYTES; i++) b.at[i] = (uint8_t)tl_random_int(&r, 256);
        const int before = test_failures;
        run_bytes(&b);
        if (test_failures == before) continue;
        fprintf(stderr, "in stream %ld\n", k);
        bad++;
    }
    printf("%ld streams: %d pairs touch, %d of them deep; %d times points were no shape\n", runs, touching, deep, refused);
    if (runs >= 1000) CHECK(touching > runs / 4 && deep > runs / 20 && refused < runs / 4); /* else the streams test nothing */
}

int main(int argc, char **argv)
{
    RUN(pairs);
    return TEST_RESULT;
}
