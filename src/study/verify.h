/* Cases of `talus verify`: runs, what is read from them, what is expected, and figures (verify/README.md).
 *
 * Everything that a case computes is an expression. Names in it are parameters, values, functions of t, and the columns of runs and tables, which
 * are live: before a row of a run is evaluated, its numbers are put where the expressions read them, and those of other runs and of tables,
 * interpolated at its time. So every expression is compiled and its dimension checked when the case is read, before anything runs. */
#ifndef TL_VERIFY_H
#define TL_VERIFY_H

#include "scene/schema.h"
#include "study/study.h"

extern const tl_key TL_CASE_KEYS[];

typedef enum tl_known { KNOWN, SKIPPED, BROKEN } tl_known;

/* Columns over time: those of a run, or of a table beside the case. */
typedef struct tl_source {
    const char *name;
    int columns, time; /* time: which column it is */
    const char **column;
    tl_dimension *dimension;
    double *slot; /* [columns] where expressions read */
    tl_series series;
    int row;     /* last one used: interpolation goes forward */
    bool wanted; /* some expression of the case reads it      */
    tl_known known;
    const char *trouble; /* BROKEN: why */
} tl_source;

typedef struct tl_case_run {
    const tl_node *node;
    const char *scene;          /* path */
    const char *const *setting; /* "path=value" */
    int settings, code;
    bool large; /* `long: true` */
} tl_case_run;

typedef enum tl_take { TAKE_NONE, TAKE_FIRST, TAKE_LAST, TAKE_MIN, TAKE_MAX, TAKE_LARGEST, TAKE_MEAN } tl_take;

/* One number: an expression, or what is taken from an expression over the rows of a run. */
typedef struct tl_measure {
    int run; /* −1: none */
    tl_take take;
    double from, to;
    const tl_expression *of;
    tl_dimension dimension;
    tl_known known;
    const char *trouble;
} tl_measure;

typedef struct tl_case_check {
    const char *quantity, *because;
    tl_measure measure;
    double obtained;
    const tl_expression *expected, *tolerance, *below, *above; /* NULL: not given */
    const char *deviation;                                     /* why what is expected is not met, and the bounds are; NULL: it must be met */
    const char *unit;
    enum { HOLDS, DEVIATES, FAILS, LEFT_OUT, VERDICTS } verdict;
    const char *text[3]; /* for the table: expected, obtained, tolerance */
} tl_case_check;

typedef struct tl_case {
    const char *name, *directory; /* of case.yaml */
    const char *title, *source;
    tl_arena *arena;
    tl_mistakes mistakes;
    tl_reading reading;
    int runs, sources; /* sources: the runs, then the tables */
    tl_case_run *run;
    tl_source *from;
    int values;
    tl_measure *value;
    double *value_slot;
    int functions;
    const tl_expression **function;
    double *function_slot;
    int checks;
    tl_case_check *check;
    /* scopes: of numbers (parameters, values), and of the rows of each run; the values stand last, so that one sees those above it */
    tl_name *number_names, **row_names;
    int number_count, *row_count;
} tl_case;

/* case.c. Reads directory/case.yaml, its scenes and tables; `title_only`: no more than the title. Mistakes are in the case, also those of the
 * scenes; NULL: memory ran out. */
tl_case *tl_case_read(const char *directory, const char *name, bool title_only);
void tl_case_free(tl_case *);

/* scope.c. Compiles an expression of the case: over the rows of a run, or of numbers (run −1), with the first `values` values. NULL after a mistake. */
bool tl_case_scopes(tl_case *);
tl_expression *tl_case_compile(tl_case *, const tl_node *, int run, int values, tl_dimension *);

/* measure.c */
/* Reads what the runs left in output/<case>/<run>; runs that were not made are skipped (code −1) or broken. */
void tl_case_load(tl_case *, const char *output);
/* Takes the values, judges the checks. */
void tl_case_judge(tl_case *);
/* May an expression over the rows of a run (or of numbers) be evaluated? Else why not. */
tl_known tl_case_can(const tl_case *, int run, const tl_expression *, const char **trouble);
/* An expression in every row of a run: [rows], malloc'ed. */
double *tl_case_rows(tl_case *, int run, const tl_expression *);
double tl_case_number(const tl_expression *);

/* verify_page.c: figures and table of one case, a piece of HTML. */
void tl_case_page(tl_case *, FILE *);
/* Compiles what the figures say; mistakes are in the case. */
void tl_case_check_figures(tl_case *);

/* "m/s" of a dimension; "" of a plain number. */
void tl_unit_of(tl_dimension, char text[64]);
const char *tl_case_text(tl_case *, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
