/* Bodies: free grains, fixed or moving boundaries; the shapes that bodies and links carry; loads on them. */
#ifndef TALUS_BODY_H
#define TALUS_BODY_H

#include "talus/material.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum talus_body_kind {
    TALUS_BODY_FREE,    /* moves by forces and contacts                         */
    TALUS_BODY_FIXED,   /* never moves                                          */
    TALUS_BODY_IMPOSED, /* follows the given motions of x, y and angle          */
    TALUS_BODY_ABSENT   /* takes part in nothing; only with `changes_kind`      */
} talus_body_kind;

typedef struct talus_body_def {
    uint32_t struct_size;
    const char *name;
    talus_body_kind kind;
    double position[3];       /* of the body's origin [m]                                                   */
    double angle;             /* plane: about z [rad]                                                       */
    double quaternion[4];     /* space: orientation (w, x, y, z)                               default 1 0 0 0 */
    double velocity[3];       /* of the centre of mass at t = 0 [m/s]; free bodies only                     */
    double angular_velocity;  /* plane: about z [rad/s]; free bodies only                                   */
    double spin[3];           /* space: angular velocity, world axes [rad/s]; free bodies only              */
    double mass;              /* [kg]; 0: from shapes and densities                                         */
    bool has_centre_of_mass;  /* the next is stated; false: the centroid of the shapes by their densities */
    double centre_of_mass[3]; /* in the body's axes, from its origin [m]; then mass and inertia are to be stated, too */
    double inertia;           /* plane: about the centre of mass, z axis [kg m²]; 0: from the shapes        */
    double inertia_space[6];  /* space: xx, yy, zz, xy, xz, yz of the tensor about the centre of mass, in the body's axes
                                 [kg m²]; all 0: from the shapes                                            */
    talus_motion motion[3];   /* imposed displacement, added to the position: plane x, y [m] and angle [rad]; space x, y, z [m] */
    talus_motion turn;        /* space: imposed angle about turn_axis through the body's origin [rad]       */
    double turn_axis[3];      /* world axes                                                    default 0 0 1  */
    bool changes_kind;        /* talus_body_set_kind may be called: mass and inertia are settled and the motion is kept
                                 whatever the kind is; the kind then belongs to the state        default false  */
    int machine;              /* free bodies of one number do not meet each other, as links of one mechanism do not; 0: it
                                 meets all. Of a body that is not free and does not change its kind it is an error */
} talus_body_def;

TALUS_API talus_body_def talus_body_def_default(void); /* a free body at the origin */
/* INPUT: non-finite numbers, a negative mass, a centre of mass without mass and inertia. Mass and inertia are settled when the world is assembled. */
TALUS_API TALUS_NODISCARD talus_status talus_body_create(talus_world *world, const talus_body_def *def, talus_body_id *out);

/* Contactors: planar ones, then spatial ones; further planar kinds have numbers from TALUS_SHAPE_PLANAR on. A polygon with radius is rounded: the set of points
 * within `radius` of it. */
typedef enum talus_shape_kind {
    TALUS_SHAPE_DISK,        /* centre points[0], radius                                                  */
    TALUS_SHAPE_SEGMENT,     /* from points[0] to points[1]; with radius > 0 a capsule                    */
    TALUS_SHAPE_POLYGON,     /* convex hull of points[0 … count−1], at most TALUS_POLYGON_POINTS          */
    TALUS_SHAPE_HALF_PLANE,  /* all points behind the line through points[0] with outward normal points[1]; unbounded,
                               for fixed and imposed bodies only                                         */
    TALUS_SHAPE_SPHERE,      /* centre corners[0], radius                                                */
    TALUS_SHAPE_CAPSULE,     /* from corners[0] to corners[1], radius                                    */
    TALUS_SHAPE_POLYHEDRON,  /* convex hull of the corners, at most TALUS_HULL_POINTS of them on it      */
    TALUS_SHAPE_HALF_SPACE,  /* all points behind the plane through corners[0] with outward normal corners[1]; unbounded */
    TALUS_SHAPE_MESH,        /* what lies behind triangles between the corners; for fixed and imposed bodies and links; it touches convex shapes */
    TALUS_SHAPE_CYLINDER,    /* a round cylinder: the centres of its flat ends corners[0], corners[1]; radius; edges rounded by `rounding`, or sharp: a coin, a
                                wheel */
    TALUS_SHAPE_ELLIPSOID,   /* centre corners[0], tips of its half axes corners[1], [2], [3], at right angles; when the shape is read back, the points of its
                                facets follow */
    TALUS_SHAPE_FRUSTUM,     /* a frustum of a cone: centres of its ends corners[0], [1], a point on the rim of each corners[2], [3], at right angles
                                to the axis; a rim that is its centre is the tip of a cone; read, points of facets follow */
    TALUS_SHAPE_ELLIPSE = 64 /* planar: centre points[0], tips of its half axes points[1], [2], at right angles */
} talus_shape_kind;

enum { TALUS_POLYGON_POINTS = 16, TALUS_HULL_POINTS = 255, TALUS_SHAPE_PLANAR = 64 };

typedef struct talus_shape_def {
    uint32_t struct_size;
    talus_shape_kind kind;
    talus_material_id material;
    int count;                              /* of points                                    */
    double points[TALUS_POLYGON_POINTS][2]; /* in the body's axes, from its origin [m]      */
    double radius;                          /* ≥ 0; > 0 for a disk, sphere, capsule or cylinder [m] */
    const double (*corners)[3];             /* space: [count], in the body's axes [m]; copied */
    int most_corners;                       /* polyhedron: hull of that many of the corners, those that keep most of it; 0: of all */
    const int32_t (*triangles)[3];          /* mesh: [triangle_count] into corners, from 0, counter-clockwise seen from where grains are; copied */
    int triangle_count;
    double rounding; /* cylinder: ≥ 0, at most the radius and half the length, at which the rim is a torus [m] */
    bool continues;  /* a further part of the shape that this body got before: a pair of shapes is one, for laws of contact, whichever parts of it touch */
} talus_shape_def;

TALUS_API talus_shape_def talus_shape_def_default(void);
/* Several shapes on one body make a cluster; overlapping shapes count their common area twice in the mass.
 * A mesh acts on one side: what is inside stones or soil is behind it. Equal corners become one; triangles without area are left out.
 * INPUT: no material, a degenerate polygon, a non-positive disk radius, a half-plane or half-space on a body that moves by itself, a mesh on a free one, a
 * triangle with a corner that does not exist, a cylinder without length or radius, or with more rounding than it has room for, one that continues and is not of
 * the body that the last shape went to. */
TALUS_API TALUS_NODISCARD talus_status talus_body_add_shape(talus_world *world, talus_body_id body, const talus_shape_def *def);

/* A force on a body at a point fixed in it: components along world axes (or the body's), plus a torque about z of these. Each is a
 * function of time; NULL functions are zero. */
typedef struct talus_load_def {
    uint32_t struct_size;
    double point[3];       /* in the body's axes, from its origin [m]  */
    bool follows_body;     /* force and torque turn with the body      */
    talus_motion force[3]; /* value(t) [N]                             */
    talus_motion torque;   /* value(t), about z [N m]                  */
} talus_load_def;

TALUS_API talus_load_def talus_load_def_default(void);
TALUS_API TALUS_NODISCARD talus_status talus_body_add_load(talus_world *world, talus_body_id body, const talus_load_def *def);

/* The last `count` bodies that were made are a group of this name, such as grains that a generator made: messages call them name.1, name.2 …, and results say
 * where it begins. INPUT: no name, or there are fewer. MEMORY. */
TALUS_API TALUS_NODISCARD talus_status talus_world_name_group(talus_world *world, const char *name, int count);

/* Between two steps: from now on the body is of another kind. Nothing jumps: what is fixed stays where it is, at rest; what is freed goes on with the
 * velocity that it has; what is imposed begins where it is and moves by the change of its motions from now on. Assembles the world.
 * What is absent takes part in nothing: joints and ropes that tie it to others tie nothing; when it comes back it has met nothing, bonds and states are new.
 * INPUT: no such body, a link, a body without `changes_kind`; to FREE: a body that carries a half-plane, half-space or mesh. UNSUPPORTED: to ABSENT: one that
 * is glued to a solid, or that a hydraulic cylinder or machine moves; from ABSENT: one that joints or ropes tie. */
TALUS_API TALUS_NODISCARD talus_status talus_body_set_kind(talus_world *world, talus_body_id body, talus_body_kind kind);

/* Between two steps: puts a free or absent body with `changes_kind` elsewhere: position and orientation of its origin, velocity of its centre of mass [m/s]
 * and angular velocity [rad/s], world axes. An absent body has the velocity if it is freed before the next step. What it has met is forgotten, with
 * bonds and states. Assembles the world. INPUT: another body, what is not a number, or a quaternion of length 0. */
TALUS_API TALUS_NODISCARD talus_status talus_body_place(talus_world *world, talus_body_id body, const double position[3], const double quaternion[4],
                                                        const double linear[3], const double angular[3]);

/* ---- reading (grains, walls and links alike); {0} is the ground ---- */

TALUS_API int talus_body_count(const talus_world *world);
TALUS_API talus_body_id talus_body_at(const talus_world *world, int index); /* 0 … count−1, in order of creation */
TALUS_API talus_body_id talus_body_find(const talus_world *world, const char *name);
TALUS_API const char *talus_body_name(const talus_world *world, talus_body_id body); /* "" when it has none */
TALUS_API int talus_group_count(const talus_world *world);
/* Name of a group and which bodies it has, from `first` on; NULL: there is none of that number, from 0. */
TALUS_API const char *talus_group_at(const talus_world *world, int group, int *first, int *count);
TALUS_API talus_body_kind talus_body_get_kind(const talus_world *world, talus_body_id body);
/* Part of a mechanism or of other matter: no grain, and no boundary. */
TALUS_API bool talus_body_is_link(const talus_world *world, talus_body_id body);
TALUS_API double talus_body_mass(const talus_world *world, talus_body_id body); /* 0: fixed or imposed; before assembly that of the shapes added so far [kg] */
TALUS_API double talus_body_inertia(const talus_world *world, talus_body_id body); /* about its z axis at the centre of mass [kg m²] */
/* Position of the body's origin [m] and orientation. */
TALUS_API void talus_body_pose(const talus_world *world, talus_body_id body, double position[3], double quaternion[4]);
/* Signed distance [m] from a point in world axes to the nearest shape of a body, negative inside one, behind a half-plane, half-space or mesh: exact where it
 * is less than `within`, else `within`; also for a body without shapes. */
TALUS_API double talus_body_distance(const talus_world *world, talus_body_id body, const double point[3], double within);
/* Angle about z, counted through full turns [rad] (planar worlds). */
TALUS_API double talus_body_angle(const talus_world *world, talus_body_id body);
/* Velocity of a point given in the body's axes [m/s], and angular velocity in world axes [rad/s]. */
TALUS_API void talus_body_velocity(const talus_world *world, talus_body_id body, const double point[3], double linear[3], double angular[3]);
/* An accelerometer at a point given in the body's axes: from now on every step remembers the velocity that the point begins it with. *watch: its number, from
 * 0. INPUT: no such body; MEMORY. */
TALUS_API TALUS_NODISCARD talus_status talus_body_watch(talus_world *world, talus_body_id body, const double point[3], int *watch);
/* Mean acceleration of the watched point over the last step, impacts included: the change of its velocity by the step's size, world axes [m/s²]. 0 before the
 * first step, after a restore and for no such watch. */
TALUS_API void talus_watch_acceleration(const talus_world *world, int watch, double acceleration[3]);
TALUS_API int talus_body_shape_count(const talus_world *world, talus_body_id body);
/* Of a spatial shape `corners` is NULL and `count` their number: talus_body_corners copies them. Of a planar one `points` are those that define it. */
TALUS_API void talus_body_shape(const talus_world *world, talus_body_id body, int index, talus_shape_def *out);
/* Corners of a shape (of a half-space or half-plane: a point and the normal), in the body's axes: at most `capacity` are written. Planar ones have z = 0; those
 * of the outline of a planar kind from TALUS_SHAPE_PLANAR on follow what defines it. Returns their number. */
TALUS_API int talus_body_corners(const talus_world *world, talus_body_id body, int index, double (*corners)[3], int capacity);
/* Faces of a polyhedron or a mesh, or the outline of a planar kind from TALUS_SHAPE_PLANAR on as one face: the number of corners of each, and the corners one
 * face after the other, counter-clockwise from outside; each may be NULL. Returns the number of faces, 0 for other shapes; *corner_count: the length of
 * `corner`. */
TALUS_API int talus_body_faces(const talus_world *world, talus_body_id body, int index, int32_t *size, int32_t *corner, int *corner_count);

#ifdef __cplusplus
}
#endif
#endif
