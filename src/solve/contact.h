/* A contact of a step, in the plane or in space. In the plane the normal and all points have no z, the impulse and the velocity have no third component. */
#ifndef TL_CONTACT_H
#define TL_CONTACT_H

#include "base/cell.h"
#include "law/law.h"
#include "matter/matter.h"

/* How many of the two bodies deform. */
typedef enum tl_giving { TL_GIVES_NOT, TL_GIVES, TL_GIVE_BOTH } tl_giving;

/* Frame of the antagonist: normal n to the candidate; in the plane t = n turned by +90°, in space t, s by tl_tangents(n).
 *
 * Colouring, the guard and the result read contacts out of order, so each of the four lines of the cache that a contact takes has what is read together. */
typedef struct tl_contact {
    tl_place a, b; /* antagonist, candidate */
    const tl_interaction *law;
    tl_vec3 n;       /* at q_m                                                       */
    double gap;      /* at q_m                                                   [m] */
    bool rope;       /* of no shapes                                                 */
    bool struck;     /* tl_law_view                                                  */
    bool block;      /* made by bind: a constraint, of `blocks`                      */
    uint8_t gives;   /* tl_giving; where one deforms no drift of it is taken back    */
    bool rim[2];     /* ends a, b: met at their own surface, else midway in the gap  */
    uint16_t points; /* of its pair of surfaces; 0: one                              */

    tl_vec3 arm[2];          /* of ends a, b: from the origin of its body to where the impulse acts on it [m] */
    double friction, offset; /* made by bind and color; while it is solved, I is J of law/law.h           */

    double I[3];   /* in: first guess; out: impulse along n, t, s                         [N s] */
    double V[3];   /* out: V⁺ along n, t, s                                               [m/s] */
    double shift;  /* made by bind and color: what the law adds to u_n                    [m/s] */
    double *state; /* of its pair of surfaces (law/law.h); NULL: there is none                   */

    uint64_t key;                 /* stable: contactors and feature (detect/)               */
    int contactor_a, contactor_b; /* of a rope −1                                           */
    double weight;                /* tl_law_view                                            */
    tl_vec3 point;                /* midway in the gap, as a sees it                    [m] */
    int image[3];                 /* of b: the copy that is met, so many cells further      */
    float uneven;                 /* tl_contact_share; 1: its points share alike            */
} tl_contact;

_Static_assert(sizeof(tl_contact) == 4 * TL_LINE, "a contact takes four lines of the cache");

/* Its part of what the points of its pair of surfaces share: tl_law_view. */
static inline double tl_contact_share(const tl_contact *c) { return c->points > 1 ? (double)c->uneven / c->points : 1; }

/* Where an end of a contact is met, side 0: of a, 1: of b, by a or by the copy that a sees. Only what turns an end along t depends on how far along n this is:
 * a disk rolls on its radius, not on its radius less half the overlap, so a smooth rim is met at its own surface. */
static inline tl_vec3 tl_contact_met(const tl_contact *c, int side)
{
    return c->rim[side] ? tl_add(c->point, tl_scale(side ? 0.5 * c->gap : -0.5 * c->gap, c->n)) : c->point;
}

/* The same, of b itself [m]. */
static inline tl_vec3 tl_contact_at(const tl_contact *c, int side, const tl_cell *cell)
{
    const tl_vec3 met = tl_contact_met(c, side);
    return side == 1 && tl_is_image(c->image, 3) ? tl_sub(met, tl_cell_shift(cell, c->image)) : met;
}

/* Of those contacts of a step whose law resists rolling or spinning, in order of their keys: impulses of moments about n, t, s, in the plane about s alone. */
typedef struct tl_moments {
    uint64_t *key;       /* [count] */
    double (*moment)[3]; /* [count] in: first guess; out [N m s] */
    int count;
} tl_moments;

/* NULL: it has none. */
static inline double *tl_moment_of(const tl_moments *m, uint64_t key)
{
    int low = 0, high = m->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (m->key[middle] < key) low = middle + 1;
        else high = middle;
    }
    return low < m->count && m->key[low] == key ? m->moment[low] : NULL;
}

#endif
