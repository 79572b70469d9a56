/* What every fallible call of talus returns.
 *
 * The codes, their names and their meanings come from one list, TALUS_STATUS_LIST, from which the enumeration,
 * talus_status_name() and talus_status_meaning() are made.
 */
#ifndef TALUS_STATUS_H
#define TALUS_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TALUS_API       __attribute__((visibility("default")))
#define TALUS_NODISCARD __attribute__((warn_unused_result))
#else
#define TALUS_API
#define TALUS_NODISCARD
#endif

/* X(name, value, meaning) */
#define TALUS_STATUS_LIST(X)                                                                                                                                   \
    X(OK, 0, "done")                                                                                                                                           \
    X(INPUT, 1, "a definition or a file says something impossible")                                                                                            \
    X(IO, 2, "a file could not be read or written")                                                                                                            \
    X(MEMORY, 3, "memory ran out")                                                                                                                             \
    X(UNSUPPORTED, 4, "talus cannot do this (yet)")                                                                                                            \
    X(ASSEMBLY, 5, "a kinematic loop cannot be closed")                                                                                                        \
    X(SINGULAR, 6, "a mass or constraint matrix is singular")                                                                                                  \
    X(DIVERGED, 7, "the motion left the representable numbers, or a limit that the user set")                                                                  \
    X(INTERRUPTED, 8, "stopped on request; the state is intact")

typedef enum talus_status {
#define TALUS_STATUS_ENUM(name, value, meaning) TALUS_##name = value,
    TALUS_STATUS_LIST(TALUS_STATUS_ENUM)
#undef TALUS_STATUS_ENUM
} talus_status;

/* "OK", "INPUT", ...; "?" for a number that is no status. */
TALUS_API const char *talus_status_name(talus_status status);
/* The meaning, from the list above. */
TALUS_API const char *talus_status_meaning(talus_status status);

#ifdef __cplusplus
}
#endif
#endif
