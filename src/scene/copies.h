/* With periodic directions a region sees every body in each of its copies. */
#ifndef TL_COPIES_H
#define TL_COPIES_H

#include "base/math.h"
#include "scene/zone.h"
#include "talus/talus.h"

/* The copies that a region may see, one after the other; without periodic directions the body alone. */
typedef struct tl_copies {
    int low[3], high[3], at[3];
    double length[3]; /* of the cell [m] */
    int along, across;
    double offset, speed; /* of a sheared cell: of copies one further across, how far along, and how fast there [m, m/s]; else 0 */
    bool more;
} tl_copies;

/* Of what lies within `reach` of x, world axes; the zone's axes go with `axes`. */
tl_copies tl_copies_of(const talus_world *, const tl_zone *, const tl_frame *axes, tl_vec3 x, double reach);
/* How far the next one is from the body [m], and how much faster [m/s] (may be NULL); false: there are no more. */
bool tl_next_copy(tl_copies *, tl_vec3 *shift, tl_vec3 *faster);
/* To a velocity of what stands at x that of the flow of a sheared cell there, which is 0 in the middle of the cell. */
void tl_add_flow(const talus_world *, const double x[3], double velocity[3]);
/* Of an image that a contact names. */
tl_vec3 tl_image_of(const talus_world *, const int image[3]);
/* The shortest way of all that lead from one body to a copy of another. */
tl_vec3 tl_shortest_way(const talus_world *, tl_vec3 way);
/* Of a point that is ahead of a plane by s along its normal n (not one along which a sheared cell slides): how many copies of the plane it has passed, counted
 * from somewhere, never negative, where n lies along a periodic direction; else 1 beyond the plane, 0 before it. */
double tl_planes_passed(const talus_world *, tl_vec3 n, double s);
/* No body that moves is larger from its origin [m]; 0: nothing is periodic. */
double tl_copies_reach(const talus_world *);

#endif
