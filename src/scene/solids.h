/* Shapes of the scene language that become several convex parts, and where shapes are put. */
#ifndef TL_SOLIDS_H
#define TL_SOLIDS_H

#include "base/math.h"
#include "scene/build.h"

/* What shapes are given to: a body, the material of those that name none (NULL: none), and where the axes that they are written in stand in the body's. */
typedef struct tl_owner {
    talus_body_id body;
    const tl_node *material;
    bool placed; /* false: `at` is the identity, and numbers stay as they were written */
    tl_frame at;
} tl_owner;

/* An array: copy i is that of i = 0, turned by i × turn about an axis, then shifted by i × shift. */
typedef struct tl_repeat {
    int count;
    tl_vec3 shift, about, axis;
    double turn;
} tl_repeat;

talus_status tl_read_repeat(tl_builder *, const tl_node *, tl_repeat *out);
tl_frame tl_repeat_frame(const tl_repeat *, int i);
/* Puts a body that stands where the first one does where copy i stands, turned with it. Its velocities and motions stay those of the first. */
void tl_repeat_place(const tl_repeat *, int i, talus_body_def *);

/* Gives the owner a shape, with its material and at its place. In the plane d->points say where; in space the `count` corners, which are moved. */
talus_status tl_add_part(tl_builder *, const tl_owner *, const tl_node *, talus_shape_def *d, double (*corner)[3], int count);
talus_status tl_build_shape_list(tl_builder *, const tl_node *list, const tl_owner *);
/* One shape, `node` is {kind: {…}}'s inner node. */
talus_status tl_build_shape_plane(tl_builder *, const tl_node *node, const tl_owner *);
talus_status tl_build_shape_space(tl_builder *, const tl_node *node, const tl_owner *);
/* Compounds (compound2.c, compound3.c): *known is false, and nothing done, for other kinds. */
talus_status tl_build_compound_plane(tl_builder *, const tl_node *node, const tl_owner *, bool *known);
talus_status tl_build_compound_space(tl_builder *, const tl_node *node, const tl_owner *, bool *known);

/* ---- facets for what is round ------------------------------------------------------------------------------------- */

/* A regular polygon of n sides whose corners are tl_rim(n) times the radius away has the circle's area. Its corners lie outside of the circle by
 * (tl_rim − 1) r ≈ π²/(3 n²) r, the middles of its sides inside by half of that. */
double tl_rim(int n);
/* The least number of sides, at least 6, whose corners and sides are within the node's `tolerance` of the circle, by default a share of the radius; 0, with a
 * mistake, for more than TL_FACETS. */
int tl_facets(tl_builder *, const tl_node *, double radius, double share);

enum { TL_FACETS = 2000 };

/* ---- convex parts of a polygon (outline.c) ------------------------------------------------------------------------ */

enum { TL_OUTLINE_POINTS = 1000 };

/* Parts of a polygon: part i has the corners corner[begin[i] … begin[i + 1] − 1], numbers of its points, counter-clockwise. */
typedef struct tl_outline_parts {
    int parts, *begin, *corner;
} tl_outline_parts;

/* Splits a simple polygon, given either way around, into convex parts of its own corners, each of at most `most` (≥ 3); they share sides and do not overlap.
 * INPUT: fewer than three points or more than TL_OUTLINE_POINTS, no area, sides that cross. To be freed with tl_outline_free, also on failure. */
TALUS_NODISCARD talus_status tl_outline_split(const double (*point)[2], int count, int most, tl_outline_parts *out, tl_error *);
void tl_outline_free(tl_outline_parts *);

#endif
