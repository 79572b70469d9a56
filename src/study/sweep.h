/* One scene with many values: a run for each combination, side by side, then one table. sweep.c plans and runs, sweep_table.c compares,
 * sweep_page.c draws. */
#ifndef TL_SWEEP_H
#define TL_SWEEP_H

#include <stdio.h>

#include "study/study.h"

typedef struct tl_sweep_def {
    const char *scene, *directory;
    const char *const *setting; /* path=value, for all runs                     */
    int settings;
    const char *const *vary; /* path=a,b,c: each a factor of the product     */
    int varied, parallel;
    double until; /* [s]; ≤ 0: to the scene's end                 */
    bool resume, force;
    int (*run)(int argc, char **argv); /* as `talus run` from a command line: its exit code */
    FILE *messages, *table;            /* progress and mistakes; the table at the end       */
    int width;                         /* of the table [letters]                            */
} tl_sweep_def;

/* One --vary. */
typedef struct tl_factor {
    char *path, **value;
    const char *label; /* the end of the path           */
    int values;
    bool numeric;     /* every value a number with the same unit, or none */
    double *number;   /* [values]                      */
    const char *unit; /* of the numbers, "" without one */
} tl_factor;

typedef struct tl_sweep_run {
    char *name, *title, *directory; /* of the directory below that of the sweep; for people; the whole path */
    int *choice;                    /* [factors] which value                 */
    int code;
    bool finished; /* before this sweep began                              */
} tl_sweep_run;

typedef struct tl_sweep {
    const tl_sweep_def *def;
    tl_factor *factor;
    tl_sweep_run *run;
    int factors, runs, ended;
    int *due, dues; /* runs to do now */
    int lock;       /* of the directory */
} tl_sweep;

/* INPUT: a mistake in the scene, its settings or values, of which all are listed in `messages`; IO. OK also when runs failed: `failed` counts them. */
TALUS_NODISCARD talus_status tl_sweep_run_all(const tl_sweep_def *, int *failed, bool *interrupted, tl_error *);

/* ---- what the runs left: sweep_table.c -------------------------------------------------------------------------------- */

typedef struct tl_cell {
    const char *text; /* or, where there is none: */
    double value;     /* NaN: empty                */
} tl_cell;

typedef struct tl_comparison {
    const tl_sweep *sweep;
    tl_series *series; /* [runs] columns 0: there is none                                   */
    char **probe, **unit;
    int probes;
    char **column; /* [columns] */
    int columns;
    tl_cell *cell; /* [runs × columns] */
    char **kept;   /* texts of cells */
    int texts;
} tl_comparison;

talus_status tl_compare(tl_comparison *, const tl_sweep *, tl_error *);
void tl_comparison_free(tl_comparison *);
/* Index of the column "probe.what". */
int tl_comparison_column(const tl_comparison *, const char *probe, const char *what);
/* With all digits. */
void tl_comparison_csv(const tl_comparison *, FILE *);
/* With five digits, in blocks below each other of at most `width` letters a line, where single columns fit: each begins with the varied values. */
void tl_comparison_table(const tl_comparison *, FILE *, int width);
/* sweep_page.c */
void tl_comparison_page(const tl_comparison *, FILE *);

#endif
