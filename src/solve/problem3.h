/* The spatial contact problem as a value (MECHANICS §1, §5), the sibling of problem2.h:
 *
 *     u = Hᵀ v + shift,   v = v_free + M̃⁻¹ H I,   law(u, I) for every contact.
 *
 * v is kept, W is not formed. A grain's velocity is kept as M^{1/2} v (angular part in its principal axes), one 64-byte row: H̃ = M^{-1/2} H
 * serves both to read a velocity and to apply an impulse, and the sweep needs no masses.
 *
 * Contacts between grains are coloured (no two of a colour share a moving grain) and packed, eight of a colour side by side:
 * any split of a colour among threads gives the same bits. Contacts that touch other matter go through its table of functions,
 * one after the other. */
#ifndef TL_PROBLEM3_H
#define TL_PROBLEM3_H

#include "law/law3.h"
#include "matter/grains3.h"

/* One end of a contact: matter 0 is the grains. */
typedef struct tl_end3 {
    int matter, item;
} tl_end3;

/* A contact of this step. Frame of the antagonist: normal to the candidate, tangents by tl_tangents(n). */
typedef struct tl_contact3 {
    uint64_t key; /* stable: contactors and feature (detect/)                       */
    tl_end3 a, b; /* antagonist, candidate                                          */
    int contactor_a, contactor_b;
    tl_vec3 x, n; /* at q_m                                                     [m] */
    double gap;
    double friction, restitution;
    bool anticipated; /* max(0, g)/h enters the law                                     */
    double I[3];      /* in: first guess; out: impulse along n, t, s              [N s] */
    double V[3];      /* out: V⁺ (between bind and the result: V[0] is the law's shift)     [m/s] */
} tl_contact3;

typedef struct tl_row3 tl_row3;         /* M^{1/2} v of one grain                                  */
typedef struct tl_pack3 tl_pack3;       /* eight contacts of one colour                            */
typedef struct tl_coupled3 tl_coupled3; /* a contact with at least one end in another kind of matter */

enum { TL_COLORS3 = 63 };

typedef struct tl_problem3 {
    /* given: bodies */
    int bodies;
    const tl_frame *frame;              /* [bodies] centre of mass and principal axes at q_m           */
    const tl_twist3 *v_free, *v_before; /* [bodies] v_free of boundaries: imposed velocity             */
    const double *inverse_mass;         /* [bodies] 0: boundary                                         */
    const tl_vec3 *inverse_inertia;     /* [bodies] principal                                           */
    double *const *v;                   /* [matters] velocities of the other matter, from 1; in v_free, out v⁺ */
    tl_matter *const *matter;           /* [matters]                                                    */
    int matters;
    /* given: contacts */
    tl_contact3 *contact;
    int contacts;
    /* given: settings */
    double h, tolerance, slop;
    double acceptable; /* error up to which max_iterations ends the solve [m/s] */
    int max_iterations;
    /* made by bind and color */
    tl_row3 *row; /* [bodies + 1] the last one is for empty lanes */
    double *s;    /* [bodies] m^{-1/2}                             */
    tl_vec3 *j;   /* [bodies] J^{-1/2}                             */
    tl_pack3 *pack;
    int packs;
    int color_begin[TL_COLORS3 + 2];
    int colors;
    int *lane; /* [packs × 8] contact of each lane, −1: empty */
    tl_coupled3 *coupled;
    int coupleds;
    /* result */
    int iterations;
    double residual; /* largest over contacts [m/s] */
    bool converged;
} tl_problem3;

/* Rows, ports of other matter, shifts; then colours and packs. */
TALUS_NODISCARD talus_status tl_problem3_bind(tl_problem3 *, tl_step *);
TALUS_NODISCARD talus_status tl_problem3_color(tl_problem3 *, tl_step *);
/* Nonlinear Gauss–Seidel (D20 eq. 33) to the tolerance; impulses to contact[].I, velocities to contact[].V and v. */
TALUS_NODISCARD talus_status tl_nlgs3_solve(tl_problem3 *, tl_step *);
/* The error of the present impulses: largest natural-map residual over contacts [m/s]. */
double tl_problem3_residual(tl_problem3 *, tl_step *);
/* v⁺ of body i (boundaries: the imposed one). */
tl_twist3 tl_problem3_velocity(const tl_problem3 *, int body);
/* Tells other matter its final impulses (accumulate), once per port. */
void tl_problem3_accumulate(const tl_problem3 *);
/* Positional correction w (velocity units) that takes penetration beyond the slop back, as frictionless impulses that change
 * positions only (MECHANICS §6.4). w_grains [bodies], w [matters] zero on entry. */
TALUS_NODISCARD talus_status tl_drift3_solve(tl_problem3 *, tl_step *, tl_twist3 *w_grains, double *const *w);

#endif
