/* Contacts never add energy, whatever a solve came to (docs/theory.md). Over a step of Moreau's scheme the kinetic energy changes by
 *
 *     T(v⁺) − T(v⁻) = h f · (v⁻ + v⁺)/2 + Σ I · (V⁻ + V⁺)/2,
 *
 * exactly, V taken relative to what moves by itself; so the second sum is the work of the contacts. A solve that ended above its tolerance of
 * velocities may make it positive. With the impulses s I of an island (bodies joined by contacts and by joints) it is s (c₁ + s c₂), c₂ = ½ Σ I · (V⁺ − V₀) ≥ 0
 * with the velocities V₀ that there are without these impulses, joints held: the island keeps the largest s in [0, 1] for which it is not positive. Under SPOOK
 * an overlap parts with a velocity of its own (theory §4.4), the work of which is not counted. */
#ifndef TL_GUARD_H
#define TL_GUARD_H

#include <math.h>

#include "solve/problem2.h"
#include "solve/problem3.h"

/* A contact of the step: groups of its ends (grains, then other matter; −1: does not move), work I · (V⁻ + V⁺)/2 of its impulse, the sum of the sizes of what
 * was added up for it, and its own part of the work, c₂. */
typedef struct tl_worked {
    int group[2];
    double work, size, own;
} tl_worked;

typedef struct tl_guard {
    tl_worked *contact; /* [contacts] of the step, in its order */
    int contacts, groups;
    int *island;                /* [groups] the first group of its island, after tl_guard_adds        */
    double *work, *own, *share; /* [groups] of islands, at their first group: their work; c₂; s */
} tl_guard;

/* Room in the step's arena; all contacts without ends and without work; bodies that `blocks` (NULL: none) hold together are of one island. */
TALUS_NODISCARD talus_status tl_guard_begin(tl_guard *, int contacts, int groups, const tl_blocks *blocks, tl_step *);
/* Adds to a contact the work of n of its components. */
static inline void tl_guard_work(tl_worked *c, int n, const double *I, const double *before, const double *after)
{
    for (int k = 0; k < n; k++) {
        c->work += 0.5 * I[k] * (before[k] + after[k]);
        c->size += 0.5 * fabs(I[k]) * (fabs(before[k]) + fabs(after[k]));
    }
}
/* Does any island gain energy beyond rounding? */
bool tl_guard_adds(tl_guard *);
double tl_guard_share_of(const tl_guard *, int contact);

/* Impulses and velocities of the problem go down to what every island keeps, from the velocities without the impulses of contacts that are no constraints;
 * these velocities are spent. */
void tl_guard2_take_back(tl_problem2 *, tl_guard *, const tl_velocities *without, tl_step *);
void tl_guard3_take_back(tl_problem3 *, tl_guard *, const tl_velocities *without, tl_step *);

/* Of coupled contacts and of those that are constraints: their work, once impulses and V⁺ have been written back; own work, between the velocities v and those
 * without impulses; their impulses and velocities at the share that they keep. */
void tl_guard_coupled_work(tl_guard *, const tl_problem *);
void tl_guard_coupled_own(tl_guard *, const tl_problem *, const tl_velocities *without);
void tl_guard_coupled_keep(const tl_guard *, tl_problem *);
void tl_guard_blocks_keep(const tl_guard *, tl_problem *);
/* s of every island, where every contact's own work is known. */
void tl_guard_share(tl_guard *);
/* Impulses of contacts that are constraints from the velocities, and the joints' answer to all that is gone. */
void tl_guard_blocks_leave(const tl_problem *, const tl_velocities *v);

#endif
