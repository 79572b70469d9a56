/* What the files of a factor share. Internal to them. */
#ifndef TL_FACTOR_INTERNAL_H
#define TL_FACTOR_INTERNAL_H

#include "base/factor.h"

typedef struct tl_front {
    int first, columns; /* unknowns of its own: place of the first, count */
    int nodes;          /* that it is coupled with, later ones               */
    int *node;          /* [nodes] their places in the order, ascending      */
    int parent;         /* −1: none                                          */
    int tree;           /* that it belongs to; −1: to the top                */
    int child, sibling; /* −1: none                                          */
    size_t at;          /* of its columns in L                               */
    int depth;          /* of the tree; a root has 0                         */
    size_t update_at;   /* among what all fronts leave                       */
} tl_front;

struct tl_factor {
    tl_memory memory;
    tl_dissection order;
    int block, fronts, unknowns, most; /* most: rows of a front */
    bool general;
    int last; /* nodes of the last group, where one was asked for */
    tl_front *front;
    int *sequence;  /* [fronts] in which they are factored */
    int *nodes;     /* lists of all fronts, one after the other */
    size_t updates; /* numbers that fronts leave to their parents, at one time */
    size_t size;    /* of L */
    double *L;      /* columns of front f: [rows × columns], column by column, from front.at */
    double *U;      /* the same of Uᵀ; of a matrix that is symmetric it is L */
    double *b;      /* [unknowns] in the order of elimination */
    double work;
    /* Solves take trees that know nothing of each other side by side, and the fronts that these leave something to, the top, by themselves. */
    int trees, *tree_begin, *member; /* fronts by trees, ascending; those of the top from tree_begin[trees] to fronts */
    int tops, *top, *top_at;         /* nodes of the top by their places; of a place which of these it is, −1: none   */
    double *above;                   /* [trees × tops × block] what a tree does to the top */
    double *part;                    /* [trees + 1][most + 1] of the front in work */
};

static inline int tl_front_rows(const tl_factor *f, const tl_front *s) { return s->columns + f->block * s->nodes; }

/* factor_solve.c: which fronts are solved side by side; once for a pattern. MEMORY. */
TALUS_NODISCARD talus_status tl_factor_plant(tl_factor *, tl_error *);
void tl_factor_uproot(tl_factor *);

#endif
