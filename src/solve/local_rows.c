/* Blocks of W from the rows of contacts (local_rows.h). */
#include "solve/local_rows.h"

#include <string.h>

talus_status tl_local_rows_locate(tl_step *step, int contacts, const int *lane, int lanes, int **where)
{
    *where = tl_arena_alloc(step->arena, (size_t)contacts + 1, sizeof **where);
    if (!*where) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", contacts);
    for (int i = 0; i < contacts; i++) (*where)[i] = TL_NOWHERE;
    for (int i = 0; i < lanes; i++)
        if (lane[i] >= 0) (*where)[lane[i]] = i;
    return TALUS_OK;
}

int tl_local_rows_number(const int *where, int contacts)
{
    int count = 0;
    for (int i = 0; i < contacts; i++) count += where[i] != TL_NOWHERE;
    return count;
}

talus_status tl_local_rows_copy(double *const *v, tl_matter *const *matter, int matters, tl_step *step, double ***copy)
{
    *copy = tl_arena_zero(step->arena, (size_t)matters, sizeof **copy);
    if (!*copy) return tl_fail(step->error, TALUS_MEMORY, "no memory for the velocities");
    for (int m = 1; m < matters; m++) {
        const size_t bytes = (size_t)matter[m]->nv * sizeof(double);
        (*copy)[m] = tl_arena_alloc(step->arena, bytes + 1, 1);
        if (!(*copy)[m]) return tl_fail(step->error, TALUS_MEMORY, "no memory for the velocities");
        memcpy((*copy)[m], v[m], bytes);
    }
    return TALUS_OK;
}

talus_status tl_local_rows_begin(tl_local_rows *r, int dimension, int contacts, int groups, tl_step *step)
{
    const size_t n = (size_t)contacts;
    *r = (tl_local_rows){.dimension = dimension, .contacts = contacts, .groups = groups};
    r->end = tl_arena_alloc(step->arena, 2 * n, sizeof *r->end);
    r->q = tl_arena_zero(step->arena, n, sizeof *r->q);
    r->I = tl_arena_zero(step->arena, n, sizeof *r->I);
    r->friction = tl_arena_zero(step->arena, n, sizeof *r->friction);
    return r->end && r->q && r->I && r->friction ? TALUS_OK : tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", contacts);
}

talus_status tl_local_rows_add(tl_local_rows *r, tl_local_end end, tl_step *step)
{
    if (!end.Y) {
        const size_t numbers = (size_t)(r->dimension * end.size);
        double *copy = tl_arena_alloc(step->arena, numbers, sizeof *copy);
        if (!copy) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
        memcpy(copy, end.H, numbers * sizeof *copy);
        end.H = end.Y = copy;
    }
    r->end[r->ends++] = end;
    return TALUS_OK;
}

/* Ends by contact and by group; where the block of a contact is in the row at work. */
typedef struct lists {
    int *first, *begin, *member, *slot; /* [contacts + 1], [groups + 1], [ends], [contacts] */
} lists;

static talus_status make_lists(const tl_local_rows *r, tl_step *step, lists *l)
{
    l->first = tl_arena_zero(step->arena, (size_t)r->contacts + 1, sizeof *l->first);
    l->begin = tl_arena_zero(step->arena, (size_t)r->groups + 2, sizeof *l->begin);
    l->member = tl_arena_alloc(step->arena, (size_t)r->ends + 1, sizeof *l->member);
    l->slot = tl_arena_alloc(step->arena, (size_t)r->contacts, sizeof *l->slot);
    if (!l->first || !l->begin || !l->member || !l->slot) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
    for (int e = 0; e < r->ends; e++) {
        l->first[r->end[e].contact + 1]++;
        l->begin[r->end[e].group + 2]++;
    }
    for (int i = 0; i < r->contacts; i++) l->first[i + 1] += l->first[i];
    for (int k = 0; k < r->groups; k++) l->begin[k + 2] += l->begin[k + 1];
    for (int e = 0; e < r->ends; e++) l->member[l->begin[r->end[e].group + 1]++] = e;
    return TALUS_OK;
}

static void add_product(const tl_local_rows *r, const tl_local_end *a, const tl_local_end *b, double *block)
{
    const int d = r->dimension, n = a->size;
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            for (int k = 0; k < n; k++) block[i * d + j] += a->sign * b->sign * a->H[i * n + k] * b->Y[j * n + k];
}

/* The blocks of row i from `next` on; without `out`, only their number. Returns the next free one. */
static int fill_row(const tl_local_rows *r, const lists *l, int i, int next, int *column, double *block)
{
    const int begin = next, numbers = r->dimension * r->dimension;
    for (int e = l->first[i]; e < l->first[i + 1]; e++) {
        const int group = r->end[e].group;
        for (int k = l->begin[group]; k < l->begin[group + 1]; k++) {
            const tl_local_end *other = &r->end[l->member[k]];
            if (l->slot[other->contact] < begin) l->slot[other->contact] = next++;
            if (!block) continue;
            column[l->slot[other->contact]] = other->contact;
            add_product(r, &r->end[e], other, block + (size_t)l->slot[other->contact] * (size_t)numbers);
        }
    }
    return next;
}

static int fill(const tl_local_rows *r, const lists *l, int *row, int *column, double *block)
{
    int next = 0;
    for (int i = 0; i < r->contacts; i++) l->slot[i] = -1;
    for (int i = 0; i < r->contacts; i++) row[i + 1] = next = fill_row(r, l, i, next, column, block);
    return next;
}

talus_status tl_local_rows_assemble(const tl_local_rows *r, tl_step *step, talus_problem_def *out)
{
    lists l;
    TL_TRY(make_lists(r, step, &l));
    const size_t n = (size_t)r->contacts, d = (size_t)r->dimension;
    int *row = tl_arena_zero(step->arena, n + 1, sizeof *row);
    if (!row) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
    const size_t blocks = (size_t)fill(r, &l, row, NULL, NULL);
    int *column = tl_arena_alloc(step->arena, blocks, sizeof *column);
    double *block = tl_arena_zero(step->arena, blocks * d * d, sizeof *block);
    double *q = tl_arena_alloc(step->arena, n * d, sizeof *q), *impulse = tl_arena_alloc(step->arena, n * d, sizeof *impulse);
    if (!column || !block || !q || !impulse) return tl_fail(step->error, TALUS_MEMORY, "no memory for %zu blocks", blocks);
    (void)fill(r, &l, row, column, block);
    for (size_t i = 0; i < n; i++) {
        memcpy(q + i * d, r->q[i], d * sizeof *q);
        memcpy(impulse + i * d, r->I[i], d * sizeof *impulse);
    }
    *out = talus_problem_def_default();
    out->dimension = r->dimension, out->contacts = r->contacts, out->row = row, out->column = column, out->block = block;
    out->q = q, out->friction = r->friction, out->impulse = impulse;
    return TALUS_OK;
}
