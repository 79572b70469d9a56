/* Sets of impulses: what a constraint's impulses may be, and how its own problem is solved when they are so bounded. A law says what holds and binds it to
 * numbers; a set knows no law, no bodies and no dimension.
 *
 * A constraint has up to TL_ROWS rows. Its velocities answer to its impulses by  u = u_free + W I  (W with the compliance Σ of its rows on the diagonal), and
 * every set K asks for  I ∈ K,  −u ∈ N_K(I):  the impulses are those of K that resist u most. */
#ifndef TL_SET_H
#define TL_SET_H

#include <stdbool.h>

enum { TL_ROWS = 6 };

/* One constraint's own problem. W [rows × rows], by rows, symmetric; a row whose W_rr is 0 cannot be moved: it has no impulse and no error. */
typedef struct tl_own_problem {
    int rows;
    const double *W;
    double low, high; /* interval: bounds of each row's impulse [N s] */
    /* cones: what the impulses across, the moments of rolling and that of spinning may be of the normal impulse; of moments by the lengths of their rows */
    double friction, rolling, spinning;
} tl_own_problem;

typedef struct tl_set {
    const char *name;
    /* I, on entry a guess: the solution at the free velocities u. */
    void (*solve)(const tl_own_problem *, const double *u, double *I);
    /* How far impulses and velocities are from obeying, as a velocity: ‖I − P_K(I − ρ u)‖ / ρ, ρ = 1 / W_rr row by row. */
    double (*residual)(const tl_own_problem *, const double *u, const double *I);
} tl_set;

/* The whole space: joints. u = 0. */
extern const tl_set TL_WHOLE_SPACE;
/* low ≤ I ≤ high for every row: stops and ropes [0, ∞), drives of limited force and dry friction [−h F, h F]. Where I is inside, u = 0; at low u ≥ 0, at
 * high u ≤ 0. */
extern const tl_set TL_INTERVAL;
/* Cones, for contacts. The first row is the normal one, I_n ≥ 0, and bounds the others: ‖I_t‖ ≤ friction I_n, ‖I_r‖ ≤ rolling I_n, |I_s| ≤ spinning I_n, each
 * against its velocity (theory §2.1, §2.7). W need not be diagonal. Their errors are those of theory §5.1, with the same ρ for all rows.
 *
 * The friction cone: 2 rows n, t; or 3: n, t, s. The rolling cone: 3 rows n, t and a moment; or 6: n, t, s, the moments about t and s, that about n. */
extern const tl_set TL_FRICTION_CONE, TL_ROLLING_CONE;

#endif
