/* What holds displacements that alternate from particle to particle (theory §7.3). Gradients do not see these, for they are differences across two spacings, so
 * that nothing but this resists them. Along each axis of the lattice
 *
 *     W = ½ c Σ V/(64 a²) |d − R r|²        d = u_0 − 3 u_1 + 3 u_2 − u_3
 *
 * over all four particles in a row, c a modulus [Pa]: what alternates by ±A is resisted as a strain A/a by Young's modulus c, a smooth wave of length L less by
 * (2π a/L)⁶/64, fields that are no more than quadratic not at all. Rotations change nothing. Rows of three have V/(16 a²) |u_0 − 2 u_1 + u_2|².
 *
 * r is what a row has given way by, where its particles flow: else rows would carry what the material cannot. It is a bend of the row before it was turned, and
 * turns with R of F = R U, F = 1 + G the mean of 1 + ∇u at its particles: so rotations stay free. R depends on u, so that W pulls on the neighbours of these
 * particles, too. As S = tr U 1 − U knows how R turns with F (theory §10.7), each of them, i of n, has the stress
 *
 *     P_i = −c V/(64 a² n V_i) R [m]×,        m = S⁻¹ Rᵀ (R r × d)
 *
 * beside that of its material, and the moment of momentum is kept. Taken along by F itself, r would be drawn where soil flows far, and what it pulls on
 * neighbours with would grow beyond what a step sees.
 *
 * Where particles have been moved from their sites, X = x_0 − 3 x_1 + 3 x_2 − x_3 is not 0, and d would resist rotations. Such a bent row has d − G X in place
 * of d, so that linear fields are free of it, too. */
#ifndef TL_PARTICLE_STABILISATION_H
#define TL_PARTICLE_STABILISATION_H

#include "solid/columns.h"
#include "solid/least_squares.h"

extern const double TL_ROW_WEIGHT[2][4]; /* of particles in d: of a row of three, and of four */
extern const double TL_ROW_MOST[2];      /* sums of their sizes */

enum { TL_ROW_REST = 9 }; /* numbers that a particle remembers of the rows that begin with it: r of each axis */

typedef struct tl_particle_row {
    int particle[4]; /* the last −1: a row of three */
    int rest;        /* 9 times its first particle, 3 times its axis */
    int begin, end;  /* of a bent row in `point`, `factor`; else they are equal */
    double weight;   /* V over the square of its reach [m] */
} tl_particle_row;

/* A row that has given way: by R r, or by all of d, and pulls no more, as one of its particles is torn. */
typedef struct tl_given_row {
    int row;
    bool torn;      /* one of its particles is */
    bool turns;     /* its particles have a rotation, and `stress` */
    double way[3];  /* R r; of what is torn or does not turn: all of d */
    tl_mat3 stress; /* R [m]×, of which each particle has its share */
} tl_given_row;

typedef struct tl_stabilisation {
    tl_memory memory;
    int particles, rows, given_rows;
    double spacing;
    tl_particle_row *row;
    int *begin, *of;     /* of particle i: rows of[begin[i]] … */
    double *share;       /* of these: weight times what i has in d */
    double *own;         /* [particles] of W's second derivative for c = 1 Pa [m] */
    double (*pull)[3];   /* [rows] room: d */
    tl_given_row *given; /* [given_rows] in order of their rows: tl_stabilisation_carry */
    tl_mat3 *turning;    /* [particles] the stress that they have of these for c = 1 Pa */
    int *point;          /* of bent rows: particles, and what each has in d */
    double *factor;
} tl_stabilisation;

/* Of a lattice, with volumes [particles]. MEMORY. */
TALUS_NODISCARD talus_status tl_stabilisation_create(tl_memory, const tl_least_squares_def *lattice, const double *volume, tl_stabilisation *out, tl_error *);
/* Bends the rows of particles that are not where the lattice has them, but at x [particles] with the gradients of `fit`. MEMORY. */
TALUS_NODISCARD talus_status tl_stabilisation_bend(tl_stabilisation *, const double (*x)[3], const tl_least_squares *fit, tl_error *);
void tl_stabilisation_free(tl_stabilisation *);
/* What each row has given way by: that of particle i at number[i stride]. NULL: nothing. Of what is torn, torn[i stride] is not 0. */
typedef struct tl_row_rests {
    double *number; /* [TL_ROW_REST] */
    const double *torn;
    int stride;
} tl_row_rests;
/* A field and its gradients [particles]. */
typedef struct tl_particle_field {
    int dimension;
    const double *u;
    const tl_columns *G;
} tl_particle_field;
/* Rows that have given way, and what they pull with at a field: what the functions below speak of. With volumes [particles]. */
void tl_stabilisation_carry(tl_stabilisation *, tl_threads *, const tl_particle_field *at, const double *volume, tl_row_rests);
/* y [particles × dimension] += W's derivative at u, for a modulus c [Pa], of rows none of which has given way. */
void tl_stabilisation_add(tl_stabilisation *, int dimension, tl_threads *, double c, const double *u, double *y);
/* What it is less, where u is u + βv, β that damps [s], by what rows do not pull with that have given way, which β does not damp: y + that, and P [particles] +
 * that of stresses, which pull on neighbours as those of the material do. */
typedef struct tl_given_way {
    double c;       /* [Pa] */
    double damping; /* β */
    const double *v;
} tl_given_way;
void tl_stabilisation_give_way(const tl_stabilisation *, int dimension, const tl_given_way *, double *y, tl_columns *P);
/* W at u for c = 1 Pa [m³]. */
double tl_stabilisation_energy(const tl_stabilisation *, int dimension, const double *u);
/* Strains that particles bear: that of i is strain[i stride], infinite while nothing flows. */
typedef struct tl_row_limits {
    const double *strain;
    int stride;
} tl_row_limits;
/* Rows give way until |d − R r| is no more than that of a strain that all of their particles bear. */
void tl_stabilisation_yield(const tl_stabilisation *, const tl_particle_field *at, const tl_row_limits *, tl_row_rests);

#endif
