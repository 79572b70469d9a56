/* What is remembered by key: of contacts, and of pairs of surfaces. */
#include "step/system.h"

talus_status tl_memo_reserve(tl_memo *memo, tl_memory memory, int n, tl_error *error)
{
    talus_status grown = tl_grow_little(memory, &memo->key, &memo->key_capacity, n, sizeof *memo->key);
    if (grown == TALUS_OK) grown = tl_grow_little(memory, &memo->value, &memo->value_capacity, n * memo->width, sizeof *memo->value);
    return grown == TALUS_OK ? TALUS_OK : tl_fail(error, grown, "no memory for %d contacts", n);
}

int tl_memo_lower_bound(const tl_memo *memo, uint64_t key)
{
    int low = 0, high = memo->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (memo->key[middle] < key) low = middle + 1;
        else high = middle;
    }
    return low;
}

void tl_memo_free(tl_memo *memo, tl_memory memory)
{
    tl_free(memory, memo->key);
    tl_free(memory, memo->value);
    *memo = (tl_memo){.width = memo->width};
}
