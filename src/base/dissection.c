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
    /* Of the separator, [nodes]: the node that it is chosen with; by which node it was come to; in which look; and room. */
    int *mate, *via, *seen, *queue;
    int mark, look, placed;
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

/* Marks the halves; how many nodes of the first have a neighbour in the second, or the other way round: the fewer. */
static int mark_halves(dissecting *d, const int *node, int count, int half)
{
    const int first = d->mark + 1, second = d->mark + 2;
    int size[2] = {0, 0};
    d->mark = second;
    for (int i = 0; i < count; i++) d->side[node[i]] = i < half ? first : second;
    for (int i = 0; i < count; i++) size[i >= half] += touches(d, node[i], i < half ? second : first);
    return size[0] < size[1] ? size[0] : size[1];
}

/* ---- the fewest nodes that part two halves ------------------------------------------------------------------------------------ */

/* Every coupling between the halves has an end in the separator: it is a cover of the couplings. The least is as large as the largest set of couplings without
 * common nodes (König 1931), and is found with it. */

enum { ALONE = -1 };

/* From a node of the first half along couplings, and back from the second along those that are chosen. Chooses one more, if it comes to a node of the second
 * that is alone; else false, and all that it has seen bear the mark `look`. */
static bool follow(dissecting *d, int start, int look)
{
    const int second = d->mark;
    int count = 0;
    d->queue[count++] = start;
    d->seen[start] = look;
    for (int head = 0; head < count; head++) {
        const int from = d->queue[head];
        for (int k = d->pattern->begin[from]; k < d->pattern->begin[from + 1]; k++) {
            int to = d->pattern->neighbour[k];
            if (d->side[to] != second || d->seen[to] == look) continue;
            d->seen[to] = look;
            d->via[to] = from;
            if (d->mate[to] != ALONE) {
                d->seen[d->mate[to]] = look;
                d->queue[count++] = d->mate[to];
                continue;
            }
            for (int back = from;; back = d->via[to]) {
                const int next = d->mate[back];
                d->mate[back] = to, d->mate[to] = back;
                if (back == start) return true;
                to = next;
            }
        }
    }
    return false;
}

/* Orders node[0 … count): what is left of the first half, of the second, and the separator. Returns how many are left of each. */
static void part(dissecting *d, int *node, int count, int half, int left[2])
{
    const int second = d->mark;
    int cover = 0;
    for (int i = 0; i < count; i++) d->mate[node[i]] = ALONE;
    for (int i = 0; i < half; i++)
        if (touches(d, node[i], second)) (void)follow(d, node[i], ++d->look);
    /* Seen from those of the first half that stay alone: their neighbours cover them; of the other couplings, the ends in the first half do. */
    const int look = ++d->look;
    for (int i = 0; i < half; i++)
        if (d->mate[node[i]] == ALONE && touches(d, node[i], second)) (void)follow(d, node[i], look);
    left[0] = left[1] = 0;
    for (int i = 0; i < count; i++) {
        const bool covers = i < half ? d->mate[node[i]] != ALONE && d->seen[node[i]] != look : d->seen[node[i]] == look;
        if (covers) d->spare[cover++] = node[i];
        else node[left[0] + left[1]] = node[i], left[i >= half]++;
    }
    memcpy(node + left[0] + left[1], d->spare, (size_t)cover * sizeof *node);
}

/* ---- groups ------------------------------------------------------------------------------------------------------------------- */

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
    int best = 0, least = count + 1, left[2] = {0, 0};
    const int half = count / 2;
    if (count > LEAF) {
        for (int axis = 0; axis < 3; axis++) {
            halve(d, axis, node, count, half);
            const int size = mark_halves(d, node, count, half);
            if (size < least) best = axis, least = size;
        }
        halve(d, best, node, count, half);
        (void)mark_halves(d, node, count, half);
        part(d, node, count, half, left);
    }
    const int inner = left[0] + left[1];
    if (left[0] == 0 || left[1] == 0) { /* few, or coupled through and through */
        qsort(node, (size_t)count, sizeof *node, tl_ascending);
        put_group(d, node, count);
        return;
    }
    dissect(d, node, left[0]);
    dissect(d, node + left[0], left[1]);
    qsort(node + inner, (size_t)(count - inner), sizeof *node, tl_ascending);
    put_group(d, node + inner, count - inner);
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
    d.mate = tl_alloc(memory, n + 1, sizeof *d.mate);
    d.via = tl_alloc(memory, n + 1, sizeof *d.via);
    d.seen = tl_alloc(memory, n + 1, sizeof *d.seen);
    d.queue = tl_alloc(memory, n + 1, sizeof *d.queue);
    const bool room = out->order && out->place && out->group && d.side && d.node && d.spare && d.mate && d.via && d.seen && d.queue;
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
    tl_free(memory, d.mate);
    tl_free(memory, d.via);
    tl_free(memory, d.seen);
    tl_free(memory, d.queue);
    if (room) return TALUS_OK;
    tl_dissection_free(memory, out);
    return tl_fail(error, TALUS_MEMORY, "no memory to order %d nodes", pattern->nodes);
}
