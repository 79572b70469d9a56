/* What contacts see of a solid: M̃⁻¹ in the nodes where contacts are expected, column by column as they are touched first (theory §10.3). */
#include <string.h>

#include "matter/solid_internal.h"

/* Memory for all columns, at most [bytes]; where they would take more, contacts are condensed by a solve each. */
static const double MOST = 5e8;

void tl_solid_forget_response(tl_solid *s)
{
    for (int k = 0; k < s->dimension * s->expects; k++) {
        tl_free(s->matter.memory, s->column[k]);
        s->column[k] = NULL;
    }
}

static talus_status know_column(tl_solid *s, tl_step *step, int unknown)
{
    const int d = tl_solid_axes(s), node = unknown / d, n = d * s->expects, at = d * s->expected_at[node] + unknown % d;
    if (s->column[at]) return TALUS_OK;
    double *b = s->column[at] = tl_alloc(s->matter.memory, (size_t)n, sizeof *b);
    if (!b) return tl_fail(step->error, TALUS_MEMORY, "no memory for what contacts see of solid '%s'", s->matter.name);
    if (s->is_held[unknown]) return TALUS_OK;
    b[at] = 1;
    tl_factor_solve_last(s->factor, b);
    return TALUS_OK;
}

typedef struct job {
    const tl_solid *s;
    const tl_ports *ports;
    const int *place;     /* [listed] unknowns of the factor's last nodes that ports touch */
    const int *listed_at; /* [expects] where a node's unknowns begin in the list */
    int listed;
    double *work, *C; /* [threads × listed]; [axes count]² */
} job;

/* Columns of C of some ports: what a unit impulse does to all nodes that are touched, then what ports read of these. */
static void columns(void *context, int begin, int end, int worker)
{
    const job *j = context;
    const tl_solid *s = j->s;
    const int d = tl_solid_axes(s), axes = j->ports->axes, numbers = axes * j->ports->count;
    double *y = j->work + (size_t)worker * (size_t)j->listed;
    for (int q = begin; q < end; q++)
        for (int axis = 0; axis < axes; axis++) {
            const tl_port *from = &j->ports->port[q];
            const tl_solid_row *r = &s->rows[from->slot];
            double *out = j->C + (size_t)(axes * q + axis) * (size_t)numbers;
            memset(y, 0, (size_t)j->listed * sizeof *y);
            for (int k = 0; k < r->nodes; k++)
                for (int a = 0; a < d; a++) {
                    const double push = r->weight[k] * from->axes[axis][a], *column = s->column[d * s->expected_at[r->node[k]] + a];
                    for (int i = 0; i < j->listed; i++) y[i] += push * column[j->place[i]];
                }
            for (int p = 0; p < j->ports->count; p++) {
                const tl_port *to = &j->ports->port[p];
                const tl_solid_row *own = &s->rows[to->slot];
                double sum[3] = {0, 0, 0};
                for (int k = 0; k < own->nodes; k++)
                    for (int a = 0; a < d; a++) sum[a] += own->weight[k] * y[j->listed_at[s->expected_at[own->node[k]]] + a];
                for (int i = 0; i < axes; i++) out[axes * p + i] = to->axes[i][0] * sum[0] + to->axes[i][1] * sum[1] + (d == 3 ? to->axes[i][2] * sum[2] : 0);
            }
        }
}

talus_status tl_solid_response(tl_matter *matter, tl_step *step, const tl_ports *ports, double *C, bool *known)
{
    tl_solid *s = (tl_solid *)matter;
    const int d = tl_solid_axes(s);
    const double n = d * (double)s->expects;
    *known = false;
    if (8 * n * n > MOST) return TALUS_OK;
    for (int i = 0; i < ports->count; i++)
        for (int k = 0; k < s->rows[ports->port[i].slot].nodes; k++)
            if (s->expected_at[s->rows[ports->port[i].slot].node[k]] < 0) return TALUS_OK;
    int *place = tl_arena_alloc(step->arena, (size_t)n + 1, sizeof *place), *listed_at = tl_arena_alloc(step->arena, (size_t)s->expects + 1, sizeof *listed_at);
    if (!place || !listed_at) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts of solid '%s'", ports->count, matter->name);
    int listed = 0;
    for (int i = 0; i < s->expects; i++) listed_at[i] = -1;
    for (int i = 0; i < ports->count; i++) {
        const tl_solid_row *r = &s->rows[ports->port[i].slot];
        for (int k = 0; k < r->nodes; k++) {
            const int at = s->expected_at[r->node[k]];
            if (listed_at[at] >= 0) continue;
            listed_at[at] = listed;
            for (int a = 0; a < d; a++) {
                place[listed++] = d * at + a;
                TL_TRY(know_column(s, step, d * r->node[k] + a));
            }
        }
    }
    double *work = tl_arena_alloc(step->arena, (size_t)(listed * tl_threads_count(step->threads)) + 1, sizeof *work);
    if (!work) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts of solid '%s'", ports->count, matter->name);
    job j = {s, ports, place, listed_at, listed, work, C};
    tl_parallel_for(step->threads, ports->count, 16, columns, &j);
    *known = true;
    return TALUS_OK;
}
