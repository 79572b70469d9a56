/* Contacts that mechanisms have among themselves and with what does not move: few, but often hard. A light part between heavy ones, a helmet between ram and
 * pile, makes sweeps crawl by the ratio of their masses. Their W is formed, and each sweep solves them as a whole: with regard to all others they are
 * eliminated. Joints and loops never are contacts: relative coordinates leave them out. */
#ifndef TL_MACHINE_H
#define TL_MACHINE_H

#include "solve/local_rows.h"

enum { TL_MACHINE_CONTACTS = 32 }; /* beyond, what it takes is more than it saves */

typedef struct tl_machine {
    int contacts;        /* 0: there are none, or sweeps must do                        */
    const int *member;   /* [contacts] which of the coupled contacts                    */
    bool *is_member;     /* [coupleds]                                                  */
    double (*V)[3];      /* [contacts] for the caller: in, shifted velocities at y      */
    double (*y)[3];      /* [contacts] in, extrapolated impulses                        */
    double (*before)[3]; /* [contacts] in, impulses that y extrapolates                 */
    double (*I)[3];      /* [contacts] out                                              */
    double tolerance;    /* [m/s]                                                       */
    double turn;         /* out: as a sweep returns it                                  */
    tl_local local;
} tl_machine;

/* Of the coupled contacts `member` (in the arena) with the rows that they have; nothing at all where there are less than two or too many. */
TALUS_NODISCARD talus_status tl_machine_make(const tl_local_rows *, const int *member, int coupleds, double tolerance, tl_step *, tl_machine *);
void tl_machine_destroy(tl_machine *);

/* Impulses that obey the law together, to a tenth of the tolerance; false: they were not found, and the contacts are to be swept from now on. */
bool tl_machine_solve(tl_machine *);

/* Those of a problem that is bound. */
TALUS_NODISCARD talus_status tl_problem2_machine(const tl_problem2 *, tl_step *, tl_machine *);
TALUS_NODISCARD talus_status tl_problem3_machine(const tl_problem3 *, tl_step *, tl_machine *);

#endif
