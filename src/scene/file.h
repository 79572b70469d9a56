/* Files that are read as a whole. */
#ifndef TL_FILE_H
#define TL_FILE_H

#include "base/base.h"

/* All bytes of a file, and a 0 behind them; to be given back by free(). IO: it cannot be read; INPUT: it is no file, but a directory, a pipe or a device,
 * which may never end; MEMORY, also beyond 2 GB. On failure *data is NULL. */
TALUS_NODISCARD talus_status tl_file_load(const char *path, char **data, size_t *size, tl_error *);

#endif
