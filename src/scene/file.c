/* Files as a whole (file.h). No size that is told of a file is believed: it may grow while it is read. */
#include "scene/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static talus_status read_all(FILE *in, const char *path, char **data, size_t *size, tl_error *error)
{
    static const size_t MOST = (size_t)1 << 31;
    for (size_t got = 1, room = 0; got > 0; *size += got) {
        if (*size + 1 >= room) {
            room = 2 * room + ((size_t)1 << 16);
            char *larger = room <= MOST ? realloc(*data, room) : NULL;
            if (!larger) return tl_fail(error, TALUS_MEMORY, "'%s' is too large", path);
            *data = larger;
        }
        got = fread(*data + *size, 1, room - *size - 1, in);
    }
    (*data)[*size] = '\0';
    return ferror(in) ? tl_fail(error, TALUS_IO, "cannot read '%s'", path) : TALUS_OK;
}

talus_status tl_file_load(const char *path, char **data, size_t *size, tl_error *error)
{
    struct stat about;
    *data = NULL;
    *size = 0;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) return tl_fail(error, TALUS_INPUT, "'%s' is not a file", path);
    FILE *in = fopen(path, "rb");
    if (!in) return tl_fail(error, TALUS_IO, "cannot read '%s': %s", path, strerror(errno));
    const talus_status status = read_all(in, path, data, size, error);
    fclose(in);
    if (status == TALUS_OK) return TALUS_OK;
    free(*data);
    *data = NULL;
    return status;
}
