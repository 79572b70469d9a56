/* The table of solvers. A new one is a file with its tl_local_solver (local.h) and a line here: docs/architecture.md says how. */
#include <stdio.h>
#include <string.h>

#include "solve/local.h"
#include "talus/solver.h"

/* one solver a line; after those of problems the one that has all in turn, and then those of steps alone: */
/* clang-format off */
static const tl_solver_row SOLVERS[] = {
    {TALUS_SOLVER_SWEEPS, "sweeps of nonlinear Gauss–Seidel", tl_local_nlgs, .sweeps = true, .large = true, .max_iterations = 100000, .first = 20, .growth = 4},
    {"ccp", "projected gradients of the cone complementarity problem", tl_local_ccp, .convex = true, .large = true, .max_iterations = 100000, .first = 400, .growth = 4},
    {"interior_point", "primal-dual interior points", tl_local_interior_point, .convex = true, .max_iterations = 10000, .first = 40, .growth = 4},
    {"newton", "nonsmooth Newton", tl_local_newton, .convex = true, .max_iterations = 200, .first = 30, .growth = 1},
    {"proximal", "proximal points, by nonsmooth Newton", tl_local_proximal, .convex = true, .max_iterations = 200, .first = 30, .growth = 1},
    {"pivot", "block pivoting of the mixed complementarity problem, friction in boxes that turn to the slip", tl_local_pivot, .max_iterations = 500},
    {"split", "contact normals by block pivoting, friction by sweeps, in turn", tl_local_split, .max_iterations = 500},
    {"pgs", "projected Gauss–Seidel over the rows of the mixed complementarity problem", tl_local_pgs, .large = true, .max_iterations = 20000},
    {TALUS_SOLVER_ALL, "sweeps, and where these end above the tolerance the others in turn", NULL, .convex = true, .large = true},
    {TALUS_SOLVER_BODIES, "interior points and Newton's method in velocities of bodies; in a step, not in a file", NULL, .bodies = true},
};
/* clang-format on */
enum { COUNT = sizeof SOLVERS / sizeof *SOLVERS };

const tl_solver_row *tl_solver_at(int index) { return index >= 0 && index < COUNT ? &SOLVERS[index] : NULL; }

const tl_solver_row *tl_solver_find(const char *name)
{
    for (int i = 0; name && i < COUNT; i++)
        if (strcmp(SOLVERS[i].name, name) == 0) return &SOLVERS[i];
    return NULL;
}

const char *tl_solver_name(int index) { return index >= 0 && index < COUNT ? SOLVERS[index].name : NULL; }

const char *tl_solver_name_convex(int index)
{
    for (int i = 0; i < COUNT; i++)
        if (SOLVERS[i].convex && index-- == 0) return SOLVERS[i].name;
    return NULL;
}

const char *tl_solver_name_large(int index)
{
    for (int i = 0; i < COUNT; i++)
        if (SOLVERS[i].large && index-- == 0) return SOLVERS[i].name;
    return NULL;
}

talus_status tl_solver_check(const char *name, bool convex, tl_error *error)
{
    const tl_solver_row *row = tl_solver_find(name);
    char list[256];
    if (!row) return tl_fail_unknown(error, "solver", name, tl_solver_name);
    if (!convex || row->convex) return TALUS_OK;
    return tl_fail(error, TALUS_INPUT, "solver '%s' has no convex relaxation; these have: %s", name, tl_words_list(tl_solver_name_convex, list, sizeof list));
}
