/* The matrix of a problem in velocities of bodies (body_matrix.h). */
#include "solve/body_matrix.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/lanes.h"
#include "solve/local.h"

enum {
    FEW = 1000, /* blocks: an order of least degree looks at all of them for each */
    HUB = 16,   /* times as many neighbours as others have: what is met from everywhere is eliminated last */
    DIMENSION = 3
};
static const double WORK = 1e11; /* operations of a factor by fronts: more takes several seconds, of which a step wants some twenty */

int tl_body_blocks_of(const tl_body_problem *p, const tl_body_hold *k, int *list)
{
    int n = 0;
    for (int e = k->end; e < k->end + k->ends; e++)
        for (int b = 0; b < p->end[e].blocks; b++) list[n++] = p->end[e].first + b;
    return n;
}

int tl_body_count_blocks(const tl_body_problem *p, const tl_body_hold *k)
{
    int blocks = 0;
    for (int e = k->end; e < k->end + k->ends; e++) blocks += p->end[e].blocks;
    return blocks;
}

static talus_status no_memory(const tl_body_problem *p, tl_step *step)
{
    return tl_fail(step->error, TALUS_MEMORY, "no memory for a matrix of %d blocks", p->blocks);
}

/* ---- what is coupled ---------------------------------------------------------------------------------------------------------- */

/* Lists of blocks that are all coupled with one another: those of each hold, then of each group. */
static int list_of(const tl_body_problem *p, int which, int *list)
{
    if (which < p->holds) return tl_body_blocks_of(p, &p->hold[which], list);
    const tl_body_group *group = &p->group[which - p->holds];
    for (int b = 0; b < group->blocks; b++) list[b] = group->first + b;
    return group->blocks;
}

int tl_body_most_blocks(const tl_body_problem *p)
{
    int most = 0;
    for (int g = 0; g < p->groups; g++) most = p->group[g].blocks > most ? p->group[g].blocks : most;
    for (int i = 0; i < p->holds; i++) {
        const int blocks = tl_body_count_blocks(p, &p->hold[i]);
        most = blocks > most ? blocks : most;
    }
    return most;
}

/* A group of which a block is coupled to so many blocks of others, of all blocks, holds parts together, as the body of a vehicle does its bogies. */
static void postpone_hubs(tl_sparse3 *s, const tl_body_problem *p)
{
    static const double MANY = 1.0 / 6;
    for (int g = 0; g < p->groups; g++) {
        const int first = p->group[g].first, own = p->group[g].blocks;
        bool hub = false;
        for (int b = first; b < first + own; b++) hub = hub || tl_sparse3_neighbours(s, b) - own > MANY * p->blocks;
        for (int b = first; hub && b < first + own; b++) tl_sparse3_postpone(s, b);
    }
}

static talus_status make_parted(tl_body_matrix *m, const tl_body_problem *p, int *list, tl_step *step)
{
    m->parted = tl_sparse3_create(step->memory, p->blocks);
    if (!m->parted) return no_memory(p, step);
    tl_sparse3_generalize(m->parted);
    for (int i = 0; i < p->holds + p->groups; i++) tl_sparse3_couple(m->parted, list, list_of(p, i, list));
    postpone_hubs(m->parted, p);
    return tl_sparse3_order(m->parted, step->error);
}

/* Neighbours of each block, ascending, from lists that say many of them again and again. None where they are too many to be counted. */
static talus_status make_pattern(tl_body_matrix *m, const tl_body_problem *p, int *list, tl_step *step)
{
    tl_pattern *out = &m->pattern;
    size_t all = 0;
    int held = 0;
    *out = (tl_pattern){p->blocks, tl_alloc(step->memory, (size_t)p->blocks + 1, sizeof *out->begin), NULL};
    int *end = tl_arena_zero(step->arena, (size_t)p->blocks + 1, sizeof *end);
    if (!out->begin || !end) return no_memory(p, step);
    for (int i = 0; i < p->holds + p->groups && all <= INT_MAX; i++) {
        const int n = list_of(p, i, list);
        for (int k = 0; k < n; k++) end[list[k]] += n;
        all += (size_t)n * (size_t)n;
    }
    if (all > INT_MAX) return TALUS_OK; /* nor is there a factor */
    out->neighbour = tl_alloc(step->memory, all + 1, sizeof *out->neighbour);
    if (!out->neighbour) return no_memory(p, step);
    for (int i = 0, at = 0; i < p->blocks; i++) {
        out->begin[i] = at;
        at += end[i];
        end[i] = out->begin[i];
    }
    for (int i = 0; i < p->holds + p->groups; i++) {
        const int n = list_of(p, i, list);
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) out->neighbour[end[list[k]]++] = list[j];
    }
    for (int i = 0; i < p->blocks; i++) {
        int *own = &out->neighbour[out->begin[i]];
        const int n = end[i] - out->begin[i];
        qsort(own, (size_t)n, sizeof *own, tl_ascending);
        out->begin[i] = held;
        for (int k = 0; k < n; k++)
            if (k == 0 || own[k] != out->neighbour[held - 1]) out->neighbour[held++] = own[k];
    }
    out->begin[p->blocks] = held;
    return TALUS_OK;
}

static talus_status make_fronts(tl_body_matrix *m, const tl_body_problem *p, int *list, tl_step *step)
{
    TL_TRY(make_pattern(m, p, list, step));
    if (!m->pattern.neighbour) return TALUS_OK;
    const size_t blocks = (size_t)m->pattern.begin[p->blocks];
    double(*x)[DIMENSION] = tl_arena_zero(step->arena, (size_t)p->blocks + 1, sizeof *x);
    bool *last = tl_arena_zero(step->arena, (size_t)p->blocks + 1, sizeof *last);
    m->value = tl_alloc(step->memory, blocks + 1, sizeof *m->value);
    m->kept = tl_alloc(step->memory, blocks + 1, sizeof *m->kept);
    if (!x || !last || !m->value || !m->kept) return no_memory(p, step);
    for (int g = 0; g < p->groups; g++)
        for (int b = p->group[g].first; b < p->group[g].first + p->group[g].blocks; b++) {
            memcpy(x[b], p->group[g].x, sizeof x[b]);
            last[b] = (double)(m->pattern.begin[b + 1] - m->pattern.begin[b]) * p->blocks > HUB * (double)blocks;
        }
    return tl_factor_create(step->memory, &(tl_factor_def){&m->pattern, (const double(*)[3])x, last, DIMENSION, true, WORK}, &m->fronts, step->error);
}

talus_status tl_body_matrix_make(tl_body_matrix *m, const tl_body_problem *p, bool *worth, tl_step *step)
{
    int *list = tl_arena_alloc(step->arena, (size_t)tl_body_most_blocks(p) + 1, sizeof *list);
    m->memory = step->memory;
    if (!list) return no_memory(p, step);
    if (p->blocks <= FEW) {
        TL_TRY(make_parted(m, p, list, step));
        *worth = tl_sparse3_work(m->parted) < TL_FACTOR_WORK;
        return TALUS_OK;
    }
    TL_TRY(make_fronts(m, p, list, step));
    *worth = m->fronts != NULL;
    return TALUS_OK;
}

void tl_body_matrix_free(tl_body_matrix *m)
{
    tl_sparse3_destroy(m->parted);
    tl_factor_destroy(m->fronts);
    tl_free(m->memory, m->pattern.begin);
    tl_free(m->memory, m->pattern.neighbour);
    tl_free(m->memory, m->value);
    tl_free(m->memory, m->kept);
    *m = (tl_body_matrix){.memory = m->memory};
}

int tl_body_matrix_parts(const tl_body_matrix *m) { return m->parted ? tl_sparse3_parts(m->parted) : 0; }

int tl_body_matrix_part(const tl_body_matrix *m, int block) { return m->parted ? tl_sparse3_part(m->parted, block) : 0; }

/* ---- numbers ------------------------------------------------------------------------------------------------------------------ */

int tl_body_matrix_slot(const tl_body_matrix *m, int i, int j, int part)
{
    return m->parted ? tl_sparse3_slot(m->parted, i, j, part) : tl_pattern_entry(&m->pattern, i, j);
}

static size_t bytes(const tl_body_matrix *m) { return (size_t)m->pattern.begin[m->pattern.nodes] * sizeof *m->value; }

void tl_body_matrix_clear(tl_body_matrix *m)
{
    if (m->parted) tl_sparse3_clear(m->parted);
    else memset(m->value, 0, bytes(m));
}

void tl_body_matrix_add(tl_body_matrix *m, int slot, const double block[9])
{
    if (m->parted) {
        tl_sparse3_add_at(m->parted, slot, block);
        return;
    }
    for (int i = 0; i < 9; i++) m->value[slot][i] += block[i];
}

TL_INLINE void add_products(tl_body_matrix *m, const tl_sparse3_products *p)
{
    for (int i = 0; i < p->rows; i++)
        for (int j = 0; j < p->columns; j++) {
            double *to = m->value[p->slot[i * p->apart + j]];
            const double *right = p->right + (size_t)(j * p->depth) * TL_LANES, *left = p->left + 3 * i;
            tl_lanes sum[3] = {{0}, {0}, {0}};
            for (int r = 0; r < p->depth; r++, left += 3 * p->rows, right += TL_LANES)
                for (int x = 0; x < 3; x++) sum[x] += left[x] * tl_load4(right);
            for (int x = 0; x < 3; x++)
                for (int y = 0; y < 3; y++) to[3 * x + y] += sum[x][y];
        }
}

typedef struct kernels {
    void (*add)(tl_body_matrix *, const tl_sparse3_products *);
} kernels;

#define KERNELS(name, set)                                                                                                                                     \
    static set void add_##name(tl_body_matrix *m, const tl_sparse3_products *p) { add_products(m, p); }                                                        \
    static const kernels name##_kernels = {add_##name};

TL_FOR_EVERY_SET(KERNELS)

void tl_body_matrix_add_products(tl_body_matrix *m, const tl_sparse3_products *p)
{
    if (m->parted) tl_sparse3_add_products(m->parted, p);
    else TL_BEST_KERNELS->add(m, p);
}

void tl_body_matrix_keep(tl_body_matrix *m)
{
    if (m->parted) tl_sparse3_keep(m->parted);
    else memcpy(m->kept, m->value, bytes(m));
}

void tl_body_matrix_recall(tl_body_matrix *m, int part)
{
    if (m->parted) tl_sparse3_recall(m->parted, part);
    else memcpy(m->value, m->kept, bytes(m));
}

bool tl_body_matrix_factor(tl_body_matrix *m, int part, tl_step *step)
{
    tl_error none = {0};
    if (m->parted) return tl_sparse3_factor_part(m->parted, part);
    return tl_factor_numbers(m->fronts, &m->pattern, m->value[0], step->threads, &none) == TALUS_OK;
}

void tl_body_matrix_solve_down(tl_body_matrix *m, int part, double (*x)[3], tl_threads *threads)
{
    if (!m->parted) tl_factor_solve(m->fronts, x[0], threads);
    else if (part < tl_sparse3_parts(m->parted)) tl_sparse3_solve_down(m->parted, part, x);
    else tl_sparse3_solve_top(m->parted, x);
}

void tl_body_matrix_solve_up(tl_body_matrix *m, int part, double (*x)[3])
{
    if (m->parted && part < tl_sparse3_parts(m->parted)) tl_sparse3_solve_up(m->parted, part, x);
}
