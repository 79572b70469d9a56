/* Tables of numbers with a line of names: series.csv and the references of verify/. */
#include "record/series.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_names(tl_series *s, char *line)
{
    s->columns = 1;
    for (const char *c = line; *c; c++) s->columns += *c == ',';
    s->name = calloc((size_t)s->columns, sizeof *s->name);
    s->value = calloc((size_t)s->columns, sizeof *s->value);
    for (int k = 0; s->name && k < s->columns; k++) s->name[k] = strdup(strsep(&line, ","));
    return s->name && s->value;
}

static bool add_row(tl_series *s, int *capacity)
{
    if (s->rows < *capacity) return true;
    *capacity = *capacity ? 2 * *capacity : 1024;
    for (int k = 0; k < s->columns; k++) {
        double *more = realloc(s->value[k], (size_t)*capacity * sizeof *more);
        if (!more) return false;
        s->value[k] = more;
    }
    return true;
}

static talus_status read_row(tl_series *s, char *line, const char *path, tl_error *error)
{
    const int number = s->rows + 2;
    for (int k = 0; k < s->columns; k++) {
        char *word = strsep(&line, ","), *end;
        if (!word) return tl_fail(error, TALUS_INPUT, "%s:%d: %d columns instead of %d", path, number, k, s->columns);
        s->value[k][s->rows] = strtod(word, &end);
        if (end == word || *end) return tl_fail(error, TALUS_INPUT, "%s:%d: '%.40s' in column '%s' is not a number", path, number, word, s->name[k]);
    }
    if (line) return tl_fail(error, TALUS_INPUT, "%s:%d: more than %d columns", path, number, s->columns);
    s->rows++;
    return TALUS_OK;
}

talus_status tl_series_read(tl_series *s, const char *path, tl_error *error)
{
    *s = (tl_series){0};
    FILE *in = fopen(path, "r");
    if (!in) return tl_fail(error, TALUS_IO, "cannot read '%s': %s", path, strerror(errno));
    char *line = NULL;
    size_t size = 0;
    int capacity = 0;
    talus_status status = TALUS_OK;
    for (ssize_t n; status == TALUS_OK && (n = getline(&line, &size, in)) >= 0;) {
        while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == '\r')) line[--n] = 0;
        if (!s->name ? !read_names(s, line) : !add_row(s, &capacity)) status = tl_fail(error, TALUS_MEMORY, "memory ran out on '%s'", path);
        else if (capacity > 0) status = read_row(s, line, path, error);
    }
    if (status == TALUS_OK && !s->name) status = tl_fail(error, TALUS_INPUT, "'%s' is empty", path);
    free(line);
    fclose(in);
    if (status != TALUS_OK) tl_series_free(s);
    return status;
}

void tl_series_free(tl_series *s)
{
    for (int k = 0; k < s->columns; k++) {
        if (s->name) free(s->name[k]);
        if (s->value) free(s->value[k]);
    }
    free(s->name);
    free(s->value);
    *s = (tl_series){0};
}

int tl_series_find(const tl_series *s, const char *name)
{
    for (int k = 0; k < s->columns; k++)
        if (strcmp(s->name[k], name) == 0) return k;
    return -1;
}
