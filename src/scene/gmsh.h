/* Meshes from files of Gmsh: formats 2.2 and 4.1, text and binary. */
#ifndef TL_GMSH_H
#define TL_GMSH_H

#include "base/base.h"

/* What one name stands for: "Physical Surface("top")". */
typedef struct tl_gmsh_group {
    char *name; /* its number where it has none */
    int dimension, tag;
    int *element; /* [elements] indices into the mesh's */
    int elements, room;
} tl_gmsh_group;

typedef struct tl_gmsh {
    int nodes, elements, groups;
    double (*x)[3];       /* [nodes] times the scale [m]                                          */
    int *type;            /* [elements] Gmsh's number of the kind                                 */
    long long *tag;       /* [elements] Gmsh's number of the element                              */
    int *begin;           /* [elements + 1] into node                                             */
    int *node;            /* indices from 0, in the order of the file                             */
    tl_gmsh_group *group; /* in the order in which the file mentions them                        */
} tl_gmsh;

/* IO: the file cannot be read; INPUT: it is none of Gmsh's, of another format, or damaged: the text names the file and the line, or the byte where it is
 * binary. On failure nothing is kept. */
TALUS_NODISCARD talus_status tl_gmsh_read(tl_gmsh *, const char *path, double scale, tl_error *);
void tl_gmsh_free(tl_gmsh *);

/* Dimension of a kind of element, −1: Gmsh has none of this number, or talus does not know it; *nodes: how many it has; *name: what it is called. */
int tl_gmsh_type(int type, int *nodes, const char **name);

#endif
