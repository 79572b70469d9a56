/* What the files of nonsmooth generalized-α share (theory §4.5): of the smooth part, alpha_smooth.c, of positions and velocities, generalized_alpha.c. */
#ifndef TL_ALPHA_H
#define TL_ALPHA_H

#include "base/mixing.h"
#include "step/schemes.h"

enum { TL_ALGORITHMIC, TL_SMOOTH, TL_BEGUN, TL_GRAVITY, TL_ALPHA_STATES = TL_GRAVITY + 3 }; /* a_n, ṽ̇_n, whether they are there; in which gravity */

static const double TL_ALPHA_OFF = 1e-6; /* slops: overlap, and errors of joints, that need not be taken back */

typedef struct tl_smooth {
    double *start, *x, *y, *a, *way, *v; /* [nv] v_n; ṽ̇; what forces make of it; a_{n+1}; (q̃ − q_n)/h; ṽ          */
    double *aside, *fast, *smooth_way;   /* [nv] a way that leads elsewhere, and ṽ there; the way to q̃              */
    double *a0, *x0;                     /* [nv] a_n; ṽ̇_n                                                           */
    double *J;                           /* [nv × nv] 1 − ∂y/∂x, factored; NULL: not by differences                 */
    int *pivot;
    tl_mixing *mixing;   /* of what knows by itself how forces follow x; NULL: of grains and mechanisms */
    double before, load; /* change in the iteration before; largest of y */
    bool small;          /* it was small */
} tl_smooth;

/* Of a step: one for each matter; of every row of the constraints, TL_ROWS apart, λ [N], impulses of U, and numbers at work. */
typedef struct tl_trial {
    tl_smooth *part;
    double *force, *pushed, *shift, *slid; /* slid: of a spring, its change of length by the smooth motion, over h; then 1 */
    tl_memo pressing;                      /* contacts with ν_n > 0 */
    int rows, iterations;                  /* iterations: of U */
    double unsolved, left;                 /* the error of U [m/s]; overlap, and errors of joints, that it leaves [m] */
    double far;                            /* the farthest joint from the origin [m] */
    bool decided, *held;                   /* [constraints] it takes part in the smooth motion as a joint does; `decided`: this is known */
    bool *changed;                         /* [constraints] it does, or does not, other than before */
    bool loose;                            /* nothing holds in this step, for with it the smooth motion is not found */
    bool *anew;                            /* [bodies + matters] its accelerations begin anew; NULL: none does */
} tl_trial;

static inline double *tl_alpha_state(const tl_system *s, int matter, int which) { return s->scheme_state[matter * TL_ALPHA_STATES + which]; }

static inline bool tl_alpha_has_joints(const tl_system *s) { return s->joints.count + s->joints.coordinates + s->joints.tackles > 0; }

/* The first stage: q̃ and ṽ of all matter, with joints. MEMORY, DIVERGED, SINGULAR. */
TALUS_NODISCARD talus_status tl_alpha_predict(tl_system *);
/* Constraints where matter is, with speeds of drives as of the time of rates. MEMORY. */
TALUS_NODISCARD talus_status tl_alpha_constraints(tl_system *, double positions, double rates);
/* Of the impulse that it had in a step: does a constraint take part in the smooth motion of the next? */
bool tl_alpha_holds_on(const tl_system *, int constraint);
/* `anew` from `changed`: all that joints and what acts in them tie to such a row. Is this rate of a matter among them? MEMORY. */
TALUS_NODISCARD talus_status tl_alpha_find_anew(tl_system *);
bool tl_alpha_is_anew(const tl_system *, int matter, int rate);
/* This constraint does nothing. */
void tl_alpha_rest(tl_constraint *);
/* All matter at q̃ ⊕ `ahead` ṽ, as much later than `span` after the start; y = M⁻¹ f there. */
TALUS_NODISCARD talus_status tl_alpha_go_along(tl_system *, double span, double ahead);

#endif
