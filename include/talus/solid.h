/* Deformable solids of finite elements: soil, pads, plates, tools that give (theory §10).
 *
 * A solid is a mesh whose regions are made of elastic or plastic materials. It is one body of the world, by whose name contacts,
 * series and pictures know it, and takes part in contacts in one or both of two ways: its surface as antagonist, which what
 * touches it presses into; its nodes as candidates, which press into the shapes of others. Strains are small; rotations are,
 * too, unless they are said to be large.
 *
 * Nodes and elements have the numbers of the mesh that was given, from 0; a face of an element is numbered as its kind has it.
 */
#ifndef TALUS_SOLID_H
#define TALUS_SOLID_H

#include "talus/body.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct talus_solid_id {
    uint32_t index1;
} talus_solid_id;

/* ---- tables: what scenes and this interface read of kinds of elements and materials (src/solid/) -------------------- */

enum { TALUS_ELEMENT_MOST_NODES = 10, TALUS_FACE_MOST_NODES = 6, TALUS_SOLID_MOST_PARAMETERS = 12 };

/* A kind of element; nodes and faces are numbered as VTK has them, but for the wedge, whose first triangle looks inwards. */
typedef struct talus_element {
    const char *name, *text; /* "hexahedron8" */
    int dimension, nodes, faces;
    int gmsh, vtk;                           /* numbers of the kind in these formats                              */
    bool mean_volume, enhanced;              /* strains that it allows besides the plain one                       */
    int face_nodes[6], face_corners[6];      /* of each face: how many nodes it has, of which the first are corners */
    int face_node[6][TALUS_FACE_MOST_NODES]; /* around it as seen from outside: its corners, then nodes between   */
} talus_element;

/* False: there is no kind of this number. Kinds have numbers from 0 without a gap. */
TALUS_API bool talus_element_get(int kind, talus_element *out);
TALUS_API int talus_element_find(const char *name); /* −1: none */

/* A number that a material is given by. */
typedef struct talus_solid_parameter {
    const char *name, *unit, *meaning;
    bool optional; /* 0 where it is not given */
} talus_solid_parameter;

typedef struct talus_solid_material {
    const char *name, *text; /* "elastic" */
    int parameters;
    const talus_solid_parameter *parameter;
    int states; /* what it remembers of every point of an element */
    const talus_solid_parameter *state;
} talus_solid_material;

TALUS_API bool talus_solid_material_get(int kind, talus_solid_material *out); /* false: there is no kind of this number */
TALUS_API int talus_solid_material_find(const char *name);                    /* −1: none */

/* ---- definition ----------------------------------------------------------------------------------------------------- */

/* How elements take strain from displacements. */
typedef enum talus_strain {
    TALUS_STRAIN_PLAIN,       /* by the shape functions alone                                    */
    TALUS_STRAIN_MEAN_VOLUME, /* nothing locks near ν = ½ (B-bar)                                 */
    TALUS_STRAIN_ENHANCED,    /* nor in bending                                                  */
    TALUS_STRAIN_AUTO         /* enhanced where the kind allows it, else mean volume, else plain */
} talus_strain;

/* How far elements turn, and so where their strain is measured. */
typedef enum talus_rotations {
    TALUS_ROTATIONS_SMALL, /* along axes that stay: a turn by φ strains by φ²/2                                      */
    TALUS_ROTATIONS_LARGE  /* along axes that turn with each element (corotational)                                  */
} talus_rotations;

/* What a region of the mesh is made of. */
typedef struct talus_solid_region {
    int material;                                  /* of talus_solid_material_get                                      */
    double parameter[TALUS_SOLID_MOST_PARAMETERS]; /* in the material's order                                          */
    double density;                                /* [kg/m³]                                                          */
    talus_strain strain;
} talus_solid_region;

typedef struct talus_solid_def {
    uint32_t struct_size;
    const char *name;
    int nodes;
    const double (*position)[3]; /* [nodes] without strain [m]                                                         */
    int elements;
    const uint8_t *kind; /* [elements] of talus_element_get                                                            */
    const int *node;     /* nodes of all elements, one after the other                                                 */
    int regions;
    const talus_solid_region *region;
    const int *region_of;                   /* [elements]; NULL: the first of all                                                        */
    bool plane_stress;                      /* in the plane; false: plane strain                                                         */
    double thickness;                       /* in the plane [m]                                                                default 1 */
    double damping_mass, damping_stiffness; /* Rayleigh: C = α M + β K [1/s], [s]                                      */
    bool consistent_mass;                   /* else lumped                                                              */
    double velocity[3];                     /* of all nodes at t = 0 that are not held [m/s]                            */
    talus_rotations rotations;              /*                                                             default SMALL */
    double influence;                       /* > 0: meshfree; particles at the nodes of a box of equal cubes (in the plane squares), whose gradients are fitted
                                               within so many spacings: above √dimension, 2 at most (theory §7.1)     default 0 */
    double stabilisation;                   /* of a meshfree one: share of Young's modulus by which displacements that alternate along rows of particles are
                                               resisted (theory §7.3) default 0.1 */
    double renewal;                         /* of a meshfree one that yields: where a particle's strain is larger, it is measured anew, from where it is
                                               (theory §7.8); 0: never      default 0 */
    double stretch;                         /* of a meshfree one: the largest stretch of a particle, or one over the least, that its neighbours are taken to
                                               tell anything of     default 5 */
    bool lets_go;                           /* a meshfree one goes on without particles that have more, are turned inside out or find no stress: they
                                               resist nothing from then on; else the run ends */
    const int (*site)[3]; /* [nodes] of a meshfree one whose cubes have been moved to the surface of a body of any form: where each node was, in
                             spacings, one node a site. Gradients are means of elements' then, and `influence` says nothing more (theory §7.9)
                             default NULL */
    double spacing;       /* of these sites, in the mean of their axes [m] */
} talus_solid_def;

TALUS_API talus_solid_def talus_solid_def_default(void);
/* Arrays are copied. INPUT, by number from 1: an element inside out, without volume, of another dimension or with a node that does not exist; a node of no
 * element; a material whose parameters are wrong; a name used twice. */
TALUS_API TALUS_NODISCARD talus_status talus_solid_create(talus_world *world, const talus_solid_def *def, talus_solid_id *out);

/* A direction of a node stays where it is (no motion), or is displaced by a function of time [m]. INPUT: held twice, no such node or axis. */
TALUS_API TALUS_NODISCARD talus_status talus_solid_hold(talus_world *world, talus_solid_id solid, int node, int axis, const talus_motion *motion);

/* A face of an element on the surface. */
typedef struct talus_solid_face {
    int element, face;
} talus_solid_face;

/* A traction on faces of the surface, by area without strain; or a force per volume of the whole solid (no faces).
 * Its components along world axes are functions of time [Pa], [N/m³]; NULL functions are zero. They keep their directions;
 * of a solid whose rotations are large a pressure goes with its faces, by their area as it is. */
typedef struct talus_solid_load {
    uint32_t struct_size;
    const talus_solid_face *face; /* [faces] */
    int faces;
    talus_motion pressure;    /* against the outward normal [Pa] */
    talus_motion traction[3]; /* world axes [Pa]; without faces [N/m³] */
} talus_solid_load;

TALUS_API talus_solid_load talus_solid_load_default(void);
/* INPUT: a face that does not exist, is not on the surface or is given twice; a pressure without faces. */
TALUS_API TALUS_NODISCARD talus_status talus_solid_add_load(talus_world *world, talus_solid_id solid, const talus_solid_load *load);

/* Viscous dampers on faces that let waves out (Lysmer and Kuhlemeyer 1969): tractions −ρ c_p v_n and −ρ c_s v_t.
 * INPUT: as above; called twice for a solid. */
TALUS_API TALUS_NODISCARD talus_status talus_solid_absorb(talus_world *world, talus_solid_id solid, const talus_solid_face *face, int faces);

/* Contacts of a solid. */
typedef struct talus_solid_contact {
    uint32_t struct_size;
    talus_material_id material;   /* whose laws hold                                                               */
    const talus_solid_face *face; /* [faces] the part of the surface; NULL: all of it                              */
    int faces;
    bool surface; /* as antagonist: faces, in the plane sides, take what touches them                  default true */
    bool nodes;   /* as candidate: nodes of these faces press into the shapes of others                default true */
} talus_solid_contact;

TALUS_API talus_solid_contact talus_solid_contact_default(void);
/* INPUT: no material, a face that is not on the surface, neither way; called twice for a solid. UNSUPPORTED: what this version cannot do yet. */
TALUS_API TALUS_NODISCARD talus_status talus_solid_add_contact(talus_world *world, talus_solid_id solid, const talus_solid_contact *contact);

/* The solid starts at rest, in equilibrium with gravity and its loads at t = 0, without bodies that touch it. At assembly. Absorbing faces are held along their
 * normals, and from then on carry what they carry then. What yields or turns far is loaded step by step from nothing.
 * At assembly SINGULAR: a part is held by nothing; DIVERGED: it yields, or turns, and finds no equilibrium. */
TALUS_API TALUS_NODISCARD talus_status talus_solid_start_settled(talus_world *world, talus_solid_id solid);

/* ---- reading -------------------------------------------------------------------------------------------------------- */

TALUS_API int talus_solid_count(const talus_world *world);
TALUS_API talus_solid_id talus_solid_at(const talus_world *world, int index); /* 0 … count − 1, in order of creation */
TALUS_API talus_solid_id talus_solid_find(const talus_world *world, const char *name);
TALUS_API const char *talus_solid_name(const talus_world *world, talus_solid_id solid);
/* The body that it is; {0}: there is no such solid. And the solid that a body is; {0}: it is none. */
TALUS_API talus_body_id talus_solid_body(const talus_world *world, talus_solid_id solid);
TALUS_API talus_solid_id talus_solid_of_body(const talus_world *world, talus_body_id body);

/* The mesh; pointers live as long as the world. */
typedef struct talus_solid_mesh {
    int dimension, nodes, elements, faces;
    const double (*position)[3];  /* [nodes] without strain                                                            */
    const uint8_t *kind;          /* [elements]                                                                        */
    const int *begin, *node;      /* nodes of element e: node[begin[e]] … node[begin[e + 1] − 1]                       */
    const int *region_of;         /* [elements]                                                                        */
    const talus_solid_face *face; /* [faces] the surface                                                                */
} talus_solid_mesh;

/* False: there is no such solid. */
TALUS_API bool talus_solid_get_mesh(const talus_world *world, talus_solid_id solid, talus_solid_mesh *out);

/* Committed displacements [m] and velocities [m/s] of all nodes, [nodes][3]; each may be NULL. */
TALUS_API void talus_solid_motion(const talus_world *world, talus_solid_id solid, double (*displacement)[3], double (*velocity)[3]);

/* Σ weight u and Σ weight v over nodes [m], [m/s]: of a point that was located, or with 1/nodes the mean. Zeros where there is no such solid or node. */
TALUS_API void talus_solid_mean_motion(const talus_world *world, talus_solid_id solid, const int *node, const double *weight, int nodes, double motion[2][3]);

/* Strain and stress along the world's axes, also of what has turned: xx, yy, zz, xy, yz, xz; strains' last three are angles,
 * twice the tensor's. Mean over an element's points; false: there is none. */
TALUS_API bool talus_solid_stress(const talus_world *world, talus_solid_id solid, int element, double strain[6], double stress[6]);
/* How an element has yielded: the size √(ε_p : ε_p) of its plastic strain [1], and the trace of stress, taken positive, at which it begins to compact now [Pa],
 * 0 where its material has no cap. Means over the element's points, of a meshfree solid over its nodes. False: there is no such element, or its material does
 * not yield; both are 0 then. */
TALUS_API bool talus_solid_yielded(const talus_world *world, talus_solid_id solid, int element, double *plastic_strain, double *cap);
/* How many particles a meshfree solid has let go of, and their mass [kg]; 0 of every other solid. */
TALUS_API int talus_solid_torn(const talus_world *world, talus_solid_id solid, double *mass);
/* At nodes, the mean of the elements around each by their volumes, [nodes][6]; each may be NULL. Elements of different regions are not told apart. */
TALUS_API void talus_solid_nodal_stress(const talus_world *world, talus_solid_id solid, double (*strain)[6], double (*stress)[6]);

/* Where a point without strain lies: its element, and what its nodes weigh there. */
typedef struct talus_solid_point {
    int element, nodes;
    int node[TALUS_ELEMENT_MOST_NODES];
    double weight[TALUS_ELEMENT_MOST_NODES];
    double away; /* 0: it is inside; else how far the surface is, at whose nearest point the weights are [m] */
} talus_solid_point;

/* False: there is no such solid, or x is not finite. */
TALUS_API bool talus_solid_locate(const talus_world *world, talus_solid_id solid, const double x[3], talus_solid_point *out);

/* Mean force over the last step with which all that is not the solid, its weight or its loads acts on nodes: what holds them, contacts, absorbing faces [N].
 * The momentum of the solid changes by this over all nodes, its weight and its loads, less the damping of its mass. 0: of nodes that there are not, and where
 * no step has been made since assembly or since a state was put back. */
TALUS_API void talus_solid_resultant(const talus_world *world, talus_solid_id solid, const int *node, int nodes, double force[3]);

/* Committed kinetic and stored elastic energy, and that of its weight [J]. */
TALUS_API void talus_solid_energy(const talus_world *world, talus_solid_id solid, double *kinetic, double *elastic, double *weight);

/* Held by the factor of the matrix of its steps; 0: there is no such solid, or the world is not assembled. */
TALUS_API size_t talus_solid_factor_bytes(const talus_world *world, talus_solid_id solid);

#ifdef __cplusplus
}
#endif
#endif
