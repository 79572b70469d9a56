/* The list of schemes, and whose time it is. */
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
