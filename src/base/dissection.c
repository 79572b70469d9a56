/* Nested dissection of places (dissection.h). */
#include "base/dissection.h"
#include "base/integers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 24 }; /* nodes that are not halved: a dense block of some seventy unknowns is fast as it is */

typedef struct dissecting {
    const tl_pattern *pattern;
    const double (*x)[3];
    tl_dissection *out;
    int *side;  /* [nodes] mark of the half that a node is in; marks are never used twice */
    int *node;  /* [nodes] the set in work, a range of it in every call */
    int *spare; /* [nodes] */
    int mark, placed;
} dissecting;

static bool before(const dissecting *d, int axis, int a, int b)
{
    const double xa = d->x[a][axis], xb = d->x[b][axis];
    return xa < xb || (xa == xb && a < b);
}

/* Orders node[0 … count) so that the first `half` lie before the others along the axis; ties by number (quickselect). */
static void halve(const dissecting *d, int axis, int *node, int count, int half)
{
    int low = 0, high = count - 1;
    while (low < high) {
        const int pivot = node[low + (high - low) / 2];
        int i = low, k = high;
        while (i <= k) {
            while (before(d, axis, node[i], pivot)) i++;
            while (before(d, axis, pivot, node[k])) k--;
            if (i > k) break;
            const int swap = node[i];
            node[i++] = node[k], node[k--] = swap;
        }
        if (half <= k) high = k;
        else if (half >= i) low = i;
        else return;
    }
}

/* Is a neighbour of the node in the half of this mark? */
static bool touches(const dissecting *d, int node, int mark)
{
    for (int k = d->pattern->begin[node]; k < d->pattern->begin[node + 1]; k++)
        if (d->side[d->pattern->neighbour[k]] == mark) return true;
    return false;
}

/* Marks the halves; how many nodes of it have a neighbour in the first. */
static int separator(dissecting *d, const int *node, int count, int half)
{
    const int first = ++d->mark, second = ++d->mark;
    int size = 0;
    for (int i = 0; i < count; i++) d->side[node[i]] = i < half ? first : second;
    for (int i = half; i < count; i++) size += touches(d, node[i], first);
    return size;
}

static void put_group(dissecting *d, const int *node, int count)
{
    tl_dissection *out = d->out;
    if (count == 0) return;
    out->group[out->groups++] = d->placed;
    for (int i = 0; i < count; i++) out->order[d->placed++] = node[i];
}

/* Depth is the logarithm of the number of nodes. */
static void dissect(dissecting *d, int *node, int count)
{
    int best = 0, least = count + 1;
    const int half = count / 2;
    if (count > LEAF)
        for (int axis = 0; axis < 3; axis++) {
            halve(d, axis, node, count, half);
            const int size = separator(d, node, count, half);
            if (size < least) best = axis, least = size;
        }
    if (count <= LEAF || least > count - half - 1) { /* coupled through and through */
        qsort(node, (size_t)count, sizeof *node, tl_ascending);
        put_group(d, node, count);
        return;
    }
    halve(d, best, node, count, half);
    (void)separator(d, node, count, half);
    const int first = d->side[node[0]];
    int inner = 0, apart = 0; /* of the second half: what does not touch the first stays in front */
    for (int i = half; i < count; i++) {
        if (touches(d, node[i], first)) d->spare[apart++] = node[i];
        else node[half + inner++] = node[i];
    }
    memcpy(node + half + inner, d->spare, (size_t)apart * sizeof *node);
    dissect(d, node, half);
    dissect(d, node + half, inner);
    qsort(node + half + inner, (size_t)apart, sizeof *node, tl_ascending);
    put_group(d, node + half + inner, apart);
}

void tl_dissection_free(tl_memory memory, tl_dissection *d)
{
    tl_free(memory, d->order);
    tl_free(memory, d->place);
    tl_free(memory, d->group);
    *d = (tl_dissection){0};
}

talus_status tl_dissect(tl_memory memory, const tl_pattern *pattern, const double (*x)[3], const bool *last, tl_dissection *out, tl_error *error)
{
    const size_t n = (size_t)pattern->nodes;
    int inner = 0, kept = 0;
    *out = (tl_dissection){.nodes = pattern->nodes,
                           .order = tl_alloc(memory, n + 1, sizeof *out->order),
                           .place = tl_alloc(memory, n + 1, sizeof *out->place),
                           .group = tl_alloc(memory, n + 2, sizeof *out->group)};
    dissecting d = {.pattern = pattern, .x = x, .out = out};
    d.side = tl_alloc(memory, n + 1, sizeof *d.side);
    d.node = tl_alloc(memory, n + 1, sizeof *d.node);
    d.spare = tl_alloc(memory, n + 1, sizeof *d.spare);
    const bool room = out->order && out->place && out->group && d.side && d.node && d.spare;
    if (room) {
        for (int i = 0; i < pattern->nodes; i++)
            if (!last || !last[i]) d.node[inner++] = i;
        dissect(&d, d.node, inner);
        for (int i = 0; i < pattern->nodes; i++)
            if (last && last[i]) d.spare[kept++] = i;
        put_group(&d, d.spare, kept);
        out->group[out->groups] = pattern->nodes;
        for (int i = 0; i < pattern->nodes; i++) out->place[out->order[i]] = i;
    }
    tl_free(memory, d.side);
    tl_free(memory, d.node);
    tl_free(memory, d.spare);
    if (room) return TALUS_OK;
    tl_dissection_free(memory, out);
    return tl_fail(error, TALUS_MEMORY, "no memory to order %d nodes", pattern->nodes);
}
