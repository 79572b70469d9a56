/* The parts of the export to ParaView: vtp.c is the file format, surface.c turns shapes into points and polygons, vtk.c says what goes where, vtk_solids.c
 * what of finite-element solids. */
#ifndef TL_VTK_H
#define TL_VTK_H

#include <stdio.h>

#include "record/replay.h"

/* ---- vtp.c: one file of polygons or of a mesh; arrays in binary behind the text that names them, in zlib blocks ----------------------- */

typedef enum tl_vtp_type { VTP_INT8, VTP_UINT8, VTP_INT32, VTP_FLOAT32, VTP_FLOAT64 } tl_vtp_type;

typedef struct tl_vtp {
    FILE *head; /* what stands in front of the arrays, written in memory: it must know where each of them begins */
    char *text;
    size_t text_size;
    const char *form;    /* of what stands in it */
    unsigned char *data; /* the arrays, packed */
    size_t size, capacity;
    bool failed; /* memory ran out; what follows is in vain, and tl_vtp_write says so */
} tl_vtp;

typedef struct tl_vtp_counts {
    int points, vertices, lines, polygons;
} tl_vtp_counts;

/* One piece follows: sections in the order PointData, CellData, Points, Verts, Lines, Polys, or Cells, each opened and closed. `notes`: name and text pairs,
 * NULL after the last. */
void tl_vtp_begin(tl_vtp *, double time, const char *const *notes, tl_vtp_counts);
/* The same of a mesh, an UnstructuredGrid. */
void tl_vtp_begin_mesh(tl_vtp *, double time, const char *const *notes, int points, int cells);
void tl_vtp_open(tl_vtp *, const char *section);
void tl_vtp_array(tl_vtp *, const char *name, tl_vtp_type, int components, size_t tuples, const void *data);
void tl_vtp_close(tl_vtp *, const char *section);
/* Writes the file and frees the rest. IO, MEMORY. */
TALUS_NODISCARD talus_status tl_vtp_write(tl_vtp *, const char *path, tl_error *);

/* ---- surface.c -------------------------------------------------------------------------------------------------------- */

/* Points in the axes of their bodies, lines and polygons between them. */
typedef struct tl_surface {
    double (*point)[3];
    int32_t *point_body; /* −1: given in world axes */
    int32_t (*line)[2], *line_shape;
    int32_t *corner, *polygon_end, *polygon_shape; /* polygons counter-clockwise: from outside, or from above */
    int points, lines, corners, polygons;
    int point_capacity, body_capacity, line_capacity, line_shape_capacity, corner_capacity, end_capacity, polygon_capacity;
    bool failed; /* memory ran out */
} tl_surface;

/* All shapes that have an end. */
void tl_surface_make(tl_surface *, const tl_replay *);
/* Half-planes and half-spaces as they stand in a frame, cut off at a box. They come after the rest; `points`, `corners` and `polygons` set back
 * to what they were takes them away again. */
void tl_surface_add_walls(tl_surface *, const tl_replay *, const tl_replay_frame *, const double low[3], const double high[3]);
void tl_surface_free(tl_surface *);

/* ---- vtk_solids.c ----------------------------------------------------------------------------------------------------- */

/* All finite-element solids of the run in a frame, as they are deformed; `notes` as for tl_vtp_begin. */
TALUS_NODISCARD talus_status tl_vtk_solids(tl_vtp *, const tl_replay *, int frame, const char *const *notes, tl_error *);

#endif
