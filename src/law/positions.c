/* What a law holds of velocities, held of positions (theory §4.5). */
#include "law/law.h"

enum { WAY, OFFSET, ROLLING, SPINNING };

static tl_law_bound bind(const tl_interaction *i, const tl_law_view *c)
{
    return (tl_law_bound){.shift = (c->gap - i->value[WAY]) / c->h,
                          .friction = i->friction,
                          .offset = i->value[OFFSET],
                          .rolling = i->value[ROLLING],
                          .spinning = i->value[SPINNING]};
}

static const tl_law POSITIONS = {.info = {.name = "positions", .text = "no overlap, and friction and moments against a displacement"}, .bind = bind};

double tl_law_gap_of_positions(const tl_interaction *i, double gap, double h, double V) { return gap - i->value[WAY] + h * V; }

tl_interaction tl_law_of_positions(const tl_interaction *law, const tl_law_view *view, double way)
{
    const tl_law_bound bound = tl_law_bind(law, view);
    return (tl_interaction){.law = &POSITIONS,
                            .enabled = true,
                            .resists = law->resists,
                            .friction = bound.friction,
                            .value = {[WAY] = way, [OFFSET] = 0.5 * bound.offset, [ROLLING] = bound.rolling, [SPINNING] = bound.spinning}};
}
