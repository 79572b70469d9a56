/* Runs that are compared: what `talus sweep` and `talus verify` share: jobs side by side, plots. Knows scenes and records by
 * what they leave; steps no world. */
#ifndef TL_STUDY_H
#define TL_STUDY_H

#include <stdio.h>

#include "base/base.h"
#include "record/series.h"

/* ---- jobs.c: one process a job, so that one that crashes takes nothing with it -------------------------------------- */

typedef struct tl_jobs {
    int count, parallel;
    int (*job)(void *context, int index);
    void (*done)(void *context, int index, int code);
    void *context;
} tl_jobs;

/* Runs job(context, i) for i = 0 … count − 1, at most `parallel` at once, each in a process of its own whose exit code, to code [count], is what the job
 * returns (128 + signal if it was killed). done(context, i, code) is called here, in the order of the ends; may be NULL. After a job that says it was
 * interrupted (130), or after SIGINT or SIGTERM here, no other is begun; those have the code 130 too. Running jobs get SIGINT when this process is
 * told to stop: nothing else reaches them. */
TALUS_NODISCARD talus_status tl_jobs_run(const tl_jobs *, int *code, tl_error *);

/* ---- run.c ------------------------------------------------------------------------------------------------------------- */

/* Steps of length h that reach `end` (s both, from 0): the last one may pass it, and a rounding error of the quotient costs none.
 * 0: more than TALUS_STEPS, or no positive end. */
uint64_t tl_study_steps(double end, double h);
/* A scene with settings, to its end, results to a directory: 0 done, 1 failed, with what went wrong in DIRECTORY/messages.txt. For a job. */
int tl_study_run(const char *scene, const char *const *settings, int count, const char *directory);

/* ---- verify.c: talus verify ---------------------------------------------------------------------------------------------- */

typedef struct tl_verify_options {
    const char *cases;        /* the directory of the cases: one folder each       */
    const char *const *names; /* which; count 0: all                               */
    int count, parallel;
    const char *output; /* NULL: nothing is kept                             */
    bool quick, list;   /* without the long runs; titles only                */
    bool progress;      /* on stderr                                         */
} tl_verify_options;

/* The table goes to stdout, mistakes to stderr. 0: everything holds; 1: not; 2: a mistake in a case or in the options; 130: interrupted. */
int tl_verify(const tl_verify_options *);

/* ---- plot.c: figures as SVG, without a library --------------------------------------------------------------------------- */

typedef enum tl_curve_style { CURVE_LINE, CURVE_POINTS, CURVE_DASHED } tl_curve_style;

typedef struct tl_curve {
    const char *name; /* in the legend; NULL: none              */
    const double *x, *y;
    int count;
    tl_curve_style style;
} tl_curve;

typedef struct tl_plot {
    const char *title, *x_label, *y_label;
    bool log_x, log_y; /* points that are not positive are left out     */
    const tl_curve *curve;
    int curves;
} tl_plot;

/* Writes one <svg> element, 720 × 400 and the legend to the right of it, readable on white and on black where CSS says so. Values that are not finite break a
 * line. */
void tl_plot_write(FILE *, const tl_plot *);
/* Text with &, <, >, and quotes as entities. */
void tl_html_text(FILE *, const char *text);

#endif
