/* Mechanisms in maximal coordinates: maximal.c writes them out, maximal_check.c says what there is not. */
#ifndef TL_MAXIMAL_H
#define TL_MAXIMAL_H

#include "scene/build.h"

bool tl_is_maximal(const tl_node *mechanism);
/* Is there a mechanism that is to be written out? */
bool tl_has_maximal(const talus_scene *);
/* Writes them out as bodies and joints in the scene's tree, which was checked. `start`: the world of the same scene with all mechanisms in relative
 * coordinates, assembled. What is wrong is said. */
talus_status tl_expand_maximal(tl_builder *, const talus_world *start);

/* ---- of one mechanism on its way ------------------------------------------------------------------------------------------------ */

typedef struct tl_machine {
    tl_builder *b;
    const talus_world *start; /* the scene in relative coordinates */
    const tl_node *node;
} tl_machine;

/* Of a kind of joints: the same between bodies, and names of its coordinates there. `between` NULL: of the plane's `planar` and of `free` nothing is held. */
typedef struct tl_counterpart {
    const char *type, *between, *coordinate[3];
} tl_counterpart;

/* Says that in maximal coordinates there are none of these; false. */
bool tl_machine_refuse(const tl_machine *, const tl_node *, const char *what);
/* Its map of this name; an empty one where it has none. */
const tl_node *tl_machine_map(const tl_node *owner, const char *key);
/* A number of a map in the unit; 0 where it is not given. */
double tl_machine_quantity(const tl_machine *, const tl_node *map, const char *key, const char *unit);
/* Of a joint; NULL: its type has none. */
const tl_counterpart *tl_machine_counterpart(const tl_machine *, const tl_node *joint);
/* "arm", "base.x": the joint of this mechanism, and its coordinate's name between bodies; NULL: it is another's. False: it has none there, which is said. */
bool tl_machine_coordinate(const tl_machine *, const tl_node *reference, const tl_node **joint, const char **name);
/* The entry of `forces` or `drives` in this coordinate between bodies; NULL: there is none. */
const tl_node *tl_machine_acting(const tl_machine *, const char *part, const tl_node *joint, const char *coordinate);
/* Is there all that it needs in maximal coordinates? What is missing is said. */
bool tl_machine_check(const tl_machine *);

#endif
