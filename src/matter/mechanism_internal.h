/* The inside of a mechanism, shared by mechanism.c (definition, assembly, reading), joint.c (joints as chains of primitives), joint_force.c (forces
 * in joints, states of laws), reduce.c (the inertia in a step), link.c (links as bodies), tree.c (kinematics and inertia of the tree), loop.c (loop equations),
 * partition.c (coordinate partitioning) and motion.c (the operations of a step).
 *
 * Words. A joint is a chain of nodes, one per primitive motion: revolute, prismatic, screw (one rate) or ball (three). A node
 * carries a frame; the last node of a joint carries the link. Rate coordinates of all nodes are numbered 0 … n−1; each has a
 * role: independent (u), dependent (v) or driven (d). All spatial vectors are taken about one point of the mechanism
 * (kinematics.about) in world axes: (angular; linear velocity of the body-fixed point that passes it). */
#ifndef TL_MECHANISM_INTERNAL_H
#define TL_MECHANISM_INTERNAL_H

#include "matter/mechanism.h"
#include "talus/body.h"

typedef enum node_kind { NODE_FIXED, NODE_REVOLUTE, NODE_PRISMATIC, NODE_SCREW, NODE_BALL } node_kind;
typedef enum role { ROLE_INDEPENDENT, ROLE_DEPENDENT, ROLE_DRIVEN } role;

typedef struct spatial {
    tl_vec3 w, v; /* angular, linear at the point; of a wrench: moment about it, force */
} spatial;

/* About kinematics.about: mass, mass × centre, second moments. Such inertias add. */
typedef struct body_inertia {
    double m;
    tl_vec3 mc;
    tl_mat3 I;
} body_inertia;

typedef struct node {
    int parent;     /* node, −1: ground                                                     */
    tl_frame place; /* in the parent's link frame (first of a joint) or the parent node      */
    bool on_link;   /* place is in the axes of the parent's link, not of its node            */
    node_kind kind;
    tl_vec3 axis; /* own axes                                                             */
    double pitch;
    int iq, iv, nv;      /* first position, first rate, rates                                    */
    int link;            /* −1: between the primitives of a joint                                */
    tl_vec3 child_point; /* the joint's point in the link's axes                               */
} node;

typedef struct link {
    char *name;
    double mass;
    tl_mat3 inertia; /* about the centre of mass, link axes                                  */
    tl_vec3 centre;
    int joint, node; /* −1 before assembly                                                   */
} link;

typedef struct joint {
    char *name;
    talus_joint_def def;
    int parent, child; /* links                                                                */
    int first_node, nodes;
    int iq, nq, iv, nv;
} joint;

/* A function of several coordinates, and room to hand them over. */
typedef struct coupled {
    talus_coupled_law def;
    int *joint, *coordinate; /* [count] as given                                  */
    int *rate, *position;    /* [count] after assembly; position −1: a ball has none */
    double *q, *v, *slope;   /* [count]; slope: see joint_force                      */
} coupled;

typedef struct joint_force {
    int joint, rate, position; /* rate and position index after assembly                       */
    talus_joint_force_def def;
    coupled coupled;
    double damping;       /* of this step, taken implicitly: force per change of the rate                        */
    double slope;         /* of the law in v at the start of the step; 0: taken as it is; so are those in `coupled` */
    double spring, ahead; /* of an implicit spring: force per change of the rate; its coordinate is q_m + ahead × rate */
} joint_force;

/* ẋ = rate(t, q, v, all states) */
typedef struct law_state {
    char *name, *unit;
    double start;
    coupled rate;
} law_state;

typedef struct drive {
    int joint, rate, position;
    talus_drive_def def;
} drive;

/* A coordinate in the relation of a screw, gear or train: Σ factor q = offset. */
typedef struct loop_term {
    int joint, coordinate;
    double factor;
} loop_term;

typedef struct loop {
    char *name;
    talus_loop_def def;
    int body[2];
    int terms; /* 0: it joins points */
    loop_term term[TALUS_TERMS];
    int first_row, rows;
} loop;

typedef struct load {
    int link;
    talus_load_def def;
} load;

typedef struct spring {
    talus_spring_def def;
    int body[2];
    bool implicit; /* in this step its damper is part of M̃ */
} spring;

/* Kinematics of one configuration, and of one velocity there. */
typedef struct kinematics {
    tl_vec3 about;   /* where spatial vectors are taken          */
    tl_frame *frame; /* [nodes] of the node                       */
    tl_frame *link;  /* [links] of the link                       */
    spatial *S;      /* [n] motion subspace columns               */
    spatial *V, *A;  /* [nodes] velocity; acceleration at v̇ = 0  */
} kinematics;

/* Contact rows of one port. */
typedef struct port_rows {
    double *full;  /* [3 × n]  point Jacobian along the axes    */
    double *H, *Y; /* [3 × nu] H_redᵀ; M_red⁻¹ H_red, unless it is only read */
    double imposed[3], before[3];
} port_rows;

struct tl_mechanism {
    tl_matter matter;
    char *name;
    bool planar, assembled, in_step, own_choice;
    char *warnings;
    link *links;
    joint *joints;
    node *nodes;
    joint_force *forces;
    drive *drives;
    loop *loops;
    load *loads;
    spring *springs;
    law_state *states;
    int link_count, joint_count, node_count, force_count, drive_count, loop_count, load_count, spring_count, state_count;
    int link_capacity, joint_capacity, node_capacity, force_capacity, drive_capacity, loop_capacity, load_capacity, spring_capacity, state_capacity;
    int (*chosen)[2]; /* the user's dependent coordinates: joint, coordinate */
    int chosen_count, chosen_capacity;
    /* sizes: rates n = nu + m + nd, positions nq, loop equations all and kept (m) */
    int n, nq, nu, nd, m, rows;
    int *kept;        /* [m] rows that are independent              */
    int *u, *dep, *d; /* rates of each role                         */
    int32_t *role;    /* [n] state                                  */
    int *drive_of;    /* [n] −1                                     */
    /* state */
    double *q, *v, *x; /* x [states] */
    /* scratch of a step */
    double *q_m, *q_next, *q_try, *v_next, *v_mid, *v_full, *v_half, *v_mid_full, *dv;
    double *v_free, *vd, *vd_next;
    double *v_kept; /* the velocities of the state, while a step starts from others; else NULL */
    bool factored;  /* J_v has been factored at q_m, by inertia                */
    bool pushed;    /* v_free has been taken anew, with what impulses do */
    double *row, *J, *Jv, *h, *work, *bias, *b, *f, *tau, *tau_next, *M, *MT, *T, *P, *Mred, *impulse, *held, *reaction, *reaction_next, *drive_force,
        *drive_next;
    int *pivot, *row_order, *column_order;
    double *x_m, *x_next, *x_rate, *x_try, *x_jacobian; /* states of laws: at mid-step, at the end, their rates, Newton's */
    /* of a step in which laws read other rates: − θ h ∂f/∂v beside the diagonal, M̃ as contacts see it, the factor of the mass,
     * those of M̃ as forces see it, and the impulses of contacts */
    bool crossed;
    double *cross, *both, *mass_factor, *Ared, *push;
    int *pivot_A, *x_pivot;
    int side, side_next; /* sign of det J_v at the committed state, and where J_v was factored last              */
    int32_t *role_next;
    kinematics now, mid, next, ahead;
    bool *is_angle;          /* [n] rates of angles                                             */
    bool *is_given;          /* [n] rates whose value at the start the user gave                 */
    double theta;            /* of this step: where its mid-step is                                       */
    bool halved;             /* of this step (tl_step): all springs have ½ h² k in M̃                     */
    bool staggered;          /* of this step (tl_step): implicit springs have ¼ h² k                      */
    double heavier;          /* of this step (tl_step), 1 but in passes of a search for equilibrium       */
    double reach;            /* largest arm of a loop's point about a joint at assembly; 1: none [m] */
    body_inertia *own;       /* [nodes] of their links at q_m, from inertia on */
    body_inertia *composite; /* [nodes] */
    spatial *wrench;         /* [nodes] */
    port_rows *ports;
    int port_count, port_capacity;
};

/* The length by which a rate is measured: angles by the mechanism's reach, so that no choice depends on units. */
static inline double tl_rate_length(const tl_mechanism *m, int rate) { return m->is_angle[rate] ? m->reach : 1; }

/* joint.c */
talus_status tl_joint_check(const tl_mechanism *, const talus_joint_def *, const char *name, tl_error *); /* axes; in the plane: stays there */
talus_status tl_joint_build_tree(tl_mechanism *, tl_error *);                                             /* nodes, numbers of rates and positions */

/* tree.c */
void tl_tree_place(const tl_mechanism *, const double *q, kinematics *out); /* frames, links, S */
void tl_tree_rates(const tl_mechanism *, const double *v, kinematics *);    /* V and A, where it is placed */
/* A shaft, without mass, that turns in the world at the committed state. */
bool tl_tree_turns(const tl_mechanism *, int node);
/* own [nodes]: of each node's link alone, where it is placed, shafts that turn `heavier` times; the mass matrix by composite rigid bodies; the bias by
 * recursive Newton–Euler at v̇ = 0. */
void tl_tree_inertia(const tl_mechanism *, const kinematics *, body_inertia *own);
void tl_tree_mass(const tl_mechanism *, const kinematics *, const body_inertia *own, double *M);
void tl_tree_bias(const tl_mechanism *, const kinematics *, const body_inertia *own, const double gravity[3], double *c);
double tl_tree_kinetic(const tl_mechanism *, const kinematics *);
int tl_tree_node_of(const tl_mechanism *, int link_index);
tl_vec3 tl_tree_point(const kinematics *, int link_index, tl_vec3 local);
/* row[n] += force · velocity of point x of the link, as a row of all rates; and scale × (direction · angular velocity). */
void tl_tree_point_row(const tl_mechanism *, const kinematics *, int link_index, tl_vec3 x, tl_vec3 force, double *row);
void tl_tree_angular_row(const tl_mechanism *, const kinematics *, int link_index, tl_vec3 direction, double scale, double *row);
spatial tl_tree_velocity(const tl_mechanism *, const kinematics *, int link_index);
spatial tl_tree_acceleration(const tl_mechanism *, const kinematics *, int link_index);
spatial tl_tree_pushed(const tl_mechanism *, const kinematics *, int link_index, const double *vdot); /* the same at v̇ [n] */
tl_vec3 tl_tree_point_velocity(const kinematics *, spatial V, tl_vec3 x);
tl_vec3 tl_tree_point_acceleration(const kinematics *, spatial V, spatial A, tl_vec3 x);
/* q ← q ⊕ dq, one rate or node at a time (balls by the exponential map). */
void tl_tree_move(const tl_mechanism *, double *q, const double *dq);

/* loop.c: the equations */
int tl_loop_rows(const tl_mechanism *, talus_loop_kind);
void tl_loop_values(const tl_mechanism *, const kinematics *, const double *q, double *h); /* h [rows]      */
void tl_loop_jacobian(const tl_mechanism *, const kinematics *, double *J);                /* J [rows × n]  */
void tl_loop_bias(const tl_mechanism *, const kinematics *, double *bias);                 /* J̇ v [rows]   */
/* Multipliers of the equations [rows] as force and moment on body a (D20 eq. 18). */
void tl_loop_reaction(const tl_mechanism *, const kinematics *, int loop_index, const double *multiplier, double reaction[6]);

/* partition.c: who depends on whom */
/* Newton–Raphson on the dependent coordinates; `kinematics` holds the result. Fails with the loop's name. */
talus_status tl_partition_close(tl_mechanism *, double *q, kinematics *, const char *when, tl_error *);
/* J at this configuration; J_v of the kept rows and the dependent columns, factored into Jv, pivot. False: it is singular. */
bool tl_partition_factor_dependent(tl_mechanism *, const kinematics *);
/* The same, and side_next; T and P with v = T v_u + P v_d. */
talus_status tl_partition_factor(tl_mechanism *, const kinematics *, tl_error *);
/* Does mid-step lie so near to a branching point or dead point which the step passes, that T there is a matter of rounding? */
bool tl_partition_grazes(tl_mechanism *);
/* Fails when the user's dependent coordinates pass a singularity on the way from the committed state to here, where T has been factored. */
talus_status tl_partition_watch(tl_mechanism *, const kinematics *, tl_error *);
talus_status tl_partition_assemble(tl_mechanism *, tl_error *);
/* Writes role_next: the roles for the step of size h that begins at this state, where T has been factored. */
void tl_partition_rechoose(tl_mechanism *, const double *q, const double *v, double h);
void tl_partition_set_roles(tl_mechanism *, const int32_t *role);

/* start.c: rates of all coordinates that close the loops of `mid`, from those that are given. Fails with the joint's name. */
talus_status tl_mechanism_start_rates(tl_mechanism *, tl_error *);

/* joint_force.c: forces in joints, and the states of laws */
talus_status tl_coupled_copy(tl_mechanism *, const talus_coupled_law *, const int *joints, coupled *out);
void tl_coupled_free(tl_memory, coupled *);
void tl_coupled_resolve(const tl_mechanism *, coupled *);
/* ∫ of the pull k x from rest, held within the bound on its sum with the constant force: beyond it the spring takes no more. 0 where it follows a target. */
double tl_joint_force_stored(const joint_force *, const double *q);
/* Generalized forces of the joints at (q_m, v, t), added to tau. */
void tl_joint_forces(const tl_mechanism *, const double *q, const double *v, double t, double *tau);
/* DIVERGED: one that was in tau_next, at q_m and v, is not a number. */
TALUS_NODISCARD talus_status tl_joint_forces_check(const tl_mechanism *, const double *v, double t, tl_error *);
/* M += h × what dampers and laws are implicit in, on the diagonal; `cross` the rest. */
void tl_joint_damping(tl_mechanism *, double time, double h, double theta);
/* Forgets the slopes beside the diagonal in this step. */
void tl_joint_uncross(tl_mechanism *);
/* What M̃ has added to the joints' forces by the velocities at the end, into tau. */
void tl_joint_implicit_part(const tl_mechanism *, const double *v_next, double theta, double *tau);
/* x_m from the committed x, v and q_m; x_next from them and v at the end. */
talus_status tl_states_mid(tl_mechanism *, double time, double h, tl_error *);
talus_status tl_states_end(tl_mechanism *, double time, double h, const double *v_next, tl_error *);

/* reduce.c */
/* M_red = Tᵀ M̃ T at `mid`, factored; M̃ has the dampers of a step of size h with its mid-step at this time, implicitly; none for h = 0. */
talus_status tl_mechanism_reduce_mass(tl_mechanism *, double time, double h, double theta, tl_error *);
/* x: h Tᵀ(f − M b) − …, in; the change of v_u, out. With tangents beside the diagonal and `pushed`, v_free is such that v_free + M_red⁻¹ push is the motion
 * under the impulses m->push with all of the tangents. */
void tl_mechanism_solve(tl_mechanism *, bool pushed, double *x);
/* m->push = M_red (v − v_free): the impulses of contacts that made v of v_free. */
void tl_mechanism_find_push(tl_mechanism *, const double *v);

/* mechanism.c, link.c: operations */
talus_status tl_mechanism_assemble(tl_matter *, double time, const char **warnings, tl_error *);
tl_frame tl_mechanism_frame(const tl_matter *, int item);
tl_mass tl_mechanism_body_mass(const tl_matter *, int item);
void tl_mechanism_body_motion(const tl_matter *, int item, tl_vec3 point, tl_vec3 *velocity, tl_vec3 *spin);
double tl_mechanism_body_angle(const tl_matter *, int item);
talus_status tl_mechanism_add_load(tl_matter *, int item, const talus_load_def *, tl_error *);
void tl_mechanism_energy(const tl_matter *, const double gravity[3], double *kinetic, double *potential);

/* stiffness.c: adds h² K to M_red at q_m, and factors it; K is how the forces at rest change with the independent coordinates. SINGULAR, MEMORY. */
TALUS_NODISCARD talus_status tl_mechanism_stiffen(tl_mechanism *, tl_step *);

/* mechanism_springs.c */
/* f [n] += forces of all springs at q_m and the velocity v [n], or v_n where M̃ has their dampers. */
void tl_mechanism_add_springs(const tl_mechanism *, const double *v, double *f);
/* M += h × what a step of size h with its mid-step at this time takes implicitly: forces of joints, dampers of springs. */
void tl_mechanism_damping(tl_mechanism *, double time, double h, double theta);

/* motion.c */
/* Tᵀ f of all forces at rest and the configuration of `mid`, where T has been made [nu]; weight too. */
void tl_mechanism_pull(tl_mechanism *, const tl_step *, double t, double *out);
extern const tl_matter_ops TL_MECHANISM_OPS;
void tl_mechanism_drive_at(const tl_mechanism *, double t, double *q, double *vd, bool positions);

#endif
