/* A contact problem by itself, without bodies: for each contact i, along its normal and tangents,
 *
 *     u_i = Σ_j W_ij I_j + q_i,     0 ≤ u_n ⊥ I_n ≥ 0,     ‖I_t‖ ≤ μ I_n,     u_t ≠ 0 ⇒ I_t = −μ I_n u_t/‖u_t‖
 *
 * or, convex, with velocities in the dual of the friction cone instead, which are multipliers of a cone program (Y19; Anitescu & Tasora 2010),
 *
 *     K* ∋ u_i  ⊥  I_i ∈ K,     ½ I·W I + q·I least in the cones K = {‖I_t‖ ≤ μ I_n}:
 *
 * contacts that slide then open, u_n = μ ‖u_t‖. There is always a solution, and its velocities are unique.
 *
 * W: Delassus operator, symmetric and positive semidefinite, in blocks; q: free velocities with what the law adds to them (theory §5). What
 * FCLIB calls a local problem. Units are the user's; errors are relative, so that they do not matter.
 */
#ifndef TALUS_PROBLEM_H
#define TALUS_PROBLEM_H

#include "talus/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct talus_problem talus_problem;

/* Blocks by rows: those of contact i are number row[i] … row[i + 1] − 1; block k couples it with contact column[k]. Blocks of a row are in any order, and those
 * of the same place are added. Where W is not symmetric to rounding, its symmetric part is taken. */
typedef struct talus_problem_def {
    uint32_t struct_size;
    int dimension;          /* 2: normal and tangent; 3: normal and two tangents                  default 3     */
    int contacts;           /* > 0                                                                              */
    const int *row;         /* [contacts + 1]                                                                   */
    const int *column;      /* [row[contacts]]                                                                  */
    const double *block;    /* [row[contacts]][dimension][dimension]                                            */
    const double *q;        /* [contacts][dimension]                                                            */
    const double *friction; /* [contacts], ≥ 0                                                                  */
    const double *impulse;  /* [contacts][dimension], a first guess; NULL: zero                   default NULL  */
    int convex;             /* 1: the law's convex relaxation instead, see below                  default 0     */
} talus_problem_def;

typedef struct talus_problem_settings {
    uint32_t struct_size;
    const char *solver; /* one of talus_problem_solver_name                       default: TALUS_SOLVER_ALL (talus/solver.h) */
    double tolerance;   /* of the error (talus_problem_error)                                 default 1e-8   */
    int max_iterations; /* of sweeps; 0: what the solver thinks right                         default 0      */
    double time_limit;  /* [s]; 0: none                                                       default 0      */
} talus_problem_settings;

typedef struct talus_problem_report {
    const char *solver; /* whose result it is                                                                  */
    int iterations;     /* its own: sweeps, Newton steps                                                       */
    double error;       /* as talus_problem_error says                                                         */
    double seconds;
    int converged;    /* error ≤ tolerance                                                                   */
    char course[200]; /* what was done in turn: "nlgs 100, newton 12"                                        */
} talus_problem_report;

TALUS_API talus_problem_def talus_problem_def_default(void);
TALUS_API talus_problem_settings talus_problem_settings_default(void);

/* Copies the definition. INPUT: sizes, indices or numbers that make no sense, a contact whose own W_nn is not positive; the reason is written to message. */
TALUS_API TALUS_NODISCARD talus_status talus_problem_create(const talus_problem_def *def, talus_problem **problem, char *message, size_t size);
TALUS_API void talus_problem_destroy(talus_problem *problem);

/* From the impulses that the problem has. INPUT: no such solver; MEMORY. Not to converge is no failure: the report says so, and the impulses are the best
 * that were found. */
TALUS_API TALUS_NODISCARD talus_status talus_problem_solve(talus_problem *problem, const talus_problem_settings *settings, talus_problem_report *report,
                                                           char *message, size_t size);

/* Unique impulses: where many make the same velocities, as in a hyperstatic packing, those of least norm, which equal
 * springs at the contacts would carry (Olsen & Kamrin 2018). From impulses that solve the problem; their velocities
 * stay to the tolerance (or to the error that the given ones have, where that is more). settings.solver is not used.
 * report.converged says whether it came to an end; if not, the impulses are the given ones. INPUT: settings; MEMORY. */
TALUS_API TALUS_NODISCARD talus_status talus_problem_least_norm(talus_problem *problem, const talus_problem_settings *settings, talus_problem_report *report,
                                                                char *message, size_t size);

/* Names of solvers by index, from 0, and what each is, in a few words; NULL beyond the last. */
TALUS_API const char *talus_problem_solver_name(int index);
TALUS_API const char *talus_problem_solver_meaning(int index);

/* The error of its impulses, without unit: the norm over all contacts of
 *     ‖ I − P_K(I − ρ û) ‖ / ρ,     û = u + μ ‖u_t‖ n (convex: u),     ρ = dimension / trace W_ii
 * (Acary, Brémond & Huber 2018) over the norm of q; where q is zero, over 1. */
TALUS_API double talus_problem_error(const talus_problem *problem);

/* The problem as a definition, blocks in order, with its present impulses. The pointers live as long as the problem;
 * what `impulse` points to changes with talus_problem_solve. */
TALUS_API talus_problem_def talus_problem_get(const talus_problem *problem);
/* The contact problem of the last step, as it was solved, contacts in the world's order, with their impulses. Its
 * velocities are the shifted ones of which the law speaks: they include restitution, gaps that may close within the
 * step, and imposed motions. NULL where there is no contact. INPUT: before the first step, after one that failed;
 * UNSUPPORTED: matter that cannot say its rows, joints between bodies and what else is no contact alone, the penalty scheme; MEMORY. */
TALUS_API TALUS_NODISCARD talus_status talus_world_problem(talus_world *world, talus_problem **problem, char *message, size_t size);

/* The same problem with the velocities of the bodies in it, before they are condensed to W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w:
 *     M v = H I + f,     u = Hᵀ v + w.
 * v: of all bodies that touch, one after the other; of a grain its centre of mass along the world's axes, then in space its angular velocity about its own axes
 * (the world's where its moments of inertia are equal); of a mechanism its independent velocities. f: M times the velocity without impulses. Behind them, in
 * the order of the contacts, one of each that gives, √Σ I_n with mass 1, which opens it by Σ I_n (spook: interactions with a stiffness). What FCLIB calls a
 * global problem. */
typedef struct talus_global_problem {
    int dimension, contacts, velocities;
    const int *mass_begin, *mass_row; /* M by columns: of column k the entries mass_begin[k] … mass_begin[k + 1] − 1 */
    const double *mass;
    const int *begin, *row; /* H alike, column contact × dimension + axis */
    const double *direction;
    const double *f, *v;                  /* [velocities]; v: at the end of the step */
    const double *w, *friction, *impulse; /* [contacts][dimension], friction [contacts] */
} talus_global_problem;

/* That of the last step, as talus_world_problem says; without contacts, contacts is 0. The pointers live until the next step. INPUT also where kinds of bodies
 * have changed since. */
TALUS_API TALUS_NODISCARD talus_status talus_world_global_problem(talus_world *world, talus_global_problem *problem, char *message, size_t size);

/* u = W I + q, [contacts][dimension]; returns the same pointer each time, brought up to date. */
TALUS_API const double *talus_problem_velocities(talus_problem *problem);

#ifdef __cplusplus
}
#endif
#endif
