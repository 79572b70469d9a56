/* A solid of finite elements while a scene is built. */
#ifndef TL_SOLID_READING_H
#define TL_SOLID_READING_H

#include "scene/build.h"
#include "scene/grid.h"

typedef struct tl_solid_reading {
    struct tl_solid_reading *next; /* that was built before */
    tl_builder *b;
    const tl_node *node; /* of the solid */
    tl_grid grid;
    talus_solid_id id;
    const tl_node **holder;           /* [3 × nodes] what holds this direction of this node; NULL: nothing */
    bool *moves;                      /* [3 × nodes] it is moved, not fixed */
    const talus_solid_face *touching; /* [touching_faces] that take contacts */
    int touching_faces;
    bool by_faces, by_nodes; /* how they do */
} tl_solid_reading;

/* Groups that a name, or a list of them, names; one that there is not is a mistake. */
typedef talus_status tl_group_visit(tl_solid_reading *, const tl_grid_group *, const tl_node *name, void *user);
talus_status tl_each_group(tl_solid_reading *, const tl_node *names, tl_group_visit *visit, void *user);
/* Faces of the surface that groups have, each once. INPUT, with a mistake: a group has none. */
talus_status tl_group_faces(tl_solid_reading *, const tl_node *names, talus_solid_face **face, int *faces);

/* Nodes that groups have, each once, ascending. */
talus_status tl_group_nodes(tl_solid_reading *, const tl_node *names, int **node, int *nodes);
/* The solid of this name that is built; NULL: there is none. */
tl_solid_reading *tl_solid_reading_of(const tl_builder *, const tl_node *name);

/* What a scene says of what a closed surface encloses, into reading->grid (solid_fill.c); the groups of a box, or of that, by regions. */
talus_status tl_read_fill(tl_solid_reading *, const tl_node *fill);
talus_status tl_read_parts(tl_solid_reading *, const tl_node *groups, const char *what);
/* A file beside the scene that names it. */
void tl_beside_scene(const tl_node *file, char path[4096]);
/* Into reading->grid, where the scene says. */
talus_status tl_read_grid(tl_solid_reading *);
/* Material, or materials of regions, into the definition. */
talus_status tl_read_regions(tl_solid_reading *, talus_solid_def *);
/* What acts on it, and what it touches: loads, forces, absorbing faces, contact, settled start. */
talus_status tl_build_solid_loads(tl_solid_reading *);
/* What is held moves as the scene says; warnings of what is not held. */
talus_status tl_build_solid_holds(tl_solid_reading *);

#endif
