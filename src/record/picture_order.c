/* The painter's order of convex solids. Of two that overlap on the page, the plane that separates them best says which hides the other: the faces
 * of both are tried, the line between their centres, and what is square to the axes of rods. Then every solid is drawn after those it may hide.
 * Where three hide each other in a ring, which disjoint stones seldom do, the farthest comes first. */
#include <math.h>
#include <stdlib.h>

#include "record/picture_space.h"

/* ---- of two ------------------------------------------------------------------------------------------------------- */

/* Extent along n. */
static void extent(const tl_solids *s, const tl_solid *d, tl_vec3 n, double out[2])
{
    out[0] = (double)INFINITY, out[1] = -(double)INFINITY;
    for (int i = d->first_point; i < d->first_point + d->points; i++) {
        const double x = tl_dot(n, s->point[i]);
        if (x < out[0]) out[0] = x;
        if (x > out[1]) out[1] = x;
    }
    out[0] -= d->radius, out[1] += d->radius;
}

typedef struct separation {
    double gap;
    tl_vec3 direction; /* from a to b */
} separation;

/* Along n, pointing to b if `sign` is 1, to a if −1, and to whichever is there if 0. */
static void try_direction(const tl_solids *s, const tl_solid *a, const tl_solid *b, tl_vec3 n, int sign, separation *best)
{
    double of_a[2], of_b[2];
    if (tl_dot(n, n) < 0.5) return; /* there is no such direction */
    extent(s, a, n, of_a);
    extent(s, b, n, of_b);
    if (sign >= 0 && of_b[0] - of_a[1] > best->gap) *best = (separation){of_b[0] - of_a[1], n};
    if (sign <= 0 && of_a[0] - of_b[1] > best->gap) *best = (separation){of_a[0] - of_b[1], tl_scale(-1, n)};
}

static tl_vec3 axis_of(const tl_solids *s, const tl_solid *d)
{
    return d->kind == SOLID_ROD ? tl_normalize(tl_sub(s->point[d->first_point + 1], s->point[d->first_point])) : tl_v3(0, 0, 0);
}

int tl_solids_compare(const tl_solids *s, const tl_solid *a, const tl_solid *b)
{
    if (b->low[2] >= a->high[2]) return 1;
    if (a->low[2] >= b->high[2]) return -1;
    separation best = {-(double)INFINITY, {0, 0, 1}};
    const tl_vec3 between = tl_sub(b->centre, a->centre), along_a = axis_of(s, a), along_b = axis_of(s, b);
    try_direction(s, a, b, tl_normalize(between), 1, &best);
    try_direction(s, a, b, tl_normalize(tl_cross(along_a, along_b)), 0, &best);
    try_direction(s, a, b, tl_normalize(tl_cross(along_a, tl_cross(between, along_a))), 1, &best);
    try_direction(s, a, b, tl_normalize(tl_cross(along_b, tl_cross(between, along_b))), 1, &best);
    for (int f = a->first_face; f < a->first_face + a->faces; f++) try_direction(s, a, b, s->normal[f], 1, &best);
    for (int f = b->first_face; f < b->first_face + b->faces; f++) try_direction(s, a, b, s->normal[f], -1, &best);
    if (fabs(best.direction.z) < 1e-9) return 0;
    return best.direction.z > 0 ? 1 : -1;
}

/* ---- of all ------------------------------------------------------------------------------------------------------- */

typedef struct pair {
    int front, back;
} pair;

/* Boxes on the page in a grid of cells about as large as the usual solid; what covers many cells is compared with all. */
typedef struct sorter {
    const tl_solids *s;
    pair *pairs;
    int count, room;
    double low[2], cell;
    int across[2];
    int *begin, *inside; /* [cells + 1], solids of each cell */
    bool *large;
    bool failed;
} sorter;

static void add_pair(sorter *t, int i, int j)
{
    const tl_solid *a = &t->s->solid[i], *b = &t->s->solid[j];
    for (int k = 0; k < 2; k++)
        if (a->low[k] >= b->high[k] || b->low[k] >= a->high[k]) return;
    const int order = tl_solids_compare(t->s, a, b);
    if (order == 0) return;
    if (tl_grow(tl_memory_default(), &t->pairs, &t->room, t->count + 1, sizeof *t->pairs) != TALUS_OK) t->failed = true;
    else t->pairs[t->count++] = order > 0 ? (pair){j, i} : (pair){i, j};
}

static int cell_of(const sorter *t, double x, int k)
{
    const int c = (int)fmin((x - t->low[k]) / t->cell, t->across[k] - 1);
    return c > 0 ? c : 0;
}

static void cells_of(const sorter *t, const tl_solid *d, int from[2], int to[2])
{
    for (int k = 0; k < 2; k++) from[k] = cell_of(t, d->low[k], k), to[k] = cell_of(t, d->high[k], k);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool make_grid(sorter *t)
{
    const int n = t->s->count;
    double *size = calloc((size_t)n + 1, sizeof *size), high[2] = {-(double)INFINITY, -(double)INFINITY};
    if (!size) return false;
    t->low[0] = t->low[1] = (double)INFINITY;
    for (int i = 0; i < n; i++) {
        const tl_solid *d = &t->s->solid[i];
        size[i] = fmax(d->high[0] - d->low[0], d->high[1] - d->low[1]);
        for (int k = 0; k < 2; k++) t->low[k] = fmin(t->low[k], d->low[k]), high[k] = fmax(high[k], d->high[k]);
    }
    qsort(size, (size_t)n, sizeof *size, by_size);
    t->cell = fmax(fmax(size[n / 2], fmax(high[0] - t->low[0], high[1] - t->low[1]) / 500), 1e-300);
    free(size);
    for (int k = 0; k < 2; k++) t->across[k] = 1 + (int)fmin((high[k] - t->low[k]) / t->cell, 600);
    t->begin = calloc((size_t)t->across[0] * (size_t)t->across[1] + 2, sizeof *t->begin);
    t->large = calloc((size_t)n + 1, sizeof *t->large);
    return t->begin && t->large;
}

/* Counts, then places. */
static bool fill_grid(sorter *t)
{
    const int n = t->s->count, cells = t->across[0] * t->across[1];
    int from[2], to[2];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < n; i++) {
            cells_of(t, &t->s->solid[i], from, to);
            t->large[i] = (to[0] - from[0] + 1) * (to[1] - from[1] + 1) > 25;
            for (int y = from[1]; y <= to[1] && !t->large[i]; y++)
                for (int x = from[0]; x <= to[0]; x++) {
                    const int c = y * t->across[0] + x;
                    if (round == 0) t->begin[c + 2]++;
                    else t->inside[t->begin[c + 1]++] = i;
                }
        }
        if (round == 1) break;
        for (int c = 2; c < cells + 2; c++) t->begin[c] += t->begin[c - 1];
        t->inside = calloc((size_t)t->begin[cells + 1] + 1, sizeof *t->inside);
        if (!t->inside) return false;
    }
    return true;
}

/* Two solids meet in several cells; they are compared in the one where their common part begins. */
static void pairs_of_cell(sorter *t, int x, int y)
{
    const int c = y * t->across[0] + x;
    for (int i = t->begin[c]; i < t->begin[c + 1]; i++)
        for (int j = i + 1; j < t->begin[c + 1]; j++) {
            const tl_solid *a = &t->s->solid[t->inside[i]], *b = &t->s->solid[t->inside[j]];
            if (cell_of(t, fmax(a->low[0], b->low[0]), 0) == x && cell_of(t, fmax(a->low[1], b->low[1]), 1) == y) add_pair(t, t->inside[i], t->inside[j]);
        }
}

static bool find_pairs(sorter *t)
{
    const int n = t->s->count;
    if (!make_grid(t) || !fill_grid(t)) return false;
    for (int y = 0; y < t->across[1]; y++)
        for (int x = 0; x < t->across[0]; x++) pairs_of_cell(t, x, y);
    for (int i = 0; i < n; i++)
        for (int j = 0; t->large[i] && j < n; j++)
            if (j != i && (!t->large[j] || j > i)) add_pair(t, i, j);
    return !t->failed;
}

typedef struct by_depth {
    double depth;
    int index;
} by_depth;

static int farther(const void *a, const void *b)
{
    const by_depth *x = a, *y = b;
    return x->depth != y->depth ? (x->depth > y->depth) - (x->depth < y->depth) : (x->index > y->index) - (x->index < y->index);
}

/* Visits everything that must come before a solid, then places it. first, behind: solids behind each. */
static int place(int solid, const int *first, const int *behind, int *next, bool *seen, int *stack, int *order, int placed)
{
    int top = 0;
    if (seen[solid]) return placed;
    seen[stack[top++] = solid] = true;
    while (top > 0) {
        const int i = stack[top - 1];
        if (next[i] < first[i + 1]) {
            const int j = behind[next[i]++];
            if (!seen[j]) seen[stack[top++] = j] = true;
        } else {
            order[placed++] = i;
            top--;
        }
    }
    return placed;
}

static bool arrange(const sorter *t, int *order)
{
    const int n = t->s->count;
    const size_t room = (size_t)n + 2;
    int *first = calloc(room, sizeof *first), *next = calloc(room, sizeof *next), *stack = calloc(room, sizeof *stack);
    int *behind = calloc((size_t)t->count + 1, sizeof *behind);
    bool *seen = calloc(room, sizeof *seen);
    by_depth *all = calloc(room, sizeof *all);
    const bool done = first && next && stack && behind && seen && all;
    if (done) {
        int placed = 0;
        for (int k = 0; k < t->count; k++) first[t->pairs[k].front + 1]++;
        for (int i = 0; i < n; i++) first[i + 1] += first[i], next[i] = first[i];
        for (int k = 0; k < t->count; k++) behind[next[t->pairs[k].front]++] = t->pairs[k].back;
        for (int i = 0; i < n; i++) next[i] = first[i], all[i] = (by_depth){t->s->solid[i].centre.z, i};
        qsort(all, (size_t)n, sizeof *all, farther);
        for (int i = 0; i < n; i++) placed = place(all[i].index, first, behind, next, seen, stack, order, placed);
    }
    free(first), free(next), free(stack), free(behind), free(seen), free(all);
    return done;
}

bool tl_solids_order(const tl_solids *s, int *order)
{
    sorter t = {.s = s};
    const bool done = s->count == 0 || (find_pairs(&t) && arrange(&t, order));
    tl_free(tl_memory_default(), t.pairs);
    free(t.begin), free(t.inside), free(t.large);
    return done;
}
