/* What laws remember, in a run that is read back: columns that some contact of the run has, and their numbers in a frame. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "record/replay.h"

static int rows_of(const tl_replay *r, const char *name)
{
    hsize_t shape[3];
    void *nothing = H5Lexists(r->file, name, H5P_DEFAULT) > 0 ? tl_h5_read_rows(r->file, name, H5T_NATIVE_INT64, 0, 0, shape) : NULL;
    free(nothing);
    return nothing && shape[0] < INT32_MAX ? (int)shape[0] : 0;
}

bool tl_replay_read_states(tl_replay *r)
{
    hsize_t shape[3];
    if (H5Lexists(r->file, "states", H5P_DEFAULT) <= 0) return true; /* of a talus that had none */
    const int rows = rows_of(r, "states/contact");
    if (rows == 0) return true;
    void *nothing = tl_h5_read_rows(r->file, "states/value", H5T_NATIVE_DOUBLE, 0, 0, shape);
    free(nothing);
    if (!nothing || shape[0] < (hsize_t)rows || shape[1] < 1 || shape[1] > TL_STATE_COLUMNS) return false;
    const int columns = (int)shape[1];
    char **law = tl_h5_read_texts(r->file, "states/law", columns), **name = tl_h5_read_texts(r->file, "states/name", columns);
    r->state_unit = tl_h5_read_texts(r->file, "states/unit", columns);
    r->state_name = calloc((size_t)columns, sizeof *r->state_name);
    r->state_of = tl_h5_read_rows(r->file, "states/contact", H5T_NATIVE_INT64, 0, (hsize_t)rows, shape);
    bool done = law && name && r->state_unit && r->state_name && r->state_of;
    r->states = columns, r->state_rows = rows;
    for (int i = 0; done && i < columns; i++) {
        char text[256];
        snprintf(text, sizeof text, "%.100s_%.100s", law[i], name[i]);
        done = (r->state_name[i] = strdup(text)) != NULL;
    }
    for (int i = 1; done && i < rows; i++) done = r->state_of[i] > r->state_of[i - 1];
    tl_h5_free_texts(law, columns);
    tl_h5_free_texts(name, columns);
    return done;
}

void tl_replay_free_states(tl_replay *r)
{
    for (int i = 0; r->state_name && i < r->states; i++) free(r->state_name[i]);
    free((void *)r->state_name);
    tl_h5_free_texts(r->state_unit, r->states);
    free(r->state_of);
}

static int first_row(const tl_replay *r, int64_t contact)
{
    int low = 0, high = r->state_rows;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (r->state_of[middle] < contact) low = middle + 1;
        else high = middle;
    }
    return low;
}

bool tl_replay_state_of_frame(const tl_replay *r, int64_t first, int count, tl_replay_frame *f)
{
    hsize_t shape[3];
    if (r->states == 0) return true;
    free(f->state);
    f->state = calloc((size_t)r->states * (size_t)count + 1, sizeof *f->state);
    const int begin = first_row(r, first), rows = first_row(r, first + count) - begin;
    if (!f->state) return false;
    if (rows == 0) return true;
    double *value = tl_h5_read_rows(r->file, "states/value", H5T_NATIVE_DOUBLE, (hsize_t)begin, (hsize_t)rows, shape);
    const bool done = value && shape[1] == (hsize_t)r->states;
    for (int i = 0; done && i < rows; i++)
        for (int k = 0; k < r->states; k++) {
            const double x = value[(size_t)i * (size_t)r->states + (size_t)k];
            f->state[(size_t)k * (size_t)count + (size_t)(r->state_of[begin + i] - first)] = isfinite(x) ? x : 0;
        }
    free(value);
    return done;
}
