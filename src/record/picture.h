/* The parts of a picture: what is seen and from where (picture.c), in which colours (picture_colours.c), bodies in the plane (picture_plane.c)
 * and in space (picture_space.c, picture_solids.c, picture_floor.c, picture_raster.c, picture_shade.c), and what is written over and under them
 * (picture_marks.c); finite-element solids (picture_mesh.c, picture_mesh_plane.c, picture_mesh_space.c).
 *
 * Both dimensions share one projection: x_page = A x_world, an orthographic camera. In the plane it looks along −z. */
#ifndef TL_PICTURE_H
#define TL_PICTURE_H

#include <cairo.h>

#include "record/replay.h"
#include "record/skeleton.h"
#include "talus/record.h"

typedef struct tl_colour {
    double r, g, b;
} tl_colour;

/* What a colour says: a range of a number, or the names of materials. */
typedef struct tl_colour_scale {
    const char *caption; /* NULL: colours are roles and need no legend            */
    const char *unit;
    double low, high;
    bool below, above; /* a few bodies lie outside of the range                       */
} tl_colour_scale;

/* How a body is shown. */
typedef enum tl_showing { TL_SHOWN, TL_FADED, TL_HIDDEN } tl_showing;

/* A finite-element solid in the frame that is drawn. */
typedef struct tl_picture_mesh {
    tl_replay_deformed deformed;
    double *value; /* [nodes] what colours it */
    tl_colour colour;
    bool valued; /* coloured by them, else as a whole */
} tl_picture_mesh;

typedef struct tl_picture {
    const tl_replay *run;
    const tl_replay_frame *frame;
    const talus_picture_def *def;
    cairo_t *cr;
    double width, height;      /* of the page, of which the strip below is part [pixels]                       */
    double strip;              /* height of the strip                                                          */
    double unit;               /* what a line of width one measures [pixels]: pictures of any size look alike  */
    tl_vec3 right, up, toward; /* of the camera, world axes                                                    */
    double low[2], high[2];    /* what is seen, along right and up [m]                                         */
    double corner[3], far[3];  /* the box around all that has an end, world axes [m]                           */
    double scale, left, top;   /* page = (left + scale·(right·x), top − scale·(up·x))                          */
    double strongest;          /* normal force that has the widest line [N]                                    */
    double latest;             /* of the times to be written [s]                                               */
    int decimals;              /* of times; −1: four digits                                                    */
    tl_skeleton skeleton;      /* of the run */
    tl_colour *colour;         /* [bodies]                                                                     */
    tl_showing *showing;       /* [bodies]                                                                     */
    bool without_joints;       /* of the skeleton only ropes, and links without shapes                         */
    tl_picture_mesh *mesh;     /* [solids of the run]                                                          */
    tl_colour_scale meaning;
    cairo_font_face_t *font;
} tl_picture;

/* ---- picture_view.c */
void tl_picture_aim(tl_picture *);
/* What is seen, and what the scales are for, of many frames: begin, add each, end at one of them. */
typedef struct tl_picture_survey {
    double *strongest, *value, *largest; /* [frames]: of forces, end of the scale of colours, largest number that colours a body */
    double least, begin;                 /* of all: least number, begin of the scale */
    int frames;
} tl_picture_survey;

/* Of the numbers that colour one frame. */
typedef struct tl_picture_range {
    double least, begin, end, largest; /* begin, end: of a scale of its own */
} tl_picture_range;
void tl_picture_survey_begin(tl_picture *);
TALUS_NODISCARD bool tl_picture_survey_add(tl_picture *, tl_picture_survey *);
void tl_picture_survey_end(tl_picture *, tl_picture_survey *);
/* Size of the page, and where on it things are. */
void tl_picture_lay_out(tl_picture *);
static inline bool tl_picture_shows(const tl_picture *p, int body) { return tl_replay_is_there(p->frame, body) && (body < 0 || p->showing[body] != TL_HIDDEN); }
bool tl_picture_shows_part(const tl_picture *, const tl_part *);
void tl_picture_to_page(const tl_picture *, const double world[3], double page[2]);
/* A point in the axes of a body, on the page. */
void tl_picture_point(const tl_picture *, int body, const double local[3], double page[2]);
/* Takes a point into what is seen, with `rim` around it. */
void tl_picture_include(tl_picture *, const double world[3], double rim);
/* Whether a point, world axes, lies between the plane of the cut and the camera. */
static inline bool tl_picture_is_cut(const tl_picture *p, const double x[3])
{
    const tl_vec3 n = tl_load3(p->def->cut);
    const double beyond = tl_dot(n, tl_load3(x)) - p->def->cut_at;
    return tl_dot(n, n) > 0 && (tl_dot(n, p->toward) < 0 ? -beyond : beyond) > 0;
}
static inline const double *tl_picture_corner(const tl_picture *p, const tl_replay_shape *s, int k) { return p->run->point[s->first_point + k]; }

/* ---- picture_colours.c */
extern const tl_colour TL_PAPER, TL_INK, TL_FORCE, TL_LINK, TL_WALL;
/* What the colours will say, without the ends of a scale. */
void tl_picture_name_colours(tl_picture *);
/* Of this frame. False: memory ran out. */
TALUS_NODISCARD bool tl_picture_measure_colours(const tl_picture *, tl_picture_range *);
/* Fills colour by the meaning. */
TALUS_NODISCARD bool tl_picture_choose_colours(tl_picture *);
/* Of a shape: that of its body, or of its own material. */
tl_colour tl_picture_colour(const tl_picture *, const tl_replay_shape *);
/* Of a part of a mechanism: bars and wheels as their bodies, the others as what they are. */
tl_colour tl_picture_part_colour(const tl_picture *, const tl_part *);
/* From 0 (pale) to 1 (deep). */
tl_colour tl_ramp(double at);
tl_colour tl_material_colour(int material);
tl_colour tl_mix(tl_colour from, tl_colour to, double share);
static inline tl_colour tl_darker(tl_colour c, double share) { return (tl_colour){c.r * share, c.g * share, c.b * share}; }
void tl_ink(const tl_picture *, tl_colour, double opacity);

/* ---- picture_plane.c, picture_space.c: all bodies */
TALUS_NODISCARD bool tl_picture_plane(tl_picture *);
TALUS_NODISCARD bool tl_picture_space(tl_picture *);
/* The drawn parts of half-spaces, into what is seen. */
void tl_picture_include_floors(tl_picture *);

/* ---- picture_mesh.c: finite-element solids */
/* Those of a frame, with what colours them. */
TALUS_NODISCARD talus_status tl_picture_read_meshes(tl_picture *, int frame, tl_error *);
void tl_picture_free_meshes(tl_picture *);
void tl_picture_include_meshes(tl_picture *);
/* Takes their numbers into the range. False: memory ran out. */
TALUS_NODISCARD bool tl_picture_measure_meshes(const tl_picture *, tl_picture_range *);
void tl_picture_colour_meshes(tl_picture *);
/* What a number means on the scale, from 0 to 1. */
double tl_picture_share(const tl_picture *, double value);
/* A loop of a solid (replay.h): places of its nodes and the mean of them, world axes, and their shares; returns how many nodes. */
int tl_picture_mesh_loop(const tl_picture *, int solid, int loop, double (*x)[3], double *share);
/* How strong lines between elements are: those of a mesh too fine to be seen would hide its colours. */
double tl_picture_mesh_ink(const tl_picture *, int solid);
/* ---- picture_mesh_plane.c */
void tl_picture_mesh_plane(const tl_picture *);

/* ---- picture_marks.c */
/* The line of a contact's normal force, in world axes, and its share of the strongest, from 0 (too weak to be drawn) to 1. */
double tl_picture_force(const tl_picture *, int contact, double line[3][3]);
double tl_picture_force_width(const tl_picture *, double share); /* [pixels] */
void tl_picture_forces(tl_picture *);                            /* of a run in the plane */
void tl_picture_axes(tl_picture *);
/* The strip below the picture; returns its rows. With `draw` false it only measures. */
int tl_picture_strip(tl_picture *, bool draw);
double tl_picture_row(const tl_picture *); /* height of a row [pixels] */
/* Largest of 1, 2, 5 × 10^k that does not exceed x. */
double tl_round_length(double x);

#endif
