/* Points of contact in space: their number, place and feature in configurations that are known by hand; persistence in slow motion; garbage. */
#include "random3.h"

__attribute__((unused)) static const tl_mat3 UPRIGHT = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
static const tl_vec3 NO_HINT = {0, 0, 0};

__attribute__((unused)) static int find(const tl_shape3 *a, const tl_frame *fa, const tl_shape3 *b, const tl_frame *fb, double alert, tl_touch3 *t)
{
    tl_vec3 hint = NO_HINT;
    const int n = tl_touch3_find(a, fa, b, fb, alert, &hint, t);
    for (int i = 0; i < n; i++) {
        CHECK(t[i].feature < 1u << 24 && (i == 0 || t[i - 1].feature < t[i].feature));
        CHECK_NEAR(tl_norm(t[i].normal), 1, 1e-14);
    }
    return n;
}

/* ---- speed -------------------------------------------------------------------------------------------------------- */

static int by_value(const void *p, const void *q)
{
    const double a = *(const double *)p, b = *(const double *)q;
    return (a > b) - (a < b);
}

enum { STONES = 40, PLACED = 2000 };

/* Nanoseconds of a pair, median over pairs; each is timed over a few calls. */
static void time_pairs(const char *what, const tl_shape3 *stone, int (*which)[2], tl_frame (*frames)[2], const tl_vec3 *hints, double alert)
{
    double took[PLACED], sum = 0;
    int touches = 0;
    for (int k = 0; k < PLACED; k++) {
        tl_touch3 t[TL_TOUCHES3];
        const double begin = tl_clock();
        for (int i = 0; i < 10; i++) {
            tl_vec3 hint = hints ? hints[k] : NO_HINT;
            touches += tl_touch3_find(&stone[which[k][0]], &frames[k][0], &stone[which[k][1]], &frames[k][1], alert, &hint, t);
        }
        took[k] = (tl_clock() - begin) * 1e8;
        sum += took[k];
    }
    qsort(took, PLACED, sizeof *took, by_value);
    printf("%-44s median %5.0f mean %5.0f 95 %% %5.0f ns, %.2f touches\n", what, took[PLACED / 2], sum / PLACED, took[PLACED * 95 / 100], touches / 10.0 / PLACED);
}

/* Stones of 25 corners: resting on each other, and apart. Printed, not judged. */
TEST(speed)
{
    rnd = tl_random_seed(7);
    static tl_shape3 stone[STONES];
    static tl_frame frames[PLACED][2];
    static tl_vec3 hints[PLACED];
    static int which[PLACED][2];
    for (int i = 0; i < STONES; i++) stone[i] = make_stone(25, 1);
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < PLACED; k++) {
            const int a = which[k][0] = tl_random_int(&rnd, STONES), b = which[k][1] = tl_random_int(&rnd, STONES);
            const tl_vec3 d = random_direction();
            frames[k][0] = (tl_frame){random_direction(), random_rotation()};
            frames[k][1] = (tl_frame){tl_add(frames[k][0].p, tl_scale(2.1, d)), random_rotation()};
            tl_touch3 t[TL_TOUCHES3];
            hints[k] = NO_HINT;
            if (tl_touch3_find(&stone[a], &frames[k][0], &stone[b], &frames[k][1], 9, &hints[k], t) < 1) TEST_FAIL("no touch");
            double gap = 9;
            for (int i = 0; i < TL_TOUCHES3 && i < 1; i++) gap = t[i].gap;
            /* back along the normal to a gap of ±1 % of the size, or to twice the alert distance */
            const double want = round == 0 ? uniform(-0.02, 0.02) : uniform(0.06, 0.2);
            frames[k][1].p = tl_sub(frames[k][1].p, tl_scale(gap - want, hints[k]));
            hints[k] = tl_normalize(tl_add(hints[k], tl_scale(0.01, random_direction())));
        }
        if (round == 0) {
            time_pairs("within 1 % of the size, hint of the last step", stone, which, frames, hints, 0.03);
            time_pairs("within 1 % of the size, no hint", stone, which, frames, NULL, 0.03);
        } else {
            time_pairs("apart, hint of the last step", stone, which, frames, hints, 0.03);
            time_pairs("apart, no hint", stone, which, frames, NULL, 0.03);
        }
    }
    for (int i = 0; i < STONES; i++) free_shape(&stone[i]);
}

int main(int argc, char **argv)
{
    RUN(speed);
    return TEST_RESULT;
}
