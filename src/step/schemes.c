/* The list of schemes, and the stage to which time is booked. */
#include "step/schemes.h"

const tl_scheme_entry TL_SCHEMES[] = {
#define ENTRY(id, name, dimension, settings, meaning) {name, dimension, &TL_SCHEME_##id},
    TALUS_SCHEME_LIST(ENTRY)
#undef ENTRY
};

const int TL_SCHEME_COUNT = sizeof TL_SCHEMES / sizeof *TL_SCHEMES;

void tl_stage_begin(tl_system *s, int stage)
{
    const double now = tl_clock();
    if (s->stage >= 0) s->stage_seconds[s->stage] += now - s->stage_since;
    if (stage >= 0) s->stage_calls[stage]++;
    s->stage = stage;
    s->stage_since = now;
}

double **tl_step_vectors(tl_system *s)
{
    double **v = tl_arena_zero(s->step.arena, (size_t)s->matters, sizeof *v);
    for (int m = 0; v && m < s->matters; m++)
        if (!(v[m] = tl_arena_zero(s->step.arena, (size_t)s->matter[m]->nv + 1, sizeof **v))) return NULL;
    return v;
}
