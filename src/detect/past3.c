/* Near pairs keep what was found out of them from one list to the next. */
#include "detect/past3.h"

#include <string.h>

void tl_pasts3_free(tl_pasts3 *p, tl_memory memory)
{
    tl_free(memory, p->pair);
    tl_free(memory, p->pair_next);
    tl_free(memory, p->known);
    tl_free(memory, p->known_next);
    *p = (tl_pasts3){.pairs = 0};
}

static void exchange(tl_pasts3 *p)
{
    const tl_pasts3 old = *p;
    p->pair = old.pair_next, p->pair_capacity = old.pair_next_capacity;
    p->pair_next = old.pair, p->pair_next_capacity = old.pair_capacity;
    p->known = old.known_next, p->known_capacity = old.known_next_capacity;
    p->known_next = old.known, p->known_next_capacity = old.known_capacity;
}

talus_status tl_pasts3_follow(tl_pasts3 *p, const tl_broad *broad, const bool *searched, tl_error *error)
{
    const int total = broad->pair_count, known = p->pairs;
    const tl_near *now = broad->pairs, *before = broad->before;
    int hulls = 0;
    p->pairs = 0;
    talus_status grown = tl_grow(broad->memory, &p->pair_next, &p->pair_next_capacity, total, sizeof *p->pair_next);
    if (grown != TALUS_OK) return tl_fail(error, grown, "no memory for %d near pairs", total);
    for (int i = 0; i < total; i++) p->pair_next[i] = (tl_past3){.known = searched[i] ? hulls++ : -1};
    grown = tl_grow(broad->memory, &p->known_next, &p->known_next_capacity, hulls, sizeof *p->known_next);
    if (grown != TALUS_OK) return tl_fail(error, grown, "no memory for %d near pairs of polyhedra", hulls);
    for (int i = 0, old = 0; i < total; i++) {
        tl_past3 *past = &p->pair_next[i];
        while (old < known && tl_near_comes_before(&before[old], &now[i])) old++;
        const bool seen =
            old < known && before[old].a == now[i].a && before[old].b == now[i].b && !memcmp(before[old].image, now[i].image, sizeof now[i].image);
        if (seen) past->hint = p->pair[old].hint;
        if (past->known < 0) continue;
        if (seen) p->known_next[past->known] = p->known[p->pair[old].known];
        else p->known_next[past->known] = (tl_known3){0};
    }
    exchange(p);
    p->pairs = total;
    return TALUS_OK;
}
