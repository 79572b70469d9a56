/* A tree of boxes over the pieces of a surface, triangles or edges: which of them are near. In the plane nothing has a z. Knows no surfaces. */
#ifndef TL_BOX_TREE_H
#define TL_BOX_TREE_H

#include "base/base.h"
#include "base/math.h"

#define TL_NODE 1e-6 /* what has a radius below this share of how thin it is counts as a point */

typedef struct tl_box3 {
    tl_vec3 low, high;
} tl_box3;

static inline bool tl_boxes3_overlap(const tl_box3 *a, const tl_box3 *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}
/* Of both. */
static inline tl_box3 tl_box3_join(const tl_box3 *a, const tl_box3 *b)
{
    return (tl_box3){tl_v3(tl_smaller(a->low.x, b->low.x), tl_smaller(a->low.y, b->low.y), tl_smaller(a->low.z, b->low.z)),
                     tl_v3(tl_larger(a->high.x, b->high.x), tl_larger(a->high.y, b->high.y), tl_larger(a->high.z, b->high.z))};
}
/* The distance of a point from a box; 0: it is inside. */
double tl_box3_distance(const tl_box3 *, tl_vec3 x);

typedef struct tl_box_node { /* in depth-first order: the first child follows its parent */
    tl_box3 box;
    int second;       /* the other child                              */
    int begin, count; /* a leaf's pieces in `order`; count 0: no leaf */
} tl_box_node;

typedef struct tl_box_tree {
    int pieces, nodes;
    tl_box3 *box;      /* [pieces] whoever owns the tree sets them */
    int32_t *order;    /* [pieces] by leaf                         */
    tl_box_node *node; /* [nodes]                                  */
} tl_box_tree;

/* Room for pieces, whose boxes are to be set then. MEMORY. */
TALUS_NODISCARD talus_status tl_box_tree_reserve(tl_box_tree *, tl_memory, int pieces);
/* The tree of the first `pieces` boxes, halved by `middle` [pieces] of each, in any one unit. */
void tl_box_tree_build(tl_box_tree *, const tl_vec3 *middle, int pieces);
/* The boxes of pieces have changed: those of nodes follow, pieces stay in their leaves. */
void tl_box_tree_fit(tl_box_tree *);
void tl_box_tree_free(tl_box_tree *, tl_memory);
size_t tl_box_tree_bytes(const tl_box_tree *); /* held */

/* Pieces whose boxes meet a box, in a fixed order. */
typedef struct tl_box_walk {
    const tl_box_tree *tree;
    tl_box3 box;
    int stack[64], depth, at, end;
} tl_box_walk;
tl_box_walk tl_box_walk_through(const tl_box_tree *, tl_vec3 low, tl_vec3 high);
int tl_box_next(tl_box_walk *); /* −1: no more */

#endif
