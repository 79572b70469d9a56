/* What is drawn of mechanisms and joints besides shapes: bars between the joints of a link, rams, slides, springs, ropes, pins. One list, made from the joints
 * of a run, for pictures, the page, the export and tests: every part reaches from a point on one body to a point on another, in every frame. */
#ifndef TL_SKELETON_H
#define TL_SKELETON_H

#include "record/replay.h"

/* The page knows these numbers (viewer/src/mechanism.js). */
typedef enum tl_part_kind {
    PART_BAR,    /* of a link, between two of its joints                               */
    PART_WHEEL,  /* a disk; its axle is what the points say, its radius the disk's     */
    PART_SLEEVE, /* of a ram, or of what slides on a rail                              */
    PART_PISTON, /* of a ram, from inside its sleeve to the other link                 */
    PART_RAIL,
    PART_SPRING,
    PART_DAMPER,
    PART_ROPE,   /* slack where its ends are nearer than `length`                       */
    PART_STRUT,  /* a strut, or a rod of a loop                                         */
    PART_PIN,    /* revolute; its axle is what the points say                           */
    PART_FOOT,   /* the same, at the ground                                             */
    PART_MOTOR,  /* the same, with a drive                                              */
    PART_BALL,   /* a joint about a point, or a mass without extent                     */
    PART_WELD,   /* holds two bodies fast                                               */
    PART_PLATE,  /* a disk over which a body glides                                     */
    PART_SPIRAL, /* a spring about an axle; it lies at its second point                */
    PART_THREAD, /* of a screw                                                         */
    PART_RAM,    /* a hydraulic cylinder: a rod, in a barrel that begins at its first point (tl_part_barrel) */
    PART_KINDS
} tl_part_kind;

typedef struct tl_part {
    tl_part_kind kind;
    int owner;          /* the body with which it is coloured, faded and hidden                */
    int body[2];        /* −1: the ground                                                      */
    double point[2][3]; /* in the axes of each [m]                                             */
    double radius;      /* [m]                                                                 */
    double length;      /* of a rope: when it is taut; of a ram: when it is in [m]             */
} tl_part;

typedef struct tl_skeleton {
    tl_part *part;
    int parts, room;
    double size; /* of all mechanisms together, at the start [m]: what thicknesses are measured by */
} tl_skeleton;

/* Reads a few frames to learn how far slides and rams go. On failure nothing is kept. */
TALUS_NODISCARD talus_status tl_skeleton_make(tl_skeleton *, const tl_replay *, tl_error *);
void tl_skeleton_free(tl_skeleton *);
/* Both ends in world axes. */
void tl_part_ends(const tl_part *, const tl_replay_frame *, double out[2][3]);
bool tl_part_is_slack(const tl_part *, const tl_replay_frame *);
/* The share of its length over which a ram's barrel reaches. */
double tl_part_barrel(const tl_part *, const tl_replay_frame *);

/* The line of a spring from a to b: TL_COIL_POINTS points, straight ends, and windings of `radius` between. In the plane `u` is across and `v` zero. */
enum { TL_COIL_TURNS = 6, TL_COIL_STEPS = 12, TL_COIL_POINTS = TL_COIL_TURNS * TL_COIL_STEPS + 3 };
void tl_part_coil(tl_vec3 a, tl_vec3 b, double radius, bool planar, tl_vec3 out[TL_COIL_POINTS]);
/* That of a spiral spring, in world axes. */
enum { TL_SPIRAL_TURNS = 2, TL_SPIRAL_POINTS = TL_SPIRAL_TURNS * 16 + 1 };
void tl_part_spiral(const tl_part *, const tl_replay_frame *, double out[TL_SPIRAL_POINTS][3]);

#endif
