/* Whole numbers: in order, and in sets that are joined. */
#ifndef TL_INTEGERS_H
#define TL_INTEGERS_H

#include <stddef.h>
#include <stdint.h>

/* For qsort of int: ascending. */
static inline int tl_ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* A number and what it is put in order by; for qsort: ascending by key, then by number. */
typedef struct tl_keyed {
    uint64_t key;
    int number;
} tl_keyed;

static inline int tl_by_key(const void *a, const void *b)
{
    const tl_keyed *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->number > y->number) - (x->number < y->number);
}

/* Of `count` ascending numbers, one every `stride` bytes: where the first is that is not below `wanted`; `count`: none. */
static inline int tl_first_not_below(const int *number, size_t stride, int count, int wanted)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (*(const int *)((const char *)number + (size_t)middle * stride) < wanted) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Sets of 0 … n − 1, each named by its root: parent[i] is another of its set, and of the root the root itself. At first everything is alone, parent[i] = i.
 * The root is found, and the way there is shortened for the next who asks. */
static inline int tl_root_of(int *parent, int i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* The sets of both become one, with the lower root, which is returned. */
static inline int tl_join(int *parent, int i, int j)
{
    const int a = tl_root_of(parent, i), b = tl_root_of(parent, j);
    return parent[a > b ? a : b] = a > b ? b : a;
}

/* When all are joined: the root of each. Nothing is above its root, so those before are done when their turn comes. */
static inline void tl_find_roots(int *parent, int n)
{
    for (int i = 0; i < n; i++) parent[i] = parent[parent[i]];
}

#endif
