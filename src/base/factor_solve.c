/* Solves with a factor (factor.h). They read it twice, and little else, so threads share that: each takes trees of fronts. */
#include "base/factor_internal.h"
#include "base/products.h"

#include <string.h>

/* ---- trees -------------------------------------------------------------------------------------------------------------------- */

enum { TREES = 2 };              /* at most, of those that are taken side by side */
static const double WORTH = 1e5; /* numbers of L from which a solve is worth the waking of threads: it takes some ten microseconds */

/* Which of the roots has the most work of those that have branches; −1: none has. */
static int largest_tree(const tl_factor *f, const double *work, const int *root, int roots)
{
    int found = -1;
    for (int i = 0; i < roots; i++)
        if (f->front[root[i]].child >= 0 && (found < 0 || work[root[i]] > work[root[found]])) found = i;
    return found;
}

/* Roots of trees: of all at first, then of the branches of the largest, again and again. Returns how many. */
static int cut_trees(const tl_factor *f, const double *work, int root[TREES])
{
    int roots = 0;
    for (int g = 0; g < f->fronts; g++) {
        if (f->front[g].parent >= 0) continue;
        if (roots == TREES) return 0;
        root[roots++] = g;
    }
    for (int largest; (largest = largest_tree(f, work, root, roots)) >= 0;) {
        int c = f->front[root[largest]].child, branches = 0;
        for (int k = c; k >= 0; k = f->front[k].sibling) branches++;
        if (roots - 1 + branches > TREES) break;
        root[largest] = c;
        while ((c = f->front[c].sibling) >= 0) root[roots++] = c;
    }
    return roots;
}

static void list_members(tl_factor *f, const int *root)
{
    int next = 0;
    for (int g = 0; g < f->fronts; g++) f->front[g].tree = -1;
    for (int i = 0; i < f->trees; i++) f->front[root[i]].tree = i;
    for (int g = f->fronts - 1; g >= 0; g--)
        if (f->front[g].tree < 0 && f->front[g].parent >= 0) f->front[g].tree = f->front[f->front[g].parent].tree;
    for (int tree = 0; tree <= f->trees; tree++) {
        f->tree_begin[tree] = next;
        for (int g = 0; g < f->fronts; g++)
            if (f->front[g].tree == (tree < f->trees ? tree : -1)) f->member[next++] = g;
    }
}

static void list_top(tl_factor *f)
{
    for (int p = 0; p < f->order.nodes; p++) f->top_at[p] = -1;
    for (int i = f->tree_begin[f->trees]; i < f->fronts; i++)
        for (int p = f->order.group[f->member[i]]; p < f->order.group[f->member[i] + 1]; p++) f->top_at[p] = f->tops, f->top[f->tops++] = p;
}

talus_status tl_factor_plant(tl_factor *f, tl_error *error)
{
    const size_t fronts = (size_t)f->fronts, nodes = (size_t)f->order.nodes;
    int root[TREES];
    double *work = tl_alloc(f->memory, fronts + 1, sizeof *work);
    f->tree_begin = tl_alloc(f->memory, TREES + 2, sizeof *f->tree_begin);
    f->member = tl_alloc(f->memory, fronts + 1, sizeof *f->member);
    f->top = tl_alloc(f->memory, nodes + 1, sizeof *f->top);
    f->top_at = tl_alloc(f->memory, nodes + 1, sizeof *f->top_at);
    const bool room = work && f->tree_begin && f->member && f->top && f->top_at;
    for (int g = 0; room && g < f->fronts; g++) {
        const tl_front *s = &f->front[g];
        work[g] += (double)tl_front_rows(f, s) * s->columns;
        if (s->parent >= 0) work[s->parent] += work[g];
    }
    if (room) {
        f->trees = cut_trees(f, work, root);
        list_members(f, root);
        list_top(f);
        f->above = tl_alloc(f->memory, (size_t)f->trees * (size_t)(f->tops * f->block) + 1, sizeof *f->above);
        f->part = tl_alloc(f->memory, (size_t)(f->trees + 1) * (size_t)(f->most + 1), sizeof *f->part);
    }
    tl_free(f->memory, work);
    return f->above && f->part ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for a factor of %d nodes", f->order.nodes);
}

void tl_factor_uproot(tl_factor *f)
{
    void *const list[] = {f->tree_begin, f->member, f->top, f->top_at, f->above, f->part};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) tl_free(f->memory, list[i]);
}

/* ---- fronts ------------------------------------------------------------------------------------------------------------------- */

/* Columns are taken four at a time, so that what they share is read once for all of them. */
enum { TOGETHER = 4, FOUR = TL_FACTOR_FOUR };

/* A front in work: what it does to its own unknowns y, and to those below, [rows − columns]. */
typedef struct front_job {
    const double *L; /* or Uᵀ, upwards */
    int rows, columns;
    double *y, *below;
} front_job;

static void forward_own(const front_job *j)
{
    const double *restrict L = j->L;
    double *restrict y = j->y;
    const size_t n = (size_t)j->rows;
    int c = 0;
    for (; c + TOGETHER <= j->columns; c += TOGETHER, L += TOGETHER * n) {
        const double *const a[TOGETHER] = {L, L + n, L + 2 * n, L + 3 * n};
        const int next = c + TOGETHER;
        double less[TOGETHER];
        for (int k = 0; k < TOGETHER; k++) {
            y[c + k] /= a[k][c + k];
            less[k] = -y[c + k];
            for (int r = c + k + 1; r < next; r++) y[r] += a[k][r] * less[k];
        }
        tl_add_rows((const double *const[]){a[0] + next, a[1] + next, a[2] + next, a[3] + next}, less, j->columns - next, y + next);
    }
    for (; c < j->columns; c++, L += n) {
        y[c] /= L[c];
        for (int r = c + 1; r < j->columns; r++) y[r] -= L[r] * y[c];
    }
}

/* What own unknowns do to those below, from begin to end. */
static void forward_below(const front_job *j, int begin, int end)
{
    const double *restrict L = j->L + j->columns + begin;
    double *restrict below = j->below + begin;
    const size_t n = (size_t)j->rows;
    int c = 0;
    for (; c + TOGETHER <= j->columns; c += TOGETHER, L += TOGETHER * n)
        tl_add_rows((const double *const[]){L, L + n, L + 2 * n, L + 3 * n}, j->y + c, end - begin, below);
    for (; c < j->columns; c++, L += n)
        for (int r = 0; r < end - begin; r++) below[r] += L[r] * j->y[c];
}

/* What those below do to own unknowns, from column begin to end; whole fours of columns but for the last. */
static void backward_below(const front_job *j, int begin, int end)
{
    const size_t n = (size_t)j->rows;
    for (int c = begin; c < end; c += TOGETHER) {
        const double *a[TOGETHER];
        double sum[TOGETHER] = {0};
        for (int k = 0; k < TOGETHER; k++) a[k] = j->L + (size_t)(c + k < end ? c + k : c) * n + j->columns;
        tl_add_products(a, j->below, j->rows - j->columns, sum);
        for (int k = 0; k < TOGETHER && c + k < end; k++) j->y[c + k] -= sum[k];
    }
}

static void backward_own(const front_job *j)
{
    double *restrict y = j->y;
    const size_t n = (size_t)j->rows;
    const int whole = j->columns - j->columns % TOGETHER;
    for (int c = j->columns - 1; c >= whole; c--) {
        const double *column = j->L + (size_t)c * n;
        for (int r = c + 1; r < j->columns; r++) y[c] -= column[r] * y[r];
        y[c] /= column[c];
    }
    for (int c = whole - TOGETHER; c >= 0; c -= TOGETHER) {
        const double *const first = j->L + (size_t)c * n, *const a[TOGETHER] = {first, first + n, first + 2 * n, first + 3 * n};
        const int next = c + TOGETHER;
        double sum[TOGETHER] = {0};
        tl_add_products((const double *const[]){a[0] + next, a[1] + next, a[2] + next, a[3] + next}, y + next, j->columns - next, sum);
        for (int k = TOGETHER - 1; k >= 0; k--) {
            for (int r = c + k + 1; r < next; r++) sum[k] += a[k][r] * y[r];
            y[c + k] = (y[c + k] - sum[k]) / a[k][c + k];
        }
    }
}

enum { SHARE = 32 }; /* rows or columns that a thread takes at a time */

static void forward_below_range(void *context, int begin, int end, int worker)
{
    const front_job *j = context;
    const int last = j->rows - j->columns;
    (void)worker;
    forward_below(j, begin * SHARE, end * SHARE < last ? end * SHARE : last);
}

static void backward_below_range(void *context, int begin, int end, int worker)
{
    const front_job *j = context;
    (void)worker;
    backward_below(j, begin * SHARE, end * SHARE < j->columns ? end * SHARE : j->columns);
}

/* A range of n rows or columns, by threads where the front is large. */
static void share(front_job *j, int n, tl_range_fn *fn, tl_threads *threads)
{
    const int shares = (n + SHARE - 1) / SHARE;
    const bool large = (double)(j->rows - j->columns) * j->columns > WORTH;
    tl_parallel_for(threads, shares, large ? 1 : shares + 1, fn, j);
}

static bool is_zero(const double *x, int n)
{
    int i = 0;
    while (i < n && x[i] == 0) i++;
    return i == n;
}

static double *part_of(const tl_factor *f, int tree) { return f->part + (size_t)tree * (size_t)(f->most + 1); }

/* Fronts of a tree, or of the top, which comes after the last of them. Large ones are shared by threads, where there are some. */
static void forward_fronts(const tl_factor *f, int tree, tl_threads *threads)
{
    const int block = f->block, end = tree < f->trees ? f->tree_begin[tree + 1] : f->fronts;
    const size_t above = (size_t)(f->tops * block);
    double *part = part_of(f, tree), *top = f->above + (size_t)tree * above;
    if (tree < f->trees) memset(top, 0, above * sizeof *top);
    for (int i = f->tree_begin[tree]; i < end; i++) {
        const tl_front *s = &f->front[f->member[i]];
        front_job j = {f->L + s->at, tl_front_rows(f, s), s->columns, f->b + s->first, part};
        const int below = j.rows - j.columns;
        if (is_zero(j.y, j.columns)) continue; /* what acts on the last nodes alone passes by all the others */
        memset(part, 0, (size_t)(below + 1) * sizeof *part);
        forward_own(&j);
        share(&j, below, forward_below_range, threads);
        for (int k = 0; k < s->nodes; k++) {
            const int at = tree < f->trees ? f->top_at[s->node[k]] : -1;
            double *out = at < 0 ? f->b + block * s->node[k] : top + block * at;
            for (int a = 0; a < block; a++) out[a] -= part[block * k + a];
        }
    }
}

static void backward_fronts(const tl_factor *f, int tree, tl_threads *threads)
{
    const int block = f->block, end = tree < f->trees ? f->tree_begin[tree + 1] : f->fronts;
    double *part = part_of(f, tree);
    for (int i = end - 1; i >= f->tree_begin[tree]; i--) {
        const tl_front *s = &f->front[f->member[i]];
        front_job j = {f->U + s->at, tl_front_rows(f, s), s->columns, f->b + s->first, part};
        for (int k = 0; k < s->nodes; k++)
            for (int a = 0; a < block; a++) part[block * k + a] = f->b[block * s->node[k] + a];
        share(&j, j.columns, backward_below_range, threads);
        backward_own(&j);
    }
}

/* ---- solves ------------------------------------------------------------------------------------------------------------------- */

static void forward_range(void *context, int begin, int end, int worker)
{
    (void)worker;
    for (int tree = begin; tree < end; tree++) forward_fronts(context, tree, NULL);
}

static void backward_range(void *context, int begin, int end, int worker)
{
    (void)worker;
    for (int tree = begin; tree < end; tree++) backward_fronts(context, tree, NULL);
}

static void for_trees(tl_factor *f, tl_range_fn *fn, tl_threads *threads)
{
    tl_parallel_for(threads, f->trees, (double)f->size > WORTH ? 2 : f->trees + 1, fn, f);
}

void tl_factor_solve(tl_factor *f, double *b, tl_threads *threads)
{
    const int block = f->block;
    double *y = f->b;
    for (int p = 0; p < f->order.nodes; p++)
        for (int a = 0; a < block; a++) y[block * p + a] = b[block * f->order.order[p] + a];
    for_trees(f, forward_range, threads);
    for (int tree = 0; tree < f->trees; tree++)
        for (int i = 0; i < f->tops; i++)
            for (int a = 0; a < block; a++) y[block * f->top[i] + a] += f->above[(size_t)(tree * f->tops + i) * (size_t)block + (size_t)a];
    forward_fronts(f, f->trees, threads);
    backward_fronts(f, f->trees, threads);
    for_trees(f, backward_range, threads);
    for (int p = 0; p < f->order.nodes; p++)
        for (int a = 0; a < block; a++) b[block * f->order.order[p] + a] = y[block * p + a];
}

static int taken_from(const tl_front *s, int c) { return s->columns - c < TOGETHER ? s->columns - c : TOGETHER; }

/* Four columns x side by side of the last front, by as many columns of L, or rows of U, from c on. */
static void forward_four(const tl_front *s, const double *L, int c, double (*y)[FOUR])
{
    const size_t n = (size_t)s->columns;
    const int own = taken_from(s, c), next = c + own;
    const double *a[TOGETHER] = {NULL};
    double less[TOGETHER][FOUR];
    for (int k = 0; k < own; k++) {
        a[k] = L + (size_t)(c + k) * n;
        for (int i = 0; i < FOUR; i++) {
            y[c + k][i] /= a[k][c + k];
            less[k][i] = -y[c + k][i];
            for (int r = c + k + 1; r < next; r++) y[r][i] += a[k][r] * less[k][i];
        }
    }
    if (next < s->columns) tl_add_rows_of_four((const double *const[]){a[0] + next, a[1] + next, a[2] + next, a[3] + next}, less, s->columns - next, y + next);
}

static void backward_four(const tl_front *s, const double *U, int c, double (*y)[FOUR])
{
    const size_t n = (size_t)s->columns;
    const int own = taken_from(s, c), next = c + own;
    const double *a[TOGETHER] = {NULL};
    double sum[TOGETHER][FOUR] = {{0}};
    for (int k = 0; k < own; k++) a[k] = U + (size_t)(c + k) * n;
    if (next < s->columns)
        tl_add_products_of_four((const double *const[]){a[0] + next, a[1] + next, a[2] + next, a[3] + next}, y + next, s->columns - next, sum);
    for (int k = own - 1; k >= 0; k--)
        for (int i = 0; i < FOUR; i++) {
            for (int r = c + k + 1; r < next; r++) sum[k][i] += a[k][r] * y[r][i];
            y[c + k][i] = (y[c + k][i] - sum[k][i]) / a[k][c + k];
        }
}

void tl_factor_solve_last(const tl_factor *f, double (*b)[FOUR], int fours)
{
    const tl_front *s = &f->front[f->fronts - 1];
    const int columns = s->columns;
    if (f->last == 0) return;
    for (int c = 0; c < columns; c += TOGETHER)
        for (int i = 0; i < fours; i++) {
            double(*y)[FOUR] = b + (size_t)columns * (size_t)i;
            if (!is_zero(y[c], FOUR * taken_from(s, c))) forward_four(s, f->L + s->at, c, y);
        }
    for (int c = (columns - 1) / TOGETHER * TOGETHER; c >= 0; c -= TOGETHER)
        for (int i = 0; i < fours; i++) backward_four(s, f->U + s->at, c, b + (size_t)columns * (size_t)i);
}
