/* Contacts of many grains in velocities of bodies: balls of mass 1 kg and radius 1 m in a cubic lattice, which fall onto a floor, or stand between walls. Few
 * blocks have a matrix in parts, many one by fronts (body_matrix.h): both are in these tests. */
#include "base/base.h"
#include "ledger.h"
#include "solve/body_matrix.h"
#include "test.h"

static const double STEP = 1e-3, FRICTION = 0.5, INERTIA = 0.4;
enum { MANY = 1000 }; /* blocks, from which there are fronts */

typedef struct heap {
    int n[3];
    tl_body_problem problem;
    tl_error error;
    tl_arena *arena;
} heap;

static int ball_at(const heap *h, int x, int y, int z) { return x + h->n[0] * (y + h->n[1] * z); }

/* Velocities of balls are scaled by the roots of mass and inertia. */
static void put_end(heap *h, tl_body_hold *k, int ball, double n[3][3], double sign)
{
    tl_body_problem *p = &h->problem;
    double *H = tl_arena_zero(h->arena, 18, sizeof *H);
    for (int r = 0; r < 3; r++) {
        const double *t = n[r], arm[3] = {-sign * n[0][0], -sign * n[0][1], -sign * n[0][2]}; /* from the centre of the ball to where it is met */
        const double turn[3] = {arm[1] * t[2] - arm[2] * t[1], arm[2] * t[0] - arm[0] * t[2], arm[0] * t[1] - arm[1] * t[0]};
        for (int m = 0; m < 3; m++) H[6 * r + m] = sign * t[m], H[6 * r + 3 + m] = sign * turn[m] / sqrt(INERTIA);
        for (int m = 0; m < 6; m++) k->own[r] += H[6 * r + m] * H[6 * r + m];
    }
    p->end[p->ends++] = (tl_body_end){p->group[ball].first, 2, H};
    k->ends++;
}

/* From `a`, or what does not move, −1, to `b`, one further along the axis. With the impulse that both are guessed to press with. */
static void put_contact(heap *h, int a, int b, int axis, double guess)
{
    tl_body_problem *p = &h->problem;
    double n[3][3] = {{0}};
    for (int r = 0; r < 3; r++) n[r][(axis + r) % 3] = 1;
    tl_body_hold *k = &p->hold[p->holds++];
    *k = (tl_body_hold){.rows = 3, .high = (double)INFINITY, .disks = 1, .disk = {{1, 2, FRICTION}}, .end = p->ends, .I = {guess}};
    if (a >= 0) put_end(h, k, a, n, -1);
    if (b >= 0) put_end(h, k, b, n, 1);
}

static void make_heap(heap *h, const int n[3], bool walls, double squeeze)
{
    const int balls = n[0] * n[1] * n[2], contacts = 4 * balls + n[0] * n[1] + 2 * n[1] * n[2];
    *h = (heap){.n = {n[0], n[1], n[2]}, .arena = tl_arena_create(tl_memory_default(), 1 << 20)};
    tl_body_problem *p = &h->problem;
    *p = (tl_body_problem){.group = tl_arena_zero(h->arena, (size_t)balls, sizeof *p->group),
                           .hold = tl_arena_zero(h->arena, (size_t)contacts, sizeof *p->hold),
                           .end = tl_arena_zero(h->arena, 2 * (size_t)contacts, sizeof *p->end),
                           .max_iterations = 100,
                           .far = 1e-6};
    for (int i = 0; i < balls; i++)
        p->group[p->groups++] = (tl_body_group){6, 2, 2 * i, {2.0 * (i % n[0]), 2.0 * (i / n[0] % n[1]), 2.0 * (i / n[0] / n[1])}, NULL};
    p->blocks = 2 * balls;
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++) {
                const int own = ball_at(h, x, y, z);
                if (x > 0 || walls) put_contact(h, x > 0 ? ball_at(h, x - 1, y, z) : -1, own, 0, squeeze);
                if (walls && x == n[0] - 1) put_contact(h, own, -1, 0, squeeze);
                if (y > 0) put_contact(h, ball_at(h, x, y - 1, z), own, 1, 0);
                put_contact(h, z > 0 ? ball_at(h, x, y, z - 1) : -1, own, 2, 0);
            }
    /* u of the guess: all fall, and pushes between walls, all alike, move nothing */
    for (int i = 0; i < p->holds; i++) {
        tl_body_hold *k = &p->hold[i];
        for (int e = k->end; e < k->end + k->ends; e++)
            for (int r = 0; r < 3; r++) k->u[r] -= 9.81 * STEP * p->end[e].H[6 * r + 2];
    }
}

static talus_status solve(heap *h, tl_memory memory, tl_threads *threads, double tolerance)
{
    tl_step step = {.arena = h->arena, .memory = memory, .error = &h->error, .threads = threads};
    h->problem.tolerance = tolerance;
    return tl_body_solve(&h->problem, &step);
}

/* Each column rests on the floor: a contact carries what is above it, and the others nothing, which is the least norm of all that keep the balls at rest. */
TEST(columns)
{
    static const int SIZES[][3] = {{4, 5, 6}, {9, 10, 7}};
    for (int i = 0; i < 2; i++)
        for (int fine = 0; fine < 2; fine++) {
            const double tolerance = fine ? 1e-10 : 1e-6;
            heap h;
            make_heap(&h, SIZES[i], false, 0);
            CHECK((h.problem.blocks > MANY) == (i == 1));
            CHECK_OK(solve(&h, tl_memory_default(), NULL, tolerance), h.error.text);
            CHECK(h.problem.error <= tolerance);
            double off = 0, aside = 0;
            for (int c = 0; c < h.problem.holds; c++) {
                const tl_body_hold *k = &h.problem.hold[c];
                const bool vertical = k->ends == 1 || h.problem.end[k->end].H[2] != 0;
                const int layer = h.problem.end[k->end + k->ends - 1].first / 2 / (SIZES[i][0] * SIZES[i][1]);
                if (vertical) off = fmax(off, fabs(k->I[0] - (SIZES[i][2] - layer) * 9.81 * STEP));
                else aside = fmax(aside, k->I[0]);
            }
            /* errors of a column add up; what it takes to press a neighbour aside is not worth its norm */
            CHECK(off <= 100 * tolerance + 1e-3 * 9.81 * STEP * SIZES[i][2]);
            CHECK(aside <= 0.05 * 9.81 * STEP * SIZES[i][2]);
            tl_arena_destroy(h.arena);
        }
}

/* Between walls, rows of balls may press with any impulse, and a guess does with a hundred times their weight. Little of that stays, and layers still carry
 * what is above, but for what the walls hold by friction. */
TEST(little_norm)
{
    static const int SIZE[3] = {9, 10, 7};
    const double weight = 9.81 * STEP * SIZE[2];
    heap h;
    make_heap(&h, SIZE, true, 100 * weight);
    CHECK_OK(solve(&h, tl_memory_default(), NULL, 1e-6), h.error.text);
    CHECK(h.problem.error <= 1e-6);
    double aside = 0, up = 0;
    for (int c = 0; c < h.problem.holds; c++) {
        const tl_body_hold *k = &h.problem.hold[c];
        const double *H = h.problem.end[k->end].H;
        if (fabs(H[0]) > 0) aside = fmax(aside, k->I[0]);
        if (k->ends > 1) continue;
        for (int r = 0; r < 3; r++) up += H[6 * r + 2] * k->I[r]; /* of floor and walls, on balls */
    }
    CHECK(aside < weight);
    CHECK_CLOSE(up, SIZE[0] * SIZE[1] * weight, 1e-4);
    tl_arena_destroy(h.arena);
}

/* The same bits for every number of threads after ten steps, of a heap that slides and rolls. */
TEST(threads)
{
    static const int SIZE[3] = {9, 10, 7};
    double(*first)[TL_BODY_ROWS] = NULL;
    for (int count = 1; count <= 3; count++) {
        heap h;
        make_heap(&h, SIZE, false, 0);
        for (int i = 0; i < h.problem.holds; i++) h.problem.hold[i].u[1] += 1e-2 * sin(i), h.problem.hold[i].u[0] -= 1e-3 * cos(3 * i);
        tl_threads *threads = tl_threads_create(tl_memory_default(), count);
        tl_threads_always(threads);
        h.problem.max_iterations = 10;
        CHECK_OK(solve(&h, tl_memory_default(), threads, 1e-8), h.error.text);
        CHECK(h.problem.iterations == 10);
        if (!first) first = calloc((size_t)h.problem.holds, sizeof *first);
        for (int i = 0; first && i < h.problem.holds; i++) {
            if (count == 1) memcpy(first[i], h.problem.hold[i].I, sizeof first[i]);
            CHECK(memcmp(first[i], h.problem.hold[i].I, sizeof first[i]) == 0);
        }
        tl_threads_destroy(threads);
        tl_arena_destroy(h.arena);
    }
    free(first);
}

/* Whatever request for memory is refused: that is said, or, within a step of the method, is its end; and nothing is kept. */
TEST(memory)
{
    static const int SIZE[3] = {9, 10, 6};
    ledger sound = {0};
    for (long fail = 0; fail == 0 || fail <= (sound.calls < 60 ? sound.calls : 60); fail++) {
        heap h;
        ledger l = {.fail = fail};
        make_heap(&h, SIZE, false, 0);
        h.problem.max_iterations = 2;
        const talus_status status = solve(&h, (tl_memory){counted, &l}, NULL, 1e-6);
        CHECK(l.live == 0);
        CHECK(status == TALUS_OK || (fail > 0 && status == TALUS_MEMORY && strstr(h.error.text, "no memory")));
        if (fail == 0) sound = l;
        tl_arena_destroy(h.arena);
    }
    CHECK(sound.calls > 20);
}

int main(int argc, char **argv)
{
    RUN(columns);
    RUN(little_norm);
    RUN(threads);
    RUN(memory);
    return TEST_RESULT;
}
