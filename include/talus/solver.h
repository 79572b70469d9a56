/* How the contact problem of a step is solved, and the solvers that there are. */
#ifndef TALUS_SOLVER_H
#define TALUS_SOLVER_H

#include "talus/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a step whose contact problem did not reach the tolerance is reported and kept, or fails. */
typedef enum talus_policy { TALUS_POLICY_REPORT, TALUS_POLICY_FAIL } talus_policy;

/* The solvers that other texts speak of: sweeps alone, all in turn, and velocities of bodies. */
#define TALUS_SOLVER_SWEEPS "nlgs"
#define TALUS_SOLVER_ALL    "auto"
#define TALUS_SOLVER_BODIES "bodies"

/* Names of all solvers of a step, 0 to NULL, and what each does, in a few words. Those of a contact problem by itself: talus_problem_solver_name
 * (talus/problem.h). */
TALUS_API const char *talus_solver_name(int index);
TALUS_API const char *talus_solver_meaning(int index);

/* One value from the scene to the sweeps: a new setting is a line here and one in the table of scene keys (src/scene/keys.c). */
typedef struct talus_solver_settings {
    uint32_t struct_size;
    const char *method;       /* a name of talus_solver_name. NULL: sweeps, and where they end above the tolerance,
                                 islands (bodies joined by contacts) of at most 40 contacts are solved as wholes; before them what
                                 contacts press where joints hold most of it, in velocities of bodies; neither if `momentum` is
                                 false                                                                     default NULL   */
    double tolerance;         /* largest error of a contact [m/s]; 0: 1e-4 × typical velocity                      default 0      */
    double acceptable;        /* a step with a larger error goes on, up to four times max_iterations [m/s];
                                 0: max_iterations ends every step                                                 default 0      */
    int max_iterations;       /* sweeps per step; of other methods their steps, passes or alternations, of bodies a tenth of it   default 2000   */
    bool momentum;            /* Nesterov's, of the sweeps; false: plain Gauss–Seidel, to compare                              default true   */
    bool convex;              /* the law's convex relaxation (talus/problem.h); not by sweeps, pivot, split, pgs, bodies  default false  */
    bool least_norm;          /* unique impulses (talus_problem_least_norm); forms W each step                     default false  */
    talus_policy unconverged; /*                                                                              default REPORT */
    double force_tolerance;   /* an error that suffices, too, once 100 sweeps and 100 000 visits of contacts are done, or
                                 the solve has ended: this share of the mean normal impulse of the contacts that press, as a velocity (theory §5.1),
                                 but no more than 0.1 × typical velocity. 0: 1e-3 where `tolerance` is 0, else none  default 0 */
} talus_solver_settings;

TALUS_API talus_solver_settings talus_solver_settings_default(void);

#ifdef __cplusplus
}
#endif
#endif
