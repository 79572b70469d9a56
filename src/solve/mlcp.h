/* A mixed linear complementarity problem as a value (theory §5.5; N18 eq. 10): velocities v and multipliers λ, which are impulses, with
 *
 *     M v = p + Gᵀ λ,      u = G v + (Σ + R) λ − r,      low ≤ λ ≤ high,      u = 0 where λ is between, ≥ 0 at low, ≤ 0 at high.
 *
 * A row without bounds is a joint; one from 0 on a contact's normal; friction is a row with a normal: its bounds are ±μ λ of that row, a box instead of the
 * cone. With bounds that are given there is one solution of v, for M is positive definite; with friction there may be none or many. R ≥ 0 is what rows answer
 * to each other through velocities that are left out: with none in v, R is the Delassus operator, Σ and R λ − r all that there is of u. */
#ifndef TL_MLCP_H
#define TL_MLCP_H

#include "base/base.h"

typedef struct tl_mlcp {
    /* given; the arrays are the caller's */
    int velocities, rows;
    const int *mass_begin, *mass_row; /* M by columns, symmetric, all of it: [velocities + 1], [mass_begin[velocities]] */
    const double *mass;
    const int *begin, *column; /* G by rows: [rows + 1], [begin[rows]] */
    const double *direction;
    const double *give, *p, *r;        /* Σ ≥ 0 [rows], p [velocities], r [rows] */
    const int *own_begin, *own_column; /* R by rows, symmetric, all of it: [rows + 1], [own_begin[rows]]; NULL: R = 0 */
    const double *own;
    const double *low, *high; /* [rows] −∞ and ∞: none; of friction not looked at */
    const int *normal;        /* [rows] of friction the row of its normal, before it; −1: none. NULL: there is no friction */
    const double *friction;   /* [rows] μ */
    /* in: first guess; out */
    double *v, *lambda; /* [velocities], [rows] */
} tl_mlcp;

/* What is asked for, and what it came to. */
typedef struct tl_mlcp_task {
    double tolerance; /* of the error                                                                      */
    int passes;       /* over the bounds of friction; of `sweeps` over all rows                            */
    int most;         /* factors of a pass by pivoting; 0: twice the rows, and some                          */
    double deadline;  /* by tl_clock(), of passes by pivoting; 0: none                                      */
    /* out */
    int pass, pivots, factors; /* passes that were taken; rows that changed sides; factors of the matrix */
    bool cut;                  /* the last pass by pivoting did not come to its end                          */
    double error; /* largest of all rows, |λ − Π(λ − ρ u)|/ρ with 1/ρ = (G M⁻¹ Gᵀ + Σ + R)_kk and bounds of the present λ: a velocity, m/s where rows are in
                     metres */
} tl_mlcp_task;

/* Solvers. MEMORY; SINGULAR: M is not positive definite. Not to come to the tolerance is no failure: the error says so. */
typedef talus_status tl_mlcp_solver(tl_memory, tl_mlcp *, tl_mlcp_task *, tl_error *);
/* Block principal pivoting on a sparse factor of the quasi-definite [M Gᵀ; G −Σ − R], bounds of friction of the pass before. A pass ends by itself but for
 * rounding; it is cut where it takes more factors than are allowed, and the error says what is left. */
tl_mlcp_solver tl_mlcp_pivot;
/* Projected Gauss–Seidel over all rows. */
tl_mlcp_solver tl_mlcp_sweeps;
/* In turn: all but friction by pivoting, with the impulses of friction as they are; friction and normals by one sweep. */
tl_mlcp_solver tl_mlcp_split;

#endif
