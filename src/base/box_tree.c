/* Trees of boxes: halved along their longest side, until few pieces are left. */
#include "base/box_tree.h"

#include <stdlib.h>
#include <string.h>

enum { LEAF = 4 };

double tl_box3_distance(const tl_box3 *b, tl_vec3 x)
{
    const tl_vec3 d = {tl_larger(0, tl_larger(b->low.x - x.x, x.x - b->high.x)), tl_larger(0, tl_larger(b->low.y - x.y, x.y - b->high.y)),
                       tl_larger(0, tl_larger(b->low.z - x.z, x.z - b->high.z))};
    return tl_norm(d);
}

/* ---- making it -------------------------------------------------------------------------------------------------------- */

/* A node holds a piece at least. */
talus_status tl_box_tree_reserve(tl_box_tree *t, tl_memory memory, int pieces)
{
    *t = (tl_box_tree){.box = tl_alloc(memory, (size_t)pieces, sizeof *t->box),
                       .order = tl_alloc(memory, (size_t)pieces, sizeof *t->order),
                       .node = tl_alloc(memory, (size_t)pieces + 1, sizeof *t->node)};
    return t->box && t->order && t->node ? TALUS_OK : TALUS_MEMORY;
}

void tl_box_tree_free(tl_box_tree *t, tl_memory memory)
{
    tl_free(memory, t->box);
    tl_free(memory, t->order);
    tl_free(memory, t->node);
    memset(t, 0, sizeof *t);
}

size_t tl_box_tree_bytes(const tl_box_tree *t) { return (size_t)t->pieces * (sizeof *t->box + sizeof *t->order + sizeof *t->node); }

typedef struct sorting {
    const tl_vec3 *middle;
    int axis;
} sorting;

static double coordinate(tl_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static int compare_middles(const void *a, const void *b, void *context)
{
    const sorting *s = context;
    const int32_t i = *(const int32_t *)a, j = *(const int32_t *)b;
    const double p = coordinate(s->middle[i], s->axis), q = coordinate(s->middle[j], s->axis);
    return p < q ? -1 : p > q ? 1 : i - j;
}

static tl_box3 box_of_leaf(const tl_box_tree *t, int begin, int count)
{
    tl_box3 box = t->box[t->order[begin]];
    for (int i = begin + 1; i < begin + count; i++) box = tl_box3_join(&box, &t->box[t->order[i]]);
    return box;
}

static void build(tl_box_tree *t, const tl_vec3 *middle, int begin, int count)
{
    const int at = t->nodes++;
    const tl_box3 box = box_of_leaf(t, begin, count);
    t->node[at] = (tl_box_node){box, 0, begin, count <= LEAF ? count : 0};
    if (count <= LEAF) return;
    const tl_vec3 size = tl_sub(box.high, box.low);
    sorting s = {middle, size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2};
    qsort_r(t->order + begin, (size_t)count, sizeof *t->order, compare_middles, &s);
    build(t, middle, begin, count / 2);
    t->node[at].second = t->nodes;
    build(t, middle, begin + count / 2, count - count / 2);
}

void tl_box_tree_build(tl_box_tree *t, const tl_vec3 *middle, int pieces)
{
    t->pieces = pieces;
    for (int i = 0; i < pieces; i++) t->order[i] = i;
    build(t, middle, 0, pieces);
}

/* A child follows its parent, so boxes are joined from the last to the first. */
void tl_box_tree_fit(tl_box_tree *t)
{
    for (int i = t->nodes - 1; i >= 0; i--) {
        tl_box_node *node = &t->node[i];
        node->box = node->count > 0 ? box_of_leaf(t, node->begin, node->count) : tl_box3_join(&t->node[i + 1].box, &t->node[node->second].box);
    }
}

/* ---- what is near ------------------------------------------------------------------------------------------------------- */

tl_box_walk tl_box_walk_through(const tl_box_tree *tree, tl_vec3 low, tl_vec3 high)
{
    tl_box_walk walk;
    walk.tree = tree, walk.box = (tl_box3){low, high};
    walk.stack[0] = 0, walk.depth = 1, walk.at = walk.end = 0;
    return walk;
}

int tl_box_next(tl_box_walk *w)
{
    const tl_box_tree *t = w->tree;
    for (;;) {
        while (w->at < w->end) {
            const int piece = t->order[w->at++];
            if (tl_boxes3_overlap(&t->box[piece], &w->box)) return piece;
        }
        if (w->depth == 0) return -1;
        const int i = w->stack[--w->depth];
        const tl_box_node *node = &t->node[i];
        if (!tl_boxes3_overlap(&node->box, &w->box)) continue;
        w->at = node->begin, w->end = node->begin + node->count;
        if (node->count > 0) continue;
        w->stack[w->depth++] = node->second; /* halving, the tree is as deep as the logarithm of its pieces */
        w->stack[w->depth++] = i + 1;
    }
}
