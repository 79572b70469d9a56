/* Particles that fill a box of a lattice: gradients, their transpose and the stiffness at rest as differences of rows (theory §7.2, §7.7).
 *
 * All of them have the same neighbours but for ghosts, so with ghosts in rows of their own around the box one stencil holds everywhere:
 *
 *     ∂u/∂x = A(x + a) − A(x − a),      A = α u + β Σ u beside + γ Σ u across corners
 *
 * and many particles of a row are taken at once, without lists. What acts on ghosts acts on those whom they stand for. A field is three components, each of
 * `slots` numbers, row by row, with zeros at the end of each row up to whole lanes. */
#ifndef TL_PARTICLE_BOX_H
#define TL_PARTICLE_BOX_H

#include "solid/columns.h"
#include "solid/least_squares.h"

enum {
    TL_BOX_REACH = 3, /* of a row of the stabilisation */
    TL_BOX_BAND = 2 * TL_BOX_REACH + 1,
    TL_BOX_OTHERS = 2 * TL_BOX_BAND, /* rows beside and above of which a row feels something, itself among them */
    TL_BOX_WORKERS = 8,              /* that a product is divided among, at most */
    TL_BOX_FRONT = 8                 /* numbers before and behind each row; rows are whole multiples of it: the lanes of any kind of numbers */
};
typedef double tl_box_band[TL_BOX_BAND];

/* What a row feels of others, for c = 1 Pa: how much, and how far away they are in a field with ghosts; of those beyond the box nothing. */
typedef struct tl_box_felt {
    double weight[TL_BOX_OTHERS];
    ptrdiff_t away[TL_BOX_OTHERS];
} tl_box_felt;

/* What kernels work with, in numbers of one kind. */
#define TL_BOX_NUMBERS(name, number)                                                                                                                           \
    typedef struct name {                                                                                                                                      \
        number slope[3];              /* α, β, γ [1/m] */                                                                                                   \
        number *volume;               /* [slots] without strain */                                                                                             \
        number *turned;               /* [10][slots] F⁻¹ and V J of particles whose stiffness is turned */                                                  \
        number *half;                 /* [lanes] 1, and ½ at both ends of a row */                                                                            \
        number *along;                /* [7][lanes] what particles of a row feel of those before and behind, over the halves of the others [m] */              \
        number *x;                    /* [3][rows with ghosts × stride] room: a field with its ghosts */                                                      \
        number *none;                 /* [stride] zeros */                                                                                                     \
        number *room[TL_BOX_WORKERS]; /* three layers of stresses, and what they exert */                                                                      \
    } name
TL_BOX_NUMBERS(tl_box_doubles, double);
TL_BOX_NUMBERS(tl_box_singles, float);

typedef struct tl_particle_box {
    tl_memory memory;
    int particles;         /* 0: there is no box */
    int axis[3];           /* of the lattice, along which rows run, lie beside one another, and above; components go in this order, too */
    int count[3];          /* particles along each */
    int lanes, slots;      /* numbers of a row and of a component of a field */
    int stride;            /* numbers of a row with ghosts */
    int *slot;             /* [particles] */
    int *particle;         /* [count] row by row */
    double *field;         /* [3 slots] room */
    tl_box_band *row[3];   /* [count] of lines along each axis: what a particle feels of those before and behind it, for c = 1 Pa */
    double *half[3];       /* [count, up to whole lanes] 1, and ½ at both ends */
    tl_box_felt *felt;     /* [rows] */
    tl_box_doubles wide;   /* for residuals, where what is left of large forces counts */
    tl_box_singles narrow; /* for solves, which are corrected by residuals: half the memory, and twice the lanes */
} tl_particle_box;

static inline int tl_box_rows(const tl_particle_box *b) { return b->count[1] * b->count[2]; }
/* Where a row of what has ghosts begins, and how many numbers there are. */
static inline size_t tl_box_row(const tl_particle_box *b, int y, int z) { return (size_t)((z + 1) * (b->count[1] + 2) + y + 1) * (size_t)b->stride; }
static inline size_t tl_box_plane(const tl_particle_box *b) { return tl_box_row(b, b->count[1], b->count[2]) + (size_t)b->stride; }
/* Numbers of a layer of rows that lie beside one another, and of one with ghosts. */
static inline size_t tl_box_layer(const tl_particle_box *b) { return (size_t)b->count[1] * (size_t)b->stride; }
static inline size_t tl_box_ghost_layer(const tl_particle_box *b) { return (size_t)(b->count[1] + 2) * (size_t)b->stride; }

/* Of a fit whose particles fill a box in space; else out->particles is 0. MEMORY. */
TALUS_NODISCARD talus_status tl_particle_box_create(tl_memory, const tl_least_squares *, tl_particle_box *out, tl_error *);
void tl_particle_box_free(tl_particle_box *);

/* As tl_particle_gradients, tl_particle_pushes and tl_stabilisation_add. */
void tl_box_gradients(tl_particle_box *, tl_threads *, const double *u, tl_columns *G);
void tl_box_pushes(tl_particle_box *, tl_threads *, const tl_columns *P, double scale, double *f);
void tl_box_hold(tl_particle_box *, tl_threads *, double c, const double *u, double *f);

/* With which stiffness a box answers: Hooke's law, as it is or as it has been turned; rows are held by a modulus [Pa]. */
typedef struct tl_box_law {
    double lame, shear, holding; /* [Pa] */
    bool turned;
} tl_box_law;
/* dP = J C[dF B] Bᵀ from now on, with B [particles] = F⁻¹. */
void tl_box_turn(tl_particle_box *, const tl_columns *B);
/* f += scale K u, in the order of particles. */
void tl_box_stiffness(tl_particle_box *, tl_threads *, const tl_box_law *, double scale, const double *u, double *f);
/* y = scale K x, of fields in single precision. */
void tl_box_stiffness_single(tl_particle_box *, tl_threads *, const tl_box_law *, double scale, const float *x, float *y);

#endif
