/* What a run leaves behind: series.csv, summary.json, trajectory.h5, checkpoint.h5 (docs/results.md). Part of libtalus_io. */
#ifndef TALUS_RECORD_H
#define TALUS_RECORD_H

#include "talus/body.h"
#include "talus/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct talus_record talus_record;

typedef struct talus_record_def {
    uint32_t struct_size;
    const char *directory; /* created when missing                                                           */
    bool resume;           /* continue the files of an interrupted run: restores the world from checkpoint.h5,
                              cuts series and trajectory back to that time                                   */
    bool force;            /* overwrite what another scene, other settings or a run without an end left there: else refused */
} talus_record_def;

TALUS_API talus_record_def talus_record_def_default(void);
/* Opens the files and writes the first row and frame (t = 0), or resumes; then they change with the first step. IO, INPUT (a checkpoint of
 * another scene, results that would be overwritten); the text is in `message`. The directory is held until the record is destroyed: a second run there is IO.
 * With OK, a message is a warning: a trajectory that could not be continued. */
TALUS_API TALUS_NODISCARD talus_status talus_record_open(const talus_record_def *def, const talus_scene *scene, talus_world *world, talus_record **out,
                                                         char *message, size_t message_size);
/* After each step: adds to the statistics and writes what is due. */
TALUS_API TALUS_NODISCARD talus_status talus_record_step(talus_record *record, const talus_world *world, const talus_step_report *report);
/* Writes the checkpoint now, atomically (write, sync, rename). */
TALUS_API TALUS_NODISCARD talus_status talus_record_checkpoint(talus_record *record, const talus_world *world);
/* Last row, frame, checkpoint, and summary.json with `status` ("done", "interrupted", or the text of the failure). */
TALUS_API TALUS_NODISCARD talus_status talus_record_close(talus_record *record, const talus_world *world, const char *status);
/* Frees the record; files still open are closed as they are. */
TALUS_API void talus_record_destroy(talus_record *record);
TALUS_API const char *talus_record_error(const talus_record *record);

/* Steps of the run, also before a resume, whose contact problem stayed above its tolerance. Zeros and "" when there are none. */
typedef struct talus_missed {
    uint64_t steps, all;  /* these; all steps that were made                                  */
    double tolerance;     /* the largest that was missed                                [m/s] */
    double median, worst; /* of their residuals (talus_step_report); the median to 3 %  [m/s] */
    double worst_time;    /* end of the worst step                                        [s] */
    const char *advice;   /* what to try                                                      */
} talus_missed;

TALUS_API void talus_record_missed(const talus_record *record, talus_missed *out);

/* ---- a settled state as another scene's start ---------------------------------------------------------------------- */

typedef struct talus_settled talus_settled;

/* The grains of a finished run (free bodies that are no links and have no name) as they lay in the frame nearest to `time`; infinite: the last.
 * IO: there is no such run; INPUT: it is damaged, or has no grains; the text is in `message`. */
TALUS_API TALUS_NODISCARD talus_status talus_settled_open(const char *directory, double time, talus_settled **out, char *message, size_t message_size);
TALUS_API void talus_settled_close(talus_settled *settled);
TALUS_API int talus_settled_dimension(const talus_settled *settled); /* 2 or 3 */
TALUS_API int talus_settled_count(const talus_settled *settled);
/* Where it lay; at rest, and with the mass of its shapes. */
TALUS_API void talus_settled_body(const talus_settled *settled, int index, talus_body_def *out);
TALUS_API int talus_settled_shape_count(const talus_settled *settled, int index);
/* A shape without material; its corners belong to `settled`. */
TALUS_API void talus_settled_shape(const talus_settled *settled, int index, int shape, talus_shape_def *out);

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

/* What the colour of a body says. */
typedef enum talus_picture_colour {
    TALUS_PICTURE_ROLE,     /* grains in the tones of stone, links blue, boundaries grey */
    TALUS_PICTURE_VELOCITY, /* speed of the origin [m/s]                                 */
    TALUS_PICTURE_FORCE,    /* largest normal force of its contacts [N]                  */
    TALUS_PICTURE_MATERIAL,
    /* finite-element solids by what they bear, all else by its role */
    TALUS_PICTURE_VON_MISES,      /* [Pa]                                                  */
    TALUS_PICTURE_PRESSURE,       /* minus a third of the trace [Pa]                       */
    TALUS_PICTURE_DISPLACEMENT,   /* its size [m]                                          */
    TALUS_PICTURE_PLASTIC_STRAIN, /* as talus_solid_yielded says [1]; 0 of what is elastic */
    TALUS_PICTURE_CAP             /* likewise [Pa]                                         */
} talus_picture_colour;

/* What the camera and the scales of colours and forces are chosen for. Of the limits of frames the widest holds; of forces that which one frame in ten
 * exceeds, for they have peaks. */
typedef enum talus_picture_fit {
    TALUS_PICTURE_FIT_DRAWN, /* all frames that are drawn: they can be compared                */
    TALUS_PICTURE_FIT_FRAME, /* each frame by itself                                           */
    TALUS_PICTURE_FIT_RUN    /* the whole run: at most 100 of its frames, spread evenly, are read */
} talus_picture_fit;

typedef struct talus_picture_def {
    uint32_t struct_size;
    const char *directory;       /* of a run                                                                          */
    const char *path;            /* the picture; its suffix decides: .png, .svg or .pdf                               */
    double time;                 /* the frame nearest to it [s]; infinite, as by default: the last                    */
    double azimuth, elevation;   /* where the camera stands, of a run in space [rad]: azimuth from x towards y,
                                    elevation above the x-y plane, at most a right angle; z is up. 30° and 25°        */
    talus_picture_colour colour; /* by default the role                                                               */
    int width, height;           /* [pixels; of a .pdf: points]; 0 and 0: 1200 along the longer side, as high as needed */
    bool hide_forces;            /* no network of contact forces                                                      */
    talus_picture_fit fit;       /* by default to the frames drawn                                                    */
    double low, high;            /* ends of the scale of colours, low < high; both 0, as by default: 0 and what is reached */
    const char *hide, *fade;     /* patterns of names of bodies, with commas between them, as in file names: * any text, ? any sign; or grains,
                                    links, solids, boundaries. Those of `hide` are left out, those of `fade` drawn as glass. `hide` may name joints, too:
                                    what is drawn of these, but for ropes and links without shapes. NULL: none */
    double cut[3], cut_at;       /* in space: what lies between the plane cut · x = cut_at [m] and the camera is left out, bodies that move freely
                                    by their origins, others up to the plane. {0}, as by default: nothing                */
    double deform;               /* displacements of finite-element solids are drawn so many times as large          default 1 */
} talus_picture_def;

TALUS_API talus_picture_def talus_picture_def_default(void);
/* Draws one frame of a run in the plane or in space, from trajectory.h5 alone. IO: a file cannot be read or written; INPUT: it is damaged, or the
 * definition is wrong; the text is in `message`. On failure no picture is left. */
TALUS_API TALUS_NODISCARD talus_status talus_picture_write(const talus_picture_def *def, char *message, size_t message_size);

/* Pictures of several frames of one run, from one camera and with one scale of colours: for series and films. */
typedef struct talus_pictures talus_pictures;
/* `time` of the definition is not looked at, and `path` may be NULL. Texts of the definition must last until the pictures are closed. Errors as above; on
 * failure nothing is open. */
TALUS_API TALUS_NODISCARD talus_status talus_pictures_open(const talus_picture_def *def, talus_pictures **out, char *message, size_t message_size);
TALUS_API void talus_pictures_close(talus_pictures *pictures); /* NULL: nothing */
/* Of the run, counted from 0. */
TALUS_API int talus_pictures_frame_count(const talus_pictures *pictures);
TALUS_API double talus_pictures_time(const talus_pictures *pictures, int frame); /* [s] */
TALUS_API int talus_pictures_nearest(const talus_pictures *pictures, double time);
/* Says which frames will be drawn, rising: sets the camera and the scales. Wanted before the first is drawn. */
TALUS_API TALUS_NODISCARD talus_status talus_pictures_choose(talus_pictures *pictures, const int *frame, int count, char *message, size_t message_size);
/* Draws a frame to a file; its suffix decides, as that of a picture's path does. On failure no picture is left. */
TALUS_API TALUS_NODISCARD talus_status talus_pictures_write(talus_pictures *pictures, int frame, const char *path, char *message, size_t message_size);
/* Rows of 0xffRRGGBB from the top; `stride`: from one row to the next [pixels]. */
typedef struct talus_pixels {
    const uint32_t *pixel;
    int width, height, stride;
} talus_pixels;
/* Draws a frame; its pixels last until the next is drawn. */
TALUS_API TALUS_NODISCARD talus_status talus_pictures_draw(talus_pictures *pictures, int frame, talus_pixels *out, char *message, size_t message_size);

/* A finished run for ParaView: bodies.pvd, contacts.pvd, forces.pvd, mechanism.pvd, parts.pvd, solids.pvd and the files that they list (docs/results.md). */
typedef struct talus_vtk_def {
    uint32_t struct_size;
    const char *directory, *output; /* of the run; where to, created when missing                                  */
    int first, last, stride;        /* frames first, first + stride, …, at most last; counted from 0               */
    double from, to;                /* and of these those with from ≤ time ≤ to [s]                                */
} talus_vtk_def;

/* Everything. */
TALUS_API talus_vtk_def talus_vtk_def_default(void);
/* IO: no such run, or what cannot be written; INPUT: a damaged run, or no frame is left. The text is in `message`; with OK `frames` were written. */
TALUS_API TALUS_NODISCARD talus_status talus_vtk_write(const talus_vtk_def *def, int *frames, char *message, size_t message_size);

/* One self-contained HTML page of a run, for any browser: playback, force network, plots, summary, scene. */
typedef struct talus_page_def {
    uint32_t struct_size;
    const char *directory; /* of a run                                                                        */
    const char *path;      /* of the page                                                                     */
    double bytes;          /* the page is not larger: lengths are rounded, frames and weak contacts left out,
                              and the page says so                                            default 8e6 */
} talus_page_def;

TALUS_API talus_page_def talus_page_def_default(void);
/* INPUT: no run there, a damaged one, or a library built without the viewer (talus_page_is_built). IO. The text is in `message`. */
TALUS_API TALUS_NODISCARD talus_status talus_page_write(const talus_page_def *def, char *message, size_t message_size);
TALUS_API bool talus_page_is_built(void);

#ifdef __cplusplus
}
#endif
#endif
