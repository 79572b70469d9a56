/* When checkpoints are due, on a clock of our own: soon after the start, never more than a minute of work at stake, and a hundredth of the time at most. */
#include <math.h>

#include "record/record.h"
#include "test.h"

/* A run that does nothing but step, and write when it is due; `cost` [s] of a checkpoint. What it spent on them, and the most that a kill would have lost. */
static double spend(double cost, double length, double *first, double *at_stake)
{
    const double begun = 1e6, step = 1e-2;
    double now = begun, last = begun, due = tl_next_checkpoint(-1, begun, begun, begun), spent = 0;
    *first = (double)NAN, *at_stake = 0;
    while (now < begun + length) {
        now += step;
        if (now <= due) continue;
        if (isnan(*first)) *first = now - begun;
        *at_stake = fmax(*at_stake, now - last);
        now += cost, spent += cost, last = now;
        due = tl_next_checkpoint(-1, begun, now - cost, now);
    }
    return spent;
}

TEST(cheap_ones)
{
    double first, at_stake;
    const double length = 4000, spent = spend(1e-3, length, &first, &at_stake);
    CHECK_NEAR(first, 1, 0.02);
    CHECK(at_stake <= 60.1);
    CHECK(spent <= 0.01 * length);
    for (int second = 2; second < 60; second *= 2) { /* a kill loses no more than half of what was done, and a second */
        (void)spend(1e-3, second, &first, &at_stake);
        CHECK(at_stake <= fmax(1, 0.5 * second) + 0.1);
    }
}

/* Those that take long are few: a hundredth of the time, and the first. */
TEST(dear_ones)
{
    double first, at_stake;
    for (int k = 0; k < 5; k++) {
        const double cost = pow(10, k - 2), length = 1e4 * fmax(1, cost), spent = spend(cost, length, &first, &at_stake);
        CHECK_NEAR(first, 1, 0.02);
        CHECK(spent <= 0.01 * length + cost);
        CHECK(spent >= cost); /* there are some */
        CHECK(at_stake <= fmax(60, 100 * cost) + 0.1);
    }
}

TEST(as_the_scene_says)
{
    CHECK(tl_next_checkpoint(5, 10, 10, 10) == 15);
    CHECK(tl_next_checkpoint(5, 10, 100, 103) == 108);
    CHECK(tl_next_checkpoint(0, 10, 100, 103) == 103);
}

int main(int argc, char **argv)
{
    RUN(cheap_ones);
    RUN(dear_ones);
    RUN(as_the_scene_says);
    return TEST_RESULT;
}
