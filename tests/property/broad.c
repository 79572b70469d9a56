/* Lists of near pairs against brute force: every pair of contactors, every image within reach of the cell.
 *
 * Boxes are of all sizes, some without an end, some not there; in the plane they have no height. Where boxes just touch, rounding decides, which random
 * numbers of sixteen digits do not come to. */
#include <string.h>

#include "detect/past3.h"
#include "test.h"

static tl_random rnd;
static tl_error why;

static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

enum { MOST = 60, FAR = 6, ROUNDS = 100, KINDS = 4 }; /* FAR cells: more than any two boxes below lie apart */

typedef struct crowd {
    int n, dimension;
    tl_cell cell;
    tl_box3 box[MOST];
    tl_vec3 ahead[MOST];
    int group[MOST], kind[MOST], kinds;
    bool touches[KINDS * KINDS], all;
    double skin;
} crowd;

static double *at(tl_vec3 *v, int k) { return &v->x + k; }

static void place(crowd *c, int i)
{
    const double size = tl_random_int(&rnd, 10) == 0 ? 1.4 : 0.2; /* some are large */
    for (int k = 0; k < c->dimension; k++) {
        const double middle = uniform(-1.5, 1.5), half = 0.5 * size * uniform(0.2, 1);
        *at(&c->box[i].low, k) = middle - half, *at(&c->box[i].high, k) = middle + half;
        *at(&c->ahead[i], k) = uniform(-0.1, 0.1);
    }
    if (i == 0) { /* a floor */
        for (int k = 0; k < c->dimension; k++) *at(&c->box[i].low, k) = -(double)INFINITY;
        for (int k = 0; k < c->dimension - 1; k++) *at(&c->box[i].high, k) = (double)INFINITY;
    }
}

static crowd make_crowd(void)
{
    crowd c = {.n = 2 + tl_random_int(&rnd, MOST - 1), .dimension = 2 + tl_random_int(&rnd, 2)};
    c.skin = uniform(0.001, 0.05);
    for (int k = 0; k < c.dimension; k++) {
        c.cell.length[k] = tl_random_int(&rnd, 2) ? uniform(1, 2) : 0;
        c.cell.periodic = c.cell.periodic || c.cell.length[k] > 0;
    }
    c.all = tl_random_int(&rnd, 3) == 0;
    c.kinds = 1 + tl_random_int(&rnd, KINDS);
    for (int a = 0; a < c.kinds; a++)
        for (int b = 0; b <= a; b++) c.touches[a * c.kinds + b] = c.touches[b * c.kinds + a] = tl_random_int(&rnd, 4) > 0;
    for (int i = 0; i < c.n; i++) {
        c.kind[i] = tl_random_int(&rnd, c.kinds);
        place(&c, i);
        c.group[i] = tl_random_int(&rnd, 12) == 0 ? TL_GROUP_ABSENT : tl_random_int(&rnd, c.n);
    }
    return c;
}

static tl_arena *arena; /* the list before the last one lies in it until the next is made */

static talus_status list(tl_broad *broad, const crowd *c, int threads)
{
    tl_arena_destroy(arena);
    arena = tl_arena_create(tl_memory_default(), 1 << 16);
    tl_threads *t = tl_threads_create(tl_memory_default(), threads);
    double skin[MOST];
    for (int i = 0; i < c->n; i++) skin[i] = c->skin;
    const tl_broad_source source = {.n = c->n,
                                    .box = c->box,
                                    .group = c->group,
                                    .kind = c->kind,
                                    .touches = c->all ? NULL : c->touches,
                                    .kinds = c->kinds,
                                    .ahead = c->ahead,
                                    .skin = skin};
    const talus_status status = tl_broad_rebuild(broad, &source, arena, t, &why);
    tl_threads_destroy(t);
    return status;
}

/* ---- brute force ---------------------------------------------------------------------------------------------------- */

/* With slack all round, and ahead of the motion. */
static void grown(const crowd *c, int i, int k, double out[2])
{
    const double way = (&c->ahead[i].x)[k];
    out[0] = (&c->box[i].low.x)[k] - c->skin + fmin(way, 0);
    out[1] = (&c->box[i].high.x)[k] + c->skin + fmax(way, 0);
}

/* Along one direction, b moved by so many cells; what has no end is its own image. */
static bool meets_along(const crowd *c, int a, int b, int k, int image)
{
    double A[2], B[2];
    grown(c, a, k, A), grown(c, b, k, B);
    const bool ends = isfinite(A[0]) && isfinite(A[1]) && isfinite(B[0]) && isfinite(B[1]), turns = c->cell.length[k] > 0 && ends;
    const double shift = image * c->cell.length[k];
    return (turns || image == 0) && A[0] <= B[1] + shift && B[0] + shift <= A[1];
}

static bool ever_touch(const crowd *c, int a, int b)
{
    if (c->group[a] == c->group[b] || c->group[a] == TL_GROUP_ABSENT || c->group[b] == TL_GROUP_ABSENT) return false;
    return c->all || c->touches[c->kind[a] * c->kinds + c->kind[b]];
}

static bool meets(const crowd *c, const tl_near *pair)
{
    if (!ever_touch(c, pair->a, pair->b)) return false;
    for (int k = 0; k < 3; k++)
        if (!meets_along(c, pair->a, pair->b, k, pair->image[k])) return false;
    return true;
}

static int count_pairs(const crowd *c)
{
    int count = 0;
    for (int a = 0; a < c->n; a++)
        for (int b = a + 1; b < c->n; b++) {
            if (!ever_touch(c, a, b)) continue;
            int images = 1; /* directions are independent */
            for (int k = 0; k < 3; k++) {
                int along = 0;
                for (int image = -FAR; image <= FAR; image++) along += meets_along(c, a, b, k, image);
                images *= along;
            }
            count += images;
        }
    return count;
}

static bool same(const tl_near *p, const tl_near *q) { return p->a == q->a && p->b == q->b && memcmp(p->image, q->image, sizeof p->image) == 0; }

/* Each pair meets, none is there twice, and there are as many as do: it is the list. */
static void check_list(const crowd *c, const tl_near *pairs, int count)
{
    CHECK(count == count_pairs(c));
    for (int i = 0; i < count; i++) {
        CHECK(pairs[i].a < pairs[i].b && meets(c, &pairs[i]));
        if (i > 0) CHECK(!tl_near_comes_before(&pairs[i], &pairs[i - 1]));
        for (int k = i - 1; k >= 0 && pairs[k].a == pairs[i].a && pairs[k].b == pairs[i].b; k--) CHECK(!same(&pairs[k], &pairs[i]));
    }
}

TEST(lists)
{
    rnd = tl_random_seed(1);
    int pairs = 0, images = 0;
    for (int round = 0; round < ROUNDS; round++) {
        crowd c = make_crowd();
        tl_broad broad, other;
        tl_broad_init(&broad, tl_memory_default(), &c.cell, c.dimension);
        tl_broad_init(&other, tl_memory_default(), &c.cell, c.dimension);
        for (int k = 0; k < 2; k++) {
            CHECK_OK(list(&broad, &c, 1), why.text);
            check_list(&c, broad.pairs, broad.pair_count);
            for (int i = 0; i < broad.pair_count; i++) images += tl_is_image(broad.pairs[i].image, 3);
            pairs += broad.pair_count;
            if (k == 0)
                for (int i = 0; i < c.n; i += 2) place(&c, i);
        }
        CHECK_OK(list(&other, &c, 3), why.text); /* whatever the number of threads */
        CHECK(other.pair_count == broad.pair_count);
        for (int i = 0; i < other.pair_count; i++) CHECK(same(&other.pairs[i], &broad.pairs[i]));
        tl_broad_free(&broad);
        tl_broad_free(&other);
    }
    CHECK(pairs > 1000 && images > 100);
}

/* Where no pair has ever been near, nothing is written (sanitizers look at that). */
TEST(nothing_is_near)
{
    const crowd c = {.n = 2, .dimension = 2, .box = {{{0, 0, 0}, {1, 1, 0}}, {{3, 0, 0}, {4, 1, 0}}}, .group = {0, 1}, .all = true, .skin = 0.01};
    tl_broad broad;
    tl_broad_init(&broad, tl_memory_default(), &c.cell, c.dimension);
    CHECK_OK(list(&broad, &c, 1), why.text);
    CHECK(broad.pair_count == 0);
    tl_broad_free(&broad);
}

static bool holds(const tl_broad *broad, const crowd *c)
{
    bool all = tl_broad_is_valid(broad, c->n);
    for (int i = 0; all && i < c->n; i++) all = tl_broad_holds(broad, i, &c->box[i]);
    return all;
}

/* A list is good for boxes that stay within those with their slack, in axes that go along; each side of each box counts. */
TEST(what_a_list_is_good_for)
{
    rnd = tl_random_seed(2);
    for (int round = 0; round < ROUNDS; round++) {
        crowd c = make_crowd();
        tl_broad broad;
        tl_broad_init(&broad, tl_memory_default(), &c.cell, c.dimension);
        CHECK(!holds(&broad, &c));
        CHECK_OK(list(&broad, &c, 1), why.text);
        CHECK(holds(&broad, &c) && !tl_broad_is_valid(&broad, c.n - 1));
        const int i = 1 + tl_random_int(&rnd, c.n - 1), k = tl_random_int(&rnd, c.dimension);
        double fat[2];
        grown(&c, i, k, fat);
        const tl_box3 box = c.box[i];
        *at(&c.box[i].high, k) = fat[1] - 1e-9; /* far beyond rounding, well within the slack */
        CHECK(holds(&broad, &c));
        *at(&c.box[i].high, k) = fat[1] + 1e-9;
        CHECK(!holds(&broad, &c));
        c.box[i] = box;
        *at(&c.box[i].low, k) = fat[0] - 1e-9;
        CHECK(!holds(&broad, &c));
        c.box[i] = box;
        tl_vec3 way = {0, 0, 0};
        *at(&way, k) = 3;
        tl_broad_move(&broad, way);
        CHECK(!holds(&broad, &c));
        for (int m = 0; m < c.n; m++) c.box[m] = (tl_box3){tl_add(c.box[m].low, way), tl_add(c.box[m].high, way)};
        CHECK(holds(&broad, &c));
        tl_broad_free(&broad);
    }
}

/* ---- what is known of pairs ----------------------------------------------------------------------------------------- */

static bool is_searched(const tl_near *pair) { return (pair->a + pair->b) % 3 == 0; }

/* A mark of a pair, the same in every list. */
static double mark_of(const tl_near *p) { return 1 + p->a + 100 * p->b + 1e5 * (FAR + p->image[0]) + 1e7 * (FAR + p->image[1]) + 1e9 * (FAR + p->image[2]); }

static bool is_in(const tl_near *pairs, int count, const tl_near *pair)
{
    for (int i = 0; i < count; i++)
        if (same(&pairs[i], pair)) return true;
    return false;
}

/* Marks are left on all pairs of a list; those that are in the next one, too, have them still, and the others have none. */
TEST(what_is_known_goes_along)
{
    rnd = tl_random_seed(3);
    bool searched[MOST * MOST * 8];
    int kept = 0, fresh = 0;
    for (int round = 0; round < ROUNDS; round++) {
        crowd c = make_crowd();
        tl_broad broad;
        tl_pasts3 pasts = {.pairs = 0};
        tl_broad_init(&broad, tl_memory_default(), &c.cell, c.dimension);
        for (int k = 0; k < 3; k++) {
            CHECK_OK(list(&broad, &c, 1), why.text);
            CHECK(broad.pair_count <= (int)(sizeof searched));
            for (int i = 0; i < broad.pair_count; i++) searched[i] = is_searched(&broad.pairs[i]);
            CHECK_OK(tl_pasts3_follow(&pasts, &broad, searched, arena, &why), why.text);
            int known_before = 0;
            for (int i = 0; i < broad.pair_count; i++) {
                known_before += tl_known3_of(&pasts, i) != NULL;
                pasts.pair[i].touched = true;
                CHECK_OK(tl_pasts3_expect(&pasts, tl_memory_default(), i, &why), why.text);
            }
            CHECK(k > 0 || known_before == 0);
            CHECK(pasts.knowns - pasts.spares <= broad.pair_count); /* those of pairs that are gone are used again */
            for (int i = 0; i < broad.pair_count; i++) {
                const tl_near *pair = &broad.pairs[i];
                tl_known3 *known = tl_known3_of(&pasts, i);
                const bool was = k > 0 && is_in(broad.before, broad.before_count, pair);
                CHECK(pasts.pair[i].hint[0] == (was ? (float)mark_of(pair) : 0));
                CHECK(!known == !is_searched(pair));
                if (known) CHECK(known->level == (was ? (float)mark_of(pair) : 0));
                kept += was, fresh += k > 0 && !was;
                pasts.pair[i].hint[0] = (float)mark_of(pair);
                if (known) known->level = (float)mark_of(pair);
            }
            for (int i = 0; i < c.n; i += 3) place(&c, i);
        }
        tl_pasts3_free(&pasts, tl_memory_default());
        tl_broad_free(&broad);
    }
    CHECK(kept > 300 && fresh > 300);
}

int main(int argc, char **argv)
{
    RUN(lists);
    RUN(nothing_is_near);
    RUN(what_a_list_is_good_for);
    RUN(what_is_known_goes_along);
    return TEST_RESULT;
}
