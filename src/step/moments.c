/* Moments of contacts whose law resists rolling or spinning, from step to step: `moments` holds them at t_n, by the keys of their contacts. Other contacts cost
 * nothing. */
#include <string.h>

#include "step/system.h"

static void take_guess(const tl_memo *known, uint64_t key, double moment[3])
{
    const int at = tl_memo_lower_bound(known, key);
    if (at < known->count && known->key[at] == key) memcpy(moment, known->value + (size_t)at * (size_t)known->width, 3 * sizeof *moment);
}

talus_status tl_moments_find(tl_system *s, const tl_memo *known)
{
    tl_moments *m = &s->moments_now;
    int count = 0;
    *m = (tl_moments){.count = 0};
    if (!s->resists) return TALUS_OK;
    for (int i = 0; i < s->next_count; i++) count += s->contact_next[i].law->resists;
    m->key = tl_arena_alloc(s->step.arena, (size_t)count + 1, sizeof *m->key);
    m->moment = tl_arena_zero(s->step.arena, (size_t)count + 1, sizeof *m->moment);
    if (!m->key || !m->moment) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d contacts", count);
    for (int i = 0; i < s->next_count; i++) {
        if (!s->contact_next[i].law->resists) continue;
        m->key[m->count] = s->contact_next[i].key;
        take_guess(known, m->key[m->count], m->moment[m->count]);
        m->count++;
    }
    return TALUS_OK;
}

talus_status tl_moments_remember(tl_system *s)
{
    const tl_moments *m = &s->moments_now;
    tl_memo *memo = &s->moments_next;
    memo->count = 0;
    if (m->count == 0) return TALUS_OK;
    TL_TRY(tl_memo_reserve(memo, s->memory, m->count, s->step.error));
    memcpy(memo->key, m->key, (size_t)m->count * sizeof *m->key);
    memcpy(memo->value, m->moment, (size_t)m->count * sizeof *m->moment);
    memo->count = m->count;
    return TALUS_OK;
}
