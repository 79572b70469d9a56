/* Sweeps over coupled contacts (problem.h), but for the turn of one by itself: in the plane and in space alike. */
#ifndef TL_COUPLED_SWEEPS_H
#define TL_COUPLED_SWEEPS_H

#include "solve/coupled_groups.h"
#include "solve/hub.h"
#include "solve/sweeps.h"

/* What a solve keeps of them; momentum (sweeps.h) extrapolates from what the last sweep left. */
typedef struct tl_coupled_sweeps {
    tl_problem *problem;
    tl_coupled_groups groups;
    tl_hubs hubs;
    double **v;          /* [matters] velocities of other matter  */
    double (*before)[3]; /* [coupleds] impulses                   */
    int since;           /* sweeps since ports of large matter were told of all impulses (condensed.h) */
} tl_coupled_sweeps;

/* From the present velocities and impulses, of a problem that is bound. To be destroyed, also after a failure. MEMORY. */
TALUS_NODISCARD talus_status tl_coupled_sweeps_begin(tl_coupled_sweeps *, tl_problem *, const tl_hub_ops *, tl_step *);
void tl_coupled_sweeps_destroy(tl_coupled_sweeps *);
/* Velocities of other matter, extrapolated by β. Returns whether ports of large matter have just been told of all impulses, so that open contacts there see
 * where it is. */
bool tl_coupled_sweeps_extrapolate(tl_coupled_sweeps *, double beta);
/* Those contacts that are solved several at once: groups of mechanisms, spokes of hubs. Returns how far that turned back, as a sweep does. */
double tl_coupled_sweeps_wholes(tl_coupled_sweeps *, double beta);
/* Was contact i among those of a group, or of a hub? */
static inline bool tl_is_solved_in_group(const tl_coupled_sweeps *s, int i)
{
    const int group = s->groups.of[i];
    return group >= 0 && s->groups.group[group].solved;
}
static inline bool tl_is_solved_in_hub(const tl_coupled_sweeps *s, int i) { return s->hubs.of && s->hubs.of[i] && s->hubs.of[i]->solved; }
/* The errors of all contacts, with all impulses told. */
void tl_coupled_sweeps_errors(tl_coupled_sweeps *, tl_step *, tl_sweeps_errors *);
/* All constraints; `keeps` as in tl_blocks_sweep. */
double tl_problem_sweep_blocks(tl_problem *, double beta, bool keeps);
/* The sweeps, and what they came to. DIVERGED. */
TALUS_NODISCARD talus_status tl_coupled_sweeps_run(tl_coupled_sweeps *, tl_sweeps *, const tl_step *);

#endif
