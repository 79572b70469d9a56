/* Regions of probes, in the plane and in space: convex, in axes of their own. */
#ifndef TL_ZONE_H
#define TL_ZONE_H

#include "base/math.h"
#include "scene/fill.h"

typedef enum tl_zone_kind {
    TL_ZONE_EVERYWHERE,
    TL_ZONE_BOX,
    TL_ZONE_BALL,    /* about the origin; a disk in the plane   */
    TL_ZONE_CYLINDER /* about z, from box.low[2] to box.high[2] */
} tl_zone_kind;

typedef struct tl_zone {
    tl_zone_kind kind;
    int dimension;
    tl_frame at;   /* its axes, in those of what it moves with */
    tl_region box; /* in its axes                              */
    double radius;
    bool next[3]; /* of a cell: its upper face is the next one's, and what lies in it is there */
} tl_zone;

bool tl_zone_holds(const tl_zone *, tl_vec3 x);
/* Which part of the way from … to lies within, 0 … 1. */
double tl_zone_share(const tl_zone *, tl_vec3 from, tl_vec3 to);
/* Area or volume; infinite for everywhere. */
double tl_zone_size(const tl_zone *);

#endif
