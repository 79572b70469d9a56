/* A contact of a step, in the plane or in space. In the plane the normal and all points have no z, the impulse and the velocity have no third component. */
#ifndef TL_CONTACT_H
#define TL_CONTACT_H

#include "law/law.h"
#include "matter/matter.h"

/* Frame of the antagonist: normal n to the candidate; in the plane t = n turned by +90°, in space t, s by tl_tangents(n). */
typedef struct tl_contact {
    uint64_t key;                 /* stable: contactors and feature (detect/)                                           */
    tl_place a, b;                /* antagonist, candidate                                                              */
    int contactor_a, contactor_b; /* −1: the contact is a rope */
    int image[3];                 /* of b: the copy that is met, so many cells further                                  */
    bool struck;                  /* tl_law_view                                                                        */
    bool block;                   /* made by bind: a constraint, of `blocks`                                            */
    bool gives;                   /* one of its bodies deforms: no drift of it is taken back                             */
    uint8_t points;               /* of its pair of shapes; 0: one                                                      */
    tl_vec3 n;                    /* at q_m                                                                             */
    double gap;                   /* at q_m                                                                         [m] */
    const tl_interaction *law;
    double *state;           /* of its pair of shapes (law/law.h); NULL: there is none                    */
    double weight;           /* tl_law_view                                                               */
    double shift;            /* made by bind and color: what the law adds to u_n                    [m/s] */
    double friction, offset; /* made by bind and color; while it is solved, I is J of law/law.h           */
    tl_vec3 point;           /* midway in the gap, for reports                                        [m] */
    tl_vec3 arm[2];          /* of ends a, b: from the origin of its body to where the impulse acts on it [m] */
    tl_vec3 at[2];           /* the same two points in the world                                      [m] */
    double I[3];             /* in: first guess; out: impulse along n, t, s                         [N s] */
    double V[3];             /* out: V⁺ along n, t, s                                           [m/s] */
} tl_contact;

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
