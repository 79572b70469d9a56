/* How many steps a run takes (tl_study_steps). */
#include "base/base.h"
#include "study/study.h"
#include "test.h"

/* An end that is n steps of a rounded h takes n, also as text would say it: 0.3 s in steps of 0.1 s. */
TEST(whole)
{
    tl_random rnd = tl_random_seed(3);
    CHECK(tl_study_steps(0.3, 0.1) == 3 && tl_study_steps(0.7, 0.1) == 7 && tl_study_steps(1e-3, 1e-3) == 1);
    for (int k = 0; k < 2000; k++) {
        const double h = pow(10, tl_random_uniform(&rnd, -6, 0));
        const int n = 1 + tl_random_int(&rnd, 1000000);
        CHECK(tl_study_steps(n * h, h) == (uint64_t)n);
        CHECK(tl_study_steps(nextafter(n * h, 0), h) == (uint64_t)n);
        CHECK(tl_study_steps(nextafter(n * h, 2 * n * h), h) == (uint64_t)n);
    }
}

/* A run goes at least to its end: the last step may pass it. */
TEST(rounded_up)
{
    tl_random rnd = tl_random_seed(4);
    CHECK(tl_study_steps(0.0999, 0.1) == 1 && tl_study_steps(0.35, 0.1) == 4 && tl_study_steps(2.9e-3, 1e-3) == 3);
    for (int k = 0; k < 2000; k++) {
        const double h = pow(10, tl_random_uniform(&rnd, -6, 0)), share = tl_random_uniform(&rnd, 0.001, 0.999);
        const int n = tl_random_int(&rnd, 1000000);
        CHECK(tl_study_steps((n + share) * h, h) == (uint64_t)n + 1);
    }
}

/* What no counter of steps holds is no number of steps. */
TEST(endless)
{
    CHECK(tl_study_steps(1e300, 1e-3) == 0 && tl_study_steps(1, 1e-300) == 0 && tl_study_steps((double)INFINITY, 1) == 0);
    CHECK(tl_study_steps(-1, 1) == 0 && tl_study_steps(0, 1) == 0 && tl_study_steps((double)NAN, 1) == 0);
    CHECK(tl_study_steps(1e-9, 1e-3) == 1);
}

int main(int argc, char **argv)
{
    RUN(whole);
    RUN(rounded_up);
    RUN(endless);
    return TEST_RESULT;
}
