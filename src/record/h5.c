/* HDF5 as talus uses it: no file locking, no printing; files that grow are written so that a kill at any moment leaves what was flushed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/record.h"

static hid_t access_list(void)
{
    (void)H5dont_atexit(); /* a file that could not be written would be closed once more at the end, and crash */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_file_locking(list, 0, 1);
    return list;
}

static bool opens(const char *path)
{
    const hid_t list = access_list(), file = H5Fopen(path, H5F_ACC_RDONLY, list);
    H5Pclose(list);
    return file >= 0 && H5Fclose(file) >= 0;
}

/* Space that was set aside behind the last byte, and could not be made part of the file when it was closed. */
static void make_as_long_as_it_says(const char *path)
{
    tl_error why;
    hsize_t size = 0;
    struct stat s;
    const hid_t file = tl_h5_open(path, &why);
    if (file < 0) return;
    const bool known = H5Fget_filesize(file, &size) >= 0;
    H5Fclose(file);
    if (known && stat(path, &s) == 0 && (hsize_t)s.st_size < size && truncate(path, (off_t)size) != 0) return; /* the next open tells */
}

bool tl_h5_mend(const char *path)
{
    if (opens(path)) return true;
    make_as_long_as_it_says(path);
    const hid_t list = access_list();
    const bool clear = true;
    H5Pset_libver_bounds(list, H5F_LIBVER_V110, H5F_LIBVER_V110);
    H5Pset(list, "clear_status_flags", &clear); /* what the tool h5clear sets */
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, list);
    if (file >= 0) H5Fclose(file);
    H5Pclose(list);
    return opens(path);
}

bool tl_h5_start_growing(hid_t file) { return H5Fstart_swmr_write(file) >= 0; }

/* The format of 1.10: its metadata have checksums, and it knows "single writer, multiple readers". */
hid_t tl_h5_create(const char *path, tl_error *error)
{
    const hid_t list = access_list();
    H5Pset_libver_bounds(list, H5F_LIBVER_V110, H5F_LIBVER_V110);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, list);
    H5Pclose(list);
    if (file < 0) tl_fail(error, TALUS_IO, "cannot create '%s'", path);
    return file;
}

hid_t tl_h5_open(const char *path, tl_error *error)
{
    const hid_t list = access_list();
    H5Pset_metadata_read_attempts(list, 1); /* nobody is writing: what is damaged stays damaged */
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, list);
    H5Pclose(list);
    if (file < 0) tl_fail(error, TALUS_IO, "cannot open '%s', or it is not HDF5", path);
    return file;
}

bool tl_h5_group(hid_t file, const char *name)
{
    const hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) return false;
    H5Gclose(group);
    return true;
}

static bool attribute(hid_t object, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const hid_t a = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool done = a >= 0 && H5Awrite(a, type, text) >= 0;
    if (a >= 0) H5Aclose(a);
    H5Sclose(space);
    H5Tclose(type);
    return done;
}

static bool describe(hid_t set, const char *unit, const char *meaning)
{
    return (!unit || attribute(set, "unit", unit)) && (!meaning || attribute(set, "meaning", meaning));
}

bool tl_h5_write(hid_t file, const tl_h5_set *s, const void *data)
{
    const hid_t space = H5Screate_simple(s->rank, s->shape, NULL), make = H5Pcreate(H5P_LINK_CREATE), plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(make, 1);
    hsize_t count = 1;
    for (int i = 0; i < s->rank; i++) count *= s->shape[i];
    if (count > 0) { /* in one chunk with a checksum: what is damaged does not read */
        H5Pset_chunk(plan, s->rank, s->shape);
        if (H5Tget_class(s->type) == H5T_STRING) H5Pset_deflate(plan, 1); /* most texts are shorter than the longest */
        H5Pset_fletcher32(plan);
    }
    const hid_t set = H5Dcreate2(file, s->name, s->type, space, make, plan, H5P_DEFAULT);
    bool done = set >= 0;
    if (done && count > 0) done = H5Dwrite(set, s->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    done = done && describe(set, s->unit, s->meaning);
    if (set >= 0) done = H5Dclose(set) >= 0 && done;
    H5Pclose(make);
    H5Pclose(plan);
    H5Sclose(space);
    return done;
}

hid_t tl_h5_growing(hid_t file, const tl_h5_set *s)
{
    const int rank = s->rank;
    hsize_t now[3] = {0}, most[3] = {H5S_UNLIMITED}, chunk[3] = {1}, row = 1;
    for (int i = 1; i < rank; i++) now[i] = most[i] = s->shape[i - 1], chunk[i] = s->shape[i - 1] ? s->shape[i - 1] : 1, row *= chunk[i];
    chunk[0] = row >= 4096 ? 1 : 4096 / row;
    for (int i = 1; i < rank; i++)
        if (most[i] == 0) most[i] = H5S_UNLIMITED; /* a chunk cannot be larger than its axis */
    const hid_t space = H5Screate_simple(rank, now, most), plan = H5Pcreate(H5P_DATASET_CREATE), make = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_chunk(plan, rank, chunk);
    H5Pset_shuffle(plan);
    H5Pset_deflate(plan, 1); /* the packing of a frame takes longer than the writing */
    H5Pset_fletcher32(plan);
    H5Pset_create_intermediate_group(make, 1);
    const hid_t set = H5Dcreate2(file, s->name, s->type, space, make, plan, H5P_DEFAULT);
    const bool done = set >= 0 && describe(set, s->unit, s->meaning);
    H5Pclose(make);
    H5Pclose(plan);
    H5Sclose(space);
    if (done || set < 0) return set;
    H5Dclose(set);
    return -1;
}

bool tl_h5_append(hid_t set, hid_t type, int rank, hsize_t rows, const void *data)
{
    if (rows == 0) return true;
    hsize_t shape[3] = {0}, start[3] = {0}, count[3];
    hid_t space = H5Dget_space(set);
    H5Sget_simple_extent_dims(space, shape, NULL);
    H5Sclose(space);
    start[0] = shape[0];
    memcpy(count, shape, sizeof count);
    count[0] = rows;
    shape[0] += rows;
    bool done = H5Dset_extent(set, shape) >= 0;
    hsize_t size = 1;
    for (int i = 0; i < rank; i++) size *= count[i];
    if (done && size > 0) {
        space = H5Dget_space(set);
        const hid_t memory = H5Screate_simple(rank, count, NULL);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
        done = H5Dwrite(set, type, memory, space, H5P_DEFAULT, data) >= 0;
        H5Sclose(memory);
        H5Sclose(space);
    }
    return done;
}

/* HDF5 fetches chunks whole, and asks for memory before it looks for what it is to hold. */
static double largest_chunk(hid_t plan, double number)
{
    hsize_t chunk[H5S_MAX_RANK] = {0};
    const int rank = H5Pget_chunk(plan, H5S_MAX_RANK, chunk);
    for (int i = 0; i < rank; i++) number *= (double)chunk[i];
    return rank < 0 ? (double)INFINITY : number;
}

bool tl_h5_is_credible(hid_t set)
{
    char path[4096];
    struct stat s;
    hsize_t shape[H5S_MAX_RANK] = {0};
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set), plan = H5Dget_create_plist(set);
    const int rank = H5Sget_simple_extent_dims(space, shape, NULL);
    const H5D_layout_t layout = H5Pget_layout(plan);
    double bytes = (double)H5Tget_size(type), stored = (double)H5Dget_storage_size(set);
    const double chunk = layout == H5D_CHUNKED ? largest_chunk(plan, bytes) : 0;
    for (int i = 0; i < rank; i++) bytes *= (double)shape[i];
    const bool inside = (layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED) && H5Pget_external_count(plan) == 0;
    const bool known = H5Fget_name(set, path, sizeof path) > 0 && stat(path, &s) == 0;
    if (known && stored > (double)s.st_size) stored = (double)s.st_size;
    const double most = 65536 + 1100 * stored; /* deflate packs up to 1032 to 1 */
    H5Pclose(plan);
    H5Sclose(space);
    H5Tclose(type);
    return known && inside && rank >= 0 && bytes <= most && chunk <= most;
}

static void *read_part(hid_t file, const char *name, hid_t type, const hsize_t *range, hsize_t shape[3])
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) return NULL;
    shape[0] = shape[1] = shape[2] = 1;
    const hid_t space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_ndims(space);
    const bool fits = rank >= 0 && rank <= 3 && tl_h5_is_credible(set);
    void *data = NULL;
    if (fits) H5Sget_simple_extent_dims(space, shape, NULL);
    hsize_t start[3] = {range ? range[0] : 0}, count[3] = {range ? range[1] : shape[0], shape[1], shape[2]};
    const hsize_t total = count[0] * count[1] * count[2];
    if (fits && start[0] <= shape[0] && count[0] <= shape[0] - start[0]) data = calloc(total ? total : 1, H5Tget_size(type));
    if (data && total > 0) {
        const hid_t memory = H5Screate_simple(rank, count, NULL);
        if (rank > 0) H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
        if (H5Dread(set, type, memory, space, H5P_DEFAULT, data) < 0) {
            free(data);
            data = NULL;
        }
        H5Sclose(memory);
    }
    H5Sclose(space);
    H5Dclose(set);
    return data;
}

void *tl_h5_read(hid_t file, const char *name, hid_t type, hsize_t shape[3]) { return read_part(file, name, type, NULL, shape); }

void *tl_h5_read_rows(hid_t file, const char *name, hid_t type, hsize_t first, hsize_t count, hsize_t shape[3])
{
    const hsize_t range[2] = {first, count};
    return read_part(file, name, type, range, shape);
}

bool tl_h5_copy_rows(hid_t from, const char *name, hid_t to, hid_t type, int rank, int64_t rows)
{
    enum { BLOCK = 1 << 16 }; /* numbers at a time, at least one row */
    hsize_t shape[3] = {0, 0, 0};
    void *probe = tl_h5_read_rows(from, name, type, 0, 0, shape);
    const int64_t row = (int64_t)(shape[1] * shape[2]), block = row > 0 && row < BLOCK ? BLOCK / row : 1;
    hsize_t own[3] = {1, 1, 1};
    const hid_t space = H5Dget_space(to);
    H5Sget_simple_extent_dims(space, own, NULL);
    H5Sclose(space);
    bool done = probe && rows >= 0 && shape[0] >= (hsize_t)rows && shape[1] == own[1] && shape[2] == own[2];
    free(probe);
    for (int64_t first = 0; done && first < rows; first += block) {
        const int64_t count = rows - first < block ? rows - first : block;
        void *data = tl_h5_read_rows(from, name, type, (hsize_t)first, (hsize_t)count, shape);
        done = data && tl_h5_append(to, type, rank, (hsize_t)count, data);
        free(data);
    }
    return done;
}

bool tl_h5_text(hid_t file, const char *name, const char *text)
{
    const hsize_t length = strlen(text);
    return tl_h5_write(file, &(tl_h5_set){name, H5T_NATIVE_CHAR, 1, &length, NULL, "text, one byte a character (UTF-8)"}, text);
}
