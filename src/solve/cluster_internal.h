/* What the files of clusters share. Internal to them. */
#ifndef TL_CLUSTER_INTERNAL_H
#define TL_CLUSTER_INTERNAL_H

#include "solve/problem.h"

enum { TL_CLUSTER_PORT_ROWS = 3 };

/* Of matter that says no rows: rows of a block, at most three of them, at one point of it. */
typedef struct tl_large_port {
    int block, matter, rows, row[TL_CLUSTER_PORT_ROWS];
    tl_port port;
} tl_large_port;

/* One joint, or what else is at the cluster: an end of a coupled contact, or a constraint. */
typedef struct tl_member {
    tl_block block; /* of its ends those at grains and at matter that says rows */
    tl_block_binding binding;
    int number; /* of its first row, among the joints' or among the others' */
    bool joint, of_contact;
    int at, side; /* which constraint; of an end of a coupled contact which of these, and side */
} tl_member;

struct tl_cluster {
    int lead;              /* matter */
    int rows, held, count; /* rows of what sweeps see; of joints; members, the joints last */
    tl_member *member;
    int *member_of;     /* [constraints] 1 + member */
    tl_constraint *end; /* [coupled ends] as constraints */
    tl_blocks own;      /* ends and ports of the members' blocks */
    tl_large_port *port;
    int ports;
    const struct tl_cluster_factor *factor;
    double *scale;        /* [held] by which a row has 1 on the diagonal */
    double *X;            /* [rows × held] L⁻¹ G M̃⁻¹ H */
    double *C;            /* [rows]² */
    double *ask, *answer; /* [held] */
    double *base;         /* [held] L⁻¹ of what joints ask for without impulses; of velocities, then of positions */
    double *I;            /* [rows] */
    double **given;       /* [groups] velocities at the start, of those that are in it */
    tl_port *together;    /* [ports] of one solid, with impulses */
    double (*impulse)[3];
};

/* Of one cluster, from step to step. */
struct tl_cluster_factor {
    int held;
    double *A, *L; /* [held]² scaled; its Cholesky factor by rows */
};

static inline talus_status tl_cluster_no_memory(const tl_step *step) { return tl_fail(step->error, TALUS_MEMORY, "no memory for the constraints of a step"); }

/* cluster_factor.c. A factor of the scaled operator A [held]² of the joints, that of the step before where A is the same. MEMORY, SINGULAR. */
TALUS_NODISCARD talus_status tl_cluster_find_factor(tl_problem *, tl_cluster *, const double *A, tl_step *);
/* x ← L⁻¹ x over the first n of [held]; x ← L⁻ᵀ x. */
void tl_cluster_substitute(const double *L, int held, int n, double *x);
void tl_cluster_substitute_back(const double *L, int held, double *x);

#endif
