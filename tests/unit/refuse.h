/* Misuse: a call is refused with a status, and its text names the thing. */
#ifndef TALUS_TEST_REFUSE_H
#define TALUS_TEST_REFUSE_H

#include "physics/planar.h"

/* Checks that `call` on world `w` gives `status` and that the error's text contains `word`. */
#define REFUSED(call, expected_status, word)                                                                                                                   \
    do {                                                                                                                                                       \
        const talus_status refused_ = (call);                                                                                                                  \
        const char *said_ = talus_world_error(w);                                                                                                              \
        if (refused_ != (expected_status))                                                                                                                     \
            TEST_FAIL("%s: %s instead of %s (%s)", #call, talus_status_name(refused_), talus_status_name(expected_status), said_);                             \
        else if (!strstr(said_, (word))) TEST_FAIL("%s: says \"%s\", without \"%s\"", #call, said_, (word));                                                   \
    } while (0)

static const double NOT_A_NUMBER = (double)NAN, ENDLESS = (double)INFINITY;

#endif
