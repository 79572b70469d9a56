/* Contacts between grains in packs of eight: by domains (domains.h); in each by colours, no two contacts of one colour share a moving grain; then by families
 * and by ranks, which the problem chooses. Any split of a colour among threads gives the same bits, and so does any split of the domains.
 *
 * Contacts between two domains are a group of their own, after those of all domains; without domains it has all contacts. */
#ifndef TL_COLORS_H
#define TL_COLORS_H

#include "solve/problem.h"

enum { TL_COLORS = 63, TL_FAMILIES = 2, TL_RANKS = 3, TL_PARALLEL_PACKS = 48 }; /* the last: packs of a colour from which threads pay */

/* Where a contact belongs. */
typedef struct tl_colored {
    int group; /* its domain, or that of what lies between domains; −1: the contact is in no pack */
    int8_t color;
    uint8_t family, rank;
} tl_colored;

/* Packs of a family: those of colour k of group g are begin[g (TL_COLORS + 1) + k] … begin[g (TL_COLORS + 1) + k + 1] − 1. The last colour of a group holds
 * single contacts, in turn. */
typedef struct tl_colors {
    int domains, colors; /* colors: of any group, but for the last one */
    int *begin[TL_FAMILIES];
} tl_colors;

/* Room for so many domains, in the step's arena. MEMORY. */
TALUS_NODISCARD talus_status tl_colors_begin(tl_colors *, int domains, tl_step *);
static inline int tl_colors_of(const tl_colors *c) { return (c->domains + 1) * (TL_COLORS + 1); } /* of all groups */
static inline int tl_colors_packs(const tl_colors *c, int family) { return c->begin[family][tl_colors_of(c)]; }

/* Colours of contacts `of` [contacts], whose ends are at these rows (−1: it does not move), and the lanes of all packs, family after family: p->lane, p->lanes.
 * By rank: the first get the fewest colours, and the fullest packs. Only the last pack of a group, colour, family and rank has empty lanes, and those of
 * the last colour. In the step's arena. MEMORY. */
TALUS_NODISCARD talus_status tl_colors_make(tl_problem *p, const int32_t (*row)[2], tl_colored *of, tl_step *, tl_colors *out);

/* Of each family packs begin … end − 1, of one colour. */
typedef struct tl_share {
    int begin[TL_FAMILIES], end[TL_FAMILIES];
} tl_share;

typedef void tl_share_fn(void *context, const tl_share *);

/* What a range of packs, counted together and those of the first family first, means for each family. */
static inline tl_share tl_share_of(const tl_share *all, int begin, int end)
{
    const int *first = all->begin, n = all->end[0] - all->begin[0];
    return (tl_share){{first[0] + (begin < n ? begin : n), first[1] + (begin > n ? begin - n : 0)},
                      {first[0] + (end < n ? end : n), first[1] + (end > n ? end - n : 0)}};
}

/* fn(context, packs of a colour or some of them): domain by domain, on all threads; then colour by colour those between them, on all threads. */
void tl_colors_walk(const tl_colors *, tl_step *, tl_share_fn *fn, void *context);

#endif
