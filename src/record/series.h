/* series.csv read back, or any table of numbers under one line of names. */
#ifndef TL_SERIES_H
#define TL_SERIES_H

#include "base/base.h"

typedef struct tl_series {
    int columns, rows;
    char **name;    /* [columns]                     */
    double **value; /* [columns][rows]               */
} tl_series;

/* IO: not there; INPUT: a row with another number of columns, or a word that is no number (the text names file and line). */
TALUS_NODISCARD talus_status tl_series_read(tl_series *, const char *path, tl_error *);
void tl_series_free(tl_series *);
/* Index of a column, −1: there is none. */
int tl_series_find(const tl_series *, const char *name);

#endif
