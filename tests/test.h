/* The test bench: one program per subject, TEST functions registered by hand in main.
 *
 *     TEST(bounces) { CHECK_NEAR(height, 0.5, 1e-6); }
 *     int main(int argc, char **argv) { RUN(bounces); return TEST_RESULT; }
 *
 * Each test runs in a process of its own, so a crash is one failure, not the end. An argument selects tests by name.
 */
#ifndef TALUS_TEST_H
#define TALUS_TEST_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int test_failures; /* in this process */
static int test_failed, test_passed;

#define TEST(name) static void test_##name(void)

#define TEST_FAIL(...)                                                                                                                                         \
    do {                                                                                                                                                       \
        if (test_failures++ < 20) {                                                                                                                            \
            fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                                                                                    \
            fprintf(stderr, __VA_ARGS__);                                                                                                                      \
            fputc('\n', stderr);                                                                                                                               \
        }                                                                                                                                                      \
    } while (0)

#define CHECK(condition)                                                                                                                                       \
    do {                                                                                                                                                       \
        if (!(condition)) TEST_FAIL("not true: %s", #condition);                                                                                               \
    } while (0)

/* |got − expected| ≤ tolerance; NaN fails. */
#define CHECK_NEAR(got, expected, tolerance)                                                                                                                   \
    do {                                                                                                                                                       \
        const double got_ = (got), expected_ = (expected), tolerance_ = (tolerance);                                                                           \
        if (!(fabs(got_ - expected_) <= tolerance_))                                                                                                           \
            TEST_FAIL("%s = %.12g, expected %.12g ± %.3g (off by %.3g)", #got, got_, expected_, tolerance_, got_ - expected_);                                 \
    } while (0)

/* relative to |expected| */
#define CHECK_CLOSE(got, expected, relative) CHECK_NEAR(got, expected, (relative)*fabs(expected))

/* A status that must be OK, with the text to print when it is not. */
#define CHECK_OK(call, text)                                                                                                                                   \
    do {                                                                                                                                                       \
        const talus_status status_ = (call);                                                                                                                   \
        if (status_ != TALUS_OK) TEST_FAIL("%s: %s: %s", #call, talus_status_name(status_), (text));                                                           \
    } while (0)

/* The test cannot go on. */
#define TEST_STOP(...)                                                                                                                                         \
    do {                                                                                                                                                       \
        TEST_FAIL(__VA_ARGS__);                                                                                                                                \
        exit(1);                                                                                                                                               \
    } while (0)

/* A status without which it cannot, with the error that says why it is another one. */
#define MUST(call, error)                                                                                                                                      \
    do {                                                                                                                                                       \
        if ((call) != TALUS_OK) TEST_STOP("%s", (error).text);                                                                                                 \
    } while (0)

#define RUN(name)                                                                                                                                              \
    do {                                                                                                                                                       \
        if (argc > 1 && strcmp(argv[1], #name) != 0) break;                                                                                                    \
        fflush(NULL);                                                                                                                                          \
        const pid_t child_ = fork();                                                                                                                           \
        if (child_ == 0) {                                                                                                                                     \
            test_##name();                                                                                                                                     \
            fflush(NULL);                                                                                                                                      \
            exit(test_failures ? 1 : 0);                                                                                                                       \
        }                                                                                                                                                      \
        int status_ = 0;                                                                                                                                       \
        waitpid(child_, &status_, 0);                                                                                                                          \
        if (WIFEXITED(status_) && WEXITSTATUS(status_) == 0) test_passed++;                                                                                    \
        else {                                                                                                                                                 \
            test_failed++;                                                                                                                                     \
            fprintf(stderr, "FAILED %s%s\n", #name, WIFSIGNALED(status_) ? " (crashed)" : "");                                                                 \
        }                                                                                                                                                      \
    } while (0)

#define TEST_RESULT (printf("%d passed, %d failed\n", test_passed, test_failed), test_failed ? 1 : 0)

#endif
