/* Robots of other formats as scenes: talus import. The result is text of the scene language, for people to go on with. */
#ifndef TL_IMPORT_H
#define TL_IMPORT_H

#include "import/urdf.h"

typedef enum tl_mesh_use { TL_MESH_HULL, TL_MESH_SURFACE, TL_MESH_NONE } tl_mesh_use;

typedef struct tl_import {
    const char *path, *output; /* the URDF, and the scene that is written */
    const char *package[64];   /* directories of packages                 */
    int packages;
    tl_mesh_use meshes;
    bool free_root, visuals, has_floor;
    double at[3], floor; /* of the root, and height of the floor [m] */
} tl_import;

/* Writes the scene, and its meshes into a directory beside it; says on `say` what was not used, a line each, also when it fails for mistakes of the URDF.
 * IO, INPUT, MEMORY. */
TALUS_NODISCARD talus_status tl_import_urdf(const tl_import *, FILE *say, tl_error *);

/* The files of a mesh in the axes of its link [m], and what became of it. */
typedef struct tl_mesh_files {
    const char **file; /* [files] relative to the scene; 0: it could not be read */
    int files;
    bool closed;         /* then it has a volume */
    double volume, hull; /* [m³]                 */
} tl_mesh_files;

/* mesh_files.c. Reads the mesh of a shape and writes it as OBJ: itself, or the convex hulls of the pieces that do not hang together. What is wrong with it is a
 * note.
 * IO: it cannot be written; MEMORY. */
TALUS_NODISCARD talus_status tl_mesh_files_write(const tl_import *, tl_urdf *, int shape, tl_mesh_files *, tl_error *);
/* Where the file of a mesh is; false: nowhere. */
bool tl_mesh_find(const tl_import *, const char *name, char path[4096]);
/* mesh_pieces.c. The number of its piece for every triangle, and for every point the first one in the same place. Pieces have no corner in common.
 * Returns their number, 0 without memory. */
int tl_mesh_pieces(const double (*point)[3], int points, const int32_t (*triangle)[3], int triangles, int32_t *piece, int32_t *same);
/* The convex hull of points, of at most TALUS_HULL_POINTS of them, as OBJ; *volume: its volume [m³]. INPUT: they have none, such as those in a plane; MEMORY.
 */
TALUS_NODISCARD talus_status tl_hull_write(FILE *out, const double (*point)[3], int points, double *volume, tl_error *);

/* scene_text.c. `files`: of each shape. */
void tl_scene_text(FILE *, const tl_import *, const tl_urdf *, const tl_mesh_files *files);
/* Does the scene have this shape? */
bool tl_shape_is_used(const tl_import *, const tl_urdf *, int shape);
/* The directory of meshes, relative to the scene: its name without its ending, and "-meshes". */
void tl_mesh_directory(const tl_import *, char name[1024]);

#endif
