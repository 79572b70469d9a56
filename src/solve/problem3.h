/* The contact problem of a step in space (theory §1, §5), the sibling of problem2.h:
 *
 *     u = Hᵀ v + shift,   v = v_free + M̃⁻¹ H I,   law(u, I) for every contact.
 *
 * v is kept, W is not formed. A grain's velocity is kept as M^{1/2} v (angular part in its principal axes; those of a body whose moments of inertia are equal
 * are the world's), one 64-byte row: H̃ = M^{-1/2} H serves both to read a velocity and to apply an impulse, and the sweep needs no masses.
 *
 * Contacts between grains are coloured (no two of a colour share a moving grain) and packed, eight of a colour side by side:
 * any split of a colour among threads gives the same bits. Contacts that touch other matter go through its table of functions,
 * one after the other. */
#ifndef TL_PROBLEM3_H
#define TL_PROBLEM3_H

#include "matter/grains3.h"
#include "solve/colors.h"
#include "solve/hub.h"
#include "solve/lanes.h"
#include "solve/problem.h"

/* M^{1/2} v of one grain, and what its contacts ask of it: one cache line. */
typedef struct tl_row3 {
    double v[3], s; /* s = m^{-1/2}                                             */
    double w[3], k; /* of spheres k = radius J^{-1/2}: the speed of the surface is k w */
} tl_row3;

/* Three numbers along three axes, for eight contacts. */
typedef struct tl_lanes3 {
    tl_lanes x, y, z;
} tl_lanes3;

static inline tl_vec3 tl_lane3(const tl_lanes3 *v, int lane) { return tl_v3(v->x[lane], v->y[lane], v->z[lane]); }

static inline void tl_set_lane3(tl_lanes3 *v, int lane, tl_vec3 x) { v->x[lane] = x.x, v->y[lane] = x.y, v->z[lane] = x.z; }

/* Eight contacts of one colour, in the axes n, 1, 2 = n × 1 of law/law3.h. `a` is a moving grain; where the other end does not move, b is a row at rest. */
typedef struct tl_pack3 {
    tl_lanes3 n, t;                    /* normal from a to b, axis 1                                     */
    tl_lanes3 an, at, as;              /* J^{-1/2} Rᵀ (r × axis) of the end a, for n, 1, 2             */
    tl_lanes3 bn, bt, bs;              /* of the end b; 0 where it does not move                       */
    tl_lanes3 shift, I;                /* along n, 1, 2                                                  */
    uint32_t a[TL_LANES], b[TL_LANES]; /* where the rows of the ends begin, in bytes                       */
    tl_lanes inverse_nn, nn, w1, w2, s1, s2, friction;
    tl_lanes third; /* of the trace of W of the whole grains: 1/ρ of the residual */
} tl_pack3;

/* Eight contacts between spheres, or of spheres with what is at rest: W is the same along every tangent. */
typedef struct tl_balls3 {
    tl_lanes3 n, I;                  /* normal from a to b; impulse, world axes */
    tl_lanes shift, friction;        /* shift: along n                          */
    tl_lanes inverse_nn, inverse_tt; /* of W along n, across           */
    tl_lanes tt;                     /* W across                           */
    uint32_t a[TL_LANES], b[TL_LANES];
} tl_balls3;

/* A grain with more contacts than there are colours (a plate, a tool) is split into parts of equal mass that share its contacts, so that they need not be
 * solved one after the other; every sweep brings the parts together at their mean velocity, which is that of the whole (Tonge, Benevolenski &
 * Voroshilov 2012). At the solution the parts agree. The first part has the grain's own row. */
typedef struct tl_split3 {
    int body, first, parts; /* rows first … first + parts − 2 are those of the others */
} tl_split3;

/* Contacts of a pack are of one family, spheres or not, and of one rank: near other matter, with a first guess of the impulse, without. */
enum { TL_BALLS3 = 0, TL_STONES3 = 1, TL_NEAR3 = 0, TL_PRESSED3 = 1, TL_OPEN3 = 2, TL_NOBODY3 = TL_FAMILIES * TL_RANKS };

typedef struct tl_problem3 {
    tl_problem base; /* first */
    /* given: bodies */
    const tl_frame *frame;              /* [bodies] centre of mass and principal axes at q_m */
    const tl_twist3 *v_free, *v_before; /* [bodies] v_free of boundaries: imposed velocity   */
    const tl_vec3 *inverse_inertia;     /* [bodies] principal                                */
    /* made by bind and color */
    const struct tl_packs3 *kernels; /* for the instruction set of this machine (packs3.h) */
    tl_row3 *row; /* [rows] of the bodies; for empty lanes, those of each domain, family and rank apart: no two threads write one; parts; ends at rest */
    int rests;    /* rows from here on: one for each end of a contact that does not move */
    int *parts;   /* [bodies] 1: whole                                    */
    double *s;    /* [bodies] m^{-1/2} of a part                          */
    tl_vec3 *j;   /* [bodies] J^{-1/2} of a part                          */
    int32_t (*end_row)[2]; /* [contacts] row of each end of a contact of grains    */
    tl_split3 *split;
    int splits;
    tl_balls3 *ball; /* [packs of the family] */
    tl_pack3 *pack;
    int packs[TL_FAMILIES], all_packs;
    tl_colors color;
    bool *near;       /* [bodies] grains that touch other matter, or such a grain */
    uint8_t *rank;    /* [all_packs] TL_NEAR3, … */
    tl_errors *error; /* [all_packs] scratch of the residual */
} tl_problem3;

/* Rows, ports of other matter, shifts; then colours and packs. */
TALUS_NODISCARD talus_status tl_problem3_bind(tl_problem3 *, tl_step *);
TALUS_NODISCARD talus_status tl_problem3_color(tl_problem3 *, tl_step *);
/* Nonlinear Gauss–Seidel (D20 eq. 33) to the tolerance. */
TALUS_NODISCARD talus_status tl_nlgs3_sweep(tl_problem3 *, tl_step *);
/* The error of the present impulses: largest natural-map residual over contacts [m/s]. Sets residual_mean and impulse_mean. */
double tl_problem3_residual(tl_problem3 *, tl_step *);
/* After bind: rows of grains from v_free anew. */
void tl_problem3_set_rows(tl_problem3 *);
/* v⁺ of body i (boundaries: the imposed one). */
tl_twist3 tl_problem3_velocity(const tl_problem3 *, int body);
/* Positional correction w (velocity units) that takes penetration beyond the slop back, as frictionless impulses that change
 * positions only (theory §6.4). w_grains [bodies], w [matters] zero on entry. */
TALUS_NODISCARD talus_status tl_drift3_solve(tl_problem3 *, tl_step *, tl_twist3 *w_grains, double *const *w);

/* For the files of this room: warm start, v = v_free + M⁻¹ H I₀; impulses and V⁺ to the contacts; parts to their mean velocity; or all to that of the
 * first; velocities of coupled contacts
 * on a given set of velocities; the twist that a row holds, angular part in the body's axes. */
void tl_problem3_start(tl_problem3 *, tl_step *);
void tl_problem3_write_back(tl_problem3 *, tl_step *);
void tl_problem3_join(const tl_problem3 *, tl_row3 *rows);
void tl_problem3_spread(const tl_problem3 *, tl_row3 *rows);
void tl_coupled3_velocity(const tl_problem3 *, const tl_coupled *, const tl_row3 *rows, double *const *v, double V[3]);
void tl_coupled3_impulse(const tl_problem3 *, const tl_coupled *, tl_row3 *rows, double *const *v, const double I[3]);
/* Iᵀ W J */
double tl_coupled3_work(const tl_delassus3 *W, const double I[3], const double J[3]);
tl_twist3 tl_row3_twist(const tl_problem3 *, int body, const tl_row3 *row);

extern const tl_pack_ops TL_PACK_OPS3;

#endif
