/* The search for equilibrium: passes that go from a configuration at rest to a better one (theory §4.7). */
#ifndef TL_STILL_H
#define TL_STILL_H

#include "step/system.h"

/* A pass: after tl_world_begin_step with a step of `h`, everything up to its solution. `accuracy` [m/s²]: up to which contacts are solved. `stiff`: mechanisms
 * have their stiffness; without it and with the user's step the pass is the first step of the run, and contacts that are all but closed count as closed.
 * `heavier`: so many times their inertia keeps shafts that turn at their speed; what they bear and what their carriers bear is the same where these stand
 * still. Then either tl_still_accept or tl_still_refuse. */
typedef struct tl_still_pass {
    double accuracy;
    bool stiff;
    double heavier;
} tl_still_pass;

TALUS_NODISCARD talus_status tl_still_solve(tl_system *, const tl_still_pass *);
/* Positions, pressures and what contacts and joints remember are those after the pass; velocities are zero. */
TALUS_NODISCARD talus_status tl_still_accept(tl_system *);
/* Everything is as before the pass. */
void tl_still_refuse(tl_system *);
/* Impulses that are remembered, of a step of h, as those of another: `factor` is the ratio. */
void tl_still_scale(tl_system *, double factor);

/* So deep passes close contacts and stops, which is within the slop: steps then find them closed [m]. */
double tl_still_depth(const tl_system *);
/* Of a pass, after its constraints are made: as it holds them. */
void tl_still_constraints(tl_system *);

/* How a body moves in a pass that is solved: its frame's origin, its spin; of what deforms by how much a point of it may differ. MEMORY. */
typedef struct tl_still_motion {
    tl_vec3 v, w;
    double rim;
} tl_still_motion;
TALUS_NODISCARD talus_status tl_still_body(tl_system *, tl_place, tl_still_motion *);

#endif
