/* The table of a case's language (verify/README.md). */
#include "study/verify.h"

/* one key a line: */
/* clang-format off */
#define END {.name = NULL}

/* One number. */
#define MEASURE \
    {.name = "run", .type = KEY_REFERENCE, .choices = "run", .text = "whose rows; without it `of` is an expression of values and parameters"}, \
    {.name = "of", .type = KEY_TEXT, .required = true, .text = "an expression"}, \
    {.name = "take", .type = KEY_WORD, .choices = "first last min max largest mean", .text = "which of the rows' numbers; largest: by magnitude"}, \
    {.name = "from", .type = KEY_QUANTITY, .unit = "s", .fallback = "the start", .text = "rows before it are left out"}, \
    {.name = "to", .type = KEY_QUANTITY, .unit = "s", .fallback = "the end", .text = "rows after it are left out"}

static const tl_key RUN[] = {
    {.name = "scene", .type = KEY_TEXT, .required = true, .text = "a file, relative to the case"},
    {.name = "set", .type = KEY_FREE, .text = "settings: path: value"},
    {.name = "long", .type = KEY_FLAG, .fallback = "false", .text = "left out by --quick"},
    END};

static const tl_key VALUE[] = {MEASURE, END};

static const tl_key CHECK[] = {
    {.name = "quantity", .type = KEY_TEXT, .required = true, .text = "what it is, in words"},
    MEASURE,
    {.name = "expected", .type = KEY_TEXT, .text = "an expression of values and parameters"},
    {.name = "tolerance", .type = KEY_TEXT, .text = "an expression"},
    {.name = "below", .type = KEY_TEXT, .text = "an expression: it must be less"},
    {.name = "above", .type = KEY_TEXT, .text = "an expression: it must be more"},
    {.name = "because", .type = KEY_TEXT, .required = true, .text = "where the tolerance or the bound comes from"},
    {.name = "known_deviation", .type = KEY_TEXT, .text = "why what is expected is not met: then it may lie between the bounds instead"},
    END};

static const tl_key CURVE[] = {
    {.name = "name", .type = KEY_TEXT, .text = "in the legend"},
    {.name = "run", .type = KEY_REFERENCE, .choices = "run", .text = "whose rows"},
    {.name = "x", .type = KEY_TEXT, .fallback = "time", .text = "an expression"},
    {.name = "y", .type = KEY_TEXT, .text = "an expression"},
    {.name = "points", .type = KEY_FREE, .text = "or a list of [x, y], expressions of values and parameters"},
    {.name = "style", .type = KEY_WORD, .choices = "line dashed points", .fallback = "line", .text = ""},
    END};

static const tl_key FIGURE[] = {
    {.name = "title", .type = KEY_TEXT, .required = true, .text = ""},
    {.name = "curves", .type = KEY_OBJECTS, .sub = CURVE, .required = true, .text = ""},
    {.name = "x_label", .type = KEY_TEXT, .text = ""},
    {.name = "y_label", .type = KEY_TEXT, .text = ""},
    {.name = "log_x", .type = KEY_FLAG, .fallback = "false", .text = ""},
    {.name = "log_y", .type = KEY_FLAG, .fallback = "false", .text = ""},
    END};

const tl_key TL_CASE_KEYS[] = {
    {.name = "title", .type = KEY_TEXT, .required = true, .text = ""},
    {.name = "source", .type = KEY_TEXT, .required = true, .text = "where what is expected comes from"},
    {.name = "parameters", .type = KEY_FREE, .text = "names for quantities"},
    {.name = "functions", .type = KEY_FREE, .text = "names for functions of t, of parameters and of the functions above"},
    {.name = "tables", .type = KEY_FREE, .text = "names for files with numbers, relative to the case"},
    {.name = "runs", .type = KEY_NAMED, .sub = RUN, .required = true, .text = ""},
    {.name = "values", .type = KEY_NAMED, .sub = VALUE, .text = "names for numbers"},
    {.name = "checks", .type = KEY_OBJECTS, .sub = CHECK, .required = true, .text = ""},
    {.name = "figures", .type = KEY_OBJECTS, .sub = FIGURE, .text = ""},
    END};
/* clang-format on */
