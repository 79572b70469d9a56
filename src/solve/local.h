/* The contact problem as a value (theory §5): contacts, their Delassus operator W in blocks, free velocities, friction. For solvers that want W
 * itself; the sweeps of a step never form it (problem2.h, problem3.h).
 *
 * Everything is kept scaled, contact by contact with σ = √ρ, ρ = dimension / trace W_ii:
 *     I → I/σ,   u → σ u,   W_ij → σ_i W_ij σ_j,
 * which leaves the law as it is and makes every diagonal of order 1. Planar contacts have a second tangent that nothing acts on. */
#ifndef TL_LOCAL_H
#define TL_LOCAL_H

#include "base/base.h"
#include "law/law3.h"

typedef struct tl_local {
    tl_memory memory;
    bool convex; /* the law's convex relaxation: û = u */
    int contacts, blocks;
    int *row, *column, *diagonal; /* blocks of contact i: row[i] … row[i + 1] − 1, by column; its own: diagonal[i] */
    double (*block)[9];           /* by rows, n t s                                                              */
    double (*q)[3], *friction, *sigma;
    tl_coulomb3 *law;           /* of the blocks of the diagonal */
    double (*I)[3];             /* the present impulses          */
    double (*best)[3], *lambda; /* what sweeps keep: impulses of the least error; λ of each contact (law3.h) */
    double unit;                /* norm of q (not scaled), or 1  */
} tl_local;

/* What a solver is asked for, and what it did. */
typedef struct tl_local_task {
    double tolerance;
    int max_iterations;
    double deadline; /* by tl_clock(); infinity: none */
    int iterations;
    double error;
    double rate;   /* of sweeps: by which factor one shrinks what it changes, in the mean of the later half */
    int total;     /* iterations of all turns that were taken                      */
    bool declined; /* the matrix to factor would be too large: nothing was done    */
} tl_local_task;

static inline bool tl_local_is_late(double deadline) { return deadline < (double)INFINITY && tl_clock() > deadline; }

/* Room for so many contacts and blocks. row, column, block, q, friction, I are to be filled in, not scaled, then tl_local_prepare. */
TALUS_NODISCARD talus_status tl_local_create(tl_memory, int contacts, int blocks, tl_local *, tl_error *);
void tl_local_destroy(tl_local *);
/* Scales, prepares laws. INPUT: a contact without a block of its own, W_nn ≤ 0. */
TALUS_NODISCARD talus_status tl_local_prepare(tl_local *, int dimension, tl_error *);

/* u = W I + q; of contact i. */
void tl_local_velocity(const tl_local *, const double (*I)[3], double (*u)[3]);
void tl_local_velocity_at(const tl_local *, int i, const double (*I)[3], double u[3]);
/* What û adds to u along the normal of contact i: μ ‖u_t‖, or nothing. */
double tl_local_opening(const tl_local *, int i, const double u[3]);
/* The error of impulses I with u = W I + q (talus_problem_error); with openings s that are given. */
double tl_local_error(const tl_local *, const double (*I)[3], const double (*u)[3]);
double tl_local_error_now(const tl_local *); /* of the present impulses */
double tl_local_error_held(const tl_local *, const double *s, const double (*I)[3], const double (*u)[3]);

/* One sweep of Gauss–Seidel over the present impulses: each obeys its law at its turn, as tl_coulomb3_follow does from λ. Returns the change, in the error's
 * units. */
double tl_local_sweep(tl_local *);
/* The same from no λ: what is open has no impulse, and no other leaves its cone. */
void tl_local_sweep_strictly(tl_local *);

/* Solvers: from the present impulses, to the best that they find. MEMORY is their only failure. */
typedef talus_status tl_local_solver(tl_local *, tl_local_task *, tl_error *);
tl_local_solver tl_local_nlgs, tl_local_newton, tl_local_proximal, tl_local_ccp, tl_local_interior_point;
tl_local_solver tl_local_pivot, tl_local_split, tl_local_pgs; /* local_mlcp.c */
/* From impulses that solve it to those of least norm of the same velocities (Olsen & Kamrin 2018), which are unique; where it does not come to an end, the
 * given ones stay and it has declined. Their error may be twice the tolerance or that of the given ones. max_iterations 0: what it thinks right. MEMORY. */
TALUS_NODISCARD talus_status tl_local_least_norm(tl_local *, tl_local_task *, tl_error *);

/* For tens of contacts: sweeps, then solvers that factor W, until the error is within the tolerance (true) or another iteration would take more than `most`
 * visits of a contact by sweeps. interior: steps of interior points at most. What a factor of W takes, with what goes with it, is as many visits as
 * tl_local_factor_cost says. */
bool tl_local_exactly(tl_local *, double tolerance, int interior, double most, double *taken);
double tl_local_factor_cost(int contacts);

/* Up to which solvers factor a matrix; beyond, sweeps are the better choice: blocks, multiplications of one factor. */
enum { TL_FACTOR_BLOCKS = 20000 };
extern const double TL_FACTOR_WORK;

/* What there is to say of a solver. All that names solvers (scenes, their reference, the command, messages) reads it here. */
typedef struct tl_solver_row {
    const char *name, *meaning;
    tl_local_solver *solve; /* NULL: all others in turn                                                                        */
    bool bodies;            /* velocities of bodies in a step (body_rows.h): it knows masses, and a file has W                    */
    bool sweeps;            /* a step's own sweeps stand for it, which never form W (nlgs_2d.c, nlgs_3d.c)                       */
    bool convex;            /* solves the convex relaxation, too                                                               */
    bool large;             /* takes any number of contacts: it factors no matrix                                              */
    int max_iterations;     /* where none is asked for                                                                          */
    int first, growth;      /* among all in turn: iterations of the first round, and times more in each later one; 0: not among them */
} tl_solver_row;
/* The one of this name; NULL: there is none. */
const tl_solver_row *tl_solver_find(const char *name);
/* By index, in the order of their turns; NULL beyond the last. */
const tl_solver_row *tl_solver_at(int index);
/* Of all; of those that solve the convex relaxation; of those for any number of contacts. */
tl_words_fn tl_solver_name, tl_solver_name_convex, tl_solver_name_large;
/* INPUT: there is no such solver, or it does not solve the convex relaxation where that is asked for. */
TALUS_NODISCARD talus_status tl_solver_check(const char *name, bool convex, tl_error *);

/* What was done: whose result it is, and the turns in order, "nlgs 100, newton 12". */
typedef struct tl_local_course {
    const char *solver;
    char text[200];
} tl_local_course;
/* One of these by name. INPUT: tl_solver_check. max_iterations 0: what the solver thinks right. */
TALUS_NODISCARD talus_status tl_local_solve(tl_local *, const char *solver, tl_local_task *, tl_local_course *, tl_error *);

#endif
