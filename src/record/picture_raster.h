/* Solids on a grid of samples with a depth buffer, a band of the page at a time. Coordinates are those of samples: x to the right, y down,
 * z towards the camera; RASTER_FINE samples a pixel along either side. Who is nearest at a sample holds it; of two that are equally near, who came first. */
#ifndef TL_PICTURE_RASTER_H
#define TL_PICTURE_RASTER_H

#include "record/picture.h"

enum { RASTER_FINE = 4, RASTER_NOTHING = -1 };

typedef struct tl_sample {
    float z;
    int32_t solid;            /* RASTER_NOTHING: paper                                               */
    float right, up, towards; /* unit normal of the surface there; it looks at the camera            */
} tl_sample;

/* What is seen of a solid. */
typedef struct tl_look {
    tl_colour colour;
    int body;     /* no line parts surfaces of one body that go on in each other                    */
    float crease; /* they do where the cosine between their normals is larger                       */
    float line;   /* strength of its lines, from 0 to 1                                             */
    float gloss;  /* of its brightest point, from 0 to 1                                            */
    bool round;   /* a solid without a crease of its own                                            */
    bool unlit;
    bool valued; /* its colour is that of the scale at slope · (column, row of the page, 1), between least and most */
    float slope[3], least, most;
} tl_look;

/* Rows [first, first + rows) of samples of a page that is `width` samples wide. */
typedef struct tl_band {
    int width, first, rows;
    tl_sample *sample; /* [rows][width] */
} tl_band;

void tl_band_clear(tl_band *);

/* A convex polygon in the plane through its first corner. With `axis`, of unit length, it stands for part of a round surface about the line through
 * `origin`. */
typedef struct tl_face {
    double (*corner)[3];
    int corners;
    double normal[3]; /* in the axes of the samples, looking at the camera: [2] > 0 */
    const double *origin, *axis;
} tl_face;
void tl_band_face(tl_band *, const tl_face *, int solid);
void tl_band_ball(tl_band *, const double centre[3], double radius, int solid);
/* With round ends. */
void tl_band_rod(tl_band *, const double from[3], const double to[3], double radius, int solid);

/* Colours of the rows [margin, rows − margin) of a band: red, green, blue from 0 to 1, [rows][width][3]. Lines reach `line` samples, at most `margin`. */
void tl_band_shade(const tl_band *, const tl_look *, int line, int margin, float *colour);
/* A layer of glass over them, where it is nearer than what is behind. */
void tl_band_glass(const tl_band *glass, const tl_band *behind, const tl_look *, int line, int margin, float *colour);

/* A line of one ink through two or three points. */
typedef struct tl_stroke {
    double point[3][3];
    int points;
    double width;           /* half of it [samples]              */
    double lift;            /* it counts as so much nearer       */
    double opacity, hidden; /* where it is seen, where it is not */
    tl_colour colour;
} tl_stroke;
void tl_band_stroke(const tl_band *, const tl_stroke *, int margin, float *colour);

/* Means over the samples of each pixel, as 0xffRRGGBB; `out`: the band's first pixel, `stride` pixels to the next row. */
void tl_band_pixels(const tl_band *, const float *colour, int margin, uint32_t *out, int stride);

#endif
