/* Colours of contacts, and walks over them (colors.h). */
#include "solve/colors.h"

#include <limits.h>

talus_status tl_colors_begin(tl_colors *c, int domains, tl_step *step)
{
    *c = (tl_colors){.domains = domains};
    for (int family = 0; family < TL_FAMILIES; family++) {
        c->begin[family] = tl_arena_zero(step->arena, (size_t)tl_colors_of(c) + 1, sizeof *c->begin[family]);
        if (!c->begin[family]) return tl_fail(step->error, TALUS_MEMORY, "no memory for the colours of %d domains", domains);
    }
    return TALUS_OK;
}

/* How many contacts, or where the next one goes, of a colour of a group. */
typedef int counts[TL_FAMILIES][TL_RANKS];

/* The lowest colour that neither grain has; where both together have them all, the serial tail. */
static int first_free(uint64_t used) { return ~used ? __builtin_ctzll(~used) : TL_COLORS; }

typedef struct coloring {
    const tl_problem *p;
    const int32_t (*row)[2]; /* [contacts] */
    tl_colored *of;          /* [contacts] */
    counts *count;
} coloring;

static talus_status assign(const coloring *g, int domains, tl_step *step)
{
    const uint64_t reserved = (uint64_t)1 << TL_COLORS; /* never a free colour */
    const tl_arena_place mark = tl_arena_mark(step->arena);
    uint64_t(*used)[2] = tl_arena_zero(step->arena, (size_t)g->p->rows + 1, sizeof *used); /* by rows: in its domain, and between domains */
    if (!used) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d colours", g->p->rows);
    for (int rank = 0; rank < TL_RANKS; rank++)
        for (int i = 0; i < g->p->contacts; i++) {
            tl_colored *k = &g->of[i];
            if (k->group < 0 || k->rank != rank) continue;
            const bool between = k->group == domains;
            const int32_t *row = g->row[i];
            uint64_t *a = row[0] < 0 ? NULL : &used[row[0]][between], *b = row[1] < 0 ? NULL : &used[row[1]][between];
            const int color = first_free(reserved | (a ? *a : 0) | (b ? *b : 0));
            k->color = (int8_t)color;
            g->count[k->group * (TL_COLORS + 1) + color][k->family][rank]++;
            if (color == TL_COLORS) continue;
            if (a) *a |= (uint64_t)1 << color;
            if (b) *b |= (uint64_t)1 << color;
        }
    tl_arena_release(step->arena, mark);
    return TALUS_OK;
}

/* Numbers the packs; of each count, the first lane of its packs. */
static int number_packs(tl_colors *c, counts *count)
{
    const int all = tl_colors_of(c);
    int packs = 0;
    for (int family = 0; family < TL_FAMILIES; family++) {
        const int first = packs;
        for (int at = 0; at < all; at++) {
            const int color = at % (TL_COLORS + 1);
            c->begin[family][at] = packs - first;
            for (int rank = 0; rank < TL_RANKS; rank++) {
                const int n = count[at][family][rank];
                count[at][family][rank] = packs * TL_LANES;
                packs += color == TL_COLORS ? n : (n + TL_LANES - 1) / TL_LANES; /* the serial tail: one contact a pack */
                if (n > 0 && color < TL_COLORS && c->colors <= color) c->colors = color + 1;
            }
        }
        c->begin[family][all] = packs - first;
    }
    return packs;
}

talus_status tl_colors_make(tl_problem *p, const int32_t (*row)[2], tl_colored *of, tl_step *step, tl_colors *out)
{
    TL_TRY(tl_colors_begin(out, p->domains.count, step));
    counts *next = tl_arena_zero(step->arena, (size_t)tl_colors_of(out), sizeof *next);
    if (!next) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    TL_TRY(assign(&(coloring){p, row, of, next}, out->domains, step));
    p->lanes = TL_LANES * number_packs(out, next);
    p->lane = tl_arena_alloc(step->arena, (size_t)p->lanes + 1, sizeof *p->lane);
    if (!p->lane) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    for (int i = 0; i < p->lanes; i++) p->lane[i] = -1;
    for (int i = 0; i < p->contacts; i++) {
        if (of[i].group < 0) continue;
        int *at = &next[of[i].group * (TL_COLORS + 1) + of[i].color][of[i].family][of[i].rank];
        p->lane[*at] = i;
        *at += of[i].color == TL_COLORS ? TL_LANES : 1;
    }
    return TALUS_OK;
}

/* ---- walks ------------------------------------------------------------------------------------------------------------------ */

typedef struct walk {
    const tl_colors *colors;
    tl_share_fn *fn;
    void *context;
    tl_share all; /* of the colour at work between domains */
} walk;

static tl_share share_at(const tl_colors *c, int at) { return (tl_share){{c->begin[0][at], c->begin[1][at]}, {c->begin[0][at + 1], c->begin[1][at + 1]}}; }

static int packs_of(const tl_share *s) { return s->end[0] - s->begin[0] + s->end[1] - s->begin[1]; }

/* Those of the last colour share grains. */
static void walk_tail(const walk *w, int group)
{
    const tl_share all = share_at(w->colors, group * (TL_COLORS + 1) + TL_COLORS);
    for (int i = 0; i < packs_of(&all); i++) {
        const tl_share one = tl_share_of(&all, i, i + 1);
        w->fn(w->context, &one);
    }
}

static void walk_domains(void *context, int begin, int end, int worker)
{
    const walk *w = context;
    (void)worker;
    for (int group = begin; group < end; group++) {
        for (int k = 0; k < w->colors->colors; k++) {
            const tl_share all = share_at(w->colors, group * (TL_COLORS + 1) + k);
            if (packs_of(&all) > 0) w->fn(w->context, &all);
        }
        walk_tail(w, group);
    }
}

static void walk_color(void *context, int begin, int end, int worker)
{
    const walk *w = context;
    const tl_share some = tl_share_of(&w->all, begin, end);
    (void)worker;
    w->fn(w->context, &some);
}

/* In all domains. */
static int packs_of_domains(const tl_colors *c)
{
    int packs = 0;
    for (int family = 0; family < TL_FAMILIES; family++) packs += c->begin[family][c->domains * (TL_COLORS + 1)];
    return packs;
}

void tl_colors_walk(const tl_colors *c, tl_step *step, tl_share_fn *fn, void *context)
{
    walk w = {.colors = c, .fn = fn, .context = context};
    const int inside = packs_of_domains(c), domains = inside > 0 ? c->domains : 0;
    tl_parallel_loop(step->threads, &(tl_loop){walk_domains, &w, domains, inside < TL_PARALLEL_PACKS ? INT_MAX : 2, TL_KIND_OF(fn), inside, false});
    for (int k = 0; k < c->colors; k++) {
        w.all = share_at(c, c->domains * (TL_COLORS + 1) + k);
        const int packs = packs_of(&w.all);
        tl_parallel_loop(step->threads, &(tl_loop){walk_color, &w, packs, TL_PARALLEL_PACKS, TL_KIND_OF(fn), packs, false});
    }
    walk_tail(&w, c->domains);
}
