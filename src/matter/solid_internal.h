/* What the files of solids share. Internal to them. */
#ifndef TL_SOLID_INTERNAL_H
#define TL_SOLID_INTERNAL_H

#include "base/factor.h"
#include "matter/solid.h"
#include "solid/face.h"
#include "solid/particle_fields.h"
#include "solid/particle_stabilisation.h"

enum { TL_ROW_NODES = TL_PORT_NODES };
_Static_assert((int)TL_ROW_NODES >= (int)TL_ELEMENT_NODES, "a port may be within an element");

/* Of a port, or of a point: the nodes that move it. */
typedef struct tl_solid_row {
    int nodes, node[TL_ROW_NODES];
    double weight[TL_ROW_NODES];
} tl_solid_row;

/* Of the surface that contacts meet: a node, or the middle of some. */
typedef struct tl_solid_vertex {
    int nodes, node[4];
} tl_solid_vertex;

typedef struct tl_solid_surface {
    tl_mesh3 *mesh;    /* in space; NULL: none; its shape owns it     */
    tl_mesh2 *outline; /* in the plane, as well                       */
    tl_solid_vertex *vertex;
    tl_vec3 *at;   /* [vertices] scratch                              */
    tl_vec2 *flat; /* [vertices] the same in the plane; NULL in space */
    int vertices;
} tl_solid_surface;

typedef struct tl_held {
    int unknown;
    bool moves;
    talus_motion motion;
} tl_held;

typedef struct tl_push {
    int count, *node;
    double (*weight)[3];
    talus_motion motion[3]; /* times weight along each axis */
} tl_push;

/* A pressure that goes with its faces. */
typedef struct tl_pressure {
    int count;
    talus_solid_face *face;
    talus_motion motion;
    double share;     /* of a meshfree solid, whose shares are of whole sides: of it that its faces get          */
    int *node, nodes; /* of a meshfree one: nodes of its faces */
    double *weight;   /* [nodes] their shares of the area without strain, in all 1 */
} tl_pressure;

/* Of a solid whose rotations are large (solid_turning.c): what its elements know of themselves without strain, and where its stiffness was taken. */
typedef struct tl_solid_turns {
    size_t *begin;       /* [elements + 1] into stiffness */
    double *stiffness;   /* of each element in its own axes [unknowns²] */
    double (*mean)[3];   /* as the mesh's nodes of elements: mean gradients */
    double *fastest;     /* [elements] no frequency of it by itself is above [rad/s] */
    tl_mat3 *R;          /* [elements] of K */
    double *at, *held;   /* [nv] displacements of K, and those of the committed state's */
    bool made, softened; /* K is that of `at`; with what stresses do to it */
} tl_solid_turns;

/* Fields of a solve with M̃: components one after another, each of `slots` numbers, in the order of the rows of a box where particles fill one,
 * else in that of particles: many are taken at once. */
typedef struct tl_conjugate {
    int slots;                              /* numbers of a component */
    float *inverse;                         /* [6][slots] of the nodes' own blocks of M̃, symmetric, with which a solve is begun again and again */
    float *mass, *is_free;                  /* [slots]; [dimension × slots] 1, or 0 of what is held and where no particle is */
    float *found, *left, *next, *way, *end; /* [dimension × slots] x; what is left of b, that by the blocks, where it goes, and what that takes */
    double *sum, *most;                     /* [parts] room: of parts of slots, which are added in their order */
    double *u, *f, *x, *nearest;            /* [nv] room, in the order of particles: a way, what it takes, what has been found, and the nearest of it */
} tl_conjugate;

/* Particles at the nodes of a meshfree solid. Its M̃ is never formed: solid_conjugate.c solves with what particles answer. */
typedef struct tl_solid_particles {
    tl_least_squares fit;
    tl_particle_fields fields;
    tl_stabilisation rows;
    bool conforms;           /* its particles have been moved from the sites of the lattice to the surface of a body of any form */
    tl_mat3 axes;            /* of the lattice */
    double (*face_share)[3]; /* [particles] along these: what a uniform stress exerts on a node of the surface, over its share of the faces there */
    double holding;          /* modulus of what holds rows [Pa] */
    double renewal;          /* a strain beyond which references are renewed; 0: never */
    double stretch;          /* the largest that a neighbourhood may have */
    bool lets_go;            /* of what finds no stress; else the run ends */
    int memory;              /* numbers that a particle remembers */
    tl_columns *G, *rate;    /* [particles] room: gradients of a field, and stresses in their place */
    double (*answers)[9][9]; /* [particles] dP_iJ/dF_kL as [3 i + J][3 k + L], where M̃ is that of a tangent, or K is turned; of a box only of a tangent */
    bool tangent;            /* M̃ is */
    bool turned;             /* K is not that of rest */
    double *at, *held;       /* [nv] displacements of K, and those of the committed state's */
    tl_columns *inverse_at;  /* [particles] F⁻¹ there */
    tl_conjugate solve;      /* what solves with M̃ keep */
    tl_stress *stress;       /* [particles] of the state, Cauchy's, while they are known; no number: none is found */
    bool stresses_known;
    double *unit;           /* [nv] room: an impulse on one node, and what it does */
    double *pushed, *moved; /* [nv] impulses of this step that were last asked for, and what they do */
} tl_solid_particles;

/* M̃ = mass M + stiffness K + damper C of absorbing faces. */
typedef struct tl_solid_scales {
    double mass, stiffness, damper;
} tl_solid_scales;

/* A factor of M̃ that schemes ask for in turn. */
typedef struct tl_kept_factor {
    tl_solid_scales scales; /* negative: of none */
    tl_factor *factor;
} tl_kept_factor;

enum { TL_KEPT_FACTORS = 3 }; /* of the mass, of what forces follow, of what contacts meet */

/* What impulses at a node where contacts are expected do where they are, along each axis: columns of M̃⁻¹. */
typedef struct tl_solid_columns {
    double *b;      /* [dimension][end − begin, and room for lanes]; NULL: not asked for yet */
    int begin, end; /* unknowns of these nodes of which they tell; of others they are 0 */
    int wanted;     /* the step that last wanted them, and that which has had them */
    int asked;
    double reach; /* beyond which hardly anything is felt of the node [m] */
} tl_solid_columns;

/* Where forces are taken: v has the rates of what is held. */
typedef struct tl_solid_moment {
    double t;
    const double *gravity, *u, *v, *memory; /* [3], [nv], [nv], what elements remember from before */
} tl_solid_moment;

/* A step and the state that it begins with. */
typedef struct tl_solid_span {
    double t, h, gravity[3];
    const double *u, *v, *memory;
    bool staggered; /* velocities stand between positions (tl_step) */
} tl_solid_span;

struct tl_solid {
    tl_matter matter; /* first */
    tl_element_mesh mesh;
    int dimension, states; /* numbers that elements remember, all of them */
    tl_solid_region *region;
    tl_element *element; /* [elements] */
    int *region_of;      /* [elements] */
    int *state_begin;    /* [elements + 1] into before, after */
    bool linear, in_step, consistent;
    double close;                   /* step.close, once it is known; else 0 */
    bool followed;                  /* in this step forces have followed the impulses of the last */
    double missed;                  /* what forces missed in the last step when its motion was looked at first after contacts [m/s] */
    double missed_next;             /* in this one */
    struct tl_following *following; /* of passes of this step since; NULL: none */
    int lost1;                      /* 1 + the element, or particle, that no stress was found for; 0: none */
    bool settles;                   /* it starts in equilibrium */
    bool by_theta;                  /* the scheme takes forces as a θ step does; else accelerations as it likes */
    bool large;                     /* rotations */
    tl_solid_turns turns;
    tl_solid_particles *particles; /* of a meshfree solid (solid_particles.c); NULL: it has elements */
    double damping_mass, damping_stiffness;
    tl_held *held;
    int helds, held_capacity;
    tl_push *push;
    int pushes, push_capacity;
    tl_pressure *pressure;
    int pressures, pressure_capacity;
    bool *is_held;         /* [nv] */
    double *K, *M, *mixed; /* [neighbours × dimension²], [neighbours], M̃ as K */
    double *node_mass;     /* [nodes] sums of rows of M */
    tl_factor *factor;     /* of M̃, one of those that are kept; NULL: of particles */
    tl_kept_factor kept_factor[TL_KEPT_FACTORS];
    int factors, oldest_factor;        /* as many as the scheme asks for in turn; that which makes room for another */
    tl_threads *threads;               /* of steps, and between them; NULL: none yet */
    tl_solid_scales scales, responded; /* of M̃, and of that of which columns tell; negative: of none */
    double *v_kept;                    /* the velocities of the state, while a step starts from others; else NULL */
    double *u, *v, *u_m, *u_next, *v_next, *v_free, *v_held, *force, *work, *strained; /* [nv] */
    double *before, *after;                                                            /* [states] */
    tl_solid_span last;                                                                /* the last step, of which these are the start; h = 0: none */
    double *u_start, *v_start, *before_start;
    double *damper, (*damper_normal)[3]; /* [nodes × dimension²], [nodes] of absorbing faces: their C, and sums of |n| dA; NULL: none */
    int carried1;                        /* 1 + the push with which these carry the solid at rest; 0: none */
    bool *expected;                      /* [nodes] contacts are expected there */
    int *expected_at;                    /* [nodes] which of those it is, −1: none */
    int expects, *expected_node;         /* [expects] */
    tl_solid_columns *column;            /* [expects] */
    bool whole;                          /* columns are: there is room for all of them; else only what is felt is kept of those that are asked for */
    double kept, most_kept;              /* what columns take, and may take [bytes] */
    double asked_kept;                   /* what those take that this step has asked for */
    int steps;                           /* begun */
    int middle1;                         /* 1 + the node whose columns those of others are like (solid_response.c); 0: none */
    double *alike;                       /* [dimension][nv] what impulses there do, along axes of which it is known */
    bool alike_known[3];
    double *answer; /* [expects × dimension] room: what impulses there do there */
    int *pushed;    /* [expects × dimension] room: which have impulses */
    tl_solid_row *rows;
    int row_count, row_capacity;
    tl_solid_row *point; /* that joints hold: items after the whole */
    int points, point_capacity;
    tl_solid_surface surface;
    int *touched, touches; /* nodes of the faces that contacts meet */
    int *faces_begin;      /* [nodes + 1] into faces_at, of a solid that contacts meet */
    int *faces_at;         /* the faces of the mesh at each node */
    double spacing;        /* the least distance of two of a face [m] */
};

/* 2 or 3. */
static inline int tl_solid_axes(const tl_solid *s) { return s->dimension == 2 ? 2 : 3; }

/* An element's nodes: where they are without strain, and their displacements of u [element's unknowns]. */
void tl_solid_element_at(const tl_solid *, int element, const double *u, double (*x)[3], double *own);
/* solid_forces.c. The element's share of K and M; false: it has no stiffness. */
bool tl_solid_add_element(tl_solid *, int element);
/* Stiffness of an element [unknowns²] to that of the solid. */
void tl_solid_add_blocks(tl_solid *, int element, const double *K);
/* y += scale K x; y += scale M x. */
void tl_solid_add_stiffness(const tl_solid *, double scale, const double *x, double *y);
void tl_solid_add_mass(const tl_solid *, double scale, const double *x, double *y);
/* Room for one more factor, and it is the present one; MEMORY. */
TALUS_NODISCARD talus_status tl_solid_open_factor(tl_solid *, tl_error *);
/* Factors are of another M̃ than that which is asked for next; those without K only where `masses`. */
void tl_solid_forget_factors(tl_solid *, bool masses);
static inline bool tl_solid_are_same(const tl_solid_scales *a, const tl_solid_scales *b)
{
    return a->mass == b->mass && a->stiffness == b->stiffness && a->damper == b->damper;
}
/* M̃ factored unless it is. Of what is held, rows and columns of the unit matrix. MEMORY, SINGULAR. */
TALUS_NODISCARD talus_status tl_solid_factor(tl_solid *, const tl_solid_scales *, tl_step *);
/* The same of the tangent at s->u with this share of the pressures, its symmetric part; of K where that is not positive definite. False through *found: an
 * element finds no stress. */
TALUS_NODISCARD talus_status tl_solid_factor_tangent(tl_solid *, double share, tl_step *, bool *found);
/* b ← M̃⁻¹ b, where what is held gets 0: to a small part of step.close, by which velocities count as the same; about, where a pass is followed by others. */
void tl_solid_solve(const tl_solid *, double *b);
void tl_solid_solve_about(const tl_solid *, double *b);
void tl_solid_solve_unit(const tl_solid *, double *b); /* of an impulse of any size */
/* solid_turning.c. Room for what elements know; MEMORY. Then of each, by its stiffness K and masses M without strain. */
TALUS_NODISCARD talus_status tl_solid_make_turns(tl_solid *, tl_error *);
bool tl_solid_know_element(tl_solid *, int element, const double *K, const double *M);
void tl_solid_free_turns(tl_solid *);
/* M̃ for a step: its K is kept while no element has turned since by more than its frequencies allow, else taken at displacements u. MEMORY, SINGULAR, DIVERGED.
 */
TALUS_NODISCARD talus_status tl_solid_turn_factor(tl_solid *, const tl_solid_scales *, const double *u, tl_step *);
/* M̃ = K at s->u, without what stresses do to it. As above. */
TALUS_NODISCARD talus_status tl_solid_factor_rest(tl_solid *, tl_step *);
/* v_free of a θ step, after its factor, which it may renew. DIVERGED. */
TALUS_NODISCARD talus_status tl_solid_turn_freely(tl_solid *, tl_step *, double theta);
/* What velocities are below which places of nodes at the end of `span` do not tell [m/s]. */
double tl_solid_rounding(const tl_solid *, double span);
/* f += scale times what damps strains at v. False: an element is turned inside out. */
bool tl_solid_damp_strain(const tl_solid *, const double *u, const double *v, double scale, double *f);
/* solid_particles.c. Particles at the nodes; INPUT, MEMORY. Then, where a solid with elements asks these: K, of which only blocks of nodes with themselves,
 * and M without strain; as tl_solid_resist, with what damps strains by `damping` at v, which is asked for
 * again and again: s->after is then no one's; without v (NULL) it is what particles remember at u; their tangents at s->u, symmetric parts, to what solves use
 * and as K; elastic energy [J]; the mean of an element's stresses. */
TALUS_NODISCARD talus_status tl_solid_make_particles(tl_solid *, const tl_solid_def *, tl_error *);
void tl_solid_free_particles(tl_solid *);
void tl_particles_add_rest(tl_solid *);
void tl_particles_hold(const tl_solid *, double c, const double *u, double *f); /* f += what holds rows by the modulus c [Pa] */
bool tl_particles_resist(tl_solid *, const double *memory, const double *u, double damping, const double *v, double *y);
/* K at displacements u, unless F is everywhere near that of K; after a state has been put back, at those that came with it, and what
 * was torn in a step that has been given up is whole again. */
void tl_particles_turn(tl_solid *, const double *u);
void tl_particles_turn_back(tl_solid *);
/* Before tangents, room for them; MEMORY. It stays until M̃ is something else. */
TALUS_NODISCARD talus_status tl_particles_open_tangents(tl_solid *, tl_error *);
void tl_particles_close_tangents(tl_solid *);
bool tl_particles_add_tangent(tl_solid *, double *K);
/* solid_particles_read.c */
double tl_particles_energy(const tl_solid *);
bool tl_particles_mean_stress(const tl_solid *, int element, tl_stress *out);
/* At the end of a step that comes to u: what is remembered, with references renewed where strain is large; particles that are out of what their model can do,
 * and those that find no stress, are torn, or false. What the last call of resist or arrive found no stress for is torn in the present state, if the solid
 * lets go of any; else false. */
bool tl_particles_arrive(tl_solid *, const double *u);
bool tl_particles_let_go(tl_solid *);
/* How a particle has yielded, over all its references. How many are torn, and the first. */
void tl_particles_yielded(const tl_solid *, int particle, double *strain, double *cap);
int tl_particles_torn(const tl_solid *, int *first, double *mass);
/* solid_conjugate.c. M̃ of these scales, or of the tangents, whose blocks of nodes with themselves are in s->mixed: SINGULAR where one of these is not
 * positive definite. b ← M̃⁻¹ b, until what blocks of nodes say of the rest is less than `relative` of what they said at first, or less than `absolute`
 * everywhere, or double precision comes no nearer; of what is held, b is 0. The same of impulses of the present step, again and again, as tl_solid_solve. */
TALUS_NODISCARD talus_status tl_particles_make_room_to_solve(tl_solid *, tl_error *);
void tl_particles_free_room_to_solve(tl_solid *);
TALUS_NODISCARD talus_status tl_particles_prepare(tl_solid *, bool tangent, tl_error *);
void tl_particles_solve(const tl_solid *, double relative, double absolute, double *b);
void tl_particles_push(const tl_solid *, double *b);
void tl_particles_add_product(const tl_solid *, const double *x, double *y);  /* y += M̃ x, of what is not held */
void tl_particles_add_impulses(const tl_solid *, const double *w, double *y); /* y += the impulses that make w */
/* solid_loads.c. f += scale times pressures at t, on faces as u has them; s->mixed less their derivative at s->u, its symmetric part, without what is held. */
void tl_solid_add_pressures(const tl_solid *, double t, const double *u, double scale, double *f);
void tl_solid_free_pressure(tl_solid *, tl_pressure *);
void tl_solid_take_pressures(tl_solid *, double t, double scale);
/* solid_response.c: numbers the nodes where contacts are expected, once, MEMORY; before that, what columns of M̃⁻¹ may take, of which there is a default
 * [bytes]. tl_matter_ops.reach, response, exchange; forgets what it knows of M̃⁻¹. */
TALUS_NODISCARD talus_status tl_solid_open_response(tl_solid *, tl_error *);
void tl_solid_limit_response(tl_matter *, double bytes); /* for tests of small solids */
talus_status tl_solid_reach(tl_matter *, tl_step *, const tl_ports *, double share, double *reach);
void tl_solid_response(const tl_matter *, const tl_port *from, const tl_port *to, double C[3][3]);
void tl_solid_exchange(const tl_matter *, const tl_ports *, const double (*I)[3], double (*V)[3]);
int tl_solid_carriers(const tl_matter *, const tl_port *, int *node, double *weight);
void tl_solid_node_response(const tl_matter *, int from, int to, double C[3][3]);
void tl_solid_forget_response(tl_solid *);
/* solid_contact.c. Moves the surface to displacements u; false: a triangle there has no area, or an edge no length. */
bool tl_solid_place_surface(tl_solid *, const double *u);
/* The nodes that move a port, at q_m. UNSUPPORTED, DIVERGED. */
TALUS_NODISCARD talus_status tl_solid_row_of(const tl_solid *, const tl_port *, tl_solid_row *out, tl_error *);
double tl_solid_motion(const tl_matter *, int item, const double *v, bool imposed, tl_vec3 *velocity); /* tl_matter_ops.motion */
int tl_solid_facets(const tl_matter *, int item, tl_facet *);                                          /* tl_matter_ops.facets */
/* y −= f(u), reached from what elements remember in `memory`, and what they remember then in `after`. False: an element is inside out, or its material finds
 * no stress. */
bool tl_solid_resist(tl_solid *, const double *memory, const double *u, double *y);
/* Where a particle, or the middle of an element, is. */
tl_vec3 tl_solid_place_of(const tl_solid *, int index);
/* DIVERGED, by the name and the place of that which has no stress. */
talus_status tl_solid_lost(const tl_solid *, const tl_step *);
/* f += f_ext − C v − f(u). False as before. */
bool tl_solid_add_forces(tl_solid *, const tl_solid_moment *, double *f);
void tl_solid_add_given(const tl_solid *, double t, const double gravity[3], double *f); /* weight, and loads at t that do not go with faces */
/* Where a node's block with another is in K. */
int tl_solid_block_at(const tl_solid *, int node, int other);
/* Does an element remember anything? Else what is to be known of it follows from u. */
static inline const double *tl_solid_memory_of(const tl_solid *s, int e, const double *memory)
{
    return s->state_begin[e + 1] > s->state_begin[e] ? memory + s->state_begin[e] : NULL;
}
/* Displacements of what is held, at t, and its rates, put into u and v. */
void tl_solid_place_held(const tl_solid *, double t, double *u);
void tl_solid_rate_held(const tl_solid *, double t, double *v);
/* What the equation of a step lacks at an end velocity v, in which what is held has its rates:
 *
 *     h (f_ext − C v_θ − f(u_n + hθ v_θ)) − M (v − v_n)        v_θ = θ v + (1 − θ) v_n
 *
 * or, staggered, with θ = 1 and forces of t_n and u_n + h/4 (v − v_n), which is the mean (u_{n+1} + 2 u_n + u_{n−1})/4 (theory §4.4).
 *
 * False as tl_solid_resist. */
bool tl_solid_residual(tl_solid *, const tl_solid_span *, double theta, const double *v, double *out);
tl_solid_span tl_solid_span_of(const tl_solid *, const tl_step *);
/* solid_follow.c. What the forces of an end velocity v miss, by velocities [m/s]: M̃⁻¹ R(v) + w, with w = M̃⁻¹ p of impulses; infinite where an element is turned
 * inside out, or its material finds no stress. The first moves v until that is less than `close`, or there have been too many passes; the
 * second looks, and moves v_free if `apply`, by what earlier passes of the step tell. Before both, room in the memory of the step; MEMORY. */
TALUS_NODISCARD talus_status tl_solid_open_following(tl_solid *, tl_step *);
double tl_solid_follow(tl_solid *, tl_step *, double theta, const double *w, double close, double *v);
double tl_solid_off(tl_solid *, tl_step *, double theta, const double *w, const double *v, bool apply);
/* solid_absorb.c. y += scale C v of absorbing faces. */
void tl_solid_add_dampers(const tl_solid *, double scale, const double *v, double *y);
/* solid_read.c. Before the state moves: what the step that ends began with. */
void tl_solid_keep_start(tl_solid *, const tl_step *);
/* solid_loads.c. As tl_solid_push, with a function of time for each axis. */
TALUS_NODISCARD talus_status tl_solid_add_push(tl_solid *, int count, const int *node, const double (*weight)[3], const talus_motion motion[3], tl_error *);
/* Nodes and quadrature of a face, with areas of the plane times the thickness. Returns how many points. */
int tl_solid_face_points(const tl_solid *, const talus_solid_face *, int node[TL_FACE_NODES], tl_face_point *);

#endif
