/* Clusters: large matter with all that joints hold to it, as one (theory §9.4).
 *
 * What joins a deformable solid to others, one joint or hundreds of nodes that are glued, is not swept and not seen by contacts. With G the rows of all its
 * joints and H those of contacts, stops and drives at any of its bodies, the cluster has
 *
 *     v = v_c + A H I,     C = Hᵀ A H,     A = M̃⁻¹ − M̃⁻¹ Gᵀ (G M̃⁻¹ Gᵀ + Σ)⁻¹ G M̃⁻¹
 *
 * of which v_c are its velocities without these, joints holding. G M̃⁻¹ Gᵀ + Σ is factored densely, kept while it stays the same, and C formed once a step. A
 * stand-in (condensed.h), at the place of one solid among its bodies, has these rows for ports: to sweeps it is large matter like any other. When they have
 * ended, all bodies get the impulses and what their joints answer to them. */
#ifndef TL_CLUSTER_H
#define TL_CLUSTER_H

#include "solve/block.h"

struct tl_problem;
typedef struct tl_cluster tl_cluster;

typedef struct tl_clusters {
    int count;
    tl_cluster *cluster;
    const int *lead; /* [groups] the matter whose stand-in is that of the group's cluster; 0: it is in none */
} tl_clusters;

/* Rows of a constraint in a cluster. */
typedef struct tl_cluster_rows {
    int matter, numbers, number; /* of the stand-in; numbers of all rows; of the first, −1: it has none there */
    const double *C;             /* [numbers]² */
    const tl_block_binding *binding;
} tl_cluster_rows;

/* The matter that stands in for what holds this body; 0: none. */
int tl_clusters_lead(const tl_clusters *, const tl_grain_rows *, tl_place);
/* Is this joint one of a cluster? */
bool tl_clusters_hold(const tl_clusters *, const tl_grain_rows *, const tl_constraint *);
/* Of cluster c; false: there are no more. */
bool tl_clusters_say(const tl_clusters *, int c, int constraint, tl_cluster_rows *);

/* Of the problem's constraints: which bodies are in clusters. MEMORY. */
TALUS_NODISCARD talus_status tl_clusters_find(struct tl_problem *, tl_step *);
/* With the coupled contacts listed, of which those at clusters get their ports: rows, C, stand-ins. MEMORY; UNSUPPORTED: too many rows, or rows that would turn
 * a solid. */
TALUS_NODISCARD talus_status tl_clusters_bind(struct tl_problem *, tl_step *);
/* Velocities of all rows of the stand-ins, without impulses, joints holding. */
void tl_clusters_start(struct tl_problem *);
/* From the impulses of contacts and constraints: velocities of all bodies, impulses of all joints. */
void tl_clusters_recover(struct tl_problem *);
/* v += M̃⁻¹ H I of what is not steady, [matters] from 1, with the present impulses. */
void tl_clusters_push(struct tl_problem *, double *const *v);
void tl_clusters_accumulate(const struct tl_problem *);
/* Positions (drift.h): what joints close, as rows of the stand-ins w; then all bodies' w. */
void tl_clusters_start_drift(struct tl_problem *, double *const *w);
void tl_clusters_recover_drift(struct tl_problem *, const tl_velocities *w);
/* The block of a joint of a cluster; NULL: it is none. Of such joints with one row each the part of a column of (G M̃⁻¹ Gᵀ + Σ)⁻¹ that is theirs [n], of that of
 * the k-th; 0 where they are of another cluster. */
const tl_block *tl_clusters_block(const tl_clusters *, int constraint);
void tl_clusters_column(const tl_clusters *, const int *constraint, int n, int k, double *out);
void tl_cluster_factors_free(tl_blocks *, tl_memory);

#endif
