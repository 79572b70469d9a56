/* Contacts that mechanisms have among themselves and with what does not move: few, but often hard. A light part between heavy ones, a helmet between ram and
 * pile, makes sweeps crawl by the ratio of their masses. Their W is formed, and a sweep solves them as a whole: with regard to all others they are eliminated.
 * Joints and loops never are contacts: relative coordinates leave them out.
 *
 * What that costs is counted in visits of contacts, the same on every machine; it may take as long as a quarter of the sweeps, beyond a start that all get.
 * Where it is not paid for, its contacts are swept like others. */
#ifndef TL_COUPLED_GROUPS_H
#define TL_COUPLED_GROUPS_H

#include "solve/local_rows.h"

enum { TL_GROUP_CONTACTS = 32 }; /* beyond, what it takes is more than it saves */

/* Contacts that hang together by matter. */
typedef struct tl_coupled_group {
    int contacts;         /* 0: less than two or too many, or not to be solved: they are swept */
    const int *member;    /* [contacts] which of the coupled contacts                          */
    double (*V)[3];       /* [contacts] in: shifted velocities at y                            */
    double (*y)[3];       /* [contacts] in: extrapolated impulses                              */
    double (*before)[3];  /* [contacts] in: impulses that y extrapolates                       */
    double (*I)[3];       /* [contacts] out                                                    */
    double tolerance;     /* [m/s]                                                             */
    double credit, earns; /* visits: what it may take now, what it gets for a sweep           */
    double reversal;      /* out: as a sweep returns it                                        */
    bool solved;          /* out: in this sweep                                                */
    tl_local local;
} tl_coupled_group;

typedef struct tl_coupled_groups {
    int count;
    tl_coupled_group *group;
    int *of; /* [coupleds] its group; −1: it touches a grain */
} tl_coupled_groups;

/* Those of a problem that is bound, in the step's arena but for W. What has no W that makes sense is swept. MEMORY. */
TALUS_NODISCARD talus_status tl_coupled_groups_make(const tl_problem *, tl_step *, tl_coupled_groups *);
void tl_coupled_groups_destroy(tl_coupled_groups *);

/* `solved`: impulses that obey the law together to the tolerance, each exactly with regard to the others at its turn. Else they are to be swept; where it was
 * not for lack of credit, from now on. */
void tl_coupled_group_solve(tl_coupled_group *);

#endif
