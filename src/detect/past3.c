/* Near pairs keep what was found out of them from one list to the next. */
#include "detect/past3.h"

#include <string.h>

void tl_pasts3_free(tl_pasts3 *p, tl_memory memory)
{
    tl_free(memory, p->pair);
    tl_free(memory, p->known);
    tl_free(memory, p->spare);
    *p = (tl_pasts3){.pairs = 0};
}

/* What was known of a pair that is no longer listed makes room for another. There is a spare place at most for each place. */
static void forget(tl_pasts3 *p, const tl_past3 *past)
{
    if (past->known >= 0) p->spare[p->spares++] = past->known;
}

static void follow(tl_pasts3 *p, const tl_broad *broad, int known, tl_past3 *next)
{
    const tl_near *now = broad->pairs, *before = broad->before;
    int old = 0;
    for (int i = 0; i < broad->pair_count; i++) {
        while (old < known && tl_near_comes_before(&before[old], &now[i])) forget(p, &p->pair[old++]);
        const bool seen =
            old < known && before[old].a == now[i].a && before[old].b == now[i].b && !memcmp(before[old].image, now[i].image, sizeof now[i].image);
        if (!seen) continue;
        next[i] = p->pair[old++];
        if (!next[i].touched) forget(p, &next[i]), next[i].known = -1;
    }
    while (old < known) forget(p, &p->pair[old++]);
}

talus_status tl_pasts3_follow(tl_pasts3 *p, const tl_broad *broad, const bool *searched, tl_arena *arena, tl_error *error)
{
    const int total = broad->pair_count, known = p->pairs;
    tl_past3 *next = tl_arena_alloc(arena, (size_t)total, sizeof *next);
    p->pairs = 0;
    if (next) {
        for (int i = 0; i < total; i++) next[i] = (tl_past3){.known = -1, .searched = searched[i]};
        follow(p, broad, known, next);
    }
    const talus_status grown = next ? tl_grow_little(broad->memory, &p->pair, &p->pair_capacity, total, sizeof *p->pair) : TALUS_MEMORY;
    if (grown != TALUS_OK) {
        p->knowns = p->spares = 0;
        return tl_fail(error, grown, "no memory for %d near pairs", total);
    }
    if (total > 0) memcpy(p->pair, next, (size_t)total * sizeof *next);
    p->pairs = total;
    return TALUS_OK;
}

/* By little more than is asked for: places are large, and those that are not used yet are not touched. */
static talus_status grow(tl_pasts3 *p, tl_memory memory, tl_error *error)
{
    const int wanted = p->knowns + p->knowns / 16 + 64;
    tl_known3 *known = memory.realloc(memory.context, p->known, (size_t)wanted * sizeof *known);
    if (known) p->known = known;
    if (!known || tl_grow(memory, &p->spare, &p->spare_capacity, wanted, sizeof *p->spare) != TALUS_OK)
        return tl_fail(error, TALUS_MEMORY, "no memory for %d near pairs of polyhedra", wanted);
    p->known_capacity = wanted;
    return TALUS_OK;
}

talus_status tl_pasts3_expect(tl_pasts3 *p, tl_memory memory, int pair, tl_error *error)
{
    tl_past3 *past = &p->pair[pair];
    if (!past->searched || !past->touched || past->known >= 0) return TALUS_OK;
    if (p->spares == 0 && p->knowns == p->known_capacity) TL_TRY(grow(p, memory, error));
    past->known = p->spares > 0 ? p->spare[--p->spares] : p->knowns++;
    p->known[past->known] = (tl_known3){0};
    return TALUS_OK;
}
