/* Damaged files, for what reads them: bytes in the file, or values through HDF5, as no checksum notices. Whatever is read then runs in a process
 * of its own, with limits on time and memory, and says by its exit code what came of it. */
#ifndef TALUS_DAMAGE_H
#define TALUS_DAMAGE_H

#include <fcntl.h>
#include <float.h>
#include <ftw.h>
#include <hdf5.h>
#include <limits.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/base.h"
#include "record/record.h"
#include "test.h"

typedef struct damage_bytes {
    unsigned char *at;
    size_t size;
} damage_bytes;

static inline damage_bytes damage_read(const char *path)
{
    struct stat s;
    FILE *in = fopen(path, "rb");
    damage_bytes b = {.size = in && fstat(fileno(in), &s) == 0 ? (size_t)s.st_size : 0};
    b.at = malloc(b.size + 1);
    if (!in || !b.at || fread(b.at, 1, b.size, in) != b.size) {
        fprintf(stderr, "cannot read '%s'\n", path);
        exit(1);
    }
    fclose(in);
    return b;
}

static inline void damage_write(const char *path, const damage_bytes *b)
{
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(b->at, 1, b->size, out) != b->size || fclose(out) != 0) exit(1);
}

/* One of: a few wild bytes, a flipped bit, a stretch of zeros, an end that is missing. */
static inline void damage_some_bytes(const damage_bytes *sound, const char *path, tl_random *random)
{
    damage_bytes b = {malloc(sound->size + 1), sound->size};
    if (!b.at) exit(1);
    memcpy(b.at, sound->at, b.size);
    const int way = tl_random_int(random, 4), at = tl_random_int(random, (int)b.size);
    if (way == 0)
        for (int k = tl_random_int(random, 8); k >= 0; k--) b.at[tl_random_int(random, (int)b.size)] = (unsigned char)tl_random_int(random, 256);
    else if (way == 1) b.at[at] ^= (unsigned char)(1 << tl_random_int(random, 8));
    else if (way == 2) memset(b.at + at, 0, b.size - (size_t)at < 64 ? b.size - (size_t)at : 64);
    else b.size = (size_t)at;
    damage_write(path, &b);
    free(b.at);
}

/* ---- values ----------------------------------------------------------------------------------------------------------- */

typedef struct damage_sets {
    char name[64][64];
    int count;
} damage_sets;

static inline herr_t damage_visit(hid_t object, const char *name, const H5O_info_t *info, void *context)
{
    damage_sets *s = context;
    (void)object;
    if (info->type == H5O_TYPE_DATASET && s->count < 64) snprintf(s->name[s->count++], sizeof s->name[0], "%.63s", name);
    return 0;
}

static inline damage_sets damage_list(const char *path)
{
    damage_sets s = {.count = 0};
    tl_error error;
    const hid_t file = tl_h5_open(path, &error);
    if (file < 0 || H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, damage_visit, &s, H5O_INFO_BASIC) < 0) exit(1);
    H5Fclose(file);
    return s;
}

static inline double damage_real(tl_random *random)
{
    static const double WILD[] = {0, -1, 1, 1e300, -1e300, 1e15, DBL_MIN, DBL_MAX, (double)NAN, (double)INFINITY, -(double)INFINITY, 3e9};
    return WILD[tl_random_int(random, (int)(sizeof WILD / sizeof *WILD))];
}

static inline int64_t damage_whole(tl_random *random)
{
    static const int64_t WILD[] = {-1, 0, 1, 2, 3, 9, 255, 65536, INT_MAX, INT_MIN, 1 << 30, INT64_MAX, INT64_MIN};
    return WILD[tl_random_int(random, (int)(sizeof WILD / sizeof *WILD))];
}

/* Some numbers of an open dataset, or bytes of its texts. */
static inline void damage_values(hid_t set, tl_random *random)
{
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const H5T_class_t class = H5Tget_class(type);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    const size_t size = class == H5T_STRING ? H5Tget_size(type) : 8;
    const hid_t memory = class == H5T_FLOAT ? H5T_NATIVE_DOUBLE : class == H5T_INTEGER ? H5T_NATIVE_INT64 : type;
    char *data = n > 0 && H5Tis_variable_str(type) <= 0 ? malloc((size_t)n * size) : NULL;
    if (data && H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0) {
        for (int k = tl_random_int(random, 3); k >= 0; k--) {
            const int at = tl_random_int(random, (int)n);
            if (class == H5T_FLOAT) ((double *)data)[at] = damage_real(random);
            else if (class == H5T_INTEGER) ((int64_t *)data)[at] = damage_whole(random);
            else data[tl_random_int(random, (int)((size_t)n * size))] = (char)tl_random_int(random, 256);
        }
        (void)H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    }
    free(data);
    H5Sclose(space);
    H5Tclose(type);
}

/* The same name, another size or another kind of numbers. */
static inline void damage_shape(hid_t file, const char *name, tl_random *random)
{
    const hsize_t shape[3] = {(hsize_t)tl_random_int(random, 3) << (10 * tl_random_int(random, 4)), (hsize_t)tl_random_int(random, 4),
                              1 + 6 * (hsize_t)tl_random_int(random, 2)};
    const int rank = 1 + tl_random_int(random, 3);
    const hid_t space = H5Screate_simple(rank, shape, NULL), plan = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t type = tl_random_int(random, 3) ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE;
    H5Pset_alloc_time(plan, H5D_ALLOC_TIME_LATE);
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t set = tl_random_int(random, 4) ? H5Dcreate2(file, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT) : -1;
    if (set >= 0) H5Dclose(set);
    H5Pclose(plan);
    H5Sclose(space);
}

/* Values, one time in four the shape, of one of the datasets. */
static inline void damage_a_set(const damage_bytes *sound, const char *path, const damage_sets *sets, tl_random *random)
{
    damage_write(path, sound);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    if (file < 0) exit(1);
    for (int k = tl_random_int(random, 2); k >= 0; k--) {
        const char *name = sets->name[tl_random_int(random, sets->count)];
        const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
        if (set < 0) continue;
        hsize_t shape[3] = {0}, most[3] = {0};
        const hid_t space = H5Dget_space(set);
        const int rank = H5Sget_simple_extent_dims(space, shape, most);
        H5Sclose(space);
        const int way = tl_random_int(random, 8);
        if (way == 0 && rank > 0 && rank <= 3 && most[0] == H5S_UNLIMITED) {
            shape[0] = tl_random_int(random, 2) ? (hsize_t)1 << (8 + tl_random_int(random, 40)) : (hsize_t)tl_random_int(random, 3);
            (void)H5Dset_extent(set, shape);
        } else if (way > 1) damage_values(set, random);
        H5Dclose(set);
        if (way == 1) damage_shape(file, name, random);
    }
    H5Fclose(file);
}

/* ---- what comes of it ------------------------------------------------------------------------------------------------- */

/* Runs `read` in a process of its own; its answer (0 … 99), or −1 when it crashed, hung or wanted too much memory, which is a failure of the test. */
static inline int damage_try(int (*read)(const char *path), const char *path, const char *what, int number)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
#ifndef TL_SANITIZED /* which sets aside far more than it uses */
        const struct rlimit memory = {(rlim_t)1 << 30, (rlim_t)1 << 30};
        setrlimit(RLIMIT_AS, &memory);
#endif
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        alarm(60);
        _exit(read(path));
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) < 99) return WEXITSTATUS(status);
    TEST_FAIL("%s %d: %s %d", what, number, WIFSIGNALED(status) ? "ended by signal" : "exit code",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return -1;
}

/* `most` unless the environment says otherwise. */
static inline int damage_rounds(int most)
{
    const char *wanted = getenv("TALUS_FUZZ_RUNS");
    return wanted ? atoi(wanted) : most;
}

static inline int damage_remove_one(const char *path, const struct stat *s, int kind, struct FTW *walk)
{
    (void)s, (void)kind, (void)walk;
    return remove(path);
}

static inline void damage_clear(const char *directory) { nftw(directory, damage_remove_one, 16, FTW_DEPTH | FTW_PHYS); }

#endif
