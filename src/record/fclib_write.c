/* Writing files of FCLIB (talus/fclib.h): matrices by compressed columns. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/record.h"
#include "record/fclib_matrix.h"
#include "talus/fclib.h"

/* The symmetric part of W, of which talus/problem.h speaks: half of each entry, and half of it across. */
static talus_status symmetric_part(const talus_problem_def *def, tl_fclib_rows *out, tl_error *error)
{
    const int d = def->dimension, blocks = def->row[def->contacts];
    if (blocks > INT_MAX / (2 * d * d)) {
        (void)tl_fail(error, TALUS_UNSUPPORTED, "W has more than 2^30 entries");
        return TALUS_UNSUPPORTED;
    }
    tl_fclib_matrix s = {.rows = def->contacts * d, .columns = def->contacts * d};
    const size_t count = 2 * (size_t)(blocks * d * d) + 1;
    s.row = malloc(count * sizeof *s.row);
    s.column = malloc(count * sizeof *s.column);
    s.value = malloc(count * sizeof *s.value);
    const bool enough = s.row && s.column && s.value;
    for (int r = 0; enough && r < def->contacts; r++)
        for (int k = def->row[r]; k < def->row[r + 1]; k++)
            for (int e = 0; e < d * d; e++) {
                const int row = r * d + e / d, column = def->column[k] * d + e % d;
                s.row[s.count] = s.column[s.count + 1] = row;
                s.column[s.count] = s.row[s.count + 1] = column;
                s.value[s.count] = s.value[s.count + 1] = 0.5 * def->block[k * d * d + e];
                s.count += 2;
            }
    const talus_status status = enough ? tl_fclib_blocks(&s, d, out, error) : tl_fclib_no_memory(error);
    tl_fclib_free(&s);
    return status;
}

/* By compressed columns. */
typedef struct compressed {
    int rows, columns;
    const int *p, *i;
    const double *x;
} compressed;

/* W, of which columns are rows, and u = W r + q. */
typedef struct whole {
    int size, count, *p, *i;
    double *x, *u;
} whole;

static void whole_free(whole *c)
{
    free(c->p);
    free(c->i);
    free(c->x);
    free(c->u);
}

static talus_status compress(const talus_problem_def *def, const tl_fclib_rows *W, whole *c, tl_error *error)
{
    const int d = def->dimension;
    *c = (whole){.size = def->contacts * d};
    const size_t entries = (size_t)(W->row[def->contacts] * d * d);
    c->p = malloc(((size_t)c->size + 1) * sizeof *c->p);
    c->i = malloc(entries * sizeof *c->i);
    c->x = malloc(entries * sizeof *c->x);
    c->u = malloc((size_t)c->size * sizeof *c->u);
    if (!c->p || !c->i || !c->x || !c->u) return tl_fclib_no_memory(error);
    for (int row = 0; row < c->size; row++) {
        c->p[row] = c->count;
        c->u[row] = def->q[row];
        for (int k = W->row[row / d]; k < W->row[row / d + 1]; k++)
            for (int b = 0; b < d; b++) {
                const int column = W->column[k] * d + b;
                const double entry = W->block[(k * d + row % d) * d + b];
                c->u[row] += entry * def->impulse[column];
                c->i[c->count] = column;
                c->x[c->count++] = entry;
            }
    }
    c->p[c->size] = c->count;
    return TALUS_OK;
}

static bool put(hid_t file, const char *name, hid_t type, int count, const void *data, const char *meaning)
{
    const hsize_t shape = (hsize_t)count;
    return tl_h5_write(file, &(tl_h5_set){name, type, 1, &shape, NULL, meaning}, data);
}

static bool put_int(hid_t file, const char *name, int value) { return put(file, name, H5T_NATIVE_INT, 1, &value, NULL); }

static bool put_text(hid_t file, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const bool done = put(file, name, type, 1, text, NULL);
    H5Tclose(type);
    return done;
}

static bool write_matrix(hid_t file, const char *name, const compressed *A)
{
    const struct {
        const char *set;
        int value;
    } number[] = {{"m", A->rows}, {"n", A->columns}, {"nz", -1}, {"nzmax", A->p[A->columns]}};
    char set[64];
    bool done = true;
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        snprintf(set, sizeof set, "%s/%s", name, number[i].set);
        done = done && put_int(file, set, number[i].value);
    }
    snprintf(set, sizeof set, "%s/p", name);
    done = done && put(file, set, H5T_NATIVE_INT, A->columns + 1, A->p, "where columns begin");
    snprintf(set, sizeof set, "%s/i", name);
    done = done && put(file, set, H5T_NATIVE_INT, A->p[A->columns], A->i, "rows");
    snprintf(set, sizeof set, "%s/x", name);
    return done && put(file, set, H5T_NATIVE_DOUBLE, A->p[A->columns], A->x, "entries");
}

/* A problem of either kind; what the other has is NULL. */
typedef struct writing {
    const char *title;
    const talus_problem_def *local;
    const whole *W;
    const talus_global_problem *global;
    const double *u;
} writing;

static bool write_info(hid_t file, const char *group, const char *title, const char *math)
{
    const char *const text[][2] = {{"title", title ? title : "a contact problem"}, {"description", "written by talus " TALUS_VERSION}, {"math_info", math}};
    char set[64];
    bool done = true;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        snprintf(set, sizeof set, "%s/info/%s", group, text[i][0]);
        done = done && put_text(file, set, text[i][1]);
    }
    return done;
}

static bool write_local(hid_t file, const writing *w)
{
    const talus_problem_def *def = w->local;
    const whole *W = w->W;
    return put_int(file, "fclib_local/spacedim", def->dimension) && write_matrix(file, "fclib_local/W", &(compressed){W->size, W->size, W->p, W->i, W->x}) &&
           put(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, W->size, def->q, "u where r is zero: normal, tangents") &&
           put(file, "fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, def->contacts, def->friction, "friction") &&
           write_info(file, "fclib_local", w->title, "W is symmetric and positive semidefinite") && put_int(file, "guesses/number_of_guesses", 1) &&
           put(file, "guesses/1/u", H5T_NATIVE_DOUBLE, W->size, W->u, "W r + q") &&
           put(file, "guesses/1/r", H5T_NATIVE_DOUBLE, W->size, def->impulse, "impulses");
}

static bool write_global(hid_t file, const writing *w)
{
    const talus_global_problem *g = w->global;
    const int numbers = g->contacts * g->dimension;
    return put_int(file, "fclib_global/spacedim", g->dimension) &&
           write_matrix(file, "fclib_global/M", &(compressed){g->velocities, g->velocities, g->mass_begin, g->mass_row, g->mass}) &&
           write_matrix(file, "fclib_global/H", &(compressed){g->velocities, numbers, g->begin, g->row, g->direction}) &&
           put(file, "fclib_global/vectors/f", H5T_NATIVE_DOUBLE, g->velocities, g->f, "M v where r is zero") &&
           put(file, "fclib_global/vectors/w", H5T_NATIVE_DOUBLE, numbers, g->w, "u less H^T v: normal, tangents") &&
           put(file, "fclib_global/vectors/mu", H5T_NATIVE_DOUBLE, g->contacts, g->friction, "friction") &&
           write_info(file, "fclib_global", w->title, "M is symmetric and positive definite") && put_int(file, "guesses/number_of_guesses", 1) &&
           put(file, "guesses/1/v", H5T_NATIVE_DOUBLE, g->velocities, g->v, "velocities") &&
           put(file, "guesses/1/u", H5T_NATIVE_DOUBLE, numbers, w->u, "H^T v + w") &&
           put(file, "guesses/1/r", H5T_NATIVE_DOUBLE, numbers, g->impulse, "impulses");
}

/* Beside the place where it goes; then it takes it. */
static talus_status write_file(const char *path, const writing *w, tl_error *error)
{
    const size_t length = strlen(path) + 5;
    if (!tl_may_replace(path)) return tl_fail(error, TALUS_IO, "cannot write '%s': it is there, and no regular file", path);
    char *beside = malloc(length);
    if (!beside) return tl_fclib_no_memory(error);
    snprintf(beside, length, "%s.tmp", path);
    const hid_t file = tl_h5_create(beside, error);
    bool done = file >= 0;
    if (done) {
        errno = 0;
        done = w->global ? write_global(file, w) : write_local(file, w);
        done = H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 && done;
        done = H5Fclose(file) >= 0 && done;
        done = done && rename(beside, path) == 0;
        const int number = errno;
        if (!done) unlink(beside);
        if (!done) (void)tl_fail(error, TALUS_IO, "cannot write '%s': %s", path, number ? strerror(number) : "is the disk full?");
    }
    free(beside);
    return done ? TALUS_OK : TALUS_IO;
}

talus_status talus_fclib_save(const talus_problem *problem, const char *path, const char *title, char *message, size_t size)
{
    tl_error error = {0};
    tl_fclib_rows blocks = {0};
    whole W = {0};
    if (!problem || !path) return TALUS_INPUT;
    const talus_problem_def def = talus_problem_get(problem);
    talus_status status = symmetric_part(&def, &blocks, &error);
    if (status == TALUS_OK) status = compress(&def, &blocks, &W, &error);
    if (status == TALUS_OK) status = write_file(path, &(writing){.title = title, .local = &def, .W = &W}, &error);
    tl_fclib_rows_free(&blocks);
    whole_free(&W);
    if (message && size > 0) snprintf(message, size, "%s", status == TALUS_OK ? "" : error.text);
    return status;
}

talus_status talus_fclib_save_global(const talus_global_problem *g, const char *path, const char *title, char *message, size_t size)
{
    tl_error error = {0};
    if (!g || !path) return TALUS_INPUT;
    const int numbers = g->contacts * g->dimension;
    double *u = malloc(((size_t)numbers + 1) * sizeof *u);
    talus_status status = u ? TALUS_OK : tl_fclib_no_memory(&error);
    for (int c = 0; u && c < numbers; c++) {
        u[c] = g->w[c];
        for (int k = g->begin[c]; k < g->begin[c + 1]; k++) u[c] += g->direction[k] * g->v[g->row[k]];
    }
    if (status == TALUS_OK && numbers == 0) status = tl_fail(&error, TALUS_INPUT, "a problem without contacts is none");
    if (status == TALUS_OK) status = write_file(path, &(writing){.title = title, .global = g, .u = u}, &error);
    free(u);
    if (message && size > 0) snprintf(message, size, "%s", status == TALUS_OK ? "" : error.text);
    return status;
}
