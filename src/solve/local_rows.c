/* Blocks of W from the rows of contacts (local_rows.h). */
#include "solve/local_rows.h"

#include <limits.h>
#include <string.h>

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

talus_status tl_local_rows_begin(tl_local_rows *r, int dimension, const tl_local_members *m, tl_step *step)
{
    *r = (tl_local_rows){.dimension = dimension, .groups = m->groups};
    r->number = tl_arena_alloc(step->arena, (size_t)m->contacts + 1, sizeof *r->number);
    if (!r->number || !m->coupled) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", m->contacts);
    for (int i = 0; i < m->contacts; i++) r->number[i] = -1;
    for (int i = 0; i < m->lanes; i++)
        if (m->lane[i] >= 0) r->number[m->lane[i]] = 0;
    for (int i = 0; i < m->coupleds; i++) r->number[m->coupled[i]] = 0;
    for (int i = 0; i < m->contacts; i++)
        if (r->number[i] == 0) r->number[i] = r->contacts++;
    const size_t n = (size_t)r->contacts;
    r->end = tl_arena_alloc(step->arena, 2 * n, sizeof *r->end);
    r->q = tl_arena_zero(step->arena, n, sizeof *r->q);
    r->I = tl_arena_zero(step->arena, n, sizeof *r->I);
    r->friction = tl_arena_zero(step->arena, n, sizeof *r->friction);
    r->give = tl_arena_zero(step->arena, n, sizeof *r->give);
    return r->end && r->q && r->I && r->friction && r->give ? TALUS_OK : tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
}

/* Rows of grains lie one behind the other: each to lines of its own, they would take a third more. */
static double *row_of(tl_local_rows *r, size_t numbers, tl_step *step)
{
    enum { MOST = 64 }; /* ends at a time */
    const int left = 2 * r->contacts - r->ends;
    const size_t wanted = (size_t)(left < MOST ? left : MOST) * numbers;
    if (r->room < numbers) {
        r->row = tl_arena_alloc(step->arena, wanted, sizeof *r->row);
        r->room = r->row ? wanted : 0;
    }
    if (!r->row) return NULL;
    double *row = r->row;
    r->row += numbers, r->room -= numbers;
    return row;
}

talus_status tl_local_rows_add(tl_local_rows *r, tl_local_end end, tl_step *step)
{
    if (!end.Y) {
        const size_t numbers = (size_t)(r->dimension * end.size);
        double *copy = row_of(r, numbers, step);
        if (!copy) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
        memcpy(copy, end.H, numbers * sizeof *copy);
        end.H = end.Y = copy;
    }
    r->end[r->ends++] = end;
    return TALUS_OK;
}

/* Ends by contact and by group: those of key k are member[begin[k]] … member[begin[k + 1] − 1]. */
typedef struct ends_by {
    int *begin, *member;
} ends_by;

static int contact_of(const tl_local_end *end) { return end->contact; }
static int group_of(const tl_local_end *end) { return end->group; }

static talus_status list_ends(const tl_local_rows *r, int (*key)(const tl_local_end *), int keys, tl_step *step, ends_by *l)
{
    l->begin = tl_arena_zero(step->arena, (size_t)keys + 2, sizeof *l->begin);
    l->member = tl_arena_alloc(step->arena, (size_t)r->ends + 1, sizeof *l->member);
    if (!l->begin || !l->member) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
    for (int e = 0; e < r->ends; e++) l->begin[key(&r->end[e]) + 2]++;
    for (int k = 0; k < keys; k++) l->begin[k + 2] += l->begin[k + 1];
    for (int e = 0; e < r->ends; e++) l->member[l->begin[key(&r->end[e]) + 1]++] = e;
    return TALUS_OK;
}

typedef struct lists {
    ends_by contact, group;
    int *slot; /* [contacts] where its block is in the row at work */
} lists;

static talus_status make_lists(const tl_local_rows *r, tl_step *step, lists *l)
{
    TL_TRY(list_ends(r, contact_of, r->contacts, step, &l->contact));
    TL_TRY(list_ends(r, group_of, r->groups, step, &l->group));
    l->slot = tl_arena_alloc(step->arena, (size_t)r->contacts, sizeof *l->slot);
    return l->slot ? TALUS_OK : tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
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
    for (int e = l->contact.begin[i]; e < l->contact.begin[i + 1]; e++) {
        const tl_local_end *own = &r->end[l->contact.member[e]];
        for (int k = l->group.begin[own->group]; k < l->group.begin[own->group + 1]; k++) {
            const tl_local_end *other = &r->end[l->group.member[k]];
            if (l->slot[other->contact] < begin) l->slot[other->contact] = next++;
            if (!block) continue;
            column[l->slot[other->contact]] = other->contact;
            add_product(r, own, other, block + (size_t)l->slot[other->contact] * (size_t)numbers);
        }
    }
    if (block && next > begin) block[(size_t)l->slot[i] * (size_t)numbers] += r->give[i];
    return next;
}

/* The number of blocks; −1: too many to count. */
static int fill(const tl_local_rows *r, const lists *l, int *row, int *column, double *block)
{
    int next = 0;
    for (int i = 0; i < r->contacts; i++) l->slot[i] = -1;
    for (int i = 0; i < r->contacts; i++) {
        if (next > INT_MAX - r->contacts) return -1;
        row[i + 1] = next = fill_row(r, l, i, next, column, block);
    }
    return next;
}

talus_status tl_local_rows_assemble(const tl_local_rows *r, tl_step *step, talus_problem_def *out)
{
    lists l;
    TL_TRY(make_lists(r, step, &l));
    const size_t n = (size_t)r->contacts, d = (size_t)r->dimension;
    int *row = tl_arena_zero(step->arena, n + 1, sizeof *row);
    if (!row) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
    const int count = fill(r, &l, row, NULL, NULL);
    if (count < 0) return tl_fail(step->error, TALUS_MEMORY, "W of %d contacts has too many blocks to be formed", r->contacts);
    const size_t blocks = (size_t)count;
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
