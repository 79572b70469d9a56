/* A track as it was read (tracks.c), for its writing out (tracks_write.c). */
#ifndef TL_TRACKS_H
#define TL_TRACKS_H

#include "scene/node.h"

enum { TL_TRACK_WHEELS = 32, TL_TRACK_SHOES = 1000, TL_TRACK_TEETH = 200 }; /* at most */

/* Of a wheel with teeth: a tooth stands on the chord between two pins, from the drum to `height` above it, `play` away from where pins pass. */
typedef struct tl_track_teeth {
    const tl_node *node;
    int count; /* 0: the wheel has none */
    double height, width, play;
} tl_track_teeth;

typedef struct tl_track_wheel {
    const tl_node *node;
    double x, z, radius, mass, inertia, width; /* x, z: of the axis, in the carrier's axes from the middle of the track */
    const tl_node *tension;                    /* NULL: the wheel does not slide */
    double force, stiffness, damping;          /* of the tension */
    tl_track_teeth teeth;
} tl_track_wheel;

typedef struct tl_track {
    const tl_node *node, *on, *mechanism;
    const char *name; /* its own, or TRACK_BODY on each of several carriers */
    bool planar;
    double at[3], carrier[3]; /* in the carrier's axes; of the carrier's origin in the scene's */
    double velocity[3];       /* of the carrier at the start, as its joints say [m/s] */
    tl_track_wheel wheel[TL_TRACK_WHEELS];
    int wheels, sliding;
    double outwards; /* along x, 1 or −1: where the sliding wheel tensions the chain */
    int shoes;
    double pitch, width, thickness, mass, grouser, horns, pin; /* pin: radius of the pins' shapes, 0: they have none */
    double beside, thin;                                       /* of the horns: how far from the middle, and how thick */
    double radius[TL_TRACK_WHEELS];                            /* of pins about a wheel */
} tl_track;

/* The track in the words of the scene language, its pins where `pin` says, from the middle of the track; to be freed. NULL: no memory. */
char *tl_track_text(const tl_track *, const double (*pin)[2]);

#endif
