/* Projected Gauss–Seidel on a mixed linear complementarity problem, alone and behind a direct solve (theory §5.5, §5.6; N18 eq. 32-34). */
#include <math.h>
#include <string.h>

#include "solve/mlcp_internal.h"

static bool find_answers(tl_mlcp_work *w)
{
    const tl_mlcp *q = w->q;
    tl_mlcp_answers *a = &w->answers;
    int count = 0;
    a->begin = tl_alloc(w->memory, (size_t)q->rows + 1, sizeof *a->begin);
    bool room = a->begin && tl_grow(w->memory, &a->at, &a->capacity[0], 1, sizeof *a->at) == TALUS_OK &&
                tl_grow(w->memory, &a->Y, &a->capacity[1], 1, sizeof *a->Y) == TALUS_OK;
    for (int k = 0; room && k < q->rows; k++) {
        tl_mlcp_answer(w, k);
        for (int i = 0; i < q->velocities; i++) a->begin[k + 1] += w->rest[i] != 0;
        a->begin[k + 1] += a->begin[k];
        room = tl_grow(w->memory, &a->at, &a->capacity[0], a->begin[k + 1] + 1, sizeof *a->at) == TALUS_OK &&
               tl_grow(w->memory, &a->Y, &a->capacity[1], a->begin[k + 1] + 1, sizeof *a->Y) == TALUS_OK;
        for (int i = 0; room && i < q->velocities; i++)
            if (w->rest[i] != 0) a->at[count] = i, a->Y[count++] = w->rest[i];
    }
    return room;
}

talus_status tl_mlcp_prepare_sweeps(tl_mlcp_work *w, tl_error *error)
{
    const tl_mlcp *q = w->q;
    w->normal = tl_alloc(w->memory, (size_t)q->rows + 1, sizeof *w->normal);
    if (!w->normal || !find_answers(w)) return tl_fail(error, TALUS_MEMORY, "no memory for what %d rows answer", q->rows);
    for (int k = 0; k < q->rows; k++)
        if (tl_mlcp_is_friction(q, k)) w->normal[q->normal[k]] = true;
    return TALUS_OK;
}

/* A row at its turn, by bounds of the present λ. */
static void visit(tl_mlcp_work *w, int k)
{
    const tl_mlcp *q = w->q;
    const tl_mlcp_answers *a = &w->answers;
    const double rho = tl_mlcp_response(w, k);
    double low, high;
    tl_mlcp_bounds_of(q, k, &low, &high);
    const double next = tl_mlcp_clamp(q->lambda[k] - rho * tl_mlcp_rate(w, k), low, high), change = next - q->lambda[k];
    if (change == 0) return;
    q->lambda[k] = next;
    for (int i = a->begin[k]; i < a->begin[k + 1]; i++) q->v[a->at[i]] += a->Y[i] * change;
}

void tl_mlcp_sweep(tl_mlcp_work *w, bool only_friction)
{
    for (int k = 0; k < w->q->rows; k++)
        if (!only_friction || w->normal[k] || tl_mlcp_is_friction(w->q, k)) visit(w, k);
}

static talus_status open_for_sweeps(tl_mlcp_work *w, tl_memory memory, tl_mlcp *q, tl_mlcp_task *task, tl_error *error)
{
    task->pass = task->pivots = task->factors = 0;
    task->error = (double)INFINITY;
    TL_TRY(tl_mlcp_open(w, memory, q, error));
    TL_TRY(tl_mlcp_prepare_sweeps(w, error));
    tl_mlcp_follow(w);
    return TALUS_OK;
}

talus_status tl_mlcp_sweeps(tl_memory memory, tl_mlcp *q, tl_mlcp_task *task, tl_error *error)
{
    enum { LOOK = 8 };
    tl_mlcp_work w;
    const talus_status status = open_for_sweeps(&w, memory, q, task, error);
    while (status == TALUS_OK && task->pass < task->passes && task->error > task->tolerance) {
        tl_mlcp_sweep(&w, false);
        if (++task->pass % LOOK == 0 || task->pass == task->passes) task->error = tl_mlcp_error(&w);
    }
    if (status == TALUS_OK) {
        tl_mlcp_follow(&w);
        task->error = tl_mlcp_error(&w);
    }
    tl_mlcp_close(&w);
    return status;
}

/* Joints and normals directly, friction as it is. */
talus_status tl_mlcp_direct(tl_mlcp_work *w, tl_mlcp_task *task, tl_error *error)
{
    const tl_mlcp *q = w->q;
    tl_mlcp_bound(w);
    for (int k = 0; k < q->rows; k++) {
        if (tl_mlcp_is_friction(q, k) || !(w->s[k] > 0)) w->side[k] = TL_FROZEN;
        else w->side[k] = q->lambda[k] <= w->low[k] ? TL_AT_LOW : q->lambda[k] >= w->high[k] ? TL_AT_HIGH : TL_BETWEEN;
        if (w->side[k] != TL_FROZEN) q->lambda[k] = tl_mlcp_clamp(q->lambda[k], w->low[k], w->high[k]);
    }
    TL_TRY(tl_mlcp_pivot_once(w, task, error));
    tl_mlcp_follow(w);
    return TALUS_OK;
}

talus_status tl_mlcp_split(tl_memory memory, tl_mlcp *q, tl_mlcp_task *task, tl_error *error)
{
    tl_mlcp_work w;
    talus_status status = open_for_sweeps(&w, memory, q, task, error);
    while (status == TALUS_OK && task->error > task->tolerance) {
        status = tl_mlcp_direct(&w, task, error);
        if (status != TALUS_OK) break;
        task->error = tl_mlcp_error(&w);
        if (task->pass == task->passes || task->error <= task->tolerance) break; /* it ends with the direct solve */
        tl_mlcp_sweep(&w, true);
        task->pass++;
    }
    tl_mlcp_close(&w);
    return status;
}
