/* Solvers by name, and all in turn: a few sweeps settle what is small; projected gradients bring large problems near and find which contacts close and slip;
 * Newton's steps then converge fast; where they stall, proximal points or longer gradients go on from the best so far. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solve/local.h"

static const struct {
    const char *name;
    tl_local_solver *solve;
    int max_iterations; /* where none is asked for                                              */
    int first, growth;  /* iterations of the first round of "auto", and times more in each later */
    bool convex;        /* solves the convex relaxation, too                                              */
} SOLVERS[] = {{"nlgs", tl_local_nlgs, 100000, 20, 4, false},
               {"ccp", tl_local_ccp, 100000, 400, 4, true},
               {"interior_point", tl_local_interior_point, 10000, 40, 4, true},
               {"newton", tl_local_newton, 200, 30, 1, true},
               {"proximal", tl_local_proximal, 200, 30, 1, true}};
enum { SOLVER_COUNT = sizeof SOLVERS / sizeof *SOLVERS };

const char *tl_local_solver_name(int index) { return index >= 0 && index < SOLVER_COUNT ? SOLVERS[index].name : index == SOLVER_COUNT ? "auto" : NULL; }

/* ", name 20"; by hand, since the smallest problems take less time than formatted output. */
static void note(char *course, size_t size, const char *name, int iterations)
{
    char digit[12];
    size_t used = strlen(course), digits = 0;
    if (used + 40 >= size) return;
    if (used > 0) course[used++] = ',', course[used++] = ' ';
    while (*name) course[used++] = *name++;
    course[used++] = ' ';
    do digit[digits++] = (char)('0' + iterations % 10);
    while ((iterations /= 10) > 0);
    while (digits > 0) course[used++] = digit[--digits];
    course[used] = '\0';
}

/* Would so many more sweeps do? */
static bool near_by_sweeps(const tl_local_task *task, int sweeps)
{
    return task->error > task->tolerance && task->rate < 1 && log(task->tolerance / task->error) > sweeps * log(task->rate);
}

/* Sweeps, at first a few; more as long as it looks as if a few hundred are enough, which others seldom do in less time. */
static talus_status first_sweeps(tl_local *p, tl_local_task *task, int most, tl_error *error)
{
    enum { ENOUGH = 300 };
    const int bound = most > 0 && most < 2 * ENOUGH ? most : 2 * ENOUGH;
    int done = 0;
    task->max_iterations = SOLVERS[0].first;
    do {
        if (task->max_iterations > bound - done) task->max_iterations = bound - done;
        TL_TRY(SOLVERS[0].solve(p, task, error));
        done += task->iterations;
        task->max_iterations = done;
    } while (done < bound && near_by_sweeps(task, ENOUGH) && tl_clock() < task->deadline);
    task->iterations = done;
    return TALUS_OK;
}

/* Round by round of all solvers, each from where the one before it came to. max_iterations bounds every turn. */
static talus_status take_turns(tl_local *p, tl_local_task *task, const char **name, char *course, size_t size, tl_error *error)
{
    enum { ROUNDS = 8 };
    const int most = task->max_iterations;
    for (int round = 0, growth[SOLVER_COUNT] = {0}; round < ROUNDS; round++)
        for (int i = 0; i < SOLVER_COUNT; i++) {
            if (p->convex && !SOLVERS[i].convex) continue;
            growth[i] = round == 0 ? 1 : growth[i] * SOLVERS[i].growth;
            task->max_iterations = SOLVERS[i].first * growth[i];
            if (most > 0 && task->max_iterations > most) task->max_iterations = most;
            if (round == 0 && i == 0) TL_TRY(first_sweeps(p, task, most, error));
            else TL_TRY(SOLVERS[i].solve(p, task, error));
            task->total += task->iterations;
            if (task->iterations > 0) {
                *name = SOLVERS[i].name;
                note(course, size, *name, task->iterations);
            }
            if (task->error <= task->tolerance || tl_clock() > task->deadline) return TALUS_OK;
        }
    return TALUS_OK;
}

talus_status tl_local_solve(tl_local *p, const char *solver, tl_local_task *task, const char **name, char *course, size_t size, tl_error *error)
{
    *course = '\0';
    *name = "auto";
    if (strcmp(solver, "auto") == 0) return take_turns(p, task, name, course, size, error);
    for (int i = 0; i < SOLVER_COUNT; i++)
        if (strcmp(solver, SOLVERS[i].name) == 0) {
            if (p->convex && !SOLVERS[i].convex)
                return tl_fail(error, TALUS_INPUT, "solver '%s' has no convex relaxation; 'ccp' and 'interior_point' have", solver);
            if (task->max_iterations == 0) task->max_iterations = SOLVERS[i].max_iterations;
            TL_TRY(SOLVERS[i].solve(p, task, error));
            task->total = task->iterations;
            *name = SOLVERS[i].name;
            note(course, size, *name, task->iterations);
            return TALUS_OK;
        }
    char names[200] = "";
    for (int i = 0; tl_local_solver_name(i); i++) snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", tl_local_solver_name(i));
    return tl_fail(error, TALUS_INPUT, "there is no solver '%s'; there are %s", solver, names);
}
