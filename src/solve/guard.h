/* Contacts never add energy, whatever a solve came to (docs/theory.md). Over a step of Moreau's scheme the kinetic energy changes by
 *
 *     T(v⁺) − T(v⁻) = h f · (v⁻ + v⁺)/2 + Σ I · (V⁻ + V⁺)/2,
 *
 * exactly, V taken relative to what moves by itself; so the second sum is the work of the contacts. A solve that ended above its tolerance may make it
 * positive. With the impulses s I of an island (bodies joined by contacts) it is s (c₁ + s c₂), c₂ = ½ Σ I · W I ≥ 0: the island keeps the largest s in [0, 1]
 * for which it is not positive. */
#ifndef TL_GUARD_H
#define TL_GUARD_H

#include "solve/local_rows.h"

/* A contact of the step: groups of its ends (tl_local_end; −1: does not move), work I · (V⁻ + V⁺)/2 of its impulse, and the sum of the sizes of what was added
 * up for it. */
typedef struct tl_worked {
    int group[2];
    double work, size;
} tl_worked;

typedef struct tl_guard {
    tl_worked *contact; /* [contacts] of the step, in its order */
    int contacts, groups;
    int *island;          /* [groups] the first group of its island, after tl_guard_adds        */
    double *work, *share; /* [groups] of islands, at their first group: their work; s           */
} tl_guard;

/* Room in the step's arena; all contacts without ends and without work. */
TALUS_NODISCARD talus_status tl_guard_begin(tl_guard *, int contacts, int groups, tl_step *);
/* Does any island gain energy beyond rounding? */
bool tl_guard_adds(tl_guard *);
/* s of every island, from the rows of the same impulses; those go down by it in r->I. */
TALUS_NODISCARD talus_status tl_guard_take_back(tl_guard *, tl_local_rows *r, tl_step *);

#endif
