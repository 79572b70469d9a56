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

#include "law/law.h"
#include "law/law2.h"
#include "matter/matter.h"
#include "solve/block.h"
#include "solve/condensed.h"
#include "solve/contact.h"
#include "solve/hub.h"
#include "solve/lanes.h"
#include "solve/slide.h"
#include "talus/solver.h"

enum { TL_COLORS = 63 };

/* Eight contacts of one colour. `a` is a moving grain; where the other end does not move, b = a with zero coefficients. */
typedef struct tl_pack2 {
    tl_lanes nx, ny;   /* normal from a to b                                              */
    tl_lanes sa, sb;   /* m^{-1/2}                                                        */
    tl_lanes cna, cta; /* J^{-1/2} (r_a × n), J^{-1/2} (r_a × t)                          */
    tl_lanes cnb, ctb;
    tl_lanes nn, nt, tt;                             /* W of the contact                                                */
    tl_lanes inverse_nn, inverse_s, k_plus, k_minus; /* law/law2.h                              */
    tl_lanes shift_n, shift_t, friction;
    tl_lanes In, It;
    uint32_t a[TL_LANES], b[TL_LANES]; /* where the rows of the ends begin, in bytes */
} tl_pack2;

/* M^{1/2} v of one grain. */
typedef struct tl_row2 {
    double x, y, w, unused;
} tl_row2;

/* A contact with at least one end in another kind of matter. */
typedef struct tl_coupled2 {
    int contact;
    int row[2];                /* grain row of end a, b; −1: not a moving grain                */
    int matter[2];             /* its matter; 0: grains                                        */
    tl_port port[2];           /* for matter > 0                                               */
    const double *H[2], *Y[2]; /* its rows, if it has them                                     */
    int nv[2];
    double s[2], cn[2], ct[2];            /* for rows                                                     */
    double shift[2], before[2], friction; /* before: V⁻ */
    tl_delassus2 W;
    tl_coulomb2 law;
    double I[2], drift; /* drift: accumulated positional impulse                        */
} tl_coupled2;

typedef struct tl_problem2 {
    /* given: bodies */
    int bodies;
    const tl_twist2 *v_free, *v_before; /* [bodies] v_free of boundaries: imposed velocity */
    const double *inverse_mass, *inverse_inertia;
    double *const *v;         /* [matters] velocities of the other matter, from 1; in v_free, out v⁺ */
    tl_matter *const *matter; /* [matters]                                                        */
    int matters;
    tl_slide slide;
    bool pulls; /* some law has an offset */
    /* given: contacts */
    tl_contact *contact;
    int contacts;
    const tl_moments *moments; /* NULL: none has any */
    /* given: what else holds. blocks NULL: nothing does, and no law has moments */
    tl_blocks *blocks;
    const tl_constraint *constraint;
    int constraints;
    /* given: settings */
    double h, slop;
    const talus_solver_settings *solver; /* tolerance > 0 or never reached; max_iterations: of this solve */
    /* made by bind and color */
    tl_stand_ins given;              /* matter and v as given: above are those of large matter that stand in for it */
    const struct tl_packs2 *kernels; /* for the instruction set of this machine (packs2.h) */
    tl_row2 *row;                    /* [bodies + 1] the last one is for empty lanes                                    */
    double *s, *j;                   /* [bodies] m^{-1/2}, J^{-1/2}                                                     */
    const bool *is_hub;              /* [bodies] hub.h; NULL: none is                                                   */
    tl_pack2 *pack;
    int packs;
    int color_begin[TL_COLORS + 2]; /* first pack of each colour; the last colour holds single contacts, in turn */
    int colors;
    int *lane; /* [packs × TL_LANES] contact of each lane, −1: empty                             */
    tl_coupled2 *coupled;
    int coupleds;
    int *block_contact, block_contacts; /* contacts that are constraints: the last of those of `blocks` */
    /* result */
    int iterations;
    double residual, residual_mean; /* largest; sum over contacts by the number of those that press [m/s] */
    bool converged;
} tl_problem2;

/* Rows, ports, colours, packs, from the given part. Ports are bound at each matter. */
TALUS_NODISCARD talus_status tl_problem2_bind(tl_problem2 *, tl_step *);
TALUS_NODISCARD talus_status tl_problem2_color(tl_problem2 *, tl_step *);

/* To the tolerance, by the solver asked for; impulses to contact[].I, velocities to contact[].V and v. UNSUPPORTED: matter without rows, by a solver that forms
 * W; INPUT: no such solver. */
TALUS_NODISCARD talus_status tl_problem2_solve(tl_problem2 *, tl_step *);
/* Nonlinear Gauss–Seidel (D20 eq. 33) to the tolerance. */
TALUS_NODISCARD talus_status tl_nlgs2_sweep(tl_problem2 *, tl_step *);

/* The error of the present impulses: largest natural-map residual over contacts [m/s]. Sets residual_mean. */
double tl_problem2_residual(tl_problem2 *, tl_step *);

/* After bind: rows of grains from v_free anew. */
void tl_problem2_set_rows(tl_problem2 *);
/* v⁺ of body i (boundaries: the imposed one). */
tl_twist2 tl_problem2_velocity(const tl_problem2 *, int body);
static inline tl_velocities tl_problem2_velocities(const tl_problem2 *p) { return (tl_velocities){&p->row->x, p->v}; }
/* v += M̃⁻¹ H I of other matter, [matters][nv] from 1, with the impulses that the contacts have after bind: their first guesses. */
void tl_problem2_push(const tl_problem2 *, double *const *v);
/* Tells other matter its final impulses (accumulate), once per port. */
void tl_problem2_accumulate(const tl_problem2 *);

/* Positional correction w (velocity units) that takes penetration beyond the slop back, as frictionless impulses that change
 * positions only (theory §6.4). w_grains [bodies], w [matters] zero on entry. */
TALUS_NODISCARD talus_status tl_drift2_solve(tl_problem2 *, tl_step *, tl_twist2 *w_grains, double *const *w);

/* Of the contacts first … end − 1, which have the same ends: the velocity V_n, weighted, that a unit impulse shared by these weights gives to the two ends
 * [1/kg], of what joints and a mechanism that has both would add nothing. After bind. */
TALUS_NODISCARD talus_status tl_problem2_mobility(const tl_problem2 *, tl_step *, int first, int end, const double *weight, double *mobility);

/* Of large matter, after the solve: the given velocities from the impulses, and from those of positions. */
void tl_problem2_recover(tl_problem2 *);
void tl_problem2_recover_drift(const tl_problem2 *, double *const *w);
/* For the files of this room: warm start, v = v_free + M⁻¹ H I₀; impulses and V⁺ to the contacts. */
void tl_problem2_start(tl_problem2 *, tl_step *);
void tl_problem2_write_back(tl_problem2 *, tl_step *);
/* Along n and t: how much faster than b its copy is, at the start of the step or at its end. */
void tl_problem2_slide(const tl_problem2 *, const tl_contact *, bool before, double V[2]);
/* V⁻ of a contact between grains. */
void tl_problem2_before(const tl_problem2 *, const tl_contact *, double V[2]);
/* Velocities of coupled contacts on a given set of velocities: shared by nlgs and drift. */
void tl_coupled2_velocity(const tl_problem2 *, const tl_coupled2 *, const tl_row2 *rows, double *const *v, double V[2]);
void tl_coupled2_impulse(const tl_problem2 *, const tl_coupled2 *, tl_row2 *rows, double *const *v, double n, double t);
tl_hub_source tl_problem2_hubs(tl_problem2 *);
/* Iᵀ W J */
double tl_coupled2_work(const tl_delassus2 *W, const double I[2], const double J[2]);

#endif
