/* A solver by name, or all in turn: a few sweeps settle what is small; projected gradients bring large problems near and find which contacts close and slip;
 * Newton's steps then converge fast; where they stall, proximal points or longer gradients go on from the best so far. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solve/local.h"

/* ", name 20"; by hand, since the smallest problems take less time than formatted output. */
static void note(tl_local_course *done, const char *name, int iterations)
{
    char digit[12], *course = done->text;
    size_t used = strlen(course), digits = 0;
    done->solver = name;
    if (used + 40 >= sizeof done->text) return;
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
    const tl_solver_row *sweeps = tl_solver_at(0);
    task->max_iterations = sweeps->first;
    do {
        if (task->max_iterations > bound - done) task->max_iterations = bound - done;
        TL_TRY(sweeps->solve(p, task, error));
        done += task->iterations;
        task->max_iterations = done;
    } while (done < bound && near_by_sweeps(task, ENOUGH) && !tl_local_is_late(task->deadline));
    task->iterations = done;
    return TALUS_OK;
}

/* Round by round of all solvers, each from where the one before it came to. max_iterations bounds every turn. */
static talus_status take_turns(tl_local *p, tl_local_task *task, tl_local_course *done, tl_error *error)
{
    enum { ROUNDS = 8 };
    const int most = task->max_iterations;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; tl_solver_at(i); i++) {
            const tl_solver_row *row = tl_solver_at(i);
            if (!row->solve || row->first == 0 || (p->convex && !row->convex)) continue;
            task->max_iterations = row->first;
            for (int k = 0; k < round; k++) task->max_iterations *= row->growth;
            if (most > 0 && task->max_iterations > most) task->max_iterations = most;
            if (round == 0 && i == 0) TL_TRY(first_sweeps(p, task, most, error));
            else TL_TRY(row->solve(p, task, error));
            task->total += task->iterations;
            if (task->iterations > 0) note(done, row->name, task->iterations);
            if (task->error <= task->tolerance || tl_local_is_late(task->deadline)) return TALUS_OK;
        }
    return TALUS_OK;
}

talus_status tl_local_solve(tl_local *p, const char *solver, tl_local_task *task, tl_local_course *done, tl_error *error)
{
    const tl_solver_row *row = tl_solver_find(solver);
    TL_TRY(tl_solver_check(solver, p->convex, error));
    done->text[0] = '\0';
    done->solver = row->name;
    if (row->bodies)
        return tl_fail(error, TALUS_INPUT, "solver '%s' is one of steps: it wants masses, and a contact problem has its Delassus operator", solver);
    if (!row->solve) return take_turns(p, task, done, error);
    if (task->max_iterations == 0) task->max_iterations = row->max_iterations;
    TL_TRY(row->solve(p, task, error));
    task->total = task->iterations;
    note(done, row->name, task->iterations);
    return TALUS_OK;
}
