/* Constraints, all in one form: joints between bodies, stops, drives of limited force, dry friction in joints, ropes over pulleys, and contacts that are more
 * than friction cones between grains: of laws with moments, or of bodies that joints hold (block_contacts.h).
 *
 * A constraint has rows and ends. A row is a wrench at each of its ends, what a unit impulse of that row exerts there; read the other way round, the velocity
 * of the row is the sum over its ends of wrench · twist. A set (law/set.h) says which impulses a constraint may have, and Σ ≥ 0 how much it gives:
 *
 *     u = Hᵀ v + Σ I + shift,     I ∈ K,  −u ∈ N_K(I).
 *
 * Nothing here knows whether the world is flat, or what kind of matter an end belongs to: bound, an end is rows of H and Y = M̃⁻¹ H on the numbers of a group,
 * a grain's or those of all of a mechanism.
 *
 * Constraints of the whole space are not left to sweeps: the operator of all of them, A = G M̃⁻¹ Gᵀ + Σ, is factored sparsely (base/sparse3.h), and every sweep
 * ends by solving them at once, so that a chain of a thousand links takes no more sweeps than one of ten. Constraints with bounds that touch such a chain are
 * condensed over it: their Y is what a unit impulse does with all joints holding, M̃⁻¹ H − M̃⁻¹ Gᵀ A⁻¹ G M̃⁻¹ H, so that a motor at the root of an arm knows at
 * its first turn what the whole arm weighs.
 *
 * Joints may say the same twice, as hinges around a loop do of its plane, and contradict each other there by what rounding, or axes that are not quite
 * parallel, leave. A has next to nothing in such a combination of rows, and its inverse would make of a millionth of a millimetre a self-stress of tons. So
 * where a pivot of A, whose diagonal is 1, is below ε = 1e-9, the answer is that of (A + ε)⁻¹ (A (A + ε)⁻¹)³ in place of A⁻¹: least impulses of what is said
 * twice, none against what contradicts itself, and all else to 4 ε/λ, which the second answer makes (4 ε/λ)². Rows that differ by less than √ε, 3e-5, begin to
 * count as one.
 *
 * A has small pivots, too, where a light part stands between heavy ones: it is all that W of its joints tells, and what the heavy ones weigh comes after as
 * many digits as their masses have. Such rows do not say the same. Which do is a matter of geometry alone, and is asked of G Gᵀ with the bodies' masses left
 * away (block_factor.c). Then A keeps its small pivots, and answers are taken again until the velocities have them. */
#ifndef TL_BLOCK_H
#define TL_BLOCK_H

#include <math.h>

#include "base/sparse3.h"
#include "law/law.h"
#include "law/set.h"
#include "matter/matter.h"
#include "solve/sweeps.h"

/* What a unit impulse exerts: force, and moment about the grip's point; world axes. Rows of rotations are scaled by a length, so that every row's velocity is
 * in m/s. */
typedef struct tl_wrench {
    tl_vec3 force, moment;
} tl_wrench;

/* One end of a constraint. */
typedef struct tl_grip {
    int matter, item;
    int rate1;       /* other matter: 1 + the rate that the impulse acts on, row[0].force.x as generalized force; 0: the wrenches */
    tl_vec3 at, arm; /* the point at q_m, in the world and from the origin of its body [m] */
    tl_wrench row[TL_ROWS];
} tl_grip;

typedef struct tl_constraint {
    int rows, grips;
    tl_grip *grip;
    const tl_set *set;
    double low, high;                           /* TL_INTERVAL [N s]                                                      */
    double creep;                               /* TL_INTERVAL about 0: below this speed it is viscous, −high V/creep; 0: it sticks [m/s] */
    double compliance[TL_ROWS], shift[TL_ROWS]; /* Σ [1/kg]; added to the velocity [m/s]                                  */
    double recall[TL_ROWS];                     /* share of V⁻ that is taken off the velocity, too                        */
    double stiffness, damping;                  /* a spring and damper of one row: Σ and shift follow [N/m], [N s/m]      */
    double restitution;                         /* TL_INTERVAL from 0 on: of a stop                                       */
    double rate;                                /* of friction, springs and dampers of a coordinate: V⁻ [m/s]             */
    bool turns;                                 /* of those: something of the coordinate moves as the step begins         */
    double gap[TL_ROWS];                        /* at q_m, error or distance that rows close [m]; of contacts in `view` */
    bool fluid;                                 /* a pressure, which takes its time: none in impacts */
    bool corrected;                             /* positions: the gap is taken back, of others than joints where row 0's is negative */
    const tl_interaction *law;                  /* of contacts: bound with `view`, where V_n⁻ is not known yet; else NULL */
    tl_law_view view;
    double length;  /* by which rows that are moments are measured, of contacts [m] */
    double *moment; /* [3] of contacts with such rows: their first guess; out: impulses of moments about n, t, s [N m s]; NULL: there are none */
    bool loose;     /* positions: it may be off by the slop, not by a thousandth of it (drift.h) */
    double *I;      /* [rows] in: first guess; out: impulses [N s]                            */
    double *V;      /* [rows] after bind: of v_free and what is imposed; out: v⁺; may be NULL  */
} tl_constraint;

static inline bool tl_is_spring(const tl_constraint *c) { return c->stiffness > 0 || c->damping > 0; }
/* A stop, or a rope: it pushes only. */
static inline bool tl_is_one_sided(const tl_constraint *c) { return c->set == &TL_INTERVAL && !(c->low < 0) && isinf(c->high); }

/* Joins the groups that its ends are of; `group` says them, −1: it does not move. They are marked in `held`, unless that is NULL. */
typedef int tl_group_of_grip(const void *context, const tl_grip *);
void tl_constraint_join(const tl_constraint *, tl_group_of_grip *group, const void *context, int *root, bool *held);

/* Velocities: rows of grains in the problem's scaling, and those of other matter, from 1. */
typedef struct tl_velocities {
    double *grain;
    double *const *matter;
} tl_velocities;

/* What a problem, of the plane or of space, says of its grains. */
typedef struct tl_grain_rows {
    const void *problem;
    int bodies, stride, size; /* numbers from one row to the next; numbers of a row that velocities are read from */
    const bool *moves;        /* [bodies] */
    /* H [size] of a wrench about the point at an arm, in the scaling of the rows; Y = share × H is what it does to them. */
    void (*row)(const void *problem, int body, tl_vec3 arm, const tl_wrench *, double *H, double *share);
    /* Velocity at the end of an arm and spin: at t_n, or as imposed on what does not move by itself. */
    void (*twist)(const void *problem, int body, tl_vec3 arm, bool before, tl_vec3 *v, tl_vec3 *w);
} tl_grain_rows;

typedef struct tl_block_end {
    int group, size;     /* grains, then other matter; numbers */
    const double *H, *Y; /* [rows][size]; H NULL: the end is only pushed */
    bool in_cluster;     /* the numbers are those of what stands in for a cluster (cluster.h) */
} tl_block_end;

/* Three rows of a constraint at one body of other matter. */
typedef struct tl_block_port {
    int block, matter, first;
    tl_port port;
} tl_block_port;

/* What a joint answers to a constraint that is condensed over it: impulses [rows of the constraint][rows of the joint]. */
typedef struct tl_block_answer {
    int block;
    const double *I;
} tl_block_answer;

typedef struct tl_block {
    const tl_constraint *of;
    int rows, first, ends, pushed; /* ends first … are read; those, or `pushed` others after them where it is condensed, are moved */
    int answer, answers;           /* condensed: of the joints */
    bool direct;                   /* solved by the factor                                */
    bool elsewhere;                /* a joint of a cluster, which has no rows here (cluster.h) */
    int unknown;                   /* direct: its first block of three                    */
    bool repeated[TL_ROWS];        /* direct: others say it, and some of them are at light parts: it is not in the factor */
    double measure[TL_ROWS];       /* direct, of block_factor.c: a row times it has the length 1 as geometry, 0: none     */
    double *W;                     /* [rows × rows] with Σ                                */
    double give[TL_ROWS];          /* Σ with that of a spring                      */
    tl_law_bound bound;            /* of contacts: what their law makes of them; I is J of law/law.h; lengths by that of the rows */
    double imposed[TL_ROWS];       /* velocities of what moves by itself, in shift too */
    double before[TL_ROWS];        /* V⁻, without what slides                            */
    double shift[TL_ROWS], I[TL_ROWS], last[TL_ROWS], drift[TL_ROWS];
} tl_block;

typedef struct tl_blocks {
    /* given */
    tl_grain_rows grains;
    tl_matter *const *matter; /* of clusters and of large matter those that stand in for it */
    int matters;
    double slop;
    bool drift_whole;                   /* what is deeper is taken back at once (drift.h) */
    const struct tl_clusters *clusters; /* NULL: there are none */
    struct tl_cluster_factor *kept;     /* [kept_count] factors of clusters, from step to step */
    int kept_count;
    /* made by bind */
    int count;
    tl_block *block;
    tl_block_end *end;
    int ends, end_capacity;
    tl_block_answer *answer;
    int answers, answer_capacity;
    tl_block_port *port;
    int ports;
    tl_port **bound; /* [matters] ports that have been bound all at once, the next one first; NULL: each is as its turn comes */
    double h;
    bool late;                  /* given: constraints are condensed only once somebody sweeps */
    bool is_late;               /* none is condensed yet                                       */
    int unknowns;               /* blocks of three of the factor */
    tl_sparse3 *factor, *spent; /* the latter: that of the step before; its order serves for as long as the same joints hold */
    double (*x)[3];             /* [unknowns] right side, solution */
    double (*y)[3];             /* [unknowns] where rows are redundant, for filtering */
    double redundant;           /* ε > 0: rows are redundant; the factor's is A + ε */
    bool delicate;              /* pivots are small for light parts: the factor has few digits */
    tl_sparse3 *rank;           /* rows are redundant at light parts: of G Gᵀ + `rank_damping`, rows as geometry, for least impulses; NULL: none */
    double rank_damping;
} tl_blocks;

/* Rows, W and the factor of constraints at the free velocities; all in the step's arena but for the factor (tl_blocks_destroy).
 *
 * A constraint with stiffness or damping is a spring that takes the mean of the step: of the gap x_n + x_{n+1} over 2, and of V⁻ and V⁺ as θ weighs them. With
 * x at q_m,  x_{n+1} = x + θ h V⁺  and  x_n = x − (1−θ) h V⁻,  its impulse is linear in V⁺:
 *     V⁺ + I/D + (h/D) (k x + (1−θ)(c − k h/2) V⁻) = 0,     D = h θ (c + k h/2).
 * MEMORY. */
TALUS_NODISCARD talus_status tl_blocks_bind(tl_blocks *, const tl_constraint *constraint, int constraints, const tl_velocities *, tl_step *);
void tl_blocks_destroy(tl_blocks *, tl_memory);
/* Condenses what `late` has put off: their W is then that of what joints hold. MEMORY. */
TALUS_NODISCARD talus_status tl_blocks_condense(tl_blocks *, tl_step *);
/* Takes constraints and joints apart again, whose impulses stay what they are: each has its own rows and W, as before they were condensed. */
void tl_blocks_separate(tl_blocks *);
/* Of what block_bind.c has made of the joints, the factor (block_factor.c). MEMORY, SINGULAR. */
TALUS_NODISCARD talus_status tl_blocks_factor(tl_blocks *, tl_step *);
void tl_blocks_drop_factor(tl_blocks *);
/* First guesses onto the velocities, then all joints. */
void tl_blocks_start(tl_blocks *, const tl_velocities *);
/* The same of all that are not contacts. */
void tl_blocks_start_joints(tl_blocks *, const tl_velocities *);
/* First guesses onto other matter only: what its forces may expect. */
void tl_blocks_push(const tl_blocks *, double *const *v);
/* One sweep from impulses extrapolated by β (velocities are already); `keeps`: as the sweep whose change the next β extrapolates. Returns how far it turned
 * back (sweeps.h). */
double tl_blocks_sweep(tl_blocks *, const tl_velocities *, double beta, bool keeps);
/* All joints at once, at velocities that others have changed. */
void tl_blocks_hold(tl_blocks *, const tl_velocities *);
void tl_blocks_errors(tl_blocks *, const tl_velocities *, tl_errors *);
/* For the guard (guard.h): velocities pushed by impulses of one block and by what joints answer to them; the answer of joints to all that others have changed,
 * while their impulses stay as they are; a share of a block's impulses instead of all. */
void tl_block_push(const tl_blocks *, const tl_block *, const tl_velocities *, const double *I);
void tl_blocks_settle(tl_blocks *, const tl_velocities *);
void tl_block_keep(tl_blocks *, tl_block *, const tl_velocities *, double share);
/* Of what no factor solves: impulses I [rows] instead of its own. */
void tl_block_change(tl_blocks *, tl_block *, const tl_velocities *, const double *I);
/* Of constraints of the whole space of one row each [n], with the factor of the last bind: the diagonal [n] of what they are to each other while all other
 * joints hold, (E (G M̃⁻¹ Gᵀ + Σ)⁻¹ Eᵀ)⁻¹ with the rows E of theirs. So a mass is seen as the joints leave it free to move. `scratch` has n² + 2 n numbers.
 * False: these rows say the same twice. */
bool tl_blocks_seen(tl_blocks *, const int *constraint, int n, double *scratch, double *seen);
/* The block that has the rows of a constraint, which may be one of a cluster's. */
const tl_block *tl_blocks_at(const tl_blocks *, int constraint);
/* Impulses and velocities to the constraints. */
void tl_blocks_write_back(const tl_blocks *, const tl_velocities *);
void tl_blocks_accumulate(const tl_blocks *);
/* UNSUPPORTED if there are any: for what forms W of contacts alone. NULL: there are none. */
TALUS_NODISCARD talus_status tl_blocks_refuse(const tl_blocks *, tl_step *);
/* Is there anything whose position is to be taken back? One sweep of positional impulses over w (drift.h); the first is told so. */
bool tl_blocks_are_off(const tl_blocks *);
void tl_blocks_drift(tl_blocks *, const tl_velocities *w, bool first);

/* For the files of this room. Numbers of a group; velocities of a block's rows; its ends pushed by impulses; the scale by which a row of A has 1 on its
 * diagonal, 0 where nothing moves it. */
double *tl_block_numbers(const tl_blocks *, const tl_velocities *, int group);
void tl_block_read(const tl_blocks *, const tl_block *, const tl_velocities *, double *V);
void tl_block_push_ends(const tl_blocks *, const tl_block *, int first, int ends, const tl_velocities *, const double *I);
double tl_block_scale(const tl_block *, int row);
/* Velocities of all groups, zero, in the arena. False: no memory. */
bool tl_block_rest(const tl_blocks *, tl_step *, tl_velocities *);
/* x ← (ε (A + ε)⁻¹)³ x [unknowns], of the factor of A + ε: what A has next to nothing of; x is in b->y then. */
void tl_blocks_keep_null(tl_blocks *, tl_sparse3 *factor, double epsilon, double (*x)[3]);
/* Velocities that the end at a grip has whatever impulses do, and before the step, by rows. */
typedef struct tl_block_binding {
    double imposed[TL_ROWS], before[TL_ROWS];
} tl_block_binding;
/* A grip at a grain, or at matter that says rows, as an end of the block; then its law, with W and the ends known. */
TALUS_NODISCARD talus_status tl_block_bind_grain(tl_blocks *, tl_block *, const tl_grip *, tl_block_binding *, tl_step *);
TALUS_NODISCARD talus_status tl_block_bind_matter(tl_blocks *, tl_block *, const tl_grip *, const tl_velocities *, tl_block_binding *, tl_step *);
void tl_block_bind_law(const tl_blocks *, tl_block *, const tl_block_binding *, const tl_velocities *, const tl_step *);
/* Impulses as they act on bodies: without what the law sets off. */
void tl_block_real_impulses(const tl_block *, double I[TL_ROWS]);
/* About which of its axes n, t, s a contact's moment of these rows is, counted from the first of them: of one row, in the plane, or of three. */
static inline int tl_moment_axis(int moments, int row) { return moments == 1 ? 2 : (row + 1) % 3; }
/* x = −s V of every joint, V as `rows` says; and the impulses that make it zero, to x and onto the velocities. */
void tl_blocks_ask(tl_blocks *, const tl_velocities *, void (*rows)(const tl_blocks *, const tl_block *, const tl_velocities *, double *V));
void tl_blocks_answer(tl_blocks *, const tl_velocities *);

#endif
