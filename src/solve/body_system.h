/* What both solvers of a problem in velocities of bodies share (body_problem.h): its matrix by parts, the balance of momentum, a step of Newton's method, and
 * errors.
 *
 *     F(v) = M (v − v_free) − Σ H I,     A dv = −F,     A = M + Σ H D Hᵀ,     D = −∂I/∂u
 *
 * I and D of a hold are the solver's to say. All is done by shares of the problem, the parts of the matrix, side by side, and the top after them; sums are
 * taken in the order of shares, so that nothing depends on the number of threads. */
#ifndef TL_BODY_SYSTEM_H
#define TL_BODY_SYSTEM_H

#include "solve/body_hold.h"
#include "solve/body_matrix.h"

/* What one thread may do beside others: holds that touch a part of the matrix, and groups that are all in it. The last share is of the top: it is done alone,
 * after the others. */
enum { TL_BODY_BUNDLE = 8 }; /* holds, at most */
typedef struct tl_body_share {
    int holds, groups, *hold, *group;
    int bundles, *bundle; /* of holds with the same ends, [bundles + 1] where they begin in `hold`: their rows are added to the matrix together */
    int **slot;           /* [bundles] of A, for all pairs of the blocks of one hold */
    double (*f)[3];       /* [blocks] impulses on its groups, and what it adds to those of the top */
    double *DH, *H;       /* [blocks of an end][rows of a bundle][4], and [rows][3 × blocks], room */
    int *list;            /* the blocks of a hold, room */
    /* out */
    bool regular;
    double sum, error, lag;
} tl_body_share;

typedef struct tl_body_system {
    tl_body_problem *p;
    tl_step *step;
    tl_body_matrix A;
    int parts;
    tl_body_share share[TL_SPARSE3_PARTS + 1];
    double **mass_factor; /* [groups] Cholesky's of M; NULL: 1 */
    /* [blocks] M (v − v_free); step, and M times it; F; M⁻¹ F */
    double (*momentum)[3], (*dv)[3], (*Mdv)[3], (*F)[3], (*lag)[3];
    tl_hold_rows *u, *du, *best; /* [holds] velocities without Σ I, their step, the impulses with the least error */
} tl_body_system;

/* I of a hold; false: none. */
typedef bool tl_body_impulses(void *solver, int hold, double *I);
/* D [rows][rows] of a hold that is no joint; false: none. */
typedef bool tl_body_stiffness(void *solver, int hold, double *D);
typedef void tl_body_work(void *solver, tl_body_share *);

/* `worth`: there is a factor, and it is not too much work. MEMORY. Free it in any case. */
TALUS_NODISCARD talus_status tl_body_system_make(tl_body_system *, bool *worth, tl_step *);
void tl_body_system_free(tl_body_system *);
/* From the first guess of the problem, with its error. */
void tl_body_start(tl_body_system *);
/* Is the tolerance, or the end of the steps, reached? */
bool tl_body_is_over(const tl_body_problem *);
void tl_body_each(tl_body_system *, tl_body_work *, void *solver);
/* F where a share t of the step has been taken, and M⁻¹ F. Returns the norm of F in M⁻¹: the root of twice the energy by which impulses and velocities
 * disagree. The solver reads u + t du. */
double tl_body_disagreement(tl_body_system *, double t, tl_body_impulses *, void *solver);
/* Of A with these D. False: there is none, or the step is to end. */
bool tl_body_factor(tl_body_system *, tl_body_stiffness *, void *solver);
/* dv = −A⁻¹ F, and M dv, du; then what the solver makes of the du of a share; NULL: nothing. */
void tl_body_step(tl_body_system *, tl_body_work *, void *solver);
/* Takes the share t of it. */
void tl_body_take(tl_body_system *, double t);
/* Takes nothing of it, which may be no numbers. */
void tl_body_refuse(tl_body_system *);
/* The largest error of these impulses with the velocities that they make, u − Hᵀ M⁻¹ F, F being theirs; the best are remembered. `lag`: the largest
 * difference of the two velocities. */
double tl_body_measure(tl_body_system *, tl_body_impulses *, void *solver, double *lag);

/* From the present velocities and the best impulses, rounds of Newton's method until the end (body_newton.c), the first so stiff; 0: as after nothing. */
TALUS_NODISCARD talus_status tl_body_newton(tl_body_system *, double stiff, tl_step *);
/* Interior points (body_interior.c), where they know all sets of the problem; else nothing is done. */
TALUS_NODISCARD talus_status tl_body_interior(tl_body_system *, tl_step *);

#endif
