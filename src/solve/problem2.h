/* The contact problem of a planar step (theory §1, §5):
 *
 *     u = Hᵀ v + shift,   v = v_free + M̃⁻¹ H I,   law(u, I) for every contact.
 *
 * v is kept, W is not formed. A grain's velocity is kept as M^{1/2} v, one 32-byte row: then H̃ = M^{-1/2} H serves both to read a
 * velocity and to apply an impulse, and the sweep needs no masses.
 *
 * Contacts between grains are coloured (no two of a colour share a moving grain) and packed, eight of a colour side by side:
 * any split of a colour among threads gives the same bits. Contacts that touch other matter go through its table of functions,
 * one after the other.
 */
#ifndef TL_PROBLEM2_H
#define TL_PROBLEM2_H

#include "solve/colors.h"
#include "solve/hub.h"
#include "solve/lanes.h"
#include "solve/problem.h"

/* Eight contacts of one colour. `a` is a moving grain; where the other end does not move, b = a with zero coefficients. What is read of W is little, for a
 * sweep over many packs waits for memory: W_nn = s_a² + s_b² + c_na² + c_nb² + Σ, and so on. */
typedef struct tl_pack2 {
    tl_lanes nx, ny;                /* normal from a to b                                                           */
    tl_lanes cna, cta;              /* J^{-1/2} (r_a × n), J^{-1/2} (r_a × t)                                       */
    tl_lanes cnb, ctb;              /* of the end b                                                                 */
    tl_lanes inverse_nn, inverse_s; /* law/law2.h                                                                   */
    tl_lanes high, low;             /* times the normal impulse that would be without friction: bounds of I_t       */
    tl_lanes shift_n, shift_t, In, It;
    uint32_t a[TL_LANES], b[TL_LANES]; /* where the rows of the ends begin, in bytes */
    tl_lanes friction, inverse_rho;    /* of the residual: 1/ρ                       */
} tl_pack2;

/* M^{1/2} v of one grain, and what its contacts ask of it. */
typedef struct tl_row2 {
    double x, y, w, s; /* s = m^{-1/2} */
} tl_row2;

typedef struct tl_problem2 {
    tl_problem base; /* first */
    /* given: bodies */
    const tl_twist2 *v_free, *v_before; /* [bodies] v_free of boundaries: imposed velocity */
    const double *inverse_inertia;      /* [bodies] */
    /* made by bind and color */
    const struct tl_packs2 *kernels; /* for the instruction set of this machine (packs2.h) */
    tl_row2 *row;                    /* [rows] of the bodies; for empty lanes, one of each domain: no two threads write one */
    double *s, *j;                   /* [bodies] m^{-1/2}, J^{-1/2}                                                     */
    tl_pack2 *pack;
    tl_errors *error; /* [packs] scratch of the residual */
    int packs;
    tl_colors color; /* of one family and rank */
} tl_problem2;

/* Rows, ports, colours, packs, from the given part. Ports are bound at each matter. */
TALUS_NODISCARD talus_status tl_problem2_bind(tl_problem2 *, tl_step *);
TALUS_NODISCARD talus_status tl_problem2_color(tl_problem2 *, tl_step *);

/* Nonlinear Gauss–Seidel (D20 eq. 33) to the tolerance. */
TALUS_NODISCARD talus_status tl_nlgs2_sweep(tl_problem2 *, tl_step *);

/* The error of the present impulses: largest natural-map residual over contacts [m/s]. Sets residual_mean and impulse_mean. */
double tl_problem2_residual(tl_problem2 *, tl_step *);

/* After bind: rows of grains from v_free anew. */
void tl_problem2_set_rows(tl_problem2 *);
/* v⁺ of body i (boundaries: the imposed one). */
tl_twist2 tl_problem2_velocity(const tl_problem2 *, int body);

/* Positional correction w (velocity units) that takes penetration beyond the slop back, as frictionless impulses that change
 * positions only (theory §6.4). w_grains [bodies], w [matters] zero on entry. */
TALUS_NODISCARD talus_status tl_drift2_solve(tl_problem2 *, tl_step *, tl_twist2 *w_grains, double *const *w);

/* For the files of this room: warm start, v = v_free + M⁻¹ H I₀; impulses and V⁺ to the contacts. */
void tl_problem2_start(tl_problem2 *, tl_step *);
void tl_problem2_write_back(tl_problem2 *, tl_step *);
/* V⁻ of a contact between grains. */
void tl_problem2_before(const tl_problem2 *, const tl_contact *, double V[2]);
/* V = Hᵀ v of a coupled contact on a given set of velocities; v += M̃⁻¹ H I. */
void tl_coupled2_velocity(const tl_problem2 *, const tl_coupled *, const tl_row2 *rows, double *const *v, double V[2]);
void tl_coupled2_impulse(const tl_problem2 *, const tl_coupled *, tl_row2 *rows, double *const *v, double n, double t);
/* Iᵀ W J */
double tl_coupled2_work(const tl_delassus2 *W, const double I[2], const double J[2]);

extern const tl_pack_ops TL_PACK_OPS2;

#endif
