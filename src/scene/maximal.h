/* Mechanisms in maximal coordinates (maximal.c). */
#ifndef TL_MAXIMAL_H
#define TL_MAXIMAL_H

#include "scene/build.h"

bool tl_is_maximal(const tl_node *mechanism);
/* Is there a mechanism that is to be written out? */
bool tl_has_maximal(const talus_scene *);
/* Writes them out as bodies and joints in the scene's tree, which was checked. `start`: the world of the same scene with all mechanisms in relative
 * coordinates, assembled. What is wrong is said. */
talus_status tl_expand_maximal(tl_builder *, const talus_world *start);

#endif
