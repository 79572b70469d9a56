/* Joints between bodies as constraints (theory §9.4): a kind is one file and one line of the table in joint.c. It knows two frames, the joint's on either body,
 * and says which rows vanish and what is left free; it knows no bodies, no dimension and no solver.
 *
 * Frames: origin at the joint's point, first axis along the joint's axis. A row is a wrench at the point of b, the
 * opposite acts on a at the same place, so that no row gives the pair momentum or moment of momentum. Along an axis e
 * of a, which turns with a, the rate of (p_b − p_a)·e is the velocity of b less that of a, both at the point of b,
 * along e: a is thought to reach as far as that point. */
#ifndef TL_JOINT_H
#define TL_JOINT_H

#include "base/math.h"

typedef struct tl_joint_row {
    tl_vec3 force, moment; /* on b; rate of `value` = force · (v_b − v_a) + moment · (ω_b − ω_a), at the point of b */
    double value;          /* [m] or [rad]: zero where the joint holds; of a free coordinate, where it is           */
    bool is_angle;
    bool folded; /* an angle between 0 and π, which counts no turns */
} tl_joint_row;

enum { TL_JOINT_ROWS = 6, TL_JOINT_COORDINATES = 3 };

/* What many kinds hold, each a row: the point of b on the plane through that of a across an axis of a; an axis of b across another of a. */
typedef enum tl_joint_hold {
    TL_HOLD_0 = 1,
    TL_HOLD_1 = 2,
    TL_HOLD_2 = 4,
    TL_HOLD_0_ACROSS_1 = 8, /* axis 0 of b across axis 1 of a */
    TL_HOLD_0_ACROSS_2 = 16,
    TL_HOLD_1_ACROSS_2 = 32,
    TL_HOLD_POINT = TL_HOLD_0 | TL_HOLD_1 | TL_HOLD_2,
    TL_HOLD_LINE = TL_HOLD_1 | TL_HOLD_2, /* the point of b on the axis of a */
    TL_HOLD_AXIS = TL_HOLD_0_ACROSS_1 | TL_HOLD_0_ACROSS_2,
    TL_HOLD_TURN = TL_HOLD_1_ACROSS_2
} tl_joint_hold;

typedef struct tl_joint_kind {
    const char *name, *text; /* text: what b may do, and its coordinates by name */
    bool in_plane;           /* also of planar worlds */
    bool axis_in_plane;      /* there its axis lies in the plane; false: it is z */
    bool measured;           /* has a length that its rows want; false: 0 will do */
    bool handed;             /* that length may be negative: a left-handed thread */
    int rows, coordinates;
    unsigned holds; /* tl_joint_hold: the first of the rows, in that order */
    /* The other rows that vanish, NULL: there are none; `length`: of the kinds that have one. */
    void (*lock)(const tl_frame *a, const tl_frame *b, double length, tl_joint_row *rows);
    /* Coordinate k, in which stops, drives, springs and friction act. An angle is between −π and π: who wants turns counts them. */
    tl_joint_row (*coordinate)(const tl_frame *a, const tl_frame *b, int k);
    const char *coordinate_name[TL_JOINT_COORDINATES];
} tl_joint_kind;

extern const tl_joint_kind TL_JOINT_SPHERICAL, TL_JOINT_REVOLUTE, TL_JOINT_PRISMATIC, TL_JOINT_CYLINDRICAL, TL_JOINT_UNIVERSAL, TL_JOINT_PLANAR, TL_JOINT_FIXED,
    TL_JOINT_DISTANCE, TL_JOINT_SCREW, TL_JOINT_SLOT;

int tl_joint_kinds(void);
const tl_joint_kind *tl_joint_kind_at(int index);
const tl_joint_kind *tl_joint_kind_named(const char *name); /* NULL: none */

/* All rows that vanish, [kind->rows]. */
void tl_joint_lock(const tl_joint_kind *, const tl_frame *a, const tl_frame *b, double length, tl_joint_row *rows);

/* ---- for the kinds ---- */

static inline tl_vec3 tl_axis(const tl_frame *f, int k) { return tl_v3(f->R.m[0][k], f->R.m[1][k], f->R.m[2][k]); }

/* (p_b − p_a)·e, e an axis of a. */
static inline tl_joint_row tl_shift_row(const tl_frame *a, const tl_frame *b, int axis)
{
    const tl_vec3 e = tl_axis(a, axis);
    return (tl_joint_row){.force = e, .value = tl_dot(e, tl_sub(b->p, a->p))};
}

/* Axis i of b stays across axis k of a: their product. */
static inline tl_joint_row tl_square_row(const tl_frame *a, const tl_frame *b, int i, int k)
{
    const tl_vec3 u = tl_axis(b, i), w = tl_axis(a, k);
    return (tl_joint_row){.moment = tl_cross(u, w), .value = tl_dot(u, w), .is_angle = true};
}

/* How far b is turned about the common axis 0, from a's axis 1 to b's. */
static inline tl_joint_row tl_angle_row(const tl_frame *a, const tl_frame *b)
{
    const tl_vec3 u = tl_axis(b, 1);
    return (tl_joint_row){.moment = tl_axis(a, 0), .value = atan2(tl_dot(u, tl_axis(a, 2)), tl_dot(u, tl_axis(a, 1))), .is_angle = true};
}

/* Coordinates of kinds that have but one of these: the way along the axis, the angle about it. */
tl_joint_row tl_joint_slide(const tl_frame *a, const tl_frame *b, int k);
tl_joint_row tl_joint_turn(const tl_frame *a, const tl_frame *b, int k);

#endif
