/* Deformable solids of finite elements, a kind of matter (theory §4.2, §10).
 *
 *     M v̇ + C v + f(u) = f_ext + H λ        C = α M + β K
 *
 * u, v: displacements and velocities of the nodes, all of them, those that are held as zeros. Strains are small; rotations are
 * small, too, or as large as they like (theory §10.7). A step solves with M̃ = M + hθ C + (hθ)² K, factored when h or θ change; K
 * is the elastic stiffness, with large rotations that of a configuration not far from this one. Forces that are not linear are
 * found by iterating with it, for the motion with its contacts. Items are the nodes, after them the solid as a whole, and points
 * of elements. */
#ifndef TL_SOLID_H
#define TL_SOLID_H

#include "matter/matter.h"
#include "shape/shape2.h"
#include "shape/shape3.h"
#include "solid/element_response.h"
#include "solid/mesh.h"

typedef struct tl_solid tl_solid;

/* What a region of the mesh is made of. */
typedef struct tl_solid_region {
    tl_material material;
    talus_strain strain; /* of elements whose kind allows it; the others take their strain plainly */
    double density;      /* [kg/m³] */
} tl_solid_region;

typedef struct tl_solid_def {
    const char *name;
    tl_element_mesh_def mesh;
    int regions;
    const tl_solid_region *region;
    const int *region_of;                   /* [elements]; NULL: the first of all */
    bool plane_stress;                      /* in the plane; false: plane strain */
    double thickness;                       /* in the plane [m] */
    double damping_mass, damping_stiffness; /* α [1/s], β [s] */
    bool consistent_mass;                   /* else lumped */
    bool large_rotations;
    double influence;     /* > 0: meshfree, particles at the nodes whose radius of influence is so many spacings (least_squares.h) */
    const int (*site)[3]; /* of a meshfree one whose nodes have been moved from those of a lattice: which they were [nodes] (mean_gradients.h); NULL: a box */
    double spacing;       /* of that lattice [m] */
    double stabilisation; /* of a meshfree one: share of Young's modulus that holds rows of particles (particle_stabilisation.h) */
    double renewal;       /* of a meshfree one: a strain beyond which particles measure theirs anew (particle_renewal.h); 0: never */
    double stretch;       /* of a meshfree one: the largest that a particle may have, or one over the least */
    bool lets_go;         /* of particles that have more, or find no stress, which resist nothing from then on; else that ends the run */
    double velocity[3];   /* of all nodes at the start [m/s] */
} tl_solid_def;

/* INPUT: what mesh.h and the materials say, naming the region. MEMORY. */
TALUS_NODISCARD talus_status tl_solid_create(tl_memory, const tl_solid_def *, tl_matter **out, tl_error *);

/* Before assembly. A direction of a node stays where it is, or is displaced by a function of time. MEMORY. */
TALUS_NODISCARD talus_status tl_solid_hold(tl_matter *, int node, int axis, const talus_motion *, tl_error *);
/* Forces on nodes: weight [count][3] times value(t). MEMORY. */
TALUS_NODISCARD talus_status tl_solid_push(tl_matter *, int count, const int *node, const double (*weight)[3], const talus_motion *, tl_error *);

/* Before assembly. A traction on faces or a force per volume, in shares of nodes by their shape functions, by area and volume without strain; with large
 * rotations a pressure goes with its faces, by their area as it is. INPUT: as talus_solid_add_load says. MEMORY. */
TALUS_NODISCARD talus_status tl_solid_add_load(tl_matter *, const talus_solid_load *, tl_error *);
/* Before assembly, once: viscous dampers on faces. INPUT: as tl_solid_check_faces; called twice. MEMORY. */
TALUS_NODISCARD talus_status tl_solid_absorb(tl_matter *, const talus_solid_face *, int faces, tl_error *);
/* Before assembly: the solid starts in equilibrium. */
void tl_solid_start_settled(tl_matter *);
/* After assembly, once, of what is to start so: with weight and loads at step->t. Absorbing faces carry it along their normals from then on. SINGULAR:
 * something is free, which the text names. DIVERGED: it yields without end. */
TALUS_NODISCARD talus_status tl_solid_settle(tl_matter *, tl_step *);
/* INPUT, with `what` in its text: a face that does not exist, that another element is behind, or that is there twice. */
TALUS_NODISCARD talus_status tl_solid_check_faces(const tl_matter *, const talus_solid_face *, int faces, const char *what, tl_error *);

/* Before assembly: contacts are to be expected at this node. What forces on such nodes do to such nodes is then had without the others. */
void tl_solid_expect(tl_matter *, int node);

/* Before assembly, once (solid_contact.c). Contacts are to be expected at the nodes of these faces; then what these are, in order of their first mention, and
 * the least distance of two of one face [m]. MEMORY. */
TALUS_NODISCARD talus_status tl_solid_expect_faces(tl_matter *, const tl_outer_face *face, int faces, tl_error *);
/* As before that; of a surface, whose shape is freed already, too. */
void tl_solid_forget_faces(tl_matter *);
const int *tl_solid_touched(const tl_matter *, int *count, double *spacing);
/* The faces as a mesh, a shape of the solid as a whole, which contacts may meet: the solid moves its vertices in every step, to q_m, and where it is committed.
 * Who gets the shape owns it. INPUT: nodes at one place, a face without area; MEMORY. */
TALUS_NODISCARD talus_status tl_solid_make_surface(tl_matter *, const talus_solid_contact *, tl_shape3 *out, tl_error *);
/* The same in the plane: the faces as a line of edges. */
TALUS_NODISCARD talus_status tl_solid_make_outline(tl_matter *, const talus_solid_contact *, tl_shape2 *out, tl_error *);

/* Before assembly. A point that goes with its element is an item from now on, at which contacts are to be expected. MEMORY. */
TALUS_NODISCARD talus_status tl_solid_add_point(tl_matter *, const talus_solid_point *, int *item, tl_error *);

const tl_element_mesh *tl_solid_mesh(const tl_matter *);
/* Regions of elements [elements]. */
const int *tl_solid_region_of(const tl_matter *);
int tl_solid_items(const tl_matter *); /* nodes + 1 */
/* Displacements of the committed state [nodes × dimension], and of an element's point strain and stress. */
const double *tl_solid_displacement(const tl_matter *);
const double *tl_solid_velocity(const tl_matter *);
bool tl_solid_stress(const tl_matter *, int element, int point, tl_stress *out);
/* Mean over an element, and its volume without strain [m³]. */
bool tl_solid_mean_stress(const tl_matter *, int element, tl_stress *out, double *volume);
/* How an element has yielded, as tl_material_kind.yielded says: means over its points, of a meshfree solid over its nodes. False: its material does not yield;
 * both are 0. */
bool tl_solid_yielded(const tl_matter *, int element, double *strain, double *cap);
/* How many particles the solid has let go of, the first of them (0 where there is none), and their mass [kg]. */
int tl_solid_torn(const tl_matter *, int *first, double *mass);
/* At nodes, the mean of the elements around each by their volumes [nodes][6]; each may be NULL. */
void tl_solid_nodal_stress(const tl_matter *, double (*strain)[6], double (*stress)[6]);

/* Where a point without strain lies, as talus_solid_locate says. */
bool tl_solid_locate(const tl_matter *, const double x[3], talus_solid_point *out);

/* Of the last step, what acted on nodes beside weight, loads, damping and the solid itself: of what holds them, of contacts. Mean force over it [N], summed
 * over the nodes; zero where no step has been made since the start or since a state was put back. */
void tl_solid_resultant(const tl_matter *, const int *node, int nodes, double force[3]);

/* Of the committed state [J]; elastic: what is stored. */
typedef struct tl_solid_energies {
    double kinetic, elastic, weight;
} tl_solid_energies;
void tl_solid_energy(const tl_matter *, const double gravity[3], tl_solid_energies *out);
/* Of a solid whose strains and rotations count as small, the elements that are farthest from it, as linear theory has it (element_response.h). Elements are
 * counted from 1, 0: there is none, as in solids whose rotations may be large. */
typedef struct tl_solid_extremes {
    double turned, strained;             /* the most of all elements [rad], [1] */
    int turned1, strained1, inside_out1; /* which                               */
} tl_solid_extremes;
tl_solid_extremes tl_solid_farthest(const tl_matter *);
/* Where the middle of an element or a particle is [m], from 0. */
void tl_solid_middle(const tl_matter *, int index, double at[3]);
size_t tl_solid_factor_bytes(const tl_matter *); /* 0 before assembly */

#endif
