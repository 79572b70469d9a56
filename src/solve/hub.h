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

#include "solve/problem.h"

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

/* What knows the dimension of a problem's hubs. */
typedef struct tl_hub_ops {
    int axes, rates; /* of a contact, of a body */
    /* H and law of a spoke whose coupled contact and side are set. False: the neighbour does not give along n. */
    bool (*bind)(const tl_problem *, tl_spoke *);
    void (*read)(const tl_problem *, int row, double z[TL_HUB_RATES]); /* velocity of a body, with mass 1 */
    void (*place)(const tl_problem *, int row, const double z[TL_HUB_RATES]);
    /* The impulse that obeys the law at the present velocities, less what this spoke itself has done to the neighbour; −∂I/∂u. */
    void (*answer)(const tl_problem *, const tl_spoke *, double I[TL_HUB_AXES], double D[TL_HUB_AXES][TL_HUB_AXES]);
    void (*push)(const tl_problem *, const tl_spoke *, const double I[TL_HUB_AXES]);              /* the neighbour */
    double (*work)(const tl_coupled *, const double I[TL_HUB_AXES], const double J[TL_HUB_AXES]); /* Iᵀ W J of the whole contact */
} tl_hub_ops;
extern const tl_hub_ops TL_HUBS_2D, TL_HUBS_3D;

typedef struct tl_hub {
    int row, spokes;
    tl_spoke *spoke;
    bool solved; /* out: in this sweep */
} tl_hub;

typedef struct tl_hubs {
    tl_problem *problem;
    const tl_hub_ops *ops;
    int count;
    tl_hub *hub;
    tl_hub **of; /* [coupleds] NULL: no spoke; itself NULL: there are no hubs */
} tl_hubs;

/* Which bodies are hubs, to is_hub: those between many moving neighbours that weigh more, and so few contacts that stay in packs, with what does
 * not move and with springs, that there are colours for them. MEMORY. */
TALUS_NODISCARD talus_status tl_hubs_find(tl_problem *, tl_step *, int colors);
/* Hubs of a problem that is bound, in the step's arena. MEMORY. */
TALUS_NODISCARD talus_status tl_hubs_make(const tl_hub_ops *, tl_problem *, tl_step *, tl_hubs *);
/* All spokes of a hub at once, from impulses extrapolated by β (velocities are already), to a tenth of the solver's tolerance or a thousandth of the error;
 * before [coupleds] becomes I, I the new impulses. Momentum is kept to rounding. Returns how far that turned back, as a sweep does. Where Newton's
 * method does not come there nothing is changed, and the spokes are to be swept. */
double tl_hub_solve(const tl_hubs *, tl_hub *, double (*before)[3], double beta);

#endif
