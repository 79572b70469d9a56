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

enum { TILE = 16 };

typedef struct job {
    const tl_solid *s;
    const tl_ports *ports;
    const int *place;     /* [listed] unknowns of the factor's last nodes that ports touch */
    const int *listed_at; /* [expects] where a node's unknowns begin in the list */
    int listed;
    double *work, *C; /* [threads × axes of the solid × listed]; [axes count]² */
} job;

/* What unit impulses along the world's axes at a port do to all nodes that are touched: y [axes of the solid × listed]. */
static void spread(const job *j, const tl_solid_row *r, double *y)
{
    const tl_solid *s = j->s;
    const int d = tl_solid_axes(s), n = j->listed;
    for (int a = 0; a < d; a++, y += n) {
        memset(y, 0, (size_t)n * sizeof *y);
        for (int k = 0; k < r->nodes; k++) {
            const double weight = r->weight[k], *column = s->column[d * s->expected_at[r->node[k]] + a];
            for (int i = 0; i < n; i++) y[i] += weight * column[j->place[i]];
        }
    }
}

/* A block of C from what impulses along the world's axes at one port do to another: B [3][3], by axis of the impulse; columns of C begin at `out`. */
static void turn(const tl_port *from, const tl_port *to, double B[3][3], int axes, int numbers, double *out)
{
    for (int axis = 0; axis < axes; axis++) {
        double V[3];
        for (int i = 0; i < 3; i++) V[i] = from->axes[axis][0] * B[0][i] + from->axes[axis][1] * B[1][i] + from->axes[axis][2] * B[2][i];
        for (int i = 0; i < axes; i++) out[axis * numbers + i] = to->axes[i][0] * V[0] + to->axes[i][1] * V[1] + to->axes[i][2] * V[2];
    }
}

/* Columns of C of some ports, from the diagonal on. */
static void columns(void *context, int begin, int end, int worker)
{
    const job *j = context;
    const tl_solid *s = j->s;
    const int d = tl_solid_axes(s), n = j->listed, axes = j->ports->axes, numbers = axes * j->ports->count;
    double *y = j->work + (size_t)worker * (size_t)d * (size_t)n;
    for (int q = begin; q < end; q++) {
        const tl_port *from = &j->ports->port[q];
        spread(j, &s->rows[from->slot], y);
        for (int p = q; p < j->ports->count; p++) {
            const tl_port *to = &j->ports->port[p];
            const tl_solid_row *own = &s->rows[to->slot];
            double B[3][3] = {{0}};
            for (int k = 0; k < own->nodes; k++)
                for (int a = 0; a < d; a++)
                    for (int b = 0; b < d; b++) B[a][b] += own->weight[k] * y[a * n + j->listed_at[s->expected_at[own->node[k]]] + b];
            turn(from, to, B, axes, numbers, j->C + (size_t)(axes * q) * (size_t)numbers + (size_t)(axes * p));
        }
    }
}

/* C is symmetric: what is before the diagonal of these columns. */
static void mirror(void *context, int begin, int end, int worker)
{
    const job *j = context;
    const int axes = j->ports->axes, numbers = axes * j->ports->count;
    (void)worker;
    for (int first = 0; first < axes * end; first += TILE) /* rows and columns by tiles, each of which is a few lines of the cache */
        for (int q = axes * begin; q < axes * end; q++)
            for (int p = first; p < first + TILE && p < q; p++) j->C[(size_t)q * (size_t)numbers + (size_t)p] = j->C[(size_t)p * (size_t)numbers + (size_t)q];
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
    double *work = tl_arena_alloc(step->arena, (size_t)(d * listed * tl_threads_count(step->threads)) + 1, sizeof *work);
    if (!work) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts of solid '%s'", ports->count, matter->name);
    job j = {s, ports, place, listed_at, listed, work, C};
    tl_parallel_for(step->threads, ports->count, 8, columns, &j);
    tl_parallel_for(step->threads, ports->count, 32, mirror, &j);
    *known = true;
    return TALUS_OK;
}
