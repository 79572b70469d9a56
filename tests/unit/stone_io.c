/* Random stones and sieve curves: what is promised of every stone, and statistics with the errors that follow from the number drawn. */
#include "shape/shape3.h"
#include "scene/stone.h"
#include "test.h"

static tl_error error;

static tl_stone any(int corners, double angularity) { return (tl_stone){corners, angularity, {0.5, 1}, {0.5, 1}}; }

static tl_shape3 make(tl_random *r, const tl_stone *stone, tl_vec3 *p)
{
    tl_shape3 s;
    CHECK_OK(tl_stone_points(r, stone, p, &error), error.text);
    CHECK_OK(tl_shape3_hull(&s, tl_memory_default(), p, stone->corners, 0, &error), error.text);
    return s;
}

/* Every point a corner, no sliver of a stone: its volume is a good part of its box. */
TEST(corners)
{
    tl_random r = tl_random_seed(1);
#ifdef TL_SANITIZED
    const int stones = 1000;
#else
    const int stones = 10000;
#endif
    for (int k = 0; k < stones; k++) {
        tl_vec3 p[TL_STONE_CORNERS];
        const tl_stone stone = any(4 + k % 57, k % 3 == 0 ? 0 : k % 3 == 1 ? 1 : tl_random_uniform(&r, 0, 1));
        tl_shape3 s = make(&r, &stone, p);
        if (s.points != stone.corners) TEST_FAIL("stone %d: %d corners of %d, angularity %g", k, s.points, stone.corners, stone.angularity);
        tl_vec3 low = p[0], high = p[0], mean = {0};
        for (int i = 0; i < stone.corners; i++) {
            low = tl_v3(fmin(low.x, p[i].x), fmin(low.y, p[i].y), fmin(low.z, p[i].z));
            high = tl_v3(fmax(high.x, p[i].x), fmax(high.y, p[i].y), fmax(high.z, p[i].z));
            mean = tl_add(mean, tl_scale(1.0 / stone.corners, p[i]));
        }
        const tl_vec3 box = tl_sub(high, low);
        CHECK_NEAR(tl_norm(mean), 0, 1e-14);
        CHECK(box.y >= (0.5 - 1e-12) * box.x && box.y <= (1 + 1e-12) * box.x && box.z >= (0.5 - 1e-12) * box.y && box.z <= (1 + 1e-12) * box.y);
        CHECK_NEAR(tl_stone_mesh(p, stone.corners), 1, 1e-6);
        CHECK(tl_shape3_volume(&s).volume > 0.05 * box.x * box.y * box.z); /* a tetrahedron along a box's diagonals has a third, one askew less */
        tl_shape3_free(&s, tl_memory_default());
    }
}

TEST(blocks)
{
    tl_random r = tl_random_seed(2);
    for (int n = 4; n <= 16; n += 2) /* fully angular: three faces at each corner, so n/2 + 2 of them */
        for (int k = 0; k < 20; k++) {
            tl_vec3 p[TL_STONE_CORNERS];
            const tl_stone stone = any(n, 1);
            tl_shape3 s = make(&r, &stone, p);
            CHECK(s.points == n && s.faces == n / 2 + 2 && s.edges == 3 * n / 2);
            tl_shape3_free(&s, tl_memory_default());
        }
}

/* Sphericity: surface of the ball of the same volume over the surface; 1 for a ball, 0.806 for a cube. */
static double sphericity(const tl_shape3 *s)
{
    double area = 0;
    for (int f = 0; f < s->faces; f++) {
        const uint8_t *c = s->corner + s->face_begin[f];
        for (int i = 1, n = s->face_begin[f + 1] - s->face_begin[f]; i + 1 < n; i++)
            area += 0.5 * tl_norm(tl_cross(tl_sub(s->point[c[i]], s->point[c[0]]), tl_sub(s->point[c[i + 1]], s->point[c[0]])));
    }
    const double volume = tl_shape3_volume(s).volume;
    return cbrt(36 * TL_PI * volume * volume) / area;
}

/* On the mean of many stones, each step of angularity lowers sphericity by more than three standard errors of the difference. */
TEST(angularity)
{
    static const int CORNERS[4] = {12, 17, 24, 40};
    for (int q = 0; q < 4; q++) {
        double before = 2, before_error = 0;
        for (int step = 0; step <= 4; step++) {
            tl_random r = tl_random_seed(3);
            tl_stone stone = any(CORNERS[q], 0.25 * step);
            stone.elongation[0] = stone.flatness[0] = 1;
            enum { STONES = 300 };
            double sum = 0, squares = 0;
            for (int k = 0; k < STONES; k++) {
                tl_vec3 p[TL_STONE_CORNERS];
                tl_shape3 s = make(&r, &stone, p);
                const double x = sphericity(&s);
                sum += x, squares += x * x;
                tl_shape3_free(&s, tl_memory_default());
            }
            const double mean = sum / STONES, se = sqrt((squares / STONES - mean * mean) / STONES);
            if (!(before - mean > 3 * sqrt(se * se + before_error * before_error)))
                TEST_FAIL("%d corners, angularity %g: sphericity %g ± %g after %g", stone.corners, stone.angularity, mean, se, before);
            before = mean, before_error = se;
        }
        CHECK(before < 0.9);
    }
}

/* Ratios are drawn evenly over their range: mean and spread of a uniform number, to five standard errors. */
TEST(ratios)
{
    enum { STONES = 2000 };
    tl_random r = tl_random_seed(4);
    tl_stone stone = {8, 0.9, {0.4, 0.8}, {0.2, 0.5}};
    double sum[2] = {0};
    for (int k = 0; k < STONES; k++) {
        tl_vec3 p[8], low, high;
        CHECK_OK(tl_stone_points(&r, &stone, p, &error), error.text);
        low = high = p[0];
        for (int i = 1; i < 8; i++) {
            low = tl_v3(fmin(low.x, p[i].x), fmin(low.y, p[i].y), fmin(low.z, p[i].z));
            high = tl_v3(fmax(high.x, p[i].x), fmax(high.y, p[i].y), fmax(high.z, p[i].z));
        }
        sum[0] += (high.y - low.y) / (high.x - low.x) / STONES, sum[1] += (high.z - low.z) / (high.y - low.y) / STONES;
    }
    CHECK_NEAR(sum[0], 0.6, 5 * 0.4 / sqrt(12.0 * STONES));
    CHECK_NEAR(sum[1], 0.35, 5 * 0.3 / sqrt(12.0 * STONES));
}

TEST(same_seed)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        tl_random a = tl_random_seed(seed), b = a, c = tl_random_seed(seed + 100);
        tl_vec3 p[30], q[30], other[30];
        const tl_stone stone = any(30, 0.7);
        CHECK_OK(tl_stone_points(&a, &stone, p, &error), error.text);
        CHECK_OK(tl_stone_points(&b, &stone, q, &error), error.text);
        CHECK_OK(tl_stone_points(&c, &stone, other, &error), error.text);
        CHECK(memcmp(p, q, sizeof p) == 0 && memcmp(p, other, sizeof p) != 0);
    }
}

/* Meshes that are known: a box end on passes the larger of its sides, a thin plate the diagonal way, a rod of round section its diameter. */
TEST(mesh)
{
    tl_vec3 p[400];
    for (int i = 0; i < 8; i++) p[i] = tl_v3(i & 1 ? 5 : 0, i & 2 ? 2 : 0, i & 4 ? 1.5 : 0);
    CHECK_NEAR(tl_stone_mesh(p, 8), 2, 1e-7);
    for (int i = 0; i < 8; i++) p[i] = tl_v3(i & 1 ? 5 : 0, i & 2 ? 2 : 0, i & 4 ? 0.1 : 0);
    CHECK_NEAR(tl_stone_mesh(p, 8), 2.1 / sqrt(2), 1e-6);
    for (int i = 0; i < 400; i++) p[i] = tl_v3(i, cos(TL_PI * i / 200), sin(TL_PI * i / 200));
    CHECK_NEAR(tl_stone_mesh(p, 400), 2, 1e-4); /* a polygon of 400 sides: short of the circle by (π/400)² at most */
}

/* Masses of many stones between two sizes, as a part of all, against the curve. The error of such a quotient Σ m 1 / Σ m is
 * √Σ m² (1 − F)² / Σ m, the sum over all stones and 1 for those between. */
static void check_masses(const tl_sieve *curve, uint64_t seed)
{
    enum { STONES = 200000, PARTS = 3 };
    static double size[STONES];
    tl_random r = tl_random_seed(seed);
    const double largest = curve->size[curve->count - 1];
    double total = 0;
    for (int k = 0; k < STONES; k++) {
        size[k] = tl_sieve_draw(&r, curve, 3) / largest;
        CHECK(size[k] * largest >= curve->size[0] * (1 - 1e-12) && size[k] <= 1 + 1e-12);
        total += size[k] * size[k] * size[k];
    }
    for (int i = 1; i < curve->count; i++)
        for (int k = 0; k < PARTS; k++) { /* parts of an interval, equal over the logarithm */
            const double ratio = curve->size[i] / curve->size[i - 1];
            const double low = curve->size[i - 1] * pow(ratio, (double)k / PARTS), high = curve->size[i - 1] * pow(ratio, (k + 1.0) / PARTS);
            const double expected = (curve->passing[i] - curve->passing[i - 1]) / PARTS;
            double inside = 0, squares = 0;
            for (int s = 0; s < STONES; s++) {
                const double m = size[s] * size[s] * size[s];
                const bool here = size[s] * largest >= low && size[s] * largest < high;
                inside += here ? m : 0;
                squares += m * m * (here - expected) * (here - expected);
            }
            CHECK_NEAR(inside / total, expected, 5 * sqrt(squares) / total);
            CHECK(5 * sqrt(squares) / total < 0.05);
            CHECK_NEAR(tl_sieve_passing(curve, high) - tl_sieve_passing(curve, low), expected, 1e-12);
        }
}

TEST(sieves)
{
    const tl_sieve *ballast = tl_sieve_named("EN13450-31.5/50");
    CHECK(ballast != NULL && tl_sieve_named("EN13450") == NULL);
    CHECK_OK(tl_sieve_check(ballast, &error), error.text);
    check_masses(ballast, 5);
    const tl_sieve sand = {4, {0.4e-3, 1e-3, 1.2e-3, 2e-3}, {0, 0.6, 0.6, 1}}; /* with a gap */
    CHECK_OK(tl_sieve_check(&sand, &error), error.text);
    check_masses(&sand, 6);
    CHECK(tl_sieve_passing(&sand, 1e-5) == 0 && tl_sieve_passing(&sand, 1) == 1);
    CHECK_NEAR(tl_sieve_passing(&sand, 1.1e-3), 0.6, 1e-15);
}

static void refused(const tl_sieve *curve, const char *word)
{
    CHECK(tl_sieve_check(curve, &error) == TALUS_INPUT);
    if (!strstr(error.text, word)) TEST_FAIL("says \"%s\", without \"%s\"", error.text, word);
}

static void refused_stone(const tl_stone *stone, const char *word)
{
    tl_random r = tl_random_seed(1);
    tl_vec3 p[TL_STONE_CORNERS];
    CHECK(tl_stone_points(&r, stone, p, &error) == TALUS_INPUT);
    if (!strstr(error.text, word)) TEST_FAIL("says \"%s\", without \"%s\"", error.text, word);
}

TEST(mistakes)
{
    const tl_sieve good = {3, {1, 2, 3}, {0, 0.5, 1}};
    tl_sieve s = good;
    s.count = 1, refused(&s, "2 to 24 sieves");
    s.count = TL_SIEVES + 1, refused(&s, "2 to 24 sieves");
    s = good, s.size[1] = 1, refused(&s, "sieve 2");
    s = good, s.size[0] = 0, refused(&s, "positive");
    s = good, s.size[2] = (double)NAN, refused(&s, "sieve 3");
    s = good, s.size[2] = (double)INFINITY, refused(&s, "sieve 3");
    s = good, s.passing[1] = 1.5, refused(&s, "nor exceed 1");
    s = good, s.passing[2] = 0.4, refused(&s, "must not fall");
    s = good, s.passing[1] = (double)NAN, refused(&s, "sieve 2");
    s = good, s.passing[0] = 0.1, refused(&s, "begins with");
    s = good, s.passing[2] = 0.9, refused(&s, "ends with");
    tl_stone stone = any(3, 0.5);
    refused_stone(&stone, "not 3");
    stone = any(TL_STONE_CORNERS + 1, 0.5), refused_stone(&stone, "not 129");
    stone = any(8, 1.1), refused_stone(&stone, "angularity");
    stone = any(8, (double)NAN), refused_stone(&stone, "angularity");
    stone = any(8, 1), stone.elongation[0] = 0.05, refused_stone(&stone, "elongation");
    stone = any(8, 1), stone.flatness[1] = 0.4, refused_stone(&stone, "flatness");
    stone = any(8, 1), stone.flatness[1] = (double)NAN, refused_stone(&stone, "flatness");
}

int main(int argc, char **argv)
{
    RUN(corners);
    RUN(blocks);
    RUN(angularity);
    RUN(ratios);
    RUN(same_seed);
    RUN(mesh);
    RUN(sieves);
    RUN(mistakes);
    return TEST_RESULT;
}
