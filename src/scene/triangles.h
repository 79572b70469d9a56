/* Triangles from files: STL (text and binary) and OBJ. */
#ifndef TL_TRIANGLES_H
#define TL_TRIANGLES_H

#include "base/base.h"

typedef struct tl_triangles {
    double (*point)[3];     /* [points] times the scale [m]; of STL three for each triangle */
    int32_t (*triangle)[3]; /* [triangles] into point, counter-clockwise from outside        */
    int *line;              /* [triangles] of the file; of a binary one the number of the triangle, from 1 */
    int points, triangles;
    int point_room, triangle_room, line_room;
} tl_triangles;

/* IO: the file cannot be read; INPUT: it is not what its suffix says, or damaged: the text names file and line, or byte. On failure nothing is kept. */
TALUS_NODISCARD talus_status tl_triangles_read(tl_triangles *, const char *path, double scale, tl_error *);
void tl_triangles_free(tl_triangles *);

/* orientation.c */
typedef struct tl_orientation {
    int turned;                 /* triangles that faced another way than most of those that hang together with them           */
    int borders;                /* edges of one triangle only; `border`: a point of the first, border_line: its triangle's [m] */
    int crowded;                /* edges of more than two; crowd, crowd_line: the same of these                               */
    bool oriented;              /* all neighbours face the same side                                                          */
    bool terrain;               /* every triangle faces the side that all together do                                          */
    double volume;              /* of a closed surface; negative: it faces inwards                                       [m³] */
    double border[3], crowd[3]; /* [m]                                                                              */
    int border_line, crowd_line;
} tl_orientation;

/* Turns triangles so that neighbours face the same side, the smaller area following the larger. MEMORY. */
TALUS_NODISCARD talus_status tl_triangles_orient(tl_triangles *, tl_orientation *);
/* Turns all. */
void tl_triangles_turn(tl_triangles *);

#endif
