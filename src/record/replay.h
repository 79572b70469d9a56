/* A finished run, read back: what pictures, pages and exports are made from. One form for the plane and space: points, poses and velocities of
 * a planar run stand in the plane z = 0. Every index in the file is checked when it is opened; those who read need not. */
#ifndef TL_REPLAY_H
#define TL_REPLAY_H

#include <hdf5.h>

#include "base/base.h"
#include "base/math.h"
#include "talus/solid.h"

/* As written in shapes/kind. */
typedef enum tl_replay_kind {
    REPLAY_DISK,       /* a point, radius                                        */
    REPLAY_SEGMENT,    /* two points, radius of the rounding                     */
    REPLAY_POLYGON,    /* points around it, radius of the rounding               */
    REPLAY_HALF_PLANE, /* a point, and the outward normal as second point        */
    REPLAY_SPHERE,     /* a point, radius                                        */
    REPLAY_CAPSULE,    /* two points, radius                                     */
    REPLAY_POLYHEDRON, /* points and faces                                       */
    REPLAY_HALF_SPACE, /* a point, and the outward normal as second point        */
    REPLAY_CYLINDER,   /* centres of its two ends, radius, rounding of its edges */
    REPLAY_MESH,       /* points and triangles; not convex, and not closed       */
    REPLAY_KINDS       /* from here on kinds have the numbers of talus_shape_kind: points that define it, then those of its facets; faces */
} tl_replay_kind;

typedef struct tl_replay_shape {
    int32_t body, kind, material; /* material −1: none is known                    */
    int32_t first_point, points;
    int32_t first_face, faces;
    double radius, rounding;
    int32_t continues;                          /* 0 in older files */
    int32_t own_kind, first_defining, defining; /* of what is drawn as the polygon of its outline: its kind, and what defines it; else 0 */
} tl_replay_shape;

typedef struct tl_replay_joint {
    int32_t body[2];    /* −1: the ground */
    double point[2][3]; /* in the axes of each [m] */
    int32_t kind;       /* a talus_connection_kind; −1: the file is older than kinds */
    bool driven;
    int32_t sprung;                   /* 0 in older files */
    double axis[3], axis2[3], length; /* as in talus_connection */
} tl_replay_joint;

typedef struct tl_replay_body {
    const char *name; /* "" where it has none                                      */
    double mass;      /* 0 for boundaries [kg]                                     */
    int32_t kind;     /* 0 free, 1 fixed, 2 imposed                                */
    bool link;
    bool solid;                   /* of finite elements: drawn by its mesh, not by its shapes */
    bool has_inertia;             /* a link, of which the next two are known                 */
    double centre[3], inertia[6]; /* of mass, and about it, in the link's axes: xx, yy, zz, xy, xz, yz [m], [kg m²] */
} tl_replay_body;

/* A finite-element solid: in the plane of elements, in space of elements with faces around them. Loops go around faces and planar elements from corner to
 * corner, through the nodes between them. */
typedef struct tl_replay_solid {
    const char *name;
    int32_t body, material; /* material of the shapes of its body, −1: it has none */
    int nodes, elements, faces;
    bool yields;                         /* the file says how it has yielded                                  */
    double (*position)[3];               /* [nodes] without strain [m]                                        */
    const talus_element *table;          /* kinds of elements                                                 */
    int32_t *kind;                       /* [elements] in the table                                           */
    int32_t *element_end, *element_node; /* nodes of element e: element_node[element_end[e − 1]] …            */
    int32_t *region;                     /* [elements]                                                        */
    int32_t *face_element;               /* [faces] of the surface                                            */
    int32_t *face_end, *face_node;       /* loops; face_node: a node                                          */
    double *share;                       /* [elements] volume or area over its number of nodes                */
    double *around;                      /* [nodes] sum of the shares of the elements around                  */
} tl_replay_solid;

/* Its frame. Memory is used again by the next reading. */
typedef struct tl_replay_deformed {
    float (*displacement)[3], (*velocity)[3]; /* [nodes] [m], [m/s] */
    float (*strain)[6], (*stress)[6];         /* [elements] xx, yy, zz, xy, yz, xz [1], [Pa] */
    float *von_mises;                         /* [elements] [Pa]    */
    float *plastic_strain, *cap;              /* [elements] [1], [Pa]; zeros where the file does not say */
} tl_replay_deformed;

typedef struct tl_replay {
    hid_t file;
    int dimension, frames, bodies, shapes, points, faces, materials, joints;
    double *time;         /* [frames] [s]                                          */
    int64_t *contact_end; /* [frames]                                              */
    bool kinds;           /* bodies may change theirs, and come and go */
    tl_replay_body *body;
    tl_replay_shape *shape;
    double (*point)[3];         /* [points] in the axes of the body [m]                  */
    double (*defining)[3];      /* what defines planar shapes that are drawn as polygons [m] */
    int32_t *face_end, *corner; /* [faces] one past the last of its corners; corner: a point, counted from the first of its shape */
    tl_replay_joint *joint;
    char **name, **material; /* owned texts [own], [materials]                        */
    double cell[3][2];       /* where it begins and ends [m]; the same: this direction is not periodic */
    int along, across;       /* of a sheared cell: the direction in which copies slide, and the one in which they lie then */
    double *slide;           /* [frames × 2] offset of the next copy across, and its velocity [m, m/s]; NULL: the cell is not sheared */
    int own;                 /* bodies of the run; behind them, once it is wrapped, copies and the cell's outline */
    double *reach;           /* [own] farthest point from the origin, −1: no end, is not wrapped; NULL: nothing is */
    bool *beside;            /* [own] it has shapes beside its origin                  */
    int32_t *copy;           /* [copies] of which body                                 */
    int32_t *first_copy;     /* [own]                                                  */
    int32_t *group;          /* [own] the first of the links that hang together        */
    int own_shapes;          /* those of the run, before those of copies               */
    int outline;             /* a body; −1: none                                       */
    bool stored_kinds;       /* the file has them                                      */
    int states, state_rows;  /* what laws remember: columns; 0: nothing is remembered  */
    char **state_name;       /* [states] law and field                                 */
    char **state_unit;       /* [states]                                               */
    int64_t *state_of;       /* [state_rows] which contact of the run                  */
    int solids;
    tl_replay_solid *solid;
    double origin[3], (*aside)[3]; /* of those who draw, world axes; [own] of each body, its axes [m]; NULL: those of the run */
    char **solid_name;             /* [solids] */
    talus_element *element;        /* kinds of elements */
    int element_kinds;
} tl_replay;

/* One frame. Its memory is used again by the next reading. */
typedef struct tl_replay_frame {
    double time;
    double offset, slide; /* of the next copy across in a sheared cell [m, m/s] */
    int contacts, capacity;
    double (*pose)[7];     /* [bodies] x, y, z [m], w, x, y, z                    */
    int32_t *kind;         /* [bodies] as tl_replay_body, 3: not there; NULL: as there */
    double (*velocity)[6]; /* [bodies] of the origin [m/s]; angular, world axes [rad/s] */
    int32_t (*body)[2];    /* [contacts] candidate, antagonist                    */
    double (*point)[3], (*normal)[3], *gap;
    double (*impulse)[3], (*force)[3]; /* along normal and tangents [N s], [N]           */
    double (*force_world)[3];          /* on the candidate, world axes [N]                    */
    double *state;                     /* [states × contacts] column after column; 0 where there is none */
} tl_replay_frame;

/* Opens DIRECTORY/trajectory.h5. IO: not there; INPUT: not a run's, damaged, or without a frame (the text names it). On failure nothing is open. */
TALUS_NODISCARD talus_status tl_replay_open(tl_replay *, const char *directory, tl_error *);
void tl_replay_close(tl_replay *);
/* For those who draw, before anything else is read: where a run is further from the world's origin than 1000 times its size, positions are about `origin` from
 * now on, and each body is about a point near its shapes. MEMORY; INPUT: its first or last frame cannot be read. */
TALUS_NODISCARD talus_status tl_replay_come_near(tl_replay *, tl_error *);
/* For those who draw a periodic run: from now on frames show bodies within the cell, those that reach through an end of it twice, and a contact names the
 * copies that it is between. Where nothing is periodic nothing changes. */
TALUS_NODISCARD talus_status tl_replay_wrap(tl_replay *, tl_error *);
static inline int tl_replay_original(const tl_replay *r, int body) { return r->copy && body >= r->own && body != r->outline ? r->copy[body - r->own] : body; }
/* A number of each body, that of its contacts: the largest of its copies goes to all of them. */
void tl_replay_share(const tl_replay *, double *value);
/* For replay.c: a frame about the origin of those who draw; the cell, false: the file is damaged; a frame as it was read, wrapped, false: no memory. */
void tl_replay_see_near(const tl_replay *, tl_replay_frame *);
bool tl_replay_read_cell(tl_replay *);
bool tl_replay_see(const tl_replay *, tl_replay_frame *);
/* replay_state.c: which states of laws there are, false: the file is damaged; those of a frame's contacts; no memory, or damaged. */
bool tl_replay_read_states(tl_replay *);
void tl_replay_free_states(tl_replay *);
bool tl_replay_state_of_frame(const tl_replay *, int64_t first, int count, tl_replay_frame *);
/* The frame whose time is nearest. */
int tl_replay_nearest(const tl_replay *, double time);
/* `frame` zeroed before the first reading. */
TALUS_NODISCARD talus_status tl_replay_read(const tl_replay *, int index, tl_replay_frame *frame, tl_error *);
void tl_replay_frame_free(tl_replay_frame *);
/* A point given in the axes of a body (−1: the ground), in world axes. */
void tl_replay_to_world(const tl_replay_frame *, int body, const double local[3], double out[3]);
/* 0 free, 1 fixed, 2 imposed in this frame, of what is there: stages change kinds. */
static inline int tl_replay_kind_in(const tl_replay *r, const tl_replay_frame *f, int body)
{
    return f->kind && f->kind[body] != 3 ? f->kind[body] : r->body[body].kind;
}
static inline bool tl_replay_is_there(const tl_replay_frame *f, int body) { return body < 0 || !f->kind || f->kind[body] != 3; }
/* A direction, likewise. */
void tl_replay_turn(const tl_replay_frame *, int body, const double local[3], double out[3]);
/* Bodies that an engineer calls grains: free, and no link of a mechanism. */
static inline bool tl_replay_is_grain(const tl_replay *r, int body) { return r->body[body].kind == 0 && !r->body[body].link && !r->body[body].solid; }

/* replay_solids.c: meshes, and how many frames of them there are (at most `*frames`); the shapes of their bodies are no longer among r->shape. False: the
 * file is damaged. */
bool tl_replay_read_solids(tl_replay *, int *frames);
void tl_replay_free_solids(tl_replay *);
/* Of solid `solid` in a frame; `d` zeroed before the first reading. INPUT: damaged; MEMORY. */
TALUS_NODISCARD talus_status tl_replay_deformed_read(const tl_replay *, int solid, int frame, tl_replay_deformed *d, tl_error *);
void tl_replay_deformed_free(tl_replay_deformed *);
/* A node displaced by `scale` times its displacement, world axes. */
static inline void tl_replay_node(const tl_replay_solid *s, const tl_replay_deformed *d, int node, double scale, double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = s->position[node][k] + scale * (double)d->displacement[node][k];
}
/* What colours a solid, a number a node; what elements have is the mean of those around, by their shares. */
typedef enum tl_replay_field { REPLAY_VON_MISES, REPLAY_PRESSURE, REPLAY_DISPLACEMENT, REPLAY_SPEED, REPLAY_PLASTIC_STRAIN, REPLAY_CAP } tl_replay_field;
void tl_replay_nodal(const tl_replay_solid *, const tl_replay_deformed *, tl_replay_field, double *value);
/* What is drawn of a solid: the faces of its surface, in the plane its elements. How many; the nodes around one of them, returns how many they are. */
enum { TL_LOOP_NODES = 8 };
static inline int tl_replay_loops(const tl_replay *r, const tl_replay_solid *s) { return r->dimension == 2 ? s->elements : s->faces; }
int tl_replay_loop(const tl_replay *, const tl_replay_solid *, int loop, int32_t out[TL_LOOP_NODES]);
static inline int tl_replay_element_begin(const tl_replay_solid *s, int e) { return e ? s->element_end[e - 1] : 0; }
static inline const talus_element *tl_replay_element_kind(const tl_replay_solid *s, int e) { return &s->table[s->kind[e]]; }
static inline int tl_replay_face_begin(const tl_replay_solid *s, int f) { return f ? s->face_end[f - 1] : 0; }

/* For the other replay_*.c. A one-dimensional set of n numbers, of finite reals, or NULL; length of a set's first axis, −1: there is none. */
void *tl_replay_column(const tl_replay *, const char *name, hid_t type, hsize_t n);
double *tl_replay_reals(const tl_replay *, const char *name, int n);
int tl_replay_length(const tl_replay *, const char *name);

#endif
