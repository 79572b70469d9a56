/* The generator `fill`: what it may fill (vessel.c), and the grains in it (filling.c). */
#ifndef TL_FILLING_H
#define TL_FILLING_H

#include "scene/grain_kind.h"

/* A box along the axes, which axis is up, and which way along it. */
typedef struct tl_room {
    int dimension, up;
    double sense; /* +1: up is along the axis, −1: against it */
    double low[3], high[3];
} tl_room;

/* Cells of a vessel in which water would stand. Lateral cells lie one after the other, level upon level, level 0 at the bottom. */
typedef struct tl_vessel {
    int across[2], levels;
    double low[3], size; /* corner of the first cell, at its bottom; edge of a cell [m] */
    int lateral[2];      /* axes                              */
    uint8_t *state;      /* a wall, or too near to one; water; what water runs out of, or air */
} tl_vessel;

/* How far a shape goes beyond its corners along each axis; of a round cylinder, whose axis is from corner to corner, its flat ends do. */
void tl_rims(const talus_shape_def *, const double (*corner)[3], double rim[3]);
/* Box around the bounded shapes of a body; false: it has none. Grows `low` and `high`, which may be ±∞ at first. */
bool tl_extents(const talus_world *, talus_body_id, double low[3], double high[3]);
/* Which cells of the room water would fill that can go where a ball of this radius can, between these bodies: none from which there is a way out that never
 * goes above their own level. MEMORY. To be freed with tl_vessel_free. */
TALUS_NODISCARD talus_status tl_vessel_make(tl_vessel *, const talus_world *, const talus_body_id *bodies, int count, double radius, const tl_room *);
/* Whether a ball that touches no wall, with its centre at x and its highest point at `top`, is in the water. */
bool tl_vessel_holds(const tl_vessel *, const tl_room *, const double x[3], const double top[3]);
void tl_vessel_free(tl_vessel *);

#endif
