/* Small dense algebra against its definition, sums, and the size that a step's memory comes to. */
#include "base/base.h"
#include "base/math.h"
#include "base/products.h"
#include "test.h"

enum { N = 9 };

static tl_random rnd;

/* A Aᵀ + 1 of random numbers. */
static void positive(double *A)
{
    double B[N * N];
    for (int i = 0; i < N * N; i++) B[i] = tl_random_uniform(&rnd, -1, 1);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            A[i * N + j] = i == j;
            for (int k = 0; k < N; k++) A[i * N + j] += B[i * N + k] * B[j * N + k];
        }
}

TEST(inverse)
{
    double A[N * N], X[N * N];
    positive(A);
    memcpy(X, A, sizeof A);
    CHECK(tl_invert_positive(X, N));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++) sum += A[i * N + k] * X[k * N + j];
            CHECK_NEAR(sum, i == j, 1e-12);
        }
    A[0] = -1;
    CHECK(!tl_invert_positive(A, N));
    for (int i = 0; i < N * N; i++) CHECK(A[i] == 0);
}

/* Three at once are the same numbers, to the bit. */
TEST(three)
{
    double L[N * N], x[3 * N], y[3 * N];
    positive(L);
    CHECK(tl_cholesky(L, N) == N);
    for (int i = 0; i < 3 * N; i++) x[i] = y[i] = tl_random_uniform(&rnd, -1, 1);
    tl_cholesky_solve_three(L, N, x);
    for (int i = 0; i < 3; i++) tl_cholesky_solve(L, N, &y[i * N]);
    CHECK(memcmp(x, y, sizeof x) == 0);
}

/* Sums of whole numbers are exact, of any length. */
TEST(sums)
{
    enum { MOST = 100 };
    double x[MOST];
    for (int n = 0; n < MOST; n++) {
        double expected = 0;
        for (int i = 0; i < n; i++) x[i] = 1 + tl_random_int(&rnd, 1000000), expected += x[i];
        CHECK(tl_sum(x, n) == expected);
    }
}

/* What is given back again and again counts once, whether it has spilled or not. */
TEST(memory_of_a_step)
{
    enum { SMALL = 1 << 12, LARGE = 1 << 15 };
    tl_arena *arena = tl_arena_create(tl_memory_default(), SMALL);
    for (int step = 0; step < 3; step++) {
        CHECK(tl_arena_alloc(arena, SMALL / 2, 1));
        for (int turn = 0; turn < 20; turn++) {
            const tl_arena_place mark = tl_arena_mark(arena);
            CHECK(tl_arena_alloc(arena, LARGE, 1));
            tl_arena_release(arena, mark);
        }
        CHECK(tl_arena_used(arena) >= LARGE && tl_arena_used(arena) < 2 * LARGE);
        tl_arena_reset(arena);
        CHECK(tl_arena_bytes(arena) < 2 * LARGE);
    }
    tl_arena_destroy(arena);
}

/* What is made again takes the room of the last one while it fits, with a little to spare; else it gets a new one. */
TEST(room_that_is_used_again)
{
    enum { BYTES = 1 << 12 };
    tl_arena *arena = tl_arena_create(tl_memory_default(), 8 * BYTES);
    tl_arena_room room = {0};
    char *first = tl_arena_reuse(arena, &room, BYTES), *other = tl_arena_alloc(arena, BYTES, 1);
    CHECK(first && other && (other >= first + BYTES || other + BYTES <= first));
    const size_t used = tl_arena_used(arena);
    CHECK(tl_arena_reuse(arena, &room, BYTES / 2) == first && tl_arena_reuse(arena, &room, BYTES + BYTES / 64) == first && tl_arena_used(arena) == used);
    char *larger = tl_arena_reuse(arena, &room, 2 * BYTES);
    CHECK(larger && larger != first && tl_arena_used(arena) >= used + 2 * BYTES);
    for (int i = 0; i < BYTES; i++) first[i] = other[i] = larger[i] = larger[BYTES + i] = 1; /* all of it is room: sanitizers watch */
    tl_arena_destroy(arena);
}

int main(int argc, char **argv)
{
    rnd = tl_random_seed(7);
    RUN(inverse);
    RUN(three);
    RUN(sums);
    RUN(memory_of_a_step);
    RUN(room_that_is_used_again);
    return TEST_RESULT;
}
