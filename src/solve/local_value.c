/* From a problem's definition (talus/problem.h) to the scaled value (local.h): W symmetric, blocks by column, one of each place. */
#include "solve/local_rows.h"

/* Counts (without `to`), or adds half of each block to its place and half of its transpose to the mirrored one. `slot` [contacts]: where the block of a column
 * is in the row at work. */
typedef struct gathering {
    const talus_problem_def *d;
    int *start, *from, *owner; /* blocks of the transpose by row: number start[i] … start[i + 1] − 1 is block `from` of row `owner` */
    int *slot;
    tl_local *to;
} gathering;

static void add_block(const gathering *g, int slot, const double *block, bool transposed)
{
    const int d = g->d->dimension;
    for (int r = 0; r < d; r++)
        for (int c = 0; c < d; c++) g->to->block[slot][3 * r + c] += 0.5 * block[transposed ? c * d + r : r * d + c];
}

static int gather_row(const gathering *g, int i, int next)
{
    const int first = next;
    for (int side = 0; side < 2; side++) {
        const int begin = side ? g->start[i] : g->d->row[i], end = side ? g->start[i + 1] : g->d->row[i + 1];
        for (int k = begin; k < end; k++) {
            const int block = side ? g->from[k] : k, column = side ? g->owner[k] : g->d->column[block];
            if (g->slot[column] < first) {
                g->slot[column] = next++;
                if (g->to) g->to->column[g->slot[column]] = column;
            }
            if (g->to) add_block(g, g->slot[column], g->d->block + (size_t)block * (size_t)(g->d->dimension * g->d->dimension), side == 1);
        }
    }
    return next;
}

static int gather(gathering *g)
{
    int next = 0;
    for (int i = 0; i < g->d->contacts; i++) g->slot[i] = -1;
    for (int i = 0; i < g->d->contacts; i++) {
        if (g->to) g->to->row[i] = next;
        next = gather_row(g, i, next);
    }
    if (g->to) g->to->row[g->d->contacts] = next;
    return next;
}

static void transpose(gathering *g)
{
    const talus_problem_def *d = g->d;
    const int n = d->contacts;
    for (int k = 0; k < d->row[n]; k++) g->start[d->column[k] + 1]++;
    for (int i = 0; i < n; i++) g->start[i + 1] += g->start[i];
    for (int i = 0; i < n; i++)
        for (int k = d->row[i]; k < d->row[i + 1]; k++) {
            const int at = g->start[d->column[k]]++;
            g->from[at] = k, g->owner[at] = i;
        }
    for (int i = n; i > 0; i--) g->start[i] = g->start[i - 1];
    g->start[0] = 0;
}

talus_status tl_local_from(tl_memory memory, const talus_problem_def *d, tl_local *p, tl_error *e)
{
    const size_t n = (size_t)d->contacts, blocks = (size_t)d->row[n];
    gathering g = {.d = d,
                   .start = tl_alloc(memory, n + 1, sizeof *g.start),
                   .from = tl_alloc(memory, blocks, sizeof *g.from),
                   .owner = tl_alloc(memory, blocks, sizeof *g.owner),
                   .slot = tl_alloc(memory, n, sizeof *g.slot)};
    const bool enough = g.start && g.from && g.owner && g.slot;
    talus_status status = TALUS_OK;
    if (enough) {
        transpose(&g);
        status = tl_local_create(memory, d->contacts, gather(&g), p, e);
    } else status = tl_fail(e, TALUS_MEMORY, "no memory for a problem of %d contacts", d->contacts);
    if (enough && status == TALUS_OK) {
        g.to = p;
        (void)gather(&g);
        for (int i = 0; i < d->contacts; i++) {
            p->friction[i] = d->friction[i];
            for (int m = 0; m < d->dimension; m++) {
                p->q[i][m] = d->q[i * d->dimension + m];
                p->I[i][m] = d->impulse ? d->impulse[i * d->dimension + m] : 0;
            }
        }
        p->convex = d->convex != 0;
        status = tl_local_prepare(p, d->dimension, e);
        if (status != TALUS_OK) tl_local_destroy(p);
    }
    tl_free(memory, g.start);
    tl_free(memory, g.from);
    tl_free(memory, g.owner);
    tl_free(memory, g.slot);
    return status;
}
