/* Quantities and expressions: `150 mm`, `15 rpm`, `vibration.amplitude * sin(2*pi*vibration.frequency*t)`.
 *
 * Values are SI; every value carries its dimension (m, kg, s, rad), so that adding a time to a length is found when the scene is read. An angle
 * is tracked: rpm, deg/s and turn/s are angular speeds, Hz is 1/s and is not. Compiled to a short program that gives the value and its first two
 * derivatives with respect to t (second-order dual numbers). */
#ifndef TL_EXPRESSION_H
#define TL_EXPRESSION_H

#include "base/base.h"
#include "talus/types.h"

typedef struct tl_dimension {
    double m, kg, s, rad;
    bool hertz;    /* written in Hz: never an angular speed */
    bool unitless; /* a number without a unit: SI of whatever it stands beside */
} tl_dimension;

/* A function of time that may be set to a number instead, which then holds: set[0] says whether it is, set[1] to what. */
typedef struct tl_input {
    const char *name;
    talus_motion motion;
    const double *set; /* [2] */
} tl_input;

/* Names that an expression may use. */
typedef struct tl_name {
    const char *name; /* dotted */
    double value;
    tl_dimension dimension;
    const double *live; /* NULL: `value`; else read whenever the expression is evaluated */
    enum { TL_NAME_NUMBER, TL_NAME_Q, TL_NAME_V, TL_NAME_STATE, TL_NAME_INPUT } kind;
    const tl_input *input;
    int index; /* of a coordinate, a rate or a state in tl_point */
} tl_name;

/* Where a law is evaluated: q, v, state by the indices of names; q[0], v[0] are those that are called q and v. */
typedef struct tl_point {
    double t;
    const double *q, *v, *state;
} tl_point;

enum { TL_WHY = 256 };

typedef struct tl_scope {
    const tl_name *names;
    int count;
    bool time, state; /* t; q and v with these dimensions */
    tl_dimension q, v;
    const double *stage_start; /* T = t − this, read whenever the expression is evaluated; NULL: there is no T */
    /* Names that are not listed. False: there is none, and `why`, unless it stays empty, says more about it. NULL: there are none. */
    bool (*find)(void *user, const char *word, tl_name *out, char why[TL_WHY]);
    void *user;
} tl_scope;

typedef struct tl_expression tl_expression;

/* NULL when the text is wrong: `error` says what and where in the text. The program lives in the arena. */
tl_expression *tl_expression_compile(const char *text, const tl_scope *scope, tl_arena *arena, tl_dimension *dimension, tl_error *error);
/* Of a function of time; out: value, d/dt, d²/dt². */
void tl_expression_value(const tl_expression *, double t, double out[3]);
/* Of a law, and ∂/∂v[index] or, if `of_state`, ∂/∂state[index] of it. */
double tl_expression_at(const tl_expression *, const tl_point *);
double tl_expression_slope(const tl_expression *, const tl_point *, bool of_state, int index);
/* Does it read one of these live values? */
bool tl_expression_reads(const tl_expression *, const double *live, int count);

/* A unit such as "N m/rad": its SI factor and dimension. False: unknown, `bad` is the word. */
bool tl_unit_parse(const char *text, double *factor, tl_dimension *dimension, char bad[32]);
/* "m", "rad/s", "kg m^2" → a readable name of a dimension. */
void tl_dimension_text(tl_dimension, char text[64]);
void tl_dimension_unit(tl_dimension, char text[64]); /* its unit alone; "1": a plain number */
/* May `given` stand where `wanted` is? An angle may be left out, except by writing Hz. */
bool tl_dimension_fits(tl_dimension given, tl_dimension wanted);

#endif
