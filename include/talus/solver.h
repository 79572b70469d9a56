/* How the contact problem of a step is solved, and the solvers that there are. */
#ifndef TALUS_SOLVER_H
#define TALUS_SOLVER_H

#include "talus/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a step whose contact problem did not reach the tolerance is reported and kept, or fails. */
typedef enum talus_policy { TALUS_POLICY_REPORT, TALUS_POLICY_FAIL } talus_policy;

/* The two solvers that other texts speak of: sweeps alone, and all in turn. Every solver: talus_problem_solver_name (talus/problem.h). */
#define TALUS_SOLVER_SWEEPS "nlgs"
#define TALUS_SOLVER_ALL    "auto"

/* One value from the scene to the sweeps: a new setting is a line here and one in the table of scene keys (src/scene/keys.c). */
typedef struct talus_solver_settings {
    uint32_t struct_size;
    const char *method;       /* a name of talus_problem_solver_name. NULL: sweeps, and where they end above the tolerance,
                                 islands (bodies joined by contacts) of at most 40 contacts are solved as wholes, unless `momentum`
                                 is false                                                                  default NULL   */
    double tolerance;         /* largest error of a contact [m/s]; 0: 1e-4 × typical velocity                      default 0      */
    double acceptable;        /* a step with a larger error goes on, up to four times max_iterations [m/s];
                                 0: max_iterations ends every step                                                 default 0      */
    int max_iterations;       /* sweeps per step; of other methods their steps, passes or alternations             default 1000   */
    bool momentum;            /* Nesterov's, of the sweeps; false: plain Gauss–Seidel, to compare                              default true   */
    bool convex;              /* the law's convex relaxation (talus/problem.h); not by sweeps, pivot, split, pgs   default false  */
    bool least_norm;          /* unique impulses (talus_problem_least_norm); forms W each step                     default false  */
    talus_policy unconverged; /*                                                                              default REPORT */
} talus_solver_settings;

TALUS_API talus_solver_settings talus_solver_settings_default(void);

#ifdef __cplusplus
}
#endif
#endif
