/* The problem of a step as a value, against the step: solved once more from nothing by other means, it has the velocities that the step found.
 * Included after planar.h or spatial.h, whose run it calls. */
#ifndef TALUS_TEST_STEP_PROBLEM_H
#define TALUS_TEST_STEP_PROBLEM_H

#include <string.h>

#include "talus/talus.h"
#include "test.h"

/* Velocities of the law of the last step; solved anew to `tolerance`, they are the same to `same` [m/s] where they are unique: without friction, or with so few
 * contacts that the normal impulses are. Returns the number of contacts compared. */
static inline int check_problem(talus_world *w, bool rough, double tolerance, double same)
{
    char message[500];
    talus_problem *p = NULL, *fresh = NULL;
    CHECK_OK(talus_world_problem(w, &p, message, sizeof message), message);
    if (!p) return 0;
    talus_problem_def d = talus_problem_get(p);
    const size_t numbers = (size_t)(d.contacts * d.dimension);
    CHECK(d.contacts <= talus_contact_count(w));                /* without what no impulse can part */
    CHECK(talus_problem_error(p) < (rough ? 1e-5 : tolerance)); /* the step solved the same problem; with friction sweeps may end before */
    d.impulse = NULL;
    CHECK_OK(talus_problem_create(&d, &fresh, message, sizeof message), message);
    talus_problem_settings s = talus_problem_settings_default();
    talus_problem_report r;
    s.tolerance = tolerance;
    CHECK_OK(talus_problem_solve(fresh, &s, &r, message, sizeof message), message);

    CHECK(r.converged);
    const double *u = talus_problem_velocities(p), *v = talus_problem_velocities(fresh);
    const bool unique = !rough || d.contacts <= 2;
    for (size_t i = 0; unique && i < numbers; i++) CHECK_NEAR(v[i], u[i], same);
    talus_problem_destroy(fresh);
    talus_problem_destroy(p);
    return unique ? d.contacts : 0;
}

/* 150 steps, with friction after each, else after every fifth. Returns the number of contacts compared. */
static inline int check_steps(talus_world *w, bool rough)
{
    int contacts = 0;
    for (int k = 0; k < 150; k++) {
        run(w, 1);
        if (rough || k % 5 == 0) contacts += check_problem(w, rough, 1e-8, 1e-6);
    }
    return contacts;
}

#endif
