/* What the solvers of a mixed linear complementarity problem share (mlcp.h). */
#ifndef TL_MLCP_INTERNAL_H
#define TL_MLCP_INTERNAL_H

#include "base/sparse3.h"
#include "solve/mlcp.h"

/* Where a multiplier is: between its bounds, its row holds; else it stays at one, or as it is. */
typedef enum tl_mlcp_side { TL_BETWEEN, TL_AT_LOW, TL_AT_HIGH, TL_FROZEN } tl_mlcp_side;

/* M⁻¹ Gᵀ of every row, what of it is not zero. */
typedef struct tl_mlcp_answers {
    int *begin, *at; /* [rows + 1] */
    double *Y;
    int capacity[2];
} tl_mlcp_answers;

/* Velocities are scaled by m_i = M_ii^(−1/2), rows by s_k = (G M⁻¹ Gᵀ + Σ + R)_kk^(−1/2): all diagonals are of order one. Three unknowns in a row are a block.
 */
typedef struct tl_mlcp_work {
    tl_memory memory;
    tl_mlcp *q;
    int velocity_blocks, blocks;
    tl_sparse3 *mass, *matrix; /* factor of M; [M Gᵀ; G −Σ − R] of rows between, made by the first that asks for it */
    double (*x)[3], *rest;     /* [blocks]; [velocities + rows] */
    double *m, *s;             /* [velocities], [rows] */
    double *low, *high;        /* [rows] bounds of the present pass */
    tl_mlcp_side *side;        /* [rows] */
    tl_mlcp_answers answers;   /* made by tl_mlcp_prepare_sweeps */
    bool *normal;              /* [rows] friction asks for it; by the same */
} tl_mlcp_work;

TALUS_NODISCARD talus_status tl_mlcp_open(tl_mlcp_work *, tl_memory, tl_mlcp *, tl_error *);
void tl_mlcp_close(tl_mlcp_work *);
/* s of every row, anew where the rows' numbers have changed. */
void tl_mlcp_scale(tl_mlcp_work *);
/* x ← M⁻¹ x of a vector [velocities]. */
void tl_mlcp_mass_solve(tl_mlcp_work *, double *x);
/* v of the present λ. */
void tl_mlcp_follow(tl_mlcp_work *);
/* u of a row at the present v and λ; 1/(G M⁻¹ Gᵀ + Σ + R)_kk. */
double tl_mlcp_rate(const tl_mlcp_work *, int row);
static inline double tl_mlcp_response(const tl_mlcp_work *w, int row) { return w->s[row] * w->s[row]; }
/* M⁻¹ G_kᵀ of a row, to w->rest. */
void tl_mlcp_answer(tl_mlcp_work *, int row);
/* Bounds of a row, those of friction from the present λ of its normal; of all rows, to w->low and w->high. */
void tl_mlcp_bounds_of(const tl_mlcp *, int row, double *low, double *high);
void tl_mlcp_bound(tl_mlcp_work *);
static inline bool tl_mlcp_is_friction(const tl_mlcp *q, int row) { return q->normal && q->normal[row] >= 0; }
static inline double tl_mlcp_clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }
/* mlcp.h's, at bounds of the present λ. */
double tl_mlcp_error(tl_mlcp_work *);
/* mlcp_pivot.c. The matrix, without numbers: how much work a factor of it is can be asked then (sparse3.h). MEMORY. */
TALUS_NODISCARD talus_status tl_mlcp_make_matrix(tl_mlcp_work *, tl_error *);
/* Within the present bounds; rows that are frozen stay as they are. MEMORY; SINGULAR: no factor. */
TALUS_NODISCARD talus_status tl_mlcp_pivot_once(tl_mlcp_work *, tl_mlcp_task *, tl_error *);
/* A pass of `pivot`: bounds and first guess of the present λ; v and λ within them. */
TALUS_NODISCARD talus_status tl_mlcp_pivot_pass(tl_mlcp_work *, tl_mlcp_task *, tl_error *);
/* mlcp_sweeps.c. What sweeps want. MEMORY. */
TALUS_NODISCARD talus_status tl_mlcp_prepare_sweeps(tl_mlcp_work *, tl_error *);
/* Rows at their turn, each by bounds of the present λ: of all rows; of friction and its normals. */
void tl_mlcp_sweep(tl_mlcp_work *, bool only_friction);
/* The direct half of `split`: all but friction. */
TALUS_NODISCARD talus_status tl_mlcp_direct(tl_mlcp_work *, tl_mlcp_task *, tl_error *);

#endif
