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

#endif
