/* Kinds of grains: what one looks like and how large it is. Grains are drawn one by one, looked at, and put somewhere. Random numbers come from the kind's own
 * seed: the same everywhere. */
#ifndef TL_GRAIN_KIND_H
#define TL_GRAIN_KIND_H

#include "scene/build.h"
#include "scene/stone.h"

typedef enum tl_grain_shape { GRAIN_DISK, GRAIN_POLYGON, GRAIN_CLUSTER, GRAIN_SPHERE, GRAIN_STONE, GRAIN_COIN, GRAIN_ELLIPSOID, GRAIN_SHAPES } tl_grain_shape;

enum { TL_RADIUS_CLASSES = 64 };

typedef struct tl_grain_kind {
    const tl_node *node;
    tl_grain_shape shape;
    bool planar;
    double classes[TL_RADIUS_CLASSES], low, high; /* radii: classes, or uniform between low and high; high is the largest of either */
    int class_count, sides;
    tl_stone stone;
    double rounding; /* of a coin's edges: share of its thickness */
    tl_sieve sieve;  /* sizes instead of radii, where it has any */
    talus_material_id material;
    double velocity[3];
    tl_random random;
    /* the grain that was drawn last */
    double radius, reach, rim; /* reach: of its corners and rims from its origin; rim: rounding of its edges */
    int corners;
    double corner[TL_STONE_CORNERS][3];
} tl_grain_kind;

/* The kind that a group of grains, or a part of a mixture, describes; what a part leaves out is the group's (NULL: there is no group). */
talus_status tl_grain_read(tl_builder *, const tl_node *, const tl_node *group, tl_grain_kind *);
/* Draws the next grain; of this radius (of stones half of the mesh that they pass) where it is positive. */
talus_status tl_grain_draw(tl_builder *, tl_grain_kind *, double radius);
/* Puts the grain that was drawn somewhere, as a body of its own. */
talus_status tl_grain_add(tl_builder *, tl_grain_kind *, const double x[3]);
/* Extremes of reach over a sample of some hundred grains, the kind's random numbers untouched. */
talus_status tl_grain_sample(tl_builder *, const tl_grain_kind *, double *least, double *most);

/* Signed distance from a point to the nearest of the bodies of a world (NULL: there are none) where it is less than `within`, else `within`. */
double tl_clearance(const talus_world *, const double x[3], double within);

/* filling.c: the generator fill; table.c: a table in a file. */
talus_status tl_build_filling(tl_builder *, const tl_node *, const talus_world *settled);
talus_status tl_build_table(tl_builder *, const tl_node *);
/* generate_space.c */
talus_status tl_drop_space(tl_builder *, tl_grain_kind *, const talus_world *settled);

#endif
