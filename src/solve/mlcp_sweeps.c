/* Projected Gauss–Seidel on a mixed linear complementarity problem, alone and behind a direct solve (theory §5.5, §5.6; N18 eq. 32-34). */
#include <math.h>
#include <string.h>

#include "solve/mlcp_internal.h"

/* M⁻¹ Gᵀ of every row, what of it is not zero. */
typedef struct answers {
    int *begin, *at; /* [rows + 1] */
    double *Y;
    int capacity[2];
} answers;

static void free_answers(tl_memory memory, answers *a) { tl_free(memory, a->begin), tl_free(memory, a->at), tl_free(memory, a->Y); }

static talus_status find_answers(tl_mlcp_work *w, answers *a, tl_error *error)
{
    const tl_mlcp *q = w->q;
    int count = 0;
    *a = (answers){.begin = tl_alloc(w->memory, (size_t)q->rows + 1, sizeof *a->begin)};
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
    return room ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for what %d rows answer", q->rows);
}

/* A row at its turn, by bounds of the present λ. */
static void visit(tl_mlcp_work *w, const answers *a, int k)
{
    const tl_mlcp *q = w->q;
    const double rho = tl_mlcp_response(w, k);
    double low, high;
    tl_mlcp_bounds_of(q, k, &low, &high);
    const double next = tl_mlcp_clamp(q->lambda[k] - rho * tl_mlcp_rate(w, k), low, high), change = next - q->lambda[k];
    if (change == 0) return;
    q->lambda[k] = next;
    for (int i = a->begin[k]; i < a->begin[k + 1]; i++) q->v[a->at[i]] += a->Y[i] * change;
}

talus_status tl_mlcp_sweeps(tl_memory memory, tl_mlcp *q, tl_mlcp_task *task, tl_error *error)
{
    enum { LOOK = 8 };
    tl_mlcp_work w;
    answers a = {0};
    talus_status status = tl_mlcp_open(&w, memory, q, error);
    task->pass = task->pivots = task->factors = 0;
    task->error = (double)INFINITY;
    if (status == TALUS_OK) status = find_answers(&w, &a, error);
    if (status == TALUS_OK) tl_mlcp_follow(&w);
    while (status == TALUS_OK && task->pass < task->passes && task->error > task->tolerance) {
        for (int k = 0; k < q->rows; k++) visit(&w, &a, k);
        if (++task->pass % LOOK == 0 || task->pass == task->passes) task->error = tl_mlcp_error(&w);
    }
    if (status == TALUS_OK) {
        tl_mlcp_follow(&w);
        task->error = tl_mlcp_error(&w);
    }
    free_answers(memory, &a);
    tl_mlcp_close(&w);
    return status;
}

/* Joints and normals directly, friction as it is. */
static talus_status direct(tl_mlcp_work *w, tl_mlcp_task *task, tl_error *error)
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

/* Is it a normal that friction asks for? */
static bool *find_normals(const tl_mlcp_work *w)
{
    const tl_mlcp *q = w->q;
    bool *is = tl_alloc(w->memory, (size_t)q->rows + 1, sizeof *is);
    for (int k = 0; is && k < q->rows; k++)
        if (tl_mlcp_is_friction(q, k)) is[q->normal[k]] = true;
    return is;
}

talus_status tl_mlcp_split(tl_memory memory, tl_mlcp *q, tl_mlcp_task *task, tl_error *error)
{
    tl_mlcp_work w;
    answers a = {0};
    bool *normal = NULL;
    talus_status status = tl_mlcp_open(&w, memory, q, error);
    task->pass = task->pivots = task->factors = 0;
    task->error = (double)INFINITY;
    if (status == TALUS_OK) status = find_answers(&w, &a, error);
    if (status == TALUS_OK && !(normal = find_normals(&w))) status = tl_fail(error, TALUS_MEMORY, "no memory for %d rows", q->rows);
    if (status == TALUS_OK) tl_mlcp_follow(&w);
    while (status == TALUS_OK && normal && task->error > task->tolerance) {
        status = direct(&w, task, error);
        if (status != TALUS_OK) break;
        task->error = tl_mlcp_error(&w);
        if (task->pass == task->passes || task->error <= task->tolerance) break; /* it ends with the direct solve */
        for (int k = 0; k < q->rows; k++)
            if (normal[k] || tl_mlcp_is_friction(q, k)) visit(&w, &a, k);
        task->pass++;
    }
    tl_free(memory, normal);
    free_answers(memory, &a);
    tl_mlcp_close(&w);
    return status;
}
