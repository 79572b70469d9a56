/* Words for tests of FCLIB's files: made here with HDF5 alone, by entries, columns or rows. */
#ifndef TALUS_TEST_FCLIB_H
#define TALUS_TEST_FCLIB_H

#include <ftw.h>
#include <hdf5.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "talus/fclib.h"
#include "test.h"

static char home[] = "/tmp/talus-test-fclib-XXXXXX";
enum { MOST = 64 }; /* rows */

static inline int remove_one(const char *path, const struct stat *s, int kind, struct FTW *walk)
{
    (void)s, (void)kind, (void)walk;
    return remove(path);
}

static inline const char *in_home(const char *name)
{
    static char path[4][256];
    static int next;
    snprintf(path[next = (next + 1) % 4], sizeof path[0], "%s/%s", home, name);
    return path[next];
}

static uint64_t state = 1;
static inline double uniform(void) /* −1 … 1 */
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 4503599627370496.0 - 1;
}

static inline bool all_closed(void) { return H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0; }

#ifdef TL_SANITIZED
/* HDF5 1.10 loses what it had read of an object's header when its checksum is wrong; what we leave open is counted above. */
TALUS_API const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5\n"; }
#endif

/* ---- files, by HDF5 alone -------------------------------------------------------------------------------------------- */

static inline void put(hid_t file, const char *name, hid_t type, int count, const void *data)
{
    const hsize_t shape = (hsize_t)count;
    const hid_t space = H5Screate_simple(1, &shape, NULL), make = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(make, 1);
    if (H5Lexists(file, name, H5P_DEFAULT) > 0) H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t set = H5Dcreate2(file, name, type, space, make, H5P_DEFAULT, H5P_DEFAULT);
    if (set < 0 || (count > 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)) TEST_FAIL("cannot write %s", name);
    H5Dclose(set);
    H5Pclose(make);
    H5Sclose(space);
}
static inline void put_ints(hid_t file, const char *name, int count, const int *data) { put(file, name, H5T_NATIVE_INT, count, data); }
static inline void put_int(hid_t file, const char *name, int value) { put_ints(file, name, 1, &value); }
static inline void put_doubles(hid_t file, const char *name, int count, const double *data) { put(file, name, H5T_NATIVE_DOUBLE, count, data); }

static inline void put_in(hid_t file, const char *group, const char *name, hid_t type, int count, const void *data)
{
    char full[64];
    snprintf(full, sizeof full, "%s/%s", group, name);
    put(file, full, type, count, data);
}

/* A dense matrix [rows][columns] without its zeros: form −1 by columns, −2 by rows, 0 by entries from the last to the first, each in two parts. */
static inline void put_matrix(hid_t file, const char *group, int form, int rows, int columns, const double *a)
{
    int p[2 * MOST * MOST], i[2 * MOST * MOST], n = 0;
    double x[2 * MOST * MOST];
    const int lines = form == -1 ? columns : rows, width = form == -1 ? rows : columns;
    for (int line = 0; form && line < lines; line++) {
        p[line] = n;
        for (int k = 0; k < width; k++) {
            const double value = form == -1 ? a[k * columns + line] : a[line * columns + k];
            if (value != 0) i[n] = k, x[n++] = value;
        }
    }
    if (form) p[lines] = n;
    for (int e = rows * columns - 1; !form && e >= 0; e--)
        for (int part = 0; part < 2 && a[e] != 0; part++) i[n] = e / columns, p[n] = e % columns, x[n++] = part ? 0.25 * a[e] : 0.75 * a[e];
    const int nz = form ? form : n;
    put_in(file, group, "m", H5T_NATIVE_INT, 1, &rows);
    put_in(file, group, "n", H5T_NATIVE_INT, 1, &columns);
    put_in(file, group, "nz", H5T_NATIVE_INT, 1, &nz);
    put_in(file, group, "nzmax", H5T_NATIVE_INT, 1, &n);
    put_in(file, group, "p", H5T_NATIVE_INT, form ? lines + 1 : n, p);
    put_in(file, group, "i", H5T_NATIVE_INT, n, i);
    put_in(file, group, "x", H5T_NATIVE_DOUBLE, n, x);
}

static inline hid_t create(const char *path) { return H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT); }

/* ---- problems --------------------------------------------------------------------------------------------------------- */

/* W of a problem as a dense matrix. */
static inline void dense(const talus_problem_def *def, double *out)
{
    const int d = def->dimension, n = def->contacts * d;
    memset(out, 0, (size_t)(n * n) * sizeof *out);
    for (int i = 0; i < def->contacts; i++)
        for (int k = def->row[i]; k < def->row[i + 1]; k++)
            for (int e = 0; e < d * d; e++) out[(i * d + e / d) * n + def->column[k] * d + e % d] += def->block[k * d * d + e];
}

static inline talus_problem *load(const char *path)
{
    talus_problem *p = NULL;
    char message[1024] = "";
    CHECK_OK(talus_fclib_load(path, &p, message, sizeof message), message);
    if (!p) exit(1);
    return p;
}

/* Gauss and Jordan, with pivots. */
static inline void invert(int n, double *a, double *out)
{
    for (int i = 0; i < n * n; i++) out[i] = i / n == i % n;
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int i = c; i < n; i++)
            if (fabs(a[i * n + c]) > fabs(a[best * n + c])) best = i;
        for (int k = 0; k < n; k++) {
            const double x = a[c * n + k], y = out[c * n + k];
            a[c * n + k] = a[best * n + k], a[best * n + k] = x;
            out[c * n + k] = out[best * n + k], out[best * n + k] = y;
        }
        const double pivot = a[c * n + c];
        for (int k = 0; k < n; k++) a[c * n + k] /= pivot, out[c * n + k] /= pivot;
        for (int i = 0; i < n; i++) {
            const double share = i == c ? 0 : a[i * n + c];
            for (int k = 0; k < n; k++) a[i * n + k] -= share * a[c * n + k], out[i * n + k] -= share * out[c * n + k];
        }
    }
}

static inline void put_global(const char *path, int d, int form, int v, int u, const double *M, const double *H, const double *f, const double *w,
                              const double *mu)
{
    const hid_t file = create(path);
    put_int(file, "fclib_global/spacedim", d);
    put_matrix(file, "fclib_global/M", form, v, v, M);
    put_matrix(file, "fclib_global/H", form, v, u, H);
    put_doubles(file, "fclib_global/vectors/f", v, f);
    put_doubles(file, "fclib_global/vectors/w", u, w);
    put_doubles(file, "fclib_global/vectors/mu", u / d, mu);
    H5Fclose(file);
}

/* Two contacts in space with W = 1, by entries, and a guess. */
static inline hid_t sound(void)
{
    const double x[6] = {1, 1, 1, 1, 1, 1};
    const int at[6] = {0, 1, 2, 3, 4, 5};
    const hid_t file = create(in_home("wrong.hdf5"));
    put_int(file, "fclib_local/spacedim", 3);
    put_int(file, "fclib_local/W/m", 6);
    put_int(file, "fclib_local/W/n", 6);
    put_int(file, "fclib_local/W/nz", 6);
    put_ints(file, "fclib_local/W/p", 6, at);
    put_ints(file, "fclib_local/W/i", 6, at);
    put_doubles(file, "fclib_local/W/x", 6, x);
    put_doubles(file, "fclib_local/vectors/q", 6, x);
    put_doubles(file, "fclib_local/vectors/mu", 2, x);
    put_int(file, "guesses/number_of_guesses", 1);
    put_doubles(file, "guesses/1/r", 6, x);
    return file;
}

/* Closes the file and checks what is said of it. */
static inline void refused(hid_t file, const char *name, talus_status status, const char *what)
{
    talus_problem *p = NULL;
    char message[1024] = "";
    if (file >= 0) H5Fclose(file);
    const talus_status got = talus_fclib_load(in_home(name), &p, message, sizeof message);
    if (got != status || p) TEST_FAIL("%s: %s instead of %s: %s", what, talus_status_name(got), talus_status_name(status), message);
    if (!strstr(message, what) || !strstr(message, name)) TEST_FAIL("'%s' in '%s' is not said: %s", what, name, message);
    if (!all_closed()) TEST_FAIL("%s: something is still open", what);
    talus_problem_destroy(p);
}

static inline void leave_home(void) { nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

#endif
