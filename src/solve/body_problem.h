/* The contact problem with velocities of bodies as its unknowns (theory §5.8): for machines whose joints carry much, where
 * sweeps hand a load on from contact to contact.
 *
 *     M (v − v_free) = Σ H I,     u = Hᵀ v + Σ I + shift,     I ∈ K,  −u ∈ N_K(I)
 *
 * Rows are those of joints, of what has bounds, and of contacts. Velocities are by groups, a grain's or all of a mechanism,
 * each padded with zeros to blocks of three. It is a value: it knows no problem of a step, no kind of matter and no
 * dimension. body_rows.c makes one from a problem and takes its impulses back to it; body_solve.c solves it. */
#ifndef TL_BODY_PROBLEM_H
#define TL_BODY_PROBLEM_H

#include "matter/matter.h"

enum { TL_BODY_ROWS = 6, TL_BODY_WIDEST = 480 }; /* rows of a hold; velocities of a group, padded, or of an end */

typedef struct tl_body_group {
    int size, blocks, first; /* velocities; blocks of three that they fill, from `first` on */
    double x[3];             /* about where it is [m]: it helps to order many; 0 where nobody knows */
    const double *M;         /* [size][size] its mass; NULL: 1, velocities being scaled by the root of it */
} tl_body_group;

typedef struct tl_body_end {
    int first, blocks; /* of a group, or some of them: what it acts on */
    const double *H;   /* [rows][3 × blocks], with the sign of the end */
} tl_body_end;

/* A disk of impulses: rows first … of a cone that are at most `share` times its normal impulse, together. */
typedef struct tl_body_disk {
    int first, rows;
    double share;
} tl_body_disk;

/* What holds: rows of one joint, of one set with bounds, or of one contact. A row is bounded, low ≤ I ≤ high, or in one of the disks. */
typedef struct tl_body_hold {
    int rows, end, ends, disks; /* ends end … end + ends − 1 of the problem */
    tl_body_disk disk[3];
    double low, high;                        /* of rows that are in no disk; infinite: none [N s]  */
    double give[TL_BODY_ROWS];               /* Σ [1/kg]                                           */
    double own[TL_BODY_ROWS];                /* of Hᵀ M⁻¹ H, the diagonal; 0: nothing moves it    */
    double I[TL_BODY_ROWS], u[TL_BODY_ROWS]; /* in: first guess, and Hᵀ v + shift with it; out [N s] */
} tl_body_hold;

typedef struct tl_body_problem {
    int groups, blocks, holds, ends;
    tl_body_group *group;
    tl_body_hold *hold;
    tl_body_end *end;
    double tolerance; /* of an error [m/s] */
    /* Errors of a guess that does not know which contacts press, for which there are interior points; and of one that does, where Newton's rounds take over */
    double far, near;
    int least, max_iterations; /* iterations, `least` of them also where the guess is within the tolerance */
    /* out */
    int iterations;
    double error; /* largest of a hold, with impulses as they are [m/s] */
} tl_body_problem;

/* Impulses that bring the error below the tolerance, or the best there were. MEMORY; without a factor, or when it would be too large, nothing is done and
 * `error` is infinite. Where memory for a factor is refused on the way, that is the end of the way. */
TALUS_NODISCARD talus_status tl_body_solve(tl_body_problem *, tl_step *);

#endif
