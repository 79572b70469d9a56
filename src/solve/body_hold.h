/* What one hold of a problem in velocities of bodies (body_problem.h) answers to its velocities, and how far it is from its law. */
#ifndef TL_BODY_HOLD_H
#define TL_BODY_HOLD_H

#include "solve/body_problem.h"

typedef double tl_hold_rows[TL_BODY_ROWS];

/* What a hold is asked: the impulses of its set that are nearest to I° − ρ u, u without Σ I. Disks are those of the impulse `normal`; NULL: of the normal
 * impulse of the answer. */
typedef struct tl_hold_query {
    const double *I0, *u, *rho, *normal;
} tl_hold_query;

bool tl_hold_is_joint(const tl_body_hold *);
/* Friction and nothing else. */
bool tl_hold_is_contact(const tl_body_hold *);
/* A contact without an impulse that opens: it answers with none. */
bool tl_hold_is_open(const tl_body_hold *, const double *I0, const double *u);
/* 1/ρ of a row is Σ + W/stiff. Rows of a disk have the same: that of the row that moves most easily. */
void tl_hold_rho(const tl_body_hold *, double stiff, double *rho);
/* D of a joint, whose rows have no bounds. */
void tl_hold_joint(const tl_body_hold *, double *D);
/* What its velocities, not yet zero, add to its impulses: −D (u + Σ I). */
void tl_hold_pull(const tl_body_hold *, const double *u, double *out);
/* The answer I; D [rows][rows] = −∂I/∂u, if it is not NULL. */
void tl_hold_answer(const tl_body_hold *, const tl_hold_query *, double *I, double *D);
/* How far impulses and velocities are from obeying [m/s]: of contacts the natural map of their law; of others ‖I − P(I − ρ u)‖ / ρ with the ρ of the rows' own
 * W, and disks of the present normal impulse. */
double tl_hold_error(const tl_body_hold *, const double *I, const double *u);

#endif
