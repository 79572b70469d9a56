/* An order of elimination by nested dissection of places: a set of nodes is halved along the axis where the fewest
 * nodes part the halves; these, the separator, come after both, and so on down. Each separator, and each set too small to be halved, is
 * one group, which a factor treats as dense. */
#ifndef TL_DISSECTION_H
#define TL_DISSECTION_H

#include "base/base.h"
#include "base/integers.h"

/* Which nodes are coupled: neighbours of node i, itself among them, ascending, are neighbour[begin[i]] to neighbour[begin[i + 1] − 1].
 * Symmetric. */
typedef struct tl_pattern {
    int nodes;
    int *begin, *neighbour;
} tl_pattern;

/* Where node j is among the neighbours, as one of node i: it is one. */
static inline int tl_pattern_entry(const tl_pattern *p, int i, int j)
{
    const int begin = p->begin[i];
    return begin + tl_first_not_below(&p->neighbour[begin], sizeof *p->neighbour, p->begin[i + 1] - begin, j);
}

typedef struct tl_dissection {
    int nodes, groups;
    int *order; /* [nodes] node at a place of the order     */
    int *place; /* [nodes] place of a node                  */
    int *group; /* [groups + 1] first place of a group      */
} tl_dissection;

/* The order of a pattern whose nodes are at x [m]; the nodes with `last`, unless NULL, are its last group. MEMORY. */
TALUS_NODISCARD talus_status tl_dissect(tl_memory, const tl_pattern *, const double (*x)[3], const bool *last, tl_dissection *out, tl_error *);
void tl_dissection_free(tl_memory, tl_dissection *);

#endif
