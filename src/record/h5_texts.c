/* Texts in HDF5, one row each, of one width: their bytes lie in the dataset, under its checksum. Files of earlier versions have rows that point
 * into heaps without checksums, where HDF5 itself follows a damaged pointer and crashes; those rows are read here, byte by byte. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/record.h"

/* A text type of `width` bytes, ended by zeros where the text is shorter. */
static hid_t text_type(size_t width)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, width);
    H5Tset_cset(type, H5T_CSET_UTF8);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    return type;
}

bool tl_h5_write_texts(hid_t file, const char *name, const char *const *text, hsize_t count, const char *meaning)
{
    size_t width = 1;
    for (hsize_t i = 0; i < count; i++) width = strlen(text[i]) > width ? strlen(text[i]) : width;
    char *rows = calloc(count + 1, width);
    for (hsize_t i = 0; rows && i < count; i++) memcpy(rows + i * width, text[i], strlen(text[i]));
    const hid_t type = text_type(width);
    const bool done = rows && tl_h5_write(file, &(tl_h5_set){name, type, 1, &count, "1", meaning}, rows);
    H5Tclose(type);
    free(rows);
    return done;
}

void tl_h5_free_texts(char **text, int count)
{
    for (int i = 0; text && i < count; i++) free(text[i]);
    free((void *)text);
}

/* ---- of earlier versions ---------------------------------------------------------------------------------------------- */

/* What the format of HDF5 says of a row of texts of any length, of a heap, and of what lies in one; the padding is the format's. */
typedef struct old_row {
    uint32_t length, address[2], index;
} old_row;
typedef struct heap_head {
    char signature[4], version[4];
    uint64_t size;
} heap_head;
typedef struct heap_object {
    uint16_t index, references;
    uint32_t reserved;
    uint64_t size;
} heap_object;
_Static_assert(sizeof(old_row) == 16 && sizeof(heap_head) == 16 && sizeof(heap_object) == 16, "as they lie in the file");

static bool read_at(int handle, uint64_t size, uint64_t at, void *to, uint64_t bytes)
{
    return at <= size && bytes <= size - at && pread(handle, to, bytes, (off_t)at) == (ssize_t)bytes;
}

/* The text that a row points to; NULL where what it points to is not there. `size` is that of the file. */
static char *old_text(int handle, uint64_t size, const old_row *row)
{
    uint64_t at = row->address[0] | (uint64_t)row->address[1] << 32;
    heap_head head;
    heap_object object;
    if (row->length == 0) return strdup("");
    if (!read_at(handle, size, at, &head, sizeof head) || memcmp(head.signature, "GCOL", 4) != 0 || head.size > size - at) return NULL;
    const uint64_t end = at + head.size;
    for (at += sizeof head; read_at(handle, end, at, &object, sizeof object) && object.index != 0; at += (object.size + 7) / 8 * 8) {
        at += sizeof object;
        if (object.size > end - at) return NULL;
        if (object.index != row->index) continue;
        char *text = object.size >= row->length ? calloc((size_t)row->length + 1, 1) : NULL;
        if (text && read_at(handle, end, at, text, row->length)) return text;
        free(text);
        return NULL;
    }
    return NULL;
}

static char **read_old(hid_t set, int count)
{
    char path[4096];
    struct stat s;
    const haddr_t offset = H5Dget_offset(set); /* undefined unless the rows lie in one piece */
    const int handle = H5Fget_name(set, path, sizeof path) > 0 ? open(path, O_RDONLY) : -1;
    const uint64_t size = handle >= 0 && fstat(handle, &s) == 0 ? (uint64_t)s.st_size : 0, bytes = (uint64_t)count * sizeof(old_row);
    const bool credible = offset != HADDR_UNDEF && offset <= size && bytes <= size - offset;
    old_row *row = credible ? calloc((size_t)count + 1, sizeof *row) : NULL;
    char **text = row ? calloc((size_t)count + 1, sizeof *text) : NULL;
    bool done = text && (count == 0 || read_at(handle, size, offset, row, bytes));
    for (int i = 0; done && i < count; i++) done = (text[i] = old_text(handle, size, &row[i])) != NULL;
    if (!done) tl_h5_free_texts(text, count);
    free(row);
    if (handle >= 0) close(handle);
    return done ? text : NULL;
}

/* ---- reading ---------------------------------------------------------------------------------------------------------- */

static char **read_rows(hid_t set, hid_t type, int count)
{
    const size_t width = H5Tget_size(type);
    char *rows = calloc((size_t)count + 1, width), **text = calloc((size_t)count + 1, sizeof *text);
    bool done = rows && text && (count == 0 || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0);
    for (int i = 0; done && i < count; i++) done = (text[i] = strndup(rows + (size_t)i * width, width)) != NULL;
    free(rows);
    if (!done) tl_h5_free_texts(text, count);
    return done ? text : NULL;
}

char **tl_h5_read_texts(hid_t file, const char *name, int count)
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) return NULL;
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const bool fits = H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_ndims(space) == 1 && H5Sget_simple_extent_npoints(space) == count;
    char **text = NULL;
    if (fits && H5Tis_variable_str(type) > 0) text = read_old(set, count);
    else if (fits && tl_h5_is_credible(set)) text = read_rows(set, type, count);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return text;
}
