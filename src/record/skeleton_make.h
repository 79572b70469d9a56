/* What skeleton.c and skeleton_joints.c share while the list of parts is made. */
#ifndef TL_SKELETON_MAKE_H
#define TL_SKELETON_MAKE_H

#include "record/skeleton.h"

typedef struct tl_skeleton_maker {
    tl_skeleton *out;
    const tl_replay *run;
    tl_replay_frame frame;             /* the first */
    bool *shaped, *sliding;            /* [bodies] has a shape; carries half of a ram or a slide              */
    bool *jointed;                     /* [bodies] moves freely, and a joint between bodies holds it          */
    int32_t *first_shape, *next_shape; /* [bodies], [shapes] the shapes of a body in a list; −1: its end      */
    double *extent;                    /* [bodies] diagonal of the box around its shapes [m]; 0: none, no end */
    double (*reach)[2];                /* [joints] least and largest position of a slide [m] */
    double thin;                       /* radius of a bar [m] */
    bool failed;
} tl_skeleton_maker;

/* ---- skeleton.c */
/* A point in the axes of a body; −1: of the world. */
typedef struct tl_spot {
    int body;
    tl_vec3 at;
} tl_spot;
void tl_skeleton_add(tl_skeleton_maker *, tl_part_kind, int owner, tl_spot a, tl_spot b, double radius);
static inline void tl_skeleton_add_on(tl_skeleton_maker *m, tl_part_kind kind, int body, tl_vec3 a, tl_vec3 b, double radius)
{
    tl_skeleton_add(m, kind, body, (tl_spot){body, a}, (tl_spot){body, b}, radius);
}
/* A direction in world axes, in the axes of a body. */
tl_vec3 tl_skeleton_in_body(const tl_skeleton_maker *, int body, tl_vec3 direction);
/* The axis of a joint in the axes of one of its bodies; in the plane, where none is stated, it is z. */
tl_vec3 tl_skeleton_axis(const tl_skeleton_maker *, const tl_replay_joint *, int body);
/* Radius of a bar beside the bodies that it joins. */
double tl_skeleton_thin(const tl_skeleton_maker *, const tl_replay_joint *);
/* The middle of the shape that is nearest to a point of a body: of a rod the nearest point of its axis. False: the point is there. */
bool tl_skeleton_nearest(const tl_skeleton_maker *, int body, tl_vec3 point, tl_vec3 *out);

/* ---- skeleton_joints.c */
bool tl_skeleton_is_body_joint(const tl_replay_joint *);
/* Whether b moves along the axis of a. */
bool tl_skeleton_body_joint_slides(const tl_replay_joint *);
void tl_skeleton_body_joint(tl_skeleton_maker *, int index);
/* The pulley at the end of a span. */
void tl_skeleton_pulley(tl_skeleton_maker *, int index);

#endif
