/* Contacts as constraints (block.h), in the plane and in space. Most are not: between grains they lie in packs, with other matter they are swept one by one. It
 * takes a constraint where more than the friction cone holds, moments against rolling, and where joints hold a body: condensed over its chain the contact
 * knows at its first turn what the chain weighs, and a long chain takes no more sweeps than a short one. */
#ifndef TL_BLOCK_CONTACTS_H
#define TL_BLOCK_CONTACTS_H

#include "solve/block.h"

/* What is asked of a problem. A group: grains, then other matter, as in tl_block_end; −1: it does not move. */
typedef struct tl_contact_source {
    const void *problem;
    int contacts, bodies, matters, numbers; /* numbers: of a grain's row */
    tl_matter *const *matter;
    const tl_constraint *constraint;
    int constraints;
    bool (*moves)(const void *problem, int body);
    void (*groups)(const void *problem, int contact, int group[2]);
    const tl_interaction *(*law)(const void *problem, int contact);
} tl_contact_source;

/* chosen [contacts]. Returns their number; MEMORY. Contacts of a chain stay where they are if all of them together would make too many numbers. */
TALUS_NODISCARD talus_status tl_block_contacts_choose(const tl_contact_source *, tl_step *, bool *chosen, int *count);

/* A contact: axes n, t and, where rows are those of space, s. */
typedef struct tl_block_contact {
    int matter[2], item[2];
    tl_vec3 at[2], arm[2], axis[3];
    bool planar, loose; /* loose: as in tl_constraint */
    const tl_interaction *law;
    tl_law_view view;  /* V_n⁻: of copies that slide alone */
    double imposed[3]; /* velocity of copies that slide, along the axes [m/s] */
    double gap;
    const double *I; /* first guess, along its axes */
    double *moment;  /* as in tl_constraint */
} tl_block_contact;

/* Its constraint: normal, tangents, and moments where its law has them. In the step's arena. MEMORY. */
TALUS_NODISCARD talus_status tl_block_contact_make(const tl_block_contact *, tl_step *, tl_constraint *);

#endif
