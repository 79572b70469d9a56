/* What a picture in space is made of: convex solids in the axes of the camera (x right, y up, z towards it), and the plates that half-spaces are drawn as. */
#ifndef TL_PICTURE_SPACE_H
#define TL_PICTURE_SPACE_H

#include "record/picture.h"

typedef enum tl_solid_kind { SOLID_BALL, SOLID_ROD, SOLID_FACES } tl_solid_kind;

/* The convex hull of its points, with a rim of `radius` around it. */
typedef struct tl_solid {
    tl_solid_kind kind;
    int body, first_point, points, first_face, faces;
    int round; /* so many of its first faces stand for a round surface                 */
    double radius;
    tl_colour colour;
    double low[3], high[3];
    tl_vec3 centre;
    tl_vec3 axis; /* of the round faces; it passes through `origin`                */
    tl_vec3 origin;
    bool cut;    /* faces have points of their own */
    bool smooth; /* its faces stand for a surface that bends between them */
    bool valued; /* its colour is that of a number that is slope.x x + slope.y y + slope.z there, of least to most, on the scale from 0 to 1 */
    tl_vec3 slope;
    double least, most;
    bool boundary, glass; /* glass: a wall that would hide what the picture is of, drawn as its edges */
} tl_solid;

typedef struct tl_solids {
    tl_solid *solid;
    tl_vec3 *point, *normal; /* normal of every face, outwards, unit; zero of a face without area */
    int *face_end, *corner;  /* corner: into point                                                  */
    int count, points, faces, corners;
    int solid_room, point_room, face_room, normal_room, corner_room;
} tl_solids;

static inline int tl_face_begin(const tl_solids *s, int face) { return face ? s->face_end[face - 1] : 0; }
static inline tl_vec3 tl_to_camera(const tl_picture *p, tl_vec3 x) { return tl_v3(tl_dot(p->right, x), tl_dot(p->up, x), tl_dot(p->toward, x)); }

/* picture_solids.c: all shapes but half-spaces, and the parts of mechanisms. False: memory ran out. */
TALUS_NODISCARD bool tl_solids_collect(const tl_picture *, tl_solids *);
void tl_solids_free(tl_solids *);
/* A polygon by itself, in the axes of the camera; `share` NULL, or where its corners are on the scale of colours, of which the first three that have an
 * area count. */
TALUS_NODISCARD bool tl_solids_add_polygon(tl_solids *, int body, const tl_vec3 *corner, int corners, const double *share, tl_colour);
/* picture_mesh_space.c: the surfaces of finite-element solids; where they are cut, which comes after the cutting of all else. */
TALUS_NODISCARD bool tl_mesh_surfaces(const tl_picture *, tl_solids *);
TALUS_NODISCARD bool tl_mesh_sections(const tl_picture *, tl_solids *);
/* Lines between their elements that are to be seen, in the axes of the camera, and how strong they are. */
typedef struct tl_mesh_lines {
    tl_vec3 (*end)[2];
    double *ink;
    int count, room, ink_room;
} tl_mesh_lines;
TALUS_NODISCARD bool tl_mesh_lines_collect(const tl_picture *, tl_mesh_lines *);
void tl_mesh_lines_free(tl_mesh_lines *);
/* picture_cut.c: without what lies between the picture's plane and the camera. False: memory ran out. */
TALUS_NODISCARD bool tl_solids_cut(const tl_picture *, tl_solids *);

/* ---- picture_floor.c ---------------------------------------------------------------------------------------------- */

enum { TL_PLATE_CORNERS = 64 };

/* The part of a plane that is drawn: below all that is there and a little more, and on the outer side of the other planes. */
typedef struct tl_plate {
    tl_vec3 origin, normal, t, u; /* world axes */
    double low[2], high[2];       /* along t, u from the origin */
    tl_vec3 corner[TL_PLATE_CORNERS];
    int corners;
} tl_plate;

/* Of a half-space; false: nothing of it is left. */
bool tl_picture_plate(const tl_picture *, int shape, tl_plate *);
/* A line from and to coordinates along t and u, cut to the plate; false: it passes by. */
bool tl_plate_clip(const tl_plate *, const double from[2], const double to[2], tl_vec3 out[2]);

#endif
