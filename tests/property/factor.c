/* Sparse factor by groups against products with the matrix itself, and against dense Cholesky. The matrices are those of
 * random springs between the points of a grid, which hang on the ground at one side. */
#include "base/factor.h"

#include "base/math.h"
#include "test.h"

typedef struct springs {
    int n, block;
    bool general;
    double (*x)[3];
    tl_pattern pattern;
    double *value;
} springs;

/* What turns forces aside: a skew part, as large as the springs themselves. The symmetric part is definite all the same, so that pivots are where they stand.
 */
static void twist(springs *s)
{
    const int block = s->block;
    tl_random random = tl_random_seed(5);
    s->general = true;
    for (int i = 0; i < s->n; i++)
        for (int k = s->pattern.begin[i]; k < s->pattern.begin[i + 1]; k++) {
            const int j = s->pattern.neighbour[k];
            int back = s->pattern.begin[j];
            while (s->pattern.neighbour[back] != i) back++;
            for (int a = 0; a < block; a++)
                for (int b = 0; b < block; b++) {
                    if (j < i || (i == j && b <= a)) continue;
                    const double skew = tl_random_uniform(&random, -1, 1);
                    s->value[(k * block + a) * block + b] += skew, s->value[(back * block + b) * block + a] -= skew;
                }
        }
}

/* nx × ny × nz points, each with its 26 neighbours. */
static springs make(int nx, int ny, int nz, int block)
{
    springs s = {.n = nx * ny * nz, .block = block};
    const tl_memory memory = tl_memory_default();
    const int bb = block * block;
    tl_random random = tl_random_seed(3);
    s.x = tl_alloc(memory, (size_t)s.n, sizeof *s.x);
    s.pattern = (tl_pattern){s.n, tl_alloc(memory, (size_t)s.n + 1, sizeof(int)), tl_alloc(memory, 27 * (size_t)s.n, sizeof(int))};
    s.value = tl_alloc(memory, 27 * (size_t)(s.n * bb), sizeof *s.value);
    int held = 0;
    for (int i = 0; i < s.n; i++) {
        const int at[3] = {i % nx, i / nx % ny, i / nx / ny};
        s.pattern.begin[i] = held;
        for (int k = 0; k < 3; k++) s.x[i][k] = at[k];
        for (int c = -1; c <= 1; c++)
            for (int b = -1; b <= 1; b++)
                for (int a = -1; a <= 1; a++)
                    if (at[0] + a >= 0 && at[0] + a < nx && at[1] + b >= 0 && at[1] + b < ny && at[2] + c >= 0 && at[2] + c < nz)
                        s.pattern.neighbour[held++] = i + a + nx * (b + ny * c);
    }
    s.pattern.begin[s.n] = held;
    /* A spring along a random direction d between i and j: d dᵀ to the diagonals, −d dᵀ between. */
    int *diagonal = tl_alloc(memory, (size_t)s.n, sizeof *diagonal);
    for (int i = 0; i < s.n; i++)
        for (int k = s.pattern.begin[i]; k < s.pattern.begin[i + 1]; k++)
            if (s.pattern.neighbour[k] == i) diagonal[i] = k;
    for (int i = 0; i < s.n; i++)
        for (int k = s.pattern.begin[i]; k < s.pattern.begin[i + 1]; k++) {
            const int j = s.pattern.neighbour[k];
            if (j < i) continue;
            int back = s.pattern.begin[j];
            while (s.pattern.neighbour[back] != i) back++;
            double d[3];
            for (int a = 0; a < 3; a++) d[a] = tl_random_uniform(&random, -1, 1);
            for (int a = 0; a < block; a++)
                for (int b = 0; b < block; b++) {
                    const double v = d[a] * d[b];
                    if (i == j) s.value[k * bb + a * block + b] += 0.01 * (a == b) + (i < nx ? v : 0);
                    else {
                        s.value[k * bb + a * block + b] -= v, s.value[back * bb + b * block + a] -= v;
                        s.value[diagonal[i] * bb + a * block + b] += v, s.value[diagonal[j] * bb + a * block + b] += v;
                    }
                }
        }
    tl_free(memory, diagonal);
    return s;
}

static void discard(springs *s)
{
    const tl_memory memory = tl_memory_default();
    tl_free(memory, s->x), tl_free(memory, s->pattern.begin), tl_free(memory, s->pattern.neighbour), tl_free(memory, s->value);
}

static void product(const springs *s, const double *x, double *y)
{
    const int block = s->block;
    for (int i = 0; i < s->n; i++)
        for (int a = 0; a < block; a++) {
            y[block * i + a] = 0;
            for (int k = s->pattern.begin[i]; k < s->pattern.begin[i + 1]; k++)
                for (int b = 0; b < block; b++) y[block * i + a] += s->value[(k * block + a) * block + b] * x[block * s->pattern.neighbour[k] + b];
        }
}

static tl_factor *factored(const springs *s, const bool *last, tl_threads *threads)
{
    tl_factor *f = NULL;
    tl_error error = {0};
    CHECK_OK(tl_factor_create(tl_memory_default(), &(tl_factor_def){&s->pattern, (const double(*)[3])s->x, last, s->block, s->general, 0}, &f, &error),
             error.text);
    if (f) CHECK_OK(tl_factor_numbers(f, &s->pattern, s->value, threads, &error), error.text);
    return f;
}

/* Also of a line, a plate and a single point, of every size of block, with the nodes of one side last and without, symmetric and not. */
TEST(solves)
{
    static const int SIZE[][3] = {{1, 1, 1}, {60, 1, 1}, {13, 17, 1}, {7, 6, 9}, {12, 12, 12}};
    tl_threads *threads = tl_threads_create(tl_memory_default(), 1);
    for (int i = 0; i < 5; i++)
        for (int block = 1; block <= 3; block++)
            for (int kind = 0; kind < 4; kind++) {
                const bool with_last = kind % 2, general = kind / 2;
                springs s = make(SIZE[i][0], SIZE[i][1], SIZE[i][2], block);
                if (general) twist(&s);
                const int n = s.n * block;
                double *x = calloc((size_t)n, sizeof *x), *b = calloc((size_t)n, sizeof *b), off = 0;
                bool *last = calloc((size_t)s.n, sizeof *last);
                for (int k = 0; k < s.n; k++) last[k] = s.x[k][1] == SIZE[i][1] - 1;
                tl_factor *f = factored(&s, with_last ? last : NULL, threads);
                for (int k = 0; k < n; k++) x[k] = sin(k + 1.0);
                product(&s, x, b);
                tl_factor_solve(f, b, threads);
                for (int k = 0; k < n; k++) off = fmax(off, fabs(b[k] - x[k]));
                /* the condition of these matrices is below 1e6 */
                CHECK(off < 1e-9);
                tl_factor_destroy(f);
                free(x), free(b), free(last);
                discard(&s);
            }
    tl_threads_destroy(threads);
}

/* What a force on the last nodes does to them is the same from their factor alone; the whole solve, which passes by what it does not reach, balances it
 * everywhere. */
static void check_last_nodes(bool general)
{
    tl_threads *threads = tl_threads_create(tl_memory_default(), 1);
    springs s = make(9, 8, 7, 3);
    if (general) twist(&s);
    bool *last = calloc((size_t)s.n, sizeof *last);
    int count = 0, *node = calloc((size_t)s.n, sizeof *node);
    for (int k = 0; k < s.n; k++)
        if ((last[k] = s.x[k][2] == 6)) node[count++] = k;
    tl_factor *f = factored(&s, last, threads);
    double *whole = calloc((size_t)s.n * 3, sizeof *whole);
    double(*own)[4] = calloc((size_t)count * 3 * 3, sizeof *own); /* three fours; the columns are multiples of one another */
    double *force = calloc((size_t)s.n * 3, sizeof *force), *carried = calloc((size_t)s.n * 3, sizeof *carried);
    for (int k = 0; k < count; k++)
        for (int a = 0; a < 3; a++) force[3 * node[k] + a] = whole[3 * node[k] + a] = cos(3.0 * k + a);
    for (int k = 0; k < 3 * 3 * count; k++)
        for (int lane = 0; lane < 4; lane++) own[k][lane] = (4 * (k / (3 * count)) + lane - 5) * cos(3.0 * (k % (3 * count) / 3) + k % 3);
    tl_factor_solve(f, whole, NULL);
    product(&s, whole, carried);
    for (int k = 0; k < 3 * s.n; k++) CHECK_NEAR(carried[k], force[k], 1e-9);
    tl_factor_solve_last(f, own, 3);
    CHECK(tl_factor_last(f) == count);
    for (int k = 0; k < 3 * 3 * count; k++)
        for (int lane = 0; lane < 4; lane++) CHECK_NEAR(own[k][lane], (4 * (k / (3 * count)) + lane - 5) * whole[3 * node[k % (3 * count) / 3] + k % 3], 1e-9);
    tl_factor_destroy(f);
    free(last), free(node), free(whole), free(own), free(force), free(carried);
    discard(&s);
    tl_threads_destroy(threads);
}

TEST(last_nodes)
{
    check_last_nodes(false);
    check_last_nodes(true);
}

/* The same bits for any number of threads, and a second time with other numbers in between; of fronts that are large enough to be shared, too. */
static void check_bits(bool general)
{
    springs s = make(16, 16, 12, 3);
    if (general) twist(&s);
    const int n = 3 * s.n;
    double *first = calloc((size_t)n, sizeof *first), *b = calloc((size_t)n, sizeof *b);
    for (int count = 1; count <= 3; count++) {
        tl_threads *threads = tl_threads_create(tl_memory_default(), count);
        tl_error error;
        tl_threads_always(threads);
        tl_factor *f = factored(&s, NULL, threads);
        for (int k = 0; k < 9 * s.pattern.begin[s.n]; k++) s.value[k] *= 2;
        CHECK(tl_factor_numbers(f, &s.pattern, s.value, threads, &error) == TALUS_OK);
        for (int k = 0; k < 9 * s.pattern.begin[s.n]; k++) s.value[k] *= 0.5;
        CHECK(tl_factor_numbers(f, &s.pattern, s.value, threads, &error) == TALUS_OK);
        for (int k = 0; k < n; k++) b[k] = sin(k + 1.0);
        tl_factor_solve(f, b, count == 1 ? NULL : threads);
        if (count == 1) memcpy(first, b, (size_t)n * sizeof *b);
        CHECK(memcmp(first, b, (size_t)n * sizeof *b) == 0);
        tl_factor_destroy(f);
        tl_threads_destroy(threads);
    }
    free(first), free(b);
    discard(&s);
}

TEST(bits)
{
    check_bits(false);
    check_bits(true);
}

TEST(not_definite)
{
    tl_threads *threads = tl_threads_create(tl_memory_default(), 1);
    springs s = make(5, 5, 5, 3);
    tl_factor *f = factored(&s, NULL, threads);
    tl_error error = {0};
    for (int k = s.pattern.begin[62]; k < s.pattern.begin[63]; k++)
        if (s.pattern.neighbour[k] == 62) s.value[9 * k + 4] = -1;
    CHECK(tl_factor_numbers(f, &s.pattern, s.value, threads, &error) == TALUS_SINGULAR);
    /* without this node and direction it is definite: here, and nowhere before, the pivot is negative, whatever the order */
    CHECK(strstr(error.text, "not positive definite at node 62, direction 1") != NULL);
    tl_factor_destroy(f);
    discard(&s);
    tl_threads_destroy(threads);
}

/* The same of a general one: a node whose own block vanishes when its turn comes has no pivot. */
TEST(no_pivot)
{
    tl_threads *threads = tl_threads_create(tl_memory_default(), 1);
    springs s = make(5, 5, 5, 3);
    twist(&s);
    for (int i = 0; i < s.n; i++)
        for (int k = s.pattern.begin[i]; k < s.pattern.begin[i + 1]; k++)
            for (int m = 0; m < 9 && (i == 62 || s.pattern.neighbour[k] == 62); m++) s.value[9 * k + m] = 0;
    tl_factor *f = NULL;
    tl_error error = {0};
    CHECK_OK(tl_factor_create(tl_memory_default(), &(tl_factor_def){&s.pattern, (const double(*)[3])s.x, NULL, 3, true, 0}, &f, &error), error.text);
    CHECK(tl_factor_numbers(f, &s.pattern, s.value, threads, &error) == TALUS_SINGULAR);
    CHECK(strstr(error.text, "no pivot at node 62, direction 0") != NULL);
    tl_factor_destroy(f);
    discard(&s);
    tl_threads_destroy(threads);
}

/* Nested dissection of a cube of m³ nodes: the work grows with the sixth power of m (George 1973), not with the seventh as along a band. */
TEST(work)
{
    double work[2];
    for (int i = 0; i < 2; i++) {
        springs s = make(i ? 24 : 12, i ? 24 : 12, i ? 24 : 12, 1);
        tl_factor *f = NULL;
        tl_error error;
        CHECK(tl_factor_create(tl_memory_default(), &(tl_factor_def){&s.pattern, (const double(*)[3])s.x, NULL, 1, false, 0}, &f, &error) == TALUS_OK);
        work[i] = tl_factor_work(f);
        tl_factor_destroy(f);
        for (int more = 0; more < 2; more++) { /* none where it is too much */
            CHECK(tl_factor_create(tl_memory_default(), &(tl_factor_def){&s.pattern, (const double(*)[3])s.x, NULL, 1, false, (0.9 + 0.2 * more) * work[i]}, &f,
                                   &error) == TALUS_OK);
            CHECK((f != NULL) == more);
            tl_factor_destroy(f);
        }
        discard(&s);
    }
    CHECK(work[1] < pow(2, 6.5) * work[0]);
}

int main(int argc, char **argv)
{
    RUN(solves);
    RUN(last_nodes);
    RUN(bits);
    RUN(not_definite);
    RUN(no_pivot);
    RUN(work);
    return TEST_RESULT;
}
