/* Contacts as constraints (block.h), in the plane and in space. Most are not: between grains they lie in packs, with other matter they are swept one by one. It
 * takes a constraint where more than the friction cone holds, moments against rolling, or a spring other than between grains, and where joints hold a body:
 * condensed over its chain the contact knows at its first turn what the chain weighs, and a long chain takes no more sweeps than a short one. */
#ifndef TL_BLOCK_CONTACTS_H
#define TL_BLOCK_CONTACTS_H

#include "solve/problem.h"

/* Before rows are bound: which bodies are in clusters; which contacts are constraints, to contact[].block and block_contact. Contacts of a chain stay where
 * they are if all of them together would make too many numbers. MEMORY. */
TALUS_NODISCARD talus_status tl_block_contacts_choose(tl_problem *, tl_step *);
/* All constraints of a problem, to `every`: those that are given, then these contacts; normal, tangents, and moments where the law has them. MEMORY. */
TALUS_NODISCARD talus_status tl_block_contacts_make(tl_problem *, tl_step *);
/* These, of a problem whose rows and clusters are bound. What tl_blocks_bind says. */
TALUS_NODISCARD talus_status tl_block_contacts_bind(tl_problem *, tl_step *);

#endif
