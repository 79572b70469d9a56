/* Large matter in a contact problem: condensed over its ports.
 *
 * A kind of matter that says no rows (matter.h) may have any number of velocities, of which contacts see those of their
 * ports. In the problem it has a stand-in, itself a matter, and C = Hᵀ M̃⁻¹ H of its ports is formed once a step. So sweeps
 * never touch the mesh, whatever nv is; when they have ended the matter gets all impulses at once.
 *
 * Where the matter says what all impulses together do to its ports (`exchange`, matter.h), these are told that now and then,
 * and C is needed only for what impulses have changed since:
 *
 *     V = V_told + N (I − I_told),        V_told = v_free + C I_told
 *
 * Impulses fade with distance: in a step h an elastic solid with waves at c hardly moves farther away than a few θ c h. So N
 * has the blocks of C between ports that are pressed and near one another; what far ports add up to is a small share of
 * what a port feels of itself, hence told changes shrink by about that share each time. An open port has V_told alone, and
 * that for nothing. Errors are measured, and solves end, with all told: then V is exact whatever N is.
 *
 * The numbers of a stand-in are I − I_told of its ports, then their V_told: V is made where it is read. Of a cluster, and of
 * matter that does not say what impulses do together, nothing is ever told: N is C. */
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
    double **v;           /* [matters] with the numbers of the stand-ins                 */
    tl_condensed *first;
} tl_stand_ins;

/* Ports that are bound, with as many axes of each; those that are `first` are expected to press, and lie side by side in C. */
typedef struct tl_port_list {
    tl_port *port; /* [count] get their numbers */
    const bool *first;
    int count, axes;
} tl_port_list;

/* Condenses matter m over its ports. Nothing where it says rows, or where C would take too much memory: it is then asked itself at every turn. All in the
 * step's arena. MEMORY. */
TALUS_NODISCARD talus_status tl_condense(tl_stand_ins *, int m, const tl_port_list *, tl_step *);
/* As it was condensed in an earlier solve of this step, over ports at the same places: no binding, nothing formed again. False: it was not, or over others. */
bool tl_condense_again(tl_stand_ins *, int m, const tl_port_list *, tl_step *);
/* Rows of a cluster (cluster.h): C [numbers]², how many, axes of a contact; the first `always` may have impulses that the stand-in is not told of. */
typedef struct tl_condensed_rows {
    double *C;
    int numbers, axes, always;
} tl_condensed_rows;
/* The same for a cluster, at matter m; who made C says velocities without impulses, and gives the impulses to its bodies. MEMORY. */
TALUS_NODISCARD talus_status tl_condense_rows(tl_stand_ins *, int m, const tl_condensed_rows *, tl_step *);
/* C = Hᵀ M̃⁻¹ H [axes count]² of ports that are bound. */
TALUS_NODISCARD talus_status tl_matter_response(tl_matter *, const tl_ports *, double *C, tl_step *);
/* No impulses, and velocities of ports from those given, which are kept. */
void tl_stand_ins_start(tl_stand_ins *);
/* Ports are told of all impulses as they are now, and who has none now and had none in what sweeps extrapolate from, `before` [matters] or NULL, is not
 * asked for them any more; `before` becomes that of the new numbers. */
void tl_stand_ins_tell(tl_stand_ins *, double *const *before);
/* Does matter m say what the ports that it is condensed over do to one another (`response`, matter.h)? */
bool tl_stand_ins_say(const tl_stand_ins *, int m);
/* What a unit impulse along each axis of one port does to each of another, B[axis of `to`][axis of `from`]; both of matter m, which has a stand-in. */
void tl_stand_in_response(const tl_stand_ins *, int m, const tl_port *from, const tl_port *to, double B[3][3]);
/* Velocities [matters] from which all impulses have been taken: those of the start at ports, too. */
void tl_stand_ins_free(const tl_stand_ins *, double *const *v);
/* No numbers that will be read have impulses any more. */
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
