/* Large matter in a contact problem: condensed over its ports.
 *
 * A kind of matter that says no rows (matter.h) may have any number of velocities, of which contacts see those of their
 * ports. In the problem it has a stand-in, itself a matter: its velocities are those of the ports along their axes, and
 * an impulse changes them by C = Hᵀ M̃⁻¹ H, which is formed once a step. So sweeps touch port velocities only, whatever
 * nv is; when they have ended the matter gets all impulses at once.
 *
 * Impulses wait: a port that is read looks at those of them that its velocity does not have yet, and a handful together
 * goes to all ports, side by side on threads. The result is that of Gauss–Seidel to rounding, whatever their number. */
#ifndef TL_CONDENSED_H
#define TL_CONDENSED_H

#include "matter/matter.h"

typedef struct tl_condensed tl_condensed;

/* Of a problem: the matter as given, and with stand-ins. */
typedef struct tl_stand_ins {
    int matters;
    tl_matter *const *of; /* [matters] given                                             */
    double *const *v_of;  /* [matters] given: their velocities                           */
    tl_matter **matter;   /* [matters] with stand-ins; NULL: there are none              */
    double **v;           /* [matters] with velocities of ports                          */
    tl_condensed *first;
} tl_stand_ins;

/* Condenses matter m over ports that are bound, along `axes` axes of each, and numbers them. Nothing where it says rows,
 * or where C would take too much memory: it is then asked itself at every turn. All in the step's arena. MEMORY. */
TALUS_NODISCARD talus_status tl_condense(tl_stand_ins *, int m, int axes, tl_port *ports, int n, tl_step *);
/* Velocities of ports from those given, which are kept. */
void tl_stand_ins_start(tl_stand_ins *);
/* No impulse waits any more: velocities are to be read as arrays. */
void tl_stand_ins_settle(tl_stand_ins *);
/* What waits is dropped: it has been read, and was to reach no other port. */
void tl_stand_ins_forget(tl_stand_ins *);
/* Of matter m that has a stand-in: impulses at its ports by their numbers, zero at first [ports][3], NULL where it has none; and all of these onto given
 * velocities of the matter itself, v += M̃⁻¹ Σ H I. */
double (*tl_stand_ins_impulses(const tl_stand_ins *, int m))[3];
void tl_stand_ins_give(const tl_stand_ins *, int m, double *v);
/* The given velocities as they were at the start: impulses are to come onto them. */
void tl_stand_ins_restore(tl_stand_ins *);
/* Is there a stand-in for matter m? */
static inline bool tl_stands_in(const tl_stand_ins *s, int m) { return s->matter && s->matter[m] != s->of[m]; }
/* Zero velocities of other matter, of ports where there are stand-ins, else those given. MEMORY. */
TALUS_NODISCARD talus_status tl_stand_ins_zero(const tl_stand_ins *, int matters, double *const *given, tl_step *, double *const **out);

#endif
