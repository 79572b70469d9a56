/* Hubs: free bodies with many moving neighbours that weigh more than they do themselves, a plate between two beds of grains. What the neighbours weigh passes
 * through the hub, and sweeps, contact after contact, hand it on in shares of the hub's mass. So the hub's velocity is eliminated: a sweep finds the velocity z
 * of the hub at which the impulses that its contacts answer with are those that bring it there,
 *
 *     z = z_free + Σ_c H_c I_c(z),
 *
 * where I_c(z) obeys the law of contact c with regard to the neighbour alone, while the hub moves at z. Newton's method finds z; each of its steps visits
 * every contact once. Without friction the right side decreases with z, and the zero is unique. Contacts of a hub with what does not move are swept. */
#ifndef TL_HUB_H
#define TL_HUB_H

#include "law/law2.h"
#include "law/law3.h"
#include "matter/matter.h"

enum { TL_HUB_AXES = 3, TL_HUB_RATES = 6 };

/* The law of a contact with regard to the neighbour alone. */
typedef union tl_spoke_law {
    struct {
        tl_delassus2 W;
        tl_coulomb2 law;
    } plane;
    struct {
        tl_delassus3 W;
        tl_coulomb3 law;
    } space;
} tl_spoke_law;

/* A contact of a hub with a neighbour. */
typedef struct tl_spoke {
    int coupled, side;                     /* which of the coupled contacts; its end at the neighbour */
    double H[TL_HUB_AXES][TL_HUB_RATES];   /* of the hub, along n, t, s                               */
    double y[TL_HUB_AXES], I[TL_HUB_AXES]; /* extrapolated, and new impulses                          */
    tl_spoke_law law;
} tl_spoke;

typedef struct tl_hub {
    int row, spokes;
    tl_spoke *spoke;
    bool solved; /* out: in this sweep */
} tl_hub;

typedef struct tl_hubs {
    int count;
    tl_hub *hub;
    tl_hub **of; /* [coupleds] NULL: no spoke; itself NULL: there are no hubs */
} tl_hubs;

/* What a problem, of the plane or of space, says of its coupled contacts. */
typedef struct tl_hub_source {
    void *problem;
    int axes, rates, bodies, coupleds;
    const bool *is_hub;                                   /* [bodies]; NULL: none is */
    const int *(*rows)(const void *problem, int coupled); /* of its two ends; −1: none */
    /* H and law of a spoke whose coupled contact and side are set. False: the neighbour does not give along n. */
    bool (*bind)(const void *problem, tl_spoke *);
    void (*read)(const void *problem, int row, double z[TL_HUB_RATES]); /* velocity of a body, with mass 1 */
    void (*place)(const void *problem, int row, const double z[TL_HUB_RATES]);
    double *(*impulse)(const void *problem, int coupled);
    /* The impulse that obeys the law at the present velocities, less what this spoke itself has done to the neighbour; −∂I/∂u. */
    void (*answer)(const void *problem, const tl_spoke *, double I[TL_HUB_AXES], double D[TL_HUB_AXES][TL_HUB_AXES]);
    void (*push)(const void *problem, const tl_spoke *, const double I[TL_HUB_AXES]);                           /* the neighbour */
    double (*work)(const void *problem, int coupled, const double I[TL_HUB_AXES], const double J[TL_HUB_AXES]); /* Iᵀ W J of the whole contact */
} tl_hub_source;

/* Of each body: moving neighbours, their mass [kg], and contacts with what does not move. */
typedef struct tl_hub_count {
    double moving, mass;
    int unmoving;
} tl_hub_count;

/* A grain among grains of its kind has 6 neighbours, in space 12, and some more that are near. Contacts with what does not move stay in packs, and there must
 * be colours for them. */
enum { TL_HUB_NEIGHBOURS = 24 };
static inline bool tl_is_hub(const tl_hub_count *c, int colors, double inverse_mass)
{
    return c->moving > TL_HUB_NEIGHBOURS && c->unmoving <= colors && c->mass * inverse_mass > 1;
}

/* Hubs of a problem that is bound, in the step's arena. MEMORY. */
TALUS_NODISCARD talus_status tl_hubs_make(const tl_hub_source *, tl_step *, tl_hubs *);
/* All spokes of a hub at once, from impulses extrapolated by β (velocities are already), to a tenth of the tolerance [m/s] or a thousandth of the error;
 * before [coupleds][axes] becomes I, I the new impulses. Momentum is kept to rounding. Returns how far that turned back, as a sweep does. Where Newton's
 * method does not come there nothing is changed, and the spokes are to be swept. */
double tl_hub_solve(const tl_hub_source *, tl_hub *, double *before, double beta, double tolerance);

#endif
